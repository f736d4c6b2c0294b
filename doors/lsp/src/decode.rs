//! A code lens at each type, and the command that decodes hexadecimal with it.

use serde_json::{Value, json};
use tagwise_codec::text::hex;
use tagwise_codec::value::Print;
use tagwise_schema::SymbolKind;
use tagwise_tables::Schema;

use crate::request::{Answer, uri};
use crate::workspace::Workspace;

/// The command: a document, a module, a type and hexadecimal, as its arguments.
pub(crate) const COMMAND: &str = "tagwise.decode";

/// The longest hexadecimal, in characters.
const MAX_INPUT: usize = 8 * 1024 * 1024;
/// The most bytes of printed output.
const MAX_OUTPUT: usize = 1024 * 1024;

pub(crate) fn lenses(workspace: &mut Workspace, params: &Value) -> Answer {
    let Some(uri) = uri(params) else { return Ok(Value::Null) };
    let Some(indexed) = workspace.indexed(uri) else { return Ok(Value::Null) };
    let Some((source, lines)) = indexed.unit.file(0) else { return Ok(Value::Null) };
    let mut lenses = Vec::new();
    for module in indexed.symbols.modules().iter().filter(|module| module.span.file == 0) {
        let types = module.definitions.iter().filter(|one| one.kind == SymbolKind::Type && !one.is_parameterized());
        lenses.extend(types.map(|one| {
            json!({
                "range": lines.range(source, one.name_span),
                "command": {
                    "title": "decode hex with this type",
                    "command": COMMAND,
                    "arguments": [uri, module.name, one.name],
                },
            })
        }));
    }
    Ok(Value::Array(lenses))
}

pub(crate) fn execute(workspace: &mut Workspace, params: &Value) -> Answer {
    let command = params.get("command").and_then(Value::as_str).unwrap_or_default();
    if command != COMMAND {
        return Err(format!("unknown command {command:?}, expected {COMMAND}"));
    }
    let argument = |index: usize| params.get("arguments")?.get(index)?.as_str();
    let (Some(uri), Some(module), Some(name), Some(input)) = (argument(0), argument(1), argument(2), argument(3))
    else {
        return Err(format!("{COMMAND} requires four arguments: document, module, type and hexadecimal"));
    };
    if input.len() > MAX_INPUT {
        return Err(format!("the input has {} characters, expected at most {MAX_INPUT}", input.len()));
    }
    let octets = hex::decode(input.as_bytes()).map_err(|error| format!("the input is not hexadecimal: {error}"))?;
    let compiled = workspace.compiled(uri).ok_or_else(|| format!("{uri} is not open"))?;
    let model = compiled.compilation.model().ok_or_else(|| compiled.compilation.summary())?;
    let schema = Schema::from_model(model).map_err(|problems| {
        problems.first().map_or_else(|| "the schema has no tables".to_owned(), ToString::to_string)
    })?;
    let ty = schema.ty(&format!("{module}.{name}")).map_err(|error| error.to_string())?;
    let value = ty.decode(&octets).map_err(|error| error.to_string())?.value;
    let print = Print::new(ty.types()).budget(MAX_OUTPUT);
    let text = match print.line(&value) {
        Some(line) => line,
        None => {
            let mut text = String::new();
            print.print(&value, &mut text).map_err(|error| error.to_string())?;
            text
        }
    };
    Ok(Value::String(text))
}
