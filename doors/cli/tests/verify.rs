//! `tagwise verify`: verdicts and their reasons, inputs in any order, refusals that say what to do.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use common::{Run, data, tagwise, tagwise_with};
use serde_json::Value;
use tempfile::TempDir;

/// A root, a CA below it, a server's certificate and a client's; another root. Made once.
static MADE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |line: &str| {
        let words: Vec<String> =
            line.split(' ').map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), &at)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = tagwise(&words);
        assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    };
    run("ca init --db @root.db --subject CN=Root --no-passphrase -o @root.pem");
    run("ca init --db @other.db --subject CN=Other --no-passphrase -o @other.pem");
    run("key new ecdsa-p256 --no-passphrase -o @sub.key --public @sub.pub");
    run("ca issue --db @root.db --public-key @sub.pub --subject CN=Sub --profile ca -o @sub.pem");
    run("ca init --db @sub.db --key @sub.key --certificate @sub.pem --no-history --no-passphrase");
    run("key new ecdsa-p256 --no-passphrase -o @key --public @key.pub");
    run("ca issue --db @sub.db --public-key @key.pub --dns www.example.org --ip 192.0.2.1 -o @leaf.pem");
    run(
        "ca issue --db @sub.db --public-key @key.pub --subject CN=Eva --profile client --email eva@example.org -o @eva.pem",
    );
    run("ca issue --db @sub.db --public-key @key.pub --dns gone.example.org -o @gone.pem");
    run("ca revoke --db @sub.db --certificate @gone.pem --reason key-compromise");
    run("ca issue --db @other.db --public-key @key.pub --subject CN=Sub --profile client -o @namesake.pem");
    // A certificate for the root's new key, which the old key signed.
    let rekey = "ca rekey --db @root.db --new-db @rolled.db --no-new-passphrase";
    run(&format!("{rekey} --new-with-old @rolled.pem -o @twin.pem"));
    run("ca issue --db @rolled.db --public-key @key.pub --dns www.example.org -o @below.pem");
    run("ca crl --db @sub.db -o @sub.crl");
    run("ca crl --db @root.db -o @root.crl");
    for (name, parts) in [
        ("forward", &["leaf", "sub", "root"][..]),
        ("backward", &["root", "sub", "leaf"]),
        ("two", &["leaf", "sub", "eva"]),
        ("named", &["namesake", "leaf", "sub"]),
        ("roots", &["root", "other"]),
        ("cas", &["sub", "root"]),
        ("twice", &["leaf", "leaf", "sub"]),
    ] {
        let text: String = parts.iter().map(|part| fs::read_to_string(at(&format!("{part}.pem"))).unwrap()).collect();
        fs::write(at(&format!("{name}.pem")), text).unwrap();
    }
    folder
});

fn at(name: &str) -> String {
    MADE.path().join(name).to_str().unwrap().to_owned()
}

/// Runs `tagwise verify` with words of which those with @ are files.
fn verify(line: &str) -> Run {
    let words: Vec<String> =
        line.split(' ').map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), at)).collect();
    let words: Vec<&str> = ["verify"].into_iter().chain(words.iter().map(String::as_str)).collect();
    tagwise(&words)
}

/// Runs it, and expects an exit code and parts of what it says, in that order.
#[track_caller]
fn says(line: &str, code: i32, parts: &[&str]) {
    let run = verify(line);
    let said = run.out.clone() + &run.err;
    assert_eq!(run.code, Some(code), "{line}: {said}");
    let mut rest = said.as_str();
    for part in parts {
        let found = rest.find(part);
        assert!(found.is_some(), "{line}: no {part} in {said}");
        rest = &rest[found.unwrap() + part.len()..];
    }
}

