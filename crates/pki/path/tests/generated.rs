//! Generated hierarchies: constraints, policies, mappings, counters and revocation at random, judged by the crate and by a second
//! implementation that is written from the standards' texts (`naive`).
//!
//! `TAGWISE_ALL=1` takes many more of them, `TAGWISE_CASES` any number, `TAGWISE_SEED` another first one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path_testing::naive::generate::{Case, Choices};

/// SplitMix64 (Steele, Lea, Flood 2014): each case has a seed of its own.
struct Random(u64);

impl Choices for Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}

#[test]
fn as_the_text_has_it() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let all = std::env::var_os("TAGWISE_ALL").is_some_and(|value| value == "1");
    let count = number("TAGWISE_CASES").unwrap_or(if all { 200_000 } else { 3_000 });
    let first = number("TAGWISE_SEED").unwrap_or(1);
    let (mut valid, mut answered, mut listed) = (0, 0, 0);
    for seed in first..first + count {
        let case = Case::new(&mut Random(seed), 8);
        if case.check(&format!("seed {seed}")) {
            valid += 1;
            answered += u64::from(!case.responses.is_empty());
            listed += u64::from(!case.crls.is_empty());
        }
    }
    println!("{count} hierarchies, {valid} of them valid, {listed} of these with CRLs, {answered} with OCSP responses");
    // Else it would say nothing.
    assert!(count < 500 || (count / 20..count * 3 / 4).contains(&valid), "{valid} of {count} are valid");
    assert!(count < 500 || listed > count / 100 && answered > count / 200, "{listed} {answered} of {count}");
}
