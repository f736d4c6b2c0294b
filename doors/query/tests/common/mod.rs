//! Functions that several tests use: they run the program and find samples.
#![allow(dead_code, reason = "each test file uses a part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `tagwise-query query` with arguments.
pub(crate) fn query(args: &[&str]) -> Run {
    query_in(&samples(), args, b"")
}

/// Runs `tagwise-query query` in a folder, with bytes on its standard input.
pub(crate) fn query_in(folder: &Path, args: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tagwise-query"))
        .arg("query")
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read it closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |octets: Vec<u8>| String::from_utf8(octets).unwrap();
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The samples of the guide: a root and a leaf that it issued, a certificate with a negative serial number, and a CRL.
pub(crate) fn samples() -> PathBuf {
    root().join("docs/samples")
}
