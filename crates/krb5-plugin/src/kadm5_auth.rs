//! Authorization of kadmin's operations.
//!
//! An operation is allowed if one module allows it and none denies it. So each method here succeeds to allow, returns
//! [`Error::no_handle`] to have no opinion, which is the default, and any other error to deny.

use std::ffi::CStr;
use std::time::Duration;

use crate::view::{Context, PolicyRef, PrincipalEntryRef, PrincipalRef};
use crate::{Error, Result};

/// Restrictions on a principal that is added or modified. `None` leaves a field as it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restrictions {
    /// Attributes that are set, and those that are cleared, as bits (`KRB5_KDB_*`).
    pub attributes: Option<(u32, u32)>,
    /// Longest time until the principal expires.
    pub princ_lifetime: Option<Duration>,
    /// Longest time until the password expires.
    pub pw_lifetime: Option<Duration>,
    /// Longest life of a ticket.
    pub max_life: Option<Duration>,
    /// Longest time of renewals.
    pub max_renewable_life: Option<Duration>,
    /// The policy.
    pub policy: Option<PolicyRestriction>,
}

/// A restriction on a principal's policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyRestriction {
    /// The principal must have this policy.
    Named(String),
    /// The principal must have none.
    Cleared,
}

/// A module that authorizes.
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
    /// Starts the module, with the realm's ACL file.
    ///
    /// # Errors
    ///
    /// An error keeps kadmind from starting; [`Error::no_handle`] leaves the module out.
    fn init(context: &Context<'_>, acl_file: Option<&CStr>) -> Result<Self>;

    /// Judges whether `client` adds a principal.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn addprinc(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
        entry: PrincipalEntryRef<'_>,
    ) -> Result<Option<Restrictions>> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` modifies a principal.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn modprinc(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
        entry: PrincipalEntryRef<'_>,
    ) -> Result<Option<Restrictions>> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` sets a string attribute, or deletes it if there is no value.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
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

    /// Judges whether `client` sets keys.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn setkey(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` changes a password.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn cpw(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` makes keys random.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn chrand(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` purges old keys.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn purgekeys(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` deletes a principal.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn delprinc(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` gets a principal.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn getprinc(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` gets string attributes.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn getstrs(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` extracts keys.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn extract(&self, context: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` renames a principal.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn renprinc(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        src: PrincipalRef<'_>,
        dest: PrincipalRef<'_>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` lists principals.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn listprincs(&self, context: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` lists policies.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn listpols(&self, context: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` propagates the database.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn iprop(&self, context: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` adds a policy.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn addpol(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        policy: &CStr,
        entry: PolicyRef<'_>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` modifies a policy.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn modpol(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        policy: &CStr,
        entry: PolicyRef<'_>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` deletes a policy.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn delpol(&self, context: &Context<'_>, client: PrincipalRef<'_>, policy: &CStr) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` gets a policy; `client_policy` is its own.
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn getpol(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        policy: &CStr,
        client_policy: Option<&CStr>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Judges whether `client` makes an alias (1.22 and later).
    ///
    /// # Errors
    ///
    /// No opinion, or a denial.
    fn addalias(
        &self,
        context: &Context<'_>,
        client: PrincipalRef<'_>,
        alias: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
    ) -> Result<()> {
        Err(Error::no_handle())
    }

    /// The operation that was authorized last has ended. It may be called without one.
    fn end(&self, context: &Context<'_>) {}

    /// Ends the module.
    fn fini(&mut self, context: &Context<'_>) {}
}
