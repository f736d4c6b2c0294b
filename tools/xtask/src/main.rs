//! The parts of `./x` that are more than a list of commands. `./x` prepares the machine, calls them as steps and sums up.

mod changed;
mod count;
mod generated;
mod manifests;
mod runner;
mod sizes;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Called by ./x, which has the same things under shorter names.
#[derive(Parser)]
struct Args {
    /// The folder of the workspace.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// File for one line that the summary shows beside the step.
    #[arg(long)]
    note: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Packages of the workspace, a line each.
    Packages {
        /// Only those in crates/.
        #[arg(long)]
        crates: bool,
        /// Only those with a library.
        #[arg(long)]
        libraries: bool,
        /// Only these, of those that there are; one that is missing is an error.
        names: Vec<String>,
    },
    /// Packages whose files changed since the merge base, or are not committed.
    Changed,
    /// Packages that need one of these, directly or not, without themselves.
    Dependents {
        /// The packages that are needed.
        names: Vec<String>,
    },
    /// Workspaces beside the root's, a folder each.
    Sides,
    /// Builds the tests of a call of `cargo test` and runs the binaries side by side.
    Tests {
        /// Folder for logs and the list of skipped tests.
        #[arg(long)]
        scratch: PathBuf,
        /// Arguments of `cargo test`.
        #[arg(last = true)]
        cargo: Vec<String>,
    },
    /// Counts what a log of `cargo test` says, less what was skipped.
    Count {
        /// Folder with the log, `tests.log`, and the list of skipped tests, `skips`.
        scratch: PathBuf,
    },
    /// Checks what each manifest must declare.
    Manifests,
    /// Checks the length of source files.
    Sizes,
    /// Compares generated sources with what is checked in, or writes them.
    Generated {
        /// Only compares.
        #[arg(long)]
        check: bool,
        /// Folder for what is generated.
        #[arg(long)]
        scratch: PathBuf,
    },
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("x: {error:#}");
            ExitCode::from(3)
        }
    }
}

/// Whether all that was asked holds.
fn run(args: &Args) -> Result<bool> {
    let root = args.root.canonicalize()?;
    let lines = |lines: Vec<String>| {
        for line in lines {
            println!("{line}");
        }
        true
    };
    let (holds, note) = match &args.command {
        Command::Packages { crates, libraries, names } => {
            return Ok(lines(workspace::packages(&root, *crates, *libraries, names)?));
        }
        Command::Changed => return Ok(lines(changed::changed(&root)?)),
        Command::Dependents { names } => return Ok(lines(changed::dependents(&root, names)?)),
        Command::Sides => return Ok(lines(workspace::sides(&root)?)),
        Command::Tests { scratch, cargo } => runner::run(&root, scratch, cargo)?,
        Command::Count { scratch } => (true, count::note(scratch)?),
        Command::Manifests => (manifests::hold(&root)?, String::new()),
        Command::Sizes => sizes::hold(&root)?,
        Command::Generated { check, scratch } => generated::hold(&root, *check, scratch)?,
    };
    if let Some(path) = &args.note {
        std::fs::write(path, note)?;
    }
    Ok(holds)
}
