//! `tagwise mtc verify`.

use std::io::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_mtc::relying::{Outcome, RelyingParty, Trust, TrustedAuthority};
use tagwise_mtc::{CaCertificate, is_mtc};
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;

use super::common::{ca_der, check, document, progress, refused};
use crate::shared::context::Context;
use crate::shared::moment::{moment, now};
use crate::shared::output::{Failure, name_of};
use crate::shared::trust;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc verify server.pem --ca ca.pem
  tagwise mtc verify server.pem --ca ca.pem --policy policy.txt --explain
  tagwise mtc verify small.pem --ca ca.pem --policy landmarks.txt

A policy has one statement per line:
  cosigner ID ALGORITHM BASE64         a cosigner and its key: mldsa44, mldsa65, mldsa87, ecdsa_p256_sha256, ecdsa_p384_sha384, ed25519
  group NAME N|any|all MEMBER...       this many of these cosigners and groups
  require-cosigners CA|all GROUP       in addition to the CA's own signature
  revoke-range CA MIN MAX              serial numbers: LOG:INDEX, LOG:max, a number, or max
  trusted-subtree CA LOG START END BASE64 [EXPIRY]      as `mtc landmark --trusted` prints it

The proof, the CA's rules and the validity are checked, but not names and purposes. To check those as well, use \
`tagwise verify --trust ca.pem`, which includes this verification.
Exit codes: 0 every certificate is accepted; 1 one is not; 2 usage error; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Files with certificates; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Certificate of a trusted CA; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    ca: Vec<PathBuf>,
    /// Policy file with cosigners, groups, revoked ranges and trusted subtrees; may be repeated
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// Verify at this time instead of now, such as 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
    /// Show every step
    #[arg(long)]
    explain: bool,
    /// Print JSON (schema tagwise.mtc/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    time: String,
    accepted: usize,
    refused: usize,
    results: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    file: String,
    status: &'static str,
    /// `trusted-subtree` or `cosignatures`, or the error code for a rejected certificate.
    reason: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ca: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subtree: Option<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    cosignatures: Vec<CosignatureRow>,
    groups: Vec<GroupRow>,
}

#[derive(Serialize)]
struct CosignatureRow {
    cosigner: String,
    status: String,
}

#[derive(Serialize)]
struct GroupRow {
    name: String,
    found: usize,
    needed: usize,
}

impl Row {
    fn of(file: String, outcome: &Outcome) -> Self {
        let (status, reason, message) = match &outcome.result {
            Ok(Trust::TrustedSubtree) => ("accepted", "trusted-subtree", "the subtree is trusted".to_owned()),
            Ok(Trust::Cosignatures) => {
                ("accepted", "cosignatures", "the policy is satisfied by cosignatures".to_owned())
            }
            Err(refusal) => ("refused", refusal.code(), refusal.to_string()),
        };
        Self {
            file,
            status,
            reason,
            message,
            ca: outcome.issuer.map(|id| id.to_string()),
            draft: outcome.draft.map(tagwise_mtc::Draft::number),
            serial: outcome.serial.map(|serial| serial.to_string()),
            entry_hash: outcome.entry_hash.map(|hash| hex::encode(&hash)),
            subtree: outcome.subtree.map(|subtree| [subtree.start(), subtree.end()]),
            root: outcome.root.map(|hash| hex::encode(&hash)),
            cosignatures: outcome
                .cosignatures
                .iter()
                .map(|one| CosignatureRow { cosigner: one.cosigner.to_string(), status: one.status.to_string() })
                .collect(),
            groups: outcome
                .groups
                .iter()
                .map(|group| GroupRow { name: group.name.clone(), found: group.found, needed: group.needed })
                .collect(),
        }
    }
}

impl VerifyArgs {
    fn party(&self, context: &Context) -> Result<RelyingParty, Failure> {
        let mut party = RelyingParty::new();
        for path in &self.ca {
            let der = ca_der(context, path)?;
            let authority = CaCertificate::from_der(&der).and_then(|read| TrustedAuthority::new(&read));
            party.add(authority.map_err(|error| refused(&format!("{}: {error}", name_of(path))))?);
        }
        for path in &self.policy {
            trust::configure(context, &mut party, path)?;
        }
        Ok(party)
    }

    pub(super) fn verify(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let party = self.party(context)?;
        let (check, time) = (check(), self.at.unwrap_or_else(now));
        let (mut rows, mut accepted, mut unread, mut refused) = (Vec::new(), 0usize, false, 0usize);
        for file in &self.files {
            let bar = progress(0, "certificates verified");
            let read = trust::in_pieces(context, file, |piece| {
                bar.inc_length(piece.found.len() as u64);
                for one in piece.found {
                    bar.inc(1);
                    // A CA's own certificate may stand beside those that it issued.
                    if piece.several && !is_mtc(&one.der) && CaCertificate::from_der(&one.der).is_ok() {
                        continue;
                    }
                    let outcome = party.verify(&one.der, Some(time), &check);
                    match outcome.is_accepted() {
                        true => accepted = accepted.saturating_add(1),
                        false => refused = refused.saturating_add(1),
                    }
                    if self.json {
                        rows.push(Row::of(one.place, &outcome));
                    } else {
                        bar.suspend(|| self.text(&one.place, &outcome, context.color, out))?;
                    }
                }
                Ok(())
            });
            bar.finish_and_clear();
            match read {
                Ok(()) => {}
                Err(Failure::Said(_, message)) => {
                    out.flush()?;
                    writeln!(err, "tagwise: {}", visible(&message))?;
                    unread = true;
                }
                Err(other) => return Err(other),
            }
        }
        if self.json {
            document("verify", &Document { time: time.to_string(), accepted, refused, results: rows }, out)?;
        }
        Ok(match (unread, refused) {
            (true, _) => 3,
            (false, 0) => 0,
            _ => 1,
        })
    }

    fn text(&self, place: &str, outcome: &Outcome, color: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let (word, tone) = match outcome.is_accepted() {
            true => ("accepted", AnsiColor::Green),
            false => ("refused", AnsiColor::Red),
        };
        let tone = if color { Style::new().fg_color(Some(tone.into())) } else { Style::new() };
        let text = outcome.to_string();
        let (steps, answer) = text.rsplit_once('\n').unwrap_or(("", &text));
        let reason = answer.split_once(": ").map_or(answer, |(_, reason)| reason);
        writeln!(out, "{}: {tone}{word}{tone:#}: {}", visible(&place), visible(&reason))?;
        if self.explain {
            steps.lines().try_for_each(|line| writeln!(out, "  {}", visible(&line)))?;
        }
        Ok(())
    }
}
