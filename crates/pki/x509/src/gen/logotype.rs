//! ASN.1 module `LogotypeCertExtn-2022`, from `LogotypeCertExtn-2022.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Logotypes: images and sounds that represent communities, issuers and subjects.
//! RFC 9399 Appendix A.2, which replaces RFC 3709.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Ia5, Int, OctetStr, Oid, Raw, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// id-pe-logotype OBJECT IDENTIFIER ::= { id-pe 12 }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 25.
pub const ID_PE_LOGOTYPE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.1.12");

/// ```asn1
/// id-logo OBJECT IDENTIFIER ::= { id-pkix 20 }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 27.
pub const ID_LOGO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.20");

/// ```asn1
/// id-logo-loyalty     OBJECT IDENTIFIER ::= { id-logo 1 }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 29.
pub const ID_LOGO_LOYALTY: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.20.1");

/// ```asn1
/// id-logo-background  OBJECT IDENTIFIER ::= { id-logo 2 }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 30.
pub const ID_LOGO_BACKGROUND: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.20.2");

/// ```asn1
/// id-logo-certImage   OBJECT IDENTIFIER ::= { id-logo 3 }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 31.
pub const ID_LOGO_CERT_IMAGE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.20.3");

/// Fetching a logotype tells its server who is viewing the certificate.
///
/// ```asn1
/// LogotypeExtn ::= SEQUENCE {
///   communityLogos  [0] EXPLICIT SEQUENCE OF LogotypeInfo OPTIONAL,
///   issuerLogo      [1] EXPLICIT LogotypeInfo OPTIONAL,
///   subjectLogo     [2] EXPLICIT LogotypeInfo OPTIONAL,
///   otherLogos      [3] EXPLICIT SEQUENCE OF OtherLogotypeInfo OPTIONAL
/// }
///   (WITH COMPONENTS { ..., communityLogos PRESENT } |
///    WITH COMPONENTS { ..., issuerLogo PRESENT } |
///    WITH COMPONENTS { ..., subjectLogo PRESENT } |
///    WITH COMPONENTS { ..., otherLogos PRESENT })
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 34.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
#[asn1(constraints(any_of(
    with_components(..., "communityLogos" = present),
    with_components(..., "issuerLogo" = present),
    with_components(..., "subjectLogo" = present),
    with_components(..., "otherLogos" = present)
)))]
pub struct LogotypeExtn<'a> {
    /// `communityLogos [0] EXPLICIT SEQUENCE OF LogotypeInfo OPTIONAL`.
    #[asn1(explicit = 0)]
    pub community_logos: Option<SeqOf<'a, LogotypeInfo<'a>>>,
    /// `issuerLogo [1] EXPLICIT LogotypeInfo OPTIONAL`.
    #[asn1(explicit = 1)]
    pub issuer_logo: Option<Raw<'a, LogotypeInfo<'a>>>,
    /// `subjectLogo [2] EXPLICIT LogotypeInfo OPTIONAL`.
    #[asn1(explicit = 2)]
    pub subject_logo: Option<Raw<'a, LogotypeInfo<'a>>>,
    /// `otherLogos [3] EXPLICIT SEQUENCE OF OtherLogotypeInfo OPTIONAL`.
    #[asn1(explicit = 3)]
    pub other_logos: Option<SeqOf<'a, OtherLogotypeInfo<'a>>>,
}

