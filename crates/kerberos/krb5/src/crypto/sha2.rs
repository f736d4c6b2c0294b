//! AES with SHA-2 (RFC 8009): SP 800-108 key derivation, and checksums.

use tagwise_crypto::{Digest, Error, Primitives, Secret};

use super::{CHECKSUM, constant, hmac};

/// The parameters that differ between the two encryption types.
#[derive(Clone, Copy)]
pub(super) struct Profile {
    pub(super) digest: Digest,
    /// The length in bytes of MACs and MAC keys.
    pub(super) mac_len: usize,
    pub(super) prf_len: usize,
}

pub(super) const AES128: Profile = Profile { digest: Digest::Sha256, mac_len: 16, prf_len: 32 };
pub(super) const AES256: Profile = Profile { digest: Digest::Sha384, mac_len: 24, prf_len: 48 };

impl Profile {
    /// Computes KDF-HMAC-SHA2 (RFC 8009 §3). A single digest is long enough for any key here.
    pub(super) fn derive(
        &self,
        backend: &dyn Primitives,
        key: &[u8],
        label: &[u8],
        context: &[u8],
        len: usize,
    ) -> Result<Secret, Error> {
        let bits = u32::try_from(len.saturating_mul(8)).unwrap_or(u32::MAX).to_be_bytes();
        hmac(backend, self.digest, key, &[&1_u32.to_be_bytes(), label, &[0], context, &bits], len).map(Secret::from)
    }

    pub(super) fn checksum(
        &self,
        backend: &dyn Primitives,
        key: &[u8],
        usage: u32,
        data: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let key = self.derive(backend, key, &constant(usage, CHECKSUM), &[], self.mac_len)?;
        hmac(backend, self.digest, key.expose(), &[data], self.mac_len)
    }

    pub(super) fn prf(&self, backend: &dyn Primitives, key: &[u8], input: &[u8]) -> Result<Secret, Error> {
        self.derive(backend, key, b"prf", input, self.prf_len)
    }
}
