//! KDC auditing: start, stop, and every request with its outcome.

use std::ffi::CStr;
use std::fmt;

use tagwise_krb5_plugin_sys::audit::krb5_audit_state;

use crate::Result;
use crate::host::lent::Lent;
use crate::view::{AddressRef, PrincipalRef, ReplyRef, RequestRef};

/// A step of a KDC's request processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Authentication of the request and its client.
    AuthenticateRequest,
    /// Determination of the service principal.
    ServicePrincipal,
    /// Policy validation.
    ValidatePolicy,
    /// Issuance of the ticket.
    IssueTicket,
    /// Encryption of the reply.
    EncryptReply,
    /// An unknown step.
    Unknown(i32),
}

/// The kind of violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A violation of a protocol constraint.
    Protocol,
    /// A violation of the realm's policy.
    LocalPolicy,
    /// An unknown kind.
    Unknown(i32),
}

/// A request to audit.
#[derive(Clone, Copy)]
pub struct Event<'a> {
    pub(crate) state: Lent<'a, krb5_audit_state>,
    pub(crate) success: bool,
}

impl<'a> Event<'a> {
    /// Returns whether the request succeeded.
    #[must_use]
    pub fn success(self) -> bool {
        self.success
    }

    /// Returns whether the event announces a request's arrival. MIT's KDC reports each AS and TGS request twice: on arrival (as a
    /// success, before the request is processed), and with its outcome.
    #[must_use]
    pub fn is_arrival(self) -> bool {
        let state = self.state.get();
        self.success && state.reply.is_null() && state.status.is_null() && state.tkt_out_id.is_null()
    }

    /// Returns the request, or `None` if it could not be decoded.
    #[must_use]
    pub fn request(self) -> Option<RequestRef<'a>> {
        self.state.pointed(|state| state.request.cast_const()).map(RequestRef)
    }

    /// Returns the reply, if any.
    #[must_use]
    pub fn reply(self) -> Option<ReplyRef<'a>> {
        self.state.pointed(|state| state.reply.cast_const()).map(ReplyRef)
    }

    /// Returns the client's address.
    #[must_use]
    pub fn cl_addr(self) -> Option<AddressRef<'a>> {
        self.state.pointed(|state| state.cl_addr.cast_const()).map(AddressRef)
    }

    /// Returns the client's port.
    #[must_use]
    pub fn cl_port(self) -> u32 {
        self.state.get().cl_port
    }

    /// Returns the step at which request processing ended.
    #[must_use]
    pub fn stage(self) -> Stage {
        match self.state.get().stage {
            1 => Stage::AuthenticateRequest,
            2 => Stage::ServicePrincipal,
            3 => Stage::ValidatePolicy,
            4 => Stage::IssueTicket,
            5 => Stage::EncryptReply,
            other => Stage::Unknown(other),
        }
    }

    /// Returns the KDC's status message.
    #[must_use]
    pub fn status(self) -> Option<&'a CStr> {
        self.state.text(|state| state.status)
    }

    /// Returns the request's identifier.
    #[must_use]
    pub fn req_id(self) -> String {
        let id = &self.state.get().req_id;
        id.iter().map(|byte| byte.cast_unsigned()).take_while(|byte| *byte != 0).map(char::from).collect()
    }

    /// Returns the identifier of the ticket in the request.
    #[must_use]
    pub fn tkt_in_id(self) -> Option<&'a CStr> {
        self.state.text(|state| state.tkt_in_id.cast_const())
    }

    /// Returns the identifier of the issued ticket.
    #[must_use]
    pub fn tkt_out_id(self) -> Option<&'a CStr> {
        self.state.text(|state| state.tkt_out_id.cast_const())
    }

    /// Returns the identifier of the evidence ticket or second ticket.
    #[must_use]
    pub fn evid_tkt_id(self) -> Option<&'a CStr> {
        self.state.text(|state| state.evid_tkt_id.cast_const())
    }

    /// Returns the realm of a remote client.
    #[must_use]
    pub fn cl_realm(self) -> Option<&'a [u8]> {
        self.state.pointed(|state| state.cl_realm.cast_const()).map(Lent::bytes)
    }

    /// Returns the user on whose behalf a service requests a ticket (S4U2Self).
    #[must_use]
    pub fn s4u2self_user(self) -> Option<PrincipalRef<'a>> {
        self.state.pointed(|state| state.s4u2self_user.cast_const()).map(PrincipalRef)
    }

    /// Returns the violation, if any.
    #[must_use]
    pub fn violation(self) -> Option<Violation> {
        match self.state.get().violation {
            0 => None,
            1 => Some(Violation::Protocol),
            2 => Some(Violation::LocalPolicy),
            other => Some(Violation::Unknown(other)),
        }
    }
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Event");
        shown.field("success", &self.success).field("stage", &self.stage()).field("status", &self.status());
        shown.field("request", &self.request()).finish_non_exhaustive()
    }
}

/// An audit module. By default, methods ignore their events. The KDC ignores errors from all methods except `open`.
///
/// ```
/// use tagwise_krb5_plugin::audit::{Audit, Event};
/// use tagwise_krb5_plugin::{Result, krb5_plugin};
///
/// struct Failures;
///
/// impl Audit for Failures {
///     fn open() -> Result<Self> {
///         Ok(Self)
///     }
///
///     fn as_req(&self, event: Event<'_>) -> Result<()> {
///         if !event.success() {
///             eprintln!("{}: {:?}", event.req_id(), event.status());
///         }
///         Ok(())
///     }
/// }
///
/// krb5_plugin! { audit "failures" => Failures }
/// ```
pub trait Audit: Sized + Send + 'static {
    /// Opens the audit system.
    ///
    /// # Errors
    ///
    /// On error, the KDC does not start.
    fn open() -> Result<Self>;

    /// Called when the KDC has started.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn kdc_start(&self, _success: bool) -> Result<()> {
        Ok(())
    }

    /// Called when the KDC stops.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn kdc_stop(&self, _success: bool) -> Result<()> {
        Ok(())
    }

    /// Reports an AS exchange, on the request's [arrival](Event::is_arrival) and with its outcome.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn as_req(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// Reports a TGS exchange, on the request's [arrival](Event::is_arrival) and with its outcome.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn tgs_req(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// Reports a ticket that a service requested to itself on behalf of a user (S4U2Self).
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn tgs_s4u2self(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// Reports a ticket that a service requested on behalf of a user by constrained delegation (S4U2Proxy).
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn tgs_s4u2proxy(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// Reports a user-to-user ticket.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn tgs_u2u(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// Closes the audit system.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}
