//! Lowers types to items or inline representations.

use tagwise_schema::Int;
use tagwise_schema::model::{Alphabet, Bounds, Constraints, NamedNumber, Shape, StringKind, Tagging, Type, TypeId};

use super::plan::{Body, Builtin, Enumerated, Held, ItemId, Native, Number, Repr, Wrapper};
use super::rule::{is_checked, is_large};
use super::scope::Scope;
use super::{Lower, Spot};
use crate::names::Words;

impl Lower<'_, '_> {
    /// Fills the item of a type.
    pub(super) fn fill(&mut self, id: ItemId, type_id: TypeId) {
        let Some(ty) = self.model.ty(type_id) else { return };
        let Some(item) = self.items.get(id.0 as usize) else { return };
        // The tags of a type without a name are put on it where it is used.
        let named = ty.name.is_some() && self.by_type.get(&type_id) == Some(&id) && !self.is_anonymous(id, type_id);
        let spot = Spot { owner: id, words: self.words(id), given: None };
        let tags: &[Tagging] = if named { &ty.tags } else { &[] };
        let span = item.span;
        let (outer, inner) = match tags {
            [] => (None, tags),
            [first, rest @ ..] => (Some(*first), rest),
        };
        let own = if inner.is_empty() { self.own_body(id, &spot, type_id, ty) } else { None };
        let body = match own {
            Some(body) => body,
            None => {
                let held = self.untagged(type_id, ty, &spot);
                let mut held = self.tagged(held, inner, &spot, span);
                if outer.is_some() && held.tag.is_some() {
                    held = Held::plain(Repr::Item(self.wrapped(&spot.child("content"), span, held)));
                }
                if let (None, Some(tag)) = (outer, held.tag.take()) {
                    self.set_tag(id, Some(tag));
                    Body::Newtype(held)
                } else if outer.is_none() && held.is_plain() && !self.is_marked(id) {
                    Body::Alias(held.repr)
                } else {
                    Body::Newtype(held)
                }
            }
        };
        if outer.is_some() {
            self.set_tag(id, outer);
        }
        // What a type of another form obeys is said where it is held.
        let is_own = !matches!(body, Body::Alias(_) | Body::Newtype(_));
        let checked = self.items.get(id.0 as usize).is_some_and(|item| item.marks.check.is_some());
        if is_own && !checked {
            let rules = self.rules(if has_leaf_form(&body) { &ty.effective } else { &ty.constraints }, type_id);
            if let Some(item) = self.items.get_mut(id.0 as usize) {
                item.rules = rules;
            }
        }
        self.set_body(id, body);
    }

    /// Returns whether the overlay marks an item in a way that an alias does not support.
    fn is_marked(&self, id: ItemId) -> bool {
        self.items.get(id.0 as usize).is_some_and(|item| item.marks.need_type())
    }

    fn is_anonymous(&self, id: ItemId, type_id: TypeId) -> bool {
        let name = self.model.ty(type_id).and_then(|ty| ty.name.as_ref());
        match (name, self.items.get(id.0 as usize)) {
            (Some(name), Some(item)) => name.name != item.name,
            _ => true,
        }
    }

    pub(super) fn words(&self, id: ItemId) -> Words {
        self.items.get(id.0 as usize).map_or_else(|| Words::of(""), |item| Words::of(&item.ident))
    }

    /// Creates the body of a type's item, if the type requires a definition of its own.
    fn own_body(&mut self, id: ItemId, spot: &Spot, type_id: TypeId, ty: &Type) -> Option<Body> {
        Some(match &ty.shape {
            Shape::Sequence(fields) => Body::Sequence(self.components(id, fields, false)),
            Shape::Set(fields) => Body::Set(self.components(id, fields, true)),
            Shape::Choice(fields) => Body::Choice(self.choice(id, fields)),
            Shape::Enumerated(enumeration) => {
                let (items, unknown) = self.items_of(id, &enumeration.items, enumeration.extensible);
                if items
                    .iter()
                    .any(|item| item.named.number.to_i128().is_none_or(|number| i64::try_from(number).is_err()))
                {
                    return Some(Body::Alias(Repr::Builtin(Builtin::Enumerated)));
                }
                Body::Enumerated(Enumerated { integer: false, items, unknown })
            }
            Shape::Integer(names) if !names.is_empty() => self.named_numbers(id, names, ty),
            Shape::BitString(names) if !names.is_empty() => Body::NamedBits(self.numbers(id, names, Words::snake)),
            Shape::Reference(_) | Shape::FixedField { .. } if self.is_integer(type_id) => {
                // A narrower range for names that are known.
                let names = self.names_behind(type_id)?;
                if names.is_empty() || !restricts(&ty.constraints) {
                    return None;
                }
                let tags = self.tags_behind(type_id);
                let body = self.named_numbers(id, &names, ty);
                match (body, tags.as_slice()) {
                    (body, []) => body,
                    (body, tags) => {
                        let inner = self.anonymous(&spot.child("number"), None, ty.span, body);
                        let held = self.tagged(Held::plain(Repr::Item(inner)), tags, spot, ty.span);
                        self.unwrap(id, held)
                    }
                }
            }
            _ => return None,
        })
    }

