//! What every store keeps its word on: the same battery over SQLite and, with its feature, over a PostgreSQL server that is started
//! here, on loopback and for this alone.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "stores/clocks.rs"]
mod clocks;
mod common;
#[path = "stores/delta.rs"]
mod delta;
#[path = "stores/documents.rs"]
mod documents;
#[path = "stores/elsewhere.rs"]
mod elsewhere;

use std::ops::ControlFlow;
use std::sync::{Arc, Barrier};

use tagwise_ca::store::{
    AuthorityId, AuthorityRecord, CertificateId, Cursor, NewCertificate, NewCrl, NewOcspResponse, Past, Revocation,
    StoredKey, Unanswered,
};
use tagwise_ca::{Documents, Error, Now, Serial, Store, Urls};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

type Open = Arc<dyn Fn() -> Box<dyn Documents> + Send + Sync>;

#[cfg(feature = "sqlite")]
#[test]
fn sqlite() {
    use tagwise_ca::{SqliteOptions, SqliteStore};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    battery(
        &(Arc::new(move || Box::new(SqliteStore::create(&path, &SqliteOptions::DEFAULT).unwrap()) as Box<dyn Documents>)
            as Open),
    );
}

fn new_authority(store: &mut dyn Store, label: &str) -> AuthorityId {
    store.add_authority(&record(label), None, &Past::Nothing).unwrap()
}

fn record(label: &str) -> AuthorityRecord {
    AuthorityRecord {
        label: label.to_owned(),
        certificate: vec![0x30, 0],
        key: StoredKey::Encrypted(vec![1, 2, 3]),
        urls: Urls { ocsp: Some("http://a/".to_owned()), crl: None, ..Urls::default() },
        crl_number: 6,
        created: UnixTime(5),
    }
}

fn certificate(serial: &Serial) -> NewCertificate {
    NewCertificate {
        serial: serial.clone(),
        profile: "server".into(),
        not_before: UnixTime(10),
        not_after: UnixTime(1000),
        issued: UnixTime(11),
        der: common::der("CN=ä", 1),
    }
}

fn serial() -> Serial {
    Serial::generate().unwrap()
}

fn revocation(at: i64, reason: CrlReason) -> Revocation {
    Revocation { at: UnixTime(at), reason, invalid_since: None }
}

/// A clock's time: seconds, or what is said of it.
trait Clock {
    fn now(self) -> Now;
}

impl Clock for i64 {
    fn now(self) -> Now {
        UnixTime(self).into()
    }
}

impl Clock for Now {
    fn now(self) -> Now {
        self
    }
}

fn battery(open: &Open) {
    let store = &mut *open();
    authorities(store);
    serials(store);
    revocations(store);
    crls(store);
    responses(store);
    clocks::all(store);
    elsewhere::all(store);
    delta::all(store);
    compromised(store);
    documents::all(open);
    asked_before(open);
    many_at_once(open);
    against_each_other(open);
}

fn authorities(store: &mut dyn Store) {
    let of = new_authority(store, "one");
    let (found, read) = store.authority("one").unwrap().unwrap();
    assert_eq!((found, read.crl_number, read.created), (of, 6, UnixTime(5)));
    assert_eq!((read.certificate, read.urls), (vec![0x30, 0], record("one").urls));
    assert!(matches!(read.key, StoredKey::Encrypted(der) if der == [1, 2, 3]));
    assert!(
        matches!(store.add_authority(&record("one"), None, &Past::Nothing), Err(Error::AuthorityExists(label)) if label == "one")
    );
    assert!(store.authority("two").unwrap().is_none());
    // One that has its own certificate among those that it issued; a number that is taken leaves no CA behind.
    let own = certificate(&serial());
    let two = store.add_authority(
        &AuthorityRecord { key: StoredKey::Elsewhere, ..record("two") },
        Some(&own),
        &Past::Nothing,
    );
    let two = two.unwrap();
    assert!(matches!(store.authority("two").unwrap().unwrap().1.key, StoredKey::Elsewhere));
    assert!(
        store.certificate(two, &own.serial).unwrap().is_some() && store.certificate(of, &own.serial).unwrap().is_none()
    );
}

