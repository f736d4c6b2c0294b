//! Constraint checks on reading and writing (X.680 §51, X.682).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::slice;

use super::contents::{Contents, Encoding};
use super::judge::{Judge, Verdict, within};
use super::{Data, Scaled, Value, leaf};
use crate::__private::Number;
use crate::encode::EncodeError;
use crate::engine::limit::{Measured, describe};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::Options;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{ComponentConstraint, Constraint, Field, Presence, Range, Shape, Type, TypeRef};
use crate::types::{Int, Real};

/// Selects which of a type's constraints are checked. If the type has an EXPLICIT tag, they are checked before the end of
/// the tag's content. Code checks are the exception, because they apply to the whole element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// All constraints, including code checks.
    Both,
    /// All constraints except code checks.
    Inside,
    /// Only code checks.
    Outside,
}

/// The constraints on one type or component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    pub(super) constraints: &'a [Constraint],
    /// The contained type, if the constraints do not specify one.
    pub(super) containing: Option<TypeRef>,
}

impl<'a> Listed<'a> {
    pub(super) const fn of(constraints: &'a [Constraint]) -> Self {
        Self { constraints, containing: None }
    }
}

/// Checks a decoded value against constraints, in list order. Faults are reported at `position`. For a component's
/// constraints, this is the element's position. For a tagged type's constraints, it is the content's position.
pub(super) fn check(
    judge: Judge<'_, '_>,
    listed: Listed<'_>,
    value: &Value<'_>,
    reader: &Reader<'_, '_>,
    position: usize,
    when: When,
) -> Result<(), Fault> {
    for constraint in listed.constraints {
        match constraint {
            Constraint::Check(check) if when != When::Inside => check(reader, position)?,
            Constraint::Check(_) => {}
            _ if when == When::Outside => {}
            Constraint::EncodedBy(oid) => encoded_by(judge, listed, Encoding::of(oid), value, reader)?,
            constraint => match judge.octets(reader.since(position)).verdict(constraint, value) {
                Verdict::Broken(FaultKind::Size) => reader.deviate(&Rule::SIZE, FaultKind::Size, position)?,
                Verdict::Broken(kind) => reader.deviate(&Rule::VALUE, kind, position)?,
                Verdict::Holds => {}
                Verdict::Unknown => {
                    if let (true, Some(session)) = (is_early(judge, constraint), reader.session()) {
                        session.postpone();
                    }
                }
            },
        }
    }
    Ok(())
}

/// Returns whether a selector of a component relation is not known, and may come later.
#[cold]
fn is_early(judge: Judge<'_, '_>, constraint: &Constraint) -> bool {
    let is_unknown = |selector: &str| judge.keys.is_none_or(|keys| keys.key(judge.types, selector).is_none());
    selectors(slice::from_ref(constraint)).into_iter().any(is_unknown)
}

/// Checks a string's bytes against the encoding rules that ENCODED BY specifies, if they were not decoded as a value.
fn encoded_by(
    judge: Judge<'_, '_>,
    listed: Listed<'_>,
    encoding: Encoding,
    value: &Value<'_>,
    reader: &Reader<'_, '_>,
) -> Result<(), Fault> {
    let Some(octets) = content(value) else { return Ok(()) };
    let options = reader.options();
    let ty = listed.containing.or_else(|| Constraint::containing(listed.constraints));
    let contents =
        Contents { types: judge.types, ty: ty.and_then(|ty| judge.types.get(&ty)), encoding, options: &options };
    // The string's content ends where the reader stands, but for explicit tags, whose end is checked later.
    contents.check(octets, reader.offset().saturating_sub(octets.len()))
}

/// Returns the content of a string. Returns `None` for other types, and for a BIT STRING with unused bits.
pub(super) fn content<'v>(value: &'v Value<'_>) -> Option<&'v [u8]> {
    let content = value.content()?;
    match (&value.base.shape, content) {
        (Shape::OctetString, _) => Some(content),
        (Shape::BitString(_), [0, octets @ ..]) => Some(octets),
        _ => None,
    }
}

