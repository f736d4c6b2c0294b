//! CAs of `openssl ca`, easy-rsa, step-ca and others are imported with their history, which real programs wrote.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::openssl::{has_openssl, openssl, openssl_try};
use common::{Run, tagwise};
use serde_json::{Value, json};
use tagwise_ca::{Authority, Serial, SqliteOptions, SqliteStore, Store};
use tagwise_codec::text::base64;
use tagwise_pkix::ext::CrlReason;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn fails(run: &Run, code: i32, words: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{}", run.err);
    assert!(run.err.contains(words), "{}", run.err);
}

fn document(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

const CONFIG: &str = "[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nserial=serial\ncrlnumber=crlnumber\nnew_certs_dir=newcerts\n\
                      certificate=cacert.pem\nprivate_key=private/cakey.pem\ndefault_md=sha256\ndefault_days=90\n\
                      default_crl_days=30\npolicy=any\nunique_subject=no\ncrl_extensions=crl\nx509_extensions=leaf\n\
                      [any]\ncommonName=supplied\n[crl]\nauthorityKeyIdentifier=keyid:always\n\
                      [leaf]\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n";

/// The folder of a CA of `openssl ca` that has issued this many certificates, from serial number 1000.
fn demo_ca(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["newcerts", "private"] {
        fs::create_dir(at.join(name)).unwrap();
    }
    for (file, text) in [("ca.cnf", CONFIG), ("index.txt", ""), ("serial", "1000\n"), ("crlnumber", "29\n")] {
        fs::write(at.join(file), text).unwrap();
    }
    let new = ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "3650"];
    openssl(at, &[&new[..], &["-keyout", "private/cakey.pem", "-out", "cacert.pem", "-subj", "/CN=Old"]].concat());
    let request = ["req", "-new", "-nodes", "-newkey", "ed25519", "-keyout", "leaf.key", "-out", "leaf.csr"];
    openssl(at, &[&request[..], &["-subj", "/CN=leaf"]].concat());
    // One process signs them all.
    let mut sign = vec!["ca", "-batch", "-config", "ca.cnf", "-notext", "-infiles"];
    sign.extend(std::iter::repeat_n("leaf.csr", count));
    openssl(at, &sign);
    folder
}

fn revoke(folder: &Path, serial: &str, more: &[&str]) {
    let file = format!("newcerts/{serial}.pem");
    openssl(folder, &[&["ca", "-config", "ca.cnf", "-revoke", &file][..], more].concat());
}

fn gencrl(folder: &Path) {
    openssl(folder, &["ca", "-config", "ca.cnf", "-gencrl", "-out", "crl.pem"]);
}

fn import(args: &[&str]) -> Run {
    tagwise(&[&["ca", "import", "--no-passphrase", "--json"][..], args].concat())
}

/// The reason for which a certificate is revoked, as the responder sees it; `None` if it is unknown to the CA.
fn reason(store: &mut SqliteStore, authority: &Authority, serial: &Serial) -> Option<Option<CrlReason>> {
    let status = store.status(authority.id(), serial).unwrap()?;
    Some(status.revocation.map(|revocation| revocation.reason))
}

fn open(db: &str) -> (SqliteStore, Authority) {
    let mut store = SqliteStore::open(Path::new(db), &SqliteOptions::DEFAULT).unwrap();
    let authority = Authority::open(&mut store, Authority::LABEL).unwrap();
    (store, authority)
}

