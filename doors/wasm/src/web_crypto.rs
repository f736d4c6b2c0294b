//! Signatures that WebCrypto verifies.
//!
//! WebCrypto is asynchronous, and the search for a path is not. A search that reaches a signature without a result assumes that it is
//! valid, and lists it. JavaScript verifies the listed signatures, and repeats the search with the results. Only a search without
//! assumptions returns a verdict.
//!
//! Rust verifies every signature that WebCrypto does not accept. So the verdicts and their reasons are the same as without WebCrypto.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tagwise_codec::text::hex;
use tagwise_codec::{Decode as _, encode};
use tagwise_crypto::{Backend as _, Digest, KeyType, Scheme};
use tagwise_path::{SignatureFault, Verifier};
use tagwise_pkix::algorithms::EcdsaSigValue;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime, oids};

use crate::Response;
use crate::backend::BACKEND;
use crate::request::{WebCryptoResults, request};

/// The algorithm of a signature, with the members of WebCrypto's dictionaries (W3C Web Cryptography API §20 to §24).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Algorithm {
    name: &'static str,
    #[serde(rename = "namedCurve", skip_serializing_if = "Option::is_none")]
    named_curve: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<&'static str>,
    /// In bytes.
    #[serde(rename = "saltLength", skip_serializing_if = "Option::is_none")]
    salt_len: Option<u16>,
}

/// A signature without a result.
struct Check {
    algorithm: Algorithm,
    /// A SubjectPublicKeyInfo in DER.
    key: Vec<u8>,
    message: Vec<u8>,
    /// The signature in WebCrypto's form.
    signature: Vec<u8>,
}

fn hash(digest: Digest) -> Option<&'static str> {
    match digest {
        Digest::Sha256 => Some("SHA-256"),
        Digest::Sha384 => Some("SHA-384"),
        Digest::Sha512 => Some("SHA-512"),
        _ => None,
    }
}

/// Returns r and s in `len` bytes each (IEEE 1363 §E.3.1), as WebCrypto expects them, instead of an ECDSA-Sig-Value.
fn plain(signature: &[u8], len: usize) -> Option<Vec<u8>> {
    let value = EcdsaSigValue::from_der(signature).ok()?;
    let mut plain = Vec::with_capacity(len.saturating_mul(2));
    for number in [value.r, value.s] {
        let magnitude = number.magnitude();
        let zeros = len.checked_sub(magnitude.len()).filter(|_| !number.is_negative())?;
        plain.resize(plain.len().saturating_add(zeros), 0);
        plain.extend(magnitude);
    }
    Some(plain)
}

impl Check {
    /// Returns the check for a signature that WebCrypto may support. Keys that Rust rejects, SHA-1, and RSA keys below 2,048 bits or above
    /// 8,192 bits, whose support differs between implementations, have none.
    fn of(
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Option<Self> {
        // The parameters of such a key bind its signatures (RFC 4055 §3.3), and WebCrypto doesn't import it.
        if key.algorithm.algorithm == oids::RSASSA_PSS {
            return None;
        }
        let key_type = BACKEND.public_key(key).ok()?.key_type();
        let ecdsa = |digest, named_curve, len| {
            let hash = Some(hash(digest)?);
            let algorithm = Algorithm { name: "ECDSA", named_curve: Some(named_curve), hash, ..Algorithm::default() };
            Some((algorithm, plain(signature, len)?))
        };
        let rsa = |name, digest, salt_len| {
            let algorithm = Algorithm { name, hash: Some(hash(digest)?), salt_len, ..Algorithm::default() };
            Some((algorithm, signature.to_vec()))
        };
        let (algorithm, signature) = match (Scheme::of(algorithm).ok()?, key_type) {
            (Scheme::Ecdsa(digest), KeyType::P256) => ecdsa(digest, "P-256", 32),
            (Scheme::Ecdsa(digest), KeyType::P384) => ecdsa(digest, "P-384", 48),
            (Scheme::Ecdsa(digest), KeyType::P521) => ecdsa(digest, "P-521", 66),
            (Scheme::RsaPkcs1(digest), KeyType::Rsa(2048..=8192)) => rsa("RSASSA-PKCS1-v1_5", digest, None),
            // WebCrypto has one hash for the message and MGF1.
            (Scheme::RsaPss(pss), KeyType::Rsa(2048..=8192)) if pss.mask == pss.digest && pss.salt_len <= 64 => {
                rsa("RSA-PSS", pss.digest, Some(pss.salt_len))
            }
            (Scheme::Ed25519, KeyType::Ed25519) if signature.len() == 64 => {
                Some((Algorithm { name: "Ed25519", ..Algorithm::default() }, signature.to_vec()))
            }
            _ => None,
        }?;
        Some(Self { algorithm, key: encode(key).ok()?, message: message.to_vec(), signature })
    }

    /// Returns the arguments of WebCrypto.
    fn parts(&self) -> [&[u8]; 3] {
        [&self.key, &self.message, &self.signature]
    }

    /// Returns a digest of the algorithm and all arguments.
    fn id(&self) -> String {
        let mut hasher = Sha256::new();
        let Algorithm { name, named_curve, hash, salt_len } = self.algorithm;
        hasher.update(format!("{name}/{named_curve:?}/{hash:?}/{salt_len:?}"));
        for part in self.parts() {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
        hex::encode(&hasher.finalize())
    }
}

/// A verifier that uses the results of WebCrypto.
pub(crate) struct WebVerifier<'a> {
    rust: &'a dyn Verifier,
    results: &'a WebCryptoResults,
    /// The signatures that were assumed to be valid, by identifier.
    assumed: RefCell<BTreeMap<String, Check>>,
}

impl<'a> WebVerifier<'a> {
    /// Creates a verifier. `rust` verifies the signatures that WebCrypto does not accept.
    pub(crate) fn new(rust: &'a dyn Verifier, results: &'a WebCryptoResults) -> Self {
        Self { rust, results, assumed: RefCell::default() }
    }

    /// Returns the signatures that were assumed to be valid, if any: a JSON object with `checks`, in the format of a request, with three
    /// arguments for each check (key, message and signature).
    pub(crate) fn assumed(self) -> Option<Response> {
        #[derive(Serialize)]
        struct Row<'r> {
            id: &'r str,
            algorithm: Algorithm,
        }
        let assumed = self.assumed.into_inner();
        if assumed.is_empty() {
            return None;
        }
        let rows: Vec<_> = assumed.iter().map(|(id, check)| Row { id, algorithm: check.algorithm }).collect();
        let head = serde_json::json!({ "checks": rows }).to_string();
        let parts: Vec<&[u8]> = assumed.values().flat_map(Check::parts).collect();
        Some(Response::Bytes(request(&head, &parts)))
    }
}

impl Verifier for WebVerifier<'_> {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        if let Some(check) = Check::of(key, algorithm, message, signature) {
            let id = check.id();
            if self.results.verified.contains(&id) {
                return Ok(());
            }
            if !self.results.last && !self.results.refused.contains(&id) {
                self.assumed.borrow_mut().insert(id, check);
                return Ok(());
            }
        }
        self.rust.verify(key, algorithm, message, signature)
    }

    fn verify_proof(&self, ca_key: &[u8], certificate: &[u8], time: UnixTime) -> Result<(), SignatureFault> {
        self.rust.verify_proof(ca_key, certificate, time)
    }
}
