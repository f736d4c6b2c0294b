//! Every row, group by group.

use super::{Op, Prim, Row};
use crate::parsed::Field;

/// Published tables use these five NIST certificates; `inputs` has them one by one.
const SINGLE: [&str; 8] = [
    "no-policies-2",
    "same-policies-10",
    "same-policies-13",
    "any-policy-11",
    "any-policy-14",
    "ml-dsa-44",
    "ml-dsa-65",
    "ml-dsa-87",
];

const SETS: [&str; 3] = ["pkits", "mozilla", "ccadb"];

/// Parts of the large set, and its twin with post-quantum keys.
const PARTS: [&str; 7] = [
    "ccadb-roots",
    "ccadb-intermediates",
    "ccadb-median",
    "ccadb-largest",
    "rekeyed",
    "rekeyed-roots",
    "rekeyed-intermediates",
];

const FIELDS: [(&str, &str, Field); 12] = [
    ("serial", "Access: serial number", Field::Serial),
    ("issuer", "Access: issuer as DER", Field::Issuer),
    ("subject", "Access: subject as DER", Field::Subject),
    ("issuer-text", "Access: issuer as fresh text", Field::IssuerText),
    ("subject-text", "Access: subject as fresh text", Field::SubjectText),
    ("validity", "Access: both times as seconds", Field::Validity),
    (
        "algorithm",
        "Access: signature algorithm as dotted text",
        Field::Algorithm,
    ),
    (
        "key-algorithm",
        "Access: key algorithm as dotted text",
        Field::KeyAlgorithm,
    ),
    ("key", "Access: public key bits", Field::Key),
    ("signature", "Access: signature", Field::Signature),
    (
        "extensions",
        "Access: every extension's criticality and value",
        Field::Extensions,
    ),
    (
        "basic-constraints",
        "Access: BasicConstraints decoded",
        Field::BasicConstraints,
    ),
];

/// Every row.
#[must_use]
pub fn all() -> Vec<Row> {
    let mut rows = Rows(Vec::new());
    certificates(&mut rows);
    encodings(&mut rows);
    primitives(&mut rows);
    growth(&mut rows);
    stores(&mut rows);
    rows.0
}

struct Rows(Vec<Row>);

impl Rows {
    fn add(&mut self, group: &'static str, name: &str, title: &'static str, op: Op, inputs: &[&str]) {
        for &input in inputs {
            self.0.push(Row {
                id: format!("{name}/{input}"),
                group,
                title,
                op,
                input: input.to_owned(),
            });
        }
    }
}

fn certificates(rows: &mut Rows) {
    let outline = "Parse only: names, extension values and key deferred where the library can";
    let strict = "Full check: the deepest checking that one call does";
    let read = "Parse and read everything: all fields, dotted OIDs as fresh text, each extension";
    rows.add("outline", "outline", outline, Op::Outline, &SETS);
    rows.add("strict", "strict", strict, Op::Strict, &SETS);
    rows.add(
        "index",
        "index",
        "Store index: serial, issuer, subject, key, validity",
        Op::Index,
        &SETS,
    );
    let fields = "Parse and read the fields outside extensions, both names as fresh text";
    rows.add("fields", "fields", fields, Op::Fields, &SETS);
    rows.add("fields", "all-fields", read, Op::AllFields, &SETS);
    rows.add("single", "outline", outline, Op::Outline, &SINGLE);
    rows.add("single", "all-fields", read, Op::AllFields, &SINGLE);
    rows.add("sets", "outline", outline, Op::Outline, &PARTS);
    rows.add("sets", "all-fields", read, Op::AllFields, &PARTS);
    for (name, title, field) in FIELDS {
        rows.add(
            "access",
            &format!("access-{name}"),
            title,
            Op::Access(field),
            &["mozilla"],
        );
    }
}

fn encodings(rows: &mut Rows) {
    let sets = &SETS[..2];
    rows.add("walk", "walk-lazy", "Schema-less element, lazy", Op::WalkLazy, sets);
    rows.add(
        "walk",
        "walk-eager",
        "Schema-less walk of every element, eager",
        Op::WalkEager,
        sets,
    );
    rows.add("encode", "encode", "Encode a decoded certificate", Op::EncodeCert, sets);
    rows.add(
        "encode",
        "recode",
        "Round trip, typed: decode and encode a certificate",
        Op::Recode,
        sets,
    );
    let element = "Round trip, schema-less: decode every element and encode it";
    rows.add("encode", "recode-element", element, Op::RecodeElement, sets);
}

