//! `tagwise schema list`: lists modules with their imports and assignments.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Value, json};
use tagwise_pkix::name::visible;
use tagwise_schema::model::{AssignmentKind, Model, Module, TagDefault, TypeId};
use tagwise_schema::{Compilation, compile_with};

use crate::shared::context::Context;
use crate::shared::diagnostics::render;
use crate::shared::modules::{SchemaArgs, sources};
use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
List modules with their imports and assignments.

Modules are compiled first, and errors are printed on standard error; a module with errors is not listed.
A folder stands for all .asn1 and .asn files in it.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise schema list schemas/rfc5280                      every module of a folder
  tagwise schema list --module PKIX1Explicit88 *.asn1      one module of several
  tagwise schema list --json m.asn1 | jq '.modules[].name' the same for programs (schema tagwise.schema-list/2)

Exit codes: 0 listed; 1 a module has errors or was not found; 2 usage error; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Modules: files, or folders of them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// List only this module
    #[arg(long, value_name = "NAME")]
    module: Option<String>,
    /// Print JSON (schema tagwise.schema-list/2)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: SchemaArgs,
}

impl ListArgs {
    /// Runs the command and returns the exit code.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let compilation = match sources(context, &self.files) {
            Ok(sources) => compile_with(sources, &self.limits.options()),
            Err(failure) => return finish(Err(failure), err),
        };
        let Some(model) = compilation.model() else {
            // Colour is for standard output.
            render(&compilation, false, err)?;
            return Ok(1);
        };
        let wanted = |module: &&Module| self.module.as_ref().is_none_or(|name| *name == module.name);
        let modules: Vec<&Module> = model.modules.iter().filter(wanted).collect();
        if modules.is_empty() {
            let known: Vec<&str> = model.modules.iter().map(|module| module.name.as_str()).collect();
            let asked = self.module.as_deref().unwrap_or_default();
            let known = known.join(", ");
            writeln!(err, "tagwise: unknown module {}, expected one of {}", visible(&asked), visible(&known))?;
            return Ok(1);
        }
        if self.json {
            let modules: Vec<Value> = modules.iter().map(|module| as_json(model, module, &compilation)).collect();
            let value = json!({ "schema": "tagwise.schema-list/2", "modules": modules });
            serde_json::to_writer_pretty(&mut *out, &value)?;
            writeln!(out)?;
        } else {
            for (index, module) in modules.into_iter().enumerate() {
                if index > 0 {
                    writeln!(out)?;
                }
                text(model, module, context.color, out)?;
            }
        }
        Ok(0)
    }
}

/// Returns the kind and the type of an assignment.
fn described(model: &Model, kind: &AssignmentKind) -> (&'static str, String) {
    let type_text = |id: TypeId| model.base(id).map_or_else(String::new, |base| base.shape.name().to_owned());
    match kind {
        AssignmentKind::Type(id) => ("type", type_text(*id)),
        AssignmentKind::ValueSet(id) => ("value set", type_text(*id)),
        AssignmentKind::Value { ty, value } => ("value", format!("{} {}", type_text(*ty), short(&value.to_string()))),
        AssignmentKind::Class(_) => ("class", String::new()),
        AssignmentKind::Object(id) => {
            let class = model.object(*id).and_then(|object| model.class(object.class));
            ("object", class.map_or_else(String::new, |class| class.name.clone()))
        }
        AssignmentKind::ObjectSet(id) => {
            let set = model.set(*id);
            let class = set.and_then(|set| model.class(set.class)).map_or("", |class| class.name.as_str());
            let count = set.map_or(0, |set| set.objects.len());
            let more = if set.is_some_and(|set| set.extensible) { ", extensible" } else { "" };
            let objects = if count == 1 { "object" } else { "objects" };
            ("object set", format!("{class}, {count} {objects}{more}"))
        }
        AssignmentKind::Parameterized { parameters } => ("template", parameters.join(", ")),
        _ => ("skipped", String::new()),
    }
}

/// Shortens a text to its first characters.
fn short(text: &str) -> String {
    let line: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).take(61).collect();
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

const fn tags(module: &Module) -> &'static str {
    match module.tags {
        TagDefault::Explicit => "EXPLICIT",
        TagDefault::Implicit => "IMPLICIT",
        TagDefault::Automatic => "AUTOMATIC",
    }
}

fn oid(module: &Module) -> Option<String> {
    let arcs = module.oid.as_ref()?;
    Some(arcs.iter().map(ToString::to_string).collect::<Vec<_>>().join("."))
}

fn text(model: &Model, module: &Module, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let style = if color { anstyle::Style::new().bold() } else { anstyle::Style::new() };
    let oid = oid(module).map(|oid| format!("  {oid}")).unwrap_or_default();
    let extensible = if module.extensibility_implied { ", extensibility implied" } else { "" };
    writeln!(out, "{style}{}{style:#}{oid}  {} tags{extensible}", module.name, tags(module).to_lowercase())?;
    for import in &module.imports {
        let missing = if import.module.is_none() { " (missing)" } else { "" };
        writeln!(out, "  from {}{missing}: {}", import.name, import.symbols.join(", "))?;
    }
    let width = module.assignments.iter().map(|one| one.name.len()).max().unwrap_or(0).min(40);
    for assignment in &module.assignments {
        let (kind, what) = described(model, &assignment.kind);
        let line = format!("  {:<width$}  {kind:<10}  {what}", assignment.name);
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn as_json(model: &Model, module: &Module, compilation: &Compilation) -> Value {
    let source = compilation.sources().get(module.span.file as usize);
    let imports = module
        .imports
        .iter()
        .map(|import| json!({ "module": import.name, "found": import.module.is_some(), "symbols": import.symbols }));
    let assignments = module.assignments.iter().map(|assignment| {
        let (kind, what) = described(model, &assignment.kind);
        let line = source.map(|source| source.position(assignment.span.start as usize).0);
        json!({ "name": assignment.name, "kind": kind, "what": what, "line": line })
    });
    json!({
        "name": module.name,
        "oid": oid(module),
        "tags": tags(module),
        "extensibility_implied": module.extensibility_implied,
        "file": source.map(tagwise_schema::Source::name),
        "exports": module.exports,
        "imports": imports.collect::<Vec<_>>(),
        "assignments": assignments.collect::<Vec<_>>(),
    })
}
