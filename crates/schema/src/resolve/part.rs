//! Set arithmetic on constraints (X.680 §50): what a set restricts, kind by kind.
//!
//! A kind that is absent is not restricted. Where a union mixes kinds, what is left allows more than the text does, and is
//! marked inexact; it never allows less.

use crate::model::{Components, Inner, IntRange, Pattern, TypeId, Value};
use crate::resolve::ranges;

/// How many comparisons of values are made at most in an intersection.
const MAX_COMPARISONS: usize = 1_000_000;

/// What a set of values restricts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) value: Option<Vec<IntRange>>,
    pub(crate) size: Option<Vec<IntRange>>,
    pub(crate) alphabet: Option<Vec<IntRange>>,
    pub(crate) values: Option<Vec<Value>>,
    /// Whether `...` stands inside SIZE or FROM.
    pub(crate) size_extensible: bool,
    pub(crate) alphabet_extensible: bool,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) components: Vec<Components>,
    pub(crate) item: Option<Box<Inner>>,
    pub(crate) settings: Vec<String>,
    /// The one type that an open type is.
    pub(crate) fixed: Option<TypeId>,
    pub(crate) inexact: bool,
}

/// A kind of restriction that arithmetic is exact in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dimension {
    Value,
    Size,
    Alphabet,
    Values,
}

impl Part {
    /// The one kind that is restricted, if it is one.
    fn only(&self) -> Option<Dimension> {
        let is_plain = self.patterns.is_empty()
            && self.components.is_empty()
            && self.item.is_none()
            && self.settings.is_empty()
            && self.fixed.is_none()
            && !self.inexact;
        let mut kinds = [
            self.value.as_ref().map(|_| Dimension::Value),
            self.size.as_ref().map(|_| Dimension::Size),
            self.alphabet.as_ref().map(|_| Dimension::Alphabet),
            self.values.as_ref().map(|_| Dimension::Values),
        ]
        .into_iter()
        .flatten();
        let first = kinds.next()?;
        (is_plain && kinds.next().is_none()).then_some(first)
    }

    /// What is in one of several sets.
    pub(crate) fn union(mut parts: Vec<Self>) -> Self {
        if parts.len() < 2 {
            return parts.pop().unwrap_or_default();
        }
        let first = parts.first().and_then(Self::only);
        let exact = first.is_some() && parts.iter().all(|part| part.only() == first);
        let gather = |of: fn(&Self) -> Option<&Vec<IntRange>>| {
            let all: Option<Vec<&Vec<IntRange>>> = parts.iter().map(of).collect();
            all.map(|all| ranges::normal(all.into_iter().flatten().cloned().collect()))
        };
        let values: Option<Vec<&Vec<Value>>> = parts.iter().map(|part| part.values.as_ref()).collect();
        Self {
            value: gather(|part| part.value.as_ref()),
            size: gather(|part| part.size.as_ref()),
            alphabet: gather(|part| part.alphabet.as_ref()),
            values: values.map(|all| all.into_iter().flatten().cloned().collect()),
            size_extensible: parts.iter().any(|part| part.size_extensible),
            alphabet_extensible: parts.iter().any(|part| part.alphabet_extensible),
            inexact: !exact,
            ..Self::default()
        }
    }

    /// What is in both of two sets.
    pub(crate) fn meet(mut self, other: Self) -> Self {
        self.value = meet(self.value, other.value);
        self.size = meet(self.size, other.size);
        self.alphabet = meet(self.alphabet, other.alphabet);
        self.values = match (self.values, other.values) {
            (Some(a), Some(b)) if a.len().saturating_mul(b.len()) <= MAX_COMPARISONS => {
                Some(a.into_iter().filter(|value| b.contains(value)).collect())
            }
            (Some(a), Some(_)) => {
                self.inexact = true;
                Some(a)
            }
            (a, b) => a.or(b),
        };
        self.size_extensible |= other.size_extensible;
        self.alphabet_extensible |= other.alphabet_extensible;
        self.patterns.extend(other.patterns);
        self.components.extend(other.components);
        self.settings.extend(other.settings);
        self.inexact |= other.inexact || (self.item.is_some() && other.item.is_some());
        self.item = self.item.or(other.item);
        self.fixed = self.fixed.or(other.fixed);
        self
    }

    /// What is in this set and not in another one; `parent` is what this one is part of.
    pub(crate) fn except(mut self, without: &Self, parent: &Self) -> Self {
        let Some(kind) = without.only() else {
            self.inexact = true;
            return self;
        };
        let minus = |from: &Option<Vec<IntRange>>, gone: &Option<Vec<IntRange>>, all: &Option<Vec<IntRange>>| {
            let from = from.clone().or_else(|| all.clone()).unwrap_or_else(ranges::all);
            Some(ranges::meet(&from, &ranges::complement(gone.as_deref().unwrap_or_default())))
        };
        match kind {
            // Where other kinds are restricted too, only what has both is gone; that is exact in every kind alone.
            Dimension::Value => self.value = minus(&self.value, &without.value, &parent.value),
            Dimension::Size => self.size = minus(&self.size, &without.size, &parent.size),
            // A string without some characters is not a string without any of them.
            Dimension::Alphabet => self.inexact = true,
            Dimension::Values => match (&mut self.values, &without.values) {
                (Some(values), Some(gone)) if values.len().saturating_mul(gone.len()) <= MAX_COMPARISONS => {
                    values.retain(|value| !gone.contains(value));
                }
                _ => self.inexact = true,
            },
        }
        self
    }
}

fn meet(a: Option<Vec<IntRange>>, b: Option<Vec<IntRange>>) -> Option<Vec<IntRange>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(ranges::meet(&a, &b)),
        (a, b) => a.or(b),
    }
}
