//! Types of the model.

use crate::int::Int;
use crate::model::constraint::{Constraints, Table};
use crate::model::{ClassId, ModuleId, TypeId, Value};
use crate::source::Span;

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name, if it has one: of an assignment, or of an instance of a parameterised assignment.
    pub name: Option<TypeName>,
    /// The module whose text it stands in.
    pub module: ModuleId,
    /// The tags put on it here, outermost first. Automatic tags are among them, with [`Tagging::automatic`] set.
    pub tags: Vec<Tagging>,
    /// Its shape.
    pub shape: Shape,
    /// The constraints put on it here.
    pub constraints: Constraints,
    /// All constraints on its values: its own and those of the types it refers to.
    pub effective: Constraints,
    /// Tags that its encodings can begin with.
    pub outer: Outer,
    /// Its text.
    pub span: Span,
}

/// The name of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeName {
    /// The module that assigns it.
    pub module: ModuleId,
    /// The name: for an instance, the parameterised assignment's and its parameters', as `Signed-Certificate`.
    /// Unique in its module, and the same whatever else is compiled.
    pub name: String,
    /// Parameterised type that it is an instance of.
    pub instance: Option<Instance>,
}

/// An instance of a parameterised type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// The name of the parameterised assignment.
    pub of: String,
    /// The actual parameters, as texts, with those of enclosing instances filled in.
    pub actuals: Vec<String>,
}

/// The class of a tag (X.680 §8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the standard's")]
pub enum TagClass {
    Universal,
    Application,
    Context,
    Private,
}

/// A tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// Its class.
    pub class: TagClass,
    /// Its number.
    pub number: u32,
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let class = match self.class {
            TagClass::Universal => "UNIVERSAL ",
            TagClass::Application => "APPLICATION ",
            TagClass::Context => "",
            TagClass::Private => "PRIVATE ",
        };
        write!(f, "[{class}{}]", self.number)
    }
}

/// A tag that is put on a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tagging {
    /// The tag.
    pub tag: Tag,
    /// Set if it encloses the type's own tag, rather than replacing it. Decided: by its word, the module's default, and
    /// what it is put on (X.680 §31.2.7).
    pub explicit: bool,
    /// Set if AUTOMATIC TAGS put it there.
    pub automatic: bool,
}

/// Tags that the encodings of a type can begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outer {
    /// One tag.
    Tag(Tag),
    /// One of several: an untagged CHOICE.
    Choice {
        /// The tags of all alternatives, ascending.
        tags: Vec<Tag>,
        /// Set if alternatives may be added.
        extensible: bool,
    },
    /// Any tag: an untagged open type, or ANY.
    Any,
}

/// Shape of a type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// BOOLEAN.
    Boolean,
    /// INTEGER, with its named numbers.
    Integer(Vec<NamedNumber>),
    /// ENUMERATED.
    Enumerated(Enumeration),
    /// REAL.
    Real,
    /// BIT STRING, with its named bits.
    BitString(Vec<NamedNumber>),
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
    /// EXTERNAL (X.680 §37).
    External,
    /// EMBEDDED PDV (X.680 §36).
    EmbeddedPdv,
    /// CHARACTER STRING (X.680 §44).
    CharacterString,
    /// SEQUENCE.
    Sequence(Fields),
    /// SET.
    Set(Fields),
    /// SEQUENCE OF.
    SequenceOf(Item),
    /// SET OF.
    SetOf(Item),
    /// CHOICE. The presence of its alternatives is [`Presence::Required`].
    Choice(Fields),
    /// A type that depends on an information object (X.681 §14), or ANY.
    Open(OpenType),
    /// The value or fixed-type field of a class: the type of the field, which is the reference's target.
    /// The table constraint in [`Type::constraints`] ties it to an object set.
    FixedField {
        /// The class.
        class: ClassId,
        /// The fields that lead there, each with its `&`.
        field: Vec<String>,
        /// The type of the field.
        ty: TypeId,
    },
    /// `INSTANCE OF` a class: a SEQUENCE of the identifier and the value under `[0]` (X.681 Annex C), which is given.
    InstanceOf {
        /// The class.
        class: ClassId,
        /// The SEQUENCE.
        fields: Fields,
    },
    /// Another type, by its name or otherwise.
    Reference(TypeId),
}

/// The restricted character string types (X.680 §41) and ObjectDescriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// A name for a number: of an INTEGER, or of a bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNumber {
    /// The name.
    pub name: String,
    /// The number.
    pub number: Int,
    /// Place of its name.
    pub span: Span,
}

/// The items of an ENUMERATED, all with numbers (X.680 §20).
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// All items, in the order of the text; those behind the marker last.
    pub items: Vec<NamedNumber>,
    /// Number of them before the extension marker.
    pub root: usize,
    /// Set if there is an extension marker.
    pub extensible: bool,
}

