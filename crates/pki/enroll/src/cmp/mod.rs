//! The Certificate Management Protocol (RFC 9810) over HTTP (RFC 9811), in its lightweight profile (RFC 9483).

mod body;
mod differences;
mod enroll;
mod fault;
mod nested;
mod possession;
mod protection;

use core::net::IpAddr;

use tagwise_ca::Documents;
use tagwise_codec::{BitStr, Captured, Decode, GeneralizedTime, Null, OctetStr, Open, SeqOf, encode, text::hex};
use tagwise_pkix::cmp::{
    CertProfileValue, CmpCertificate, ID_IT_CERT_PROFILE, ID_IT_IMPLICIT_CONFIRM, InfoTypeAndValue, PkiBody, PkiHeader,
    PkiMessage, Pvno,
};
use tagwise_pkix::ext::{GeneralName, SubjectKeyIdentifier};
use tagwise_pkix::{AlgorithmIdentifier, UnixTime};

use crate::http::{Request, Response, Service, too_long, wrong_method};
use crate::service::{Call, Client, Enrollment};
use fault::{BAD_REQUEST, BAD_SENDER_NONCE, BAD_TIME, Fault, UNSUPPORTED_VERSION};
use protection::Mac;

/// The media type (RFC 9811 §3.3).
const MEDIA_TYPE: &str = "application/pkixcmp";

/// The path of a grant: `/.well-known/cmp/p/LABEL` (RFC 9811 §3.4).
const LABELS: &str = "/.well-known/cmp/p/";

/// The greatest difference of clocks, in seconds.
const CLOCKS: i64 = 3600;

/// A CMP server. Clients protect their messages with a certificate of the CA or with a shared secret.
#[derive(Clone, Debug)]
pub struct Cmp {
    enrollment: Enrollment,
}

/// A request in progress.
struct Context<'a, 'c> {
    call: Call<'c>,
    message: &'a PkiMessage<'a>,
    client: Client,
    has_mac: bool,
    /// The client's identifier of the transaction.
    transaction: &'a [u8],
    /// The nonce of the response.
    nonce: [u8; 16],
    /// The grant that the client asks for.
    grant: Option<String>,
}

/// A response without header and protection.
struct Answer {
    /// A PKIBody in DER.
    body: Vec<u8>,
    /// True if the client need not confirm its certificate.
    implicit: bool,
}

impl Answer {
    fn new(body: &PkiBody<'_>) -> Result<Self, Fault> {
        Ok(Self { body: encode(body).map_err(Fault::internal)?, implicit: false })
    }
}

/// The circumstances of a request: the label in its path, the client's address and the time.
#[derive(Clone, Copy)]
struct Arrival<'a> {
    label: Option<&'a str>,
    peer: Option<IpAddr>,
    now: UnixTime,
}

/// The parts of the header that responses repeat.
fn check_header<'a>(header: &PkiHeader<'a>, now: UnixTime) -> Result<&'a [u8], Fault> {
    if ![Pvno::CMP2000, Pvno::CMP2021].contains(&header.pvno) {
        return Err(Fault::new(UNSUPPORTED_VERSION, "unsupported version, expected cmp2000 or cmp2021"));
    }
    // RFC 9483 §3.1: both have at least 128 bits.
    let transaction = header.transaction_id.map(|id| id.as_bytes()).filter(|id| (8..=64).contains(&id.len()));
    let transaction =
        transaction.ok_or_else(|| Fault::new(BAD_REQUEST, "the transactionID is missing or has a wrong length"))?;
    if header.sender_nonce.is_none_or(|nonce| !(16..=64).contains(&nonce.as_bytes().len())) {
        return Err(Fault::new(BAD_SENDER_NONCE, "the senderNonce is missing or has a wrong length (RFC 9483 §3.1)"));
    }
    let is_close = |time: GeneralizedTime<'_>| now.0.abs_diff(time.unix().0) <= CLOCKS.unsigned_abs();
    if header.message_time.is_some_and(|time| !is_close(time)) {
        return Err(Fault::new(BAD_TIME, "the messageTime differs by more than an hour from the server's time"));
    }
    Ok(transaction)
}

/// The general information of a type, if the header contains it.
fn info<'a>(header: &PkiHeader<'a>, id: tagwise_codec::Oid<'_>) -> Option<InfoTypeAndValue<'a>> {
    let list = header.general_info?;
    list.iter().map_while(Result::ok).find(|info| info.info_type == id)
}

impl Cmp {
    /// Creates a server.
    #[must_use]
    pub fn new(enrollment: Enrollment) -> Self {
        Self { enrollment: enrollment.counted() }
    }

