//! `tagwise krb5 decrypt`, and the key options that it shares with `dissect`.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use tagwise_krb5::open::{OpenedPart, Opener, PacVerdicts};
use tagwise_krb5::show::part;
use tagwise_krb5::{Ccache, KerberosKind, Keytab};
use tagwise_show::tree::{Line, Record, Tone, Value};

use super::environment::{read_cache_file, read_keytab};
use super::output;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::output::{Failure, finish, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 decrypt --keytab realm.keytab as-req.bin as-rep.bin tgs-req.bin tgs-rep.bin
  tagwise krb5 decrypt --ccache /tmp/krb5cc_1000 ap-req.bin
  tagwise krb5 decrypt --keytab host.keytab /tmp/krb5cc_1000

Give the messages of an exchange in order: each can contain the key for the next. In a credential cache, the tickets are decrypted. \
Decrypted session keys and passwords are shown only with --show-keys.
The signatures of a PAC are verified with the service's key, and with the krbtgt keys in the keytabs.
Exit codes: 0 every encrypted part was decrypted; 1 one was not, a PAC's signature is invalid, or a file is malformed; 2 usage error; 3 a file could not be read.";

/// The keys to decrypt with.
#[derive(Debug, clap::Args)]
pub(super) struct KeyArgs {
    /// Decrypt with the keys of this keytab; may be repeated
    #[arg(short = 't', long, value_name = "FILE")]
    keytab: Vec<PathBuf>,
    /// Decrypt with the session keys of this credential cache; may be repeated
    #[arg(long, value_name = "FILE")]
    ccache: Vec<PathBuf>,
    /// Show the bytes of keys and passwords
    #[arg(long)]
    pub(super) show_keys: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DecryptArgs {
    /// Messages in order, or credential caches; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    keys: KeyArgs,
    /// Print JSON (schema tagwise.krb5-decrypt/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    items: Vec<DecryptedFile>,
}

#[derive(Serialize)]
struct DecryptedFile {
    file: String,
    parts: Vec<Value<'static>>,
    /// The reason why the file could not be read. Other files are still reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl KeyArgs {
    /// Returns whether no key source is given.
    pub(super) const fn is_empty(&self) -> bool {
        self.keytab.is_empty() && self.ccache.is_empty()
    }

    /// Loads the keys for decryption.
    pub(super) fn opener(&self, context: &Context) -> Result<Opener<'static>, Failure> {
        if self.is_empty() {
            return Err(Failure::usage("no usable key: give --keytab or --ccache"));
        }
        let mut keytab = Keytab::default();
        for path in &self.keytab {
            keytab.merge(&read_keytab(context, path)?);
        }
        let mut opener = Opener::new(EMBEDDED, keytab).allowing(context.allowed.decoding);
        for path in &self.ccache {
            for ticket in read_cache_file(context, path)?.tickets() {
                if let Some(key) = ticket.session_key() {
                    opener.add_session(format!("session key of {}", ticket.server), key);
                }
            }
        }
        Ok(opener)
    }
}

impl DecryptArgs {
    pub(super) fn decrypt(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let mut opener = self.keys.opener(context)?;
        let (mut items, mut closed, mut all, mut unread) = (Vec::new(), 0, 0, 0);
        let (mut is_forged, mut failed) = (false, 0);
        for path in &self.files {
            let (mut parts, mut error) = (Vec::new(), None);
            // The other files do not depend on it.
            let messages = match super::decode::load(context, path) {
                Ok(messages) => messages,
                Err(failure) => {
                    failed = failed.max(finish(Err(failure), err)?);
                    continue;
                }
            };
            for octets in messages {
                let (found, failed) = opened(context, &mut opener, &octets);
                parts.extend(found);
                error = error.or(failed);
            }
            closed += parts.iter().filter(|part| part.der.is_none()).count();
            all += parts.len();
            is_forged |= parts.iter().any(|part| part.pac.as_ref().is_some_and(PacVerdicts::is_invalid));
            unread += usize::from(error.is_some());
            let parts = parts
                .iter()
                .map(|opened| part(opened, super::decode::view(context, self.keys.show_keys)).into())
                .collect();
            items.push(DecryptedFile { file: name_of(path), parts, error });
        }
        let code = failed.max(u8::from(closed > 0 || all == 0 || unread > 0 || is_forged));
        if self.json {
            output::document(out, &Document { schema: "tagwise.krb5-decrypt/1", items })?;
            return Ok(code);
        }
        for (at, item) in items.into_iter().enumerate() {
            let count = match item.parts.len() {
                0 if item.error.is_some() => "not read".to_owned(),
                0 => "no encrypted part found".to_owned(),
                1 => "1 encrypted part".to_owned(),
                count => format!("{count} encrypted parts"),
            };
            let heading = Line::new(Tone::Strong, &item.file).and(Tone::Dim, format!("  {count}"));
            let mut parts = item.parts;
            if let Some(error) = item.error {
                parts.push(Record::default().with("error", Value::text(error)).into());
            }
            output::text(out, context.color, &heading, at == 0, &Value::List(parts))?;
        }
        Ok(code)
    }
}

/// The parts of a file's messages, and the error that ended it. Parts decrypted before the error are kept.
fn opened(context: &Context, opener: &mut Opener<'_>, octets: &[u8]) -> (Vec<OpenedPart>, Option<String>) {
    let messages: Vec<Vec<u8>> = match KerberosKind::of(octets) {
        Some(KerberosKind::Ccache) => match Ccache::from_bytes(octets) {
            Ok(cache) => cache.tickets().map(|found| found.ticket.clone()).collect(),
            Err(error) => return (Vec::new(), Some(error.to_string())),
        },
        Some(KerberosKind::Keytab | KerberosKind::Pac) | None => {
            return (Vec::new(), Some("expected a message, a token or a credential cache".to_owned()));
        }
        Some(_) => vec![super::decode::canonical(context, octets.to_vec())],
    };
    let mut parts = Vec::new();
    for message in messages {
        match opener.open(&message) {
            Ok(found) => parts.extend(found),
            Err(error) => return (parts, Some(error.to_string())),
        }
    }
    (parts, None)
}
