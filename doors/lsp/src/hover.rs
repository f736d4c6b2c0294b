//! Hover texts with the definition, tags and comment of a name, and inlay hints with automatic tags.

use serde_json::{Value, json};
use tagwise_schema::model::{AssignmentKind, Field, Outer, Shape, TypeId};
use tagwise_schema::{Definition, Model, Source, Symbols, Target};

use crate::navigate;
use crate::request::{Answer, uri};
use crate::workspace::Workspace;

/// The most lines of a definition that are shown.
const MAX_LINES: usize = 30;

pub(crate) fn hover(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some((indexed, found)) = navigate::at(workspace, params) else { return Ok(Value::Null) };
    let compiled = uri(params).and_then(|uri| workspace.compiled(uri));
    let model = compiled.as_ref().and_then(|compiled| compiled.compilation.model());
    let Some(target) = found.target else { return Ok(Value::Null) };
    let Some((source, lines)) = indexed.unit.file(0) else { return Ok(Value::Null) };
    let Some(text) = described(&indexed.unit.sources, &indexed.symbols, target, model) else { return Ok(Value::Null) };
    Ok(json!({ "contents": { "kind": "markdown", "value": text }, "range": lines.range(source, found.span) }))
}

/// Returns the definition of a name as Markdown.
fn described(sources: &[Source], symbols: &Symbols, target: Target, model: Option<&Model>) -> Option<String> {
    let place = symbols.definition(target)?;
    let source = sources.get(place.file as usize)?;
    let Some(definition) = symbols.defined(target) else {
        let kind = if matches!(target, Target::Module(_)) { "module" } else { "parameter" };
        return Some(format!("{kind} `{}`", source.slice(place)));
    };
    let module = symbols.module_at(place.file as usize, place.start as usize)?;
    let mut text = format!("```asn1\n{}\n```\n", excerpt(source.slice(definition.span)));
    if let Some(resolved) = model.and_then(|model| resolved(model, &module.name, definition)) {
        text.push_str(&format!("\n{resolved}\n"));
    }
    let comment = comment(source, symbols, definition);
    if !comment.is_empty() {
        text.push_str(&format!("\n{comment}\n"));
    }
    text.push_str(&format!("\nmodule `{}`", module.name));
    Some(text)
}

fn excerpt(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(MAX_LINES).map(str::trim_end).collect();
    let more = if text.lines().nth(MAX_LINES).is_some() { "\n…" } else { "" };
    // The fence must not end early.
    lines.join("\n").replace("```", "` ` `") + more
}

/// Returns the comment lines directly above a definition.
fn comment(source: &Source, symbols: &Symbols, definition: &Definition) -> String {
    let file = definition.name_span.file as usize;
    let start = definition.span.start;
    let mut end = start as usize;
    let mut lines = Vec::new();
    let before = symbols.tokens(file).iter().rev().filter(|token| token.span.end <= start);
    for token in before.take_while(|token| token.kind == tagwise_schema::SymbolKind::Comment) {
        let between = source.text().get(token.span.end as usize..end).unwrap_or_default();
        let breaks = between.bytes().filter(|byte| *byte == b'\n').count();
        if !between.trim().is_empty() || breaks > 1 {
            break;
        }
        let text = source.slice(token.span).trim_matches(['-', '/', '*', ' ', '\r', '\n', '\t']);
        lines.push(text.replace('<', "&lt;"));
        end = token.span.start as usize;
    }
    lines.reverse();
    lines.join("\n")
}

/// Returns the resolved type of an assignment: its tags, and its base type.
fn resolved(model: &Model, module: &str, definition: &Definition) -> Option<String> {
    let (id, value) = match &model.assignment(module, &definition.name)?.kind {
        AssignmentKind::Type(id) | AssignmentKind::ValueSet(id) => (*id, None),
        AssignmentKind::Value { ty, value } => (*ty, Some(value.to_string())),
        _ => return None,
    };
    let value = value.map(|value| format!(" = `{}`", value.replace('`', "'"))).unwrap_or_default();
    Some(format!("{}{value}", type_text(model, id)?))
}

fn type_text(model: &Model, id: TypeId) -> Option<String> {
    let base = model.base(id)?.shape.name();
    Some(match &model.ty(id)?.outer {
        Outer::Tag(tag) => format!("{base}, tag `{tag}`"),
        Outer::Choice { tags, .. } => {
            let tags: Vec<_> = tags.iter().map(|tag| format!("`{tag}`")).collect();
            format!("{base}, tags {}", tags.join(" "))
        }
        _ => format!("{base}, any tag"),
    })
}

/// Returns the automatic tags of components (X.680 §25.3), in front of their types.
pub(crate) fn hints(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some(compiled) = uri(params).and_then(|uri| workspace.compiled(uri)) else { return Ok(Value::Null) };
    let Some(model) = compiled.compilation.model() else { return Ok(Value::Null) };
    let Some((source, lines)) = compiled.unit.file(0) else { return Ok(Value::Null) };
    let end = |name: &str, default| {
        let position = params.get("range").and_then(|range| range.get(name));
        position.and_then(|position| lines.of(source.text(), position)).unwrap_or(default)
    };
    let range = end("start", 0)..end("end", usize::MAX);
    let mut hints = Vec::new();
    for ty in &model.types {
        let (Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields)) = &ty.shape else { continue };
        // An instance of a parameterized type has the positions of its text, too.
        if ty.name.as_ref().is_some_and(|name| name.instance.is_some()) {
            continue;
        }
        hints.extend(fields.list.iter().filter_map(|field| hint(model, field)).filter(|(at, _)| range.contains(at)));
    }
    hints.sort();
    hints.dedup();
    let hint = |(at, tag): (usize, String)| {
        let (line, character) = lines.position(source.text(), at);
        json!({ "position": { "line": line, "character": character }, "label": tag, "paddingLeft": true })
    };
    Ok(hints.into_iter().map(hint).collect())
}

/// Returns the place after a component's name, and its tag.
fn hint(model: &Model, field: &Field) -> Option<(usize, String)> {
    let tagging = model.ty(field.ty)?.tags.first().filter(|tagging| tagging.automatic)?;
    let place = field.span;
    (place.file == 0).then(|| (place.start as usize + field.name.len(), tagging.tag.to_string()))
}
