//! Instruction counts, which repeat exactly where times do not.
//!
//! The program runs itself twice under `valgrind --tool=callgrind` with different repeat counts; the difference
//! drops everything that happens once, such as reading the corpora.

use std::process::Command;

/// Instructions per repeat of `args` followed by a count, or `None` where valgrind is missing or the run fails.
#[must_use]
pub fn instructions_per_repeat(args: &[&str], few: u64, many: u64) -> Option<f64> {
    let difference = collected(args, many)?.checked_sub(collected(args, few)?)?;
    Some(difference as f64 / (many - few) as f64)
}

fn collected(args: &[&str], count: u64) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(args)
        .arg(count.to_string())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    // The line reads `==123== Collected : 456`.
    let number = text.lines().find_map(|line| line.split("Collected :").nth(1))?;
    number.trim().parse().ok()
}
