//! Support for the tests of all crates: third-party data, external tools, and recorded skips.
//!
//! A test that cannot run here calls [`skip`] and returns. Rust's test runner has no third outcome and counts it as passed.
//! Each skip is therefore also written to the file named by `TAGWISE_SKIPS`, and `./x test` subtracts it from the count and
//! lists it. With `CI=true`, nothing may be skipped: [`skip`] panics.
//!
//! This crate has no dependencies and is independent of ASN.1, so that any crate can use it as a dev-dependency.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests: what they cannot do ends them")]

pub mod archives;
pub mod json;
pub mod register;
pub mod sets;

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns the folder of all corpora: `TAGWISE_CORPORA`, or `../shared/corpora` next to the project.
#[must_use]
pub fn corpora() -> PathBuf {
    env::var_os("TAGWISE_CORPORA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora"), PathBuf::from)
}

/// Returns a corpus, or a folder or file in one. If it is missing, records that the test is skipped and returns `None`.
///
/// # Panics
///
/// Panics if the corpus is missing and `CI=true`.
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

/// Returns whether a corpus is present, without skipping the test.
#[must_use]
pub fn has_corpus(name: &str) -> bool {
    record("TAGWISE_CORPORA_USERS", &own_name());
    corpora().join(name).exists()
}

/// Returns the folder of reported cases: `TAGWISE_CASES`, or `cases` next to the corpora. If it is absent, the test is
/// skipped.
///
/// # Panics
///
/// Panics if it is absent and `CI=true`.
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

/// The path of the running test binary and, after a tab, the name of the test. The latter is empty in a thread that the test started.
fn own_name() -> String {
    let binary = env::current_exe().map(|path| path.display().to_string()).unwrap_or_default();
    let thread = std::thread::current();
    format!("{binary}\t{}", thread.name().filter(|name| *name != "main").unwrap_or_default())
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

/// Returns whether an external tool responds when called with `arguments`. If it does not, records that the test is
/// skipped; the caller must then return.
///
/// # Panics
///
/// Panics if the tool cannot be started and `CI=true`.
#[must_use]
pub fn tool(name: &str, arguments: &[&str]) -> bool {
    let found = std::process::Command::new(name).args(arguments).output().is_ok();
    if !found {
        skip(&format!("no command `{name}`"));
    }
    found
}

/// Records that the running test is skipped, and the reason. The caller must then return.
///
/// # Panics
///
/// Panics if `CI=true`, because nothing may be skipped in CI.
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

/// Returns an unused loopback port, for a server that is started next.
///
/// It is below the system's ephemeral ports, because one of those could be assigned to another program before the server
/// binds it. Processes that run in parallel start their search at different ports.
///
/// # Panics
///
/// Panics if all of twenty thousand ports are in use.
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
