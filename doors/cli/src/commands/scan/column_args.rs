//! The options of `tagwise scan` for columns, which every build accepts.
//!
//! A build without the feature `columns` starts the program `tagwise-query`, which has the same commands with columns.

#[cfg(not(feature = "columns"))]
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueEnum;

#[cfg(not(feature = "columns"))]
use crate::shared::context::Context;
#[cfg(not(feature = "columns"))]
use crate::shared::output::Failure;
#[cfg(not(feature = "columns"))]
use crate::shared::stores::SourceArgs;

/// The options for columns.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Columns")]
pub(crate) struct ColumnArgs {
    /// Write columns to Parquet files in this folder; if interrupted, repeat the command to continue
    #[arg(long, value_name = "FOLDER", conflicts_with_all = OTHERS)]
    pub(super) parquet: Option<PathBuf>,
    /// Write columns to Arrow IPC files in this folder; if interrupted, repeat the command to continue
    #[arg(long, value_name = "FOLDER", conflicts_with_all = OTHERS, conflicts_with = "parquet")]
    pub(super) arrow: Option<PathBuf>,
    /// Objects to write
    #[arg(long, value_enum, default_value_t = Rows::Certificates, requires = "columns_output")]
    pub(super) rows: Rows,
    /// Names of the columns, comma-separated [default: all but der]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "columns_output")]
    pub(super) columns: Vec<String>,
    /// Read this column of Parquet and Arrow IPC files, with DER, PEM or base64; the result has their rows in the same order
    #[arg(long, value_name = "NAME", requires = "columns_output", conflicts_with = "unique")]
    pub(super) column: Option<String>,
    /// Write each distinct certificate or CRL once
    #[arg(long, requires = "columns_output")]
    pub(super) unique: bool,
    /// Keep the readable columns of malformed rows
    #[arg(long, requires = "columns_output")]
    pub(super) partial: bool,
    /// Start a new file after this many rows
    #[arg(long, value_name = "N", default_value = "1000000", requires = "columns_output")]
    pub(super) part_rows: NonZeroUsize,
    /// Limit the memory for columns to about this many mebibytes
    #[arg(long, value_name = "MIB", default_value = "256", requires = "columns_output")]
    pub(super) memory: NonZeroUsize,
    /// The output of columns, if it is requested.
    #[command(flatten)]
    output: Output,
}

/// The options that select other results than columns.
const OTHERS: [&str; 5] = ["csv", "ndjson", "summary", "json", "filter"];

/// The group of the options that select columns.
#[derive(Debug, clap::Args)]
#[group(id = "columns_output", args = ["parquet", "arrow"])]
struct Output {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Rows {
    /// Certificates
    Certificates,
    /// CRLs, with their entries as a list
    Crls,
    /// Entries of Merkle Tree Certificate logs
    LogEntries,
}

impl ColumnArgs {
    /// Returns whether columns are requested.
    pub(super) const fn is_requested(&self) -> bool {
        self.parquet.is_some() || self.arrow.is_some()
    }
}

#[cfg(not(feature = "columns"))]
impl ColumnArgs {
    /// Runs the program `tagwise-query` with the arguments of this process.
    pub(super) fn scan(&self, _: &SourceArgs, _: &Context, _: &mut dyn std::io::Write) -> Result<u8, Failure> {
        crate::shared::program::run(OsStr::new("tagwise-query"), "columns")
    }
}
