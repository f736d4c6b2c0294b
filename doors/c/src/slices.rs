//! Locates parts of an encoding by position, to return their original bytes.

use std::mem::MaybeUninit;

use tagwise::codec::{Frame, Options, Reader, Session, Tag, ber, frame};

use crate::bytes::{given, put, tagwise_bytes};
use crate::element::tagwise_element;
use crate::error::{Problem, tagwise_error};
use crate::options::tagwise_options;

/// Returns the encoding of the child element at the given index. A first child with the tag `before` is not counted.
pub(crate) fn part(whole: &[u8], before: Option<Tag>, index: usize) -> Option<&[u8]> {
    // The whole was read already, perhaps under options: what matters here is only where elements end.
    let session = Session::new(Options::ber_definite());
    let mut reader = Reader::with_session(whole, &session).ok()?;
    let (_, len) = reader.header().ok()?;
    let _outer = reader.enter(len).ok()?;
    if before.is_some_and(|tag| reader.at(tag)) {
        reader.skip().ok()?;
    }
    for _ in 0..index {
        reader.skip().ok()?;
    }
    reader.skip().ok()
}

/// Returns the element that starts at a position in `whole`.
fn element_at(whole: &[u8], start: usize) -> Option<&[u8]> {
    let rest = whole.get(start..)?;
    // Strictly first: under options a length may be longer than it needs to be.
    let session = Session::new(Options::ber_definite());
    Reader::new(rest)
        .and_then(|mut reader| reader.skip())
        .or_else(|_| Reader::with_session(rest, &session)?.skip())
        .ok()
}

/// Returns the position of a part in `whole`.
fn position(whole: &[u8], part: &[u8]) -> Option<usize> {
    (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize).filter(|start| *start <= whole.len())
}

/// Returns the element that follows a part of `whole`.
pub(crate) fn after<'a>(whole: &'a [u8], part: &[u8]) -> Option<&'a [u8]> {
    element_at(whole, position(whole, part)?.checked_add(part.len())?)
}

/// Returns the element whose content is a part of `whole`, if its header has the minimum length.
pub(crate) fn around<'a>(whole: &'a [u8], content: &[u8]) -> Option<&'a [u8]> {
    let header = match content.len() {
        0..0x80 => 2,
        0x80..0x100 => 3,
        0x100..0x1_0000 => 4,
        _ => return None,
    };
    let found = element_at(whole, position(whole, content)?.checked_sub(header)?)?;
    (found.len() == header + content.len()).then_some(found)
}

/// Removes the next element from concatenated elements.
pub(crate) fn next<'a>(rest: Option<&mut tagwise_bytes>, session: &Session<'_>) -> Result<Option<&'a [u8]>, Problem> {
    let rest = given(rest, "rest")?;
    let row: &'a [u8] = rest.get()?;
    if row.is_empty() {
        return Ok(None);
    }
    let read = || {
        let mut reader = Reader::with_session(row, session)?;
        reader.spend_elements(1)?;
        let element = reader.skip()?;
        Ok((element, reader.rest()))
    };
    let (element, after) = read().map_err(|fault| Problem::fault(fault, row, 0))?;
    *rest = tagwise_bytes::of(after);
    Ok(Some(element))
}

/// Gets the next of several concatenated elements, such as the content of a SEQUENCE, and advances `rest` past it. Returns
/// false, without setting an error, after the last one. Offsets are relative to the initial `rest`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_next(
    rest: Option<&mut tagwise_bytes>,
    options: Option<&tagwise_options>,
    element: Option<&mut MaybeUninit<tagwise_element>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let session = Session::new(tagwise_options::of(options)?);
        let Some(whole) = next(rest, &session)? else { return Ok(false) };
        let mut reader = Reader::with_session(whole, &session)?;
        let (tag, len) = reader.header()?;
        put(element, tagwise_element::new(tag, whole, reader.take(len)?, 0));
        Ok(true)
    })
}

/// Determines the length of the element at the start of an input. `rules` is a value of enum tagwise_rules; with
/// TAGWISE_RULES_BER, lengths may be indefinite. Returns false, without setting an error, if the element is incomplete.
/// `missing` is then set to the number of missing bytes, which is a minimum until the length is known. Bytes after the element
/// are never read. Its contents are read only if the length is indefinite. Use it to split the input from a socket or a file of
/// concatenated records.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_length(
    input: tagwise_bytes,
    rules: u32,
    options: Option<&tagwise_options>,
    length: Option<&mut MaybeUninit<usize>>,
    missing: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let input = input.get()?;
        let found = match rules {
            0 => frame(input, &tagwise_options::of(options)?),
            1 => ber::frame(input, &tagwise_options::ber(options)?),
            _ => return Err(Problem::argument("not a value of enum tagwise_rules")),
        };
        match found.map_err(|fault| Problem::fault(fault, input, 0))? {
            Frame::Complete(bytes) => {
                put(length, bytes);
                Ok(true)
            }
            Frame::NeedMore(bytes) => {
                put(missing, bytes);
                Ok(false)
            }
        }
    })
}