fn serials(store: &mut dyn Store) {
    let (of, other) = (new_authority(store, "serials"), new_authority(store, "serials of another"));
    let (one, two) = (serial(), serial());
    store.add_certificates(of, &[certificate(&one)]).unwrap();
    let again = store.add_certificates(of, &[certificate(&two), certificate(&one)]);
    assert!(matches!(again, Err(Error::SerialTaken(serial)) if serial == one));
    assert!(store.certificate(of, &two).unwrap().is_none());
    let read = store.certificate(of, &one).unwrap().unwrap();
    assert_eq!((read.subject.as_str(), read.profile.as_str(), read.revocation), ("CN=ä", "server", None));
    assert_eq!((read.not_before, read.not_after, read.issued), (UnixTime(10), UnixTime(1000), UnixTime(11)));
    // Its subject is the certificate's own: what is none is not stored, nor what comes with it.
    let torn = NewCertificate { der: vec![0x30, 0], ..certificate(&two) };
    let refused = store.add_certificates(of, &[certificate(&serial()), torn]).unwrap_err();
    assert!(matches!(refused, Error::Malformed { .. }), "{refused}");
    assert!(store.certificate(of, &two).unwrap().is_none());
    // Another CA may have the same number. References are held.
    store.add_certificates(other, &[certificate(&one)]).unwrap();
    assert!(store.add_certificates(AuthorityId(7777), &[certificate(&two)]).is_err());
    // A walk goes through all of them, in order.
    let more: Vec<Serial> = (0..600).map(|_| serial()).collect();
    store.add_certificates(of, &more.iter().map(certificate).collect::<Vec<_>>()).unwrap();
    let mut seen = Vec::new();
    let walk = &mut |record: tagwise_ca::store::CertificateRecord| {
        seen.push(record.serial);
        Ok(())
    };
    store.certificates(of, walk).unwrap();
    assert_eq!(seen, [vec![one], more].concat());
    let stop = &mut |_| Err(Error::NoKey);
    assert!(matches!(store.certificates(of, stop), Err(Error::NoKey)));
    octets(store);
    far_apart(store);
    differing(store);
}

/// Responses that lie far from each other, with expired ones and those of nobody between them, are walked over as others are.
fn far_apart(store: &mut dyn Store) {
    let (of, other) = (new_authority(store, "far apart"), new_authority(store, "between them"));
    let mut answers = Vec::new();
    for (at, others) in (0_u8..).zip([0, 1024, 1, 3000, 1023, 2100]) {
        let between: Vec<NewCertificate> = (0..others).map(|_| certificate(&serial())).collect();
        store.add_certificates(other, &between).unwrap();
        let new = certificate(&serial());
        store.add_certificates(of, std::slice::from_ref(&new)).unwrap();
        let until = if at == 2 { 40 } else { 90 };
        answers.push(NewOcspResponse { der: vec![at], ..response(id(store, of, &new.serial), 0, until) });
    }
    store.add_ocsp_responses(of, &answers).unwrap();
    for most in 1..8 {
        let (mut seen, mut behind) = (Vec::new(), Cursor::default());
        loop {
            let mut count = 0;
            let visit = &mut |der: &[u8]| {
                seen.push(der[0]);
                count += 1;
                Ok(if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            };
            behind = store.ocsp_octets(of, "sha1", UnixTime(40), behind, visit).unwrap();
            if count == 0 {
                break;
            }
        }
        assert_eq!(seen, [0, 1, 3, 4, 5], "{most} at a time");
    }
}

/// Each row has what its own certificate has, whether or not the one before it has the same.
fn differing(store: &mut dyn Store) {
    let of = new_authority(store, "differing");
    let like = |profile: &'static str, from, to, issued| NewCertificate {
        profile: profile.into(),
        not_before: UnixTime(from),
        not_after: UnixTime(to),
        issued: UnixTime(issued),
        ..certificate(&serial())
    };
    let base = ("server", 10, 1000, 11);
    let kinds = [
        base,
        base,
        ("client", 10, 1000, 11),
        ("client", 12, 1000, 11),
        ("client", 12, 1001, 11),
        ("client", 12, 1001, 13),
        base,
    ];
    let list = kinds.map(|(profile, from, to, issued)| like(profile, from, to, issued));
    store.add_certificates(of, &list).unwrap();
    for (new, kind) in list.iter().zip(kinds) {
        let read = store.certificate(of, &new.serial).unwrap().unwrap();
        assert_eq!((read.profile.as_str(), read.not_before.0, read.not_after.0, read.issued.0), kind);
    }
}

