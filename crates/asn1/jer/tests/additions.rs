//! Extension additions and alternatives that are not known: read under every rule, written so that nobody takes them for something else.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use tagwise_codec::value::Dynamic;
use tagwise_codec::{Additions, Any, Null, Options, SeqOf, SetAdditions, Typed, Utf8, ber, cer};
use tagwise_derive::Asn1;
use tagwise_jer::{from_str, to_string};

#[derive(Asn1, Debug, PartialEq)]
struct Sequence<'a> {
    first: Option<bool>,
    second: Option<u8>,
    #[asn1(extensions)]
    extensions: Additions<'a>,
}

#[derive(Asn1, Debug, PartialEq)]
struct Middle<'a> {
    first: u8,
    #[asn1(extensions)]
    extensions: Additions<'a>,
    #[asn1(implicit = 0)]
    third: Option<Null>,
    #[asn1(root)]
    flag: Option<bool>,
    last: Utf8<'a>,
}

#[derive(Asn1, Debug, PartialEq)]
#[asn1(set)]
struct Set<'a> {
    flag: Option<bool>,
    #[asn1(implicit = 1)]
    number: u8,
    #[asn1(extensions)]
    extensions: SetAdditions<'a>,
}

#[derive(Asn1, Clone, Debug, PartialEq)]
enum Choice<'a> {
    #[asn1(implicit = 0)]
    Number(u8),
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

#[derive(Asn1, Debug, PartialEq)]
struct List<'a>(SeqOf<'a, Choice<'a>>);

#[derive(Asn1, Debug, PartialEq)]
enum Fixed {
    #[asn1(implicit = 0)]
    Number(u8),
    Flag(bool),
}

/// The error of a JSON text whose value cannot be written.
#[track_caller]
fn unwritten<T: Typed>(json: &str) -> String {
    from_str(&Dynamic::of::<T>(), json).map(|_| ()).unwrap_err().to_string()
}

#[track_caller]
fn written<T: Typed>(json: &str, der: &[u8]) {
    let ty = Dynamic::of::<T>();
    assert_eq!(ty.encode(&from_str(&ty, json).unwrap()).unwrap(), der, "{json}");
    assert_eq!(to_string(ty.types(), &ty.decode(der).unwrap().value), json);
}

/// X.680 §7.1, §29: a sender of a later version may choose what a receiver of an earlier one does not know.
#[test]
fn an_unknown_alternative_under_every_rule() {
    let (ty, schema) = (Choice::ty(), None);
    for (given, der) in [
        (&[0x85, 1, 7][..], &[0x85, 1, 7][..]),
        (&[0xA5, 0x80, 5, 0, 0, 0], &[0xA5, 2, 5, 0]),
        (&[0x30, 3, 1, 1, 0xFF], &[0x30, 3, 1, 1, 0xFF]),
        (&[0x02, 1, 7], &[0x02, 1, 7]),
        // It is known.
        (&[0x80, 1, 7], &[0x80, 1, 7]),
    ] {
        let canonical = ber::to_der_as(ty, schema, given, &Options::ber_definite()).unwrap();
        assert_eq!(*canonical.into_bytes(), *der);
        Dynamic::of::<Choice<'_>>().decode(der).unwrap();
        let cer = cer::from_der_as(ty, schema, der, &Options::der()).unwrap().into_bytes();
        cer::check_as(ty, schema, &cer, &Options::der()).unwrap();
        assert_eq!(*cer::to_der_as(ty, schema, &cer, &Options::der()).unwrap().into_bytes(), *der);
    }
    // Below a type, and where nothing may be added.
    for ty in [List::ty(), Fixed::ty()] {
        let is_open = ty.name.contains("List");
        let given: &[u8] = if is_open { &[0x30, 3, 0x85, 1, 7] } else { &[0x85, 1, 7] };
        assert_eq!(ber::to_der_as(ty, schema, given, &Options::ber_definite()).is_ok(), is_open);
    }
}

#[test]
fn additions_of_a_sequence_that_would_be_components() {
    written::<Sequence<'_>>(
        r#"{"first":true,"second":5,"$additions":["020107"]}"#,
        &[0x30, 9, 1, 1, 0xFF, 2, 1, 5, 2, 1, 7],
    );
    written::<Sequence<'_>>(r#"{"second":5,"$additions":["0101FF"]}"#, &[0x30, 6, 2, 1, 5, 1, 1, 0xFF]);
    written::<Sequence<'_>>(r#"{"$additions":["8500","020107"]}"#, &[0x30, 5, 0x85, 0, 2, 1, 7]);
    for (json, place) in [(r#"{"first":true,"$additions":["020107"]}"#, 0), (r#"{"$additions":["0101FF"]}"#, 0)] {
        let error = unwritten::<Sequence<'_>>(json);
        assert!(error.starts_with(&format!("$.$additions[{place}]: ")), "{error}");
    }
}

#[test]
fn additions_in_the_middle_that_would_be_components() {
    written::<Middle<'_>>(r#"{"first":5,"last":"x","$additions":["8500"]}"#, &[0x30, 8, 2, 1, 5, 0x85, 0, 12, 1, b'x']);
    for json in [
        // An addition that is known, what comes behind, and what may be absent there.
        r#"{"first":5,"$additions":["8000"],"last":"x"}"#,
        r#"{"first":5,"third":null,"$additions":["8000"],"last":"x"}"#,
        r#"{"first":5,"$additions":["8500","0C00"],"last":"x"}"#,
        r#"{"first":5,"$additions":["0101FF"],"last":"x"}"#,
    ] {
        assert!(unwritten::<Middle<'_>>(json).starts_with("$.$additions["), "{json}");
    }
}

/// X.680 §27.3: the tags in a SET are distinct.
#[test]
fn additions_of_a_set_that_would_be_components() {
    written::<Set<'_>>(r#"{"number":5,"$additions":["0500","8200"]}"#, &[0x31, 7, 5, 0, 0x81, 1, 5, 0x82, 0]);
    for (json, place) in [
        (r#"{"number":5,"$additions":["8200","8200"]}"#, 1),
        (r#"{"number":5,"$additions":["8200","A200"]}"#, 1),
        (r#"{"number":5,"$additions":["810105"]}"#, 0),
        (r#"{"number":5,"$additions":["0101FF"]}"#, 0),
    ] {
        let error = unwritten::<Set<'_>>(json);
        assert!(error.starts_with(&format!("$.$additions[{place}]: ")), "{error}");
    }
}
