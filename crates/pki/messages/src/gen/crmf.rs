//! ASN.1 module `PKIXCRMF-2009`, from `PKIXCRMF-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The Certificate Request Message Format.
//! RFC 4211, in the form of RFC 5912 §10.
#![allow(clippy::large_enum_variant)]

use super::attributes::{RegControl, RegInfo};
use super::cmp::{AlgIdCtrl, AltCertTemplate, RsaKeyLenCtrl};
use super::cms::EnvelopedData;
use tagwise_codec::{BitStr, Captured, Int, OctetStr, Oid, SeqOf, SetOf, Unknown, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// id-pkip   OBJECT IDENTIFIER ::= { id-pkix 5 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 28.
pub const ID_PKIP: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5");

/// ```asn1
/// id-smime  OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) 16 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 29.
pub const ID_SMIME: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16");

/// ```asn1
/// id-ct     OBJECT IDENTIFIER ::= { id-smime 1 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 30.
pub const ID_CT: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1");

/// Requests: RFC 4211 §3, §5
///
/// ```asn1
/// CertReqMessages ::= SEQUENCE SIZE (1..MAX) OF CertReqMsg
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 34.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct CertReqMessages<'a>(
    /// The wrapped value.
    pub SeqOf<'a, CertReqMsg<'a>>,
);

/// A certificate request. The proof of possession covers certReq, but not regInfo.
///
/// ```asn1
/// CertReqMsg ::= SEQUENCE {
///   certReq  CertRequest,
///   popo     ProofOfPossession OPTIONAL,
///   regInfo  SEQUENCE SIZE (1..MAX) OF SingleAttribute{{RegInfoSet}} OPTIONAL
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 37.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct CertReqMsg<'a> {
    /// `certReq CertRequest`.
    pub cert_req: Captured<'a, CertRequest<'a>>,
    /// `popo ProofOfPossession OPTIONAL`.
    pub popo: Option<ProofOfPossession<'a>>,
    /// `regInfo SEQUENCE SIZE (1..MAX) OF SingleAttribute{{RegInfoSet}} OPTIONAL`.
    #[asn1(size(1..))]
    pub reg_info: Option<SeqOf<'a, RegInfo<'a>>>,
}

/// ```asn1
/// CertRequest ::= SEQUENCE {
///   certReqId     INTEGER,
///   certTemplate  CertTemplate,
///   controls      Controls OPTIONAL
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 43.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(verbatim, constructor)]
pub struct CertRequest<'a> {
    /// `certReqId INTEGER`.
    pub cert_req_id: Int<'a>,
    /// `certTemplate CertTemplate`.
    pub cert_template: CertTemplate<'a>,
    /// `controls Controls OPTIONAL`.
    pub controls: Option<Controls<'a>>,
}

