//! Databases whose rows are not as they were written: nothing is signed from them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::sync::Arc;

use tagwise_ca::store::Series;
use tagwise_ca::{
    AltName, Authority, Document, Documents, Error, Founding, Import, Index, IndirectScope, OcspOptions, Order,
    Profile, Protection, Responder, Restrictions, Serial, Sources, SqliteOptions, SqliteStore, Store, Takeover, Urls,
};
use tagwise_codec::Decode;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeySigner, KeyType};
use tagwise_pkix::build::{self, Digest, IssuerHashes};
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::ocsp::{BasicOcspResponse, CertStatus, OcspResponse, Request, TbsRequest, Version};
use tagwise_pkix::{Certificate, CertificateList, UnixTime};

const BACKEND: AwsLc = AwsLc::new();
const NOW: i64 = 1_790_000_000;
const DAY: i64 = 86_400;

fn founding() -> Founding<'static> {
    Founding {
        label: Authority::LABEL,
        subject: NameBuf::parse("CN=Root").unwrap(),
        key_identifier: None,
        not_before: UnixTime(NOW),
        not_after: UnixTime(NOW + 1000 * DAY),
        path_len: None,
        urls: Urls::default(),
        pss: false,
    }
}

/// A CA in a file with a valid and a revoked certificate.
fn ca(path: &Path) -> (Serial, Serial) {
    let mut store = SqliteStore::create(path, &SqliteOptions::DEFAULT).unwrap();
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let authority = Authority::found(&mut store, &BACKEND, &key, &founding(), &Protection::Clear).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let server = BACKEND.generate(KeyType::P256).unwrap();
    let order = Order {
        subject: NameBuf::parse("").unwrap(),
        names: vec![AltName::dns("www.example.org").unwrap()],
        public_key: server.public_key_info(),
        key_identifier: None,
        restrictions: Restrictions::default(),
        profile: Profile::Server,
        not_before: UnixTime(NOW),
        not_after: UnixTime(NOW + 90 * DAY),
    };
    let mut issue = || authority.issue(&mut store, &BACKEND, &signer, &order, UnixTime(NOW)).unwrap().serial;
    let (valid, revoked) = (issue(), issue());
    authority.revoke(&mut store, &revoked, CrlReason::KeyCompromise, None, UnixTime(NOW)).unwrap();
    authority.crl(&mut store, &signer, UnixTime(NOW), UnixTime(NOW + DAY)).unwrap();
    store.close().unwrap();
    (valid, revoked)
}

fn open(path: &Path) -> Result<(SqliteStore, Authority, KeySigner), Error> {
    let mut store = SqliteStore::open(path, &SqliteOptions::DEFAULT).unwrap();
    let authority = Authority::open(&mut store, Authority::LABEL)?;
    let signer = authority.unlock(&BACKEND, None).unwrap();
    Ok((store, authority, signer))
}

fn responder(authority: &Authority, signer: &KeySigner, options: OcspOptions) -> Responder {
    Responder::new(Arc::new(authority.clone()), Arc::new(signer.clone()), options).unwrap()
}

fn is_damaged<T: std::fmt::Debug>(done: Result<T, Error>, what: &str) {
    assert!(matches!(done, Err(Error::Damaged { .. })), "{what}: {done:?}");
}

