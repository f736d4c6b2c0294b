//! Result of lowering: the items of a target language, without the language.
//!
//! Items refer to each other by number. Types have been named, anonymous ones too; what values obey has been put where it is
//! checked; every cycle is broken by a box; what borrows from the input and what can be copied is known.

use std::collections::HashSet;

use tagwise_schema::Span;
use tagwise_schema::model::{
    Alphabet, Bounds, Model, ModuleId, NamedNumber, SetId, StringKind, Tagging, TimeKind, TypeId, Value,
};

/// An item's number in [`Plan::items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u32);

pub use super::rule::{Edge, Line, Rule};

/// All that is emitted.
#[derive(Debug)]
pub struct Plan<'m> {
    /// Model that it was made from.
    pub model: &'m Model,
    /// The modules, as in the model.
    pub modules: Vec<Module>,
    /// The items of all modules.
    pub items: Vec<Item>,
    /// The types of the target language that stand for types without tags of their own.
    pub(crate) tagless: HashSet<String>,
    /// Notes on parts of the schema that the output leaves out.
    pub notes: Vec<Note>,
    /// Line ends of each source.
    pub(crate) lines: Vec<Vec<u32>>,
}

impl Plan<'_> {
    /// An item.
    #[must_use]
    pub fn item(&self, id: ItemId) -> Option<&Item> {
        self.items.get(id.0 as usize)
    }

    /// The line in which something stands, from 1.
    #[must_use]
    pub fn line(&self, span: Span) -> usize {
        let breaks = self.lines.get(span.file as usize);
        breaks.map_or(0, |breaks| breaks.partition_point(|at| *at < span.start) + 1)
    }

    /// The item behind aliases.
    #[must_use]
    pub fn behind(&self, id: ItemId) -> Option<&Item> {
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

/// Something that the output leaves out or says less strictly than the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place in the schema.
    pub span: Span,
    /// Its text.
    pub text: String,
}

/// A module of ASN.1.
#[derive(Debug)]
pub struct Module {
    /// Its number in the model.
    pub id: ModuleId,
    /// Its name in ASN.1.
    pub name: String,
    /// Its name in snake case, unique.
    pub ident: String,
    /// Path of its items in the target language if they are not emitted.
    pub elsewhere: Option<String>,
    /// The Cargo feature without which it is left out.
    pub feature: Option<String>,
    /// Set if it is emitted.
    pub emitted: bool,
    /// Its items, in the order of the text; those without names behind what they are part of.
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

/// A value with a name.
#[derive(Debug)]
pub struct Constant {
    /// Its name in ASN.1.
    pub name: String,
    /// Its name in upper snake case, unique in its module.
    pub ident: String,
    /// Its type.
    pub ty: TypeId,
    /// Its type here.
    pub repr: Repr,
    /// The value.
    pub value: Value,
    /// The assignment.
    pub span: Span,
}

/// A type of the target language.
#[derive(Debug)]
pub struct Item {
    /// Its module.
    pub module: ModuleId,
    /// Its name in ASN.1, or what it would be.
    pub name: String,
    /// Its name in upper camel case, unique in its module.
    pub ident: String,
    /// The type it is made of; none for object sets and groups.
    pub ty: Option<TypeId>,
    /// Its text.
    pub span: Span,
    /// The tag put on it.
    pub tag: Option<Tagging>,
    /// Its body.
    pub body: Body,
    /// Rules for its values as a whole.
    pub rules: Vec<Rule>,
    /// Set if it borrows from the input.
    pub borrows: bool,
    /// Set if it can be copied: it owns nothing.
    pub copies: bool,
    /// Set if boxes of it are read though it has no tag of its own.
    pub boxed: bool,
    /// Set if it is emitted.
    pub emitted: bool,
    /// Marks of the overlay.
    pub marks: Marks,
}

/// Marks that an overlay puts on an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The original octets are what is signed.
    pub verbatim: bool,
    /// Values are never printed.
    pub secret: bool,
    /// Decoded in line.
    pub inline: bool,
    /// A hand-shaped path for the common form.
    pub shape: Option<String>,
    /// A further check.
    pub check: Option<String>,
    /// Further traits to derive.
    pub derive: Vec<String>,
    /// Further attributes.
    pub attributes: Vec<String>,
    /// A type of its own, where it would be an alias.
    pub newtype: bool,
    /// Documentation to add behind the definition.
    pub doc: Option<String>,
    /// Documentation of components and alternatives, by their names.
    pub field_docs: Vec<(String, String)>,
}

