//! The rows of the tables: an operation on an input, in groups that share a part of the report.

mod list;

pub use list::all;

use crate::parsed::Field;

/// What is done to the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// The frame of a certificate: times and OIDs checked; names, extension values and the key left raw.
    Outline,
    /// The deepest checking that one parsing call of the library does.
    Strict,
    /// Entries of serial, issuer, subject, key and validity for a store, in bulk.
    Index,
    /// Parse, then read what synta's published "parse + fields" reads: every field outside extensions, with two
    /// fresh strings for the names and the algorithms in the library's cheapest form.
    Fields,
    /// The same, both algorithms as fresh dotted text, and every extension's OID, criticality and value.
    AllFields,
    /// One schema-less element, its inside left alone.
    WalkLazy,
    /// Every schema-less element down to the leaves.
    WalkEager,
    /// A certificate from its decoded value.
    EncodeCert,
    /// Decode a certificate and encode the value again.
    Recode,
    /// The same round trip without a schema: every element decoded, then encoded.
    RecodeElement,
    /// One field of a certificate that is parsed already.
    Access(Field),
    /// The links of one chain from leaf to root: parse all, compare names.
    Chain,
    /// Parents and depths of a whole store: parse all, find each issuer.
    Tree,
    /// Everything checked, fingerprinted and counted, as a scan of a store does.
    Scan,
    /// The shallow parse of everything, divided among so many threads.
    Threads(usize),
    /// The deep parse of everything, divided among so many threads.
    ThreadsStrict(usize),
    /// Tag and length only.
    Header,
    /// A small value.
    Decode(Prim),
    /// The same small value.
    Encode(Prim),
}

/// The small values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prim {
    /// An INTEGER as the library's general type, of any size.
    Integer,
    /// An INTEGER as `i64`.
    I64,
    /// An INTEGER as `i128`.
    I128,
    /// An OCTET STRING.
    Octets,
    /// `SEQUENCE { id INTEGER, flag BOOLEAN, data OCTET STRING }` by the library's derive.
    Seq3,
    /// The same written by hand.
    Seq3Hand,
    /// `SEQUENCE { level INTEGER, inner SEQUENCE { id, flag, data } }` by the derive.
    Nested,
    /// `SEQUENCE { a INTEGER (0..200), b INTEGER (0..10000), c INTEGER (-1000000000..1000000000) }`.
    Bounded,
    /// `INTEGER (0..200)`.
    U8,
    /// `INTEGER (0..10000)`.
    U16,
    /// `INTEGER (-1000..1000)`.
    I16,
    /// `INTEGER (-1000000000..1000000000)`.
    BoundedI64,
}

/// A row of a table.
#[derive(Debug, Clone)]
pub struct Row {
    /// Unique, as `operation/input`.
    pub id: String,
    /// The report that it belongs to.
    pub group: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What is done.
    pub op: Op,
    /// The name of what it is done to.
    pub input: String,
}
