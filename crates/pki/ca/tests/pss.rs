//! CAs that sign with RSASSA-PSS: all that they sign, and for as long as they are. Their certificates alone say so.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;

use tagwise_ca::store::{AuthorityRecord, StoredKey};
use tagwise_ca::{
    Adoption, AltName, Authority, Error, Founding, OcspOptions, Order, Profile, Protection, Responder, Restrictions,
    SqliteStore, Store, Urls,
};
use tagwise_codec::{Any, Decode, NamedBits, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, Digest, KeySigner, KeyType, PrivateKey, PssParameters, Scheme, Signer, sign, verify};
use tagwise_pkix::build::{self, ExtensionList, KeyIdentifierMethod, SerialNumber};
use tagwise_pkix::ext::{BasicConstraints, KeyUsage, SubjectKeyIdentifier};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::ocsp::{OcspResponse, Response};
use tagwise_pkix::{
    AlgorithmIdentifier, Certificate, CertificateList, Extensions, SubjectPublicKeyInfo, TbsCertificate, Time,
    UnixTime, Validity, Version, oids,
};

const BACKEND: AwsLc = AwsLc::new();
const NOW: i64 = 1_790_000_000;
const DAY: i64 = 86_400;

const fn at(seconds: i64) -> UnixTime {
    UnixTime(seconds)
}

const fn pss(digest: Digest) -> Scheme {
    Scheme::RsaPss(PssParameters::of(digest))
}

fn rsa() -> Arc<dyn PrivateKey> {
    BACKEND.generate(KeyType::Rsa(2048)).unwrap()
}

fn founding(pss: bool) -> Founding<'static> {
    Founding {
        label: Authority::LABEL,
        subject: NameBuf::parse("CN=Root").unwrap(),
        key_identifier: None,
        not_before: at(NOW),
        not_after: at(NOW + 1000 * DAY),
        path_len: None,
        urls: Urls::default(),
        pss,
    }
}

fn found(key: &Arc<dyn PrivateKey>, pss: bool) -> Result<(SqliteStore, Authority), Error> {
    let mut store = SqliteStore::in_memory().unwrap();
    Authority::found(&mut store, &BACKEND, key, &founding(pss), &Protection::Clear).map(|authority| (store, authority))
}

fn adopt(key: &Arc<dyn PrivateKey>, certificate: &[u8]) -> (SqliteStore, Authority) {
    let mut store = SqliteStore::in_memory().unwrap();
    let adoption = Adoption {
        label: "ca",
        certificate,
        urls: &Urls::default(),
        takeover: tagwise_ca::Takeover::Nothing,
        last_number: 0,
        now: at(NOW),
    };
    let authority = Authority::adopt(&mut store, &BACKEND, key, &adoption, &Protection::Clear).unwrap();
    (store, authority)
}

/// A certificate of a CA for a key with this identifier, as this signer has it signed.
fn certificate(key: &SubjectPublicKeyInfo<'_>, signer: &dyn Signer) -> Vec<u8> {
    let name = NameBuf::parse("CN=Root").unwrap();
    let time = |seconds| Time::from_unix(UnixTime(seconds)).unwrap();
    let mut list = ExtensionList::new();
    list.add(true, &BasicConstraints { ca: true, path_len_constraint: None }).unwrap();
    list.add(true, &KeyUsage(NamedBits::from_mask(1 << 5 | 1 << 6))).unwrap();
    let identifier = KeyIdentifierMethod::Sha256.of(key).unwrap();
    list.add(false, &SubjectKeyIdentifier(identifier.as_slice().into())).unwrap();
    let extensions = list.extensions();
    let algorithm = signer.scheme().identifier().unwrap();
    let unsigned = build::certificate(&TbsCertificate {
        version: Version::V3,
        serial_number: SerialNumber::from_random([1; 20]).number(),
        signature: AlgorithmIdentifier::from_der(&algorithm).unwrap(),
        issuer: name.name(),
        subject: name.name(),
        validity: Validity { not_before: time(NOW), not_after: time(NOW + 1000 * DAY) },
        subject_public_key_info: *key,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(&extensions),
    });
    sign(&unsigned.unwrap(), signer).unwrap()
}

