//! Headers of tar archives.

use std::ops::Range;

/// The size of a block, in bytes.
pub(crate) const BLOCK: usize = 512;

/// The header of a member.
pub(crate) struct Header<'t> {
    pub(crate) block: &'t [u8],
    pub(crate) kind: u8,
    /// The size of the member, or `None` if its field is malformed.
    pub(crate) size: Option<u64>,
}

/// Returns whether an input begins with the header of a tar archive, which has a checksum. A header with one damaged bit is recognized,
/// too: otherwise, the members would pass for parts of another file.
pub(crate) fn is_tar(octets: &[u8]) -> bool {
    let Some(block) = octets.get(..BLOCK) else { return false };
    // The sum includes eight spaces, so it is at least 256. An empty field is not a checksum.
    let (found, own) = (sum(block), block.get(CHECKSUM).and_then(number).filter(|own| *own >= 256));
    let has = |fits: fn(u64, u64) -> bool| found.zip(own).is_some_and(|(found, own)| fits(found, own));
    let is_close = || has(|found, own| found.abs_diff(own).is_power_of_two()) || block.get(257..262) == Some(b"ustar");
    // Text has no NUL.
    has(|found, own| found == own) || block.contains(&0) && is_close()
}

/// The position of the checksum.
const CHECKSUM: Range<usize> = 148..156;

/// Returns the sum of all bytes of a header, with spaces in the place of the checksum.
fn sum(block: &[u8]) -> Option<u64> {
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    Some(sum(block).checked_sub(sum(block.get(CHECKSUM)?))? + 8 * u64::from(b' '))
}

impl<'t> Header<'t> {
    /// Reads a header, if its checksum is correct.
    pub(crate) fn read(block: &'t [u8]) -> Option<Self> {
        if number(block.get(CHECKSUM)?)? != sum(block)? {
            return None;
        }
        Some(Self { block, kind: *block.get(156)?, size: number(block.get(124..136)?) })
    }

    /// Returns the name: the prefix of POSIX, and the name.
    pub(crate) fn name(&self) -> String {
        let field = |range: Range<usize>| {
            let field = self.block.get(range).unwrap_or_default();
            String::from_utf8_lossy(field.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned()
        };
        // GNU tar has times in the place of the prefix, and another version.
        let prefix = if self.block.get(257..263) == Some(b"ustar\0") { field(345..500) } else { String::new() };
        if prefix.is_empty() { field(0..100) } else { format!("{prefix}/{}", field(0..100)) }
    }
}

/// Reads a number: octal digits up to a space or NUL, or binary after a byte 80 (GNU tar).
fn number(field: &[u8]) -> Option<u64> {
    if let Some((0x80, rest)) = field.split_first() {
        let (high, low) = rest.split_at_checked(rest.len().checked_sub(8)?)?;
        let low: [u8; 8] = low.try_into().ok()?;
        return high.iter().all(|byte| *byte == 0).then(|| u64::from_be_bytes(low));
    }
    let digits = field.trim_ascii_start();
    let end = digits.iter().position(|byte| matches!(byte, 0 | b' ')).unwrap_or(digits.len());
    digits.get(..end)?.iter().try_fold(0u64, |number, digit| match digit {
        b'0'..=b'7' => number.checked_mul(8)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::*;

    fn header(magic: &[u8]) -> Vec<u8> {
        let mut block = vec![0; BLOCK];
        block[..5].copy_from_slice(b"a.der");
        block[124..135].copy_from_slice(b"00000001000");
        block[156] = b'0';
        block[257..257 + magic.len()].copy_from_slice(magic);
        let checksum = format!("{:06o}\0 ", sum(&block).unwrap());
        block[CHECKSUM].copy_from_slice(checksum.as_bytes());
        block
    }

    #[test]
    fn an_archive_is_recognized_with_any_damaged_bit_in_its_first_header() {
        let block = header(b"ustar\x0000");
        assert!(Header::read(&block).is_some_and(|header| header.size == Some(0o1000)));
        for bit in 0..BLOCK * 8 {
            let mut block = block.clone();
            block[bit / 8] ^= 1 << (bit % 8);
            assert!(is_tar(&block), "bit {bit}");
            // The checksum's own padding is not covered.
            assert!(Header::read(&block).is_none() || CHECKSUM.contains(&(bit / 8)), "bit {bit}");
        }
        // Without magic, as in old archives, except for the checksum's digits.
        let block = header(b"");
        for bit in (0..BLOCK * 8).filter(|bit| !CHECKSUM.contains(&(bit / 8))) {
            let mut block = block.clone();
            block[bit / 8] ^= 1 << (bit % 8);
            assert!(is_tar(&block), "bit {bit}");
        }
    }

    #[test]
    fn other_files_are_no_archives() {
        let text = [b" ".repeat(257), b"ustar ".repeat(50)].concat();
        for other in
            [&text, &vec![0; BLOCK], &vec![b'0'; BLOCK], &vec![0xFF; BLOCK], &header(b"")[..BLOCK - 1].to_vec()]
        {
            assert!(!is_tar(other));
        }
    }
}
