//! Owned object identifiers, for policies and purposes from users and files.

use core::fmt;

use tagwise_codec::Oid;

/// An owned object identifier.
///
/// ```
/// use tagwise_codec::oid;
/// use tagwise_path::OidBuf;
/// let policy = OidBuf::from(oid!("2.16.840.1.101.3.2.1.48.1"));
/// assert_eq!(policy.to_string(), "2.16.840.1.101.3.2.1.48.1");
/// assert_eq!(policy.oid(), oid!("2.16.840.1.101.3.2.1.48.1"));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OidBuf(Box<[u8]>);

impl OidBuf {
    /// The identifier.
    #[must_use]
    pub fn oid(&self) -> Oid<'_> {
        // The octets are those of an `Oid`.
        Oid::__shaped(&self.0)
    }
}

impl From<Oid<'_>> for OidBuf {
    fn from(oid: Oid<'_>) -> Self {
        Self(oid.as_bytes().into())
    }
}

impl PartialEq<Oid<'_>> for OidBuf {
    fn eq(&self, other: &Oid<'_>) -> bool {
        &*self.0 == other.as_bytes()
    }
}

impl fmt::Display for OidBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.oid().fmt(f)
    }
}

impl fmt::Debug for OidBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OidBuf({self})")
    }
}
