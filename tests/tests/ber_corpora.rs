//! BER, CER and DER cases of others: every expectation is met, or stands in a register with the clause that decides.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, HashMap};
use std::fs;

use serde_json::Value;
use tagwise_codec::{Additions, Any, Error, Int, Numeric, OctetStr, Options, Real, SeqOf, Typed, ber, cer};
use tagwise_codec::{BitStr, Decode, Null, Oid};
use tagwise_derive::Asn1;
use tagwise_tables::{Schema, Source};
use tagwise_tests::corpora::{contents, set};
use tagwise_tests::register::compare;

const COLUMNS: &str = "item\texpected\tactual\twhy";

fn octets(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// What came out: `ok`, or the error.
fn outcome<T>(result: &Result<T, Error>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(error) => format!("{} at {}", error.code(), error.offset()),
    }
}

fn clause<T>(result: &Result<T, Error>) -> String {
    result.as_ref().err().map(|error| format!("{}: {}", error.clause(), error.message())).unwrap_or_default()
}

/// A row, if what was expected did not come.
fn row<T>(rows: &mut BTreeMap<String, String>, item: &str, expected: &str, result: &Result<T, Error>, why: &str) {
    if expected.starts_with("ok") != result.is_ok() {
        let why = if result.is_ok() { why.to_owned() } else { clause(result) };
        rows.insert(item.to_owned(), format!("{item}\t{expected}\t{}\t{why}", outcome(result)));
    }
}

fn decoded<'i, T: Decode<'i> + Typed>(input: &'i [u8], buffer: &'i mut Option<ber::Canonical<'i>>) -> Result<T, Error> {
    // What has no DER is a value of BER all the same.
    buffer.insert(ber::to_der::<T>(input)?).decode_with(&Options::ber_definite()).map(|read| read.value)
}

