//! `tagwise check`: finds certificates that have expired, expire soon, or are not yet valid.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use rayon::prelude::*;
use serde::ser::{Serialize, SerializeMap, Serializer};
use tagwise_codec::Decode;
use tagwise_codec::text::hex::Hex;
use tagwise_pkix::name::Name;
use tagwise_pkix::{CertificateList, UnixTime};
use tagwise_show::render::json;
use tagwise_show::{short_name_of, short_name_of_certificate};
use tagwise_store::{Item, Kind, Record};

use crate::shared::moment::{duration, moment, now};
use crate::shared::outcome::Outcome;
use crate::shared::output::{Failure, finish};
use crate::shared::stores::{Skipped, SourceArgs, complain, place, place_text};

pub(crate) const ABOUT: &str = "\
Find certificates that have expired, expire soon, or are not yet valid.

Files and folders are read as by `tagwise scan`, including PKCS #12 files, Java keystores, Kubernetes secrets and archives. Files \
without a result are counted by reason. If a keystore cannot be opened, the exit code is 1, unless --skip-unreadable is given.

Each certificate that is not valid for the whole period is listed on a line, and so is each CRL whose next update is due. Nothing \
else is checked.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise check /etc/ssl/certs
  tagwise check --expires-within 30d server.pem || mail -s 'renew' root
  tagwise check --at 2030-01-01 certdata.txt         certificates that will have expired by then
  tagwise check --json --expires-within 2w dir | jq .
  tagwise check --passphrase-file secret.txt /etc/tomcat      including PKCS #12 files

Exit codes: 0 all are valid for that long; 1 some are not, something is malformed, or a keystore cannot be opened; 2 usage error; 3 \
a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// Also list what expires within this time: 30d, 12h, 2w, 90m, 1y
    #[arg(long, value_name = "SPAN", value_parser = span, default_value = "0d")]
    expires_within: Duration,
    /// Print JSON (schema tagwise.check/1)
    #[arg(long)]
    json: bool,
    /// Check validity at this time instead of now, such as 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
}

fn span(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| "expected a duration of the form 30d, 12h, 2w, 90m or 1y".to_owned())
}

/// A finding about validity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Valid,
    Expired,
    ExpiresSoon,
    NotYetValid,
}

impl Answer {
    const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expired => "expired",
            Self::ExpiresSoon => "expires-soon",
            Self::NotYetValid => "not-yet-valid",
        }
    }
}

/// The validity of a certificate or CRL.
struct Validity<'a> {
    subject: Name<'a>,
    fingerprint: Option<[u8; 32]>,
    from: UnixTime,
    /// Optional in a CRL.
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

fn validity<'a>(item: &Item<'a>) -> Result<Validity<'a>, tagwise_codec::Error> {
    if item.kind == Kind::Certificate {
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
}

impl CheckArgs {
    pub(crate) fn run(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.check(color, out, err);
        finish(done, err)
    }

    fn check(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let now = self.at.unwrap_or_else(now);
        let pool = self.sources.pool()?;
        let mut outcome = Outcome::default();
        let mut counts = Counts::default();
        let mut skipped = self.sources.skipped();
        let mut rows: Vec<serde_json::Value> = Vec::new();
        self.sources.read(&pool, self.json, |files, progress| {
            complain(files, &mut skipped, &mut outcome, err)?;
            let items: Vec<(&str, Item<'_>)> =
                files.iter().flat_map(|file| file.items().map(|item| (file.name, item))).collect();
            let read: Vec<_> = pool.install(|| items.par_iter().map(|(_, item)| validity(item)).collect());
            progress.done(items.len());
            for ((file, item), validity) in items.iter().zip(&read) {
                let validity = match validity {
                    Ok(validity) => validity,
                    Err(error) => {
                        outcome.negative = true;
                        writeln!(err, "tagwise: {}: {error}", place_text(file, &item.place))?;
                        continue;
                    }
                };
                counts.checked += 1;
                let answer = validity.answer(now, self.expires_within);
                match answer {
                    Answer::Valid => continue,
                    Answer::Expired => counts.expired += 1,
                    Answer::ExpiresSoon => counts.soon += 1,
                    Answer::NotYetValid => counts.early += 1,
                }
                outcome.negative = true;
                let row = Row { file, item, validity, answer, now };
                if self.json {
                    rows.push(serde_json::to_value(&row).map_err(io::Error::other)?);
                } else {
                    row.text(out, color)?;
                }
            }
            Ok(())
        })?;
        // Unless it was said of each.
        if counts.checked == 0 && !outcome.unreadable && !outcome.negative {
            outcome.negative = true;
            writeln!(err, "tagwise: {}: no certificate or CRL found", self.sources.names())?;
        }
        if self.json {
            let within = self.expires_within;
            json::write(out, &Document { counts: &counts, skipped: &skipped, rows: &rows, now, within })?;
        } else {
            if counts.checked > 0 {
                counts.text(out, now.saturating_add(self.expires_within), skipped.is_loss())?;
            }
            skipped.text(out)?;
        }
        Ok(outcome.code())
    }
}

impl Counts {
    fn text(&self, out: &mut dyn Write, until: UnixTime, is_partial: bool) -> io::Result<()> {
        let parts = [(self.expired, "expired"), (self.soon, "expiring soon"), (self.early, "not yet valid")];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let parts = parts.collect::<Vec<_>>().join(", ");
        if parts.is_empty() {
            let all = if is_partial { "" } else { "all " };
            writeln!(out, "{all}{} valid at least until {until}", self.checked)
        } else {
            writeln!(out, "{parts}, of {}", self.checked)
        }
    }
}

struct Row<'r> {
    file: &'r str,
    item: &'r Item<'r>,
    validity: &'r Validity<'r>,
    answer: Answer,
    now: UnixTime,
}

impl Row<'_> {
    fn text(&self, out: &mut dyn Write, color: bool) -> io::Result<()> {
        let style = match (color, self.answer) {
            (false, _) => Style::new(),
            (true, Answer::Expired) => AnsiColor::Red.on_default(),
            (true, _) => AnsiColor::Yellow.on_default(),
        };
        let until = self.validity.until.unwrap_or(UnixTime::MAX);
        let words = match (self.answer, self.item.kind) {
            (Answer::Expired, Kind::Crl) => format!("overdue by {}", days(self.now.since(until))),
            (Answer::Expired, _) => format!("expired {} ago", days(self.now.since(until))),
            (Answer::NotYetValid, _) => format!("becomes valid in {}", days(self.validity.from.since(self.now))),
            _ => format!("expires in {}", days(until.since(self.now))),
        };
        let what = if self.item.kind == Kind::Crl { "CRL of " } else { "" };
        let name = match self.item.kind {
            Kind::Certificate => short_name_of_certificate(self.item.der),
            Kind::Crl if self.validity.subject.is_empty() => "an issuer without a name".to_owned(),
            Kind::Crl => short_name_of(&self.validity.subject),
        };
        writeln!(out, "{style}{words:<22}{style:#}  {what}{name}  {}", place_text(self.file, &self.item.place))
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
        map.serialize_entry("kind", if self.item.kind == Kind::Crl { "crl" } else { "certificate" })?;
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
        self.skipped.entries(&mut map)?;
        map.serialize_entry("certificates", self.rows)?;
        map.end()
    }
}
