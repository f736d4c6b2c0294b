//! The care of a CA: its passphrase, backups, a new key, and certificates by name and expiry.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

use common::openssl::{has_openssl, openssl_try};
use common::{Run, tagwise};
use serde_json::Value;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn good(args: &[&str]) -> Run {
    let run = tagwise(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    run
}

fn fails(args: &[&str], code: i32, words: &str) {
    let run = tagwise(args);
    assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{args:?}: {}", run.err);
    assert!(run.err.contains(words), "{args:?}: {}", run.err);
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&good(args).out).unwrap()
}

/// A CA without a passphrase, and a public key to certify.
fn ca(folder: &Path) -> (String, String) {
    let (db, key, public) = (path(folder, "ca.db"), path(folder, "key"), path(folder, "key.pub"));
    let root = path(folder, "root.pem");
    good(&["ca", "init", "--db", &db, "--subject", "CN=Root,O=x", "--no-passphrase", "-o", &root]);
    good(&["key", "new", "ed25519", "--no-passphrase", "-o", &key, "--public", &public]);
    (db, public)
}

/// Issues a certificate and returns its serial number.
fn issue(db: &str, public: &str, name: &str, more: &[&str]) -> String {
    let issue = ["ca", "issue", "--db", db, "--public-key", public, "--dns", name, "--json"];
    json(&[&issue[..], more].concat())["certificate"]["serial"].as_str().unwrap().to_owned()
}

#[test]
fn the_passphrase_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, old, new) = (path(at, "ca.db"), path(at, "old.txt"), path(at, "new.txt"));
    fs::write(&old, "an old passphrase\n").unwrap();
    fs::write(&new, "a new passphrase\n").unwrap();
    let init = ["ca", "init", "--db", &db, "--subject", "CN=Root", "--mtc", "32473.1", "--passphrase-file", &old];
    good(&[&init[..], &["-o", &path(at, "root.pem")]].concat());
    let crl = |file: &str| tagwise(&["ca", "crl", "--db", &db, "--passphrase-file", file, "--json"]).code;
    let holds = |text: &str| fs::read(&db).unwrap().windows(text.len()).any(|window| window == text.as_bytes());
    assert!(!holds("an old passphrase"));
    let stored = good(&["ca", "export", "--db", &db, "--key"]).out;
    let change = ["ca", "passphrase", "--db", &db, "--passphrase-file", &new, "--new-passphrase-file", &new];
    fails(&change, 1, "wrong passphrase");
    good(&["ca", "passphrase", "--db", &db, "--passphrase-file", &old, "--new-passphrase-file", &new]);
    assert_eq!(crl(&old), Some(1));
    assert_eq!(crl(&new), Some(0));
    assert_ne!(good(&["ca", "export", "--db", &db, "--key"]).out, stored);
    // The old encrypted key is no longer in the file.
    let der = tagwise_codec::pem::blocks(stored.as_bytes()).next().unwrap().unwrap().decode().unwrap();
    let octets = fs::read(&db).unwrap();
    assert!(!octets.windows(64).any(|window| window == &der[der.len() - 64..]));
    // The log's key has the new passphrase, too.
    let public = path(at, "k.pub");
    good(&["key", "new", "ed25519", "--no-passphrase", "-o", &path(at, "k"), "--public", &public]);
    let issue = ["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "www.example.org"];
    good(&[&issue[..], &["--passphrase-file", &new, "-o", &path(at, "www.pem")]].concat());
    good(&["ca", "passphrase", "--db", &db, "--passphrase-file", &new, "--no-new-passphrase"]);
    good(&["ca", "crl", "--db", &db]);
    good(&["ca", "audit", "--db", &db]);
}

