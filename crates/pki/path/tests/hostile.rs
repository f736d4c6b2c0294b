//! Graphs and certificates made to cost: each is linear in its size, or refused by the budget. The limits are checked
//! by counters, not by clocks; `examples/hostile.rs` prints times.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{Budget, Limit, Outcome, Rule};
use tagwise_path_testing::*;

fn exhausted(report: &tagwise_path::Report) -> Limit {
    match report.outcome() {
        Outcome::Exhausted(limit) => limit,
        Outcome::Refused => panic!("{report}"),
    }
}

/// CAs of one name, each with its own key; if `identified`, their certificates have key identifiers.
fn namesakes(count: u32, identified: bool) -> Vec<Spec> {
    let one = |number: u32| {
        let spec = Spec { serial: number, ..Spec::ca("CA", &format!("key {number}"), "Root", "root") };
        if identified { spec } else { spec.without(14) }
    };
    (0..count).map(one).collect()
}

#[test]
fn ten_thousand_namesakes_with_key_identifiers() {
    let cas = namesakes(10_000, true);
    let leaf = Spec::leaf("Leaf", "CA", "key 9999");
    let path = validate(&leaf, &cas, &anchors(&[&root()]), &policy()).unwrap();
    let spent = path.explanation.spent;
    // The right one is the first that is tried.
    assert_eq!((spent.signatures, spent.paths), (2, 1));
    assert!(spent.name_comparisons <= 10_010, "{spent:?}");
}

#[test]
fn ten_thousand_namesakes_without_key_identifiers() {
    let mut lenient = policy();
    lenient.disable("conformance").unwrap();
    let cas = namesakes(10_000, false);
    let leaf = Spec::leaf("Leaf", "CA", "key 9999");
    let report = validate(&leaf, &cas, &anchors(&[&root()]), &lenient).unwrap_err();
    assert_eq!(exhausted(&report), Limit::Signatures);
    assert_eq!(report.explanation().spent.signatures, Budget::DEFAULT.signatures + 1);
    // With the signatures to spend, one for each namesake finds it, and one more the root's.
    lenient.budget.signatures = 20_000;
    let path = validate(&leaf, &cas, &anchors(&[&root()]), &lenient).unwrap();
    assert!(path.explanation.spent.signatures <= 10_001, "{:?}", path.explanation.spent);
}

#[test]
fn ten_thousand_namesakes_with_one_key() {
    // Only the last has a root that signed it.
    let one = |number: u32| {
        let signer = if number == 9_999 { "root" } else { "other" };
        Spec { serial: number, ..Spec::ca("CA", "key", "Root", signer) }
    };
    let cas: Vec<Spec> = (0..10_000).map(one).collect();
    let leaf = Spec::leaf("Leaf", "CA", "key");
    let report = validate(&leaf, &cas, &anchors(&[&root()]), &policy()).map(|path| path.explanation.spent);
    // Each has the same key, so that the leaf's signature is checked once; each has a signature of its own.
    match report {
        Ok(spent) => assert!(spent.signatures <= 101, "{spent:?}"),
        Err(report) => assert_eq!(exhausted(&report), Limit::Signatures),
    }
}

/// Cross-certificates between all of `n` CAs, each also certified by a root of the anchor's name with another key.
fn mesh(n: usize) -> Vec<Spec> {
    let mut certificates = Vec::new();
    for subject in 0..n {
        for issuer in (0..n).filter(|issuer| *issuer != subject) {
            let (own, above) = (format!("key {subject}"), format!("key {issuer}"));
            certificates.push(Spec::ca(&format!("CA {subject}"), &own, &format!("CA {issuer}"), &above));
        }
        certificates.push(Spec::ca(&format!("CA {subject}"), &format!("key {subject}"), "Root", "not the root"));
    }
    certificates
}

#[test]
fn a_mesh_that_leads_nowhere_by_name() {
    let mut cas = mesh(30);
    let root_name = name("Root");
    cas.retain(|ca| ca.issuer != root_name);
    assert_eq!(cas.len(), 30 * 29);
    let report = validate(&Spec::leaf("Leaf", "CA 0", "key 0"), &cas, &anchors(&[&root()]), &policy()).unwrap_err();
    // Known from the names alone.
    assert_eq!(report.outcome(), Outcome::Refused);
    assert_eq!(report.refusal().unwrap().rule, Rule::NoIssuer);
    assert_eq!(report.explanation().spent.signatures, 0);
}

#[test]
fn a_mesh_that_leads_nowhere_by_signature() {
    for n in [4, 8, 16, 30] {
        let cas = mesh(n);
        let leaf = Spec::leaf("Leaf", "CA 0", "key 0");
        let mut patient = policy();
        patient.budget.signatures = 100_000;
        patient.budget.path_length = 100;
        let report = validate(&leaf, &cas, &anchors(&[&root()]), &patient).unwrap_err();
        assert_eq!(report.outcome(), Outcome::Refused, "{n}");
        let spent = report.explanation().spent;
        // Each pair once: CAs under CAs, CAs under the root, and the leaf. There are exponentially many ways through.
        let pairs = (n * n + 1) as u64;
        assert!(spent.signatures <= pairs, "{n}: {spent:?}");
        assert!(spent.name_comparisons <= 4 * pairs * n as u64, "{n}: {spent:?}");
        // By default, it is not decided.
        let report = validate(&leaf, &cas, &anchors(&[&root()]), &policy()).unwrap_err();
        assert!(matches!(report.outcome(), Outcome::Refused | Outcome::Exhausted(Limit::Signatures)), "{report}");
    }
}

