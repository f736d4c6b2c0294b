//! ASN.1 module `SPNEGOASNOneSpec`, from `SPNEGOASNOneSpec.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The Simple and Protected GSS-API Negotiation Mechanism.
//! RFC 4178 Appendix A; NegTokenInit2 is MS-SPNG §2.2.1.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Additions, General, OctetStr, Oid, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// MechType ::= OBJECT IDENTIFIER
/// ```
///
/// `SPNEGOASNOneSpec.asn1`, line 9.
pub type MechType<'a> = Oid<'a>;

/// The list of mechanisms. mechListMIC covers its encoding.
///
/// ```asn1
/// MechTypeList ::= SEQUENCE OF MechType
/// ```
///
/// `SPNEGOASNOneSpec.asn1`, line 12.
pub type MechTypeList<'a> = SeqOf<'a, MechType<'a>>;

/// ```asn1
/// NegotiationToken ::= CHOICE {
///   negTokenInit  [0] NegTokenInit,
///   negTokenResp  [1] NegTokenResp
/// }
/// ```
///
/// `SPNEGOASNOneSpec.asn1`, line 14.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum NegotiationToken<'a> {
    /// `negTokenInit [0] NegTokenInit`.
    #[asn1(explicit = 0)]
    NegTokenInit(NegTokenInit<'a>),
    /// `negTokenResp [1] NegTokenResp`.
    #[asn1(explicit = 1)]
    NegTokenResp(NegTokenResp<'a>),
}

/// ```asn1
/// NegTokenInit ::= SEQUENCE {
///   mechTypes    [0] MechTypeList,
///   reqFlags     [1] ContextFlags OPTIONAL,
///   mechToken    [2] OCTET STRING OPTIONAL,
///   mechListMIC  [3] OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `SPNEGOASNOneSpec.asn1`, line 19.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct NegTokenInit<'a> {
    /// `mechTypes [0] MechTypeList`.
    #[asn1(explicit = 0)]
    pub mech_types: MechTypeList<'a>,
    /// `reqFlags [1] ContextFlags OPTIONAL`.
    #[asn1(explicit = 1)]
    pub req_flags: Option<crate::KerberosFlags<'a>>,
    /// `mechToken [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2)]
    pub mech_token: Option<OctetStr<'a>>,
    /// `mechListMIC [3] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 3, name = "mechListMIC")]
    pub mech_list_mic: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// NegTokenResp ::= SEQUENCE {
///   negState       [0] NegState OPTIONAL,
///   supportedMech  [1] MechType OPTIONAL,
///   responseToken  [2] OCTET STRING OPTIONAL,
///   mechListMIC    [3] OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `SPNEGOASNOneSpec.asn1`, line 30.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct NegTokenResp<'a> {
    /// `negState [0] NegState OPTIONAL`.
    #[asn1(explicit = 0)]
    pub neg_state: Option<NegState>,
    /// `supportedMech [1] MechType OPTIONAL`.
    #[asn1(explicit = 1)]
    pub supported_mech: Option<MechType<'a>>,
    /// `responseToken [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2)]
    pub response_token: Option<OctetStr<'a>>,
    /// `mechListMIC [3] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 3, name = "mechListMIC")]
    pub mech_list_mic: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// NegState ::= ENUMERATED {
///   accept-completed(0),
///   accept-incomplete(1),
///   reject(2),
///   request-mic(3)
/// }
/// ```
///
/// `SPNEGOASNOneSpec.asn1`, line 38.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(enumerated)]
pub enum NegState {
    /// `accept-completed` (0).
    #[asn1(name = "accept-completed")]
    AcceptCompleted = 0,
    /// `accept-incomplete` (1).
    #[asn1(name = "accept-incomplete")]
    AcceptIncomplete = 1,
    /// `reject` (2).
    Reject = 2,
    /// `request-mic` (3).
    #[asn1(name = "request-mic")]
    RequestMic = 3,
}

/// The first token sent by acceptors on Windows.
///
/// ```asn1
/// NegTokenInit2 ::= SEQUENCE {
///   mechTypes    [0] MechTypeList OPTIONAL,
///   reqFlags     [1] ContextFlags OPTIONAL,
///   mechToken    [2] OCTET STRING OPTIONAL,
///   negHints     [3] NegHints OPTIONAL,
///   mechListMIC  [4] OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `SPNEGOASNOneSpec.asn1`, line 46.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct NegTokenInit2<'a> {
    /// `mechTypes [0] MechTypeList OPTIONAL`.
    #[asn1(explicit = 0)]
    pub mech_types: Option<MechTypeList<'a>>,
    /// `reqFlags [1] ContextFlags OPTIONAL`.
    #[asn1(explicit = 1)]
    pub req_flags: Option<crate::KerberosFlags<'a>>,
    /// `mechToken [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2)]
    pub mech_token: Option<OctetStr<'a>>,
    /// `negHints [3] NegHints OPTIONAL`.
    #[asn1(explicit = 3)]
    pub neg_hints: Option<NegHints<'a>>,
    /// `mechListMIC [4] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 4, name = "mechListMIC")]
    pub mech_list_mic: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// NegHints ::= SEQUENCE {
///   hintName     [0] GeneralString OPTIONAL,
///   hintAddress  [1] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `SPNEGOASNOneSpec.asn1`, line 55.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct NegHints<'a> {
    /// `hintName [0] GeneralString OPTIONAL`.
    #[asn1(explicit = 0)]
    pub hint_name: Option<General<'a>>,
    /// `hintAddress [1] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 1)]
    pub hint_address: Option<OctetStr<'a>>,
}
