//! Timestamps of certificate transparency logs (RFC 6962), made by hand and signed by the embedded backend.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(all(feature = "crypto", feature = "log-list"))]

use std::sync::Arc;

use tagwise_codec::Decode as _;
use tagwise_codec::text::base64;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend as _, Digest, KeyType, PrivateKey, Scheme};
use tagwise_path::{
    CryptoVerifier, Log, LogList, LogState, Path, Report, Rule, SctOrigin, SctPolicy, SignatureFault, Verifier, verify,
};
use tagwise_path_testing::evidence::Ocsp;
use tagwise_path_testing::*;
use tagwise_pkix::build::Digest as Sha;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime, oids};

/// Certificates are signed as in other tests, timestamps in earnest.
struct Both(AwsLc);

impl Verifier for Both {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        let is_log =
            algorithm.algorithm == oids::ECDSA_WITH_SHA256 || algorithm.algorithm == oids::SHA256_WITH_RSA_ENCRYPTION;
        if is_log {
            CryptoVerifier(&self.0).verify(key, algorithm, message, signature)
        } else {
            KeyIsSignature.verify(key, algorithm, message, signature)
        }
    }
}

/// A log that signs.
struct Signer {
    key: Arc<dyn PrivateKey>,
    rsa: bool,
}

impl Signer {
    fn new(kind: KeyType) -> Self {
        let key = AwsLc::new().generate(kind).unwrap();
        Self { key, rsa: !matches!(kind, KeyType::P256) }
    }

    fn log(&self, operator: &str) -> Log {
        Log::new(self.key.public_key_info(), operator, format!("{operator}'s log")).unwrap()
    }

    /// A timestamp, an item of a list, for what stands after the time in the signed octets.
    fn sign(&self, time: UnixTime, entry: &[u8]) -> Vec<u8> {
        let timestamp = (time.0 as u64 * 1000 + 123).to_be_bytes();
        let message = [&[0, 0], &timestamp[..], entry, &[0, 0]].concat();
        let scheme = if self.rsa { Scheme::RsaPkcs1(Digest::Sha256) } else { Scheme::Ecdsa(Digest::Sha256) };
        let signature = self.key.sign(&scheme, &message).unwrap();
        let id = Sha::Sha256.of(self.key.public_key_info());
        let algorithm = [4, if self.rsa { 1 } else { 3 }];
        let sct = [&[0], &id[..], &timestamp, &[0, 0], &algorithm, &vector(2, &signature)].concat();
        vector(2, &sct)
    }
}

/// `opaque <0..2^(8·width)-1>`
fn vector(width: usize, octets: &[u8]) -> Vec<u8> {
    [&octets.len().to_be_bytes()[8 - width..], octets].concat()
}

fn certificate(spec: &Spec) -> Vec<u8> {
    [&[0, 0], &vector(3, &spec.der())[..]].concat()
}

/// The entry of a precertificate that has no poison and no timestamps.
fn precertificate(spec: &Spec, issuer_key: &[u8]) -> Vec<u8> {
    let der = spec.der();
    // The header of the certificate is as long as it is long.
    let whole = tagwise_codec::Any::outline(&der).unwrap();
    let tbs = whole.children().next().unwrap().unwrap().as_bytes();
    [&[0, 1], &Sha::Sha256.of(issuer_key)[..], &vector(3, tbs)].concat()
}

/// The root's SubjectPublicKeyInfo.
fn root_key() -> Vec<u8> {
    let algorithm = sequence(&[&element(0x06, &[ALGORITHM])]);
    sequence(&[&algorithm, &element(0x03, &[&[0], b"root"])])
}

/// An extension of Google's arc for certificate transparency.
fn ct_extension(arc: u8, list: &[u8]) -> Vec<u8> {
    let id = [0x06, 0x0A, 0x2B, 6, 1, 4, 1, 0xD6, 0x79, 2, 4, arc];
    sequence(&[&id, &element(0x04, &[&element(0x04, &[list])])])
}

fn leaf() -> Spec {
    Spec::leaf("Leaf", "Root", "root")
}

fn embedded(leaf: &Spec, timestamps: &[Vec<u8>]) -> Spec {
    let mut leaf = leaf.clone();
    leaf.extensions.insert(1, ct_extension(2, &vector(2, &timestamps.concat())));
    leaf
}

fn check(leaf: &Spec, policy: SctPolicy, ocsp: Option<Ocsp>) -> Result<Path, Report> {
    let mut all = policy_of(policy);
    ocsp.iter().for_each(|response| all.revocation.evidence.add_ocsp(response.der()));
    verify::path(&leaf.der(), &pool(&[]), &anchors(&[&root()]), &all, &Both(AwsLc::new()))
}

fn policy_of(scts: SctPolicy) -> tagwise_path::Policy {
    let mut all = policy();
    all.scts = Some(scts);
    all
}

