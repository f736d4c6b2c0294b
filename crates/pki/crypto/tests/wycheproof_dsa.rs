//! Wycheproof's sets of DSA: what is valid verifies, what is invalid does not.
#![cfg(all(feature = "aws-lc", feature = "dsa"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use tagwise_codec::Decode;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{ErrorKind, verify, verify_legacy};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};
use wycheproof::TestResult;
use wycheproof::dsa::{TestName, TestSet};

#[test]
fn dsa() {
    let backend = AwsLc::new();
    let (mut valid, mut invalid) = (0, 0);
    for (name, algorithm) in [
        (TestName::Dsa2048_224Sha224, oids::DSA_WITH_SHA224),
        (TestName::Dsa2048_224Sha256, oids::DSA_WITH_SHA256),
        (TestName::Dsa2048_256Sha256, oids::DSA_WITH_SHA256),
        (TestName::Dsa3072_256Sha256, oids::DSA_WITH_SHA256),
    ] {
        let algorithm = AlgorithmIdentifier { algorithm, parameters: None };
        for group in TestSet::load(name).unwrap().test_groups {
            let key = SubjectPublicKeyInfo::from_der(&group.der).unwrap();
            for test in &group.tests {
                let found = verify_legacy(&backend, &key, &algorithm, &test.msg, &test.sig);
                match test.result {
                    TestResult::Valid => {
                        found.unwrap_or_else(|error| panic!("{name:?} {}: {error}", test.tc_id));
                        valid += 1;
                    }
                    // What is acceptable is BER; a signature is DER (RFC 3279 §2.2.2).
                    _ => {
                        assert_eq!(found.unwrap_err().kind(), ErrorKind::Signature, "{name:?} {}", test.tc_id);
                        invalid += 1;
                    }
                }
            }
            let test = &group.tests[0];
            let refused = verify(&backend, &key, &algorithm, &test.msg, &test.sig).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Legacy);
        }
    }
    assert_eq!((valid, invalid), (296, 1136));
}

#[test]
fn keys_and_parameters() {
    let backend = AwsLc::new();
    let group = &TestSet::load(TestName::Dsa2048_224Sha256).unwrap().test_groups[0];
    let test = group.tests.iter().find(|test| test.result == TestResult::Valid).unwrap();
    let key = SubjectPublicKeyInfo::from_der(&group.der).unwrap();
    let algorithm = AlgorithmIdentifier { algorithm: oids::DSA_WITH_SHA256, parameters: None };
    let kind = |key: &SubjectPublicKeyInfo<'_>, algorithm: &AlgorithmIdentifier<'_>| {
        verify_legacy(&backend, key, algorithm, &test.msg, &test.sig).map_err(|error| error.kind())
    };
    assert_eq!(kind(&key, &algorithm), Ok(()));
    // Without the issuer's parameters, which a path adds (RFC 5280 §6.1.4 (d)).
    let mut bare = key;
    bare.algorithm.parameters = None;
    assert_eq!(kind(&bare, &algorithm), Err(ErrorKind::MalformedKey));
    // Another kind of key; parameters where there are none; a key whose p is no length of FIPS 186.
    let mut other = key;
    other.algorithm.algorithm = oids::RSA_ENCRYPTION;
    assert_eq!(kind(&other, &algorithm), Err(ErrorKind::WrongKey));
    let with = AlgorithmIdentifier { parameters: key.algorithm.parameters, ..algorithm };
    assert_eq!(kind(&key, &with), Err(ErrorKind::Parameters));
    let small = tagwise_codec::Any::from_der(b"\x30\x09\x02\x01\x17\x02\x01\x0b\x02\x01\x02").unwrap();
    let mut weak = key;
    weak.algorithm.parameters = Some(small);
    assert_eq!(kind(&weak, &algorithm), Err(ErrorKind::KeySize));
}
