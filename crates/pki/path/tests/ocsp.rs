//! Revocation by OCSP responses: RFC 6960 §2, §3.2, §4.2.2, §4.4, and the nonces of RFC 9654.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::TrustedResponder;
use tagwise_path_testing::evidence::*;
use tagwise_path_testing::*;
use tagwise_pkix::build::Digest;

fn leaf() -> Spec {
    Spec::leaf("Leaf", "Root", "root")
}

fn response() -> Ocsp {
    Ocsp::new("Root", "root")
}

fn with(between: &[Spec], responses: &[Ocsp]) -> Verdict {
    ask(&leaf(), between, &anchors(&[&root()]), |policy| {
        responses.iter().for_each(|response| policy.revocation.evidence.add_ocsp(response.der()));
    })
}

#[track_caller]
fn good(responses: &[Ocsp]) {
    let verdict = with(&[], responses);
    assert!(matches!(verdict, Verdict::Good(_)), "{verdict:?}");
}

#[track_caller]
fn unknown(responses: &[Ocsp], why: &str) {
    let verdict = with(&[], responses);
    assert!(matches!(&verdict, Verdict::Unknown(message) if message.contains(why)), "{verdict:?}");
}

#[test]
fn by_the_issuer() {
    good(&[response()]);
    good(&[Ocsp { responder: by_key("root"), ..response() }]);
    let revoked = Ocsp { status: revoked(), ..response() };
    let verdict = with(&[], std::slice::from_ref(&revoked));
    let says =
        "revoked on 2025-12-01T00:00:00Z (keyCompromise), according to OCSP response by CN=Root, 2025-12-31T00:00:00Z";
    assert_eq!(verdict, Verdict::Revoked(says.to_owned()));
    unknown(
        &[Ocsp { status: UNKNOWN.to_vec(), ..response() }],
        "the responder does not recognize the certificate (RFC 6960 §2.2)",
    );
    unknown(&[Ocsp { signer: b"forger".to_vec(), ..response() }], "does not verify");
    unknown(&[Ocsp { responder: by_name("Other"), ..response() }], "neither the issuer nor certified by it");
    unknown(&[Ocsp { responder: by_key("other"), ..response() }], "neither the issuer nor certified by it");
    // Of two of the same time the one that revokes counts; else the newer.
    assert!(matches!(with(&[], &[response(), revoked.clone()]), Verdict::Revoked(_)));
    good(&[Ocsp { this_update: "20251231120000Z", ..response() }, revoked.clone()]);
    assert!(matches!(
        with(&[], &[response(), Ocsp { this_update: "20251231120000Z", ..revoked }]),
        Verdict::Revoked(_)
    ));
}

#[test]
fn identifiers() {
    for digest in [Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512] {
        good(&[Ocsp { digest, ..response() }]);
    }
    // §4.1.1: another serial number, name or key is another certificate.
    unknown(&[Ocsp { serial: 2, ..response() }], "no supplied CRL or OCSP response covers the certificate");
    unknown(
        &[Ocsp { issuer: (name("Other"), b"root".to_vec()), ..response() }],
        "no supplied CRL or OCSP response covers the certificate",
    );
    unknown(
        &[Ocsp { issuer: (name("Root"), b"other".to_vec()), ..response() }],
        "no supplied CRL or OCSP response covers the certificate",
    );
}

#[test]
fn times() {
    unknown(&[Ocsp { this_update: "20260101000001Z", ..response() }], "is in the future");
    unknown(
        &[Ocsp { next_update: Some("20251231235959Z"), ..response() }],
        "its nextUpdate 2025-12-31T23:59:59Z has passed",
    );
    // §2.4: without a nextUpdate, as old as the policy allows.
    good(&[Ocsp { next_update: None, ..response() }]);
    unknown(&[Ocsp { next_update: None, this_update: "20251230235959Z", ..response() }], "more than 86400 s ago");
    let stale = |seconds| {
        ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
            policy.revocation.tolerance = std::time::Duration::from_secs(seconds);
            let old = Ocsp { next_update: Some("20251231235900Z"), ..response() };
            policy.revocation.evidence.add_ocsp(old.der());
        })
    };
    assert!(matches!(stale(60), Verdict::Good(_)) && matches!(stale(59), Verdict::Unknown(_)));
}

/// A delegated responder of the root, whose own revocation is not checked.
fn responder() -> Spec {
    let spec = Spec { key: b"responder".to_vec(), serial: 30, ..Spec::leaf("Responder", "Root", "root") };
    let unchecked = ocsp_extension(5, false, b"\x05\x00");
    let mut spec = spec.with(purposes(&[9])).with(subject_key(b"responder"));
    spec.extensions.push(unchecked);
    spec
}

