//! Constraints that cannot be expressed as the range, size or alphabet of a type.

use std::collections::HashMap;

use tagwise_schema::model::{
    Alphabet, Bounds, Component, Condition, Constraints, End, Fields, IntRange, SettingValue, Shape, StringKind, Table,
    TypeId, Value,
};
use tagwise_schema::{Int, Span};

use super::Lower;

/// A single constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Value ranges of an INTEGER, up to 128 bits.
    Value(Bounds),
    /// SIZE.
    Size(Bounds),
    /// FROM.
    Alphabet(Alphabet),
    /// Single values, in DER without the tags that apply where the type is used.
    Values(Vec<Vec<u8>>),
    /// A range of REALs, or of INTEGERs beyond 128 bits.
    Between(Edge, Edge),
    /// PATTERN.
    Pattern(String),
    /// SETTINGS.
    Settings(String),
    /// WITH COMPONENTS: whether it is partial, and its components.
    Components(bool, Vec<Line>),
    /// WITH COMPONENT.
    Item(Vec<Self>),
    /// CONSTRAINED BY, with its text.
    Words(String),
    /// All of these.
    All(Vec<Self>),
    /// At least one of these.
    Any(Vec<Self>),
    /// None of these.
    Not(Vec<Self>),
}

/// A bound of [`Rule::Between`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The DER content bytes; `None` for MIN or MAX.
    pub content: Option<Vec<u8>>,
    /// True if the bound is exclusive.
    pub open: bool,
}

/// A component in WITH COMPONENTS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The component's name.
    pub name: String,
    /// `Some(true)` if the component must be present, `Some(false)` if it must be absent, and `None` if both are allowed.
    pub present: Option<bool>,
    /// The constraints on the component's value.
    pub rules: Vec<Rule>,
}

/// The part of constraints that is converted to rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The part that cannot be expressed as a range, size or alphabet.
    Rest,
    /// All constraints.
    Whole,
}

impl Lower<'_, '_> {
    /// Converts constraints to rules, except those that can be expressed as a range, size or alphabet.
    pub(super) fn rules(&mut self, constraints: &Constraints, on: TypeId) -> Vec<Rule> {
        self.said(constraints, on, Part::Rest)
    }

    /// Converts all constraints to rules.
    pub(super) fn all_rules(&mut self, constraints: &Constraints, on: TypeId) -> Vec<Rule> {
        self.said(constraints, on, Part::Whole)
    }

    fn said(&mut self, constraints: &Constraints, on: TypeId, part: Part) -> Vec<Rule> {
        let span = constraints.spans.first().copied().unwrap_or_default();
        let mut rules = Vec::new();
        let base = self.model.base(on).map(|base| &base.shape);
        if let Some(bounds) = constraints.value.as_ref().filter(|bounds| !bounds.extensible) {
            if let Some(Shape::Enumerated(enumeration)) = base {
                let numbers = enumeration.items.iter().filter(|item| bounds.contains(&item.number));
                rules.push(Rule::Values(numbers.map(|item| primitive(10, &item.number.to_be_bytes())).collect()));
            } else if bounds.ranges.iter().any(is_large) {
                rules.push(either(bounds.ranges.iter().map(large).collect()));
            } else if part == Part::Whole {
                rules.push(Rule::Value(bounds.clone()));
            }
        }
        if let Some(bounds) = constraints.size.as_ref().filter(|bounds| !bounds.extensible) {
            let names = matches!(base, Some(Shape::BitString(names)) if !names.is_empty());
            if names || part == Part::Whole {
                rules.push(Rule::Size(bounds.clone()));
            }
        }
        if let Some(alphabet) = constraints.alphabet.as_ref().filter(|alphabet| !alphabet.extensible)
            && part == Part::Whole
        {
            rules.push(Rule::Alphabet(alphabet.clone()));
        }
        if let (Some(values), false) = (&constraints.values, constraints.values_extensible) {
            rules.extend(self.values(values, on, span));
        }
        for user in &constraints.user {
            rules.push(Rule::Words(user.text.clone()));
        }
        if let Some(table) = &constraints.table {
            rules.extend(self.table_rule(table, on, span));
        }
        // Where a marker stands behind these, nothing is refused.
        if !constraints.extensible {
            self.more(constraints, on, span, &mut rules);
        }
        if constraints.inexact {
            self.note(
                span,
                "the constraint is only partly checked, because time ranges and large set arithmetic are not supported",
            );
        }
        rules
    }

