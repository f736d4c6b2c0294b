//! The result of lowering: items of a target language, independent of the language.
//!
//! Items refer to each other by number. All types have names, constraints are attached where they are checked, boxes
//! break all cycles, and borrowing and copying are known.

use std::collections::HashSet;

use tagwise_schema::Span;
use tagwise_schema::model::{
    Alphabet, Bounds, Model, ModuleId, NamedNumber, SetId, StringKind, Tagging, TimeKind, TypeId, Value,
};

/// The index of an item in [`Plan::items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u32);

pub use super::rule::{Edge, Line, Rule};

/// The modules and items to emit.
#[derive(Debug)]
pub struct Plan<'m> {
    /// The model from which the plan was lowered.
    pub model: &'m Model,
    /// The modules, in model order.
    pub modules: Vec<Module>,
    /// The items of all modules.
    pub items: Vec<PlanItem>,
    /// Target-language types that represent ASN.1 types without a tag of their own.
    pub(crate) tagless: HashSet<String>,
    /// Notes on parts of the schema that the output omits.
    pub notes: Vec<Note>,
    /// The line ends of each source.
    pub(crate) lines: Vec<Vec<u32>>,
}

impl Plan<'_> {
    /// Returns the item with the given index.
    #[must_use]
    pub fn item(&self, id: ItemId) -> Option<&PlanItem> {
        self.items.get(id.0 as usize)
    }

    /// Returns the line number of a span, from 1.
    #[must_use]
    pub fn line(&self, span: Span) -> usize {
        let breaks = self.lines.get(span.file as usize);
        breaks.map_or(0, |breaks| breaks.partition_point(|at| *at < span.start) + 1)
    }

    /// Returns the item at the end of a chain of aliases.
    #[must_use]
    pub fn behind(&self, id: ItemId) -> Option<&PlanItem> {
        let mut item = self.item(id)?;
        // No chain is longer than there are items.
        for _ in 0..self.items.len() {
            match &item.body {
                Body::Alias(Repr::Item(target)) => item = self.item(*target)?,
                _ => break,
            }
        }
        Some(item)
    }
}

/// A part of the schema that the output omits or enforces less strictly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The note's position in the schema.
    pub span: Span,
    /// The note's text.
    pub text: String,
}

/// An ASN.1 module.
#[derive(Debug)]
pub struct Module {
    /// The module's index in the model.
    pub id: ModuleId,
    /// The module's ASN.1 name.
    pub name: String,
    /// The module's unique name in snake case.
    pub ident: String,
    /// The path of the module's items in the target language, if they are not emitted.
    pub elsewhere: Option<String>,
    /// The Cargo feature that enables the module.
    pub feature: Option<String>,
    /// True if the module is emitted.
    pub emitted: bool,
    /// The module's items in source order. Anonymous items follow the item they are part of.
    pub contents: Vec<Content>,
}

/// A part of a module.
#[derive(Debug)]
pub enum Content {
    /// A type.
    Item(ItemId),
    /// A value.
    Constant(Constant),
}

/// A value assignment that becomes a constant.
#[derive(Debug)]
pub struct Constant {
    /// The constant's ASN.1 name.
    pub name: String,
    /// The constant's name in upper snake case, unique in its module.
    pub ident: String,
    /// The constant's type.
    pub ty: TypeId,
    /// The constant's type in the target language.
    pub repr: Repr,
    /// The constant's value.
    pub value: Value,
    /// The source text of the value assignment.
    pub span: Span,
}

/// A type of the target language.
#[derive(Debug)]
pub struct PlanItem {
    /// The item's module.
    pub module: ModuleId,
    /// The item's ASN.1 name, or a generated name for an anonymous type.
    pub name: String,
    /// The item's name in upper camel case, unique in its module.
    pub ident: String,
    /// The ASN.1 type from which the item was created; `None` for object sets and groups.
    pub ty: Option<TypeId>,
    /// The item's source text.
    pub span: Span,
    /// The tag applied to the type, if any.
    pub tag: Option<Tagging>,
    /// The item's definition.
    pub body: Body,
    /// The constraints on the type's values as a whole.
    pub rules: Vec<Rule>,
    /// True if the item borrows from the input.
    pub borrows: bool,
    /// True if the item can be copied, because it owns nothing.
    pub copies: bool,
    /// True if the derive must generate code for decoding a `Box` of this item, because the item has no tag of its own.
    pub boxed: bool,
    /// True if the item is emitted.
    pub emitted: bool,
    /// The options that the overlay sets for the item.
    pub marks: Marks,
}

/// The options that an overlay sets for an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// True to keep the original bytes, because they are signed.
    pub verbatim: bool,
    /// True if the values must never be printed.
    pub secret: bool,
    /// True to inline the decoder.
    pub inline: bool,
    /// The path of a function that implements a hand-written fast path for the common form.
    pub shape: Option<String>,
    /// The path of a function that performs an additional check.
    pub check: Option<String>,
    /// Additional traits to derive.
    pub derive: Vec<String>,
    /// Additional attributes.
    pub attributes: Vec<String>,
    /// True to emit a distinct type instead of an alias.
    pub newtype: bool,
    /// Documentation to add after the definition.
    pub doc: Option<String>,
    /// Documentation of components and alternatives, by name.
    pub field_docs: Vec<(String, String)>,
}

