//! The top-level structure of a common certificate: version 3, two-byte lengths, UTCTime, no unique identifiers.

use tagwise_codec::{CivilTime, Oid, UtcTime};

use super::element;

/// The start and length of a part of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Span {
    /// Returns the bytes of the part.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn of<'a>(&self, content: &'a [u8]) -> &'a [u8] {
        content.get(self.start as usize..).and_then(|rest| rest.get(..self.len as usize)).unwrap_or_default()
    }
}

/// The positions of a certificate's parts in its content. All spans are content bytes, without identifier and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The length of the TBSCertificate with its header, which starts the content.
    pub(crate) tbs: u32,
    pub(crate) version: u8,
    pub(crate) serial: Span,
    pub(crate) algorithm: Span,
    pub(crate) issuer: Span,
    pub(crate) not_before: CivilTime,
    pub(crate) not_after: CivilTime,
    pub(crate) subject: Span,
    pub(crate) key_algorithm: Span,
    /// The key, including the count of unused bits.
    pub(crate) key: Span,
    /// The extensions, or an empty span if there are none.
    pub(crate) extensions: Span,
    pub(crate) outer_algorithm: Span,
    /// The signature, including the count of unused bits.
    pub(crate) signature: Span,
}

/// `30 82 LL LL A0 03 02 01 02 02`: TBSCertificate, `version [0] EXPLICIT INTEGER 2`, `serialNumber`.
const HEAD: u128 = u128::from_le_bytes([0x30, 0x82, 0, 0, 0xA0, 3, 2, 1, 2, 2, 0, 0, 0, 0, 0, 0]);
const HEAD_MASK: u128 = u128::from_le_bytes([255, 255, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0]);

/// `30 0D 06 09 2A 86 48 86 F7 0D 01 01 arc 05 00`: an algorithm of PKCS #1 with NULL parameters.
const PKCS1: u128 = u128::from_le_bytes([0x30, 0x0D, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 0, 5, 0, 0]);
/// The mask for [`PKCS1`]: the last arc is one byte, so its high bit is 0.
const PKCS1_MASK: u128 =
    u128::from_le_bytes([255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0x80, 255, 255, 0]);

/// The number of bytes before the content in [`whole`] and [`content`].
pub(crate) const WHOLE_HEADER: u32 = 4;

/// Returns the content and frame of a complete certificate with a two-byte length.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn whole(der: &[u8]) -> Option<(&[u8], Frame)> {
    let content = content(der)?;
    Some((content, frame(content)?.0))
}

/// Returns the content of a complete certificate with a two-byte length. In WebAssembly, where size matters more than the speed of
/// decoding, the general decoder reads all certificates.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn content(der: &[u8]) -> Option<&[u8]> {
    if cfg!(target_family = "wasm") {
        return None;
    }
    let [0x30, 0x82, high, low, content @ ..] = der else { return None };
    (*high != 0 && usize::from(u16::from_be_bytes([*high, *low])) == content.len()).then_some(content)
}

