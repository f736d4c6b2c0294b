//! Schema diagnostics: position, message and clause, as text with a marked line or as JSON.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

pub use crate::clause::Clause;
use crate::departure::{Departure, Departures};
use crate::source::{Source, Span};

/// The maximum number of errors that are kept, and of warnings. More are only counted.
const MAX_KEPT: usize = 1000;
/// The maximum size of a message, in bytes. A name may be as long as the text.
const MAX_MESSAGE: usize = 2000;

/// The severity of a diagnostic. An error rejects the schema, and a warning does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The schema is rejected.
    Error,
    /// The schema is accepted, but something is unusual or was omitted.
    Warning,
}

impl Severity {
    /// Returns the name: `error` or `warning`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// An error or warning.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity: error or warning.
    pub severity: Severity,
    /// The stable code: `syntax`, `undefined`, `duplicate-tag` …
    pub code: &'static str,
    /// The position in the source text.
    pub span: Span,
    /// The error message, which also states what was expected.
    pub message: String,
    /// The clause of the standard on which the diagnostic is based.
    pub clause: Clause,
    /// Related positions, each with a message.
    pub notes: Vec<(Span, String)>,
    /// The departure, if it can be allowed. It is a warning if allowed, and an error otherwise.
    pub departure: Option<Departure>,
}

impl Diagnostic {
    pub(crate) fn error(span: Span, code: &'static str, message: String, clause: Clause) -> Self {
        Self { severity: Severity::Error, code, span, message, clause, notes: Vec::new(), departure: None }
    }

    pub(crate) fn warning(span: Span, code: &'static str, message: String, clause: Clause) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, code, message, clause) }
    }

    #[must_use]
    pub(crate) fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push((span, message.into()));
        self
    }

    /// Formats the diagnostic on one line: `file:line:column: error: message [clause]`.
    #[must_use]
    pub fn line(&self, sources: &[Source]) -> String {
        let place = place(self.span, sources);
        format!("{place}: {}: {} [{}]", self.severity.name(), visible(&self.message), self.clause)
    }

    /// Formats the diagnostic with its marked line and notes: several lines, without a final line break.
    #[must_use]
    pub fn render(&self, sources: &[Source]) -> String {
        let mut text = self.line(sources);
        marked(self.span, sources, &mut text);
        if let (Severity::Error, Some(departure)) = (self.severity, self.departure) {
            let _ = write!(text, "\n  = note: you can allow it by name: {departure}");
        }
        for (span, note) in &self.notes {
            let _ = write!(text, "\n{}: note: {}", place(*span, sources), visible(note));
            marked(*span, sources, &mut text);
        }
        text
    }

    /// Formats the diagnostic as a JSON object.
    #[must_use]
    pub fn json(&self, sources: &[Source]) -> String {
        let mut text = String::from("{");
        let _ = write!(text, "\"severity\":\"{}\",\"code\":\"{}\",", self.severity.name(), self.code);
        json_place(self.span, sources, &mut text);
        text.push_str(",\"message\":");
        quote(&self.message, &mut text);
        text.push_str(",\"clause\":");
        if self.clause == Clause::NONE {
            text.push_str("null");
        } else {
            quote(&self.clause.to_string(), &mut text);
        }
        if let Some(departure) = self.departure {
            let _ = write!(text, ",\"departure\":\"{departure}\"");
        }
        text.push_str(",\"notes\":[");
        for (index, (span, note)) in self.notes.iter().enumerate() {
            text.push_str(if index > 0 { ",{" } else { "{" });
            json_place(*span, sources, &mut text);
            text.push_str(",\"message\":");
            quote(note, &mut text);
            text.push('}');
        }
        text.push_str("]}");
        text
    }
}

fn place(span: Span, sources: &[Source]) -> String {
    match sources.get(span.file as usize) {
        Some(source) => {
            let (line, column) = source.position(span.start as usize);
            format!("{}:{line}:{column}", visible(source.name()))
        }
        None => "-".to_owned(),
    }
}

fn json_place(span: Span, sources: &[Source], text: &mut String) {
    let source = sources.get(span.file as usize);
    text.push_str("\"file\":");
    quote(source.map_or("", Source::name), text);
    let (line, column) = source.map_or((0, 0), |source| source.position(span.start as usize));
    let (end_line, end_column) = source.map_or((0, 0), |source| source.position(span.end.max(span.start) as usize));
    let _ = write!(text, ",\"line\":{line},\"column\":{column},\"end_line\":{end_line},\"end_column\":{end_column}");
    let _ = write!(text, ",\"offset\":{},\"length\":{}", span.start, span.end.saturating_sub(span.start));
}

/// The maximum length of the displayed part of a line, in characters.
const WIDTH: usize = 160;

