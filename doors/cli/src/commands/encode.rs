//! `tagwise encode`: encodes values with a schema, from JSON.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::value::RawValue;
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Options, cer, pem};
use tagwise_input::{Armour, wrap};
use tagwise_pkix::name::visible;

use crate::shared::context::Context;
use crate::shared::modules::{self, SchemaArgs};
use crate::shared::output::{Failure, deliver, finish, name_of};
use crate::shared::refused::Refused;
use crate::shared::rules_arg::{RulesArg, WrappingArg};
use crate::shared::{times, untagged};

pub(crate) const ABOUT: &str = "\
Encode a value by an ASN.1 schema, from JSON.

The JSON is one or more values in X.697 form, as `tagwise decode --jer` writes them, or a complete document of \
`tagwise decode --json`, which names the type. Constraints are checked; a note lists those that cannot be. Either everything is written or nothing is.

The output is DER, CER, PER, OER or XER; `--rules ber` writes DER, which every BER decoder accepts, except that UTCTime and GeneralizedTime keep their form. In PER, OER and XER, only \
PEM can hold several values.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  echo '{\"x\": 5, \"name\": \"here\"}' | tagwise encode --schema m.asn1 --type Point -o point.der -
  tagwise decode --schema m.asn1 --jer point.der | jq '.x = 6' | tagwise encode --schema m.asn1 --to hex -

Exit codes: 0 encoded; 1 the JSON or the schema is malformed; 2 usage error; 3 a file could not be read or written; 4 a limit was exceeded.";

#[derive(Debug, clap::Args)]
pub(crate) struct EncodeArgs {
    /// The JSON file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File with ASN.1 modules, or a folder of them; may be repeated
    #[arg(short, long, value_name = "PATH", required = true)]
    schema: Vec<PathBuf>,
    /// The type: NAME, or MODULE.NAME [default: the only type that no other type refers to]
    #[arg(short, long = "type", value_name = "NAME")]
    ty: Option<String>,
    /// Encoding rules of the output
    #[arg(long, value_name = "RULES", default_value = "der")]
    rules: RulesArg,
    /// Wrapping of the output
    #[arg(long, value_name = "FORM", default_value = "binary")]
    to: WrappingArg,
    /// The label of PEM blocks
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// Write to this file, atomically
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    limits: SchemaArgs,
}

/// The document of `tagwise decode --json`.
#[derive(Deserialize)]
struct Document<'d> {
    schema: String,
    #[serde(rename = "type")]
    ty: Option<String>,
    #[serde(borrow)]
    values: Vec<JsonInput<'d>>,
}

#[derive(Deserialize)]
struct JsonInput<'d> {
    #[serde(borrow)]
    value: &'d RawValue,
}

