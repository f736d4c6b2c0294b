//! A log as files in a folder, for any web server: tiles, bundles, checkpoint, landmarks.

use std::fs;
use std::io::Write;
use std::path::Path;

use tagwise_mtc::tile::{self, TileKind, TilePath};

use crate::error::Error;
use crate::log::Log;
use crate::nodes::TileSource;

/// Writes what is new since the checkpoint that lies in the folder, and the checkpoint itself last: a reader never sees one whose tiles are
/// not there. Each file is written whole or not at all. Gives the number of files written.
///
/// # Errors
/// [`Error::Missing`] if nothing was signed yet; those of the file system and the database.
pub fn publish(log: &Log, folder: &Path, now: u64) -> Result<usize, Error> {
    let last = log.last_checkpoint()?.ok_or(Error::Missing("checkpoint"))?;
    let before = published_size(folder, &log.info().origin);
    let mut count = 0usize;
    for path in tile::changed(before, last.size).chain(tile::changed_bundles(before, last.size)) {
        put(folder, &path.to_string(), &tile_bytes(log, &path, last.size)?)?;
        count = count.saturating_add(1);
    }
    put(folder, "landmarks", log.landmarks(now)?.to_string().as_bytes())?;
    put(folder, "checkpoint", last.note.as_bytes())?;
    Ok(count.saturating_add(2))
}

/// The size of the checkpoint that a folder has; 0 if there is none that can be read.
fn published_size(folder: &Path, origin: &str) -> u64 {
    let note = fs::read_to_string(folder.join("checkpoint")).ok();
    let note = note.and_then(|note| tagwise_mtc::note::Note::parse(&note).ok());
    let checkpoint = note.and_then(|note| tagwise_mtc::note::Checkpoint::parse(note.text()).ok());
    checkpoint.filter(|one| one.origin == origin).map_or(0, |one| one.size)
}

/// The bytes of a tile or bundle of a tree of a size, which has it.
pub(crate) fn tile_bytes(log: &Log, path: &TilePath, size: u64) -> Result<Vec<u8>, Error> {
    bytes_of(&log.connection, path, size)
}

/// The same from a database of entries and tiles.
pub(crate) fn bytes_of(connection: &rusqlite::Connection, path: &TilePath, size: u64) -> Result<Vec<u8>, Error> {
    if !path.is_in(size) {
        return Err(Error::Missing("such tile"));
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

/// Writes a file beside its place, and gives it its name when it is whole and on disk.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let doing = |error: std::io::Error| Error::store("writing a file")(error.into());
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(doing)?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = fs::File::create(&beside).map_err(doing)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(doing)?;
    fs::rename(&beside, &path).map_err(doing)
}
