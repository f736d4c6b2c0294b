//! Elements of any type, raw and captured values, SEQUENCE OF, SET OF: what they check, keep and write.
#![cfg(feature = "alloc")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use proptest::prelude::*;
use tagwise_codec::{
    Any, Budget, Captured, Decode, Encode, EncodeError, EncodeValue, FaultKind, Int, IterOf, OctetStr, Options,
    Printable, Raw, Rule, RuleSet, SeqOf, SetOf, Tag, Tagged, Utf8, Writer, encode, encode_append, encode_into,
};

fn refused<'a, T: Decode<'a> + core::fmt::Debug>(der: &'a [u8]) -> (FaultKind, usize) {
    let error = T::from_der(der).unwrap_err();
    (error.kind(), error.offset())
}

#[test]
fn any_checks_what_needs_no_schema() {
    // SEQUENCE { [0] { INTEGER 5 }, NULL }
    let der = [0x30, 0x07, 0xA0, 0x03, 0x02, 0x01, 0x05, 0x05, 0x00];
    let any = Any::from_der(&der).unwrap();
    let children: Vec<_> = any.children().map(|child| child.unwrap().tag()).collect();
    assert_eq!(children, [Tag::context(0).constructed(), Tag::NULL]);
    assert_eq!(encode(&any).unwrap(), der);

    assert_eq!(refused::<Any<'_>>(&[0x30, 0x04, 0xA0, 0x02, 0x05, 0x01]), (FaultKind::LengthOverrun, 5));
    assert_eq!(refused::<Any<'_>>(&[0x30, 0x05, 0xA0, 0x03, 0x01, 0x01, 0x01]), (FaultKind::BooleanValue, 6));
    assert_eq!(refused::<Any<'_>>(&[0x24, 0x03, 0x04, 0x01, 0x00]), (FaultKind::PrimitiveExpected, 0));
    assert_eq!(refused::<Any<'_>>(&[0x10, 0x00]), (FaultKind::ConstructedExpected, 0));
    assert_eq!(refused::<Any<'_>>(&[0x30, 0x80, 0x00, 0x00]), (FaultKind::LengthIndefinite, 1));
    assert_eq!(refused::<Any<'_>>(&[0x30, 0x02, 0x00, 0x00]), (FaultKind::EndOfContents, 2));
    // A child's length may not run past its parent, though the input goes on.
    assert_eq!(refused::<Any<'_>>(&[0x30, 0x06, 0x30, 0x02, 0x04, 0x02, 0x05, 0x00]), (FaultKind::LengthOverrun, 5));
}

#[test]
fn an_outlined_any_is_checked_before_it_is_written() {
    let bad = [0x30, 0x03, 0x01, 0x01, 0x01];
    let any = Any::outline(&bad).unwrap();
    assert_eq!(encode(&any).map_err(|error| error.kind()), Err(FaultKind::NotEncodable));
    let good = [0x30, 0x03, 0x01, 0x01, 0xFF];
    assert_eq!(encode(&Any::outline(&good).unwrap()).unwrap(), good);
}

#[test]
fn raw_decodes_later_with_absolute_offsets() {
    type List<'a> = SeqOf<'a, Raw<'a, u8>>;
    let der = [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07];
    let items: Vec<_> = List::from_der(&der).unwrap().iter().map(Result::unwrap).collect();
    assert_eq!(items.iter().map(|item| (item.offset(), item.get().unwrap())).collect::<Vec<_>>(), [(2, 5), (5, 7)]);

    let padded = [0x30, 0x07, 0x02, 0x01, 0x05, 0x02, 0x02, 0x00, 0x07];
    assert_eq!(refused::<List<'_>>(&padded), (FaultKind::IntegerPadded, 7));
    let outlined = List::outline(&padded).unwrap();
    let last = outlined.iter().last().unwrap().unwrap().get().unwrap_err();
    assert_eq!((last.kind(), last.offset()), (FaultKind::IntegerPadded, 7));
    assert_eq!(encode(&outlined).map_err(|error| error.kind()), Err(FaultKind::NotEncodable));
}

#[test]
fn a_bad_item_hides_no_other() {
    let der = [0x30, 0x09, 0x02, 0x01, 0x05, 0x01, 0x01, 0x00, 0x02, 0x01, 0x07];
    let items: Vec<_> = SeqOf::<u8>::outline(&der).unwrap().iter().map(|item| item.map_err(|e| e.offset())).collect();
    assert_eq!(items, [Ok(5), Err(5), Ok(7)]);
}

#[test]
fn only_captured_values_keep_tolerated_deviations() {
    let long = [0x30, 0x81, 0x03, 0x02, 0x01, 0x05];
    let options = Options::ber_definite();
    let read = options.decode::<SeqOf<'_, u8>>(&long).unwrap();
    assert_eq!((read.deviations[0].rule, read.deviations[0].offset), (&Rule::LONG_LENGTH, 1));
    // The length was the container's: its content is DER.
    assert_eq!(encode(&read.value).unwrap(), [0x30, 0x03, 0x02, 0x01, 0x05]);

    let inner = [0x30, 0x04, 0x02, 0x81, 0x01, 0x05];
    let read = options.decode::<SeqOf<'_, u8>>(&inner).unwrap();
    assert_eq!(encode(&read.value).map_err(|error| error.kind()), Err(FaultKind::NotEncodable));
    let read = options.decode::<Captured<'_, SeqOf<'_, u8>>>(&inner).unwrap();
    assert_eq!(encode(&read.value).unwrap(), inner);
    let read = options.decode::<Raw<'_, u8>>(&inner[2..]).unwrap();
    assert_eq!(encode(&read.value).map_err(|error| error.kind()), Err(FaultKind::NotEncodable));
}

#[test]
fn set_of_is_ordered() {
    assert_eq!(refused::<SetOf<'_, u8>>(&[0x31, 0x06, 0x02, 0x01, 0x07, 0x02, 0x01, 0x05]), (FaultKind::SetOfOrder, 5));
    // Equal elements are in order: X.690 §11.6 only asks for ascending encodings.
    assert!(SetOf::<u8>::from_der(&[0x31, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x05]).is_ok());
    let options = Options::der().allow(&Rule::SET_OF_ORDER);
    let read = options.decode::<SetOf<'_, u8>>(&[0x31, 0x06, 0x02, 0x01, 0x07, 0x02, 0x01, 0x05]).unwrap();
    assert_eq!((read.value.len(), read.deviations[0].offset), (2, 5));
}

#[test]
fn elements_are_budgeted() {
    let der = encode(&IterOf::new((0..100u8).cycle().take(1000))).unwrap();
    let budget = |elements| Options::der().budget(Budget { elements, ..Budget::DEFAULT });
    assert!(budget(1000).decode::<SeqOf<'_, u8>>(&der).is_ok());
    let error = budget(999).decode::<SeqOf<'_, u8>>(&der).unwrap_err();
    assert_eq!(error.kind(), FaultKind::ElementsExceeded);
}

#[test]
fn buffers_that_are_too_small_are_refused_and_vectors_stay_as_they_were() {
    let value = SeqOf::from_slice(&[1u8, 2, 3]);
    let full = encode(&value).unwrap();
    for len in 0..full.len() {
        let mut buffer = vec![0; len];
        assert_eq!(encode_into(&value, &mut buffer).map_err(|error| error.kind()), Err(FaultKind::BufferTooSmall));
    }
    let mut buffer = vec![0; full.len() + 3];
    assert_eq!(encode_into(&value, &mut buffer).unwrap(), full);
    let mut kept = vec![0xAA];
    encode_append(&value, &mut kept).unwrap();
    assert_eq!(kept[1..], full);
    let bad = [0x30, 0x03, 0x01, 0x01, 0x01];
    assert!(encode_append(&Any::outline(&bad).unwrap(), &mut kept).is_err());
    assert_eq!(kept[1..], full);
}

#[test]
fn long_headers_are_minimal() {
    let headers = [(127, 2), (128, 3), (255, 3), (256, 4), (65_535, 4), (65_536, 5), (16_777_215, 5), (16_777_216, 6)];
    for (len, header) in headers {
        let octets = vec![0; len];
        let der = encode(&tagwise_codec::OctetStr::new(&octets)).unwrap();
        assert_eq!(der.len(), len + header);
        assert_eq!(tagwise_codec::OctetStr::from_der(&der).unwrap().len(), len);
    }
}

/// What is copied in one piece is what a writer makes of it, in front of what is there and under any tag.
#[test]
fn copies_are_what_a_writer_writes() {
    fn same(value: &(impl Encode + ?Sized)) {
        let mut buffer = vec![0; value.encoded_len()];
        let written = encode_into(value, &mut buffer).unwrap();
        assert_eq!(encode(value).unwrap(), written);
        let mut after = vec![0xAA];
        encode_append(value, &mut after).unwrap();
        assert_eq!((after[0], &after[1..]), (0xAA, &*written));
    }
    for len in [0, 1, 2, 16, 127, 128, 255, 256, 65_535, 65_536] {
        let octets = vec![b'A'; len];
        same(&OctetStr::new(&octets));
        same(&Printable::from_content(&octets).unwrap());
        same(&Utf8::new(core::str::from_utf8(&octets).unwrap()));
        same(&core::str::from_utf8(&octets).unwrap());
        same(&Numbered::<30>(&octets));
        same(&Numbered::<31>(&octets));
        same(&Numbered::<{ u32::MAX }>(&octets));
    }
    same(&Int::from_signed(&[42]));
    same(&Int::from_signed(&[0x01, 0x00]));
    // What a rule let in has no DER: nothing is copied of it.
    let loose = Options::der().rules(RuleSet::NONE.with(&Rule::STRING_ALPHABET)).decode::<Printable<'_>>(b"\x13\x01*");
    let mut kept = vec![0xAA];
    assert!(encode_append(&loose.unwrap().value, &mut kept).is_err());
    assert_eq!(kept, [0xAA]);
}

/// Octets under a tag of this number.
struct Numbered<'a, const N: u32>(&'a [u8]);

impl<const N: u32> Tagged for Numbered<'_, N> {
    const TAG: Tag = Tag::context(N);
}

impl<const N: u32> EncodeValue for Numbered<'_, N> {
    fn value_len(&self) -> usize {
        self.0.len()
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.0)
    }

    fn content_octets(&self) -> Option<&[u8]> {
        Some(self.0)
    }
}

#[test]
fn a_writer_refuses_a_wrong_total() {
    let wrong = |total| -> Result<(), EncodeError> { Writer::new(&mut [0; 16]).sequence(total, [1u8, 2]) };
    assert!(wrong(6).is_ok());
    assert_eq!(wrong(7).map_err(|error| error.kind()), Err(FaultKind::Internal));
    assert_eq!(wrong(5).map_err(|error| error.kind()), Err(FaultKind::Internal));
}

proptest! {
    #[test]
    fn sequences_round_trip(items in prop::collection::vec(any::<i64>(), 0..40)) {
        let der = encode(&SeqOf::from_slice(&items)).unwrap();
        let read = SeqOf::<i64>::from_der(&der).unwrap();
        prop_assert_eq!(read.iter().collect::<Result<Vec<_>, _>>().unwrap(), items.clone());
        prop_assert_eq!(encode(&read).unwrap(), der.clone());
        prop_assert_eq!(encode(&IterOf::new(items.iter())).unwrap(), der);
    }

    #[test]
    fn sets_are_sorted_whatever_the_order(items in prop::collection::vec(any::<i32>(), 0..40)) {
        let der = encode(&SetOf::from_slice(&items)).unwrap();
        let read = SetOf::<i32>::from_der(&der).unwrap();
        let mut expected: Vec<Vec<u8>> = items.iter().map(|item| encode(item).unwrap()).collect();
        expected.sort();
        let found: Vec<Vec<u8>> = read.iter().map(|item| encode(&item.unwrap()).unwrap()).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(encode(&read).unwrap(), der);
    }

    #[test]
    fn integers_agree_with_their_native_forms(number in any::<i128>()) {
        let der = encode(&number).unwrap();
        let int = Int::from_der(&der).unwrap();
        prop_assert_eq!(i128::try_from(int), Ok(number));
        prop_assert_eq!(i128::from_der(&der).unwrap(), number);
        prop_assert_eq!(i64::from_der(&der).ok(), i64::try_from(number).ok());
        prop_assert_eq!(u64::from_der(&der).ok(), u64::try_from(number).ok());
        prop_assert_eq!(u128::from_der(&der).ok(), u128::try_from(number).ok());
        prop_assert_eq!(u8::from_der(&der).ok(), u8::try_from(number).ok());
    }

    #[test]
    fn small_integers_of_every_width_round_trip(number in any::<i64>(), shift in 0u32..64) {
        let number = number >> shift;
        let der = encode(&number).unwrap();
        prop_assert_eq!(i64::from_der(&der).unwrap(), number);
        prop_assert_eq!(encode(&i128::from(number)).unwrap(), der.clone());
        prop_assert_eq!(i8::from_der(&der).ok(), i8::try_from(number).ok());
        prop_assert_eq!(u32::from_der(&der).ok(), u32::try_from(number).ok());
        if let Ok(unsigned) = u64::try_from(number) {
            prop_assert_eq!(encode(&unsigned).unwrap(), der);
        }
    }

    #[test]
    fn whatever_any_accepts_it_writes_again(octets in prop::collection::vec(any::<u8>(), 0..64)) {
        match Any::from_der(&octets) {
            Ok(any) => prop_assert_eq!(encode(&any).unwrap(), octets),
            Err(error) => prop_assert!(error.offset() <= octets.len()),
        }
    }
}

/// A count of items goes on behind an item with a length that was tolerated.
#[test]
fn items_of_tolerated_lengths_are_counted() {
    let content = [0x02, 0x01, 1, 0x02, 0x81, 0x01, 2, 0x02, 0x01, 3, 0x02, 0x82, 0x00, 0x01, 4];
    let der = [&[0x30, content.len() as u8], &content[..]].concat();
    let read = Options::der().allow(&Rule::LONG_LENGTH).decode::<SeqOf<'_, u8>>(&der).unwrap();
    assert_eq!((read.value.len(), read.deviations.len()), (4, 2));
}
