//! `query` without its engine: the command starts the program that has it. The tests of `doors/query` test the engine.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

fn run(program: &Path, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).env("PATH", "").output().unwrap()
}

#[test]
fn queries_are_passed_to_the_program_with_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let command = folder.path().join("tagwise");
    let built = env!("CARGO_BIN_EXE_tagwise");
    fs::hard_link(built, &command).or_else(|_| fs::copy(built, &command).map(|_| ())).unwrap();
    let arguments = ["query", "SELECT 1", "x.pem", "--csv"];
    let absent = run(&command, &arguments);
    let message = String::from_utf8(absent.stderr).unwrap();
    assert_eq!(absent.status.code(), Some(3), "{message}");
    assert!(
        message.starts_with("tagwise: queries need the program tagwise-query, which is not installed"),
        "{message}"
    );
    let program = folder.path().join("tagwise-query");
    fs::write(&program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 4\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let started = run(&command, &arguments);
    assert_eq!(started.status.code(), Some(4));
    assert_eq!(String::from_utf8(started.stdout).unwrap(), "query\nSELECT 1\nx.pem\n--csv\n");
    // Wrong arguments are errors of the command itself.
    for wrong in [&["query"][..], &["query", "SELECT 1", "--csv", "--json"], &["query", "SELECT 1", "--table", "t"]] {
        assert_eq!(run(&command, wrong).status.code(), Some(2), "{wrong:?}");
    }
}