fn primitives(rows: &mut Rows) {
    let integers = ["int-42", "int-i64max", "int-i128max"];
    let octets = ["octets-16", "octets-64", "octets-256", "octets-1024"];
    let mut add = |name: &str, title, op, inputs: &[&str]| rows.add("primitives", name, title, op, inputs);
    add("header", "Tag and length", Op::Header, &["octets-16", "octets-1024"]);
    let mut both = |name: &str, decode, encode, prim, inputs: &[&str]| {
        add(&format!("decode-{name}"), decode, Op::Decode(prim), inputs);
        add(&format!("encode-{name}"), encode, Op::Encode(prim), inputs);
    };
    both(
        "integer",
        "Decode INTEGER, the library's general type",
        "Encode INTEGER, the library's general type",
        Prim::Integer,
        &integers,
    );
    both(
        "i64",
        "Decode INTEGER to i64",
        "Encode INTEGER from i64",
        Prim::I64,
        &integers[..2],
    );
    both(
        "i128",
        "Decode INTEGER to i128",
        "Encode INTEGER from i128",
        Prim::I128,
        &integers[2..],
    );
    both(
        "octets",
        "Decode OCTET STRING, borrowed",
        "Encode OCTET STRING",
        Prim::Octets,
        &octets,
    );
    both(
        "seq3",
        "Decode a SEQUENCE of three, derived",
        "Encode a SEQUENCE of three, derived",
        Prim::Seq3,
        &["seq3"],
    );
    both(
        "seq3-hand",
        "Decode a SEQUENCE of three, by hand",
        "Encode a SEQUENCE of three, by hand",
        Prim::Seq3Hand,
        &["seq3"],
    );
    both(
        "nested",
        "Decode nested SEQUENCEs, derived",
        "Encode nested SEQUENCEs, derived",
        Prim::Nested,
        &["nested"],
    );
    both(
        "bounded",
        "Decode three constrained INTEGERs",
        "Encode three constrained INTEGERs",
        Prim::Bounded,
        &["bounded"],
    );
    both(
        "u8",
        "Decode INTEGER (0..200)",
        "Encode INTEGER (0..200)",
        Prim::U8,
        &["int-200"],
    );
    both(
        "u16",
        "Decode INTEGER (0..10000)",
        "Encode INTEGER (0..10000)",
        Prim::U16,
        &["int-9999"],
    );
    both(
        "i16",
        "Decode INTEGER (-1000..1000)",
        "Encode INTEGER (-1000..1000)",
        Prim::I16,
        &["int--999"],
    );
    both(
        "i64-bounded",
        "Decode INTEGER (-1000000000..1000000000)",
        "Encode INTEGER (-1000000000..1000000000)",
        Prim::BoundedI64,
        &["int--1000000000"],
    );
}

fn growth(rows: &mut Rows) {
    let padded = ["padded-256", "padded-512", "padded-1024", "padded-2048", "padded-5120"];
    let signature = "Parse of one certificate as its signature grows";
    rows.add("growth", "outline", signature, Op::Outline, &padded);
    let named = ["named-8", "named-32", "named-128", "named-512", "named-2048"];
    let size = "Parse of one certificate as it grows by alternative names";
    rows.add("growth", "outline", size, Op::Outline, &named);
    let deep = "Full check of one certificate as it grows by alternative names";
    rows.add("growth", "strict", deep, Op::Strict, &named);
}

fn stores(rows: &mut Rows) {
    let chain = "Trust chain: parse every certificate of a chain and compare names";
    rows.add("store", "chain", chain, Op::Chain, &["ccadb-chain", "rekeyed-chain"]);
    let tree = "Dependency tree: parse a store, find each issuer, number the depths";
    rows.add("store", "tree", tree, Op::Tree, &["mozilla", "ccadb", "rekeyed"]);
    let scan = "Scan: every octet checked, fingerprints, counts by algorithm and validity";
    rows.add("store", "scan", scan, Op::Scan, &["mozilla", "ccadb", "rekeyed"]);
    let sizes = ["store-100", "store-1000", "store-10000", "store-100000"];
    rows.add("scale", "outline", "Parse of a store as it grows", Op::Outline, &sizes);
    rows.add(
        "scale",
        "tree",
        "Dependency tree of a store as it grows",
        Op::Tree,
        &sizes,
    );
    for (count, name) in [(1, "threads-1"), (2, "threads-2"), (4, "threads-4")] {
        let title = "Parse of a store by threads, the wall's clock";
        rows.add("scale", name, title, Op::Threads(count), &["ccadb"]);
        let title = "Full check of a store by threads, the wall's clock";
        rows.add(
            "scale",
            &format!("strict-{name}"),
            title,
            Op::ThreadsStrict(count),
            &["ccadb"],
        );
    }
}
