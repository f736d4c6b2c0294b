//! Extensions (§3.1.10, §3.3). Common ones have compact forms, others are stored as identifiers and bytes.
//!
//! A compact form is used only if it restores the exact original bytes.

use tagwise_codec::Any;

use super::der::{any, as_number, children, content, element, list, number as small_number, parts, sequence, small};
use super::der::{magnitude, unsigned_content};
use super::item::CborItem;
use super::key::{signature, spelled};
use super::name::{attributes, decode_general, encode_general, general_names, spell_attributes};
use super::registry::{ACCESSES, EXTENSIONS, POLICIES, PURPOSES, QUALIFIERS, Registry, identifier, number};
use super::resources::{spell_systems, systems};
use super::{Error, field};

/// The certificate's properties on which a compact form depends.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// The start of the validity period in seconds. Certificate timestamps are encoded relative to it.
    pub(super) not_before: u64,
    pub(super) native: bool,
}

/// Encodes the extensions in a SEQUENCE.
pub(super) fn encode(list: &Any<'_>, context: Context) -> Result<CborItem, Error> {
    let bad = || field("extensions", "§3.1.10");
    let mut items = Vec::new();
    for extension in children(list).ok_or_else(bad)? {
        let parts = children(&extension).ok_or_else(bad)?;
        let (oid, critical, value) = match parts.as_slice() {
            [oid, value] => (oid, false, value),
            [oid, critical, value] => (oid, content(critical, 0x01) == Some(&[0xFF]), value),
            _ => return Err(bad()),
        };
        let oid = content(oid, 0x06).ok_or_else(bad)?;
        let value = content(value, 0x04).ok_or_else(bad)?;
        let short = number(EXTENSIONS, oid).and_then(|number| {
            let item = form(number, value, context)?;
            let same = spell(number, &item, context).as_deref() == Some(value);
            same.then_some((number, item))
        });
        match short {
            Some((number, item)) => items.extend([CborItem::Int(if critical { -number } else { number }), item]),
            None => {
                items.push(CborItem::bytes(oid));
                if critical {
                    items.push(CborItem::True);
                }
                items.push(CborItem::bytes(value));
            }
        }
    }
    Ok(match items.as_slice() {
        [CborItem::Int(id @ (2 | -2)), CborItem::Int(usage)] => CborItem::Int(if *id < 0 { -usage } else { *usage }),
        _ => CborItem::Array(items),
    })
}

/// Converts the extensions from CBOR to DER. Returns `None` if there are none.
pub(super) fn decode(item: &CborItem, context: Context) -> Result<Option<Vec<u8>>, Error> {
    let bad = || field("extensions", "§3.1.10");
    let of = |oid: &[u8], critical: bool, value: &[u8]| {
        let critical = if critical { element(0x01, &[&[0xFF]]) } else { Vec::new() };
        sequence(&[element(0x06, &[oid]), critical, element(0x04, &[value])])
    };
    let single;
    let items = match item {
        CborItem::Int(usage) => {
            single = [CborItem::Int(if *usage < 0 { -2 } else { 2 }), CborItem::Int(usage.abs())];
            &single[..]
        }
        item => item.as_array().ok_or_else(bad)?,
    };
    let mut rest = items;
    let mut extensions = Vec::new();
    while let [first, tail @ ..] = rest {
        rest = match (first, tail) {
            (CborItem::Int(id), [value, tail @ ..]) => {
                let oid = identifier(EXTENSIONS, id.abs()).ok_or(field("extension number", "§9.6"))?;
                let value = spell(id.abs(), value, context).ok_or(field("extension value", "§3.3"))?;
                extensions.push(of(oid, *id < 0, &value));
                tail
            }
            (CborItem::Bytes(oid), [CborItem::True, CborItem::Bytes(value), tail @ ..]) => {
                extensions.push(of(oid, true, value));
                tail
            }
            (CborItem::Bytes(oid), [CborItem::Bytes(value), tail @ ..]) => {
                extensions.push(of(oid, false, value));
                tail
            }
            _ => return Err(bad()),
        };
    }
    Ok((!extensions.is_empty()).then(|| list(0xA3, &[sequence(&extensions)])))
}