fn delegated(responder: &Spec) -> Ocsp {
    response().by("Responder", responder)
}

#[test]
fn delegated_responders() {
    good(&[delegated(&responder())]);
    // Its certificate may come with the response or from the pool.
    let alone = Ocsp { certificates: Vec::new(), ..delegated(&responder()) };
    unknown(std::slice::from_ref(&alone), "neither the issuer nor certified by it");
    assert!(matches!(with(&[responder()], std::slice::from_ref(&alone)), Verdict::Good(_)));
    let keyed = Ocsp { responder: by_key("responder"), ..alone };
    assert!(matches!(with(&[responder()], &[keyed]), Verdict::Good(_)));
    // §4.2.2.2: the purpose, from the issuer itself, with the same key.
    unknown(&[delegated(&responder().with(purposes(&[1])))], "purpose: the extended key usage does not include");
    unknown(&[delegated(&responder().with(purposes(&[0])))], "purpose");
    unknown(&[delegated(&responder().without(37))], "purpose");
    unknown(&[delegated(&Spec { issuer: name("Other"), ..responder() })], "neither the issuer nor certified by it");
    unknown(&[delegated(&Spec { signer: b"forger".to_vec(), ..responder() })], "its responder CN=Responder: signature");
    unknown(&[delegated(&Spec { not_after: "251231000000Z", ..responder() })], "its responder CN=Responder: validity");
    // RFC 5280 §4.2.1.3: a key usage allows signatures: digitalSignature, nonRepudiation; not keyEncipherment, or keyCertSign and cRLSign.
    for (usage, is_good) in [
        (b"\x03\x02\x07\x80", true),
        (b"\x03\x02\x06\x40", true),
        (b"\x03\x02\x05\x20", false),
        (b"\x03\x02\x01\x06", false),
    ] {
        let delegated = delegated(&responder().without(15).with(extension(15, true, usage)));
        match is_good {
            true => good(&[delegated]),
            false => unknown(
                &[delegated],
                "its responder CN=Responder: key-usage: the key usage has none of the requested bits",
            ),
        }
    }
    // The issuer's own key is not restricted by RFC 6960 §4.2.2.2: CAs sign responses with keyCertSign and cRLSign alone.
    good(&[response()]);
    // Certified by another key of the issuer's name, which the root certified.
    let other = Spec::ca("Root", "root2", "Root", "root");
    let by_other = Spec { signer: b"root2".to_vec(), ..responder() }.with(authority_key(b"root2"));
    let verdict = with(&[other], &[delegated(&by_other)]);
    assert!(
        matches!(&verdict, Verdict::Unknown(why) if why.contains("not signed with the issuer's key")),
        "{verdict:?}"
    );
}

#[test]
fn revocation_of_responders() {
    // Without id-pkix-ocsp-nocheck its own revocation is asked about.
    let mut checked = responder();
    checked.extensions.pop();
    unknown(&[delegated(&checked)], "its responder CN=Responder: revocation");
    let asked = |list: List| {
        ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
            policy.revocation.evidence.add_ocsp(delegated(&checked).der());
            policy.revocation.evidence.add_crl(list.der());
        })
    };
    let users = List::new("Root", "root").with(issuing_point(&[ONLY_USERS.to_vec()]));
    assert!(matches!(asked(users.clone()), Verdict::Good(_)));
    // Revoked: what is left says about the certificate itself is the CRL's.
    let verdict = asked(users.with(issuing_point(&[reason_flags(3, &[1])])).revokes(30, &[reason(1)]));
    assert!(
        matches!(&verdict, Verdict::Unknown(why) if why.contains("its responder CN=Responder: revocation: revoked")),
        "{verdict:?}"
    );
    // It cannot vouch for itself.
    let itself = Ocsp { serial: 30, ..delegated(&checked) };
    unknown(&[delegated(&checked), itself], "its responder CN=Responder: revocation");
}

