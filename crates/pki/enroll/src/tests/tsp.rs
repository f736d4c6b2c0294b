//! Time stamps.

use tagwise_codec::{Oid, OidBuf, oid};
use tagwise_crypto::cms::VerifyOptions;
use tagwise_crypto::tsp::{Expected, TspError, request, verify};
use tagwise_crypto::{Digest, Primitives, Signer};
use tagwise_pkix::tsp::{TimeStampReq, TimeStampResp};

use super::net::Net;
use super::*;
use crate::{Request, Response, Service, Tsp, TspOptions};

const POLICIES: [Oid<'static>; 2] = [oid!("1.3.6.1.4.1.99999.1"), oid!("1.3.6.1.4.1.99999.2")];

fn definition() -> Definition {
    Definition { purposes: vec![oids::KP_TIME_STAMPING.into()], ..Definition::new("tsa") }
}

pub(super) fn service(world: &mut World) -> Tsp {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let certificate = world.issue(&key, "CN=TSA", definition());
    let signer: Arc<dyn Signer> = Arc::new(KeySigner::preferred(key).unwrap());
    let chain = vec![certificate, world.authority().certificate_der().to_vec()];
    let policies = POLICIES.iter().map(|oid| OidBuf::from(*oid)).collect();
    Tsp::new(world.authority(), &BACKEND, signer, chain, TspOptions { policies, accuracy: Some(1) }).unwrap()
}

pub(super) fn send(world: &mut World, tsp: &Tsp, body: &[u8]) -> Response {
    let content_type = Some(&b"application/timestamp-query"[..]);
    let request = Request { method: "POST", path: "/tsp", content_type, body, ..Request::default() };
    tsp.answer(&mut world.store, &request, world.now)
}

/// The bits of the failure, or none for a time stamp.
pub(super) fn failure(response: &Response) -> Option<u64> {
    assert_eq!((response.status, response.content_type), (200, "application/timestamp-reply"));
    let read = TimeStampResp::from_der(&response.body).unwrap();
    assert_eq!(read.time_stamp_token.is_some(), read.status.fail_info.is_none());
    read.status.fail_info.map(|bits| bits.0.to_mask().unwrap())
}

fn digest() -> Vec<u8> {
    BACKEND.digest(Digest::Sha256, b"document").unwrap()
}

#[test]
fn time_stamps_answer_requests() {
    let mut world = World::new(POLICY);
    let tsp = service(&mut world);
    let mut serials = Vec::new();
    for policy in [None, Some(POLICIES[0]), Some(POLICIES[1])] {
        let asked = request(&BACKEND, Digest::Sha256, &digest(), policy, true).unwrap();
        let response = send(&mut world, &tsp, &asked);
        assert_eq!(failure(&response), None);
        let stamp = verify(&BACKEND, &response.body, &Expected::Request(&asked), &VerifyOptions::DEFAULT).unwrap();
        let info = stamp.tst_info().unwrap();
        assert_eq!(info.policy, policy.unwrap_or(POLICIES[0]));
        assert_eq!(info.gen_time.unix(), world.now);
        assert_eq!(info.accuracy.unwrap().seconds.unwrap().as_bytes(), [1]);
        assert_eq!(info.nonce, TimeStampReq::from_der(&asked).unwrap().nonce);
        serials.push(info.serial_number.as_bytes().to_vec());
    }
    // Random numbers, which a restored database does not repeat.
    assert!(serials.iter().all(|serial| serial.len() > 12), "{serials:?}");
}

#[test]
fn certificates_are_sent_on_request() {
    let mut world = World::new(POLICY);
    let tsp = service(&mut world);
    let asked = |certificates| request(&BACKEND, Digest::Sha256, &digest(), None, certificates).unwrap();
    let long = send(&mut world, &tsp, &asked(true)).body.len();
    let short = send(&mut world, &tsp, &asked(false)).body.len();
    // Two certificates.
    assert!(long >= short + 2 * 300, "{long} {short}");
}

#[test]
fn servers_on_one_database_repeat_no_serial_number() {
    let mut world = World::new(POLICY);
    let (one, other) = (service(&mut world), service(&mut world));
    let mut seen = std::collections::HashSet::new();
    let asked = request(&BACKEND, Digest::Sha256, &digest(), None, false).unwrap();
    for turn in 0..600 {
        let tsp = if turn % 3 == 0 { &one } else { &other };
        let response = send(&mut world, tsp, &asked);
        let read = TimeStampResp::from_der(&response.body).unwrap();
        let token = tagwise_codec::encode(&read.time_stamp_token.unwrap()).unwrap();
        let info = tagwise_crypto::cms::verify(&BACKEND, &token, None, &Default::default()).unwrap().content;
        let info = tagwise_pkix::tsp::TstInfo::from_der(&info).unwrap();
        assert!(seen.insert(info.serial_number.as_bytes().to_vec()), "{turn}");
    }
}

#[test]
fn revoked_and_expired_authorities_issue_nothing() {
    let mut world = World::new(POLICY);
    let tsp = service(&mut world);
    let asked = request(&BACKEND, Digest::Sha256, &digest(), None, false).unwrap();
    let now = world.now;
    world.now = UnixTime(now.0 + 31 * DAY);
    assert_eq!(failure(&send(&mut world, &tsp, &asked)), Some(1 << 25));
    world.now = UnixTime(now.0 - DAY);
    assert_eq!(failure(&send(&mut world, &tsp, &asked)), Some(1 << 14));
    world.now = now;
    assert_eq!(failure(&send(&mut world, &tsp, &asked)), None);
    let stamp =
        verify(&BACKEND, &send(&mut world, &tsp, &asked).body, &Expected::Request(&asked), &VerifyOptions::DEFAULT);
    // The request asked for no certificate, so the verifier lacks it.
    assert!(matches!(stamp, Err(TspError::Cms(_))));
    let certificate = {
        let asked = request(&BACKEND, Digest::Sha256, &digest(), None, true).unwrap();
        let body = send(&mut world, &tsp, &asked).body;
        verify(&BACKEND, &body, &Expected::Request(&asked), &VerifyOptions::DEFAULT).unwrap().certificate
    };
    world.revoke(&certificate);
    assert_eq!(failure(&send(&mut world, &tsp, &asked)), Some(1 << 25));
}

#[test]
fn certificates_must_be_for_time_stamps() {
    let mut world = World::new(POLICY);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let certificate = world.issue(&key, "CN=TSA", Definition::new("other"));
    let other: Arc<dyn Signer> = Arc::new(KeySigner::preferred(BACKEND.generate(KeyType::P256).unwrap()).unwrap());
    let signer: Arc<dyn Signer> = Arc::new(KeySigner::preferred(Arc::clone(&key)).unwrap());
    let options = TspOptions { policies: vec![POLICIES[0].into()], accuracy: None };
    let new = |signer: &Arc<dyn Signer>, chain: &[Vec<u8>], options: &TspOptions| {
        Tsp::new(world.enrollment.authority.clone(), &BACKEND, Arc::clone(signer), chain.to_vec(), options.clone())
    };
    let error = new(&signer, &[certificate], &options).unwrap_err();
    assert!(error.contains("RFC 3161 §2.3"), "{error}");
    assert!(new(&signer, &[], &options).is_err());
    let certificate = world.issue(&key, "CN=TSA", definition());
    let new = |signer: &Arc<dyn Signer>, options: &TspOptions| {
        let chain = vec![certificate.clone()];
        Tsp::new(world.enrollment.authority.clone(), &BACKEND, Arc::clone(signer), chain, options.clone())
    };
    new(&signer, &options).unwrap();
    assert!(new(&other, &options).is_err());
    assert!(new(&signer, &TspOptions { policies: Vec::new(), accuracy: None }).is_err());
}

#[test]
fn openssl_verifies_time_stamps() {
    if !has("openssl") || !has("curl") {
        return;
    }
    let mut world = World::new(POLICY);
    let tsp = service(&mut world);
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("data"), "document").unwrap();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", world.authority().certificate_der())).unwrap();
    let net = Net::plain(world, Arc::new(tsp));
    let url = format!("http://{}/tsp", net.address);
    for (digest, policy) in [("-sha256", "1.3.6.1.4.1.99999.1"), ("-sha512", "1.3.6.1.4.1.99999.2")] {
        run(
            "openssl",
            &["ts", "-query", "-data", &file("data"), digest, "-tspolicy", policy, "-cert", "-out", &file("query")],
        );
        let (body, header) = (format!("@{}", file("query")), "Content-Type: application/timestamp-query");
        run("curl", &["-sSf", "-H", header, "--data-binary", &body, "-o", &file("reply"), &url]);
        let text = run(
            "openssl",
            &["ts", "-verify", "-queryfile", &file("query"), "-in", &file("reply"), "-CAfile", &file("ca.pem")],
        );
        assert!(text.contains("Verification: OK"), "{text}");
        let text = run("openssl", &["ts", "-reply", "-in", &file("reply"), "-text"]);
        assert!(text.contains(policy) && text.contains("Accuracy: 0x01 seconds"), "{text}");
    }
}
