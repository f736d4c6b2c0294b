//! The Rust of published modules, one crate for each set of them, compiled.
//!
//! `corpora --list`: the sets and their files. `corpora FOLDER [NAME ...]`: sets whose names begin so, or all of them. A set that
//! the front refuses is passed over: the front's own register says why. What does not compile must be in
//! `tests/register/codegen.tsv`, and what is there must not.
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

/// The sets with their files, one a line, for other compilers: the name, what it should be, and the files, with tabs between.
fn list() {
    let Some(modules) = sets::corpus() else { return };
    for set in sets::sets(&modules) {
        let files: Vec<String> = set.files.iter().map(|file| file.display().to_string()).collect();
        println!("{}\t{}\t{}", set.name, set.expected.name(), files.join("\t"));
    }
}
