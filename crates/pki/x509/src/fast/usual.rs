//! The most common extensions in their usual encoding, recognized by their bytes.

use crate::part::Part;

/// `30 LL 06 03 55 1D id` and the next byte as a word, the first in its lowest byte.
const fn start([len, id, next]: [u8; 3]) -> u64 {
    u64::from_le_bytes([0x30, len, 0x06, 0x03, 0x55, 0x1D, id, next])
}

/// Up to eight bytes as a word, the first in its lowest byte.
const fn next<const N: usize>(octets: [u8; N]) -> u64 {
    let mut word = 0;
    let mut rest: &[u8] = &octets;
    while let [before @ .., last] = rest {
        word = word << 8 | *last as u64;
        rest = before;
    }
    word
}

/// Returns the mask of the bytes before the byte at `at` in a word.
const fn below(at: u32) -> u64 {
    (1 << (8 * at)) - 1
}

/// Parses the next extension, if it is one of the most common ones in its usual form. Returns the last arc of its
/// identifier, and the following bytes. All bytes are fixed except a key identifier, bits, a number, the last arc of a
/// purpose, or a URI.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn usual(list: Part<'_>) -> Option<(u8, Part<'_>)> {
    /// SubjectKeyIdentifier of 20 bytes.
    const SUBJECT_KEY: u64 = start([29, 14, 0x04]);
    /// AuthorityKeyIdentifier of a keyIdentifier of 20 bytes.
    const AUTHORITY_KEY: u64 = start([31, 35, 0x04]);
    /// KeyUsage, critical, of one byte.
    const KEY_USAGE: u64 = start([14, 15, 0x01]);
    /// BasicConstraints, critical: of an authority, without a path length or with one below 128.
    const AUTHORITY: u64 = start([15, 19, 0x01]);
    const AUTHORITY_PATH: u64 = start([18, 19, 0x01]);
    /// ExtKeyUsage of two purposes under `id-kp`.
    const PURPOSES: u64 = start([29, 37, 0x04]);
    /// CertificatePolicies of anyPolicy.
    const POLICIES: u64 = start([17, 32, 0x04]);

    let window: &[u8; 32] = list.wide().first_chunk()?;
    let (words, []) = window.as_chunks::<8>() else { return None };
    let [head, second, third, fourth] = <&[[u8; 8]; 4]>::try_from(words).ok()?.map(u64::from_le_bytes);
    let (id, size, valid) = match head {
        SUBJECT_KEY => (14, 31, second & below(3) == next([22, 0x04, 20])),
        AUTHORITY_KEY => (35, 33, second & below(5) == next([24, 0x30, 22, 0x80, 20])),
        KEY_USAGE => {
            let [unused, bits] = [(second >> 48) as u8, (second >> 56) as u8];
            let frame = second & below(6) == next([0x01, 0xFF, 0x04, 4, 0x03, 2]);
            (15, 16, frame & (unused < 8) & (bits.trailing_zeros() == u32::from(unused)))
        }
        AUTHORITY => {
            (19, 17, second == next([0x01, 0xFF, 0x04, 5, 0x30, 3, 0x01, 1]) && third & below(1) == next([0xFF]))
        }
        AUTHORITY_PATH => {
            let path = third & (below(3) | 0x80 << 24) == next([0xFF, 0x02, 1]);
            (19, 20, second == next([0x01, 0xFF, 0x04, 8, 0x30, 6, 0x01, 1]) && path)
        }
        PURPOSES => {
            let first = third & !(0x7F << 32) == next([5, 5, 7, 3, 0, 0x06, 8, 0x2B]);
            let other = fourth & (below(6) | 0x80 << 48) == next([6, 1, 5, 5, 7, 3]);
            (37, 31, second == next([22, 0x30, 20, 0x06, 8, 0x2B, 6, 1]) && first && other)
        }
        POLICIES => {
            (32, 19, second == next([10, 0x30, 8, 0x30, 6, 0x06, 4, 0x55]) && third & below(3) == next([0x1D, 32, 0]))
        }
        _ => return uri_point(list, head, second, third).map(|rest| (31, rest)),
    };
    // What is too long for the list is not said to be valid.
    if valid { Some((id, list.after(size)?)) } else { None }
}

