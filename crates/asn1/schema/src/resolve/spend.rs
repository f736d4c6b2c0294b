//! The allowance of a compilation: everything created, copied or traversed again is counted in bytes.
//!
//! Anything that is counted only after its creation is at most as large as the total counted before it. The allowance
//! is therefore exceeded by at most a constant factor. When it is exhausted, nothing more is created or reported.

use crate::diagnostic::{Clause, Diagnostic};
use crate::model::{Type, TypeId, weight};
use crate::parse::{Failed, Parsed};
use crate::resolve::part::Part;
use crate::resolve::{Info, Resolver, Scope, State};
use crate::source::Span;

/// The charge for a type and its resolver state, without its name.
pub(crate) const TYPE: u64 = (size_of::<Type>() + size_of::<Info>()) as u64;

/// The charge for a value, object, set or class and its resolver state.
pub(crate) const ITEM: u64 = 256;

/// The charge for parsing the content of braces again, per byte.
const PARSED: u64 = 4;

impl Resolver<'_> {
    /// Counts bytes that are created, copied or traversed, and stops the compilation when the allowance is exhausted.
    pub(crate) fn spend(&mut self, span: Span, bytes: u64) -> Parsed<()> {
        self.spent = self.spent.saturating_add(bytes);
        if self.is_spent {
            return Err(Failed);
        }
        if self.spent > self.allowance {
            let message = format!(
                "the schema requires more than {} bytes of memory after its references are expanded",
                self.allowance
            );
            return self.stop(span, message);
        }
        if self.diagnostics.is_full() {
            let last = self.diagnostics.last().unwrap_or(span);
            return self.stop(last, "too many errors; stopping".to_owned());
        }
        Ok(())
    }

    /// Counts braced text, which is parsed again.
    pub(crate) fn spend_text(&mut self, span: Span) -> Parsed<()> {
        self.spend(span, PARSED * u64::from(span.end.saturating_sub(span.start)))
    }

    /// Counts a part of a constraint.
    pub(crate) fn spend_part(&mut self, span: Span, part: &Part) -> Parsed<()> {
        self.spend(span, part.bytes())
    }

    /// Returns the remaining allowance.
    pub(crate) const fn left(&self) -> u64 {
        if self.is_spent { 0 } else { self.allowance.saturating_sub(self.spent) }
    }

    /// Ends the compilation with an error.
    fn stop<T>(&mut self, span: Span, message: String) -> Parsed<T> {
        self.is_spent = true;
        self.diagnostics.close(Diagnostic::error(span, "limit", message, Clause::NONE));
        Err(Failed)
    }

    /// Returns a placeholder for a type that could not be resolved. No further errors are reported about it.
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
    /// Returns the memory used by a part, in bytes.
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
