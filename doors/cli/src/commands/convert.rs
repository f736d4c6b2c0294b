//! `tagwise convert`: converts between DER, BER and CER and between text and binary forms, certificates to and from
//! bundles, and values to and from JSON.

mod bundle;
mod json;
mod pkcs12;
mod rules;
mod schema;

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use tagwise_pkix::oids::files::label;

use clap::ValueEnum;
use clap::builder::{PathBufValueParser, TypedValueParser};
use tagwise_codec::stream::Rules;
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Options, RuleSet, pem};
use tagwise_input::{Armour, ValueKind, Wrapped, WrappedValue, row, wrap};
use tagwise_pkix::c509::C509Certificate;
use tagwise_pkix::name::visible;

use crate::shared::context::Context;
use crate::shared::keystores::Keystores;
use crate::shared::modules::SchemaArgs;
use crate::shared::output::{Failure, Secrecy, deliver_as, finish, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::remote::{self, ConnectArgs};
use crate::shared::rules_arg::RulesArg;

pub(crate) const ABOUT: &str = "\
Convert between DER, BER, CER, PEM, hexadecimal and base64; pack certificates into bundles and unpack them; write and read JSON.

der, ber and cer are encoding rules; pem, hex and base64 are wrappings. A wrapping alone keeps the bytes unchanged; encoding rules \
alone produce binary output; `--to der,pem` combines the two. The form of the input is detected, and any BER is accepted, unless \
--from names the form: `--from der` and `--from cer` reject everything else.

  der  the distinguished encoding: definite lengths, unsegmented strings, one encoding per value. Certificates and CRLs are \
converted by type, and their signed parts keep their bytes. For other input, only universal tags are interpreted; a note lists what \
only a schema could decide: segmented strings under other tags, and the order of a SET.
  cer  the canonical encoding: indefinite lengths, strings in segments of 1000 bytes.
  ber  every constructed element with indefinite length, and nothing else changed; useful for testing BER decoders.

  p7   the certificates and CRLs in one PKCS #7 message without signatures; in PEM with `,pem`.
  p12  the certificates, CRLs and private keys in one PKCS #12 file without password and MAC: anybody who can read the file can use \
the keys.
  certs  the certificates and CRLs themselves, from PEM, PKCS #7, archives, Java keystores, and PKCS #12 files that need no password \
or that of --passphrase-file; with `,pem`, one block each.
  c509  a certificate in CBOR (draft-ietf-cose-cbor-encoded-cert), or several as in COSE; `--from c509` restores the original byte \
for byte, except for certificates that are signed in that form.
  json  each value in X.697 JSON, with the names of its ASN.1 type (schema tagwise.convert/1). `--from json` converts it back, to \
DER or to PEM with the original label. Secrets are included: the JSON of a private key is a private key.

With --schema, the values are of one of the schema's types. Then uper, aper, cuper, caper (PER), oer, coer (OER), xer, cxer and exer (XER) are encoding rules, \
too, and json is the value alone, as `tagwise decode --jer` prints it. Constraints are checked. ber has indefinite lengths. BER, CER and DER are otherwise \
unchanged in it, and times keep their form; rules with one form of each time change it, with a note. A PER or OER file, PEM block or text is \
one value.

Every block of a PEM file and every concatenated value is converted; text around blocks is dropped. Blocks keep their labels; other \
values get the label of their content, if it is known: PKCS7 for PKCS #7 version 1.5, CMS for newer messages. Either everything is \
written or nothing is. With --strict, nothing is written if a note would report an uncertain conversion.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise convert --to der -o cert.der cert.pem
  tagwise convert --to pem roots.der               one block for each concatenated value
  tagwise convert --to der,pem message.p7b         BER to DER, as PEM
  tagwise convert --to pem --label PKCS12 -o x.pem x.p12
  tagwise convert --to p7,pem -o chain.p7b chain.pem
  tagwise convert --to p12 -o x.p12 key-and-chain.pem
  tagwise convert --to certs,pem chain.p7b         the certificates in a bundle
  tagwise convert --to pem --first certificate key-and-chain.pem    the first certificate alone
  tagwise convert --to certs,pem --passphrase-file secret.txt keys.p12
  tagwise convert --to json cert.pem | jq . >cert.json
  tagwise convert --from json --to der -o cert.der cert.json
  tagwise convert --to c509 -o cert.c509 cert.pem
  tagwise convert --to hex --from cer message.cer  rejected unless it is CER
  tagwise convert --to der --strict message.p7b    rejected if only a schema could decide
  echo 30030201 05 | tagwise convert --to base64 -
  tagwise convert --schema m.asn1 --type Point --from uper --to der -o point.der point.hex

Exit codes: 0 converted; 1 the input is malformed; 2 usage error; 3 a file could not be read or written; 4 a limit was exceeded.";

/// Encoding rules or a wrapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FileForm {
    Der,
    Ber,
    Cer,
    /// No wrapping
    Binary,
    Pem,
    Hex,
    Base64,
    /// A bundle: a PKCS #7 message without signatures
    P7,
    /// The certificates and CRLs in the file
    Certs,
    /// X.697 JSON
    Json,
    /// PER (X.691), with --schema: basic, unaligned
    Uper,
    /// PER: basic, aligned
    Aper,
    /// PER: canonical, unaligned
    Cuper,
    /// PER: canonical, aligned
    Caper,
    /// OER (X.696), with --schema: basic
    Oer,
    /// OER: canonical
    Coer,
    /// XER (X.693), with --schema: basic
    Xer,
    /// XER: canonical
    Cxer,
    /// XER: extended
    Exer,
    /// A certificate in CBOR
    C509,
    /// PKCS #12 without a password
    P12,
}

