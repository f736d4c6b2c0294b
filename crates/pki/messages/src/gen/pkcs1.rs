//! ASN.1 module `PKCS-1`, from `PKCS-1.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! RSA private keys, and the input of PKCS \#1 signatures.
//! RFC 8017 Appendix A and C. Public keys and algorithm identifiers: PKIXAlgs-2009, PKIX1-PSS-OAEP-Algorithms-2009.

use tagwise_codec::{Int, OctetStr, SeqOf};
use tagwise_derive::Asn1;

/// Secret except for the first three components. version is multi if and only if otherPrimeInfos is present.
///
/// ```asn1
/// RSAPrivateKey ::= SEQUENCE {
///   version          Version,
///   modulus          INTEGER,
///   publicExponent   INTEGER,
///   privateExponent  INTEGER,
///   prime1           INTEGER,
///   prime2           INTEGER,
///   exponent1        INTEGER,
///   exponent2        INTEGER,
///   coefficient      INTEGER,
///   otherPrimeInfos  OtherPrimeInfos OPTIONAL
/// }
/// ```
///
/// `PKCS-1.asn1`, line 20.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "RSAPrivateKey", constructor)]
pub struct RsaPrivateKey<'a> {
    /// `version Version`.
    pub version: Version,
    /// `modulus INTEGER`.
    pub modulus: Int<'a>,
    /// `publicExponent INTEGER`.
    pub public_exponent: Int<'a>,
    /// `privateExponent INTEGER`.
    #[asn1(secret)]
    pub private_exponent: Int<'a>,
    /// `prime1 INTEGER`.
    #[asn1(secret)]
    pub prime1: Int<'a>,
    /// `prime2 INTEGER`.
    #[asn1(secret)]
    pub prime2: Int<'a>,
    /// `exponent1 INTEGER`.
    #[asn1(secret)]
    pub exponent1: Int<'a>,
    /// `exponent2 INTEGER`.
    #[asn1(secret)]
    pub exponent2: Int<'a>,
    /// `coefficient INTEGER`.
    #[asn1(secret)]
    pub coefficient: Int<'a>,
    /// `otherPrimeInfos OtherPrimeInfos OPTIONAL`.
    #[asn1(secret)]
    pub other_prime_infos: Option<OtherPrimeInfos<'a>>,
}

/// ```asn1
/// Version ::= INTEGER { two-prime(0), multi(1) }
/// ```
///
/// `PKCS-1.asn1`, line 33.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(two_prime("two-prime") = 0, multi = 1), convert)]
pub struct Version(
    /// The number.
    pub u8,
);

impl Version {
    /// `two-prime` (0).
    pub const TWO_PRIME: Self = Self(0);

    /// `multi` (1).
    pub const MULTI: Self = Self(1);
}

/// ```asn1
/// OtherPrimeInfos ::= SEQUENCE SIZE (1..MAX) OF OtherPrimeInfo
/// ```
///
/// `PKCS-1.asn1`, line 35.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct OtherPrimeInfos<'a>(
    /// The wrapped value.
    pub SeqOf<'a, OtherPrimeInfo<'a>>,
);

/// ```asn1
/// OtherPrimeInfo ::= SEQUENCE {
///   prime        INTEGER,
///   exponent     INTEGER,
///   coefficient  INTEGER
/// }
/// ```
///
/// `PKCS-1.asn1`, line 37.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(secret)]
pub struct OtherPrimeInfo<'a> {
    /// `prime INTEGER`.
    pub prime: Int<'a>,
    /// `exponent INTEGER`.
    pub exponent: Int<'a>,
    /// `coefficient INTEGER`.
    pub coefficient: Int<'a>,
}

/// The input of RSASSA-PKCS1-v1\_5 padding. Digests have NULL parameters here. Verifiers compare bytes, not values.
///
/// ```asn1
/// DigestInfo ::= SEQUENCE {
///   digestAlgorithm  DigestAlgorithm,
///   digest           OCTET STRING
/// }
/// ```
///
/// `PKCS-1.asn1`, line 44.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct DigestInfo<'a> {
    /// `digestAlgorithm DigestAlgorithm`.
    pub digest_algorithm: DigestAlgorithm<'a>,
    /// `digest OCTET STRING`.
    pub digest: OctetStr<'a>,
}

/// ```asn1
/// DigestAlgorithm ::= AlgorithmIdentifier{DIGEST-ALGORITHM, {PKCS1-v1-5DigestAlgorithms}}
/// ```
///
/// `PKCS-1.asn1`, line 49.
pub type DigestAlgorithm<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;
