//! ASN.1 module `EnrollmentMessageSyntax-2011-v08`, from `EnrollmentMessageSyntax-2011-v08.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Certificate Management over CMS.
//! RFC 5272 as RFC 6402 updates it, in the form of RFC 6402 Appendix A.2.
#![allow(clippy::large_enum_variant)]

use super::cms::{ContentInfo, IssuerAndSerialNumber};
use super::crmf::{CertReqMsg, CertTemplate, PkiPublicationInfo};
use tagwise_codec::{Any, GeneralizedTime, Int, OctetStr, Oid, SeqOf, SetOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// id-cmc  OBJECT IDENTIFIER ::= { id-pkix 7 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 42.
pub const ID_CMC: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7");

/// ```asn1
/// id-cct  OBJECT IDENTIFIER ::= { id-pkix 12 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 43.
pub const ID_CCT: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.12");

/// ```asn1
/// id-cct-PKIData OBJECT IDENTIFIER ::= { id-cct 2 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 49.
pub const ID_CCT_PKI_DATA: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.12.2");

/// All four lists are present, but may be empty. Body part identifiers are unique within the PKIData.
///
/// ```asn1
/// PKIData ::= SEQUENCE {
///   controlSequence   SEQUENCE SIZE (0..MAX) OF TaggedAttribute,
///   reqSequence       SEQUENCE SIZE (0..MAX) OF TaggedRequest,
///   cmsSequence       SEQUENCE SIZE (0..MAX) OF TaggedContentInfo,
///   otherMsgSequence  SEQUENCE SIZE (0..MAX) OF OtherMsg
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 52.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIData")]
pub struct PkiData<'a> {
    /// `controlSequence SEQUENCE SIZE (0..MAX) OF TaggedAttribute`.
    pub control_sequence: SeqOf<'a, TaggedAttribute<'a>>,
    /// `reqSequence SEQUENCE SIZE (0..MAX) OF TaggedRequest`.
    pub req_sequence: SeqOf<'a, TaggedRequest<'a>>,
    /// `cmsSequence SEQUENCE SIZE (0..MAX) OF TaggedContentInfo`.
    pub cms_sequence: SeqOf<'a, TaggedContentInfo<'a>>,
    /// `otherMsgSequence SEQUENCE SIZE (0..MAX) OF OtherMsg`.
    pub other_msg_sequence: SeqOf<'a, OtherMsg<'a>>,
}

/// The identifier of a body part. Zero means this PKIData.
///
/// ```asn1
/// BodyPartID ::= INTEGER (0..4294967295)
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 60.
pub type BodyPartId = u32;

/// ```asn1
/// TaggedAttribute ::= SEQUENCE {
///   bodyPartID  BodyPartID,
///   attrType    CMC-CONTROL.&id({Cmc-Control-Set}),
///   attrValues  SET OF CMC-CONTROL.&Type({Cmc-Control-Set}{@attrType})
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 62.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct TaggedAttribute<'a> {
    /// `bodyPartID BodyPartID`.
    #[asn1(name = "bodyPartID")]
    pub body_part_id: BodyPartId,
    /// `attrType CMC-CONTROL.&id({Cmc-Control-Set})`.
    pub attr_type: Oid<'a>,
    /// `attrValues SET OF CMC-CONTROL.&Type({Cmc-Control-Set}{@attrType})`.
    pub attr_values: SetOf<'a, Any<'a>>,
}

/// ```asn1
/// TaggedRequest ::= CHOICE {
///   tcr  [0] TaggedCertificationRequest,
///   crm  [1] CertReqMsg,
///   orm  [2] SEQUENCE {
///     bodyPartID           BodyPartID,
///     requestMessageType   OTHER-REQUEST.&id({OtherRequests}),
///     requestMessageValue  OTHER-REQUEST.&Type({OtherRequests}{@.requestMessageType})
///   }
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 83.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum TaggedRequest<'a> {
    /// `tcr [0] TaggedCertificationRequest`.
    #[asn1(implicit = 0)]
    Tcr(TaggedCertificationRequest<'a>),
    /// `crm [1] CertReqMsg`.
    #[asn1(implicit = 1)]
    Crm(CertReqMsg<'a>),
    /// `orm [2] SEQUENCE { bodyPartID BodyPartID, requestMessageType OTHER-REQUEST.&id({OtherRequests}), requestMessageValue OTHER-REQUEST.&Type({OtherRequests}{@.re...`.
    #[asn1(implicit = 2)]
    Orm(TaggedRequestOrm<'a>),
}

/// ```asn1
/// [2] SEQUENCE {
///   bodyPartID           BodyPartID,
///   requestMessageType   OTHER-REQUEST.&id({OtherRequests}),
///   requestMessageValue  OTHER-REQUEST.&Type({OtherRequests}{@.requestMessageType})
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 86.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct TaggedRequestOrm<'a> {
    /// `bodyPartID BodyPartID`.
    #[asn1(name = "bodyPartID")]
    pub body_part_id: BodyPartId,
    /// `requestMessageType OTHER-REQUEST.&id({OtherRequests})`.
    pub request_message_type: Oid<'a>,
    /// `requestMessageValue OTHER-REQUEST.&Type({OtherRequests}{@.requestMessageType})`.
    pub request_message_value: Any<'a>,
}

/// ```asn1
/// TaggedCertificationRequest ::= SEQUENCE {
///   bodyPartID            BodyPartID,
///   certificationRequest  CertificationRequest
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 93.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct TaggedCertificationRequest<'a> {
    /// `bodyPartID BodyPartID`.
    #[asn1(name = "bodyPartID")]
    pub body_part_id: BodyPartId,
    /// `certificationRequest CertificationRequest`.
    pub certification_request: tagwise_x509::csr::CertificationRequest<'a>,
}

