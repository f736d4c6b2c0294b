//! Unresolved constraints (X.680 §49–§51, X.682).

use crate::ast::Ident;
use crate::ast::types::{Ref, Type};
use crate::ast::value::{Braced, Value};
use crate::source::Span;

/// A constraint in parentheses after a type.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub(crate) spec: Spec,
    pub(crate) exception: Option<Exception>,
    pub(crate) span: Span,
}

/// An exception specification (X.680 §53).
#[derive(Clone, Debug)]
pub(crate) struct Exception {
    pub(crate) ty: Option<Type>,
    pub(crate) value: Value,
}

/// The kind of constraint.
#[derive(Clone, Debug)]
pub(crate) enum Spec {
    Subtype(ElementSets),
    /// CONSTRAINED BY { … } (X.682 §9).
    User(Braced),
    /// CONTAINING … ENCODED BY … (X.682 §11).
    Contents {
        ty: Option<Type>,
        encoded_by: Option<Value>,
    },
    /// A table constraint: `({Set}{@path})` (X.682 §10).
    Table {
        set: Ref,
        at: Vec<AtPath>,
        span: Span,
    },
    /// A component relation with an inline object set, `({one | other}{@path})`. X.682 §10.7 does not define it, so it is a
    /// named departure.
    InlineTable {
        sets: ElementSets,
        at: Vec<AtPath>,
    },
}

/// A selector path, `@a.b` or `@.a` (X.682 §10.7).
#[derive(Clone, Debug)]
pub(crate) struct AtPath {
    /// The number of dots after `@`. Without dots, the path starts in the outermost SEQUENCE or SET.
    pub(crate) level: u32,
    pub(crate) names: Vec<Ident>,
    pub(crate) span: Span,
}

/// Element sets with an extension marker: `root, ..., additions` (X.680 §50.1).
#[derive(Clone, Debug)]
pub(crate) struct ElementSets {
    pub(crate) root: Option<Set>,
    pub(crate) extensible: bool,
    pub(crate) additions: Option<Set>,
    pub(crate) span: Span,
}

/// A set expression: a union, intersection or exclusion.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "most sets are one element")]
pub(crate) enum Set {
    Union(Vec<Set>),
    Intersection(Vec<Set>),
    Except(Box<Set>, Box<Set>),
    AllExcept(Box<Set>),
    Element(Element, Span),
}

/// One element of a set expression.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Value(Value),
    Range(Bound, Bound),
    Size(Box<Constraint>),
    From(Box<Constraint>),
    /// A contained subtype; in an object set, another set.
    Type(Type),
    Pattern(Value),
    Settings(String),
    WithComponent(Box<Constraint>),
    WithComponents {
        partial: bool,
        items: Vec<ComponentItem>,
    },
    Group(Box<Set>),
}

/// A bound of a range.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// The value; `None` for MIN or MAX.
    pub(crate) value: Option<Value>,
    /// True if `<` makes the bound exclusive.
    pub(crate) open: bool,
    /// True for MAX as a lower bound, or MIN as an upper bound.
    pub(crate) is_max: bool,
}

/// A component in WITH COMPONENTS.
#[derive(Clone, Debug)]
pub(crate) struct ComponentItem {
    pub(crate) name: Ident,
    pub(crate) constraint: Option<Constraint>,
    pub(crate) presence: Option<Presence>,
}

/// The presence that WITH COMPONENTS requires of a component: PRESENT, ABSENT or OPTIONAL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Present,
    Absent,
    Optional,
}
