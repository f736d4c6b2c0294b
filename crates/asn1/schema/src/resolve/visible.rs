//! The PER-visible constraints of types (X.691 §10.3).
//!
//! PER leaves out what follows EXCEPT, and everything that its encodings do not depend on: patterns, inner types, table and
//! user-defined constraints, single strings. An intersection keeps its visible parts. A union with an invisible part is
//! invisible.

use crate::ast::{self, Element, ElementSets, Set, Spec};
use crate::int::Int;
use crate::model::{Bounds, IntRange, Shape, StringKind, TypeId, Visible};
use crate::parse::{Failed, Parsed};
use crate::resolve::constraint::characters;
use crate::resolve::element::{Context, Mode};
use crate::resolve::part::Part;
use crate::resolve::set::set_span;
use crate::resolve::value::hollow;
use crate::resolve::{Resolver, Scope, ranges};

impl Resolver<'_> {
    /// Adds what PER sees of one more constraint on a type.
    pub(crate) fn see(
        &mut self,
        constraint: &ast::Constraint,
        scope: Scope,
        id: TypeId,
        parent: &Part,
        visible: &mut Visible,
    ) -> Parsed<()> {
        // The others are not visible (§10.3.2 to §10.3.7).
        let Spec::Subtype(sets) = &constraint.spec else { return Ok(()) };
        let base = self.base(id)?;
        let Some(shape) = self.model.ty(base).map(|ty| hollow(&ty.shape)) else { return Err(Failed) };
        if !has_visible(&shape) {
            return Ok(());
        }
        let context = Context { scope, ty: id, base, parent, mode: Mode::Values };
        let part = self.visible_root(sets, context)?.unwrap_or_default();
        // A constraint behind another one decides alone whether there are extensions (X.680 §50.8).
        visible.value = joined(visible.value.take(), part.value, sets.extensible);
        visible.size = joined(visible.size.take(), part.size, sets.extensible || part.size_extensible);
        // An alphabet with extensions is not visible (§10.3.12).
        if let (Some(alphabet), false) = (part.alphabet, sets.extensible) {
            let alphabet = match &visible.alphabet {
                Some(before) => ranges::meet(&numbers(before), &alphabet),
                None => ranges::normal(alphabet),
            };
            visible.alphabet = Some(characters(&alphabet));
        }
        Ok(())
    }

    fn visible_root(&mut self, sets: &ElementSets, context: Context<'_>) -> Parsed<Option<Part>> {
        match &sets.root {
            Some(root) => self.visible(root, context),
            None => Ok(None),
        }
    }

    /// Computes the visible part of a set, if any.
    fn visible(&mut self, set: &Set, context: Context<'_>) -> Parsed<Option<Part>> {
        self.deeper(set_span(set), |resolver| resolver.visible_of(set, context))
    }

    fn visible_of(&mut self, set: &Set, context: Context<'_>) -> Parsed<Option<Part>> {
        match set {
            Set::Union(parts) => {
                let (mut all, mut is_visible) = (Vec::new(), true);
                for part in parts {
                    match self.visible(part, context)? {
                        Some(part) => all.push(part),
                        None => is_visible = false,
                    }
                }
                Ok(is_visible.then(|| union(&all)))
            }
            Set::Intersection(parts) => {
                let mut all: Option<Part> = None;
                for part in parts {
                    let part = self.visible(part, context)?;
                    all = match (all, part) {
                        (Some(all), Some(part)) => Some(meet(all, part)),
                        (all, part) => all.or(part),
                    };
                }
                Ok(all)
            }
            Set::Except(from, _) => self.visible(from, context),
            Set::AllExcept(_) => Ok(None),
            Set::Element(Element::Group(set), _) => self.visible(set, context),
            Set::Element(element, span) => {
                let Some(shape) = self.model.ty(context.base).map(|ty| hollow(&ty.shape)) else { return Err(Failed) };
                match element {
                    Element::Value(_) | Element::Range(..) => match (context.mode, &shape) {
                        (Mode::Values, Shape::Integer(_)) | (Mode::Sizes | Mode::Characters, _) => {
                            self.element_part(element, context, *span).map(Some)
                        }
                        _ => Ok(None),
                    },
                    Element::Type(_) if context.mode != Mode::Values => {
                        self.element_part(element, context, *span).map(Some)
                    }
                    Element::Type(ty) => self.visible_contained(ty, &shape, context),
                    Element::Size(inner) => match &inner.spec {
                        Spec::Subtype(sets) if has_sizes(&shape) => self.visible_sizes(sets, context),
                        _ => Ok(None),
                    },
                    Element::From(inner) => match &inner.spec {
                        Spec::Subtype(sets) if is_known_multiplier(&shape) && !sets.extensible => {
                            self.visible_root(sets, Context { mode: Mode::Characters, ..context })
                        }
                        _ => Ok(None),
                    },
                    _ => Ok(None),
                }
            }
        }
    }

    fn visible_sizes(&mut self, sets: &ElementSets, context: Context<'_>) -> Parsed<Option<Part>> {
        let natural = vec![IntRange { min: Some(Int::ZERO), max: None }];
        let parent = Part { value: Some(natural), ..Part::default() };
        let part = self.visible_root(sets, Context { parent: &parent, mode: Mode::Sizes, ..context })?;
        let sizes = |part: Part| Part { size: part.value, size_extensible: sets.extensible, ..Part::default() };
        Ok(part.map(sizes))
    }

    /// A contained subtype: what is visible of its own constraints, without their extensions.
    fn visible_contained(&mut self, ty: &ast::Type, shape: &Shape, context: Context<'_>) -> Parsed<Option<Part>> {
        let id = self.type_inside(ty, context.scope, context.ty);
        self.ensure_constraints_for(id, ty.span)?;
        let base = self.base(id)?;
        let Some(visible) = self.model.ty(id).map(|ty| ty.visible.clone()) else { return Err(Failed) };
        let mut alphabet = visible.alphabet.as_deref().map(numbers);
        if let (Some(Shape::String(of)), Shape::String(kind)) = (self.model.ty(base).map(|ty| &ty.shape), shape)
            && of != kind
            && alphabet.is_none()
        {
            alphabet = Some(self.all_characters(base));
        }
        let ranges = |bounds: Option<Bounds>| bounds.map(|bounds| bounds.ranges);
        Ok(Some(Part { value: ranges(visible.value), size: ranges(visible.size), alphabet, ..Part::default() }))
    }
}