impl EncodeArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let mut notes = Vec::new();
        let done = self.encode(context, out, &mut notes);
        for note in notes {
            writeln!(err, "tagwise: {}: note: {}", name_of(&self.file), visible(&note))?;
        }
        finish(done, err)
    }

    fn encode(&self, context: &Context, out: &mut dyn Write, notes: &mut Vec<String>) -> Result<u8, Failure> {
        if self.label.is_some() != (self.to == WrappingArg::Pem) {
            return Err(Failure::usage("--to pem and --label LABEL go together"));
        }
        let schema = modules::compile(context, &self.schema, &self.limits.options())?;
        let octets = context.load(&self.file).map_err(|error| Failure::file(&self.file, "read", &error))?;
        let text = String::from_utf8(octets).map_err(|_error| self.negative("JSON must be UTF-8"))?;
        let Input { ty: own, values } = values(&text).map_err(|error| self.negative(format!("not JSON: {error}")))?;
        let (name, ty) = modules::ty_of(&schema, self.ty.as_deref(), own.as_deref())?;
        notes.extend(modules::unchecked(&schema, &name));
        let untagged =
            self.rules.untagged().map(|rules| untagged::Type::new(context, &schema, &name, rules)).transpose()?;
        single(Some(self.rules), self.to == WrappingArg::Pem, values.len())
            .map_err(|message| self.negative(message))?;
        let mut output = Vec::new();
        for (index, json) in values.iter().enumerate() {
            let encoded = self.value(&ty, untagged.as_ref(), json, notes).map_err(|refused| match values.len() {
                1 => refused.failure(&self.file),
                _ => refused.inside(format_args!("value {index}: ")).failure(&self.file),
            })?;
            output.extend(self.wrapped(&encoded)?);
            if self.is_text() {
                output.push(b'\n');
            }
        }
        deliver(&output, self.output.as_ref(), self.force || self.is_text(), out)?;
        Ok(0)
    }

    /// Returns whether the output consists of lines. CANONICAL-XER has no white-space, not even at its end.
    fn is_text(&self) -> bool {
        self.to == WrappingArg::Binary && matches!(self.rules, RulesArg::Xer | RulesArg::Exer)
    }

    fn value<'s>(
        &self,
        ty: &Dynamic<'s>,
        untagged: Option<&untagged::Type<'s>>,
        json: &str,
        notes: &mut Vec<String>,
    ) -> Result<Vec<u8>, Refused> {
        let value = tagwise_jer::from_str(ty, json)?;
        if times::is_canonical(self.rules) {
            notes.extend(times::rewritten(&value));
        }
        if let Some(untagged) = untagged {
            return untagged.encode(&value);
        }
        if self.rules == RulesArg::Ber {
            return Ok(ty.encode_basic(&value)?);
        }
        let der = ty.encode(&value)?;
        if self.rules != RulesArg::Cer {
            return Ok(der);
        }
        let cer = cer::from_der_as(ty.ty(), ty.types().schema(), &der, &Options::der());
        Ok(cer?.bytes.into_owned())
    }

    fn wrapped(&self, octets: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(match (self.to, &self.label) {
            (WrappingArg::Pem, Some(label)) => pem::encode(label, octets)
                .map_err(|error| Failure::usage(format!("the label '{}': {error}", visible(label))))?
                .into_bytes(),
            (WrappingArg::Hex, _) => wrap(Armour::Hex, octets),
            (WrappingArg::Base64, _) => wrap(Armour::Base64, octets),
            _ => octets.to_vec(),
        })
    }

    fn negative(&self, message: impl fmt::Display) -> Failure {
        Failure::negative(format!("{}: {}", name_of(&self.file), visible(&message)))
    }
}

/// Checks that a number of values can be told apart in the output: encodings without tags do not show where they end.
pub(super) fn single(rules: Option<RulesArg>, is_pem: bool, count: usize) -> Result<(), String> {
    match rules.and_then(RulesArg::untagged) {
        Some(rules) if count > 1 && !is_pem => Err(format!(
            "{count} values, expected one: without PEM, output in {} can hold only one value",
            rules.name().to_uppercase()
        )),
        _ => Ok(()),
    }
}

/// The values in a text.
pub(super) struct Input<'t> {
    /// The type that a document names.
    pub(super) ty: Option<String>,
    pub(super) values: Vec<&'t str>,
}

/// Returns the values in a text, which is either a document or a concatenation of values.
pub(super) fn values(text: &str) -> Result<Input<'_>, serde_json::Error> {
    if let Ok(document) = serde_json::from_str::<Document<'_>>(text)
        && document.schema == "tagwise.decode/1"
    {
        let values = document.values.iter().map(|entry| entry.value.get()).collect();
        return Ok(Input { ty: document.ty, values });
    }
    let stream = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let values: Vec<&str> = stream.map(|value| value.map(RawValue::get)).collect::<Result<_, _>>()?;
    match values.is_empty() {
        // The parser has the best error for missing input.
        true => serde_json::from_str::<&RawValue>(text).map(|value| Input { ty: None, values: vec![value.get()] }),
        false => Ok(Input { ty: None, values }),
    }
}
