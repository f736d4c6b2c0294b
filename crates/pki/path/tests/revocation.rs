//! Revocation by CRLs, a case for each clause of RFC 5280 §5 and §6.3 that a validator applies. A certificate passes only if the
//! CRLs say that it is good, so that what is not applied shows as "not known".

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{RevocationMode, RevocationScope, RevocationSource, SharedSource, Status};
use tagwise_path_testing::evidence::*;
use tagwise_path_testing::*;

fn leaf() -> Spec {
    Spec::leaf("Leaf", "Root", "root")
}

/// The outcome of asking about a certificate of the root with CRLs, and a pool beside.
fn with(leaf: &Spec, between: &[Spec], lists: &[List]) -> Verdict {
    ask(leaf, between, &anchors(&[&root()]), |policy| {
        lists.iter().for_each(|list| policy.revocation.evidence.add_crl(list.der()));
    })
}

#[track_caller]
fn good(leaf: &Spec, between: &[Spec], lists: &[List]) {
    let verdict = with(leaf, between, lists);
    assert!(matches!(verdict, Verdict::Good(_)), "{verdict:?}");
}

#[track_caller]
fn revoked(leaf: &Spec, between: &[Spec], lists: &[List], says: &str) {
    let verdict = with(leaf, between, lists);
    assert!(matches!(&verdict, Verdict::Revoked(message) if message.contains(says)), "{verdict:?}");
}

#[track_caller]
fn unknown(leaf: &Spec, between: &[Spec], lists: &[List], why: &str) {
    let verdict = with(leaf, between, lists);
    assert!(matches!(&verdict, Verdict::Unknown(message) if message.contains(why)), "{verdict:?}");
}

fn list() -> List {
    List::new("Root", "root")
}

#[test]
fn complete() {
    good(&leaf(), &[], &[list()]);
    good(&leaf(), &[], &[list().revokes(2, &[])]);
    revoked(&leaf(), &[], &[list().revokes(1, &[])], "revoked on 2025-12-01T00:00:00Z, according to CRL 5 of CN=Root");
    revoked(&leaf(), &[], &[list().revokes(1, &[reason(1)])], "(keyCompromise)");
    // On hold is revoked, for as long as it is.
    revoked(&leaf(), &[], &[list().revokes(1, &[reason(6)])], "(certificateHold)");
    // (k): removed from the CRL.
    good(&leaf(), &[], &[list().revokes(1, &[reason(8)])]);
    unknown(&leaf(), &[], &[], "no supplied CRL or OCSP response covers the certificate");
    unknown(&leaf(), &[], &[List::new("Other", "root")], "no supplied CRL covers the certificate");
}

#[test]
fn times() {
    // (a)
    unknown(
        &leaf(),
        &[],
        &[List { next_update: Some("251231120000Z"), ..list() }],
        "its nextUpdate 2025-12-31T12:00:00Z has passed",
    );
    unknown(&leaf(), &[], &[List { this_update: "260101000001Z", ..list() }], "is in the future");
    unknown(&leaf(), &[], &[List { next_update: None, ..list() }], "no nextUpdate");
    // As old as the policy allows where the CRL does not say how long it holds: here it is a day old.
    let aged = |seconds| {
        ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
            policy.revocation.crl_max_age = Some(std::time::Duration::from_secs(seconds));
            policy.revocation.evidence.add_crl(List { next_update: None, ..list() }.der());
        })
    };
    assert!(matches!(aged(86_400), Verdict::Good(_)));
    assert!(
        matches!(aged(86_399), Verdict::Unknown(why) if why.contains("is more than 86399 s ago (RFC 5280 §5.1.2.5)"))
    );
    // As much staleness as the policy tolerates.
    let stale = |seconds| {
        ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
            policy.revocation.tolerance = std::time::Duration::from_secs(seconds);
            policy.revocation.evidence.add_crl(List { next_update: Some("251231235900Z"), ..list() }.der());
        })
    };
    assert!(matches!(stale(60), Verdict::Good(_)) && matches!(stale(59), Verdict::Unknown(_)));
    // The newer of two counts, in whatever order they come.
    let (old, new) = (list(), List { this_update: "251231120000Z", ..list() }.with(number(6)));
    revoked(&leaf(), &[], &[old.clone(), new.clone().revokes(1, &[])], "CRL 6");
    good(&leaf(), &[], &[old.revokes(1, &[]), new]);
}

