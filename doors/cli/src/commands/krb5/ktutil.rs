//! `tagwise krb5 ktutil`: creates and changes keytabs.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tagwise_krb5::client::Moment;
use tagwise_krb5::crypto::{EncType, Key, StringToKey};
use tagwise_krb5::{Keytab, KeytabEntry, show};
use tagwise_pkix::name::visible;
use tagwise_show::tree::{Line, Tone, Value};

use super::environment::{Environment, read_keytab, write_keytab};
use super::output;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::negative;
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const ABOUT: &str = "\
List, create and change keytabs.

Files are written atomically, and are readable by their owner only.";

const LIST_EXAMPLES: &str = "\
Examples:
  tagwise krb5 ktutil list host.keytab
  tagwise krb5 ktutil list --json host.keytab | jq '.content.entries[].kvno'

Exit codes: 0 listed; 1 the file is malformed; 2 usage error; 3 it could not be read.";

const ADD_EXAMPLES: &str = "\
Examples:
  tagwise krb5 ktutil add alice.keytab -p alice@EXAMPLE.COM --kvno 1 --password-file secret.txt
  tagwise krb5 ktutil add host.keytab -p host/www.example.com@EXAMPLE.COM --kvno 3 --random -e aes256-sha2

The key of a password is derived with the principal's default salt unless --salt is given. A KDC may use another, random salt; then \
the key would not match.
Exit codes: 0 added; 1 the file is malformed, or another key exists and --replace is not given; 2 usage error; 3 a file could not be read or written.";

const MERGE_EXAMPLES: &str = "\
Examples:
  tagwise krb5 ktutil merge all.keytab host.keytab http.keytab

Equal entries are written once. If two files have different keys for the same principal, version and encryption type, nothing is written; \
with --replace, the key of the last file is kept.
Exit codes: 0 merged; 1 a file is malformed, or the keys of two files differ and --replace is not given; 2 usage error; 3 a file could not be read or written.";

const REMOVE_EXAMPLES: &str = "\
Examples:
  tagwise krb5 ktutil remove host.keytab -p host/www.example.com@EXAMPLE.COM --kvno 2
  tagwise krb5 ktutil remove host.keytab -p host/www.example.com@EXAMPLE.COM -e rc4-hmac

Exit codes: 0 removed; 1 the entry was not found, or the file is malformed; 2 usage error; 3 the file could not be read or written.";

