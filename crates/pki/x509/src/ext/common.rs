//! Fast path for common extension values, which are recognized by byte comparison. All values accepted here are also valid
//! for the general decoder, which handles the rest.

use tagwise_codec::{Bmp, Utf8, Visible};

use crate::name::is_common_name;
use crate::part::Part;

/// Returns whether the bytes are a valid value of the extension identified by `key`, in one of its common forms.
#[inline]
pub(crate) fn is_common(key: &[u8], value: Part<'_>) -> bool {
    match key {
        [0x55, 0x1D, id] => is_common_of(*id, value),
        [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x01] => are_accesses(value),
        // NetscapeCertType
        [0x60, 0x86, 0x48, 0x01, 0x86, 0xF8, 0x42, 0x01, 0x01] => value.head().is_some_and(|head| is_bits(head, value)),
        _ => false,
    }
}

/// Like [`is_common`], for the extension 2.5.29.`id`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn is_common_of(id: u8, value: Part<'_>) -> bool {
    is_common_in(id, value.wide(), value.len())
}

/// Like [`is_common_of`], with the first `len` bytes of `wide` as the value, because separate arguments are passed in
/// registers.
#[inline(never)]
fn is_common_in(id: u8, wide: &[u8], len: usize) -> bool {
    let Some(value) = Part::new(wide, len) else { return false };
    let Some(head) = value.head() else { return false };
    let head = head as u64;
    match id {
        // SubjectKeyIdentifier ::= OCTET STRING
        14 => len.wrapping_sub(2) < 0x80 && head as u16 == u16::from_le_bytes([0x04, (len - 2) as u8]),
        // KeyUsage
        15 => is_bits(head.into(), value),
        17 => is_alt_name(wide, len),
        // BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER (0..MAX) OPTIONAL }
        19 => {
            const CA: u64 = u64::from_le_bytes([0x30, 0x03, 0x01, 0x01, 0xFF, 0, 0, 0]);
            const PATH: u64 = u64::from_le_bytes([0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, 0]);
            (len == 2) & (head as u16 == 0x0030)
                | (len == 5) & (head & 0x00FF_FFFF_FFFF == CA)
                | (len == 8) & (head & 0x80FF_FFFF_FFFF_FFFF == PATH)
        }
        // CRLReason ::= ENUMERATED
        21 => len == 3 && head as u16 == 0x010A && matches!((head >> 16) as u8, 0..=6 | 8..=10),
        30 => is_name_constraints(wide, len),
        31 => are_points(wide, len),
        32 => are_policies(wide, len),
        35 => {
            // AuthorityKeyIdentifier with a keyIdentifier alone
            let alone = u32::from_le_bytes([0x30, len.wrapping_sub(2) as u8, 0x80, len.wrapping_sub(4) as u8]);
            len.wrapping_sub(4) < 0x7E && head as u32 == alone || is_key_identifier(wide, len)
        }
        37 => are_purposes(wide, len),
        _ => false,
    }
}

/// Returns whether the value is a BIT STRING of one byte whose last used bit is set.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_bits(head: u128, value: Part<'_>) -> bool {
    let [tag, count, unused, bits, ..] = head.to_le_bytes();
    (tag == 0x03) & (count == 2) & (value.len() == 4) & (unused < 8) & (bits.trailing_zeros() == u32::from(unused))
}

/// Returns whether the value is a SEQUENCE SIZE (1..MAX) OF SEQUENCE, and `is_item` accepts each item's content.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn are_all(value: Part<'_>, is_item: impl Fn(Part<'_>) -> bool) -> bool {
    let Some(mut items) = value.only(0x30) else { return false };
    loop {
        match items.element(0x30) {
            Some((item, rest)) if is_item(item) => items = rest,
            _ => return false,
        }
        if items.is_empty() {
            return true;
        }
    }
}

/// Checks GeneralNames of rfc822Name, dNSName, directoryName, uniformResourceIdentifier and iPAddress.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn are_names(mut names: Part<'_>, is_address: impl Fn(usize) -> bool) -> bool {
    loop {
        match first_name(names, &is_address) {
            Some(rest) if rest.is_empty() => return true,
            Some(rest) => names = rest,
            None => return false,
        }
    }
}

/// Returns the part after the first name, if it has one of these types.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn first_name<'a>(names: Part<'a>, is_address: impl Fn(usize) -> bool) -> Option<Part<'a>> {
    let tag = *names.wide().first()?;
    let (name, rest) = names.element(tag)?;
    let valid = match tag {
        0x81 | 0x82 | 0x86 => name.is_ascii(),
        0x87 => is_address(name.len()),
        0xA4 => name.only(0x30).is_some_and(is_common_name),
        _ => false,
    };
    valid.then_some(rest)
}

/// Checks a SubjectAltName.
#[inline(never)]
fn is_alt_name(wide: &[u8], len: usize) -> bool {
    Part::new(wide, len).and_then(|value| value.only(0x30)).is_some_and(|names| are_names(names, is_address))
}

/// Returns whether an address may have this length.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_address(len: usize) -> bool {
    matches!(len, 4 | 16)
}