/// §4.2.2.2, item 1: "a local configuration of OCSP signing authority for the certificate in question".
#[test]
fn responders_of_the_configuration() {
    // Of its own, certified by nobody that the path knows.
    let own = Spec { key: b"own".to_vec(), ..Spec::leaf("Own", "Elsewhere", "elsewhere") };
    let answer = Ocsp { responder: by_name("Own"), signer: b"own".to_vec(), ..response() };
    let keyed = Ocsp { responder: by_key("own"), ..answer.clone() };
    let asked = |trusted: TrustedResponder, response: &Ocsp| {
        ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
            policy.revocation.responders.push(trusted);
            policy.revocation.evidence.add_ocsp(response.der());
        })
    };
    let certified = |spec: &Spec| TrustedResponder::from_certificate(spec.der()).unwrap();
    let key = {
        let algorithm = sequence(&[&element(0x06, &[ALGORITHM])]);
        TrustedResponder::from_key(&sequence(&[&algorithm, &element(0x03, &[&[0], b"own"])])).unwrap()
    };
    unknown(std::slice::from_ref(&answer), "neither the issuer nor certified by it");
    for response in [&answer, &keyed] {
        let Verdict::Good(report) = asked(certified(&own), response) else { panic!() };
        assert!(report.contains("OCSP response by CN=Own, trusted by configuration"), "{report}");
        assert!(matches!(asked(key.clone(), response), Verdict::Good(_)));
    }
    let revokes = Ocsp { status: revoked(), ..answer.clone() };
    assert!(matches!(asked(certified(&own), &revokes), Verdict::Revoked(_)));
    // Of the issuers that it is trusted for.
    assert!(matches!(asked(certified(&own).for_issuer(&name("Root")).unwrap(), &answer), Verdict::Good(_)));
    for (trusted, response, why) in [
        (certified(&own).for_issuer(&name("Other")).unwrap(), answer.clone(), "neither the issuer nor certified by it"),
        (certified(&own), Ocsp { signer: b"forger".to_vec(), ..answer.clone() }, "does not verify"),
        (certified(&own), Ocsp { responder: by_name("Other"), ..answer.clone() }, "neither the issuer"),
        (certified(&Spec { not_after: "251231000000Z", ..own.clone() }), answer.clone(), "is not valid at that time"),
    ] {
        let verdict = asked(trusted, &response);
        assert!(matches!(&verdict, Verdict::Unknown(said) if said.contains(why)), "{why}: {verdict:?}");
    }
}

#[test]
fn nonces() {
    let asked = |response: Ocsp| {
        ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
            policy.revocation.evidence.add_ocsp_with_nonce(response.der(), [7; 32]);
        })
    };
    let with = |value: &[u8]| Ocsp { extensions: vec![ocsp_extension(2, false, value)], ..response() };
    assert!(matches!(asked(with(&element(0x04, &[&[7; 32]]))), Verdict::Good(_)));
    // RFC 9654 §2.1: older responders repeat the octets without a header.
    assert!(matches!(asked(with(&[7; 32])), Verdict::Good(_)));
    assert!(
        matches!(asked(with(&element(0x04, &[&[8; 32]]))), Verdict::Unknown(why) if why.contains("its nonce differs from the request's (RFC 9654 §2.1)"))
    );
    assert!(matches!(asked(response()), Verdict::Unknown(why) if why.contains("its nonce is missing (RFC 9654 §2.1)")));
    // Not asked for, it means nothing.
    good(&[with(&element(0x04, &[&[8; 32]]))]);
}

#[test]
fn unusable_responses() {
    let critical = |arc| ocsp_extension(arc, true, b"\x05\x00");
    unknown(&[Ocsp { extensions: vec![critical(99)], ..response() }], "is unknown (RFC 6960 §4.4)");
    unknown(&[Ocsp { single_extensions: vec![critical(99)], ..response() }], "is unknown (RFC 6960 §4.4)");
    good(&[Ocsp { extensions: vec![ocsp_extension(9, true, b"\x05\x00")], ..response() }]);
    good(&[Ocsp { single_extensions: vec![ocsp_extension(99, false, b"\x05\x00")], ..response() }]);
    let octets =
        |der: &[u8]| ask(&leaf(), &[], &anchors(&[&root()]), |policy| policy.revocation.evidence.add_ocsp(der));
    // tryLater
    assert!(
        matches!(octets(&[0x30, 3, 0x0A, 1, 3]), Verdict::Unknown(why) if why.contains("the responder answered TryLater"))
    );
    assert!(matches!(octets(&[0x30, 3, 0x0A, 1, 0]), Verdict::Unknown(why) if why.contains("without a body")));
    assert!(matches!(octets(b"no response"), Verdict::Unknown(why) if why.contains("not an OCSP response")));
    // Beside a good one they change nothing.
    let verdict = ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
        policy.revocation.evidence.add_ocsp(vec![0x30, 0]);
        policy.revocation.evidence.add_ocsp(response().der());
    });
    assert!(matches!(verdict, Verdict::Good(_)));
    // A CRL that revokes counts beside a response that does not.
    let verdict = ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
        policy.revocation.evidence.add_ocsp(response().der());
        policy.revocation.evidence.add_crl(List::new("Root", "root").revokes(1, &[]).der());
    });
    assert!(matches!(verdict, Verdict::Revoked(_)));
}
