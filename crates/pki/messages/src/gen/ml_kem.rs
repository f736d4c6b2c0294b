//! ASN.1 module `X509-ML-KEM-2025`, from `X509-ML-KEM-2025.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! ML-KEM keys in certificates, and private keys.
//! RFC 9935 Appendix A.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// nistAlgorithms OBJECT IDENTIFIER ::=
///   { joint-iso-ccitt(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithm(4) }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 16.
pub const NIST_ALGORITHMS: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4");

/// ```asn1
/// kems OBJECT IDENTIFIER ::= { nistAlgorithms 4 }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 19.
pub const KEMS: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.4");

/// ```asn1
/// id-alg-ml-kem-512   OBJECT IDENTIFIER ::= { kems 1 }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 21.
pub const ID_ALG_ML_KEM_512: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.4.1");

/// ```asn1
/// id-alg-ml-kem-768   OBJECT IDENTIFIER ::= { kems 2 }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 22.
pub const ID_ALG_ML_KEM_768: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.4.2");

/// ```asn1
/// id-alg-ml-kem-1024  OBJECT IDENTIFIER ::= { kems 3 }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 23.
pub const ID_ALG_ML_KEM_1024: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.4.3");

/// ```asn1
/// ML-KEM-512-PublicKey ::= OCTET STRING (SIZE (800))
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 50.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ML-KEM-512-PublicKey", size(800), convert)]
pub struct MlKem512PublicKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// ML-KEM-768-PublicKey ::= OCTET STRING (SIZE (1184))
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 52.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ML-KEM-768-PublicKey", size(1184), convert)]
pub struct MlKem768PublicKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// ML-KEM-1024-PublicKey ::= OCTET STRING (SIZE (1568))
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 54.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ML-KEM-1024-PublicKey", size(1568), convert)]
pub struct MlKem1024PublicKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// A secret key. The seed is preferred. If both forms are present, readers check that they match (§8).
///
/// ```asn1
/// ML-KEM-512-PrivateKey ::= CHOICE {
///   seed         [0] OCTET STRING (SIZE (64)),
///   expandedKey  OCTET STRING (SIZE (1632)),
///   both         SEQUENCE {
///     seed         OCTET STRING (SIZE (64)),
///     expandedKey  OCTET STRING (SIZE (1632))
///   }
/// }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 58.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "ML-KEM-512-PrivateKey", secret)]
pub enum MlKem512PrivateKey<'a> {
    /// `seed [0] OCTET STRING (SIZE (64))`.
    #[asn1(implicit = 0, size(64))]
    Seed(OctetStr<'a>),
    /// `expandedKey OCTET STRING (SIZE (1632))`.
    #[asn1(size(1632))]
    ExpandedKey(OctetStr<'a>),
    /// `both SEQUENCE { seed OCTET STRING (SIZE (64)), expandedKey OCTET STRING (SIZE (1632)) }`.
    Both(MlKem512PrivateKeyBoth<'a>),
}

/// ```asn1
/// SEQUENCE {
///   seed         OCTET STRING (SIZE (64)),
///   expandedKey  OCTET STRING (SIZE (1632))
/// }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 61.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct MlKem512PrivateKeyBoth<'a> {
    /// `seed OCTET STRING (SIZE (64))`.
    #[asn1(size(64))]
    pub seed: OctetStr<'a>,
    /// `expandedKey OCTET STRING (SIZE (1632))`.
    #[asn1(size(1632))]
    pub expanded_key: OctetStr<'a>,
}

/// ```asn1
/// ML-KEM-768-PrivateKey ::= CHOICE {
///   seed         [0] OCTET STRING (SIZE (64)),
///   expandedKey  OCTET STRING (SIZE (2400)),
///   both         SEQUENCE {
///     seed         OCTET STRING (SIZE (64)),
///     expandedKey  OCTET STRING (SIZE (2400))
///   }
/// }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 67.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "ML-KEM-768-PrivateKey", secret)]
pub enum MlKem768PrivateKey<'a> {
    /// `seed [0] OCTET STRING (SIZE (64))`.
    #[asn1(implicit = 0, size(64))]
    Seed(OctetStr<'a>),
    /// `expandedKey OCTET STRING (SIZE (2400))`.
    #[asn1(size(2400))]
    ExpandedKey(OctetStr<'a>),
    /// `both SEQUENCE { seed OCTET STRING (SIZE (64)), expandedKey OCTET STRING (SIZE (2400)) }`.
    Both(MlKem768PrivateKeyBoth<'a>),
}

/// ```asn1
/// SEQUENCE {
///   seed         OCTET STRING (SIZE (64)),
///   expandedKey  OCTET STRING (SIZE (2400))
/// }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 70.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct MlKem768PrivateKeyBoth<'a> {
    /// `seed OCTET STRING (SIZE (64))`.
    #[asn1(size(64))]
    pub seed: OctetStr<'a>,
    /// `expandedKey OCTET STRING (SIZE (2400))`.
    #[asn1(size(2400))]
    pub expanded_key: OctetStr<'a>,
}

/// ```asn1
/// ML-KEM-1024-PrivateKey ::= CHOICE {
///   seed         [0] OCTET STRING (SIZE (64)),
///   expandedKey  OCTET STRING (SIZE (3168)),
///   both         SEQUENCE {
///     seed         OCTET STRING (SIZE (64)),
///     expandedKey  OCTET STRING (SIZE (3168))
///   }
/// }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 76.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "ML-KEM-1024-PrivateKey", secret)]
pub enum MlKem1024PrivateKey<'a> {
    /// `seed [0] OCTET STRING (SIZE (64))`.
    #[asn1(implicit = 0, size(64))]
    Seed(OctetStr<'a>),
    /// `expandedKey OCTET STRING (SIZE (3168))`.
    #[asn1(size(3168))]
    ExpandedKey(OctetStr<'a>),
    /// `both SEQUENCE { seed OCTET STRING (SIZE (64)), expandedKey OCTET STRING (SIZE (3168)) }`.
    Both(MlKem1024PrivateKeyBoth<'a>),
}

/// ```asn1
/// SEQUENCE {
///   seed         OCTET STRING (SIZE (64)),
///   expandedKey  OCTET STRING (SIZE (3168))
/// }
/// ```
///
/// `X509-ML-KEM-2025.asn1`, line 79.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct MlKem1024PrivateKeyBoth<'a> {
    /// `seed OCTET STRING (SIZE (64))`.
    #[asn1(size(64))]
    pub seed: OctetStr<'a>,
    /// `expandedKey OCTET STRING (SIZE (3168))`.
    #[asn1(size(3168))]
    pub expanded_key: OctetStr<'a>,
}
