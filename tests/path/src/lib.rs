//! Handmade certificates for path tests, with a signature scheme without cryptography: a signature is the bytes of the
//! signer's key.
//!
//! [`chains`] has chains with real algorithms. [`evidence`] creates CRLs and OCSP responses in the same way. [`naive`] is a
//! second implementation of RFC 5280 §6.
//! [`bytes`] makes choices from a fuzz target's input.
#![allow(missing_docs, clippy::new_without_default, reason = "of tests, for tests")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests: what they cannot do ends them"
)]

pub mod bytes;
pub mod chains;
pub mod evidence;
pub mod naive;

use tagwise_path::{Anchor, Anchors, Policy, Pool, Profile, SignatureFault, Verifier, verify};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime};

/// 2026-01-01T00:00:00Z.
pub const NOW: UnixTime = UnixTime(1_767_225_600);

/// A verifier for which the signature is the signer's key.
pub struct KeyIsSignature;

impl Verifier for KeyIsSignature {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        _: &AlgorithmIdentifier<'_>,
        _: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        if key.subject_public_key.as_bytes() == signature { Ok(()) } else { Err(SignatureFault::Wrong) }
    }
}

/// Encodes an element with a definite length.
pub fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let len: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = vec![tag];
    match len {
        0..0x80 => out.push(len as u8),
        _ => {
            let octets = len.to_be_bytes();
            let first = octets.iter().position(|octet| *octet != 0).unwrap();
            out.push(0x80 | (octets.len() - first) as u8);
            out.extend(&octets[first..]);
        }
    }
    parts.iter().for_each(|part| out.extend(*part));
    out
}

pub fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    element(0x30, parts)
}

/// Encodes a name with one common name. An empty text yields the empty name.
pub fn name(common_name: &str) -> Vec<u8> {
    if common_name.is_empty() {
        return sequence(&[]);
    }
    let attribute = sequence(&[b"\x06\x03\x55\x04\x03", &element(0x0C, &[common_name.as_bytes()])]);
    sequence(&[&element(0x31, &[&attribute])])
}

/// Encodes an extension of `id-ce`, identified by its last arc.
pub fn extension(arc: u8, critical: bool, value: &[u8]) -> Vec<u8> {
    let critical: &[u8] = if critical { b"\x01\x01\xFF" } else { b"" };
    sequence(&[&[0x06, 0x03, 0x55, 0x1D, arc], critical, &element(0x04, &[value])])
}

pub fn basic_constraints(path_len: Option<u8>) -> Vec<u8> {
    let limit = path_len.map_or_else(Vec::new, |limit| vec![0x02, 0x01, limit]);
    extension(19, true, &sequence(&[b"\x01\x01\xFF", &limit]))
}

/// Encodes key usage: keyCertSign and cRLSign for a CA, otherwise digitalSignature.
pub fn key_usage(ca: bool) -> Vec<u8> {
    extension(15, true, if ca { b"\x03\x02\x01\x06" } else { b"\x03\x02\x07\x80" })
}

pub fn subject_key(key: &[u8]) -> Vec<u8> {
    extension(14, false, &element(0x04, &[key]))
}

pub fn authority_key(key: &[u8]) -> Vec<u8> {
    extension(35, false, &sequence(&[&element(0x80, &[key])]))
}

/// Encodes alternative names, each with its context tag.
pub fn alt_names(names: &[(u8, &[u8])]) -> Vec<u8> {
    extension(17, false, &general_names(names))
}

