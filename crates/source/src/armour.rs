//! Wrapping that is taken off and put on again: PEM, hexadecimal, base64, or none.

use std::borrow::Cow;
use std::ops::Range;

use tagwise_codec::text::{Form, base64, hex, recognise};
use tagwise_codec::{Options, RuleSet, Session};
use tagwise_pkix::Foreign;

use crate::block;
use crate::problem::Problem;

/// A kind of wrapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armour {
    /// PEM (RFC 7468).
    Pem,
    /// Hexadecimal digits.
    Hex,
    /// Base64 (RFC 4648 §4).
    Base64,
    /// None: the bytes themselves.
    Binary,
}

/// An input with its wrapping taken off, which can be put on again around other bytes.
///
/// ```
/// use tagwise_source::{Armour, Wrapped};
/// let input = b"before\n-----BEGIN X-----\nBQA=\n-----END X-----\nafter\n".to_vec();
/// let wrapped = Wrapped::open(input, None).unwrap();
/// assert_eq!((wrapped.armour, &*wrapped.values[0].octets), (Armour::Pem, &[5, 0][..]));
/// let changed = wrapped.replaced(&wrapped.values[0], &[5, 1]);
/// assert_eq!(changed, b"before\n-----BEGIN X-----\nBQE=\n-----END X-----\nafter\n");
/// ```
#[derive(Clone, Debug)]
pub struct Wrapped {
    input: Vec<u8>,
    /// The kind of wrapping.
    pub armour: Armour,
    /// The blocks of PEM, or all there is.
    pub values: Vec<Value>,
}

/// The content of one wrapping.
#[derive(Clone, Debug)]
pub struct Value {
    /// The bytes; none where there is a problem.
    pub octets: Vec<u8>,
    /// The label of a PEM block, and the line it begins in.
    pub block: Option<(String, usize)>,
    /// `true` if the block has headers, which announce encryption.
    pub headers: bool,
    /// The kind of the block, if it cannot be read.
    pub foreign: Option<Foreign>,
    /// The reason why there are no bytes.
    pub problem: Option<String>,
    /// The range of the input that encodes the bytes.
    span: Range<usize>,
}

/// Bytes on a line of hexadecimal.
const HEX_LINE: usize = 32;
/// Bytes on a line of base64.
const BASE64_LINE: usize = 48;

impl Wrapped {
    /// Takes the wrapping off an input. Without `armour` the wrapping is found by looking.
    ///
    /// # Errors
    /// The error in the wrapping as a whole, in words. An error in one block stands in [`Value::problem`].
    pub fn open(input: Vec<u8>, armour: Option<Armour>) -> Result<Self, String> {
        let (form, text) = recognise(&input);
        let armour = armour.unwrap_or(match form {
            Form::Pem => Armour::Pem,
            Form::Hex => Armour::Hex,
            Form::Base64 => Armour::Base64,
            _ => Armour::Binary,
        });
        // Text in UTF-16 goes on as UTF-8.
        let input = match text {
            Cow::Owned(text) if armour != Armour::Binary => text,
            _ => input,
        };
        let octets = match armour {
            Armour::Pem => {
                let values = blocks(&input);
                if values.is_empty() {
                    return Err("there is no PEM block".to_owned());
                }
                return Ok(Self { input, armour, values });
            }
            Armour::Hex => hex::decode(&input),
            Armour::Base64 => base64::decode_wrapped(&input),
            Armour::Binary => Ok(input.clone()),
        };
        let octets = octets.map_err(|fault| Problem::of_text(fault).line())?;
        let foreign = tagwise_kind::foreign::recognise(&octets).filter(|_| armour == Armour::Binary);
        let value = Value { octets, block: None, headers: false, foreign, problem: None, span: 0..input.len() };
        Ok(Self { input, armour, values: vec![value] })
    }

    /// Values that were made, with their labels.
    #[must_use]
    pub fn made(values: Vec<(Option<String>, Vec<u8>)>) -> Self {
        let value = |(label, octets): (Option<String>, Vec<u8>)| {
            let block = label.map(|label| (label, 0));
            Value { octets, block, headers: false, foreign: None, problem: None, span: 0..0 }
        };
        Self { input: Vec::new(), armour: Armour::Binary, values: values.into_iter().map(value).collect() }
    }

    /// The bytes of all values, one after the other.
    #[must_use]
    pub fn octets(self) -> Vec<u8> {
        self.values.into_iter().flat_map(|value| value.octets).collect()
    }

    /// The whole input as it was.
    #[must_use]
    pub fn input(&self) -> &[u8] {
        &self.input
    }

    /// The input with other bytes in one place. What is around the base64 of a PEM block stays as it is: label,
    /// headers, text before and after, line endings.
    #[must_use]
    pub fn replaced(&self, value: &Value, octets: &[u8]) -> Vec<u8> {
        if self.armour != Armour::Pem {
            return wrap(self.armour, octets);
        }
        let before = self.input.get(..value.span.start).unwrap_or_default();
        let after = self.input.get(value.span.end..).unwrap_or_default();
        let line_break = if before.ends_with(b"\r\n") { "\r\n" } else { "\n" };
        let mut body = String::new();
        if !before.ends_with(b"\n") {
            body.push_str(line_break);
        }
        for line in octets.chunks(BASE64_LINE) {
            body.push_str(&base64::encode(line));
            body.push_str(line_break);
        }
        [before, body.as_bytes(), after].concat()
    }
}

impl Value {
    /// Names the value among others: its label and line, or its size.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.block {
            Some((label, line)) => format!("{label}, line {line}"),
            None => format!("{} bytes", self.octets.len()),
        }
    }
}

/// Wraps bytes in a wrapping that has no label; for PEM they stay as they are.
#[must_use]
pub fn wrap(armour: Armour, octets: &[u8]) -> Vec<u8> {
    let lines = |len: usize, encode: fn(&[u8]) -> String| -> Vec<u8> {
        octets.chunks(len).flat_map(|line| (encode(line) + "\n").into_bytes()).collect()
    };
    match armour {
        Armour::Hex => lines(HEX_LINE, hex::encode),
        Armour::Base64 => lines(BASE64_LINE, base64::encode),
        Armour::Pem | Armour::Binary => octets.to_vec(),
    }
}

/// The blocks of a PEM text, by the most lenient rules that leave no doubt.
fn blocks(input: &[u8]) -> Vec<Value> {
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let value = |block: block::Block| {
        let (octets, problem) = match block.bytes {
            Ok(bytes) => (bytes, None),
            Err(problem) => (Vec::new(), Some(problem.line())),
        };
        Value {
            octets,
            block: block.label.map(|label| (label, block.line)),
            headers: block.headers,
            foreign: block.foreign,
            problem,
            span: block.body,
        }
    };
    block::blocks(input, &session).map(value).collect()
}
