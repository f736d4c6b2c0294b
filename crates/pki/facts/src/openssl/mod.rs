//! OpenSSL's names of object identifiers (`openssl list -objects`) and curves. `objects.tsv` contains identifiers,
//! short names, and long names if different. `curves.tsv` contains the curves' short names, order lengths in bits, and
//! NIST names.

use std::collections::HashMap;
use std::sync::LazyLock;

/// OpenSSL's names of an object identifier.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// The short name.
    pub short: &'static str,
    /// The long name, or the short name if there is none.
    pub long: &'static str,
}

/// An elliptic curve that OpenSSL supports by name.
#[derive(Clone, Copy, Debug)]
pub struct Curve {
    /// The length of the group order in bits.
    pub bits: u32,
    /// The curve's NIST name, if any.
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

/// Returns OpenSSL's names of an object identifier, given its content bytes.
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

/// Returns the curve with the given short name.
#[must_use]
pub fn curve(short: &str) -> Option<Curve> {
    CURVES.get(short).copied()
}
