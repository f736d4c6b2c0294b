//! Unresolved values (X.680 §17.7).

use crate::ast::Ident;
use crate::ast::types::{Ref, Type};
use crate::source::Span;

/// A sequence of tokens in braces, whose interpretation depends on its governor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Braced {
    /// The index of the token `{`.
    pub(crate) open: u32,
    /// The index of the token `}`.
    pub(crate) close: u32,
    pub(crate) span: Span,
}

/// An unresolved value, with its position.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) kind: ValueKind,
    pub(crate) span: Span,
}

/// The kind of a value, as far as its text determines it.
#[derive(Clone, Debug)]
pub(crate) enum ValueKind {
    /// A reference to a number, bit, ENUMERATED item, value or object, optionally followed by the object's fields
    /// (X.681 §15).
    Reference(Ref, Vec<Ident>),
    /// An unsigned number, and whether a minus sign precedes it.
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
    /// A string, with its quotation marks.
    CString(String),
    Boolean(bool),
    Null,
    PlusInfinity,
    MinusInfinity,
    NotANumber,
    Braced(Braced),
    /// A CHOICE value: `name: value`.
    Choice(Ident, Box<Value>),
    /// A value with its type: `Type: value` (X.681 §14.6).
    Typed(Box<Type>, Box<Value>),
    /// A contained value: `CONTAINING value` (X.680 §22.3).
    Containing(Box<Value>),
}
