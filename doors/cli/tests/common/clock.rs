//! Other clocks for the command, by `faketime`. Where it is absent the test is skipped.

use std::process::{Command, Stdio};

use super::{Run, run_of};

/// Returns whether `faketime` is installed.
pub(crate) fn has_faketime() -> bool {
    tagwise_testing::tool("faketime", &["--version"])
}

/// Runs `tagwise` under a clock that is off by so many days, or begins at a moment: `+1000d`, `@2049-12-31 23:59:00`.
pub(crate) fn tagwise_at(clock: &str, args: &[&str]) -> Run {
    let mut command = Command::new("faketime");
    command.args(["-f", clock, env!("CARGO_BIN_EXE_tagwise")]).args(args);
    // Waiting takes as long as it does.
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("TZ", "UTC").stdin(Stdio::null());
    run_of(&command.output().unwrap())
}
