//! SCEP.

use std::sync::LazyLock;

use tagwise_ca::{Records, Row};
use tagwise_codec::text::base64;
use tagwise_codec::{OctetStr, Oid, Printable, Utf8, encode};
use tagwise_crypto::cms::{
    DecryptOptions, EncryptOptions, Identifier, RecipientKey, SignedOptions, Signing, Unlock, VerifyOptions, decrypt,
    encrypt, sign, verify,
};
use tagwise_crypto::{Cipher, Digest, KeyTransport, Scheme};
use tagwise_pkix::build::{AttributeList, CertificateBuilder};
use tagwise_pkix::cms::{CertificateChoices, Content, ContentInfo, IssuerAndSerialNumber, SignerInfo};

use super::net::Net;
use super::*;
use crate::records::Unconfirmed;
use crate::{Request, Response, Scep, Service, requests};

/// RSA keys are slow to generate.
static KEYS: LazyLock<[Arc<dyn PrivateKey>; 3]> =
    LazyLock::new(|| std::array::from_fn(|_| BACKEND.generate(KeyType::Rsa(2048)).unwrap()));

/// A CA with a SCEP server.
pub(super) struct Site {
    pub(super) world: World,
    pub(super) scep: Scep,
    /// The certificate of the registration authority.
    ra: Vec<u8>,
}

impl Site {
    pub(super) fn new(policy: &str) -> Self {
        let mut world = World::new(policy);
        let ra = world.issue(&KEYS[0], "CN=RA", Definition::new("ra"));
        let scep = Scep::new(world.enrollment.clone(), Arc::clone(&KEYS[0]), ra.clone()).unwrap();
        Self { world, scep, ra }
    }

    fn reload(&mut self) {
        self.scep = Scep::new(self.world.enrollment.clone(), Arc::clone(&KEYS[0]), self.ra.clone()).unwrap();
    }

    pub(super) fn post(&mut self, body: &[u8]) -> Response {
        let query = Some("operation=PKIOperation");
        let request = Request { method: "POST", path: "/scep", query, body, ..Request::default() };
        self.scep.answer(&mut self.world.store, &request, self.world.now)
    }

    fn get(&mut self, query: &str) -> Response {
        let request = Request { method: "GET", path: "/scep", query: Some(query), ..Request::default() };
        self.scep.answer(&mut self.world.store, &request, self.world.now)
    }
}

/// A message before it is encrypted and signed.
#[derive(Clone)]
pub(super) struct Draft<'a> {
    pub(super) kind: &'a str,
    pub(super) transaction: &'a str,
    pub(super) nonce: &'a [u8],
    pub(super) content: &'a [u8],
    pub(super) key: Arc<dyn PrivateKey>,
    pub(super) certificate: &'a [u8],
    pub(super) scheme: Scheme,
    pub(super) cipher: Cipher,
}

impl<'a> Draft<'a> {
    pub(super) fn new(kind: &'a str, content: &'a [u8], key: &Arc<dyn PrivateKey>, certificate: &'a [u8]) -> Self {
        let (transaction, nonce) = ("transaction-1", &[7; 16][..]);
        let (scheme, cipher) = (Scheme::RsaPkcs1(Digest::Sha256), Cipher::Aes256Cbc);
        Self { kind, transaction, nonce, content, key: Arc::clone(key), certificate, scheme, cipher }
    }

    pub(super) fn envelope(&self, site: &Site) -> Vec<u8> {
        let certificate = Certificate::from_der(&site.ra).unwrap();
        let recipient = RecipientKey::Certificate {
            certificate: &certificate,
            identifier: Identifier::IssuerAndSerialNumber,
            transport: KeyTransport::Pkcs1,
        };
        let options = EncryptOptions { cipher: self.cipher, ..EncryptOptions::DEFAULT };
        encrypt(&BACKEND, self.content, &[recipient], &options).unwrap()
    }

