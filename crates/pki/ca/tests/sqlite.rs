//! Files of SQLite: versions, strangers, locks, permissions.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(feature = "sqlite")]

mod common;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tagwise_ca::store::{AuthorityId, AuthorityRecord, NewCertificate, NewCrl, Past, StoredKey};
use tagwise_ca::{Error, Serial, SqliteOptions, SqliteStore, Store, Urls};
use tagwise_pkix::UnixTime;

fn create(path: &Path) -> SqliteStore {
    SqliteStore::create(path, &SqliteOptions::DEFAULT).unwrap()
}

fn authority(store: &mut SqliteStore) -> AuthorityId {
    let record = AuthorityRecord {
        label: "ca".to_owned(),
        certificate: vec![0x30, 0],
        key: StoredKey::Elsewhere,
        urls: Urls::default(),
        crl_number: 0,
        created: UnixTime(0),
    };
    store.add_authority(&record, None, &Past::Nothing).unwrap()
}

fn certificate(serial: &Serial) -> NewCertificate {
    NewCertificate {
        serial: serial.clone(),
        profile: "server".into(),
        not_before: UnixTime(0),
        not_after: UnixTime(1000),
        issued: UnixTime(0),
        der: common::der("CN=a", 1),
    }
}

#[test]
fn files_of_others_and_of_later_versions_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    assert!(matches!(SqliteStore::open(&path, &SqliteOptions::DEFAULT), Err(Error::Store { .. })));
    assert!(!path.exists());
    drop(create(&path));
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let error = SqliteStore::open(&path, &SqliteOptions::DEFAULT).unwrap_err();
    assert!(matches!(error, Error::NewerDatabase { found: 99, known: 12 }), "{error}");

    let other = folder.path().join("other.db");
    let connection = Connection::open(&other).unwrap();
    connection.execute_batch("CREATE TABLE things (id INTEGER)").unwrap();
    drop(connection);
    let before = fs::read(&other).unwrap();
    assert!(matches!(SqliteStore::create(&other, &SqliteOptions::DEFAULT), Err(Error::ForeignDatabase(_))));
    assert_eq!(fs::read(&other).unwrap(), before);

    let text = folder.path().join("text");
    fs::write(
        &text,
        "this is a text, and longer than the header of a database is: a hundred octets and some more, so".repeat(20),
    )
    .unwrap();
    assert!(matches!(SqliteStore::open(&text, &SqliteOptions::DEFAULT), Err(Error::ForeignDatabase(_))));
}

