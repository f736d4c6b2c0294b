//! Cosigner files, with one witness or mirror per line, as printed by `tagwise mtc witness` and `tagwise mtc mirror`.

use std::path::{Path, PathBuf};

use tagwise_mtc::note::NoteKey;
use tagwise_mtc_log::Log;
use tagwise_mtc_log::serve::{Client, submit_to_mirror, submit_to_witness};

use super::common::{check, failed, refused};
use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};

/// The option for the cosigners.
#[derive(Debug, clap::Args)]
pub(super) struct CosignersArgs {
    /// Have the checkpoint and its subtrees cosigned by the witnesses and mirrors in this file, one per line in the format that
    /// their commands print
    #[arg(long, value_name = "FILE")]
    pub(super) cosigners: Option<PathBuf>,
}

/// A cosigner from which to request a cosignature.
struct Asked {
    is_mirror: bool,
    key: NoteKey,
    client: Client,
}

impl CosignersArgs {
    /// Has the last checkpoint cosigned by all cosigners, and returns their number.
    pub(super) fn ask(&self, context: &Context, log: &mut Log, db: &Path) -> Result<usize, Failure> {
        let Some(path) = &self.cosigners else { return Ok(0) };
        let asked = read(context, path)?;
        let check = check();
        for one in &asked {
            let done = match one.is_mirror {
                false => submit_to_witness(log, &one.client, &one.key, &check),
                true => submit_to_mirror(log, &one.client, &one.key, &check),
            };
            done.map_err(|error| match failed(db, &error) {
                Failure::Said(code, _) => Failure::Said(code, format!("{}: {error}", one.key.name())),
                other => other,
            })?;
        }
        Ok(asked.len())
    }
}

/// Parses lines of the form `witness KEY URL` or `mirror KEY URL`; `#` begins a comment.
fn read(context: &Context, path: &Path) -> Result<Vec<Asked>, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let text = std::str::from_utf8(&octets).map_err(|error| refused(&format!("{}: {error}", name_of(path))))?;
    let mut all = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let fail = |what: &dyn std::fmt::Display| refused(&format!("{}, line {number}: {what}", name_of(path)));
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (kind, key, url) = match words.as_slice() {
            [] => continue,
            [first, ..] if first.starts_with('#') => continue,
            [kind @ ("witness" | "mirror"), key, url] => (*kind, *key, *url),
            _ => return Err(fail(&"expected `witness KEY URL` or `mirror KEY URL`")),
        };
        let key = NoteKey::parse(key).map_err(|error| fail(&error))?;
        let client = Client::new(url).map_err(|error| fail(&error))?;
        all.push(Asked { is_mirror: kind == "mirror", key, client });
    }
    Ok(all)
}
