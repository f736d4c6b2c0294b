//! The contents of files in mixed sets: PEM blocks by label, other files by detection. Nothing is omitted: content of any
//! other type is listed with the rule that identifies it as such.

use std::collections::{BTreeMap, BTreeSet};

use tagwise_codec::{Options, RuleSet, Session, pem};

use crate::corpora;
use crate::messages::{self, ALL, Message};
use crate::samples::{UNNAMED, samples, ty};

/// The types with which the content of a file is decoded.
pub enum Held {
    /// One of the given types.
    One(Vec<&'static Message>),
    /// None of the known types, according to the given rule.
    Other(String),
    /// PEM that cannot be parsed: code and offset, and the error.
    Unreadable(String, String),
}

/// The content of a file or of a PEM block in it.
pub struct Content {
    /// The set and the path in it, followed by `#n` for a PEM block.
    pub key: String,
    /// The types with which the content is decoded.
    pub held: Held,
    /// The bytes.
    pub octets: Vec<u8>,
}

/// What a PEM label says the octets are.
fn labelled(label: &str) -> Result<&'static str, &'static str> {
    Ok(match label {
        "CERTIFICATE" | "X509 CERTIFICATE" => "PKIX1Explicit-2009.Certificate",
        "X509 CRL" => "PKIX1Explicit-2009.CertificateList",
        "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => "PKCS-10.CertificationRequest",
        "PKCS7" | "CMS" => "CryptographicMessageSyntax-2010.ContentInfo",
        "PRIVATE KEY" => "AsymmetricKeyPackageModuleV1.OneAsymmetricKey",
        "ENCRYPTED PRIVATE KEY" => "AsymmetricKeyPackageModuleV1.EncryptedPrivateKeyInfo",
        "RSA PRIVATE KEY" => "PKCS-1.RSAPrivateKey",
        "EC PRIVATE KEY" => "ECPrivateKey.ECPrivateKey",
        "EC PARAMETERS" => "PKIXAlgs-2009.ECParameters",
        "PUBLIC KEY" => "PKIX1Explicit-2009.SubjectPublicKeyInfo",
        "RSA PUBLIC KEY" => "PKIXAlgs-2009.RSAPublicKey",
        "DSA PARAMETERS" => "PKIXAlgs-2009.DSA-Params",
        "X9.42 DH PARAMETERS" => "PKIXAlgs-2009.DomainParameters",
        "DSA PRIVATE KEY" | "DSA PUBLIC KEY" => return Err("a DSA key in OpenSSL's own form, which no standard has"),
        "DH PARAMETERS" => return Err("DHParameter of PKCS #3, which is no type of PKIX"),
        "TRUSTED CERTIFICATE" => return Err("OpenSSL's own form: a certificate and what it is trusted for"),
        "OPENSSH PRIVATE KEY" => return Err("a key of OpenSSH, which is no ASN.1"),
        "ED25519 CERT" => return Err("a certificate of Tor, which is no ASN.1"),
        ENCRYPTED => return Err(ENCRYPTED),
        _ => return Err("a PEM label that is not known"),
    })
}

/// What some octets are by the labels that they have: one of several where not all of them are right.
fn by_labels<'l>(labels: impl Iterator<Item = &'l String> + Clone) -> Held {
    if let Some(rule) = labels.clone().find_map(|label| labelled(label).err()) {
        return Held::Other(rule.to_owned());
    }
    Held::One(labels.filter_map(|label| messages::named(labelled(label).ok()?)).collect())
}

const ENCRYPTED: &str = "encrypted by RFC 1421";

/// The blocks of a PEM file: label, whether it is encrypted, octets; or what is wrong.
type Block = Result<(String, bool, Vec<u8>), (String, String)>;

fn blocks(file: &[u8]) -> Vec<Block> {
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let wrong = |error: pem::Error| (format!("{} at {}", error.code(), error.offset()), error.to_string());
    pem::blocks_with(file, &session)
        .map(|block| {
            let block = block.map_err(wrong)?;
            let encrypted = block.headers().any(|(name, value)| name == "Proc-Type" && value.contains("ENCRYPTED"));
            Ok((block.label().to_owned(), encrypted, block.decode().map_err(wrong)?))
        })
        .collect()
}

fn is_pem(octets: &[u8]) -> bool {
    octets.windows(11).any(|window| window == b"-----BEGIN ")
}

fn is_text(octets: &[u8]) -> bool {
    std::str::from_utf8(octets).is_ok_and(|text| text.chars().all(|char| !char.is_control() || char.is_whitespace()))
}

/// Returns everything in the files of a set. If the set is absent where that is allowed, prints a message and returns
/// `None`.
#[must_use]
pub fn contents(set: &str) -> Option<Vec<Content>> {
    if set == "rfc-samples" {
        return of_samples();
    }
    let files = corpora::files(&corpora::set(set)?);
    // What stands in PEM elsewhere in the set is there what its label says.
    let mut labels = BTreeMap::<_, BTreeSet<_>>::new();
    for file in files.values().filter(|file| is_pem(file)) {
        for (label, encrypted, octets) in blocks(file).into_iter().flatten() {
            labels.entry(octets).or_default().insert(if encrypted { ENCRYPTED.to_owned() } else { label });
        }
    }
    let mut found = Vec::new();
    for (file, octets) in files {
        let key = format!("{set}/{file}");
        if !is_pem(&octets) {
            let held = match labels.get(&octets) {
                Some(labels) => by_labels(labels.iter()),
                None if is_text(&octets) => Held::Other("text".to_owned()),
                None => Held::One(ALL.iter().collect()),
            };
            found.push(Content { key, held, octets });
            continue;
        }
        for (index, block) in blocks(&octets).into_iter().enumerate() {
            let key = format!("{key}#{index}");
            found.push(match block {
                Ok((_, true, octets)) => Content { key, held: Held::Other(ENCRYPTED.to_owned()), octets },
                Ok((label, false, octets)) => Content { key, held: by_labels([label].iter()), octets },
                Err((code, why)) => Content { key, held: Held::Unreadable(code, why), octets: Vec::new() },
            });
        }
    }
    Some(found)
}

/// The samples, as what the index says they are.
fn of_samples() -> Option<Vec<Content>> {
    let held = |class: Option<&str>| match class {
        Some(class) => match ty(class).map(|name| (name, messages::named(name))) {
            Some((_, Some(message))) => Held::One(vec![message]),
            Some((name, None)) => {
                Held::Other(format!("{name}, which has no Rust type: read by tables, `rfc_samples.rs`"))
            }
            None => Held::Other(format!("{class}, which no module of schemas/ has")),
        },
        None => Held::One(UNNAMED.into_iter().filter_map(messages::named).collect()),
    };
    let content = |sample: crate::samples::Sample| Content {
        key: format!("rfc-samples/{}", sample.file),
        held: held(sample.class.as_deref()),
        octets: sample.octets,
    };
    Some(samples()?.into_iter().map(content).collect())
}
