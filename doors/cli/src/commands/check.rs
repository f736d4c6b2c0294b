//! `tagwise check`: finds certificates that have expired, expire soon, or are not yet valid.

mod html;
mod monitoring;
mod revocation;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use rayon::prelude::*;
use serde::ser::{Serialize, SerializeMap, Serializer};
use tagwise_codec::Decode;
use tagwise_codec::text::hex::Hex;
use tagwise_path::Pool;
use tagwise_pkix::name::Name;
use tagwise_pkix::{CertificateList, UnixTime};
use tagwise_show::render::json;
use tagwise_show::{short_name_of, short_name_of_certificate};
use tagwise_store::{ContentsItem, ContentsKind, Record};

use crate::shared::context::Context;
use crate::shared::moment::{moment, now, span};
use crate::shared::outcome::Outcome;
use crate::shared::output::{Failure, deliver, finish};
use crate::shared::remote::ConnectArgs;
use crate::shared::stores::{Skipped, SourceArgs, complain, place, place_text};
use crate::shared::web::{FetchArgs, Fetched};

use revocation::Waiting;

pub(crate) const ABOUT: &str = "\
Find certificates that have expired, expire soon, or are not yet valid.

Files and folders are read as by `tagwise scan`, including PKCS #12 files, Java keystores, Kubernetes secrets and archives. Files \
without a result are counted by reason. If a keystore or an archive cannot be opened, the exit code is 1, unless --skip-unreadable is \
given; with --strict, it is 1 for every file without a result. Of a server, tls://HOST:PORT, the certificates that it sends are checked.

Each certificate that is not valid for the whole period is listed on a line, and so is each CRL whose next update is due. With \
--fetch, so is each certificate that is revoked, or whose status is not known, according to the OCSP responders and CRLs that it names. \
Its issuer is looked up among the files, and otherwise fetched. At most 64 requests are sent. Nothing \
else is checked: `tagwise verify` validates paths.

--format nagios prints one line with performance data, and exits with the codes of monitoring plugins: 0 OK, 1 WARNING (expires within \
--expires-within, or something is malformed), 2 CRITICAL (expired, revoked, not yet valid, or expires within --critical-within), 3 \
UNKNOWN, also for usage errors. --format openmetrics prints the validity of every certificate, for Prometheus' textfile collector.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise check /etc/ssl/certs
  tagwise check --expires-within 30d server.pem || mail -s 'renew' root
  tagwise check --at 2030-01-01 certdata.txt         certificates that will have expired by then
  tagwise check --json --expires-within 2w dir | jq .
  tagwise check --expires-within 30d tls://www.example.org:443
  tagwise check --fetch /etc/ssl/private                      also the revocation status
  tagwise check --format nagios --expires-within 30d --critical-within 7d /etc/ssl/private
  tagwise check --format openmetrics /etc/ssl > /var/lib/node_exporter/certificates.prom
  tagwise check --html report.html --strict /etc/ssl
  tagwise check --passphrase-file secret.txt /etc/tomcat      including PKCS #12 files

Exit codes: 0 all are valid for that long; 1 some are not, something is malformed, or a keystore or archive cannot be opened; 2 usage error; 3 \
a file could not be read; 4 with --fetch, a revocation status is not known.";

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// Also list what expires within this time: 30d, 12h, 2w, 90m, 1y; days without a unit
    #[arg(long, value_name = "SPAN", value_parser = span, default_value = "0d", aliases = ["within", "expiring-within", "warning"])]
    expires_within: Duration,
    /// With --format nagios, what expires within this time is critical
    #[arg(long, value_name = "SPAN", value_parser = span, default_value = "0d", alias = "critical")]
    critical_within: Duration,
    /// Fail if any file has no result
    #[arg(long, conflicts_with = "skip_unreadable")]
    strict: bool,
    /// Check only the first certificate of each file
    #[arg(long)]
    first: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Print JSON (schema tagwise.check/1): --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Also write a report with a timeline of all certificates to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    connect: ConnectArgs,
    #[command(flatten)]
    fetching: FetchArgs,
    /// Check validity at this time instead of now, such as 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A line for each finding
    Text,
    /// JSON (schema tagwise.check/1)
    Json,
    /// One line and the exit codes of Nagios plugins
    Nagios,
    /// Metrics in OpenMetrics' text format
    Openmetrics,
}

/// A certificate or CRL that was checked.
struct Seen {
    place: String,
    name: String,
    is_crl: bool,
    sha256: Option<String>,
    from: UnixTime,
    until: Option<UnixTime>,
    answer: Answer,
    /// The revocation status, if it is a finding.
    revocation: Option<String>,
}

/// The results of a run.
struct Report<'r> {
    seen: &'r [Seen],
    counts: &'r Counts,
    skipped: &'r Skipped,
    outcome: Outcome,
    now: UnixTime,
    within: Duration,
    critical: Duration,
    /// True if revocation was checked.
    is_fetched: bool,
}

