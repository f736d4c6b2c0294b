//! `tagwise p12 show`.

use std::io::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use tagwise_codec::text::hex;
use tagwise_crypto::PrivateKeyInfo;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs12::{Cost, Integrity, SecretKey};
use tagwise_pkix::{BundleItem, BundleKind, oids};
use tagwise_show::render::json;

use super::document::{BagRow, Document, Mac, PKCS12, is_pkcs12};
use super::{File, integrity, java, unreadable};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{fingerprint, subject};
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::pkcs12::Unlock;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise p12 show keys.p12
  tagwise p12 show --json --passphrase-file secret.txt keys.p12 | jq .
  tagwise p12 show --passphrase-file secret.txt store.jks          without a passphrase, its integrity is not checked
  tagwise p12 show --passphrase-file file.txt --passphrase-file key.txt keys.p12    keys with another passphrase

Exit codes: 0 shown; 1 the file is malformed, its protection is not supported, the passphrase is wrong, or a part could not be read \
(listed on standard error); 2 usage error; 3 the file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON (schema tagwise.p12/2)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
}

pub(super) const fn kind(kind: BundleKind) -> &'static str {
    match kind {
        BundleKind::Certificate => "certificate",
        BundleKind::CertificateList => "crl",
        BundleKind::PrivateKey => "private-key",
        BundleKind::Secret => "secret",
        BundleKind::EncryptedPrivateKey => "encrypted-private-key",
        BundleKind::Encrypted => "encrypted",
        _ => "other",
    }
}

/// Returns a description of a secret key with its algorithm and length, if they can be read.
fn secret(octets: &[u8]) -> Option<String> {
    let SecretKey { algorithm, key } = SecretKey::read(octets).ok()?;
    let name = oids::lookup(algorithm).map_or_else(|| algorithm.to_string(), |info| info.short_name().to_owned());
    Some(format!("{name}, {} bits", key.len() * 8))
}

fn item(context: &Context, of: &BundleItem<'_>, unlock: &mut Unlock) -> Result<BagRow, Failure> {
    let what = match of.kind {
        BundleKind::Certificate => Some(subject(context, of.octets)),
        BundleKind::PrivateKey => Some(match PrivateKeyInfo::from_pkcs8(of.octets) {
            Ok(info) => info.key_type().to_string(),
            Err(error) => visible(&error).to_string(),
        }),
        BundleKind::EncryptedPrivateKey => unlock.key(of.octets).map(|info| info.key_type().to_string()),
        BundleKind::Secret => secret(of.octets),
        _ => None,
    };
    // The digest of a secret is the secret's affair.
    let public = matches!(of.kind, BundleKind::Certificate | BundleKind::CertificateList);
    Ok(BagRow {
        kind: kind(of.kind),
        friendly_name: of.friendly_name(),
        local_key_id: of.local_key_id().map(hex::encode),
        what,
        sha256: public.then(|| fingerprint(EMBEDDED, of.octets)).transpose()?,
        length: of.octets.len(),
    })
}

impl ShowArgs {
    pub(super) fn show(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        if let Some(store) = java::load(context, &self.file)? {
            let document = java::document(context, &self.file, &store, &self.passphrase)?;
            if self.json {
                json::write(out, &document)?;
            } else {
                document.text(context.color, out)?;
            }
            return Ok(0);
        }
        let file = File::read(context, &self.file)?;
        let (opened, passwords) = file.open(&self.file, &self.passphrase)?;
        let mut unlock = Unlock::new(passwords);
        let mac = file.store.mac_parameters().map(|parameters| {
            let oid = parameters.algorithm.algorithm;
            let algorithm = oids::lookup(oid).map_or_else(|| oid.to_string(), |info| info.short_name().to_owned());
            Mac { algorithm, iterations: Cost::of_mac(&parameters).iterations }
        });
        let items = opened.items().map(|found| item(context, &found, &mut unlock)).collect::<Result<Vec<_>, _>>()?;
        let left = if unlock.is_complete(&opened) { &[][..] } else { opened.unreadable() };
        let document = Document {
            schema: "tagwise.p12/2",
            file: name_of(&self.file),
            format: PKCS12,
            integrity: integrity(opened.integrity()),
            integrity_checked: opened.integrity() == Integrity::Verified,
            mac,
            items,
            unreadable: left.iter().map(|part| visible(part).to_string()).collect(),
        };
        if self.json {
            json::write(out, &document)?;
        } else {
            document.text(context.color, out)?;
        }
        if left.is_empty() { Ok(0) } else { unreadable(&self.file, &opened, err) }
    }
}

impl Document {
    fn text(&self, color: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let style = if color { Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())) } else { Style::new() };
        writeln!(out, "{style}{}: {}, {} items{style:#}", self.file, self.format, self.items.len())?;
        match &self.mac {
            Some(mac) => {
                writeln!(out, "  MAC:         {}, {} iterations, {}", mac.algorithm, mac.iterations, self.integrity)?;
            }
            None if !is_pkcs12(self.format) => writeln!(out, "  Integrity:   {}", self.integrity)?,
            None => writeln!(out, "  MAC:         {}: its integrity cannot be checked", self.integrity)?,
        }
        for item in &self.items {
            let name = match item.kind {
                "private-key" => "private key",
                "encrypted-private-key" if !is_pkcs12(self.format) => "encrypted private key",
                "encrypted" if !is_pkcs12(self.format) => "encrypted secret key",
                "encrypted-private-key" => "private key with another password",
                "encrypted" => "encrypted bags",
                "crl" => "CRL",
                other => other,
            };
            writeln!(out, "{style}{name}{style:#}, {} bytes", item.length)?;
            if let Some(what) = &item.what {
                let label = if item.kind == "certificate" { "Subject:" } else { "Type:" };
                writeln!(out, "  {label:<12} {what}")?;
            }
            if let Some(name) = &item.friendly_name {
                writeln!(out, "  Name:        {}", visible(name))?;
            }
            if let Some(id) = &item.local_key_id {
                writeln!(out, "  Key ID:      {id}")?;
            }
            if let Some(hash) = &item.sha256 {
                writeln!(out, "  SHA-256:     {hash}")?;
            }
        }
        Ok(())
    }
}
