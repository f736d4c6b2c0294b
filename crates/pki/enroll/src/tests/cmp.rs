//! CMP.

use tagwise_codec::{Any, BitStr, Captured, GeneralizedTime, Int, OctetStr, Oid, Open, SeqOf, encode};
use tagwise_crypto::{Digest, Primitives, Scheme, verify};
use tagwise_pkix::cmp::ID_PASSWORD_BASED_MAC;
use tagwise_pkix::cmp::*;
use tagwise_pkix::crmf::*;
use tagwise_pkix::ext::{CrlReason, GeneralName, SubjectAltName};
use tagwise_pkix::pkcs5::{Pbkdf2Params, Pbkdf2ParamsSalt, Pbmac1Params};
use tagwise_pkix::{AlgorithmIdentifier, Extensions, SubjectPublicKeyInfo};

use super::net::Net;
use super::*;
use crate::{Cmp, Request, Response, Service};

/// The protection of a client's messages.
#[derive(Clone)]
pub(super) enum Guard {
    None,
    /// A password-based MAC: the reference and the secret.
    Pbm(String, String),
    Pbmac1(String, String),
    /// A key with its certificate.
    Signature(Arc<dyn PrivateKey>, Vec<u8>),
}

/// A message before it is encoded.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) guard: Guard,
    pub(super) pvno: u8,
    pub(super) transaction: Vec<u8>,
    pub(super) nonce: Vec<u8>,
    pub(super) recipient_nonce: Vec<u8>,
    pub(super) time: Option<i64>,
    pub(super) iterations: u64,
    pub(super) implicit: bool,
    pub(super) sender: Option<String>,
}

const NULL: &[u8] = b"\x05\x00";