#[test]
fn nothing_is_signed_from_a_damaged_row() {
    for (sql, of_crl, of_ocsp) in [
        ("UPDATE certificate SET serial = x'55' WHERE revision > 0", true, false),
        ("UPDATE certificate SET not_after = 1 WHERE revision > 0", true, true),
        ("UPDATE certificate SET revision = 0 WHERE revision > 0", true, true),
        ("UPDATE revocation SET reason = 4", true, true),
        ("UPDATE revocation SET revoked = revoked - 1", true, true),
        ("UPDATE revocation SET invalid_since = 5", true, true),
        ("UPDATE revocation SET lifted = 5", true, true),
        ("DELETE FROM revocation", true, true),
        ("UPDATE crl SET revocations = 99", true, true),
        ("UPDATE crl SET this_update = this_update - 1", true, true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.db");
        let (_, revoked) = ca(&path);
        rusqlite::Connection::open(&path).unwrap().execute(sql, []).unwrap();
        let (mut store, authority, signer) = open(&path).unwrap();
        let (now, next) = (UnixTime(NOW + 1), UnixTime(NOW + DAY));
        if of_crl {
            is_damaged(authority.crl(&mut store, &signer, now, next), sql);
        }
        if of_ocsp {
            let responder = responder(&authority, &signer, OcspOptions::DEFAULT);
            is_damaged(responder.answer_about(&mut store, &revoked, now), sql);
        }
        let audit = authority.audit(&mut store, &BACKEND).unwrap();
        assert!(!audit.findings.is_empty(), "{sql}");
    }
}

/// A CRL would omit a certificate that is missing, and its revocation.
#[test]
fn no_crl_is_signed_without_all_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    for sql in [
        "DELETE FROM certificate WHERE id = 2",
        "DROP TRIGGER last_certificate_stays; DELETE FROM certificate WHERE id = (SELECT max(id) FROM certificate)",
    ] {
        ca(&path);
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        connection.execute_batch(sql).unwrap();
        drop(connection);
        let (mut store, authority, signer) = open(&path).unwrap();
        let (now, next) = (UnixTime(NOW + 1), UnixTime(NOW + DAY));
        is_damaged(authority.crl(&mut store, &signer, now, next), "the number of certificates");
        is_damaged(authority.delta_crl(&mut store, &signer, now, next), "the number of certificates");
        let scope = IndirectScope { url: None, others: &[], dropped: &[] };
        is_damaged(authority.indirect_crl(&mut store, &signer, now, next, &scope), "the number of certificates");
        store.close().unwrap();
        std::fs::remove_file(&path).unwrap();
    }
}

/// Nor without all revocations, even if the rows of their certificates say that nothing has changed.
#[test]
fn no_crl_is_signed_without_all_revocations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    for (sql, finding) in [
        (
            "UPDATE certificate SET state = x'', revision = 0; DELETE FROM revocation",
            "the CA has 0 rows of 2 in the table of revocations",
        ),
        (
            "UPDATE certificate SET state = x'', revision = 0; DELETE FROM revocation WHERE id = 2",
            "the CA has 1 rows of 2 in the table of revocations",
        ),
        (
            "UPDATE certificate SET state = x'', revision = 0; UPDATE revocation SET lifted = 5",
            "the status changes of certificates: 2 rows in the table of revocations are not counted",
        ),
    ] {
        let (valid, _) = ca(&path);
        let (mut store, authority, signer) = open(&path).unwrap();
        let (now, next) = (UnixTime(NOW + 1), UnixTime(NOW + DAY));
        authority.revoke(&mut store, &valid, CrlReason::Superseded, None, now).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let is_refused = |done: Result<(), Error>| {
            assert!(matches!(&done, Err(Error::Damaged { what }) if what == "the number of revocations"), "{done:?}");
        };
        is_refused(authority.crl(&mut store, &signer, now, next).map(drop));
        is_refused(authority.delta_crl(&mut store, &signer, now, next).map(drop));
        is_refused(authority.indirect_crl(&mut store, &signer, now, next, &IndirectScope::default()).map(drop));
        let audit = authority.audit(&mut store, &BACKEND).unwrap();
        assert!(audit.findings.iter().any(|found| found == finding), "{sql}: {audit:?}");
        store.close().unwrap();
        std::fs::remove_file(&path).unwrap();
    }
}

/// Certificates are never deleted, so their numbers have no gaps.
#[test]
fn deleted_certificates_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    ca(&path);
    let audit = || {
        let (mut store, authority, _) = open(&path).unwrap();
        authority.audit(&mut store, &BACKEND).unwrap().findings
    };
    assert_eq!(audit(), [""; 0]);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    let last: i64 = connection.query_row("SELECT max(id) FROM certificate", [], |row| row.get(0)).unwrap();
    let sql = "DELETE FROM certificate WHERE id = (SELECT id FROM certificate WHERE revision = 0 ORDER BY id LIMIT 1)";
    assert_eq!(connection.execute(sql, []).unwrap(), 1);
    drop(connection);
    let expected = format!("1 row was deleted from the table of certificates, which has {} rows of {last}", last - 1);
    assert!(audit().contains(&expected), "{:?}", audit());
}

