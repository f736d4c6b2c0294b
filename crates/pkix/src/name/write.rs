//! Names as text: RFC 4514, and a line for people.

use core::fmt::{self, Write};

use tagwise_codec::Oid;

use super::Name;
use super::common::{IA5_STRING, NOT_ASCII, PRINTABLE_STRING, SPECIAL, UTF8_STRING, class, classify, split_common};
use super::text::text_of;
use super::visible::Filter;
use super::walk::{Attribute, Element, Elements, attribute, attributes};
use crate::oids;

impl<'a> Name<'a> {
    /// The name as RFC 4514 writes it: the most specific RDN first, separated by commas.
    ///
    /// Attribute types have the short names of its §3 (CN, L, ST, O, OU, C, STREET, DC, UID), others are dotted and their
    /// values hexadecimal; so are values of types without a text. See [`Rfc4514::extended`] for more names. What does not
    /// decode, which only an [`outline`](tagwise_codec::Decode::outline) lets in, is written as `#` and its octets, which
    /// no parser takes for an RDN.
    ///
    /// Characters that RFC 4514 does not escape come as they are, control characters too: [`Name::oneline`] is for terminals.
    ///
    /// ```
    /// use tagwise_pkix::name::NameBuf;
    /// let name = NameBuf::parse(r"CN=James \22Jim\22 Smith\, III,DC=example,emailAddress=jim@example.net")?;
    /// assert_eq!(
    ///     name.name().rfc4514().to_string(),
    ///     r"CN=James \22Jim\22 Smith\, III,DC=example,1.2.840.113549.1.9.1=#160f6a696d406578616d706c652e6e6574"
    ///         .replace(r"\22", "\\\""),
    /// );
    /// # Ok::<(), tagwise_pkix::name::ParseError>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn rfc4514(&self) -> Rfc4514<'a> {
        Rfc4514 { name: *self, style: Style::RFC4514 }
    }

    /// Writes what [`Name::rfc4514`] shows, without allocating.
    ///
    /// ```
    /// use tagwise_pkix::name::NameBuf;
    /// let mut line = String::new();
    /// NameBuf::parse("CN=Eva,C=DE")?.name().write_rfc4514(&mut line).unwrap();
    /// assert_eq!(line, "CN=Eva,C=DE");
    /// # Ok::<(), tagwise_pkix::name::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Those of the writer.
    #[inline]
    pub fn write_rfc4514<W: Write + ?Sized>(&self, out: &mut W) -> fmt::Result {
        write_name(&self.content(), Style::RFC4514, out)
    }

    /// The name on one line for people: in the order of RFC 4514 and with its escapes, all attribute types by name as far as
    /// they have one, and every character [`visible`](super::visible).
    ///
    /// ```
    /// use tagwise_pkix::name::NameBuf;
    /// let name = NameBuf::parse("CN=Acme\\, CN\\=admin\u{202E},emailAddress=a@example.com,2.999.1=x")?;
    /// assert_eq!(name.name().oneline().to_string(), r"CN=Acme\, CN=admin\u{202e}, emailAddress=a@example.com, 2.999.1=x");
    /// # Ok::<(), tagwise_pkix::name::ParseError>(())
    /// ```
    #[must_use]
    pub const fn oneline(&self) -> Oneline<'a> {
        Oneline { name: *self }
    }
}

/// A name that displays itself as RFC 4514 says: see [`Name::rfc4514`].
#[derive(Clone, Copy, Debug)]
pub struct Rfc4514<'a> {
    name: Name<'a>,
    style: Style,
}

impl Rfc4514<'_> {
    /// The same with names of attribute types beyond those of RFC 4514 §3: `emailAddress=…`, `serialNumber=…`. RFC 4514 §2.3
    /// allows that among those who know them; [`NameBuf::parse`](super::NameBuf::parse) does.
    ///
    /// ```
    /// use tagwise_pkix::name::NameBuf;
    /// let name = NameBuf::parse("serialNumber=17")?;
    /// assert_eq!(name.name().rfc4514().to_string(), "2.5.4.5=#13023137");
    /// assert_eq!(name.name().rfc4514().extended().to_string(), "serialNumber=17");
    /// # Ok::<(), tagwise_pkix::name::ParseError>(())
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

/// A name that displays itself for people: see [`Name::oneline`].
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
    /// Whether attribute types have names beyond those of RFC 4514 §3.
    extended: bool,
    /// Whether values of types without a name are shown as text.
    text: bool,
}

impl Style {
    const RFC4514: Self = Self { separator: ",", extended: false, text: false };
    const EXTENDED: Self = Self { separator: ",", extended: true, text: false };
    const HUMAN: Self = Self { separator: ", ", extended: true, text: true };
}

/// Writes the name that has these content octets.
#[inline]
fn write_name<W: Write + ?Sized>(content: &[u8], style: Style, out: &mut W) -> fmt::Result {
    let mut buffer = [0; SHORT];
    match if style.extended { None } else { common(content, &mut buffer) } {
        Some(text) => out.write_str(text),
        None => write_any(content, style, out),
    }
}

/// How long a text is put together on the stack.
const SHORT: usize = 256;

