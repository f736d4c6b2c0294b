//! The common values of the most frequent extensions, known by comparison of octets: what most certificates hold is checked
//! without the general decoder. What is said to be valid here is what that accepts; all else is for it to judge.

use tagwise_codec::{Utf8, Visible};

/// Whether the octets are a valid value of the extension that `key` identifies, in one of the forms that nearly all have.
#[inline]
pub(crate) fn is_common(key: &[u8], value: &[u8]) -> bool {
    match key {
        [0x55, 0x1D, id] => match (id, value) {
            // SubjectKeyIdentifier ::= OCTET STRING
            (14, [0x04, len, key @ ..]) => *len < 0x80 && usize::from(*len) == key.len(),
            // KeyUsage ::= BIT STRING, whose last bit is one
            (15, [0x03, 0x02, unused, bits]) => *unused < 8 && bits.trailing_zeros() == u32::from(*unused),
            (17, names) => only(names, 0x30).is_some_and(are_names),
            // BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER (0..MAX) OPTIONAL }
            (19, [0x30, 0x00] | [0x30, 0x03, 0x01, 0x01, 0xFF]) => true,
            (19, [0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, len]) => *len < 0x80,
            // CRLReason ::= ENUMERATED
            (21, [0x0A, 0x01, reason]) => matches!(reason, 0..=6 | 8..=10),
            (31, points) => are_all(points, is_distribution_point),
            (32, policies) => are_all(policies, is_policy),
            // AuthorityKeyIdentifier with a keyIdentifier alone
            (35, [0x30, outer, 0x80, len, key @ ..]) => {
                *outer < 0x80 && usize::from(*outer) == key.len() + 2 && usize::from(*len) == key.len()
            }
            (37, purposes) => only(purposes, 0x30).is_some_and(are_purposes),
            _ => false,
        },
        // AuthorityInfoAccess
        [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x01] => are_all(value, is_access),
        _ => false,
    }
}

/// Splits the element with identifier octet `tag` off the front: its content and what follows. Lengths up to 255.
#[inline(always)]
fn element(octets: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    match octets {
        [found, len, tail @ ..] if *found == tag && *len < 0x80 => tail.split_at_checked(usize::from(*len)),
        [found, 0x81, len, tail @ ..] if *found == tag && *len >= 0x80 => tail.split_at_checked(usize::from(*len)),
        _ => None,
    }
}

/// The content of an element with identifier octet `tag` that is all there is.
#[inline(always)]
fn only(octets: &[u8], tag: u8) -> Option<&[u8]> {
    element(octets, tag).and_then(|(content, rest)| rest.is_empty().then_some(content))
}

/// SEQUENCE SIZE (1..MAX) OF a SEQUENCE whose content `is_item` accepts.
#[inline(always)]
fn are_all(value: &[u8], is_item: impl Fn(&[u8]) -> bool) -> bool {
    let Some(mut items) = only(value, 0x30) else { return false };
    loop {
        match element(items, 0x30) {
            Some((item, rest)) if is_item(item) => items = rest,
            _ => return false,
        }
        if items.is_empty() {
            return true;
        }
    }
}

/// GeneralNames of rfc822Name, dNSName, uniformResourceIdentifier and iPAddress.
#[inline(always)]
fn are_names(mut names: &[u8]) -> bool {
    while let [tag, len, tail @ ..] = names {
        let Some((name, rest)) = tail.split_at_checked(usize::from(*len)) else { return false };
        let valid = match tag {
            0x81 | 0x82 | 0x86 => name.is_ascii(),
            0x87 => matches!(name.len(), 4 | 16),
            _ => false,
        };
        if !valid || *len >= 0x80 {
            return false;
        }
        if rest.is_empty() {
            return true;
        }
        names = rest;
    }
    false
}

/// DistributionPoint: `[0] { [0] names }` and nothing else.
#[inline(always)]
fn is_distribution_point(point: &[u8]) -> bool {
    only(point, 0xA0).and_then(|name| only(name, 0xA0)).is_some_and(are_names)
}

/// An OBJECT IDENTIFIER under `id-ad`, up to its last arc; then one under `id-qt`, and one under `id-kp`.
const ID_AD: [u8; 9] = *b"\x06\x08\x2B\x06\x01\x05\x05\x07\x30";
const ID_QT: [u8; 9] = *b"\x06\x08\x2B\x06\x01\x05\x05\x07\x02";
const ID_KP: [u8; 9] = *b"\x06\x08\x2B\x06\x01\x05\x05\x07\x03";

/// The last arc of an identifier that starts so, and what follows it.
#[inline(always)]
fn last_arc<'a>(octets: &'a [u8], start: &[u8; 9]) -> Option<(u8, &'a [u8])> {
    // Compared as arrays, which takes two instructions; as a pattern it would be octet by octet.
    match octets.split_first_chunk::<9>() {
        Some((found, [arc @ 0..=0x7F, rest @ ..])) if found == start => Some((*arc, rest)),
        _ => None,
    }
}

/// AccessDescription: a method under `id-ad` and a URI.
#[inline(always)]
fn is_access(access: &[u8]) -> bool {
    last_arc(access, &ID_AD).and_then(|(_, location)| only(location, 0x86)).is_some_and(<[u8]>::is_ascii)
}

/// PolicyInformation, whose qualifiers are CPS pointers and user notices without a reference.
#[inline(always)]
fn is_policy(policy: &[u8]) -> bool {
    let Some((identifier, rest)) = element(policy, 0x06) else { return false };
    is_identifier(identifier) && (rest.is_empty() || are_all(rest, is_qualifier))
}

fn is_qualifier(info: &[u8]) -> bool {
    match last_arc(info, &ID_QT) {
        Some((1, uri)) => only(uri, 0x16).is_some_and(<[u8]>::is_ascii),
        Some((2, notice)) => only(notice, 0x30).is_some_and(is_notice),
        _ => false,
    }
}

/// explicitText of at most 200 octets, which are at most as many characters; or nothing.
fn is_notice(notice: &[u8]) -> bool {
    let [tag, ..] = notice else { return true };
    let Some(text) = only(notice, *tag).filter(|text| matches!(text.len(), 1..=200)) else { return false };
    match tag {
        0x0C => Utf8::from_content(text).is_ok(),
        0x16 => text.is_ascii(),
        0x1A => Visible::from_content(text).is_ok(),
        _ => false,
    }
}

/// Key purposes, mostly under `id-kp`.
#[inline(always)]
fn are_purposes(mut purposes: &[u8]) -> bool {
    loop {
        purposes = match last_arc(purposes, &ID_KP) {
            Some((_, rest)) => rest,
            None => match element(purposes, 0x06) {
                Some((identifier, rest)) if is_identifier(identifier) => rest,
                _ => return false,
            },
        };
        if purposes.is_empty() {
            return true;
        }
    }
}

/// The content of an OBJECT IDENTIFIER: whole arcs, none of which starts with 80 (X.690 §8.19.2).
#[inline(always)]
fn is_identifier(octets: &[u8]) -> bool {
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
