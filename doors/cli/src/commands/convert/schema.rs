//! Conversion of values of a schema's types between all encoding rules and JSON.

use std::io::Write;

use tagwise_codec::value::{Dynamic, Value};
use tagwise_codec::{Options, cer, pem};
use tagwise_input::row::{Record, records};
use tagwise_input::{Armour, Wrapped, WrappedValue, wrap};
use tagwise_pkix::name::visible;
use tagwise_show::render::json;

use super::{Content, ConvertArgs, Side, place, rules};
use crate::commands::encode;
use crate::shared::context::Context;
use crate::shared::modules;
use crate::shared::output::{Failure, Secrecy, deliver_as, name_of};
use crate::shared::reading::{Filler, Reading};
use crate::shared::refused::Refused;
use crate::shared::rules as allowances;
use crate::shared::rules_arg::RulesArg;
use crate::shared::{times, untagged};

/// A schema's type, and what its values are converted to.
struct Target<'s> {
    ty: Dynamic<'s>,
    /// `None` for JSON.
    rules: Option<RulesArg>,
    untagged: Option<untagged::Type<'s>>,
}

impl ConvertArgs {
    /// Converts the values of the file, which are of a type of the schema.
    pub(super) fn by_schema(
        &self,
        context: &Context,
        (from, to): (&Side, &Side),
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        for (side, option) in [(from, "--from"), (to, "--to")] {
            if !matches!(side.content, None | Some(Content::Json)) {
                return Err(Failure::usage(format!(
                    "{option} with --schema accepts encoding rules, wrappings and json"
                )));
            }
        }
        let is_json = to.content == Some(Content::Json);
        if !is_json && to.rules.is_none() {
            return Err(Failure::usage("--to with --schema requires encoding rules or json, such as --to der,pem"));
        }
        let schema = modules::compile(context, &self.schema, &self.limits.options())?;
        let octets = context.load(&self.file).map_err(|error| Failure::file(&self.file, "read", &error))?;
        let text = match from.content {
            Some(Content::Json) => {
                Some(String::from_utf8(octets.clone()).map_err(|_error| self.negative("JSON must be UTF-8"))?)
            }
            _ => None,
        };
        let input = text.as_deref().map(encode::values).transpose();
        let input = input.map_err(|error| self.negative(format!("not JSON: {error}")))?;
        let own = input.as_ref().and_then(|input| input.ty.as_deref());
        let (name, ty) = modules::ty_of(&schema, self.ty.as_deref(), own)?;
        let open = |rules: Option<RulesArg>| {
            let rules = rules.and_then(RulesArg::untagged);
            rules.map(|rules| untagged::Type::new(context, &schema, &name, rules)).transpose()
        };
        let (source, target) = (open(from.rules)?, Target { ty, rules: to.rules, untagged: open(to.rules)? });
        let options = Options::der().rules(context.allowed.decoding);
        let rules = from.rules.and_then(RulesArg::untagged);
        if octets.is_empty() && !untagged::Type::may_be_empty(rules) {
            return Err(self.negative("the file is empty"));
        }
        let (mut output, mut notes, mut count) = (Vec::new(), modules::unchecked(&schema, &name), 0);
        if let Some(encode::Input { values, .. }) = input {
            for (index, json) in values.iter().enumerate() {
                let place = if values.len() == 1 { String::new() } else { format!("value {index}: ") };
                let value = tagwise_jer::from_str(&ty, json).map_err(|error| self.wrong(&place, error))?;
                notes.extend(target.notes(&place, &value));
                let made = target.made(&value).map_err(|error| self.wrong(&place, error))?;
                output.extend(self.wrapped(to, None, &made)?);
            }
            self.countable(to, values.len())?;
            return self.delivered(Secrecy::Public, &output, &notes, out, err);
        }
        let armour = from.armour.or(from.rules.and_then(RulesArg::armour));
        let opened = match &source {
            Some(ty) => ty.open(octets, armour),
            None => Wrapped::open(octets, armour),
        };
        let opened = opened.map_err(|message| self.negative(visible(&message)))?;
        for value in &opened.values {
            let place = place(value);
            if let Some(problem) = &value.problem {
                return Err(self.wrong(&place, problem));
            }
            let all = value.octets.as_slice();
            if let Some(source) = &source {
                let read = source.decode(all, false).map_err(|error| self.wrong(&place, error))?;
                notes.extend(read.deviations.into_iter().map(|one| format!("{place}{one}")));
                notes.extend(target.notes(&place, &read.value));
                let made = target.made(&read.value).map_err(|error| self.wrong(&place, error))?;
                output.extend(self.wrapped(to, Some(value), &made)?);
                count += 1;
                continue;
            }
            // Any BER is accepted, unless --from names the rules.
            let keeps_form = to.rules == Some(RulesArg::Ber);
            let read = Reading { rules: from.rules.unwrap_or(RulesArg::Ber), ty: &ty, options, keeps_form };
            // Input that cannot be split is treated as one value, so that its error has a path.
            for part in records(all).unwrap_or_else(|| vec![Record::Value(all)]) {
                let part = match part {
                    Record::Value(part) => part,
                    Record::Filler(part) => {
                        let start = (part.as_ptr() as usize).saturating_sub(all.as_ptr() as usize);
                        let filler = Filler { octets: part, start };
                        if read.rules != RulesArg::Ber {
                            return Err(self.wrong(&place, filler.refused()));
                        }
                        notes.push(format!("{place}{filler}"));
                        continue;
                    }
                };
                let mut made = Ok(Vec::new());
                let done = read.with(part, |value, deviations| {
                    notes.extend(deviations.into_iter().map(|one| format!("{place}{one}")));
                    notes.extend(target.notes(&place, value));
                    // BER leaves every choice to the sender (X.690 §8), so only the lengths change.
                    made = if keeps_form { rules::indefinite(part) } else { target.made(value) };
                });
                done.map_err(|error| self.wrong(&place, Refused::with_hint(&error, allowances::hint(&error))))?;
                let made = made.map_err(|error| self.wrong(&place, error))?;
                output.extend(self.wrapped(to, Some(value), &made)?);
                count += 1;
            }
        }
        self.countable(to, count)?;
        self.delivered(Secrecy::of_values(&opened.values), &output, &notes, out, err)
    }

