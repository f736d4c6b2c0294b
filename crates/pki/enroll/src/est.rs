//! Enrollment over Secure Transport (RFC 7030, RFC 8951).

use core::time::Duration;

use tagwise_ca::{Documents, KeyRule, Requested};
use tagwise_codec::text::base64;
use tagwise_codec::{Decode, SeqOf, encode};
use tagwise_crypto::{KeySigner, KeyType};
use tagwise_pkix::build::{AttributeList, CsrBuilder};
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::name::text;
use tagwise_pkix::{UnixTime, oids};

use crate::http::{Request, Response, Service, too_long, wrong_method};
use crate::issue::{Enroll, Outcome, Possession};
use crate::policy::Protocol;
use crate::records::Form;
use crate::refusal::{Kind, Refusal};
use crate::secret::{Usage, is_same};
use crate::service::{Call, Client, Enrollment};

/// The paths of the protocol (RFC 7030 §3.2.2).
const ROOT: &str = "/.well-known/est/";

/// The time for which a repeated request receives the same certificate.
const KEEP: Duration = Duration::from_secs(3600);

/// The boundary of multipart responses. Base64 never contains it.
const BOUNDARY: &str = "==tagwise-est==";

/// An EST server. It must only be reachable over TLS (RFC 7030 §3.3).
///
/// Clients authenticate with a certificate of the CA or with a user's password. A path
/// `/.well-known/est/LABEL/simpleenroll` selects the grant LABEL of the policy.
#[derive(Clone, Debug)]
pub struct Est {
    enrollment: Enrollment,
}

impl Est {
    /// Creates a server.
    #[must_use]
    pub fn new(enrollment: Enrollment) -> Self {
        Self { enrollment: enrollment.counted() }
    }

    fn route(&self, store: &mut dyn Documents, request: &Request<'_>, now: UnixTime) -> Result<Response, Refusal> {
        let missing = || Ok(Response::text(404, "no such resource"));
        let Some(path) = request.path.strip_prefix(ROOT) else { return missing() };
        let (label, operation) = match path.split_once('/') {
            Some((label, operation)) => (Some(label), operation),
            None => (None, path),
        };
        if label.is_some_and(|label| self.enrollment.policy.grant(label).is_none()) {
            return missing();
        }
        match (operation, request.method) {
            ("cacerts", "GET" | "HEAD") => {
                Ok(Response::new("application/pkcs7-mime", encoded(&self.enrollment.chain_message(&[])?)))
            }
            ("csrattrs", "GET" | "HEAD") => self.attributes(label),
            ("cacerts" | "csrattrs", _) => Ok(wrong_method("GET, HEAD")),
            ("simpleenroll" | "simplereenroll" | "serverkeygen", "POST") => {
                // RFC 7030 §4.2.1.
                if !request.is("application/pkcs10") {
                    return Ok(Response::text(
                        415,
                        "unexpected content type, expected application/pkcs10 (RFC 7030 §4.2.1)",
                    ));
                }
                let mut call = self.enrollment.call(store, request.peer, now);
                let is_renewal = operation == "simplereenroll";
                let client = client(&mut call, request, is_renewal)?;
                // RFC 8951 §3.1: base64, whatever Content-Transfer-Encoding says.
                let der = base64::decode_wrapped(request.body.trim_ascii());
                let der = der.map_err(|_| Refusal::malformed("the body is not base64 (RFC 8951 §3.1)"))?;
                let ask = Ask { client: &client, label, is_renewal, binding: request.binding };
                if operation == "serverkeygen" {
                    generate(&mut call, &ask, &der)
                } else {
                    enroll(&mut call, &ask, &der)
                }
            }
            ("simpleenroll" | "simplereenroll" | "serverkeygen" | "fullcmc", _) if request.method != "POST" => {
                Ok(wrong_method("POST"))
            }
            // RFC 7030 §4.3.2.
            ("fullcmc", _) => Ok(Response::text(501, "full CMC is not supported")),
            _ => missing(),
        }
    }

