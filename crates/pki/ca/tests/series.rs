//! CRLs of partitions, delta CRLs and indirect CRLs: content, numbers, and what an audit finds.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(feature = "sqlite")]

use tagwise_ca::store::Series;
use tagwise_ca::{
    AltName, Authority, Error, Founding, IndirectScope, Order, Profile, Protection, Restrictions, Serial,
    SqliteOptions, SqliteStore, Store, Urls,
};
use tagwise_codec::Decode;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeySigner, KeyType};
use tagwise_pkix::ext::{CrlDistributionPoints, CrlReason, DeltaCrlIndicator, GeneralName};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Certificate, CertificateList, UnixTime};

const BACKEND: AwsLc = AwsLc::new();
const NOW: i64 = 1_790_000_000;
const DAY: i64 = 86_400;

fn ca(store: &mut SqliteStore, name: &str, urls: Urls) -> (Authority, KeySigner) {
    let founding = Founding {
        label: name,
        subject: NameBuf::parse(&format!("CN={name}")).unwrap(),
        key_identifier: None,
        not_before: UnixTime(NOW),
        not_after: UnixTime(NOW + 1000 * DAY),
        path_len: None,
        urls,
        pss: false,
    };
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let authority = Authority::found(store, &BACKEND, &key, &founding, &Protection::Clear).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    (authority, signer)
}

fn issue(store: &mut SqliteStore, (authority, signer): (&Authority, &KeySigner)) -> (Serial, Vec<u8>) {
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let order = Order {
        subject: NameBuf::parse("").unwrap(),
        names: vec![AltName::dns("www.example.org").unwrap()],
        public_key: key.public_key_info(),
        key_identifier: None,
        restrictions: Restrictions::default(),
        profile: Profile::Server,
        not_before: UnixTime(NOW),
        not_after: UnixTime(NOW + 90 * DAY),
    };
    let issued = authority.issue(store, &BACKEND, signer, &order, UnixTime(NOW)).unwrap();
    (issued.serial, issued.der)
}

fn revoke(store: &mut SqliteStore, authority: &Authority, serial: &Serial) {
    authority.revoke(store, serial, CrlReason::Superseded, None, UnixTime(NOW)).unwrap();
}

fn crl_url(url: &str) -> Urls {
    Urls { crl: Some(url.to_owned()), ..Urls::default() }
}

/// The entries of a CRL: the name of the certificate's issuer, if it is not that of the CRL, and the serial number.
fn entries(der: &[u8]) -> Vec<(Option<String>, String)> {
    let list = CertificateList::from_der(der).unwrap();
    let name = |issuer: tagwise_pkix::ext::GeneralNames<'_>| match issuer.0.iter().next().unwrap().unwrap() {
        GeneralName::DirectoryName(name) => name.rfc4514().to_string(),
        other => panic!("{other}"),
    };
    let entry = |entry: tagwise_pkix::Revocation<'_>| {
        (entry.certificate_issuer.map(name), Serial::from_int(entry.entry.user_certificate.0).to_string())
    };
    list.tbs_cert_list.revocations().map(|one| entry(one.unwrap())).collect()
}

