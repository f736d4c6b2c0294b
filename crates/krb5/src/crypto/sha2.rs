//! AES with SHA-2 (RFC 8009): encrypt, then MAC, with keys by SP 800-108.

use tagwise_crypto::{CtsCipher, Digest, Error, ErrorKind, Primitives, Secret};

use super::{Beside, CHECKSUM, ENCRYPTION, INTEGRITY, constant, hmac, is_same, split_end};

/// The parameters in which the two encryption types differ.
#[derive(Clone, Copy)]
pub(super) struct Profile {
    pub(super) cipher: CtsCipher,
    pub(super) digest: Digest,
    /// Bytes of keys for MACs, and of MACs.
    pub(super) mac_len: usize,
    pub(super) prf_len: usize,
}

pub(super) const AES128: Profile =
    Profile { cipher: CtsCipher::Aes128, digest: Digest::Sha256, mac_len: 16, prf_len: 32 };
pub(super) const AES256: Profile =
    Profile { cipher: CtsCipher::Aes256, digest: Digest::Sha384, mac_len: 24, prf_len: 48 };

impl Profile {
    /// KDF-HMAC-SHA2 (RFC 8009 §3). One digest is as long as any key here.
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

    pub(super) fn encrypt(
        &self,
        backend: &dyn Primitives,
        key: &[u8],
        usage: u32,
        confounded: &[u8],
        beside: &[Beside<'_>],
    ) -> Result<Vec<u8>, Error> {
        let encryption = self.derive(backend, key, &constant(usage, ENCRYPTION), &[], self.cipher.key_len())?;
        let mut sent = self.cipher.encrypt(backend, encryption.expose(), &[0; 16], confounded)?;
        sent.extend(self.mac(backend, key, usage, &sent, beside)?);
        Ok(sent)
    }

    pub(super) fn decrypt(
        &self,
        backend: &dyn Primitives,
        key: &[u8],
        usage: u32,
        sent: &[u8],
        beside: &[Beside<'_>],
    ) -> Result<Secret, Error> {
        let (sent, mac) = split_end(sent, self.mac_len, self.cipher)?;
        if !is_same(&self.mac(backend, key, usage, sent, beside)?, mac) {
            return Err(Error::new(ErrorKind::Integrity, self.cipher));
        }
        let encryption = self.derive(backend, key, &constant(usage, ENCRYPTION), &[], self.cipher.key_len())?;
        self.cipher.decrypt(backend, encryption.expose(), &[0; 16], sent)
    }

    /// The MAC over the initialisation vector, which is zero, and what was encrypted, with what is signed along.
    fn mac(
        &self,
        backend: &dyn Primitives,
        key: &[u8],
        usage: u32,
        sent: &[u8],
        beside: &[Beside<'_>],
    ) -> Result<Vec<u8>, Error> {
        let integrity = self.derive(backend, key, &constant(usage, INTEGRITY), &[], self.mac_len)?;
        let mac = |sent: &[u8]| hmac(backend, self.digest, integrity.expose(), &[&[0; 16], sent], self.mac_len);
        match beside.is_empty() {
            true => mac(sent),
            false => mac(Beside::between(sent, beside).expose()),
        }
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
