//! Public keys on their own: those of the corpora decode strictly and encode to the same octets, and keys of the wrong length
//! do not.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::{Decode, encode};
use tagwise_pkix::{SubjectPublicKeyInfo, profile};
use tagwise_tests::build::{element, parts};
use tagwise_tests::corpora;

#[test]
fn ml_dsa_and_ml_kem() {
    let Some(folder) = corpora::set("lamps-pqc") else { return };
    let (mut keys, mut bad) = (0, 0);
    for (name, file) in corpora::files(&folder) {
        for (label, octets) in corpora::contents(&file) {
            if label.as_deref() == Some("PUBLIC KEY") && name.ends_with(".pub") {
                let key = SubjectPublicKeyInfo::from_der(&octets).unwrap();
                assert_eq!(encode(&key).unwrap(), octets);
                // The same key, an octet short.
                let bits = key.subject_public_key.as_bytes();
                let short = [&[0], &bits[..bits.len() - 1]].concat();
                let algorithm = encode(&key.algorithm).unwrap();
                let short = parts(0x30, &[&algorithm, &element(0x03, &short)]);
                let error = SubjectPublicKeyInfo::from_der(&short).unwrap_err();
                assert_eq!(error.rule(), Some(&profile::PUBLIC_KEY), "{name}");
                keys += 1;
            }
            if name.contains("/bad-") {
                assert_eq!(
                    label.as_deref(),
                    Some("PRIVATE KEY"),
                    "{name}: a certificate or public key that must be refused"
                );
                bad += 1;
            }
        }
    }
    assert_eq!((keys, bad), (6, 7));
}

/// The table names the rule, also where there are no octets to be at fault.
#[test]
fn an_empty_key() {
    let der = parts(0x30, &[b"\x30\x05\x06\x03\x2B\x65\x70", &[0x03, 0x01, 0x00]]);
    let error = SubjectPublicKeyInfo::from_der(&der).unwrap_err();
    assert_eq!((error.code(), error.path(), error.offset()), ("public-key", "subjectPublicKey", der.len() - 1));
}
