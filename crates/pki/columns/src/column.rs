//! The description of a column: name, Arrow type, documentation and extractor.

use arrow_schema::{DataType, Field, Fields, TimeUnit};
use tagwise_codec::{Error, Oid};
use tagwise_pkix::{Name, oids};

use crate::options::Options;
use crate::row::{Read, Row};

/// A column that a [`Kernel`](crate::Kernel) can compute.
#[derive(Debug)]
pub struct Column {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) get: Get,
}

/// Passes the rows of a nested column to a function.
pub(crate) type Each = for<'r, 'a> fn(&'r Row<'a>, &mut dyn FnMut(&Row<'a>) -> Result<(), Error>) -> Read<()>;

/// Passes texts to a function.
pub(crate) type EachText = for<'r, 'a> fn(&'r Row<'a>, &mut dyn FnMut(&str)) -> Read<()>;

/// An extractor, which also determines the Arrow type.
#[derive(Debug)]
pub(crate) enum Get {
    Bool(for<'r, 'a> fn(&'r Row<'a>) -> Read<bool>),
    Int32(for<'r, 'a> fn(&'r Row<'a>) -> Read<i32>),
    Int64(for<'r, 'a> fn(&'r Row<'a>) -> Read<i64>),
    /// A point in time, in microseconds.
    Time(for<'r, 'a> fn(&'r Row<'a>) -> Read<i64>),
    /// Text, which is appended to the given string.
    Text(for<'r, 'a> fn(&'r Row<'a>, &mut String) -> Read<()>),
    /// A name, in RFC 4514 form. Names repeat.
    Name(for<'r, 'a> fn(&'r Row<'a>) -> Read<Name<'a>>),
    /// One of a few words.
    Word(for<'r, 'a> fn(&'r Row<'a>) -> Read<Word<'a>>),
    /// Bytes of the input.
    Bytes(for<'r, 'a> fn(&'r Row<'a>) -> Read<&'a [u8]>),
    /// A SHA-256 digest.
    Sha256(for<'r, 'a> fn(&'r Row<'a>) -> Read<&'a [u8]>),
    /// A SHA-1 digest.
    Sha1(for<'r, 'a> fn(&'r Row<'a>) -> Read<&'a [u8]>),
    /// A list of texts.
    Texts(EachText),
    /// A list of structures.
    Rows(&'static [Column], Each),
}

/// A word of a small vocabulary, or an object identifier without a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word<'a> {
    Known(&'static str),
    Id(Oid<'a>),
}

impl<'a> From<Oid<'a>> for Word<'a> {
    /// Returns the customary name of an identifier, or its dotted form.
    fn from(id: Oid<'a>) -> Self {
        let Some(info) = oids::lookup(id) else { return Self::Id(id) };
        // SKI and RSA-SHA1 are shorter, but standards use the full names.
        let whole = matches!(info.kind, oids::ObjectKind::Extension | oids::ObjectKind::Signature);
        Self::Known(if whole { info.name } else { info.short_name() })
    }
}

impl core::fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Known(word) => f.write_str(word),
            Self::Id(id) => id.fmt(f),
        }
    }
}

impl Column {
    /// Returns the column's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns a description of the column in a few words.
    #[must_use]
    pub const fn about(&self) -> &'static str {
        self.about
    }

    /// Returns the column's Arrow type.
    ///
    /// ```
    /// use tagwise_columns::{Kind, Options};
    /// let column = Kind::Certificate.columns().iter().find(|column| column.name() == "is_ca").unwrap();
    /// assert_eq!(column.data_type(&Options::default()).to_string(), "Boolean");
    /// ```
    #[must_use]
    pub fn data_type(&self, options: &Options) -> DataType {
        self.type_in(options, false)
    }

    /// Returns the type, which has no dictionary if it is inside another column.
    fn type_in(&self, options: &Options, nested: bool) -> DataType {
        match &self.get {
            Get::Bool(_) => DataType::Boolean,
            Get::Int32(_) => DataType::Int32,
            Get::Int64(_) => DataType::Int64,
            Get::Time(_) => time_type(),
            Get::Name(_) | Get::Word(_) if !nested && !options.plain => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            }
            Get::Text(_) | Get::Name(_) | Get::Word(_) => DataType::Utf8,
            Get::Bytes(_) if !options.plain => DataType::BinaryView,
            Get::Bytes(_) | Get::Sha256(_) | Get::Sha1(_) => DataType::Binary,
            Get::Texts(_) => DataType::List(texts_field()),
            Get::Rows(columns, _) => DataType::List(rows_field(columns, options)),
        }
    }
}

/// The type of times: microseconds, which Spark requires and all engines support.
pub(crate) fn time_type() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// The field of the items of a list of texts.
pub(crate) fn texts_field() -> arrow_schema::FieldRef {
    Field::new("item", DataType::Utf8, true).into()
}

/// The fields of nested columns.
pub(crate) fn nested_fields(columns: &[Column], options: &Options) -> Fields {
    columns.iter().map(|column| Field::new(column.name, column.type_in(options, true), true)).collect()
}

/// The field of the items of a list of structures.
pub(crate) fn rows_field(columns: &[Column], options: &Options) -> arrow_schema::FieldRef {
    Field::new("item", DataType::Struct(nested_fields(columns, options)), true).into()
}