/// Returns the compact form of an extension value, or `None` if it has none. `number` is the extension's registry value.
pub(super) fn form(number: i128, value: &[u8], context: Context) -> Option<CborItem> {
    match number {
        1 => Some(CborItem::bytes(content(&any(value)?, 0x04)?)),
        2 => usage(value),
        3 | 25 => match encode_general(&general_names(value)?, false)?.as_slice() {
            [CborItem::Int(2), text] => Some(text.clone()),
            names => Some(CborItem::Array(names.to_vec())),
        },
        4 => match parts(value)?.as_slice() {
            [] => Some(CborItem::Int(-2)),
            [ca] if content(ca, 0x01) == Some(&[0xFF]) => Some(CborItem::Int(-1)),
            [_, len] => small_number(len).map(|len| CborItem::Int(i128::from(len))),
            _ => None,
        },
        5 | 29 => points(value),
        6 => policies(value),
        7 => authority(value),
        8 => {
            let purposes = parts(value)?;
            let purposes: Vec<CborItem> =
                purposes.iter().map(|purpose| known(PURPOSES, content(purpose, 0x06)?)).collect::<Option<_>>()?;
            match purposes.as_slice() {
                [one] => Some(one.clone()),
                _ => Some(CborItem::Array(purposes)),
            }
        }
        9 | 31 => {
            let mut items = Vec::new();
            for access in parts(value)? {
                let parts = children(&access)?;
                let [method, place] = parts.as_slice() else { return None };
                items.extend([known(ACCESSES, content(method, 0x06)?)?, ascii(content(place, 0x86)?)?]);
            }
            Some(CborItem::Array(items))
        }
        10 => timestamps(value, context),
        24 => attributes(value),
        26 => {
            let mut trees = [CborItem::Null, CborItem::Null];
            for part in parts(value)? {
                let slot = trees.get_mut(usize::from(part.tag().first_octet().checked_sub(0xA0)?))?;
                let bases = children(&part)?;
                let bases: Vec<Any<'_>> = bases
                    .iter()
                    .map(|tree| match children(tree)?.as_slice() {
                        [base] => Some(*base),
                        _ => None,
                    })
                    .collect::<Option<_>>()?;
                *slot = CborItem::Array(encode_general(&bases, true)?);
            }
            Some(CborItem::Array(trees.to_vec()))
        }
        27 => {
            let mut items = Vec::new();
            for pair in parts(value)? {
                for oid in children(&pair)? {
                    items.push(CborItem::bytes(content(&oid, 0x06)?));
                }
            }
            Some(CborItem::Array(items))
        }
        28 => {
            let mut numbers = [CborItem::Null, CborItem::Null];
            for part in parts(value)? {
                let slot = numbers.get_mut(usize::from(part.tag().first_octet().checked_sub(0x80)?))?;
                *slot = CborItem::Int(i128::from(as_number(part.content())?));
            }
            Some(CborItem::Array(numbers.to_vec()))
        }
        30 => small_number(&any(value)?).map(|skip| CborItem::Int(i128::from(skip))),
        33 | 35 => systems(value),
        36 | 37 => (value == [0x05, 0x00]).then_some(CborItem::Null),
        38 => {
            let features = parts(value)?;
            let number = |feature: &Any<'_>| small_number(feature).map(|number| CborItem::Int(i128::from(number)));
            features.iter().map(number).collect::<Option<_>>().map(CborItem::Array)
        }
        _ => None,
    }
}