/// Components or alternatives.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// All of them, in the order of the text: root, additions, second root. COMPONENTS OF are replaced by what they stand for.
    pub list: Vec<Field>,
    /// The extension marker, if there is one.
    pub marker: Option<Marker>,
}

/// Place of extension additions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The index of the first addition.
    pub start: usize,
    /// The index of the first component behind the second marker; the number of components if there is none.
    pub end: usize,
    /// Set if EXTENSIBILITY IMPLIED put it there.
    pub implied: bool,
}

/// A component of a SEQUENCE or SET, or an alternative of a CHOICE.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its identifier.
    pub name: String,
    /// Its type, with the tags that are put on it here.
    pub ty: TypeId,
    /// Presence: required, OPTIONAL or DEFAULT.
    pub presence: Presence,
    /// The number of its extension addition group, if it is in one: the version number, or else the position, from 1,
    /// of the group among the additions.
    pub group: Option<u32>,
    /// Its text.
    pub span: Span,
}

/// Presence of a component.
#[derive(Clone, Debug)]
pub enum Presence {
    /// It may not.
    Required,
    /// OPTIONAL.
    Optional,
    /// DEFAULT.
    Default(Default),
}

/// A DEFAULT.
#[derive(Clone, Debug)]
pub struct Default {
    /// The value.
    pub value: Value,
    /// Its text.
    pub span: Span,
}

/// The element of a SEQUENCE OF or SET OF.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its identifier, if it has one.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
}

/// A type that depends on an information object.
#[derive(Clone, Debug)]
pub struct OpenType {
    /// The class and its fields that lead to the type; none for ANY. Each field with its `&`.
    pub class: Option<ClassId>,
    /// The fields.
    pub field: Vec<String>,
    /// The object set and the components that select its row; see also [`Model::rows`](crate::model::Model::rows).
    pub table: Option<Table>,
    /// The component that `ANY DEFINED BY` names.
    pub defined_by: Option<String>,
    /// The type that a constraint `(CONSTRAINED BY)` or `(Type)` fixes for all objects (X.682 §8, X.681 §14.5).
    pub fixed: Option<TypeId>,
}

impl Shape {
    /// The name of the built-in type, as X.680 has it; `an open type` and `another type` where there is none.
    ///
    /// ```
    /// use tagwise_schema::model::{Shape, StringKind};
    /// assert_eq!(Shape::String(StringKind::Ia5).name(), "IA5String");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Boolean => "BOOLEAN",
            Self::Integer(_) => "INTEGER",
            Self::Enumerated(_) => "ENUMERATED",
            Self::Real => "REAL",
            Self::BitString(_) => "BIT STRING",
            Self::OctetString => "OCTET STRING",
            Self::Null => "NULL",
            Self::ObjectIdentifier => "OBJECT IDENTIFIER",
            Self::RelativeOid => "RELATIVE-OID",
            Self::OidIri => "OID-IRI",
            Self::RelativeOidIri => "RELATIVE-OID-IRI",
            Self::String(kind) => kind.name(),
            Self::Time(kind) => kind.name(),
            Self::External => "EXTERNAL",
            Self::EmbeddedPdv => "EMBEDDED PDV",
            Self::CharacterString => "CHARACTER STRING",
            Self::Sequence(_) => "SEQUENCE",
            Self::Set(_) => "SET",
            Self::SequenceOf(_) => "SEQUENCE OF",
            Self::SetOf(_) => "SET OF",
            Self::Choice(_) => "CHOICE",
            Self::Open(_) => "an open type",
            Self::InstanceOf { .. } => "INSTANCE OF",
            Self::FixedField { .. } | Self::Reference(_) => "another type",
        }
    }
}

impl StringKind {
    /// Its name: `UTF8String` …
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF8String",
            Self::Numeric => "NumericString",
            Self::Printable => "PrintableString",
            Self::Teletex => "TeletexString",
            Self::Videotex => "VideotexString",
            Self::Ia5 => "IA5String",
            Self::Graphic => "GraphicString",
            Self::Visible => "VisibleString",
            Self::General => "GeneralString",
            Self::Universal => "UniversalString",
            Self::Bmp => "BMPString",
            Self::ObjectDescriptor => "ObjectDescriptor",
        }
    }
}

impl TimeKind {
    /// Its name: `UTCTime` …
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utc => "UTCTime",
            Self::Generalized => "GeneralizedTime",
            Self::Time => "TIME",
            Self::Date => "DATE",
            Self::TimeOfDay => "TIME-OF-DAY",
            Self::DateTime => "DATE-TIME",
            Self::Duration => "DURATION",
        }
    }
}
