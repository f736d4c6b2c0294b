//! The Python types of a schema: a class for each SEQUENCE and SET, an alias for each CHOICE, and an enumeration for
//! each ENUMERATED.

use std::collections::{HashMap, HashSet, VecDeque};

use tagwise_codec::table::{Field, NamedNumber, Presence, Shape, StringKind, TimeKind, Type};
use tagwise_codec::value::Types;
use tagwise_codec::{Int, Utf8};

use super::text::{ident, quoted};
use crate::emit::named::Named;
use crate::emit::names::{Names, plain};

/// A Python type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ref {
    /// A built-in Python type.
    Own(&'static str),
    /// A class, alias or enumeration of the module, by its index.
    Def(usize),
    List(Box<Ref>),
}

/// A named definition.
#[derive(Debug)]
pub(super) struct Def {
    pub(super) name: String,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    /// A class with these attributes. The flag is set if the class keeps extension additions.
    Class(Vec<Member>, bool),
    /// A union of these alternatives. The flag is set if unknown alternatives may occur.
    Choice(Vec<Member>, bool),
    /// An enumeration with these names and numbers. The flag is set if unknown numbers may occur.
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
    /// The default value. `None` if a value is required.
    pub(super) default: Option<String>,
    /// Set if the attribute may be `None`.
    pub(super) optional: bool,
    /// The overlay's documentation, line by line.
    pub(super) doc: Vec<String>,
}

/// All definitions of a schema.
pub(super) struct Defs<'s> {
    types: Types<'s>,
    pub(super) list: Vec<Def>,
    /// Numbers, by the address of the type with the shape.
    numbers: HashMap<usize, usize>,
    /// The named types that the definitions belong to, by the definitions' indices.
    pub(super) owners: HashMap<usize, usize>,
    open: VecDeque<(usize, &'s Type)>,
    pub(super) globals: Names,
}

fn address(ty: &Type) -> usize {
    std::ptr::from_ref(ty).addr()
}

