//! A few sets of published modules, all the way to Rust that the compiler, clippy and rustfmt find nothing wrong with.
//! `./x modules` does so for all sets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::path::Path;

#[path = "common/corpora.rs"]
mod corpora;

/// Small and large, old and new: classes and parameters, ANY, extensions, constraints.
const SAMPLE: &[&str] = &["asn1tools-git-ietf-rfc5280", "erlang-public-key-pkcs-1", "pycrate-pki-ietf-pki-rfc5912"];

#[test]
fn a_sample_compiles() {
    let wanted: Vec<String> = SAMPLE.iter().map(|name| (*name).to_owned()).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpora");
    if let Some(complaints) = corpora::complaints(&folder, &wanted) {
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}
