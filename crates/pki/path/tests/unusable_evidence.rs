//! Evidence that cannot be used as §6.3.3 of RFC 5280 has it, and what it says all the same: a revocation outlives the list that states
//! it, and one that stands in a flawed list leaves the status open. Every piece of evidence has its place in the report.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::RuleSet;
use tagwise_path::{
    Evidence, EvidenceKind, EvidenceUse, Policy, Profile, RevocationMode, RevocationScope, SignatureFault, Verifier,
    verify,
};
use tagwise_path_testing::evidence::*;
use tagwise_path_testing::*;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

fn leaf() -> Spec {
    Spec::leaf("Leaf", "Root", "root")
}

fn list() -> List {
    List::new("Root", "root")
}

/// A newer list than [`list`].
fn newer() -> List {
    List { this_update: "251231120000Z", ..list() }.with(number(6))
}

/// A list whose nextUpdate has passed.
fn stale() -> List {
    List { this_update: "251201000000Z", next_update: Some("251210000000Z"), ..list() }.with(number(3))
}

#[derive(Clone)]
enum Piece {
    Crl(List),
    Ocsp(Ocsp),
}

use Piece::{Crl, Ocsp as Response};

fn with(pieces: &[Piece], change: impl FnOnce(&mut Policy)) -> Verdict {
    ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
        for piece in pieces {
            match piece {
                Crl(list) => policy.revocation.evidence.add_crl(list.der()),
                Response(response) => policy.revocation.evidence.add_ocsp(response.der()),
            }
        }
        change(policy);
    })
}

fn prefer(policy: &mut Policy) {
    policy.revocation.mode = RevocationMode::Prefer;
}

#[track_caller]
fn good(pieces: &[Piece]) {
    for verdict in [with(pieces, |_| {}), with(pieces, prefer)] {
        assert!(matches!(verdict, Verdict::Good(_)), "{verdict:?}");
    }
}

#[track_caller]
fn revoked(pieces: &[Piece], says: &str) {
    for verdict in [with(pieces, |_| {}), with(pieces, prefer)] {
        assert!(matches!(&verdict, Verdict::Revoked(message) if message.contains(says)), "{verdict:?}");
    }
}

/// Not known, whether evidence is required or only preferred.
#[track_caller]
fn open(pieces: &[Piece], why: &str) {
    for verdict in [with(pieces, |_| {}), with(pieces, prefer)] {
        assert!(matches!(&verdict, Verdict::Unknown(message) if message.contains(why)), "{verdict:?}");
    }
}

/// Not known where evidence is required, and assumed where it is preferred.
#[track_caller]
fn silent(pieces: &[Piece], why: &str) {
    let required = with(pieces, |_| {});
    assert!(matches!(&required, Verdict::Unknown(message) if message.contains(why)), "{required:?}");
    let preferred = with(pieces, prefer);
    assert!(
        matches!(&preferred, Verdict::Good(report) if report.contains("assumed: CN=Leaf is not revoked; its status is unknown")),
        "{preferred:?}"
    );
}

#[test]
fn lists_of_version_1() {
    // RFC 5280 §5: complete CRLs of version 1 are processed. They have no extensions, and so no number.
    let version_1 = list().without(20).without(35);
    revoked(&[Crl(version_1.clone().revokes(1, &[]))], "revoked on 2025-12-01");
    good(&[Crl(version_1.clone().revokes(2, &[]))]);
    good(&[Crl(version_1)]);
}

#[test]
fn issuer_requirements_never_hide_a_revocation() {
    // §5.2.3: the number is missing, or critical; §5.1.2.5: nextUpdate is missing.
    let faulty = [
        list().without(20),
        list().with(extension(20, true, &[2, 1, 5])),
        List { next_update: None, ..list() },
        List { next_update: None, ..list() }.without(20).without(35),
    ];
    for list in faulty {
        revoked(&[Crl(list.clone().revokes(1, &[]))], "revoked on 2025-12-01");
        let verdict = with(&[Crl(list)], |_| {});
        assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    }
    // No profile asks it of its own, but for nextUpdate.
    let by_default = |list: &List| {
        let mut policy = Policy::new(&Profile::RFC5280, NOW);
        policy.revocation.mode = RevocationMode::Require;
        policy.revocation.evidence.add_crl(list.der());
        validate(&leaf(), &[], &anchors(&[&root()]), &policy)
    };
    assert!(by_default(&list().without(20)).is_ok());
    assert!(by_default(&List { next_update: None, ..list() }).unwrap_err().is_undecided());
}