/// ```asn1
/// LogotypeInfo ::= CHOICE {
///   direct    [0] LogotypeData,
///   indirect  [1] LogotypeReference
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 45.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum LogotypeInfo<'a> {
    /// `direct [0] LogotypeData`.
    #[asn1(implicit = 0)]
    Direct(LogotypeData<'a>),
    /// `indirect [1] LogotypeReference`.
    #[asn1(implicit = 1)]
    Indirect(LogotypeReference<'a>),
}

/// ```asn1
/// LogotypeData ::= SEQUENCE {
///   image  SEQUENCE OF LogotypeImage OPTIONAL,
///   audio  [1] SEQUENCE OF LogotypeAudio OPTIONAL
/// }
///   (WITH COMPONENTS { ..., image PRESENT } |
///    WITH COMPONENTS { ..., audio PRESENT })
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 50.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
#[asn1(constraints(any_of(with_components(..., "image" = present), with_components(..., "audio" = present))))]
pub struct LogotypeData<'a> {
    /// `image SEQUENCE OF LogotypeImage OPTIONAL`.
    pub image: Option<SeqOf<'a, LogotypeImage<'a>>>,
    /// `audio [1] SEQUENCE OF LogotypeAudio OPTIONAL`.
    #[asn1(implicit = 1)]
    pub audio: Option<SeqOf<'a, LogotypeAudio<'a>>>,
}

/// ```asn1
/// LogotypeImage ::= SEQUENCE {
///   imageDetails  LogotypeDetails,
///   imageInfo     LogotypeImageInfo OPTIONAL
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 57.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct LogotypeImage<'a> {
    /// `imageDetails LogotypeDetails`.
    pub image_details: LogotypeDetails<'a>,
    /// `imageInfo LogotypeImageInfo OPTIONAL`.
    pub image_info: Option<LogotypeImageInfo<'a>>,
}

/// ```asn1
/// LogotypeAudio ::= SEQUENCE {
///   audioDetails  LogotypeDetails,
///   audioInfo     LogotypeAudioInfo OPTIONAL
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 62.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct LogotypeAudio<'a> {
    /// `audioDetails LogotypeDetails`.
    pub audio_details: LogotypeDetails<'a>,
    /// `audioInfo LogotypeAudioInfo OPTIONAL`.
    pub audio_info: Option<LogotypeAudioInfo<'a>>,
}

/// All hashes and URIs refer to the same file.
///
/// ```asn1
/// LogotypeDetails ::= SEQUENCE {
///   mediaType     IA5String,
///   logotypeHash  SEQUENCE SIZE (1..MAX) OF HashAlgAndValue,
///   logotypeURI   SEQUENCE SIZE (1..MAX) OF IA5String
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 68.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct LogotypeDetails<'a> {
    /// `mediaType IA5String`.
    pub media_type: Ia5<'a>,
    /// `logotypeHash SEQUENCE SIZE (1..MAX) OF HashAlgAndValue`.
    #[asn1(size(1..))]
    pub logotype_hash: SeqOf<'a, HashAlgAndValue<'a>>,
    /// `logotypeURI SEQUENCE SIZE (1..MAX) OF IA5String`.
    #[asn1(size(1..), name = "logotypeURI")]
    pub logotype_uri: SeqOf<'a, Ia5<'a>>,
}

/// The file size is in bytes, the other sizes in pixels. 0 means unspecified.
///
/// ```asn1
/// LogotypeImageInfo ::= SEQUENCE {
///   type        [0] LogotypeImageType DEFAULT color,
///   fileSize    INTEGER,
///   xSize       INTEGER,
///   ySize       INTEGER,
///   resolution  LogotypeImageResolution OPTIONAL,
///   language    [4] IA5String OPTIONAL
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 75.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct LogotypeImageInfo<'a> {
    /// `type [0] LogotypeImageType DEFAULT 1`.
    #[asn1(implicit = 0, default = LogotypeImageType::COLOR)]
    pub r#type: LogotypeImageType<'a>,
    /// `fileSize INTEGER`.
    pub file_size: Int<'a>,
    /// `xSize INTEGER`.
    pub x_size: Int<'a>,
    /// `ySize INTEGER`.
    pub y_size: Int<'a>,
    /// `resolution LogotypeImageResolution OPTIONAL`.
    pub resolution: Option<LogotypeImageResolution<'a>>,
    /// `language [4] IA5String OPTIONAL`.
    #[asn1(implicit = 4)]
    pub language: Option<Ia5<'a>>,
}

