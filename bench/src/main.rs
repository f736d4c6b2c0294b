//! Times Tagwise beside its peers; see the library for how, and `--help` for the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    ExitCode::from(tagwise_bench::cli::run(&args))
}
