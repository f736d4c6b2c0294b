//! What the records of a CA say, compared with its last CRL.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(feature = "sqlite")]

use tagwise_ca::store::{Elsewhere, Revocation};
use tagwise_ca::{
    Adoption, AltName, Authority, Counts, Difference, Error, Founding, Import, Index, KnownCrls, LastCrl, NewAuthority,
    Order, Profile, Protection, Restrictions, Serial, Sources, SqliteStore, Store, Takeover, Urls,
};
use tagwise_codec::Decode;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeySigner, KeyType, PrivateKey, Scheme};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::name::NameBuf;

const BACKEND: AwsLc = AwsLc::new();
const NOW: i64 = 1_790_000_000;
const DAY: i64 = 86_400;

/// A CA that was run elsewhere.
struct Old {
    store: SqliteStore,
    key: std::sync::Arc<dyn PrivateKey>,
    authority: Authority,
    signer: KeySigner,
}

fn old() -> Old {
    let mut store = SqliteStore::in_memory().unwrap();
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let founding = Founding {
        label: Authority::LABEL,
        subject: NameBuf::parse("CN=Old").unwrap(),
        key_identifier: None,
        not_before: UnixTime(NOW - 500 * DAY),
        not_after: UnixTime(NOW + 1000 * DAY),
        path_len: None,
        urls: Urls::default(),
        pss: false,
    };
    let authority = Authority::found(&mut store, &BACKEND, &key, &founding, &Protection::Clear).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    Old { store, key, authority, signer }
}

impl Old {
    /// A certificate that ends so many days from now.
    fn issue(&mut self, days: i64) -> Elsewhere {
        let key = BACKEND.generate(KeyType::Ed25519).unwrap();
        let order = Order {
            subject: NameBuf::parse("CN=x").unwrap(),
            names: vec![AltName::dns("www.example.org").unwrap()],
            public_key: key.public_key_info(),
            key_identifier: None,
            restrictions: Restrictions::default(),
            profile: Profile::Server,
            not_before: UnixTime(NOW - 400 * DAY),
            not_after: UnixTime(NOW + days * DAY),
        };
        let start = UnixTime(NOW - 400 * DAY);
        let issued = self.authority.issue(&mut self.store, &BACKEND, &self.signer, &order, start).unwrap();
        Elsewhere::read(&BACKEND, self.authority.certificate(), &issued.der).unwrap()
    }

    fn revoke(&mut self, one: &Elsewhere, reason: CrlReason, at: i64) {
        self.authority.revoke(&mut self.store, &one.serial, reason, None, UnixTime(at)).unwrap();
    }

    fn crl(&mut self, at: i64) -> LastCrl {
        let made = self.authority.crl(&mut self.store, &self.signer, UnixTime(at), UnixTime(at + DAY)).unwrap();
        LastCrl::read(&BACKEND, self.authority.certificate(), &made.der).unwrap()
    }

    fn import(&self, import: &Import) -> (SqliteStore, Authority) {
        let adoption = Adoption {
            label: Authority::LABEL,
            certificate: self.authority.certificate_der(),
            urls: &Urls::default(),
            takeover: Takeover::Import(import),
            last_number: 0,
            now: UnixTime(NOW),
        };
        let mut store = SqliteStore::in_memory().unwrap();
        let new = NewAuthority::adopt(&BACKEND, &self.key, &adoption, &Protection::Clear).unwrap();
        let authority = new.add(&mut store).unwrap();
        (store, authority)
    }
}

/// A time as `openssl ca` writes it.
fn time(unix: i64) -> String {
    UnixTime(unix).to_string().replace(['-', 'T', ':'], "")
}

fn line(one: &Elsewhere, revoked: Option<(i64, &str)>) -> String {
    let until = time(one.validity.unwrap().1.0);
    match revoked {
        None => format!("V\t{until}\t\t{}\tunknown\t/CN=x\n", one.serial),
        Some((at, reason)) => format!("R\t{until}\t{},{reason}\t{}\tunknown\t/CN=x\n", time(at), one.serial),
    }
}

fn files(list: &[&Elsewhere]) -> Vec<(String, Elsewhere)> {
    list.iter().map(|one| (format!("{}.pem", one.serial), (*one).clone())).collect()
}

