//! Revocation answers from the input. A CRL as it stands, about a certificate of its issuer: what is said of an entry is what a walk
//! over the entries finds, before and after the CRL is indexed. Lists and responses made from choices with extensions of any octets:
//! the same outcome in whatever order they come, and every budget held.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Options, encode};
use tagwise_path::{Budget, Outcome, Policy, RevocationMode, SignatureFault, Status, Verifier, verify};
use tagwise_path_testing::bytes::{Bytes, hold, tight};
use tagwise_path_testing::evidence::{List, Ocsp, crl_issuer, full_name, number, points, reason_flags};
use tagwise_path_testing::naive::generate::Choices;
use tagwise_path_testing::*;
use tagwise_pkix::{AlgorithmIdentifier, CertificateList, SubjectPublicKeyInfo, UnixTime, profile};

/// Every signature is good.
struct Yes;

impl Verifier for Yes {
    fn verify(
        &self,
        _: &SubjectPublicKeyInfo<'_>,
        _: &AlgorithmIdentifier<'_>,
        _: &[u8],
        _: &[u8],
    ) -> Result<(), SignatureFault> {
        Ok(())
    }
}

/// A CRL as it stands, and the same octets as an OCSP response.
fn as_it_stands(data: &[u8]) {
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Require;
    policy.revocation.evidence.add_ocsp(data);
    let anchor = anchors(&[&root()]);
    let leaf = Spec::leaf("Leaf", "Root", "root");
    hold(&verify::path(&leaf.der(), &pool(&[]), &anchor, &policy, &Yes), &policy);

    let Ok(read) = Options::der().outline::<CertificateList<'_>>(data) else { return };
    let tbs = read.value.tbs_cert_list;
    let Ok(issuer) = encode(&tbs.issuer) else { return };
    let revocations: Vec<_> = tbs.revocations().map_while(Result::ok).collect();
    // An entry at the front, in the middle, at the end, and none.
    let count = revocations.len();
    let places = [0, count / 2, count.wrapping_sub(1)];
    let mut serials: Vec<Vec<u8>> = places
        .iter()
        .filter_map(|place| revocations.get(*place))
        .map(|revocation| revocation.entry.user_certificate.as_bytes().to_vec())
        .collect();
    serials.push(vec![7; 9]);
    let root = Spec { subject: issuer.clone(), issuer: issuer.clone(), ..root() };
    let anchor = anchors(&[&root]);
    let mut policy = policy_at(tbs.this_update.unix());
    policy.revocation.evidence.add_crl(data);
    let first = |policy: &Policy, serial: &Vec<u8>| {
        let leaf = Spec { issuer: issuer.clone(), serial_octets: Some(serial.clone()), ..leaf.clone() };
        let leaf = Spec { not_before: "500101000000Z", not_after: "491231235959Z", ..leaf };
        let result = verify::path(&leaf.der(), &pool(&[]), &anchor, policy, &Yes);
        hold(&result, policy);
        result.map(|path| path.explanation.revocation.first().map(|answer| answer.status.clone()))
    };
    for serial in &serials {
        let mut found = revocations.iter().filter(|revocation| {
            revocation.entry.user_certificate.as_bytes() == serial.as_slice()
                && revocation.is_issued_by(&tbs.issuer, &tbs.issuer)
        });
        let last = found.next_back();
        let is_removed = last.is_some_and(|last| last.is_removal().unwrap_or(false));
        match first(&policy, serial) {
            Ok(Some(Status::Good { .. })) => assert!(last.is_none() || is_removed, "{serial:02X?}"),
            Ok(other) => panic!("{other:?}"),
            Err(report) => {
                let is_revoked = report.refusal().is_some_and(|refusal| refusal.message.starts_with("revoked on"));
                assert!(!is_revoked || last.is_some() && !is_removed, "{serial:02X?} {report}");
            }
        }
    }
    // The same once the CRL is indexed.
    if data.first().is_some_and(|octet| *octet == 0x30) && count < 2_000 {
        let before: Vec<_> = serials.iter().map(|serial| first(&policy, serial).ok()).collect();
        (0..12).for_each(|_| _ = first(&policy, &serials[0]));
        let after: Vec<_> = serials.iter().map(|serial| first(&policy, serial).ok()).collect();
        assert_eq!(before, after);
    }
}

fn policy_at(time: UnixTime) -> Policy {
    let mut policy = policy();
    policy.time = time;
    policy.revocation.mode = RevocationMode::Require;
    policy.revocation.crl_max_age = Some(std::time::Duration::from_secs(1));
    for rule in ["validity", "anchor-validity", "conformance", "anchor-extensions"] {
        policy.disable(rule).unwrap();
    }
    policy.tolerate = policy.tolerate.with(&profile::NEGATIVE_SERIAL).with(&profile::LONG_SERIAL);
    policy
}

const HOURS: [&str; 6] =
    ["251231000000Z", "251231010000Z", "251231020000Z", "251231030000Z", "251231040000Z", "251231050000Z"];
const OCSP_HOURS: [&str; 6] =
    ["20251231000000Z", "20251231010000Z", "20251231020000Z", "20251231030000Z", "20251231040000Z", "20251231050000Z"];

/// An extension of any octets, or none.
fn any(choices: &mut Bytes<'_>, arcs: &[u8]) -> Option<Vec<u8>> {
    if !choices.percent(35) {
        return None;
    }
    let (arc, critical, len) = (choices.of(arcs), choices.percent(50), choices.below(60));
    Some(extension(arc, critical, choices.octets(len)))
}

