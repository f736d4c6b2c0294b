//! An ASN.1 type as data: what the derive emits as constants and the schema compiler builds at run time.
//!
//! The tables say everything about a type that an engine needs to decode, encode, print, explain and canonicalise it
//! without its Rust code: tags, presence, defaults, extension markers, constraints, names, object sets.
//! Nothing here decodes; identity is never by pointer.

mod constraint;

use core::fmt;
use core::mem;
use core::ops::Deref;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, string::String, vec::Vec};

pub use self::constraint::{Bound, Check, ComponentConstraint, Constraint, Interval, Range};
use crate::encode::EncodeError;
use crate::rule::Rule;
use crate::tag::Tag;
use crate::writer::Writer;

/// A list that is constant data or was built at run time.
#[non_exhaustive]
pub enum List<T: 'static> {
    /// Constant data.
    Const(&'static [T]),
    /// Built at run time.
    #[cfg(feature = "alloc")]
    Owned(Box<[T]>),
}

impl<T> List<T> {
    /// The empty list.
    pub const EMPTY: Self = Self::Const(&[]);
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Const(items) => items,
            #[cfg(feature = "alloc")]
            Self::Owned(items) => items,
        }
    }
}

#[cfg(feature = "alloc")]
impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Owned(items.into_boxed_slice())
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Clone> Clone for List<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Const(items) => Self::Const(items),
            #[cfg(feature = "alloc")]
            Self::Owned(items) => Self::Owned(items.clone()),
        }
    }
}

/// A text that is constant data or was built at run time.
#[derive(Clone)]
#[non_exhaustive]
pub enum Text {
    /// Constant data.
    Const(&'static str),
    /// Built at run time.
    #[cfg(feature = "alloc")]
    Owned(Box<str>),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Const(text) => text,
            #[cfg(feature = "alloc")]
            Self::Owned(text) => text,
        }
    }
}

#[cfg(feature = "alloc")]
impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Owned(text.into_boxed_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// A type that has a table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no ASN.1 type",
    label = "no ASN.1 type",
    note = "`#[derive(Asn1)]` makes it one"
)]
pub trait Typed {
    /// The table.
    fn ty() -> &'static Type;
}

/// A reference to a type: by function for constant tables, so that recursive types work, or by index into a [`Schema`].
#[derive(Clone, Copy)]
pub enum TypeRef {
    /// The table a function gives.
    Const(fn() -> &'static Type),
    /// The schema's type of that index.
    Index(u32),
}

impl TypeRef {
    /// A reference to the table of a Rust type.
    #[must_use]
    pub const fn of<T: Typed + ?Sized>() -> Self {
        Self::Const(T::ty)
    }

    /// The table, if the reference is constant or the schema has it.
    #[must_use]
    pub fn get<'s>(&self, schema: Option<&'s Schema>) -> Option<&'s Type> {
        match self {
            Self::Const(ty) => Some(ty()),
            Self::Index(index) => schema?.types.get(*index as usize),
        }
    }
}

impl fmt::Debug for TypeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names, not contents: recursive types would never end.
        match self {
            Self::Const(ty) => f.write_str(&ty().name),
            Self::Index(index) => write!(f, "#{index}"),
        }
    }
}

/// Types that refer to each other by index.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The types.
    pub types: List<Type>,
    /// The object sets.
    pub sets: List<ObjectSet>,
}

/// A reference to an object set, like [`TypeRef`].
#[derive(Clone, Copy)]
pub enum SetRef {
    /// The set a function gives.
    Const(fn() -> &'static ObjectSet),
    /// The schema's set of that index.
    Index(u32),
}

impl SetRef {
    /// The set, if the reference is constant or the schema has it.
    #[must_use]
    pub fn get<'s>(&self, schema: Option<&'s Schema>) -> Option<&'s ObjectSet> {
        match self {
            Self::Const(set) => Some(set()),
            Self::Index(index) => schema?.sets.get(*index as usize),
        }
    }
}

impl fmt::Debug for SetRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(set) => f.write_str(&set().name),
            Self::Index(index) => write!(f, "#{index}"),
        }
    }
}

/// One ASN.1 type.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name in ASN.1 (`TBSCertificate`), or the built-in type's.
    pub name: Text,
    /// The outermost tag of its encodings; none for CHOICE and open types.
    pub tag: Option<Tag>,
    /// Its shape.
    pub shape: Shape,
    /// Constraints on its values.
    pub constraints: List<Constraint>,
    /// Its original octets are kept and emitted again, whatever the rules.
    pub verbatim: bool,
    /// Its values are never printed.
    pub secret: bool,
    /// The profile rules that decoding it may find broken (bits 32 and up).
    pub rules: List<&'static Rule>,
}