/// A history of `openssl ca` with every kind of entry, imported from its folder.
fn openssl_history(count: usize) {
    let folder = demo_ca(count);
    let at = folder.path();
    revoke(at, "1000", &["-crl_compromise", "20260102030405Z"]);
    revoke(at, "1001", &["-crl_hold", "holdInstructionReject"]);
    revoke(at, "1002", &["-crl_reason", "superseded"]);
    revoke(at, "1003", &[]);
    // It expires: `openssl ca -updatedb` marks it.
    let index = fs::read_to_string(at.join("index.txt")).unwrap();
    let lines = index.lines().map(|line| match line.contains("\t1004\t") {
        true => "E\t200102030405Z\t\t1004\tunknown\t/CN=leaf\n".to_owned(),
        false => format!("{line}\n"),
    });
    fs::write(at.join("index.txt"), lines.collect::<String>()).unwrap();
    gencrl(at);
    let db = path(at, "new.db");
    let start = std::time::Instant::now();
    let made = document(&import(&[at.to_str().unwrap(), "--db", &db]));
    println!("{count} certificates imported in {:?}", start.elapsed());
    let numbers = ["imported", "revoked", "on_hold", "numbers_only", "next_crl"].map(|key| made[key].as_u64().unwrap());
    assert_eq!(numbers, [count as u64, 3, 1, 0, 0x2A]);
    // The certificate itself has not expired.
    let differences = made["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1, "{differences:?}");
    assert_eq!((&differences[0]["kind"], &differences[0]["serial"]), (&json!("other-expiry"), &json!("1004")));

    // OCSP recognizes every one.
    let (mut store, authority) = open(&db);
    for number in 0x1000..0x1000 + count {
        let serial: Serial = format!("{number:X}").parse().unwrap();
        let expected = match number {
            0x1000 => Some(CrlReason::KeyCompromise),
            0x1001 => Some(CrlReason::CertificateHold),
            0x1002 => Some(CrlReason::Superseded),
            0x1003 => Some(CrlReason::Unspecified),
            _ => None,
        };
        assert_eq!(reason(&mut store, &authority, &serial), Some(expected), "{serial}");
    }
    drop(store);
    let response = path(at, "response.der");
    assert_eq!(tagwise(&["ca", "ocsp", "--db", &db, "--serial", "1005", "-o", &response]).code, Some(0));
    let ask = ["ocsp", "-issuer", "cacert.pem", "-cert", "newcerts/1005.pem", "-CAfile", "cacert.pem"];
    assert!(openssl(at, &[&ask[..], &["-respin", "response.der"]].concat()).contains("1005.pem: good"));

    // The next CRL has the same entries, and the next number.
    let entries = |crl: &str| {
        let text = openssl(at, &["crl", "-in", crl, "-noout", "-text"]);
        let from = text.find("Revoked Certificates:").unwrap();
        let to = text[from..].find("    Signature Algorithm").map_or(text.len(), |end| from + end);
        text[from..to].to_owned()
    };
    let run = tagwise(&["ca", "crl", "--db", &db, "-o", &path(at, "next.crl")]);
    assert!(run.err.starts_with("CRL 42: 4 revoked"), "{}", run.err);
    // The instruction of a hold is obsolete (RFC 5280 §5.3.1 has none), and not kept.
    let without = |text: String| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if let Some(place) = lines.iter().position(|line| line.contains("Hold Instruction")) {
            lines.drain(place..place + 2);
        }
        lines
    };
    assert_eq!(without(entries("next.crl")), without(entries("crl.pem")));
    let audit = tagwise(&["ca", "audit", "--db", &db]);
    assert_eq!(audit.code, Some(0), "{}", audit.err);
    // A second import into the database is refused.
    fails(&import(&[at.to_str().unwrap(), "--db", &db]), 1, "the database already has a CA");
}

#[test]
fn a_history_of_openssl() {
    if has_openssl() {
        openssl_history(300);
    }
}

/// An old CA, whose certificates and CRL are signed with SHA-1, and which signs with SHA-256 from now on.
#[test]
fn a_history_with_sha1() {
    if !has_openssl() {
        return;
    }
    let folder = demo_ca(2);
    let at = folder.path();
    let new = ["req", "-x509", "-nodes", "-newkey", "rsa:2048", "-sha1", "-days", "3650", "-subj", "/CN=Old"];
    openssl(at, &[&new[..], &["-keyout", "private/cakey.pem", "-out", "cacert.pem"]].concat());
    fs::write(at.join("ca.cnf"), CONFIG.replace("default_md=sha256", "default_md=sha1")).unwrap();
    fs::remove_dir_all(at.join("newcerts")).unwrap();
    fs::create_dir(at.join("newcerts")).unwrap();
    fs::write(at.join("index.txt"), "").unwrap();
    openssl(at, &["ca", "-batch", "-config", "ca.cnf", "-notext", "-infiles", "leaf.csr", "leaf.csr"]);
    revoke(at, "1002", &[]);
    gencrl(at);
    assert!(openssl(at, &["crl", "-in", "crl.pem", "-noout", "-text"]).contains("sha1WithRSAEncryption"));
    let db = path(at, "new.db");
    let made = document(&import(&[at.to_str().unwrap(), "--db", &db]));
    assert_eq!((&made["imported"], &made["revoked"], &made["differences"]), (&json!(2), &json!(1), &json!([])));
    let audit = tagwise(&["ca", "audit", "--db", &db]);
    assert_eq!(audit.code, Some(0), "{}", audit.err);
    assert_eq!(tagwise(&["ca", "crl", "--db", &db, "-o", &path(at, "next.crl")]).code, Some(0));
    assert!(openssl(at, &["crl", "-in", "next.crl", "-noout", "-text"]).contains("sha256WithRSAEncryption"));
}