/// The requested contents of a certificate. Name is a CHOICE, so the tags of issuer and subject are EXPLICIT.
///
/// ```asn1
/// CertTemplate ::= SEQUENCE {
///   version       [0] Version OPTIONAL,
///   serialNumber  [1] INTEGER OPTIONAL,
///   signingAlg    [2] AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}} OPTIONAL,
///   issuer        [3] Name OPTIONAL,
///   validity      [4] OptionalValidity OPTIONAL,
///   subject       [5] Name OPTIONAL,
///   publicKey     [6] SubjectPublicKeyInfo OPTIONAL,
///   issuerUID     [7] UniqueIdentifier OPTIONAL,
///   subjectUID    [8] UniqueIdentifier OPTIONAL,
///   extensions    [9] Extensions{{CertExtensions}} OPTIONAL
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 50.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct CertTemplate<'a> {
    /// `version [0] Version OPTIONAL`.
    #[asn1(implicit = 0)]
    pub version: Option<tagwise_x509::cert::Version>,
    /// `serialNumber [1] INTEGER OPTIONAL`.
    #[asn1(implicit = 1)]
    pub serial_number: Option<Int<'a>>,
    /// `signingAlg [2] AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}} OPTIONAL`.
    #[asn1(implicit = 2)]
    pub signing_alg: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
    /// `issuer [3] Name OPTIONAL`.
    #[asn1(explicit = 3)]
    pub issuer: Option<tagwise_x509::name::Name<'a>>,
    /// `validity [4] OptionalValidity OPTIONAL`.
    #[asn1(implicit = 4)]
    pub validity: Option<OptionalValidity<'a>>,
    /// `subject [5] Name OPTIONAL`.
    #[asn1(explicit = 5)]
    pub subject: Option<tagwise_x509::name::Name<'a>>,
    /// `publicKey [6] SubjectPublicKeyInfo OPTIONAL`.
    #[asn1(implicit = 6)]
    pub public_key: Option<tagwise_x509::alg::SubjectPublicKeyInfo<'a>>,
    /// `issuerUID [7] UniqueIdentifier OPTIONAL`.
    #[asn1(implicit = 7, name = "issuerUID")]
    pub issuer_uid: Option<tagwise_codec::BitStr<'a>>,
    /// `subjectUID [8] UniqueIdentifier OPTIONAL`.
    #[asn1(implicit = 8, name = "subjectUID")]
    pub subject_uid: Option<tagwise_codec::BitStr<'a>>,
    /// `extensions [9] Extensions{{CertExtensions}} OPTIONAL`.
    #[asn1(implicit = 9)]
    pub extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// At least one of the two times is present. Time is a CHOICE, so the tags are EXPLICIT.
///
/// ```asn1
/// OptionalValidity ::= SEQUENCE {
///   notBefore  [0] Time OPTIONAL,
///   notAfter   [1] Time OPTIONAL
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 64.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct OptionalValidity<'a> {
    /// `notBefore [0] Time OPTIONAL`.
    #[asn1(explicit = 0)]
    pub not_before: Option<tagwise_x509::time::Time<'a>>,
    /// `notAfter [1] Time OPTIONAL`.
    #[asn1(explicit = 1)]
    pub not_after: Option<tagwise_x509::time::Time<'a>>,
}

/// ```asn1
/// Controls ::= SEQUENCE SIZE (1..MAX) OF SingleAttribute{{RegControlSet}}
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 69.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct Controls<'a>(
    /// The wrapped value.
    pub SeqOf<'a, RegControl<'a>>,
);

/// The last two alternatives are CHOICEs, with EXPLICIT tags.
///
/// ```asn1
/// ProofOfPossession ::= CHOICE {
///   raVerified       [0] NULL,
///   signature        [1] POPOSigningKey,
///   keyEncipherment  [2] POPOPrivKey,
///   keyAgreement     [3] POPOPrivKey
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 74.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum ProofOfPossession<'a> {
    /// `raVerified [0] NULL`.
    #[asn1(implicit = 0)]
    RaVerified,
    /// `signature [1] POPOSigningKey`.
    #[asn1(implicit = 1)]
    Signature(PopoSigningKey<'a>),
    /// `keyEncipherment [2] POPOPrivKey`.
    #[asn1(explicit = 2)]
    KeyEncipherment(PopoPrivKey<'a>),
    /// `keyAgreement [3] POPOPrivKey`.
    #[asn1(explicit = 3)]
    KeyAgreement(PopoPrivKey<'a>),
}

/// The signature covers the DER of poposkInput if it is present, otherwise that of certReq.
///
/// ```asn1
/// POPOSigningKey ::= SEQUENCE {
///   poposkInput          [0] POPOSigningKeyInput OPTIONAL,
///   algorithmIdentifier  AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}},
///   signature            BIT STRING
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 82.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "POPOSigningKey", constructor)]
pub struct PopoSigningKey<'a> {
    /// `poposkInput [0] POPOSigningKeyInput OPTIONAL`.
    pub poposk_input: Option<Captured<'a, PopoSigningKeyPoposkInput<'a>>>,
    /// `algorithmIdentifier AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}}`.
    pub algorithm_identifier: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `signature BIT STRING`.
    pub signature: BitStr<'a>,
}