#[test]
fn strozhevsky() {
    let Some(folder) = set("ber-strozhevsky") else { return };
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let cases = expected["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 48);
    let mut rows = BTreeMap::new();
    for case in cases {
        let item = text(case, "input");
        let input = fs::read(folder.join(item)).unwrap();
        assert_eq!(input, octets(text(case, "hex")));
        let mut buffer = None;
        // The value is decoded as its type.
        macro_rules! read {
            ($name:ty) => {
                decoded::<$name>(&input, &mut buffer).map(|_| ())
            };
        }
        let result = match text(case, "type") {
            "REAL" => read!(Real<'_>),
            "INTEGER" => read!(Int<'_>),
            "OBJECT_IDENTIFIER" => read!(Oid<'_>),
            "BOOLEAN" => read!(bool),
            "NULL" => read!(Null),
            "BIT_STRING" => read!(BitStr<'_>),
            "OCTET_STRING" => read!(OctetStr<'_>),
            _ => ber::to_der_untyped(&input).map(|_| ()),
        };
        let said = [text(case, "expect"), &list(&case["errors"]), &list(&case["warnings"])].join(" ");
        row(&mut rows, item, said.trim(), &result, "");
        // What their encoder makes of it is one more form of the same value.
        let again = fs::read(folder.join(text(case, "reencoded"))).unwrap_or_default();
        if result.is_ok() && !again.is_empty() {
            let (one, other) = (ber::to_der_untyped(&input), ber::to_der_untyped(&again));
            let same = one.as_ref().unwrap().bytes == other.as_ref().unwrap().bytes;
            assert!(same, "{item}: {:02X?} {:02X?}", one.unwrap().bytes, other.unwrap().bytes);
        }
    }
    compare("ber-strozhevsky", COLUMNS, &rows);
}

fn list(value: &Value) -> String {
    value
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "))
        .unwrap_or_default()
}

/// Why what pyasn1 refuses is a value after all, by what it says.
fn pyasn1_is_narrow(error: &str) -> &'static str {
    match error {
        _ if error.contains("continuation octets") => {
            "X.690 §8.19.2: an arc may take any number of octets; the limit is pyasn1's"
        }
        _ if error.contains("nesting depth") => "the depth is within the budget; the limit is pyasn1's",
        _ if error.contains("not in asn1Spec") => "the type is the caller's, which is not asked for here",
        _ => "",
    }
}

#[test]
fn pyasn1() {
    let Some(folder) = set("pyasn1-codec") else { return };
    let records: Value = serde_json::from_slice(&fs::read(folder.join("records.json")).unwrap()).unwrap();
    let records = records["records"].as_array().unwrap();
    assert_eq!(records.len(), 686);
    let mut rows = BTreeMap::new();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut values: HashMap<(String, &str, &str, u8), Vec<u8>> = HashMap::new();
    for record in records {
        let (op, codec) = (text(record, "op"), text(record, "codec"));
        let ok = record["ok"].as_bool().unwrap();
        if op == "encode" && !ok {
            // A value that pyasn1 cannot encode: there are no octets.
            assert!(record.get("hex").is_none());
            continue;
        }
        *counts.entry((op, codec)).or_default() += 1;
        let input = octets(text(record, "hex"));
        let item = format!("{op} {codec} {} {}", text(record, "test"), short(text(record, "hex")));
        let expected = if ok { "ok".to_owned() } else { text(record, "error").replace(['\n', '\t'], " ") };
        // What is left over was not looked at.
        let rest = octets(text(record, "rest"));
        let used = input.strip_suffix(&rest[..]).unwrap_or(&input);
        let options = Options::der();
        let result = match (op, codec) {
            ("encode", "CER") => cer::check_untyped(used, &options).map(|_| ()),
            // Its CER decoder takes BER.
            ("decode", "BER" | "CER") | ("encode", "BER") => ber::to_der_untyped(used).map(|_| ()),
            _ => Any::from_der(used).map(|_| ()),
        };
        row(&mut rows, &item, &expected, &result, pyasn1_is_narrow(&expected));
        if result.is_err() || op == "decode" {
            continue;
        }
        let canonical = ber::to_der_untyped(used).unwrap();
        match codec {
            "CER" => {
                let again = cer::from_der_untyped(&canonical.bytes, &options).unwrap();
                assert_eq!(*again.bytes, *used, "{item}");
            }
            "DER" => assert!(canonical.map.is_identity(), "{item}"),
            // A number that their records cannot write down may be any.
            _ if text(record, "value") == "<overflow>" => {}
            // The forms of one value under one tag have one DER.
            _ => {
                let class = text(record, "test").rsplit_once('.').unwrap().0.replace("WithSchema", "");
                let key = (class, text(record, "type"), text(record, "value"), canonical.bytes[0]);
                let der = canonical.bytes.into_owned();
                let known = values.entry(key).or_insert_with(|| der.clone());
                assert_eq!(*known, der, "{item}");
            }
        }
    }
    let counts: Vec<_> = counts.into_iter().map(|((op, codec), count)| format!("{op} {codec} {count}")).collect();
    assert_eq!(
        counts,
        ["decode BER 276", "decode CER 38", "decode DER 35", "encode BER 197", "encode CER 81", "encode DER 45"]
    );
    compare("pyasn1-codec", COLUMNS, &rows);
}

fn short(hex: &str) -> &str {
    hex.get(..48).unwrap_or(hex)
}

// The module of asn1c's test 62 (`ModuleTestANYSyntax`, IMPLICIT TAGS).

#[derive(Asn1, Debug)]
enum T<'a> {
    S1(T1<'a>),
    S2(T2<'a>),
    S3(T3<'a>),
    #[asn1(explicit = 53)]
    S4(T4<'a>),
}

#[derive(Asn1, Debug)]
#[asn1(name = "T1-ext")]
struct T1<'a> {
    i: Option<Int<'a>>,
    #[asn1(explicit = 1)]
    any: Any<'a>,
    #[asn1(extensions)]
    additions: Additions<'a>,
}

#[derive(Asn1, Debug)]
#[asn1(implicit = 16)]
struct T2<'a> {
    #[asn1(implicit = 0)]
    m1: Numeric<'a>,
    #[asn1(implicit = 1)]
    m2: bool,
    #[asn1(implicit = 3)]
    m3: SeqOf<'a, Numeric<'a>>,
    #[asn1(implicit = 4)]
    o4: Option<bool>,
    #[asn1(implicit = 5)]
    o5: Option<bool>,
    #[asn1(implicit = 6)]
    o6: Option<bool>,
}

#[derive(Asn1, Debug)]
#[asn1(set)]
struct T3<'a> {
    #[asn1(implicit = 0)]
    m1: Numeric<'a>,
    #[asn1(implicit = 1)]
    m2: bool,
}

#[derive(Asn1, Debug)]
enum T4<'a> {
    #[asn1(implicit = 1)]
    M1(OctetStr<'a>),
}

#[test]
fn asn1c() {
    let Some(folder) = set("asn1-modules/asn1c-ber-data/data-62") else { return };
    let Some(module) = set("asn1-modules/asn1c-compiler-tests/62-any-OK.asn1") else { return };
    let module = Source::from_bytes("62-any-OK.asn1", &fs::read(module).unwrap());
    let schema = Schema::compile([module]).unwrap_or_else(|error| panic!("{error}"));
    let by_schema = schema.ty("T").unwrap();
    let mut rows = BTreeMap::new();
    let mut count = 0;
    for (name, input) in tagwise_tests::corpora::files(&folder) {
        let Some(stem) = name.strip_suffix(".ber") else { continue };
        count += 1;
        // `-B` is for broken.
        let expected = if stem.ends_with("-B") { "broken" } else { "ok" };
        let mut buffer = None;
        let result = decoded::<T<'_>>(&input, &mut buffer);
        // The published module says the same as the types here.
        let table = |input| {
            let canonical = ber::to_der_as(by_schema.ty(), Some(schema.tables()), input, &Options::ber_definite())?;
            let lenient = by_schema.options(Options::ber_definite());
            lenient.decode(&canonical.bytes).map(|_| ()).map_err(|error| canonical.original(error))
        };
        assert_eq!(outcome(&table(&input)), outcome(&result), "{name}");
        row(&mut rows, &name, expected, &result, "");
    }
    assert_eq!(count, 32);
    compare("asn1c-ber-data", COLUMNS, &rows);
}

/// Files that are DER, as far as that is seen without a schema: they are unchanged, and come back from CER.
#[test]
fn der_of_any_kind_stays_as_it_is() {
    let mut counts = BTreeMap::new();
    for name in ["rfc-samples", "asn1crypto", "rustcrypto-formats", "kerberos/mit-asn1", "pyca"] {
        let Some(folder) = set(name) else { continue };
        let mut all = tagwise_tests::corpora::files(&folder);
        if name == "kerberos/mit-asn1" {
            let cases: Value = serde_json::from_slice(&all["expected.json"]).unwrap();
            let cases = cases["cases"].as_array().unwrap().iter().enumerate();
            all = cases.map(|(index, case)| (format!("case {index}"), octets(text(case, "hex")))).collect();
        }
        for (file, bytes) in all {
            for (_, der) in contents(&bytes) {
                if Any::from_der(&der).is_err() {
                    continue;
                }
                *counts.entry(name).or_insert(0) += 1;
                let canonical = ber::to_der_untyped(&der).unwrap();
                assert!(canonical.map.is_identity(), "{file}");
                let form = cer::from_der_untyped(&der, &Options::der()).unwrap();
                let back = cer::to_der_untyped(&form.bytes, &Options::der()).unwrap();
                assert_eq!(*back.bytes, der, "{file}");
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.values().all(|count| *count > 50), "{counts:?}");
}
