//! Fuzzing seeds of others: no crash, no hang, and all that holds for every input.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::{Any, Decode, Encode, Options, RuleSet, Session, encode, pem};
use tagwise_pkix::ext::{AuthorityKeyIdentifier, CrlDistributionPoints, IssuingDistributionPoint};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Certificate, CertificateList, Name, SubjectPublicKeyInfo, TbsCertList};
use tagwise_tests::corpora;
use tagwise_tests::verdict::{every_rule, hold};

fn each(folder: &str, visit: impl Fn(&[u8])) {
    let Some(path) = corpora::set(&format!("fuzz/boringssl/{folder}")) else { return };
    let files = corpora::files(&path);
    assert!(!files.is_empty());
    for (name, octets) in &files {
        println!("{folder}/{name}");
        visit(octets);
    }
}

/// What strict decoding takes, encoding writes again; tolerance takes no less, and lists what it takes besides.
fn round_trip<'a, T: Decode<'a> + Encode>(octets: &'a [u8]) {
    let strict = T::from_der(octets);
    match &strict {
        Ok(value) => assert_eq!(encode(value).as_deref(), Ok(octets)),
        Err(error) => assert!(error.offset() <= octets.len(), "{error}"),
    }
    match Options::der().rules(every_rule()).decode::<T>(octets) {
        Ok(read) => assert_eq!(read.deviations.is_empty(), strict.is_ok()),
        Err(_) => assert!(strict.is_err()),
    }
    let _ = T::outline(octets);
}

#[test]
fn certificates() {
    each("cert_corpus", |octets| hold::<Certificate<'_>>(octets));
    each("parse_certificate_fuzzer_corpus", |octets| hold::<Certificate<'_>>(octets));
}

#[test]
fn revocation_lists() {
    each("crl_getcrlstatusforcert_fuzzer_corpus", |octets| hold::<CertificateList<'_>>(octets));
    each("crl_parse_crl_certificatelist_fuzzer_corpus", |octets| hold::<CertificateList<'_>>(octets));
    each("crl_parse_crl_tbscertlist_fuzzer_corpus", |octets| round_trip::<TbsCertList<'_>>(octets));
}

#[test]
fn parts_of_them() {
    each("crl_parse_issuing_distribution_point_fuzzer_corpus", |octets| {
        round_trip::<IssuingDistributionPoint<'_>>(octets)
    });
    each("parse_authority_key_identifier_fuzzer_corpus", |octets| round_trip::<AuthorityKeyIdentifier<'_>>(octets));
    each("parse_crldp_fuzzer_corpus", |octets| round_trip::<CrlDistributionPoints<'_>>(octets));
    each("spki_corpus", |octets| round_trip::<SubjectPublicKeyInfo<'_>>(octets));
}

#[test]
fn names() {
    for folder in [
        "verify_name_match_fuzzer_corpus",
        "verify_name_match_normalizename_fuzzer_corpus",
        "verify_name_match_verifynameinsubtree_fuzzer_corpus",
    ] {
        each(folder, |octets| {
            round_trip::<Name<'_>>(octets);
            // The seeds are the content of one name or two.
            let mut der = vec![0x30, 0x82, (octets.len() >> 8) as u8, octets.len() as u8];
            der.extend(octets);
            if let Ok(read) = Options::ber_definite().decode::<Name<'_>>(&der) {
                let name = read.value;
                assert!(name.matches(&name));
                assert!(!name.oneline().to_string().contains(|c: char| c.is_control()));
            }
            // What decodes strictly is read again from what is written, in every spelling.
            if let Ok(name) = Name::from_der(&der) {
                for text in [name.rfc4514().to_string(), name.rfc4514().extended().to_string()] {
                    let again = NameBuf::parse(&text);
                    assert!(again.is_ok_and(|again| again.name().matches(&name)), "{text}");
                }
            }
        });
    }
}

#[test]
fn any_encoding() {
    for folder in [
        "der_roundtrip_corpus",
        "ocsp_parse_ocsp_cert_id_fuzzer_corpus",
        "ocsp_parse_ocsp_response_data_fuzzer_corpus",
        "ocsp_parse_ocsp_response_fuzzer_corpus",
        "ocsp_parse_ocsp_single_response_fuzzer_corpus",
        "pkcs12_corpus",
        "pkcs8_corpus",
        "privkey_corpus",
    ] {
        each(folder, |octets| {
            round_trip::<Any<'_>>(octets);
            round_trip::<Certificate<'_>>(octets);
            round_trip::<CertificateList<'_>>(octets);
        });
    }
}

#[test]
fn pem_files() {
    each("read_pem_corpus", |octets| {
        for rules in [RuleSet::NONE, RuleSet::PEM, RuleSet::PEM_LAX] {
            let session = Session::new(Options::der().rules(rules));
            for block in pem::blocks_with(octets, &session) {
                match block {
                    Ok(block) => assert!(block.decode().map_or_else(|error| error.offset() <= octets.len(), |_| true)),
                    Err(error) => assert!(error.offset() <= octets.len()),
                }
            }
        }
    });
}
