//! SHAKE (FIPS 202 §6.2), where no backend is asked: in composite signatures and pre-hash ones, and for the embedded backend.

use sha3::digest::{ExtendableOutput, Update, XofReader};
use sha3::{Shake128, Shake256};

use crate::{Digest, Error, Hasher};

/// One of the two, and the octets that are wanted of it.
struct Fed<T>(T, Digest);

impl<T: Update + ExtendableOutput + Send> Hasher for Fed<T> {
    fn update(&mut self, octets: &[u8]) {
        Update::update(&mut self.0, octets);
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        let Self(hasher, digest) = *self;
        let mut octets = vec![0; digest.output_len()];
        hasher.finalize_xof().read(&mut octets);
        Ok(octets)
    }
}

/// A hasher of SHAKE; nothing for other digests.
pub(crate) fn hasher(digest: Digest) -> Option<Box<dyn Hasher>> {
    match digest {
        Digest::Shake128 => Some(Box::new(Fed(Shake128::default(), digest))),
        Digest::Shake256 => Some(Box::new(Fed(Shake256::default(), digest))),
        _ => None,
    }
}

/// 32 octets of SHAKE128.
pub(crate) fn shake128(message: &[u8]) -> [u8; 32] {
    let mut digest = [0; 32];
    Shake128::digest_xof(message, &mut digest);
    digest
}

/// 64 octets of SHAKE256.
pub(crate) fn shake256(message: &[u8]) -> [u8; 64] {
    let mut digest = [0; 64];
    Shake256::digest_xof(message, &mut digest);
    digest
}
