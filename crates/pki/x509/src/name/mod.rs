//! Distinguished names (X.501 §9, RFC 5280 §4.1.2.4): types, text conversion and comparison.
//!
//! Decoding checks the structure of names and the content of each string type. The requirements of RFC 5280 Appendix A
//! for individual attribute types, such as `ub-common-name` or the string type of a country, are left to the linter. Of
//! 9,898 certificates of public CAs, 20 exceed an upper bound and 3 have a country name that is not a PrintableString.
//! Another 3 have an invalid character in a PrintableString, which is an error.
//!
//! - [`Name::rfc4514`] and [`Name::oneline`] format names as text, and [`NameBuf::parse`] parses it.
//! - [`Name::matches`] and [`Name::is_within`] compare names as defined in RFC 5280 §7.1.
//! - [`visible`] makes any text safe to print on a terminal.

mod common;
mod compare;
mod fast;
mod fold;
mod openssl;
mod parse;
mod prepare;
mod short;
mod text;
mod walk;
mod write;

use core::fmt;

use tagwise_codec::{Any, Bmp, Error, Oid, Printable, SeqOf, SetOf, Teletex, Universal, Utf8};
use tagwise_derive::Asn1;

#[doc(hidden)]
pub use common::{Common, split_common};
pub(crate) use fast::{is_common_name, is_name};
pub use openssl::OpenSsl;
#[doc(hidden)]
pub use parse::Parsed;
pub use parse::{NameBuf, ParseError, Reason};
pub use tagwise_codec::text::{Visible, visible};
pub use text::text;
pub use walk::Attributes;
pub(crate) use walk::split;

#[doc(hidden)]
pub use write::write_text;
pub use write::{Oneline, Rfc4514};

/// ```asn1
/// Name ::= CHOICE { -- only one possibility for now --
///      rdnSequence  RDNSequence }
///
/// RDNSequence ::= SEQUENCE OF RelativeDistinguishedName
/// ```
///
/// A distinguished name (RFC 5280 §4.1.2.4). RDNs start at the root, which is the reverse of their order in text.
///
/// It is a CHOICE without a tag of its own, so tagging is always explicit.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::name::Name;
/// use tagwise_x509::oids;
/// let der = b"\x30\x1B\x31\x0B\x30\x09\x06\x03\x55\x04\x06\x13\x02DE\x31\x0C\x30\x0A\x06\x03\x55\x04\x03\x0C\x03Eva";
/// let name = Name::from_der(der)?;
/// assert_eq!(name.to_string(), "CN=Eva,C=DE");
/// assert_eq!(name.get(oids::COUNTRY_NAME).unwrap().text().unwrap(), "DE");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Default, PartialEq)]
#[asn1(shape = common::shape)]
pub struct Name<'a>(
    /// The RDNs, from the root.
    pub SeqOf<'a, RelativeDistinguishedName<'a>>,
);

/// ```asn1
/// RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue
/// ```
///
/// A relative distinguished name (RFC 5280 §4.1.2.4).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct RelativeDistinguishedName<'a>(
    /// The attributes, usually one.
    #[asn1(size(1..))]
    pub SetOf<'a, AttributeTypeAndValue<'a>>,
);

/// ```asn1
/// AttributeTypeAndValue ::= SEQUENCE {
///      type     AttributeType,
///      value    AttributeValue }
///
/// AttributeType ::= OBJECT IDENTIFIER
/// AttributeValue ::= ANY -- DEFINED BY AttributeType
/// ```
///
/// An attribute of a name (RFC 5280 §4.1.2.4). The value is checked against its own string type, not against the attribute
/// type's requirements.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeTypeAndValue<'a> {
    /// The attribute type.
    #[asn1(name = "type")]
    pub attr_type: Oid<'a>,
    /// The value, usually a [`DirectoryString`].
    pub value: Any<'a>,
}

/// ```asn1
/// DirectoryString ::= CHOICE {
///      teletexString       TeletexString (SIZE (1..MAX)),
///      printableString     PrintableString (SIZE (1..MAX)),
///      universalString     UniversalString (SIZE (1..MAX)),
///      utf8String          UTF8String (SIZE (1..MAX)),
///      bmpString           BMPString (SIZE (1..MAX)) }
/// ```
///
/// A string in a name (RFC 5280 §4.1.2.4).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::name::DirectoryString;
/// let string = DirectoryString::from_der(b"\x1E\x06\x00A\x00\xFC\x20\xAC")?;
/// assert_eq!(string.text(), "Aü€");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum DirectoryString<'a> {
    /// A TeletexString, decoded as ISO 8859-1.
    #[asn1(name = "teletexString", size(1..))]
    Teletex(Teletex<'a>),
    /// PrintableString.
    #[asn1(name = "printableString", size(1..))]
    Printable(Printable<'a>),
    /// UniversalString: UTF-32.
    #[asn1(name = "universalString", size(1..))]
    Universal(Universal<'a>),
    /// UTF8String.
    #[asn1(name = "utf8String", size(1..))]
    Utf8(Utf8<'a>),
    /// BMPString: UCS-2.
    #[asn1(name = "bmpString", size(1..))]
    Bmp(Bmp<'a>),
}

impl<'a> Name<'a> {
    /// Iterates over the RDNs, from the root. Yields an error only if the name was decoded as an
    /// [`outline`](tagwise_codec::Decode::outline) or tolerantly.
    pub fn rdns(&self) -> impl Iterator<Item = Result<RelativeDistinguishedName<'a>, Error>> + use<'a> {
        self.0.iter()
    }

    /// Iterates over the attributes of all RDNs, from the root. Malformed ones, which only an
    /// [`outline`](tagwise_codec::Decode::outline) accepts, are omitted.
    #[must_use]
    pub fn attributes(&self) -> Attributes<'a> {
        Attributes::of(self)
    }

    /// Returns the last attribute of the given type, which is the most specific one.
    #[must_use]
    pub fn get(&self, attr_type: Oid<'_>) -> Option<AttributeTypeAndValue<'a>> {
        self.attributes().filter(|attribute| attribute.attr_type == attr_type).last()
    }

    /// Returns whether the name has no RDNs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> AttributeTypeAndValue<'a> {
    /// Returns the value as text, if it has a string type: see [`text`].
    #[must_use]
    pub fn text(&self) -> Option<std::borrow::Cow<'a, str>> {
        text(&self.value)
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({})", visible(&self.rfc4514()))
    }
}

/// Displays the name like [`Name::rfc4514`], without escaping control characters. Use [`Name::oneline`] for terminals.
impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rfc4514().fmt(f)
    }
}

#[cfg(test)]
mod tests;
