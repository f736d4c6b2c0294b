//! Streams: the slice decoder's judgement on DER, the same events whatever the reader's steps and failures are, laxer rules that
//! take what stricter ones take, items and contents that never do harm.
#![no_main]

use std::io::{self, Read};

use libfuzzer_sys::fuzz_target;
use tagwise_codec::stream::{self, Event, Events, Items, NamedEvents, Rules, Settings};
use tagwise_codec::{Any, Budget, Decode, FaultKind, Typed};
use tagwise_pkix::{Certificate, CertificateList, RevokedCertificate};

/// Gives as many octets at a time as a few bits of a pattern say, and fails where it says nothing.
struct Dribble<'i> {
    input: &'i [u8],
    pattern: u64,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pattern = self.pattern.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let step = match self.pattern % 8 {
            0 => return Err(io::ErrorKind::WouldBlock.into()),
            1 => return Err(io::ErrorKind::Interrupted.into()),
            step @ 2..=4 => step as usize,
            step => (step * 100) as usize,
        };
        let count = step.min(buffer.len()).min(self.input.len());
        let (now, later) = self.input.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.input = later;
        Ok(count)
    }
}

/// Asks again where nothing was there yet: what reads to the end gives up otherwise.
struct Stubborn<R>(R);

impl<R: Read> Read for Stubborn<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// What ended a run: nothing, or a kind at an offset.
type End = Option<(FaultKind, u64)>;

/// All events, as words that tell them apart, and the end.
fn run(input: impl Read, settings: Settings) -> (Vec<u64>, End) {
    let mut events = Events::with(input, settings);
    let mut seen = Vec::new();
    loop {
        match events.next() {
            Ok(None) => return (seen, None),
            Ok(Some(Event::Start(start))) => {
                let len = start.len.unwrap_or(u64::MAX);
                seen.extend([1, start.offset, len, u64::from(start.depth), u64::from(start.tag.first_octet())]);
            }
            Ok(Some(Event::Chunk(chunk))) => {
                let sum =
                    chunk.octets.iter().fold(0u64, |sum, octet| sum.wrapping_mul(31).wrapping_add(u64::from(*octet)));
                assert!(!chunk.octets.is_empty());
                seen.extend([2, chunk.offset, chunk.octets.len() as u64, chunk.left, sum]);
            }
            Ok(Some(Event::End(end))) => seen.extend([3, end.offset, end.end, u64::from(end.depth)]),
            Err(error) => match error.kind() {
                None => assert_eq!(error.as_io().map(io::Error::kind), Some(io::ErrorKind::WouldBlock)),
                Some(kind) => return (seen, Some((kind, error.offset()))),
            },
        }
    }
}

/// Values that stand one behind the other, as wholes, and the end. They fill the input from its beginning.
fn wholes(input: impl Read, settings: Settings) -> (Vec<Vec<u8>>, End) {
    let mut events = Events::with(input, settings);
    let (mut seen, mut at) = (Vec::new(), 0);
    loop {
        match events.next_value() {
            Ok(None) => return (seen, None),
            Ok(Some((offset, octets))) => {
                assert_eq!(offset, at);
                at += octets.len() as u64;
                seen.push(octets.to_vec());
            }
            Err(error) => match error.kind() {
                None => assert_eq!(error.as_io().map(io::Error::kind), Some(io::ErrorKind::WouldBlock)),
                Some(kind) => return (seen, Some((kind, error.offset()))),
            },
        }
    }
}

fn agree(data: &[u8], end: End) {
    match (Any::from_der(data), end) {
        (Ok(_), None) => {}
        (Err(slice), Some((kind, offset))) => {
            // A stream finds out at its end that the outermost length was too long.
            let front =
                slice.offset() < 7 && matches!(slice.kind(), FaultKind::LengthOverrun | FaultKind::LengthTooLarge);
            let same = (slice.kind(), slice.offset() as u64) == (kind, offset);
            let beyond = slice.kind() == FaultKind::LengthTooLarge && kind == FaultKind::LengthOverrun;
            assert!(front || same || beyond || kind == FaultKind::TooLongToHold, "{slice}, but {kind:?} at {offset}");
        }
        (slice, end) => panic!("{slice:?}, but {end:?}"),
    }
}

