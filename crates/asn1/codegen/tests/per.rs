//! Generated Rust for PER beside the run-time engine: the same bytes, values and errors.
//!
//! `BLESS=1` rewrites the generated file; the test fails all the same.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

#[path = "../../tables/examples/per/boundaries.rs"]
#[allow(unreachable_pub)]
mod boundaries;
#[path = "per/gen/every.rs"]
#[rustfmt::skip]
#[allow(clippy::all, dead_code, unreachable_pub)]
mod every;

use std::fmt::Debug;
use std::path::Path;

use tagwise_codec::{Budget, Options};
use tagwise_codegen::{Builder, Output};
use tagwise_per::code::{Additions, Coder, PerType};
use tagwise_per::{Kind, Rule, Tolerance, Variant};
use tagwise_tables::{Schema, Source};

const MODULE: &str = include_str!("per/every.asn1");

fn schema() -> Schema {
    Schema::compile([Source::new("every.asn1", MODULE)]).unwrap()
}

#[test]
fn fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/per");
    let output = Builder::new().files(folder.join("every.asn1")).per("every").unwrap();
    let (path, text) = (folder.join("gen/every.rs"), &output.files[0].text);
    if std::fs::read_to_string(&path).unwrap_or_default() != *text {
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, text).unwrap();
        }
        panic!("{} is stale (BLESS=1 rewrites it)", path.display());
    }
}

/// Returns the encoding of the decoded value, or the error, as text.
fn outcome<T: PerType>(octets: &[u8], variant: Variant) -> String {
    match T::decode_per(octets, variant) {
        Ok(value) => format!("{:02X?}", value.encode_per(variant)),
        Err(error) => refusal(error),
    }
}

/// An error without the value that only the engine names.
fn refusal(error: tagwise_per::Error) -> String {
    format!("{:?}", tagwise_per::Error { limit: None, allowance: None, ..error })
}

/// Values with open types, as JSON.
fn messages(name: &str) -> &'static [&'static str] {
    match name {
        "Message" => &[
            r#"{"id": 1, "level": "one", "value": {"x": 5, "y": 6}}"#,
            r#"{"id": 2, "level": "two", "value": "tram"}"#,
            r#"{"id": 3, "level": "three", "value": {"branches": [{"leaf": "AB"}, {"added": "bus"}]}}"#,
        ],
        "Both" => &[
            r#"{"first": []}"#,
            r#"{"first": [{"id": 1, "value": {"x": 100}}, {"id": 2, "value": "car"}], "second": [{"id": 9, "value": true}]}"#,
        ],
        _ => &[],
    }
}

fn compare<T: PerType + Debug + PartialEq>(schema: &Schema, name: &str) {
    let dynamic = schema.ty(name).unwrap();
    let (mut count, mut malformed) = (0, 0);
    let mut values = boundaries::values(schema, &dynamic, true);
    // Values of open types do not follow from their types alone.
    values.extend(messages(name).iter().map(|json| tagwise_jer::from_str(&dynamic, json).unwrap()));
    for value in values {
        for variant in Variant::ALL {
            let engine = schema.per(name).unwrap().variant(variant);
            let Ok(octets) = engine.encode(&value) else { continue };
            let read = T::decode_per(&octets, variant);
            let read = read.unwrap_or_else(|error| panic!("{name} {variant} {octets:02X?}: {error}"));
            assert_eq!(read.encode_per(variant).as_ref(), Ok(&octets), "{name} {variant} {read:?}");
            count += 1;
            if octets.len() > 60 || malformed > 4000 {
                continue;
            }
            let theirs = |octets: &[u8]| match engine.decode(octets) {
                Ok(read) => format!("{:02X?}", engine.encode(&read.value)),
                Err(error) => refusal(error),
            };
            let agree = |octets: &[u8]| {
                let (own, engine) = (outcome::<T>(octets, variant), theirs(octets));
                assert_eq!(own, engine, "{name} {variant} {octets:02X?}");
            };
            for end in 0..octets.len() {
                agree(&octets[..end]);
            }
            for bit in 0..octets.len() * 8 {
                let mut flipped = octets.clone();
                flipped[bit / 8] ^= 0x80 >> (bit % 8);
                agree(&flipped);
                malformed += 1;
            }
        }
    }
    assert!(count > 5 && malformed > 20, "{name}: {count} values, {malformed} malformed inputs");
}

