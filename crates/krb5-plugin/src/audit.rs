//! Audit of a KDC: its start and stop, and every request with what became of it.

use std::ffi::CStr;
use std::fmt;

use tagwise_krb5_plugin_sys::audit::krb5_audit_state;

use crate::Result;
use crate::ffi::lent::Lent;
use crate::view::{AddressRef, PrincipalRef, ReplyRef, RequestRef};

/// Step of a KDC's processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Authenticating the request and its client.
    AuthenticateRequest,
    /// Determining the service's principal.
    ServicePrincipal,
    /// Validating policies.
    ValidatePolicy,
    /// Issuing the ticket.
    IssueTicket,
    /// Encrypting the reply.
    EncryptReply,
    /// A step that this crate does not know.
    Unknown(i32),
}

/// Kind of violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A constraint of the protocol.
    Protocol,
    /// The realm's policy.
    LocalPolicy,
    /// A kind that this crate does not know.
    Unknown(i32),
}

/// A request that the KDC audits.
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

    /// Returns whether the event announces the request's arrival. MIT's KDC reports each AS and TGS request twice: as a success when it
    /// arrives, before anything is decided, and with its outcome at the end.
    #[must_use]
    pub fn is_arrival(self) -> bool {
        let state = self.state.get();
        self.success && state.reply.is_null() && state.status.is_null() && state.tkt_out_id.is_null()
    }

    /// The request, once it is decoded.
    #[must_use]
    pub fn request(self) -> Option<RequestRef<'a>> {
        self.state.pointed(|state| state.request.cast_const()).map(RequestRef)
    }

    /// The reply, if there is one.
    #[must_use]
    pub fn reply(self) -> Option<ReplyRef<'a>> {
        self.state.pointed(|state| state.reply.cast_const()).map(ReplyRef)
    }

    /// The client's address.
    #[must_use]
    pub fn cl_addr(self) -> Option<AddressRef<'a>> {
        self.state.pointed(|state| state.cl_addr.cast_const()).map(AddressRef)
    }

    /// The client's port.
    #[must_use]
    pub fn cl_port(self) -> u32 {
        self.state.get().cl_port
    }

    /// The step at which processing ended.
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

    /// The KDC's status message.
    #[must_use]
    pub fn status(self) -> Option<&'a CStr> {
        self.state.text(|state| state.status)
    }

    /// The identifier of the request.
    #[must_use]
    pub fn req_id(self) -> String {
        let id = &self.state.get().req_id;
        id.iter().map(|byte| byte.cast_unsigned()).take_while(|byte| *byte != 0).map(char::from).collect()
    }

    /// The identifier of the ticket in the request.
    #[must_use]
    pub fn tkt_in_id(self) -> Option<&'a CStr> {
        self.state.text(|state| state.tkt_in_id.cast_const())
    }

    /// The identifier of the issued ticket.
    #[must_use]
    pub fn tkt_out_id(self) -> Option<&'a CStr> {
        self.state.text(|state| state.tkt_out_id.cast_const())
    }

    /// The identifier of the evidence ticket, or of the second ticket.
    #[must_use]
    pub fn evid_tkt_id(self) -> Option<&'a CStr> {
        self.state.text(|state| state.evid_tkt_id.cast_const())
    }

    /// The realm of a remote client.
    #[must_use]
    pub fn cl_realm(self) -> Option<&'a [u8]> {
        self.state.pointed(|state| state.cl_realm.cast_const()).map(Lent::bytes)
    }

    /// The user that a service asks a ticket for.
    #[must_use]
    pub fn s4u2self_user(self) -> Option<PrincipalRef<'a>> {
        self.state.pointed(|state| state.s4u2self_user.cast_const()).map(PrincipalRef)
    }

    /// The violation, if there is one.
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

/// A module that audits. Each event is ignored unless its method is written; an error of a method changes nothing.
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
    /// An error keeps the KDC from starting.
    fn open() -> Result<Self>;

    /// The KDC starts.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn kdc_start(&self, _success: bool) -> Result<()> {
        Ok(())
    }

    /// The KDC stops.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn kdc_stop(&self, _success: bool) -> Result<()> {
        Ok(())
    }

    /// An AS exchange: once at the request's [arrival](Event::is_arrival), once with its outcome.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn as_req(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// A TGS exchange: once at the request's [arrival](Event::is_arrival), once with its outcome.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn tgs_req(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// A ticket to a service itself for a user.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn tgs_s4u2self(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// A ticket for a user, by constrained delegation.
    ///
    /// # Errors
    ///
    /// The KDC ignores errors.
    fn tgs_s4u2proxy(&self, _event: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// A ticket user to user.
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
