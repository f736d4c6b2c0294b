//! Tiles and entry bundles of logs: paths are written as they were read, bundles too, and a tile is in the trees that have its end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_mtc::tile::{self, TileKind, TilePath, WIDTH};

fuzz_target!(|data: &[u8]| {
    let Some(([width, rest @ ..], sizes)) = data.split_first_chunk::<17>() else { return };
    let width = u16::from(*width) + 1;
    if let Ok(entries) = tile::entries(sizes, width) {
        assert_eq!(entries.len(), usize::from(width));
        let mut again = Vec::new();
        entries.iter().for_each(|entry| tile::put_entry(&mut again, entry).unwrap());
        assert_eq!(again, sizes);
    }
    if let Ok(hashes) = tile::hashes(sizes, width) {
        for level in 0..10 {
            let node = tile::node_in(hashes, level, 0);
            assert_eq!(node.is_some(), level <= 8 && 1usize << level <= hashes.len());
        }
    }
    if let Ok(text) = std::str::from_utf8(sizes)
        && let Ok(path) = TilePath::parse(text)
    {
        assert_eq!(path.to_string(), text);
        let (before, size) = rest.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte)) >> 16;
        let (one, other) = (number(before), number(size));
        let (before, size) = (one.min(other), one.max(other));
        // What a smaller tree has, a larger one has.
        assert!(!path.is_in(before) || path.is_in(size), "{path} in {before} and {size}");
        if path.kind == TileKind::Entries && path.is_in(size) {
            assert!(path.index * WIDTH + u64::from(path.width) <= size);
        }
        if size - before < 100_000 {
            for changed in tile::changed(before, size).chain(tile::changed_bundles(before, size)) {
                assert!(changed.is_in(size) && !changed.is_in(before), "{changed} between {before} and {size}");
            }
        }
    }
});
