//! Run-time ASN.1 types: converts the schema compiler's model to the tables that drive the codec's engines.
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
//! A type is a [`Dynamic`], which decodes and encodes values; its [`types`](Dynamic::types) print and explain them.
//! Conversions from BER and CER use [`Schema::tables`].
//!
//! # Unenforced constraints
//!
//! [`Schema::unchecked`] lists constraints that are not enforced: user-defined constraints (CONSTRAINED BY), regular
//! expressions with character names, time recurrences (SETTINGS), time ranges, constraints on the components of REAL, EXTERNAL,
//! EMBEDDED PDV and CHARACTER STRING, and contents under encoding rules other than BER, CER and DER (ENCODED BY).
#![forbid(unsafe_code)]

mod build;
mod constraint;
mod instructions;
mod json;
mod names;
mod objects;
mod plan;
mod settings;
mod unchecked;
pub mod untagged;
mod xml;

use std::fmt;

use tagwise_codec::table;
use tagwise_codec::value::Dynamic;
pub use tagwise_oer as oer;
pub use tagwise_per as per;
use tagwise_per::plan::Plan;
use tagwise_schema::{Compilation, Model, Options, Span};
pub use tagwise_schema::{Departure, Limits, Options as SchemaOptions, Source};
pub use tagwise_xer as xer;

pub use crate::names::{Name, NameError};
pub use crate::unchecked::{Unchecked, What};
use crate::untagged::{Rules, Untagged};

/// Compiled modules, with their types by name.
///
/// See the crate's example.
#[derive(Clone, Debug)]
pub struct Schema {
    tables: table::Schema,
    names: Vec<Name>,
    unchecked: Vec<Unchecked>,
    /// The tables whose constraints are in `unchecked`, each with an index in it, in order.
    places: Vec<(u32, u32)>,
    plan: Plan,
    xml: tagwise_xer::plan::Plan,
}

/// The reason that a [`Schema`] could not be created.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The modules have errors; see [`Compilation::render`].
    Modules(Box<Compilation>),
    /// The modules are valid but cannot be fully converted to tables.
    Tables(Vec<Problem>),
}

