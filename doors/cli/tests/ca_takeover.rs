//! A CA of `openssl ca` is taken over: what it revoked stays revoked, for OpenSSL as well.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

use common::openssl::{has_openssl, openssl, openssl_try};
use common::{Run, tagwise};
use serde_json::Value;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn fails(run: &Run, code: i32, words: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{}", run.err);
    assert!(run.err.contains(words), "{}", run.err);
}

fn json(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

const CONFIG: &str = "[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nserial=serial\ncrlnumber=crlnumber\nnew_certs_dir=.\n\
                      certificate=ca.pem\nprivate_key=ca.key\ndefault_md=sha256\ndefault_days=90\ndefault_crl_days=30\n\
                      policy=any\ncrl_extensions=crl\n[any]\ncommonName=supplied\n[crl]\nauthorityKeyIdentifier=keyid:always\n\
                      [delta]\n2.5.29.27=critical,DER:020105\n[part]\nissuingDistributionPoint=critical,@point\n\
                      [point]\nonlyuser=TRUE\n[named]\nissuingDistributionPoint=critical,@name\n\
                      [name]\nfullname=URI:http://ca.example/1.crl\n[strange]\n1.2.3.4=critical,ASN1:NULL\n";

/// A CA of OpenSSL's that has issued 55 (revoked), 56 (revoked) and 57, and made CRL 41.
fn old_ca() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (file, text) in [("ca.cnf", CONFIG), ("index.txt", ""), ("serial", "55\n"), ("crlnumber", "29\n")] {
        fs::write(at.join(file), text).unwrap();
    }
    let new = ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "3650"];
    for (key, certificate, name) in [("ca.key", "ca.pem", "/CN=Old"), ("other.key", "other.pem", "/CN=Old")] {
        openssl(at, &[&new[..], &["-keyout", key, "-out", certificate, "-subj", name]].concat());
    }
    for name in ["55", "56", "57"] {
        let request = ["req", "-new", "-nodes", "-newkey", "ed25519", "-keyout", "leaf.key", "-out", "leaf.csr"];
        openssl(at, &[&request[..], &["-subj", &format!("/CN=leaf {name}")]].concat());
        let out = format!("leaf{name}.pem");
        openssl(at, &["ca", "-batch", "-config", "ca.cnf", "-in", "leaf.csr", "-out", &out, "-notext"]);
    }
    let revoke = ["ca", "-config", "ca.cnf", "-revoke"];
    openssl(at, &[&revoke[..], &["leaf55.pem", "-crl_compromise", "20260102030405Z"]].concat());
    openssl(at, &[&revoke[..], &["leaf56.pem"]].concat());
    gencrl(at, "last.crl", &[]);
    folder
}

fn gencrl(folder: &Path, out: &str, more: &[&str]) {
    openssl(folder, &[&["ca", "-config", "ca.cnf", "-gencrl", "-out", out][..], more].concat());
}

fn init(folder: &Path, db: &str, more: &[&str]) -> Run {
    let (db, key, certificate) = (path(folder, db), path(folder, "ca.key"), path(folder, "ca.pem"));
    let init = ["ca", "init", "--db", &db, "--key", &key, "--certificate", &certificate, "--no-passphrase"];
    tagwise(&[&init[..], &["-o", &path(folder, "out.pem")], more].concat())
}

fn is_revoked(folder: &Path, crl: &str, certificate: &str) -> bool {
    let verify = ["verify", "-crl_check", "-CRLfile", crl, "-CAfile", "ca.pem", certificate];
    let (good, said) = openssl_try(folder, &verify);
    assert!(good || said.contains("certificate revoked"), "{said}");
    !good
}

