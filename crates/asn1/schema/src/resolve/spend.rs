//! The allowance of a compilation: everything created, copied or traversed again is counted in bytes.
//!
//! Anything that is counted only after its creation is at most as large as the total counted before it, so the allowance is exceeded
//! by at most a constant factor. When it is spent, nothing more is created or reported.

use crate::diagnostic::{Clause, Diagnostic};
use crate::model::{Type, TypeId, weight};
use crate::parse::{Failed, Parsed};
use crate::resolve::part::Part;
use crate::resolve::{Info, Resolver, Scope, State};
use crate::source::Span;

/// A type with what is known of it, without its name.
pub(crate) const TYPE: u64 = (size_of::<Type>() + size_of::<Info>()) as u64;

/// A value, object, set or class with what is known of it.
pub(crate) const ITEM: u64 = 256;

/// Parsing again what stands in braces, for each byte.
const PARSED: u64 = 4;

impl Resolver<'_> {
    /// Counts bytes that are made, copied or gone through, and stops everything when they are too many.
    pub(crate) fn spend(&mut self, span: Span, bytes: u64) -> Parsed<()> {
        self.spent = self.spent.saturating_add(bytes);
        if self.is_spent {
            return Err(Failed);
        }
        if self.spent > self.allowance {
            let message = format!(
                "the schema takes more than {} bytes of memory once its references are expanded",
                self.allowance
            );
            return self.stop(span, message);
        }
        if self.diagnostics.is_full() {
            let last = self.diagnostics.last().unwrap_or(span);
            return self.stop(last, "there are too many errors; no more are looked for".to_owned());
        }
        Ok(())
    }

    /// Counts what stands in braces, which is read again.
    pub(crate) fn spend_text(&mut self, span: Span) -> Parsed<()> {
        self.spend(span, PARSED * u64::from(span.end.saturating_sub(span.start)))
    }

    /// Counts a part of a constraint.
    pub(crate) fn spend_part(&mut self, span: Span, part: &Part) -> Parsed<()> {
        self.spend(span, part.bytes())
    }

    /// The remaining allowance.
    pub(crate) const fn left(&self) -> u64 {
        if self.is_spent { 0 } else { self.allowance.saturating_sub(self.spent) }
    }

    /// Ends the compilation.
    fn stop<T>(&mut self, span: Span, message: String) -> Parsed<T> {
        self.is_spent = true;
        self.diagnostics.close(Diagnostic::error(span, "limit", message, Clause::NONE));
        Err(Failed)
    }

    /// A type that stands for what could not be made sense of; nothing more is said about it.
    pub(crate) fn broken(&mut self, span: Span) -> TypeId {
        if let Some(id) = self.broken {
            return id;
        }
        let id = self.push_type(Scope { module: 0, env: 0 }, span, None, State::Failed);
        self.broken = Some(id);
        id
    }
}

impl Part {
    /// The memory of a part.
    pub(crate) fn bytes(&self) -> u64 {
        let ranges = |list: &Option<Vec<_>>| list.as_deref().map_or(0, weight::ranges);
        let texts = self.patterns.iter().map(|one| &one.text).chain(&self.settings).map(|text| 64 + text.len() as u64);
        size_of::<Self>() as u64
            + ranges(&self.value)
            + ranges(&self.size)
            + ranges(&self.alphabet)
            + self.values.as_deref().map_or(0, weight::values)
            + texts.sum::<u64>()
            + weight::components(&self.components)
            + self.item.as_deref().map_or(0, weight::inner)
            + weight::conditions(&self.further)
    }
}