    pub(super) fn sign(&self, envelope: &[u8]) -> Vec<u8> {
        let certificate = Certificate::from_der(self.certificate).unwrap();
        let signer = KeySigner::new(Arc::clone(&self.key), self.scheme).unwrap();
        let mut list = AttributeList::new();
        list.add(oids::SCEP_MESSAGE_TYPE, &Printable::new(self.kind).unwrap()).unwrap();
        list.add(oids::SCEP_TRANSACTION_ID, &Printable::new(self.transaction).unwrap()).unwrap();
        list.add(oids::SCEP_SENDER_NONCE, &OctetStr::new(self.nonce)).unwrap();
        let attributes = list.attributes();
        let signing = Signing { attributes: Some(&attributes), ..Signing::new(&signer, &certificate) };
        let options = SignedOptions { certificates: &[self.certificate], ..SignedOptions::DEFAULT };
        sign(&BACKEND, envelope, &[signing], &options).unwrap()
    }

    pub(super) fn build(&self, site: &Site) -> Vec<u8> {
        self.sign(&self.envelope(site))
    }
}

pub(super) fn self_signed(key: &Arc<dyn PrivateKey>) -> Vec<u8> {
    let signer = KeySigner::new(Arc::clone(key), Scheme::RsaPkcs1(Digest::Sha256)).unwrap();
    let builder = CertificateBuilder::new().subject("CN=client").unwrap();
    builder.self_signed(&signer).unwrap().as_der().to_vec()
}

pub(super) fn request(key: &Arc<dyn PrivateKey>, names: &[&str], challenge: Option<&str>) -> Vec<u8> {
    request_of("", key, names, challenge)
}

fn request_of(subject: &str, key: &Arc<dyn PrivateKey>, names: &[&str], challenge: Option<&str>) -> Vec<u8> {
    let mut builder = CsrBuilder::new().subject(subject).unwrap();
    for name in names {
        builder = builder.dns(*name);
    }
    if let Some(challenge) = challenge {
        builder = builder.attribute(oids::CHALLENGE_PASSWORD, &Utf8::new(challenge)).unwrap();
    }
    builder.sign(&KeySigner::preferred(Arc::clone(key)).unwrap()).unwrap().as_der().to_vec()
}

/// The status, the failure, and the decrypted content of a response.
#[derive(Debug, PartialEq)]
pub(super) struct Read {
    pub(super) status: String,
    pub(super) failure: Option<String>,
    /// The failInfoText.
    pub(super) why: Option<String>,
    content: Option<Vec<u8>>,
}

/// Reads a response to a draft, and checks that it refers to it.
pub(super) fn read(response: &Response, draft: &Draft<'_>) -> Read {
    assert_eq!(response.status, 200, "{} {:?}", String::from_utf8_lossy(&response.body), response.internal);
    assert_eq!(response.content_type, "application/x-pki-message");
    let verified = verify(&BACKEND, &response.body, None, &VerifyOptions::DEFAULT).unwrap();
    assert!(verified.is_signed());
    let info = SignerInfo::from_der(&verified.signers[0].info).unwrap();
    let attribute = |id: Oid<'_>| {
        let found = info.signed_attrs.unwrap().0.iter().map(Result::unwrap).find(|it| it.attr_type == id);
        found.map(|it| it.attr_values.iter().next().unwrap().unwrap().content().to_vec())
    };
    let text = |id: Oid<'_>| attribute(id).map(|octets| String::from_utf8(octets).unwrap());
    assert_eq!(text(oids::SCEP_MESSAGE_TYPE).unwrap(), "3");
    assert_eq!(text(oids::SCEP_TRANSACTION_ID).unwrap(), draft.transaction);
    assert_eq!(attribute(oids::SCEP_RECIPIENT_NONCE).unwrap(), draft.nonce);
    let content = (!verified.content.is_empty()).then(|| {
        let certificate = Certificate::from_der(draft.certificate).unwrap();
        let unlock = Unlock::PrivateKey { key: &*draft.key, certificate: Some(&certificate) };
        decrypt(&BACKEND, &verified.content, None, &unlock, &DecryptOptions::DEFAULT).unwrap().content.expose().to_vec()
    });
    let (failure, why) = (text(oids::SCEP_FAIL_INFO), text(oids::SCEP_FAIL_INFO_TEXT));
    Read { status: text(oids::SCEP_PKI_STATUS).unwrap(), failure, why, content }
}

