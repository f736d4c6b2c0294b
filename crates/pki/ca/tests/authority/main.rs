//! What a CA does and refuses, over a store in memory or in a file.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod below;
mod ocsp;
mod periods;

use std::sync::Arc;

use tagwise_ca::store::{Cursor, NewOcspResponse, Unanswered};
use tagwise_ca::{
    Adoption, AltName, Authority, Definition, Error, Founding, Issued, OcspOptions, Order, Profile, Protection,
    Rekeying, Requested, Responder, Restrictions, Serial, SqliteStore, Store, Subtree, Takeover, Urls,
};
use tagwise_codec::{Any, BitStr, CivilTime, Decode, SetOf, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeySigner, KeyType, PrivateKey, Signer, sign, verify};
use tagwise_pkix::build::{self, Digest, ExtensionList, IssuerHashes};
use tagwise_pkix::csr::CertificationRequestInfo;
use tagwise_pkix::ext::{
    Attribute, AuthorityInfoAccess, BasicConstraints, CrlDistributionPoints, CrlReason, ExtKeyUsage, InhibitAnyPolicy,
    SubjectAltName,
};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::ocsp::{
    BasicOcspResponse, CertStatus, Nonce, OcspResponse, OcspResponseStatus, Request, Response, TbsRequest, Version,
};
use tagwise_pkix::{Certificate, CertificateList, Extensions, SubjectPublicKeyInfo, UnixTime, oids};

const BACKEND: AwsLc = AwsLc::new();
const NOW: i64 = 1_790_000_000;
const DAY: i64 = 86_400;

const fn at(seconds: i64) -> UnixTime {
    UnixTime(seconds)
}

struct Ca {
    store: SqliteStore,
    authority: Authority,
    signer: KeySigner,
}

fn founding(path_len: Option<u8>) -> Founding<'static> {
    Founding {
        label: Authority::LABEL,
        subject: NameBuf::parse("CN=Root,O=Example").unwrap(),
        key_identifier: None,
        not_before: at(NOW),
        not_after: at(NOW + 1000 * DAY),
        path_len,
        urls: Urls {
            ocsp: Some("http://ca.example.org/".to_owned()),
            crl: Some("http://ca.example.org/crl".to_owned()),
            ..Urls::default()
        },
        pss: false,
    }
}

fn ca(path_len: Option<u8>) -> Ca {
    let mut store = SqliteStore::in_memory().unwrap();
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let authority = Authority::found(&mut store, &BACKEND, &key, &founding(path_len), &Protection::Clear).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    Ca { store, authority, signer }
}

fn key() -> Arc<dyn PrivateKey> {
    BACKEND.generate(KeyType::P256).unwrap()
}

fn order(key: &dyn PrivateKey, profile: Profile) -> Order<'_> {
    Order {
        subject: NameBuf::parse("CN=subject").unwrap(),
        names: vec![AltName::dns("www.example.org").unwrap(), AltName::ip("192.0.2.1".parse().unwrap())],
        public_key: key.public_key_info(),
        key_identifier: None,
        restrictions: Restrictions::default(),
        profile,
        not_before: at(NOW),
        not_after: at(NOW + 90 * DAY),
    }
}

impl Ca {
    fn issue(&mut self, order: &Order<'_>) -> Result<Issued, Error> {
        self.authority.issue(&mut self.store, &BACKEND, &self.signer, order, at(NOW))
    }

    fn server(&mut self) -> Serial {
        self.issue(&order(&*key(), Profile::Server)).unwrap().serial
    }

    fn revoke(&mut self, serial: &Serial, reason: CrlReason, at: UnixTime) -> Result<(), Error> {
        self.authority.revoke(&mut self.store, serial, reason, None, at).map(drop)
    }

    /// The numbers on the next CRL.
    fn crl(&mut self, at: UnixTime) -> (u64, Vec<String>) {
        let made = self.authority.crl(&mut self.store, &self.signer, at, UnixTime(at.0 + DAY)).unwrap();
        let list = CertificateList::from_der(&made.der).unwrap();
        let of = |entry: tagwise_pkix::Revocation<'_>| Serial::from_int(entry.entry.user_certificate.0).to_string();
        assert_eq!(list.tbs_cert_list.number().unwrap().unwrap().0.get(), made.number);
        (made.number, list.tbs_cert_list.revocations().map(|entry| of(entry.unwrap())).collect())
    }
}

