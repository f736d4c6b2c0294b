//! ASN.1 module `MultipleSignatures-2010`, from `MultipleSignatures-2010.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Signatures that reference each other, so that none can be removed unnoticed.
//! RFC 5752, in the form of RFC 6268 §7.

use super::cms::{DigestAlgorithmIdentifier, SignatureAlgorithmIdentifier};
use super::ess::EssCertIdV2;
use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// id-aa-multipleSignatures OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) smime(16) id-aa(2) 51 }
/// ```
///
/// `MultipleSignatures-2010.asn1`, line 23.
pub const ID_AA_MULTIPLE_SIGNATURES: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.51");

/// signAttrsHash is the hash of the other signature's signed attributes, without this attribute.
///
/// ```asn1
/// MultipleSignatures ::= SEQUENCE {
///   bodyHashAlg    DigestAlgorithmIdentifier,
///   signAlg        SignatureAlgorithmIdentifier,
///   signAttrsHash  SignAttrsHash,
///   cert           ESSCertIDv2 OPTIONAL
/// }
/// ```
///
/// `MultipleSignatures-2010.asn1`, line 27.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct MultipleSignatures<'a> {
    /// `bodyHashAlg DigestAlgorithmIdentifier`.
    pub body_hash_alg: DigestAlgorithmIdentifier<'a>,
    /// `signAlg SignatureAlgorithmIdentifier`.
    pub sign_alg: SignatureAlgorithmIdentifier<'a>,
    /// `signAttrsHash SignAttrsHash`.
    pub sign_attrs_hash: SignAttrsHash<'a>,
    /// `cert ESSCertIDv2 OPTIONAL`.
    pub cert: Option<EssCertIdV2<'a>>,
}

/// ```asn1
/// SignAttrsHash ::= SEQUENCE {
///   algID  DigestAlgorithmIdentifier,
///   hash   OCTET STRING
/// }
/// ```
///
/// `MultipleSignatures-2010.asn1`, line 34.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SignAttrsHash<'a> {
    /// `algID DigestAlgorithmIdentifier`.
    #[asn1(name = "algID")]
    pub alg_id: DigestAlgorithmIdentifier<'a>,
    /// `hash OCTET STRING`.
    pub hash: OctetStr<'a>,
}
