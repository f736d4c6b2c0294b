//! JSON of every kind of type, as X.697 says, and back to the same DER; and what is no JSON of a type.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use tagwise_codec::value::Dynamic;
use tagwise_codec::{
    Additions, Any, BitStr, Bmp, Budget, Date, DateTime, Decode, Duration, External, GeneralizedTime, Ia5, Int,
    IsoTime, NamedBits, Null, OctetStr, Oid, OidIri, Options, Real, RelativeOid, SeqOf, SetOf, Teletex, TimeOfDay,
    Typed, Universal, Unknown, UtcTime, Utf8,
};
use tagwise_derive::Asn1;
use tagwise_jer::{from_str, to_string, to_string_pretty};

fn both_ways<T: Typed>(der: &[u8], json: &str) {
    let ty = Dynamic::of::<T>();
    let value = ty.decode(der).unwrap().value;
    assert_eq!(to_string(ty.types(), &value), json);
    for json in [json.to_owned(), to_string_pretty(ty.types(), &value)] {
        let read = from_str(&ty, &json).unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(read, value, "{json}");
        assert_eq!(ty.encode(&read).unwrap(), der, "{json}");
    }
}

fn refused<T: Typed>(json: &str) -> String {
    from_str(&Dynamic::of::<T>(), json).unwrap_err().to_string()
}

#[derive(Asn1, Debug, PartialEq)]
struct Fixed<'a> {
    #[asn1(size(12))]
    bits: BitStr<'a>,
    #[asn1(default = 5)]
    number: u8,
}

#[derive(Asn1, Debug, PartialEq)]
struct Extended<'a> {
    flag: bool,
    #[asn1(extensions)]
    extensions: Additions<'a>,
}

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
enum Colour {
    #[asn1(number = 0)]
    Red,
    #[asn1(name = "dark-blue", number = 7)]
    DarkBlue,
    #[asn1(unknown)]
    Unknown(i64),
}

#[derive(Asn1, Debug, PartialEq)]
enum Choice<'a> {
    #[asn1(implicit = 0)]
    Number(u8),
    Name(Utf8<'a>),
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

#[derive(Asn1, Debug, PartialEq)]
struct Extension<'a> {
    id: Oid<'a>,
    #[asn1(default = false)]
    critical: bool,
    #[asn1(defined_by = id, octet_string)]
    value: Value<'a>,
}

#[derive(Asn1, Debug, PartialEq)]
#[asn1(open_type)]
enum Value<'a> {
    #[asn1(oid = "2.5.29.54")]
    Inhibit(u8),
    #[asn1(oid = "2.5.29.15")]
    Usage(NamedBits<'a>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

#[derive(Asn1, Debug, PartialEq)]
struct Attribute<'a> {
    id: Oid<'a>,
    #[asn1(defined_by = id)]
    value: Value<'a>,
}

#[derive(Asn1, Debug, PartialEq)]
struct Holding<'a> {
    #[asn1(containing, bit_string)]
    number: u8,
    any: Option<Any<'a>>,
}

#[test]
fn simple_types() {
    both_ways::<bool>(&[1, 1, 0xFF], "true");
    both_ways::<Null>(&[5, 0], "null");
    both_ways::<Int<'_>>(&[2, 2, 0xFF, 0x7F], "-129");
    both_ways::<Int<'_>>(&[2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0], "18446744073709551616");
    both_ways::<Colour>(&[10, 1, 7], "\"dark-blue\"");
    both_ways::<Colour>(&[10, 1, 9], "9");
    both_ways::<BitStr<'_>>(&[3, 2, 3, 0xA0], r#"{"value":"A0","length":5}"#);
    both_ways::<BitStr<'_>>(&[3, 1, 0], r#"{"value":"","length":0}"#);
    both_ways::<NamedBits<'_>>(&[3, 2, 1, 6], r#"{"value":"06","length":7}"#);
    both_ways::<OctetStr<'_>>(&[4, 2, 0xCA, 0xFE], "\"CAFE\"");
    both_ways::<Oid<'_>>(&[6, 3, 0x55, 0x1D, 17], "\"2.5.29.17\"");
    both_ways::<RelativeOid<'_>>(&[13, 4, 0xC2, 0x7B, 3, 2], "\"8571.3.2\"");
    both_ways::<OidIri<'_>>("\x1F\x23\x05/1/é".as_bytes(), "\"/1/é\"");
}