#[test]
fn a_mesh_whose_every_path_breaks_a_rule() {
    // The root permits other names than the leaf's, so that every way through is a complete path and wrong.
    let n = 12;
    let mut cas = mesh(n);
    for ca in cas.iter_mut().filter(|ca| ca.issuer == name("Root")) {
        ca.signer = b"root".to_vec();
        *ca = ca.clone().with(authority_key(b"root"));
    }
    let constrained = root().with(name_constraints(&[(DNS, b"example.com")], &[]));
    let leaf = Spec::leaf("Leaf", "CA 0", "key 0");
    let mut patient = policy();
    patient.budget.signatures = 100_000;
    let report = validate(&leaf, &cas, &anchors(&[&constrained]), &patient).unwrap_err();
    assert!(matches!(exhausted(&report), Limit::Paths | Limit::NameComparisons), "{report}");
    let spent = report.explanation().spent;
    assert!(spent.paths <= Budget::DEFAULT.paths + 1, "{spent:?}");
    assert!(spent.name_comparisons <= Budget::DEFAULT.name_comparisons + 200, "{spent:?}");
    assert!(spent.signatures <= (n * n + 1) as u64, "{spent:?}");
}

#[test]
fn self_issued_intermediates_with_one_key() {
    // Each can be the issuer of each other and of the leaf. synta 0.5.1 checked over 2,000,000 signatures.
    let one = |serial| Spec { serial, ..Spec::ca("CA", "key", "CA", "key") };
    let cas: Vec<Spec> = (1..=3).map(one).collect();
    let leaf = Spec::leaf("Leaf", "CA", "key");
    let report = validate(&leaf, &cas, &anchors(&[&root()]), &policy()).unwrap_err();
    assert_eq!(report.outcome(), Outcome::Refused);
    assert_eq!(report.explanation().spent.signatures, 0);
    // The same where an anchor has the name, and another key.
    let other = Spec::ca("CA", "another key", "CA", "another key");
    let report = validate(&leaf, &cas, &anchors(&[&other]), &policy()).unwrap_err();
    assert_eq!(report.outcome(), Outcome::Refused);
    // Leaf and CAs under the anchor's key, the leaf under theirs: each pair once.
    assert_eq!(report.explanation().spent.signatures, 5, "{report}");
}

/// A chain of `n` CAs below the root, the last one over the leaf; `shape` adds to each.
fn chain(n: usize, shape: impl Fn(Spec, usize) -> Spec) -> Vec<Spec> {
    let above = |index: usize| {
        if index == 0 {
            ("Root".to_owned(), "root".to_owned())
        } else {
            (format!("CA {index}"), format!("key {index}"))
        }
    };
    (0..n)
        .map(|index| {
            let (issuer, signer) = above(index);
            let (subject, key) = above(index + 1);
            shape(Spec::ca(&subject, &key, &issuer, &signer), index)
        })
        .collect()
}

#[test]
fn sixty_four_deep_mappings() {
    // At every level both policies stand for both: a tree doubles at each, 2⁶⁴ leaves (RFC 9618 §3).
    let cas = chain(64, |ca, _| ca.with(policies(&[1, 2])).with(mappings(&[(1, 1), (1, 2), (2, 1), (2, 2)])));
    let leaf = Spec::leaf("Leaf", "CA 64", "key 64").with(policies(&[1, 2])).with(explicit_policy());
    let mut deep = policy();
    deep.budget.path_length = 100;
    deep.policies.explicit = true;
    let path = validate(&leaf, &cas, &anchors(&[&root()]), &deep).unwrap();
    let names: Vec<String> = path.policies.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(names, ["1.2.3.1", "1.2.3.2"]);
    let spent = path.explanation.spent;
    // Two nodes, four edges and four mappings a level.
    assert!(spent.policy_nodes <= 64 * 12, "{spent:?}");
    // The default is not that patient with length.
    deep.budget.path_length = Budget::DEFAULT.path_length;
    let report = validate(&leaf, &cas, &anchors(&[&root()]), &deep).unwrap_err();
    assert_eq!(exhausted(&report), Limit::PathLength);
}

#[test]
fn policies_that_all_map_to_all() {
    let all: Vec<u8> = (1..=100).collect();
    let pairs: Vec<(u8, u8)> = all.iter().flat_map(|from| all.iter().map(|to| (*from, *to))).collect();
    let cas = chain(10, |ca, _| ca.with(policies(&all)).with(mappings(&pairs)));
    let leaf = Spec::leaf("Leaf", "CA 10", "key 10").with(policies(&all));
    let report = validate(&leaf, &cas, &anchors(&[&root()]), &policy()).unwrap_err();
    assert_eq!(exhausted(&report), Limit::PolicyNodes);
    let mut patient = policy();
    patient.budget.policy_nodes = 1_000_000;
    let path = validate(&leaf, &cas, &anchors(&[&root()]), &patient).unwrap();
    // Nodes, edges and mappings: linear in what the certificates say.
    let said = 10 * (100 + 2 * 100 * 100) + 100 * 101;
    assert!(path.explanation.spent.policy_nodes <= said, "{:?}", path.explanation.spent);
}