/// The result of a conversion that depends on the decoded content, not only on the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Bundle,
    Certificates,
    Json,
    Compact,
    Store,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    /// The file, or a server as tls://HOST:PORT; `-` is standard input
    #[arg(value_name = "FILE", value_parser = PathBufValueParser::new().try_map(remote::file_or_server))]
    file: PathBuf,
    /// Target: rules, a wrapping, or both
    #[arg(long, value_name = "FORM", value_delimiter = ',', required = true)]
    to: Vec<FileForm>,
    /// Source: rules, a wrapping, or both [default: detected, any BER]
    #[arg(long, value_name = "FORM", value_delimiter = ',')]
    from: Vec<FileForm>,
    /// Convert only the first value of this kind, and nothing else of the file
    #[arg(long, value_name = "KIND", value_enum, conflicts_with_all = ["from", "schema"])]
    first: Option<FirstKind>,
    /// The label of PEM blocks
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// Reject input whose conversion is uncertain, instead of printing a note
    #[arg(long)]
    strict: bool,
    /// With --to certs, p7 and c509, open PKCS #12 files with the passphrase in the first line of this file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// File with ASN.1 modules, or a folder of them, for values of their types; may be repeated
    #[arg(short, long, value_name = "PATH")]
    schema: Vec<PathBuf>,
    /// With --schema, the type: NAME, or MODULE.NAME [default: the only type that no other type refers to]
    #[arg(short, long = "type", value_name = "NAME", requires = "schema")]
    ty: Option<String>,
    #[command(flatten)]
    limits: SchemaArgs,
    /// Write to this file, atomically; a file with a private key is readable by its owner only, and replaces an existing file only
    /// with --force
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output to a terminal, and overwrite an existing file with a private key
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    connect: ConnectArgs,
}

/// The kinds of values that can be selected from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FirstKind {
    Certificate,
    Crl,
    Request,
    /// PKCS #7 or CMS
    Message,
}

impl FirstKind {
    const fn kind(self) -> ValueKind {
        match self {
            Self::Certificate => ValueKind::Certificate,
            Self::Crl => ValueKind::CertificateList,
            Self::Request => ValueKind::CertificationRequest,
            Self::Message => ValueKind::Cms,
        }
    }

    /// The label of a PEM block of this kind.
    const fn label(self) -> &'static str {
        match self {
            Self::Certificate => label::CERTIFICATE,
            Self::Crl => label::X509_CRL,
            Self::Request => label::CERTIFICATE_REQUEST,
            Self::Message => label::PKCS7,
        }
    }
}

/// The input or output format of a conversion.
struct Side {
    rules: Option<RulesArg>,
    armour: Option<Armour>,
    content: Option<Content>,
}

