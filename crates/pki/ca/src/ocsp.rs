//! OCSP responses (RFC 6960, RFC 5019): from the store if current, otherwise newly signed.
//!
//! The transport of requests is not part of this module.

use std::sync::Arc;
use std::time::Duration;

use tagwise_codec::{Decode, Null};
use tagwise_crypto::{Backend, KeySigner, KeyType, Signer, sign, verify};
use tagwise_pkix::build::{self, Digest, ExtensionList, IssuerHashes, ResponseForm, Unsigned};
use tagwise_pkix::ext::{CrlReason, ExtKeyUsage};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::ocsp::{
    CertId, CertStatus, ID_PKIX_OCSP_NONCE, Nonce, OcspRequest, OcspResponseStatus, ResponseData, RevokedInfo,
    SingleResponse, TbsRequest, Version,
};
use tagwise_pkix::{CertificateBuf, Extensions, UnixTime, Validity, oids};

use crate::authority::{decoded, identifier};
use crate::store::{CertificateId, Cursor, NewOcspResponse, OcspRecord, Status, Unanswered};
use crate::{Authority, Error, Order, Profile, Restrictions, Serial, Store, clock, crl};

/// OCSP responder options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OcspOptions {
    /// The validity period of a response. A response is renewed after half of that time.
    pub lifetime: Duration,
    /// True to return nonces (RFC 9654), which requires signing a response for each request. Without nonces, all
    /// responses come from the store (RFC 5019 §2.1).
    pub nonce: bool,
    /// The maximum number of certificates per request.
    pub max_certificates: usize,
    /// True to answer *good* instead of *unknown* for serial numbers that are not in the store. This is meant for a CA
    /// whose revocations are all known, but not all of its certificates. RFC 6960 §2.2 allows this (*good* means that no
    /// certificate with the number is revoked). The CA/Browser Forum does not (BR §4.9.10). The answer remains *unknown* while the CA's
    /// earlier revocations are unknown ([`Takeover::Later`](crate::Takeover::Later)).
    pub unlisted_is_good: bool,
}

impl OcspOptions {
    /// The default options: responses are valid for a day, nonces are returned, and a request may contain 32 certificates.
    pub const DEFAULT: Self =
        Self { lifetime: Duration::from_secs(86_400), nonce: true, max_certificates: 32, unlisted_is_good: false };
}

impl Default for OcspOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The response to an OCSP request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The OCSPResponse in DER. Even a malformed request is answered with one.
    pub der: Vec<u8>,
    /// The status of the response, such as *successful*.
    pub status: OcspResponseStatus,
    /// The time of issue and the end of validity, if the response may be cached for identical requests (RFC 5019 §6).
    pub fresh: Option<(UnixTime, UnixTime)>,
    /// The reason for an error response. It is meant for the operator, and is not sent to the client.
    pub error: Option<Arc<Error>>,
}

/// The hash algorithms for identifying issuers. Nearly all requests use the first, for which responses are signed in advance
/// (RFC 5019 §2.1.1).
const DIGESTS: [(Digest, &str); 4] =
    [(Digest::Sha1, "sha1"), (Digest::Sha256, "sha256"), (Digest::Sha384, "sha384"), (Digest::Sha512, "sha512")];

/// A CA's OCSP responder, which signs with the CA's key or with a delegated one.
pub struct Responder {
    authority: Arc<Authority>,
    signer: Arc<dyn Signer>,
    /// The responder's certificate, unless the CA's key signs.
    certificate: Option<CertificateBuf>,
    hashes: Vec<(&'static str, IssuerHashes)>,
    /// The hashes that identify the signer's key, with SHA-1.
    own: IssuerHashes,
    /// The start of the validity period of the signer's certificate.
    from: UnixTime,
    /// The end of that validity period.
    until: UnixTime,
    /// The response template: the algorithm, and the signer's certificate unless the CA's key signs.
    form: ResponseForm,
    options: OcspOptions,
}

impl core::fmt::Debug for Responder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Responder").field("authority", &self.authority.label()).finish_non_exhaustive()
    }
}

