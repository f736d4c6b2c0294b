//! Distinguished names.

use tagwise_codec::{Class, Tag};
use tagwise_pkix::name::{AttributeTypeAndValue, Name, RelativeDistinguishedName};

use super::Scene;
use crate::lens::{Depth, Failed, failed};
use crate::tree::{Line, Record, Tone, Value};

/// Shows a name: one line in text, its RFC 4514 form and all attributes in JSON.
pub(crate) fn name<'a>(name: &Name<'a>, scene: &Scene) -> Value<'a> {
    let mut problems = Vec::new();
    let rdns = scene.lens.items::<RelativeDistinguishedName<'a>>(name.0.content(), name.0.offset(), Depth::Frame);
    let rdns = rdns.map(|read| match read {
        Ok(rdn) => attributes(&rdn, scene, &mut problems),
        Err(bad) => trouble(bad, &mut problems),
    });
    let rdns = Value::List(rdns.collect());
    let title = match name.is_empty() {
        true => Line::new(Tone::Dim, "empty"),
        false => Line::new(Tone::Strong, name.oneline()),
    };
    let mut record = Record::titled(title).json("rfc4514", Value::text(name.rfc4514())).json("rdns", rdns);
    if !problems.is_empty() {
        record = record.bare("problems", Value::List(problems));
    }
    record.into()
}

/// Shows a standalone relative distinguished name.
pub(crate) fn rdn<'a>(rdn: &RelativeDistinguishedName<'a>, scene: &Scene) -> Value<'a> {
    let mut problems = Vec::new();
    let attributes = attributes(rdn, scene, &mut problems);
    let mut title = Line::default();
    for (index, read) in scene.lens.set::<AttributeTypeAndValue<'a>>(&rdn.0).enumerate() {
        let Ok(attribute) = read else { continue };
        let plus = if index > 0 { "+" } else { "" };
        let ty = tagwise_pkix::oids::lookup(attribute.attr_type).map(|info| info.short_name().to_owned());
        let ty = ty.unwrap_or_else(|| attribute.attr_type.to_string());
        title = title.and(Tone::Plain, format!("{plus}{ty}={}", attribute.text().unwrap_or_default()));
    }
    Record::titled(title).json("attributes", attributes).bare("problems", Value::List(problems)).into()
}

fn attributes<'a>(rdn: &RelativeDistinguishedName<'a>, scene: &Scene, problems: &mut Vec<Value<'a>>) -> Value<'a> {
    let list = scene.lens.set::<AttributeTypeAndValue<'a>>(&rdn.0);
    Value::List(
        list.map(|read| match read {
            Ok(attribute) => self::attribute(&attribute),
            Err(bad) => trouble(bad, problems),
        })
        .collect(),
    )
}

/// Records a problem for text output, and returns its JSON representation.
fn trouble<'a>(bad: Failed<'a>, problems: &mut Vec<Value<'a>>) -> Value<'a> {
    problems.push(Value::Problem(bad.problem.clone()));
    let (problem, octets) = failed(bad);
    Record::default().with("error", problem).with("der", octets).into()
}

/// Shows one attribute of a distinguished name.
fn attribute<'a>(attribute: &AttributeTypeAndValue<'a>) -> Value<'a> {
    let tag = attribute.value.tag();
    let record = Record::default().with("type", Value::Oid(attribute.attr_type)).with("string_type", Value::text(tag));
    match attribute.text() {
        Some(text) => record.with("value", Value::Text(text)),
        None => record.with("value", Value::Null).with("der", Value::hex(attribute.value.as_bytes())),
    }
    .into()
}

/// Shows an attribute value outside names.
pub(crate) fn attribute_value<'a>(value: &tagwise_codec::Any<'a>) -> Value<'a> {
    let is_string = value.tag().class() == Class::Universal && value.tag() != Tag::OBJECT_IDENTIFIER;
    match tagwise_pkix::name::text(value).filter(|_| is_string) {
        Some(text) => Value::Text(text),
        None => super::any::any(value),
    }
}
