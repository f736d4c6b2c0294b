//! ASN.1 types as data: emitted as constants by the derive, or built at run time by the schema compiler.
//!
//! A table contains everything an engine needs to decode, encode, print, explain and canonicalize a type without its
//! Rust code: tags, presence, defaults, extension markers, constraints, names and object sets. Tables do not decode
//! anything themselves, and are never compared by pointer.

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

/// A list, either constant or built at run time.
#[non_exhaustive]
pub enum List<T: 'static> {
    /// A constant slice.
    Const(&'static [T]),
    /// A list built at run time.
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

/// A text, either constant or built at run time.
#[derive(Clone)]
#[non_exhaustive]
pub enum Text {
    /// A constant text.
    Const(&'static str),
    /// A text built at run time.
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
    message = "`{Self}` is not an ASN.1 type",
    label = "no ASN.1 type",
    note = "add `#[derive(Asn1)]` to the type"
)]
pub trait Typed {
    /// Returns the type's table.
    fn ty() -> &'static Type;
}

/// A reference to a type: a function for constant tables, which allows recursive types, or an index into a [`Schema`].
#[derive(Clone, Copy)]
pub enum TypeRef {
    /// A function that returns the table.
    Const(fn() -> &'static Type),
    /// An index into the schema's types.
    Index(u32),
}

impl TypeRef {
    /// Creates a reference to a Rust type's table.
    #[must_use]
    pub const fn of<T: Typed + ?Sized>() -> Self {
        Self::Const(T::ty)
    }

    /// Resolves the reference. Returns `None` for an index outside the schema.
    #[inline]
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

/// Types and object sets that refer to each other by index.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The types, in index order.
    pub types: List<Type>,
    /// The object sets, in index order.
    pub sets: List<ObjectSet>,
}

/// A reference to an object set, like [`TypeRef`].
#[derive(Clone, Copy)]
pub enum SetRef {
    /// A function that returns the set.
    Const(fn() -> &'static ObjectSet),
    /// An index into the schema's sets.
    Index(u32),
}

impl SetRef {
    /// Resolves the reference. Returns `None` for an index outside the schema.
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

/// The description of an ASN.1 type.
#[derive(Clone, Debug)]
pub struct Type {
    /// The type's ASN.1 name (`TBSCertificate`), or the built-in type's name.
    pub name: Text,
    /// The outermost tag of its encodings. `None` for CHOICE and open types.
    pub tag: Option<Tag>,
    /// The type's kind and contents.
    pub shape: Shape,
    /// The constraints on its values.
    pub constraints: List<Constraint>,
    /// True if the original bytes are kept, and written unchanged under all encoding rules.
    pub verbatim: bool,
    /// True if the component's values must never be printed.
    pub secret: bool,
    /// The profile rules that decoding the type may report (bits 32 and up).
    pub rules: List<&'static Rule>,
}

impl Type {
    /// Creates a type with the given name, tag and shape.
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

    /// Sets the constraints.
    #[must_use]
    pub const fn constrained(mut self, constraints: List<Constraint>) -> Self {
        // What is replaced is forgotten, for constants cannot drop; it is the empty list of `new`.
        mem::forget(mem::replace(&mut self.constraints, constraints));
        self
    }

    /// Sets the profile rules.
    #[must_use]
    pub const fn ruled(mut self, rules: List<&'static Rule>) -> Self {
        mem::forget(mem::replace(&mut self.rules, rules));
        self
    }

    /// Marks the type `verbatim`.
    #[must_use]
    pub const fn verbatim(mut self) -> Self {
        self.verbatim = true;
        self
    }

    /// Marks the type `secret`.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }
}

/// The kind of type, with its contents.
#[derive(Clone, Debug)]
pub enum Shape {
    /// BOOLEAN.
    Boolean,
    /// INTEGER, with its named numbers.
    Integer(List<NamedNumber>),
    /// ENUMERATED.
    Enumerated {
        /// The items listed in the type, with their numbers.
        items: List<NamedNumber>,
        /// True if unknown numbers are kept.
        extensible: bool,
    },
    /// REAL.
    Real,
    /// BIT STRING with its named bits, if any. With named bits, trailing zero bits are trimmed (X.690 §11.2.2). An
    /// empty name means that the names are unknown.
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
    /// A restricted character string type or ObjectDescriptor.
    String(StringKind),
    /// A time type.
    Time(TimeKind),
    /// EXTERNAL, EMBEDDED PDV or CHARACTER STRING: a SEQUENCE with the encoded fields of its associated type.
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
        /// The alternatives. `presence` is ignored.
        alternatives: List<Field>,
        /// True if unknown alternatives are kept.
        extensible: bool,
    },
    /// An open type. An object set may determine its content.
    Open {
        /// The governing object set.
        set: Option<SetRef>,
        /// The path to the selecting component, as names joined with dots: `extnID`, `type.id`. It starts at the
        /// innermost enclosing SEQUENCE or SET that has a component of the first name.
        ///
        /// A path with levels (X.682 §10.7) has an explicit start: `@.a` is beside the open type, `@..a` in the
        /// enclosing SEQUENCE or SET, and so on, one dot per level. ASN.1's `@a`, which starts at the outermost type,
        /// is written with the corresponding number of dots. Several selectors that apply together are separated by
        /// commas: `@.a,@.b`.
        selector: Text,
    },
    /// Another type with one more tag.
    Tagged {
        /// The tag, and whether it is EXPLICIT.
        tagging: Tagging,
        /// The tagged type.
        inner: TypeRef,
    },
    /// Another type with a new name, possibly with more constraints.
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

/// A named number of an INTEGER, an ENUMERATED or a BIT STRING.
#[derive(Clone, Debug)]
pub struct NamedNumber {
    /// The identifier of the number, bit or item.
    pub name: Text,
    /// The number that the identifier denotes.
    pub number: i64,
}

/// The components of a SEQUENCE or SET, in schema order.
#[derive(Clone, Debug)]
pub struct Fields {
    /// All components: root, extension additions, second root.
    pub list: List<Field>,
    /// The extension marker, if any.
    pub marker: Option<Marker>,
}

/// The position of extension additions among the components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The index of the first addition, where unknown additions may start.
    pub start: u32,
    /// The index of the first component after the second marker, or the number of components.
    pub end: u32,
}

/// A component or an alternative.
#[derive(Clone, Debug)]
pub struct Field {
    /// The ASN.1 identifier (`notBefore`).
    pub name: Text,
    /// The component's type.
    pub ty: TypeRef,
    /// The component's tags, outermost first.
    pub tagging: List<Tagging>,
    /// The presence: required, OPTIONAL or DEFAULT.
    pub presence: Presence,
    /// The version number or position of the component's extension addition group.
    pub group: Option<u16>,
    /// The constraints on the component.
    pub constraints: List<Constraint>,
    /// True if the component's values must never be printed.
    pub secret: bool,
    /// The type contained in an OCTET STRING or BIT STRING component: either an open type with its selector, or a fixed
    /// type (X.682 §11).
    pub containing: Option<TypeRef>,
}

impl Field {
    /// Creates a mandatory, untagged component.
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

    /// Sets the tags, outermost first.
    #[must_use]
    pub const fn tagged(mut self, tagging: List<Tagging>) -> Self {
        mem::forget(mem::replace(&mut self.tagging, tagging));
        self
    }

    /// Sets the presence.
    #[must_use]
    pub const fn presence(mut self, presence: Presence) -> Self {
        mem::forget(mem::replace(&mut self.presence, presence));
        self
    }

    /// Sets the constraints.
    #[must_use]
    pub const fn constrained(mut self, constraints: List<Constraint>) -> Self {
        mem::forget(mem::replace(&mut self.constraints, constraints));
        self
    }

    /// Assigns the component to an extension addition group.
    #[must_use]
    pub const fn grouped(mut self, group: u16) -> Self {
        self.group = Some(group);
        self
    }

    /// Marks the component `secret`.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// Sets the type whose encoding is the component's content.
    #[must_use]
    pub const fn containing(mut self, ty: TypeRef) -> Self {
        self.containing = Some(ty);
        self
    }
}

/// One tag and how it is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tagging {
    /// The tag. Its form follows from `explicit` and the type.
    pub tag: Tag,
    /// True if the tag is EXPLICIT rather than IMPLICIT.
    pub explicit: bool,
}

/// The presence requirement of a component.
#[derive(Clone, Debug)]
pub enum Presence {
    /// The component is mandatory.
    Required,
    /// OPTIONAL.
    Optional,
    /// DEFAULT.
    Default(DefaultValue),
}

/// A DEFAULT value: the DER encoding of the component's type, without the component's own tags.
#[derive(Clone)]
pub enum DefaultValue {
    /// A function that writes the DER.
    Write(fn(&mut Writer<'_>) -> Result<(), EncodeError>),
    /// The DER bytes themselves.
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
    /// The set's ASN.1 name, which registered entries refer to.
    pub name: Text,
    /// The set's objects, each with its key.
    pub objects: List<Object>,
    /// True if unknown objects are allowed.
    pub extensible: bool,
}

impl ObjectSet {
    /// Returns the object with the given key.
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<&Object> {
        self.objects.iter().find(|object| *object.key == *key)
    }
}

/// An object: a key and the type that it selects.
#[derive(Clone, Debug)]
pub struct Object {
    /// The object's name.
    pub name: Text,
    /// The content bytes of the selecting component, which is a type without components (usually OBJECT IDENTIFIER or
    /// INTEGER) or a CHOICE of such. For several selectors, each one's content is preceded by its DER length.
    pub key: List<u8>,
    /// The selected type.
    pub ty: TypeRef,
}
