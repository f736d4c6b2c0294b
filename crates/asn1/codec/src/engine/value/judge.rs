//! Evaluates constraints on values: satisfied, violated or unknown.

use core::cmp::Ordering;

use super::constraint::{content, looked_at, real_components};
use super::contents::{Contents, Encoding};
use super::open::{Keys, key};
use super::sizes::ContainedSizes;
use super::types::LAYERS;
use super::{Data, Types, Value, encode, leaf};
use crate::__private::Number;
use crate::kind::FaultKind;
use crate::options::{Options, UserCheck};
use crate::reader::Reader;
use crate::table::{Bound, ComponentConstraint, Constraint, Interval, Presence, Range, Shape, Type};
use crate::types::{Compared, Int, Real};

/// The result of checking a value against a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The constraint is satisfied.
    Holds,
    /// The constraint is violated.
    Broken(FaultKind),
    /// The constraint is not supported, or does not apply to this kind of value.
    Unknown,
}

impl Verdict {
    pub(super) fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Broken(FaultKind::Value) }
    }
}

/// The context in which constraints are evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge<'x, 'a> {
    pub(super) types: Types<'a>,
    /// The selectors around the value, for component relations.
    pub(super) keys: Option<&'x (dyn Keys<'a> + 'x)>,
    /// Definitions of user-defined constraints.
    pub(super) checks: &'x [UserCheck<'x>],
    /// The encoded bytes of the value, for user-defined constraints.
    octets: Option<&'x [u8]>,
    /// The sizes of strings that contain encodings. `None` for those of DER.
    sizes: Option<&'x ContainedSizes>,
    /// Remaining number of types that may be included in each other.
    layers: usize,
}