pub fn general_names(names: &[(u8, &[u8])]) -> Vec<u8> {
    let names: Vec<Vec<u8>> = names.iter().map(|(tag, content)| element(*tag, &[content])).collect();
    sequence(&names.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

pub const MAIL: u8 = 0x81;
pub const DNS: u8 = 0x82;
pub const DIRECTORY: u8 = 0xA4;
pub const URI: u8 = 0x86;
pub const IP: u8 = 0x87;
pub const RID: u8 = 0x88;
pub const OTHER: u8 = 0xA0;

/// Encodes name constraints: permitted and excluded subtrees, each with its context tag.
pub fn name_constraints(permitted: &[(u8, &[u8])], excluded: &[(u8, &[u8])]) -> Vec<u8> {
    let list = |tag: u8, bases: &[(u8, &[u8])]| {
        let subtrees: Vec<Vec<u8>> = bases.iter().map(|(tag, base)| sequence(&[&element(*tag, &[base])])).collect();
        let parts: Vec<&[u8]> = subtrees.iter().map(Vec::as_slice).collect();
        if parts.is_empty() { Vec::new() } else { element(tag, &parts) }
    };
    extension(30, true, &sequence(&[&list(0xA0, permitted), &list(0xA1, excluded)]))
}

/// Encodes an object identifier for a policy: `1.2.3.number`, or `anyPolicy` for 0.
pub fn policy_id(number: u8) -> Vec<u8> {
    if number == 0 { b"\x06\x04\x55\x1D\x20\x00".to_vec() } else { vec![0x06, 0x03, 0x2A, 0x03, number] }
}

/// Encodes a TLS feature extension with the given numbers (RFC 7633 §4.1).
pub fn features(numbers: &[u8]) -> Vec<u8> {
    let list: Vec<Vec<u8>> = numbers.iter().map(|number| vec![2, 1, *number]).collect();
    let value = sequence(&list.iter().map(Vec::as_slice).collect::<Vec<_>>());
    sequence(&[b"\x06\x08\x2B\x06\x01\x05\x05\x07\x01\x18", &element(0x04, &[&value])])
}

pub fn policies(numbers: &[u8]) -> Vec<u8> {
    let list: Vec<Vec<u8>> = numbers.iter().map(|number| sequence(&[&policy_id(*number)])).collect();
    extension(32, false, &sequence(&list.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

pub fn mappings(pairs: &[(u8, u8)]) -> Vec<u8> {
    let list: Vec<Vec<u8>> = pairs.iter().map(|(from, to)| sequence(&[&policy_id(*from), &policy_id(*to)])).collect();
    extension(33, true, &sequence(&list.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// Encodes policy constraints: requireExplicitPolicy 0.
pub fn explicit_policy() -> Vec<u8> {
    extension(36, true, &sequence(&[b"\x80\x01\x00"]))
}

/// Encodes extended key usages of `id-kp`, identified by their last arcs; 0 is anyExtendedKeyUsage.
pub fn purposes(arcs: &[u8]) -> Vec<u8> {
    let list: Vec<Vec<u8>> = arcs
        .iter()
        .map(|arc| match arc {
            0 => b"\x06\x04\x55\x1D\x25\x00".to_vec(),
            arc => vec![0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, *arc],
        })
        .collect();
    extension(37, false, &sequence(&list.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// A certificate to create.
#[derive(Clone, Debug)]
pub struct Spec {
    pub subject: Vec<u8>,
    pub issuer: Vec<u8>,
    pub serial: u32,
    /// The content bytes of the serial number, instead of `serial`.
    pub serial_octets: Option<Vec<u8>>,
    pub key: Vec<u8>,
    pub signer: Vec<u8>,
    pub not_before: &'static str,
    pub not_after: &'static str,
    pub extensions: Vec<Vec<u8>>,
    /// The content bytes of the AlgorithmIdentifier for key and signature.
    pub algorithm: Vec<u8>,
}

/// 1.3.6.1.4.1.55738.999, which is not in use.
pub const ALGORITHM: &[u8] = b"\x2B\x06\x01\x04\x01\x83\xB3\x3A\x87\x67";

impl Spec {
    fn new(subject: &str, key: &str, issuer: &str, signer: &str) -> Self {
        Self {
            subject: name(subject),
            issuer: name(issuer),
            serial: 1,
            serial_octets: None,
            key: key.as_bytes().to_vec(),
            signer: signer.as_bytes().to_vec(),
            not_before: "200101000000Z",
            not_after: "400101000000Z",
            extensions: Vec::new(),
            algorithm: ALGORITHM.to_vec(),
        }
    }

    /// Creates a CA with everything that RFC 5280 requires.
    pub fn ca(subject: &str, key: &str, issuer: &str, signer: &str) -> Self {
        let spec = Self::new(subject, key, issuer, signer);
        let (own, above) = (subject_key(key.as_bytes()), authority_key(signer.as_bytes()));
        spec.with(basic_constraints(None)).with(key_usage(true)).with(own).with(above)
    }

    /// Creates an end-entity certificate with a host name.
    pub fn leaf(subject: &str, issuer: &str, signer: &str) -> Self {
        let spec = Self::new(subject, "leaf", issuer, signer);
        let (own, above) = (subject_key(b"leaf"), authority_key(signer.as_bytes()));
        let names = alt_names(&[(DNS, b"www.example.org")]);
        spec.with(key_usage(false)).with(own).with(above).with(names).with(purposes(&[1]))
    }

    /// Adds an extension, replacing one with the same identifier.
    pub fn with(mut self, extension: Vec<u8>) -> Self {
        self = self.without(arc(&extension));
        self.extensions.push(extension);
        self
    }

    /// Removes the extension of `id-ce` whose last arc is `wanted`.
    pub fn without(mut self, wanted: u8) -> Self {
        self.extensions.retain(|extension| arc(extension) != wanted);
        self
    }

    pub fn der(&self) -> Vec<u8> {
        let algorithm = sequence(&[&element(0x06, &[&self.algorithm])]);
        let key = sequence(&[&algorithm, &element(0x03, &[&[0], &self.key])]);
        self.signed(&key, &algorithm, |_| self.signer.clone())
    }

    /// Encodes the certificate with another key, a SubjectPublicKeyInfo, and with a signature by an algorithm. `sign` receives the
    /// to-be-signed bytes.
    pub fn signed(&self, key: &[u8], algorithm: &[u8], sign: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let validity =
            sequence(&[&element(0x17, &[self.not_before.as_bytes()]), &element(0x17, &[self.not_after.as_bytes()])]);
        let serial = [&[0x01], &self.serial.to_be_bytes()[..]].concat();
        let serial = element(0x02, &[self.serial_octets.as_ref().unwrap_or(&serial)]);
        let extensions: Vec<&[u8]> = self.extensions.iter().map(Vec::as_slice).collect();
        let extensions = element(0xA3, &[&sequence(&extensions)]);
        let tbs = sequence(&[
            b"\xA0\x03\x02\x01\x02",
            &serial,
            algorithm,
            &self.issuer,
            &validity,
            &self.subject,
            key,
            if self.extensions.is_empty() { &[] } else { &extensions },
        ]);
        let signature = sign(&tbs);
        sequence(&[&tbs, algorithm, &element(0x03, &[&[0], &signature])])
    }
}

/// Returns the last arc of an extension's identifier, or 0xFF outside `id-ce`.
pub fn arc(extension: &[u8]) -> u8 {
    let start = extension.windows(4).position(|octets| octets == [0x06, 0x03, 0x55, 0x1D]);
    start.map_or(0xFF, |start| extension[start + 4])
}

/// Creates a self-signed root.
pub fn root() -> Spec {
    Spec::ca("Root", "root", "Root", "root")
}

pub fn anchors(roots: &[&Spec]) -> Anchors {
    roots.iter().map(|root| Anchor::from_certificate(root.der()).unwrap()).collect()
}

pub fn pool(specs: &[Spec]) -> Pool {
    let pool: Pool = specs.iter().map(Spec::der).collect();
    assert!(pool.unreadable().is_empty(), "{:?}", pool.unreadable());
    pool
}

/// Returns a policy for RFC 5280, including its requirements for issuers and for anchors' certificates, which no profile
/// enables by default.
pub fn policy() -> Policy {
    let mut policy = Policy::new(&Profile::RFC5280, NOW);
    for rule in ["conformance", "anchor-extensions"] {
        policy.enable(rule).unwrap();
    }
    policy
}

pub fn validate(
    leaf: &Spec,
    between: &[Spec],
    anchors: &Anchors,
    policy: &Policy,
) -> Result<tagwise_path::Path, tagwise_path::Report> {
    verify::path(&leaf.der(), &pool(between), anchors, policy, &KeyIsSignature)
}
