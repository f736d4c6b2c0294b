//! Finds and reads the certificate sets. Nothing is ever copied out of them.

use std::path::{Path, PathBuf};

use crate::edit;

/// A set of certificates, each one DER value.
#[derive(Debug, Clone)]
pub struct CertSet {
    /// Says how many certificates of what size there are.
    pub about: String,
    /// The certificates.
    pub certs: Vec<Vec<u8>>,
}

impl CertSet {
    /// Makes a set and describes it by number and by size.
    #[must_use]
    pub fn new(certs: Vec<Vec<u8>>) -> Self {
        let mut sizes: Vec<usize> = certs.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        let total: usize = sizes.iter().sum();
        let about = match (sizes.first(), sizes.get(sizes.len() / 2), sizes.last()) {
            (Some(size), _, _) if sizes.len() == 1 => format!("one certificate of {size} B"),
            (Some(min), Some(median), Some(max)) => format!(
                "{} certificates, {total} B (smallest {min} B, median {median} B, largest {max} B)",
                sizes.len()
            ),
            _ => "empty".to_owned(),
        };
        Self { about, certs }
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

/// The five NIST PKITS certificates that published tables of parse times use (898 to 958 octets), by their rows' names.
const PKITS: [(&str, &str); 5] = [
    ("no-policies-2", "AllCertificatesNoPoliciesTest2EE"),
    ("same-policies-10", "AllCertificatesSamePoliciesTest10EE"),
    ("same-policies-13", "AllCertificatesSamePoliciesTest13EE"),
    ("any-policy-11", "AllCertificatesanyPolicyTest11EE"),
    ("any-policy-14", "AnyPolicyTest14EE"),
];

/// Those five.
///
/// # Errors
/// Says which file could not be read.
pub fn pkits() -> Result<CertSet, String> {
    let certs = PKITS
        .iter()
        .map(|(_, file)| pkits_file(file))
        .collect::<Result<_, _>>()?;
    Ok(CertSet::new(certs))
}

/// A certificate of the PQC working group's, by its level.
fn lamps(level: &str) -> Result<Vec<u8>, String> {
    let file = format!("lamps-pqc/ml-dsa/ML-DSA-{level}.crt");
    let text = String::from_utf8(read(&file)?).map_err(|error| format!("{file}: {error}"))?;
    let body: String = text.lines().filter(|line| !line.starts_with("-----")).collect();
    base64::Engine::decode(&base64::prelude::BASE64_STANDARD, body).map_err(|error| format!("{file}: {error}"))
}

fn pkits_file(file: &str) -> Result<Vec<u8>, String> {
    read(&format!("pkits/certs/{file}.crt"))
}

/// The roots of Mozilla's certdata.txt.
///
/// # Errors
/// Says which file could not be read or cut into values.
pub fn mozilla() -> Result<CertSet, String> {
    Ok(CertSet::new(split(&read("mozilla-roots/mozilla-180-roots.der")?)?))
}

/// Every certificate of the Common CA Database.
///
/// # Errors
/// Says which file could not be read or cut into values.
pub fn ccadb() -> Result<CertSet, String> {
    Ok(CertSet::new(split(&read("ccadb/certs.der")?)?))
}

/// The same certificates with ML-DSA keys and signatures, which `./x bench` makes from them.
fn rekeyed() -> Result<Vec<Vec<u8>>, String> {
    let made = std::env::var_os("TAGWISE_BENCH_INPUTS")
        .ok_or("the ML-DSA set is made by `./x bench`, which says where it is in TAGWISE_BENCH_INPUTS")?;
    let path = Path::new(&made).join("mldsa-ccadb.der");
    split(&std::fs::read(&path).map_err(|error| format!("the ML-DSA set is missing ({error}); `./x bench` makes it"))?)
}

/// What index.csv says of each certificate of the CCADB, in the order of the file.
struct Indexed {
    fingerprint: String,
    root: bool,
    parent: String,
    depth: usize,
}

fn index() -> Result<Vec<Indexed>, String> {
    let text = String::from_utf8(read("ccadb/index.csv")?).map_err(|error| format!("ccadb/index.csv: {error}"))?;
    let parse = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        Some(Indexed {
            fingerprint: (*cells.first()?).to_owned(),
            root: *cells.get(3)? == "root",
            parent: (*cells.get(4)?).to_owned(),
            // Without a depth: no certificate above it is in the set.
            depth: cells.get(5)?.parse().unwrap_or(0),
        })
    };
    text.lines()
        .skip(1)
        .map(|line| parse(line).ok_or_else(|| format!("ccadb/index.csv: {line}")))
        .collect()
}

/// A part of the set by what the index says of each certificate.
fn part(certs: Vec<Vec<u8>>, keep: impl Fn(&Indexed) -> bool) -> Result<CertSet, String> {
    let kept = certs.into_iter().zip(index()?).filter(|(_, entry)| keep(entry));
    Ok(CertSet::new(kept.map(|(cert, _)| cert).collect()))
}

/// The first of the deepest certificates with all above it, the root last.
fn chain(certs: &[Vec<u8>]) -> Result<CertSet, String> {
    let index = index()?;
    let mut at = index
        .iter()
        .enumerate()
        .max_by_key(|(number, entry)| (entry.depth, usize::MAX - number));
    let mut chain = Vec::new();
    while let Some((number, entry)) = at {
        chain.push(certs.get(number).ok_or("the index is longer than the set")?.clone());
        at = index
            .iter()
            .enumerate()
            .find(|(_, other)| other.fingerprint == entry.parent && !entry.parent.is_empty());
    }
    Ok(CertSet::new(chain))
}

/// The certificate in the middle of the set by size, or the largest.
fn by_size(mut certs: Vec<Vec<u8>>, largest: bool) -> CertSet {
    certs.sort_by_key(Vec::len);
    let middle = certs.len() / 2;
    let chosen = if largest {
        certs.pop()
    } else {
        certs.into_iter().nth(middle)
    };
    CertSet::new(chosen.into_iter().collect())
}

/// The set of that name.
///
/// # Errors
/// As the set's own function, or that there is no such set.
pub fn by_name(name: &str) -> Result<CertSet, String> {
    if let Some((_, file)) = PKITS.iter().find(|(short, _)| *short == name) {
        return Ok(CertSet::new(vec![pkits_file(file)?]));
    }
    if let Some(level) = name.strip_prefix("ml-dsa-") {
        return Ok(CertSet::new(vec![lamps(level)?]));
    }
    match name {
        "pkits" => pkits(),
        "mozilla" => mozilla(),
        "ccadb" => ccadb(),
        "ccadb-roots" => part(ccadb()?.certs, |entry| entry.root),
        "ccadb-intermediates" => part(ccadb()?.certs, |entry| !entry.root),
        "ccadb-median" => Ok(by_size(ccadb()?.certs, false)),
        "ccadb-largest" => Ok(by_size(ccadb()?.certs, true)),
        "ccadb-chain" => chain(&ccadb()?.certs),
        "rekeyed" => Ok(CertSet::new(rekeyed()?)),
        "rekeyed-roots" => part(rekeyed()?, |entry| entry.root),
        "rekeyed-intermediates" => part(rekeyed()?, |entry| !entry.root),
        "rekeyed-chain" => chain(&rekeyed()?),
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
        let size = edit::size(all).ok_or("concatenated DER does not divide into values")?;
        let (value, rest) = all.split_at_checked(size).ok_or("the last DER value is cut short")?;
        values.push(value.to_vec());
        all = rest;
    }
    Ok(values)
}