fn issued(response: &Response, draft: &Draft<'_>) -> Vec<u8> {
    let read = read(response, draft);
    assert_eq!((read.status.as_str(), &read.failure), ("0", &None));
    let content = read.content.unwrap();
    let message = ContentInfo::from_der(&content).unwrap();
    let Content::SignedData(signed) = message.content.get().unwrap() else { panic!("no signed data") };
    let list: Vec<CertificateChoices<'_>> = signed.certificates.unwrap().iter().map(Result::unwrap).collect();
    assert_eq!(list.len(), 1);
    encode(&list[0]).unwrap()
}

#[test]
fn the_next_certificate_is_signed_with_the_current_key() {
    let mut site = Site::new(POLICY);
    let authority = site.world.authority();
    let own = authority.certificate().tbs_certificate;
    let rekeyed = |store: &mut SqliteStore, from: i64, to: i64| {
        let key = BACKEND.generate(KeyType::P256).unwrap();
        let validity = (UnixTime(from), UnixTime(to));
        let rekeying = tagwise_ca::Rekeying { key: &key, validity, urls: &Urls::default(), pss: false };
        authority.rekey(store, &BACKEND, &rekeying, &Protection::Clear).unwrap().certificate_der().to_vec()
    };
    let end = own.validity.not_after.unix().0;
    let next = rekeyed(&mut site.world.store, end - 30 * DAY, end + 3650 * DAY);
    assert_eq!(site.get("operation=GetNextCACert").status, 404);
    let wrong = |list: Vec<Vec<u8>>| site.scep.clone().with_next(list).unwrap_err();
    assert_eq!(wrong(vec![]), "no certificate found");
    assert!(wrong(vec![rekeyed(&mut site.world.store, end - 30 * DAY, end)]).contains("expected a time after"));
    for other in [site.ra.clone(), self_signed(&KEYS[1])] {
        assert_eq!(wrong(vec![other]), "the first certificate is not a CA certificate with the CA's name");
    }
    site.scep = site.scep.clone().with_next(vec![next.clone(), site.ra.clone()]).unwrap();
    let capabilities = String::from_utf8(site.get("operation=GetCACaps").body).unwrap();
    assert!(capabilities.lines().any(|line| line == "GetNextCACert"), "{capabilities}");
    let response = site.get("operation=GetNextCACert&message=ca");
    assert_eq!((response.status, response.content_type), (200, "application/x-x509-next-ca-cert"));
    let verified = verify(&BACKEND, &response.body, None, &VerifyOptions::DEFAULT).unwrap();
    assert!(verified.is_signed());
    assert_eq!(verified.signers.len(), 1);
    assert_eq!(verified.signers[0].certificate.as_deref(), Some(authority.certificate_der()));
    let message = ContentInfo::from_der(&verified.content).unwrap();
    let Content::SignedData(signed) = message.content.get().unwrap() else { panic!("no signed data") };
    assert!(signed.signer_infos.iter().next().is_none());
    let list = signed.certificates.unwrap().iter().map(|one| encode(&one.unwrap()).unwrap()).collect::<Vec<_>>();
    // A SET OF has the order of the encodings.
    assert_eq!(list.len(), 2);
    assert!(list.contains(&next) && list.contains(&site.ra));
}

