//! OpenSSL's names of object identifiers (`openssl list -objects`) and curves, as data: `objects.tsv` has an identifier, its short
//! name and its long name where that is another; `curves.tsv` a curve's short name, the length of its order in bits, and what
//! NIST calls it.

use core::fmt::{self, Write};
use std::collections::HashMap;
use std::sync::LazyLock;

use tagwise_codec::Oid;

/// The names of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    pub(super) short: &'static str,
    pub(super) long: &'static str,
}

/// A curve that has a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    /// Number of bits of the group's order.
    pub(super) bits: u32,
    pub(super) nist: Option<&'static str>,
}

static OBJECTS: LazyLock<HashMap<Box<[u8]>, Object>> = LazyLock::new(|| {
    let object = |line: &'static str| {
        let mut columns = line.split('\t');
        let (dotted, short) = (columns.next()?, columns.next()?);
        let octets = tagwise_codec::value::from_dotted(dotted)?;
        Some((octets.into(), Object { short, long: columns.next().unwrap_or(short) }))
    };
    include_str!("objects.tsv").lines().filter_map(object).collect()
});

static CURVES: LazyLock<HashMap<&'static str, Curve>> = LazyLock::new(|| {
    let curve = |line: &'static str| {
        let mut columns = line.split('\t');
        let (name, bits) = (columns.next()?, columns.next()?.parse().ok()?);
        Some((name, Curve { bits, nist: columns.next() }))
    };
    include_str!("curves.tsv").lines().filter_map(curve).collect()
});

/// The names of an identifier, by its content octets.
pub(super) fn lookup(oid: &[u8]) -> Option<Object> {
    OBJECTS.get(oid).copied()
}

/// A curve by its short name.
pub(super) fn curve(short: &str) -> Option<Curve> {
    CURVES.get(short).copied()
}

/// Returns whether OpenSSL takes bytes as an identifier.
pub(super) fn is_object(oid: &[u8]) -> bool {
    Oid::from_content(oid).is_ok()
}

/// `i2a_ASN1_OBJECT`: the long name, or the identifier in dotted form.
pub(super) fn long(oid: &[u8], out: &mut dyn Write) -> fmt::Result {
    match (lookup(oid), Oid::from_content(oid)) {
        (Some(object), _) => out.write_str(object.long),
        (None, Ok(oid)) => write!(out, "{oid}"),
        (None, Err(_)) => out.write_str("<INVALID>"),
    }
}
