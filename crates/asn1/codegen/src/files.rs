//! Finds module files in directories.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Error;

/// The maximum number of entries in a directory. A larger number is probably a mistake.
const MOST: usize = 100_000;

/// Returns the module files for a path: the file itself, or all files below a directory whose names end in `.asn1` or
/// `.asn` (case-insensitive), ordered by path. Links to files are followed. Links to subdirectories are not, because they
/// may form loops. Files are not opened, so some may be unreadable.
///
/// ```no_run
/// use tagwise_codegen::module_files;
/// for file in module_files("schemas")? {
///     println!("{}", file.display());
/// }
/// # Ok::<(), tagwise_codegen::Error>(())
/// ```
///
/// # Errors
/// Returns an error if a directory cannot be read, or contains more than 100,000 entries at all levels.
pub fn module_files(path: impl AsRef<Path>) -> Result<Vec<PathBuf>, Error> {
    let path = path.as_ref();
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    let mut left = MOST;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| Error::io(&folder, error))? {
            let entry = entry.map_err(|error| Error::io(&folder, error))?;
            let Some(less) = left.checked_sub(1) else {
                let many = io::Error::other(format!("it contains more than {MOST} files and directories"));
                return Err(Error::io(path, many));
            };
            left = less;
            let kind = entry.file_type().map_err(|error| Error::io(&folder, error))?;
            let path = entry.path();
            if kind.is_dir() {
                folders.push(path);
            } else if is_module(&path) && !path.is_dir() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns whether a file name has the extension of a module file.
fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("asn1") || ending.eq_ignore_ascii_case("asn"))
}
