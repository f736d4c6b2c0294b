//! The iPAddress of a GeneralName: an address or, in name constraints, an address with a mask (RFC 5280 §4.2.1.6,
//! §4.2.1.10).

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tagwise_codec::table::Type;
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{DecodeValue, EncodeError, EncodeValue, Fault, OctetStr, Reader, Tag, Tagged, Typed, Writer};
use tagwise_derive::Asn1;

use crate::profile;

/// The `iPAddress` of a host: 4 bytes (IPv4) or 16 (IPv6) in network byte order (RFC 5280 §4.2.1.6).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::{GeneralName, IpAddress};
/// let address = IpAddress::v4(&[192, 0, 2, 1]);
/// assert_eq!(address.addr(), Some([192, 0, 2, 1].into()));
/// assert_eq!(address.to_string(), "192.0.2.1");
/// // Five octets are no address.
/// let error = GeneralName::from_der(&[0x87, 5, 192, 0, 2, 1, 9]).unwrap_err();
/// assert_eq!(error.code(), "ip-address");
/// ```
#[derive(Asn1, Clone, Copy, PartialEq, Eq, Hash)]
#[asn1(name = "OCTET STRING", check = check_address, rules(profile::IP_ADDRESS))]
pub struct IpAddress<'a>(Octets<'a>);

/// The bytes of an address: as they were read, or of an [`IpAddr`].
#[derive(Clone, Copy)]
enum Octets<'a> {
    Read(OctetStr<'a>),
    V4([u8; 4]),
    V6([u8; 16]),
}

impl Octets<'_> {
    const fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Read(octets) => octets.as_bytes(),
            Self::V4(octets) => octets,
            Self::V6(octets) => octets,
        }
    }
}

impl PartialEq for Octets<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Octets<'_> {}

impl core::hash::Hash for Octets<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl Typed for Octets<'_> {
    fn ty() -> &'static Type {
        OctetStr::ty()
    }
}

impl Tagged for Octets<'_> {
    const TAG: Tag = Tag::OCTET_STRING;
}

impl<'a> DecodeValue<'a> for Octets<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        OctetStr::decode_value(reader, len).map(Self::Read)
    }
}

impl EncodeValue for Octets<'_> {
    fn value_len(&self) -> usize {
        self.as_bytes().len()
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.as_bytes())
    }
}

impl<'a> IpAddress<'a> {
    /// Creates an IPv4 address.
    #[must_use]
    pub const fn v4(octets: &'a [u8; 4]) -> Self {
        Self(Octets::Read(OctetStr::new(octets)))
    }

    /// Creates an IPv6 address.
    #[must_use]
    pub const fn v6(octets: &'a [u8; 16]) -> Self {
        Self(Octets::Read(OctetStr::new(octets)))
    }

    /// Returns the address bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Returns the address, or `None` if its length is invalid, which only [`profile::IP_ADDRESS`] tolerates.
    #[must_use]
    pub fn addr(&self) -> Option<IpAddr> {
        addr(self.as_bytes())
    }
}

/// Converts a standard library address.
///
/// ```
/// use tagwise_x509::ext::{GeneralName, IpAddress};
/// let address: std::net::IpAddr = "2001:db8::1".parse()?;
/// assert_eq!(GeneralName::from(address).to_string(), "IP:2001:db8::1");
/// assert_eq!(IpAddress::from(address).addr(), Some(address));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
impl From<IpAddr> for IpAddress<'_> {
    fn from(address: IpAddr) -> Self {
        Self(match address {
            IpAddr::V4(address) => Octets::V4(address.octets()),
            IpAddr::V6(address) => Octets::V6(address.octets()),
        })
    }
}

impl fmt::Debug for IpAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IpAddress({self})")
    }
}

impl fmt::Display for IpAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.addr() {
            Some(addr) => addr.fmt(f),
            None => write!(f, "{:X}", Hex(self.as_bytes())),
        }
    }
}