#[test]
fn a_backup_is_restored() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    let backup = path(at, "backup.db");
    let first = issue(&db, &public, "first.example.org", &[]);
    good(&["ca", "revoke", "--db", &db, &first]);
    good(&["ca", "crl", "--db", &db]);
    let run = good(&["ca", "backup", "--db", &db, "-o", &backup]);
    assert!(run.err.contains("backed up to"), "{}", run.err);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    }
    fails(&["ca", "backup", "--db", &db, "-o", &backup], 3, "it already exists");
    let copy = fs::read(&backup).unwrap();
    // The same state is restored without a question.
    good(&["ca", "restore", &backup, "--db", &db]);

    // What was done since is not lost unnoticed.
    let second = issue(&db, &public, "second.example.org", &[]);
    let restore = ["ca", "restore", &backup, "--db", &db];
    fails(&restore, 1, "the database is newer than the backup, which lacks: certificate: 1");
    good(&["ca", "revoke", "--db", &db, &second]);
    good(&["ca", "crl", "--db", &db]);
    fails(&restore, 1, "certificate: 1, change of a status: 1, CRL: 1");
    assert!(good(&["ca", "list", "--db", &db]).out.contains(&second));
    let run = good(&[&restore[..], &["--discard-newer"]].concat());
    // CRL numbers do not go back.
    assert!(run.err.contains("restored; the next CRL has the number 3"), "{}", run.err);
    assert!(!good(&["ca", "list", "--db", &db]).out.contains(&second));
    let made = json(&["ca", "crl", "--db", &db, "--json"]);
    assert_eq!((&made["crl"]["number"], &made["crl"]["entries"]), (&3.into(), &1.into()));
    good(&["ca", "audit", "--db", &db]);
    issue(&db, &public, "third.example.org", &[]);

    // The database is lost.
    let other = path(at, "other.db");
    let run = good(&["ca", "restore", &backup, "--db", &other]);
    assert!(run.err.contains("CRLs issued after the backup are not known"), "{}", run.err);
    let run = good(&["ca", "restore", &backup, "--db", &other, "--last-crl-number", "41"]);
    assert!(run.err.contains("the next CRL has the number 42"), "{}", run.err);
    assert_eq!(json(&["ca", "crl", "--db", &other, "--json"])["crl"]["number"], 42);
    assert_eq!(fs::read(&backup).unwrap(), copy, "the backup was changed");

    // A backup of another CA, one that is damaged, and something else.
    let stranger = path(at, "stranger.db");
    good(&["ca", "init", "--db", &stranger, "--subject", "CN=Other", "--no-passphrase"]);
    let rusqlite = rusqlite::Connection::open(&stranger).unwrap();
    rusqlite.execute("UPDATE authority SET created = created - 1", []).unwrap();
    drop(rusqlite);
    fails(&["ca", "restore", &stranger, "--db", &db], 3, "the row of the CA");
    let damaged = path(at, "damaged.db");
    fs::copy(&backup, &damaged).unwrap();
    let rusqlite = rusqlite::Connection::open(&damaged).unwrap();
    rusqlite.execute("UPDATE certificate SET subject = 'CN=x' WHERE id = 2", []).unwrap();
    drop(rusqlite);
    fails(&["ca", "restore", &damaged, "--db", &db], 3, "damaged: ");
    fails(&["ca", "restore", &public, "--db", &db], 3, "not a");
}

/// Accounts and secrets of servers are restored, and are not lost unnoticed. The key keeps its present passphrase.
#[test]
fn a_backup_contains_documents() {
    use tagwise_ca::{Authority, Document, Documents, SqliteOptions, SqliteStore};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, _) = ca(at);
    let (backup, new) = (path(at, "backup.db"), path(at, "new.txt"));
    fs::write(&new, "a new passphrase\n").unwrap();
    let documents = |db: &str| {
        let mut store = SqliteStore::open(Path::new(db), &SqliteOptions::DEFAULT).unwrap();
        let authority = Authority::open(&mut store, Authority::LABEL).unwrap();
        let found = store.documents_of(authority.id(), "account", "", "", 9).unwrap();
        found.into_iter().map(|document| document.id).collect::<Vec<_>>()
    };
    let add = |id: &str| {
        let mut store = SqliteStore::open(Path::new(&db), &SqliteOptions::DEFAULT).unwrap();
        let authority = Authority::open(&mut store, Authority::LABEL).unwrap();
        let new = Document::new("account", id, "", tagwise_pkix::UnixTime(4_000_000_000), "{}".to_owned());
        assert!(store.insert_document(authority.id(), &new).unwrap());
    };
    add("a1");
    good(&["ca", "backup", "--db", &db, "-o", &backup]);
    good(&["ca", "restore", &backup, "--db", &db]);
    assert_eq!(documents(&db), ["a1"]);
    add("a2");
    good(&["ca", "passphrase", "--db", &db, "--new-passphrase-file", &new]);
    fails(&["ca", "restore", &backup, "--db", &db], 1, "the backup, which lacks: document: 1");
    let run = good(&["ca", "restore", &backup, "--db", &db, "--discard-newer"]);
    assert!(run.err.contains("the CA's key keeps the passphrase that it has in the database"), "{}", run.err);
    assert_eq!(documents(&db), ["a1"]);
    good(&["ca", "crl", "--db", &db, "--passphrase-file", &new]);
    assert_ne!(tagwise(&["ca", "crl", "--db", &db, "--json"]).code, Some(0));
    good(&["ca", "audit", "--db", &db]);
    // The database is lost.
    let other = path(at, "other.db");
    good(&["ca", "restore", &backup, "--db", &other]);
    assert_eq!(documents(&other), ["a1"]);
    good(&["ca", "crl", "--db", &other]);
}