impl Marks {
    /// Returns whether they have a mark that an alias cannot have.
    #[must_use]
    pub fn need_type(&self) -> bool {
        *self != Self { doc: self.doc.clone(), field_docs: self.field_docs.clone(), ..Self::default() }
    }

    /// Documentation of a component or alternative.
    #[must_use]
    pub fn field_doc(&self, name: &str) -> Option<&str> {
        self.field_docs.iter().find(|(known, _)| known == name).map(|(_, doc)| doc.as_str())
    }
}

/// Body of an item.
#[derive(Debug)]
pub enum Body {
    /// It has not been lowered yet.
    Pending,
    /// Another type, under a further name only.
    Alias(Repr),
    /// Another type, with a tag, names or constraints of its own.
    Newtype(Held),
    /// An INTEGER with names for numbers.
    NamedNumbers(Held, Vec<Number>),
    /// A BIT STRING with names for bits.
    NamedBits(Vec<Number>),
    /// SEQUENCE.
    Sequence(Vec<Component>),
    /// SET.
    Set(Vec<Component>),
    /// An extension addition group.
    Group(Vec<Component>),
    /// CHOICE.
    Choice(Choice),
    /// ENUMERATED, or, if `integer`, an INTEGER that has no other values than those named.
    Enumerated(Enumerated),
    /// The types that an object set selects.
    OpenType(OpenType),
}

/// A name for a number.
#[derive(Clone, Debug)]
pub struct Number {
    /// Its name and number in ASN.1.
    pub named: NamedNumber,
    /// Its name: in upper camel case for items of an ENUMERATED, in upper snake case for numbers, in snake case for bits.
    pub ident: String,
}

/// CHOICE.
#[derive(Debug)]
pub struct Choice {
    /// The alternatives.
    pub alternatives: Vec<Alternative>,
    /// The name of what keeps unknown alternatives, if there is an extension marker.
    pub unknown: Option<String>,
}

/// An alternative of a CHOICE.
#[derive(Debug)]
pub struct Alternative {
    /// Its name in ASN.1.
    pub name: String,
    /// Its name in upper camel case.
    pub ident: String,
    /// Its content.
    pub held: Held,
    /// Its text.
    pub span: Span,
}

/// ENUMERATED.
#[derive(Debug)]
pub struct Enumerated {
    /// Set if it is an INTEGER.
    pub integer: bool,
    /// Its items.
    pub items: Vec<Number>,
    /// The name of what keeps unknown numbers, if there is an extension marker.
    pub unknown: Option<String>,
}

/// The types that an object set selects.
#[derive(Debug)]
pub struct OpenType {
    /// The set.
    pub set: SetId,
    /// The rows.
    pub rows: Vec<Row>,
    /// The name of what keeps values of unknown objects.
    pub unknown: String,
}

/// A row of an object set.
#[derive(Debug)]
pub struct Row {
    /// The name of the object, or of its type.
    pub name: String,
    /// Its name in upper camel case.
    pub ident: String,
    /// Value that selects it.
    pub key: Value,
    /// The type it selects.
    pub repr: Repr,
}

/// A component of a SEQUENCE or SET.
#[derive(Debug)]
pub struct Component {
    /// Its name in ASN.1.
    pub name: String,
    /// Its name in snake case.
    pub ident: String,
    /// Its role.
    pub role: Role,
    /// Its text.
    pub span: Span,
}

/// Role of a component.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are values")]
pub enum Role {
    /// A value.
    Value {
        /// Its content.
        held: Held,
        /// Presence: required, OPTIONAL or DEFAULT.
        presence: Presence,
        /// Set if it is the first behind the second extension marker.
        root: bool,
        /// The extension addition group it is in, where groups have no item.
        group: Option<u32>,
    },
    /// The extension marker: what is unknown is kept here.
    Extensions,
    /// An extension addition group.
    Group(ItemId, u32),
}

