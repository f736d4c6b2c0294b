//! `tagwise key show`.

use std::io::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_codec::Decode;
use tagwise_crypto::{Digest, KeyType, PostQuantumForm, Scheme};
use tagwise_pkix::SubjectPublicKeyInfo;

use super::backend::BackendArgs;
use super::passphrase::PassphraseArgs;
use super::read::{Found, Key, keys};
use super::{backend, refused};
use crate::output::{Failure, name_of};
use crate::render::json;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise key show server.key
  tagwise key show --json *.key | jq .
  tagwise key show --passphrase-file secret.txt ca.key

A private key is checked: its forms and its public half have to agree.
Exit codes: 0 all are keys; 1 something is malformed, or the passphrase is another one; 2 usage; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// JSON (schema tagwise.key/1)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

/// What is shown of a key.
#[derive(Debug, Serialize)]
struct Shown {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    private: bool,
    form: &'static str,
    #[serde(rename = "type")]
    kind: String,
    strength: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signs: Option<String>,
    #[serde(rename = "publicKeySha256")]
    fingerprint: String,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    keys: &'a [Shown],
}

impl ShowArgs {
    pub(super) fn show(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let mut shown = Vec::new();
        let mut code = 0;
        for path in &self.files {
            // One bad file hides no other.
            match keys(path, &self.passphrase)
                .and_then(|found| found.iter().map(|key| of(name_of(path), key)).collect::<Result<Vec<_>, _>>())
            {
                Ok(keys) => shown.extend(keys),
                Err(Failure::Said(worse, message)) => {
                    writeln!(err, "tagwise: {message}")?;
                    code = code.max(worse);
                }
                Err(other) => return Err(other),
            }
        }
        if self.json {
            json::write(out, &Document { schema: "tagwise.key/1", keys: &shown })?;
            return Ok(code);
        }
        for (index, key) in shown.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            key.text(color, out)?;
        }
        Ok(code)
    }
}

fn of(file: String, found: &Found) -> Result<Shown, Failure> {
    let public = found.key.public()?;
    let malformed = |error: tagwise_codec::Error| Failure::negative(error.to_string());
    let info = SubjectPublicKeyInfo::from_der(&public).map_err(malformed)?;
    let kind = KeyType::of(&info).map_err(|error| refused(&error))?;
    let forms = match &found.key {
        Key::Private(info) => info.post_quantum(),
        Key::Public(_) => None,
    };
    Ok(Shown {
        file,
        line: found.line,
        private: matches!(found.key, Key::Private(_)),
        form: found.form,
        kind: kind.to_string(),
        strength: kind.strength(),
        holds: forms.map(|forms| match forms.form() {
            PostQuantumForm::Seed => "seed",
            PostQuantumForm::Expanded => "expanded",
            PostQuantumForm::Both => "both",
        }),
        signs: Scheme::preferred(kind).map(|scheme| scheme.to_string()),
        fingerprint: fingerprint(&public)?,
    })
}

/// The SHA-256 of a SubjectPublicKeyInfo, in hexadecimal.
pub(super) fn fingerprint(public: &[u8]) -> Result<String, Failure> {
    let digest = backend().digest(Digest::Sha256, public).map_err(|error| refused(&error))?;
    Ok(digest.iter().map(|octet| format!("{octet:02x}")).collect())
}

impl Shown {
    fn text(&self, color: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let style = if color { Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())) } else { Style::new() };
        let place = self.line.map_or(String::new(), |line| format!(", line {line}"));
        let what = if self.private { "private key" } else { "public key" };
        writeln!(out, "{style}{}{place}: {what}{style:#}", self.file)?;
        writeln!(out, "  Type:      {}", self.kind)?;
        writeln!(out, "  Form:      {}", self.form)?;
        if let Some(holds) = self.holds {
            let holds = if holds == "both" { "seed and expanded key" } else { holds };
            writeln!(out, "  Holds:     {holds}")?;
        }
        writeln!(out, "  Strength:  {} bits", self.strength)?;
        if let Some(signs) = &self.signs {
            writeln!(out, "  Signs:     {signs}")?;
        }
        writeln!(out, "  SHA-256:   {} (public key)", self.fingerprint)?;
        Ok(())
    }
}