#[test]
fn an_indirect_crl_covers_several_cas() {
    let mut store = SqliteStore::in_memory().unwrap();
    let (issuer, signer) = ca(&mut store, "Issuer", Urls::default());
    let subject = issuer.certificate().tbs_certificate.subject;
    let indirect = || Urls {
        crl_issuer: Some(tagwise_codec::encode(&subject).unwrap()),
        ..crl_url("http://ca.example.org/crl/indirect")
    };
    let (first, first_signer) = ca(&mut store, "First", indirect());
    let (second, second_signer) = ca(&mut store, "Second", indirect());
    let (own, _) = issue(&mut store, (&issuer, &signer));
    let (one, der) = issue(&mut store, (&first, &first_signer));
    let (other, _) = issue(&mut store, (&first, &first_signer));
    let (last, _) = issue(&mut store, (&second, &second_signer));
    // The certificate names the CRL and its issuer.
    let certificate = Certificate::from_der(&der).unwrap();
    let points = certificate.tbs_certificate.extensions.unwrap().get::<CrlDistributionPoints<'_>>().unwrap().unwrap();
    let point = points.0.iter().next().unwrap().unwrap();
    let named = point.crl_issuer.unwrap().0.iter().next().unwrap().unwrap();
    assert_eq!(named, GeneralName::DirectoryName(subject));
    for (authority, serial) in [(&issuer, &own), (&first, &one), (&first, &other), (&second, &last)] {
        revoke(&mut store, authority, serial);
    }
    let now = UnixTime(NOW);
    let next = UnixTime(NOW + DAY);
    assert_eq!(issuer.crl(&mut store, &signer, now, next).unwrap().number, 1);
    let others = [&first, &second].map(|of| (of, store.revoked(of.id(), None, now).unwrap()));
    let url = Some("http://ca.example.org/crl/indirect");
    let scope = IndirectScope { url, others: &others, ..IndirectScope::default() };
    let made = issuer.indirect_crl(&mut store, &signer, now, next, &scope).unwrap();
    assert_eq!((made.number, made.entries), (2, 4));
    let of = |name: Option<&str>, serial: &Serial| (name.map(str::to_owned), serial.to_string());
    let expected =
        [of(None, &own), of(Some("CN=First"), &one), of(Some("CN=First"), &other), of(Some("CN=Second"), &last)];
    assert_eq!(entries(&made.der), expected);
    let list = CertificateList::from_der(&made.der).unwrap();
    assert!(list.tbs_cert_list.is_indirect().unwrap());
    let critical =
        list.tbs_cert_list.crl_extensions.unwrap().iter().filter(|one| one.as_ref().unwrap().critical).count();
    assert_eq!(critical, 1);
    let stored = store.series_crl(issuer.id(), Series::Indirect).unwrap().unwrap();
    assert_eq!((stored.crl.number, stored.crl.der), (2, made.der));
    // The next CRL of any series has the next number.
    assert_eq!(issuer.crl(&mut store, &signer, now, next).unwrap().number, 3);
    let audit = issuer.audit(&mut store, &BACKEND).unwrap();
    assert_eq!((audit.crls, audit.findings), (3, vec![]));
    // Two CAs with the same name would be indistinguishable.
    let twice = [(&first, Vec::new()), (&first, Vec::new())];
    for others in [&twice[..], &[(&issuer, Vec::new())]] {
        let scope = IndirectScope { url, others, ..IndirectScope::default() };
        let done = issuer.indirect_crl(&mut store, &signer, now, next, &scope);
        assert!(matches!(&done, Err(Error::Refused { what, .. }) if what.contains("have the name CN=")), "{done:?}");
    }
    // A CA with entries in the last one cannot be forgotten.
    let fewer = [(&first, store.revoked(first.id(), None, now).unwrap())];
    let scope = IndirectScope { url, others: &fewer, dropped: &[] };
    let done = issuer.indirect_crl(&mut store, &signer, now, next, &scope);
    let missing = "the last indirect CRL also lists certificates of CN=Second, which this one leaves out";
    assert!(matches!(&done, Err(Error::Refused { what, .. }) if what == missing), "{done:?}");
    let dropped = [NameBuf::parse("CN=second").unwrap()];
    let scope = IndirectScope { dropped: &dropped, ..scope };
    let made = issuer.indirect_crl(&mut store, &signer, now, next, &scope).unwrap();
    assert_eq!((made.number, made.entries), (4, 3));
    // It is in none of those that follow, either.
    let scope = IndirectScope { dropped: &[], ..scope };
    assert_eq!(issuer.indirect_crl(&mut store, &signer, now, next, &scope).unwrap().number, 5);
}

#[test]
fn crl_issuers_require_a_url() {
    let mut store = SqliteStore::in_memory().unwrap();
    for crl in [None, Some("http://ca.example.org/{4}.crl".to_owned())] {
        let urls = Urls { crl, crl_issuer: Some(vec![0x30, 0]), ..Urls::default() };
        let founding = Founding {
            label: "ca",
            subject: NameBuf::parse("CN=ca").unwrap(),
            key_identifier: None,
            not_before: UnixTime(NOW),
            not_after: UnixTime(NOW + DAY),
            path_len: None,
            urls,
            pss: false,
        };
        let key = BACKEND.generate(KeyType::Ed25519).unwrap();
        let done = Authority::found(&mut store, &BACKEND, &key, &founding, &Protection::Clear);
        assert!(matches!(&done, Err(Error::Refused { .. })), "{done:?}");
    }
}