/// A key that was compromised is not certified again.
#[test]
fn a_compromised_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (db, public) = ca(folder.path());
    let serial = issue(&db, &public, "a.example.org", &[]);
    good(&["ca", "revoke", "--db", &db, &serial, "--reason", "key-compromise"]);
    let again = ["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "b.example.org"];
    fails(
        &again,
        1,
        &format!("the subject's key is compromised: its certificate {serial} was revoked for that reason"),
    );
}

/// A backup of another CA is refused.
#[test]
fn a_backup_of_another_ca_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, _) = ca(at);
    let (other, backup) = (path(at, "other.db"), path(at, "backup.db"));
    std::thread::sleep(std::time::Duration::from_secs(1));
    good(&["ca", "init", "--db", &other, "--subject", "CN=Other", "--no-passphrase"]);
    good(&["ca", "backup", "--db", &other, "-o", &backup]);
    fails(&["ca", "restore", &backup, "--db", &db, "--discard-newer"], 1, "the backup belongs to a different CA");
}

/// The operator sees what is approved.
#[test]
fn pending_requests_are_shown() {
    use tagwise_ca::{Authority, Document, Documents, SqliteOptions, SqliteStore};
    use tagwise_codec::text::base64;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (db, _) = ca(folder);
    let (csr, key) = (path(folder, "a.csr"), path(folder, "a.key"));
    let new = ["csr", "new", "--new-key", "ecdsa-p256", "--key-out", &key, "--key-no-passphrase", "-o", &csr];
    good(&[&new[..], &["--subject", "CN=Device 7", "--dns", "a.example.org", "--dns", "b.example.org"]].concat());
    let pem = fs::read(&csr).unwrap();
    let der = tagwise_codec::pem::blocks(&pem).next().unwrap().unwrap().decode().unwrap();
    let mut store = SqliteStore::open(Path::new(&db), &SqliteOptions::DEFAULT).unwrap();
    let authority = Authority::open(&mut store, Authority::LABEL).unwrap();
    let expires = tagwise_pkix::UnixTime(4_000_000_000);
    for (id, request) in [("t1", base64::encode(&der)), ("t2", base64::encode(b"damaged"))] {
        let content = serde_json::json!({
            "status": "pending", "form": "pkcs10", "request": request, "profile": "server", "renewal": false,
            "received": 1_790_000_000, "claimed": null, "certificate": null, "serial": null,
        });
        let transaction = Document::new("enroll-transaction", id, "secret/1", expires, content.to_string());
        assert!(store.insert_document(authority.id(), &transaction).unwrap());
        let waiting = Document::new("enroll-pending", id, "operator", expires, "{}".to_owned());
        assert!(store.insert_document(authority.id(), &waiting).unwrap());
    }
    drop(store);
    let pending = ["ca", "enroll", "pending", "--db", &db];
    let text = good(&pending).out;
    for words in [
        "t1  2026-",
        "  server  secret/1\n    subject: CN=Device 7\n    names:   DNS:a.example.org, DNS:b.example.org\n    key:     EC P-256, SHA-256 ",
        "    cannot be read: ",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let shown = good(&[&pending[..], &["--json"]].concat()).out;
    common::documents::check(&shown);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let first = &shown["requests"][0];
    assert_eq!((&first["subject"], &first["names"][1]), (&"CN=Device 7".into(), &"DNS:b.example.org".into()));
    assert!(shown["requests"][1]["error"].is_string());
}

#[test]
fn an_audit_of_a_damaged_ca_lists_it() {
    let folder = tempfile::tempdir().unwrap();
    let (db, _) = ca(folder.path());
    let connection = rusqlite::Connection::open(&db).unwrap();
    connection.execute("UPDATE authority SET crl_url = 'http://elsewhere.example/{8}.crl'", []).unwrap();
    drop(connection);
    let run = tagwise(&["ca", "audit", "--db", &db]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{}", run.err);
    assert!(run.err.contains("damaged: the row of the CA"), "{}", run.err);
    let run = tagwise(&["ca", "audit", "--db", &db, "--json"]);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &found["findings"]), (Some(1), &serde_json::json!(["the row of the CA"])));
    fails(&["ca", "list", "--db", &db], 3, "`tagwise ca audit` lists all damage");
}

