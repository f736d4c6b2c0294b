//! ASN.1 module `KerberosV5Spec2`, from `KerberosV5Spec2.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The Kerberos Network Authentication Service (V5).
//! RFC 4120 Appendix A, with the component that RFC 6806 §11 adds.

use tagwise_codec::{Captured, OctetStr, SeqOf};
use tagwise_derive::Asn1;

/// Numbers, strings, times: RFC 4120 §5.2
///
/// ```asn1
/// Int32 ::= INTEGER (-2147483648..2147483647)
/// ```
///
/// `KerberosV5Spec2.asn1`, line 11.
pub type Int32 = i32;

/// ```asn1
/// Microseconds ::= INTEGER (0..999999)
/// ```
///
/// `KerberosV5Spec2.asn1`, line 16.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(0..=999999), convert)]
pub struct Microseconds(
    /// The wrapped value.
    pub u32,
);

/// ```asn1
/// Realm ::= KerberosString
/// ```
///
/// `KerberosV5Spec2.asn1`, line 21.
pub type Realm<'a> = tagwise_codec::General<'a>;

/// ```asn1
/// PrincipalName ::= SEQUENCE {
///   name-type    [0] Int32,
///   name-string  [1] SEQUENCE OF KerberosString
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 23.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PrincipalName<'a> {
    /// `name-type [0] Int32`.
    #[asn1(explicit = 0, name = "name-type")]
    pub name_type: Int32,
    /// `name-string [1] SEQUENCE OF KerberosString`.
    #[asn1(explicit = 1, name = "name-string")]
    pub name_string: SeqOf<'a, tagwise_codec::General<'a>>,
}

/// ```asn1
/// HostAddress ::= SEQUENCE {
///   addr-type  [0] Int32,
///   address    [1] OCTET STRING
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 31.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct HostAddress<'a> {
    /// `addr-type [0] Int32`.
    #[asn1(explicit = 0, name = "addr-type")]
    pub addr_type: Int32,
    /// `address [1] OCTET STRING`.
    #[asn1(explicit = 1)]
    pub address: OctetStr<'a>,
}

/// It is not empty if it is a component of a message.
///
/// ```asn1
/// HostAddresses ::= SEQUENCE OF HostAddress
/// ```
///
/// `KerberosV5Spec2.asn1`, line 37.
pub type HostAddresses<'a> = SeqOf<'a, HostAddress<'a>>;

/// It is not empty if it is a component of a message.
///
/// ```asn1
/// AuthorizationData ::= SEQUENCE OF AuthorizationDataEntry
/// ```
///
/// `KerberosV5Spec2.asn1`, line 40.
pub type AuthorizationData<'a> = SeqOf<'a, AuthorizationDataEntry<'a>>;

/// ```asn1
/// AuthorizationDataEntry ::= SEQUENCE {
///   ad-type  [0] Int32,
///   ad-data  [1] OCTET STRING
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 42.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AuthorizationDataEntry<'a> {
    /// `ad-type [0] Int32`.
    #[asn1(explicit = 0, name = "ad-type")]
    pub ad_type: Int32,
    /// `ad-data [1] OCTET STRING`.
    #[asn1(explicit = 1, name = "ad-data")]
    pub ad_data: OctetStr<'a>,
}

/// The tags of the components start at 1.
///
/// ```asn1
/// PA-DATA ::= SEQUENCE {
///   padata-type   [1] Int32,
///   padata-value  [2] OCTET STRING
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 48.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-DATA")]
pub struct PaData<'a> {
    /// `padata-type [1] Int32`.
    #[asn1(explicit = 1, name = "padata-type")]
    pub padata_type: Int32,
    /// `padata-value [2] OCTET STRING`.
    #[asn1(explicit = 2, name = "padata-value")]
    pub padata_value: OctetStr<'a>,
}

/// ```asn1
/// EncryptedData ::= SEQUENCE {
///   etype   [0] Int32,
///   kvno    [1] UInt32 OPTIONAL,
///   cipher  [2] OCTET STRING
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 56.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct EncryptedData<'a> {
    /// `etype [0] Int32`.
    #[asn1(explicit = 0)]
    pub etype: Int32,
    /// `kvno [1] UInt32 OPTIONAL`.
    #[asn1(explicit = 1)]
    pub kvno: Option<crate::UInt32>,
    /// `cipher [2] OCTET STRING`.
    #[asn1(explicit = 2)]
    pub cipher: OctetStr<'a>,
}

/// ```asn1
/// EncryptionKey ::= SEQUENCE {
///   keytype   [0] Int32,
///   keyvalue  [1] OCTET STRING
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 62.
#[derive(Asn1, Clone, Copy, PartialEq)]
pub struct EncryptionKey<'a> {
    /// `keytype [0] Int32`.
    #[asn1(explicit = 0)]
    pub keytype: Int32,
    /// `keyvalue [1] OCTET STRING`.
    #[asn1(explicit = 1, secret)]
    pub keyvalue: OctetStr<'a>,
}

/// ```asn1
/// Checksum ::= SEQUENCE {
///   cksumtype  [0] Int32,
///   checksum   [1] OCTET STRING
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 67.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Checksum<'a> {
    /// `cksumtype [0] Int32`.
    #[asn1(explicit = 0)]
    pub cksumtype: Int32,
    /// `checksum [1] OCTET STRING`.
    #[asn1(explicit = 1)]
    pub checksum: OctetStr<'a>,
}