/// Parses the frame of a Certificate's content, and returns it with the two encoded times. Object identifiers and times
/// are checked, and the two algorithm identifiers must be equal. The contents of names, parameters, extensions and the
/// key are not checked.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn frame(content: &[u8]) -> Option<(Frame, [UtcTime; 2])> {
    let at = |rest: &[u8]| content.len() - rest.len();
    let span = |part: &[u8], rest: &[u8]| Span { start: (at(rest) - part.len()) as u32, len: part.len() as u32 };

    let head = u128::from_le_bytes(*content.first_chunk::<16>()?);
    if head & HEAD_MASK != HEAD {
        return None;
    }
    // A length of two octets is minimal from 256 on.
    let len = usize::from(u16::from_le_bytes([(head >> 24) as u8, (head >> 16) as u8]));
    let tbs = len + 4;
    if len < 256 || tbs > content.len() {
        return None;
    }
    let (signed, after) = content.split_at_checked(tbs)?;
    // Inside TBSCertificate, `rest` ends where that ends.
    let inside = |rest: &[u8]| signed.len() - rest.len();
    let part = |part: &[u8], rest: &[u8]| Span { start: (inside(rest) - part.len()) as u32, len: part.len() as u32 };

    // serialNumber: not negative, minimal, at most 20 octets
    let serial_len = usize::from((head >> 80) as u8);
    let (serial, rest) = signed.get(11..)?.split_at_checked(serial_len)?;
    let serial_span = part(serial, rest);
    match serial {
        [first] if *first < 0x80 => {}
        [0, second, ..] if *second >= 0x80 && serial_len <= 20 => {}
        [1..=0x7F, ..] if serial_len <= 20 => {}
        _ => return None,
    }

    // signature
    let from_algorithm = rest;
    let (inner, rest) = algorithm(rest)?;
    let algorithm_span = part(inner, rest);

    // issuer
    let (issuer, rest) = element(rest, 0x30)?;
    let issuer = part(issuer, rest);

    // validity SEQUENCE { UTCTime, UTCTime }
    let (validity, rest) = rest.split_first_chunk::<32>()?;
    let [0x30, 0x1E, 0x17, 0x0D, not_before @ .., 0x17, 0x0D, _, _, _, _, _, _, _, _, _, _, _, _, _] = validity else {
        return None;
    };
    let not_before = UtcTime::from_content(not_before).ok()?;
    let not_after = UtcTime::from_content(validity.last_chunk::<13>()?).ok()?;

    // subject
    let (subject, rest) = element(rest, 0x30)?;
    let subject = part(subject, rest);

    // subjectPublicKeyInfo
    let (info, rest) = element(rest, 0x30)?;
    let (key_algorithm, key) = algorithm(info)?;
    let key_end = inside(rest);
    let key_algorithm =
        Span { start: (key_end - key.len() - key_algorithm.len()) as u32, len: key_algorithm.len() as u32 };
    let (key, end) = element(key, 0x03)?;
    let [0, ..] = key else { return None };
    let key = Span { start: (key_end - key.len()) as u32, len: key.len() as u32 };
    if !end.is_empty() {
        return None;
    }

    // extensions [3] EXPLICIT SEQUENCE SIZE (1..MAX) OF Extension
    let extensions = if rest.is_empty() {
        Span { start: tbs as u32, len: 0 }
    } else {
        let list = extensions(rest)?;
        Span { start: (tbs - list.len()) as u32, len: list.len() as u32 }
    };

    // signatureAlgorithm, the same as inside; signature
    let same = inner.len() + 2;
    let (outer, rest) = after.split_at_checked(same)?;
    if !begin_alike(from_algorithm, after, same) {
        return None;
    }
    let outer_algorithm = span(outer.get(2..)?, rest);
    let signature = signature(rest)?;
    let signature = Span { start: (content.len() - signature.len()) as u32, len: signature.len() as u32 };
    let frame = Frame {
        tbs: tbs as u32,
        version: 2,
        serial: serial_span,
        algorithm: algorithm_span,
        issuer,
        not_before: not_before.civil(),
        not_after: not_after.civil(),
        subject,
        key_algorithm,
        key,
        extensions,
        outer_algorithm,
        signature,
    };
    Some((frame, [not_before, not_after]))
}

/// Returns the content of the SEQUENCE in `[3]`, if nothing follows it.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn extensions(octets: &[u8]) -> Option<&[u8]> {
    // `A3 82 LL LL 30 82 LL LL`: how long both are follows from the whole, and lengths of two octets are minimal from 256 on.
    if let Some((head, list)) = octets.split_first_chunk()
        && (256..0x1_0000 - 4).contains(&list.len())
        && u64::from_be_bytes(*head) == 0xA382_0000_3082_0000 | (list.len() as u64 + 4) << 32 | list.len() as u64
    {
        return Some(list);
    }
    let (explicit, end) = element(octets, 0xA3)?;
    let (list, more) = element(explicit, 0x30)?;
    (end.is_empty() && more.is_empty() && !list.is_empty()).then_some(list)
}

/// Returns the content of a BIT STRING without unused bits, if nothing follows it.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn signature(octets: &[u8]) -> Option<&[u8]> {
    let content = match octets.split_first_chunk() {
        // `03 82 LL LL`: how long it is follows from the whole.
        Some((head, content))
            if (256..0x1_0000).contains(&content.len())
                && u32::from_be_bytes(*head) == 0x0382_0000 | content.len() as u32 =>
        {
            content
        }
        _ => element(octets, 0x03).filter(|(_, end)| end.is_empty())?.0,
    };
    content.starts_with(&[0]).then_some(content)
}

