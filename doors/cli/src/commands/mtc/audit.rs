//! `tagwise mtc audit`.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tagwise_mtc_log::serve::Client;
use tagwise_mtc_log::{AuditError, AuditReport, AuditedEntry, Auditor, Error, Log, LogSource, Synchronous};
use tagwise_pkix::name::visible;

use super::common::{KnownLogArgs, check, document, failed, progress, refused};
use crate::shared::context::Context;
use crate::shared::files;
use crate::shared::output::{Access, Failure, name_of, write};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc audit http://127.0.0.1:8081/1 --ca ca.pem --state audit.txt
  tagwise mtc audit /srv/www/mtc/1 --ca ca.pem --name example.org
  tagwise mtc audit mtc.db --ca ca.pem

Every new entry is read, hashed and compared with the log's tiles, and the resulting root must be the one that the CA has signed. The \
state file stores the right edge of the tree. The next run continues from there, and detects a log that has changed its past.
Exit codes: 0 no findings; 1 the log is inconsistent; 2 usage error; 3 the log or a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct AuditArgs {
    /// The log: a URL with its number, a folder with its files, or its database
    #[arg(value_name = "SOURCE")]
    source: String,
    #[command(flatten)]
    known: KnownLogArgs,
    /// Store the state in this file, and continue from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Print entries with this DNS name or a subdomain; may be repeated
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Print JSON (schema tagwise.mtc/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    origin: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<String>,
    from: u64,
    to: u64,
    certificates: u64,
    nulls: u64,
    tiles: u64,
    found: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    index: u64,
    names: Vec<String>,
}

impl AuditArgs {
    fn source(&self) -> Result<Box<dyn LogSource>, Failure> {
        if self.source.contains("://") {
            let client = Client::new(&self.source);
            return client.map(|client| Box::new(client) as Box<dyn LogSource>).map_err(|error| refused(&error));
        }
        let path = Path::new(&self.source);
        if path.is_dir() {
            return Ok(Box::new(Folder(path.to_owned())));
        }
        let log = files::regular(path).map_err(|error| Failure::file(path, "read", &error));
        let log = log.and_then(|()| Log::open(path, Synchronous::Full).map_err(|error| failed(path, &error)));
        log.map(|log| Box::new(log) as Box<dyn LogSource>)
    }

    fn auditor(&self, context: &Context) -> Result<Auditor, Failure> {
        let mut known = self.known.read(context)?;
        let key = known.keys.pop().ok_or_else(|| Failure::negative("the CA has no key"))?;
        let fresh = Auditor::new(known.origin, key);
        let Some(path) = self.state.as_ref().filter(|path| path.exists()) else { return Ok(fresh) };
        let octets = files::regular(path).and_then(|()| context.load(path));
        let octets = octets.map_err(|error| Failure::file(path, "read", &error))?;
        let kept = String::from_utf8(octets).map_err(|_not_utf8| AuditError::State);
        let kept = kept.and_then(|text| Auditor::from_state(&text));
        let kept = kept.map_err(|error| refused(&format!("{}: {error}", name_of(path))))?;
        match (kept.origin(), kept.key()) == (fresh.origin(), fresh.key()) {
            true => Ok(kept),
            false => Err(refused(&format!("{}: the state belongs to a different log or CA", name_of(path)))),
        }
    }

    fn wanted(&self, name: &str) -> bool {
        self.name.iter().any(|wanted| {
            let below = name.len().checked_sub(wanted.len()).and_then(|at| name.split_at_checked(at));
            below.is_some_and(|(front, end)| {
                end.eq_ignore_ascii_case(wanted) && (front.is_empty() || front.ends_with('.'))
            })
        })
    }

    pub(super) fn audit(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let source = self.source()?;
        let mut auditor = self.auditor(context)?;
        let from = auditor.size();
        let bar = progress(0, "entries audited");
        let mut found = Vec::new();
        let mut see = |entry: AuditedEntry<'_>| {
            bar.set_length(entry.index.saturating_add(1));
            bar.set_position(entry.index.saturating_add(1));
            if self.name.is_empty() {
                return;
            }
            // Unreadable names match nothing; the entry itself was decoded before.
            let names = entry.dns_names().unwrap_or_default();
            if names.iter().any(|name| self.wanted(name)) {
                found.push(Found { index: entry.index, names });
            }
        };
        let done = auditor.follow(&*source, &check(), &mut see);
        bar.finish_and_clear();
        let (report, finding) = match done {
            Ok(report) => (report, None),
            Err(AuditError::Source(error)) => {
                let code = if matches!(error, Error::Format(_)) { 1 } else { 3 };
                return Err(Failure::Said(code, format!("{}: {}", visible(&self.source), visible(&error))));
            }
            Err(finding) => (AuditReport { from, to: from, ..AuditReport::default() }, Some(finding.to_string())),
        };
        if let (None, Some(path)) = (&finding, &self.state) {
            let kept = write(path, auditor.state().as_bytes(), Access::Public);
            kept.map_err(|error| Failure::file(path, "written", &error))?;
        }
        let code = u8::from(finding.is_some());
        let AuditReport { from, to, certificates, nulls, tiles } = report;
        if self.json {
            let status = if finding.is_some() { "broken" } else { "good" };
            let origin = auditor.origin().to_owned();
            document("audit", &Document { origin, status, finding, from, to, certificates, nulls, tiles, found }, out)?;
            return Ok(code);
        }
        for Found { index, names } in &found {
            writeln!(out, "entry {index}: {}", visible(&names.join(", ")))?;
        }
        match finding {
            Some(finding) => writeln!(err, "tagwise: {}: {}", auditor.origin(), visible(&finding))?,
            None => writeln!(
                out,
                "{}: good: entries {from} to {to}, {certificates} certificates, {nulls} null entries, {tiles} tiles",
                auditor.origin()
            )?,
        }
        Ok(code)
    }
}

/// A folder with a log's files.
struct Folder(PathBuf);

impl LogSource for Folder {
    fn get(&self, path: &str) -> Result<Vec<u8>, Error> {
        self.0.as_path().get(path)
    }
}
