//! What octets are wrapped in: PEM, hexadecimal, base64, or nothing; taken off and put on again.

use std::borrow::Cow;
use std::ops::Range;

use tagwise_codec::text::{Form, base64, hex, recognise};
use tagwise_codec::{Options, RuleSet, Session, pem};

use tagwise_pkix::store::Foreign;

use crate::lens::{empty_problem, pem_problem, text_problem};

/// A kind of wrapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Armour {
    Pem,
    Hex,
    Base64,
    /// None: the octets themselves.
    Binary,
}

/// An input with its wrapping taken off.
pub(crate) struct Source {
    input: Vec<u8>,
    pub(crate) armour: Armour,
    /// The blocks of PEM, or all there is.
    pub(crate) values: Vec<Value>,
}

/// The content of one wrapping.
pub(crate) struct Value {
    pub(crate) octets: Vec<u8>,
    /// The label of a PEM block, and the line it begins in.
    pub(crate) block: Option<(String, usize)>,
    /// `true` if the block has headers, which say that its octets are encrypted.
    pub(crate) headers: bool,
    /// The kind of the block, if it cannot be read.
    pub(crate) foreign: Option<Foreign>,
    /// The reason why there are no octets.
    pub(crate) problem: Option<String>,
    /// The range of the input that encodes the octets.
    span: Range<usize>,
}

/// How many octets stand on a line of hexadecimal or base64.
const HEX_LINE: usize = 32;
const BASE64_LINE: usize = 48;

impl Source {
    /// Takes the wrapping off an input, which is looked at to tell which it is unless that is said.
    ///
    /// # Errors
    /// What is wrong with the wrapping as a whole. What is wrong with one block is with that block.
    pub(crate) fn open(input: Vec<u8>, armour: Option<Armour>) -> Result<Self, String> {
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
        let octets = octets.map_err(|fault| text_problem(fault).line())?;
        let value = Value { octets, block: None, headers: false, foreign: None, problem: None, span: 0..input.len() };
        Ok(Self { input, armour, values: vec![value] })
    }

    /// Values that were made, with their labels.
    pub(crate) fn made(values: Vec<(Option<String>, Vec<u8>)>) -> Self {
        let value = |(label, octets): (Option<String>, Vec<u8>)| {
            let block = label.map(|label| (label, 0));
            Value { octets, block, headers: false, foreign: None, problem: None, span: 0..0 }
        };
        Self { input: Vec::new(), armour: Armour::Binary, values: values.into_iter().map(value).collect() }
    }

    /// The octets of what has no blocks.
    pub(crate) fn octets(self) -> Vec<u8> {
        self.values.into_iter().flat_map(|value| value.octets).collect()
    }

    /// The whole input as it was.
    pub(crate) fn input(&self) -> &[u8] {
        &self.input
    }

    /// The input with other octets in one place. What is around the base64 of a PEM block stays as it is: label, headers, text
    /// before and after, line endings.
    pub(crate) fn replaced(&self, value: &Value, octets: &[u8]) -> Vec<u8> {
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
    /// Which one it is, in words.
    pub(crate) fn name(&self) -> String {
        match &self.block {
            Some((label, line)) => format!("{label}, line {line}"),
            None => format!("{} octets", self.octets.len()),
        }
    }
}

/// Octets in a wrapping that has no label.
pub(crate) fn wrap(armour: Armour, octets: &[u8]) -> Vec<u8> {
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
    let block = |block: Result<pem::Block<'_>, pem::Error>| match block {
        Ok(block) => {
            // The body is a part of the input.
            let start = (block.body().as_ptr() as usize).saturating_sub(input.as_ptr() as usize);
            let (octets, problem) = match block.decode() {
                Ok(octets) if octets.is_empty() => (octets, Some(empty_problem(block.line(), block.begin()).line())),
                Ok(octets) => (octets, None),
                Err(error) => (Vec::new(), Some(pem_problem(&error).line())),
            };
            Value {
                octets,
                block: Some((block.label().to_owned(), block.line())),
                headers: block.headers().next().is_some(),
                foreign: Foreign::recognise(block.label(), block.headers()),
                problem,
                span: start..start + block.body().len(),
            }
        }
        Err(error) => Value {
            octets: Vec::new(),
            block: None,
            headers: false,
            foreign: None,
            problem: Some(pem_problem(&error).line()),
            span: error.offset()..error.offset(),
        },
    };
    pem::blocks_with(input, &session).map(block).collect()
}
