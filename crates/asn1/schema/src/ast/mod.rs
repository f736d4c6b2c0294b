//! Syntax trees of parsed modules, with unresolved names.
//!
//! Braced values, objects and object sets are kept as token sequences if their governor determines their syntax (X.680
//! §17.8, X.681 §11.6). The resolver parses these sequences.

pub(crate) mod constraint;
pub(crate) mod types;
pub(crate) mod value;

pub(crate) use constraint::{
    AtPath, Bound, ComponentItem, Constraint, Element, ElementSets, Exception, Presence, Set, Spec,
};
pub(crate) use types::{Components, EnumItem, ListItem, NamedNumber, Ref, Type, TypeKind, TypeTag};
pub(crate) use value::{Braced, Value, ValueKind};

use crate::source::Span;

/// A name with its position.
#[derive(Clone, Debug)]
pub(crate) struct Ident {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A module (X.680 §13).
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) name: Ident,
    pub(crate) oid: Option<Braced>,
    pub(crate) tags: Tags,
    pub(crate) extensibility_implied: bool,
    /// The exported symbols; `None` if all are exported.
    pub(crate) exports: Option<Vec<Symbol>>,
    pub(crate) imports: Vec<Import>,
    pub(crate) assignments: Vec<Assignment>,
    /// The encoding control sections.
    pub(crate) controls: std::sync::Arc<[crate::model::Instruction]>,
    /// Assignments that failed to parse, each with its name and span.
    pub(crate) failed: Vec<Ident>,
    pub(crate) span: Span,
}

/// The tag default of a module (X.680 §13.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tags {
    Explicit,
    Implicit,
    Automatic,
}

/// An exported or imported symbol.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: Ident,
    /// True if it is written with braces, `A{}`, as the name of a parameterized definition may be.
    pub(crate) is_parameterized: bool,
}

/// The symbols imported from one module.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) module: Ident,
    pub(crate) oid: Option<ModuleOid>,
    pub(crate) selection: Option<Selection>,
}

/// The object identifier of a module in an import.
#[derive(Clone, Debug)]
pub(crate) enum ModuleOid {
    Braced(Braced),
    /// A value reference.
    Value(Ref),
}

/// WITH SUCCESSORS, WITH DESCENDANTS (X.680 §13.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    Successors,
    Descendants,
}

/// An assignment.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) name: Ident,
    pub(crate) parameters: Option<Vec<Parameter>>,
    pub(crate) body: Body,
    pub(crate) span: Span,
}

/// The body of an assignment.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each assignment")]
pub(crate) enum Body {
    /// A type, or an alias of a class.
    Type(Type),
    /// A value, or an object.
    Value { governor: Type, value: Value },
    /// A value set, or an object set.
    Set { governor: Type, set: ElementSets },
    /// A class.
    Class(Class),
    /// A MACRO definition, which is skipped.
    Macro,
    /// An assignment that uses a macro or XML value notation, and is skipped. Its name is recorded, so that it can be
    /// imported.
    Skipped,
}

/// A dummy parameter (X.683 §8.3).
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// The type or class that governs a value, object or set.
    pub(crate) governor: Option<Type>,
    pub(crate) name: Ident,
}

/// An information object class (X.681 §9).
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) fields: Vec<Field>,
    pub(crate) syntax: Option<Vec<SyntaxItem>>,
    pub(crate) span: Span,
}

/// A field of a class (X.681 §9.4).
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The name, with its `&`.
    pub(crate) name: Ident,
    pub(crate) is_upper: bool,
    /// The type or class; `None` for a type field.
    pub(crate) governor: Option<Governor>,
    pub(crate) unique: bool,
    pub(crate) presence: FieldPresence,
    pub(crate) span: Span,
}

/// The governor of a field.
#[derive(Clone, Debug)]
pub(crate) enum Governor {
    /// A type, or a class.
    Type(Type),
    /// The type in another field of the class.
    Field(Vec<Ident>),
}

/// The OPTIONAL or DEFAULT of a field.
#[derive(Clone, Debug)]
pub(crate) enum FieldPresence {
    Required,
    Optional,
    Default(Actual),
}

/// One item of WITH SYNTAX (X.681 §10.5).
#[derive(Clone, Debug)]
pub(crate) enum SyntaxItem {
    /// A word or a comma.
    Literal(Ident),
    /// A field.
    Field(Ident),
    /// An optional group: `[ … ]`.
    Optional(Vec<SyntaxItem>),
}

/// An actual parameter (X.683 §9.5), or a field's DEFAULT.
#[derive(Clone, Debug)]
pub(crate) enum Actual {
    /// A type, class, object set or value set: anything that begins with an uppercase letter or is a type's notation.
    Type(Type),
    /// A value or object.
    Value(Value),
    /// A value set, object set, object or value in braces.
    Braced(Braced),
}
