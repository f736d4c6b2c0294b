//! `tagwise decode`: decodes values with a schema, to text or JSON.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde_json::value::RawValue;
use tagwise_codec::Options;
use tagwise_codec::value::{Dynamic, Print, Value};
use tagwise_input::Wrapped;
use tagwise_input::row::{Record, records};
use tagwise_pkix::name::visible;
use tagwise_show::oid_name;
use tagwise_show::render::json;
use tagwise_tables::untagged::Rules;

use crate::shared::context::Context;
use crate::shared::modules::{self, SchemaArgs};
use crate::shared::output::{Failure, Secrecy, deliver_as, finish, name_of};
use crate::shared::reading::{Filler, Reading};
use crate::shared::refused::Refused;
use crate::shared::rules;
use crate::shared::rules_arg::{RulesArg, WrappingArg};
use crate::shared::values::{BUDGET, Painted};
use crate::shared::{times, untagged};

pub(crate) const ABOUT: &str = "\
Decode a value by an ASN.1 schema.

Each --schema is a file of modules, or a folder of them (*.asn1, *.asn), which must include all imported modules. Constraints are \
checked; a note lists those that cannot be. Open types are decoded by their object sets. The wrapping of the file (PEM, hexadecimal, base64) is detected. Every \
value in the file is decoded, and all must be of the type.

An error gives the path of the component, the offset and the clause; offsets count from the start of the file or PEM block.

With the rules of PER and OER, a file, PEM block or text is one value. Offsets in PER count bits. With the rules of XER, the \
file is one XML document.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise decode --schema ldap.asn1 --type LDAPMessage --rules ber message.ber
  tagwise decode --schema rfc5912/ --type Certificate cert.pem
  tagwise decode --schema m.asn1 --type Point --jer point.der | jq .x
  tagwise decode --schema m.asn1 --type Point --rules uper --bits point.hex
  tagwise decode --schema m.asn1 --type Point --rules xer --jer point.xml
  tagwise decode --schema rfc5912/ --type Certificate --gser cert.pem
  tagwise decode --schema m.asn1 --type Point --json point.der   (schema tagwise.decode/1)

Exit codes: 0 decoded; 1 the value or the schema is malformed; 2 usage error; 3 a file could not be read; 4 a limit was exceeded.";

#[derive(Debug, clap::Args)]
pub(crate) struct DecodeArgs {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File with ASN.1 modules, or a folder of them; may be repeated
    #[arg(short, long, value_name = "PATH", required = true)]
    schema: Vec<PathBuf>,
    /// The type: NAME, or MODULE.NAME [default: the only type that no other type refers to]
    #[arg(short, long = "type", value_name = "NAME")]
    ty: Option<String>,
    /// Encoding rules of the input
    #[arg(long, value_name = "RULES", default_value = "der")]
    rules: RulesArg,
    /// Print JSON (schema tagwise.decode/1), with values as in X.697
    #[arg(long)]
    json: bool,
    /// Wrapping of the input [default: detected]
    #[arg(long, value_name = "FORM")]
    from: Option<WrappingArg>,
    /// Print only the values in X.697 JSON, one per line
    #[arg(long, conflicts_with = "json")]
    jer: bool,
    /// Print the values in GSER (RFC 3641), one per line
    #[arg(long, conflicts_with_all = ["json", "jer"])]
    gser: bool,
    /// Print the offset in front of each component
    #[arg(long, conflicts_with_all = ["json", "jer", "gser"])]
    offset: bool,
    /// Print the position and size of each component in bits (PER and OER). If the input is malformed, print those up to the error
    #[arg(long, conflicts_with_all = ["json", "jer", "gser", "offset"])]
    bits: bool,
    /// Write to this file
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limits: SchemaArgs,
}

