//! Resolves constraint elements (X.680 §51): the restriction that each one specifies, and the types to which it applies.

use std::collections::HashSet;

use crate::Int;
use crate::ast::{self, Bound, Element, ElementSets, Presence, Set};
use crate::departure::Departure;
use crate::diagnostic::Clause;
use crate::model::{
    Alphabet, Bounds, Component, Components, Condition, Constraints, End, Inner, IntRange, Pattern, Shape, TimeKind,
    TypeId, Value,
};
use crate::parse::{Failed, Parsed};
use crate::resolve::breaks::breaks;
use crate::resolve::constraint::{COMPARED, characters, codes};
use crate::resolve::part::Part;
use crate::resolve::set::set_span;
use crate::resolve::value::hollow;
use crate::resolve::{Resolver, Scope, ranges};
use crate::source::Span;

/// The context in which a constraint is resolved.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c> {
    pub(crate) scope: Scope,
    /// The constrained type.
    pub(crate) ty: TypeId,
    /// The base type, after references.
    pub(crate) base: TypeId,
    /// The constraints before this one.
    pub(crate) parent: &'c Part,
    pub(crate) mode: Mode,
}

/// The property that the elements restrict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Values,
    /// Sizes, inside SIZE.
    Sizes,
    /// Characters, inside FROM.
    Characters,
}