fn algorithm(id: Oid<'static>) -> AlgorithmIdentifier<'static> {
    AlgorithmIdentifier { algorithm: id, parameters: Some(Any::from_der(NULL).unwrap()) }
}

impl Draft {
    pub(super) fn new(guard: Guard) -> Self {
        let transaction = BACKEND.generate(KeyType::Ed25519).unwrap().public_key_info()[12..28].to_vec();
        Self {
            guard,
            pvno: 2,
            transaction,
            nonce: vec![5; 16],
            recipient_nonce: Vec::new(),
            time: None,
            iterations: 500,
            implicit: true,
            sender: None,
        }
    }

    /// The next message of the transaction.
    pub(super) fn next(&self, response: &Response) -> Self {
        let message = PkiMessage::from_der(&response.body).unwrap();
        Self { recipient_nonce: message.header.sender_nonce.unwrap().as_bytes().to_vec(), ..self.clone() }
    }

    pub(super) fn build(&self, body: &[u8]) -> Vec<u8> {
        let pbm = PbmParameter {
            salt: OctetStr::new(b"salt of the client"),
            owf: algorithm(oids::SHA256),
            iteration_count: self.iterations,
            mac: algorithm(oids::HMAC_SHA1),
        };
        let pbkdf2 = encode(&Pbkdf2Params {
            salt: Pbkdf2ParamsSalt::Specified(OctetStr::new(b"salt of the client")),
            iteration_count: self.iterations.max(1),
            key_length: Some(32),
            prf: algorithm(oids::HMAC_WITH_SHA256),
        })
        .unwrap();
        let pbmac1 = Pbmac1Params {
            key_derivation_func: AlgorithmIdentifier {
                algorithm: oids::PBKDF2,
                parameters: Some(Any::from_der(&pbkdf2).unwrap()),
            },
            message_auth_scheme: algorithm(oids::HMAC_WITH_SHA256),
        };
        let parameters = match &self.guard {
            Guard::Pbm(..) => encode(&pbm).unwrap(),
            _ => encode(&pbmac1).unwrap(),
        };
        let parameters = Some(Any::from_der(&parameters).unwrap());
        let scheme = Scheme::Ecdsa(Digest::Sha256).identifier().unwrap();
        let (protection_alg, reference) = match &self.guard {
            Guard::None => (None, None),
            Guard::Pbm(id, _) => (Some(AlgorithmIdentifier { algorithm: ID_PASSWORD_BASED_MAC, parameters }), Some(id)),
            Guard::Pbmac1(id, _) => (Some(AlgorithmIdentifier { algorithm: oids::PBMAC1, parameters }), Some(id)),
            Guard::Signature(..) => (Some(AlgorithmIdentifier::from_der(&scheme).unwrap()), None),
        };
        let subject = match (&self.guard, &self.sender) {
            (_, Some(sender)) => NameBuf::parse(sender).unwrap(),
            (Guard::Signature(_, der), None) => {
                NameBuf::new(&Certificate::from_der(der).unwrap().tbs_certificate.subject).unwrap()
            }
            _ => NameBuf::parse("").unwrap(),
        };
        let confirm = [InfoTypeAndValue {
            info_type: ID_IT_IMPLICIT_CONFIRM,
            info_value: Some(Open::new(ID_IT_IMPLICIT_CONFIRM.as_bytes(), NULL)),
        }];
        let octets = |octets| Some(OctetStr::new(octets)).filter(|it: &OctetStr<'_>| !it.as_bytes().is_empty());
        let header = encode(&PkiHeader {
            pvno: Pvno(self.pvno),
            sender: GeneralName::DirectoryName(subject.name()),
            recipient: GeneralName::DirectoryName(NameBuf::parse("").unwrap().name()),
            message_time: self.time.map(|time| GeneralizedTime::from_unix(UnixTime(time)).unwrap()),
            protection_alg,
            sender_kid: reference.map(|reference| OctetStr::new(reference.as_bytes())),
            recip_kid: None,
            transaction_id: octets(&self.transaction),
            sender_nonce: octets(&self.nonce),
            recip_nonce: octets(&self.recipient_nonce),
            free_text: None,
            general_info: self.implicit.then(|| SeqOf::from_slice(&confirm)),
        })
        .unwrap();
        let certificates = match &self.guard {
            Guard::Signature(_, der) => vec![CmpCertificate::from_der(der).unwrap()],
            _ => Vec::new(),
        };
        let mut message = PkiMessage {
            header: Captured::from_octets(&header).unwrap(),
            body: Captured::from_octets(body).unwrap(),
            protection: None,
            extra_certs: (!certificates.is_empty()).then(|| SeqOf::from_slice(&certificates)),
        };
        let signed = encode(&ProtectedPart { header: message.header, body: message.body }).unwrap();
        let protection = self.protect(&signed);
        message.protection = protection.as_deref().map(BitStr::from_octets);
        encode(&message).unwrap()
    }

    fn protect(&self, signed: &[u8]) -> Option<Vec<u8>> {
        let (key, digest) = match &self.guard {
            Guard::None => return None,
            Guard::Signature(key, _) => return Some(key.sign(&Scheme::Ecdsa(Digest::Sha256), signed).unwrap()),
            Guard::Pbm(_, secret) => {
                let mut key = [secret.as_bytes(), b"salt of the client"].concat();
                (0..self.iterations.min(10_000)).for_each(|_| key = BACKEND.digest(Digest::Sha256, &key).unwrap());
                (key, Digest::Sha1)
            }
            Guard::Pbmac1(_, secret) => {
                let mut key = vec![0; 32];
                let count = u32::try_from(self.iterations).unwrap();
                BACKEND.pbkdf2(Digest::Sha256, secret.as_bytes(), b"salt of the client", count, &mut key).unwrap();
                (key, Digest::Sha256)
            }
        };
        let mut hasher = BACKEND.hmac(digest, &key).unwrap();
        hasher.update(signed);
        Some(hasher.finish().unwrap())
    }

    /// Checks the protection of a response, and its references to the request.
    pub(super) fn check(&self, world: &World, response: &Response) {
        let message = PkiMessage::from_der(&response.body).unwrap();
        assert_eq!(message.header.transaction_id.unwrap().as_bytes(), self.transaction);
        assert_eq!(message.header.recip_nonce.unwrap().as_bytes(), self.nonce);
        let signed = encode(&ProtectedPart { header: message.header, body: message.body }).unwrap();
        let protection = message.protection.unwrap().octets().unwrap();
        match &self.guard {
            Guard::Pbm(..) | Guard::Pbmac1(..) => assert_eq!(self.protect(&signed).unwrap(), protection),
            _ => {
                let authority = world.authority();
                let key = authority.certificate().tbs_certificate.subject_public_key_info;
                verify(&BACKEND, &key, &message.header.protection_alg.unwrap(), &signed, protection).unwrap();
            }
        }
    }
}

pub(super) fn post(world: &mut World, body: &[u8]) -> Response {
    let cmp = Cmp::new(world.enrollment.clone());
    let content_type = Some(&b"application/pkixcmp"[..]);
    let request = Request { method: "POST", path: "/.well-known/cmp", content_type, body, ..Request::default() };
    cmp.answer(&mut world.store, &request, world.now)
}

pub(super) fn send(world: &mut World, draft: &Draft, body: &[u8]) -> Response {
    let response = post(world, &draft.build(body));
    assert_eq!((response.status, &response.internal), (200, &None), "{}", String::from_utf8_lossy(&response.body));
    draft.check(world, &response);
    response
}

/// The proof of possession in a request.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Proof {
    Signature,
    /// A signature by another key.
    Forged,
    None,
    RaVerified,
    /// A later message proves it, for a key that agrees on another (true) or for another key.
    Later(SubsequentMessage, bool),
    /// The encrypted private key.
    ThisMessage,
    /// A MAC with a key that both have agreed on.
    DhMac,
}

/// A request for a certificate: ir (0), cr (2) or kur (7).
pub(super) fn request(
    kind: u8,
    key: &Arc<dyn PrivateKey>,
    subject: &str,
    names: &[&str],
    proof: Proof,
    count: usize,
) -> Vec<u8> {
    let names: Vec<AltName> = names.iter().map(|name| AltName::dns(name).unwrap()).collect();
    let general: Vec<GeneralName<'_>> = names.iter().map(|name| name.general().unwrap()).collect();
    let mut list = tagwise_pkix::build::ExtensionList::new();
    if !general.is_empty() {
        let value = SubjectAltName(tagwise_pkix::ext::GeneralNames(SeqOf::from_slice(&general)));
        list.add(false, &value).unwrap();
    }
    request_with(kind, key, subject, Extensions::new(&list.extensions()), proof, count)
}

/// A request with these extensions.
pub(super) fn request_with(
    kind: u8,
    key: &Arc<dyn PrivateKey>,
    subject: &str,
    extensions: Option<Extensions<'_>>,
    proof: Proof,
    count: usize,
) -> Vec<u8> {
    let template = CertTemplate { extensions, ..CertTemplate::default() };
    request_of(kind, key, subject, template, proof, count)
}

/// A request whose template has this content, and the key and the subject.
pub(super) fn request_of(
    kind: u8,
    key: &Arc<dyn PrivateKey>,
    subject: &str,
    template: CertTemplate<'_>,
    proof: Proof,
    count: usize,
) -> Vec<u8> {
    let subject = NameBuf::parse(subject).unwrap();
    let template = CertTemplate {
        subject: Some(subject.name()),
        public_key: Some(SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap()),
        ..template
    };
    let inner = encode(&CertRequest { cert_req_id: Int::ZERO, cert_template: template, controls: None }).unwrap();
    let scheme = Scheme::Ecdsa(Digest::Sha256);
    let identifier = scheme.identifier().unwrap();
    let signature = match proof {
        Proof::Forged => BACKEND.generate(KeyType::P256).unwrap().sign(&scheme, &inner).unwrap(),
        Proof::Signature => key.sign(&scheme, &inner).unwrap(),
        _ => Vec::new(),
    };
    let popo = match proof {
        Proof::Signature | Proof::Forged => Some(ProofOfPossession::Signature(PopoSigningKey {
            poposk_input: None,
            algorithm_identifier: AlgorithmIdentifier::from_der(&identifier).unwrap(),
            signature: BitStr::from_octets(&signature),
        })),
        Proof::None => None,
        Proof::RaVerified => Some(ProofOfPossession::RaVerified),
        Proof::Later(method, false) => Some(ProofOfPossession::KeyEncipherment(PopoPrivKey::SubsequentMessage(method))),
        Proof::Later(method, true) => Some(ProofOfPossession::KeyAgreement(PopoPrivKey::SubsequentMessage(method))),
        Proof::ThisMessage => {
            Some(ProofOfPossession::KeyEncipherment(PopoPrivKey::ThisMessage(BitStr::from_octets(b"x"))))
        }
        Proof::DhMac => Some(ProofOfPossession::KeyAgreement(PopoPrivKey::DhMac(BitStr::from_octets(b"x")))),
    };
    let message = CertReqMsg { cert_req: Captured::from_octets(&inner).unwrap(), popo, reg_info: None };
    let all = vec![message; count];
    let content = CertReqMessages(SeqOf::from_slice(&all));
    encode(&match kind {
        0 => PkiBody::Ir(content),
        2 => PkiBody::Cr(content),
        _ => PkiBody::Kur(content),
    })
    .unwrap()
}

/// The kind of body, the status, and the bits of the failure in a response.
pub(super) fn first<'a>(list: &CertRepMessage<'a>) -> PkiStatusInfo<'a> {
    list.response.iter().next().unwrap().unwrap().status
}

