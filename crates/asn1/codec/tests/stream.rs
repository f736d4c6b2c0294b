//! Streams against the slice decoder, and what they promise themselves: offsets, constant results whatever the reader gives,
//! errors of the reader told from errors of the input.
#![cfg(feature = "stream")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, missing_docs, reason = "tests")]

use std::io::{self, Cursor, Read};

use tagwise_codec::stream::{self, Event, Events, Items, NamedEvents, Rules, Settings};
use tagwise_codec::{Any, Budget, Decode, FaultKind, Null, SeqOf, SetOf, Tag, Typed};
use tagwise_derive::Asn1;

/// Gives a few octets at a time, and fails in between where it is told to.
struct Dribble<'i> {
    input: &'i [u8],
    step: usize,
    fail: bool,
    now: bool,
}

impl<'i> Dribble<'i> {
    const fn new(input: &'i [u8], step: usize) -> Self {
        Self { input, step, fail: false, now: false }
    }
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.now = !self.now;
        if self.fail && self.now {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let count = self.step.min(buffer.len()).min(self.input.len());
        buffer[..count].copy_from_slice(&self.input[..count]);
        self.input = &self.input[count..];
        Ok(count)
    }
}

/// Every event as text, and what ended them.
fn run(input: impl Read, settings: Settings) -> (Vec<String>, Option<(Option<FaultKind>, u64)>) {
    let mut events = Events::with(input, settings);
    let mut seen = Vec::new();
    loop {
        match events.next() {
            Ok(Some(event)) => seen.push(format!("{event:x?}")),
            Ok(None) => return (seen, None),
            Err(error) if error.as_io().is_some_and(|io| io.kind() == io::ErrorKind::WouldBlock) => {}
            Err(error) => {
                let again = events.next().unwrap_err();
                assert_eq!((error.kind(), error.offset()), (again.kind(), again.offset()));
                return (seen, Some((error.kind(), error.offset())));
            }
        }
    }
}

fn outcome(input: &[u8], rules: Rules) -> Result<(), (FaultKind, u64)> {
    // `Any` does not look at orders either.
    match run(input, Settings::new(rules).order(0)).1 {
        None => Ok(()),
        Some((kind, offset)) => Err((kind.unwrap(), offset)),
    }
}

const SAMPLE: &[u8] =
    b"\x30\x58\xA0\x03\x02\x01\x02\x02\x02\x00\x80\x30\x0B\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0B\
    \x31\x0B\x30\x09\x06\x03\x55\x04\x06\x13\x02DE\x17\x0D261121100000Z\x0C\x03\xC3\xBCa\x16\x01a\x03\x02\x07\x80\
    \x03\x01\x00\x01\x01\xFF\x05\x00\x04\x02ab\x82\x01x\x60\x02\x05\x00\x0A\x01\x07\x14\x02ab";

/// The stream's judgement is the slice decoder's, but for a length of the outermost value beyond the input: a stream finds
/// that out at its end, and may meet something else before.
fn agrees(input: &[u8]) -> bool {
    let slice = Any::from_der(input);
    let stream = outcome(input, Rules::Der);
    match (slice, stream) {
        (Ok(_), Ok(())) => true,
        (Err(slice), Err((kind, offset))) => {
            let at_front =
                slice.offset() < 7 && matches!(slice.kind(), FaultKind::LengthOverrun | FaultKind::LengthTooLarge);
            let same = (slice.kind(), slice.offset() as u64) == (kind, offset);
            let overrun = slice.kind() == FaultKind::LengthTooLarge && kind == FaultKind::LengthOverrun;
            assert!(at_front || same || overrun, "{slice} but {kind:?} at {offset} for {input:02x?}");
            false
        }
        (slice, stream) => panic!("{slice:?} but {stream:?} for {input:02x?}"),
    }
}

