//! Local accounts: whether a principal may log in to an account, and which account it maps to.

use std::ffi::CStr;

use crate::view::{Context, PrincipalRef};
use crate::{Error, Result, codes};

/// A local account module. By default, each method defers to other modules.
///
/// ```
/// use tagwise_krb5_plugin::localauth::{An2ln, Localauth};
/// use tagwise_krb5_plugin::{Result, codes, krb5_plugin, view::Context};
///
/// struct Prefixed;
///
/// impl Localauth for Prefixed {
///     fn init(_: &Context<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///
///     /// `ann@LAB.EXAMPLE` has the account `lab-ann`.
///     fn an2ln(&self, _: &Context<'_>, asked: An2ln<'_>) -> Result<String> {
///         let mut components = asked.aname.components();
///         match (asked.aname.realm(), components.next(), components.next()) {
///             (b"LAB.EXAMPLE", Some(name), None) => Ok(format!("lab-{}", String::from_utf8_lossy(name))),
///             _ => Err(codes::KRB5_LNAME_NOTRANS.into()),
///         }
///     }
/// }
///
/// krb5_plugin! { localauth "prefixed" => Prefixed }
/// ```
pub trait Localauth: Sized + Send + 'static {
    /// The uppercase types of `auth_to_local` values for which [`an2ln`](Self::an2ln) is called, at most sixteen. If
    /// empty, it is always called.
    const AN2LN_TYPES: &'static [&'static CStr] = &[];

    /// Initializes the module.
    ///
    /// # Errors
    ///
    /// On error, the module is not used.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Checks whether a principal may log in to an account. Success allows the login.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] to defer to other modules, or [`Error::denied`] or any other error to deny the login.
    fn userok(&self, _context: &Context<'_>, _aname: PrincipalRef<'_>, _lname: &CStr) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Returns the account name of a principal.
    ///
    /// # Errors
    ///
    /// Return `KRB5_LNAME_NOTRANS` if the principal has no account. Any other error ends the lookup.
    fn an2ln(&self, _context: &Context<'_>, _asked: An2ln<'_>) -> Result<String> {
        Err(codes::KRB5_LNAME_NOTRANS.into())
    }

    /// Finalizes the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}

/// A request for a principal's account name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct An2ln<'a> {
    /// The principal.
    pub aname: PrincipalRef<'a>,
    /// The type of the `auth_to_local` value, if the module defines types.
    pub kind: Option<&'a CStr>,
    /// The text after the type in the `auth_to_local` value.
    pub residual: Option<&'a CStr>,
}
