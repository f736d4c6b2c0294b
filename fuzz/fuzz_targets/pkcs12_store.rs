//! A PKCS #12 file opened with a protection that takes every password and decrypts to what is there: all that a decrypted safe could
//! be is read, and never more than the limits allow.
#![no_main]

use core::convert::Infallible;

use libfuzzer_sys::fuzz_target;
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::pkcs12::{MacParameters, Protection, Store};
use zeroize::Zeroizing;

struct Plain;

impl Protection for Plain {
    type Error = Infallible;

    fn decrypt(&self, _: &AlgorithmIdentifier<'_>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Infallible> {
        Ok(ciphertext.to_vec().into())
    }

    fn encrypt(&self, _: &AlgorithmIdentifier<'_>, plaintext: &[u8]) -> Result<Vec<u8>, Infallible> {
        Ok(plaintext.to_vec())
    }

    // A file without a MAC, or with an empty one, is opened.
    fn mac(&self, _: &MacParameters<'_>, _: &[u8]) -> Result<Vec<u8>, Infallible> {
        Ok(Vec::new())
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(store) = Store::read(data) else { return };
    let _ = store.mac_parameters();
    if let Ok(opened) = store.open(&Plain) {
        for item in opened.items() {
            let _ = (item.friendly_name(), item.local_key_id(), format!("{item:?}"));
        }
    }
});
