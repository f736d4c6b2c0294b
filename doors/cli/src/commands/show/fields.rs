//! `tagwise show --subject --enddate …`: shows only the given fields, one per line.

use std::io::{self, Write};

use tagwise_input::Content;
use tagwise_pkix::name::visible;
use tagwise_show::named::{Named, field};

use super::{Show, numbered};
use crate::shared::outcome::Outcome;
use crate::shared::output::name_of;
use crate::shared::rules;

/// The fields to show instead of everything.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Fields")]
#[group(id = "fields", multiple = true, conflicts_with_all = ["json", "text"])]
pub(super) struct FieldArgs {
    /// Show only the subject and the other fields of this list that are given, each as NAME=VALUE
    #[arg(long)]
    subject: bool,
    /// The issuer
    #[arg(long)]
    issuer: bool,
    /// The serial number
    #[arg(long)]
    serial: bool,
    /// The start of validity
    #[arg(long, aliases = ["not-before", "notbefore", "start-date"])]
    startdate: bool,
    /// The end of validity
    #[arg(long, aliases = ["not-after", "notafter", "expiry", "expires", "end-date"])]
    enddate: bool,
    /// Both ends of validity
    #[arg(long, aliases = ["validity"])]
    dates: bool,
    /// The subject alternative names
    #[arg(long, aliases = ["sans", "altnames", "subject-alt-name"])]
    san: bool,
    /// The SHA-256 hash of the certificate
    #[arg(long, aliases = ["sha256"])]
    fingerprint: bool,
    /// The public key, in PEM
    #[arg(long, aliases = ["public-key"])]
    pubkey: bool,
    /// The type and size of the public key
    #[arg(long)]
    key_type: bool,
    /// The key usages
    #[arg(long, aliases = ["key-usage"])]
    keyusage: bool,
    /// The extended key usages
    #[arg(long, aliases = ["ext-key-usage"])]
    eku: bool,
    /// The signature algorithm
    #[arg(long, aliases = ["signature-algorithm"])]
    sigalg: bool,
    /// Another field by its name, as for `tagwise get`; may be repeated
    #[arg(long, value_name = "NAME", value_parser = known)]
    field: Vec<&'static str>,
}

/// Returns a field's customary name.
fn known(name: &str) -> Result<&'static str, String> {
    field(name).map(|field| field.name()).ok_or_else(|| {
        let names: Vec<&str> = tagwise_show::named::FIELDS.iter().map(|field| field.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

impl FieldArgs {
    /// Returns the names of the selected fields.
    pub(super) fn chosen(&self) -> Vec<&'static str> {
        let flags = [
            (self.subject, "subject"),
            (self.issuer, "issuer"),
            (self.serial, "serial"),
            (self.startdate || self.dates, "notBefore"),
            (self.enddate || self.dates, "notAfter"),
            (self.san, "san"),
            (self.fingerprint, "fingerprint"),
            (self.pubkey, "pubkey"),
            (self.key_type, "key-type"),
            (self.keyusage, "keyusage"),
            (self.eku, "eku"),
            (self.sigalg, "sigalg"),
        ];
        let given = flags.iter().filter(|(is_given, _)| *is_given).map(|(_, name)| *name);
        given.chain(self.field.iter().copied()).collect()
    }
}

impl Show {
    /// Writes the selected fields of every certificate, CRL, request and public key. For a server, the verdict follows.
    pub(super) fn fields(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut first = true;
        for path in &self.files {
            let name = name_of(path);
            let source = match self.open(path) {
                Ok(source) => source,
                Err(error) => {
                    outcome.unreadable = true;
                    out.flush()?;
                    writeln!(err, "tagwise: {name}: {error}")?;
                    continue;
                }
            };
            let found = source.found(self.rules);
            let mut is_known = false;
            for (index, item) in found.items.iter().enumerate() {
                let Content::Kind(kind) = item.content else { continue };
                let lines = Named::read(kind, &item.der, self.rules).and_then(|value| {
                    let Some(value) = value else { return Ok(None) };
                    self.lines(&value).map(Some)
                });
                match lines {
                    Ok(None) => {}
                    Ok(Some(lines)) => {
                        is_known = true;
                        if !std::mem::take(&mut first) {
                            writeln!(out)?;
                        }
                        if self.files.len() > 1 {
                            writeln!(out, "file={name}")?;
                        }
                        for line in lines {
                            writeln!(out, "{line}")?;
                        }
                    }
                    Err(error) => {
                        is_known = true;
                        outcome.negative = true;
                        out.flush()?;
                        let message = format!("{error}{}", rules::hint(&error));
                        writeln!(err, "tagwise: {name}: {}", numbered(&message, index, &found))?;
                    }
                }
            }
            if !is_known {
                outcome.negative = true;
                out.flush()?;
                writeln!(err, "tagwise: {name}: {}", found.nothing("certificate and no CRL", source.len()))?;
            }
            self.server(&source, &name, &mut outcome, out, err)?;
        }
        out.flush()?;
        Ok(outcome)
    }

    /// Returns the lines for the selected fields: NAME=VALUE, with an empty value if the field is absent.
    fn lines(&self, value: &Named<'_>) -> Result<Vec<String>, tagwise_codec::Error> {
        let mut lines = Vec::new();
        for name in &self.fields {
            let Some(field) = field(name) else { continue };
            let texts = field.texts(value)?;
            if texts.iter().any(|text| text.contains('\n')) {
                lines.extend(texts.iter().flat_map(|text| text.lines()).map(|line| visible(&line).to_string()));
            } else {
                lines.push(format!("{name}={}", visible(&texts.join(", "))));
            }
        }
        Ok(lines)
    }
}
