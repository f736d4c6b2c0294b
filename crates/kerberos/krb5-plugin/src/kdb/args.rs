//! Method arguments.

use std::borrow::Cow;
use std::ffi::CStr;
use std::fmt;

use tagwise_codec::UnixTime;

use super::{Flags, KeyData, Salt};
use crate::kadm5_hook::KeySalt;
use crate::view::{
    AddressRef, Context, DbEntryRef, KeyDataRef, KeyRef, PaData, PacRef, PrincipalRef, RequestRef, TicketRef,
};
use crate::{Error, Result, codes};

/// The kind of program that opens a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// A KDC.
    Kdc,
    /// A kadmin program.
    Admin,
    /// Another program.
    Other,
}

/// A database's configuration and command-line arguments.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    pub(crate) section: &'a CStr,
    pub(crate) db_args: Vec<&'a CStr>,
    pub(crate) mode: i32,
}

impl<'a> Settings<'a> {
    /// Returns the `[dbmodules]` section of the database.
    #[must_use]
    pub fn section(&self) -> &'a CStr {
        self.section
    }

    /// Returns the database arguments from the command line (`-x`), such as `temporary`.
    #[must_use]
    pub fn db_args(&self) -> &[&'a CStr] {
        &self.db_args
    }

    /// Replaces the database arguments.
    #[must_use]
    pub fn with_db_args(mut self, db_args: Vec<&'a CStr>) -> Self {
        self.db_args = db_args;
        self
    }

    /// True if the database is opened read-only.
    #[must_use]
    pub fn read_only(&self) -> bool {
        self.mode & 1 != 0
    }

    /// Returns the program that opens the database.
    #[must_use]
    pub fn server(&self) -> Server {
        match self.mode & 0x700 {
            0x100 => Server::Kdc,
            0x200 => Server::Admin,
            _ => Server::Other,
        }
    }

    /// Returns the values of a relation in the database's section.
    ///
    /// # Errors
    ///
    /// Returns an error if the configuration cannot be read. A missing relation is not an error, and has no values.
    pub fn relation(&self, context: &Context<'_>, name: &str) -> Result<Vec<String>> {
        context.configured(&["dbmodules", &self.section.to_string_lossy(), name])
    }

    /// Returns the value of a required relation in the database's section.
    ///
    /// # Errors
    ///
    /// Returns an error that names the relation if it is missing.
    pub fn required(&self, context: &Context<'_>, name: &str) -> Result<String> {
        self.relation(context, name)?.into_iter().next().ok_or_else(|| {
            let section = self.section.to_string_lossy();
            Error::new(libc::EINVAL, format!("[dbmodules] {section}: missing relation `{name}`"))
        })
    }
}

/// A policy denial.
#[derive(Clone, Debug)]
pub struct Denial {
    /// The error to send to the client.
    pub error: Error,
    /// A short uppercase status text for the KDC's log.
    pub status: Cow<'static, CStr>,
    /// Preauthentication data for the client.
    pub e_data: Vec<PaData>,
}

impl From<Error> for Denial {
    fn from(error: Error) -> Self {
        Self { error, status: Cow::Borrowed(c"DENIED_BY_DATABASE"), e_data: Vec::new() }
    }
}

impl Denial {
    /// Creates a denial with `KRB5KDC_ERR_POLICY`.
    #[must_use]
    pub fn policy(status: &'static CStr) -> Self {
        let error = Error::from(codes::KRB5KDC_ERR_POLICY);
        Self { error, status: Cow::Borrowed(status), e_data: Vec::new() }
    }
}

/// An AS request to check against the policy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AsPolicy<'a> {
    /// The request.
    pub request: RequestRef<'a>,
    /// The client's entry.
    pub client: DbEntryRef<'a>,
    /// The server's entry.
    pub server: DbEntryRef<'a>,
    /// The KDC's current time.
    pub kdc_time: UnixTime,
}

/// A TGS request to check against the policy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TgsPolicy<'a> {
    /// The request.
    pub request: RequestRef<'a>,
    /// The server's entry.
    pub server: DbEntryRef<'a>,
    /// The ticket in the request.
    pub ticket: TicketRef<'a>,
}

