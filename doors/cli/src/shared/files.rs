//! Files and standard input, read completely within the limit of `--max-input`.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// The largest supported offset, which is also the largest limit.
pub(crate) const MOST: u64 = u32::MAX as u64;
/// The default limit, in mebibytes. The largest CRLs and bundles in use are about a tenth of this size.
pub(crate) const DEFAULT_MIB: u64 = 1024;

/// Creates the error for an input that is larger than the limit.
pub(crate) fn too_large(limit: u64) -> io::Error {
    let most = match limit {
        MOST => "the 4 GiB limit of offsets".to_owned(),
        limit => format!("{} MiB: raise the limit with --max-input MIB", limit >> 20),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {most}"))
}

/// Rejects endless devices such as /dev/zero. Terminals, /dev/null and pipes are accepted.
///
/// # Errors
/// Returns [`io::ErrorKind::InvalidInput`] for a device.
#[cfg(unix)]
pub(crate) fn no_device(path: &Path, metadata: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = metadata.file_type();
    if !kind.is_char_device() && !kind.is_block_device() {
        return Ok(());
    }
    let is_null = std::fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev());
    if kind.is_char_device() && (is_null || File::open(path)?.is_terminal()) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a device, expected a file"))
}

/// Accepts everything, because other systems have no device files.
///
/// # Errors
/// Never fails.
#[cfg(not(unix))]
pub(crate) fn no_device(_: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// Returns an error if reading fails, or the input exceeds the limit in bytes.
pub(crate) fn load(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    bounded(open(path, limit)?, limit)
}

/// Opens a file, or standard input for `-`. The reader is not limited.
///
/// # Errors
/// Returns an error if opening fails, or the file is known to be larger than the limit in bytes.
pub(crate) fn open(path: &Path, limit: u64) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    no_device(path, &std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    // Nothing is read of a file that says it is too large.
    if metadata.is_file() && metadata.len() > limit {
        return Err(too_large(limit));
    }
    Ok(Box::new(file))
}

/// Checks that a path refers to a regular file before it is opened. Opening a FIFO would wait for a writer, and a device
/// may be endless.
///
/// # Errors
/// Returns any system error, or [`io::ErrorKind::InvalidInput`] for other kinds of files.
pub(crate) fn regular(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Reads to the end, up to a limit.
///
/// # Errors
/// Returns any read error, or [`too_large`].
pub(crate) fn bounded(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    source.take(limit.saturating_add(1)).read_to_end(&mut octets)?;
    if octets.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(octets)
}