fn list(choices: &mut Bytes<'_>, hour: usize) -> List {
    let (issuer, key) = choices.of(&[("Root", "root"), ("CA", "ca"), ("CRLs", "crls"), ("CA", "root")]);
    let mut list = if choices.percent(75) {
        List::new(issuer, key).with(number(3 + choices.below(3) as u8))
    } else {
        List::delta(issuer, key, 1 + choices.below(5) as u8)
    };
    list.this_update = HOURS[hour];
    list.next_update = choices.of(&[Some("260110000000Z"), Some("260110000000Z"), Some("251231120000Z"), None]);
    if let Some(extension) = any(choices, &[27, 28, 28, 28, 35, 20, 46, 99]) {
        list = list.with(extension);
    }
    for _ in 0..choices.below(4) {
        let serial = choices.below(4) as u32;
        let extensions: Vec<Vec<u8>> = any(choices, &[21, 24, 29, 23, 99]).into_iter().collect();
        list = list.revokes(serial, &extensions);
    }
    list
}

fn response(choices: &mut Bytes<'_>, hour: usize) -> Ocsp {
    let (issuer, key) = choices.of(&[("Root", "root"), ("CA", "ca")]);
    let mut response =
        Ocsp { serial: choices.below(4) as u32, this_update: OCSP_HOURS[hour], ..Ocsp::new(issuer, key) };
    let len = choices.below(24);
    if choices.percent(25) {
        response.status = choices.octets(len).to_vec();
    }
    if choices.percent(25) {
        response.responder = choices.octets(len).to_vec();
    }
    if choices.percent(30) {
        let mut certificate = Spec { key: b"ocsp".to_vec(), ..Spec::leaf("OCSP", issuer, key) }.with(purposes(&[9]));
        certificate.extensions.extend(any(choices, &[15, 19, 37, 99]));
        response = response.by("OCSP", &certificate);
    }
    response.single_extensions.extend(any(choices, &[21, 24, 29, 99]));
    response.extensions.extend(any(choices, &[21, 99]));
    response
}

/// Lists and responses from choices.
fn made(data: &[u8]) {
    let mut choices = Bytes(data);
    let mut ca = Spec { serial: 2, ..Spec::ca("CA", "ca", "Root", "root") };
    let mut leaf = Spec::leaf("Leaf", "CA", "ca");
    let signer = Spec { serial: 3, ..Spec::ca("CRLs", "crls", "CA", "ca") };
    if choices.percent(40) {
        let name = full_name(&[(URI, choices.octets(4))]);
        let mut fields = vec![name];
        if choices.percent(40) {
            fields.push(reason_flags(1, &[1 + choices.below(7) as u8]));
        }
        if choices.percent(40) {
            fields.push(crl_issuer("CRLs"));
        }
        leaf = leaf.with(points(&[&fields]));
    }
    if let Some(extension) = any(&mut choices, &[31, 46, 56]) {
        leaf = leaf.with(extension);
    }
    if let Some(extension) = any(&mut choices, &[31]) {
        ca = ca.with(extension);
    }
    let lists: Vec<Vec<u8>> = (0..choices.below(6)).map(|hour| list(&mut choices, hour).der()).collect();
    let responses: Vec<Vec<u8>> = (0..choices.below(6)).map(|hour| response(&mut choices, hour).der()).collect();
    let (leaf, between, anchors) = (leaf.der(), pool(&[ca, signer]), anchors(&[&root()]));
    let mut policy = policy();
    policy.revocation.mode = choices.of(&[RevocationMode::Require, RevocationMode::Prefer]);
    policy.budget = Budget { signatures: 10_000, ..Budget::DEFAULT };
    let mut reversed = policy.clone();
    for (policy, is_reversed) in [(&mut policy, false), (&mut reversed, true)] {
        let evidence = &mut policy.revocation.evidence;
        let order = |count: usize| (0..count).map(move |place| if is_reversed { count - 1 - place } else { place });
        order(lists.len()).for_each(|place| evidence.add_crl(lists[place].clone()));
        order(responses.len()).for_each(|place| evidence.add_ocsp(responses[place].clone()));
    }
    let one = verify::path(&leaf, &between, &anchors, &policy, &KeyIsSignature);
    let other = verify::path(&leaf, &between, &anchors, &reversed, &KeyIsSignature);
    hold(&one, &policy);
    hold(&other, &reversed);
    let is_exhausted = |report: &tagwise_path::Report| report.outcome() != Outcome::Refused;
    if !one.as_ref().is_err_and(is_exhausted) && !other.as_ref().is_err_and(is_exhausted) {
        assert_eq!(one.is_ok(), other.is_ok(), "{one:?}\n{other:?}");
    }
    // With the same depth, or evidence of signers would be missing that the other knows.
    policy.budget = Budget { depth: Budget::DEFAULT.depth, ..tight(&mut choices) };
    let narrow = verify::path(&leaf, &between, &anchors, &policy, &KeyIsSignature);
    hold(&narrow, &policy);
    // Less work never makes valid what more work refuses.
    assert!(one.is_ok() || narrow.is_err() || one.is_err_and(|report| is_exhausted(&report)));
}

fuzz_target!(|data: &[u8]| {
    as_it_stands(data);
    made(data);
});
