//! Proof of possession in CMP by decryption, and by registration authorities with a shared secret.

use std::sync::Mutex;

use tagwise_ca::{Error, IssuanceLog, LogCertificate, Records, Row, Serial};
use tagwise_codec::{Decode, Int, Open, SeqOf, encode};
use tagwise_crypto::cms::{DecryptOptions, Unlock, decrypt};
use tagwise_crypto::{Digest, Primitives};
use tagwise_pkix::cmp::{CertOrEncCert, PkiBody, PkiMessage, Rand};
use tagwise_pkix::cms::kem::ID_ORI_KEM;
use tagwise_pkix::cms::{ContentInfo, EnvelopedData, ID_ENVELOPED_DATA, RecipientIdentifier, RecipientInfo};
use tagwise_pkix::crmf::{EncryptedKey, SubsequentMessage};
use tagwise_pkix::ext::GeneralName;

use super::cmp::{
    Draft, Guard, Proof, WITH_RA, certificate, confirmation, is_implicit, post, read, request, revoked, send,
};
use super::net::Net;
use super::*;
use crate::records::Unconfirmed;
use crate::{Cmp, Response, requests};

/// The types of keys that can decrypt, and whether they agree on a key for it.
const KEYS: [(KeyType, bool); 5] = [
    (KeyType::MlKem768, false),
    (KeyType::MlKem512, false),
    (KeyType::X25519, true),
    (KeyType::P256, true),
    (KeyType::Rsa(2048), false),
];

/// A client with a secret for devices.
fn device(world: &mut World) -> Draft {
    let (id, secret) = world.secret(Usage::Shared, "devices", false);
    Draft { pvno: 3, ..Draft::new(Guard::Pbmac1(id, secret)) }
}

fn ask(key: &Arc<dyn PrivateKey>, method: SubsequentMessage, agreement: bool) -> Vec<u8> {
    request(0, key, "CN=device-7", &[], Proof::Later(method, agreement), 1)
}

/// Decrypts what a server has sent, as a client does.
fn open(key: &Arc<dyn PrivateKey>, data: &EnvelopedData<'_>) -> Result<Vec<u8>, tagwise_crypto::cms::CmsError> {
    let inner = encode(data).unwrap();
    let content = Open::new(ID_ENVELOPED_DATA.as_bytes(), &inner);
    let message = encode(&ContentInfo { content_type: ID_ENVELOPED_DATA, content }).unwrap();
    let unlock = Unlock::PrivateKey { key: &**key, certificate: None };
    decrypt(&BACKEND, &message, None, &unlock, &DecryptOptions::DEFAULT).map(|it| it.content.expose().to_vec())
}

/// Decrypts the certificate in a response.
fn opened(key: &Arc<dyn PrivateKey>, response: &Response) -> Option<Vec<u8>> {
    let message = PkiMessage::from_der(&response.body).unwrap();
    let (PkiBody::Ip(list) | PkiBody::Kup(list)) = &*message.body else { panic!("{message:?}") };
    let pair = list.response.iter().next().unwrap().unwrap().certified_key_pair.unwrap();
    assert!(pair.private_key.is_none());
    let CertOrEncCert::EncryptedCert(EncryptedKey::EnvelopedData(data)) = pair.cert_or_enc_cert else { panic!() };
    if let Some(Ok(RecipientInfo::Ori(info))) = data.recipient_infos.0.iter().next() {
        assert_eq!((info.ori_type, key.key_type().encapsulates()), (ID_ORI_KEM, true));
    }
    open(key, &data).ok().filter(|der| Certificate::from_der(der).is_ok())
}

/// A log that remembers what it was given.
#[derive(Debug, Default)]
struct Log(Mutex<Vec<Serial>>);

impl IssuanceLog for Log {
    fn add(&self, certificates: &[(&Serial, &[u8])], _: UnixTime) -> Result<(), Error> {
        self.0.lock().unwrap().extend(certificates.iter().map(|(serial, _)| (*serial).clone()));
        Ok(())
    }

    fn standalone(&self, _: &Serial) -> Result<Option<LogCertificate>, Error> {
        Ok(None)
    }

