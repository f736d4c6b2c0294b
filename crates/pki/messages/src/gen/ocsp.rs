//! ASN.1 module `OCSP-2013-08`, from `OCSP-2013-08.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The Online Certificate Status Protocol.
//! RFC 6960 Appendix B.2, with the nonce of RFC 9654.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{BitStr, Captured, GeneralizedTime, Ia5, Int, Null, OctetStr, Oid, Open, SeqOf, Unknown};
use tagwise_derive::Asn1;

/// The signature covers the bytes of tbsRequest as received.
///
/// ```asn1
/// OCSPRequest ::= SEQUENCE {
///   tbsRequest         TBSRequest,
///   optionalSignature  [0] Signature OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 29.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "OCSPRequest", constructor)]
pub struct OcspRequest<'a> {
    /// `tbsRequest TBSRequest`.
    pub tbs_request: Captured<'a, TbsRequest<'a>>,
    /// `optionalSignature [0] Signature OPTIONAL`.
    #[asn1(explicit = 0)]
    pub optional_signature: Option<Signature<'a>>,
}

/// ```asn1
/// TBSRequest ::= SEQUENCE {
///   version            [0] Version DEFAULT v1,
///   requestorName      [1] GeneralName OPTIONAL,
///   requestList        SEQUENCE OF Request,
///   requestExtensions  [2] Extensions{{RequestExtensions}} OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 34.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TBSRequest", verbatim, constructor)]
pub struct TbsRequest<'a> {
    /// `version [0] Version DEFAULT 0`.
    #[asn1(explicit = 0, default = Version::V1)]
    pub version: Version,
    /// `requestorName [1] GeneralName OPTIONAL`.
    #[asn1(explicit = 1)]
    pub requestor_name: Option<tagwise_x509::ext::GeneralName<'a>>,
    /// `requestList SEQUENCE OF Request`.
    pub request_list: SeqOf<'a, Request<'a>>,
    /// `requestExtensions [2] Extensions{{RequestExtensions}} OPTIONAL`.
    #[asn1(explicit = 2)]
    pub request_extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// ```asn1
/// Signature ::= SEQUENCE {
///   signatureAlgorithm  AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}},
///   signature           BIT STRING,
///   certs               [0] SEQUENCE OF Certificate OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 47.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Signature<'a> {
    /// `signatureAlgorithm AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}}`.
    pub signature_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `signature BIT STRING`.
    pub signature: BitStr<'a>,
    /// `certs [0] SEQUENCE OF Certificate OPTIONAL`.
    #[asn1(explicit = 0)]
    pub certs: Option<SeqOf<'a, tagwise_x509::cert::Certificate<'a>>>,
}

/// ```asn1
/// Version ::= INTEGER { v1(0) }
/// ```
///
/// `OCSP-2013-08.asn1`, line 53.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(v1 = 0), convert)]
pub struct Version(
    /// The number.
    pub u8,
);

impl Version {
    /// `v1` (0).
    pub const V1: Self = Self(0);
}

/// ```asn1
/// Request ::= SEQUENCE {
///   reqCert                  CertID,
///   singleRequestExtensions  [0] Extensions{{re-ocsp-service-locator, ...}} OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 55.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Request<'a> {
    /// `reqCert CertID`.
    pub req_cert: CertId<'a>,
    /// `singleRequestExtensions [0] Extensions{{re-ocsp-service-locator, ...}} OPTIONAL`.
    #[asn1(explicit = 0)]
    pub single_request_extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// issuerNameHash is the hash of the issuer's Name, issuerKeyHash that of its key: the content of the BIT STRING
/// after the byte of unused bits. The serial number is the certificate's.
///
/// ```asn1
/// CertID ::= SEQUENCE {
///   hashAlgorithm   AlgorithmIdentifier{DIGEST-ALGORITHM, {CertIDHashAlgorithms}},
///   issuerNameHash  OCTET STRING,
///   issuerKeyHash   OCTET STRING,
///   serialNumber    CertificateSerialNumber
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 62.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CertID")]
pub struct CertId<'a> {
    /// `hashAlgorithm AlgorithmIdentifier{DIGEST-ALGORITHM, {CertIDHashAlgorithms}}`.
    pub hash_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `issuerNameHash OCTET STRING`.
    pub issuer_name_hash: OctetStr<'a>,
    /// `issuerKeyHash OCTET STRING`.
    pub issuer_key_hash: OctetStr<'a>,
    /// `serialNumber CertificateSerialNumber`.
    pub serial_number: tagwise_codec::Int<'a>,
}