#[test]
fn strings() {
    both_ways::<Utf8<'_>>("\x0C\x05a\"€".as_bytes(), r#""a\"€""#);
    both_ways::<Ia5<'_>>(b"\x16\x02\x00a", r#""\u0000a""#);
    both_ways::<Bmp<'_>>(&[0x1E, 4, 0, b'a', 0x20, 0xAC], "\"a€\"");
    both_ways::<Universal<'_>>(&[0x1C, 4, 0, 1, 0xF6, 0], "\"😀\"");
    both_ways::<Teletex<'_>>(b"\x14\x01a", "\"a\"");
    // What is not ASCII is nobody's text.
    both_ways::<Teletex<'_>>(b"\x14\x01\xE4", r#"{"$content":"E4"}"#);
}

#[test]
fn times() {
    both_ways::<UtcTime>(b"\x17\x0D261121100000Z", "\"261121100000Z\"");
    both_ways::<GeneralizedTime<'_>>(b"\x18\x1220261121100000.25Z", "\"20261121100000.25Z\"");
    both_ways::<Date>(b"\x1F\x1F\x0820261121", "\"2026-11-21\"");
    both_ways::<TimeOfDay>(b"\x1F\x20\x06100000", "\"10:00:00\"");
    both_ways::<DateTime>(b"\x1F\x21\x0E20261121100000", "\"2026-11-21T10:00:00\"");
    both_ways::<Duration<'_>>(b"\x1F\x22\x041Y2M", "\"P1Y2M\"");
    both_ways::<IsoTime<'_>>(b"\x0E\x0A1985-W15-5", "\"1985-W15-5\"");
    for json in ["\"2026-11-2\"", "\"20261121\"", "\"2026-13-01\"", "\"2026--1-21\""] {
        refused::<Date>(json);
    }
}

/// All 64-bit numbers have decimal digits that are read as the same number.
#[test]
fn real_numbers_survive_json() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let random = (0..20_000).map(|_| f64::from_bits(next())).filter(|float| !float.is_nan());
    // Subnormal numbers, and those beside powers of 2 and of 10.
    let small = (0..52).flat_map(|bit| [1u64 << bit, (1 << bit) + 1, (1 << bit) - 1]).map(f64::from_bits);
    let powers = (-300..=300)
        .map(|power| 10f64.powi(power))
        .flat_map(|float| [float, f64::from_bits(float.to_bits() - 1), f64::from_bits(float.to_bits() + 1)]);
    let real = Dynamic::of::<Real<'_>>();
    for float in random.chain(small).chain(powers) {
        let der = tagwise_codec::encode(&Real::from_f64(float)).unwrap();
        let json = to_string(real.types(), &real.decode(&der).unwrap().value);
        assert_eq!(real.encode(&from_str(&real, &json).unwrap()).unwrap(), der, "{json}");
    }
}

