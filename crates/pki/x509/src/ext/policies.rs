//! Certificate policies and their constraints on the path (RFC 5280 §4.2.1.4, §4.2.1.5, §4.2.1.11, §4.2.1.14). Path
//! validation evaluates them.

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
/// A policy qualifier (RFC 5280 §4.2.1.4). Unknown qualifiers are not decoded (the set is extensible in RFC 5912).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PolicyQualifierInfo<'a> {
    /// The qualifier's type.
    pub policy_qualifier_id: Oid<'a>,
    /// The qualifier.
    #[asn1(defined_by = policy_qualifier_id)]
    pub qualifier: Open<'a, PolicyQualifier<'a>>,
}

/// The policy qualifiers of RFC 5280 §4.2.1.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "PolicyQualifierId")]
pub enum PolicyQualifier<'a> {
    /// `id-qt-cps`: the location of the certification practice statement.
    #[asn1(oid = oids::QT_CPS, name = "CPSuri")]
    Cps(CpsUri<'a>),
    /// `id-qt-unotice`: a notice for users of the certificate.
    #[asn1(oid = oids::QT_UNOTICE, name = "UserNotice")]
    UserNotice(UserNotice<'a>),
    /// An unknown qualifier.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// CPSuri ::= IA5String
/// ```
///
/// The location of a certification practice statement (RFC 5280 §4.2.1.4).
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
/// Text for users (RFC 5280 §4.2.1.4). Sizes are in characters. Any positive length is accepted, because "certificate
/// users SHOULD gracefully handle explicitText with more than 200 characters". The lint
/// `rfc5280.4.2.1.4.explicit_text_length` reports longer texts.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayText<'a> {
    /// ASCII. Not allowed in explicitText.
    #[asn1(name = "ia5String", size(1..))]
    Ia5(Ia5<'a>),
    /// ASCII without control characters.
    #[asn1(name = "visibleString", size(1..))]
    Visible(Visible<'a>),
    /// Basic Multilingual Plane characters of two bytes each.
    #[asn1(name = "bmpString", size(1..))]
    Bmp(Bmp<'a>),
    /// UTF-8, as recommended by RFC 5280.
    #[asn1(name = "utf8String", size(1..))]
    Utf8(Utf8<'a>),
}

/// Displays the text unchanged. It may contain control characters.
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
/// The number of certificates in the path before a constraint takes effect (RFC 5280 §4.2.1.11).
pub type SkipCerts<'a> = Count<'a>;

/// ```asn1
/// InhibitAnyPolicy ::= SkipCerts
/// ```
///
/// The number of certificates after which `anyPolicy` no longer matches (RFC 5280 §4.2.1.14).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::InhibitAnyPolicy;
/// assert_eq!(InhibitAnyPolicy::from_der(&[0x02, 0x01, 0x05])?.0.get(), 5);
/// assert_eq!(InhibitAnyPolicy::from_der(&[0x02, 0x01, 0xFF]).unwrap_err().code(), "value");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct InhibitAnyPolicy<'a>(
    /// The number of certificates to skip.
    pub SkipCerts<'a>,
);
