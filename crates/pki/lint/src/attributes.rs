//! The attributes of distinguished names: string types and lengths (RFC 5280 §4.1.2.4, §A.1).

use tagwise_codec::{Oid, Tag};

use super::list::{self, Lint};
use super::sink::Sink;
use super::walk::each;
use tagwise_x509::name::{AttributeTypeAndValue, Name, RelativeDistinguishedName, split_common};

const TELETEX_STRING: u8 = 0x14;
const UNIVERSAL_STRING: u8 = 0x1C;
const BMP_STRING: u8 = 0x1E;
const PRINTABLE_STRING: u8 = 0x13;
const UTF8_STRING: u8 = 0x0C;
const IA5_STRING: u8 = 0x16;

/// `pkcs-9-emailAddress`, 1.2.840.113549.1.9.1.
const EMAIL_ADDRESS: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 1];
/// `domainComponent`, 0.9.2342.19200300.100.1.25.
const DOMAIN_COMPONENT: &[u8] = &[0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 25];

/// The syntax of an attribute's values, with their minimum and maximum length in characters.
#[derive(Clone, Copy)]
struct Syntax {
    kind: StringRule,
    least: usize,
    most: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StringRule {
    Directory,
    Printable,
    Ia5,
}

impl Syntax {
    /// Returns the syntax of an attribute type in RFC 5280 §A.1, with its upper bound.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    const fn of(attr_type: &[u8]) -> Option<Self> {
        match attr_type {
            [0x55, 0x04, id] => Self::of_x520(*id),
            EMAIL_ADDRESS => Some(Self { kind: StringRule::Ia5, least: 1, most: 255 }),
            DOMAIN_COMPONENT => Some(Self { kind: StringRule::Ia5, least: 0, most: usize::MAX }),
            _ => None,
        }
    }

    /// Returns the syntax of the attribute type with this last arc under `id-at`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    const fn of_x520(id: u8) -> Option<Self> {
        let (kind, least, most) = match id {
            // name, surname, givenName, initials, generationQualifier
            41 | 4 | 42..=44 => (StringRule::Directory, 1, 32_768),
            // commonName, organizationName, organizationalUnitName, title
            3 | 10..=12 => (StringRule::Directory, 1, 64),
            // localityName, stateOrProvinceName, pseudonym
            7 | 8 | 65 => (StringRule::Directory, 1, 128),
            // dnQualifier
            46 => (StringRule::Printable, 0, usize::MAX),
            // countryName
            6 => (StringRule::Printable, 2, 2),
            // serialNumber
            5 => (StringRule::Printable, 1, 64),
            _ => return None,
        };
        Some(Self { kind, least, most })
    }
}

/// Returns the maximum number of characters for an attribute type (RFC 5280 §A.1), or `None` for types without a bound.
///
/// ```
/// use tagwise_codec::oid;
/// assert_eq!(tagwise_lint::upper_bound(oid!("2.5.4.3")), Some(64));
/// ```
#[must_use]
pub fn upper_bound(attr_type: Oid<'_>) -> Option<usize> {
    Syntax::of(attr_type.as_bytes()).map(|syntax| syntax.most).filter(|most| *most != usize::MAX)
}

/// Returns the number of characters in a string.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn characters(tag: u8, value: &[u8]) -> usize {
    match tag {
        UTF8_STRING => value.iter().filter(|octet| **octet & 0xC0 != 0x80).count(),
        BMP_STRING => value.len() / 2,
        UNIVERSAL_STRING => value.len() / 4,
        _ => value.len(),
    }
}

/// Checks the attributes of a name, and returns the offset of the last email address. Obsolete DirectoryString types are
/// reported under the lint `string_type`.
#[inline]
pub(super) fn check(sink: &mut Sink, name: &Name<'_>, string_type: &'static Lint) -> Option<usize> {
    let content = name.0.content().unwrap_or_default();
    let end = name.0.offset() + content.len();
    let mut rest = content;
    let mut email = None;
    while let Some((common, after)) = split_common(rest) {
        let at = end - after.len() - common.value.len() - 2;
        if let Some(syntax) = Syntax::of_x520(common.attr) {
            judge(sink, syntax, common.tag, common.value, at, string_type);
        }
        rest = after;
    }
    if !rest.is_empty() {
        general(sink, rest, end - rest.len(), string_type, &mut email);
    }
    email
}

/// Checks the attributes of RDNs in any form.
#[inline(never)]
fn general(sink: &mut Sink, content: &[u8], offset: usize, string_type: &'static Lint, email: &mut Option<usize>) {
    each(sink, Some(content), offset, |sink, rdn: RelativeDistinguishedName<'_>, _| {
        attributes(sink, &rdn, string_type, email);
    });
}

/// Checks the attributes of one RDN.
pub(super) fn attributes(
    sink: &mut Sink,
    rdn: &RelativeDistinguishedName<'_>,
    string_type: &'static Lint,
    email: &mut Option<usize>,
) {
    each(sink, rdn.0.content(), rdn.0.offset(), |sink, attribute: AttributeTypeAndValue<'_>, item| {
        let attr_type = attribute.attr_type.as_bytes();
        if attr_type == EMAIL_ADDRESS {
            *email = Some(item.offset);
        }
        if let Some(syntax) = Syntax::of(attr_type) {
            let value = &attribute.value;
            let tag = universal(value.tag());
            judge(sink, syntax, tag, value.content(), value.offset(), string_type);
        }
    });
}

/// Returns the first identifier byte of a tag.
fn universal(tag: Tag) -> u8 {
    tag.first_octet()
}

/// Checks a value at offset `at` against its attribute's syntax.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn judge(sink: &mut Sink, syntax: Syntax, tag: u8, value: &[u8], at: usize, string_type: &'static Lint) {
    let fits = match syntax.kind {
        StringRule::Directory => match tag {
            PRINTABLE_STRING | UTF8_STRING => true,
            TELETEX_STRING | UNIVERSAL_STRING | BMP_STRING => {
                sink.find(string_type, at);
                true
            }
            _ => false,
        },
        StringRule::Printable => tag == PRINTABLE_STRING,
        StringRule::Ia5 => tag == IA5_STRING,
    };
    if !fits {
        sink.find(&list::ATTRIBUTE_TYPE, at);
    }
    // The number of bytes is an upper bound of the number of characters.
    if value.len() > syntax.most || value.len() < syntax.least {
        let count = characters(tag, value);
        if count > syntax.most || count < syntax.least {
            sink.find(&list::ATTRIBUTE_LENGTH, at);
        }
    }
}