/// A finding about validity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Valid,
    Expired,
    ExpiresSoon,
    NotYetValid,
    Revoked,
    /// The revocation status is not known.
    Unknown,
}

impl Answer {
    const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expired => "expired",
            Self::ExpiresSoon => "expires-soon",
            Self::NotYetValid => "not-yet-valid",
            Self::Revoked => "revoked",
            Self::Unknown => "revocation-unknown",
        }
    }
}

/// The validity of a certificate or CRL.
struct Validity<'a> {
    subject: Name<'a>,
    fingerprint: Option<[u8; 32]>,
    from: UnixTime,
    /// The end of validity, which is optional in a CRL.
    until: Option<UnixTime>,
}

impl Validity<'_> {
    fn answer(&self, now: UnixTime, within: Duration) -> Answer {
        let until = self.until.unwrap_or(UnixTime::MAX);
        if now < self.from {
            Answer::NotYetValid
        } else if now > until {
            Answer::Expired
        } else if now.saturating_add(within) > until {
            Answer::ExpiresSoon
        } else {
            Answer::Valid
        }
    }
}

fn validity<'a>(item: &ContentsItem<'a>) -> Result<Validity<'a>, tagwise_codec::Error> {
    if item.kind == ContentsKind::Certificate {
        let record = Record::read(item.der)?;
        return Ok(Validity {
            subject: record.subject(item.der),
            fingerprint: Some(*record.fingerprint()),
            from: record.not_before(),
            until: Some(record.not_after()),
        });
    }
    let list = CertificateList::outline(item.der)?.tbs_cert_list;
    let until = list.next_update.map(|time| time.unix());
    Ok(Validity { subject: list.issuer, fingerprint: None, from: list.this_update.unix(), until })
}

/// Counts of findings.
#[derive(Default)]
struct Counts {
    checked: u64,
    expired: u64,
    soon: u64,
    early: u64,
    revoked: u64,
    unknown: u64,
}

impl Counts {
    /// Counts a finding.
    const fn add(&mut self, answer: Answer) {
        let counter = match answer {
            // A status that is not known is counted beside the other findings.
            Answer::Valid | Answer::Unknown => return,
            Answer::Expired => &mut self.expired,
            Answer::ExpiresSoon => &mut self.soon,
            Answer::NotYetValid => &mut self.early,
            Answer::Revoked => &mut self.revoked,
        };
        *counter = counter.saturating_add(1);
    }
}

impl CheckArgs {
    pub(crate) fn run(mut self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        self.sources.servers = Some(self.connect.clone());
        if self.json {
            self.format = Format::Json;
        }
        let done = self.check(context, out, err);
        let is_nagios = self.format == Format::Nagios;
        // A monitor that could not check does not know.
        let done = done.map_err(|failure| match failure {
            Failure::Said(_, text) if is_nagios => Failure::Said(monitoring::UNKNOWN, text),
            failure => failure,
        });
        finish(done, err)
    }

