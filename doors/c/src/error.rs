//! The error object.

use std::borrow::Cow;
use std::ffi::{CString, c_char};
use std::fmt;

use tagwise::codec::table::Typed as _;
use tagwise::codec::{Any, EncodeError, Error, Fault, pem};
#[cfg(feature = "full")]
use tagwise::tables::untagged;

/// Kinds of errors.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_error_kind {
    /// No error.
    None = 0,
    /// An argument is NULL where NULL is not allowed, or has an invalid value.
    Argument = 1,
    /// The input is not valid for the function. The error has a path, an offset and a clause.
    Input = 2,
    /// A value cannot be encoded.
    Encoding = 3,
    /// A signature, a digest or an authentication code is invalid.
    Signature = 4,
    /// A key cannot be used, or a password is wrong.
    Key = 5,
    /// An algorithm is not supported by the library or by the backend.
    Unsupported = 6,
    /// No valid certification path was found.
    Path = 7,
    /// A schema contains errors.
    Schema = 8,
    /// An internal error in the library. Please report it.
    Internal = 9,
    /// A service on the host is unreachable, or its reply is an error or invalid.
    Service = 10,
}

/// An error: kind, code, message, path, offset and clause. Immutable: threads may share it.
pub struct tagwise_error {
    kind: tagwise_error_kind,
    code: CString,
    message: CString,
    path: CString,
    clause: CString,
    offset: usize,
    bit: u64,
}

/// The position of an error in an input.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// No position: a value was being encoded.
    None,
    /// A byte.
    Byte(usize),
    /// A bit, under encoding rules without tags.
    #[cfg_attr(not(feature = "full"), allow(dead_code, reason = "these rules need schemas"))]
    Bit(u64),
}

/// An error before it is returned to the caller.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    kind: tagwise_error_kind,
    code: Cow<'static, str>,
    message: String,
    path: String,
    clause: &'static str,
    place: Place,
}

impl Problem {
    pub(crate) fn new(kind: tagwise_error_kind, code: &'static str, message: impl Into<String>) -> Self {
        Self { kind, code: code.into(), message: message.into(), path: String::new(), clause: "", place: Place::None }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(tagwise_error_kind::Argument, "argument", message)
    }

    /// Creates the error for an argument with an unknown name. `known` lists the known names.
    pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        Self::argument(format!("unknown {what} `{name}`; expected {known}"))
    }

    pub(crate) fn null(what: &str) -> Self {
        Self::argument(format!("{what} is NULL"))
    }

    pub(crate) fn internal(message: &str) -> Self {
        Self::new(tagwise_error_kind::Internal, "internal", format!("internal error in the library: {message}"))
    }

    /// Creates the error for a fault in an input of unknown type.
    pub(crate) fn fault(fault: Fault, input: &[u8], base: usize) -> Self {
        Error::locate_at(fault, Any::ty(), input, base).into()
    }

    /// Sets the error's offset.
    pub(crate) const fn at(mut self, offset: usize) -> Self {
        self.place = Place::Byte(offset);
        self
    }

    /// Replaces the error's message.
    pub(crate) fn saying(mut self, message: String) -> Self {
        self.message = message;
        self
    }

    /// Appends the cause to the error's message.
    pub(crate) fn because(mut self, cause: &dyn fmt::Display) -> Self {
        self.message = format!("{}: {cause}", self.message);
        self
    }

    /// Adds a component to the error's path.
    pub(crate) fn along(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// Creates the placeholder error for an object while its consuming setter is running.
    pub(crate) const fn unfinished() -> Self {
        let (kind, code) = (tagwise_error_kind::Internal, Cow::Borrowed("internal"));
        Self { kind, code, message: String::new(), path: String::new(), clause: "", place: Place::None }
    }

    /// Turns a setter's earlier error into the error that is reported when the object is used.
    pub(crate) fn after_setter(mut self) -> Self {
        self.message = format!("an earlier call failed on this object: {}", self.message);
        self
    }

    /// Sets the clause of the standard that the error cites.
    pub(crate) const fn clause(mut self, clause: &'static str) -> Self {
        self.clause = clause;
        self
    }

    /// Moves the error's offset by `base` bytes.
    pub(crate) fn moved(mut self, base: usize) -> Self {
        if let Place::Byte(offset) = &mut self.place {
            *offset = offset.saturating_add(base);
        }
        self
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self {
            kind: tagwise_error_kind::Input,
            code: error.code().into(),
            message: error.to_string(),
            path: error.path().to_owned(),
            clause: error.clause(),
            place: Place::Byte(error.offset()),
        }
    }
}