/// An entry with its date as GeneralizedTime.
fn with_general_time(mut list: List, serial: u32, date: &str, extensions: &[Vec<u8>]) -> List {
    let parts: Vec<&[u8]> = extensions.iter().map(Vec::as_slice).collect();
    let extensions = if parts.is_empty() { Vec::new() } else { sequence(&parts) };
    list.entries.push(sequence(&[&serial_number(serial), &element(0x18, &[date.as_bytes()]), &extensions]));
    list
}

#[test]
fn dates_in_either_form() {
    // §5.1.2.6: applications process both forms, whenever the date is.
    let general = |serial| with_general_time(list(), serial, "20251201000000Z", &[]);
    revoked(&[Crl(general(1))], "revoked on 2025-12-01T00:00:00Z");
    good(&[Crl(general(2))]);
    revoked(&[Crl(general(2).revokes(1, &[reason(4)]))], "(superseded)");
    revoked(&[Crl(with_general_time(list(), 1, "20251201000000.5Z", &[]))], "revoked on 2025-12-01");
    revoked(&[Crl(with_general_time(list(), 1, "20251201000000Z", &[reason(1)]))], "(keyCompromise)");
    // The first searches, and the index that comes after them, find the same.
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Require;
    policy.revocation.evidence.add_crl(general(1).der());
    for search in 0..20 {
        let report = validate(&leaf(), &[], &anchors(&[&root()]), &policy).unwrap_err();
        assert!(!report.is_undecided() && report.to_string().contains("revoked on 2025-12-01"), "{search}: {report}");
    }
}

#[test]
fn a_revocation_outlives_its_list() {
    revoked(&[Crl(stale().revokes(1, &[]))], "its nextUpdate 2025-12-10T00:00:00Z has passed");
    revoked(&[Crl(stale().revokes(1, &[reason(1)]))], "(keyCompromise)");
    silent(&[Crl(stale().revokes(2, &[]))], "has passed");
    // Unless a newer one says otherwise: one that is current, or one that is signed and newer.
    good(&[Crl(stale().revokes(1, &[])), Crl(list())]);
    let later = List { this_update: "251205000000Z", ..stale() }.with(number(4));
    silent(&[Crl(stale().revokes(1, &[])), Crl(later.clone())], "has passed");
    revoked(&[Crl(stale().revokes(1, &[])), Crl(List { signer: b"forger".to_vec(), ..later.clone() })], "CRL 3");
    revoked(&[Crl(stale()), Crl(later.revokes(1, &[]))], "CRL 4");
    // One of another scope takes nobody's place.
    revoked(&[Crl(stale().revokes(1, &[])), Crl(list().with(issuing_point(&[ONLY_CAS.to_vec()])))], "CRL 3");
    revoked(&[Crl(stale().revokes(1, &[])), Crl(list().with(issuing_point(&[reason_flags(3, &[1, 2])])))], "CRL 3");
    // Forged, it is nothing.
    silent(&[Crl(List { signer: b"forger".to_vec(), ..stale().revokes(1, &[]) })], "does not verify");
    // What is removed is not revoked.
    silent(&[Crl(stale().revokes(1, &[reason(8)]))], "has passed");
}

#[test]
fn a_hold_may_have_ended() {
    open(&[Crl(stale().revokes(1, &[reason(6)]))], "lists the certificate, but cannot be used: its nextUpdate");
    good(&[Crl(stale().revokes(1, &[reason(6)])), Crl(list())]);
    revoked(&[Crl(list().revokes(1, &[reason(6)]))], "(certificateHold)");
    // Newer evidence of another kind lifts it as well; an older response does not.
    let response = Ocsp::new("Root", "root");
    good(&[Crl(stale().revokes(1, &[reason(6)])), Response(response.clone())]);
    let before = Ocsp { this_update: "20251130000000Z", produced_at: "20251130000000Z", ..response };
    open(&[Crl(stale().revokes(1, &[reason(6)])), Response(before)], "cannot be used");
}

