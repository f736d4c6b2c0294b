//! The Simple Certificate Enrolment Protocol (RFC 8894).

use core::net::IpAddr;
use std::sync::Arc;

use tagwise_ca::{Documents, Requested, Serial};
use tagwise_codec::text::base64;
use tagwise_codec::{Any, Decode, OctetStr, Oid, Options, Printable, Utf8, encode};
use tagwise_crypto::cms::{
    CmsError, DecryptOptions, EncryptOptions, Identifier, RecipientKey, SignedOptions, Signing, Unlock, VerifyOptions,
    decrypt, encrypt, sign, verify,
};
use tagwise_crypto::{Cipher, Digest, ErrorKind, KeySigner, KeyTransport, KeyType, PrivateKey, Scheme};
use tagwise_pkix::build::AttributeList;
use tagwise_pkix::build::cms::certificates_only;
use tagwise_pkix::cms::{EncryptedReader, IssuerAndSerialNumber, Limits, SignerInfo};
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::ext::BasicConstraints;
use tagwise_pkix::name::text;
use tagwise_pkix::profile::{LONG_SERIAL, NEGATIVE_SERIAL, TIME_CHOICE};
use tagwise_pkix::{AlgorithmIdentifier, Certificate, CertificateBuf, UnixTime, oids};

use crate::http::{Request, Response, Service, query, too_long, wrong_method};
use crate::issue::{Enroll, Outcome, Possession};
use crate::policy::Protocol;
use crate::records::{Form, Unconfirmed};
use crate::refusal::{Kind, Refusal};
use crate::secret::Usage;
use crate::service::{Call, Enrollment};

/// The message types (RFC 8894 §3.2.1.2).
const CERT_REP: &str = "3";
const RENEWAL_REQ: &str = "17";
const PKCS_REQ: &str = "19";
const CERT_POLL: &str = "20";
const GET_CERT: &str = "21";
const GET_CRL: &str = "22";

/// The maximum length of a transaction identifier.
const TRANSACTION: usize = 128;

/// A SCEP server.
///
/// Clients encrypt their requests with the RSA key of a registration authority, whose certificate the CA has issued. It can
/// be the CA's own if that has an RSA key.
#[derive(Clone)]
pub struct Scep {
    enrollment: Enrollment,
    key: Arc<dyn PrivateKey>,
    certificate: Arc<CertificateBuf>,
    /// The CA's next certificate and those of its registration authority, in DER. Empty if there are none.
    next: Arc<[Vec<u8>]>,
}

impl core::fmt::Debug for Scep {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scep").field("enrollment", &self.enrollment).finish_non_exhaustive()
    }
}

/// A verified and decrypted request.
struct Message {
    kind: String,
    /// The certificate of the signer, which may be self-signed.
    signer: Vec<u8>,
    content: tagwise_crypto::Secret,
}

/// The attributes with which a response refers to its request.
struct Header {
    transaction: String,
    nonce: Vec<u8>,
    /// The client's cipher.
    cipher: Cipher,
}

/// A result for the client.
enum Reply {
    /// Certificates or CRLs.
    Success(Vec<u8>),
    Pending,
}

impl Scep {
    /// Creates a server with the key and the certificate (in DER) of a registration authority.
    ///
    /// # Errors
    /// The reason, if the key is not an RSA key or not that of the certificate.
    pub fn new(enrollment: Enrollment, key: Arc<dyn PrivateKey>, certificate: Vec<u8>) -> Result<Self, String> {
        if !matches!(key.key_type(), KeyType::Rsa(2048..)) {
            return Err(format!("SCEP requires an RSA key of at least 2048 bits: found {}", key.key_type()));
        }
        let certificate = CertificateBuf::from_der(certificate).map_err(|error| error.to_string())?;
        let public = encode(&certificate.get().tbs_certificate.subject_public_key_info);
        if public.map_err(|error| error.to_string())? != key.public_key_info() {
            return Err("the key does not match the certificate of the registration authority".to_owned());
        }
        Ok(Self { enrollment: enrollment.counted(), key, certificate: Arc::new(certificate), next: Arc::default() })
    }

