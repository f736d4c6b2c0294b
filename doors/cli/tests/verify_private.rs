//! `tagwise verify` below private roots: the profile is chosen by the anchor, a trust anchor is a name and a key, what is not known is told
//! apart from what is wrong, evidence has an account, and each hint names an option that there is.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::sync::LazyLock;

use common::{Run, tagwise};
use serde_json::Value;
use tempfile::TempDir;

/// A root with certificates of servers below it, and lists.
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
    for kind in ["ecdsa-p256", "ed25519"] {
        run(&format!("key new {kind} --no-passphrase -o @{kind}.key --public @{kind}.pub"));
        run(&format!("ca issue --db @root.db --public-key @{kind}.pub --dns www.corp.example -o @{kind}.pem"));
    }
    run("ca issue --db @root.db --public-key @ecdsa-p256.pub --dns gone.corp.example -o @gone.pem");
    run("ca crl --db @root.db -o @old.crl");
    run("ca revoke --db @root.db --certificate @gone.pem --reason key-compromise");
    run("ca crl --db @root.db -o @root.crl");
    run("ca crl --db @other.db -o @other.crl");
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

#[track_caller]
fn says(line: &str, code: i32, parts: &[&str]) {
    let run = verify(line);
    let said = run.out.clone() + &run.err;
    assert_eq!(run.code, Some(code), "{line}: {said}");
    for part in parts {
        let (part, is_wanted) = part.strip_prefix('!').map_or((*part, true), |part| (part, false));
        assert_eq!(said.contains(part), is_wanted, "{line}: {part} in {said}");
    }
}

#[test]
fn the_profile_is_chosen_by_the_anchor() {
    let private =
        "profile rfc5280 with purpose-chain, key-size, weak-digest, key-usage (not a publicly trusted root) at ";
    for kind in ["ecdsa-p256", "ed25519"] {
        let line = format!("@{kind}.pem --trust @root.pem --host www.corp.example");
        says(&line, 0, &[private, "purpose serverAuth; name DNS:www.corp.example"]);
        says(&format!("@{kind}.pem --trust @root.pem --purpose server"), 0, &[private, "Not checked:"]);
    }
    // The Forum's requirements, where they are asked for, or the roots are public.
    let line = "@ed25519.pem --trust @root.pem --host www.corp.example --profile webpki";
    says(line, 1, &["key-size: key type or size not allowed by webpki: Ed25519", "profile webpki at "]);
    let mozilla = tagwise_path::Anchors::mozilla();
    let root = mozilla.iter().find_map(tagwise_path::Anchor::certificate).unwrap();
    fs::write(at("public.der"), root.as_der()).unwrap();
    let public = "profile webpki (for publicly trusted roots) at ";
    says("@public.der --trust @public.der --purpose server", 1, &[public]);
    // Of one that no public root issued, that is what matters.
    says("@ecdsa-p256.pem --trust mozilla --host www.corp.example", 1, &["no-issuer", private]);
    says("@ed25519.pem --trust mozilla --host www.corp.example", 1, &["no-issuer", private]);
    // Both: the anchor decides.
    says("@ed25519.pem --trust mozilla --trust @root.pem --host www.corp.example", 0, &[private]);
    let run = verify("@ed25519.pem --trust mozilla --trust @root.pem --host www.corp.example --json");
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&document["profile"], &document["profile_by"]), (&"rfc5280".into(), &"anchor".into()));
    assert_eq!(document["results"][0]["paths"][0]["profile"], "rfc5280");
    // Purposes and names are asked for all the same.
    says("@ed25519.pem --trust @root.pem --host other.example", 1, &["do not include DNS:other.example", private]);
    says("@root.pem --trust @root.pem --host www.corp.example", 1, &["peer-name"]);
}

#[test]
fn any_certificate_of_trust_ends_a_path() {
    says("@gone.pem --trust @gone.pem", 0, &["valid", "0  (no subject) DNS:gone.corp.example (trust anchor)"]);
    says("@gone.pem --trust @gone.pem --host gone.corp.example", 0, &["valid"]);
    says("@gone.pem --trust @gone.pem --host www.corp.example", 1, &["peer-name"]);
    says("@gone.pem --trust @ecdsa-p256.pem", 1, &["no-issuer"]);
    // A root that says that it is revoked is believed.
    says("@gone.pem --trust @gone.pem --trust @root.pem --crl @root.crl", 1, &["revoked on"]);
}

/// Replaces octets of a certificate by others of the same length.
fn replaced(name: &str, from: &[u8], to: &[u8]) -> String {
    let text = fs::read(at(name)).unwrap();
    let mut der = tagwise_codec::pem::blocks(&text).next().unwrap().unwrap().decode().unwrap();
    let places: Vec<usize> = (0..der.len() - from.len()).filter(|at| der[*at..].starts_with(from)).collect();
    assert!(!places.is_empty(), "{name}");
    places.iter().for_each(|place| der[*place..place + to.len()].copy_from_slice(to));
    let file = at(&format!("{name}.{:02x}.der", to[to.len() - 1]));
    fs::write(&file, der).unwrap();
    file
}

