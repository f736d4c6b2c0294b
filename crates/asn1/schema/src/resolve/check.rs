//! Checks of whole types: distinct tags (X.680 §25.6, §27.3, §29.3, §52), and values against constraints.

use std::collections::HashMap;

use crate::diagnostic::{Clause, Diagnostic};
use crate::model::{
    Condition, Constraints, Fields, OpenType, Outer, Presence, SettingValue, Shape, Tag, TypeId, Value,
};
use crate::resolve::breaks::breaks;
use crate::resolve::constraint::COMPARED;
use crate::resolve::{Resolver, State};
use crate::source::Span;

/// The tags of components that could be confused, each with its component.
#[derive(Default)]
struct Seen {
    tags: HashMap<Tag, usize>,
    /// The last component that may begin with any tag.
    any: Option<usize>,
    /// The source of unknown tags: an extensible CHOICE by its index, or the extension marker (`None`).
    unknown: Option<Option<usize>>,
}

impl Seen {
    fn add(&mut self, outer: &Outer, index: usize) {
        match outer {
            Outer::Tag(tag) => {
                self.tags.insert(*tag, index);
            }
            Outer::Choice { tags, extensible } => {
                self.tags.extend(tags.iter().map(|tag| (*tag, index)));
                if *extensible {
                    self.unknown = Some(Some(index));
                }
            }
            Outer::Any => self.any = Some(index),
        }
    }

    fn join(&mut self, other: Self) {
        self.tags.extend(other.tags);
        self.any = self.any.or(other.any);
        self.unknown = self.unknown.or(other.unknown);
    }
}

