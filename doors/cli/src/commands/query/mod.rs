//! `tagwise query`: answers a query in SQL over certificates, CRLs and messages in files.
//!
//! The options are here, so that every build has their help. The program `tagwise-query` has the engine, DataFusion, and passes it to
//! [`main_with`](crate::main_with). Builds without it start that program.

#[cfg(feature = "columns")]
pub(crate) mod engine;
#[cfg(feature = "columns")]
pub(crate) mod files;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::shared::context::Context;
use crate::shared::output::{Failure, finish};
use crate::shared::program;
use crate::shared::stores::SourceArgs;

pub(crate) const ABOUT: &str = "\
Answer a query in SQL over certificates, CRLs and messages.

The files can have every form that `tagwise scan` reads. They are the tables certificates, crls, crl_entries, requests, ocsp and cms. \
Each row begins with the columns file, entry, offset and line, which locate it, and ends with the column error, which is null unless the \
row is malformed. The guide lists the other columns. Only columns that the query names are decoded, but every byte is checked.

The SQL is that of DataFusion. It can only read: CREATE, INSERT, COPY and SET are errors. Table functions with the names of the tables, except \
crl_entries, read other files: certificates('*.pem').

The program tagwise-query has the engine. `tagwise query` starts it.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise query \"SELECT subject, not_after FROM certificates WHERE is_ca ORDER BY not_after\" /etc/ssl/certs
  tagwise query \"SELECT key_type, count(*) AS n FROM certificates GROUP BY 1 ORDER BY n DESC\" --plot bar certs.zip
  tagwise query \"SELECT file, error['kind'] FROM certificates WHERE error IS NOT NULL\" --csv folder
  tagwise query \"SELECT reason, count(*) FROM crl_entries GROUP BY reason\" ca.crl
  tagwise query \"SELECT count(*) FROM certificates('a/*.pem') a JOIN certificates('b/*.pem') b ON a.sha256 = b.sha256\"
  tagwise query \"SELECT owner, subject FROM certificates JOIN owners ON encode(sha256, 'hex') = owners.sha256\" --table owners=owners.csv dir
  tagwise query \"DESCRIBE certificates\" cert.pem

Exit codes: 0 success; 1 the result has no rows, or something that was read is malformed; 2 usage error, such as an error in the SQL; 3 a file \
could not be read or written; 4 the query needs more memory than --memory permits.";

/// The name of the program with the engine.
const PROGRAM: &str = "tagwise-query";

#[derive(Debug, clap::Args)]
#[command(mut_arg("paths", |paths| paths.required(false)))]
pub(crate) struct QueryArgs {
    /// Query in SQL
    #[arg(value_name = "SQL")]
    pub(crate) sql: String,
    #[command(flatten)]
    pub(crate) sources: SourceArgs,
    /// Add a table from a CSV, TSV, NDJSON, Parquet or Arrow IPC file; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = table)]
    pub(crate) table: Vec<(String, PathBuf)>,
    /// Print CSV; an apostrophe is put before text that a spreadsheet would read as a formula
    #[arg(long, conflicts_with_all = ["ndjson", "json", "parquet", "plot"])]
    pub(crate) csv: bool,
    /// Print JSON lines, one object for each row
    #[arg(long, conflicts_with_all = ["json", "parquet", "plot"])]
    pub(crate) ndjson: bool,
    /// Print a JSON array with an object for each row
    #[arg(long, conflicts_with_all = ["parquet", "plot"])]
    pub(crate) json: bool,
    /// Write the result to this Parquet file
    #[arg(long, value_name = "FILE", conflicts_with = "plot")]
    pub(crate) parquet: Option<PathBuf>,
    /// Also write a page with a plot and a table to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Draw a plot: labels from the first column, values from the columns of numbers after it
    #[arg(long, value_name = "KIND")]
    pub(crate) plot: Option<Plot>,
    /// Keep the readable columns of malformed rows
    #[arg(long)]
    pub(crate) partial: bool,
    /// Limit the memory for sorting, grouping and joining to this many mebibytes
    #[arg(long, value_name = "MIB", default_value = "1024")]
    pub(crate) memory: NonZeroUsize,
}

/// A kind of plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Plot {
    /// A bar for each row
    Bar,
    /// A line for each column of numbers
    Line,
}

/// Parses the name and file of a table.
fn table(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_owned(), PathBuf::from(file))),
        _ => Err("expected NAME=FILE".to_owned()),
    }
}

impl QueryArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.answer(context, out, err);
        finish(done, err)
    }

    #[cfg(feature = "columns")]
    fn answer(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        match engine::get() {
            Some(engine) => engine(&self.query(context)?, out, err),
            None => program::run(OsStr::new(PROGRAM), "queries"),
        }
    }

    #[cfg(not(feature = "columns"))]
    fn answer(&self, _: &Context, _: &mut dyn Write, _: &mut dyn Write) -> Result<u8, Failure> {
        program::run(OsStr::new(PROGRAM), "queries")
    }
}
