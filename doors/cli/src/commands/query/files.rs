//! The files of a query. Each use of a table reads them again, and decodes only the requested columns.

use std::collections::HashSet;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;
use tagwise_columns::arrow_array::RecordBatch;
use tagwise_columns::arrow_schema::SchemaRef;
use tagwise_columns::{ColumnsError, Kernel, Kind, Options, PLACE};
use tagwise_input::{Content, ValueKind, find};
use tagwise_pkix::name::visible;
use tagwise_store::{ContentsKind, ContentsPlace};

use crate::shared::columns::{self, CHUNK, Row};
use crate::shared::context::Context;
use crate::shared::outcome::Outcome;
use crate::shared::output::{Failure, VisibleWriter};
use crate::shared::parts_read::place_text;
use crate::shared::stores::sources::ReadFile;
use crate::shared::stores::{Skipped, SourceArgs, examine};

/// The maximum number of rows to decode at once.
const WINDOW: usize = 16 * 1024;
/// The maximum size of these rows in bytes. Columns take several times as much.
const WINDOW_OCTETS: usize = 16 << 20;

/// Files with certificates, CRLs and messages. Copies share their outcome.
#[derive(Clone, Debug)]
pub struct Files {
    sources: Arc<SourceArgs>,
    common: Arc<Common>,
}

#[derive(Debug)]
struct Common {
    context: Context,
    pool: ThreadPool,
    partial: bool,
    /// The maximum size of rows that are decoded at once, in bytes.
    octets: usize,
    state: Mutex<State>,
}

/// The state of all readers.
#[derive(Debug)]
struct State {
    outcome: Outcome,
    skipped: Skipped,
    /// The names of files whose errors were reported. A query may read a file several times.
    reported: HashSet<String>,
    /// True if standard input was read, which has no second time.
    is_input_read: bool,
}

/// The reason why reading ends early.
enum End {
    /// The query needs no more rows.
    Enough,
    Failed(Failure),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// The receiver of batches. It returns false if it needs no more.
type Receiver<'r> = &'r mut dyn FnMut(RecordBatch) -> bool;

impl Files {
    pub(super) fn new(
        sources: &SourceArgs,
        context: &Context,
        partial: bool,
        memory: NonZeroUsize,
    ) -> Result<Self, Failure> {
        let state = State {
            outcome: Outcome::default(),
            skipped: sources.skipped(),
            reported: HashSet::new(),
            is_input_read: false,
        };
        let common = Common {
            context: context.clone(),
            pool: sources.pool()?,
            partial,
            octets: memory.get().saturating_mul((1 << 20) / 16).min(WINDOW_OCTETS),
            state: Mutex::new(state),
        };
        Ok(Self { sources: Arc::new(sources.with_paths(sources.paths.clone())), common: Arc::new(common) })
    }

    /// Returns other files, which are read with the same options.
    #[must_use]
    pub fn with_paths(&self, paths: Vec<PathBuf>) -> Self {
        Self { sources: Arc::new(self.sources.with_paths(paths)), common: Arc::clone(&self.common) }
    }

    /// Returns whether there are any paths.
    #[must_use]
    pub fn is_named(&self) -> bool {
        !self.sources.paths.is_empty()
    }

    /// Returns what reading has found so far.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.state().outcome
    }

    /// Returns the schema of the table for a kind of value: the place of each row, all columns, and the error.
    ///
    /// # Errors
    /// Returns an error if the kernel rejects its own columns, which is a defect.
    pub fn schema(&self, kind: Kind) -> Result<SchemaRef, Failure> {
        let names: Vec<&str> = kind.columns().iter().map(|column| column.name()).collect();
        Ok(columns::schema(&self.kernel(kind, &names)?))
    }