/// Tickets: RFC 4120 §5.3
///
/// ```asn1
/// Ticket ::= [APPLICATION 1] SEQUENCE {
///   tkt-vno   [0] INTEGER (5),
///   realm     [1] Realm,
///   sname     [2] PrincipalName,
///   enc-part  [3] EncryptedData
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 74.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 1, explicit)]
pub struct Ticket<'a> {
    /// `tkt-vno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5), name = "tkt-vno")]
    pub tkt_vno: u8,
    /// `realm [1] Realm`.
    #[asn1(explicit = 1)]
    pub realm: Realm<'a>,
    /// `sname [2] PrincipalName`.
    #[asn1(explicit = 2)]
    pub sname: PrincipalName<'a>,
    /// `enc-part [3] EncryptedData`.
    #[asn1(explicit = 3, name = "enc-part")]
    pub enc_part: EncryptedData<'a>,
}

/// The content of a ticket's enc-part.
///
/// ```asn1
/// EncTicketPart ::= [APPLICATION 3] SEQUENCE {
///   flags               [0] TicketFlags,
///   key                 [1] EncryptionKey,
///   crealm              [2] Realm,
///   cname               [3] PrincipalName,
///   transited           [4] TransitedEncoding,
///   authtime            [5] KerberosTime,
///   starttime           [6] KerberosTime OPTIONAL,
///   endtime             [7] KerberosTime,
///   renew-till          [8] KerberosTime OPTIONAL,
///   caddr               [9] HostAddresses OPTIONAL,
///   authorization-data  [10] AuthorizationData OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 82.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 3, explicit, constructor)]
pub struct EncTicketPart<'a> {
    /// `flags [0] TicketFlags`.
    #[asn1(explicit = 0)]
    pub flags: TicketFlags<'a>,
    /// `key [1] EncryptionKey`.
    #[asn1(explicit = 1)]
    pub key: EncryptionKey<'a>,
    /// `crealm [2] Realm`.
    #[asn1(explicit = 2)]
    pub crealm: Realm<'a>,
    /// `cname [3] PrincipalName`.
    #[asn1(explicit = 3)]
    pub cname: PrincipalName<'a>,
    /// `transited [4] TransitedEncoding`.
    #[asn1(explicit = 4)]
    pub transited: TransitedEncoding<'a>,
    /// `authtime [5] KerberosTime`.
    #[asn1(explicit = 5)]
    pub authtime: crate::KerberosTime,
    /// `starttime [6] KerberosTime OPTIONAL`.
    #[asn1(explicit = 6)]
    pub starttime: Option<crate::KerberosTime>,
    /// `endtime [7] KerberosTime`.
    #[asn1(explicit = 7)]
    pub endtime: crate::KerberosTime,
    /// `renew-till [8] KerberosTime OPTIONAL`.
    #[asn1(explicit = 8, name = "renew-till")]
    pub renew_till: Option<crate::KerberosTime>,
    /// `caddr [9] HostAddresses OPTIONAL`.
    #[asn1(explicit = 9)]
    pub caddr: Option<HostAddresses<'a>>,
    /// `authorization-data [10] AuthorizationData OPTIONAL`.
    #[asn1(explicit = 10, name = "authorization-data")]
    pub authorization_data: Option<AuthorizationData<'a>>,
}

/// ```asn1
/// TransitedEncoding ::= SEQUENCE {
///   tr-type   [0] Int32,
///   contents  [1] OCTET STRING
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 96.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct TransitedEncoding<'a> {
    /// `tr-type [0] Int32`.
    #[asn1(explicit = 0, name = "tr-type")]
    pub tr_type: Int32,
    /// `contents [1] OCTET STRING`.
    #[asn1(explicit = 1)]
    pub contents: OctetStr<'a>,
}

/// ```asn1
/// TicketFlags ::= KerberosFlags
/// ```
///
/// `KerberosV5Spec2.asn1`, line 101.
pub type TicketFlags<'a> = crate::KerberosFlags<'a>;

/// Requests and replies of a KDC: RFC 4120 §5.4
///
/// ```asn1
/// AS-REQ ::= [APPLICATION 10] KDC-REQ
/// ```
///
/// `KerberosV5Spec2.asn1`, line 105.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AS-REQ", application = 10, explicit, convert)]
pub struct AsReq<'a>(
    /// The wrapped value.
    pub KdcReq<'a>,
);

/// ```asn1
/// TGS-REQ ::= [APPLICATION 12] KDC-REQ
/// ```
///
/// `KerberosV5Spec2.asn1`, line 107.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TGS-REQ", application = 12, explicit, convert)]
pub struct TgsReq<'a>(
    /// The wrapped value.
    pub KdcReq<'a>,
);

/// The tags of the components start at 1.
///
/// ```asn1
/// KDC-REQ ::= SEQUENCE {
///   pvno      [1] INTEGER (5),
///   msg-type  [2] INTEGER (10 | 12),
///   padata    [3] SEQUENCE OF PA-DATA OPTIONAL,
///   req-body  [4] KDC-REQ-BODY
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 110.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KDC-REQ", constructor)]
pub struct KdcReq<'a> {
    /// `pvno [1] INTEGER (5)`.
    #[asn1(explicit = 1, value(5))]
    pub pvno: u8,
    /// `msg-type [2] INTEGER (10 | 12)`.
    #[asn1(explicit = 2, value(10, 12), name = "msg-type")]
    pub msg_type: u8,
    /// `padata [3] SEQUENCE OF PA-DATA OPTIONAL`.
    #[asn1(explicit = 3)]
    pub padata: Option<SeqOf<'a, PaData<'a>>>,
    /// `req-body [4] KDC-REQ-BODY`.
    #[asn1(explicit = 4, name = "req-body")]
    pub req_body: Captured<'a, KdcReqBody<'a>>,
}

