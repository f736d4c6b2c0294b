//! `MTCProof`, which replaces a certificate's signature.

use alloc::vec::Vec;

use crate::TrustAnchorId;
use crate::draft::Draft;
use crate::entry::EntryExtensions;
use crate::error::{Error, ErrorKind};
use crate::hash::Hash;
use crate::tree::{MAX_SIZE, Subtree};
use crate::wire::{Wire, put_number, put_vector};

/// The content of a certificate's signatureValue (MTC §6.2).
///
/// ```text
/// struct { TrustAnchorID cosigner_id; opaque signature<0..2^16-1>; } Cosignature;
/// struct {
///     MTCLogEntryExtension extensions<0..2^16-1>;
///     uint48 start;
///     uint48 end;
///     opaque inclusion_proof<0..2^16-1>;
///     Cosignature signatures<0..2^24-1>;
/// } MTCProof;
/// ```
///
/// In draft -05, the length field of `signatures` has 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MtcProof<'a> {
    /// The extensions of the log entry.
    pub extensions: EntryExtensions<'a>,
    /// The subtree that contains the entry.
    pub subtree: Subtree,
    /// The hashes that lead from the entry to the root of the subtree.
    pub inclusion_proof: &'a [Hash],
    /// Signatures over the subtree, ordered by cosigner. Some may be meaningless (GREASE).
    pub signatures: Cosignatures<'a>,
}

impl<'a> MtcProof<'a> {
    /// Decodes a proof. Trailing data is an error.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Subtree`], [`ErrorKind::ProofLength`], [`ErrorKind::CosignatureOrder`],
    /// [`ErrorKind::EntryExtensionOrder`], or any error in an ID or vector.
    pub fn decode(bytes: &'a [u8], draft: Draft) -> Result<Self, Error> {
        let mut wire = Wire::new(bytes);
        let extensions = EntryExtensions::read(&mut wire)?;
        let at = wire.fail(ErrorKind::Subtree);
        let (start, end) = (wire.number(6)?, wire.number(6)?);
        let subtree = Subtree::new(start, end).ok_or(at)?;
        let hashes = wire.vector(2, 0)?;
        let (inclusion_proof, []) = hashes.rest().as_chunks::<32>() else {
            return Err(hashes.fail(ErrorKind::ProofLength));
        };
        let signatures = Cosignatures::read(wire.vector(draft.signatures_prefix(), 0)?)?;
        wire.finish()?;
        Ok(Self { extensions, subtree, inclusion_proof, signatures })
    }

    /// Encodes the proof.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Uint48`] if a bound of the subtree is too large, or [`ErrorKind::TooLong`] if a vector is too long.
    pub fn encode(&self, draft: Draft) -> Result<Vec<u8>, Error> {
        if self.subtree.end() > MAX_SIZE {
            return Err(Error::new(ErrorKind::Uint48, 0));
        }
        let mut out = Vec::new();
        put_vector(&mut out, 2, self.extensions.as_bytes())?;
        put_number(&mut out, self.subtree.start(), 6);
        put_number(&mut out, self.subtree.end(), 6);
        put_vector(&mut out, 2, self.inclusion_proof.as_flattened())?;
        put_vector(&mut out, draft.signatures_prefix(), self.signatures.as_bytes())?;
        Ok(out)
    }
}

/// A cosigner's signature over a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cosignature<'a> {
    /// The cosigner's ID.
    pub cosigner: TrustAnchorId,
    /// The signature. For an unknown cosigner, it may be any bytes.
    pub signature: &'a [u8],
}

/// Cosignatures, ordered by cosigner ID (shorter first, then by bytes) without duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cosignatures<'a>(&'a [u8]);

impl<'a> Cosignatures<'a> {
    /// An empty list of cosignatures.
    pub const NONE: Cosignatures<'static> = Cosignatures(&[]);

    /// Decodes cosignatures from their bytes, without the length prefix.
    ///
    /// # Errors
    /// Returns [`ErrorKind::CosignatureOrder`] if they are out of order or duplicated, or any error in an ID or vector.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::read(Wire::new(bytes))
    }

    fn read(list: Wire<'a>) -> Result<Self, Error> {
        let mut rest = list.clone();
        let mut last: Option<TrustAnchorId> = None;
        while !rest.is_empty() {
            let at = rest.fail(ErrorKind::CosignatureOrder);
            let id = rest.vector(1, 1)?;
            let base = id.offset();
            let id = TrustAnchorId::from_bytes(id.rest()).map_err(|error| error.rebase(base))?;
            rest.vector(2, 0)?;
            if last.is_some_and(|last| id <= last) {
                return Err(at);
            }
            last = Some(id);
        }
        Ok(Self(list.rest()))
    }

    /// Returns the bytes without the length prefix.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Iterates over the cosignatures in order.
    pub fn iter(&self) -> impl Iterator<Item = Cosignature<'a>> + use<'a> {
        let mut rest = Wire::new(self.0);
        core::iter::from_fn(move || {
            let cosigner = TrustAnchorId::from_bytes(rest.vector(1, 1).ok()?.rest()).ok()?;
            let signature = rest.vector(2, 0).ok()?.rest();
            Some(Cosignature { cosigner, signature })
        })
    }

    /// Encodes cosignatures given in any order.
    ///
    /// # Errors
    /// Returns [`ErrorKind::CosignatureOrder`] if a cosigner is duplicated, or [`ErrorKind::TooLong`] if a signature or the
    /// list is too long.
    pub fn encode(signatures: &[Cosignature<'_>]) -> Result<Vec<u8>, Error> {
        let mut sorted: Vec<_> = signatures.iter().collect();
        sorted.sort_by_key(|one| one.cosigner);
        let mut out = Vec::new();
        let mut last = None;
        for one in sorted {
            if last == Some(one.cosigner) {
                return Err(Error::new(ErrorKind::CosignatureOrder, 0));
            }
            last = Some(one.cosigner);
            put_vector(&mut out, 1, one.cosigner.as_bytes())?;
            put_vector(&mut out, 2, one.signature)?;
        }
        Ok(out)
    }
}