#[test]
fn name_constraints_by_names() {
    for (count, fits) in [(100usize, true), (100_000, false)] {
        let hosts: Vec<String> = (0..count).map(|number| format!("h{number}.example.org")).collect();
        let list: Vec<(u8, &[u8])> = hosts.iter().map(|host| (DNS, host.as_bytes())).collect();
        let ca = Spec::ca("CA", "key", "Root", "root").with(name_constraints(&list, &[]));
        let leaf = Spec::leaf("Leaf", "CA", "key").with(alt_names(&list));
        let result = validate(&leaf, &[ca], &anchors(&[&root()]), &policy());
        let spent = match (&result, fits) {
            (Ok(path), true) => path.explanation.spent,
            (Err(report), false) => {
                assert_eq!(exhausted(report), Limit::ConstraintComparisons);
                report.explanation().spent
            }
            (result, _) => panic!("{count}: {result:?}"),
        };
        assert!(spent.constraint_comparisons <= Budget::DEFAULT.constraint_comparisons + count as u64, "{spent:?}");
    }
}

#[test]
fn lying_key_identifiers() {
    // Those that claim to have signed did not; the one that did claims another key.
    let mut cas: Vec<Spec> = (0..20)
        .map(|number| Spec {
            serial: number,
            ..Spec::ca("CA", &format!("liar {number}"), "Root", "root").with(subject_key(b"key"))
        })
        .collect();
    cas.push(Spec::ca("CA", "key", "Root", "root").with(subject_key(b"another")));
    let path = validate(&Spec::leaf("Leaf", "CA", "key"), &cas, &anchors(&[&root()]), &policy()).unwrap();
    assert_eq!(path.explanation.spent.signatures, 22);
}

/// Returns whether any way from a certificate to the root obeys the rules, by trying all.
fn by_trying_all(path: &mut Vec<Spec>, all: &[Spec]) -> bool {
    let top = path.last().unwrap().clone();
    if top.issuer == name("Root") && top.signer == b"root" {
        // Certificates that are not self-issued, below each and without the leaf.
        let kept = path.iter().enumerate().skip(1).all(|(index, ca)| {
            let between = path[1..index].len();
            (0..=1)
                .all(|limit| !ca.extensions.contains(&basic_constraints(Some(limit))) || between <= usize::from(limit))
        });
        if kept {
            return true;
        }
    }
    all.iter().any(|ca| {
        let fits = ca.subject == top.issuer && ca.key == top.signer && ca.not_after != "250101000000Z";
        let again = path.iter().any(|below| below.subject == ca.subject && below.key == ca.key);
        if !fits || again {
            return false;
        }
        path.push(ca.clone());
        let found = by_trying_all(path, all);
        path.pop();
        found
    })
}

#[test]
fn random_graphs_as_by_trying_all() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut patient = policy();
    patient.budget = Budget { signatures: 100_000, paths: 100_000, name_comparisons: 10_000_000, ..Budget::DEFAULT };
    let (mut valid, mut refused) = (0, 0);
    for round in 0..400 {
        let count = 4 + next(12);
        let mut all = Vec::new();
        for serial in 0..count as u32 {
            let subject = next(5);
            let issuer = (subject + 1 + next(4)) % 5;
            let key = |ca: u64, other: u64| format!("key {ca}{}", if other == 0 { "b" } else { "a" });
            let (own, above) = (key(subject, next(4)), key(issuer, next(4)));
            let (issuer, signer) = match next(8) {
                0 => ("Root".to_owned(), "root".to_owned()),
                1 => ("Root".to_owned(), "not the root".to_owned()),
                _ => (format!("CA {issuer}"), above),
            };
            let mut ca = Spec { serial, ..Spec::ca(&format!("CA {subject}"), &own, &issuer, &signer) };
            match next(6) {
                0 => ca = ca.with(basic_constraints(Some(next(2) as u8))),
                1 => ca.not_after = "250101000000Z",
                2 => ca = ca.with(subject_key(b"a lie")),
                _ => {}
            }
            all.push(ca);
        }
        let leaf = Spec::leaf("Leaf", "CA 0", "key 0a");
        let expected = by_trying_all(&mut vec![leaf.clone()], &all);
        let result = validate(&leaf, &all, &anchors(&[&root()]), &patient);
        match &result {
            Ok(_) => valid += 1,
            Err(report) => {
                assert_eq!(report.outcome(), Outcome::Refused, "{round}");
                refused += 1;
            }
        }
        assert_eq!(result.is_ok(), expected, "{round}: {all:#?}");
    }
    assert!(valid > 50 && refused > 50, "{valid} {refused}");
}