/// ```asn1
/// KDC-REQ-BODY ::= SEQUENCE {
///   kdc-options             [0] KDCOptions,
///   cname                   [1] PrincipalName OPTIONAL,
///   realm                   [2] Realm,
///   sname                   [3] PrincipalName OPTIONAL,
///   from                    [4] KerberosTime OPTIONAL,
///   till                    [5] KerberosTime,
///   rtime                   [6] KerberosTime OPTIONAL,
///   nonce                   [7] UInt32,
///   etype                   [8] SEQUENCE OF Int32,
///   addresses               [9] HostAddresses OPTIONAL,
///   enc-authorization-data  [10] EncryptedData OPTIONAL,
///   additional-tickets      [11] SEQUENCE OF Ticket OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 117.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KDC-REQ-BODY", verbatim, constructor)]
pub struct KdcReqBody<'a> {
    /// `kdc-options [0] KDCOptions`.
    #[asn1(explicit = 0, name = "kdc-options")]
    pub kdc_options: KdcOptions<'a>,
    /// `cname [1] PrincipalName OPTIONAL`.
    #[asn1(explicit = 1)]
    pub cname: Option<PrincipalName<'a>>,
    /// `realm [2] Realm`.
    #[asn1(explicit = 2)]
    pub realm: Realm<'a>,
    /// `sname [3] PrincipalName OPTIONAL`.
    #[asn1(explicit = 3)]
    pub sname: Option<PrincipalName<'a>>,
    /// `from [4] KerberosTime OPTIONAL`.
    #[asn1(explicit = 4)]
    pub from: Option<crate::KerberosTime>,
    /// `till [5] KerberosTime`.
    #[asn1(explicit = 5)]
    pub till: crate::KerberosTime,
    /// `rtime [6] KerberosTime OPTIONAL`.
    #[asn1(explicit = 6)]
    pub rtime: Option<crate::KerberosTime>,
    /// `nonce [7] UInt32`.
    #[asn1(explicit = 7)]
    pub nonce: crate::UInt32,
    /// `etype [8] SEQUENCE OF Int32`.
    #[asn1(explicit = 8)]
    pub etype: SeqOf<'a, Int32>,
    /// `addresses [9] HostAddresses OPTIONAL`.
    #[asn1(explicit = 9)]
    pub addresses: Option<HostAddresses<'a>>,
    /// `enc-authorization-data [10] EncryptedData OPTIONAL`.
    #[asn1(explicit = 10, name = "enc-authorization-data")]
    pub enc_authorization_data: Option<EncryptedData<'a>>,
    /// `additional-tickets [11] SEQUENCE OF Ticket OPTIONAL`.
    #[asn1(explicit = 11, name = "additional-tickets")]
    pub additional_tickets: Option<SeqOf<'a, Ticket<'a>>>,
}

/// ```asn1
/// KDCOptions ::= KerberosFlags
/// ```
///
/// `KerberosV5Spec2.asn1`, line 132.
pub type KdcOptions<'a> = crate::KerberosFlags<'a>;

/// ```asn1
/// AS-REP ::= [APPLICATION 11] KDC-REP
/// ```
///
/// `KerberosV5Spec2.asn1`, line 134.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AS-REP", application = 11, explicit, convert)]
pub struct AsRep<'a>(
    /// The wrapped value.
    pub KdcRep<'a>,
);

/// ```asn1
/// TGS-REP ::= [APPLICATION 13] KDC-REP
/// ```
///
/// `KerberosV5Spec2.asn1`, line 136.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TGS-REP", application = 13, explicit, convert)]
pub struct TgsRep<'a>(
    /// The wrapped value.
    pub KdcRep<'a>,
);

/// ```asn1
/// KDC-REP ::= SEQUENCE {
///   pvno      [0] INTEGER (5),
///   msg-type  [1] INTEGER (11 | 13),
///   padata    [2] SEQUENCE OF PA-DATA OPTIONAL,
///   crealm    [3] Realm,
///   cname     [4] PrincipalName,
///   ticket    [5] Ticket,
///   enc-part  [6] EncryptedData
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 138.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KDC-REP", constructor)]
pub struct KdcRep<'a> {
    /// `pvno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5))]
    pub pvno: u8,
    /// `msg-type [1] INTEGER (11 | 13)`.
    #[asn1(explicit = 1, value(11, 13), name = "msg-type")]
    pub msg_type: u8,
    /// `padata [2] SEQUENCE OF PA-DATA OPTIONAL`.
    #[asn1(explicit = 2)]
    pub padata: Option<SeqOf<'a, PaData<'a>>>,
    /// `crealm [3] Realm`.
    #[asn1(explicit = 3)]
    pub crealm: Realm<'a>,
    /// `cname [4] PrincipalName`.
    #[asn1(explicit = 4)]
    pub cname: PrincipalName<'a>,
    /// `ticket [5] Ticket`.
    #[asn1(explicit = 5)]
    pub ticket: Ticket<'a>,
    /// `enc-part [6] EncryptedData`.
    #[asn1(explicit = 6, name = "enc-part")]
    pub enc_part: EncryptedData<'a>,
}