pub(super) fn read(response: &Response) -> (&'static str, u8, Option<u64>) {
    assert_eq!(response.content_type, "application/pkixcmp", "{}", String::from_utf8_lossy(&response.body));
    let message = PkiMessage::from_der(&response.body).unwrap();
    let of = |kind, info: PkiStatusInfo<'_>| (kind, info.status.0, info.fail_info.map(|it| it.0.to_mask().unwrap()));
    match &*message.body {
        PkiBody::Ip(list) => of("ip", first(list)),
        PkiBody::Cp(list) => of("cp", first(list)),
        PkiBody::Kup(list) => of("kup", first(list)),
        PkiBody::Rp(list) => of("rp", list.status.iter().next().unwrap().unwrap()),
        PkiBody::Error(content) => of("error", content.pki_status_info),
        PkiBody::Pkiconf(_) => ("pkiconf", 0, None),
        PkiBody::PollRep(_) => ("pollRep", 0, None),
        PkiBody::Genp(_) => ("genp", 0, None),
        PkiBody::Popdecc(_) => ("popdecc", 0, None),
        PkiBody::Nested(_) => ("nested", 0, None),
        other => panic!("{other:?}"),
    }
}

pub(super) fn certificate(response: &Response) -> Vec<u8> {
    let message = PkiMessage::from_der(&response.body).unwrap();
    let (PkiBody::Ip(list) | PkiBody::Cp(list) | PkiBody::Kup(list)) = &*message.body else { panic!("{message:?}") };
    let pair = list.response.iter().next().unwrap().unwrap().certified_key_pair.unwrap();
    let CertOrEncCert::Certificate(CmpCertificate::X509(raw)) = pair.cert_or_enc_cert else { panic!() };
    raw.as_bytes().unwrap().to_vec()
}

