//! `tagwise ca acme`: keys for external account bindings.

use std::io::Write;

use clap::Subcommand;
use serde::Serialize;
use tagwise_acme::external;
use tagwise_pkix::name::visible;

use super::common::{DbArgs, Moment, document};
use crate::shared::backend::EMBEDDED;
use crate::shared::moment::now;
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca acme eab add 'team web'      prints the identifier and the key, once
  tagwise ca acme eab list
  tagwise ca acme eab remove ID           no account can be created with it; existing accounts remain
  certbot register --server URL --eab-kid ID --eab-hmac-key KEY

Each key creates one account (RFC 8555 §7.3.4). The database contains the keys unencrypted.
Exit codes: 0 done; 1 no such key; 2 usage error; 3 the database cannot be used.";

#[derive(Debug, Subcommand)]
pub(crate) enum AcmeCommand {
    /// Manage the keys for external account bindings
    #[command(subcommand, after_long_help = EXAMPLES)]
    Eab(EabCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum EabCommand {
    /// Create a key, and print its identifier and secret
    #[command(after_long_help = EXAMPLES)]
    Add(AddArgs),
    /// List the keys, without their secrets
    #[command(after_long_help = EXAMPLES)]
    List(ListArgs),
    /// Remove a key
    #[command(after_long_help = EXAMPLES)]
    Remove(RemoveArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct AddArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Note for the list, such as the name of the user
    #[arg(value_name = "NOTE", default_value = "", hide_default_value = true)]
    note: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Write JSON (schema tagwise.ca/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Keys {
    keys: Vec<Key>,
}

/// A key in the JSON output.
#[derive(Serialize)]
struct Key {
    id: String,
    created: Moment,
    note: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Identifier of the key
    #[arg(value_name = "ID")]
    id: String,
}

impl AcmeCommand {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let Self::Eab(command) = self;
        match command {
            EabCommand::Add(AddArgs { db, note }) => {
                let (mut store, authority) = db.open()?;
                let added = external::add(&mut *store, &authority, EMBEDDED, note, now());
                let (id, secret) = added.map_err(|error| db.failed(&error))?;
                writeln!(out, "id:  {id}")?;
                out.write_all(b"key: ")?;
                out.write_all(secret.expose())?;
                writeln!(out)?;
            }
            EabCommand::List(ListArgs { db, json }) => {
                let (mut store, authority) = db.open()?;
                let keys = external::list(&mut *store, &authority).map_err(|error| db.failed(&error))?;
                if *json {
                    let key = |key: external::ExternalKey| Key {
                        id: key.id,
                        created: Moment::of(key.created),
                        note: key.note,
                        account: key.account,
                    };
                    document("acme-eab-list", &Keys { keys: keys.into_iter().map(key).collect() }, out)?;
                    return Ok(0);
                }
                for key in keys {
                    let account = key.account.as_deref().unwrap_or("unused");
                    writeln!(out, "{}  {}  {account:<22}  {}", key.id, key.created, visible(&key.note))?;
                }
            }
            EabCommand::Remove(RemoveArgs { db, id }) => {
                let (mut store, authority) = db.open()?;
                if !external::remove(&mut *store, &authority, id).map_err(|error| db.failed(&error))? {
                    return Err(Failure::negative(format!("no key has the identifier {}", visible(id))));
                }
            }
        }
        Ok(0)
    }
}
