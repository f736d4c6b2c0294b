//! `tagwise localkdc teardown`.

use std::io::Write;

use serde::Serialize;
use tagwise_localkdc::setup::{Removal, teardown};

use super::{RootArgs, failed, json};
use crate::shared::output::{Failure, name_of};

pub(super) const ABOUT: &str = "\
Remove everything that setup created: the database, keys, certificates, configuration and records.

Nothing else is removed: files that were changed since then, and folders with other contents, are kept and listed. Stop the KDC \
first.";

#[derive(Debug, clap::Args)]
pub(crate) struct TeardownArgs {
    #[command(flatten)]
    place: RootArgs,
    /// Print what would be removed, without changing anything
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Removed<'a> {
    dry_run: bool,
    paths: &'a [Removal],
}

impl TeardownArgs {
    pub(super) fn teardown(self, out: &mut dyn Write) -> Result<u8, Failure> {
        let removed = teardown(&self.place.layout()?, self.dry_run).map_err(|error| failed(&error))?;
        if self.place.json {
            let paths = removed.as_slice();
            json("tagwise.localkdc-teardown/1", &Removed { dry_run: self.dry_run, paths }, out)?;
            return Ok(0);
        }
        for removal in &removed {
            match removal.kept {
                None => writeln!(out, "remove  {}", name_of(&removal.path))?,
                Some(why) => writeln!(out, "keep    {}  ({why})", name_of(&removal.path))?,
            }
        }
        if removed.is_empty() {
            writeln!(out, "No local KDC is set up.")?;
        } else if self.dry_run {
            writeln!(out, "Nothing was changed.")?;
        }
        Ok(0)
    }
}