    /// Creates a newtype body, and moves the tag of the inner type to the item.
    fn unwrap(&mut self, id: ItemId, mut held: Held) -> Body {
        let tag = held.tag.take();
        self.set_tag(id, tag);
        Body::Newtype(held)
    }

    fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.model.base(id).map(|ty| &ty.shape), Some(Shape::Integer(_)))
    }

    fn names_behind(&self, id: TypeId) -> Option<Vec<NamedNumber>> {
        match &self.model.base(id)?.shape {
            Shape::Integer(names) => Some(names.clone()),
            _ => None,
        }
    }

    fn named_numbers(&mut self, id: ItemId, names: &[NamedNumber], ty: &Type) -> Body {
        let wish = self.integer_wish(id);
        if wish.as_deref() == Some("enum") {
            let (items, unknown) = self.items_of(id, names, false);
            return Body::Enumerated(Enumerated { integer: true, items, unknown });
        }
        let held = integer(&ty.effective, wish.as_deref());
        let numbers = self.numbers(id, names, Words::upper_snake);
        // Names of numbers beyond 64 bits stand nowhere in tables.
        let known = |number: &Number| number.named.number.to_i128().is_some_and(|number| i64::try_from(number).is_ok());
        let (numbers, far): (Vec<_>, Vec<_>) = numbers.into_iter().partition(known);
        for number in far {
            self.note(
                number.named.span,
                format!(
                    "the name of the number {} is omitted, because the number exceeds 64 bits",
                    number.named.number
                ),
            );
        }
        if numbers.is_empty() { Body::Newtype(held) } else { Body::NamedNumbers(held, numbers) }
    }

    fn integer_wish(&mut self, id: ItemId) -> Option<String> {
        let item = self.items.get(id.0 as usize)?;
        let (module, name) = (item.module, item.name.clone());
        self.type_overlay(module, &name)?.1.integer.clone()
    }

    /// Creates unique names for named numbers.
    fn numbers(&mut self, id: ItemId, names: &[NamedNumber], case: fn(&Words) -> String) -> Vec<Number> {
        let mut scope = Scope::default();
        let rename = |this: &mut Self, name: &str| this.field_overlay(id, name).and_then(|field| field.rename.clone());
        let mut numbers = Vec::new();
        for named in names {
            let wanted = rename(self, &named.name).unwrap_or_else(|| case(&Words::of(&named.name)));
            numbers.push(Number { named: named.clone(), ident: scope.claim(&wanted) });
        }
        numbers
    }

    fn items_of(&mut self, id: ItemId, names: &[NamedNumber], extensible: bool) -> (Vec<Number>, Option<String>) {
        let items = self.numbers(id, names, Words::upper_camel);
        let mut scope = Scope::default();
        for item in &items {
            scope.claim(&item.ident);
        }
        (items, extensible.then(|| scope.claim("Unknown")))
    }

    /// Creates the representation of a type where it is used.
    pub(super) fn held(&mut self, id: TypeId, spot: &Spot) -> Held {
        if let Some(path) = self.foreign.get(&id) {
            return Held::plain(Repr::Foreign(path.clone()));
        }
        let Some(ty) = self.model.ty(id) else { return Held::plain(Repr::Builtin(Builtin::Any)) };
        if ty.name.is_some()
            && let Some(item) = self.by_type.get(&id)
        {
            return Held::plain(self.item_repr(*item));
        }
        let held = self.untagged(id, ty, spot);
        self.tagged(held, &ty.tags, spot, ty.span)
    }

    /// Returns the representation of an item where it is used. Signed items keep their bytes.
    fn item_repr(&self, id: ItemId) -> Repr {
        let verbatim = self.items.get(id.0 as usize).is_some_and(|item| item.marks.verbatim);
        if verbatim { Repr::Captured(Box::new(Repr::Item(id))) } else { Repr::Item(id) }
    }

    /// Applies tags, outermost first. One tag is applied where the type is used, and the others require items in between.
    fn tagged(&mut self, mut held: Held, tags: &[Tagging], spot: &Spot, span: tagwise_schema::Span) -> Held {
        for tag in tags.iter().rev() {
            let fixed =
                matches!(held.repr, Repr::Captured(_) | Repr::Raw(_)) && !tag.explicit && held.wrapper.is_none();
            if held.tag.is_some() || fixed {
                let repr = match held.repr {
                    Repr::Captured(inner) if fixed => *inner,
                    repr => repr,
                };
                let inner = Held { repr, ..held };
                if fixed && inner.is_plain() {
                    // The octets under another tag are those of another type, whose signature would be computed elsewhere.
                    held = inner;
                } else {
                    held = Held::plain(Repr::Item(self.wrapped(&spot.child("content"), span, inner)));
                }
            }
            held.tag = Some(*tag);
        }
        held
    }

    /// Returns the tags of the types that a reference leads to, outermost first.
    pub(super) fn tags_behind(&self, id: TypeId) -> Vec<Tagging> {
        let mut tags = Vec::new();
        let mut next = self.target(id);
        for _ in 0..self.model.types.len() {
            let Some(ty) = next.and_then(|id| self.model.ty(id)) else { break };
            tags.extend(&ty.tags);
            next = next.and_then(|id| self.target(id));
        }
        tags
    }

    fn target(&self, id: TypeId) -> Option<TypeId> {
        match self.model.ty(id)?.shape {
            Shape::Reference(target) | Shape::FixedField { ty: target, .. } => Some(target),
            _ => None,
        }
    }

    /// Creates the representation of a type without its own tags.
    fn untagged(&mut self, id: TypeId, ty: &Type, spot: &Spot) -> Held {
        match &ty.shape {
            Shape::Reference(target) | Shape::FixedField { ty: target, .. } => {
                let base = self.model.base(id).filter(|base| restricts(&ty.constraints) && is_leaf(&base.shape));
                let Some(base) = base.filter(|_| !self.is_foreign(*target)) else {
                    let mut held = self.held(*target, spot);
                    if !self.is_foreign(*target) {
                        let rules = self.rules(&self.model.stated(id), id);
                        held.rules.extend(rules);
                    }
                    return held;
                };
                if matches!(&base.shape, Shape::Integer(names) if !names.is_empty()) {
                    return self.item_of(id, ty, spot);
                }
                // The constraints of all types on the way hold at this place.
                let held = self.leaf(base, &ty.effective, id, spot);
                let tags = self.tags_behind(id);
                self.tagged(held, &tags, spot, ty.span)
            }
            Shape::Sequence(_) | Shape::Set(_) | Shape::Choice(_) | Shape::Enumerated(_) => self.item_of(id, ty, spot),
            Shape::Integer(names) | Shape::BitString(names) if !names.is_empty() => self.item_of(id, ty, spot),
            _ => self.leaf(ty, &ty.effective, id, spot),
        }
    }

    /// Returns whether the overlay replaces a type or one that it refers to.
    fn is_foreign(&self, id: TypeId) -> bool {
        let mut next = Some(id);
        for _ in 0..self.model.types.len() {
            let Some(id) = next else { break };
            if self.foreign.contains_key(&id) {
                return true;
            }
            next = self.target(id);
        }
        false
    }

    /// Returns the item for an anonymous type, which is created on first use.
    fn item_of(&mut self, id: TypeId, ty: &Type, spot: &Spot) -> Held {
        let item = match self.by_type.get(&id) {
            // A named type's own form, without its tags: only while the item itself is filled.
            Some(item) if ty.name.is_none() => *item,
            _ => {
                let item = self.anonymous(spot, Some(id), ty.span, Body::Pending);
                if ty.name.is_none() {
                    self.by_type.insert(id, item);
                }
                item
            }
        };
        Held::plain(self.item_repr(item))
    }

    /// Lowers a built-in type or a list, with its constraints. `on` is the constrained type.
    fn leaf(&mut self, base: &Type, constraints: &Constraints, on: TypeId, spot: &Spot) -> Held {
        let mut held = self.bare_leaf(base, constraints, spot);
        // What a fixed open type is has its own.
        if !matches!(base.shape, Shape::Open(_)) {
            let rules = self.rules(constraints, on);
            held.rules.extend(rules);
        }
        held
    }

    fn bare_leaf(&mut self, base: &Type, constraints: &Constraints, spot: &Spot) -> Held {
        let builtin = match &base.shape {
            Shape::Integer(_) => {
                let wish = self.integer_wish(spot.owner);
                return integer(constraints, wish.as_deref());
            }
            Shape::Boolean => Builtin::Boolean,
            Shape::Enumerated(_) => Builtin::Enumerated,
            Shape::Real => Builtin::Real,
            Shape::BitString(names) if !names.is_empty() => return Held::plain(Repr::Builtin(Builtin::NamedBits)),
            Shape::BitString(_) | Shape::OctetString => return self.octets(base, constraints, spot),
            Shape::Null => Builtin::Null,
            Shape::ObjectIdentifier => Builtin::ObjectIdentifier,
            Shape::RelativeOid => Builtin::RelativeOid,
            Shape::OidIri => Builtin::OidIri,
            Shape::RelativeOidIri => Builtin::RelativeOidIri,
            Shape::String(kind) => {
                let mut held = Held::plain(Repr::Builtin(Builtin::String(*kind)));
                held.size = sizes(constraints);
                held.alphabet = alphabet(constraints, *kind);
                return held;
            }
            Shape::Time(kind) => Builtin::Time(*kind),
            Shape::External | Shape::InstanceOf { .. } => Builtin::External,
            Shape::EmbeddedPdv => Builtin::EmbeddedPdv,
            Shape::CharacterString => Builtin::CharacterString,
            Shape::SequenceOf(item) | Shape::SetOf(item) => {
                let name = item.name.as_deref().unwrap_or("item");
                let element = Box::new(self.element(item.ty, &spot.child(name)));
                let list = matches!(base.shape, Shape::SequenceOf(_));
                let mut held = Held::plain(if list { Repr::SequenceOf(element) } else { Repr::SetOf(element) });
                held.size = sizes(constraints);
                return held;
            }
            Shape::Open(open) => match open.fixed {
                Some(fixed) => return self.held(fixed, spot),
                None => Builtin::Any,
            },
            _ => Builtin::Any,
        };
        Held::plain(Repr::Builtin(builtin))
    }

    /// Lowers an OCTET STRING or BIT STRING, or the type that it contains.
    fn octets(&mut self, base: &Type, constraints: &Constraints, spot: &Spot) -> Held {
        let (builtin, wrapper) = match base.shape {
            Shape::OctetString => (Builtin::OctetString, Wrapper::OctetString),
            _ => (Builtin::BitString, Wrapper::BitString),
        };
        let mut held = Held::plain(Repr::Builtin(builtin));
        held.size = sizes(constraints);
        let Some(contents) = &constraints.contents else { return held };
        let Some(inner) = contents.ty else { return held };
        if let Some(rules) = contents.encoded_by.as_deref().filter(|rules| !is_der(rules)) {
            let arcs: Vec<String> = rules.iter().map(ToString::to_string).collect();
            held.contents = Some((Box::new(self.element(inner, &spot.child("content"))), arcs.join(".")));
            return held;
        }
        if matches!(self.model.base(inner).map(|ty| &ty.shape), Some(Shape::Open(_))) {
            // What an open type holds need not be an encoding at all, if no object says so.
            return held;
        }
        let repr = self.element(inner, &spot.child("content"));
        Held { repr, wrapper: Some(wrapper), ..held }
    }

    /// Creates the representation of the content of a list or string: a single type, wrapped in an item if it needs
    /// attributes.
    pub(super) fn element(&mut self, id: TypeId, spot: &Spot) -> Repr {
        let held = self.held(id, spot);
        if held.is_plain() {
            return held.repr;
        }
        let span = self.model.ty(id).map(|ty| ty.span).unwrap_or_default();
        if let Some(item) = self.by_type.get(&id) {
            return Repr::Item(*item);
        }
        let item = self.wrapped(spot, span, held);
        self.by_type.insert(id, item);
        Repr::Item(item)
    }

    /// Creates the representation of a constant's type.
    pub(super) fn constant_repr(&self, id: TypeId) -> Repr {
        let mut next = Some(id);
        for _ in 0..self.model.types.len() {
            let Some(id) = next else { break };
            if let Some(path) = self.foreign.get(&id) {
                return Repr::Foreign(path.clone());
            }
            if let Some(item) = self.by_type.get(&id) {
                return Repr::Item(*item);
            }
            next = self.target(id);
        }
        let builtin = match self.model.base(id).map(|ty| &ty.shape) {
            Some(Shape::Boolean) => Builtin::Boolean,
            Some(Shape::Integer(_)) => Builtin::Integer,
            Some(Shape::Real) => Builtin::Real,
            Some(Shape::BitString(_)) => Builtin::BitString,
            Some(Shape::OctetString) => Builtin::OctetString,
            Some(Shape::Null) => Builtin::Null,
            Some(Shape::ObjectIdentifier) => Builtin::ObjectIdentifier,
            Some(Shape::RelativeOid) => Builtin::RelativeOid,
            Some(Shape::String(kind)) => Builtin::String(*kind),
            _ => Builtin::Any,
        };
        Repr::Builtin(builtin)
    }
}

