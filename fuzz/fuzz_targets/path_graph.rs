//! Graphs of certificates with constraints, policies and evidence, built from the input: judged as the naive reading of RFC 5280 and
//! RFC 6960 judges them; then, with extensions of any octets, under every profile: no panic, every budget held, and a valid path is
//! valid alone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_path::{Anchors, Policy, Pool, Profile, RevocationMode, Rule, verify};
use tagwise_path_testing::bytes::{Bytes, hold, tight};
use tagwise_path_testing::naive::generate::{Case, Choices};
use tagwise_path_testing::{KeyIsSignature, NOW, Spec, anchors, extension, pool, root};

/// `id-ce` extensions that paths look at, and one that nobody knows.
const ARCS: &[u8] = &[14, 15, 17, 18, 19, 30, 31, 32, 33, 35, 36, 37, 46, 54, 56, 99];

fuzz_target!(|data: &[u8]| {
    let mut choices = Bytes(data);
    let case = Case::new(&mut choices, 6);
    case.check("the input");

    let mut specs: Vec<Spec> = [&case.leaf].into_iter().chain(&case.pool).map(|model| model.spec()).collect();
    for _ in 0..choices.below(4) {
        let place = choices.below(specs.len());
        let (arc, critical, len) = (choices.of(ARCS), choices.percent(50), choices.below(120));
        let changed = specs[place].clone().with(extension(arc, critical, choices.octets(len)));
        specs[place] = changed;
    }
    let (leaf, roots, certificates) = (specs[0].der(), anchors(&[&root()]), pool(&specs[1..]));
    for profile in Profile::ALL {
        let mut policy = Policy::new(profile, NOW);
        policy.other_keys = true;
        case.require(&mut policy);
        for rule in Rule::ALL.iter().filter(|rule| !rule.is_fixed()) {
            if !choices.percent(75) {
                policy.disable(rule.name()).unwrap();
            }
        }
        for budget in [None, Some(tight(&mut choices))] {
            policy.budget = budget.unwrap_or_default();
            let result = verify::path(&leaf, &certificates, &roots, &policy, &KeyIsSignature);
            hold(&result, &policy);
            let Ok(path) = result else { continue };
            let alone: Pool = path.certificates.iter().skip(1).map(|certificate| certificate.as_der()).collect();
            let only: Anchors = [path.anchor.clone()].into_iter().collect();
            // Signers of evidence need not be in the path.
            let mut again = policy.clone();
            again.revocation.mode = RevocationMode::Ignore;
            again.budget = Default::default();
            let again = verify::path(&leaf, &alone, &only, &again, &KeyIsSignature);
            assert!(again.is_ok(), "{path}\n{}", again.unwrap_err());
        }
    }
});
