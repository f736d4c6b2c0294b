//! Certificates that demand a stapled OCSP response (RFC 7633).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{Policy, Profile, RevocationMode, Rule};
use tagwise_path_testing::evidence::*;
use tagwise_path_testing::*;

fn outcome(numbers: &[u8], change: impl FnOnce(&mut Policy)) -> Result<(), Rule> {
    let mut leaf = Spec::leaf("Leaf", "Root", "root");
    leaf.extensions.push(features(numbers));
    let mut policy = Policy::new(&Profile::RFC5280, NOW);
    change(&mut policy);
    let found = validate(&leaf, &[], &anchors(&[&root()]), &policy);
    found.map(|_| ()).map_err(|report| {
        assert!(!report.is_undecided(), "{report}");
        report.refusal().unwrap().rule
    })
}

#[test]
fn without_a_staple() {
    for numbers in [&[5][..], &[17], &[1, 5]] {
        assert_eq!(outcome(numbers, |policy| policy.stapled = Some(false)), Err(Rule::MustStaple));
        // Outside a handshake nobody can know, and the rule may be switched off.
        assert_eq!(outcome(numbers, |_| {}), Ok(()));
        let lenient = |policy: &mut Policy| {
            policy.stapled = Some(false);
            policy.disable("must-staple").unwrap();
        };
        assert_eq!(outcome(numbers, lenient), Ok(()));
    }
    // Other features demand nothing of the kind.
    assert_eq!(outcome(&[1], |policy| policy.stapled = Some(false)), Ok(()));
}

/// RFC 7633 §4.2.2: what a CA's certificate demands, certificates below it have.
#[test]
fn features_of_a_ca() {
    let outcome = |above: &[&[u8]], below: &[u8], change: fn(&mut Policy)| {
        let mut ca = Spec::ca("CA", "ca", "Root", "root");
        let mut leaf = Spec::leaf("Leaf", "CA", "ca");
        ca.extensions.extend(above.iter().map(|numbers| features(numbers)));
        leaf.extensions.push(features(below));
        let mut policy = Policy::new(&Profile::RFC5280, NOW);
        change(&mut policy);
        let found = validate(&leaf, &[ca], &anchors(&[&root()]), &policy);
        found.map(|_| ()).map_err(|report| report.refusal().unwrap().rule)
    };
    for (above, below) in [(&[][..], &[5][..]), (&[&[5][..]], &[5]), (&[&[5]], &[17, 5]), (&[&[]], &[5])] {
        assert_eq!(outcome(above, below, |_| {}), Ok(()));
    }
    for (above, below) in [(&[5][..], &[17][..]), (&[5, 17], &[5])] {
        assert_eq!(outcome(&[above], below, |_| {}), Err(Rule::TlsFeatures));
        assert_eq!(outcome(&[above], below, |policy| policy.disable("tls-features").unwrap()), Ok(()));
    }
}

#[test]
fn with_a_staple() {
    let stapled = |response: Option<Ocsp>, mode| {
        outcome(&[5], |policy| {
            (policy.stapled, policy.revocation.mode) = (Some(true), mode);
            response.iter().for_each(|response| policy.revocation.evidence.add_ocsp(response.der()));
        })
    };
    let good = Ocsp::new("Root", "root");
    let late = Ocsp { next_update: Some("20251231060000Z"), ..good.clone() };
    for mode in [RevocationMode::Ignore, RevocationMode::Prefer] {
        assert_eq!(stapled(Some(good.clone()), mode), Ok(()));
        // One that does not say that it is good is none.
        for other in [None, Some(late.clone()), Some(Ocsp { signer: b"forger".to_vec(), ..good.clone() })] {
            assert_eq!(stapled(other, mode), Err(Rule::MustStaple));
        }
        assert_eq!(stapled(Some(Ocsp { status: revoked(), ..good.clone() }), mode), Err(Rule::Revocation));
    }
}

/// Without a handshake, a valid path assumes that the server staples, and says so.
#[test]
fn outside_of_a_handshake() {
    let assumed = |numbers: &[u8], stapled| {
        let mut leaf = Spec::leaf("Leaf", "Root", "root");
        leaf.extensions.push(features(numbers));
        let mut policy = Policy::new(&Profile::RFC5280, NOW);
        policy.stapled = stapled;
        if stapled == Some(true) {
            policy.revocation.evidence.add_ocsp(Ocsp::new("Root", "root").der());
        }
        let found = validate(&leaf, &[], &anchors(&[&root()]), &policy).unwrap();
        found.explanation.assumptions.iter().filter(|text| text.contains("staples an OCSP response")).count()
    };
    assert_eq!(
        [assumed(&[5], None), assumed(&[17], None), assumed(&[1], None), assumed(&[5], Some(true))],
        [1, 1, 0, 0]
    );
}
