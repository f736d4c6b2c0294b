//! ASN.1 modules as types at run time: what the schema compiler's model says, as the tables that the codec's engines work by.
//!
//! ```
//! use tagwise_tables::{Schema, Source};
//! let text = "Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!   Point ::= SEQUENCE { x INTEGER (0..100), y INTEGER DEFAULT 7, name UTF8String OPTIONAL }
//! END";
//! let schema = Schema::compile([Source::new("example.asn1", text)])?;
//! let point = schema.ty("Point")?;
//! let value = point.decode(&[0x30, 0x03, 0x80, 0x01, 0x05])?.value;
//! assert_eq!(tagwise_jer::to_string(point.types(), &value), r#"{"x":5}"#);
//! let error = point.decode(&[0x30, 0x03, 0x80, 0x01, 0x65]).unwrap_err();
//! assert_eq!(error.to_string(), "x: the value is 101; allowed 0..100, at byte 2 (X.680 §51.4)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A type is a [`Dynamic`]: it decodes and encodes values, its [`types`](Dynamic::types) print and explain them, and
//! [`Schema::tables`] is what conversions of BER and CER take.
//!
//! # What is not held
//!
//! What values are not held to, [`Schema::unchecked`] lists: conditions in words (CONSTRAINED BY), regular expressions with names of
//! characters, how often a time recurs (SETTINGS), ranges of times.
#![forbid(unsafe_code)]

mod build;
mod constraint;
mod json;
mod names;
mod objects;

use std::fmt;

use tagwise_codec::table;
use tagwise_codec::value::Dynamic;
use tagwise_schema::{Compilation, Model, Options, Span};
pub use tagwise_schema::{Departure, Limits, Options as SchemaOptions, Source};

pub use crate::names::{Name, NameError};

/// Compiled modules: their types, by name.
///
/// See the crate's example.
#[derive(Clone, Debug)]
pub struct Schema {
    tables: table::Schema,
    names: Vec<Name>,
    unchecked: Vec<Unchecked>,
}

/// Something that a schema says and tables do not hold values to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// Kind of the condition.
    pub what: What,
    /// Its text in the schema, as far as it is known.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// Kind of a condition that values are not held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// A condition in words (X.682 §9).
    Words,
    /// A regular expression (X.680 Annex A) that names characters that are not known, or is too large.
    Pattern,
    /// SETTINGS of times (X.680 §51.10) that say how often something recurs.
    Settings,
    /// A constraint that allows less than what is held: a range of times (X.680 §51.11 to §51.13), or set arithmetic that is too
    /// large.
    Inexact,
    /// A table constraint (X.682 §10) on a value that is no open type, by a set that has nothing in that field.
    Table,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Words => "a condition in words",
            Self::Pattern => "a regular expression that names characters that are not known, or is too large",
            Self::Settings => "how often a time recurs",
            Self::Inexact => "a range of times, or arithmetic that is too large",
            Self::Table => "a table constraint by a set that has no values",
        })
    }
}

/// Reason why there is no [`Schema`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The modules have errors; [`Compilation::render`] says which.
    Modules(Box<Compilation>),
    /// The modules are right, but there are no tables for something in them.
    Tables(Vec<Problem>),
}

