//! Rust that the schema compiler wrote and tables that it makes at run time, of the same modules: random values by the tables, and
//! mutations of them, are accepted by both, with the same JSON and the same octets again, or refused alike.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use tagwise_codec::{Options, Rule, ber, cer};
use tagwise_tests::forms::{Dice, Tree, generate_in};
use tagwise_tests::generated::{CASES, Outcome, TWINS, Twin, schema};
use tagwise_tests::mutate::{Random, elements, mutate};

fn options() -> [Options<'static>; 3] {
    let all = Rule::ALL.iter().fold(Options::der(), |options, rule| options.allow(rule));
    [Options::der(), Options::ber_definite(), all]
}

fn value(twin: Twin, dice: &mut Dice) -> Tree {
    let tables = schema(twin.case).tables();
    generate_in(twin.tables().ty(), Some(tables), dice)
}

/// Random values and what they are mutated to; which outcomes there were.
fn run(twin: Twin, seed: u64, rounds: usize) -> Vec<Outcome> {
    let (mut dice, mut random) = (Dice::new(seed), Random(seed));
    let mut outcomes = Vec::new();
    for _ in 0..rounds {
        let der = value(twin, &mut dice).to_der();
        let parts = elements(&der);
        for round in 0..4 {
            let octets = if round == 0 { der.clone() } else { mutate(&der, &parts, &mut random) };
            outcomes.extend(options().map(|options| twin.hold(&octets, options)));
        }
    }
    outcomes
}

#[test]
fn every_type_has_a_twin() {
    for case in CASES {
        let named: BTreeSet<&str> = schema(case).names().iter().map(|name| &*name.name).collect();
        let twins = TWINS.iter().filter(|twin| twin.case == *case).map(|twin| twin.name);
        assert_eq!(twins.collect::<BTreeSet<_>>(), named, "{case}");
    }
}

#[test]
fn both_sides_of_the_line() {
    for twin in TWINS {
        let outcomes: Vec<Outcome> = (0..40).flat_map(|seed| run(*twin, seed, 4)).collect();
        let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
        let (taken, refused, lax) = (count(Outcome::Taken), count(Outcome::Refused), count(Outcome::Lax));
        println!("{} {}: {taken} taken, {refused} refused, {lax} lax", twin.case, twin.name);
        assert!(taken > 0 && refused > 0, "{}", twin.name);
        // What may be laxer and is not, is no exception.
        assert_eq!(lax > 0, twin.lax.is_some(), "{}", twin.name);
    }
}

/// Both sets of tables say the same of any form in BER, and of CER.
fn forms(twin: Twin, seed: u64) {
    let mut dice = Dice::new(seed);
    let tree = value(twin, &mut dice);
    let der = tree.to_der();
    let (own, at_run_time) = ((twin.table)(), twin.tables().ty());
    let schema = schema(twin.case).tables();
    for _ in 0..2 {
        let form = tree.to_ber(&mut dice);
        let options = Options::ber_definite();
        let one = ber::to_der_as(own, None, &form, &options).unwrap();
        let other = ber::to_der_as(at_run_time, Some(schema), &form, &options).unwrap();
        assert_eq!(other.bytes, der, "{} {form:02X?}", twin.name);
        assert!(other.residue.is_empty(), "{} {form:02X?}", twin.name);
        if twin.lax.is_none() {
            assert_eq!((&one.bytes, one.residue), (&other.bytes, other.residue), "{} {form:02X?}", twin.name);
            assert_eq!(one.deviations, other.deviations, "{} {form:02X?}", twin.name);
        }
    }
    let written = cer::from_der_as(at_run_time, Some(schema), &der, &Options::der()).unwrap();
    assert_eq!(*written.bytes, tree.to_cer(), "{} {der:02X?}", twin.name);
    if twin.lax.is_none() {
        assert_eq!(cer::from_der_as(own, None, &der, &Options::der()).unwrap().bytes, written.bytes, "{der:02X?}");
    }
    let back = cer::to_der_as(at_run_time, Some(schema), &written.bytes, &Options::der()).unwrap();
    assert_eq!(back.bytes, der, "{}", twin.name);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn random_values(seed in any::<u64>()) {
        for twin in TWINS {
            run(*twin, seed, 1);
        }
    }

    #[test]
    fn random_forms(seed in any::<u64>()) {
        for twin in TWINS {
            forms(*twin, seed);
        }
    }
}