    /// The attributes that requests should have (RFC 8951 §3.5, RFC 9908): the accepted keys.
    fn attributes(&self, label: Option<&str>) -> Result<Response, Refusal> {
        let policy = &self.enrollment.policy;
        let grant = label.map_or_else(|| policy.grants.first(), |label| policy.grant(label));
        let profile = grant.and_then(|grant| self.enrollment.profiles.iter().find(|it| it.name == grant.profile));
        let keys = profile.map(|profile| profile.keys.as_slice()).unwrap_or_default();
        let mut list = AttributeList::new();
        for rule in keys {
            // A client reads one attribute of each kind (RFC 9908 §3.2): the first is preferred.
            let added = match rule {
                KeyRule::RsaFrom(bits) => list.add(oids::RSA_ENCRYPTION, bits),
                KeyRule::Exactly(key) => match key.identifiers() {
                    (id, Some(curve)) => list.add(id, &curve),
                    _ => continue,
                },
            };
            let _first = added;
        }
        let list = list.attributes();
        if list.is_empty() {
            return Ok(Response { status: 204, ..Response::default() });
        }
        let der = encode(&SeqOf::from_slice(&list)).map_err(Refusal::internal)?;
        Ok(Response::new("application/csrattrs", encoded(&der)))
    }
}

impl Service for Est {
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
        match self.route(store, request, now) {
            // RFC 7030 §4.1.3 and others; RFC 8951 §3.1 keeps the header for old clients.
            Ok(response) if response.status == 200 && !response.content_type.starts_with("multipart") => {
                response.header("content-transfer-encoding", "base64")
            }
            Ok(response) => response,
            Err(refusal) => {
                let response = Response::text(refusal.status(), refusal.detail.as_str());
                let response = match refusal.kind {
                    // RFC 7030 §3.2.3.
                    Kind::Unauthenticated => {
                        response.header("www-authenticate", "Basic realm=\"est\", charset=\"UTF-8\"")
                    }
                    Kind::Busy | Kind::Unavailable => response.header("retry-after", "5"),
                    _ => response,
                };
                Response { internal: refusal.internal, ..response }
            }
        }
    }
}

/// An authenticated request.
struct Ask<'a> {
    client: &'a Client,
    label: Option<&'a str>,
    is_renewal: bool,
    binding: Option<&'a [u8]>,
}

/// Authenticates a client.
fn client(call: &mut Call<'_>, request: &Request<'_>, is_renewal: bool) -> Result<Client, Refusal> {
    // RFC 7030 §3.3.2: renewal is authenticated by the certificate that is renewed.
    if let Some(authorization) = request.authorization.filter(|_| !is_renewal) {
        let (user, password) = basic(authorization).ok_or_else(Refusal::unauthenticated)?;
        return call.password(Usage::User, &user, &password);
    }
    match request.chain.first() {
        Some(certificate) => call.certificate(certificate),
        None => Err(Refusal::unauthenticated()),
    }
}

/// The user and password of HTTP Basic authentication (RFC 7617 §2).
fn basic(authorization: &[u8]) -> Option<(String, Vec<u8>)> {
    let (scheme, rest) = authorization.split_at_checked(6)?;
    if !scheme.eq_ignore_ascii_case(b"basic ") {
        return None;
    }
    let mut pair = base64::decode(rest.trim_ascii()).ok()?;
    let colon = pair.iter().position(|octet| *octet == b':')?;
    let password = pair.split_off(colon.checked_add(1)?);
    pair.truncate(colon);
    Some((String::from_utf8(pair).ok()?, password))
}

/// Base64 without line breaks, because strongSwan 5.9.8 does not skip them (RFC 8951 §3.1 makes them optional).
fn encoded(der: &[u8]) -> Vec<u8> {
    base64::encode(der).into_bytes()
}

/// Checks the attributes of a request that are not for the certificate.
fn check_attributes(der: &[u8], binding: Option<&[u8]>, is_generated: bool) -> Result<(), Refusal> {
    let malformed = |error: tagwise_codec::Error| Refusal::malformed(error.to_string());
    let request = CertificationRequest::from_der(der).map_err(malformed)?;
    for attribute in request.certification_request_info.attributes.iter() {
        let attribute = attribute.map_err(malformed)?;
        let id = attribute.attr_type;
        if id == oids::CHALLENGE_PASSWORD {
            // RFC 7030 §3.5: it links the proof of possession to the TLS connection.
            let value = attribute.values.iter().next().transpose().map_err(malformed)?;
            let value = value.as_ref().and_then(text);
            let expected = binding.map(base64::encode);
            let is_linked = value.zip(expected).is_some_and(|(value, own)| is_same(value.as_bytes(), own.as_bytes()));
            if !is_linked {
                let what = "the challenge password is not the channel binding of this connection (RFC 7030 §3.5)";
                return Err(Refusal::new(Kind::Proof, what));
            }
        }
        // RFC 7030 §4.4.1: the client asks for the key in another encryption besides TLS.
        if is_generated && [oids::AA_DECRYPT_KEY_ID, oids::AA_ASYMM_DECRYPT_KEY_ID].contains(&id) {
            return Err(Refusal::malformed("encryption of generated keys is not supported (RFC 7030 §4.4.1)"));
        }
        if id == tagwise_pkix::cmc::ID_CMC_CHANGE_SUBJECT_NAME {
            return Err(Refusal::unauthorized("changes of the subject are not supported (RFC 7030 §4.2.2)"));
        }
    }
    Ok(())
}

