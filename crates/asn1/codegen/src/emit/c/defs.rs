//! The C types of a schema: one struct per structured type, ordered so that each follows its members' types.

use std::collections::HashSet;

use tagwise_codec::table::{Constraint, Field, Presence, Shape, Type};
use tagwise_codec::value::Types;

use super::text::{comment, ident};
use crate::lower::heads::{Heads, Part, address, renamed};
use crate::lower::named::Named;
use crate::lower::names::{Names, plain};

/// The C representation of an ASN.1 type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ref {
    Boolean,
    /// An integer type: its number of bits, and whether it is signed.
    Integer(u8, bool),
    /// The content of a value without components.
    Content,
    Bits,
    Null,
    /// A complete encoding.
    Element,
    /// A struct, by its index.
    Struct(usize),
    /// The type contained in a string.
    Containing(Box<Ref>),
}

impl Ref {
    /// Returns the index of the struct, if this type is one.
    pub(super) fn structure(&self) -> Option<usize> {
        match self {
            Self::Struct(number) => Some(*number),
            Self::Containing(inner) => inner.structure(),
            _ => None,
        }
    }
}

/// The definition of a C struct.
#[derive(Debug)]
pub(super) struct Def {
    pub(super) name: String,
    pub(super) kind: DefKind,
    pub(super) members: Vec<Member>,
    /// True if there is a member for unknown additions or alternatives.
    pub(super) unknown: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum DefKind {
    Components,
    List(Ref),
    Choice,
    Open,
}

#[derive(Debug)]
pub(super) struct Member {
    /// The C name.
    pub(super) name: String,
    /// The ASN.1 name, if the type has named numbers.
    pub(super) asn1: String,
    pub(super) ty: Ref,
    pub(super) pointer: bool,
    /// The name of the flag that records the member's presence.
    pub(super) flag: Option<String>,
    /// Named numbers of an anonymous type.
    pub(super) numbers: Vec<(String, i64)>,
    /// A note on the member's presence.
    pub(super) about: String,
}

/// All structs of a schema.
pub(super) struct Defs<'s> {
    types: Types<'s>,
    pub(super) heads: Heads<'s>,
    pub(super) list: Vec<Def>,
    /// Indices of all structs, each after those that it contains.
    pub(super) places: Vec<usize>,
    /// Named types. Their named numbers are defined with the types themselves.
    named: HashSet<usize>,
}