/// Returns whether the number fits in the type's native Rust integer, if the type has one (an INTEGER with a range and
/// without named numbers). No rule tolerates a number that does not fit. `u128` has its own check, because its range
/// cannot be expressed in a table.
pub(super) fn is_held(ty: &Type, content: &[u8]) -> bool {
    let range = match (&ty.shape, &*ty.constraints) {
        (Shape::Integer(names), [Constraint::Value { ranges, extensible: false }])
            if names.is_empty() && *ty.name == *"INTEGER" =>
        {
            match &**ranges {
                [range] => *range,
                _ => return true,
            }
        }
        _ => return true,
    };
    const fn of(min: i128, max: i128) -> Range {
        Range { min: Some(min), max: Some(max) }
    }
    let natives = [
        of(i8::MIN as i128, i8::MAX as i128),
        of(i16::MIN as i128, i16::MAX as i128),
        of(i32::MIN as i128, i32::MAX as i128),
        of(i64::MIN as i128, i64::MAX as i128),
        of(i128::MIN, i128::MAX),
        of(0, u8::MAX as i128),
        of(0, u16::MAX as i128),
        of(0, u32::MAX as i128),
        of(0, u64::MAX as i128),
    ];
    !natives.contains(&range) || crate::Int::from_signed(content).within(range.min, range.max)
}

/// Lists the selectors of the component relations in constraints.
// Recursion follows the constraints in the schema.
pub(super) fn selectors(constraints: &[Constraint]) -> Vec<&str> {
    let mut found = Vec::new();
    for constraint in constraints {
        match constraint {
            Constraint::Relation { selector, .. } => found.push(&**selector),
            Constraint::AllOf(parts) | Constraint::AnyOf(parts) | Constraint::NoneOf(parts) => {
                found.extend(selectors(parts));
            }
            _ => {}
        }
    }
    found
}

/// Checks a value to encode against constraints. A [`Constraint::Check`] is not checked here, because it concerns
/// encodings. Calls `broken` for each violated constraint.
pub(super) fn check_encoded<'a>(
    judge: Judge<'_, 'a>,
    listed: Listed<'_>,
    value: &Value<'a>,
    mut broken: impl FnMut(EncodeError) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    for constraint in listed.constraints {
        if let Constraint::EncodedBy(oid) = constraint
            && let Some(octets) = content(value)
        {
            let ty = listed.containing.or_else(|| Constraint::containing(listed.constraints));
            let ty = ty.and_then(|ty| judge.types.get(&ty));
            let options = Options::der().register(judge.types.registered);
            let contents = Contents { types: judge.types, ty, encoding: Encoding::of(oid), options: &options };
            contents.check(octets, 0).map_err(|fault| EncodeError::new(fault.kind()))?;
        }
        if let Verdict::Broken(kind) = judge.verdict(constraint, value) {
            let culprit = judge.culprit(constraint, value);
            broken(match culprit.is_inner() {
                true => inner(judge, kind, &culprit),
                false => EncodeError::limited(kind, limit(judge, listed, kind, value)),
            })?;
        }
    }
    Ok(())
}

/// Creates the error for a constraint on components.
#[cold]
fn inner(judge: Judge<'_, '_>, kind: FaultKind, culprit: &Culprit<'_, '_, '_>) -> EncodeError {
    let Culprit { value, constraint, .. } = culprit;
    let described = culprit.presence().or_else(|| limit(judge, Listed::of(slice::from_ref(constraint)), kind, value));
    let text = described.or_else(|| (!value.secret).then(|| String::from("the value is not allowed")));
    culprit.locate(EncodeError::limited(kind, text.map(|text| text + " by WITH COMPONENTS of X.680 §51.8")))
}

/// Describes a value that violates one of the constraints, and what is allowed.
#[cold]
fn limit(judge: Judge<'_, '_>, listed: Listed<'_>, kind: FaultKind, value: &Value<'_>) -> Option<String> {
    let measured = Measured::by(kind)?;
    let value = if measured == Measured::Value { looked_at(value) } else { value };
    let limits: Vec<_> = listed.constraints.iter().filter_map(|one| measured.ranges(one)).collect();
    let (content, counted) = match &value.data {
        Data::Items(_) | Data::Containing(_) => (&[][..], judge.size(value)),
        _ => (value.content()?, None),
    };
    if value.secret {
        return None;
    }
    describe(measured, &value.base.shape, content, || counted, &limits)
}

