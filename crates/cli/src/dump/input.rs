//! What a dump reads: binary input as it comes, or text that is small enough to be looked at as a whole.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use tagwise_codec::text::{Form, base64, hex, recognise};
use tagwise_codec::{Fault, Options, Rule, RuleSet, Session, pem};

/// Longer text is not recognised.
const TEXT: usize = 16 * 1024 * 1024;
/// How much is read at a time while the input may be text.
const STEP: usize = 4096;

/// An input that was looked at.
pub(super) enum Input<'r> {
    /// Elements, as they come.
    Binary(Box<dyn Read + 'r>),
    /// What hexadecimal or base64 decoded to.
    Decoded { form: &'static str, octets: Vec<u8> },
    /// PEM, to be taken apart.
    Pem(Vec<u8>),
    /// Text that does not decode.
    Wrong { form: &'static str, line: String },
}

impl Input<'_> {
    pub(super) const fn form(&self) -> &'static str {
        match self {
            Self::Binary(_) => "binary",
            Self::Decoded { form, .. } | Self::Wrong { form, .. } => form,
            Self::Pem(_) => "PEM",
        }
    }
}

/// Opens a file, or standard input for `-`, and passes over `offset` octets of what is no text.
pub(super) fn open(path: &Path, offset: u64) -> io::Result<Input<'static>> {
    if path.as_os_str() == "-" {
        let mut source = io::stdin();
        return look(&mut source)?.into_input(|front| passed(Box::new(Cursor::new(front).chain(source)), offset));
    }
    let mut source = File::open(path)?;
    if source.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    look(&mut source)?.into_input(|front| {
        // A pipe has no positions.
        if offset > 0 && source.seek(SeekFrom::Start(offset)).is_ok() {
            return Ok(Box::new(source) as Box<dyn Read>);
        }
        passed(Box::new(Cursor::new(front).chain(source)), offset)
    })
}

/// An input that is in memory.
pub(super) fn of_octets(octets: &[u8], offset: u64) -> io::Result<Input<'_>> {
    let mut source = octets;
    look(&mut source)?.into_input(|front| passed(Box::new(Cursor::new(front).chain(source)), offset))
}

fn passed<'r>(mut source: Box<dyn Read + 'r>, offset: u64) -> io::Result<Box<dyn Read + 'r>> {
    io::copy(&mut source.by_ref().take(offset), &mut io::sink())?;
    Ok(source)
}

/// The front of an input: all of it if it is text.
struct Front {
    octets: Vec<u8>,
    text: bool,
}

/// Reads until it is clear whether the input is text.
fn look(source: &mut impl Read) -> io::Result<Front> {
    let mut octets = Vec::new();
    loop {
        let seen = octets.len();
        let read = read_once(source, &mut octets)?;
        let new = octets.get(seen..).unwrap_or_default();
        // Every second octet of ASCII in UTF-16 is 0.
        let wide = matches!(octets.as_slice(), [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
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

/// One read, with what came put behind what there is.
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
    fn into_input<'r>(self, binary: impl FnOnce(Vec<u8>) -> io::Result<Box<dyn Read + 'r>>) -> io::Result<Input<'r>> {
        let Self { octets, text } = self;
        if !text {
            return binary(octets).map(Input::Binary);
        }
        let (form, plain) = recognise(&octets);
        match form {
            Form::Pem => Ok(Input::Pem(plain.into_owned())),
            Form::Hex => Ok(decoded("hexadecimal", hex::decode(&plain))),
            Form::Base64 => Ok(decoded("base64", base64::decode_wrapped(&plain))),
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

/// A block of PEM.
pub(super) struct Block {
    pub(super) label: String,
    pub(super) line: usize,
    pub(super) octets: Vec<u8>,
}

/// The blocks of a text, or what is wrong with them.
pub(super) fn blocks(text: &[u8]) -> Vec<Result<Block, String>> {
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX.with(&Rule::PEM_HEADERS)));
    pem::blocks_with(text, &session)
        .map(|block| {
            let block = block.map_err(|error| error.to_string())?;
            let octets = block.decode().map_err(|error| error.to_string())?;
            Ok(Block { label: block.label().to_owned(), line: block.line(), octets })
        })
        .collect()
}