/// Tables as the first version made them, with a response of each of two CAs.
const FIRST: &str = "
    CREATE TABLE authority (id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, certificate BLOB NOT NULL,
        key_form TEXT NOT NULL, private_key BLOB, crl_number INTEGER NOT NULL, ocsp_url TEXT, crl_url TEXT,
        issuer_url TEXT, created INTEGER NOT NULL) STRICT;
    CREATE TABLE certificate (id INTEGER PRIMARY KEY AUTOINCREMENT, authority INTEGER NOT NULL REFERENCES authority (id),
        serial BLOB NOT NULL, subject TEXT NOT NULL, profile TEXT NOT NULL, not_before INTEGER NOT NULL,
        not_after INTEGER NOT NULL, issued INTEGER NOT NULL, revision INTEGER NOT NULL DEFAULT 0, der BLOB NOT NULL,
        UNIQUE (authority, serial)) STRICT;
    CREATE TABLE revocation (id INTEGER PRIMARY KEY AUTOINCREMENT, certificate INTEGER NOT NULL REFERENCES certificate (id),
        revoked INTEGER NOT NULL, reason INTEGER NOT NULL, invalid_since INTEGER, lifted INTEGER) STRICT;
    CREATE UNIQUE INDEX revocation_in_force ON revocation (certificate) WHERE lifted IS NULL;
    CREATE TABLE crl (id INTEGER PRIMARY KEY, authority INTEGER NOT NULL REFERENCES authority (id), number INTEGER NOT NULL,
        this_update INTEGER NOT NULL, next_update INTEGER NOT NULL, der BLOB NOT NULL, UNIQUE (authority, number)) STRICT;
    CREATE TABLE ocsp_response (certificate INTEGER NOT NULL REFERENCES certificate (id), digest TEXT NOT NULL,
        this_update INTEGER NOT NULL, next_update INTEGER NOT NULL, der BLOB NOT NULL,
        PRIMARY KEY (certificate, digest)) STRICT;
    CREATE TRIGGER crl_numbers_grow BEFORE INSERT ON crl
    WHEN NEW.number <= (SELECT crl_number FROM authority WHERE id = NEW.authority)
    BEGIN SELECT RAISE (ABORT, 'the number of a CRL does not grow'); END;
    INSERT INTO authority VALUES (1, 'one', x'3000', 'elsewhere', NULL, 0, NULL, NULL, NULL, 0),
        (2, 'two', x'3000', 'elsewhere', NULL, 8, NULL, NULL, NULL, 0);
    INSERT INTO crl VALUES (1, 1, 1, 10, 20, x'3001');
    UPDATE authority SET crl_number = 1 WHERE id = 1;
    INSERT INTO certificate VALUES (1, 1, x'05', '', 'server', 0, 1000, 0, 1, x''),
        (2, 2, x'05', '', 'server', 0, 1000, 0, 0, x'');
    INSERT INTO revocation VALUES (1, 1, 5, 1, NULL, NULL);
    INSERT INTO ocsp_response VALUES (1, 'sha1', 1, 50, x'01'), (2, 'sha1', 1, 60, x'02'), (1, 'sha256', 1, 50, x'03');
    PRAGMA application_id = 0x54574341;
    PRAGMA user_version = 1;";

/// What an earlier version held is there still, and is found.
#[test]
fn tables_of_earlier_versions_are_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    Connection::open(&path).unwrap().execute_batch(FIRST).unwrap();
    let mut store = SqliteStore::open(&path, &SqliteOptions::DEFAULT).unwrap();
    let serial = Serial::from_content(&[5]);
    for (label, digest, der) in [("one", "sha1", 1), ("two", "sha1", 2), ("one", "sha256", 3)] {
        let (of, _) = store.authority(label).unwrap().unwrap();
        assert_eq!(store.ocsp_response(of, &serial, digest, UnixTime(0)).unwrap().unwrap().der, [der]);
    }
    // CRLs are there, and numbers go on, whether they were given here or before.
    for (label, before) in [("one", 1), ("two", 8)] {
        let (of, record) = store.authority(label).unwrap().unwrap();
        assert_eq!(record.crl_number, before);
        assert_eq!(store.crl(of, Some(1)).unwrap().map(|crl| crl.der), (before == 1).then(|| vec![0x30, 1]));
        let make = &mut |_: &_| {
            Ok(NewCrl { this_update: UnixTime(10), next_update: UnixTime(11), der: vec![], beside: vec![] })
        };
        let made = store.add_crl(of, UnixTime(10).into(), make);
        // It made eight CRLs elsewhere, and what they listed is not here: none is made before that is known, or said to be nothing.
        if label == "two" {
            assert!(matches!(made, Err(Error::PastUnknown)));
            store.take_over(of, &Past::Nothing).unwrap();
            assert!(matches!(store.take_over(of, &Past::Nothing), Err(Error::PastKnown)));
            assert_eq!(store.add_crl(of, UnixTime(10).into(), make).unwrap().number, before + 1);
        } else {
            assert_eq!(made.unwrap().number, before + 1);
        }
    }
    let connection = Connection::open(&path).unwrap();
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((number("PRAGMA user_version"), number("SELECT count(*) FROM ocsp_response")), (12, 3));
    assert_eq!(number("SELECT count(*) FROM sqlite_schema WHERE name GLOB '*_[1234]' AND type = 'table'"), 0);
    // A revocation still refers to its certificate, which was made again.
    let (of, _) = store.authority("one").unwrap().unwrap();
    assert_eq!(
        store.certificate(of, &serial).unwrap().unwrap().revocation.map(|revocation| revocation.at),
        Some(UnixTime(5))
    );
    assert_eq!(number("SELECT count(*) FROM pragma_foreign_key_list('revocation') WHERE \"table\" = 'certificate'"), 1);
    assert_eq!(
        number("SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'certificate' AND sql LIKE '%AUTOINCREMENT%'"),
        0
    );
    // The next certificate has the next number, whichever is deleted.
    assert_eq!(connection.execute("DELETE FROM ocsp_response", []).unwrap(), 3);
    assert_eq!(connection.execute("DELETE FROM revocation", []).unwrap(), 1);
    connection.execute("DELETE FROM certificate WHERE id = 2", []).unwrap_err();
    assert_eq!(connection.execute("DELETE FROM certificate WHERE id = 1", []).unwrap(), 1);
    store.add_certificates(of, &[certificate(&Serial::from_content(&[6]))]).unwrap();
    assert_eq!(number("SELECT max(id) FROM certificate"), 3);
}