impl<'s> Defs<'s> {
    /// Creates the definitions of the named types and of all types that they refer to. Also returns references to the
    /// named types.
    pub(super) fn new(types: Types<'s>, named: &[Named<'s>]) -> (Self, Vec<Ref>) {
        let globals = Names::taken(super::TAKEN);
        let mut defs = Self {
            types,
            list: Vec::new(),
            numbers: HashMap::new(),
            owners: HashMap::new(),
            open: VecDeque::new(),
            globals,
        };
        for (index, one) in named.iter().enumerate() {
            let mut base = one.ty;
            while let Shape::Tagged { inner, .. } = &base.shape
                && let Some(inner) = types.get(inner)
            {
                base = inner;
            }
            if has_definition(base) {
                let number = defs.definition(base, one.own.clone());
                defs.owners.entry(number).or_insert(index);
            }
        }
        let found = named.iter().map(|one| defs.reference(one.ty, None, &one.own)).collect();
        while let Some((number, ty)) = defs.open.pop_front() {
            let owner = defs.owners.get(&number).and_then(|index| named.get(*index));
            let body = defs.body(number, ty, owner);
            if let Some(def) = defs.list.get_mut(number) {
                def.body = body;
            }
        }
        (defs, found)
    }

    fn definition(&mut self, base: &'s Type, name: String) -> usize {
        if let Some(number) = self.numbers.get(&address(base)) {
            return *number;
        }
        let number = self.list.len();
        self.numbers.insert(address(base), number);
        let name = self.globals.unique(name);
        self.list.push(Def { name, body: Body::Class(Vec::new(), false) });
        self.open.push_back((number, base));
        number
    }

    /// The Python type of a type; `name` is for what has none.
    fn reference(&mut self, ty: &'s Type, field: Option<&'s Field>, name: &str) -> Ref {
        let types = self.types;
        let mut ty = ty;
        let mut field = field;
        // What a string contains, in which a string may be: as many as the schema has types, at most.
        for _ in 0..64 {
            let base = types.base(ty);
            if !matches!(base.shape, Shape::OctetString | Shape::BitString(_)) {
                break;
            }
            match field.take().map_or_else(|| types.contained(ty), |field| types.contained_in(field)) {
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
                TimeKind::Utc => "int",
                TimeKind::Generalized => "int | Decimal | str",
                TimeKind::Date => "datetime.date",
                TimeKind::TimeOfDay => "datetime.time | str",
                TimeKind::DateTime => "datetime.datetime | str",
                TimeKind::Duration | TimeKind::Time => "str",
            }),
            _ if has_definition(base) => {
                let name = if lists == 0 { name.to_owned() } else { format!("{name}_item") };
                Ref::Def(self.definition(base, name))
            }
            _ => Ref::Own("Any"),
        };
        (0..lists).fold(item, |inner, _| Ref::List(Box::new(inner)))
    }

    fn body(&mut self, number: usize, base: &'s Type, owner: Option<&Named<'s>>) -> Body {
        let name = self.list.get(number).map(|def| def.name.clone()).unwrap_or_default();
        match &base.shape {
            Shape::Enumerated { items, extensible } => Body::Enumeration(numbers(items, owner), *extensible),
            Shape::Choice { alternatives, extensible } => {
                let members = alternatives.iter().map(|field| self.member(field, &name)).collect();
                Body::Choice(members, *extensible)
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
                for (index, field) in fields.list.iter().enumerate() {
                    let mut member = self.member(field, &name);
                    if let Some(overlay) = owner.and_then(|owner| owner.field(&field.name)) {
                        member.name = overlay.rename.as_deref().map_or(member.name, ident);
                        member.doc = overlay.doc.iter().flat_map(|doc| doc.lines()).map(str::to_owned).collect();
                    }
                    member.name = own.unique(member.name);
                    let added = fields
                        .marker
                        .is_some_and(|marker| (marker.start as usize..marker.end as usize).contains(&index));
                    if added || !matches!(field.presence, Presence::Required) {
                        member.default = self.default(field);
                        member.optional = member.default.is_none();
                    }
                    members.push(member);
                }
                Body::Class(members, fields.marker.is_some())
            }
            _ => Body::Class(Vec::new(), false),
        }
    }

    fn member(&mut self, field: &'s Field, of: &str) -> Member {
        let part = format!("{of}_{}", plain(&field.name));
        let ty = self.types.get(&field.ty);
        let ty = ty.map_or(Ref::Own("Any"), |ty| self.reference(ty, Some(field), &part));
        Member {
            name: ident(&field.name),
            asn1: field.name.to_string(),
            ty,
            default: None,
            optional: false,
            doc: Vec::new(),
        }
    }

    /// A DEFAULT value that is a number, a truth or a text.
    fn default(&self, field: &Field) -> Option<String> {
        let types = self.types;
        let base = types.get(&field.ty).map(|ty| types.base(ty))?;
        let literal = types.with_default(field, |value| match &base.shape {
            Shape::Boolean => value.content().map(|content| if content == [0] { "False" } else { "True" }.to_owned()),
            Shape::Integer(_) => {
                value.view::<Int<'_>>().and_then(|number| i128::try_from(number).ok()).map(|number| number.to_string())
            }
            Shape::String(StringKind::Utf8) => value.view::<Utf8<'_>>().map(|text| quoted(text.as_str())),
            _ => None,
        });
        literal.flatten()
    }
}

fn numbers(items: &[NamedNumber], owner: Option<&Named<'_>>) -> Vec<(String, i64)> {
    let mut own = Names::taken(&["name", "value", "mro"]);
    let mut met = HashSet::new();
    let items = items.iter().filter(|item| !item.name.is_empty() && met.insert(item.number));
    let name = |item: &NamedNumber| -> String {
        let overlay = owner.and_then(|owner| owner.field(&item.name));
        ident(overlay.and_then(|overlay| overlay.rename.as_deref()).unwrap_or(&item.name))
    };
    items.map(|item| (own.unique(name(item)), item.number)).collect()
}

fn has_definition(ty: &Type) -> bool {
    matches!(
        ty.shape,
        Shape::Sequence(_) | Shape::Set(_) | Shape::Presentation(_) | Shape::Choice { .. } | Shape::Enumerated { .. }
    )
}
