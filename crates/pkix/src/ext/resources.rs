//! Which IP addresses and autonomous systems a certificate speaks for (RFC 3779). Whether they lie within the issuer's is
//! for path validation; nothing here compares them.

use tagwise_codec::{BitStr, Fault, Int, Kind, OctetStr, Reader, Rule, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// IPAddrBlocks        ::= SEQUENCE OF IPAddressFamily
/// ```
///
/// RFC 3779 §2.2.3.1.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::ext::{IpAddrBlocks, IpAddressChoice, IpAddressOrRange};
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
#[asn1(name = "IPAddrBlocks")]
pub struct IpAddrBlocks<'a>(
    /// The families.
    pub SeqOf<'a, IpAddressFamily<'a>>,
);

/// ```asn1
/// IPAddressFamily     ::= SEQUENCE {    -- AFI & optional SAFI --
///    addressFamily        OCTET STRING (SIZE (2..3)),
///    ipAddressChoice      IPAddressChoice }
/// ```
///
/// RFC 3779 §2.2.3.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "IPAddressFamily")]
pub struct IpAddressFamily<'a> {
    /// Address family identifier, two octets, and perhaps a subsequent one.
    #[asn1(size(2..=3))]
    pub address_family: OctetStr<'a>,
    /// The addresses.
    pub ip_address_choice: IpAddressChoice<'a>,
}

impl IpAddressFamily<'_> {
    /// The address family: 1 is IPv4, 2 is IPv6.
    #[must_use]
    pub fn afi(&self) -> Option<u16> {
        self.address_family.as_bytes().first_chunk().map(|afi| u16::from_be_bytes(*afi))
    }
}

/// ```asn1
/// IPAddressChoice     ::= CHOICE {
///    inherit              NULL, -- inherit from issuer --
///    addressesOrRanges    SEQUENCE OF IPAddressOrRange }
/// ```
///
/// RFC 3779 §2.2.3.5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice, name = "IPAddressChoice")]
pub enum IpAddressChoice<'a> {
    /// The same as the issuer's.
    Inherit,
    /// These.
    AddressesOrRanges(SeqOf<'a, IpAddressOrRange<'a>>),
}

/// ```asn1
/// IPAddressOrRange    ::= CHOICE {
///    addressPrefix        IPAddress,
///    addressRange         IPAddressRange }
///
/// IPAddress           ::= BIT STRING
/// ```
///
/// RFC 3779 §2.2.3.7, §2.2.3.8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "IPAddressOrRange")]
pub enum IpAddressOrRange<'a> {
    /// All addresses that start with these bits.
    AddressPrefix(BitStr<'a>),
    /// All addresses from one to another.
    AddressRange(IpAddressRange<'a>),
}

/// ```asn1
/// IPAddressRange      ::= SEQUENCE {
///    min                  IPAddress,
///    max                  IPAddress }
/// ```
///
/// RFC 3779 §2.2.3.9. Trailing zero bits of the first address are left out, and trailing one bits of the last.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "IPAddressRange")]
pub struct IpAddressRange<'a> {
    /// The first address.
    pub min: BitStr<'a>,
    /// The last address.
    pub max: BitStr<'a>,
}

/// ```asn1
/// ASIdentifiers       ::= SEQUENCE {
///     asnum               [0] ASIdentifierChoice OPTIONAL,
///     rdi                 [1] ASIdentifierChoice OPTIONAL }
/// ```
///
/// RFC 3779 §3.2.3.1; that one of them is there is a constraint of the ASN.1 in RFC 6268.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::ext::{AsIdentifierChoice, AsIdentifiers};
/// let identifiers = AsIdentifiers::from_der(&[0x30, 0x04, 0xA0, 0x02, 0x05, 0x00])?;
/// assert_eq!(identifiers.asnum, Some(AsIdentifierChoice::Inherit));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ASIdentifiers", check = check_identifiers)]
pub struct AsIdentifiers<'a> {
    /// Autonomous system numbers.
    #[asn1(explicit = 0)]
    pub asnum: Option<AsIdentifierChoice<'a>>,
    /// Routing domain identifiers.
    #[asn1(explicit = 1)]
    pub rdi: Option<AsIdentifierChoice<'a>>,
}

fn check_identifiers(identifiers: &AsIdentifiers<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if identifiers.asnum.is_some() || identifiers.rdi.is_some() {
        Ok(())
    } else {
        reader.deviate(&Rule::VALUE, Kind::Value, at)
    }
}

/// ```asn1
/// ASIdentifierChoice  ::= CHOICE {
///    inherit              NULL, -- inherit from issuer --
///    asIdsOrRanges        SEQUENCE OF ASIdOrRange }
/// ```
///
/// RFC 3779 §3.2.3.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice, name = "ASIdentifierChoice")]
pub enum AsIdentifierChoice<'a> {
    /// The same as the issuer's.
    Inherit,
    /// These.
    AsIdsOrRanges(SeqOf<'a, AsIdOrRange<'a>>),
}

/// ```asn1
/// ASIdOrRange         ::= CHOICE {
///     id                  ASId,
///     range               ASRange }
///
/// ASId                ::= INTEGER
/// ```
///
/// RFC 3779 §3.2.3.6, §3.2.3.9.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "ASIdOrRange")]
pub enum AsIdOrRange<'a> {
    /// One number.
    Id(Int<'a>),
    /// All numbers from one to another.
    Range(AsRange<'a>),
}

/// ```asn1
/// ASRange             ::= SEQUENCE {
///     min                 ASId,
///     max                 ASId }
/// ```
///
/// RFC 3779 §3.2.3.8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "ASRange")]
pub struct AsRange<'a> {
    /// The first number.
    pub min: Int<'a>,
    /// The last number.
    pub max: Int<'a>,
}
