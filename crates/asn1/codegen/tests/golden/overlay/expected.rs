//! ASN.1 module `Overlaid`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{BitStr, Captured, OctetStr, Oid, Raw, SeqOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// Certificate ::= SEQUENCE {
///   tbsCertificate TBSCertificate,
///   signature      BIT STRING }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Certificate<'a> {
    /// `tbsCertificate TBSCertificate`.
    pub tbs_certificate: Captured<'a, TbsCertificate<'a>>,
    /// `signature BIT STRING`.
    pub signature: BitStr<'a>,
}

/// ```asn1
/// TBSCertificate ::= SEQUENCE {
///   version    [0] EXPLICIT Version DEFAULT v1,
///   subject    Name,
///   extensions [3] EXPLICIT SEQUENCE OF Extension OPTIONAL,
///   secretKey  [4] OCTET STRING OPTIONAL,
///   payload    [5] Payload OPTIONAL,
///   serial     Serial,
///   policy     Policy }
/// ```
///
/// `input.asn1`, line 8.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "TBSCertificate", verbatim, constructor)]
pub struct TbsCertificate<'a> {
    /// `version [0] EXPLICIT Version DEFAULT 0`.
    #[asn1(explicit = 0, default = Version::V1)]
    pub version: Version,
    /// `subject Name`.
    #[asn1(name = "subject")]
    pub holder: Raw<'a, Name<'a>>,
    /// `extensions [3] EXPLICIT SEQUENCE OF Extension OPTIONAL`.
    #[asn1(explicit = 3)]
    pub extensions: Option<Raw<'a, SeqOf<'a, Extension<'a>>>>,
    /// `secretKey [4] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 4, secret)]
    pub secret_key: Option<OctetStr<'a>>,
    /// `payload [5] Payload OPTIONAL`.
    pub payload: Option<Raw<'a, TbsCertificatePayload<'a>>>,
    /// `serial Serial`.
    pub serial: Serial,
    /// `policy Policy`.
    pub policy: core::primitive::bool,
}

/// ```asn1
/// [5] Payload
/// ```
///
/// `input.asn1`, line 13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 5, convert)]
pub struct TbsCertificatePayload<'a>(
    /// The wrapped value.
    pub Payload<'a>,
);

/// ```asn1
/// Version   ::= INTEGER { v1(0), v2(1), v3(2) }
/// ```
///
/// `input.asn1`, line 17.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(integer)]
pub enum Version {
    /// `v1` (0).
    V1 = 0,
    /// `v2` (1).
    V2 = 1,
    /// `v3` (2).
    V3 = 2,
}

/// ```asn1
/// Name      ::= SEQUENCE OF UTF8String
/// ```
///
/// `input.asn1`, line 18.
pub type Name<'a> = SeqOf<'a, Utf8<'a>>;

/// ```asn1
/// Extension ::= SEQUENCE { id OBJECT IDENTIFIER }
/// ```
///
/// `input.asn1`, line 19.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension<'a> {
    /// `id OBJECT IDENTIFIER`.
    pub id: Oid<'a>,
}

/// ```asn1
/// Payload   ::= SEQUENCE { data OCTET STRING }
/// ```
///
/// `input.asn1`, line 20.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Payload<'a> {
    /// `data OCTET STRING`.
    pub data: OctetStr<'a>,
}

/// ```asn1
/// Serial    ::= INTEGER
/// ```
///
/// `input.asn1`, line 21.
pub type Serial = u64;

/// ```asn1
/// Private   ::= SEQUENCE { key OCTET STRING }
/// ```
///
/// `input.asn1`, line 23.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[doc(hidden)]
#[asn1(name = "Private", secret)]
pub struct PrivateKey<'a> {
    /// `key OCTET STRING`.
    pub key: OctetStr<'a>,
}
