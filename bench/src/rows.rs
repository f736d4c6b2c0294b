//! The rows of the tables: an operation on an input, in groups that share a report.

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
    pub input: &'static str,
}

/// Every row, group by group.
#[must_use]
pub fn all() -> Vec<Row> {
    let sets = ["pkits", "mozilla", "ccadb"];
    let integers = ["int-42", "int-i64max", "int-i128max"];
    let octets = ["octets-16", "octets-64", "octets-256", "octets-1024"];
    let mut rows = Vec::new();
    let mut add = |group, name: &str, title, op, inputs: &[&'static str]| {
        for &input in inputs {
            rows.push(Row {
                id: format!("{name}/{input}"),
                group,
                title,
                op,
                input,
            });
        }
    };
    add(
        "outline",
        "outline",
        "Certificate outline: parse with names, extension values and key deferred",
        Op::Outline,
        &sets,
    );
    add(
        "strict",
        "strict",
        "Full check: the deepest checking that one call does",
        Op::Strict,
        &sets,
    );
    add(
        "index",
        "index",
        "Store index: serial, issuer, subject, key, validity",
        Op::Index,
        &sets,
    );
    add(
        "fields",
        "fields",
        "Parse and read the fields outside extensions, both names as fresh text",
        Op::Fields,
        &sets,
    );
    add(
        "fields",
        "all-fields",
        "Parse and read everything: the same, dotted OIDs as fresh text, each extension",
        Op::AllFields,
        &sets,
    );
    add(
        "walk",
        "walk-lazy",
        "Schema-less element, lazy",
        Op::WalkLazy,
        &sets[..2],
    );
    add(
        "walk",
        "walk-eager",
        "Schema-less walk of every element",
        Op::WalkEager,
        &sets[..2],
    );
    add(
        "encode",
        "encode",
        "Encode a decoded certificate",
        Op::EncodeCert,
        &sets[..2],
    );
    add(
        "encode",
        "recode",
        "Decode and encode a certificate",
        Op::Recode,
        &sets[..2],
    );
    add(
        "primitives",
        "header",
        "Tag and length",
        Op::Header,
        &["octets-16", "octets-1024"],
    );
    add(
        "primitives",
        "decode-integer",
        "Decode INTEGER, the library's general type",
        Op::Decode(Prim::Integer),
        &integers,
    );
    add(
        "primitives",
        "decode-i64",
        "Decode INTEGER to i64",
        Op::Decode(Prim::I64),
        &integers[..2],
    );
    add(
        "primitives",
        "decode-i128",
        "Decode INTEGER to i128",
        Op::Decode(Prim::I128),
        &integers[2..],
    );
    add(
        "primitives",
        "encode-integer",
        "Encode INTEGER, the library's general type",
        Op::Encode(Prim::Integer),
        &integers,
    );
    add(
        "primitives",
        "encode-i64",
        "Encode INTEGER from i64",
        Op::Encode(Prim::I64),
        &integers[..2],
    );
    add(
        "primitives",
        "encode-i128",
        "Encode INTEGER from i128",
        Op::Encode(Prim::I128),
        &integers[2..],
    );
    add(
        "primitives",
        "decode-octets",
        "Decode OCTET STRING, borrowed",
        Op::Decode(Prim::Octets),
        &octets,
    );
    add(
        "primitives",
        "encode-octets",
        "Encode OCTET STRING",
        Op::Encode(Prim::Octets),
        &octets,
    );
    add(
        "primitives",
        "decode-seq3",
        "Decode a SEQUENCE of three, derived",
        Op::Decode(Prim::Seq3),
        &["seq3"],
    );
    add(
        "primitives",
        "decode-seq3-hand",
        "Decode a SEQUENCE of three, by hand",
        Op::Decode(Prim::Seq3Hand),
        &["seq3"],
    );
    add(
        "primitives",
        "encode-seq3",
        "Encode a SEQUENCE of three, derived",
        Op::Encode(Prim::Seq3),
        &["seq3"],
    );
    add(
        "primitives",
        "encode-seq3-hand",
        "Encode a SEQUENCE of three, by hand",
        Op::Encode(Prim::Seq3Hand),
        &["seq3"],
    );
    add(
        "primitives",
        "decode-nested",
        "Decode nested SEQUENCEs, derived",
        Op::Decode(Prim::Nested),
        &["nested"],
    );
    add(
        "primitives",
        "encode-nested",
        "Encode nested SEQUENCEs, derived",
        Op::Encode(Prim::Nested),
        &["nested"],
    );
    add(
        "primitives",
        "decode-bounded",
        "Decode three constrained INTEGERs",
        Op::Decode(Prim::Bounded),
        &["bounded"],
    );
    add(
        "primitives",
        "encode-bounded",
        "Encode three constrained INTEGERs",
        Op::Encode(Prim::Bounded),
        &["bounded"],
    );
    let padded = ["padded-256", "padded-512", "padded-1024", "padded-2048", "padded-5120"];
    add(
        "padded",
        "outline",
        "Outline of one certificate as its signature grows",
        Op::Outline,
        &padded,
    );
    rows
}
