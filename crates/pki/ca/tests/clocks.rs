//! Time is a fault: what a CA and its responder do under clocks that jump, by the moment that their callers give.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(feature = "sqlite")]

use std::sync::Arc;

use tagwise_ca::{
    Authority, Error, Founding, Issued, Now, OcspOptions, Order, Profile, Protection, Rekeying, Responder,
    Restrictions, Serial, SqliteStore, Store, Urls,
};
use tagwise_codec::{CivilTime, Decode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeySigner, KeyType, Signer};
use tagwise_pkix::build::{self, Digest, IssuerHashes};
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::ocsp::{CertStatus, OcspResponse, OcspResponseStatus, Request, Response, TbsRequest, Version};
use tagwise_pkix::{Certificate, CertificateList, UnixTime};

const BACKEND: AwsLc = AwsLc::new();
const NOW: i64 = 1_790_000_000;
const DAY: i64 = 86_400;

const fn at(seconds: i64) -> UnixTime {
    UnixTime(seconds)
}

const fn later(than: UnixTime, seconds: i64) -> UnixTime {
    UnixTime(than.0 + seconds)
}

struct Ca {
    store: SqliteStore,
    authority: Arc<Authority>,
    signer: Arc<KeySigner>,
}

impl Ca {
    fn new(from: UnixTime) -> Self {
        let mut store = SqliteStore::in_memory().unwrap();
        let key = BACKEND.generate(KeyType::Ed25519).unwrap();
        let founding = Founding {
            label: Authority::LABEL,
            subject: NameBuf::parse("CN=Root").unwrap(),
            key_identifier: None,
            not_before: from,
            not_after: later(from, 3000 * DAY),
            path_len: None,
            urls: Urls::default(),
            pss: false,
        };
        let authority = Authority::found(&mut store, &BACKEND, &key, &founding, &Protection::Clear).unwrap();
        let signer = Arc::new(authority.unlock(&BACKEND, None).unwrap());
        Self { store, authority: Arc::new(authority), signer }
    }

    fn issue(&mut self, from: UnixTime, now: UnixTime) -> Result<Issued, Error> {
        let key = BACKEND.generate(KeyType::Ed25519).unwrap();
        let order = Order {
            subject: NameBuf::parse("CN=subject").unwrap(),
            names: Vec::new(),
            public_key: key.public_key_info(),
            key_identifier: None,
            restrictions: Restrictions::default(),
            profile: Profile::Client,
            not_before: from,
            not_after: later(from, 90 * DAY),
        };
        self.authority.issue(&mut self.store, &BACKEND, &*self.signer, &order, now)
    }

    fn revoke(&mut self, serial: &Serial, at: UnixTime) {
        self.authority.revoke(&mut self.store, serial, CrlReason::KeyCompromise, None, at).unwrap();
    }

    /// The moment and the entries of the next CRL, as they stand in it, with the dates of the entries.
    fn crl(&mut self, now: impl Into<Now>) -> Result<(UnixTime, Vec<UnixTime>), Error> {
        let now = now.into();
        let before = self.authority_crl_number();
        let made = self.authority.crl(&mut self.store, &*self.signer, now, later(now.unix(), 7 * DAY))?;
        assert_eq!(made.number, before + 1);
        let list = CertificateList::from_der(&made.der).unwrap();
        let tbs = &list.tbs_cert_list;
        assert_eq!((tbs.this_update.unix(), tbs.number().unwrap().unwrap().0.get()), (made.this_update, made.number));
        Ok((made.this_update, tbs.revocations().map(|entry| entry.unwrap().entry.revocation_date.unix()).collect()))
    }

    fn authority_crl_number(&mut self) -> u64 {
        self.store.crl(self.authority.id(), None).unwrap().map_or(0, |crl| crl.number)
    }

    fn responder(&self) -> Responder {
        let signer: Arc<dyn Signer> = Arc::<KeySigner>::clone(&self.signer);
        Responder::new(Arc::clone(&self.authority), signer, OcspOptions::DEFAULT).unwrap()
    }

    fn request(&self, serial: &Serial) -> Vec<u8> {
        let hashes = IssuerHashes::of(Digest::Sha1, self.authority.certificate()).unwrap();
        let one = [Request { req_cert: hashes.cert_id(serial.number()), single_request_extensions: None }];
        let (requestor_name, request_extensions) = (None, None);
        let request_list = one.as_slice().into();
        build::ocsp_request(&TbsRequest { version: Version::V1, requestor_name, request_list, request_extensions })
            .unwrap()
    }
}

