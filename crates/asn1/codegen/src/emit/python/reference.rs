//! References to Python types.

/// The Python representation of an ASN.1 type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ref {
    /// A built-in Python type.
    Own(&'static str),
    /// A class, alias or enumeration of the module, by its index.
    Def(usize),
    List(Box<Ref>),
}
