//! `tagwise ca acme`: keys for external account bindings, and accounts.

use std::io::Write;

use clap::Subcommand;
use serde::Serialize;
use tagwise_acme::{accounts, external};
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
  tagwise ca acme account list
  tagwise ca acme account revoke ID       the account can order nothing more; its certificates remain valid
  certbot register --server URL --eab-kid ID --eab-hmac-key KEY

Each key creates one account (RFC 8555 §7.3.4). The database contains the keys unencrypted.
Exit codes: 0 done; 1 no such key or account; 2 usage error; 3 the database cannot be used.";

#[derive(Debug, Subcommand)]
pub(crate) enum AcmeCommand {
    /// Manage the keys for external account bindings
    #[command(subcommand, after_long_help = EXAMPLES)]
    Eab(EabCommand),
    /// Manage the accounts of clients
    #[command(subcommand, after_long_help = EXAMPLES)]
    Account(AccountCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// List the accounts with their status, key of the external account binding, and contacts
    #[command(after_long_help = EXAMPLES)]
    List(ListArgs),
    /// Revoke an account, so that all its requests are refused (RFC 8555 §7.1.6)
    #[command(after_long_help = EXAMPLES)]
    Revoke(RevokeArgs),
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

#[derive(Debug, clap::Args)]
pub(crate) struct RevokeArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Identifier of the account
    #[arg(value_name = "ID")]
    id: String,
}

#[derive(Serialize)]
struct Accounts {
    accounts: Vec<Account>,
}

/// An account in the JSON output.
#[derive(Serialize)]
struct Account {
    id: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_key: Option<String>,
    contact: Vec<String>,
}

impl AccountCommand {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Self::List(ListArgs { db, json }) => {
                let (mut store, authority) = db.open()?;
                let list = accounts::list(&mut *store, &authority).map_err(|error| db.failed(&error))?;
                if *json {
                    let account = |accounts::ListedAccount { id, status, contact, external_key }| Account {
                        id,
                        status,
                        external_key,
                        contact,
                    };
                    let accounts = list.into_iter().map(account).collect();
                    return document("acme-account-list", &Accounts { accounts }, out);
                }
                for one in list {
                    let key = one.external_key.as_deref().unwrap_or("no key");
                    let contact = one.contact.join(" ");
                    writeln!(out, "{}  {:<11}  {key:<24}  {}", visible(&one.id), one.status, visible(&contact))?;
                }
                Ok(())
            }
            Self::Revoke(RevokeArgs { db, id }) => {
                let (mut store, authority) = db.open()?;
                if accounts::revoke(&mut *store, &authority, id).map_err(|error| db.failed(&error))? {
                    return Ok(());
                }
                Err(Failure::negative(format!("no account has the identifier {}", visible(id))))
            }
        }
    }
}

impl AcmeCommand {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let command = match self {
            Self::Eab(command) => command,
            Self::Account(command) => return command.run(out).map(|()| 0),
        };
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
                let keys = external::list(&mut *store, &authority).map_err(|error| db.failed(&error))?;
                if !external::remove(&mut *store, &authority, id).map_err(|error| db.failed(&error))? {
                    return Err(Failure::negative(format!("no key has the identifier {}", visible(id))));
                }
                let used = keys.into_iter().filter(|key| key.id == *id).find_map(|key| key.account);
                if let Some(account) = used.as_deref().map(|account| visible(&account).to_string()) {
                    writeln!(
                        out,
                        "note: account {account} used this key and remains valid: `tagwise ca acme account revoke -- \
                         {account}` revokes it"
                    )?;
                }
            }
        }
        Ok(0)
    }
}