/// ```asn1
/// [0] POPOSigningKeyInput
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 83.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 0, convert)]
pub struct PopoSigningKeyPoposkInput<'a>(
    /// The wrapped value.
    pub PopoSigningKeyInput<'a>,
);

/// ```asn1
/// POPOSigningKeyInput ::= SEQUENCE {
///   authInfo   CHOICE {
///     sender        [0] GeneralName,
///     publicKeyMAC  PKMACValue
///   },
///   publicKey  SubjectPublicKeyInfo
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 88.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "POPOSigningKeyInput", verbatim)]
pub struct PopoSigningKeyInput<'a> {
    /// `authInfo CHOICE { sender [0] GeneralName, publicKeyMAC PKMACValue }`.
    pub auth_info: PopoSigningKeyInputAuthInfo<'a>,
    /// `publicKey SubjectPublicKeyInfo`.
    pub public_key: tagwise_x509::alg::SubjectPublicKeyInfo<'a>,
}

/// ```asn1
/// CHOICE {
///   sender        [0] GeneralName,
///   publicKeyMAC  PKMACValue
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 89.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum PopoSigningKeyInputAuthInfo<'a> {
    /// `sender [0] GeneralName`.
    #[asn1(explicit = 0)]
    Sender(tagwise_x509::ext::GeneralName<'a>),
    /// `publicKeyMAC PKMACValue`.
    #[asn1(name = "publicKeyMAC")]
    PublicKeyMac(PkMacValue<'a>),
}

/// ```asn1
/// PKMACValue ::= SEQUENCE {
///   algId  AlgorithmIdentifier{MAC-ALGORITHM, {Password-MACAlgorithms}},
///   value  BIT STRING
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 96.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKMACValue")]
pub struct PkMacValue<'a> {
    /// `algId AlgorithmIdentifier{MAC-ALGORITHM, {Password-MACAlgorithms}}`.
    pub alg_id: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `value BIT STRING`.
    pub value: BitStr<'a>,
}

/// ```asn1
/// id-PasswordBasedMac OBJECT IDENTIFIER ::= { iso(1) member-body(2) usa(840) nt(113533) nsn(7) algorithms(66) 13 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 101.
pub const ID_PASSWORD_BASED_MAC: Oid<'static> = tagwise_codec::oid!("1.2.840.113533.7.66.13");

/// The input determines iterationCount, and thus the cost: set a limit.
///
/// ```asn1
/// PBMParameter ::= SEQUENCE {
///   salt            OCTET STRING,
///   owf             AlgorithmIdentifier{DIGEST-ALGORITHM, {DigestAlgorithms}},
///   iterationCount  INTEGER,
///   mac             AlgorithmIdentifier{MAC-ALGORITHM, {MACAlgorithms}}
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 109.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PBMParameter")]
pub struct PbmParameter<'a> {
    /// `salt OCTET STRING`.
    pub salt: OctetStr<'a>,
    /// `owf AlgorithmIdentifier{DIGEST-ALGORITHM, {DigestAlgorithms}}`.
    pub owf: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `iterationCount INTEGER`.
    pub iteration_count: u64,
    /// `mac AlgorithmIdentifier{MAC-ALGORITHM, {MACAlgorithms}}`.
    pub mac: tagwise_x509::alg::AlgorithmIdentifier<'a>,
}

