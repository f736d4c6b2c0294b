//! Names as text: RFC 4514, and one line for display.

use std::borrow::Cow;

use core::fmt::{self, Write};

use tagwise_codec::Oid;
use tagwise_codec::text::{Filter, hex::Hex};

use super::Name;
use super::common::{IA5_STRING, PRINTABLE_STRING, SPECIAL, UTF8_STRING, class};
use super::parse::is_readable;
use super::short::Backwards;
use super::text::text_of;
use super::walk::{Attribute, Element, Elements, attribute, attributes};
use crate::oids;

impl<'a> Name<'a> {
    /// Displays the name as RFC 4514 text: most specific RDN first, separated by commas.
    ///
    /// Attribute types have the short names of RFC 4514 §3 (CN, L, ST, O, OU, C, STREET, DC, UID). Other types are
    /// dotted, with hexadecimal values. Values are also hexadecimal if they are not text, or if their attribute would
    /// not allow the text, such as a country outside PrintableString. The output for a valid name can therefore always
    /// be parsed again. See [`Rfc4514::extended`] for more names. Malformed parts, which only an
    /// [`outline`](tagwise_codec::Decode::outline) accepts, are written as `#` and their bytes, which parsers reject.
    ///
    /// Characters that RFC 4514 does not escape are unchanged, including control characters. Use [`Name::oneline`] for
    /// terminals.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let name = NameBuf::parse(r"CN=James \22Jim\22 Smith\, III,DC=example,emailAddress=jim@example.net")?;
    /// assert_eq!(
    ///     name.name().rfc4514().to_string(),
    ///     r"CN=James \22Jim\22 Smith\, III,DC=example,1.2.840.113549.1.9.1=#160f6a696d406578616d706c652e6e6574"
    ///         .replace(r"\22", "\\\""),
    /// );
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn rfc4514(&self) -> Rfc4514<'a> {
        Rfc4514 { name: *self, style: Style::RFC4514 }
    }

    /// Writes the text of [`Name::rfc4514`] without allocating.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let mut line = String::new();
    /// NameBuf::parse("CN=Eva,C=DE")?.name().write_rfc4514(&mut line).unwrap();
    /// assert_eq!(line, "CN=Eva,C=DE");
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the writer's error.
    #[inline]
    pub fn write_rfc4514<W: Write + ?Sized>(&self, out: &mut W) -> fmt::Result {
        write_name(&self.content(), Style::RFC4514, out)
    }

    /// Displays the name on one line: in RFC 4514 order and with its escapes, but with all known attribute type names. Every
    /// character is made [`visible`](super::visible).
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let name = NameBuf::parse("CN=Acme\\, CN\\=admin\u{202E},emailAddress=a@example.com,2.999.1=x")?;
    /// assert_eq!(name.name().oneline().to_string(), r"CN=Acme\, CN=admin\u{202e}, emailAddress=a@example.com, 2.999.1=x");
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[must_use]
    pub const fn oneline(&self) -> Oneline<'a> {
        Oneline { name: *self }
    }
}

/// A name that displays as RFC 4514 text: see [`Name::rfc4514`].
#[derive(Clone, Copy, Debug)]
pub struct Rfc4514<'a> {
    name: Name<'a>,
    style: Style,
}

impl Rfc4514<'_> {
    /// Adds attribute type names beyond RFC 4514 §3, such as `emailAddress=…` and `serialNumber=…`. RFC 4514 §2.3
    /// allows this if the reader recognizes them, as [`NameBuf::parse`](super::NameBuf::parse) does.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let name = NameBuf::parse("serialNumber=17")?;
    /// assert_eq!(name.name().rfc4514().to_string(), "2.5.4.5=#13023137");
    /// assert_eq!(name.name().rfc4514().extended().to_string(), "serialNumber=17");
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[must_use]
    pub const fn extended(mut self) -> Self {
        self.style = Style::EXTENDED;
        self
    }
}

impl fmt::Display for Rfc4514<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(&self.name.content(), self.style, f)
    }
}

