//! Password checks: the trait, and a check using an external program.

mod program;
mod tokens;

use std::fmt;
use std::time::Duration;

use zeroize::Zeroizing;

pub use program::ProgramCheck;
pub use tokens::{Algorithm, Token, TokenCheck, TokenError, TokenKind, hotp};

/// A password, zeroized on drop and never displayed.
pub struct Password(Zeroizing<Vec<u8>>);

impl Password {
    /// Creates a password from bytes.
    #[must_use]
    pub fn new(bytes: impl Into<Zeroizing<Vec<u8>>>) -> Self {
        Self(bytes.into())
    }

    /// Returns the password's bytes.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// The result of a password check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The password is valid, and the account is usable.
    Accepted,
    /// The password is invalid, the account is locked, or the user does not exist.
    Rejected,
    /// The password could not be checked, for the given reason. The attempt is rejected, but is not counted as a failure.
    Unavailable(String),
}

/// A password check.
pub trait Check: Send + Sync {
    /// Checks a user's password. Returns a result within `time`.
    fn check(&self, user: &str, password: &Password, time: Duration) -> Verdict;
}