/// An audit checks the triggers that protect the last rows, and references to deleted rows.
#[test]
fn dropped_triggers_and_deleted_last_rows_are_found() {
    for (sql, findings) in [
        ("DROP TRIGGER last_certificate_stays", &["the trigger last_certificate_stays is missing"][..]),
        ("DROP TRIGGER crl_numbers_grow", &["the trigger crl_numbers_grow is missing"]),
        ("DROP TRIGGER series_numbers_grow", &["the trigger series_numbers_grow is missing"]),
        ("DROP INDEX revocation_in_force", &["the index revocation_in_force is missing"]),
        (
            "DROP TRIGGER last_crl_stays; CREATE TRIGGER last_crl_stays BEFORE DELETE ON crl WHEN 0 BEGIN SELECT 1; END",
            &["the trigger last_crl_stays was changed"],
        ),
        (
            "DROP TRIGGER last_certificate_stays; PRAGMA foreign_keys = OFF; \
             DELETE FROM certificate WHERE id = (SELECT max(id) FROM certificate)",
            &[
                "the trigger last_certificate_stays is missing",
                "row 1 of the table revocation refers to a missing row of the table certificate",
                "the CA has 0 rows of 1 in the table of revocations",
            ],
        ),
        ("DELETE FROM crl WHERE number = 1", &["1 row was deleted from the table of CRLs, which has 1 rows of 2"]),
        (
            "DROP TRIGGER last_crl_stays; DELETE FROM crl WHERE number = 2",
            &[
                "the trigger last_crl_stays is missing",
                "CRL 2 was deleted, the base of the newest CRL of the series \"delta\"",
            ],
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.db");
        ca(&path);
        {
            let (mut store, authority, signer) = open(&path).unwrap();
            authority.crl(&mut store, &signer, UnixTime(NOW + 1), UnixTime(NOW + DAY)).unwrap();
            authority.delta_crl(&mut store, &signer, UnixTime(NOW + 2), UnixTime(NOW + DAY)).unwrap();
            assert_eq!(authority.audit(&mut store, &BACKEND).unwrap().findings, [""; 0]);
        }
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let (mut store, authority, _) = open(&path).unwrap();
        assert_eq!(authority.audit(&mut store, &BACKEND).unwrap().findings, findings, "{sql}");
    }
}

/// Responses outlive the newest certificates if these are deleted.
#[test]
fn responses_about_deleted_certificates_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    ca(&path);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let last: i64 = connection.query_row("SELECT max(id) FROM certificate", [], |row| row.get(0)).unwrap();
    let sql = "INSERT INTO ocsp_response (id, next_update, der, this_update) \
               SELECT (1 << 43) + (1 << 40) + max(id) + 1, 1, x'', 1 FROM certificate";
    connection.execute(sql, []).unwrap();
    drop(connection);
    let (mut store, authority, _) = open(&path).unwrap();
    let expected = format!(
        "the newest certificates were deleted: an OCSP response is about row {}, and the last row is {last}",
        last + 1
    );
    assert_eq!(authority.audit(&mut store, &BACKEND).unwrap().findings, [expected]);
}

/// Only creation writes tables to an empty file.
#[test]
fn an_empty_file_is_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    std::fs::write(&path, "").unwrap();
    let opened = SqliteStore::open(&path, &SqliteOptions::DEFAULT);
    assert!(matches!(opened, Err(Error::ForeignDatabase(_))));
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    drop(SqliteStore::create(&path, &SqliteOptions::DEFAULT).unwrap());
    assert!(SqliteStore::open(&path, &SqliteOptions::DEFAULT).is_ok());
}

#[test]
fn a_damaged_ca_signs_nothing() {
    for sql in [
        "UPDATE authority SET crl_url = 'http://elsewhere.example/crl'",
        "UPDATE authority SET past = 'taken-over'",
        "UPDATE authority SET created = 0",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.db");
        ca(&path);
        rusqlite::Connection::open(&path).unwrap().execute(sql, []).unwrap();
        is_damaged(open(&path).map(|_| ()), sql);
    }
}

