//! Holds the derived decoder and dynamic values to each other: on an encoding, and on everything that is one octet away from it.
#![allow(missing_docs, dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use tagwise_codec::value::Dynamic;
use tagwise_codec::{Budget, Decode, Fault, Options, Rule, RuleSet};

/// What a decoder says: the deviations by name and offset, or the first fault with its path.
pub type Verdict = Result<Vec<(&'static str, usize)>, (Fault, String)>;

pub fn derived<'a, T: Decode<'a>>(input: &'a [u8], options: &Options<'_>) -> Verdict {
    match options.decode::<T>(input) {
        Ok(read) => Ok(read.deviations.iter().map(|deviation| (deviation.rule.name, deviation.offset)).collect()),
        Err(error) => Err((error.fault(), error.path().to_owned())),
    }
}

pub fn dynamic<'a, T: Decode<'a>>(input: &'a [u8], options: &Options<'a>) -> Verdict {
    match Dynamic::new(T::ty()).options(*options).decode(input) {
        Ok(read) => {
            let again = Dynamic::new(T::ty()).options(*options);
            assert_eq!(read.value, again.decode(input).unwrap().value);
            if read.deviations.is_empty() {
                assert_eq!(again.encode(&read.value).as_deref(), Ok(input), "of {:02X?}", read.value);
            } else if let Ok(der) = again.encode(&read.value) {
                // What is encoded is DER, and means the same.
                let all = options.tolerated();
                let rules = if all.union(PROFILES) == all { PROFILES } else { RuleSet::NONE };
                match Dynamic::new(T::ty()).options(Options::der().rules(rules)).decode(&der) {
                    Ok(again) => {
                        assert!(
                            again.value == read.value,
                            "{:?} {:?} {input:02X?} {der:02X?}",
                            read.deviations,
                            again.deviations
                        );
                    }
                    Err(error) => assert!(is_verbatim(T::ty()), "{input:02X?} {der:02X?} {error}"),
                }
            }
            Ok(read.deviations.iter().map(|deviation| (deviation.rule.name, deviation.offset)).collect())
        }
        Err(error) => Err((error.fault(), error.path().to_owned())),
    }
}

const PROFILES: RuleSet = RuleSet::PROFILES;

/// Whether a type may keep octets that are not DER, or a tolerated profile makes its encodings something else.
fn is_verbatim(ty: &tagwise_codec::table::Type) -> bool {
    matches!(&*ty.name, "Certificate" | "CertificateList" | "TBSCertificate" | "TBSCertList" | "Signed" | "Deferred")
}

pub fn options() -> Vec<(&'static str, Options<'static>)> {
    let all = Rule::ALL.iter().fold(Options::der(), |options, rule| options.allow(rule));
    vec![
        ("der", Options::der()),
        ("ber", Options::ber_definite()),
        ("all", all),
        ("everything", all.rules(all.tolerated().union(PROFILES))),
        ("small", Options::der().budget(Budget { depth: 2, elements: 2, ..Budget::DEFAULT })),
    ]
}

/// Holds the two to each other on one input.
pub fn agree<'a, T: Decode<'a>>(input: &'a [u8]) {
    for (name, options) in options() {
        agree_under::<T>(input, name, &options);
    }
}

/// The same under one set of options.
pub fn agree_under<'a, T: Decode<'a>>(input: &'a [u8], name: &str, options: &Options<'a>) {
    let (derived, dynamic) = (derived::<T>(input, options), dynamic::<T>(input, options));
    assert_eq!(derived, dynamic, "derived, then dynamic: {} under {name}: {input:02X?}", &*T::ty().name);
}

/// Inputs that differ from one in an octet, or in one that is missing or too much.
pub fn neighbours(der: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for at in 0..der.len() {
        let octet = der[at];
        let others =
            [0, 1, 2, 3, 4, 5, 6, 9, 10, 12, 0x1F, 0x30, 0x31, 0x7F, 0x80, 0x81, 0x82, 0xA0, 0xA1, 0xA2, 0xBF, 0xFF];
        let near = [octet.wrapping_add(1), octet.wrapping_sub(1), octet ^ 0x20, octet ^ 0x80];
        for other in others.into_iter().chain(near) {
            let mut changed = der.to_vec();
            changed[at] = other;
            all.push(changed);
        }
        all.push(der[..at].to_vec());
        let mut removed = der.to_vec();
        removed.remove(at);
        all.push(removed);
        for octet in [0, 5, 0x80, 0xFF] {
            let mut inserted = der.to_vec();
            inserted.insert(at, octet);
            all.push(inserted.clone());
            // The outermost length is made to fit.
            if at > 1 && der[1] < 0x7F {
                inserted[1] += 1;
                all.push(inserted);
            }
        }
        // An element that is left out, or comes twice.
        if at > 1 && der[1] < 0x40 && at + 1 < der.len() {
            let end = at + 2 + usize::from(der[at + 1]);
            if end <= der.len() && der[at + 1] < 0x20 {
                let mut without = der.to_vec();
                without.drain(at..end);
                without[1] = der[1].wrapping_sub((end - at) as u8);
                all.push(without);
                let mut twice = der.to_vec();
                twice.splice(at..at, der[at..end].to_vec());
                twice[1] = der[1] + (end - at) as u8;
                all.push(twice);
            }
        }
    }
    for trailing in [&[0][..], &[5, 0], &[0x30, 0x80]] {
        all.push([der, trailing].concat());
    }
    all
}

/// Holds the two to each other on an encoding and its neighbours.
pub fn agree_around<'a, T: Decode<'a>>(der: &'a [u8]) {
    agree::<T>(der);
    for neighbour in neighbours(der) {
        // `T` borrows for one lifetime: that of what tests have in their code.
        agree::<T>(Box::leak(neighbour.into_boxed_slice()));
    }
}
