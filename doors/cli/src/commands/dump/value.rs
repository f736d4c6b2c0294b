//! Interpretation of the content of primitive elements whose tag determines their type.

use tagwise_codec::{Bmp, Class, GeneralizedTime, Int, Oid, Real, RelativeOid, Tag, Universal, UtcTime};
use tagwise_pkix::oids;
use tagwise_show::tree::decimal;

/// An interpretation of a primitive element's content.
pub(crate) enum Meaning {
    /// Uninterpreted bytes.
    Octets,
    /// The NULL value.
    Nothing,
    /// A BOOLEAN.
    Bool(bool),
    /// An INTEGER or ENUMERATED, in decimal if it has at most 128 bits.
    Integer(Option<String>),
    /// An OBJECT IDENTIFIER in dotted form, with its name if known.
    Oid(String, Option<&'static str>),
    /// A REAL, as text.
    Real(String),
    /// A BIT STRING, with the number of unused bits in the last byte.
    Bits(u8),
    /// Untrusted text. For times, also the ISO 8601 form.
    Text(String, Option<String>),
}

/// Interprets content. `whole` is set if it is complete; otherwise, only its beginning is available.
pub(crate) fn meaning(tag: Tag, octets: &[u8], whole: bool) -> Meaning {
    if tag.class() != Class::Universal {
        return Meaning::Octets;
    }
    let text = || text(tag, octets, whole).unwrap_or(Meaning::Octets);
    match tag.number() {
        1 => octets.first().map_or(Meaning::Octets, |octet| Meaning::Bool(*octet != 0)),
        2 | 10 if whole && !octets.is_empty() => Meaning::Integer(decimal(Int::from_signed(octets))),
        3 => octets.first().map_or(Meaning::Octets, |unused| Meaning::Bits(*unused)),
        5 => Meaning::Nothing,
        6 if whole => Oid::from_content(octets)
            .map_or(Meaning::Octets, |oid| Meaning::Oid(oid.to_string(), oids::lookup(oid).map(|info| info.name))),
        9 if whole => Real::from_content(octets).map_or(Meaning::Octets, |real| Meaning::Real(real.to_string())),
        13 if whole => {
            RelativeOid::from_content(octets).map_or(Meaning::Octets, |oid| Meaning::Oid(oid.to_string(), None))
        }
        7 | 12 | 14 | 18..=28 | 30..=36 => text(),
        _ => Meaning::Octets,
    }
}

fn text(tag: Tag, octets: &[u8], whole: bool) -> Option<Meaning> {
    // The front of a text may end inside a character.
    let octets = if whole { octets } else { octets.get(..octets.len() & !3)? };
    let text = match tag.number() {
        28 => Universal::from_content(octets).ok()?.chars().collect(),
        30 => Bmp::from_content(octets).ok()?.chars().collect(),
        _ => match core::str::from_utf8(octets) {
            Ok(text) => text.to_owned(),
            Err(error) if !whole && error.error_len().is_none() => {
                core::str::from_utf8(octets.get(..error.valid_up_to())?).ok()?.to_owned()
            }
            Err(_) => return None,
        },
    };
    let iso = match tag.number() {
        23 => UtcTime::from_content(octets).ok().map(|time| time.to_string()),
        24 => GeneralizedTime::from_content(octets).ok().map(|time| time.to_string()),
        _ => None,
    };
    Some(Meaning::Text(text, iso))
}
