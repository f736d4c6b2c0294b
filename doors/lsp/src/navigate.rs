//! Definitions, references and renaming.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value, json};
use tagwise_schema::{Occurrence, Target};

use crate::request::{Answer, uri};
use crate::workspace::{Indexed, Workspace};

/// Returns the names in all texts, and the one at a request's position.
pub(crate) fn at(workspace: &mut Workspace, params: &Value) -> Option<(Rc<Indexed>, Occurrence)> {
    let indexed = workspace.indexed(uri(params)?)?;
    let (source, lines) = indexed.unit.file(0)?;
    let offset = lines.of(source.text(), params.get("position")?)?;
    let found = *indexed.symbols.at(0, offset)?;
    Some((indexed, found))
}

fn target(workspace: &mut Workspace, params: &Value) -> Option<(Rc<Indexed>, Target)> {
    let (indexed, found) = at(workspace, params)?;
    Some((indexed, found.target?))
}

pub(crate) fn definition(workspace: &mut Workspace, params: &Value) -> Answer {
    let location = target(workspace, params)
        .and_then(|(indexed, target)| indexed.unit.location(indexed.symbols.definition(target)?));
    Ok(location.unwrap_or_default())
}

pub(crate) fn references(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some((indexed, target)) = target(workspace, params) else { return Ok(Value::Null) };
    let all = params.pointer("/context/includeDeclaration").and_then(Value::as_bool).unwrap_or(true);
    let own = indexed.symbols.definition(target);
    let uses = indexed.symbols.uses(target).filter(|one| all || Some(one.span) != own);
    Ok(uses.filter_map(|one| indexed.unit.location(one.span)).collect())
}

pub(crate) fn highlights(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some((indexed, target)) = target(workspace, params) else { return Ok(Value::Null) };
    let Some((source, lines)) = indexed.unit.file(0) else { return Ok(Value::Null) };
    let uses = indexed.symbols.uses(target).filter(|one| one.span.file == 0);
    Ok(uses.map(|one| json!({ "range": lines.range(source, one.span) })).collect())
}

pub(crate) fn prepare_rename(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some((indexed, found)) = at(workspace, params) else { return Ok(Value::Null) };
    let Some((source, lines)) = found.target.and(indexed.unit.file(0)) else { return Ok(Value::Null) };
    Ok(json!({ "range": lines.range(source, found.span), "placeholder": source.slice(found.span) }))
}

pub(crate) fn rename(workspace: &mut Workspace, params: &Value) -> Answer {
    let new = params.get("newName").and_then(Value::as_str).unwrap_or_default();
    let Some((indexed, target)) = target(workspace, params) else {
        return Err("there is no name with a known definition here".to_owned());
    };
    let old =
        indexed.symbols.definition(target).and_then(|span| Some(indexed.unit.file(span.file as usize)?.0.slice(span)));
    check(old.unwrap_or_default(), new)?;
    let mut edits: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for one in indexed.symbols.uses(target) {
        let file = one.span.file as usize;
        let (Some((source, lines)), Some(uri)) = (indexed.unit.file(file), indexed.unit.uris.get(file)) else {
            continue;
        };
        edits.entry(uri).or_default().push(json!({ "range": lines.range(source, one.span), "newText": new }));
    }
    Ok(json!({ "changes": edits }))
}

/// Checks that a new name is valid and begins with the same case as the old one (X.680 §12.2, §12.3).
fn check(old: &str, new: &str) -> Result<(), String> {
    let starts = |name: &str| name.chars().next().is_some_and(|first| first.is_ascii_uppercase());
    let is_word = new.starts_with(|first: char| first.is_ascii_alphabetic())
        && new.chars().all(|char| char.is_ascii_alphanumeric() || char == '-')
        && !new.ends_with('-')
        && !new.contains("--");
    if !is_word {
        return Err(format!("{new:?} is not a name: expected letters, digits and single hyphens (X.680 §12.2)"));
    }
    if starts(old) != starts(new) {
        let first = if starts(old) { "an uppercase" } else { "a lowercase" };
        return Err(format!("{new} must begin with {first} letter, like {old} (X.680 §12.2, §12.3)"));
    }
    Ok(())
}