fn refused<T>(done: Result<T, Error>, words: &str) {
    let Err(error) = done else { panic!("not refused: {words}") };
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn certificates_say_what_their_profile_is_for() {
    let mut ca = ca(None);
    let key = key();
    let issued = ca.issue(&order(&*key, Profile::Server)).unwrap();
    let certificate = Certificate::from_der(&issued.der).unwrap();
    let tbs = &certificate.tbs_certificate;
    let root = ca.authority.certificate().tbs_certificate;
    assert_eq!(tbs.issuer, root.subject);
    assert_eq!(Serial::from_int(tbs.serial_number.0), issued.serial);
    let signature = certificate.signature_value.octets().unwrap();
    verify(&BACKEND, &root.subject_public_key_info, &certificate.signature_algorithm, tbs.as_bytes(), signature)
        .unwrap();
    let list = tbs.extensions.unwrap();
    assert!(list.get::<ExtKeyUsage<'_>>().unwrap().unwrap().contains(oids::KP_SERVER_AUTH));
    assert!(list.get::<SubjectAltName<'_>>().unwrap().unwrap().dns_names().eq(["www.example.org"]));
    let access = list.get::<AuthorityInfoAccess<'_>>().unwrap().unwrap();
    let url = |name: tagwise_pkix::ext::GeneralName<'_>| name.to_string();
    assert!(access.locations(oids::AD_OCSP).map(url).eq(["URI:http://ca.example.org/"]));
    let points = list.get::<CrlDistributionPoints<'_>>().unwrap().unwrap();
    assert!(points.full_names().map(url).eq(["URI:http://ca.example.org/crl"]));

    let issued = ca.issue(&order(&*key, Profile::Ca { path_len: Some(3) })).unwrap();
    let certificate = Certificate::from_der(&issued.der).unwrap();
    let basic = certificate.tbs_certificate.extensions.unwrap().get::<BasicConstraints<'_>>().unwrap().unwrap();
    assert_eq!((basic.ca, basic.path_len_constraint.map(|count| count.get())), (true, Some(3)));

    // What is in the store is what was given.
    let record = ca.authority.find(&mut ca.store, &issued.serial).unwrap();
    assert_eq!((record.der, record.profile.as_str()), (issued.der, "ca"));
    let mut all = 0;
    let count = &mut |_| {
        all += 1;
        Ok(())
    };
    ca.store.certificates(ca.authority.id(), count).unwrap();
    // The root's own among them: its number is taken, too.
    assert_eq!(all, 3);
}

#[test]
fn certificates_that_cannot_be_valid_are_not_issued() {
    let mut ca = ca(Some(0));
    let key = key();
    let good = order(&*key, Profile::Client);
    refused(
        ca.issue(&Order { not_after: at(NOW + 1001 * DAY), ..good.clone() }),
        "notAfter would be later than the CA certificate's",
    );
    refused(
        ca.issue(&Order { not_before: at(NOW - 1), ..good.clone() }),
        "notBefore would precede the CA certificate's",
    );
    refused(ca.issue(&Order { not_after: at(NOW - 1), ..good.clone() }), "would precede its notBefore");
    refused(ca.issue(&Order { profile: Profile::Ca { path_len: None }, ..good.clone() }), "path length is 0");
    refused(
        ca.issue(&Order { profile: Profile::Server, names: Vec::new(), ..good.clone() }),
        "a server certificate requires a DNS name or an IP address",
    );
    let empty = NameBuf::parse("").unwrap();
    refused(ca.issue(&Order { subject: empty.clone(), names: Vec::new(), ..good.clone() }), "RFC 5280");
    ca.issue(&Order { subject: empty, ..good.clone() }).unwrap();
    let own = ca.authority.public_key().to_vec();
    refused(ca.issue(&Order { public_key: &own, ..good.clone() }), "the CA's own");
    let mut point = key.public_key_info().to_vec();
    *point.last_mut().unwrap() ^= 1;
    refused(ca.issue(&Order { public_key: &point, ..good.clone() }), "the subject's key");
    let agreement = BACKEND.generate(KeyType::X25519).unwrap();
    let responder = Order { public_key: agreement.public_key_info(), profile: Profile::Ocsp, ..good.clone() };
    refused(ca.issue(&responder), "cannot sign");
    refused(
        ca.authority.issue(&mut ca.store, &BACKEND, &ca.signer, &good, at(NOW + 2000 * DAY)),
        "the CA's certificate is valid from",
    );
    let other = KeySigner::preferred(key.clone()).unwrap();
    refused(ca.authority.issue(&mut ca.store, &BACKEND, &other, &good, at(NOW)), "does not match the CA's certificate");
}

#[test]
fn keys_are_under_their_passphrase() {
    let mut store = SqliteStore::in_memory().unwrap();
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let protection = Protection::passphrase(b"right");
    assert!(!format!("{protection:?}").contains("right"));
    let authority = Authority::found(&mut store, &BACKEND, &key, &founding(None), &protection).unwrap();
    assert!(matches!(authority.unlock(&BACKEND, None), Err(Error::PassphraseNeeded)));
    assert!(matches!(authority.unlock(&BACKEND, Some(b"wrong")), Err(Error::WrongPassphrase(_))));
    assert_eq!(authority.unlock(&BACKEND, Some(b"right")).unwrap().public_key_info(), key.public_key_info());
    let again = Authority::found(&mut store, &BACKEND, &key, &founding(None), &protection);
    assert!(matches!(again, Err(Error::AuthorityExists(_))));
    assert!(matches!(Authority::open(&mut store, "another"), Err(Error::NoAuthority(_))));
}

/// A certificate of another CA, and a key that goes with it.
#[test]
fn a_ca_below_another() {
    let mut root = ca(Some(1));
    let key = key();
    let issued = root.issue(&order(&*key, Profile::Ca { path_len: None })).unwrap();
    let mut store = SqliteStore::in_memory().unwrap();
    let adopt = |store: &mut SqliteStore, key, certificate: &[u8]| {
        let adoption = Adoption {
            label: "ca",
            certificate,
            urls: &Urls::default(),
            takeover: Takeover::Nothing,
            last_number: 41,
            now: at(NOW),
        };
        Authority::adopt(store, &BACKEND, key, &adoption, &Protection::Clear)
    };
    let other = BACKEND.generate(KeyType::P256).unwrap();
    assert!(matches!(adopt(&mut store, &other, &issued.der), Err(Error::NotTheKey)));
    let leaf = root.issue(&order(&*key, Profile::Server)).unwrap();
    refused(adopt(&mut store, &key, &leaf.der), "not a CA certificate");
    let authority = adopt(&mut store, &key, &issued.der).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let mut sub = Ca { store, authority, signer };
    // The root allows one CA below it, and this is it.
    let below = |profile| Order { subject: NameBuf::parse("CN=below").unwrap(), ..order(&*other, profile) };
    refused(sub.issue(&below(Profile::Ca { path_len: None })), "path length is 0");
    sub.issue(&below(Profile::Server)).unwrap();
    assert_eq!(sub.crl(at(NOW)).0, 42);
}

/// RFC 5280 §3.2: the old key of a CA certifies the new one. That certificate is self-issued, but not self-signed.
#[test]
fn a_new_key_that_the_old_one_certified() {
    let mut root = ca(None);
    let key = key();
    let validity = (at(NOW), at(NOW + 1000 * DAY));
    let rekeying = Rekeying { key: &key, validity, urls: &Urls::default(), pss: false };
    let made = root.authority.rekey(&mut root.store, &BACKEND, &rekeying, &Protection::Clear).unwrap();
    let other = made.certificate_der();
    let issued = root.authority.cross_certify(&mut root.store, &BACKEND, &root.signer, other, at(NOW)).unwrap();
    let read = Certificate::from_der(&issued.der).unwrap();
    assert!(read.is_self_issued() && !read.is_self_signed());
    let mut store = SqliteStore::in_memory().unwrap();
    let adoption = Adoption {
        label: Authority::LABEL,
        certificate: &issued.der,
        urls: &Urls::default(),
        takeover: Takeover::Nothing,
        last_number: 0,
        now: at(NOW),
    };
    let authority = Authority::adopt(&mut store, &BACKEND, &key, &adoption, &Protection::Clear).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let mut new = Ca { store, authority, signer };
    let other = self::key();
    new.issue(&order(&*other, Profile::Server)).unwrap();
    new.crl(at(NOW));
    assert_eq!(new.authority.audit(&mut new.store, &BACKEND).unwrap().findings, [""; 0]);
    // The old key renews it.
    let until = (at(NOW), at(NOW + DAY));
    refused(new.authority.renew(&mut new.store, &BACKEND, &new.signer, until), "a different CA or key");
    // A self-signed certificate must have the signature of its own key.
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let mut store = SqliteStore::in_memory().unwrap();
    let own = Authority::found(&mut store, &BACKEND, &key, &founding(None), &Protection::Clear).unwrap();
    let mut forged = own.certificate_der().to_vec();
    *forged.last_mut().unwrap() ^= 1;
    let adoption = Adoption { label: "forged", certificate: &forged, ..adoption };
    refused(Authority::adopt(&mut store, &BACKEND, &key, &adoption, &Protection::Clear), "the CA's certificate");
}

/// RFC 5280 §4.2.1.10: relying parties would reject certificates with other names.
#[test]
fn name_constraints_of_the_ca_are_respected() {
    let mut root = ca(None);
    let key = key();
    let constrained = Definition {
        ca: true,
        permitted: vec![Subtree::Dns("example.org".to_owned()), Subtree::Email("example.org".to_owned())],
        excluded: vec![Subtree::Dns("secret.example.org".to_owned()), Subtree::V4([10, 0, 0, 0, 255, 0, 0, 0])],
        ..Definition::new("constrained")
    };
    let profile = Profile::Defined(Arc::new(constrained));
    let subject = NameBuf::parse("CN=Sub").unwrap();
    let order_of_sub = Order { names: Vec::new(), subject: subject.clone(), ..order(&*key, profile) };
    let issued = root.issue(&order_of_sub).unwrap();
    let mut store = SqliteStore::in_memory().unwrap();
    let adoption = Adoption {
        label: "ca",
        certificate: &issued.der,
        urls: &Urls::default(),
        takeover: Takeover::Nothing,
        last_number: 0,
        now: at(NOW),
    };
    let authority = Authority::adopt(&mut store, &BACKEND, &key, &adoption, &Protection::Clear).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let mut sub = Ca { store, authority, signer };
    let other = self::key();
    let with = |names: Vec<AltName>| Order { names, ..order(&*other, Profile::Server) };
    let dns = |name: &str| AltName::dns(name).unwrap();
    let ip = |address: &str| AltName::ip(address.parse().unwrap());
    sub.issue(&with(vec![dns("example.org"), dns("www.example.org"), ip("192.0.2.1")])).unwrap();
    for (names, words) in [
        (vec![dns("www.example.com")], "outside the permitted subtrees"),
        (vec![dns("www.example.org"), dns("example.net")], "outside the permitted subtrees"),
        (vec![dns("badexample.org")], "outside the permitted subtrees"),
        (vec![dns("a.secret.example.org")], "within an excluded subtree"),
        // A host for which the wildcard stands is excluded.
        (vec![dns("*.example.org")], "within an excluded subtree"),
        (vec![dns("www.example.org"), ip("10.1.2.3")], "within an excluded subtree"),
    ] {
        refused(sub.issue(&with(names)), words);
    }
    let client = |names| Order { names, ..order(&*other, Profile::Client) };
    sub.issue(&client(vec![AltName::email("eva@example.org").unwrap()])).unwrap();
    refused(sub.issue(&client(vec![AltName::email("eva@example.com").unwrap()])), "outside the permitted subtrees");
    // A mailbox in the subject is one, too.
    let subject = NameBuf::parse("CN=Eva,emailAddress=eva@example.com").unwrap();
    refused(sub.issue(&Order { subject, ..client(Vec::new()) }), "outside the permitted subtrees");
    // A CA below is bound by them.
    let below = Order { names: vec![dns("example.com")], ..order(&*other, Profile::Ca { path_len: None }) };
    refused(sub.issue(&below), "outside the permitted subtrees");
}

#[test]
fn revocations_and_holds() {
    let mut ca = ca(None);
    let (one, two, unknown) = (ca.server(), ca.server(), Serial::generate().unwrap());
    assert!(
        matches!(ca.revoke(&unknown, CrlReason::Superseded, at(NOW)), Err(Error::NoSuchSerial(serial)) if serial == unknown)
    );
    refused(ca.revoke(&one, CrlReason::RemoveFromCrl, at(NOW)), "delta CRLs");
    let own = Serial::from_int(ca.authority.certificate().tbs_certificate.serial_number.0);
    refused(ca.revoke(&own, CrlReason::Superseded, at(NOW)), "own certificate");
    refused(
        ca.authority.revoke(&mut ca.store, &one, CrlReason::Superseded, Some(at(NOW + 1)), at(NOW)),
        "in the future",
    );

    ca.revoke(&one, CrlReason::CertificateHold, at(NOW + 1)).unwrap();
    assert!(matches!(ca.revoke(&one, CrlReason::CertificateHold, at(NOW + 2)), Err(Error::AlreadyRevoked { .. })));
    assert_eq!(ca.crl(at(NOW + 2)), (1, vec![one.to_string()]));
    ca.authority.release(&mut ca.store, &one, at(NOW + 3)).unwrap();
    assert!(matches!(ca.authority.release(&mut ca.store, &one, at(NOW + 3)), Err(Error::NotOnHold(_))));
    assert_eq!(ca.crl(at(NOW + 3)), (2, vec![]));

    ca.revoke(&two, CrlReason::CertificateHold, at(NOW + 4)).unwrap();
    ca.revoke(&two, CrlReason::KeyCompromise, at(NOW + 5)).unwrap();
    let revocation = ca.authority.find(&mut ca.store, &two).unwrap().revocation.unwrap();
    assert_eq!((revocation.at, revocation.reason), (at(NOW + 4), CrlReason::KeyCompromise));
    assert!(matches!(ca.authority.release(&mut ca.store, &two, at(NOW + 6)), Err(Error::NotOnHold(_))));
    let again = ca.revoke(&two, CrlReason::Superseded, at(NOW + 6));
    assert!(matches!(again, Err(Error::AlreadyRevoked { reason: CrlReason::KeyCompromise, .. })));
}

/// CA/Browser Forum BR §7.2.2: the reason of a revocation can become keyCompromise, and only that.
#[test]
fn a_reason_becomes_key_compromise() {
    let mut ca = ca(None);
    let (lost, other) = (key(), key());
    let serial = ca.issue(&order(&*lost, Profile::Server)).unwrap().serial;
    let second = ca.issue(&order(&*other, Profile::Server)).unwrap().serial;
    for serial in [&serial, &second] {
        ca.revoke(serial, CrlReason::Superseded, at(NOW + 2)).unwrap();
    }
    assert_eq!(ca.crl(at(NOW + 3)).0, 1);
    let again = ca.revoke(&serial, CrlReason::CessationOfOperation, at(NOW + 4));
    assert!(matches!(again, Err(Error::AlreadyRevoked { reason: CrlReason::Superseded, .. })), "{again:?}");
    ca.revoke(&serial, CrlReason::KeyCompromise, at(NOW + 4)).unwrap();
    ca.authority.revoke(&mut ca.store, &second, CrlReason::KeyCompromise, Some(at(NOW + 1)), at(NOW + 4)).unwrap();
    let revocation = |ca: &mut Ca, serial: &Serial| {
        let found = ca.authority.find(&mut ca.store, serial).unwrap().revocation.unwrap();
        (found.at, found.reason, found.invalid_since)
    };
    assert_eq!(revocation(&mut ca, &serial), (at(NOW + 2), CrlReason::KeyCompromise, None));
    assert_eq!(revocation(&mut ca, &second), (at(NOW + 1), CrlReason::KeyCompromise, Some(at(NOW + 1))));
    refused(ca.issue(&order(&*lost, Profile::Server)), "the subject's key is compromised");
    // The next delta CRL and the next complete one have the new reasons.
    let (now, next) = (at(NOW + 5), at(NOW + DAY));
    let delta = ca.authority.delta_crl(&mut ca.store, &ca.signer, now, next).unwrap();
    let whole = ca.authority.crl(&mut ca.store, &ca.signer, now, next).unwrap();
    for crl in [delta, whole] {
        let list = CertificateList::from_der(&crl.der).unwrap();
        let reasons: Vec<_> = list
            .tbs_cert_list
            .revocations()
            .map(|entry| {
                let extensions = entry.unwrap().entry.crl_entry_extensions.unwrap();
                extensions.get::<CrlReason>().unwrap().unwrap()
            })
            .collect();
        assert_eq!(reasons, [CrlReason::KeyCompromise; 2]);
    }
    let again = ca.revoke(&serial, CrlReason::KeyCompromise, at(NOW + 6));
    assert!(matches!(again, Err(Error::AlreadyRevoked { reason: CrlReason::KeyCompromise, .. })), "{again:?}");
    assert_eq!(ca.authority.audit(&mut ca.store, &BACKEND).unwrap().findings, [""; 0]);
}

/// A compromised key is not certified again, alone or in a batch.
#[test]
fn compromised_keys_are_refused() {
    let mut ca = ca(None);
    let (lost, superseded, other) = (key(), key(), key());
    let serial = ca.issue(&order(&*lost, Profile::Server)).unwrap().serial;
    let old = ca.issue(&order(&*superseded, Profile::Server)).unwrap().serial;
    let again = ca.issue(&order(&*lost, Profile::Server)).unwrap().serial;
    ca.revoke(&serial, CrlReason::KeyCompromise, at(NOW)).unwrap();
    ca.revoke(&old, CrlReason::Superseded, at(NOW)).unwrap();
    ca.revoke(&again, CrlReason::Superseded, at(NOW)).unwrap();
    let words = format!("the subject's key is compromised: its certificate {serial} was revoked for that reason");
    refused(ca.issue(&order(&*lost, Profile::Client)), &words);
    ca.issue(&order(&*superseded, Profile::Server)).unwrap();
    let sign = |key: &Arc<dyn PrivateKey>| {
        let order = order(&**key, Profile::Server);
        let kind = ca.authority.judge_key(&BACKEND, &order).unwrap();
        ca.authority.prepare(&ca.signer, &order, kind).unwrap().sign(&ca.signer, at(NOW)).unwrap()
    };
    let batch = [sign(&other), sign(&lost)];
    refused(ca.authority.add_all(&mut ca.store, &batch, at(NOW)), &words);
    assert!(ca.store.certificate(ca.authority.id(), &batch[0].serial).unwrap().is_none());
    let keys = [other.public_key_info(), lost.public_key_info()];
    let found = ca.authority.compromises(&mut ca.store, &keys).unwrap();
    assert!(found[0].is_none() && found[1].as_ref().unwrap().to_string().contains(&words), "{found:?}");
    ca.authority.add_all(&mut ca.store, &batch[..1], at(NOW)).unwrap();
}

/// RFC 5280 §3.3: an expired certificate is on one CRL after its end, and then no more.
#[test]
fn expired_certificates_leave_the_crl() {
    let mut ca = ca(None);
    let (one, late, never) = (ca.server(), ca.server(), Some(9));
    ca.revoke(&one, CrlReason::Superseded, at(NOW + DAY)).unwrap();
    assert_eq!(ca.crl(at(NOW + 2 * DAY)).1, [one.to_string()]);
    assert_eq!(ca.crl(at(NOW + 91 * DAY)).1, [one.to_string()]);
    assert_eq!(ca.crl(at(NOW + 92 * DAY)), (3, vec![]));
    ca.authority.revoke(&mut ca.store, &late, CrlReason::KeyCompromise, Some(at(NOW)), at(NOW + 93 * DAY)).unwrap();
    assert_eq!(ca.crl(at(NOW + 93 * DAY)).1, [late.to_string()]);
    assert_eq!(ca.store.crl(ca.authority.id(), None).unwrap().unwrap().number, 4);
    assert_eq!(ca.store.crl(ca.authority.id(), Some(2)).unwrap().unwrap().this_update, at(NOW + 91 * DAY));
    assert!(ca.store.crl(ca.authority.id(), never).unwrap().is_none());
}

/// A CRL that is not made leaves no trace: the number is not used up.
#[test]
fn a_crl_that_fails_takes_no_number() {
    let mut ca = ca(None);
    refused(ca.authority.crl(&mut ca.store, &ca.signer, at(NOW), at(NOW)), "would be due before");
    assert_eq!(ca.crl(at(NOW)).0, 1);
}

fn request(info: impl Fn(&mut ExtensionList), spoil: bool) -> Vec<u8> {
    let key = key();
    let mut list = ExtensionList::new();
    info(&mut list);
    let extensions = list.extensions();
    let asked = Extensions::new(&extensions).map(|list| encode(&list).unwrap()).unwrap_or_default();
    let values = [Any::from_der(&asked)].into_iter().flatten().collect::<Vec<_>>();
    let attribute = Attribute { attr_type: oids::EXTENSION_REQUEST, values: SetOf::from_slice(&values) };
    let attributes = if values.is_empty() { vec![] } else { vec![attribute] };
    let name = NameBuf::parse("CN=asked").unwrap();
    let signer = KeySigner::preferred(key.clone()).unwrap();
    let algorithm = signer.scheme().identifier().unwrap();
    let unsigned = build::request(
        &CertificationRequestInfo {
            version: tagwise_pkix::csr::Version::V1,
            subject: name.name(),
            subject_pk_info: SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap(),
            attributes: SetOf::from_slice(&attributes),
        },
        &tagwise_pkix::AlgorithmIdentifier::from_der(&algorithm).unwrap(),
    )
    .unwrap();
    let mut der = sign(&unsigned, &signer).unwrap();
    if spoil {
        let at = der.windows(5).position(|window| window == b"asked").unwrap();
        der[at] = b'b';
    }
    der
}

#[test]
fn requests_are_read_and_checked() {
    let names = |list: &mut ExtensionList| {
        let name = tagwise_pkix::ext::GeneralName::DnsName("a.example".try_into().unwrap());
        let names = [name];
        let names = tagwise_pkix::ext::GeneralNames(names.as_slice().into());
        list.add(false, &SubjectAltName(names)).unwrap();
        list.add(true, &BasicConstraints { ca: true, path_len_constraint: None }).unwrap();
        list.add(true, &InhibitAnyPolicy(tagwise_pkix::ext::Count::new(1))).unwrap();
    };
    let read = Requested::from_der(&BACKEND, &request(names, false)).unwrap();
    assert_eq!(read.subject.to_string(), "CN=asked");
    assert_eq!(read.names, [AltName::dns("a.example").unwrap()]);
    // Nobody makes himself a CA by asking for it.
    let other = ca(None).authority;
    let not_taken = read.not_taken(&other.certificate().tbs_certificate).unwrap();
    let said: Vec<String> = not_taken.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "subject CN=asked: the certificate has a different value",
            "name DNS:a.example: the certificate has different values",
            "extension inhibitAnyPolicy: the profile has no such value"
        ],
    );
    assert!(Requested::from_der(&BACKEND, &request(|_| (), false)).unwrap().names.is_empty());
    let error = Requested::from_der(&BACKEND, &request(names, true)).unwrap_err();
    assert!(matches!(error, Error::Crypto { .. }), "{error}");
    let odd = |list: &mut ExtensionList| {
        let name = tagwise_pkix::ext::GeneralName::RegisteredId(oids::ED25519);
        let names = [name];
        list.add(false, &SubjectAltName(tagwise_pkix::ext::GeneralNames(names.as_slice().into()))).unwrap();
    };
    let read = Requested::from_der(&BACKEND, &request(odd, false)).unwrap();
    assert!(read.names.is_empty() && read.refused[0].to_string().contains("unsupported kind of name"));
    assert!(matches!(Requested::from_der(&BACKEND, b"\x30\x00"), Err(Error::Malformed { .. })));
}

/// With a key of small order, a signature that anybody can write is right: neither requests nor orders get it certified.
#[test]
fn keys_of_small_order_are_not_certified() {
    let mut ca = ca(None);
    // The identity, (0, 1) of edwards25519; u = 0 of curve25519; the identity of edwards448.
    for (algorithm, len, first) in [(oids::ED25519, 32, 1), (oids::X25519, 32, 0), (oids::ED448, 57, 1)] {
        let mut point = vec![0; len];
        point[0] = first;
        let algorithm = tagwise_pkix::AlgorithmIdentifier { algorithm, parameters: None };
        let info = SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&point) };
        let public_key = encode(&info).unwrap();
        let key = key();
        let order = order(&*key, Profile::Server);
        refused(ca.issue(&Order { public_key: &public_key, ..order }), "small order");
        let name = NameBuf::parse("CN=asked").unwrap();
        let request = CertificationRequestInfo {
            version: tagwise_pkix::csr::Version::V1,
            subject: name.name(),
            subject_pk_info: info,
            attributes: SetOf::from_slice(&[]),
        };
        // R is the identity, S zero.
        let signature = [&point[..], &vec![0; len]].concat();
        let request = build::request(&request, &algorithm).unwrap().attach(&signature).unwrap();
        let error = Requested::from_der(&BACKEND, &request).unwrap_err();
        let word = if algorithm.algorithm == oids::X25519 { "is not supported" } else { "small order" };
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn only_the_ca_has_its_name() {
    let mut ca = ca(None);
    let own = NameBuf::parse("CN=ROOT,O=example").unwrap();
    for profile in [Profile::Ca { path_len: None }, Profile::Server, Profile::Ocsp] {
        let (key, subject) = (key(), own.clone());
        let order = Order { subject, ..order(&*key, profile) };
        refused(ca.issue(&order), "the subject is the CA's own name");
        let kind = ca.authority.judge_key(&BACKEND, &order).unwrap();
        refused(ca.authority.prepare(&ca.signer, &order, kind), "the subject is the CA's own name");
        refused(ca.authority.prepare_all(&ca.signer, &[(&order, kind)]), "the subject is the CA's own name");
    }
}

#[test]
fn a_new_key_keeps_the_revocations_of_the_old_one() {
    let mut old = ca(None);
    let (revoked, held, good) = (old.server(), old.server(), old.server());
    let short = key();
    let short = Order { not_after: at(NOW + DAY), ..order(&*short, Profile::Server) };
    let expired = old.issue(&short).unwrap().serial;
    for (serial, reason) in
        [(&revoked, CrlReason::KeyCompromise), (&held, CrlReason::CertificateHold), (&expired, CrlReason::Superseded)]
    {
        old.revoke(serial, reason, at(NOW)).unwrap();
    }
    let (key, urls, now) = (key(), Urls::default(), at(NOW + 2 * DAY));
    let rekeying = Rekeying { key: &key, validity: (now, at(NOW + 2000 * DAY)), urls: &urls, pss: false };
    let made = old.authority.rekey(&mut old.store, &BACKEND, &rekeying, &Protection::Clear).unwrap();
    let mut store = SqliteStore::in_memory().unwrap();
    let authority = made.add(&mut store).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    // Both keys can certify each other, under the CA's name.
    let cross = old.authority.cross_certify(&mut old.store, &BACKEND, &old.signer, authority.certificate_der(), now);
    cross.unwrap();
    let mut new = Ca { store, authority, signer };
    assert_eq!(new.crl(now), (1, vec![revoked.to_string(), held.to_string()]));
    // Revocations of the old key's certificates can change here, too, and end with the certificates.
    new.revoke(&good, CrlReason::Superseded, now).unwrap();
    new.authority.release(&mut new.store, &held, now).unwrap();
    assert_eq!(new.crl(now), (2, vec![revoked.to_string(), good.to_string()]));
    assert_eq!(new.crl(at(NOW + 91 * DAY)).1.len(), 2);
    assert_eq!(new.crl(at(NOW + 92 * DAY)).1, [""; 0]);
    assert_eq!(new.authority.audit(&mut new.store, &BACKEND).unwrap().findings, [""; 0]);
}

/// A compromised key is refused by the new CA, whether its certificate was revoked before or is revoked there, and has expired or not.
#[test]
fn a_new_key_refuses_the_compromised_keys_of_the_old_one() {
    let mut old = ca(None);
    let [lost, expired, later] = [key(), key(), key()];
    let serial = |old: &mut Ca, key: &dyn PrivateKey, days: i64| {
        let order = Order { not_after: at(NOW + days * DAY), ..order(key, Profile::Server) };
        old.issue(&order).unwrap().serial
    };
    let serials = [(&lost, 90), (&expired, 1), (&later, 90)].map(|(key, days)| serial(&mut old, &**key, days));
    let [lost_serial, expired_serial, later_serial] = &serials;
    old.revoke(lost_serial, CrlReason::KeyCompromise, at(NOW)).unwrap();
    old.revoke(expired_serial, CrlReason::KeyCompromise, at(NOW)).unwrap();
    let (new_key, urls, now) = (key(), Urls::default(), at(NOW + 2 * DAY));
    let rekeying = Rekeying { key: &new_key, validity: (now, at(NOW + 2000 * DAY)), urls: &urls, pss: false };
    let made = old.authority.rekey(&mut old.store, &BACKEND, &rekeying, &Protection::Clear).unwrap();
    let mut store = SqliteStore::in_memory().unwrap();
    let authority = made.add(&mut store).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let mut new = Ca { store, authority, signer };
    let compromise = |new: &mut Ca, key: &dyn PrivateKey| {
        new.authority.check_compromise(&mut new.store, key.public_key_info()).map_err(|error| error.to_string())
    };
    let refused = |serial: &Serial| {
        Err(format!(
            "the subject's key is compromised: its certificate {serial} was revoked for that reason (CA/Browser Forum BR §6.1.1.3)"
        ))
    };
    assert_eq!(compromise(&mut new, &*lost), refused(lost_serial));
    assert_eq!(compromise(&mut new, &*expired), refused(expired_serial));
    assert_eq!(compromise(&mut new, &*later), Ok(()));
    new.revoke(later_serial, CrlReason::KeyCompromise, now).unwrap();
    assert_eq!(compromise(&mut new, &*later), refused(later_serial));
    assert_eq!(new.authority.audit(&mut new.store, &BACKEND).unwrap().findings, [""; 0]);
}

/// Times are those of certificates: two digits for years before 2050, four after.
#[test]
fn the_long_future() {
    let mut ca = ca(None);
    let far = CivilTime::new(2051, 1, 1, 0, 0, 0).unwrap().unix();
    refused(ca.issue(&Order { not_after: far, ..order(&*key(), Profile::Client) }), "2029");
    let long = Founding { label: "long", not_after: far, ..founding(None) };
    let root = key();
    Authority::found(&mut ca.store, &BACKEND, &root, &long, &Protection::Clear).unwrap();
    let authority = Authority::open(&mut ca.store, "long").unwrap();
    assert_eq!(authority.certificate().tbs_certificate.validity.not_after.unix(), far);
    // Two CAs in one store do not mix.
    let signer = authority.unlock(&BACKEND, None).unwrap();
    let issued = authority.issue(&mut ca.store, &BACKEND, &signer, &order(&*key(), Profile::Server), at(NOW)).unwrap();
    assert!(matches!(ca.authority.find(&mut ca.store, &issued.serial), Err(Error::NoSuchSerial(_))));
    assert!(BitStr::from_octets(&issued.der).octets().is_some());
}