/// Certificates of clients and for documents are checked like those of servers.
#[test]
fn other_purposes_have_the_checks_of_servers() {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let openssl = |line: &str| {
        let mut command = std::process::Command::new("openssl");
        let output = command.current_dir(folder.path()).args(line.split(' ')).output().unwrap();
        assert!(output.status.success(), "openssl {line}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let make = |name: &str, issuer: Option<&str>, key: &str, extensions: &[&str]| {
        let issuer = issuer.map_or_else(String::new, |issuer| format!(" -CA {issuer}.pem -CAkey {issuer}.key"));
        let extensions: String = extensions.iter().map(|extension| format!(" -addext {extension}")).collect();
        openssl(&format!(
            "req -x509 -nodes -days 100 -newkey {key} -subj /CN={name} -keyout {name}.key -out {name}.pem{issuer}{extensions}"
        ));
    };
    let ec = "ec -pkeyopt ec_paramgen_curve:P-256";
    let ca = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
    make("root", None, ec, &[]);
    make("narrow", Some("root"), ec, &[ca[0], ca[1], "extendedKeyUsage=codeSigning"]);
    let end = "basicConstraints=critical,CA:FALSE";
    for (purpose, usage, usages) in [
        ("client", "clientAuth", [("digitalSignature", 0), ("keyAgreement", 0), ("nonRepudiation", 1), ("cRLSign", 1)]),
        (
            "document",
            "1.3.6.1.5.5.7.3.36",
            [("digitalSignature", 0), ("nonRepudiation", 0), ("keyAgreement", 1), ("cRLSign", 1)],
        ),
    ] {
        let usage = format!("extendedKeyUsage={usage}");
        let is = |name: &str, code: i32, said: &str| {
            let (leaf, root, narrow) = (at(&format!("{name}.pem")), at("root.pem"), at("narrow.pem"));
            let run = tagwise(&["verify", &leaf, "--trust", &root, "--untrusted", &narrow, "--purpose", purpose]);
            assert_eq!(run.code, Some(code), "{purpose} {name}: {}{}", run.out, run.err);
            assert!(run.out.contains(said), "{purpose} {name}: {}", run.out);
        };
        for (key_usage, code) in usages {
            make(key_usage, Some("root"), ec, &[end, &usage, &format!("keyUsage=critical,{key_usage}")]);
            is(
                key_usage,
                code,
                if code == 0 { "valid" } else { "key-usage: the key usage has none of the requested bits" },
            );
        }
        make("below", Some("narrow"), ec, &[end, &usage]);
        is("below", 1, "purpose-chain: the extended key usage does not include");
        make("weak", Some("root"), "rsa:1024", &[end, &usage]);
        is("weak", 1, "key-size: key type or size not allowed");
    }
}

#[test]
fn an_algorithm_that_nobody_has_is_not_known() {
    // ecdsa-with-SHA256, with another last arc.
    let leaf = replaced("ecdsa-p256.pem", b"\x2A\x86\x48\xCE\x3D\x04\x03\x02", b"\x2A\x86\x48\xCE\x3D\x04\x03\x7F");
    for more in ["", " --host www.corp.example"] {
        let line = format!("{leaf} --trust @root.pem{more}");
        says(&line, 4, &["NOT KNOWN", "signature-algorithm:", "!NOT VALID"]);
    }
    // The curve of the issuer's key, prime256v1.
    let root = replaced("root.pem", b"\x2A\x86\x48\xCE\x3D\x03\x01\x07", b"\x2A\x86\x48\xCE\x3D\x03\x01\x7F");
    says(&format!("@ecdsa-p256.pem --trust {root}"), 4, &["NOT KNOWN", "signature-algorithm:"]);
    let run = verify(&format!("@ecdsa-p256.pem --trust {root} --json"));
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&document["exit_code"], &document["results"][0]["status"]), (&4.into(), &"undecided".into()));
    // What is wrong in any case is wrong.
    says(&format!("{leaf} --trust @root.pem --host other.example"), 1, &["peer-name"]);
    // A signature by a known algorithm that does not verify is wrong.
    says("@ecdsa-p256.pem --trust @root.pem --at 2000-01-01", 1, &["validity"]);
}

/// In 400 days, when lists of today are out of date and the root is not.
fn later() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    tagwise_pkix::UnixTime(i64::try_from(now.as_secs()).unwrap() + 400 * 86_400).to_string()
}

