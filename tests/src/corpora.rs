//! The locations of the corpora, and the contents of their files. They belong to third parties and are read in place, never
//! copied.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tagwise_codec::{Options, RuleSet, Session, pem};

/// The folder of all corpora, and a single corpus.
pub use tagwise_testing::{corpora as root, corpus as set};

/// Returns every file below a folder, keyed by its path in the folder. A path to a file yields the file itself, keyed by
/// its name.
#[must_use]
pub fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![path.to_path_buf()];
    while let Some(path_now) = open.pop() {
        if path_now.is_dir() {
            open.extend(fs::read_dir(&path_now).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let base = if path.is_dir() { path } else { path.parent().unwrap() };
            let name = path_now.strip_prefix(base).unwrap().to_str().unwrap().to_owned();
            found.insert(name, fs::read(&path_now).unwrap());
        }
    }
    found
}

/// Returns the contents of a file: each PEM block that decodes, with its label, or the file itself if it is not PEM.
#[must_use]
pub fn contents(file: &[u8]) -> Vec<(Option<String>, Vec<u8>)> {
    if !file.windows(11).any(|window| window == b"-----BEGIN ") {
        return vec![(None, file.to_vec())];
    }
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    pem::blocks_with(file, &session)
        .filter_map(Result::ok)
        .filter_map(|block| Some((Some(block.label().to_owned()), block.decode().ok()?)))
        .collect()
}
