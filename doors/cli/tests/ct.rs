//! `tagwise ct`: logs on the loopback interface, with both APIs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod common;
#[path = "common/ctlog.rs"]
mod ctlog;
#[path = "../../../crates/mtc/ct/tests/common/mod.rs"]
mod log;

use std::path::Path;

use common::{Run, tagwise};
use ctlog::Served;
use log::TestLog;
use serde_json::Value;
use tagwise_codec::Decode;
use tagwise_ct::LogEntry;
use tagwise_pkix::{Certificate, CertificateBuf};

fn served(has_api: bool, entries: usize) -> Served {
    let mut log = TestLog::new();
    log.has_api = has_api;
    log.add_many(entries, 1);
    Served::start(log)
}

fn ct(verb: &str, served: &Served, more: &[&str]) -> Run {
    tagwise(&[&["ct", verb, &served.url(), "--key", &served.key()], more].concat())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A CA with two certificates, in files.
fn certificates(folder: &Path) -> Vec<Vec<u8>> {
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let run = |args: &[&str]| {
        let run = tagwise(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    };
    run(&["ca", "init", "--db", &at("ca.db"), "--subject", "CN=Root", "--no-passphrase", "-o", &at("root.pem")]);
    let mut all = Vec::new();
    for name in ["www.example.org", "www.example.com"] {
        let (key, file) = (at(&format!("{name}.key")), at(&format!("{name}.pem")));
        let new = ["--new-key", "ecdsa-p256", "--key-out", &key, "--key-no-passphrase"];
        run(&[&["ca", "issue", "--db", &at("ca.db"), "--dns", name, "-o", &file], &new[..]].concat());
        all.push(CertificateBuf::from_pem(std::fs::read(&file).unwrap()).unwrap().to_der());
    }
    all
}

#[test]
fn tree_heads() {
    for has_api in [true, false] {
        let served = served(has_api, 300);
        let run = ct("show", &served, &[]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.out.contains("Entries:   300\n") && run.out.contains("Signature: valid"), "{}", run.out);
        let run = ct("show", &served, &["--json"]);
        common::documents::check(&run.out);
        let other = TestLog::new().key_text();
        let run = tagwise(&["ct", "show", &served.url(), "--key", &other]);
        assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
        served.log.lock().unwrap().time += 3_600_000;
        let run = ct("show", &served, &[]);
        assert!(run.code == Some(1) && run.out.is_empty() && run.err.contains("is from the future"), "{}", run.err);
    }
    let run = tagwise(&["ct", "show", "http://127.0.0.1:9", "--key", &TestLog::new().key_text()]);
    assert_eq!(run.code, Some(3), "{}", run.err);
    let run = tagwise(&["ct", "show", "http://127.0.0.1:9", "--key", "AAAA"]);
    assert_eq!(run.code, Some(3), "{}", run.err);
}

#[test]
fn entries_by_number() {
    for has_api in [true, false] {
        let served = served(has_api, 300);
        let run = ct("get", &served, &["--start", "250", "--end", "260"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let found = lines(&run.out);
        let indexes: Vec<u64> = found.iter().map(|line| line["index"].as_u64().unwrap()).collect();
        assert_eq!(indexes, (250..260).collect::<Vec<_>>());
        // Garbage is reported, never omitted.
        assert!(found.iter().all(|line| line["error"].is_string() && line["subject"].is_null()));
        common::documents::check(&run.out);
        let run = ct("get", &served, &["--start", "290", "--end", "310"]);
        assert!(run.code == Some(1) && run.err.contains("the log has only 300 entries"), "{}", run.err);
        served.log.lock().unwrap().wrong = Some(255);
        let run = ct("get", &served, &["--start", "250", "--end", "260"]);
        assert!(
            run.code == Some(1) && run.err.contains("wrong leaves") && run.out.is_empty(),
            "{}{}",
            run.out,
            run.err
        );
    }
}

#[test]
fn names_and_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let all = certificates(folder.path());
    let root = CertificateBuf::from_pem(std::fs::read(folder.path().join("root.pem")).unwrap()).unwrap();
    let key = tagwise_codec::encode(&root.get().tbs_certificate.subject_public_key_info).unwrap();
    for has_api in [true, false] {
        let served = served(has_api, 0);
        {
            let mut log = served.log.lock().unwrap();
            for der in &all {
                let read = Certificate::outline(der).unwrap();
                let entry = LogEntry::precert(read.tbs_certificate.as_bytes(), &key).unwrap();
                log.add(&entry, der, vec![root.to_der()], 1_700_000_000_000);
            }
            for der in &all {
                log.add(&LogEntry::X509(der.clone()), &[], vec![root.to_der()], 1_700_000_000_001);
            }
            // The leaf is of the first certificate, but the precertificate is the second one.
            let read = Certificate::outline(&all[0]).unwrap();
            let entry = LogEntry::precert(read.tbs_certificate.as_bytes(), &key).unwrap();
            log.add(&entry, &all[1], vec![root.to_der()], 1_700_000_000_002);
        }
        let run = ct("watch", &served, &["--match", "*.example.org", "--der"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let found = lines(&run.out);
        common::documents::check(&run.out);
        let brief: Vec<(u64, &str)> =
            found.iter().map(|line| (line["index"].as_u64().unwrap(), line["type"].as_str().unwrap())).collect();
        assert_eq!(brief, [(0, "precertificate"), (2, "certificate"), (4, "precertificate")]);
        assert_eq!((&found[1]["partner"], &found[1]["pair"]), (&Value::from(0), &found[0]["pair"]));
        assert!(found[0]["finding"].is_null() && found[2]["finding"].as_str().unwrap().contains("does not match"));
        assert_eq!(found[1]["names"], serde_json::json!(["www.example.org"]));
        assert_eq!(found[1]["issuer"], "CN=Root");
        assert_eq!(found[1]["time"], "2023-11-14T22:13:20Z");
        assert!(found[1]["der"].is_string() && found[0]["issuer_key_sha256"].is_string());
        let run = ct("watch", &served, &["--match", "example.com"]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    }
    for wrong in ["a.*.org", "https://www.example.org/"] {
        let run = tagwise(&["ct", "watch", "http://127.0.0.1:9", "--key", "AAAA", "--match", wrong]);
        assert_eq!(run.code, Some(2), "{}", run.err);
    }
}

#[test]
fn runs_continue() {
    for has_api in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let served = served(has_api, 300);
        let (state, output) = (at("state"), at("found.ndjson"));
        let files = ["--state", &state, "-o", &output];
        let run = ct("watch", &served, &[&files[..], &["--most", "120"]].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.err.contains("120 entries read and verified, up to 120 of 300"), "{}", run.err);
        // A run that was killed after it had written lines, but before it stored the state.
        let before = std::fs::read(&output).unwrap();
        std::fs::write(&output, [&before[..], b"{\"index\":120,\"half a li"].concat()).unwrap();
        assert_eq!(ct("watch", &served, &files).code, Some(0));
        served.log.lock().unwrap().add_many(50, 2);
        served.log.lock().unwrap().time += 1000;
        assert_eq!(ct("watch", &served, &files).code, Some(0));
        assert_eq!(ct("watch", &served, &files).code, Some(0));
        let found = lines(&std::fs::read_to_string(&output).unwrap());
        let indexes: Vec<u64> = found.iter().map(|line| line["index"].as_u64().unwrap()).collect();
        assert_eq!(indexes, (0..350).collect::<Vec<_>>());
        // Lost lines are noticed.
        std::fs::write(&output, &before).unwrap();
        let run = ct("watch", &served, &files);
        assert!(run.code == Some(1) && run.err.contains("lines are lost"), "{}", run.err);
        // A state belongs to one log.
        let other = TestLog::new().key_text();
        let run = tagwise(&["ct", "watch", &served.url(), "--key", &other, "--state", &state]);
        assert!(run.code == Some(1) && run.err.contains("another log"), "{}", run.err);
        let run = ct("watch", &served, &["--state", &at("new"), "--from-now"]);
        assert!(run.code == Some(0) && run.out.is_empty() && run.err.contains("up to 350 of 350"), "{}", run.err);
    }
}

#[test]
fn hostile_logs() {
    for has_api in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state").to_str().unwrap().to_owned();
        let served = served(has_api, 300);
        let watch = || ct("watch", &served, &["--state", &state]);
        assert_eq!(watch().code, Some(0));
        let stored = std::fs::read(&state).unwrap();
        served.log.lock().unwrap().size = Some(299);
        let run = watch();
        assert!(run.code == Some(1) && run.err.contains("rollback: the tree has 299 entries"), "{}", run.err);
        // A run that fails does not change the state, and creates none.
        let (other, new) = (folder.path().join("other"), folder.path().join("new"));
        let run = ct("watch", &served, &["--state", &state, "-o", other.to_str().unwrap()]);
        assert_eq!((run.code, std::fs::read(&state).unwrap()), (Some(1), stored.clone()), "{}", run.err);
        let key = TestLog::new().key_text();
        let run = tagwise(&["ct", "watch", &served.url(), "--key", &key, "--state", new.to_str().unwrap()]);
        assert!(run.code == Some(1) && !new.exists(), "{}", run.err);
        {
            let mut log = served.log.lock().unwrap();
            log.size = None;
            log.entries.clear();
            log.add_many(300, 2);
        }
        let run = watch();
        assert!(run.code == Some(1) && run.err.contains("fork: two trees of 300 entries"), "{}", run.err);
        served.log.lock().unwrap().add_many(40, 2);
        let run = watch();
        assert!(run.code == Some(1) && run.err.contains("fork: ") && run.out.is_empty(), "{}", run.err);
        assert_eq!(std::fs::read(&state).unwrap(), stored);
    }
}

#[test]
fn stale_tree_heads() {
    for has_api in [true, false] {
        let served = served(has_api, 3);
        served.log.lock().unwrap().time -= 90_000_000;
        let run = ct("watch", &served, &[]);
        assert!(run.code == Some(1) && run.err.contains("stale: "), "{}", run.err);
        assert_eq!(lines(&run.out).len(), 3);
        let run = ct("watch", &served, &["--frozen"]);
        assert!(run.code == Some(0) && !run.err.contains("stale"), "{}", run.err);
    }
}

#[test]
fn files_of_runs() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let served = served(true, 3);
    let (state, output) = (at("state"), at("found.ndjson"));
    let run = ct("watch", &served, &["--state", &state, "-o", &state]);
    assert!(run.code == Some(2) && run.err.contains("the same file"), "{}", run.err);
    let files = ["--state", &state, "-o", &output];
    assert_eq!(ct("watch", &served, &files).code, Some(0));
    for (held, options) in [(at("state.lock"), &files[..2]), (output.clone(), &files[2..])] {
        let file = std::fs::File::options().write(true).open(&held).unwrap();
        rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).unwrap();
        let run = ct("watch", &served, options);
        assert!(run.code == Some(3) && run.err.contains("another run is using it"), "{}", run.err);
    }
    assert_eq!(ct("watch", &served, &files).code, Some(0));
    for wrong in ["", "{}", "{\"schema\":\"ct-state/1\",\"log\":\"\",\"state\":{}}"] {
        std::fs::write(&state, wrong).unwrap();
        let run = ct("watch", &served, &files);
        assert_eq!(run.code, Some(3), "{wrong}: {}", run.err);
    }
}
