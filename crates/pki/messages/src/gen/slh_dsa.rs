//! ASN.1 module `SLH-DSA-Module-2024`, from `SLH-DSA-Module-2024.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! SLH-DSA signatures and keys.
//! RFC 9814 Appendix A.

use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// nistAlgorithms OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 16.
pub const NIST_ALGORITHMS: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4");

/// ```asn1
/// sigAlgs OBJECT IDENTIFIER ::= { nistAlgorithms 3 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 19.
pub const SIG_ALGS: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3");

/// ```asn1
/// id-slh-dsa-sha2-128s   OBJECT IDENTIFIER ::= { sigAlgs 20 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 21.
pub const ID_SLH_DSA_SHA2_128S: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.20");

/// ```asn1
/// id-slh-dsa-sha2-128f   OBJECT IDENTIFIER ::= { sigAlgs 21 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 22.
pub const ID_SLH_DSA_SHA2_128F: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.21");

/// ```asn1
/// id-slh-dsa-sha2-192s   OBJECT IDENTIFIER ::= { sigAlgs 22 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 23.
pub const ID_SLH_DSA_SHA2_192S: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.22");

/// ```asn1
/// id-slh-dsa-sha2-192f   OBJECT IDENTIFIER ::= { sigAlgs 23 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 24.
pub const ID_SLH_DSA_SHA2_192F: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.23");

/// ```asn1
/// id-slh-dsa-sha2-256s   OBJECT IDENTIFIER ::= { sigAlgs 24 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 25.
pub const ID_SLH_DSA_SHA2_256S: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.24");

/// ```asn1
/// id-slh-dsa-sha2-256f   OBJECT IDENTIFIER ::= { sigAlgs 25 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 26.
pub const ID_SLH_DSA_SHA2_256F: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.25");

/// ```asn1
/// id-slh-dsa-shake-128s  OBJECT IDENTIFIER ::= { sigAlgs 26 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 27.
pub const ID_SLH_DSA_SHAKE_128S: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.26");

/// ```asn1
/// id-slh-dsa-shake-128f  OBJECT IDENTIFIER ::= { sigAlgs 27 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 28.
pub const ID_SLH_DSA_SHAKE_128F: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.27");

/// ```asn1
/// id-slh-dsa-shake-192s  OBJECT IDENTIFIER ::= { sigAlgs 28 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 29.
pub const ID_SLH_DSA_SHAKE_192S: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.28");

/// ```asn1
/// id-slh-dsa-shake-192f  OBJECT IDENTIFIER ::= { sigAlgs 29 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 30.
pub const ID_SLH_DSA_SHAKE_192F: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.29");

/// ```asn1
/// id-slh-dsa-shake-256s  OBJECT IDENTIFIER ::= { sigAlgs 30 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 31.
pub const ID_SLH_DSA_SHAKE_256S: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.30");

/// ```asn1
/// id-slh-dsa-shake-256f  OBJECT IDENTIFIER ::= { sigAlgs 31 }
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 32.
pub const ID_SLH_DSA_SHAKE_256F: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.31");

/// ```asn1
/// SLH-DSA-PublicKey ::= OCTET STRING (SIZE (32 | 48 | 64))
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 214.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SLH-DSA-PublicKey", size(32, 48, 64), convert)]
pub struct SlhDsaPublicKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// Secret.
///
/// ```asn1
/// SLH-DSA-PrivateKey ::= OCTET STRING (SIZE (64 | 96 | 128))
/// ```
///
/// `SLH-DSA-Module-2024.asn1`, line 217.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "SLH-DSA-PrivateKey", secret, size(64, 96, 128))]
pub struct SlhDsaPrivateKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);
