//! Note keys: their names, types and IDs, and the bytes that they sign.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tagwise_codec::text::{base64, hex};

use super::signed::is_name;
use super::{Checkpoint, Note, NoteSignature};
use crate::error::{Error, ErrorKind};
use crate::relying::{SignatureCheck, SignatureFault};
use crate::tree::Subtree;
use crate::{CosignedSubtree, CosignerAlgorithm, Hash, algorithm, hash};

/// The latest valid time of a cosignature.
const MAX_TIME: u64 = i64::MAX as u64;

/// The type of a note key, which determines its algorithm and what it signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKeyKind {
    /// An Ed25519 signature over the checkpoint text (type 0x01), used by logs.
    Ed25519,
    /// An Ed25519 signature over a timestamp and the checkpoint text (type 0x04), used by witnesses. Not used in certificates.
    Ed25519Cosignature,
    /// An ML-DSA-44 signature over a [`CosignedSubtree`] (type 0x06), used by cosigners of checkpoints and subtrees.
    MlDsa44,
}

impl NoteKeyKind {
    /// Returns the byte that identifies the type.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Ed25519 => 0x01,
            Self::Ed25519Cosignature => 0x04,
            Self::MlDsa44 => 0x06,
        }
    }

    /// Returns the length of a public key in bytes.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Ed25519 | Self::Ed25519Cosignature => 32,
            Self::MlDsa44 => 1312,
        }
    }

    /// Returns the signature algorithm.
    #[must_use]
    pub const fn algorithm(self) -> CosignerAlgorithm {
        match self {
            Self::Ed25519 | Self::Ed25519Cosignature => CosignerAlgorithm::Ed25519,
            Self::MlDsa44 => CosignerAlgorithm::MlDsa44,
        }
    }

    const fn of(number: u8) -> Option<Self> {
        match number {
            0x01 => Some(Self::Ed25519),
            0x04 => Some(Self::Ed25519Cosignature),
            0x06 => Some(Self::MlDsa44),
            _ => None,
        }
    }
}

/// A public note key. Its text form is `name+keyid+base64(kind ‖ key)`.
#[derive(Clone, PartialEq, Eq)]
pub struct NoteKey {
    name: String,
    kind: NoteKeyKind,
    key: Vec<u8>,
}

impl NoteKey {
    /// Creates a key with the given name.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NoteKey`] if the name contains spaces or plus signs, or the key has the wrong length.
    pub fn new(name: &str, kind: NoteKeyKind, key: &[u8]) -> Result<Self, Error> {
        if !is_name(name) || key.len() != kind.key_len() {
            return Err(Error::new(ErrorKind::NoteKey, 0));
        }
        Ok(Self { name: name.to_string(), kind, key: key.to_vec() })
    }

    /// Creates a key from a name and a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NoteKey`] if the key has a different type, or any DER error.
    pub fn from_key_info(name: &str, kind: NoteKeyKind, spki: &[u8]) -> Result<Self, Error> {
        if CosignerAlgorithm::of_key(spki)? != kind.algorithm() {
            return Err(Error::new(ErrorKind::NoteKey, 0));
        }
        Self::new(name, kind, algorithm::key_bits(spki)?)
    }