/// Returns the value that a constraint applies to. For a string that contains an encoding, this is the contained value, as
/// in the Rust type.
pub(super) fn looked_at<'v, 'a>(value: &'v Value<'a>) -> &'v Value<'a> {
    match &value.data {
        Data::Containing(inner) => inner,
        _ => value,
    }
}

/// Judges WITH COMPONENTS for the content of a REAL, whose components are the mantissa, the base and the exponent. Zero and the
/// special values have no components that could violate it.
pub(super) fn real_components(lines: &[ComponentConstraint], content: &[u8]) -> Verdict {
    let Ok(real) = leaf::view::<Real<'_>>(content) else { return Verdict::Unknown };
    if matches!(content, [] | [0x40..=0x43]) {
        return Verdict::Holds;
    }
    let ranges = |name: &str| {
        let line = lines.iter().find(|line| *line.name == *name);
        let constraints = line.map(|line| &*line.constraints).unwrap_or_default();
        constraints.iter().map(self::ranges).collect::<Option<Vec<_>>>()
    };
    let all = |lists: &[&[Range]], number: i128| lists.iter().all(|list| within(list, number));
    let base = if real.is_decimal() { 10 } else { 2 };
    match ranges("base") {
        Some(lists) if all(&lists, base) => {}
        Some(_) => return Verdict::Broken(FaultKind::Value),
        None => return Verdict::Unknown,
    }
    let (mantissas, exponents) = match (ranges("mantissa"), ranges("exponent")) {
        (Some(mantissas), Some(exponents)) if mantissas.is_empty() && exponents.is_empty() => return Verdict::Holds,
        (Some(mantissas), Some(exponents)) => (mantissas, exponents),
        _ => return Verdict::Unknown,
    };
    let Some(scaled) = Scaled::of(&real) else { return Verdict::Unknown };
    // `m × b^e` and `(m × b) × b^(e - 1)` are the same value, so one of these must be permitted.
    let mut mantissa = i128::try_from(Int::from_signed(&scaled.mantissa)).ok();
    let mut exponent = i128::from(scaled.exponent);
    while let Some(number) = mantissa {
        if all(&mantissas, number) && all(&exponents, exponent) {
            return Verdict::Holds;
        }
        (mantissa, exponent) = (number.checked_mul(base), exponent - 1);
    }
    // Mantissas beyond 128 bits are permitted only by ranges without an end, and for exponents that are low enough.
    let has_end = |list: &&[Range]| list.iter().all(|range| range.min.is_some() && range.max.is_some());
    let is_below = |list: &&[Range]| list.iter().all(|range| range.min.is_some_and(|min| exponent < min));
    let is_broken = mantissas.iter().any(has_end) || exponents.iter().any(is_below);
    if is_broken { Verdict::Broken(FaultKind::Value) } else { Verdict::Unknown }
}

/// The ranges of a constraint on a component of a REAL.
fn ranges(constraint: &Constraint) -> Option<&[Range]> {
    match constraint {
        Constraint::Value { ranges, extensible: false } => Some(ranges),
        _ => None,
    }
}

/// Returns the base that a constraint permits, if it permits only one.
// Recursion follows the constraints in the schema.
pub(super) fn real_base(constraint: &Constraint) -> Option<u8> {
    match constraint {
        Constraint::WithComponents { components, .. } => {
            let line = components.iter().find(|line| *line.name == *"base")?;
            let permits = |base| line.constraints.iter().filter_map(ranges).all(|list| within(list, base));
            match (permits(2), permits(10)) {
                (true, false) => Some(2),
                (false, true) => Some(10),
                _ => None,
            }
        }
        Constraint::AllOf(parts) => parts.iter().find_map(real_base),
        _ => None,
    }
}

/// A step of the path to the part.
enum Step<'v> {
    Component(&'v Field),
    Item(usize),
}