    /// Adds the CA's next certificate, and then those of its registration authority, in DER. Clients can fetch them before
    /// the CA's certificate expires (RFC 8894 §4.7).
    ///
    /// # Errors
    /// The reason, if the first certificate is not a CA certificate with the CA's name, or does not end after the CA's own.
    pub fn with_next(self, certificates: Vec<Vec<u8>>) -> Result<Self, String> {
        let own = &self.enrollment.authority.certificate().tbs_certificate;
        let mut read = certificates.iter().map(|der| Certificate::from_der(der).map_err(|error| error.to_string()));
        let first = read.next().ok_or_else(|| "no certificate found".to_owned())??;
        read.try_for_each(|certificate| certificate.map(drop))?;
        let basic = first.extension::<BasicConstraints<'_>>().map_err(|error| error.to_string())?;
        if !basic.is_some_and(|basic| basic.ca) || !first.tbs_certificate.subject.matches(&own.subject) {
            return Err("the first certificate is not a CA certificate with the CA's name".to_owned());
        }
        let (end, until) = (own.validity.not_after.unix(), first.tbs_certificate.validity.not_after.unix());
        if until <= end {
            return Err(format!(
                "the first certificate ends at {until}, expected a time after {end}, the end of the CA's"
            ));
        }
        Ok(Self { next: certificates.into(), ..self })
    }

