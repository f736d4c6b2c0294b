//! The moments that evidence about revocation is held against, and the revocations that count at them. Certificates are valid from 2020 to
//! 2040 and judged at 2026-01-01; lists are of 2025-12-31 unless they say otherwise.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{Policy, RevocationMode, TrustedResponder};
use tagwise_path_testing::evidence::*;
use tagwise_path_testing::*;
use tagwise_pkix::UnixTime;

/// 2030-01-01T00:00:00Z
const LATER: UnixTime = UnixTime(1_893_456_000);
/// 2015-01-01T00:00:00Z, before any certificate is valid.
const EARLIER: UnixTime = UnixTime(1_420_070_400);
/// 2025-06-01T00:00:00Z, half a year before the revocations of [`List::revokes`] and [`revoked`].
const PROVEN: UnixTime = UnixTime(1_748_736_000);

fn leaf() -> Spec {
    Spec::leaf("Leaf", "Root", "root")
}

/// A CRL and a response of the last day of 2029.
fn late() -> (List, Ocsp) {
    (
        List { this_update: "291231000000Z", next_update: Some("300110000000Z"), ..List::new("Root", "root") },
        Ocsp {
            this_update: "20291231000000Z",
            produced_at: "20291231000000Z",
            next_update: Some("20300110000000Z"),
            ..Ocsp::new("Root", "root")
        },
    )
}

/// Asks with one CRL or one response.
fn with(leaf: &Spec, evidence: &Evidence, change: impl FnOnce(&mut Policy)) -> Verdict {
    ask(leaf, &[], &anchors(&[&root()]), |policy| {
        match evidence {
            Evidence::Crl(list) => policy.revocation.evidence.add_crl(list.der()),
            Evidence::Ocsp(response) => policy.revocation.evidence.add_ocsp(response.der()),
        }
        change(policy);
    })
}

#[derive(Clone)]
enum Evidence {
    Crl(List),
    Ocsp(Ocsp),
}

#[track_caller]
fn unknown(verdict: &Verdict, why: &str) {
    assert!(matches!(verdict, Verdict::Unknown(message) if message.contains(why)), "{verdict:?}");
}

#[test]
fn evidence_has_a_time_of_its_own() {
    let (crl, ocsp) = late();
    for evidence in [Evidence::Crl(crl), Evidence::Ocsp(ocsp)] {
        // By default it is the time of validation.
        unknown(&with(&leaf(), &evidence, |_| {}), "is in the future");
        let at = |time| with(&leaf(), &evidence, |policy| policy.revocation.evidence_time = Some(time));
        let good = at(LATER);
        assert!(
            matches!(&good, Verdict::Good(report) if report.starts_with(
                "valid, by profile rfc5280 at 2026-01-01T00:00:00Z, with evidence at 2030-01-01T00:00:00Z\n"
            )),
            "{good:?}"
        );
        unknown(&at(LATER.saturating_add(std::time::Duration::from_secs(10 * 86_400))), "has passed");
        unknown(&at(EARLIER), "is in the future");
    }
    // What was current at the time of validation is not so later.
    let now = [Evidence::Crl(List::new("Root", "root")), Evidence::Ocsp(Ocsp::new("Root", "root"))];
    for evidence in now {
        assert!(matches!(with(&leaf(), &evidence, |_| {}), Verdict::Good(_)));
        unknown(&with(&leaf(), &evidence, |policy| policy.revocation.evidence_time = Some(LATER)), "has passed");
    }
}

/// A response that was signed after the time it is held against was not there.
#[test]
fn produced_at() {
    let at = |produced_at, tolerance| {
        let response = Evidence::Ocsp(Ocsp { produced_at, ..Ocsp::new("Root", "root") });
        with(&leaf(), &response, |policy| policy.revocation.tolerance = std::time::Duration::from_secs(tolerance))
    };
    assert!(matches!(at("20260101000000Z", 0), Verdict::Good(_)));
    unknown(&at("20260101000001Z", 0), "its producedAt 2026-01-01T00:00:01Z is in the future");
    assert!(matches!(at("20260101000001Z", 1), Verdict::Good(_)));
}