    /// Converts a table constraint on a value that is not an open type. The value must be one of the objects' values, if the
    /// set is not extensible (X.682 §10.5).
    fn table_rule(&mut self, table: &Table, on: TypeId, span: Span) -> Option<Rule> {
        let model = self.model;
        if matches!(model.base(on).map(|base| &base.shape), Some(Shape::Open(_))) {
            return None;
        }
        if !table.selectors.is_empty() {
            // X.682 §10.7. What selects may come later, or stand in what is around: a component knows of neither.
            self.note(
                span,
                "the value is not checked against the object that other components select; run-time tables check it",
            );
            return None;
        }
        let is_closed = model.set(table.set).is_some_and(|set| !set.extensible);
        let cells = model.column(table, on).filter(|cells| is_closed && !cells.is_empty())?;
        let (mut numbers, mut values, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for cell in &cells {
            match cell.held {
                SettingValue::Value(Value::Integer(number)) => numbers.push(number.clone()),
                SettingValue::Value(value) => values.push(value.clone()),
                SettingValue::ValueSet(ty) => {
                    let effective = model.ty(*ty)?.effective.clone();
                    parts.push(together(self.all_rules(&effective, on)));
                }
                _ => return None,
            }
        }
        numbers.sort();
        numbers.dedup();
        if !numbers.is_empty() {
            let one = |number: Int| IntRange { min: Some(number.clone()), max: Some(number) };
            let ranges: Vec<IntRange> = numbers.into_iter().map(one).collect();
            if ranges.iter().any(is_large) {
                parts.extend(ranges.iter().map(large));
            } else {
                parts.push(Rule::Value(Bounds { ranges, extensible: false, additions: Vec::new() }));
            }
        }
        if !values.is_empty() {
            parts.push(self.values(&values, on, span)?);
        }
        Some(either(parts))
    }

    fn more(&mut self, constraints: &Constraints, on: TypeId, span: Span, rules: &mut Vec<Rule>) {
        for settings in &constraints.settings {
            rules.push(Rule::Settings(settings.clone()));
        }
        for pattern in &constraints.patterns {
            if tagwise_codec::pattern::Pattern::new(&pattern.text).is_ok() {
                rules.push(Rule::Pattern(pattern.text.clone()));
            } else {
                self.note(pattern.span, "the pattern is not checked: it names unknown characters, or is too large");
            }
        }
        // The associated types of these (X.680 §21.5, §34.5, §36.5, §44.5) are not in the schema.
        if let Some(Shape::Real | Shape::External | Shape::EmbeddedPdv | Shape::CharacterString) =
            self.model.base(on).map(|base| &base.shape)
            && !constraints.components.is_empty()
        {
            self.note(
                span,
                "constraints on the components of REAL, EXTERNAL, EMBEDDED PDV and CHARACTER STRING are not checked",
            );
        }
        for components in &constraints.components {
            let fields = self.named_components(&components.list, on);
            let lines =
                components.list.iter().zip(fields).map(|(component, field)| self.line(component, field)).collect();
            rules.push(Rule::Components(components.partial, lines));
        }
        if let Some(item) = &constraints.item
            && let Some(Shape::SequenceOf(of) | Shape::SetOf(of)) = self.model.base(on).map(|base| &base.shape)
        {
            let inner = self.all_rules(&item.constraints, of.ty);
            rules.push(Rule::Item(inner));
        }
        for condition in &constraints.further {
            rules.extend(self.condition(condition, on, span));
        }
    }

    /// Returns the components of a type that a list names, in list order.
    fn named_components(&self, list: &[Component], on: TypeId) -> Vec<Option<TypeId>> {
        let fields: Option<&Fields> = match self.model.base(on).map(|base| &base.shape) {
            Some(Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields)) => Some(fields),
            Some(Shape::InstanceOf { fields, .. }) => Some(fields),
            _ => None,
        };
        let fields = fields.map(|fields| fields.list.as_slice()).unwrap_or_default();
        let mut places: HashMap<&str, Option<TypeId>> = list.iter().map(|one| (one.name.as_str(), None)).collect();
        for field in fields {
            if let Some(place) = places.get_mut(field.name.as_str()) {
                *place = place.or(Some(field.ty));
            }
        }
        list.iter().map(|one| places.get(one.name.as_str()).copied().flatten()).collect()
    }

