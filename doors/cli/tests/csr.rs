//! `csr`, `cert self-signed` and `match`, with OpenSSL and certtool as witnesses.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;

use common::openssl::{has_openssl, openssl};
use common::{Run, tagwise};
use serde_json::Value;

/// Runs the command; words with `@` in front are files of the folder.
fn run(folder: &Path, line: &str) -> Run {
    let words: Vec<String> = line
        .split(' ')
        .map(|word| match word.strip_prefix('@') {
            Some(name) => folder.join(name).to_str().unwrap().to_owned(),
            None => word.replace('_', " "),
        })
        .collect();
    tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The same, which must succeed.
fn good(folder: &Path, line: &str) -> String {
    let run = run(folder, line);
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    run.out
}

/// A folder with a key, and a CA.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    good(at, "key new ecdsa-p256 --no-passphrase -o @a.key");
    good(at, "cert self-signed --ca --subject CN=Test_CA --key-out @ca.key -o @ca.pem");
    folder
}

#[test]
fn names_and_usages() {
    let folder = folder();
    let at = folder.path();
    let made = run(
        at,
        "csr new --key @a.key --subject CN=www.example.org,O=Example --dns www.example.org,example.org --ip 192.0.2.7 --email eva@example.org --uri https://example.org/ --key-usage digitalSignature --ext-key-usage serverAuth,1.3.6.1.5.5.7.3.2 --must-staple --extension critical,2.999.1=0500 -o @a.csr",
    );
    assert_eq!((made.code, &*made.err), (Some(0), ""));
    assert_eq!(good(at, "get subject @a.csr"), "CN=www.example.org,O=Example\n");
    assert_eq!(
        good(at, "get san @a.csr"),
        "DNS:www.example.org\nDNS:example.org\nIP:192.0.2.7\nemail:eva@example.org\nURI:https://example.org/\n"
    );
    assert_eq!(good(at, "get keyusage @a.csr"), "digitalSignature\n");
    assert_eq!(good(at, "get eku @a.csr"), "serverAuth\nclientAuth\n");
    assert_eq!(good(at, "get extensions @a.csr"), "subjectAltName\nkeyUsage\nextKeyUsage\nid-pe-tlsfeature\n2.999.1\n");
    if has_openssl() {
        let text = openssl(at, &["req", "-in", "a.csr", "-noout", "-text", "-verify"]);
        assert!(text.contains("verify OK"), "{text}");
        assert!(text.contains("DNS:www.example.org, DNS:example.org, IP Address:192.0.2.7"), "{text}");
        assert!(text.contains("status_request") && text.contains("TLS Web Client Authentication"), "{text}");
    }
}

#[test]
fn a_name_is_required() {
    let folder = folder();
    let run = run(folder.path(), "csr new --key @a.key");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("a request needs a name: give --subject"), "{}", run.err);
}

#[test]
fn an_address_is_not_a_host_name() {
    let folder = folder();
    let run = run(folder.path(), "csr new --key @a.key --dns 192.0.2.7");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("it is an IP address"), "{}", run.err);
}

/// Names that a CA would refuse are not requested. The error contains the name.
#[test]
fn names_that_a_ca_would_refuse() {
    let folder = folder();
    for (line, words) in [
        ("csr new --key @a.key --subject C=Germany", "countryName is `Germany`, expected two letters"),
        ("csr new --key @a.key --subject C=1", "countryName is `1`, expected two letters"),
        ("csr new --key @a.key --dns a.example --uri http://x/", "URI:http://x/: an alternative name is malformed"),
        ("ca init --db @new.db --no-passphrase --subject C=Germany,CN=x", "countryName is `Germany`, expected two"),
    ] {
        let run = run(folder.path(), line);
        assert_eq!((run.code, run.out.as_str(), run.err.matches(words).count()), (Some(1), "", 1), "{}", run.err);
    }
    good(folder.path(), "csr new --key @a.key --subject C=DE,CN=x");
}

