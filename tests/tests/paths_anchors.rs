//! Anchors of Mozilla's certdata.txt, with what it says about purposes and dates.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use serde_json::Value;
use tagwise_codec::{CivilTime, pem};
use tagwise_crypto::backends::AwsLc;
use tagwise_path::{Anchor, Anchors, CryptoVerifier, ExpectedName, Policy, Pool, Profile, verify};
use tagwise_pkix::{UnixTime, oids};
use tagwise_tests::corpora;

#[test]
fn certdata() {
    let Some(file) = corpora::set("mozilla-roots/certdata-2025-10-23.txt") else { return };
    let mut anchors = Anchors::new();
    assert!(anchors.read_path(file).unwrap().is_empty());
    let trusted = |anchor: &&Anchor, purpose| {
        anchor.constraints.purposes.as_ref().is_some_and(|purposes| purposes.iter().any(|trusted| *trusted == purpose))
    };
    let servers = anchors.iter().filter(|anchor| trusted(anchor, oids::KP_SERVER_AUTH)).count();
    let mail = anchors.iter().filter(|anchor| trusted(anchor, oids::KP_EMAIL_PROTECTION)).count();
    let dated = anchors.iter().filter(|anchor| !anchor.constraints.distrust_after.is_empty()).count();
    println!("{} anchors: {servers} for servers, {mail} for mail, {dated} with dates", anchors.len());
    // What `grep -c` finds in the file, of certificates that it has.
    assert!(anchors.iter().all(|anchor| anchor.constraints.purposes.as_ref().is_some_and(|list| !list.is_empty())));
    assert!(anchors.len() <= 180 && servers > 100 && mail > 90 && dated > 0);
    assert!(anchors.iter().all(|anchor| anchor.constraints.label.is_some()));
}

/// Certificates of servers that limbo saved, over all CAs of the Common CA Database, with Mozilla's anchors: what a peer sent is
/// not in the pool, and thousands that nobody needs are.
#[test]
fn servers_among_all_cas() {
    let (Some(file), Some(limbo), Some(ccadb)) = (
        corpora::set("mozilla-roots/certdata-2025-10-23.txt"),
        corpora::set("x509-limbo/limbo-core.json"),
        corpora::set("ccadb/certs.der"),
    ) else {
        return;
    };
    let mut anchors = Anchors::new();
    anchors.read_path(file).unwrap();
    let certificates = std::fs::read(ccadb).unwrap();
    let mut pool = Pool::new();
    let mut rest = certificates.as_slice();
    while !rest.is_empty() {
        let len = 4 + usize::from(u16::from_be_bytes([rest[2], rest[3]]));
        assert_eq!(rest[..2], [0x30, 0x82]);
        // Some do not decode; they hide no other.
        let _ = pool.add(&rest[..len]);
        rest = &rest[len..];
    }
    assert!(pool.len() > 9_800, "{}", pool.len());
    let limbo: Value = serde_json::from_slice(&std::fs::read(limbo).unwrap()).unwrap();
    let (backend, mut valid, mut failed) = (AwsLc::new(), 0, Vec::new());
    for case in limbo["testcases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        let Some(host) = id.strip_prefix("online::") else { continue };
        let leaf = pem::blocks(case["peer_certificate"].as_str().unwrap().as_bytes())
            .next()
            .unwrap()
            .unwrap()
            .decode()
            .unwrap();
        let time = case["validation_time"].as_str().unwrap();
        let number = |range: std::ops::Range<usize>| time[range].parse::<u8>().unwrap();
        let year = time[..4].parse().unwrap();
        let civil = CivilTime::new(year, number(5..7), number(8..10), number(11..13), number(14..16), number(17..19));
        let mut policy = Policy::new(&Profile::WEBPKI, UnixTime::from(civil.unwrap()));
        policy.names.push(ExpectedName::dns(host).unwrap());
        match verify::path(&leaf, &pool, &anchors, &policy, &CryptoVerifier(&backend)) {
            Ok(path) => {
                valid += 1;
                let spent = path.explanation.spent;
                println!(
                    "{id}: {} certificates, {} signatures, {} names",
                    path.certificates.len(),
                    spent.signatures,
                    spent.name_comparisons
                );
                assert!(spent.signatures <= 20, "{id}: {spent:?}");
            }
            Err(report) => {
                failed.push(format!("{id}: {}", report.refusal().map(ToString::to_string).unwrap_or_default()))
            }
        }
    }
    println!("{valid} valid; {failed:#?}");
    assert!(valid > 0 && failed.is_empty());
}