/// Returns whether there are constraints that are checked where the type is used.
fn restricts(constraints: &Constraints) -> bool {
    constraints.value.is_some()
        || constraints.size.is_some()
        || constraints.alphabet.is_some()
        || constraints.contents.is_some()
        || constraints.values.is_some()
        || constraints.item.is_some()
        || !constraints.patterns.is_empty()
        || !constraints.settings.is_empty()
        || !constraints.user.is_empty()
        || !constraints.components.is_empty()
        || !constraints.further.is_empty()
}

/// Returns whether an item with such a body carries the constraints of all types from which it is derived.
fn has_leaf_form(body: &Body) -> bool {
    matches!(body, Body::NamedNumbers(..) | Body::NamedBits(_) | Body::Enumerated(_))
}

/// Returns whether a type is represented by a codec type rather than by an item.
fn is_leaf(shape: &Shape) -> bool {
    match shape {
        Shape::BitString(names) => names.is_empty(),
        Shape::Boolean
        | Shape::Integer(_)
        | Shape::Real
        | Shape::OctetString
        | Shape::Null
        | Shape::ObjectIdentifier
        | Shape::RelativeOid
        | Shape::OidIri
        | Shape::RelativeOidIri
        | Shape::String(_)
        | Shape::Time(_)
        | Shape::SequenceOf(_)
        | Shape::SetOf(_) => true,
        _ => false,
    }
}

