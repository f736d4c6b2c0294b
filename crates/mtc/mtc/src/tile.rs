//! Tiles and entry bundles: the files with which a log serves its tree and entries (C2SP tlog-tiles).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorKind};
use crate::hash::{self, Hash};
use crate::tree::MAX_SIZE;
use crate::wire::{Wire, put_vector};

/// The number of hashes in a full tile, and of entries in a full bundle.
pub const WIDTH: u64 = 256;
/// The highest tile level, which only the largest logs reach.
pub const MAX_LEVEL: u8 = 5;

/// The path of a tile or bundle.
///
/// ```
/// use tagwise_mtc::tile::{TilePath, TileKind};
/// let path = TilePath::parse("tile/0/x001/x234/067")?;
/// assert_eq!((path.kind, path.index, path.width), (TileKind::Hashes(0), 1_234_067, 256));
/// assert_eq!(TilePath { kind: TileKind::Entries, index: 7, width: 244 }.to_string(), "tile/entries/007.p/244");
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TilePath {
    /// The content: hashes of a level, or entries.
    pub kind: TileKind,
    /// The index within its level.
    pub index: u64,
    /// The number of hashes or entries: 256, or 1 to 255 for a partial tile.
    pub width: u16,
}

/// The content of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TileKind {
    /// Hashes of tree nodes. Contains the tile level: level *L* stores the nodes at tree level 8 × *L*.
    Hashes(u8),
    /// Log entries.
    Entries,
}

impl TilePath {
    /// Parses a path, including `tile/`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TilePath`] if the path is malformed.
    pub fn parse(path: &str) -> Result<Self, Error> {
        Self::read(path).ok_or(Error::new(ErrorKind::TilePath, 0))
    }

    fn read(path: &str) -> Option<Self> {
        let (kind, rest) = path.strip_prefix("tile/")?.split_once('/')?;
        let kind = match kind {
            "entries" => TileKind::Entries,
            level => TileKind::Hashes(plain(level).and_then(|level| u8::try_from(level).ok())?),
        };
        if matches!(kind, TileKind::Hashes(level) if level > 63) {
            return None;
        }
        let (groups, width) = match rest.split_once(".p/") {
            Some((groups, width)) => {
                (groups, u16::try_from(plain(width)?).ok().filter(|width| (1..256).contains(width))?)
            }
            None => (rest, WIDTH as u16),
        };
        let mut index = 0u64;
        let mut groups = groups.split('/').peekable();
        let mut first = true;
        while let Some(group) = groups.next() {
            let digits = if groups.peek().is_some() { group.strip_prefix('x')? } else { group };
            if digits.len() != 3 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return None;
            }
            // Leading groups of zeros are not allowed, because a tile has only one path.
            if first && digits == "000" && groups.peek().is_some() {
                return None;
            }
            first = false;
            index = index.checked_mul(1000)?.checked_add(digits.parse().ok()?)?;
        }
        (index <= MAX_SIZE).then_some(Self { kind, index, width })
    }

    /// Returns whether a tree of the given size contains this tile, with at least this width.
    #[must_use]
    pub const fn is_in(&self, size: u64) -> bool {
        let nodes = match self.kind {
            TileKind::Entries => size,
            TileKind::Hashes(level) if level > MAX_LEVEL => 0,
            TileKind::Hashes(level) => size >> (8 * level as u32),
        };
        match self.index.checked_mul(WIDTH) {
            Some(first) => first.saturating_add(self.width as u64) <= nodes,
            None => false,
        }
    }
}

fn plain(text: &str) -> Option<u64> {
    let fits = !text.is_empty() && text.len() <= 3 && text.bytes().all(|digit| digit.is_ascii_digit());
    (fits && (text.len() == 1 || !text.starts_with('0'))).then(|| text.parse().ok()).flatten()
}

impl fmt::Display for TilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TileKind::Hashes(level) => write!(f, "tile/{level}/")?,
            TileKind::Entries => f.write_str("tile/entries/")?,
        }
        let mut groups: Vec<String> = Vec::new();
        let mut rest = self.index;
        loop {
            groups.push(format!("{:03}", rest % 1000));
            rest /= 1000;
            if rest == 0 {
                break;
            }
        }
        while let Some(group) = groups.pop() {
            if groups.is_empty() {
                f.write_str(&group)?;
            } else {
                write!(f, "x{group}/")?;
            }
        }
        if u64::from(self.width) < WIDTH { write!(f, ".p/{}", self.width) } else { Ok(()) }
    }
}

/// Iterates over the hash tiles that are new or wider after a tree has grown from size `before` to `size`, lowest level
/// first.
pub fn changed(before: u64, size: u64) -> impl Iterator<Item = TilePath> {
    (0..=MAX_LEVEL).flat_map(move |level| {
        let shift = 8 * u32::from(level);
        row(TileKind::Hashes(level), before >> shift, size >> shift)
    })
}

/// Iterates over the entry bundles that are new or wider after a log has grown from size `before` to `size`.
pub fn changed_bundles(before: u64, size: u64) -> impl Iterator<Item = TilePath> {
    row(TileKind::Entries, before, size)
}

fn row(kind: TileKind, before: u64, size: u64) -> impl Iterator<Item = TilePath> {
    let first = before / WIDTH;
    let end = if size > before { size.div_ceil(WIDTH) } else { first };
    (first..end).map(move |index| {
        let width = size.saturating_sub(index.saturating_mul(WIDTH)).min(WIDTH);
        TilePath { kind, index, width: width as u16 }
    })
}

/// Computes a node inside a tile, `level` steps above its hashes. Returns `None` if the tile is too narrow.
#[must_use]
pub fn node_in(tile: &[Hash], level: u32, index: usize) -> Option<Hash> {
    let width = 1usize.checked_shl(level).filter(|_| level <= 8)?;
    let start = index.checked_mul(width)?;
    let mut row: Vec<Hash> = tile.get(start..start.checked_add(width)?)?.to_vec();
    while row.len() > 1 {
        row = hash::nodes(&row);
    }
    row.first().copied()
}

/// Splits a tile's bytes into hashes.
///
/// # Errors
/// Returns [`ErrorKind::TileLength`] if their number does not match the width.
pub fn hashes(bytes: &[u8], width: u16) -> Result<&[Hash], Error> {
    match bytes.as_chunks::<32>() {
        (hashes, []) if hashes.len() == usize::from(width) => Ok(hashes),
        _ => Err(Error::new(ErrorKind::TileLength, bytes.len())),
    }
}

/// Splits a bundle's bytes into entries.
///
/// # Errors
/// Returns [`ErrorKind::TileLength`] if their number does not match the width, or any error in a vector.
pub fn entries(bytes: &[u8], width: u16) -> Result<Vec<&[u8]>, Error> {
    let mut wire = Wire::new(bytes);
    let mut out = Vec::with_capacity(usize::from(width).min(256));
    while !wire.is_empty() {
        if out.len() >= usize::from(width) {
            return Err(wire.fail(ErrorKind::TileLength));
        }
        out.push(wire.vector(2, 0)?.rest());
    }
    if out.len() != usize::from(width) {
        return Err(wire.fail(ErrorKind::TileLength));
    }
    Ok(out)
}

/// Appends an entry to the bytes of a bundle.
///
/// # Errors
/// Returns [`ErrorKind::TooLong`] if the entry is too long.
pub fn put_entry(bundle: &mut Vec<u8>, entry: &[u8]) -> Result<(), Error> {
    put_vector(bundle, 2, entry)
}
