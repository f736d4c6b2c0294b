//! What a CA writes is what the `openssl` command takes, for each kind of key that both know: certificates, CRLs, OCSP responses;
//! and the other way, requests that it makes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::path::Path;

use common::openssl::{has_openssl, openssl, openssl_try};
use common::{Run, tagwise};

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn run(args: &[&str]) -> Run {
    let run = tagwise(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    run
}

/// Kinds of keys, and whether they sign with RSASSA-PSS.
const KINDS: [(&str, bool); 7] = [
    ("ecdsa-p256", false),
    ("ecdsa-p384", false),
    ("ecdsa-p521", false),
    ("ed25519", false),
    ("rsa2048", false),
    ("rsa2048", true),
    ("rsa4096", false),
];

#[test]
fn everything_verifies() {
    if !has_openssl() {
        return;
    }
    for (kind, pss) in KINDS {
        // RSA keys take seconds to make: one will do.
        let other = if kind.starts_with("rsa") { "ed25519" } else { kind };
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let at = |name: &str| path(folder, name);
        let (db, root) = (at("ca.db"), at("root.pem"));
        let init = ["ca", "init", "--db", &db, "--subject", "CN=Wurzel ü,O=Example", "--key-type", kind, "-o", &root];
        run(&[&init[..], &["--no-passphrase"], if pss { &["--pss"] } else { &[] }].concat());

        // A request of OpenSSL's, with names.
        let new =
            ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "leaf.key"];
        let rest = [
            "-subj",
            "/CN=leaf.example.org",
            "-addext",
            "subjectAltName=DNS:leaf.example.org,IP:192.0.2.7",
            "-out",
            "leaf.csr",
        ];
        openssl(folder, &[&new[..], &rest[..]].concat());
        let (csr, leaf) = (at("leaf.csr"), at("leaf.pem"));
        run(&["ca", "issue", "--db", &db, &csr, "-o", &leaf]);
        let verify = ["verify", "-x509_strict", "-CAfile", "root.pem", "-purpose", "sslserver"];
        let said = openssl(folder, &[&verify[..], &["-verify_hostname", "leaf.example.org", "leaf.pem"]].concat());
        assert_eq!(said, "leaf.pem: OK\n", "{kind}");
        openssl(folder, &[&verify[..], &["-verify_ip", "192.0.2.7", "leaf.pem"]].concat());

        // A CA below it, and a client below that.
        let (sub_key, sub_pub, sub, sub_db) = (at("sub.key"), at("sub.pub"), at("sub.pem"), at("sub.db"));
        run(&["key", "new", other, "-o", &sub_key, "--public", &sub_pub, "--no-passphrase"]);
        run(&[
            "ca",
            "issue",
            "--db",
            &db,
            "--public-key",
            &sub_pub,
            "--subject",
            "CN=Sub",
            "--profile",
            "ca",
            "--path-len",
            "0",
            "-o",
            &sub,
        ]);
        let init = ["ca", "init", "--db", &sub_db, "--key", &sub_key, "--certificate", &sub, "--no-passphrase"];
        run(&[&init[..], &["--no-history"]].concat());
        let (client, client_key) = (at("client.pem"), at("client.key"));
        run(&[
            "ca",
            "issue",
            "--db",
            &sub_db,
            "--new-key",
            other,
            "--key-out",
            &client_key,
            "--key-no-passphrase",
            "--subject",
            "CN=Eva",
            "--email",
            "eva@example.org",
            "--profile",
            "client",
            "-o",
            &client,
        ]);
        let chain = ["verify", "-x509_strict", "-CAfile", "root.pem", "-untrusted", "sub.pem"];
        let said = openssl(folder, &[&chain[..], &["-purpose", "sslclient", "client.pem"]].concat());
        assert_eq!(said, "client.pem: OK\n");

        // CRLs: before and after.
        let crl = at("root.crl");
        run(&["ca", "crl", "--db", &db, "-o", &crl]);
        assert!(openssl(folder, &["crl", "-in", "root.crl", "-CAfile", "root.pem", "-noout"]).contains("verify OK"));
        let checked = ["verify", "-crl_check", "-CRLfile", "root.crl", "-CAfile", "root.pem", "leaf.pem"];
        assert_eq!(openssl(folder, &checked), "leaf.pem: OK\n");
        run(&[
            "ca",
            "revoke",
            "--db",
            &db,
            "--certificate",
            &leaf,
            "--reason",
            "key-compromise",
            "--invalid-since",
            "2026-01-02",
        ]);
        run(&["ca", "crl", "--db", &db, "-o", &crl]);
        let said = openssl(folder, &["crl", "-in", "root.crl", "-CAfile", "root.pem", "-noout", "-text"]);
        for words in ["verify OK", "Key Compromise", "Invalidity Date", "X509v3 Authority Key Identifier"] {
            assert!(said.contains(words), "{kind}: {words}: {said}");
        }
        let (good, said) = openssl_try(folder, &checked);
        assert!(!good && said.contains("certificate revoked"), "{kind}: {said}");

        // OCSP, with the CA's key and with one of its own. (Nonces are tried with the server: the command makes a new one here.)
        let names = ["ocsp", "-no_nonce", "-issuer", "root.pem", "-cert", "leaf.pem", "-cert", "sub.pem"];
        openssl(folder, &[&names[..], &["-reqout", "request.der"]].concat());
        let (request, response) = (at("request.der"), at("response.der"));
        run(&["ca", "ocsp", "--db", &db, &request, "-o", &response]);
        let ask = [&names[..], &["-CAfile", "root.pem", "-respin", "response.der"]].concat();
        let said = openssl(folder, &ask);
        for words in ["Response verify OK", "leaf.pem: revoked", "Reason: keyCompromise", "sub.pem: good"] {
            assert!(said.contains(words), "{kind}: {words}: {said}");
        }
        // Each says how it was signed: with PSS all of them, or none.
        for shown in [
            &["x509", "-in", "root.pem", "-noout", "-text"][..],
            &["x509", "-in", "leaf.pem", "-noout", "-text"],
            &["x509", "-in", "sub.pem", "-noout", "-text"],
            &["crl", "-in", "root.crl", "-noout", "-text"],
            &["ocsp", "-respin", "response.der", "-noverify", "-resp_text"],
        ] {
            let said = openssl(folder, shown);
            assert_eq!(said.contains("rsassaPss"), pss, "{kind}: {said}");
            assert_eq!(said.contains("Salt Length: 0x20"), pss, "{kind}: {said}");
        }
        let (key, own) = (at("ocsp.key"), at("ocsp.pem"));
        run(&[
            "ca",
            "issue",
            "--db",
            &db,
            "--new-key",
            other,
            "--key-out",
            &key,
            "--key-no-passphrase",
            "--subject",
            "CN=OCSP",
            "--profile",
            "ocsp",
            "-o",
            &own,
        ]);
        let delegated = ["--responder-key", &key, "--responder-certificate", &own];
        run(&[&["ca", "ocsp", "--db", &db, &request, "-o", &response][..], &delegated].concat());
        let said = openssl(folder, &ask);
        assert!(said.contains("Response verify OK") && said.contains("leaf.pem: revoked"), "{kind}: {said}");
    }
}