/// The content of an AS-REP's enc-part. MIT's KDC encodes EncTGSRepPart instead, which clients should expect (§5.4.2).
///
/// ```asn1
/// EncASRepPart ::= [APPLICATION 25] EncKDCRepPart
/// ```
///
/// `KerberosV5Spec2.asn1`, line 149.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "EncASRepPart", application = 25, explicit, convert)]
pub struct EncAsRepPart<'a>(
    /// The wrapped value.
    pub EncKdcRepPart<'a>,
);

/// ```asn1
/// EncTGSRepPart ::= [APPLICATION 26] EncKDCRepPart
/// ```
///
/// `KerberosV5Spec2.asn1`, line 151.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "EncTGSRepPart", application = 26, explicit, convert)]
pub struct EncTgsRepPart<'a>(
    /// The wrapped value.
    pub EncKdcRepPart<'a>,
);

/// ```asn1
/// EncKDCRepPart ::= SEQUENCE {
///   key                [0] EncryptionKey,
///   last-req           [1] LastReq,
///   nonce              [2] UInt32,
///   key-expiration     [3] KerberosTime OPTIONAL,
///   flags              [4] TicketFlags,
///   authtime           [5] KerberosTime,
///   starttime          [6] KerberosTime OPTIONAL,
///   endtime            [7] KerberosTime,
///   renew-till         [8] KerberosTime OPTIONAL,
///   srealm             [9] Realm,
///   sname              [10] PrincipalName,
///   caddr              [11] HostAddresses OPTIONAL,
///   encrypted-pa-data  [12] METHOD-DATA OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 153.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "EncKDCRepPart", constructor)]
pub struct EncKdcRepPart<'a> {
    /// `key [0] EncryptionKey`.
    #[asn1(explicit = 0)]
    pub key: EncryptionKey<'a>,
    /// `last-req [1] LastReq`.
    #[asn1(explicit = 1, name = "last-req")]
    pub last_req: LastReq<'a>,
    /// `nonce [2] UInt32`.
    #[asn1(explicit = 2)]
    pub nonce: crate::UInt32,
    /// `key-expiration [3] KerberosTime OPTIONAL`.
    #[asn1(explicit = 3, name = "key-expiration")]
    pub key_expiration: Option<crate::KerberosTime>,
    /// `flags [4] TicketFlags`.
    #[asn1(explicit = 4)]
    pub flags: TicketFlags<'a>,
    /// `authtime [5] KerberosTime`.
    #[asn1(explicit = 5)]
    pub authtime: crate::KerberosTime,
    /// `starttime [6] KerberosTime OPTIONAL`.
    #[asn1(explicit = 6)]
    pub starttime: Option<crate::KerberosTime>,
    /// `endtime [7] KerberosTime`.
    #[asn1(explicit = 7)]
    pub endtime: crate::KerberosTime,
    /// `renew-till [8] KerberosTime OPTIONAL`.
    #[asn1(explicit = 8, name = "renew-till")]
    pub renew_till: Option<crate::KerberosTime>,
    /// `srealm [9] Realm`.
    #[asn1(explicit = 9)]
    pub srealm: Realm<'a>,
    /// `sname [10] PrincipalName`.
    #[asn1(explicit = 10)]
    pub sname: PrincipalName<'a>,
    /// `caddr [11] HostAddresses OPTIONAL`.
    #[asn1(explicit = 11)]
    pub caddr: Option<HostAddresses<'a>>,
    /// `encrypted-pa-data [12] METHOD-DATA OPTIONAL`.
    #[asn1(explicit = 12, name = "encrypted-pa-data")]
    pub encrypted_pa_data: Option<MethodData<'a>>,
}

/// ```asn1
/// LastReq ::= SEQUENCE OF LastReqEntry
/// ```
///
/// `KerberosV5Spec2.asn1`, line 169.
pub type LastReq<'a> = SeqOf<'a, LastReqEntry>;

/// ```asn1
/// LastReqEntry ::= SEQUENCE {
///   lr-type   [0] Int32,
///   lr-value  [1] KerberosTime
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 171.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct LastReqEntry {
    /// `lr-type [0] Int32`.
    #[asn1(explicit = 0, name = "lr-type")]
    pub lr_type: Int32,
    /// `lr-value [1] KerberosTime`.
    #[asn1(explicit = 1, name = "lr-value")]
    pub lr_value: crate::KerberosTime,
}

/// Between client and application: RFC 4120 §5.5 to §5.8
///
/// ```asn1
/// AP-REQ ::= [APPLICATION 14] SEQUENCE {
///   pvno           [0] INTEGER (5),
///   msg-type       [1] INTEGER (14),
///   ap-options     [2] APOptions,
///   ticket         [3] Ticket,
///   authenticator  [4] EncryptedData
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 178.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AP-REQ", application = 14, explicit)]
pub struct ApReq<'a> {
    /// `pvno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5))]
    pub pvno: u8,
    /// `msg-type [1] INTEGER (14)`.
    #[asn1(explicit = 1, value(14), name = "msg-type")]
    pub msg_type: u8,
    /// `ap-options [2] APOptions`.
    #[asn1(explicit = 2, name = "ap-options")]
    pub ap_options: ApOptions<'a>,
    /// `ticket [3] Ticket`.
    #[asn1(explicit = 3)]
    pub ticket: Ticket<'a>,
    /// `authenticator [4] EncryptedData`.
    #[asn1(explicit = 4)]
    pub authenticator: EncryptedData<'a>,
}

/// ```asn1
/// APOptions ::= KerberosFlags
/// ```
///
/// `KerberosV5Spec2.asn1`, line 186.
pub type ApOptions<'a> = crate::KerberosFlags<'a>;

