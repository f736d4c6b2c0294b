//! Parsing of names (RFC 4514 §3), and owned names.

use std::fmt;
use std::str::FromStr;

use tagwise_codec::value::from_dotted;
use tagwise_codec::{Any, Decode, EncodeError, Ia5, Oid, Printable, Reader, SeqOf, SetOf, Tag, Utf8, encode};

use super::{AttributeTypeAndValue, Name, RelativeDistinguishedName};
use crate::oids;

/// The maximum length of a dotted attribute type, because the conversion of an arc takes quadratic time.
const MAX_DOTTED: usize = 1024;

/// An owned [`Name`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct NameBuf {
    der: Vec<u8>,
}

impl NameBuf {
    /// Parses an RFC 4514 name: most specific RDN first.
    ///
    /// Attribute types are dotted, or the long or short names of [`oids`] (case-insensitive). Values become a PrintableString
    /// if possible, and a UTF8String otherwise (RFC 5280 §4.1.2.4). Some types require a specific string type: PrintableString
    /// for countryName, serialNumber and dnQualifier, and IA5String for domainComponent and emailAddress.
    ///
    /// Beyond RFC 4514, spaces are allowed around `,` `+` and `=`, and a dotted type may have the prefix `OID.`, both
    /// as in RFC 2253 §4. Many tools still write such names.
    ///
    /// ```
    /// use tagwise_x509::name::{NameBuf, Reason};
    /// let name = NameBuf::parse("CN=Eva, C=DE")?;
    /// let der = b"\x30\x1B\x31\x0B\x30\x09\x06\x03\x55\x04\x06\x13\x02DE\x31\x0C\x30\x0A\x06\x03\x55\x04\x03\x13\x03Eva";
    /// assert_eq!(name.as_der(), der);
    /// let error = NameBuf::parse("CN=a;b").unwrap_err();
    /// assert_eq!((error.reason, error.offset), (Reason::Unescaped, 4));
    /// assert_eq!(error.to_string(), "unescaped special character, at byte 4 (RFC 4514 §2.4)");
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error in the text, with its position.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_with(text, &|_| None)
    }

    /// Parses a name like [`NameBuf::parse`], with additional attribute type names. `types` maps a name to the content bytes of
    /// its identifier, and takes precedence over the built-in names. If it returns invalid content, the name counts as unknown.
    ///
    /// ```
    /// use tagwise_x509::{name::NameBuf, oids};
    /// let types = |name: &str| (name == "E").then(|| oids::EMAIL_ADDRESS.as_bytes().to_vec());
    /// let name = NameBuf::parse_with("E=eva@example.org", &types)?;
    /// assert_eq!(name, NameBuf::parse("emailAddress=eva@example.org")?);
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error in the text, with its position.
    pub fn parse_with(text: &str, types: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Self, ParseError> {
        let rdns = Parser { text, at: 0, types }.name()?;
        let too_long = |_: EncodeError| ParseError { reason: Reason::TooLong, offset: 0 };
        Self::encoded(&rdns).map_err(too_long)
    }

    fn encoded(rdns: &[Vec<Parsed>]) -> Result<Self, EncodeError> {
        let sets: Vec<Vec<AttributeTypeAndValue<'_>>> =
            rdns.iter().map(|rdn| rdn.iter().filter_map(Parsed::borrowed).collect()).collect();
        let rdns: Vec<_> = sets.iter().map(|set| RelativeDistinguishedName(SetOf::from_slice(set))).collect();
        Self::new(&Name(SeqOf::from_slice(&rdns)))
    }

    /// Copies a name.
    ///
    /// # Errors
    /// Returns an error if the name cannot be encoded, because it has a tolerated deviation or an empty RDN.
    pub fn new(name: &Name<'_>) -> Result<Self, EncodeError> {
        encode(name).map(|der| Self { der })
    }

    /// Borrows the name.
    #[must_use]
    pub fn name(&self) -> Name<'_> {
        // The octets were encoded from a name, so that strict decoding accepts them.
        let read = || {
            let mut reader = Reader::new(&self.der).ok()?;
            let len = reader.expect(Tag::SEQUENCE).ok()?;
            let offset = reader.offset();
            Some(Name(SeqOf::__shaped(reader.take(len).ok()?, offset, true)))
        };
        read().unwrap_or_default()
    }

    /// Returns the name's DER.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// Converts into the name's DER.
    #[must_use]
    pub fn into_der(self) -> Vec<u8> {
        self.der
    }
}

