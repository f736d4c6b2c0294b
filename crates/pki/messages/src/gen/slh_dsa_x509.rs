//! ASN.1 module `X509-SLH-DSA-Module-2025`, from `X509-SLH-DSA-Module-2025.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! SLH-DSA and HashSLH-DSA in certificates.
//! RFC 9909 Appendix A.

use tagwise_codec::Oid;

/// ```asn1
/// nistAlgorithms OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 23.
pub const NIST_ALGORITHMS: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4");

/// ```asn1
/// sigAlgs OBJECT IDENTIFIER ::= { nistAlgorithms 3 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 26.
pub const SIG_ALGS: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3");

/// ```asn1
/// id-hash-slh-dsa-sha2-128s-with-sha256     OBJECT IDENTIFIER ::= { sigAlgs 35 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 30.
pub const ID_HASH_SLH_DSA_SHA2_128S_WITH_SHA256: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.35");

/// ```asn1
/// id-hash-slh-dsa-sha2-128f-with-sha256     OBJECT IDENTIFIER ::= { sigAlgs 36 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 31.
pub const ID_HASH_SLH_DSA_SHA2_128F_WITH_SHA256: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.36");

/// ```asn1
/// id-hash-slh-dsa-sha2-192s-with-sha512     OBJECT IDENTIFIER ::= { sigAlgs 37 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 32.
pub const ID_HASH_SLH_DSA_SHA2_192S_WITH_SHA512: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.37");

/// ```asn1
/// id-hash-slh-dsa-sha2-192f-with-sha512     OBJECT IDENTIFIER ::= { sigAlgs 38 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 33.
pub const ID_HASH_SLH_DSA_SHA2_192F_WITH_SHA512: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.38");

/// ```asn1
/// id-hash-slh-dsa-sha2-256s-with-sha512     OBJECT IDENTIFIER ::= { sigAlgs 39 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 34.
pub const ID_HASH_SLH_DSA_SHA2_256S_WITH_SHA512: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.39");

/// ```asn1
/// id-hash-slh-dsa-sha2-256f-with-sha512     OBJECT IDENTIFIER ::= { sigAlgs 40 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 35.
pub const ID_HASH_SLH_DSA_SHA2_256F_WITH_SHA512: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.40");

/// ```asn1
/// id-hash-slh-dsa-shake-128s-with-shake128  OBJECT IDENTIFIER ::= { sigAlgs 41 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 36.
pub const ID_HASH_SLH_DSA_SHAKE_128S_WITH_SHAKE128: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.41");

/// ```asn1
/// id-hash-slh-dsa-shake-128f-with-shake128  OBJECT IDENTIFIER ::= { sigAlgs 42 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 37.
pub const ID_HASH_SLH_DSA_SHAKE_128F_WITH_SHAKE128: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.42");

/// ```asn1
/// id-hash-slh-dsa-shake-192s-with-shake256  OBJECT IDENTIFIER ::= { sigAlgs 43 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 38.
pub const ID_HASH_SLH_DSA_SHAKE_192S_WITH_SHAKE256: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.43");

/// ```asn1
/// id-hash-slh-dsa-shake-192f-with-shake256  OBJECT IDENTIFIER ::= { sigAlgs 44 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 39.
pub const ID_HASH_SLH_DSA_SHAKE_192F_WITH_SHAKE256: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.44");

/// ```asn1
/// id-hash-slh-dsa-shake-256s-with-shake256  OBJECT IDENTIFIER ::= { sigAlgs 45 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 40.
pub const ID_HASH_SLH_DSA_SHAKE_256S_WITH_SHAKE256: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.45");

/// ```asn1
/// id-hash-slh-dsa-shake-256f-with-shake256  OBJECT IDENTIFIER ::= { sigAlgs 46 }
/// ```
///
/// `X509-SLH-DSA-Module-2025.asn1`, line 41.
pub const ID_HASH_SLH_DSA_SHAKE_256F_WITH_SHAKE256: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.46");
