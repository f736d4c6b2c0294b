//! Caches in files.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::lock::lock;
use super::{CacheError, Store, unique};
use crate::{Ccache, Credential, FileError};

/// The maximum size of a cache file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A cache in a file.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: PathBuf,
}

impl File {
    pub(super) fn new(path: &str) -> Result<Self, CacheError> {
        if path.is_empty() {
            return Err(CacheError::Name("FILE: expected a file path".to_owned()));
        }
        Ok(Self { path: PathBuf::from(path) })
    }
}

impl Store for File {
    fn name(&self) -> String {
        format!("FILE:{}", self.path.display())
    }

    fn read(&self) -> Result<Ccache, CacheError> {
        read(&self.path, &self.name())
    }

    fn write(&self, content: &Ccache) -> Result<(), CacheError> {
        write(&self.path, &self.name(), content)
    }

    fn add(&self, credential: &Credential) -> Result<(), CacheError> {
        add(&self.path, &self.name(), credential)
    }

    fn destroy(&self) -> Result<(), CacheError> {
        destroy(&self.path, &self.name())
    }
}

pub(super) fn read(path: &Path, name: &str) -> Result<Ccache, CacheError> {
    let octets = bytes(path).map_err(|error| CacheError::system(name, error))?;
    Ccache::from_bytes(&octets).map_err(|error| CacheError::Malformed(name.to_owned(), error))
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    lock(&file, false)?;
    let mut octets = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut octets)?;
    match octets.len() as u64 > MAX_BYTES {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, format!("it is longer than {MAX_BYTES} bytes"))),
        false => Ok(octets),
    }
}

/// Replaces the file, or a symbolic link, with a file readable only by its owner. If the path is not a regular file, it is
/// written in place.
pub(super) fn write(path: &Path, name: &str, content: &Ccache) -> Result<(), CacheError> {
    let octets = content.to_bytes().map_err(|error| CacheError::Malformed(name.to_owned(), error))?;
    replace(path, &octets).map_err(|error| CacheError::System(name.to_owned(), error))
}

pub(super) fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        Ok(metadata) if !metadata.is_file() && !metadata.is_symlink() => {
            return OpenOptions::new().write(true).open(path)?.write_all(octets);
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it does not name a file"))?;
    let mut scratch = std::ffi::OsString::from(".");
    scratch.push(file);
    scratch.push(format!(".{}", unique()));
    let scratch = path.with_file_name(scratch);
    let written =
        private(&scratch).and_then(|mut file| file.write_all(octets)).and_then(|()| fs::rename(&scratch, path));
    if written.is_err() {
        // What was written may be a key.
        let _ = fs::remove_file(&scratch);
    }
    written
}

/// Creates a new file that only its owner can read.
fn private(path: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// Appends a credential in a single write under a lock, as other libraries do. A failed write is rolled back.
pub(super) fn add(path: &Path, name: &str, credential: &Credential) -> Result<(), CacheError> {
    let system = |error| CacheError::system(name, error);
    loop {
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(system)?;
        lock(&file, true).map_err(system)?;
        if !is_at(&file, path).map_err(system)? {
            // Replaced while this waited for the lock.
            continue;
        }
        let mut head = [0; 2];
        file.read_exact(&mut head).map_err(system)?;
        let octets = match head {
            [5, version @ (3 | 4)] => credential.to_bytes(version),
            [5, 1 | 2] => {
                let old =
                    "credential caches of versions 1 and 2 are read-only: get a new one with `tagwise krb5 kinit`";
                return Err(CacheError::Malformed(name.to_owned(), FileError::new(1, old)));
            }
            _ => return Err(not_cache(name)),
        };
        let too_long = || CacheError::Malformed(name.to_owned(), FileError::new(0, "the credential is too long"));
        let octets = octets.ok_or_else(too_long)?;
        let end = file.seek(SeekFrom::End(0)).map_err(system)?;
        return file.write_all(&octets).map_err(|error| {
            let _ = file.set_len(end);
            system(error)
        });
    }
}

/// Returns whether an open file is still the one at its path.
fn is_at(file: &fs::File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let (open, there) = (file.metadata()?, fs::metadata(path)?);
        Ok((open.dev(), open.ino()) == (there.dev(), there.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        Ok(true)
    }
}

fn not_cache(name: &str) -> CacheError {
    CacheError::NotCache(format!("{name}: not a credential cache"))
}

/// Overwrites a cache with zeros and removes it. A symbolic link is removed, but not its target.
pub(super) fn destroy(path: &Path, name: &str) -> Result<(), CacheError> {
    let system = |error| CacheError::system(name, error);
    let mut head = [0; 2];
    let read = fs::File::open(path).map_err(system)?.read_exact(&mut head);
    if read.is_err() || !matches!(head, [5, 1..=4]) {
        return Err(not_cache(name));
    }
    if fs::symlink_metadata(path).map_err(system)?.is_file() {
        let mut file = OpenOptions::new().write(true).open(path).map_err(system)?;
        lock(&file, true).map_err(system)?;
        let len = file.metadata().map_err(system)?.len();
        io::copy(&mut io::repeat(0).take(len), &mut file).map_err(system)?;
        file.sync_all().map_err(system)?;
    }
    fs::remove_file(path).map_err(system)
}