#[test]
fn a_valid_path() {
    says(
        "@leaf.pem --untrusted @sub.pem --trust @root.pem --host www.example.org",
        0,
        &[
            "leaf.pem: valid\n",
            "  Path:        0  (no subject) DNS:www.example.org\n",
            "               1  CN=Sub\n",
            "               2  CN=Root (trust anchor)\n",
            "  Checked:     profile rfc5280 with purpose-chain, key-size, weak-digest, key-usage (not a publicly trusted root) at ",
            "purpose serverAuth; name DNS:www.example.org\n",
            "  Assumed:     revocation was not checked: no certificate is known to be revoked\n",
        ],
    );
    says("@leaf.pem --untrusted @sub.pem --trust @root.pem --ip 192.0.2.1", 0, &["valid", "name IP:192.0.2.1"]);
    says("@eva.pem --untrusted @sub.pem --trust @root.pem --purpose client", 0, &["valid", "profile rfc5280"]);
    says("@eva.pem --untrusted @sub.pem --trust @root.pem", 0, &["valid", "profile rfc5280"]);
    // A CA's certificate ends a path where it is trusted, and may be verified itself.
    says("@leaf.pem --trust @sub.pem", 0, &["0  ", "1  CN=Sub (trust anchor)"]);
    says("@sub.pem --trust @root.pem", 0, &["0  CN=Sub"]);
    says("@root.pem --trust @root.pem", 0, &["0  CN=Root (trust anchor)"]);
    // Everything, on demand.
    says(
        "@leaf.pem --untrusted @sub.pem --trust @roots.pem --explain",
        0,
        &["Explained:", "rules:", "spent: 2 signatures"],
    );
}

/// As for `openssl verify` without -partial_chain: an intermediate among the anchors helps to build the path, and does not end it.
#[test]
fn only_self_signed_anchors() {
    says("@leaf.pem --trust @sub.pem --self-signed-anchors", 1, &["NOT VALID", "no-issuer"]);
    says("@leaf.pem --trust @cas.pem --self-signed-anchors", 0, &["valid", "1  CN=Sub\n", "2  CN=Root (trust anchor)"]);
    says("@leaf.pem --untrusted @sub.pem --trust @root.pem --self-signed-anchors", 0, &["2  CN=Root (trust anchor)"]);
    says("@leaf.pem --trust @sub.pem --trust @other.pem --self-signed-anchors", 1, &["NOT VALID", "no-issuer"]);
    // It is self-issued, but not self-signed (RFC 5280 §3.2).
    says("@below.pem --trust @rolled.pem", 0, &["valid"]);
    says("@below.pem --trust @rolled.pem --self-signed-anchors", 1, &["NOT VALID"]);
    says("@below.pem --trust @rolled.pem --trust @root.pem --self-signed-anchors", 0, &["CN=Root (trust anchor)"]);
}

#[test]
fn bundles_in_any_order() {
    for file in ["@forward.pem", "@backward.pem", "@twice.pem"] {
        says(&format!("{file} --trust @root.pem"), 0, &["valid", "0  (no subject)", "1  CN=Sub", "2  CN=Root"]);
    }
    // Two end certificates are two verdicts, each with its place.
    says("@two.pem --trust @root.pem", 0, &["two.pem, line 1: valid", "two.pem, line ", ": valid", "0  CN=Eva"]);
    says("@two.pem --trust @root.pem --purpose client", 1, &["two.pem, line 1: NOT VALID", ": valid"]);
    // An end certificate whose name issued another one of the file is one all the same.
    let words = ["named.pem, line 1: NOT VALID", "no-issuer", "named.pem, line ", ": valid\n", "1  CN=Sub"];
    says("@named.pem --trust @root.pem", 1, &words);
    // Of CAs alone, the one below the others.
    says("@cas.pem --trust @root.pem", 0, &["valid", "0  CN=Sub", "1  CN=Root"]);
    says(
        "@roots.pem --trust @root.pem",
        3,
        &["no end-entity certificate: all 2 certificates are CA certificates", "--untrusted"],
    );
    // Several files, the worst of which gives the code.
    says("@leaf.pem @eva.pem --untrusted @sub.pem --trust @root.pem", 0, &["leaf.pem: valid", "eva.pem: valid"]);
    says("@leaf.pem @absent.pem --trust @sub.pem", 3, &["leaf.pem: valid", "absent.pem: cannot be read"]);
    let forward = fs::read(at("forward.pem")).unwrap();
    let run = tagwise_with(&["verify", "-", "--trust", &at("root.pem")], &forward);
    assert_eq!((run.code, run.out.starts_with("standard input, line 1: valid\n")), (Some(0), true), "{}", run.out);
}

