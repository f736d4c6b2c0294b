//! CER (X.690 §9): what is refused, and what is written.
#![cfg(feature = "ber")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::ber::Uncovered;
use tagwise_codec::table::Shape;
use tagwise_codec::{Any, BitStr, FaultKind, Int, Null, OctetStr, Options, SeqOf, SetOf, Typed, Utf8, cer, encode};
use tagwise_derive::Asn1;

fn refused<T: Typed>(input: &[u8]) -> (FaultKind, usize) {
    let error = cer::check::<T>(input).unwrap_err();
    assert_eq!(cer::to_der::<T>(input).unwrap_err(), error);
    (error.kind(), error.offset())
}

/// Both ways, and that the CER is what is expected.
fn both<T: Typed>(der: &[u8], expected: &[u8]) {
    assert_eq!(cer::from_der::<T>(der).unwrap(), expected);
    assert_eq!(cer::check::<T>(expected).unwrap(), []);
    assert_eq!(*cer::to_der::<T>(expected).unwrap().bytes, *der);
}

#[test]
fn lengths_are_indefinite_where_there_are_elements() {
    both::<SeqOf<'_, SeqOf<'_, Null>>>(&[0x30, 4, 0x30, 2, 5, 0], &[0x30, 0x80, 0x30, 0x80, 5, 0, 0, 0, 0, 0]);
    assert_eq!(refused::<SeqOf<'_, Null>>(&[0x30, 2, 5, 0]), (FaultKind::IndefiniteExpected, 1));
    assert_eq!(refused::<SeqOf<'_, Null>>(&[0x30, 0x80, 5, 0x81, 0, 0, 0]), (FaultKind::LengthNotMinimal, 3));
    assert_eq!(refused::<bool>(&[1, 1, 1]), (FaultKind::BooleanValue, 2));
    // What is written comes from DER.
    let error = cer::from_der::<SeqOf<'_, Null>>(&[0x30, 0x80, 0, 0]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::LengthIndefinite, 1));
    let error = cer::from_der::<SetOf<'_, Int<'_>>>(&[0x31, 6, 2, 1, 5, 2, 1, 4]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::SetOfOrder, 5));
    let error = cer::from_der::<OctetStr<'_>>(&[0x24, 3, 4, 1, 5]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::PrimitiveExpected, 0));
}

/// A string with a header of four octets.
fn long(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag, 0x82, (content.len() >> 8) as u8, content.len() as u8][..], content].concat()
}

