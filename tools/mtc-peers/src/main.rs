//! `./x mtc-peers`: logs and certificates of Tagwise verified by the crate `mtcs`, tree arithmetic of both held to each other, the same log
//! written to a folder for the peers in Go, and their proofs verified in turn.
//!
//! What both verify is not only what is right: every certificate is also spoilt, a bit at a time, and both have to refuse it.

mod log;
mod peer;
mod vectors;

use std::path::Path;
use std::process::ExitCode;

/// An error of a run, in words.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["make", folder] => make(Path::new(folder)),
        ["check", file] => vectors::check(Path::new(file)),
        _ => {
            eprintln!("usage: tagwise-mtc-peers make FOLDER, or check FILE of what the peers in Go have proved");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mtc-peers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn make(folder: &Path) -> Result<(), Failure> {
    let made = log::make(folder)?;
    peer::certificates(&made)?;
    peer::spoilt(&made)?;
    peer::documents(&made)?;
    peer::arithmetic()
}