impl<'s> Defs<'s> {
    /// Creates structs for the named types, and for all types that they refer to.
    pub(super) fn new(types: Types<'s>, named: &[Named<'s>]) -> (Self, Vec<Ref>) {
        let heads = Heads::new(types, named, Names::default(), has_parts);
        let addresses = named.iter().map(|one| address(one.ty)).collect();
        let mut defs = Self { types, heads, list: Vec::new(), places: Vec::new(), named: addresses };
        let mut found: Vec<Ref> = Vec::with_capacity(named.len());
        for one in named {
            found.push(defs.reference(one.ty, None, &one.own));
        }
        while let Some((ty, name, owner)) = defs.heads.next(named) {
            let def = defs.definition(ty, name, owner);
            defs.list.push(def);
        }
        defs.order();
        (defs, found)
    }

    /// Returns the C type of an ASN.1 type. `name` is used for a struct that has no name of its own.
    fn reference(&mut self, ty: &'s Type, field: Option<&'s Field>, name: &str) -> Ref {
        let types = self.types;
        let base = types.base(ty);
        if let Some(inner) = self.heads.contained(ty, field) {
            // What a contained type contains again is a type of the schema, and so of limited depth.
            return Ref::Containing(Box::new(self.reference(inner, None, name)));
        }
        match &base.shape {
            Shape::Boolean => Ref::Boolean,
            Shape::Null => Ref::Null,
            Shape::BitString(_) => Ref::Bits,
            Shape::Enumerated { items, extensible } => {
                let small = !extensible && items.iter().all(|item| i32::try_from(item.number).is_ok());
                Ref::Integer(if small { 32 } else { 64 }, true)
            }
            Shape::Integer(_) => self.integer(ty, field),
            Shape::Open { .. } if !self.has_objects(base) => Ref::Element,
            _ if has_parts(base) => Ref::Struct(self.heads.number(base, name)),
            _ => Ref::Content,
        }
    }

    /// Returns whether the set of an open type has objects.
    fn has_objects(&self, open: &Type) -> bool {
        let Shape::Open { set: Some(set), .. } = &open.shape else { return false };
        set.get(self.types.schema()).is_some_and(|set| !set.objects.is_empty())
    }

    /// Returns the smallest integer type for all values, or content bytes if no integer type is large enough.
    fn integer(&self, ty: &'s Type, field: Option<&'s Field>) -> Ref {
        let (mut least, mut most) = (i128::MIN, i128::MAX);
        let mut narrow = |constraints: &[Constraint]| {
            for constraint in constraints {
                if let Constraint::Value { ranges, extensible: false } = constraint {
                    least = least.max(ranges.first().and_then(|range| range.min).unwrap_or(i128::MIN));
                    most = most.min(ranges.last().and_then(|range| range.max).unwrap_or(i128::MAX));
                }
            }
        };
        narrow(field.map_or(&[], |field| &*field.constraints));
        let mut next = Some(ty);
        // As many names and tags as a schema has types, at most.
        while let Some(ty) = next {
            narrow(&ty.constraints);
            next = match &ty.shape {
                Shape::Named(inner) | Shape::Tagged { inner, .. } => self.types.get(inner),
                _ => None,
            };
        }
        let sizes = [8_u8, 16, 32, 64];
        let unsigned = sizes.into_iter().find(|bits| least >= 0 && most < 1 << *bits);
        let signed = sizes.into_iter().find(|bits| least >= -(1 << (*bits - 1)) && most < 1 << (*bits - 1));
        match (unsigned, signed) {
            (Some(bits), _) => Ref::Integer(bits, false),
            (None, Some(bits)) => Ref::Integer(bits, true),
            (None, None) => Ref::Content,
        }
    }

    /// Creates the struct of a type.
    fn definition(&mut self, base: &'s Type, name: String, owner: Option<&Named<'s>>) -> Def {
        let mut own = Names::default();
        let (mut members, mut unknown, mut kind) = (Vec::new(), false, DefKind::Components);
        match &base.shape {
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => {
                let parts = self.heads.components(fields, &name, owner);
                for part in &parts {
                    own.unique(ident(part.name));
                }
                let mut again = Names::default();
                for part in &parts {
                    let mut member = self.member(part);
                    member.name = again.unique(member.name);
                    member.about = match part.field.presence {
                        Presence::Default(_) => "DEFAULT",
                        Presence::Optional => "OPTIONAL",
                        Presence::Required if part.added => "an extension addition",
                        Presence::Required => "",
                    }
                    .to_owned()
                        + &member.about;
                    member.pointer = part.is_optional() && member.ty.structure().is_some();
                    if part.is_optional() && !member.pointer {
                        member.flag = Some(own.unique(format!("has_{}", plain(part.name))));
                    }
                    members.push(member);
                }
                unknown = fields.marker.is_some();
            }
            Shape::Choice { alternatives, .. } => {
                (kind, unknown) = (DefKind::Choice, true);
                for part in &self.heads.alternatives(alternatives, &name, owner) {
                    let mut member = self.member(part);
                    member.name = own.unique(member.name);
                    member.pointer = member.ty.structure().is_some();
                    members.push(member);
                }
            }
            Shape::Open { set, .. } => {
                (kind, unknown) = (DefKind::Open, true);
                let mut met = HashSet::new();
                let set = set.as_ref().and_then(|set| set.get(self.types.schema()));
                for object in set.into_iter().flat_map(|set| set.objects.iter()) {
                    let Some(ty) = self.types.get(&object.ty).filter(|ty| met.insert(address(ty))) else { continue };
                    let part = if object.name.is_empty() { plain(&ty.name) } else { plain(&object.name) };
                    let reference = self.reference(ty, None, &format!("{name}_{part}"));
                    let pointer = reference.structure().is_some();
                    let name = own.unique(ident(&part));
                    let (flag, numbers, about) = (None, Vec::new(), String::new());
                    members.push(Member { name, asn1: String::new(), ty: reference, pointer, flag, numbers, about });
                }
            }
            Shape::SequenceOf(item) | Shape::SetOf(item) => {
                kind = DefKind::List(match self.types.get(item) {
                    Some(item) => self.reference(item, None, &format!("{name}_item")),
                    None => Ref::Element,
                });
            }
            _ => {}
        }
        Def { name, kind, members, unknown }
    }

    fn member(&mut self, part: &Part<'_, 's>) -> Member {
        let ty = part.ty.map_or(Ref::Element, |ty| self.reference(ty, Some(part.field), &part.path));
        let anonymous = part.ty.filter(|ty| !self.named.contains(&address(ty)));
        let doc = part.doc.map(|doc| format!(" {}", comment(&doc.lines().collect::<Vec<_>>().join(" "))));
        let numbers = anonymous.map(|ty| numbers(ty, None)).unwrap_or_default();
        Member {
            name: ident(part.name),
            asn1: if numbers.is_empty() { String::new() } else { part.field.name.to_string() },
            ty,
            pointer: false,
            flag: None,
            numbers,
            about: doc.unwrap_or_default(),
        }
    }

    /// Orders structs so that each one follows those that it contains. A struct that would contain itself gets a pointer there.
    fn order(&mut self) {
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum State {
            New,
            Begun,
            Done,
        }
        let mut states = vec![State::New; self.list.len()];
        let mut order = Vec::with_capacity(self.list.len());
        for first in 0..self.list.len() {
            // Each with the member that is looked at next.
            let mut path = vec![(first, 0)];
            if states.get(first) != Some(&State::New) {
                continue;
            }
            if let Some(state) = states.get_mut(first) {
                *state = State::Begun;
            }
            while let Some((number, at)) = path.last_mut() {
                let (number, current) = (*number, *at);
                *at += 1;
                let member = self.list.get_mut(number).and_then(|def| def.members.get_mut(current));
                let Some(member) = member else {
                    path.pop();
                    order.push(number);
                    if let Some(state) = states.get_mut(number) {
                        *state = State::Done;
                    }
                    continue;
                };
                let Some(inner) = member.ty.structure().filter(|_| !member.pointer) else { continue };
                match states.get(inner) {
                    Some(State::New) => {
                        path.push((inner, 0));
                        if let Some(state) = states.get_mut(inner) {
                            *state = State::Begun;
                        }
                    }
                    Some(State::Begun) => member.pointer = true,
                    _ => {}
                }
            }
        }
        self.places = order;
    }
}

/// Returns a type's own named numbers, with their names from the overlay.
pub(super) fn numbers(ty: &Type, owner: Option<&Named<'_>>) -> Vec<(String, i64)> {
    let list = match &ty.shape {
        Shape::Integer(list) | Shape::BitString(list) => list,
        Shape::Enumerated { items, .. } => items,
        _ => return Vec::new(),
    };
    let named = list.iter().filter(|item| !item.name.is_empty());
    named.map(|item| (renamed(owner, &item.name).to_owned(), item.number)).collect()
}

fn has_parts(ty: &Type) -> bool {
    matches!(
        ty.shape,
        Shape::Sequence(_)
            | Shape::Set(_)
            | Shape::Presentation(_)
            | Shape::SequenceOf(_)
            | Shape::SetOf(_)
            | Shape::Choice { .. }
            | Shape::Open { .. }
    )
}
