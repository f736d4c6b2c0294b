//! Counts of tests, less those that say they were skipped.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

/// The file that skipped tests write to: name and reason, with a tab between, a line each.
pub(crate) const SKIPS: &str = "skips";

/// The output of the tests.
pub(crate) const LOG: &str = "tests.log";

/// Lists the skipped tests, and says how many passed, failed and were skipped.
pub(crate) fn note(scratch: &Path) -> Result<String> {
    let log = String::from_utf8_lossy(&std::fs::read(scratch.join(LOG))?).into_owned();
    let skips = std::fs::read_to_string(scratch.join(SKIPS)).unwrap_or_default();
    let lines: BTreeSet<&str> = skips.lines().collect();
    if !lines.is_empty() {
        println!("\nskipped (a test says why):");
        for line in &lines {
            println!("  {}", line.replacen('\t', ": ", 1));
        }
    }
    Ok(counted(&log, &skips))
}

fn counted(log: &str, skips: &str) -> String {
    let names: BTreeSet<&str> = skips.lines().filter_map(|line| line.split('\t').next()).collect();
    let (mut passed, mut failed, mut ignored) = (0u64, 0u64, 0u64);
    for line in log.lines().filter_map(|line| line.strip_prefix("test result:")) {
        let mut number = 0;
        for word in line.split_whitespace() {
            match word.trim_end_matches(';') {
                "passed" => passed += number,
                "failed" => failed += number,
                "ignored" => ignored += number,
                other => number = other.parse().unwrap_or(number),
            }
        }
    }
    let passed = passed.saturating_sub(names.len() as u64);
    let ignored = if ignored > 0 { format!(", {ignored} ignored") } else { String::new() };
    format!("{passed} passed, {failed} failed, {} skipped{ignored}", names.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_has_not_passed() {
        let log = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\nx\ntest result: FAILED. 4 passed; 1 failed; 2 ignored";
        assert_eq!(counted(log, ""), "7 passed, 1 failed, 0 skipped, 2 ignored");
        assert_eq!(counted(log, "a\twhy\na\twhy else\nb\twhy\n"), "5 passed, 1 failed, 2 skipped, 2 ignored");
    }
}
