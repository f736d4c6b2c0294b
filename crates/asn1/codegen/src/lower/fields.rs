//! Lowers components and alternatives.

use tagwise_schema::model::{self, Fields, Shape, TypeId};

use super::plan::{Alternative, Body, Builtin, Choice, Component, Held, ItemId, Presence, Repr, Role};
use super::scope::Scope;
use super::{Lower, Spot, Used};
use crate::names::Words;
use crate::overlay::FieldOverlay;

impl<'o> Lower<'_, 'o> {
    /// Finds the overlay's entry for a component, an alternative or a named number.
    pub(super) fn field_overlay(&mut self, owner: ItemId, name: &str) -> Option<&'o FieldOverlay> {
        let item = self.items.get(owner.0 as usize)?;
        let (module, of) = (item.module, item.name.clone());
        let (index, ty) = self.type_overlay(module, &of)?;
        let (field_index, field) = ty.fields.iter().enumerate().find(|(_, field)| field.name == name)?;
        self.used.insert(Used::Field(index, field_index));
        Some(field)
    }

    /// Lowers the components of a SEQUENCE or SET. Adds one for the extension marker.
    pub(super) fn components(&mut self, owner: ItemId, fields: &Fields, set: bool) -> Vec<Component> {
        let mut scope = Scope::default();
        let idents: Vec<String> =
            fields.list.iter().map(|field| self.component_ident(owner, field, &mut scope)).collect();
        let mut list: Vec<Component> = Vec::new();
        let mut index = 0;
        while let (Some(field), Some(ident)) = (fields.list.get(index), idents.get(index)) {
            self.marker(fields, index, owner, &mut scope, &mut list);
            let addition = fields.marker.is_some_and(|marker| marker.start <= index && index < marker.end);
            // Version brackets around components that may all be absent say nothing that these do not say by themselves.
            let needed = |group: u32| {
                let mut members = fields.list.iter().filter(|other| other.group == Some(group));
                set || members.any(|member| matches!(member.presence, model::Presence::Required))
            };
            let group = field.group.filter(|group| addition && needed(*group));
            if let (Some(number), false) = (group, set) {
                let rest = fields.list.iter().skip(index);
                let members = rest.take_while(|other| other.group == field.group).count();
                list.push(self.group(owner, fields, &idents, index..index + members, number, &mut scope));
                index += members;
                continue;
            }
            let (held, mut presence) = self.component(owner, field, ident, &mut list, set);
            // An addition is absent from what earlier versions wrote.
            if addition && matches!(presence, Presence::Required) {
                presence = Presence::Optional;
            }
            // The components of a SET have no order.
            let root = !set && fields.marker.is_some_and(|marker| marker.end == index);
            let role = Role::Value { held, presence, root, group };
            list.push(Component { name: field.name.clone(), ident: ident.clone(), role, span: field.span });
            index += 1;
        }
        self.marker(fields, index, owner, &mut scope, &mut list);
        list
    }

    fn component_ident(&mut self, owner: ItemId, field: &model::Field, scope: &mut Scope) -> String {
        let rename = self.field_overlay(owner, &field.name).and_then(|overlay| overlay.rename.clone());
        // Components of before 1994 may have no names.
        let wanted = rename.unwrap_or_else(|| Words::of(&field.name).snake());
        scope.claim(if wanted.is_empty() { "component" } else { &wanted })
    }

    fn marker(&self, fields: &Fields, index: usize, owner: ItemId, scope: &mut Scope, list: &mut Vec<Component>) {
        if fields.marker.is_some_and(|marker| marker.start == index) {
            let span = self.items.get(owner.0 as usize).map(|item| item.span).unwrap_or_default();
            let ident = scope.claim("additions");
            list.push(Component { name: "...".to_owned(), ident, role: Role::Extensions, span });
        }
    }

    fn group(
        &mut self,
        owner: ItemId,
        fields: &Fields,
        idents: &[String],
        members: std::ops::Range<usize>,
        number: u32,
        scope: &mut Scope,
    ) -> Component {
        let mut list: Vec<Component> = Vec::new();
        for (field, ident) in fields.list.iter().zip(idents).take(members.end).skip(members.start) {
            let (held, presence) = self.component(owner, field, ident, &mut list, false);
            let role = Role::Value { held, presence, root: false, group: None };
            list.push(Component { name: field.name.clone(), ident: ident.clone(), role, span: field.span });
        }
        let first = list.first().map(|component| component.span).unwrap_or_default();
        let span = list.last().map_or(first, |last| first.to(last.span));
        let spot = Spot { owner, words: self.words(owner).and(&Words::of(&format!("group-{number}"))), given: None };
        let item = self.anonymous(&spot, None, span, Body::Group(list));
        let ident = scope.claim(&format!("group_{number}"));
        Component { name: format!("[[ {number} ]]"), ident, role: Role::Group(item, number), span }
    }

    fn component(
        &mut self,
        owner: ItemId,
        field: &model::Field,
        ident: &str,
        before: &mut [Component],
        set: bool,
    ) -> (Held, Presence) {
        let presence = match &field.presence {
            model::Presence::Required => Presence::Required,
            model::Presence::Optional => Presence::Optional,
            model::Presence::Default(default) => {
                let der = self.default_der(&default.value, field.ty);
                Presence::Default(default.value.clone(), field.ty, der)
            }
        };
        let overlay = self.field_overlay(owner, &field.name);
        let name = if field.name.is_empty() { ident } else { &field.name };
        let spot = self.spot(owner, name, overlay);
        let held = match self.open_component(field.ty, before, set, &spot, overlay) {
            Some(held) => held,
            None => self.held(field.ty, &spot),
        };
        (self.adjusted(held, overlay, &spot, field.ty), presence)
    }

    fn spot(&self, owner: ItemId, name: &str, overlay: Option<&FieldOverlay>) -> Spot {
        let given = overlay.and_then(|overlay| overlay.item.clone());
        Spot { owner, words: self.words(owner).and(&Words::of(name)), given }
    }

    /// Applies the overlay to a component or alternative.
    fn adjusted(&mut self, mut held: Held, overlay: Option<&FieldOverlay>, spot: &Spot, ty: TypeId) -> Held {
        let Some(overlay) = overlay else { return held };
        held.secret |= overlay.secret;
        if let Some(path) = &overlay.path {
            held.repr = Repr::Foreign(path.clone());
            (held.size, held.range, held.alphabet, held.contents) = (None, None, None, None);
            held.rules.clear();
        }
        let wrap: fn(Box<Repr>) -> Repr = match (overlay.raw, overlay.captured, overlay.boxed) {
            (true, ..) => Repr::Raw,
            (_, true, _) => Repr::Captured,
            (.., true) => Repr::Boxed,
            _ => return held,
        };
        if held.defined_by.is_some() {
            let error =
                self.overlay.error(overlay.at, format!("`{}` is an open type; list it under `open`", overlay.name));
            self.errors.push(error);
            return held;
        }
        // What is kept as octets is a whole element: an IMPLICIT tag, and what is checked, belong to a type of its own.
        let whole = held.wrapper.is_some() || held.tag.is_none_or(|tag| tag.explicit);
        let checked = Held { tag: None, wrapper: None, secret: false, ..held.clone() };
        let checked = !checked.is_plain();
        if !overlay.boxed && (!whole || checked) {
            let span = self.model.ty(ty).map(|ty| ty.span).unwrap_or_default();
            let secret = std::mem::take(&mut held.secret);
            held = Held { secret, ..Held::plain(Repr::Item(self.wrapped(spot, span, held))) };
        }
        held.repr = match held.repr {
            Repr::Captured(inner) => wrap(inner),
            repr => wrap(Box::new(repr)),
        };
        held
    }

    /// Lowers the alternatives of a CHOICE.
    pub(super) fn choice(&mut self, owner: ItemId, fields: &Fields) -> Choice {
        let mut scope = Scope::default();
        let mut alternatives = Vec::new();
        for field in &fields.list {
            let overlay = self.field_overlay(owner, &field.name);
            let rename = overlay.and_then(|overlay| overlay.rename.clone());
            let wanted = rename.unwrap_or_else(|| Words::of(&field.name).upper_camel());
            let ident = scope.claim(if wanted.is_empty() { "Alternative" } else { &wanted });
            let spot = self.spot(owner, if field.name.is_empty() { "alternative" } else { &field.name }, overlay);
            let held = self.held(field.ty, &spot);
            let held = self.adjusted(held, overlay, &spot, field.ty);
            alternatives.push(Alternative { name: field.name.clone(), ident, held, span: field.span });
        }
        let unknown = fields.marker.is_some().then(|| scope.claim("Unknown"));
        Choice { alternatives, unknown }
    }

    /// Returns the path of a selector, if a component can select another component's type. Such a component is always present
    /// and contains an identifier or a number. A selecting number is changed to a type that retains its bytes, instead of a
    /// native integer, because the bytes are the key.
    pub(super) fn selects(&self, before: &mut [Component], path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        if let (Some(component), []) = (before.iter_mut().find(|component| component.name == *first), rest)
            && let Role::Value { held, presence: Presence::Required, .. } = &mut component.role
            && matches!(held.repr, Repr::Builtin(Builtin::Native(_)))
            && held.range.is_some()
        {
            held.repr = Repr::Builtin(Builtin::Integer);
        }
        let component = before.iter().find(|component| component.name == *first)?;
        let Role::Value { held, presence: Presence::Required | Presence::Default(..), .. } = &component.role else {
            return None;
        };
        let mut idents = vec![component.ident.clone()];
        let mut held = held;
        for name in rest {
            let Repr::Item(id) = &held.repr else { return None };
            let inner = match &self.behind(*id)?.body {
                Body::Sequence(list) => list.iter().find(|component| component.name == *name)?,
                _ => return None,
            };
            let Role::Value { held: next, presence: Presence::Required | Presence::Default(..), .. } = &inner.role
            else {
                return None;
            };
            idents.push(inner.ident.clone());
            held = next;
        }
        let repr = match &held.repr {
            Repr::Item(id) => match &self.behind(*id)?.body {
                Body::Alias(repr) => repr.clone(),
                // Not filled yet: by what it refers to.
                Body::Pending => self.pending(*id)?,
                _ => return None,
            },
            repr => repr.clone(),
        };
        matches!(repr, Repr::Builtin(Builtin::ObjectIdentifier | Builtin::Integer)).then_some(idents)
    }

    fn behind(&self, id: ItemId) -> Option<&super::plan::PlanItem> {
        let mut item = self.items.get(id.0 as usize)?;
        for _ in 0..self.items.len() {
            match &item.body {
                Body::Alias(Repr::Item(target)) => item = self.items.get(target.0 as usize)?,
                _ => break,
            }
        }
        Some(item)
    }

    /// Returns the target of an item that will become an alias but is not filled yet, if the target is an identifier type
    /// without a tag or constraint.
    fn pending(&self, id: ItemId) -> Option<Repr> {
        let item = self.behind(id)?;
        if let Body::Alias(repr) = &item.body {
            return Some(repr.clone());
        }
        let mut id = item.ty?;
        for _ in 0..self.model.types.len() {
            let ty = self.model.ty(id)?;
            if !ty.tags.is_empty() || ty.constraints.value.is_some() {
                return None;
            }
            match &ty.shape {
                Shape::Reference(target) | Shape::FixedField { ty: target, .. } => id = *target,
                Shape::ObjectIdentifier => return Some(Repr::Builtin(Builtin::ObjectIdentifier)),
                Shape::Integer(names) if names.is_empty() => return Some(Repr::Builtin(Builtin::Integer)),
                _ => return None,
            }
        }
        None
    }
}