    /// Answers a message, with a rejection if necessary.
    fn respond(
        &self,
        store: &mut dyn Documents,
        message: &PkiMessage<'_>,
        arrival: Arrival<'_>,
    ) -> Result<(Vec<u8>, Option<String>), Fault> {
        let Arrival { label, peer, now } = arrival;
        let mut nonce = [0; 16];
        self.enrollment.backend.random(&mut nonce).map_err(Fault::internal)?;
        let mut mac = None;
        let mut call = self.enrollment.call(store, peer, now);
        let answer = check_header(&message.header, now).and_then(|transaction| {
            let (client, own) = protection::authenticate(&mut call, message)?;
            mac = own;
            let profile = info(&message.header, ID_IT_CERT_PROFILE).and_then(|info| info.info_value);
            let profile = profile.map(|value| value.decode_as::<CertProfileValue<'_>>()).transpose();
            let profile = profile.map_err(Fault::malformed)?.and_then(|list| list.0.iter().next()?.ok());
            let grant = profile.map(|name| name.as_str().to_owned()).or_else(|| label.map(str::to_owned));
            let has_mac = mac.is_some();
            body::answer(&mut Context { call, message, client, has_mac, transaction, nonce, grant })
        });
        let (answer, internal) = match answer {
            Ok(answer) => (answer, None),
            Err(fault) => (Answer { body: fault.body()?, implicit: false }, fault.internal),
        };
        Ok((self.finish(message, &answer, mac.as_ref(), nonce, now)?, internal))
    }

    /// Adds the header and the protection.
    fn finish(
        &self,
        request: &PkiMessage<'_>,
        answer: &Answer,
        mac: Option<&Mac>,
        nonce: [u8; 16],
        now: UnixTime,
    ) -> Result<Vec<u8>, Fault> {
        let (asked, authority) = (&*request.header, &self.enrollment.authority);
        let signer = &*self.enrollment.signer;
        let tbs = &authority.certificate().tbs_certificate;
        let own = tbs.extensions.map(|list| list.get::<SubjectKeyIdentifier<'_>>()).transpose();
        let own = own.map_err(Fault::internal)?.flatten().map(|own| own.0);
        let algorithm = match mac {
            Some(mac) => mac.algorithm.clone(),
            None => signer.identifier().map_err(Fault::internal)?.into_owned(),
        };
        let null = encode(&Null).map_err(Fault::internal)?;
        let confirm = [InfoTypeAndValue {
            info_type: ID_IT_IMPLICIT_CONFIRM,
            info_value: Some(Open::new(ID_IT_IMPLICIT_CONFIRM.as_bytes(), &null)),
        }];
        let header = encode(&PkiHeader {
            // A response to an unsupported version has the lowest that is supported.
            pvno: if asked.pvno == Pvno::CMP2021 { Pvno::CMP2021 } else { Pvno::CMP2000 },
            sender: GeneralName::DirectoryName(tbs.subject),
            recipient: asked.sender,
            message_time: Some(GeneralizedTime::from_unix(now).map_err(Fault::internal)?),
            protection_alg: Some(AlgorithmIdentifier::from_der(&algorithm).map_err(Fault::internal)?),
            sender_kid: mac.map_or(own, |mac| Some(OctetStr::new(&mac.reference))),
            recip_kid: None,
            transaction_id: asked.transaction_id,
            sender_nonce: Some(OctetStr::new(&nonce)),
            recip_nonce: asked.sender_nonce,
            free_text: None,
            general_info: answer.implicit.then(|| SeqOf::from_slice(&confirm)),
        });
        let header = header.map_err(Fault::internal)?;
        let certificates = self.enrollment.chain.iter().map(|der| CmpCertificate::from_der(der));
        let certificates = certificates.collect::<Result<Vec<_>, _>>().map_err(Fault::internal)?;
        let mut message = PkiMessage {
            header: Captured::from_octets(&header).map_err(Fault::internal)?,
            body: Captured::from_octets(&answer.body).map_err(Fault::internal)?,
            protection: None,
            extra_certs: Some(SeqOf::from_slice(&certificates)),
        };
        let signed = protection::protected(&message)?;
        let protection = match mac {
            Some(mac) => mac.of(self.enrollment.backend, self.enrollment.policy.cmp_iterations, &signed)?,
            None => signer.sign(&signed).map_err(Fault::internal)?,
        };
        message.protection = Some(BitStr::from_octets(&protection));
        encode(&message).map_err(Fault::internal)
    }
}

impl Service for Cmp {
    fn issued(&self) -> u64 {
        self.enrollment.count()
    }

    fn report_issued(&self, report: Box<crate::http::Report>) {
        self.enrollment.report_to(report);
    }

    fn maintain(&self, store: &mut dyn Documents, now: UnixTime) -> Result<(), tagwise_ca::Error> {
        self.enrollment.maintain(store, now).map(drop)
    }

    fn answer(&self, store: &mut dyn Documents, request: &Request<'_>, now: UnixTime) -> Response {
        if let Some(response) = too_long(self, request) {
            return response;
        }
        if request.method != "POST" {
            return wrong_method("POST");
        }
        if !request.is(MEDIA_TYPE) {
            return Response::text(415, "unexpected content type, expected application/pkixcmp (RFC 9811 §3.3)");
        }
        let label = request.path.strip_prefix(LABELS).map(|rest| rest.split('/').next().unwrap_or(rest));
        if label.is_some_and(|label| self.enrollment.policy.grant(label).is_none()) {
            return Response::text(404, "no such resource");
        }
        let message = match PkiMessage::from_der(request.body) {
            Ok(message) => message,
            Err(error) => return Response::text(400, format!("the message is malformed: {error}")),
        };
        let arrival = Arrival { label, peer: request.peer, now };
        let done = match &*message.body {
            PkiBody::Nested(list) => self.nested(store, &message, list, arrival),
            _ => self.respond(store, &message, arrival),
        };
        match done {
            Ok((body, internal)) => Response { internal, ..Response::new(MEDIA_TYPE, body) },
            Err(fault) => {
                let internal = Some(fault.internal.unwrap_or(fault.why));
                Response { internal, ..Response::text(500, "the service failed") }
            }
        }
    }
}

/// A nonce as it is stored.
fn stored(nonce: &[u8]) -> String {
    hex::encode(nonce)
}