/// ```asn1
/// TaggedContentInfo ::= SEQUENCE {
///   bodyPartID   BodyPartID,
///   contentInfo  ContentInfo
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 115.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct TaggedContentInfo<'a> {
    /// `bodyPartID BodyPartID`.
    #[asn1(name = "bodyPartID")]
    pub body_part_id: BodyPartId,
    /// `contentInfo ContentInfo`.
    pub content_info: ContentInfo<'a>,
}

/// ```asn1
/// OtherMsg ::= SEQUENCE {
///   bodyPartID     BodyPartID,
///   otherMsgType   OTHER-MSG.&id({OtherMsgSet}),
///   otherMsgValue  OTHER-MSG.&Type({OtherMsgSet}{@otherMsgType})
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 124.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OtherMsg<'a> {
    /// `bodyPartID BodyPartID`.
    #[asn1(name = "bodyPartID")]
    pub body_part_id: BodyPartId,
    /// `otherMsgType OTHER-MSG.&id({OtherMsgSet})`.
    pub other_msg_type: Oid<'a>,
    /// `otherMsgValue OTHER-MSG.&Type({OtherMsgSet}{@otherMsgType})`.
    pub other_msg_value: Any<'a>,
}

/// ```asn1
/// id-cct-PKIResponse OBJECT IDENTIFIER ::= { id-cct 3 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 134.
pub const ID_CCT_PKI_RESPONSE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.12.3");

/// ```asn1
/// ResponseBody ::= PKIResponse
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 136.
pub type ResponseBody<'a> = PkiResponse<'a>;

/// ```asn1
/// PKIResponse ::= SEQUENCE {
///   controlSequence   SEQUENCE SIZE (0..MAX) OF TaggedAttribute,
///   cmsSequence       SEQUENCE SIZE (0..MAX) OF TaggedContentInfo,
///   otherMsgSequence  SEQUENCE SIZE (0..MAX) OF OtherMsg
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 138.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIResponse")]
pub struct PkiResponse<'a> {
    /// `controlSequence SEQUENCE SIZE (0..MAX) OF TaggedAttribute`.
    pub control_sequence: SeqOf<'a, TaggedAttribute<'a>>,
    /// `cmsSequence SEQUENCE SIZE (0..MAX) OF TaggedContentInfo`.
    pub cms_sequence: SeqOf<'a, TaggedContentInfo<'a>>,
    /// `otherMsgSequence SEQUENCE SIZE (0..MAX) OF OtherMsg`.
    pub other_msg_sequence: SeqOf<'a, OtherMsg<'a>>,
}

/// ```asn1
/// id-cmc-statusInfo             OBJECT IDENTIFIER ::= { id-cmc 1 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 160.
pub const ID_CMC_STATUS_INFO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.1");

/// ```asn1
/// id-cmc-identification         OBJECT IDENTIFIER ::= { id-cmc 2 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 161.
pub const ID_CMC_IDENTIFICATION: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.2");

/// ```asn1
/// id-cmc-identityProof          OBJECT IDENTIFIER ::= { id-cmc 3 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 162.
pub const ID_CMC_IDENTITY_PROOF: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.3");

/// ```asn1
/// id-cmc-dataReturn             OBJECT IDENTIFIER ::= { id-cmc 4 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 163.
pub const ID_CMC_DATA_RETURN: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.4");

/// ```asn1
/// id-cmc-transactionId          OBJECT IDENTIFIER ::= { id-cmc 5 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 164.
pub const ID_CMC_TRANSACTION_ID: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.5");

/// ```asn1
/// id-cmc-senderNonce            OBJECT IDENTIFIER ::= { id-cmc 6 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 165.
pub const ID_CMC_SENDER_NONCE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.6");

