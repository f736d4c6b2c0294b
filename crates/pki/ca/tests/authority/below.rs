//! CAs that another CA certified, with its restrictions.

use super::*;

/// Adopts a CA that another one certified with a profile.
fn below(root: &mut Ca, definition: Definition) -> Ca {
    let key = key();
    let subject = NameBuf::parse("CN=Sub").unwrap();
    let profile = Profile::Defined(Arc::new(definition));
    let issued = root.issue(&Order { names: Vec::new(), subject, ..order(&*key, profile) }).unwrap();
    let mut store = SqliteStore::in_memory().unwrap();
    let urls = Urls::default();
    let adoption = Adoption {
        label: "ca",
        certificate: &issued.der,
        urls: &urls,
        takeover: Takeover::Nothing,
        last_number: 0,
        now: at(NOW),
    };
    let authority = Authority::adopt(&mut store, &BACKEND, &key, &adoption, &Protection::Clear).unwrap();
    let signer = authority.unlock(&BACKEND, None).unwrap();
    Ca { store, authority, signer }
}

/// RFC 5280 §6.3.3 (f): relying parties reject the CRLs of a CA without cRLSign.
#[test]
fn a_ca_without_crl_sign_signs_no_crl() {
    const KEY_CERT_SIGN: u64 = 1 << 5;
    let mut root = ca(None);
    let definition = Definition { ca: true, key_usage: Some(KEY_CERT_SIGN), ..Definition::new("sub") };
    let mut sub = below(&mut root, definition);
    let revoked = sub.server();
    sub.revoke(&revoked, CrlReason::Superseded, at(NOW)).unwrap();
    let (now, next) = (at(NOW), at(NOW + DAY));
    let (store, signer) = (&mut sub.store, &sub.signer);
    let expected = "the CA cannot sign CRLs, because the key usage of its certificate does not include cRLSign (RFC 5280 §4.2.1.3)";
    let scope = tagwise_ca::IndirectScope::default();
    for done in [
        sub.authority.crl(store, signer, now, next),
        sub.authority.delta_crl(store, signer, now, next),
        sub.authority.indirect_crl(store, signer, now, next, &scope),
    ] {
        assert_eq!(done.unwrap_err().to_string(), expected);
    }
    // Another CA can list its certificates, and its OCSP responder works.
    let entries = store.revoked(sub.authority.id(), None, now).unwrap();
    assert_eq!(entries.len(), 1);
    let responder = Responder::new(Arc::new(sub.authority.clone()), Arc::new(sub.signer.clone()), OcspOptions::DEFAULT);
    responder.unwrap().answer_about(&mut sub.store, &revoked, now).unwrap();
}

/// Relying parties would reject the certificates of these CAs.
#[test]
fn unusable_ca_certificates_are_refused() {
    let mut root = ca(None);
    let key = key();
    let subject = NameBuf::parse("CN=Sub").unwrap();
    let copied = tagwise_ca::CopiedExtension {
        id: "1.3.6.1.4.1.32473.1".parse().unwrap(),
        critical: true,
        value: b"\x05\x00".to_vec(),
    };
    let definition = Definition { ca: true, copied: vec![copied], ..Definition::new("sub") };
    let unknown =
        Order { names: Vec::new(), subject: subject.clone(), ..order(&*key, Profile::Defined(Arc::new(definition))) };
    let short =
        Order { names: Vec::new(), subject, not_after: at(NOW + DAY), ..order(&*key, Profile::Ca { path_len: None }) };
    for (order, words) in [
        (unknown, "the certificate has an unknown critical extension: 1.3.6.1.4.1.32473.1 (RFC 5280 §4.2)"),
        (short, "the CA's certificate has expired, on 2026-09-22T14:13:20Z (RFC 5280 §6.1.3)"),
    ] {
        let issued = root.issue(&order).unwrap();
        let urls = Urls::default();
        let adoption = Adoption {
            label: "ca",
            certificate: &issued.der,
            urls: &urls,
            takeover: Takeover::Nothing,
            last_number: 0,
            now: at(NOW + DAY + 1),
        };
        let mut store = SqliteStore::in_memory().unwrap();
        let done = Authority::adopt(&mut store, &BACKEND, &key, &adoption, &Protection::Clear);
        assert_eq!(done.unwrap_err().to_string(), words);
    }
}

/// A CA that is limited to clients issues no server certificate, but OCSP responders.
#[test]
fn purposes_of_the_ca_are_respected() {
    let mut root = ca(None);
    let purposes = vec![oids::KP_CLIENT_AUTH.into()];
    let mut sub = below(&mut root, Definition { ca: true, purposes, ..Definition::new("sub") });
    let other = key();
    let error = sub.issue(&order(&*other, Profile::Server)).unwrap_err().to_string();
    let expected = "the extended key usages of the CA's certificate do not include id-kp-serverAuth, which the profile server requires \
                    (RFC 5280 §4.2.1.12)";
    assert_eq!(error, expected);
    sub.issue(&order(&*other, Profile::Client)).unwrap();
    sub.issue(&order(&*other, Profile::Ocsp)).unwrap();
    let any = vec![oids::ANY_EXTENDED_KEY_USAGE.into()];
    let mut sub = below(&mut root, Definition { ca: true, purposes: any, ..Definition::new("sub") });
    sub.issue(&order(&*other, Profile::Server)).unwrap();
}