impl Resolver<'_> {
    pub(crate) fn check_all(&mut self) {
        for id in 0..self.model.types.len() {
            if self.infos.get(id).is_none_or(|info| info.state != State::Done) {
                continue;
            }
            let Some(ty) = self.model.types.get(id) else { continue };
            if !matches!(ty.shape, Shape::Sequence(_) | Shape::Set(_) | Shape::Choice(_)) {
                continue;
            }
            // The tags of CHOICEs are gone through for each component of their types.
            let (span, bytes) =
                (ty.span, ty.shape.bytes() + 2 * (size_of::<Tag>() * self.count_tags_in(&ty.shape)) as u64);
            if self.spend(span, bytes).is_err() {
                return;
            }
            match self.model.types.get(id).map(|ty| ty.shape.clone()) {
                Some(Shape::Sequence(fields)) => self.check_sequence(&fields),
                Some(Shape::Set(fields)) => self.check_distinct_tags(&fields, Clause::x680("27.3")),
                Some(Shape::Choice(fields)) => self.check_distinct_tags(&fields, Clause::x680("29.3")),
                _ => {}
            }
        }
        self.check_finite();
        self.check_values();
        self.check_defined_by();
    }

    /// Checks that ANY DEFINED BY names a sibling component (X.208 §27) or, inside a list, a sibling of the list.
    fn check_defined_by(&mut self) {
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for (index, ty) in self.model.types.iter().enumerate() {
            let Shape::Open(OpenType { defined_by: Some(name), .. }) = &ty.shape else { continue };
            open.push((TypeId(index as u32), ty.span, name.clone()));
        }
        for (id, span, name) in open {
            let around = self.around(id);
            // Old modules have it by itself, and mean where they use it.
            let is_alone = around.is_empty();
            let is_beside = around.into_iter().any(|around| {
                let is_row =
                    matches!(self.model.ty(around).map(|ty| &ty.shape), Some(Shape::Sequence(_) | Shape::Set(_)));
                is_row && self.component_of(around, &name).is_some()
            });
            if !is_beside {
                found.push((is_alone, span, format!("no component {name} in the same SEQUENCE or SET")));
            }
        }
        // Instances of one text say the same.
        found.dedup();
        for (is_alone, span, message) in found {
            if is_alone {
                self.warn(span, "undefined", message, Clause::x208("27"));
            } else {
                self.error(span, "undefined", message, Clause::x208("27"));
            }
        }
    }

    /// Checks that the tags of each optional component differ from those that may follow it (§25.6).
    fn check_sequence(&mut self, fields: &Fields) {
        let mut seen = Seen::default();
        let additions = fields.marker.map_or(0..0, |marker| marker.start..marker.end);
        // Additions may end anywhere: what stands behind the second marker differs from all of them (§52.7).
        let mut behind = Seen::default();
        for (index, field) in fields.list.iter().enumerate() {
            if self.is_broken(field.ty) {
                (seen, behind) = (Seen::default(), Seen::default());
                continue;
            }
            let outer = self.model.ty(field.ty).map_or(Outer::Any, |ty| ty.outer.clone());
            if additions.contains(&index) {
                behind.add(&outer, index);
            } else if index == additions.end && index > additions.start {
                seen.join(std::mem::take(&mut behind));
            }
            self.meet(&outer, index, fields, &mut seen, Clause::x680("25.6"));
            if matches!(field.presence, Presence::Required) {
                seen = Seen::default();
            }
        }
    }

    /// Returns whether an error in a type was already reported.
    fn is_broken(&self, id: TypeId) -> bool {
        self.info(id).is_none_or(|info| info.is_vague)
    }

    /// Checks that all components of a SET or alternatives of a CHOICE have distinct tags.
    fn check_distinct_tags(&mut self, fields: &Fields, clause: Clause) {
        let mut seen = Seen::default();
        for (index, field) in fields.list.iter().enumerate() {
            if !self.is_broken(field.ty) {
                let outer = self.model.ty(field.ty).map_or(Outer::Any, |ty| ty.outer.clone());
                self.meet(&outer, index, fields, &mut seen, clause);
            }
        }
    }

    /// Compares a component's tags with those seen so far, and adds them.
    fn meet(&mut self, outer: &Outer, index: usize, fields: &Fields, seen: &mut Seen, clause: Clause) {
        let mut clash = None;
        match outer {
            Outer::Tag(tag) => clash = seen.tags.insert(*tag, index).map(|other| (other, tag.to_string())),
            Outer::Choice { tags, extensible } => {
                for tag in tags {
                    let other = seen.tags.insert(*tag, index);
                    clash = clash.or(other.map(|other| (other, tag.to_string())));
                }
                if *extensible && let Some(Some(other)) = seen.unknown.replace(Some(index)) {
                    clash = clash.or(Some((other, "the tags are not known yet".to_owned())));
                }
            }
            Outer::Any => {
                let other = seen.any.replace(index).or_else(|| seen.tags.values().min().copied());
                clash = other.map(|other| (other, "any tag".to_owned()));
            }
        }
        if let (None, Some(any), false) = (&clash, seen.any, matches!(outer, Outer::Any)) {
            clash = Some((any, "any tag".to_owned()));
        }
        let Some((other, tag)) = clash else { return };
        let (Some(field), Some(other)) = (fields.list.get(index), fields.list.get(other)) else { return };
        let message = format!("{} and {} cannot be distinguished: both may begin with {tag}", field.name, other.name);
        let error = Diagnostic::error(field.span, "tag", message, clause);
        self.diagnostics.push(error.note(other.span, "the other is here"));
    }

    /// Checks that values satisfy the constraints of their types.
    fn check_values(&mut self) {
        // The values are looked at while what they need is found out, and go back to their places.
        let values = std::mem::take(&mut self.values);
        for slot in &values {
            if let Some(value) = &slot.value {
                self.check_value(value, slot.governor, slot.span, 0);
            }
        }
        self.values = values;
        for id in 0..self.model.types.len() {
            let Some(Shape::Sequence(fields) | Shape::Set(fields)) = self.model.types.get(id).map(|ty| &ty.shape)
            else {
                continue;
            };
            let defaults = fields.list.iter().filter_map(|field| match &field.presence {
                Presence::Default(default) => Some((field.ty, default.clone())),
                _ => None,
            });
            for (ty, default) in defaults.collect::<Vec<_>>() {
                self.check_value(&default.value, ty, default.span, 0);
            }
        }
        for id in 0..self.model.objects.len() {
            let Some((class, span)) = self.model.objects.get(id).map(|object| (object.class, object.span)) else {
                continue;
            };
            let Ok(parts) = self.parts_of(class) else { continue };
            let settings = match self.model.objects.get_mut(id) {
                Some(object) => std::mem::take(&mut object.settings),
                None => continue,
            };
            for setting in &settings {
                let kind = parts.field(&setting.field).map(|field| &field.kind);
                if let (SettingValue::Value(value), Some(crate::model::FieldKind::FixedValue(ty))) =
                    (&setting.value, kind)
                {
                    self.check_value(value, *ty, span, 0);
                }
            }
            if let Some(object) = self.model.objects.get_mut(id) {
                object.settings = settings;
            }
        }
    }

    fn check_value(&mut self, value: &Value, ty: TypeId, span: Span, depth: u32) {
        // Values nest no deeper; the limit keeps what is refused already from going on.
        if depth > self.limits.depth.saturating_mul(4) || self.is_spent {
            return;
        }
        let Ok(base) = self.base(ty) else { return };
        let Some(known) = self.model.ty(ty) else { return };
        // A value is compared with all that the constraints list.
        let compared = count(&known.effective).saturating_mul(COMPARED);
        let broken = if compared <= self.left() { breaks(value, &known.effective) } else { None };
        if self.spend(span, compared).is_err() {
            return;
        }
        if let Some(message) = broken {
            self.error(span, "range", message, Clause::x680("49.1"));
            return;
        }
        match value {
            Value::Sequence(parts) => {
                for (name, part) in parts {
                    if let Some(ty) = self.component_of(base, name) {
                        self.check_value(part, ty, span, depth + 1);
                    }
                }
            }
            Value::SequenceOf(parts) => {
                let Some(Shape::SequenceOf(item) | Shape::SetOf(item)) = self.model.ty(base).map(|ty| &ty.shape) else {
                    return;
                };
                let item = item.ty;
                for part in parts {
                    self.check_value(part, item, span, depth + 1);
                }
            }
            Value::Choice(name, inner) => {
                let is_choice = matches!(self.model.ty(base).map(|ty| &ty.shape), Some(Shape::Choice(_)));
                if let Some(ty) = self.component_of(base, name).filter(|_| is_choice) {
                    self.check_value(inner, ty, span, depth + 1);
                }
            }
            Value::Open(ty, inner) | Value::Containing(ty, inner) => self.check_value(inner, *ty, span, depth + 1),
            _ => {}
        }
    }
}

/// Returns the number of values that constraints list, including those in alternatives.
// Recursion follows conditions, whose depth is bounded where they are made.
fn count(constraints: &Constraints) -> u64 {
    let further = constraints.further.iter().map(|condition| match condition {
        Condition::Any(parts) => parts.iter().map(count).sum(),
        Condition::Not(part) => count(part),
        Condition::Between { .. } => 1,
    });
    1 + constraints.values.as_ref().map_or(0, |values| values.len() as u64) + further.sum::<u64>()
}