#[test]
fn certificates_by_name_and_expiry() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    let soon = issue(&db, &public, "soon.example.org", &["--days", "5"]);
    let late = issue(&db, &public, "late.example.org", &["--days", "50"]);
    let named = issue(&db, &public, "other.example.org", &["--days", "50"]);
    let list = |more: &[&str]| -> Vec<String> {
        let found = json(&[&["ca", "list", "--db", &db, "--json"][..], more].concat());
        let found = found["certificates"].as_array().unwrap().clone();
        found.iter().map(|one| one["serial"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(list(&["--expires-within", "4"]), [""; 0]);
    assert_eq!(list(&["--expires-within", "6"]), [soon.as_str()]);
    assert_eq!(list(&["--expires-within", "51"]), [soon.as_str(), &late, &named]);
    assert_eq!(list(&["--expires-within", "6", "--at", "2001-01-01"]), [""; 0]);

    let again = issue(&db, &public, "LATE.example.org", &[]);
    let done = json(&["ca", "revoke", "--db", &db, "--name", "late.example.org", "--reason", "superseded", "--json"]);
    let serials: Vec<&str> =
        done["revoked"].as_array().unwrap().iter().map(|one| one["serial"].as_str().unwrap()).collect();
    assert_eq!(serials, [late.as_str(), &again]);
    fails(
        &["ca", "revoke", "--db", &db, "--name", "late.example.org"],
        1,
        "no valid certificate has the name late.example.org",
    );
    fails(&["ca", "revoke", "--db", &db, "--name", "nobody.example.org"], 1, "no valid certificate has the name");
    // The subject is a name, too, but the CA cannot revoke itself.
    fails(&["ca", "revoke", "--db", &db, "--name", "Root"], 1, "no valid certificate has the name Root");
    fails(
        &["ca", "revoke", "--db", &db, "--expired-before", "2020-01-01"],
        1,
        "no certificate to revoke expired before",
    );
    let done = json(&["ca", "revoke", "--db", &db, "--expired-before", "2100-01-01", "--json"]);
    assert_eq!(done["revoked"].as_array().unwrap().len(), 2);
    assert_eq!(list(&["--status", "valid"]).len(), 1);
    assert_ne!(named, soon);
}

/// A new key: certificates of both keys are valid for those who trust either.
#[test]
fn a_new_key_is_certified_with_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    let (new, root2) = (path(at, "new.db"), path(at, "root2.pem"));
    let (new_with_old, old_with_new) = (path(at, "nwo.pem"), path(at, "own.pem"));
    let old_leaf = path(at, "old-leaf.pem");
    issue(&db, &public, "www.example.org", &["-o", &old_leaf]);
    let rekey = ["ca", "rekey", "--db", &db, "--new-db", &new, "--no-new-passphrase", "-o", &root2];
    let both = ["--new-with-old", &new_with_old, "--old-with-new", &old_with_new, "--key-type", "ecdsa-p384"];
    let run = good(&[&rekey[..], &both].concat());
    assert!(run.err.contains("CN=Root,O=x (ecdsa-p384), valid until"), "{}", run.err);
    fails(&[&rekey[..], &both].concat(), 1, "the database already has a CA");
    let new_leaf = path(at, "new-leaf.pem");
    issue(&new, &public, "new.example.org", &["-o", &new_leaf]);
    let root = path(at, "root.pem");
    for (leaf, host, trust, cross) in [
        (&old_leaf, "www.example.org", &root, None),
        (&new_leaf, "new.example.org", &root2, None),
        (&old_leaf, "www.example.org", &root2, Some(&old_with_new)),
        (&new_leaf, "new.example.org", &root, Some(&new_with_old)),
    ] {
        let mut args = vec!["verify", leaf, "--trust", trust, "--host", host, "--profile", "rfc5280"];
        args.extend(cross.iter().flat_map(|cross| ["--untrusted", cross.as_str()]));
        good(&args);
        if has_openssl() {
            let mut args = vec!["verify", "-CAfile", trust.as_str()];
            args.extend(cross.iter().flat_map(|cross| ["-untrusted", cross.as_str()]));
            args.push(leaf);
            let (is_good, said) = openssl_try(at, &args);
            assert!(is_good, "{args:?}: {said}");
        }
    }
    // The subject is the same, byte for byte, and the key identifier is another.
    let field = |field: &str, file: &str| good(&["get", field, file, "--hex"]).out;
    assert_eq!(field("tbsCertificate.subject", &root), field("tbsCertificate.subject", &root2));
    let identifier = "tbsCertificate.extensions[subjectKeyIdentifier]";
    assert_ne!(good(&["get", identifier, &root]).out, good(&["get", identifier, &root2]).out);
    good(&["ca", "audit", "--db", &db]);
    good(&["ca", "audit", "--db", &new]);
    good(&["ca", "crl", "--db", &new]);
}

/// A compromised key is refused by the new CA, too, and the old certificate can be revoked there by its file.
#[test]
fn a_new_key_refuses_compromised_keys() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    let (new, leaf) = (path(at, "new.db"), path(at, "leaf.pem"));
    issue(&db, &public, "www.example.org", &["-o", &leaf]);
    let rekey = ["ca", "rekey", "--db", &db, "--new-db", &new, "--no-new-passphrase", "-o", &path(at, "root2.pem")];
    good(&rekey);
    let again = ["ca", "issue", "--db", &new, "--public-key", &public, "--dns", "www.example.org"];
    good(&again);
    let run = good(&["ca", "revoke", "--db", &new, "--certificate", &leaf, "--reason", "superseded"]);
    assert!(run.out.contains("(superseded)"), "{}", run.out);
    good(&["ca", "revoke", "--db", &new, "--certificate", &leaf, "--reason", "key-compromise"]);
    fails(&again, 1, "the subject's key is compromised");
    good(&["ca", "audit", "--db", &new]);
}

