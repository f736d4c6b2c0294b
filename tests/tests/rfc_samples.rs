//! Samples of the types of many RFCs, read by our schemas at run time: they decode, give the same octets again, and come back
//! from their JSON.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tagwise_tables::{Schema, Source};
use tagwise_tests::{corpora, register};

const COLUMNS: &str = "item\ttype\tfound\twhy";

fn modules(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            modules(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "asn1") {
            found.push(path);
        }
    }
}

/// Our schemas, and what the samples need besides.
fn schema() -> Schema {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("schemas/samples.asn1")];
    modules(&root.join("../schemas"), &mut files);
    files.sort();
    let sources = files.iter().map(|file| Source::from_bytes(&file.display().to_string(), &fs::read(file).unwrap()));
    Schema::compile(sources).unwrap_or_else(|error| panic!("{error}"))
}

/// The type of our schemas for the class that the index names; nothing where none of our modules has it.
fn ty(class: &str) -> Option<&'static str> {
    if class == "rfc8494.CompressedData()" {
        return Some("Samples.ShortCompressedData");
    }
    let name = class.trim_end_matches("()").rsplit('.').next()?;
    Some(match name {
        "Certificate" | "CertificateList" | "SubjectPublicKeyInfo" => {
            return [
                "PKIX1Explicit-2009.Certificate",
                "PKIX1Explicit-2009.CertificateList",
                "PKIX1Explicit-2009.SubjectPublicKeyInfo",
            ]
            .into_iter()
            .find(|full| full.ends_with(&format!(".{name}")));
        }
        "ContentInfo" => "CryptographicMessageSyntax-2010.ContentInfo",
        "RecipientInfo" => "CryptographicMessageSyntax-2010.RecipientInfo",
        "SignedAttributes" => "CryptographicMessageSyntax-2010.SignedAttributes",
        "AuthEnvelopedData" => "CMS-AuthEnvelopedData-2010.AuthEnvelopedData",
        "CompressedData" => "CompressedDataContent-2010.CompressedData",
        "AttributeCertificate" => "PKIXAttributeCertificate-2009.AttributeCertificate",
        "GeneralName" => "PKIX1Implicit-2009.GeneralName",
        "ORAddress" => "PKIX-X400Address-2009.ORAddress",
        "CertificationRequest" => "PKCS-10.CertificationRequest",
        "PFX" => "PKCS-12.PFX",
        "OneAsymmetricKey" | "PrivateKeyInfo" => "AsymmetricKeyPackageModuleV1.OneAsymmetricKey",
        "EncryptedPrivateKeyInfo" => "AsymmetricKeyPackageModuleV1.EncryptedPrivateKeyInfo",
        "PKIMessage" => "PKIXCMP-2023.PKIMessage",
        "RSAPrivateKey" => "PKCS-1.RSAPrivateKey",
        "ECPrivateKey" => "ECPrivateKey.ECPrivateKey",
        "CertReqMessages" => "PKIXCRMF-2009.CertReqMessages",
        "CertRequest" => "PKIXCRMF-2009.CertRequest",
        "OCSPRequest" => "OCSP-2013-08.OCSPRequest",
        "OCSPResponse" => "OCSP-2013-08.OCSPResponse",
        "TimeStampReq" => "PKIXTSP.TimeStampReq",
        "TimeStampResp" => "PKIXTSP.TimeStampResp",
        "AlgorithmIdentifier" => "Samples.Algorithm",
        "SMIMECapabilities" => "Samples.Capabilities",
        "Extension" => "Samples.CertificateExtension",
        "Extensions" => "Samples.CertificateExtensions",
        "Attribute" => "Samples.AnyAttribute",
        "AttributeSet" => "Samples.AttributeSet",
        "OtherInfo" => "Samples.OtherInfo",
        "InitialContextToken" => "Samples.InitialContextToken",
        "DSAPrivateKey" => "Samples.DSAPrivateKey",
        "PkiPath" => "Samples.PkiPath",
        "CsrAttrs" => "Samples.CsrAttrs",
        "CertificateBundle" => "Samples.CertificateBundle",
        "JWTClaimConstraints" => "Samples.JWTClaimConstraints",
        "TNAuthorizationList" => "Samples.TNAuthorizationList",
        "EvidenceRecord" => "Samples.EvidenceRecord",
        "GostKeyTransport" => "Samples.GostKeyTransport",
        "TLSGostKeyTransportBlob" => "Samples.TLSGostKeyTransportBlob",
        // RFC 5698: it is signed.
        "SecuritySuitabilityPolicy" => "CryptographicMessageSyntax-2010.ContentInfo",
        "IssuerAndSubject" => "Samples.IssuerAndSubject",
        "Nonce" => "Samples.Nonce",
        _ => return None,
    })
}

