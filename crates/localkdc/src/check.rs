//! Checks of passwords: the trait, and a program of its own that does one.

mod program;
mod tokens;

use std::fmt;
use std::time::Duration;

use zeroize::Zeroizing;

pub use program::ProgramCheck;
pub use tokens::{Algorithm, Token, TokenCheck, TokenError, TokenKind, hotp};

/// A password, wiped when it goes and never shown.
pub struct Password(Zeroizing<Vec<u8>>);

impl Password {
    /// Takes a password.
    #[must_use]
    pub fn new(bytes: impl Into<Zeroizing<Vec<u8>>>) -> Self {
        Self(bytes.into())
    }

    /// The bytes.
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

/// Verdict on a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The password is right, and the account may be used.
    Accepted,
    /// The password is wrong, the account is locked, or there is no such user.
    Rejected,
    /// The password could not be checked, for this reason. It counts as rejected, but not against the user.
    Unavailable(String),
}

/// A check of passwords.
pub trait Check: Send + Sync {
    /// Checks a user's password. It ends within `time`.
    fn check(&self, user: &str, password: &Password, time: Duration) -> Verdict;
}
