//! The guide's reference of columns is generated from the table: `TAGWISE_BLESS=1` rewrites it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::{env, fs};

const START: &str = "<!-- generated from the table of columns: TAGWISE_BLESS=1 rewrites it -->\n\n";

#[test]
fn the_reference_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/src/columns.md");
    let page = fs::read_to_string(&path).unwrap();
    let (text, _) = page.split_once(START).unwrap();
    let wanted = format!("{text}{START}{}", tagwise_columns::reference());
    if env::var_os("TAGWISE_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, &wanted).unwrap();
    }
    assert!(fs::read_to_string(path).unwrap() == wanted, "docs/src/columns.md is stale: TAGWISE_BLESS=1 rewrites it");
}
