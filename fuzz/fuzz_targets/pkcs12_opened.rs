//! Files of PKCS #12 opened with passwords, little work allowed: every one ends in its items or in an error, within the limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_crypto::Backend;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::pkcs12::{Password, is_password, open};
use tagwise_pkix::BundleKind;
use tagwise_pkix::pkcs12::{Cost, CostLimits, OpenError, Store};

const BACKEND: AwsLc = AwsLc::new();
/// Some files of the corpora take 2048 iterations.
const LIMITS: CostLimits = CostLimits(Cost { iterations: 4096, memory: 1 << 20 });

fuzz_target!(|data: &[u8]| {
    let passwords = ["", "1234", "password", "cryptography", "password123"].map(Password::new);
    for password in passwords.into_iter().chain([Password::absent()]) {
        match open(&BACKEND, data, &password, LIMITS) {
            Ok(opened) => {
                for item in opened.items() {
                    let _ = (item.friendly_name(), item.local_key_id(), item.trusted_usages().count());
                    if item.kind == BundleKind::PrivateKey {
                        let _ = BACKEND.private_key_from_pkcs8(item.octets);
                    }
                }
            }
            Err(OpenError::Cost(cost)) => {
                assert!(cost.iterations > LIMITS.0.iterations || cost.memory > LIMITS.0.memory, "{cost:?}");
                return;
            }
            // What is not a matter of the password is the same with every one.
            Err(error) if !is_password(&error) => {
                let frame = matches!(&error, OpenError::Malformed { part: "PFX", .. });
                assert_eq!(frame, Store::read(data).is_err(), "{error}");
                let _ = error.to_string();
                if frame {
                    return;
                }
            }
            Err(_) => {}
        }
    }
});
