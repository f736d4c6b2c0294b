//! The supported drafts and their identifiers, which are never mixed in a certificate.

use tagwise_codec::{Oid, oid};

/// A supported draft of Merkle Tree Certificates.
///
/// ```
/// use tagwise_mtc::Draft;
/// assert_eq!(Draft::default(), Draft::V07);
/// assert_eq!(Draft::V07.proof_algorithm().to_string(), "1.3.6.1.5.5.7.6.67");
/// assert_eq!("06".parse(), Ok(Draft::V06));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Draft {
    /// draft-ietf-plants-merkle-tree-certs-05: a 16-bit length for cosignatures, and names as UTF8String.
    V05,
    /// draft-ietf-plants-merkle-tree-certs-06: like -07, with experimental identifiers.
    V06,
    /// draft-ietf-plants-merkle-tree-certs-07, the default.
    #[default]
    V07,
}

impl Draft {
    /// All drafts, oldest first.
    pub const ALL: [Self; 3] = [Self::V05, Self::V06, Self::V07];

    /// `id-alg-mtcProof`, the signature algorithm of certificates.
    #[must_use]
    pub const fn proof_algorithm(self) -> Oid<'static> {
        match self {
            Self::V05 | Self::V06 => oid!("1.3.6.1.4.1.44363.47.0"),
            Self::V07 => oid!("1.3.6.1.5.5.7.6.67"),
        }
    }

    /// `id-rdna-trustAnchorID`, the attribute type of an issuer's name.
    #[must_use]
    pub const fn name_attribute(self) -> Oid<'static> {
        match self {
            Self::V05 => oid!("1.3.6.1.4.1.44363.47.1"),
            Self::V06 => oid!("1.3.6.1.4.1.44363.47.3"),
            Self::V07 => oid!("1.3.6.1.5.5.7.25.3"),
        }
    }

    /// `id-pe-mtcCertificationAuthority`, the extension in CA certificates. Since -06, it is specific to SHA-256.
    #[must_use]
    pub const fn authority_extension(self) -> Oid<'static> {
        match self {
            Self::V05 => oid!("1.3.6.1.4.1.44363.47.2"),
            Self::V06 => oid!("1.3.6.1.4.1.44363.47.4"),
            Self::V07 => oid!("1.3.6.1.5.5.7.1.38"),
        }
    }

    /// Returns the size in bytes of the length prefix of a proof's cosignatures.
    pub(crate) const fn signatures_prefix(self) -> usize {
        match self {
            Self::V05 => 2,
            Self::V06 | Self::V07 => 3,
        }
    }

    /// Returns whether names contain the ID as text.
    pub(crate) const fn has_text_names(self) -> bool {
        matches!(self, Self::V05)
    }

    /// Returns the draft number, such as `07`.
    #[must_use]
    pub const fn number(self) -> &'static str {
        match self {
            Self::V05 => "05",
            Self::V06 => "06",
            Self::V07 => "07",
        }
    }
}

impl core::fmt::Display for Draft {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.number())
    }
}

impl core::str::FromStr for Draft {
    type Err = UnknownDraft;

    fn from_str(text: &str) -> Result<Self, UnknownDraft> {
        let number = text.strip_prefix("plants-").unwrap_or(text).trim_start_matches('-');
        Self::ALL.into_iter().find(|draft| draft.number() == number).ok_or(UnknownDraft)
    }
}

/// The error for an unknown draft number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDraft;

impl core::fmt::Display for UnknownDraft {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("expected a draft: 05, 06 or 07")
    }
}

impl core::error::Error for UnknownDraft {}

/// `sha256`.
pub(crate) const SHA256: Oid<'static> = oid!("2.16.840.1.101.3.4.2.1");
/// `id-alg-unsigned` (RFC 9925 §3.1).
pub(crate) const UNSIGNED: Oid<'static> = oid!("1.3.6.1.5.5.7.6.36");
/// `id-rdna-unsigned` (RFC 9925 §4).
pub(crate) const UNSIGNED_ATTRIBUTE: Oid<'static> = oid!("1.3.6.1.5.5.7.25.1");
/// `id-ce-keyUsage`.
pub(crate) const KEY_USAGE: Oid<'static> = oid!("2.5.29.15");
/// `id-ce-basicConstraints`.
pub(crate) const BASIC_CONSTRAINTS: Oid<'static> = oid!("2.5.29.19");