/// Those who sign evidence are valid when it is held to be current, not when the certificate is.
#[test]
fn signers_of_late_evidence() {
    let ask_with = |between: &[Spec], anchor: &Spec, evidence: &Evidence, change: &dyn Fn(&mut Policy)| {
        ask(&Spec::leaf("Leaf", "CA", "ca"), between, &anchors(&[anchor]), |policy| {
            policy.revocation.evidence_time = Some(LATER);
            match evidence {
                Evidence::Crl(list) => policy.revocation.evidence.add_crl(list.der()),
                Evidence::Ocsp(response) => policy.revocation.evidence.add_ocsp(response.der()),
            }
            change(policy);
        })
    };
    let (crl, ocsp) = late();
    let crl = List { issuer: name("CA"), signer: b"ca".to_vec(), ..crl }.with(authority_key(b"ca"));
    let ocsp = Ocsp { issuer: (name("CA"), b"ca".to_vec()), responder: by_name("CA"), signer: b"ca".to_vec(), ..ocsp };
    let ca = Spec::ca("CA", "ca", "Root", "root");
    let only_ca = std::slice::from_ref(&ca);
    let ended = |spec: &Spec| Spec { not_after: "291230000000Z", ..spec.clone() };
    for evidence in [Evidence::Crl(crl.clone()), Evidence::Ocsp(ocsp.clone())] {
        // The issuer itself, and the anchor above it.
        assert!(matches!(ask_with(only_ca, &root(), &evidence, &|_| {}), Verdict::Good(_)));
        unknown(
            &ask_with(&[ended(&ca)], &root(), &evidence, &|_| {}),
            "the certificate of CN=CA is not valid at 2030-01-01T00:00:00Z",
        );
        unknown(&ask_with(only_ca, &ended(&root()), &evidence, &|_| {}), "the certificate of CN=Root is not valid");
        let lenient = ask_with(&[ended(&ca)], &root(), &evidence, &|policy| policy.disable("validity").unwrap());
        assert!(matches!(lenient, Verdict::Good(_)), "{lenient:?}");
        let lenient = |policy: &mut Policy| policy.disable("anchor-validity").unwrap();
        assert!(matches!(ask_with(only_ca, &ended(&root()), &evidence, &lenient), Verdict::Good(_)));
    }
    // A responder, whose certificate is younger than the certificate in question is judged at.
    let responder = Spec { key: b"ocsp".to_vec(), serial: 9, ..Spec::leaf("OCSP", "CA", "ca") };
    let responder = responder.with(purposes(&[9])).with(no_check());
    let young = Spec { not_before: "291201000000Z", ..responder.clone() };
    let by = |responder: &Spec| Evidence::Ocsp(ocsp.clone().by("OCSP", responder));
    assert!(matches!(ask_with(only_ca, &root(), &by(&young), &|_| {}), Verdict::Good(_)));
    unknown(&ask_with(only_ca, &root(), &by(&ended(&responder)), &|_| {}), "its responder CN=OCSP: validity");
    // Another key of the CA, for CRLs.
    let signer = Spec { serial: 8, ..Spec::ca("CA", "crls", "Root", "root") };
    let signer = signer.with(extension(15, true, b"\x03\x02\x01\x02")).without(19);
    let other = Evidence::Crl(List { signer: b"crls".to_vec(), ..crl }.with(authority_key(b"crls")));
    let of_root = |policy: &mut Policy| policy.revocation.evidence.add_crl(late().0.der());
    let young = Spec { not_before: "291201000000Z", ..signer.clone() };
    assert!(matches!(ask_with(&[ca.clone(), young], &root(), &other, &of_root), Verdict::Good(_)));
    unknown(&ask_with(&[ca.clone(), ended(&signer)], &root(), &other, &of_root), "its signer CN=CA: validity");
    // A responder by configuration.
    let trusted = |spec: &Spec| {
        let spec = Spec { issuer: name("Elsewhere"), ..spec.clone() };
        let response = Evidence::Ocsp(Ocsp { responder: by_name("OCSP"), signer: b"ocsp".to_vec(), ..ocsp.clone() });
        ask_with(only_ca, &root(), &response, &|policy| {
            policy.revocation.responders.push(TrustedResponder::from_certificate(spec.der()).unwrap());
        })
    };
    assert!(matches!(trusted(&Spec { not_before: "291201000000Z", ..responder.clone() }), Verdict::Good(_)));
    unknown(&trusted(&ended(&responder)), "not valid at that time");
}