/// ```asn1
/// id-cmc-recipientNonce         OBJECT IDENTIFIER ::= { id-cmc 7 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 166.
pub const ID_CMC_RECIPIENT_NONCE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.7");

/// ```asn1
/// id-cmc-addExtensions          OBJECT IDENTIFIER ::= { id-cmc 8 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 167.
pub const ID_CMC_ADD_EXTENSIONS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.8");

/// ```asn1
/// id-cmc-encryptedPOP           OBJECT IDENTIFIER ::= { id-cmc 9 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 168.
pub const ID_CMC_ENCRYPTED_POP: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.9");

/// ```asn1
/// id-cmc-decryptedPOP           OBJECT IDENTIFIER ::= { id-cmc 10 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 169.
pub const ID_CMC_DECRYPTED_POP: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.10");

/// ```asn1
/// id-cmc-lraPOPWitness          OBJECT IDENTIFIER ::= { id-cmc 11 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 170.
pub const ID_CMC_LRA_POP_WITNESS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.11");

/// ```asn1
/// id-cmc-getCert                OBJECT IDENTIFIER ::= { id-cmc 15 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 171.
pub const ID_CMC_GET_CERT: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.15");

/// ```asn1
/// id-cmc-getCRL                 OBJECT IDENTIFIER ::= { id-cmc 16 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 172.
pub const ID_CMC_GET_CRL: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.16");

/// ```asn1
/// id-cmc-revokeRequest          OBJECT IDENTIFIER ::= { id-cmc 17 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 173.
pub const ID_CMC_REVOKE_REQUEST: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.17");

/// ```asn1
/// id-cmc-regInfo                OBJECT IDENTIFIER ::= { id-cmc 18 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 174.
pub const ID_CMC_REG_INFO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.18");

/// ```asn1
/// id-cmc-responseInfo           OBJECT IDENTIFIER ::= { id-cmc 19 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 175.
pub const ID_CMC_RESPONSE_INFO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.19");

/// ```asn1
/// id-cmc-queryPending           OBJECT IDENTIFIER ::= { id-cmc 21 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 176.
pub const ID_CMC_QUERY_PENDING: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.21");

/// ```asn1
/// id-cmc-popLinkRandom          OBJECT IDENTIFIER ::= { id-cmc 22 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 177.
pub const ID_CMC_POP_LINK_RANDOM: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.22");

/// ```asn1
/// id-cmc-popLinkWitness         OBJECT IDENTIFIER ::= { id-cmc 23 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 178.
pub const ID_CMC_POP_LINK_WITNESS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.23");

/// ```asn1
/// id-cmc-confirmCertAcceptance  OBJECT IDENTIFIER ::= { id-cmc 24 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 179.
pub const ID_CMC_CONFIRM_CERT_ACCEPTANCE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.24");

/// ```asn1
/// id-cmc-statusInfoV2           OBJECT IDENTIFIER ::= { id-cmc 25 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 180.
pub const ID_CMC_STATUS_INFO_V2: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.25");

/// ```asn1
/// id-cmc-trustedAnchors         OBJECT IDENTIFIER ::= { id-cmc 26 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 181.
pub const ID_CMC_TRUSTED_ANCHORS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.26");

/// ```asn1
/// id-cmc-authData               OBJECT IDENTIFIER ::= { id-cmc 27 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 182.
pub const ID_CMC_AUTH_DATA: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.27");

/// ```asn1
/// id-cmc-batchRequests          OBJECT IDENTIFIER ::= { id-cmc 28 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 183.
pub const ID_CMC_BATCH_REQUESTS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.28");

/// ```asn1
/// id-cmc-batchResponses         OBJECT IDENTIFIER ::= { id-cmc 29 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 184.
pub const ID_CMC_BATCH_RESPONSES: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.29");

/// ```asn1
/// id-cmc-publishCert            OBJECT IDENTIFIER ::= { id-cmc 30 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 185.
pub const ID_CMC_PUBLISH_CERT: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.30");

/// ```asn1
/// id-cmc-modCertTemplate        OBJECT IDENTIFIER ::= { id-cmc 31 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 186.
pub const ID_CMC_MOD_CERT_TEMPLATE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.31");

/// ```asn1
/// id-cmc-controlProcessed       OBJECT IDENTIFIER ::= { id-cmc 32 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 187.
pub const ID_CMC_CONTROL_PROCESSED: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.32");

/// ```asn1
/// id-cmc-popLinkWitnessV2       OBJECT IDENTIFIER ::= { id-cmc 33 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 188.
pub const ID_CMC_POP_LINK_WITNESS_V2: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.33");

