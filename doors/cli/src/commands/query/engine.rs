//! The interface between the command and the engine of queries.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::files::Files;
use super::{Plot, QueryArgs};
use crate::shared::context::Context;
use crate::shared::output::Failure;

/// A function that answers a query, writes the result to the first writer, messages to the second, and returns the exit code.
pub type Engine = fn(&Query<'_>, &mut dyn Write, &mut dyn Write) -> Result<u8, Failure>;

/// The engine of this program, which is set once, before the command runs.
static ENGINE: OnceLock<Engine> = OnceLock::new();

/// Sets the engine. Later calls have no effect.
pub(crate) fn set(engine: Engine) {
    let _ = ENGINE.set(engine);
}

pub(super) fn get() -> Option<Engine> {
    ENGINE.get().copied()
}

/// A query.
#[derive(Debug)]
pub struct Query<'q> {
    /// The query in SQL.
    pub sql: &'q str,
    /// The files to read.
    pub files: Files,
    /// The names and files of other tables.
    pub tables: &'q [(String, PathBuf)],
    /// The form of the result.
    pub form: Form<'q>,
    /// The page to write.
    pub html: Option<&'q Path>,
    /// The kind of plot to draw.
    pub plot: Option<Plot>,
    /// The limit of the engine's memory, in bytes.
    pub memory: usize,
    /// True if standard output is colored.
    pub color: bool,
}

/// The form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form<'q> {
    /// A table for people, or a plot.
    Table,
    /// CSV (RFC 4180).
    Csv,
    /// An object on each line.
    Ndjson,
    /// An array of objects.
    Json,
    /// A Parquet file.
    Parquet(&'q Path),
}

impl QueryArgs {
    pub(super) fn query(&self, context: &Context) -> Result<Query<'_>, Failure> {
        let form = match &self.parquet {
            Some(path) => Form::Parquet(path),
            None if self.csv => Form::Csv,
            None if self.ndjson => Form::Ndjson,
            None if self.json => Form::Json,
            None => Form::Table,
        };
        Ok(Query {
            sql: &self.sql,
            files: Files::new(&self.sources, context, self.partial, self.memory)?,
            tables: &self.table,
            form,
            html: self.html.as_deref(),
            plot: self.plot,
            memory: self.memory.get().saturating_mul(1 << 20),
            color: context.color,
        })
    }
}