/// Ten thousand certificates. `TAGWISE_ALL=1` includes it.
#[test]
fn a_large_history_of_openssl() {
    if std::env::var_os("TAGWISE_ALL").is_some() && has_openssl() {
        openssl_history(10_000);
    }
}

#[test]
fn differences_are_listed_or_refused() {
    if !has_openssl() {
        return;
    }
    let folder = demo_ca(4);
    let at = folder.path();
    let source = at.to_str().unwrap();
    revoke(at, "1000", &[]);
    let db = path(at, "new.db");
    // No CRL was issued after the revocation, and then one that is outdated.
    let run = import(&[source, "--db", &db]);
    let made = document(&run);
    assert_eq!((&made["revoked"], &made["next_crl"]), (&json!(1), &json!(0x29)));
    fs::remove_file(&db).unwrap();
    gencrl(at);
    revoke(at, "1001", &[]);
    fails(&import(&[source, "--db", &db]), 1, "is older than the CA's records, which revoke 1001 (");
    // OpenSSL counted a CRL that is not this one.
    fs::copy(at.join("crl.pem"), at.join("old.crl")).unwrap();
    gencrl(at);
    let old = ["--last-crl", &path(at, "old.crl")];
    fails(&import(&[&[source, "--db", &db][..], &old].concat()), 1, "the CRL has the number 41, but");
    assert!(!Path::new(&db).exists());

    // One certificate is lost, one is not in the index, and one is somebody else's.
    fs::remove_file(at.join("newcerts/1002.pem")).unwrap();
    let index = fs::read_to_string(at.join("index.txt")).unwrap();
    let lines: String =
        index.lines().filter(|line| !line.contains("\t1003\t")).map(|line| format!("{line}\n")).collect();
    fs::write(at.join("index.txt"), lines).unwrap();
    let other = ["req", "-x509", "-nodes", "-newkey", "ed25519", "-keyout", "o.key", "-out", "newcerts/o.pem"];
    openssl(at, &[&other[..], &["-subj", "/CN=other"]].concat());
    let refused = import(&[source, "--db", &db, "--all-or-nothing"]);
    fails(&refused, 1, "not imported, because of --all-or-nothing");
    assert!(!Path::new(&db).exists());
    let made = document(&import(&[source, "--db", &db]));
    let kinds: Vec<(&str, Option<&str>)> = made["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one.get("serial").and_then(Value::as_str)))
        .collect();
    assert_eq!(kinds, [("not-imported", None), ("not-in-index", Some("1003")), ("no-certificate", Some("1002"))]);
    let (mut store, authority) = open(&db);
    for (serial, expected) in [("1000", true), ("1001", true), ("1002", false), ("1003", false)] {
        let found = reason(&mut store, &authority, &serial.parse().unwrap());
        assert_eq!(found.map(|reason| reason.is_some()), Some(expected), "{serial}");
    }
}

/// A damaged index could hide revocations.
#[test]
fn an_incomplete_index_is_refused() {
    if !has_openssl() {
        return;
    }
    let folder = demo_ca(2);
    let at = folder.path();
    revoke(at, "1001", &[]);
    let (source, db, index) = (at.to_str().unwrap(), path(at, "new.db"), at.join("index.txt"));
    let whole = fs::read_to_string(&index).unwrap();
    let first = whole.find('\n').unwrap() + 1;
    // R, the expiry and the revocation, but no serial number.
    let cut = format!("{}\n", &whole[..first + 29]);
    for (text, words) in [
        (&whole[..whole.len() - 1], "line 2 of the index: it has no line feed"),
        (&whole[..whole.len() - 12], "line 2 of the index: it has no line feed"),
        (cut.as_str(), "line 2 of the index: it has 3 fields"),
        (&whole[..first], "no CRL shows whether it is revoked: 1001 ("),
    ] {
        fs::write(&index, text).unwrap();
        fails(&import(&[source, "--db", &db]), 1, words);
        assert!(!Path::new(&db).exists());
    }
    fs::write(&index, [whole.as_bytes(), b"V\t\xFF\n"].concat()).unwrap();
    fails(&import(&[source, "--db", &db]), 1, "line 3 of the index: not UTF-8, at byte ");
    fs::write(&index, &whole[..first]).unwrap();
    let made = document(&import(&[source, "--db", &db, "--allow-unlisted"]));
    assert_eq!((&made["revoked"], &made["differences"][0]["kind"]), (&json!(0), &json!("not-in-index")));
    // A CRL revokes the certificate.
    fs::remove_file(&db).unwrap();
    fs::write(&index, &whole).unwrap();
    gencrl(at);
    fs::write(&index, &whole[..first]).unwrap();
    let made = document(&import(&[source, "--db", &db]));
    assert_eq!(made["revoked"], json!(1));
}

/// A folder of certificates and CRLs, as EJBCA and Dogtag export them.
#[test]
fn folders_of_certificates_and_crls() {
    if !has_openssl() {
        return;
    }
    let folder = demo_ca(5);
    let at = folder.path();
    let export = at.join("export");
    fs::create_dir(&export).unwrap();
    gencrl(at);
    fs::copy(at.join("crl.pem"), export.join("first.crl")).unwrap();
    revoke(at, "1002", &["-crl_reason", "cessationOfOperation"]);
    gencrl(at);
    fs::copy(at.join("crl.pem"), export.join("second.crl")).unwrap();
    for number in 0x1000..0x1005 {
        let (from, to) = (format!("newcerts/{number:X}.pem"), export.join(format!("{number:X}.der")));
        openssl(at, &["x509", "-in", &from, "-outform", "DER", "-out", to.to_str().unwrap()]);
    }
    let (key, certificate) = (path(at, "private/cakey.pem"), path(at, "cacert.pem"));
    let (db, certs) = (path(at, "new.db"), export.to_str().unwrap());
    let args = ["--key", &key, "--certificate", &certificate, "--certs", certs, "--db", &db];
    let first = ["--last-crl", &path(&export, "first.crl")];
    fails(&import(&[&args[..], &first].concat()), 1, "first.crl is not the last CRL: ");
    let made = document(&import(&args));
    let numbers = ["imported", "revoked", "numbers_only", "next_crl"].map(|key| made[key].as_u64().unwrap());
    assert_eq!(numbers, [5, 1, 0, 43]);
    let (mut store, authority) = open(&db);
    let found = reason(&mut store, &authority, &"1002".parse().unwrap());
    assert_eq!(found, Some(Some(CrlReason::CessationOfOperation)));
    // Without any record of revocations, the command asks.
    fs::remove_file(export.join("first.crl")).unwrap();
    fs::remove_file(export.join("second.crl")).unwrap();
    fs::remove_file(&db).unwrap();
    fails(&import(&args), 2, "the CA may have revoked certificates");
    assert_eq!(document(&import(&[&args[..], &["--no-history"]].concat()))["imported"], 5);
}

/// The records of step-ca, as step-badger prints them.
#[test]
fn records_of_step_ca() {
    if !has_openssl() {
        return;
    }
    let folder = demo_ca(3);
    let at = folder.path();
    let record = |number: u32, revoked: &str, code: u8| {
        let pem = fs::read(at.join(format!("newcerts/{number}.pem"))).unwrap();
        let der = tagwise_codec::pem::blocks(&pem).next().unwrap().unwrap().decode().unwrap();
        let certificate = json!({"Raw": base64::encode(&der), "Version": 3});
        json!({"Certificate": certificate, "Revocation": {"ProvisionerID": "", "ReasonCode": code, "RevokedAt": revoked}})
    };
    let never = "0001-01-01T00:00:00Z";
    let list = json!([record(1000, never, 0), record(1001, "2026-11-20T10:00:00.5Z", 1), record(1002, never, 0)]);
    let records = path(at, "certs.json");
    fs::write(&records, list.to_string()).unwrap();
    let (key, certificate, db) = (path(at, "private/cakey.pem"), path(at, "cacert.pem"), path(at, "new.db"));
    let args = ["--key", &key, "--certificate", &certificate, "--step-records", &records, "--db", &db];
    let made = document(&import(&[&args[..], &["--last-crl-number", "9"]].concat()));
    let numbers = ["imported", "revoked", "numbers_only", "next_crl"].map(|key| made[key].as_u64().unwrap());
    assert_eq!((numbers, &made["differences"]), ([3, 1, 0, 10], &json!([])));
    let (mut store, authority) = open(&db);
    let found = ["1000", "1001", "1002"].map(|serial| reason(&mut store, &authority, &serial.parse().unwrap()));
    assert_eq!(found, [Some(None), Some(Some(CrlReason::KeyCompromise)), Some(None)]);
}

/// An export that failed does not become a CA that has revoked nothing.
#[test]
fn sources_without_records_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (key, certificate, old, db) = (path(at, "ca.key"), path(at, "ca.pem"), path(at, "old.db"), path(at, "new.db"));
    let init = ["ca", "init", "--db", &old, "--subject", "CN=Old", "--no-passphrase", "-o", &certificate];
    assert_eq!(tagwise(&init).code, Some(0));
    assert_eq!(tagwise(&["ca", "export", "--db", &old, "--key", "-o", &key]).code, Some(0));
    let base = ["--key", &key, "--certificate", &certificate, "--no-crl", "--db", &db];
    let refused = |args: &[&str], words: &str| {
        fails(&import(&[&base[..], args].concat()), 1, words);
        assert!(!Path::new(&db).exists());
    };
    let records = path(at, "records");
    for (text, words) in [
        ("", "records: empty, expected JSON"),
        ("\n", "records: empty, expected JSON"),
        ("[]", "pass --no-history"),
        ("nkey,nvalue\n", "pass --no-history"),
    ] {
        fs::write(&records, text).unwrap();
        refused(&["--step-records", &records], words);
    }
    let index = path(at, "index.txt");
    fs::write(&index, "").unwrap();
    refused(&["--index", &index], "pass --no-history");
    refused(&["--index", &index, "--step-records", &records], "pass --no-history");
    // A certificate alone does not tell whether it is revoked.
    refused(&["--index", &index, "--certs", &certificate], "pass --no-history");
    let init = ["ca", "init", "--db", &db, "--key", &key, "--certificate", &certificate, "--no-passphrase"];
    fails(&tagwise(&[&init[..], &["--index", &index]].concat()), 1, "pass --no-history");
    assert!(!Path::new(&db).exists());
    // The CA's last CRL tells it, and so does its operator.
    let last = path(at, "last.crl");
    assert_eq!(tagwise(&["ca", "crl", "--db", &old, "-o", &last]).code, Some(0));
    let given = ["--key", &key, "--certificate", &certificate, "--index", &index, "--last-crl", &last, "--db", &db];
    assert_eq!(document(&import(&given))["next_crl"], 2);
    fs::remove_file(&db).unwrap();
    assert_eq!(document(&import(&[&base[..], &["--no-history"]].concat()))["imported"], 0);
}

