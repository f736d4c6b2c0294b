//! Encoding rules without tags.

use tagwise_codec::Options;
use tagwise_codec::value::{Data, Print, Value};
use tagwise_input::{Armour, Wrapped, WrappedValue};
use tagwise_per::{Decoded, Error, Kind};
use tagwise_pkix::name::visible;
use tagwise_show::oid_name;
use tagwise_tables::untagged::Untagged;
use tagwise_tables::{NameError, Schema};

use super::output::Failure;
use super::rules_arg::UntaggedRules;
use super::values::BUDGET;
use crate::shared::context::Context;

/// A type for encoding rules without tags.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type<'s> {
    Packed(Untagged<'s>),
    Xml(tagwise_xer::Type<'s>),
}

impl<'s> Type<'s> {
    /// Returns the type with a name, with the rules that `--allow` names.
    pub(crate) fn new(
        context: &Context,
        schema: &'s Schema,
        name: &str,
        rules: UntaggedRules,
    ) -> Result<Self, Failure> {
        let fail = |error: NameError| Failure::usage(format!("{}: {error}", visible(name)));
        let allowed = &context.allowed;
        let options = Options::der().rules(allowed.decoding);
        Ok(match rules {
            UntaggedRules::Packed(rules) => {
                let ty = schema.untagged(name, rules).map_err(fail)?;
                Self::Packed(ty.tolerating(allowed.packed).options(options))
            }
            UntaggedRules::Xml(variant) => {
                let ty = schema.xer(name).map_err(fail)?;
                Self::Xml(ty.variant(variant).tolerating(allowed.xml).options(options))
            }
        })
    }

    /// Removes an input's armor, which is detected unless it is given. Without tags, binary data may look like text: what is a value of
    /// the type both as it is and as text is refused.
    pub(crate) fn open(&self, octets: Vec<u8>, armour: Option<Armour>) -> Result<Wrapped, String> {
        let (raw, opened) = (octets.clone(), Wrapped::open(octets, armour)?);
        let is_detected = armour.is_none() && !matches!(opened.armour, Armour::Binary | Armour::Pem);
        // With --allow, almost anything would be a value.
        let strict = match *self {
            Self::Packed(ty) => Self::Packed(ty.tolerating(tagwise_per::Tolerance::NONE)),
            Self::Xml(ty) => Self::Xml(ty),
        };
        if !is_detected || strict.decode(&raw, false).is_err() {
            return Ok(opened);
        }
        let is_value = |value: &WrappedValue| value.problem.is_none() && self.decode(&value.octets, false).is_ok();
        match opened.values.iter().all(is_value) {
            true => {
                Err("the bytes are a value both as they are and as text, expected --from with binary, hex or base64"
                    .to_owned())
            }
            false => Wrapped::open(raw, Some(Armour::Binary)),
        }
    }

    /// Decodes a value. Returns it with the deviations that were tolerated and, if requested, the text of positions.
    pub(crate) fn decode(&self, octets: &[u8], bits: bool) -> Result<Read<'s>, String> {
        match self {
            Self::Packed(ty) => {
                let read = ty.positions(bits).decode(octets).map_err(|error| message(&error))?;
                let tolerated = |(rule, bit): &(tagwise_per::Rule, u64)| format!("{rule} tolerated at bit {bit}");
                let deviations = read.deviations.iter().map(tolerated).collect();
                let positions = positions(ty, &read);
                Ok(Read { value: read.value, deviations, positions })
            }
            Self::Xml(ty) => {
                let read = ty.decode(octets).map_err(|error| match error.kind {
                    tagwise_xer::Kind::Rule(rule) => format!("{error}; --allow {} tolerates this", rule.name()),
                    _ => error.to_string(),
                })?;
                let tolerated = read.deviations.iter().map(|(rule, at)| format!("{rule} tolerated at byte {at}"));
                let ignored = read.ignored.iter().map(|(path, at)| match path.as_str() {
                    "" => format!("ignored an element that the schema does not define, at byte {at}"),
                    path => format!("{path}: ignored an element that the schema does not define, at byte {at}"),
                });
                let deviations = tolerated.chain(ignored).collect();
                Ok(Read { value: read.value, deviations, positions: String::new() })
            }
        }
    }

    /// Returns the path of the component to which a bit belongs. XER has no bits.
    pub(crate) fn path_at(&self, octets: &[u8], bit: u64) -> String {
        match self {
            Self::Packed(ty) => ty.path_at(octets, bit),
            Self::Xml(_) => String::new(),
        }
    }

    /// Encodes a value.
    pub(crate) fn encode(&self, value: &Value<'s>) -> Result<Vec<u8>, String> {
        match self {
            Self::Packed(ty) => ty.encode(value).map_err(|error| error.to_string()),
            Self::Xml(ty) => ty.encode(value).map_err(|error| error.to_string()),
        }
    }
}

/// A decoded value.
#[derive(Debug)]
pub(crate) struct Read<'s> {
    pub(crate) value: Value<'s>,
    pub(crate) deviations: Vec<String>,
    /// The positions of components, one per line.
    pub(crate) positions: String,
}

/// The text of an error, with the option that tolerates it.
fn message(error: &Error) -> String {
    match error.kind {
        Kind::Rule(rule) => format!("{error}; --allow {} tolerates this", rule.name()),
        _ => error.to_string(),
    }
}

/// The positions and sizes of all components in bits, one per line, with the values of those without components.
fn positions(ty: &Untagged<'_>, decoded: &Decoded<'_>) -> String {
    let Some(dynamic) = ty.dynamic() else { return String::new() };
    let print = Print::new(dynamic.types()).oid_names(&oid_name).budget(BUDGET);
    let width = decoded.positions.iter().map(|position| position.end).max().unwrap_or(0).to_string().len();
    let mut text = String::new();
    for position in &decoded.positions {
        let value = find(&decoded.value, &position.path);
        let line = value.filter(|value| value.content().is_some()).and_then(|value| print.line(value));
        let path = if position.path.is_empty() { "." } else { position.path.as_str() };
        let size = position.end.saturating_sub(position.start);
        text.push_str(&format!("{:>width$} {size:>width$}  {}", position.start, visible(path)));
        if let Some(line) = line {
            text.push_str(&format!(": {line}"));
        }
        text.push('\n');
    }
    text
}

/// The value at a path.
fn find<'v, 'a>(value: &'v Value<'a>, path: &str) -> Option<&'v Value<'a>> {
    let (mut at, mut rest) = (value, path);
    loop {
        if let Data::Containing(inner) = at.data() {
            at = inner;
            continue;
        }
        if rest.is_empty() {
            return Some(at);
        }
        if let Some(index) = rest.strip_prefix('[') {
            let (index, behind) = index.split_once(']')?;
            let Data::Items(items) = at.data() else { return None };
            (at, rest) = (items.get(index.parse::<usize>().ok()?)?, behind);
            continue;
        }
        let name = rest.strip_prefix('.').unwrap_or(rest);
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (name, behind) = name.split_at(end);
        at = match at.data() {
            Data::Components(components) => components.get(name)?,
            Data::Alternative(chosen) if *chosen.field().name == *name => chosen.value(),
            _ => return None,
        };
        rest = behind;
    }
}