/// Revoked on 2025-12-01, for a reason and perhaps from an earlier day on: in a CRL and in a response.
fn revoking(code: Option<u8>, invalid_since: Option<&str>) -> [Evidence; 2] {
    let mut extensions: Vec<Vec<u8>> = code.iter().map(|code| reason(*code)).collect();
    let date = invalid_since.map(|date| extension(24, false, &element(0x18, &[date.as_bytes()])));
    extensions.extend(date.clone());
    let status = match code {
        Some(code) => element(0xA1, &[b"\x18\x0F20251201000000Z", &[0xA0, 3, 0x0A, 1, code]]),
        None => element(0xA1, &[b"\x18\x0F20251201000000Z"]),
    };
    [
        Evidence::Crl(List::new("Root", "root").revokes(1, &extensions)),
        Evidence::Ocsp(Ocsp { status, single_extensions: date.into_iter().collect(), ..Ocsp::new("Root", "root") }),
    ]
}

#[test]
fn revocations_after_what_is_proven() {
    // unspecified, affiliationChanged, superseded, cessationOfOperation; the others, and none.
    let innocent = [Some(0), Some(3), Some(4), Some(5)];
    let others = [Some(1), Some(2), Some(6), Some(9), Some(10), None];
    for (codes, is_innocent) in [(&innocent[..], true), (&others[..], false)] {
        for code in codes {
            for evidence in revoking(*code, None) {
                let at = |proven| with(&leaf(), &evidence, |policy| policy.revocation.proven_at = proven);
                // Without a proof, every revocation counts.
                assert!(matches!(at(None), Verdict::Revoked(_)), "{code:?}");
                // On the day itself, and before, it counts; a second earlier, the reason decides.
                let day = UnixTime(1_764_547_200);
                assert!(matches!(at(Some(day)), Verdict::Revoked(_)), "{code:?}");
                assert!(matches!(at(Some(NOW)), Verdict::Revoked(_)), "{code:?}");
                let before = at(Some(UnixTime(day.0 - 1)));
                assert_eq!(matches!(before, Verdict::Good(_)), is_innocent, "{code:?} {before:?}");
                assert!(is_innocent || matches!(before, Verdict::Revoked(_)));
            }
        }
    }
    for evidence in revoking(Some(4), None) {
        let Verdict::Good(report) = with(&leaf(), &evidence, |policy| policy.revocation.proven_at = Some(PROVEN))
        else {
            panic!()
        };
        assert!(
            report.contains("revoked on 2025-12-01T00:00:00Z (superseded), after the proven time 2025-06-01T00:00:00Z"),
            "{report}"
        );
    }
    // RFC 5280 §5.3.2: it may have been invalid before it was revoked. A date that cannot be read is no later one.
    for (date, counts) in
        [("20250601000001Z", false), ("20250601000000Z", true), ("20250101000000Z", true), ("2025060100000Z", true)]
    {
        for evidence in revoking(Some(4), Some(date)) {
            let verdict = with(&leaf(), &evidence, |policy| policy.revocation.proven_at = Some(PROVEN));
            assert_eq!(!matches!(verdict, Verdict::Good(_)), counts, "{date} {verdict:?}");
        }
    }
}