#[track_caller]
fn refused(result: Result<Path, Report>, why: &str) {
    let report = result.expect_err("it has to be refused");
    let refusal = report.refusal().unwrap();
    assert_eq!(refusal.rule, Rule::Scts);
    assert!(refusal.message.contains(why), "{refusal}");
}

#[test]
fn embedded_timestamps() {
    let (one, two) = (Signer::new(KeyType::P256), Signer::new(KeyType::Rsa(2048)));
    let logs: LogList = [one.log("One"), two.log("Two")].into_iter().collect();
    let entry = precertificate(&leaf(), &root_key());
    let timestamps = [one.sign(NOW, &entry), two.sign(NOW, &entry)];
    let with = embedded(&leaf(), &timestamps);
    let path = check(&with, SctPolicy::new(logs.clone(), 2, 2), None).unwrap();
    let answers = &path.explanation.timestamps;
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().all(|answer| answer.fault.is_none() && answer.origin == SctOrigin::Certificate));
    assert_eq!((answers[0].operator.as_deref(), answers[0].time), (Some("One"), Some(NOW)));
    assert!(
        path.to_string()
            .contains("  timestamp of One's log (One), from the certificate, 2026-01-01T00:00:00Z: valid\n")
    );
    serde_json::from_str::<serde_json::Value>(&path.to_json()).unwrap();
    // No more is looked at than is asked for.
    assert_eq!(check(&with, SctPolicy::new(logs.clone(), 1, 1), None).unwrap().explanation.timestamps.len(), 1);
    // Counts: logs, not timestamps; operators, not logs.
    let twice = embedded(&leaf(), &[one.sign(NOW, &entry), one.sign(UnixTime(NOW.0 - 5), &entry)]);
    refused(check(&twice, SctPolicy::new(logs.clone(), 2, 1), None), "timestamps of 1 logs with 1 operators are valid");
    let same: LogList = [one.log("One"), two.log("One")].into_iter().collect();
    refused(check(&with, SctPolicy::new(same, 2, 2), None), "timestamps of 2 logs with 1 operators");
    refused(check(&leaf(), SctPolicy::new(logs.clone(), 1, 1), None), "timestamps of 0 logs");
    refused(check(&with, SctPolicy::new(LogList::default(), 1, 1), None), "the log is not trusted");
    // Of another certificate, of another issuer, of a certificate instead of a precertificate.
    for entry in [
        precertificate(&Spec { serial: 2, ..leaf() }, &root_key()),
        precertificate(&leaf(), b"another key"),
        certificate(&leaf()),
    ] {
        let with = embedded(&leaf(), &[one.sign(NOW, &entry)]);
        refused(check(&with, SctPolicy::new(logs.clone(), 1, 1), None), "does not verify with the log's key");
    }
    // §5.2
    let future = embedded(&leaf(), &[one.sign(UnixTime(NOW.0 + 1), &entry)]);
    refused(check(&future, SctPolicy::new(logs.clone(), 1, 1), None), "the timestamp is in the future");
    // The rule can be switched off.
    let mut off = policy_of(SctPolicy::new(logs, 9, 9));
    off.disable("scts").unwrap();
    assert!(verify::path(&leaf().der(), &pool(&[]), &anchors(&[&root()]), &off, &KeyIsSignature).is_ok());
}

/// Where the extension stands alone, the precertificate had no extensions.
#[test]
fn an_extension_that_stands_alone() {
    let one = Signer::new(KeyType::P256);
    let mut bare = leaf();
    bare.extensions.clear();
    let der = bare.der();
    let whole = tagwise_codec::Any::outline(&der).unwrap();
    let tbs = whole.children().next().unwrap().unwrap().as_bytes();
    let entry = [&[0, 1], &Sha::Sha256.of(&root_key())[..], &vector(3, tbs)].concat();
    let list = vector(2, &one.sign(NOW, &entry));
    bare.extensions.push(ct_extension(2, &list));
    let mut policy = policy_of(SctPolicy::new([one.log("One")].into_iter().collect(), 1, 1));
    policy.rules = policy.rules.without(Rule::Conformance);
    let result = verify::path(&bare.der(), &pool(&[]), &anchors(&[&root()]), &policy, &Both(AwsLc::new()));
    assert!(result.is_ok(), "{}", result.unwrap_err());
}