/// responseBytes is present if and only if the status is successful.
///
/// ```asn1
/// OCSPResponse ::= SEQUENCE {
///   responseStatus  OCSPResponseStatus,
///   responseBytes   [0] ResponseBytes OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 74.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "OCSPResponse", constructor)]
pub struct OcspResponse<'a> {
    /// `responseStatus OCSPResponseStatus`.
    pub response_status: OcspResponseStatus,
    /// `responseBytes [0] ResponseBytes OPTIONAL`.
    #[asn1(explicit = 0)]
    pub response_bytes: Option<ResponseBytes<'a>>,
}

/// 4 is not used.
///
/// ```asn1
/// OCSPResponseStatus ::= ENUMERATED {
///   successful(0),
///   malformedRequest(1),
///   internalError(2),
///   tryLater(3),
///   sigRequired(5),
///   unauthorized(6)
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 80.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "OCSPResponseStatus", enumerated)]
pub enum OcspResponseStatus {
    /// `successful` (0).
    Successful = 0,
    /// `malformedRequest` (1).
    MalformedRequest = 1,
    /// `internalError` (2).
    InternalError = 2,
    /// `tryLater` (3).
    TryLater = 3,
    /// `sigRequired` (5).
    SigRequired = 5,
    /// `unauthorized` (6).
    Unauthorized = 6,
}

/// ```asn1
/// ResponseSet RESPONSE ::= { basicResponse, ... }
/// ```
///
/// The types that `ResponseSet` selects: `OCSP-2013-08.asn1`, line 91.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ResponseSet", open_type)]
pub enum Response<'a> {
    /// `basicResponse`.
    #[asn1(oid = "1.3.6.1.5.5.7.48.1.1", name = "basicResponse")]
    Response(BasicOcspResponse<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// ResponseBytes ::= SEQUENCE {
///   responseType  RESPONSE.&id({ResponseSet}),
///   response      OCTET STRING (CONTAINING RESPONSE.&Type({ResponseSet}{@responseType}))
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 93.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ResponseBytes<'a> {
    /// `responseType RESPONSE.&id({ResponseSet})`.
    pub response_type: Oid<'a>,
    /// `response OCTET STRING (CONTAINING RESPONSE.&Type({ResponseSet}{@responseType}))`.
    #[asn1(defined_by = response_type, octet_string)]
    pub response: Open<'a, Response<'a>>,
}

/// The signature covers the bytes of tbsResponseData as received.
///
/// ```asn1
/// BasicOCSPResponse ::= SEQUENCE {
///   tbsResponseData     ResponseData,
///   signatureAlgorithm  AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}},
///   signature           BIT STRING,
///   certs               [0] SEQUENCE OF Certificate OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 101.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "BasicOCSPResponse", constructor)]
pub struct BasicOcspResponse<'a> {
    /// `tbsResponseData ResponseData`.
    pub tbs_response_data: Captured<'a, ResponseData<'a>>,
    /// `signatureAlgorithm AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}}`.
    pub signature_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `signature BIT STRING`.
    pub signature: BitStr<'a>,
    /// `certs [0] SEQUENCE OF Certificate OPTIONAL`.
    #[asn1(explicit = 0)]
    pub certs: Option<SeqOf<'a, tagwise_x509::cert::Certificate<'a>>>,
}

/// ```asn1
/// ResponseData ::= SEQUENCE {
///   version             [0] Version DEFAULT v1,
///   responderID         ResponderID,
///   producedAt          GeneralizedTime,
///   responses           SEQUENCE OF SingleResponse,
///   responseExtensions  [1] Extensions{{ResponseExtensions}} OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 108.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(verbatim, constructor)]
pub struct ResponseData<'a> {
    /// `version [0] Version DEFAULT 0`.
    #[asn1(explicit = 0, default = Version::V1)]
    pub version: Version,
    /// `responderID ResponderID`.
    #[asn1(name = "responderID")]
    pub responder_id: ResponderId<'a>,
    /// `producedAt GeneralizedTime`.
    pub produced_at: GeneralizedTime<'a>,
    /// `responses SEQUENCE OF SingleResponse`.
    pub responses: SeqOf<'a, SingleResponse<'a>>,
    /// `responseExtensions [1] Extensions{{ResponseExtensions}} OPTIONAL`.
    #[asn1(explicit = 1)]
    pub response_extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// Both tags are EXPLICIT.