pub(super) fn is_implicit(response: &Response) -> bool {
    PkiMessage::from_der(&response.body).unwrap().header.general_info.is_some()
}

pub(super) fn confirmation(der: &[u8], request: i8, status: Option<PkiStatus>) -> Vec<u8> {
    let hash = BACKEND.digest(Digest::Sha256, der).unwrap();
    let number = request.to_be_bytes();
    let status = [CertStatus {
        cert_hash: OctetStr::new(&hash),
        cert_req_id: Int::from_signed(&number),
        status_info: status.map(|status| PkiStatusInfo { status, status_string: None, fail_info: None }),
        hash_alg: None,
    }];
    encode(&PkiBody::CertConf(SeqOf::from_slice(&status))).unwrap()
}

pub(super) fn revocation(der: &[u8]) -> Vec<u8> {
    revocation_for(der, None)
}

pub(super) fn revocation_for(der: &[u8], reason: Option<CrlReason>) -> Vec<u8> {
    let mut entry = tagwise_pkix::build::ExtensionList::new();
    reason.iter().for_each(|reason| entry.add(false, reason).map(drop).unwrap());
    let entry = entry.extensions();
    let certificate = Certificate::from_der(der).unwrap();
    let details = [RevDetails {
        cert_details: CertTemplate {
            issuer: Some(certificate.tbs_certificate.issuer),
            serial_number: Some(certificate.tbs_certificate.serial_number.0),
            ..CertTemplate::default()
        },
        crl_entry_details: Extensions::new(&entry),
    }];
    encode(&PkiBody::Rr(SeqOf::from_slice(&details))).unwrap()
}