/// An audit lists all damage, that of the CA's own row too, and what a row's digest does not cover.
#[test]
fn an_audit_lists_all_damage() {
    for (sql, findings) in [
        ("UPDATE authority SET crl_url = 'http://elsewhere.example/{8}.crl'", &["the row of the CA"][..]),
        (
            "UPDATE authority SET crl_url = 'http://elsewhere.example/{1}.crl'",
            &["the row of the CA", "cannot be opened"],
        ),
        (
            "UPDATE authority SET created = 0; UPDATE certificate SET subject = 'CN=other' WHERE profile = 'root'",
            &["the row of the CA", "certificate"],
        ),
        ("UPDATE authority SET crl_number = 1", &["the number of the last CRL: 1, expected at least 2"]),
        ("UPDATE document SET content = 'garbage'", &["the document `o1` of kind `order`: its content is not"]),
        ("UPDATE document SET content = '\"text\"'", &["the document `o1` of kind `order`: its content is not"]),
        ("UPDATE document SET content = '{}'", &["the document `o1` of kind `order`"]),
        ("UPDATE document SET owner = 'adam'", &["the document `o1` of kind `order`"]),
        ("UPDATE document SET expires = expires + 1", &["the document `o1` of kind `order`"]),
        ("UPDATE document SET version = 7", &["the document `o1` of kind `order`"]),
        ("DELETE FROM document", &[]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.db");
        ca(&path);
        let (mut store, authority, signer) = open(&path).unwrap();
        authority.delta_crl(&mut store, &signer, UnixTime(NOW + 1), UnixTime(NOW + DAY)).unwrap();
        let order = Document::new("order", "o1", "", UnixTime(NOW), r#"{"status":"ready"}"#.to_owned());
        assert!(store.insert_document(authority.id(), &order).unwrap());
        let audit = |store: &mut SqliteStore| Authority::audit_store(store, Authority::LABEL, &BACKEND).unwrap();
        assert_eq!(audit(&mut store).findings, [""; 0]);
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let found = audit(&mut store).findings;
        assert_eq!(found.len(), findings.len(), "{sql}: {found:?}");
        // Nothing is decided on a modified document.
        if sql.starts_with("UPDATE document") {
            is_damaged(store.document(authority.id(), "order", "o1"), sql);
            is_damaged(store.take_document(authority.id(), "order", "o1"), sql);
            assert_eq!(audit(&mut store).findings, found);
        }
        for (found, words) in found.iter().zip(findings) {
            assert!(found.contains(words), "{sql}: {found}");
        }
    }
}

/// All series share one sequence of numbers, even if the CA's row has lost the last one (RFC 5280 §5.2.3).
#[test]
fn numbers_are_higher_than_those_of_all_series() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    ca(&path);
    let (mut store, authority, signer) = open(&path).unwrap();
    let (now, next) = (UnixTime(NOW + 1), UnixTime(NOW + DAY));
    for _ in 0..3 {
        authority.delta_crl(&mut store, &signer, now, next).unwrap();
    }
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("UPDATE authority SET crl_number = 1", []).unwrap();
    // The table refuses a number that a series has, whatever writes it.
    let insert = "INSERT INTO crl (authority, number, this_update, next_update, der, digest) SELECT id, ?1, 0, 1, x'', x'' FROM authority";
    let error = connection.execute(insert, [4]).unwrap_err();
    assert!(error.to_string().contains("does not grow"), "{error}");
    assert_eq!(authority.delta_crl(&mut store, &signer, now, next).unwrap().number, 5);
    connection.execute("UPDATE authority SET crl_number = 1", []).unwrap();
    assert_eq!(authority.crl(&mut store, &signer, now, next).unwrap().number, 6);
    assert_eq!(authority.audit(&mut store, &BACKEND).unwrap().findings, [""; 0]);
}

#[test]
fn certificates_are_those_of_their_rows() {
    for sql in [
        "UPDATE certificate SET serial = x'55' WHERE profile = 'server'  AND revision = 0",
        "UPDATE certificate SET subject = 'CN=other' WHERE profile = 'server' AND revision = 0",
        "UPDATE certificate SET der = (SELECT der FROM certificate WHERE profile = 'root') WHERE profile = 'server' AND revision = 0",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.db");
        let (valid, _) = ca(&path);
        rusqlite::Connection::open(&path).unwrap().execute(sql, []).unwrap();
        let (mut store, authority, signer) = open(&path).unwrap();
        let wanted = if sql.contains("serial = ") { "55".parse().unwrap() } else { valid };
        is_damaged(authority.find(&mut store, &wanted), sql);
        assert!(!authority.audit(&mut store, &BACKEND).unwrap().findings.is_empty(), "{sql}");
        // What it says nothing about is still signed.
        authority.crl(&mut store, &signer, UnixTime(NOW + 1), UnixTime(NOW + DAY)).unwrap();
    }
}

#[test]
fn an_undamaged_database_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let (valid, revoked) = ca(&path);
    let (mut store, authority, signer) = open(&path).unwrap();
    // Status changes of all kinds keep digests right.
    authority.revoke(&mut store, &valid, CrlReason::CertificateHold, None, UnixTime(NOW)).unwrap();
    authority.release(&mut store, &valid, UnixTime(NOW)).unwrap();
    authority.revoke(&mut store, &valid, CrlReason::CertificateHold, None, UnixTime(NOW)).unwrap();
    authority.revoke(&mut store, &valid, CrlReason::Superseded, Some(UnixTime(NOW - 5)), UnixTime(NOW)).unwrap();
    let elsewhere = tagwise_ca::store::Elsewhere { serial: "77".parse().unwrap(), der: None, validity: None };
    authority.revoke_elsewhere(&mut store, &elsewhere, CrlReason::Superseded, None, UnixTime(NOW)).unwrap();
    let crl = authority.crl(&mut store, &signer, UnixTime(NOW), UnixTime(NOW + DAY)).unwrap();
    assert_eq!(crl.entries, 3);
    let audit = authority.audit(&mut store, &BACKEND).unwrap();
    assert_eq!((audit.certificates, audit.findings), (4, Vec::new()));
    authority.find(&mut store, &revoked).unwrap();
}