impl<'x, 'a> Judge<'x, 'a> {
    pub(super) fn new(types: Types<'a>, keys: Option<&'x (dyn Keys<'a> + 'x)>, checks: &'x [UserCheck<'x>]) -> Self {
        Self { types, keys, checks, octets: None, sizes: None, layers: LAYERS }
    }

    /// Sets the sizes of strings that contain encodings under other rules than DER.
    pub(super) fn sizes(self, sizes: Option<&'x ContainedSizes>) -> Self {
        Self { sizes, ..self }
    }

    /// Returns the judge for a value with these bytes.
    pub(super) fn octets(self, octets: &'x [u8]) -> Self {
        Self { octets: Some(octets), ..self }
    }

    /// Returns the judge for a part of the value, with the bytes of the part's element if it was decoded.
    pub(super) fn part<'v>(self, part: &'v Value<'_>) -> Judge<'v, 'a>
    where
        'x: 'v,
    {
        Judge { octets: part.octets.as_deref(), ..self }
    }

    /// Judges one constraint.
    // Recursion follows the constraints in the schema, not the input.
    pub(super) fn verdict(self, constraint: &Constraint, value: &Value<'_>) -> Verdict {
        let outer = value;
        let value = looked_at(value);
        match constraint {
            // Zero bits at the end of named ones are added as a size wants them (X.690 §11.2.2): only too many are wrong.
            Constraint::Size { ranges, extensible: false } if matches!(&value.base.shape, Shape::BitString(names) if !names.is_empty()) =>
            {
                let fits =
                    |size: usize| ranges.iter().any(|range| Range { min: None, ..*range }.contains(size as i128));
                match self.size(outer) {
                    Some(size) if !fits(size) => Verdict::Broken(FaultKind::Size),
                    Some(_) => Verdict::Holds,
                    None => Verdict::Unknown,
                }
            }
            Constraint::Size { ranges, extensible: false } => match self.size(outer) {
                Some(size) if within(ranges, i128::try_from(size).unwrap_or(i128::MAX)) => Verdict::Holds,
                Some(_) => Verdict::Broken(FaultKind::Size),
                None => Verdict::Unknown,
            },
            Constraint::Value { ranges, extensible: false } => match integer(value) {
                Some(number) => Verdict::of(ranges.iter().any(|range| number.within(range.min, range.max))),
                None => Verdict::Unknown,
            },
            Constraint::Between { ranges, extensible: false } => match value.content() {
                Some(content) => between(&value.base.shape, content, ranges),
                None => Verdict::Unknown,
            },
            Constraint::Alphabet { ranges, extensible: false } => match string(value) {
                Some(content) => Verdict::of(leaf::all_characters(&value.base.shape, content, |point| {
                    within(ranges, i128::from(point))
                })),
                None => Verdict::Unknown,
            },
            Constraint::Pattern(pattern) => match string(value) {
                Some(content) => Verdict::of(leaf::matches(&value.base.shape, content, pattern)),
                None => Verdict::Unknown,
            },
            Constraint::Settings(settings) => match leaf::has_settings(value, settings) {
                Some(has) => Verdict::of(has),
                None => Verdict::Unknown,
            },
            Constraint::Values(values) => {
                let equal = |octets: &[u8], ty: &Type| {
                    let session = leaf::lenient();
                    let Ok(mut reader) = Reader::with_session(octets, &session) else { return false };
                    super::decode::unconstrained(self.types, ty, &mut reader).is_ok_and(|single| single == *value)
                };
                // With the tags that the type has itself, or without.
                let either = |octets: &[u8]| equal(octets, value.ty) || equal(octets, value.base);
                Verdict::of(values.iter().any(|octets| either(octets)))
            }
            Constraint::WithComponents { components, partial } => self.with_components(components, *partial, value),
            Constraint::WithComponent(constraints) => match &value.data {
                Data::Items(items) => all(items.iter().map(|item| self.part(item).all(constraints, item))),
                _ => Verdict::Unknown,
            },
            Constraint::Includes(ty) => match self.types.get(ty) {
                Some(ty) => self.included(ty, value),
                None => Verdict::Unknown,
            },
            Constraint::AllOf(constraints) => self.all(constraints, outer),
            Constraint::AnyOf(constraints) => any(constraints.iter().map(|one| self.verdict(one, outer))),
            Constraint::NoneOf(constraints) => match any(constraints.iter().map(|one| self.verdict(one, outer))) {
                Verdict::Holds => Verdict::Broken(FaultKind::Value),
                Verdict::Broken(_) => Verdict::Holds,
                Verdict::Unknown => Verdict::Unknown,
            },
            Constraint::Table(set) => match (set.get(self.types.schema), key(value, core::iter::empty::<&str>())) {
                (Some(set), Some(found)) => {
                    let found = &*found;
                    Verdict::of(set.extensible || self.types.select(set, found).is_some() || set.find(found).is_some())
                }
                _ => Verdict::Unknown,
            },
            Constraint::Relation { set, selector } => {
                let selected = set
                    .get(self.types.schema)
                    .zip(self.keys)
                    .and_then(|(set, keys)| self.types.select(set, &keys.key(self.types, selector)?));
                match selected {
                    Some(ty) => self.included(ty, value),
                    None => Verdict::Unknown,
                }
            }
            Constraint::User(text) => {
                let check = self.checks.iter().find(|check| *check.text == **text);
                match (check, self.octets) {
                    (Some(check), Some(octets)) => Verdict::of((check.check)(octets)),
                    _ => Verdict::Unknown,
                }
            }
            // Checked where the value is read or written as a whole; what is extensible refuses nothing; code looks at
            // encodings.
            _ => Verdict::Unknown,
        }
    }

    /// Returns the size that SIZE counts. For a string that contains an encoding, it is the number of its own bits or bytes
    /// under the encoding rules in use, if they are known.
    pub(super) fn size(self, value: &Value<'_>) -> Option<usize> {
        let Data::Containing(inner) = &value.data else { return size(value) };
        if let Some(sizes) = self.sizes {
            return sizes.get(value);
        }
        let octets = match inner.as_bytes() {
            Some(octets) => octets.len(),
            None => encode::anew(self.types, inner.ty, inner).ok()?.len(),
        };
        Some(if matches!(value.base.shape, Shape::BitString(_)) { octets.saturating_mul(8) } else { octets })
    }

    /// Judges all constraints in a list.
    fn all(self, constraints: &[Constraint], value: &Value<'_>) -> Verdict {
        all(constraints.iter().map(|one| match one {
            Constraint::Containing(_) | Constraint::EncodedBy(_) => self.contained(constraints, value),
            one => self.verdict(one, value),
        }))
    }

    /// Judges CONTAINING for a string whose content was not decoded.
    fn contained(self, constraints: &[Constraint], value: &Value<'_>) -> Verdict {
        let Some(octets) = content(value) else { return Verdict::Unknown };
        let ty = Constraint::containing(constraints).and_then(|ty| self.types.get(&ty));
        let encoding = Encoding::among(constraints).unwrap_or(Encoding::Distinguished);
        let options = Options::der().register(self.types.registered);
        if encoding == Encoding::Other {
            return Verdict::Unknown;
        }
        Verdict::of(Contents { types: self.types, ty, encoding, options: &options }.check(octets, 0).is_ok())
    }

    /// Judges a value by the constraints of an included type.
    fn included(self, mut ty: &'a Type, value: &Value<'_>) -> Verdict {
        let mut verdict = Verdict::Holds;
        let Some(layers) = self.layers.checked_sub(1) else { return Verdict::Unknown };
        let judge = Self { layers, ..self };
        for _ in 0..LAYERS {
            verdict = all([verdict, judge.all(&ty.constraints, value)]);
            match &ty.shape {
                Shape::Named(inner) | Shape::Tagged { inner, .. } => match self.types.get(inner) {
                    Some(inner) => ty = inner,
                    None => break,
                },
                _ => break,
            }
        }
        verdict
    }

    /// Judges WITH COMPONENTS (X.680 §51.8.8). Without `...`, components that are not listed must be absent.
    fn with_components(self, lines: &[ComponentConstraint], partial: bool, value: &Value<'_>) -> Verdict {
        let obeys = |line: &ComponentConstraint, inner: Option<&Value<'_>>| match inner {
            Some(inner) if line.present != Some(false) => self.part(inner).all(&line.constraints, inner),
            None if line.present != Some(true) => Verdict::Holds,
            _ => Verdict::Broken(FaultKind::Value),
        };
        let line = |name: &str| lines.iter().find(|line| *line.name == *name);
        match &value.data {
            Data::Components(components) => all(components.iter().map(|(field, inner)| match line(&field.name) {
                // What has its DEFAULT value is as good as there.
                Some(line) if inner.is_none() && line.present != Some(false) => self
                    .types
                    .with_default(field, |default| Judge { octets: None, ..self }.all(&line.constraints, default))
                    .unwrap_or_else(|| obeys(line, None)),
                Some(line) => obeys(line, inner),
                None => Verdict::of(partial || inner.is_none() || matches!(field.presence, Presence::Required)),
            })),
            Data::Alternative(chosen) => {
                let listed = line(&chosen.field.name);
                let others = lines.iter().all(|line| *line.name == *chosen.field.name || line.present != Some(true));
                let this = listed.map_or(Verdict::of(partial), |line| obeys(line, Some(&chosen.value)));
                all([Verdict::of(others), this])
            }
            // An alternative that is not known is none of those listed.
            Data::Unknown(_) | Data::Foreign(_) => {
                Verdict::of(partial && lines.iter().all(|line| line.present != Some(true)))
            }
            Data::Leaf(content) if matches!(value.base.shape, Shape::Real) => real_components(lines, content),
            _ => Verdict::Unknown,
        }
    }
}

