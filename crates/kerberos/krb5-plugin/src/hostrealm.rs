//! Host-to-realm mapping and the default realm, for every program that uses libkrb5.

use std::ffi::CStr;

use crate::view::Context;
use crate::{Error, Result};

/// A host realm module. By default, each method defers to other modules.
///
/// ```
/// use std::ffi::CStr;
/// use tagwise_krb5_plugin::{Error, Result, hostrealm::Hostrealm, krb5_plugin, view::Context};
///
/// struct Laboratory;
///
/// impl Hostrealm for Laboratory {
///     fn init(_: &Context<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///
///     fn host_realm(&self, _: &Context<'_>, host: &CStr) -> Result<Vec<String>> {
///         match host.to_bytes().ends_with(b".lab.example") {
///             true => Ok(vec!["LAB.EXAMPLE".to_owned()]),
///             false => Err(Error::no_handle()),
///         }
///     }
/// }
///
/// krb5_plugin! { hostrealm "laboratory" => Laboratory }
/// ```
pub trait Hostrealm: Sized + Send + 'static {
    /// Initializes the module.
    ///
    /// # Errors
    ///
    /// On error, the module is not used.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Returns the realms of a host from trusted sources, most likely first.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] to defer to other modules. Any other error ends the lookup.
    fn host_realm(&self, _context: &Context<'_>, _host: &CStr) -> Result<Vec<String>> {
        Err(Error::no_handle())
    }

    /// Returns a host's realms by heuristics, for use after referrals have failed.
    ///
    /// # Errors
    ///
    /// The same as for [`host_realm`](Self::host_realm).
    fn fallback_realm(&self, _context: &Context<'_>, _host: &CStr) -> Result<Vec<String>> {
        Err(Error::no_handle())
    }

    /// Returns the default realms of this host.
    ///
    /// # Errors
    ///
    /// The same as for [`host_realm`](Self::host_realm).
    fn default_realm(&self, _context: &Context<'_>) -> Result<Vec<String>> {
        Err(Error::no_handle())
    }

    /// Finalizes the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
