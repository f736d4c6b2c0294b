//! ASN.1 module `IPAddrAndASCertExtn-2010`, from `IPAddrAndASCertExtn-2010.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Extensions for the IP addresses and autonomous systems of a subject.
//! RFC 3779, in the form of RFC 6268 §9.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Int, OctetStr, Oid, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// id-pe-ipAddrBlocks OBJECT IDENTIFIER ::= { id-pe 7 }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 25.
pub const ID_PE_IP_ADDR_BLOCKS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.1.7");

/// ```asn1
/// IPAddrBlocks ::= SEQUENCE OF IPAddressFamily
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 28.
///
/// RFC 3779 §2.2.3.1: one entry a family, in ascending order.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::{IpAddrBlocks, IpAddressChoice, IpAddressOrRange};
/// // IPv4: 10.0.0.0/8.
/// let der = [0x30, 0x0C, 0x30, 0x0A, 0x04, 0x02, 0x00, 0x01, 0x30, 0x04, 0x03, 0x02, 0x00, 0x0A];
/// let blocks = IpAddrBlocks::from_der(&der)?;
/// let family = blocks.0.iter().next().unwrap()?;
/// assert_eq!(family.afi(), Some(1));
/// let IpAddressChoice::AddressesOrRanges(addresses) = family.ip_address_choice else { panic!() };
/// let IpAddressOrRange::AddressPrefix(prefix) = addresses.iter().next().unwrap()? else { panic!() };
/// assert_eq!((prefix.as_bytes(), prefix.bit_len()), (&[10][..], 8));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "IPAddrBlocks", convert)]
pub struct IpAddrBlocks<'a>(
    /// The wrapped value.
    pub SeqOf<'a, IpAddressFamily<'a>>,
);

/// ```asn1
/// IPAddressFamily ::= SEQUENCE {
///   addressFamily    OCTET STRING (SIZE (2..3)),
///   ipAddressChoice  IPAddressChoice
/// }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 31.
///
/// RFC 3779 §2.2.3.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "IPAddressFamily")]
pub struct IpAddressFamily<'a> {
    /// The address family identifier (two bytes), optionally followed by a subsequent one (one byte).
    #[asn1(size(2..=3))]
    pub address_family: OctetStr<'a>,
    /// The addresses of this family.
    pub ip_address_choice: IpAddressChoice<'a>,
}

/// ```asn1
/// IPAddressChoice ::= CHOICE {
///   inherit            NULL,
///   addressesOrRanges  SEQUENCE OF IPAddressOrRange
/// }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 36.
///
/// RFC 3779 §2.2.3.5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "IPAddressChoice")]
pub enum IpAddressChoice<'a> {
    /// Inherited from the issuer's certificate.
    Inherit,
    /// The listed addresses and ranges.
    AddressesOrRanges(SeqOf<'a, IpAddressOrRange<'a>>),
}

/// ```asn1
/// IPAddressOrRange ::= CHOICE {
///   addressPrefix  IPAddress,
///   addressRange   IPAddressRange
/// }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 41.
///
/// RFC 3779 §2.2.3.7, §2.2.3.8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "IPAddressOrRange")]
pub enum IpAddressOrRange<'a> {
    /// An address prefix.
    AddressPrefix(tagwise_codec::BitStr<'a>),
    /// A range of addresses.
    AddressRange(IpAddressRange<'a>),
}

/// ```asn1
/// IPAddressRange ::= SEQUENCE {
///   min  IPAddress,
///   max  IPAddress
/// }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 47.
///
/// RFC 3779 §2.2.3.9. Trailing zero bits of the first address and trailing one bits of the last are omitted.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "IPAddressRange")]
pub struct IpAddressRange<'a> {
    /// The first address.
    pub min: tagwise_codec::BitStr<'a>,
    /// The last address.
    pub max: tagwise_codec::BitStr<'a>,
}

/// ```asn1
/// id-pe-autonomousSysIds OBJECT IDENTIFIER ::= { id-pe 8 }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 60.
pub const ID_PE_AUTONOMOUS_SYS_IDS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.1.8");

/// ```asn1
/// ASIdentifiers ::= SEQUENCE {
///   asnum  [0] ASIdentifierChoice OPTIONAL,
///   rdi    [1] ASIdentifierChoice OPTIONAL
/// }
///   (WITH COMPONENTS { ..., asnum PRESENT } |
///    WITH COMPONENTS { ..., rdi PRESENT })
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 62.
///
/// RFC 3779 §3.2.3.1, with the constraint of RFC 6268 §9.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::{AsIdentifierChoice, AsIdentifiers};
/// let identifiers = AsIdentifiers::from_der(&[0x30, 0x04, 0xA0, 0x02, 0x05, 0x00])?;
/// assert_eq!(identifiers.asnum, Some(AsIdentifierChoice::Inherit));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
#[asn1(name = "ASIdentifiers", check = crate::ext::check_identifiers)]
pub struct AsIdentifiers<'a> {
    /// The autonomous system numbers.
    #[asn1(explicit = 0)]
    pub asnum: Option<AsIdentifierChoice<'a>>,
    /// The routing domain identifiers.
    #[asn1(explicit = 1)]
    pub rdi: Option<AsIdentifierChoice<'a>>,
}

/// ```asn1
/// ASIdentifierChoice ::= CHOICE {
///   inherit        NULL,
///   asIdsOrRanges  SEQUENCE OF ASIdOrRange
/// }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 69.
///
/// RFC 3779 §3.2.3.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ASIdentifierChoice")]
pub enum AsIdentifierChoice<'a> {
    /// Inherited from the issuer's certificate.
    Inherit,
    /// The listed numbers and ranges.
    AsIdsOrRanges(SeqOf<'a, AsIdOrRange<'a>>),
}

/// ```asn1
/// ASIdOrRange ::= CHOICE {
///   id     ASId,
///   range  ASRange
/// }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 75.
///
/// RFC 3779 §3.2.3.6, §3.2.3.9. Entries are in ascending order, and adjacent numbers are joined to ranges.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "ASIdOrRange")]
pub enum AsIdOrRange<'a> {
    /// A single number.
    Id(AsId<'a>),
    /// A range of numbers.
    Range(AsRange<'a>),
}

/// ```asn1
/// ASRange ::= SEQUENCE {
///   min  ASId,
///   max  ASId
/// }
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 80.
///
/// RFC 3779 §3.2.3.8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "ASRange")]
pub struct AsRange<'a> {
    /// The first number.
    pub min: AsId<'a>,
    /// The last number.
    pub max: AsId<'a>,
}

/// ```asn1
/// ASId ::= INTEGER
/// ```
///
/// `IPAddrAndASCertExtn-2010.asn1`, line 85.
pub type AsId<'a> = Int<'a>;
