//! zip, gzip and zstd, with limits on the decompressed size that apply while decompressing.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

use memchr::memmem;
use zip::ZipArchive;
use zip::result::ZipError;

use super::gzip::Members;
use super::zstd::Frames;
use super::{Gather, Spot};
use crate::limits::FREE;

/// The number of bytes that are decompressed at a time.
const STEP: usize = 64 << 10;

/// The reason why a member was not decompressed.
enum Refused {
    Output,
    Ratio,
    /// The compressed data is damaged. The number is the offset of the damage in it.
    Read(io::Error, usize),
}

impl Gather<'_, '_> {
    /// Adds the contents of a gzip file with one or more members.
    pub(super) fn gzip(&mut self, octets: &[u8], spot: Spot, depth: u8) {
        self.unpacked(Members::new(octets), Members::position, octets.len() as u64, spot, depth);
    }

    /// Adds the contents of a zstd file with one or more frames.
    pub(super) fn zstd(&mut self, octets: &[u8], spot: Spot, depth: u8) {
        self.unpacked(Frames::new(octets), Frames::position, octets.len() as u64, spot, depth);
    }

    /// Adds what a decoder returns. `position` returns the decoder's offset in the compressed data.
    fn unpacked<R: Read>(&mut self, source: R, position: fn(&R) -> usize, packed: u64, spot: Spot, depth: u8) {
        let (inner, refused) = self.inflate(source, position, packed);
        // Certificates that precede the damage are read all the same. A part that is returned unchanged must be complete.
        let is_damaged = matches!(refused, Some(Refused::Read(..)));
        if refused.is_none() || is_damaged && self.parts.is_none() && !inner.is_empty() {
            self.inner(inner, spot, depth);
        }
        if let Some(refused) = refused {
            self.refused(spot, refused);
        }
    }

    /// Adds the members of a zip archive, in directory order.
    pub(super) fn zip(&mut self, octets: &[u8], spot: Spot, depth: u8) {
        // The directory is read as a whole, and takes more memory than it has octets.
        if memmem::find_iter(octets, DIRECTORY_ENTRY).nth(self.limits.entries as usize).is_some() {
            return self.fail(spot, "entries-exceeded", "the number of archive members exceeds the limit");
        }
        let mut archive = match ZipArchive::new(Cursor::new(octets)) {
            Ok(archive) => archive,
            Err(error) => return self.fail(spot, "archive", error.to_string()),
        };
        // The archive is indexed by name, so only the last one of several members with the same name can be opened.
        let lost = directory_entries(octets, archive.central_directory_start()).saturating_sub(archive.len());
        if lost > 0 {
            let message = format!("archive members not read because another one has the same name: {lost}");
            self.fail(spot, "archive", message);
        }
        let overlapping = overlapping(&mut archive);
        for index in 0..archive.len() {
            if !self.is_member_left(spot) {
                return;
            }
            let member = match archive.by_index(index) {
                Ok(member) if member.is_dir() => continue,
                Ok(member) => member,
                Err(error) => {
                    self.fail(spot, "archive", format!("member {}: {}", index + 1, plain(&error)));
                    continue;
                }
            };
            let (here, packed) = (self.member(spot, member.name()), member.compressed_size());
            if overlapping.binary_search(&index).is_ok() {
                self.fail(here, "overlap", "the archive member overlaps another one");
                continue;
            }
            // Where the member is in the archive does not help.
            self.unpacked(member, |_| 0, packed, here, depth);
        }
    }

    /// Counts a member of the archive at `spot`. Returns `false` if it exceeds the limit, which is then reported.
    pub(super) fn is_member_left(&mut self, spot: Spot) -> bool {
        let left = self.members.checked_sub(1);
        if left.is_none() {
            self.fail(spot, "entries-exceeded", "the number of archive members exceeds the limit");
        }
        self.members = left.unwrap_or_default();
        left.is_some()
    }

    /// Returns the position of a member with this name in the archive at `spot`.
    pub(super) fn member(&mut self, spot: Spot, name: &str) -> Spot {
        let outer = self.contents.entries.get(spot.entry as usize).map_or("", String::as_str);
        let name = name_of(outer, name);
        let entry = self.contents.entries.len() as u32;
        self.contents.entries.push(name);
        Spot { entry, offset: 0, line: 0 }
    }

    fn inner(&mut self, octets: Vec<u8>, spot: Spot, depth: u8) {
        // Offsets count in what was decompressed.
        self.gather(Cow::Owned(octets), Spot { offset: 0, line: 0, ..spot }, depth);
    }

