//! Reads the values of one kind from files: PEM, DER, archives and the other formats of `tagwise-input`.

use std::collections::VecDeque;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, vec};

use duckdb::arrow::compute::interleave;
use tagwise_codec::RuleSet;
use tagwise_columns::Kind;
use tagwise_columns::arrow_array::cast::AsArray as _;
use tagwise_columns::arrow_array::{Array, ArrayRef, Int64Array, StringArray, StructArray};
use tagwise_columns::arrow_schema::ArrowError;
use tagwise_input::contents::{Contents, ContentsKind};
use tagwise_input::{Content, Limits, Problem, ValueKind, find};

/// A value in a file, or a part of a file that is not readable.
pub(crate) struct Row {
    pub(crate) file: Arc<str>,
    /// The archive member.
    pub(crate) entry: Option<String>,
    /// The offset in the file or archive member, in bytes.
    pub(crate) offset: usize,
    pub(crate) line: Option<usize>,
    pub(crate) value: Result<Vec<u8>, Flaw>,
}

/// The reason why a part of a file is not readable, with the fields of the column `error`.
#[derive(Default)]
pub(crate) struct Flaw {
    kind: &'static str,
    path: Option<String>,
    offset: Option<usize>,
    clause: Option<&'static str>,
    rule: Option<&'static str>,
    message: String,
}

impl From<&Problem> for Flaw {
    fn from(problem: &Problem) -> Self {
        Self {
            kind: problem.code,
            path: Some(problem.path.clone()),
            offset: Some(problem.offset),
            clause: Some(problem.clause),
            rule: problem.rule,
            message: problem.message.clone(),
        }
    }
}

/// Returns the files that match a pattern, in the order of their names. The name of an existing file matches only that file.
///
/// # Errors
/// Returns an error if the pattern is malformed, if no file matches it, or if a folder cannot be read.
pub(crate) fn expand(pattern: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let literal = PathBuf::from(pattern);
    if literal.exists() {
        return Ok(vec![literal]);
    }
    let matches = glob::glob(pattern).map_err(|error| format!("malformed pattern \"{pattern}\": {error}"))?;
    let paths = matches.collect::<Result<Vec<_>, _>>()?;
    if paths.is_empty() {
        return Err(format!("no file matches \"{pattern}\"").into());
    }
    Ok(paths)
}

/// Reads one file after the other.
pub(crate) struct Reader {
    kind: Kind,
    paths: vec::IntoIter<PathBuf>,
    rules: RuleSet,
    /// The remaining rows of the current file.
    rows: VecDeque<Row>,
}

impl Reader {
    pub(crate) fn new(kind: Kind, paths: Vec<PathBuf>, rules: RuleSet) -> Self {
        Self { kind, paths: paths.into_iter(), rules, rows: VecDeque::new() }
    }

    /// Returns the next rows, at most `limit`, or none at the end.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub(crate) fn next(&mut self, limit: usize) -> Result<Vec<Row>, Box<dyn Error>> {
        while self.rows.is_empty()
            && let Some(path) = self.paths.next()
        {
            self.read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        }
        Ok(self.rows.drain(..limit.min(self.rows.len())).collect())
    }

    fn read(&mut self, path: &Path) -> Result<(), Box<dyn Error>> {
        if !fs::metadata(path)?.is_file() {
            return Err("not a regular file".into());
        }
        let octets = fs::read(path)?;
        let file: Arc<str> = path.to_string_lossy().into();
        let wanted = match self.kind {
            Kind::Certificate => return self.contents(&file, &octets, ContentsKind::Certificate),
            Kind::Crl => return self.contents(&file, &octets, ContentsKind::Crl),
            Kind::LogEntry => return self.contents(&file, &octets, ContentsKind::LogEntry),
            Kind::Request => ValueKind::CertificationRequest,
            Kind::Ocsp => ValueKind::OcspResponse,
            Kind::Cms => ValueKind::Cms,
            _ => return Err("an unsupported kind".into()),
        };
        let found = find(&octets, self.rules);
        for item in &found.items {
            let is_wanted = item.content == Content::Kind(wanted);
            let value = match &item.problem {
                Some(problem) => Err(problem.into()),
                None if is_wanted => Ok(item.der.to_vec()),
                None => continue,
            };
            let (entry, offset, line) = (item.entry.clone(), item.offset, item.line);
            self.rows.push_back(Row { file: file.clone(), entry, offset, line, value });
        }
        if found.items.is_empty() {
            self.nothing(&file, found.nothing(wanted.words(), octets.len()));
        }
        Ok(())
    }

    /// Adds the certificates, CRLs or log entries of a file, and then its unreadable parts.
    fn contents(&mut self, file: &Arc<str>, octets: &[u8], kind: ContentsKind) -> Result<(), Box<dyn Error>> {
        let contents = Contents::read(octets, &Limits::DEFAULT);
        let values = contents.items().filter(|item| item.kind == kind).map(|item| (item.place, Ok(item.der.to_vec())));
        let flaws = contents.failures().map(|failure| {
            let flaw = Flaw { kind: failure.code, message: failure.message.to_owned(), ..Flaw::default() };
            (failure.place, Err(flaw))
        });
        self.rows.extend(values.chain(flaws).map(|(place, value)| Row {
            file: file.clone(),
            entry: place.entry.map(str::to_owned),
            offset: place.offset,
            line: place.line,
            value,
        }));
        if contents.is_empty() && contents.failures().len() == 0 {
            self.nothing(file, find(octets, self.rules).nothing("certificates, CRLs or log entries", octets.len()));
        }
        Ok(())
    }

    /// Adds a row for a file without any value.
    fn nothing(&mut self, file: &Arc<str>, message: String) {
        let value = Err(Flaw { kind: "nothing-found", message, ..Flaw::default() });
        self.rows.push_back(Row { file: file.clone(), entry: None, offset: 0, line: None, value });
    }
}

/// Adds the reasons of unreadable parts to the column `error`.
///
/// # Errors
/// Returns an error if the column has unexpected fields, which is a defect.
pub(crate) fn with_flaws(errors: &ArrayRef, rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    if rows.iter().all(|row| row.value.is_ok()) {
        return Ok(errors.clone());
    }
    let text = |get: for<'f> fn(&'f Flaw) -> Option<&'f str>| -> ArrayRef {
        Arc::new(StringArray::from_iter(rows.iter().map(|row| row.value.as_ref().err().and_then(get))))
    };
    let offset = |row: &Row| i64::try_from(row.value.as_ref().err()?.offset?).ok();
    let column = |name: &str| -> Result<ArrayRef, ArrowError> {
        Ok(match name {
            "kind" => text(|flaw| Some(flaw.kind)),
            "path" => text(|flaw| flaw.path.as_deref()),
            "offset" => Arc::new(Int64Array::from_iter(rows.iter().map(offset))),
            "clause" => text(|flaw| flaw.clause),
            "rule" => text(|flaw| flaw.rule),
            "message" => text(|flaw| Some(&flaw.message)),
            name => return Err(ArrowError::SchemaError(format!("an error has no {name}"))),
        })
    };
    let fields = errors.as_struct().fields().clone();
    let columns = fields.iter().map(|field| column(field.name())).collect::<Result<Vec<_>, _>>()?;
    let flaws = StructArray::try_new(fields, columns, None)?;
    let source = |(index, row): (usize, &Row)| (usize::from(row.value.is_err()), index);
    let sources: Vec<(usize, usize)> = rows.iter().enumerate().map(source).collect();
    interleave(&[&**errors as &dyn Array, &flaws], &sources)
}
