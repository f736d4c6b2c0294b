//! `tagwise lint`: what it finds, in text, JSON and SARIF, and what it says when asked.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::{Run, data, der, tagwise, tagwise_with};
use serde_json::Value;

/// A certificate or CRL of the lints' fixtures.
fn good(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/lint/good");
    tagwise_notation::parse(fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

/// The CA of the fixtures without its key usage.
fn without_key_usage() -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/lint/good");
    let text = fs::read_to_string(folder.join("root.txt")).unwrap();
    let start = text.find("OBJECT_IDENTIFIER { 2.5.29.15 }").unwrap();
    let start = text[..start].rfind("SEQUENCE {").unwrap();
    let end = start + text[start..].find("        }\n").unwrap() + 10;
    tagwise_notation::parse(format!("{}{}", &text[..start], &text[end..])).unwrap()
}

fn file(name: &str, octets: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lint-{name}"));
    fs::write(&path, octets).unwrap();
    path.to_str().unwrap().to_owned()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", run.out, run.err))
}

#[test]
fn nothing_to_say() {
    for name in ["ca.txt", "ee.txt", "crl.txt", "delta.txt"] {
        let run = tagwise_with(&["lint", "-"], &good(name));
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(
            run.out.ends_with("0 errors, 0 warnings (0 with errors, 0 with warnings only, 1 clean)\n"),
            "{}",
            run.out
        );
        assert_eq!(run.out.lines().count(), 1);
    }
}

#[test]
fn text() {
    let path = file("text.der", &without_key_usage());
    let run = tagwise(&["lint", &path]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let expected = format!(
        "certificate: ROOT  {path}\n  \
           error    a CA certificate has no key usage\n           \
                    tbsCertificate.extensions at byte 135 (RFC 5280 §4.2.1.3)\n           \
                    rfc5280.4.2.1.3.ca_without_key_usage\n\n\
         1 certificate: 1 error, 0 warnings (1 with errors, 0 with warnings only, 0 clean)\n"
    );
    assert_eq!(run.out, expected);
}

#[test]
fn decoding_errors_are_findings() {
    let run = tagwise(&["lint", "--json", &data("negative.pem")]);
    assert_eq!(run.code, Some(1));
    let document = json(&run);
    let findings = document["files"][0]["items"][0]["findings"].as_array().unwrap();
    let negative = findings.iter().find(|finding| finding["id"] == "decoder.negative-serial").unwrap();
    assert_eq!(negative["path"], "tbsCertificate.serialNumber");
    assert_eq!(negative["clause"], "RFC 5280 §4.1.2.2");
    assert_eq!(negative["severity"], "error");
    let skipped = tagwise(&["lint", "--json", "--skip", "decoder", &data("negative.pem")]);
    assert!(!skipped.out.contains("decoder."), "{}", skipped.out);
}

#[test]
fn each_decoding_error_is_one_finding() {
    // The key usage is a SEQUENCE.
    let good = good("ee.txt");
    let at = good.windows(4).position(|window| window == [0x04, 0x04, 0x03, 0x02]).unwrap() + 2;
    let mut bad = good.clone();
    bad[at] = 0x30;
    let run = tagwise_with(&["lint", "--json", "-"], &bad);
    let document = json(&run);
    let findings = document["files"][0]["items"][0]["findings"].as_array().unwrap();
    let ids: Vec<&str> = findings.iter().map(|finding| finding["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["rfc5280.4.2.extension_value"]);
    assert_eq!(findings[0]["path"], "tbsCertificate.extensions[2].extnValue");
    assert_eq!(findings[0]["offset"], at);
    // Cut off in the middle: not even the frame is left.
    let run = tagwise_with(&["lint", "--json", "-"], &good[..100]);
    assert_eq!(run.code, Some(1));
    let document = json(&run);
    assert!(document["files"][0]["items"][0]["findings"][0]["id"].as_str().unwrap().starts_with("decoder."));
}

/// A value that does not decode is not clean, whatever lints are selected.
#[test]
fn undecodable_values_are_not_clean() {
    let good = good("ee.txt");
    let clean = |octets: &[u8], args: &[&str]| {
        let run = tagwise_with(&[&["lint", "--json"], args, &["-"]].concat(), octets);
        let document = json(&run);
        assert_eq!(document["exit_code"], run.code.unwrap());
        let item = &document["files"][0]["items"][0]["not_checked"];
        (run.code.unwrap(), document["summary"]["not_checked"].as_u64().unwrap(), item.as_str().map(str::to_owned))
    };
    for args in [&["--only", "rfc5280"][..], &["--skip", "decoder"]] {
        // A truncated certificate, and one with a time of the wrong syntax.
        let at = good.windows(4).position(|window| window == [0x17, 0x0D, b'2', b'6']).unwrap();
        let mut time = good.clone();
        time[at + 14] = b'X';
        for octets in [&good[..100], &time] {
            let (code, count, reason) = clean(octets, args);
            assert_eq!((code, count), (4, 1), "{args:?}");
            assert!(reason.unwrap().starts_with("the lints did not run: "));
        }
        // Junk behind a clean certificate.
        let run = tagwise_with(&[&["lint"], args, &["-"]].concat(), &[&good[..], b"<ffff"].concat());
        assert_eq!(run.code, Some(4), "{}", run.out);
        assert!(run.out.ends_with("0 with warnings only, 1 clean, 1 not checked)\n"), "{}", run.out);
        let run = tagwise_with(
            &[&["lint"], args, &["-"]].concat(),
            b"-----BEGIN CERTIFICATE-----\nMAA!\n-----END CERTIFICATE-----\n",
        );
        assert_eq!(run.code, Some(4), "{}", run.out);
        assert_eq!(clean(&good, args), (0, 0, None));
    }
    // Without a selection it is an error, and the lints that did not run are named.
    let run = tagwise_with(&["lint", "-"], &good[..100]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("  not checked: the lints did not run: "), "{}", run.out);
    // Zeros behind the value are a deviation, as `show` reports.
    let run = tagwise_with(&["lint", "--json", "-"], &[&good[..], &[0; 3]].concat());
    let finding = &json(&run)["files"][0]["items"][0]["findings"][0];
    assert_eq!((&finding["id"], &finding["offset"]), (&"decoder.trailing-zeros".into(), &good.len().into()));
    assert_eq!(run.code, Some(1));
}

#[test]
fn selections() {
    let path = file("selections.der", &without_key_usage());
    let clean = |args: &[&str]| {
        let run = tagwise(&[&["lint"], args, &[path.as_str()]].concat());
        run.code == Some(0)
    };
    assert!(clean(&["--skip", "rfc5280.4.2.1.3"]));
    assert!(clean(&["--skip", "decoder,rfc5280.4.2.1.3.ca_without_key_usage"]));
    assert!(clean(&["--only", "rfc5280.4.2.1.9"]));
    assert!(!clean(&["--only", "rfc5280.4.2.1"]));
    assert!(!clean(&["--severity", "error"]));
    let run = tagwise(&["lint", "--only", "rfc5280.4.2.1.3.key_usage", &path]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("did you mean rfc5280.4.2.1.3.ca_without_key_usage?"), "{}", run.err);
    // The beginning of a name is no beginning of an identifier.
    assert_eq!(tagwise(&["lint", "--only", "rfc5280.4.2.1.3.ca_", &path]).code, Some(2));
}

#[test]
fn lists_and_explanations() {
    let run = tagwise(&["lint", "--list", "--json"]);
    assert_eq!(run.code, Some(0));
    let document = json(&run);
    assert_eq!(document["schema"], "tagwise.lints/1");
    let lints = document["lints"].as_array().unwrap();
    let ids: BTreeSet<&str> = lints.iter().map(|lint| lint["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), lints.len());
    assert!(ids.len() > tagwise_pkix::lint::ALL.len());
    let text = tagwise(&["lint", "--list"]).out;
    for id in ids {
        assert!(text.contains(id), "{id}");
        let run = tagwise(&["lint", "--explain", id]);
        assert_eq!(run.code, Some(0), "{id}");
    }
    let run = tagwise(&["lint", "--explain", "rfc5280.4.2.1.9.not_critical"]);
    assert!(run.out.starts_with("rfc5280.4.2.1.9.not_critical\n"), "{}", run.out);
    assert!(run.out.contains("error, of certificates, by RFC 5280 §4.2.1.9"), "{}", run.out);
    assert_eq!(tagwise(&["lint", "--explain", "nonsense"]).code, Some(2));
    assert_eq!(tagwise(&["lint"]).code, Some(2));
}

/// The parts of SARIF 2.1.0 that must be there, and that point at each other.
fn sarif(run: &Run) -> Value {
    let log = json(run);
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-2.1.0.json"));
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "tagwise");
    let rules = driver["rules"].as_array().unwrap();
    let ids: BTreeSet<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len());
    for rule in rules {
        assert!(rule["shortDescription"]["text"].is_string());
        assert!(matches!(rule["defaultConfiguration"]["level"].as_str(), Some("error" | "warning")));
    }
    let artifacts = run["artifacts"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(matches!(result["level"].as_str(), Some("error" | "warning")));
        assert!(result["message"]["text"].is_string());
        let location = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let artifact = &artifacts[usize::try_from(location["index"].as_u64().unwrap()).unwrap()];
        assert_eq!(artifact["location"]["uri"], location["uri"]);
    }
    log
}

#[test]
fn sarif_of_der_and_pem() {
    let bad = without_key_usage();
    let two = [bad.as_slice(), &bad].concat();
    let path = file("two of them.der", &two);
    let run = tagwise(&["lint", "--sarif", &path, &data("negative.pem"), "/nowhere/at all"]);
    assert_eq!(run.code, Some(3));
    let log = sarif(&run);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let regions: Vec<&Value> = results
        .iter()
        .filter(|result| result["ruleId"] == "rfc5280.4.2.1.3.ca_without_key_usage")
        .map(|result| &result["locations"][0]["physicalLocation"]["region"])
        .collect();
    assert_eq!(regions[0]["byteOffset"], 135);
    assert_eq!(regions[1]["byteOffset"], 135 + bad.len());
    assert_eq!(two[135], 0x30);
    assert_eq!(regions[0]["byteLength"].as_u64().unwrap(), u64::from(two[136]) + 2);
    assert!(run.out.contains("two%20of%20them.der"));
    let negative = results.iter().find(|result| result["ruleId"] == "decoder.negative-serial").unwrap();
    assert!(negative["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap() >= 1);
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    for args in [&["lint"][..], &["lint", "--json"], &["lint", "--sarif"]] {
        let run = tagwise(&[args, &[data("hostile.pem").as_str()]].concat());
        let hidden = |char: char| char.is_control() && char != '\n' || ('\u{202A}'..='\u{202E}').contains(&char);
        assert!(!run.out.contains(hidden) && !run.err.contains(hidden), "{}", run.out);
    }
}

#[test]
fn files_that_hold_nothing() {
    let run = tagwise(&["lint", "/nowhere"]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("cannot be read"), "{}", run.err);
    let run = tagwise_with(&["lint", "-"], b"");
    assert_eq!((run.code, run.err.as_str()), (Some(1), "tagwise: standard input: the file is empty\n"));
    // All are looked at all the same.
    let run = tagwise(&["lint", "/nowhere", &file("rest.der", &der("root.pem"))]);
    assert_eq!(run.code, Some(3));
    assert!(run.out.contains("1 certificate: "), "{}", run.out);
}
