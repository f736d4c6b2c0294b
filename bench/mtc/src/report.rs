//! The table and the JSON.

use serde::Serialize;

use crate::Failure;
use crate::measure::Row;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    algorithms: &'a str,
    machine: Vec<(String, String)>,
    rows: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    stage: &'static str,
    size: u64,
    rounds: usize,
    items: u64,
    nanoseconds: f64,
    floor_nanoseconds: f64,
    ratio: f64,
}

pub(crate) fn machine() -> Vec<(String, String)> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo");
    let processor = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split(':').nth(1));
    let fact = |name: &str, value: &str| (name.to_owned(), value.trim().to_owned());
    vec![
        fact("processor", processor.unwrap_or("unknown")),
        fact(
            "cores",
            &std::thread::available_parallelism().map_or(0, usize::from).to_string(),
        ),
        fact("kernel", &read("/proc/sys/kernel/osrelease")),
        fact(
            "load over 1, 5, 15 minutes, at the end",
            &read("/proc/loadavg")
                .split_whitespace()
                .take(3)
                .collect::<Vec<_>>()
                .join(", "),
        ),
        fact(
            "database",
            &format!(
                "SQLite {}, WAL, synchronous=NORMAL, pages of 8,192 bytes, batches of 1,024",
                rusqlite::version()
            ),
        ),
    ]
}

/// A rate in three digits: `1.23 M/s`.
pub(crate) fn rate(nanoseconds: f64) -> String {
    let rate = 1e9 / nanoseconds;
    match rate {
        1e6.. => format!("{:.2} M/s", rate / 1e6),
        1e3.. => format!("{:.1} k/s", rate / 1e3),
        _ => format!("{rate:.1} /s"),
    }
}

/// Prints the table, stage by stage, as Markdown.
pub(crate) fn table(rows: &[Row], algorithms: &str) {
    for (name, value) in machine() {
        println!("{name}: {value}  ");
    }
    println!("tree hash: {algorithms}\n");
    println!("| stage | size | rounds | a second | floor | by its floor | aim |");
    println!("|---|--:|--:|--:|--:|--:|---|");
    for stage in crate::stage::Stage::ALL {
        for row in rows.iter().filter(|row| row.stage == stage) {
            let aim = stage
                .aim()
                .filter(|_| row.size == 1 << 20)
                .map_or(String::new(), |aim| {
                    let word = if 1e9 / row.own >= aim { "met" } else { "missed" };
                    format!("{} {word}", rate(1e9 / aim))
                });
            let (name, size, rounds) = (stage.name(), row.size, row.rounds);
            println!(
                "| `{name}` | {size} | {rounds} | {} | {} | {:.2} | {aim} |",
                rate(row.own),
                rate(row.floor),
                row.ratio
            );
        }
    }
}

/// The JSON of all rows.
pub(crate) fn json(rows: &[Row], algorithms: &str) -> Result<String, Failure> {
    let line = |row: &Row| Line {
        stage: row.stage.name(),
        size: row.size,
        rounds: row.rounds,
        items: row.items,
        nanoseconds: row.own,
        floor_nanoseconds: row.floor,
        ratio: row.ratio,
    };
    let rows = rows.iter().map(line).collect();
    let document = Document {
        schema: "tagwise.mtcbench/1",
        algorithms,
        machine: machine(),
        rows,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