#[test]
fn a_whole_history_is_imported() {
    let mut old = old();
    let (good, bad, held, gone) = (old.issue(90), old.issue(90), old.issue(90), old.issue(-1));
    old.revoke(&bad, CrlReason::KeyCompromise, NOW - 20 * DAY);
    old.revoke(&held, CrlReason::CertificateHold, NOW - 19 * DAY);
    old.crl(NOW - 18 * DAY);
    let crl = old.crl(NOW - 17 * DAY);
    let text = [
        line(&good, None),
        line(&bad, Some((NOW - 20 * DAY, "keyCompromise"))),
        line(&held, Some((NOW - 19 * DAY, "certificateHold"))),
        line(&gone, None),
    ];
    let index = Index::parse(&text.concat()).unwrap();
    let certificates = files(&[&good, &bad, &held, &gone]);
    let sources = Sources {
        index: Some(&index),
        crl: Some(&crl),
        last_number: Some(2),
        certificates: &certificates,
        ..Sources::default()
    };
    let import = Import::new(&sources).unwrap();
    assert_eq!(import.differences(), []);
    let counts = Counts { certificates: 4, revoked: 1, on_hold: 1, expired: 1, numbers_only: 0 };
    assert_eq!((import.counts(UnixTime(NOW)), import.last_number()), (counts, 2));

    let (mut store, authority) = old.import(&import);
    for one in [&good, &bad, &held, &gone] {
        assert!(store.status(authority.id(), &one.serial).unwrap().is_some());
        assert_eq!(authority.find(&mut store, &one.serial).unwrap().der, *one.der.as_ref().unwrap());
    }
    let reason = |store: &mut SqliteStore, one: &Elsewhere| {
        let revocation = authority.find(store, &one.serial).unwrap().revocation;
        revocation.map(|revocation| (revocation.reason, revocation.at.0))
    };
    assert_eq!(reason(&mut store, &bad), Some((CrlReason::KeyCompromise, NOW - 20 * DAY)));
    assert_eq!(reason(&mut store, &held), Some((CrlReason::CertificateHold, NOW - 19 * DAY)));
    assert_eq!(reason(&mut store, &good), None);
    // The hold can be released here, and numbers continue.
    authority.release(&mut store, &held.serial, UnixTime(NOW)).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let next = authority.crl(&mut store, &signer, UnixTime(NOW), UnixTime(NOW + DAY)).unwrap();
    assert_eq!((next.number, next.entries), (3, 1));
    assert_eq!(authority.audit(&mut store, &BACKEND).unwrap().findings, [""; 0]);
}

#[test]
fn an_outdated_crl_is_refused() {
    let mut old = old();
    let (one, other, gone) = (old.issue(90), old.issue(90), old.issue(-100));
    old.revoke(&one, CrlReason::Superseded, NOW - 20 * DAY);
    let crl = old.crl(NOW - 10 * DAY);
    let refused = |text: &str, last_number: Option<u64>, words: &str| {
        let index = Index::parse(text).unwrap();
        let sources = Sources { index: Some(&index), crl: Some(&crl), last_number, ..Sources::default() };
        match Import::new(&sources) {
            Err(Error::Refused { what, .. }) => assert!(what.contains(words), "{what}"),
            done => panic!("{done:?}"),
        }
    };
    let good = line(&one, Some((NOW - 20 * DAY, "superseded")));
    let serial = other.serial.to_string();
    // Revoked after the CRL.
    let later = format!("{good}{}", line(&other, Some((NOW - DAY, "superseded"))));
    refused(&later, None, &format!("is older than the CA's records, which revoke {serial} ("));
    // Revoked before the CRL, which lacks it.
    let missing = format!("{good}{}", line(&other, Some((NOW - 15 * DAY, "superseded"))));
    refused(&missing, None, &format!("which revoke {serial} ("));
    // Listed by the CRL, but revoked after it.
    refused(&line(&one, Some((NOW - DAY, "superseded"))), None, "which revoke ");
    // A later CRL was issued.
    refused(&good, Some(2), "the CRL has the number 1, but the CA's records say that the last one was 2");

    // A certificate that had expired before the CRL may be missing (RFC 5280 §3.3).
    let index = Index::parse(&format!("{good}{}", line(&gone, Some((NOW - 150 * DAY, "superseded"))))).unwrap();
    let sources = Sources { index: Some(&index), crl: Some(&crl), last_number: Some(1), ..Sources::default() };
    let import = Import::new(&sources).unwrap();
    assert_eq!(import.differences(), [Difference::NotOnCrl(gone.serial)]);
    assert_eq!(import.counts(UnixTime(NOW)).revoked, 2);
}

