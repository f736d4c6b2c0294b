//! Requested extensions: each protocol issues or refuses them.

use tagwise_codec::{Oid, OidBuf, encode, oid};
use tagwise_pkix::cmp::PkiBody;
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::{Extension, Extensions};

use super::cmp::{self, Guard, Proof};
use super::scep::Site;
use super::{est, scep, *};

/// SEQUENCE { INTEGER 5 }: status_request (RFC 7633 §4.2.3.1).
const MUST_STAPLE: (Oid<'static>, bool, &[u8]) = (oid!("1.3.6.1.5.5.7.1.24"), false, b"\x30\x03\x02\x01\x05");
const CA: (Oid<'static>, bool, &[u8]) = (oid!("2.5.29.19"), true, b"\x30\x03\x01\x01\xFF");
/// digitalSignature and keyEncipherment.
const USAGE: (Oid<'static>, bool, &[u8]) = (oid!("2.5.29.15"), true, b"\x03\x02\x05\xA0");

type Asked = (Oid<'static>, bool, &'static [u8]);

fn csr_with(key: &Arc<dyn PrivateKey>, (id, critical, value): Asked, challenge: Option<&str>) -> Vec<u8> {
    let mut builder = CsrBuilder::new().subject("").unwrap().dns("a.example.org");
    builder = builder.extension_der(id, critical, value.to_vec()).unwrap();
    if let Some(challenge) = challenge {
        builder = builder.attribute(oids::CHALLENGE_PASSWORD, &tagwise_codec::Utf8::new(challenge)).unwrap();
    }
    builder.sign(&KeySigner::preferred(Arc::clone(key)).unwrap()).unwrap().as_der().to_vec()
}

/// Returns the value of an extension in a certificate.
fn value_of(der: &[u8], id: Oid<'_>) -> Option<Vec<u8>> {
    let certificate = Certificate::from_der(der).unwrap();
    let mut all = certificate.tbs_certificate.extensions.unwrap().iter().map(Result::unwrap);
    all.find(|one| one.extn_id == id).map(|one| one.extn_value.as_bytes().to_vec())
}

/// Lets a profile copy must-staple from requests.
fn allow(world: &mut World) {
    let extensions: Vec<OidBuf> = vec![MUST_STAPLE.0.into()];
    let with = |profile: &Arc<Definition>| {
        Arc::new(Definition { extensions: extensions.clone(), ..Definition::clone(profile) })
    };
    world.enrollment.profiles = world.enrollment.profiles.iter().map(with).collect();
}

#[test]
fn est() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let send = |world: &mut World, asked: Asked| {
        let request = csr_with(&key, asked, None);
        est::send(world, &est::Sent { user: Some((&user, &password)), ..est::Sent::new("simpleenroll", &request) })
    };
    for (asked, said) in [
        (MUST_STAPLE, "extension tlsFeature: the profile has no such value"),
        (CA, "extension basicConstraints: the profile has no such value"),
    ] {
        let response = send(&mut world, asked);
        let text = String::from_utf8_lossy(&response.body);
        assert_eq!((response.status, text.trim_end()), (400, said));
    }
    assert_eq!(send(&mut world, USAGE).status, 200);
    let count = world.count();
    allow(&mut world);
    assert_eq!(send(&mut world, MUST_STAPLE).status, 200);
    assert_eq!(world.count(), count + 1);
}

#[test]
fn scep() {
    let mut site = Site::new(POLICY);
    let (_, challenge) = site.world.secret(Usage::Challenge, "servers", false);
    let key = BACKEND.generate(KeyType::Rsa(2048)).unwrap();
    let own = scep::self_signed(&key);
    for (at, (asked, expected)) in
        [(MUST_STAPLE, ("2", Some("2"))), (CA, ("2", Some("2"))), (USAGE, ("0", None))].into_iter().enumerate()
    {
        let (content, transaction) = (csr_with(&key, asked, Some(&challenge)), format!("transaction-{at}"));
        let draft = scep::Draft { transaction: &transaction, ..scep::Draft::new("19", &content, &key, &own) };
        let read = scep::read(&site.post(&draft.build(&site)), &draft);
        assert_eq!((read.status.as_str(), read.failure.as_deref()), expected, "{}", asked.0);
    }
}

#[test]
fn cmp() {
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let draft = || cmp::Draft::new(Guard::Pbm(id.clone(), secret.clone()));
    // In a CertTemplate, and in a PKCS #10 request.
    let crmf = |(id, critical, value): Asked| {
        let value = tagwise_codec::Open::new(id.as_bytes(), value);
        let list = [Extension { extn_id: id, critical, extn_value: value }];
        cmp::request_with(0, &key, "CN=a.example.org", Extensions::new(&list), Proof::Signature, 1)
    };
    let pkcs10 = |asked: Asked| {
        let der = csr_with(&key, asked, None);
        encode(&PkiBody::P10cr(CertificationRequest::from_der(&der).unwrap())).unwrap()
    };
    for asked in [MUST_STAPLE, CA] {
        assert_eq!(cmp::read(&cmp::send(&mut world, &draft(), &crmf(asked))), ("ip", 2, Some(1 << 19)));
        assert_eq!(cmp::read(&cmp::send(&mut world, &draft(), &pkcs10(asked))), ("cp", 2, Some(1 << 19)));
    }
    // The profile has other usages: grantedWithMods (RFC 9810 §5.2.3).
    assert_eq!(cmp::read(&cmp::send(&mut world, &draft(), &crmf(USAGE))), ("ip", 1, None));
    assert_eq!(cmp::read(&cmp::send(&mut world, &draft(), &pkcs10(USAGE))), ("cp", 1, None));
    allow(&mut world);
    for body in [crmf(MUST_STAPLE), pkcs10(MUST_STAPLE)] {
        let der = cmp::certificate(&cmp::send(&mut world, &draft(), &body));
        assert_eq!(value_of(&der, MUST_STAPLE.0).as_deref(), Some(MUST_STAPLE.2));
    }
}
