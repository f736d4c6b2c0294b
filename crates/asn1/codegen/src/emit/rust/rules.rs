//! Constraints as `#[asn1(…)]` arguments.

use super::items::{character, ranges};
use super::syntax::{Argument, Meta};
use super::text::literal;
use crate::lower::plan::{Edge, Line, Rule};

/// Converts constraints to arguments. Common constraints have dedicated arguments. `characters` is true for a string
/// whose characters generated code checks.
pub(super) fn arguments(rules: &[Rule], characters: bool) -> Vec<Argument> {
    let (mut arguments, mut rest) = (Vec::new(), Vec::new());
    let (mut pattern, mut components, mut words) = (!characters, false, false);
    for rule in rules {
        let taken = match rule {
            Rule::Pattern(_) => &mut pattern,
            Rule::Components(..) => &mut components,
            Rule::Words(_) => &mut words,
            _ => {
                rest.push(meta(rule));
                continue;
            }
        };
        if std::mem::replace(taken, true) {
            rest.push(meta(rule));
        } else {
            arguments.push(Argument::Tree(meta(rule)));
        }
    }
    if !rest.is_empty() {
        arguments.push(Argument::Tree(Meta::List("constraints".to_owned(), rest)));
    }
    arguments
}

// Recursion follows the rules, whose depth the compiler limits.
fn meta(rule: &Rule) -> Meta {
    let list = |name: &str, items: Vec<Meta>| Meta::List(name.to_owned(), items);
    let texts = |name: &str, items: Vec<String>| list(name, items.into_iter().map(Meta::Text).collect());
    match rule {
        Rule::Value(bounds) => texts("value", ranges(bounds)),
        Rule::Size(bounds) => texts("size", ranges(bounds)),
        Rule::Alphabet(alphabet) => texts("from", alphabet.ranges.iter().map(characters).collect()),
        Rule::Values(values) => texts("values", values.iter().map(|octets| bytes(octets)).collect()),
        Rule::Between(low, high) => texts("between", vec![edge(low), edge(high)]),
        Rule::Pattern(text) => Meta::Text(format!("pattern = {}", literal(text))),
        Rule::Settings(text) => Meta::Text(format!("settings = {}", literal(text))),
        Rule::Words(text) => Meta::Text(format!("constrained_by = {}", literal(text))),
        Rule::Components(partial, lines) => {
            let dots = partial.then(|| Meta::Text("...".to_owned()));
            list("with_components", dots.into_iter().chain(lines.iter().map(line)).collect())
        }
        Rule::Item(rules) => list("with_component", rules.iter().map(meta).collect()),
        Rule::All(rules) => list("all_of", rules.iter().map(meta).collect()),
        Rule::Any(rules) => list("any_of", rules.iter().map(meta).collect()),
        Rule::Not(rules) => list("none_of", rules.iter().map(meta).collect()),
    }
}

fn line(line: &Line) -> Meta {
    let name = literal(&line.name);
    let word = |present: bool| if present { "present" } else { "absent" };
    match (line.present, line.rules.as_slice()) {
        (None, []) => Meta::Text(name),
        (Some(present), []) => Meta::Text(format!("{name} = {}", word(present))),
        (present, rules) => {
            let first = present.map(|present| Meta::Text(word(present).to_owned()));
            Meta::List(name, first.into_iter().chain(rules.iter().map(meta)).collect())
        }
    }
}

fn edge(edge: &Edge) -> String {
    match &edge.content {
        None => "_".to_owned(),
        Some(content) => format!("{}{}", if edge.open { "open " } else { "" }, bytes(content)),
    }
}

/// Formats a range of characters as in `from(…)`.
pub(super) fn characters(range: &tagwise_schema::model::CharRange) -> String {
    if range.first == range.last {
        character(range.first)
    } else {
        format!("{}..={}", character(range.first), character(range.last))
    }
}

/// Formats bytes as a byte string literal.
fn bytes(octets: &[u8]) -> String {
    let mut text = String::from("b\"");
    for octet in octets {
        match octet {
            b'"' | b'\\' => text.extend(['\\', char::from(*octet)]),
            b' '..=b'~' => text.push(char::from(*octet)),
            _ => text.push_str(&format!("\\x{octet:02X}")),
        }
    }
    text.push('"');
    text
}