impl Side {
    fn new(forms: &[FileForm], option: &str) -> Result<Self, Failure> {
        let mut side = Self { rules: None, armour: None, content: None };
        for form in forms {
            let double = match form {
                FileForm::Der => side.rules.replace(RulesArg::Der).is_some(),
                FileForm::Ber => side.rules.replace(RulesArg::Ber).is_some(),
                FileForm::Cer => side.rules.replace(RulesArg::Cer).is_some(),
                FileForm::Uper => side.rules.replace(RulesArg::Uper).is_some(),
                FileForm::Aper => side.rules.replace(RulesArg::Aper).is_some(),
                FileForm::Cuper => side.rules.replace(RulesArg::Cuper).is_some(),
                FileForm::Caper => side.rules.replace(RulesArg::Caper).is_some(),
                FileForm::Oer => side.rules.replace(RulesArg::Oer).is_some(),
                FileForm::Coer => side.rules.replace(RulesArg::Coer).is_some(),
                FileForm::Xer => side.rules.replace(RulesArg::Xer).is_some(),
                FileForm::Cxer => side.rules.replace(RulesArg::Cxer).is_some(),
                FileForm::Exer => side.rules.replace(RulesArg::Exer).is_some(),
                FileForm::Binary => side.armour.replace(Armour::Binary).is_some(),
                FileForm::Pem => side.armour.replace(Armour::Pem).is_some(),
                FileForm::Hex => side.armour.replace(Armour::Hex).is_some(),
                FileForm::Base64 => side.armour.replace(Armour::Base64).is_some(),
                FileForm::P7 => side.content.replace(Content::Bundle).is_some(),
                FileForm::Certs => side.content.replace(Content::Certificates).is_some(),
                FileForm::Json => side.content.replace(Content::Json).is_some(),
                FileForm::C509 => side.content.replace(Content::Compact).is_some(),
                FileForm::P12 => side.content.replace(Content::Store).is_some(),
            };
            if double {
                return Err(Failure::usage(format!(
                    "duplicate {option}: give at most one of der, ber and cer, one of pem, hex and base64, and one of p7, p12, certs, json and c509"
                )));
            }
        }
        let wrong = match side.content {
            None => false,
            Some(Content::Json) => side.rules.is_some() || side.armour.is_some(),
            Some(Content::Compact) => side.rules.is_some() || side.armour == Some(Armour::Pem),
            Some(_) => option == "--from" || !matches!(side.rules, None | Some(RulesArg::Der)),
        };
        match wrong {
            true => Err(Failure::usage(format!(
                "{option} accepts json alone; c509 alone or with hex or base64; and, for output only, p7, p12 and certs alone or with der or pem"
            ))),
            false => Ok(side),
        }
    }

    /// The encoding rules, without a schema.
    fn tagged(&self, option: &str) -> Result<Option<Rules>, Failure> {
        Ok(match self.rules {
            None => None,
            Some(RulesArg::Der) => Some(Rules::Der),
            Some(RulesArg::Ber) => Some(Rules::Ber),
            Some(RulesArg::Cer) => Some(Rules::Cer),
            Some(_) => return Err(Failure::usage(format!("{option} with PER, OER and XER requires --schema"))),
        })
    }
}

/// The maximum number of notes to print.
const NOTES: usize = 10;

