//! The `openssl` command: checks whether it is available, runs it, and creates keys and signatures with it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tagwise_codec::{Decode as _, NamedBits, SeqOf, pem};
use tagwise_pkix::build::{self, ExtensionList, KeyIdentifierMethod, SerialNumber, Unsigned};
use tagwise_pkix::ext::{BasicConstraints, ExtKeyUsage, KeyUsage, SubjectKeyIdentifier};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{
    AlgorithmIdentifier, Certificate, Extension, Extensions, SubjectPublicKeyInfo, TbsCertificate, Time, UnixTime,
    Validity, Version, oids,
};

/// Returns whether the `openssl` command is available. If it is not, records that the test is skipped; the caller must then
/// return.
#[must_use]
pub fn is_there() -> bool {
    tagwise_testing::tool("openssl", &["version"])
}

/// Runs `openssl` in a folder and returns its stdout and stderr. Panics if it fails.
#[must_use]
pub fn run(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("openssl").current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "openssl {args:?}: {said}");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// Elliptic curve keys on P-256, for `genpkey`.
pub const EC: [&str; 4] = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"];
/// 2048-bit RSA keys.
pub const RSA: [&str; 4] = ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"];

/// Creates a key in `name.key`, and returns its SubjectPublicKeyInfo.
#[must_use]
pub fn new_key(folder: &Path, name: &str, kind: &[&str]) -> Vec<u8> {
    let file = format!("{name}.key");
    let _ = run(folder, &[&["genpkey", "-out", &file], kind].concat());
    let der = format!("{name}.spki");
    let _ = run(folder, &["pkey", "-in", &file, "-pubout", "-outform", "DER", "-out", &der]);
    fs::read(folder.join(der)).unwrap()
}

/// Signs bytes with SHA-256 and the key in `name.key`.
#[must_use]
pub fn sign(folder: &Path, name: &str, tbs: &[u8]) -> Vec<u8> {
    fs::write(folder.join("tbs"), tbs).unwrap();
    let _ = run(folder, &["dgst", "-sha256", "-sign", &format!("{name}.key"), "-out", "signature", "tbs"]);
    fs::read(folder.join("signature")).unwrap()
}

/// Signs an unsigned structure with the key in `name.key`.
#[must_use]
pub fn attach(folder: &Path, name: &str, unsigned: &Unsigned) -> Vec<u8> {
    unsigned.attach(&sign(folder, name, unsigned.tbs())).unwrap()
}

/// ECDSA with SHA-256.
#[must_use]
pub const fn ecdsa() -> AlgorithmIdentifier<'static> {
    AlgorithmIdentifier { algorithm: oids::ECDSA_WITH_SHA256, parameters: None }
}

/// The notBefore time of everything that these tests create. It is in the past, and `NOT_AFTER` is in the distant future.
pub const NOT_BEFORE: i64 = 1_700_000_000;
/// The notAfter time of everything that these tests create.
pub const NOT_AFTER: i64 = 2_600_000_000;

/// Creates an unsigned certificate for a key, with the subject as its issuer, to be signed with the given algorithm.
#[must_use]
pub fn certificate_of(
    subject: &NameBuf,
    key: SubjectPublicKeyInfo<'_>,
    signature: AlgorithmIdentifier<'_>,
    extensions: &[Extension<'_>],
) -> Unsigned {
    let time = |seconds| Time::from_unix(UnixTime(seconds)).unwrap();
    let unsigned = build::certificate(&TbsCertificate {
        version: Version::V3,
        serial_number: SerialNumber::generate().unwrap().number(),
        signature,
        issuer: subject.name(),
        validity: Validity { not_before: time(NOT_BEFORE), not_after: time(NOT_AFTER) },
        subject: subject.name(),
        subject_public_key_info: key,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(extensions),
    });
    unsigned.unwrap()
}

/// Creates a self-signed certificate for a key of the given `kind`, which may sign other certificates. The key and the
/// certificate are written to `name.key` and `name.pem`. If purposes are given, the certificate is limited to them by a
/// critical extension, as time stamping requires.
#[must_use]
pub fn new_certificate(folder: &Path, name: &str, kind: &[&str; 4], purposes: &[tagwise_codec::Oid<'_>]) -> Vec<u8> {
    let key = new_key(folder, name, kind);
    let key = SubjectPublicKeyInfo::from_der(&key).unwrap();
    let subject = NameBuf::parse(&format!("CN={name},O=Example")).unwrap();
    let identifier = KeyIdentifierMethod::Sha1.of(&key).unwrap();
    let mut list = ExtensionList::new();
    if purposes.is_empty() {
        list.add(true, &BasicConstraints { ca: true, path_len_constraint: None }).unwrap();
        list.add(true, &KeyUsage(NamedBits::from_mask(1 | 1 << 2 | 1 << 5 | 1 << 6))).unwrap();
    } else {
        list.add(true, &KeyUsage(NamedBits::from_mask(1))).unwrap();
        list.add(true, &ExtKeyUsage(SeqOf::from_slice(purposes))).unwrap();
    }
    list.add(false, &SubjectKeyIdentifier(identifier.as_slice().into())).unwrap();
    let extensions = list.extensions();
    let null = tagwise_codec::Any::null(0);
    let rsa = AlgorithmIdentifier { algorithm: oids::SHA256_WITH_RSA_ENCRYPTION, parameters: Some(null) };
    let unsigned = certificate_of(&subject, key, if *kind == RSA { rsa } else { ecdsa() }, &extensions);
    let der = attach(folder, name, &unsigned);
    fs::write(folder.join(format!("{name}.pem")), pem::encode("CERTIFICATE", &der).unwrap()).unwrap();
    Certificate::from_der(&der).unwrap();
    der
}
