//! BER to DER by the tables: each form that X.690 §8 leaves to the sender, by hand.
#![cfg(feature = "ber")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::borrow::Cow;

use tagwise_codec::ber::{self, Uncovered};
use tagwise_codec::{
    Any, BitStr, Budget, Decode, FaultKind, GeneralizedTime, Int, OctetStr, Oid, Open, OpenType, Options, Real, Rule,
    SeqOf, SetOf, Tag, Typed, UtcTime, Utf8, Visible, encode,
};
use tagwise_derive::Asn1;

fn der<T: Typed>(input: &[u8]) -> Vec<u8> {
    let canonical = ber::to_der::<T>(input).unwrap();
    assert_eq!(canonical.residue, [], "{input:02X?}");
    let again = ber::to_der::<T>(&canonical.bytes).unwrap();
    assert!(matches!(again.bytes, Cow::Borrowed(_)) && again.map.is_identity(), "{input:02X?}");
    assert!(again.deviations.is_empty(), "{input:02X?}");
    canonical.into_bytes().into_owned()
}

fn refused<T: Typed>(input: &[u8]) -> (FaultKind, usize) {
    let error = ber::to_der::<T>(input).unwrap_err();
    (error.kind(), error.offset())
}

#[test]
fn strings_are_joined_whatever_their_tag() {
    // X.690 §8.23.6: "Jones" as VisibleString, primitive, constructed, and constructed with indefinite length.
    let jones = b"\x1A\x05Jones";
    assert_eq!(der::<Visible<'_>>(b"\x3A\x09\x04\x03Jon\x04\x02es"), jones);
    assert_eq!(der::<Visible<'_>>(b"\x3A\x80\x04\x03Jon\x04\x02es\x00\x00"), jones);
    // Segments in segments.
    assert_eq!(der::<Visible<'_>>(b"\x3A\x80\x24\x80\x04\x03Jon\x04\x00\x00\x00\x24\x04\x04\x02es\x00\x00"), jones);
    // A character may be cut; what is joined must be whole.
    assert_eq!(der::<Utf8<'_>>(b"\x2C\x06\x04\x01\xC3\x04\x01\xA9"), b"\x0C\x02\xC3\xA9");
    assert_eq!(refused::<Utf8<'_>>(b"\x2C\x06\x04\x01\xC3\x04\x01\x41"), (FaultKind::Utf8Invalid, 4));
    // No segments at all.
    assert_eq!(der::<OctetStr<'_>>(&[0x24, 0x80, 0, 0]), [0x04, 0]);
    assert_eq!(der::<BitStr<'_>>(&[0x23, 0x80, 0, 0]), [0x03, 1, 0]);
    // Segments are OCTET STRINGs, not the string's own type.
    assert_eq!(refused::<Visible<'_>>(b"\x3A\x07\x1A\x05Jones"), (FaultKind::UnexpectedTag, 2));
    assert_eq!(refused::<OctetStr<'_>>(&[0x24, 2, 0x80, 0]), (FaultKind::UnexpectedTag, 2));
    // What is no string has one form.
    assert_eq!(refused::<Int<'_>>(&[0x22, 3, 2, 1, 5]), (FaultKind::PrimitiveExpected, 0));
    assert_eq!(refused::<OctetStr<'_>>(&[0x04, 0x80, 0, 0]), (FaultKind::PrimitiveIndefinite, 1));
}

#[test]
fn bits_are_joined_with_the_last_segments_unused_bits() {
    // X.690 §8.6.4.2 and §8.6.4: 44 bits in two segments.
    let bits = [0x03, 7, 4, 0x0A, 0x3B, 0x5F, 0x29, 0x1C, 0xD0];
    assert_eq!(der::<BitStr<'_>>(&[0x23, 0x80, 3, 3, 0, 0x0A, 0x3B, 3, 5, 4, 0x5F, 0x29, 0x1C, 0xD0, 0, 0]), bits);
    // Unused bits before the last segment.
    assert_eq!(
        refused::<BitStr<'_>>(&[0x23, 0x80, 3, 2, 4, 0xA0, 3, 2, 4, 0xA0, 0, 0]),
        (FaultKind::BitStringUnused, 4)
    );
    assert_eq!(refused::<BitStr<'_>>(&[0x23, 0x80, 3, 0, 0, 0]), (FaultKind::BitStringEmpty, 4));
    // The unused bits of the last segment are cleared.
    let canonical = ber::to_der::<BitStr<'_>>(&[0x23, 0x80, 3, 2, 0, 0xFF, 3, 2, 4, 0xFF, 0, 0]).unwrap();
    assert_eq!(*canonical.bytes, [0x03, 3, 4, 0xFF, 0xF0]);
    assert_eq!((canonical.deviations[0].rule, canonical.deviations[0].offset), (&Rule::UNUSED_BITS, 9));
}

#[test]
fn primitive_values_get_their_one_form() {
    assert_eq!(der::<Real<'_>>(&[0x09, 3, 0x80, 0, 2]), [0x09, 3, 0x80, 1, 1]);
    assert_eq!(der::<UtcTime>(b"\x17\x0B9912312359Z"), b"\x17\x0D991231235900Z");
    assert_eq!(
        der::<GeneralizedTime<'_>>(b"\x38\x80\x04\x0E19991231235900\x04\x04.50Z\x00\x00"),
        b"\x18\x1119991231235900.5Z"
    );
    // A local time is no UTC, and says nothing of what would be.
    let local = ber::to_der::<GeneralizedTime<'_>>(b"\x18\x0E19991231235900").unwrap();
    assert_eq!(local.residue[0].why, Uncovered::Formless);
    // BER wants the shortest INTEGER too.
    assert_eq!(refused::<Int<'_>>(&[2, 2, 0, 5]), (FaultKind::IntegerPadded, 2));
    let padded = Options::ber_definite().allow(&Rule::INTEGER_PADDED);
    assert_eq!(*ber::to_der_with::<Int<'_>>(&[2, 2, 0, 5], &padded).unwrap().bytes, [2, 1, 5]);
}

/// `Flags ::= BIT STRING { first(0), second(1) }` as a component; a SET with a CHOICE; a DEFAULT.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(set)]
struct Mixed<'a> {
    #[asn1(implicit = 1)]
    secret: OctetStr<'a>,
    #[asn1(explicit = 0, default = 5)]
    count: u8,
    name: Option<Utf8<'a>>,
    list: SetOf<'a, OctetStr<'a>>,
}

/// Whether `Mixed` is a value that was read.
fn mixed() -> Vec<u8> {
    // SET { "Hi", SET OF { AA, BB CC }, [1] 00 01 }
    vec![0x31, 17, 0x0C, 2, b'H', b'i', 0x31, 7, 4, 1, 0xAA, 4, 2, 0xBB, 0xCC, 0x81, 2, 0, 1]
}

#[test]
fn components_are_sorted_and_defaults_left_out() {
    let der_form = mixed();
    assert_eq!(encode(&Mixed::from_der(&der_form).unwrap()).unwrap(), der_form);
    // [1] in two segments, SET OF { BB CC in segments, AA }, [0] EXPLICIT 5, "Hi": all of indefinite length.
    #[rustfmt::skip]
    let input = [
        0x31, 0x80,
            0xA1, 0x80, 4, 1, 0, 4, 1, 1, 0, 0,
            0x31, 0x80, 0x24, 0x80, 4, 1, 0xBB, 4, 1, 0xCC, 0, 0, 4, 1, 0xAA, 0, 0,
            0xA0, 0x80, 2, 1, 5, 0, 0,
            0x2C, 0x80, 4, 1, b'H', 4, 1, b'i', 0, 0,
        0, 0,
    ];
    let canonical = ber::to_der::<Mixed<'_>>(&input).unwrap();
    assert_eq!(*canonical.bytes, der_form);
    assert_eq!(canonical.decode::<Mixed<'_>>().unwrap().count, 5);
    let noted: Vec<_> = canonical.deviations.iter().map(|noted| (noted.rule.name, noted.offset)).collect();
    assert_eq!(noted, [("set-of-order", 24), ("default-encoded", 29)]);
    // Every octet of content is where the map says, both ways.
    let map = &canonical.map;
    for (at, octet) in [(4, b'H'), (5, b'i'), (10, 0xAA), (13, 0xBB), (14, 0xCC), (17, 0), (18, 1)] {
        assert_eq!((canonical.bytes[at], input[map.source(at)]), (octet, octet), "{at}");
        assert_eq!(map.output(map.source(at)), at);
    }
    assert_eq!([2, 6, 8, 15].map(|at| map.source(at)), [36, 12, 24, 2]);
    // With Options::der() what has a definite length must be DER.
    let error = ber::to_der_with::<Mixed<'_>>(&input, &Options::der()).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::DefaultEncoded, 29, "count"));
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Attribute<'a> {
    id: Oid<'a>,
    #[asn1(defined_by = id)]
    value: Open<'a, Values<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "ValueSet")]
enum Values<'a> {
    #[asn1(oid = "1.2.3")]
    Text(Tagged<'a>),
    #[asn1(unknown)]
    Unknown(tagwise_codec::Unknown<'a>),
}

/// `[7] IMPLICIT UTF8String`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 7)]
struct Tagged<'a>(Utf8<'a>);

#[test]
fn open_types_are_known_by_their_object_sets() {
    assert!(Values::knows(&[0x2A, 3]));
    let input = [0x30, 0x80, 6, 2, 0x2A, 3, 0xA7, 0x80, 4, 1, b'H', 4, 1, b'i', 0, 0, 0, 0];
    assert_eq!(der::<Attribute<'_>>(&input), [0x30, 8, 6, 2, 0x2A, 3, 0x87, 2, b'H', b'i']);
    // Nothing is known of 1.2.4: a constructed element it stays.
    let mut unknown = input;
    unknown[5] = 4;
    let canonical = ber::to_der::<Attribute<'_>>(&unknown).unwrap();
    assert_eq!(*canonical.bytes, [0x30, 12, 6, 2, 0x2A, 4, 0xA7, 6, 4, 1, b'H', 4, 1, b'i']);
    let residue = canonical.residue[0];
    assert_eq!((residue.offset, residue.tag, residue.why), (6, Tag::context(7).constructed(), Uncovered::Unknown));
}

/// `CHOICE { number [0] INTEGER, ... }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
enum Later<'a> {
    #[asn1(implicit = 0)]
    Number(Int<'a>),
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// The same without a marker.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
enum Fixed<'a> {
    #[asn1(implicit = 0)]
    Number(Int<'a>),
}

/// X.680 §29, §7.1: a later version may send an alternative that this one does not know, at the outermost level, too.
#[test]
fn unknown_alternatives_may_be_outermost() {
    let options = Options::ber_definite();
    for (input, der) in [
        (&[0x85, 1, 5][..], &[0x85, 1, 5][..]),
        (&[0x85, 0x81, 1, 5], &[0x85, 1, 5]),
        (&[0xA5, 0x80, 2, 1, 5, 0, 0], &[0xA5, 3, 2, 1, 5]),
        (&[0xA5, 4, 2, 0x81, 1, 5], &[0xA5, 3, 2, 1, 5]),
        (&[2, 0x81, 1, 5], &[2, 1, 5]),
    ] {
        let canonical = ber::to_der_with::<Later<'_>>(input, &options).unwrap();
        assert_eq!(*canonical.bytes, *der, "{input:02X?}");
        let value: Later<'_> = canonical.decode().unwrap();
        assert_eq!(value, Later::Unknown(Any::from_der(der).unwrap()));
        assert_eq!(refused::<Fixed<'_>>(input), (FaultKind::UnexpectedTag, 0));
    }
    assert_eq!(refused::<Later<'_>>(&[0x85, 1, 5, 0]), (FaultKind::TrailingData, 3));
    assert_eq!(refused::<Later<'_>>(&[]).0, FaultKind::Missing);
    assert_eq!(der::<Later<'_>>(&[0x80, 0x81, 1, 5]), [0x80, 1, 5]);
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(verbatim)]
struct Signed<'a> {
    number: Int<'a>,
    text: OctetStr<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Envelope<'a> {
    signed: tagwise_codec::Captured<'a, Signed<'a>>,
    signature: BitStr<'a>,
}

#[test]
fn verbatim_types_keep_their_octets() {
    let signed = [0x30, 0x80, 2, 1, 5, 0x24, 0x80, 4, 1, 7, 0, 0, 0, 0];
    let input = [&[0x30, 0x80][..], &signed, &[0x23, 0x80, 3, 2, 0, 9, 0, 0, 0, 0]].concat();
    let canonical = ber::to_der::<Envelope<'_>>(&input).unwrap();
    assert_eq!(*canonical.bytes, [&[0x30, 18][..], &signed, &[3, 2, 0, 9]].concat());
    assert_eq!((canonical.residue[0].offset, canonical.residue[0].why), (2, Uncovered::Verbatim));
    // The strict decoder says so too, and where.
    let error = canonical.decode::<Envelope<'_>>().unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::LengthIndefinite, 3, "signed"));
    // What is DER in there is no residue, whatever is around it.
    let input = [0x30, 0x80, 0x30, 6, 2, 1, 5, 4, 1, 7, 0x23, 0x80, 3, 2, 0, 9, 0, 0, 0, 0];
    assert_eq!(der::<Envelope<'_>>(&input), [0x30, 12, 0x30, 6, 2, 1, 5, 4, 1, 7, 3, 2, 0, 9]);
}

#[test]
fn later_errors_have_the_inputs_offsets_and_the_path() {
    // The second component is missing, then of the wrong type.
    let input = [0x30, 0x80, 0x30, 6, 2, 1, 5, 4, 1, 7, 0, 0];
    let error = ber::to_der::<Envelope<'_>>(&input).unwrap().decode::<Envelope<'_>>().unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::Missing, 10, "signature"));
    let input = [0x30, 0x80, 0x30, 6, 2, 1, 5, 4, 1, 7, 0x24, 0x80, 4, 1, 9, 0, 0, 0, 0];
    let error = ber::to_der::<Envelope<'_>>(&input).unwrap().decode::<Envelope<'_>>().unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::UnexpectedTag, 10, "signature"));
}

#[test]
fn structure_that_is_not_ber_is_refused() {
    type List<'a> = SeqOf<'a, OctetStr<'a>>;
    for (input, kind, at) in [
        (&[0x30, 0x80, 4, 1, 0][..], FaultKind::Truncated, 5),
        (&[0x30, 0x80, 4, 2, 0], FaultKind::LengthOverrun, 3),
        (&[0x30, 0x80, 0, 1, 0], FaultKind::EndOfContents, 2),
        (&[0x30, 2, 0, 0], FaultKind::EndOfContents, 2),
        (&[0x30, 0xFF], FaultKind::LengthReserved, 1),
        (&[0x30, 0x80, 0, 0, 5], FaultKind::TrailingData, 4),
        (&[0x30, 4, 0x24, 0x80, 0, 0, 0], FaultKind::TrailingData, 6),
        (&[0x30, 4, 0x24, 0x80, 4, 0, 0, 0], FaultKind::Truncated, 6),
        (&[0x31, 0], FaultKind::UnexpectedTag, 0),
        (&[0x10, 0], FaultKind::ConstructedExpected, 0),
        (&[], FaultKind::Missing, 0),
    ] {
        assert_eq!(refused::<List<'_>>(input), (kind, at), "{input:02X?}");
    }
    let error = ber::to_der::<List<'_>>(&[0x31, 0]).unwrap_err();
    assert_eq!(error.to_string(), "expected SEQUENCE, found SET, at byte 0 (X.690 §8.1.2)");
}

#[test]
fn budgets_hold() {
    let deep = [&[0x24, 0x80].repeat(70)[..], &[0; 140]].concat();
    assert_eq!(refused::<OctetStr<'_>>(&deep), (FaultKind::DepthExceeded, 130));
    let small = |budget| Options::ber_definite().budget(budget);
    let elements = Budget { elements: 3, ..Budget::DEFAULT };
    let input = [0x24, 0x80, 4, 1, 1, 4, 1, 2, 4, 1, 3, 0, 0];
    let error = ber::to_der_with::<OctetStr<'_>>(&input, &small(elements)).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::ElementsExceeded, 8));
    let output = Budget { output: 4, ..Budget::DEFAULT };
    let error = ber::to_der_with::<OctetStr<'_>>(&input, &small(output)).unwrap_err();
    assert_eq!(error.kind(), FaultKind::OutputExceeded);
}

#[test]
fn without_a_schema_the_rest_is_listed() {
    // SEQUENCE { [0] { OCTET STRING, OCTET STRING }, [1] { INTEGER }, SET { 2, 1 }, EXTERNAL { OID, [1] in segments } }
    #[rustfmt::skip]
    let input = [
        0x30, 0x80,
            0xA0, 0x80, 4, 1, 1, 4, 1, 2, 0, 0,
            0xA1, 0x80, 2, 1, 5, 0, 0,
            0x31, 6, 2, 1, 2, 2, 1, 1,
            0x28, 0x80, 6, 1, 0x2A, 0xA1, 0x80, 4, 1, 1, 4, 1, 2, 0, 0, 0, 0,
        0, 0,
    ];
    let canonical = ber::to_der_untyped(&input).unwrap();
    #[rustfmt::skip]
    let expected = [
        0x30, 30,
            0xA0, 6, 4, 1, 1, 4, 1, 2,
            0xA1, 3, 2, 1, 5,
            0x31, 6, 2, 1, 2, 2, 1, 1,
            0x28, 7, 6, 1, 0x2A, 0x81, 2, 1, 2,
    ];
    assert_eq!(*canonical.bytes, expected);
    let residue: Vec<_> = canonical.residue.iter().map(|entry| (entry.offset, entry.why)).collect();
    assert_eq!(residue, [(2, Uncovered::MaybeString), (19, Uncovered::Order)]);
    assert!(Any::from_der(&canonical.bytes).is_ok());
}

/// Of elements that are written otherwise than they stood, the order is known only then.
#[test]
fn without_a_schema_the_order_of_what_changes_is_seen_when_it_is_written() {
    type Conversion<'c> = (&'c [u8], &'c [u8], &'c [(usize, Uncovered)]);
    let conversions: [Conversion<'_>; 4] = [
        // BIT STRINGs whose unused bits become zero: in order then, as SET or SET OF.
        (
            b"\x31\x0C\x03\x02\0\x01\x03\x02\x02\x01\x03\x02\x04\x0F",
            b"\x31\x0C\x03\x02\0\x01\x03\x02\x02\0\x03\x02\x04\0",
            &[],
        ),
        // In order as they stood, and no more when the bits are zero.
        (b"\x31\x08\x03\x02\x04\x0F\x03\x02\x04\x0E", b"\x31\x08\x03\x02\x04\0\x03\x02\x04\0", &[]),
        (
            b"\x31\x08\x03\x02\x04\x2F\x03\x02\x04\x1F",
            b"\x31\x08\x03\x02\x04\x20\x03\x02\x04\x10",
            &[(0, Uncovered::Order)],
        ),
        // In one that is itself in one.
        (
            b"\x31\x80\x31\x08\x03\x02\x04\x2F\x03\x02\x04\x1F\x31\x08\x03\x02\x04\x1F\x03\x02\x04\x2F\0\0",
            b"\x31\x14\x31\x08\x03\x02\x04\x20\x03\x02\x04\x10\x31\x08\x03\x02\x04\x10\x03\x02\x04\x20",
            &[(0, Uncovered::Order), (2, Uncovered::Order)],
        ),
    ];
    for (ber, der, residue) in conversions {
        let canonical = ber::to_der_untyped_with(ber, &Options::ber_definite()).unwrap();
        assert_eq!(*canonical.bytes, *der);
        let listed: Vec<_> = canonical.residue.iter().map(|entry| (entry.offset, entry.why)).collect();
        assert_eq!(listed, residue);
        let again = ber::to_der_untyped_with(der, &Options::ber_definite()).unwrap();
        assert_eq!(again.residue.len(), residue.len());
    }
}
