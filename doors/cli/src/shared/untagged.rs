//! Encoding rules without tags.

use tagwise_codec::value::{Data, Print, Value};
use tagwise_codec::{Options, Rule};
use tagwise_input::{Armour, ODD_DIGITS, Wrapped, WrappedValue, has_odd_digits};
use tagwise_per::Position;
use tagwise_pkix::name::visible;
use tagwise_show::oid_name;
use tagwise_tables::Schema;
use tagwise_tables::untagged::{Decoded, Rules, Tolerance, Untagged};

use super::output::Failure;
use super::refused::Refused;
use super::values::BUDGET;
use crate::shared::context::Context;

/// A type for encoding rules without tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Type<'s> {
    ty: Untagged<'s>,
}

impl<'s> Type<'s> {
    /// Returns the type with a name, with the rules that `--allow` names.
    pub(crate) fn new(context: &Context, schema: &'s Schema, name: &str, rules: Rules) -> Result<Self, Failure> {
        let ty = schema.untagged(name, rules);
        let ty = ty.map_err(|error| Failure::usage(format!("{}: {error}", visible(name))))?;
        let allowed = &context.allowed;
        let ty = ty.tolerating(allowed.untagged).options(Options::der().rules(allowed.decoding));
        Ok(Self { ty })
    }

    /// Returns whether an encoding may have no bytes, as NULL in OER (X.696 §15).
    pub(crate) fn may_be_empty(rules: Option<Rules>) -> bool {
        rules.is_some_and(|rules| !rules.is_text())
    }

    /// Removes an input's armor, which is detected unless it is given. Without tags, binary data may look like text, and damaged text
    /// like binary data. Text is refused if its characters are a value of the type themselves.
    pub(crate) fn open(&self, octets: Vec<u8>, armour: Option<Armour>) -> Result<Wrapped, String> {
        if octets.is_empty() {
            return Wrapped::open(octets, Some(Armour::Binary));
        }
        if armour.is_none() && has_odd_digits(&octets) {
            return Err(format!("{ODD_DIGITS}; --from binary takes the bytes as they are"));
        }
        let (raw, opened) = (octets.clone(), Wrapped::open(octets, armour)?);
        let is_detected = armour.is_none() && !matches!(opened.armour, Armour::Binary | Armour::Pem);
        // With --allow, almost anything would be a value.
        if !is_detected || self.ty.tolerating(Tolerance::NONE).options(Options::der()).decode(&raw).is_err() {
            return Ok(opened);
        }
        let problem = |value: &WrappedValue| match &value.problem {
            Some(problem) => Some(problem.clone()),
            None => self.ty.decode(&value.octets).err().map(|error| error.to_string()),
        };
        Err(match opened.values.iter().find_map(problem) {
            None => "the bytes are a value both as they are and as text, expected --from with binary, hex or base64"
                .to_owned(),
            Some(problem) => format!(
                "as text, {problem}; the bytes are a value as they are, but look like text: expected --from with binary, hex or base64"
            ),
        })
    }

    /// Decodes a value. Returns it with the deviations that were tolerated and, if requested, the text of positions.
    pub(crate) fn decode(&self, octets: &[u8], bits: bool) -> Result<Read<'s>, Refused> {
        let read = self.ty.positions(bits).decode(octets).map_err(|error| match error.rule() {
            Some(rule) => format!("{error}; --allow {rule} tolerates this").into(),
            None => Refused::from(error),
        })?;
        Ok(Read { deviations: read.notes(), positions: positions(&self.ty, &read), value: read.value })
    }

    /// Returns the text of positions up to the first error. Sizes of incomplete values are not known, and values are not shown.
    pub(crate) fn partial_positions(&self, octets: &[u8]) -> String {
        let positions = self.ty.positions_of(octets);
        let is_whole = |position: &&Position| position.end != u64::MAX;
        let ends = positions.iter().filter(is_whole).map(|position| position.end);
        let width = ends.chain(positions.iter().map(|position| position.start)).max().unwrap_or(0).to_string().len();
        let line = |position: &Position| {
            let size = match position.end {
                u64::MAX => "?".to_owned(),
                end => end.saturating_sub(position.start).to_string(),
            };
            format!("{:>width$} {size:>width$}  {}\n", position.start, visible(&name_of(position)))
        };
        positions.iter().map(line).collect()
    }

    /// Returns the path of the component to which a bit belongs. Behind an error that no rule tolerates, it is not known
    /// where components begin. Also returns a mark for padding.
    pub(crate) fn path_at(&self, octets: &[u8], bit: u64) -> Result<(String, &'static str), Refused> {
        let lax = Options::der().allow(&Rule::VALUE).allow(&Rule::SIZE);
        let ty = self.ty.tolerating(Tolerance::ALL).options(lax);
        match ty.decode(octets) {
            Err(error) if error.bit().is_none_or(|at| at <= bit) => Err(error.into()),
            _ => {
                let positions = ty.positions_of(octets);
                let is_padding = Position::find(&positions, bit).is_some_and(|position| position.is_padding);
                Ok((ty.path_at(octets, bit), if is_padding { PADDING } else { "" }))
            }
        }
    }

    /// Encodes a value.
    pub(crate) fn encode(&self, value: &Value<'s>) -> Result<Vec<u8>, Refused> {
        self.ty.encode(value).map_err(Refused::from)
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

/// The positions and sizes of all components in bits, one per line, with the values of those without components.
fn positions(ty: &Untagged<'_>, decoded: &Decoded<'_>) -> String {
    let Some(dynamic) = ty.dynamic() else { return String::new() };
    let print = Print::new(dynamic.types()).oid_names(&oid_name).budget(BUDGET);
    let width = decoded.positions.iter().map(|position| position.end).max().unwrap_or(0).to_string().len();
    let mut text = String::new();
    for position in &decoded.positions {
        let value = find(&decoded.value, &position.path).filter(|_| !position.is_padding);
        let line = value.filter(|value| value.content().is_some()).and_then(|value| print.line(value));
        let size = position.end.saturating_sub(position.start);
        text.push_str(&format!("{:>width$} {size:>width$}  {}", position.start, visible(&name_of(position))));
        if let Some(line) = line {
            text.push_str(&format!(": {line}"));
        }
        text.push('\n');
    }
    text
}

/// The path as it is shown: a dot for the outermost value.
fn name_of(position: &Position) -> String {
    let path = if position.path.is_empty() { "." } else { position.path.as_str() };
    format!("{path}{}", if position.is_padding { PADDING } else { "" })
}

/// Marks padding bits, behind the path of their component.
const PADDING: &str = " (padding)";

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