/// A completed AS request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AsAudit<'a> {
    /// The request.
    pub request: RequestRef<'a>,
    /// The KDC's address.
    pub local_addr: Option<AddressRef<'a>>,
    /// The client's address.
    pub remote_addr: Option<AddressRef<'a>>,
    /// The client's entry, if any.
    pub client: Option<DbEntryRef<'a>>,
    /// The server's entry, if any.
    pub server: Option<DbEntryRef<'a>>,
    /// The authentication time.
    pub authtime: UnixTime,
    /// The error code, or 0 for success.
    pub error_code: i32,
}

/// A ticket for which a PAC is to be issued.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct IssuePac<'a> {
    /// The flags that describe the request.
    pub flags: Flags,
    /// The client's entry, if it is in the database.
    pub client: Option<DbEntryRef<'a>>,
    /// The reply key, if preauthentication replaced the client's key.
    pub replaced_reply_key: Option<KeyRef<'a>>,
    /// The server's entry.
    pub server: DbEntryRef<'a>,
    /// The entry of the ticket-granting service whose key signed the old PAC.
    pub signing_krbtgt: Option<DbEntryRef<'a>>,
    /// The authentication time.
    pub authtime: UnixTime,
    /// The PAC in the request's ticket, if any.
    pub old_pac: Option<PacRef<'a>>,
    /// The authentication indicators.
    pub auth_indicators: Vec<&'a [u8]>,
}

/// A password change.
#[derive(Clone)]
#[non_exhaustive]
pub struct ChangePwd<'a> {
    /// The master key.
    pub master_key: Option<KeyRef<'a>>,
    /// The key and salt types.
    pub ks_tuple: Vec<KeySalt>,
    /// The password.
    pub passwd: &'a CStr,
    /// The key version of the new keys.
    pub new_kvno: i32,
    /// True if old keys are kept.
    pub keepold: bool,
    /// The entry.
    pub entry: DbEntryRef<'a>,
}

impl fmt::Debug for ChangePwd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangePwd")
            .field("entry", &self.entry)
            .field("new_kvno", &self.new_kvno)
            .finish_non_exhaustive()
    }
}

/// The criteria for finding a key in an entry.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KeySearch<'a> {
    /// The entry.
    pub entry: DbEntryRef<'a>,
    /// The index at which to start.
    pub start: usize,
    /// The encryption type, or `None` for any.
    pub ktype: Option<i32>,
    /// The salt type, or `None` for any.
    pub stype: Option<i32>,
    /// The key version, or `None` for the newest.
    pub kvno: Option<i32>,
}

/// A decrypted key and its salt, either of which may be missing.
pub type Decrypted = (Option<crate::view::Keyblock>, Option<Salt>);

/// A key to encrypt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Encrypt<'a> {
    /// The master key.
    pub master_key: Option<KeyRef<'a>>,
    /// The key.
    pub key: KeyRef<'a>,
    /// The salt.
    pub salt: Option<Salt>,
    /// The key version.
    pub kvno: u16,
}

/// A key to decrypt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decrypt<'a> {
    /// The master key, or `None` to try all.
    pub master_key: Option<KeyRef<'a>>,
    /// The encrypted key.
    pub key_data: KeyDataRef<'a>,
}

/// Delegation to be checked against the delegating server's rules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Delegation<'a> {
    /// The user on whose behalf the server acts, or `None` to check whether the server may delegate at all.
    pub client: Option<PrincipalRef<'a>>,
    /// The entry of the delegating server.
    pub server: DbEntryRef<'a>,
    /// The target, or `None` to check whether the server may delegate at all.
    pub proxy: Option<PrincipalRef<'a>>,
}

/// Delegation to be checked against the target's rules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DelegationFrom<'a> {
    /// The user on whose behalf the server acts.
    pub client: PrincipalRef<'a>,
    /// The delegating server.
    pub server: PrincipalRef<'a>,
    /// The server's verified PAC.
    pub server_pac: Option<PacRef<'a>>,
    /// The target's entry.
    pub proxy: DbEntryRef<'a>,
}

/// All keys of an entry after a change.
pub type Keys = Vec<KeyData>;
