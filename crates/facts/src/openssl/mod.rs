//! OpenSSL's names of object identifiers (`openssl list -objects`) and of curves, as data: `objects.tsv` has an identifier, its short
//! name and its long name where that is another; `curves.tsv` a curve's short name, the length of its order in bits, and what
//! NIST calls it.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The names of an object.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// The short name.
    pub short: &'static str,
    /// The long name; the short one where there is no other.
    pub long: &'static str,
}

/// A curve that has a name.
#[derive(Clone, Copy, Debug)]
pub struct Curve {
    /// Number of bits of the group's order.
    pub bits: u32,
    /// Its name by NIST, if it has one.
    pub nist: Option<&'static str>,
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

/// The names of an identifier, by its content.
///
/// ```
/// use tagwise_facts::openssl;
/// let names = openssl::lookup(&[0x55, 0x04, 0x03]).unwrap();
/// assert_eq!((names.short, names.long), ("CN", "commonName"));
/// ```
#[must_use]
pub fn lookup(oid: &[u8]) -> Option<Object> {
    OBJECTS.get(oid).copied()
}

/// A curve by its short name.
#[must_use]
pub fn curve(short: &str) -> Option<Curve> {
    CURVES.get(short).copied()
}