/// ```asn1
/// id-cmc-identityProofV2        OBJECT IDENTIFIER ::= { id-cmc 34 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 189.
pub const ID_CMC_IDENTITY_PROOF_V2: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.34");

/// ```asn1
/// id-cmc-raIdentityWitness      OBJECT IDENTIFIER ::= { id-cmc 35 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 190.
pub const ID_CMC_RA_IDENTITY_WITNESS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.35");

/// ```asn1
/// id-cmc-changeSubjectName      OBJECT IDENTIFIER ::= { id-cmc 36 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 191.
pub const ID_CMC_CHANGE_SUBJECT_NAME: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.36");

/// ```asn1
/// id-cmc-responseBody           OBJECT IDENTIFIER ::= { id-cmc 37 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 192.
pub const ID_CMC_RESPONSE_BODY: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.7.37");

/// ```asn1
/// CMCStatusInfo ::= SEQUENCE {
///   cMCStatus     CMCStatus,
///   bodyList      SEQUENCE SIZE (1..MAX) OF BodyPartID,
///   statusString  UTF8String OPTIONAL,
///   otherInfo     CHOICE {
///     failInfo  CMCFailInfo,
///     pendInfo  PendInfo
///   } OPTIONAL
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 196.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CMCStatusInfo", constructor)]
pub struct CmcStatusInfo<'a> {
    /// `cMCStatus CMCStatus`.
    #[asn1(name = "cMCStatus")]
    pub cmc_status: CmcStatus,
    /// `bodyList SEQUENCE SIZE (1..MAX) OF BodyPartID`.
    #[asn1(size(1..))]
    pub body_list: SeqOf<'a, BodyPartId>,
    /// `statusString UTF8String OPTIONAL`.
    pub status_string: Option<Utf8<'a>>,
    /// `otherInfo CHOICE { failInfo CMCFailInfo, pendInfo PendInfo } OPTIONAL`.
    pub other_info: Option<CmcStatusInfoOtherInfo<'a>>,
}

/// ```asn1
/// CHOICE {
///   failInfo  CMCFailInfo,
///   pendInfo  PendInfo
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 200.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum CmcStatusInfoOtherInfo<'a> {
    /// `failInfo CMCFailInfo`.
    FailInfo(CmcFailInfo),
    /// `pendInfo PendInfo`.
    PendInfo(PendInfo<'a>),
}

/// ```asn1
/// PendInfo ::= SEQUENCE {
///   pendToken  OCTET STRING,
///   pendTime   GeneralizedTime
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 206.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PendInfo<'a> {
    /// `pendToken OCTET STRING`.
    pub pend_token: OctetStr<'a>,
    /// `pendTime GeneralizedTime`.
    pub pend_time: GeneralizedTime<'a>,
}

/// 1 is not used.
///
/// ```asn1
/// CMCStatus ::= INTEGER {
///   success(0),
///   failed(2),
///   pending(3),
///   noSupport(4),
///   confirmRequired(5),
///   popRequired(6),
///   partial(7)
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 212.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "CMCStatus")]
#[asn1(named_numbers(
    success = 0,
    failed = 2,
    pending = 3,
    no_support = 4,
    confirm_required = 5,
    pop_required = 6,
    partial = 7
))]
#[asn1(convert)]
pub struct CmcStatus(
    /// The number.
    pub u8,
);

impl CmcStatus {
    /// `success` (0).
    pub const SUCCESS: Self = Self(0);

    /// `failed` (2).
    pub const FAILED: Self = Self(2);

    /// `pending` (3).
    pub const PENDING: Self = Self(3);

    /// `noSupport` (4).
    pub const NO_SUPPORT: Self = Self(4);

    /// `confirmRequired` (5).
    pub const CONFIRM_REQUIRED: Self = Self(5);

    /// `popRequired` (6).
    pub const POP_REQUIRED: Self = Self(6);

    /// `partial` (7).
    pub const PARTIAL: Self = Self(7);
}

/// ```asn1
/// CMCFailInfo ::= INTEGER {
///   badAlg(0),
///   badMessageCheck(1),
///   badRequest(2),
///   badTime(3),
///   badCertId(4),
///   unsupportedExt(5),
///   mustArchiveKeys(6),
///   badIdentity(7),
///   popRequired(8),
///   popFailed(9),
///   noKeyReuse(10),
///   internalCAError(11),
///   tryLater(12),
///   authDataFail(13)
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 222.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "CMCFailInfo")]
#[asn1(named_numbers(
    bad_alg = 0,
    bad_message_check = 1,
    bad_request = 2,
    bad_time = 3,
    bad_cert_id = 4,
    unsupported_ext = 5,
    must_archive_keys = 6,
    bad_identity = 7,
    pop_required = 8,
    pop_failed = 9,
    no_key_reuse = 10,
    internal_ca_error("internalCAError") = 11,
    try_later = 12,
    auth_data_fail = 13
))]
#[asn1(convert)]
pub struct CmcFailInfo(
    /// The number.
    pub u8,
);

