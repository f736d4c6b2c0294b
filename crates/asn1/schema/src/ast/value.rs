//! Unresolved values (X.680 §17.7).

use crate::ast::Ident;
use crate::ast::types::{Ref, Type};
use crate::source::Span;

/// A run of tokens in braces, whose reading depends on its governor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Braced {
    /// The index of the token `{`.
    pub(crate) open: u32,
    /// The index of the token `}`.
    pub(crate) close: u32,
    pub(crate) span: Span,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) kind: ValueKind,
    pub(crate) span: Span,
}

/// Kind of a value, as far as its text decides.
#[derive(Clone, Debug)]
pub(crate) enum ValueKind {
    /// A name: of a number, a bit, an item of ENUMERATED, a value, an object; with fields of the object (X.681 §15).
    Reference(Ref, Vec<Ident>),
    /// An object's or value's field from an object set reference: `Set.&id`.
    Number {
        negative: bool,
        text: String,
    },
    Real {
        negative: bool,
        text: String,
    },
    BString(String),
    HString(String),
    /// With its quotation marks.
    CString(String),
    Boolean(bool),
    Null,
    PlusInfinity,
    MinusInfinity,
    NotANumber,
    Braced(Braced),
    /// `name: value`.
    Choice(Ident, Box<Value>),
    /// `Type: value` (X.681 §14.6).
    Typed(Box<Type>, Box<Value>),
    /// `CONTAINING value` (X.680 §22.3).
    Containing(Box<Value>),
}