#[test]
fn mutations_are_judged_as_by_the_slice_decoder() {
    assert!(agrees(SAMPLE));
    let mut accepted = 0;
    for at in 0..SAMPLE.len() {
        assert!(!agrees(&SAMPLE[..at]));
        for octet in 0..=255 {
            let mut changed = SAMPLE.to_vec();
            changed[at] = octet;
            accepted += u32::from(agrees(&changed));
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn truncation_is_named_at_the_end() {
    for at in 1..SAMPLE.len() {
        assert_eq!(outcome(&SAMPLE[..at], Rules::Der), Err((FaultKind::Truncated, at as u64)));
    }
    assert_eq!(outcome(b"", Rules::Der), Err((FaultKind::Missing, 0)));
    assert_eq!(run(&b""[..], Settings::der().concatenated()), (Vec::new(), None));
}

#[test]
fn the_reader_s_steps_and_failures_change_nothing() {
    let mut long = b"\x30\x82\x0b\xbd\x0c\x82\x03\xe8".to_vec();
    long.extend(b"\xC3\xBC".repeat(500));
    long.extend(b"\x04\x82\x07\xcd");
    long.extend(vec![7; 1997]);
    let total = long.len() - 4;
    long[2..4].copy_from_slice(&(total as u16).to_be_bytes());
    let ber = b"\x30\x80\x24\x80\x04\x03abc\x24\x04\x04\x02de\x00\x00\x2C\x06\x04\x01\xC3\x04\x01\xBC\x00\x00";
    for (input, rules) in [(SAMPLE, Rules::Der), (&long, Rules::Der), (ber, Rules::Ber)] {
        let settings = Settings::new(rules).chunk(300);
        let whole = run(input, settings);
        assert_eq!(whole.1, None);
        for step in [1, 2, 3, 7, 299, 300, 301] {
            assert_eq!(run(Dribble::new(input, step), settings), whole);
            assert_eq!(run(Dribble { fail: true, ..Dribble::new(input, step) }, settings), whole);
        }
    }
}

#[test]
fn long_content_is_checked_in_chunks_as_it_is_whole() {
    let element = |tag: u8, content: &[u8]| {
        let mut element = vec![tag, 0x82];
        element.extend((content.len() as u16).to_be_bytes());
        element.extend(content);
        element
    };
    let mut oid = vec![0x2A];
    oid.extend([0x81, 0x80, 0x01].repeat(200));
    let contents: [(u8, Vec<u8>); 10] = [
        (0x02, [&[0x00, 0x80][..], &[1; 600]].concat()),
        (0x03, [&[0x03][..], &[0xF8; 600]].concat()),
        (0x04, vec![0; 700]),
        (0x06, oid),
        (0x0C, "aü€🔑".repeat(60).into_bytes()),
        (0x13, b"Printable".repeat(60)),
        (0x16, b"IA5\x7F".repeat(100)),
        (0x1A, b"Visible~".repeat(60)),
        (0x1C, b"\x00\x01\xF5\x11".repeat(100)),
        (0x1E, b"\x20\xAC".repeat(300)),
    ];
    for (tag, content) in contents {
        for at in [0, 1, 2, 3, 265, 266, 267, 268, 269, 299, content.len() - 2, content.len() - 1] {
            for octet in [content[at], 0x00, 0x01, 0x7F, 0x80, 0xC3, 0xD8, 0xED, 0xFF] {
                for cut in [0, 1, 2, 3] {
                    let mut changed = content.clone();
                    changed[at] = octet;
                    changed.truncate(content.len() - cut);
                    let input = element(tag, &changed);
                    let whole = run(&input[..], Settings::der()).1;
                    let slice = Any::from_der(&input).err().map(|error| (Some(error.kind()), error.offset() as u64));
                    assert_eq!(whole, slice, "{tag:02x}");
                    // What is wrong at the end and at the front at once may be found in the other order.
                    let chunked = run(&input[..], Settings::der().chunk(266)).1;
                    let lengths = whole.is_some_and(|(kind, _)| kind == Some(FaultKind::StringLength));
                    assert!(chunked == whole || lengths && chunked.is_some(), "{tag:02x} {at}: {chunked:?} {whole:?}");
                }
            }
        }
    }
}

#[test]
fn ber_forms() {
    let ok: [&[u8]; 9] = [
        b"\x30\x80\x00\x00",
        b"\x30\x81\x00",
        b"\x30\x84\x00\x00\x00\x02\x05\x00",
        b"\x24\x80\x00\x00",
        b"\x24\x80\x24\x80\x04\x01a\x00\x00\x04\x00\x00\x00",
        b"\x23\x08\x03\x02\x00\xAA\x03\x02\x04\xAF",
        b"\x37\x11\x04\x01\x32\x04\x0C\x36\x31\x31\x32\x31\x31\x30\x30\x30\x30\x30Z",
        b"\x01\x01\x01",
        b"\xA0\x80\x04\x01a\x00\x00",
    ];
    for input in ok {
        assert_eq!(outcome(input, Rules::Ber), Ok(()), "{input:02x?}");
        assert!(outcome(input, Rules::Der).is_err(), "{input:02x?}");
    }
    let bad: [(&[u8], FaultKind, u64); 16] = [
        (b"\x04\x80a\x00\x00", FaultKind::PrimitiveIndefinite, 1),
        (b"\x21\x03\x01\x01\xFF", FaultKind::PrimitiveExpected, 0),
        (b"\x10\x00", FaultKind::ConstructedExpected, 0),
        (b"\x30\x80", FaultKind::Truncated, 2),
        (b"\x30\x80\x00", FaultKind::Truncated, 3),
        (b"\x30\x80\x00\x01", FaultKind::EndOfContents, 2),
        (b"\x00\x00", FaultKind::EndOfContents, 0),
        (b"\x30\x02\x00\x00", FaultKind::EndOfContents, 2),
        (b"\x30\x80\x00\x00\x00\x00", FaultKind::TrailingData, 4),
        // The end-of-contents octets lie outside what contains the indefinite element.
        (b"\x30\x02\x30\x80\x00\x00", FaultKind::LengthOverrun, 3),
        (b"\x30\x03\x30\x80\x00\x00", FaultKind::LengthOverrun, 3),
        (b"\x30\x05\x30\x80\x04\x02ab\x00\x00", FaultKind::LengthOverrun, 5),
        (b"\x24\x80\x0C\x01a\x00\x00", FaultKind::UnexpectedTag, 2),
        (b"\x2C\x80\x04\x01\xC3\x00\x00", FaultKind::Utf8Invalid, 4),
        (b"\x23\x08\x03\x02\x04\xA0\x03\x02\x00\xAA", FaultKind::BitStringUnused, 4),
        (b"\x37\x11\x04\x01\x32\x04\x0C\x36\x31\x33\x32\x31\x31\x30\x30\x30\x30\x30Z", FaultKind::TimeMonth, 8),
    ];
    for (input, kind, offset) in bad {
        assert_eq!(outcome(input, Rules::Ber), Err((kind, offset)), "{input:02x?}");
    }
}

#[test]
fn cer_forms() {
    let segments = |sizes: &[usize]| {
        let mut string = vec![0x24, 0x80];
        for size in sizes {
            string.extend([0x04, 0x82]);
            string.extend((*size as u16).to_be_bytes());
            string.extend(vec![0x5A; *size]);
        }
        string.extend([0, 0]);
        string
    };
    assert_eq!(outcome(&segments(&[1000, 1000, 300]), Rules::Cer), Ok(()));
    assert_eq!(outcome(&segments(&[1000, 1000]), Rules::Cer), Ok(()));
    assert_eq!(outcome(&segments(&[1000]), Rules::Cer), Err((FaultKind::SegmentSize, 2)));
    assert_eq!(outcome(&segments(&[999, 1000]), Rules::Cer), Err((FaultKind::SegmentSize, 1006)));
    assert_eq!(outcome(&segments(&[1001, 300]), Rules::Cer), Err((FaultKind::SegmentSize, 3)));
    let mut primitive = vec![0x04, 0x82, 0x03, 0xE9];
    primitive.extend(vec![0; 1001]);
    assert_eq!(outcome(&primitive, Rules::Cer), Err((FaultKind::SegmentSize, 1)));
    primitive[3] = 0xE8;
    primitive.pop();
    assert_eq!(outcome(&primitive, Rules::Cer), Ok(()));
    assert_eq!(outcome(b"\x30\x80\x05\x00\x00\x00", Rules::Cer), Ok(()));
    assert_eq!(outcome(b"\x30\x02\x05\x00", Rules::Cer), Err((FaultKind::IndefiniteExpected, 1)));
    assert_eq!(outcome(b"\x04\x81\x01a", Rules::Cer), Err((FaultKind::LengthNotMinimal, 1)));
    assert_eq!(outcome(b"\x01\x01\x01", Rules::Cer), Err((FaultKind::BooleanValue, 2)));
    let error = Events::with(&b"\x04\x81\x01a"[..], Settings::new(Rules::Cer)).next().unwrap_err();
    assert_eq!(error.clause(), "X.690 §9.1");
}

#[test]
fn budgets_hold() {
    let deep = [&b"\x30\x80".repeat(200)[..], &[0; 400]].concat();
    assert_eq!(outcome(&deep, Rules::Ber), Err((FaultKind::DepthExceeded, 130)));
    let most = Budget { depth: Budget::MAX_DEPTH, ..Budget::DEFAULT };
    let settings = Settings::new(Rules::Ber);
    assert_eq!(run(&deep[..], settings.budget(most)).1, Some((Some(FaultKind::DepthExceeded), 258)));
    let few = Budget { elements: 3, ..Budget::DEFAULT };
    assert_eq!(run(SAMPLE, Settings::der().budget(few)).1, Some((Some(FaultKind::ElementsExceeded), 7)));
    // A header of the greatest length, and the longest length octets.
    let mut long = vec![0x04, 0xFE];
    long.extend([0; 125]);
    long.extend([1, 0x41]);
    assert_eq!(outcome(&long, Rules::Ber), Ok(()));
    let endless = [0x30, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
    assert_eq!(outcome(&endless, Rules::Der), Err((FaultKind::LengthTooLarge, 1)));
}

#[test]
fn values_in_a_row() {
    let (events, end) = run(&b"\x05\x00\x30\x00\x05\x00"[..], Settings::der().concatenated());
    assert_eq!((events.len(), end), (6, None));
    assert_eq!(outcome(b"\x05\x00\x05\x00", Rules::Der), Err((FaultKind::TrailingData, 2)));
}

#[test]
fn values_as_wholes() {
    // A padded INTEGER, which is for its decoder to refuse, one of indefinite length, NULL.
    let input = b"\x02\x02\x00\x05\x30\x80\x05\x00\x00\x00\x05\x00";
    let settings = Settings::new(Rules::Ber).concatenated();
    for step in 1..=input.len() {
        let mut reader = Dribble::new(input, step);
        reader.fail = true;
        let (mut events, mut found) = (Events::with(reader, settings), Vec::new());
        loop {
            match events.next_value() {
                Ok(Some((offset, octets))) => found.push((offset, octets.to_vec())),
                Ok(None) => break,
                Err(error) => assert!(error.as_io().is_some(), "{error}"),
            }
        }
        assert_eq!(found, [(0, input[..4].to_vec()), (4, input[4..10].to_vec()), (10, input[10..].to_vec())]);
    }
    // An element that is open has no values, but elements; behind its end there are values again.
    let mut events = Events::with(&input[4..], settings);
    events.next().unwrap();
    assert_eq!(events.next_value().unwrap(), None);
    events.skip().unwrap();
    assert_eq!(events.next_value().unwrap(), Some((6, &b"\x05\x00"[..])));
    assert_eq!(events.next_value().unwrap(), None);
    // What follows one value, an end that is not there, one that is too long, and what is no header.
    let kind = |input: &[u8], settings: Settings| {
        let mut events = Events::with(input, settings);
        loop {
            match events.next_value() {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => return Some((error.kind().unwrap(), error.offset())),
            }
        }
    };
    assert_eq!(kind(b"\x05\x00", Settings::der()), None);
    assert_eq!(kind(b"\x05\x00\x05\x00", Settings::der()), Some((FaultKind::TrailingData, 2)));
    assert_eq!(kind(b"", Settings::der()), Some((FaultKind::Missing, 0)));
    assert_eq!(kind(b"\x05\x00\x04\x05a", settings), Some((FaultKind::Truncated, 5)));
    assert_eq!(kind(b"\x05\x00\x04\x05abcde", settings.item(6)), Some((FaultKind::TooLongToHold, 2)));
    assert_eq!(kind(b"\x05\x00\x00\x00", settings), Some((FaultKind::EndOfContents, 2)));
}

/// A CHOICE in a CHOICE, without tags of their own.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice)]
enum Outer<'a> {
    Inner(Inner<'a>),
    #[asn1(explicit = 5)]
    Far(Inner<'a>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice)]
enum Inner<'a> {
    #[asn1(implicit = 0)]
    Number(u8),
    #[asn1(implicit = 1)]
    Text(tagwise_codec::OctetStr<'a>),
    #[asn1(implicit = 2)]
    List(SeqOf<'a, u8>),
}

#[test]
fn alternatives_have_names_and_types() {
    // A list of all of them, the text in segments.
    let text = b"\xA1\x04\x04\x02\x61\x62";
    let input = [&b"\x30\x14\x80\x01\x05"[..], text, b"\xA2\x03\x02\x01\x07\xA5\x04\x80\x02\x00\x09"].concat();
    let settings = Settings::new(Rules::Ber);
    let mut events = NamedEvents::with(&input[..], settings, SeqOf::<Outer<'_>>::ty());
    let mut told = Vec::new();
    while let Some((event, place)) = events.next().unwrap() {
        if let Event::Start(_) = event {
            let alternative = place.alternative.map(|(name, ty)| format!("{name}: {}", ty.map_or("?", |ty| &ty.name)));
            told.push(format!("{} {} {}", place.path, place.inner, alternative.unwrap_or_default()));
        }
    }
    assert_eq!(
        told,
        [
            "  ",
            "[0] [0].inner.number number: INTEGER",
            "[1] [1].inner.text text: OCTET STRING",
            "[1] [1].inner.text ",
            "[2] [2].inner.list list: SEQUENCE OF",
            "[2].inner.list[0] [2].inner.list[0] ",
            "[3] [3].far far: ?",
            "[3].far [3].far.number number: INTEGER",
        ]
    );
    // The way through the alternative leads to a list and to a string, too.
    let ty = SeqOf::<Outer<'_>>::ty();
    let mut items = Items::find(NamedEvents::with(&input[..], settings, ty), "[2].inner.list").unwrap();
    assert_eq!(items.next::<u8>().unwrap().unwrap().value, 7);
    let mut content = Vec::new();
    stream::content(&input[..], Rules::Ber, ty, "[1].inner.text").unwrap().read_to_end(&mut content).unwrap();
    assert_eq!(content, b"ab");
}

#[test]
fn skipping() {
    let start = |events: &mut Events<Cursor<&[u8]>>| match events.next().unwrap() {
        Some(Event::Start(start)) => (start.tag, start.offset),
        event => panic!("{event:?}"),
    };
    for seeking in [false, true] {
        let skip = |events: &mut Events<Cursor<&[u8]>>| if seeking { events.skip_by_seeking() } else { events.skip() };
        let mut events = Events::new(Cursor::new(SAMPLE));
        assert_eq!(start(&mut events), (Tag::SEQUENCE, 0));
        assert_eq!(start(&mut events), (Tag::context(0).constructed(), 2));
        skip(&mut events).unwrap();
        assert_eq!(start(&mut events), (Tag::INTEGER, 7));
        skip(&mut events).unwrap();
        assert_eq!(start(&mut events), (Tag::SEQUENCE, 11));
        assert_eq!(start(&mut events), (Tag::OBJECT_IDENTIFIER, 13));
        skip(&mut events).unwrap();
        assert!(matches!(events.next().unwrap(), Some(Event::End(end)) if end.offset == 11 && end.end == 24));
        skip(&mut events).unwrap();
        assert_eq!(events.next().unwrap(), None);

        let mut long = vec![0x30, 0x82, 0x13, 0x8E, 0x04, 0x82, 0x13, 0x88];
        long.extend(vec![0; 5000]);
        long.extend([5, 0]);
        let settings = Settings::der().chunk(266);
        let mut events = Events::with(Cursor::new(&long[..]), settings);
        start(&mut events);
        start(&mut events);
        skip(&mut events).unwrap();
        assert_eq!(start(&mut events), (Tag::NULL, 5008));
        for cut in [5007, 5000, 300, 9, 8] {
            let mut events = Events::with(Cursor::new(&long[..cut]), settings);
            start(&mut events);
            start(&mut events);
            let error = skip(&mut events).unwrap_err();
            assert_eq!((error.is_truncated(), error.offset()), (true, cut as u64));
        }
    }
    // A segment of a string that would end inside a character without the one that is skipped.
    let mut events = Events::with(&b"\x2C\x06\x04\x01\xC3\x04\x01\xBC"[..], Settings::new(Rules::Ber));
    for _ in 0..5 {
        events.next().unwrap();
    }
    events.skip().unwrap();
    assert!(matches!(events.next().unwrap(), Some(Event::End(end)) if end.end == 8));
    assert_eq!(events.next().unwrap(), None);
    let mut events = Events::with(&b"\x30\x80\x24\x80\x04\x01a\x00\x00\x00\x00"[..], Settings::new(Rules::Ber));
    events.next().unwrap();
    events.next().unwrap();
    events.skip().unwrap();
    assert_eq!(events.offset(), 9);
    events.skip().unwrap();
    assert_eq!(events.next().unwrap(), None);
}

#[test]
fn offsets_go_beyond_4_gib() {
    let far = 5_000_000_000_000;
    let mut events = Events::new(&b"\x30\x03\x02\x01"[..]).at_offset(far);
    assert!(matches!(events.next().unwrap(), Some(Event::Start(start)) if start.offset == far));
    events.next().unwrap();
    assert_eq!(events.next().unwrap_err().offset(), far + 4);
    // An element above 4 GiB, of which nobody holds more than a chunk.
    let len = 5_000_000_000u64;
    let header = [&[0x04, 0x85][..], &len.to_be_bytes()[3..]].concat();
    let mut events = Events::new(header.chain(io::repeat(0x5A)).take(7 + len));
    assert!(matches!(events.next().unwrap(), Some(Event::Start(start)) if start.len == Some(len)));
    let Some(Event::Chunk(chunk)) = events.next().unwrap() else { panic!() };
    assert_eq!((chunk.octets.len(), chunk.left), (65536, len - 65536));
}

#[test]
fn items_one_by_one() {
    // SEQUENCE OF INTEGER: 5, a padded one, 7.
    let input = b"\x30\x0A\x02\x01\x05\x02\x02\x00\x05\x02\x01\x07";
    let ty = SeqOf::<u8>::ty();
    let mut items = stream::items(&input[..], ty, "").unwrap();
    assert_eq!(items.next::<u8>().unwrap().unwrap().value, 5);
    let error = items.next::<u8>().unwrap_err();
    assert_eq!(error.to_string(), "[1]: the INTEGER is not in its shortest form, at byte 7 (X.690 §8.3.2)");
    let item = items.next::<u8>().unwrap().unwrap();
    assert_eq!((item.value, item.offset, item.octets), (7, 9, &[2, 1, 7][..]));
    assert!(items.next::<u8>().unwrap().is_none());
    assert!(items.next::<u8>().unwrap().is_none());
    assert_eq!(items.count(), 3);
    items.finish().unwrap();

    let slices: Vec<_> = stream::slice_items::<u8>(input, ty, "").unwrap().collect();
    assert_eq!(slices.len(), 3);
    assert_eq!(slices[1].as_ref().unwrap_err().offset(), 7);
    assert_eq!(*slices[2].as_ref().unwrap(), 7);

    // What comes after the list is checked at the end, and a cut list is truncated.
    let mut items = stream::items(&b"\x30\x03\x02\x01\x05\x00"[..], ty, "").unwrap();
    items.next::<u8>().unwrap();
    assert_eq!(items.finish().unwrap_err().kind(), Some(FaultKind::TrailingData));
    let mut items = stream::items(&input[..7], ty, "").unwrap();
    items.next::<u8>().unwrap();
    assert!(items.next::<u8>().unwrap_err().is_truncated());
    assert_eq!(stream::slice_items::<u8>(&input[..7], ty, "").unwrap_err().kind(), Some(FaultKind::Truncated));
    let missing = stream::items(&input[..3], ty, "nowhere").unwrap_err();
    assert!(missing.is_truncated());
    let missing = stream::items(&b"\x30\x00"[..], ty, "nowhere").unwrap_err();
    assert_eq!(missing.to_string(), "nowhere: a required element is missing, at byte 2 (X.680 §25)");
    // An item that goes beyond its list.
    let mut items = stream::items(&b"\x30\x03\x02\x03\x05\x00\x00"[..], ty, "").unwrap();
    let error = items.next::<u8>().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (Some(FaultKind::LengthOverrun), 3));
    let settings = Settings::der().item(2);
    let mut items = Items::find(NamedEvents::with(&input[..], settings, ty), "").unwrap();
    assert_eq!(items.next::<u8>().unwrap_err().kind(), Some(FaultKind::TooLongToHold));
}

#[test]
fn items_of_indefinite_lists() {
    let input = b"\x30\x80\x02\x81\x01\x05\x30\x80\x30\x80\x00\x00\x04\x02\x00\x00\x00\x00\x02\x01\x07\x00\x00";
    let events = || NamedEvents::with(&input[..], Settings::new(Rules::Ber), SeqOf::<u8>::ty());
    let mut items = Items::find(events(), "").unwrap();
    let item = items.next::<u8>().unwrap().unwrap();
    assert_eq!((item.value, item.deviations.len()), (5, 1));
    assert_eq!(items.next_octets().unwrap().unwrap(), (6, &input[6..18]));
    assert_eq!(items.next::<u8>().unwrap().unwrap().value, 7);
    assert!(items.next::<u8>().unwrap().is_none());
    items.finish().unwrap();
}

#[test]
fn contents_are_joined() {
    let read = |input: &[u8], rules, step| {
        let mut events = Events::with(Dribble::new(input, step), Settings::new(rules));
        events.next().unwrap();
        let mut octets = Vec::new();
        let mut content = events.into_content();
        let done = content.read_to_end(&mut octets);
        done.map(|_| (octets, content.unused_bits()))
    };
    for step in [1, 2, 100] {
        let primitive = read(b"\x04\x03abc", Rules::Der, step).unwrap();
        assert_eq!(primitive, (b"abc".to_vec(), 0));
        let nested = read(b"\x24\x80\x24\x05\x04\x00\x04\x01a\x04\x02bc\x00\x00", Rules::Ber, step).unwrap();
        assert_eq!(nested.0, b"abc");
        // Under an implicit tag.
        assert_eq!(read(b"\xA0\x80\x04\x01a\x04\x02bc\x00\x00", Rules::Ber, step).unwrap().0, b"abc");
        let bits = read(b"\x23\x09\x03\x02\x00a\x03\x03\x04b\x60", Rules::Ber, step).unwrap();
        assert_eq!(bits, (b"ab\x60".to_vec(), 4));
        let error = read(b"\xA0\x80\x02\x01a\x00\x00", Rules::Ber, step).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let text = error.to_string();
        assert_eq!(text, "expected OCTET STRING, as a segment of the string, at byte 2 (X.690 §8.1.2)");
        let error = read(b"\x24\x80\x04\x02a", Rules::Ber, step).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}

/// A BIT STRING is one by its type, whatever its tag is.
#[test]
fn contents_of_bit_strings() {
    let read = |input: &[u8], rules, step| {
        let mut events = Events::with(Dribble::new(input, step), Settings::new(rules));
        events.next().unwrap();
        let (mut octets, mut content) = (Vec::new(), events.into_bits());
        match content.read_to_end(&mut octets) {
            Ok(_) => Ok((octets, content.unused_bits())),
            Err(error) => Err(error.to_string()),
        }
    };
    let right: [(&[u8], Rules, &[u8], u8); 6] = [
        (b"\x03\x03\x04a\x60", Rules::Der, b"a\x60", 4),
        // [1] IMPLICIT, in one piece, empty, and in segments.
        (b"\x81\x03\x04a\x60", Rules::Der, b"a\x60", 4),
        (b"\x81\x01\x00", Rules::Der, b"", 0),
        (b"\xA1\x09\x03\x02\x00a\x03\x03\x04b\x60", Rules::Ber, b"ab\x60", 4),
        (b"\xA1\x80\x23\x04\x03\x02\x00a\x03\x02\x01\x02\x00\x00", Rules::Ber, b"a\x02", 1),
        // In BER unused bits may be anything (X.690 §8.6.2.4).
        (b"\x81\x02\x04\xFF", Rules::Ber, b"\xFF", 4),
    ];
    let wrong: [(&[u8], Rules, &str); 6] = [
        (b"\x81\x00", Rules::Der, "§8.6.2.1"),
        (b"\x81\x02\x08a", Rules::Der, "§8.6.2.2"),
        (b"\x81\x01\x01", Rules::Der, "§8.6.2.2"),
        (b"\x81\x02\x04\xFF", Rules::Der, "§11.2.1"),
        // Only the last segment may have unused bits (X.690 §8.6.4.1).
        (b"\xA1\x08\x03\x02\x01\x02\x03\x02\x00a", Rules::Ber, "§8.6.2.2"),
        (b"\xA1\x03\x04\x01a", Rules::Ber, "expected BIT STRING"),
    ];
    for step in [1, 2, 100] {
        for (input, rules, octets, unused) in right {
            assert_eq!(read(input, rules, step), Ok((octets.to_vec(), unused)), "{input:02X?}");
        }
        for (input, rules, says) in wrong {
            let error = read(input, rules, step).unwrap_err();
            assert!(error.contains(says), "{input:02X?}: {error}");
        }
    }
}

/// The first error of a reading, as its kind and offset.
fn first_error(input: &[u8], settings: Settings) -> Option<(FaultKind, u64)> {
    let mut events = Events::with(input, settings);
    loop {
        match events.next() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some((error.kind().unwrap(), error.offset())),
        }
    }
}

/// X.690 §9.3, §10.3, §11.6: without a type, one of the orders of SET and SET OF is enough.
#[test]
fn sets_are_in_an_order() {
    let der = |input: &[u8]| first_error(input, Settings::der());
    assert_eq!(der(&[0x31, 6, 2, 1, 5, 2, 1, 7]), None);
    // Two INTEGERs are no components of a SET.
    assert_eq!(der(&[0x31, 6, 2, 1, 7, 2, 1, 5]), Some((FaultKind::SetOfOrder, 5)));
    assert_eq!(der(&[0x31, 6, 2, 1, 5, 2, 1, 5]), None);
    // By tags a SET, though [0] constructed encodes above [1] primitive.
    assert_eq!(der(&[0x31, 6, 0xA0, 2, 5, 0, 0x81, 0]), None);
    // By neither.
    assert_eq!(der(&[0x31, 5, 4, 0, 2, 1, 5]), Some((FaultKind::SetOfOrder, 4)));
    // In BER any order is right, and a set in a set has its own.
    assert_eq!(first_error(&[0x31, 6, 2, 1, 7, 2, 1, 5], Settings::new(Rules::Ber)), None);
    assert_eq!(der(&[0x31, 8, 0x31, 6, 2, 1, 7, 2, 1, 5]), Some((FaultKind::SetOfOrder, 7)));
    assert_eq!(der(&[0x30, 8, 0x31, 3, 2, 1, 7, 2, 1, 5]), None);
    // In CER an untagged CHOICE may stand anywhere, as long as no two tags are the same.
    let cer = |input: &[u8]| first_error(input, Settings::new(Rules::Cer));
    assert_eq!(cer(&[0x31, 0x80, 4, 0, 2, 1, 5, 0, 0]), None);
    assert_eq!(cer(&[0x31, 0x80, 2, 1, 7, 2, 1, 5, 0, 0]), Some((FaultKind::SetOfOrder, 5)));
    // Switched off.
    assert_eq!(first_error(&[0x31, 6, 2, 1, 7, 2, 1, 5], Settings::der().order(0)), None);
}

/// What is alike for longer than is kept is not compared, and that is said.
#[test]
fn long_elements_of_a_set() {
    let element = |last: u8| {
        let mut octets = vec![4, 0x82, 1, 0];
        octets.extend([7; 255]);
        octets.push(last);
        octets
    };
    let set = |first: u8, second: u8| {
        let content = [element(first), element(second)].concat();
        [&[0x31, 0x82, (content.len() >> 8) as u8, content.len() as u8][..], &content].concat()
    };
    for (input, limit, unknown, wrong) in [
        (set(1, 2), 4096, None, false),
        (set(2, 1), 4096, None, true),
        (set(2, 1), 100, Some(264), false),
        (set(2, 1), 260, None, true),
    ] {
        let mut events = Events::with(&input[..], Settings::der().order(limit).chunk(266));
        let done = loop {
            match events.next() {
                Ok(Some(_)) => {}
                Ok(None) => break None,
                Err(error) => break error.kind(),
            }
        };
        assert_eq!(done, wrong.then_some(FaultKind::SetOfOrder), "{limit}");
        assert_eq!(events.order_unknown(), unknown, "{limit}");
    }
    // Stepped over: not known either.
    let mut events = Events::with(&[0x31, 6, 2, 1, 7, 2, 1, 5][..], Settings::der());
    events.next().unwrap();
    events.next().unwrap();
    events.skip().unwrap();
    while events.next().unwrap().is_some() {}
    assert_eq!(events.order_unknown(), Some(5));
}

/// With a type it is known which order it is, under any tag.
#[test]
fn sets_of_a_type() {
    /// `Ordered ::= SET { a INTEGER, c CHOICE { p [0] NULL, q [5] NULL }, list [1] SET OF INTEGER OPTIONAL }`
    #[derive(Asn1)]
    #[asn1(set)]
    struct Ordered<'a> {
        a: u8,
        c: Either,
        #[asn1(implicit = 1)]
        list: Option<SetOf<'a, u8>>,
    }
    #[derive(Asn1)]
    enum Either {
        #[asn1(implicit = 0)]
        P(Null),
        #[asn1(implicit = 5)]
        Q(Null),
    }
    let read = |input: &[u8], rules| {
        let mut events = NamedEvents::with(input, Settings::new(rules), Ordered::ty());
        loop {
            match events.next() {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => return Some((error.kind().unwrap(), error.offset(), error.path().to_owned())),
            }
        }
    };
    let wrong = |kind, offset, path: &str| Some((kind, offset, path.to_owned()));
    assert_eq!(read(&[0x31, 10, 2, 1, 5, 0xA1, 3, 2, 1, 7, 0x85, 0], Rules::Der), None);
    // By encodings this would do.
    assert_eq!(read(&[0x31, 5, 0x85, 0, 2, 1, 5], Rules::Der), wrong(FaultKind::SetOrder, 4, "a"));
    assert_eq!(read(&[0x31, 6, 2, 1, 5, 2, 1, 7], Rules::Der).map(|error| error.0), Some(FaultKind::SetDuplicate));
    let list = [0x31, 13, 2, 1, 5, 0xA1, 6, 2, 1, 7, 2, 1, 5, 0x85, 0];
    assert_eq!(read(&list, Rules::Der), wrong(FaultKind::SetOfOrder, 10, "list[1]"));
    // In CER the CHOICE stands where [0] would.
    assert_eq!(read(&[0x31, 0x80, 2, 1, 5, 0x85, 0, 0xA1, 0x80, 2, 1, 7, 0, 0, 0, 0], Rules::Cer), None);
    let late = [0x31, 0x80, 2, 1, 5, 0xA1, 0x80, 2, 1, 7, 0, 0, 0x85, 0, 0, 0];
    assert_eq!(read(&late, Rules::Cer), wrong(FaultKind::SetOrder, 12, "c"));
    assert_eq!(read(&late, Rules::Ber), None);
}
