//! Encoding rules without tags.

use tagwise_codec::Options;
use tagwise_codec::value::{Data, Print, Value};
use tagwise_per::{Decoded, Error, Kind, Type, Variant};
use tagwise_pkix::name::visible;
use tagwise_show::oid_name;
use tagwise_tables::Schema;

use super::output::Failure;
use super::rules;
use super::values::BUDGET;

/// Returns the type with a name for a variant of PER, with the rules that `--allow` names.
pub(crate) fn ty<'s>(schema: &'s Schema, name: &str, variant: Variant) -> Result<Type<'s>, Failure> {
    let ty = schema.per(name).map_err(|error| Failure::usage(format!("{}: {error}", visible(name))))?;
    let allowed = rules::in_force();
    Ok(ty.variant(variant).tolerating(allowed.packed).options(Options::der().rules(allowed.decoding)))
}

/// The text of an error, with the option that tolerates it.
pub(crate) fn message(error: &Error) -> String {
    match error.kind {
        Kind::Rule(rule) => format!("{error}; --allow {} tolerates this", rule.name()),
        _ => error.to_string(),
    }
}

/// The positions of all components in bits, one per line, with the values of those without components.
pub(crate) fn positions(ty: &Type<'_>, decoded: &Decoded<'_>) -> String {
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