/// Nothing is proven about those who sign evidence.
#[test]
fn signers_revoked_after_what_is_proven() {
    let responder =
        Spec { key: b"ocsp".to_vec(), serial: 9, ..Spec::leaf("OCSP", "Root", "root") }.with(purposes(&[9]));
    let response = Ocsp::new("Root", "root").by("OCSP", &responder);
    let asked = |list: List| {
        with(&leaf(), &Evidence::Ocsp(response.clone()), |policy| {
            policy.revocation.proven_at = Some(PROVEN);
            // About the responder alone: it does not cover the certificate.
            policy.revocation.evidence.add_crl(list.der());
        })
    };
    let some = List::new("Root", "root");
    let Verdict::Good(_) = asked(some.clone()) else { panic!() };
    let leaf_too = some.revokes(9, &[reason(4)]).revokes(1, &[reason(4)]);
    // The certificate's own revocation is too late, the responder's is not: the CRL alone tells.
    let Verdict::Good(report) = asked(leaf_too) else { panic!() };
    assert!(!report.contains("OCSP response by"), "{report}");
}

/// RFC 5280 §3.3, RFC 6960 §2.2: evidence that is younger than the certificate's end need not know about it.
#[test]
fn expired_certificates_may_be_left_out() {
    let expired = Spec { not_after: "251230235959Z", ..leaf() };
    let not_after = UnixTime(1_767_139_199);
    let judged = |evidence: &Evidence| {
        with(&expired, evidence, |policy| {
            policy.time = not_after;
            policy.revocation.evidence_time = Some(NOW);
        })
    };
    let list = || List::new("Root", "root");
    let why = "the certificate expired on 2025-12-30T23:59:59Z, before the evidence, which may omit expired certificates (RFC 5280 §3.3)";
    unknown(&judged(&Evidence::Crl(list())), why);
    // An entry that is there counts.
    assert!(matches!(judged(&Evidence::Crl(list().revokes(1, &[]))), Verdict::Revoked(_)));
    // expiredCertsOnCRL: those that expired from a date on are kept.
    let kept = |since: &str| Evidence::Crl(list().with(extension(60, false, &element(0x18, &[since.as_bytes()]))));
    assert!(matches!(judged(&kept("20251230235959Z")), Verdict::Good(_)));
    unknown(&judged(&kept("20251231000000Z")), why);
    // A CRL of before its end, and a delta of after it, which may take it off the list (§5.3.1, removeFromCRL).
    let base = List { this_update: "251230000000Z", ..list() };
    assert!(matches!(judged(&Evidence::Crl(base.clone())), Verdict::Good(_)));
    for delta in [List::delta("Root", "root", 5), List::delta("Root", "root", 5).revokes(1, &[reason(8)])] {
        let verdict = ask(&expired, &[], &anchors(&[&root()]), |policy| {
            policy.time = not_after;
            policy.revocation.evidence_time = Some(NOW);
            policy.revocation.evidence.add_crl(base.der());
            policy.revocation.evidence.add_crl(delta.der());
        });
        unknown(&verdict, why);
    }
    // OCSP: "good" of after its end; archive cutoff (§4.4.4).
    unknown(&judged(&Evidence::Ocsp(Ocsp::new("Root", "root"))), why);
    let cutoff = |since: &str| {
        let extension = ocsp_extension(6, false, &element(0x18, &[since.as_bytes()]));
        Evidence::Ocsp(Ocsp { single_extensions: vec![extension], ..Ocsp::new("Root", "root") })
    };
    assert!(matches!(judged(&cutoff("20251230235959Z")), Verdict::Good(_)));
    unknown(&judged(&cutoff("20251231000000Z")), why);
}

