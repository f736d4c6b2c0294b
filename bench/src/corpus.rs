//! Finds and reads the certificate sets. Nothing is ever copied out of them.

use std::path::{Path, PathBuf};

/// A named set of certificates, each one DER value.
#[derive(Debug, Clone)]
pub struct CertSet {
    /// What tables and `--once` call it.
    pub name: &'static str,
    /// Says how many certificates of what size there are.
    pub about: String,
    /// The certificates.
    pub certs: Vec<Vec<u8>>,
}

impl CertSet {
    /// Makes a set and describes it by number and by size.
    #[must_use]
    pub fn new(name: &'static str, certs: Vec<Vec<u8>>) -> Self {
        let mut sizes: Vec<usize> = certs.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        let total: usize = sizes.iter().sum();
        let about = match (sizes.first(), sizes.get(sizes.len() / 2), sizes.last()) {
            (Some(min), Some(median), Some(max)) => format!(
                "{} certificates, {total} B (smallest {min} B, median {median} B, largest {max} B)",
                sizes.len()
            ),
            _ => "empty".to_owned(),
        };
        Self { name, about, certs }
    }
}

/// The corpora folder: `TAGWISE_CORPORA`, else `../shared/corpora` from the project's root.
#[must_use]
pub fn root() -> PathBuf {
    std::env::var_os("TAGWISE_CORPORA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora"),
        PathBuf::from,
    )
}

/// The five NIST PKITS certificates that published tables of parse times use (914 to 968 bytes).
///
/// # Errors
/// Says which file could not be read.
pub fn pkits() -> Result<CertSet, String> {
    let names = [
        "AllCertificatesNoPoliciesTest2EE",
        "AllCertificatesSamePoliciesTest10EE",
        "AllCertificatesSamePoliciesTest13EE",
        "AllCertificatesanyPolicyTest11EE",
        "AnyPolicyTest14EE",
    ];
    let certs = names
        .iter()
        .map(|name| read(&format!("pkits/certs/{name}.crt")))
        .collect::<Result<_, _>>()?;
    Ok(CertSet::new("pkits", certs))
}

/// The roots of Mozilla's certdata.txt.
///
/// # Errors
/// Says which file could not be read or cut into values.
pub fn mozilla() -> Result<CertSet, String> {
    Ok(CertSet::new(
        "mozilla",
        split(&read("mozilla-roots/mozilla-180-roots.der")?)?,
    ))
}

/// Every certificate of the Common CA Database.
///
/// # Errors
/// Says which file could not be read or cut into values.
pub fn ccadb() -> Result<CertSet, String> {
    Ok(CertSet::new("ccadb", split(&read("ccadb/certs.der")?)?))
}

/// The set of that name.
///
/// # Errors
/// As the set's own function, or that there is no such set.
pub fn by_name(name: &str) -> Result<CertSet, String> {
    match name {
        "pkits" => pkits(),
        "mozilla" => mozilla(),
        "ccadb" => ccadb(),
        _ => Err(format!("there is no certificate set {name}")),
    }
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    let full = root().join(path);
    std::fs::read(&full).map_err(|error| format!("corpus file {path} is missing: {error}"))
}

/// Cuts concatenated DER values apart by their outermost lengths.
fn split(mut all: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let mut values = Vec::new();
    while !all.is_empty() {
        let size = value_size(all).ok_or("concatenated DER does not divide into values")?;
        let (value, rest) = all.split_at_checked(size).ok_or("the last DER value is cut short")?;
        values.push(value.to_vec());
        all = rest;
    }
    Ok(values)
}

/// The size of the first value, header included, of a low tag and a definite length.
pub(crate) fn value_size(bytes: &[u8]) -> Option<usize> {
    let first = usize::from(*bytes.get(1)?);
    if first < 0x80 {
        return Some(2 + first);
    }
    let count = first & 0x7f;
    let octets = bytes.get(2..2 + count)?;
    let length = octets.iter().fold(0usize, |sum, octet| sum << 8 | usize::from(*octet));
    Some(2 + count + length)
}
