//! The names of a stream's elements against those of the decoder of the whole value.
#![cfg(feature = "stream")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, missing_docs, reason = "tests")]

use tagwise_codec::stream::{self, NamedEvents, Rules};
use tagwise_codec::{Decode, FaultKind, Null, SeqOf, Typed};
use tagwise_derive::Asn1;

/// A stream's names are those of the elements that a decoder of the whole value finds, so that what it refuses is refused.
#[test]
fn elements_that_do_not_fit_are_refused() {
    /// `Parts ::= SEQUENCE { kind INTEGER, a [1] OCTET STRING, b [2] OCTET STRING, c [3] Kind OPTIONAL,
    /// d [4] SEQUENCE OF Kind OPTIONAL }`
    #[derive(Asn1, Clone, Debug)]
    struct Parts<'a> {
        kind: u8,
        #[asn1(implicit = 1)]
        a: tagwise_codec::OctetStr<'a>,
        #[asn1(implicit = 2)]
        b: tagwise_codec::OctetStr<'a>,
        #[asn1(explicit = 3)]
        c: Option<Kind>,
        #[asn1(implicit = 4)]
        d: Option<SeqOf<'a, Kind>>,
    }
    /// `Kind ::= CHOICE { number [0] INTEGER, nothing [1] NULL }`
    #[derive(Asn1, Clone, Copy, Debug)]
    #[asn1(choice)]
    enum Kind {
        #[asn1(implicit = 0)]
        Number(u8),
        #[asn1(implicit = 1)]
        Nothing(Null),
    }
    let stream = |input: &[u8]| {
        let mut events = NamedEvents::new(input, Parts::ty());
        loop {
            match events.next() {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => {
                    assert!(events.next().is_err());
                    return Some(error.to_string());
                }
            }
        }
    };
    let (start, whole) = ([2, 1, 5, 0x81, 1, b'A'], [2, 1, 5, 0x81, 1, b'A', 0x82, 1, b'B']);
    let more = |octets: &[u8]| [&whole[..], octets].concat();
    for (content, kind) in [
        (whole.to_vec(), None),
        (more(&[0xA3, 3, 0x80, 1, 7, 0xA4, 2, 0x81, 0]), None),
        // A tag that no component has, in front, within and behind.
        ([&[0x85, 0][..], &whole].concat(), Some(FaultKind::UnexpectedTag)),
        ([&start[..], &[0x85, 1, b'A', 0x82, 1, b'B']].concat(), Some(FaultKind::UnexpectedTag)),
        (more(&[0x85, 0]), Some(FaultKind::TrailingData)),
        (more(&whole), Some(FaultKind::TrailingData)),
        // Components that are exchanged, and missing.
        (vec![2, 1, 5, 0x82, 1, b'B', 0x81, 1, b'A'], Some(FaultKind::UnexpectedTag)),
        (start.to_vec(), Some(FaultKind::Missing)),
        (vec![], Some(FaultKind::Missing)),
        // An unknown alternative, and something else beside it or in its place.
        (more(&[0xA3, 3, 0x82, 1, 7]), Some(FaultKind::ChoiceUnknown)),
        (more(&[0xA3, 5, 0x80, 1, 7, 5, 0]), Some(FaultKind::TrailingData)),
        (more(&[0xA3, 0]), Some(FaultKind::Missing)),
        (more(&[0xA4, 5, 0x80, 1, 7, 5, 0]), Some(FaultKind::ChoiceUnknown)),
        // The wrong form.
        (more(&[0x83, 1, 7]), Some(FaultKind::ConstructedExpected)),
        (more(&[0x84, 0]), Some(FaultKind::ConstructedExpected)),
        (more(&[0xA3, 5, 0xA0, 3, 2, 1, 7]), Some(FaultKind::PrimitiveExpected)),
    ] {
        let input = [&[0x30, content.len() as u8][..], &content].concat();
        let decoded = Parts::from_der(&input).err();
        assert_eq!(decoded.as_ref().map(tagwise_codec::Error::kind), kind, "{input:02x?}");
        assert_eq!(stream(&input), decoded.map(|error| error.to_string()), "{input:02x?}");
    }
    // A list and a string are not those that an exchanged tag would make of them.
    let exchanged = [0x30, 9, 2, 1, 5, 0x82, 1, b'B', 0x81, 1, b'A'];
    let error = stream::content(&exchanged[..], Rules::Der, Parts::ty(), "a").unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (Some(FaultKind::UnexpectedTag), 5, "a"));
    // What is skipped is not checked.
    let mut events = NamedEvents::new(&[0x30, 0][..], Parts::ty());
    events.next().unwrap();
    events.skip().unwrap();
    assert!(events.next().unwrap().is_none());
    let mut events = NamedEvents::new(&[0x30, 2, 5, 0][..], Parts::ty());
    events.next().unwrap();
    assert_eq!(events.rest().unwrap(), [5, 0]);
    while events.next().unwrap().is_some() {}
}