    fn route(&self, store: &mut dyn Documents, request: &Request<'_>, now: UnixTime) -> Result<Response, Refusal> {
        let values: Vec<(&str, Vec<u8>)> = query(request.query.unwrap_or_default()).collect();
        let value = |name: &str| values.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_slice());
        let is_get = matches!(request.method, "GET" | "HEAD");
        match (value("operation"), request.method) {
            (Some(b"GetCACaps"), _) if is_get => Ok(Response::new("text/plain", self.capabilities().into_bytes())),
            (Some(b"GetCACert"), _) if is_get => self.check_certificate(store, now).and_then(|()| self.certificates()),
            (Some(b"GetNextCACert"), _) if is_get && !self.next.is_empty() => self.next_certificates(),
            (Some(b"PKIOperation"), "POST") => self.operation(store, request.body, request.peer, now),
            (Some(b"PKIOperation"), _) if is_get => {
                let message = value("message").unwrap_or_default();
                if message.len() > self.max_body() {
                    return Ok(Response::text(414, "the message is too long, use POST"));
                }
                let message = base64::decode_wrapped(message);
                let message = message.map_err(|_| Refusal::malformed("the message is not base64 (RFC 8894 §4.1)"))?;
                self.operation(store, &message, request.peer, now)
            }
            (Some(b"GetCACaps" | b"GetCACert" | b"PKIOperation"), _) => Ok(wrong_method("GET, HEAD, POST")),
            (Some(_), _) => Ok(Response::text(404, "unsupported operation")),
            (None, _) => Err(Refusal::malformed("the query has no operation (RFC 8894 §4.1)")),
        }
    }

    /// The capabilities (RFC 8894 §3.5.2). SHA-384 is not among those of the standard, but strongSwan 5.9.8 takes it for
    /// SHA-256, and other clients ignore it.
    fn capabilities(&self) -> String {
        let legacy = if self.enrollment.policy.scep_legacy { "DES3\nSHA-1\n" } else { "" };
        let next = if self.next.is_empty() { "" } else { "GetNextCACert\n" };
        format!("AES\n{next}POSTPKIOperation\nRenewal\nSHA-256\nSHA-384\nSHA-512\nSCEPStandard\n{legacy}")
    }

    /// The CA's next certificate, signed with its current key (RFC 8894 §4.7.1).
    fn next_certificates(&self) -> Result<Response, Refusal> {
        let list: Vec<&[u8]> = self.next.iter().map(Vec::as_slice).collect();
        let content = certificates_only(&list, &[]).map_err(Refusal::internal)?;
        let Enrollment { authority, signer, backend, .. } = &self.enrollment;
        let signing = Signing::new(&**signer, authority.certificate());
        let options = SignedOptions { certificates: &[authority.certificate_der()], ..SignedOptions::DEFAULT };
        let message = sign(*backend, &content, &[signing], &options).map_err(Refusal::internal)?;
        Ok(Response::new("application/x-x509-next-ca-cert", message))
    }

    /// The certificates of the CA and the registration authority (RFC 8894 §4.2).
    fn certificates(&self) -> Result<Response, Refusal> {
        let own = self.certificate.as_der();
        if own == self.enrollment.authority.certificate_der() && self.enrollment.chain.len() == 1 {
            return Ok(Response::new("application/x-x509-ca-cert", own.to_vec()));
        }
        let others: &[&[u8]] = if own == self.enrollment.authority.certificate_der() { &[] } else { &[own] };
        Ok(Response::new("application/x-x509-ca-ra-cert", self.enrollment.chain_message(others)?))
    }

    /// Checks that the CA has not revoked the certificate of the registration authority.
    fn check_certificate(&self, store: &mut dyn Documents, now: UnixTime) -> Result<(), Refusal> {
        let what = "the certificate of the registration authority";
        let validity = self.certificate.get().tbs_certificate.validity;
        let unusable = match (validity.not_before.unix(), validity.not_after.unix()) {
            (from, _) if now < from => Some(format!("{what} is not valid before {from}")),
            (_, to) if now > to => Some(format!("{what} expired at {to}")),
            _ => None,
        };
        if let Some(why) = unusable {
            return Err(Refusal { internal: Some(why.clone()), ..Refusal::new(Kind::Unavailable, why) });
        }
        let checked = self.enrollment.authority.check_delegate(store, self.certificate.get(), what);
        checked.map_err(|error| match error {
            error @ tagwise_ca::Error::Refused { .. } => Refusal {
                internal: Some(error.to_string()),
                ..Refusal::new(Kind::Unavailable, format!("{what} is revoked"))
            },
            error => error.into(),
        })
    }

    fn operation(
        &self,
        store: &mut dyn Documents,
        message: &[u8],
        peer: Option<IpAddr>,
        now: UnixTime,
    ) -> Result<Response, Refusal> {
        self.check_certificate(store, now)?;
        let mut header = None;
        let mut signer = None;
        let done = self.open(message, now, &mut header).and_then(|message| {
            signer = Some(message.signer.clone());
            let mut call = self.enrollment.call(store, peer, now);
            let header = header.as_ref().ok_or_else(|| Refusal::malformed("the message has no attributes"))?;
            self.process(&mut call, &message, header)
        });
        let Some(header) = header else {
            return Err(done.err().unwrap_or_else(|| Refusal::malformed("the message has no attributes")));
        };
        let response = match done {
            Ok(Reply::Success(content)) => self.success(&header, &content, signer.as_deref().unwrap_or_default()),
            Ok(Reply::Pending) => self.sign(&header, "3", None, None),
            Err(refusal) if matches!(refusal.kind, Kind::Busy | Kind::Unavailable | Kind::Internal | Kind::Limited) => {
                return Err(refusal);
            }
            Err(refusal) => self.sign(&header, "2", Some(&refusal), None),
        };
        Ok(Response::new("application/x-pki-message", response?))
    }

    /// Verifies and decrypts a message. Sets the header once it is known, so that a rejection can refer to it.
    fn open(&self, message: &[u8], now: UnixTime, header: &mut Option<Header>) -> Result<Message, Refusal> {
        let backend = self.enrollment.backend;
        let is_legacy = self.enrollment.policy.scep_legacy;
        let limits = Limits { element: self.max_body(), total: self.max_body() };
        let options = VerifyOptions {
            at: Some(now),
            legacy: is_legacy,
            max_signatures: 1,
            max_held: self.max_body(),
            limits,
            ..VerifyOptions::DEFAULT
        };
        let verified = verify(backend, message, None, &options).map_err(of_cms)?;
        let [signer] = verified.signers.as_slice() else {
            return Err(Refusal::malformed("the message must have one signer (RFC 8894 §3)"));
        };
        let malformed = |error: tagwise_codec::Error| Refusal::malformed(error.to_string());
        let info = SignerInfo::from_der(&signer.info).map_err(malformed)?;
        let kind = attribute(&info, oids::SCEP_MESSAGE_TYPE)?;
        let transaction = attribute(&info, oids::SCEP_TRANSACTION_ID)?;
        let nonce = attribute(&info, oids::SCEP_SENDER_NONCE)?;
        let printable =
            |octets: &[u8]| Printable::from_content(octets).ok().and_then(|text| text.as_str().map(str::to_owned));
        let transaction = printable(transaction).filter(|text| (1..=TRANSACTION).contains(&text.len()));
        let transaction = transaction.ok_or_else(|| Refusal::malformed("the transactionID must be printable text"))?;
        // RFC 8894 §3.2.1.5.
        if nonce.len() != 16 {
            return Err(Refusal::malformed("the senderNonce must have 16 bytes (RFC 8894 §3.2.1.5)"));
        }
        let header = header.insert(Header { transaction, nonce: nonce.to_vec(), cipher: Cipher::Aes128Cbc });
        if let Err(error) = &signer.outcome {
            return Err(match error {
                CmsError::Crypto(error) if error.kind() != ErrorKind::Signature => {
                    Refusal::new(Kind::Algorithm, error.to_string())
                }
                error => Refusal::new(Kind::Proof, error.to_string()),
            });
        }
        let certificate = signer.certificate.clone();
        let certificate =
            certificate.ok_or_else(|| Refusal::new(Kind::Proof, "the signer's certificate is missing"))?;
        let kind = printable(kind).ok_or_else(|| Refusal::malformed("the messageType must be printable text"))?;

        let reader = EncryptedReader::with(verified.content.as_slice(), limits);
        let reader = reader.map_err(|error| Refusal::malformed(error.to_string()))?;
        let algorithm = AlgorithmIdentifier::from_der(reader.algorithm()).map_err(malformed)?.algorithm;
        match Cipher::ALL.iter().find(|cipher| cipher.oid() == algorithm) {
            Some(cipher) if !cipher.is_authenticated() => header.cipher = *cipher,
            _ if is_legacy => {}
            _ => return Err(Refusal::new(Kind::Algorithm, "the cipher is not accepted, expected AES (RFC 8894 §2.9)")),
        }
        let unlock = Unlock::PrivateKey { key: &*self.key, certificate: Some(self.certificate.get()) };
        let options = DecryptOptions { max_attempts: 2, max_iterations: 0, max_content: self.max_body(), limits };
        let decrypted = decrypt(backend, &verified.content, None, &unlock, &options);
        let decrypted = decrypted.map_err(|_| undecipherable())?;
        Ok(Message { kind, signer: certificate, content: decrypted.content })
    }

    fn process(&self, call: &mut Call<'_>, message: &Message, header: &Header) -> Result<Reply, Refusal> {
        let malformed = |error: tagwise_codec::Error| Refusal::malformed(error.to_string());
        let content = message.content.expose();
        let signer = signer_certificate(&message.signer)?;
        let info = &signer.tbs_certificate.subject_public_key_info;
        if !matches!(KeyType::of(info), Ok(KeyType::Rsa(_))) {
            return Err(Refusal::new(
                Kind::Algorithm,
                "the response cannot be encrypted: the signer's key is not an RSA key",
            ));
        }
        let key = encode(info).map_err(Refusal::internal)?;
        match message.kind.as_str() {
            PKCS_REQ | RENEWAL_REQ => {
                let challenge = challenge(content)?;
                let requested = Requested::from_der(self.enrollment.backend, content);
                let requested = requested.map_err(|error| match error {
                    tagwise_ca::Error::Malformed { .. } => undecipherable(),
                    error => Refusal::of_request(error),
                })?;
                let (client, renewal) = match challenge {
                    // RFC 8894 §2.3: the signer's certificate has the key of the request.
                    Some(challenge) if message.kind == PKCS_REQ && key == requested.public_key => {
                        let (id, secret) = challenge.split_once('-').ok_or_else(Refusal::unauthenticated)?;
                        (call.password(Usage::Challenge, id, secret.as_bytes())?, false)
                    }
                    // A renewal, which the certificate alone authenticates. certmonger 0.79 repeats the challenge of its first request,
                    // and has no RenewalReq.
                    _ => (call.certificate(&message.signer)?, true),
                };
                let outcome = call.enroll(&Enroll {
                    protocol: Protocol::Scep,
                    client: &client,
                    transaction: header.transaction.as_bytes(),
                    party: &key,
                    form: Form::Pkcs10,
                    request: content,
                    requested,
                    renewal,
                    possession: Possession::Verified,
                    immediate: false,
                    grant: None,
                    keep: call.keep(),
                })?;
                reply(outcome)
            }
            CERT_POLL => {
                // IssuerAndSubject (RFC 8894 §3.3.3). The transaction and the key say which request is meant.
                Any::from_der(content).map_err(|_| undecipherable())?;
                let id = call.transaction_id(Protocol::Scep, &key, header.transaction.as_bytes())?;
                let unknown = || Refusal::new(Kind::UnknownCertificate, "the transaction is unknown");
                let row = call.transaction(&id)?.ok_or_else(unknown)?;
                let outcome = call.advance(row)?;
                reply(outcome)
            }
            GET_CERT => {
                call.certificate(&message.signer)?;
                let asked = IssuerAndSerialNumber::from_der(content).map_err(malformed)?;
                let authority = &self.enrollment.authority;
                let unknown = || Refusal::new(Kind::UnknownCertificate, "the certificate is unknown");
                if !asked.issuer.matches(&authority.certificate().tbs_certificate.subject) {
                    return Err(unknown());
                }
                let serial = Serial::from_int(asked.serial_number);
                // RFC 9810 §5.2.8.3.2: CMP clients may have to decrypt a certificate before they may see it.
                if call.records.get::<Unconfirmed>(&serial.to_string())?.is_some() {
                    return Err(unknown());
                }
                let record = call.records.store.certificate(authority.id(), &serial)?;
                let record = record.filter(tagwise_ca::store::CertificateRecord::is_known).ok_or_else(unknown)?;
                success(&[&record.der], &[])
            }
            GET_CRL => {
                call.certificate(&message.signer)?;
                let crl = call.records.store.crl(self.enrollment.authority.id(), None)?;
                let crl = crl.ok_or_else(|| Refusal::new(Kind::UnknownCertificate, "there is no CRL"))?;
                success(&[], &[&crl.der])
            }
            _ => Err(Refusal::malformed("the messageType is not supported (RFC 8894 §3.2.1.2)")),
        }
    }

    /// A response with content, which is encrypted for the signer of the request.
    fn success(&self, header: &Header, content: &[u8], signer: &[u8]) -> Result<Vec<u8>, Refusal> {
        let certificate = signer_certificate(signer)?;
        let recipient = RecipientKey::Certificate {
            certificate: &certificate,
            identifier: Identifier::IssuerAndSerialNumber,
            // RFC 8894 has no other, and clients support no other.
            transport: KeyTransport::Pkcs1,
        };
        let options = EncryptOptions { cipher: header.cipher, ..EncryptOptions::DEFAULT };
        let enveloped = encrypt(self.enrollment.backend, content, &[recipient], &options).map_err(Refusal::internal)?;
        self.sign(header, "0", None, Some(&enveloped))
    }

    /// Signs a response (RFC 8894 §3.3.2). Only successful ones have content. The others have zero bytes instead of none:
    /// OpenSSL's `PKCS7_verify` needs some, and with it clients such as certmonger 0.79. The signature is the same.
    fn sign(
        &self,
        header: &Header,
        status: &str,
        refusal: Option<&Refusal>,
        content: Option<&[u8]>,
    ) -> Result<Vec<u8>, Refusal> {
        let backend = self.enrollment.backend;
        let mut nonce = [0; 16];
        backend.random(&mut nonce).map_err(Refusal::internal)?;
        let mut list = AttributeList::new();
        let mut add = |id: Oid<'_>, text: &str| -> Result<(), Refusal> {
            let text = Printable::new(text).map_err(|_| Refusal::internal("an attribute is not printable"))?;
            list.add(id, &text).map_err(Refusal::internal).map(drop)
        };
        add(oids::SCEP_MESSAGE_TYPE, CERT_REP)?;
        add(oids::SCEP_PKI_STATUS, status)?;
        add(oids::SCEP_TRANSACTION_ID, &header.transaction)?;
        if let Some(refusal) = refusal {
            let failure = failure(refusal.kind);
            add(oids::SCEP_FAIL_INFO, failure)?;
            // What is wrong with the check of a message must not be known: see `undecipherable`.
            if failure != BAD_MESSAGE_CHECK {
                list.add(oids::SCEP_FAIL_INFO_TEXT, &Utf8::new(&refusal.detail)).map_err(Refusal::internal)?;
            }
        }
        list.add(oids::SCEP_SENDER_NONCE, &OctetStr::new(&nonce)).map_err(Refusal::internal)?;
        list.add(oids::SCEP_RECIPIENT_NONCE, &OctetStr::new(&header.nonce)).map_err(Refusal::internal)?;
        let attributes = list.attributes();
        let signer =
            KeySigner::new(Arc::clone(&self.key), Scheme::RsaPkcs1(Digest::Sha256)).map_err(Refusal::internal)?;
        let signing = Signing { attributes: Some(&attributes), ..Signing::new(&signer, self.certificate.get()) };
        let certificates = [self.certificate.as_der()];
        let options = SignedOptions { certificates: &certificates, ..SignedOptions::DEFAULT };
        sign(backend, content.unwrap_or_default(), &[signing], &options).map_err(Refusal::internal)
    }
}