/// Whatever a request asks for and does not get is told, with the reason; what it gets is not.
#[test]
fn requested_extensions_that_are_not_granted() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let db = path(folder, "ca.db");
    run(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &path(folder, "root.pem")]);
    let config = "[req]\nprompt=no\ndistinguished_name=dn\nattributes=attributes\n[dn]\nCN=b.example\n\
                  [attributes]\nchallengePassword=secret\nunstructuredName=web 1\n";
    std::fs::write(folder.join("req.cnf"), config).unwrap();
    let new = ["req", "-new", "-nodes", "-newkey", "ed25519", "-keyout", "k", "-out", "leaf.csr", "-config", "req.cnf"];
    let exts =
        ["-addext", "subjectAltName=DNS:a.example,DNS:b.example", "-addext", "keyUsage=critical,digitalSignature"];
    let more = ["-addext", "extendedKeyUsage=serverAuth", "-addext", "tlsfeature=status_request"];
    openssl(folder, &[&new[..], &exts, &more].concat());
    let csr = path(folder, "leaf.csr");
    let told = |run: &Run| -> Vec<String> {
        let told = "tagwise: omitted from the certificate: ";
        run.err.lines().filter_map(|line| line.strip_prefix(told)).map(str::to_owned).collect()
    };
    let issue = ["ca", "issue", "--db", &db, &csr];
    let taken = run(&issue);
    let attribute = "only the attribute extensionRequest is supported";
    let mut left = told(&taken);
    left.sort();
    assert_eq!(
        left,
        [
            &format!("attribute challengePassword: {attribute}"),
            &format!("attribute unstructuredName: {attribute}"),
            "extension tlsFeature: the profile has no such value"
        ]
    );
    let others =
        run(&[&issue[..], &["--dns", "a.example", "--subject", "CN=other", "--profile", "client", "--json"]].concat());
    let left = told(&others);
    for what in [
        "subject CN=b.example: the certificate has a different value",
        "name DNS:b.example: the certificate has different values",
    ] {
        assert!(left.iter().any(|left| left == what), "{left:?}");
    }
    assert!(left.contains(&"extension EKU: the profile sets a different value".to_owned()), "{left:?}");
    assert!(!others.err.contains("a.example") && !others.err.contains("keyUsage:"), "{}", others.err);
    let document: serde_json::Value = serde_json::from_str(&others.out).unwrap();
    assert_eq!(document["not_taken"].as_array().unwrap().len(), left.len());
    assert_eq!(document["not_taken"][0]["kind"], "subject");
    assert_eq!(document["ignored_extensions"], serde_json::json!(["EKU", "tlsFeature"]));
    // One that gets all that it asks for is no matter of words.
    openssl(folder, &[&new[..9], &exts, &["-batch", "-subj", "/CN=a.example"]].concat());
    let taken = run(&[&issue[..], &["--all-or-nothing"]].concat());
    assert!(!taken.err.contains("omitted from the certificate"), "{}", taken.err);
    // A server's common name must be one of its names; another subject can be given.
    let other = ["--dns", "c.example"];
    let refused = tagwise(&[&issue[..], &other].concat());
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("the common name a.example is not one of the alternative names"), "{}", refused.err);
    run(&[&issue[..], &other, &["--subject", "CN=c.example"]].concat());
}

