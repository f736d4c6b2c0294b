//! Types of the model.

use crate::int::Int;
use crate::model::constraint::{Constraints, Table, Visible};
use crate::model::{ClassId, ModuleId, TypeId, Value};
use crate::source::Span;

/// An ASN.1 type with resolved references and tags.
#[derive(Clone, Debug)]
pub struct Type {
    /// The type's name, if any: from an assignment, or from a parameterized instance.
    pub name: Option<TypeName>,
    /// The module that contains the type's text.
    pub module: ModuleId,
    /// The type's tags, outermost first. Includes automatic tags, with [`Tagging::automatic`] set.
    pub tags: Vec<Tagging>,
    /// The encoding prefixes.
    pub(crate) prefixes: Option<std::sync::Arc<Vec<Instruction>>>,
    /// The type's kind and contents.
    pub shape: Shape,
    /// The constraints that this type adds to the constraints of the referenced types.
    pub constraints: Constraints,
    /// All constraints on the type's values, including those of referenced types.
    pub effective: Constraints,
    /// The constraints that PER encodings depend on (X.691 §10.3), including those of referenced types.
    pub visible: Visible,
    /// The possible first tags of its encodings.
    pub outer: Outer,
    /// The type's source text.
    pub span: Span,
}

impl Type {
    /// Returns the type's encoding prefixes (X.680 §31.3), outermost first, without those of referenced types.
    ///
    /// ```
    /// use tagwise_schema::{Source, compile};
    /// let source = Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= [XER:NAME AS CAPITALIZED] NULL END");
    /// let model = compile(vec![source]).into_model().unwrap();
    /// assert_eq!(model.types[0].instructions()[0].words, ["NAME", "AS", "CAPITALIZED"]);
    /// ```
    #[must_use]
    pub fn instructions(&self) -> &[Instruction] {
        self.prefixes.as_ref().map_or(&[], |prefixes| prefixes)
    }
}

/// An encoding instruction, which is not interpreted: `[XER:NAME AS "a"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The encoding rules that the instruction is for: `XER`. `None` if they are not known.
    pub encoding: Option<String>,
    /// The lexical items of the instruction, as written. Strings have their quotation marks.
    pub words: Vec<String>,
    /// The position of the instruction in the source.
    pub span: Span,
}

/// The name of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeName {
    /// The module that assigns the name.
    pub module: ModuleId,
    /// The name. An instance's name combines the names of the parameterized assignment and of its parameters:
    /// `Signed-Certificate`. It is unique in its module, and does not depend on the other modules being compiled.
    pub name: String,
    /// The instantiation, for an instance of a parameterized type.
    pub instance: Option<Instance>,
}

/// An instance of a parameterized type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// The name of the parameterized assignment.
    pub of: String,
    /// The actual parameters as text. Parameters of enclosing instances are substituted.
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

/// A tag without its encoded form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// The tag's class.
    pub class: TagClass,
    /// The tag's number.
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

/// A tag applied to a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tagging {
    /// The applied tag.
    pub tag: Tag,
    /// True if the tag is EXPLICIT, according to its keyword, the module's default, and the tagged type (X.680
    /// §31.2.7).
    pub explicit: bool,
    /// True if the tag comes from AUTOMATIC TAGS.
    pub automatic: bool,
}

/// The possible first tags of a type's encodings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outer {
    /// One tag.
    Tag(Tag),
    /// One of several: an untagged CHOICE.
    Choice {
        /// The tags of all alternatives, ascending.
        tags: Vec<Tag>,
        /// True if alternatives may be added.
        extensible: bool,
    },
    /// Any tag: an untagged open type, or ANY.
    Any,
}

