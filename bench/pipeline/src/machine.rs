//! The machine and the options behind results.

use crate::args::Args;
use crate::report::Run;

/// Names and values.
pub(crate) fn facts(args: &Args, runs: &[Run]) -> Vec<(String, String)> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo").lines().find_map(|line| {
        line.strip_prefix("model name")?
            .split(':')
            .nth(1)
            .map(str::trim)
            .map(str::to_owned)
    });
    let load = read("/proc/loadavg")
        .split_whitespace()
        .take(3)
        .collect::<Vec<_>>()
        .join(", ");
    let mut versions: Vec<String> = runs
        .iter()
        .map(|run| run.version.clone())
        .filter(|text| !text.is_empty())
        .collect();
    versions.sort();
    versions.dedup();
    let keys = if args.reuse_keys {
        "a few, made before"
    } else {
        "one for each certificate, made in cert_gen"
    };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("processor", processor.unwrap_or_else(|| "unknown".to_owned())),
        fact(
            "cores",
            std::thread::available_parallelism().map_or(0, usize::from).to_string(),
        ),
        fact("kernel", read("/proc/sys/kernel/osrelease").trim().to_owned()),
        fact("load over 1, 5, 15 minutes, at the end", load),
        fact("backends", versions.join("; ")),
        fact("threads", args.jobs.to_string()),
        fact("keys of subscribers", keys.to_owned()),
        fact("seconds for each batch, at least", args.min_seconds.to_string()),
        fact(
            "seconds for each stage on one thread and two, at least",
            args.scaling_seconds.unwrap_or(args.min_seconds).to_string(),
        ),
        fact(
            "database",
            format!(
                "SQLite {}, WAL, synchronous=FULL, foreign keys, pages of 8,192 octets",
                rusqlite::version()
            ),
        ),
    ]
}