#[test]
fn deltas_after_their_time() {
    let delta = || List { next_update: Some("251231120000Z"), ..List::delta("Root", "root", 5) };
    revoked(&[Crl(list()), Crl(delta().revokes(1, &[reason(1)]))], "delta CRL 7");
    open(&[Crl(list()), Crl(delta().revokes(1, &[reason(6)]))], "cannot be used: its nextUpdate");
    good(&[Crl(list()), Crl(delta().revokes(2, &[]))]);
    good(&[Crl(newer().with(number(9))), Crl(delta().revokes(1, &[]))]);
    // Without a base, what it revokes is not in question, but who says so is not §6.3.3.
    open(&[Crl(List::delta("Root", "root", 5).revokes(1, &[]))], "no usable complete CRL matches its base");
    silent(&[Crl(List::delta("Root", "root", 5).revokes(2, &[]))], "no usable complete CRL");
}

/// A list that is signed, newer than [`list`], and not for use.
fn flawed() -> Vec<(List, &'static str)> {
    let malformed = extension(21, false, &[0x0A, 1, 127]);
    let unknown = extension(99, true, b"\x05\x00");
    vec![
        (newer().revokes(1, std::slice::from_ref(&unknown)), "unknown critical entry extension 2.5.29.99"),
        (
            newer().revokes(1, &[]).revokes(9, std::slice::from_ref(&unknown)),
            "unknown critical entry extension 2.5.29.99",
        ),
        (newer().revokes(1, &[]).with(unknown), "unknown critical extension 2.5.29.99"),
        (newer().revokes(1, std::slice::from_ref(&malformed)), "no CRL"),
        (newer().revokes(1, &[]).revokes(9, &[malformed]), "no CRL"),
        (newer().revokes(1, &[]).with(extension(20, false, b"\x05\x00")), "expected"),
        (newer().revokes(1, &[certificate_issuer("Root")]), "not indirect"),
        (
            newer().revokes(1, &[]).without(20).with(extension(27, true, &[2, 1, 5])),
            "a delta CRL must have a number (RFC 5280 §5.2.4)",
        ),
    ]
}

#[test]
fn a_flawed_list_that_revokes_leaves_it_open() {
    for (flawed, why) in flawed() {
        open(&[Crl(list()), Crl(flawed.clone())], why);
        open(&[Crl(flawed.clone()), Crl(list())], why);
        open(&[Response(Ocsp::new("Root", "root")), Crl(flawed.clone())], why);
        open(std::slice::from_ref(&Crl(flawed.clone())), why);
        // A newer one that is for use takes its place; one that revokes counts.
        let newest = List { this_update: "251231180000Z", ..list() }.with(number(8));
        good(&[Crl(newest.clone()), Crl(flawed.clone())]);
        revoked(&[Crl(list().revokes(1, &[])), Crl(flawed.clone())], "CRL 5");
        // Forged, it is nothing.
        let forged = List { signer: b"forger".to_vec(), ..flawed.clone() };
        good(&[Crl(list()), Crl(forged)]);
        // Of another issuer, it is about others.
        good(&[Crl(list()), Crl(List { issuer: name("Other"), ..flawed.clone() })]);
    }
    // It says nothing of certificates that it does not list, and takes nobody's place.
    let other = newer().revokes(2, &[extension(99, true, b"\x05\x00")]);
    good(&[Crl(list()), Crl(other.clone())]);
    revoked(&[Crl(list().revokes(1, &[])), Crl(other)], "CRL 5");
    // What cannot be told apart may be anything: an entry whose length is beyond the end.
    let mut torn = newer().revokes(7, &[]);
    torn.entries.push(vec![0x30, 0x7F, 0x02, 0x01]);
    let verdict = with(&[Crl(list()), Crl(torn)], |_| {});
    assert!(matches!(&verdict, Verdict::Unknown(_) | Verdict::Good(_)), "{verdict:?}");
}

#[test]
fn a_padded_serial_number_is_the_same_number() {
    let mut padded = list();
    padded.entries.push(sequence(&[b"\x02\x06\x00\x01\x00\x00\x00\x01", b"\x17\x0D251201000000Z"]));
    open(&[Crl(padded.clone())], "lists the certificate, but cannot be used: no CRL");
    // Where it is tolerated, by linear search and then by the index.
    let mut evidence = Evidence::default();
    evidence.tolerate(RuleSet::NONE.with(&tagwise_codec::Rule::INTEGER_PADDED));
    evidence.add_crl(padded.der());
    for _ in 0..20 {
        let verdict = with(&[], |policy| policy.revocation.evidence = evidence.clone());
        assert!(matches!(&verdict, Verdict::Revoked(why) if why.contains("revoked on 2025-12-01")), "{verdict:?}");
    }
}

