//! The writer, which encodes nested values as DER, from the first element to the last.

use std::mem::MaybeUninit;

use tagwise::codec::{Any, Budget, Decode, Encode, EncodeError, EncodeValue, FaultKind, Reader, Tag, Writer, encode};

use crate::bytes::{given, tagwise_buffer, tagwise_bytes};
use crate::error::{Problem, tagwise_error};
use crate::options::tagwise_options;
use crate::settings::Settings;
use crate::tag::{unpack, unpack_or};

/// An encoding under construction. Not thread-safe. After a failed call, every later call fails with the same error,
/// including tagwise_writer_finish(), because the encoding would be incomplete.
pub struct tagwise_writer(pub(crate) Settings<Encoding>);

/// The encoding so far.
pub(crate) struct Encoding {
    done: Vec<u8>,
    open: Vec<Level>,
    depth: usize,
    output: u64,
}

/// A value that has been begun but not ended.
struct Level {
    tag: Tag,
    /// The length of the encoding before the value.
    start: usize,
    /// The start of each element inside the value.
    elements: Vec<usize>,
}

impl Encoding {
    /// Appends one or more elements.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let at = self.done.len();
        if (at as u64).saturating_add(bytes.len() as u64) > self.output {
            return Err(EncodeError::new(FaultKind::OutputExceeded).into());
        }
        self.done.extend_from_slice(bytes);
        if let Some(level) = self.open.last_mut() {
            level.elements.push(at);
        }
        Ok(())
    }

    /// Appends a value with the caller's tag, or with its own tag.
    pub(crate) fn value<T: Encode + EncodeValue>(&mut self, tag: u32, value: &T) -> Result<(), Problem> {
        let own = T::TAG;
        let tag = unpack_or(tag, own)?;
        if tag == own {
            return self.append(&encode(value)?);
        }
        self.append(&encode(&Implicit { tag, value })?)
    }

    fn end(&mut self, arrange: impl FnOnce(&[u8], &mut Vec<&[u8]>) -> Result<(), Problem>) -> Result<(), Problem> {
        let level = self.open.last().ok_or_else(|| Problem::argument("no value is open"))?;
        let ends = level.elements.iter().skip(1).copied().chain([self.done.len()]);
        let mut parts: Vec<&[u8]> =
            level.elements.iter().zip(ends).filter_map(|(start, end)| self.done.get(*start..end)).collect();
        arrange(&self.done, &mut parts)?;
        let content = parts.concat();
        let (start, element) = (level.start, element(level.tag, &content)?);
        if (start as u64).saturating_add(element.len() as u64) > self.output {
            return Err(EncodeError::new(FaultKind::OutputExceeded).into());
        }
        self.open.pop();
        self.done.truncate(start);
        self.append(&element)
    }
}

/// A value with an IMPLICIT tag.
struct Implicit<'v, T> {
    tag: Tag,
    value: &'v T,
}

impl<T: EncodeValue> Encode for Implicit<'_, T> {
    fn encoded_len(&self) -> usize {
        tagwise::codec::implicit_len(self.tag, self.value)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.write_implicit(self.tag, self.value)
    }
}

/// Encodes an element.
pub(crate) fn element(tag: Tag, content: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut bytes = vec![0; content.len().saturating_add(16)];
    let free = {
        let mut writer = Writer::new(&mut bytes);
        writer.bytes(content)?;
        writer.header(tag, content.len())?;
        writer.free()
    };
    Ok(bytes.split_off(free))
}

/// Creates a writer with the budget from the given options. Free it with tagwise_writer_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_new(options: Option<&tagwise_options>) -> Option<Box<tagwise_writer>> {
    guard!({
        let encoding = tagwise_options::of(options).map(|options| {
            let Budget { depth, output, .. } = options.budget_in_force();
            Encoding { done: Vec::new(), open: Vec::new(), depth: usize::from(depth), output }
        });
        Some(Box::new(tagwise_writer(Settings::of(encoding))))
    })
}

/// Frees a writer; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_free(writer: Option<Box<tagwise_writer>>) {
    guard!(drop(writer))
}

/// Begins a constructed value with the given tag, such as TAGWISE_SEQUENCE. Subsequent values are written into it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_begin(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let tag = unpack(tag)?.constructed();
        if writer.open.len() >= writer.depth {
            return Err(EncodeError::new(FaultKind::DepthExceeded).into());
        }
        writer.open.push(Level { tag, start: writer.done.len(), elements: Vec::new() });
        Ok(())
    })
}

/// Ends the innermost open value.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_end(
    writer: Option<&mut tagwise_writer>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.end(|_, _| Ok(())))
}

/// Ends the innermost open value as a SET OF and sorts its elements by their encodings (X.690 clause 11.6).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_end_set_of(
    writer: Option<&mut tagwise_writer>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        writer.end(|_, parts| {
            parts.sort_unstable();
            Ok(())
        })
    })
}

/// Ends the innermost open value as a SET and sorts its elements by tag (X.690 clause 10.3). Duplicate tags are an error.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_end_set(
    writer: Option<&mut tagwise_writer>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        writer.end(|_, parts| {
            let mut tagged = Vec::with_capacity(parts.len());
            for part in parts.iter() {
                let tag = Reader::new(part)?.peek()?;
                tagged.push(((tag.class() as u8, tag.number()), *part));
            }
            tagged.sort_unstable();
            if tagged.windows(2).any(|pair| matches!(pair, [(one, _), (other, _)] if one == other)) {
                return Err(EncodeError::new(FaultKind::SetDuplicate).into());
            }
            *parts = tagged.into_iter().map(|(_, part)| part).collect();
            Ok(())
        })
    })
}

/// Writes an encoded element, which is checked as far as possible without a schema.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_encoded(
    writer: Option<&mut tagwise_writer>,
    element: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| { writer.append(Any::from_der(element.get()?)?.as_bytes()) })
}

/// Writes a primitive element with the given content and a tag that is not universal.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_primitive(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    content: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let tag = unpack(tag)?;
        if tag.class() == tagwise::codec::Class::Universal {
            return Err(Problem::argument("the tag is universal: use the function for its type"));
        }
        writer.append(&element(Tag::new(tag.class(), tag.number(), false), content.get()?)?)
    })
}

/// Returns the encoding and empties the writer. All values must have been ended.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_finish(
    writer: Option<&mut tagwise_writer>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let writer = given(writer, "writer")?.0.get_mut()?;
        if !writer.open.is_empty() {
            return Err(Problem::argument("a value is still open"));
        }
        Ok(tagwise_buffer::new(std::mem::take(&mut writer.done)))
    })
}
