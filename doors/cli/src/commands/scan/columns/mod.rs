//! Columns of certificates, CRLs or log entries in Parquet or Arrow files: `tagwise scan --parquet FOLDER`.
//!
//! The result is a folder of parts and a manifest. A part is complete when the manifest names it, so that a killed command loses
//! only the part that it was writing, and the same command continues after the last complete part.

mod manifest;
mod table;

use std::collections::HashSet;
use std::io::Write;

use rayon::ThreadPool;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use tagwise_codec::RuleSet;
use tagwise_columns::arrow_array::RecordBatch;
use tagwise_columns::arrow_schema::{Schema, SchemaRef};
use tagwise_columns::{ColumnsError, Kernel, Kind, Options};
use tagwise_store::{ContentsItem, ContentsKind};

use super::column_args::{ColumnArgs, Rows};
use crate::shared::columns::part::{Format, Part};
use crate::shared::columns::{self, CHUNK, Row};
use crate::shared::context::Context;
use crate::shared::outcome::Outcome;
use crate::shared::output::{Failure, name_of};
use crate::shared::stores::sources::Source;
use crate::shared::stores::{SourceArgs, examine};
use manifest::{Header, Manifest, Position};

/// The maximum number of rows in memory.
const WINDOW: usize = 64 * 1024;

impl ColumnArgs {
    pub(super) fn scan(&self, sources: &SourceArgs, context: &Context, err: &mut dyn Write) -> Result<u8, Failure> {
        let (format, folder) = match (&self.parquet, &self.arrow) {
            (Some(folder), _) => (Format::Parquet, folder),
            (None, Some(folder)) => (Format::Arrow, folder),
            (None, None) => return Err(Failure::usage("no output, expected --parquet or --arrow")),
        };
        let kind = match self.rows {
            Rows::Certificates => Kind::Certificate,
            Rows::Crls => Kind::Crl,
            Rows::LogEntries => Kind::LogEntry,
        };
        let kernel = self.kernel(kind, context.allowed.decoding)?;
        let pool = sources.pool()?;
        let list = sources.list();
        let header = Header {
            format,
            rows: kind.name().to_owned(),
            columns: kernel.fields().iter().map(|field| field.name().clone()).collect(),
            column: self.column.clone(),
            unique: self.unique,
            partial: self.partial,
            paths: sources.paths.iter().map(|path| path.display().to_string()).collect(),
        };
        // Without a readable column, no result is written, not even an empty one.
        if let Some(column) = &self.column
            && !list.is_empty()
            && !table::is_in_any(&list, column)
        {
            let mut outcome = Outcome::default();
            for source in &list {
                table::report(source, column, &mut outcome, err)?;
            }
            return Ok(outcome.code());
        }
        let manifest = Manifest::open(folder, header)?;
        manifest.check(&list)?;
        let earlier = manifest.outcome();
        if earlier != Outcome::default() {
            let name = name_of(folder);
            writeln!(err, "tagwise: an earlier run reported errors in its inputs; delete {name} to read them again")?;
        }
        if manifest.is_complete() {
            return Ok(self.end(&manifest, earlier, err)?);
        }
        let start = manifest.position();
        let mut job = Job {
            kernel,
            kind: match self.rows {
                Rows::Certificates => ContentsKind::Certificate,
                Rows::Crls => ContentsKind::Crl,
                Rows::LogEntries => ContentsKind::LogEntry,
            },
            seen: if self.unique { Some(manifest.seen()?) } else { None },
            schema: SchemaRef::from(Schema::empty()),
            part: None,
            manifest,
            sources: &list,
            position: start,
            part_rows: self.part_rows.get(),
            memory: self.memory.get().saturating_mul(1 << 20),
            outcome: earlier,
        };
        if let Some(column) = &self.column {
            job.schema = table::schema(&job.kernel);
            table::read(&mut job, column, &pool, err)?;
            job.end()?;
            return Ok(self.end(&job.manifest, job.outcome, err)?);
        }
        job.schema = columns::schema(&job.kernel);
        let mut skipped = sources.skipped();
        let mut failed = None;
        let rest = list.get(start.files..).unwrap_or_default();
        sources
            .read_list(context, &pool, true, rest, |files, progress| {
                let mut run = || -> Result<(), Failure> {
                    let mut window = Window::default();
                    for file in files {
                        for said in examine(file, &mut skipped, &mut job.outcome) {
                            said.text(file.name, err)?;
                        }
                        for item in file.items().skip(job.position.items) {
                            job.position.items += 1;
                            window.add(file.name, item, job.kind);
                            if job.is_full(&window) {
                                progress.done(window.taken);
                                job.write(&pool, std::mem::take(&mut window))?;
                            }
                        }
                        job.position = Position { files: job.position.files.saturating_add(1), items: 0 };
                    }
                    progress.done(window.taken);
                    job.write(&pool, window)
                };
                run().map_err(|failure| {
                    failed = Some(failure);
                    std::io::Error::other("columns could not be written")
                })
            })
            .map_err(|error| failed.take().unwrap_or(error))?;
        job.end()?;
        Ok(self.end(&job.manifest, job.outcome, err)?)
    }