impl CmcFailInfo {
    /// `badAlg` (0).
    pub const BAD_ALG: Self = Self(0);

    /// `badMessageCheck` (1).
    pub const BAD_MESSAGE_CHECK: Self = Self(1);

    /// `badRequest` (2).
    pub const BAD_REQUEST: Self = Self(2);

    /// `badTime` (3).
    pub const BAD_TIME: Self = Self(3);

    /// `badCertId` (4).
    pub const BAD_CERT_ID: Self = Self(4);

    /// `unsupportedExt` (5).
    pub const UNSUPPORTED_EXT: Self = Self(5);

    /// `mustArchiveKeys` (6).
    pub const MUST_ARCHIVE_KEYS: Self = Self(6);

    /// `badIdentity` (7).
    pub const BAD_IDENTITY: Self = Self(7);

    /// `popRequired` (8).
    pub const POP_REQUIRED: Self = Self(8);

    /// `popFailed` (9).
    pub const POP_FAILED: Self = Self(9);

    /// `noKeyReuse` (10).
    pub const NO_KEY_REUSE: Self = Self(10);

    /// `internalCAError` (11).
    pub const INTERNAL_CA_ERROR: Self = Self(11);

    /// `tryLater` (12).
    pub const TRY_LATER: Self = Self(12);

    /// `authDataFail` (13).
    pub const AUTH_DATA_FAIL: Self = Self(13);
}

/// ```asn1
/// AddExtensions ::= SEQUENCE {
///   pkiDataReference  BodyPartID,
///   certReferences    SEQUENCE OF BodyPartID,
///   extensions        SEQUENCE OF Extension{{CertExtensions}}
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 241.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AddExtensions<'a> {
    /// `pkiDataReference BodyPartID`.
    pub pki_data_reference: BodyPartId,
    /// `certReferences SEQUENCE OF BodyPartID`.
    pub cert_references: SeqOf<'a, BodyPartId>,
    /// `extensions SEQUENCE OF Extension{{CertExtensions}}`.
    pub extensions: SeqOf<'a, tagwise_x509::cert::Extension<'a>>,
}

/// ```asn1
/// EncryptedPOP ::= SEQUENCE {
///   request       TaggedRequest,
///   cms           ContentInfo,
///   thePOPAlgID   AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}},
///   witnessAlgID  AlgorithmIdentifier{DIGEST-ALGORITHM, {WitnessAlgs}},
///   witness       OCTET STRING
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 250.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "EncryptedPOP")]
pub struct EncryptedPop<'a> {
    /// `request TaggedRequest`.
    pub request: TaggedRequest<'a>,
    /// `cms ContentInfo`.
    pub cms: ContentInfo<'a>,
    /// `thePOPAlgID AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}}`.
    #[asn1(name = "thePOPAlgID")]
    pub the_pop_alg_id: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `witnessAlgID AlgorithmIdentifier{DIGEST-ALGORITHM, {WitnessAlgs}}`.
    #[asn1(name = "witnessAlgID")]
    pub witness_alg_id: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `witness OCTET STRING`.
    pub witness: OctetStr<'a>,
}

/// ```asn1
/// DecryptedPOP ::= SEQUENCE {
///   bodyPartID   BodyPartID,
///   thePOPAlgID  AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}},
///   thePOP       OCTET STRING
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 262.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "DecryptedPOP")]
pub struct DecryptedPop<'a> {
    /// `bodyPartID BodyPartID`.
    #[asn1(name = "bodyPartID")]
    pub body_part_id: BodyPartId,
    /// `thePOPAlgID AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}}`.
    #[asn1(name = "thePOPAlgID")]
    pub the_pop_alg_id: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `thePOP OCTET STRING`.
    #[asn1(secret, name = "thePOP")]
    pub the_pop: OctetStr<'a>,
}

/// ```asn1
/// LraPopWitness ::= SEQUENCE {
///   pkiDataBodyid  BodyPartID,
///   bodyIds        SEQUENCE OF BodyPartID
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 270.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct LraPopWitness<'a> {
    /// `pkiDataBodyid BodyPartID`.
    pub pki_data_bodyid: BodyPartId,
    /// `bodyIds SEQUENCE OF BodyPartID`.
    pub body_ids: SeqOf<'a, BodyPartId>,
}

/// ```asn1
/// GetCert ::= SEQUENCE {
///   issuerName    GeneralName,
///   serialNumber  INTEGER
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 277.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct GetCert<'a> {
    /// `issuerName GeneralName`.
    pub issuer_name: tagwise_x509::ext::GeneralName<'a>,
    /// `serialNumber INTEGER`.
    pub serial_number: Int<'a>,
}

