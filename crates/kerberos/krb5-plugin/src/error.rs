//! Errors from a module's methods: an MIT error code with a message.

use std::fmt;

use crate::codes;
use tagwise_krb5_plugin_sys::link::Missing;

/// The result of a module's method.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// An MIT error code, with a message for logs and users.
///
/// ```
/// use tagwise_krb5_plugin::{Error, codes};
/// let error = Error::new(codes::KADM5_PASS_Q_DICT, "the password is a word");
/// assert_eq!(error.code(), codes::KADM5_PASS_Q_DICT);
/// assert_eq!(error.to_string(), "the password is a word");
/// // An error is never taken for success.
/// assert_ne!(Error::from(0).code(), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: i32,
    message: Option<String>,
}

impl Error {
    /// Creates an error with a message.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..Self::from(code) }
    }

    /// Creates the error with which a module defers to other modules.
    #[must_use]
    pub fn no_handle() -> Self {
        Self::from(codes::KRB5_PLUGIN_NO_HANDLE)
    }

    /// Creates the error with which a module definitively denies a request (`EPERM`).
    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(libc::EPERM, message)
    }

    /// Returns the error code, which is never 0.
    #[must_use]
    pub const fn code(&self) -> i32 {
        self.code
    }

    /// Returns the message, if any.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl From<i32> for Error {
    fn from(code: i32) -> Self {
        Self { code: if code == 0 { codes::KRB5KRB_ERR_GENERIC } else { code }, message: None }
    }
}

impl From<Missing> for Error {
    fn from(missing: Missing) -> Self {
        Self::new(codes::KRB5_PLUGIN_OP_NOTSUPP, missing.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => f.write_str(message),
            None => write!(f, "Kerberos error {}", self.code),
        }
    }
}

impl std::error::Error for Error {}
