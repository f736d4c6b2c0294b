//! Every constraint that a table can say, in generated code and by the table: the same is accepted, with the same deviations, and the
//! rest refused with the same kind, offset and path; what is accepted goes through JSON, BER, CER and back.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../crates/asn1/codec/tests/agree/mod.rs"]
mod agree;

use proptest::prelude::*;
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Decode, Options, Typed, ber, cer};
use tagwise_tests::forms::constrained::{
    self, Bounded, Boxes, Chosen, Deferred, Figure, Hidden, Holder, Keyed, Lists, Narrow, Numbers, Point, SEEDS,
    Serial, Signed, Tagged, Words, Wrapped,
};
use tagwise_tests::forms::{Dice, generate};
use tagwise_tests::mutate::{Random, elements, mutate};

/// Under all options, and with a meaning for what is in words.
fn check<T: Decode<'static> + Typed>(octets: &'static [u8]) {
    agree::agree::<T>(octets);
    agree::agree_under::<T>(octets, "checks", &constrained::checking());
    let ty = Dynamic::of::<T>();
    let Ok(read) = ty.decode(octets) else { return };
    let json = tagwise_jer::to_string(ty.types(), &read.value);
    let back = tagwise_jer::from_str(&ty, &json).unwrap_or_else(|error| panic!("{error} in {json}"));
    assert_eq!(ty.encode(&back).as_deref(), Ok(octets), "{json}");
    // DER stays as it is, and comes back from CER.
    let same = ber::to_der_as(T::ty(), None, octets, &Options::der()).unwrap();
    assert_eq!(&*same.bytes, octets);
    let written = cer::from_der_as(T::ty(), None, octets, &Options::der()).unwrap();
    let back = cer::to_der_as(T::ty(), None, &written.bytes, &Options::der()).unwrap();
    assert_eq!(&*back.bytes, octets);
}

fn leaked(octets: Vec<u8>) -> &'static [u8] {
    octets.leak()
}

/// Everything that is one octet away from the type's own seeds, and the seeds of all others.
fn around<T: Decode<'static> + Typed>() {
    let mut taken = 0;
    for seed in SEEDS {
        check::<T>(seed);
        if T::from_der(seed).is_ok() {
            taken += 1;
            for neighbour in agree::neighbours(seed) {
                check::<T>(leaked(neighbour));
            }
        }
    }
    assert!(taken > 0, "no seed is a {}", &*T::ty().name);
}

/// Random values, most of which obey, and mutations of them.
fn random<T: Decode<'static> + Typed>(seed: u64) -> (usize, usize) {
    let (mut dice, mut random) = (Dice::new(seed), Random(seed));
    let (mut taken, mut all) = (0, 0);
    for _ in 0..3 {
        let seed = *dice.pick(SEEDS);
        let is_seed = dice.below(2) == 0 && T::from_der(seed).is_ok();
        let der = if is_seed { seed.to_vec() } else { generate(T::ty(), &mut dice).to_der() };
        let parts = elements(&der);
        for round in 0..4 {
            let octets = if round == 0 { der.clone() } else { mutate(&der, &parts, &mut random) };
            let octets = leaked(octets);
            check::<T>(octets);
            taken += usize::from(T::from_der(octets).is_ok());
            all += 1;
        }
    }
    (taken, all)
}

macro_rules! types {
    ($($name:ident: $ty:ty),* $(,)?) => {
        mod neighbours {
            use super::*;
            $(#[test] fn $name() { around::<$ty>(); })*
        }

        #[test]
        fn random_values_are_on_both_sides() {
            $({
                let (mut taken, mut all) = (0, 0);
                for seed in 0..60 {
                    let (some, of) = random::<$ty>(seed);
                    (taken, all) = (taken + some, all + of);
                }
                println!("{}: {taken} of {all}", stringify!($name));
                assert!(taken > 0 && taken < all, "{}: {taken} of {all}", stringify!($name));
            })*
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(32))]
            #[test]
            fn random_values(seed in any::<u64>()) {
                $(random::<$ty>(seed);)*
            }
        }
    };
}

types!(
    words: Words<'_>,
    point: Point<'_>,
    narrow: Narrow<'_>,
    tagged: Tagged<'_>,
    holder: Holder<'_>,
    figure: Figure<'_>,
    lists: Lists<'_>,
    boxes: Boxes<'_>,
    wrapped: Wrapped<'_>,
    hidden: Hidden<'_>,
    numbers: Numbers<'_>,
    serial: Serial<'_>,
    keyed: Keyed<'_>,
    chosen: Chosen<'_>,
    deferred: Deferred<'_>,
    signed: Signed<'_>,
    bounded: Bounded,
);

/// What fuzzing starts from is what the tests do; `BLESS=1` rewrites it.
#[test]
fn seeds_of_the_fuzzer() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/value");
    for (index, seed) in SEEDS.iter().enumerate() {
        let path = folder.join(format!("constrained-{index:02}.der"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, seed).unwrap();
        }
        assert_eq!(std::fs::read(&path).unwrap_or_default(), *seed, "{}", path.display());
    }
}
