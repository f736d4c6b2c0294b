//! Checkpoint text: the origin, size and root.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tagwise_codec::text::base64;

use crate::error::{Error, ErrorKind};
use crate::hash::Hash;
use crate::landmark::decimal;
use crate::tree::MAX_SIZE;

/// A checkpoint (C2SP tlog-checkpoint), without signatures.
///
/// ```
/// use tagwise_mtc::{hash, note::Checkpoint};
/// let checkpoint = Checkpoint::new("oid/1.3.6.1.4.1.32473.1.0.1", 0, hash::EMPTY);
/// let text = checkpoint.to_string();
/// assert_eq!(text, "oid/1.3.6.1.4.1.32473.1.0.1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n");
/// assert_eq!(Checkpoint::parse(&text)?, checkpoint);
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name.
    pub origin: String,
    /// The size of the tree.
    pub size: u64,
    /// The root of the tree.
    pub root: Hash,
    /// Extension lines, none of which is empty.
    pub extensions: Vec<String>,
}

impl Checkpoint {
    /// Creates a checkpoint without extension lines.
    #[must_use]
    pub fn new(origin: &str, size: u64, root: Hash) -> Self {
        Self { origin: origin.to_string(), size, root, extensions: Vec::new() }
    }

    /// Parses a note's text.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Checkpoint`] if the text is malformed, or [`ErrorKind::Uint48`] if the size is too large.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let fail = Error::new(ErrorKind::Checkpoint, 0);
        let mut lines = text.strip_suffix('\n').ok_or(fail)?.split('\n');
        let mut line = || lines.next().filter(|line| !line.is_empty()).ok_or(fail);
        let (origin, size, root) = (line()?, line()?, line()?);
        let size = decimal(size, MAX_SIZE).map_err(|kind| match kind {
            ErrorKind::Uint48 => Error::new(kind, 0),
            _ => fail,
        })?;
        let bytes =
            base64::decode(root.as_bytes()).map_err(|fault| Error::new(ErrorKind::Checkpoint, fault.offset()))?;
        let hash = Hash::try_from(bytes.as_slice()).map_err(|_wrong_length| fail)?;
        if base64::encode(&hash) != root {
            return Err(fail);
        }
        let extensions: Vec<String> = lines.map(ToString::to_string).collect();
        if extensions.iter().any(String::is_empty) {
            return Err(fail);
        }
        Ok(Self { origin: origin.to_string(), size, root: hash, extensions })
    }
}

impl core::fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.size, base64::encode(&self.root))?;
        self.extensions.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
