//! Lints on anything that has the frame of a certificate or a CRL: no panic, every finding inside the input, nothing found with
//! no lint on, and the same after a complete decoding as after an outline.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Decode, Options, Rule, RuleSet};
use tagwise_pkix::lint::{self, Findings};
use tagwise_pkix::{Certificate, CertificateList, profile};

fn hold(data: &[u8], found: &Findings, path: impl Fn(&lint::Finding) -> String) {
    assert_eq!(found.is_empty(), found.iter().next().is_none());
    assert_eq!(found.errors() + found.warnings(), found.iter().len() + found.omitted());
    for finding in found.iter().take(64) {
        assert!(finding.offset <= data.len(), "{finding:?}");
        let _ = path(finding);
    }
}

fuzz_target!(|data: &[u8]| {
    let every = Rule::ALL.iter().chain(profile::ALL).fold(RuleSet::NONE, RuleSet::with);
    let options = Options::der().rules(every);
    let (all, none) = (lint::Options::all(), lint::Options::none());
    if let Ok(read) = options.outline::<Certificate<'_>>(data) {
        let found = lint::certificate(&read.value, &all).sorted();
        hold(data, &found, |finding| finding.path::<Certificate<'_>>(data));
        assert!(lint::certificate(&read.value, &none).is_empty());
        if let Ok(whole) = Certificate::from_der(data) {
            assert_eq!(lint::certificate(&whole, &all).sorted(), found);
            assert!(found.iter().all(|finding| finding.kind.is_none()), "what decodes has values that do");
        }
    }
    if let Ok(read) = options.outline::<CertificateList<'_>>(data) {
        let found = lint::crl(&read.value, &all).sorted();
        hold(data, &found, |finding| finding.path::<CertificateList<'_>>(data));
        assert!(lint::crl(&read.value, &none).is_empty());
        if let Ok(whole) = CertificateList::from_der(data) {
            assert_eq!(lint::crl(&whole, &all).sorted(), found);
            assert!(found.iter().all(|finding| finding.kind.is_none()), "what decodes has values that do");
        }
    }
});
