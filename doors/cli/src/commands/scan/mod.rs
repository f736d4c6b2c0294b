//! `tagwise scan`: checks every certificate and CRL in files and folders, and prints a table, CSV, JSON lines or counts.

mod column_args;
#[cfg(feature = "columns")]
mod columns;
mod filter;
mod lines;
mod summary;
mod table;

use std::io::{self, Write};

use rayon::ThreadPool;
use rayon::prelude::*;
use tagwise_pkix::name::visible;
use tagwise_pkix::{UnixTime, lint};
use tagwise_store::ContentsItem;

pub use filter::{Filter, FilterError};
pub use lines::csv_cell;

use crate::shared::context::Context;
use crate::shared::moment::{moment, now};
use crate::shared::outcome::Outcome;
use crate::shared::output::{Failure as Ended, finish};
use crate::shared::stores::facts::{Facts, Judge};
use crate::shared::stores::{ReadFile, Said, SourceArgs, examine};
use summary::Summary;

pub(crate) const ABOUT: &str = "\
Check every certificate and CRL in files and folders, and every entry of Merkle Tree Certificate logs.

The form of a file is detected by its content: DER (one or more concatenated values), PEM, PKCS #7 bundles in BER, NSS's \
certdata.txt, CSV with a column of certificates in PEM, base64 or hexadecimal, entries of CT logs (get-entries in JSON, and tiles), entry bundles of Merkle Tree Certificate logs, \
tar, zip, gzip and zstd archives of any of these, hexadecimal (also as a dump), base64, base64 values in other text (Kubernetes manifests, LDIF, JSON, XML), Java keystores, and PKCS #12 files \
that need no password or that of --passphrase-file. Folders are searched recursively; links to folders are not followed, and FIFOs \
and devices are not opened.

If a keystore or an archive cannot be opened, the exit code is 1, unless --skip-unreadable is given.

Every byte is checked against DER and the profile of RFC 5280, as in `tagwise show`, and the SHA-256 fingerprint is computed. \
Unreadable parts are listed on standard error with their locations, and do not end the scan. The output does not depend on the number \
of threads.";

pub(crate) const EXAMPLES: &str = "\
Filters compare fields, and combine comparisons with & | ! and parentheses:
  key=rsa & bits<2048              small RSA keys
  expires<2027-01-01               certificates that expire before that day; also now, +30d, -1y, 2027, 2027-06
  subject~\"Amazon\" | dns~amazon    certificates with this text, ignoring case
  !strict & rule=named-bits        certificates that deviate from that rule
  Texts (= != ~ !~): subject issuer cn dns serial sha256 key curve signature status state error rule lint trust file entry
  Numbers (= != < <= > >=): bits version days size offset
  Times (= != < <= > >=): begins expires
  Flags: ca strict valid expired self_issued crl
  Every comparison with an absent or unknown number or time is false, such as with the size of an undecodable key.

Examples:
  tagwise scan /etc/ssl/certs                        a table
  tagwise scan --summary certdata.txt                counts by key, signature, validity, deviation
  tagwise scan --csv AllCertificates.csv.gz > out.csv
  tagwise scan --ndjson --filter 'ca & !strict' dir | jq .
  curl -s HOST/bundle.pem | tagwise scan -
  tagwise scan --parquet out --columns subject,not_after,san_dns dir
  tagwise scan --parquet out --column der in.parquet

Exit codes: 0 no findings; 1 something is malformed or deviates from a rule that --allow does not name, or nothing was found; 2 usage \
error; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// Print CSV, one line for each certificate or CRL; an apostrophe is put before text that a spreadsheet would read as a formula
    #[arg(long, conflicts_with_all = ["ndjson", "summary", "json"])]
    csv: bool,
    /// Print JSON lines (schema tagwise.scan/1)
    #[arg(long, conflicts_with_all = ["summary", "json"])]
    ndjson: bool,
    /// Print counts instead of a list
    #[arg(long)]
    summary: bool,
    /// Print counts as JSON (schema tagwise.scan-summary/1)
    #[arg(long)]
    json: bool,
    /// List only items that match this expression (see below)
    #[arg(short, long, value_name = "EXPRESSION")]
    filter: Option<String>,
    /// Run no lints
    #[arg(long)]
    no_lint: bool,
    /// Check validity at this time instead of now, such as 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
    #[command(flatten)]
    columns: column_args::ColumnArgs,
}

/// The number of certificates to keep in memory.
const WINDOW: usize = 16 * 1024;
const CHUNK: usize = 128;
/// The maximum number of lint findings to keep for one certificate or CRL.
const LINTS: usize = 100;

