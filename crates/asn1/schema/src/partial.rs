//! Compiles the correct part of modules with errors, omitting assignments with errors and their dependents.
//!
//! Omitted assignments are blanked in the text, which keeps positions unchanged, and the text is compiled again. References to
//! them are then errors, so assignments with such references are omitted in the next round.

use std::collections::BTreeMap;

use crate::lex::Tokens;
use crate::{Compilation, Departure, Diagnostic, Options, Severity, Source, Span, ast, once};

/// The maximum number of rounds. A chain of dependent definitions needs one round per definition.
const ROUNDS: usize = 256;

/// An assignment omitted from a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// The module's name.
    pub module: String,
    /// The assigned name, or the module's name if the whole module was omitted.
    pub name: String,
    /// The assignment's source text.
    pub span: Span,
    /// The error in the assignment or in one of its dependencies.
    pub reason: String,
}

/// The position of an assignment or a whole module.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    module: String,
    name: String,
    span: Span,
    /// True if the assignment or module failed to parse.
    is_failed: bool,
}

/// Returns the positions of all modules and all assignments, including assignments that failed to parse.
pub(crate) fn regions(files: &[(Tokens, Vec<ast::Module>)]) -> Vec<Region> {
    let mut regions = Vec::new();
    for module in files.iter().flat_map(|(_, modules)| modules) {
        let region = |name: &ast::Ident, span: Span, is_failed: bool| Region {
            module: module.name.text.clone(),
            name: name.text.clone(),
            span,
            is_failed,
        };
        regions.extend(module.assignments.iter().map(|one| region(&one.name, one.span, false)));
        regions.extend(module.failed.iter().map(|one| region(one, one.span, true)));
        regions.push(region(&module.name, module.span, false));
    }
    regions
}

/// Compiles the correct part of modules whose first compilation had errors.
pub(crate) fn compile(first: Compilation, regions: Vec<Region>, options: &Options) -> Compilation {
    // Names of what is left out may still be imported and exported.
    let again = options.allow(Departure::UndefinedImport).allow(Departure::UndefinedExport);
    let mut texts: Vec<Vec<u8>> = first.sources.iter().map(|source| source.text().as_bytes().to_vec()).collect();
    let (mut regions, mut omitted) = (regions, Vec::new());
    let mut last = None;
    for _ in 0..ROUNDS {
        let list = last.as_ref().unwrap_or(&first).diagnostics().list();
        let errors: Vec<&Diagnostic> = list.iter().filter(|one| one.severity == Severity::Error).collect();
        // What takes too much takes it as a whole.
        if errors.iter().any(|error| error.code == "limit") {
            return first;
        }
        let found = defective(&regions, &errors);
        if found.is_empty() {
            return first;
        }
        for one in found {
            if let Some(text) = texts.get_mut(one.span.file as usize) {
                blank(text, one.span);
            }
            omitted.push(one);
        }
        let sources = first.sources.iter().zip(&texts).map(|(source, text)| Source::from_bytes(source.name(), text));
        let (compilation, places) = once(&sources.collect::<Vec<_>>(), &again);
        if compilation.model.is_some() {
            omitted.sort_by_key(|one: &Omitted| one.span);
            return Compilation { model: compilation.model, omitted, ..first };
        }
        regions = places;
        last = Some(compilation);
    }
    first
}

/// Finds the assignments that contain errors. If some failed to parse, only these are returned, because they may have caused
/// the errors after them.
fn defective(regions: &[Region], errors: &[&Diagnostic]) -> Vec<Omitted> {
    let omitted = |region: &Region, error: Option<&&Diagnostic>| Omitted {
        module: region.module.clone(),
        name: region.name.clone(),
        span: region.span,
        reason: error.map_or_else(String::new, |error| error.message.clone()),
    };
    let failed = regions.iter().filter(|region| region.is_failed).map(|region| {
        let is_behind =
            |error: &&&Diagnostic| error.span.file == region.span.file && error.span.start >= region.span.start;
        omitted(region, errors.iter().find(is_behind))
    });
    let failed: Vec<Omitted> = failed.collect();
    if !failed.is_empty() {
        return failed;
    }
    let mut found: BTreeMap<Span, Omitted> = BTreeMap::new();
    for error in errors {
        // Of the places around it, assignments come before their modules.
        let around = regions.iter().find(|region| {
            let (place, of) = (region.span, error.span);
            place.file == of.file && place.start <= of.start && of.start < place.end
        });
        if let Some(region) = around {
            found.entry(region.span).or_insert_with(|| omitted(region, Some(error)));
        }
    }
    found.into_values().collect()
}

/// Replaces a part of a text with spaces, byte by byte. Line breaks are kept.
fn blank(text: &mut [u8], span: Span) {
    let part = text.get_mut(span.start as usize..span.end as usize).unwrap_or_default();
    part.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}