/// No output replaces another one, or a file that SQLite keeps beside the database.
#[test]
fn outputs_do_not_replace_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, _) = ca(at);
    let (new, one) = (path(at, "new.db"), path(at, "one.pem"));
    let rekey = ["ca", "rekey", "--db", &db, "--new-db", &new, "--no-new-passphrase"];
    for more in [["-o", &one, "--new-with-old", &one], ["--new-with-old", &one, "--old-with-new", &one]] {
        fails(&[&rekey[..], &more].concat(), 2, "one.pem is the file of two outputs, expected different ones");
    }
    fails(&[&rekey[..], &["-o", &new]].concat(), 2, "new.db is a file of the CA's database");
    assert!(!Path::new(&new).exists() && !Path::new(&one).exists());
    for ending in ["", "-wal", "-shm", "-journal"] {
        let output = format!("{db}{ending}");
        let words = format!("{output} is a file of the CA's database, which the output would replace");
        fails(&["ca", "crl", "--db", &db, "-o", &output], 2, &words);
    }
    good(&["ca", "crl", "--db", &db, "-o", &path(at, "root.crl")]);
}

/// Only a CA that may have issued certificates elsewhere answers *good* for unlisted serial numbers (CA/Browser Forum BR §4.9.10).
#[test]
fn unlisted_is_not_good_for_a_complete_database() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    let serial = issue(&db, &public, "www.example.org", &[]);
    good(&["ca", "crl", "--db", &db]);
    let ocsp = ["ca", "ocsp", "--db", &db, "--serial", &serial, "--unlisted", "good", "-o", &path(at, "one.ocsp")];
    fails(&ocsp, 2, "--unlisted good is for a CA that was imported without its certificates");
    // Not every certificate was issued here.
    good(&["ca", "revoke", "--db", &db, "--serial", "55", "--issued-elsewhere"]);
    good(&ocsp);
}