#[test]
fn a_list_of_another_scope_that_revokes_leaves_it_open() {
    let why = "its scope does not cover the certificate (RFC 5280 §6.3.3 (b))";
    let at = |list: List| list.with(issuing_point(&[full_name(&[(URI, b"http://crl.example/2")])]));
    // RFC 5280 §4.1.2.2: no other certificate of the issuer has this serial number.
    for other in [
        at(list().revokes(1, &[])),
        at(stale().revokes(1, &[])),
        list().revokes(1, &[]).with(issuing_point(&[ONLY_CAS.to_vec()])),
        at(list().revokes(1, &[extension(99, true, b"\x05\x00")])),
        at(List::delta("Root", "root", 5).revokes(1, &[])),
    ] {
        open(&[Crl(other.clone())], why);
        open(&[Crl(newer()), Crl(other.clone())], why);
        revoked(&[Crl(other.clone()), Crl(newer().revokes(1, &[]))], "CRL 6");
        // Forged, or of another issuer.
        good(&[Crl(list()), Crl(List { signer: b"forger".to_vec(), ..other.clone() })]);
        good(&[Crl(list()), Crl(List { issuer: name("Other"), ..other })]);
    }
    // Replaced by one that does not list it.
    good(&[Crl(list()), Crl(at(list().revokes(1, &[]))), Crl(at(newer()))]);
    // A hold may have ended by the time of a newer list.
    open(&[Crl(list()), Crl(at(list().revokes(1, &[reason(6)])))], why);
    good(&[Crl(newer()), Crl(at(list().revokes(1, &[reason(6)])))]);
    // Other certificates, and attribute certificates.
    good(&[Crl(list()), Crl(at(list().revokes(2, &[])))]);
    good(&[Crl(list()), Crl(list().revokes(1, &[]).with(issuing_point(&[ONLY_ATTRIBUTES.to_vec()])))]);
}

#[test]
fn a_signer_of_unknown_status_can_revoke() {
    // A key for CRLs alone, and an OCSP responder without id-pkix-ocsp-nocheck. Nothing states their status.
    let ca = Spec::ca("CA", "ca", "Root", "root");
    let signer = Spec::ca("CA", "crls", "Root", "root").with(extension(15, true, b"\x03\x02\x01\x02")).without(19);
    let responder = Spec { key: b"ocsp".to_vec(), serial: 9, ..Spec::leaf("OCSP", "CA", "ca") }.with(purposes(&[9]));
    let lists = List::new("CA", "crls");
    let responses = Ocsp::new("CA", "ca").by("OCSP", &responder);
    let revoking = Ocsp { status: revoked_status(Some(1)), ..responses.clone() };
    let asked = |piece: Piece, mode| {
        ask(&Spec::leaf("Leaf", "CA", "ca"), &[ca.clone(), signer.clone()], &anchors(&[&root()]), |policy| {
            match piece {
                Crl(list) => policy.revocation.evidence.add_crl(list.der()),
                Response(response) => policy.revocation.evidence.add_ocsp(response.der()),
            }
            policy.revocation.mode = mode;
        })
    };
    // Another certificate of the same key, whose status is known.
    let point = || full_name(&[(URI, b"http://crl.example/1")]);
    let known = Spec { serial: 41, ..signer.clone() }.with(points(&[&[point()]]));
    for pool in [[ca.clone(), signer.clone(), known.clone()], [ca.clone(), known, signer.clone()]] {
        let verdict = ask(&Spec::leaf("Leaf", "CA", "ca"), &pool, &anchors(&[&root()]), |policy| {
            policy.revocation.evidence.add_crl(lists.der());
            policy.revocation.evidence.add_crl(list().with(issuing_point(&[point()])).der());
        });
        assert!(matches!(&verdict, Verdict::Good(_)), "{verdict:?}");
    }
    let modes = [RevocationMode::Require, RevocationMode::Prefer];
    for (piece, name) in [(Crl(lists.clone().revokes(1, &[])), "CRL 5 of CN=CA"), (Response(revoking), "by CN=OCSP")] {
        for verdict in modes.map(|mode| asked(piece.clone(), mode)) {
            assert!(matches!(&verdict, Verdict::Revoked(why) if why.contains(name)), "{verdict:?}");
        }
    }
    for (piece, name) in
        [(Crl(lists), "its signer CN=CA: revocation"), (Response(responses), "its responder CN=OCSP: revocation")]
    {
        let [required, preferred] = modes.map(|mode| asked(piece.clone(), mode));
        assert!(matches!(&required, Verdict::Unknown(why) if why.contains(name)), "{required:?}");
        assert!(matches!(&preferred, Verdict::Good(_)), "{preferred:?}");
    }
}