impl Resolver<'_> {
    /// Computes the constraint that a set expression specifies.
    pub(crate) fn set_part(&mut self, set: &Set, context: Context<'_>) -> Parsed<Part> {
        let part = self.deeper(set_span(set), |resolver| resolver.set_part_of(set, context))?;
        // What arithmetic makes of parts is at most some times as large as they are.
        self.spend_part(set_span(set), &part)?;
        Ok(part)
    }

    /// Computes the constraint by the kind of set expression. Each kind has its own function, to limit the stack use of nested
    /// expressions.
    fn set_part_of(&mut self, set: &Set, context: Context<'_>) -> Parsed<Part> {
        match set {
            Set::Union(parts) => self.union_part(parts, context),
            Set::Intersection(parts) => self.intersection_part(parts, context),
            Set::Except(from, without) => self.except_part(from, without, context),
            Set::AllExcept(without) => self.all_except_part(without, context),
            Set::Element(Element::Group(set), _) => self.set_part(set, context),
            Set::Element(element, span) => self.element_part(element, context, *span),
        }
    }

    fn union_part(&mut self, parts: &[Set], context: Context<'_>) -> Parsed<Part> {
        let mut all = Vec::new();
        for part in parts {
            all.push(self.set_part(part, context)?);
        }
        Ok(Part::union(all, context.mode))
    }

    fn intersection_part(&mut self, parts: &[Set], context: Context<'_>) -> Parsed<Part> {
        let mut all: Option<Part> = None;
        for part in parts {
            let span = set_span(part);
            let part = self.set_part(part, context)?;
            all = Some(match all {
                Some(all) => {
                    self.spend(span, all.bytes().saturating_add(compared(&all, &part)))?;
                    all.meet(part)
                }
                None => part,
            });
        }
        Ok(all.unwrap_or_default())
    }

    fn except_part(&mut self, from: &Set, without: &Set, context: Context<'_>) -> Parsed<Part> {
        let span = set_span(from);
        let from = self.set_part(from, context)?;
        let without = self.set_part(without, context)?;
        self.spend(span, compared(&from, &without))?;
        Ok(if context.mode == Mode::Characters {
            characters_except(from, &without)
        } else {
            from.except(&without, context.parent)
        })
    }

    fn all_except_part(&mut self, without: &Set, context: Context<'_>) -> Parsed<Part> {
        let without = self.set_part(without, context)?;
        Ok(match context.mode {
            Mode::Characters => {
                let all = Part { alphabet: Some(self.all_characters(context.base)), ..Part::default() };
                characters_except(all, &without)
            }
            _ => Part::default().except(&without, context.parent),
        })
    }

    /// Computes the constraints that the root and the additions, if any, specify.
    pub(crate) fn sets_part(&mut self, sets: &ElementSets, context: Context<'_>) -> Parsed<(Part, Option<Part>)> {
        let Some(root) = &sets.root else {
            let message = "a constraint must have an element before `...`".to_owned();
            return self.fail(sets.span, "extension", message, Clause::x680("50.1"));
        };
        let part = self.set_part(root, context)?;
        let additions = match &sets.additions {
            Some(additions) => Some(self.set_part(additions, context)?),
            None => None,
        };
        Ok((part, additions))
    }

    pub(crate) fn element_part(&mut self, element: &Element, context: Context<'_>, span: Span) -> Parsed<Part> {
        let Some(shape) = self.model.ty(context.base).map(|ty| hollow(&ty.shape)) else { return Err(Failed) };
        match element {
            Element::Value(value) => self.value_part(value, &shape, context),
            Element::Range(low, high) => self.range_part(low, high, &shape, context, span),
            Element::Group(set) => self.set_part(set, context),
            Element::Type(ty) => self.contained_part(ty, &shape, context, span),
            Element::Size(inner) => {
                let fine = matches!(
                    shape,
                    Shape::BitString(_)
                        | Shape::OctetString
                        | Shape::String(_)
                        | Shape::SequenceOf(_)
                        | Shape::SetOf(_)
                        | Shape::CharacterString
                );
                if self.is_time_text(&shape, "SIZE", span) {
                    return Ok(Part { inexact: true, ..Part::default() });
                }
                self.applies(fine, "SIZE", &shape, span)?;
                self.size_part(inner, context)
            }
            Element::From(inner) => {
                if self.is_time_text(&shape, "FROM", span) {
                    return Ok(Part { inexact: true, ..Part::default() });
                }
                self.applies(matches!(shape, Shape::String(_)), "FROM", &shape, span)?;
                self.characters_part(inner, context)
            }
            Element::Pattern(value) => self.pattern_part(value, &shape, context, span),
            Element::Settings(text) => self.settings_part(text, &shape, span),
            Element::WithComponent(inner) => self.component_part(inner, &shape, context, span),
            Element::WithComponents { partial, items } => self.components_part(*partial, items, &shape, context, span),
        }
    }

    fn pattern_part(&mut self, value: &ast::Value, shape: &Shape, context: Context<'_>, span: Span) -> Parsed<Part> {
        if self.is_time_text(shape, "PATTERN", span) {
            return Ok(Part { inexact: true, ..Part::default() });
        }
        self.applies(matches!(shape, Shape::String(_)), "PATTERN", shape, span)?;
        let Value::String(text) = self.eval(value, context.scope, context.base)? else { return Err(Failed) };
        match super::pattern::check(&text) {
            Err(wrong) => {
                let message = format!("invalid regular expression: {wrong}");
                return self.fail(span, "pattern", message, Clause::x680("51.9"));
            }
            Ok(Some(why)) => {
                let message = format!("values are not checked against this regular expression: {why}");
                self.warn(span, "pattern", message, Clause::x680("51.9"));
            }
            Ok(None) => {}
        }
        Ok(Part { patterns: vec![Pattern { text, span }], ..Part::default() })
    }

    fn settings_part(&mut self, text: &str, shape: &Shape, span: Span) -> Parsed<Part> {
        self.applies(matches!(shape, Shape::Time(_)), "SETTINGS", shape, span)?;
        let settings = super::clock::normal_settings(&super::literal::text(text));
        if let Some(wrong) = super::clock::wrong_settings(&settings) {
            return self.fail(span, "constraint", wrong, Clause::x680("38.2"));
        }
        Ok(Part { settings: vec![settings], ..Part::default() })
    }

    /// Computes WITH COMPONENT (§51.8.2).
    fn component_part(
        &mut self,
        inner: &ast::Constraint,
        shape: &Shape,
        context: Context<'_>,
        span: Span,
    ) -> Parsed<Part> {
        let (Shape::SequenceOf(item) | Shape::SetOf(item)) = shape else {
            return self.applies(false, "WITH COMPONENT", shape, span).and(Err(Failed));
        };
        let constraints = self.inner(inner, context.scope, item.ty)?;
        Ok(Part { item: Some(Box::new(Inner { constraints })), ..Part::default() })
    }

    /// Returns whether a string constraint is applied to a time type that is encoded as a string. This is a named departure, under
    /// which the constraint is not checked.
    fn is_time_text(&mut self, shape: &Shape, what: &str, span: Span) -> bool {
        let is_time = matches!(shape, Shape::Time(TimeKind::Utc | TimeKind::Generalized));
        if is_time {
            let message = format!("{what} does not apply to {}", shape.name());
            self.diagnostics.depart(Departure::TimeText, span, message);
        }
        is_time
    }

    fn applies(&mut self, fine: bool, what: &str, shape: &Shape, span: Span) -> Parsed<()> {
        if fine {
            return Ok(());
        }
        let message = format!("{what} does not apply to {}", shape.name());
        self.fail(span, "constraint", message, Clause::x680("51.1"))
    }

    fn value_part(&mut self, value: &ast::Value, shape: &Shape, context: Context<'_>) -> Parsed<Part> {
        match context.mode {
            Mode::Sizes => {
                let size = self.integer(value, context.scope, Clause::x680("51.5"))?;
                self.check_inside(&size, context, value.span)?;
                Ok(Part { value: Some(vec![ranges::one(size)]), ..Part::default() })
            }
            Mode::Characters => {
                let text = self.string_of(value, context)?;
                let each = text.chars().map(|char| ranges::one(u32::from(char).into())).collect();
                Ok(Part { alphabet: Some(ranges::normal(each)), ..Part::default() })
            }
            Mode::Values => {
                let number = match self.eval(value, context.scope, context.ty)? {
                    Value::Integer(number) if matches!(shape, Shape::Integer(_)) => number,
                    Value::Enumerated(item) => item.number,
                    other => {
                        self.check_single(&other, context, value.span)?;
                        return Ok(Part { values: Some(vec![other]), ..Part::default() });
                    }
                };
                self.check_inside(&number, context, value.span)?;
                Ok(Part { value: Some(vec![ranges::one(number)]), ..Part::default() })
            }
        }
    }

    /// Checks that a number is a value of the parent type, as §51.2.1 and §51.4.2 require.
    fn check_inside(&mut self, number: &Int, context: Context<'_>, span: Span) -> Parsed<()> {
        match &context.parent.value {
            Some(ranges) if !ranges::contain(ranges, number) => {
                let message = format!("{number} is not a value of the constrained type");
                self.fail(span, "range", message, Clause::x680("51.4.2"))
            }
            _ => Ok(()),
        }
    }

    /// Checks that a single value is a value of the parent type: its size, its characters and its other restrictions.
    fn check_single(&mut self, value: &Value, context: Context<'_>, span: Span) -> Parsed<()> {
        let values = context.parent.values.as_ref().map_or(0, |values| values.len() as u64);
        self.spend(span, COMPARED.saturating_mul(values.saturating_add(1)))?;
        match breaks(value, &constraints_of(context.parent)) {
            Some(message) => self.fail(span, "range", message, Clause::x680("51.2.1")),
            None => Ok(()),
        }
    }

    /// Returns the characters of a string in FROM.
    fn string_of(&mut self, value: &ast::Value, context: Context<'_>) -> Parsed<String> {
        match self.eval(value, context.scope, context.base)? {
            Value::String(text) => Ok(text),
            _ => self.fail(value.span, "type", "expected a string".to_owned(), Clause::x680("51.7")),
        }
    }

    fn range_part(
        &mut self,
        low: &Bound,
        high: &Bound,
        shape: &Shape,
        context: Context<'_>,
        span: Span,
    ) -> Parsed<Part> {
        let clause = Clause::x680("51.4");
        match (context.mode, shape) {
            (Mode::Characters, _) => {
                let all = self.all_characters(context.base);
                let (first, last) = (all.first(), all.last());
                let min = self.character_bound(low, true, first.and_then(|range| range.min.clone()), context)?;
                let max = self.character_bound(high, false, last.and_then(|range| range.max.clone()), context)?;
                self.check_order(min.as_ref(), max.as_ref(), span)?;
                Ok(Part { alphabet: Some(vec![IntRange { min, max }]), ..Part::default() })
            }
            (Mode::Sizes, _) | (Mode::Values, Shape::Integer(_)) => {
                let min = self.bound(low, true, context)?;
                let max = self.bound(high, false, context)?;
                self.check_order(min.as_ref(), max.as_ref(), span)?;
                Ok(Part { value: Some(vec![IntRange { min, max }]), ..Part::default() })
            }
            (Mode::Values, Shape::Real) => {
                let (min, max) = (self.real_end(low, context)?, self.real_end(high, context)?);
                if let (Some(min), Some(max)) = (&min, &max)
                    && min.value.compare(&max.value) == Some(std::cmp::Ordering::Greater)
                {
                    let message = "the range is reversed".to_owned();
                    return self.fail(span, "range", message, Clause::x680("51.4.2"));
                }
                let further = match (&min, &max) {
                    (None, None) => Vec::new(),
                    _ => vec![Condition::Between { min, max }],
                };
                Ok(Part { further, ..Part::default() })
            }
            // Settings of times may be compared too; the text says how.
            (Mode::Values, Shape::Time(_)) => Ok(Part { inexact: true, ..Part::default() }),
            (Mode::Values, shape) => {
                let message = format!("a range does not apply to {}", shape.name());
                self.fail(span, "constraint", message, clause)
            }
        }
    }

    /// Computes a bound of a REAL range. MIN and MAX are unbounded, because the preceding constraints also apply.
    fn real_end(&mut self, bound: &Bound, context: Context<'_>) -> Parsed<Option<End>> {
        let Some(value) = &bound.value else { return Ok(None) };
        match self.eval(value, context.scope, context.base)? {
            Value::Real(value) => Ok(Some(End { value, open: bound.open })),
            _ => Err(Failed),
        }
    }

    fn check_order(&mut self, min: Option<&Int>, max: Option<&Int>, span: Span) -> Parsed<()> {
        match (min, max) {
            (Some(min), Some(max)) if min > max => {
                let message = "the range is reversed".to_owned();
                self.fail(span, "range", message, Clause::x680("51.4.2"))
            }
            _ => Ok(()),
        }
    }

    /// Computes an inclusive bound of an integer range.
    fn bound(&mut self, bound: &Bound, is_low: bool, context: Context<'_>) -> Parsed<Option<Int>> {
        let parent = context.parent.value.as_deref();
        let Some(value) = &bound.value else {
            let edge = match (parent, bound.is_max) {
                (Some(ranges), true) => ranges.last().and_then(|range| range.max.clone()),
                (Some(ranges), false) => ranges.first().and_then(|range| range.min.clone()),
                (None, _) => None,
            };
            return Ok(edge);
        };
        let int = match context.mode {
            Mode::Sizes => self.integer(value, context.scope, Clause::x680("51.5"))?,
            _ => match self.eval(value, context.scope, context.ty)? {
                Value::Integer(int) => int,
                _ => return Err(Failed),
            },
        };
        self.check_inside(&int, context, value.span)?;
        Ok(Some(inward(int, bound.open, is_low)))
    }

    fn character_bound(
        &mut self,
        bound: &Bound,
        is_low: bool,
        edge: Option<Int>,
        context: Context<'_>,
    ) -> Parsed<Option<Int>> {
        let Some(value) = &bound.value else { return Ok(edge) };
        let text = self.string_of(value, context)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(char), None) => Ok(Some(inward(u32::from(char).into(), bound.open, is_low))),
            _ => {
                let message = "each end of a character range must be one character".to_owned();
                self.fail(value.span, "range", message, Clause::x680("51.4.3"))
            }
        }
    }

    /// The characters of a string type.
    pub(crate) fn all_characters(&self, base: TypeId) -> Vec<IntRange> {
        match self.model.ty(base).map(|ty| &ty.shape) {
            Some(Shape::String(kind)) => {
                let all = super::literal::repertoire(*kind);
                let ranges = all
                    .into_iter()
                    .map(|range| IntRange { min: Some((*range.start()).into()), max: Some((*range.end()).into()) });
                ranges::normal(ranges.collect())
            }
            _ => ranges::all(),
        }
    }

    /// Computes SIZE: a constraint on the non-negative INTEGERs (§51.5).
    fn size_part(&mut self, inner: &ast::Constraint, context: Context<'_>) -> Parsed<Part> {
        let ast::Spec::Subtype(sets) = &inner.spec else {
            return self.fail(inner.span, "constraint", "expected sizes".to_owned(), Clause::x680("51.5"));
        };
        let natural = vec![IntRange { min: Some(Int::ZERO), max: None }];
        let parent = Part { value: Some(natural), ..Part::default() };
        let context = Context { parent: &parent, mode: Mode::Sizes, ..context };
        let (part, _) = self.sets_part(sets, context)?;
        Ok(Part {
            size: part.value,
            size_extensible: sets.extensible,
            inexact: part.inexact || !part.further.is_empty(),
            ..Part::default()
        })
    }

    fn characters_part(&mut self, inner: &ast::Constraint, context: Context<'_>) -> Parsed<Part> {
        let ast::Spec::Subtype(sets) = &inner.spec else {
            return self.fail(inner.span, "constraint", "expected characters".to_owned(), Clause::x680("51.7"));
        };
        let (part, _) = self.sets_part(sets, Context { mode: Mode::Characters, ..context })?;
        Ok(Part {
            alphabet: part.alphabet,
            alphabet_extensible: sets.extensible,
            inexact: part.inexact || !part.further.is_empty(),
            ..Part::default()
        })
    }

    /// Computes a contained subtype (§51.3): the constraints on its values.
    fn contained_part(&mut self, ty: &ast::Type, shape: &Shape, context: Context<'_>, span: Span) -> Parsed<Part> {
        let id = self.type_inside(ty, context.scope, context.ty);
        let base = self.base(id)?;
        let Some(of) = self.model.ty(base).map(|ty| hollow(&ty.shape)) else { return Err(Failed) };
        if matches!(shape, Shape::Open(_)) && context.mode == Mode::Values {
            return Ok(Part { fixed: Some(id), ..Part::default() });
        }
        self.ensure_constraints_for(id, span)?;
        let bytes = self.model.ty(id).map_or(0, |ty| ty.effective.bytes());
        self.spend(span, bytes)?;
        let Some(effective) = self.model.ty(id).map(|ty| part_of(&ty.effective)) else { return Err(Failed) };
        match context.mode {
            Mode::Sizes => match of {
                Shape::Integer(_) => Ok(Part { value: effective.value, inexact: effective.inexact, ..Part::default() }),
                _ => self.fail(span, "type", "expected a subtype of INTEGER".to_owned(), Clause::x680("51.5")),
            },
            Mode::Characters => match of {
                Shape::String(_) => {
                    let alphabet = effective.alphabet.unwrap_or_else(|| self.all_characters(base));
                    Ok(Part { alphabet: Some(alphabet), inexact: effective.inexact, ..Part::default() })
                }
                _ => self.fail(span, "type", "expected a string type".to_owned(), Clause::x680("51.7")),
            },
            Mode::Values => {
                // RFC 4120 restricts GeneralString by IA5String: characters are characters here.
                let are_strings = matches!((&of, shape), (Shape::String(_), Shape::String(_)));
                if !are_strings && !super::value::fits(&of, shape) {
                    let message = format!("expected a subtype of {}; this is {}", shape.name(), of.name());
                    return self.fail(span, "type", message, Clause::x680("51.3.2"));
                }
                let mut part = effective;
                // Another string type has other characters.
                if let (Shape::String(a), Shape::String(b)) = (&of, shape)
                    && a != b
                    && part.alphabet.is_none()
                {
                    part.alphabet = Some(self.all_characters(base));
                }
                Ok(part)
            }
        }
    }

    /// Computes WITH COMPONENTS (§51.8.4 and following).
    fn components_part(
        &mut self,
        partial: bool,
        items: &[ast::ComponentItem],
        shape: &Shape,
        context: Context<'_>,
        span: Span,
    ) -> Parsed<Part> {
        let has_fields = match shape {
            Shape::Sequence(_) | Shape::Set(_) | Shape::Choice(_) | Shape::InstanceOf { .. } => true,
            // Their components are those of types that stand in the standard only.
            Shape::Real | Shape::External | Shape::EmbeddedPdv | Shape::CharacterString => false,
            _ => {
                self.applies(false, "WITH COMPONENTS", shape, span)?;
                false
            }
        };
        let mut seen: HashSet<&str> = HashSet::new();
        let mut list: Vec<Component> = Vec::new();
        for item in items {
            let name = &item.name;
            if !seen.insert(&name.text) {
                let message = format!("duplicate constraint on {}", name.text);
                return self.fail(name.span, "duplicate", message, Clause::x680("51.8.5"));
            }
            let mut constraints = Constraints::default();
            if has_fields {
                let Some(ty) = self.component_of(context.base, &name.text) else {
                    let message = format!("unknown component {}", name.text);
                    return self.fail(name.span, "undefined", message, Clause::x680("51.8.6"));
                };
                if let Some(inner) = &item.constraint {
                    constraints = self.inner(inner, context.scope, ty)?;
                }
            } else if let (Shape::Real, "mantissa" | "base" | "exponent", Some(inner)) =
                (shape, name.text.as_str(), &item.constraint)
            {
                // The components of the associated type are INTEGERs (§21.5).
                let ty = self.plain_integer(context.scope, span)?;
                constraints = self.inner(inner, context.scope, ty)?;
            }
            if matches!(item.presence, Some(Presence::Absent)) && self.is_mandatory(context.base, &name.text) {
                let message = format!("{} is mandatory, and cannot be ABSENT", name.text);
                return self.fail(name.span, "constraint", message, Clause::x680("51.8.9"));
            }
            let present = match item.presence {
                Some(Presence::Present) => Some(true),
                Some(Presence::Absent) => Some(false),
                Some(Presence::Optional) => None,
                // Without a word, a component of a full list is present if nothing else is said (§51.8.9); an alternative
                // may be.
                None => (!partial && !matches!(shape, Shape::Choice(_))).then_some(true),
            };
            list.push(Component { name: name.text.clone(), present, inner: Inner { constraints } });
        }
        Ok(Part { components: vec![Components { partial, list }], ..Part::default() })
    }

    /// Returns whether a component of a SEQUENCE or SET is always present. An extension addition may be absent.
    fn is_mandatory(&self, base: TypeId, name: &str) -> bool {
        let Some(Shape::Sequence(fields) | Shape::Set(fields)) = self.model.ty(base).map(|ty| &ty.shape) else {
            return false;
        };
        let additions = fields.marker.map_or(0..0, |marker| marker.start..marker.end);
        fields.list.iter().enumerate().any(|(index, field)| {
            let is_required = matches!(field.presence, crate::model::Presence::Required);
            field.name == name && is_required && !additions.contains(&index)
        })
    }

    /// Resolves a constraint on a component or an element, in addition to the constraints of its type.
    fn inner(&mut self, constraint: &ast::Constraint, scope: Scope, ty: TypeId) -> Parsed<Constraints> {
        self.deeper(constraint.span, |resolver| {
            resolver.ensure_constraints_for(ty, constraint.span)?;
            let bytes = resolver.model.ty(ty).map_or(0, |ty| ty.effective.bytes());
            resolver.spend(constraint.span, bytes)?;
            let Some(mut effective) = resolver.model.ty(ty).map(|ty| ty.effective.clone()) else { return Err(Failed) };
            let mut own = Constraints::default();
            resolver.apply(constraint, scope, ty, &mut own, &mut effective)?;
            Ok(own)
        })
    }
}

