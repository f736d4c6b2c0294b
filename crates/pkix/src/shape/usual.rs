//! The few extensions that nearly every certificate has, in the form that they nearly always have there: known by their octets, of
//! which only a few differ.

use super::Part;

/// `30 LL 06 03 55 1D id` and the next octet: `start` is the length, the identifier and that octet.
const fn start([len, id, next]: [u8; 3]) -> u64 {
    u64::from_le_bytes([0x30, len, 0x06, 0x03, 0x55, 0x1D, id, next])
}

/// Up to eight octets that follow.
const fn next<const N: usize>(octets: [u8; N]) -> u64 {
    let mut word = 0;
    let mut rest: &[u8] = &octets;
    while let [before @ .., last] = rest {
        word = word << 8 | *last as u64;
        rest = before;
    }
    word
}

/// The octets of a word before the one at `at`.
const fn below(at: u32) -> u64 {
    (1 << (8 * at)) - 1
}

/// The next extension, if it is one of the few that nearly every certificate has, in the form that it nearly always has there: its
/// last arc, and what follows it. The octets are all known but for a key's identifier, bits, a number or a purpose's last arc.
#[inline(always)]
pub(super) fn usual(list: Part<'_>) -> Option<(u8, Part<'_>)> {
    /// SubjectKeyIdentifier of 20 octets.
    const SUBJECT_KEY: u64 = start([29, 14, 0x04]);
    /// AuthorityKeyIdentifier of a keyIdentifier of 20 octets.
    const AUTHORITY_KEY: u64 = start([31, 35, 0x04]);
    /// KeyUsage, critical, of one octet.
    const KEY_USAGE: u64 = start([14, 15, 0x01]);
    /// BasicConstraints, critical: of an authority, without a path length or with one below 128.
    const AUTHORITY: u64 = start([15, 19, 0x01]);
    const AUTHORITY_PATH: u64 = start([18, 19, 0x01]);
    /// ExtKeyUsage of two purposes under `id-kp`.
    const PURPOSES: u64 = start([29, 37, 0x04]);
    /// CertificatePolicies of anyPolicy.
    const POLICIES: u64 = start([17, 32, 0x04]);

    let window: &[u8; 32] = list.wide().first_chunk()?;
    let ([head, second, third, fourth], []) = window.as_chunks::<8>() else { return None };
    let [second, third, fourth] = [second, third, fourth].map(|word| u64::from_le_bytes(*word));
    let (id, size, valid) = match u64::from_le_bytes(*head) {
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
        _ => return None,
    };
    // What is too long for the list is not said to be valid.
    if valid { Some((id, list.after(size)?)) } else { None }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::Decode;

    use super::*;
    use crate::cert::Extension;

    /// One of each, with what its last arc is.
    fn each() -> [(u8, Vec<u8>); 7] {
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
            (32, b"\x30\x11\x06\x03\x55\x1D\x20\x04\x0A\x30\x08\x30\x06\x06\x04\x55\x1D\x20\x00".to_vec()),
        ]
    }

    /// With octets of the next element behind it, which do not belong to the list.
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
