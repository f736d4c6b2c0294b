//! `./x mtc-peers`: compares Tagwise's Merkle Tree Certificates with other implementations. The crate `mtcs` verifies
//! Tagwise's logs and certificates, and the tree arithmetic of both is compared. The same log is written to a folder for
//! the peers in Go, whose proofs are verified in turn.
//!
//! Not only valid input is tested: each certificate is also corrupted, one bit at a time, and both must reject it.

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
