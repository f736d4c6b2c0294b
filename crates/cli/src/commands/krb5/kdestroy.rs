//! `tagwise krb5 kdestroy`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::environment::Environment;
use crate::shared::credentials::octets;
use crate::shared::output::{Failure, name_of};
use tagwise_krb5::Kind;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 kdestroy
  tagwise krb5 kdestroy -c FILE:alice.cache

The file is overwritten with zeros before it is removed. What is no credential cache is left alone.
Exit codes: 0 it is gone; 1 the file is no credential cache; 2 usage; 3 there is none, or it could not be removed.";

#[derive(Debug, clap::Args)]
pub(crate) struct KdestroyArgs {
    /// Remove this credential cache [default: KRB5CCNAME, the configuration's, or /tmp/krb5cc_UID]
    #[arg(short = 'c', long, value_name = "NAME")]
    cache: Option<String>,
}

impl KdestroyArgs {
    pub(super) fn destroy(&self) -> Result<u8, Failure> {
        let path = Environment::read()?.cache(self.cache.as_deref())?;
        let before = octets(&path)?;
        if !matches!(Kind::of(&before), Some(Kind::Ccache)) {
            return Err(Failure::negative(format!("{}: it is no credential cache, and stays", name_of(&path))));
        }
        overwrite(&path, before.len()).map_err(|error| Failure::file(&path, "removed", &error))?;
        Ok(0)
    }
}

/// Overwrites a file with zeros and removes it. A link is removed, not what it points at.
fn overwrite(path: &Path, len: usize) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_file() {
        let mut file = File::options().write(true).open(path)?;
        file.write_all(&vec![0; len])?;
        file.sync_all()?;
    }
    fs::remove_file(path)
}
