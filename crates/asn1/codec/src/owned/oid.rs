//! An owned OBJECT IDENTIFIER.

use alloc::boxed::Box;
use core::fmt;
use core::str::FromStr;

use super::{as_borrowed, compares};
use crate::engine::dotted::from_dotted;
use crate::types::{Arcs, Oid};

/// An owned `OBJECT IDENTIFIER`: the counterpart of [`Oid`]. Text parses to this type.
///
/// ```
/// use tagwise_codec::{Decode, OidBuf, encode, oid};
/// let id: OidBuf = "2.5.4.3".parse()?;
/// assert_eq!(id, oid!("2.5.4.3"));
/// assert_eq!(encode(&id)?, [0x06, 0x03, 0x55, 0x04, 0x03]);
/// assert_eq!(OidBuf::from_arcs(&[2, 5, 4, 3])?, id);
/// assert_eq!("1.40".parse::<OidBuf>().unwrap_err().to_string(), "expected an object identifier in dotted form");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OidBuf(Box<[u8]>);

impl OidBuf {
    /// Copies a borrowed identifier.
    #[must_use]
    pub fn new(oid: Oid<'_>) -> Self {
        Self(oid.as_bytes().into())
    }

    /// Creates an identifier from its arcs.
    ///
    /// # Errors
    /// Returns an error if there are fewer than two arcs, or the first two are invalid: the first must be 0 to 2, and the
    /// second must be below 40 if the first is 0 or 1.
    pub fn from_arcs(arcs: &[u64]) -> Result<Self, ParseOidError> {
        let mut text = alloc::string::String::new();
        for (index, arc) in arcs.iter().enumerate() {
            use fmt::Write;
            let dot = if index > 0 { "." } else { "" };
            // Writing to a String does not fail.
            let _ = write!(text, "{dot}{arc}");
        }
        text.parse()
    }

    /// Borrows the value as an [`Oid`].
    #[must_use]
    pub fn as_oid(&self) -> Oid<'_> {
        // Every constructor checked the bytes, or they were tolerated as they are.
        Oid::__shaped(&self.0)
    }

    /// Returns the content bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Iterates over the arcs, from the root.
    #[must_use]
    pub fn arcs(&self) -> Arcs<'_> {
        self.as_oid().arcs()
    }
}

as_borrowed!(OidBuf, Oid, as_oid, |oid| Some(Self::new(oid)));
compares!(OidBuf, Oid, as_oid);

impl AsRef<[u8]> for OidBuf {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for OidBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_oid(), f)
    }
}

impl fmt::Debug for OidBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OidBuf({self})")
    }
}

/// The error for text that is not a dotted object identifier, or is longer than 4,096 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOidError;

impl fmt::Display for ParseOidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an object identifier in dotted form")
    }
}

impl core::error::Error for ParseOidError {}

impl FromStr for OidBuf {
    type Err = ParseOidError;

    fn from_str(text: &str) -> Result<Self, ParseOidError> {
        from_dotted(text).map(|octets| Self(octets.into())).ok_or(ParseOidError)
    }
}

impl TryFrom<&str> for OidBuf {
    type Error = ParseOidError;

    fn try_from(text: &str) -> Result<Self, ParseOidError> {
        text.parse()
    }
}
