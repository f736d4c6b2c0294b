//! Private keys of every format, plain and under passwords, loaded: each ends in a key or in an error, within the limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::pem;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, ErrorKind, PasswordOptions, PrivateKeyInfo, decrypt_key};

const BACKEND: AwsLc = AwsLc::new();

fn load(der: &[u8]) {
    let options = PasswordOptions { max_iterations: 4096, ..PasswordOptions::DEFAULT };
    let passwords: [&[u8]; 4] = [b"", b"password", b"123456", b"\xFF"];
    let encrypted = passwords.map(|password| decrypt_key(&BACKEND, der, password, &options));
    let plain = [PrivateKeyInfo::from_pkcs8(der), PrivateKeyInfo::from_pkcs1(der), PrivateKeyInfo::from_sec1(der)];
    for info in encrypted.into_iter().chain(plain) {
        match info {
            Ok(info) => {
                let Ok(key) = BACKEND.private_key(&info) else { continue };
                assert_eq!(key.key_type(), info.key_type());
                // What was taken is given back, and is taken again as the same key.
                let again = BACKEND.private_key_from_pkcs8(key.to_pkcs8().expect("it left before").expose());
                assert_eq!(again.expect("the same key").public_key_info(), key.public_key_info());
            }
            Err(error) => assert_ne!(error.kind(), ErrorKind::Failed, "{error}"),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    load(data);
    for block in pem::blocks(data).flatten() {
        if let Ok(der) = block.decode() {
            load(&der);
        }
    }
});