/// ```asn1
/// GetCRL ::= SEQUENCE {
///   issuerName  Name,
///   cRLName     GeneralName OPTIONAL,
///   time        GeneralizedTime OPTIONAL,
///   reasons     ReasonFlags OPTIONAL
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 284.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "GetCRL", constructor)]
pub struct GetCrl<'a> {
    /// `issuerName Name`.
    pub issuer_name: tagwise_x509::name::Name<'a>,
    /// `cRLName GeneralName OPTIONAL`.
    #[asn1(name = "cRLName")]
    pub crl_name: Option<tagwise_x509::ext::GeneralName<'a>>,
    /// `time GeneralizedTime OPTIONAL`.
    pub time: Option<GeneralizedTime<'a>>,
    /// `reasons ReasonFlags OPTIONAL`.
    pub reasons: Option<tagwise_x509::ext::ReasonFlags<'a>>,
}

/// passphrase is secret. If it authenticates the request, the request is encrypted.
///
/// ```asn1
/// RevokeRequest ::= SEQUENCE {
///   issuerName      Name,
///   serialNumber    INTEGER,
///   reason          CRLReason,
///   invalidityDate  GeneralizedTime OPTIONAL,
///   passphrase      OCTET STRING OPTIONAL,
///   comment         UTF8String OPTIONAL
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 294.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(constructor)]
pub struct RevokeRequest<'a> {
    /// `issuerName Name`.
    pub issuer_name: tagwise_x509::name::Name<'a>,
    /// `serialNumber INTEGER`.
    pub serial_number: Int<'a>,
    /// `reason CRLReason`.
    pub reason: tagwise_x509::ext::CrlReason,
    /// `invalidityDate GeneralizedTime OPTIONAL`.
    pub invalidity_date: Option<GeneralizedTime<'a>>,
    /// `passphrase OCTET STRING OPTIONAL`.
    #[asn1(secret)]
    pub passphrase: Option<OctetStr<'a>>,
    /// `comment UTF8String OPTIONAL`.
    pub comment: Option<Utf8<'a>>,
}

/// ```asn1
/// CMCCertId ::= IssuerAndSerialNumber
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 305.
pub type CmcCertId<'a> = IssuerAndSerialNumber<'a>;

/// ```asn1
/// id-ExtensionReq OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) 14 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 310.
pub const ID_EXTENSION_REQ: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.14");

/// ```asn1
/// ExtensionReq ::= SEQUENCE SIZE (1..MAX) OF Extension{{CertExtensions}}
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 312.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct ExtensionReq<'a>(
    /// The wrapped value.
    pub SeqOf<'a, tagwise_x509::cert::Extension<'a>>,
);

/// ```asn1
/// id-alg-noSignature OBJECT IDENTIFIER ::= { id-pkix id-alg(6) 2 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 322.
pub const ID_ALG_NO_SIGNATURE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.6.2");

/// ```asn1
/// NoSignatureValue ::= OCTET STRING
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 324.
pub type NoSignatureValue<'a> = OctetStr<'a>;

/// ```asn1
/// id-aa OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 326.
pub const ID_AA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2");

/// ```asn1
/// id-aa-cmc-unsignedData OBJECT IDENTIFIER ::= { id-aa 34 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 330.
pub const ID_AA_CMC_UNSIGNED_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.34");

/// ```asn1
/// CMCUnsignedData ::= SEQUENCE {
///   bodyPartPath  BodyPartPath,
///   identifier    TYPE-IDENTIFIER.&id,
///   content       TYPE-IDENTIFIER.&Type
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 332.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CMCUnsignedData")]
pub struct CmcUnsignedData<'a> {
    /// `bodyPartPath BodyPartPath`.
    pub body_part_path: BodyPartPath<'a>,
    /// `identifier TYPE-IDENTIFIER.&id`.
    pub identifier: Oid<'a>,
    /// `content TYPE-IDENTIFIER.&Type`.
    pub content: Any<'a>,
}