#[test]
fn a_list_of_a_time_to_come() {
    // What it dates until now has happened; what it dates later has not. But a key may be compromised before that date.
    let early = List { this_update: "260102000000Z", next_update: Some("260201000000Z"), ..list() };
    open(&[Crl(list()), Crl(early.clone().revokes(1, &[]))], "is in the future");
    let later = |extensions: &[Vec<u8>]| {
        let mut list = early.clone();
        let parts: Vec<&[u8]> = extensions.iter().map(Vec::as_slice).collect();
        let extensions = if parts.is_empty() { Vec::new() } else { sequence(&parts) };
        list.entries.push(sequence(&[&serial_number(1), b"\x17\x0D260101120000Z", &extensions]));
        list
    };
    for harmless in [0, 3, 4, 5] {
        good(&[Crl(list()), Crl(later(&[reason(harmless)]))]);
    }
    for code in [1, 2, 9, 10] {
        open(&[Crl(list()), Crl(later(&[reason(code)]))], "is in the future");
        open(&[Crl(later(&[reason(code)]))], "is in the future");
    }
    open(&[Crl(list()), Crl(later(&[]))], "is in the future");
    let invalid_since = extension(24, false, &element(0x18, &[b"20251101000000Z"]));
    open(&[Crl(list()), Crl(later(&[reason(4), invalid_since]))], "is in the future");
    // The same for a response.
    let response = |code| Ocsp {
        this_update: "20260102000000Z",
        produced_at: "20260102000000Z",
        status: element(0xA1, &[b"\x18\x0F20260101120000Z", &[0xA0, 3, 0x0A, 1, code]]),
        ..Ocsp::new("Root", "root")
    };
    open(&[Crl(list()), Response(response(1))], "is in the future");
    good(&[Crl(list()), Response(response(4))]);
}

#[test]
fn a_revocation_outlives_its_signer() {
    // Whose certificate has expired, so that nothing says whether it signed before that.
    let ended = |spec: Spec| Spec { not_after: "251231000000Z", ..spec };
    let responder = || {
        let spec = Spec { key: b"ocsp".to_vec(), serial: 9, ..Spec::leaf("OCSP", "Root", "root") };
        spec.with(purposes(&[9]))
    };
    let by = |spec: &Spec| Ocsp { status: revoked_status(Some(1)), ..Ocsp::new("Root", "root") }.by("OCSP", spec);
    let why = "reports it as revoked, but cannot be used: its responder CN=OCSP: validity";
    open(&[Response(by(&ended(responder())))], why);
    open(&[Crl(list()), Response(by(&ended(responder())))], why);
    let unrevoked = Ocsp::new("Root", "root").by("OCSP", &ended(responder()));
    silent(&[Response(unrevoked)], "its responder CN=OCSP: validity");
    // One that was never authorized cannot block anything, expired or not.
    for stranger in [
        responder().with(purposes(&[1])),
        responder().without(37),
        Spec { signer: b"forger".to_vec(), ..responder() },
        Spec { issuer: name("Other"), signer: b"other".to_vec(), ..responder() },
    ] {
        good(&[Crl(list()), Response(by(&ended(stranger)))]);
    }
    // An indirect CRL.
    let signer = || {
        let spec = Spec { serial: 40, ..Spec::ca("CRLs", "crls", "Root", "root") };
        spec.with(extension(15, true, b"\x03\x02\x01\x02")).without(19)
    };
    let below = leaf().with(points(&[&[full_name(&[(0xA4, &name("CRLs"))]), crl_issuer("CRLs")]]));
    let indirect = List::new("CRLs", "crls").with(issuing_point(&[INDIRECT.to_vec()]));
    let indirect = indirect.revokes(1, &[certificate_issuer("Root")]);
    let asked = |signer: &Spec| {
        ask(&below, std::slice::from_ref(signer), &anchors(&[&root()]), |policy| {
            policy.revocation.evidence.add_crl(indirect.der());
            policy.revocation.evidence.add_crl(list().der());
            prefer(policy);
        })
    };
    let valid = asked(&signer());
    assert!(matches!(&valid, Verdict::Revoked(_)), "{valid:?}");
    let expired = asked(&ended(signer()));
    assert!(matches!(&expired, Verdict::Unknown(why) if why.contains("its signer CN=CRLs: validity")), "{expired:?}");
    let forged = asked(&ended(Spec { signer: b"forger".to_vec(), ..signer() }));
    assert!(matches!(&forged, Verdict::Good(_)), "{forged:?}");
}

