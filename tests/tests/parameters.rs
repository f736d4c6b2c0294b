//! The parameters of algorithms in real certificates: the hand-shaped path refuses what the general one does.
#![allow(clippy::unwrap_used, reason = "tests")]

use tagwise_codec::{Decode, Options, Rule};
use tagwise_pkix::{Certificate, CertificateList, profile};
use tagwise_tests::sets::{self, What};

/// sha256WithRSAEncryption with NULL.
const SHA256: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0B\x05\x00";

/// Other algorithms of as many octets, with NULL: whether that is right, and why.
const OTHERS: &[(&[u8], bool)] = &[
    // sha512WithRSAEncryption, RFC 4055 §5.
    (b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0D\x05\x00", true),
    // id-RSASSA-PSS, RFC 4055 §3.1: a SEQUENCE.
    (b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0A\x05\x00", false),
    // id-dsa-with-sha256, RFC 5758 §3.1: absent.
    (b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x02\x05\x00", false),
    // id-ml-dsa-44, RFC 9881 §2: absent.
    (b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x11\x05\x00", false),
    // Of which nothing is known.
    (b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x7F\x05\x00", true),
];

fn replaced(octets: &[u8], other: &[u8]) -> Vec<u8> {
    let mut octets = octets.to_vec();
    while let Some(at) = octets.windows(SHA256.len()).position(|part| part == SHA256) {
        octets.splice(at..at + SHA256.len(), other.iter().copied());
    }
    octets
}

#[test]
fn signature_algorithms() {
    let Some(items) = sets::folder("pkits", sets::by_ending) else { return };
    let mut seen = 0;
    for item in items.iter().filter(|item| item.octets.windows(SHA256.len()).any(|part| part == SHA256)).step_by(9) {
        for (other, right) in OTHERS {
            let octets = replaced(&item.octets, other);
            // A rule that nothing here breaks makes the general decoder read alone.
            let general = Options::der().allow(&Rule::REAL_FORM);
            let (quick, slow, allowed) = match item.what {
                What::Certificate => (
                    Certificate::from_der(&octets).map(|_| ()),
                    general.decode::<Certificate<'_>>(&octets).map(|_| ()),
                    general
                        .allow(&profile::RSA_PARAMETERS)
                        .allow(&profile::NO_PARAMETERS)
                        .decode::<Certificate<'_>>(&octets)
                        .map(|read| read.deviations.len()),
                ),
                What::CertificateList => (
                    CertificateList::from_der(&octets).map(|_| ()),
                    general.decode::<CertificateList<'_>>(&octets).map(|_| ()),
                    general
                        .allow(&profile::RSA_PARAMETERS)
                        .allow(&profile::NO_PARAMETERS)
                        .decode::<CertificateList<'_>>(&octets)
                        .map(|read| read.deviations.len()),
                ),
            };
            let said = |result: Result<(), tagwise_codec::Error>| {
                result.map_err(|error| (error.code(), error.path().to_owned(), error.offset()))
            };
            let (quick, slow) = (said(quick), said(slow));
            assert_eq!(quick, slow, "{}", item.name);
            // Others of PKITS are refused for other reasons; see its register.
            if let Err((code, path, _)) = &quick
                && matches!(*code, "rsa-parameters" | "no-parameters")
            {
                assert!(!right && path.ends_with("signature"), "{}: {path}", item.name);
                // Inside and outside what is signed.
                assert_eq!(allowed.unwrap(), 2);
                seen += 1;
            } else if !right {
                assert!(quick.is_err(), "{}", item.name);
            }
        }
    }
    println!("{seen} refused");
    assert!(seen > 100, "{seen}");
}