fn easy_rsa() -> Option<PathBuf> {
    let found = Path::new("/usr/share/easy-rsa/easyrsa");
    if !found.exists() {
        tagwise_testing::skip("no easy-rsa in /usr/share/easy-rsa");
        return None;
    }
    Some(found.to_owned())
}

/// A history that the scripts of easy-rsa wrote.
#[test]
fn a_history_of_easy_rsa() {
    let (Some(program), true) = (easy_rsa(), has_openssl()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = |args: &[&str]| {
        let mut command = Command::new(&program);
        command.current_dir(at).env("EASYRSA_BATCH", "1").env("EASYRSA_ALGO", "ec");
        if args.first() == Some(&"build-ca") {
            command.env("EASYRSA_REQ_CN", "Easy CA");
        }
        let output = command.args(args).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success(), "{args:?}: {said}");
    };
    run(&["init-pki"]);
    run(&["build-ca", "nopass"]);
    for name in ["one", "two", "three"] {
        run(&["build-client-full", name, "nopass"]);
    }
    run(&["build-server-full", "www.example.org", "nopass"]);
    run(&["revoke", "two", "keyCompromise"]);
    run(&["gen-crl"]);
    let pki = path(at, "pki");
    let db = path(at, "new.db");
    let made = document(&import(&[&pki, "--db", &db]));
    let numbers = ["imported", "revoked", "numbers_only"].map(|key| made[key].as_u64().unwrap());
    assert_eq!((numbers, &made["differences"]), ([4, 1, 0], &json!([])), "{made}");
    assert_eq!(made["subject"], "CN=Easy CA");
    let listed = tagwise(&["ca", "list", "--db", &db]);
    for name in ["CN=one", "CN=three", "CN=www.example.org"] {
        assert!(listed.out.lines().any(|line| line.contains("valid") && line.ends_with(name)), "{}", listed.out);
    }
    assert!(listed.out.contains("CN=two  (keyCompromise)"), "{}", listed.out);
    let crl = path(at, "next.crl");
    assert_eq!(tagwise(&["ca", "crl", "--db", &db, "-o", &crl]).code, Some(0));
    let check = |name: &str| {
        let certificate = format!("pki/issued/{name}.crt");
        let certificate = match Path::new(&at.join(&certificate)).exists() {
            true => certificate,
            false => format!("pki/{}", revoked_file(&at.join("pki"))),
        };
        openssl_try(at, &["verify", "-crl_check", "-CRLfile", "next.crl", "-CAfile", "pki/ca.crt", &certificate])
    };
    assert!(check("one").0, "{}", check("one").1);
    assert!(check("two").1.contains("certificate revoked"), "{}", check("two").1);
}

