//! A time stamp authority (RFC 3161, RFC 5816).

use std::sync::Arc;

use tagwise_ca::{Authority, Documents, Error};
use tagwise_codec::{Decode, NamedBits, OidBuf, SeqOf, Utf8};
use tagwise_crypto::tsp::{Stamping, reply};
use tagwise_crypto::{Backend, Signer};
use tagwise_pkix::build::{SerialNumber, timestamp_response};
use tagwise_pkix::tsp::{PkiFailureInfo, PkiFreeText, PkiStatus, PkiStatusInfo, TimeStampReq};
use tagwise_pkix::{CertificateBuf, UnixTime};

use crate::http::{Request, Response, Service, too_long, wrong_method};
use crate::refusal::Refusal;

/// The failures in responses (RFC 3161 §2.4.2).
const BAD_DATA_FORMAT: u32 = 5;
const TIME_NOT_AVAILABLE: u32 = 14;
const SYSTEM_FAILURE: u32 = 25;

/// The settings of a time stamp authority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TspOptions {
    /// The supported policies. The first is used for requests that name none.
    pub policies: Vec<OidBuf>,
    /// The accuracy of the clock in seconds, if stated.
    pub accuracy: Option<u32>,
}

/// A time stamp authority. Its serial numbers have 159 random bits. They are unique (RFC 3161 §2.4.2) even if several servers
/// share a database, or a backup of the database is restored.
pub struct Tsp {
    authority: Arc<Authority>,
    backend: &'static dyn Backend,
    signer: Arc<dyn Signer>,
    certificate: CertificateBuf,
    chain: Vec<Vec<u8>>,
    options: TspOptions,
}

impl core::fmt::Debug for Tsp {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tsp").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Tsp {
    /// Creates an authority below a CA, whose database shows whether the certificate is revoked. `chain` contains the authority's
    /// certificate first, and then those above it, in DER. Clients can request it.
    ///
    /// # Errors
    /// The reason, if `options` has no policy, if the certificate is malformed or does not allow time stamping, or if
    /// it is not for this key.
    pub fn new(
        authority: Arc<Authority>,
        backend: &'static dyn Backend,
        signer: Arc<dyn Signer>,
        chain: Vec<Vec<u8>>,
        options: TspOptions,
    ) -> Result<Self, String> {
        if options.policies.is_empty() {
            return Err("no time stamp policy, expected at least one".to_owned());
        }
        let own = chain.first().ok_or("the certificate of the time stamp authority is missing")?;
        let certificate = CertificateBuf::from_der(own.clone()).map_err(|error| error.to_string())?;
        let tsp = Self { authority, backend, signer, certificate, chain, options };
        // Signs a time stamp that nobody receives, to find wrong keys and certificates now.
        let imprint = backend.digest(tagwise_crypto::Digest::Sha256, b"").map_err(|error| error.to_string())?;
        let request = tagwise_crypto::tsp::request(backend, tagwise_crypto::Digest::Sha256, &imprint, None, false);
        let request = request.map_err(|error| error.to_string())?;
        let serial = SerialNumber::from_random([1; 20]);
        let time = tsp.certificate.get().tbs_certificate.validity.not_before.unix();
        tsp.stamp(&request, serial, time).map_err(|error| error.to_string())?;
        Ok(tsp)
    }

    fn stamp(
        &self,
        request: &[u8],
        serial: SerialNumber,
        now: UnixTime,
    ) -> Result<Vec<u8>, tagwise_crypto::tsp::TspError> {
        // Malformed requests are answered with the failure that `reply` finds.
        let asked = TimeStampReq::from_der(request).ok().and_then(|request| request.req_policy);
        let known = self.options.policies.iter().find(|own| asked.is_some_and(|asked| own.as_oid() == asked));
        let policy = known.or_else(|| self.options.policies.first());
        let certificates: Vec<&[u8]> = self.chain.iter().map(Vec::as_slice).collect();
        reply(
            self.backend,
            request,
            &Stamping {
                signer: &*self.signer,
                certificate: self.certificate.get(),
                certificates: &certificates,
                policy: policy.map_or(tagwise_codec::oid!("0.0"), OidBuf::as_oid),
                serial,
                time: now,
                accuracy: self.options.accuracy,
                allow_validity: false,
            },
        )
    }

    /// Returns the reason for which no time stamps can be issued now.
    fn obstacle(&self, store: &mut dyn Documents, now: UnixTime) -> Result<Option<(u32, &'static str)>, Refusal> {
        let tbs = &self.certificate.get().tbs_certificate;
        if now < tbs.validity.not_before.unix() {
            return Ok(Some((TIME_NOT_AVAILABLE, "the clock is wrong")));
        }
        if now > tbs.validity.not_after.unix() {
            return Ok(Some((SYSTEM_FAILURE, "the certificate of the authority has expired")));
        }
        match self.authority.check_delegate(store, self.certificate.get(), "the certificate of the authority") {
            Err(Error::Refused { .. }) => Ok(Some((SYSTEM_FAILURE, "the certificate of the authority is revoked"))),
            done => Ok(done.map(|()| None)?),
        }
    }

    fn answered(&self, store: &mut dyn Documents, request: &[u8], now: UnixTime) -> Result<Vec<u8>, Refusal> {
        if let Some((failure, why)) = self.obstacle(store, now)? {
            return refused(failure, why);
        }
        let serial = SerialNumber::generate().map_err(Refusal::internal)?;
        self.stamp(request, serial, now).map_err(Refusal::internal)
    }
}

/// A response without a time stamp.
fn refused(failure: u32, why: &str) -> Result<Vec<u8>, Refusal> {
    let text = [Utf8::new(why)];
    let status = PkiStatusInfo {
        status: PkiStatus::REJECTION,
        status_string: Some(PkiFreeText(SeqOf::from_slice(&text))),
        fail_info: Some(PkiFailureInfo(NamedBits::from_mask(1u64.checked_shl(failure).unwrap_or_default()))),
    };
    timestamp_response(&status, None).map_err(Refusal::internal)
}

impl Service for Tsp {
    fn answer(&self, store: &mut dyn Documents, request: &Request<'_>, now: UnixTime) -> Response {
        if let Some(response) = too_long(self, request) {
            return response;
        }
        if request.method != "POST" {
            return wrong_method("POST");
        }
        // RFC 3161 §3.4.
        if !request.is("application/timestamp-query") {
            return Response::text(
                415,
                "unexpected content type, expected application/timestamp-query (RFC 3161 §3.4)",
            );
        }
        let answered = if request.body.is_empty() {
            refused(BAD_DATA_FORMAT, "the request is empty")
        } else {
            self.answered(store, request.body, now)
        };
        let (body, internal) = match answered {
            Ok(body) => (body, None),
            Err(refusal) => match refused(SYSTEM_FAILURE, &refusal.detail) {
                Ok(body) => (body, Some(refusal.to_string())),
                Err(error) => return Response { internal: Some(error.to_string()), ..Response::text(500, "") },
            },
        };
        Response { internal, ..Response::new("application/timestamp-reply", body) }
    }

    fn max_body(&self) -> usize {
        // A request with the largest digest, a nonce and a policy has about 150 bytes.
        4096
    }
}
