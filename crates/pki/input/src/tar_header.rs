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

/// Returns whether an input begins with the header of a tar archive, which has a checksum.
pub(crate) fn is_tar(octets: &[u8]) -> bool {
    octets.get(..BLOCK).is_some_and(|block| Header::read(block).is_some())
}

impl<'t> Header<'t> {
    /// Reads a header, if its checksum is correct: the sum of all bytes, with spaces in the place of the checksum.
    pub(crate) fn read(block: &'t [u8]) -> Option<Self> {
        let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
        let field = block.get(148..156)?;
        let own: u64 = field.iter().map(|byte| u64::from(*byte)).sum();
        if number(field)? != sum - own + 8 * u64::from(b' ') {
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