#[test]
fn critical_and_missing_extensions_of_crls() {
    // §5.2, §5.3: not used for any certificate.
    let other = list().with(extension(99, true, b"\x05\x00"));
    unknown(&leaf(), &[], &[other], "unknown critical extension 2.5.29.99 (RFC 5280 §5.2)");
    good(&leaf(), &[], &[list().with(extension(99, false, b"\x05\x00"))]);
    let entry = list().revokes(9, &[extension(99, true, b"\x05\x00")]);
    unknown(&leaf(), &[], &[entry], "unknown critical entry extension 2.5.29.99 (RFC 5280 §5.3)");
    good(&leaf(), &[], &[list().revokes(9, &[extension(99, false, b"\x05\x00")])]);
    // §5.2.3
    unknown(&leaf(), &[], &[list().without(20)], "the CRL has no number");
    unknown(&leaf(), &[], &[list().with(extension(20, true, &[2, 1, 5]))], "the CRL number is critical");
    // No CRL at all, and one that is not all DER.
    let octets =
        |der: Vec<u8>| ask(&leaf(), &[], &anchors(&[&root()]), |policy| policy.revocation.evidence.add_crl(der));
    assert!(matches!(octets(vec![0x30, 0]), Verdict::Unknown(why) if why.contains("CRL 1 of the evidence: no CRL")));
    let mut more = list().der();
    more.push(0);
    assert!(matches!(octets(more), Verdict::Unknown(_)));
}

#[test]
fn signers() {
    // (g)
    unknown(&leaf(), &[], &[List { signer: b"forger".to_vec(), ..list() }], "does not verify");
    // (f): keyUsage of the issuer.
    let ca = Spec::ca("CA", "ca", "Root", "root");
    let below = Spec::leaf("Leaf", "CA", "ca");
    good(&below, std::slice::from_ref(&ca), &[List::new("CA", "ca")]);
    let no_crls = ca.clone().with(extension(15, true, b"\x03\x02\x02\x04"));
    unknown(&below, &[no_crls], &[List::new("CA", "ca")], "does not include cRLSign (RFC 5280 §6.3.3 (f))");
    // Another key of the same name, certified by the anchor, with which a CA signs CRLs alone.
    let separate = Spec::ca("CA", "crls", "Root", "root").with(extension(15, true, b"\x03\x02\x01\x02")).without(19);
    let mut lists = [List::new("CA", "crls"), list()];
    good(&below, &[ca.clone(), separate.clone()], &lists);
    unknown(&below, std::slice::from_ref(&ca), &lists, "does not verify");
    // Its own revocation is asked about: by the root, or by nobody.
    let all = |lists: &[List], change: &dyn Fn(&mut tagwise_path::Policy)| {
        ask(&below, &[ca.clone(), Spec { serial: 7, ..separate.clone() }], &anchors(&[&root()]), |policy| {
            lists.iter().for_each(|list| policy.revocation.evidence.add_crl(list.der()));
            change(policy);
        })
    };
    assert!(matches!(all(&lists, &|_| {}), Verdict::Good(_)));
    lists[1] = list().revokes(7, &[]);
    assert!(
        matches!(all(&lists, &|_| {}), Verdict::Unknown(why) if why.contains("its signer CN=CA: revocation: revoked on"))
    );
    // A signer of another anchor is none.
    let elsewhere =
        Spec::ca("CA", "crls", "Elsewhere", "else").with(extension(15, true, b"\x03\x02\x01\x02")).without(19);
    let both = anchors(&[&root(), &Spec::ca("Elsewhere", "else", "Elsewhere", "else")]);
    let verdict = ask(&below, &[ca.clone(), elsewhere], &both, |policy| {
        policy.revocation.evidence.add_crl(List::new("CA", "crls").der());
    });
    assert!(matches!(verdict, Verdict::Unknown(why) if why.contains("its signer CN=CA: no-issuer")));
    // Expired, or not certified at all.
    let expired = Spec { not_after: "251231000000Z", ..separate.clone() };
    unknown(&below, &[ca.clone(), expired], &[List::new("CA", "crls")], "its signer CN=CA: validity");
    let forged = Spec { signer: b"forger".to_vec(), ..separate };
    unknown(&below, &[ca, forged], &[List::new("CA", "crls")], "its signer CN=CA: signature");
}