/// Returns the empty name.
impl Default for NameBuf {
    fn default() -> Self {
        Self { der: vec![0x30, 0] }
    }
}

impl TryFrom<&str> for NameBuf {
    type Error = ParseError;

    fn try_from(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl AsRef<[u8]> for NameBuf {
    fn as_ref(&self) -> &[u8] {
        &self.der
    }
}

impl FromStr for NameBuf {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl fmt::Display for NameBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

impl fmt::Debug for NameBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

/// An error in the text of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The kind of error.
    pub reason: Reason,
    /// The byte offset in the text.
    pub offset: usize,
}

/// The kind of an error in the text of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A missing or malformed attribute type. Offset: where it should start.
    AttributeType,
    /// An unknown attribute type name. Offset: the name.
    UnknownType,
    /// A missing equals sign after an attribute type. Offset: the text in its place.
    Equals,
    /// An unescaped special character: `"` `;` `<` `>` NUL, or text after a value. Offset: that character.
    Unescaped,
    /// A backslash that is not followed by a special character or two hexadecimal digits. Offset: the backslash.
    Escape,
    /// Escaped bytes that are not UTF-8. Offset: the value.
    Utf8,
    /// A character that the attribute's string type does not allow. Offset: the value.
    Alphabet,
    /// No digits after `#`, or an odd number of digits. Offset: the first missing digit.
    Hexadecimal,
    /// The bytes after `#` are not one DER element. Offset: the value.
    Element,
    /// The name is larger than 4 GiB.
    TooLong,
}

impl Reason {
    /// Returns a description of the error.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::AttributeType => "expected an attribute type",
            Self::UnknownType => "unknown attribute type",
            Self::Equals => "expected an equals sign",
            Self::Unescaped => "unescaped special character",
            Self::Escape => "expected a special character or two hexadecimal digits after the backslash",
            Self::Utf8 => "the escaped bytes are not UTF-8",
            Self::Alphabet => "the attribute does not allow this character",
            Self::Hexadecimal => "expected pairs of hexadecimal digits",
            Self::Element => "not a single DER element",
            Self::TooLong => "the name is too long",
        }
    }

    /// Returns the violated section of the standard.
    #[must_use]
    pub const fn clause(self) -> &'static str {
        match self {
            Self::AttributeType | Self::Equals | Self::Hexadecimal => "RFC 4514 §3",
            Self::UnknownType => "RFC 4514 §2.3",
            Self::Unescaped | Self::Escape | Self::Utf8 | Self::Element => "RFC 4514 §2.4",
            Self::Alphabet => "RFC 5280 Appendix A",
            Self::TooLong => "implementation limit",
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {} ({})", self.reason.text(), self.offset, self.reason.clause())
    }
}

impl std::error::Error for ParseError {}

/// An attribute parsed from text.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parsed {
    /// The content bytes of the attribute's type.
    pub attr_type: Vec<u8>,
    /// The attribute's value in DER.
    pub value: Vec<u8>,
    /// The value as text, or `None` for a value written as `#` and hexadecimal.
    pub text: Option<String>,
}