    fn check(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let now = self.at.unwrap_or_else(now);
        let pool = self.sources.pool()?;
        let mut outcome = Outcome::default();
        let mut counts = Counts::default();
        let mut skipped = self.sources.skipped();
        let mut rows: Vec<serde_json::Value> = Vec::new();
        let mut seen = Vec::new();
        let mut fetcher = self.fetching.fetcher(context, self.connect.timeout(), self.at)?;
        let (mut waiting, mut issuers, mut log) = (Vec::new(), Pool::new(), Vec::new());
        let wants_all = self.html.is_some() || matches!(self.format, Format::Nagios | Format::Openmetrics);
        self.sources.read(context, &pool, self.format != Format::Text, |files, progress| {
            complain(files, &mut skipped, &mut outcome, err)?;
            let limit = if self.first { 1 } else { usize::MAX };
            // A log also keeps the entries of expired certificates.
            let is_wanted = |item: &ContentsItem<'_>| match item.kind {
                ContentsKind::Certificate => true,
                ContentsKind::Crl => !self.first,
                ContentsKind::LogEntry => false,
            };
            let items: Vec<(&str, ContentsItem<'_>)> = files
                .iter()
                .flat_map(|file| file.items().filter(is_wanted).take(limit).map(|item| (file.name, item)))
                .collect();
            let read: Vec<_> = pool.install(|| items.par_iter().map(|(_, item)| validity(item)).collect());
            progress.done(items.len());
            for ((file, item), validity) in items.iter().zip(&read) {
                let validity = match validity {
                    Ok(validity) => validity,
                    Err(error) => {
                        outcome.negative = true;
                        skipped.add_malformed(file, &item.place, error);
                        writeln!(err, "tagwise: {}: {error}", place_text(file, &item.place))?;
                        continue;
                    }
                };
                counts.checked += 1;
                let answer = validity.answer(now, self.expires_within);
                let row = Row { file, item, validity, answer, now };
                let is_listed = answer != Answer::Valid;
                let is_certificate = item.kind == ContentsKind::Certificate;
                if is_certificate && fetcher.is_some() {
                    // A certificate that does not decode cannot be an issuer.
                    let _ = issuers.add(item.der);
                    if matches!(answer, Answer::Valid | Answer::ExpiresSoon) {
                        let json = self.json_of(&row)?;
                        waiting.push(Waiting { seen: row.seen(), json, der: item.der.to_vec() });
                        continue;
                    }
                }
                counts.add(answer);
                if is_listed {
                    outcome.negative = true;
                    match self.format {
                        Format::Json => rows.push(self.json_of(&row)?),
                        Format::Text => row.seen().text(now, out, context.color)?,
                        Format::Nagios | Format::Openmetrics => {}
                    }
                }
                if wants_all {
                    seen.push(row.seen());
                }
            }
            Ok(())
        })?;
        for mut one in waiting {
            if let Some(fetcher) = &mut fetcher {
                let is_unknown = one.judge(context, fetcher, &mut issuers, &mut log)?;
                counts.unknown += u64::from(is_unknown);
                outcome.undecided |= is_unknown;
            }
            let Waiting { seen: one, json, .. } = one;
            counts.add(one.answer);
            match one.answer {
                Answer::Valid | Answer::Unknown => {}
                _ => outcome.negative = true,
            }
            if one.answer != Answer::Valid {
                match self.format {
                    Format::Json => rows.push(json),
                    Format::Text => one.text(now, out, context.color)?,
                    Format::Nagios | Format::Openmetrics => {}
                }
            }
            if wants_all {
                seen.push(one);
            }
        }
        // Unless it was said of each.
        if counts.checked == 0 && !outcome.unreadable && !outcome.negative {
            outcome.negative = true;
            writeln!(err, "tagwise: {}: no certificate or CRL found", self.sources.names())?;
        }
        if self.strict && skipped.counts().next().is_some() {
            outcome.negative = true;
        }
        let (within, critical) = (self.expires_within, self.critical_within);
        let is_fetched = fetcher.is_some();
        let report =
            Report { seen: &seen, counts: &counts, skipped: &skipped, outcome, now, within, critical, is_fetched };
        if let Some(path) = &self.html {
            deliver(html::page(&report).as_bytes(), Some(path), false, out)?;
        }
        match self.format {
            Format::Nagios => return Ok(monitoring::nagios(&report, out)?),
            Format::Openmetrics => monitoring::openmetrics(&report, out)?,
            Format::Json => {
                let fetched = fetcher.is_some().then_some(log.as_slice());
                json::write(out, &Document { counts: &counts, skipped: &skipped, rows: &rows, fetched, now, within })?
            }
            Format::Text => {
                counts.text(out, now.saturating_add(within), &skipped)?;
                skipped.text(out)?;
                if self.strict && skipped.counts().next().is_some() {
                    out.flush()?;
                    writeln!(err, "tagwise: files were skipped, which --strict does not permit")?;
                }
            }
        }
        Ok(outcome.code())
    }

    /// Returns a finding in JSON, if that is the format.
    fn json_of(&self, row: &Row<'_>) -> io::Result<serde_json::Value> {
        match self.format {
            Format::Json => serde_json::to_value(row).map_err(io::Error::other),
            _ => Ok(serde_json::Value::Null),
        }
    }
}

impl Counts {
    /// Writes the summary. `all` would be wrong if something could not be read.
    fn text(&self, out: &mut dyn Write, until: UnixTime, skipped: &Skipped) -> io::Result<()> {
        let parts = [
            (self.expired, "expired"),
            (self.soon, "expiring soon"),
            (self.early, "not yet valid"),
            (self.revoked, "revoked"),
            (self.unknown, "of unknown revocation status"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let parts = parts.collect::<Vec<_>>().join(", ");
        let malformed = match skipped.malformed() {
            0 => String::new(),
            count => format!("; {count} malformed"),
        };
        if self.checked == 0 {
            return if malformed.is_empty() { Ok(()) } else { writeln!(out, "none checked{malformed}") };
        }
        if parts.is_empty() {
            let all = if skipped.is_loss() { "" } else { "all " };
            writeln!(out, "{all}{} valid at least until {until}{malformed}", self.checked)
        } else {
            writeln!(out, "{parts}, of {}{malformed}", self.checked)
        }
    }
}

struct Row<'r> {
    file: &'r str,
    item: &'r ContentsItem<'r>,
    validity: &'r Validity<'r>,
    answer: Answer,
    now: UnixTime,
}

impl Seen {
    /// Returns the finding as text.
    fn words(&self, now: UnixTime) -> String {
        let until = self.until.unwrap_or(UnixTime::MAX);
        match (self.answer, self.is_crl) {
            (Answer::Expired, true) => format!("overdue by {}", days(now.since(until))),
            (Answer::Expired, false) => format!("expired {} ago", days(now.since(until))),
            (Answer::Revoked, _) => "revoked".to_owned(),
            (Answer::Unknown, _) => "revocation not known".to_owned(),
            (Answer::NotYetValid, _) => format!("valid in {}", days(self.from.since(now))),
            _ if self.until.is_none() => "no end".to_owned(),
            _ => format!("expires in {}", days(until.since(now))),
        }
    }