/// Converts a fault in content that was passed as an argument.
impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let kind = fault.kind();
        Self {
            kind: tagwise_error_kind::Input,
            code: kind.code().into(),
            message: format!("{}, at byte {} ({})", kind.text(), fault.offset(), kind.clause()),
            path: String::new(),
            clause: kind.clause(),
            place: Place::Byte(fault.offset()),
        }
    }
}

/// Converts a failure to write text to memory.
impl From<fmt::Error> for Problem {
    fn from(error: fmt::Error) -> Self {
        Self::internal(&format!("the text cannot be written: {error}"))
    }
}

impl From<EncodeError> for Problem {
    fn from(error: EncodeError) -> Self {
        Self {
            kind: tagwise_error_kind::Encoding,
            code: error.kind().code().into(),
            message: error.to_string(),
            path: error.path(),
            clause: error.kind().clause(),
            place: Place::None,
        }
    }
}

/// Converts an error under encoding rules without tags. A value to encode has no offset.
#[cfg(feature = "full")]
impl From<untagged::Error> for Problem {
    fn from(error: untagged::Error) -> Self {
        let is_encoding = error.bit().is_none();
        Self {
            kind: if is_encoding { tagwise_error_kind::Encoding } else { tagwise_error_kind::Input },
            code: error.code().into(),
            message: error.to_string(),
            clause: error.clause().unwrap_or_default(),
            place: error.bit().map_or(Place::None, Place::Bit),
            path: error.path().to_owned(),
        }
    }
}

impl From<pem::Error> for Problem {
    fn from(error: pem::Error) -> Self {
        Self {
            kind: tagwise_error_kind::Input,
            code: error.code().into(),
            message: error.to_string(),
            path: String::new(),
            clause: error.kind().clause(),
            place: Place::Byte(error.offset()),
        }
    }
}

impl From<pem::PemError> for Problem {
    fn from(error: pem::PemError) -> Self {
        match error {
            pem::PemError::Value(error) => error.into(),
            pem::PemError::Pem(error) => error.into(),
            other => Self::new(tagwise_error_kind::Input, "pem-missing", other.to_string()),
        }
    }
}

impl From<Problem> for tagwise_error {
    fn from(problem: Problem) -> Self {
        let (offset, bit) = match problem.place {
            Place::None => (usize::MAX, u64::MAX),
            Place::Byte(offset) => (offset, u64::MAX),
            Place::Bit(bit) => (usize::try_from(bit / 8).unwrap_or(usize::MAX), bit),
        };
        Self {
            kind: problem.kind,
            code: text(&problem.code),
            message: text(&problem.message),
            path: text(&problem.path),
            clause: text(problem.clause),
            offset,
            bit,
        }
    }
}

/// Converts text to a C string, truncated at the first NUL.
pub(crate) fn text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(text.get(..end).unwrap_or_default()).unwrap_or_default()
}

fn pointer(error: Option<&tagwise_error>, field: impl FnOnce(&tagwise_error) -> &CString) -> *const c_char {
    error.map_or(c"".as_ptr(), |error| field(error).as_ptr())
}

/// Frees an error; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_error_free(error: Option<Box<tagwise_error>>) {
    guard!(drop(error))
}

/// Returns the kind of an error, or TAGWISE_ERROR_KIND_NONE for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_error_get_kind(error: Option<&tagwise_error>) -> tagwise_error_kind {
    guard!(error.map_or(tagwise_error_kind::None, |error| error.kind))
}

impl crate::shield::Failed for tagwise_error_kind {
    const FAILED: Self = Self::None;
}

/// Returns an error's stable code, such as `integer-padded`, borrowed from the error.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_error_code(error: Option<&tagwise_error>) -> *const c_char {
    guard!(pointer(error, |error| &error.code))
}

/// Returns an error's full message, with path, offset and clause, borrowed from the error.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_error_message(error: Option<&tagwise_error>) -> *const c_char {
    guard!(pointer(error, |error| &error.message))
}

/// Returns the path to the faulty component, such as `tbsCertificate.validity.notAfter`, or an empty string. Borrowed from
/// the error.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_error_path(error: Option<&tagwise_error>) -> *const c_char {
    guard!(pointer(error, |error| &error.path))
}

/// Returns the relevant clause of the standard, or an empty string. Borrowed from the error.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_error_clause(error: Option<&tagwise_error>) -> *const c_char {
    guard!(pointer(error, |error| &error.clause))
}

/// Returns an error's byte offset in the input, or SIZE_MAX if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_error_offset(error: Option<&tagwise_error>) -> usize {
    guard!(error.map_or(usize::MAX, |error| error.offset))
}

/// Returns an error's offset in the input in bits, for PER, OER and XER, or UINT64_MAX if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_error_bit(error: Option<&tagwise_error>) -> u64 {
    guard!(error.map_or(u64::MAX, |error| error.bit))
}
