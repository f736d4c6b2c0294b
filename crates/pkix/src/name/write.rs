//! Names as text: RFC 4514, and a line for people.

use core::fmt::{self, Write};

use tagwise_codec::Oid;

use super::Name;
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

/// How many RDNs are put in reverse order without allocating.
const RDNS: usize = 16;

/// Writes the name that has these content octets.
#[inline]
fn write_name<W: Write + ?Sized>(content: &[u8], style: Style, out: &mut W) -> fmt::Result {
    let mut rdns = [&[][..]; RDNS];
    let mut count = 0;
    let mut elements = Elements(content);
    let mut rest = content;
    while let Some(element) = elements.next() {
        let Some(slot) = rdns.get_mut(count) else {
            return write_long(content, style, out);
        };
        *slot = match element {
            Ok(element) => element.bytes,
            Err(malformed) => malformed,
        };
        rest = elements.0;
        count += 1;
    }
    let _ = rest;
    write_reversed(rdns.get(..count).unwrap_or_default(), style, out)
}

/// Names of more RDNs than anyone has.
#[cold]
fn write_long<W: Write + ?Sized>(content: &[u8], style: Style, out: &mut W) -> fmt::Result {
    let rdns: Vec<&[u8]> = Elements(content)
        .map(|element| match element {
            Ok(element) => element.bytes,
            Err(malformed) => malformed,
        })
        .collect();
    write_reversed(&rdns, style, out)
}

#[inline(always)]
fn write_reversed<W: Write + ?Sized>(rdns: &[&[u8]], style: Style, out: &mut W) -> fmt::Result {
    for (index, rdn) in rdns.iter().rev().enumerate() {
        if index > 0 {
            out.write_str(style.separator)?;
        }
        write_rdn(rdn, style, out)?;
    }
    Ok(())
}

#[inline(always)]
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

#[inline(always)]
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
#[inline(always)]
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
#[cold]
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

#[inline(always)]
fn write_value<W: Write + ?Sized>(value: &Element<'_>, out: &mut W) -> fmt::Result {
    match value.tag {
        // UTF8String.
        0x0C => match core::str::from_utf8(value.content) {
            Ok(text) => write_escaped(text, out),
            Err(_) => write_hex(value.bytes, out),
        },
        // PrintableString, IA5String: not for what a rule tolerated beyond ASCII.
        0x13 | 0x16 => match core::str::from_utf8(value.content) {
            Ok(text) if text.is_ascii() => write_escaped(text, out),
            _ => write_hex(value.bytes, out),
        },
        _ => write_rare(value, out),
    }
}

#[cold]
fn write_rare<W: Write + ?Sized>(value: &Element<'_>, out: &mut W) -> fmt::Result {
    // Universal, primitive, low tag numbers.
    let text = if value.tag < 0x1F { text_of(u32::from(value.tag), value.content) } else { None };
    match text {
        Some(text) => write_escaped(&text, out),
        None => write_hex(value.bytes, out),
    }
}

/// Octets that are escaped wherever they stand: `"` `+` `,` `;` `<` `>` `\` and NUL (RFC 4514 §2.4).
const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut rest: &[u8] = b"\"+,;<>\\\0";
    while let [octet, tail @ ..] = rest {
        if let Some((_, [slot, ..])) = table.split_at_mut_checked(*octet as usize) {
            *slot = true;
        }
        rest = tail;
    }
    table
};

#[inline(always)]
fn is_special(octet: u8) -> bool {
    SPECIAL.get(usize::from(octet)).copied().unwrap_or_default()
}

#[inline(always)]
fn write_escaped<W: Write + ?Sized>(text: &str, out: &mut W) -> fmt::Result {
    let octets = text.as_bytes();
    let special = octets.iter().fold(false, |special, octet| special | is_special(*octet));
    let ends = matches!(octets, [b' ' | b'#', ..] | [.., b' ']);
    if special || ends { write_special(text, out) } else { out.write_str(text) }
}

#[cold]
fn write_special<W: Write + ?Sized>(text: &str, out: &mut W) -> fmt::Result {
    let last = text.len().saturating_sub(1);
    let mut rest = text;
    let mut start = 0;
    while let Some(at) = rest.bytes().enumerate().position(|(at, octet)| match octet {
        b' ' => start + at == 0 || start + at == last,
        b'#' => start + at == 0,
        octet => is_special(octet),
    }) {
        let (plain, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.write_str(plain)?;
        match after.split_at_checked(1) {
            Some(("\0", after)) => {
                out.write_str("\\00")?;
                rest = after;
            }
            Some((special, after)) => {
                out.write_char('\\')?;
                out.write_str(special)?;
                rest = after;
            }
            None => break,
        }
        start = text.len() - rest.len();
    }
    out.write_str(rest)
}

/// `#` and octets in hexadecimal.
#[cold]
fn write_hex<W: Write + ?Sized>(octets: &[u8], out: &mut W) -> fmt::Result {
    out.write_char('#')?;
    octets.iter().try_for_each(|octet| write!(out, "{octet:02x}"))
}
