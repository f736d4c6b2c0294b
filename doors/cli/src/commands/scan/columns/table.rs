//! Parquet and Arrow IPC files as inputs: one of their columns has the certificates or CRLs.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_ipc::reader::FileReader;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rayon::ThreadPool;
use rayon::prelude::*;
use tagwise_columns::arrow_array::{Array as _, ArrayRef, Int64Array, RecordBatch, StringArray};
use tagwise_columns::arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use tagwise_columns::{ColumnsError, Kernel};

use super::Job;
use super::manifest::Position;
use crate::shared::columns::{CHUNK, malformed as malformed_rows};
use crate::shared::files;
use crate::shared::outcome::{Outcome, unreadable};
use crate::shared::output::Failure;
use crate::shared::stores::sources::Source;

/// Returns the schema of the result: the file, the row in it, and the columns.
pub(super) fn schema(kernel: &Kernel) -> SchemaRef {
    let source = [("file", DataType::Utf8), ("row", DataType::Int64)];
    let source = source.into_iter().map(|(name, data_type)| Field::new(name, data_type, true).into());
    SchemaRef::from(Schema::new(source.chain(kernel.fields().iter().cloned()).collect::<Vec<_>>()))
}

/// Writes the columns for all rows of the files after the job's position. A file that cannot be read is reported, and does not end
/// the job.
pub(super) fn read(job: &mut Job<'_>, column: &str, pool: &ThreadPool, err: &mut dyn Write) -> Result<(), Failure> {
    // Each thread computes a chunk at a time.
    let rows = CHUNK.saturating_mul(pool.current_num_threads().max(1)).min(job.part_rows);
    for source in job.sources.get(job.position.files..).unwrap_or_default() {
        let name = source.name();
        let path = match source.path() {
            Ok(path) => path,
            Err(message) => {
                writeln!(err, "tagwise: {name}: {message}")?;
                job.outcome.unreadable = true;
                job.position = Position { files: job.position.files.saturating_add(1), items: 0 };
                continue;
            }
        };
        match batches(path, column, rows, job.position.items) {
            Ok(batches) => {
                for values in batches {
                    match values {
                        Ok(values) => write(job, pool, name, &values, rows)?,
                        Err(message) => {
                            writeln!(err, "tagwise: {name}: {message}")?;
                            job.outcome.negative = true;
                            break;
                        }
                    }
                }
            }
            Err(unread) => unread.report(name, &mut job.outcome, err)?,
        }
        job.position = Position { files: job.position.files.saturating_add(1), items: 0 };
    }
    Ok(())
}

/// Returns whether at least one of the files has the column.
pub(super) fn is_in_any(sources: &[Source], column: &str) -> bool {
    sources.iter().any(|source| source.path().is_ok_and(|path| batches(path, column, CHUNK, 0).is_ok()))
}

/// Reports why a file has no such column.
pub(super) fn report(source: &Source, column: &str, outcome: &mut Outcome, err: &mut dyn Write) -> io::Result<()> {
    let name = source.name();
    match source.path().map(|path| batches(path, column, CHUNK, 0)) {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(unread)) => unread.report(name, outcome, err),
        Err(message) => {
            outcome.unreadable = true;
            writeln!(err, "tagwise: {name}: {message}")
        }
    }
}

/// Writes the columns for a batch, and closes parts that are full.
fn write(job: &mut Job<'_>, pool: &ThreadPool, name: &str, values: &ArrayRef, most: usize) -> Result<(), Failure> {
    // A batch of an Arrow file may have any number of rows.
    let mut start = 0;
    while start < values.len() {
        let values = values.slice(start, most.max(1).min(job.rows_left()).min(values.len() - start));
        start += values.len();
        let first = job.position.items;
        let chunks: Vec<usize> = (0..values.len()).step_by(CHUNK).collect();
        let (kernel, schema) = (&job.kernel, &job.schema);
        let compute = |at: &usize| {
            let chunk = values.slice(*at, CHUNK.min(values.len() - at));
            columns(kernel, schema, name, first.saturating_add(*at), &chunk)
        };
        let batches = pool.install(|| chunks.par_iter().map(compute).collect());
        job.position.items = first.saturating_add(values.len());
        job.add(batches)?;
        job.close_if_full()?;
    }
    Ok(())
}