/// ```asn1
/// LogotypeImageType ::= INTEGER { grayScale(0), color(1) }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 84.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(gray_scale = 0, color = 1), convert)]
pub struct LogotypeImageType<'a>(
    /// The number.
    pub Int<'a>,
);

impl LogotypeImageType<'_> {
    /// `grayScale` (0).
    pub const GRAY_SCALE: Self = Self(Int::from_signed(&[0x00]));

    /// `color` (1).
    pub const COLOR: Self = Self(Int::from_signed(&[0x01]));
}

/// ```asn1
/// LogotypeImageResolution ::= CHOICE {
///   numBits    [1] INTEGER,
///   tableSize  [2] INTEGER
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 86.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum LogotypeImageResolution<'a> {
    /// `numBits [1] INTEGER`.
    #[asn1(implicit = 1)]
    NumBits(Int<'a>),
    /// `tableSize [2] INTEGER`.
    #[asn1(implicit = 2)]
    TableSize(Int<'a>),
}

/// playTime is in milliseconds, sampleRate in samples per second.
///
/// ```asn1
/// LogotypeAudioInfo ::= SEQUENCE {
///   fileSize    INTEGER,
///   playTime    INTEGER,
///   channels    INTEGER,
///   sampleRate  [3] INTEGER OPTIONAL,
///   language    [4] IA5String OPTIONAL
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 92.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct LogotypeAudioInfo<'a> {
    /// `fileSize INTEGER`.
    pub file_size: Int<'a>,
    /// `playTime INTEGER`.
    pub play_time: Int<'a>,
    /// `channels INTEGER`.
    pub channels: Int<'a>,
    /// `sampleRate [3] INTEGER OPTIONAL`.
    #[asn1(implicit = 3)]
    pub sample_rate: Option<Int<'a>>,
    /// `language [4] IA5String OPTIONAL`.
    #[asn1(implicit = 4)]
    pub language: Option<Ia5<'a>>,
}

/// ```asn1
/// OtherLogotypeInfo ::= SEQUENCE {
///   logotypeType  OBJECT IDENTIFIER,
///   info          LogotypeInfo
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 100.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OtherLogotypeInfo<'a> {
    /// `logotypeType OBJECT IDENTIFIER`.
    pub logotype_type: Oid<'a>,
    /// `info LogotypeInfo`.
    pub info: LogotypeInfo<'a>,
}

/// A reference to LogotypeData in DER, which is fetched from a URI.
///
/// ```asn1
/// LogotypeReference ::= SEQUENCE {
///   refStructHash  SEQUENCE SIZE (1..MAX) OF HashAlgAndValue,
///   refStructURI   SEQUENCE SIZE (1..MAX) OF IA5String
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 106.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct LogotypeReference<'a> {
    /// `refStructHash SEQUENCE SIZE (1..MAX) OF HashAlgAndValue`.
    #[asn1(size(1..))]
    pub ref_struct_hash: SeqOf<'a, HashAlgAndValue<'a>>,
    /// `refStructURI SEQUENCE SIZE (1..MAX) OF IA5String`.
    #[asn1(size(1..), name = "refStructURI")]
    pub ref_struct_uri: SeqOf<'a, Ia5<'a>>,
}

/// ```asn1
/// HashAlgAndValue ::= SEQUENCE {
///   hashAlg    AlgorithmIdentifier{DIGEST-ALGORITHM, {...}},
///   hashValue  OCTET STRING
/// }
/// ```
///
/// `LogotypeCertExtn-2022.asn1`, line 111.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct HashAlgAndValue<'a> {
    /// `hashAlg AlgorithmIdentifier{DIGEST-ALGORITHM, {...}}`.
    pub hash_alg: crate::alg::AlgorithmIdentifier<'a>,
    /// `hashValue OCTET STRING`.
    pub hash_value: OctetStr<'a>,
}
