//! Finds blocks by label.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Block, Blocks, Policy, blocks};
use crate::rule::{Rule, RuleSet};

/// The reason that a value could not be read from PEM.
#[derive(Debug)]
#[non_exhaustive]
pub enum PemError {
    /// No block has one of the requested labels. Contains the first of these labels.
    Missing(String),
    /// A block is malformed.
    Pem(super::Error),
    /// The value in a block is malformed.
    Value(crate::Error),
}

impl fmt::Display for PemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(label) => write!(f, "no PEM block with the label {label}"),
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

/// Decodes the first block with one of the given labels. Blocks with other labels are not decoded, and may have headers
/// (such as keys encrypted by OpenSSL).
///
/// ```
/// use tagwise_codec::pem;
/// let text = b"-----BEGIN A-----\nAgEF\n-----END A-----\n";
/// assert_eq!(pem::first(&["B", "A"], text)?, [0x02, 0x01, 0x05]);
/// assert_eq!(pem::first(&["B"], text).unwrap_err().to_string(), "no PEM block with the label B");
/// # Ok::<(), pem::PemError>(())
/// ```
///
/// # Errors
/// Returns [`PemError::Missing`] if no block has one of the labels. Returns the first structural error in any block up to
/// that point, because a malformed block's label is unknown.
pub fn first(labels: &[&str], text: &[u8]) -> Result<Vec<u8>, PemError> {
    let missing = || PemError::Missing(labels.first().copied().unwrap_or_default().into());
    all(labels, text).next().ok_or_else(missing)?
}

/// Decodes every block with one of the given labels, in input order.
pub fn all<'t>(labels: &'t [&'t str], text: &'t [u8]) -> impl Iterator<Item = Result<Vec<u8>, PemError>> + use<'t> {
    all_labelled(labels, text).map(|found| found.map(|(_, der)| der))
}

/// Like [`all`], with the label of each block.
///
/// ```
/// use tagwise_codec::pem;
/// let text = b"-----BEGIN A-----\nAgEF\n-----END A-----\n";
/// assert_eq!(pem::all_labelled(&["A", "B"], text).next().unwrap()?, ("A", vec![0x02, 0x01, 0x05]));
/// # Ok::<(), pem::PemError>(())
/// ```
pub fn all_labelled<'l, 't>(
    labels: &'l [&'l str],
    text: &'t [u8],
) -> impl Iterator<Item = Result<(&'t str, Vec<u8>), PemError>> + use<'l, 't> {
    let policy = Policy { rules: RuleSet::PEM.with(&Rule::PEM_HEADERS), session: None };
    Blocks::new(text, policy).filter_map(move |block| match block {
        Ok(block) if labels.contains(&block.label()) => Some(match headers_in(text, &block) {
            Some(error) => Err(PemError::Pem(error)),
            None => block.decode().map(|der| (block.label(), der)).map_err(PemError::Pem),
        }),
        Ok(_) => None,
        Err(error) => Some(Err(PemError::Pem(error))),
    })
}

/// Returns the error for headers in a requested block. Its base64 may not be a plain encoding.
fn headers_in(text: &[u8], block: &Block<'_>) -> Option<super::Error> {
    block.headers().next()?;
    blocks(text).find_map(|other| other.err().filter(|error| error.offset() >= block.begin()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn a_key_with_headers_in_front() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: X\n\nAgEF\n-----END RSA PRIVATE KEY-----\n";
        let text = [key, "-----BEGIN A-----\nAgEG\n-----END A-----\n"].concat();
        assert_eq!(first(&["A"], text.as_bytes()).unwrap(), [2, 1, 6]);
        let error = first(&["RSA PRIVATE KEY"], text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("header"), "{error}");
    }
}
