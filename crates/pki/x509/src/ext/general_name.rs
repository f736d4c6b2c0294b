//! GeneralName and the extensions that contain it (RFC 5280 §4.2.1.6, §4.2.1.7). Names are not compared here.

use core::fmt;

use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Any, Fault, Ia5, Items, Lend, Oid, Open, SeqOf};
use tagwise_derive::Asn1;

use crate::ext::{IpAddress, IpSubnet, OtherNameValue};
use crate::name::{DirectoryString, Name, visible};

/// ```asn1
/// GeneralName ::= CHOICE {
///      otherName                       [0]     OtherName,
///      rfc822Name                      [1]     IA5String,
///      dNSName                         [2]     IA5String,
///      x400Address                     [3]     ORAddress,
///      directoryName                   [4]     Name,
///      ediPartyName                    [5]     EDIPartyName,
///      uniformResourceIdentifier       [6]     IA5String,
///      iPAddress                       [7]     OCTET STRING,
///      registeredID                    [8]     OBJECT IDENTIFIER }
/// ```
///
/// A GeneralName, generic over the type of its iPAddress (RFC 5280 §4.2.1.6): see [`GeneralName`] and [`SubtreeName`].
///
/// `Display` writes it on one line that is safe to print: control characters are escaped.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "GeneralName")]
pub enum GeneralNameWith<'a, A> {
    /// A name whose type is identified by an object identifier.
    #[asn1(implicit = 0)]
    OtherName(OtherName<'a>),
    /// A mailbox (RFC 2821). In name constraints, it may also be a host or a domain.
    #[asn1(implicit = 1)]
    Rfc822Name(Ia5<'a>),
    /// A host name. Internationalized names are in ASCII form.
    #[asn1(implicit = 2, name = "dNSName")]
    DnsName(Ia5<'a>),
    /// An X.400 address.
    #[asn1(implicit = 3)]
    X400Address(OrAddress<'a>),
    /// A distinguished name.
    #[asn1(explicit = 4)]
    DirectoryName(Name<'a>),
    /// An electronic data interchange party.
    #[asn1(implicit = 5)]
    EdiPartyName(EdiPartyName<'a>),
    /// A URI. In name constraints, a host or a domain.
    #[asn1(implicit = 6)]
    UniformResourceIdentifier(Ia5<'a>),
    /// An IP address.
    #[asn1(implicit = 7, name = "iPAddress")]
    IpAddress(A),
    /// An object identifier.
    #[asn1(implicit = 8, name = "registeredID")]
    RegisteredId(Oid<'a>),
}

/// A name of an entity, whose iPAddress is an address (RFC 5280 §4.2.1.6).
///
/// ```
/// use tagwise_codec::{Decode, Ia5, encode};
/// use tagwise_x509::ext::GeneralName;
/// let name = GeneralName::from_der(b"\x82\x0Bexample.org")?;
/// assert_eq!(name.to_string(), "DNS:example.org");
/// let address = GeneralName::from_der(&[0x87, 4, 192, 0, 2, 1])?;
/// assert_eq!(address.to_string(), "IP:192.0.2.1");
/// let built = GeneralName::DnsName(Ia5::new("example.org").unwrap());
/// assert_eq!(encode(&built).unwrap(), b"\x82\x0Bexample.org");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub type GeneralName<'a> = GeneralNameWith<'a, IpAddress<'a>>;

/// A name constraint, whose iPAddress is an address with a mask (RFC 5280 §4.2.1.10).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::SubtreeName;
/// let subnet = SubtreeName::from_der(&[0x87, 8, 192, 0, 2, 0, 255, 255, 255, 0])?;
/// assert_eq!(subnet.to_string(), "IP:192.0.2.0/24");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub type SubtreeName<'a> = GeneralNameWith<'a, IpSubnet<'a>>;

impl Lend for GeneralNameWith<'_, IpAddress<'_>> {
    type Of<'a> = GeneralName<'a>;
}

impl Lend for GeneralNameWith<'_, IpSubnet<'_>> {
    type Of<'a> = SubtreeName<'a>;
}

impl From<core::net::IpAddr> for GeneralNameWith<'_, IpAddress<'_>> {
    fn from(address: core::net::IpAddr) -> Self {
        Self::IpAddress(address.into())
    }
}

impl<'a, A> From<Name<'a>> for GeneralNameWith<'a, A> {
    fn from(name: Name<'a>) -> Self {
        Self::DirectoryName(name)
    }
}

impl<'a, A> From<Oid<'a>> for GeneralNameWith<'a, A> {
    fn from(id: Oid<'a>) -> Self {
        Self::RegisteredId(id)
    }
}

impl<'a, A> GeneralNameWith<'a, A> {
    /// Creates a DNS name.
    ///
    /// ```
    /// use tagwise_x509::ext::GeneralName;
    /// assert_eq!(GeneralName::dns("www.example.org")?.to_string(), "DNS:www.example.org");
    /// assert!(GeneralName::dns("größe.example.org").is_err());
    /// # Ok::<(), tagwise_codec::Fault>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the name contains non-ASCII characters. Convert internationalized names to A-labels first.
    pub fn dns(host: &'a str) -> Result<Self, Fault> {
        Ia5::new(host).map(Self::DnsName)
    }

    /// Creates a mailbox name.
    ///
    /// # Errors
    /// Returns an error if the mailbox contains non-ASCII characters.
    pub fn email(mailbox: &'a str) -> Result<Self, Fault> {
        Ia5::new(mailbox).map(Self::Rfc822Name)
    }

    /// Creates a URI.
    ///
    /// # Errors
    /// Returns an error if the URI contains non-ASCII characters.
    pub fn uri(uri: &'a str) -> Result<Self, Fault> {
        Ia5::new(uri).map(Self::UniformResourceIdentifier)
    }
}

impl<A: fmt::Display> fmt::Display for GeneralNameWith<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherName(name) => name.fmt(f),
            Self::Rfc822Name(mailbox) => write!(f, "email:{}", visible(mailbox)),
            Self::DnsName(host) => write!(f, "DNS:{}", visible(host)),
            Self::X400Address(address) => {
                f.write_str("x400Address:")?;
                let mut components = address.0.iter().map_while(Result::ok);
                components.try_for_each(|component| write!(f, "{:X}", Hex(component.as_bytes())))
            }
            Self::DirectoryName(name) => write!(f, "dirName:{}", name.oneline()),
            Self::EdiPartyName(name) => name.fmt(f),
            Self::UniformResourceIdentifier(uri) => write!(f, "URI:{}", visible(uri)),
            Self::IpAddress(address) => write!(f, "IP:{address}"),
            Self::RegisteredId(oid) => write!(f, "RID:{oid}"),
        }
    }
}

/// ```asn1
/// OtherName ::= SEQUENCE {
///      type-id    OBJECT IDENTIFIER,
///      value      [0] EXPLICIT ANY DEFINED BY type-id }
/// ```
///
/// A name whose type is identified by an object identifier (RFC 5280 §4.2.1.6).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OtherName<'a> {
    /// The identifier of the name's type.
    #[asn1(name = "type-id")]
    pub type_id: Oid<'a>,
    /// The name, encoded as the type that `type_id` identifies.
    #[asn1(explicit = 0, defined_by = type_id)]
    pub value: Open<'a, OtherNameValue<'a>>,
}

impl fmt::Display for OtherName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.get() {
            Ok(OtherNameValue::Unknown(_)) | Err(_) => {
                write!(f, "otherName:{}:{:X}", self.type_id, Hex(self.value.as_bytes()))
            }
            Ok(value) => value.fmt(f),
        }
    }
}