    fn landmark_relative(&self, _: &Serial, _: UnixTime) -> Result<Option<LogCertificate>, Error> {
        Ok(None)
    }

    fn serial_of(&self, _: &[u8]) -> Result<Option<Serial>, Error> {
        Ok(None)
    }

    fn anchor(&self) -> &[u8] {
        &[]
    }

    fn landmark_interval(&self) -> core::time::Duration {
        core::time::Duration::from_secs(3600)
    }
}

fn logged(world: &mut World) -> Arc<Log> {
    let log = Arc::new(Log::default());
    let authority = world.authority().as_ref().clone().with_log(Arc::clone(&log) as Arc<dyn IssuanceLog>);
    world.enrollment.authority = Arc::new(authority);
    log
}

fn serial(der: &[u8]) -> Serial {
    Serial::from_int(Certificate::from_der(der).unwrap().tbs_certificate.serial_number.0)
}

#[test]
fn holders_decrypt_their_certificates_and_confirm_them() {
    let mut world = World::new(POLICY);
    let log = logged(&mut world);
    for (at, (kind, agreement)) in KEYS.into_iter().enumerate() {
        let (key, other) = (BACKEND.generate(kind).unwrap(), BACKEND.generate(kind).unwrap());
        let draft = device(&mut world);
        // The client asks to omit the confirmation, which would be the proof.
        assert!(draft.implicit);
        let response = send(&mut world, &draft, &ask(&key, SubsequentMessage::ENCR_CERT, agreement));
        assert_eq!(read(&response), ("ip", 0, None), "{kind}");
        assert!(!is_implicit(&response), "{kind}");
        assert_eq!(opened(&other, &response), None, "{kind}");
        let der = opened(&key, &response).unwrap();
        let public = encode(&Certificate::from_der(&der).unwrap().tbs_certificate.subject_public_key_info).unwrap();
        assert_eq!(public, key.public_key_info());
        // Nobody else can read it before its confirmation.
        assert_eq!(log.0.lock().unwrap().len(), at);
        let next = draft.next(&response);
        let wrong = send(&mut world, &next, &confirmation(b"x", 0, None));
        assert_eq!(read(&wrong), ("error", 2, Some(1 << 4)), "{kind}");
        assert_eq!(log.0.lock().unwrap().len(), at);
        assert_eq!(read(&send(&mut world, &next, &confirmation(&der, 0, None))), ("pkiconf", 0, None), "{kind}");
        assert_eq!(log.0.lock().unwrap().last(), Some(&serial(&der)));
        let again = send(&mut world, &next, &confirmation(&der, 0, None));
        assert_eq!(read(&again), ("error", 2, Some(1 << 13)), "{kind}");
        let enrollment = world.enrollment.clone();
        assert_eq!(enrollment.maintain(&mut world.store, UnixTime(world.now.0 + DAY)).unwrap(), 0);
        assert!(!revoked(&mut world, &der), "{kind}");
    }
}

#[test]
fn certificates_without_proof_are_revoked_and_not_logged() {
    let mut world = World::new(POLICY);
    let log = logged(&mut world);
    let key = BACKEND.generate(KeyType::MlKem768).unwrap();
    let rejected = [Some(tagwise_pkix::cmp::PkiStatus::REJECTION)];
    for status in [None].into_iter().chain(rejected) {
        let draft = device(&mut world);
        let response = send(&mut world, &draft, &ask(&key, SubsequentMessage::ENCR_CERT, false));
        let der = opened(&key, &response).unwrap();
        let next = draft.next(&response);
        if status.is_some() {
            assert_eq!(read(&send(&mut world, &next, &confirmation(&der, 0, status))), ("pkiconf", 0, None));
        } else {
            // A wrong confirmation is none.
            let wrong = send(&mut world, &next, &confirmation(b"x", 0, None));
            assert_eq!(read(&wrong), ("error", 2, Some(1 << 4)));
            let enrollment = world.enrollment.clone();
            assert_eq!(enrollment.maintain(&mut world.store, UnixTime(world.now.0 + 301)).unwrap(), 1);
            let late = send(&mut world, &next, &confirmation(&der, 0, None));
            assert_eq!(read(&late), ("error", 2, Some(1 << 10)));
        }
        assert!(revoked(&mut world, &der));
    }
    assert!(log.0.lock().unwrap().is_empty());
}