/// Returns the same text as [`ToString`], but more efficiently.
///
/// ```
/// use tagwise_x509::name::NameBuf;
/// assert_eq!(String::from(NameBuf::parse("CN=Eva,C=DE")?.name().rfc4514()), "CN=Eva,C=DE");
/// # Ok::<(), tagwise_x509::name::ParseError>(())
/// ```
impl From<Rfc4514<'_>> for String {
    fn from(text: Rfc4514<'_>) -> Self {
        let content = text.name.content();
        let mut buffer = Backwards::new();
        match if text.style.extended { None } else { buffer.name(&content) } {
            Some(text) => text.to_owned(),
            None => {
                let mut long = Self::new();
                // Writing to a String does not fail.
                let _ = write_any(&content, text.style, &mut long);
                long
            }
        }
    }
}

/// A name that displays on one line: see [`Name::oneline`].
#[derive(Clone, Copy, Debug)]
pub struct Oneline<'a> {
    name: Name<'a>,
}

impl fmt::Display for Oneline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(&self.name.content(), Style::HUMAN, &mut Filter(f))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Style {
    separator: &'static str,
    /// True if attribute types have names beyond those of RFC 4514 §3.
    extended: bool,
    /// True if the values of types without a name are shown as text.
    text: bool,
}

impl Style {
    const RFC4514: Self = Self { separator: ",", extended: false, text: false };
    const EXTENDED: Self = Self { separator: ",", extended: true, text: false };
    const HUMAN: Self = Self { separator: ", ", extended: true, text: true };
}

/// Writes the name with the given content bytes.
#[inline]
fn write_name<W: Write + ?Sized>(content: &[u8], style: Style, out: &mut W) -> fmt::Result {
    let mut buffer = Backwards::new();
    match if style.extended { None } else { buffer.name(content) } {
        Some(text) => out.write_str(text),
        None => write_any(content, style, out),
    }
}

/// Returns whether a byte is special at its position (RFC 4514 §2.4): a space at either end, or a number sign at the start.
pub(super) const fn is_special_at(octet: u8, first: bool, last: bool) -> bool {
    (octet == b' ' && (first || last)) || (octet == b'#' && first)
}

/// The number of RDNs that are reversed without allocating.
const RDNS: usize = 16;

/// Writes a name of any form.
#[cold]
fn write_any<W: Write + ?Sized>(content: &[u8], style: Style, out: &mut W) -> fmt::Result {
    let mut rdns = [&[][..]; RDNS];
    let mut count = 0;
    for element in Elements(content) {
        let Some(slot) = rdns.get_mut(count) else {
            return write_long(content, style, out);
        };
        *slot = element.map_or_else(|malformed| malformed, |element| element.bytes);
        count += 1;
    }
    write_reversed(rdns.get(..count).unwrap_or_default(), style, out)
}

/// Writes a name with more than [`RDNS`] RDNs.
#[cold]
fn write_long<W: Write + ?Sized>(content: &[u8], style: Style, out: &mut W) -> fmt::Result {
    let rdns: Vec<&[u8]> =
        Elements(content).map(|element| element.map_or_else(|malformed| malformed, |element| element.bytes)).collect();
    write_reversed(&rdns, style, out)
}

fn write_reversed<W: Write + ?Sized>(rdns: &[&[u8]], style: Style, out: &mut W) -> fmt::Result {
    for (index, rdn) in rdns.iter().rev().enumerate() {
        if index > 0 {
            out.write_str(style.separator)?;
        }
        write_rdn(rdn, style, out)?;
    }
    Ok(())
}

fn write_rdn<W: Write + ?Sized>(rdn: &[u8], style: Style, out: &mut W) -> fmt::Result {
    let Some(list) = super::walk::split(rdn).and_then(|(element, _)| attributes(&element)) else {
        return write_hex(rdn, out);
    };
    for (index, element) in list.enumerate() {
        if index > 0 {
            out.write_char('+')?;
        }
        match element {
            Ok(element) => match attribute(&element) {
                Some(attribute) => write_attribute(&attribute, &element, style, out)?,
                None => write_hex(element.bytes, out)?,
            },
            Err(malformed) => write_hex(malformed, out)?,
        }
    }
    Ok(())
}

fn write_attribute<W: Write + ?Sized>(
    attribute: &Attribute<'_>,
    element: &Element<'_>,
    style: Style,
    out: &mut W,
) -> fmt::Result {
    match key(attribute.attr_type) {
        Some(key) => {
            out.write_str(key)?;
            write_value(attribute, style, out)
        }
        None => write_other(attribute, element, style, out),
    }
}