/// Returns whether the first `len` bytes of two slices are equal. Both must have at least that length.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn begin_alike(one: &[u8], other: &[u8], len: usize) -> bool {
    match (one.first_chunk(), other.first_chunk()) {
        // As most algorithms, and not worth the call of a comparison.
        (Some(one), Some(other)) if len == 15 => (u128::from_le_bytes(*one) ^ u128::from_le_bytes(*other)) << 8 == 0,
        _ => one.get(..len) == other.get(..len),
    }
}

/// Splits off the content of an algorithm identifier of at most 127 bytes: a valid object identifier, and at most one
/// element after it.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn algorithm(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(head) = octets.first_chunk::<16>()
        && u128::from_le_bytes(*head) & PKCS1_MASK == PKCS1
    {
        return octets.get(2..)?.split_at_checked(13);
    }
    any_algorithm(octets)
}

#[inline(never)]
fn any_algorithm(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let [0x30, len, tail @ ..] = octets else { return None };
    let (content, rest) = tail.split_at_checked(usize::from(*len)).filter(|_| *len < 0x80)?;
    let [0x06, len, tail @ ..] = content else { return None };
    let (oid, parameters) = tail.split_at_checked(usize::from(*len))?;
    Oid::from_content(oid).ok()?;
    let whole = match parameters {
        [] => true,
        // Low tags other than end-of-contents, short lengths: the rest is for the general decoder.
        [tag, len, value @ ..] => tag & 0x1F != 0x1F && tag & 0xDF != 0 && usize::from(*len) == value.len(),
        _ => false,
    };
    whole.then_some((content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::element;

    /// Around the lengths at which the form of lengths changes.
    fn lengths() -> impl Iterator<Item = usize> {
        (1..300).chain(0x1_0000 - 12..0x1_0000 - 4)
    }

    #[test]
    fn extensions_of_every_form() {
        for len in lengths() {
            let list = vec![7; len];
            let octets = element(0xA3, &[&element(0x30, &[&list])]);
            assert_eq!(extensions(&octets), Some(&list[..]), "{len}");
            assert_eq!(extensions(&[&octets[..], &[7]].concat()), None, "{len}");
            assert_eq!(extensions(&octets[..octets.len() - 1]), None, "{len}");
            for at in 0..octets.len() - len {
                for other in [octets[at] ^ 1, octets[at].wrapping_add(1), 0] {
                    let mut changed = octets.clone();
                    changed[at] = other;
                    assert!(changed == octets || extensions(&changed).is_none(), "{len} {at} {other}");
                }
            }
        }
        assert_eq!(extensions(&element(0xA3, &[&[0x30, 0]])), None);
        // Longer than the form: 82 where 81 would do.
        let long = [&[0xA3, 0x82, 0x01, 0x03, 0x30, 0x82, 0x00, 0xFF][..], &[7; 255]].concat();
        assert_eq!(extensions(&long), None);
    }

    #[test]
    fn signatures_of_every_form() {
        for len in lengths() {
            let content = vec![0; len];
            let octets = element(0x03, &[&content]);
            assert_eq!(signature(&octets), Some(&content[..]), "{len}");
            assert_eq!(signature(&[&octets[..], &[0]].concat()), None, "{len}");
            assert_eq!(signature(&octets[..octets.len() - 1]), None, "{len}");
        }
        assert_eq!(signature(&element(0x03, &[&[1; 300]])), None);
        assert_eq!(signature(&[0x03, 0]), None);
    }

    #[test]
    fn fifteen_octets_alike() {
        let one: [u8; 16] = core::array::from_fn(|at| at as u8);
        for at in 0..16 {
            let mut other = one;
            other[at] ^= 0x80;
            assert_eq!(begin_alike(&one, &other, 15), at == 15);
            assert!(!begin_alike(&one, &other, 16));
        }
        assert!(begin_alike(&one[..15], &one, 15) && begin_alike(&one, &one, 3));
    }
}
