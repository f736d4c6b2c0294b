//! What is built and signed elsewhere is what the `openssl` command takes: a CA of two levels, a request and a CRL, with keys and
//! signatures of its own making. Where the command is absent the test says so; under `CI=true` that is a failure.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use tagwise_codec::{Any, BitStr, Decode, NamedBits, SeqOf, SetOf, encode, pem};
use tagwise_pkix::build::{self, BuildError, ExtensionList, KeyIdentifierMethod, SerialNumber};
use tagwise_pkix::csr::{CertificationRequest, CertificationRequestInfo, Version as RequestVersion};
use tagwise_pkix::ext::*;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::*;
use tagwise_tests::openssl::{self, EC, NOT_AFTER, NOT_BEFORE, RSA, attach, ecdsa, new_key};

fn time(seconds: i64) -> Time<'static> {
    Time::from_unix(UnixTime(seconds)).unwrap()
}

fn validity() -> Validity<'static> {
    Validity { not_before: time(NOT_BEFORE), not_after: time(NOT_AFTER) }
}

fn write_pem(folder: &Path, name: &str, label: &str, der: &[u8]) {
    fs::write(folder.join(name), pem::encode(label, der).unwrap()).unwrap();
}

fn rsa() -> AlgorithmIdentifier<'static> {
    AlgorithmIdentifier {
        algorithm: oids::SHA256_WITH_RSA_ENCRYPTION,
        parameters: Some(Any::from_der(&[0x05, 0x00]).unwrap()),
    }
}

fn ca_extensions(key: &SubjectPublicKeyInfo<'_>, method: KeyIdentifierMethod) -> ExtensionList {
    let mut list = ExtensionList::new();
    list.add(true, &BasicConstraints { ca: true, path_len_constraint: None }).unwrap();
    list.add(true, &KeyUsage(NamedBits::from_mask(1 << 5 | 1 << 6))).unwrap();
    list.add(false, &SubjectKeyIdentifier(method.of(key).unwrap().as_slice().into())).unwrap();
    list
}

