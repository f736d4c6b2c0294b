//! Digests.

use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_256};
use sha3::digest::{ExtendableOutput, Update, XofReader};
use sha3::{Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};

use crate::{Digest, Error, Hasher};

/// A digest of fixed length.
struct Fixed<D>(D);

impl<D: sha2::Digest + Send> Hasher for Fixed<D> {
    fn update(&mut self, octets: &[u8]) {
        self.0.update(octets);
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        Ok(self.0.finalize().to_vec())
    }
}

/// SHAKE, and the number of bytes to read.
struct Extendable<D>(D, usize);

impl<D: ExtendableOutput + Update + Send> Hasher for Extendable<D> {
    fn update(&mut self, octets: &[u8]) {
        self.0.update(octets);
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        let mut digest = vec![0; self.1];
        self.0.finalize_xof().read(&mut digest);
        Ok(digest)
    }
}

/// Creates an incremental digest.
pub(super) fn hasher(digest: Digest) -> Box<dyn Hasher> {
    match digest {
        Digest::Sha1 => Box::new(Fixed(Sha1::default())),
        Digest::Sha224 => Box::new(Fixed(Sha224::default())),
        Digest::Sha256 => Box::new(Fixed(Sha256::default())),
        Digest::Sha384 => Box::new(Fixed(Sha384::default())),
        Digest::Sha512 => Box::new(Fixed(Sha512::default())),
        Digest::Sha512_256 => Box::new(Fixed(Sha512_256::default())),
        Digest::Sha3_256 => Box::new(Fixed(Sha3_256::default())),
        Digest::Sha3_384 => Box::new(Fixed(Sha3_384::default())),
        Digest::Sha3_512 => Box::new(Fixed(Sha3_512::default())),
        Digest::Shake128 => Box::new(Extendable(Shake128::default(), digest.output_len())),
        Digest::Shake256 => Box::new(Extendable(Shake256::default(), digest.output_len())),
    }
}
