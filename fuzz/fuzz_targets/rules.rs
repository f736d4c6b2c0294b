//! Any bytes under XER, PER and OER, as any type of all modules in `schemas` and of a module with every kind of type. What is
//! read under strict rules is written again: as the same bytes under canonical rules, and as the same value under others. What is read
//! with violated constraints is printed only.
//!
//! The first two bytes choose the type, and the third chooses the rules.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tagwise_codec::value::Value;
use tagwise_codec::{Budget, Options, Rule};
use tagwise_tables::{Name, Schema, Source, per, xer};

/// Numbers of IEEE 754, and times of one form and of many.
const MEASURED: &str = "Measured DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Sample ::= SEQUENCE {
  short REAL (WITH COMPONENTS { mantissa (-16777215..16777215), base (2), exponent (-149..104) }),
  long REAL (WITH COMPONENTS { mantissa (-9007199254740991..9007199254740991), base (2), exponent (-1074..971) }) OPTIONAL,
  clock TIME (SETTINGS \"Basic=Time Time=HMSF3 Local-or-UTC=LD\") OPTIONAL,
  week TIME (SETTINGS \"Basic=Date Date=YW Year=Negative\") OPTIONAL,
  span DURATION OPTIONAL,
  stay TIME (SETTINGS \"Basic=Interval Interval-type=SE SE-point=Time Time=HM Local-or-UTC=LD\") OPTIONAL,
  again TIME (SETTINGS \"Basic=Rec-Interval Interval-type=D\") OPTIONAL,
  any TIME OPTIONAL
}
END";

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let kinds = Source::new("kinds.asn1", include_str!("../../crates/asn1/tables/tests/kinds.asn1"));
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas")];
    let mut sources = vec![kinds, Source::new("measured.asn1", MEASURED)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "asn1") {
            sources.push(Source::new(&path.to_string_lossy(), &std::fs::read_to_string(&path).unwrap()));
        }
    }
    Schema::compile(sources).unwrap_or_else(|error| panic!("{error}"))
});

fn budget() -> Options<'static> {
    Options::der().budget(Budget { elements: 10_000, output: 1 << 20, ..Budget::DEFAULT })
}

/// Options that tolerate violated constraints.
fn lax() -> Options<'static> {
    budget().allow(&Rule::VALUE).allow(&Rule::SIZE)
}

fn printed(name: &str, value: &Value<'_>) {
    let Ok(ty) = SCHEMA.ty(name) else { return };
    assert!(!tagwise_jer::to_string(ty.types(), value).is_empty(), "{name}");
}

fn octets(name: &str, canonical: bool, data: &[u8]) {
    let Ok(ty) = SCHEMA.oer(name) else { return };
    let ty = ty.canonical(canonical).options(budget());
    if let Ok(read) = ty.options(lax()).decode(data) {
        printed(name, &read.value);
    }
    let Ok(read) = ty.decode(data) else { return };
    let again = ty.encode(&read.value).unwrap_or_else(|error| panic!("{error}"));
    if canonical {
        assert_eq!(again, data, "{name}");
    }
    assert_eq!(ty.decode(&again).unwrap().value, read.value, "{name}");
}

fn xml(name: &str, variant: xer::Variant, data: &[u8]) {
    let Ok(ty) = SCHEMA.xer(name) else { return };
    let ty = ty.variant(variant).options(budget());
    let all = xer::Rule::ALL.iter().fold(xer::Tolerance::NONE, |all, rule| all.allow(*rule));
    for ty in [ty, ty.tolerating(all)] {
        if let Ok(read) = ty.options(lax()).decode(data) {
            printed(name, &read.value);
        }
        let Ok(read) = ty.decode(data) else { continue };
        // Parts that have no XML: unknown types in CANONICAL-XER.
        let Ok(again) = ty.encode(&read.value) else { continue };
        let back = ty.decode(&again).unwrap_or_else(|error| panic!("{error} in {}", String::from_utf8_lossy(&again)));
        assert_eq!(back.value, read.value);
        assert_eq!(ty.encode(&back.value).as_ref(), Ok(&again));
    }
}

fn packed(name: &str, variant: per::Variant, data: &[u8]) {
    let Ok(ty) = SCHEMA.per(name) else { return };
    let ty = ty.variant(variant).options(budget());
    if let Ok(read) = ty.options(lax()).decode(data) {
        printed(name, &read.value);
    }
    let Ok(read) = ty.decode(data) else { return };
    let again = ty.encode(&read.value).unwrap_or_else(|error| panic!("{error}"));
    if variant.canonical {
        assert_eq!(again, data, "{name} {variant}");
    }
    assert_eq!(ty.decode(&again).unwrap().value, read.value, "{name} {variant}");
}

fuzz_target!(|data: &[u8]| {
    let [high, low, rules, data @ ..] = data else { return };
    let names: &[Name] = SCHEMA.names();
    let index = usize::from(u16::from_be_bytes([*high, *low])) % names.len();
    let Some(name) = names.get(index) else { return };
    let name = format!("{}.{}", name.module, name.name);
    match rules % 9 {
        0 => xml(&name, xer::Variant::Basic, data),
        1 => xml(&name, xer::Variant::Canonical, data),
        2 => xml(&name, xer::Variant::Extended, data),
        3 => packed(&name, per::Variant::UNALIGNED, data),
        4 => packed(&name, per::Variant::ALIGNED, data),
        5 => packed(&name, per::Variant::CANONICAL_UNALIGNED, data),
        6 => packed(&name, per::Variant::CANONICAL_ALIGNED, data),
        7 => octets(&name, true, data),
        _ => octets(&name, false, data),
    }
});