#[test]
fn openssl_takes_what_is_built() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();

    // The root, with names and strings of several kinds.
    let root_key = new_key(folder, "root", &EC);
    let root_key = SubjectPublicKeyInfo::from_der(&root_key).unwrap();
    let root_name = NameBuf::parse("CN=Prüfstelle \\, eins,O=Example,C=DE").unwrap();
    let serial = SerialNumber::generate().unwrap();
    let list = ca_extensions(&root_key, KeyIdentifierMethod::Sha1);
    let extensions = list.extensions();
    let root = TbsCertificate {
        version: Version::V3,
        serial_number: serial.number(),
        signature: ecdsa(),
        issuer: root_name.name(),
        validity: validity(),
        subject: root_name.name(),
        subject_public_key_info: root_key,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(&extensions),
    };
    let root = attach(folder, "root", &build::certificate(&root).unwrap());
    write_pem(folder, "root.pem", "CERTIFICATE", &root);
    let root = Certificate::from_der(&root).unwrap();

    // A request, which asks for names.
    let leaf_key = new_key(folder, "leaf", &RSA);
    let leaf_key = SubjectPublicKeyInfo::from_der(&leaf_key).unwrap();
    let leaf_name = NameBuf::parse("CN=www.example.org").unwrap();
    let names = ["www.example.org", "*.example.org"].map(|name| GeneralName::DnsName(name.try_into().unwrap()));
    let mut wanted = ExtensionList::new();
    wanted.add(false, &SubjectAltName(GeneralNames(SeqOf::from_slice(&names)))).unwrap();
    let wanted = encode(&Extensions::new(&wanted.extensions()).unwrap()).unwrap();
    let wanted = [Any::from_der(&wanted).unwrap()];
    let attributes = [Attribute { attr_type: oids::EXTENSION_REQUEST, values: SetOf::from_slice(&wanted) }];
    let info = CertificationRequestInfo {
        version: RequestVersion::V1,
        subject: leaf_name.name(),
        subject_pk_info: leaf_key,
        attributes: SetOf::from_slice(&attributes),
    };
    let request = attach(folder, "leaf", &build::request(&info, &rsa()).unwrap());
    write_pem(folder, "leaf.csr", "CERTIFICATE REQUEST", &request);
    let said = openssl::run(folder, &["req", "-in", "leaf.csr", "-verify", "-noout", "-text"]);
    assert!(said.contains("verify OK") && said.contains("DNS:*.example.org"), "{said}");

    // The certificate for it: what was read is written as it came.
    let request = CertificationRequest::from_der(&request).unwrap();
    let info = *request.certification_request_info;
    let asked = info.attributes.iter().next().unwrap().unwrap().values.iter().next().unwrap().unwrap();
    let asked: Extensions<'_> = asked.decode_as().unwrap();
    let mut list = ExtensionList::new();
    list.add(false, &build::authority_key_identifier(&root).unwrap().unwrap()).unwrap();
    list.add(true, &KeyUsage(NamedBits::from_mask(1))).unwrap();
    list.add(false, &ExtKeyUsage(SeqOf::from_slice(&[oids::KP_SERVER_AUTH]))).unwrap();
    for extension in asked.iter() {
        list.copy(&extension.unwrap()).unwrap();
    }
    let leaf_serial = SerialNumber::generate().unwrap();
    let extensions = list.extensions();
    let leaf = TbsCertificate {
        version: Version::V3,
        serial_number: leaf_serial.number(),
        signature: ecdsa(),
        issuer: root.tbs_certificate.subject,
        validity: validity(),
        subject: info.subject,
        subject_public_key_info: info.subject_pk_info,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(&extensions),
    };
    let leaf = attach(folder, "root", &build::certificate(&leaf).unwrap());
    write_pem(folder, "leaf.pem", "CERTIFICATE", &leaf);
    let said =
        openssl::run(folder, &["verify", "-x509_strict", "-CAfile", "root.pem", "-purpose", "sslserver", "leaf.pem"]);
    assert_eq!(said, "leaf.pem: OK\n");

    // A CRL that has it.
    let mut entry = ExtensionList::new();
    entry.add(false, &CrlReason::KeyCompromise).unwrap();
    let entry = entry.extensions();
    let revoked = [RevokedCertificate {
        user_certificate: leaf_serial.number(),
        revocation_date: time(NOT_BEFORE + 5),
        crl_entry_extensions: Extensions::new(&entry),
    }];
    let mut list = ExtensionList::new();
    list.add(false, &build::authority_key_identifier(&root).unwrap().unwrap()).unwrap();
    list.add(false, &CrlNumber(Count::new(7))).unwrap();
    let extensions = list.extensions();
    let crl = TbsCertList {
        version: Some(Version::V2),
        signature: ecdsa(),
        issuer: root.tbs_certificate.subject,
        this_update: time(NOT_BEFORE),
        next_update: Some(time(NOT_AFTER)),
        revoked_certificates: Some(SeqOf::from_slice(&revoked)),
        crl_extensions: Extensions::new(&extensions),
    };
    let crl = attach(folder, "root", &build::crl(&crl).unwrap());
    write_pem(folder, "root.crl", "X509 CRL", &crl);
    let said = openssl::run(folder, &["crl", "-in", "root.crl", "-CAfile", "root.pem", "-noout", "-text"]);
    assert!(said.contains("verify OK") && said.contains("Key Compromise"), "{said}");
    let revoked = Command::new("openssl")
        .current_dir(folder)
        .args(["verify", "-crl_check", "-CRLfile", "root.crl", "-CAfile", "root.pem", "leaf.pem"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&revoked.stderr).contains("certificate revoked"));
}

/// A certificate of an invented key, with these extensions.
fn with_extensions(
    version: Version,
    extensions: Option<Extensions<'_>>,
    subject: &NameBuf,
) -> Result<Vec<u8>, BuildError> {
    let algorithm = AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None };
    let serial = SerialNumber::from_random([1; 20]);
    let issuer = NameBuf::parse("CN=Issuer").unwrap();
    build::certificate(&TbsCertificate {
        version,
        serial_number: serial.number(),
        signature: algorithm,
        issuer: issuer.name(),
        validity: validity(),
        subject: subject.name(),
        subject_public_key_info: SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&[9; 32]) },
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions,
    })?
    .attach(&[3; 64])
}

