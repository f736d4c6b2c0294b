//! `tagwise localkdc rotate`.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tagwise_localkdc::setup::{Action, Rotation, Turn, rotate};
use tagwise_pkix::name::visible;

use super::{RootArgs, failed, json};
use crate::shared::output::{Failure, name_of};

pub(super) const ABOUT: &str = "\
Replace keys of services and of the ticket-granting service.

Without an option, keys older than the policy's keys.max_age are replaced. The old keys stay in the database and in keytabs until the \
last ticket under them has expired; a later run then removes them. Keytabs are replaced atomically, and keep their owner and mode. \
localkdc-rotate.timer runs this command once a day.";

#[derive(Debug, clap::Args)]
pub(crate) struct RotateArgs {
    #[command(flatten)]
    place: RootArgs,
    /// Replace the keys of this service, such as HTTP/web.local; may be repeated
    #[arg(long, value_name = "NAME")]
    service: Vec<String>,
    /// Replace the keys of the ticket-granting service
    #[arg(long)]
    krbtgt: bool,
    /// Replace the keys of all services and of the ticket-granting service
    #[arg(long, conflicts_with_all = ["service", "krbtgt"])]
    all: bool,
    /// Print what would be done, without changing anything
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Rotated<'a> {
    dry_run: bool,
    turns: &'a [Turn],
}

impl RotateArgs {
    pub(super) fn rotate(self, out: &mut dyn Write) -> Result<u8, Failure> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let Self { place, service: services, krbtgt, all, dry_run } = self;
        let rotation = Rotation { services, krbtgt, all, dry_run, now };
        let turns = rotate(&place.layout()?, &rotation).map_err(|error| failed(&error))?;
        if place.json {
            json("tagwise.localkdc-rotate/1", &Rotated { dry_run, turns: &turns }, out)?;
            return Ok(0);
        }
        for Turn { principal, action, kvno, keytab } in &turns {
            let principal = visible(principal);
            match (action, keytab) {
                (Action::Renew, _) => writeln!(out, "renew   {principal}  (version {kvno})")?,
                (Action::Drop, _) => writeln!(out, "drop    {principal}  (versions before {kvno})")?,
                (Action::Write, Some(path)) => writeln!(out, "write   {principal}  ({})", name_of(path))?,
                (Action::Write, None) => writeln!(out, "write   {principal}")?,
            }
        }
        if turns.is_empty() {
            writeln!(out, "No key is due.")?;
        } else if dry_run {
            writeln!(out, "Nothing was changed.")?;
        }
        Ok(0)
    }
}
