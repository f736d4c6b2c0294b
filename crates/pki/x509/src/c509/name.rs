//! Names (§3.1.4) and general names (§3.3, §9.11).

use tagwise_codec::Any;
use tagwise_codec::text::hex;

use super::der::{any, children, content, element, list, parts, sequence};
use super::item::CborItem;
use super::registry::{ATTRIBUTES, identifier, number};
use super::{Error, field, unsupported};

const UTF8: u8 = 0x0C;
const PRINTABLE: u8 = 0x13;
const IA5: u8 = 0x16;

/// Returns whether an attribute is an IA5String, regardless of the sign of its registry value.
const fn is_ia5(number: i128) -> bool {
    matches!(number, 0 | 22)
}

/// The CBOR tag of a MAC address (RFC 9542 §2.4).
const MAC: u64 = 48;

/// Encodes a text as a string, or as the bytes that its hexadecimal digits represent.
fn special(text: &str) -> CborItem {
    let is_capital = |octet: u8| octet.is_ascii_uppercase();
    if !text.is_empty()
        && !text.bytes().any(is_capital)
        && let Some(octets) = hex::decode_pairs(text)
    {
        return CborItem::Bytes(octets);
    }
    match address(text) {
        Some([a, b, c, 0xFF, 0xFE, d, e, f]) => CborItem::Tag(MAC, Box::new(CborItem::Bytes(vec![a, b, c, d, e, f]))),
        Some(octets) => CborItem::Tag(MAC, Box::new(CborItem::bytes(&octets))),
        None => CborItem::text(text),
    }
}

/// Parses an EUI-64 in upper-case hexadecimal digits.
fn address(text: &str) -> Option<[u8; 8]> {
    let is_pair = |pair: &str| pair.len() == 2 && !pair.bytes().any(|octet| octet.is_ascii_lowercase());
    let digits: Vec<&str> = text.split('-').collect();
    let octets = digits.iter().all(|pair| is_pair(pair)).then(|| hex::decode_pairs(&digits.concat()))??;
    octets.try_into().ok()
}

/// Returns the text that an item represents.
fn spoken(item: &CborItem) -> Option<String> {
    let dashed = |octets: &[u8]| octets.iter().map(|octet| format!("{octet:02X}")).collect::<Vec<_>>().join("-");
    match item {
        CborItem::Text(text) => Some(text.clone()),
        CborItem::Bytes(octets) => Some(hex::encode(octets)),
        CborItem::Tag(MAC, inner) => match inner.as_bytes()? {
            [a, b, c, d, e, f] => Some(dashed(&[*a, *b, *c, 0xFF, 0xFE, *d, *e, *f])),
            octets if octets.len() == 8 => Some(dashed(octets)),
            _ => None,
        },
        _ => None,
    }
}

/// Encodes the value of a known attribute. Returns its registry value, which is negative for a PrintableString, and the
/// text.
fn text(number: i128, value: &Any<'_>) -> Option<(i128, CborItem)> {
    let number = match (is_ia5(number), value.tag().first_octet()) {
        (true, IA5) | (false, UTF8) => number,
        (false, PRINTABLE) => -number,
        _ => return None,
    };
    Some((number, special(std::str::from_utf8(value.content()).ok()?)))
}

/// Converts an attribute value from CBOR to DER.
fn spell_text(number: i128, item: &CborItem, native: bool) -> Option<Vec<u8>> {
    let text = spoken(item)?;
    let tag = match (is_ia5(number.abs()), number < 0) {
        (true, false) => IA5,
        (true, true) => return None,
        // What has one type only, has it in native certificates too (RFC 5280 App. A.1).
        (false, false) if native && matches!(number, 3 | 4 | 16) => PRINTABLE,
        (false, false) => UTF8,
        (false, true) => PRINTABLE,
    };
    Some(element(tag, &[text.as_bytes()]))
}

/// Encodes SubjectDirectoryAttributes (RFC 5280 §4.2.1.8): attributes as in names, each with a list of values.
pub(super) fn attributes(value: &[u8]) -> Option<CborItem> {
    let mut items = Vec::new();
    for attribute in parts(value)? {
        let attribute = children(&attribute)?;
        let [ty, values] = attribute.as_slice() else { return None };
        let (oid, values) = (content(ty, 0x06)?, children(values)?);
        let texts = number(ATTRIBUTES, oid).and_then(|number| {
            let texts: Vec<_> = values.iter().map(|value| text(number, value)).collect::<Option<_>>()?;
            let (signed, _) = texts.first()?;
            let alike = texts.iter().all(|(number, _)| number == signed);
            alike.then(|| (*signed, texts.iter().map(|(_, text)| text.clone()).collect()))
        });
        match texts {
            Some((number, texts)) => items.extend([CborItem::Int(number), CborItem::Array(texts)]),
            None => {
                let values = values.iter().map(|value| CborItem::bytes(value.as_bytes())).collect();
                items.extend([CborItem::bytes(oid), CborItem::Array(values)]);
            }
        }
    }
    Some(CborItem::Array(items))
}

