//! CAs that are renewed and cross-signed keep their names and key identifiers, byte for byte.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;

use tagwise_ca::{
    AltName, Authority, Error, Founding, Identity, LastCrl, Order, Profile, Protection, Requested, Restrictions,
    SqliteStore, Urls,
};
use tagwise_codec::{Any, Decode, Ia5, NamedBits, SeqOf, SetOf, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeySigner, KeyType, PrivateKey, Signer, sign};
use tagwise_pkix::build::{self, ExtensionList, KeyIdentifierMethod};
use tagwise_pkix::csr::CertificationRequestInfo;
use tagwise_pkix::ext::{
    Attribute, AuthorityKeyIdentifier, BaseDistance, BasicConstraints, Count, ExtKeyUsage, GeneralSubtree, KeyUsage,
    NameConstraints, SubjectKeyIdentifier, SubtreeName,
};
use tagwise_pkix::name::{Name, NameBuf};
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo, UnixTime, oids};

const BACKEND: AwsLc = AwsLc::new();
const NOW: i64 = 1_790_000_000;
const DAY: i64 = 86_400;
/// An identifier that is no digest of the key.
const OWN: [u8; 5] = [0x8F, 0x71, 0, 1, 2];

/// `CN=Old Root` as a UTF8String, where text on the command line becomes a PrintableString.
const NAME: &[u8] = b"\x30\x13\x31\x11\x30\x0F\x06\x03\x55\x04\x03\x0C\x08Old Root";

fn name() -> NameBuf {
    NameBuf::new(&Name::from_der(NAME).unwrap()).unwrap()
}

/// Bits of keyUsage (RFC 5280 §4.2.1.3).
const DIGITAL_SIGNATURE: u64 = 1;
const KEY_ENCIPHERMENT: u64 = 1 << 2;
const KEY_CERT_SIGN: u64 = 1 << 5;
const CRL_SIGN: u64 = 1 << 6;

fn founding(subject: NameBuf, key_identifier: Option<Vec<u8>>) -> Founding<'static> {
    Founding {
        label: Authority::LABEL,
        subject,
        key_identifier,
        not_before: UnixTime(NOW),
        not_after: UnixTime(NOW + 1000 * DAY),
        path_len: None,
        urls: Urls::default(),
        pss: false,
    }
}

struct Ca {
    store: SqliteStore,
    authority: Authority,
    signer: KeySigner,
}

fn found(key: &Arc<dyn PrivateKey>, founding: &Founding<'_>) -> Ca {
    let mut store = SqliteStore::in_memory().unwrap();
    let authority = Authority::found(&mut store, &BACKEND, key, founding, &Protection::Clear).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    Ca { store, authority, signer }
}

impl Ca {
    fn issue(&mut self, order: &Order<'_>) -> Result<Vec<u8>, Error> {
        let issued = self.authority.issue(&mut self.store, &BACKEND, &self.signer, order, UnixTime(NOW));
        issued.map(|issued| issued.der)
    }
}

fn order<'a>(key: &'a [u8], profile: Profile) -> Order<'a> {
    Order {
        subject: NameBuf::parse("CN=www.example.org").unwrap(),
        names: vec![AltName::dns("www.example.org").unwrap()],
        public_key: key,
        key_identifier: None,
        restrictions: Restrictions::default(),
        profile,
        not_before: UnixTime(NOW),
        not_after: UnixTime(NOW + 90 * DAY),
    }
}

fn own_identifier(der: &[u8]) -> Vec<u8> {
    let read = Certificate::from_der(der).unwrap();
    let list = read.tbs_certificate.extensions.unwrap();
    list.get::<SubjectKeyIdentifier<'_>>().unwrap().unwrap().0.as_bytes().to_vec()
}

fn issuer_identifier(der: &[u8]) -> Vec<u8> {
    let read = Certificate::from_der(der).unwrap();
    let list = read.tbs_certificate.extensions.unwrap();
    list.get::<AuthorityKeyIdentifier<'_>>().unwrap().unwrap().key_identifier.unwrap().as_bytes().to_vec()
}

fn names(der: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let read = Certificate::from_der(der).unwrap();
    (encode(&read.tbs_certificate.issuer).unwrap(), encode(&read.tbs_certificate.subject).unwrap())
}