/// The content of an AP-REQ's authenticator.
///
/// ```asn1
/// Authenticator ::= [APPLICATION 2] SEQUENCE {
///   authenticator-vno   [0] INTEGER (5),
///   crealm              [1] Realm,
///   cname               [2] PrincipalName,
///   cksum               [3] Checksum OPTIONAL,
///   cusec               [4] Microseconds,
///   ctime               [5] KerberosTime,
///   subkey              [6] EncryptionKey OPTIONAL,
///   seq-number          [7] UInt32 OPTIONAL,
///   authorization-data  [8] AuthorizationData OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 189.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 2, explicit, constructor)]
pub struct Authenticator<'a> {
    /// `authenticator-vno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5), name = "authenticator-vno")]
    pub authenticator_vno: u8,
    /// `crealm [1] Realm`.
    #[asn1(explicit = 1)]
    pub crealm: Realm<'a>,
    /// `cname [2] PrincipalName`.
    #[asn1(explicit = 2)]
    pub cname: PrincipalName<'a>,
    /// `cksum [3] Checksum OPTIONAL`.
    #[asn1(explicit = 3)]
    pub cksum: Option<Checksum<'a>>,
    /// `cusec [4] Microseconds`.
    #[asn1(explicit = 4)]
    pub cusec: Microseconds,
    /// `ctime [5] KerberosTime`.
    #[asn1(explicit = 5)]
    pub ctime: crate::KerberosTime,
    /// `subkey [6] EncryptionKey OPTIONAL`.
    #[asn1(explicit = 6)]
    pub subkey: Option<EncryptionKey<'a>>,
    /// `seq-number [7] UInt32 OPTIONAL`.
    #[asn1(explicit = 7, name = "seq-number")]
    pub seq_number: Option<crate::UInt32>,
    /// `authorization-data [8] AuthorizationData OPTIONAL`.
    #[asn1(explicit = 8, name = "authorization-data")]
    pub authorization_data: Option<AuthorizationData<'a>>,
}

/// ```asn1
/// AP-REP ::= [APPLICATION 15] SEQUENCE {
///   pvno      [0] INTEGER (5),
///   msg-type  [1] INTEGER (15),
///   enc-part  [2] EncryptedData
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 201.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AP-REP", application = 15, explicit)]
pub struct ApRep<'a> {
    /// `pvno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5))]
    pub pvno: u8,
    /// `msg-type [1] INTEGER (15)`.
    #[asn1(explicit = 1, value(15), name = "msg-type")]
    pub msg_type: u8,
    /// `enc-part [2] EncryptedData`.
    #[asn1(explicit = 2, name = "enc-part")]
    pub enc_part: EncryptedData<'a>,
}

/// ```asn1
/// EncAPRepPart ::= [APPLICATION 27] SEQUENCE {
///   ctime       [0] KerberosTime,
///   cusec       [1] Microseconds,
///   subkey      [2] EncryptionKey OPTIONAL,
///   seq-number  [3] UInt32 OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 207.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "EncAPRepPart", application = 27, explicit, constructor)]
pub struct EncApRepPart<'a> {
    /// `ctime [0] KerberosTime`.
    #[asn1(explicit = 0)]
    pub ctime: crate::KerberosTime,
    /// `cusec [1] Microseconds`.
    #[asn1(explicit = 1)]
    pub cusec: Microseconds,
    /// `subkey [2] EncryptionKey OPTIONAL`.
    #[asn1(explicit = 2)]
    pub subkey: Option<EncryptionKey<'a>>,
    /// `seq-number [3] UInt32 OPTIONAL`.
    #[asn1(explicit = 3, name = "seq-number")]
    pub seq_number: Option<crate::UInt32>,
}

/// ```asn1
/// KRB-SAFE ::= [APPLICATION 20] SEQUENCE {
///   pvno       [0] INTEGER (5),
///   msg-type   [1] INTEGER (20),
///   safe-body  [2] KRB-SAFE-BODY,
///   cksum      [3] Checksum
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 214.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KRB-SAFE", application = 20, explicit)]
pub struct KrbSafe<'a> {
    /// `pvno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5))]
    pub pvno: u8,
    /// `msg-type [1] INTEGER (20)`.
    #[asn1(explicit = 1, value(20), name = "msg-type")]
    pub msg_type: u8,
    /// `safe-body [2] KRB-SAFE-BODY`.
    #[asn1(explicit = 2, name = "safe-body")]
    pub safe_body: Captured<'a, KrbSafeBody<'a>>,
    /// `cksum [3] Checksum`.
    #[asn1(explicit = 3)]
    pub cksum: Checksum<'a>,
}

/// ```asn1
/// KRB-SAFE-BODY ::= SEQUENCE {
///   user-data   [0] OCTET STRING,
///   timestamp   [1] KerberosTime OPTIONAL,
///   usec        [2] Microseconds OPTIONAL,
///   seq-number  [3] UInt32 OPTIONAL,
///   s-address   [4] HostAddress,
///   r-address   [5] HostAddress OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 221.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KRB-SAFE-BODY", verbatim, constructor)]
pub struct KrbSafeBody<'a> {
    /// `user-data [0] OCTET STRING`.
    #[asn1(explicit = 0, name = "user-data")]
    pub user_data: OctetStr<'a>,
    /// `timestamp [1] KerberosTime OPTIONAL`.
    #[asn1(explicit = 1)]
    pub timestamp: Option<crate::KerberosTime>,
    /// `usec [2] Microseconds OPTIONAL`.
    #[asn1(explicit = 2)]
    pub usec: Option<Microseconds>,
    /// `seq-number [3] UInt32 OPTIONAL`.
    #[asn1(explicit = 3, name = "seq-number")]
    pub seq_number: Option<crate::UInt32>,
    /// `s-address [4] HostAddress`.
    #[asn1(explicit = 4, name = "s-address")]
    pub s_address: HostAddress<'a>,
    /// `r-address [5] HostAddress OPTIONAL`.
    #[asn1(explicit = 5, name = "r-address")]
    pub r_address: Option<HostAddress<'a>>,
}

