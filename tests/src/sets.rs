//! The sets whose items are certificates and CRLs, item by item.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::corpora;

/// The type as which an item is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A certificate (RFC 5280 §4.1).
    Certificate,
    /// A CRL (RFC 5280 §5.1).
    CertificateList,
}

impl What {
    /// Returns the name used in registers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::CertificateList => "crl",
        }
    }
}

/// A certificate or a CRL.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name in its set: the first 16 digits of its SHA-256 if the set has an index of hashes, otherwise the file's path.
    /// `#n` is appended for the PEM blocks of a file after the first.
    pub name: String,
    /// The type of the item.
    pub what: What,
    /// The bytes.
    pub octets: Vec<u8>,
}

/// Returns the certificates of the Common CA Database.
#[must_use]
pub fn ccadb() -> Option<Vec<Item>> {
    let folder = corpora::set("ccadb")?;
    let all = fs::read(folder.join("certs.der")).unwrap();
    let index = fs::read_to_string(folder.join("index.csv")).unwrap();
    let item = |line: &str| {
        let columns: Vec<&str> = line.split(',').collect();
        let (start, len): (usize, usize) = (columns[1].parse().unwrap(), columns[2].parse().unwrap());
        Item {
            name: columns[0][..16].to_lowercase(),
            what: What::Certificate,
            octets: all[start..start + len].to_vec(),
        }
    };
    Some(index.lines().skip(1).map(item).collect())
}

/// Returns Mozilla's roots.
#[must_use]
pub fn mozilla_roots() -> Option<Vec<Item>> {
    let folder = corpora::set("mozilla-roots")?;
    let all = fs::read(folder.join("mozilla-180-roots.der")).unwrap();
    let index: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("index.json")).unwrap()).unwrap();
    let mut start = 0;
    let item = |entry: &serde_json::Value| {
        let len = usize::try_from(entry["len"].as_u64().unwrap()).unwrap();
        let octets = all[start..start + len].to_vec();
        start += len;
        Item { name: entry["sha256"].as_str().unwrap()[..16].to_owned(), what: What::Certificate, octets }
    };
    let items: Vec<Item> = index.as_array().unwrap().iter().map(item).collect();
    assert_eq!(start, all.len(), "the index covers the file");
    Some(items)
}

/// Returns every certificate and CRL in the files below a folder. PEM blocks are recognized by their labels, and other
/// files by calling `what` with their paths.
#[must_use]
pub fn folder(name: &str, what: impl Fn(&str) -> Option<What>) -> Option<Vec<Item>> {
    let path = corpora::set(name)?;
    let mut items = Vec::new();
    for (file, octets) in corpora::files(&path) {
        for (index, (label, octets)) in corpora::contents(&octets).into_iter().enumerate() {
            let what = match label.as_deref() {
                Some("CERTIFICATE" | "X509 CERTIFICATE") => Some(What::Certificate),
                Some("X509 CRL") => Some(What::CertificateList),
                Some(_) => None,
                None => what(&file),
            };
            let name = if index == 0 { file.clone() } else { format!("{file}#{index}") };
            items.extend(what.map(|what| Item { name, what, octets }));
        }
    }
    Some(items)
}

/// Determines the type from a file name's extension: `crt` and `cer` are certificates, `crl` are CRLs, and `der` is either,
/// depending on the name.
#[must_use]
pub fn by_ending(file: &str) -> Option<What> {
    let path = Path::new(file);
    match path.extension().and_then(|ending| ending.to_str())? {
        "crt" | "cer" => Some(What::Certificate),
        "crl" => Some(What::CertificateList),
        "der" if file.contains("crl") => Some(What::CertificateList),
        "der" => Some(What::Certificate),
        _ => None,
    }
}

/// Returns the samples in `rfc-samples` whose type is a certificate or a CRL.
#[must_use]
pub fn rfc_samples() -> Option<Vec<Item>> {
    let folder = corpora::set("rfc-samples")?;
    let index: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("index.json")).unwrap()).unwrap();
    let item = |case: &serde_json::Value| {
        let what = match case["asn1Spec"].as_str()?.split_once('.')?.1 {
            "Certificate()" => What::Certificate,
            "CertificateList()" => What::CertificateList,
            _ => return None,
        };
        let name = case["file"].as_str()?.to_owned();
        Some(Item { octets: fs::read(folder.join(&name)).unwrap(), name, what })
    };
    Some(index["cases"].as_array().unwrap().iter().filter_map(item).collect())
}

/// Returns the certificates and CRLs in the path validation cases, without duplicates, named after the first case that
/// contains them.
#[must_use]
pub fn limbo() -> Option<Vec<Item>> {
    let file = corpora::set("x509-limbo/limbo-core.json")?;
    let cases: serde_json::Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for case in cases["testcases"].as_array().unwrap() {
        for (part, what) in [
            ("trusted_certs", What::Certificate),
            ("untrusted_intermediates", What::Certificate),
            ("peer_certificate", What::Certificate),
            ("crls", What::CertificateList),
        ] {
            let texts: Vec<&str> = match &case[part] {
                serde_json::Value::Array(texts) => texts.iter().filter_map(|text| text.as_str()).collect(),
                text => text.as_str().into_iter().collect(),
            };
            let blocks = texts.iter().flat_map(|text| corpora::contents(text.as_bytes()));
            for (index, (_, octets)) in blocks.enumerate() {
                if seen.insert(octets.clone()) {
                    let name = format!("{}/{part}/{index}", case["id"].as_str().unwrap());
                    items.push(Item { name, what, octets });
                }
            }
        }
    }
    Some(items)
}

/// Returns the sets with the names of their registers. A set that is absent is `None`.
#[must_use]
pub fn all() -> Vec<(&'static str, Option<Vec<Item>>)> {
    let lists = |_: &str| Some(What::CertificateList);
    // Requests, keys and other rooms' messages: not for these two types.
    let pyca = |file: &str| by_ending(file).filter(|_| !file.starts_with("ocsp/") && !file.starts_with("requests/"));
    let assets = |file: &str| match file {
        _ if file.starts_with("crl-idp/") => Some(What::CertificateList),
        // Certificates with the CRL sign bit and its relatives.
        _ if file.starts_with("crl-ext/") || file == "ca_minimalcrl.der" => Some(What::Certificate),
        _ => by_ending(file),
    };
    let mtc = |file: &str| by_ending(file).filter(|_| !file.ends_with("pubkey.der"));
    let certificates_only = |file: &str| by_ending(file).filter(|_| !file.ends_with(".der"));
    vec![
        ("mozilla-roots", mozilla_roots()),
        ("ccadb", ccadb()),
        ("pkits-certs", folder("pkits/certs", by_ending)),
        ("pkits-crls", folder("pkits/crls", lists)),
        ("crl-real", folder("crl/real", lists)),
        ("lamps-pqc", folder("lamps-pqc", certificates_only)),
        ("x509-limbo", limbo()),
        ("pyca-x509", folder("pyca/x509", pyca)),
        ("mtc", folder("mtc", mtc)),
        ("rfc-samples", rfc_samples()),
        ("x509-parser-assets", folder("x509-parser-assets", assets)),
    ]
}
