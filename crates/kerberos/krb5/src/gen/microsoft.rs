//! ASN.1 module `KerberosMicrosoft`, from `KerberosMicrosoft.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Extensions of Microsoft: MS-KILE §2.2, MS-SFU §2.2, MS-KKDCP §2.2.2.
//! No module is published; this one is the project's.

use super::kerberos::{Checksum, EncryptionKey, Int32, PrincipalName, Realm};
use tagwise_codec::{Additions, BitStr, Captured, Int, OctetStr, SeqOf};
use tagwise_derive::Asn1;

/// MS-KILE
///
/// ```asn1
/// KERB-PA-PAC-REQUEST ::= SEQUENCE {
///   include-pac  [0] BOOLEAN
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 14.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KERB-PA-PAC-REQUEST")]
pub struct KerbPaPacRequest {
    /// `include-pac [0] BOOLEAN`.
    #[asn1(explicit = 0, name = "include-pac")]
    pub include_pac: bool,
}

/// ```asn1
/// KERB-ERROR-DATA ::= SEQUENCE {
///   data-type   [1] INTEGER,
///   data-value  [2] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 18.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KERB-ERROR-DATA", constructor)]
pub struct KerbErrorData<'a> {
    /// `data-type [1] INTEGER`.
    #[asn1(explicit = 1, name = "data-type")]
    pub data_type: Int<'a>,
    /// `data-value [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2, name = "data-value")]
    pub data_value: Option<OctetStr<'a>>,
}

/// Bits: claims(0), branch-aware(1), forward-to-full-DC(2), resource-based-constrained-delegation(3).
///
/// ```asn1
/// PA-PAC-OPTIONS ::= SEQUENCE {
///   flags  [0] KerberosFlags
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 24.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-PAC-OPTIONS")]
pub struct PaPacOptions<'a> {
    /// `flags [0] KerberosFlags`.
    #[asn1(explicit = 0)]
    pub flags: crate::KerberosFlags<'a>,
}

/// ```asn1
/// KERB-AD-RESTRICTION-ENTRY ::= SEQUENCE OF AdRestriction
/// ```
///
/// `KerberosMicrosoft.asn1`, line 28.
pub type KerbAdRestrictionEntry<'a> = SeqOf<'a, AdRestriction<'a>>;

/// ```asn1
/// AdRestriction ::= SEQUENCE {
///   restriction-type  [0] Int32,
///   restriction       [1] OCTET STRING
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 30.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AdRestriction<'a> {
    /// `restriction-type [0] Int32`.
    #[asn1(explicit = 0, name = "restriction-type")]
    pub restriction_type: Int32,
    /// `restriction [1] OCTET STRING`.
    #[asn1(explicit = 1)]
    pub restriction: OctetStr<'a>,
}

/// ```asn1
/// KERB-KEY-LIST-REQ ::= SEQUENCE OF Int32
/// ```
///
/// `KerberosMicrosoft.asn1`, line 35.
pub type KerbKeyListReq<'a> = SeqOf<'a, Int32>;

/// ```asn1
/// KERB-KEY-LIST-REP ::= SEQUENCE OF EncryptionKey
/// ```
///
/// `KerberosMicrosoft.asn1`, line 37.
pub type KerbKeyListRep<'a> = SeqOf<'a, EncryptionKey<'a>>;

/// ```asn1
/// KERB-SUPERSEDED-BY-USER ::= SEQUENCE {
///   name   [0] PrincipalName,
///   realm  [1] Realm
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 39.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KERB-SUPERSEDED-BY-USER")]
pub struct KerbSupersededByUser<'a> {
    /// `name [0] PrincipalName`.
    #[asn1(explicit = 0)]
    pub name: PrincipalName<'a>,
    /// `realm [1] Realm`.
    #[asn1(explicit = 1)]
    pub realm: Realm<'a>,
}

