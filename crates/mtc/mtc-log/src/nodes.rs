//! Tree nodes stored as tiles.

use std::cell::RefCell;
use std::collections::HashMap;

use tagwise_mtc::tree::NodeReader;
use tagwise_mtc::{Hash, hash};

use crate::Error;

/// A source of a log's tiles.
pub trait TileSource {
    /// Returns a tile at its current width, or an empty vector if it does not exist.
    ///
    /// # Errors
    /// Returns any error from the source.
    fn tile(&self, level: u32, index: u64) -> Result<Vec<u8>, Error>;
}

/// The maximum number of cached tiles. Each takes 16 KiB.
const KEPT: usize = 1024;

/// Tiles by level and index. Each contains the hashes of its inner levels.
type Tiles = HashMap<(u32, u64), Vec<Vec<Hash>>>;

/// The nodes of a tree stored as tiles. Each tile is read once and cached with its inner nodes.
#[derive(Debug)]
pub struct TileNodes<'s, S: ?Sized> {
    source: &'s S,
    tiles: RefCell<Tiles>,
}

impl<'s, S: TileSource + ?Sized> TileNodes<'s, S> {
    /// Creates a reader for the nodes in a source.
    #[must_use]
    pub fn new(source: &'s S) -> Self {
        Self { source, tiles: RefCell::default() }
    }
}

/// Returns a tile's hashes, and the full nodes above them up to the tile's root.
fn rows(bytes: &[u8]) -> Vec<Vec<Hash>> {
    let mut row = bytes.as_chunks::<32>().0.to_vec();
    let mut rows = Vec::with_capacity(9);
    while !row.is_empty() {
        let above = hash::nodes(&row);
        rows.push(std::mem::replace(&mut row, above));
    }
    rows
}

impl<S: TileSource + ?Sized> NodeReader for TileNodes<'_, S> {
    type Error = Error;

    fn node(&self, level: u32, index: u64) -> Result<Hash, Error> {
        let (tile_level, inner) = (level / 8, level % 8);
        // 2^(8-inner) nodes of this level in a tile.
        let shift = 8 - inner;
        let (tile, place) = (index >> shift, (index & ((1 << shift) - 1)) as usize);
        let find = |rows: &Vec<Vec<Hash>>| rows.get(inner as usize).and_then(|row| row.get(place)).copied();
        let mut tiles = self.tiles.borrow_mut();
        if let Some(found) = tiles.get(&(tile_level, tile)).and_then(find) {
            return Ok(found);
        }
        let read = rows(&self.source.tile(tile_level, tile)?);
        let found = find(&read).ok_or(Error::Missing("node of the tree"));
        if tiles.len() >= KEPT {
            tiles.clear();
        }
        tiles.insert((tile_level, tile), read);
        found
    }
}