#[test]
fn certificates_and_capabilities_are_public() {
    let mut site = Site::new(POLICY);
    let response = site.get("operation=GetCACaps");
    assert_eq!(
        String::from_utf8(response.body).unwrap(),
        "AES\nPOSTPKIOperation\nRenewal\nSHA-256\nSHA-384\nSHA-512\nSCEPStandard\n"
    );
    let response = site.get("operation=GetCACert&message=ca");
    assert_eq!((response.status, response.content_type), (200, "application/x-x509-ca-ra-cert"));
    assert!(ContentInfo::from_der(&response.body).is_ok());
    assert_eq!(site.get("operation=GetNextCACert").status, 404);
    assert_eq!(site.get("").status, 400);
    // A CA with an RSA key needs no registration authority.
    let world = World::with_key(POLICY, KeyType::Rsa(2048));
    let tagwise_ca::store::StoredKey::Plain(key) = world.enrollment.authority.key() else { panic!() };
    let key = BACKEND.private_key_from_pkcs8(key.expose()).unwrap();
    let own = world.authority().certificate_der().to_vec();
    let scep = Scep::new(world.enrollment.clone(), key, own.clone()).unwrap();
    let mut site = Site { world, scep, ra: own.clone() };
    let response = site.get("operation=GetCACert");
    assert_eq!((response.content_type, response.body), ("application/x-x509-ca-cert", own));
}

#[test]
fn authorities_need_rsa_keys() {
    let mut world = World::new(POLICY);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let ra = world.issue(&key, "CN=RA", Definition::new("ra"));
    assert!(Scep::new(world.enrollment.clone(), key, ra.clone()).is_err());
    assert!(Scep::new(world.enrollment, Arc::clone(&KEYS[0]), ra).is_err());
}

#[test]
fn challenges_admit_once_and_answers_are_repeated() {
    let mut site = Site::new(POLICY);
    let (_, challenge) = site.world.secret(Usage::Challenge, "servers", false);
    let own = self_signed(&KEYS[1]);
    let content = request(&KEYS[1], &["www.example.org"], Some(&challenge));
    let draft = Draft::new("19", &content, &KEYS[1], &own);
    let message = draft.build(&site);
    let first = issued(&site.post(&message), &draft);
    let tbs = Certificate::from_der(&first).unwrap();
    assert_eq!(encode(&tbs.tbs_certificate.subject_public_key_info).unwrap(), KEYS[1].public_key_info());
    // The same message, by GET too.
    assert_eq!(issued(&site.post(&message), &draft), first);
    let text = base64::encode(&message).replace('+', "%2B").replace('=', "%3D");
    assert_eq!(issued(&site.get(&format!("operation=PKIOperation&message={text}")), &draft), first);
    // Another transaction with the same challenge.
    let other = Draft { transaction: "transaction-2", ..draft.clone() };
    let read = read(&site.post(&other.build(&site)), &other);
    assert_eq!((read.status.as_str(), read.failure.as_deref()), ("2", Some("2")));
    assert_eq!(site.world.count(), 2);
}

#[test]
fn self_signed_certificates_may_have_negative_serial_numbers() {
    let mut site = Site::new(POLICY);
    let (_, challenge) = site.world.secret(Usage::Challenge, "servers", false);
    let content = request(&KEYS[1], &["www.example.org"], Some(&challenge));
    let signer = self_signed(&KEYS[1]);
    let draft = Draft::new("19", &content, &KEYS[1], &signer);
    let message = draft.build(&site);
    // In the signer's identifier and in the certificate.
    let serial = Certificate::from_der(&signer).unwrap().tbs_certificate.serial_number.0.as_bytes().to_vec();
    let mut negative = message.clone();
    for at in 0..message.len() - serial.len() {
        if message[at..].starts_with(&serial) {
            negative[at] |= 0x80;
        }
    }
    assert_ne!(negative, message);
    let verified = verify(&BACKEND, &site.post(&negative).body, None, &VerifyOptions::DEFAULT).unwrap();
    let unlock = Unlock::PrivateKey { key: &*KEYS[1], certificate: None };
    decrypt(&BACKEND, &verified.content, None, &unlock, &DecryptOptions::DEFAULT).unwrap();
}

