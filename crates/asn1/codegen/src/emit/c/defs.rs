//! The C types of a schema: one struct per structured type, ordered so that each follows its members' types.

use std::collections::{HashMap, HashSet, VecDeque};

use tagwise_codec::table::{Constraint, Field, Presence, Shape, Type};
use tagwise_codec::value::Types;

use super::text::{comment, ident};
use crate::emit::named::Named;
use crate::emit::names::{Names, plain};

/// A C type.
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
    /// Returns the index of the struct, if it is one.
    pub(super) fn structure(&self) -> Option<usize> {
        match self {
            Self::Struct(number) => Some(*number),
            Self::Containing(inner) => inner.structure(),
            _ => None,
        }
    }
}

/// A struct.
#[derive(Debug)]
pub(super) struct Def {
    pub(super) name: String,
    pub(super) kind: DefKind,
    pub(super) members: Vec<Member>,
    /// Set if there is a member for unknown additions or alternatives.
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
    /// The ASN.1 name.
    pub(super) asn1: String,
    pub(super) ty: Ref,
    pub(super) pointer: bool,
    /// The name of the flag that records its presence.
    pub(super) flag: Option<String>,
    /// Named numbers of an anonymous type.
    pub(super) numbers: Vec<(String, i64)>,
    /// A note on its presence.
    pub(super) about: String,
}

/// All structs of a schema.
pub(super) struct Defs<'s> {
    types: Types<'s>,
    pub(super) list: Vec<Def>,
    /// Indices of all structs, each after those that it contains.
    pub(super) places: Vec<usize>,
    /// Numbers of structs, by the address of the type with the shape.
    numbers: HashMap<usize, usize>,
    /// Types that have names, whose named numbers stand by these.
    named: HashSet<usize>,
    /// The named types that the structs belong to, by the structs' indices.
    pub(super) owners: HashMap<usize, usize>,
    /// Types whose members are still to be found.
    open: VecDeque<(usize, &'s Type)>,
    pub(super) globals: Names,
}

fn address(ty: &Type) -> usize {
    std::ptr::from_ref(ty).addr()
}

