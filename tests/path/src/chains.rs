//! Chains with keys and signatures of real algorithms, and extensions of every kind that RFC 5280 §6.1 processes.

use crate::*;

/// Keys by name, of one algorithm.
pub trait Keys {
    /// Returns the AlgorithmIdentifier of signatures, in DER.
    fn algorithm(&self) -> Vec<u8>;

    /// Returns a key's SubjectPublicKeyInfo, in DER.
    fn public_key(&self, name: &str) -> Vec<u8>;

    /// Signs a message with a key.
    fn sign(&self, name: &str, message: &[u8]) -> Vec<u8>;
}

/// RSA keys and signatures that have the right form, but no private key. The same name always yields the same bytes.
pub struct RsaForm;

impl Keys for RsaForm {
    fn algorithm(&self) -> Vec<u8> {
        // sha256WithRSAEncryption, NULL.
        sequence(&[b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0B", b"\x05\x00"])
    }

    fn public_key(&self, name: &str) -> Vec<u8> {
        // rsaEncryption, NULL.
        let algorithm = sequence(&[b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x01", b"\x05\x00"]);
        // 2,048 bits, odd.
        let modulus = element(0x02, &[&[0x00], &filled(name, 0xC0, 255), &[0x01]]);
        let key = sequence(&[&modulus, b"\x02\x03\x01\x00\x01"]);
        sequence(&[&algorithm, &element(0x03, &[&[0], &key])])
    }

    fn sign(&self, name: &str, _: &[u8]) -> Vec<u8> {
        filled(name, 0x40, 256)
    }
}

/// ECDSA keys and signatures that have the right form, but no private key. The same name always yields the same bytes.
pub struct EcdsaForm;

impl Keys for EcdsaForm {
    fn algorithm(&self) -> Vec<u8> {
        // ecdsa-with-SHA256.
        sequence(&[b"\x06\x08\x2A\x86\x48\xCE\x3D\x04\x03\x02"])
    }

    fn public_key(&self, name: &str) -> Vec<u8> {
        // id-ecPublicKey, prime256v1.
        let algorithm =
            sequence(&[b"\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01", b"\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07"]);
        sequence(&[&algorithm, &element(0x03, &[&[0], &[0x04], &filled(name, 0x80, 64)])])
    }

    fn sign(&self, name: &str, _: &[u8]) -> Vec<u8> {
        sequence(&[&element(0x02, &[&filled(name, 0x40, 32)]), &element(0x02, &[&filled(name, 0x60, 32)])])
    }
}

/// Returns `len` bytes that depend on a name, between `base` and `base + 31`.
fn filled(name: &str, base: u8, len: usize) -> Vec<u8> {
    name.bytes().cycle().zip(0u8..=255).cycle().take(len).map(|(octet, at)| base + (octet ^ at) % 32).collect()
}

/// A chain from the end-entity certificate to the trust anchor's.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The title of each certificate.
    pub titles: &'static [&'static str],
    /// The certificates in DER.
    pub certificates: Vec<Vec<u8>>,
}

impl Chain {
    fn new(titles: &'static [&'static str], specs: &[Spec], keys: &dyn Keys) -> Self {
        let text = |name: &[u8]| String::from_utf8(name.to_vec()).unwrap();
        let certificates = specs.iter().map(|spec| {
            let key = keys.public_key(&text(&spec.key));
            spec.signed(&key, &keys.algorithm(), |message| keys.sign(&text(&spec.signer), message))
        });
        Self { titles, certificates: certificates.collect() }
    }

    /// Creates a chain of three certificates with name constraints, valid for `www.example.org`.
    pub fn constrained(keys: &dyn Keys) -> Self {
        let names = alt_names(&[(DNS, b"www.example.org"), (DNS, b"example.org"), (IP, &[192, 0, 2, 1])]);
        let leaf = Spec::leaf("www.example.org", "CA", "ca")
            .with(names)
            .with(crl_distribution_point(b"http://crl.example.org/ca.crl"))
            .with(ocsp_location(b"http://ocsp.example.org/"));
        let permitted: [(u8, &[u8]); 2] = [(DNS, b"example.org"), (IP, &[192, 0, 2, 0, 255, 255, 255, 0])];
        let other = name("Other");
        let excluded: [(u8, &[u8]); 2] = [(DNS, b"internal.example.org"), (DIRECTORY, &other)];
        let ca = Spec::ca("CA", "ca", "Root", "root")
            .with(basic_constraints(Some(0)))
            .with(name_constraints(&permitted, &excluded));
        Self::new(&["leaf", "CA", "root"], &[leaf, ca, root()], keys)
    }

    /// Creates a chain of four certificates with policies, valid for `www.example.org` and the policy 1.2.3.2.
    pub fn with_policies(keys: &dyn Keys) -> Self {
        let leaf = Spec::leaf("www.example.org", "Sub", "sub").with(qualified_policy(1));
        // inhibitPolicyMapping 0.
        let sub = Spec::ca("Sub", "sub", "CA", "ca")
            .with(basic_constraints(Some(0)))
            .with(policies(&[1]))
            .with(extension(36, true, &sequence(&[b"\x81\x01\x00"])));
        // inhibitAnyPolicy 0.
        let ca = Spec::ca("CA", "ca", "Root", "root")
            .with(policies(&[2]))
            .with(mappings(&[(2, 1)]))
            .with(explicit_policy())
            .with(extension(54, true, b"\x02\x01\x00"));
        Self::new(&["leaf", "Sub", "CA", "root"], &[leaf, sub, ca, root()], keys)
    }
}

/// Encodes a certificate policy with a CPS pointer and a user notice.
fn qualified_policy(number: u8) -> Vec<u8> {
    let cps = sequence(&[b"\x06\x08\x2B\x06\x01\x05\x05\x07\x02\x01", &element(0x16, &[b"http://example.org/cps"])]);
    let notice = sequence(&[&element(0x0C, &[b"For tests"])]);
    let notice = sequence(&[b"\x06\x08\x2B\x06\x01\x05\x05\x07\x02\x02", &notice]);
    let information = sequence(&[&policy_id(number), &sequence(&[&cps, &notice])]);
    extension(32, false, &sequence(&[&information]))
}

fn crl_distribution_point(uri: &[u8]) -> Vec<u8> {
    let names = element(0xA0, &[&element(0xA0, &[&element(URI, &[uri])])]);
    extension(31, false, &sequence(&[&sequence(&[&names])]))
}

fn ocsp_location(uri: &[u8]) -> Vec<u8> {
    let description = sequence(&[b"\x06\x08\x2B\x06\x01\x05\x05\x07\x30\x01", &element(URI, &[uri])]);
    sequence(&[b"\x06\x08\x2B\x06\x01\x05\x05\x07\x01\x01", &element(0x04, &[&sequence(&[&description])])])
}