#[test]
fn unknown_usages_are_listed() {
    let folder = folder();
    let run = run(folder.path(), "csr new --key @a.key --dns a.example --key-usage signing");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("unknown key usage 'signing', expected one of digitalSignature,"), "{}", run.err);
}

/// OpenSSL writes the root first, RFC 4514 last.
#[test]
fn names_in_the_form_of_openssl() {
    let folder = folder();
    let at = folder.path();
    good(at, "csr new --key @a.key --subject /C=DE/O=A,_B/CN=a.example --dns a.example -o @a.csr");
    assert_eq!(good(at, "get subject @a.csr"), "CN=a.example,O=A\\, B,C=DE\n");
    if has_openssl() {
        openssl(at, &["req", "-new", "-key", "a.key", "-subj", "/C=DE/O=A, B/CN=a.example", "-out", "b.csr"]);
        assert_eq!(good(at, "get subject @b.csr"), good(at, "get subject @a.csr"));
    }
}

#[test]
fn a_challenge_password() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("word"), "to be agreed\n").unwrap();
    good(at, "csr new --key @a.key --dns a.example --challenge-password-file @word -o @a.csr");
    let shown = good(at, "show @a.csr");
    assert!(shown.contains("challengePassword") && !shown.contains("agreed"), "{shown}");
    if has_openssl() {
        let text = openssl(at, &["req", "-in", "a.csr", "-noout", "-text"]);
        assert!(text.contains("challengePassword") && text.contains("to be agreed"), "{text}");
    }
    fs::write(at.join("word"), "\n").unwrap();
    let run = run(at, "csr new --key @a.key --dns a.example --challenge-password-file @word");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("must have 1 to 255 characters"), "{}", run.err);
}

#[test]
fn from_a_certificate() {
    let folder = folder();
    let at = folder.path();
    good(at, "csr new --key @a.key --subject CN=a.example --dns a.example -o @a.csr");
    good(at, "csr sign @a.csr --ca @ca.pem --ca-key @ca.key -o @a.pem");
    let made = run(at, "csr new --from @a.pem --key @a.key -o @b.csr");
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(made.err.contains("extensions not copied, because the CA sets them: "), "{}", made.err);
    for field in ["subject", "san", "keyusage", "eku"] {
        let of = |file: &str| good(at, &format!("get {field} @{file}"));
        assert_eq!(of("a.pem"), of("b.csr"), "{field}");
    }
    // An option replaces what the certificate has.
    good(at, "csr new --from @a.pem --key @a.key --dns b.example -o @c.csr");
    assert_eq!(good(at, "get san @c.csr"), "DNS:b.example\n");
    assert_eq!(good(at, "get eku @c.csr"), "serverAuth\n");
    // subjectAltName: DNS:a_b.example, which --dns refuses as well.
    let odd = "--extension 2.5.29.17=300D820B615F622E6578616D706C65";
    good(at, &format!("csr new --key @a.key --subject CN=a.example {odd} -o @odd.csr"));
    let made = run(at, "csr new --from @odd.csr --key @a.key -o @none.csr");
    assert_eq!(made.code, Some(1));
    assert!(made.err.starts_with("tagwise: `a_b.example` is not a DNS name: "), "{}", made.err);
    assert!(!at.join("none.csr").exists());
    good(at, "csr new --from @odd.csr --key @a.key --dns b.example -o @d.csr");
    assert_eq!(good(at, "get san @d.csr"), "DNS:b.example\n");
}

#[test]
fn from_a_file() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("a.toml"), "subject = \"CN=Lab\"\nca = true\npath-len = 0\nip = [\"192.0.2.7\"]\n").unwrap();
    good(at, "csr new --config @a.toml --key @a.key -o @a.csr");
    assert_eq!(good(at, "get keyusage @a.csr"), "keyCertSign\ncRLSign\n");
    assert_eq!(good(at, "get basicConstraints @a.csr"), "CA:true, pathlen:0\n");
    for (text, wrong) in [("subjct = \"CN=x\"\n", "unknown field `subjct`"), ("ip = [\"x\"]\n", "invalid IP address")] {
        fs::write(at.join("a.toml"), text).unwrap();
        let run = run(at, "csr new --config @a.toml --key @a.key");
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains(wrong) && run.err.contains("line 1"), "{}", run.err);
    }
}