/// A message with encrypted application data. The tag \[2\] is not used.
///
/// ```asn1
/// KRB-PRIV ::= [APPLICATION 21] SEQUENCE {
///   pvno      [0] INTEGER (5),
///   msg-type  [1] INTEGER (21),
///   enc-part  [3] EncryptedData
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 231.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KRB-PRIV", application = 21, explicit)]
pub struct KrbPriv<'a> {
    /// `pvno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5))]
    pub pvno: u8,
    /// `msg-type [1] INTEGER (21)`.
    #[asn1(explicit = 1, value(21), name = "msg-type")]
    pub msg_type: u8,
    /// `enc-part [3] EncryptedData`.
    #[asn1(explicit = 3, name = "enc-part")]
    pub enc_part: EncryptedData<'a>,
}

/// ```asn1
/// EncKrbPrivPart ::= [APPLICATION 28] SEQUENCE {
///   user-data   [0] OCTET STRING,
///   timestamp   [1] KerberosTime OPTIONAL,
///   usec        [2] Microseconds OPTIONAL,
///   seq-number  [3] UInt32 OPTIONAL,
///   s-address   [4] HostAddress,
///   r-address   [5] HostAddress OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 237.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 28, explicit, constructor)]
pub struct EncKrbPrivPart<'a> {
    /// `user-data [0] OCTET STRING`.
    #[asn1(explicit = 0, name = "user-data")]
    pub user_data: OctetStr<'a>,
    /// `timestamp [1] KerberosTime OPTIONAL`.
    #[asn1(explicit = 1)]
    pub timestamp: Option<crate::KerberosTime>,
    /// `usec [2] Microseconds OPTIONAL`.
    #[asn1(explicit = 2)]
    pub usec: Option<Microseconds>,
    /// `seq-number [3] UInt32 OPTIONAL`.
    #[asn1(explicit = 3, name = "seq-number")]
    pub seq_number: Option<crate::UInt32>,
    /// `s-address [4] HostAddress`.
    #[asn1(explicit = 4, name = "s-address")]
    pub s_address: HostAddress<'a>,
    /// `r-address [5] HostAddress OPTIONAL`.
    #[asn1(explicit = 5, name = "r-address")]
    pub r_address: Option<HostAddress<'a>>,
}

/// ```asn1
/// KRB-CRED ::= [APPLICATION 22] SEQUENCE {
///   pvno      [0] INTEGER (5),
///   msg-type  [1] INTEGER (22),
///   tickets   [2] SEQUENCE OF Ticket,
///   enc-part  [3] EncryptedData
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 246.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KRB-CRED", application = 22, explicit)]
pub struct KrbCred<'a> {
    /// `pvno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5))]
    pub pvno: u8,
    /// `msg-type [1] INTEGER (22)`.
    #[asn1(explicit = 1, value(22), name = "msg-type")]
    pub msg_type: u8,
    /// `tickets [2] SEQUENCE OF Ticket`.
    #[asn1(explicit = 2)]
    pub tickets: SeqOf<'a, Ticket<'a>>,
    /// `enc-part [3] EncryptedData`.
    #[asn1(explicit = 3, name = "enc-part")]
    pub enc_part: EncryptedData<'a>,
}

/// ```asn1
/// EncKrbCredPart ::= [APPLICATION 29] SEQUENCE {
///   ticket-info  [0] SEQUENCE OF KrbCredInfo,
///   nonce        [1] UInt32 OPTIONAL,
///   timestamp    [2] KerberosTime OPTIONAL,
///   usec         [3] Microseconds OPTIONAL,
///   s-address    [4] HostAddress OPTIONAL,
///   r-address    [5] HostAddress OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 253.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 29, explicit, constructor)]
pub struct EncKrbCredPart<'a> {
    /// `ticket-info [0] SEQUENCE OF KrbCredInfo`.
    #[asn1(explicit = 0, name = "ticket-info")]
    pub ticket_info: SeqOf<'a, KrbCredInfo<'a>>,
    /// `nonce [1] UInt32 OPTIONAL`.
    #[asn1(explicit = 1)]
    pub nonce: Option<crate::UInt32>,
    /// `timestamp [2] KerberosTime OPTIONAL`.
    #[asn1(explicit = 2)]
    pub timestamp: Option<crate::KerberosTime>,
    /// `usec [3] Microseconds OPTIONAL`.
    #[asn1(explicit = 3)]
    pub usec: Option<Microseconds>,
    /// `s-address [4] HostAddress OPTIONAL`.
    #[asn1(explicit = 4, name = "s-address")]
    pub s_address: Option<HostAddress<'a>>,
    /// `r-address [5] HostAddress OPTIONAL`.
    #[asn1(explicit = 5, name = "r-address")]
    pub r_address: Option<HostAddress<'a>>,
}

