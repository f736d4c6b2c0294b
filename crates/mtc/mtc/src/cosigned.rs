//! The bytes signed by cosigners.

use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};
use crate::hash::Hash;
use crate::tree::Subtree;
use crate::wire::{put_number, put_vector};

/// The label that precedes the signed fields.
const LABEL: &[u8; 12] = b"subtree/v1\n\0";

/// A cosigner's statement about a subtree of a log (MTC §5.4).
///
/// ```text
/// struct {
///     uint8 label[12] = "subtree/v1\n\0";
///     opaque cosigner_name<1..2^8-1>;
///     uint64 timestamp;
///     opaque log_origin<1..2^8-1>;
///     uint64 start;
///     uint64 end;
///     HashValue subtree_hash;
/// } CosignedSubtree;
/// ```
///
/// ```
/// use tagwise_mtc::{CosignedSubtree, TrustAnchorId, hash, tree::Subtree};
/// let ca: TrustAnchorId = "32473.1".parse()?;
/// let (name, origin) = (ca.name(), ca.log(1)?.name());
/// let subtree = Subtree::whole(0);
/// let signed = CosignedSubtree { cosigner: &name, timestamp: 0, origin: &origin, subtree, hash: &hash::EMPTY };
/// assert!(signed.encode()?.starts_with(b"subtree/v1\n\0\x17oid/1.3.6.1.4.1.32473.1"));
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CosignedSubtree<'a> {
    /// The cosigner's name. For an ID, use [`TrustAnchorId::name`](crate::TrustAnchorId::name).
    pub cosigner: &'a str,
    /// The time of the statement, as Unix time. It is 0 for subtrees in certificates. A nonzero time asserts that the cosigner had
    /// seen no larger tree up to that time.
    pub timestamp: u64,
    /// The log's origin, which is the name derived from its ID.
    pub origin: &'a str,
    /// The subtree that the statement covers.
    pub subtree: Subtree,
    /// The subtree's hash.
    pub hash: &'a Hash,
}

impl CosignedSubtree<'_> {
    /// Encodes the bytes to sign.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TooLong`] if a name is longer than 255 bytes, [`ErrorKind::TooShort`] if a name is empty, or
    /// [`ErrorKind::Subtree`] if the time is nonzero and the subtree does not start at 0.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        if self.cosigner.is_empty() || self.origin.is_empty() {
            return Err(Error::new(ErrorKind::TooShort, 0));
        }
        // MTC §5.4: a nonzero time asserts that this is the largest tree seen, so it must be a whole tree.
        if self.timestamp != 0 && self.subtree.start() != 0 {
            return Err(Error::new(ErrorKind::Subtree, 0));
        }
        let mut out = Vec::with_capacity(192);
        out.extend_from_slice(LABEL);
        put_vector(&mut out, 1, self.cosigner.as_bytes())?;
        put_number(&mut out, self.timestamp, 8);
        put_vector(&mut out, 1, self.origin.as_bytes())?;
        put_number(&mut out, self.subtree.start(), 8);
        put_number(&mut out, self.subtree.end(), 8);
        out.extend_from_slice(self.hash);
        Ok(out)
    }
}
