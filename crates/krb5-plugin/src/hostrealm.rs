//! Realms of hosts, and the default realm: libkrb5 asks in every program.

use std::ffi::CStr;

use crate::view::Context;
use crate::{Error, Result};

/// A module that knows realms. Each method defers unless it is written.
pub trait Hostrealm: Sized + Send + 'static {
    /// Starts the module.
    ///
    /// # Errors
    ///
    /// An error leaves the module out.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Returns the realms of a host by secure means, the likeliest first.
    ///
    /// # Errors
    ///
    /// [`Error::no_handle`] to defer; another error ends the look-up.
    fn host_realm(&self, _context: &Context<'_>, _host: &CStr) -> Result<Vec<String>> {
        Err(Error::no_handle())
    }

    /// Returns the realms of a host by guesses, which are used after referrals.
    ///
    /// # Errors
    ///
    /// As of [`host_realm`](Self::host_realm).
    fn fallback_realm(&self, _context: &Context<'_>, _host: &CStr) -> Result<Vec<String>> {
        Err(Error::no_handle())
    }

    /// Returns the default realms of this host.
    ///
    /// # Errors
    ///
    /// As of [`host_realm`](Self::host_realm).
    fn default_realm(&self, _context: &Context<'_>) -> Result<Vec<String>> {
        Err(Error::no_handle())
    }

    /// Ends the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