/// ```asn1
/// CMCStatusInfoV2 ::= SEQUENCE {
///   cMCStatus     CMCStatus,
///   bodyList      SEQUENCE SIZE (1..MAX) OF BodyPartReference,
///   statusString  UTF8String OPTIONAL,
///   otherInfo     CHOICE {
///     failInfo          CMCFailInfo,
///     pendInfo          PendInfo,
///     extendedFailInfo  [1] SEQUENCE {
///       failInfoOID    TYPE-IDENTIFIER.&id({ExtendedFailures}),
///       failInfoValue  TYPE-IDENTIFIER.&Type({ExtendedFailures}{@.failInfoOID})
///     }
///   } OPTIONAL
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 344.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CMCStatusInfoV2", constructor)]
pub struct CmcStatusInfoV2<'a> {
    /// `cMCStatus CMCStatus`.
    #[asn1(name = "cMCStatus")]
    pub cmc_status: CmcStatus,
    /// `bodyList SEQUENCE SIZE (1..MAX) OF BodyPartReference`.
    #[asn1(size(1..))]
    pub body_list: SeqOf<'a, BodyPartReference<'a>>,
    /// `statusString UTF8String OPTIONAL`.
    pub status_string: Option<Utf8<'a>>,
    /// `otherInfo CHOICE { failInfo CMCFailInfo, pendInfo PendInfo, extendedFailInfo [1] SEQUENCE { failInfoOID TYPE-IDENTIFIER.&id({ExtendedFailures}), failInfoValu...`.
    pub other_info: Option<CmcStatusInfoV2OtherInfo<'a>>,
}

/// ```asn1
/// CHOICE {
///   failInfo          CMCFailInfo,
///   pendInfo          PendInfo,
///   extendedFailInfo  [1] SEQUENCE {
///     failInfoOID    TYPE-IDENTIFIER.&id({ExtendedFailures}),
///     failInfoValue  TYPE-IDENTIFIER.&Type({ExtendedFailures}{@.failInfoOID})
///   }
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 348.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum CmcStatusInfoV2OtherInfo<'a> {
    /// `failInfo CMCFailInfo`.
    FailInfo(CmcFailInfo),
    /// `pendInfo PendInfo`.
    PendInfo(PendInfo<'a>),
    /// `extendedFailInfo [1] SEQUENCE { failInfoOID TYPE-IDENTIFIER.&id({ExtendedFailures}), failInfoValue TYPE-IDENTIFIER.&Type({ExtendedFailures}{@.failInfoOID}) }`.
    #[asn1(implicit = 1)]
    ExtendedFailInfo(CmcStatusInfoV2OtherInfoExtendedFailInfo<'a>),
}

/// ```asn1
/// [1] SEQUENCE {
///   failInfoOID    TYPE-IDENTIFIER.&id({ExtendedFailures}),
///   failInfoValue  TYPE-IDENTIFIER.&Type({ExtendedFailures}{@.failInfoOID})
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 351.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct CmcStatusInfoV2OtherInfoExtendedFailInfo<'a> {
    /// `failInfoOID TYPE-IDENTIFIER.&id({ExtendedFailures})`.
    #[asn1(name = "failInfoOID")]
    pub fail_info_oid: Oid<'a>,
    /// `failInfoValue TYPE-IDENTIFIER.&Type({ExtendedFailures}{@.failInfoOID})`.
    pub fail_info_value: Any<'a>,
}

/// ```asn1
/// BodyPartReference ::= CHOICE {
///   bodyPartID    BodyPartID,
///   bodyPartPath  BodyPartPath
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 358.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum BodyPartReference<'a> {
    /// `bodyPartID BodyPartID`.
    #[asn1(name = "bodyPartID")]
    BodyPartId(BodyPartId),
    /// `bodyPartPath BodyPartPath`.
    BodyPartPath(BodyPartPath<'a>),
}

/// The path to a body part, from the outermost PKIData inwards.
///
/// ```asn1
/// BodyPartPath ::= SEQUENCE SIZE (1..MAX) OF BodyPartID
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 364.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct BodyPartPath<'a>(
    /// The wrapped value.
    pub SeqOf<'a, BodyPartId>,
);

/// ```asn1
/// PublishTrustAnchors ::= SEQUENCE {
///   seqNumber      INTEGER,
///   hashAlgorithm  AlgorithmIdentifier{DIGEST-ALGORITHM, {HashAlgorithms}},
///   anchorHashes   SEQUENCE OF OCTET STRING
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 368.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PublishTrustAnchors<'a> {
    /// `seqNumber INTEGER`.
    pub seq_number: Int<'a>,
    /// `hashAlgorithm AlgorithmIdentifier{DIGEST-ALGORITHM, {HashAlgorithms}}`.
    pub hash_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `anchorHashes SEQUENCE OF OCTET STRING`.
    pub anchor_hashes: SeqOf<'a, OctetStr<'a>>,
}

/// ```asn1
/// AuthPublish ::= BodyPartID
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 378.
pub type AuthPublish = BodyPartId;

/// ```asn1
/// BodyPartList ::= SEQUENCE SIZE (1..MAX) OF BodyPartID
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 383.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct BodyPartList<'a>(
    /// The wrapped value.
    pub SeqOf<'a, BodyPartId>,
);