#[test]
fn self_signed_certificates_may_have_dates_of_the_wrong_type() {
    let mut site = Site::new(POLICY);
    let (_, challenge) = site.world.secret(Usage::Challenge, "servers", false);
    let content = request(&KEYS[1], &["www.example.org"], Some(&challenge));
    // 2050-01-01: a GeneralizedTime.
    let from = UnixTime(2_524_608_000);
    let signer = KeySigner::new(Arc::clone(&KEYS[1]), Scheme::RsaPkcs1(Digest::Sha256)).unwrap();
    let builder = CertificateBuilder::new().subject("CN=client").unwrap().not_before(from);
    let signer = builder.self_signed(&signer).unwrap().as_der().to_vec();
    let message = Draft::new("19", &content, &KEYS[1], &signer).build(&site);
    let (later, earlier) = (b"\x18\x0f20500101000000Z", b"\x18\x0f20260101000000Z");
    let at = message.windows(later.len()).position(|octets| octets == later).unwrap();
    let message = [&message[..at], earlier, &message[at + later.len()..]].concat();
    let verified = verify(&BACKEND, &site.post(&message).body, None, &VerifyOptions::DEFAULT).unwrap();
    let unlock = Unlock::PrivateKey { key: &*KEYS[1], certificate: None };
    decrypt(&BACKEND, &verified.content, None, &unlock, &DecryptOptions::DEFAULT).unwrap();
}

#[test]
fn holders_renew() {
    let mut site = Site::new(POLICY);
    let profile = site.world.enrollment.profiles[0].as_ref().clone();
    let old = site.world.issue(&KEYS[1], "CN=www.example.org", profile);
    // Some clients repeat the challenge of their first request.
    let used = "0000000000000000-00";
    for (transaction, kind, challenge) in [("a", "17", None), ("b", "19", None), ("c", "19", Some(used))] {
        let content = request_of("CN=www.example.org", &KEYS[2], &["www.example.org"], challenge);
        let draft = Draft { transaction, ..Draft::new(kind, &content, &KEYS[1], &old) };
        let new = issued(&site.post(&draft.build(&site)), &draft);
        let tbs = Certificate::from_der(&new).unwrap();
        assert_eq!(encode(&tbs.tbs_certificate.subject_public_key_info).unwrap(), KEYS[2].public_key_info());
    }
}

#[test]
fn pending_requests_are_polled() {
    let mut site = Site::new(POLICY);
    let (_, challenge) = site.world.secret(Usage::Challenge, "reviewed", false);
    let own = self_signed(&KEYS[1]);
    let content = request(&KEYS[1], &["a.review.example.org"], Some(&challenge));
    let draft = Draft::new("19", &content, &KEYS[1], &own);
    let first = read(&site.post(&draft.build(&site)), &draft);
    assert_eq!(first, Read { status: "3".to_owned(), failure: None, why: None, content: None });
    let subject = b"\x30\x04\x30\x00\x30\x00";
    let poll = Draft { kind: "20", content: subject, ..draft.clone() };
    assert_eq!(read(&site.post(&poll.build(&site)), &poll).status, "3");
    // Another key cannot fetch it.
    let other = self_signed(&KEYS[2]);
    let thief = Draft { key: Arc::clone(&KEYS[2]), certificate: &other, ..poll.clone() };
    let answer = read(&site.post(&thief.build(&site)), &thief);
    assert_eq!((answer.status.as_str(), answer.failure.as_deref()), ("2", Some("4")));
    let authority = site.world.authority();
    let id = requests::list(&mut site.world.store, &authority).unwrap()[0].id.clone();
    assert!(requests::approve(&mut site.world.store, &authority, &id).unwrap());
    // The grant is deleted before the client asks again.
    let former = site.world.change_policy(|policy| policy.grants.retain(|grant| grant.name != "reviewed"));
    site.reload();
    let answer = read(&site.post(&poll.build(&site)), &poll);
    assert_eq!((answer.status.as_str(), answer.failure.as_deref()), ("2", Some("2")));
    site.world.enrollment.policy = former;
    site.reload();
    issued(&site.post(&poll.build(&site)), &poll);
}