/// An unsigned response about one certificate.
#[derive(Clone, Debug)]
pub struct PreparedResponse {
    certificate: CertificateId,
    digest: &'static str,
    revision: i64,
    this_update: UnixTime,
    next_update: UnixTime,
    unsigned: Unsigned,
}

impl PreparedResponse {
    /// Returns the unsigned response.
    #[must_use]
    pub const fn unsigned(&self) -> &Unsigned {
        &self.unsigned
    }

    /// Signs the response. Store it with [`Store::add_ocsp_responses`], which drops it if the status has changed.
    ///
    /// # Errors
    /// Returns an error if signing fails.
    pub fn sign(self, signer: &dyn Signer) -> Result<NewOcspResponse, Error> {
        let der = sign(&self.unsigned, signer).map_err(Error::crypto("the responder's key"))?;
        let Self { certificate, digest, revision, this_update, next_update, .. } = self;
        Ok(NewOcspResponse { certificate, digest, revision, this_update, next_update, der })
    }
}

impl Responder {
    /// The hash algorithm that nearly all requests use, for which responses are signed in advance (RFC 5019 §2.1.1).
    pub const DIGEST: &'static str = DIGESTS[0].1;

    /// Creates a responder that signs with the CA's key.
    ///
    /// # Errors
    /// Returns [`Error::NotTheKey`] if the signer does not hold the CA's key.
    pub fn new(authority: Arc<Authority>, signer: Arc<dyn Signer>, options: OcspOptions) -> Result<Self, Error> {
        authority.check_signer(&*signer)?;
        Self::with(authority, signer, None, options)
    }