#[test]
fn post_quantum_keys() {
    let folder = folder();
    let at = folder.path();
    good(at, "csr new --new-key ml-dsa-65 --key-out @b.key --no-passphrase --dns b.example -o @b.csr");
    assert!(good(at, "csr check @b.csr").contains(": valid, "));
    good(at, "csr sign @b.csr --ca @ca.pem --ca-key @ca.key -o @b.pem");
    assert!(good(at, "match @b.key @b.csr @b.pem").ends_with("the same public key\n"));
    // A key that cannot sign cannot prove its possession.
    let run = run(at, "csr new --new-key ml-kem-768 --key-out @c.key --no-passphrase --dns c.example");
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("RFC 2986 §4.2") && !at.join("c.key").exists(), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn keys_are_private_and_never_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let at = folder.path();
    good(at, "csr new --key-out @n.key --no-passphrase --dns n.example -o @n.csr");
    assert_eq!(fs::metadata(at.join("n.key")).unwrap().permissions().mode() & 0o777, 0o600);
    let before = fs::read(at.join("n.key")).unwrap();
    let run = run(at, "csr new --key-out @n.key --no-passphrase --dns n.example -o @m.csr");
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("n.key: could not be written: it exists already"), "{}", run.err);
    assert!(fs::read(at.join("n.key")).unwrap() == before && !at.join("m.csr").exists());
}

/// A request whose content or signature was changed is not valid.
#[test]
fn damage_is_found() {
    let folder = folder();
    let at = folder.path();
    good(at, "csr new --key @a.key --subject CN=a.example --dns a.example --der -o @a.csr");
    assert_eq!(
        good(at, "csr check @a.csr").split(": ").nth(1).map(|rest| rest.starts_with("valid, CN=a.example, EC P-256")),
        Some(true)
    );
    let mut der = fs::read(at.join("a.csr")).unwrap();
    let place = der.windows(9).position(|part| part == b"a.example").unwrap();
    der[place] = b'b';
    fs::write(at.join("b.csr"), &der).unwrap();
    let run_ = run(at, "csr check @b.csr");
    assert_eq!(run_.code, Some(1));
    assert!(run_.out.contains(": invalid: "), "{}", run_.out);
    assert!(good(at, "show @b.csr").contains("invalid: "));
    let json = run(at, "csr check --json @a.csr @b.csr");
    let read: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json.code, &read["requests"][0]["status"]), (Some(1), &"valid".into()));
    assert_eq!(read["requests"][1]["status"], "invalid");
    let signed = run(at, "csr sign @b.csr --ca @ca.pem --ca-key @ca.key");
    assert_eq!((signed.code, &*signed.out), (Some(1), ""));
}

/// A weak key and a weak digest are not good, and an unknown algorithm is a separate answer.
#[test]
fn weak_and_unknown() {
    if !has_openssl() {
        return;
    }
    let folder = folder();
    let at = folder.path();
    openssl(at, &["genrsa", "-out", "weak.key", "1024"]);
    openssl(at, &["req", "-new", "-key", "weak.key", "-subj", "/CN=weak", "-out", "weak.csr"]);
    let weak = run(at, "csr check @weak.csr");
    assert_eq!(weak.code, Some(1), "{}", weak.out);
    assert!(weak.out.contains("weak: an RSA key of 1024 bits is too weak (SP 800-131A §3)"), "{}", weak.out);
    openssl(at, &["genrsa", "-out", "old.key", "2048"]);
    openssl(at, &["req", "-new", "-sha1", "-key", "old.key", "-subj", "/CN=old", "-out", "old.csr"]);
    let old = run(at, "csr check @old.csr");
    assert_eq!(old.code, Some(1), "{}", old.out);
    assert!(old.out.contains("weak: "), "{}", old.out);
    // An algorithm that nobody has defined: ecdsa-with-SHA512 is 4, and there is no 9.
    good(at, "csr new --key @a.key --subject CN=new --der -o @new.csr");
    let mut der = fs::read(at.join("new.csr")).unwrap();
    let ecdsa = b"\x06\x08\x2A\x86\x48\xCE\x3D\x04\x03\x02";
    let place = der.windows(ecdsa.len()).position(|part| part == ecdsa).unwrap();
    der[place + ecdsa.len() - 1] = 9;
    fs::write(at.join("new.csr"), der).unwrap();
    let unknown = run(at, "csr check @new.csr");
    assert_eq!(unknown.code, Some(4), "{}", unknown.out);
    assert!(unknown.out.contains("not known: "), "{}", unknown.out);
}