    /// Writes the finding on a line.
    fn text(&self, now: UnixTime, out: &mut dyn Write, color: bool) -> io::Result<()> {
        let style = match (color, self.answer) {
            (false, _) => Style::new(),
            (true, Answer::Expired | Answer::Revoked) => AnsiColor::Red.on_default(),
            (true, _) => AnsiColor::Yellow.on_default(),
        };
        let revocation = match (&self.revocation, self.answer) {
            (Some(text), Answer::ExpiresSoon) => format!("  (revocation not known: {text})"),
            (Some(text), _) => format!("  ({text})"),
            (None, _) => String::new(),
        };
        writeln!(out, "{style}{:<22}{style:#}  {}  {}{revocation}", self.words(now), self.title(), self.place)
    }

    /// Returns the display name. For a CRL, it includes the kind.
    fn title(&self) -> String {
        format!("{}{}", if self.is_crl { "CRL of " } else { "" }, self.name)
    }
}

impl Row<'_> {
    fn seen(&self) -> Seen {
        let name = match self.item.kind {
            ContentsKind::Crl if self.validity.subject.is_empty() => "an issuer without a name".to_owned(),
            ContentsKind::Crl => short_name_of(&self.validity.subject),
            _ => short_name_of_certificate(self.item.der),
        };
        Seen {
            place: place_text(self.file, &self.item.place),
            name,
            is_crl: self.item.kind == ContentsKind::Crl,
            sha256: self.validity.fingerprint.map(|octets| Hex(&octets).to_string()),
            from: self.validity.from,
            until: self.validity.until,
            answer: self.answer,
            revocation: None,
        }
    }
}

/// Formats a span of time in days, or in hours if it is short.
fn days(span: Option<Duration>) -> String {
    let seconds = span.unwrap_or_default().as_secs();
    let (count, unit) = if seconds >= 172_800 { (seconds / 86_400, "day") } else { (seconds / 3600, "hour") };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time = |moment: UnixTime| moment.civil().map(|time| time.to_string()).ok();
        let mut map = serializer.serialize_map(None)?;
        place(&mut map, self.file, &self.item.place)?;
        map.serialize_entry("kind", if self.item.kind == ContentsKind::Crl { "crl" } else { "certificate" })?;
        map.serialize_entry("sha256", &self.validity.fingerprint.map(|octets| Hex(&octets).to_string()))?;
        map.serialize_entry("name", &self.validity.subject.rfc4514().extended().to_string())?;
        map.serialize_entry("status", self.answer.name())?;
        map.serialize_entry("not_before", &time(self.validity.from))?;
        map.serialize_entry("not_after", &self.validity.until.and_then(time))?;
        map.serialize_entry("seconds_left", &self.validity.until.map(|until| until.0.saturating_sub(self.now.0)))?;
        map.end()
    }
}

struct Document<'d> {
    counts: &'d Counts,
    skipped: &'d Skipped,
    rows: &'d [serde_json::Value],
    /// The requests of `--fetch`, if that is enabled.
    fetched: Option<&'d [Fetched]>,
    now: UnixTime,
    within: Duration,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", "tagwise.check/1")?;
        map.serialize_entry("tool", concat!("tagwise ", env!("CARGO_PKG_VERSION")))?;
        map.serialize_entry("at", &self.now.to_string())?;
        map.serialize_entry("within_seconds", &self.within.as_secs())?;
        map.serialize_entry("checked", &self.counts.checked)?;
        map.serialize_entry("expired", &self.counts.expired)?;
        map.serialize_entry("expires_soon", &self.counts.soon)?;
        map.serialize_entry("not_yet_valid", &self.counts.early)?;
        if let Some(fetched) = self.fetched {
            map.serialize_entry("revoked", &self.counts.revoked)?;
            map.serialize_entry("revocation_unknown", &self.counts.unknown)?;
            map.serialize_entry("fetched", fetched)?;
        }
        map.serialize_entry("malformed", &self.skipped.malformed())?;
        map.serialize_entry("malformed_files", self.skipped.malformed_files())?;
        self.skipped.entries(&mut map)?;
        map.serialize_entry("certificates", self.rows)?;
        map.end()
    }
}
