//! ASN.1 module `OTPKerberos`, from `OTPKerberos.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! One-time passwords in preauthentication.
//! RFC 6560 Appendix A.

use super::kerberos::{EncryptedData, Int32, LastReq};
use super::pkinit::AnyAlgorithmIdentifier;
use tagwise_codec::{Additions, Int, OctetStr, SeqOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// PA-OTP-CHALLENGE ::= SEQUENCE {
///   nonce          [0] OCTET STRING,
///   otp-service    [1] UTF8String OPTIONAL,
///   otp-tokenInfo  [2] SEQUENCE (SIZE (1..MAX)) OF OTP-TOKENINFO,
///   salt           [3] KerberosString OPTIONAL,
///   s2kparams      [4] OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `OTPKerberos.asn1`, line 14.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-OTP-CHALLENGE", constructor)]
pub struct PaOtpChallenge<'a> {
    /// `nonce [0] OCTET STRING`.
    #[asn1(implicit = 0)]
    pub nonce: OctetStr<'a>,
    /// `otp-service [1] UTF8String OPTIONAL`.
    #[asn1(implicit = 1, name = "otp-service")]
    pub otp_service: Option<Utf8<'a>>,
    /// `otp-tokenInfo [2] SEQUENCE (SIZE (1..MAX)) OF OTP-TOKENINFO`.
    #[asn1(implicit = 2, size(1..), name = "otp-tokenInfo")]
    pub otp_token_info: SeqOf<'a, OtpTokenInfo<'a>>,
    /// `salt [3] KerberosString OPTIONAL`.
    #[asn1(implicit = 3)]
    pub salt: Option<tagwise_codec::General<'a>>,
    /// `s2kparams [4] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 4)]
    pub s2kparams: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// OTP-TOKENINFO ::= SEQUENCE {
///   flags             [0] OTPFlags,
///   otp-vendor        [1] UTF8String OPTIONAL,
///   otp-challenge     [2] OCTET STRING (SIZE (1..MAX)) OPTIONAL,
///   otp-length        [3] Int32 OPTIONAL,
///   otp-format        [4] OTPFormat OPTIONAL,
///   otp-tokenID       [5] OCTET STRING OPTIONAL,
///   otp-algID         [6] AnyURI OPTIONAL,
///   supportedHashAlg  [7] SEQUENCE OF AnyAlgorithmIdentifier OPTIONAL,
///   iterationCount    [8] Int32 OPTIONAL,
///   ...
/// }
/// ```
///
/// `OTPKerberos.asn1`, line 23.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "OTP-TOKENINFO", constructor)]
pub struct OtpTokenInfo<'a> {
    /// `flags [0] OTPFlags`.
    #[asn1(implicit = 0)]
    pub flags: OtpFlags<'a>,
    /// `otp-vendor [1] UTF8String OPTIONAL`.
    #[asn1(implicit = 1, name = "otp-vendor")]
    pub otp_vendor: Option<Utf8<'a>>,
    /// `otp-challenge [2] OCTET STRING (SIZE (1..MAX)) OPTIONAL`.
    #[asn1(implicit = 2, size(1..), name = "otp-challenge")]
    pub otp_challenge: Option<OctetStr<'a>>,
    /// `otp-length [3] Int32 OPTIONAL`.
    #[asn1(implicit = 3, name = "otp-length")]
    pub otp_length: Option<Int32>,
    /// `otp-format [4] OTPFormat OPTIONAL`.
    #[asn1(implicit = 4, name = "otp-format")]
    pub otp_format: Option<OtpFormat<'a>>,
    /// `otp-tokenID [5] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 5, name = "otp-tokenID")]
    pub otp_token_id: Option<OctetStr<'a>>,
    /// `otp-algID [6] AnyURI OPTIONAL`.
    #[asn1(implicit = 6, name = "otp-algID")]
    pub otp_alg_id: Option<AnyUri<'a>>,
    /// `supportedHashAlg [7] SEQUENCE OF AnyAlgorithmIdentifier OPTIONAL`.
    #[asn1(implicit = 7)]
    pub supported_hash_alg: Option<SeqOf<'a, AnyAlgorithmIdentifier<'a>>>,
    /// `iterationCount [8] Int32 OPTIONAL`.
    #[asn1(implicit = 8)]
    pub iteration_count: Option<Int32>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// OTPFormat ::= INTEGER {
///   decimal(0),
///   hexadecimal(1),
///   alphanumeric(2),
///   binary(3),
///   base64(4)
/// }
/// ```
///
/// `OTPKerberos.asn1`, line 36.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "OTPFormat", named_numbers(decimal = 0, hexadecimal = 1, alphanumeric = 2, binary = 3, base64 = 4))]
#[asn1(convert)]
pub struct OtpFormat<'a>(
    /// The number.
    pub Int<'a>,
);