/// A file of the third version, with statements of one's own.
fn third(path: &Path, more: &str) -> Connection {
    const SINCE_FIRST: &str = "
        DROP TABLE ocsp_response;
        CREATE TABLE ocsp_response (id INTEGER PRIMARY KEY, next_update INTEGER NOT NULL, der BLOB NOT NULL,
            this_update INTEGER NOT NULL) STRICT;
        PRAGMA user_version = 3;
        PRAGMA foreign_keys = OFF;";
    let connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "page_size", 4096).unwrap();
    connection.execute_batch(&[FIRST, SINCE_FIRST, more].concat()).unwrap();
    connection
}

/// A file with rows that refer to none is refused, and stays as it was until they are gone. Tables of others in it are their matter.
#[test]
fn stray_rows_are_no_migration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let connection = third(
        &path,
        "INSERT INTO revocation VALUES (7, 9, 5, 1, NULL, NULL);
         CREATE TABLE note (certificate INTEGER REFERENCES certificate (id), text TEXT);
         INSERT INTO note VALUES (9, 'not ours');",
    );
    let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    let schema =
        "SELECT group_concat(name || sql) || (SELECT user_version FROM pragma_user_version) FROM sqlite_schema";
    let before = text(schema);
    let error = SqliteStore::open(&path, &SqliteOptions::DEFAULT).unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(source, "row 7 of table revocation refers to a missing row");
    assert_eq!(text(schema), before);
    assert_eq!(connection.execute("DELETE FROM revocation WHERE id = 7", []).unwrap(), 1);
    SqliteStore::open(&path, &SqliteOptions::DEFAULT).unwrap();
    assert_ne!(text(schema), before);
    assert_eq!(text("SELECT text FROM note"), "not ours");
}

/// The number of a certificate that was deleted by hand is given again once: what was answered about the old one is not about the new.
#[test]
fn responses_of_deleted_certificates_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let connection = third(
        &path,
        "DELETE FROM certificate WHERE id = 2;
         INSERT INTO ocsp_response VALUES ((1 << 43) + 1, 50, x'01', 1), ((1 << 43) + 2, 50, x'02', 1),
            ((1 << 43) + (1 << 40) + 2, 50, x'03', 1);
         CREATE VIEW serials AS SELECT serial FROM certificate;",
    );
    let mut store = SqliteStore::open(&path, &SqliteOptions::DEFAULT).unwrap();
    let (of, _) = store.authority("one").unwrap().unwrap();
    store.add_certificates(of, &[certificate(&Serial::from_content(&[6]))]).unwrap();
    assert!(store.ocsp_response(of, &Serial::from_content(&[5]), "sha1", UnixTime(0)).unwrap().is_some());
    assert!(store.ocsp_response(of, &Serial::from_content(&[6]), "sha1", UnixTime(0)).unwrap().is_none());
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((number("SELECT max(id) FROM certificate"), number("SELECT count(*) FROM ocsp_response")), (2, 1));
    // A view is of the table that took the place.
    assert_eq!(number("SELECT count(*) FROM serials"), 2);
    assert_eq!(number("PRAGMA page_size"), 4096);
}