impl Service for Scep {
    fn issued(&self) -> u64 {
        self.enrollment.count()
    }

    fn report_issued(&self, report: Box<crate::http::Report>) {
        self.enrollment.report_to(report);
    }

    fn answer(&self, store: &mut dyn Documents, request: &Request<'_>, now: UnixTime) -> Response {
        if let Some(response) = too_long(self, request) {
            return response;
        }
        self.route(store, request, now).unwrap_or_else(|refusal| {
            let response = Response::text(refusal.status(), refusal.detail.as_str());
            Response { internal: refusal.internal, ..response }
        })
    }
}

fn of_cms(error: CmsError) -> Refusal {
    Refusal::malformed(error.to_string())
}

/// The failure of a message whose signature, decryption or secret is wrong (RFC 8894 §3.2.1.4).
const BAD_MESSAGE_CHECK: &str = "1";

/// A failure (RFC 8894 §3.2.1.4).
const fn failure(kind: Kind) -> &'static str {
    match kind {
        Kind::Algorithm => "0",
        Kind::Proof | Kind::Unauthenticated => BAD_MESSAGE_CHECK,
        Kind::UnknownCertificate => "4",
        _ => "2",
    }
}

fn success(certificates: &[&[u8]], crls: &[&[u8]]) -> Result<Reply, Refusal> {
    certificates_only(certificates, crls).map(Reply::Success).map_err(Refusal::internal)
}