#[test]
fn certificates_name_their_issuer_as_its_certificate_does() {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let mut ca = found(&key, &founding(name(), Some(OWN.to_vec())));
    assert_eq!(own_identifier(ca.authority.certificate_der()), OWN);
    let server = BACKEND.generate(KeyType::P256).unwrap();
    let leaf = ca.issue(&order(server.public_key_info(), Profile::Server)).unwrap();
    assert_eq!(issuer_identifier(&leaf), OWN);
    assert_eq!(names(&leaf).0, NAME);
}

#[test]
fn a_renewed_ca_keeps_its_name_and_identifier() {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let mut old = found(&key, &founding(name(), Some(OWN.to_vec())));
    // From its certificate.
    let identity = Identity::of_certificate(old.authority.certificate_der()).unwrap();
    assert_eq!(identity.public_key.as_deref(), Some(key.public_key_info()));
    let typed = NameBuf::parse("CN=Old Root").unwrap();
    assert_ne!(typed.as_der(), NAME);
    let renewed = found(&key, &founding(identity.preserved(typed.clone()), identity.key_identifier.clone()));
    assert_eq!(own_identifier(renewed.authority.certificate_der()), OWN);
    assert_eq!(names(renewed.authority.certificate_der()), (NAME.to_vec(), NAME.to_vec()));
    // From its last CRL, which is then that of the new certificate.
    let crl = old.authority.crl(&mut old.store, &old.signer, UnixTime(NOW), UnixTime(NOW + DAY)).unwrap();
    let identity = Identity::of_crl(&crl.der).unwrap();
    assert_eq!((identity.subject.as_der(), identity.key_identifier.as_deref()), (NAME, Some(&OWN[..])));
    let renewed = found(&key, &founding(identity.preserved(typed), identity.key_identifier));
    LastCrl::read(&BACKEND, renewed.authority.certificate(), &crl.der).unwrap();
    // Another name is another CA's.
    let other = NameBuf::parse("CN=New Root").unwrap();
    assert_eq!(identity_of(&crl.der).preserved(other.clone()).as_der(), other.as_der());
}

fn identity_of(crl: &[u8]) -> Identity {
    Identity::of_crl(crl).unwrap()
}

/// RFC 5280 §4.2.1.2 (1), as most software computes it: a CA that is certified from its bare key keeps its identifier.
#[test]
fn identifiers_of_cas_are_the_usual_ones() {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let usual = |info: &[u8]| KeyIdentifierMethod::Sha1.of(&SubjectPublicKeyInfo::from_der(info).unwrap()).unwrap();
    let mut ca = found(&key, &founding(name(), None));
    assert_eq!(own_identifier(ca.authority.certificate_der()), usual(key.public_key_info()));
    let below = BACKEND.generate(KeyType::P256).unwrap();
    let sub = ca.issue(&order(below.public_key_info(), Profile::Ca { path_len: None })).unwrap();
    assert_eq!(own_identifier(&sub), usual(below.public_key_info()));
}

/// A request in DER, for these extensions.
fn request(key: &Arc<dyn PrivateKey>, extensions: &ExtensionList) -> Vec<u8> {
    let list = extensions.extensions();
    let values = encode(&tagwise_pkix::Extensions::new(&list).unwrap()).unwrap();
    let values = [Any::from_der(&values).unwrap()];
    let attributes = [Attribute { attr_type: oids::EXTENSION_REQUEST, values: SetOf::from_slice(&values) }];
    let info = CertificationRequestInfo {
        version: tagwise_pkix::csr::Version::V1,
        subject: Name::from_der(NAME).unwrap(),
        subject_pk_info: SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap(),
        attributes: SetOf::from_slice(&attributes),
    };
    let signer = KeySigner::preferred(Arc::clone(key)).unwrap();
    let algorithm = signer.scheme().identifier().unwrap();
    let unsigned = build::request(&info, &tagwise_pkix::AlgorithmIdentifier::from_der(&algorithm).unwrap()).unwrap();
    sign(&unsigned, &signer).unwrap()
}

