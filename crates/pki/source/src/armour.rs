//! Input armor that can be removed and restored: PEM, hexadecimal, base64 or none.

use std::borrow::Cow;
use std::ops::Range;

use tagwise_codec::text::{Form, base64, hex, recognise};
use tagwise_codec::{Options, RuleSet, Session};
use tagwise_pkix::Foreign;

use crate::block;
use crate::problem::Problem;

/// A kind of armor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armour {
    /// PEM (RFC 7468).
    Pem,
    /// Hexadecimal digits.
    Hex,
    /// Base64 (RFC 4648 §4).
    Base64,
    /// None: binary data.
    Binary,
}

/// An input without its armor, which can be restored around other bytes.
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
    /// The kind of armor.
    pub armour: Armour,
    /// The PEM blocks, or the whole input.
    pub values: Vec<Value>,
}

/// The content of one block.
#[derive(Clone, Debug)]
pub struct Value {
    /// The decoded bytes. Empty if there is a problem.
    pub octets: Vec<u8>,
    /// The label of a PEM block, and the number of its first line.
    pub block: Option<(String, usize)>,
    /// True if the block has headers, which indicate encryption.
    pub headers: bool,
    /// The kind of block, if it is a known but unreadable one.
    pub foreign: Option<Foreign>,
    /// The reason that it could not be decoded.
    pub problem: Option<String>,
    /// The range of the input that encodes the bytes.
    span: Range<usize>,
}

/// Bytes on a line of hexadecimal.
const HEX_LINE: usize = 32;
/// Bytes on a line of base64.
const BASE64_LINE: usize = 48;

impl Wrapped {
    /// Removes an input's armor. Its kind is detected unless `armour` is given.
    ///
    /// # Errors
    /// An error in the armor as a whole, as text. Errors in single blocks are in [`Value::problem`].
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
                    return Err("no PEM block found".to_owned());
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

    /// Creates an input from values with their labels.
    #[must_use]
    pub fn made(values: Vec<(Option<String>, Vec<u8>)>) -> Self {
        let value = |(label, octets): (Option<String>, Vec<u8>)| {
            let block = label.map(|label| (label, 0));
            Value { octets, block, headers: false, foreign: None, problem: None, span: 0..0 }
        };
        Self { input: Vec::new(), armour: Armour::Binary, values: values.into_iter().map(value).collect() }
    }

    /// The concatenated bytes of all values.
    #[must_use]
    pub fn octets(self) -> Vec<u8> {
        self.values.into_iter().flat_map(|value| value.octets).collect()
    }

    /// The original input.
    #[must_use]
    pub fn input(&self) -> &[u8] {
        &self.input
    }

    /// Replaces one value in the input. The rest of a PEM text is kept: labels, headers, text before and after, line
    /// endings.
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
    /// Identifies the value among others by its label and line, or by its size.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.block {
            Some((label, line)) => format!("{label}, line {line}"),
            None => format!("{} bytes", self.octets.len()),
        }
    }
}

/// Encodes bytes in an armor without label. For PEM, they are unchanged.
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
