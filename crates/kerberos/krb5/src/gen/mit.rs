//! ASN.1 module `KerberosMit`, from `KerberosMit.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Further messages of MIT's implementation: IAKERB (draft-ietf-kitten-iakerb §3), hardware tokens
//! (draft-ietf-krb-wg-kerberos-sam §3), cookies of its KDC, keys in its LDAP database; and the request of RFC 3244 §2.
//! This module is the project's.
#![allow(clippy::large_enum_variant)]

use super::kerberos::{Checksum, EncryptedData, EncryptionKey, Int32, PaData, PrincipalName, Realm};
use tagwise_codec::{Additions, OctetStr, SeqOf, Utf8};
use tagwise_derive::Asn1;

/// Changing passwords: RFC 3244 §2
///
/// ```asn1
/// ChangePasswdData ::= SEQUENCE {
///   newpasswd  [0] OCTET STRING,
///   targname   [1] PrincipalName OPTIONAL,
///   targrealm  [2] Realm OPTIONAL
/// }
/// ```
///
/// `KerberosMit.asn1`, line 16.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(constructor)]
pub struct ChangePasswdData<'a> {
    /// `newpasswd [0] OCTET STRING`.
    #[asn1(explicit = 0, secret)]
    pub newpasswd: OctetStr<'a>,
    /// `targname [1] PrincipalName OPTIONAL`.
    #[asn1(explicit = 1)]
    pub targname: Option<PrincipalName<'a>>,
    /// `targrealm [2] Realm OPTIONAL`.
    #[asn1(explicit = 2)]
    pub targrealm: Option<Realm<'a>>,
}

/// IAKERB
///
/// ```asn1
/// IAKERB-HEADER ::= SEQUENCE {
///   target-realm  [1] IakerbRealm,
///   cookie        [2] OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 24.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "IAKERB-HEADER", constructor)]
pub struct IakerbHeader<'a> {
    /// `target-realm [1] IakerbRealm`.
    #[asn1(explicit = 1, name = "target-realm")]
    pub target_realm: IakerbRealm<'a>,
    /// `cookie [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2)]
    pub cookie: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// A UTF8String in the draft and in MIT's library since 1.22. Earlier versions encode an OCTET STRING.