    fn line(&mut self, component: &Component, field: Option<TypeId>) -> Line {
        let rules = field.map(|field| self.all_rules(&component.inner.constraints, field)).unwrap_or_default();
        Line { name: component.name.clone(), present: component.present, rules }
    }

    // Recursion follows conditions, whose depth the compiler limits.
    fn condition(&mut self, condition: &Condition, on: TypeId, span: Span) -> Option<Rule> {
        match condition {
            Condition::Any(parts) => {
                let parts = parts.iter().map(|part| together(self.all_rules(part, on))).collect();
                Some(either(parts))
            }
            Condition::Not(part) => Some(Rule::Not(vec![together(self.all_rules(part, on))])),
            Condition::Between { min, max } => {
                Some(Rule::Between(self.edge(min.as_ref(), on, span)?, self.edge(max.as_ref(), on, span)?))
            }
            _ => None,
        }
    }

    fn edge(&mut self, end: Option<&End>, on: TypeId, span: Span) -> Option<Edge> {
        let Some(end) = end else { return Some(Edge { content: None, open: false }) };
        let der = self.der(&Value::Real(end.value.clone()), on, span)?;
        // A REAL is a primitive element whose content is short.
        Some(Edge { content: der.get(2..).map(<[u8]>::to_vec), open: end.open })
    }

    /// Converts single values to a rule.
    fn values(&mut self, values: &[Value], on: TypeId, span: Span) -> Option<Rule> {
        let encodings: Option<Vec<Vec<u8>>> = values.iter().map(|value| self.der(value, on, span)).collect();
        Some(Rule::Values(encodings?))
    }

    /// Returns the DER of a structured DEFAULT value, without the component's tags. Used for values that no expression can
    /// create.
    pub(super) fn default_der(&mut self, value: &Value, ty: TypeId) -> Option<Vec<u8>> {
        if !matches!(value, Value::Sequence(_) | Value::SequenceOf(_) | Value::Choice(..) | Value::Open(..)) {
            return None;
        }
        let model = self.model;
        // The tags of a type without a name are those of the component.
        let tags = model.ty(ty).filter(|ty| ty.name.is_none()).map_or(0, |ty| ty.tags.len());
        let tables = self.tables.get_or_insert_with(|| tagwise_tables::Schema::from_model(model).ok());
        tables.as_ref()?.untagged_value(ty.0, tags, value).ok()
    }

    /// Returns the DER of a value, encoded through the run-time tables of the whole schema.
    fn der(&mut self, value: &Value, on: TypeId, span: Span) -> Option<Vec<u8>> {
        let model = self.model;
        let tables = self.tables.get_or_insert_with(|| tagwise_tables::Schema::from_model(model).ok());
        let der = tables.as_ref().and_then(|tables| tables.single_value(on.0, value).ok());
        if der.is_none() {
            self.note(span, "the single value is not checked: it has no DER encoding");
        }
        der
    }
}

/// Returns whether the alphabet of a string type is known, so that the characters are checked.
pub(crate) const fn is_checked(kind: StringKind) -> bool {
    !matches!(
        kind,
        StringKind::Teletex
            | StringKind::Videotex
            | StringKind::Graphic
            | StringKind::General
            | StringKind::ObjectDescriptor
    )
}

fn together(mut rules: Vec<Rule>) -> Rule {
    if rules.len() == 1
        && let Some(one) = rules.pop()
    {
        return one;
    }
    Rule::All(rules)
}

fn either(mut rules: Vec<Rule>) -> Rule {
    if rules.len() == 1
        && let Some(one) = rules.pop()
    {
        return one;
    }
    Rule::Any(rules)
}

/// Returns whether a bound of a range requires more than 128 bits.
pub(super) fn is_large(range: &IntRange) -> bool {
    let large = |end: &Option<Int>| end.as_ref().is_some_and(|end| end.to_i128().is_none());
    large(&range.min) || large(&range.max)
}

fn large(range: &IntRange) -> Rule {
    let edge = |end: &Option<Int>| Edge { content: end.as_ref().map(Int::to_be_bytes), open: false };
    Rule::Between(edge(&range.min), edge(&range.max))
}

/// Encodes a primitive element with a tag below 31 and a content of fewer than 128 bytes.
fn primitive(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut octets = vec![tag, content.len() as u8];
    octets.extend(content);
    octets
}
