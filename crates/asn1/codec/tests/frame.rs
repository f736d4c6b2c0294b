//! Frames of values in buffers that fill up: every front part of a value asks for more, and never for too much.

#![cfg(feature = "ber")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use proptest::prelude::*;
use tagwise_codec::{FaultKind, Frame, Options, Reader, ber, frame};

fn definite() -> impl Strategy<Value = Vec<u8>> {
    let leaf = (prop_oneof![Just(0x04u8), Just(0x80), Just(0x0C)], prop::collection::vec(b'a'..=b'z', 0..300));
    let leaf = leaf.prop_map(|(tag, content)| element(tag, &content));
    leaf.prop_recursive(4, 32, 4, |inner| {
        (prop_oneof![Just(0x30u8), Just(0xA3)], prop::collection::vec(inner, 0..4))
            .prop_map(|(tag, parts)| element(tag, &parts.concat()))
    })
}

fn any_length() -> impl Strategy<Value = Vec<u8>> {
    definite().prop_recursive(4, 32, 4, |inner| {
        (prop_oneof![Just(0x30u8), Just(0xA3)], prop::collection::vec(inner, 0..4), any::<bool>()).prop_map(
            |(tag, parts, open)| match open {
                true => [&[tag, 0x80][..], &parts.concat(), &[0, 0]].concat(),
                false => element(tag, &parts.concat()),
            },
        )
    })
}

fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let len = content.len();
    let header = match len {
        0..=0x7F => vec![tag, len as u8],
        0x80..=0xFF => vec![tag, 0x81, len as u8],
        _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
    };
    [header, content.to_vec()].concat()
}

/// Fills a buffer as it is asked to, and gives how large it was when it was enough.
fn fill(input: &[u8], find: impl Fn(&[u8]) -> Frame) -> usize {
    let mut have = 0;
    loop {
        match find(&input[..have]) {
            Frame::Complete(len) => {
                assert_eq!(len, have, "nothing more was asked for than the value takes");
                return len;
            }
            Frame::NeedMore(more) => {
                assert!(more > 0);
                have += more;
                assert!(have <= input.len(), "never more than there is");
            }
        }
    }
}

proptest! {
    #[test]
    fn der_as_the_reader(element in definite(), tail in prop::collection::vec(any::<u8>(), 0..9)) {
        let options = Options::der();
        prop_assert_eq!(fill(&element, |part| frame(part, &options).unwrap()), element.len());
        let whole = [element.clone(), tail].concat();
        prop_assert_eq!(frame(&whole, &options), Ok(Frame::Complete(Reader::new(&whole).unwrap().skip().unwrap().len())));
    }

    #[test]
    fn every_prefix_asks_for_more(element in any_length()) {
        let options = Options::ber_definite();
        for len in 0..element.len() {
            match ber::frame(&element[..len], &options).unwrap() {
                Frame::NeedMore(more) => prop_assert!(more > 0 && len + more <= element.len()),
                Frame::Complete(_) => prop_assert!(false, "complete at {} of {}", len, element.len()),
            }
        }
        prop_assert_eq!(fill(&element, |part| ber::frame(part, &options).unwrap()), element.len());
        prop_assert!(ber::to_der_untyped(&element).is_ok());
    }

    #[test]
    fn whatever_comes(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let options = Options::der();
        let skipped = Reader::new(&bytes).unwrap().skip();
        match frame(&bytes, &options) {
            Ok(Frame::Complete(len)) => prop_assert_eq!(skipped.map(<[u8]>::len), Ok(len)),
            Ok(Frame::NeedMore(_)) => prop_assert!(skipped.is_err()),
            // The reader says first that so much is not there.
            Err(fault) if fault.kind() == FaultKind::LengthTooLarge => prop_assert!(skipped.is_err()),
            Err(fault) => prop_assert_eq!(skipped.map_err(|fault| fault.kind()), Err(fault.kind())),
        }
        // What the converter takes is one frame, and nothing else is.
        if ber::frame(&bytes, &Options::ber_definite()) != Ok(Frame::Complete(bytes.len())) {
            prop_assert!(ber::to_der_untyped(&bytes).is_err());
        }
    }
}

#[test]
fn indefinite_lengths_that_never_end() {
    let open: Vec<u8> = [0x30, 0x80].repeat(200);
    assert_eq!(ber::frame(&open, &Options::ber_definite()).unwrap_err().kind(), FaultKind::DepthExceeded);
    assert_eq!(frame(&[0x30, 0x80], &Options::der()).unwrap_err().kind(), FaultKind::LengthIndefinite);
    assert_eq!(frame(&[0x30, 0x81, 0x01], &Options::der()).unwrap_err().kind(), FaultKind::LengthNotMinimal);
    assert_eq!(frame(&[0x04, 0x81, 0x01, 0], &Options::ber_definite()), Ok(Frame::Complete(4)));
    assert_eq!(frame(&[0x30, 0x86, 1, 0, 0, 0, 0, 0], &Options::der()).unwrap_err().kind(), FaultKind::LengthTooLarge);
    assert_eq!(frame(&[0, 0], &Options::der()).unwrap_err().kind(), FaultKind::EndOfContents);
}
