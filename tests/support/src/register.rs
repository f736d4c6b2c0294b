//! Registers of deviations, which are compared only with data that is present.
//!
//! A row whose data set is missing is neither confirmed nor refuted. It is excluded from the comparison, and the test
//! counts as skipped.

use std::collections::BTreeSet;

/// The sets of the corpora that rows of registers name, by the first part of an item.
const SETS: [&str; 19] = [
    "asn1-modules",
    "asn1crypto",
    "ber-strozhevsky",
    "ccadb",
    "crl",
    "fuzz",
    "kerberos",
    "lamps-pqc",
    "mozilla-roots",
    "mtc",
    "openssl",
    "pkits",
    "pyasn1-codec",
    "pyca",
    "rasn",
    "rfc-samples",
    "rustcrypto-formats",
    "x509-limbo",
    "x509-parser-assets",
];

/// Returns the set to which an item belongs, if the item's name begins with the name of a set.
#[must_use]
pub fn set_of(item: &str) -> Option<&'static str> {
    let first = item.split(['/', ' ', ':', '\t']).next().unwrap_or_default();
    SETS.into_iter().find(|set| *set == first)
}

/// Returns whether the data of an item is present. An item that names no set belongs to a test that has already checked for
/// its data.
#[must_use]
pub fn is_present(item: &str) -> bool {
    set_of(item).is_none_or(crate::has_corpus)
}

/// Splits rows into those whose data set is present and those whose data set is missing. The latter are recorded as
/// skipped.
///
/// # Panics
///
/// Panics if a set is absent and `CI=true`.
#[must_use]
pub fn comparable<T: AsRef<str>>(rows: impl IntoIterator<Item = T>) -> (Vec<T>, Vec<T>) {
    let (present, absent): (Vec<T>, Vec<T>) = rows.into_iter().partition(|row| is_present(row.as_ref()));
    let sets: BTreeSet<&str> = absent.iter().filter_map(|row| set_of(row.as_ref())).collect();
    for set in sets {
        crate::skip_for(set, &format!("no {set} in {}", crate::corpora().display()));
    }
    (present, absent)
}
