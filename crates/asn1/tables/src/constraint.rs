//! Converts model constraints to table constraints.

use std::collections::HashMap;

use tagwise_codec::pattern::Pattern;
use tagwise_codec::table::{Bound, ComponentConstraint, Constraint, Interval, List, Range, Text, TypeRef};
use tagwise_schema::model::{
    Bounds, Components, Condition, Constraints, End, Inner, IntRange, SettingValue, Shape, Table, TypeId, Value,
};
use tagwise_schema::{Int, Model, Span};

use crate::What;
use crate::build::{Build, Pending, definite};
use crate::objects::{content, innermost};

/// Approximate size of a range, a single value or a component in a table, in bytes.
const RANGE: usize = 48;
const VALUE: usize = 48;
const COMPONENT: usize = 96;

/// The object identifiers of BER, CER and DER (X.690 §12.3), which contents are checked with.
const CHECKED: [&[u8]; 3] = [&[0x51, 1], &[0x51, 2, 0], &[0x51, 2, 1]];

/// The type that constraints apply to.
#[derive(Clone, Copy)]
pub(crate) struct On {
    /// The type in the model.
    pub(crate) ty: TypeId,
    /// The table that encodes single values.
    pub(crate) table: u32,
}

impl On {
    fn span(self, model: &Model) -> Span {
        on_span(model, self.ty)
    }
}

fn on_span(model: &Model, ty: TypeId) -> Span {
    model.ty(ty).map_or_else(Span::default, |ty| ty.span)
}

