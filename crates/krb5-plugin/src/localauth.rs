//! Local accounts: whether a principal may log in to one, and which one is its own.

use std::ffi::CStr;

use crate::view::{Context, PrincipalRef};
use crate::{Error, Result, codes};

/// A module for local accounts. Each method defers unless it is written.
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
    /// Types of `auth_to_local` values that [`an2ln`](Self::an2ln) is asked for, in upper case, sixteen at most. With none it is asked always.
    const AN2LN_TYPES: &'static [&'static CStr] = &[];

    /// Starts the module.
    ///
    /// # Errors
    ///
    /// An error leaves the module out.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Succeeds if the principal may log in to the account.
    ///
    /// # Errors
    ///
    /// [`Error::no_handle`] to defer, [`Error::denied`] to deny; another error denies as well.
    fn userok(&self, _context: &Context<'_>, _aname: PrincipalRef<'_>, _lname: &CStr) -> Result<()> {
        Err(Error::no_handle())
    }

    /// Returns the account of a principal.
    ///
    /// # Errors
    ///
    /// `KRB5_LNAME_NOTRANS` if there is none; another error ends the look-up.
    fn an2ln(&self, _context: &Context<'_>, _asked: An2ln<'_>) -> Result<String> {
        Err(codes::KRB5_LNAME_NOTRANS.into())
    }

    /// Ends the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}

/// A question for the account of a principal.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct An2ln<'a> {
    /// The principal.
    pub aname: PrincipalRef<'a>,
    /// The type of the `auth_to_local` value, if the module has types.
    pub kind: Option<&'a CStr>,
    /// The text behind the type.
    pub residual: Option<&'a CStr>,
}
