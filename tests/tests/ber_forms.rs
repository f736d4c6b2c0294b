//! Whatever form a value comes in, its DER is the same: random values of many types in random forms of BER.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::borrow::Cow;

use proptest::prelude::*;
use tagwise_codec::table::Type;
use tagwise_codec::{Any, Decode, FaultKind, Options, Tag, Typed, ber, cer};
use tagwise_tests::forms::types::types;
use tagwise_tests::forms::{Dice, Tree, generate};

/// Each octet of content in the output has the value it has where the map says that it comes from, and the map leads back.
fn check_map(canonical: &ber::Canonical<'_>, input: &[u8]) -> Result<(), TestCaseError> {
    let der = &*canonical.bytes;
    let mut walk = vec![(0, der.len())];
    let normal = canonical.deviations.iter().map(|deviation| deviation.offset).collect::<Vec<_>>();
    while let Some((mut at, end)) = walk.pop() {
        while at < end {
            let mut reader = tagwise_codec::Reader::new(&der[at..end]).unwrap();
            let (tag, len) = reader.header().unwrap();
            let start = at + reader.position();
            at = start + len;
            if tag.is_constructed() {
                walk.push((start, at));
                continue;
            }
            // What strings contain is looked at in there.
            let bits = usize::from(der.get(start) == Some(&0));
            if let Some(inner) = (0..=bits).find(|skip| Any::from_der(&der[start + skip..at]).is_ok()) {
                walk.push((start + inner, at));
                continue;
            }
            let sources: Vec<_> = (start..at).map(|place| canonical.map.source(place)).collect();
            prop_assert!(sources.iter().all(|source| *source < input.len()));
            // What was made is where a deviation was noted, or is the count of unused bits.
            let first = usize::from(tag.same(Tag::BIT_STRING));
            for (place, source) in (start..at).zip(&sources).skip(first) {
                if input[*source] != der[place] {
                    let near = sources.iter().min().unwrap().saturating_sub(12)..sources.iter().max().unwrap() + 40;
                    prop_assert!(
                        normal.iter().any(|at| near.contains(at)),
                        "{place} from {source}: {:02X?} of {:02X?}",
                        &der[start..at],
                        input
                    );
                }
            }
        }
    }
    for source in 0..input.len() {
        let output = canonical.map.output(source);
        prop_assert!(output < der.len());
    }
    Ok(())
}

fn all_forms(tree: &Tree, ty: &'static Type, dice: &mut Dice) -> Result<(), TestCaseError> {
    let der = tree.to_der();
    let options = Options::ber_definite();
    let context = || format!("{} {der:02X?}", &*ty.name);
    let same = ber::to_der_as(ty, None, &der, &Options::der()).unwrap();
    prop_assert!(matches!(same.bytes, Cow::Borrowed(_)) && same.residue.is_empty(), "{}", context());

    for _ in 0..4 {
        let ber_form = tree.to_ber(dice);
        let canonical = ber::to_der_as(ty, None, &ber_form, &options)
            .map_err(|error| TestCaseError::fail(format!("{error} {ber_form:02X?}")))?;
        prop_assert_eq!(&*canonical.bytes, &der, "{:02X?}", ber_form);
        prop_assert_eq!(&canonical.residue, &[]);
        check_map(&canonical, &ber_form)?;
    }

    let cer_form = tree.to_cer();
    let written = cer::from_der_as(ty, None, &der, &Options::der()).unwrap();
    prop_assert_eq!(&*written.bytes, &cer_form, "{}", context());
    let back = cer::to_der_as(ty, None, &cer_form, &Options::der())
        .map_err(|error| TestCaseError::fail(format!("{error} {cer_form:02X?}")))?;
    prop_assert_eq!(&*back.bytes, &der);
    check_map(&back, &cer_form)?;
    // Of what is not CER nothing passes.
    let other = tree.to_ber(dice);
    prop_assert_eq!(cer::check_as(ty, None, &other, &Options::der()).is_ok(), other == cer_form, "{:02X?}", other);
    prop_assert_eq!(cer::check_as(ty, None, &der, &Options::der()).is_ok(), der == cer_form);
    Ok(())
}

proptest! {
    #[test]
    fn every_form_has_the_same_der(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let ty = *dice.pick(&types());
        let tree = generate(ty, &mut dice);
        all_forms(&tree, ty, &mut dice)?;
    }

    /// Without a schema: no panic, and what comes out is BER that stays as it is.
    #[test]
    fn without_a_schema_the_output_stays(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let ty = *dice.pick(&types());
        let form = generate(ty, &mut dice).to_ber(&mut dice);
        let canonical = ber::to_der_untyped(&form);
        prop_assume!(canonical.is_ok());
        let canonical = canonical.unwrap();
        let again = ber::to_der_untyped(&canonical.bytes).unwrap();
        prop_assert!(matches!(again.bytes, Cow::Borrowed(_)), "{:02X?}", canonical.bytes);
        if canonical.residue.is_empty() {
            prop_assert!(Any::ty().tag.is_none());
            check_map(&canonical, &form)?;
        }
    }

    /// Damaged forms: no panic; what is still taken is stable.
    #[test]
    fn damage_is_refused_or_stable(seed in any::<u64>(), cut in any::<u16>(), flips in 0usize..4) {
        let mut dice = Dice::new(seed);
        let ty = *dice.pick(&types());
        let mut form = generate(ty, &mut dice).to_ber(&mut dice);
        for _ in 0..flips {
            let at = dice.below(form.len());
            form[at] = dice.roll() as u8;
        }
        if cut % 3 == 0 {
            form.truncate(usize::from(cut) % (form.len() + 1));
        }
        match ber::to_der_as(ty, None, &form, &Options::ber_definite()) {
            Ok(canonical) => {
                let again = ber::to_der_as(ty, None, &canonical.bytes, &Options::ber_definite()).unwrap();
                prop_assert!(matches!(again.bytes, Cow::Borrowed(_)), "{form:02X?} {:02X?} {:02X?}", canonical.bytes, again.bytes);
            }
            Err(error) => prop_assert!(error.offset() <= form.len() && error.kind() != FaultKind::Internal, "{error} {form:02X?}"),
        }
    }
}