impl Build<'_> {
    /// Converts constraints, in the order in which they are checked.
    pub(crate) fn constraints(&mut self, constraints: &Constraints, on: On) -> Vec<Constraint> {
        let mut list = Vec::new();
        let span = constraints.spans.first().copied().unwrap_or_default();
        let ranges = |bounds: &Option<Bounds>| bounds.as_ref().map_or(0, |bounds| bounds.ranges.len());
        let characters = constraints.alphabet.as_ref().map_or(0, |alphabet| alphabet.ranges.len());
        let bytes = RANGE * (ranges(&constraints.value) + ranges(&constraints.size) + characters);
        if !self.meter.spend(size_of::<Constraint>() + bytes, span) {
            return list;
        }
        if let Some(bounds) = &constraints.value {
            self.value(bounds, on, &mut list);
        }
        if let Some(bounds) = &constraints.size {
            list.push(Constraint::Size { ranges: sizes(&bounds.ranges), extensible: bounds.extensible });
        }
        if let Some(alphabet) = &constraints.alphabet {
            let range = |first: u32, last: u32| Range { min: Some(first.into()), max: Some(last.into()) };
            let ranges: Vec<Range> = alphabet.ranges.iter().map(|one| range(one.first, one.last)).collect();
            list.push(Constraint::Alphabet { ranges: List::from(ranges), extensible: alphabet.extensible });
        }
        if let (Some(values), false) = (&constraints.values, constraints.values_extensible) {
            self.values(values, on, span, &mut list);
        }
        if let Some(contents) = &constraints.contents {
            if let Some(ty) = contents.ty {
                list.push(Constraint::Containing(TypeRef::Index(ty.0)));
            }
            let rules = contents.encoded_by.clone().and_then(|arcs| content(&Value::ObjectIdentifier(arcs)));
            if rules.as_deref().is_some_and(|rules| !CHECKED.contains(&rules)) {
                self.unchecked(What::EncodedBy, span);
            }
            list.extend(rules.map(|octets| Constraint::EncodedBy(List::from(octets))));
        }
        let more = self.more(constraints, on, span);
        if constraints.extensible && !more.is_empty() {
            list.push(Constraint::Extensible { root: List::from(more), additions: List::EMPTY });
        } else {
            list.extend(more);
        }
        for user in &constraints.user {
            list.push(Constraint::User(Text::from(user.text.clone())));
            self.unchecked(What::Words, user.span);
        }
        if constraints.inexact {
            self.unchecked(What::Inexact, span);
        }
        if let Some(table) = &constraints.table {
            self.on_values(table, on, span, &mut list);
        }
        list
    }

    /// Converts the constraints that an extension marker relaxes.
    fn more(&mut self, constraints: &Constraints, on: On, span: Span) -> Vec<Constraint> {
        let mut list = Vec::new();
        for settings in &constraints.settings {
            if settings.split_ascii_whitespace().any(|setting| setting.starts_with("Recurrence=R")) {
                self.unchecked(What::Settings, span);
            }
            list.push(Constraint::Settings(Text::from(settings.clone())));
        }
        for pattern in &constraints.patterns {
            match Pattern::new(&pattern.text) {
                Ok(pattern) => list.push(Constraint::Pattern(pattern)),
                Err(_) => self.unchecked(What::Pattern, span),
            }
        }
        for components in &constraints.components {
            list.push(self.components(components, on.ty));
        }
        // The associated types of these (X.680 §21.5, §34.5, §36.5, §44.5) are not in the schema.
        let is_checked = match self.model.base(on.ty).map(|base| &base.shape) {
            Some(Shape::Real) => {
                constraints.components.iter().flat_map(|list| &list.list).all(|one| part_of_real(&one.inner).is_some())
            }
            Some(Shape::External | Shape::EmbeddedPdv | Shape::CharacterString) => constraints.components.is_empty(),
            _ => true,
        };
        if !is_checked {
            self.unchecked(What::Components, span);
        }
        if let Some(item) = &constraints.item {
            list.push(Constraint::WithComponent(List::from(self.item(item, on.ty))));
        }
        for condition in &constraints.further {
            list.extend(self.condition(condition, on, span));
        }
        list
    }

    // Recursion follows conditions in schemas, whose depth the compiler limits.
    fn condition(&mut self, condition: &Condition, on: On, span: Span) -> Option<Constraint> {
        Some(match condition {
            Condition::Any(parts) => {
                let parts = parts.iter().map(|part| all_of(self.constraints(part, on))).collect::<Vec<_>>();
                Constraint::AnyOf(List::from(parts))
            }
            Condition::Not(part) => Constraint::NoneOf(List::from(vec![all_of(self.constraints(part, on))])),
            Condition::Between { min, max } => {
                let (min, max) = (self.end(min.as_ref(), on, span)?, self.end(max.as_ref(), on, span)?);
                Constraint::Between { ranges: List::from(vec![Interval { min, max }]), extensible: false }
            }
            _ => {
                self.unchecked(What::Inexact, span);
                return None;
            }
        })
    }

    /// Converts a bound of a REAL range. Returns `None` until the tables for encoding it exist.
    fn end(&mut self, end: Option<&End>, on: On, span: Span) -> Option<Option<Bound>> {
        let Some(end) = end else { return Some(None) };
        let pending = Pending { table: on.table, single: true, value: Value::Real(end.value.clone()), span };
        let content = innermost(&self.encoded(pending)?)?;
        Some(Some(Bound { content: List::from(content), open: end.open }))
    }

    /// Converts a table constraint on a type that is not an open type. The value must be one of the objects' values, if the set
    /// is not extensible (X.682 §10.5), or the value of the object that other components select (§10.7).
    fn on_values(&mut self, table: &Table, on: On, span: Span, list: &mut Vec<Constraint>) {
        let model = self.model;
        // The components of an INSTANCE OF have tables of their own.
        if matches!(model.base(on.ty).map(|base| &base.shape), Some(Shape::Open(_) | Shape::InstanceOf { .. })) {
            return;
        }
        let is_closed = model.set(table.set).is_some_and(|set| !set.extensible);
        // Each object of the set is looked at.
        let objects = model.set(table.set).map_or(0, |set| set.objects.len());
        if !self.meter.spend(VALUE * objects, span) {
            return;
        }
        let cells = model.column(table, on.ty).unwrap_or_default();
        if cells.is_empty() {
            if is_closed || !table.selectors.is_empty() {
                self.unchecked(What::Table, span);
            }
        } else if !table.selectors.is_empty() {
            let (set, selector) = self.relation(table, &cells, on, span);
            list.push(Constraint::Relation { set, selector });
        } else if is_closed {
            let held: Vec<&SettingValue> = cells.iter().map(|cell| cell.held).collect();
            list.extend(self.one_of(&held, on, span));
        }
    }

    /// Creates a constraint that permits one of the given values, or the values in one of the given sets.
    pub(crate) fn one_of(&mut self, held: &[&SettingValue], on: On, span: Span) -> Option<Constraint> {
        let (mut numbers, mut values, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for one in held {
            match one {
                SettingValue::Value(Value::Integer(number)) => numbers.push(number.clone()),
                SettingValue::Value(value) => values.push(value.clone()),
                SettingValue::ValueSet(ty) => parts.push(Constraint::Includes(TypeRef::Index(ty.0))),
                _ => return None,
            }
        }
        numbers.sort();
        numbers.dedup();
        if !numbers.is_empty() {
            let one = |number: Int| IntRange { min: Some(number.clone()), max: Some(number) };
            let ranges = numbers.into_iter().map(one).collect();
            parts.push(self::numbers(&Bounds { ranges, extensible: false, additions: Vec::new() }));
        }
        if !values.is_empty() {
            let before = parts.len();
            self.values(&values, on, span, &mut parts);
            if parts.len() == before {
                return None;
            }
        }
        if parts.len() > 1 { Some(Constraint::AnyOf(List::from(parts))) } else { parts.pop() }
    }

    /// Converts the ranges of an INTEGER, or the numbers of an ENUMERATED to single values.
    fn value(&mut self, bounds: &Bounds, on: On, list: &mut Vec<Constraint>) {
        match self.model.base(on.ty).map(|base| &base.shape) {
            Some(Shape::Enumerated(enumeration)) if !bounds.extensible => {
                if !self.meter.spend(VALUE * enumeration.items.len(), on.span(self.model)) {
                    return;
                }
                let numbers = enumeration.items.iter().filter(|item| bounds.contains(&item.number));
                let octets = numbers.map(|item| List::from(definite(0x0A, &item.number.to_be_bytes())));
                list.push(Constraint::Values(List::from(octets.collect::<Vec<_>>())));
            }
            Some(Shape::Enumerated(_)) => {}
            _ => list.push(numbers(bounds)),
        }
    }

    /// Converts single values to the DER of the type as which they are compared.
    fn values(&mut self, values: &[Value], on: On, span: Span, list: &mut Vec<Constraint>) {
        let mut encodings = Vec::new();
        let mut complete = true;
        for value in values {
            if !self.meter.spend(VALUE, span) {
                return;
            }
            match self.encoded(Pending { table: on.table, single: true, value: value.clone(), span }) {
                Some(der) => encodings.push(List::from(der)),
                None => complete = false,
            }
        }
        if complete {
            list.push(Constraint::Values(List::from(encodings)));
        }
    }

    fn components(&mut self, components: &Components, ty: TypeId) -> Constraint {
        let model = self.model;
        let fields = match model.base(ty).map(|base| &base.shape) {
            Some(Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields)) => Some(fields),
            Some(Shape::InstanceOf { fields, .. }) => Some(fields),
            _ => None,
        };
        let fields = fields.map(|fields| fields.list.as_slice()).unwrap_or_default();
        let span = on_span(model, ty);
        // All components are looked at, for each list of some.
        if !self.meter.spend(COMPONENT * components.list.len() + 8 * fields.len(), span) {
            return Constraint::WithComponents { components: List::EMPTY, partial: true };
        }
        let mut places: HashMap<&str, Option<TypeId>> =
            components.list.iter().map(|one| (one.name.as_str(), None)).collect();
        for field in fields {
            if let Some(place) = places.get_mut(field.name.as_str()) {
                *place = place.or(Some(field.ty));
            }
        }
        let is_real = matches!(model.base(ty).map(|base| &base.shape), Some(Shape::Real));
        let mut list = Vec::new();
        for component in &components.list {
            let constraints = match places.get(component.name.as_str()).copied().flatten() {
                Some(field) => self.component(&component.inner, field),
                // The last is a constraint whose result is unknown.
                None if is_real => part_of_real(&component.inner)
                    .unwrap_or_else(|| vec![Constraint::Extensible { root: List::EMPTY, additions: List::EMPTY }]),
                None => Vec::new(),
            };
            list.push(ComponentConstraint {
                name: Text::from(component.name.clone()),
                present: component.present,
                constraints: List::from(constraints),
            });
        }
        Constraint::WithComponents { components: List::from(list), partial: components.partial }
    }

    fn component(&mut self, inner: &Inner, field: TypeId) -> Vec<Constraint> {
        let table = self.component_type(field).table;
        self.constraints(&inner.constraints, On { ty: field, table })
    }

    fn item(&mut self, inner: &Inner, ty: TypeId) -> Vec<Constraint> {
        match self.model.base(ty).map(|base| &base.shape) {
            Some(Shape::SequenceOf(item) | Shape::SetOf(item)) => {
                self.constraints(&inner.constraints, On { ty: item.ty, table: item.ty.0 })
            }
            _ => Vec::new(),
        }
    }
}

