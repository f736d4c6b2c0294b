//! ASN.1 module `RPKIManifest`, from `RPKIManifest.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Manifests of the Resource Public Key Infrastructure: lists of the files that a certification authority has published.
//! RFC 9286 Appendix A.

use tagwise_codec::{BitStr, GeneralizedTime, Ia5, Int, Oid, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// id-ct-rpkiManifest OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) ct(1) 26 }
/// ```
///
/// `RPKIManifest.asn1`, line 18.
pub const ID_CT_RPKI_MANIFEST: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.26");

/// A manifest. Its number increases with each manifest (§4.2.1). nextUpdate must be later than thisUpdate.
///
/// ```asn1
/// Manifest ::= SEQUENCE {
///   version         [0] INTEGER DEFAULT 0,
///   manifestNumber  INTEGER (0..MAX),
///   thisUpdate      GeneralizedTime,
///   nextUpdate      GeneralizedTime,
///   fileHashAlg     OBJECT IDENTIFIER,
///   fileList        SEQUENCE SIZE (0..MAX) OF FileAndHash
/// }
/// ```
///
/// `RPKIManifest.asn1`, line 22.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Manifest<'a> {
    /// `version [0] INTEGER DEFAULT 0`.
    #[asn1(explicit = 0, default = Int::from_signed(&[0x00]))]
    pub version: Int<'a>,
    /// `manifestNumber INTEGER (0..MAX)`.
    #[asn1(value(0..))]
    pub manifest_number: Int<'a>,
    /// `thisUpdate GeneralizedTime`.
    pub this_update: GeneralizedTime<'a>,
    /// `nextUpdate GeneralizedTime`.
    pub next_update: GeneralizedTime<'a>,
    /// `fileHashAlg OBJECT IDENTIFIER`.
    pub file_hash_alg: Oid<'a>,
    /// `fileList SEQUENCE SIZE (0..MAX) OF FileAndHash`.
    pub file_list: SeqOf<'a, FileAndHash<'a>>,
}

/// §4.2.2 has the rules of file names.
///
/// ```asn1
/// FileAndHash ::= SEQUENCE {
///   file  IA5String,
///   hash  BIT STRING
/// }
/// ```
///
/// `RPKIManifest.asn1`, line 32.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct FileAndHash<'a> {
    /// `file IA5String`.
    pub file: Ia5<'a>,
    /// `hash BIT STRING`.
    pub hash: BitStr<'a>,
}