/// Checks NameConstraints whose subtrees consist only of a base.
#[inline(never)]
fn is_name_constraints(wide: &[u8], len: usize) -> bool {
    let read = || {
        let mut rest = Part::new(wide, len)?.only(0x30)?;
        for tag in [0xA0, 0xA1] {
            if rest.octets().first() == Some(&tag) {
                let (mut subtrees, after) = rest.element(tag)?;
                rest = after;
                loop {
                    let (base, others) = subtrees.element(0x30)?;
                    first_name(base, |len| matches!(len, 8 | 32)).filter(|end| end.is_empty())?;
                    subtrees = others;
                    if subtrees.is_empty() {
                        break;
                    }
                }
            }
        }
        Some(rest.is_empty())
    };
    read() == Some(true)
}

/// Checks CRLDistributionPoints.
#[inline(never)]
fn are_points(wide: &[u8], len: usize) -> bool {
    Part::new(wide, len).is_some_and(|value| are_all(value, is_distribution_point))
}

/// Checks a DistributionPoint that contains only a full name: `[0] { [0] names }`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_distribution_point(point: Part<'_>) -> bool {
    point.only(0xA0).and_then(|name| name.only(0xA0)).is_some_and(|names| are_names(names, is_address))
}

/// Checks an AuthorityKeyIdentifier with the issuer and serial number of the issuer's certificate.
#[inline(never)]
fn is_key_identifier(wide: &[u8], len: usize) -> bool {
    let read = || {
        let mut rest = Part::new(wide, len)?.only(0x30)?;
        if rest.octets().first() == Some(&0x80) {
            (_, rest) = rest.element(0x80)?;
        }
        let (names, rest) = rest.element(0xA1)?;
        let serial = rest.only(0x82)?;
        // Not negative, minimal, at most 20 octets.
        let is_serial = match serial.octets() {
            [first] => *first < 0x80,
            [0, second, ..] => *second >= 0x80,
            [first, ..] => *first < 0x80,
            [] => false,
        };
        Some(is_serial && serial.len() <= 20 && are_names(names, is_address))
    };
    read() == Some(true)
}

/// `30 LL 06 08 2B 06 01 05 05 07 arc last tag LL`: a SEQUENCE of an identifier two arcs under `id-pkix`, and another element.
const PAIR: u128 = u128::from_le_bytes([0x30, 0, 6, 8, 0x2B, 6, 1, 5, 5, 7, 0, 0, 0, 0, 0, 0]);
/// The mask for [`PAIR`]: the lengths are below 128.
const PAIR_MASK: u128 =
    u128::from_le_bytes([255, 0x80, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 255, 0x80, 0, 0]);

/// Splits off a leading `SEQUENCE { id-pkix.arc.last, tag LL … }` with short lengths. Returns the last arc, the content of
/// the second element, and the part after the SEQUENCE.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn pkix_pair<'a>(octets: Part<'a>, arc: u8, tag: u8) -> Option<(u8, Part<'a>, Part<'a>)> {
    let head = octets.head()?;
    if head & PAIR_MASK != PAIR | u128::from(arc) << 80 | u128::from(tag) << 96 {
        return None;
    }
    let [_, len, _, _, _, _, _, _, _, _, _, last, _, inner, ..] = head.to_le_bytes();
    let (value, rest) = octets.after(14)?.split(usize::from(inner))?;
    (len == inner.wrapping_add(12) && last < 0x80).then_some((last, value, rest))
}

/// Checks an AuthorityInfoAccess value with methods under `id-ad` and URIs.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn are_accesses(value: Part<'_>) -> bool {
    let Some(mut items) = value.only(0x30) else { return false };
    loop {
        items = match pkix_pair(items, 0x30, 0x86) {
            Some((_, uri, rest)) if uri.is_ascii() => rest,
            _ => match items.element(0x30) {
                Some((item, rest)) if is_access(item) => rest,
                _ => return false,
            },
        };
        if items.is_empty() {
            return true;
        }
    }
}

/// Checks an AccessDescription with longer lengths.
#[inline(never)]
fn is_access(access: Part<'_>) -> bool {
    last_arc(access, &ID_AD).and_then(|(_, location)| location.only(0x86)).is_some_and(Part::is_ascii)
}

/// An OBJECT IDENTIFIER under `id-ad` without its last arc, followed by one under `id-qt` and one under `id-kp`.
const ID_AD: [u8; 9] = *b"\x06\x08\x2B\x06\x01\x05\x05\x07\x30";
const ID_QT: [u8; 9] = *b"\x06\x08\x2B\x06\x01\x05\x05\x07\x02";
const ID_KP: [u8; 9] = *b"\x06\x08\x2B\x06\x01\x05\x05\x07\x03";

/// Returns the last arc of an identifier that starts with `start`, and the part after it.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn last_arc<'a>(octets: Part<'a>, start: &[u8; 9]) -> Option<(u8, Part<'a>)> {
    // Compared as arrays, which takes two instructions; as a pattern it would be octet by octet.
    match octets.wide().split_first_chunk::<9>() {
        Some((found, [arc @ 0..=0x7F, ..])) if found == start => Some((*arc, octets.after(10)?)),
        _ => None,
    }
}