/// Converts the constraints on the mantissa, base or exponent of a REAL, if they are ranges of at most 128 bits.
fn part_of_real(inner: &Inner) -> Option<Vec<Constraint>> {
    let Some(bounds) = &inner.constraints.value else { return inner.constraints.is_empty().then(Vec::new) };
    let is_only = Constraints { value: None, spans: Vec::new(), ..inner.constraints.clone() }.is_empty();
    let ranges = numbers(bounds);
    (is_only && matches!(ranges, Constraint::Value { .. }) && !bounds.extensible).then(|| vec![ranges])
}

/// Combines a list of constraints into one.
fn all_of(mut list: Vec<Constraint>) -> Constraint {
    match (list.len(), list.pop()) {
        (1, Some(one)) => one,
        (_, last) => {
            list.extend(last);
            Constraint::AllOf(List::from(list))
        }
    }
}

/// Converts the ranges of an INTEGER: to numbers if they fit in 128 bits, or otherwise to content bytes.
fn numbers(bounds: &Bounds) -> Constraint {
    let extensible = bounds.extensible;
    let number = |end: &Option<Int>| end.as_ref().map_or(Some(None), |end| end.to_i128().map(Some));
    let small = |one: &IntRange| Some(Range { min: number(&one.min)?, max: number(&one.max)? });
    if let Some(ranges) = bounds.ranges.iter().map(small).collect::<Option<Vec<_>>>() {
        return Constraint::Value { ranges: List::from(ranges), extensible };
    }
    let octets = |end: &Option<Int>| {
        let content = List::from(end.as_ref()?.to_be_bytes());
        Some(Bound { content, open: false })
    };
    let large = |one: &IntRange| Interval { min: octets(&one.min), max: octets(&one.max) };
    Constraint::Between { ranges: List::from(bounds.ranges.iter().map(large).collect::<Vec<_>>()), extensible }
}

/// Converts ranges of sizes. Sizes have at most 127 bits.
fn sizes(ranges: &[IntRange]) -> List<Range> {
    let end = |end: &Option<Int>| end.as_ref().map(|end| end.to_i128().unwrap_or(i128::MAX));
    List::from(ranges.iter().map(|one| Range { min: end(&one.min), max: end(&one.max) }).collect::<Vec<_>>())
}