#[test]
fn long_strings_come_in_segments_of_1000_octets() {
    let octets: Vec<u8> = (0..2500u32).map(|octet| octet as u8).collect();
    both::<OctetStr<'_>>(&long(4, &octets[..1000]), &long(4, &octets[..1000]));
    let thousands = [&[0x24, 0x80][..], &long(4, &octets[..1000]), &long(4, &octets[1000..2000]), &[0, 0]].concat();
    both::<OctetStr<'_>>(&long(4, &octets[..2000]), &thousands);
    // The octet that counts unused bits belongs to the content.
    let bits = [&[3][..], &octets[..1998], &[0xF8]].concat();
    let first = [&[0][..], &octets[..999]].concat();
    let second = [&[0][..], &octets[999..1998]].concat();
    let third = [3, 2, 3, 0xF8];
    both::<BitStr<'_>>(
        &long(3, &bits),
        &[&[0x23, 0x80][..], &long(3, &first), &long(3, &second), &third, &[0, 0]].concat(),
    );
    // Characters are not looked at: octets are cut.
    let text = "é".repeat(501).into_bytes();
    let segments = [&[0x2C, 0x80][..], &long(4, &text[..1000]), &[4, 2], "é".as_bytes(), &[0, 0]].concat();
    both::<Utf8<'_>>(&long(12, &text), &segments);

    assert_eq!(refused::<OctetStr<'_>>(&long(4, &octets[..1001])), (FaultKind::SegmentSize, 1));
    let short = [&[0x24, 0x80][..], &long(4, &octets[..999]), &[4, 2, 0, 0], &[0, 0]].concat();
    assert_eq!(refused::<OctetStr<'_>>(&short), (FaultKind::SegmentSize, 1006));
    let empty = [&[0x24, 0x80][..], &long(4, &octets[..1000]), &[4, 0], &[0, 0]].concat();
    assert_eq!(refused::<OctetStr<'_>>(&empty), (FaultKind::SegmentSize, 1007));
    let nested = [&[0x24, 0x80, 0x24, 0x80][..], &long(4, &octets[..1000]), &[0, 0, 4, 1, 0, 0, 0]].concat();
    assert_eq!(refused::<OctetStr<'_>>(&nested), (FaultKind::PrimitiveExpected, 2));
    assert_eq!(refused::<OctetStr<'_>>(&[0x24, 0x80, 4, 1, 0, 0, 0]), (FaultKind::SegmentSize, 2));
    let definite = [&[0x24, 0x82, 0x03, 0xEF][..], &long(4, &octets[..1000]), &[4, 1, 0]].concat();
    assert_eq!(refused::<OctetStr<'_>>(&definite), (FaultKind::IndefiniteExpected, 1));
}

/// X.690 §9.3's own example is of this kind: a SET whose untagged CHOICE may begin with [0] and does with [5].
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(set)]
struct Ordered<'a> {
    #[asn1(implicit = 3)]
    three: Int<'a>,
    choice: Either<'a>,
    number: Int<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
enum Either<'a> {
    #[asn1(implicit = 5)]
    Five(Int<'a>),
    Nested(Inner<'a>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
enum Inner<'a> {
    #[asn1(implicit = 0)]
    Zero(Int<'a>),
    #[asn1(implicit = 7)]
    Seven(Int<'a>),
}

#[test]
fn sets_are_in_the_order_of_what_their_types_may_begin_with() {
    assert!(matches!(Ordered::ty().shape, Shape::Set(_)));
    let int = |value: u8| Int::from_signed(Box::leak(Box::new([value])));
    let value = Ordered { three: int(3), choice: Either::Five(int(5)), number: int(1) };
    let der = encode(&value).unwrap();
    assert_eq!(der, [0x31, 9, 2, 1, 1, 0x83, 1, 3, 0x85, 1, 5]);
    both::<Ordered<'_>>(&der, &[0x31, 0x80, 2, 1, 1, 0x85, 1, 5, 0x83, 1, 3, 0, 0]);
    // In the order of the tags, as DER has them.
    let by_tags = [0x31, 0x80, 2, 1, 1, 0x83, 1, 3, 0x85, 1, 5, 0, 0];
    assert_eq!(refused::<Ordered<'_>>(&by_tags), (FaultKind::SetOrder, 8));
}

#[test]
fn elements_of_a_set_of_are_sorted_as_cer() {
    // In DER the shorter one comes first, for its length does; in CER both lengths are 80.
    type Sets<'a> = SetOf<'a, SeqOf<'a, Int<'a>>>;
    let der = [0x31, 13, 0x30, 3, 2, 1, 9, 0x30, 6, 2, 1, 1, 2, 1, 1];
    let first = [0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0];
    let second = [0x30, 0x80, 2, 1, 9, 0, 0];
    both::<Sets<'_>>(&der, &[&[0x31, 0x80][..], &first, &second, &[0, 0]].concat());
    let unsorted = [&[0x31, 0x80][..], &second, &first, &[0, 0]].concat();
    assert_eq!(refused::<Sets<'_>>(&unsorted), (FaultKind::SetOfOrder, 9));
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Holder<'a> {
    #[asn1(containing)]
    inner: SeqOf<'a, OctetStr<'a>>,
    #[asn1(explicit = 1, default = 7)]
    count: u8,
}

#[test]
fn encodings_in_strings_are_cer_too() {
    both::<Holder<'_>>(&[0x30, 6, 4, 4, 0x30, 2, 4, 0], &[0x30, 0x80, 4, 6, 0x30, 0x80, 4, 0, 0, 0, 0, 0]);
    // More than 1000 octets of them.
    let octets = [9; 1100];
    let inner = long(0x30, &long(4, &octets));
    let der = long(0x30, &long(4, &inner));
    let inner =
        [&[0x30, 0x80, 0x24, 0x80][..], &long(4, &octets[..1000]), &[4, 100], &octets[1000..], &[0; 4]].concat();
    let string = [&[0x24, 0x80][..], &long(4, &inner[..1000]), &[4, (inner.len() - 1000) as u8]].concat();
    let cer = [&[0x30, 0x80][..], &string, &inner[1000..], &[0; 4]].concat();
    both::<Holder<'_>>(&der, &cer);
    // A fault in there has its offset in the input.
    let mut wrong = cer.clone();
    wrong[9] = 0x30;
    wrong[10] = 0x03;
    assert_eq!(refused::<Holder<'_>>(&wrong), (FaultKind::IndefiniteExpected, 9));
    // A default value is left out here too.
    let encoded = [0x30, 0x80, 4, 6, 0x30, 0x80, 4, 0, 0, 0, 0xA1, 0x80, 2, 1, 7, 0, 0, 0, 0];
    assert_eq!(refused::<Holder<'_>>(&encoded), (FaultKind::DefaultEncoded, 10));
}

#[test]
fn without_a_schema_universal_types_are_held_to_it() {
    let options = Options::der();
    let der = [&[0xA0, 0x82, 0x03, 0xF1][..], &long(4, &[1; 1001]), &[0x81, 2, 1, 2]].concat();
    let canonical = cer::from_der_untyped(&der[..1009], &options).unwrap_err();
    assert_eq!(canonical.kind(), FaultKind::LengthOverrun);
    let canonical = cer::from_der_untyped(&der, &options).unwrap();
    assert_eq!(cer::check_untyped(&canonical.bytes, &options).unwrap(), []);
    assert_eq!(*cer::to_der_untyped(&canonical.bytes, &options).unwrap().bytes, der);
    // What is long under another tag may be a string.
    let long = long(0x80, &[1; 1001]);
    let canonical = cer::from_der_untyped(&long, &options).unwrap();
    assert_eq!(canonical.residue[0].why, Uncovered::MaybeString);
    assert!(cer::check_as(Any::ty(), None, &long, &options).is_ok());
}

/// `Defaults ::= SEQUENCE { set Preset DEFAULT { c q:TRUE, y 7 } }`
#[derive(Asn1, Debug, PartialEq)]
struct Defaults {
    #[asn1(implicit = 0, default = Preset { c: Free::Q(true), y: 7 })]
    set: Preset,
}

/// `Preset ::= SET { c CHOICE { p [0] BOOLEAN, q [5] BOOLEAN }, y [1] INTEGER }`
#[derive(Asn1, Debug, PartialEq)]
#[asn1(set)]
struct Preset {
    c: Free,
    #[asn1(implicit = 1)]
    y: u8,
}

#[derive(Asn1, Debug, PartialEq)]
enum Free {
    #[asn1(implicit = 0)]
    P(bool),
    #[asn1(implicit = 5)]
    Q(bool),
}

/// X.690 §9.3 and §11.5: a default value is compared in the order that CER has, which only its type knows.
#[test]
fn default_values_are_those_of_their_type() {
    // In CER the CHOICE stands where its smallest tag does.
    let encoded = [0x30, 0x80, 0xA0, 0x80, 0x85, 1, 0xFF, 0x81, 1, 7, 0, 0, 0, 0];
    let error = cer::check::<Defaults>(&encoded).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::DefaultEncoded, 2));
    let other = [0x30, 0x80, 0xA0, 0x80, 0x85, 1, 0xFF, 0x81, 1, 8, 0, 0, 0, 0];
    assert_eq!(cer::check::<Defaults>(&other).unwrap(), []);
    let der = cer::to_der::<Defaults>(&other).unwrap();
    assert_eq!(*der.bytes, [0x30, 8, 0xA0, 6, 0x81, 1, 8, 0x85, 1, 0xFF]);
    assert_eq!(cer::from_der::<Defaults>(&der.bytes).unwrap(), other);
}
