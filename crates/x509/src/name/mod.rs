//! Distinguished names (X.501 §9, RFC 5280 §4.1.2.4): types, text in both directions, comparison.
//!
//! Decoding holds names to their structure and attribute values to the rules of their own string types. It does not hold
//! values to what RFC 5280 Appendix A says of single attribute types: upper bounds such as `ub-common-name`, and which string
//! type a country or a mail address has, are for a linter to judge. Of 9,898 certificates of public certification authorities
//! 20 exceed an upper bound and 3 have a country name that is no PrintableString; 3 others have a character in a
//! PrintableString that this type does not have, which is refused.
//!
//! - [`Name::rfc4514`] and [`Name::oneline`] write text, [`NameBuf::parse`] reads it;
//! - [`Name::matches`] and [`Name::is_within`] compare as RFC 5280 §7.1 says;
//! - [`visible`] makes any text safe to print on a terminal.

mod common;
mod compare;
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
/// RFC 5280 §4.1.2.4: the RDNs from the root on, so in the reverse of the order in which text shows them.
///
/// As a CHOICE it has no tag of its own: where it is tagged, it is tagged explicitly.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::name::Name;
/// use tagwise_pkix::oids;
/// let der = b"\x30\x1B\x31\x0B\x30\x09\x06\x03\x55\x04\x06\x13\x02DE\x31\x0C\x30\x0A\x06\x03\x55\x04\x03\x0C\x03Eva";
/// let name = Name::from_der(der)?;
/// assert_eq!(name.to_string(), "CN=Eva,C=DE");
/// assert_eq!(name.get(oids::COUNTRY_NAME).unwrap().text().unwrap(), "DE");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Default, PartialEq)]
#[asn1(shape = common::shape)]
pub struct Name<'a>(
    /// The RDNs.
    pub SeqOf<'a, RelativeDistinguishedName<'a>>,
);

/// ```asn1
/// RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue
/// ```
///
/// RFC 5280 §4.1.2.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct RelativeDistinguishedName<'a>(
    /// The attributes; mostly one.
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
/// RFC 5280 §4.1.2.4. The value is held to the rules of whatever type it has, not to the one that its attribute asks for.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeTypeAndValue<'a> {
    /// The attribute type.
    #[asn1(name = "type")]
    pub attr_type: Oid<'a>,
    /// The value: mostly a [`DirectoryString`].
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
/// RFC 5280 §4.1.2.4.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::name::DirectoryString;
/// let string = DirectoryString::from_der(b"\x1E\x06\x00A\x00\xFC\x20\xAC")?;
/// assert_eq!(string.text(), "Aü€");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum DirectoryString<'a> {
    /// TeletexString, read as ISO 8859-1.
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
    /// The RDNs, from the root on. Errors are possible after an
    /// [`outline`](tagwise_codec::Decode::outline) or a tolerant decoding only.
    pub fn rdns(&self) -> impl Iterator<Item = Result<RelativeDistinguishedName<'a>, Error>> + use<'a> {
        self.0.iter()
    }

    /// The attributes of all RDNs, from the root on. What does not decode, which only an
    /// [`outline`](tagwise_codec::Decode::outline) lets in, is left out.
    #[must_use]
    pub fn attributes(&self) -> Attributes<'a> {
        Attributes::of(self)
    }

    /// The last attribute of a type, which is the most specific one.
    #[must_use]
    pub fn get(&self, attr_type: Oid<'_>) -> Option<AttributeTypeAndValue<'a>> {
        self.attributes().filter(|attribute| attribute.attr_type == attr_type).last()
    }

    /// Returns whether there is no RDN.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> AttributeTypeAndValue<'a> {
    /// The text of the value, if it is of a string type: see [`text`].
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

/// As [`Name::rfc4514`] does: control characters come as they are. For people, use [`Name::oneline`].
impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rfc4514().fmt(f)
    }
}

#[cfg(test)]
mod tests;