/// Presence of a component.
#[derive(Debug)]
pub enum Presence {
    /// It may not.
    Required,
    /// OPTIONAL, or an addition.
    Optional,
    /// DEFAULT: the value, its type, and its DER without the tags of the component, if it has parts.
    Default(Value, TypeId, Option<Vec<u8>>),
}

/// Something that is held: a type, with what is put on it at this place.
#[derive(Clone, Debug)]
pub struct Held {
    /// The type.
    pub repr: Repr,
    /// The tag put on it.
    pub tag: Option<Tagging>,
    /// The sizes it may have.
    pub size: Option<Bounds>,
    /// The numbers it may be.
    pub range: Option<Bounds>,
    /// The characters it may have.
    pub alphabet: Option<Alphabet>,
    /// The string that holds its encoding.
    pub wrapper: Option<Wrapper>,
    /// Content of a string that is kept as bytes: its type, and the encoding rules' identifier, with dots.
    pub contents: Option<(Box<Repr>, String)>,
    /// The components, by their names here, that lead to what selects its type.
    pub defined_by: Option<Vec<String>>,
    /// Other rules that they obey.
    pub rules: Vec<Rule>,
    /// Set if its values are never printed.
    pub secret: bool,
}

impl Held {
    /// A type with nothing put on it.
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

    /// Returns whether it has no attributes.
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

/// The string that holds an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// An OCTET STRING.
    OctetString,
    /// A BIT STRING.
    BitString,
}

/// Representation of a value in the target language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repr {
    /// An item.
    Item(ItemId),
    /// A type of the target language that the overlay names, as it is written there.
    Foreign(String),
    /// A type that every target language has for ASN.1's own.
    Builtin(Builtin),
    /// SEQUENCE OF.
    SequenceOf(Box<Self>),
    /// SET OF.
    SetOf(Box<Self>),
    /// Kept as its octets until it is asked for.
    Raw(Box<Self>),
    /// Kept with its octets.
    Captured(Box<Self>),
    /// On the heap.
    Boxed(Box<Self>),
    /// The value of an open type, by the item for its object set; decoded at once, or else when it is asked for.
    Open(ItemId, bool),
    /// A list of such values, all of the type that the key selects; a SET OF, or else a SEQUENCE OF.
    OpenList(ItemId, bool),
}

impl Repr {
    /// The item that is part of the value itself, not behind a pointer.
    #[must_use]
    pub fn inline_item(&self) -> Option<ItemId> {
        match self {
            Self::Item(id) | Self::Open(id, true) => Some(*id),
            Self::Captured(inner) => inner.inline_item(),
            _ => None,
        }
    }
}

/// Types of ASN.1's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the standard's")]
pub enum Builtin {
    Boolean,
    /// INTEGER of any size.
    Integer,
    /// INTEGER that fits a native one.
    Native(Native),
    /// ENUMERATED of which only the number is known.
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

/// Native integers.
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

    /// Number of its bits.
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

    /// Returns whether it has no negative numbers.
    #[must_use]
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::U128)
    }

    /// The least and the greatest number; that of 128 bits without sign ends where `i128` does.
    #[must_use]
    pub const fn range(self) -> (i128, i128) {
        match self {
            Self::U128 => (0, i128::MAX),
            Self::I128 => (i128::MIN, i128::MAX),
            unsigned if unsigned.is_unsigned() => (0, (1 << unsigned.bits()) - 1),
            signed => (-(1 << (signed.bits() - 1)), (1 << (signed.bits() - 1)) - 1),
        }
    }

    /// The smallest that holds the numbers from `min` to `max`: without sign, if none is negative.
    #[must_use]
    pub fn smallest(min: i128, max: i128) -> Option<Self> {
        Self::ALL.into_iter().find(|native| {
            let (least, greatest) = native.range();
            (min >= 0) == native.is_unsigned() && least <= min && max <= greatest
        })
    }

    /// The name, as in Rust: `u8`.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}{}", if self.is_unsigned() { 'u' } else { 'i' }, self.bits())
    }

    /// The native integer of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|native| native.name() == name)
    }
}
