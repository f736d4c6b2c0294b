//! ASN.1 module `CMS-AuthEnvelopedData-2010`, from `CMS-AuthEnvelopedData-2010.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Authenticated-enveloped data: content encrypted and authenticated in one operation.
//! RFC 5083, in the form of RFC 6268 §6.

use super::cms::{CmsVersion, MessageAuthenticationCode, OriginatorInfo, RecipientInfos};
use tagwise_codec::Oid;
use tagwise_derive::Asn1;

/// ```asn1
/// id-ct-authEnvelopedData OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) ct(1) 23 }
/// ```
///
/// `CMS-AuthEnvelopedData-2010.asn1`, line 28.
pub const ID_CT_AUTH_ENVELOPED_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.23");

/// The cipher also authenticates authAttrs: its DER with the tag of a SET (31) in place of \[1\] (§2.2).
/// It comes after the content, so a one-pass reader knows the additional data only after the ciphertext.
///
/// ```asn1
/// AuthEnvelopedData ::= SEQUENCE {
///   version                   CMSVersion,
///   originatorInfo            [0] IMPLICIT OriginatorInfo OPTIONAL,
///   recipientInfos            RecipientInfos,
///   authEncryptedContentInfo  EncryptedContentInfo,
///   authAttrs                 [1] IMPLICIT AuthAttributes OPTIONAL,
///   mac                       MessageAuthenticationCode,
///   unauthAttrs               [2] IMPLICIT UnauthAttributes OPTIONAL
/// }
/// ```
///
/// `CMS-AuthEnvelopedData-2010.asn1`, line 33.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct AuthEnvelopedData<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `originatorInfo [0] IMPLICIT OriginatorInfo OPTIONAL`.
    #[asn1(implicit = 0)]
    pub originator_info: Option<OriginatorInfo<'a>>,
    /// `recipientInfos RecipientInfos`.
    pub recipient_infos: RecipientInfos<'a>,
    /// `authEncryptedContentInfo EncryptedContentInfo`.
    pub auth_encrypted_content_info: EncryptedContentInfo<'a>,
    /// `authAttrs [1] IMPLICIT AuthAttributes OPTIONAL`.
    #[asn1(implicit = 1)]
    pub auth_attrs: Option<AuthAttributes<'a>>,
    /// `mac MessageAuthenticationCode`.
    pub mac: MessageAuthenticationCode<'a>,
    /// `unauthAttrs [2] IMPLICIT UnauthAttributes OPTIONAL`.
    #[asn1(implicit = 2)]
    pub unauth_attrs: Option<UnauthAttributes<'a>>,
}

/// ```asn1
/// EncryptedContentInfo ::= EncryptedContentInfoType{AuthContentEncryptionAlgorithmIdentifier}
/// ```
///
/// `CMS-AuthEnvelopedData-2010.asn1`, line 43.
pub type EncryptedContentInfo<'a> = crate::r#gen::cms::EncryptedContentInfoType<'a>;

/// ```asn1
/// AuthContentEncryptionAlgorithmIdentifier ::=
///   AlgorithmIdentifier{CONTENT-ENCRYPTION, {AuthContentEncryptionAlgorithmSet}}
/// ```
///
/// `CMS-AuthEnvelopedData-2010.asn1`, line 45.
pub type AuthContentEncryptionAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// AuthAttributes ::= Attributes{{AuthEnvDataAttributeSet}}
/// ```
///
/// `CMS-AuthEnvelopedData-2010.asn1`, line 50.
pub type AuthAttributes<'a> = crate::r#gen::cms::Attributes<'a>;

/// ```asn1
/// UnauthAttributes ::= Attributes{{UnauthEnvDataAttributeSet}}
/// ```
///
/// `CMS-AuthEnvelopedData-2010.asn1`, line 52.
pub type UnauthAttributes<'a> = crate::r#gen::cms::Attributes<'a>;
