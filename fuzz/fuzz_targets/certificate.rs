//! Certificates: what decodes strictly re-encodes to the same octets, whatever is tolerated keeps its signed octets, and
//! everything that can be asked of either gives an answer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Decode, Options, Rule, encode};
use tagwise_pkix::{Certificate, profile};

fn visit(certificate: &Certificate<'_>) {
    let tbs = &certificate.tbs_certificate;
    for name in [tbs.issuer, tbs.subject] {
        let _ = name.rfc4514().to_string();
        let _ = name.matches(&tbs.subject);
    }
    let _ = (tbs.validity.not_before.to_string(), tbs.validity.not_after.unix());
    if let Some(extensions) = tbs.extensions {
        for extension in extensions.iter() {
            let Ok(extension) = extension else { break };
            let _ = extension.extn_value.get().map(|value| format!("{value:?}"));
        }
    }
}

fuzz_target!(|data: &[u8]| {
    match Certificate::from_der(data) {
        Ok(certificate) => {
            assert_eq!(encode(&certificate).as_deref(), Ok(data));
            assert!(Certificate::outline(data).is_ok());
            visit(&certificate);
        }
        Err(error) => {
            assert!(error.offset() <= data.len());
            let _ = error.to_string();
        }
    }
    if let Ok(outline) = Certificate::outline(data) {
        visit(&outline);
    }
    let all = Rule::ALL.iter().chain(profile::ALL).fold(Options::der(), |options, rule| options.allow(rule));
    if let Ok(read) = all.decode::<Certificate<'_>>(data) {
        assert_eq!(read.deviations.is_empty(), Certificate::from_der(data).is_ok());
        visit(&read.value);
    }
});
