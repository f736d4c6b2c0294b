//! Comparison of a log's tiles above the leaf level with tiles computed from the leaves.

use tagwise_mtc::tile::{self, MAX_LEVEL, TileKind, TilePath, WIDTH};
use tagwise_mtc::{Hash, tree::Frontier};

use crate::audit::{AuditError, LogSource};
use crate::error::Error;

/// The tiles above the leaf level, computed while the tree grows from one size to a larger one.
pub(crate) struct Above<'s, S: ?Sized> {
    source: &'s S,
    /// The changing tiles, one for each level from 1.
    levels: Vec<Row>,
    /// The number of tiles compared.
    pub(crate) tiles: u64,
    /// The first tile that differs from the one computed from the leaves.
    pub(crate) wrong: Option<TilePath>,
}

/// The tile at the right edge of a level, to which new hashes are added.
struct Row {
    index: u64,
    hashes: Vec<Hash>,
    /// True if a hash has been added.
    grew: bool,
}

impl<'s, S: LogSource + ?Sized> Above<'s, S> {
    /// Prepares to check the tiles of a tree that grows from the frontier `edge` to size `to`. Existing hashes are read from
    /// the log, and must match the frontier.
    pub(crate) fn new(source: &'s S, edge: &Frontier, to: u64) -> Result<Self, AuditError> {
        let mut above = Self { source, levels: Vec::new(), tiles: 0, wrong: None };
        for level in 1..=MAX_LEVEL {
            let shift = 8 * u32::from(level);
            let (before, after) = (edge.size() >> shift, to >> shift);
            if after == before {
                break;
            }
            let index = before / WIDTH;
            let kept = before % WIDTH;
            let width = (after - index * WIDTH).min(WIDTH);
            let mut hashes = Vec::with_capacity(256);
            if let (1.., Ok(width)) = (kept, u16::try_from(width)) {
                let path = TilePath { kind: TileKind::Hashes(level), index, width };
                let bytes = source.get(&path.to_string())?;
                let there = tile::hashes(&bytes, width).map_err(Error::Format)?;
                hashes.extend(there.iter().take(usize::try_from(kept).unwrap_or_default()));
                if !makes_edge(&hashes, edge, level) {
                    above.wrong.get_or_insert(path);
                }
            }
            above.levels.push(Row { index, hashes, grew: false });
        }
        Ok(above)
    }

    /// Adds the root of a full tile of leaves, in order.
    pub(crate) fn push(&mut self, root: Hash) -> Result<(), AuditError> {
        let mut root = root;
        for level in 1..=MAX_LEVEL {
            let Some(row) = self.levels.get_mut(usize::from(level).saturating_sub(1)) else { return Ok(()) };
            row.hashes.push(root);
            row.grew = true;
            if row.hashes.len() < 256 {
                return Ok(());
            }
            let wrong = compare(self.source, row, level)?;
            self.wrong = self.wrong.or(wrong);
            self.tiles = self.tiles.saturating_add(1);
            root = tile::node_in(&row.hashes, 8, 0).ok_or(Error::Missing("root of a full tile"))?;
            *row = Row { index: row.index.saturating_add(1), hashes: Vec::with_capacity(256), grew: false };
        }
        Ok(())
    }

    /// Compares the computed partial tiles at the right edge with the stored ones.
    pub(crate) fn finish(&mut self) -> Result<(), AuditError> {
        for (row, level) in self.levels.iter().zip(1..) {
            if row.grew {
                let wrong = compare(self.source, row, level)?;
                self.wrong = self.wrong.or(wrong);
                self.tiles = self.tiles.saturating_add(1);
            }
        }
        Ok(())
    }
}

/// Compares a row with the log's tile. Returns the tile's path if they differ.
fn compare<S: LogSource + ?Sized>(source: &S, row: &Row, level: u8) -> Result<Option<TilePath>, AuditError> {
    let width = u16::try_from(row.hashes.len()).unwrap_or(u16::MAX);
    let path = TilePath { kind: TileKind::Hashes(level), index: row.index, width };
    let bytes = source.get(&path.to_string())?;
    let there = tile::hashes(&bytes, width).map_err(Error::Format)?;
    Ok((there != row.hashes.as_slice()).then_some(path))
}

/// Returns whether a tile's hashes reproduce the frontier's peaks at that level. There is one peak for each set bit of the
/// tree size that the level covers.
pub(crate) fn makes_edge(hashes: &[Hash], edge: &Frontier, level: u8) -> bool {
    let shift = 8 * u32::from(level);
    let higher = edge.size().checked_shr(shift + 8).map_or(0, u64::count_ones);
    let mut peaks = edge.peaks().iter().skip(higher as usize);
    let mut start = 0_usize;
    for bit in (0..8).rev().filter(|bit| hashes.len() >> bit & 1 == 1) {
        let found = tile::node_in(hashes, bit, start >> bit);
        if found.is_none() || found.as_ref() != peaks.next() {
            return false;
        }
        start += 1 << bit;
    }
    true
}
