//! Every rule of DER as a table: one encoding that obeys it, one that breaks it, and what is said about that.
//!
//! A row is checked four ways. The encoding that obeys decodes, and encodes to itself again. The one that breaks the rule is
//! refused with the row's kind and offset; still so if every leniency but the row's is allowed. If a leniency tolerates it,
//! it decodes with exactly that deviation noted at that offset, and what was decoded encodes as the row says.
//!
//! Octets are written in hexadecimal; `00*127` stands for 127 octets 00, and text in single quotes for its ASCII codes.
#![cfg(feature = "dynamic")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::collections::BTreeSet;

use tagwise_codec::{Any, Budget, Decode, Deviation, Domain, Encode, FaultKind, Options, Rule, RuleSet, SeqOf, encode};

#[path = "../agree/mod.rs"]
mod agree;
mod constructed;
mod headers;
mod primitives;
mod strings;
mod times;

/// One rule, obeyed and broken.
struct Row {
    /// Where the rule stands.
    clause: &'static str,
    /// How it is broken.
    what: &'static str,
    codec: Codec,
    /// What obeys.
    der: &'static str,
    /// What breaks it, and how that is refused.
    broken: &'static str,
    kind: FaultKind,
    at: usize,
    then: Then,
}

/// What may be tolerated.
enum Then {
    /// Nothing tolerates it.
    Never,
    /// A rule does; the value then encodes to what obeys.
    By(&'static Rule),
    /// A rule does; the value stays as it was read, and does not encode.
    KeptBy(&'static Rule),
}

/// A type's decoder and encoder.
#[derive(Clone, Copy)]
struct Codec {
    name: &'static str,
    run: fn(&Options<'_>, &[u8]) -> Outcome,
}

type Outcome = Result<Read, (FaultKind, usize)>;

struct Read {
    again: Result<Vec<u8>, FaultKind>,
    deviations: Vec<Deviation>,
}

fn run<'a, T: Decode<'a> + Encode>(options: &Options<'_>, input: &'a [u8]) -> Outcome {
    agree::agree_around::<T>(input);
    match options.decode::<T>(input) {
        Ok(read) => Ok(Read { again: encode(&read.value).map_err(|error| error.kind()), deviations: read.deviations }),
        Err(error) => Err((error.kind(), error.offset())),
    }
}

/// `codec!(T)`: reads and writes a `T`.
macro_rules! codec {
    ($ty:ty) => {
        crate::Codec { name: stringify!($ty), run: |options, input| crate::run::<$ty>(options, input) }
    };
}
pub(crate) use codec;

/// `rows! { "clause", "how it is broken": Type, "obeys", "breaks" => FaultKind at offset, then; … }`
macro_rules! rows {
    ($($clause:literal, $what:literal: $ty:ty, $der:literal, $broken:literal => $kind:ident at $at:literal, $then:expr;)*) => {
        pub(crate) const ROWS: &[crate::Row] = &[$(crate::Row {
            clause: $clause,
            what: $what,
            codec: crate::codec!($ty),
            der: $der,
            broken: $broken,
            kind: tagwise_codec::FaultKind::$kind,
            at: $at,
            then: $then,
        },)*];
    };
}
pub(crate) use rows;

fn all() -> impl Iterator<Item = &'static Row> {
    [constructed::ROWS, headers::ROWS, primitives::ROWS, strings::ROWS, times::ROWS].into_iter().flatten()
}

/// Octets from the notation of the rows.
fn octets(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for (index, part) in text.split('\'').enumerate() {
        if index % 2 == 1 {
            out.extend(part.bytes());
            continue;
        }
        for word in part.split_whitespace() {
            let (octet, count) = word.split_once('*').unwrap_or((word, "1"));
            let octet = u8::from_str_radix(octet, 16).unwrap();
            out.extend(std::iter::repeat_n(octet, count.parse().unwrap()));
        }
    }
    out
}

fn every_rule() -> RuleSet {
    Rule::ALL.iter().fold(RuleSet::NONE, |rules, rule| rules.with(rule))
}

#[test]
fn values_that_follow_each_rule_are_accepted() {
    for row in all() {
        let der = octets(row.der);
        match (row.codec.run)(&Options::der(), &der) {
            Ok(read) => {
                assert_eq!(read.again.as_ref(), Ok(&der), "{}: {} {}", row.codec.name, row.clause, row.what);
                assert_eq!(read.deviations, []);
            }
            Err(error) => panic!("{} refuses {}: {error:?} ({} {})", row.codec.name, row.der, row.clause, row.what),
        }
    }
}

#[test]
fn values_that_break_each_rule_are_rejected() {
    for row in all() {
        let broken = octets(row.broken);
        let tolerating = match row.then {
            Then::Never => None,
            Then::By(rule) | Then::KeptBy(rule) => Some(rule),
        };
        let others = tolerating.map_or(every_rule(), |rule| every_rule().without(rule));
        for (options, allowed) in [(Options::der(), "nothing"), (Options::der().rules(others), "everything else")] {
            let refused = (row.codec.run)(&options, &broken).map(|read| read.again);
            let context = (row.codec.name, row.clause, row.what, row.broken, allowed);
            assert_eq!(refused, Err((row.kind, row.at)), "{context:?}");
        }
    }
}

#[test]
fn tolerated_deviations_are_noted_and_normalized() {
    for row in all() {
        let (Then::By(rule) | Then::KeptBy(rule)) = row.then else { continue };
        let context = (row.codec.name, row.clause, row.what, row.broken);
        match (row.codec.run)(&Options::der().allow(rule), &octets(row.broken)) {
            Ok(read) => {
                assert_eq!(read.deviations, [Deviation { rule, offset: row.at }], "{context:?}");
                match row.then {
                    Then::KeptBy(_) => {
                        let refused = read.again.unwrap_err();
                        assert!(refused == FaultKind::NotEncodable || refused == row.kind, "{refused:?}, {context:?}");
                    }
                    _ => assert_eq!(read.again, Ok(octets(row.der)), "{context:?}"),
                }
            }
            Err(error) => panic!("{rule} does not help: {error:?}, {context:?}"),
        }
    }
}

/// The kinds that no row can have, and why.
const ELSEWHERE: &[(FaultKind, &str)] = &[
    (FaultKind::DepthExceeded, "a budget: `budgets_are_kept`"),
    (FaultKind::ElementsExceeded, "a budget: `budgets_are_kept`"),
    (FaultKind::InputTooLarge, "takes an input of 4 GiB: `inputs_above_4_gib_are_refused`"),
    (FaultKind::Profile, "a layer above"),
    (FaultKind::NotEncodable, "met in encoding"),
    (FaultKind::BufferTooSmall, "met in encoding"),
    (FaultKind::OutputExceeded, "met in encoding"),
    (FaultKind::IndefiniteExpected, "CER: `stream.rs`, `cer.rs`"),
    (FaultKind::SegmentSize, "CER: `stream.rs`, `cer.rs`"),
    (FaultKind::PrimitiveIndefinite, "BER: `stream.rs`, `ber.rs`"),
    (FaultKind::TooLongToHold, "a limit of streams: `stream.rs`"),
    (FaultKind::Internal, "never met"),
];

#[test]
fn every_kind_has_a_row() {
    // What is met in text before there are any octets to decode has its own tests.
    let is_text = |kind: &FaultKind| kind.clause().starts_with("RFC 7468") || kind.clause().starts_with("RFC 4648");
    let mut missing: BTreeSet<FaultKind> = FaultKind::ALL.iter().copied().filter(|kind| !is_text(kind)).collect();
    for kind in all().map(|row| row.kind).chain(ELSEWHERE.iter().map(|(kind, _)| *kind)) {
        missing.remove(&kind);
    }
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn every_rule_tolerates_a_row() {
    let tolerating = |row: &Row| match row.then {
        Then::Never => None,
        Then::By(rule) | Then::KeptBy(rule) => Some(rule),
    };
    let used: Vec<&Rule> = all().filter_map(tolerating).collect();
    // Zeros behind a value are taken off before it is decoded (`ber::unpadded`).
    let elsewhere = |rule: &&Rule| **rule == Rule::TRAILING_ZEROS;
    let missing: Vec<_> = Rule::ALL
        .iter()
        .filter(|rule| rule.domain() == Domain::Encoding && !used.contains(rule) && !elsewhere(rule))
        .collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn budgets_are_kept() {
    // [0] in [0] in …: 64 levels are allowed, and INTEGERs in them are not levels.
    let nested = |levels: usize| {
        (0..levels).fold(vec![2, 1, 5], |inside, _| {
            let mut out = vec![0xA0, 0x81, inside.len() as u8];
            if inside.len() < 0x80 {
                out.remove(1);
            }
            out.extend(inside);
            out
        })
    };
    assert!(Any::from_der(&nested(64)).is_ok());
    let error = Any::from_der(&nested(65)).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::DepthExceeded, nested(65).len() - 3));
    let shallow = Options::der().budget(Budget { depth: 1, ..Budget::DEFAULT });
    assert!(shallow.decode::<Any<'_>>(&nested(1)).is_ok());
    let error = shallow.decode::<Any<'_>>(&nested(2)).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::DepthExceeded, 4));

    let few = Options::der().budget(Budget { elements: 2, ..Budget::DEFAULT });
    assert!(few.decode::<SeqOf<'_, u8>>(&octets("30 06 02 01 01 02 01 02")).is_ok());
    let error = few.decode::<SeqOf<'_, u8>>(&octets("30 09 02 01 01 02 01 02 02 01 03")).unwrap_err();
    assert_eq!(error.kind(), FaultKind::ElementsExceeded);
}

#[test]
#[cfg(target_pointer_width = "64")]
fn inputs_above_4_gib_are_refused() {
    const LEN: usize = 1 << 32;
    if Vec::<u8>::new().try_reserve_exact(LEN).is_err() {
        tagwise_testing::skip("no 4 GiB of address space");
        return;
    }
    // Zeroes that nobody looks at take no memory, and the length alone is refused.
    let input = vec![0; LEN];
    assert_eq!(Any::from_der(&input).unwrap_err().kind(), FaultKind::InputTooLarge);
}
