//! Stream errors: malformed input, or a failure of the underlying reader.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use std::io;

use super::Rules;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::tag::Tag;

/// The kind and position of an error, in a `Copy` type for use inside the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) kind: FaultKind,
    pub(super) detail: u8,
    pub(super) offset: u64,
}

impl Flaw {
    #[cold]
    pub(super) const fn new(kind: FaultKind, offset: u64) -> Self {
        Self { kind, detail: 0, offset }
    }

    /// Converts a fault in a part that starts at offset `base`.
    #[cold]
    pub(super) fn lift(fault: Fault, base: u64) -> Self {
        Self { kind: fault.kind(), detail: fault.detail(), offset: base.saturating_add(fault.offset() as u64) }
    }

    #[cold]
    pub(super) fn error(self, rules: Rules) -> Error {
        let clause = match (rules, self.kind) {
            (Rules::Cer, FaultKind::LengthNotMinimal) => "X.690 §9.1",
            (Rules::Cer, FaultKind::PrimitiveExpected) => "X.690 §9.2",
            // What BER itself leaves no choice about.
            (Rules::Ber, FaultKind::PrimitiveExpected) => "X.690 §8",
            (_, kind) => kind.clause(),
        };
        Error(Box::new(Inner { cause: Cause::Malformed(self, clause), path: String::new() }))
    }
}

/// A stream error.
///
/// For malformed input it has a kind, clause and absolute offset, like other errors of this crate. If the underlying
/// reader failed, it contains the reader's error. Input that ends inside an element is malformed: [`FaultKind::Truncated`]
/// at its end.
///
/// ```
/// use tagwise_codec::{FaultKind, stream::Events};
/// let mut events = Events::new(&b"\x30\x05\x02\x01"[..]);
/// let error = loop {
///     match events.next() {
///         Ok(event) => assert!(event.is_some()),
///         Err(error) => break error,
///     }
/// };
/// assert_eq!((error.kind(), error.offset()), (Some(FaultKind::Truncated), 4));
/// assert_eq!(error.to_string(), "the encoding ends inside an element, at byte 4 (X.690 §8.1.1)");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    cause: Cause,
    path: String,
}

enum Cause {
    Malformed(Flaw, &'static str),
    /// An error from strictly decoding one item. Its offsets are relative to the item, which was at the given offset.
    Item(crate::Error, u64),
    Io(io::Error, u64),
}

impl Error {
    #[cold]
    pub(super) fn io(error: io::Error, offset: u64) -> Self {
        Self(Box::new(Inner { cause: Cause::Io(error, offset), path: String::new() }))
    }

    /// Creates the error for an item that starts at offset `base`.
    #[cold]
    pub(super) fn item(error: crate::Error, base: u64) -> Self {
        let path = String::from(error.path());
        Self(Box::new(Inner { cause: Cause::Item(error, base), path }))
    }

    /// Prepends a path to the error's own.
    #[cold]
    pub(super) fn below(mut self, outer: &str) -> Self {
        let inner = core::mem::take(&mut self.0.path);
        let joined = if inner.is_empty() || outer.is_empty() || inner.starts_with('[') { "" } else { "." };
        self.0.path = [outer, joined, &inner].concat();
        self
    }

    /// Returns the kind of error in the input. `None` if the reader failed.
    #[must_use]
    pub fn kind(&self) -> Option<FaultKind> {
        match &self.0.cause {
            Cause::Malformed(flaw, _) => Some(flaw.kind),
            Cause::Item(error, _) => Some(error.kind()),
            Cause::Io(..) => None,
        }
    }

    /// Returns the absolute byte offset of the error. If the reader failed, the number of bytes read before the failure.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match &self.0.cause {
            Cause::Malformed(flaw, _) => flaw.offset,
            Cause::Item(error, base) => base.saturating_add(error.offset() as u64),
            Cause::Io(_, offset) => *offset,
        }
    }

    /// Returns the stable code, or `io` if the reader failed.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &self.0.cause {
            Cause::Malformed(flaw, _) => flaw.kind.code(),
            Cause::Item(error, _) => error.code(),
            Cause::Io(..) => "io",
        }
    }

    /// Returns the violated clause of the standard. Empty if the reader failed.
    #[must_use]
    pub fn clause(&self) -> &'static str {
        match &self.0.cause {
            Cause::Malformed(_, clause) => clause,
            Cause::Item(error, _) => error.clause(),
            Cause::Io(..) => "",
        }
    }

    /// Returns the path to the component at fault, if its type is known. Otherwise empty.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Returns whether the input ended inside an element, for example after an interrupted transfer.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.kind() == Some(FaultKind::Truncated)
    }

    /// Returns the underlying reader's error, if it failed.
    #[must_use]
    pub fn as_io(&self) -> Option<&io::Error> {
        match &self.0.cause {
            Cause::Io(error, _) => Some(error),
            _ => None,
        }
    }

    /// Returns the error message, without path and offset.
    #[must_use]
    pub fn message(&self) -> impl fmt::Display + '_ {
        Message(self)
    }
}

struct Message<'e>(&'e Error);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.0.cause {
            // The detail is the identifier octet of a string's segments.
            Cause::Malformed(flaw, _) if flaw.kind == FaultKind::UnexpectedTag => {
                write!(f, "expected {}, as a segment of the string", Tag::from_low_octet(flaw.detail))
            }
            Cause::Malformed(flaw, _) => f.write_str(flaw.kind.text()),
            Cause::Item(error, _) => error.message().fmt(f),
            Cause::Io(error, _) => write!(f, "the input cannot be read: {error}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        write!(f, "{}, at byte {}", self.message(), self.offset())?;
        if self.clause().is_empty() { Ok(()) } else { write!(f, " ({})", self.clause()) }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0.cause {
            Cause::Io(error, _) => Some(error),
            Cause::Item(error, _) => Some(error),
            Cause::Malformed(..) => None,
        }
    }
}

/// Converts to the underlying reader's error, if it failed. Malformed input becomes `InvalidData`, or `UnexpectedEof` if it is
/// truncated.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = if error.is_truncated() { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData };
        match *error.0 {
            Inner { cause: Cause::Io(error, _), .. } => error,
            inner => io::Error::new(kind, Error(Box::new(inner))),
        }
    }
}