#[test]
fn differences_are_listed() {
    let mut old = old();
    let (unlisted, lost, on_crl, changed) = (old.issue(90), old.issue(90), old.issue(90), old.issue(90));
    let mut other = old.issue(10);
    old.revoke(&on_crl, CrlReason::Superseded, NOW - 20 * DAY);
    old.revoke(&changed, CrlReason::Superseded, NOW - 20 * DAY);
    let crl = old.crl(NOW - 10 * DAY);
    other.serial = unlisted.serial.clone();
    let late =
        Elsewhere { validity: on_crl.validity.map(|(from, _)| (from, UnixTime(NOW + 91 * DAY))), ..on_crl.clone() };
    let text = [line(&lost, None), line(&late, None), line(&changed, Some((NOW - 21 * DAY, "keyCompromise")))].concat();
    let index = Index::parse(&text).unwrap();
    let mut certificates = files(&[&unlisted, &on_crl, &changed]);
    certificates.push(("other.pem".to_owned(), other));
    let sources = Sources { index: Some(&index), crl: Some(&crl), certificates: &certificates, ..Sources::default() };
    let import = Import::new(&sources).unwrap();
    let revocation = |at, reason| Revocation { at: UnixTime(at), reason, invalid_since: None };
    let file = format!("{}.pem", unlisted.serial);
    assert_eq!(
        import.differences(),
        [
            Difference::NotInIndex { serial: unlisted.serial.clone(), file },
            Difference::OtherExpiry {
                serial: on_crl.serial.clone(),
                index: UnixTime(NOW + 91 * DAY),
                certificate: UnixTime(NOW + 90 * DAY)
            },
            Difference::SameSerial { serial: unlisted.serial.clone(), file: "other.pem".to_owned() },
            Difference::NoCertificate(lost.serial.clone()),
            Difference::OtherRevocation {
                serial: changed.serial.clone(),
                crl: revocation(NOW - 20 * DAY, CrlReason::Superseded),
                other: revocation(NOW - 21 * DAY, CrlReason::KeyCompromise)
            },
            Difference::OnlyOnCrl(on_crl.serial.clone()),
        ]
    );
    // All of them are imported, and what any source revokes stays revoked.
    let (mut store, authority) = old.import(&import);
    for (one, revoked) in [(&unlisted, false), (&lost, false), (&on_crl, true), (&changed, true)] {
        assert_eq!(authority.find(&mut store, &one.serial).unwrap().revocation.is_some(), revoked);
    }
}

/// An index may have lost the line of a revoked certificate.
#[test]
fn an_incomplete_index_is_refused() {
    let mut old = old();
    let (listed, unlisted) = (old.issue(90), old.issue(90));
    let index = Index::parse(&line(&listed, None)).unwrap();
    let certificates = files(&[&listed, &unlisted]);
    let sources = Sources { index: Some(&index), certificates: &certificates, ..Sources::default() };
    let error = Import::new(&sources).unwrap_err().to_string();
    assert!(
        error.contains("no CRL shows whether it is revoked") && error.contains(&unlisted.serial.to_string()),
        "{error}"
    );
    // The operator decides, or another source shows the status: a later CRL, or other records.
    let difference = |sources: &Sources<'_>| Import::new(sources).map(|import| import.differences().len());
    assert_eq!(difference(&Sources { allow_unlisted: true, ..sources }).unwrap(), 1);
    let (early, late) = (old.crl(NOW - 450 * DAY), old.crl(NOW - DAY));
    assert!(difference(&Sources { crl: Some(&early), ..sources }).is_err());
    assert_eq!(difference(&Sources { crl: Some(&late), ..sources }).unwrap(), 1);
    let revocation = Revocation { at: UnixTime(NOW - DAY), reason: CrlReason::KeyCompromise, invalid_since: None };
    let revoked = [(unlisted.serial.clone(), revocation)];
    assert_eq!(difference(&Sources { revoked: &revoked, ..sources }).unwrap(), 1);
}