#[test]
fn partitions_have_stored_crls_and_deltas() {
    let mut store = SqliteStore::in_memory().unwrap();
    let (authority, signer) = ca(&mut store, "Root", crl_url("http://ca.example.org/crls/{3}.crl"));
    let serials: Vec<Serial> = (0..12).map(|_| issue(&mut store, (&authority, &signer)).0).collect();
    let (now, next) = (UnixTime(NOW), UnixTime(NOW + DAY));
    // A CRL without partitions being asked for stores those of partitions, too.
    let whole = authority.crl(&mut store, &signer, now, next).unwrap();
    assert_eq!(whole.number, 1);
    for serial in &serials {
        revoke(&mut store, &authority, serial);
    }
    let (delta, parts) = authority.partitioned_delta_crls(&mut store, &signer, now, next).unwrap();
    assert_eq!((delta.number, delta.entries, parts.len()), (2, 12, 3));
    let mut count = 0;
    for (number, part) in (1..).zip(&parts) {
        let stored = store.series_crl(authority.id(), Series::PartitionDelta(number)).unwrap().unwrap();
        assert_eq!((stored.crl.number, stored.base, &stored.crl.der), (2, Some(1), &part.der));
        let list = CertificateList::from_der(&part.der).unwrap();
        let base = list.tbs_cert_list.crl_extensions.unwrap().get::<DeltaCrlIndicator<'_>>().unwrap().unwrap();
        assert_eq!(base.0.0.get(), 1);
        assert!(list.tbs_cert_list.issuing_distribution_point().unwrap().unwrap().distribution_point.is_some());
        count += part.entries;
        let base = store.series_crl(authority.id(), Series::Partition(number)).unwrap().unwrap();
        assert_eq!((base.crl.number, base.base, entries(&base.crl.der).len()), (1, None, 0));
    }
    assert_eq!(count, 12);
    let audit = authority.audit(&mut store, &BACKEND).unwrap();
    assert_eq!((audit.crls, audit.findings), (8, vec![]));
}

#[test]
fn an_audit_finds_exchanged_and_changed_crls() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let open = || SqliteStore::create(&path, &SqliteOptions::DEFAULT).unwrap();
    let mut store = open();
    let (authority, signer) = ca(&mut store, "Root", crl_url("http://ca.example.org/{2}.crl"));
    authority.crl(&mut store, &signer, UnixTime(NOW), UnixTime(NOW + DAY)).unwrap();
    authority.delta_crl(&mut store, &signer, UnixTime(NOW), UnixTime(NOW + DAY)).unwrap();
    store.close().unwrap();
    let change = |sql: &str| {
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(sql).unwrap();
        let findings = authority.audit(&mut open(), &BACKEND).unwrap().findings;
        assert!(!findings.is_empty(), "{sql}");
        findings.join("; ")
    };
    let der = "(SELECT der FROM series WHERE name = 'partition 2')";
    let exchanged =
        change(&format!("DROP TRIGGER series_numbers_grow; UPDATE series SET der = {der} WHERE name = 'partition 1'"));
    assert!(exchanged.contains("\"partition 1\": its issuing distribution point"), "{exchanged}");
    let changed = change("UPDATE series SET next_update = next_update + 1 WHERE name = 'delta'");
    assert!(changed.contains("\"delta\": damaged: the row of the CRL delta"), "{changed}");
    let unknown = authority.audit(
        &mut {
            rusqlite::Connection::open(&path)
                .unwrap()
                .execute_batch("UPDATE series SET name = 'x' WHERE name = 'delta'")
                .unwrap();
            open()
        },
        &BACKEND,
    );
    assert!(unknown.unwrap_err().to_string().contains("series `x`"));
}