/// The `iPAddress` of a name constraint: an address and a mask, 8 bytes (IPv4) or 32 (IPv6) (RFC 5280 §4.2.1.10).
///
/// The mask need not be a prefix, and the address may have bits outside the mask. Both occur in real certificates.
///
/// ```
/// use tagwise_x509::ext::IpSubnet;
/// let subnet = IpSubnet::v4(&[192, 0, 2, 0, 255, 255, 255, 0]);
/// assert_eq!(subnet.prefix_len(), Some(24));
/// assert_eq!(subnet.to_string(), "192.0.2.0/24");
/// assert!(subnet.contains([192, 0, 2, 77].into()));
/// assert!(!subnet.contains([192, 0, 3, 77].into()));
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "OCTET STRING", check = check_subnet, rules(profile::IP_ADDRESS))]
pub struct IpSubnet<'a>(OctetStr<'a>);

impl<'a> IpSubnet<'a> {
    /// Creates a subnet from an IPv4 address and its mask.
    #[must_use]
    pub const fn v4(octets: &'a [u8; 8]) -> Self {
        Self(OctetStr::new(octets))
    }

    /// Creates a subnet from an IPv6 address and its mask.
    #[must_use]
    pub const fn v6(octets: &'a [u8; 32]) -> Self {
        Self(OctetStr::new(octets))
    }

    /// Returns the bytes of the address and mask.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0.as_bytes()
    }

    fn halves(&self) -> (&'a [u8], &'a [u8]) {
        let octets = self.as_bytes();
        octets.split_at_checked(octets.len() / 2).unwrap_or_default()
    }

    /// Returns the address, or `None` if its length is invalid, which only [`profile::IP_ADDRESS`] tolerates.
    #[must_use]
    pub fn addr(&self) -> Option<IpAddr> {
        addr(self.halves().0)
    }

    /// Returns the subnet mask, or `None` if its length is invalid.
    #[must_use]
    pub fn mask(&self) -> Option<IpAddr> {
        addr(self.halves().1)
    }

    /// Returns the prefix length, if the mask is a prefix.
    #[must_use]
    pub fn prefix_len(&self) -> Option<u8> {
        let (ones, zeros) = match self.mask()? {
            IpAddr::V4(mask) => (mask.to_bits().leading_ones(), 32 - mask.to_bits().count_ones()),
            IpAddr::V6(mask) => (mask.to_bits().leading_ones(), 128 - mask.to_bits().count_ones()),
        };
        let bits = if self.as_bytes().len() == 8 { 32 } else { 128 };
        if ones + zeros == bits { u8::try_from(ones).ok() } else { None }
    }

    /// Returns whether the subnet contains an address. Addresses of the other IP version are never contained.
    #[must_use]
    pub fn contains(&self, addr: IpAddr) -> bool {
        match (self.addr(), self.mask(), addr) {
            (Some(IpAddr::V4(base)), Some(IpAddr::V4(mask)), IpAddr::V4(addr)) => {
                (base.to_bits() ^ addr.to_bits()) & mask.to_bits() == 0
            }
            (Some(IpAddr::V6(base)), Some(IpAddr::V6(mask)), IpAddr::V6(addr)) => {
                (base.to_bits() ^ addr.to_bits()) & mask.to_bits() == 0
            }
            _ => false,
        }
    }
}

impl fmt::Display for IpSubnet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.addr(), self.prefix_len(), self.mask()) {
            (Some(addr), Some(len), _) => write!(f, "{addr}/{len}"),
            (Some(addr), None, Some(mask)) => write!(f, "{addr}/{mask}"),
            _ => write!(f, "{:X}", Hex(self.as_bytes())),
        }
    }
}

fn addr(octets: &[u8]) -> Option<IpAddr> {
    match <[u8; 4]>::try_from(octets) {
        Ok(octets) => Some(Ipv4Addr::from(octets).into()),
        Err(_) => <[u8; 16]>::try_from(octets).ok().map(|octets| Ipv6Addr::from(octets).into()),
    }
}

#[inline]
fn check_address(address: &IpAddress<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if matches!(address.as_bytes().len(), 4 | 16) { Ok(()) } else { reader.deviate_profile(&profile::IP_ADDRESS, at) }
}

#[inline]
fn check_subnet(subnet: &IpSubnet<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if matches!(subnet.0.len(), 8 | 32) { Ok(()) } else { reader.deviate_profile(&profile::IP_ADDRESS, at) }
}