#[test]
fn requests_of_openssl_are_signed() {
    if !has_openssl() {
        return;
    }
    let folder = folder();
    let at = folder.path();
    openssl(
        at,
        &[
            "req",
            "-new",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            "o.key",
            "-subj",
            "/CN=o.example",
            "-addext",
            "subjectAltName=DNS:o.example",
            "-out",
            "o.csr",
        ],
    );
    good(at, "csr sign @o.csr --ca @ca.pem --ca-key @ca.key --days 30 --chain -o @o.pem");
    assert!(openssl(at, &["verify", "-CAfile", "ca.pem", "-purpose", "sslserver", "o.pem"]).contains("OK"));
    assert!(good(at, "verify @o.pem --trust @ca.pem --host o.example").contains("valid"));
    assert!(good(at, "match @o.key @o.csr @o.pem").ends_with("the same public key\n"));
    // Two blocks: the certificate and the CA's.
    assert_eq!(fs::read_to_string(at.join("o.pem")).unwrap().matches("BEGIN CERTIFICATE").count(), 2);
    if tagwise_testing::tool("certtool", &["--version"]) {
        let text = std::process::Command::new("certtool")
            .args(["--verify", "--load-ca-certificate", "ca.pem", "--infile", "o.pem"])
            .current_dir(at)
            .output()
            .unwrap();
        assert!(text.status.success(), "{}", String::from_utf8_lossy(&text.stdout));
    }
}

/// The key of another CA, and a certificate that is not a CA's, sign nothing.
#[test]
fn the_ca_must_be_one() {
    let folder = folder();
    let at = folder.path();
    good(at, "csr new --key @a.key --dns a.example -o @a.csr");
    let other = run(at, "csr sign @a.csr --ca @ca.pem --ca-key @a.key");
    assert_eq!((other.code, &*other.out), (Some(1), ""), "{}", other.err);
    good(at, "key new ecdsa-p256 --no-passphrase -o @s.key");
    good(at, "cert self-signed --dns s.example --subject CN=s --key @s.key -o @s.pem");
    let leaf = run(at, "csr sign @a.csr --ca @s.pem --ca-key @s.key");
    assert_eq!((leaf.code, &*leaf.out), (Some(1), ""), "{}", leaf.err);
}

#[test]
fn a_subordinate_ca() {
    let folder = folder();
    let at = folder.path();
    good(at, "csr new --key @a.key --subject CN=Sub --ca --path-len 0 -o @sub.csr");
    good(at, "csr sign @sub.csr --ca @ca.pem --ca-key @ca.key --profile ca -o @sub.pem");
    assert_eq!(good(at, "get basicConstraints @sub.pem"), "CA:true, pathlen:0\n");
    let wrong = run(at, "csr sign @sub.csr --ca @ca.pem --ca-key @ca.key --path-len 0");
    assert_eq!(wrong.code, Some(2));
}