#[test]
fn evidence_has_an_account() {
    let line = "@ecdsa-p256.pem --trust @root.pem --crl @root.crl --crl @old.crl --crl @other.crl";
    says(
        line,
        0,
        &[
            "  Evidence:    CRL 2 of CN=Root, ",
            ": used\n",
            "CRL 1 of CN=Other, ",
            ": not applicable: its issuer or its scope does not cover the certificate\n",
        ],
    );
    says(&format!("{line} --explain"), 0, &["    evidence: CRL 2 of CN=Root, "]);
    let run = verify(&format!("{line} --json"));
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let evidence = document["results"][0]["paths"][0]["evidence"].as_array().unwrap();
    let uses: Vec<(&Value, &Value)> = evidence.iter().map(|answer| (&answer["kind"], &answer["use"])).collect();
    assert_eq!(uses[0], (&"crl".into(), &"used".into()));
    assert_eq!(uses[2], (&"crl".into(), &"not-applicable".into()));
    // Out of date, a list still revokes, and says nothing else.
    let later = later();
    says(
        &format!("@gone.pem --trust @root.pem --crl @root.crl --evidence-at {later}"),
        1,
        &["revoked on", "has passed", ": used"],
    );
    says(
        &format!("@ecdsa-p256.pem --trust @root.pem --crl @root.crl --evidence-at {later}"),
        0,
        &["(no subject) DNS:www.corp.example is not revoked; its status is unknown", ": unusable: its nextUpdate"],
    );
    says(
        "@gone.pem --trust @root.pem --crl @root.crl --revocation ignore",
        0,
        &["not applicable: revocation was not checked"],
    );
}

/// The option of a hint with a value in place of the word for it.
fn option(hint: &str) -> Option<(String, String)> {
    let rest = &hint[hint.find("--")?..];
    let mut words = rest.split(' ');
    let (option, word) = (words.next()?.to_owned(), words.next()?);
    let value = match word.trim_end_matches([',', ';']) {
        "FILE" => at("other.crl"),
        "TIME" => "2026-11-21".to_owned(),
        value => value.to_owned(),
    };
    Some((option, value))
}

/// Runs every hint of a refusal: the option is there, and the rule is no longer the reason.
fn hints_work(line: &str, expected: &[&str]) {
    let run = verify(line);
    let reason = |run: &Run| {
        let line = run.out.lines().find_map(|line| line.trim_start().strip_prefix("Reason:").map(str::trim));
        line.map(|line| line.split(':').next().unwrap().to_owned())
    };
    let hints: Vec<&str> = run.out.lines().filter_map(|line| line.trim_start().strip_prefix("Hint:")).collect();
    assert_eq!(hints.len(), expected.len(), "{line}: {}", run.out);
    for (hint, part) in hints.iter().zip(expected) {
        assert!(hint.contains(part), "{hint}");
        for hint in hint.split(';') {
            let (option, value) = option(hint).unwrap();
            let words: Vec<&str> = line.split(' ').collect();
            let again = verify(&common::with_option(&words, &option, &value).join(" "));
            assert_ne!(again.code, Some(2), "{hint}: {}", again.err);
            if matches!(option.as_str(), "--allow" | "--profile") {
                assert_ne!(reason(&run), reason(&again), "{hint}: {}", again.out);
            }
        }
    }
}

#[test]
fn hints() {
    hints_work("@ed25519.pem --trust @other.pem", &["--untrusted FILE"]);
    hints_work("@ed25519.pem --trust @root.pem --at 2000-01-01", &["--at TIME"]);
    hints_work("@ed25519.pem --trust @root.pem --purpose code", &["--allow purpose"]);
    hints_work("@ed25519.pem --trust @root.pem --host www.corp.example --profile webpki", &["--allow key-size"]);
    hints_work("@root.pem --trust @other.pem --profile webpki", &["--allow leaf-not-ca", "--profile rfc5280"]);
    hints_work("@ed25519.pem --trust @root.pem --permit dns:example.com", &["--allow permitted-subtrees"]);
    hints_work(
        "@ed25519.pem --trust @root.pem --revocation require",
        &["--crl FILE", "--revocation prefer accepts certificates without evidence"],
    );
    hints_work(
        &format!("@ed25519.pem --trust @root.pem --crl @root.crl --revocation require --evidence-at {}", later()),
        &["--crl FILE", "--revocation prefer", "--evidence-at TIME"],
    );
    // Nothing answers these.
    hints_work("@ed25519.pem --trust @root.pem --host other.example", &[]);
    hints_work("@gone.pem --trust @root.pem --crl @root.crl", &[]);
}

#[test]
fn rules_that_are_enforced() {
    says("@ed25519.pem --trust @root.pem --enforce conformance,anchor-extensions", 0, &["valid"]);
    says(
        "@ed25519.pem --trust @gone.pem --trust @root.pem --enforce no-such-rule",
        2,
        &["--enforce: unknown rule or lint"],
    );
    // A length of paths in the anchor's certificate, of which only this option asks.
    let below = "--enforce weak-digest,key-size";
    says(&format!("@ed25519.pem --trust @root.pem {below}"), 0, &["valid"]);
}