/// thisMessage is deprecated: it held the encrypted private key.
///
/// ```asn1
/// POPOPrivKey ::= CHOICE {
///   thisMessage        [0] BIT STRING,
///   subsequentMessage  [1] SubsequentMessage,
///   dhMAC              [2] BIT STRING,
///   agreeMAC           [3] PKMACValue,
///   encryptedKey       [4] EnvelopedData
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 121.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "POPOPrivKey")]
pub enum PopoPrivKey<'a> {
    /// `thisMessage [0] BIT STRING`.
    #[asn1(implicit = 0)]
    ThisMessage(BitStr<'a>),
    /// `subsequentMessage [1] SubsequentMessage`.
    #[asn1(implicit = 1)]
    SubsequentMessage(SubsequentMessage),
    /// `dhMAC [2] BIT STRING`.
    #[asn1(implicit = 2, name = "dhMAC")]
    DhMac(BitStr<'a>),
    /// `agreeMAC [3] PKMACValue`.
    #[asn1(implicit = 3, name = "agreeMAC")]
    AgreeMac(PkMacValue<'a>),
    /// `encryptedKey [4] EnvelopedData`.
    #[asn1(implicit = 4)]
    EncryptedKey(EnvelopedData<'a>),
}

/// ```asn1
/// SubsequentMessage ::= INTEGER { encrCert(0), challengeResp(1) }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 129.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(encr_cert = 0, challenge_resp = 1), convert)]
pub struct SubsequentMessage(
    /// The number.
    pub u8,
);

impl SubsequentMessage {
    /// `encrCert` (0).
    pub const ENCR_CERT: Self = Self(0);

    /// `challengeResp` (1).
    pub const CHALLENGE_RESP: Self = Self(1);
}

/// ```asn1
/// id-ct-encKeyWithID OBJECT IDENTIFIER ::= { id-ct 21 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 133.
pub const ID_CT_ENC_KEY_WITH_ID: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.21");

/// ```asn1
/// EncKeyWithID ::= SEQUENCE {
///   privateKey  PrivateKeyInfo,
///   identifier  CHOICE {
///     string       UTF8String,
///     generalName  GeneralName
///   } OPTIONAL
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 135.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "EncKeyWithID", constructor)]
pub struct EncKeyWithId<'a> {
    /// `privateKey PrivateKeyInfo`.
    pub private_key: PrivateKeyInfo<'a>,
    /// `identifier CHOICE { string UTF8String, generalName GeneralName } OPTIONAL`.
    pub identifier: Option<EncKeyWithIdIdentifier<'a>>,
}

/// ```asn1
/// CHOICE {
///   string       UTF8String,
///   generalName  GeneralName
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 137.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum EncKeyWithIdIdentifier<'a> {
    /// `string UTF8String`.
    String(Utf8<'a>),
    /// `generalName GeneralName`.
    GeneralName(tagwise_x509::ext::GeneralName<'a>),
}

/// privateKey is secret.
///
/// ```asn1
/// PrivateKeyInfo ::= SEQUENCE {
///   version              INTEGER,
///   privateKeyAlgorithm  AlgorithmIdentifier{PUBLIC-KEY, {...}},
///   privateKey           OCTET STRING,
///   attributes           [0] IMPLICIT Attributes OPTIONAL
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 144.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(constructor)]
pub struct PrivateKeyInfo<'a> {
    /// `version INTEGER`.
    pub version: Int<'a>,
    /// `privateKeyAlgorithm AlgorithmIdentifier{PUBLIC-KEY, {...}}`.
    pub private_key_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `privateKey OCTET STRING`.
    #[asn1(secret)]
    pub private_key: OctetStr<'a>,
    /// `attributes [0] IMPLICIT Attributes OPTIONAL`.
    #[asn1(implicit = 0)]
    pub attributes: Option<Attributes<'a>>,
}

/// ```asn1
/// Attributes ::= SET OF AttributeSet{{PrivateKeyAttributes}}
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 151.
pub type Attributes<'a> = SetOf<'a, tagwise_x509::ext::Attribute<'a>>;

/// ```asn1
/// id-regCtrl OBJECT IDENTIFIER ::= { id-pkip 1 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 157.
pub const ID_REG_CTRL: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1");