/// Issues a certificate.
fn issue(call: &mut Call<'_>, ask: &Ask<'_>, der: &[u8], immediate: bool) -> Result<Outcome, Refusal> {
    let requested = Requested::from_der(call.service.backend, der).map_err(Refusal::of_request)?;
    let party = ask.client.id();
    // The same request to another resource is another transaction.
    let resource =
        format!("{} {}\0", if ask.is_renewal { "renewal" } else { "enrollment" }, ask.label.unwrap_or_default());
    call.enroll(&Enroll {
        protocol: Protocol::Est,
        client: ask.client,
        transaction: &[resource.as_bytes(), der].concat(),
        party: party.as_bytes(),
        form: Form::Pkcs10,
        request: der,
        requested,
        renewal: ask.is_renewal,
        possession: Possession::Verified,
        immediate,
        grant: ask.label,
        keep: KEEP,
    })
}

fn pending(call: &Call<'_>) -> Response {
    // RFC 7030 §4.2.3.
    let wait = call.service.policy.polling_seconds.to_string();
    Response::text(202, "the request is waiting for approval").header("retry-after", wait)
}

fn enroll(call: &mut Call<'_>, ask: &Ask<'_>, der: &[u8]) -> Result<Response, Refusal> {
    check_attributes(der, ask.binding, false)?;
    match issue(call, ask, der, false)? {
        Outcome::Pending => Ok(pending(call)),
        Outcome::Issued(certificate) => {
            let message =
                tagwise_pkix::build::cms::certificates_only(&[&certificate], &[]).map_err(Refusal::internal)?;
            Ok(Response::new("application/pkcs7-mime; smime-type=certs-only", encoded(&message)))
        }
    }
}

/// Generates a key of the kind in the request, and issues a certificate for it (RFC 7030 §4.4).
fn generate(call: &mut Call<'_>, ask: &Ask<'_>, der: &[u8]) -> Result<Response, Refusal> {
    check_attributes(der, ask.binding, true)?;
    let malformed = |error: tagwise_codec::Error| Refusal::malformed(error.to_string());
    let read = CertificationRequest::from_der(der).map_err(malformed)?;
    let info = &read.certification_request_info;
    let kind = KeyType::of(&info.subject_pk_info).map_err(|error| Refusal::new(Kind::Algorithm, error.to_string()))?;
    if !kind.signs() || !call.service.backend.generates(kind) || matches!(kind, KeyType::Rsa(bits) if bits > 4096) {
        return Err(Refusal::new(Kind::Algorithm, format!("{kind} keys cannot be generated here")));
    }
    // Its signature is checked although the server replaces the key, so that the client has one.
    let asked = Requested::from_der(call.service.backend, der).map_err(Refusal::of_request)?;
    let key = call.service.backend.generate(kind).map_err(Refusal::internal)?;
    let mut builder = CsrBuilder::new().subject_name(&asked.subject.name()).map_err(Refusal::internal)?;
    for name in &asked.names {
        builder = builder.name(&name.general()?).map_err(Refusal::internal)?;
    }
    if let Some(error) = asked.refused.first() {
        return Err(Refusal::new(Kind::Template, error.to_string()));
    }
    let signer = KeySigner::preferred(std::sync::Arc::clone(&key)).map_err(Refusal::internal)?;
    let request = builder.sign(&signer).map_err(Refusal::internal)?;
    // The key exists in this response alone, so a request cannot be repeated or wait.
    let outcome = issue(call, ask, request.as_der(), true)?;
    let Outcome::Issued(certificate) = outcome else {
        return Err(Refusal::busy());
    };
    let key = key.to_pkcs8().map_err(Refusal::internal)?;
    let message = tagwise_pkix::build::cms::certificates_only(&[&certificate], &[]).map_err(Refusal::internal)?;
    let mut body = Vec::new();
    for (kind, der) in
        [("application/pkcs8", key.expose()), ("application/pkcs7-mime; smime-type=certs-only", message.as_slice())]
    {
        let head = format!("--{BOUNDARY}\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(&encoded(der));
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    Ok(Response::new("multipart/mixed; boundary=\"==tagwise-est==\"", body).header("cache-control", "no-store"))
}
