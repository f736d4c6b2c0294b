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