impl Type {
    /// A type with a name, a tag and a shape, and nothing else.
    #[must_use]
    pub const fn new(name: &'static str, tag: Option<Tag>, shape: Shape) -> Self {
        Self {
            name: Text::Const(name),
            tag,
            shape,
            constraints: List::EMPTY,
            verbatim: false,
            secret: false,
            rules: List::EMPTY,
        }
    }

    /// The type with these constraints.
    #[must_use]
    pub const fn constrained(mut self, constraints: List<Constraint>) -> Self {
        // What is replaced is forgotten, for constants cannot drop; it is the empty list of `new`.
        mem::forget(mem::replace(&mut self.constraints, constraints));
        self
    }

    /// The type with these profile rules.
    #[must_use]
    pub const fn ruled(mut self, rules: List<&'static Rule>) -> Self {
        mem::forget(mem::replace(&mut self.rules, rules));
        self
    }

    /// The type, marked `verbatim`.
    #[must_use]
    pub const fn verbatim(mut self) -> Self {
        self.verbatim = true;
        self
    }

    /// The type, marked `secret`.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }
}

/// Shape of a type.
#[derive(Clone, Debug)]
pub enum Shape {
    /// BOOLEAN.
    Boolean,
    /// INTEGER, with its named numbers.
    Integer(List<NamedNumber>),
    /// ENUMERATED.
    Enumerated {
        /// The items.
        items: List<NamedNumber>,
        /// Set if unknown numbers are kept.
        extensible: bool,
    },
    /// REAL.
    Real,
    /// BIT STRING, with its named bits (trailing zero bits are then trimmed, X.690 §11.2.2). An empty name stands for names
    /// that are not known.
    BitString(List<NamedNumber>),
    /// OCTET STRING.
    OctetString,
    /// NULL.
    Null,
    /// OBJECT IDENTIFIER.
    ObjectIdentifier,
    /// RELATIVE-OID.
    RelativeOid,
    /// OID-IRI.
    OidIri,
    /// RELATIVE-OID-IRI.
    RelativeOidIri,
    /// A restricted character string type, or ObjectDescriptor.
    String(StringKind),
    /// A time type.
    Time(TimeKind),
    /// EXTERNAL, EMBEDDED PDV or CHARACTER STRING: a SEQUENCE with the fields of its associated type as it is encoded.
    Presentation(Fields),
    /// SEQUENCE.
    Sequence(Fields),
    /// SET.
    Set(Fields),
    /// SEQUENCE OF.
    SequenceOf(TypeRef),
    /// SET OF.
    SetOf(TypeRef),
    /// CHOICE.
    Choice {
        /// The alternatives; `presence` is of no meaning here.
        alternatives: List<Field>,
        /// Set if unknown alternatives are kept.
        extensible: bool,
    },
    /// An open type: what it holds depends on an object set, or on nothing known.
    Open {
        /// The set that governs it.
        set: Option<SetRef>,
        /// The path to the component that selects, by names with dots between them: `extnID`, `type.id`. It starts at the
        /// innermost SEQUENCE or SET around the open type that has a component of the first name.
        ///
        /// With levels (X.682 §10.7) it starts where they say: `@.a` beside the open type, `@..a` in the SEQUENCE or SET around
        /// that, and so on by one dot each. The `@a` of the notation, which starts at the outermost structure of the type's
        /// text, is written with the dots it takes to get there. Several components that select together are written
        /// with commas between them: `@.a,@.b`.
        selector: Text,
    },
    /// Another type under one more tag.
    Tagged {
        /// The tag and how it is applied.
        tagging: Tagging,
        /// The type.
        inner: TypeRef,
    },
    /// Another type under a new name, perhaps with more constraints.
    Named(TypeRef),
}

/// The restricted character string types (X.680 §41) and ObjectDescriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the standard's")]
pub enum StringKind {
    Utf8,
    Numeric,
    Printable,
    Teletex,
    Videotex,
    Ia5,
    Graphic,
    Visible,
    General,
    Universal,
    Bmp,
    ObjectDescriptor,
}

/// The time types (X.680 §38, §46, §47).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the standard's")]
pub enum TimeKind {
    Utc,
    Generalized,
    Time,
    Date,
    TimeOfDay,
    DateTime,
    Duration,
}

