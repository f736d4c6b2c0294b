//! ASN.1 module `PKCS-9`, from `PKCS-9.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Attributes of certification requests, private keys and PKCS \#12 bags.
//! RFC 2985 §5 and Appendix A, with the class of RFC 5912 in place of that of X.501. Attributes that CMS defines
//! itself are in CryptographicMessageSyntax-2010.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Bmp, Ia5, Int, OctetStr, Oid, Unknown};
use tagwise_derive::Asn1;

/// ```asn1
/// pkcs-9 OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) 9 }
/// ```
///
/// `PKCS-9.asn1`, line 20.
pub const PKCS_9: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9");

/// ```asn1
/// pkcs-9-at-unstructuredName     OBJECT IDENTIFIER ::= { pkcs-9 2 }
/// ```
///
/// `PKCS-9.asn1`, line 22.
pub const PKCS_9_AT_UNSTRUCTURED_NAME: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.2");

/// ```asn1
/// pkcs-9-at-challengePassword    OBJECT IDENTIFIER ::= { pkcs-9 7 }
/// ```
///
/// `PKCS-9.asn1`, line 23.
pub const PKCS_9_AT_CHALLENGE_PASSWORD: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.7");

/// ```asn1
/// pkcs-9-at-unstructuredAddress  OBJECT IDENTIFIER ::= { pkcs-9 8 }
/// ```
///
/// `PKCS-9.asn1`, line 24.
pub const PKCS_9_AT_UNSTRUCTURED_ADDRESS: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.8");

/// ```asn1
/// pkcs-9-at-signingDescription   OBJECT IDENTIFIER ::= { pkcs-9 13 }
/// ```
///
/// `PKCS-9.asn1`, line 25.
pub const PKCS_9_AT_SIGNING_DESCRIPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.13");

/// ```asn1
/// pkcs-9-at-extensionRequest     OBJECT IDENTIFIER ::= { pkcs-9 14 }
/// ```
///
/// `PKCS-9.asn1`, line 26.
pub const PKCS_9_AT_EXTENSION_REQUEST: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.14");

/// ```asn1
/// pkcs-9-at-friendlyName         OBJECT IDENTIFIER ::= { pkcs-9 20 }
/// ```
///
/// `PKCS-9.asn1`, line 27.
pub const PKCS_9_AT_FRIENDLY_NAME: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.20");

/// ```asn1
/// pkcs-9-at-localKeyId           OBJECT IDENTIFIER ::= { pkcs-9 21 }
/// ```
///
/// `PKCS-9.asn1`, line 28.
pub const PKCS_9_AT_LOCAL_KEY_ID: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.21");

/// ```asn1
/// certTypes                      OBJECT IDENTIFIER ::= { pkcs-9 22 }
/// ```
///
/// `PKCS-9.asn1`, line 29.
pub const CERT_TYPES: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.22");

/// ```asn1
/// crlTypes                       OBJECT IDENTIFIER ::= { pkcs-9 23 }
/// ```
///
/// `PKCS-9.asn1`, line 30.
pub const CRL_TYPES: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.23");

/// ```asn1
/// pkcs-9-at-randomNonce          OBJECT IDENTIFIER ::= { pkcs-9 25 3 }
/// ```
///
/// `PKCS-9.asn1`, line 31.
pub const PKCS_9_AT_RANDOM_NONCE: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.25.3");

/// ```asn1
/// pkcs-9-at-sequenceNumber       OBJECT IDENTIFIER ::= { pkcs-9 25 4 }
/// ```
///
/// `PKCS-9.asn1`, line 32.
pub const PKCS_9_AT_SEQUENCE_NUMBER: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.25.4");

/// ```asn1
/// pkcs-9-ub-pkcs9String             INTEGER ::= 255
/// ```
///
/// `PKCS-9.asn1`, line 34.
pub const PKCS_9_UB_PKCS9_STRING: i64 = 255;

/// ```asn1
/// pkcs-9-ub-unstructuredName        INTEGER ::= pkcs-9-ub-pkcs9String
/// ```
///
/// `PKCS-9.asn1`, line 35.
pub const PKCS_9_UB_UNSTRUCTURED_NAME: i64 = 255;

/// ```asn1
/// pkcs-9-ub-challengePassword       INTEGER ::= pkcs-9-ub-pkcs9String
/// ```
///
/// `PKCS-9.asn1`, line 36.
pub const PKCS_9_UB_CHALLENGE_PASSWORD: i64 = 255;

/// ```asn1
/// pkcs-9-ub-unstructuredAddress     INTEGER ::= pkcs-9-ub-pkcs9String
/// ```
///
/// `PKCS-9.asn1`, line 37.
pub const PKCS_9_UB_UNSTRUCTURED_ADDRESS: i64 = 255;

