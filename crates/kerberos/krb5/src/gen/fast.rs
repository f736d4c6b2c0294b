//! ASN.1 module `KerberosPreauthFramework`, from `KerberosPreauthFramework.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Preauthentication sets and FAST, flexible authentication secure tunneling.
//! RFC 6113 Appendix B.
#![allow(clippy::large_enum_variant)]

use super::kerberos::{
    Checksum, EncryptedData, EncryptionKey, Int32, KdcReqBody, Microseconds, PaData, PrincipalName, Realm,
};
use tagwise_codec::{Additions, Any, Captured, OctetStr, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// PA-AUTHENTICATION-SET ::= SEQUENCE OF PA-AUTHENTICATION-SET-ELEM
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 14.
pub type PaAuthenticationSet<'a> = SeqOf<'a, PaAuthenticationSetElem<'a>>;

/// ```asn1
/// PA-AUTHENTICATION-SET-ELEM ::= SEQUENCE {
///   pa-type   [0] Int32,
///   pa-hint   [1] OCTET STRING OPTIONAL,
///   pa-value  [2] OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 16.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-AUTHENTICATION-SET-ELEM", constructor)]
pub struct PaAuthenticationSetElem<'a> {
    /// `pa-type [0] Int32`.
    #[asn1(explicit = 0, name = "pa-type")]
    pub pa_type: Int32,
    /// `pa-hint [1] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 1, name = "pa-hint")]
    pub pa_hint: Option<OctetStr<'a>>,
    /// `pa-value [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2, name = "pa-value")]
    pub pa_value: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// KrbFastArmor ::= SEQUENCE {
///   armor-type   [0] Int32,
///   armor-value  [1] OCTET STRING,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 23.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbFastArmor<'a> {
    /// `armor-type [0] Int32`.
    #[asn1(explicit = 0, name = "armor-type")]
    pub armor_type: Int32,
    /// `armor-value [1] OCTET STRING`.
    #[asn1(explicit = 1, name = "armor-value")]
    pub armor_value: OctetStr<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// PA-FX-FAST-REQUEST ::= CHOICE {
///   armored-data  [0] KrbFastArmoredReq,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 29.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-FX-FAST-REQUEST")]
pub enum PaFxFastRequest<'a> {
    /// `armored-data [0] KrbFastArmoredReq`.
    #[asn1(explicit = 0, name = "armored-data")]
    ArmoredData(KrbFastArmoredReq<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// The checksum uses the armor key. It covers the KDC-REQ-BODY of an AS-REQ, or the AP-REQ of a TGS-REQ.
///
/// ```asn1
/// KrbFastArmoredReq ::= SEQUENCE {
///   armor         [0] KrbFastArmor OPTIONAL,
///   req-checksum  [1] Checksum,
///   enc-fast-req  [2] EncryptedData,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 35.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbFastArmoredReq<'a> {
    /// `armor [0] KrbFastArmor OPTIONAL`.
    #[asn1(explicit = 0)]
    pub armor: Option<KrbFastArmor<'a>>,
    /// `req-checksum [1] Checksum`.
    #[asn1(explicit = 1, name = "req-checksum")]
    pub req_checksum: Checksum<'a>,
    /// `enc-fast-req [2] EncryptedData`.
    #[asn1(explicit = 2, name = "enc-fast-req")]
    pub enc_fast_req: EncryptedData<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// KrbFastReq ::= SEQUENCE {
///   fast-options  [0] FastOptions,
///   padata        [1] SEQUENCE OF PA-DATA,
///   req-body      [2] KDC-REQ-BODY,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 42.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbFastReq<'a> {
    /// `fast-options [0] FastOptions`.
    #[asn1(explicit = 0, name = "fast-options")]
    pub fast_options: FastOptions<'a>,
    /// `padata [1] SEQUENCE OF PA-DATA`.
    #[asn1(explicit = 1)]
    pub padata: SeqOf<'a, PaData<'a>>,
    /// `req-body [2] KDC-REQ-BODY`.
    #[asn1(explicit = 2, name = "req-body")]
    pub req_body: Captured<'a, KdcReqBody<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// FastOptions ::= KerberosFlags
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 49.
pub type FastOptions<'a> = crate::KerberosFlags<'a>;

/// ```asn1
/// PA-FX-FAST-REPLY ::= CHOICE {
///   armored-data  [0] KrbFastArmoredRep,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 51.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-FX-FAST-REPLY")]
pub enum PaFxFastReply<'a> {
    /// `armored-data [0] KrbFastArmoredRep`.
    #[asn1(explicit = 0, name = "armored-data")]
    ArmoredData(KrbFastArmoredRep<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// ```asn1
/// KrbFastArmoredRep ::= SEQUENCE {
///   enc-fast-rep  [0] EncryptedData,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 56.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbFastArmoredRep<'a> {
    /// `enc-fast-rep [0] EncryptedData`.
    #[asn1(explicit = 0, name = "enc-fast-rep")]
    pub enc_fast_rep: EncryptedData<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// KrbFastResponse ::= SEQUENCE {
///   padata          [0] SEQUENCE OF PA-DATA,
///   strengthen-key  [1] EncryptionKey OPTIONAL,
///   finished        [2] KrbFastFinished OPTIONAL,
///   nonce           [3] UInt32,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 61.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbFastResponse<'a> {
    /// `padata [0] SEQUENCE OF PA-DATA`.
    #[asn1(explicit = 0)]
    pub padata: SeqOf<'a, PaData<'a>>,
    /// `strengthen-key [1] EncryptionKey OPTIONAL`.
    #[asn1(explicit = 1, name = "strengthen-key")]
    pub strengthen_key: Option<EncryptionKey<'a>>,
    /// `finished [2] KrbFastFinished OPTIONAL`.
    #[asn1(explicit = 2)]
    pub finished: Option<KrbFastFinished<'a>>,
    /// `nonce [3] UInt32`.
    #[asn1(explicit = 3)]
    pub nonce: crate::UInt32,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// KrbFastFinished ::= SEQUENCE {
///   timestamp        [0] KerberosTime,
///   usec             [1] Microseconds,
///   crealm           [2] Realm,
///   cname            [3] PrincipalName,
///   ticket-checksum  [4] Checksum,
///   ...
/// }
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 69.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbFastFinished<'a> {
    /// `timestamp [0] KerberosTime`.
    #[asn1(explicit = 0)]
    pub timestamp: crate::KerberosTime,
    /// `usec [1] Microseconds`.
    #[asn1(explicit = 1)]
    pub usec: Microseconds,
    /// `crealm [2] Realm`.
    #[asn1(explicit = 2)]
    pub crealm: Realm<'a>,
    /// `cname [3] PrincipalName`.
    #[asn1(explicit = 3)]
    pub cname: PrincipalName<'a>,
    /// `ticket-checksum [4] Checksum`.
    #[asn1(explicit = 4, name = "ticket-checksum")]
    pub ticket_checksum: Checksum<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// A PA-ENC-TS-ENC, encrypted with keys derived by KRB-FX-CF2 (§5.4.6).
///
/// ```asn1
/// EncryptedChallenge ::= EncryptedData
/// ```
///
/// `KerberosPreauthFramework.asn1`, line 79.
pub type EncryptedChallenge<'a> = EncryptedData<'a>;