impl Parsed {
    /// Parses the attributes of a name like [`NameBuf::parse_with`]: RDNs from the root, with attributes in the order of the text.
    ///
    /// # Errors
    /// Returns the errors of [`NameBuf::parse_with`].
    pub fn steps(text: &str, types: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Vec<Vec<Self>>, ParseError> {
        Parser { text, at: 0, types }.name()
    }

    fn borrowed(&self) -> Option<AttributeTypeAndValue<'_>> {
        // Both were checked when they were made.
        let attr_type = Oid::from_content(&self.attr_type).ok()?;
        Some(AttributeTypeAndValue { attr_type, value: Any::from_der(&self.value).ok()? })
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// Additional attribute type names.
    types: &'t dyn Fn(&str) -> Option<Vec<u8>>,
}

impl<'t> Parser<'t> {
    // distinguishedName = [ relativeDistinguishedName *( COMMA relativeDistinguishedName ) ]
    fn name(mut self) -> Result<Vec<Vec<Parsed>>, ParseError> {
        let mut rdns = Vec::new();
        self.spaces();
        if self.peek().is_none() {
            return Ok(rdns);
        }
        loop {
            rdns.push(self.rdn()?);
            if self.peek().is_none() {
                break;
            }
            self.at += 1;
        }
        rdns.reverse();
        Ok(rdns)
    }

    // relativeDistinguishedName = attributeTypeAndValue *( PLUS attributeTypeAndValue )
    fn rdn(&mut self) -> Result<Vec<Parsed>, ParseError> {
        let mut attributes = Vec::new();
        loop {
            attributes.push(self.attribute()?);
            match self.peek() {
                Some(b'+') => self.at += 1,
                Some(b',') | None => return Ok(attributes),
                Some(_) => return Err(self.error(Reason::Unescaped)),
            }
        }
    }

    // attributeTypeAndValue = attributeType EQUALS attributeValue
    fn attribute(&mut self) -> Result<Parsed, ParseError> {
        self.spaces();
        let attr_type = self.attribute_type()?;
        self.spaces();
        if self.peek() != Some(b'=') {
            return Err(self.error(Reason::Equals));
        }
        self.at += 1;
        self.spaces();
        let start = self.at;
        // attributeValue = string / hexstring
        let (value, text) = if self.peek() == Some(b'#') {
            self.at += 1;
            let der = self.hex_string()?;
            if Any::from_der(&der).is_err() {
                return Err(ParseError { reason: Reason::Element, offset: start });
            }
            self.spaces();
            (der, None)
        } else {
            let Ok(text) = String::from_utf8(self.string()?) else {
                return Err(ParseError { reason: Reason::Utf8, offset: start });
            };
            let der = value(&attr_type, &text).ok_or(ParseError { reason: Reason::Alphabet, offset: start })?;
            (der, Some(text))
        };
        Ok(Parsed { attr_type, value, text })
    }

    // attributeType = descr / numericoid
    fn attribute_type(&mut self) -> Result<Vec<u8>, ParseError> {
        let start = self.at;
        let is_part = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_');
        while self.peek().is_some_and(is_part) {
            self.at += 1;
        }
        let name = self.text.get(start..self.at).unwrap_or_default();
        if let Some(octets) = (self.types)(name).filter(|octets| Oid::from_content(octets).is_ok()) {
            return Ok(octets);
        }
        // RFC 2253 §4: an identifier may have the prefix "OID.".
        let dotted = name.get(..4).filter(|prefix| prefix.eq_ignore_ascii_case("OID.")).and_then(|_| name.get(4..));
        let dotted = dotted.or_else(|| name.starts_with(|first: char| first.is_ascii_digit()).then_some(name));
        let octets = dotted.filter(|dotted| dotted.len() <= MAX_DOTTED).and_then(from_dotted);
        match (dotted, octets) {
            (_, Some(octets)) => Ok(octets),
            (None, _) if !name.is_empty() => oids::attribute_by_name(name)
                .map(|info| info.oid.as_bytes().to_vec())
                .ok_or(ParseError { reason: Reason::UnknownType, offset: start }),
            _ => Err(ParseError { reason: Reason::AttributeType, offset: start }),
        }
    }

    // hexstring = SHARP 1*hexpair
    fn hex_string(&mut self) -> Result<Vec<u8>, ParseError> {
        let mut octets = Vec::new();
        while let Some(octet) = self.hex_pair() {
            self.at += 2;
            octets.push(octet);
        }
        let single = self.peek().is_some_and(|octet| octet.is_ascii_hexdigit());
        if single || octets.is_empty() {
            return Err(ParseError { reason: Reason::Hexadecimal, offset: self.at + usize::from(single) });
        }
        Ok(octets)
    }