/// A name for a number: of an INTEGER, an ENUMERATED or a bit.
#[derive(Clone, Debug)]
pub struct NamedNumber {
    /// The name.
    pub name: Text,
    /// The number.
    pub number: i64,
}

/// The components of a SEQUENCE or SET, in the order of the schema.
#[derive(Clone, Debug)]
pub struct Fields {
    /// All components: root, additions, second root.
    pub list: List<Field>,
    /// The extension marker, if there is one.
    pub marker: Option<Marker>,
}

/// Place of extension additions among the components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The index of the first addition: unknown additions are met from here on.
    pub start: u32,
    /// The index of the first component after the second marker; the number of components if there is none.
    pub end: u32,
}

/// A component or an alternative.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its identifier in ASN.1 (`notBefore`).
    pub name: Text,
    /// Its type.
    pub ty: TypeRef,
    /// Tags put on it here, outermost first.
    pub tagging: List<Tagging>,
    /// Presence: required, OPTIONAL or DEFAULT.
    pub presence: Presence,
    /// The version number or position of the extension addition group it belongs to.
    pub group: Option<u16>,
    /// Constraints put on it here.
    pub constraints: List<Constraint>,
    /// Its values are never printed.
    pub secret: bool,
    /// The type its content must decode as, for OCTET STRING and BIT STRING components that wrap an encoding:
    /// an open type with its selector, or a fixed one (X.682 §11).
    pub containing: Option<TypeRef>,
}

impl Field {
    /// A mandatory, untagged component.
    #[must_use]
    pub const fn new(name: &'static str, ty: TypeRef) -> Self {
        Self {
            name: Text::Const(name),
            ty,
            tagging: List::EMPTY,
            presence: Presence::Required,
            group: None,
            constraints: List::EMPTY,
            secret: false,
            containing: None,
        }
    }

    /// The component under these tags, outermost first.
    #[must_use]
    pub const fn tagged(mut self, tagging: List<Tagging>) -> Self {
        mem::forget(mem::replace(&mut self.tagging, tagging));
        self
    }

    /// The component with this presence.
    #[must_use]
    pub const fn presence(mut self, presence: Presence) -> Self {
        mem::forget(mem::replace(&mut self.presence, presence));
        self
    }

    /// The component with these constraints.
    #[must_use]
    pub const fn constrained(mut self, constraints: List<Constraint>) -> Self {
        mem::forget(mem::replace(&mut self.constraints, constraints));
        self
    }

    /// The component, in an extension addition group.
    #[must_use]
    pub const fn grouped(mut self, group: u16) -> Self {
        self.group = Some(group);
        self
    }

    /// The component, marked `secret`.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// The component, whose content is the encoding of another type.
    #[must_use]
    pub const fn containing(mut self, ty: TypeRef) -> Self {
        self.containing = Some(ty);
        self
    }
}

/// One tag and how it is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tagging {
    /// The tag; its form is decided by `explicit` and the type.
    pub tag: Tag,
    /// EXPLICIT, or IMPLICIT.
    pub explicit: bool,
}

/// Presence of a component.
#[derive(Clone, Debug)]
pub enum Presence {
    /// It may not.
    Required,
    /// OPTIONAL.
    Optional,
    /// DEFAULT.
    Default(DefaultValue),
}

/// A DEFAULT value, as the DER of the component's type without the tags put on it in the component.
#[derive(Clone)]
pub enum DefaultValue {
    /// A cold function that writes it.
    Write(fn(&mut Writer<'_>) -> Result<(), EncodeError>),
    /// The octets.
    Der(List<u8>),
}

impl fmt::Debug for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(_) => f.write_str("Write(…)"),
            Self::Der(octets) => write!(f, "Der({octets:02X?})"),
        }
    }
}

/// An information object set that selects the type of an open type (X.681, X.682 §10).
#[derive(Clone, Debug)]
pub struct ObjectSet {
    /// Its name in ASN.1; users' additions refer to it.
    pub name: Text,
    /// The objects.
    pub objects: List<Object>,
    /// Set if others may be met.
    pub extensible: bool,
}

impl ObjectSet {
    /// The object that a key selects.
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<&Object> {
        self.objects.iter().find(|object| *object.key == *key)
    }
}

/// One object: a key and the type it selects.
#[derive(Clone, Debug)]
pub struct Object {
    /// The object's name.
    pub name: Text,
    /// The content octets of the selecting component, which is of a type without parts (mostly OBJECT IDENTIFIER or INTEGER) or
    /// a CHOICE of such. If several select together, those of each behind their length as DER has it.
    pub key: List<u8>,
    /// The type.
    pub ty: TypeRef,
}
