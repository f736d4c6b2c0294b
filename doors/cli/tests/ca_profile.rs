//! Profiles: what a certificate contains, and which requests a profile refuses.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

use common::openssl::{has_openssl, openssl};
use common::{Run, tagwise};

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn good(args: &[&str]) -> Run {
    let run = tagwise(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    run
}

fn fails(run: &Run, code: i32, words: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{}", run.err);
    assert!(run.err.contains(words), "{}", run.err);
}

/// A CA, and a public key of each kind.
struct Ca {
    folder: tempfile::TempDir,
    db: String,
}

impl Ca {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = path(folder.path(), "ca.db");
        good(&[
            "ca",
            "init",
            "--db",
            &db,
            "--subject",
            "CN=Root",
            "--no-passphrase",
            "-o",
            &path(folder.path(), "root.pem"),
        ]);
        for kind in ["ecdsa-p256", "rsa2048", "ed25519"] {
            let (key, public) = (path(folder.path(), kind), path(folder.path(), &format!("{kind}.pub")));
            good(&["key", "new", kind, "--no-passphrase", "-o", &key, "--public", &public]);
        }
        Self { folder, db }
    }

    fn path(&self, name: &str) -> String {
        path(self.folder.path(), name)
    }

    fn issue(&self, key: &str, profile: &str, more: &[&str]) -> Run {
        let (public, out) = (self.path(&format!("{key}.pub")), self.path("out.pem"));
        let issue = ["ca", "issue", "--db", &self.db, "--public-key", &public, "--profile", profile, "-o", &out];
        tagwise(&[&issue[..], more].concat())
    }

    /// The extensions of the last certificate, as OpenSSL prints them.
    fn text(&self) -> String {
        openssl(self.folder.path(), &["x509", "-in", "out.pem", "-noout", "-text"])
    }
}

