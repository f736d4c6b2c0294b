//! Tagged data of entries and policies.

use super::tl;
use crate::{Error, Result, codes};

/// An item of tagged data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlData {
    tl_type: i16,
    contents: Vec<u8>,
}

impl TlData {
    /// Creates tagged data.
    ///
    /// # Errors
    ///
    /// Returns an error if the content is longer than 65,535 bytes, or so malformed that MIT's code would read out of bounds.
    pub fn new(tl_type: i16, contents: impl Into<Vec<u8>>) -> Result<Self> {
        let contents = contents.into();
        if contents.len() > u16::MAX.into() {
            return Err(Error::new(libc::EINVAL, "tagged data: must not be longer than 65535 bytes"));
        }
        let whole = match tl_type {
            tl::MKEY_AUX => mkey_aux(&contents),
            tl::DB_ARGS | tl::ALIAS_TARGET => contents.last() == Some(&0),
            _ => true,
        };
        if !whole {
            let message = format!("tagged data of type {tl_type}: truncated");
            return Err(Error::new(codes::KRB5_KDB_TRUNCATED_RECORD, message));
        }
        Ok(Self { tl_type, contents })
    }

    /// Returns the type (`KRB5_TL_*`).
    #[must_use]
    pub fn tl_type(&self) -> i16 {
        self.tl_type
    }

    /// Returns the content.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }
}

/// Returns whether a list of former master keys is complete. It contains a version, and for each key: the version of the master key that
/// encrypts it, its own version, its encryption type and its length.
fn mkey_aux(contents: &[u8]) -> bool {
    let Some((_, mut rest)) = contents.split_at_checked(2) else { return contents.is_empty() };
    while !rest.is_empty() {
        let Some((&[_, _, _, _, _, _, low, high], after)) = rest.split_first_chunk::<8>() else { return false };
        // MIT reads two bytes of a key before it looks at the length.
        match after.split_at_checked(u16::from_le_bytes([low, high]).into()) {
            Some((key, after)) if key.len() >= 2 => rest = after,
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_mit_would_read_past_its_end_is_rejected() {
        assert!(TlData::new(tl::MKEY_AUX, []).is_ok());
        // Version 1; under master key 1, key version 2, encryption type 18, 3 bytes.
        let one = [1, 0, 2, 0, 18, 0, 3, 0, 7, 7, 7];
        assert!(TlData::new(tl::MKEY_AUX, [&[1, 0], &one[..]].concat()).is_ok());
        assert!(TlData::new(tl::MKEY_AUX, [&[1, 0], &one[..], &one[..]].concat()).is_ok());
        for length in (1..13).filter(|length| *length != 2) {
            let truncated = &[&[1, 0], &one[..]].concat()[..length];
            assert_eq!(TlData::new(tl::MKEY_AUX, truncated).unwrap_err().code(), codes::KRB5_KDB_TRUNCATED_RECORD);
        }
        // A key of one byte, of which MIT reads two.
        assert!(TlData::new(tl::MKEY_AUX, [1, 0, 1, 0, 2, 0, 18, 0, 1, 0, 7]).is_err());
        assert!(TlData::new(tl::DB_ARGS, *b"temporary\0").is_ok());
        assert!(TlData::new(tl::DB_ARGS, *b"temporary").is_err());
        assert!(TlData::new(tl::DB_ARGS, []).is_err());
        assert!(TlData::new(tl::STRING_ATTRS, vec![0; 65535]).is_ok());
        assert!(TlData::new(tl::STRING_ATTRS, vec![0; 65536]).is_err());
    }
}