macro_rules! types {
    ($($test:ident: $($name:ident)*;)*) => {$(
        #[test]
        fn $test() {
            let schema = schema();
            $(compare::<every::$name>(&schema, stringify!($name));)*
        }
    )*};
}

types! {
    numbers: Numbers;
    strings: Strings;
    enumerated: Kind Closed;
    structures: Point Defaults Versions Empty Set Named Contained;
    choices: Tree;
    lists: Lists;
    object_sets: Message Both;
}

#[test]
fn unknown_additions_are_kept() {
    // Version 2 of a type with an addition.
    let octets = [0x80, 0x81, 0x00, 0x80];
    let read = every::Empty::decode_per(&octets, Variant::UNALIGNED);
    let schema = schema();
    let engine = schema.per("Empty").unwrap().decode(&octets);
    assert_eq!(read.as_ref().err().map(ToString::to_string), engine.err().map(|error| error.to_string()));
    let value = every::Empty { unknown: Additions::NONE };
    assert_eq!(value.encode_per(Variant::UNALIGNED), Ok(vec![0]));
}

#[test]
fn unknown_items_and_alternatives_are_kept() {
    // Items 0 and 1 are known additions of `Kind`.
    let octets = [0b1000_0101, 0];
    let item = every::Kind::decode_per(&octets[..1], Variant::UNALIGNED);
    assert_eq!(item, Ok(every::Kind::Unknown(5)));
    assert_eq!(item.unwrap().encode_per(Variant::UNALIGNED), Ok(vec![octets[0]]));
    assert_eq!(every::Kind::Unknown(1).encode_per(Variant::UNALIGNED).unwrap_err().kind, Kind::UnknownItem);
    let octets = [0b1000_0101, 2, 0xAB, 0xCD];
    let read = every::Tree::decode_per(&octets, Variant::UNALIGNED).unwrap();
    let every::Tree::Unknown(part) = &read else { panic!("{read:?}") };
    assert_eq!((part.number, part.octets.as_slice()), (Some(5), &[0xAB, 0xCD][..]));
    assert_eq!(read.encode_per(Variant::UNALIGNED).as_deref(), Ok(&octets[..]));
}

#[test]
fn open_types_have_contents() {
    let schema = schema();
    // An unknown alternative, and a known one.
    for octets in [[0b1000_0101, 0], [0b1000_0000, 0]] {
        let own = every::Tree::decode_per(&octets, Variant::UNALIGNED).unwrap_err();
        assert_eq!((own.bit, &own.kind), (Some(8), &Kind::EmptyOpenType));
        let engine = schema.per("Tree").unwrap().decode(&octets).unwrap_err();
        assert_eq!(own, engine);
    }
}

#[test]
fn tolerated_violations_are_listed() {
    let coder = Coder::new(Variant::UNALIGNED);
    let error = coder.decode::<every::Closed>(&[0b0100_0001]).unwrap_err();
    assert_eq!((error.bit, &error.kind), (Some(2), &Kind::Rule(Rule::PaddingZero)));
    let coder = coder.tolerating(Tolerance::NONE.allow(Rule::PaddingZero));
    let read = coder.decode::<every::Closed>(&[0b0100_0001]);
    assert_eq!(read, Ok((every::Closed::Two, vec![(Rule::PaddingZero, 2)])));
}

/// One byte of input can stand for many times as much memory.
#[test]
fn the_budget_bounds_the_memory_of_items() {
    // 20 items of 8 bits, in lists of `Point`s of less than 112 bytes.
    let lists = |values| {
        let options = Options::der().budget(Budget { values, ..Budget::DEFAULT });
        let mut octets = vec![0b0100_0100, 0b1100_0000];
        octets.resize(22, 0);
        Coder::new(Variant::UNALIGNED).options(options).decode::<every::Lists>(&octets)
    };
    assert_eq!(lists(20).unwrap().0.sized.unwrap().len(), 20);
    let error = lists(19).unwrap_err();
    assert_eq!((error.path.as_str(), &error.kind), ("sized[19]", &Kind::Elements));
}