/// Returns the charge for comparing the values of two parts.
fn compared(one: &Part, other: &Part) -> u64 {
    let count = |part: &Part| part.values.as_ref().map_or(0, |values| values.len() as u64);
    COMPARED.saturating_mul(count(one).saturating_mul(count(other)))
}

fn characters_except(mut from: Part, without: &Part) -> Part {
    if let (Some(all), Some(gone)) = (&from.alphabet, &without.alphabet) {
        from.alphabet = Some(ranges::meet(all, &ranges::complement(gone)));
    }
    from
}

/// Converts the constraints of a parent type, or of a contained subtype, to a part for set arithmetic. It has the values of their
/// extension root only: the extension marker and the extension additions do not count in a constraint that follows (X.680 §50.8).
pub(crate) fn part_of(constraints: &Constraints) -> Part {
    Part {
        value: constraints.value.as_ref().map(|bounds| bounds.ranges.clone()),
        size: constraints.size.as_ref().map(|bounds| bounds.ranges.clone()),
        alphabet: constraints.alphabet.as_ref().map(codes),
        values: constraints.values.clone(),
        size_extensible: false,
        alphabet_extensible: false,
        patterns: constraints.patterns.clone(),
        components: constraints.components.clone(),
        item: constraints.item.clone(),
        settings: constraints.settings.clone(),
        further: constraints.further.clone(),
        fixed: None,
        inexact: constraints.inexact,
    }
}

/// Converts a part to constraints, with what decides whether a value satisfies them.
fn constraints_of(part: &Part) -> Constraints {
    let bounds = |ranges: &Option<Vec<IntRange>>| {
        let ranges = ranges.clone()?;
        Some(Bounds { ranges, extensible: false, additions: Vec::new() })
    };
    Constraints {
        value: bounds(&part.value),
        size: bounds(&part.size),
        alphabet: part.alphabet.as_deref().map(|all| Alphabet { ranges: characters(all), extensible: false }),
        values: part.values.clone(),
        further: part.further.clone(),
        ..Constraints::default()
    }
}

/// Converts an exclusive bound, written with `<`, to an inclusive one.
fn inward(end: Int, open: bool, is_low: bool) -> Int {
    match (open, is_low) {
        (false, _) => end,
        (true, true) => end.next(),
        (true, false) => end.previous(),
    }
}
