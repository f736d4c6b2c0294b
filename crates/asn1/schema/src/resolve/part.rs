//! Set arithmetic on constraints (X.680 §50), separately for each kind of constraint.
//!
//! An absent kind is unrestricted. If a union mixes kinds, the separate kinds may be less restrictive than the text, but
//! never more restrictive. A further condition then expresses the rest.

use crate::model::{Alphabet, Bounds, Components, Condition, Constraints, Inner, IntRange, Pattern, TypeId, Value};
use crate::resolve::element::Mode;
use crate::resolve::ranges;

/// The maximum number of value comparisons in an intersection.
const MAX_COMPARISONS: usize = 1_000_000;

/// The maximum nesting of conditions, including those of named types.
const MAX_DEPTH: usize = 16;
/// The maximum number of nested conditions in a condition.
const MAX_CONDITIONS: usize = 4096;

/// A set of values, as one restriction for each kind of constraint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) value: Option<Vec<IntRange>>,
    pub(crate) size: Option<Vec<IntRange>>,
    pub(crate) alphabet: Option<Vec<IntRange>>,
    pub(crate) values: Option<Vec<Value>>,
    /// True if SIZE or FROM contains `...`.
    pub(crate) size_extensible: bool,
    pub(crate) alphabet_extensible: bool,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) components: Vec<Components>,
    pub(crate) item: Option<Box<Inner>>,
    pub(crate) settings: Vec<String>,
    pub(crate) further: Vec<Condition>,
    /// The only possible type of an open type.
    pub(crate) fixed: Option<TypeId>,
    pub(crate) inexact: bool,
}

/// A kind of constraint for which set arithmetic is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dimension {
    Value,
    Size,
    Alphabet,
    Values,
}

