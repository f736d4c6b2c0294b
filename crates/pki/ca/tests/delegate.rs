//! Responders with a key of their own, which is replaced in time.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(feature = "sqlite")]

use std::sync::Arc;
use std::time::Duration;

use tagwise_ca::{
    AltName, Authority, Founding, OcspOptions, Order, Profile, Protection, Responder, Restrictions, SqliteStore, Urls,
};
use tagwise_codec::Decode;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeyType, verify};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{ExtKeyUsage, OcspNoCheck};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::ocsp::{BasicOcspResponse, OcspResponse};
use tagwise_pkix::oids;

const BACKEND: AwsLc = AwsLc::new();
const NOW: i64 = 1_790_000_000;
const DAY: i64 = 86_400;

#[test]
fn a_responder_is_replaced_after_half_of_its_time() {
    let mut store = SqliteStore::in_memory().unwrap();
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let founding = Founding {
        label: Authority::LABEL,
        subject: NameBuf::parse("CN=Root").unwrap(),
        key_identifier: None,
        not_before: UnixTime(NOW),
        not_after: UnixTime(NOW + 100 * DAY),
        path_len: None,
        urls: Urls::default(),
        pss: false,
    };
    let authority = Authority::found(&mut store, &BACKEND, &key, &founding, &Protection::Clear).unwrap();
    let authority = Arc::new(authority);
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let leaf = BACKEND.generate(KeyType::Ed25519).unwrap();
    let order = Order {
        subject: NameBuf::parse("CN=www.example.org").unwrap(),
        names: vec![AltName::dns("www.example.org").unwrap()],
        public_key: leaf.public_key_info(),
        key_identifier: None,
        restrictions: Restrictions::default(),
        profile: Profile::Server,
        not_before: UnixTime(NOW),
        not_after: UnixTime(NOW + 90 * DAY),
    };
    let issued = authority.issue(&mut store, &BACKEND, &signer, &order, UnixTime(NOW)).unwrap();
    let lifetime = Duration::from_secs(8 * 86_400);
    let delegate = |store: &mut SqliteStore, now: i64| {
        let kind = (KeyType::P256, lifetime);
        let authority = Arc::clone(&authority);
        Responder::delegate(authority, store, &BACKEND, &signer, kind, OcspOptions::DEFAULT, UnixTime(now)).unwrap()
    };
    let first = delegate(&mut store, NOW);
    assert!(!first.is_due(UnixTime(NOW + 4 * DAY - 1)) && first.is_due(UnixTime(NOW + 4 * DAY)));
    let second = delegate(&mut store, NOW + 4 * DAY);
    assert_ne!(first.signer().public_key_info(), second.signer().public_key_info());
    // A response includes the certificate of the key that signed it, which the CA issued for this alone.
    let der = second.answer_about(&mut store, &issued.serial, UnixTime(NOW + 4 * DAY)).unwrap();
    let response = OcspResponse::from_der(&der).unwrap();
    let basic = BasicOcspResponse::from_der(response.response_bytes.unwrap().response.as_bytes()).unwrap();
    let certificate = basic.certs.unwrap().iter().next().unwrap().unwrap();
    let tbs = &certificate.tbs_certificate;
    let extensions = tbs.extensions.unwrap();
    let purposes = extensions.get::<ExtKeyUsage<'_>>().unwrap().unwrap();
    assert!(purposes.contains(oids::KP_OCSP_SIGNING));
    assert!(extensions.get::<OcspNoCheck>().unwrap().is_some());
    let signature = basic.signature.octets().unwrap();
    let data = basic.tbs_response_data.as_bytes();
    verify(&BACKEND, &tbs.subject_public_key_info, &basic.signature_algorithm, data, signature).unwrap();
    // It never outlives the CA.
    let last = delegate(&mut store, NOW + 99 * DAY);
    assert!(last.is_due(UnixTime(NOW + 99 * DAY + DAY / 2)));
}
