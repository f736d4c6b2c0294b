//! Writes all files of the command. Each file is written under a temporary name and then moved to its final path, so it is
//! never incomplete.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::Path;

use super::scratch::Scratch;

/// The permissions of a file, and what it may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The user's umask determines the permissions. An existing file is replaced and keeps its permissions. If the path is a symbolic
    /// link, its target is replaced.
    Public,
    /// Accessible only to the owner, from the first byte. It is an error if a file or link exists at the path.
    Private,
    /// Accessible only to the owner; replaces an existing file or link. A link is replaced, never followed.
    PrivateInPlace,
}

/// Writes bytes to a file atomically. A device or a pipe is written directly.
///
/// # Errors
/// Returns any system error, including [`io::ErrorKind::AlreadyExists`] and [`io::ErrorKind::IsADirectory`].
pub(crate) fn write(path: &Path, octets: &[u8], access: Access) -> io::Result<()> {
    match access {
        Access::Public => replace(path, octets),
        Access::Private => create_private(path, octets),
        Access::PrivateInPlace => replace_private(path, octets),
    }
}

/// Returns the folder that contains a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Replaces the content of a file. Its permissions and, if possible, its owner are kept.
pub(crate) fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    // The target of a symbolic link is replaced, not the link; a dangling link is itself replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_absent| path.to_owned());
    let before = match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => Some(metadata),
        Ok(metadata) if metadata.is_dir() => return Err(is_directory()),
        Ok(_) => return as_it_stands(&path, octets),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if before.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    // A new file has the permissions of the user's umask; a replacement is private until it has the permissions of the old file.
    let mut scratch = Scratch::file(folder_of(&path), if before.is_some() { 0o600 } else { 0o666 })?;
    scratch.write(octets)?;
    if let Some(before) = &before {
        keep(scratch.as_file(), before)?;
    }
    scratch.persist(&path)
}

/// Creates a file that only its owner can access. The file must not exist yet.
fn create_private(path: &Path, octets: &[u8]) -> io::Result<()> {
    // A name that is taken is found before anything is written.
    match fs::symlink_metadata(path) {
        Ok(metadata) if is_device(&metadata) => return as_it_stands(path, octets),
        Ok(metadata) if metadata.is_dir() => return Err(is_directory()),
        Ok(_) => return Err(is_there()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut scratch = Scratch::file(folder_of(path), 0o600)?;
    scratch.write(octets)?;
    scratch.persist_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => is_there(),
        _ => error,
    })
}

/// Creates a file that only its owner can access, replacing an existing file.
fn replace_private(path: &Path, octets: &[u8]) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(is_directory()),
        Ok(metadata) if !metadata.is_file() && !metadata.is_symlink() => return as_it_stands(path, octets),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut scratch = Scratch::file(folder_of(path), 0o600)?;
    scratch.write(octets)?;
    scratch.persist(path)
}

/// Writes to a file that is not a regular file.
fn as_it_stands(path: &Path, octets: &[u8]) -> io::Result<()> {
    File::options().write(true).open(path)?.write_all(octets)
}

fn is_device(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        metadata.file_type().is_char_device()
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

fn is_there() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "it already exists")
}

fn is_directory() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")
}

/// Copies the permissions of the replaced file and, if the user has the right to do so, its owner.
fn keep(file: &File, before: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    file.set_permissions(before.permissions())
}