fuzz_target!(|data: &[u8]| {
    // From the octets themselves, so that files are seeds as they are.
    let pattern = data.iter().fold(1, |sum: u64, octet| sum.wrapping_mul(31).wrapping_add(u64::from(*octet))) | 1;
    let mut der = true;
    for rules in [Rules::Der, Rules::Cer, Rules::Ber] {
        for settings in [Settings::new(rules), Settings::new(rules).chunk(266).concatenated()] {
            let (events, end) = run(data, settings);
            assert!(end.is_none_or(|(_, offset)| offset <= data.len() as u64));
            assert_eq!((events, end), run(Dribble { input: data, pattern }, settings));
            let alone = settings == Settings::new(rules);
            match rules {
                Rules::Der if alone => {
                    // Without a type, a slice leaves the order of sets to whoever knows what they are. A stream asks that they
                    // have the one of a SET or the one of a SET OF, and says nothing else before it.
                    let (_, free) = run(data, settings.order(0));
                    match end {
                        Some((FaultKind::SetOrder | FaultKind::SetOfOrder, offset)) => {
                            assert!(free.is_none_or(|(_, later)| later >= offset), "{end:?}, but {free:?}");
                        }
                        _ => assert_eq!(end, free),
                    }
                    agree(data, free);
                    der = free.is_none();
                }
                // Whatever is DER is BER.
                Rules::Ber if alone && der => assert_eq!(end, None),
                _ => {}
            }
        }
        let found = wholes(data, Settings::new(rules).concatenated());
        assert!(found.1.is_some() || found.0.concat() == data);
        assert_eq!(found, wholes(Dribble { input: data, pattern }, Settings::new(rules).concatenated()));
        let most = Budget { depth: Budget::MAX_DEPTH, ..Budget::DEFAULT };
        let settings = Settings::new(rules).budget(most).chunk(266).item(4096);
        for ty in [Certificate::ty(), CertificateList::ty()] {
            let mut events = NamedEvents::with(data, settings, ty);
            while let Ok(Some((event, place))) = events.next() {
                assert!(place.path.len() < 10_000 && place.inner.starts_with(place.path));
                if let Event::Start(start) = event
                    && start.offset % 7 == pattern % 7
                    && events.skip().is_err()
                {
                    break;
                }
            }
        }
        let events = NamedEvents::with(data, settings, CertificateList::ty());
        if let Ok(mut items) = Items::find(events, "tbsCertList.revokedCertificates") {
            let mut errors = 0;
            while errors < 3 {
                match items.next::<RevokedCertificate<'_>>() {
                    Ok(Some(item)) => assert!(item.offset as usize + item.octets.len() <= data.len()),
                    Ok(None) => break,
                    Err(_) => errors += 1,
                }
            }
            let _ = items.finish();
        }
        let mut events = Events::with(data, settings);
        if events.next().is_ok() {
            let mut octets = Vec::new();
            let _ = events.into_content().read_to_end(&mut octets);
            assert!(octets.len() <= data.len());
        }
        // Any element read as a BIT STRING, in whatever steps the reader gives its octets.
        let bits = |input: &mut dyn Read| {
            let mut events = Events::with(input, settings);
            events.next().ok().flatten()?;
            let mut octets = Vec::new();
            let mut content = events.into_bits();
            let whole = content.read_to_end(&mut octets).is_ok();
            assert!(octets.len() <= data.len());
            assert!(!whole || content.unused_bits() < 8);
            Some(whole.then(|| (octets, content.unused_bits())))
        };
        let mut slice = data;
        assert_eq!(bits(&mut slice), bits(&mut Stubborn(Dribble { input: data, pattern })));
    }
    let list = CertificateList::ty();
    let path = "tbsCertList.revokedCertificates";
    if let Ok(entries) = stream::slice_items::<RevokedCertificate<'_>>(data, list, path) {
        let mut streamed = stream::items(data, list, path).unwrap();
        for entry in entries {
            match (entry, streamed.next::<RevokedCertificate<'_>>()) {
                (Ok(one), Ok(Some(other))) => assert_eq!(one, other.value),
                // What cannot be delimited ends a stream, so that the two may go on differently.
                (Err(_), Err(_)) => return,
                (one, other) => panic!("{one:?}, but {other:?}"),
            }
        }
        assert!(matches!(streamed.next_octets(), Ok(None)));
    }
});