#[test]
fn responses() {
    let response = || Ocsp::new("Root", "root");
    let revoking = || Ocsp { status: revoked_status(None), ..response() };
    let newer = |response: Ocsp| Ocsp { this_update: "20251231120000Z", produced_at: "20251231120000Z", ..response };
    // For good, after its time, unless a newer one says otherwise.
    let late = |response: Ocsp| Ocsp { next_update: Some("20251231060000Z"), ..response };
    revoked(&[Response(late(revoking()))], "has passed");
    silent(&[Response(late(response()))], "has passed");
    good(&[Response(late(revoking())), Response(newer(response()))]);
    let held = Ocsp { status: revoked_status(Some(6)), ..response() };
    open(&[Response(late(held.clone()))], "has passed");
    revoked(&[Response(held)], "(certificateHold)");
    // Flawed: a critical extension, of the response or of the answer; a reason that there is not; another version.
    let critical = ocsp_extension(99, true, b"\x05\x00");
    for (flawed, why) in [
        (Ocsp { extensions: vec![critical.clone()], ..revoking() }, "is unknown"),
        (Ocsp { single_extensions: vec![critical], ..revoking() }, "is unknown"),
        (Ocsp { status: revoked_status(Some(127)), ..response() }, "not an OCSP response"),
        (Ocsp { version: Some(1), ..revoking() }, "unknown version"),
    ] {
        let flawed = newer(flawed);
        open(std::slice::from_ref(&Response(flawed.clone())), why);
        open(&[Response(response()), Response(flawed.clone())], why);
        open(&[Crl(list()), Response(flawed.clone())], why);
        let newest = Ocsp { this_update: "20251231180000Z", produced_at: "20251231180000Z", ..response() };
        good(&[Response(newest), Response(flawed.clone())]);
        // Forged, or about another certificate.
        good(&[Response(response()), Response(Ocsp { signer: b"forger".to_vec(), ..flawed.clone() })]);
        good(&[Response(response()), Response(Ocsp { serial: 2, ..flawed })]);
    }
    // Another nonce than that of the request.
    let verdict = ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
        policy.revocation.evidence.add_crl(list().der());
        policy.revocation.evidence.add_ocsp_with_nonce(revoking().der(), *b"nonce");
        prefer(policy);
    });
    assert!(matches!(&verdict, Verdict::Unknown(why) if why.contains("nonce")), "{verdict:?}");
}

/// `revoked [1]`, with a reason.
fn revoked_status(code: Option<u8>) -> Vec<u8> {
    let reason = code.map_or_else(Vec::new, |code| vec![0xA0, 3, 0x0A, 1, code]);
    element(0xA1, &[b"\x18\x0F20251201000000Z", &reason])
}

#[test]
fn signatures_that_nobody_can_check() {
    /// Knows one algorithm alone.
    struct Only;
    impl Verifier for Only {
        fn verify(
            &self,
            key: &SubjectPublicKeyInfo<'_>,
            algorithm: &AlgorithmIdentifier<'_>,
            message: &[u8],
            signature: &[u8],
        ) -> Result<(), SignatureFault> {
            if message.windows(5).any(|window| window == b"CRLs\x30") || signature == b"other" {
                return Err(SignatureFault::Unsupported("an algorithm that nobody has".to_owned()));
            }
            KeyIsSignature.verify(key, algorithm, message, signature)
        }
    }
    let asked = |lists: &[List]| {
        let mut policy = policy();
        (policy.revocation.mode, policy.revocation.scope) = (RevocationMode::Prefer, RevocationScope::Leaf);
        lists.iter().for_each(|list| policy.revocation.evidence.add_crl(list.der()));
        verify::path(&leaf().der(), &pool(&[]), &anchors(&[&root()]), &policy, &Only)
    };
    let other = |list: List| List { signer: b"other".to_vec(), ..list };
    let report = asked(&[list(), other(newer().revokes(1, &[]))]).unwrap_err();
    assert!(report.is_undecided() && report.to_string().contains("an algorithm that nobody has"), "{report}");
    assert!(asked(&[list(), other(newer())]).is_ok());
}