/// That something was signed so by the CA.
fn check(authority: &Authority, scheme: Scheme, algorithm: &AlgorithmIdentifier<'_>, signed: &[u8], signature: &[u8]) {
    assert_eq!(Scheme::of(algorithm).unwrap(), scheme);
    let key = &authority.certificate().tbs_certificate.subject_public_key_info;
    verify(&BACKEND, key, algorithm, signed, signature).unwrap();
}

/// All that a CA signs: a certificate, a CRL, an OCSP response.
fn check_all(store: &mut SqliteStore, authority: &Authority, scheme: Scheme) {
    let signer = authority.unlock(&BACKEND, None).unwrap();
    assert_eq!((*signer.scheme(), authority.scheme().unwrap()), (scheme, scheme));
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let order = Order {
        subject: NameBuf::parse("CN=subject").unwrap(),
        names: vec![AltName::dns("www.example.org").unwrap()],
        public_key: key.public_key_info(),
        key_identifier: None,
        restrictions: Restrictions::default(),
        profile: Profile::Server,
        not_before: at(NOW),
        not_after: at(NOW + 90 * DAY),
    };
    let issued = authority.issue(store, &BACKEND, &signer, &order, at(NOW)).unwrap();
    let read = Certificate::from_der(&issued.der).unwrap();
    let signature = read.signature_value.octets().unwrap();
    check(authority, scheme, &read.signature_algorithm, read.tbs_certificate.as_bytes(), signature);

    let made = authority.crl(store, &signer, at(NOW), at(NOW + DAY)).unwrap();
    let list = CertificateList::from_der(&made.der).unwrap();
    let signature = list.signature_value.octets().unwrap();
    check(authority, scheme, &list.signature_algorithm, list.tbs_cert_list.as_bytes(), signature);

    let responder = Responder::new(Arc::new(authority.clone()), Arc::new(signer), OcspOptions::DEFAULT).unwrap();
    let answer = responder.answer_about(store, &issued.serial, at(NOW)).unwrap();
    let response = OcspResponse::from_der(&answer).unwrap();
    let Response::Response(basic) = response.response_bytes.unwrap().response.get().unwrap() else { panic!() };
    let signature = basic.signature.octets().unwrap();
    check(authority, scheme, &basic.signature_algorithm, basic.tbs_response_data.as_bytes(), signature);
}

#[test]
fn everything_is_signed_with_pss() {
    let key = rsa();
    let (mut store, authority) = found(&key, true).unwrap();
    let own = authority.certificate();
    // The key may be used otherwise, and others need not know PSS keys.
    assert_eq!(own.tbs_certificate.subject_public_key_info.algorithm.algorithm, oids::RSA_ENCRYPTION);
    let signature = own.signature_value.octets().unwrap();
    let scheme = pss(Digest::Sha256);
    check(&authority, scheme, &own.signature_algorithm, own.tbs_certificate.as_bytes(), signature);
    check_all(&mut store, &authority, scheme);
    // What is read from the store signs so, too; and so does a CA that takes the certificate over.
    let again = Authority::open(&mut store, Authority::LABEL).unwrap();
    check_all(&mut store, &again, scheme);
    let (mut other, taken) = adopt(&key, authority.certificate_der());
    check_all(&mut other, &taken, scheme);
}

#[test]
fn without_it_nothing_changes() {
    let (mut store, authority) = found(&rsa(), false).unwrap();
    check_all(&mut store, &authority, Scheme::RsaPkcs1(Digest::Sha256));
}

#[test]
fn pss_is_for_rsa() {
    let refused = found(&BACKEND.generate(KeyType::P256).unwrap(), true).unwrap_err();
    assert!(matches!(refused, Error::Refused { clause: Some("RFC 4055 §3.1"), .. }), "{refused}");
}

