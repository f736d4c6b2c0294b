//! Parts of an encoding by their places: what stands between a value's fields, as it stands there.

use std::mem::MaybeUninit;

use tagwise::codec::{Options, Reader, Session, Tag};

use crate::bytes::{given, put, tagwise_bytes};
use crate::element::tagwise_element;
use crate::error::{Problem, tagwise_error};
use crate::options::tagwise_options;

/// The element of that index inside an element, as it stands; an element with the tag `before` at the start is not counted.
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

/// Takes the next element off a row of elements.
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

/// Gives the next element of a row of elements, as the content of a SEQUENCE is, and moves `rest` behind it. Returns false with no error
/// after the last one. Offsets count from where `rest` started.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_next(
    rest: Option<&mut tagwise_bytes>,
    options: Option<&tagwise_options>,
    element: Option<&mut MaybeUninit<tagwise_element>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let session = Session::new(tagwise_options::of(options));
        let Some(whole) = next(rest, &session)? else { return Ok(false) };
        let mut reader = Reader::with_session(whole, &session)?;
        let (tag, len) = reader.header()?;
        put(element, tagwise_element::new(tag, whole, reader.take(len)?, 0));
        Ok(true)
    })
}