#[test]
fn every_piece_has_its_place_in_the_report() {
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Prefer;
    let evidence = &mut policy.revocation.evidence;
    evidence.add_crl(list().der());
    evidence.add_crl(stale().der());
    evidence.add_crl(List::new("Other", "other").der());
    evidence.add_crl(newer().revokes(2, &[extension(99, true, b"\x05\x00")]).der());
    evidence.add_crl(vec![0x30, 0x00]);
    evidence.add_ocsp(Ocsp { serial: 7, ..Ocsp::new("Root", "root") }.der());
    evidence.add_ocsp(Ocsp { signer: b"forger".to_vec(), ..Ocsp::new("Root", "root") }.der());
    let path = validate(&leaf(), &[], &anchors(&[&root()]), &policy).unwrap();
    let account = &path.explanation.evidence;
    let names: Vec<_> = account.iter().map(|answer| (answer.kind, answer.number, answer.outcome.name())).collect();
    use EvidenceKind::{Crl, Ocsp as Response};
    assert_eq!(
        names,
        [
            (Crl, 1, "used"),
            (Crl, 2, "not-applicable"),
            (Crl, 3, "not-applicable"),
            (Crl, 4, "unusable"),
            (Crl, 5, "unusable"),
            (Response, 1, "not-applicable"),
            (Response, 2, "unusable"),
        ]
    );
    let (text, json) = (path.to_string(), path.to_json());
    for said in [
        "  evidence: CRL 5 of CN=Root, 2025-12-31T00:00:00Z: used\n",
        "CRL 3 of CN=Root, 2025-12-01T00:00:00Z: not applicable: newer CRLs cover the certificate",
        "of CN=Other, 2025-12-31T00:00:00Z: not applicable: its issuer or its scope does not cover the certificate",
        "CRL 6 of CN=Root, 2025-12-31T12:00:00Z: unusable: unknown critical entry extension 2.5.29.99",
        "CRL 5 of the evidence: unusable: no CRL",
        "not applicable: it does not cover this certificate",
        "unusable: the signature does not verify",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(
        json.contains(
            r#""evidence":[{"kind":"crl","number":1,"label":"CRL 5 of CN=Root, 2025-12-31T00:00:00Z","use":"used"}"#
        ),
        "{json}"
    );
    // A refusal has it, too, and one that comes before revocation.
    policy.revocation.evidence.add_crl(newer().revokes(1, &[]).der());
    let report = validate(&leaf(), &[], &anchors(&[&root()]), &policy).unwrap_err();
    let account = &report.explanation().evidence;
    assert_eq!((account.len(), account[5].outcome.clone()), (8, EvidenceUse::Used), "{report}");
    let expired = Spec { not_after: "251231235959Z", ..leaf() };
    let report = validate(&expired, &[], &anchors(&[&root()]), &policy).unwrap_err();
    assert_eq!(report.explanation().evidence.len(), 8);
    assert!(report.to_string().contains("not applicable: no path reached the revocation check"), "{report}");
    policy.revocation.mode = RevocationMode::Ignore;
    let path = validate(&leaf(), &[], &anchors(&[&root()]), &policy).unwrap();
    assert!(path.to_string().contains("not applicable: revocation was not checked"), "{path}");
}

#[test]
fn a_certificate_without_a_subject_has_a_title() {
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Prefer;
    for (leaf, title) in [
        (Spec::leaf("", "Root", "root"), "(no subject) DNS:www.example.org is not revoked; its status is unknown"),
        (Spec::leaf("", "Root", "root").without(17), "(no subject) serial number 0100000001 is not revoked"),
    ] {
        policy.disable("conformance").unwrap();
        let path = validate(&leaf, &[], &anchors(&[&root()]), &policy).unwrap();
        assert!(path.to_string().contains(&format!("assumed: {title}")), "{path}");
    }
}