/// ```asn1
/// pkcs-9-ub-signingDescription      INTEGER ::= pkcs-9-ub-pkcs9String
/// ```
///
/// `PKCS-9.asn1`, line 38.
pub const PKCS_9_UB_SIGNING_DESCRIPTION: i64 = 255;

/// ```asn1
/// pkcs-9-ub-friendlyName            INTEGER ::= pkcs-9-ub-pkcs9String
/// ```
///
/// `PKCS-9.asn1`, line 39.
pub const PKCS_9_UB_FRIENDLY_NAME: i64 = 255;

/// ```asn1
/// PKCS9String{INTEGER:maxSize} ::= CHOICE {
///   ia5String        IA5String (SIZE (1..maxSize)),
///   directoryString  DirectoryString{maxSize}
/// }
/// ```
///
/// `PKCS9String{pkcs-9-ub-unstructuredName}`: `PKCS-9.asn1`, line 41.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKCS9String-pkcs-9-ub-unstructuredName")]
pub enum Pkcs9String<'a> {
    /// `ia5String IA5String (SIZE (1..maxSize))`.
    #[asn1(size(1..=255))]
    Ia5String(Ia5<'a>),
    /// `directoryString DirectoryString{maxSize}`.
    DirectoryString(tagwise_x509::name::DirectoryString<'a>),
}

/// For certification requests: RFC 2985 §5.4
///
/// ```asn1
/// CRIAttributes ATTRIBUTE ::= { extensionRequest | challengePassword | unstructuredName | unstructuredAddress, ... }
/// ```
///
/// The types that `CRIAttributes` selects: `PKCS-9.asn1`, line 48.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRIAttributes", open_type)]
pub enum CriAttributes<'a> {
    /// `extensionRequest`.
    #[asn1(oid = "1.2.840.113549.1.9.14")]
    ExtensionRequest(ExtensionRequest<'a>),
    /// `challengePassword`.
    #[asn1(oid = "1.2.840.113549.1.9.7")]
    ChallengePassword(ChallengePassword<'a>),
    /// `unstructuredName`.
    #[asn1(oid = "1.2.840.113549.1.9.2")]
    UnstructuredName(UnstructuredName<'a>),
    /// `unstructuredAddress`.
    #[asn1(oid = "1.2.840.113549.1.9.8")]
    UnstructuredAddress(UnstructuredAddress<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// ExtensionRequest ::= Extensions{{CertExtensions}}
/// ```
///
/// `PKCS-9.asn1`, line 57.
pub type ExtensionRequest<'a> = tagwise_x509::cert::Extensions<'a>;

/// ```asn1
/// ChallengePassword ::= DirectoryString{pkcs-9-ub-challengePassword}
/// ```
///
/// `PKCS-9.asn1`, line 66.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(secret, choice)]
pub struct ChallengePassword<'a>(
    /// The wrapped value.
    pub tagwise_x509::name::DirectoryString<'a>,
);

/// ```asn1
/// UnstructuredName ::= PKCS9String{pkcs-9-ub-unstructuredName}
/// ```
///
/// `PKCS-9.asn1`, line 73.
pub type UnstructuredName<'a> = Pkcs9String<'a>;

/// ```asn1
/// UnstructuredAddress ::= DirectoryString{pkcs-9-ub-unstructuredAddress}
/// ```
///
/// `PKCS-9.asn1`, line 80.
pub type UnstructuredAddress<'a> = tagwise_x509::name::DirectoryString<'a>;

/// ```asn1
/// FriendlyName ::= BMPString (SIZE (1..pkcs-9-ub-friendlyName))
/// ```
///
/// `PKCS-9.asn1`, line 90.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=255), convert)]
pub struct FriendlyName<'a>(
    /// The wrapped value.
    pub Bmp<'a>,
);

/// ```asn1
/// LocalKeyId ::= OCTET STRING
/// ```
///
/// `PKCS-9.asn1`, line 99.
pub type LocalKeyId<'a> = OctetStr<'a>;

/// ```asn1
/// SigningDescription ::= DirectoryString{pkcs-9-ub-signingDescription}
/// ```
///
/// `PKCS-9.asn1`, line 109.
pub type SigningDescription<'a> = tagwise_x509::name::DirectoryString<'a>;

/// ```asn1
/// RandomNonce ::= OCTET STRING (SIZE (4..MAX))
/// ```
///
/// `PKCS-9.asn1`, line 117.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(4..), convert)]
pub struct RandomNonce<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// SequenceNumber ::= INTEGER (1..MAX)
/// ```
///
/// `PKCS-9.asn1`, line 125.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(1..), convert)]
pub struct SequenceNumber<'a>(
    /// The wrapped value.
    pub Int<'a>,
);