/// The kind of a type, with its contents.
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
    SequenceOf(ListElement),
    /// SET OF.
    SetOf(ListElement),
    /// CHOICE. The presence of its alternatives is [`Presence::Required`].
    Choice(Fields),
    /// A type that depends on an information object (X.681 §14), or ANY.
    Open(OpenType),
    /// A value or fixed-type field of a class: a reference to the field's type. A table constraint in
    /// [`Type::constraints`] relates it to an object set.
    FixedField {
        /// The class that defines the field.
        class: ClassId,
        /// The path of fields, each with its `&`.
        field: Vec<String>,
        /// The type of the field.
        ty: TypeId,
    },
    /// `INSTANCE OF` a class, with its SEQUENCE of the identifier and the value tagged `[0]` (X.681 Annex C).
    InstanceOf {
        /// The class of the identified type.
        class: ClassId,
        /// The components of the SEQUENCE.
        fields: Fields,
    },
    /// A reference to another type.
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

/// A named number or bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNumber {
    /// The identifier of the number or bit.
    pub name: String,
    /// The number that the identifier denotes.
    pub number: Int,
    /// The position of the name.
    pub span: Span,
}

/// The items of an ENUMERATED, with all numbers assigned (X.680 §20).
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// All items in source order; additions come last.
    pub items: Vec<NamedNumber>,
    /// The number of items before the extension marker.
    pub root: usize,
    /// True if there is an extension marker.
    pub extensible: bool,
}

/// The components of a SEQUENCE or SET, or the alternatives of a CHOICE.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// All components in source order: root, additions, second root. COMPONENTS OF is expanded.
    pub list: Vec<Field>,
    /// The extension marker, if any.
    pub marker: Option<Marker>,
}

/// The position of extension additions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The index of the first addition.
    pub start: usize,
    /// The index of the first component after the second marker, or the number of components.
    pub end: usize,
    /// True if the marker comes from EXTENSIBILITY IMPLIED.
    pub implied: bool,
}

/// A component of a SEQUENCE or SET, or an alternative of a CHOICE.
#[derive(Clone, Debug)]
pub struct Field {
    /// The component's identifier.
    pub name: String,
    /// The component's type, including its tags.
    pub ty: TypeId,
    /// Presence: required, OPTIONAL or DEFAULT.
    pub presence: Presence,
    /// The number of the component's extension addition group, if any: the version number, or the group's position
    /// among the additions, from 1.
    pub group: Option<u32>,
    /// The component's source text.
    pub span: Span,
}

/// The presence requirement of a component.
#[derive(Clone, Debug)]
pub enum Presence {
    /// The component is mandatory.
    Required,
    /// OPTIONAL.
    Optional,
    /// DEFAULT.
    Default(Default),
}

/// The default value of a component.
#[derive(Clone, Debug)]
pub struct Default {
    /// The default value.
    pub value: Value,
    /// The DEFAULT's source text.
    pub span: Span,
}

/// The element of a SEQUENCE OF or SET OF.
#[derive(Clone, Debug)]
pub struct ListElement {
    /// The element's identifier, if any.
    pub name: Option<String>,
    /// The element's type.
    pub ty: TypeId,
}

/// A type that is determined by an information object.
#[derive(Clone, Debug)]
pub struct OpenType {
    /// The class of the fields that determine the type; `None` for ANY.
    pub class: Option<ClassId>,
    /// The path of fields, each with its `&`.
    pub field: Vec<String>,
    /// The object set, and the selectors of its row. See also [`Model::rows`](crate::model::Model::rows).
    pub table: Option<Table>,
    /// The component named by `ANY DEFINED BY`.
    pub defined_by: Option<String>,
    /// The type fixed for all objects by a `(CONSTRAINED BY)` or `(Type)` constraint (X.682 §8, X.681 §14.5).
    pub fixed: Option<TypeId>,
}

impl Shape {
    /// Returns the built-in type's X.680 name. Open types return `an open type`; references and the types of object fields return
    /// `another type`.
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
    /// Returns the type's name, such as `UTF8String`.
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
    /// Returns the type's name, such as `UTCTime`.
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