/// Computes the columns of rows that begin at a row of the file.
fn columns(
    kernel: &Kernel,
    schema: &SchemaRef,
    name: &str,
    first: usize,
    values: &ArrayRef,
) -> Result<(RecordBatch, usize), ColumnsError> {
    let (_, columns, _) = kernel.run(values)?.into_parts();
    let file: ArrayRef = Arc::new(StringArray::from_iter_values((0..values.len()).map(|_| name)));
    let rows = (first..first.saturating_add(values.len())).map(|row| i64::try_from(row).ok());
    let rows: ArrayRef = Arc::new(Int64Array::from_iter(rows));
    let malformed = malformed_rows(&columns);
    Ok((RecordBatch::try_new(schema.clone(), [file, rows].into_iter().chain(columns).collect())?, malformed))
}

/// The reason why a table was not read.
enum Unread {
    File(io::Error),
    Table(String),
}

impl Unread {
    fn report(&self, name: &str, outcome: &mut Outcome, err: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::File(error) => {
                outcome.unreadable = true;
                writeln!(err, "tagwise: {name}: {}", unreadable(error))
            }
            Self::Table(message) => {
                outcome.negative = true;
                writeln!(err, "tagwise: {name}: {message}")
            }
        }
    }
}

/// The values of a column, batch by batch, or an error message.
type Batches = Box<dyn Iterator<Item = Result<ArrayRef, String>>>;

/// Opens a file and returns the values of a column from a row on.
fn batches(path: &Path, column: &str, rows: usize, first: usize) -> Result<Batches, Unread> {
    let metadata = std::fs::metadata(path).map_err(Unread::File)?;
    files::no_device(path, &metadata).map_err(Unread::File)?;
    let mut file = File::open(path).map_err(Unread::File)?;
    let mut magic = [0; 6];
    let len = file.read(&mut magic).and_then(|len| file.rewind().map(|()| len)).map_err(Unread::File)?;
    match magic.get(..len).unwrap_or_default() {
        [b'P', b'A', b'R', b'1', ..] => parquet_batches(file, column, rows, first),
        b"ARROW1" => arrow_batches(file, column, first),
        _ => Err(Unread::Table("not a table: expected a Parquet or Arrow IPC file for --column".to_owned())),
    }
}

fn malformed(error: &dyn std::fmt::Display) -> String {
    format!("malformed or unsupported table: {error}")
}

/// Returns the index of a column.
fn index(schema: &Schema, column: &str) -> Result<usize, Unread> {
    schema.index_of(column).map_err(|_| {
        let names: Vec<&str> = schema.fields().iter().take(100).map(|field| field.name().as_str()).collect();
        Unread::Table(format!("no column \"{column}\", expected one of {}", names.join(", ")))
    })
}

fn parquet_batches(file: File, column: &str, rows: usize, first: usize) -> Result<Batches, Unread> {
    let table = |error| Unread::Table(malformed(&error));
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(table)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), [index(builder.schema(), column)?]);
    let reader = builder.with_projection(mask).with_batch_size(rows).with_offset(first).build().map_err(table)?;
    Ok(Box::new(reader.map(only_column)))
}

fn arrow_batches(file: File, column: &str, first: usize) -> Result<Batches, Unread> {
    let table = |error: ArrowError| Unread::Table(malformed(&error));
    let own = file.try_clone().map_err(Unread::File)?;
    let index = index(&FileReader::try_new_buffered(own, None).map_err(table)?.schema(), column)?;
    let reader = FileReader::try_new_buffered(file, Some(vec![index])).map_err(table)?;
    let mut skipped = first;
    Ok(Box::new(reader.map(only_column).filter_map(move |values| match values {
        Ok(values) if skipped >= values.len() => {
            skipped -= values.len();
            None
        }
        Ok(values) => {
            let rest = values.slice(skipped, values.len() - skipped);
            skipped = 0;
            Some(Ok(rest))
        }
        Err(message) => Some(Err(message)),
    })))
}

/// Returns the only column of a batch.
fn only_column(batch: Result<RecordBatch, ArrowError>) -> Result<ArrayRef, String> {
    let batch = batch.map_err(|error| malformed(&error))?;
    batch.columns().first().cloned().ok_or_else(|| "malformed or unsupported table: no column".to_owned())
}
