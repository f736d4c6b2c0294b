//! Access to a file's bytes without copying: memory-mapped if large, read if small.
//!
//! The crate contains one unsafe call, so it cannot use `forbid(unsafe_code)`. It is independent of file formats.
//!
//! The crate is internal to Tagwise: its API may change in any release.
#![deny(unsafe_code)]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// The size below which files are read rather than memory-mapped, because mapping costs about as much as copying this many
/// bytes.
pub const SMALL: u64 = 256 * 1024;

/// The bytes of a file, memory-mapped or read.
///
/// ```
/// let path = std::env::temp_dir().join("tagwise-map-example");
/// std::fs::write(&path, b"octets")?;
/// assert_eq!(&*tagwise_map::open(&path, 1 << 30)?, b"octets");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Octets(Storage);

#[derive(Debug)]
enum Storage {
    Read(Vec<u8>),
    Mapped(Mmap),
}

impl Deref for Octets {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Storage::Read(octets) => octets,
            Storage::Mapped(map) => map,
        }
    }
}

impl From<Vec<u8>> for Octets {
    fn from(octets: Vec<u8>) -> Self {
        Self(Storage::Read(octets))
    }
}

impl Octets {
    /// Returns whether the file is memory-mapped.
    #[must_use]
    pub const fn is_mapped(&self) -> bool {
        matches!(self.0, Storage::Mapped(_))
    }
}

/// Opens a file. A regular file of at least [`SMALL`] bytes is memory-mapped. Any other file is read, up to `most` bytes.
///
/// A file must not be written or truncated while it is mapped. If that cannot be guaranteed, use [`read`].
///
/// # Errors
/// Returns the system's error, [`io::ErrorKind::IsADirectory`] for a directory, or [`io::ErrorKind::FileTooLarge`] if the
/// file has more than `most` bytes.
pub fn open(path: &Path, most: u64) -> io::Result<Octets> {
    let file = opened(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() < SMALL {
        return read_from(file, most);
    }
    if metadata.len() > most {
        return Err(too_large());
    }
    match map(&file) {
        Ok(map) => Ok(Octets(Storage::Mapped(map))),
        // Not every file system can.
        Err(_) => read_from(file, most),
    }
}

/// Reads a file of at most `most` bytes, without mapping it.
///
/// # Errors
/// Returns the same errors as [`open`].
pub fn read(path: &Path, most: u64) -> io::Result<Octets> {
    read_from(opened(path)?, most)
}

fn opened(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    Ok(file)
}

fn read_from(file: File, most: u64) -> io::Result<Octets> {
    let len = file.metadata().map_or(0, |metadata| metadata.len().min(most));
    let mut octets = Vec::with_capacity(usize::try_from(len).unwrap_or_default().saturating_add(1));
    file.take(most.saturating_add(1)).read_to_end(&mut octets)?;
    if octets.len() as u64 > most {
        return Err(too_large());
    }
    Ok(Octets(Storage::Read(octets)))
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "the file exceeds the size limit")
}

#[expect(unsafe_code, reason = "mapping a file cannot be safe in the language's sense")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is private and read-only, so that nothing here writes to it. The only other requirement, that
    // no process changes or truncates the file meanwhile, is on callers of `open`.
    unsafe { Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn small_files_are_read_and_large_ones_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for (len, mapped) in [(0, false), (1000, false), (SMALL as usize, true), (1 << 20, true)] {
            let octets: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
            std::fs::write(&path, &octets).unwrap();
            let open = open(&path, 1 << 20).unwrap();
            assert_eq!((&*open, open.is_mapped()), (&octets[..], mapped));
            let read = read(&path, 1 << 20).unwrap();
            assert_eq!((&*read, read.is_mapped()), (&octets[..], false));
        }
        assert_eq!(open(&path, 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read(&path, 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(open(folder.path(), 1000).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(open(&folder.path().join("none"), 1000).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
