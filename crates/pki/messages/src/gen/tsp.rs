//! ASN.1 module `PKIXTSP`, from `PKIXTSP.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The Time-Stamp Protocol.
//! RFC 3161 Appendix C and RFC 5816, with the classes of RFC 5912.

use super::cms::ContentInfo;
use tagwise_codec::{GeneralizedTime, Int, NamedBits, OctetStr, Oid, SeqOf, Utf8};
use tagwise_derive::Asn1;

/// Requests: RFC 3161 §2.4.1
///
/// ```asn1
/// TimeStampReq ::= SEQUENCE {
///   version         INTEGER { v1(1) },
///   messageImprint  MessageImprint,
///   reqPolicy       TSAPolicyId OPTIONAL,
///   nonce           INTEGER OPTIONAL,
///   certReq         BOOLEAN DEFAULT FALSE,
///   extensions      [0] Extensions{{TSAExtensions}} OPTIONAL
/// }
/// ```
///
/// `PKIXTSP.asn1`, line 26.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct TimeStampReq<'a> {
    /// `version INTEGER { v1(1) }`.
    pub version: TimeStampReqVersion,
    /// `messageImprint MessageImprint`.
    pub message_imprint: MessageImprint<'a>,
    /// `reqPolicy TSAPolicyId OPTIONAL`.
    pub req_policy: Option<TsaPolicyId<'a>>,
    /// `nonce INTEGER OPTIONAL`.
    pub nonce: Option<Int<'a>>,
    /// `certReq BOOLEAN DEFAULT FALSE`.
    #[asn1(default = false)]
    pub cert_req: bool,
    /// `extensions [0] Extensions{{TSAExtensions}} OPTIONAL`.
    #[asn1(implicit = 0)]
    pub extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// ```asn1
/// INTEGER { v1(1) }
/// ```
///
/// `PKIXTSP.asn1`, line 27.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(v1 = 1), convert)]
pub struct TimeStampReqVersion(
    /// The number.
    pub u8,
);

impl TimeStampReqVersion {
    /// `v1` (1).
    pub const V1: Self = Self(1);
}

/// The hash of the time-stamped data. Its length must match the algorithm.
///
/// ```asn1
/// MessageImprint ::= SEQUENCE {
///   hashAlgorithm  AlgorithmIdentifier{DIGEST-ALGORITHM, {ImprintAlgorithms}},
///   hashedMessage  OCTET STRING
/// }
/// ```
///
/// `PKIXTSP.asn1`, line 36.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct MessageImprint<'a> {
    /// `hashAlgorithm AlgorithmIdentifier{DIGEST-ALGORITHM, {ImprintAlgorithms}}`.
    pub hash_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `hashedMessage OCTET STRING`.
    pub hashed_message: OctetStr<'a>,
}

/// ```asn1
/// TSAPolicyId ::= OBJECT IDENTIFIER
/// ```
///
/// `PKIXTSP.asn1`, line 43.
pub type TsaPolicyId<'a> = Oid<'a>;

/// timeStampToken is present if and only if the status is granted or grantedWithMods.
///
/// ```asn1
/// TimeStampResp ::= SEQUENCE {
///   status          PKIStatusInfo,
///   timeStampToken  TimeStampToken OPTIONAL
/// }
/// ```
///
/// `PKIXTSP.asn1`, line 50.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct TimeStampResp<'a> {
    /// `status PKIStatusInfo`.
    pub status: PkiStatusInfo<'a>,
    /// `timeStampToken TimeStampToken OPTIONAL`.
    pub time_stamp_token: Option<TimeStampToken<'a>>,
}

/// ```asn1
/// PKIStatusInfo ::= SEQUENCE {
///   status        PKIStatus,
///   statusString  PKIFreeText OPTIONAL,
///   failInfo      PKIFailureInfo OPTIONAL
/// }
/// ```
///
/// `PKIXTSP.asn1`, line 55.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIStatusInfo", constructor)]
pub struct PkiStatusInfo<'a> {
    /// `status PKIStatus`.
    pub status: PkiStatus,
    /// `statusString PKIFreeText OPTIONAL`.
    pub status_string: Option<PkiFreeText<'a>>,
    /// `failInfo PKIFailureInfo OPTIONAL`.
    pub fail_info: Option<PkiFailureInfo<'a>>,
}

/// ```asn1
/// PKIStatus ::= INTEGER {
///   granted(0),
///   grantedWithMods(1),
///   rejection(2),
///   waiting(3),
///   revocationWarning(4),
///   revocationNotification(5)
/// }
/// ```
///
/// `PKIXTSP.asn1`, line 61.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "PKIStatus")]
#[asn1(named_numbers(
    granted = 0,
    granted_with_mods = 1,
    rejection = 2,
    waiting = 3,
    revocation_warning = 4,
    revocation_notification = 5
))]
#[asn1(convert)]
pub struct PkiStatus(
    /// The number.
    pub u8,
);

impl PkiStatus {
    /// `granted` (0).
    pub const GRANTED: Self = Self(0);

    /// `grantedWithMods` (1).
    pub const GRANTED_WITH_MODS: Self = Self(1);

    /// `rejection` (2).
    pub const REJECTION: Self = Self(2);

    /// `waiting` (3).
    pub const WAITING: Self = Self(3);

