//! Certificate revocation lists: strict round trip, and every entry can be asked for.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Decode, Options, Rule, encode};
use tagwise_pkix::{CertificateList, profile};

fn visit(list: &CertificateList<'_>) {
    let tbs = &list.tbs_cert_list;
    let _ = tbs.issuer.rfc4514().to_string();
    for entry in tbs.revoked_certificates.iter().flat_map(|entries| entries.iter()) {
        let Ok(entry) = entry else { break };
        let _ = entry.revocation_date.unix();
        for extension in entry.crl_entry_extensions.iter().flat_map(|extensions| extensions.iter()) {
            let Ok(extension) = extension else { break };
            let _ = extension.extn_value.get();
        }
    }
}

fuzz_target!(|data: &[u8]| {
    match CertificateList::from_der(data) {
        Ok(list) => {
            assert_eq!(encode(&list).as_deref(), Ok(data));
            visit(&list);
        }
        Err(error) => assert!(error.offset() <= data.len()),
    }
    if let Ok(outline) = CertificateList::outline(data) {
        visit(&outline);
    }
    let all = Rule::ALL.iter().chain(profile::ALL).fold(Options::der(), |options, rule| options.allow(rule));
    if let Ok(read) = all.decode::<CertificateList<'_>>(data) {
        assert_eq!(read.deviations.is_empty(), CertificateList::from_der(data).is_ok());
        visit(&read.value);
    }
});
