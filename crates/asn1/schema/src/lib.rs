//! The front end of the ASN.1 schema compiler: parses, resolves and checks published modules.
//!
//! [`compile`] converts module texts to a [`Model`], or reports errors with their positions. The model contains what a
//! back end needs, by index: types with resolved tags and computed constraints, values, classes, objects, object sets,
//! and instances of parameterized definitions. It is independent of any target language.
//!
//! ```
//! use tagwise_schema::{Source, compile};
//! let text = "\
//! Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!   Point ::= SEQUENCE { x INTEGER, y INTEGER, name Lable OPTIONAL }
//!   Label ::= UTF8String (SIZE (1..20))
//! END
//! ";
//! let compilation = compile(vec![Source::new("example.asn1", text)]);
//! assert!(compilation.model().is_none());
//! assert_eq!(
//!     compilation.render(),
//!     "\
//! example.asn1:2:51: error: there is no Lable in Example; did you mean Label? [X.680 §14.4]
//! 2 |   Point ::= SEQUENCE { x INTEGER, y INTEGER, name Lable OPTIONAL }
//!   |                                                   ^^^^^
//! "
//! );
//! ```
//!
//! # The language
//!
//! It supports X.680, X.681, X.682 and X.683 (2021). From older versions, it supports ANY, ANY DEFINED BY, and
//! components without names. Macro definitions and uses, encoding control sections and XML values are skipped with a
//! warning.
//!
//! # Complexity
//!
//! Time and memory are proportional to the texts. Everything that multiplies them (parameterized instances, COMPONENTS
//! OF, nested values and sets) is counted against an allowance, and [`Limits`] limits the recursion.
#![forbid(unsafe_code)]

mod ast;
mod clause;
mod departure;
mod diagnostic;
mod int;
mod layout;
mod lex;
mod limits;
pub mod model;
mod near;
mod options;
mod parse;
mod partial;
mod resolve;
mod source;
mod symbols;
mod words;

pub use departure::{Departure, Departures, UnknownDeparture};
pub use diagnostic::{Clause, Diagnostic, Diagnostics, Severity};
pub use int::{Int, IntError};
pub use layout::{layout, layout_within};
pub use limits::Limits;
pub use model::Model;
pub use near::nearest;
pub use options::Options;
pub use partial::Omitted;
pub use source::{Source, Span};
pub use symbols::{Definition, ModuleSymbols, Occurrence, SymbolKind, Symbols, Target};

/// The result of a compilation.
#[derive(Debug)]
pub struct Compilation {
    model: Option<Model>,
    diagnostics: Diagnostics,
    sources: Vec<Source>,
    omitted: Vec<Omitted>,
}

impl Compilation {
    /// Returns the model, if there are no errors. With [`Options::keep_going`], the model of the correct part.
    #[must_use]
    pub const fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// Returns the model, if there are no errors. With [`Options::keep_going`], returns the model of the correct part.
    #[must_use]
    pub fn into_model(self) -> Option<Model> {
        self.model
    }

    /// Returns the assignments omitted from the model because of [`Options::keep_going`], in source order.
    #[must_use]
    pub fn omitted(&self) -> &[Omitted] {
        &self.omitted
    }

    /// Returns the errors and warnings.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Returns the texts, in the order given.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns a summary of the number of errors and warnings or, without errors, of the modules' content.
    ///
    /// ```
    /// use tagwise_schema::{Source, compile};
    /// let compilation = compile(vec![Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= B END")]);
    /// assert_eq!(compilation.summary(), "1 error, 0 warnings");
    /// ```
    #[must_use]
    pub fn summary(&self) -> String {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let warnings = count(self.diagnostics.warnings(), "warning");
        let errors = count(self.diagnostics.errors(), "error");
        match &self.model {
            Some(model) => {
                let modules = count(model.modules.len(), "module");
                let assignments = model.modules.iter().map(|module| module.assignments.len()).sum();
                let errors = if self.diagnostics.errors() == 0 { "no error".to_owned() } else { errors };
                let omitted = match self.omitted.len() {
                    0 => String::new(),
                    omitted => format!(", {omitted} omitted"),
                };
                format!("{modules} with {}: {errors}, {warnings}{omitted}", count(assignments, "assignment"))
            }
            None => format!("{errors}, {warnings}"),
        }
    }

    /// Returns the omitted assignments, one line each with file, line and column.
    #[must_use]
    pub fn omissions(&self) -> Vec<String> {
        let line = |one: &Omitted| {
            let source = self.sources.get(one.span.file as usize);
            let (line, column) = source.map_or((0, 0), |source| source.position(one.span.start as usize));
            let file = source.map_or("", Source::name);
            format!("{file}:{line}:{column}: {} is omitted: {}", one.name, one.reason)
        };
        self.omitted.iter().map(line).collect()
    }

    /// Formats all diagnostics as text, with the affected lines.
    #[must_use]
    pub fn render(&self) -> String {
        self.diagnostics.list().iter().map(|one| one.render(&self.sources) + "\n").collect()
    }
}

/// Compiles module texts with the default limits.
///
/// See the crate's example.
#[must_use]
pub fn compile(sources: Vec<Source>) -> Compilation {
    compile_within(sources, &Limits::DEFAULT)
}

/// Compiles module texts within limits.
///
/// ```
/// use tagwise_schema::{Limits, Source, compile_within};
/// let source = Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= SEQUENCE OF SEQUENCE OF SEQUENCE OF NULL END");
/// let mut limits = Limits::DEFAULT;
/// limits.depth = 3;
/// assert_eq!(compile_within(vec![source], &limits).diagnostics().errors(), 1);
/// ```
#[must_use]
pub fn compile_within(sources: Vec<Source>, limits: &Limits) -> Compilation {
    compile_with(sources, &Options::within(*limits))
}

/// Compiles module texts within limits, with named departures from X.680 allowed.
///
/// See the example of [`Departure`].
#[must_use]
pub fn compile_with(sources: Vec<Source>, options: &Options) -> Compilation {
    let (first, regions) = once(&sources, options);
    if !options.keep_going || first.model.is_some() {
        return first;
    }
    partial::compile(first, regions, options)
}

/// Runs one compilation, and returns it with the positions of the assignments.
fn once(sources: &[Source], options: &Options) -> (Compilation, Vec<partial::Region>) {
    let limits = &options.limits;
    let mut diagnostics = Diagnostics::new(options.allow);
    let mut files = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        let tokens = lex::lex(file as u32, source, &mut diagnostics);
        let modules = parse::modules(&tokens, limits.depth, &mut diagnostics);
        files.push((tokens, modules));
    }
    let model = resolve::resolve(&files, limits, &mut diagnostics);
    diagnostics.settle();
    let is_right = diagnostics.errors() == 0;
    let regions = if options.keep_going { partial::regions(&files) } else { Vec::new() };
    let model = is_right.then(|| {
        let mut model = Model { sources: sources.to_vec(), limits: *limits, ..model };
        model.find_bases();
        model
    });
    (Compilation { model, diagnostics, sources: sources.to_vec(), omitted: Vec::new() }, regions)
}
