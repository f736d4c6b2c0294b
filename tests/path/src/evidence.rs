//! Handmade CRLs and OCSP responses. Like the certificates, they have the signer's key bytes as their signature.

use tagwise_path::{Anchors, Policy, Report, RevocationMode, Rule};
use tagwise_pkix::build::Digest;

use super::*;

/// A CRL to create.
#[derive(Clone, Debug)]
pub struct List {
    pub issuer: Vec<u8>,
    pub signer: Vec<u8>,
    pub this_update: &'static str,
    pub next_update: Option<&'static str>,
    pub entries: Vec<Vec<u8>>,
    pub extensions: Vec<Vec<u8>>,
}

impl List {
    /// Creates a current, complete, empty CRL with number 5.
    pub fn new(issuer: &str, signer: &str) -> Self {
        Self {
            issuer: name(issuer),
            signer: signer.as_bytes().to_vec(),
            this_update: "251231000000Z",
            next_update: Some("260110000000Z"),
            entries: Vec::new(),
            extensions: vec![authority_key(signer.as_bytes()), number(5)],
        }
    }

    /// Creates a delta CRL with number 7, for base CRLs numbered `base` or higher.
    pub fn delta(issuer: &str, signer: &str, base: u8) -> Self {
        Self::new(issuer, signer).with(number(7)).with(extension(27, true, &[2, 1, base]))
    }

    /// Adds an extension, replacing one with the same identifier.
    pub fn with(mut self, extension: Vec<u8>) -> Self {
        self = self.without(arc(&extension));
        self.extensions.push(extension);
        self
    }

    pub fn without(mut self, wanted: u8) -> Self {
        self.extensions.retain(|extension| arc(extension) != wanted);
        self
    }

    /// Adds an entry.
    pub fn revokes(mut self, serial: u32, extensions: &[Vec<u8>]) -> Self {
        let list: Vec<&[u8]> = extensions.iter().map(Vec::as_slice).collect();
        let extensions = if list.is_empty() { Vec::new() } else { sequence(&list) };
        self.entries.push(sequence(&[&serial_number(serial), b"\x17\x0D251201000000Z", &extensions]));
        self
    }

    pub fn der(&self) -> Vec<u8> {
        let algorithm = sequence(&[&element(0x06, &[ALGORITHM])]);
        let entries: Vec<&[u8]> = self.entries.iter().map(Vec::as_slice).collect();
        let extensions: Vec<&[u8]> = self.extensions.iter().map(Vec::as_slice).collect();
        let tbs = sequence(&[
            if extensions.is_empty() { &[] } else { &[2, 1, 1] },
            &algorithm,
            &self.issuer,
            &element(0x17, &[self.this_update.as_bytes()]),
            &self.next_update.map_or_else(Vec::new, |next| element(0x17, &[next.as_bytes()])),
            &if entries.is_empty() { Vec::new() } else { sequence(&entries) },
            &if extensions.is_empty() { Vec::new() } else { element(0xA0, &[&sequence(&extensions)]) },
        ]);
        sequence(&[&tbs, &algorithm, &element(0x03, &[&[0], &self.signer])])
    }
}

/// Encodes a serial number like [`Spec::der`].
pub fn serial_number(serial: u32) -> Vec<u8> {
    element(0x02, &[&[0x01], &serial.to_be_bytes()])
}

pub fn number(number: u8) -> Vec<u8> {
    extension(20, false, &[2, 1, number])
}

pub fn reason(code: u8) -> Vec<u8> {
    extension(21, false, &[0x0A, 1, code])
}

pub fn certificate_issuer(issuer: &str) -> Vec<u8> {
    extension(29, true, &general_names(&[(DIRECTORY, &name(issuer))]))
}

/// `distributionPoint [0] { fullName [0] }`
pub fn full_name(names: &[(u8, &[u8])]) -> Vec<u8> {
    let names: Vec<Vec<u8>> = names.iter().map(|(tag, content)| element(*tag, &[content])).collect();
    element(0xA0, &[&element(0xA0, &names.iter().map(Vec::as_slice).collect::<Vec<_>>())])
}

