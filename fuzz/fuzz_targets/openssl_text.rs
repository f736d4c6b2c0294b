//! Certificates and CRLs as OpenSSL prints them: whatever has the frame of one is printed, in a length that what is read bounds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Decode, Options, RuleSet};
use tagwise_pkix::{Certificate, CertificateList};
use tagwise_text::openssl::OpensslText;

fn check(data: &[u8], text: &str) {
    // An octet is three characters of hexadecimal, on lines that are indented; names of identifiers are long.
    assert!(text.len() <= 4096 + 256 * data.len(), "{} characters of {} octets", text.len(), data.len());
    assert!(text.ends_with('\n'));
}

fuzz_target!(|data: &[u8]| {
    let every = Options::der().rules(RuleSet::ALL);
    if let Ok(read) = every.outline::<Certificate<'_>>(data) {
        check(data, &read.value.openssl_text().to_string());
    }
    if let Ok(read) = every.outline::<CertificateList<'_>>(data) {
        check(data, &read.value.openssl_text().to_string());
    }
    // What is read strictly is printed as what is read in outline.
    if let (Ok(whole), Ok(outline)) = (Certificate::from_der(data), Certificate::outline(data)) {
        assert_eq!(whole.openssl_text().to_string(), outline.openssl_text().to_string());
    }
});
