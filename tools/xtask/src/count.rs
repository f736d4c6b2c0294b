//! Counts of tests, less those that say they were skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

/// The file that skipped tests write to: name, reason and what is missing, with tabs between, a line each.
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
            let mut columns = line.split('\t');
            println!("  {}: {}", columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
        }
    }
    Ok(format!("{}{}", counted(&log, &skips), wanting(&skips)))
}

/// The number of tests skipped for each missing data set or tool; a test that lacks two counts for both.
fn wanting(skips: &str) -> String {
    let mut tests: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in skips.lines() {
        let mut columns = line.split('\t');
        let (Some(test), Some(why)) = (columns.next(), columns.next()) else { continue };
        tests.entry(columns.next().unwrap_or(why)).or_default().insert(test);
    }
    let mut counts: Vec<(usize, &str)> = tests.into_iter().map(|(what, tests)| (tests.len(), what)).collect();
    counts.sort_by_key(|(count, what)| (std::cmp::Reverse(*count), *what));
    let counts: Vec<String> = counts.into_iter().map(|(count, what)| format!("{what} {count}")).collect();
    if counts.is_empty() { String::new() } else { format!("; skipped for want of: {}", counts.join(", ")) }
}

/// The number of passed, failed and skipped tests, without a list.
pub(crate) fn short(scratch: &Path) -> Result<String> {
    let log = String::from_utf8_lossy(&std::fs::read(scratch.join(LOG))?).into_owned();
    Ok(counted(&log, &std::fs::read_to_string(scratch.join(SKIPS)).unwrap_or_default()))
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
    fn skipped_tests_do_not_count_as_passed() {
        let log = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\nx\ntest result: FAILED. 4 passed; 1 failed; 2 ignored";
        assert_eq!(counted(log, ""), "7 passed, 1 failed, 0 skipped, 2 ignored");
        assert_eq!(counted(log, "a\twhy\na\twhy else\nb\twhy\n"), "5 passed, 1 failed, 2 skipped, 2 ignored");
    }

    #[test]
    fn missing_tools_are_counted_by_test() {
        let skips = "a\tno x/1 in /\tx\na\tno x/2 in /\tx\nb\tno x/1 in /\tx\nb\tno command y\n";
        assert_eq!(wanting(skips), "; skipped for want of: x 2, no command y 1");
        assert_eq!(wanting(""), "");
    }
}