///
/// ```asn1
/// ResponderID ::= CHOICE {
///   byName  [1] Name,
///   byKey   [2] KeyHash
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 119.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ResponderID")]
pub enum ResponderId<'a> {
    /// `byName [1] Name`.
    #[asn1(explicit = 1)]
    ByName(tagwise_x509::name::Name<'a>),
    /// `byKey [2] KeyHash`.
    #[asn1(explicit = 2)]
    ByKey(KeyHash<'a>),
}

/// The SHA-1 hash of the responder's key, computed as in CertID.
///
/// ```asn1
/// KeyHash ::= OCTET STRING
/// ```
///
/// `OCSP-2013-08.asn1`, line 125.
pub type KeyHash<'a> = OctetStr<'a>;

/// If nextUpdate is absent, newer information is always available.
///
/// ```asn1
/// SingleResponse ::= SEQUENCE {
///   certID            CertID,
///   certStatus        CertStatus,
///   thisUpdate        GeneralizedTime,
///   nextUpdate        [0] GeneralizedTime OPTIONAL,
///   singleExtensions  [1] Extensions{{SingleExtensions}} OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 128.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct SingleResponse<'a> {
    /// `certID CertID`.
    #[asn1(name = "certID")]
    pub cert_id: CertId<'a>,
    /// `certStatus CertStatus`.
    pub cert_status: CertStatus<'a>,
    /// `thisUpdate GeneralizedTime`.
    pub this_update: GeneralizedTime<'a>,
    /// `nextUpdate [0] GeneralizedTime OPTIONAL`.
    #[asn1(explicit = 0)]
    pub next_update: Option<GeneralizedTime<'a>>,
    /// `singleExtensions [1] Extensions{{SingleExtensions}} OPTIONAL`.
    #[asn1(explicit = 1)]
    pub single_extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// good only means that the certificate is not revoked. It may not even exist.
///
/// ```asn1
/// CertStatus ::= CHOICE {
///   good     [0] IMPLICIT NULL,
///   revoked  [1] IMPLICIT RevokedInfo,
///   unknown  [2] IMPLICIT UnknownInfo
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 143.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum CertStatus<'a> {
    /// `good [0] IMPLICIT NULL`.
    #[asn1(implicit = 0)]
    Good,
    /// `revoked [1] IMPLICIT RevokedInfo`.
    #[asn1(implicit = 1)]
    Revoked(RevokedInfo<'a>),
    /// `unknown [2] IMPLICIT UnknownInfo`.
    #[asn1(implicit = 2)]
    Unknown(UnknownInfo),
}

/// ```asn1
/// RevokedInfo ::= SEQUENCE {
///   revocationTime    GeneralizedTime,
///   revocationReason  [0] CRLReason OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 149.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct RevokedInfo<'a> {
    /// `revocationTime GeneralizedTime`.
    pub revocation_time: GeneralizedTime<'a>,
    /// `revocationReason [0] CRLReason OPTIONAL`.
    #[asn1(explicit = 0)]
    pub revocation_reason: Option<tagwise_x509::ext::CrlReason>,
}

/// ```asn1
/// UnknownInfo ::= NULL
/// ```
///
/// `OCSP-2013-08.asn1`, line 154.
pub type UnknownInfo = Null;

/// Extensions: RFC 6960 §4.4
///
/// ```asn1
/// ArchiveCutoff ::= GeneralizedTime
/// ```
///
/// `OCSP-2013-08.asn1`, line 158.
pub type ArchiveCutoff<'a> = GeneralizedTime<'a>;

/// ```asn1
/// AcceptableResponses ::= SEQUENCE OF RESPONSE.&id({ResponseSet})
/// ```
///
/// `OCSP-2013-08.asn1`, line 160.
pub type AcceptableResponses<'a> = SeqOf<'a, Oid<'a>>;

/// ```asn1
/// ServiceLocator ::= SEQUENCE {
///   issuer   Name,
///   locator  AuthorityInfoAccessSyntax
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 162.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ServiceLocator<'a> {
    /// `issuer Name`.
    pub issuer: tagwise_x509::name::Name<'a>,
    /// `locator AuthorityInfoAccessSyntax`.
    pub locator: tagwise_x509::ext::AuthorityInfoAccess<'a>,
}