#[derive(Debug, clap::Subcommand)]
pub(crate) enum KtutilCommand {
    /// List the entries of a keytab, without keys
    #[command(after_long_help = LIST_EXAMPLES)]
    List(ListArgs),
    /// Add keys, derived from a password or random; the file is created if it does not exist
    #[command(after_long_help = ADD_EXAMPLES)]
    Add(AddArgs),
    /// Add the entries of other keytabs
    #[command(after_long_help = MERGE_EXAMPLES)]
    Merge(MergeArgs),
    /// Remove entries
    #[command(after_long_help = REMOVE_EXAMPLES)]
    Remove(RemoveArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// The keytab; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON (schema tagwise.krb5-klist/1)
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("key").args(["random", "password_file"]))]
pub(crate) struct AddArgs {
    /// The keytab
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Principal that the key belongs to
    #[arg(short, long, value_name = "NAME")]
    principal: String,
    /// Version of the key
    #[arg(long, value_name = "N", default_value_t = 1)]
    kvno: u32,
    /// Encryption type; may be repeated
    #[arg(short, long, value_name = "TYPE", default_values = ["aes256-cts-hmac-sha1-96", "aes128-cts-hmac-sha1-96"])]
    enctype: Vec<EncType>,
    /// Generate a random key
    #[arg(long)]
    random: bool,
    /// Replace existing keys of the same principal, version and encryption type
    #[arg(long)]
    replace: bool,
    /// Read the password from the first line of this file; `-` is standard input [default: prompt]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Salt of the password [default: the principal's realm and name]
    #[arg(long, value_name = "TEXT", conflicts_with = "random")]
    salt: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MergeArgs {
    /// Target keytab
    #[arg(value_name = "OUT")]
    file: PathBuf,
    /// Source keytabs
    #[arg(value_name = "FILE", required = true)]
    others: Vec<PathBuf>,
    /// Replace existing keys of the same principal, version and encryption type
    #[arg(long)]
    replace: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RemoveArgs {
    /// The keytab
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Remove entries of this principal
    #[arg(short, long, value_name = "NAME")]
    principal: String,
    /// Remove only entries of this version
    #[arg(long, value_name = "N")]
    kvno: Option<u32>,
    /// Remove only entries of this encryption type; may be repeated
    #[arg(short, long, value_name = "TYPE")]
    enctype: Vec<EncType>,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    file: String,
    content: Value<'static>,
}

impl KtutilCommand {
    pub(super) fn change(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        match self {
            Self::List(args) => args.list(context, out),
            Self::Add(args) => args.add(context),
            Self::Merge(args) => args.merge(context),
            Self::Remove(args) => args.remove(context),
        }
    }
}

impl ListArgs {
    fn list(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let keytab = read_keytab(context, &self.file)?;
        let (file, content) = (name_of(&self.file), show::keytab(&keytab, false));
        if self.json {
            output::document(out, &Document { schema: "tagwise.krb5-klist/1", file, content })?;
            return Ok(0);
        }
        let count = format!("  {} entries", keytab.entries().len());
        output::text(out, context.color, &Line::new(Tone::Strong, file).and(Tone::Dim, count), true, &content)?;
        Ok(0)
    }
}

/// Reads a keytab, which may not exist yet.
fn existing(context: &Context, path: &Path) -> Result<Keytab, Failure> {
    if path.exists() { complete(context, path) } else { Ok(Keytab::default()) }
}

/// Reads a keytab to be written. Fails if writing it would drop entries after a record of length 0.
fn complete(context: &Context, path: &Path) -> Result<Keytab, Failure> {
    let keytab = read_keytab(context, path)?;
    match keytab.unread_bytes() {
        0 => Ok(keytab),
        count => Err(Failure::negative(format!(
            "{}: {count} bytes after a record of length 0, which ends the keytab; a change would remove them",
            name_of(path)
        ))),
    }
}

/// Returns the failure for a keytab with another key of the same principal, version and encryption type.
fn conflict(path: &Path, entry: &KeytabEntry) -> Failure {
    let (file, principal) = (name_of(path), visible(&entry.principal).to_string());
    let enc_type = show::enc_type(entry.enc_type);
    Failure::negative(format!(
        "{file}: the keytab has another key of {principal} with version {} and type {enc_type}; --replace replaces it",
        entry.kvno
    ))
}

impl AddArgs {
    fn add(&self, context: &Context) -> Result<u8, Failure> {
        let principal = Environment::read()?.principal(&self.principal)?;
        let mut keytab = existing(context, &self.file)?;
        let parts = principal.components();
        if principal.realm().is_empty() || parts.is_empty() || parts.iter().any(|part| part.is_empty()) {
            let text =
                format!("-p {:?}: expected a principal without empty parts, such as host/a.test@REALM", self.principal);
            return Err(Failure::usage(text));
        }
        let password = match self.random {
            true => None,
            false => Some(
                PassphraseArgs::named_by("--password-file or --random", self.password_file.as_deref())
                    .of(&self.principal)?,
            ),
        };
        let salt = self.salt.as_ref().map_or_else(|| principal.salt(), |salt| salt.as_bytes().to_vec());
        for enc_type in &self.enctype {
            let key = match &password {
                None => Key::generate(EMBEDDED, *enc_type),
                Some(password) => StringToKey::new(*enc_type).salt(&salt).derive(EMBEDDED, password.expose()),
            };
            let key = key.map_err(|error| negative(&self.file, &error))?;
            let new = KeytabEntry {
                principal: principal.clone(),
                timestamp: Moment::now().unix,
                kvno: self.kvno,
                enc_type: enc_type.number(),
                key: key.expose().into(),
            };
            // Tickets that were issued with a lost key could no longer be decrypted.
            let is_other = |entry: &KeytabEntry| entry.is_for_same(&new) && entry.key.expose() != new.key.expose();
            if !self.replace && keytab.entries().iter().any(is_other) {
                return Err(conflict(&self.file, &new));
            }
            // A second key with the same principal, version and encryption type would make it unclear which one is used.
            keytab.retain(|entry| !entry.is_for_same(&new));
            keytab.add(new);
        }
        write_keytab(&self.file, &keytab)?;
        Ok(0)
    }
}

impl MergeArgs {
    fn merge(&self, context: &Context) -> Result<u8, Failure> {
        let mut keytab = existing(context, &self.file)?;
        for path in &self.others {
            let other = complete(context, path)?;
            for new in other.entries() {
                let differs = |entry: &KeytabEntry| entry.is_for_same(new) && entry.key.expose() != new.key.expose();
                if keytab.entries().iter().any(differs) {
                    if !self.replace {
                        return Err(conflict(&self.file, new));
                    }
                    keytab.retain(|entry| !differs(entry));
                }
            }
            keytab.merge(&other);
        }
        write_keytab(&self.file, &keytab)?;
        Ok(0)
    }
}

impl RemoveArgs {
    fn remove(&self, context: &Context) -> Result<u8, Failure> {
        let principal = Environment::read()?.principal(&self.principal)?;
        let mut keytab = complete(context, &self.file)?;
        let before = keytab.entries().len();
        keytab.retain(|entry| {
            let is_type = self.enctype.is_empty() || self.enctype.iter().any(|one| one.number() == entry.enc_type);
            entry.principal != principal || self.kvno.is_some_and(|kvno| kvno != entry.kvno) || !is_type
        });
        if keytab.entries().len() == before {
            return Err(Failure::negative(format!("{}: entry not found", name_of(&self.file))));
        }
        write_keytab(&self.file, &keytab)?;
        Ok(0)
    }
}
