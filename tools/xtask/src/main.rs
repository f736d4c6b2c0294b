//! The commands of `./x`. Each prepares the machine, runs its steps and sums them up.

mod bench;
mod c;
mod changed;
mod cli;
mod count;
mod coverage;
mod duckdb;
mod fuzz;
mod generated;
mod imports;
mod install;
mod krb5;
mod layers;
mod lint;
mod locks;
mod manifests;
mod needs;
mod newcomer;
mod package;
mod peers;
mod project;
mod python;
mod quick;
mod runner;
mod sizes;
mod steps;
mod tests;
mod toy;
mod wasm;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::FromArgMatches as _;

use crate::cli::X;
use crate::project::{Project, Stop};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("x: {error:#}");
            ExitCode::from(error.downcast_ref::<Stop>().map_or(1, |stop| stop.0))
        }
    }
}

/// Parses the arguments and runs the command; whether everything passed.
fn run() -> Result<bool> {
    let arguments = cli::with_dashes(std::env::args_os().collect());
    let mut parser = X::parser();
    if arguments.len() < 2 {
        parser.print_help()?;
        return Ok(true);
    }
    let matches = parser.try_get_matches_from_mut(arguments).unwrap_or_else(|error| error.exit());
    X::from_arg_matches(&matches)?.run(&Project::new()?)
}