fn reply(outcome: Outcome) -> Result<Reply, Refusal> {
    match outcome {
        Outcome::Pending => Ok(Reply::Pending),
        Outcome::Issued(der) => success(&[&der], &[]),
    }
}

/// Decodes the certificate of a client. The serial numbers of self-signed ones may be negative or long (against RFC 5280
/// §4.1.2.2), because strongSwan and certmonger use hashes, and their dates may have the wrong type (§4.1.2.5), because
/// certmonger only uses GeneralizedTime. The certificates only convey keys (RFC 8894 §2.3).
fn signer_certificate(der: &[u8]) -> Result<Certificate<'_>, Refusal> {
    let options = Options::der().allow(&NEGATIVE_SERIAL).allow(&LONG_SERIAL).allow(&TIME_CHOICE);
    let read = options.decode::<Certificate<'_>>(der).map_err(|error| Refusal::malformed(error.to_string()))?;
    Ok(read.value)
}

/// The content of a signed attribute with one value.
fn attribute<'a>(info: &SignerInfo<'a>, id: Oid<'_>) -> Result<&'a [u8], Refusal> {
    let missing = || Refusal::malformed(format!("the signed attribute {id} is missing or has several values"));
    let mut attributes = info.signed_attrs.iter().flat_map(|list| list.0.iter()).map_while(Result::ok);
    let found = attributes.find(|attribute| attribute.attr_type == id).ok_or_else(missing)?;
    let mut values = found.attr_values.iter();
    match (values.next(), values.next()) {
        (Some(Ok(value)), None) => Ok(value.content()),
        _ => Err(missing()),
    }
}

/// The refusal of a message that was not decrypted to a request. It does not tell wrong padding from wrong content, which
/// would let clients decrypt the messages of others, and the challenge passwords in them (RFC 3218 §2.3.2).
fn undecipherable() -> Refusal {
    Refusal::new(Kind::Proof, "the message cannot be decrypted")
}

/// The challenge password of a request (RFC 2985 §5.4.1).
fn challenge(der: &[u8]) -> Result<Option<String>, Refusal> {
    let malformed = |_| undecipherable();
    let request = CertificationRequest::from_der(der).map_err(malformed)?;
    for attribute in request.certification_request_info.attributes.iter() {
        let attribute = attribute.map_err(malformed)?;
        if attribute.attr_type == oids::CHALLENGE_PASSWORD {
            let value = attribute.values.iter().next().transpose().map_err(malformed)?;
            let value = value.as_ref().and_then(text).map(std::borrow::Cow::into_owned);
            return value.map(Some).ok_or_else(undecipherable);
        }
    }
    Ok(None)
}