#[test]
fn revoked_certificates_stay_revoked() {
    if !has_openssl() {
        return;
    }
    let folder = old_ca();
    let folder = folder.path();
    assert!(is_revoked(folder, "last.crl", "leaf55.pem"));
    fails(&init(folder, "i.db", &[]), 2, "give the last CRL with --last-crl FILE");
    fails(&init(folder, "i.db", &["--last-crl", "41"]), 2, "--last-crl requires a file, not a number");
    let last = path(folder, "last.crl");
    fails(&init(folder, "i.db", &["--last-crl", &last, "--last-crl-number", "7"]), 2, "the CRL has the number 41");
    assert!(!folder.join("i.db").exists());
    let run = init(folder, "i.db", &["--last-crl", &last]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("imported 2 revoked certificates"), "{}", run.err);

    let db = path(folder, "i.db");
    let ca = |command: &str, args: &[&str]| tagwise(&[&["ca", command, "--db", &db][..], args].concat());
    // The old one is given until there is a new one.
    assert_eq!(ca("export", &["--crl"]).out, fs::read_to_string(&last).unwrap());
    let new = path(folder, "new.crl");
    let made = json(&ca("crl", &["--json", "-o", &new]));
    assert_eq!((&made["crl"]["number"], &made["crl"]["entries"]), (&42.into(), &2.into()));
    for (leaf, revoked) in [("leaf55.pem", true), ("leaf56.pem", true), ("leaf57.pem", false)] {
        assert_eq!(is_revoked(folder, "new.crl", leaf), revoked, "{leaf}");
    }
    // Entries are as they were, with their dates and reasons.
    let entries = |crl: &str| {
        let text = openssl(folder, &["crl", "-in", crl, "-noout", "-text"]);
        let (from, to) =
            (text.find("Revoked Certificates:").unwrap(), text.find("    Signature Algorithm: ecdsa").unwrap());
        let to = text[from..].find("    Signature Algorithm").map_or(to, |end| from + end);
        text[from..to].to_owned()
    };
    assert_eq!(entries("new.crl"), entries("last.crl"));
    assert!(entries("new.crl").contains("Jan  2 03:04:05 2026 GMT"));
    let listed = ca("list", &["--status", "revoked"]);
    assert!(listed.out.contains("      55  revoked") || listed.out.contains("55  revoked"), "{}", listed.out);
    assert!(listed.out.contains("(only its serial number is known)  (keyCompromise)"), "{}", listed.out);
    let listed = json(&ca("list", &["--json", "--status", "revoked"]));
    let first = &listed["certificates"][0];
    assert_eq!((&first["serial"], &first["profile"], first.get("pem")), (&"55".into(), &"elsewhere".into(), None));
    fails(&ca("export", &["--serial", "55"]), 1, "only its serial number is known");
    assert_eq!(ca("export", &["--all"]).out.matches("BEGIN CERTIFICATE").count(), 1);
    // OCSP tells it, too.
    let response = path(folder, "response.der");
    assert_eq!(ca("ocsp", &["--serial", "55", "-o", &response]).code, Some(0));
    let ask = ["ocsp", "-issuer", "ca.pem", "-cert", "leaf55.pem", "-CAfile", "ca.pem", "-respin", "response.der"];
    assert!(openssl(folder, &ask).contains("leaf55.pem: revoked"));

    // What was issued before can be revoked now: by its file, or, if that is said, by its number.
    let hint = "to revoke a certificate issued elsewhere, use --certificate or --issued-elsewhere";
    fails(&ca("revoke", &["57"]), 1, hint);
    fails(&ca("revoke", &["--certificate", &path(folder, "other.pem")]), 1, "other.pem: ");
    let run = ca("revoke", &["--certificate", &path(folder, "leaf57.pem"), "--reason", "superseded"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("57: revoked since 20"), "{}", run.out);
    let run = ca("revoke", &["--serial", "0x1234", "--issued-elsewhere"]);
    assert_eq!((run.code, run.out.split(':').next()), (Some(0), Some("1234")), "{}", run.err);
    fails(&ca("revoke", &["--certificate", &path(folder, "leaf55.pem")]), 1, "is already revoked, since 20");
    let made = json(&ca("crl", &["--json", "-o", &new]));
    assert_eq!((&made["crl"]["number"], &made["crl"]["entries"]), (&43.into(), &4.into()));
    assert!(is_revoked(folder, "new.crl", "leaf57.pem"));
    assert!(ca("list", &["--status", "revoked"]).out.contains("CN=leaf 57  (superseded)"));
}

/// A CRL that does not list all that the CA revoked is not taken, and nothing is made.
#[test]
fn other_crls_are_refused() {
    if !has_openssl() {
        return;
    }
    let folder = old_ca();
    let folder = folder.path();
    let refused = |crl: &str, words: &str| {
        fails(&init(folder, "i.db", &["--last-crl", &path(folder, crl)]), 1, words);
        let left = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let left: Vec<String> = left.filter(|name| name.starts_with("i.db") || name.starts_with('.')).collect();
        assert_eq!(left, [""; 0], "{crl}");
    };
    for (section, words) in [
        ("delta", "the CRL is a delta CRL; a complete one is required (RFC 5280 §5.2.4)"),
        ("part", "the CRL covers only end entities; a complete one is required (RFC 5280 §5.2.5)"),
        ("named", "the CRL covers only one distribution point; a complete one is required"),
        ("strange", "the CRL has an unknown critical extension: 1.2.3.4 (RFC 5280 §5.2)"),
    ] {
        gencrl(folder, "odd.crl", &["-crlexts", section]);
        refused("odd.crl", words);
    }
    // Of another key under the same name: it says so, and where it does not, the signature does.
    let other = ["-cert", "other.pem", "-keyfile", "other.key"];
    gencrl(folder, "odd.crl", &other);
    refused("odd.crl", "the CRL's authorityKeyIdentifier does not match the CA's certificate (RFC 5280 §5.2.1)");
    fs::write(folder.join("bare.cnf"), CONFIG.replace("authorityKeyIdentifier=keyid:always", "1.2.3.5=ASN1:NULL"))
        .unwrap();
    openssl(folder, &[&["ca", "-config", "bare.cnf", "-gencrl", "-out", "odd.crl"][..], &other].concat());
    refused("odd.crl", "odd.crl: the CRL: ");
    // Of another name.
    let new =
        ["req", "-x509", "-nodes", "-newkey", "ed25519", "-keyout", "third.key", "-out", "third.pem", "-subj", "/CN=X"];
    openssl(folder, &new);
    gencrl(folder, "odd.crl", &["-cert", "third.pem", "-keyfile", "third.key", "-md", "null"]);
    refused("odd.crl", "the CRL was issued by a different CA: CN=X");
    // Changed by a bit.
    let whole = fs::read_to_string(folder.join("last.crl")).unwrap();
    let mut der = tagwise_codec::pem::blocks(whole.as_bytes()).next().unwrap().unwrap().decode().unwrap();
    let at = der.windows(3).position(|window| window == [2, 1, 0x55]).unwrap();
    der[at + 2] = 0x54;
    fs::write(folder.join("odd.crl"), &der).unwrap();
    refused("odd.crl", "odd.crl: the CRL: ");
    refused("ca.pem", "no CRL found");
}

/// Who says that there is nothing to take over gets what he says; a database of before, that took a number alone, asks once.
#[test]
fn without_its_past() {
    if !has_openssl() {
        return;
    }
    let folder = old_ca();
    let folder = folder.path();
    assert_eq!(init(folder, "none.db", &["--no-history", "--last-crl-number", "41"]).code, Some(0));
    let db = path(folder, "none.db");
    let made = json(&tagwise(&["ca", "crl", "--db", &db, "--json"]));
    assert_eq!((&made["crl"]["number"], &made["crl"]["entries"]), (&42.into(), &0.into()));

    let run = init(folder, "early.db", &["--no-history", "--last-crl-number", "41"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let db = path(folder, "early.db");
    // As a migration leaves it.
    let connection = rusqlite::Connection::open(&db).unwrap();
    let before = "DROP TRIGGER crl_numbers_grow; DROP INDEX certificate_changed; ALTER TABLE authority DROP COLUMN digest; ALTER TABLE certificate DROP COLUMN digest; \
                  ALTER TABLE certificate DROP COLUMN state; ALTER TABLE crl DROP COLUMN digest; DROP TABLE document; DROP TABLE series; ALTER TABLE authority DROP COLUMN crl_issuer; ALTER TABLE authority DROP COLUMN revocation_rows; PRAGMA user_version = 5;";
    connection.execute_batch(before).unwrap();
    assert_eq!(connection.execute("UPDATE authority SET past = 'unknown'", []).unwrap(), 1);
    drop(connection);
    let crl = ["ca", "crl", "--db", &db, "--json"];
    fails(&tagwise(&crl), 1, "the CA was imported without its last CRL; run `tagwise ca crl --last-crl FILE`");
    let made = json(&tagwise(&[&crl[..], &["--last-crl", &path(folder, "last.crl")]].concat()));
    assert_eq!((&made["crl"]["number"], &made["crl"]["entries"]), (&42.into(), &2.into()));
    fails(&tagwise(&[&crl[..], &["--no-history"]].concat()), 1, "were already imported");

    // A key that is there already, with a new certificate of the same name.
    let db = path(folder, "again.db");
    let again = ["ca", "init", "--db", &db, "--key", &path(folder, "ca.key"), "--subject", "CN=Old", "--no-passphrase"];
    fails(&tagwise(&again), 2, "give the last CRL with --last-crl FILE");
}

/// What OpenSSL's database tells beside the last CRL.
#[test]
fn by_index() {
    if !has_openssl() {
        return;
    }
    let folder = old_ca();
    let at = folder.path();
    // Revoked after the last CRL.
    openssl(at, &["ca", "-config", "ca.cnf", "-revoke", "leaf57.pem", "-crl_reason", "superseded"]);
    let sources = ["--last-crl", &path(at, "last.crl"), "--index", &path(at, "index.txt")];
    fails(&init(at, "old.db", &sources), 1, "is older than the CA's records, which revoke 57 (");
    gencrl(at, "last.crl", &[]);
    let run = init(at, "old.db", &sources);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("imported 3 revoked certificates"), "{}", run.err);
    let made = tagwise(&["ca", "crl", "--db", &path(at, "old.db"), "-o", &path(at, "next.crl")]);
    assert!(made.err.starts_with("CRL 43: 3 revoked"), "{}", made.err);
    for name in ["leaf55.pem", "leaf56.pem", "leaf57.pem"] {
        assert!(is_revoked(at, "next.crl", name), "{name}");
    }
    let audit = tagwise(&["ca", "audit", "--db", &path(at, "old.db")]);
    assert_eq!(audit.code, Some(0), "{}", audit.err);
    // The index alone, and what is wrong with one.
    let alone = init(at, "alone.db", &["--index", &path(at, "index.txt"), "--last-crl-number", "41"]);
    assert_eq!(alone.code, Some(0), "{}", alone.err);
    // The file `crlnumber` beside it has the next number.
    let beside = init(at, "beside.db", &["--index", &path(at, "index.txt")]);
    assert!(beside.code == Some(0) && !beside.err.contains("not known"), "{}", beside.err);
    let made = tagwise(&["ca", "crl", "--db", &path(at, "beside.db"), "-o", &path(at, "beside.crl")]);
    assert!(made.err.starts_with("CRL 43: 3 revoked"), "{}", made.err);
    fs::remove_file(at.join("crlnumber")).unwrap();
    let unknown = init(at, "unknown.db", &["--index", &path(at, "index.txt")]);
    assert_eq!(unknown.code, Some(0), "{}", unknown.err);
    assert!(unknown.err.contains("the number of the last CRL is not known"), "{}", unknown.err);
    fs::write(at.join("index.txt"), "V\tsoon\t\t55\tunknown\t/CN=x\n").unwrap();
    fails(
        &init(at, "bad.db", &["--index", &path(at, "index.txt")]),
        1,
        "index.txt: line 1 of the index: `soon` is not a time",
    );
    // The CRL alone may not be the last one.
    let run = init(at, "crl.db", &["--last-crl", &path(at, "last.crl")]);
    assert!(run.err.contains("last.crl: is this the last CRL?"), "{}", run.err);
}

/// A CA that is renewed or cross-signed stays the issuer of its certificates, for OpenSSL as well.
#[test]
fn names_and_identifiers_stay() {
    if !has_openssl() {
        return;
    }
    let folder = old_ca();
    let at = folder.path();
    let verified = |anchors: &str, more: &[&str]| {
        let (good, said) = openssl_try(at, &[&["verify", "-CAfile", anchors], more, &["leaf57.pem"][..]].concat());
        assert!(good, "{anchors} {more:?}: {said}");
    };
    let (key, old) = (path(at, "ca.key"), path(at, "ca.pem"));
    let found = |db: &str, out: &str, more: &[&str]| {
        let (db, out) = (path(at, db), path(at, out));
        let run = tagwise(&[&["ca", "init", "--db", &db, "--no-passphrase", "-o", &out][..], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
    };
    found("renewed.db", "renewed.pem", &["--key", &key, "--renew", &old, "--no-history"]);
    verified("renewed.pem", &[]);
    // By its name and its last CRL alone.
    found("named.db", "named.pem", &["--key", &key, "--subject", "CN=Old", "--last-crl", &path(at, "last.crl")]);
    verified("named.pem", &[]);
    let subject = |file: &str| {
        let run = tagwise(&["get", "tbsCertificate.subject", &path(at, file), "--hex"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out
    };
    assert_eq!(subject("named.pem"), subject("ca.pem"));
    // Cross-signed, from its certificate, or its key and name.
    found("new.db", "new.pem", &["--subject", "CN=New Root"]);
    openssl(at, &["pkey", "-in", "ca.key", "-pubout", "-out", "ca.pub"]);
    openssl(
        at,
        &[
            "req",
            "-new",
            "-key",
            "ca.key",
            "-subj",
            "/CN=Old",
            "-out",
            "ca.csr",
            "-addext",
            "subjectKeyIdentifier=hash",
        ],
    );
    let db = path(at, "new.db");
    for (out, source) in [
        ("cross1.pem", vec!["--public-key".to_owned(), path(at, "ca.pem")]),
        (
            "cross2.pem",
            vec!["--public-key".to_owned(), path(at, "ca.pub"), "--subject".to_owned(), "CN=Old".to_owned()],
        ),
        ("cross3.pem", vec![path(at, "ca.csr")]),
        (
            "cross4.pem",
            vec!["--public-key".to_owned(), path(at, "ca.csr"), "--subject".to_owned(), "CN=Old".to_owned()],
        ),
        (
            "cross5.pem",
            vec!["--public-key".to_owned(), path(at, "ca.key"), "--subject".to_owned(), "CN=Old".to_owned()],
        ),
    ] {
        let cross = path(at, out);
        let mut args = vec!["ca", "issue", "--db", &db, "--profile", "ca", "-o", &cross];
        args.extend(source.iter().map(String::as_str));
        let run = tagwise(&args);
        assert_eq!(run.code, Some(0), "{out}: {}", run.err);
        verified("new.pem", &["-untrusted", out]);
    }
    // Of another key.
    let other = tagwise(&[
        "ca",
        "init",
        "--db",
        &path(at, "no.db"),
        "--key",
        &path(at, "other.key"),
        "--renew",
        &old,
        "--no-history",
        "--no-passphrase",
    ]);
    fails(&other, 1, "the key does not match the certificate to renew");
}

/// Names of the standard are reasons, however they are written.
#[test]
fn reasons() {
    let folder = tempfile::tempdir().unwrap();
    let db = path(folder.path(), "ca.db");
    let run = tagwise(&["ca", "init", "--db", &db, "--subject", "CN=x", "--no-passphrase"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let names = [
        ("keyCompromise", "keyCompromise"),
        ("key-compromise", "keyCompromise"),
        ("cACompromise", "cACompromise"),
        ("affiliationChanged", "affiliationChanged"),
        ("superseded", "superseded"),
        ("cessationOfOperation", "cessationOfOperation"),
        ("certificateHold", "certificateHold"),
        ("privilegeWithdrawn", "privilegeWithdrawn"),
        ("aACompromise", "aACompromise"),
        ("unspecified", "unspecified"),
    ];
    for (number, (written, printed)) in names.iter().enumerate() {
        let serial = format!("{:02X}", number + 1);
        let revoke = ["ca", "revoke", "--db", &db, &serial, "--issued-elsewhere", "--reason", written, "--json"];
        let done = json(&tagwise(&revoke));
        assert_eq!(done["revoked"][0]["reason"], *printed, "{written}");
    }
    let removed = tagwise(&["ca", "revoke", "--db", &db, "01", "--reason", "removeFromCRL"]);
    fails(&removed, 1, "release the certificate instead");
}

/// Names that are none, and a common name that is not among the others.
#[test]
fn names_of_servers() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let db = path(at, "ca.db");
    assert_eq!(tagwise(&["ca", "init", "--db", &db, "--subject", "CN=x", "--no-passphrase"]).code, Some(0));
    let (key, public) = (path(at, "k.key"), path(at, "k.pub"));
    let made = tagwise(&["key", "new", "ecdsa-p256", "-o", &key, "--public", &public, "--no-passphrase"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let issue = |more: &[&str]| tagwise(&[&["ca", "issue", "--db", &db, "--public-key", &public][..], more].concat());
    for name in ["192.0.2.1", "*.192.0.2.1", "999.1.1.1", "a.1"] {
        fails(&issue(&["--dns", name]), 2, "is not a DNS name");
    }
    let stray = issue(&["--dns", "www.example.org", "--subject", "CN=other.example.org"]);
    fails(&stray, 1, "the common name other.example.org is not one of the alternative names");
    let good = issue(&["--dns", "www.example.org", "--subject", "CN=www.example.org"]);
    assert_eq!((good.code, good.err.as_str()), (Some(0), ""));
    fails(&issue(&[]), 2, "no name given");
}

/// A CA is renewed in its database: what it has issued still chains, and it goes on.
#[test]
fn renewed_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let db = path(at, "ca.db");
    let (first, second, leaf) = (path(at, "first.pem"), path(at, "second.pem"), path(at, "leaf.pem"));
    let run = |args: &[&str]| {
        let run = tagwise(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
        run
    };
    run(&["ca", "init", "--db", &db, "--subject", "CN=Root,O=x", "--days", "100", "--no-passphrase", "-o", &first]);
    let key = path(at, "k");
    let new =
        ["--new-key", "ed25519", "--key-out", &key, "--key-no-passphrase", "--dns", "www.example.org", "-o", &leaf];
    run(&[&["ca", "issue", "--db", &db][..], &new].concat());
    let renewed = run(&["ca", "renew", "--db", &db, "--days", "1000", "-o", &second]);
    assert!(renewed.err.contains("CN=Root,O=x, valid until"), "{}", renewed.err);
    for root in [&first, &second] {
        run(&["verify", &leaf, "--trust", root, "--host", "www.example.org", "--profile", "rfc5280"]);
    }
    for field in ["tbsCertificate.subject", "tbsCertificate.extensions", "tbsCertificate.subjectPublicKeyInfo"] {
        assert_eq!(run(&["get", field, &first]).out, run(&["get", field, &second]).out, "{field}");
    }
    assert_ne!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    run(&["ca", "revoke", "--db", &db, "--certificate", &leaf]);
    run(&["ca", "crl", "--db", &db, "-o", &path(at, "root.crl")]);
    assert!(run(&["ca", "list", "--db", &db]).out.lines().filter(|line| line.contains("  root  ")).count() == 2);
    assert!(run(&["ca", "audit", "--db", &db]).out.contains("good: 3 certificates"));
    // Another's certificate for the same name and key, and for another.
    run(&["ca", "renew", "--db", &db, "--certificate", &first]);
    fails(
        &tagwise(&["ca", "renew", "--db", &db, "--certificate", &leaf]),
        1,
        "the certificate is not a CA certificate",
    );
    let other = path(at, "other.db");
    let foreign = path(at, "foreign.pem");
    run(&["ca", "init", "--db", &other, "--subject", "CN=Root,O=x", "--no-passphrase", "-o", &foreign]);
    fails(
        &tagwise(&["ca", "renew", "--db", &db, "--certificate", &foreign]),
        1,
        "the key does not match the CA's certificate",
    );
}
