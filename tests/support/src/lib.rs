//! Support for the tests of all crates: third-party data, external tools, and honest skips.
//!
//! A test that cannot do its work here says so by [`skip`] and returns. Rust's test runner knows no third outcome and counts
//! it as passed, so each skip is also written to the file that `TAGWISE_SKIPS` names, and `./x test` takes it off the count
//! and lists it. Under `CI=true` nothing may be skipped: [`skip`] panics.
//!
//! This crate has no dependencies and knows nothing of ASN.1, so that any crate can have it as a dev-dependency.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests: what they cannot do ends them")]

pub mod json;
pub mod register;
pub mod sets;

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The folder of all corpora: `TAGWISE_CORPORA`, or `../shared/corpora` beside the project.
#[must_use]
pub fn corpora() -> PathBuf {
    env::var_os("TAGWISE_CORPORA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora"), PathBuf::from)
}

/// A corpus, or a folder or file of one. Where it is absent, the test is skipped and the result is `None`.
///
/// # Panics
///
/// Under `CI=true`, if the corpus is absent.
#[must_use]
pub fn corpus(name: &str) -> Option<PathBuf> {
    record("TAGWISE_CORPORA_USERS", &own_name());
    let path = corpora().join(name);
    if path.exists() {
        return Some(path);
    }
    let set = name.split('/').next().unwrap_or(name);
    skip_for(set, &format!("no {name} in {}", corpora().display()));
    None
}

/// Returns whether a corpus is there, without skipping the test.
#[must_use]
pub fn has_corpus(name: &str) -> bool {
    record("TAGWISE_CORPORA_USERS", &own_name());
    corpora().join(name).exists()
}

/// The folder of reported cases: `TAGWISE_CASES`, or `cases` beside the corpora. Where it is absent, the test is skipped.
///
/// # Panics
///
/// Under `CI=true`, if it is absent.
#[must_use]
pub fn cases() -> Option<PathBuf> {
    record("TAGWISE_CORPORA_USERS", &own_name());
    let path = env::var_os("TAGWISE_CASES").map_or_else(|| corpora().join("../cases"), PathBuf::from);
    if path.exists() {
        return Some(path);
    }
    skip_for("cases", &format!("no folder {}", path.display()));
    None
}

/// The path of the running test binary.
fn own_name() -> String {
    env::current_exe().map(|path| path.display().to_string()).unwrap_or_default()
}

/// Appends a line to the file that an environment variable names, if it is set.
fn record(variable: &str, line: &str) {
    let Some(list) = env::var_os(variable) else { return };
    // One write a line, at the end of the file: tests of many processes write to it.
    let line = format!("{line}\n");
    let written =
        OpenOptions::new().create(true).append(true).open(&list).and_then(|mut file| file.write_all(line.as_bytes()));
    assert!(written.is_ok(), "cannot write to {}: {written:?}", list.display());
}

/// Returns whether an external tool answers when it is called with `arguments`; skips the test where it does not.
///
/// # Panics
///
/// Under `CI=true`, if the tool cannot be started.
#[must_use]
pub fn tool(name: &str, arguments: &[&str]) -> bool {
    let found = std::process::Command::new(name).args(arguments).output().is_ok();
    if !found {
        skip(&format!("no command `{name}`"));
    }
    found
}

/// Records that the running test is skipped, with the reason. The caller returns afterwards.
///
/// # Panics
///
/// Under `CI=true`: everything that can be checked is checked there.
pub fn skip(why: &str) {
    skip_for(why, why);
}

/// Records that the running test is skipped for want of `what`, which the summary of all tests counts.
fn skip_for(what: &str, why: &str) {
    assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "nothing may be skipped under CI=true: {why}");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("unnamed");
    println!("skipped: {why}");
    record(
        "TAGWISE_SKIPS",
        &format!("{test}\t{}\t{}", why.replace(['\n', '\t'], " "), what.replace(['\n', '\t'], " ")),
    );
}

/// A port of loopback that nobody listens at, for a server that is started next.
///
/// It is below those that the system gives to sockets without a port of their own: one of these may be another's before the server has it.
/// Processes that run side by side look from different places on.
///
/// # Panics
///
/// If all of twenty thousand ports are taken.
#[must_use]
pub fn port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = std::process::id().wrapping_mul(613);
    let ports = (0..20_000).map(|_| {
        let offset = start.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % 20_000;
        10_000 + u16::try_from(offset).unwrap_or_default()
    });
    let is_free =
        |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok() && UdpSocket::bind(("127.0.0.1", *port)).is_ok();
    ports.into_iter().find(is_free).unwrap()
}
