//! What the tests of the command share: running it, and finding data.
#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

pub(crate) mod clock;
pub(crate) mod documents;
pub(crate) mod lab;
pub(crate) mod openssl;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What a run of the command left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `tagwise` with a fixed idea of now.
pub(crate) fn tagwise(args: &[&str]) -> Run {
    tagwise_with(args, b"")
}

/// Runs `tagwise` with something on its standard input. Every hint that it gives has to be one that the command takes.
pub(crate) fn tagwise_with(args: &[&str], stdin: &[u8]) -> Run {
    let run = tagwise_once(args, stdin);
    for hint in run.out.lines().chain(run.err.lines()).filter_map(|line| line.trim_start().strip_prefix("Hint:")) {
        hint_is_taken(args, stdin, hint);
    }
    run
}

/// Runs the command once more with each option of a hint: it is not wrong usage.
fn hint_is_taken(args: &[&str], stdin: &[u8], hint: &str) {
    let mut words = hint.split([' ', ',', ';']).filter(|word| !word.is_empty()).peekable();
    while let Some(option) = words.next() {
        if !option.starts_with("--") {
            continue;
        }
        let file = args.iter().find(|arg| Path::new(arg).is_file()).copied().unwrap_or("-");
        let value = match words.peek().copied() {
            Some("FILE") | None => file,
            Some("TIME") => "2026-11-21",
            Some(value) => value,
        };
        let server = args.iter().any(|arg| arg.contains("://"));
        let verifies = matches!(args, ["verify", ..] | ["cms" | "tsp", "verify", ..]) && !server;
        if verifies {
            let again = tagwise_once(&with_option(args, option, value), stdin);
            assert_ne!(again.code, Some(2), "{args:?}: {hint}: {}", again.err);
        } else {
            // What makes something, or asks a server, is not done twice.
            let count = if matches!(args, ["show" | "verify" | "check", ..]) { 1 } else { 2 };
            let mut help: Vec<&str> = args.iter().take(count).copied().collect();
            help.push("--help");
            let help = tagwise_once(&help, b"");
            assert!(help.out.contains(&format!("{option} <")), "{args:?}: {hint}: {}", help.out);
        }
    }
}

/// Arguments with an option, in place of its value if it is there and may not be repeated.
pub(crate) fn with_option<'a>(args: &[&'a str], option: &'a str, value: &'a str) -> Vec<&'a str> {
    let mut all = args.to_vec();
    let is_single = matches!(option, "--at" | "--evidence-at" | "--revocation" | "--profile" | "--purpose");
    if let Some(place) = all.iter().position(|arg| *arg == option).filter(|_| is_single) {
        all.drain(place..place + 2);
    }
    all.extend([option, value]);
    all
}

fn tagwise_once(args: &[&str], stdin: &[u8]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = stdin.to_vec();
    // The command need not read it.
    let feeder = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    run_of(&output)
}

/// The result of a process that has ended.
pub(crate) fn run_of(output: &Output) -> Run {
    let out = String::from_utf8(output.stdout.clone()).unwrap();
    if out.starts_with('{') {
        assert_eq!(tagwise_testing::json::duplicate_key(&out), None, "{out}");
        documents::check(&out);
    }
    Run { code: output.status.code(), out, err: String::from_utf8(output.stderr.clone()).unwrap() }
}

/// Shows a file at a fixed moment.
pub(crate) fn show(args: &[&str]) -> Run {
    let mut all = vec!["show", "--at", "2027-01-01"];
    all.extend(args);
    tagwise(&all)
}

/// A fixture.
pub(crate) fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).to_str().unwrap().to_owned()
}

/// The DER of the first block of a fixture.
pub(crate) fn der(name: &str) -> Vec<u8> {
    let text = std::fs::read(data(name)).unwrap();
    let block = tagwise_codec::pem::blocks(&text).next().unwrap().unwrap();
    block.decode().unwrap()
}

/// Third-party data, if it is there.
pub(crate) use tagwise_testing::corpus;

/// All files below a folder, in order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Fails if something took longer than any file may.
pub(crate) fn bounded<T>(what: &str, limit: Duration, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    assert!(start.elapsed() < limit, "{what} took {:?}", start.elapsed());
    result
}