/// Converts SubjectDirectoryAttributes from CBOR to DER.
pub(super) fn spell_attributes(item: &CborItem, native: bool) -> Option<Vec<u8>> {
    let mut attributes = Vec::new();
    for pair in item.as_array()?.chunks(2) {
        let [ty, values] = pair else { return None };
        let values = values.as_array().filter(|values| !values.is_empty())?.iter();
        let (oid, values): (_, Option<Vec<_>>) = match ty {
            CborItem::Int(number) => (
                identifier(ATTRIBUTES, number.abs())?.to_vec(),
                values.map(|value| spell_text(*number, value, native)).collect(),
            ),
            CborItem::Bytes(oid) => (oid.clone(), values.map(|value| value.as_bytes().map(<[u8]>::to_vec)).collect()),
            _ => return None,
        };
        let mut values = values?;
        // In natively signed certificates they may stand in any order; DER has one (X.690 §11.6).
        values.sort();
        attributes.push(sequence(&[element(0x06, &[&oid]), list(0x31, &values)]));
    }
    Some(sequence(&attributes))
}

/// Encodes a name, given the elements of its RDNSequence.
pub(super) fn encode(rdns: &Any<'_>) -> Result<CborItem, Error> {
    let mut items = Vec::new();
    for rdn in children(rdns).ok_or(field("name", "§3.1.4"))? {
        let attributes = children(&rdn).ok_or(field("name", "§3.1.4"))?;
        let [attribute] = attributes.as_slice() else {
            return Err(unsupported("a relative distinguished name with several attributes", "§3.1.4"));
        };
        let attribute = children(attribute).ok_or(field("name", "§3.1.4"))?;
        let [ty, value] = attribute.as_slice() else { return Err(field("name", "§3.1.4")) };
        let oid = content(ty, 0x06).ok_or(field("name", "§3.1.4"))?;
        match number(ATTRIBUTES, oid).and_then(|number| text(number, value)) {
            Some((number, text)) => items.extend([CborItem::Int(number), text]),
            None => items.extend([CborItem::bytes(oid), CborItem::bytes(value.as_bytes())]),
        }
    }
    Ok(match items.as_mut_slice() {
        [CborItem::Int(1), text] => text.clone(),
        _ => CborItem::Array(items),
    })
}

/// Converts a name from CBOR to DER.
pub(super) fn decode(item: &CborItem, native: bool) -> Result<Vec<u8>, Error> {
    let bad = || field("name", "§3.1.4");
    let attribute = |oid: &[u8], value: Vec<u8>| list(0x31, &[sequence(&[element(0x06, &[oid]), value])]);
    let Some(items) = item.as_array() else {
        let text = spoken(item).ok_or_else(bad)?;
        return Ok(sequence(&[attribute(&[0x55, 0x04, 0x03], element(UTF8, &[text.as_bytes()]))]));
    };
    let mut rdns = Vec::new();
    for pair in items.chunks(2) {
        let [ty, value] = pair else { return Err(bad()) };
        rdns.push(match ty {
            CborItem::Int(number) => {
                let oid = identifier(ATTRIBUTES, number.abs()).ok_or_else(bad)?;
                attribute(oid, spell_text(*number, value, native).ok_or_else(bad)?)
            }
            CborItem::Bytes(oid) => attribute(oid, value.as_bytes().ok_or_else(bad)?.to_vec()),
            _ => return Err(bad()),
        });
    }
    Ok(sequence(&rdns))
}

const SMTP_UTF8_MAILBOX: &[u8] = &[0x2B, 6, 1, 5, 5, 7, 8, 9];
const HARDWARE_MODULE_NAME: &[u8] = &[0x2B, 6, 1, 5, 5, 7, 8, 4];