/// An upgrade from a version with digests keeps them, so that earlier damage is still found.
#[test]
fn an_upgrade_keeps_digests() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    for damaged in [false, true] {
        let _ = std::fs::remove_file(&path);
        ca(&path);
        let connection = rusqlite::Connection::open(&path).unwrap();
        let before = "DROP TRIGGER crl_numbers_grow; DROP TABLE series; ALTER TABLE authority DROP COLUMN crl_issuer; \
             ALTER TABLE authority DROP COLUMN revocation_rows; ALTER TABLE document DROP COLUMN digest; PRAGMA user_version = 7; \
             INSERT INTO document SELECT id, 'order', 'o1', '', 0, 3, '{}' FROM authority;";
        connection.execute_batch(before).unwrap();
        if damaged {
            connection.execute("UPDATE certificate SET subject = 'CN=other'", []).unwrap();
        }
        drop(connection);
        // To read, nothing changes.
        let mut read = SqliteStore::open_to_read(&path, &SqliteOptions::DEFAULT).unwrap();
        let authority = Authority::open(&mut read, Authority::LABEL).unwrap();
        assert_eq!(read.series(authority.id()).unwrap(), []);
        assert_eq!(read.series_crl(authority.id(), Series::Delta).unwrap(), None);
        assert_eq!(read.document(authority.id(), "order", "o1").unwrap().unwrap().version, 3);
        drop(read);
        let (mut store, authority, _) = open(&path).unwrap();
        let audit = authority.audit(&mut store, &BACKEND).unwrap();
        assert_eq!(audit.findings.is_empty(), !damaged, "{audit:?}");
        assert_eq!(store.document(authority.id(), "order", "o1").unwrap().unwrap().content, "{}");
    }
}

/// Tables of before rows had digests: those that contradict themselves get none that fits.
#[test]
fn digests_come_with_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    for damaged in [false, true] {
        let _ = std::fs::remove_file(&path);
        ca(&path);
        let before = "DROP TRIGGER crl_numbers_grow; DROP INDEX certificate_changed; ALTER TABLE authority DROP COLUMN digest; ALTER TABLE certificate DROP COLUMN digest; \
             ALTER TABLE certificate DROP COLUMN state; ALTER TABLE crl DROP COLUMN digest; DROP TABLE document; \
             DROP TABLE series; ALTER TABLE authority DROP COLUMN crl_issuer; \
             ALTER TABLE authority DROP COLUMN revocation_rows; PRAGMA user_version = 5;";
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(before).unwrap();
        if damaged {
            connection.execute("UPDATE certificate SET serial = x'0555' WHERE revision > 0", []).unwrap();
        }
        drop(connection);
        // To read, nothing changes.
        let mut read = SqliteStore::open_to_read(&path, &SqliteOptions::DEFAULT).unwrap();
        let authority = Authority::open(&mut read, Authority::LABEL).unwrap();
        read.last_update(authority.id()).unwrap();
        drop(read);
        let (mut store, authority, signer) = open(&path).unwrap();
        let made = authority.crl(&mut store, &signer, UnixTime(NOW + 1), UnixTime(NOW + DAY));
        let audit = authority.audit(&mut store, &BACKEND).unwrap();
        if damaged {
            is_damaged(made, "serial");
            assert!(audit.findings[0].contains("0555 does not match its row"), "{audit:?}");
        } else {
            assert_eq!((made.unwrap().entries, audit.findings), (1, Vec::new()));
        }
    }
}