#[test]
fn holders_fetch_certificates_and_crls() {
    let mut site = Site::new(POLICY);
    let profile = site.world.enrollment.profiles[0].as_ref().clone();
    let own = site.world.issue(&KEYS[1], "CN=www.example.org", profile);
    let read_own = Certificate::from_der(&own).unwrap();
    let asked = IssuerAndSerialNumber {
        issuer: read_own.tbs_certificate.issuer,
        serial_number: read_own.tbs_certificate.serial_number.0,
    };
    let content = encode(&asked).unwrap();
    let draft = Draft::new("21", &content, &KEYS[1], &own);
    assert_eq!(issued(&site.post(&draft.build(&site)), &draft), own);
    let crl = Draft { kind: "22", ..draft.clone() };
    assert_eq!(read(&site.post(&crl.build(&site)), &crl).failure.as_deref(), Some("4"));
    let (authority, signer, now) = (site.world.authority(), Arc::clone(&site.world.enrollment.signer), site.world.now);
    authority.crl(&mut site.world.store, &*signer, now, UnixTime(now.0 + DAY)).unwrap();
    let answer = read(&site.post(&crl.build(&site)), &crl);
    assert_eq!(answer.status, "0");
    // Strangers cannot.
    let stranger = self_signed(&KEYS[2]);
    for kind in ["21", "22"] {
        let draft = Draft { kind, key: Arc::clone(&KEYS[2]), certificate: &stranger, ..draft.clone() };
        assert_eq!(read(&site.post(&draft.build(&site)), &draft).failure.as_deref(), Some("1"));
    }
    let unknown =
        encode(&IssuerAndSerialNumber { serial_number: tagwise_codec::Int::from_signed(&[5]), ..asked }).unwrap();
    let other = Draft { content: &unknown, ..draft.clone() };
    assert_eq!(read(&site.post(&other.build(&site)), &other).failure.as_deref(), Some("4"));
    // RFC 9810 §5.2.8.3.2: a certificate whose confirmation is the proof of possession in CMP.
    let serial = tagwise_ca::Serial::from_int(asked.serial_number).to_string();
    let waiting = Row::new(&serial, requests::OWNER, UnixTime::MAX, Unconfirmed { deadline: i64::MAX });
    let mut records = Records { store: &mut site.world.store, authority: authority.id() };
    assert!(records.insert(&waiting).unwrap());
    assert_eq!(read(&site.post(&draft.build(&site)), &draft).failure.as_deref(), Some("4"));
}