impl Part {
    /// Returns the only restricted kind, if there is exactly one.
    fn only(&self) -> Option<Dimension> {
        let is_plain = self.patterns.is_empty()
            && self.components.is_empty()
            && self.item.is_none()
            && self.settings.is_empty()
            && self.further.is_empty()
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

    /// Returns the union of several sets.
    pub(crate) fn union(mut parts: Vec<Self>, mode: Mode) -> Self {
        if parts.len() < 2 {
            return parts.pop().unwrap_or_default();
        }
        let first = parts.first().and_then(Self::only);
        let mut exact = first.is_some() && parts.iter().all(|part| part.only() == first);
        // A string of some characters or others is not a string of any of them.
        if mode == Mode::Values && first == Some(Dimension::Alphabet) {
            exact &= parts.windows(2).all(|two| matches!(two, [a, b] if a.alphabet == b.alphabet));
        }
        let gather = |of: fn(&Self) -> Option<&Vec<IntRange>>| {
            let all: Option<Vec<&Vec<IntRange>>> = parts.iter().map(of).collect();
            all.map(|all| ranges::normal(all.into_iter().flatten().cloned().collect()))
        };
        let values: Option<Vec<&Vec<Value>>> = parts.iter().map(|part| part.values.as_ref()).collect();
        let further = if exact { Vec::new() } else { vec![Condition::Any(parts.iter().map(Self::said).collect())] };
        let all = Self {
            value: gather(|part| part.value.as_ref()),
            size: gather(|part| part.size.as_ref()),
            alphabet: gather(|part| part.alphabet.as_ref()),
            values: values.map(|all| all.into_iter().flatten().cloned().collect()),
            size_extensible: parts.iter().any(|part| part.size_extensible),
            alphabet_extensible: parts.iter().any(|part| part.alphabet_extensible),
            // An alternative that is open allows anything.
            inexact: parts.iter().any(|part| part.inexact || part.fixed.is_some()),
            further,
            ..Self::default()
        };
        all.bounded()
    }

    /// Converts the part to constraints.
    pub(crate) fn said(&self) -> Constraints {
        let bounds = |ranges: &Option<Vec<IntRange>>, extensible: bool| {
            let ranges = ranges.clone()?;
            Some(Bounds { ranges, extensible, additions: Vec::new() })
        };
        let alphabet = self.alphabet.as_ref().map(|ranges| Alphabet {
            ranges: super::constraint::characters(ranges),
            extensible: self.alphabet_extensible,
        });
        Constraints {
            value: bounds(&self.value, false),
            size: bounds(&self.size, self.size_extensible),
            alphabet,
            values: self.values.clone(),
            patterns: self.patterns.clone(),
            components: self.components.clone(),
            item: self.item.clone(),
            settings: self.settings.clone(),
            further: self.further.clone(),
            inexact: self.inexact,
            ..Constraints::default()
        }
    }

    /// Drops the further conditions if there are too many or they are nested too deeply. Types that refer to each other
    /// multiply them.
    fn bounded(mut self) -> Self {
        let mut room = MAX_CONDITIONS;
        if !fits(&self.further, MAX_DEPTH, &mut room) {
            self.further.clear();
            self.inexact = true;
        }
        self
    }

    /// Returns the intersection of two sets.
    pub(crate) fn meet(mut self, other: Self) -> Self {
        self.value = meet(self.value, other.value);
        self.size = meet(self.size, other.size);
        self.alphabet = meet(self.alphabet, other.alphabet);
        self.values = match (self.values, other.values) {
            (Some(a), Some(b)) if a.len().saturating_mul(b.len()) <= MAX_COMPARISONS => {
                Some(a.into_iter().filter(|value| b.contains(value)).collect())
            }
            (Some(a), Some(b)) => {
                self.further.push(Condition::Any(vec![Constraints { values: Some(b), ..Constraints::default() }]));
                Some(a)
            }
            (a, b) => a.or(b),
        };
        self.size_extensible |= other.size_extensible;
        self.alphabet_extensible |= other.alphabet_extensible;
        self.patterns.extend(other.patterns);
        self.components.extend(other.components);
        self.settings.extend(other.settings);
        self.further.extend(other.further);
        self.inexact |= other.inexact;
        self.item = match (self.item, other.item) {
            (Some(own), Some(item)) => {
                self.further.push(Condition::Any(vec![Constraints { item: Some(item), ..Constraints::default() }]));
                Some(own)
            }
            (own, item) => own.or(item),
        };
        self.fixed = self.fixed.or(other.fixed);
        self.bounded()
    }

    /// Returns the values of this set that are not in another. `parent` is the set that contains this one.
    pub(crate) fn except(mut self, without: &Self, parent: &Self) -> Self {
        let Some(kind) = without.only() else { return self.without(without) };
        let minus = |from: &Option<Vec<IntRange>>, gone: &Option<Vec<IntRange>>, all: &Option<Vec<IntRange>>| {
            let from = from.clone().or_else(|| all.clone()).unwrap_or_else(ranges::all);
            Some(ranges::meet(&from, &ranges::complement(gone.as_deref().unwrap_or_default())))
        };
        match kind {
            // Where other kinds are restricted too, only what has both is gone; that is exact in every kind alone.
            Dimension::Value => self.value = minus(&self.value, &without.value, &parent.value),
            Dimension::Size => self.size = minus(&self.size, &without.size, &parent.size),
            // A string without some characters is not a string without any of them.
            Dimension::Alphabet => return self.without(without),
            Dimension::Values => match (&mut self.values, &without.values) {
                (Some(values), Some(gone)) if values.len().saturating_mul(gone.len()) <= MAX_COMPARISONS => {
                    values.retain(|value| !gone.contains(value));
                }
                _ => return self.without(without),
            },
        }
        self
    }

    /// Removes the values of another set. Uses a condition if arithmetic cannot express the result.
    fn without(mut self, without: &Self) -> Self {
        // Of what is not known exactly, less than is said would be taken away.
        if without.inexact || without.fixed.is_some() {
            self.inexact = true;
        } else {
            self.further.push(Condition::Not(Box::new(without.said())));
        }
        self.bounded()
    }
}

/// Returns whether the number and depth of conditions are within the limits.
// Recursion ends with `depth`.
fn fits(conditions: &[Condition], depth: usize, room: &mut usize) -> bool {
    if conditions.is_empty() {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else { return false };
    conditions.iter().all(|condition| {
        let parts = match condition {
            Condition::Any(parts) => parts.as_slice(),
            Condition::Not(part) => std::slice::from_ref(&**part),
            Condition::Between { .. } => &[],
        };
        match room.checked_sub(1 + parts.len()) {
            Some(rest) => *room = rest,
            None => return false,
        }
        parts.iter().all(|part| fits(&part.further, depth, room))
    })
}

fn meet(a: Option<Vec<IntRange>>, b: Option<Vec<IntRange>>) -> Option<Vec<IntRange>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(ranges::meet(&a, &b)),
        (a, b) => a.or(b),
    }
}
