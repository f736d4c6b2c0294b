//! `tagwise dump`: prints the elements of any input as a tree, up to the first error.
//!
//! Binary input is streamed in constant memory. Only text is held in memory, and only small inputs are recognized as text.
//! `render::dump` defines how an element looks. This module walks the input and is independent of the output format.

pub(crate) mod args;
mod input;
mod json;
mod text;
mod value;
mod walk;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tagwise_codec::FaultKind;
use tagwise_codec::stream::{Error, Rules};
use tagwise_input::stream::{Input, blocks};
use tagwise_pkix::name::visible;

use self::json::Json;
use self::text::Text;
use crate::shared::outcome::{Outcome, unreadable};
use crate::shared::output::name_of;

pub(crate) use value::{Meaning, meaning};
pub(crate) use walk::{Content, Element, Sink};

/// Settings of a dump.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The files to dump; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// The encoding rules of the input.
    pub rules: Rules,
    /// True to print JSON lines instead of text.
    pub json: bool,
    /// True to color the text.
    pub color: bool,
    /// True to print long values in full.
    pub full: bool,
    /// The offset at which to start. Earlier bytes are skipped.
    pub offset: u64,
    /// The maximum depth of displayed elements. Deeper elements are still checked.
    pub depth: usize,
    /// True to also show values in private key blocks.
    pub secrets: bool,
}

/// An error in an input, for the sink.
pub(crate) struct Fault<'f> {
    pub(crate) error: &'f Error,
    /// The bytes around the error, if they are still available and may be shown.
    pub(crate) excerpt: Option<String>,
    /// True if less strict rules may accept the rest of the input.
    pub(crate) ber_may_help: bool,
}

impl Dump {
    /// Dumps all files: the elements to `out`, and the reasons for a non-zero exit code to `err`.
    ///
    /// # Errors
    /// Returns an error if writing fails. Unreadable files are part of the outcome.
    pub fn run(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        if self.json {
            self.all(&mut Json::new(out, self.full), err)
        } else {
            self.all(&mut Text::new(out, self.color, self.full), err)
        }
    }

    /// Dumps bytes in memory, in the same format as [`Dump::run`]. No file is read.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn octets(&self, octets: &[u8], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        let path = Path::new("-");
        let input = || input::of_octets(octets, self.offset);
        if self.json {
            self.file(path, input(), &mut Json::new(out, self.full), err)
        } else {
            self.file(path, input(), &mut Text::new(out, self.color, self.full), err)
        }
    }

    fn all(&self, sink: &mut impl Sink, err: &mut dyn Write) -> io::Result<Outcome> {
        let mut outcome = Outcome::default();
        for path in &self.files {
            let one = self.file(path, input::open(path, self.offset), sink, err)?;
            outcome.negative |= one.negative;
            outcome.unreadable |= one.unreadable;
            outcome.undecided |= one.undecided;
        }
        Ok(outcome)
    }

    fn file(
        &self,
        path: &Path,
        input: io::Result<Input<'_>>,
        sink: &mut impl Sink,
        err: &mut dyn Write,
    ) -> io::Result<Outcome> {
        let name = name_of(path);
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                let line = unreadable(&error);
                sink.unreadable(path, &line)?;
                sink.flush()?;
                writeln!(err, "tagwise: {name}: {line}")?;
                return Ok(Outcome { unreadable: true, ..Outcome::default() });
            }
        };
        let heading = (self.files.len() > 1).then_some(name.as_str());
        sink.file(path, heading, input.form(), self.rules)?;
        let ended = self.one(input, sink)?;
        if ended.is_none() {
            sink.done()?;
        }
        sink.flush()?;
        let outcome = Outcome::default();
        let (line, outcome) = match ended {
            None => return Ok(outcome),
            Some(Ended::Malformed(line)) => (line, Outcome { negative: true, ..outcome }),
            Some(Ended::Limited(line)) => (line, Outcome { undecided: true, ..outcome }),
            Some(Ended::Unreadable(line)) => (line, Outcome { unreadable: true, ..outcome }),
        };
        writeln!(err, "tagwise: {name}: {}", visible(&line))?;
        Ok(outcome)
    }

    /// Dumps one input. Returns the reason if it ended early.
    fn one(&self, input: Input<'_>, sink: &mut impl Sink) -> io::Result<Option<Ended>> {
        let mut walk = walk::Walk { dump: self, sink, hidden: false };
        match input {
            Input::Binary(source) => walk.stream(source, self.offset),
            Input::Decoded { octets, .. } => {
                let passed = usize::try_from(self.offset).unwrap_or(usize::MAX).min(octets.len());
                walk.stream(octets.get(passed..).unwrap_or_default(), passed as u64)
            }
            Input::Pem(text) => {
                let blocks = blocks(&text);
                if blocks.is_empty() {
                    let line = "no PEM block found".to_owned();
                    walk.sink.wrong(&line)?;
                    return Ok(Some(Ended::Malformed(line)));
                }
                let mut ended = None;
                for block in blocks {
                    let block = match block {
                        Ok(block) => block,
                        Err(problem) => {
                            let line = problem.line();
                            walk.sink.wrong(&line)?;
                            ended = ended.or(Some(Ended::Malformed(line)));
                            continue;
                        }
                    };
                    walk.hidden = tagwise_input::secret::is_secret_label(&block.label) && !self.secrets;
                    walk.sink.block(&block.label, block.line)?;
                    let end = walk.stream(&block.octets[..], 0)?;
                    ended = ended.or(end);
                }
                Ok(ended)
            }
            Input::Wrong { line, .. } => {
                walk.sink.wrong(&line)?;
                Ok(Some(Ended::Malformed(line)))
            }
        }
    }
}

/// The reason why a dump ended before the end of the input.
pub(crate) enum Ended {
    Malformed(String),
    /// A limit was exceeded.
    Limited(String),
    Unreadable(String),
}

/// Returns whether BER accepts an input that DER or CER rejects with this kind of error.
pub(crate) const fn ber_may_help(rules: Rules, kind: FaultKind) -> bool {
    !matches!(rules, Rules::Ber)
        && matches!(
            kind,
            FaultKind::LengthIndefinite
                | FaultKind::LengthNotMinimal
                | FaultKind::PrimitiveExpected
                | FaultKind::BooleanValue
                | FaultKind::BitStringPadding
                | FaultKind::TimeForm
                | FaultKind::RealNotCanonical
                | FaultKind::IndefiniteExpected
                | FaultKind::SegmentSize
        )
}
