//! ASN.1 module `RPKI-ROA-2023`, from `RPKI-ROA-2023.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Route origin authorizations of the RPKI: prefixes that an autonomous system may announce.
//! RFC 9582 §4.

use tagwise_codec::{BitStr, Int, OctetStr, Oid, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// id-ct-routeOriginAuthz OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) ct(1) 24 }
/// ```
///
/// `RPKI-ROA-2023.asn1`, line 18.
pub const ID_CT_ROUTE_ORIGIN_AUTHZ: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.24");

/// ```asn1
/// RouteOriginAttestation ::= SEQUENCE {
///   version       [0] INTEGER DEFAULT 0,
///   asID          ASID,
///   ipAddrBlocks  SEQUENCE SIZE (1..2) OF ROAIPAddressFamily
/// }
/// ```
///
/// `RPKI-ROA-2023.asn1`, line 21.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct RouteOriginAttestation<'a> {
    /// `version [0] INTEGER DEFAULT 0`.
    #[asn1(explicit = 0, default = Int::from_signed(&[0x00]))]
    pub version: Int<'a>,
    /// `asID ASID`.
    #[asn1(name = "asID")]
    pub as_id: AsId,
    /// `ipAddrBlocks SEQUENCE SIZE (1..2) OF ROAIPAddressFamily`.
    #[asn1(size(1..=2))]
    pub ip_addr_blocks: SeqOf<'a, RoaIpAddressFamily<'a>>,
}

/// ```asn1
/// ASID ::= INTEGER (0..4294967295)
/// ```
///
/// `RPKI-ROA-2023.asn1`, line 27.
pub type AsId = u32;

/// The address family is 0001 for IPv4 or 0002 for IPv6, each at most once (§4.3.3). IPv4 prefixes have at most 32 bits.
///
/// ```asn1
/// ROAIPAddressFamily ::= SEQUENCE {
///   addressFamily  OCTET STRING (SIZE (2)),
///   addresses      SEQUENCE SIZE (1..MAX) OF ROAIPAddress
/// }
/// ```
///
/// `RPKI-ROA-2023.asn1`, line 30.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(rules(tagwise_x509::profile::ROA_PREFIX))]
#[asn1(name = "ROAIPAddressFamily", check = crate::rpki::check_family)]
pub struct RoaIpAddressFamily<'a> {
    /// `addressFamily OCTET STRING (SIZE (2))`.
    #[asn1(size(2))]
    pub address_family: OctetStr<'a>,
    /// `addresses SEQUENCE SIZE (1..MAX) OF ROAIPAddress`.
    #[asn1(size(1..))]
    pub addresses: SeqOf<'a, RoaIpAddress<'a>>,
}

/// A prefix, and the longest prefix within it that may be announced (§4.3.2.2).
///
/// ```asn1
/// ROAIPAddress ::= SEQUENCE {
///   address    BIT STRING (SIZE (0..128)),
///   maxLength  INTEGER (0..128) OPTIONAL
/// }
/// ```
///
/// `RPKI-ROA-2023.asn1`, line 36.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ROAIPAddress", constructor)]
pub struct RoaIpAddress<'a> {
    /// `address BIT STRING (SIZE (0..128))`.
    #[asn1(size(0..=128))]
    pub address: BitStr<'a>,
    /// `maxLength INTEGER (0..128) OPTIONAL`.
    #[asn1(value(0..=128))]
    pub max_length: Option<u8>,
}