#[test]
fn built_in_profiles_have_their_usages() {
    if !has_openssl() {
        return;
    }
    let ca = Ca::new();
    let dns: &[&str] = &["--dns", "www.example.org"];
    let person: &[&str] = &["--subject", "CN=Eva", "--email", "eva@example.org"];
    let nobody: &[&str] = &["--subject", "CN=x"];
    for (profile, names, usage, purposes) in [
        ("server", dns, "Digital Signature, Key Encipherment", "TLS Web Server Authentication"),
        ("client", person, "Digital Signature", "TLS Web Client Authentication"),
        (
            "server+client",
            dns,
            "Digital Signature, Key Encipherment",
            "TLS Web Server Authentication, TLS Web Client Authentication",
        ),
        ("email", person, "Digital Signature, Key Encipherment", "E-mail Protection"),
        ("code-signing", nobody, "Digital Signature", "Code Signing"),
        ("time-stamping", nobody, "Digital Signature, Non Repudiation", "Time Stamping"),
        ("ipsec", dns, "Digital Signature, Non Repudiation", "ipsec Internet Key Exchange"),
        ("ocsp", nobody, "Digital Signature", "OCSP Signing"),
    ] {
        let run = ca.issue("rsa2048", profile, names);
        assert_eq!(run.code, Some(0), "{profile}: {}", run.err);
        let text = ca.text();
        let after = |title: &str| {
            let mut lines = text.lines().skip_while(|line| !line.trim().starts_with(title));
            (lines.next().unwrap_or_default().trim().to_owned(), lines.next().unwrap_or_default().trim().to_owned())
        };
        assert_eq!(after("X509v3 Key Usage").1, usage, "{profile}");
        let (title, found) = after("X509v3 Extended Key Usage");
        assert_eq!(found, purposes, "{profile}");
        // RFC 3161 §2.3.
        assert_eq!(title.ends_with("critical"), profile == "time-stamping", "{profile}");
    }
    let run = ca.issue("ecdsa-p256", "smartcard-logon", &["--upn", "eva@corp.example", "--subject", "CN=Eva"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let text = ca.text();
    assert!(text.contains("Microsoft Smartcard Login"), "{text}");
    assert!(text.contains("othername: UPN::eva@corp.example") || text.contains("othername:"), "{text}");
    // An elliptic curve key does not encipher keys (RFC 5480 §3).
    assert!(text.contains("Digital Signature\n"), "{text}");
    let shown = good(&["get", "tbsCertificate.extensions[subjectAltName]", &ca.path("out.pem")]).out;
    assert!(shown.contains("eva@corp.example"), "{shown}");
    good(&["ca", "audit", "--db", &ca.db]);
}

#[test]
fn a_common_name_must_be_one_of_the_names() {
    let ca = Ca::new();
    let stray = ["--dns", "www.example.org", "--subject", "CN=other.example.org"];
    for profile in ["server", "server+client"] {
        fails(
            &ca.issue("ed25519", profile, &stray),
            1,
            "the common name other.example.org is not one of the alternative names",
        );
        assert_eq!(
            ca.issue("ed25519", profile, &["--dns", "www.example.org", "--subject", "CN=WWW.example.org"]).code,
            Some(0)
        );
        fails(
            &ca.issue("ed25519", profile, &["--dns", "192.0.2.1"]),
            2,
            "it is an IP address, which belongs in an iPAddress",
        );
        fails(
            &ca.issue("ed25519", profile, &["--email", "a@example.org"]),
            1,
            "requires an alternative name: dns or ip",
        );
    }
    assert_eq!(ca.issue("ed25519", "client", &stray).code, Some(0));
    fails(&ca.issue("ed25519", "smartcard-logon", &["--dns", "a.example"]), 1, "does not allow the name DNS:a.example");
    fails(&ca.issue("ed25519", "robot", &[]), 2, "unknown profile `robot`, expected server, client, ");
}

const VPN: &str = r#"
name = "vpn"
description = "A VPN gateway"
key-usage = ["digitalSignature", "keyEncipherment"]
extended-key-usage = ["serverAuth", "1.3.6.1.5.5.7.3.17"]
policies = ["1.2.3.4", {id = "1.2.3.5", cps = "https://ca.example.org/cps"}]
names = ["dns", "ip"]
required-names = ["dns"]
subject = "CN={dns},O=Example\\, Inc."
alternative-names = ["dns:vpn.{O}.example"]
extensions = ["1.3.6.1.5.5.7.1.24"]
keys = ["ecdsa-p256", "rsa>=3072"]
days = 10
backdate-minutes = 60
"#;

/// The parser's message shows the place on lines of their own.
#[test]
fn the_place_of_an_error_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let profile = path(folder.path(), "p.toml");
    fs::write(&profile, "nonsense = true\n").unwrap();
    let run = tagwise(&["ca", "profile", "check", &profile]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("\n1 | nonsense = true\n") && !run.err.contains("\\u{a}"), "{}", run.err);
}

#[test]
fn a_profile_of_ones_own() {
    if !has_openssl() {
        return;
    }
    let ca = Ca::new();
    let at = ca.folder.path();
    let vpn = ca.path("vpn.toml");
    fs::write(&vpn, VPN).unwrap();
    let run = good(&["ca", "profile", "check", &vpn]);
    assert!(run.out.ends_with("profile vpn: good\n"), "{}", run.out);
    // RFC 7633: status_request, and an extension that the profile does not allow.
    let request = ["req", "-new", "-key", "ecdsa-p256", "-subj", "/O=acme/CN=Old name", "-out", "vpn.csr"];
    let more = [
        "-addext",
        "subjectAltName=DNS:gw.example.org",
        "-addext",
        "tlsfeature=status_request",
        "-addext",
        "nsComment=hello",
    ];
    openssl(at, &[&request[..], &more].concat());
    let (csr, out) = (ca.path("vpn.csr"), ca.path("out.pem"));
    let run = good(&["ca", "issue", "--db", &ca.db, &csr, "--profile", &vpn, "-o", &out]);
    // Everything that was requested and is not in the certificate.
    for left in ["subject ", "extension nsComment: the profile has no such value"] {
        assert!(
            run.err.lines().any(|line| line.contains("omitted from the certificate: ") && line.contains(left)),
            "{}",
            run.err
        );
    }
    assert!(!run.err.to_lowercase().contains("tlsfeature"), "{}", run.err);
    let text = ca.text();
    for words in [
        "O = \"Example, Inc.\", CN = gw.example.org",
        "DNS:gw.example.org, DNS:vpn.acme.example",
        "Policy: 1.2.3.4",
        "CPS: https://ca.example.org/cps",
        "status_request",
        "ipsec Internet Key Exchange",
    ] {
        assert!(
            text.contains(words)
                || text
                    .replace(
                        "Subject: CN = gw.example.org, O = \"Example, Inc.\"",
                        "O = \"Example, Inc.\", CN = gw.example.org"
                    )
                    .contains(words),
            "{words}: {text}"
        );
    }
    let listed = good(&["ca", "list", "--db", &ca.db]).out;
    assert!(listed.lines().any(|line| line.contains("  vpn ")), "{listed}");
    fails(&ca.issue("rsa2048", &vpn, &["--dns", "a.example", "--subject", "O=x"]), 1, "does not accept rsa2048 keys");
    fails(
        &ca.issue("ecdsa-p256", &vpn, &["--ip", "192.0.2.1", "--subject", "O=x"]),
        1,
        "the request has no dns for the template",
    );
    fs::write(&vpn, VPN.replace("days = 10", "days = 0")).unwrap();
    let run = tagwise(&["ca", "profile", "check", &vpn]);
    fails(&run, 1, "vpn.toml: days: 0 is out of range");
    fails(&tagwise(&["ca", "profile", "check", &ca.path("none.toml")]), 3, "cannot be read");
}

#[test]
fn a_constrained_ca() {
    if !has_openssl() {
        return;
    }
    let ca = Ca::new();
    let file = ca.path("sub.toml");
    let text = "name = 'sub'\nca = true\npath-length = 0\ndays = 30\n[name-constraints]\npermitted-dns = ['example.org']\n\
                permitted-ip = ['10.0.0.0/8']\nexcluded-dns = ['secret.example.org']\n";
    fs::write(&file, text).unwrap();
    let run = ca.issue("ecdsa-p256", &file, &["--subject", "CN=Sub"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let text = ca.text();
    for words in [
        "X509v3 Name Constraints: critical",
        "DNS:example.org",
        "IP:10.0.0.0/255.0.0.0",
        "DNS:secret.example.org",
        "CA:TRUE, pathlen:0",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn built_in_profiles_are_printed_and_match_the_schema() {
    let schema: serde_json::Value = serde_json::from_str(&good(&["ca", "profile", "schema"]).out).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let listed = good(&["ca", "profile", "list"]).out;
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<&str> = listed.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(names.len(), 10);
    for name in names {
        let text = good(&["ca", "profile", "show", name]).out;
        let file = path(folder.path(), "it.toml");
        fs::write(&file, &text).unwrap();
        good(&["ca", "profile", "check", &file]);
        let keys = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "));
        for (key, _) in keys {
            assert!(properties.contains_key(key), "{name}: {key}");
        }
    }
}
