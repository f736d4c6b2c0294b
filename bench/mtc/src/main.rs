//! A log of Merkle Tree Certificates, stage by stage: how many a second, and beside it the least that the stage could cost, measured in the
//! same round. `./x mtc` runs it.

mod floor;
mod html;
mod log;
mod measure;
mod report;
mod stage;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::stage::Stage;

/// An error of a run, in words.
type Failure = Box<dyn std::error::Error + Send + Sync>;

const EXAMPLES: &str = "\
Examples:
  ./x mtc                                       sizes of 1 to 2^20
  ./x mtc --sizes 1,1024,1048576 --seconds 2
  ./x mtc --stages root,proof_all --json mtc.json --html mtc.html

A stage's floor is what it cannot do without: the same hashes by the same library in a loop, the same bytes copied, the same rows through
prepared statements, the same signature verified.";

/// What a log of Merkle Tree Certificates does, stage by stage, each beside its floor.
#[derive(Debug, Parser)]
#[command(name = "mtcbench", bin_name = "./x mtc", after_help = EXAMPLES, max_term_width = 110)]
struct Args {
    /// Entries of the log; `2^20` is a power
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = size, default_value = "1,4,16,64,256,1024,2^12,2^14,2^16,2^18,2^20")]
    sizes: Vec<u64>,
    /// Hashes of the tree: the draft has one
    #[arg(long, value_name = "ALGO,...", value_delimiter = ',', value_parser = ["sha256"], default_value = "sha256")]
    algos: Vec<String>,
    /// Stages to run [default: all]
    #[arg(long, value_name = "STAGE,...", value_delimiter = ',')]
    stages: Vec<Stage>,
    /// Seconds for each size and stage, at least; three rounds in any case
    #[arg(long, value_name = "S", default_value_t = 0.5)]
    seconds: f64,
    /// Leave out database stages above this size
    #[arg(long, value_name = "N", value_parser = size, default_value = "2^18")]
    largest_database: u64,
    /// Write the results as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the results as a page with plots to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// A number, or a power of two as in `2^20`.
fn size(text: &str) -> Result<u64, String> {
    let power = text.strip_prefix("2^").map(|bits| {
        bits.parse()
            .ok()
            .filter(|bits| *bits <= 24)
            .map(|bits: u32| 1u64 << bits)
    });
    let number = power.unwrap_or_else(|| text.parse().ok());
    number
        .filter(|number| (1..=1 << 24).contains(number))
        .ok_or_else(|| "expected 1 to 2^24".to_owned())
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mtcbench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let stages = if args.stages.is_empty() {
        Stage::ALL.to_vec()
    } else {
        args.stages.clone()
    };
    let mut rows = Vec::new();
    for size in &args.sizes {
        let work = work::Work::new(*size)?;
        for stage in &stages {
            if stage.is_database() && *size > args.largest_database {
                continue;
            }
            eprintln!("{size} entries: {}", stage.name());
            rows.push(measure::measure(*stage, &work, args.seconds)?);
        }
    }
    let algorithms = args.algos.join(", ");
    report::table(&rows, &algorithms);
    if let Some(path) = &args.json {
        std::fs::write(path, report::json(&rows, &algorithms)?)?;
    }
    if let Some(path) = &args.html {
        std::fs::write(path, html::page(&rows, &algorithms)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    /// Every stage on small logs: what it does is right, or it ends in an error.
    #[test]
    fn all_stages() {
        for size in [1, 2, 3, 300] {
            let work = work::Work::new(size).unwrap();
            let rows: Vec<_> = Stage::ALL
                .iter()
                .map(|stage| measure::measure(*stage, &work, 0.0).unwrap())
                .collect();
            assert!(
                rows.iter()
                    .all(|row| row.own > 0.0 && row.ratio > 0.0 && row.rounds >= 3)
            );
            assert!(report::json(&rows, "sha256").unwrap().contains("\"stage\": \"root\""));
            let page = html::page(&rows, "sha256").unwrap();
            assert_eq!(page.matches("<svg").count(), Stage::ALL.len());
            assert!(!page.contains("NaN"));
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("2^20"), Ok(1 << 20));
        assert_eq!(size("7"), Ok(7));
        for wrong in ["", "0", "2^25", "x", "-1"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