/// ```asn1
/// KrbCredInfo ::= SEQUENCE {
///   key         [0] EncryptionKey,
///   prealm      [1] Realm OPTIONAL,
///   pname       [2] PrincipalName OPTIONAL,
///   flags       [3] TicketFlags OPTIONAL,
///   authtime    [4] KerberosTime OPTIONAL,
///   starttime   [5] KerberosTime OPTIONAL,
///   endtime     [6] KerberosTime OPTIONAL,
///   renew-till  [7] KerberosTime OPTIONAL,
///   srealm      [8] Realm OPTIONAL,
///   sname       [9] PrincipalName OPTIONAL,
///   caddr       [10] HostAddresses OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 262.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KrbCredInfo<'a> {
    /// `key [0] EncryptionKey`.
    #[asn1(explicit = 0)]
    pub key: EncryptionKey<'a>,
    /// `prealm [1] Realm OPTIONAL`.
    #[asn1(explicit = 1)]
    pub prealm: Option<Realm<'a>>,
    /// `pname [2] PrincipalName OPTIONAL`.
    #[asn1(explicit = 2)]
    pub pname: Option<PrincipalName<'a>>,
    /// `flags [3] TicketFlags OPTIONAL`.
    #[asn1(explicit = 3)]
    pub flags: Option<TicketFlags<'a>>,
    /// `authtime [4] KerberosTime OPTIONAL`.
    #[asn1(explicit = 4)]
    pub authtime: Option<crate::KerberosTime>,
    /// `starttime [5] KerberosTime OPTIONAL`.
    #[asn1(explicit = 5)]
    pub starttime: Option<crate::KerberosTime>,
    /// `endtime [6] KerberosTime OPTIONAL`.
    #[asn1(explicit = 6)]
    pub endtime: Option<crate::KerberosTime>,
    /// `renew-till [7] KerberosTime OPTIONAL`.
    #[asn1(explicit = 7, name = "renew-till")]
    pub renew_till: Option<crate::KerberosTime>,
    /// `srealm [8] Realm OPTIONAL`.
    #[asn1(explicit = 8)]
    pub srealm: Option<Realm<'a>>,
    /// `sname [9] PrincipalName OPTIONAL`.
    #[asn1(explicit = 9)]
    pub sname: Option<PrincipalName<'a>>,
    /// `caddr [10] HostAddresses OPTIONAL`.
    #[asn1(explicit = 10)]
    pub caddr: Option<HostAddresses<'a>>,
}

/// The error-code determines the content of e-data: METHOD-DATA, TYPED-DATA or other data.
///
/// ```asn1
/// KRB-ERROR ::= [APPLICATION 30] SEQUENCE {
///   pvno        [0] INTEGER (5),
///   msg-type    [1] INTEGER (30),
///   ctime       [2] KerberosTime OPTIONAL,
///   cusec       [3] Microseconds OPTIONAL,
///   stime       [4] KerberosTime,
///   susec       [5] Microseconds,
///   error-code  [6] Int32,
///   crealm      [7] Realm OPTIONAL,
///   cname       [8] PrincipalName OPTIONAL,
///   realm       [9] Realm,
///   sname       [10] PrincipalName,
///   e-text      [11] KerberosString OPTIONAL,
///   e-data      [12] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 279.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KRB-ERROR", application = 30, explicit, constructor)]
pub struct KrbError<'a> {
    /// `pvno [0] INTEGER (5)`.
    #[asn1(explicit = 0, value(5))]
    pub pvno: u8,
    /// `msg-type [1] INTEGER (30)`.
    #[asn1(explicit = 1, value(30), name = "msg-type")]
    pub msg_type: u8,
    /// `ctime [2] KerberosTime OPTIONAL`.
    #[asn1(explicit = 2)]
    pub ctime: Option<crate::KerberosTime>,
    /// `cusec [3] Microseconds OPTIONAL`.
    #[asn1(explicit = 3)]
    pub cusec: Option<Microseconds>,
    /// `stime [4] KerberosTime`.
    #[asn1(explicit = 4)]
    pub stime: crate::KerberosTime,
    /// `susec [5] Microseconds`.
    #[asn1(explicit = 5)]
    pub susec: Microseconds,
    /// `error-code [6] Int32`.
    #[asn1(explicit = 6, name = "error-code")]
    pub error_code: Int32,
    /// `crealm [7] Realm OPTIONAL`.
    #[asn1(explicit = 7)]
    pub crealm: Option<Realm<'a>>,
    /// `cname [8] PrincipalName OPTIONAL`.
    #[asn1(explicit = 8)]
    pub cname: Option<PrincipalName<'a>>,
    /// `realm [9] Realm`.
    #[asn1(explicit = 9)]
    pub realm: Realm<'a>,
    /// `sname [10] PrincipalName`.
    #[asn1(explicit = 10)]
    pub sname: PrincipalName<'a>,
    /// `e-text [11] KerberosString OPTIONAL`.
    #[asn1(explicit = 11, name = "e-text")]
    pub e_text: Option<tagwise_codec::General<'a>>,
    /// `e-data [12] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 12, name = "e-data")]
    pub e_data: Option<OctetStr<'a>>,
}

/// ```asn1
/// METHOD-DATA ::= SEQUENCE OF PA-DATA
/// ```
///
/// `KerberosV5Spec2.asn1`, line 295.
pub type MethodData<'a> = SeqOf<'a, PaData<'a>>;

/// ```asn1
/// TYPED-DATA ::= SEQUENCE (SIZE (1..MAX)) OF TypedDataEntry
/// ```
///
/// `KerberosV5Spec2.asn1`, line 297.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TYPED-DATA", size(1..), convert)]
pub struct TypedData<'a>(
    /// The wrapped value.
    pub SeqOf<'a, TypedDataEntry<'a>>,
);