/// ```asn1
/// CMCPublicationInfo ::= SEQUENCE {
///   hashAlg     AlgorithmIdentifier{DIGEST-ALGORITHM, {HashAlgorithms}},
///   certHashes  SEQUENCE OF OCTET STRING,
///   pubInfo     PKIPublicationInfo
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 387.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CMCPublicationInfo")]
pub struct CmcPublicationInfo<'a> {
    /// `hashAlg AlgorithmIdentifier{DIGEST-ALGORITHM, {HashAlgorithms}}`.
    pub hash_alg: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `certHashes SEQUENCE OF OCTET STRING`.
    pub cert_hashes: SeqOf<'a, OctetStr<'a>>,
    /// `pubInfo PKIPublicationInfo`.
    pub pub_info: PkiPublicationInfo<'a>,
}

/// ```asn1
/// ModCertTemplate ::= SEQUENCE {
///   pkiDataReference  BodyPartPath,
///   certReferences    BodyPartList,
///   replace           BOOLEAN DEFAULT TRUE,
///   certTemplate      CertTemplate
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 395.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct ModCertTemplate<'a> {
    /// `pkiDataReference BodyPartPath`.
    pub pki_data_reference: BodyPartPath<'a>,
    /// `certReferences BodyPartList`.
    pub cert_references: BodyPartList<'a>,
    /// `replace BOOLEAN DEFAULT TRUE`.
    #[asn1(default = true)]
    pub replace: bool,
    /// `certTemplate CertTemplate`.
    pub cert_template: CertTemplate<'a>,
}

/// ```asn1
/// ControlsProcessed ::= SEQUENCE {
///   bodyList  SEQUENCE SIZE (1..MAX) OF BodyPartReference
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 404.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ControlsProcessed<'a> {
    /// `bodyList SEQUENCE SIZE (1..MAX) OF BodyPartReference`.
    #[asn1(size(1..))]
    pub body_list: SeqOf<'a, BodyPartReference<'a>>,
}

/// ```asn1
/// IdentityProofV2 ::= SEQUENCE {
///   proofAlgID  AlgorithmIdentifier{DIGEST-ALGORITHM, {WitnessAlgs}},
///   macAlgId    AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}},
///   witness     OCTET STRING
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 410.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct IdentityProofV2<'a> {
    /// `proofAlgID AlgorithmIdentifier{DIGEST-ALGORITHM, {WitnessAlgs}}`.
    #[asn1(name = "proofAlgID")]
    pub proof_alg_id: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `macAlgId AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}}`.
    pub mac_alg_id: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `witness OCTET STRING`.
    pub witness: OctetStr<'a>,
}

/// ```asn1
/// PopLinkWitnessV2 ::= SEQUENCE {
///   keyGenAlgorithm  AlgorithmIdentifier{KEY-DERIVATION, {KeyDevAlgs}},
///   macAlgorithm     AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}},
///   witness          OCTET STRING
/// }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 418.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PopLinkWitnessV2<'a> {
    /// `keyGenAlgorithm AlgorithmIdentifier{KEY-DERIVATION, {KeyDevAlgs}}`.
    pub key_gen_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `macAlgorithm AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}}`.
    pub mac_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `witness OCTET STRING`.
    pub witness: OctetStr<'a>,
}

/// ```asn1
/// ChangeSubjectName ::= SEQUENCE {
///   subject     Name OPTIONAL,
///   subjectAlt  [1] GeneralNames OPTIONAL
/// }
///   (WITH COMPONENTS { ..., subject PRESENT } |
///    WITH COMPONENTS { ..., subjectAlt PRESENT })
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 433.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
#[asn1(constraints(any_of(with_components(..., "subject" = present), with_components(..., "subjectAlt" = present))))]
pub struct ChangeSubjectName<'a> {
    /// `subject Name OPTIONAL`.
    pub subject: Option<tagwise_x509::name::Name<'a>>,
    /// `subjectAlt [1] GeneralNames OPTIONAL`.
    #[asn1(implicit = 1)]
    pub subject_alt: Option<tagwise_x509::ext::GeneralNames<'a>>,
}

/// ```asn1
/// id-kp-cmcCA       OBJECT IDENTIFIER ::= { id-kp 27 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 440.
pub const ID_KP_CMC_CA: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.27");

/// ```asn1
/// id-kp-cmcRA       OBJECT IDENTIFIER ::= { id-kp 28 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 441.
pub const ID_KP_CMC_RA: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.28");

/// ```asn1
/// id-kp-cmcArchive  OBJECT IDENTIFIER ::= { id-kp 29 }
/// ```
///
/// `EnrollmentMessageSyntax-2011-v08.asn1`, line 442.
pub const ID_KP_CMC_ARCHIVE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.29");
