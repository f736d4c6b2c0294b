//! ASN.1 module `CMSAlgorithmProtectionAttribute`, from `CMSAlgorithmProtectionAttribute.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! A signed attribute that repeats the algorithms, so that they cannot be substituted.
//! RFC 6211 Appendix A.

use super::cms::{DigestAlgorithmIdentifier, MessageAuthenticationCodeAlgorithm, SignatureAlgorithmIdentifier};
use tagwise_codec::Oid;
use tagwise_derive::Asn1;

/// ```asn1
/// id-aa-CMSAlgorithmProtection OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) 52 }
/// ```
///
/// `CMSAlgorithmProtectionAttribute.asn1`, line 23.
pub const ID_AA_CMS_ALGORITHM_PROTECTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.52");

/// ```asn1
/// CMSAlgorithmProtection ::= SEQUENCE {
///   digestAlgorithm     DigestAlgorithmIdentifier,
///   signatureAlgorithm  [1] SignatureAlgorithmIdentifier OPTIONAL,
///   macAlgorithm        [2] MessageAuthenticationCodeAlgorithm OPTIONAL
/// }
///   (WITH COMPONENTS { ..., signatureAlgorithm PRESENT, macAlgorithm ABSENT } |
///    WITH COMPONENTS { ..., signatureAlgorithm ABSENT, macAlgorithm PRESENT })
/// ```
///
/// `CMSAlgorithmProtectionAttribute.asn1`, line 26.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CMSAlgorithmProtection", constructor)]
#[asn1(constraints(any_of(
    with_components(..., "signatureAlgorithm" = present, "macAlgorithm" = absent),
    with_components(..., "signatureAlgorithm" = absent, "macAlgorithm" = present)
)))]
pub struct CmsAlgorithmProtection<'a> {
    /// `digestAlgorithm DigestAlgorithmIdentifier`.
    pub digest_algorithm: DigestAlgorithmIdentifier<'a>,
    /// `signatureAlgorithm [1] SignatureAlgorithmIdentifier OPTIONAL`.
    #[asn1(implicit = 1)]
    pub signature_algorithm: Option<SignatureAlgorithmIdentifier<'a>>,
    /// `macAlgorithm [2] MessageAuthenticationCodeAlgorithm OPTIONAL`.
    #[asn1(implicit = 2)]
    pub mac_algorithm: Option<MessageAuthenticationCodeAlgorithm<'a>>,
}
