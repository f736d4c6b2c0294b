//! Validity periods, and the renewal of CA certificates.

use super::*;

/// A period of N days has N × 86,400 seconds, with both ends (RFC 5280 §4.1.2.5), also if it starts before the issuance. It stays
/// within the CA's.
#[test]
fn periods_count_both_ends() {
    let mut ca = ca(None);
    let days = |count: u64| std::time::Duration::from_secs(count * 86_400);
    let definition = |count, backdate| Definition {
        validity: days(count),
        backdate: std::time::Duration::from_secs(backdate),
        ..Definition::new("own")
    };
    let period = |definition, now| ca.authority.period(&definition, at(now));
    assert_eq!(period(definition(1, 0), NOW + DAY), (at(NOW + DAY), at(NOW + 2 * DAY - 1)));
    assert_eq!(period(definition(1, 600), NOW + DAY), (at(NOW + DAY - 600), at(NOW + 2 * DAY - 601)));
    assert_eq!(period(definition(1, 600), NOW), (at(NOW), at(NOW + DAY - 1)));
    assert_eq!(period(definition(1000, 0), NOW + DAY), (at(NOW + DAY), at(NOW + 1000 * DAY)));
    // The shortest period begins and ends with the same second.
    let key = key();
    let moment = Order { not_after: at(NOW), ..order(&*key, Profile::Server) };
    let der = ca.issue(&moment).unwrap().der;
    assert_eq!(Certificate::from_der(&der).unwrap().tbs_certificate.validity.length().as_secs(), 1);
    let reversed = Order { not_after: at(NOW - 1), ..moment };
    refused(ca.issue(&reversed), "the certificate's notAfter would precede its notBefore");
    let signer = ca.authority.unlock(&BACKEND, None).unwrap();
    let authority = Arc::new(Authority::open(&mut ca.store, Authority::LABEL).unwrap());
    let (kind, options) = ((KeyType::P256, days(2)), OcspOptions::DEFAULT);
    let responder = Responder::delegate(authority, &mut ca.store, &BACKEND, &signer, kind, options, at(NOW));
    responder.unwrap();
    let mut lengths = Vec::new();
    let all = ca.store.certificates(ca.authority.id(), &mut |record| {
        lengths.push((record.profile, record.not_after.0 - record.not_before.0));
        Ok(())
    });
    all.unwrap();
    assert_eq!(lengths.last(), Some(&("ocsp".to_owned(), 2 * DAY - 1)));
}

/// A CA's new certificate must be valid now and not revoked, as far as the CA knows, and so must its key.
#[test]
fn unusable_certificates_of_a_ca_are_not_installed() {
    let mut ca = ca(None);
    let old = ca.authority.certificate_der().to_vec();
    let serial = Serial::from_int(ca.authority.certificate().tbs_certificate.serial_number.0);
    let (now, until) = (at(NOW + DAY), at(NOW + 2 * DAY));
    let renewed = ca.authority.renew(&mut ca.store, &BACKEND, &ca.signer, (now, until)).unwrap();
    let short = renewed.certificate_der().to_vec();
    let replace = |ca: &mut Ca, der: &[u8], now| renewed.replace_certificate(&mut ca.store, der, at(now));
    let period =
        "the new certificate is valid from 2026-09-22T14:13:20Z to 2026-09-23T14:13:20Z, not now (RFC 5280 §6.1.3)";
    for outside in [NOW + DAY - 1, NOW + 2 * DAY + 1] {
        assert_eq!(replace(&mut ca, &short, outside).unwrap_err().to_string(), period);
    }
    replace(&mut ca, &short, NOW + 2 * DAY).unwrap();
    replace(&mut ca, &old, NOW + DAY).unwrap();
    replace(&mut ca, &short, NOW + DAY).unwrap();
    renewed.revoke(&mut ca.store, &serial, CrlReason::Superseded, None, now).unwrap();
    refused(replace(&mut ca, &old, NOW + DAY), "the new certificate has been revoked since 2026-09-22T14:13:20Z");
    replace(&mut ca, &short, NOW + DAY).unwrap();
    renewed.revoke(&mut ca.store, &serial, CrlReason::KeyCompromise, None, now).unwrap();
    refused(replace(&mut ca, &short, NOW + DAY), "the subject's key is compromised");
    refused(renewed.renew(&mut ca.store, &BACKEND, &ca.signer, (now, until)), "the subject's key is compromised");
}
