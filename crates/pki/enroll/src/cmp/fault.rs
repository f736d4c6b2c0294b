//! Failures in the protocol's form.

use tagwise_codec::{NamedBits, SeqOf, Utf8, encode};
use tagwise_pkix::cmp::{ErrorMsgContent, PkiBody, PkiFailureInfo, PkiFreeText, PkiStatus, PkiStatusInfo};

use crate::refusal::{Kind, Refusal};

/// The numbers of the failures (RFC 9810 §5.2.3).
pub(super) const BAD_ALG: u32 = 0;
pub(super) const BAD_MESSAGE_CHECK: u32 = 1;
pub(super) const BAD_REQUEST: u32 = 2;
pub(super) const BAD_TIME: u32 = 3;
pub(super) const BAD_CERT_ID: u32 = 4;
pub(super) const BAD_DATA_FORMAT: u32 = 5;
pub(super) const BAD_POP: u32 = 9;
pub(super) const CERT_REVOKED: u32 = 10;
pub(super) const CERT_CONFIRMED: u32 = 11;
pub(super) const WRONG_INTEGRITY: u32 = 12;
pub(super) const BAD_RECIPIENT_NONCE: u32 = 13;
pub(super) const BAD_SENDER_NONCE: u32 = 18;
pub(super) const BAD_CERT_TEMPLATE: u32 = 19;
pub(super) const SIGNER_NOT_TRUSTED: u32 = 20;
pub(super) const TRANSACTION_ID_IN_USE: u32 = 21;
pub(super) const UNSUPPORTED_VERSION: u32 = 22;
pub(super) const NOT_AUTHORIZED: u32 = 23;
pub(super) const SYSTEM_UNAVAIL: u32 = 24;
pub(super) const SYSTEM_FAILURE: u32 = 25;

/// The reason for rejecting a message.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) failure: u32,
    pub(super) why: String,
    /// An internal error, for the operator.
    pub(super) internal: Option<String>,
}

impl Fault {
    pub(super) fn new(failure: u32, why: impl Into<String>) -> Self {
        Self { failure, why: why.into(), internal: None }
    }

    pub(super) fn internal(error: impl core::fmt::Display) -> Self {
        Refusal::internal(error).into()
    }

    /// A part of the message that does not decode.
    pub(super) fn malformed(error: tagwise_codec::Error) -> Self {
        Self::new(BAD_DATA_FORMAT, error.to_string())
    }

    /// Calls a function with the status for a response, which borrows from the fault.
    pub(super) fn status<T>(&self, write: impl FnOnce(PkiStatusInfo<'_>) -> T) -> T {
        let text = [Utf8::new(&self.why)];
        write(PkiStatusInfo {
            status: PkiStatus::REJECTION,
            status_string: Some(PkiFreeText(SeqOf::from_slice(&text))),
            fail_info: Some(PkiFailureInfo(NamedBits::from_mask(1u64.checked_shl(self.failure).unwrap_or_default()))),
        })
    }

    /// The body of an error message (RFC 9810 §5.3.21).
    pub(super) fn body(&self) -> Result<Vec<u8>, Self> {
        self.status(|status| {
            let content = ErrorMsgContent { pki_status_info: status, error_code: None, error_details: None };
            encode(&PkiBody::Error(content)).map_err(Self::internal)
        })
    }
}

impl From<tagwise_ca::Error> for Fault {
    fn from(error: tagwise_ca::Error) -> Self {
        Refusal::from(error).into()
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let failure = match refusal.kind {
            Kind::Malformed => BAD_DATA_FORMAT,
            Kind::Algorithm => BAD_ALG,
            Kind::Proof => BAD_POP,
            Kind::Unauthenticated => BAD_MESSAGE_CHECK,
            Kind::Unauthorized => NOT_AUTHORIZED,
            Kind::Template => BAD_CERT_TEMPLATE,
            Kind::Transaction => TRANSACTION_ID_IN_USE,
            Kind::UnknownCertificate => BAD_CERT_ID,
            Kind::Revoked => CERT_REVOKED,
            Kind::Limited | Kind::Busy | Kind::Unavailable => SYSTEM_UNAVAIL,
            Kind::Internal => SYSTEM_FAILURE,
        };
        Self { failure, why: refusal.detail, internal: refusal.internal }
    }
}
