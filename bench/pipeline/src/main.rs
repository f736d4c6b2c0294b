//! All that a certificate authority does, stage by stage: `./x pipeline`.
//!
//! Each stage uses what a user of Tagwise has: the builders, the backends, the CA and its store. Beside it runs its floor, in the
//! same round: the bare signatures or verifications of the same octets with the same handles on the same threads, or the same
//! octets through prepared statements of the same database library. What a stage makes is checked outside of what is timed.

mod algorithm;
mod args;
mod authority;
mod check;
mod crypto;
mod database;
mod html;
mod keep;
mod machine;
mod measure;
mod peer;
mod report;
mod round;
mod run;
mod scaling;
mod stage;
mod table;
mod turns;
mod work;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

/// Why something does not go on.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match pipeline(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pipeline: {error}");
            let mut inner = error.source();
            while let Some(error) = inner {
                eprintln!("  because {error}");
                inner = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

fn pipeline(args: &args::Args) -> Result<(), Failure> {
    let report = run::all(args)?;
    let mut out = std::io::stdout().lock();
    out.write_all(table::render(&report).as_bytes())?;
    out.flush()?;
    if let Some(path) = &args.db {
        keep::keep(path, &report)?;
    }
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if let Some(path) = &args.html {
        std::fs::write(path, html::render(&report)?).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