/// Checks CertificatePolicies.
#[inline(never)]
fn are_policies(wide: &[u8], len: usize) -> bool {
    Part::new(wide, len).is_some_and(|value| are_all(value, is_policy))
}

/// Checks a PolicyInformation whose qualifiers are CPS pointers and user notices.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_policy(policy: Part<'_>) -> bool {
    let Some((identifier, rest)) = policy.element(0x06) else { return false };
    is_identifier(identifier) && (rest.is_empty() || are_qualifiers(rest))
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn are_qualifiers(value: Part<'_>) -> bool {
    let Some(mut items) = value.only(0x30) else { return false };
    loop {
        items = match pkix_pair(items, 2, 0x16) {
            Some((1, uri, rest)) if uri.is_ascii() => rest,
            _ => match items.element(0x30) {
                Some((item, rest)) if is_qualifier(item) => rest,
                _ => return false,
            },
        };
        if items.is_empty() {
            return true;
        }
    }
}

#[inline(never)]
fn is_qualifier(info: Part<'_>) -> bool {
    match last_arc(info, &ID_QT) {
        Some((1, uri)) => uri.only(0x16).is_some_and(Part::is_ascii),
        Some((2, notice)) => notice.only(0x30).is_some_and(is_notice),
        _ => false,
    }
}

/// Checks a UserNotice, in which noticeRef and explicitText are both optional.
fn is_notice(notice: Part<'_>) -> bool {
    let text = match notice.element(0x30) {
        Some((reference, text)) if is_reference(reference) => text,
        Some(_) => return false,
        None => notice,
    };
    text.is_empty() || is_text(text).is_some_and(Part::is_empty)
}

/// Checks a NoticeReference.
fn is_reference(reference: Part<'_>) -> bool {
    let Some(mut numbers) = is_text(reference).and_then(|numbers| numbers.only(0x30)) else { return false };
    while !numbers.is_empty() {
        numbers = match numbers.element(0x02) {
            // Of one octet, as nearly all are, or minimal (X.690 §8.3.2).
            Some((number, rest)) if matches!(number.octets(), [_] | [1..=0xFE, _, ..]) => rest,
            _ => return false,
        };
    }
    true
}

/// Returns the part after a leading DisplayText, if its length in bytes shows that it has at most 200 characters. A
/// BMPString has two bytes per character.
fn is_text(octets: Part<'_>) -> Option<Part<'_>> {
    let tag = *octets.wide().first()?;
    let (text, rest) = octets.element(tag)?;
    let valid = match (tag, text.len()) {
        (0x0C, 1..=200) => Utf8::begins(text.wide(), text.len()),
        (0x16, 1..=200) => text.is_ascii(),
        (0x1A, 1..=200) => Visible::begins(text.wide(), text.len()),
        // No surrogates (X.680 §41, ISO/IEC 10646).
        (0x1E, 2..=400) => Bmp::from_content(text.octets()).is_ok(),
        _ => false,
    };
    valid.then_some(rest)
}

/// Checks an ExtKeyUsageSyntax, in which most purposes are under `id-kp`.
#[inline(never)]
fn are_purposes(wide: &[u8], len: usize) -> bool {
    let Some(mut purposes) = Part::new(wide, len).and_then(|value| value.only(0x30)) else { return false };
    loop {
        purposes = match last_arc(purposes, &ID_KP) {
            Some((_, rest)) => rest,
            None => match purposes.element(0x06) {
                Some((identifier, rest)) if is_identifier(identifier) => rest,
                _ => return false,
            },
        };
        if purposes.is_empty() {
            return true;
        }
    }
}

/// Returns whether the content of an OBJECT IDENTIFIER consists of complete arcs, none of which starts with 80 (X.690
/// §8.19.2).
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_identifier(content: Part<'_>) -> bool {
    let octets = content.octets();
    match (content.head(), octets.last()) {
        // Nearly none has 80 anywhere.
        (Some(head), Some(0..=0x7F)) if octets.len() <= 8 && has_no_80(head as u64, octets.len()) => true,
        (Some(head), Some(0..=0x7F)) if matches!(octets.len(), 9..=16) => {
            has_no_80(head as u64, 8) && has_no_80((head >> 64) as u64, octets.len() - 8) || is_any_identifier(octets)
        }
        _ => is_any_identifier(octets),
    }
}

/// Returns whether none of the first `count` bytes, 1 to 8, is 80.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn has_no_80(octets: u64, count: usize) -> bool {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    // 80 becomes 0, and only if there is a 0 does an octet both borrow and have no high bit.
    let octets = (octets ^ HIGH) | u64::MAX.checked_shl(8 * count as u32).unwrap_or(0);
    octets.wrapping_sub(ONES) & !octets & HIGH == 0
}

#[inline(never)]
fn is_any_identifier(octets: &[u8]) -> bool {
    let mut previous = 0;
    for octet in octets {
        if *octet == 0x80 && previous < 0x80 {
            return false;
        }
        previous = *octet;
    }
    previous < 0x80 && !octets.is_empty()
}

#[cfg(test)]
mod tests;