/// Enrolls with strongSwan, and then renews. Returns false if it fails.
fn strongswan(policy: &str, algorithms: &[&str]) -> bool {
    if !has("openssl") || !has("pki") || !run("pki", &["--help"]).contains("--scep") {
        return algorithms.is_empty() || policy != POLICY;
    }
    let mut site = Site::new(policy);
    let (_, challenge) = site.world.secret(Usage::Challenge, "servers", false);
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", site.world.authority().certificate_der())).unwrap();
    std::fs::write(file("ra.pem"), pem("CERTIFICATE", &site.ra)).unwrap();
    for (at, name) in [(1, "one.key"), (2, "two.key")] {
        let der = KEYS[at].to_pkcs8().unwrap();
        std::fs::write(file(&format!("{name}.pkcs8")), pem("PRIVATE KEY", der.expose())).unwrap();
        run("openssl", &["rsa", "-traditional", "-in", &file(&format!("{name}.pkcs8")), "-out", &file(name)]);
    }
    let scep = Arc::new(site.scep.clone());
    let net = Net::plain(site.world, scep);
    let url = format!("http://{}/scep", net.address);
    let enroll = |key: &str, output: &str, more: &[&str]| {
        let (key, ca, ra) = (file(key), file("ca.pem"), file("ra.pem"));
        let common = [
            "--scep",
            "--url",
            &url,
            "--in",
            &key,
            "--dn",
            "CN=www.example.org",
            "--san",
            "www.example.org",
            "--cacert-enc",
            &ra,
            "--cacert-sig",
            &ra,
            "--cacert",
            &ca,
            "--outform",
            "pem",
        ];
        let done = std::process::Command::new("pki").args(common).args(algorithms).args(more).output().unwrap();
        eprintln!("{}", String::from_utf8_lossy(&done.stderr));
        std::fs::write(file(output), done.stdout).unwrap();
        done.status.success() && run("openssl", &["verify", "-CAfile", &ca, &file(output)]).contains("OK")
    };
    enroll("one.key", "one.pem", &["--password", &challenge])
        && enroll("two.key", "two.pem", &["--cert", &file("one.pem"), "--key", &file("one.key")])
}

#[test]
fn strongswan_enrolls_and_renews() {
    assert!(strongswan(POLICY, &[]));
}

#[test]
fn strongswan_uses_triple_des_if_the_policy_allows_it() {
    let old = ["--cipher", "des3"];
    assert!(!strongswan(POLICY, &old));
    assert!(strongswan(&format!("scep-legacy = true\n{POLICY}"), &old));
}

#[test]
fn a_revoked_registration_authority_answers_nobody() {
    let mut site = Site::new(POLICY);
    assert_eq!(site.get("operation=GetCACert").status, 200);
    let ra = site.ra.clone();
    site.world.revoke(&ra);
    for response in [site.get("operation=GetCACert"), site.post(b"")] {
        assert_eq!(response.status, 503);
        assert_eq!(response.body, b"the certificate of the registration authority is revoked\n");
        assert!(response.internal.unwrap().contains("has been revoked since"));
    }
}

#[test]
fn an_expired_registration_authority_answers_nobody() {
    let mut site = Site::new(POLICY);
    let to = site.world.now.0 + 30 * DAY;
    let validity = Certificate::from_der(&site.ra).unwrap().tbs_certificate.validity;
    assert_eq!(validity.not_after.unix(), UnixTime(to));
    site.world.now = UnixTime(to);
    assert_eq!(site.get("operation=GetCACert").status, 200);
    site.world.now = UnixTime(to + 1);
    for response in [site.get("operation=GetCACert"), site.post(b"")] {
        assert_eq!(response.status, 503);
        let expected = format!("the certificate of the registration authority expired at {}\n", UnixTime(to));
        assert_eq!(String::from_utf8_lossy(&response.body), expected);
    }
}

#[test]
fn profiles_that_sign_for_the_ca_are_not_for_clients() {
    let world = World::new(POLICY);
    let signer = Arc::clone(&world.enrollment.signer);
    let purposes = vec![oids::KP_OCSP_SIGNING.into(), oids::KP_CLIENT_AUTH.into()];
    for (profile, what) in [
        (Definition { purposes, ..Definition::new("device") }, "OCSP responses"),
        (Definition { key_usage: Some(1 << 6), ..Definition::new("device") }, "CRLs"),
        (Definition { ca: true, ..Definition::new("device") }, "certificates"),
    ] {
        let policy =
            Policy::from_toml("[[grants]]\nname = 'devices'\nprofile = 'device'\ncommon-names = ['x']\n").unwrap();
        let authority = world.authority().as_ref().clone();
        let made = Enrollment::new(authority, Arc::clone(&signer), &BACKEND, policy, vec![Arc::new(profile)]);
        let expected = format!("grant devices: the profile device is for signing {what}, so clients cannot enroll");
        assert_eq!(made.unwrap_err(), expected);
    }
}
