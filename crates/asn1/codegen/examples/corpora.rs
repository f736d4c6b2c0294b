//! Generates Rust for published modules, as one crate per set of modules, and compiles it.
//!
//! `corpora --list` lists the sets and their files. `corpora FOLDER [NAME ...]` processes the sets whose names begin
//! with a NAME, or all sets. Sets that the front end rejects are skipped. The front end's own register states the
//! reasons. Code that does not compile must be listed in `tests/register/codegen.tsv`, and only such code may be listed
//! there.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a tool: what it cannot do ends it")]

use std::path::PathBuf;
use std::process::ExitCode;

use tagwise_testing::sets;

#[path = "../tests/common/corpora.rs"]
mod corpora;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().expect("a folder to write to"));
    if folder.as_os_str() == "--list" {
        list();
        return ExitCode::SUCCESS;
    }
    let wanted: Vec<String> = args.collect();
    let complaints = corpora::complaints(&folder, &wanted).unwrap_or_default();
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    ExitCode::from(u8::from(!complaints.is_empty()))
}

/// Prints the sets and their files for use with other compilers, one set per line: the name, the expected result and the files,
/// separated by tabs.
fn list() {
    let Some(modules) = sets::corpus() else { return };
    for set in sets::sets(&modules) {
        let files: Vec<String> = set.files.iter().map(|file| file.display().to_string()).collect();
        println!("{}\t{}\t{}", set.name, set.expected.name(), files.join("\t"));
    }
}
