//! The bytes under a label in a text, and why they cannot be had.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::blocks;

/// Reason why a value cannot be had from PEM.
#[derive(Debug)]
#[non_exhaustive]
pub enum PemError {
    /// No block has the label, and no other one with which such a value is written: the first of them.
    Missing(String),
    /// A block is malformed.
    Pem(super::Error),
    /// The value in a block is wrong.
    Value(crate::Error),
}

impl fmt::Display for PemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(label) => write!(f, "no PEM block is labelled {label}"),
            Self::Pem(error) => error.fmt(f),
            Self::Value(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for PemError {}

impl From<super::Error> for PemError {
    fn from(error: super::Error) -> Self {
        Self::Pem(error)
    }
}

impl From<crate::Error> for PemError {
    fn from(error: crate::Error) -> Self {
        Self::Value(error)
    }
}

/// The bytes of the first block under one of some labels. What is under other labels is not looked at.
///
/// ```
/// use tagwise_codec::pem;
/// let text = b"-----BEGIN A-----\nAgEF\n-----END A-----\n";
/// assert_eq!(pem::first(&["B", "A"], text)?, [0x02, 0x01, 0x05]);
/// assert_eq!(pem::first(&["B"], text).unwrap_err().to_string(), "no PEM block is labelled B");
/// # Ok::<(), pem::PemError>(())
/// ```
///
/// # Errors
/// [`PemError::Missing`]; what is wrong with a block up to there.
pub fn first(labels: &[&str], text: &[u8]) -> Result<Vec<u8>, PemError> {
    let missing = || PemError::Missing(labels.first().copied().unwrap_or_default().into());
    all(labels, text).next().ok_or_else(missing)?
}

/// The bytes of every block under one of some labels, in the order of the text.
pub fn all<'t>(labels: &'t [&'t str], text: &'t [u8]) -> impl Iterator<Item = Result<Vec<u8>, PemError>> + use<'t> {
    blocks(text).filter_map(move |block| match block {
        Ok(block) if labels.contains(&block.label()) => Some(block.decode().map_err(PemError::Pem)),
        Ok(_) => None,
        Err(error) => Some(Err(PemError::Pem(error))),
    })
}