impl DecodeArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let mut notes = Vec::new();
        let done = self.decode(&context.colored(self.output.is_none()), out, &mut notes);
        for note in notes {
            writeln!(err, "tagwise: {}: note: {}", name_of(&self.file), visible(&note))?;
        }
        finish(done, err)
    }

    fn decode(&self, context: &Context, out: &mut dyn Write, notes: &mut Vec<String>) -> Result<u8, Failure> {
        let schema = modules::compile(context, &self.schema, &self.limits.options())?;
        let (name, ty) = modules::ty(&schema, self.ty.as_deref())?;
        let unchecked = modules::unchecked(&schema, &name);
        notes.extend(unchecked.iter().cloned());
        let untagged = self.rules.untagged();
        if self.bits && untagged.is_none_or(Rules::is_text) {
            return Err(Failure::usage("--bits needs --rules uper, aper, cuper, caper, oer or coer"));
        }
        if self.offset && untagged.is_some() {
            return Err(Failure::usage("--offset needs --rules der, ber or cer"));
        }
        let untagged = untagged.map(|rules| untagged::Type::new(context, &schema, &name, rules)).transpose()?;
        let options = Options::der().rules(context.allowed.decoding);
        let octets = context.load(&self.file).map_err(|error| Failure::file(&self.file, "read", &error))?;
        if octets.is_empty() && !untagged::Type::may_be_empty(self.rules.untagged()) {
            return Err(self.negative("", "the file is empty"));
        }
        let armour = self.from.map(WrappingArg::armour).or(self.rules.armour());
        let source = match &untagged {
            Some(ty) => ty.open(octets, armour),
            None => Wrapped::open(octets, armour),
        };
        let source = source.map_err(|message| self.negative("", message))?;
        let mut output = Vec::new();
        let (mut entries, mut lines) = (Vec::new(), Vec::new());
        let secrecy = Secrecy::of_values(&source.values);
        for value in &source.values {
            let place = value.block.as_ref().map(|_| format!("{}: ", value.name())).unwrap_or_default();
            if let Some(problem) = &value.problem {
                return Err(self.negative(&place, problem));
            }
            let all = value.octets.as_slice();
            if let Some(untagged) = &untagged {
                let read = match untagged.decode(all, self.bits) {
                    Ok(read) => read,
                    Err(error) => {
                        if self.bits && self.output.is_none() {
                            output.extend(untagged.partial_positions(all).into_bytes());
                            deliver_as(secrecy, &output, None, true, out)?;
                        }
                        return Err(self.negative(&place, error));
                    }
                };
                notes.extend(read.deviations.into_iter().map(|one| format!("{place}{one}")));
                if self.json || self.jer {
                    notes.extend(times::rewritten(&read.value).into_iter().map(|one| format!("{place}{one}")));
                }
                if self.json {
                    entries.push(entry(&ty, &read.value, 0, all.len()));
                } else if self.jer {
                    let value = json::raw(tagwise_jer::to_string(ty.types(), &read.value));
                    value.and_then(|value| json::line(&mut output, &value))?;
                } else if self.gser {
                    output.extend(
                        self.gser_line(&ty, &read.value).map_err(|error| self.negative(&place, error))?.into_bytes(),
                    );
                } else if self.bits {
                    output.extend(read.positions.into_bytes());
                } else {
                    output.extend(self.text(&ty, &read.value, context.color).into_bytes());
                }
                continue;
            }
            // Input that cannot be split is treated as one value, so that its error has a path.
            for part in records(all).unwrap_or_else(|| vec![Record::Value(all)]) {
                let offset = |part: &[u8]| (part.as_ptr() as usize).saturating_sub(all.as_ptr() as usize);
                let part = match part {
                    Record::Value(part) => part,
                    Record::Filler(part) => {
                        let filler = Filler { octets: part, start: offset(part) };
                        if self.rules != RulesArg::Ber {
                            return Err(self.negative(&place, filler.refused()));
                        }
                        notes.push(format!("{place}{filler}"));
                        continue;
                    }
                };
                let start = offset(part);
                let place = match start {
                    0 => place.clone(),
                    start => format!("{place}in the value at byte {start}: "),
                };
                let read = Reading { rules: self.rules, ty: &ty, options, keeps_form: false };
                let mut failed = None;
                let done = read.with(part, |value, deviations| {
                    notes.extend(deviations.into_iter().map(|one| format!("{place}{one}")));
                    if self.json || self.jer {
                        notes.extend(times::rewritten(value).into_iter().map(|one| format!("{place}{one}")));
                    }
                    if self.json {
                        entries.push(entry(&ty, value, start, part.len()));
                    } else if self.jer {
                        let value = json::raw(tagwise_jer::to_string(ty.types(), value));
                        lines.push(value.and_then(|value| json::line(&mut output, &value)));
                    } else if self.gser {
                        match self.gser_line(&ty, value) {
                            Ok(text) => output.extend(text.into_bytes()),
                            Err(error) => failed = Some(error),
                        }
                    } else {
                        output.extend(self.text(&ty, value, context.color).into_bytes());
                    }
                });
                done.map_err(|error| self.negative(&place, Refused::with_hint(&error, rules::hint(&error))))?;
                if let Some(error) = failed {
                    return Err(self.negative(&place, error));
                }
                lines.drain(..).collect::<io::Result<()>>()?;
            }
        }
        if self.json {
            let values = entries.into_iter().collect::<io::Result<Vec<_>>>()?;
            let tolerated = notes.get(unchecked.len()..).unwrap_or_default();
            json::line(
                &mut output,
                &Document { schema: "tagwise.decode/1", ty: &name, values, unchecked, notes: tolerated },
            )?;
        }
        // Text is for terminals, too.
        deliver_as(secrecy, &output, self.output.as_ref(), self.output.is_none(), out)?;
        Ok(0)
    }

    /// The text of a value in GSER, as a line.
    fn gser_line(&self, ty: &Dynamic<'_>, value: &Value<'_>) -> Result<String, String> {
        Ok(tagwise_xer::gser::to_string(ty.types(), value).map_err(|error| error.to_string())? + "\n")
    }

    fn text(&self, ty: &Dynamic<'_>, value: &Value<'_>, color: bool) -> String {
        let mut text = Painted { text: String::new(), color };
        let print = Print::new(ty.types()).oid_names(&oid_name).budget(BUDGET).offsets(self.offset);
        match print.line(value) {
            Some(line) => text.text.push_str(&format!("{line}\n")),
            None => {
                // Writing to memory does not fail.
                let _ = print.print(value, &mut text);
            }
        }
        text.text
    }

    fn negative(&self, place: &str, message: impl Into<Refused>) -> Failure {
        message.into().inside(place).failure(&self.file)
    }
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'d> {
    schema: &'static str,
    #[serde(rename = "type")]
    ty: &'d str,
    values: Vec<DecodedValue>,
    /// The constraints that are not enforced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unchecked: Vec<String>,
    /// The tolerated deviations and the skipped filler.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'d [String],
}

/// A value in the JSON document.
#[derive(Serialize)]
struct DecodedValue {
    offset: usize,
    size: usize,
    value: Box<RawValue>,
}

fn entry(ty: &Dynamic<'_>, value: &Value<'_>, offset: usize, size: usize) -> io::Result<DecodedValue> {
    Ok(DecodedValue { offset, size, value: json::raw(tagwise_jer::to_string(ty.types(), value))? })
}
