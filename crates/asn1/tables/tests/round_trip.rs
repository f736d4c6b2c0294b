//! Values from DER go through other encoding rules and come back to the same bytes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tagwise_codec::pem;
use tagwise_tables::per::Variant as Packed;
use tagwise_tables::xer::Variant;
use tagwise_tables::{Schema, Source};

/// The types that the samples may have.
const TYPES: [&str; 9] = [
    "PKIX1Explicit-2009.Certificate",
    "PKIX1Explicit-2009.CertificateList",
    "CryptographicMessageSyntax-2010.ContentInfo",
    "OCSP-2013-08.OCSPResponse",
    "OCSP-2013-08.OCSPRequest",
    "PKCS-10.CertificationRequest",
    "AsymmetricKeyPackageModuleV1.OneAsymmetricKey",
    "PKCS-12.PFX",
    "PKIXTSP.TimeStampResp",
];

fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|found| extensions.iter().any(|one| found == *one)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The modules of the project as one schema.
fn published() -> Schema {
    let source = |path: PathBuf| {
        Source::new(&path.file_name().unwrap().to_string_lossy(), &std::fs::read_to_string(&path).unwrap())
    };
    let sources = files(&root().join("schemas"), &["asn1"]).into_iter().map(source);
    Schema::compile(sources).unwrap_or_else(|error| panic!("{error}"))
}

/// The numbers of round trips, and of values with parts that have no encoding, by encoding rules.
type Counts = BTreeMap<&'static str, (u32, u32)>;

/// Counts the round trips of a value, by encoding rules. Parts of unknown type have no encoding in some of them.
fn check(schema: &Schema, name: &str, der: &[u8], place: &str, counts: &mut Counts) -> bool {
    let dynamic = schema.ty(name).unwrap();
    let Ok(value) = dynamic.decode(der).map(|read| read.value) else { return false };
    let mut count = |rules: &'static str, done: Result<Vec<u8>, String>| match done {
        Ok(again) => {
            assert_eq!(again, der, "{place}: {name} in {rules}");
            counts.entry(rules).or_default().0 += 1;
        }
        Err(error) => {
            let is_known = ["not supported", "is unknown"].iter().any(|known| error.contains(known));
            assert!(is_known, "{place}: {name} in {rules}: {error}");
            counts.entry(rules).or_default().1 += 1;
        }
    };
    for variant in [Variant::Basic, Variant::Canonical] {
        let ty = schema.xer(name).unwrap().variant(variant);
        let through = || {
            let xml = ty.encode(&value).map_err(|error| error.to_string())?;
            let read = ty.decode(&xml).map_err(|error| format!("{error} in {}", String::from_utf8_lossy(&xml)))?;
            dynamic.encode(&read.value).map_err(|error| error.to_string())
        };
        count(variant.name(), through());
    }
    for variant in [Packed::UNALIGNED, Packed::ALIGNED] {
        let ty = schema.per(name).unwrap().variant(variant);
        let through = || {
            let octets = ty.encode(&value).map_err(|error| error.to_string())?;
            let read = ty.decode(&octets).map_err(|error| error.to_string())?;
            dynamic.encode(&read.value).map_err(|error| error.to_string())
        };
        count(variant.name(), through());
    }
    // GSER is only printed.
    if let Err(error) = tagwise_tables::xer::gser::to_string(dynamic.types(), &value) {
        assert!(error.to_string().contains("not supported"), "{place}: {error}");
    }
    true
}

#[test]
fn a_certificate() {
    let text = std::fs::read_to_string(root().join("docs/samples/root.pem")).unwrap();
    let der = pem::first(&["CERTIFICATE"], text.as_bytes()).unwrap();
    let mut counts = BTreeMap::new();
    assert!(check(&published(), "PKIX1Explicit-2009.Certificate", &der, "root.pem", &mut counts));
    assert!(counts.get("xer").is_some_and(|(same, _)| *same == 1), "{counts:?}");
}

#[test]
fn samples() {
    let schema = published();
    let (mut counts, mut values) = (BTreeMap::new(), 0);
    for folder in ["pkits", "rfc-samples", "pyca", "rustcrypto-formats", "asn1crypto", "x509-parser-assets"] {
        let Some(folder) = tagwise_testing::corpus(folder) else { return };
        for file in files(&folder, &["der", "crt", "cer", "crl", "p7s", "p7m", "p12"]) {
            let der = std::fs::read(&file).unwrap();
            let place = file.display().to_string();
            values += u32::from(TYPES.iter().any(|name| check(&schema, name, &der, &place, &mut counts)));
        }
    }
    println!("{values} values: {counts:?} (same, not supported)");
    assert!(values > 500, "{values}");
    // BASIC-XER has a form for values of unknown type.
    assert_eq!(counts.get("xer"), Some(&(values, 0)));
}
