//! tar archives (POSIX.1-2017, pax; GNU tar's long names). Members are not compressed, so nothing is expanded.

use std::borrow::Cow;
use std::ops::Range;

use super::der::along;
use super::{Gather, Spot};
use crate::find::part;

const BLOCK: usize = 512;

/// The header of a member.
struct Header<'t> {
    block: &'t [u8],
    kind: u8,
    /// The size of the member, or `None` if its field is malformed.
    size: Option<u64>,
}

/// Returns whether an input begins with the header of a tar archive, which has a checksum.
pub(crate) fn is_tar(octets: &[u8]) -> bool {
    octets.get(..BLOCK).is_some_and(|block| Header::read(block).is_some())
}

impl<'t> Header<'t> {
    /// Reads a header, if its checksum is correct: the sum of all bytes, with spaces in the place of the checksum.
    fn read(block: &'t [u8]) -> Option<Self> {
        let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
        let field = block.get(148..156)?;
        let own: u64 = field.iter().map(|byte| u64::from(*byte)).sum();
        if number(field)? != sum - own + 8 * u64::from(b' ') {
            return None;
        }
        Some(Self { block, kind: *block.get(156)?, size: number(block.get(124..136)?) })
    }

    /// Returns the name: the prefix of POSIX, and the name.
    fn name(&self) -> String {
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

/// The contents of extended headers, which apply to the next member.
#[derive(Default)]
struct Extended {
    path: Option<String>,
    size: Option<u64>,
    is_sparse: bool,
}

impl Extended {
    /// Takes over the records of a pax header: `length keyword=value`, each with a newline. Returns `None` if one is malformed.
    fn take(&mut self, mut records: &[u8]) -> Option<()> {
        while !records.is_empty() {
            let digits = records.iter().position(|byte| *byte == b' ')?;
            let len: usize = std::str::from_utf8(records.get(..digits)?).ok()?.parse().ok()?;
            let record = records.get(digits + 1..len)?.strip_suffix(b"\n")?;
            let equals = record.iter().position(|byte| *byte == b'=')?;
            let (keyword, value) = (record.get(..equals)?, record.get(equals + 1..)?);
            match keyword {
                b"path" => self.path = Some(String::from_utf8_lossy(value).into_owned()),
                b"size" => self.size = Some(std::str::from_utf8(value).ok()?.parse().ok()?),
                keyword => self.is_sparse |= keyword.starts_with(b"GNU.sparse."),
            }
            records = records.get(len..)?;
        }
        Some(())
    }
}

impl<'a> Gather<'a, '_> {
    /// Adds the members of a tar archive, in order.
    pub(super) fn tar(&mut self, octets: Cow<'a, [u8]>, spot: Spot, depth: u8) {
        let mut at = 0;
        let mut extended = Extended::default();
        loop {
            let here = along(spot, at);
            let Some(block) = octets.get(at..).and_then(|rest| rest.get(..BLOCK)) else {
                return self.fail(
                    here,
                    "truncated",
                    "truncated tar archive: missing end, expected two blocks of zeros",
                );
            };
            if block.iter().all(|byte| *byte == 0) {
                let rest = octets.get(at..).unwrap_or_default();
                if let Some(stray) = rest.iter().position(|byte| *byte != 0) {
                    self.fail(along(here, stray), "archive", "data after the end of the tar archive");
                }
                return;
            }
            let Some(header) = Header::read(block) else {
                return self.fail(here, "archive", "malformed tar header: wrong checksum");
            };
            // Links, devices, folders and FIFOs have no content, whatever their size.
            let size = if matches!(header.kind, b'1'..=b'6') { Some(0) } else { extended.size.or(header.size) };
            let Some(size) = size else {
                return self.fail(here, "archive", "malformed tar header: the size is not a number");
            };
            let start = at + BLOCK;
            let end = usize::try_from(size).ok().and_then(|size| start.checked_add(size));
            let Some(content) = end.filter(|end| *end <= octets.len()).map(|end| start..end) else {
                return self.fail(here, "truncated", "truncated tar archive: a member exceeds the remaining input");
            };
            at = content.end.next_multiple_of(BLOCK);
            let data = octets.get(content.clone()).unwrap_or_default();
            match header.kind {
                b'L' => {
                    let name = data.split(|byte| *byte == 0).next().unwrap_or_default();
                    extended.path = Some(String::from_utf8_lossy(name).into_owned());
                }
                b'x' | b'X' => {
                    if extended.take(data).is_none() {
                        return self.fail(here, "archive", "malformed pax header");
                    }
                }
                // Global headers, and the long target of the next link.
                b'g' | b'K' => {}
                // Links and folders, and GNU's labels and lists of folders.
                b'1'..=b'6' | b'V' | b'D' => extended = Extended::default(),
                kind => {
                    let Extended { path, is_sparse, .. } = std::mem::take(&mut extended);
                    let name = path.unwrap_or_else(|| header.name());
                    if name.ends_with('/') {
                        continue;
                    }
                    if !self.is_member_left(spot) {
                        return;
                    }
                    let member = self.member(spot, &name);
                    match kind {
                        b'S' => self.fail(member, "archive", "sparse members of tar archives are not supported"),
                        _ if is_sparse => {
                            self.fail(member, "archive", "sparse members of tar archives are not supported");
                        }
                        b'M' => self.fail(member, "archive", "tar archives of several volumes are not supported"),
                        // Other types are regular files as well (POSIX.1-2017, pax, ustar interchange format).
                        _ => _ = self.gather(part(&octets, content.start, content.end), member, depth),
                    }
                }
            }
        }
    }
}