#[test]
fn scopes() {
    let ca = Spec::ca("CA", "ca", "Root", "root");
    // (b)(2)(ii) to (iv)
    for (field, of_users, of_cas) in
        [(ONLY_USERS, true, false), (ONLY_CAS, false, true), (ONLY_ATTRIBUTES, false, false)]
    {
        let list = list().with(issuing_point(&[field.to_vec()]));
        assert_eq!(matches!(with(&leaf(), &[], std::slice::from_ref(&list)), Verdict::Good(_)), of_users, "{field:?}");
        assert_eq!(matches!(with(&ca, &[], &[list]), Verdict::Good(_)), of_cas, "{field:?}");
    }
    // (b)(2)(i): the same name on both sides, or none on the CRL's.
    let uri = |uri: &'static [u8]| full_name(&[(URI, uri)]);
    let pointing = leaf().with(points(&[&[uri(b"http://crl.example/1")]]));
    good(&pointing, &[], &[list().with(issuing_point(&[uri(b"HTTP://CRL.example/1")]))]);
    good(
        &pointing,
        &[],
        &[list().with(issuing_point(&[full_name(&[(URI, b"ldap://x/"), (URI, b"http://crl.example/1")])]))],
    );
    good(&pointing, &[], &[list()]);
    unknown(
        &pointing,
        &[],
        &[list().with(issuing_point(&[uri(b"http://crl.example/2")]))],
        "no supplied CRL covers the certificate",
    );
    // A certificate without points has CRLs of its issuer's name alone.
    unknown(
        &leaf(),
        &[],
        &[list().with(issuing_point(&[uri(b"http://crl.example/1")]))],
        "no supplied CRL covers the certificate",
    );
    good(&leaf(), &[], &[list().with(issuing_point(&[full_name(&[(DIRECTORY, &name("Root"))])]))]);
    // Relative to the issuer, against the full name.
    let relative = leaf().with(points(&[&[relative_name("crl1")]]));
    let dn = |last: &str| {
        let rdn = |name: Vec<u8>| name[2..].to_vec();
        sequence(&[&rdn(name("Root")), &rdn(name(last))])
    };
    good(&relative, &[], &[list().with(issuing_point(&[relative_name("CRL1")]))]);
    good(&relative, &[], &[list().with(issuing_point(&[full_name(&[(DIRECTORY, &dn("crl1"))])]))]);
    unknown(&relative, &[], &[list().with(issuing_point(&[full_name(&[(DIRECTORY, &dn("crl2"))])]))], "covers");
    // The second of two points.
    let two = leaf().with(points(&[&[uri(b"http://crl.example/1")], &[uri(b"http://crl.example/2")]]));
    good(&two, &[], &[list().with(issuing_point(&[uri(b"http://crl.example/2")]))]);
}

#[test]
fn reasons() {
    let some = |bits: &[u8]| list().with(issuing_point(&[reason_flags(3, bits)]));
    // (d), (e), (l): one CRL of some reasons is not enough, two that have all between them are.
    unknown(&leaf(), &[], &[some(&[1, 2])], "not all reasons are covered by CRL 5");
    let rest: &[u8] = &[3, 4, 5, 6, 7];
    let last = list().with(issuing_point(&[vec![0x83, 3, 7, 0, 0x80]]));
    unknown(&leaf(), &[], &[some(&[1, 2]), some(rest)], "not all reasons");
    good(&leaf(), &[], &[some(&[1, 2]), some(rest), last.clone()]);
    revoked(&leaf(), &[], &[some(&[1, 2]), some(rest).revokes(1, &[reason(4)]), last], "(superseded)");
    // A revocation is one, whatever other reasons are open.
    revoked(&leaf(), &[], &[some(&[1, 2]).revokes(1, &[reason(1)])], "(keyCompromise)");
    // The reasons of the certificate's point narrow those of the CRL.
    let uri = || full_name(&[(URI, b"http://crl.example/1")]);
    let narrow = leaf().with(points(&[&[uri(), reason_flags(1, &[1])]]));
    let at = list().with(issuing_point(&[uri()]));
    unknown(&narrow, &[], &[at], "not all reasons are covered");
}

