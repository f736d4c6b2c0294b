//! The cursor, which reads a DER or BER input one element at a time.

use std::mem::MaybeUninit;

use tagwise::codec::ber::{self, Canonical};
use tagwise::codec::{Decode, Fault, GeneralizedTime, Outer, Reader, Session, Tag, UtcTime};

use crate::bytes::{given, put, tagwise_bytes};
use crate::element::{tagwise_element, text_of};
use crate::error::{Problem, tagwise_error};
use crate::options::tagwise_options;
use crate::tag::{pack, unpack};

/// A position in an input, with the stack of entered values. It borrows the input, which must outlive the cursor. Not
/// thread-safe.
pub struct tagwise_cursor {
    // Before what it borrows: fields are dropped in their order.
    reader: Reader<'static, 'static>,
    levels: Vec<Outer<'static>>,
    /// The bytes that the reader borrows.
    bytes: &'static [u8],
    _session: Box<Session<'static>>,
    converted: Option<Box<Canonical<'static>>>,
}

impl tagwise_cursor {
    fn new(
        bytes: &'static [u8],
        converted: Option<Box<Canonical<'static>>>,
        options: Option<&tagwise_options>,
    ) -> Result<Self, Problem> {
        let session = Box::new(Session::new(tagwise_options::of(options)?));
        // SAFETY: The session lives in its box until the cursor is dropped, and the reader is dropped before it.
        let lent: &'static Session<'static> = unsafe { &*std::ptr::from_ref(&*session) };
        let reader = Reader::with_session(bytes, lent)?;
        Ok(Self { reader, levels: Vec::new(), bytes, _session: session, converted })
    }

    fn source(&self, offset: usize) -> usize {
        self.converted.as_ref().map_or(offset, |converted| converted.map.source(offset))
    }

    fn problem(&self, fault: Fault) -> Problem {
        let problem = Problem::fault(fault, self.bytes, 0);
        if self.converted.is_some() { problem.at(self.source(fault.offset())) } else { problem }
    }

    /// Reads with a copy of the reader, so that the cursor does not move if an error occurs.
    pub(crate) fn read<R>(
        &mut self,
        read: impl FnOnce(&mut Reader<'static, 'static>) -> Result<R, Fault>,
    ) -> Result<R, Problem> {
        let mut reader = self.reader.clone();
        let value = read(&mut reader).map_err(|fault| self.problem(fault))?;
        self.reader = reader;
        Ok(value)
    }

    fn element(&mut self, tag: Option<Tag>) -> Result<tagwise_element, Problem> {
        let (found, whole, content, offset) = self.read(|reader| {
            let (position, offset) = (reader.position(), reader.offset());
            let (found, len) = match tag {
                Some(tag) => (tag, reader.expect(tag)?),
                None => reader.header()?,
            };
            let content = reader.take(len)?;
            Ok((found, reader.since(position), content, offset))
        })?;
        Ok(tagwise_element::new(found, whole, content, self.source(offset)))
    }

    pub(crate) fn value<T: Decode<'static>>(&mut self) -> Result<T, Problem> {
        self.read(Reader::read)
    }

    pub(crate) fn text(&mut self) -> Result<String, Problem> {
        let before = self.reader.clone();
        let element = self.element(None)?;
        let text = text_of(&element, element.number(), self.reader.session());
        if text.is_err() {
            self.reader = before;
        }
        text
    }

    /// Reads a time, and returns the seconds since 1970 and the nanoseconds.
    pub(crate) fn time(&mut self) -> Result<(i64, u32), Problem> {
        if self.reader.at(Tag::UTC_TIME) {
            return Ok((self.value::<UtcTime>()?.unix().0, 0));
        }
        let time = self.value::<GeneralizedTime<'_>>()?;
        Ok((time.unix().0, time.nanosecond()))
    }
}

/// Creates a cursor at the start of an input, which it borrows. If the options allow deviations, it reads definite-length
/// BER without conversion.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_new(
    input: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_cursor>> {
    guard!(error, Ok(Some(Box::new(tagwise_cursor::new(input.der()?, None, options)?))))
}

/// Creates a cursor at the start of an element in any form of BER. The element is first converted to DER without a schema;
/// the cursor owns the result. Offsets refer to the input. A segmented string is joined only if it has its universal tag;
/// for other tags, use tagwise_ber_to_der() with a type.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_new_ber(
    input: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_cursor>> {
    guard!(error, {
        let converted = Box::new(ber::to_der_untyped_with(input.der()?, &tagwise_options::ber(options)?)?);
        // SAFETY: The bytes are the caller's, or on the heap of what the cursor owns, and the reader is dropped before that.
        let bytes: &'static [u8] = unsafe { &*std::ptr::from_ref(&*converted.bytes) };
        Ok(Some(Box::new(tagwise_cursor::new(bytes, Some(converted), options)?)))
    })
}

