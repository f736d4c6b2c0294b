//! `tagwise show --subject --enddate …`: shows only the given fields, one per line.

use std::io;

use tagwise_input::{Content, InputItem};
use tagwise_pkix::name::visible;
use tagwise_show::named::{Named, field};
use tagwise_show::render::openssl::Shown;

use super::Show;
use super::printer::Lines;
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

impl Lines<'_> {
    /// Writes the chosen fields of a certificate, CRL, request or public key.
    pub(super) fn fields(&mut self, item: &InputItem<'_>, _: (usize, usize), name: &str) -> io::Result<Shown> {
        if let Some(problem) = &item.problem {
            return Ok(Shown { known: true, error: Some(problem.line()) });
        }
        let Content::Kind(kind) = item.content else { return Ok(Shown { known: false, error: None }) };
        let lines = match Named::read(kind, &item.der, self.show.context.allowed.decoding) {
            Ok(None) => return Ok(Shown { known: false, error: None }),
            Ok(Some(value)) => self.show.lines(&value),
            Err(error) => Err(error),
        };
        let lines = match lines {
            Ok(lines) => lines,
            Err(error) => {
                return Ok(Shown { known: true, error: Some(format!("{error}{}", rules::hint(&error))) });
            }
        };
        if !std::mem::take(&mut self.is_first) {
            writeln!(self.out)?;
        }
        if self.show.args.files.len() > 1 {
            writeln!(self.out, "file={name}")?;
        }
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        Ok(Shown { known: true, error: None })
    }
}

impl Show<'_> {
    /// The lines of the chosen fields: NAME=VALUE, with an empty value if the field is absent.
    fn lines(&self, value: &Named<'_>) -> Result<Vec<String>, tagwise_codec::Error> {
        let mut lines = Vec::new();
        for name in &self.fields {
            let Some(field) = field(name) else { continue };
            let texts = field.texts(value)?;
            if field.name() == "pubkey" {
                lines.extend(texts.iter().flat_map(|text| text.lines()).map(|line| visible(&line).to_string()));
            } else {
                lines.push(format!("{name}={}", visible(&texts.join(", "))));
            }
        }
        Ok(lines)
    }
}