/// Fragments of 64K items each that have no bits.
#[test]
fn the_number_of_empty_items_is_limited() {
    for (fragments, expected) in [(9, Ok(9 << 16)), (10, Err(Kind::Elements)), (1 << 15, Err(Kind::Elements))] {
        let octets = [vec![0xC4; fragments], vec![0]].concat();
        let read = every::Nulls::decode_per(&octets, Variant::UNALIGNED);
        assert_eq!(read.map(|nulls| nulls.0.len()).map_err(|error| error.kind), expected, "{fragments}");
    }
}

#[test]
fn values_outside_of_constraints_are_not_encoded() {
    let value = every::Point { x: 101, y: None };
    let error = value.encode_per(Variant::UNALIGNED).unwrap_err();
    assert_eq!(error.to_string(), "x: the value violates its constraint (X.680 §51.4)");
}

/// Generates from a module with an overlay.
fn generate(name: &str, module: &str, overlay: &str) -> (Result<Output, String>, Result<Output, String>) {
    let folder = std::env::temp_dir().join(format!("tagwise-per-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("m.asn1"), module).unwrap();
    std::fs::write(folder.join("o.toml"), overlay).unwrap();
    let builder = Builder::new().files(folder.join("m.asn1")).overlay(folder.join("o.toml"));
    let text = |output: Result<Output, tagwise_codegen::Error>| output.map_err(|error| error.to_string());
    let outputs = (text(builder.per("m")), text(builder.rust()));
    std::fs::remove_dir_all(&folder).unwrap();
    outputs
}

#[test]
fn overlays_select_types() {
    let module = "Quick DEFINITIONS ::= BEGIN A ::= SEQUENCE { b B } B ::= NULL C ::= SEQUENCE { when UTCTime } END";
    let (per, rust) = generate("select", module, "per = \"crate::per\"\n[types.A]\nrules = \"per\"\n");
    let (per, rust) = (per.unwrap(), rust.unwrap());
    let text = &per.files[0].text;
    assert!(
        text.contains("use crate::per::code::") && text.contains("pub struct A ") && text.contains("pub struct B(")
    );
    assert!(!text.contains("pub struct C"));
    let names: Vec<&str> = rust.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["quick.rs", "mod.rs", "per.rs"]);
    assert_eq!(rust.files[2].text, *text);
    assert!(
        rust.files[1].text.starts_with("/// Types for PER.\n#[rustfmt::skip]\npub mod per;\n"),
        "{}",
        rust.files[1].text
    );
}

#[test]
fn unknown_types_in_overlays_are_errors() {
    let (per, _) = generate("unknown", "Quick DEFINITIONS ::= BEGIN A ::= NULL END", "[types.B]\nrules = \"per\"\n");
    assert_eq!(per.unwrap_err(), "the overlay selects an unknown type for PER: `B`");
}

#[test]
fn without_marks_the_output_has_no_types_for_per() {
    let (_, rust) = generate("none", "Quick DEFINITIONS ::= BEGIN A ::= NULL END", "");
    assert_eq!(rust.unwrap().files.len(), 2);
}

/// The size of a contained value is not that of its decoded form, so that only what the encoding itself ensures is supported.
#[test]
fn sizes_with_gaps_of_contained_values_are_refused() {
    for string in ["OCTET", "BIT"] {
        let module = format!("M DEFINITIONS ::= BEGIN A ::= {string} STRING (SIZE (8 | 16)) (CONTAINING BOOLEAN) END");
        assert_eq!(
            generate("gaps", &module, "").0.unwrap_err(),
            "A: generated Rust for PER does not support SIZE with gaps for a string with CONTAINING; use `Schema::per` of \
             tagwise-tables"
        );
    }
}

#[test]
fn unsupported_types_are_named() {
    let error = generate("named", "M DEFINITIONS ::= BEGIN A ::= SEQUENCE { when UTCTime } END", "").0.unwrap_err();
    assert_eq!(
        error,
        "A: generated Rust for PER does not support UTCTime and GeneralizedTime; use `Schema::per` of tagwise-tables"
    );
}