/// A part of a schema that cannot be converted to tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The error message.
    pub message: String,
    /// The problem's position in the schema.
    pub span: Span,
    /// File, line and column: `m.asn1:3:14`.
    pub place: String,
    /// True if the only problem is that the tables would exceed the schema's [allowance](Model::allowance).
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
    /// Compiles modules. All imported modules must be included.
    ///
    /// # Errors
    /// Returns [`Error::Modules`] with all compiler messages if they contain errors, or [`Error::Tables`] for values or
    /// numbers that tables do not support.
    pub fn compile(sources: impl IntoIterator<Item = Source>) -> Result<Self, Error> {
        Self::compile_within(sources, &Limits::DEFAULT)
    }

    /// Compiles modules within limits, which also apply to the tables.
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
    /// Returns the same errors as [`Schema::compile`], or an error if a limit is exceeded.
    pub fn compile_within(sources: impl IntoIterator<Item = Source>, limits: &Limits) -> Result<Self, Error> {
        Self::compile_with(sources, &Options::within(*limits))
    }

    /// Compiles modules within limits, with named departures from X.680 allowed.
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
    /// Returns the same errors as [`Schema::compile_within`].
    pub fn compile_with(sources: impl IntoIterator<Item = Source>, options: &Options) -> Result<Self, Error> {
        let compilation = tagwise_schema::compile_with(sources.into_iter().collect(), options);
        match compilation.model() {
            Some(model) => Self::from_model(model).map_err(Error::Tables),
            None => Err(Error::Modules(Box::new(compilation))),
        }
    }

    /// Converts a model to tables.
    ///
    /// # Errors
    /// Returns all unsupported parts: ENUMERATED numbers beyond 64 bits, and DEFAULT values that cannot be encoded.
    pub fn from_model(model: &Model) -> Result<Self, Vec<Problem>> {
        let built = build::build(model)?;
        let (names, plan) = (names::names(model), plan::build(model));
        let xml = xml::build(model, &built);
        Ok(Self { tables: built.tables, names, unchecked: built.unchecked, places: built.places, plan, xml })
    }

    /// Returns the type with the given name: `Certificate`, or `PKIX1Explicit88.Certificate` if several modules define
    /// it.
    ///
    /// # Errors
    /// Returns an error if no type has the name, or if several modules define it.
    pub fn ty(&self, name: &str) -> Result<Dynamic<'_>, NameError> {
        let index = names::find(&self.names, name)?;
        let ty = self.tables.types.get(index as usize).ok_or(NameError::Unknown { near: None })?;
        Ok(Dynamic::new(ty).schema(&self.tables))
    }

    /// Returns the type with the given name, as in [`ty`](Self::ty), for the Packed Encoding Rules.
    ///
    /// ```
    /// use tagwise_per::Variant;
    /// use tagwise_tables::{Schema, Source};
    /// let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { x INTEGER (0..7), y BOOLEAN OPTIONAL } END";
    /// let schema = Schema::compile([Source::new("m.asn1", text)])?;
    /// let a = schema.per("A")?.variant(Variant::UNALIGNED);
    /// let read = a.decode(&[0b1101_1000])?;
    /// assert_eq!(tagwise_jer::to_string(schema.ty("A")?.types(), &read.value), r#"{"x":5,"y":true}"#);
    /// assert_eq!(a.encode(&read.value)?, [0b1101_1000]);
    /// let error = a.decode(&[0b0101_0100]).unwrap_err();
    /// assert_eq!(error.to_string(), "padding bits are not zero, at bit 4 (X.691 §11.1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if no type has the name, or if several modules define it.
    pub fn per(&self, name: &str) -> Result<tagwise_per::Type<'_>, NameError> {
        let index = names::find(&self.names, name)?;
        tagwise_per::Type::new(&self.tables, &self.plan, index).ok_or(NameError::Unknown { near: None })
    }

    /// Returns the type with the given name, as in [`ty`](Self::ty), for the Octet Encoding Rules.
    ///
    /// ```
    /// use tagwise_tables::{Schema, Source};
    /// let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { x INTEGER (0..7), y BOOLEAN OPTIONAL } END";
    /// let schema = Schema::compile([Source::new("m.asn1", text)])?;
    /// let a = schema.oer("A")?;
    /// let value = a.decode(&[0x80, 5, 0xFF])?.value;
    /// assert_eq!(tagwise_jer::to_string(schema.ty("A")?.types(), &value), r#"{"x":5,"y":true}"#);
    /// assert_eq!(a.encode(&value)?, [0x80, 5, 0xFF]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if no type has the name, or if several modules define it.
    pub fn oer(&self, name: &str) -> Result<tagwise_oer::Type<'_>, NameError> {
        let index = names::find(&self.names, name)?;
        tagwise_oer::Type::new(&self.tables, &self.plan, index).ok_or(NameError::Unknown { near: None })
    }

    /// Returns the type with the given name, as in [`ty`](Self::ty), for encoding rules without tags.
    ///
    /// ```
    /// use tagwise_tables::untagged::Rules;
    /// use tagwise_tables::{Schema, Source};
    /// let schema = Schema::compile([Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= INTEGER (0..7) END")])?;
    /// let value = schema.untagged("A", Rules::named("uper").ok_or("unknown")?)?.decode(&[0b1010_0000])?.value;
    /// assert_eq!(schema.untagged("A", Rules::Oer { canonical: true })?.encode(&value)?, [5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if no type has the name, or if several modules define it.
    pub fn untagged(&self, name: &str, rules: Rules) -> Result<Untagged<'_>, NameError> {
        let index = names::find(&self.names, name)?;
        Untagged::new(&self.tables, (&self.plan, &self.xml), index, rules).ok_or(NameError::Unknown { near: None })
    }

    /// Returns the type with the given name, as in [`ty`](Self::ty), for the XML Encoding Rules.
    ///
    /// ```
    /// use tagwise_tables::{Schema, Source};
    /// let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { x INTEGER (0..7), y BOOLEAN OPTIONAL } END";
    /// let schema = Schema::compile([Source::new("m.asn1", text)])?;
    /// let a = schema.xer("A")?;
    /// let read = a.decode(b"<A> <x>5</x> <y><true/></y> </A>")?;
    /// assert_eq!(tagwise_jer::to_string(schema.ty("A")?.types(), &read.value), r#"{"x":5,"y":true}"#);
    /// assert_eq!(a.encode(&read.value)?, b"<A><x>5</x><y><true/></y></A>");
    /// let error = a.decode(b"<A><x>8</x></A>").unwrap_err();
    /// assert_eq!(error.to_string(), "x: the value is 8; allowed 0..7, at byte 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if no type has the name, or if several modules define it.
    pub fn xer(&self, name: &str) -> Result<tagwise_xer::Type<'_>, NameError> {
        let index = names::find(&self.names, name)?;
        tagwise_xer::Type::new(&self.tables, &self.xml, index).ok_or(NameError::Unknown { near: None })
    }

    /// Returns the type for one of the schema's [names](Self::names).
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

    /// All named types, in module order.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// Encodes a value of the underlying model to DER, in the form of
    /// [`Constraint::Values`](table::Constraint::Values): without the tags and constraints of the type numbered `ty`.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, or is a REAL outside the range of `f64`.
    pub fn single_value(&self, ty: u32, value: &tagwise_schema::model::Value) -> Result<Vec<u8>, String> {
        build::single_value(&self.tables, ty, value)
    }

    /// Encodes a value of the underlying model to DER, without the first `tags` tags of the type numbered `ty`.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, or is a REAL outside the range of `f64`.
    pub fn untagged_value(
        &self,
        ty: u32,
        tags: usize,
        value: &tagwise_schema::model::Value,
    ) -> Result<Vec<u8>, String> {
        build::untagged_value(&self.tables, ty, tags, value)
    }

    /// Returns the tables, for functions that take a type and a schema.
    #[must_use]
    pub const fn tables(&self) -> &table::Schema {
        &self.tables
    }

    /// Returns the layouts of the types under encoding rules without tags, with the types' indices in the tables.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }
}