pub(super) fn revoked(world: &mut World, der: &[u8]) -> bool {
    let serial = tagwise_ca::Serial::from_int(Certificate::from_der(der).unwrap().tbs_certificate.serial_number.0);
    let authority = world.authority();
    authority.find(&mut world.store, &serial).unwrap().revocation.is_some()
}

pub(super) fn key() -> Arc<dyn PrivateKey> {
    BACKEND.generate(KeyType::P256).unwrap()
}

#[test]
fn secrets_and_certificates_enroll() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let own = world.client("CN=device-1", "device");
    for (at, guard) in
        [Guard::Pbm(id.clone(), secret.clone()), Guard::Pbmac1(id, secret), Guard::Signature(own.0, own.1)]
            .into_iter()
            .enumerate()
    {
        for (kind, expected) in [(0, "ip"), (2, "cp")] {
            let new = key();
            let body = request(kind, &new, "CN=www.example.org", &["www.example.org"], Proof::Signature, 1);
            let response = send(&mut world, &Draft::new(guard.clone()), &body);
            assert_eq!(read(&response), (expected, 0, None), "{at}");
            assert!(is_implicit(&response));
            let der = certificate(&response);
            let read = Certificate::from_der(&der).unwrap();
            let public = encode(&read.tbs_certificate.subject_public_key_info).unwrap();
            assert_eq!(public, new.public_key_info());
        }
        let new = key();
        let csr = csr(&new, "", &["a.example.org"]);
        let body = encode(&PkiBody::P10cr(tagwise_pkix::csr::CertificationRequest::from_der(&csr).unwrap())).unwrap();
        let response = send(&mut world, &Draft::new(guard), &body);
        assert_eq!(read(&response), ("cp", 0, None));
    }
}

#[test]
fn post_quantum_authorities_sign_responses() {
    let mut world = World::with_key(POLICY, KeyType::MlDsa44);
    let (key_of, own) = world.client("CN=device-1", "device");
    let new = BACKEND.generate(KeyType::MlDsa65).unwrap();
    let csr = csr(&new, "CN=www.example.org", &["www.example.org"]);
    let body = encode(&PkiBody::P10cr(tagwise_pkix::csr::CertificationRequest::from_der(&csr).unwrap())).unwrap();
    // The profile does not accept the key.
    let guard = Guard::Signature(key_of, own);
    assert_eq!(read(&send(&mut world, &Draft::new(guard.clone()), &body)), ("cp", 2, Some(1 << 19)));
    let body = request(0, &key(), "", &["www.example.org"], Proof::Signature, 1);
    assert_eq!(read(&send(&mut world, &Draft::new(guard), &body)), ("ip", 0, None));
}

#[test]
fn confirmations_accept_or_reject() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    for (status, is_revoked) in [(None, false), (Some(PkiStatus::ACCEPTED), false), (Some(PkiStatus::REJECTION), true)]
    {
        let draft = Draft { implicit: false, ..Draft::new(Guard::Pbm(id.clone(), secret.clone())) };
        let body = request(0, &key(), "", &["www.example.org"], Proof::Signature, 1);
        let response = send(&mut world, &draft, &body);
        assert!(!is_implicit(&response));
        let der = certificate(&response);
        let next = draft.next(&response);
        // Of another certificate.
        let wrong = send(&mut world, &next, &confirmation(b"x", 0, status));
        assert_eq!(read(&wrong), ("error", 2, Some(1 << 4)));
        assert_eq!(read(&send(&mut world, &next, &confirmation(&der, 0, status))), ("pkiconf", 0, None));
        assert_eq!(revoked(&mut world, &der), is_revoked);
        // The nonce is used up.
        let again = send(&mut world, &next, &confirmation(&der, 0, status));
        assert_eq!(read(&again), ("error", 2, Some(1 << 13)));
    }
}

