//! Password quality checks, called by kadmind and kadmin.local before setting a password.

use std::ffi::CStr;

use crate::Result;
use crate::view::{Context, PrincipalRef};

/// A password to check.
#[derive(Clone)]
#[non_exhaustive]
pub struct Check<'a> {
    /// The password.
    pub password: &'a CStr,
    /// The name of the principal's policy.
    pub policy_name: Option<&'a CStr>,
    /// The principal.
    pub princ: PrincipalRef<'a>,
    /// The client's languages (RFC 5646), for the error message.
    pub languages: Vec<&'a CStr>,
}

impl std::fmt::Debug for Check<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Check");
        shown.field("princ", &self.princ).field("policy_name", &self.policy_name).finish_non_exhaustive()
    }
}

/// A password quality module. For an example, see the [crate documentation](crate).
pub trait Pwqual: Sized + Send + 'static {
    /// Opens the module, with the realm's dictionary file.
    ///
    /// # Errors
    ///
    /// On error, the server does not start. After [`Error::no_handle`](crate::Error::no_handle), it starts without the module.
    fn open(context: &Context<'_>, dict_file: Option<&CStr>) -> Result<Self>;

    /// Checks a password.
    ///
    /// # Errors
    ///
    /// Return `KADM5_PASS_Q_TOOSHORT`, `_CLASS`, `_DICT` or `_GENERIC`, with a message for the user, to reject the password.
    fn check(&self, context: &Context<'_>, check: &Check<'_>) -> Result<()>;

    /// Closes the module.
    fn close(&mut self, _context: &Context<'_>) {}
}
