//! Decoding into memory and encoding from it agree with the functions on values: in acceptance, and in the kind, offset and path of errors.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;

use tagwise_codec::table::Type;
use tagwise_codec::value::{Chosen, Dynamic, Origin, Stopped, Target, Value};
use tagwise_codec::{Options, RuleSet};
use tagwise_tables::{Schema, Source};

/// Memory: places are numbers.
#[derive(Default)]
struct Memory(Vec<Node>);

#[derive(Clone, Default)]
struct Node {
    content: Vec<u8>,
    parts: BTreeMap<usize, usize>,
    items: Option<usize>,
    unknown: Option<Vec<u8>>,
    additions: Vec<u8>,
    contained: Option<usize>,
}

impl Memory {
    fn new() -> Self {
        Self(vec![Node::default()])
    }

    fn add(&mut self) -> usize {
        self.0.push(Node::default());
        self.0.len() - 1
    }
}

impl<'a> Target<'a> for Memory {
    type Place = usize;

    fn leaf(&mut self, place: usize, _: &'a Type, content: &'a [u8]) {
        self.0[place].content = content.to_vec();
    }

    fn part(&mut self, place: usize, index: usize) -> Result<usize, Stopped> {
        let part = self.add();
        self.0[place].parts.insert(index, part);
        Ok(part)
    }

    fn items(&mut self, place: usize, count: usize) -> Result<usize, Stopped> {
        self.0[place].items = Some(count);
        Ok(place)
    }

    fn absent(&mut self, place: usize, index: usize, _: Option<&Value<'_>>) {
        self.0[place].parts.remove(&index);
    }

    fn additions(&mut self, place: usize, elements: &[&'a [u8]]) {
        self.0[place].additions = elements.concat();
    }

    fn unknown(&mut self, place: usize, element: &'a [u8]) {
        self.0[place] = Node { unknown: Some(element.to_vec()), ..Node::default() };
    }

    fn contained(&mut self, place: usize) -> Result<usize, Stopped> {
        let inner = self.add();
        self.0[place].contained = Some(inner);
        Ok(inner)
    }
}

impl<'v> Origin<'v> for &'v Memory {
    type Place = usize;

    fn leaf<'s>(&'s mut self, place: usize, _: &Type, _: &'s mut Vec<u8>) -> Result<&'s [u8], Stopped> {
        Ok(&self.0[place].content)
    }

    fn part(&mut self, place: usize, index: usize) -> Result<Option<usize>, Stopped> {
        Ok(self.0[place].parts.get(&index).copied())
    }

    fn items(&mut self, place: usize) -> Result<(usize, usize), Stopped> {
        Ok((self.0[place].items.ok_or(Stopped)?, place))
    }

    fn additions(&mut self, place: usize) -> Result<&'v [u8], Stopped> {
        Ok(&self.0[place].additions)
    }

    fn chosen(&mut self, place: usize) -> Result<Chosen<'v, usize>, Stopped> {
        let node = &self.0[place];
        match (&node.unknown, node.parts.first_key_value()) {
            (Some(unknown), _) => Ok(Chosen::Unknown(unknown)),
            (None, Some((index, part))) => Ok(Chosen::Alternative(*index, *part)),
            (None, None) => Err(Stopped),
        }
    }

    fn contained(&mut self, place: usize) -> Result<usize, Stopped> {
        self.0[place].contained.ok_or(Stopped)
    }
}

fn schema() -> Schema {
    Schema::compile([Source::new("kinds.asn1", include_str!("kinds.asn1"))]).unwrap()
}

/// The DER of a value in JSON.
fn der(ty: &Dynamic<'_>, json: &str) -> Vec<u8> {
    ty.encode(&tagwise_jer::from_str(ty, json).unwrap()).unwrap()
}

/// Holds the engine for memory to that for values, and returns whether the input is accepted.
fn agree(ty: &Dynamic<'_>, input: &[u8]) -> bool {
    let mut memory = Memory::new();
    match (ty.decode(input), ty.decode_into(input, &mut memory, 0)) {
        (Ok(read), Ok(())) => {
            // Of several violations, which a lenient reading lets through, each engine reports the one that it meets first.
            assert_eq!(ty.encode(&read.value).ok(), ty.encode_from(&mut &memory, 0).ok(), "{input:02X?}");
            true
        }
        (Err(one), Err(other)) => {
            let told = |error: &tagwise_codec::Error| (error.kind(), error.offset(), error.path().to_owned());
            assert_eq!(told(&one), told(&other), "{input:02X?}");
            false
        }
        (one, other) => panic!("{input:02X?}: {one:?}, {other:?}"),
    }
}