impl OtpFormat<'_> {
    /// `decimal` (0).
    pub const DECIMAL: Self = Self(Int::from_signed(&[0x00]));

    /// `hexadecimal` (1).
    pub const HEXADECIMAL: Self = Self(Int::from_signed(&[0x01]));

    /// `alphanumeric` (2).
    pub const ALPHANUMERIC: Self = Self(Int::from_signed(&[0x02]));

    /// `binary` (3).
    pub const BINARY: Self = Self(Int::from_signed(&[0x03]));

    /// `base64` (4).
    pub const BASE64: Self = Self(Int::from_signed(&[0x04]));
}

/// ```asn1
/// OTPFlags ::= KerberosFlags
/// ```
///
/// `OTPKerberos.asn1`, line 44.
pub type OtpFlags<'a> = crate::KerberosFlags<'a>;

/// ```asn1
/// PA-OTP-REQUEST ::= SEQUENCE {
///   flags           [0] OTPFlags,
///   nonce           [1] OCTET STRING OPTIONAL,
///   encData         [2] EncryptedData,
///   hashAlg         [3] AnyAlgorithmIdentifier OPTIONAL,
///   iterationCount  [4] Int32 OPTIONAL,
///   otp-value       [5] OCTET STRING OPTIONAL,
///   otp-pin         [6] UTF8String OPTIONAL,
///   otp-challenge   [7] OCTET STRING (SIZE (1..MAX)) OPTIONAL,
///   otp-time        [8] KerberosTime OPTIONAL,
///   otp-counter     [9] OCTET STRING OPTIONAL,
///   otp-format      [10] OTPFormat OPTIONAL,
///   otp-tokenID     [11] OCTET STRING OPTIONAL,
///   otp-algID       [12] AnyURI OPTIONAL,
///   otp-vendor      [13] UTF8String OPTIONAL,
///   ...
/// }
/// ```
///
/// `OTPKerberos.asn1`, line 46.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "PA-OTP-REQUEST", constructor)]
pub struct PaOtpRequest<'a> {
    /// `flags [0] OTPFlags`.
    #[asn1(implicit = 0)]
    pub flags: OtpFlags<'a>,
    /// `nonce [1] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 1)]
    pub nonce: Option<OctetStr<'a>>,
    /// `encData [2] EncryptedData`.
    #[asn1(implicit = 2)]
    pub enc_data: EncryptedData<'a>,
    /// `hashAlg [3] AnyAlgorithmIdentifier OPTIONAL`.
    #[asn1(implicit = 3)]
    pub hash_alg: Option<AnyAlgorithmIdentifier<'a>>,
    /// `iterationCount [4] Int32 OPTIONAL`.
    #[asn1(implicit = 4)]
    pub iteration_count: Option<Int32>,
    /// `otp-value [5] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 5, secret, name = "otp-value")]
    pub otp_value: Option<OctetStr<'a>>,
    /// `otp-pin [6] UTF8String OPTIONAL`.
    #[asn1(implicit = 6, secret, name = "otp-pin")]
    pub otp_pin: Option<Utf8<'a>>,
    /// `otp-challenge [7] OCTET STRING (SIZE (1..MAX)) OPTIONAL`.
    #[asn1(implicit = 7, size(1..), name = "otp-challenge")]
    pub otp_challenge: Option<OctetStr<'a>>,
    /// `otp-time [8] KerberosTime OPTIONAL`.
    #[asn1(implicit = 8, name = "otp-time")]
    pub otp_time: Option<crate::KerberosTime>,
    /// `otp-counter [9] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 9, name = "otp-counter")]
    pub otp_counter: Option<OctetStr<'a>>,
    /// `otp-format [10] OTPFormat OPTIONAL`.
    #[asn1(implicit = 10, name = "otp-format")]
    pub otp_format: Option<OtpFormat<'a>>,
    /// `otp-tokenID [11] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 11, name = "otp-tokenID")]
    pub otp_token_id: Option<OctetStr<'a>>,
    /// `otp-algID [12] AnyURI OPTIONAL`.
    #[asn1(implicit = 12, name = "otp-algID")]
    pub otp_alg_id: Option<AnyUri<'a>>,
    /// `otp-vendor [13] UTF8String OPTIONAL`.
    #[asn1(implicit = 13, name = "otp-vendor")]
    pub otp_vendor: Option<Utf8<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// The content of encData, unless that is a PA-ENC-TS-ENC.
