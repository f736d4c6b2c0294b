//! Serial numbers: where a CA gives them they are held to RFC 5280 §4.1.2.2, where a message repeats them to nothing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use tagwise_codec::{Decode, encode};
use tagwise_pkix::cms::IssuerAndSerialNumber;
use tagwise_pkix::ocsp::CertId;
use tagwise_pkix::{CertificateSerialNumber, profile};

fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag, u8::try_from(content.len()).unwrap()], content].concat()
}

/// 20 octets with the highest bit set, so that DER takes 21; and a negative number.
fn serials() -> [Vec<u8>; 2] {
    [element(0x02, &[&[0x00][..], &[0x8F; 20]].concat()), element(0x02, &[0x80])]
}

#[test]
fn of_a_certificate() {
    let [long, negative] = serials();
    for (serial, rule) in [(long, profile::LONG_SERIAL), (negative, profile::NEGATIVE_SERIAL)] {
        let error = CertificateSerialNumber::from_der(&serial).unwrap_err();
        assert_eq!(error.rule(), Some(&rule));
    }
}

/// RFC 6960 §4.1.1 and RFC 5652 §10.2.4 put no bound on them: the certificate is someone else's.
#[test]
fn of_another_certificate() {
    let algorithm = element(0x30, &element(0x06, &[0x2B, 0x0E, 0x03, 0x02, 0x1A]));
    for serial in serials() {
        let parts = [algorithm.clone(), element(0x04, &[1; 20]), element(0x04, &[2; 20]), serial.clone()];
        let der = element(0x30, &parts.concat());
        let id = CertId::from_der(&der).unwrap();
        assert_eq!(Some(id.serial_number.as_bytes()), serial.get(2..));
        assert_eq!(encode(&id).unwrap(), der);
        let der = element(0x30, &[element(0x30, &[]), serial].concat());
        assert_eq!(encode(&IssuerAndSerialNumber::from_der(&der).unwrap()).unwrap(), der);
    }
}