    /// `revocationWarning` (4).
    pub const REVOCATION_WARNING: Self = Self(4);

    /// `revocationNotification` (5).
    pub const REVOCATION_NOTIFICATION: Self = Self(5);
}

/// ```asn1
/// PKIFreeText ::= SEQUENCE SIZE (1..MAX) OF UTF8String
/// ```
///
/// `PKIXTSP.asn1`, line 70.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIFreeText", size(1..), convert)]
pub struct PkiFreeText<'a>(
    /// The wrapped value.
    pub SeqOf<'a, Utf8<'a>>,
);

/// Part of CMP's.
///
/// ```asn1
/// PKIFailureInfo ::= BIT STRING {
///   badAlg(0),
///   badRequest(2),
///   badDataFormat(5),
///   timeNotAvailable(14),
///   unacceptedPolicy(15),
///   unacceptedExtension(16),
///   addInfoNotAvailable(17),
///   systemFailure(25)
/// }
/// ```
///
/// `PKIXTSP.asn1`, line 73.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "PKIFailureInfo")]
#[asn1(named_bits(
    bad_alg = 0,
    bad_request = 2,
    bad_data_format = 5,
    time_not_available = 14,
    unaccepted_policy = 15,
    unaccepted_extension = 16,
    add_info_not_available = 17,
    system_failure = 25
))]
pub struct PkiFailureInfo<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

/// A time-stamp token: SignedData with a TSTInfo, one signer, and the signing certificate attribute.
///
/// ```asn1
/// TimeStampToken ::= ContentInfo
/// ```
///
/// `PKIXTSP.asn1`, line 85.
pub type TimeStampToken<'a> = ContentInfo<'a>;

/// ```asn1
/// id-ct-TSTInfo OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) ct(1) 4 }
/// ```
///
/// `PKIXTSP.asn1`, line 89.
pub const ID_CT_TST_INFO: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.4");

/// genTime may have fractional seconds. GeneralName is a CHOICE, so the tag of tsa is EXPLICIT.
///
/// ```asn1
/// TSTInfo ::= SEQUENCE {
///   version         INTEGER { v1(1) },
///   policy          TSAPolicyId,
///   messageImprint  MessageImprint,
///   serialNumber    INTEGER,
///   genTime         GeneralizedTime,
///   accuracy        Accuracy OPTIONAL,
///   ordering        BOOLEAN DEFAULT FALSE,
///   nonce           INTEGER OPTIONAL,
///   tsa             [0] GeneralName OPTIONAL,
///   extensions      [1] Extensions{{TSAExtensions}} OPTIONAL
/// }
/// ```
///
/// `PKIXTSP.asn1`, line 93.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TSTInfo", constructor)]
pub struct TstInfo<'a> {
    /// `version INTEGER { v1(1) }`.
    pub version: TstInfoVersion,
    /// `policy TSAPolicyId`.
    pub policy: TsaPolicyId<'a>,
    /// `messageImprint MessageImprint`.
    pub message_imprint: MessageImprint<'a>,
    /// `serialNumber INTEGER`.
    pub serial_number: Int<'a>,
    /// `genTime GeneralizedTime`.
    pub gen_time: GeneralizedTime<'a>,
    /// `accuracy Accuracy OPTIONAL`.
    pub accuracy: Option<Accuracy<'a>>,
    /// `ordering BOOLEAN DEFAULT FALSE`.
    #[asn1(default = false)]
    pub ordering: bool,
    /// `nonce INTEGER OPTIONAL`.
    pub nonce: Option<Int<'a>>,
    /// `tsa [0] GeneralName OPTIONAL`.
    #[asn1(explicit = 0)]
    pub tsa: Option<tagwise_x509::ext::GeneralName<'a>>,
    /// `extensions [1] Extensions{{TSAExtensions}} OPTIONAL`.
    #[asn1(implicit = 1)]
    pub extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// ```asn1
/// INTEGER { v1(1) }
/// ```
///
/// `PKIXTSP.asn1`, line 94.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(v1 = 1), convert)]
pub struct TstInfoVersion(
    /// The number.
    pub u8,
);

impl TstInfoVersion {
    /// `v1` (1).
    pub const V1: Self = Self(1);
}

/// Absent components count as zero.
///
/// ```asn1
/// Accuracy ::= SEQUENCE {
///   seconds  INTEGER OPTIONAL,
///   millis   [0] INTEGER (1..999) OPTIONAL,
///   micros   [1] INTEGER (1..999) OPTIONAL
/// }
/// ```
///
/// `PKIXTSP.asn1`, line 107.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct Accuracy<'a> {
    /// `seconds INTEGER OPTIONAL`.
    pub seconds: Option<Int<'a>>,
    /// `millis [0] INTEGER (1..999) OPTIONAL`.
    #[asn1(implicit = 0, value(1..=999))]
    pub millis: Option<u16>,
    /// `micros [1] INTEGER (1..999) OPTIONAL`.
    #[asn1(implicit = 1, value(1..=999))]
    pub micros: Option<u16>,
}

/// ```asn1
/// id-aa-timeStampToken OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) aa(2) 14 }
/// ```
///
/// `PKIXTSP.asn1`, line 116.
pub const ID_AA_TIME_STAMP_TOKEN: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.14");