/// The innermost part that violates a constraint.
struct Culprit<'c, 'v, 'a> {
    steps: Vec<Step<'v>>,
    value: &'v Value<'a>,
    constraint: &'c Constraint,
    /// The component that must be present or absent, if that is the violation.
    presence: Option<(&'v Field, bool)>,
}

impl Culprit<'_, '_, '_> {
    /// Returns whether the part violates a constraint of WITH COMPONENTS or WITH COMPONENT.
    fn is_inner(&self) -> bool {
        !self.steps.is_empty() || self.presence.is_some()
    }

    /// Describes a component that must be present or absent.
    fn presence(&self) -> Option<String> {
        let (field, must) = self.presence?;
        Some(format!("{} must be {}", &*field.name, if must { "present" } else { "absent" }))
    }

    /// Adds the path of the part to an error.
    fn locate(&self, error: EncodeError) -> EncodeError {
        self.steps.iter().rev().fold(error, |error, step| match step {
            Step::Component(field) => error.inside_field(field),
            Step::Item(number) => error.inside_item(*number),
        })
    }
}

impl<'a> Judge<'_, 'a> {
    /// Finds the innermost part that violates a constraint, which the value violates.
    fn culprit<'c, 'v>(self, constraint: &'c Constraint, value: &'v Value<'a>) -> Culprit<'c, 'v, 'a> {
        let mut found = Culprit { steps: Vec::new(), value, constraint, presence: None };
        // Each round enters a constraint that is part of the last one.
        while let Some(constraint) = self.inner(&mut found) {
            found.constraint = constraint;
        }
        found
    }

    /// Returns the violated part of a constraint, and enters the part of the value that it applies to.
    fn inner<'c, 'v>(self, at: &mut Culprit<'c, 'v, 'a>) -> Option<&'c Constraint> {
        let broken = |constraints: &'c [Constraint], value: &'v Value<'a>| {
            constraints.iter().find(|one| matches!(self.part(value).verdict(one, value), Verdict::Broken(_)))
        };
        match at.constraint {
            Constraint::AllOf(parts) => broken(parts, at.value),
            Constraint::WithComponent(parts) => {
                let Data::Items(items) = &looked_at(at.value).data else { return None };
                let (number, item, one) = items
                    .iter()
                    .enumerate()
                    .find_map(|(number, item)| broken(parts, item).map(|one| (number, item, one)))?;
                at.steps.push(Step::Item(number));
                at.value = item;
                Some(one)
            }
            Constraint::WithComponents { components: lines, partial } => {
                let (field, value) = match &looked_at(at.value).data {
                    Data::Components(components) => {
                        components.iter().find(|(field, part)| self.is_culprit(lines, *partial, field, *part))?
                    }
                    Data::Alternative(chosen) => (chosen.field, Some(&*chosen.value)),
                    _ => return None,
                };
                let line = lines.iter().find(|line| *line.name == *field.name);
                match (value, line) {
                    (Some(value), Some(line)) if line.present != Some(false) => {
                        let one = broken(&line.constraints, value)?;
                        at.steps.push(Step::Component(field));
                        at.value = value;
                        return Some(one);
                    }
                    (Some(_), _) if line.is_some() || !*partial => at.presence = Some((field, false)),
                    (None, _) => at.presence = Some((field, true)),
                    _ => {}
                }
                None
            }
            _ => None,
        }
    }

    /// Returns whether a component of a SEQUENCE or SET violates its line, other than by a DEFAULT value.
    fn is_culprit(
        self,
        lines: &[ComponentConstraint],
        partial: bool,
        field: &Field,
        value: Option<&Value<'_>>,
    ) -> bool {
        let is_broken = |one: &Constraint, value| matches!(self.part(value).verdict(one, value), Verdict::Broken(_));
        match (lines.iter().find(|line| *line.name == *field.name), value) {
            (Some(line), Some(value)) => {
                line.present == Some(false) || line.constraints.iter().any(|one| is_broken(one, value))
            }
            (Some(line), None) => line.present == Some(true) && !matches!(field.presence, Presence::Default(_)),
            (None, value) => !partial && value.is_some() && !matches!(field.presence, Presence::Required),
        }
    }
}