/// Frees a cursor; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_free(cursor: Option<Box<tagwise_cursor>>) {
    guard!(drop(cursor))
}

/// Returns whether the innermost entered value, or the input, has no more elements. Returns true for NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_is_empty(cursor: Option<&tagwise_cursor>) -> bool {
    guard!(cursor.is_none_or(|cursor| cursor.reader.is_empty()))
}

/// Returns the cursor's offset in the input.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_offset(cursor: Option<&tagwise_cursor>) -> usize {
    guard!(cursor.map_or(0, |cursor| cursor.source(cursor.reader.offset())))
}

/// Returns the number of entered values.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_depth(cursor: Option<&tagwise_cursor>) -> usize {
    guard!(cursor.map_or(0, |cursor| cursor.levels.len()))
}

/// Returns the remaining bytes of the innermost entered value, borrowed from the input.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_rest(cursor: Option<&tagwise_cursor>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(cursor.map(|cursor| cursor.reader.rest())))
}

/// Returns the tag of the next element without advancing.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_peek(
    cursor: Option<&tagwise_cursor>,
    tag: Option<&mut MaybeUninit<u32>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        put(tag, pack(cursor.reader.peek().map_err(|fault| cursor.problem(fault))?));
        Ok(true)
    })
}

/// Returns whether the next element has the given tag class and number.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_at(cursor: Option<&tagwise_cursor>, tag: u32) -> bool {
    guard!(cursor.is_some_and(|cursor| unpack(tag).is_ok_and(|tag| cursor.reader.at(tag))))
}

/// Reads the next element, whatever its tag. Its content is not parsed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_next(
    cursor: Option<&mut tagwise_cursor>,
    element: Option<&mut MaybeUninit<tagwise_element>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(element, given(cursor, "cursor")?.element(None)?);
        Ok(true)
    })
}

/// Reads the next element, which must have the given tag.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_read(
    cursor: Option<&mut tagwise_cursor>,
    tag: u32,
    element: Option<&mut MaybeUninit<tagwise_element>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(element, given(cursor, "cursor")?.element(Some(unpack(tag)?))?);
        Ok(true)
    })
}

/// Reads the next element if it has the given tag class and number. Otherwise returns true with an element whose tag is 0
/// and whose bytes are absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_read_optional(
    cursor: Option<&mut tagwise_cursor>,
    tag: u32,
    element: Option<&mut MaybeUninit<tagwise_element>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let (cursor, tag) = (given(cursor, "cursor")?, unpack(tag)?);
        let found = if cursor.reader.at(tag) { cursor.element(Some(tag))? } else { tagwise_element::NONE };
        put(element, found);
        Ok(true)
    })
}

/// Skips the next element.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_skip(
    cursor: Option<&mut tagwise_cursor>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, given(cursor, "cursor")?.element(None).map(|_| true))
}

/// Enters the next element, which must have the given tag and be constructed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_enter(
    cursor: Option<&mut tagwise_cursor>,
    tag: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let (cursor, tag) = (given(cursor, "cursor")?, unpack(tag)?.constructed());
        let outer = cursor.read(|reader| {
            reader.spend_elements(1)?;
            let len = reader.expect(tag)?;
            reader.enter(len)
        })?;
        cursor.levels.push(outer);
        Ok(true)
    })
}

/// Leaves the innermost entered value, which must have been read completely.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_leave(
    cursor: Option<&mut tagwise_cursor>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let outer = *cursor.levels.last().ok_or_else(|| Problem::argument("no value has been entered"))?;
        cursor.read(|reader| reader.leave(outer))?;
        cursor.levels.pop();
        Ok(true)
    })
}

/// Leaves the innermost entered value and skips the rest of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_leave_early(
    cursor: Option<&mut tagwise_cursor>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let outer = *cursor.levels.last().ok_or_else(|| Problem::argument("no value has been entered"))?;
        cursor.read(|reader| {
            reader.take(reader.remaining())?;
            reader.leave(outer)
        })?;
        cursor.levels.pop();
        Ok(true)
    })
}

/// Checks that every entered value was left and that nothing follows the last element.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_finish(
    cursor: Option<&tagwise_cursor>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        if !cursor.levels.is_empty() {
            return Err(Problem::argument("the cursor is still inside a value: leave it first"));
        }
        cursor.reader.clone().finish().map_err(|fault| cursor.problem(fault))?;
        Ok(true)
    })
}
