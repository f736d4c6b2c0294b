//! ASN.1 module `SecureMimeMessageV3dot1-2009`, from `SecureMimeMessageV3dot1-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! S/MIME attributes: the sender's capabilities, and the key to use for replies.
//! RFC 3851, now RFC 8551 §2.5, in the form of RFC 5911 §8.
#![allow(clippy::large_enum_variant)]

use super::cms::{IssuerAndSerialNumber, RecipientKeyIdentifier, SubjectKeyIdentifier};
use super::cms_algorithms::KeyWrapAlgorithm;
use super::pss::RsaesOaepParams;
use tagwise_codec::{Int, Oid, Unknown};
use tagwise_derive::Asn1;

/// ```asn1
/// id-aa OBJECT IDENTIFIER ::= { iso(1) member-body(2) usa(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) attributes(2) }
/// ```
///
/// `SecureMimeMessageV3dot1-2009.asn1`, line 26.
pub const ID_AA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2");

/// ```asn1
/// smimeCapabilities OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) 15 }
/// ```
///
/// `SecureMimeMessageV3dot1-2009.asn1`, line 33.
pub const SMIME_CAPABILITIES: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.15");

/// ```asn1
/// SMimeCapsSet SMIME-CAPS ::= {
///   cap-preferBinaryInside | cap-RC2CBC | PKIXAlgs-2009.SMimeCaps |
///   CryptographicMessageSyntaxAlgorithms-2009.SMimeCaps | PKIX1-PSS-OAEP-Algorithms-2009.SMimeCaps,
///   ...
/// }
/// ```
///
/// The types that `SMimeCapsSet` selects: `SecureMimeMessageV3dot1-2009.asn1`, line 35.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type)]
pub enum SMimeCapsSet<'a> {
    /// `cap-RC2CBC`.
    #[asn1(oid = "1.2.840.113549.3.2", name = "cap-RC2CBC")]
    CapRc2Cbc(SmimeCapabilitiesParametersForRc2Cbc<'a>),
    /// `KeyWrapAlgorithm`.
    #[asn1(oid = "1.2.840.113549.1.9.16.3.5", name = "KeyWrapAlgorithm")]
    KeyWrapAlgorithm(KeyWrapAlgorithm<'a>),
    /// `KeyWrapAlgorithm`.
    #[asn1(oid = "1.2.840.113549.1.9.16.3.10", name = "KeyWrapAlgorithm")]
    KeyWrapAlgorithm2(KeyWrapAlgorithm<'a>),
    /// `RSAES-OAEP-params`.
    #[asn1(oid = "1.2.840.113549.1.1.7", name = "RSAES-OAEP-params")]
    RsaesOaepParams(RsaesOaepParams<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// id-aa-encrypKeyPref OBJECT IDENTIFIER ::= { id-aa 11 }
/// ```
///
/// `SecureMimeMessageV3dot1-2009.asn1`, line 46.
pub const ID_AA_ENCRYP_KEY_PREF: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.11");

/// The name of the second alternative is spelled so by the standard.
///
/// ```asn1
/// SMIMEEncryptionKeyPreference ::= CHOICE {
///   issuerAndSerialNumber    [0] IssuerAndSerialNumber,
///   receipentKeyId           [1] RecipientKeyIdentifier,
///   subjectAltKeyIdentifier  [2] SubjectKeyIdentifier
/// }
/// ```
///
/// `SecureMimeMessageV3dot1-2009.asn1`, line 49.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SMIMEEncryptionKeyPreference")]
pub enum SmimeEncryptionKeyPreference<'a> {
    /// `issuerAndSerialNumber [0] IssuerAndSerialNumber`.
    #[asn1(implicit = 0)]
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    /// `receipentKeyId [1] RecipientKeyIdentifier`.
    #[asn1(implicit = 1)]
    ReceipentKeyId(RecipientKeyIdentifier<'a>),
    /// `subjectAltKeyIdentifier [2] SubjectKeyIdentifier`.
    #[asn1(implicit = 2)]
    SubjectAltKeyIdentifier(SubjectKeyIdentifier<'a>),
}

/// ```asn1
/// id-smime OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) 16 }
/// ```
///
/// `SecureMimeMessageV3dot1-2009.asn1`, line 55.
pub const ID_SMIME: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16");

/// ```asn1
/// id-cap OBJECT IDENTIFIER ::= { id-smime 11 }
/// ```
///
/// `SecureMimeMessageV3dot1-2009.asn1`, line 57.
pub const ID_CAP: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.11");

/// ```asn1
/// id-cap-preferBinaryInside OBJECT IDENTIFIER ::= { id-cap 1 }
/// ```
///
/// `SecureMimeMessageV3dot1-2009.asn1`, line 61.
pub const ID_CAP_PREFER_BINARY_INSIDE: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.11.1");

/// The key length in bits, unlike in RC2CBCParameter.
///
/// ```asn1
/// SMIMECapabilitiesParametersForRC2CBC ::= INTEGER (40 | 128, ...)
/// ```
///
/// `SecureMimeMessageV3dot1-2009.asn1`, line 66.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SMIMECapabilitiesParametersForRC2CBC", value(40, 128, ...), convert)]
pub struct SmimeCapabilitiesParametersForRc2Cbc<'a>(
    /// The wrapped value.
    pub Int<'a>,
);