const VALUES: &[(&str, &str)] = &[
    ("Record", r#"{"real": 1.5, "large": 18446744073709551616, "choice": {"second": true}, "later": 7}"#),
    (
        "Record",
        r#"{"real": 0, "large": -1, "small": -129, "flags": {"value": "80", "length": 1}, "text": "abc",
            "time": "20261129120000Z", "choice": {"first": null}}"#,
    ),
    ("Versions", r#"{"first": 200}"#),
    ("Versions", r#"{"first": 1, "grouped": 2, "other": true, "single": "s", "last": "00FF"}"#),
    ("Tree", r#"{"branches": [{"leaf": "a"}, {"set": [{"leaf": "a"}, {"leaf": "bc"}]}, {"branches": []}]}"#),
    ("Tree", r#"{"wrapped": {"containing": {"bits": {"containing": {"leaf": "x"}}}}}"#),
    ("Shape", r#"{"origin": {"x": 1}, "flats": [{"x": 1}, {"x": 50}], "name": "abc"}"#),
    ("Shape", r#"{"flats": []}"#),
    ("Parcel", r#"{"head": {"unit": 2}, "values": [{"x": 1}, {"x": 2, "y": 3}]}"#),
    ("Parcel", r#"{"head": {"unit": 1, "note": null}, "values": [true], "inside": {"containing": false}}"#),
    ("Parcel", r#"{"head": {"unit": 3}, "values": [{"head": {"unit": 4}, "values": [{"x": 9}]}]}"#),
    ("Swapped", r#"{"unit": 2, "value": {"x": 7}}"#),
];

#[test]
fn engines_agree_on_every_change_of_a_bit() {
    let schema = schema();
    let mut accepted = 0;
    for (name, json) in VALUES {
        let strict = schema.ty(name).unwrap();
        let lenient = strict.options(Options::der().rules(RuleSet::ALL));
        let der = der(&strict, json);
        assert!(agree(&strict, &der), "{name} {json}");
        for at in 0..der.len() {
            agree(&strict, &der[..at]);
            for bit in 0..8 {
                let mut changed = der.clone();
                changed[at] ^= 1 << bit;
                accepted += usize::from(agree(&strict, &changed));
                agree(&lenient, &changed);
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}

/// What memory has after decoding: unknown additions, unknown alternatives, open types without a type.
#[test]
fn what_is_unknown_is_kept() {
    let schema = schema();
    let cases: [(&str, &[u8]); 5] = [
        // An unknown addition between the roots, and one in a SET.
        ("Versions", b"\x30\x0C\xA0\x03\x02\x01\x05\x8A\x00\x04\x03\x01\x02\x03"),
        ("Tree", b"\x9F\x50\x01\x00"),
        ("Parcel", b"\x30\x0C\xA0\x03\x80\x01\x09\xA1\x05\x04\x03\x01\x02\x03"),
        // What is in the string need not be an element.
        ("Parcel", b"\x30\x0B\xA0\x03\x80\x01\x09\xA1\x00\x82\x02\xFF\xFF"),
        ("Loose", b"\x30\x05\xA0\x03\x02\x01\x05"),
    ];
    for (name, input) in cases {
        assert!(agree(&schema.ty(name).unwrap(), input), "{name}: {:?}", schema.ty(name).unwrap().decode(input));
    }
}

/// The engine for memory reports the first violation, at its place.
#[test]
fn violations() {
    let schema = schema();
    let told = |name: &str, input: &[u8]| {
        let error = schema.ty(name).unwrap().decode_into(input, &mut Memory::new(), 0).unwrap_err();
        format!("{}, byte {}: {}", error.path(), error.offset(), error.code())
    };
    assert_eq!(told("Tree", b"\xA1\x08\x80\x00\x80\x00\x80\x00\x80\x00"), ", byte 0: size");
    assert_eq!(told("Shape", b"\x30\x05\xA1\x03\x30\x01\x00").split(',').next(), Some("flats[0].x"));
    assert_eq!(told("Point", b"\x30\x03\x80\x01\x65"), "x, byte 2: value");
    // More than the default depth of 64 levels.
    let mut deep = b"\x80\x00".to_vec();
    for _ in 0..40 {
        deep = [&[0xA1, 0x82, 0, 0][..], &deep].concat();
        let len = (deep.len() - 4) as u16;
        deep[2..4].copy_from_slice(&len.to_be_bytes());
    }
    let error = schema.ty("Tree").unwrap().decode_into(&deep, &mut Memory::new(), 0).unwrap_err();
    assert!(!error.code().is_empty());
}

/// Memory that refuses to be encoded, and memory whose value breaks a constraint.
#[test]
fn encoding_fails_with_the_path() {
    let schema = schema();
    let ty = schema.ty("Shape").unwrap();
    let mut memory = Memory::new();
    ty.decode_into(&der(&ty, r#"{"flats": [{"x": 1}, {"x": 50}]}"#), &mut memory, 0).unwrap();
    assert_eq!(ty.encode_from(&mut &memory, 0).unwrap(), der(&ty, r#"{"flats": [{"x": 1}, {"x": 50}]}"#));
    for node in &mut memory.0 {
        if node.content == [50] {
            node.content = vec![51];
        }
    }
    let error = ty.encode_from(&mut &memory, 0).unwrap_err();
    assert_eq!((error.kind().code(), error.path()), ("value", "flats[1].x".to_owned()));
    assert!(ty.encode_unconstrained(&mut &memory, 0).is_ok());
    memory.0[0].parts.remove(&1);
    let error = ty.encode_from(&mut &memory, 0).unwrap_err();
    assert_eq!((error.kind().code(), error.path()), ("missing", "flats".to_owned()));
}
