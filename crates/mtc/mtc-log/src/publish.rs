//! Publishing of a log as files for any web server: tiles, entry bundles, the checkpoint and the landmarks.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tagwise_mtc::note::{Checkpoint, Note};
use tagwise_mtc::tile::{self, TileKind, TilePath};

use crate::error::Error;
use crate::log::Log;
use crate::nodes::TileSource;

/// Writes everything new since the directory's checkpoint, and then the new checkpoint, so that readers never see a
/// checkpoint without its tiles. Files are written atomically. Returns the number of files written.
///
/// # Errors
/// Returns [`Error::Missing`] if no checkpoint was signed, [`Error::Fork`] if the directory's checkpoint is not consistent
/// with the log, or any file system or database error.
pub fn publish(log: &Log, folder: &Path, now: u64) -> Result<usize, Error> {
    let last = log.last_checkpoint()?.ok_or(Error::Missing("checkpoint"))?;
    let before = published(folder, &log.info().origin);
    if let Some(there) = &before {
        // Detects, for example, a database that was restored to an earlier state.
        let found = if there.size <= last.size { log.root_at(there.size)? } else { last.root };
        if there.size > last.size || found != there.root {
            return Err(Error::Fork { size: there.size, recorded: there.root, found });
        }
    }
    let before = before.map_or(0, |there| there.size);
    let mut count = 0usize;
    let mut folders = BTreeSet::new();
    for path in tile::changed(before, last.size).chain(tile::changed_bundles(before, last.size)) {
        folders.insert(put(folder, &path.to_string(), &tile_bytes(log, &path, last.size)?)?);
        count = count.saturating_add(1);
    }
    // File names are synced before the checkpoint, from which the next run continues.
    folders.iter().for_each(|folder| sync_folder(folder));
    sync_folder(&put(folder, "landmarks", log.landmarks(now)?.to_string().as_bytes())?);
    sync_folder(&put(folder, "checkpoint", last.note.as_bytes())?);
    Ok(count.saturating_add(2))
}

/// Returns the log's checkpoint in a directory, if a readable one exists.
fn published(folder: &Path, origin: &str) -> Option<Checkpoint> {
    let note = Note::parse(&fs::read_to_string(folder.join("checkpoint")).ok()?).ok()?;
    Checkpoint::parse(note.text()).ok().filter(|one| one.origin == origin)
}

/// Syncs a directory. Errors are ignored, because not all systems support this.
fn sync_folder(folder: &Path) {
    let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
}

/// Returns the bytes of a tile or entry bundle, which must exist in a tree of the given size.
pub(crate) fn tile_bytes(log: &Log, path: &TilePath, size: u64) -> Result<Vec<u8>, Error> {
    bytes_of(&log.connection, path, size)
}

/// Returns the bytes of a tile or entry bundle like `tile_bytes`, but from a database connection.
pub(crate) fn bytes_of(connection: &rusqlite::Connection, path: &TilePath, size: u64) -> Result<Vec<u8>, Error> {
    if !path.is_in(size) {
        return Err(Error::Missing("tile"));
    }
    match path.kind {
        TileKind::Hashes(level) => {
            let mut bytes = connection.tile(u32::from(level), path.index)?;
            bytes.truncate(usize::from(path.width).saturating_mul(32));
            tile::hashes(&bytes, path.width)?;
            Ok(bytes)
        }
        TileKind::Entries => {
            let start = path.index.saturating_mul(tile::WIDTH);
            let mut bytes = Vec::new();
            for entry in crate::store::entries(connection, start, start.saturating_add(u64::from(path.width)))? {
                tile::put_entry(&mut bytes, &entry)?;
            }
            Ok(bytes)
        }
    }
}

/// Writes a file atomically: under a temporary name, which is replaced once it is on disk. Returns the file's directory.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
    let doing = |error: std::io::Error| Error::store("writing a file")(error.into());
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(doing)?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = fs::File::create(&beside).map_err(doing)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(doing)?;
    fs::rename(&beside, &path).map_err(doing)?;
    Ok(parent.to_owned())
}