/// Returns whether an object identifier denotes DER (X.690 §12).
fn is_der(oid: &[Int]) -> bool {
    oid.iter().map(Int::to_i128).eq([2, 1, 2, 1].map(Some))
}

/// Returns the integer type for the values that constraints allow: the smallest native one, or one of any size if the
/// constraints are extensible or unbounded.
fn integer(constraints: &Constraints, wish: Option<&str>) -> Held {
    let bounds = constraints.value.as_ref().filter(|bounds| !bounds.ranges.is_empty());
    let ends = bounds
        .filter(|bounds| !bounds.extensible)
        .and_then(|bounds| Some((bounds.min()?.to_i128()?, bounds.max()?.to_i128()?)));
    let native = match wish {
        Some("any") => None,
        Some(wish) => Native::named(wish),
        None => ends.and_then(|(min, max)| Native::smallest(min, max)),
    };
    let Some(native) = native else {
        let mut held = Held::plain(Repr::Builtin(Builtin::Integer));
        // Ends beyond 128 bits are rules.
        let said = |bounds: &&Bounds| *bounds.ranges != [whole()] && !bounds.ranges.iter().any(is_large);
        held.range = bounds.filter(said).cloned();
        return held;
    };
    let mut held = Held::plain(Repr::Builtin(Builtin::Native(native)));
    let exact = ends == Some(native.range()) && bounds.is_some_and(|bounds| bounds.ranges.len() == 1);
    held.range = bounds.filter(|_| !exact).cloned();
    held
}

fn whole() -> tagwise_schema::model::IntRange {
    tagwise_schema::model::IntRange { min: None, max: None }
}

/// Returns the SIZE constraint, if it restricts anything.
fn sizes(constraints: &Constraints) -> Option<Bounds> {
    let bounds = constraints.size.as_ref().filter(|bounds| !bounds.ranges.is_empty())?;
    let free = |range: &tagwise_schema::model::IntRange| {
        range.max.is_none() && range.min.as_ref().is_none_or(|min| min.is_zero() || min.is_negative())
    };
    (!bounds.ranges.iter().any(free)).then(|| bounds.clone())
}

/// Returns the FROM constraint, if it restricts anything and can be checked by character.
fn alphabet(constraints: &Constraints, kind: StringKind) -> Option<Alphabet> {
    let known = is_checked(kind);
    constraints.alphabet.clone().filter(|alphabet| known && !alphabet.extensible && !alphabet.ranges.is_empty())
}
