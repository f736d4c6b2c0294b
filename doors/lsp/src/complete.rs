//! Completion and formatting.

use serde_json::{Value, json};
use tagwise_schema::{SymbolKind, Symbols, layout};

use crate::request::{Answer, uri};
use crate::workspace::Workspace;

/// The words that begin types and clauses (X.680 §12.38).
const WORDS: [&str; 40] = [
    "ABSENT",
    "APPLICATION",
    "AUTOMATIC",
    "BEGIN",
    "BIT STRING",
    "BMPString",
    "BOOLEAN",
    "CHOICE",
    "CLASS",
    "COMPONENTS OF",
    "CONTAINING",
    "DATE-TIME",
    "DEFAULT",
    "DEFINITIONS",
    "END",
    "ENUMERATED",
    "EXPLICIT",
    "EXPORTS",
    "FALSE",
    "FROM",
    "GeneralizedTime",
    "IA5String",
    "IMPLICIT",
    "IMPORTS",
    "INTEGER",
    "NULL",
    "OBJECT IDENTIFIER",
    "OCTET STRING",
    "OPTIONAL",
    "PRESENT",
    "PRIVATE",
    "PrintableString",
    "REAL",
    "SEQUENCE",
    "SEQUENCE OF",
    "SET OF",
    "SIZE",
    "TRUE",
    "UTF8String",
    "WITH COMPONENTS",
];

/// Returns the protocol's numbers for kinds of completions.
const fn kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Module => 9,
        SymbolKind::Class => 7,
        SymbolKind::ObjectSet => 13,
        SymbolKind::Value => 21,
        SymbolKind::Reserved => 14,
        _ => 22,
    }
}

pub(crate) fn complete(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some(indexed) = uri(params).and_then(|uri| workspace.indexed(uri)) else { return Ok(Value::Null) };
    let Some((source, lines)) = indexed.unit.file(0) else { return Ok(Value::Null) };
    let offset = params.get("position").and_then(|position| lines.of(source.text(), position)).unwrap_or_default();
    let symbols = &indexed.symbols;
    let item = |name: &str, of: SymbolKind, detail: &str| json!({ "label": name, "kind": kind(of), "detail": detail });
    let mut items: Vec<Value> = WORDS.iter().map(|word| item(word, SymbolKind::Reserved, "")).collect();
    if let Some(module) = symbols.module_at(0, offset) {
        items.extend(module.definitions.iter().map(|one| item(&one.name, one.kind, &module.name)));
        items.extend(module.imports.iter().map(|(name, from)| item(name, imported(symbols, from, name), from)));
    }
    // Names of other modules follow IMPORTS and FROM, or a module's name and a period.
    items.extend(symbols.modules().iter().map(|one| item(&one.name, SymbolKind::Module, "module")));
    Ok(json!({ "isIncomplete": false, "items": items }))
}

fn imported(symbols: &Symbols, from: &str, name: &str) -> SymbolKind {
    let definition =
        symbols.module_named(from).and_then(|module| module.definitions.iter().find(|one| one.name == name));
    definition.map_or(SymbolKind::Type, |one| one.kind)
}

/// Returns the canonical layout, as one edit. A text with syntax errors keeps its layout.
pub(crate) fn format(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some(indexed) = uri(params).and_then(|uri| workspace.indexed(uri)) else { return Ok(Value::Null) };
    let Some((source, lines)) = indexed.unit.file(0) else { return Ok(Value::Null) };
    let formatted = layout(source).map_err(|compilation| {
        let message = compilation.render();
        message.lines().next().unwrap_or("the module has syntax errors").to_owned()
    })?;
    if formatted == source.text() {
        return Ok(json!([]));
    }
    let (line, character) = lines.position(source.text(), source.text().len());
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": line, "character": character } });
    Ok(json!([{ "range": range, "newText": formatted }]))
}