#[test]
fn indirect() {
    // (b)(1): the issuer that the certificate's point names, in an indirect CRL.
    let pointing = leaf().with(points(&[&[full_name(&[(DIRECTORY, &name("CRLs"))]), crl_issuer("CRLs")]]));
    let signer = Spec::ca("CRLs", "crls", "Root", "root").with(extension(15, true, b"\x03\x02\x01\x02")).without(19);
    let signer = Spec { serial: 40, ..signer };
    let list = List::new("CRLs", "crls").with(issuing_point(&[INDIRECT.to_vec()]));
    let (pool, status) = (std::slice::from_ref(&signer), self::list());
    good(&pointing, pool, &[list.clone(), status.clone()]);
    let plain = List::new("CRLs", "crls");
    unknown(&pointing, pool, &[plain, status.clone().with(issuing_point(&[ONLY_CAS.to_vec()]))], "covers");
    // Without a point that names it, it is a stranger's.
    let only_cas = List { signer: b"root".to_vec(), ..self::list() }.with(issuing_point(&[ONLY_CAS.to_vec()]));
    unknown(&leaf(), pool, &[list.clone(), only_cas], "no supplied CRL covers the certificate");
    // §5.3.3: whose certificate an entry is about holds until another issuer is named.
    let issuer = |name| certificate_issuer(name);
    revoked(
        &pointing,
        pool,
        &[list.clone().revokes(1, &[issuer("Root")]), status.clone()],
        "according to CRL 5 of CN=CRLs",
    );
    good(&pointing, pool, &[list.clone().revokes(1, &[]), status.clone()]);
    good(&pointing, pool, &[list.clone().revokes(1, &[issuer("Other")]), status.clone()]);
    let carried = list.clone().revokes(8, &[issuer("Root")]).revokes(1, &[]).revokes(9, &[issuer("Other")]);
    revoked(&pointing, pool, &[carried, status.clone()], "revoked");
    let passed = list.clone().revokes(8, &[issuer("Root")]).revokes(9, &[issuer("Other")]).revokes(1, &[]);
    good(&pointing, pool, &[passed, status.clone()]);
    // (b)(2)(i): the CRL's name against the issuer's where the point has none.
    let nameless = leaf().with(points(&[&[crl_issuer("CRLs")]]));
    let named = list.clone().with(issuing_point(&[full_name(&[(DIRECTORY, &name("CRLs"))]), INDIRECT.to_vec()]));
    good(&nameless, pool, &[named, status.clone()]);
    let other = list.clone().with(issuing_point(&[full_name(&[(DIRECTORY, &name("Other"))]), INDIRECT.to_vec()]));
    unknown(&nameless, pool, &[other, status.clone().with(issuing_point(&[ONLY_CAS.to_vec()]))], "covers");
    // The signer's own revocation, by the root.
    let revokes_signer = status.revokes(40, &[]).with(issuing_point(&[reason_flags(3, &[1])]));
    unknown(&pointing, pool, &[list, revokes_signer], "its signer CN=CRLs: revocation: revoked");
}