    /// Reads all rows of a kind, and passes them to `send` in batches with the columns of `schema`, which are some of those of
    /// [`Files::schema`]. Ends when `send` returns false.
    ///
    /// Files that cannot be read, and malformed parts, are reported on standard error and in the outcome.
    ///
    /// # Errors
    /// Returns an error if standard input is read twice, or if a batch cannot be computed.
    pub fn read(&self, kind: Kind, schema: &SchemaRef, send: Receiver<'_>) -> Result<(), Failure> {
        if self.sources.paths.iter().any(|path| path.as_os_str() == "-") {
            let mut state = self.state();
            if std::mem::replace(&mut state.is_input_read, true) {
                return Err(Failure::usage("a query can read standard input only once; save it to a file"));
            }
        }
        let is_column = |name: &&str| *name != "error" && PLACE.iter().all(|(place, _)| place != name);
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).filter(is_column).collect();
        let kernel = self.kernel(kind, &names)?;
        let reader = Reader { files: self, kernel: &kernel, schema };
        let done = match kind {
            Kind::Certificate => reader.contents(ContentsKind::Certificate, send),
            Kind::Crl => reader.contents(ContentsKind::Crl, send),
            Kind::LogEntry => reader.contents(ContentsKind::LogEntry, send),
            Kind::Request => reader.messages(ValueKind::CertificationRequest, send),
            Kind::Ocsp => reader.messages(ValueKind::OcspResponse, send),
            Kind::Cms => reader.messages(ValueKind::Cms, send),
            _ => Err(End::Failed(Failure::usage(format!("unsupported table \"{}\"", kind.name())))),
        };
        match done {
            Ok(()) | Err(End::Enough) => Ok(()),
            Err(End::Failed(failure)) => Err(failure),
        }
    }

    fn kernel(&self, kind: Kind, names: &[&str]) -> Result<Kernel, Failure> {
        let Common { context, partial, .. } = &*self.common;
        let options = Options::default().rules(context.allowed.decoding).partial(*partial).plain(true);
        Kernel::new(kind, names, options).map_err(|error| Failure::usage(error.to_string()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.common.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports the unreadable parts of a file, once.
    fn report(&self, file: &ReadFile<'_>) -> io::Result<()> {
        let mut state = self.state();
        let State { outcome, skipped, reported, .. } = &mut *state;
        if !reported.insert(file.name.to_owned()) {
            return Ok(());
        }
        let said = examine(file, skipped, outcome);
        said.iter().try_for_each(|said| said.text(file.name, &mut VisibleWriter(io::stderr())))
    }
}

/// Reads the rows of a table.
struct Reader<'r> {
    files: &'r Files,
    kernel: &'r Kernel,
    schema: &'r SchemaRef,
}

impl Reader<'_> {
    /// Reads certificates, CRLs or log entries.
    fn contents(&self, kind: ContentsKind, send: Receiver<'_>) -> Result<(), End> {
        let Files { sources, common } = self.files;
        let mut end = None;
        let done = sources.read(&common.context, &common.pool, true, |files, progress| {
            let mut run = || -> Result<(), End> {
                let (mut rows, mut octets) = (Vec::new(), 0);
                for file in files {
                    self.files.report(file)?;
                    for item in file.items() {
                        progress.done(1);
                        if item.kind != kind {
                            continue;
                        }
                        octets += item.der.len();
                        rows.push(Row { file: file.name, place: item.place, der: item.der });
                        if rows.len() >= WINDOW || octets >= common.octets {
                            self.send(&rows, send)?;
                            rows.clear();
                            octets = 0;
                        }
                    }
                }
                self.send(&rows, send)
            };
            run().map_err(|reason| {
                end = Some(reason);
                io::Error::other("reading ends early")
            })
        });
        match (end, done) {
            (Some(end), _) => Err(end),
            (None, done) => done.map_err(End::Failed),
        }
    }

    /// Reads messages: all values of a kind in each file.
    fn messages(&self, wanted: ValueKind, send: Receiver<'_>) -> Result<(), End> {
        let Files { sources, common } = self.files;
        for source in sources.list() {
            let octets = match sources.read_one(&common.context, &source) {
                Ok(octets) => octets,
                Err(message) => {
                    self.complain(source.name(), &message, |outcome| outcome.unreadable = true);
                    continue;
                }
            };
            let found = find(&octets, common.context.allowed.decoding);
            let mut rows = Vec::new();
            for item in &found.items {
                let place = ContentsPlace { entry: item.entry.as_deref(), offset: item.offset, line: item.line };
                if let Some(problem) = &item.problem {
                    let text = place_text(source.name(), &place);
                    let message = format!("{} ({})", visible(&problem.message), problem.code);
                    self.complain(&text, &message, |outcome| outcome.negative = true);
                } else if item.content == Content::Kind(wanted) {
                    rows.push(Row { file: source.name(), place, der: &item.der });
                }
            }
            if rows.is_empty() && source.is_named() {
                let message = found.nothing(wanted.words(), octets.len());
                self.complain(source.name(), &message, |outcome| outcome.negative = true);
            }
            for rows in rows.chunks(WINDOW) {
                self.send(rows, send)?;
            }
        }
        Ok(())
    }

    /// Reports an error of a file or part, once.
    fn complain(&self, place: &str, message: &str, record: impl FnOnce(&mut Outcome)) {
        let mut state = self.files.state();
        record(&mut state.outcome);
        let line = format!("tagwise: {place}: {message}");
        if state.reported.insert(line.clone()) {
            use io::Write as _;
            let _ = writeln!(VisibleWriter(io::stderr()), "{line}");
        }
    }

    /// Computes the columns of rows on all threads, and passes them on in order.
    fn send(&self, rows: &[Row<'_>], send: Receiver<'_>) -> Result<(), End> {
        let compute = |rows: &[Row<'_>]| columns::batch(self.kernel, self.schema, rows);
        let batches: Vec<Result<(RecordBatch, usize), ColumnsError>> =
            self.files.common.pool.install(|| rows.par_chunks(CHUNK).map(compute).collect());
        for batch in batches {
            let (batch, malformed) = batch.map_err(|error| End::Failed(Failure::negative(error.to_string())))?;
            self.files.state().outcome.negative |= malformed > 0;
            if !send(batch) {
                return Err(End::Enough);
            }
        }
        Ok(())
    }
}