#[test]
fn reasons() {
    says(
        "@forward.pem --trust @root.pem --host mail.example.org",
        1,
        &[
            "NOT VALID",
            "Reason:      peer-name: the alternative names do not include DNS:mail.example.org",
            "Where:       certificate 0",
            "Clause:      RFC 9525 §6",
            "Its names:   DNS:www.example.org, IP:192.0.2.1\n",
        ],
    );
    says(
        "@forward.pem --trust @root.pem --at 2100-01-01",
        1,
        &[
            "Reason:      validity: expired on ",
            "Where:       certificate 0, (no subject) DNS:www.example.org\n               tbsCertificate.validity.notAfter",
            ", byte ",
            "Clause:      RFC 5280 §6.1.3 (a)(2)",
            "Hint:        --at TIME",
        ],
    );
    says(
        "@leaf.pem --trust @root.pem",
        1,
        &["no-issuer: no certificate or trust anchor has the subject CN=Sub", "Hint:", "--untrusted FILE"],
    );
    says("@forward.pem --trust @other.pem", 1, &["no-issuer: CN=Root is self-issued and not a trust anchor"]);
    says(
        "@forward.pem --trust @root.pem --purpose code",
        1,
        &["purpose: the extended key usage does not include codeSigning"],
    );
    says("@forward.pem --trust @root.pem --purpose code --allow purpose,code-signing-usage", 0, &["valid"]);
    says("@forward.pem --trust @root.pem --max-depth 0", 1, &["max-intermediates: "]);
    says("@eva.pem --untrusted @sub.pem --trust @root.pem --email eve@example.org", 1, &["NOT VALID"]);
    says(
        "@eva.pem --untrusted @sub.pem --trust @root.pem --email eva@example.org --purpose client",
        0,
        &["valid", "email:eva@example.org"],
    );
    // A malformed certificate is a verdict as well, with its byte.
    let negative = data("negative.pem");
    let run = tagwise(&["verify", &negative, "--trust", &at("root.pem")]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.contains("malformed: ") && run.out.contains("tbsCertificate.serialNumber, byte 15"), "{}", run.out);
}

/// X.690 §8.1.1: bytes 00 behind a value are tolerated by name alone, wherever the value comes from.
#[test]
fn zeros_behind_values() {
    for name in ["leaf", "sub", "root", "sub.crl", "root.crl"] {
        let file = if name.contains('.') { name.to_owned() } else { format!("{name}.pem") };
        let text = fs::read(at(&file)).unwrap();
        let der = tagwise_codec::pem::blocks(&text).next().unwrap().unwrap().decode().unwrap();
        fs::write(at(&format!("{name}.padded")), [&der[..], b"\0\0"].concat()).unwrap();
    }
    for line in [
        "@leaf.padded --untrusted @sub.pem --trust @root.pem",
        "@leaf.pem --untrusted @sub.padded --trust @root.pem",
        "@leaf.pem --untrusted @sub.pem --trust @root.padded",
        "@leaf.pem --untrusted @sub.pem --trust @root.pem --crl @sub.crl.padded --crl @root.crl",
    ] {
        says(line, 3, &["no zero bytes may follow the outermost value", "; --allow trailing-zeros tolerates this"]);
        says(&format!("{line} --allow trailing-zeros"), 0, &["valid"]);
    }
    // Other commands with a verdict, by the same name.
    for line in [&["match"][..], &["key", "show"]] {
        let padded = at("leaf.padded");
        let public = at("key.pub");
        let mut words = [line, &[padded.as_str()]].concat();
        if line == ["match"] {
            words.push(&public);
        }
        let run = tagwise(&words);
        assert_eq!(run.code, Some(1), "{words:?}: {}", run.out);
        assert!(run.err.contains("; --allow trailing-zeros tolerates this"), "{}", run.err);
        let run = tagwise(&[&words[..], &["--allow", "trailing-zeros"]].concat());
        assert_eq!(run.code, Some(0), "{words:?}: {}", run.err);
    }
}

#[test]
fn policies_and_names() {
    let base = "@forward.pem --trust @root.pem";
    says(&format!("{base} --require-explicit-policy"), 1, &["explicit-policy: "]);
    says(
        &format!("{base} --policy 2.23.140.1.2.1"),
        0,
        &["Policies:    none of the requested policies; --require-explicit-policy requires one"],
    );
    says(&format!("{base} --policy cabf-DV --inhibit-any --inhibit-mapping"), 0, &["valid"]);
    for (options, code) in [
        ("--permit dns:example.org --permit ip:192.0.2.0/24", 0),
        ("--permit dns:example.com", 1),
        ("--permit ip:198.51.100.0/24", 1),
        ("--permit email:example.com", 0),
        ("--exclude dns:example.org", 1),
        ("--exclude dns:mail.example.org", 0),
        ("--exclude ip:192.0.2.0/24", 1),
        ("--permit dirname:CN=Sub", 0),
        ("--exclude dirname:CN=Sub", 1),
        ("--permit dirname:O=Example", 1),
    ] {
        says(&format!("{base} {options}"), code, if code == 0 { &["valid"] } else { &["NOT VALID", "ed-subtrees: "] });
    }
}

