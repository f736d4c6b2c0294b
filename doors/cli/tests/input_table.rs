//! The table of inputs: the command gives each the same answer as Rust, Python and C.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use common::tagwise_with;
use serde_json::Value;
use tagwise_codec::text::base64;

/// The answer in the JSON of `tagwise show`, which also decodes the values: those errors are left out.
fn answer(json: &Value) -> String {
    let file = &json["files"][0];
    let mut all = Vec::new();
    for item in file["items"].as_array().unwrap() {
        let (kind, size) = (item["kind"].as_str().unwrap(), item["size"].as_u64().unwrap());
        let place = item["line"].as_u64().map_or(String::new(), |line| format!("@{line}"));
        let is_text = size == 0 || matches!(kind, "other" | "unreadable");
        let code = item["errors"][0]["code"].as_str().filter(|_| is_text);
        let code = code.map_or(String::new(), |code| format!("!{code}"));
        all.push(format!("{kind}{place}/{size}{code}"));
    }
    format!("{}: {}", file["form"].as_str().unwrap(), all.join(", ")).trim_end().to_owned()
}

#[test]
fn show_gives_the_answers_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/register/inputs.tsv");
    let table = std::fs::read_to_string(path).unwrap();
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let input = base64::decode(columns[2].as_bytes()).unwrap();
        let run = tagwise_with(&["show", "--json", "-"], &input);
        let json: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(answer(&json), columns[1], "{}: {}", columns[0], run.err);
    }
}
