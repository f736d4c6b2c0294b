//! Lowers a schema's tables for languages whose generated types follow them: C and Python. Selects the types that
//! get definitions, and determines their order, names and components.

use std::collections::{HashMap, VecDeque};

use tagwise_codec::table::{Field, Fields, Presence, Shape, Type};
use tagwise_codec::value::Types;
use tagwise_codec::{Any, Decode as _, Int};
use tagwise_schema::Span;
use tagwise_schema::model::{AssignmentKind, Model};
use tagwise_tables::Schema;

use crate::lower::named::Named;
use crate::lower::names::{Names, plain};

/// The types that get definitions, numbered in the order in which they are encountered.
pub(crate) struct Heads<'s> {
    types: Types<'s>,
    /// The names of the definitions, by index.
    pub(crate) names: Vec<String>,
    /// The indices of the definitions, by the address of the underlying type.
    numbers: HashMap<usize, usize>,
    /// For each definition's index, the index of the named type that it belongs to, if any.
    pub(crate) owners: HashMap<usize, usize>,
    /// Types whose components have not been visited yet.
    open: VecDeque<(usize, &'s Type)>,
    pub(crate) globals: Names,
}

/// A component or an alternative.
pub(crate) struct Part<'n, 's> {
    pub(crate) field: &'s Field,
    pub(crate) ty: Option<&'s Type>,
    /// The name from the overlay, or the ASN.1 name by default.
    pub(crate) name: &'n str,
    /// The overlay's documentation.
    pub(crate) doc: Option<&'n str>,
    /// A name for the component's type, used if the type has none.
    pub(crate) path: String,
    /// True for an extension addition.
    pub(crate) added: bool,
}

impl Part<'_, '_> {
    /// Returns whether the component may be absent.
    pub(crate) const fn is_optional(&self) -> bool {
        self.added || !matches!(self.field.presence, Presence::Required)
    }
}

/// Returns the address of a type, which identifies it in its schema.
pub(crate) fn address(ty: &Type) -> usize {
    std::ptr::from_ref(ty).addr()
}

impl<'s> Heads<'s> {
    /// Creates the definitions of named types. A named type gives its name to the underlying type, unless another named type is
    /// in between.
    pub(crate) fn new(
        types: Types<'s>,
        named: &[Named<'s>],
        globals: Names,
        has_definition: impl Fn(&Type) -> bool,
    ) -> Self {
        let (numbers, owners, open) = (HashMap::new(), HashMap::new(), VecDeque::new());
        let mut heads = Self { types, names: Vec::new(), numbers, owners, open, globals };
        for (index, one) in named.iter().enumerate() {
            let mut base = one.ty;
            while let Shape::Tagged { inner, .. } = &base.shape
                && let Some(inner) = types.get(inner)
            {
                base = inner;
            }
            if has_definition(base) {
                let number = heads.number(base, &one.own);
                heads.owners.entry(number).or_insert(index);
            }
        }
        heads
    }

    /// Returns the index of a type's definition. A new definition gets the given name, made unique.
    pub(crate) fn number(&mut self, base: &'s Type, name: &str) -> usize {
        if let Some(number) = self.numbers.get(&address(base)) {
            return *number;
        }
        let number = self.names.len();
        self.numbers.insert(address(base), number);
        self.names.push(self.globals.unique(name.to_owned()));
        self.open.push_back((number, base));
        number
    }

    /// Returns the next definition whose components have not been visited: its type, its name, and the named type that it
    /// belongs to, if any.
    pub(crate) fn next<'n>(&mut self, named: &'n [Named<'s>]) -> Option<(&'s Type, String, Option<&'n Named<'s>>)> {
        let (number, ty) = self.open.pop_front()?;
        let owner = self.owners.get(&number).and_then(|index| named.get(*index));
        Some((ty, self.names.get(number).cloned().unwrap_or_default(), owner))
    }

    /// Returns the type that an OCTET STRING or BIT STRING contains.
    pub(crate) fn contained(&self, ty: &'s Type, field: Option<&'s Field>) -> Option<&'s Type> {
        if !matches!(self.types.base(ty).shape, Shape::OctetString | Shape::BitString(_)) {
            return None;
        }
        field.map_or_else(|| self.types.contained(ty), |field| self.types.contained_in(field))
    }

    /// Returns the components of the definition with the name `of`.
    pub(crate) fn components<'n>(&self, fields: &'s Fields, of: &str, owner: Option<&Named<'n>>) -> Vec<Part<'n, 's>>
    where
        's: 'n,
    {
        let added = |index: usize| {
            fields.marker.is_some_and(|marker| (marker.start as usize..marker.end as usize).contains(&index))
        };
        let parts = self.alternatives(&fields.list, of, owner).into_iter().enumerate();
        parts.map(|(index, part)| Part { added: added(index), ..part }).collect()
    }

    /// Returns the alternatives of the definition with the name `of`.
    pub(crate) fn alternatives<'n>(&self, fields: &'s [Field], of: &str, owner: Option<&Named<'n>>) -> Vec<Part<'n, 's>>
    where
        's: 'n,
    {
        let part = |field: &'s Field| {
            let doc = owner.and_then(|owner| owner.field(&field.name)).and_then(|field| field.doc.as_deref());
            let path = format!("{of}_{}", plain(&field.name));
            let (ty, name) = (self.types.get(&field.ty), renamed(owner, &field.name));
            Part { field, ty, name, doc, path, added: false }
        };
        fields.iter().map(part).collect()
    }
}

/// Returns a component's name from the overlay, or its ASN.1 name by default.
pub(crate) fn renamed<'n>(owner: Option<&Named<'n>>, name: &'n str) -> &'n str {
    owner.and_then(|owner| owner.field(name)).and_then(|field| field.rename.as_deref()).unwrap_or(name)
}

/// A value of a module that becomes a constant.
pub(crate) enum Literal {
    /// The content bytes of an OBJECT IDENTIFIER.
    Oid(Vec<u8>),
    /// An INTEGER.
    Number(i128),
}

/// Returns the OBJECT IDENTIFIER and INTEGER values in the modules, with their names and positions.
pub(crate) fn literals<'m>(model: &'m Model, schema: &Schema) -> impl Iterator<Item = (&'m str, Span, Literal)> {
    let types = Types::of(schema.tables());
    let assignments = model.modules.iter().flat_map(|module| &module.assignments);
    assignments.filter_map(move |one| {
        let AssignmentKind::Value { ty, value } = &one.kind else { return None };
        let table = schema.tables().types.get(ty.0 as usize)?;
        let der = schema.single_value(ty.0, value).ok()?;
        let any = Any::from_der(&der).ok()?;
        let literal = match types.base(table).shape {
            Shape::ObjectIdentifier => Literal::Oid(any.content().to_vec()),
            Shape::Integer(_) => {
                Literal::Number(any.decode_as::<Int<'_>>().ok().and_then(|number| i128::try_from(number).ok())?)
            }
            _ => return None,
        };
        Some((one.name.as_str(), one.span, literal))
    })
}