#[test]
fn unknown_revocation_status() {
    says(
        "@forward.pem --trust @root.pem --revocation require",
        4,
        &["NOT KNOWN", "revocation: its revocation status is unknown", "Hint:        --crl FILE"],
    );
    says(
        "@forward.pem --trust @root.pem --revocation prefer",
        0,
        &["valid", "Assumed:", "is not revoked; its status is unknown"],
    );
    // A negative answer counts more than none.
    says("@forward.pem @eva.pem --trust @root.pem --revocation require", 1, &["NOT KNOWN", "NOT VALID"]);
}

#[test]
fn revocation() {
    let base = "--untrusted @sub.pem --trust @root.pem";
    let all = "--crl @sub.crl --crl @root.crl --revocation require";
    says(&format!("@leaf.pem {base} {all}"), 0, &["valid", "Revocation:  0  not revoked: CRL", "1  not revoked: CRL"]);
    says(
        &format!("@gone.pem {base} {all}"),
        1,
        &["NOT VALID", "revocation: revoked on ", "keyCompromise", "tbsCertificate.serialNumber"],
    );
    // Found by a CRL that is given, without a further word; those that nothing is known about pass, and that is said.
    says(&format!("@gone.pem {base} --crl @sub.crl"), 1, &["NOT VALID", "revocation: revoked on "]);
    says(
        &format!("@leaf.pem {base} --crl @sub.crl"),
        0,
        &["valid", "Revocation:  0  not revoked", "Assumed:", "CN=Sub"],
    );
    says(&format!("@gone.pem {base} --crl @sub.crl --revocation ignore"), 0, &["valid", "revocation was not checked"]);
    says(
        &format!("@leaf.pem {base} --crl @sub.crl --revocation require"),
        4,
        &["NOT KNOWN", "Where:       certificate 1, CN=Sub"],
    );
    says(&format!("@leaf.pem {base} --crl @sub.crl --revocation require --revocation-scope leaf"), 0, &["valid"]);
    // The trust anchor among the others makes no path of its own, whose certificate nothing is known about.
    says(
        "@forward.pem --trust @root.pem --crl @sub.crl --revocation require",
        4,
        &["NOT KNOWN", "Where:       certificate 1, CN=Sub", "2  CN=Root (trust anchor)"],
    );
    // A revoked certificate is refused, whatever is not known about its issuer.
    says(&format!("@gone.pem {base} --crl @sub.crl --revocation require"), 1, &["NOT VALID", "revoked on "]);
    // Long after its next update, and with patience for that.
    let late = "--at 2027-01-15 --allow validity,anchor-validity";
    says(&format!("@leaf.pem {base} {all} {late}"), 4, &["NOT KNOWN"]);
    says(&format!("@leaf.pem {base} {all} {late} --stale 10y"), 0, &["valid"]);
    // By OCSP.
    for (name, code) in [("leaf", 0), ("gone", 1)] {
        let shown = tagwise(&["show", "--json", &at(&format!("{name}.pem"))]);
        let shown: Value = serde_json::from_str(&shown.out).unwrap();
        let serial = shown["files"][0]["items"][0]["certificate"]["serial_number"]["hex"].as_str().unwrap().to_owned();
        let response = at(&format!("{name}.ocsp"));
        let run = tagwise(&["ca", "ocsp", "--db", &at("sub.db"), "--serial", &serial, "-o", &response]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        says(
            &format!("@{name}.pem {base} --ocsp @{name}.ocsp --revocation-scope leaf --revocation require"),
            code,
            &[if code == 0 { "Revocation:  0  not revoked: OCSP" } else { "revocation: revoked on " }],
        );
    }
    // Every CRL and OCSP response of a file counts, whichever option names it.
    for name in ["sub", "root"] {
        let run =
            tagwise(&["convert", &at(&format!("{name}.crl")), "-o", &at(&format!("{name}.der.crl")), "--to", "der"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let join = |name: &str, parts: &[&str]| {
        let all: Vec<u8> = parts.iter().flat_map(|part| fs::read(at(part)).unwrap()).collect();
        fs::write(at(name), all).unwrap();
    };
    join("responses", &["leaf.ocsp", "gone.ocsp"]);
    join("crl+response", &["root.der.crl", "gone.ocsp"]);
    join("response+crl", &["leaf.ocsp", "sub.der.crl"]);
    join("response+key", &["leaf.ocsp", "key"]);
    for option in ["--crl", "--ocsp"] {
        for file in ["responses", "crl+response", "response+crl"] {
            says(
                &format!("@gone.pem {base} {option} @{file} --revocation-scope leaf"),
                1,
                &["revocation: revoked on "],
            );
        }
        says(&format!("@leaf.pem {base} {option} @response+key"), 3, &["response+key", ": not an element"]);
    }
}

#[test]
fn timestamps_of_logs() {
    let base = "@forward.pem --trust @root.pem";
    fs::write(at("logs.json"), r#"{"operators": []}"#).unwrap();
    says(&format!("{base} --sct-logs @logs.json"), 1, &["NOT VALID", "Reason:      scts: "]);
    says(&format!("{base} --sct-logs @logs.json --allow scts"), 0, &["valid"]);
    says(&format!("{base} --sct-logs @key"), 3, &["key: not a log list: "]);
    says(&format!("{base} --min-scts 2"), 2, &["--sct-logs"]);
}

#[test]
fn every_path() {
    says(
        "@forward.pem --trust @root.pem --trust @sub.pem --all-paths",
        0,
        &["valid, 2 paths\n", "1  CN=Sub (trust anchor)", "2  CN=Root (trust anchor)"],
    );
    says("@forward.pem --trust @other.pem --all-paths", 1, &["NOT VALID", "no-issuer"]);
    let run = verify("@forward.pem --trust @root.pem --trust @sub.pem --all-paths --json");
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["results"][0]["paths"].as_array().unwrap().len(), 2);
}

#[test]
fn json() {
    let run = verify("@backward.pem @absent.pem --trust @root.pem --host www.example.org --json");
    assert_eq!(run.code, Some(3));
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["schema"], "tagwise.verify/2");
    assert_eq!(
        (&document["exit_code"], &document["anchors"], &document["profile"]),
        (&3.into(), &1.into(), &"rfc5280".into())
    );
    let result = &document["results"][0];
    assert_eq!((&result["status"], &result["report"]), (&"valid".into(), &Value::Null));
    assert_eq!(result["sha256"].as_str().unwrap().len(), 64);
    assert!(result["line"].as_u64().unwrap() > 1);
    let path = &result["paths"][0];
    assert_eq!((&path["outcome"], &path["anchor"]), (&"valid".into(), &"CN=Root".into()));
    assert_eq!(path["certificates"][1]["subject"], "CN=Sub");
    assert!(document["results"][1]["error"].as_str().unwrap().contains("cannot be read"));
    let run = verify("@leaf.pem --trust @root.pem --json");
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let result = &document["results"][0];
    assert_eq!((&result["status"], result["paths"].as_array().unwrap().len()), (&"invalid".into(), 0));
    let rejected = &result["report"]["rejected"][0];
    assert_eq!((&rejected["rule"], &rejected["certificate"]), (&"no-issuer".into(), &0.into()));
    assert!(rejected["path"].as_str().unwrap().starts_with("tbsCertificate.issuer"));
}

#[test]
fn refusals() {
    let base = "@forward.pem --trust @root.pem";
    fs::write(at("empty"), "").unwrap();
    for (line, code, part) in [
        ("", 2, "FILE"),
        ("@leaf.pem --at yesterday", 2, "expected 2026-11-21"),
        ("@leaf.pem --host exa_mple..org", 2, "not a host name"),
        ("@leaf.pem --host 192.0.2.1", 2, "this is an IP address: use --ip"),
        ("@leaf.pem --host https://www.example.org", 2, "this is a URL: give only its host name"),
        ("@leaf.pem --ip www.example.org", 2, "--ip"),
        ("@leaf.pem --email example.org", 2, "not an email address"),
        (
            "@leaf.pem --policy 1.2.x",
            2,
            "expected a dotted OBJECT IDENTIFIER, such as 2.23.140.1.2.1, or a known policy name, such as cabf-DV",
        ),
        (
            "@leaf.pem --policy serverAuth",
            2,
            "expected a dotted OBJECT IDENTIFIER, such as 2.23.140.1.2.1, or a known policy name, such as cabf-DV",
        ),
        ("@leaf.pem --profile tls", 2, "available: rfc5280, webpki"),
        ("@leaf.pem --permit example.org", 2, "expected dns:example.org"),
        ("@leaf.pem --permit dns:.example.org", 2, "must not begin with a dot"),
        ("@leaf.pem --stale soon", 2, "expected a duration of the form"),
        ("@leaf.pem --trust @root.pem --allow validty", 2, "did you mean validity?"),
        ("@leaf.pem --trust @root.pem --allow signature", 2, "signature cannot be disabled"),
        ("@leaf.pem --trust @absent.pem", 3, "absent.pem: cannot be read: No such file"),
        ("@empty --trust @root.pem", 3, "empty: "),
        ("@leaf.pem --trust @empty", 3, "empty: no trust anchor found: "),
        ("@leaf.pem --trust @root.pem --crl @empty", 3, "empty: "),
        ("@leaf.pem --trust @root.pem --untrusted @empty", 3, "empty: "),
        ("@leaf.pem --trust @key", 3, "key: no trust anchor found: no certificate in this PEM, but"),
        ("@leaf.pem --trust @sub.crl", 3, "sub.crl: no trust anchor found: "),
        ("@leaf.pem --untrusted @key", 3, "key: no certificate in this PEM, but"),
        ("@key --trust @root.pem", 3, "key: no certificate in this PEM, but"),
        ("@sub.crl --trust @root.pem", 3, "sub.crl: no certificate in this PEM"),
        ("@leaf.pem --trust @root.pem --crl @root.pem", 3, "root.pem: no CRL in this PEM"),
        ("@leaf.pem --trust @root.pem --ocsp @root.pem", 3, "root.pem: no OCSP response in this PEM"),
        ("@leaf.pem --trust @root.pem --evidence-at 2026-01-01", 2, "--evidence-at has no effect"),
        ("@leaf.pem --trust @root.pem --mtc-policy @key", 3, "key: "),
        ("--limbo @leaf.pem", 3, "not in the format of x509-limbo"),
        ("@leaf.pem -CAfile @root.pem", 2, "-CAfile is an option of openssl verify; here it is --trust FILE"),
        ("-crl_check @leaf.pem", 2, "here it is --crl FILE --revocation require --revocation-scope leaf"),
    ] {
        says(line, code, &[part]);
    }
    // Only a file with test cases is a set of them, not every file with this name.
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("certificates.json");
    fs::copy(at("leaf.pem"), &json).unwrap();
    let arguments = |file: &str| tagwise(&["verify", file, "--untrusted", &at("sub.pem"), "--trust", &at("root.pem")]);
    assert_eq!(arguments(json.to_str().unwrap()).code, arguments(&at("leaf.pem")).code);
    // A folder of anchors, and one without any.
    let empty = tempfile::tempdir().unwrap();
    let run = tagwise(&["verify", &at("leaf.pem"), "--trust", empty.path().to_str().unwrap()]);
    assert!(run.code == Some(3) && run.err.contains("the folder contains no certificates"), "{}", run.err);
    for name in ["sub.pem", "root.pem"] {
        fs::copy(at(name), empty.path().join(name)).unwrap();
        // Folders of systems have each certificate under several names.
        fs::copy(at(name), empty.path().join(format!("again-{name}"))).unwrap();
    }
    let run = tagwise(&["verify", "--json", &at("leaf.pem"), "--trust", empty.path().to_str().unwrap()]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &document["anchors"]), (Some(0), &2.into()));
    says(&format!("{base} --trust mozilla"), 0, &["valid"]);
    // Distributions have one; containers may not.
    if Path::new("/etc/ssl/certs/ca-certificates.crt").is_file() {
        says("@forward.pem", 1, &["NOT VALID", "no-issuer"]);
    }
}

/// Runs any command with words of which those with @ are files.
fn command(line: &str) -> Run {
    let words: Vec<String> =
        line.split(' ').map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), at)).collect();
    tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn signers_of_messages() {
    fs::write(at("letter"), "what is said").unwrap();
    let run = command("cms sign @letter --key @key --certificate @leaf.pem -o @letter.p7m");
    assert_eq!(run.code, Some(0), "{}", run.err);
    // The certificate is a server's.
    let run = command("cms verify @letter.p7m --certificate @sub.pem --trust @root.pem");
    assert!(run.code == Some(1) && run.out.contains("purpose: the extended key usage does not include"), "{}", run.out);
    assert!(run.out.contains("  NOT GOOD: (no subject) DNS:www.example.org, "), "{}", run.out);
    let base = "cms verify @letter.p7m --certificate @sub.pem --purpose any";
    let run = command(base);
    assert!(run.out.contains("signature good, trust not checked") && run.code == Some(0), "{}", run.out);
    let run = command(&format!("{base} --trust @root.pem"));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    for part in [
        "signature good, signer trusted",
        "    Trust:       valid\n",
        "      Path:        0  ",
        "1  CN=Sub",
        "2  CN=Root",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let run = command(&format!("{base} --trust @other.pem"));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    for part in ["  NOT GOOD: ", "    Trust:       NOT VALID\n", "      Reason:      no-issuer: "] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let run = command(&format!("{base} --trust @root.pem --json"));
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let signer = &document["signers"][0];
    assert_eq!((&document["trust"], &signer["trust"]), (&"judged".into(), &"trusted".into()));
    assert_eq!(signer["verification"]["paths"][0]["anchor"], "CN=Root");
    for (more, part) in [
        ("--crl @sub.crl", "also pass --trust"),
        ("--profile webpki", "--trust"),
        ("--trust @root.pem --allow-rule signature", "cannot be disabled"),
    ] {
        let run = command(&format!("{base} {more}"));
        assert!(run.code == Some(2) && run.err.contains(part), "{more}: {}", run.err);
    }
    // Trust anchors that are none are no answer about the message.
    assert_eq!(command(&format!("{base} --trust @key")).code, Some(3));
}

#[test]
fn authorities_below_others() {
    let init = "ca init --db @again.db --key @sub.key --certificate @sub.pem --no-history --no-passphrase";
    let run = command(&format!("{init} --trust @other.pem"));
    assert_eq!((run.code, Path::new(&at("again.db")).exists()), (Some(1), false), "{}", run.err);
    assert!(run.err.contains("Reason:      no-issuer: ") && run.err.contains("no valid path"), "{}", run.err);
    assert_eq!(command(&format!("{init} --trust @root.pem")).code, Some(0));
}

#[test]
fn rules_are_listed() {
    says(
        "--list-rules",
        0,
        &["profiles", "webpki", "*signature ", "RFC 5280 §6.1.3 (a)(1); every profile", "rfc5280.4.2.1.9"],
    );
    let run = verify("--list-rules --json");
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["schema"], "tagwise.verify-rules/1");
    let rules = document["rules"].as_array().unwrap();
    let rule = |name: &str| rules.iter().find(|rule| rule["name"] == name).unwrap();
    assert_eq!((&rule("signature")["fixed"], &rule("validity")["fixed"]), (&true.into(), &false.into()));
    assert_eq!(rule("leaf-not-ca")["profiles"], serde_json::json!(["webpki", "code-signing"]));
}