    /// Decompresses up to the limits or the first error, which is returned with what precedes it. All decompressed bytes are
    /// charged to the budget, even if this fails.
    fn inflate<R: Read>(
        &mut self,
        mut source: R,
        position: fn(&R) -> usize,
        packed: u64,
    ) -> (Vec<u8>, Option<Refused>) {
        let ratio = packed.saturating_mul(u64::from(self.limits.ratio)).max(FREE);
        let output = self.output;
        let most = ratio.min(output).min(self.expansion);
        let mut out = Vec::new();
        let read = fill(&mut source, most, &mut out);
        let spent = if matches!(read, Ok(false)) { most } else { out.len() as u64 };
        self.output = self.output.saturating_sub(spent);
        self.expansion = self.expansion.saturating_sub(spent);
        let refused = match read {
            Ok(true) => None,
            Ok(false) if most == output => Some(Refused::Output),
            Ok(false) => Some(Refused::Ratio),
            Err(error) => Some(Refused::Read(error, position(&source))),
        };
        (out, refused)
    }

    #[cold]
    fn refused(&mut self, spot: Spot, refused: Refused) {
        match refused {
            Refused::Output => self.fail(spot, "output-exceeded", "the decompressed size exceeds the limit"),
            Refused::Ratio => {
                let ratio = self.limits.ratio;
                self.fail(
                    spot,
                    "ratio-exceeded",
                    format!("the decompressed size exceeds {ratio} times the compressed size"),
                );
            }
            Refused::Read(error, at) => {
                let offset = spot.offset.saturating_add(at as u32);
                self.fail(Spot { offset, ..spot }, "archive", error.to_string());
            }
        }
    }
}

/// Returns a member's name after its archive's name. Long names are truncated, because an archive could repeat a long name
/// many times.
fn name_of(outer: &str, member: &str) -> String {
    const LONG: usize = 512;
    let mut name = if outer.is_empty() { member.to_owned() } else { format!("{outer}!{member}") };
    if name.len() > LONG {
        name.truncate((0..=LONG).rev().find(|at| name.is_char_boundary(*at)).unwrap_or_default());
        name.push('…');
    }
    name
}

/// The signature of an entry in an archive's directory.
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";

/// Returns the number of entries in the directory of an archive, which begins at `start` (APPNOTE.TXT §4.3.12).
fn directory_entries(octets: &[u8], start: u64) -> usize {
    let mut at = usize::try_from(start).unwrap_or(usize::MAX);
    let mut count = 0;
    while let Some(entry) = octets.get(at..).filter(|rest| rest.starts_with(DIRECTORY_ENTRY)) {
        count += 1;
        // The name, the extra field and the comment follow 46 bytes, which contain their lengths.
        let lengths = entry.get(28..34).unwrap_or_default().chunks_exact(2);
        let more: usize =
            lengths.map(|pair| pair.iter().rev().fold(0, |sum, octet| sum << 8 | usize::from(*octet))).sum();
        at = at.saturating_add(46).saturating_add(more);
    }
    count
}

/// Returns the indexes of members that share bytes with a preceding member, in ascending order. Members of a legitimate
/// archive are stored one after the other. With overlapping members, a few bytes could be decompressed many times.
fn overlapping(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Vec<usize> {
    let mut places = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        // What cannot be read is told where it is opened.
        let Ok(member) = archive.by_index_raw(index) else { continue };
        let start = member.header_start();
        let end = member.data_start().unwrap_or(start).saturating_add(member.compressed_size());
        places.push((start, end, index));
    }
    places.sort_unstable();
    let mut found = Vec::new();
    let mut reached = 0;
    for (start, end, index) in places {
        if start < reached {
            found.push(index);
        }
        reached = reached.max(end);
    }
    found.sort_unstable();
    found
}

/// Reads to the end. Returns `false` if there are more than `most` bytes. Never holds more than that and one step in memory.
fn fill(source: &mut impl Read, most: u64, out: &mut Vec<u8>) -> io::Result<bool> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut step = vec![0; STEP];
    loop {
        let read = match source.read(&mut step) {
            Ok(0) => return Ok(true),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let len = out.len().saturating_add(read);
        if len > most {
            return Ok(false);
        }
        if len > out.capacity() {
            // Twice as much, as vectors grow, but not beyond what may ever come.
            let more = out.capacity().max(read).min(most - out.len());
            out.reserve_exact(more.max(read));
        }
        out.extend_from_slice(step.get(..read).unwrap_or_default());
    }
}

fn plain(error: &ZipError) -> String {
    match error {
        ZipError::UnsupportedArchive(what) => (*what).to_owned(),
        error => error.to_string(),
    }
}
