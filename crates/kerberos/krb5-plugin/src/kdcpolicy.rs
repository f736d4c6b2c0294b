//! KDC policies, which decide whether to grant a request and for how long.

use std::ffi::CStr;
use std::time::Duration;

use crate::view::{Context, DbEntryRef, RequestRef, TicketRef};
use crate::{Error, Result};

/// The maximum lifetimes of a granted ticket. `None` selects the KDC's limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The maximum ticket lifetime.
    pub lifetime: Option<Duration>,
    /// The maximum renewable lifetime.
    pub renew_lifetime: Option<Duration>,
}

/// The denial of a request.
#[derive(Clone, Debug)]
pub struct Denial {
    /// The error sent to the client.
    pub error: Error,
    /// A short uppercase status text for the KDC's log.
    pub status: &'static CStr,
}

impl From<Error> for Denial {
    fn from(error: Error) -> Self {
        Self { error, status: c"DENIED_BY_PLUGIN" }
    }
}

/// An AS request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AsCheck<'a> {
    /// The request.
    pub request: RequestRef<'a>,
    /// The client's entry.
    pub client: DbEntryRef<'a>,
    /// The server's entry.
    pub server: DbEntryRef<'a>,
    /// The authentication indicators.
    pub auth_indicators: Vec<&'a CStr>,
}

/// A TGS request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TgsCheck<'a> {
    /// The request.
    pub request: RequestRef<'a>,
    /// The server's entry.
    pub server: DbEntryRef<'a>,
    /// The ticket in the request.
    pub ticket: TicketRef<'a>,
    /// The authentication indicators.
    pub auth_indicators: Vec<&'a CStr>,
}

/// A KDC policy module. By default, each method grants the request.
///
/// ```
/// use std::time::Duration;
/// use tagwise_krb5_plugin::kdcpolicy::{AsCheck, Denial, Kdcpolicy, Limits};
/// use tagwise_krb5_plugin::{Result, krb5_plugin, view::Context};
///
/// struct Visitors;
///
/// impl Kdcpolicy for Visitors {
///     fn init(_: &Context<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///
///     /// Tickets of principals with the string attribute `visitor` live for ten minutes.
///     fn check_as(&self, _: &Context<'_>, check: &AsCheck<'_>) -> Result<Limits, Denial> {
///         let lifetime = check.client.string("visitor").map(|_| Duration::from_secs(600));
///         Ok(Limits { lifetime, renew_lifetime: lifetime })
///     }
/// }
///
/// krb5_plugin! { kdcpolicy "visitors" => Visitors }
/// ```
pub trait Kdcpolicy: Sized + Send + 'static {
    /// Initializes the module.
    ///
    /// # Errors
    ///
    /// On error, the KDC does not start. After [`Error::no_handle`], it starts without the module.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Checks an AS request.
    ///
    /// # Errors
    ///
    /// Return a [`Denial`] to reject the request.
    fn check_as(&self, _context: &Context<'_>, _check: &AsCheck<'_>) -> Result<Limits, Denial> {
        Ok(Limits::default())
    }

    /// Checks a TGS request.
    ///
    /// # Errors
    ///
    /// Return a [`Denial`] to reject the request.
    fn check_tgs(&self, _context: &Context<'_>, _check: &TgsCheck<'_>) -> Result<Limits, Denial> {
        Ok(Limits::default())
    }

    /// Finalizes the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