#[test]
fn pss_is_for_new_rsa_keys() {
    let folder = tempfile::tempdir().unwrap();
    let db = path(folder.path(), "ca.db");
    let refused = tagwise(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "--pss"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("--pss requires an RSA key; the key is ecdsa-p256"), "{}", refused.err);
    // How a certificate that there is already was signed is no longer a question.
    let refused = tagwise(&["ca", "init", "--db", &db, "--key", "k", "--certificate", "c", "--pss"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("cannot be used with"), "{}", refused.err);
    assert!(!folder.path().join("ca.db").exists());
}

/// The other way: a request that is signed with each kind of key.
#[test]
fn requests_of_each_kind_are_taken() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let db = path(folder, "ca.db");
    run(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &path(folder, "root.pem")]);
    let kinds: [&[&str]; 5] = [
        &["-newkey", "rsa:2048"],
        &["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
        &["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-521"],
        &["-newkey", "ed25519"],
        &["-newkey", "rsa:2048", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"],
    ];
    for kind in kinds {
        let new = ["req", "-new", "-nodes", "-keyout", "leaf.key", "-subj", "/CN=leaf.example.org", "-out", "leaf.csr"];
        openssl(folder, &[&new[..], kind].concat());
        let (csr, leaf) = (path(folder, "leaf.csr"), path(folder, "leaf.pem"));
        run(&["ca", "issue", "--db", &db, &csr, "--dns", "leaf.example.org", "--profile", "server", "-o", &leaf]);
        assert_eq!(openssl(folder, &["verify", "-CAfile", "root.pem", "leaf.pem"]), "leaf.pem: OK\n");
    }
    // A name that is none, and what is asked for besides.
    let odd = ["-addext", "subjectAltName=DNS:under_score.example", "-addext", "basicConstraints=critical,CA:TRUE"];
    let new =
        ["req", "-new", "-nodes", "-newkey", "ed25519", "-keyout", "k", "-subj", "/CN=good.example", "-out", "odd.csr"];
    openssl(folder, &[&new[..], &odd].concat());
    let issue = ["ca", "issue", "--db", &db, &path(folder, "odd.csr")];
    let refused = tagwise(&issue);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("`under_score.example` is not a DNS name"), "{}", refused.err);
    let strict = tagwise(&[&issue[..], &["--dns", "good.example", "--all-or-nothing"]].concat());
    assert_eq!((strict.code, strict.out.as_str()), (Some(1), ""));
    assert!(strict.err.contains("not issued, because of --all-or-nothing"), "{}", strict.err);
    let taken = run(&[&issue[..], &["--dns", "good.example"]].concat());
    let left = "tagwise: omitted from the certificate: ";
    for what in [
        "extension basicConstraints: the profile has no such value\n",
        "name DNS:under_score.example: `under_score.example` is not a DNS name: a label must consist of letters and digits, with hyphens only",
    ] {
        assert!(taken.err.contains(&format!("{left}{what}")), "{}", taken.err);
    }
    openssl(
        folder,
        &["req", "-new", "-nodes", "-newkey", "rsa:1024", "-keyout", "k", "-subj", "/CN=leaf", "-out", "weak.csr"],
    );
    let weak = tagwise(&["ca", "issue", "--db", &db, &path(folder, "weak.csr"), "--profile", "client"]);
    assert_eq!((weak.code, weak.out.as_str()), (Some(1), ""), "{}", weak.err);
}