/// ```asn1
/// TypedDataEntry ::= SEQUENCE {
///   data-type   [0] Int32,
///   data-value  [1] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 299.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct TypedDataEntry<'a> {
    /// `data-type [0] Int32`.
    #[asn1(explicit = 0, name = "data-type")]
    pub data_type: Int32,
    /// `data-value [1] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 1, name = "data-value")]
    pub data_value: Option<OctetStr<'a>>,
}

/// Preauthentication: RFC 4120 §5.2.7
///
/// ```asn1
/// PA-ENC-TIMESTAMP ::= EncryptedData
/// ```
///
/// `KerberosV5Spec2.asn1`, line 306.
pub type PaEncTimestamp<'a> = EncryptedData<'a>;

/// ```asn1
/// PA-ENC-TS-ENC ::= SEQUENCE {
///   patimestamp  [0] KerberosTime,
///   pausec       [1] Microseconds OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 308.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-ENC-TS-ENC", constructor)]
pub struct PaEncTsEnc {
    /// `patimestamp [0] KerberosTime`.
    #[asn1(explicit = 0)]
    pub patimestamp: crate::KerberosTime,
    /// `pausec [1] Microseconds OPTIONAL`.
    #[asn1(explicit = 1)]
    pub pausec: Option<Microseconds>,
}

/// ```asn1
/// ETYPE-INFO-ENTRY ::= SEQUENCE {
///   etype  [0] Int32,
///   salt   [1] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 313.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ETYPE-INFO-ENTRY", constructor)]
pub struct EtypeInfoEntry<'a> {
    /// `etype [0] Int32`.
    #[asn1(explicit = 0)]
    pub etype: Int32,
    /// `salt [1] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 1)]
    pub salt: Option<OctetStr<'a>>,
}

/// ```asn1
/// ETYPE-INFO ::= SEQUENCE OF ETYPE-INFO-ENTRY
/// ```
///
/// `KerberosV5Spec2.asn1`, line 318.
pub type EtypeInfo<'a> = SeqOf<'a, EtypeInfoEntry<'a>>;

/// ```asn1
/// ETYPE-INFO2-ENTRY ::= SEQUENCE {
///   etype      [0] Int32,
///   salt       [1] KerberosString OPTIONAL,
///   s2kparams  [2] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 320.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ETYPE-INFO2-ENTRY", constructor)]
pub struct EtypeInfo2Entry<'a> {
    /// `etype [0] Int32`.
    #[asn1(explicit = 0)]
    pub etype: Int32,
    /// `salt [1] KerberosString OPTIONAL`.
    #[asn1(explicit = 1)]
    pub salt: Option<tagwise_codec::General<'a>>,
    /// `s2kparams [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2)]
    pub s2kparams: Option<OctetStr<'a>>,
}

/// ```asn1
/// ETYPE-INFO2 ::= SEQUENCE (SIZE (1..MAX)) OF ETYPE-INFO2-ENTRY
/// ```
///
/// `KerberosV5Spec2.asn1`, line 326.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ETYPE-INFO2", size(1..), convert)]
pub struct EtypeInfo2<'a>(
    /// The wrapped value.
    pub SeqOf<'a, EtypeInfo2Entry<'a>>,
);

/// Authorization data: RFC 4120 §5.2.6
///
/// ```asn1
/// AD-IF-RELEVANT ::= AuthorizationData
/// ```
///
/// `KerberosV5Spec2.asn1`, line 330.
pub type AdIfRelevant<'a> = AuthorizationData<'a>;

/// ```asn1
/// AD-KDCIssued ::= SEQUENCE {
///   ad-checksum  [0] Checksum,
///   i-realm      [1] Realm OPTIONAL,
///   i-sname      [2] PrincipalName OPTIONAL,
///   elements     [3] AuthorizationData
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 332.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AD-KDCIssued", constructor)]
pub struct AdKdcIssued<'a> {
    /// `ad-checksum [0] Checksum`.
    #[asn1(explicit = 0, name = "ad-checksum")]
    pub ad_checksum: Checksum<'a>,
    /// `i-realm [1] Realm OPTIONAL`.
    #[asn1(explicit = 1, name = "i-realm")]
    pub i_realm: Option<Realm<'a>>,
    /// `i-sname [2] PrincipalName OPTIONAL`.
    #[asn1(explicit = 2, name = "i-sname")]
    pub i_sname: Option<PrincipalName<'a>>,
    /// `elements [3] AuthorizationData`.
    #[asn1(explicit = 3)]
    pub elements: AuthorizationData<'a>,
}

/// ```asn1
/// AD-AND-OR ::= SEQUENCE {
///   condition-count  [0] Int32,
///   elements         [1] AuthorizationData
/// }
/// ```
///
/// `KerberosV5Spec2.asn1`, line 339.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AD-AND-OR")]
pub struct AdAndOr<'a> {
    /// `condition-count [0] Int32`.
    #[asn1(explicit = 0, name = "condition-count")]
    pub condition_count: Int32,
    /// `elements [1] AuthorizationData`.
    #[asn1(explicit = 1)]
    pub elements: AuthorizationData<'a>,
}

/// ```asn1
/// AD-MANDATORY-FOR-KDC ::= AuthorizationData
/// ```
///
/// `KerberosV5Spec2.asn1`, line 344.
pub type AdMandatoryForKdc<'a> = AuthorizationData<'a>;