/// Who waited for another's migration finds it done.
#[test]
fn many_open_a_file_of_an_earlier_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    drop(third(&path, ""));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                SqliteStore::open(&path, &SqliteOptions::DEFAULT).unwrap().authority("one").unwrap().unwrap()
            });
        }
    });
    let connection = Connection::open(&path).unwrap();
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((number("PRAGMA user_version"), number("SELECT count(*) FROM certificate")), (12, 2));
}

/// Responses lie at the numbers of certificates: none is given twice.
#[test]
fn the_last_certificate_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let mut store = create(&path);
    let of = authority(&mut store);
    let serials = [1, 2].map(|octet| Serial::from_content(&[octet]));
    store.add_certificates(of, &serials.each_ref().map(certificate)).unwrap();
    let connection = Connection::open(&path).unwrap();
    let error = connection.execute("DELETE FROM certificate WHERE id = 2", []).unwrap_err();
    assert!(error.to_string().contains("the number that the next one follows"), "{error}");
    assert_eq!(connection.execute("DELETE FROM certificate WHERE id = 1", []).unwrap(), 1);
    // One that is there already leaves nothing of what came before it.
    let more = [3, 2].map(|octet| certificate(&Serial::from_content(&[octet])));
    assert!(matches!(store.add_certificates(of, &more), Err(Error::SerialTaken(serial)) if serial == serials[1]));
    assert!(matches!(store.add_certificates(AuthorityId(9), &more), Err(Error::Store { .. })));
    assert_eq!(connection.query_row("SELECT count(*) FROM certificate", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}

#[test]
fn files_are_their_owners() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let mut store = create(&path);
    authority(&mut store);
    #[cfg(unix)]
    for entry in fs::read_dir(folder.path()).unwrap() {
        use std::os::unix::fs::PermissionsExt;
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.path());
    }
    let connection = Connection::open(&path).unwrap();
    let text = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!((text("PRAGMA journal_mode"), text("PRAGMA integrity_check")), ("wal".to_owned(), "ok".to_owned()));
    assert_eq!(connection.query_row("PRAGMA page_size", [], |row| row.get::<_, i64>(0)).unwrap(), 8192);
}

/// Whatever happens to the counter, the table refuses a number that does not grow.
#[test]
fn crl_numbers_grow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let mut store = create(&path);
    let of = authority(&mut store);
    let make =
        &mut |_: &_| Ok(NewCrl { this_update: UnixTime(0), next_update: UnixTime(1), der: vec![], beside: vec![] });
    assert_eq!(store.add_crl(of, UnixTime(0).into(), make).unwrap().number, 1);
    assert_eq!(store.add_crl(of, UnixTime(0).into(), make).unwrap().number, 2);
    let connection = Connection::open(&path).unwrap();
    let insert = "INSERT INTO crl (authority, number, this_update, next_update, der) VALUES (1, 1, 0, 1, x'')";
    let error = connection.execute(insert, []).unwrap_err();
    assert!(error.to_string().contains("does not grow"), "{error}");
    // The last one stays, for it has the number; those before may go.
    let error = connection.execute("DELETE FROM crl WHERE number = 2", []).unwrap_err();
    assert!(error.to_string().contains("the next one follows"), "{error}");
    assert_eq!(connection.execute("DELETE FROM crl WHERE number = 1", []).unwrap(), 1);
    assert_eq!(store.add_crl(of, UnixTime(0).into(), make).unwrap().number, 3);
}

