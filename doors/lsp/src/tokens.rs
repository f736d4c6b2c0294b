//! Semantic tokens.

use serde_json::{Value, json};
use tagwise_schema::{Span, SymbolKind};

use crate::request::{Answer, uri};
use crate::workspace::Workspace;

/// The token types, in the order of their numbers.
const TYPES: [&str; 13] = [
    "namespace",
    "type",
    "variable",
    "class",
    "enum",
    "macro",
    "typeParameter",
    "enumMember",
    "property",
    "keyword",
    "number",
    "string",
    "comment",
];

pub(crate) fn legend() -> Value {
    json!({ "tokenTypes": TYPES, "tokenModifiers": ["declaration"] })
}

const fn number(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Module => 0,
        SymbolKind::Type => 1,
        SymbolKind::Value => 2,
        SymbolKind::Class => 3,
        SymbolKind::ObjectSet => 4,
        SymbolKind::Macro => 5,
        SymbolKind::Parameter => 6,
        SymbolKind::Member => 7,
        SymbolKind::Field => 8,
        SymbolKind::Reserved => 9,
        SymbolKind::Number => 10,
        SymbolKind::String => 11,
        _ => 12,
    }
}

pub(crate) fn tokens(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some(indexed) = uri(params).and_then(|uri| workspace.indexed(uri)) else { return Ok(Value::Null) };
    let Some((source, lines)) = indexed.unit.file(0) else { return Ok(Value::Null) };
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for token in indexed.symbols.tokens(0) {
        let is_definition = token.target.and_then(|target| indexed.symbols.definition(target)) == Some(token.span);
        // A token of several lines is one for each of them.
        let mut start = token.span.start;
        for part in source.slice(token.span).split_inclusive('\n') {
            let end = start + part.trim_end_matches(['\r', '\n']).len() as u32;
            let (at_line, at_column) = lines.position(source.text(), start as usize);
            let (_, end_column) = lines.position(source.text(), end as usize);
            debug_assert!(Span { file: 0, start, end }.start <= end);
            if end > start {
                let from = if at_line == line { column } else { 0 };
                data.extend([at_line - line, at_column - from, end_column - at_column]);
                data.extend([number(token.kind) as usize, usize::from(is_definition)]);
                (line, column) = (at_line, at_column);
            }
            start += part.len() as u32;
        }
    }
    Ok(json!({ "data": data }))
}