/// A server may have stopped after it recorded the deadline, and before it stored the certificate.
#[test]
fn deadlines_without_a_certificate_expire() {
    let mut world = World::new(POLICY);
    let (authority, enrollment) = (world.authority(), world.enrollment.clone());
    let waiting = |serial: &str| Row::new(serial, requests::OWNER, UnixTime::MAX, Unconfirmed { deadline: 5 });
    let (_, own) = world.client("CN=device-7", "device");
    let mut records = Records { store: &mut world.store, authority: authority.id() };
    for serial in ["0102", &serial(&own).to_string()] {
        assert!(records.insert(&waiting(serial)).unwrap());
    }
    // Only one of them was issued, and it is revoked although the other is missing.
    assert_eq!(enrollment.maintain(&mut world.store, UnixTime(world.now.0 + 1)).unwrap(), 1);
    assert!(revoked(&mut world, &own));
}

#[test]
fn keys_that_decrypt_are_updated() {
    let mut world = World::new(POLICY);
    let (old, own) = world.client("CN=device-7", "device");
    let guard = Guard::Signature(old, own);
    let new = BACKEND.generate(KeyType::X25519).unwrap();
    let body = |method| request(7, &new, "CN=device-7", &[], Proof::Later(method, true), 1);
    let draft = Draft { pvno: 3, ..Draft::new(guard.clone()) };
    let response = send(&mut world, &draft, &body(SubsequentMessage::ENCR_CERT));
    assert_eq!(read(&response), ("kup", 0, None));
    let der = opened(&new, &response).unwrap();
    assert_eq!(read(&send(&mut world, &draft.next(&response), &confirmation(&der, 0, None))), ("pkiconf", 0, None));
    // The answer to a challenge continues the key update.
    let draft = Draft { pvno: 3, ..Draft::new(guard) };
    let response = send(&mut world, &draft, &body(SubsequentMessage::CHALLENGE_RESP));
    let number = challenged(&world, &new, &response);
    assert_eq!(read(&send(&mut world, &draft.next(&response), &answer(&number))), ("kup", 0, None));
}

/// Reads a challenge, and decrypts its number.
fn challenged(world: &World, key: &Arc<dyn PrivateKey>, response: &Response) -> Vec<u8> {
    let message = PkiMessage::from_der(&response.body).unwrap();
    let PkiBody::Popdecc(list) = &*message.body else { panic!("{message:?}") };
    let challenge = list.iter().next().unwrap().unwrap();
    assert_eq!((list.iter().count(), challenge.challenge.as_bytes()), (1, &[][..]));
    let data = challenge.encrypted_rand.unwrap();
    if let Some(Ok(RecipientInfo::Ktri(info))) = data.recipient_infos.0.iter().next() {
        let RecipientIdentifier::IssuerAndSerialNumber(name) = info.rid else { panic!("{info:?}") };
        assert!(name.issuer.is_empty() && name.serial_number.is_zero());
    }
    let content = open(key, &data).unwrap();
    let rand = Rand::from_der(&content).unwrap();
    let authority = world.authority();
    assert_eq!(rand.sender, GeneralName::DirectoryName(authority.certificate().tbs_certificate.subject));
    let number = rand.int.as_bytes().to_vec();
    assert_eq!(Digest::from_identifier(&challenge.owf.unwrap()).unwrap(), Digest::Sha256);
    assert_eq!(BACKEND.digest(Digest::Sha256, &number).unwrap(), challenge.witness.as_bytes());
    number
}

fn answer(number: &[u8]) -> Vec<u8> {
    encode(&PkiBody::Popdecr(SeqOf::from_slice(&[Int::from_signed(number)]))).unwrap()
}