/// ```asn1
/// ORAddress ::= SEQUENCE { … }
/// ```
///
/// An X.400 address, whose syntax is defined in RFC 5280 §A.1. The structure of its components is checked, but they are not
/// interpreted.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ORAddress")]
pub struct OrAddress<'a>(
    /// The address components.
    pub SeqOf<'a, Any<'a>>,
);

/// ```asn1
/// EDIPartyName ::= SEQUENCE {
///      nameAssigner            [0]     DirectoryString OPTIONAL,
///      partyName               [1]     DirectoryString }
/// ```
///
/// An electronic data interchange party (RFC 5280 §4.2.1.6).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "EDIPartyName")]
pub struct EdiPartyName<'a> {
    /// The naming authority.
    #[asn1(explicit = 0)]
    pub name_assigner: Option<DirectoryString<'a>>,
    /// The name.
    #[asn1(explicit = 1)]
    pub party_name: DirectoryString<'a>,
}

impl fmt::Display for EdiPartyName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ediPartyName:")?;
        if let Some(assigner) = &self.name_assigner {
            write!(f, "{}/", visible(assigner))?;
        }
        write!(f, "{}", visible(&self.party_name))
    }
}

/// ```asn1
/// GeneralNames ::= SEQUENCE SIZE (1..MAX) OF GeneralName
/// ```
///
/// A non-empty list of names (RFC 5280 §4.2.1.6).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
pub struct GeneralNames<'a>(
    /// The names.
    pub SeqOf<'a, GeneralName<'a>>,
);

impl<'a> GeneralNames<'a> {
    /// Iterates over the names in order. An error ends the iteration. Errors are possible only if the names were decoded as an
    /// outline (only their top-level structure) or tolerantly.
    pub fn iter(&self) -> impl Iterator<Item = Result<GeneralName<'a>, tagwise_codec::Error>> + use<'a> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &GeneralNames<'a> {
    type Item = Result<GeneralName<'a>, tagwise_codec::Error>;
    type IntoIter = Items<'a, GeneralName<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> From<&'a [GeneralName<'a>]> for GeneralNames<'a> {
    fn from(names: &'a [GeneralName<'a>]) -> Self {
        Self(SeqOf::from_slice(names))
    }
}

/// ```asn1
/// SubjectAltName ::= GeneralNames
/// ```
///
/// Subject alternative names (RFC 5280 §4.2.1.6).
///
/// ```
/// use tagwise_codec::{Decode, FaultKind};
/// use tagwise_x509::ext::{GeneralName, SubjectAltName};
/// let names = SubjectAltName::from_der(b"\x30\x0F\x82\x01a\x82\x01b\x81\x07me@test")?;
/// assert!(names.dns_names().eq(["a", "b"]));
/// for name in names.0.iter() {
///     println!("{}", name?);
/// }
/// // [9] is no alternative.
/// let error = SubjectAltName::from_der(&[0x30, 0x02, 0x89, 0x00]).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (FaultKind::ChoiceUnknown, 2));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SubjectAltName<'a>(
    /// The names.
    pub GeneralNames<'a>,
);

impl<'a> SubjectAltName<'a> {
    /// Iterates over the DNS names in order, up to the first name that does not decode.
    pub fn dns_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.0.iter().map_while(Result::ok).filter_map(|name| match name {
            GeneralName::DnsName(host) => host.as_str(),
            _ => None,
        })
    }
}

/// ```asn1
/// IssuerAltName ::= GeneralNames
/// ```
///
/// Issuer alternative names (RFC 5280 §4.2.1.7, §5.2.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct IssuerAltName<'a>(
    /// The names.
    pub GeneralNames<'a>,
);