/// Octets come as they went in, each once, from where a walk is told to begin.
fn octets(store: &mut dyn Store) {
    let (of, other) = (new_authority(store, "octets"), new_authority(store, "octets of another"));
    let list: Vec<NewCertificate> =
        (0..1500_u16).map(|at| NewCertificate { der: common::der("CN=a", at), ..certificate(&serial()) }).collect();
    let (first, rest) = list.split_at(1100);
    store.add_certificates(of, first).unwrap();
    store.add_certificates(other, &[certificate(&serial())]).unwrap();
    store.add_certificates(of, rest).unwrap();
    let mut seen = Vec::new();
    let go_on = |more: bool| if more { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let mut parts = Vec::new();
    let mut behind = Cursor::default();
    // In parts: before, at and after the end of a page, and to the end, where there is nothing more.
    for most in [1023, 1, 6, 300, 2000, 1] {
        let mut count = 0;
        let visit = &mut |der: &[u8]| {
            seen.push(der.to_vec());
            count += 1;
            Ok(go_on(count < most))
        };
        behind = store.certificate_octets(of, behind, visit).unwrap();
        parts.push(count);
    }
    assert_eq!(parts, [1023, 1, 6, 300, 170, 0]);
    assert!(seen.iter().eq(list.iter().map(|new| &new.der)));
    let visit = &mut |_: &[u8]| Err(Error::NoKey);
    assert!(matches!(store.certificate_octets(of, Cursor::default(), visit), Err(Error::NoKey)));
    // Responses about the same: those alone that are good, and by that digest.
    let answer = |(at, new): (usize, &NewCertificate)| {
        let until = if at < 1200 { 90 } else { 40 };
        NewOcspResponse { der: new.der.clone(), ..response(id(store, of, &new.serial), 0, until) }
    };
    let mut answers: Vec<NewOcspResponse> = list.iter().enumerate().map(answer).collect();
    // One of a status that was never so, and one about a certificate of the other CA.
    let stale = NewOcspResponse { revision: 1, der: vec![9], ..answers[700].clone() };
    answers.push(NewOcspResponse { certificate: CertificateId(answers[1099].certificate.0 + 1), ..stale.clone() });
    answers.insert(3, stale);
    store.add_ocsp_responses(of, &answers).unwrap();
    let mut walk = |of, digest: &str, after, behind, most| {
        let mut seen = Vec::new();
        let visit = &mut |der: &[u8]| {
            seen.push(der.to_vec());
            Ok(go_on(seen.len() < most))
        };
        let behind = store.ocsp_octets(of, digest, UnixTime(after), behind, visit).unwrap();
        (seen, behind)
    };
    let start = Cursor::default();
    let (all, end) = walk(of, "sha1", 0, start, 2000);
    assert!(all.iter().eq(list.iter().map(|new| &new.der)));
    assert!(walk(of, "sha1", 0, end, 1).0.is_empty());
    let (_, behind) = walk(of, "sha1", 40, start, 1030);
    let (later, _) = walk(of, "sha1", 40, behind, 2000);
    assert!(later.iter().eq(list[1030..1200].iter().map(|new| &new.der)));
    assert!(walk(of, "sha256", 0, start, 1).0.is_empty() && walk(other, "sha1", 0, start, 1).0.is_empty());
}

fn revocations(store: &mut dyn Store) {
    let of = new_authority(store, "revocations");
    let (one, unknown) = (serial(), serial());
    store.add_certificates(of, &[certificate(&one)]).unwrap();
    let hold = revocation(20, CrlReason::CertificateHold);
    assert!(matches!(store.revoke(of, &unknown, &hold), Err(Error::NoSuchSerial(serial)) if serial == unknown));
    assert!(matches!(store.release(of, &unknown, UnixTime(20)), Err(Error::NoSuchSerial(_))));
    assert!(matches!(store.release(of, &one, UnixTime(20)), Err(Error::NotOnHold(_))));
    store.revoke(of, &one, &hold).unwrap();
    assert_eq!(store.status(of, &one).unwrap().unwrap().revocation, Some(hold));
    assert!(matches!(store.revoke(of, &one, &hold), Err(Error::AlreadyRevoked { at: UnixTime(20), .. })));
    store.release(of, &one, UnixTime(21)).unwrap();
    assert_eq!(store.status(of, &one).unwrap().unwrap().revocation, None);
    store.revoke(of, &one, &revocation(22, CrlReason::CertificateHold)).unwrap();
    let last = Revocation { invalid_since: Some(UnixTime(3)), ..revocation(23, CrlReason::KeyCompromise) };
    store.revoke(of, &one, &last).unwrap();
    // Since it was put on hold.
    assert_eq!(store.certificate(of, &one).unwrap().unwrap().revocation, Some(Revocation { at: UnixTime(22), ..last }));
    assert!(matches!(store.release(of, &one, UnixTime(24)), Err(Error::NotOnHold(_))));
    assert_eq!(store.status(of, &one).unwrap().unwrap().revision, 4);
    assert!(store.status(of, &unknown).unwrap().is_none());
    // Many at once: all or none.
    let many: Vec<Serial> = (0..5).map(|_| serial()).collect();
    store.add_certificates(of, &many.iter().map(certificate).collect::<Vec<_>>()).unwrap();
    let mut all: Vec<(Serial, Revocation)> =
        many.iter().map(|serial| (serial.clone(), revocation(30, CrlReason::Superseded))).collect();
    all.insert(3, (unknown.clone(), revocation(30, CrlReason::Superseded)));
    assert!(matches!(store.revoke_all(of, &all), Err(Error::NoSuchSerial(serial)) if serial == unknown));
    assert!(many.iter().all(|serial| store.status(of, serial).unwrap().unwrap().revocation.is_none()));
    all.remove(3);
    store.revoke_all(of, &all).unwrap();
    assert!(many.iter().all(|serial| store.status(of, serial).unwrap().unwrap().revocation == Some(all[0].1)));
}

/// Certificates whose key is compromised, in pages.
fn compromised(store: &mut dyn Store) {
    let (of, other) = (new_authority(store, "compromised"), new_authority(store, "compromised of another"));
    let serials: Vec<Serial> = (0..600).map(|_| serial()).collect();
    for of in [of, other] {
        let list: Vec<_> = serials.iter().map(certificate).collect();
        store.add_certificates(of, &list).unwrap();
    }
    let reasons =
        [CrlReason::KeyCompromise, CrlReason::CaCompromise, CrlReason::Superseded, CrlReason::CertificateHold];
    let list: Vec<_> =
        serials.iter().zip(reasons.iter().cycle()).map(|(it, why)| (it.clone(), revocation(20, *why))).collect();
    store.revoke_all(of, &list[..596]).unwrap();
    let expected: Vec<Serial> = serials[..596].chunks(4).flat_map(|four| four[..2].to_vec()).collect();
    let mut found = Vec::new();
    store
        .compromised(of, &mut |serial, der| {
            assert_eq!(der, common::der("CN=ä", 1));
            found.push(serial);
            Ok(())
        })
        .unwrap();
    assert_eq!((found.len(), found), (298, expected));
}

fn crls(store: &mut dyn Store) {
    let of = new_authority(store, "crls");
    let (one, two) = (serial(), serial());
    store.add_certificates(of, &[certificate(&one), certificate(&two)]).unwrap();
    assert!(store.crl(of, None).unwrap().is_none());
    let mut make = |at: i64| {
        let mut listed = Vec::new();
        let made = store.add_crl(of, at.now(), &mut |draft| {
            listed = draft.revoked.clone();
            if at < 0 {
                Err(Error::NoKey)
            } else {
                Ok(NewCrl {
                    this_update: UnixTime(at),
                    next_update: UnixTime(at + 9),
                    der: vec![at.to_be_bytes()[7]],
                    beside: vec![],
                })
            }
        });
        (made.map(|made| made.number), listed)
    };
    assert!(matches!(make(-1).0, Err(Error::NoKey)));
    // What failed took no number, and the first goes on from where the CA was before.
    assert!(matches!(make(100), (Ok(7), list) if list.is_empty()));
    store.revoke(of, &two, &revocation(150, CrlReason::Superseded)).unwrap();
    store.revoke(of, &one, &revocation(150, CrlReason::Unspecified)).unwrap();
    let mut make = |at: i64| {
        let mut listed = Vec::new();
        let made = store.add_crl(of, at.now(), &mut |draft| {
            listed = draft.revoked.iter().map(|(serial, _)| serial.clone()).collect();
            Ok(NewCrl {
                this_update: UnixTime(at),
                next_update: UnixTime(at + 9),
                der: vec![at.to_be_bytes()[7]],
                beside: vec![],
            })
        });
        (made.unwrap().number, listed)
    };
    assert_eq!(make(200), (8, vec![two.clone(), one.clone()]));
    // On the first after their end, and on none later.
    assert_eq!(make(1001), (9, vec![two, one]));
    assert_eq!(make(1002), (10, vec![]));
    assert_eq!(store.crl(of, None).unwrap().unwrap().number, 10);
    let first = store.crl(of, Some(7)).unwrap().unwrap();
    assert_eq!((first.this_update, first.next_update, first.der), (UnixTime(100), UnixTime(109), vec![100]));
    assert!(store.crl(of, Some(11)).unwrap().is_none() && store.crl(of, Some(u64::MAX)).is_err());
}

fn response(certificate: CertificateId, revision: i64, next_update: i64) -> NewOcspResponse {
    NewOcspResponse {
        certificate,
        digest: "sha1",
        revision,
        this_update: UnixTime(1),
        next_update: UnixTime(next_update),
        der: vec![7],
    }
}

fn id(store: &mut dyn Store, of: AuthorityId, serial: &Serial) -> CertificateId {
    store.status(of, serial).unwrap().unwrap().certificate
}

fn responses(store: &mut dyn Store) {
    let of = new_authority(store, "responses");
    let serials: Vec<Serial> = (0..5).map(|_| serial()).collect();
    store.add_certificates(of, &serials.iter().map(certificate).collect::<Vec<_>>()).unwrap();
    let one = &serials[0];
    let ids: Vec<CertificateId> = serials.iter().map(|serial| id(store, of, serial)).collect();
    let first = ids[0];
    let nobodys = CertificateId(ids[4].0 + 1000);
    store.add_ocsp_responses(of, &[response(first, 0, 50), response(nobodys, 0, 50)]).unwrap();
    assert_eq!(store.ocsp_response(of, one, "sha1", UnixTime(49)).unwrap().unwrap().next_update, UnixTime(50));
    assert!(store.ocsp_response(of, one, "sha1", UnixTime(50)).unwrap().is_none());
    assert!(store.ocsp_response(of, one, "sha256", UnixTime(0)).unwrap().is_none());
    // A later one takes its place; one of an earlier status does not.
    store.add_ocsp_responses(of, &[response(first, 0, 80)]).unwrap();
    assert_eq!(store.ocsp_response(of, one, "sha1", UnixTime(0)).unwrap().unwrap().next_update, UnixTime(80));
    store.revoke(of, one, &revocation(20, CrlReason::Superseded)).unwrap();
    assert!(store.ocsp_response(of, one, "sha1", UnixTime(0)).unwrap().is_none());
    store.add_ocsp_responses(of, &[response(first, 0, 90)]).unwrap();
    assert!(store.ocsp_response(of, one, "sha1", UnixTime(0)).unwrap().is_none());
    // Nor one that another CA stores, nor one by a digest that nobody asks with.
    let other = new_authority(store, "responses of another");
    store.add_ocsp_responses(other, &[response(ids[1], 0, 90)]).unwrap();
    assert!(store.ocsp_response(of, &serials[1], "sha1", UnixTime(0)).unwrap().is_none());
    assert!(store.ocsp_response(of, one, "md5", UnixTime(0)).unwrap().is_none());
    store.add_ocsp_responses(of, &[response(first, 1, 90), response(ids[2], 0, 90)]).unwrap();
    // If the certificate of a responder is revoked, nothing that it may have signed is kept; of other CAs, all is.
    let of_other = certificate(&serial());
    store.add_certificates(other, std::slice::from_ref(&of_other)).unwrap();
    let of_other = (id(store, other, &of_other.serial), of_other.serial);
    store.add_ocsp_responses(other, &[response(of_other.0, 0, 90)]).unwrap();
    let responder =
        NewCertificate { der: common::der("CN=\\2B\\06\\01\\05\\05\\07\\03\\09", 1), ..certificate(&serial()) };
    store.add_certificates(of, std::slice::from_ref(&responder)).unwrap();
    store.revoke(of, &responder.serial, &revocation(20, CrlReason::KeyCompromise)).unwrap();
    assert!(store.ocsp_response(of, &serials[2], "sha1", UnixTime(0)).unwrap().is_none());
    assert!(store.ocsp_response(other, &of_other.1, "sha1", UnixTime(0)).unwrap().is_some());
    let of_responder = response(id(store, of, &responder.serial), 1, 90);
    store.add_ocsp_responses(of, &[response(first, 1, 90), response(ids[2], 0, 90), of_responder]).unwrap();

    let mut page = |behind| store.unanswered(of, "sha1", UnixTime(500), UnixTime(60), (behind, 2)).unwrap();
    let Unanswered { list, next } = page(Cursor::default());
    assert!(list.iter().map(|status| &status.serial).eq([&serials[1], &serials[3]]));
    let Unanswered { list, next } = page(next.unwrap());
    assert!(list.iter().map(|status| &status.serial).eq([&serials[4]]) && next.is_none());
    let none = store.unanswered(of, "sha1", UnixTime(1001), UnixTime(60), (Cursor::default(), 9)).unwrap();
    assert_eq!(none, Unanswered::default());
}

/// What was asked of a store is still so when answers come, or they are not kept, whoever changed it meanwhile.
fn asked_before(open: &Open) {
    let (store, other) = (&mut *open(), &mut *open());
    let of = new_authority(store, "asked");
    let (one, two) = (serial(), serial());
    store.add_certificates(of, &[certificate(&one), certificate(&two)]).unwrap();
    let ask = |store: &mut dyn Store| -> Vec<NewOcspResponse> {
        let page = store.unanswered(of, "sha1", UnixTime(500), UnixTime(60), (Cursor::default(), 9)).unwrap();
        page.list.iter().map(|status| response(status.certificate, status.revision, 90)).collect()
    };
    let is_answered =
        |store: &mut dyn Store, about| store.ocsp_response(of, about, "sha1", UnixTime(0)).unwrap().is_some();
    let answers = ask(store);
    other.revoke(of, &one, &revocation(20, CrlReason::CertificateHold)).unwrap();
    store.add_ocsp_responses(of, &answers).unwrap();
    assert!(!is_answered(store, &one) && is_answered(store, &two));
    let answers = ask(store);
    store.release(of, &one, UnixTime(21)).unwrap();
    store.add_ocsp_responses(of, &answers).unwrap();
    assert!(!is_answered(store, &one));
    let mut answers = ask(store);
    answers[0].revision += 1;
    store.add_ocsp_responses(of, &answers).unwrap();
    assert!(!is_answered(store, &one));
    let answers = ask(store);
    // What others do to something else is of no account.
    other.add_certificates(of, &[certificate(&serial())]).unwrap();
    store.add_ocsp_responses(of, &answers).unwrap();
    assert!(is_answered(store, &one));
    let (answers, another) = (ask(store), new_authority(other, "asked by another"));
    store.add_ocsp_responses(another, &answers).unwrap();
    assert!(ask(store).len() == 1 && answers.len() == 1);
    store.add_ocsp_responses(of, &answers).unwrap();
    assert!(ask(store).is_empty());
}

/// Each with its own connection: nobody is told that something is locked, nothing is lost, no number is there twice.
fn many_at_once(open: &Open) {
    const THREADS: usize = 6;
    const EACH: usize = 20;
    let of = new_authority(&mut *open(), "many");
    let work = |open: Open| {
        move || {
            let mut numbers = Vec::new();
            for _ in 0..EACH {
                let mut store = open();
                let one = serial();
                store.add_certificates(of, &[certificate(&one)]).unwrap();
                store.revoke(of, &one, &revocation(5, CrlReason::Superseded)).unwrap();
                let make = &mut |_: &_| {
                    Ok(NewCrl { this_update: UnixTime(0), next_update: UnixTime(1), der: vec![], beside: vec![] })
                };
                numbers.push(store.add_crl(of, 0.now(), make).unwrap().number);
            }
            assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
            numbers
        }
    };
    let threads: Vec<_> = (0..THREADS).map(|_| std::thread::spawn(work(Arc::clone(open)))).collect();
    let mut numbers: Vec<u64> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq(7..7 + (THREADS * EACH) as u64), "{numbers:?}");
    let mut listed = 0;
    let count = &mut |draft: &tagwise_ca::store::CrlDraft| {
        listed = draft.revoked.len();
        Ok(NewCrl { this_update: UnixTime(0), next_update: UnixTime(1), der: vec![], beside: vec![] })
    };
    open().add_crl(of, 0.now(), count).unwrap();
    assert_eq!(listed, THREADS * EACH);
}