/// Returns whether any constraint on a type can be visible.
pub(crate) fn has_visible(shape: &Shape) -> bool {
    matches!(shape, Shape::Integer(_)) || has_sizes(shape)
}

fn has_sizes(shape: &Shape) -> bool {
    matches!(shape, Shape::BitString(_) | Shape::OctetString | Shape::SequenceOf(_) | Shape::SetOf(_))
        || is_known_multiplier(shape)
}

/// Returns whether all characters of a string type have encodings of one size (X.691 §3.7.16).
const fn is_known_multiplier(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::String(
            StringKind::Numeric
                | StringKind::Printable
                | StringKind::Visible
                | StringKind::Ia5
                | StringKind::Bmp
                | StringKind::Universal
        )
    )
}

fn numbers(ranges: &[crate::model::CharRange]) -> Vec<IntRange> {
    ranges.iter().map(|range| IntRange { min: Some(range.first.into()), max: Some(range.last.into()) }).collect()
}

/// The effective restriction of each kind, for the union of all values.
fn union(parts: &[Part]) -> Part {
    let gather = |of: fn(&Part) -> Option<&Vec<IntRange>>| {
        let all: Option<Vec<&Vec<IntRange>>> = parts.iter().map(of).collect();
        all.map(|all| ranges::normal(all.into_iter().flatten().cloned().collect()))
    };
    Part {
        value: gather(|part| part.value.as_ref()),
        size: gather(|part| part.size.as_ref()),
        alphabet: gather(|part| part.alphabet.as_ref()),
        size_extensible: parts.iter().any(|part| part.size_extensible),
        ..Part::default()
    }
}

fn meet(one: Part, other: Part) -> Part {
    let both = |one: Option<Vec<IntRange>>, other: Option<Vec<IntRange>>| match (one, other) {
        (Some(one), Some(other)) => Some(ranges::meet(&one, &other)),
        (one, other) => one.or(other),
    };
    Part {
        value: both(one.value, other.value),
        size: both(one.size, other.size),
        alphabet: both(one.alphabet, other.alphabet),
        size_extensible: one.size_extensible || other.size_extensible,
        ..Part::default()
    }
}

/// The bounds after one more constraint.
fn joined(before: Option<Bounds>, ranges: Option<Vec<IntRange>>, extensible: bool) -> Option<Bounds> {
    let (ranges, extensible) = match (before, ranges) {
        (Some(before), Some(ranges)) => (ranges::meet(&before.ranges, &ranges::normal(ranges)), extensible),
        (None, Some(ranges)) => (ranges::normal(ranges), extensible),
        (Some(before), None) => (before.ranges, false),
        (None, None) => return None,
    };
    Some(Bounds { ranges, extensible, additions: Vec::new() })
}