/// ```asn1
/// CrlID ::= SEQUENCE {
///   crlUrl   [0] IA5String OPTIONAL,
///   crlNum   [1] INTEGER OPTIONAL,
///   crlTime  [2] GeneralizedTime OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 167.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
#[asn1(name = "CrlID")]
pub struct CrlId<'a> {
    /// `crlUrl [0] IA5String OPTIONAL`.
    #[asn1(explicit = 0)]
    pub crl_url: Option<Ia5<'a>>,
    /// `crlNum [1] INTEGER OPTIONAL`.
    #[asn1(explicit = 1)]
    pub crl_num: Option<Int<'a>>,
    /// `crlTime [2] GeneralizedTime OPTIONAL`.
    #[asn1(explicit = 2)]
    pub crl_time: Option<GeneralizedTime<'a>>,
}

/// ```asn1
/// PreferredSignatureAlgorithms ::= SEQUENCE OF PreferredSignatureAlgorithm
/// ```
///
/// `OCSP-2013-08.asn1`, line 173.
pub type PreferredSignatureAlgorithms<'a> = SeqOf<'a, PreferredSignatureAlgorithm<'a>>;

/// ```asn1
/// PreferredSignatureAlgorithm ::= SEQUENCE {
///   sigIdentifier   AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}},
///   certIdentifier  AlgorithmIdentifier{PUBLIC-KEY, {PublicKeyAlgorithms}} OPTIONAL
/// }
/// ```
///
/// `OCSP-2013-08.asn1`, line 175.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct PreferredSignatureAlgorithm<'a> {
    /// `sigIdentifier AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}}`.
    pub sig_identifier: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `certIdentifier AlgorithmIdentifier{PUBLIC-KEY, {PublicKeyAlgorithms}} OPTIONAL`.
    pub cert_identifier: Option<tagwise_x509::alg::AlgorithmIdentifier<'a>>,
}

/// RFC 9654 §2.1. Responders before it put plain octets into the extension, without the header of an OCTET STRING.
///
/// ```asn1
/// Nonce ::= OCTET STRING (SIZE (1..128))
/// ```
///
/// `OCSP-2013-08.asn1`, line 181.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=128), convert)]
pub struct Nonce<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// id-pkix-ocsp                  OBJECT IDENTIFIER ::= id-ad-ocsp
/// ```
///
/// `OCSP-2013-08.asn1`, line 198.
pub const ID_PKIX_OCSP: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1");

/// ```asn1
/// id-pkix-ocsp-basic            OBJECT IDENTIFIER ::= { id-pkix-ocsp 1 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 199.
pub const ID_PKIX_OCSP_BASIC: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.1");

/// ```asn1
/// id-pkix-ocsp-nonce            OBJECT IDENTIFIER ::= { id-pkix-ocsp 2 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 200.
pub const ID_PKIX_OCSP_NONCE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.2");

/// ```asn1
/// id-pkix-ocsp-crl              OBJECT IDENTIFIER ::= { id-pkix-ocsp 3 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 201.
pub const ID_PKIX_OCSP_CRL: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.3");

/// ```asn1
/// id-pkix-ocsp-response         OBJECT IDENTIFIER ::= { id-pkix-ocsp 4 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 202.
pub const ID_PKIX_OCSP_RESPONSE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.4");

/// ```asn1
/// id-pkix-ocsp-nocheck          OBJECT IDENTIFIER ::= { id-pkix-ocsp 5 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 203.
pub const ID_PKIX_OCSP_NOCHECK: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.5");

/// ```asn1
/// id-pkix-ocsp-archive-cutoff   OBJECT IDENTIFIER ::= { id-pkix-ocsp 6 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 204.
pub const ID_PKIX_OCSP_ARCHIVE_CUTOFF: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.6");

/// ```asn1
/// id-pkix-ocsp-service-locator  OBJECT IDENTIFIER ::= { id-pkix-ocsp 7 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 205.
pub const ID_PKIX_OCSP_SERVICE_LOCATOR: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.7");

/// ```asn1
/// id-pkix-ocsp-pref-sig-algs    OBJECT IDENTIFIER ::= { id-pkix-ocsp 8 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 206.
pub const ID_PKIX_OCSP_PREF_SIG_ALGS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.8");

/// ```asn1
/// id-pkix-ocsp-extended-revoke  OBJECT IDENTIFIER ::= { id-pkix-ocsp 9 }
/// ```
///
/// `OCSP-2013-08.asn1`, line 207.
pub const ID_PKIX_OCSP_EXTENDED_REVOKE: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.48.1.9");