///
/// ```asn1
/// IakerbRealm ::= CHOICE {
///   utf8    UTF8String,
///   octets  OCTET STRING
/// }
/// ```
///
/// `KerberosMit.asn1`, line 31.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum IakerbRealm<'a> {
    /// `utf8 UTF8String`.
    Utf8(Utf8<'a>),
    /// `octets OCTET STRING`.
    Octets(OctetStr<'a>),
}

/// ```asn1
/// IAKERB-FINISHED ::= SEQUENCE {
///   gss-mic  [1] Checksum,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 36.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "IAKERB-FINISHED", constructor)]
pub struct IakerbFinished<'a> {
    /// `gss-mic [1] Checksum`.
    #[asn1(explicit = 1, name = "gss-mic")]
    pub gss_mic: Checksum<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// Hardware tokens
///
/// ```asn1
/// PA-SAM-CHALLENGE-2 ::= SEQUENCE {
///   sam-body   [0] PA-SAM-CHALLENGE-2-BODY,
///   sam-cksum  [1] SEQUENCE (SIZE (1..MAX)) OF Checksum,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 43.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-SAM-CHALLENGE-2", constructor)]
pub struct PaSamChallenge2<'a> {
    /// `sam-body [0] PA-SAM-CHALLENGE-2-BODY`.
    #[asn1(explicit = 0, name = "sam-body")]
    pub sam_body: tagwise_codec::Any<'a>,
    /// `sam-cksum [1] SEQUENCE (SIZE (1..MAX)) OF Checksum`.
    #[asn1(explicit = 1, size(1..), name = "sam-cksum")]
    pub sam_cksum: SeqOf<'a, Checksum<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// The draft specifies a GeneralString, but MIT's library encodes an OCTET STRING.
///
/// ```asn1
/// SamString ::= CHOICE {
///   text    KerberosString,
///   octets  OCTET STRING
/// }
/// ```
///
/// `KerberosMit.asn1`, line 50.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum SamString<'a> {
    /// `text KerberosString`.
    Text(tagwise_codec::General<'a>),
    /// `octets OCTET STRING`.
    Octets(OctetStr<'a>),
}

/// ```asn1
/// PA-SAM-CHALLENGE-2-BODY ::= SEQUENCE {
///   sam-type             [0] Int32,
///   sam-flags            [1] SAMFlags,
///   sam-type-name        [2] SamString OPTIONAL,
///   sam-track-id         [3] SamString OPTIONAL,
///   sam-challenge-label  [4] SamString OPTIONAL,
///   sam-challenge        [5] SamString OPTIONAL,
///   sam-response-prompt  [6] SamString OPTIONAL,
///   sam-pk-for-sad       [7] EncryptionKey OPTIONAL,
///   sam-nonce            [8] Int32,
///   sam-etype            [9] Int32,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 55.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-SAM-CHALLENGE-2-BODY", constructor)]
pub struct PaSamChallenge2Body<'a> {
    /// `sam-type [0] Int32`.
    #[asn1(explicit = 0, name = "sam-type")]
    pub sam_type: Int32,
    /// `sam-flags [1] SAMFlags`.
    #[asn1(explicit = 1, name = "sam-flags")]
    pub sam_flags: SamFlags<'a>,
    /// `sam-type-name [2] SamString OPTIONAL`.
    #[asn1(explicit = 2, name = "sam-type-name")]
    pub sam_type_name: Option<SamString<'a>>,
    /// `sam-track-id [3] SamString OPTIONAL`.
    #[asn1(explicit = 3, name = "sam-track-id")]
    pub sam_track_id: Option<SamString<'a>>,
    /// `sam-challenge-label [4] SamString OPTIONAL`.
    #[asn1(explicit = 4, name = "sam-challenge-label")]
    pub sam_challenge_label: Option<SamString<'a>>,
    /// `sam-challenge [5] SamString OPTIONAL`.
    #[asn1(explicit = 5, name = "sam-challenge")]
    pub sam_challenge: Option<SamString<'a>>,
    /// `sam-response-prompt [6] SamString OPTIONAL`.
    #[asn1(explicit = 6, name = "sam-response-prompt")]
    pub sam_response_prompt: Option<SamString<'a>>,
    /// `sam-pk-for-sad [7] EncryptionKey OPTIONAL`.
    #[asn1(explicit = 7, name = "sam-pk-for-sad")]
    pub sam_pk_for_sad: Option<EncryptionKey<'a>>,
    /// `sam-nonce [8] Int32`.
    #[asn1(explicit = 8, name = "sam-nonce")]
    pub sam_nonce: Int32,
    /// `sam-etype [9] Int32`.
    #[asn1(explicit = 9, name = "sam-etype")]
    pub sam_etype: Int32,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// SAMFlags ::= KerberosFlags
/// ```
///
/// `KerberosMit.asn1`, line 69.
pub type SamFlags<'a> = crate::KerberosFlags<'a>;

/// ```asn1
/// PA-SAM-RESPONSE-2 ::= SEQUENCE {
///   sam-type              [0] Int32,
///   sam-flags             [1] SAMFlags,
///   sam-track-id          [2] SamString OPTIONAL,
///   sam-enc-nonce-or-sad  [3] EncryptedData,
///   sam-nonce             [4] Int32,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 71.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-SAM-RESPONSE-2", constructor)]
pub struct PaSamResponse2<'a> {
    /// `sam-type [0] Int32`.
    #[asn1(explicit = 0, name = "sam-type")]
    pub sam_type: Int32,
    /// `sam-flags [1] SAMFlags`.
    #[asn1(explicit = 1, name = "sam-flags")]
    pub sam_flags: SamFlags<'a>,
    /// `sam-track-id [2] SamString OPTIONAL`.
    #[asn1(explicit = 2, name = "sam-track-id")]
    pub sam_track_id: Option<SamString<'a>>,
    /// `sam-enc-nonce-or-sad [3] EncryptedData`.
    #[asn1(explicit = 3, name = "sam-enc-nonce-or-sad")]
    pub sam_enc_nonce_or_sad: EncryptedData<'a>,
    /// `sam-nonce [4] Int32`.
    #[asn1(explicit = 4, name = "sam-nonce")]
    pub sam_nonce: Int32,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// PA-ENC-SAM-RESPONSE-ENC ::= SEQUENCE {
///   sam-nonce  [0] Int32,
///   sam-sad    [1] SamString OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 80.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "PA-ENC-SAM-RESPONSE-ENC", constructor)]
pub struct PaEncSamResponseEnc<'a> {
    /// `sam-nonce [0] Int32`.
    #[asn1(explicit = 0, name = "sam-nonce")]
    pub sam_nonce: Int32,
    /// `sam-sad [1] SamString OPTIONAL`.
    #[asn1(explicit = 1, secret, name = "sam-sad")]
    pub sam_sad: Option<SamString<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// The decrypted content of an MIT KDC's PA-FX-COOKIE
///
/// ```asn1
/// SecureCookie ::= SEQUENCE {
///   time  INTEGER (0..4294967295),
///   data  SEQUENCE OF PA-DATA,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 88.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(constructor)]
pub struct SecureCookie<'a> {
    /// `time INTEGER (0..4294967295)`.
    pub time: u32,
    /// `data SEQUENCE OF PA-DATA`.
    #[asn1(secret)]
    pub data: SeqOf<'a, PaData<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// PA-SAM-CHALLENGE and PA-SAM-RESPONSE of draft-ietf-cat-kerberos-passwords, which older KDCs send
///
/// ```asn1
/// PA-SAM-CHALLENGE ::= SEQUENCE {
///   sam-type             [0] Int32,
///   sam-flags            [1] SAMFlags,
///   sam-type-name        [2] SamString OPTIONAL,
///   sam-track-id         [3] SamString OPTIONAL,
///   sam-challenge-label  [4] SamString OPTIONAL,
///   sam-challenge        [5] SamString OPTIONAL,
///   sam-response-prompt  [6] SamString OPTIONAL,
///   sam-pk-for-sad       [7] EncryptionKey OPTIONAL,
///   sam-nonce            [8] Int32 OPTIONAL,
///   sam-cksum            [9] Checksum OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 96.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-SAM-CHALLENGE", constructor)]
pub struct PaSamChallenge<'a> {
    /// `sam-type [0] Int32`.
    #[asn1(explicit = 0, name = "sam-type")]
    pub sam_type: Int32,
    /// `sam-flags [1] SAMFlags`.
    #[asn1(explicit = 1, name = "sam-flags")]
    pub sam_flags: SamFlags<'a>,
    /// `sam-type-name [2] SamString OPTIONAL`.
    #[asn1(explicit = 2, name = "sam-type-name")]
    pub sam_type_name: Option<SamString<'a>>,
    /// `sam-track-id [3] SamString OPTIONAL`.
    #[asn1(explicit = 3, name = "sam-track-id")]
    pub sam_track_id: Option<SamString<'a>>,
    /// `sam-challenge-label [4] SamString OPTIONAL`.
    #[asn1(explicit = 4, name = "sam-challenge-label")]
    pub sam_challenge_label: Option<SamString<'a>>,
    /// `sam-challenge [5] SamString OPTIONAL`.
    #[asn1(explicit = 5, name = "sam-challenge")]
    pub sam_challenge: Option<SamString<'a>>,
    /// `sam-response-prompt [6] SamString OPTIONAL`.
    #[asn1(explicit = 6, name = "sam-response-prompt")]
    pub sam_response_prompt: Option<SamString<'a>>,
    /// `sam-pk-for-sad [7] EncryptionKey OPTIONAL`.
    #[asn1(explicit = 7, name = "sam-pk-for-sad")]
    pub sam_pk_for_sad: Option<EncryptionKey<'a>>,
    /// `sam-nonce [8] Int32 OPTIONAL`.
    #[asn1(explicit = 8, name = "sam-nonce")]
    pub sam_nonce: Option<Int32>,
    /// `sam-cksum [9] Checksum OPTIONAL`.
    #[asn1(explicit = 9, name = "sam-cksum")]
    pub sam_cksum: Option<Checksum<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// PA-SAM-RESPONSE ::= SEQUENCE {
///   sam-type           [0] Int32,
///   sam-flags          [1] SAMFlags,
///   sam-track-id       [2] SamString OPTIONAL,
///   sam-enc-key        [3] EncryptedData OPTIONAL,
///   sam-enc-nonce-or-ts [4] EncryptedData,
///   sam-nonce          [5] Int32 OPTIONAL,
///   sam-patimestamp    [6] KerberosTime OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 110.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-SAM-RESPONSE", constructor)]
pub struct PaSamResponse<'a> {
    /// `sam-type [0] Int32`.
    #[asn1(explicit = 0, name = "sam-type")]
    pub sam_type: Int32,
    /// `sam-flags [1] SAMFlags`.
    #[asn1(explicit = 1, name = "sam-flags")]
    pub sam_flags: SamFlags<'a>,
    /// `sam-track-id [2] SamString OPTIONAL`.
    #[asn1(explicit = 2, name = "sam-track-id")]
    pub sam_track_id: Option<SamString<'a>>,
    /// `sam-enc-key [3] EncryptedData OPTIONAL`.
    #[asn1(explicit = 3, name = "sam-enc-key")]
    pub sam_enc_key: Option<EncryptedData<'a>>,
    /// `sam-enc-nonce-or-ts [4] EncryptedData`.
    #[asn1(explicit = 4, name = "sam-enc-nonce-or-ts")]
    pub sam_enc_nonce_or_ts: EncryptedData<'a>,
    /// `sam-nonce [5] Int32 OPTIONAL`.
    #[asn1(explicit = 5, name = "sam-nonce")]
    pub sam_nonce: Option<Int32>,
    /// `sam-patimestamp [6] KerberosTime OPTIONAL`.
    #[asn1(explicit = 6, name = "sam-patimestamp")]
    pub sam_patimestamp: Option<crate::KerberosTime>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// AD-SIGNTICKET (512, formerly 142) of MIT's KDC before 1.20 and of Heimdal's: KRB5SignedPath
///
/// ```asn1
/// AD-SIGNEDPATH ::= SEQUENCE {
///   etype        [0] Int32,
///   cksum        [1] Checksum,
///   delegated    [2] SEQUENCE OF SignedPathPrincipal OPTIONAL,
///   method-data  [3] SEQUENCE OF PA-DATA OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 123.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AD-SIGNEDPATH", constructor)]
pub struct AdSignedpath<'a> {
    /// `etype [0] Int32`.
    #[asn1(explicit = 0)]
    pub etype: Int32,
    /// `cksum [1] Checksum`.
    #[asn1(explicit = 1)]
    pub cksum: Checksum<'a>,
    /// `delegated [2] SEQUENCE OF SignedPathPrincipal OPTIONAL`.
    #[asn1(explicit = 2)]
    pub delegated: Option<SeqOf<'a, SignedPathPrincipal<'a>>>,
    /// `method-data [3] SEQUENCE OF PA-DATA OPTIONAL`.
    #[asn1(explicit = 3, name = "method-data")]
    pub method_data: Option<SeqOf<'a, PaData<'a>>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// SignedPathPrincipal ::= SEQUENCE {
///   name   [0] PrincipalName,
///   realm  [1] Realm
/// }
/// ```
///
/// `KerberosMit.asn1`, line 131.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SignedPathPrincipal<'a> {
    /// `name [0] PrincipalName`.
    #[asn1(explicit = 0)]
    pub name: PrincipalName<'a>,
    /// `realm [1] Realm`.
    #[asn1(explicit = 1)]
    pub realm: Realm<'a>,
}

/// The value of krbPrincipalKey in MIT's LDAP database
///
/// ```asn1
/// KrbKeySet ::= SEQUENCE {
///   attribute-major-vno  [0] INTEGER (0..65535),
///   attribute-minor-vno  [1] INTEGER (0..65535),
///   kvno                 [2] UInt32,
///   mkvno                [3] UInt32 OPTIONAL,
///   keys                 [4] SEQUENCE OF KrbKey,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 138.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbKeySet<'a> {
    /// `attribute-major-vno [0] INTEGER (0..65535)`.
    #[asn1(explicit = 0, name = "attribute-major-vno")]
    pub attribute_major_vno: u16,
    /// `attribute-minor-vno [1] INTEGER (0..65535)`.
    #[asn1(explicit = 1, name = "attribute-minor-vno")]
    pub attribute_minor_vno: u16,
    /// `kvno [2] UInt32`.
    #[asn1(explicit = 2)]
    pub kvno: crate::UInt32,
    /// `mkvno [3] UInt32 OPTIONAL`.
    #[asn1(explicit = 3)]
    pub mkvno: Option<crate::UInt32>,
    /// `keys [4] SEQUENCE OF KrbKey`.
    #[asn1(explicit = 4)]
    pub keys: SeqOf<'a, KrbKey<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// KrbKey ::= SEQUENCE {
///   salt       [0] KrbSalt OPTIONAL,
///   key        [1] EncryptionKey,
///   s2kparams  [2] OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosMit.asn1`, line 147.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbKey<'a> {
    /// `salt [0] KrbSalt OPTIONAL`.
    #[asn1(explicit = 0)]
    pub salt: Option<KrbSalt<'a>>,
    /// `key [1] EncryptionKey`.
    #[asn1(explicit = 1)]
    pub key: EncryptionKey<'a>,
    /// `s2kparams [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2)]
    pub s2kparams: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// KrbSalt ::= SEQUENCE {
///   type  [0] Int32,
///   salt  [1] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `KerberosMit.asn1`, line 154.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbSalt<'a> {
    /// `type [0] Int32`.
    #[asn1(explicit = 0)]
    pub r#type: Int32,
    /// `salt [1] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 1)]
    pub salt: Option<OctetStr<'a>>,
}