/// The digest is that of the certificate's signature.
#[test]
fn digests_are_kept() {
    let key = rsa();
    let public = SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
    for scheme in [pss(Digest::Sha384), pss(Digest::Sha512)] {
        let der = certificate(&public, &KeySigner::new(Arc::clone(&key), scheme).unwrap());
        let (mut store, authority) = adopt(&key, &der);
        check_all(&mut store, &authority, scheme);
    }
    // Of PKCS #1 v1.5 nothing is taken: the digest goes with the key.
    let der = certificate(&public, &KeySigner::new(Arc::clone(&key), Scheme::RsaPkcs1(Digest::Sha512)).unwrap());
    let (mut store, authority) = adopt(&key, &der);
    check_all(&mut store, &authority, Scheme::RsaPkcs1(Digest::Sha256));
}

/// What another CA signed with PSS tells nothing of the key in it.
#[test]
fn a_ca_below_one_with_pss() {
    let (mut store, root) = found(&rsa(), true).unwrap();
    let signer = root.unlock(&BACKEND, None).unwrap();
    for (kind, scheme) in
        [(KeyType::Rsa(2048), Scheme::RsaPkcs1(Digest::Sha256)), (KeyType::P256, Scheme::Ecdsa(Digest::Sha256))]
    {
        let key = BACKEND.generate(kind).unwrap();
        let order = Order {
            subject: NameBuf::parse("CN=Sub").unwrap(),
            names: Vec::new(),
            public_key: key.public_key_info(),
            key_identifier: None,
            restrictions: Restrictions::default(),
            profile: Profile::Ca { path_len: None },
            not_before: at(NOW),
            not_after: at(NOW + 900 * DAY),
        };
        let issued = root.issue(&mut store, &BACKEND, &signer, &order, at(NOW)).unwrap();
        let (mut below, sub) = adopt(&key, &issued.der);
        check_all(&mut below, &sub, scheme);
    }
}

/// Keys that are for PSS alone (RFC 4055 §3.1): their identifier says it, whoever signed.
#[test]
fn keys_for_pss_alone() {
    let key = rsa();
    let public = SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
    let signer = KeySigner::preferred(BACKEND.generate(KeyType::P256).unwrap()).unwrap();
    let parameters = |digest, mask, salt_len| {
        let identifier = Scheme::RsaPss(PssParameters { digest, mask, salt_len }).identifier().unwrap();
        encode(&AlgorithmIdentifier::from_der(&identifier).unwrap().parameters.unwrap()).unwrap()
    };
    let two = PssParameters { digest: Digest::Sha384, mask: Digest::Sha256, salt_len: 60 };
    for (parameters, expected) in [
        (Vec::new(), Some(pss(Digest::Sha256))),
        // The salt is the shortest that may be: a longer one is taken, and a shorter one is not.
        (parameters(Digest::Sha384, Digest::Sha384, 20), Some(pss(Digest::Sha384))),
        (parameters(two.digest, two.mask, two.salt_len), Some(Scheme::RsaPss(two))),
        (parameters(Digest::Sha1, Digest::Sha1, 20), None),
    ] {
        let algorithm =
            AlgorithmIdentifier { algorithm: oids::RSASSA_PSS, parameters: Any::from_der(&parameters).ok() };
        let der = certificate(&SubjectPublicKeyInfo { algorithm, ..public }, &signer);
        let mut store = SqliteStore::in_memory().unwrap();
        let record = AuthorityRecord {
            label: "ca".to_owned(),
            certificate: der,
            key: StoredKey::Elsewhere,
            urls: Urls::default(),
            crl_number: 0,
            created: at(NOW),
        };
        store.add_authority(&record, None, &tagwise_ca::store::Past::Nothing).unwrap();
        let scheme = Authority::open(&mut store, "ca").unwrap().scheme();
        match expected {
            Some(expected) => assert_eq!(scheme.unwrap(), expected),
            None => assert!(matches!(scheme, Err(Error::Crypto { .. }))),
        }
    }
}
