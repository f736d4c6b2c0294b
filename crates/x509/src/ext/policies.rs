//! Under which policies a certificate was issued, and what that demands of the path (RFC 5280 §4.2.1.4, §4.2.1.5,
//! §4.2.1.11, §4.2.1.14). What policies mean for a path is for path validation; nothing here computes it.

use core::fmt;

use tagwise_codec::{Bmp, Ia5, Oid, Open, Unknown, Utf8, Visible};
use tagwise_derive::Asn1;

pub use crate::r#gen::extensions::{
    CertificatePolicies, NoticeReference, PolicyConstraints, PolicyInformation, PolicyMapping, PolicyMappings,
    UserNotice,
};

use crate::ext::Count;
use crate::oids;

/// ```asn1
/// PolicyQualifierInfo ::= SEQUENCE {
///      policyQualifierId  PolicyQualifierId,
///      qualifier          ANY DEFINED BY policyQualifierId }
///
/// PolicyQualifierId ::= OBJECT IDENTIFIER ( id-qt-cps | id-qt-unotice )
/// ```
///
/// RFC 5280 §4.2.1.4. Other qualifiers are kept as they are (the set is extensible in RFC 5912).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PolicyQualifierInfo<'a> {
    /// Kind of the qualifier.
    pub policy_qualifier_id: Oid<'a>,
    /// The qualifier.
    #[asn1(defined_by = policy_qualifier_id)]
    pub qualifier: Open<'a, PolicyQualifier<'a>>,
}

/// The policy qualifiers of RFC 5280 §4.2.1.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "PolicyQualifierId")]
pub enum PolicyQualifier<'a> {
    /// `id-qt-cps`.
    #[asn1(oid = oids::QT_CPS, name = "CPSuri")]
    Cps(CpsUri<'a>),
    /// `id-qt-unotice`.
    #[asn1(oid = oids::QT_UNOTICE, name = "UserNotice")]
    UserNotice(UserNotice<'a>),
    /// Another one.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// CPSuri ::= IA5String
/// ```
///
/// RFC 5280 §4.2.1.4: where the certification practice statement is.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "CPSuri")]
pub struct CpsUri<'a>(
    /// The URI.
    pub Ia5<'a>,
);

/// ```asn1
/// DisplayText ::= CHOICE {
///      ia5String        IA5String      (SIZE (1..200)),
///      visibleString    VisibleString  (SIZE (1..200)),
///      bmpString        BMPString      (SIZE (1..200)),
///      utf8String       UTF8String     (SIZE (1..200)) }
/// ```
///
/// RFC 5280 §4.2.1.4. Sizes are in characters. Any number above none is read, since "certificate users SHOULD gracefully handle
/// explicitText with more than 200 characters"; the lint `rfc5280.4.2.1.4.explicit_text_length` finds it.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayText<'a> {
    /// ASCII; not to be used for explicitText.
    #[asn1(name = "ia5String", size(1..))]
    Ia5(Ia5<'a>),
    /// ASCII without control characters.
    #[asn1(name = "visibleString", size(1..))]
    Visible(Visible<'a>),
    /// The Basic Multilingual Plane, two octets a character.
    #[asn1(name = "bmpString", size(1..))]
    Bmp(Bmp<'a>),
    /// UTF-8: what RFC 5280 recommends.
    #[asn1(name = "utf8String", size(1..))]
    Utf8(Utf8<'a>),
}

/// The text itself: it may hold control characters and the like.
impl fmt::Display for DisplayText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ia5(text) => text.fmt(f),
            Self::Visible(text) => text.fmt(f),
            Self::Bmp(text) => text.fmt(f),
            Self::Utf8(text) => text.fmt(f),
        }
    }
}

/// ```asn1
/// SkipCerts ::= INTEGER (0..MAX)
/// ```
///
/// RFC 5280 §4.2.1.11: how many more certificates of a path are let off.
pub type SkipCerts<'a> = Count<'a>;

/// ```asn1
/// InhibitAnyPolicy ::= SkipCerts
/// ```
///
/// RFC 5280 §4.2.1.14: after how many more certificates `anyPolicy` no longer stands for others.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::ext::InhibitAnyPolicy;
/// assert_eq!(InhibitAnyPolicy::from_der(&[0x02, 0x01, 0x05])?.0.get(), 5);
/// assert_eq!(InhibitAnyPolicy::from_der(&[0x02, 0x01, 0xFF]).unwrap_err().code(), "value");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct InhibitAnyPolicy<'a>(
    /// The number.
    pub SkipCerts<'a>,
);