#[test]
fn real_numbers() {
    both_ways::<Real<'_>>(&[9, 3, 0x80, 0xFF, 5], "2.5");
    both_ways::<Real<'_>>(&[9, 0], "0.0");
    both_ways::<Real<'_>>(&[9, 1, 0x43], "\"-0\"");
    both_ways::<Real<'_>>(&[9, 1, 0x40], "\"INF\"");
    both_ways::<Real<'_>>(&[9, 1, 0x41], "\"-INF\"");
    both_ways::<Real<'_>>(&[9, 1, 0x42], "\"NaN\"");
    both_ways::<Real<'_>>(b"\x09\x07\x0315.E-1", r#"{"base10Value":15E-1}"#);
    both_ways::<Real<'_>>(b"\x09\x06\x03-1.E3", r#"{"base10Value":-1E3}"#);
    // 2^53 + 1 is not a float.
    both_ways::<Real<'_>>(&[9, 9, 0x80, 0, 0x20, 0, 0, 0, 0, 0, 1], "9.007199254740993E15");
    // (2^60 + 1) × 2^-60.
    let digits = "1.000000000000000000867361737988403547205962240695953369140625E0";
    both_ways::<Real<'_>>(&[9, 10, 0x80, 0xC4, 0x10, 0, 0, 0, 0, 0, 0, 1], digits);
    // 1152921504606847000 has the shortest digits of the float 2^60.
    let der = [9, 10, 0x80, 3, 2, 0, 0, 0, 0, 0, 0, 3];
    both_ways::<Real<'_>>(&der, r#"{"$content":"80030200000000000003"}"#);
    // Any way of writing a number.    // An exponent of more than 62 bits.
    both_ways::<Real<'_>>(
        b"\x09\x18\x031.E99999999999999999999",
        r#"{"$content":"03312E453939393939393939393939393939393939393939"}"#,
    );

    let real = Dynamic::of::<Real<'_>>();
    for (json, der) in [
        ("25e-1", &[9, 3, 0x80, 0xFF, 5][..]),
        (r#"{"base10Value": 1.50}"#, b"\x09\x07\x0315.E-1"),
        (r#"{"base10Value": -1000.0e0}"#, b"\x09\x06\x03-1.E3"),
        (r#"{"base10Value": 0.00}"#, &[9, 0]),
        ("0.0e-999", &[9, 0]),
        ("-0.0", &[9, 0]),
    ] {
        assert_eq!(real.encode(&from_str(&real, json).unwrap()).unwrap(), der, "{json}");
    }
    for json in [
        "1e999",
        "1e-999",
        "-0.1e-400",
        "\"1\"",
        "{}",
        "[]",
        r#"{"base10Value": "1"}"#,
        r#"{"base10Value": 1e99999999999999999999}"#,
    ] {
        refused::<Real<'_>>(json);
    }
}

#[test]
fn structures() {
    both_ways::<Fixed<'_>>(&[0x30, 8, 3, 3, 4, 0xAB, 0xC0, 2, 1, 6], r#"{"bits":"ABC0","number":6}"#);
    both_ways::<Fixed<'_>>(&[0x30, 5, 3, 3, 4, 0xAB, 0xC0], r#"{"bits":"ABC0"}"#);
    both_ways::<Extended<'_>>(&[0x30, 7, 1, 1, 0, 0x80, 0, 5, 0], r#"{"flag":false,"$additions":["8000","0500"]}"#);
    both_ways::<SeqOf<'_, SetOf<'_, u8>>>(&[0x30, 8, 0x31, 6, 2, 1, 5, 2, 1, 7], "[[5,7]]");
    both_ways::<Choice<'_>>(&[0x80, 1, 5], r#"{"number":5}"#);
    both_ways::<Choice<'_>>(&[0x0C, 1, b'x'], r#"{"name":"x"}"#);
    both_ways::<Choice<'_>>(&[0xA5, 2, 5, 0], r#"{"$der":"A5020500"}"#);
    both_ways::<Any<'_>>(&[5, 0], r#"{"$der":"0500"}"#);
    both_ways::<External<'_>>(
        &[0x28, 9, 6, 2, 0x51, 1, 0xA0, 3, 2, 1, 5],
        r#"{"direct-reference":"2.1.1","encoding":{"single-ASN1-type":{"$der":"020105"}}}"#,
    );
    both_ways::<Holding<'_>>(&[0x30, 6, 3, 4, 0, 2, 1, 5], r#"{"number":{"containing":5}}"#);
}

#[test]
fn open_types() {
    let known = [0x30, 10, 6, 3, 0x55, 0x1D, 54, 4, 3, 2, 1, 3];
    both_ways::<Extension<'_>>(&known, r#"{"id":"2.5.29.54","value":{"containing":3}}"#);
    let unknown = [0x30, 9, 6, 3, 0x55, 0x1D, 99, 4, 2, 0xCA, 0xFE];
    both_ways::<Extension<'_>>(&unknown, r#"{"id":"2.5.29.99","value":"CAFE"}"#);
    both_ways::<Attribute<'_>>(&[0x30, 8, 6, 3, 0x55, 0x1D, 54, 2, 1, 3], r#"{"id":"2.5.29.54","value":3}"#);
    both_ways::<Attribute<'_>>(&[0x30, 7, 6, 3, 0x55, 0x1D, 99, 5, 0], r#"{"id":"2.5.29.99","value":{"$der":"0500"}}"#);
    // Members come in any order.
    let extension = Dynamic::of::<Extension<'_>>();
    let read = from_str(&extension, r#"{"value":{"containing":3},"id":"2.5.29.54","critical":false}"#).unwrap();
    assert_eq!(extension.encode(&read).unwrap(), known);
    // What is selected is not written undecoded.
    refused::<Extension<'_>>(r#"{"id":"2.5.29.54","value":"05"}"#);
}

#[test]
fn errors_have_the_path_of_the_value() {
    for (said, expected) in [
        (refused::<bool>("1"), "$: expected true or false, found `1`"),
        (refused::<bool>("tru"), "$: not JSON: EOF while parsing a value at line 1 column 3"),
        (refused::<bool>("true false"), "$: not JSON: trailing characters at line 1 column 6"),
        (
            refused::<Int<'_>>("1.0"),
            "$: expected a number without fraction or exponent, and with at most 10240 digits, found `1.0`",
        ),
        (refused::<Oid<'_>>("\"1.40\""), "$: expected a string of the type, found `\"1.40\"`"),
        (refused::<OctetStr<'_>>("\"ABC\""), "$: expected pairs of hexadecimal digits, found `\"ABC\"`"),
        (refused::<SeqOf<'_, bool>>("[true, null]"), "$[1]: expected true or false, found `null`"),
        (refused::<Fixed<'_>>("{}"), "$.bits: the component is missing"),
        (refused::<Fixed<'_>>(r#"{"bits":"ABC0","x":1}"#), "$.x: the type has no such component"),
        (refused::<Fixed<'_>>(r#"{"bits":"ABC0","bits":"ABC0"}"#), "$: duplicate member `bits`"),
        (refused::<Fixed<'_>>(r#"{"bits":"ABCD"}"#), "$.bits: the unused bits are not zero"),
        (refused::<Fixed<'_>>(r#"{"bits":"AB"}"#), "$.bits: expected 12 bits, found `\"AB\"`"),
        (refused::<Fixed<'_>>(r#"{"bits":"ABC0","number":256}"#), "$.number: the value is 256; allowed 0..255"),
        (refused::<Fixed<'_>>(r#"{"bits":{"value":"AB","length":8}}"#), "$.bits: the size is 8; allowed 12"),
        (refused::<Choice<'_>>(r#"{"other":5}"#), "$.other: the CHOICE has no such alternative"),
        (
            refused::<Choice<'_>>(r#"{"number":5,"name":""}"#),
            "$: expected an object whose single member is the alternative, found `{\"number\":5,\"name\":\"\"}`",
        ),
        (refused::<Colour>("\"green\""), "$: the ENUMERATED has no item `green`"),
        (refused::<Ia5<'_>>("\"é\""), "$: expected a string of the type, found `\"é\"`"),
        (refused::<UtcTime>("\"261321100000Z\""), "$: the month is out of range"),
    ] {
        assert_eq!(said, expected);
    }
}

/// `Chosen ::= SET { value [0] CHOSEN.&Type({Choices}{@.kind}), kind [1] OBJECT IDENTIFIER }`
#[derive(Asn1, Debug, PartialEq)]
#[asn1(set)]
struct Chosen<'a> {
    #[asn1(explicit = 0, defined_by = kind)]
    value: Value<'a>,
    #[asn1(implicit = 1)]
    kind: Oid<'a>,
}

#[test]
fn the_selecting_component_may_come_last() {
    let der = [0x31, 10, 0xA0, 3, 2, 1, 3, 0x81, 3, 0x55, 0x1D, 54];
    both_ways::<Chosen<'_>>(&der, r#"{"value":3,"kind":"2.5.29.54"}"#);
}

/// `Signed ::= SEQUENCE { flag BOOLEAN, number INTEGER DEFAULT 5 }`, which is signed.
#[derive(Asn1, Debug, PartialEq)]
#[asn1(verbatim)]
struct Signed {
    flag: bool,
    #[asn1(default = 5)]
    number: u8,
}

#[test]
fn verbatim_values_keep_their_bytes() {
    let ty = Dynamic::of::<SeqOf<'_, Signed>>().options(Options::ber_definite());
    // TRUE as 01, and a DEFAULT value.
    let ber = [0x30, 13, 0x30, 6, 1, 1, 1, 2, 1, 5, 0x30, 3, 1, 1, 0xFF];
    let value = ty.decode(&ber).unwrap().value;
    let json = to_string(ty.types(), &value);
    assert_eq!(json, r#"[{"flag":true,"$verbatim":"3006010101020105"},{"flag":true}]"#);
    let read = from_str(&ty, &json).unwrap();
    assert_eq!(read, value);
    assert_eq!(ty.encode(&read).unwrap(), ber);
    // Octets of another value, of none, and where no type keeps them.
    for octets in ["3006010100020105", "3003010101FF", "0500", ""] {
        let json = format!(r#"[{{"flag":true,"$verbatim":"{octets}"}}]"#);
        let error = from_str(&ty, &json).unwrap_err().to_string();
        assert!(
            error.starts_with(
                "$[0].$verbatim: the bytes do not encode this value, or its type does not keep its encoding"
            ),
            "{error}"
        );
    }
    assert!(refused::<Fixed<'_>>(r#"{"bits":"ABC0","$verbatim":"300503030ABC00"}"#).contains("$verbatim"));
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Nested<'a> {
    inner: Option<Box<Nested<'a>>>,
    #[asn1(implicit = 0)]
    end: Option<OctetStr<'a>>,
}

#[test]
fn budgets_are_kept() {
    let nested = |levels: usize| format!("{}{}{}", "{\"inner\":".repeat(levels), "{}", "}".repeat(levels));
    let ty = Dynamic::of::<Nested<'_>>();
    assert!(from_str(&ty, &nested(60)).is_ok());
    let error = from_str(&ty, &nested(70)).unwrap_err();
    assert!(error.message.contains("nesting exceeds"), "{error}");
    // As deep as any text goes.
    from_str(&ty, &nested(100_000)).unwrap_err();
    from_str(&ty, &"[".repeat(100_000)).unwrap_err();
    let few = Options::der().budget(Budget { elements: 3, ..Budget::DEFAULT });
    let numbers = Dynamic::of::<SeqOf<'_, u8>>().options(few);
    assert!(from_str(&numbers, "[1,2,3]").is_ok());
    assert!(from_str(&numbers, "[1,2,3,4]").unwrap_err().message.contains("number of elements exceeds"));
    refused::<Int<'_>>(&"1".repeat(20_000));
    assert!(<Nested<'_> as Decode<'_>>::from_der(&[0x30, 0]).is_ok());
}
