//! Authorization of kadmin operations.
//!
//! An operation is allowed if at least one module allows it and none denies it. A method returns success to allow,
//! [`Error::no_handle`] for no opinion (the default), and any other error to deny.

use std::ffi::CStr;
use std::time::Duration;

use crate::view::{Context, PolicyRef, PrincipalEntryRef, PrincipalRef};
use crate::{Error, Result};

/// Restrictions on an added or modified principal. `None` leaves a field as requested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restrictions {
    /// The attribute bits to set and to clear (`KRB5_KDB_*`).
    pub attributes: Option<(u32, u32)>,
    /// The maximum time until the principal expires.
    pub princ_lifetime: Option<Duration>,
    /// The maximum time until the password expires.
    pub pw_lifetime: Option<Duration>,
    /// The maximum ticket lifetime.
    pub max_life: Option<Duration>,
    /// The maximum renewable lifetime.
    pub max_renewable_life: Option<Duration>,
    /// The policy.
    pub policy: Option<PolicyRestriction>,
}

/// A restriction on a principal's policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyRestriction {
    /// The principal must have this policy.
    Named(String),
    /// The principal must have no policy.
    Cleared,
}

/// A kadmin authorization module.
///
/// ```
/// use std::ffi::CStr;
/// use tagwise_krb5_plugin::kadm5_auth::Kadm5Auth;
/// use tagwise_krb5_plugin::view::{Context, PrincipalRef};
/// use tagwise_krb5_plugin::{Error, Result, krb5_plugin};
///
/// struct Protected;
///
/// impl Kadm5Auth for Protected {
///     fn init(_: &Context<'_>, _: Option<&CStr>) -> Result<Self> {
///         Ok(Self)
///     }
///
///     /// Nobody deletes `host/...`; of others the ACL decides.
///     fn delprinc(&self, _: &Context<'_>, _: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
///         match target.components().next() {
///             Some(b"host") => Err(Error::denied("hosts are not deleted")),
///             _ => Err(Error::no_handle()),
///         }
///     }
/// }
///
/// krb5_plugin! { kadm5_auth "protected" => Protected }
/// ```
#[expect(unused_variables, reason = "names of arguments are documentation")]
pub trait Kadm5Auth: Sized + Send + 'static {
    /// Initializes the module with the realm's ACL file.
    ///
    /// # Errors
    ///
    /// On error, kadmind does not start. After [`Error::no_handle`], it starts without the module.
    fn init(context: &Context<'_>, acl_file: Option<&CStr>) -> Result<Self>;

    /// Decides whether `client` may add a principal.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn addprinc(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
        entry: PrincipalEntryRef<'_>,
    ) -> Result<Option<Restrictions>> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may modify a principal.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn modprinc(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
        entry: PrincipalEntryRef<'_>,
    ) -> Result<Option<Restrictions>> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may set a string attribute, or delete it if `value` is `None`.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn setstr(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
        key: &CStr,
        value: Option<&CStr>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may set the target's keys.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn setkey(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may change the target's password.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn cpw(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may replace the target's keys with random ones.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn chrand(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may delete the target's old keys.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn purgekeys(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may delete a principal.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn delprinc(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may read a principal.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn getprinc(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may read the target's string attributes.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn getstrs(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may extract the target's keys.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn extract(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may rename a principal.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn renprinc(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        src: PrincipalRef<'_>,
        dest: PrincipalRef<'_>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may list principals.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn listprincs(&self, context: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may list policies.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn listpols(&self, context: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may replicate the database (incremental propagation).
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn iprop(&self, context: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may add a policy.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn addpol(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        policy: &CStr,
        entry: PolicyRef<'_>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may modify a policy.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn modpol(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        policy: &CStr,
        entry: PolicyRef<'_>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may delete a policy.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn delpol(&self, context: &Context<'_>, client: PrincipalRef<'_>, policy: &CStr) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may read a policy. `client_policy` is the name of the client's own policy.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn getpol(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        policy: &CStr,
        client_policy: Option<&CStr>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Decides whether `client` may create an alias (1.22 and later).
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] for no opinion, or another error to deny the operation.
    fn addalias(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        alias: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Called after the most recently authorized operation. May also be called without a preceding operation.
    fn end(&self, context: &Context<'_>) {}

    /// Finalizes the module.
    fn fini(&mut self, context: &Context<'_>) {}
}