/// The text of a name in the common form, whose types all have a short name, put together from its end: so the RDNs come out
/// in reverse order.
#[inline]
fn common<'b>(content: &[u8], buffer: &'b mut [u8; SHORT]) -> Option<&'b str> {
    let mut start = SHORT;
    let mut rest = content;
    while !rest.is_empty() {
        let (rdn, after) = split_common(rest)?;
        rest = after;
        let classes = classify(rdn.value);
        match rdn.tag {
            UTF8_STRING | PRINTABLE_STRING | IA5_STRING if classes & NOT_ASCII == 0 => {}
            UTF8_STRING => _ = core::str::from_utf8(rdn.value).ok()?,
            _ => return None,
        }
        let end = start;
        let ends = matches!(rdn.value, [b' ' | b'#', ..] | [.., b' ']);
        if classes & SPECIAL != 0 || ends {
            start = escape_before(buffer, end, rdn.value)?;
        } else {
            start = end.checked_sub(rdn.value.len())?;
            buffer.get_mut(start..end)?.copy_from_slice(rdn.value);
        }
        let key = KEYS.get(usize::from(rdn.attr))?;
        // The octets in front of the key are written again later.
        *buffer.get_mut(..start)?.last_chunk_mut::<8>()? = key.text;
        start -= usize::from(key.len);
        if key.len == 0 {
            return None;
        }
    }
    // Without the comma in front of the last key.
    let text = buffer.get(start..)?;
    core::str::from_utf8(text.split_first().map_or(text, |(_, text)| text)).ok()
}

/// A comma, a short name and an equals sign, behind what fills the array.
#[derive(Clone, Copy)]
struct Key {
    text: [u8; 8],
    /// How much of the text counts; 0 where there is no short name.
    len: u8,
}

/// By the last arc of 2.5.4.
static KEYS: [Key; 12] = {
    const NONE: Key = Key { text: [0; 8], len: 0 };
    const fn key(text: &[u8; 8], len: u8) -> Key {
        Key { text: *text, len }
    }
    [
        NONE,
        NONE,
        NONE,
        key(b"    ,CN=", 4),
        NONE,
        NONE,
        key(b"     ,C=", 3),
        key(b"     ,L=", 3),
        key(b"    ,ST=", 4),
        key(b",STREET=", 8),
        key(b"     ,O=", 3),
        key(b"    ,OU=", 4),
    ]
};

/// Puts a value in front of `end`, escaped; gives its start.
#[cold]
fn escape_before(buffer: &mut [u8; SHORT], end: usize, value: &[u8]) -> Option<usize> {
    let mut start = end;
    let mut push = |octet: u8| {
        start = start.checked_sub(1)?;
        *buffer.get_mut(start)? = octet;
        Some(())
    };
    let last = value.len() - 1;
    for (at, octet) in value.iter().enumerate().rev() {
        match octet {
            0 => {
                push(b'0')?;
                push(b'0')?;
                push(b'\\')?;
            }
            octet => {
                push(*octet)?;
                if class(*octet) & SPECIAL != 0 || is_special_at(*octet, at == 0, at == last) {
                    push(b'\\')?;
                }
            }
        }
    }
    Some(start)
}

/// RFC 4514 §2.4: a space at either end, and a number sign at the beginning.
const fn is_special_at(octet: u8, first: bool, last: bool) -> bool {
    (octet == b' ' && (first || last)) || (octet == b'#' && first)
}

/// How many RDNs are put in reverse order without allocating.
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

/// Names of more RDNs than anyone has.
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
            write_value(&attribute.value, out)
        }
        None => write_other(attribute, element, style, out),
    }
}

/// The short names of RFC 4514 §3, with the equals sign.
fn key(attr_type: &[u8]) -> Option<&'static str> {
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

/// An attribute whose type has no short name in RFC 4514.
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
    match oids::lookup(oid).filter(|info| style.extended && info.kind == oids::Kind::Attribute) {
        Some(info) => {
            out.write_str(info.name)?;
            out.write_char('=')?;
            write_value(&attribute.value, out)
        }
        None => {
            write!(out, "{oid}=")?;
            // RFC 4514 §2.4: values of dotted types are hexadecimal.
            if style.text { write_value(&attribute.value, out) } else { write_hex(attribute.value.bytes, out) }
        }
    }
}

fn write_value<W: Write + ?Sized>(value: &Element<'_>, out: &mut W) -> fmt::Result {
    match value.tag {
        UTF8_STRING => match core::str::from_utf8(value.content) {
            Ok(text) => write_escaped(text, out),
            Err(_) => write_hex(value.bytes, out),
        },
        // Not for what a rule tolerated beyond ASCII.
        PRINTABLE_STRING | IA5_STRING => match core::str::from_utf8(value.content) {
            Ok(text) if text.is_ascii() => write_escaped(text, out),
            _ => write_hex(value.bytes, out),
        },
        _ => write_rare(value, out),
    }
}

fn write_rare<W: Write + ?Sized>(value: &Element<'_>, out: &mut W) -> fmt::Result {
    // Universal, primitive, low tag numbers.
    let text = if value.tag < 0x1F { text_of(u32::from(value.tag), value.content) } else { None };
    match text {
        Some(text) => write_escaped(&text, out),
        None => write_hex(value.bytes, out),
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

/// `#` and octets in hexadecimal.
fn write_hex<W: Write + ?Sized>(octets: &[u8], out: &mut W) -> fmt::Result {
    out.write_char('#')?;
    octets.iter().try_for_each(|octet| write!(out, "{octet:02x}"))
}
