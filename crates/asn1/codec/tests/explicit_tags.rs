//! EXPLICIT tags: both headers read at one go give what one after the other gives, place and fault included.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, reason = "tests")]

use tagwise_codec::{Budget, Decode, Fault, Options, Reader, SeqOf, Session, Tag};

const TAG: Tag = Tag::context(3);

/// Reads a value in both ways from as many bytes inside of a SEQUENCE; gives whether there is one.
fn compare<'a, T: Decode<'a> + PartialEq + core::fmt::Debug>(
    input: &'a [u8],
    len: usize,
    session: &Session<'_>,
) -> bool {
    let read = |read: fn(&mut Reader<'a, '_>) -> Result<T, Fault>| {
        let mut reader = Reader::with_session(input, session).unwrap();
        let outer = reader.enter(len)?;
        let value = read(&mut reader)?;
        let place = (reader.position(), reader.remaining());
        reader.take(reader.remaining())?;
        reader.leave(outer)?;
        Ok::<_, Fault>((value, place, reader.position()))
    };
    let one = read(|reader| reader.read_explicit(TAG));
    let other = read(|reader| reader.element(TAG.constructed(), |reader| reader.read()));
    assert_eq!(one, other, "{len} of {:02X?}", &input[..input.len().min(40)]);
    one.is_ok()
}

/// Each byte set to each value, the element cut at each place and with more behind it.
fn mutations<T: for<'a> Decode<'a> + PartialEq + core::fmt::Debug>(element: &[u8]) {
    let session = Session::new(Options::der());
    let longer = [element, &[0x05, 0x00]].concat();
    for input in [element, &longer] {
        assert!(compare::<T>(input, element.len(), &session) && compare::<T>(input, input.len(), &session));
    }
    for at in 0..element.len().min(12) {
        assert!(!compare::<T>(&longer, element.len() - 1 - at, &session));
        for value in 0..=255 {
            let mut changed = longer.clone();
            changed[at] = value;
            compare::<T>(&changed, element.len(), &session);
            compare::<T>(&changed, changed.len(), &session);
        }
    }
}

#[test]
fn short_forms() {
    mutations::<u64>(&[0xA3, 0x03, 0x02, 0x01, 0x05]);
    mutations::<u64>(&[0xA3, 0x04, 0x02, 0x02, 0x01, 0x00]);
    mutations::<bool>(&[0xA3, 0x03, 0x01, 0x01, 0xFF]);
}

#[test]
fn lengths_around_a_change_of_form() {
    let header = |tag: u8, len: usize| match len {
        0..0x80 => vec![tag, len as u8],
        0x80..0x100 => vec![tag, 0x81, len as u8],
        0x100..0x1_0000 => vec![tag, 0x82, (len >> 8) as u8, len as u8],
        _ => vec![tag, 0x83, (len >> 16) as u8, (len >> 8) as u8, len as u8],
    };
    for len in [0, 0x7D, 0x7E, 0x7F, 0x80, 0xFC, 0xFD, 0xFF, 0x100, 0xFFFB, 0xFFFC, 0xFFFF, 0x1_0000] {
        let inner = [header(0x0C, len), vec![b'x'; len]].concat();
        mutations::<String>(&[header(0xA3, inner.len()), inner].concat());
    }
}

#[test]
fn levels() {
    // The SEQUENCE, the explicit tag, the list.
    let element = [0xA3, 0x08, 0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x02];
    for depth in 0..5 {
        let session = Session::new(Options::der().budget(Budget { depth, ..Budget::DEFAULT }));
        assert_eq!(compare::<SeqOf<'_, u8>>(&element, element.len(), &session), depth >= 3, "{depth}");
    }
}