/// ```asn1
/// KERB-DMSA-KEY-PACKAGE ::= SEQUENCE {
///   current-keys         [0] SEQUENCE OF EncryptionKey,
///   previous-keys        [1] SEQUENCE OF EncryptionKey OPTIONAL,
///   expiration-interval  [2] KerberosTime,
///   fetch-interval       [3] KerberosTime
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 44.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KERB-DMSA-KEY-PACKAGE", constructor)]
pub struct KerbDmsaKeyPackage<'a> {
    /// `current-keys [0] SEQUENCE OF EncryptionKey`.
    #[asn1(explicit = 0, name = "current-keys")]
    pub current_keys: SeqOf<'a, EncryptionKey<'a>>,
    /// `previous-keys [1] SEQUENCE OF EncryptionKey OPTIONAL`.
    #[asn1(explicit = 1, name = "previous-keys")]
    pub previous_keys: Option<SeqOf<'a, EncryptionKey<'a>>>,
    /// `expiration-interval [2] KerberosTime`.
    #[asn1(explicit = 2, name = "expiration-interval")]
    pub expiration_interval: crate::KerberosTime,
    /// `fetch-interval [3] KerberosTime`.
    #[asn1(explicit = 3, name = "fetch-interval")]
    pub fetch_interval: crate::KerberosTime,
}

/// MS-SFU
///
/// ```asn1
/// PA-FOR-USER ::= SEQUENCE {
///   userName      [0] PrincipalName,
///   userRealm     [1] Realm,
///   cksum         [2] Checksum,
///   auth-package  [3] KerberosString
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 53.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-FOR-USER")]
pub struct PaForUser<'a> {
    /// `userName [0] PrincipalName`.
    #[asn1(explicit = 0)]
    pub user_name: PrincipalName<'a>,
    /// `userRealm [1] Realm`.
    #[asn1(explicit = 1)]
    pub user_realm: Realm<'a>,
    /// `cksum [2] Checksum`.
    #[asn1(explicit = 2)]
    pub cksum: Checksum<'a>,
    /// `auth-package [3] KerberosString`.
    #[asn1(explicit = 3, name = "auth-package")]
    pub auth_package: tagwise_codec::General<'a>,
}

/// The checksum covers the encoding of user-id.
///
/// ```asn1
/// PA-S4U-X509-USER ::= SEQUENCE {
///   user-id   [0] S4UUserID,
///   checksum  [1] Checksum
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 61.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-S4U-X509-USER")]
pub struct PaS4uX509User<'a> {
    /// `user-id [0] S4UUserID`.
    #[asn1(explicit = 0, name = "user-id")]
    pub user_id: Captured<'a, S4uUserId<'a>>,
    /// `checksum [1] Checksum`.
    #[asn1(explicit = 1)]
    pub checksum: Checksum<'a>,
}

/// ```asn1
/// S4UUserID ::= SEQUENCE {
///   nonce                [0] UInt32,
///   cname                [1] PrincipalName OPTIONAL,
///   crealm               [2] Realm,
///   subject-certificate  [3] OCTET STRING OPTIONAL,
///   options              [4] BIT STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 66.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "S4UUserID", verbatim, constructor)]
pub struct S4uUserId<'a> {
    /// `nonce [0] UInt32`.
    #[asn1(explicit = 0)]
    pub nonce: crate::UInt32,
    /// `cname [1] PrincipalName OPTIONAL`.
    #[asn1(explicit = 1)]
    pub cname: Option<PrincipalName<'a>>,
    /// `crealm [2] Realm`.
    #[asn1(explicit = 2)]
    pub crealm: Realm<'a>,
    /// `subject-certificate [3] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 3, name = "subject-certificate")]
    pub subject_certificate: Option<OctetStr<'a>>,
    /// `options [4] BIT STRING OPTIONAL`.
    #[asn1(explicit = 4)]
    pub options: Option<BitStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// kerb-message starts with the length prefix used over TCP.
///
/// ```asn1
/// KDC-PROXY-MESSAGE ::= SEQUENCE {
///   kerb-message    [0] OCTET STRING,
///   target-domain   [1] Realm OPTIONAL,
///   dclocator-hint  [2] INTEGER OPTIONAL
/// }
/// ```
///
/// `KerberosMicrosoft.asn1`, line 78.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KDC-PROXY-MESSAGE", constructor)]
pub struct KdcProxyMessage<'a> {
    /// `kerb-message [0] OCTET STRING`.
    #[asn1(explicit = 0, name = "kerb-message")]
    pub kerb_message: OctetStr<'a>,
    /// `target-domain [1] Realm OPTIONAL`.
    #[asn1(explicit = 1, name = "target-domain")]
    pub target_domain: Option<Realm<'a>>,
    /// `dclocator-hint [2] INTEGER OPTIONAL`.
    #[asn1(explicit = 2, name = "dclocator-hint")]
    pub dclocator_hint: Option<Int<'a>>,
}