/// ```asn1
/// RegControlSet ATTRIBUTE ::= {
///   regCtrl-regToken | regCtrl-authenticator | regCtrl-pkiPublicationInfo | regCtrl-pkiArchiveOptions |
///   regCtrl-oldCertID | regCtrl-protocolEncrKey,
///   ...,
///   regCtrl-altCertTemplate | regCtrl-algId | regCtrl-rsaKeyLen
/// }
/// ```
///
/// The types that `RegControlSet` selects: `PKIXCRMF-2009.asn1`, line 159.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "RegControlSet", open_type)]
pub enum RegControlValue<'a> {
    /// `regCtrl-regToken`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.1", name = "regCtrl-regToken")]
    RegToken(RegToken<'a>),
    /// `regCtrl-authenticator`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.2", name = "regCtrl-authenticator")]
    Authenticator(Authenticator<'a>),
    /// `regCtrl-pkiPublicationInfo`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.3", name = "regCtrl-pkiPublicationInfo")]
    PkiPublicationInfo(PkiPublicationInfo<'a>),
    /// `regCtrl-pkiArchiveOptions`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.4", name = "regCtrl-pkiArchiveOptions")]
    PkiArchiveOptions(PkiArchiveOptions<'a>),
    /// `regCtrl-oldCertID`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.5", name = "regCtrl-oldCertID")]
    OldCertId(OldCertId<'a>),
    /// `regCtrl-protocolEncrKey`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.6", name = "regCtrl-protocolEncrKey")]
    ProtocolEncrKey(ProtocolEncrKey<'a>),
    /// `regCtrl-altCertTemplate`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.7", name = "regCtrl-altCertTemplate")]
    AltCertTemplate(AltCertTemplate<'a>),
    /// `regCtrl-algId`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.11", name = "regCtrl-algId")]
    AlgId(AlgIdCtrl<'a>),
    /// `regCtrl-rsaKeyLen`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.1.12", name = "regCtrl-rsaKeyLen")]
    RsaKeyLen(RsaKeyLenCtrl<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// id-regCtrl-regToken OBJECT IDENTIFIER ::= { id-regCtrl 1 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 168.
pub const ID_REG_CTRL_REG_TOKEN: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.1");

/// A secret for one-time use.
///
/// ```asn1
/// RegToken ::= UTF8String
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 171.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(secret)]
pub struct RegToken<'a>(
    /// The wrapped value.
    pub Utf8<'a>,
);

/// ```asn1
/// id-regCtrl-authenticator OBJECT IDENTIFIER ::= { id-regCtrl 2 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 175.
pub const ID_REG_CTRL_AUTHENTICATOR: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.2");

/// A secret for repeated use.
///
/// ```asn1
/// Authenticator ::= UTF8String
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 178.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(secret)]
pub struct Authenticator<'a>(
    /// The wrapped value.
    pub Utf8<'a>,
);

/// ```asn1
/// id-regCtrl-pkiPublicationInfo OBJECT IDENTIFIER ::= { id-regCtrl 3 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 185.
pub const ID_REG_CTRL_PKI_PUBLICATION_INFO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.3");

/// ```asn1
/// PKIPublicationInfo ::= SEQUENCE {
///   action    INTEGER { dontPublish(0), pleasePublish(1) },
///   pubInfos  SEQUENCE SIZE (1..MAX) OF SinglePubInfo OPTIONAL
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 187.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIPublicationInfo", constructor)]
pub struct PkiPublicationInfo<'a> {
    /// `action INTEGER { dontPublish(0), pleasePublish(1) }`.
    pub action: PkiPublicationInfoAction,
    /// `pubInfos SEQUENCE SIZE (1..MAX) OF SinglePubInfo OPTIONAL`.
    #[asn1(size(1..))]
    pub pub_infos: Option<SeqOf<'a, SinglePubInfo<'a>>>,
}

/// ```asn1
/// INTEGER { dontPublish(0), pleasePublish(1) }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 188.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(dont_publish = 0, please_publish = 1), convert)]
pub struct PkiPublicationInfoAction(
    /// The number.
    pub u8,
);

impl PkiPublicationInfoAction {
    /// `dontPublish` (0).
    pub const DONT_PUBLISH: Self = Self(0);

    /// `pleasePublish` (1).
    pub const PLEASE_PUBLISH: Self = Self(1);
}

/// ```asn1
/// SinglePubInfo ::= SEQUENCE {
///   pubMethod    INTEGER { dontCare(0), x500(1), web(2), ldap(3) },
///   pubLocation  GeneralName OPTIONAL
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 192.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct SinglePubInfo<'a> {
    /// `pubMethod INTEGER { dontCare(0), x500(1), web(2), ldap(3) }`.
    pub pub_method: SinglePubInfoPubMethod,
    /// `pubLocation GeneralName OPTIONAL`.
    pub pub_location: Option<tagwise_x509::ext::GeneralName<'a>>,
}

/// ```asn1
/// INTEGER { dontCare(0), x500(1), web(2), ldap(3) }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 193.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(dont_care = 0, x500 = 1, web = 2, ldap = 3), convert)]
pub struct SinglePubInfoPubMethod(
    /// The number.
    pub u8,
);

impl SinglePubInfoPubMethod {
    /// `dontCare` (0).
    pub const DONT_CARE: Self = Self(0);

    /// `x500` (1).
    pub const X500: Self = Self(1);

    /// `web` (2).
    pub const WEB: Self = Self(2);

    /// `ldap` (3).
    pub const LDAP: Self = Self(3);
}

/// ```asn1
/// id-regCtrl-pkiArchiveOptions OBJECT IDENTIFIER ::= { id-regCtrl 4 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 202.
pub const ID_REG_CTRL_PKI_ARCHIVE_OPTIONS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.4");

/// ```asn1
/// PKIArchiveOptions ::= CHOICE {
///   encryptedPrivKey      [0] EncryptedKey,
///   keyGenParameters      [1] KeyGenParameters,
///   archiveRemGenPrivKey  [2] BOOLEAN
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 204.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKIArchiveOptions")]
pub enum PkiArchiveOptions<'a> {
    /// `encryptedPrivKey [0] EncryptedKey`.
    #[asn1(explicit = 0)]
    EncryptedPrivKey(EncryptedKey<'a>),
    /// `keyGenParameters [1] KeyGenParameters`.
    #[asn1(implicit = 1)]
    KeyGenParameters(KeyGenParameters<'a>),
    /// `archiveRemGenPrivKey [2] BOOLEAN`.
    #[asn1(implicit = 2)]
    ArchiveRemGenPrivKey(bool),
}

/// encryptedValue is deprecated.
///
/// ```asn1
/// EncryptedKey ::= CHOICE {
///   encryptedValue  EncryptedValue,
///   envelopedData   [0] EnvelopedData
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 211.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum EncryptedKey<'a> {
    /// `encryptedValue EncryptedValue`.
    EncryptedValue(EncryptedValue<'a>),
    /// `envelopedData [0] EnvelopedData`.
    #[asn1(implicit = 0)]
    EnvelopedData(EnvelopedData<'a>),
}

/// ```asn1
/// EncryptedValue ::= SEQUENCE {
///   intendedAlg  [0] AlgorithmIdentifier{ALGORITHM, {...}} OPTIONAL,
///   symmAlg      [1] AlgorithmIdentifier{ALGORITHM, {...}} OPTIONAL,
///   encSymmKey   [2] BIT STRING OPTIONAL,
///   keyAlg       [3] AlgorithmIdentifier{ALGORITHM, {...}} OPTIONAL,
///   valueHint    [4] OCTET STRING OPTIONAL,
///   encValue     BIT STRING
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 216.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct EncryptedValue<'a> {
    /// `intendedAlg [0] AlgorithmIdentifier{ALGORITHM, {...}} OPTIONAL`.
    #[asn1(implicit = 0)]
    pub intended_alg: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
    /// `symmAlg [1] AlgorithmIdentifier{ALGORITHM, {...}} OPTIONAL`.
    #[asn1(implicit = 1)]
    pub symm_alg: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
    /// `encSymmKey [2] BIT STRING OPTIONAL`.
    #[asn1(implicit = 2)]
    pub enc_symm_key: Option<BitStr<'a>>,
    /// `keyAlg [3] AlgorithmIdentifier{ALGORITHM, {...}} OPTIONAL`.
    #[asn1(implicit = 3)]
    pub key_alg: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
    /// `valueHint [4] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 4)]
    pub value_hint: Option<OctetStr<'a>>,
    /// `encValue BIT STRING`.
    pub enc_value: BitStr<'a>,
}

/// ```asn1
/// KeyGenParameters ::= OCTET STRING
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 225.
pub type KeyGenParameters<'a> = OctetStr<'a>;

/// ```asn1
/// id-regCtrl-oldCertID OBJECT IDENTIFIER ::= { id-regCtrl 5 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 229.
pub const ID_REG_CTRL_OLD_CERT_ID: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.5");

/// ```asn1
/// OldCertId ::= CertId
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 231.
pub type OldCertId<'a> = CertId<'a>;

/// ```asn1
/// CertId ::= SEQUENCE {
///   issuer        GeneralName,
///   serialNumber  INTEGER
/// }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 233.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct CertId<'a> {
    /// `issuer GeneralName`.
    pub issuer: tagwise_x509::ext::GeneralName<'a>,
    /// `serialNumber INTEGER`.
    pub serial_number: Int<'a>,
}

/// ```asn1
/// id-regCtrl-protocolEncrKey OBJECT IDENTIFIER ::= { id-regCtrl 6 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 240.
pub const ID_REG_CTRL_PROTOCOL_ENCR_KEY: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.1.6");

/// ```asn1
/// ProtocolEncrKey ::= SubjectPublicKeyInfo
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 242.
pub type ProtocolEncrKey<'a> = tagwise_x509::alg::SubjectPublicKeyInfo<'a>;

/// ```asn1
/// id-regInfo OBJECT IDENTIFIER ::= { id-pkip 2 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 246.
pub const ID_REG_INFO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.2");

/// ```asn1
/// RegInfoSet ATTRIBUTE ::= { regInfo-utf8Pairs | regInfo-certReq }
/// ```
///
/// The types that `RegInfoSet` selects: `PKIXCRMF-2009.asn1`, line 248.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "RegInfoSet", open_type)]
pub enum RegInfoValue<'a> {
    /// `regInfo-utf8Pairs`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.2.1", name = "regInfo-utf8Pairs")]
    Utf8Pairs(Utf8Pairs<'a>),
    /// `regInfo-certReq`.
    #[asn1(oid = "1.3.6.1.5.5.7.5.2.2", name = "regInfo-certReq")]
    CertReq(CertReq<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// id-regInfo-utf8Pairs OBJECT IDENTIFIER ::= { id-regInfo 1 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 252.
pub const ID_REG_INFO_UTF8_PAIRS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.2.1");

/// name?value%name?value%
///
/// ```asn1
/// UTF8Pairs ::= UTF8String
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 255.
pub type Utf8Pairs<'a> = Utf8<'a>;

/// ```asn1
/// id-regInfo-certReq OBJECT IDENTIFIER ::= { id-regInfo 2 }
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 259.
pub const ID_REG_INFO_CERT_REQ: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.5.2.2");

/// ```asn1
/// CertReq ::= CertRequest
/// ```
///
/// `PKIXCRMF-2009.asn1`, line 261.
pub type CertReq<'a> = Captured<'a, CertRequest<'a>>;
