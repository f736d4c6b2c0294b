//! The front of the ASN.1 schema compiler: modules as they are published, read, resolved and checked.
//!
//! [`compile`] takes the texts of modules and gives a [`Model`], or says what is wrong with them and where. The model has
//! everything that a back end needs, by index: types with their tags decided and their constraints computed, values, classes,
//! objects and object sets, with instances of what has parameters. It knows of no target language.
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
//! X.680, X.681, X.682 and X.683 as of 2021. Of what came before 1994 there are: ANY, ANY DEFINED BY, components without names;
//! definitions and uses of macros are skipped with a warning, and so are encoding control sections and values in XML.
//!
//! # What it costs
//!
//! Time and memory in proportion to the texts. What multiplies them (instances of what has parameters, COMPONENTS OF, values
//! in values, sets in sets) is counted against an allowance, and nothing recurses deeper than [`Limits`] allows.
#![forbid(unsafe_code)]

mod ast;
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

/// Result of a compilation.
#[derive(Debug)]
pub struct Compilation {
    model: Option<Model>,
    diagnostics: Diagnostics,
    sources: Vec<Source>,
    omitted: Vec<Omitted>,
}

impl Compilation {
    /// The model, if there was no error; with [`Options::keep_going`], that of what is right.
    #[must_use]
    pub const fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// The model, if there was no error; with [`Options::keep_going`], that of what is right.
    #[must_use]
    pub fn into_model(self) -> Option<Model> {
        self.model
    }

    /// The assignments that the model lacks, with [`Options::keep_going`], in the order of the texts.
    #[must_use]
    pub fn omitted(&self) -> &[Omitted] {
        &self.omitted
    }

    /// The errors and warnings.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The texts, in the order they were given.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The number of errors and warnings, in words; of modules without errors, how much there is in them.
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
                    omitted => format!(", {omitted} left out"),
                };
                format!("{modules} with {}: {errors}, {warnings}{omitted}", count(assignments, "assignment"))
            }
            None => format!("{errors}, {warnings}"),
        }
    }

    /// The omitted assignments, one line each with file, line and column.
    #[must_use]
    pub fn omissions(&self) -> Vec<String> {
        let line = |one: &Omitted| {
            let source = self.sources.get(one.span.file as usize);
            let (line, column) = source.map_or((0, 0), |source| source.position(one.span.start as usize));
            let file = source.map_or("", Source::name);
            format!("{file}:{line}:{column}: {} is left out: {}", one.name, one.reason)
        };
        self.omitted.iter().map(line).collect()
    }

    /// All diagnostics as text, with the lines they are about.
    #[must_use]
    pub fn render(&self) -> String {
        self.diagnostics.list().iter().map(|one| one.render(&self.sources) + "\n").collect()
    }
}

/// Compiles the texts of modules, with the default limits.
///
/// See the crate's example.
#[must_use]
pub fn compile(sources: Vec<Source>) -> Compilation {
    compile_within(sources, &Limits::DEFAULT)
}

/// Compiles the texts of modules.
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

/// Compiles the texts of modules: under limits, and with departures from X.680 that are allowed by name.
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

/// One compilation, and the places of the assignments.
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
