//! zip and gzip, held to limits: what they decompress to is counted as it comes.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;
use zip::result::ZipError;

use super::{Gather, Spot};

/// What a member may decompress to whatever its ratio.
const FREE: u64 = 1 << 20;

/// Why a member was not decompressed.
enum Refused {
    Output,
    Ratio,
    Read(std::io::Error),
}

impl Gather<'_> {
    /// A gzip file, of one member or several.
    pub(super) fn gzip(&mut self, octets: &[u8], spot: Spot, depth: u8) {
        match self.inflate(MultiGzDecoder::new(octets), octets.len() as u64) {
            Ok(inner) => self.inner(inner, spot, depth),
            Err(refused) => self.refused(spot, refused),
        }
    }

    /// The members of a zip archive, in the order of its directory.
    pub(super) fn zip(&mut self, octets: &[u8], spot: Spot, depth: u8) {
        let mut archive = match ZipArchive::new(Cursor::new(octets)) {
            Ok(archive) => archive,
            Err(error) => return self.fail(spot, "archive", error.to_string()),
        };
        let outer = self.contents.entries.get(spot.entry as usize).cloned().unwrap_or_default();
        for index in 0..archive.len() {
            let Some(members) = self.members.checked_sub(1) else {
                return self.fail(spot, "entries-exceeded", "more members of archives than the limit allows");
            };
            self.members = members;
            let member = match archive.by_index(index) {
                Ok(member) if member.is_dir() => continue,
                Ok(member) => member,
                Err(error) => {
                    self.fail(spot, "archive", format!("member {}: {}", index + 1, plain(&error)));
                    continue;
                }
            };
            let name = name_of(&outer, member.name());
            let entry = self.contents.entries.len() as u32;
            let (here, packed) = (Spot { entry, offset: 0, line: 0 }, member.compressed_size());
            self.contents.entries.push(name);
            match self.inflate(member, packed) {
                Ok(inner) => self.inner(inner, here, depth),
                Err(refused) => self.refused(here, refused),
            }
        }
    }

    fn inner(&mut self, octets: Vec<u8>, spot: Spot, depth: u8) {
        // Offsets count in what was decompressed.
        self.gather(Cow::Owned(octets), Spot { offset: 0, line: 0, ..spot }, depth);
    }

    /// Reads to the end, as far as the limits allow; what was read is spent in any case.
    fn inflate(&mut self, source: impl Read, packed: u64) -> Result<Vec<u8>, Refused> {
        let ratio = packed.saturating_mul(u64::from(self.limits.ratio)).max(FREE);
        let most = ratio.min(self.output);
        let mut out = Vec::new();
        let read = source.take(most.saturating_add(1)).read_to_end(&mut out);
        self.output = self.output.saturating_sub(out.len() as u64);
        read.map_err(Refused::Read)?;
        if out.len() as u64 <= most {
            return Ok(out);
        }
        Err(if ratio == most { Refused::Ratio } else { Refused::Output })
    }

    #[cold]
    fn refused(&mut self, spot: Spot, refused: Refused) {
        match refused {
            Refused::Output => self.fail(spot, "output-exceeded", "decompresses to more than the limit allows"),
            Refused::Ratio => {
                let ratio = self.limits.ratio;
                self.fail(spot, "ratio-exceeded", format!("decompresses to more than {ratio} times its size"));
            }
            Refused::Read(error) => self.fail(spot, "archive", error.to_string()),
        }
    }
}

/// A member's name behind that of its archive; cut where together they are longer than any that is in use, for an archive
/// could have the longer name again and again.
fn name_of(outer: &str, member: &str) -> String {
    const LONG: usize = 512;
    let mut name = if outer.is_empty() { member.to_owned() } else { format!("{outer}!{member}") };
    if name.len() > LONG {
        name.truncate((0..=LONG).rev().find(|at| name.is_char_boundary(*at)).unwrap_or_default());
        name.push('…');
    }
    name
}

fn plain(error: &ZipError) -> String {
    match error {
        ZipError::UnsupportedArchive(what) => (*what).to_owned(),
        error => error.to_string(),
    }
}