/// What the samples whose class the index does not name are, by what they hold.
const UNNAMED: [&str; 12] = [
    "PKIX1Explicit-2009.Certificate",
    "PKIX1Explicit-2009.CertificateList",
    "PKCS-10.CertificationRequest",
    "CryptographicMessageSyntax-2010.ContentInfo",
    "OCSP-2013-08.OCSPRequest",
    "OCSP-2013-08.OCSPResponse",
    "AsymmetricKeyPackageModuleV1.OneAsymmetricKey",
    "PKCS-12.PFX",
    "PKIXCMP-2023.PKIMessage",
    "PKIXCRMF-2009.CertReqMessages",
    "Samples.Algorithm",
    "Samples.PkiPath",
];

/// What is wrong with a sample, if anything is.
fn wrong(schema: &Schema, name: &str, octets: &[u8]) -> Option<(String, String)> {
    let ty = schema.ty(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let value = match ty.decode(octets) {
        Ok(read) => read.value,
        Err(error) => return Some((format!("{} at {}", error.code(), error.offset()), error.to_string())),
    };
    let again = ty.encode(&value).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(again == octets, "{name}: other octets");
    let json = tagwise_jer::to_string(ty.types(), &value);
    let back = tagwise_jer::from_str(&ty, &json).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(ty.encode(&back).unwrap() == octets, "{name}: other octets from JSON");
    None
}

#[test]
fn every_sample_round_trips_or_is_registered() {
    let Some(folder) = corpora::set("rfc-samples") else { return };
    let schema = schema();
    let index: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("index.json")).unwrap()).unwrap();
    let mut found = BTreeMap::new();
    let mut met = 0;
    for case in index["cases"].as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        let octets = fs::read(folder.join(file)).unwrap();
        let class = case["asn1Spec"].as_str();
        // The index names what the message holds, not what it is.
        let class = class.filter(|_| !file.starts_with("rfc5752."));
        let row = match class.map(ty) {
            Some(Some(name)) => wrong(&schema, name, &octets).map(|(found, why)| (name, found, why)),
            Some(None) => {
                Some((class.unwrap(), "no-schema".to_owned(), "no module of schemas/ has the type".to_owned()))
            }
            None => UNNAMED
                .iter()
                .all(|name| schema.ty(name).unwrap().decode(&octets).is_err())
                .then(|| ("", "no-type".to_owned(), "no type of schemas/ takes it".to_owned()))
                .or_else(|| {
                    let name = UNNAMED.iter().find(|name| schema.ty(name).unwrap().decode(&octets).is_ok())?;
                    wrong(&schema, name, &octets).map(|(found, why)| (*name, found, why))
                }),
        };
        match row {
            Some((name, code, why)) => {
                found.insert(file.to_owned(), [file, name, &code, &why].join("\t"));
            }
            None => met += 1,
        }
    }
    println!("{met} samples, {} registered", found.len());
    register::compare("rfc-samples-typed", COLUMNS, &found);
    let maximum =
        register::rows("maxima").get("rfc-samples-typed").and_then(|row| row.split('\t').nth(1)?.parse().ok());
    assert!(found.len() <= maximum.unwrap_or(0), "register/maxima.tsv allows {maximum:?} rows: {}", found.len());
}