    fn kernel(&self, kind: Kind, allowed: RuleSet) -> Result<Kernel, Failure> {
        let options = Options::default().rules(allowed).partial(self.partial).plain(true);
        if self.columns.is_empty() {
            let names: Vec<&str> =
                kind.columns().iter().map(|column| column.name()).filter(|name| *name != "der").collect();
            Kernel::new(kind, &names, options)
        } else {
            Kernel::new(kind, &self.columns, options)
        }
        .map_err(|error| Failure::usage(format!("--columns: {error}")))
    }

    /// Reports the totals, and returns the exit code.
    fn end(&self, manifest: &Manifest, mut outcome: Outcome, err: &mut dyn Write) -> std::io::Result<u8> {
        let (rows, malformed) = manifest.totals();
        let files = match manifest.parts() {
            1 => "1 file".to_owned(),
            files => format!("{files} files"),
        };
        writeln!(err, "tagwise: wrote {rows} rows in {files}, {malformed} of them malformed")?;
        outcome.negative |= malformed > 0 || rows == 0;
        Ok(outcome.code())
    }
}

/// The state of the conversion.
struct Job<'j> {
    kernel: Kernel,
    kind: ContentsKind,
    /// The fingerprints of all rows so far, if each is written once.
    seen: Option<HashSet<[u8; 32]>>,
    schema: SchemaRef,
    part: Option<Part>,
    manifest: Manifest,
    sources: &'j [Source],
    /// The position after the rows that were passed to the part.
    position: Position,
    part_rows: usize,
    memory: usize,
    /// The errors in the inputs up to the position, including those of earlier runs.
    outcome: Outcome,
}

/// Rows in memory.
#[derive(Default)]
struct Window<'f> {
    rows: Vec<Row<'f>>,
    /// The number of items, including those that are not rows.
    taken: usize,
    octets: usize,
}

impl<'f> Window<'f> {
    fn add(&mut self, file: &'f str, item: ContentsItem<'f>, kind: ContentsKind) {
        self.taken += 1;
        if item.kind == kind {
            self.octets += item.der.len();
            self.rows.push(Row { file, place: item.place, der: item.der });
        }
    }
}

impl Job<'_> {
    fn is_full(&self, window: &Window<'_>) -> bool {
        // Columns take several times the space of the encoding.
        window.taken >= WINDOW || window.rows.len() >= self.rows_left() || window.octets > self.memory / 16
    }

    /// Returns the number of rows that fit into the part, at least 1. Parts end at the same rows in interrupted and
    /// continued runs.
    fn rows_left(&self) -> usize {
        self.part_rows.saturating_sub(self.part.as_ref().map_or(0, Part::rows)).max(1)
    }

    /// Writes the rows up to the current position.
    fn write(&mut self, pool: &ThreadPool, window: Window<'_>) -> Result<(), Failure> {
        let mut rows = window.rows;
        let mut prints: Vec<[u8; 32]> = Vec::new();
        if let Some(seen) = &mut self.seen {
            let all: Vec<[u8; 32]> =
                pool.install(|| rows.par_iter().map(|row| Sha256::digest(row.der).into()).collect());
            let fresh: Vec<bool> = all.iter().map(|print| seen.insert(*print)).collect();
            prints.extend(all.iter().zip(&fresh).filter(|(_, fresh)| **fresh).map(|(print, _)| *print));
            let mut keep = fresh.into_iter();
            rows.retain(|_| keep.next() == Some(true));
        }
        // The writer cannot be shared among threads.
        let (kernel, schema) = (&self.kernel, &self.schema);
        let batches =
            pool.install(|| rows.par_chunks(CHUNK).map(|rows| columns::batch(kernel, schema, rows)).collect());
        self.add(batches)?;
        if let Some(part) = &mut self.part {
            part.prints.append(&mut prints);
        }
        self.close_if_full()
    }

    /// Adds batches of columns to the part, each with its number of malformed rows.
    fn add(&mut self, batches: Vec<Result<(RecordBatch, usize), ColumnsError>>) -> Result<(), Failure> {
        for batch in batches {
            let (batch, malformed) = batch.map_err(|error| Failure::negative(error.to_string()))?;
            let part = self.part()?;
            part.write(&batch)?;
            part.malformed += malformed;
        }
        Ok(())
    }

    /// Returns the part, which is created if there is none.
    fn part(&mut self) -> Result<&mut Part, Failure> {
        let part = match self.part.take() {
            Some(part) => part,
            None => self.manifest.part(&self.schema, self.memory)?,
        };
        Ok(self.part.insert(part))
    }

    fn close_if_full(&mut self) -> Result<(), Failure> {
        if self.part.as_ref().is_some_and(|part| part.rows() >= self.part_rows) { self.close() } else { Ok(()) }
    }

    /// Ends the result. If there are no rows, it is one part with the schema, which readers of datasets require.
    fn end(&mut self) -> Result<(), Failure> {
        if self.manifest.parts() == 0 {
            self.part()?;
        }
        self.close()?;
        self.manifest.complete(self.outcome, self.sources)
    }

    /// Ends the part, and records it.
    fn close(&mut self) -> Result<(), Failure> {
        let Some(part) = self.part.take() else { return Ok(()) };
        self.manifest.close(part, self.position, self.outcome, self.sources)
    }
}