    /// Parses the text format.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NoteKey`] if the text is malformed.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let fail = Error::new(ErrorKind::NoteKey, 0);
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(encoded)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(fail);
        };
        let bytes = base64::decode(encoded.as_bytes()).map_err(|fault| Error::new(ErrorKind::NoteKey, fault.offset()));
        let bytes = bytes?;
        let (number, key) = bytes.split_first().ok_or(fail)?;
        let key = Self::new(name, NoteKeyKind::of(*number).ok_or(fail)?, key)?;
        if hex::encode(&key.id()) == id { Ok(key) } else { Err(fail) }
    }

    /// Returns the key's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the key type.
    #[must_use]
    pub const fn kind(&self) -> NoteKeyKind {
        self.kind
    }

    /// Returns the SubjectPublicKeyInfo in DER.
    #[must_use]
    pub fn key_info(&self) -> Vec<u8> {
        self.kind.algorithm().key_info(&self.key)
    }

    /// Returns the key ID: the first bytes of the hash of the name, type and key.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        let message = [self.name.as_bytes(), b"\n", &[self.kind.number()], &self.key].concat();
        match hash::plain(&message) {
            [one, two, three, four, ..] => [one, two, three, four],
        }
    }

    /// Returns the bytes that this key signs for a checkpoint at the given time. A log's key (0x01) does not sign the time.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Checkpoint`] if the key type signs the checkpoint's content and the text is not a checkpoint.
    pub fn message(&self, text: &str, time: u64) -> Result<Vec<u8>, Error> {
        match self.kind {
            NoteKeyKind::Ed25519 => Ok(text.as_bytes().to_vec()),
            NoteKeyKind::Ed25519Cosignature => Ok(format!("cosignature/v1\ntime {time}\n{text}").into_bytes()),
            NoteKeyKind::MlDsa44 => {
                let checkpoint = Checkpoint::parse(text)?;
                let subtree = Subtree::whole(checkpoint.size);
                self.subtree_message(&checkpoint.origin, time, subtree, &checkpoint.root)
            }
        }
    }

    /// Returns the bytes that this key signs for a subtree. In certificates, the time is 0.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TooLong`] if a name is too long.
    pub fn subtree_message(&self, origin: &str, time: u64, subtree: Subtree, hash: &Hash) -> Result<Vec<u8>, Error> {
        CosignedSubtree { cosigner: &self.name, timestamp: time, origin, subtree, hash }.encode()
    }

    /// Creates the signature line for a signature made at the given time. For a log's key (0x01), the time is omitted.
    #[must_use]
    pub fn signature(&self, time: u64, signature: &[u8]) -> NoteSignature {
        let mut payload = Vec::new();
        if self.kind != NoteKeyKind::Ed25519 {
            payload.extend_from_slice(&time.to_be_bytes());
        }
        payload.extend_from_slice(signature);
        NoteSignature { name: self.name.clone(), key_id: self.id(), payload }
    }

    /// Verifies the note's signatures by this key. Returns the time of a valid signature (0 for a log), or `None` if there is
    /// none.
    ///
    /// Time 0 is reserved for subtrees, and is invalid in a checkpoint's cosignature.
    ///
    /// # Errors
    /// Returns [`SignatureFault`] if a signature by this key is invalid.
    pub fn verify(&self, note: &Note, check: &dyn SignatureCheck) -> Result<Option<u64>, SignatureFault> {
        let id = self.id();
        let mut found = None;
        for signature in note.signatures().iter().filter(|one| one.name == self.name && one.key_id == id) {
            let (time, bytes) = match self.kind {
                NoteKeyKind::Ed25519 => (0, signature.payload.as_slice()),
                // C2SP tlog-cosignature: a time is at most 2^63-1.
                _ => signature
                    .timed()
                    .filter(|(time, _)| (1..=MAX_TIME).contains(time))
                    .ok_or(SignatureFault::Invalid)?,
            };
            let message = self.message(note.text(), time).map_err(|_no_checkpoint| SignatureFault::Invalid)?;
            check.verify(self.kind.algorithm(), &self.key_info(), &message, bytes)?;
            found = Some(time);
        }
        Ok(found)
    }

    /// Returns whether the note has a valid signature without a time by this key. Such a signature is a cosignature, with time
    /// 0, of the checkpoint's whole tree as a subtree (MTC §5.3). It proves what was signed, but not that the tree was the
    /// largest at any time.
    ///
    /// # Errors
    /// Returns a [`SignatureFault`] if such a signature is invalid.
    pub fn verify_untimed(&self, note: &Note, check: &dyn SignatureCheck) -> Result<bool, SignatureFault> {
        let id = self.id();
        let own = note.signatures().iter().filter(|one| one.name == self.name && one.key_id == id);
        let checkpoint = Checkpoint::parse(note.text()).map_err(|_no_checkpoint| SignatureFault::Invalid)?;
        let mut found = false;
        for line in own {
            let tree = Subtree::whole(checkpoint.size);
            self.verify_subtree(line, &checkpoint.origin, tree, &checkpoint.root, check)?;
            found = true;
        }
        Ok(found)
    }

    /// Verifies the cosignature line for a subtree, in which the time is 0. Returns the signature in the format used in
    /// certificates.
    ///
    /// # Errors
    /// Returns [`SignatureFault`] if the signature is not by this key, has a nonzero time, or is invalid.
    pub fn verify_subtree<'s>(
        &self,
        line: &'s NoteSignature,
        origin: &str,
        subtree: Subtree,
        hash: &Hash,
        check: &dyn SignatureCheck,
    ) -> Result<&'s [u8], SignatureFault> {
        if self.kind != NoteKeyKind::MlDsa44 || line.name != self.name || line.key_id != self.id() {
            return Err(SignatureFault::Invalid);
        }
        let Some((0, signature)) = line.timed() else { return Err(SignatureFault::Invalid) };
        let message = self.subtree_message(origin, 0, subtree, hash);
        let message = message.map_err(|_too_long| SignatureFault::Invalid)?;
        check.verify(CosignerAlgorithm::MlDsa44, &self.key_info(), &message, signature)?;
        Ok(signature)
    }
}

impl core::fmt::Display for NoteKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let bytes = [&[self.kind.number()], self.key.as_slice()].concat();
        write!(f, "{}+{}+{}", self.name, hex::encode(&self.id()), base64::encode(&bytes))
    }
}

impl core::fmt::Debug for NoteKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "NoteKey({}, {:?}, {})", self.name, self.kind, hex::encode(&self.id()))
    }
}
