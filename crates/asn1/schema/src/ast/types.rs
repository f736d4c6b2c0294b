//! Unresolved types (X.680 §17).

use std::sync::Arc;

use crate::ast::constraint::{Constraint, Exception};
use crate::ast::value::Value;
use crate::ast::{Actual, Ident};
use crate::model::{Instruction, StringKind, TagClass, TimeKind};
use crate::source::Span;

/// A type: tags, kind and constraints.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    /// The tags, outermost first.
    pub(crate) tags: Vec<TypeTag>,
    /// The encoding prefixes (X.680 §31.3), outermost first.
    pub(crate) prefixes: Option<Arc<Vec<Instruction>>>,
    pub(crate) kind: TypeKind,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) span: Span,
}

/// A tag (X.680 §31).
#[derive(Clone, Debug)]
pub(crate) struct TypeTag {
    pub(crate) class: TagClass,
    pub(crate) number: Value,
    /// IMPLICIT or EXPLICIT, if specified.
    pub(crate) explicit: Option<bool>,
}

/// An unresolved reference: `Module.Name{…}`.
#[derive(Clone, Debug)]
pub(crate) struct Ref {
    pub(crate) module: Option<Ident>,
    pub(crate) name: Ident,
    pub(crate) actuals: Option<Vec<Actual>>,
}

/// The kind of a type.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Boolean,
    Integer(Vec<NamedNumber>),
    Enumerated(Vec<EnumItem>),
    Real,
    BitString(Vec<NamedNumber>),
    OctetString,
    Null,
    ObjectIdentifier,
    RelativeOid,
    OidIri,
    RelativeOidIri,
    String(StringKind),
    Time(TimeKind),
    External,
    EmbeddedPdv,
    CharacterString,
    Sequence(Components),
    Set(Components),
    /// SEQUENCE OF, with the identifier of its elements, if any, and their type (X.680 §26).
    SequenceOf(Option<Ident>, Box<Type>),
    SetOf(Option<Ident>, Box<Type>),
    Choice(Components),
    /// ANY (1988), with the component that selects its type, if any.
    Any(Option<Ident>),
    Reference(Ref),
    /// A type from a class, object or object set: `CLASS.&Field` (X.681 §14, §15). Consists of the base and the path of fields.
    Field(Ref, Vec<Ident>),
    /// A selection type: `name < Choice` (X.680 §30).
    Selection(Ident, Box<Type>),
    /// An instance-of type: `INSTANCE OF CLASS` (X.681 Annex C).
    InstanceOf(Ref),
}

/// A named number or bit.
#[derive(Clone, Debug)]
pub(crate) struct NamedNumber {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

/// An item of ENUMERATED (X.680 §20).
#[derive(Clone, Debug)]
pub(crate) enum EnumItem {
    Item { name: Ident, value: Option<Value> },
    Ellipsis(Span, Option<Exception>),
}

/// The components of SEQUENCE, SET or CHOICE, as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    pub(crate) items: Vec<ListItem>,
}

/// One item in a component list.
#[derive(Clone, Debug)]
pub(crate) enum ListItem {
    Component {
        name: Ident,
        ty: Type,
        presence: ItemPresence,
    },
    ComponentsOf(Type, Span),
    Ellipsis(Span, Option<Exception>),
    /// An extension addition group: `[[ 2: … ]]`.
    Group {
        version: Option<Value>,
        items: Vec<ListItem>,
        span: Span,
    },
}

/// The OPTIONAL or DEFAULT of a component.
#[derive(Clone, Debug)]
pub(crate) enum ItemPresence {
    Required,
    Optional,
    Default(Value),
}
