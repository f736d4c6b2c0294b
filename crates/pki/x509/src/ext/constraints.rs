//! Constraints on subordinate certificates: basic constraints (RFC 5280 §4.2.1.9) and name constraints (§4.2.1.10).
//! Path validation compares the names.

use tagwise_codec::SeqOf;
use tagwise_derive::Asn1;

use crate::ext::{Count, SubtreeName};

/// ```asn1
/// BasicConstraints ::= SEQUENCE {
///      cA                      BOOLEAN DEFAULT FALSE,
///      pathLenConstraint       INTEGER (0..MAX) OPTIONAL }
/// ```
///
/// Basic constraints: states whether the subject is a CA, and limits the path length below it (RFC 5280 §4.2.1.9).
///
/// ```
/// use tagwise_codec::{Decode, encode};
/// use tagwise_x509::ext::{BasicConstraints, Count};
/// let ca = BasicConstraints { ca: true, path_len_constraint: Some(Count::new(0)) };
/// assert_eq!(encode(&ca)?, [0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, 0x00]);
/// // FALSE is the default and must be left out.
/// let error = BasicConstraints::from_der(&[0x30, 0x03, 0x01, 0x01, 0x00]).unwrap_err();
/// assert_eq!((error.code(), error.offset()), ("default-encoded", 2));
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BasicConstraints<'a> {
    /// True if the subject may issue certificates.
    #[asn1(default = false, name = "cA")]
    pub ca: bool,
    /// The maximum number of intermediate CAs below this one. Unlimited if absent.
    pub path_len_constraint: Option<Count<'a>>,
}

/// ```asn1
/// NameConstraints ::= SEQUENCE {
///      permittedSubtrees       [0]     GeneralSubtrees OPTIONAL,
///      excludedSubtrees        [1]     GeneralSubtrees OPTIONAL }
///
/// GeneralSubtrees ::= SEQUENCE SIZE (1..MAX) OF GeneralSubtree
/// ```
///
/// Name constraints on subordinate certificates (RFC 5280 §4.2.1.10).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::NameConstraints;
/// let constraints = NameConstraints::from_der(b"\x30\x0F\xA0\x0D\x30\x0B\x82\x09.test.org")?;
/// let subtree = constraints.permitted_subtrees.unwrap().iter().next().unwrap()?;
/// assert_eq!(subtree.base.to_string(), "DNS:.test.org");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq)]
pub struct NameConstraints<'a> {
    /// Permitted subtrees. Names of a type that occurs in the list must be within one of them.
    #[asn1(implicit = 0, size(1..))]
    pub permitted_subtrees: Option<SeqOf<'a, GeneralSubtree<'a>>>,
    /// Excluded subtrees. No name may be within one of them.
    #[asn1(implicit = 1, size(1..))]
    pub excluded_subtrees: Option<SeqOf<'a, GeneralSubtree<'a>>>,
}

/// ```asn1
/// GeneralSubtree ::= SEQUENCE {
///      base                    GeneralName,
///      minimum         [0]     BaseDistance DEFAULT 0,
///      maximum         [1]     BaseDistance OPTIONAL }
/// ```
///
/// A subtree of names (RFC 5280 §4.2.1.10). An iPAddress is an address with a mask, 8 or 32 bytes.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct GeneralSubtree<'a> {
    /// The name at the root of the subtree.
    pub base: SubtreeName<'a>,
    /// The number of levels below the root at which the subtree begins. RFC 5280 only allows 0.
    #[asn1(implicit = 0, default = BaseDistance::ZERO)]
    pub minimum: BaseDistance<'a>,
    /// The number of levels below the root at which the subtree ends. RFC 5280 forbids this field.
    #[asn1(implicit = 1)]
    pub maximum: Option<BaseDistance<'a>>,
}

/// ```asn1
/// BaseDistance ::= INTEGER (0..MAX)
/// ```
///
/// A number of levels in a name (RFC 5280 §4.2.1.10).
pub type BaseDistance<'a> = Count<'a>;