#[test]
fn deltas() {
    let delta = |base| List::delta("Root", "root", base);
    // (i): the delta goes first.
    revoked(
        &leaf(),
        &[],
        &[list(), delta(5).revokes(1, &[reason(1)])],
        "CRL 5 of CN=Root, 2025-12-31T00:00:00Z with delta CRL 7",
    );
    good(&leaf(), &[], &[list().revokes(1, &[reason(6)]), delta(5).revokes(1, &[reason(8)])]);
    revoked(&leaf(), &[], &[list().revokes(1, &[reason(6)]), delta(5)], "(certificateHold)");
    // A delta alone is nothing.
    unknown(&leaf(), &[], &[delta(5)], "no usable complete CRL matches its base");
    // §5.2.4 (c), (d): numbers. One that is older is passed over. One that does not fit for another reason is not applied, and what it revokes
    // leaves the status open.
    let open = |lists: &[List]| {
        unknown(&leaf(), &[], lists, "lists the certificate, but cannot be used: no usable complete CRL")
    };
    open(&[list(), delta(6).revokes(1, &[])]);
    good(&leaf(), &[], &[list(), delta(6).revokes(2, &[])]);
    good(&leaf(), &[], &[list(), delta(6).revokes(1, &[reason(8)])]);
    good(&leaf(), &[], &[list().with(number(7)), delta(5).revokes(1, &[])]);
    // (c)(1) to (3): issuer, scope and key.
    good(&leaf(), &[], &[list(), List::delta("Other", "root", 5).revokes(1, &[])]);
    open(&[list(), delta(5).revokes(1, &[]).with(issuing_point(&[ONLY_USERS.to_vec()]))]);
    let of_cas = delta(5).revokes(1, &[]).with(issuing_point(&[ONLY_CAS.to_vec()]));
    unknown(&leaf(), &[], &[list(), of_cas], "its scope does not cover the certificate");
    open(&[list(), delta(5).revokes(1, &[]).with(authority_key(b"other"))]);
    let scoped = |list: List| list.with(issuing_point(&[ONLY_USERS.to_vec()]));
    revoked(&leaf(), &[], &[scoped(list()), scoped(delta(5).revokes(1, &[]))], "with delta CRL 7");
    // (h)
    good(&leaf(), &[], &[list(), List { signer: b"forger".to_vec(), ..delta(5).revokes(1, &[]) }]);
    // (a): a current delta keeps the complete CRL in use; a stale one is passed over.
    let old = List { this_update: "251201000000Z", next_update: Some("251210000000Z"), ..list() };
    unknown(&leaf(), &[], std::slice::from_ref(&old), "has passed");
    good(&leaf(), &[], &[old.clone(), delta(5)]);
    unknown(&leaf(), &[], &[old, List { next_update: Some("251231120000Z"), ..delta(5) }], "has passed");
    // The newest of two.
    let newer = List { this_update: "251231120000Z", ..delta(5) }.with(number(8));
    good(&leaf(), &[], &[list(), delta(5).revokes(1, &[]), newer]);
}

#[test]
fn a_newer_crl_of_another_key_or_scope_hides_no_revocation() {
    // After a change of the key, two CRLs have the issuer's name, with or without an authority key identifier.
    let new = [Spec { serial: 7, ..Spec::ca("Root", "new", "Root", "root") }];
    let later = |list: List| List { this_update: "251231120000Z", ..list }.with(number(6));
    let of_new = || later(List::new("Root", "new"));
    good(&leaf(), &new, &[list(), of_new()]);
    good(&leaf(), &new, &[list().revokes(2, &[]), of_new()]);
    for code in [1, 6] {
        let old = list().revokes(1, &[reason(code)]);
        revoked(&leaf(), &new, &[old.clone(), of_new()], "according to CRL 5 of CN=Root");
        revoked(&leaf(), &new, &[of_new(), old.clone()], "according to CRL 5 of CN=Root");
        let (named, of_new) = (old.clone().with(authority_key(b"root")), of_new().with(authority_key(b"new")));
        revoked(&leaf(), &new, &[named, of_new.clone()], "according to CRL 5 of CN=Root");
        // A newer one of the same key replaces it.
        let newest = List { this_update: "251231180000Z", ..list() }.with(number(7));
        good(&leaf(), &new, &[old, of_new, newest]);
    }
    let stale = List { next_update: Some("251231110000Z"), ..list().revokes(1, &[]) };
    revoked(&leaf(), &new, &[stale.clone(), of_new()], "CRL 5 of CN=Root");
    let silent = List { next_update: Some("251231130000Z"), ..of_new() };
    revoked(&leaf(), &new, &[stale, silent], "CRL 5 of CN=Root");
    // Its delta CRLs count as well.
    let delta = List::delta("Root", "root", 5);
    revoked(&leaf(), &new, &[list(), delta.clone().revokes(1, &[]), of_new()], "with delta CRL 7");
    good(&leaf(), &new, &[list().revokes(1, &[reason(6)]), delta.revokes(1, &[reason(8)]), of_new()]);
    // Another scope of the same key.
    let users = || later(list()).with(issuing_point(&[ONLY_USERS.to_vec()]));
    revoked(&leaf(), &[], &[list().revokes(1, &[]), users()], "CRL 5 of CN=Root");
    good(&leaf(), &[], &[list(), users()]);
}

