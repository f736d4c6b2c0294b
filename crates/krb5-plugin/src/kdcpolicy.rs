//! Policy of a KDC: whether a request is granted, and for how long.

use std::ffi::CStr;
use std::time::Duration;

use crate::view::{Context, DbEntryRef, RequestRef, TicketRef};
use crate::{Error, Result};

/// Longest times of a ticket that is granted; `None` leaves the KDC's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Longest life.
    pub lifetime: Option<Duration>,
    /// Longest time of renewals.
    pub renew_lifetime: Option<Duration>,
}

/// A denial.
#[derive(Clone, Debug)]
pub struct Denial {
    /// The error that the client gets.
    pub error: Error,
    /// The short text for the KDC's log, in capitals.
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
    /// The ticket of the request.
    pub ticket: TicketRef<'a>,
    /// The authentication indicators.
    pub auth_indicators: Vec<&'a CStr>,
}

/// A policy. Each method grants unless it is written.
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
    /// Starts the module.
    ///
    /// # Errors
    ///
    /// An error keeps the KDC from starting; [`Error::no_handle`] leaves the module out.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Judges an AS request.
    ///
    /// # Errors
    ///
    /// A denial.
    fn check_as(&self, _context: &Context<'_>, _check: &AsCheck<'_>) -> Result<Limits, Denial> {
        Ok(Limits::default())
    }

    /// Judges a TGS request.
    ///
    /// # Errors
    ///
    /// A denial.
    fn check_tgs(&self, _context: &Context<'_>, _check: &TgsCheck<'_>) -> Result<Limits, Denial> {
        Ok(Limits::default())
    }

    /// Ends the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
