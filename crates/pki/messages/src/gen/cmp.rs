//! ASN.1 module `PKIXCMP-2023`, from `PKIXCMP-2023.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The Certificate Management Protocol.
//! RFC 9810 Appendix B, which replaces RFC 4210 and RFC 9480.
#![allow(clippy::large_enum_variant)]

use super::cms::EnvelopedData;
use super::crmf::{CertId, CertReqMessages, CertTemplate, Controls, EncryptedKey, PkiPublicationInfo};
use tagwise_codec::{
    Any, BitStr, Captured, GeneralizedTime, Int, NamedBits, Null, OctetStr, Oid, Open, Raw, SeqOf, Unknown, Utf8,
};
use tagwise_derive::Asn1;

/// A certificate. Later versions may add formats other than X.509.
///
/// ```asn1
/// CMPCertificate ::= CHOICE {
///   x509v3PKCert  Certificate,
///   ...
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 29.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CMPCertificate")]
pub enum CmpCertificate<'a> {
    /// `x509v3PKCert Certificate`.
    #[asn1(name = "x509v3PKCert")]
    X509(Raw<'a, tagwise_x509::cert::Certificate<'a>>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// A PKI message. protection covers the DER of ProtectedPart, which is not sent itself.
///
/// ```asn1
/// PKIMessage ::= SEQUENCE {
///   header      PKIHeader,
///   body        PKIBody,
///   protection  [0] PKIProtection OPTIONAL,
///   extraCerts  [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 37.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIMessage", constructor)]
pub struct PkiMessage<'a> {
    /// `header PKIHeader`.
    pub header: Captured<'a, PkiHeader<'a>>,
    /// `body PKIBody`.
    pub body: Captured<'a, PkiBody<'a>>,
    /// `protection [0] PKIProtection OPTIONAL`.
    #[asn1(explicit = 0)]
    pub protection: Option<PkiProtection<'a>>,
    /// `extraCerts [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL`.
    #[asn1(explicit = 1, size(1..))]
    pub extra_certs: Option<SeqOf<'a, CmpCertificate<'a>>>,
}

/// ```asn1
/// PKIMessages ::= SEQUENCE SIZE (1..MAX) OF PKIMessage
/// ```
///
/// `PKIXCMP-2023.asn1`, line 44.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIMessages", size(1..), convert)]
pub struct PkiMessages<'a>(
    /// The wrapped value.
    pub SeqOf<'a, PkiMessage<'a>>,
);

/// A PKI message header. pvno is cmp2021 if EnvelopedData replaces EncryptedValue, or if certStatus contains hashAlg.
///
/// ```asn1
/// PKIHeader ::= SEQUENCE {
///   pvno           INTEGER { cmp1999(1), cmp2000(2), cmp2021(3) },
///   sender         GeneralName,
///   recipient      GeneralName,
///   messageTime    [0] GeneralizedTime OPTIONAL,
///   protectionAlg  [1] AlgorithmIdentifier{ALGORITHM, {ProtectionAlgorithms}} OPTIONAL,
///   senderKID      [2] KeyIdentifier OPTIONAL,
///   recipKID       [3] KeyIdentifier OPTIONAL,
///   transactionID  [4] OCTET STRING OPTIONAL,
///   senderNonce    [5] OCTET STRING OPTIONAL,
///   recipNonce     [6] OCTET STRING OPTIONAL,
///   freeText       [7] PKIFreeText OPTIONAL,
///   generalInfo    [8] SEQUENCE SIZE (1..MAX) OF InfoTypeAndValue OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 47.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIHeader", verbatim, constructor)]
pub struct PkiHeader<'a> {
    /// `pvno INTEGER { cmp1999(1), cmp2000(2), cmp2021(3) }`.
    pub pvno: Pvno,
    /// `sender GeneralName`.
    pub sender: tagwise_x509::ext::GeneralName<'a>,
    /// `recipient GeneralName`.
    pub recipient: tagwise_x509::ext::GeneralName<'a>,
    /// `messageTime [0] GeneralizedTime OPTIONAL`.
    #[asn1(explicit = 0)]
    pub message_time: Option<GeneralizedTime<'a>>,
    /// `protectionAlg [1] AlgorithmIdentifier{ALGORITHM, {ProtectionAlgorithms}} OPTIONAL`.
    #[asn1(explicit = 1)]
    pub protection_alg: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
    /// `senderKID [2] KeyIdentifier OPTIONAL`.
    #[asn1(explicit = 2, name = "senderKID")]
    pub sender_kid: Option<tagwise_x509::ext::KeyIdentifier<'a>>,
    /// `recipKID [3] KeyIdentifier OPTIONAL`.
    #[asn1(explicit = 3, name = "recipKID")]
    pub recip_kid: Option<tagwise_x509::ext::KeyIdentifier<'a>>,
    /// `transactionID [4] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 4, name = "transactionID")]
    pub transaction_id: Option<OctetStr<'a>>,
    /// `senderNonce [5] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 5)]
    pub sender_nonce: Option<OctetStr<'a>>,
    /// `recipNonce [6] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 6)]
    pub recip_nonce: Option<OctetStr<'a>>,
    /// `freeText [7] PKIFreeText OPTIONAL`.
    #[asn1(explicit = 7)]
    pub free_text: Option<PkiFreeText<'a>>,
    /// `generalInfo [8] SEQUENCE SIZE (1..MAX) OF InfoTypeAndValue OPTIONAL`.
    #[asn1(explicit = 8, size(1..))]
    pub general_info: Option<SeqOf<'a, InfoTypeAndValue<'a>>>,
}

/// ```asn1
/// INTEGER { cmp1999(1), cmp2000(2), cmp2021(3) }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 48.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(cmp1999 = 1, cmp2000 = 2, cmp2021 = 3), convert)]
pub struct Pvno(
    /// The number.
    pub u8,
);

impl Pvno {
    /// `cmp1999` (1).
    pub const CMP1999: Self = Self(1);

    /// `cmp2000` (2).
    pub const CMP2000: Self = Self(2);

    /// `cmp2021` (3).
    pub const CMP2021: Self = Self(3);
}

/// ```asn1
/// PKIFreeText ::= SEQUENCE SIZE (1..MAX) OF UTF8String
/// ```
///
/// `PKIXCMP-2023.asn1`, line 62.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIFreeText", size(1..), convert)]
pub struct PkiFreeText<'a>(
    /// The wrapped value.
    pub SeqOf<'a, Utf8<'a>>,
);