/// Every case of x509-limbo has the result that the register of the library's own test has.
#[test]
fn test_sets() {
    let Some(set) = common::corpus("x509-limbo/limbo-core.json") else { return };
    let set = set.to_str().unwrap();
    let register = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/register/limbo-paths.tsv");
    let register = fs::read_to_string(register).unwrap();
    let registered: Vec<&str> = register
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row[1] != row[2])
        .map(|row| row[0])
        .collect();
    let document: Value = serde_json::from_slice(&fs::read(set).unwrap()).unwrap();
    let cases = document["testcases"].as_array().unwrap();
    let run = tagwise(&["verify", set, "--at", "2026-03-14T15:33:20Z"]);
    let lines: Vec<Vec<&str>> = run.out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), cases.len());
    for (line, case) in lines.iter().zip(cases) {
        assert_eq!((line.len(), line[0]), (3, case["id"].as_str().unwrap()));
        let as_expected = case["expected_result"] == line[1];
        assert_eq!(as_expected, !registered.contains(&line[0]), "{line:?}");
    }
    let said = format!("{} cases, {} of {0} as expected\n", cases.len(), cases.len() - registered.len());
    assert!(run.err.ends_with(&said), "{}", run.err);
    assert_eq!(run.code, Some(i32::from(!registered.is_empty())));
}
