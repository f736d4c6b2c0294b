//! The Python types of a schema: a class for each SEQUENCE and SET, an alias for each CHOICE, and an enumeration for
//! each ENUMERATED.

use std::collections::HashSet;

use tagwise_codec::table::{Field, NamedNumber, Shape, StringKind, TimeKind, Type};
use tagwise_codec::value::Types;

use super::defaults::{self, Literal};
use super::reference::Ref;
use super::text::ident;
use crate::lower::heads::{Heads, Part, renamed};
use crate::lower::named::Named;
use crate::lower::names::Names;

/// A Python class, alias or enumeration.
#[derive(Debug)]
pub(super) struct Def {
    pub(super) name: String,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    /// A class with these attributes. The flag is true if the class keeps extension additions.
    Class(Vec<Member>, bool),
    /// A union of these alternatives. The flag is true if unknown alternatives may occur.
    Choice(Vec<Member>, bool),
    /// An enumeration with these names and numbers. The flag is true if unknown numbers may occur.
    Enumeration(Vec<(String, i64)>, bool),
}

/// An attribute or an alternative.
#[derive(Debug)]
pub(super) struct Member {
    /// The Python name.
    pub(super) name: String,
    /// The ASN.1 name.
    pub(super) asn1: String,
    pub(super) ty: Ref,
    /// The DEFAULT value, if the component has one that is neither a structure nor a choice.
    pub(super) default: Option<Literal>,
    /// True if the attribute may be `None`.
    pub(super) optional: bool,
    /// The overlay's documentation, line by line.
    pub(super) doc: Vec<String>,
}

/// All definitions of a schema.
pub(super) struct Defs<'s> {
    types: Types<'s>,
    pub(super) heads: Heads<'s>,
    pub(super) list: Vec<Def>,
}

impl<'s> Defs<'s> {
    /// Creates the definitions of the named types and of all types that they refer to. Also returns references to the
    /// named types.
    pub(super) fn new(types: Types<'s>, named: &[Named<'s>]) -> (Self, Vec<Ref>) {
        let heads = Heads::new(types, named, Names::taken(super::TAKEN), has_definition);
        let mut defs = Self { types, heads, list: Vec::new() };
        let found = named.iter().map(|one| defs.reference(one.ty, None, &one.own)).collect();
        while let Some((ty, name, owner)) = defs.heads.next(named) {
            let body = defs.body(&name, ty, owner);
            defs.list.push(Def { name, body });
        }
        (defs, found)
    }

    /// Returns the Python type of an ASN.1 type. `name` is used for a type that has no name of its own.
    fn reference(&mut self, ty: &'s Type, field: Option<&'s Field>, name: &str) -> Ref {
        let types = self.types;
        let mut ty = ty;
        let mut field = field;
        // What a string contains, in which a string may be: as many as the schema has types, at most.
        for _ in 0..64 {
            match self.heads.contained(ty, field.take()) {
                Some(inner) => ty = inner,
                None => break,
            }
        }
        let mut lists = 0_usize;
        let mut base = types.base(ty);
        // Lists of lists stand in each other in the text of the schema, whose depth is limited.
        while let Shape::SequenceOf(item) | Shape::SetOf(item) = &base.shape {
            let Some(item) = types.get(item) else { break };
            if lists == 64 {
                break;
            }
            lists += 1;
            base = types.base(item);
        }
        let item = match &base.shape {
            Shape::Boolean => Ref::Own("bool"),
            Shape::Null => Ref::Own("None"),
            Shape::Integer(_) => Ref::Own("int"),
            Shape::Real => Ref::Own("float | Decimal | tuple[int, int, int] | bytes"),
            Shape::ObjectIdentifier | Shape::RelativeOid | Shape::OidIri | Shape::RelativeOidIri => Ref::Own("str"),
            Shape::BitString(_) => Ref::Own("tuple[bytes, int]"),
            Shape::OctetString => Ref::Own("bytes"),
            Shape::String(StringKind::Teletex | StringKind::Videotex | StringKind::Graphic | StringKind::General) => {
                Ref::Own("str | bytes")
            }
            Shape::String(_) => Ref::Own("str"),
            Shape::Time(kind) => Ref::Own(match kind {
                TimeKind::Utc => "datetime.datetime",
                TimeKind::Generalized => "datetime.datetime | int | Decimal | str",
                TimeKind::Date => "datetime.date",
                TimeKind::TimeOfDay => "datetime.time | str",
                TimeKind::DateTime => "datetime.datetime | str",
                TimeKind::Duration | TimeKind::Time => "str",
            }),
            _ if has_definition(base) => {
                let name = if lists == 0 { name.to_owned() } else { format!("{name}_item") };
                Ref::Def(self.heads.number(base, &name))
            }
            _ => Ref::Own("Any"),
        };
        (0..lists).fold(item, |inner, _| Ref::List(Box::new(inner)))
    }

    fn body(&mut self, name: &str, base: &'s Type, owner: Option<&Named<'s>>) -> Body {
        match &base.shape {
            Shape::Enumerated { items, extensible } => Body::Enumeration(numbers(items, owner), *extensible),
            Shape::Choice { alternatives, extensible } => {
                // Alternatives have their own names, which are data.
                let parts = self.heads.alternatives(alternatives, name, None);
                Body::Choice(parts.iter().map(|part| self.member(part)).collect(), *extensible)
            }
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => {
                let mut own = Names::taken(&[
                    "Any",
                    "Decimal",
                    "additions",
                    "bool",
                    "bytes",
                    "datetime",
                    "decode",
                    "encode",
                    "float",
                    "from_value",
                    "int",
                    "list",
                    "str",
                    "to_value",
                    "tuple",
                ]);
                let mut members = Vec::new();
                for part in &self.heads.components(fields, name, owner) {
                    let mut member = self.member(part);
                    member.name = own.unique(member.name);
                    if part.is_optional() {
                        member.default = defaults::of_field(self.types, part.field, &member.ty);
                        member.optional = member.default.is_none();
                    }
                    members.push(member);
                }
                Body::Class(members, fields.marker.is_some())
            }
            _ => Body::Class(Vec::new(), false),
        }
    }

    fn member(&mut self, part: &Part<'_, 's>) -> Member {
        let ty = part.ty.map_or(Ref::Own("Any"), |ty| self.reference(ty, Some(part.field), &part.path));
        Member {
            name: ident(part.name),
            asn1: part.field.name.to_string(),
            ty,
            default: None,
            optional: false,
            doc: part.doc.into_iter().flat_map(str::lines).map(str::to_owned).collect(),
        }
    }
}

fn numbers(items: &[NamedNumber], owner: Option<&Named<'_>>) -> Vec<(String, i64)> {
    let mut own = Names::taken(&["name", "value", "mro"]);
    let mut met = HashSet::new();
    let items = items.iter().filter(|item| !item.name.is_empty() && met.insert(item.number));
    items.map(|item| (own.unique(ident(renamed(owner, &item.name))), item.number)).collect()
}

fn has_definition(ty: &Type) -> bool {
    matches!(
        ty.shape,
        Shape::Sequence(_) | Shape::Set(_) | Shape::Presentation(_) | Shape::Choice { .. } | Shape::Enumerated { .. }
    )
}
