//! Note-signing keys.

use std::sync::Arc;

use tagwise_crypto::{KeySigner, PrivateKey, Signer};
use tagwise_mtc::note::{NoteKey, NoteKeyKind, NoteSignature};
use tagwise_mtc::tree::Subtree;
use tagwise_mtc::{CosignerAlgorithm, Hash};

use crate::Error;

/// A named key that signs notes: a log's, a witness's, a mirror's or a CA's.
#[derive(Clone, Debug)]
pub struct NoteSigner {
    key: NoteKey,
    signer: KeySigner,
}

impl NoteSigner {
    /// Creates a signer. An ML-DSA-44 key cosigns checkpoints and subtrees. For an Ed25519 key, `kind` determines what it
    /// signs.
    ///
    /// # Errors
    /// Returns [`Error::Key`] for other keys, or any error from [`NoteKey::new`].
    pub fn new(name: &str, kind: NoteKeyKind, key: Arc<dyn PrivateKey>) -> Result<Self, Error> {
        let note_key = NoteKey::from_key_info(name, kind, key.public_key_info())?;
        let signer = KeySigner::new(key, kind.algorithm().scheme())?;
        Ok(Self { key: note_key, signer })
    }

    /// Returns the note key type of a cosigner's private key, which must be ML-DSA-44 or Ed25519.
    ///
    /// # Errors
    /// Returns [`Error::Key`] for other keys.
    pub fn cosigner_kind(key: &dyn PrivateKey) -> Result<NoteKeyKind, Error> {
        match CosignerAlgorithm::of_key(key.public_key_info()) {
            Ok(CosignerAlgorithm::MlDsa44) => Ok(NoteKeyKind::MlDsa44),
            Ok(CosignerAlgorithm::Ed25519) => Ok(NoteKeyKind::Ed25519Cosignature),
            _ => Err(Error::Key("cosigners of checkpoints must have ML-DSA-44 or Ed25519 keys")),
        }
    }

    /// Returns the signer's public key.
    #[must_use]
    pub const fn key(&self) -> &NoteKey {
        &self.key
    }

    /// Signs a checkpoint's text with the given Unix time.
    ///
    /// # Errors
    /// Returns an error if signing fails.
    pub fn sign(&self, text: &str, time: u64) -> Result<NoteSignature, Error> {
        let signature = self.signer.sign(&self.key.message(text, time)?)?;
        Ok(self.key.signature(time, &signature))
    }

    /// Signs a subtree, with timestamp 0.
    ///
    /// # Errors
    /// Returns [`Error::Key`] for an Ed25519 key, or an error if signing fails.
    pub fn sign_subtree(&self, origin: &str, subtree: Subtree, hash: &Hash) -> Result<NoteSignature, Error> {
        if self.key.kind() != NoteKeyKind::MlDsa44 {
            return Err(Error::Key("subtrees must be signed with ML-DSA-44"));
        }
        let signature = self.signer.sign(&self.key.subtree_message(origin, 0, subtree, hash)?)?;
        Ok(self.key.signature(0, &signature))
    }
}
