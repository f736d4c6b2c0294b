//! The audit module, which writes one record per request after the decision.
//!
//! MIT's KDC reports an AS or TGS request twice, on arrival and with its outcome, and reports delegation and
//! user-to-user requests in between. Arrivals are ignored, and the intermediate reports become part of the outcome's
//! record.

use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tagwise_krb5_plugin::audit::{Audit, Event, Stage, Violation};
use tagwise_krb5_plugin::{Error, Result, codes};

use crate::audit::{EventKind, Record, Sinks};
use crate::log::log;
use crate::policy::Policy;

pub(crate) struct Lines {
    sinks: Sinks,
    failing: AtomicBool,
    /// The intermediate report on the TGS request being processed. MIT's KDC processes such requests one at a time.
    part: Mutex<Option<Part>>,
}

/// A report on a TGS request before its outcome is known.
struct Part {
    request: String,
    kind: EventKind,
    user: Option<String>,
    evidence: Option<String>,
    violation: Option<&'static str>,
}

fn text(text: Option<&CStr>) -> Option<String> {
    text.map(|text| text.to_string_lossy().into_owned())
}

impl Lines {
    fn write(&self, record: &Record) -> Result<()> {
        match self.sinks.write(record) {
            Ok(()) => {
                self.failing.store(false, Ordering::Relaxed);
                Ok(())
            }
            Err(error) => {
                // Said once, not for each request.
                if !self.failing.swap(true, Ordering::Relaxed) {
                    log!("localkdc: audit events are not recorded: {error}");
                }
                Err(Error::from(codes::KRB5KRB_ERR_GENERIC))
            }
        }
    }

    /// Keeps the report that comes before the outcome.
    fn part(&self, kind: EventKind, event: Event<'_>) {
        let part = Part {
            request: event.req_id(),
            kind,
            user: event.s4u2self_user().map(|name| name.to_string()),
            evidence: text(event.evid_tkt_id()),
            violation: event.violation().map(violation),
        };
        *self.part.lock().unwrap_or_else(PoisonError::into_inner) = Some(part);
    }

    /// Writes the outcome of a request.
    fn request(&self, kind: EventKind, event: Event<'_>) -> Result<()> {
        let part = self.part.lock().unwrap_or_else(PoisonError::into_inner).take();
        if event.is_arrival() {
            return Ok(());
        }
        let id = event.req_id();
        let part = part.filter(|part| kind == EventKind::TgsReq && part.request == id);
        let kind = part.as_ref().map_or(kind, |part| part.kind);
        let request = event.request();
        let reply = event.reply();
        let client = request
            .and_then(|request| request.client())
            .or_else(|| reply.and_then(|reply| reply.client()))
            .map(|name| name.to_string());
        let refused = request.and_then(|request| super::refused::take(request.nonce()));
        let record = Record {
            client: client.or(refused),
            server: request.and_then(|request| request.server()).map(|name| name.to_string()),
            user: event
                .s4u2self_user()
                .map(|name| name.to_string())
                .or(part.as_ref().and_then(|part| part.user.clone())),
            address: event.cl_addr().and_then(|address| address.ip()),
            port: Some(event.cl_port()).filter(|port| *port != 0),
            stage: Some(stage(event.stage())),
            status: text(event.status()).or_else(|| (!event.success()).then(|| "UNKNOWN_REASON".to_owned())),
            violation: event.violation().map(violation).or(part.as_ref().and_then(|part| part.violation)),
            preauth: request.map(|request| request.padata().map(|data| data.pa_type()).collect()).unwrap_or_default(),
            enctype: reply.map(|reply| reply.enctype()).filter(|_| event.success()),
            request: Some(id).filter(|id| !id.is_empty()),
            ticket_in: text(event.tkt_in_id()),
            ticket_out: text(event.tkt_out_id()),
            evidence: text(event.evid_tkt_id()).or(part.and_then(|part| part.evidence)),
            ..Record::new(kind, event.success(), now())
        };
        self.write(&record)
    }
}

const fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::AuthenticateRequest => "authenticate_request",
        Stage::ServicePrincipal => "service_principal",
        Stage::ValidatePolicy => "validate_policy",
        Stage::IssueTicket => "issue_ticket",
        Stage::EncryptReply => "encrypt_reply",
        Stage::Unknown(_) => "unknown",
    }
}

const fn violation(violation: Violation) -> &'static str {
    match violation {
        Violation::Protocol => "protocol",
        Violation::LocalPolicy => "policy",
        Violation::Unknown(_) => "unknown",
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

impl Audit for Lines {
    fn open() -> Result<Self> {
        let wrong = |error: &dyn std::fmt::Display| {
            log!("localkdc: audit: {error}");
            Error::new(codes::KRB5KRB_ERR_GENERIC, error.to_string())
        };
        let policy = Policy::of_process().map_err(|error| wrong(&error))?;
        let sinks = Sinks::open(&policy.audit).map_err(|error| wrong(&error))?;
        Ok(Self { sinks, failing: AtomicBool::new(false), part: Mutex::default() })
    }

    fn kdc_start(&self, success: bool) -> Result<()> {
        self.write(&Record::new(EventKind::KdcStart, success, now()))
    }

    fn kdc_stop(&self, success: bool) -> Result<()> {
        self.write(&Record::new(EventKind::KdcStop, success, now()))
    }

    fn as_req(&self, event: Event<'_>) -> Result<()> {
        self.request(EventKind::AsReq, event)
    }

    fn tgs_req(&self, event: Event<'_>) -> Result<()> {
        self.request(EventKind::TgsReq, event)
    }

    fn tgs_s4u2self(&self, event: Event<'_>) -> Result<()> {
        self.part(EventKind::S4u2self, event);
        Ok(())
    }

    fn tgs_s4u2proxy(&self, event: Event<'_>) -> Result<()> {
        self.part(EventKind::S4u2proxy, event);
        Ok(())
    }

    fn tgs_u2u(&self, event: Event<'_>) -> Result<()> {
        self.part(EventKind::U2u, event);
        Ok(())
    }
}
