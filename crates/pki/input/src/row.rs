//! Concatenated values.

use std::borrow::Cow;

use tagwise_codec::stream::{Event, Events, Rules, Settings};
use tagwise_codec::{Frame, Options, Reader, RuleSet, Session, ber};

/// Returns the end offsets of concatenated values such as certificates, CRLs and messages. Each is a constructed
/// element. The list ends before any other or malformed data.
///
/// ```
/// use tagwise_codec::RuleSet;
/// let row = [0x30, 0x00, 0x30, 0x02, 0x05, 0x00, 0x0A];
/// assert_eq!(tagwise_input::row::ends(&row, RuleSet::NONE), [2, 6]);
/// ```
#[must_use]
pub fn ends(octets: &[u8], rules: RuleSet) -> Vec<usize> {
    let session = Session::new(Options::der().rules(rules));
    let mut ends = Vec::new();
    if let Ok(mut reader) = Reader::with_session(octets, &session) {
        while reader.peek().is_ok_and(|tag| tag.is_constructed()) && reader.skip().is_ok() {
            ends.push(reader.position());
        }
    }
    ends
}

/// Splits concatenated values. If `held` is true, the values are checked against the rules as far as possible without a
/// type. Otherwise, they are only delimited. Under BER, bytes 00 behind the last value are padding and left out.
///
/// ```
/// use tagwise_codec::stream::Rules;
/// let values = tagwise_input::row::values(&[0x05, 0x00, 0x02, 0x01, 0x07], Rules::Der, true).unwrap();
/// assert_eq!(values, [&[0x05, 0x00][..], &[0x02, 0x01, 0x07]]);
/// ```
///
/// # Errors
/// Returns the first error with its position, as text, if a value is malformed.
pub fn values(bytes: &[u8], rules: Rules, held: bool) -> Result<Vec<&[u8]>, String> {
    // The conversion itself says what is out of order, where a type does.
    let bytes = if rules == Rules::Ber { ber::unpadded(bytes) } else { bytes };
    let mut events = Events::with(bytes, Settings::new(rules).concatenated().order(0));
    let mut values = Vec::new();
    let mut start = 0;
    while let Some(event) = events.next().map_err(|error| error.to_string())? {
        let end = match event {
            Event::Start(header) if header.depth == 0 && !held => {
                events.skip().map_err(|error| error.to_string())?;
                events.offset()
            }
            Event::End(end) if end.depth == 0 => end.end,
            _ => continue,
        };
        let end = usize::try_from(end).unwrap_or(bytes.len());
        values.push(bytes.get(start..end).unwrap_or_default());
        start = end;
    }
    Ok(values)
}

/// A part of a record file: see [`records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// A BER value.
    Value(&'a [u8]),
    /// Padding of a block, in which all bytes are 00 or all are FF.
    Filler(&'a [u8]),
}

/// Splits a record file, such as charging data records (3GPP TS 32.297 §6.1): concatenated BER values, with blocks
/// padded with bytes 00 or FF. Returns `None` if it contains anything else, or no value.
///
/// ```
/// use tagwise_input::row::{Record, records};
/// let file = [0x05, 0x00, 0xFF, 0xFF, 0xFF, 0x02, 0x01, 0x07, 0x00];
/// let parts = records(&file).unwrap();
/// assert_eq!(parts, [Record::Value(&[5, 0]), Record::Filler(&[0xFF; 3]), Record::Value(&[2, 1, 7]), Record::Filler(&[0])]);
/// assert_eq!(records(&[0x05, 0x00, 0x02]), None);
/// assert_eq!(records(&[0x00, 0x00]), None);
/// ```
#[must_use]
pub fn records(bytes: &[u8]) -> Option<Vec<Record<'_>>> {
    let options = Options::ber_definite();
    let mut records = Vec::new();
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|byte| *byte == first).count();
        // No value begins with 00 (X.690 §8.1.5 keeps that tag for end-of-contents), and FF FF begins a tag number above 16,255 at least.
        let is_filler = *first == 0x00 || *first == 0xFF && (run > 1 || run == rest.len());
        let (record, len) = match ber::frame(rest, &options) {
            _ if is_filler => (Record::Filler as fn(_) -> _, run),
            Ok(Frame::Complete(len)) => (Record::Value as fn(_) -> _, len),
            _ => return None,
        };
        let (part, after) = rest.split_at_checked(len)?;
        records.push(record(part));
        rest = after;
    }
    records.iter().any(|record| matches!(record, Record::Value(_))).then_some(records)
}

/// Returns a range of borrowed or owned bytes.
pub(crate) fn part<'a>(octets: &Cow<'a, [u8]>, from: usize, to: usize) -> Cow<'a, [u8]> {
    match octets {
        Cow::Borrowed(octets) => Cow::Borrowed(octets.get(from..to).unwrap_or_default()),
        Cow::Owned(octets) => Cow::Owned(octets.get(from..to).unwrap_or_default().to_vec()),
    }
}