#[test]
fn holders_answer_challenges() {
    let mut world = World::new(POLICY);
    for (kind, agreement) in KEYS {
        let key = BACKEND.generate(kind).unwrap();
        let draft = device(&mut world);
        let count = world.count();
        let response = send(&mut world, &draft, &ask(&key, SubsequentMessage::CHALLENGE_RESP, agreement));
        assert_eq!(read(&response), ("popdecc", 0, None), "{kind}");
        let right = answer(&challenged(&world, &key, &response));
        assert_eq!(world.count(), count, "{kind}");
        let next = draft.next(&response);
        let response = send(&mut world, &next, &right);
        assert_eq!(read(&response), ("ip", 0, None), "{kind}");
        let der = certificate(&response);
        let public = encode(&Certificate::from_der(&der).unwrap().tbs_certificate.subject_public_key_info).unwrap();
        assert_eq!(public, key.public_key_info());
        // Replayed as it was, and with the last nonce.
        assert_eq!(read(&send(&mut world, &next, &right)), ("error", 2, Some(1 << 13)), "{kind}");
        assert_eq!(read(&send(&mut world, &draft.next(&response), &right)), ("error", 2, Some(1 << 2)), "{kind}");
        assert_eq!(world.count(), count + 1, "{kind}");
    }
}

#[test]
fn wrong_answers_to_challenges_are_refused() {
    let mut world = World::new(POLICY);
    let key = BACKEND.generate(KeyType::MlKem768).unwrap();
    let body = ask(&key, SubsequentMessage::CHALLENGE_RESP, false);
    let begin = |world: &mut World| {
        let draft = device(world);
        let response = send(world, &draft, &body);
        let number = challenged(world, &key, &response);
        (draft.next(&response), number)
    };
    let (first, number) = begin(&mut world);
    let (second, _) = begin(&mut world);
    let mut wrong = number.clone();
    *wrong.last_mut().unwrap() ^= 1;
    // There is one attempt for each challenge, so that the right answer is too late.
    let response = send(&mut world, &first, &answer(&wrong));
    assert_eq!(read(&response), ("ip", 2, Some(1 << 9)));
    assert_eq!(read(&send(&mut world, &first.next(&response), &answer(&number))), ("error", 2, Some(1 << 2)));
    // The answer to another challenge.
    assert_eq!(read(&send(&mut world, &second, &answer(&number))), ("ip", 2, Some(1 << 9)));
    // By another client.
    let (third, number) = begin(&mut world);
    let thief = Draft { guard: device(&mut world).guard, ..third.clone() };
    assert_eq!(read(&send(&mut world, &thief, &answer(&number))), ("error", 2, Some(1 << 2)));
    // No number, and two.
    let none = encode(&PkiBody::Popdecr(SeqOf::from_slice(&[]))).unwrap();
    assert_eq!(read(&send(&mut world, &third, &none)), ("ip", 2, Some(1 << 2)));
    let (fourth, number) = begin(&mut world);
    let twice = [Int::from_signed(&number), Int::from_signed(&number)];
    let twice = encode(&PkiBody::Popdecr(SeqOf::from_slice(&twice))).unwrap();
    assert_eq!(read(&send(&mut world, &fourth, &twice)), ("ip", 2, Some(1 << 2)));
    // Late.
    let (fifth, number) = begin(&mut world);
    world.now = UnixTime(world.now.0 + 301);
    assert_eq!(read(&send(&mut world, &fifth, &answer(&number))), ("ip", 2, Some(1 << 9)));
    assert_eq!(world.count(), 0);
}

