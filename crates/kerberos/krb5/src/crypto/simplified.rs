//! Encryption in the simplified profile (RFC 3961 §5.3), for any cipher and MAC. The MAC covers the plaintext.

use tagwise_crypto::{CtsCipher, Error, ErrorKind, Primitives, Secret};

use super::{Beside, is_same, split_end};

/// A cipher, the two keys for a usage, and the MAC.
pub(super) struct Sealing<'k, M> {
    pub(super) cipher: CtsCipher,
    pub(super) encryption: &'k Secret,
    /// A function that computes the MAC of a text with the integrity key.
    pub(super) mac: M,
    pub(super) mac_len: usize,
}

const BLOCK: usize = 16;

impl<M: Fn(&[u8]) -> Result<Vec<u8>, Error>> Sealing<'_, M> {
    /// Encrypts the confounder and the plaintext, and appends the MAC.
    pub(super) fn seal(
        &self,
        backend: &dyn Primitives,
        confounded: &[u8],
        beside: &[Beside<'_>],
    ) -> Result<Vec<u8>, Error> {
        let mut sent = self.cipher.encrypt(backend, self.encryption.expose(), &[0; BLOCK], confounded)?;
        sent.extend(self.signed(confounded, beside)?);
        Ok(sent)
    }

    /// Computes the MAC of a text with its associated data.
    fn signed(&self, confounded: &[u8], beside: &[Beside<'_>]) -> Result<Vec<u8>, Error> {
        match beside.is_empty() {
            true => (self.mac)(confounded),
            false => (self.mac)(Secret::from(Beside::pieces(confounded, beside).concat()).expose()),
        }
    }

    /// Decrypts data, and returns the confounder followed by the plaintext, but only if the MAC is valid.
    pub(super) fn open(&self, backend: &dyn Primitives, sent: &[u8], beside: &[Beside<'_>]) -> Result<Secret, Error> {
        let (sent, mac) = split_end(sent, self.mac_len, self.cipher)?;
        let confounded = self.cipher.decrypt(backend, self.encryption.expose(), &[0; BLOCK], sent)?;
        match is_same(&self.signed(confounded.expose(), beside)?, mac) {
            true => Ok(confounded),
            false => Err(Error::new(ErrorKind::Integrity, self.cipher)),
        }
    }
}