/// Combines verdicts that must all hold: returns the first violation, or unknown if a verdict is unknown.
fn all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let mut all = Verdict::Holds;
    for verdict in verdicts {
        match verdict {
            Verdict::Holds => {}
            Verdict::Broken(_) => return verdict,
            Verdict::Unknown => all = verdict,
        }
    }
    all
}

/// Combines verdicts of which one must hold. If all are violations, the result has their common kind.
fn any(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let (mut unknown, mut shared) = (false, None);
    for verdict in verdicts {
        match verdict {
            Verdict::Holds => return verdict,
            Verdict::Unknown => unknown = true,
            Verdict::Broken(kind) => {
                shared = Some(if shared.is_none_or(|shared| shared == kind) { kind } else { FaultKind::Value })
            }
        }
    }
    if unknown { Verdict::Unknown } else { Verdict::Broken(shared.unwrap_or(FaultKind::Value)) }
}

pub(super) fn within(ranges: &[Range], number: i128) -> bool {
    ranges.iter().any(|range| range.contains(number))
}

fn integer<'v>(value: &'v Value<'_>) -> Option<Int<'v>> {
    matches!(value.base.shape, Shape::Integer(_)).then_some(())?;
    value.content().map(Int::from_signed)
}

fn string<'v>(value: &'v Value<'_>) -> Option<&'v [u8]> {
    matches!(value.base.shape, Shape::String(_)).then_some(())?;
    value.content()
}

/// Returns the size that SIZE counts.
fn size(value: &Value<'_>) -> Option<usize> {
    match &value.data {
        Data::Leaf(content) => leaf::size(&value.base.shape, content),
        Data::Items(items) => Some(items.len()),
        _ => None,
    }
}

/// Judges whether a number lies in one of the ranges.
fn between(shape: &Shape, content: &[u8], ranges: &[Interval]) -> Verdict {
    let compare = |bound: &Bound| match shape {
        Shape::Integer(_) => Compared::Ordered(Int::from_signed(content).cmp(&Int::from_signed(&bound.content))),
        _ => match (leaf::view::<Real<'_>>(content), leaf::view::<Real<'_>>(&bound.content)) {
            (Ok(value), Ok(end)) => value.compare(&end),
            _ => Compared::Unknown,
        },
    };
    // NOT-A-NUMBER lies in no range, and has no order with any end.
    let inside = |bound: &Option<Bound>, beyond: Ordering| match bound {
        None => Verdict::Holds,
        Some(bound) => match compare(bound) {
            Compared::Ordered(order) => Verdict::of(order != beyond && !(bound.open && order == Ordering::Equal)),
            Compared::Unordered => Verdict::Broken(FaultKind::Value),
            Compared::Unknown => Verdict::Unknown,
        },
    };
    if !matches!(shape, Shape::Integer(_) | Shape::Real) {
        return Verdict::Unknown;
    }
    any(ranges.iter().map(|range| all([inside(&range.min, Ordering::Less), inside(&range.max, Ordering::Greater)])))
}