/// A backup on read-only media is audited in place.
#[cfg(unix)]
#[test]
fn a_read_only_backup_is_audited() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    issue(&db, &public, "www.example.org", &[]);
    let media = at.join("media");
    fs::create_dir(&media).unwrap();
    let backup = path(&media, "backup.db");
    good(&["ca", "backup", "--db", &db, "-o", &backup]);
    let mode = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(Path::new(&backup), 0o400);
    mode(&media, 0o500);
    let run = good(&["ca", "audit", "--db", &backup]);
    assert!(run.out.ends_with("backup.db: good: 2 certificates\n"), "{}", run.out);
    assert_eq!(fs::read_dir(&media).unwrap().count(), 1);
    mode(&media, 0o700);
}

/// URLs of the old key are not those of the new one.
#[test]
fn a_new_key_needs_its_own_urls() {
    let folder = tempfile::tempdir().unwrap();
    let (db, new) = (path(folder.path(), "ca.db"), path(folder.path(), "new.db"));
    let url = "http://ca.example.org/1.crl";
    good(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "--crl-url", url]);
    let rekey = ["ca", "rekey", "--db", &db, "--new-db", &new, "--no-new-passphrase"];
    fails(&rekey, 2, "the new key needs its own URL: give --crl-url");
    fails(&[&rekey[..], &["--crl-url", url]].concat(), 2, "the new key needs its own URL");
    assert!(!Path::new(&new).exists());
    good(&[&rekey[..], &["--crl-url", "http://ca.example.org/2.crl"]].concat());
}

/// A delta CRL lists what has changed since the last complete one, and numbers are shared (RFC 5280 §5.2.4).
#[test]
fn delta_crls() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    let [old, held, new] = ["old", "held", "new"].map(|name| issue(&db, &public, &format!("{name}.example.org"), &[]));
    let crl = ["ca", "crl", "--db", &db];
    fails(&[&crl[..], &["--delta"]].concat(), 1, "a delta CRL requires a complete CRL");
    good(&["ca", "revoke", "--db", &db, &old]);
    good(&["ca", "revoke", "--db", &db, &held, "--reason", "hold"]);
    good(&[&crl[..], &["-o", &path(at, "full.crl")]].concat());
    good(&["ca", "revoke", "--db", &db, &new, "--reason", "superseded"]);
    good(&["ca", "revoke", "--db", &db, &held, "--release"]);
    let delta = path(at, "delta.crl");
    let run = good(&[&crl[..], &["--delta", "--days", "1", "-o", &delta]].concat());
    assert!(run.err.starts_with("CRL 2: 1 revoked, 1 released, the next"), "{}", run.err);
    let (is_good, text) = openssl_try(at, &["crl", "-in", "delta.crl", "-noout", "-text", "-CAfile", "root.pem"]);
    assert!(is_good && text.contains("verify OK"), "{text}");
    assert!(text.contains("X509v3 Delta CRL Indicator: critical"), "{text}");
    let entries: Vec<&str> = text.split("Serial Number: ").skip(1).collect();
    assert_eq!(entries.len(), 2, "{text}");
    let entry = |serial: &str| *entries.iter().find(|entry| entry.starts_with(serial)).unwrap();
    assert!(entry(&new).contains("Superseded"), "{text}");
    assert!(entry(&held).contains("Remove From CRL"), "{text}");
    // The complete one is still the last that is served, and the next one has the next number.
    let last = good(&["ca", "export", "--db", &db, "--crl"]).out;
    assert_eq!(last, fs::read_to_string(at.join("full.crl")).unwrap());
    let made = json(&["ca", "crl", "--db", &db, "--json"]);
    assert_eq!((&made["crl"]["number"], &made["crl"]["entries"]), (&3.into(), &2.into()));
    good(&["ca", "audit", "--db", &db]);
}

