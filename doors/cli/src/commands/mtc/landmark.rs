//! `tagwise mtc landmark`.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;
use tagwise_codec::text::base64;
use tagwise_mtc::landmark::{Landmark, LandmarkDocument, LandmarkSchedule};
use tagwise_mtc_log::Log;

use super::common::{ClockArgs, DbArgs, document, seconds};
use crate::shared::moment::duration;
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc landmark                       allocate one if it is due, and print the landmarks document
  tagwise mtc landmark --every 10m --lifetime 7d
  tagwise mtc landmark --list                list only
  tagwise mtc landmark --trusted > policy    the subtrees of active landmarks, for `mtc verify --policy`

A landmark is a tree size that verifiers know, so that certificates need no signatures. One is allocated at the last checkpoint if \
the log has grown and the previous landmark is old enough. It expires no earlier than its certificates.
Exit codes: 0 done; 1 refused, with the reason; 2 usage error; 3 the database could not be used.";

#[derive(Debug, clap::Args)]
pub(crate) struct LandmarkArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Minimum time between landmarks, such as 1h or 10m
    #[arg(long, value_name = "SPAN", default_value = "1h", value_parser = span)]
    every: Duration,
    /// Maximum lifetime of a certificate, such as 7d
    #[arg(long, value_name = "SPAN", default_value = "7d", value_parser = span)]
    lifetime: Duration,
    #[command(flatten)]
    clock: ClockArgs,
    /// Do not allocate a landmark
    #[arg(long)]
    list: bool,
    /// Print the trusted subtrees instead of the landmarks document
    #[arg(long)]
    trusted: bool,
    /// Print JSON (schema tagwise.mtc/1)
    #[arg(long)]
    json: bool,
}

fn span(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| "expected a duration, such as 90m, 12h or 7d".to_owned())
}

#[derive(Serialize)]
struct Document {
    allocated: Option<u64>,
    landmarks: Vec<LandmarkOf>,
    subtrees: Vec<SubtreeOf>,
}

#[derive(Serialize)]
struct LandmarkOf {
    number: u64,
    size: u64,
    expiry: u64,
}

#[derive(Serialize)]
struct SubtreeOf {
    landmark: u64,
    start: u64,
    end: u64,
    /// The subtree's hash in base64, as in policies.
    hash: String,
    expiry: u64,
}

impl LandmarkArgs {
    pub(super) fn landmark(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let mut log = self.db.open()?;
        self.clock.apply(&mut log);
        let failed = |error: tagwise_mtc_log::Error| self.db.failed(&error);
        let now = seconds();
        let schedule = LandmarkSchedule { interval: self.every.as_secs(), max_lifetime: self.lifetime.as_secs() };
        let made = if self.list { None } else { log.add_landmark(&schedule, now).map_err(failed)? };
        let list = log.landmarks(now).map_err(failed)?;
        let subtrees = subtrees(&log, &list, now).map_err(failed)?;
        if self.json {
            let of = |one: &Landmark| LandmarkOf { number: one.number, size: one.size, expiry: one.expiry };
            let landmarks = list.landmarks().iter().map(of).collect();
            let allocated = made.map(|landmark| landmark.number);
            document("landmark", &Document { allocated, landmarks, subtrees }, out)?;
        } else if self.trusted {
            let info = log.info();
            for SubtreeOf { start, end, hash, expiry, .. } in subtrees {
                writeln!(out, "trusted-subtree {} {} {start} {end} {hash} {expiry}", info.ca, info.number)?;
            }
        } else {
            write!(out, "{list}")?;
        }
        Ok(0)
    }
}

/// Returns the subtrees of active landmarks, with their hashes.
fn subtrees(log: &Log, list: &LandmarkDocument, now: u64) -> Result<Vec<SubtreeOf>, tagwise_mtc_log::Error> {
    let hashed = list.subtrees(now).map(|(landmark, subtree)| {
        Ok(SubtreeOf {
            landmark: landmark.number,
            start: subtree.start(),
            end: subtree.end(),
            hash: base64::encode(&log.subtree_hash(subtree)?),
            expiry: landmark.expiry,
        })
    });
    hashed.collect()
}
