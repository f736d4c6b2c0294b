//! Outlines of documents, and names in the workspace.

use serde_json::{Value, json};
use tagwise_schema::{Definition, ModuleSymbols, SymbolKind};

use crate::request::{Answer, uri};
use crate::workspace::{Indexed, Workspace};

/// The most results of a search.
const MAX_FOUND: usize = 500;

/// Returns the protocol's numbers for kinds.
const fn kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Module => 2,
        SymbolKind::Class => 11,
        SymbolKind::ObjectSet => 18,
        SymbolKind::Value => 14,
        SymbolKind::Macro => 12,
        SymbolKind::Member | SymbolKind::Field => 8,
        _ => 23,
    }
}

pub(crate) fn document(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some(indexed) = uri(params).and_then(|uri| workspace.indexed(uri)) else { return Ok(Value::Null) };
    let modules = indexed.symbols.modules().iter().filter(|module| module.span.file == 0);
    Ok(modules.filter_map(|one| module(&indexed, one)).collect())
}

fn module(indexed: &Indexed, module: &ModuleSymbols) -> Option<Value> {
    let (source, lines) = indexed.unit.file(0)?;
    let symbol = |name: &str, kind: u32, span, name_span, children: Vec<Value>| {
        json!({
            "name": name,
            "kind": kind,
            "range": lines.range(source, span),
            "selectionRange": lines.range(source, name_span),
            "children": children,
        })
    };
    let members = |one: &Definition| {
        let members = one.members.iter();
        members.map(|(name, span)| symbol(name, kind(SymbolKind::Member), *span, *span, Vec::new())).collect()
    };
    let definitions = module.definitions.iter();
    let definitions = definitions.map(|one| symbol(&one.name, kind(one.kind), one.span, one.name_span, members(one)));
    Some(symbol(&module.name, kind(SymbolKind::Module), module.span, module.name_span, definitions.collect()))
}

pub(crate) fn workspace(workspace: &mut Workspace, params: &Value) -> Answer {
    let query = params.get("query").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    let Some(indexed) = workspace.documents().first().and_then(|uri| workspace.indexed(uri)) else {
        return Ok(Value::Null);
    };
    let all =
        indexed.symbols.modules().iter().flat_map(|module| module.definitions.iter().map(move |one| (module, one)));
    let found = all.filter(|(_, one)| one.name.to_ascii_lowercase().contains(&query)).take(MAX_FOUND);
    let symbols = found.filter_map(|(module, one)| {
        let location = indexed.unit.location(one.name_span)?;
        Some(json!({ "name": one.name, "kind": kind(one.kind), "location": location, "containerName": module.name }))
    });
    Ok(symbols.collect())
}
