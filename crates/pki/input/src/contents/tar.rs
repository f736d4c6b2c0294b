//! tar archives (POSIX.1-2017, pax; GNU tar's long names). Members are not compressed, so nothing is expanded.

use std::borrow::Cow;

use super::der::along;
use super::{Gather, Spot};
use crate::row::part;
use crate::tar_header::{BLOCK, Header};

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