impl Marks {
    /// Returns whether an option is set that requires a named type, because type aliases do not support it.
    #[must_use]
    pub fn need_type(&self) -> bool {
        *self != Self { doc: self.doc.clone(), field_docs: self.field_docs.clone(), ..Self::default() }
    }

    /// Returns the documentation of a component or alternative.
    #[must_use]
    pub fn field_doc(&self, name: &str) -> Option<&str> {
        self.field_docs.iter().find(|(known, _)| known == name).map(|(_, doc)| doc.as_str())
    }
}

/// The definition of an item.
#[derive(Debug)]
pub enum Body {
    /// The initial state of an item that has not been lowered yet.
    Pending,
    /// An alias of another type.
    Alias(Repr),
    /// Another type, with a tag, names or constraints.
    Newtype(Held),
    /// An INTEGER with named numbers.
    NamedNumbers(Held, Vec<Number>),
    /// A BIT STRING with named bits.
    NamedBits(Vec<Number>),
    /// SEQUENCE.
    Sequence(Vec<Component>),
    /// SET.
    Set(Vec<Component>),
    /// An extension addition group.
    Group(Vec<Component>),
    /// CHOICE.
    Choice(Choice),
    /// ENUMERATED or, if `integer`, an INTEGER restricted to its named numbers.
    Enumerated(Enumerated),
    /// The types selected by an object set.
    OpenType(OpenType),
}

/// A named number.
#[derive(Clone, Debug)]
pub struct Number {
    /// The ASN.1 name and number.
    pub named: NamedNumber,
    /// The name in the target language: upper camel case for ENUMERATED items, upper snake case for numbers, snake case
    /// for bits.
    pub ident: String,
}

/// The alternatives of a CHOICE, and its extensibility.
#[derive(Debug)]
pub struct Choice {
    /// The alternatives of the root and the extension additions.
    pub alternatives: Vec<Alternative>,
    /// The name of the alternative for unknown elements, if there is an extension marker.
    pub unknown: Option<String>,
}

/// An alternative of a CHOICE.
#[derive(Debug)]
pub struct Alternative {
    /// The alternative's ASN.1 name.
    pub name: String,
    /// The alternative's name in upper camel case.
    pub ident: String,
    /// The alternative's content.
    pub held: Held,
    /// The alternative's source text.
    pub span: Span,
}

/// An ENUMERATED type, or an INTEGER that is restricted to its named numbers.
#[derive(Debug)]
pub struct Enumerated {
    /// True if the type is an INTEGER rather than an ENUMERATED.
    pub integer: bool,
    /// The items with their numbers.
    pub items: Vec<Number>,
    /// The name of the item for unknown numbers, if there is an extension marker.
    pub unknown: Option<String>,
}

/// The types selected by an object set.
#[derive(Debug)]
pub struct OpenType {
    /// The object set.
    pub set: SetId,
    /// The rows, one for each object that selects a type.
    pub rows: Vec<Row>,
    /// The name of the alternative for unknown objects.
    pub unknown: String,
}

/// A row of an object set.
#[derive(Debug)]
pub struct Row {
    /// The name of the object or its type.
    pub name: String,
    /// The row's name in upper camel case.
    pub ident: String,
    /// The value that selects the row.
    pub key: Value,
    /// The selected type.
    pub repr: Repr,
}

/// A component of a SEQUENCE or SET.
#[derive(Debug)]
pub struct Component {
    /// The component's ASN.1 name.
    pub name: String,
    /// The component's name in snake case.
    pub ident: String,
    /// The component's role.
    pub role: Role,
    /// The component's source text.
    pub span: Span,
}

/// The role of a component.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are values")]
pub enum Role {
    /// A component with a value.
    Value {
        /// The component's content.
        held: Held,
        /// Presence: required, OPTIONAL or DEFAULT.
        presence: Presence,
        /// True if this is the first component after the second extension marker.
        root: bool,
        /// The number of the component's extension addition group, if groups have no item of their own.
        group: Option<u32>,
    },
    /// The extension marker, where unknown additions are stored.
    Extensions,
    /// An extension addition group.
    Group(ItemId, u32),
}

/// The presence requirement of a component.
#[derive(Debug)]
pub enum Presence {
    /// The component is mandatory.
    Required,
    /// OPTIONAL, or an extension addition.
    Optional,
    /// DEFAULT: the value, its type and, for a structured value, its DER without the component's tags.
    Default(Value, TypeId, Option<Vec<u8>>),
}

