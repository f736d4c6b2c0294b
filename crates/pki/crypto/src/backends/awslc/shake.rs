//! Incremental SHAKE from the crate `sha3`, because `aws-lc-rs` does not support it.

use sha3::digest::{ExtendableOutput, Update, XofReader};
use sha3::{Shake128, Shake256};

use crate::{Digest, Error, Hasher};

/// An incremental SHAKE, and the digest that determines its output length.
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

/// Returns a hasher for SHAKE, or `None` for other digests.
pub(super) fn hasher(digest: Digest) -> Option<Box<dyn Hasher>> {
    match digest {
        Digest::Shake128 => Some(Box::new(Fed(Shake128::default(), digest))),
        Digest::Shake256 => Some(Box::new(Fed(Shake256::default(), digest))),
        _ => None,
    }
}