#[test]
fn secrets_of_registration_authorities_verify_possession() {
    let policy = WITH_RA.replace("registration-authority = true", "registration-authority-secrets = ['ra']");
    let mut world = World::new(&policy);
    let add = |world: &mut World, name: &str, grant: &str| {
        let new = NewSecret {
            usage: Usage::Shared,
            grant,
            note: "",
            names: &[],
            expires: UnixTime(world.now.0 + DAY),
            once: false,
        };
        let (authority, password) = (world.authority(), tagwise_crypto::Secret::from(&b"12345678"[..]));
        secret::add_chosen(&mut world.store, &authority, &BACKEND, name, &password, &new, world.now).unwrap();
        "12345678".to_owned()
    };
    let password = add(&mut world, "ra", "servers");
    let other = add(&mut world, "device", "servers");
    let device = world.client("CN=device-1", "device");
    let key = BACKEND.generate(KeyType::MlKem768).unwrap();
    let with = |kind, name, proof| request(kind, &key, "", &[name], proof, 1);
    let verified = |kind, name| with(kind, name, Proof::RaVerified);
    let name = "a.example.org";
    let ra = Guard::Pbmac1("ra".into(), password.clone());
    let ip = |bit| ("ip", 2, Some(1u64 << bit));
    let cases = [
        ("another secret", Guard::Pbmac1("device".into(), other), verified(0, name), ip(9)),
        ("a wrong secret", Guard::Pbmac1("ra".into(), "x".into()), verified(0, name), ("error", 2, Some(1 << 1))),
        // The grant names a secret, not the profile of this certificate.
        ("a certificate", Guard::Signature(device.0, device.1), verified(0, name), ip(9)),
        ("a key update", ra.clone(), verified(7, name), ("kup", 2, Some(1 << 9))),
        ("no proof", ra.clone(), with(0, name, Proof::None), ip(9)),
        ("a forged proof", ra.clone(), with(0, name, Proof::Forged), ip(9)),
        ("a name outside the policy", ra.clone(), verified(0, "a.example.com"), ip(23)),
        ("a key that the profile does not accept", ra.clone(), verified(0, name), ip(19)),
    ];
    let count = world.count();
    for (case, guard, body, expected) in cases {
        assert_eq!(read(&post(&mut world, &Draft::new(guard).build(&body))), expected, "{case}");
    }
    assert_eq!(world.count(), count);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    for guard in [ra, Guard::Pbm("ra".into(), password)] {
        let body = request(2, &key, "", &[name], Proof::RaVerified, 1);
        assert_eq!(read(&send(&mut world, &Draft::new(guard), &body)), ("cp", 0, None));
    }
    assert_eq!(world.count(), count + 2);
    // The secret is of another grant than the one that names it.
    let elsewhere = policy.replacen("registration-authority-secrets = ['ra']\n", "", 1)
        + "registration-authority-secrets = ['ra']\n";
    let mut world = World::new(&elsewhere);
    let password = add(&mut world, "ra", "servers");
    let body = request(0, &key, "", &[name], Proof::RaVerified, 1);
    let guard = Guard::Pbmac1("ra".into(), password);
    assert_eq!(read(&send(&mut world, &Draft::new(guard), &body)), ip(9));
}

/// OpenSSL's clients of version cmp2000 decrypt certificates of RSA keys, and registration authorities use a secret.
#[test]
fn openssl_decrypts_its_certificate() {
    if !has("openssl") {
        return;
    }
    let mut world =
        World::new(&POLICY.replacen("certificates =", "registration-authority-secrets = ['ra']\ncertificates =", 1));
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let new = NewSecret {
        usage: Usage::Shared,
        grant: "servers",
        note: "",
        names: &[],
        expires: UnixTime(world.now.0 + DAY),
        once: false,
    };
    let (authority, password) = (world.authority(), tagwise_crypto::Secret::from(&b"12345678"[..]));
    secret::add_chosen(&mut world.store, &authority, &BACKEND, "ra", &password, &new, world.now).unwrap();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", authority.certificate_der())).unwrap();
    run("openssl", &["genrsa", "-out", &file("rsa.key"), "2048"]);
    let cmp = Arc::new(Cmp::new(world.enrollment.clone()));
    let net = Net::plain(world, cmp);
    let (address, ca, key, out) = (net.address.to_string(), file("ca.pem"), file("rsa.key"), file("rsa.pem"));
    let pass = format!("pass:{secret}");
    let server = ["cmp", "-config", "", "-server", &address, "-path", ".well-known/cmp", "-trusted", &ca];
    let names = ["-subject", "/CN=www.example.org", "-sans", "www.example.org", "-newkey", &key, "-certout", &out];
    for (popo, reference, secret) in [("2", id.as_str(), pass.as_str()), ("0", "ra", "pass:12345678")] {
        let client = ["-cmd", "ir", "-popo", popo, "-ref", reference, "-secret", secret];
        run("openssl", &[&server[..], &client, &names].concat());
        run("openssl", &["verify", "-CAfile", &ca, &out]);
        std::fs::remove_file(&out).unwrap();
    }
}