#[test]
fn timestamps_from_elsewhere() {
    let (one, two) = (Signer::new(KeyType::P256), Signer::new(KeyType::P256));
    let logs: LogList = [one.log("One"), two.log("Two")].into_iter().collect();
    let entry = certificate(&leaf());
    let mut policy = SctPolicy::new(logs, 2, 2);
    policy.stapled.push(vector(2, &one.sign(NOW, &entry)));
    let response = Ocsp {
        single_extensions: vec![ct_extension(5, &vector(2, &two.sign(NOW, &entry)))],
        ..Ocsp::new("Root", "root")
    };
    let path = check(&leaf(), policy.clone(), Some(response)).unwrap();
    let origins: Vec<SctOrigin> = path.explanation.timestamps.iter().map(|answer| answer.origin).collect();
    assert_eq!(origins, [SctOrigin::Handshake, SctOrigin::Ocsp]);
    refused(check(&leaf(), policy.clone(), None), "timestamps of 1 logs");
    // Cut off, and of a version that is not known.
    policy.stapled = vec![vec![0, 9, 0], vector(2, &vector(2, &[9, 9]))];
    refused(check(&leaf(), policy, None), "unknown version 10");
}

#[test]
fn states_of_logs() {
    let one = Signer::new(KeyType::P256);
    let with = embedded(&leaf(), &[one.sign(NOW, &precertificate(&leaf(), &root_key()))]);
    let asked = |change: &dyn Fn(&mut Log)| {
        let mut log = one.log("One");
        change(&mut log);
        check(&with, SctPolicy::new([log].into_iter().collect(), 1, 1), None)
    };
    for state in [LogState::Qualified, LogState::Usable, LogState::ReadOnly, LogState::Retired(UnixTime(NOW.0 + 1))] {
        assert!(asked(&|log| log.state = state).is_ok(), "{state:?}");
    }
    refused(asked(&|log| log.state = LogState::Pending), "not yet accepted");
    refused(asked(&|log| log.state = LogState::Rejected), "rejected");
    refused(asked(&|log| log.state = LogState::Retired(NOW)), "retired on 2026-01-01T00:00:00Z");
    // The certificate ends on 2040-01-01.
    let end = 2_208_988_800;
    assert!(asked(&|log| log.interval = Some((UnixTime(end), UnixTime(end + 1)))).is_ok());
    for (first, after) in [(end + 1, end + 2), (end - 1, end)] {
        refused(
            asked(&|log| log.interval = Some((UnixTime(first), UnixTime(after)))),
            "certificates with this expiry date",
        );
    }
}

/// A list as Chrome publishes it.
#[test]
fn lists_in_json() {
    let signers = [Signer::new(KeyType::P256), Signer::new(KeyType::P256), Signer::new(KeyType::Rsa(2048))];
    let log = |signer: &Signer, rest: &str| {
        let key = signer.key.public_key_info();
        let id = base64::encode(&Sha::Sha256.of(key));
        format!(r#"{{"description": "A log", "log_id": "{id}", "key": "{}", "mmd": 86400{rest}}}"#, base64::encode(key))
    };
    let usable = r#", "url": "https://log.example/", "state": {"usable": {"timestamp": "2024-09-30T22:19:27Z"}},
        "temporal_interval": {"start_inclusive": "2026-01-01T00:00:00Z", "end_exclusive": "2026-07-01T00:00:00Z"}"#;
    let retired = r#", "state": {"retired": {"timestamp": "2025-01-02T03:04:05.678Z"}}"#;
    let json = format!(
        r#"{{"version": "76.1", "operators": [
            {{"name": "One", "email": [], "logs": [{}, {}], "tiled_logs": []}},
            {{"name": "Two", "logs": [], "tiled_logs": [{}]}}]}}"#,
        log(&signers[0], usable),
        log(&signers[1], retired),
        log(&signers[2], "")
    );
    let list = LogList::from_json(json.as_bytes()).unwrap();
    let read: Vec<_> = list.iter().map(|log| (log.operator.as_str(), log.state)).collect();
    let retired = LogState::Retired(UnixTime(1_735_787_045));
    assert_eq!(read, [("One", LogState::Usable), ("One", retired), ("Two", LogState::Pending)]);
    let first = list.iter().next().unwrap();
    assert_eq!(first.interval, Some((UnixTime(1_767_225_600), UnixTime(1_782_864_000))));
    assert_eq!(list.get(&first.id).unwrap().key, signers[0].key.public_key_info());
    for (from, to, error) in [
        ("\"name\": \"One\"", "\"nom\": 1", "log list: operators[0].name: expected a string"),
        ("\"usable\"", "\"useful\"", "log list: operators[0].logs[0].state: useful is not a log state"),
        ("2026-07-01T00:00:00Z", "2026-02-30T00:00:00Z", "temporal_interval.end_exclusive: expected a time"),
        ("\"log_id\": \"", "\"log_id\": \"AA", "operators[0].logs[0].log_id"),
        ("\"key\": \"", "\"key\": \"*", "operators[0].logs[0].key: expected base64"),
        ("[", "[[", "log list: "),
    ] {
        let text = LogList::from_json(json.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
        assert!(text.contains(error), "{text}");
    }
}