/// Encodes general names as pairs. Returns `None` if a name cannot be represented.
pub(super) fn encode_general(names: &[Any<'_>], constraint: bool) -> Option<Vec<CborItem>> {
    let mut items = Vec::new();
    for name in names {
        let (number, value) = one(name, constraint)?;
        items.extend([CborItem::Int(number), value]);
    }
    (!items.is_empty()).then_some(items)
}

fn one(name: &Any<'_>, constraint: bool) -> Option<(i128, CborItem)> {
    let text = || std::str::from_utf8(name.content()).ok().filter(|text| text.is_ascii()).map(CborItem::text);
    Some(match name.tag().first_octet() {
        0xA0 => {
            let parts = children(name)?;
            let [ty, value] = parts.as_slice() else { return None };
            let (oid, value) = (content(ty, 0x06)?, content(value, 0xA0)?);
            let inner = any(value)?;
            match oid {
                SMTP_UTF8_MAILBOX if inner.tag().first_octet() == UTF8 => {
                    (-2, CborItem::text(std::str::from_utf8(inner.content()).ok()?))
                }
                HARDWARE_MODULE_NAME => {
                    let parts = parts_of(&inner)?;
                    let [ty, serial] = parts.as_slice() else { return None };
                    let pair = [CborItem::bytes(content(ty, 0x06)?), CborItem::bytes(content(serial, 0x04)?)];
                    (-1, CborItem::Array(pair.to_vec()))
                }
                oid => (0, CborItem::Array(vec![CborItem::bytes(oid), CborItem::bytes(value)])),
            }
        }
        0x81 => (1, text()?),
        0x82 => (2, text()?),
        0xA4 => (4, encode(&any(name.content())?).ok()?),
        0x86 => (6, text()?),
        0x87 if constraint => (7, CborItem::Bytes(subnet(name.content())?)),
        0x87 => (7, CborItem::bytes(name.content())),
        0x88 => (8, CborItem::bytes(name.content())),
        _ => return None,
    })
}

fn parts_of<'a>(outer: &Any<'a>) -> Option<Vec<Any<'a>>> {
    (outer.tag().first_octet() == 0x30).then(|| children(outer))?
}

/// Encodes an address and its prefix length. The mask must be contiguous.
fn subnet(octets: &[u8]) -> Option<Vec<u8>> {
    let half = matches!(octets.len(), 8 | 32).then_some(octets.len() / 2)?;
    let (address, mask) = octets.split_at_checked(half)?;
    let bits = mask.iter().map(|octet| octet.leading_ones()).try_fold((0u32, false), |(sum, ended), ones| {
        (!ended || ones == 0).then_some((sum + ones, ended || ones < 8))
    })?;
    let last = u8::try_from(bits.0).ok()?;
    (masked(last, half)? == mask).then(|| [address, &[last]].concat())
}

/// Returns a mask with the given prefix length.
fn masked(bits: u8, len: usize) -> Option<Vec<u8>> {
    let mask: Vec<u8> = (0..len)
        .map(|at| {
            let left = usize::from(bits).saturating_sub(8 * at).min(8);
            // Of eight bits none are left out.
            u8::try_from(0xFF00_u32 >> left & 0xFF).unwrap_or(0xFF)
        })
        .collect();
    (usize::from(bits) <= 8 * len).then_some(mask)
}

/// Converts general names from CBOR to DER, in order.
pub(super) fn decode_general(items: &[CborItem], constraint: bool, native: bool) -> Result<Vec<Vec<u8>>, Error> {
    let bad = || field("general name", "§9.11");
    let mut names = Vec::new();
    for pair in items.chunks(2) {
        let [CborItem::Int(number), value] = pair else { return Err(bad()) };
        let text = |tag| value.as_text().map(|text| element(tag, &[text.as_bytes()])).ok_or_else(bad);
        let pair = || match value.as_array() {
            Some([first, second]) => Some((first.as_bytes()?, second.as_bytes()?)),
            _ => None,
        };
        let other = |oid: &[u8], value: Vec<u8>| list(0xA0, &[element(0x06, &[oid]), list(0xA0, &[value])]);
        names.push(match number {
            -2 => {
                let text = value.as_text().ok_or_else(bad)?;
                other(SMTP_UTF8_MAILBOX, element(UTF8, &[text.as_bytes()]))
            }
            -1 => {
                let (ty, serial) = pair().ok_or_else(bad)?;
                other(HARDWARE_MODULE_NAME, sequence(&[element(0x06, &[ty]), element(0x04, &[serial])]))
            }
            0 => {
                let (oid, value) = pair().ok_or_else(bad)?;
                other(oid, value.to_vec())
            }
            1 => text(0x81)?,
            2 => text(0x82)?,
            4 => list(0xA4, &[decode(value, native)?]),
            6 => text(0x86)?,
            7 => {
                let octets = value.as_bytes().ok_or_else(bad)?;
                match octets.split_last() {
                    Some((bits, address)) if constraint && matches!(address.len(), 4 | 16) => {
                        element(0x87, &[address, &masked(*bits, address.len()).ok_or_else(bad)?])
                    }
                    _ if constraint => return Err(bad()),
                    _ => element(0x87, &[octets]),
                }
            }
            8 => element(0x88, &[value.as_bytes().ok_or_else(bad)?]),
            _ => return Err(bad()),
        });
    }
    Ok(names)
}

/// Parses the general names in an extension value that is a list of them.
pub(super) fn general_names(value: &[u8]) -> Option<Vec<Any<'_>>> {
    parts(value)
}