#[test]
fn unconfirmed_certificates_are_revoked() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let draft = Draft { implicit: false, ..Draft::new(Guard::Pbm(id, secret)) };
    let body = request(0, &key(), "", &["www.example.org"], Proof::Signature, 1);
    let response = send(&mut world, &draft, &body);
    let der = certificate(&response);
    let enrollment = world.enrollment.clone();
    assert_eq!(enrollment.maintain(&mut world.store, UnixTime(world.now.0 + 300)).unwrap(), 0);
    assert_eq!(enrollment.maintain(&mut world.store, UnixTime(world.now.0 + 301)).unwrap(), 1);
    assert_eq!(enrollment.maintain(&mut world.store, UnixTime(world.now.0 + 302)).unwrap(), 0);
    assert!(revoked(&mut world, &der));
    let late = send(&mut world, &draft.next(&response), &confirmation(&der, 0, None));
    assert_eq!(read(&late), ("error", 2, Some(1 << 10)));
}

#[test]
fn keys_are_updated() {
    let mut world = World::new(POLICY);
    let (old, certificate_of) = world.client("CN=www.example.org", "server");
    let new = key();
    let body = request(7, &new, "CN=www.example.org", &["www.example.org"], Proof::Signature, 1);
    let guard = Guard::Signature(old, certificate_of);
    let response = send(&mut world, &Draft::new(guard), &body);
    assert_eq!(read(&response), ("kup", 0, None));
    let der = certificate(&response);
    assert_eq!(Certificate::from_der(&der).unwrap().tbs_certificate.subject.to_string(), "CN=www.example.org");
}

#[test]
fn owners_revoke() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let guard = Guard::Pbm(id, secret);
    let body = request(0, &key(), "", &["www.example.org"], Proof::Signature, 1);
    let der = certificate(&send(&mut world, &Draft::new(guard.clone()), &body));
    let response = send(&mut world, &Draft::new(guard.clone()), &revocation(&der));
    assert_eq!(read(&response), ("rp", 0, None));
    assert!(revoked(&mut world, &der));
    let response = send(&mut world, &Draft::new(guard), &revocation(&der));
    assert_eq!(read(&response), ("error", 2, Some(1 << 10)));
    // With the certificate itself.
    let (key, own) = world.client("CN=www.example.org", "server");
    let response = send(&mut world, &Draft::new(Guard::Signature(key, own.clone())), &revocation(&own));
    assert_eq!(read(&response), ("rp", 0, None));
    assert!(revoked(&mut world, &own));
}

/// The compromise of an authority is for the CA's operator to report, and no certificate is released by a client.
#[test]
fn reasons_of_authorities_are_refused() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let guard = Guard::Pbm(id, secret);
    let issue = |world: &mut World| {
        let body = request(0, &key(), "", &["www.example.org"], Proof::Signature, 1);
        certificate(&send(world, &Draft::new(guard.clone()), &body))
    };
    let der = issue(&mut world);
    for (reason, failure) in
        [(CrlReason::CaCompromise, 23), (CrlReason::AaCompromise, 23), (CrlReason::RemoveFromCrl, 2)]
    {
        let response = send(&mut world, &Draft::new(guard.clone()), &revocation_for(&der, Some(reason)));
        assert_eq!(read(&response), ("error", 2, Some(1 << failure)), "{reason}");
        assert!(!revoked(&mut world, &der), "{reason}");
    }
    for reason in
        [CrlReason::Unspecified, CrlReason::AffiliationChanged, CrlReason::Superseded, CrlReason::CessationOfOperation]
    {
        let der = issue(&mut world);
        let response = send(&mut world, &Draft::new(guard.clone()), &revocation_for(&der, Some(reason)));
        assert_eq!(read(&response), ("rp", 0, None), "{reason}");
        assert!(revoked(&mut world, &der), "{reason}");
    }
}

