//! Layouts: what XML encodings depend on besides the tables.

use tagwise_codec::table::{Shape, StringKind, TimeKind};

use crate::instructions::Instructions;

/// The layouts of a schema's types, by the types' indices in the tables.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The layouts.
    pub layouts: Vec<Layout>,
}

/// The layout of a type's encodings.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The name of the type's element: the type's name, or the name of its built-in type (X.680 §14.2, Table 4).
    pub name: Box<str>,
    /// The index of the type that the name belongs to, if it is another one.
    pub named_by: Option<u32>,
    /// The identifier of the elements of a SEQUENCE OF or SET OF, if any.
    pub item: Option<Box<str>>,
    /// The indices of a SET's components in the order of their tags (X.680 §8.6).
    pub order: Vec<u32>,
    /// The indices of the types of components or alternatives, with their own constraints.
    pub fields: Box<[u32]>,
    /// The encoding instructions of the type, including those of referenced types.
    pub instructions: Option<Box<Instructions>>,
}

impl Plan {
    /// Returns the layout of the type with an index.
    #[must_use]
    pub fn get(&self, index: u32) -> Option<&Layout> {
        self.layouts.get(index as usize)
    }
}

/// Returns the element name of a built-in type (X.680 Table 4).
///
/// ```
/// use tagwise_codec::table::Shape;
/// assert_eq!(tagwise_xer::plan::built_in(&Shape::OctetString), "OCTET_STRING");
/// ```
#[must_use]
pub const fn built_in(shape: &Shape) -> &'static str {
    match shape {
        Shape::Boolean => "BOOLEAN",
        Shape::Integer(_) => "INTEGER",
        Shape::Enumerated { .. } => "ENUMERATED",
        Shape::Real => "REAL",
        Shape::BitString(_) => "BIT_STRING",
        Shape::OctetString => "OCTET_STRING",
        Shape::Null => "NULL",
        Shape::ObjectIdentifier => "OBJECT_IDENTIFIER",
        Shape::RelativeOid => "RELATIVE_OID",
        Shape::OidIri => "OID_IRI",
        Shape::RelativeOidIri => "RELATIVE_OID_IRI",
        Shape::String(kind) => match kind {
            StringKind::Utf8 => "UTF8String",
            StringKind::Numeric => "NumericString",
            StringKind::Printable => "PrintableString",
            StringKind::Teletex => "TeletexString",
            StringKind::Videotex => "VideotexString",
            StringKind::Ia5 => "IA5String",
            StringKind::Graphic => "GraphicString",
            StringKind::Visible => "VisibleString",
            StringKind::General => "GeneralString",
            StringKind::Universal => "UniversalString",
            StringKind::Bmp => "BMPString",
            StringKind::ObjectDescriptor => "ObjectDescriptor",
        },
        Shape::Time(kind) => match kind {
            TimeKind::Utc => "UTCTime",
            TimeKind::Generalized => "GeneralizedTime",
            TimeKind::Time => "TIME",
            TimeKind::Date => "DATE",
            TimeKind::TimeOfDay => "TIME_OF_DAY",
            TimeKind::DateTime => "DATE_TIME",
            TimeKind::Duration => "DURATION",
        },
        // EXTERNAL, EMBEDDED PDV and CHARACTER STRING have the name SEQUENCE, too.
        Shape::Presentation(_) | Shape::Sequence(_) => "SEQUENCE",
        Shape::Set(_) => "SET",
        Shape::SequenceOf(_) => "SEQUENCE_OF",
        Shape::SetOf(_) => "SET_OF",
        Shape::Choice { .. } => "CHOICE",
        Shape::Open { .. } => "OPEN_TYPE",
        Shape::Tagged { .. } | Shape::Named(_) => "",
    }
}