#[test]
fn modes_and_scopes_of_the_policy() {
    let ca = Spec { serial: 3, ..Spec::ca("CA", "ca", "Root", "root") };
    let below = Spec::leaf("Leaf", "CA", "ca");
    let asked = |mode, scope, lists: &[List]| {
        ask(&below, std::slice::from_ref(&ca), &anchors(&[&root()]), |policy| {
            (policy.revocation.mode, policy.revocation.scope) = (mode, scope);
            lists.iter().for_each(|list| policy.revocation.evidence.add_crl(list.der()));
        })
    };
    use RevocationMode::{Ignore, Prefer, Require};
    use RevocationScope::{Leaf, WholePath};
    let (of_ca, of_root) = (List::new("CA", "ca"), list());
    let revokes_ca = of_root.clone().revokes(3, &[]);
    assert!(matches!(asked(Require, WholePath, &[of_ca.clone(), of_root.clone()]), Verdict::Good(_)));
    assert!(matches!(asked(Require, WholePath, std::slice::from_ref(&of_ca)), Verdict::Unknown(_)));
    assert!(matches!(asked(Require, Leaf, std::slice::from_ref(&of_ca)), Verdict::Good(_)));
    assert!(matches!(asked(Require, WholePath, &[of_ca.clone(), revokes_ca.clone()]), Verdict::Revoked(_)));
    assert!(matches!(asked(Require, Leaf, &[of_ca.clone(), revokes_ca.clone()]), Verdict::Good(_)));
    assert!(matches!(asked(Prefer, WholePath, std::slice::from_ref(&revokes_ca)), Verdict::Revoked(_)));
    assert!(matches!(asked(Ignore, WholePath, &[revokes_ca]), Verdict::Good(_)));
    // Without the rule it is not checked either, which is an assumption all the same.
    let without =
        ask(&below, std::slice::from_ref(&ca), &anchors(&[&root()]), |policy| policy.disable("revocation").unwrap());
    assert!(matches!(&without, Verdict::Good(report) if report.contains("revocation was not checked")), "{without:?}");
    let Verdict::Good(report) = asked(Prefer, WholePath, &[of_root]) else { panic!() };
    assert!(
        report.contains("  revocation of 1: not revoked, according to CRL 5 of CN=Root, 2025-12-31T00:00:00Z\n"),
        "{report}"
    );
    assert!(
        report
            .contains("assumed: CN=Leaf is not revoked; its status is unknown: no supplied CRL covers the certificate"),
        "{report}"
    );
}

/// A list of serial numbers, complete for one of two answers.
struct Filter(Option<bool>);

impl RevocationSource for Filter {
    fn status(&self, query: &tagwise_path::Query<'_>) -> Status {
        assert!(query.is_leaf && !query.is_ca);
        match self.0 {
            None => Status::Unknown { why: "the filter does not cover it".to_owned() },
            Some(true) => Status::Revoked { since: query.time, reason: None, source: "the filter".to_owned() },
            Some(false) => Status::Good { source: "the filter".to_owned() },
        }
    }
}

#[test]
fn sources() {
    let asked = |filter, lists: &[List]| {
        ask(&leaf(), &[], &anchors(&[&root()]), |policy| {
            policy.revocation.sources.push(SharedSource::new(Filter(filter)));
            lists.iter().for_each(|list| policy.revocation.evidence.add_crl(list.der()));
        })
    };
    assert!(matches!(asked(None, &[]), Verdict::Unknown(why) if why.contains("the filter does not cover it")));
    assert!(matches!(asked(Some(true), &[list()]), Verdict::Revoked(_)));
    assert!(matches!(asked(Some(false), &[]), Verdict::Good(_)));
    // Evidence that revokes counts, whatever other evidence says.
    assert!(matches!(asked(Some(false), &[list().revokes(1, &[])]), Verdict::Revoked(_)));
}

#[test]
fn no_revocation_available() {
    let without = leaf().with(extension(56, false, b"\x05\x00"));
    good(&without, &[], &[]);
    revoked(&without, &[], &[list().revokes(1, &[])], "revoked");
    // RFC 9608 §2: together with distribution points, or for a CA, it means nothing.
    unknown(
        &without.with(points(&[&[full_name(&[(URI, b"http://crl.example/")])]])),
        &[],
        &[],
        "no supplied CRL or OCSP response covers",
    );
    unknown(
        &Spec::ca("CA", "ca", "Root", "root").with(extension(56, false, b"\x05\x00")),
        &[],
        &[],
        "no supplied CRL or OCSP response covers",
    );
}
