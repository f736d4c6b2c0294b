//! ASN.1 module `KerberosV5SPAKE`, from `KerberosV5SPAKE.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Preauthentication by SPAKE, a password-authenticated key exchange.
//! RFC 9588 Appendix A.
#![allow(clippy::large_enum_variant)]

use super::kerberos::{EncryptedData, Int32};
use tagwise_codec::{Additions, Any, OctetStr, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// SPAKESupport ::= SEQUENCE {
///   groups  [0] SEQUENCE (SIZE (1..MAX)) OF Int32,
///   ...
/// }
/// ```
///
/// `KerberosV5SPAKE.asn1`, line 13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SPAKESupport", constructor)]
pub struct SpakeSupport<'a> {
    /// `groups [0] SEQUENCE (SIZE (1..MAX)) OF Int32`.
    #[asn1(explicit = 0, size(1..))]
    pub groups: SeqOf<'a, Int32>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// SPAKEChallenge ::= SEQUENCE {
///   group    [0] Int32,
///   pubkey   [1] OCTET STRING,
///   factors  [2] SEQUENCE (SIZE (1..MAX)) OF SPAKESecondFactor,
///   ...
/// }
/// ```
///
/// `KerberosV5SPAKE.asn1`, line 18.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SPAKEChallenge", constructor)]
pub struct SpakeChallenge<'a> {
    /// `group [0] Int32`.
    #[asn1(explicit = 0)]
    pub group: Int32,
    /// `pubkey [1] OCTET STRING`.
    #[asn1(explicit = 1)]
    pub pubkey: OctetStr<'a>,
    /// `factors [2] SEQUENCE (SIZE (1..MAX)) OF SPAKESecondFactor`.
    #[asn1(explicit = 2, size(1..))]
    pub factors: SeqOf<'a, SpakeSecondFactor<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// SPAKESecondFactor ::= SEQUENCE {
///   type  [0] Int32,
///   data  [1] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `KerberosV5SPAKE.asn1`, line 25.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SPAKESecondFactor", constructor)]
pub struct SpakeSecondFactor<'a> {
    /// `type [0] Int32`.
    #[asn1(explicit = 0)]
    pub r#type: Int32,
    /// `data [1] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 1)]
    pub data: Option<OctetStr<'a>>,
}

/// The content of factor is a SPAKESecondFactor.
///
/// ```asn1
/// SPAKEResponse ::= SEQUENCE {
///   pubkey  [0] OCTET STRING,
///   factor  [1] EncryptedData,
///   ...
/// }
/// ```
///
/// `KerberosV5SPAKE.asn1`, line 31.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SPAKEResponse", constructor)]
pub struct SpakeResponse<'a> {
    /// `pubkey [0] OCTET STRING`.
    #[asn1(explicit = 0)]
    pub pubkey: OctetStr<'a>,
    /// `factor [1] EncryptedData`.
    #[asn1(explicit = 1)]
    pub factor: EncryptedData<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// PA-SPAKE ::= CHOICE {
///   support    [0] SPAKESupport,
///   challenge  [1] SPAKEChallenge,
///   response   [2] SPAKEResponse,
///   encdata    [3] EncryptedData,
///   ...
/// }
/// ```
///
/// `KerberosV5SPAKE.asn1`, line 37.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-SPAKE")]
pub enum PaSpake<'a> {
    /// `support [0] SPAKESupport`.
    #[asn1(explicit = 0)]
    Support(SpakeSupport<'a>),
    /// `challenge [1] SPAKEChallenge`.
    #[asn1(explicit = 1)]
    Challenge(SpakeChallenge<'a>),
    /// `response [2] SPAKEResponse`.
    #[asn1(explicit = 2)]
    Response(SpakeResponse<'a>),
    /// `encdata [3] EncryptedData`.
    #[asn1(explicit = 3)]
    Encdata(EncryptedData<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}
