//! Removal of a local KDC. Only paths in the manifest are removed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::manifest::{self, CreatedKind, Made, Manifest};
use super::{Layout, SetupError, status};

/// A completed or planned removal of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Removal {
    /// The path that the removal concerns.
    pub path: PathBuf,
    /// The reason why the path is not removed, or `None` if it is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<&'static str>,
}

/// Removes what setups created, or lists it with `dry_run`. Modified files, and directories with other content, are kept.
/// Without a manifest, nothing is removed.
///
/// # Errors
///
/// Returns an error if the KDC is still running, the manifest cannot be read, or paths cannot be removed.
pub fn teardown(layout: &Layout, dry_run: bool) -> Result<Vec<Removal>, SetupError> {
    let path = layout.manifest();
    let Some(manifest) = Manifest::read(&path)? else { return Ok(Vec::new()) };
    if !dry_run && status::is_answering(layout, &manifest) {
        return Err(SetupError::Other("the KDC is still running: stop it first".to_owned()));
    }
    let mut removed = Vec::new();
    // Files are removed in reverse order; the manifest is removed last, before its folders.
    let (folders, others): (Vec<&Made>, Vec<&Made>) =
        manifest.made.iter().filter(|made| made.path != path).partition(|made| made.kind == CreatedKind::Folder);
    for made in others {
        if made.path.symlink_metadata().is_err() {
            continue;
        }
        let kept = reason(layout, made)?;
        if kept.is_none() && !dry_run {
            fs::remove_file(&made.path).map_err(SetupError::at(&made.path))?;
        }
        removed.push(Removal { path: made.path.clone(), kept });
    }
    if !dry_run {
        fs::remove_file(&path).map_err(SetupError::at(&path))?;
    }
    removed.push(Removal { path, kept: None });
    let mut folders: Vec<&Path> = folders.iter().map(|made| made.path.as_path()).collect();
    folders.sort_by_key(|path| std::cmp::Reverse(path.components().count()));
    for folder in folders {
        let Some(kept) = empty(folder, &removed)? else { continue };
        if kept.is_none() && !dry_run {
            fs::remove_dir(folder).map_err(SetupError::at(folder))?;
        }
        removed.push(Removal { path: folder.to_owned(), kept });
    }
    Ok(removed)
}

/// Returns the reason why a file is kept, or `None` if it can be removed.
fn reason(layout: &Layout, made: &Made) -> Result<Option<&'static str>, SetupError> {
    // Only root can write the manifest; even a mistake in it is limited to the prefix.
    if !made.path.starts_with(layout.prefix()) || made.path.components().any(|part| part.as_os_str() == "..") {
        return Ok(Some("it is outside the prefix"));
    }
    if made.path.is_dir() {
        return Ok(Some("it is now a folder"));
    }
    Ok(match made.digest.as_ref() {
        Some(digest) => match manifest::content(&made.path)? {
            Some(there) if manifest::digest(&there) != *digest => Some("it was modified"),
            _ => None,
        },
        None => None,
    })
}

/// Checks whether a directory contains only paths that are removed. Returns `None` if it does not exist.
fn empty(folder: &Path, removed: &[Removal]) -> Result<Option<Option<&'static str>>, SetupError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(SetupError::Io(folder.to_owned(), error)),
    };
    for entry in entries {
        let path = entry.map_err(SetupError::at(folder))?.path();
        if !removed.iter().any(|removal| removal.path == path && removal.kept.is_none()) {
            return Ok(Some(Some("it contains other files")));
        }
    }
    Ok(Some(None))
}
