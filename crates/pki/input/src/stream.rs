//! Input of any size: binary input is streamed, and text, which is small, is read as a whole.

use std::io::{self, Read};

use tagwise_codec::text::{TextForm, base64, hex, is_utf16, recognise};
use tagwise_codec::{Fault, Options, Rule, RuleSet, Session};

use crate::block;
use crate::problem::Problem;

/// The maximum size of text in bytes. Larger inputs are treated as binary.
const TEXT: usize = 16 * 1024 * 1024;
/// The number of bytes that are read at a time while the input may be text.
const STEP: usize = 4096;

/// An input whose format has been detected.
pub enum Input<'r> {
    /// Binary input, to be streamed.
    Binary(Box<dyn Read + 'r>),
    /// Decoded hexadecimal or base64.
    Decoded {
        /// `hexadecimal` or `base64`.
        form: &'static str,
        /// The decoded bytes.
        octets: Vec<u8>,
    },
    /// PEM text.
    Pem(Vec<u8>),
    /// Text that does not decode.
    Wrong {
        /// `hexadecimal` or `base64`.
        form: &'static str,
        /// The error message.
        line: String,
    },
}

impl Input<'_> {
    /// Returns the name of the format, such as `hexadecimal`.
    #[must_use]
    pub const fn form(&self) -> &'static str {
        match self {
            Self::Binary(_) => "binary",
            Self::Decoded { form, .. } | Self::Wrong { form, .. } => form,
            Self::Pem(_) => "PEM",
        }
    }
}

/// The start of an input, or all of it if it is text.
#[derive(Debug)]
pub struct Front {
    octets: Vec<u8>,
    text: bool,
}

/// Reads until it is clear whether the input is text.
///
/// # Errors
/// Returns any error from the reader.
pub fn look(source: &mut impl Read) -> io::Result<Front> {
    let mut octets = Vec::new();
    loop {
        let seen = octets.len();
        let read = read_once(source, &mut octets)?;
        let new = octets.get(seen..).unwrap_or_default();
        // Every second octet of ASCII in UTF-16 is 0.
        let wide = is_utf16(&octets);
        let plain = |octet: &u8| *octet >= b' ' && *octet != 0x7F || matches!(octet, b'\t'..=b'\r');
        let text = wide || new.iter().all(plain);
        if !text || octets.len() > TEXT {
            return Ok(Front { octets, text: false });
        }
        if read == 0 {
            return Ok(Front { octets, text: true });
        }
    }
}

/// Appends the bytes of a single read, and returns their number.
fn read_once(source: &mut impl Read, octets: &mut Vec<u8>) -> io::Result<usize> {
    let mut step = [0; STEP];
    loop {
        match source.read(&mut step) {
            Ok(read) => {
                octets.extend(step.iter().take(read));
                return Ok(read);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl Front {
    /// Decodes text. For binary input, passes the bytes read so far to `binary`, which builds a reader from them and
    /// the rest.
    ///
    /// # Errors
    /// Returns any error from `binary`.
    pub fn into_input<'r>(
        self,
        binary: impl FnOnce(Vec<u8>) -> io::Result<Box<dyn Read + 'r>>,
    ) -> io::Result<Input<'r>> {
        let Self { octets, text } = self;
        if !text {
            return binary(octets).map(Input::Binary);
        }
        let (form, plain) = recognise(&octets);
        match form {
            TextForm::Pem => Ok(Input::Pem(plain.into_owned())),
            TextForm::Hex => Ok(decoded("hexadecimal", hex::decode(&plain))),
            TextForm::Base64 => Ok(decoded("base64", base64::decode_wrapped(&plain))),
            _ => binary(octets).map(Input::Binary),
        }
    }
}

fn decoded(form: &'static str, octets: Result<Vec<u8>, Fault>) -> Input<'static> {
    match octets {
        Ok(octets) => Input::Decoded { form, octets },
        Err(fault) => Input::Wrong { form, line: fault.to_string() },
    }
}

/// A decoded PEM block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The block's label.
    pub label: String,
    /// The line number of its first line, from 1.
    pub line: usize,
    /// The block's decoded bytes.
    pub octets: Vec<u8>,
}

/// Decodes the blocks of a text. Each block has its own result.
#[must_use]
pub fn blocks(text: &[u8]) -> Vec<Result<Block, Box<Problem>>> {
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX.with(&Rule::PEM_HEADERS)));
    let block = |block: block::Block| match (block.bytes, block.label) {
        (Ok(octets), Some(label)) => Ok(Block { label, line: block.line, octets }),
        (Ok(octets), None) => Ok(Block { label: String::new(), line: block.line, octets }),
        (Err(problem), _) => Err(problem),
    };
    block::blocks(text, &session).map(block).collect()
}