/// Ten thousand certificates of an easy-rsa CA. `TAGWISE_ALL=1` includes it.
///
/// easy-rsa starts several processes for each certificate, so it makes the CA and one certificate, and `openssl ca`, which it runs
/// itself, makes the others in its folder.
#[test]
fn a_large_history_of_easy_rsa() {
    let program = Path::new("/usr/share/easy-rsa/easyrsa");
    if std::env::var_os("TAGWISE_ALL").is_none() || !has_openssl() || !program.exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = |args: &[&str]| {
        let mut command = Command::new(program);
        command.current_dir(at).env("EASYRSA_BATCH", "1").env("EASYRSA_ALGO", "ec");
        if args.first() == Some(&"build-ca") {
            command.env("EASYRSA_REQ_CN", "Easy CA");
        }
        let output = command.args(args).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["init-pki"]);
    run(&["build-ca", "nopass"]);
    let start = std::time::Instant::now();
    run(&["build-client-full", "one", "nopass"]);
    println!("easy-rsa took {:?} for one certificate", start.elapsed());
    let names = [
        ("database=index.txt", "database=pki/index.txt"),
        ("serial=serial", "serial=pki/serial"),
        ("crlnumber=crlnumber", "crlnumber=pki/crlnumber"),
        ("new_certs_dir=newcerts", "new_certs_dir=pki/certs_by_serial"),
        ("certificate=cacert.pem", "certificate=pki/ca.crt"),
        ("private_key=private/cakey.pem", "private_key=pki/private/ca.key"),
    ];
    let config = names.iter().fold(CONFIG.to_owned(), |config, (from, to)| config.replace(from, to));
    fs::write(at.join("ca.cnf"), config).unwrap();
    // Random serial numbers as easy-rsa's would take a process for each.
    fs::write(at.join("pki/serial"), "1000\n").unwrap();
    fs::write(at.join("pki/crlnumber"), "01\n").unwrap();
    let request = ["req", "-new", "-nodes", "-newkey", "ed25519", "-keyout", "leaf.key", "-out", "leaf.csr"];
    openssl(at, &[&request[..], &["-subj", "/CN=leaf"]].concat());
    let mut sign = vec!["ca", "-batch", "-config", "ca.cnf", "-notext", "-infiles"];
    sign.extend(std::iter::repeat_n("leaf.csr", 9_999));
    openssl(at, &sign);
    openssl(at, &["ca", "-config", "ca.cnf", "-revoke", "pki/certs_by_serial/1001.pem", "-crl_reason", "superseded"]);
    openssl(at, &["ca", "-config", "ca.cnf", "-gencrl", "-out", "pki/crl.pem"]);
    let db = path(at, "new.db");
    let start = std::time::Instant::now();
    let made = document(&import(&[&path(at, "pki"), "--db", &db]));
    println!("10,000 certificates imported in {:?}", start.elapsed());
    let numbers = ["imported", "revoked", "numbers_only"].map(|key| made[key].as_u64().unwrap());
    assert_eq!((numbers, &made["differences"]), ([10_000, 1, 0], &json!([])), "{made}");
}

/// The place where easy-rsa moved the revoked certificate.
fn revoked_file(pki: &Path) -> String {
    let folder = pki.join("revoked/certs_by_serial");
    let file = fs::read_dir(folder).unwrap().next().unwrap().unwrap().file_name().into_string().unwrap();
    format!("revoked/certs_by_serial/{file}")
}
