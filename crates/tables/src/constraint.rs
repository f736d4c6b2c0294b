//! Constraints of the model as those of tables.

use tagwise_codec::pattern::Pattern;
use tagwise_codec::table::{ComponentConstraint, Constraint, List, Range, Text, TypeRef};
use tagwise_schema::model::{Bounds, Components, Constraints, Fields, Inner, IntRange, Shape, TypeId, Value};
use tagwise_schema::{Int, Span};

use crate::What;
use crate::build::{Build, Pending, definite};
use crate::objects::content;

/// What constraints are put on.
#[derive(Clone, Copy)]
pub(crate) struct On {
    /// The type of the model.
    pub(crate) ty: TypeId,
    /// The table whose encodings single values are given in.
    pub(crate) table: u32,
}

impl Build<'_> {
    /// The constraints, in the order in which they are held.
    pub(crate) fn constraints(&mut self, constraints: &Constraints, on: On) -> Vec<Constraint> {
        let mut list = Vec::new();
        let span = constraints.spans.first().copied().unwrap_or_default();
        if let Some(bounds) = &constraints.value {
            self.value(bounds, on, span, &mut list);
        }
        if let Some(bounds) = &constraints.size {
            list.push(Constraint::Size { ranges: self.ranges(&bounds.ranges, span), extensible: bounds.extensible });
        }
        if let Some(alphabet) = &constraints.alphabet {
            let range = |first: u32, last: u32| Range { min: Some(first.into()), max: Some(last.into()) };
            let ranges: Vec<Range> = alphabet.ranges.iter().map(|one| range(one.first, one.last)).collect();
            list.push(Constraint::Alphabet { ranges: List::from(ranges), extensible: alphabet.extensible });
        }
        if let (Some(values), false) = (&constraints.values, constraints.values_extensible) {
            self.values(values, on, span, &mut list);
        }
        for settings in &constraints.settings {
            list.push(Constraint::Settings(Text::from(settings.clone())));
        }
        for pattern in &constraints.patterns {
            match Pattern::new(&pattern.text) {
                Ok(pattern) => list.push(Constraint::Pattern(pattern)),
                Err(_) => self.unchecked(What::Pattern, span),
            }
        }
        if let Some(contents) = &constraints.contents {
            if let Some(ty) = contents.ty {
                list.push(Constraint::Containing(TypeRef::Index(ty.0)));
            }
            let rules = contents.encoded_by.clone().and_then(|arcs| content(&Value::ObjectIdentifier(arcs)));
            list.extend(rules.map(|octets| Constraint::EncodedBy(List::from(octets))));
        }
        for components in &constraints.components {
            list.push(self.components(components, on.ty));
        }
        if let Some(item) = &constraints.item {
            list.push(Constraint::WithComponent(List::from(self.item(item, on.ty))));
        }
        for user in &constraints.user {
            list.push(Constraint::User(Text::from(user.text.clone())));
            self.unchecked(What::Words, user.span);
        }
        if constraints.inexact {
            self.unchecked(What::Union, span);
        }
        list
    }

    /// Ranges of an INTEGER; the numbers of an ENUMERATED are single values.
    fn value(&mut self, bounds: &Bounds, on: On, span: Span, list: &mut Vec<Constraint>) {
        match self.model.base(on.ty).map(|base| &base.shape) {
            Some(Shape::Enumerated(enumeration)) if !bounds.extensible => {
                let numbers = enumeration.items.iter().filter(|item| bounds.contains(&item.number));
                let octets = numbers.map(|item| List::from(definite(0x0A, &item.number.to_be_bytes())));
                list.push(Constraint::Values(List::from(octets.collect::<Vec<_>>())));
            }
            Some(Shape::Enumerated(_)) => {}
            _ => {
                let ranges = self.ranges(&bounds.ranges, span);
                list.push(Constraint::Value { ranges, extensible: bounds.extensible });
            }
        }
    }

    fn ranges(&mut self, ranges: &[IntRange], span: Span) -> List<Range> {
        let mut open = false;
        let mut bound = |number: &Option<Int>| {
            let held = number.as_ref().map(Int::to_i128);
            open |= held == Some(None);
            held.flatten()
        };
        let list: Vec<Range> = ranges.iter().map(|one| Range { min: bound(&one.min), max: bound(&one.max) }).collect();
        if open {
            self.unchecked(What::Bound, span);
        }
        List::from(list)
    }

    /// Single values, in the DER of the type they are compared as.
    fn values(&mut self, values: &[Value], on: On, span: Span, list: &mut Vec<Constraint>) {
        let mut encodings = Vec::new();
        let mut complete = true;
        for value in values {
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
        let field_of = |fields: Option<&Fields>, name: &str| {
            fields.and_then(|fields| fields.list.iter().find(|field| field.name == name)).map(|field| field.ty)
        };
        let mut list = Vec::new();
        for component in &components.list {
            let constraints = match field_of(fields, &component.name) {
                Some(field) => self.component(&component.inner, field),
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
