//! Modules with errors, as far as they are right: what has an error is left out, and so is what needs it.
//!
//! An assignment that is left out is blank in the text that is compiled again, so that places stay what they are. What then names it has
//! an error itself, and is left out next.

use std::collections::BTreeSet;

use crate::lex::Tokens;
use crate::{Compilation, Departure, Options, Severity, Source, Span, ast, once};

/// Limit of rounds: a chain of definitions that need each other takes one for each.
const ROUNDS: usize = 256;

/// An assignment that was left out of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// The module.
    pub module: String,
    /// The name that is assigned; that of the module where all of it was left out.
    pub name: String,
    /// Its text.
    pub span: Span,
    /// Its error, or that of what it needs.
    pub reason: String,
}

/// The place of an assignment, or of a whole module.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    module: String,
    name: String,
    span: Span,
}

/// The places of all assignments, those that could not be read among them, and of all modules.
pub(crate) fn regions(files: &[(Tokens, Vec<ast::Module>)]) -> Vec<Region> {
    let mut regions = Vec::new();
    for module in files.iter().flat_map(|(_, modules)| modules) {
        let region = |name: &ast::Ident, span: Span| Region {
            module: module.name.text.clone(),
            name: name.text.clone(),
            span,
        };
        regions.extend(module.assignments.iter().map(|one| region(&one.name, one.span)));
        regions.extend(module.failed.iter().map(|one| region(one, one.span)));
        regions.push(region(&module.name, module.span));
    }
    regions
}

/// Compiles what is right of modules whose first compilation had errors.
pub(crate) fn compile(first: Compilation, regions: Vec<Region>, options: &Options) -> Compilation {
    // Names of what is left out may still be imported and exported.
    let again = options.allow(Departure::UndefinedImport).allow(Departure::UndefinedExport);
    let mut texts: Vec<Vec<u8>> = first.sources.iter().map(|source| source.text().as_bytes().to_vec()).collect();
    let mut left_out = BTreeSet::new();
    let mut omitted = Vec::new();
    let mut last = None;
    for _ in 0..ROUNDS {
        let diagnostics = last.as_ref().unwrap_or(&first).diagnostics().list();
        let mut grown = false;
        for error in diagnostics.iter().filter(|one| one.severity == Severity::Error) {
            // What takes too much takes it as a whole.
            if error.code == "limit" {
                return first;
            }
            // Of the places around it, assignments come before their modules.
            let around = regions.iter().enumerate().find(|(_, region)| {
                region.span.file == error.span.file
                    && region.span.start <= error.span.start
                    && error.span.start < region.span.end
            });
            let Some((index, region)) = around.filter(|(index, _)| !left_out.contains(index)) else { continue };
            left_out.insert(index);
            grown = true;
            if let Some(text) = texts.get_mut(region.span.file as usize) {
                blank(text, region.span);
            }
            let Region { module, name, span, .. } = region.clone();
            omitted.push(Omitted { module, name, span, reason: error.message.clone() });
        }
        if !grown {
            return first;
        }
        let sources = first.sources.iter().zip(&texts).map(|(source, text)| Source::from_bytes(source.name(), text));
        let (compilation, _) = once(&sources.collect::<Vec<_>>(), &again);
        if compilation.model.is_some() {
            omitted.sort_by_key(|one| one.span);
            return Compilation { model: compilation.model, omitted, ..first };
        }
        last = Some(compilation);
    }
    first
}

/// Puts spaces in place of a part of a text, byte by byte; lines stay.
fn blank(text: &mut [u8], span: Span) {
    let part = text.get_mut(span.start as usize..span.end as usize).unwrap_or_default();
    part.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}