/// Delta CRLs and older complete CRLs revoke, too, and their numbers count.
#[test]
fn other_crls_revoke() {
    let mut old = self::old();
    let [on_base, on_delta, held, released] = [(); 4].map(|()| old.issue(90));
    old.revoke(&on_base, CrlReason::Superseded, NOW - 20 * DAY);
    old.revoke(&released, CrlReason::CertificateHold, NOW - 20 * DAY);
    let first = old.crl(NOW - 10 * DAY);
    old.authority.release(&mut old.store, &released.serial, UnixTime(NOW - 9 * DAY)).unwrap();
    let second = old.crl(NOW - 8 * DAY);
    old.revoke(&on_delta, CrlReason::Superseded, NOW - 7 * DAY);
    old.revoke(&held, CrlReason::CertificateHold, NOW - 7 * DAY);
    let (at, next) = (UnixTime(NOW - 6 * DAY), UnixTime(NOW));
    let delta = old.authority.delta_crl(&mut old.store, &old.signer, at, next).unwrap();
    assert_eq!(delta.number, 3);
    let own = old.authority.certificate();
    assert!(LastCrl::read(&BACKEND, own, &delta.der).is_err());
    let mut known = KnownCrls::default();
    known.add(&BACKEND, own, "delta.crl", &delta.der).unwrap();
    known.add_complete("first.crl", &first);
    known.add_complete("second.crl", &second);
    let stranger = self::old();
    let refused = known.add(&BACKEND, stranger.authority.certificate(), "x", &delta.der).unwrap_err();
    assert!(matches!(refused, Error::Crypto { .. } | Error::Refused { .. }), "{refused}");

    let import = Import::new(&Sources { crl: Some(&second), known: Some(&known), ..Sources::default() }).unwrap();
    assert_eq!((import.last_number(), import.differences()), (3, &[][..]));
    let (mut store, authority) = old.import(&import);
    let mut reason = |one: &Elsewhere| {
        let status = store.status(authority.id(), &one.serial).unwrap();
        status.and_then(|status| status.revocation).map(|revocation| revocation.reason)
    };
    assert_eq!(reason(&on_base), Some(CrlReason::Superseded));
    assert_eq!(reason(&on_delta), Some(CrlReason::Superseded));
    assert_eq!(reason(&held), Some(CrlReason::CertificateHold));
    assert_eq!(reason(&released), None);
    // Numbers continue behind the delta CRL.
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let next = authority.crl(&mut store, &signer, UnixTime(NOW), UnixTime(NOW + DAY)).unwrap();
    assert_eq!((next.number, next.entries), (4, 3));

    // The base of the delta CRL is newer than the first CRL.
    let refused = Import::new(&Sources { crl: Some(&first), known: Some(&known), ..Sources::default() });
    let words = "the CRL has the number 1, but a delta CRL updates the complete CRL 2";
    assert!(matches!(refused, Err(Error::Refused { what, .. }) if what == words));
    // An index that does not revoke what the delta CRL revokes.
    let text = [&on_delta, &held, &released].map(|one| line(one, None)).concat();
    let text = format!("{text}{}", line(&on_base, Some((NOW - 20 * DAY, "superseded"))));
    let index = Index::parse(&text).unwrap();
    let sources = Sources { index: Some(&index), crl: Some(&second), known: Some(&known), ..Sources::default() };
    let import = Import::new(&sources).unwrap();
    let mut found: Vec<(&str, &Serial)> = import.differences().iter().map(|one| (one.kind(), one.serial())).collect();
    found.sort();
    let mut expected = vec![("only-on-other-crl", &on_delta.serial), ("only-on-other-crl", &held.serial)];
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn other_records_revoke() {
    let mut old = self::old();
    let one = old.issue(90);
    let revocation = Revocation { at: UnixTime(NOW - DAY), reason: CrlReason::KeyCompromise, invalid_since: None };
    let stranger: Serial = "77".parse().unwrap();
    let revoked = [(one.serial.clone(), revocation), (stranger.clone(), revocation)];
    let certificates = files(&[&one]);
    let import =
        Import::new(&Sources { certificates: &certificates, revoked: &revoked, ..Sources::default() }).unwrap();
    let counts = import.counts(UnixTime(NOW));
    assert_eq!((counts.certificates, counts.revoked, counts.numbers_only), (2, 2, 1));
    let (mut store, authority) = old.import(&import);
    let status = store.status(authority.id(), &stranger).unwrap().unwrap();
    assert_eq!(status.revocation, Some(revocation));
    // Certificates of another CA are none of this one's.
    let other = self::old();
    assert!(matches!(
        Elsewhere::read(&BACKEND, other.authority.certificate(), one.der.as_ref().unwrap()),
        Err(Error::Crypto { .. })
    ));
}

/// A certificate that violates DER can be revoked by its serial number.
#[test]
fn a_certificate_that_violates_der() {
    let mut old = self::old();
    let one = old.issue(90);
    let mut der = one.der.clone().unwrap();
    // BER allows any value but zero for TRUE, and DER only 0xFF.
    let at = der.windows(3).position(|window| window == [1, 1, 0xFF]).unwrap();
    der[at + 2] = 1;
    // SEQUENCE { TBSCertificate, AlgorithmIdentifier, BIT STRING }: the last 64 bytes are the signature.
    let before = der.len();
    let tbs = old_tbs(&one);
    let (from, to) = (4, 4 + tbs);
    let signature = old.key.sign(&Scheme::Ed25519, &der[from..to]).unwrap();
    der.truncate(before - 64);
    der.extend(signature);
    let read = Elsewhere::read(&BACKEND, old.authority.certificate(), &der).unwrap();
    assert_eq!((read.serial, read.der, read.validity), (one.serial, None, one.validity));
    // Its signature counts nevertheless.
    *der.last_mut().unwrap() ^= 1;
    assert!(matches!(Elsewhere::read(&BACKEND, old.authority.certificate(), &der), Err(Error::Crypto { .. })));
}

/// The size of a certificate's TBSCertificate.
fn old_tbs(one: &Elsewhere) -> usize {
    let der = one.der.as_ref().unwrap();
    tagwise_pkix::Certificate::from_der(der).unwrap().tbs_certificate.as_bytes().len()
}