/// Encodes `distributionPoint [0] { nameRelativeToCRLIssuer [1] }` with a common name.
pub fn relative_name(common_name: &str) -> Vec<u8> {
    let attribute = sequence(&[b"\x06\x03\x55\x04\x03", &element(0x0C, &[common_name.as_bytes()])]);
    element(0xA0, &[&element(0xA1, &[&attribute])])
}

/// Encodes a certificate's distribution points, given the fields of each.
pub fn points(points: &[&[Vec<u8>]]) -> Vec<u8> {
    let points: Vec<Vec<u8>> =
        points.iter().map(|fields| sequence(&fields.iter().map(Vec::as_slice).collect::<Vec<_>>())).collect();
    extension(31, false, &sequence(&points.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// Encodes a CRL's issuing distribution point.
pub fn issuing_point(fields: &[Vec<u8>]) -> Vec<u8> {
    extension(28, true, &sequence(&fields.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// `cRLIssuer [2]`
pub fn crl_issuer(issuer: &str) -> Vec<u8> {
    element(0xA2, &[&element(DIRECTORY, &[&name(issuer)])])
}

/// Encodes ReasonFlags with the tag of a distribution point (1) or an issuing distribution point (3), for bits 1 to 7.
pub fn reason_flags(tag: u8, bits: &[u8]) -> Vec<u8> {
    let octet = bits.iter().fold(0u8, |octet, bit| octet | 0x80 >> bit);
    vec![0x80 | tag, 2, octet.trailing_zeros() as u8, octet]
}

pub const ONLY_USERS: &[u8] = &[0x81, 1, 0xFF];
pub const ONLY_CAS: &[u8] = &[0x82, 1, 0xFF];
pub const INDIRECT: &[u8] = &[0x84, 1, 0xFF];
pub const ONLY_ATTRIBUTES: &[u8] = &[0x85, 1, 0xFF];

/// An OCSP response to create, with one single response.
#[derive(Clone, Debug)]
pub struct Ocsp {
    /// The name and key of the certificate's issuer.
    pub issuer: (Vec<u8>, Vec<u8>),
    pub digest: Digest,
    pub serial: u32,
    /// The CertStatus.
    pub status: Vec<u8>,
    pub produced_at: &'static str,
    pub this_update: &'static str,
    pub next_update: Option<&'static str>,
    /// The ResponderID.
    pub responder: Vec<u8>,
    pub signer: Vec<u8>,
    pub certificates: Vec<Vec<u8>>,
    /// The version, if it is encoded.
    pub version: Option<u8>,
    pub extensions: Vec<Vec<u8>>,
    pub single_extensions: Vec<Vec<u8>>,
}

pub fn by_name(common_name: &str) -> Vec<u8> {
    element(0xA1, &[&name(common_name)])
}

pub fn by_key(key: &str) -> Vec<u8> {
    element(0xA2, &[&element(0x04, &[&Digest::Sha1.of(key.as_bytes())])])
}

/// Encodes an extension of `id-pkix-ocsp`, identified by its last arc.
pub fn ocsp_extension(arc: u8, critical: bool, value: &[u8]) -> Vec<u8> {
    let critical: &[u8] = if critical { b"\x01\x01\xFF" } else { b"" };
    sequence(&[&[0x06, 0x09, 0x2B, 6, 1, 5, 5, 7, 0x30, 1, arc], critical, &element(0x04, &[value])])
}

/// id-pkix-ocsp-nocheck.
pub fn no_check() -> Vec<u8> {
    ocsp_extension(5, false, b"\x05\x00")
}

pub const GOOD: &[u8] = &[0x80, 0];
pub const UNKNOWN: &[u8] = &[0x82, 0];

/// Encodes `revoked [1]` with the reason keyCompromise.
pub fn revoked() -> Vec<u8> {
    element(0xA1, &[b"\x18\x0F20251201000000Z", &[0xA0, 3, 0x0A, 1, 1]])
}

impl Ocsp {
    /// Creates a current response with the status "good", signed by the issuer itself.
    pub fn new(issuer: &str, key: &str) -> Self {
        Self {
            issuer: (name(issuer), key.as_bytes().to_vec()),
            digest: Digest::Sha1,
            serial: 1,
            status: GOOD.to_vec(),
            produced_at: "20251231000000Z",
            this_update: "20251231000000Z",
            next_update: Some("20260110000000Z"),
            responder: by_name(issuer),
            signer: key.as_bytes().to_vec(),
            certificates: Vec::new(),
            version: None,
            extensions: Vec::new(),
            single_extensions: Vec::new(),
        }
    }

    /// Makes a delegated responder, with its own certificate, sign the response.
    pub fn by(self, responder: &str, certificate: &Spec) -> Self {
        let certificates = vec![certificate.der()];
        Self { responder: by_name(responder), signer: certificate.key.clone(), certificates, ..self }
    }

    pub fn der(&self) -> Vec<u8> {
        let list = |tag: u8, items: &[Vec<u8>]| {
            let items: Vec<&[u8]> = items.iter().map(Vec::as_slice).collect();
            if items.is_empty() { Vec::new() } else { element(tag, &[&sequence(&items)]) }
        };
        let time = |time: &str| element(0x18, &[time.as_bytes()]);
        let algorithm = tagwise_codec::encode(&self.digest.algorithm()).unwrap();
        let (issuer, key) = &self.issuer;
        let id = sequence(&[
            &algorithm,
            &element(0x04, &[&self.digest.of(issuer)]),
            &element(0x04, &[&self.digest.of(key)]),
            &serial_number(self.serial),
        ]);
        let answer = sequence(&[
            &id,
            &self.status,
            &time(self.this_update),
            &self.next_update.map_or_else(Vec::new, |next| element(0xA0, &[&time(next)])),
            &list(0xA1, &self.single_extensions),
        ]);
        let extensions = list(0xA1, &self.extensions);
        let version = self.version.map_or_else(Vec::new, |version| element(0xA0, &[&[2, 1, version]]));
        let data = sequence(&[&version, &self.responder, &time(self.produced_at), &sequence(&[&answer]), &extensions]);
        let algorithm = sequence(&[&element(0x06, &[ALGORITHM])]);
        let signature = element(0x03, &[&[0], &self.signer]);
        let basic = sequence(&[&data, &algorithm, &signature, &list(0xA0, &self.certificates)]);
        let body = sequence(&[&[0x06, 0x09, 0x2B, 6, 1, 5, 5, 7, 0x30, 1, 1], &element(0x04, &[&basic])]);
        sequence(&[&[0x0A, 1, 0], &element(0xA0, &[&body])])
    }
}

/// The outcome for the end-entity certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Good(String),
    Revoked(String),
    Unknown(String),
}

/// Checks the revocation status of a certificate below the anchor `Root`, with the given intermediates.
pub fn ask(leaf: &Spec, between: &[Spec], anchors: &Anchors, change: impl FnOnce(&mut Policy)) -> Verdict {
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Require;
    policy.revocation.scope = tagwise_path::RevocationScope::Leaf;
    change(&mut policy);
    match validate(leaf, between, anchors, &policy) {
        Ok(path) => Verdict::Good(path.to_string()),
        Err(report) => refused(&report),
    }
}

fn refused(report: &Report) -> Verdict {
    let refusal = report.refusal().unwrap();
    assert_eq!(refusal.rule, Rule::Revocation, "{report}");
    let is_revoked = refusal.message.starts_with("revoked on");
    if is_revoked { Verdict::Revoked(refusal.message.clone()) } else { Verdict::Unknown(refusal.message.clone()) }
}
