//! `tagwise ca issue` with profiles that require timestamps of logs, which run on the loopback interface.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod common;
#[path = "common/ctlog.rs"]
mod ctlog;
#[path = "../../../crates/mtc/ct/tests/common/mod.rs"]
mod log;

use std::process::Command;

use common::{Run, tagwise};
use ctlog::{Manner, Served};
use log::TestLog;
use tagwise_crypto::backends::AwsLc;
use tagwise_path::{Anchor, Anchors, CryptoVerifier, LogList, Policy, Pool, Profile, SctPolicy, verify};
use tagwise_pkix::ext::SctList;
use tagwise_pkix::{CertificateBuf, UnixTime, oids};

static BACKEND: AwsLc = AwsLc::new();

struct Lab {
    folder: tempfile::TempDir,
    logs: Vec<Served>,
}

impl Lab {
    fn new(logs: usize) -> Self {
        let lab = Self {
            folder: tempfile::tempdir().unwrap(),
            logs: (0..logs).map(|_| Served::start(TestLog::new())).collect(),
        };
        let (db, root) = (lab.at("ca.db"), lab.at("root.pem"));
        let run = tagwise(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &root]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        lab
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn profile(&self, timestamps: usize, operators: usize) -> String {
        let mut text = "name = 'logged'\nextended-key-usage = ['serverAuth']\n[certificate-transparency]\n".to_owned();
        text.push_str(&format!("timestamps = {timestamps}\noperators = {operators}\n"));
        for (index, served) in self.logs.iter().enumerate() {
            let (url, key) = (served.url(), served.key());
            text.push_str("[[certificate-transparency.logs]]\n");
            text.push_str(&format!("url = '{url}'\nkey = '{key}'\noperator = 'O{}'\n", index / 2));
        }
        let path = self.at("logged.toml");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn issue(&self, profile: &str, name: &str, more: &[&str]) -> Run {
        let (db, key, file) = (self.at("ca.db"), self.at(&format!("{name}.key")), self.at(&format!("{name}.pem")));
        let _ = std::fs::remove_file(&key);
        let new = ["--new-key", "ecdsa-p256", "--key-out", &key, "--key-no-passphrase", "-o", &file];
        let issue = ["ca", "issue", "--db", &db, "--profile", profile, "--dns", name, "--log-timeout", "1"];
        tagwise(&[&issue[..], &new, more].concat())
    }

    fn certificate(&self, name: &str) -> CertificateBuf {
        CertificateBuf::from_pem(std::fs::read(self.at(&format!("{name}.pem"))).unwrap()).unwrap()
    }

    /// Validates a certificate with a policy that requires timestamps of this many logs.
    fn is_valid(&self, certificate: &CertificateBuf, timestamps: usize) -> bool {
        let root = CertificateBuf::from_pem(std::fs::read(self.at("root.pem")).unwrap()).unwrap();
        let mut anchors = Anchors::new();
        anchors.add(Anchor::from_certificate(root.as_der()).unwrap());
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        let mut policy = Policy::new(&Profile::RFC5280, UnixTime(now as i64));
        let logs: LogList = self.logs.iter().map(|served| served.log.lock().unwrap().log()).collect();
        policy.scts = Some(SctPolicy::new(logs, timestamps, 0));
        policy.enable("scts").unwrap();
        verify::path(certificate.as_der(), &Pool::new(), &anchors, &policy, &CryptoVerifier(&BACKEND)).is_ok()
    }
}

#[test]
fn certificates_contain_verified_timestamps() {
    let lab = Lab::new(3);
    let profile = lab.profile(2, 1);
    let run = tagwise(&["ca", "profile", "check", &profile]);
    assert!(run.code == Some(0) && run.out.contains("good"), "{}", run.err);
    let run = lab.issue(&profile, "www.example.org", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.err.matches(": timestamp of http://127.0.0.1:").count(), 2, "{}", run.err);
    let certificate = lab.certificate("www.example.org");
    let tbs = &certificate.get().tbs_certificate;
    let extensions = tbs.extensions.unwrap();
    assert_eq!(extensions.get::<SctList<'_>>().unwrap().unwrap().iter().count(), 2);
    assert!(extensions.find(oids::CT_POISON).unwrap().is_none());
    assert!(lab.is_valid(&certificate, 2) && !lab.is_valid(&certificate, 3));
    // The third log was not asked. Each log has the precertificate with the same serial number.
    let counts: Vec<usize> = lab.logs.iter().map(|served| served.log.lock().unwrap().entries.len()).collect();
    assert_eq!(counts, [1, 1, 0]);
    let logged = lab.logs[0].log.lock().unwrap().entries[0].precertificate.clone();
    let logged = CertificateBuf::from_der(logged).unwrap();
    assert_eq!(logged.get().tbs_certificate.serial_number, tbs.serial_number);
    assert!(logged.get().tbs_certificate.extensions.unwrap().find(oids::CT_POISON).unwrap().unwrap().critical);
    // One certificate, and the database is sound.
    let run = tagwise(&["ca", "list", "--db", &lab.at("ca.db")]);
    assert_eq!(run.out.matches("www.example.org").count(), 1, "{}", run.out);
    let run = tagwise(&["ca", "audit", "--db", &lab.at("ca.db")]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    // OpenSSL reads the list, and accepts the certificate.
    let (root, leaf) = (lab.at("root.pem"), lab.at("www.example.org.pem"));
    let shown = Command::new("openssl").args(["x509", "-in", &leaf, "-noout", "-text"]).output().unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    assert_eq!(text.matches("Signed Certificate Timestamp:").count(), 2, "{text}");
    let verified = Command::new("openssl").args(["verify", "-CAfile", &root, &leaf]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    // The log contains it.
    let (url, key) = (lab.logs[0].url(), lab.logs[0].key());
    let run = tagwise(&["ct", "verify", &url, &leaf, "--key", &key, "--issuer", &root]);
    assert!(run.code == Some(0) && run.out.contains("entry 0 of 1"), "{}{}", run.out, run.err);
    // Behind a CA certificate in the same file, the next certificate is checked.
    let (chain, twice) = (lab.at("chain.pem"), std::fs::read_to_string(&leaf).unwrap());
    std::fs::write(&chain, [&twice, &std::fs::read_to_string(&root).unwrap(), &twice].map(String::as_str).concat())
        .unwrap();
    let run = tagwise(&["ct", "verify", &url, &chain, "--key", &key, "--issuer", &root]);
    assert!(run.code == Some(0) && run.out.contains("certificate 3: entry 0 of 1"), "{}{}", run.out, run.err);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    // An issuer with the same name and another key is not the log's fault.
    let (other, subject) = (lab.at("other.pem"), CertificateBuf::from_pem(std::fs::read(&root).unwrap()).unwrap());
    let subject = subject.get().tbs_certificate.subject.to_string();
    let db = lab.at("other.db");
    let run = tagwise(&["ca", "init", "--db", &db, "--subject", &subject, "--no-passphrase", "-o", &other]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = tagwise(&["ct", "verify", &url, &leaf, "--key", &key, "--issuer", &other]);
    assert!(run.code == Some(4) && run.out.contains("is not its issuer's certificate"), "{}{}", run.out, run.err);
    let (url, key) = (lab.logs[2].url(), lab.logs[2].key());
    let run = tagwise(&["ct", "verify", &url, &leaf, "--key", &key, "--issuer", &root]);
    assert!(run.code == Some(1) && run.out.contains("no timestamp of this log"), "{}{}", run.out, run.err);
}

#[test]
fn failing_logs_are_replaced() {
    let lab = Lab::new(3);
    let profile = lab.profile(2, 1);
    for (index, (manner, words)) in [
        (Manner::WrongKey, "from another log"),
        (Manner::BadSignature, "does not verify"),
        (Manner::Garbage, "timestamp: "),
        (Manner::Future, "in the future"),
        (Manner::Past, "before the precertificate"),
        (Manner::Status(400, 99), "status 400"),
        (Manner::Status(500, 99), "status 500"),
        (Manner::Silent, "exceeded the time"),
    ]
    .into_iter()
    .enumerate()
    {
        lab.logs[0].be(manner.clone());
        let name = format!("n{index}.example.org");
        let run = lab.issue(&profile, &name, &[]);
        assert_eq!(run.code, Some(0), "{manner:?}: {}", run.err);
        assert!(run.err.contains("no timestamp: ") && run.err.contains(words), "{manner:?}: {}", run.err);
        assert!(lab.is_valid(&lab.certificate(&name), 2), "{manner:?}");
    }
    // A busy log is asked again.
    let asked = lab.logs[0].seen.lock().unwrap().len();
    lab.logs[0].be(Manner::Status(503, asked + 1));
    let run = lab.issue(&profile, "busy.example.org", &[]);
    assert!(run.code == Some(0) && !run.err.contains("no timestamp"), "{}", run.err);
    assert_eq!(lab.logs[0].seen.lock().unwrap().len(), asked + 2);
}

#[test]
fn a_precertificate_without_timestamps_counts_as_issued() {
    let lab = Lab::new(2);
    let profile = lab.profile(2, 1);
    lab.logs[1].be(Manner::WrongKey);
    let run = lab.issue(&profile, "www.example.org", &[]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("no certificate was issued: 1 of 2 required timestamps"), "{}", run.err);
    assert!(!std::path::Path::new(&lab.at("www.example.org.pem")).exists());
    // The serial number is in the database, and can be revoked.
    let serial = run.err.split("precertificate ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let db = lab.at("ca.db");
    let run = tagwise(&["ca", "list", "--db", &db]);
    assert!(run.out.contains("www.example.org"), "{}", run.out);
    let run = tagwise(&["ca", "revoke", &serial, "--db", &db]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(tagwise(&["ca", "audit", "--db", &db]).code, Some(0));
}

#[test]
fn operators_differ() {
    let lab = Lab::new(4);
    let profile = lab.profile(2, 2);
    let run = lab.issue(&profile, "www.example.org", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let counts: Vec<usize> = lab.logs.iter().map(|served| served.log.lock().unwrap().entries.len()).collect();
    assert_eq!(counts, [1, 0, 1, 0]);
    // If no log of a second operator answers, nothing is issued.
    lab.logs[2].be(Manner::Garbage);
    lab.logs[3].be(Manner::Garbage);
    let run = lab.issue(&profile, "mail.example.org", &[]);
    assert!(run.code == Some(1) && run.err.contains("operators: 1 of 2"), "{}", run.err);
}

#[test]
fn only_single_requests_are_logged() {
    let lab = Lab::new(1);
    let profile = lab.profile(1, 1);
    let (db, folder) = (lab.at("ca.db"), lab.at("out"));
    let mut requests = Vec::new();
    for name in ["a", "b"] {
        let (key, csr) = (lab.at(&format!("{name}.key")), lab.at(&format!("{name}.csr")));
        let new = ["csr", "new", "--new-key", "ecdsa-p256", "--key-out", &key, "--no-passphrase", "--dns", "a.example"];
        let run = tagwise(&[&new[..], &["-o", &csr]].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        requests.push(csr);
    }
    let batch = ["ca", "issue", &requests[0], &requests[1], "--db", &db, "--profile", &profile, "-o", &folder];
    let run = tagwise(&batch);
    assert!(run.code == Some(1) && run.err.contains("requires timestamps"), "{}", run.err);
    assert!(lab.logs[0].seen.lock().unwrap().is_empty());
    // The check of the profile says so.
    let run = tagwise(&["ca", "profile", "check", &profile]);
    assert!(
        run.code == Some(0) && run.out.contains(": good; only for `tagwise ca issue` with one request"),
        "{}",
        run.out
    );
    for wrong in ["timestamps = 2", "operators = 2", "logs = []"] {
        let text = format!("name = 'a'\n[certificate-transparency]\n{wrong}\n");
        let logs = format!("[[certificate-transparency.logs]]\nurl = 'http://a/'\nkey = '{}'\n", lab.logs[0].key());
        let path = lab.at("wrong.toml");
        std::fs::write(&path, if wrong == "logs = []" { text } else { text + &logs }).unwrap();
        assert_eq!(tagwise(&["ca", "profile", "check", &path]).code, Some(1), "{wrong}");
    }
}