    fn hex_pair(&self) -> Option<u8> {
        let digit = |at: usize| char::from(*self.text.as_bytes().get(at)?).to_digit(16);
        Some((digit(self.at)? << 4 | digit(self.at + 1)?) as u8)
    }

    /// Reads a string up to a separator, without its unescaped trailing spaces.
    // string =   [ ( leadchar / pair ) [ *( stringchar / pair ) ( trailchar / pair ) ] ]
    // pair = ESC ( ESC / special / hexpair )
    fn string(&mut self) -> Result<Vec<u8>, ParseError> {
        let mut octets = Vec::new();
        let mut len = 0;
        while let Some(octet) = self.peek() {
            match octet {
                b',' | b'+' => break,
                b'"' | b';' | b'<' | b'>' | 0 => return Err(self.error(Reason::Unescaped)),
                b'\\' => octets.push(self.escaped()?),
                octet => {
                    self.at += 1;
                    octets.push(octet);
                    if octet == b' ' {
                        continue;
                    }
                }
            }
            len = octets.len();
        }
        octets.truncate(len);
        Ok(octets)
    }

    fn escaped(&mut self) -> Result<u8, ParseError> {
        let backslash = self.error(Reason::Escape);
        self.at += 1;
        match self.peek() {
            Some(octet @ (b'"' | b'+' | b',' | b';' | b'<' | b'>' | b'\\' | b' ' | b'#' | b'=')) => {
                self.at += 1;
                Ok(octet)
            }
            _ => {
                let octet = self.hex_pair().ok_or(backslash)?;
                self.at += 2;
                Ok(octet)
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips spaces around a separator, as in RFC 2253 §4. RFC 4514 does not allow them.
    fn spaces(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    const fn error(&self, reason: Reason) -> ParseError {
        ParseError { reason, offset: self.at }
    }
}

/// The string type that an attribute requires, if it does not accept every DirectoryString.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Printable,
    Ia5,
}

fn asked(attr_type: &[u8]) -> Option<Asked> {
    const PRINTABLE: &[Oid<'_>] = &[
        oids::COUNTRY_NAME,
        oids::SERIAL_NUMBER,
        oids::DN_QUALIFIER,
        oids::COUNTRY_CODE_3C,
        oids::JURISDICTION_COUNTRY_NAME,
        oids::COUNTRY_OF_CITIZENSHIP,
        oids::COUNTRY_OF_RESIDENCE,
    ];
    const IA5: &[Oid<'_>] =
        &[oids::DOMAIN_COMPONENT, oids::EMAIL_ADDRESS, oids::RFC822_MAILBOX, oids::ASSOCIATED_DOMAIN];
    let listed = |list: &[Oid<'_>]| list.iter().any(|oid| oid.as_bytes() == attr_type);
    match attr_type {
        _ if listed(PRINTABLE) => Some(Asked::Printable),
        _ if listed(IA5) => Some(Asked::Ia5),
        _ => None,
    }
}

/// Returns whether the text can be parsed as a value of the attribute. Other values must be written in hexadecimal.
pub(super) fn is_readable(attr_type: &[u8], text: &str) -> bool {
    match asked(attr_type) {
        Some(Asked::Printable) => Printable::new(text).is_ok(),
        Some(Asked::Ia5) => text.is_ascii(),
        None => true,
    }
}

/// Encodes a text as an attribute's value in DER. Returns `None` if the attribute requires a string type that cannot
/// represent it.
fn value(attr_type: &[u8], text: &str) -> Option<Vec<u8>> {
    let der = match (asked(attr_type), Printable::new(text)) {
        (Some(Asked::Ia5), _) => encode(&Ia5::new(text).ok()?),
        (_, Ok(printable)) => encode(&printable),
        (Some(Asked::Printable), Err(_)) => return None,
        (None, Err(_)) => encode(&Utf8::new(text)),
    };
    der.ok()
}