/// Appends the source line of a span, with carets below the span.
fn marked(span: Span, sources: &[Source], text: &mut String) {
    let Some(source) = sources.get(span.file as usize) else { return };
    let (line_number, column) = source.position(span.start as usize);
    let (start, line) = source.line_at(span.start as usize);
    let before = span.start as usize - start.min(span.start as usize);
    let marked = (span.end.saturating_sub(span.start) as usize).min(line.len().saturating_sub(before));
    let width = line.get(before..before + marked).map_or(1, |part| part.chars().count()).max(1);
    // A line of a megabyte is shown around the place only.
    let skipped = if column > WIDTH { column - WIDTH / 2 } else { 0 };
    let shown: String = line.chars().skip(skipped).take(WIDTH).map(seen).collect();
    let gutter = line_number.to_string();
    let pad = " ".repeat(gutter.len());
    let lead: String = line
        .chars()
        .skip(skipped)
        .take(column - 1 - skipped.min(column - 1))
        .map(|char| if char == '\t' { '\t' } else { ' ' })
        .collect();
    let carets = "^".repeat(width.min(WIDTH.saturating_sub(column - 1 - skipped.min(column - 1)).max(1)));
    let _ = write!(text, "\n{gutter} | {}\n{pad} | {lead}{carets}", shown.trim_end());
}

/// Returns a printable replacement for control characters and characters that change the text direction. Returns other
/// characters unchanged.
const fn seen(char: char) -> char {
    match char {
        '\t' => '\t',
        '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' => '\u{FFFD}',
        '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' => '\u{FFFD}',
        _ => char,
    }
}

fn visible(text: &str) -> String {
    text.chars().map(|char| if char == '\t' { ' ' } else { seen(char) }).collect()
}

/// Appends a text as a JSON string.
pub(crate) fn quote(value: &str, text: &mut String) {
    text.push('"');
    for char in value.chars() {
        match char {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            char if seen(char) != char || char.is_control() => {
                let _ = write!(text, "\\u{:04x}", u32::from(char));
            }
            char => text.push(char),
        }
    }
    text.push('"');
}

/// The diagnostics of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Hashes of the recorded diagnostics, for dropping duplicates.
    seen: HashSet<u64>,
    errors: usize,
    warnings: usize,
    /// True once the compilation has ended. Nothing more is then reported.
    is_closed: bool,
    /// The departures that are warnings.
    allowed: Departures,
}

impl Diagnostics {
    pub(crate) fn new(allowed: Departures) -> Self {
        Self { allowed, ..Self::default() }
    }

    /// Returns whether a departure is allowed, and therefore only a warning.
    pub(crate) const fn allows(&self, departure: Departure) -> bool {
        self.allowed.contains(departure)
    }

    /// Reports a departure as an error, or as a warning if it is allowed.
    pub(crate) fn depart(&mut self, departure: Departure, span: Span, message: String) {
        let make = if self.allowed.contains(departure) { Diagnostic::warning } else { Diagnostic::error };
        let diagnostic = make(span, departure.code(), message, departure.clause());
        self.push(Diagnostic { departure: Some(departure), ..diagnostic });
    }

    pub(crate) fn push(&mut self, mut diagnostic: Diagnostic) {
        if self.is_closed {
            return;
        }
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if *count >= MAX_KEPT {
            *count += 1;
            return;
        }
        let mut hasher = DefaultHasher::new();
        (diagnostic.span, diagnostic.code, &diagnostic.message).hash(&mut hasher);
        if self.seen.insert(hasher.finish()) {
            *count += 1;
            shorten(&mut diagnostic.message);
            diagnostic.notes.iter_mut().for_each(|(_, note)| shorten(note));
            self.list.push(diagnostic);
        }
    }

    /// Returns the position of the last diagnostic.
    pub(crate) fn last(&self) -> Option<Span> {
        self.list.last().map(|one| one.span)
    }

    /// Returns whether further errors would be discarded.
    pub(crate) const fn is_full(&self) -> bool {
        self.errors >= MAX_KEPT
    }

    /// Adds the final diagnostic. No others are added after it.
    pub(crate) fn close(&mut self, diagnostic: Diagnostic) {
        if !self.is_closed {
            self.errors += 1;
            self.list.push(diagnostic);
            self.is_closed = true;
        }
    }

    /// Sorts the diagnostics by position.
    pub(crate) fn settle(&mut self) {
        self.list
            .sort_by(|a, b| (a.span, a.severity, a.code, &a.message).cmp(&(b.span, b.severity, b.code, &b.message)));
    }

    /// Returns the diagnostics, ordered by position. Only the first 1000 errors and 1000 warnings are recorded.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Returns the number of errors.
    #[must_use]
    pub const fn errors(&self) -> usize {
        self.errors
    }

    /// Returns the number of warnings.
    #[must_use]
    pub const fn warnings(&self) -> usize {
        self.warnings
    }
}

/// Truncates a message that is too long, at a character boundary.
fn shorten(message: &mut String) {
    if message.len() > MAX_MESSAGE {
        let end = (0..=MAX_MESSAGE).rev().find(|end| message.is_char_boundary(*end)).unwrap_or(0);
        message.truncate(end);
        message.push('…');
    }
}
