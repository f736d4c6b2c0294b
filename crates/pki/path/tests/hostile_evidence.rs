//! Evidence made to cost: each is linear in its size, or refused by the budget. The limits are checked by counters, not by clocks;
//! `examples/hostile.rs` prints times.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{Budget, Limit, Outcome, Policy, Report, RevocationMode};
use tagwise_path_testing::evidence::*;
use tagwise_path_testing::*;

fn requiring() -> Policy {
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Require;
    policy
}

#[track_caller]
fn exhausted(result: Result<tagwise_path::Path, Report>, limit: Limit) {
    let report = result.expect_err("its budget does not suffice");
    assert_eq!(report.outcome(), Outcome::Exhausted(limit), "{report}");
}

/// A list of many entries is read and indexed once, for all the certificates that are asked about.
#[test]
fn one_long_list_for_many_certificates() {
    let count = 50_000;
    let mut list = List::new("Root", "root");
    list = (0..count).fold(list, |list, serial| list.revokes(2 * serial, &[]));
    let mut policy = requiring();
    policy.revocation.evidence.add_crl(list.der());
    let roots = anchors(&[&root()]);
    // Were it read for each of them, this test would take an hour.
    for serial in (count - 1_000)..(count + 1_000) {
        let leaf = Spec { serial, ..Spec::leaf("Leaf", "Root", "root") };
        let result = validate(&leaf, &[], &roots, &policy.clone());
        assert_eq!(result.is_ok(), serial % 2 == 1, "{serial}");
        let spent = match &result {
            Ok(path) => path.explanation.spent,
            Err(report) => report.explanation().spent,
        };
        assert_eq!(spent.signatures, 2);
    }
}

#[test]
fn many_lists_of_one_issuer() {
    let mut policy = requiring();
    (0..1_000).for_each(|_| {
        policy.revocation.evidence.add_crl(List { signer: b"forger".to_vec(), ..List::new("Root", "root") }.der())
    });
    let leaf = Spec::leaf("Leaf", "Root", "root");
    exhausted(validate(&leaf, &[], &anchors(&[&root()]), &policy), Limit::Signatures);
    // Those that cannot be read cost no signature, and the report stays short.
    let mut policy = requiring();
    (0..1_000).for_each(|_| policy.revocation.evidence.add_crl(vec![0x30, 0]));
    let report = validate(&leaf, &[], &anchors(&[&root()]), &policy).unwrap_err();
    assert!(report.refusal().unwrap().message.len() < 2_000 && report.to_string().contains("and 992 more"), "{report}");
}

#[test]
fn points_by_lists() {
    let point: &[Vec<u8>] = &[full_name(&[(URI, b"http://crl.example/none")])];
    let leaf = Spec::leaf("Leaf", "Root", "root").with(points(&vec![point; 1_000]));
    let mut policy = requiring();
    (0..500).for_each(|_| policy.revocation.evidence.add_crl(List::new("Other", "other").der()));
    exhausted(validate(&leaf, &[], &anchors(&[&root()]), &policy), Limit::NameComparisons);
}

/// Every list is signed with a key of its own, whose certificate asks for every list again, and so on.
#[test]
fn signers_of_signers() {
    for (count, signatures, limit) in
        [(30, Budget::DEFAULT.signatures, Limit::Signatures), (30, 1_000_000, Limit::Paths)]
    {
        let ca = Spec { serial: 1_000, ..Spec::ca("CA", "ca", "Root", "root") };
        let mut between = vec![ca];
        let mut policy = requiring();
        policy.budget.signatures = signatures;
        for number in 0..count {
            let key = format!("key {number}");
            // Certified by the CA, so that the CA's lists tell whether it is revoked.
            between.push(Spec { serial: number, ..Spec::ca("CA", &key, "CA", "ca") });
            let list = List::new("CA", &key).with(issuing_point(&[reason_flags(3, &[1 + number as u8 % 7])]));
            policy.revocation.evidence.add_crl(list.der());
        }
        policy.revocation.evidence.add_crl(List::new("Root", "root").der());
        let leaf = Spec { serial: 2_000, ..Spec::leaf("Leaf", "CA", "ca") };
        exhausted(validate(&leaf, &between, &anchors(&[&root()]), &policy), limit);
    }
}

#[test]
fn many_responders() {
    // Of one name, none of which signed; and responses that none of them signed.
    let responder = |number: u32| {
        let key = format!("key {number}");
        let spec = Spec { key: key.into_bytes(), serial: number, ..Spec::leaf("Responder", "Root", "root") };
        spec.with(purposes(&[9]))
    };
    let pool: Vec<Spec> = (10..1_000).map(responder).collect();
    let mut policy = requiring();
    let response = Ocsp { responder: by_name("Responder"), signer: b"forger".to_vec(), ..Ocsp::new("Root", "root") };
    policy.revocation.evidence.add_ocsp(response.der());
    let leaf = Spec::leaf("Leaf", "Root", "root");
    exhausted(validate(&leaf, &pool, &anchors(&[&root()]), &policy), Limit::Signatures);
    // By key, only the right one is tried.
    let mut policy = requiring();
    let response = Ocsp { responder: by_key("key 999"), signer: b"key 999".to_vec(), ..response };
    policy.revocation.evidence.add_ocsp(response.der());
    policy.revocation.evidence.add_crl(List::new("Root", "root").with(issuing_point(&[reason_flags(3, &[1])])).der());
    let report = validate(&leaf, &pool, &anchors(&[&root()]), &policy).unwrap_err();
    // Without id-pkix-ocsp-nocheck, and nothing else about it.
    assert!(report.to_string().contains("its responder CN=Responder: revocation"), "{report}");
    assert!(report.explanation().spent.signatures < 10, "{report}");
}

