//! `tagwise match`: compares the public keys of keys, certificates and requests.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tagwise_ca::comparable_key;
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Decode, encode};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::name::visible;
use tagwise_show::render::json;
use tagwise_show::summary;

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::keys::{Key, unlocked};
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(crate) const ABOUT: &str = "\
Report whether keys, certificates and requests have the same public key.

Each file is a private or public key, a certificate, or a request, in any form. Of a file with several certificates, the first counts, \
as it does for TLS servers (RFC 8446 §4.4.2). RSA keys are compared by modulus and exponent, whether or not they are restricted to \
RSASSA-PSS.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise match server.key server.pem
  tagwise match server.key server.csr chain.pem
  tagwise match --passphrase-file secret.txt --json server.key server.pem

Exit codes: 0 the same; 1 different, or a file has no key; 2 usage error; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct MatchArgs {
    /// Files to compare; `-` is standard input
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Compare only the keys and certificates with this name in a keystore
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Print JSON (schema tagwise.match/1)
    #[arg(long)]
    json: bool,
}

/// A key that was compared.
#[derive(Serialize)]
struct Compared {
    file: String,
    line: Option<usize>,
    form: &'static str,
    public_key: String,
    sha256: String,
    same: bool,
    /// The value to compare.
    #[serde(skip)]
    value: Vec<u8>,
}

#[derive(Serialize)]
struct Document<'d> {
    schema: &'static str,
    same: bool,
    keys: &'d [Compared],
}

impl MatchArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        finish(self.compare(context, out, err), err)
    }

    fn compare(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let mut compared = Vec::new();
        let mut code = 0;
        for path in &self.files {
            // One bad file hides no other.
            match self.keys_of(context, path, &mut compared, err) {
                Ok(worse) => code = code.max(worse),
                Err(Failure::Said(worse, message)) => {
                    writeln!(err, "tagwise: {message}")?;
                    code = code.max(worse);
                }
                Err(other) => return Err(other),
            }
        }
        let first = compared.first().map(|one: &Compared| one.value.clone()).unwrap_or_default();
        for one in &mut compared {
            one.same = one.value == first;
        }
        let is_one = compared.iter().all(|one| one.same);
        let same = is_one && code == 0;
        if self.json {
            json::write(out, &Document { schema: "tagwise.match/1", same, keys: &compared })?;
        } else {
            for one in &compared {
                one.text(out)?;
            }
            if is_one && !same {
                return Ok(code);
            }
            let (style, words) = match same {
                true => (AnsiColor::Green.on_default(), "the same public key"),
                false => (AnsiColor::Red.on_default(), "different public keys"),
            };
            let style = if context.color { style } else { Style::new() };
            writeln!(out, "{style}{words}{style:#}")?;
        }
        Ok(code.max(u8::from(!same)))
    }

    /// Adds the keys of a file. The result is 1 if one of them could not be read.
    fn keys_of(
        &self,
        context: &Context,
        path: &Path,
        compared: &mut Vec<Compared>,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let keys = unlocked(context, EMBEDDED, path, &self.passphrase, self.name.as_deref())?;
        if let Some(why) = keys.unchecked {
            writeln!(err, "tagwise: {}: warning: {why}", name_of(path))?;
        }
        for locked in &keys.locked {
            writeln!(err, "tagwise: {}", locked.message(path))?;
        }
        if let (Some(name), true, true) = (&self.name, keys.found.is_empty(), keys.locked.is_empty()) {
            return Err(Failure::negative(format!("{}: no key named '{}' found", name_of(path), visible(name))));
        }
        let mut is_leaf = true;
        for found in &keys.found {
            // The certificates after the first are those of its issuers.
            if found.is_of_certificate() && !std::mem::take(&mut is_leaf) {
                continue;
            }
            compared.push(of(name_of(path), found.line, found.form, &found.key)?);
        }
        Ok(u8::from(!keys.locked.is_empty()))
    }
}

impl Compared {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let line = self.line.map(|line| format!(", line {line}")).unwrap_or_default();
        writeln!(out, "{}{line}: {}, {}, SHA-256 {}", self.file, self.form, self.public_key, self.sha256)
    }
}

/// Returns a key with its hash, as printed by `key show`.
fn of(file: String, line: Option<usize>, form: &'static str, key: &Key) -> Result<Compared, Failure> {
    let info = key.public(EMBEDDED).map_err(|failure| match failure {
        Failure::Said(code, message) => Failure::Said(code, format!("{file}: {message}")),
        other => other,
    })?;
    let read = SubjectPublicKeyInfo::from_der(&info).map_err(|error| Failure::negative(format!("{file}: {error}")))?;
    // An RSA key is its modulus and exponent; the algorithm only restricts its use (RFC 4055 §1.2). A key on a curve is a point of it.
    let mut value = comparable_key(&read);
    if read.rsa().is_none() {
        let algorithm = encode(&read.algorithm).map_err(|error| Failure::negative(format!("{file}: {error}")))?;
        value.extend(algorithm);
    }
    let sha256 = Hex(&Sha256::digest(&info)).to_string();
    Ok(Compared { file, line, form, public_key: summary(&read), sha256, same: true, value })
}
