//! Faults at each byte of signed certificates, with real signatures by RSA and ECDSA: no fault below the anchor is accepted.

#![cfg(feature = "crypto")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tagwise_codec::oid;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeyType, PrivateKey, Scheme};
use tagwise_path::{Anchor, Anchors, CryptoVerifier, OidBuf, Policy, Pool, Profile, verify};
use tagwise_path_testing::NOW;
use tagwise_path_testing::chains::{Chain, Keys};

/// Keys of one type, generated when they are first used.
struct Generated {
    backend: AwsLc,
    key_type: KeyType,
    keys: Mutex<HashMap<String, Arc<dyn PrivateKey>>>,
}

impl Generated {
    fn new(key_type: KeyType) -> Self {
        Self { backend: AwsLc::new(), key_type, keys: Mutex::default() }
    }

    fn key(&self, name: &str) -> Arc<dyn PrivateKey> {
        let mut keys = self.keys.lock().unwrap();
        keys.entry(name.to_owned()).or_insert_with(|| self.backend.generate(self.key_type).unwrap()).clone()
    }

    fn scheme(&self) -> Scheme {
        Scheme::preferred(self.key_type).unwrap()
    }
}

impl Keys for Generated {
    fn algorithm(&self) -> Vec<u8> {
        self.scheme().identifier().unwrap()
    }

    fn public_key(&self, name: &str) -> Vec<u8> {
        self.key(name).public_key_info().to_vec()
    }

    fn sign(&self, name: &str, message: &[u8]) -> Vec<u8> {
        self.key(name).sign(&self.scheme(), message).unwrap()
    }
}

fn no_fault_is_accepted(chain: &Chain) {
    let backend = AwsLc::new();
    let mut policy = Policy::new(&Profile::RFC5280, NOW);
    policy.policies.initial = Some(vec![OidBuf::from(oid!("1.2.3.2"))]);
    let (root, below) = chain.certificates.split_last().unwrap();
    let anchors: Anchors = [Anchor::from_certificate(root.clone()).unwrap()].into_iter().collect();
    let is_valid = |below: &[Vec<u8>]| {
        let pool: Pool = below[1..].iter().collect();
        verify::path(&below[0], &pool, &anchors, &policy, &CryptoVerifier(&backend)).is_ok()
    };
    assert!(is_valid(below));
    let mut faulty = below.to_vec();
    for certificate in 0..below.len() {
        for offset in 0..below[certificate].len() {
            for mask in [0x01, 0x20, 0x80] {
                faulty[certificate][offset] = below[certificate][offset] ^ mask;
                assert!(!is_valid(&faulty), "{}, byte {offset} ^ {mask:#04x}", chain.titles[certificate]);
            }
            faulty[certificate][offset] = below[certificate][offset];
        }
    }
}

#[test]
fn no_fault_is_accepted_in_a_chain_signed_with_rsa() {
    no_fault_is_accepted(&Chain::constrained(&Generated::new(KeyType::Rsa(2048))));
}

#[test]
fn no_fault_is_accepted_in_a_chain_signed_with_ecdsa() {
    no_fault_is_accepted(&Chain::with_policies(&Generated::new(KeyType::P256)));
}