#[test]
fn patience_ends_with_a_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let of = authority(&mut create(&path));
    let options = SqliteOptions { patience: Duration::from_secs(1), ..SqliteOptions::DEFAULT };
    let mut store = SqliteStore::open(&path, &options).unwrap();
    let holder = Connection::open(&path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = Instant::now();
    let error = store.add_certificates(of, &[certificate(&Serial::generate().unwrap())]).unwrap_err();
    assert!(matches!(error, Error::Locked(1)) && start.elapsed() >= Duration::from_secs(1), "{error}");
    // What reads does not wait for what writes.
    assert!(store.authority("ca").unwrap().is_some());
    holder.execute_batch("COMMIT").unwrap();
    store.add_certificates(of, &[certificate(&Serial::generate().unwrap())]).unwrap();
}

/// To read, a file is left as it is, whichever version its tables have, and what would write to it fails.
#[test]
fn reading_does_not_change_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca é%?#.db");
    drop(third(&path, ""));
    let before = fs::read(&path).unwrap();
    let mut store = SqliteStore::open_to_read(&path, &SqliteOptions::DEFAULT).unwrap();
    let (of, record) = store.authority("one").unwrap().unwrap();
    assert_eq!((record.crl_number, store.crl(of, None).unwrap().unwrap().number), (1, 1));
    let mut count = 0;
    let visit = &mut |_| {
        count += 1;
        Ok(())
    };
    store.certificates(of, visit).unwrap();
    assert_eq!(count, 1);
    let error = store.revoke(of, &Serial::from_content(&[5]), &revocation()).unwrap_err();
    assert!(matches!(error, Error::Store { .. }), "{error}");
    drop(store);
    assert!(fs::read(&path).unwrap() == before);

    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").unwrap();
    let error = SqliteStore::open_to_read(&empty, &SqliteOptions::DEFAULT).unwrap_err();
    assert!(matches!(error, Error::ForeignDatabase(_)), "{error}");
    assert!(fs::read(&empty).unwrap().is_empty());
    let nothing = folder.path().join("nothing.db");
    assert!(matches!(SqliteStore::open_to_read(&nothing, &SqliteOptions::DEFAULT), Err(Error::Store { .. })));
    assert!(!nothing.exists());
}

fn revocation() -> tagwise_ca::store::Revocation {
    let reason = tagwise_pkix::ext::CrlReason::Superseded;
    tagwise_ca::store::Revocation { at: UnixTime(5), reason, invalid_since: None }
}

/// CRLs of before know not what was revoked when they were made: the next one lists what may not have been on them.
#[test]
fn the_first_crl_after_a_migration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let more = "UPDATE crl SET this_update = 5000;
        INSERT INTO certificate SELECT 3, 1, x'07', subject, profile, not_before, not_after, issued, 1, der FROM certificate WHERE id = 1;
        INSERT INTO certificate SELECT 4, 1, x'08', subject, profile, not_before, not_after, issued, 1, der FROM certificate WHERE id = 1;
        INSERT INTO revocation VALUES (2, 3, 5000, 1, NULL, NULL), (3, 4, 7, 1, NULL, NULL);";
    drop(third(&path, more));
    let mut store = SqliteStore::open(&path, &SqliteOptions::DEFAULT).unwrap();
    let (of, _) = store.authority("one").unwrap().unwrap();
    let mut next = |at: i64| {
        let mut listed = Vec::new();
        let make = &mut |draft: &tagwise_ca::store::CrlDraft| {
            listed = draft.revoked.iter().map(|(serial, _)| serial.as_bytes().to_vec()).collect();
            Ok(NewCrl { this_update: UnixTime(at), next_update: UnixTime(at + 1), der: vec![], beside: vec![] })
        };
        store.add_crl(of, UnixTime(at).into(), make).unwrap();
        listed
    };
    // All have expired. The first was on the last CRL by its date; the second was not, and the third, which came after it, may not.
    assert_eq!(next(5001), [[7], [8]]);
    assert_eq!(next(5002), [[0; 1]; 0]);
}