    /// Checks that several values can be told apart in the output.
    fn countable(&self, to: &Side, count: usize) -> Result<(), Failure> {
        let checked = encode::single(to.rules, to.armour == Some(Armour::Pem), count);
        checked.map_err(|message| self.negative(message))
    }

    /// Writes the output and the notes. With `--strict`, a note prevents the output.
    fn delivered(
        &self,
        secrecy: Secrecy,
        output: &[u8],
        notes: &[String],
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let refused = self.strict && !notes.is_empty();
        if !refused {
            deliver_as(secrecy, output, self.output.as_ref(), self.force, out)?;
        }
        for note in notes {
            writeln!(err, "tagwise: {}: note: {}", name_of(&self.file), visible(note))?;
        }
        match refused {
            true => Err(self.negative("nothing was written because of --strict, which does not permit notes")),
            false => Ok(0),
        }
    }

    fn wrong(&self, place: &str, message: impl Into<Refused>) -> Failure {
        message.into().inside(place).failure(&self.file)
    }

    fn wrapped(&self, to: &Side, value: Option<&WrappedValue>, octets: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(match to.armour {
            None => octets.to_vec(),
            Some(Armour::Pem) => {
                let own = value.and_then(|value| value.block.as_ref()).map(|(label, _)| label.as_str());
                let label = self.label.as_deref().or(own).ok_or_else(|| {
                    Failure::usage(format!(
                        "{}: the content has no known label: give --label LABEL",
                        name_of(&self.file)
                    ))
                })?;
                let block = pem::encode(label, octets);
                block.map_err(|error| self.negative(format!("the label '{}': {error}", visible(&label))))?.into_bytes()
            }
            Some(armour) => wrap(armour, octets),
        })
    }
}

impl Target<'_> {
    /// Describes the times that do not keep their form.
    fn notes(&self, place: &str, value: &Value<'_>) -> Vec<String> {
        if self.rules.is_some_and(|rules| !times::is_canonical(rules)) {
            return Vec::new();
        }
        times::rewritten(value).into_iter().map(|note| format!("{place}{note}")).collect()
    }

    /// Encodes a value, or converts it to a line of JSON.
    fn made(&self, value: &Value<'_>) -> Result<Vec<u8>, Refused> {
        let Some(rules) = self.rules else {
            let value = json::raw(tagwise_jer::to_string(self.ty.types(), value))?;
            let mut line = Vec::new();
            json::line(&mut line, &value)?;
            return Ok(line);
        };
        if let Some(untagged) = &self.untagged {
            return untagged.encode(value);
        }
        if rules == RulesArg::Ber {
            return rules::indefinite(&self.ty.encode_basic(value)?);
        }
        let der = self.ty.encode(value)?;
        match rules {
            RulesArg::Cer => {
                let cer = cer::from_der_as(self.ty.ty(), self.ty.types().schema(), &der, &Options::der());
                Ok(cer?.bytes.into_owned())
            }
            _ => Ok(der),
        }
    }
}