#[test]
fn requests_of_cas_are_honored() {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let mut ca = found(&key, &founding(NameBuf::parse("CN=Parent").unwrap(), None));
    let below = BACKEND.generate(KeyType::P256).unwrap();
    let mut list = ExtensionList::new();
    list.add(false, &SubjectKeyIdentifier(OWN.as_slice().into())).unwrap();
    list.add(true, &BasicConstraints { ca: true, path_len_constraint: Some(Count::new(2)) }).unwrap();
    list.add(true, &KeyUsage(NamedBits::from_mask(KEY_CERT_SIGN | CRL_SIGN))).unwrap();
    let base = SubtreeName::DnsName(Ia5::new("example.org").unwrap());
    let subtrees = [GeneralSubtree { base, minimum: BaseDistance::ZERO, maximum: None }];
    let constraints =
        NameConstraints { permitted_subtrees: Some(SeqOf::from_slice(&subtrees)), excluded_subtrees: None };
    list.add(true, &constraints).unwrap();
    list.add(false, &ExtKeyUsage(SeqOf::from_slice(&[oids::KP_SERVER_AUTH]))).unwrap();
    let requested = Requested::from_der(&BACKEND, &request(&below, &list)).unwrap();
    assert_eq!((requested.key_identifier.as_deref(), requested.path_len), (Some(&OWN[..]), Some(2)));
    let order = Order {
        subject: requested.subject.clone(),
        names: Vec::new(),
        key_identifier: requested.key_identifier.as_deref(),
        restrictions: requested.restrictions.clone(),
        ..order(&requested.public_key, Profile::Ca { path_len: requested.path_len })
    };
    let sub = ca.issue(&order).unwrap();
    assert_eq!((own_identifier(&sub), names(&sub).1), (OWN.to_vec(), NAME.to_vec()));
    let tbs = Certificate::from_der(&sub).unwrap().tbs_certificate;
    assert!(requested.not_taken(&tbs).unwrap().is_empty(), "{:?}", requested.not_taken(&tbs));
    // A cross-signed CA keeps the restrictions of its certificate, too.
    assert_eq!(Identity::of_certificate(&sub).unwrap().restrictions, requested.restrictions);
    let empty = Order { key_identifier: Some(&[]), ..order };
    assert!(ca.issue(&empty).unwrap_err().to_string().contains("subject key identifier is empty"));
}

#[test]
fn subjects_of_servers_are_judged() {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let mut ca = found(&key, &founding(name(), None));
    let server = BACKEND.generate(KeyType::P256).unwrap();
    let good = order(server.public_key_info(), Profile::Server);
    assert_eq!(good.stray_common_name(), None);
    let upper = Order { subject: NameBuf::parse("CN=WWW.example.org").unwrap(), ..good.clone() };
    assert_eq!(upper.stray_common_name(), None);
    let stray = Order { subject: NameBuf::parse("CN=other.example.org").unwrap(), ..good.clone() };
    assert_eq!(stray.stray_common_name().as_deref(), Some("other.example.org"));
    assert_eq!(Order { profile: Profile::Client, ..stray }.stray_common_name(), None);
    let long = Order { subject: NameBuf::parse(&format!("CN={}", "a".repeat(65))).unwrap(), ..good.clone() };
    assert_eq!(
        ca.issue(&long).unwrap_err().to_string(),
        "the subject's commonName has 65 characters, expected at most 64: omit it, and put the name into the subject \
         alternative name (RFC 5280 §A.1)"
    );
    let fits = Order { subject: NameBuf::parse(&format!("O={}", "ä".repeat(64))).unwrap(), ..good };
    ca.issue(&fits).unwrap();
}

/// RFC 5280 §4.2.1.3, §4.2.1.9: a CA's key signs certificates. A request cannot grant itself encryption, nor take the signing away.
#[test]
fn key_usages_that_no_ca_has_are_not_taken() {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let mut ca = found(&key, &founding(name(), None));
    for usage in [KEY_CERT_SIGN | KEY_ENCIPHERMENT, CRL_SIGN, 0] {
        let below = BACKEND.generate(KeyType::P256).unwrap();
        let mut list = ExtensionList::new();
        list.add(true, &KeyUsage(NamedBits::from_mask(usage))).unwrap();
        let requested = Requested::from_der(&BACKEND, &request(&below, &list)).unwrap();
        let order = Order {
            subject: NameBuf::parse("CN=Sub").unwrap(),
            names: Vec::new(),
            restrictions: requested.restrictions.clone(),
            ..order(&requested.public_key, Profile::Ca { path_len: None })
        };
        let sub = ca.issue(&order).unwrap();
        let tbs = Certificate::from_der(&sub).unwrap().tbs_certificate;
        let own = tbs.extensions.unwrap().get::<KeyUsage<'_>>().unwrap().unwrap();
        assert_eq!(own.0.to_mask(), Some(DIGITAL_SIGNATURE | KEY_CERT_SIGN | CRL_SIGN));
        let left: Vec<String> = requested.not_taken(&tbs).unwrap().iter().map(ToString::to_string).collect();
        assert!(left.contains(&"extension keyUsage: the profile sets a different value".to_owned()), "{left:?}");
    }
}
