//! `tagwise ca list`.

use std::io::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use serde::Serialize;
use tagwise_ca::Error;
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;

use super::common::{CertificateDocument, DbArgs, Moment, RevocationDocument, document, status, whom};
use crate::shared::moment::now;
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca list
  tagwise ca list --status revoked
  tagwise ca list --expires-within 30
  tagwise ca list --mtc-revoked > policy.txt        for tagwise mtc verify --policy
  tagwise ca list --json | jq -r '.certificates[] | select(.profile == \"server\") | .serial'

Exit codes: 0 listed; 1 refused, with the reason; 2 usage error; 3 the database could not be read.";

/// Status of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Status {
    Valid,
    Expired,
    NotYetValid,
    Revoked,
    OnHold,
}

impl Status {
    const fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expired => "expired",
            Self::NotYetValid => "not-yet-valid",
            Self::Revoked => "revoked",
            Self::OnHold => "on-hold",
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// List only certificates with this status
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,
    /// List only valid certificates that expire within this time: 30d, 12h, 2w, 90m, 1y; days without a unit
    #[arg(long, value_name = "SPAN", conflicts_with = "status", value_parser = crate::shared::moment::span)]
    expires_within: Option<Duration>,
    /// Check validity at this time instead of now, such as 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = crate::shared::moment::moment)]
    at: Option<UnixTime>,
    /// Print the revoked Merkle Tree Certificates of a CA with a log as policy statements for relying parties (`mtc verify --policy`)
    #[arg(long, conflicts_with_all = ["status", "expires_within", "json"])]
    mtc_revoked: bool,
    #[command(flatten)]
    db: DbArgs,
    /// Print JSON (schema tagwise.ca/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    database: String,
    subject: String,
    not_after: Moment,
    certificates: Vec<CertificateDocument>,
}

impl ListArgs {
    pub(super) fn list(&self, color: bool, out: &mut dyn Write) -> Result<u8, Failure> {
        let (mut store, authority) = self.db.open_to_read()?;
        let now = self.at.unwrap_or_else(now);
        if self.mtc_revoked {
            let files = self.db.log_files().ok_or_else(|| Failure::usage("--mtc-revoked requires a CA with a log"))?;
            out.write_all(files.revoked(&mut *store, authority.id(), now)?.as_bytes())?;
            return Ok(0);
        }
        let tbs = &authority.certificate().tbs_certificate;
        let until = tbs.validity.not_after.unix();
        let wanted = |word: &str| self.status.is_none_or(|status| status.word() == word);
        let soon = self.expires_within.map(|span| now.saturating_add(span));
        let mut certificates = Vec::new();
        let mut lines = Vec::new();
        let mut width = 0;
        let mut failure = None;
        let walk = store.certificates(authority.id(), &mut |record| {
            let word = status(&record, now);
            let is_soon = soon.is_none_or(|soon| word == Status::Valid.word() && record.not_after <= soon);
            if !wanted(word) || !is_soon {
                return Ok(());
            }
            if self.json {
                match CertificateDocument::of(&record, now) {
                    Ok(document) => certificates.push((record.serial, document)),
                    Err(error) => failure = Some(error),
                }
                return Ok(());
            }
            let serial = record.serial.to_string();
            width = width.max(serial.len());
            let reason = record.revocation.as_ref().map(RevocationDocument::of);
            lines.push((
                serial,
                word,
                if record.not_after < UnixTime::MAX { record.not_after.to_string() } else { "-".to_owned() },
                visible(&record.profile).to_string(),
                if record.der.is_empty() {
                    "(only its serial number is known)".to_owned()
                } else {
                    whom(&record.subject, &record.der)
                },
                reason,
            ));
            Ok(())
        });
        walk.map_err(|error| self.db.failed(&error))?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if self.json {
            let certificates = certificates.into_iter().map(|(serial, mut document)| {
                let by_acme = tagwise_acme::accounts::requester(&mut *store, &authority, &serial)?;
                document.requester = match by_acme {
                    None => tagwise_enroll::requests::requester(&mut *store, &authority, &serial)?,
                    found => found,
                };
                Ok(document)
            });
            let certificates = certificates.collect::<Result<_, Error>>().map_err(|error| self.db.failed(&error))?;
            let subject = tbs.subject.rfc4514().to_string();
            let database = self.db.name();
            document("list", &Document { database, subject, not_after: Moment::of(until), certificates }, out)?;
            return Ok(0);
        }
        let strong = if color { Style::new().bold() } else { Style::new() };
        writeln!(out, "{strong}{}{strong:#}, valid until {}", visible(&tbs.subject.rfc4514()), until)?;
        for (serial, word, until, profile, subject, revocation) in lines {
            let tone = match word {
                _ if !color => Style::new(),
                "valid" => Style::new().fg_color(Some(AnsiColor::Green.into())),
                _ => Style::new().fg_color(Some(AnsiColor::Red.into())),
            };
            let why = revocation.map_or(String::new(), |revocation| format!("  ({})", revocation.reason()));
            writeln!(out, "{serial:>width$}  {tone}{word:<13}{tone:#}  {until:<20}  {profile:<6}  {subject}{why}")?;
        }
        Ok(0)
    }
}