impl ConvertArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.convert(context, out, err);
        finish(done, err)
    }

    fn convert(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let (from, to) = (Side::new(&self.from, "--from")?, Side::new(&self.to, "--to")?);
        let to_pem = to.armour == Some(Armour::Pem);
        if let Some(label) = &self.label {
            if !to_pem {
                return Err(Failure::usage("--label requires --to pem"));
            }
            if pem::encode(label, &[]).is_err() {
                return Err(Failure::usage(format!("'{}' is not a valid PEM label (RFC 7468 §3)", visible(label))));
            }
        }
        if !self.schema.is_empty() {
            return self.by_schema(context, (&from, &to), out, err);
        }
        let (from_rules, to_rules) = (from.tagged("--from")?, to.tagged("--to")?);
        let mut octets = remote::load(context, &self.file, &self.connect)?;
        if octets.is_empty() {
            return Err(self.negative("the file is empty"));
        }
        if let Some(first) = self.first {
            octets = self.only(first, &octets)?;
        }
        match to.content {
            Some(Content::Bundle | Content::Certificates | Content::Compact) if from.content.is_none() => {
                return self.bundled(&octets, &to, out, err);
            }
            Some(Content::Store) if from.content.is_none() => return self.stored(octets, &from, &to, out, err),
            Some(Content::Bundle | Content::Certificates | Content::Compact | Content::Store) => {
                return Err(Failure::usage(
                    "--from json and --from c509 require --to der, ber, cer, pem, hex, base64 or json",
                ));
            }
            _ => {}
        }
        let source = if from.content == Some(Content::Json) {
            let values = json::values(&octets).map_err(|error| self.negative(visible(&error)))?;
            Ok(Wrapped::made(values))
        } else if from.content == Some(Content::Compact) {
            let octets = match from.armour {
                Some(armour) => Wrapped::open(octets, Some(armour)).map_err(|message| self.negative(message))?.octets(),
                None => octets,
            };
            let read = C509Certificate::read_all(&octets).map_err(|error| self.negative(error))?;
            let made: Result<Vec<_>, _> = read.iter().map(C509Certificate::to_x509).collect();
            let made = made.map_err(|error| self.negative(error))?;
            Ok(Wrapped::made(made.into_iter().map(|der| (Some(label::CERTIFICATE.to_owned()), der)).collect()))
        } else {
            Wrapped::open(octets, from.armour)
        };
        let source = source.map_err(|message| self.negative(message))?;
        let mut output = Vec::new();
        let mut notes = Vec::new();
        let mut entries = Vec::new();
        for value in &source.values {
            let place = place(value);
            if let Some(problem) = &value.problem {
                return Err(self.negative(format!("{place}{}", visible(problem))));
            }
            if value.headers && to_pem {
                return Err(self.negative(format!("{place}the block has headers, which would be lost")));
            }
            // Bytes are unchanged unless a conversion applies.
            let to_json = to.content == Some(Content::Json);
            let asked = from_rules.is_some() || to_rules.is_some() || to_json;
            let parts = if asked || to_pem && value.block.is_none() {
                row::values(&value.octets, from_rules.unwrap_or(Rules::Ber), asked)
            } else {
                Ok(vec![value.octets.as_slice()])
            };
            let parts = match parts {
                Ok(parts) => parts,
                // With a given label, the content need not be an encoding.
                Err(_) if !asked && self.label.is_some() => vec![value.octets.as_slice()],
                Err(error) => {
                    return Err(self.negative(match &value.foreign {
                        Some(foreign) => format!("{place}{foreign}"),
                        None => format!("{place}{error}"),
                    }));
                }
            };
            let used: usize = parts.iter().map(|part| part.len()).sum();
            if let Some(padding) = value.octets.len().checked_sub(used).filter(|padding| *padding > 0) {
                notes.push(format!("{place}the last {padding} bytes are 00, and were left out"));
            }
            let mut whole = Vec::new();
            for part in parts {
                // Offsets are those of the block, or of the file.
                let start = (part.as_ptr() as usize).saturating_sub(value.octets.as_ptr() as usize);
                if to_json {
                    let label = value.block.as_ref().map(|(label, _)| label.as_str());
                    let entry = json::entry(part, start, label, &mut |note| notes.push(format!("{place}{note}")));
                    entries.push(entry.map_err(|error| error.inside(&place).failure(&self.file))?);
                    continue;
                }
                let converted = match to_rules {
                    Some(rules) => rules::convert(context, part, start, rules, self.strict, &mut |note| {
                        notes.push(format!("{place}{note}"));
                    }),
                    None => Ok(part.to_vec()),
                };
                let converted = converted.map_err(|error| error.inside(&place).failure(&self.file))?;
                // Values that shared a block still do; others get one block each.
                if to_pem && value.block.is_none() {
                    output.extend(self.block(value, &converted)?.into_bytes());
                } else {
                    whole.extend(converted);
                }
            }
            match to.armour {
                Some(Armour::Pem) if value.block.is_none() => {}
                Some(Armour::Pem) => output.extend(self.block(value, &whole)?.into_bytes()),
                Some(armour) => output.extend(wrap(armour, &whole)),
                None => output.extend(whole),
            }
        }
        if to.content == Some(Content::Json) {
            output = json::document(&entries)?;
        }
        let refused = self.strict && !notes.is_empty();
        if !refused {
            deliver_as(Secrecy::of_values(&source.values), &output, self.output.as_ref(), self.force, out)?;
        }
        for note in notes.iter().take(NOTES) {
            writeln!(err, "tagwise: {}: note: {}", name_of(&self.file), visible(note))?;
        }
        if let Some(more) = notes.len().checked_sub(NOTES).filter(|more| *more > 0) {
            writeln!(err, "tagwise: {}: note: {more} more notes of this kind", name_of(&self.file))?;
        }
        if refused {
            let what = if notes.len() == 1 { "one element is" } else { "some elements are" };
            return Err(
                self.negative(format!("{what} not converted with certainty: nothing was written because of --strict"))
            );
        }
        Ok(0)
    }

    /// Returns the first value of a kind as PEM, without anything else in the file.
    fn only(&self, first: FirstKind, octets: &[u8]) -> Result<Vec<u8>, Failure> {
        let source = tagwise_input::find(octets, RuleSet::PEM_LAX);
        for item in &source.items {
            if item.content == tagwise_input::Content::Kind(first.kind()) {
                // Other bytes under the label of this kind are not written.
                let lax = Dynamic::new(first.kind().ty()).options(Options::der().rules(RuleSet::ALL));
                if let Err(error) = lax.decode(&item.der) {
                    let line = item.line.map_or(String::new(), |line| format!(" in line {line}"));
                    return Err(self.negative(format!("malformed {}{line}: {error}", first.kind().words())));
                }
                let text = pem::encode(first.label(), &item.der).map_err(|error| self.negative(error))?;
                return Ok(text.into_bytes());
            }
            // A damaged value of this kind is not skipped in favor of a later one.
            if let Some(problem) = &item.problem
                && item.label.as_deref().is_none_or(|label| label == first.label())
            {
                return Err(self.negative(visible(&problem.line())));
            }
        }
        Err(self.negative(visible(&source.nothing(first.kind().words(), octets.len()))))
    }

    /// Packs the certificates, CRLs and private keys of the file into one PKCS #12 file.
    fn stored(
        &self,
        octets: Vec<u8>,
        from: &Side,
        to: &Side,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let source = Wrapped::open(octets, from.armour).map_err(|message| self.negative(message))?;
        let mut notes = Vec::new();
        let made = pkcs12::of(&source.values, &mut notes).map_err(|error| self.negative(visible(&error)))?;
        let output = match to.armour {
            Some(Armour::Pem) => {
                let label = self.label.as_deref().unwrap_or(label::PKCS12);
                pem::encode(label, &made).map_err(|error| self.negative(error))?.into_bytes()
            }
            Some(armour) => wrap(armour, &made),
            None => made,
        };
        if self.strict && !notes.is_empty() {
            return Err(
                self.negative(format!("{}: nothing was written because of --strict", visible(&notes.join(", "))))
            );
        }
        deliver_as(Secrecy::of_values(&source.values), &output, self.output.as_ref(), self.force, out)?;
        for note in &notes {
            writeln!(err, "tagwise: {}: note: {}", name_of(&self.file), visible(note))?;
        }
        Ok(0)
    }

    /// Extracts the certificates and CRLs of the file, together or one by one.
    fn bundled(&self, octets: &[u8], to: &Side, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let passphrase = match &self.passphrase_file {
            Some(path) => PassphraseArgs::of_file(path).named()?,
            None => None,
        };
        let mut found =
            bundle::find(octets, &Keystores::new(passphrase)?).map_err(|error| self.negative(visible(&error)))?;
        let compact = match to.content {
            Some(Content::Compact) => Some(found.compact().map_err(|error| self.negative(visible(&error)))?),
            _ => None,
        };
        let is_message = to.content == Some(Content::Bundle);
        let binary = || match (&compact, is_message) {
            (Some(octets), _) => Ok(octets.clone()),
            (None, true) => found.message(),
            (None, false) => Ok(found.octets()),
        };
        let output = match (to.armour, is_message) {
            (Some(Armour::Pem), false) => found.blocks().map(String::into_bytes),
            (Some(Armour::Pem), true) => binary().and_then(|octets| {
                let label = self.label.as_deref().unwrap_or(label::PKCS7);
                pem::encode(label, &octets).map(String::into_bytes).map_err(|error| error.to_string())
            }),
            (Some(armour), _) => binary().map(|octets| wrap(armour, &octets)),
            (None, _) => binary(),
        };
        let output = output.map_err(|error| self.negative(visible(&error)))?;
        if self.strict && !found.notes.is_empty() {
            return Err(self.negative(format!("{}: nothing was written because of --strict", found.notes.join(", "))));
        }
        deliver_as(Secrecy::Public, &output, self.output.as_ref(), self.force, out)?;
        for note in &found.notes {
            writeln!(err, "tagwise: {}: note: {}", name_of(&self.file), visible(note))?;
        }
        Ok(0)
    }

    /// A PEM block with the requested label, the original label, or the label of its content.
    fn block(&self, value: &WrappedValue, octets: &[u8]) -> Result<String, Failure> {
        let own = || value.block.as_ref().map(|(label, _)| label.clone());
        let told = || tagwise_input::certain_label(octets).map(str::to_owned);
        let label = self.label.clone().or_else(own).or_else(told).ok_or_else(|| {
            Failure::usage(format!("{}: the content has no known label: give --label LABEL", name_of(&self.file)))
        })?;
        pem::encode(&label, octets).map_err(|error| self.negative(format!("the label '{}': {error}", visible(&label))))
    }

    fn negative(&self, message: impl fmt::Display) -> Failure {
        Failure::negative(format!("{}: {message}", name_of(&self.file)))
    }
}

/// The description of the block that an answer is about.
fn place(value: &WrappedValue) -> String {
    match &value.block {
        Some(_) => format!("{}: ", visible(&value.name())),
        None => String::new(),
    }
}