/// Writes an attribute with a text value: the RFC 4514 §3 short name or dotted type, and the escaped value.
///
/// Unlike in RFC 4514 §2.4, values of dotted types are also written as text, as in [`Name::oneline`].
///
/// # Errors
/// Returns the writer's error.
#[doc(hidden)]
pub fn write_text<W: Write + ?Sized>(attr_type: Oid<'_>, text: &str, out: &mut W) -> fmt::Result {
    match key(attr_type.as_bytes()) {
        Some(key) => out.write_str(key)?,
        None => write!(out, "{attr_type}=")?,
    }
    write_escaped(text, out)
}

/// Returns the short name of RFC 4514 §3 with the equals sign, if the type has one.
pub(super) fn key(attr_type: &[u8]) -> Option<&'static str> {
    match attr_type {
        [0x55, 4, 3] => Some("CN="),
        [0x55, 4, 6] => Some("C="),
        [0x55, 4, 7] => Some("L="),
        [0x55, 4, 8] => Some("ST="),
        [0x55, 4, 9] => Some("STREET="),
        [0x55, 4, 10] => Some("O="),
        [0x55, 4, 11] => Some("OU="),
        [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x19] => Some("DC="),
        [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x01] => Some("UID="),
        _ => None,
    }
}

/// Writes an attribute whose type has no short name in RFC 4514.
fn write_other<W: Write + ?Sized>(
    attribute: &Attribute<'_>,
    element: &Element<'_>,
    style: Style,
    out: &mut W,
) -> fmt::Result {
    // What Rule::OID_PADDED let in has no dotted form.
    let Ok(oid) = Oid::from_content(attribute.attr_type) else {
        return write_hex(element.bytes, out);
    };
    match oids::attribute(oid).filter(|_| style.extended) {
        Some(info) => {
            out.write_str(info.name)?;
            out.write_char('=')?;
            write_value(attribute, style, out)
        }
        None => {
            write!(out, "{oid}=")?;
            // RFC 4514 §2.4: values of dotted types are hexadecimal.
            if style.text { write_value(attribute, style, out) } else { write_hex(attribute.value.bytes, out) }
        }
    }
}

/// Writes a value as a string, or as its hexadecimal encoding, which can always be parsed again (RFC 4514 §2.4).
fn write_value<W: Write + ?Sized>(attribute: &Attribute<'_>, style: Style, out: &mut W) -> fmt::Result {
    let value = &attribute.value;
    let text = match value.tag {
        UTF8_STRING => core::str::from_utf8(value.content).ok().map(Cow::Borrowed),
        // Not for what a rule tolerated beyond ASCII.
        PRINTABLE_STRING | IA5_STRING => {
            core::str::from_utf8(value.content).ok().filter(|text| text.is_ascii()).map(Cow::Borrowed)
        }
        // Universal, primitive, low tag numbers.
        0..0x1F => text_of(u32::from(value.tag), value.content),
        _ => None,
    };
    match text {
        Some(text) if style.text || is_readable(attribute.attr_type, &text) => write_escaped(&text, out),
        _ => write_hex(value.bytes, out),
    }
}

fn write_escaped<W: Write + ?Sized>(text: &str, out: &mut W) -> fmt::Result {
    let last = text.len().saturating_sub(1);
    let is_escaped =
        |(at, octet): &(usize, u8)| class(*octet) & SPECIAL != 0 || is_special_at(*octet, *at == 0, *at == last);
    let mut written = 0;
    for (at, octet) in text.bytes().enumerate().filter(is_escaped) {
        out.write_str(text.get(written..at).unwrap_or_default())?;
        if octet == 0 {
            out.write_str("\\00")?;
        } else {
            out.write_char('\\')?;
            out.write_char(char::from(octet))?;
        }
        written = at + 1;
    }
    out.write_str(text.get(written..).unwrap_or_default())
}

/// Writes `#` and the bytes in hexadecimal.
fn write_hex<W: Write + ?Sized>(octets: &[u8], out: &mut W) -> fmt::Result {
    write!(out, "#{}", Hex(octets))
}