impl<'s> Defs<'s> {
    /// Creates structs for the named types, and for all types that they refer to.
    pub(super) fn new(types: Types<'s>, named: &[Named<'s>]) -> (Self, Vec<Ref>) {
        let mut defs = Self {
            types,
            list: Vec::new(),
            places: Vec::new(),
            numbers: HashMap::new(),
            named: named.iter().map(|one| address(one.ty)).collect(),
            owners: HashMap::new(),
            open: VecDeque::new(),
            globals: Names::default(),
        };
        // A name is that of the shape if no other name lies between.
        for (index, one) in named.iter().enumerate() {
            let mut base = one.ty;
            while let Shape::Tagged { inner, .. } = &base.shape
                && let Some(inner) = types.get(inner)
            {
                base = inner;
            }
            if has_parts(base) {
                let number = defs.structure(base, one.own.clone());
                defs.owners.entry(number).or_insert(index);
            }
        }
        let mut found: Vec<Ref> = Vec::with_capacity(named.len());
        for one in named {
            found.push(defs.reference(one.ty, None, &one.own));
        }
        while let Some((number, ty)) = defs.open.pop_front() {
            let owner = defs.owners.get(&number).and_then(|index| named.get(*index));
            defs.fill(number, ty, owner);
        }
        defs.order();
        (defs, found)
    }

    /// The number of the struct of a type with parts.
    fn structure(&mut self, base: &'s Type, name: String) -> usize {
        if let Some(number) = self.numbers.get(&address(base)) {
            return *number;
        }
        let number = self.list.len();
        self.numbers.insert(address(base), number);
        let kind = match &base.shape {
            Shape::SequenceOf(_) | Shape::SetOf(_) => DefKind::List(Ref::Element),
            Shape::Choice { .. } => DefKind::Choice,
            Shape::Open { .. } => DefKind::Open,
            _ => DefKind::Components,
        };
        let name = self.globals.unique(name);
        self.list.push(Def { name, kind, members: Vec::new(), unknown: false });
        self.open.push_back((number, base));
        number
    }

    /// The C type of a type; `name` is for a struct that has none.
    fn reference(&mut self, ty: &'s Type, field: Option<&'s Field>, name: &str) -> Ref {
        let types = self.types;
        let base = types.base(ty);
        if matches!(base.shape, Shape::OctetString | Shape::BitString(_)) {
            let contained = field.map_or_else(|| types.contained(ty), |field| types.contained_in(field));
            if let Some(inner) = contained {
                // What a contained type contains again is a type of the schema, and so of limited depth.
                return Ref::Containing(Box::new(self.reference(inner, None, name)));
            }
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
            _ if has_parts(base) => Ref::Struct(self.structure(base, name.to_owned())),
            _ => Ref::Content,
        }
    }

    /// Returns whether the set of an open type has objects.
    fn has_objects(&self, open: &Type) -> bool {
        let Shape::Open { set: Some(set), .. } = &open.shape else { return false };
        set.get(self.types.schema()).is_some_and(|set| !set.objects.is_empty())
    }

    /// The smallest integer type for all values; content if there is none.
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

    /// Finds the members of a struct.
    fn fill(&mut self, number: usize, base: &'s Type, owner: Option<&Named<'s>>) {
        let name = self.list.get(number).map(|def| def.name.clone()).unwrap_or_default();
        let mut own = Names::default();
        let (mut members, mut unknown, mut kind) = (Vec::new(), false, None);
        match &base.shape {
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => {
                for field in fields.list.iter() {
                    own.unique(ident(renamed(owner, &field.name)));
                }
                let mut again = Names::default();
                for (index, field) in fields.list.iter().enumerate() {
                    let added = fields
                        .marker
                        .is_some_and(|marker| (marker.start as usize..marker.end as usize).contains(&index));
                    let mut member = self.member(field, &name, owner);
                    member.name = again.unique(member.name);
                    let optional = added || !matches!(field.presence, Presence::Required);
                    member.about = match field.presence {
                        Presence::Default(_) => "DEFAULT",
                        Presence::Optional => "OPTIONAL",
                        Presence::Required if added => "an extension addition",
                        Presence::Required => "",
                    }
                    .to_owned()
                        + &member.about;
                    member.pointer = optional && member.ty.structure().is_some();
                    if optional && !member.pointer {
                        member.flag = Some(own.unique(format!("has_{}", plain(renamed(owner, &field.name)))));
                    }
                    members.push(member);
                }
                unknown = fields.marker.is_some();
            }
            Shape::Choice { alternatives, extensible } => {
                for field in alternatives.iter() {
                    let mut member = self.member(field, &name, owner);
                    member.name = own.unique(member.name);
                    member.pointer = member.ty.structure().is_some();
                    members.push(member);
                }
                unknown = *extensible;
            }
            Shape::Open { set: Some(set), .. } => {
                let mut met = HashSet::new();
                let objects = set.get(self.types.schema()).map(|set| &*set.objects);
                for object in objects.into_iter().flatten() {
                    let Some(ty) = self.types.get(&object.ty).filter(|ty| met.insert(address(ty))) else { continue };
                    let part = if object.name.is_empty() { plain(&ty.name) } else { plain(&object.name) };
                    let reference = self.reference(ty, None, &format!("{name}_{part}"));
                    let pointer = reference.structure().is_some();
                    let name = own.unique(ident(&part));
                    let (flag, numbers, about) = (None, Vec::new(), String::new());
                    members.push(Member { name, asn1: String::new(), ty: reference, pointer, flag, numbers, about });
                }
                unknown = true;
            }
            Shape::SequenceOf(item) | Shape::SetOf(item) => {
                let item = match self.types.get(item) {
                    Some(item) => self.reference(item, None, &format!("{name}_item")),
                    None => Ref::Element,
                };
                kind = Some(DefKind::List(item));
            }
            _ => {}
        }
        if let Some(def) = self.list.get_mut(number) {
            def.members = members;
            def.unknown = unknown || matches!(def.kind, DefKind::Choice | DefKind::Open);
            def.kind = kind.unwrap_or(std::mem::replace(&mut def.kind, DefKind::Components));
        }
    }

    fn member(&mut self, field: &'s Field, of: &str, owner: Option<&Named<'s>>) -> Member {
        let part = format!("{of}_{}", plain(&field.name));
        let ty = self.types.get(&field.ty);
        let reference = ty.map_or(Ref::Element, |ty| self.reference(ty, Some(field), &part));
        let numbers =
            ty.filter(|ty| !self.named.contains(&address(ty))).map(|ty| numbers(ty, None)).unwrap_or_default();
        Member {
            name: ident(renamed(owner, &field.name)),
            asn1: field.name.to_string(),
            ty: reference,
            pointer: false,
            flag: None,
            numbers,
            about: documented(owner, &field.name),
        }
    }

    /// Puts structs behind those that they hold. One that would hold itself has a pointer in that place.
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

/// The name that the overlay gives a component, or its own.
fn renamed<'n>(owner: Option<&Named<'n>>, name: &'n str) -> &'n str {
    owner.and_then(|owner| owner.field(name)).and_then(|field| field.rename.as_deref()).unwrap_or(name)
}

/// The overlay's documentation of a component, in a line behind a member.
fn documented(owner: Option<&Named<'_>>, name: &str) -> String {
    let doc = owner.and_then(|owner| owner.field(name)).and_then(|field| field.doc.as_deref());
    doc.map(|doc| format!(" {}", comment(&doc.lines().collect::<Vec<_>>().join(" ")))).unwrap_or_default()
}

/// Returns a type's own named numbers, under their names in the overlay.
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