#[test]
fn of_equally_new_evidence_the_one_that_revokes_counts() {
    let roots = anchors(&[&root()]);
    let in_both_orders = |lists: [&List; 2]| {
        let asked = |lists: [&List; 2]| {
            ask(&leaf(), &[], &roots, |policy| {
                lists.iter().for_each(|list| policy.revocation.evidence.add_crl(list.der()));
            })
        };
        let [one, other] = lists;
        let verdict = asked([one, other]);
        assert_eq!(matches!(verdict, Verdict::Good(_)), matches!(asked([other, one]), Verdict::Good(_)));
        verdict
    };
    let list = || List::new("Root", "root");
    let revokes = list().revokes(1, &[]);
    assert!(matches!(in_both_orders([&list(), &revokes]), Verdict::Revoked(_)));
    // Whatever their numbers: two lists of one second cannot be told apart by time.
    assert!(matches!(in_both_orders([&list().with(number(6)), &revokes]), Verdict::Revoked(_)));
    // A newer one settles it.
    let newer = List { this_update: "251231000001Z", ..list() };
    assert!(matches!(in_both_orders([&newer, &revokes]), Verdict::Good(_)));
    // One that cannot be used does not.
    let forged = List { signer: b"forger".to_vec(), ..revokes.clone() };
    assert!(matches!(in_both_orders([&list(), &forged]), Verdict::Good(_)));
    // A revocation outlives its list, and none is newer.
    let stale = List { next_update: Some("251231120000Z"), ..revokes };
    assert!(matches!(in_both_orders([&list(), &stale]), Verdict::Revoked(_)));
    // Lists of two distribution points, the newer of which revokes.
    let uri = |uri: &'static [u8]| full_name(&[(URI, uri)]);
    let two = leaf().with(points(&[&[uri(b"http://crl.example/1")], &[uri(b"http://crl.example/2")]]));
    let first = list().with(issuing_point(&[uri(b"http://crl.example/1")]));
    let second = List { this_update: "251231000001Z", ..list() }.with(issuing_point(&[uri(b"http://crl.example/2")]));
    let verdict = ask(&two, &[], &roots, |policy| {
        policy.revocation.evidence.add_crl(first.der());
        policy.revocation.evidence.add_crl(second.revokes(1, &[]).der());
    });
    assert!(matches!(verdict, Verdict::Revoked(_)), "{verdict:?}");
    // Deltas.
    let delta = |code: Option<u8>| {
        let delta = List::delta("Root", "root", 5);
        code.map_or_else(|| delta.clone(), |code| delta.clone().revokes(1, &[reason(code)]))
    };
    for other in [delta(None), delta(Some(8))] {
        for deltas in [[delta(Some(1)), other.clone()], [other, delta(Some(1))]] {
            let verdict = ask(&leaf(), &[], &roots, |policy| {
                policy.revocation.evidence.add_crl(list().der());
                deltas.iter().for_each(|delta| policy.revocation.evidence.add_crl(delta.der()));
            });
            assert!(matches!(verdict, Verdict::Revoked(_)), "{verdict:?}");
        }
    }
    // OCSP responses.
    let (good, bad) = (Ocsp::new("Root", "root"), Ocsp { status: revoked(), ..Ocsp::new("Root", "root") });
    for responses in [[&good, &bad], [&bad, &good]] {
        let verdict = ask(&leaf(), &[], &roots, |policy| {
            responses.iter().for_each(|response| policy.revocation.evidence.add_ocsp(response.der()));
        });
        assert!(matches!(verdict, Verdict::Revoked(_)), "{verdict:?}");
    }
}

/// A certificate with an entry is not good, also where the entry's extensions cannot be read.
#[test]
fn entries_with_malformed_extensions() {
    for extension in
        [extension(21, false, &[0x0A, 1, 7]), extension(21, false, &[0x0A, 0]), extension(24, false, b"\x05\x00")]
    {
        let list = List::new("Root", "root").revokes(1, &[extension]);
        let verdict = ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
            policy.revocation.mode = RevocationMode::Prefer;
            policy.revocation.evidence.add_crl(list.der());
        });
        assert!(
            !matches!(&verdict, Verdict::Good(report) if report.contains("not revoked, according to")),
            "{verdict:?}"
        );
    }
}