/// A type, with the tags and constraints that apply where it is used.
#[derive(Clone, Debug)]
pub struct Held {
    /// The representation of the type.
    pub repr: Repr,
    /// The type's tag.
    pub tag: Option<Tagging>,
    /// The allowed sizes, from SIZE.
    pub size: Option<Bounds>,
    /// The allowed numbers, from value constraints.
    pub range: Option<Bounds>,
    /// The allowed characters, from FROM.
    pub alphabet: Option<Alphabet>,
    /// The string that contains the encoding, if any.
    pub wrapper: Option<Wrapper>,
    /// The content of a string that is stored as bytes: its type, and the dotted identifier of the encoding rules.
    pub contents: Option<(Box<Repr>, String)>,
    /// The path to the component that selects the type, as names in the target language.
    pub defined_by: Option<Vec<String>>,
    /// Other constraints.
    pub rules: Vec<Rule>,
    /// True if the type's values must never be printed.
    pub secret: bool,
}

impl Held {
    /// Wraps a type without tags or constraints.
    #[must_use]
    pub const fn plain(repr: Repr) -> Self {
        Self {
            repr,
            tag: None,
            size: None,
            range: None,
            alphabet: None,
            wrapper: None,
            contents: None,
            defined_by: None,
            rules: Vec::new(),
            secret: false,
        }
    }

    /// Returns whether there are no tags or constraints.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.tag.is_none()
            && self.size.is_none()
            && self.range.is_none()
            && self.alphabet.is_none()
            && self.wrapper.is_none()
            && self.contents.is_none()
            && self.defined_by.is_none()
            && self.rules.is_empty()
            && !self.secret
    }
}

/// The string that contains an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// An OCTET STRING.
    OctetString,
    /// A BIT STRING.
    BitString,
}

/// The representation of a value in the target language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repr {
    /// An item.
    Item(ItemId),
    /// A target language type named in the overlay, unchanged.
    Foreign(String),
    /// A built-in ASN.1 type.
    Builtin(Builtin),
    /// SEQUENCE OF.
    SequenceOf(Box<Self>),
    /// SET OF.
    SetOf(Box<Self>),
    /// A value that is stored as bytes and decoded on demand.
    Raw(Box<Self>),
    /// A decoded value that is stored with its original bytes.
    Captured(Box<Self>),
    /// A value that is boxed on the heap.
    Boxed(Box<Self>),
    /// An open type value, with the item of its object set. It is decoded immediately if the flag is true, otherwise on
    /// demand.
    Open(ItemId, bool),
    /// A list of open type values of one selected type. It is a SET OF if the flag is true, otherwise a SEQUENCE OF.
    OpenList(ItemId, bool),
}

impl Repr {
    /// Returns the item that the value contains directly, without a pointer.
    #[must_use]
    pub fn inline_item(&self) -> Option<ItemId> {
        match self {
            Self::Item(id) | Self::Open(id, true) => Some(*id),
            Self::Captured(inner) => inner.inline_item(),
            _ => None,
        }
    }
}

/// A built-in ASN.1 type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the standard's")]
pub enum Builtin {
    Boolean,
    /// INTEGER of any size.
    Integer,
    /// INTEGER that fits in a native integer.
    Native(Native),
    /// ENUMERATED as a bare number.
    Enumerated,
    Real,
    BitString,
    NamedBits,
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
    /// Any element.
    Any,
}

/// A native integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Native {
    U8,
    U16,
    U32,
    U64,
    U128,
    I8,
    I16,
    I32,
    I64,
    I128,
}

impl Native {
    const ALL: [Self; 10] =
        [Self::U8, Self::U16, Self::U32, Self::U64, Self::U128, Self::I8, Self::I16, Self::I32, Self::I64, Self::I128];

    /// Returns the size of the integer in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::U8 | Self::I8 => 8,
            Self::U16 | Self::I16 => 16,
            Self::U32 | Self::I32 => 32,
            Self::U64 | Self::I64 => 64,
            Self::U128 | Self::I128 => 128,
        }
    }

    /// Returns whether the type is unsigned.
    #[must_use]
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::U128)
    }

    /// Returns the minimum and maximum value. For `u128`, the maximum is `i128::MAX`.
    #[must_use]
    pub const fn range(self) -> (i128, i128) {
        match self {
            Self::U128 => (0, i128::MAX),
            Self::I128 => (i128::MIN, i128::MAX),
            unsigned if unsigned.is_unsigned() => (0, (1 << unsigned.bits()) - 1),
            signed => (-(1 << (signed.bits() - 1)), (1 << (signed.bits() - 1)) - 1),
        }
    }

    /// Returns the smallest native integer for the range `min` to `max`. It is unsigned if `min` is not negative.
    #[must_use]
    pub fn smallest(min: i128, max: i128) -> Option<Self> {
        Self::ALL.into_iter().find(|native| {
            let (least, greatest) = native.range();
            (min >= 0) == native.is_unsigned() && least <= min && max <= greatest
        })
    }

    /// Returns the Rust name, such as `u8`.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}{}", if self.is_unsigned() { 'u' } else { 'i' }, self.bits())
    }

    /// Returns the native integer with the given name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|native| native.name() == name)
    }
}