#[test]
fn general_messages_are_answered() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let draft = Draft::new(Guard::Pbm(id, secret));
    let asked = [ID_IT_CA_CERTS, ID_IT_ROOT_CA_KEY_UPDATE, ID_IT_CERT_REQ_TEMPLATE, ID_IT_PREFERRED_SYMM_ALG];
    let items = asked.map(|info_type| InfoTypeAndValue { info_type, info_value: None });
    let body = encode(&PkiBody::Genm(SeqOf::from_slice(&items))).unwrap();
    let response = send(&mut world, &draft, &body);
    let message = PkiMessage::from_der(&response.body).unwrap();
    let PkiBody::Genp(list) = &*message.body else { panic!() };
    let list: Vec<InfoTypeAndValue<'_>> = list.iter().map(Result::unwrap).collect();
    let authority = world.authority();
    let value = |at: usize| list[at].info_value.unwrap().get().unwrap();
    let InfoValue::CaCerts(certificates) = value(0) else { panic!() };
    let first = encode(&certificates.0.iter().next().unwrap().unwrap()).unwrap();
    assert_eq!(first, authority.certificate_der());
    assert!(list[1].info_value.is_none());
    let InfoValue::CertReqTemplate(template) = value(2) else { panic!() };
    assert_eq!(template.key_spec.unwrap().0.iter().count(), 2);
    let InfoValue::UnsupportedOids(list) = value(3) else { panic!() };
    assert_eq!(list.0.iter().next().unwrap().unwrap(), ID_IT_PREFERRED_SYMM_ALG);
}

/// The policy of a site with a registration authority.
pub(super) const WITH_RA: &str = "[[grants]]
name = 'servers'
profile = 'server'
dns = ['example.org']
certificates = ['ra', 'device']
registration-authority = true
[[grants]]
name = 'holders'
profile = 'server'
dns = ['example.net']
certificates = ['ra', 'server']
";

#[test]
fn a_registration_authority_verifies_possession() {
    let mut world = World::new(WITH_RA);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let signed = |(key, der): (Arc<dyn PrivateKey>, Vec<u8>)| Guard::Signature(key, der);
    let (ra, device) = (world.client("CN=RA", "ra"), world.client("CN=device-1", "device"));
    let holder = world.client("CN=www.example.org", "server");
    let mut other = World::new(WITH_RA);
    let foreign = other.client("CN=RA", "ra");
    let revoked = world.client("CN=old RA", "ra");
    world.revoke(&revoked.1);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let with = |kind, name, proof| request(kind, &key, "", &[name], proof, 1);
    let verified = |kind, name| with(kind, name, Proof::RaVerified);
    let count = world.count();
    let (ip, kup, error) = (|bit| ("ip", 2, Some(1u64 << bit)), ("kup", 2, Some(1 << 9)), ("error", 2, Some(1 << 20)));
    let cases = [
        // The policy names its certificate, but it is not for registration authorities.
        ("no cmcRA", signed(device), verified(0, "a.example.org"), ip(9)),
        ("no registration authority", signed(holder), verified(0, "a.example.org"), ip(9)),
        ("a shared secret", Guard::Pbm(id, secret), verified(0, "a.example.org"), ip(9)),
        ("a key update", signed(ra.clone()), verified(7, "a.example.org"), kup),
        ("another CA's", signed(foreign), verified(0, "a.example.org"), error),
        ("a revoked certificate", signed(revoked), verified(0, "a.example.org"), error),
        ("a forged proof", signed(ra.clone()), with(0, "a.example.org", Proof::Forged), ip(9)),
        ("no proof", signed(ra.clone()), with(0, "a.example.org", Proof::None), ip(9)),
        // A grant that is not for registration authorities requires the proof.
        ("a name of another grant", signed(ra.clone()), verified(0, "a.example.net"), ip(23)),
        ("a name outside the policy", signed(ra.clone()), verified(0, "a.example.com"), ip(23)),
    ];
    for (name, guard, body, expected) in cases {
        let response = post(&mut world, &Draft::new(guard).build(&body));
        assert_eq!(read(&response), expected, "{name}");
    }
    assert_eq!(world.count(), count);
    for kind in [0, 2] {
        let response = post(&mut world, &Draft::new(signed(ra.clone())).build(&verified(kind, "a.example.org")));
        assert_eq!(read(&response), (if kind == 0 { "ip" } else { "cp" }, 0, None));
    }
    assert_eq!(world.count(), count + 2);
}