#[test]
fn different_keys_do_not_match() {
    let folder = folder();
    let at = folder.path();
    let run = run(at, "match @a.key @ca.pem");
    assert_eq!(run.code, Some(1));
    assert!(run.out.ends_with("different public keys\n"), "{}", run.out);
    let json = self::run(at, "match --json @ca.key @ca.pem @a.key");
    let read: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json.code, &read["same"]), (Some(1), &false.into()));
    assert_eq!((&read["keys"][1]["same"], &read["keys"][2]["same"]), (&true.into(), &false.into()));
    assert_eq!(self::run(at, "match @a.key").code, Some(2));
}

#[cfg(unix)]
#[test]
fn a_certificate_for_this_host() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let make = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["cert", "self-signed", "--host", "localhost", "--host", "127.0.0.1"]).args(more);
        common::run_of(&command.current_dir(at).output().unwrap())
    };
    let made = make(&[]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert_eq!(fs::metadata(at.join("localhost.key")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(good(at, "get san @localhost.pem"), "DNS:localhost\nIP:127.0.0.1\n");
    assert_eq!(good(at, "get eku @localhost.pem"), "serverAuth\n");
    assert_eq!(good(at, "get keyusage @localhost.pem"), "digitalSignature\n");
    assert_eq!(good(at, "get key-type @localhost.pem"), "EC P-256\n");
    assert_eq!(good(at, "get ca @localhost.pem"), "false\n");
    assert_eq!(good(at, "match @localhost.key @localhost.pem").lines().last(), Some("the same public key"));
    assert!(good(at, "verify @localhost.pem --trust @localhost.pem --host localhost").contains("valid"));
    let shown = good(at, "show @localhost.pem");
    assert!(
        shown.lines().any(|line| line.trim_start().starts_with("self signature ") && line.ends_with("valid")),
        "{shown}"
    );
    assert!(good(at, "lint @localhost.pem").contains("0 errors, 0 warnings"));
    if has_openssl() {
        let said =
            openssl(at, &["verify", "-CAfile", "localhost.pem", "-verify_hostname", "localhost", "localhost.pem"]);
        assert!(said.contains("OK"), "{said}");
    }
    // Nothing is replaced, unless that is forced.
    let key = fs::read(at.join("localhost.key")).unwrap();
    let again = make(&[]);
    assert_eq!(again.code, Some(3));
    assert!(again.err.contains("--force replaces it"), "{}", again.err);
    assert!(fs::read(at.join("localhost.key")).unwrap() == key);
    fs::remove_file(at.join("localhost.pem")).unwrap();
    assert_eq!(make(&[]).code, Some(3));
    assert!(!at.join("localhost.pem").exists() && fs::read(at.join("localhost.key")).unwrap() == key);
    assert_eq!(make(&["--force"]).code, Some(0));
    assert!(fs::read(at.join("localhost.key")).unwrap() != key);
}

/// The signature of a self-signed certificate is verified; one that another CA signed has none of its own.
#[test]
fn show_verifies_self_signed_certificates() {
    let folder = folder();
    let at = folder.path();
    let json = |file: &str| -> Value { serde_json::from_str(&good(at, &format!("show --json @{file}"))).unwrap() };
    let certificate = |document: &Value| document["files"][0]["items"][0]["certificate"].clone();
    assert_eq!(certificate(&json("ca.pem"))["self_signature"]["status"], "valid");
    good(at, "csr new --key @a.key --dns a.example -o @a.csr");
    good(at, "csr sign @a.csr --ca @ca.pem --ca-key @ca.key --der -o @a.der");
    assert_eq!(certificate(&json("a.der")).get("self_signature"), None);
    let request = json("a.csr");
    assert_eq!(request["files"][0]["items"][0]["message"]["self_signature"]["status"], "valid");
    good(at, "convert --to der @ca.pem -o @ca.der");
    let mut der = fs::read(at.join("ca.der")).unwrap();
    // The last byte of the signature's second INTEGER.
    *der.last_mut().unwrap() ^= 1;
    fs::write(at.join("bad.der"), der).unwrap();
    let document = json("bad.der");
    assert_eq!(certificate(&document)["self_signature"]["status"], "invalid");
    assert!(certificate(&document)["self_signature"]["reason"].is_string());
}