#[test]
fn invalid_certificates_are_not_built() {
    let subject = NameBuf::parse("CN=Subject").unwrap();
    let mut list = ExtensionList::new();
    list.add(true, &KeyUsage(NamedBits::from_mask(1))).unwrap();
    let extensions = list.extensions();
    let error = with_extensions(Version::V1, Extensions::new(&extensions), &subject).unwrap_err();
    assert!(matches!(&error, BuildError::Decode(error) if error.code() == "version"), "{error}");

    // Twice the same.
    assert!(Extensions::new(&[extensions[0], extensions[0]]).is_none());
    let twice = list.add(false, &KeyUsage(NamedBits::from_mask(2)));
    assert!(matches!(twice, Err(BuildError::Twice(id)) if id == "2.5.29.15"));

    // keyCertSign without cA (RFC 5280 §4.2.1.9), and a value that is not of its type.
    let mut list = ExtensionList::new();
    list.add(true, &KeyUsage(NamedBits::from_mask(1 << 5))).unwrap();
    let error = with_extensions(Version::V3, Extensions::new(&list.extensions()), &subject).unwrap_err();
    assert!(matches!(&error, BuildError::Lints(found) if !found.is_empty()), "{error}");
    let mut list = ExtensionList::new();
    list.add_der(KeyUsage::ID, true, [0x03, 0x02, 0x00, 0x06]).unwrap();
    let error = with_extensions(Version::V3, Extensions::new(&list.extensions()), &subject).unwrap_err();
    assert!(matches!(&error, BuildError::Encode(error) if error.path() == "extensions.extnValue"), "{error}");

    // No name at all.
    let empty = NameBuf::parse("").unwrap();
    assert!(matches!(with_extensions(Version::V3, None, &empty), Err(BuildError::Lints(_))));
}

fn method() -> impl Strategy<Value = KeyIdentifierMethod> {
    use KeyIdentifierMethod::*;
    prop::sample::select(vec![Sha1, ShortSha1, Sha256, Sha384, Sha512, InfoSha256])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_built_is_read_as_it_was_meant(
        random in any::<[u8; 20]>(),
        key in any::<[u8; 32]>(),
        names in prop::collection::vec("[a-z]{1,12}\\.test", 1..5),
        common in "[ -~äß]{1,30}",
        (start, days) in (0i64..4_000_000_000, 1i64..20_000),
        method in method(),
        signature in any::<[u8; 8]>(),
    ) {
        let algorithm = AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None };
        let key = SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&key) };
        let serial = SerialNumber::from_random(random);
        let common: String = common.chars().map(|c| if c.is_ascii_alphanumeric() || c > '~' { c.to_string() } else { format!("\\{:02x}", c as u8) }).collect();
        let subject = NameBuf::parse(&format!("CN={common}")).unwrap();
        let issuer = NameBuf::parse("CN=Issuer").unwrap();
        let hosts: Vec<_> = names.iter().map(|name| GeneralName::DnsName(name.as_str().try_into().unwrap())).collect();
        let identifier = method.of(&key).unwrap();
        let mut list = ExtensionList::new();
        list.add(false, &SubjectKeyIdentifier(identifier.as_slice().into())).unwrap();
        list.add(false, &AuthorityKeyIdentifier { key_identifier: Some((&[5u8; 20][..]).into()), ..Default::default() }).unwrap();
        list.add(false, &SubjectAltName(GeneralNames(SeqOf::from_slice(&hosts)))).unwrap();
        let extensions = list.extensions();
        let tbs = TbsCertificate {
            version: Version::V3,
            serial_number: serial.number(),
            signature: algorithm,
            issuer: issuer.name(),
            validity: Validity { not_before: time(start), not_after: time(start + days * 86_400) },
            subject: subject.name(),
            subject_public_key_info: key,
            issuer_unique_id: None,
            subject_unique_id: None,
            extensions: Extensions::new(&extensions),
        };
        let unsigned = build::certificate(&tbs).unwrap();
        let der = unsigned.attach(&signature).unwrap();
        let read = Certificate::from_der(&der).unwrap();
        prop_assert_eq!(read.tbs_certificate.as_bytes(), unsigned.tbs());
        prop_assert_eq!(read.signature_value.as_bytes(), &signature);
        prop_assert_eq!(*read.tbs_certificate, tbs);
        prop_assert_eq!(read.tbs_certificate.subject, subject.name());
        prop_assert!(read.tbs_certificate.serial_number.0 > tagwise_codec::Int::ZERO);
    }
}
