//! The samples in rfc-samples: their types, and the schema that defines them.

use std::fs;
use std::path::{Path, PathBuf};

use tagwise_tables::{Schema, Source};

use crate::corpora;

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

/// Compiles our schemas and the additional modules for the samples.
#[must_use]
pub fn schema() -> Schema {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("schemas/samples.asn1")];
    modules(&root.join("../schemas"), &mut files);
    files.sort();
    let sources = files.iter().map(|file| Source::from_bytes(&file.display().to_string(), &fs::read(file).unwrap()));
    Schema::compile(sources).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the type in our schemas for a class in the index, or `None` if no module defines it.
#[must_use]
pub fn ty(class: &str) -> Option<&'static str> {
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

/// The candidate types for samples whose class is not in the index, tried on their content.
pub const UNNAMED: [&str; 12] = [
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

/// A sample file.
pub struct Sample {
    /// The file name.
    pub file: String,
    /// The file's bytes.
    pub octets: Vec<u8>,
    /// The ASN.1 type of the file's content according to the index. `None` if the index does not name the outermost type.
    pub class: Option<String>,
}

/// Returns all samples. If they are absent where that is allowed, prints a message and returns `None`.
#[must_use]
pub fn samples() -> Option<Vec<Sample>> {
    let folder = corpora::set("rfc-samples")?;
    let index: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("index.json")).unwrap()).unwrap();
    let sample = |case: &serde_json::Value| {
        let file = case["file"].as_str().unwrap().to_owned();
        // The index names what the message holds, not what it is.
        let class = case["asn1Spec"].as_str().filter(|_| !file.starts_with("rfc5752."));
        Sample { octets: fs::read(folder.join(&file)).unwrap(), class: class.map(str::to_owned), file }
    };
    Some(index["cases"].as_array().unwrap().iter().map(sample).collect())
}