///
/// ```asn1
/// PA-OTP-ENC-REQUEST ::= SEQUENCE {
///   nonce  [0] OCTET STRING,
///   ...
/// }
/// ```
///
/// `OTPKerberos.asn1`, line 65.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-OTP-ENC-REQUEST", constructor)]
pub struct PaOtpEncRequest<'a> {
    /// `nonce [0] OCTET STRING`.
    #[asn1(implicit = 0)]
    pub nonce: OctetStr<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// PA-OTP-PIN-CHANGE ::= SEQUENCE {
///   flags      [0] PinFlags,
///   pin        [1] UTF8String OPTIONAL,
///   minLength  [2] INTEGER OPTIONAL,
///   maxLength  [3] INTEGER OPTIONAL,
///   last-req   [4] LastReq OPTIONAL,
///   format     [5] OTPFormat OPTIONAL,
///   ...
/// }
/// ```
///
/// `OTPKerberos.asn1`, line 70.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "PA-OTP-PIN-CHANGE", constructor)]
pub struct PaOtpPinChange<'a> {
    /// `flags [0] PinFlags`.
    #[asn1(implicit = 0)]
    pub flags: PinFlags<'a>,
    /// `pin [1] UTF8String OPTIONAL`.
    #[asn1(implicit = 1, secret)]
    pub pin: Option<Utf8<'a>>,
    /// `minLength [2] INTEGER OPTIONAL`.
    #[asn1(implicit = 2)]
    pub min_length: Option<Int<'a>>,
    /// `maxLength [3] INTEGER OPTIONAL`.
    #[asn1(implicit = 3)]
    pub max_length: Option<Int<'a>>,
    /// `last-req [4] LastReq OPTIONAL`.
    #[asn1(implicit = 4, name = "last-req")]
    pub last_req: Option<LastReq<'a>>,
    /// `format [5] OTPFormat OPTIONAL`.
    #[asn1(implicit = 5)]
    pub format: Option<OtpFormat<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// PinFlags ::= KerberosFlags
/// ```
///
/// `OTPKerberos.asn1`, line 80.
pub type PinFlags<'a> = crate::KerberosFlags<'a>;

/// A URI of RFC 3986.
///
/// ```asn1
/// AnyURI ::= UTF8String
/// ```
///
/// `OTPKerberos.asn1`, line 83.
pub type AnyUri<'a> = Utf8<'a>;
