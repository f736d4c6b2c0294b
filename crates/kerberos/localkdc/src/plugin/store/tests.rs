#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;

#[test]
fn names_that_differ_have_keys_that_differ() {
    let names: [(&str, &[&str]); 8] = [
        ("R", &["a", "b"]),
        ("R", &["a/b"]),
        ("R", &["a\\", "b"]),
        ("b@R", &["a"]),
        ("R", &["a@b"]),
        ("R", &["a", "b", ""]),
        ("R", &[""]),
        ("R", &["", ""]),
    ];
    let mut keys: Vec<Vec<u8>> =
        names.iter().map(|(realm, parts)| key(&Principal::new(1, *realm, parts.iter().copied()))).collect();
    assert_eq!(keys[0], b"a/b@R");
    assert_eq!(keys[3], b"a@b\\@R");
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), names.len());
    // Bytes that are no text stay what they are, and the type of a name is no part of it.
    assert_eq!(key(&Principal::new(3, b"R".to_vec(), [b"\xff\0".to_vec()])), b"\xff\0@R");
    assert_eq!(key(&Principal::new(1, "R", ["a"])), key(&Principal::new(2, "R", ["a"])));
}
