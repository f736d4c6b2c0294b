//! Output of a result: a table, a plot, CSV, JSON or a Parquet file, and a page.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::Style;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::writer::{JsonArray, LineDelimited, Writer, WriterBuilder};
use tagwise_cli::query::{Form, Part, PartFormat, Query};
use tagwise_cli::{Failure, Plot, csv_cell, deliver};
use unicode_width::UnicodeWidthStr;

use crate::sample::{Sample, cells};
use crate::{page, plot};

/// The number of rows whose widths set the widths of a table's columns.
const MEASURED: usize = 1000;
/// The maximum number of rows in a plot or page.
const SHOWN: usize = 10_000;

/// The output of a result.
pub(crate) struct Output<'w> {
    form: Sink<'w>,
    /// The page to write, with its first rows.
    page: Option<(PathBuf, Sample)>,
    plot: Option<Plot>,
    sql: &'w str,
    rows: usize,
}

enum Sink<'w> {
    Table(Table<'w>),
    Plot(Sample, &'w mut dyn Write),
    Csv(Box<csv::Writer<&'w mut dyn Write>>, Vec<bool>),
    Ndjson(Writer<&'w mut dyn Write, LineDelimited>),
    Json(Writer<&'w mut dyn Write, JsonArray>),
    Parquet(Box<Part>),
}

impl<'w> Output<'w> {
    /// Creates the output for a result with this schema.
    ///
    /// # Errors
    /// Returns an error if the result cannot be written in the requested form.
    pub(crate) fn new(query: &Query<'w>, schema: &SchemaRef, out: &'w mut dyn Write) -> Result<Self, Failure> {
        if schema.fields().is_empty() {
            return Err(Failure::usage("query: the result has no columns"));
        }
        let empty = Sample::new(schema, SHOWN);
        if query.plot.is_some() && empty.series().next().is_none() {
            return Err(Failure::usage("--plot: expected a first column of labels, then a column of numbers"));
        }
        let form = match query.form {
            Form::Table if query.plot.is_some() => Sink::Plot(Sample::new(schema, SHOWN), out),
            Form::Table => Sink::Table(Table::new(schema, query.color, out)),
            Form::Csv => {
                let mut writer = csv::Writer::from_writer(out);
                let names = empty.names.iter().map(|name| csv_cell(name).into_owned());
                writer.write_record(names).map_err(csv_failure)?;
                Sink::Csv(Box::new(writer), empty.is_number.clone())
            }
            Form::Ndjson => {
                without_duplicates(schema)?;
                Sink::Ndjson(json().build(out))
            }
            Form::Json => {
                without_duplicates(schema)?;
                Sink::Json(json().build(out))
            }
            Form::Parquet(path) => {
                without_duplicates(schema)?;
                Sink::Parquet(Box::new(Part::create(PartFormat::Parquet, path.to_owned(), schema, query.memory)?))
            }
        };
        let page = query.html.map(|path| (path.to_owned(), empty));
        Ok(Self { form, page, plot: query.plot, sql: query.sql, rows: 0 })
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        self.rows += batch.num_rows();
        if let Some((_, sample)) = &mut self.page {
            sample.add(batch).map_err(failure)?;
        }
        match &mut self.form {
            Sink::Table(table) => table.add(batch),
            Sink::Plot(sample, _) => sample.add(batch).map_err(failure),
            Sink::Csv(writer, is_number) => {
                for row in cells(batch).map_err(failure)? {
                    let row = row.into_iter().zip(&*is_number);
                    // A negative number is not a formula.
                    let row = row.map(|(cell, is_number)| if *is_number { cell } else { csv_cell(&cell).into_owned() });
                    writer.write_record(row).map_err(csv_failure)?;
                }
                Ok(())
            }
            Sink::Ndjson(writer) => writer.write(batch).map_err(failure),
            Sink::Json(writer) => writer.write(batch).map_err(failure),
            Sink::Parquet(part) => part.write(batch),
        }
    }

    /// Removes an unfinished file, after an error.
    pub(crate) fn discard(self) {
        if let Sink::Parquet(part) = self.form {
            part.discard();
        }
    }

    /// Ends the output, and returns the number of rows.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn finish(self, err: &mut dyn Write) -> Result<usize, Failure> {
        match self.form {
            Sink::Table(table) => table.finish()?,
            Sink::Plot(sample, out) => {
                out.write_all(plot::text(&sample, self.plot.unwrap_or(Plot::Bar)).as_bytes())?;
                more(&sample, "plot", err)?;
            }
            Sink::Csv(mut writer, _) => writer.flush()?,
            Sink::Ndjson(mut writer) => writer.finish().map_err(failure)?,
            Sink::Json(mut writer) => {
                writer.finish().map_err(failure)?;
                writeln!(writer.get_mut())?;
            }
            Sink::Parquet(part) => {
                part.finish()?;
            }
        }
        if let Some((path, sample)) = self.page {
            let page = page::page(self.sql, &sample, self.plot.unwrap_or(Plot::Bar));
            deliver(page.as_bytes(), Some(&path), false, &mut io::sink())?;
            more(&sample, "page", err)?;
        }
        Ok(self.rows)
    }
}

/// Reports rows that are not shown.
fn more(sample: &Sample, what: &str, err: &mut dyn Write) -> io::Result<()> {
    match sample.more {
        0 => Ok(()),
        more => writeln!(err, "tagwise: the {what} has the first {} rows, and omits {more}", sample.rows.len()),
    }
}

/// Returns an error if two columns have the same name, of which readers of JSON and Parquet lose one.
fn without_duplicates(schema: &Schema) -> Result<(), Failure> {
    let mut names = HashSet::new();
    match schema.fields().iter().find(|field| !names.insert(field.name())) {
        Some(field) => Err(Failure::usage(format!("duplicate column \"{}\": rename one with AS", field.name()))),
        None => Ok(()),
    }
}

fn json() -> WriterBuilder {
    WriterBuilder::new().with_explicit_nulls(true)
}

fn failure(error: ArrowError) -> Failure {
    match error {
        ArrowError::IoError(_, error) => Failure::Output(error),
        error => Failure::negative(format!("the result cannot be written: {error}")),
    }
}

fn csv_failure(error: csv::Error) -> Failure {
    let text = error.to_string();
    Failure::Output(match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    })
}

/// A table for people. The widths of its columns are those of its first rows.
struct Table<'w> {
    out: &'w mut dyn Write,
    color: bool,
    /// The first rows, until their widths are known.
    first: Sample,
    widths: Vec<usize>,
}

impl<'w> Table<'w> {
    fn new(schema: &Schema, color: bool, out: &'w mut dyn Write) -> Self {
        Self { out, color, first: Sample::new(schema, usize::MAX), widths: Vec::new() }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        if !self.widths.is_empty() {
            for row in cells(batch).map_err(failure)? {
                self.row(&row, Style::new())?;
            }
            return Ok(());
        }
        self.first.add(batch).map_err(failure)?;
        if self.first.rows.len() >= MEASURED { Ok(self.begin()?) } else { Ok(()) }
    }

    /// Measures the first rows, and writes them below the names of the columns.
    fn begin(&mut self) -> io::Result<()> {
        let names = std::mem::take(&mut self.first.names);
        let rows = std::mem::take(&mut self.first.rows);
        self.widths = names.iter().map(|name| name.width()).collect();
        for row in &rows {
            for (cell, width) in row.iter().zip(&mut self.widths) {
                *width = (*width).max(cell.width());
            }
        }
        if !names.is_empty() {
            self.row(&names, Style::new().dimmed())?;
        }
        rows.iter().try_for_each(|row| self.row(row, Style::new()))
    }

    fn row(&mut self, cells: &[String], style: Style) -> io::Result<()> {
        let mut line = String::new();
        for ((cell, width), is_number) in cells.iter().zip(&self.widths).zip(&self.first.is_number) {
            let pad = width.saturating_sub(cell.width());
            let (before, after) = if *is_number { (pad, 0) } else { (0, pad) };
            line.push_str(&format!("{:before$}{cell}{:after$}  ", "", ""));
        }
        let line = line.trim_end();
        if self.color { writeln!(self.out, "{style}{line}{style:#}") } else { writeln!(self.out, "{line}") }
    }

    fn finish(mut self) -> io::Result<()> {
        if self.widths.is_empty() { self.begin() } else { Ok(()) }
    }
}