/// Returns the part after CRLDistributionPoints with one distribution point and one URI: `30 LL 06 03 55 1D 1F 04 LL 30 LL
/// 30 LL A0 LL A0 LL 86 LL`, given as three words, and the URI. The first length determines the others.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn uri_point(list: Part<'_>, head: u64, second: u64, third: u64) -> Option<Part<'_>> {
    const HEAD: u64 = start([0, 31, 0x04]);
    const SECOND: (u64, u64) = (next([0, 0x30, 0, 0x30, 0, 0xA0, 0, 0xA0]), next([7, 0, 9, 0, 11, 0, 13, 0]));
    const THIRD: (u64, u64) = (next([0, 0x86, 0]), next([15, 0, 17]));
    let len = head >> 8 & 0xFF;
    // No sum or difference runs over its octet.
    let lengths = (17..0x80).contains(&len)
        && second == SECOND.0 + next([1, 0, 1, 0, 1, 0, 1, 0]) * len - SECOND.1
        && third & below(3) == THIRD.0 + next([1, 0, 1]) * len - THIRD.1;
    if head & !0xFF00 != HEAD || !lengths {
        return None;
    }
    let (uri, rest) = list.after(19)?.split(len as usize - 17)?;
    uri.is_ascii().then_some(rest)
}

#[cfg(test)]
mod tests {
    use tagwise_codec::Decode;

    use super::*;
    use crate::cert::Extension;
    use crate::fixture::element;

    /// One of each, with what its last arc is.
    fn each() -> [(u8, Vec<u8>); 8] {
        let key = |head: &[u8]| [head, &[7; 20]].concat();
        [
            (14, key(b"\x30\x1D\x06\x03\x55\x1D\x0E\x04\x16\x04\x14")),
            (35, key(b"\x30\x1F\x06\x03\x55\x1D\x23\x04\x18\x30\x16\x80\x14")),
            (15, b"\x30\x0E\x06\x03\x55\x1D\x0F\x01\x01\xFF\x04\x04\x03\x02\x01\x06".to_vec()),
            (19, b"\x30\x0F\x06\x03\x55\x1D\x13\x01\x01\xFF\x04\x05\x30\x03\x01\x01\xFF".to_vec()),
            (19, b"\x30\x12\x06\x03\x55\x1D\x13\x01\x01\xFF\x04\x08\x30\x06\x01\x01\xFF\x02\x01\x03".to_vec()),
            (
                37,
                b"\x30\x1D\x06\x03\x55\x1D\x25\x04\x16\x30\x14\x06\x08\x2B\x06\x01\x05\x05\x07\x03\x01\x06\x08\x2B\x06\x01\x05\x05\x07\x03\x02"
                    .to_vec(),
            ),
            (
                31,
                b"\x30\x1F\x06\x03\x55\x1D\x1F\x04\x18\x30\x16\x30\x14\xA0\x12\xA0\x10\x86\x0Ehttp://a.de/ab".to_vec(),
            ),
            (32, b"\x30\x11\x06\x03\x55\x1D\x20\x04\x0A\x30\x08\x30\x06\x06\x04\x55\x1D\x20\x00".to_vec()),
        ]
    }

    /// With bytes of the next element behind it, which do not belong to the list.
    fn look(extension: &[u8], len: usize) -> Option<(u8, usize)> {
        let wide = [extension, &[0x30; 40]].concat();
        let (id, after) = usual(Part::new(&wide, len)?)?;
        Some((id, len - after.len()))
    }

    #[test]
    fn each_is_known_if_it_is_whole() {
        for (id, octets) in each() {
            assert_eq!(look(&octets, octets.len()), Some((id, octets.len())), "{octets:02X?}");
            assert_eq!(look(&octets, octets.len() + 1), Some((id, octets.len())), "{octets:02X?}");
            for len in 0..octets.len() {
                assert_eq!(look(&octets, len), None, "{octets:02X?} {len}");
            }
        }
    }

    #[test]
    fn points_of_every_length() {
        for len in 0..0x90 {
            let tags = [0x86, 0xA0, 0xA0, 0x30, 0x30, 0x04];
            let value = tags.iter().fold(vec![b'u'; len], |inner, tag| element(*tag, &[&inner]));
            let octets = element(0x30, &[b"\x06\x03\x55\x1D\x1F", &value]);
            assert!(Extension::from_der(&octets).is_ok());
            let known = (octets.len() < 0x82).then_some((31, octets.len()));
            assert_eq!(look(&octets, octets.len()), known, "{len}");
            assert_eq!(look(&octets, octets.len() - 1), None, "{len}");
        }
    }

    #[test]
    fn what_is_known_is_valid() {
        for (_, octets) in each() {
            let mut known = 0;
            for at in 0..octets.len() {
                for octet in 0..=u8::MAX {
                    let mut other = octets.clone();
                    other[at] = octet;
                    let Some((id, len)) = look(&other, other.len()) else { continue };
                    known += 1;
                    let extension = Extension::from_der(&other).unwrap_or_else(|error| panic!("{other:02X?}: {error}"));
                    assert_eq!((extension.extn_id.as_bytes(), len), (&[0x55, 0x1D, id][..], other.len()));
                }
            }
            // At least itself, once for each octet.
            assert!(known >= octets.len(), "{octets:02X?}");
        }
    }
}