/// ```asn1
/// PKIBody ::= CHOICE {
///   ir        [0] CertReqMessages,
///   ip        [1] CertRepMessage,
///   cr        [2] CertReqMessages,
///   cp        [3] CertRepMessage,
///   p10cr     [4] CertificationRequest,
///   popdecc   [5] POPODecKeyChallContent,
///   popdecr   [6] POPODecKeyRespContent,
///   kur       [7] CertReqMessages,
///   kup       [8] CertRepMessage,
///   krr       [9] CertReqMessages,
///   krp       [10] KeyRecRepContent,
///   rr        [11] RevReqContent,
///   rp        [12] RevRepContent,
///   ccr       [13] CertReqMessages,
///   ccp       [14] CertRepMessage,
///   ckuann    [15] CAKeyUpdContent,
///   cann      [16] CertAnnContent,
///   rann      [17] RevAnnContent,
///   crlann    [18] CRLAnnContent,
///   pkiconf   [19] PKIConfirmContent,
///   nested    [20] NestedMessageContent,
///   genm      [21] GenMsgContent,
///   genp      [22] GenRepContent,
///   error     [23] ErrorMsgContent,
///   certConf  [24] CertConfirmContent,
///   pollReq   [25] PollReqContent,
///   pollRep   [26] PollRepContent
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 64.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIBody", verbatim)]
pub enum PkiBody<'a> {
    /// `ir [0] CertReqMessages`.
    #[asn1(explicit = 0)]
    Ir(CertReqMessages<'a>),
    /// `ip [1] CertRepMessage`.
    #[asn1(explicit = 1)]
    Ip(CertRepMessage<'a>),
    /// `cr [2] CertReqMessages`.
    #[asn1(explicit = 2)]
    Cr(CertReqMessages<'a>),
    /// `cp [3] CertRepMessage`.
    #[asn1(explicit = 3)]
    Cp(CertRepMessage<'a>),
    /// `p10cr [4] CertificationRequest`.
    #[asn1(explicit = 4)]
    P10cr(tagwise_x509::csr::CertificationRequest<'a>),
    /// `popdecc [5] POPODecKeyChallContent`.
    #[asn1(explicit = 5)]
    Popdecc(PopoDecKeyChallContent<'a>),
    /// `popdecr [6] POPODecKeyRespContent`.
    #[asn1(explicit = 6)]
    Popdecr(PopoDecKeyRespContent<'a>),
    /// `kur [7] CertReqMessages`.
    #[asn1(explicit = 7)]
    Kur(CertReqMessages<'a>),
    /// `kup [8] CertRepMessage`.
    #[asn1(explicit = 8)]
    Kup(CertRepMessage<'a>),
    /// `krr [9] CertReqMessages`.
    #[asn1(explicit = 9)]
    Krr(CertReqMessages<'a>),
    /// `krp [10] KeyRecRepContent`.
    #[asn1(explicit = 10)]
    Krp(KeyRecRepContent<'a>),
    /// `rr [11] RevReqContent`.
    #[asn1(explicit = 11)]
    Rr(RevReqContent<'a>),
    /// `rp [12] RevRepContent`.
    #[asn1(explicit = 12)]
    Rp(RevRepContent<'a>),
    /// `ccr [13] CertReqMessages`.
    #[asn1(explicit = 13)]
    Ccr(CertReqMessages<'a>),
    /// `ccp [14] CertRepMessage`.
    #[asn1(explicit = 14)]
    Ccp(CertRepMessage<'a>),
    /// `ckuann [15] CAKeyUpdContent`.
    #[asn1(explicit = 15)]
    Ckuann(CaKeyUpdContent<'a>),
    /// `cann [16] CertAnnContent`.
    #[asn1(explicit = 16)]
    Cann(CertAnnContent<'a>),
    /// `rann [17] RevAnnContent`.
    #[asn1(explicit = 17)]
    Rann(RevAnnContent<'a>),
    /// `crlann [18] CRLAnnContent`.
    #[asn1(explicit = 18)]
    Crlann(CrlAnnContent<'a>),
    /// `pkiconf [19] PKIConfirmContent`.
    #[asn1(explicit = 19)]
    Pkiconf(PkiConfirmContent),
    /// `nested [20] NestedMessageContent`.
    #[asn1(explicit = 20)]
    Nested(NestedMessageContent<'a>),
    /// `genm [21] GenMsgContent`.
    #[asn1(explicit = 21)]
    Genm(GenMsgContent<'a>),
    /// `genp [22] GenRepContent`.
    #[asn1(explicit = 22)]
    Genp(GenRepContent<'a>),
    /// `error [23] ErrorMsgContent`.
    #[asn1(explicit = 23)]
    Error(ErrorMsgContent<'a>),
    /// `certConf [24] CertConfirmContent`.
    #[asn1(explicit = 24)]
    CertConf(CertConfirmContent<'a>),
    /// `pollReq [25] PollReqContent`.
    #[asn1(explicit = 25)]
    PollReq(PollReqContent<'a>),
    /// `pollRep [26] PollRepContent`.
    #[asn1(explicit = 26)]
    PollRep(PollRepContent<'a>),
}

/// ```asn1
/// PKIProtection ::= BIT STRING
/// ```
///
/// `PKIXCMP-2023.asn1`, line 94.
pub type PkiProtection<'a> = BitStr<'a>;

/// ```asn1
/// ProtectedPart ::= SEQUENCE {
///   header  PKIHeader,
///   body    PKIBody
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 96.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ProtectedPart<'a> {
    /// `header PKIHeader`.
    pub header: Captured<'a, PkiHeader<'a>>,
    /// `body PKIBody`.
    pub body: Captured<'a, PkiBody<'a>>,
}

/// ```asn1
/// id-PasswordBasedMac OBJECT IDENTIFIER ::= { iso(1) member-body(2) usa(840) nt(113533) nsn(7) algorithms(66) 13 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 110.
pub const ID_PASSWORD_BASED_MAC: Oid<'static> = tagwise_codec::oid!("1.2.840.113533.7.66.13");

/// ```asn1
/// id-DHBasedMac OBJECT IDENTIFIER ::= { iso(1) member-body(2) usa(840) nt(113533) nsn(7) algorithms(66) 30 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 120.
pub const ID_DH_BASED_MAC: Oid<'static> = tagwise_codec::oid!("1.2.840.113533.7.66.30");

/// ```asn1
/// DHBMParameter ::= SEQUENCE {
///   owf  AlgorithmIdentifier{DIGEST-ALGORITHM, {...}},
///   mac  AlgorithmIdentifier{MAC-ALGORITHM, {...}}
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 122.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "DHBMParameter")]
pub struct DhbmParameter<'a> {
    /// `owf AlgorithmIdentifier{DIGEST-ALGORITHM, {...}}`.
    pub owf: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `mac AlgorithmIdentifier{MAC-ALGORITHM, {...}}`.
    pub mac: tagwise_x509::alg::AlgorithmIdentifier<'a>,
}

/// ```asn1
/// id-KemBasedMac OBJECT IDENTIFIER ::= { iso(1) member-body(2) usa(840) nt(113533) nsn(7) algorithms(66) 16 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 127.
pub const ID_KEM_BASED_MAC: Oid<'static> = tagwise_codec::oid!("1.2.840.113533.7.66.16");

/// ```asn1
/// KemBMParameter ::= SEQUENCE {
///   kdf         AlgorithmIdentifier{KEY-DERIVATION, {...}},
///   kemContext  [0] OCTET STRING OPTIONAL,
///   len         INTEGER (1..MAX),
///   mac         AlgorithmIdentifier{MAC-ALGORITHM, {...}}
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 129.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KemBMParameter", constructor)]
pub struct KemBmParameter<'a> {
    /// `kdf AlgorithmIdentifier{KEY-DERIVATION, {...}}`.
    pub kdf: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `kemContext [0] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 0)]
    pub kem_context: Option<OctetStr<'a>>,
    /// `len INTEGER (1..MAX)`.
    #[asn1(value(1..))]
    pub len: Int<'a>,
    /// `mac AlgorithmIdentifier{MAC-ALGORITHM, {...}}`.
    pub mac: tagwise_x509::alg::AlgorithmIdentifier<'a>,
}

/// Status: RFC 9810 §5.2.3
///
/// ```asn1
/// PKIStatus ::= INTEGER {
///   accepted(0),
///   grantedWithMods(1),
///   rejection(2),
///   waiting(3),
///   revocationWarning(4),
///   revocationNotification(5),
///   keyUpdateWarning(6)
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 138.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "PKIStatus")]
#[asn1(named_numbers(
    accepted = 0,
    granted_with_mods = 1,
    rejection = 2,
    waiting = 3,
    revocation_warning = 4,
    revocation_notification = 5,
    key_update_warning = 6
))]
#[asn1(convert)]
pub struct PkiStatus(
    /// The number.
    pub u8,
);

impl PkiStatus {
    /// `accepted` (0).
    pub const ACCEPTED: Self = Self(0);

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

    /// `keyUpdateWarning` (6).
    pub const KEY_UPDATE_WARNING: Self = Self(6);
}

/// ```asn1
/// PKIFailureInfo ::= BIT STRING {
///   badAlg(0),
///   badMessageCheck(1),
///   badRequest(2),
///   badTime(3),
///   badCertId(4),
///   badDataFormat(5),
///   wrongAuthority(6),
///   incorrectData(7),
///   missingTimeStamp(8),
///   badPOP(9),
///   certRevoked(10),
///   certConfirmed(11),
///   wrongIntegrity(12),
///   badRecipientNonce(13),
///   timeNotAvailable(14),
///   unacceptedPolicy(15),
///   unacceptedExtension(16),
///   addInfoNotAvailable(17),
///   badSenderNonce(18),
///   badCertTemplate(19),
///   signerNotTrusted(20),
///   transactionIdInUse(21),
///   unsupportedVersion(22),
///   notAuthorized(23),
///   systemUnavail(24),
///   systemFailure(25),
///   duplicateCertReq(26)
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 148.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "PKIFailureInfo")]
#[asn1(named_bits(
    bad_alg = 0,
    bad_message_check = 1,
    bad_request = 2,
    bad_time = 3,
    bad_cert_id = 4,
    bad_data_format = 5,
    wrong_authority = 6,
    incorrect_data = 7,
    missing_time_stamp = 8,
    bad_pop("badPOP") = 9,
    cert_revoked = 10,
    cert_confirmed = 11,
    wrong_integrity = 12,
    bad_recipient_nonce = 13,
    time_not_available = 14,
    unaccepted_policy = 15,
    unaccepted_extension = 16,
    add_info_not_available = 17,
    bad_sender_nonce = 18,
    bad_cert_template = 19,
    signer_not_trusted = 20,
    transaction_id_in_use = 21,
    unsupported_version = 22,
    not_authorized = 23,
    system_unavail = 24,
    system_failure = 25,
    duplicate_cert_req = 26
))]
pub struct PkiFailureInfo<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

/// ```asn1
/// PKIStatusInfo ::= SEQUENCE {
///   status        PKIStatus,
///   statusString  PKIFreeText OPTIONAL,
///   failInfo      PKIFailureInfo OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 178.
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
/// OOBCert ::= CMPCertificate
/// ```
///
/// `PKIXCMP-2023.asn1`, line 184.
pub type OobCert<'a> = CmpCertificate<'a>;

/// ```asn1
/// OOBCertHash ::= SEQUENCE {
///   hashAlg  [0] AlgorithmIdentifier{DIGEST-ALGORITHM, {...}} OPTIONAL,
///   certId   [1] CertId OPTIONAL,
///   hashVal  BIT STRING
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 186.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "OOBCertHash", constructor)]
pub struct OobCertHash<'a> {
    /// `hashAlg [0] AlgorithmIdentifier{DIGEST-ALGORITHM, {...}} OPTIONAL`.
    #[asn1(explicit = 0)]
    pub hash_alg: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
    /// `certId [1] CertId OPTIONAL`.
    #[asn1(explicit = 1)]
    pub cert_id: Option<CertId<'a>>,
    /// `hashVal BIT STRING`.
    pub hash_val: BitStr<'a>,
}

/// Proof of possession: RFC 9810 §5.2.8
///
/// ```asn1
/// POPODecKeyChallContent ::= SEQUENCE OF Challenge
/// ```
///
/// `PKIXCMP-2023.asn1`, line 194.
pub type PopoDecKeyChallContent<'a> = SeqOf<'a, Challenge<'a>>;

/// If owf is absent, that of the previous challenge applies. With encryptedRand, challenge is empty and pvno is cmp2021.
///
/// ```asn1
/// Challenge ::= SEQUENCE {
///   owf            AlgorithmIdentifier{DIGEST-ALGORITHM, {...}} OPTIONAL,
///   witness        OCTET STRING,
///   challenge      OCTET STRING,
///   encryptedRand  [0] EnvelopedData OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 197.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Challenge<'a> {
    /// `owf AlgorithmIdentifier{DIGEST-ALGORITHM, {...}} OPTIONAL`.
    pub owf: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
    /// `witness OCTET STRING`.
    pub witness: OctetStr<'a>,
    /// `challenge OCTET STRING`.
    pub challenge: OctetStr<'a>,
    /// `encryptedRand [0] EnvelopedData OPTIONAL`.
    #[asn1(explicit = 0)]
    pub encrypted_rand: Option<EnvelopedData<'a>>,
}

/// The decrypted content of a challenge.
///
/// ```asn1
/// Rand ::= SEQUENCE {
///   int     INTEGER,
///   sender  GeneralName
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 205.
#[derive(Asn1, Clone, Copy, PartialEq)]
pub struct Rand<'a> {
    /// `int INTEGER`.
    #[asn1(secret)]
    pub int: Int<'a>,
    /// `sender GeneralName`.
    pub sender: tagwise_x509::ext::GeneralName<'a>,
}

/// ```asn1
/// POPODecKeyRespContent ::= SEQUENCE OF INTEGER
/// ```
///
/// `PKIXCMP-2023.asn1`, line 210.
pub type PopoDecKeyRespContent<'a> = SeqOf<'a, Int<'a>>;

/// Certificates: RFC 9810 §5.3.4
///
/// ```asn1
/// CertRepMessage ::= SEQUENCE {
///   caPubs    [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL,
///   response  SEQUENCE OF CertResponse
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 214.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct CertRepMessage<'a> {
    /// `caPubs [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL`.
    #[asn1(explicit = 1, size(1..))]
    pub ca_pubs: Option<SeqOf<'a, CmpCertificate<'a>>>,
    /// `response SEQUENCE OF CertResponse`.
    pub response: SeqOf<'a, CertResponse<'a>>,
}

/// certReqId is that of the request, or -1 for a p10cr.
///
/// ```asn1
/// CertResponse ::= SEQUENCE {
///   certReqId         INTEGER,
///   status            PKIStatusInfo,
///   certifiedKeyPair  CertifiedKeyPair OPTIONAL,
///   rspInfo           OCTET STRING OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 220.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct CertResponse<'a> {
    /// `certReqId INTEGER`.
    pub cert_req_id: Int<'a>,
    /// `status PKIStatusInfo`.
    pub status: PkiStatusInfo<'a>,
    /// `certifiedKeyPair CertifiedKeyPair OPTIONAL`.
    pub certified_key_pair: Option<CertifiedKeyPair<'a>>,
    /// `rspInfo OCTET STRING OPTIONAL`.
    pub rsp_info: Option<OctetStr<'a>>,
}

/// ```asn1
/// CertifiedKeyPair ::= SEQUENCE {
///   certOrEncCert    CertOrEncCert,
///   privateKey       [0] EncryptedKey OPTIONAL,
///   publicationInfo  [1] PKIPublicationInfo OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 227.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct CertifiedKeyPair<'a> {
    /// `certOrEncCert CertOrEncCert`.
    pub cert_or_enc_cert: CertOrEncCert<'a>,
    /// `privateKey [0] EncryptedKey OPTIONAL`.
    #[asn1(explicit = 0)]
    pub private_key: Option<EncryptedKey<'a>>,
    /// `publicationInfo [1] PKIPublicationInfo OPTIONAL`.
    #[asn1(explicit = 1)]
    pub publication_info: Option<PkiPublicationInfo<'a>>,
}

/// ```asn1
/// CertOrEncCert ::= CHOICE {
///   certificate    [0] CMPCertificate,
///   encryptedCert  [1] EncryptedKey
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 233.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum CertOrEncCert<'a> {
    /// `certificate [0] CMPCertificate`.
    #[asn1(explicit = 0)]
    Certificate(CmpCertificate<'a>),
    /// `encryptedCert [1] EncryptedKey`.
    #[asn1(explicit = 1)]
    EncryptedCert(EncryptedKey<'a>),
}

/// ```asn1
/// KeyRecRepContent ::= SEQUENCE {
///   status       PKIStatusInfo,
///   newSigCert   [0] CMPCertificate OPTIONAL,
///   caCerts      [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL,
///   keyPairHist  [2] SEQUENCE SIZE (1..MAX) OF CertifiedKeyPair OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 238.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KeyRecRepContent<'a> {
    /// `status PKIStatusInfo`.
    pub status: PkiStatusInfo<'a>,
    /// `newSigCert [0] CMPCertificate OPTIONAL`.
    #[asn1(explicit = 0)]
    pub new_sig_cert: Option<CmpCertificate<'a>>,
    /// `caCerts [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL`.
    #[asn1(explicit = 1, size(1..))]
    pub ca_certs: Option<SeqOf<'a, CmpCertificate<'a>>>,
    /// `keyPairHist [2] SEQUENCE SIZE (1..MAX) OF CertifiedKeyPair OPTIONAL`.
    #[asn1(explicit = 2, size(1..))]
    pub key_pair_hist: Option<SeqOf<'a, CertifiedKeyPair<'a>>>,
}

/// Revocation: RFC 9810 §5.3.9, §5.3.10
///
/// ```asn1
/// RevReqContent ::= SEQUENCE OF RevDetails
/// ```
///
/// `PKIXCMP-2023.asn1`, line 247.
pub type RevReqContent<'a> = SeqOf<'a, RevDetails<'a>>;

/// ```asn1
/// RevDetails ::= SEQUENCE {
///   certDetails      CertTemplate,
///   crlEntryDetails  Extensions{{CrlEntryExtensions}} OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 249.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct RevDetails<'a> {
    /// `certDetails CertTemplate`.
    pub cert_details: CertTemplate<'a>,
    /// `crlEntryDetails Extensions{{CrlEntryExtensions}} OPTIONAL`.
    pub crl_entry_details: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// The reply to a revocation request. The entries are in the order of the request.
///
/// ```asn1
/// RevRepContent ::= SEQUENCE {
///   status    SEQUENCE SIZE (1..MAX) OF PKIStatusInfo,
///   revCerts  [0] SEQUENCE SIZE (1..MAX) OF CertId OPTIONAL,
///   crls      [1] SEQUENCE SIZE (1..MAX) OF CertificateList OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 255.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct RevRepContent<'a> {
    /// `status SEQUENCE SIZE (1..MAX) OF PKIStatusInfo`.
    #[asn1(size(1..))]
    pub status: SeqOf<'a, PkiStatusInfo<'a>>,
    /// `revCerts [0] SEQUENCE SIZE (1..MAX) OF CertId OPTIONAL`.
    #[asn1(explicit = 0, size(1..))]
    pub rev_certs: Option<SeqOf<'a, CertId<'a>>>,
    /// `crls [1] SEQUENCE SIZE (1..MAX) OF CertificateList OPTIONAL`.
    #[asn1(explicit = 1, size(1..))]
    pub crls: Option<SeqOf<'a, tagwise_x509::crl::CertificateList<'a>>>,
}

/// Announcements: RFC 9810 §5.3.13 to §5.3.16
///
/// ```asn1
/// CAKeyUpdAnnContent ::= SEQUENCE {
///   oldWithNew  CMPCertificate,
///   newWithOld  CMPCertificate,
///   newWithNew  CMPCertificate
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 263.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CAKeyUpdAnnContent")]
pub struct CaKeyUpdAnnContent<'a> {
    /// `oldWithNew CMPCertificate`.
    pub old_with_new: CmpCertificate<'a>,
    /// `newWithOld CMPCertificate`.
    pub new_with_old: CmpCertificate<'a>,
    /// `newWithNew CMPCertificate`.
    pub new_with_new: CmpCertificate<'a>,
}

/// ```asn1
/// CAKeyUpdContent ::= CHOICE {
///   cAKeyUpdAnnV2  CAKeyUpdAnnContent,
///   cAKeyUpdAnnV3  [0] RootCaKeyUpdateContent
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 269.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CAKeyUpdContent")]
pub enum CaKeyUpdContent<'a> {
    /// `cAKeyUpdAnnV2 CAKeyUpdAnnContent`.
    #[asn1(name = "cAKeyUpdAnnV2")]
    CaKeyUpdAnnV2(CaKeyUpdAnnContent<'a>),
    /// `cAKeyUpdAnnV3 [0] RootCaKeyUpdateContent`.
    #[asn1(explicit = 0, name = "cAKeyUpdAnnV3")]
    CaKeyUpdAnnV3(RootCaKeyUpdateContent<'a>),
}

/// ```asn1
/// CertAnnContent ::= CMPCertificate
/// ```
///
/// `PKIXCMP-2023.asn1`, line 274.
pub type CertAnnContent<'a> = CmpCertificate<'a>;

/// ```asn1
/// RevAnnContent ::= SEQUENCE {
///   status           PKIStatus,
///   certId           CertId,
///   willBeRevokedAt  GeneralizedTime,
///   badSinceDate     GeneralizedTime,
///   crlDetails       Extensions{{CrlEntryExtensions}} OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 276.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct RevAnnContent<'a> {
    /// `status PKIStatus`.
    pub status: PkiStatus,
    /// `certId CertId`.
    pub cert_id: CertId<'a>,
    /// `willBeRevokedAt GeneralizedTime`.
    pub will_be_revoked_at: GeneralizedTime<'a>,
    /// `badSinceDate GeneralizedTime`.
    pub bad_since_date: GeneralizedTime<'a>,
    /// `crlDetails Extensions{{CrlEntryExtensions}} OPTIONAL`.
    pub crl_details: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// ```asn1
/// CRLAnnContent ::= SEQUENCE OF CertificateList
/// ```
///
/// `PKIXCMP-2023.asn1`, line 284.
pub type CrlAnnContent<'a> = SeqOf<'a, tagwise_x509::crl::CertificateList<'a>>;

/// ```asn1
/// PKIConfirmContent ::= NULL
/// ```
///
/// `PKIXCMP-2023.asn1`, line 286.
pub type PkiConfirmContent = Null;

/// Recursive: a depth limit applies.
///
/// ```asn1
/// NestedMessageContent ::= PKIMessages
/// ```
///
/// `PKIXCMP-2023.asn1`, line 289.
pub type NestedMessageContent<'a> = PkiMessages<'a>;

/// A type and a value. In requests, the value is often absent.
///
/// ```asn1
/// InfoTypeAndValue ::= SEQUENCE {
///   infoType   INFO-TYPE-AND-VALUE.&id({SupportedInfoSet}),
///   infoValue  INFO-TYPE-AND-VALUE.&Type({SupportedInfoSet}{@infoType}) OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 296.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct InfoTypeAndValue<'a> {
    /// `infoType INFO-TYPE-AND-VALUE.&id({SupportedInfoSet})`.
    pub info_type: Oid<'a>,
    /// `infoValue INFO-TYPE-AND-VALUE.&Type({SupportedInfoSet}{@infoType}) OPTIONAL`.
    #[asn1(defined_by = info_type)]
    pub info_value: Option<Open<'a, InfoValue<'a>>>,
}

/// ```asn1
/// SupportedInfoSet INFO-TYPE-AND-VALUE ::= {
///   ...,
///   it-caProtEncCert | it-signKeyPairTypes | it-encKeyPairTypes | it-preferredSymmAlg | it-caKeyUpdateInfo |
///   it-currentCRL | it-unsupportedOIDs | it-keyPairParamReq | it-keyPairParamRep | it-revPassphrase |
///   it-implicitConfirm | it-confirmWaitTime | it-origPKIMessage | it-suppLangTags | it-caCerts | it-rootCaKeyUpdate |
///   it-certReqTemplate | it-rootCaCert | it-certProfile | it-crlStatusList | it-crls | it-KemCiphertextInfo
/// }
/// ```
///
/// The types that `SupportedInfoSet` selects: `PKIXCMP-2023.asn1`, line 301.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SupportedInfoSet", open_type)]
pub enum InfoValue<'a> {
    /// `it-caProtEncCert`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.1", name = "it-caProtEncCert")]
    CaProtEncCert(CaProtEncCertValue<'a>),
    /// `it-signKeyPairTypes`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.2", name = "it-signKeyPairTypes")]
    SignKeyPairTypes(SignKeyPairTypesValue<'a>),
    /// `it-encKeyPairTypes`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.3", name = "it-encKeyPairTypes")]
    EncKeyPairTypes(EncKeyPairTypesValue<'a>),
    /// `it-preferredSymmAlg`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.4", name = "it-preferredSymmAlg")]
    PreferredSymmAlg(PreferredSymmAlgValue<'a>),
    /// `it-caKeyUpdateInfo`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.5", name = "it-caKeyUpdateInfo")]
    CaKeyUpdateInfo(CaKeyUpdateInfoValue<'a>),
    /// `it-currentCRL`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.6", name = "it-currentCRL")]
    CurrentCrl(CurrentCrlValue<'a>),
    /// `it-unsupportedOIDs`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.7", name = "it-unsupportedOIDs")]
    UnsupportedOids(UnsupportedOidsValue<'a>),
    /// `it-keyPairParamReq`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.10", name = "it-keyPairParamReq")]
    KeyPairParamReq(KeyPairParamReqValue<'a>),
    /// `it-keyPairParamRep`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.11", name = "it-keyPairParamRep")]
    KeyPairParamRep(KeyPairParamRepValue<'a>),
    /// `it-revPassphrase`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.12", name = "it-revPassphrase")]
    RevPassphrase(RevPassphraseValue<'a>),
    /// `it-implicitConfirm`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.13", name = "it-implicitConfirm")]
    ImplicitConfirm(ImplicitConfirmValue),
    /// `it-confirmWaitTime`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.14", name = "it-confirmWaitTime")]
    ConfirmWaitTime(ConfirmWaitTimeValue<'a>),
    /// `it-origPKIMessage`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.15", name = "it-origPKIMessage")]
    OrigPkiMessage(OrigPkiMessageValue<'a>),
    /// `it-suppLangTags`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.16", name = "it-suppLangTags")]
    SuppLangTags(SuppLangTagsValue<'a>),
    /// `it-caCerts`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.17", name = "it-caCerts")]
    CaCerts(CaCertsValue<'a>),
    /// `it-rootCaKeyUpdate`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.18", name = "it-rootCaKeyUpdate")]
    RootCaKeyUpdate(RootCaKeyUpdateValue<'a>),
    /// `it-certReqTemplate`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.19", name = "it-certReqTemplate")]
    CertReqTemplate(CertReqTemplateValue<'a>),
    /// `it-rootCaCert`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.20", name = "it-rootCaCert")]
    RootCaCert(RootCaCertValue<'a>),
    /// `it-certProfile`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.21", name = "it-certProfile")]
    CertProfile(CertProfileValue<'a>),
    /// `it-crlStatusList`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.22", name = "it-crlStatusList")]
    CrlStatusList(CrlStatusListValue<'a>),
    /// `it-crls`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.23", name = "it-crls")]
    Crls(CrlsValue<'a>),
    /// `it-KemCiphertextInfo`.
    #[asn1(oid = "1.3.6.1.5.5.7.4.24", name = "it-KemCiphertextInfo")]
    KemCiphertextInfo(KemCiphertextInfoValue<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// id-it OBJECT IDENTIFIER ::= { id-pkix 4 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 309.
pub const ID_IT: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4");

/// ```asn1
/// id-it-caProtEncCert      OBJECT IDENTIFIER ::= { id-it 1 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 311.
pub const ID_IT_CA_PROT_ENC_CERT: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.1");

/// ```asn1
/// id-it-signKeyPairTypes   OBJECT IDENTIFIER ::= { id-it 2 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 312.
pub const ID_IT_SIGN_KEY_PAIR_TYPES: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.2");

/// ```asn1
/// id-it-encKeyPairTypes    OBJECT IDENTIFIER ::= { id-it 3 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 313.
pub const ID_IT_ENC_KEY_PAIR_TYPES: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.3");

/// ```asn1
/// id-it-preferredSymmAlg   OBJECT IDENTIFIER ::= { id-it 4 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 314.
pub const ID_IT_PREFERRED_SYMM_ALG: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.4");

/// ```asn1
/// id-it-caKeyUpdateInfo    OBJECT IDENTIFIER ::= { id-it 5 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 315.
pub const ID_IT_CA_KEY_UPDATE_INFO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.5");

/// ```asn1
/// id-it-currentCRL         OBJECT IDENTIFIER ::= { id-it 6 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 316.
pub const ID_IT_CURRENT_CRL: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.6");

/// ```asn1
/// id-it-unsupportedOIDs    OBJECT IDENTIFIER ::= { id-it 7 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 317.
pub const ID_IT_UNSUPPORTED_OIDS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.7");

/// ```asn1
/// id-it-keyPairParamReq    OBJECT IDENTIFIER ::= { id-it 10 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 318.
pub const ID_IT_KEY_PAIR_PARAM_REQ: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.10");

/// ```asn1
/// id-it-keyPairParamRep    OBJECT IDENTIFIER ::= { id-it 11 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 319.
pub const ID_IT_KEY_PAIR_PARAM_REP: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.11");

/// ```asn1
/// id-it-revPassphrase      OBJECT IDENTIFIER ::= { id-it 12 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 320.
pub const ID_IT_REV_PASSPHRASE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.12");

/// ```asn1
/// id-it-implicitConfirm    OBJECT IDENTIFIER ::= { id-it 13 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 321.
pub const ID_IT_IMPLICIT_CONFIRM: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.13");

/// ```asn1
/// id-it-confirmWaitTime    OBJECT IDENTIFIER ::= { id-it 14 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 322.
pub const ID_IT_CONFIRM_WAIT_TIME: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.14");

/// ```asn1
/// id-it-origPKIMessage     OBJECT IDENTIFIER ::= { id-it 15 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 323.
pub const ID_IT_ORIG_PKI_MESSAGE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.15");

/// ```asn1
/// id-it-suppLangTags       OBJECT IDENTIFIER ::= { id-it 16 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 324.
pub const ID_IT_SUPP_LANG_TAGS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.16");

/// ```asn1
/// id-it-caCerts            OBJECT IDENTIFIER ::= { id-it 17 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 325.
pub const ID_IT_CA_CERTS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.17");

/// ```asn1
/// id-it-rootCaKeyUpdate    OBJECT IDENTIFIER ::= { id-it 18 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 326.
pub const ID_IT_ROOT_CA_KEY_UPDATE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.18");

/// ```asn1
/// id-it-certReqTemplate    OBJECT IDENTIFIER ::= { id-it 19 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 327.
pub const ID_IT_CERT_REQ_TEMPLATE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.19");

/// ```asn1
/// id-it-rootCaCert         OBJECT IDENTIFIER ::= { id-it 20 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 328.
pub const ID_IT_ROOT_CA_CERT: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.20");

/// ```asn1
/// id-it-certProfile        OBJECT IDENTIFIER ::= { id-it 21 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 329.
pub const ID_IT_CERT_PROFILE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.21");

/// ```asn1
/// id-it-crlStatusList      OBJECT IDENTIFIER ::= { id-it 22 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 330.
pub const ID_IT_CRL_STATUS_LIST: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.22");

/// ```asn1
/// id-it-crls               OBJECT IDENTIFIER ::= { id-it 23 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 331.
pub const ID_IT_CRLS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.23");

/// ```asn1
/// id-it-KemCiphertextInfo  OBJECT IDENTIFIER ::= { id-it 24 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 332.
pub const ID_IT_KEM_CIPHERTEXT_INFO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.4.24");

/// ```asn1
/// CAProtEncCertValue ::= CMPCertificate
/// ```
///
/// `PKIXCMP-2023.asn1`, line 357.
pub type CaProtEncCertValue<'a> = CmpCertificate<'a>;

/// ```asn1
/// SignKeyPairTypesValue ::= SEQUENCE SIZE (1..MAX) OF AlgorithmIdentifier{PUBLIC-KEY, {...}}
/// ```
///
/// `PKIXCMP-2023.asn1`, line 359.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct SignKeyPairTypesValue<'a>(
    /// The wrapped value.
    pub SeqOf<'a, tagwise_x509::alg::AlgorithmIdentifier<'a>>,
);

/// ```asn1
/// EncKeyPairTypesValue ::= SEQUENCE SIZE (1..MAX) OF AlgorithmIdentifier{PUBLIC-KEY, {...}}
/// ```
///
/// `PKIXCMP-2023.asn1`, line 361.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct EncKeyPairTypesValue<'a>(
    /// The wrapped value.
    pub SeqOf<'a, tagwise_x509::alg::AlgorithmIdentifier<'a>>,
);

/// ```asn1
/// PreferredSymmAlgValue ::= AlgorithmIdentifier{ALGORITHM, {...}}
/// ```
///
/// `PKIXCMP-2023.asn1`, line 363.
pub type PreferredSymmAlgValue<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// CAKeyUpdateInfoValue ::= CAKeyUpdAnnContent
/// ```
///
/// `PKIXCMP-2023.asn1`, line 365.
pub type CaKeyUpdateInfoValue<'a> = CaKeyUpdAnnContent<'a>;

/// ```asn1
/// CurrentCRLValue ::= CertificateList
/// ```
///
/// `PKIXCMP-2023.asn1`, line 367.
pub type CurrentCrlValue<'a> = tagwise_x509::crl::CertificateList<'a>;

/// ```asn1
/// UnsupportedOIDsValue ::= SEQUENCE SIZE (1..MAX) OF OBJECT IDENTIFIER
/// ```
///
/// `PKIXCMP-2023.asn1`, line 369.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "UnsupportedOIDsValue", size(1..), convert)]
pub struct UnsupportedOidsValue<'a>(
    /// The wrapped value.
    pub SeqOf<'a, Oid<'a>>,
);

/// ```asn1
/// KeyPairParamReqValue ::= OBJECT IDENTIFIER
/// ```
///
/// `PKIXCMP-2023.asn1`, line 371.
pub type KeyPairParamReqValue<'a> = Oid<'a>;

/// ```asn1
/// KeyPairParamRepValue ::= AlgorithmIdentifier{ALGORITHM, {...}}
/// ```
///
/// `PKIXCMP-2023.asn1`, line 373.
pub type KeyPairParamRepValue<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// RevPassphraseValue ::= EncryptedKey
/// ```
///
/// `PKIXCMP-2023.asn1`, line 375.
pub type RevPassphraseValue<'a> = EncryptedKey<'a>;

/// ```asn1
/// ImplicitConfirmValue ::= NULL
/// ```
///
/// `PKIXCMP-2023.asn1`, line 377.
pub type ImplicitConfirmValue = Null;

/// ```asn1
/// ConfirmWaitTimeValue ::= GeneralizedTime
/// ```
///
/// `PKIXCMP-2023.asn1`, line 379.
pub type ConfirmWaitTimeValue<'a> = GeneralizedTime<'a>;

/// ```asn1
/// OrigPKIMessageValue ::= PKIMessages
/// ```
///
/// `PKIXCMP-2023.asn1`, line 381.
pub type OrigPkiMessageValue<'a> = PkiMessages<'a>;

/// RFC 5646 language tags, in order of preference.
///
/// ```asn1
/// SuppLangTagsValue ::= SEQUENCE OF UTF8String
/// ```
///
/// `PKIXCMP-2023.asn1`, line 384.
pub type SuppLangTagsValue<'a> = SeqOf<'a, Utf8<'a>>;

/// ```asn1
/// CaCertsValue ::= SEQUENCE SIZE (1..MAX) OF CMPCertificate
/// ```
///
/// `PKIXCMP-2023.asn1`, line 386.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct CaCertsValue<'a>(
    /// The wrapped value.
    pub SeqOf<'a, CmpCertificate<'a>>,
);

/// ```asn1
/// RootCaKeyUpdateValue ::= RootCaKeyUpdateContent
/// ```
///
/// `PKIXCMP-2023.asn1`, line 388.
pub type RootCaKeyUpdateValue<'a> = RootCaKeyUpdateContent<'a>;

/// ```asn1
/// CertReqTemplateValue ::= CertReqTemplateContent
/// ```
///
/// `PKIXCMP-2023.asn1`, line 390.
pub type CertReqTemplateValue<'a> = CertReqTemplateContent<'a>;

/// ```asn1
/// RootCaCertValue ::= CMPCertificate
/// ```
///
/// `PKIXCMP-2023.asn1`, line 392.
pub type RootCaCertValue<'a> = CmpCertificate<'a>;

/// ```asn1
/// CertProfileValue ::= SEQUENCE SIZE (1..MAX) OF UTF8String
/// ```
///
/// `PKIXCMP-2023.asn1`, line 394.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct CertProfileValue<'a>(
    /// The wrapped value.
    pub SeqOf<'a, Utf8<'a>>,
);

/// ```asn1
/// CRLStatusListValue ::= SEQUENCE SIZE (1..MAX) OF CRLStatus
/// ```
///
/// `PKIXCMP-2023.asn1`, line 396.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRLStatusListValue", size(1..), convert)]
pub struct CrlStatusListValue<'a>(
    /// The wrapped value.
    pub SeqOf<'a, CrlStatus<'a>>,
);

/// ```asn1
/// CRLsValue ::= SEQUENCE SIZE (1..MAX) OF CertificateList
/// ```
///
/// `PKIXCMP-2023.asn1`, line 398.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRLsValue", size(1..), convert)]
pub struct CrlsValue<'a>(
    /// The wrapped value.
    pub SeqOf<'a, tagwise_x509::crl::CertificateList<'a>>,
);

/// ```asn1
/// KemCiphertextInfoValue ::= KemCiphertextInfo
/// ```
///
/// `PKIXCMP-2023.asn1`, line 400.
pub type KemCiphertextInfoValue<'a> = KemCiphertextInfo<'a>;

/// ```asn1
/// RootCaKeyUpdateContent ::= SEQUENCE {
///   newWithNew  CMPCertificate,
///   newWithOld  [0] CMPCertificate OPTIONAL,
///   oldWithNew  [1] CMPCertificate OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 402.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct RootCaKeyUpdateContent<'a> {
    /// `newWithNew CMPCertificate`.
    pub new_with_new: CmpCertificate<'a>,
    /// `newWithOld [0] CMPCertificate OPTIONAL`.
    #[asn1(explicit = 0)]
    pub new_with_old: Option<CmpCertificate<'a>>,
    /// `oldWithNew [1] CMPCertificate OPTIONAL`.
    #[asn1(explicit = 1)]
    pub old_with_new: Option<CmpCertificate<'a>>,
}

/// ```asn1
/// CertReqTemplateContent ::= SEQUENCE {
///   certTemplate  CertTemplate,
///   keySpec       Controls OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 408.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct CertReqTemplateContent<'a> {
    /// `certTemplate CertTemplate`.
    pub cert_template: CertTemplate<'a>,
    /// `keySpec Controls OPTIONAL`.
    pub key_spec: Option<Controls<'a>>,
}

/// ```asn1
/// CRLSource ::= CHOICE {
///   dpn     [0] DistributionPointName,
///   issuer  [1] GeneralNames
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 413.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRLSource")]
pub enum CrlSource<'a> {
    /// `dpn [0] DistributionPointName`.
    #[asn1(explicit = 0)]
    Dpn(tagwise_x509::ext::DistributionPointName<'a>),
    /// `issuer [1] GeneralNames`.
    #[asn1(explicit = 1)]
    Issuer(tagwise_x509::ext::GeneralNames<'a>),
}

/// ```asn1
/// CRLStatus ::= SEQUENCE {
///   source      CRLSource,
///   thisUpdate  Time OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 418.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRLStatus", constructor)]
pub struct CrlStatus<'a> {
    /// `source CRLSource`.
    pub source: CrlSource<'a>,
    /// `thisUpdate Time OPTIONAL`.
    pub this_update: Option<tagwise_x509::time::Time<'a>>,
}

/// ```asn1
/// KemCiphertextInfo ::= SEQUENCE {
///   kem  AlgorithmIdentifier{KEM-ALGORITHM, {...}},
///   ct   OCTET STRING
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 423.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct KemCiphertextInfo<'a> {
    /// `kem AlgorithmIdentifier{KEM-ALGORITHM, {...}}`.
    pub kem: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `ct OCTET STRING`.
    pub ct: OctetStr<'a>,
}

/// The input of the key derivation, which is never sent. staticString is always CMP-KEM.
///
/// ```asn1
/// KemOtherInfo ::= SEQUENCE {
///   staticString   PKIFreeText,
///   transactionID  OCTET STRING,
///   kemContext     [0] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 429.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KemOtherInfo<'a> {
    /// `staticString PKIFreeText`.
    pub static_string: PkiFreeText<'a>,
    /// `transactionID OCTET STRING`.
    #[asn1(name = "transactionID")]
    pub transaction_id: OctetStr<'a>,
    /// `kemContext [0] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 0)]
    pub kem_context: Option<OctetStr<'a>>,
}

/// ```asn1
/// GenMsgContent ::= SEQUENCE OF InfoTypeAndValue
/// ```
///
/// `PKIXCMP-2023.asn1`, line 435.
pub type GenMsgContent<'a> = SeqOf<'a, InfoTypeAndValue<'a>>;

/// ```asn1
/// GenRepContent ::= SEQUENCE OF InfoTypeAndValue
/// ```
///
/// `PKIXCMP-2023.asn1`, line 437.
pub type GenRepContent<'a> = SeqOf<'a, InfoTypeAndValue<'a>>;

/// ```asn1
/// ErrorMsgContent ::= SEQUENCE {
///   pKIStatusInfo  PKIStatusInfo,
///   errorCode      INTEGER OPTIONAL,
///   errorDetails   PKIFreeText OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 439.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct ErrorMsgContent<'a> {
    /// `pKIStatusInfo PKIStatusInfo`.
    #[asn1(name = "pKIStatusInfo")]
    pub pki_status_info: PkiStatusInfo<'a>,
    /// `errorCode INTEGER OPTIONAL`.
    pub error_code: Option<Int<'a>>,
    /// `errorDetails PKIFreeText OPTIONAL`.
    pub error_details: Option<PkiFreeText<'a>>,
}

/// Confirmation and polling: RFC 9810 §5.3.18, §5.3.22
///
/// ```asn1
/// CertConfirmContent ::= SEQUENCE OF CertStatus
/// ```
///
/// `PKIXCMP-2023.asn1`, line 447.
pub type CertConfirmContent<'a> = SeqOf<'a, CertStatus<'a>>;

/// If hashAlg is absent, the certificate's signature algorithm determines the hash.
///
/// ```asn1
/// CertStatus ::= SEQUENCE {
///   certHash    OCTET STRING,
///   certReqId   INTEGER,
///   statusInfo  PKIStatusInfo OPTIONAL,
///   hashAlg     [0] AlgorithmIdentifier{DIGEST-ALGORITHM, {...}} OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 450.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct CertStatus<'a> {
    /// `certHash OCTET STRING`.
    pub cert_hash: OctetStr<'a>,
    /// `certReqId INTEGER`.
    pub cert_req_id: Int<'a>,
    /// `statusInfo PKIStatusInfo OPTIONAL`.
    pub status_info: Option<PkiStatusInfo<'a>>,
    /// `hashAlg [0] AlgorithmIdentifier{DIGEST-ALGORITHM, {...}} OPTIONAL`.
    #[asn1(explicit = 0)]
    pub hash_alg: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
}

/// ```asn1
/// PollReqContent ::= SEQUENCE OF SEQUENCE {
///   certReqId  INTEGER
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 457.
pub type PollReqContent<'a> = SeqOf<'a, PollReqContentItem<'a>>;

/// ```asn1
/// SEQUENCE {
///   certReqId  INTEGER
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 457.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PollReqContentItem<'a> {
    /// `certReqId INTEGER`.
    pub cert_req_id: Int<'a>,
}

/// checkAfter is in seconds.
///
/// ```asn1
/// PollRepContent ::= SEQUENCE OF SEQUENCE {
///   certReqId   INTEGER,
///   checkAfter  INTEGER,
///   reason      PKIFreeText OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 462.
pub type PollRepContent<'a> = SeqOf<'a, PollRepContentItem<'a>>;

/// ```asn1
/// SEQUENCE {
///   certReqId   INTEGER,
///   checkAfter  INTEGER,
///   reason      PKIFreeText OPTIONAL
/// }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 462.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct PollRepContentItem<'a> {
    /// `certReqId INTEGER`.
    pub cert_req_id: Int<'a>,
    /// `checkAfter INTEGER`.
    pub check_after: Int<'a>,
    /// `reason PKIFreeText OPTIONAL`.
    pub reason: Option<PkiFreeText<'a>>,
}

/// ```asn1
/// id-regCtrl-altCertTemplate  OBJECT IDENTIFIER ::= { id-regCtrl 7 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 470.
pub const ID_REG_CTRL_ALT_CERT_TEMPLATE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.7");

/// ```asn1
/// id-regCtrl-algId            OBJECT IDENTIFIER ::= { id-regCtrl 11 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 471.
pub const ID_REG_CTRL_ALG_ID: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.11");

/// ```asn1
/// id-regCtrl-rsaKeyLen        OBJECT IDENTIFIER ::= { id-regCtrl 12 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 472.
pub const ID_REG_CTRL_RSA_KEY_LEN: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.12");

/// ```asn1
/// AltCertTemplate ::= SingleAttribute{{AltCertTemplateSet}}
/// ```
///
/// `PKIXCMP-2023.asn1`, line 478.
pub type AltCertTemplate<'a> = tagwise_x509::name::AttributeTypeAndValue<'a>;

/// ```asn1
/// AlgIdCtrl ::= AlgorithmIdentifier{PUBLIC-KEY, {...}}
/// ```
///
/// `PKIXCMP-2023.asn1`, line 482.
pub type AlgIdCtrl<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// RsaKeyLenCtrl ::= INTEGER (1..MAX)
/// ```
///
/// `PKIXCMP-2023.asn1`, line 484.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(1..), convert)]
pub struct RsaKeyLenCtrl<'a>(
    /// The wrapped value.
    pub Int<'a>,
);

/// ```asn1
/// id-kp-cmcCA  OBJECT IDENTIFIER ::= { id-kp 27 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 488.
pub const ID_KP_CMC_CA: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.27");

/// ```asn1
/// id-kp-cmcRA  OBJECT IDENTIFIER ::= { id-kp 28 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 489.
pub const ID_KP_CMC_RA: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.28");

/// ```asn1
/// id-kp-cmKGA  OBJECT IDENTIFIER ::= { id-kp 32 }
/// ```
///
/// `PKIXCMP-2023.asn1`, line 490.
pub const ID_KP_CM_KGA: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.32");
