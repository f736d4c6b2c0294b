//! The Rust emitter: structs and enums with `#[derive(Asn1)]`, and constants, each with its ASN.1 definition.
//!
//! It generates one file per ASN.1 module, and `mod.rs` to declare them. The code is formatted as by rustfmt, and is
//! deterministic.

mod items;
mod printer;
mod rules;
mod syntax;
pub(crate) mod text;
mod types;
pub(crate) mod values;

use super::{File, Meter, TooLarge};
use crate::lower::plan::{Body, Content, Plan};
pub use printer::Layout;
use syntax::{Decl, ItemSyntax, Source};
use types::Names;

/// The first words of every module's file.
pub(crate) const MARK: &str = "//! ASN.1 module `";

/// Options for generating Rust.
#[derive(Clone, Debug)]
pub struct Options {
    /// The path of the codec in generated code.
    pub codec: String,
    /// The path of the derive in generated code.
    pub derive: String,
    /// The line widths of the generated code.
    pub layout: Layout,
    /// True to add an owned alias for each borrowing type.
    pub owned: bool,
}

impl Default for Options {
    /// Uses the facade's paths: `tagwise::codec` and `tagwise::Asn1`.
    fn default() -> Self {
        Self {
            codec: "tagwise::codec".to_owned(),
            derive: "tagwise::Asn1".to_owned(),
            layout: Layout::DEFAULT,
            owned: false,
        }
    }
}

/// Emits the Rust code of a plan.
///
/// # Errors
/// Returns an error if the files would exceed the schema's allowance.
pub fn emit(plan: &Plan<'_>, options: &Options) -> Result<Vec<File>, TooLarge> {
    let mut meter = Meter::new(plan.model.allowance());
    let mut files = Vec::new();
    let mut modules = Vec::new();
    for module in plan.modules.iter().filter(|module| module.emitted) {
        let Some(span) = plan.model.module(module.id).map(|module| module.span) else { continue };
        let mut names = Names::new(plan, module.id, options, meter);
        let mut decls: Vec<Decl> = Vec::new();
        let mut large = false;
        for content in &module.contents {
            let before = decls.len();
            match content {
                Content::Item(id) if plan.item(*id).is_some_and(|item| item.emitted) => {
                    large |=
                        plan.item(*id).is_some_and(|item| matches!(item.body, Body::Choice(_) | Body::OpenType(_)));
                    decls.extend(names.item(*id));
                }
                Content::Item(_) => {}
                Content::Constant(constant) => decls.extend(names.constant(constant)),
            }
            if let Some(exceeded) = names.exceeded {
                return Err(exceeded);
            }
            names.meter.spend(&decls.get(before..))?;
        }
        let derives = decls.iter().any(|decl| {
            matches!(
                decl.kind,
                ItemSyntax::Struct { .. }
                    | ItemSyntax::Unit { .. }
                    | ItemSyntax::Tuple { .. }
                    | ItemSyntax::Enum { .. }
            )
        });
        let docs = items::heading(&names, span, &module.name);
        let summary = items::summary(&names, span, &module.name);
        let attributes = if large { vec!["#![allow(clippy::large_enum_variant)]".to_owned()] } else { Vec::new() };
        let alloc = names.alloc;
        let source = Source { docs, attributes, alloc, uses: names.uses(derives), decls };
        meter = names.meter;
        files.push(File { name: format!("{}.rs", module.ident), text: printer::print(&source, options.layout) });
        modules.push(Decl {
            docs: vec![summary],
            attributes: feature(module.feature.as_deref()),
            kind: ItemSyntax::Module { name: text::ident(&module.ident) },
        });
    }
    let name = |decl: &Decl| match &decl.kind {
        ItemSyntax::Module { name } => name.clone(),
        _ => String::new(),
    };
    // rustfmt has modules by their letters, unlike imports.
    modules.sort_by_key(name);
    // No documentation of the whole: `include!` takes none.
    let source = Source { decls: modules, ..Source::default() };
    files.push(File { name: "mod.rs".to_owned(), text: printer::print(&source, options.layout) });
    Ok(files)
}

/// Returns the attribute that omits a module if a feature is disabled.
fn feature(name: Option<&str>) -> Vec<syntax::Attribute> {
    name.map(|name| syntax::Attribute::Plain(format!("#[cfg(feature = \"{name}\")]"))).into_iter().collect()
}
