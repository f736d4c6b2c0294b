//! Messages of CMS and time stamps with keys: verified, digested, decrypted with every kind of key; and a message that is made of
//! the input is read as it was meant.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::cms::{
    DecryptOptions, EncryptOptions, RecipientKey, Unlock, VerifyOptions, decrypt, encrypt, verify, verify_digest,
};
use tagwise_crypto::tsp::{self, Expected};
use tagwise_crypto::{Backend, Cipher, KeyType, PrivateKey};

const BACKEND: AwsLc = AwsLc::new();

static KEYS: LazyLock<Vec<Arc<dyn PrivateKey>>> = LazyLock::new(|| {
    [KeyType::Rsa(2048), KeyType::P256, KeyType::X25519, KeyType::MlKem512]
        .map(|kind| BACKEND.generate(kind).expect("a key"))
        .into()
});

fuzz_target!(|data: &[u8]| {
    let options = VerifyOptions { legacy: true, max_signatures: 8, max_held: 1 << 16, ..VerifyOptions::DEFAULT };
    for content in [None, Some(data)] {
        if let Ok(verified) = verify(&BACKEND, data, content, &options) {
            assert!(verified.signers.len() <= options.max_signatures);
            let good = verified.signers.iter().filter(|signer| signer.outcome.is_ok());
            assert!(good.clone().all(|signer| signer.certificate.is_some() && signer.scheme.is_some()));
            let _ = format!("{verified:?}");
        }
        let _ = verify_digest(&BACKEND, data, content);
    }
    let _ = tsp::verify(&BACKEND, data, &Expected::Data(b"data"), &options);
    let _ = tsp::verify(&BACKEND, data, &Expected::Request(data), &options);

    let options =
        DecryptOptions { max_attempts: 4, max_iterations: 1000, max_content: 1 << 16, ..DecryptOptions::DEFAULT };
    let shared = [7; 32];
    let mut unlocks: Vec<_> =
        KEYS.iter().map(|key| Unlock::PrivateKey { key: key.as_ref(), certificate: None }).collect();
    for len in [16, 24, 32] {
        unlocks.push(Unlock::SharedKey { id: None, key: &shared[..len] });
        unlocks.push(Unlock::ContentKey(&shared[..len]));
    }
    unlocks.push(Unlock::Password(b"password"));
    for unlock in &unlocks {
        if let Ok(opened) = decrypt(&BACKEND, data, Some(data), unlock, &options) {
            assert!(opened.content.len() <= options.max_content.max(data.len()) + 16);
        }
    }

    let cipher = [Cipher::Aes128Cbc, Cipher::Aes256Gcm][usize::from(data.first().is_some_and(|octet| *octet > 127))];
    let made = EncryptOptions { cipher, ..EncryptOptions::DEFAULT };
    let to = [RecipientKey::SharedKey { id: b"key", key: &shared }];
    if data.len() <= options.max_content {
        let message = encrypt(&BACKEND, data, &to, &made).expect("a message");
        let unlock = Unlock::SharedKey { id: Some(b"key"), key: &shared };
        let opened = decrypt(&BACKEND, &message, None, &unlock, &options).expect("what was encrypted");
        assert_eq!(opened.content.expose(), data);
    }
});