#[test]
fn openssl_is_a_registration_authority() {
    if !has("openssl") {
        return;
    }
    let mut world = World::new(WITH_RA);
    let (ra, certificate) = world.client("CN=RA", "ra");
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", world.authority().certificate_der())).unwrap();
    std::fs::write(file("ra.pem"), pem("CERTIFICATE", &certificate)).unwrap();
    std::fs::write(file("ra.key"), pem("PRIVATE KEY", ra.to_pkcs8().unwrap().expose())).unwrap();
    run("openssl", &["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", &file("device.key")]);
    let cmp = Arc::new(Cmp::new(world.enrollment.clone()));
    let net = Net::plain(world, cmp);
    let (address, ca, out) = (net.address.to_string(), file("ca.pem"), file("device.pem"));
    let (ra, ra_key, key) = (file("ra.pem"), file("ra.key"), file("device.key"));
    let server = ["cmp", "-config", "", "-server", &address, "-path", ".well-known/cmp", "-trusted", &ca];
    let signer = ["-cert", &ra, "-key", &ra_key];
    let request = ["-cmd", "ir", "-popo", "0", "-newkey", &key, "-certout", &out];
    let names = ["-subject", "/CN=www.example.org", "-sans", "www.example.org"];
    run("openssl", &[&server[..], &signer, &request, &names].concat());
    run("openssl", &["verify", "-CAfile", &ca, &out]);
}

#[test]
fn openssl_enrolls_updates_and_revokes() {
    if !has("openssl") {
        return;
    }
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", world.authority().certificate_der())).unwrap();
    for name in ["one.key", "two.key", "three.key"] {
        run("openssl", &["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", &file(name)]);
    }
    let cmp = Arc::new(Cmp::new(world.enrollment.clone()));
    let net = Net::plain(world, cmp);
    let address = net.address.to_string();
    let (pass, ca) = (format!("pass:{secret}"), file("ca.pem"));
    let cmp = |more: &[&str]| {
        let common = ["cmp", "-config", "", "-server", &address, "-path", ".well-known/cmp", "-trusted", &ca];
        run("openssl", &[&common[..], more].concat())
    };
    let names = ["-subject", "/CN=www.example.org", "-sans", "www.example.org"];
    let mac = ["-ref", id.as_str(), "-secret", pass.as_str()];
    // ir with explicit confirmation, and cr with implicit confirmation.
    let (key, out, cas) = (file("one.key"), file("one.pem"), file("cas.pem"));
    cmp(&[&["-cmd", "ir", "-newkey", &key, "-certout", &out, "-cacertsout", &cas], &mac[..], &names].concat());
    run("openssl", &["verify", "-CAfile", &ca, &out]);
    run("openssl", &["verify", "-CAfile", &ca, &cas]);
    cmp(&[&["-cmd", "cr", "-newkey", &key, "-certout", &out, "-implicit_confirm"], &mac[..], &names].concat());
    // p10cr.
    let csr = file("request.pem");
    let name = ["-subj", "/CN=www.example.org", "-addext", "subjectAltName=DNS:www.example.org"];
    run("openssl", &[&["req", "-new", "-key", &file("three.key"), "-out", &csr], &name[..]].concat());
    cmp(&[&["-cmd", "p10cr", "-csr", &csr, "-certout", &file("three.pem")], &mac[..]].concat());
    // kur, rr and genm, protected by signatures.
    let (old, new, updated) = (file("one.pem"), file("two.key"), file("two.pem"));
    cmp(&["-cmd", "kur", "-cert", &old, "-key", &key, "-newkey", &new, "-certout", &updated]);
    run("openssl", &["verify", "-CAfile", &ca, &updated]);
    cmp(&["-cmd", "genm", "-infotype", "signKeyPairTypes", "-cert", &updated, "-key", &new]);
    cmp(&["-cmd", "rr", "-oldcert", &updated, "-cert", &updated, "-key", &new, "-revreason", "4"]);
    // The certificate is revoked now.
    let arguments = ["cmp", "-config", "", "-server", &address, "-path", ".well-known/cmp", "-trusted", &ca];
    let more = ["-cmd", "genm", "-infotype", "signKeyPairTypes", "-cert", &updated, "-key", &new];
    let output = std::process::Command::new("openssl").args(arguments).args(more).output().unwrap();
    assert!(!output.status.success());
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("signerNotTrusted"), "{text}");
}