/// The destination of results.
enum Sink<'w> {
    Table(table::Table<'w>),
    Csv(Box<lines::Csv<'w>>),
    Json(lines::Json<'w>),
    Summary(Box<Summary>, &'w mut dyn Write),
}

impl ScanArgs {
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.scan(context, out, err);
        finish(done, err)
    }

    fn scan(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Ended> {
        if self.columns.is_requested() {
            return self.columns.scan(&self.sources, context, err);
        }
        let now = self.at.unwrap_or_else(now);
        let allowed = context.allowed.decoding;
        let filter = match &self.filter {
            Some(text) => {
                let filter = Filter::parse(text, now);
                Some(filter.map_err(|error| Ended::usage(format!("--filter, {}", visible(&error))))?)
            }
            None => None,
        };
        let lints = if self.no_lint { lint::Options::none() } else { lint::Options::all().limit(LINTS) };
        let judge = Judge { allowed, now, lints };
        let pool = self.sources.pool()?;
        let mut sink = if self.json || self.summary {
            Sink::Summary(Box::default(), out)
        } else if self.csv {
            Sink::Csv(Box::new(lines::Csv::new(out)?))
        } else if self.ndjson {
            Sink::Json(lines::Json::new(out)?)
        } else {
            Sink::Table(table::Table::new(out, context.color))
        };
        let mut outcome = Outcome::default();
        let mut skipped = self.sources.skipped();
        let mut matched = 0u64;
        let late = matches!(sink, Sink::Summary(..));
        self.sources.read(context, &pool, late, |files, progress| {
            for file in files {
                for said in examine(file, &mut skipped, &mut outcome) {
                    report(&mut sink, file.name, &said)?;
                    said.text(file.name, err)?;
                }
                if let (Sink::Summary(summary, _), Ok(contents)) = (&mut sink, &file.contents) {
                    summary.file(contents.form().name(), contents.others());
                }
            }
            each_window(files, |window| {
                let (sound, count) = take(&pool, &judge, filter.as_ref(), window, &mut sink)?;
                outcome.negative |= !sound;
                matched += count;
                progress.done(window.len());
                Ok(())
            })
        })?;
        if matched == 0 {
            outcome.negative = true;
            if !outcome.unreadable && filter.is_some() {
                writeln!(err, "tagwise: nothing matches the filter")?;
            }
        }
        match sink {
            Sink::Table(table) => table.finish()?,
            Sink::Csv(lines) => lines.finish()?,
            Sink::Json(_) => {}
            Sink::Summary(summary, out) if self.json => summary.json(out, &judge, &skipped)?,
            Sink::Summary(summary, out) => summary.text(out, context.color, &skipped)?,
        }
        Ok(outcome.code())
    }
}

/// Reports an unreadable part to the destination of results.
fn report(sink: &mut Sink<'_>, name: &str, said: &Said<'_>) -> io::Result<()> {
    match (sink, said) {
        (Sink::Json(lines), Said::Part(failure)) => lines.failure(name, failure)?,
        (Sink::Json(lines), Said::File(message)) => lines.unreadable(name, message)?,
        (Sink::Summary(summary, _), Said::Part(failure)) => summary.failure(name, failure),
        (Sink::Summary(summary, _), Said::File(message)) => summary.unreadable(name, message),
        _ => {}
    }
    Ok(())
}

/// Passes the items of files to a function in batches.
fn each_window<'f>(
    files: &'f [ReadFile<'f>],
    mut visit: impl FnMut(&[(&'f str, ContentsItem<'f>)]) -> io::Result<()>,
) -> io::Result<()> {
    let mut window = Vec::with_capacity(WINDOW.min(1024));
    for file in files {
        for item in file.items() {
            window.push((file.name, item));
            if window.len() == WINDOW {
                visit(&window)?;
                window.clear();
            }
        }
    }
    if window.is_empty() { Ok(()) } else { visit(&window) }
}

/// Checks items on all threads, and writes the results in order. Returns whether all are valid, and how many passed the filter.
fn take(
    pool: &ThreadPool,
    judge: &Judge,
    filter: Option<&Filter>,
    items: &[(&str, ContentsItem<'_>)],
    sink: &mut Sink<'_>,
) -> io::Result<(bool, u64)> {
    let passes = |facts: &Facts<'_>| filter.is_none_or(|filter| filter.passes(facts, judge));
    if let Sink::Summary(summary, _) = sink {
        let count = |chunk: &[(&str, ContentsItem<'_>)]| {
            let mut part = Summary::default();
            chunk
                .iter()
                .map(|(file, item)| judge.facts(file, *item))
                .filter(&passes)
                .for_each(|facts| part.add(&facts, judge));
            part
        };
        // In order: what is listed does not depend on the threads.
        let parts: Vec<Summary> = pool.install(|| items.par_chunks(CHUNK).map(count).collect());
        let mut result = (true, 0);
        for part in parts {
            result = (result.0 && part.is_sound(), result.1 + part.len());
            summary.merge(part);
        }
        return Ok(result);
    }
    let rows: Vec<Option<Facts<'_>>> = pool.install(|| {
        items
            .par_iter()
            .with_min_len(CHUNK)
            .map(|(file, item)| Some(judge.facts(file, *item)).filter(|facts| passes(facts)))
            .collect()
    });
    let mut result = (true, 0);
    for facts in rows.iter().flatten() {
        result = (result.0 && facts.sound, result.1 + 1);
        match sink {
            Sink::Table(table) => table.row(facts, judge)?,
            Sink::Csv(lines) => lines.row(facts, judge)?,
            Sink::Json(lines) => lines.row(facts, judge)?,
            Sink::Summary(..) => {}
        }
    }
    Ok(result)
}
