//! ASN.1 module `X509-ML-DSA-2025`, from `X509-ML-DSA-2025.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! ML-DSA signatures and keys in certificates, and private keys.
//! RFC 9881 Appendix A.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// nistAlgorithms OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 16.
pub const NIST_ALGORITHMS: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4");

/// ```asn1
/// sigAlgs OBJECT IDENTIFIER ::= { nistAlgorithms 3 }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 19.
pub const SIG_ALGS: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3");

/// ```asn1
/// id-ml-dsa-44  OBJECT IDENTIFIER ::= { sigAlgs 17 }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 21.
pub const ID_ML_DSA_44: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.17");

/// ```asn1
/// id-ml-dsa-65  OBJECT IDENTIFIER ::= { sigAlgs 18 }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 22.
pub const ID_ML_DSA_65: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.18");

/// ```asn1
/// id-ml-dsa-87  OBJECT IDENTIFIER ::= { sigAlgs 19 }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 23.
pub const ID_ML_DSA_87: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.19");

/// ```asn1
/// ML-DSA-44-PublicKey ::= OCTET STRING (SIZE (1312))
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 73.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ML-DSA-44-PublicKey", size(1312), convert)]
pub struct MlDsa44PublicKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// ML-DSA-65-PublicKey ::= OCTET STRING (SIZE (1952))
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 75.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ML-DSA-65-PublicKey", size(1952), convert)]
pub struct MlDsa65PublicKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// ML-DSA-87-PublicKey ::= OCTET STRING (SIZE (2592))
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 77.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ML-DSA-87-PublicKey", size(2592), convert)]
pub struct MlDsa87PublicKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// A secret key. The seed is preferred. If both forms are present, readers check that they match (§8).
///
/// ```asn1
/// ML-DSA-44-PrivateKey ::= CHOICE {
///   seed         [0] OCTET STRING (SIZE (32)),
///   expandedKey  OCTET STRING (SIZE (2560)),
///   both         SEQUENCE {
///     seed         OCTET STRING (SIZE (32)),
///     expandedKey  OCTET STRING (SIZE (2560))
///   }
/// }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 81.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "ML-DSA-44-PrivateKey", secret)]
pub enum MlDsa44PrivateKey<'a> {
    /// `seed [0] OCTET STRING (SIZE (32))`.
    #[asn1(implicit = 0, size(32))]
    Seed(OctetStr<'a>),
    /// `expandedKey OCTET STRING (SIZE (2560))`.
    #[asn1(size(2560))]
    ExpandedKey(OctetStr<'a>),
    /// `both SEQUENCE { seed OCTET STRING (SIZE (32)), expandedKey OCTET STRING (SIZE (2560)) }`.
    Both(MlDsa44PrivateKeyBoth<'a>),
}

/// ```asn1
/// SEQUENCE {
///   seed         OCTET STRING (SIZE (32)),
///   expandedKey  OCTET STRING (SIZE (2560))
/// }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 84.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct MlDsa44PrivateKeyBoth<'a> {
    /// `seed OCTET STRING (SIZE (32))`.
    #[asn1(size(32))]
    pub seed: OctetStr<'a>,
    /// `expandedKey OCTET STRING (SIZE (2560))`.
    #[asn1(size(2560))]
    pub expanded_key: OctetStr<'a>,
}

/// ```asn1
/// ML-DSA-65-PrivateKey ::= CHOICE {
///   seed         [0] OCTET STRING (SIZE (32)),
///   expandedKey  OCTET STRING (SIZE (4032)),
///   both         SEQUENCE {
///     seed         OCTET STRING (SIZE (32)),
///     expandedKey  OCTET STRING (SIZE (4032))
///   }
/// }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 90.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "ML-DSA-65-PrivateKey", secret)]
pub enum MlDsa65PrivateKey<'a> {
    /// `seed [0] OCTET STRING (SIZE (32))`.
    #[asn1(implicit = 0, size(32))]
    Seed(OctetStr<'a>),
    /// `expandedKey OCTET STRING (SIZE (4032))`.
    #[asn1(size(4032))]
    ExpandedKey(OctetStr<'a>),
    /// `both SEQUENCE { seed OCTET STRING (SIZE (32)), expandedKey OCTET STRING (SIZE (4032)) }`.
    Both(MlDsa65PrivateKeyBoth<'a>),
}

/// ```asn1
/// SEQUENCE {
///   seed         OCTET STRING (SIZE (32)),
///   expandedKey  OCTET STRING (SIZE (4032))
/// }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 93.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct MlDsa65PrivateKeyBoth<'a> {
    /// `seed OCTET STRING (SIZE (32))`.
    #[asn1(size(32))]
    pub seed: OctetStr<'a>,
    /// `expandedKey OCTET STRING (SIZE (4032))`.
    #[asn1(size(4032))]
    pub expanded_key: OctetStr<'a>,
}

/// ```asn1
/// ML-DSA-87-PrivateKey ::= CHOICE {
///   seed         [0] OCTET STRING (SIZE (32)),
///   expandedKey  OCTET STRING (SIZE (4896)),
///   both         SEQUENCE {
///     seed         OCTET STRING (SIZE (32)),
///     expandedKey  OCTET STRING (SIZE (4896))
///   }
/// }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 99.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "ML-DSA-87-PrivateKey", secret)]
pub enum MlDsa87PrivateKey<'a> {
    /// `seed [0] OCTET STRING (SIZE (32))`.
    #[asn1(implicit = 0, size(32))]
    Seed(OctetStr<'a>),
    /// `expandedKey OCTET STRING (SIZE (4896))`.
    #[asn1(size(4896))]
    ExpandedKey(OctetStr<'a>),
    /// `both SEQUENCE { seed OCTET STRING (SIZE (32)), expandedKey OCTET STRING (SIZE (4896)) }`.
    Both(MlDsa87PrivateKeyBoth<'a>),
}

/// ```asn1
/// SEQUENCE {
///   seed         OCTET STRING (SIZE (32)),
///   expandedKey  OCTET STRING (SIZE (4896))
/// }
/// ```
///
/// `X509-ML-DSA-2025.asn1`, line 102.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct MlDsa87PrivateKeyBoth<'a> {
    /// `seed OCTET STRING (SIZE (32))`.
    #[asn1(size(32))]
    pub seed: OctetStr<'a>,
    /// `expandedKey OCTET STRING (SIZE (4896))`.
    #[asn1(size(4896))]
    pub expanded_key: OctetStr<'a>,
}