    /// Creates a responder with its own key and a certificate from the CA (RFC 6960 §4.2.2.2).
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the certificate does not decode, [`Error::Refused`] if it is not from this CA, revoked, or not
    /// for OCSP signing, [`Error::Crypto`] if its signature is invalid, and [`Error::NotTheKey`] if the signer does not hold its key.
    pub fn delegated(
        authority: Arc<Authority>,
        store: &mut dyn Store,
        backend: &dyn Backend,
        signer: Arc<dyn Signer>,
        certificate: &[u8],
        options: OcspOptions,
    ) -> Result<Self, Error> {
        let malformed = Error::malformed("the responder's certificate");
        let certificate = CertificateBuf::from_der(certificate).map_err(&malformed)?;
        let read = certificate.get();
        let issuer = &authority.certificate().tbs_certificate;
        if !read.tbs_certificate.issuer.matches(&issuer.subject) {
            return Err(Error::refused("the responder's certificate was not issued by this CA", "RFC 6960 §4.2.2.2"));
        }
        let tbs = read.tbs_certificate.as_bytes();
        let signature = read.signature_value.octets().unwrap_or_default();
        verify(backend, &issuer.subject_public_key_info, &read.signature_algorithm, tbs, signature)
            .map_err(Error::crypto("the responder's certificate"))?;
        let list = read.tbs_certificate.extensions;
        let purposes = list.map_or(Ok(None), |list| list.get::<ExtKeyUsage<'_>>()).map_err(&malformed)?;
        if !purposes.is_some_and(|purposes| purposes.contains(oids::KP_OCSP_SIGNING)) {
            return Err(Error::refused(
                "the responder's extended key usage does not include OCSPSigning",
                "RFC 6960 §4.2.2.2",
            ));
        }
        let key = tagwise_codec::encode(&read.tbs_certificate.subject_public_key_info)
            .map_err(|error| Error::Build(error.into()))?;
        if signer.public_key_info() != key {
            return Err(Error::NotTheKey);
        }
        let responder = Self::with(authority, signer, Some(certificate), options)?;
        responder.check_certificate(store).map(|()| responder)
    }

    /// Creates a responder with a new key, and issues its certificate (RFC 6960 §4.2.2.2), which every response
    /// includes. The key is not stored.
    ///
    /// # Errors
    /// Returns any error from [`Authority::issue`] or [`delegated`](Self::delegated).
    pub fn delegate(
        authority: Arc<Authority>,
        store: &mut dyn Store,
        backend: &dyn Backend,
        signer: &dyn Signer,
        (key_type, lifetime): (KeyType, Duration),
        options: OcspOptions,
        now: UnixTime,
    ) -> Result<Self, Error> {
        let failed = Error::crypto("the responder's key");
        let key = backend.generate(key_type).map_err(&failed)?;
        let last = authority.certificate().tbs_certificate.validity.not_after.unix();
        let order = Order {
            subject: NameBuf::parse("CN=OCSP responder").map_err(|error| Error::refused(error.to_string(), None))?,
            names: Vec::new(),
            public_key: key.public_key_info(),
            key_identifier: None,
            restrictions: Restrictions::default(),
            profile: Profile::Ocsp,
            not_before: now,
            not_after: Validity::end(now, lifetime).min(last),
        };
        let issued = authority.issue(store, backend, signer, &order, now)?;
        let own: Arc<dyn Signer> = Arc::new(KeySigner::preferred(Arc::clone(&key)).map_err(&failed)?);
        Self::delegated(authority, store, backend, own, &issued.der, options)
    }

    /// Returns whether half of the validity period of the signer's certificate has passed.
    #[must_use]
    pub fn is_due(&self, now: UnixTime) -> bool {
        // Both ends are inclusive.
        let lifetime = self.until.since(self.from).unwrap_or_default().saturating_add(Duration::from_secs(1));
        now >= self.from.saturating_add(lifetime / 2)
    }

    fn with(
        authority: Arc<Authority>,
        signer: Arc<dyn Signer>,
        certificate: Option<CertificateBuf>,
        options: OcspOptions,
    ) -> Result<Self, Error> {
        let issuer = authority.certificate();
        let hashes = DIGESTS.map(|(digest, name)| IssuerHashes::of(digest, issuer).map(|hashes| (name, hashes)));
        let hashes = hashes.into_iter().collect::<Result<_, _>>()?;
        let delegated = certificate.as_ref().map(|own| *own.get());
        let shown = delegated.unwrap_or(*issuer);
        let validity = shown.tbs_certificate.validity;
        let (from, until) = (validity.not_before.unix(), validity.not_after.unix());
        let own = IssuerHashes::of(Digest::Sha1, &shown)?;
        let algorithm = identifier(&*signer)?;
        let form = ResponseForm::new(&decoded(&algorithm)?, delegated.as_slice())?;
        Ok(Self { authority, signer, certificate, hashes, own, from, until, form, options })
    }

    /// Returns the CA that the responder serves.
    #[must_use]
    pub fn authority(&self) -> &Arc<Authority> {
        &self.authority
    }

    /// Returns the responder's options.
    #[must_use]
    pub const fn options(&self) -> &OcspOptions {
        &self.options
    }

    /// Returns whether the responder signs with the CA's key.
    #[must_use]
    pub const fn is_the_authority(&self) -> bool {
        self.certificate.is_none()
    }

    /// Checks that the CA has not revoked the responder's certificate (RFC 6960 §4.2.2.2.1).
    pub(crate) fn check_certificate(&self, store: &mut dyn Store) -> Result<(), Error> {
        self.certificate
            .as_ref()
            .map_or(Ok(()), |own| self.authority.check_delegate(store, own.get(), "the responder's certificate"))
    }

    /// Returns the responder's signer.
    #[must_use]
    pub fn signer(&self) -> &dyn Signer {
        &*self.signer
    }

    /// Answers an OCSPRequest in DER. Always returns a response: an error response if the request is malformed, or an
    /// internal error after a local failure (RFC 6960 §2.3).
    pub fn answer(&self, store: &mut dyn Store, request: &[u8], now: UnixTime) -> Answer {
        let answer = match OcspRequest::from_der(request) {
            Ok(request) => self.answer_to(store, &request.tbs_request, now),
            Err(error) => Err(Refusal::malformed(Error::Malformed { what: "the request", error })),
        };
        answer.unwrap_or_else(|refusal| self.refuse(refusal))
    }

    fn refuse(&self, Refusal { status, error }: Refusal) -> Answer {
        // Five octets: SEQUENCE { ENUMERATED }.
        let der = build::ocsp_error(status).unwrap_or_else(|_never| vec![0x30, 3, 0x0A, 1, 2]);
        Answer { der, status, fresh: None, error: error.map(Arc::new) }
    }

    fn answer_to(&self, store: &mut dyn Store, request: &TbsRequest<'_>, now: UnixTime) -> Result<Answer, Refusal> {
        let malformed = |error| Refusal::malformed(Error::Malformed { what: "the request", error });
        let nonce = self.nonce(request)?;
        let mut asked = Vec::new();
        for one in request.request_list.iter() {
            let one = one.map_err(malformed)?;
            if asked.len() == self.options.max_certificates {
                let what = format!("the request asks about more than {} certificates", self.options.max_certificates);
                return Err(Refusal::malformed(Error::refused(what, None)));
            }
            refuse_critical(one.single_request_extensions, None)?;
            asked.push(one.req_cert);
        }
        // The status of other CAs' certificates is unknown here (RFC 6960 §2.3).
        if !asked.iter().any(|id| self.names(id).is_some()) {
            return Err(Refusal { status: OcspResponseStatus::Unauthorized, error: None });
        }
        self.check_certificate(store)?;
        if let ([id], None) = (asked.as_slice(), &nonce)
            && let Some(digest) = self.names(id)
        {
            return self.stored(store, id, digest, now).map_err(Refusal::from);
        }
        let der = self.sign(store, &asked, nonce, now)?;
        Ok(Answer { der, status: OcspResponseStatus::Successful, fresh: None, error: None })
    }

    /// Returns the stored response about one certificate, or signs and stores a new one.
    fn stored(
        &self,
        store: &mut dyn Store,
        id: &CertId<'_>,
        digest: &'static str,
        now: UnixTime,
    ) -> Result<Answer, Error> {
        let (of, serial) = (self.authority.id, Serial::from_int(id.serial_number));
        let good = |der, fresh| Answer { der, status: OcspResponseStatus::Successful, fresh, error: None };
        let good_after = now.saturating_add(self.options.lifetime / 2);
        if let Some(found) = self.last(store, &serial, digest, now, good_after)? {
            return Ok(good(found.der, Some((found.this_update, found.next_update))));
        }
        self.authority.check_clock(store, now)?;
        let Some(status) = store.status(of, &serial)? else {
            // Not stored, because anybody can ask for nonexistent numbers.
            return Ok(good(self.respond(&[(*id, None)], self.absent(store)?, None, now)?, None));
        };
        let response = self.response(&status, digest, now)?;
        store.add_ocsp_responses(of, std::slice::from_ref(&response))?;
        Ok(good(response.der, Some((response.this_update, response.next_update))))
    }

    /// Returns the last response about a certificate, if it is valid after `good_after`. Fails if it was signed later than now.
    fn last(
        &self,
        store: &mut dyn Store,
        serial: &Serial,
        digest: &'static str,
        now: UnixTime,
        good_after: UnixTime,
    ) -> Result<Option<OcspRecord>, Error> {
        let found = store.ocsp_response(self.authority.id, serial, digest, good_after)?;
        let of_now = found.as_ref().map_or(Ok(()), |found| {
            clock::check(now, found.this_update, || format!("the last OCSP response about {serial} was signed"))
        });
        of_now.map(|()| found)
    }

    fn sign(
        &self,
        store: &mut dyn Store,
        asked: &[CertId<'_>],
        nonce: Option<Nonce<'_>>,
        now: UnixTime,
    ) -> Result<Vec<u8>, Error> {
        self.authority.check_clock(store, now)?;
        let mut list = Vec::with_capacity(asked.len());
        for id in asked {
            let status = match self.names(id) {
                Some(_) => store.status(self.authority.id, &Serial::from_int(id.serial_number))?,
                None => None,
            };
            list.push((*id, status));
        }
        let list: Vec<_> = list.iter().map(|(id, status)| (*id, status.as_ref())).collect();
        let absent = self.absent(store)?;
        self.respond(&list, absent, nonce, now)
    }

    /// Signs and stores a response for each certificate that has no stored response valid for at least half the response
    /// lifetime. Returns the number of new responses. Stops early if `go_on` returns false.
    ///
    /// # Errors
    /// Returns an error if signing or the store fails.
    pub fn sign_in_advance(
        &self,
        store: &mut dyn Store,
        now: UnixTime,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<usize, Error> {
        const BATCH: u32 = 64;
        self.authority.check_clock(store, now)?;
        self.check_certificate(store)?;
        let digest = Self::DIGEST;
        let (mut cursor, mut count) = (Some(Cursor::default()), 0);
        while let Some(behind) = cursor.filter(|_| go_on()) {
            let good_after = now.saturating_add(self.options.lifetime / 2);
            let Unanswered { list: found, next } =
                store.unanswered(self.authority.id, digest, now, good_after, (behind, BATCH))?;
            let response = |status: &Status| self.response(status, digest, now);
            let made = found.iter().map(response).collect::<Result<Vec<_>, _>>()?;
            store.add_ocsp_responses(self.authority.id, &made)?;
            count += made.len();
            cursor = next;
        }
        Ok(count)
    }

    /// Signs and stores a response about a certificate. The stored response is then used while it is valid.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSerial`] if the certificate is not in the store, or an error if signing or the store fails.
    pub fn answer_about(&self, store: &mut dyn Store, serial: &Serial, now: UnixTime) -> Result<Vec<u8>, Error> {
        self.authority.check_clock(store, now)?;
        self.check_certificate(store)?;
        let status = store.status(self.authority.id, serial)?;
        let status = status.ok_or_else(|| Error::NoSuchSerial(serial.clone()))?;
        self.last(store, serial, Self::DIGEST, now, now)?;
        let response = self.response(&status, Self::DIGEST, now)?;
        store.add_ocsp_responses(self.authority.id, std::slice::from_ref(&response))?;
        Ok(response.der)
    }

    fn response(&self, status: &Status, digest: &'static str, now: UnixTime) -> Result<NewOcspResponse, Error> {
        self.prepare_by(status, digest, now)?.sign(&*self.signer)
    }

    /// Builds an unsigned response about one certificate, to be signed by [`signer`](Self::signer).
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the responder's certificate is expired or not yet valid, and [`Error::ClockDisagrees`] if
    /// the revocation time is later than `now`. Also fails if the response cannot be built.
    pub fn prepare(&self, status: &Status, now: UnixTime) -> Result<PreparedResponse, Error> {
        self.prepare_by(status, Self::DIGEST, now)
    }

    fn prepare_by(&self, status: &Status, digest: &'static str, now: UnixTime) -> Result<PreparedResponse, Error> {
        let hashes = self.hashes.iter().find(|(name, _)| *name == digest).map_or(&self.own, |(_, hashes)| hashes);
        let unsigned = self.unsigned(
            &[(hashes.cert_id(status.serial.number()), Some(status))],
            CertStatus::Unknown(Null),
            None,
            now,
        )?;
        Ok(PreparedResponse {
            certificate: status.certificate,
            digest,
            revision: status.revision,
            this_update: now,
            next_update: self.next_update(now),
            unsigned,
        })
    }

    /// Returns the time of the next update. A response does not outlive the signer's certificate.
    fn next_update(&self, now: UnixTime) -> UnixTime {
        now.saturating_add(self.options.lifetime).min(self.until)
    }

    /// Returns the status of this CA's certificates that are not in the store.
    fn absent(&self, store: &mut dyn Store) -> Result<CertStatus<'static>, Error> {
        // One that was issued elsewhere may have been revoked there.
        match self.options.unlisted_is_good && store.knows_past(self.authority.id)? {
            true => Ok(CertStatus::Good),
            false => Ok(CertStatus::Unknown(Null)),
        }
    }

    fn respond(
        &self,
        list: &[(CertId<'_>, Option<&Status>)],
        absent: CertStatus<'static>,
        nonce: Option<Nonce<'_>>,
        now: UnixTime,
    ) -> Result<Vec<u8>, Error> {
        let unsigned = self.unsigned(list, absent, nonce, now)?;
        sign(&unsigned, &*self.signer).map_err(Error::crypto("the responder's key"))
    }

    fn unsigned(
        &self,
        list: &[(CertId<'_>, Option<&Status>)],
        absent: CertStatus<'static>,
        nonce: Option<Nonce<'_>>,
        now: UnixTime,
    ) -> Result<Unsigned, Error> {
        if now > self.until {
            return Err(Error::refused("the responder's certificate has expired", "RFC 6960 §4.2.2.2"));
        }
        if now < self.from {
            let what = format!("the responder's certificate is not valid before {}", self.from);
            return Err(Error::refused(what, "RFC 6960 §4.2.2.2"));
        }
        let (this_update, next_update) = (clock::generalized(now)?, clock::generalized(self.next_update(now))?);
        let mut responses = Vec::with_capacity(list.len());
        for (id, status) in list {
            let cert_status = match status {
                None if self.names(id).is_some() => absent,
                None => CertStatus::Unknown(Null),
                Some(Status { revocation: None, .. }) => CertStatus::Good,
                Some(Status { serial, revocation: Some(revocation), .. }) => {
                    crl::check_date(now, serial, revocation)?;
                    CertStatus::Revoked(RevokedInfo {
                        // If clocks differ slightly, this one counts: no revocation is in the future.
                        revocation_time: clock::generalized(revocation.at.min(now))?,
                        revocation_reason: Some(revocation.reason).filter(|reason| *reason != CrlReason::Unspecified),
                    })
                }
            };
            responses.push(SingleResponse {
                cert_id: *id,
                cert_status,
                this_update,
                next_update: Some(next_update),
                single_extensions: None,
            });
        }
        let mut extensions = ExtensionList::new();
        if let Some(nonce) = &nonce {
            extensions.add(false, nonce)?;
        }
        let extensions = extensions.extensions();
        let data = ResponseData {
            version: Version::V1,
            responder_id: self.own.responder()?,
            produced_at: this_update,
            responses: responses.as_slice().into(),
            response_extensions: Extensions::new(&extensions),
        };
        Ok(self.form.fill(&data)?)
    }

    /// Returns the hash algorithm of a CertID that identifies this CA as the issuer, or `None` for another CA.
    fn names(&self, id: &CertId<'_>) -> Option<&'static str> {
        let same = |hashes: &IssuerHashes| {
            let own = hashes.cert_id(tagwise_pkix::CertificateSerialNumber(id.serial_number));
            own.hash_algorithm.algorithm == id.hash_algorithm.algorithm
                && own.issuer_name_hash == id.issuer_name_hash
                && own.issuer_key_hash == id.issuer_key_hash
        };
        self.hashes.iter().find(|(_, hashes)| same(hashes)).map(|(name, _)| *name)
    }

    /// Returns the request's nonce, if it must be returned. A nonce whose length violates RFC 9654 §2.1 does not decode.
    fn nonce<'a>(&self, request: &TbsRequest<'a>) -> Result<Option<Nonce<'a>>, Refusal> {
        let Some(list) = request.request_extensions else { return Ok(None) };
        refuse_critical(Some(list), Some(ID_PKIX_OCSP_NONCE))?;
        let malformed = |error| Refusal::malformed(Error::Malformed { what: "the request's nonce", error });
        Ok(list.get::<Nonce<'a>>().map_err(malformed)?.filter(|_| self.options.nonce))
    }
}

/// The reason for an error response.
struct Refusal {
    status: OcspResponseStatus,
    error: Option<Error>,
}

impl Refusal {
    const fn malformed(error: Error) -> Self {
        Self { status: OcspResponseStatus::MalformedRequest, error: Some(error) }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        // The database is locked, or a clock must be corrected: a later attempt will succeed.
        let status = match error {
            Error::Locked(_) | Error::ClockDisagrees { .. } => OcspResponseStatus::TryLater,
            _ => OcspResponseStatus::InternalError,
        };
        Self { status, error: Some(error) }
    }
}

/// Checks for unknown critical extensions. Unknown non-critical ones are ignored (RFC 6960 §4.4).
fn refuse_critical(list: Option<Extensions<'_>>, known: Option<tagwise_codec::Oid<'static>>) -> Result<(), Refusal> {
    for extension in list.iter().flat_map(Extensions::iter) {
        let extension =
            extension.map_err(|error| Refusal::malformed(Error::Malformed { what: "the request", error }))?;
        if extension.critical && Some(extension.extn_id) != known {
            let what = format!("the request has an unknown critical extension: {}", extension.extn_id);
            return Err(Refusal::malformed(Error::refused(what, "RFC 6960 §4.4")));
        }
    }
    Ok(())
}