/// Bytes that are read count, and a list that is too long is never read.
#[test]
fn bytes() {
    let leaf = Spec::leaf("Leaf", "Root", "root");
    let list = (0..10_000).fold(List::new("Root", "root"), |list, serial| list.revokes(serial + 2, &[]));
    let der = list.der();
    let mut policy = requiring();
    policy.revocation.evidence.add_crl(der.clone());
    policy.budget.bytes = der.len() as u64;
    exhausted(validate(&leaf, &[], &anchors(&[&root()]), &policy), Limit::Bytes);
    // With the budget for the list, a search through it, and the certificates.
    policy.budget.bytes = der.len() as u64 * 9 / 8 + 4_000;
    let spent = |policy: &Policy| validate(&leaf, &[], &anchors(&[&root()]), policy).unwrap().explanation.spent.bytes;
    let first = spent(&policy);
    assert!(first >= der.len() as u64 * 9 / 8 && first < der.len() as u64 * 9 / 8 + 2_000, "{first}");
    // Read once and searched eight times; then it is indexed, which counts, too.
    let search = der.len() as u64 / 8;
    let again: Vec<u64> = (0..25).map(|_| spent(&policy)).collect();
    assert!(again[..7].iter().all(|spent| (search..search + 2_000).contains(spent)), "{again:?}");
    assert!((8 * search..8 * search + 2_000).contains(&again[7]), "{again:?}");
    assert!(again[8..].iter().all(|spent| *spent < 2_000), "{again:?}");
    // Where the budget has no room for the index, the list is searched as before: the outcome does not depend on earlier calls.
    let mut other = requiring();
    other.revocation.evidence.add_crl(der.clone());
    spent(&other);
    other.budget.bytes = search + 4_000;
    assert!((0..25).all(|_| (search..search + 2_000).contains(&spent(&other))));
    let mut policy = requiring();
    policy.revocation.evidence.add_ocsp(vec![0; 1 << 20]);
    policy.budget.bytes = 1 << 20;
    exhausted(validate(&leaf, &[], &anchors(&[&root()]), &policy), Limit::Bytes);
    // Certificates count as well, also those that are read last.
    let spent_of =
        |policy: &Policy| validate(&leaf, &[], &anchors(&[&root()]), policy).unwrap().explanation.spent.bytes;
    let mut policy = self::policy();
    let all = spent_of(&policy);
    policy.budget.bytes = all;
    assert_eq!(spent_of(&policy), all);
    policy.budget.bytes = all - 1;
    exhausted(validate(&leaf, &[], &anchors(&[&root()]), &policy), Limit::Bytes);
    let mut policy = self::policy();
    policy.budget.bytes = 1_000;
    let long = leaf.clone().with(extension(99, false, &element(0x04, &[&[0; 1_000]])));
    exhausted(validate(&long, &[], &anchors(&[&root()]), &policy), Limit::Bytes);
}

/// A path that lacks nothing but evidence is not forgotten, however many candidates are rejected before it and after it.
#[test]
fn undecided_among_many() {
    let (good, roots) = (Spec::ca("CA", "ca", "Root", "root"), anchors(&[&root()]));
    // The key identifiers of the expired ones fit, so that they are tried first; or those of none do.
    let before = |number| Spec { serial: number, not_after: "251231000000Z", ..good.clone() };
    let after = |number| before(number).with(subject_key(b"other"));
    let without = good.clone().without(14);
    let leaf = Spec::leaf("Leaf", "CA", "ca");
    for (is_before, reported) in [(true, 100), (false, 100), (true, 1), (true, 0)] {
        let mut pool: Vec<Spec> =
            (10..160).map(|number| if is_before { before(number) } else { after(number) }).collect();
        pool.push(if is_before { without.clone() } else { good.clone() });
        let mut policy = requiring();
        policy.disable("conformance").unwrap();
        policy.budget.reported = reported;
        let report = validate(&leaf, &pool, &roots, &policy).unwrap_err();
        assert_eq!(report.outcome(), Outcome::Refused);
        assert!(report.is_undecided(), "{is_before} {reported}: {report}");
        let explanation = report.explanation();
        let all = explanation.candidates.len() as u64 + explanation.omitted;
        assert_eq!((explanation.candidates.len() as u64, all), (reported, 151));
        // And it is the one to show.
        assert_eq!(report.refusal().is_some_and(|refusal| refusal.undecided), reported > 0, "{report}");
        // All of them alone are refused.
        pool.pop();
        assert!(!validate(&leaf, &pool, &roots, &policy).unwrap_err().is_undecided());
    }
}