/// Responders store what they have signed while others revoke: an answer of before is never there after.
fn against_each_other(open: &Open) {
    let mut store = open();
    let of = new_authority(&mut *store, "race");
    for _ in 0..60 {
        let one = serial();
        store.add_certificates(of, &[certificate(&one)]).unwrap();
        let asked = store.unanswered(of, "sha1", UnixTime(500), UnixTime(60), (Cursor::default(), 1000)).unwrap().list;
        let target_id = asked.last().unwrap().certificate;
        let start = Arc::new(Barrier::new(2));
        let (other, begin, target) = (Arc::clone(open), Arc::clone(&start), one.clone());
        let revoker = std::thread::spawn(move || {
            let mut store = other();
            begin.wait();
            store.revoke(of, &target, &revocation(20, CrlReason::KeyCompromise)).unwrap();
        });
        start.wait();
        store.add_ocsp_responses(of, &[response(target_id, 0, 90)]).unwrap();
        revoker.join().unwrap();
        assert!(store.ocsp_response(of, &one, "sha1", UnixTime(0)).unwrap().is_none());
    }
    // And two who revoke the same: one of them does.
    for _ in 0..20 {
        let one = serial();
        store.add_certificates(of, &[certificate(&one)]).unwrap();
        let start = Arc::new(Barrier::new(2));
        let two: Vec<_> = (0..2)
            .map(|_| {
                let (other, begin, target) = (Arc::clone(open), Arc::clone(&start), one.clone());
                std::thread::spawn(move || {
                    let mut store = other();
                    begin.wait();
                    store.revoke(of, &target, &revocation(20, CrlReason::KeyCompromise))
                })
            })
            .collect();
        let done: Vec<_> = two.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 1);
        assert!(done.iter().any(|done| matches!(done, Err(Error::AlreadyRevoked { .. }))));
    }
}

#[cfg(all(feature = "postgres", unix))]
#[path = "stores/postgres.rs"]
mod postgres;