/// Restores an extension value from its compact form.
pub(super) fn spell(number: i128, item: &CborItem, context: Context) -> Option<Vec<u8>> {
    Some(match number {
        1 => element(0x04, &[item.as_bytes()?]),
        2 => spell_usage(item.as_u64()?)?,
        3 | 25 => match item {
            CborItem::Text(text) => list(0x30, &[element(0x82, &[text.as_bytes()])]),
            item => sequence(&decode_general(item.as_array()?, false, context.native).ok()?),
        },
        4 => match item.as_int()? {
            -2 => sequence(&[]),
            -1 => sequence(&[element(0x01, &[&[0xFF]])]),
            len => sequence(&[element(0x01, &[&[0xFF]]), small(u64::try_from(len).ok()?)]),
        },
        5 | 29 => spell_points(item)?,
        6 => spell_policies(item)?,
        7 => match item {
            CborItem::Bytes(key) => sequence(&[element(0x80, &[key])]),
            item => match item.as_array()? {
                [CborItem::Bytes(key), names, CborItem::Bytes(serial)] => {
                    let names = decode_general(names.as_array()?, false, context.native).ok()?;
                    let serial = element(0x82, &[&unsigned_content(serial)]);
                    sequence(&[element(0x80, &[key]), list(0xA1, &names), serial])
                }
                _ => return None,
            },
        },
        8 => {
            let purposes = match item {
                CborItem::Array(items) => items.as_slice(),
                one => std::slice::from_ref(one),
            };
            let purpose = |item: &CborItem| named(PURPOSES, item).map(|oid| element(0x06, &[&oid]));
            sequence(&purposes.iter().map(purpose).collect::<Option<Vec<_>>>()?)
        }
        9 | 31 => {
            let mut accesses = Vec::new();
            for pair in item.as_array()?.chunks(2) {
                let [method, place] = pair else { return None };
                let place = element(0x86, &[place.as_text()?.as_bytes()]);
                accesses.push(sequence(&[element(0x06, &[&named(ACCESSES, method)?]), place]));
            }
            sequence(&accesses)
        }
        10 => spell_timestamps(item, context)?,
        24 => spell_attributes(item, context.native)?,
        26 => {
            let mut trees = Vec::new();
            for (at, item) in item.as_array()?.iter().enumerate() {
                if let CborItem::Array(names) = item {
                    let names = decode_general(names, true, context.native).ok()?;
                    let names: Vec<Vec<u8>> = names.iter().map(|name| sequence(std::slice::from_ref(name))).collect();
                    trees.push(list(0xA0 | u8::try_from(at).ok().filter(|at| *at < 2)?, &names));
                }
            }
            sequence(&trees)
        }
        27 => {
            let mut pairs = Vec::new();
            for pair in item.as_array()?.chunks(2) {
                let oids: Option<Vec<_>> = pair.iter().map(|oid| Some(element(0x06, &[oid.as_bytes()?]))).collect();
                pairs.push(sequence(&oids.filter(|oids| oids.len() == 2)?));
            }
            sequence(&pairs)
        }
        28 => {
            let mut numbers = Vec::new();
            for (at, item) in item.as_array()?.iter().enumerate() {
                if *item != CborItem::Null {
                    let tag = 0x80 | u8::try_from(at).ok().filter(|at| *at < 2)?;
                    numbers.push(element(tag, &[&unsigned_content(&item.as_u64()?.to_be_bytes())]));
                }
            }
            sequence(&numbers)
        }
        30 => small(item.as_u64()?),
        33 | 35 => spell_systems(item)?,
        36 | 37 if *item == CborItem::Null => vec![0x05, 0x00],
        38 => {
            let features = item.as_array()?.iter().map(|feature| feature.as_u64().map(small));
            sequence(&features.collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    })
}

/// Returns an identifier's registry value, or its bytes if it has none.
fn known(registry: Registry, oid: &[u8]) -> Option<CborItem> {
    Some(number(registry, oid).map_or_else(|| CborItem::bytes(oid), CborItem::Int))
}

fn named(registry: Registry, item: &CborItem) -> Option<Vec<u8>> {
    match item {
        CborItem::Int(number) => identifier(registry, *number).map(<[u8]>::to_vec),
        item => item.as_bytes().map(<[u8]>::to_vec),
    }
}

fn ascii(octets: &[u8]) -> Option<CborItem> {
    std::str::from_utf8(octets).ok().filter(|text| text.is_ascii()).map(CborItem::text)
}

/// Encodes KeyUsage as a number: bit n has the value 2ⁿ.
fn usage(value: &[u8]) -> Option<CborItem> {
    let any = any(value)?;
    let (_, octets) = content(&any, 0x03)?.split_first()?;
    let number = octets.iter().enumerate().try_fold(0u64, |sum, (at, octet)| {
        let shift = u32::try_from(at.checked_mul(8)?).ok().filter(|shift| *shift < 64)?;
        Some(sum | u64::from(octet.reverse_bits()) << shift)
    })?;
    Some(CborItem::Int(i128::from(number)))
}

fn spell_usage(number: u64) -> Option<Vec<u8>> {
    let bits = 64 - number.leading_zeros();
    let octets: Vec<u8> = number.to_le_bytes().iter().map(|octet| octet.reverse_bits()).collect();
    let len = usize::try_from(bits.div_ceil(8)).ok()?;
    let unused = u8::try_from(bits.div_ceil(8) * 8 - bits).ok()?;
    Some(element(0x03, &[&[unused], octets.get(..len)?]))
}

/// Encodes CRLDistributionPoints that contain only URIs.
fn points(value: &[u8]) -> Option<CborItem> {
    let mut points = Vec::new();
    for point in parts(value)? {
        let name = only(children(&point)?).filter(|name| name.tag().first_octet() == 0xA0)?;
        let full = only(children(&name)?).filter(|full| full.tag().first_octet() == 0xA0)?;
        let places = children(&full)?;
        let places: Vec<CborItem> = places.iter().map(|place| ascii(content(place, 0x86)?)).collect::<Option<_>>()?;
        points.push(match places.as_slice() {
            [one] => one.clone(),
            _ => CborItem::Array(places),
        });
    }
    Some(CborItem::Array(points))
}

/// Returns the only item of a list, or `None` if it does not have exactly one.
fn only<T>(items: Vec<T>) -> Option<T> {
    let mut items = items.into_iter();
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

fn spell_points(item: &CborItem) -> Option<Vec<u8>> {
    let place = |item: &CborItem| Some(element(0x86, &[item.as_text()?.as_bytes()]));
    let mut points = Vec::new();
    for point in item.as_array()? {
        let places = match point {
            CborItem::Array(places) => places.iter().map(place).collect::<Option<Vec<_>>>()?,
            one => vec![place(one)?],
        };
        points.push(list(0x30, &[list(0xA0, &[list(0xA0, &places)])]));
    }
    Some(sequence(&points))
}

/// Encodes CertificatePolicies whose qualifiers are CPS URIs and UTF-8 notices.
fn policies(value: &[u8]) -> Option<CborItem> {
    let mut items = Vec::new();
    for policy in parts(value)? {
        let policy = children(&policy)?;
        let (oid, qualifiers) = match policy.as_slice() {
            [oid] => (oid, None),
            [oid, qualifiers] => (oid, Some(qualifiers)),
            _ => return None,
        };
        items.push(known(POLICIES, content(oid, 0x06)?)?);
        let Some(qualifiers) = qualifiers else { continue };
        let mut pairs = Vec::new();
        for qualifier in children(qualifiers)? {
            let parts = children(&qualifier)?;
            let [oid, value] = parts.as_slice() else { return None };
            let id = known(QUALIFIERS, content(oid, 0x06)?)?;
            let text = match id {
                CborItem::Int(1) => ascii(content(value, 0x16)?)?,
                CborItem::Int(2) => match children(value)?.as_slice() {
                    [text] => CborItem::text(std::str::from_utf8(content(text, 0x0C)?).ok()?),
                    _ => return None,
                },
                _ => return None,
            };
            pairs.extend([id, text]);
        }
        items.push(CborItem::Array(pairs));
    }
    Some(CborItem::Array(items))
}

fn spell_policies(item: &CborItem) -> Option<Vec<u8>> {
    let mut rest = item.as_array()?;
    let mut policies = Vec::new();
    while let [id, tail @ ..] = rest {
        let mut parts = vec![element(0x06, &[&named(POLICIES, id)?])];
        rest = tail;
        if let [CborItem::Array(pairs), tail @ ..] = rest {
            rest = tail;
            let mut qualifiers = Vec::new();
            for pair in pairs.chunks(2) {
                let [id, CborItem::Text(text)] = pair else { return None };
                let value = match id {
                    CborItem::Int(1) => element(0x16, &[text.as_bytes()]),
                    CborItem::Int(2) => list(0x30, &[element(0x0C, &[text.as_bytes()])]),
                    _ => return None,
                };
                qualifiers.push(sequence(&[element(0x06, &[&named(QUALIFIERS, id)?]), value]));
            }
            parts.push(sequence(&qualifiers));
        }
        policies.push(sequence(&parts));
    }
    Some(sequence(&policies))
}

/// Encodes an AuthorityKeyIdentifier that has only a key identifier, or all three fields.
fn authority(value: &[u8]) -> Option<CborItem> {
    match parts(value)?.as_slice() {
        [key] => Some(CborItem::bytes(content(key, 0x80)?)),
        [key, names, serial] if names.tag().first_octet() == 0xA1 => {
            let names = encode_general(&children(names)?, false)?;
            // As an INTEGER that is not negative.
            let serial = element(0x02, &[content(serial, 0x82)?]);
            let serial = CborItem::bytes(magnitude(&any(&serial)?)?);
            Some(CborItem::Array(vec![CborItem::bytes(content(key, 0x80)?), CborItem::Array(names), serial]))
        }
        _ => None,
    }
}

/// Timestamp signature algorithms by their registry value (RFC 5246 §7.4.1.4.1): ECDSA and RSA with SHA-256.
const STAMPS: [(i128, [u8; 2]); 2] = [(0, [4, 3]), (23, [4, 1])];

/// Encodes version 1 timestamps without extensions (RFC 6962 §3.2).
fn timestamps(value: &[u8], context: Context) -> Option<CborItem> {
    let any = any(value)?;
    let octets = content(&any, 0x04)?;
    let (list, []) = counted(octets)? else { return None };
    let mut rest = list;
    let mut items = Vec::new();
    while !rest.is_empty() {
        let (stamp, tail) = counted(rest)?;
        rest = tail;
        let (0, stamp) = (*stamp.first()?, stamp.get(1..)?) else { return None };
        let (log, stamp) = stamp.split_at_checked(32)?;
        let (time, stamp) = stamp.split_first_chunk::<8>()?;
        let ([], stamp) = counted(stamp)? else { return None };
        let (kind, stamp) = stamp.split_first_chunk::<2>()?;
        let (octets, []) = counted(stamp)? else { return None };
        let number = CborItem::Int(STAMPS.iter().find(|(_, known)| known == kind)?.0);
        let time = i128::from(u64::from_be_bytes(*time)) - i128::from(context.not_before) * 1000;
        let value = signature(&number, octets)?;
        items.extend([CborItem::bytes(log), CborItem::Int(time), number, value]);
    }
    Some(CborItem::Array(items))
}

/// Splits off the bytes after their two-byte length, and returns them with the rest.
fn counted(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = octets.split_first_chunk::<2>()?;
    rest.split_at_checked(usize::from(u16::from_be_bytes(*len)))
}

fn count(octets: &[u8]) -> Option<Vec<u8>> {
    Some([&u16::try_from(octets.len()).ok()?.to_be_bytes()[..], octets].concat())
}

fn spell_timestamps(item: &CborItem, context: Context) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for stamp in item.as_array()?.chunks(4) {
        let [log, time, number, value] = stamp else { return None };
        let log = log.as_bytes().filter(|log| log.len() == 32)?;
        let time = time.as_int()?.checked_add(i128::from(context.not_before) * 1000)?;
        let time = u64::try_from(time).ok()?.to_be_bytes();
        let kind = STAMPS.iter().find(|(known, _)| Some(*known) == number.as_int())?.1;
        let value = count(&spelled(number, value)?)?;
        all.extend(count(&[&[0], log, &time, &[0, 0], &kind, &value].concat())?);
    }
    Some(element(0x04, &[&count(&all)?]))
}