/// The database of `openssl ca` tells what its last CRL does not.
#[test]
fn a_takeover_by_index() {
    let text = "V\t280102210037Z\t\t1000\tunknown\t/CN=a\n\
        R\t280102210038Z\t260921000000Z,keyCompromise\t1001\tunknown\t/CN=b\n\
        E\t200102210038Z\t\t0FFF\tunknown\t/CN=c\n";
    let index = Index::parse(text).unwrap();
    let mut store = SqliteStore::in_memory().unwrap();
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let new = tagwise_ca::NewAuthority::found(&BACKEND, &key, &founding(), &Protection::Clear).unwrap();
    let sources = Sources { index: Some(&index), last_number: Some(7), ..Sources::default() };
    let import = Import::new(&sources).unwrap();
    let authority = new.after(&Takeover::Import(&import), 0).add(&mut store).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let crl = authority.crl(&mut store, &signer, UnixTime(NOW), UnixTime(NOW + DAY)).unwrap();
    assert_eq!((crl.number, crl.entries), (8, 1));
    let list = CertificateList::from_der(&crl.der).unwrap();
    let entry = list.tbs_cert_list.revocations().next().unwrap().unwrap();
    assert_eq!(entry.entry.user_certificate.0.as_bytes(), [0x10, 0x01]);
    let ask = |issuer: &Certificate<'_>, responder: &Responder, store: &mut SqliteStore, serial: &str| {
        let serial: Serial = serial.parse().unwrap();
        let issuer = IssuerHashes::of(Digest::Sha1, issuer).unwrap();
        let list = [Request { req_cert: issuer.cert_id(serial.number()), single_request_extensions: None }];
        let request = build::ocsp_request(&TbsRequest {
            version: Version::V1,
            requestor_name: None,
            request_list: list.as_slice().into(),
            request_extensions: None,
        })
        .unwrap();
        let der = responder.answer(store, &request, UnixTime(NOW)).der;
        let response = OcspResponse::from_der(&der).unwrap();
        let basic = BasicOcspResponse::from_der(response.response_bytes.unwrap().response.as_bytes()).unwrap();
        let status = basic.tbs_response_data.responses.iter().next().unwrap().unwrap().cert_status;
        match status {
            CertStatus::Good => "good",
            CertStatus::Revoked(_) => "revoked",
            CertStatus::Unknown(_) => "unknown",
        }
    };
    let answer = |responder: &Responder, store: &mut SqliteStore, serial: &str| {
        ask(authority.certificate(), responder, store, serial)
    };
    let usual = responder(&authority, &signer, OcspOptions::DEFAULT);
    for (serial, status) in [("1000", "good"), ("1001", "revoked"), ("1002", "unknown")] {
        assert_eq!(answer(&usual, &mut store, serial), status, "{serial}");
    }
    // Only where the operator says so (RFC 6960 §2.2).
    let lenient = responder(&authority, &signer, OcspOptions { unlisted_is_good: true, ..OcspOptions::DEFAULT });
    for (serial, status) in [("1001", "revoked"), ("1002", "good")] {
        assert_eq!(answer(&lenient, &mut store, serial), status, "{serial}");
    }

    // Not while nobody has said what was revoked before.
    let new = tagwise_ca::NewAuthority::found(&BACKEND, &key, &founding(), &Protection::Clear).unwrap();
    let mut store = SqliteStore::in_memory().unwrap();
    let later = new.after(&Takeover::Later, 0).add(&mut store).unwrap();
    let signer = later.unlock(&BACKEND, None).unwrap();
    let lenient = responder(&later, &signer, OcspOptions { unlisted_is_good: true, ..OcspOptions::DEFAULT });
    assert_eq!(ask(later.certificate(), &lenient, &mut store, "1002"), "unknown");
    later.take_over(&mut store, &Takeover::Nothing).unwrap();
    assert_eq!(ask(later.certificate(), &lenient, &mut store, "1002"), "good");
}
