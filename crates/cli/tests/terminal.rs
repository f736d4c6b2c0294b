//! What is drawn on a terminal does not hold up the work.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::data;

/// The bar is drawn by a thread of its own, which writes to standard error as the command does.
#[test]
fn a_progress_bar_ends_with_the_work() {
    let command = format!("{} scan --summary {} > /dev/null", env!("CARGO_BIN_EXE_tagwise"), data("leaf.pem"));
    // util-linux's script gives the command a terminal.
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = match script.spawn() {
        Ok(child) => child,
        Err(error) => {
            tagwise_testing::skip(&format!("no command `script`: {error}"));
            return;
        }
    };
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(0));
            return;
        }
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("the command does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