fn disagrees<T>(done: Result<T, Error>, words: &str) {
    match done {
        Err(error @ Error::ClockDisagrees { .. }) => assert!(error.to_string().contains(words), "{error}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("not refused: {words}"),
    }
}

/// When a response was made, and since when it says that its certificate is revoked.
fn told(der: &[u8]) -> (UnixTime, Option<UnixTime>) {
    let response = OcspResponse::from_der(der).unwrap();
    let Response::Response(basic) = response.response_bytes.unwrap().response.get().unwrap() else {
        panic!("no response")
    };
    let data = &basic.tbs_response_data;
    let one = data.responses.iter().next().unwrap().unwrap();
    assert_eq!(data.produced_at.unix(), one.this_update.unix());
    let since = match one.cert_status {
        CertStatus::Revoked(revoked) => Some(revoked.revocation_time.unix()),
        _ => None,
    };
    (data.produced_at.unix(), since)
}

#[test]
fn crls_ahead_and_back() {
    let mut ca = Ca::new(at(NOW));
    let serial = ca.issue(at(NOW), at(NOW)).unwrap().serial;
    ca.revoke(&serial, at(NOW + 1));
    assert_eq!(ca.crl(at(NOW + 2)).unwrap(), (at(NOW + 2), vec![at(NOW + 1)]));
    assert_eq!(ca.crl(at(NOW + 1000 * DAY)).unwrap().1, [at(NOW + 1)]);
    assert_eq!(ca.crl(at(NOW + 1001 * DAY)).unwrap().1, []);
    disagrees(ca.crl(at(NOW + DAY)), "the last CRL was issued at 2029-06-1");
    let right = Now::from(at(NOW + DAY)).clock_was_wrong();
    assert_eq!(ca.crl(right).unwrap(), (at(NOW + DAY), vec![at(NOW + 1)]));
    // Clocks that differ by little: never before the last one.
    assert_eq!(ca.crl(at(NOW + DAY - 200)).unwrap().0, at(NOW + DAY));
    disagrees(ca.crl(at(NOW + DAY - 301)), "the last CRL was issued");
    assert_eq!(ca.crl(at(NOW + 91 * DAY)).unwrap().1, [at(NOW + 1)]);
    assert_eq!(ca.crl(at(NOW + 92 * DAY)).unwrap().1, []);
}

#[test]
fn nothing_is_revoked_in_the_future() {
    let mut ca = Ca::new(at(NOW));
    let (one, two) = (ca.issue(at(NOW), at(NOW)).unwrap().serial, ca.issue(at(NOW), at(NOW)).unwrap().serial);
    ca.revoke(&one, at(NOW + 1000 * DAY));
    // As far as clocks may differ.
    ca.revoke(&two, at(NOW + 12));
    let said = format!("the certificate {one} was revoked at 2029-06-1");
    disagrees(ca.crl(at(NOW + 10)), &said);
    let responder = ca.responder();
    disagrees(responder.answer_about(&mut ca.store, &one, at(NOW + 10)), &said);
    let asked = ca.request(&one);
    let answer = responder.answer(&mut ca.store, &asked, at(NOW + 10));
    assert_eq!(answer.status, OcspResponseStatus::TryLater);
    assert_eq!(
        told(&responder.answer_about(&mut ca.store, &two, at(NOW + 10)).unwrap()),
        (at(NOW + 10), Some(at(NOW + 10)))
    );
    disagrees(responder.sign_in_advance(&mut ca.store, at(NOW + 10), &mut || true), &said);
    let right = Now::from(at(NOW + 10)).clock_was_wrong();
    assert_eq!(ca.crl(right).unwrap().1, [at(NOW + 10), at(NOW + 10)]);
    assert_eq!(
        told(&responder.answer_about(&mut ca.store, &one, at(NOW + 20)).unwrap()),
        (at(NOW + 20), Some(at(NOW + 10)))
    );
    // It stays so, and is no longer moved.
    assert_eq!(ca.crl(at(NOW + DAY)).unwrap().1, [at(NOW + 10), at(NOW + 10)]);
}

#[test]
fn answers_ahead_and_back() {
    let mut ca = Ca::new(at(NOW));
    let serial = ca.issue(at(NOW), at(NOW)).unwrap().serial;
    let responder = ca.responder();
    let asked = ca.request(&serial);
    let ahead = at(NOW + 20 * DAY);
    assert_eq!(told(&responder.answer(&mut ca.store, &asked, ahead).der), (ahead, None));
    let said = format!("the last OCSP response about {serial} was signed at ");
    let answer = responder.answer(&mut ca.store, &asked, at(NOW + 5));
    assert_eq!(answer.status, OcspResponseStatus::TryLater);
    assert!(answer.error.unwrap().to_string().contains(&said));
    disagrees(responder.answer_about(&mut ca.store, &serial, at(NOW + 5)), &said);
    ca.crl(Now::from(at(NOW + 5)).clock_was_wrong()).unwrap();
    assert_eq!(told(&responder.answer(&mut ca.store, &asked, at(NOW + 5)).der), (at(NOW + 5), None));
    // Before the last CRL nothing is signed, with a nonce or without, nor in advance.
    let other = ca.issue(at(NOW), at(NOW + 5)).unwrap().serial;
    ca.crl(ahead).unwrap();
    let early = at(NOW + 6);
    let about_other = ca.request(&other);
    assert_eq!(responder.answer(&mut ca.store, &about_other, early).status, OcspResponseStatus::TryLater);
    let unknown = ca.request(&Serial::generate().unwrap());
    assert_eq!(responder.answer(&mut ca.store, &unknown, early).status, OcspResponseStatus::TryLater);
    disagrees(responder.sign_in_advance(&mut ca.store, early, &mut || true), "the last CRL was issued");
    disagrees(responder.answer_about(&mut ca.store, &other, early), "the last CRL was issued");
    // Nor before the signer's certificate is valid.
    let mut young = Ca::new(at(NOW));
    let serial = young.issue(at(NOW), at(NOW)).unwrap().serial;
    let refused = young.responder().answer_about(&mut young.store, &serial, at(NOW - DAY)).unwrap_err();
    assert!(refused.to_string().contains("the responder's certificate is not valid before 2026-"), "{refused}");
}

#[test]
fn certificates_ahead_and_back() {
    let mut ca = Ca::new(at(NOW));
    let refused = ca.issue(at(NOW), at(NOW - DAY)).unwrap_err();
    assert!(refused.to_string().contains("the CA's certificate is valid from"), "{refused}");
    // It begins later, or has begun already: that is the order's matter.
    let later = ca.issue(at(NOW + 10 * DAY), at(NOW)).unwrap();
    let read = Certificate::from_der(&later.der).unwrap();
    assert_eq!(read.tbs_certificate.validity.not_before.unix(), at(NOW + 10 * DAY));
    ca.crl(at(NOW + 100 * DAY)).unwrap();
    disagrees(ca.issue(at(NOW), at(NOW + 99 * DAY)), "the last CRL was issued");
    ca.issue(at(NOW), at(NOW + 100 * DAY - 10)).unwrap();
    // RFC 5280 §5.3.2: no revocation date precedes the last CRL.
    let (store, authority) = (&mut ca.store, &ca.authority);
    let revoke =
        |store: &mut SqliteStore, now: i64, reason| authority.revoke(store, &later.serial, reason, None, at(now));
    disagrees(revoke(store, NOW + DAY, CrlReason::Superseded), "the last CRL was issued");
    let hold = revoke(store, NOW + 100 * DAY - 10, CrlReason::CertificateHold).unwrap();
    assert_eq!(hold.at, at(NOW + 100 * DAY));
    disagrees(authority.release(store, &later.serial, at(NOW + DAY)), "the last CRL was issued");
    authority.release(store, &later.serial, at(NOW + 100 * DAY - 10)).unwrap();
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let (validity, urls) = ((at(NOW + DAY), at(NOW + 500 * DAY)), Urls::default());
    let rekeying = Rekeying { key: &key, validity, urls: &urls, pss: false };
    disagrees(authority.rekey(store, &BACKEND, &rekeying, &Protection::Clear), "the last CRL was issued");
    // A CA certificate from a clock that was ahead.
    let ahead = (at(NOW + 300 * DAY), at(NOW + 900 * DAY));
    let renewed = authority.renew(store, &BACKEND, &*ca.signer, ahead).unwrap();
    let refused = renewed.crl(store, &*ca.signer, at(NOW + 101 * DAY), at(NOW + 102 * DAY)).unwrap_err();
    assert!(refused.to_string().contains("the clock shows 20"), "{refused}");
    assert!(refused.to_string().contains("was wrong when that certificate was created"), "{refused}");
    let right = (at(NOW + 101 * DAY), at(NOW + 900 * DAY));
    renewed.renew(store, &BACKEND, &*ca.signer, right).unwrap();
}

/// RFC 5280 §4.1.2.5, §5.1.2.4; OCSP has four digits always.
#[test]
fn over_the_year_2050() {
    let boundary = CivilTime::new(2050, 1, 1, 0, 0, 0).unwrap().unix();
    let mut ca = Ca::new(later(boundary, -30 * DAY));
    let serial = ca.issue(later(boundary, -5), later(boundary, -5)).unwrap().serial;
    ca.revoke(&serial, later(boundary, -4));
    for (now, tag) in [(later(boundary, -1), 0x17), (boundary, 0x18), (later(boundary, 1), 0x18)] {
        assert_eq!(ca.crl(now).unwrap(), (now, vec![later(boundary, -4)]));
        let der = ca.store.crl(ca.authority.id(), None).unwrap().unwrap().der;
        let list = CertificateList::from_der(&der).unwrap();
        let text = list.tbs_cert_list.as_bytes();
        let this_update: &[u8] = if tag == 0x17 { b"491231235959Z" } else { b"2050010100000" };
        let at = text.windows(this_update.len()).position(|window| window == this_update).unwrap();
        assert_eq!(text[at - 2], tag);
    }
    disagrees(ca.crl(later(boundary, -1000)), "the last CRL was issued at 2050-01-01T00:00:01Z");
    let responder = ca.responder();
    let answer = responder.answer_about(&mut ca.store, &serial, later(boundary, 2)).unwrap();
    assert_eq!(told(&answer), (later(boundary, 2), Some(later(boundary, -4))));
}