/// A period of N days has N × 86,400 seconds, with both ends (RFC 5280 §4.1.2.5).
#[test]
fn days_of_validity_count_both_ends() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    let seconds = |made: &Value| {
        let time = |name: &str| made[name]["unix"].as_i64().unwrap();
        time("not_after") - time("not_before") + 1
    };
    let profile = path(at, "own.toml");
    fs::write(&profile, "name = 'own'\ndays = 3\nbackdate-minutes = 10\n").unwrap();
    let issue = ["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "www.example.org", "--json"];
    for (more, days) in [
        (&["--days", "1"][..], 1),
        (&[], 90),
        (&["--profile", &profile], 3),
        (&["--profile", &profile, "--days", "2"], 2),
    ] {
        let made = json(&[&issue[..], more].concat());
        assert_eq!(seconds(&made["certificate"]), days * 86_400, "{more:?}");
    }
    let other = path(at, "other.db");
    let init = ["ca", "init", "--db", &other, "--subject", "CN=Other", "--no-passphrase", "--json", "--days", "30"];
    assert_eq!(seconds(&json(&init)), 30 * 86_400);
    assert_eq!(seconds(&json(&["ca", "renew", "--db", &other, "--json", "--days", "20"])), 20 * 86_400);
    assert_eq!(seconds(&json(&["ca", "renew", "--db", &other, "--json"])), 3650 * 86_400);
}

/// The certificate from a superior CA keeps its validity. What that means, and what is not checked, is reported.
#[test]
fn a_renewed_certificate_from_a_superior_ca_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (db, public) = ca(at);
    let (sub, first, next) = (path(at, "sub.db"), path(at, "sub.pem"), path(at, "next.pem"));
    let issue = ["ca", "issue", "--db", &db, "--public-key", &public, "--subject", "CN=Sub", "--profile", "ca"];
    good(&[&issue[..], &["--days", "30", "-o", &first]].concat());
    good(&[&issue[..], &["--days", "20", "-o", &next]].concat());
    let key = path(at, "key");
    let init = ["ca", "init", "--db", &sub, "--key", &key, "--certificate", &first, "--no-history", "--no-passphrase"];
    good(&init);
    let run = good(&["ca", "renew", "--db", &sub, "--certificate", &next, "-o", &path(at, "installed.pem")]);
    for words in [
        ", before the current one, which ends on ",
        ": no certificate can be issued for the usual 90 days",
        ": not checked: whether CN=Root,O=x has revoked the new certificate; `tagwise verify` checks that with its CRL",
    ] {
        assert!(run.err.contains(words), "{}", run.err);
    }
    assert_eq!(fs::read(path(at, "installed.pem")).unwrap(), fs::read(&next).unwrap());
}

/// Certificates that a server issued have the client's name.
#[test]
fn requesters_are_listed() {
    use tagwise_ca::{Authority, Document, Documents, SqliteOptions, SqliteStore};
    let folder = tempfile::tempdir().unwrap();
    let (db, public) = ca(folder.path());
    let serials = ["a", "b", "c"].map(|name| issue(&db, &public, &format!("{name}.example.org"), &[]));
    let mut store = SqliteStore::open(Path::new(&db), &SqliteOptions::DEFAULT).unwrap();
    let authority = Authority::open(&mut store, Authority::LABEL).unwrap();
    for (kind, serial, owner, content) in
        [("certificate", &serials[0], "7", "{\"order\":\"1\"}"), ("enroll-certificate", &serials[1], "secret/8", "{}")]
    {
        let expires = tagwise_pkix::UnixTime(4_000_000_000);
        let owned = Document::new(kind, serial, owner, expires, content.to_owned());
        assert!(store.insert_document(authority.id(), &owned).unwrap());
    }
    drop(store);
    let shown = good(&["ca", "list", "--db", &db, "--json"]).out;
    common::documents::check(&shown);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let requester = |serial: &str| {
        let mut all = shown["certificates"].as_array().unwrap().iter();
        all.find(|certificate| certificate["serial"] == serial).unwrap().get("requester").cloned()
    };
    assert_eq!(requester(&serials[0]), Some("account/7".into()));
    assert_eq!(requester(&serials[1]), Some("secret/8".into()));
    assert_eq!(requester(&serials[2]), None);
}