/// Something that tables cannot be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Description of the error.
    pub message: String,
    /// Its place.
    pub span: Span,
    /// File, line and column, as `m.asn1:3:14`.
    pub place: String,
    /// True if the only problem is that the tables would be larger than the [allowance](Model::allowance) of the
    /// schema.
    pub is_limit: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Modules(compilation) => f.write_str(compilation.render().trim_end()),
            Self::Tables(problems) => {
                for (index, problem) in problems.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "\n" };
                    write!(f, "{separator}{problem}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Error {}

impl Schema {
    /// Compiles modules; those they import are among them.
    ///
    /// # Errors
    /// [`Error::Modules`] if they are wrong, with all that the compiler has to say; [`Error::Tables`] if there are values or
    /// numbers in them that tables do not hold.
    pub fn compile(sources: impl IntoIterator<Item = Source>) -> Result<Self, Error> {
        Self::compile_within(sources, &Limits::DEFAULT)
    }

    /// Compiles modules within limits, which bound the tables too.
    ///
    /// ```
    /// use tagwise_schema::Limits;
    /// use tagwise_tables::{Schema, Source};
    /// let source = Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= SEQUENCE OF SEQUENCE OF NULL END");
    /// let mut limits = Limits::DEFAULT;
    /// limits.depth = 2;
    /// assert!(Schema::compile_within([source], &limits).is_err());
    /// ```
    ///
    /// # Errors
    /// Those of [`Schema::compile`], and what exceeds the limits.
    pub fn compile_within(sources: impl IntoIterator<Item = Source>, limits: &Limits) -> Result<Self, Error> {
        Self::compile_with(sources, &Options::within(*limits))
    }

    /// Compiles modules within limits, with departures from X.680 that are allowed by name.
    ///
    /// ```
    /// use tagwise_schema::{Departure, Options};
    /// use tagwise_tables::{Schema, Source};
    /// let source = Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= SEQUENCE { is_good BOOLEAN } END");
    /// let options = Options::default().allow(Departure::Underscore);
    /// assert!(Schema::compile_with([source.clone()], &options).is_ok());
    /// assert!(Schema::compile([source]).is_err());
    /// ```
    ///
    /// # Errors
    /// Those of [`Schema::compile_within`].
    pub fn compile_with(sources: impl IntoIterator<Item = Source>, options: &Options) -> Result<Self, Error> {
        let compilation = tagwise_schema::compile_with(sources.into_iter().collect(), options);
        match compilation.model() {
            Some(model) => Self::from_model(model).map_err(Error::Tables),
            None => Err(Error::Modules(Box::new(compilation))),
        }
    }

    /// Makes tables of a model.
    ///
    /// # Errors
    /// All that tables cannot be made of: an ENUMERATED number beyond 64 bits, a DEFAULT that does not encode.
    pub fn from_model(model: &Model) -> Result<Self, Vec<Problem>> {
        let built = build::build(model)?;
        Ok(Self { tables: built.tables, names: names::names(model), unchecked: built.unchecked })
    }

    /// The type of a name: `Certificate`, or `PKIX1Explicit88.Certificate` where several modules have one.
    ///
    /// # Errors
    /// If there is none of the name, or there are several.
    pub fn ty(&self, name: &str) -> Result<Dynamic<'_>, NameError> {
        let index = names::find(&self.names, name)?;
        let ty = self.tables.types.get(index as usize).ok_or(NameError::Unknown { near: None })?;
        Ok(Dynamic::new(ty).schema(&self.tables))
    }

    /// The type of one of the schema's [names](Self::names).
    ///
    /// ```
    /// use tagwise_tables::{Schema, Source};
    /// let schema = Schema::compile([Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= NULL END")])?;
    /// assert!(schema.named(&schema.names()[0]).is_some());
    /// # Ok::<(), tagwise_tables::Error>(())
    /// ```
    #[must_use]
    pub fn named(&self, name: &Name) -> Option<Dynamic<'_>> {
        let ty = self.tables.types.get(name.index as usize)?;
        Some(Dynamic::new(ty).schema(&self.tables))
    }

    /// All types that have names, in the order of the modules.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// The DER of a value of the model that the tables were made of, as [`Constraint::Values`](table::Constraint::Values) has it:
    /// without the tags and constraints of the type with the number `ty`.
    ///
    /// # Errors
    /// A value that is none of the type's, or a REAL that no double holds.
    pub fn single_value(&self, ty: u32, value: &tagwise_schema::model::Value) -> Result<Vec<u8>, String> {
        build::single_value(&self.tables, ty, value)
    }

    /// The DER of a value of the model that the tables were made of, without the first `tags` tags of the type with the number `ty`.
    ///
    /// # Errors
    /// A value that is none of the type's, or a REAL that no double holds.
    pub fn untagged_value(
        &self,
        ty: u32,
        tags: usize,
        value: &tagwise_schema::model::Value,
    ) -> Result<Vec<u8>, String> {
        build::untagged_value(&self.tables, ty, tags, value)
    }

    /// The tables, for what takes a type and a schema.
    #[must_use]
    pub const fn tables(&self) -> &table::Schema {
        &self.tables
    }

    /// Conditions of the modules that values are not held to.
    #[must_use]
    pub fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }
}
