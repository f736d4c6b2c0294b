//! Under which policies a certificate was issued, and what that demands of the path (RFC 5280 §4.2.1.4, §4.2.1.5,
//! §4.2.1.11, §4.2.1.14). What policies mean for a path is for path validation; nothing here computes it.

use core::fmt;

use tagwise_codec::{Bmp, Ia5, Int, Oid, Open, SeqOf, Unknown, Utf8, Visible};
use tagwise_derive::Asn1;

use crate::ext::Count;

/// ```asn1
/// certificatePolicies ::= SEQUENCE SIZE (1..MAX) OF PolicyInformation
/// ```
///
/// RFC 5280 §4.2.1.4.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::{ext::CertificatePolicies, oids};
/// let policies = CertificatePolicies::from_der(b"\x30\x0A\x30\x08\x06\x06\x67\x81\x0C\x01\x02\x01")?;
/// for policy in policies.0.iter() {
///     assert_eq!(policy?.policy_identifier, oids::CABF_DOMAIN_VALIDATED);
/// }
/// // No policy at all.
/// assert_eq!(CertificatePolicies::from_der(&[0x30, 0x00]).unwrap_err().code(), "size");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
pub struct CertificatePolicies<'a>(
    /// The policies.
    pub SeqOf<'a, PolicyInformation<'a>>,
);

/// ```asn1
/// PolicyInformation ::= SEQUENCE {
///      policyIdentifier   CertPolicyId,
///      policyQualifiers   SEQUENCE SIZE (1..MAX) OF
///                              PolicyQualifierInfo OPTIONAL }
///
/// CertPolicyId ::= OBJECT IDENTIFIER
/// ```
///
/// RFC 5280 §4.2.1.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PolicyInformation<'a> {
    /// The policy.
    pub policy_identifier: Oid<'a>,
    /// Where to read it, what to tell users.
    #[asn1(size(1..))]
    pub policy_qualifiers: Option<SeqOf<'a, PolicyQualifierInfo<'a>>>,
}

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
    /// What kind of qualifier it is.
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
    #[asn1(oid = "1.3.6.1.5.5.7.2.1", name = "CPSuri")]
    Cps(CpsUri<'a>),
    /// `id-qt-unotice`.
    #[asn1(oid = "1.3.6.1.5.5.7.2.2", name = "UserNotice")]
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
/// UserNotice ::= SEQUENCE {
///      noticeRef        NoticeReference OPTIONAL,
///      explicitText     DisplayText OPTIONAL }
/// ```
///
/// RFC 5280 §4.2.1.4.
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq)]
pub struct UserNotice<'a> {
    /// A text that the user has elsewhere.
    pub notice_ref: Option<NoticeReference<'a>>,
    /// The text.
    pub explicit_text: Option<DisplayText<'a>>,
}

/// ```asn1
/// NoticeReference ::= SEQUENCE {
///      organization     DisplayText,
///      noticeNumbers    SEQUENCE OF INTEGER }
/// ```
///
/// RFC 5280 §4.2.1.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct NoticeReference<'a> {
    /// Whose texts are numbered.
    pub organization: DisplayText<'a>,
    /// The numbers of the texts.
    pub notice_numbers: SeqOf<'a, Int<'a>>,
}

/// ```asn1
/// DisplayText ::= CHOICE {
///      ia5String        IA5String      (SIZE (1..200)),
///      visibleString    VisibleString  (SIZE (1..200)),
///      bmpString        BMPString      (SIZE (1..200)),
///      utf8String       UTF8String     (SIZE (1..200)) }
/// ```
///
/// RFC 5280 §4.2.1.4. Sizes are in characters.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayText<'a> {
    /// ASCII; not to be used for explicitText.
    #[asn1(name = "ia5String", size(1..=200))]
    Ia5(Ia5<'a>),
    /// ASCII without control characters.
    #[asn1(name = "visibleString", size(1..=200))]
    Visible(Visible<'a>),
    /// The Basic Multilingual Plane, two octets a character.
    #[asn1(name = "bmpString", size(1..=200))]
    Bmp(Bmp<'a>),
    /// UTF-8: what RFC 5280 recommends.
    #[asn1(name = "utf8String", size(1..=200))]
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
/// PolicyMappings ::= SEQUENCE SIZE (1..MAX) OF SEQUENCE {
///      issuerDomainPolicy      CertPolicyId,
///      subjectDomainPolicy     CertPolicyId }
/// ```
///
/// RFC 5280 §4.2.1.5.
///
/// ```
/// use tagwise_codec::{SeqOf, encode, oid};
/// use tagwise_pkix::ext::{PolicyMapping, PolicyMappings};
/// let mapping = [PolicyMapping { issuer_domain_policy: oid!("1.2.3"), subject_domain_policy: oid!("1.2.4") }];
/// let mappings = PolicyMappings(SeqOf::from_slice(&mapping));
/// assert_eq!(encode(&mappings)?, *b"\x30\x0A\x30\x08\x06\x02\x2A\x03\x06\x02\x2A\x04");
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
pub struct PolicyMappings<'a>(
    /// The pairs.
    pub SeqOf<'a, PolicyMapping<'a>>,
);

/// One pair of [`PolicyMappings`]: the issuer takes the one policy for the other.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyMapping<'a> {
    /// A policy of the issuer's.
    pub issuer_domain_policy: Oid<'a>,
    /// What the subject's domain calls it.
    pub subject_domain_policy: Oid<'a>,
}

/// ```asn1
/// PolicyConstraints ::= SEQUENCE {
///      requireExplicitPolicy           [0] SkipCerts OPTIONAL,
///      inhibitPolicyMapping            [1] SkipCerts OPTIONAL }
/// ```
///
/// RFC 5280 §4.2.1.11.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::ext::PolicyConstraints;
/// let constraints = PolicyConstraints::from_der(&[0x30, 0x03, 0x80, 0x01, 0x02])?;
/// assert_eq!(constraints.require_explicit_policy.map(|skip| skip.get()), Some(2));
/// assert_eq!(constraints.inhibit_policy_mapping, None);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyConstraints<'a> {
    /// After how many more certificates every one needs an acceptable policy.
    #[asn1(implicit = 0)]
    pub require_explicit_policy: Option<SkipCerts<'a>>,
    /// After how many more certificates policies are no longer mapped.
    #[asn1(implicit = 1)]
    pub inhibit_policy_mapping: Option<SkipCerts<'a>>,
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
