//! Files of SQLite: versions, strangers, locks, permissions.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(feature = "sqlite")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tagwise_ca::store::{AuthorityId, AuthorityRecord, NewCertificate, NewCrl, StoredKey};
use tagwise_ca::{Error, Serial, SqliteOptions, SqliteStore, Store, Urls};

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
        created: 0,
    };
    store.add_authority(&record, None).unwrap()
}

fn certificate(serial: &Serial) -> NewCertificate {
    NewCertificate {
        serial: serial.clone(),
        subject: String::new(),
        profile: "server",
        not_before: 0,
        not_after: 1000,
        issued: 0,
        der: vec![0x30, 0],
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
    assert!(matches!(error, Error::NewerDatabase { found: 99, known: 1 }), "{error}");

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
}

/// Whatever happens to the counter, the table refuses a number that does not grow.
#[test]
fn crl_numbers_grow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let mut store = create(&path);
    let of = authority(&mut store);
    let make = &mut |_: &_| Ok(NewCrl { this_update: 0, next_update: 1, der: vec![] });
    assert_eq!(store.add_crl(of, make).unwrap().number, 1);
    assert_eq!(store.add_crl(of, make).unwrap().number, 2);
    let connection = Connection::open(&path).unwrap();
    let insert = "INSERT INTO crl (authority, number, this_update, next_update, der) VALUES (1, 1, 0, 1, x'')";
    let error = connection.execute(insert, []).unwrap_err();
    assert!(error.to_string().contains("does not grow"), "{error}");
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
