//! Elements of any type, stored in encoded form. They are walked iteratively, never recursively.

use core::fmt;

use crate::decode::Decode;
use crate::encode::{Encode, EncodeError};
use crate::error::Error;
use crate::fault::Fault;
use crate::kept::Kept;
use crate::kind::FaultKind;
use crate::options::Budget;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Shape, Text, Type, Typed};
use crate::tag::{Class, Tag};
use crate::types;
use crate::writer::Writer;

/// An element of any type: its tag, length, content and offset.
///
/// Decoding checks everything that needs no schema: the structure at every level and the content of universal primitive
/// types. It does not check the order of SET components, named bits, DEFAULT values, or the content of context-specific
/// types. [`Decode::outline`] only finds the element's end.
///
/// ```
/// use tagwise_codec::{Any, Decode, Tag};
/// let any = Any::from_der(&[0x30, 0x03, 0x02, 0x01, 0x05])?;
/// assert_eq!(any.tag(), Tag::SEQUENCE);
/// assert_eq!(any.content(), [0x02, 0x01, 0x05]);
/// // Nested elements must be DER, too.
/// assert!(Any::from_der(&[0x30, 0x04, 0x02, 0x02, 0x00, 0x05]).is_err());
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Any<'a> {
    tag: Tag,
    bytes: &'a [u8],
    /// The offset of the element in the outermost input.
    base: u32,
    header: u8,
    /// True if every byte was checked and nothing was tolerated.
    checked: bool,
    kept: Kept,
}

impl<'a> Any<'a> {
    /// Creates a NULL element at an absolute offset. Most algorithms have NULL parameters.
    #[must_use]
    pub const fn null(offset: usize) -> Self {
        // Inputs are at most u32::MAX octets.
        Self { tag: Tag::NULL, bytes: &[0x05, 0x00], base: offset as u32, header: 2, checked: true, kept: Kept::NONE }
    }

    /// Returns the element's tag.
    #[must_use]
    pub const fn tag(&self) -> Tag {
        self.tag
    }

    /// Returns the complete encoding, header included.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the element's content bytes.
    #[must_use]
    pub fn content(&self) -> &'a [u8] {
        self.bytes.get(usize::from(self.header)..).unwrap_or_default()
    }

    /// The absolute offset of the element in the input it was read from.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.base as usize
    }

    /// Returns the rules whose violations were tolerated when the element was decoded.
    pub(crate) const fn kept(&self) -> Kept {
        self.kept
    }

    /// Returns whether violations of the given rule were tolerated when the element was decoded. Later checks of its value then tolerate
    /// the same deviation.
    ///
    /// ```
    /// use tagwise_codec::{Any, Options, Rule};
    /// let read = Options::der().allow(&Rule::NAMED_BITS).decode::<Any>(&[0x05, 0x00])?;
    /// assert!(read.value.tolerates(&Rule::NAMED_BITS) && !read.value.tolerates(&Rule::SIZE));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub fn tolerates(&self, rule: &Rule) -> bool {
        self.kept.has(rule)
    }

    /// Decodes the element as a type, tolerating the same rule violations as when the element itself was decoded
    /// ([`Options::parts`](crate::Options::parts)). Error offsets refer to the original input.
    ///
    /// # Errors
    /// Returns any decoding error in the element.
    pub fn decode_as<T: Decode<'a>>(&self) -> Result<T, Error> {
        decode_span(self.bytes, self.base, self.kept)
    }

    /// Iterates over the elements of a constructed element. A primitive element has none.
    #[must_use]
    pub fn children(&self) -> Children<'a> {
        let content = if self.tag.is_constructed() { self.content() } else { &[] };
        let base = self.base as usize + usize::from(self.header);
        Children { reader: Reader::new(content).ok().map(|reader| reader.at_base(base).keeping(self.kept)) }
    }
}

/// Decodes the bytes of a span, at absolute offset `base`, as one value.
pub(crate) fn decode_span<'a, T: Decode<'a>>(bytes: &'a [u8], base: u32, kept: Kept) -> Result<T, Error> {
    let read = || {
        let mut reader = Reader::new(bytes)?.at_base(base as usize).keeping(kept);
        let value = T::decode(&mut reader)?;
        reader.finish()?;
        Ok(value)
    };
    read().map_err(|fault| Error::locate_at(fault, T::ty(), bytes, base as usize))
}

/// The elements of a constructed [`Any`].
#[derive(Clone, Debug)]
pub struct Children<'a> {
    reader: Option<Reader<'a, 'static>>,
}

impl<'a> Iterator for Children<'a> {
    type Item = Result<Any<'a>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut().filter(|reader| !reader.is_empty())?;
        let child = delimit(reader);
        if child.is_err() {
            self.reader = None;
        }
        Some(child)
    }
}

/// Steps over one element without looking inside.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn delimit<'a>(reader: &mut Reader<'a, '_>) -> Result<Any<'a>, Fault> {
    let (start, base) = (reader.position(), reader.offset());
    let (tag, len) = reader.header()?;
    let header = reader.position() - start;
    reader.take(len)?;
    // Inputs are at most u32::MAX octets, a header at most 6 + 5.
    Ok(Any {
        tag,
        bytes: reader.since(start),
        base: base as u32,
        header: header as u8,
        checked: false,
        kept: reader.kept(),
    })
}

impl fmt::Debug for Any<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Any({:?}, {} bytes at {})", self.tag, self.bytes.len(), self.base)
    }
}

impl PartialEq for Any<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Any<'_> {}

impl Typed for Any<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("ANY", None, Shape::Open { set: None, selector: Text::Const("") }) }
    }
}

#[inline(never)]
fn outline(input: &[u8]) -> Result<Any<'_>, Error> {
    let read = || {
        let mut reader = Reader::new(input)?.outlined();
        let any = Any::decode(&mut reader)?;
        reader.finish()?;
        Ok(any)
    };
    read().map_err(|fault| Error::locate(fault, Any::ty(), input))
}

/// Delimits an input that is one element, with one identifier byte and at most two length bytes.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn common(input: &[u8]) -> Option<Any<'_>> {
    let (first, header, len) = match input {
        [first, len, ..] if *len < 0x80 => (*first, 2, usize::from(*len)),
        [first, 0x82, high, low, ..] if *high != 0 => (*first, 4, usize::from(*high) << 8 | usize::from(*low)),
        [first, 0x81, len, ..] if *len >= 0x80 => (*first, 3, usize::from(*len)),
        _ => return None,
    };
    let whole = input.len() == len + usize::from(header) && first & 0x1F != 0x1F && first & 0xDF != 0;
    whole.then(|| Any {
        tag: Tag::from_low_octet(first),
        bytes: input,
        base: 0,
        header,
        checked: false,
        kept: Kept::NONE,
    })
}

impl<'a> Decode<'a> for Any<'a> {
    #[inline]
    fn outline(input: &'a [u8]) -> Result<Self, Error> {
        match common(input) {
            Some(any) => Ok(any),
            None => outline(input),
        }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn starts(reader: &Reader<'a, '_>) -> bool {
        !reader.is_empty()
    }

    // Not inlined: every crate that reads one would compile it again, in several units.
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        let (start, base, noted) = (reader.position(), reader.offset(), reader.noted());
        let (tag, len) = reader.header()?;
        let header = reader.position().wrapping_sub(start) as u8;
        let deep = reader.is_deep();
        if !deep {
            reader.take(len)?;
        } else if tag.is_constructed() {
            // What is tolerated is for the general way only, and so is saying what is wrong.
            let plain = reader.session().is_none()
                && matches!(tag.class(), Class::Context | Class::Application | Class::Private)
                    | matches!(tag, Tag::SEQUENCE | Tag::SET)
                && reader.rest().get(..len).is_some_and(|content| is_plain(content, reader.depth_left()));
            if !plain {
                walk(&mut reader.clone(), tag, len, start)?;
            }
            reader.take(len)?;
        } else {
            primitive(reader, tag, len, start)?;
        }
        let checked = deep && reader.noted() == noted;
        Ok(Any { tag, bytes: reader.since(start), base: base as u32, header, checked, kept: reader.kept() })
    }
}

impl Encode for Any<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encoded_len(&self) -> usize {
        self.bytes.len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        if !self.checked {
            check(self.bytes, &mut |reader| Any::decode(reader).map(|_| ()))?;
        }
        writer.bytes(self.bytes)
    }
}

/// A callback that decodes the content expected in a span.
// Not a type parameter: what is rare would be compiled for each type.
pub(crate) type Read<'r, 'a> = &'r mut dyn FnMut(&mut Reader<'a, 'static>) -> Result<(), Fault>;

/// Checks that a span is DER if its content was not decoded, or was decoded with deviations. Only DER may be written.
#[cold]
pub(crate) fn check<'a>(bytes: &'a [u8], read: Read<'_, 'a>) -> Result<(), EncodeError> {
    let checked = Reader::new(bytes).and_then(|mut reader| {
        read(&mut reader)?;
        reader.finish()
    });
    if checked.is_ok() { Ok(()) } else { Err(EncodeError::new(FaultKind::NotEncodable)) }
}

/// The number of levels that [`is_plain`] descends.
const PLAIN_DEPTH: usize = 32;

/// Returns whether the content of a constructed element is valid and has the most common form at every level. This is the fast
/// path of [`walk`], which checks the content if this function returns `false`.
#[inline(never)]
fn is_plain(content: &[u8], levels: u32) -> bool {
    let limit = (levels as usize).min(PLAIN_DEPTH);
    // How many octets follow each open value, counted in what is left of `content`.
    let mut stops = [0u32; PLAIN_DEPTH];
    let (mut rest, mut stop, mut depth) = (content, 0usize, 0usize);
    loop {
        while rest.len() == stop {
            let Some(outer) = depth.checked_sub(1) else { return true };
            depth = outer;
            stop = stops.get(outer).map_or(0, |stop| *stop as usize);
        }
        let (first, len, body) = match rest {
            [first, len, body @ ..] if *len < 0x80 => (*first, usize::from(*len), body),
            [first, 0x82, high, low, body @ ..] if *high != 0 => {
                (*first, usize::from(*high) << 8 | usize::from(*low), body)
            }
            [first, 0x81, len, body @ ..] if *len >= 0x80 => (*first, usize::from(*len), body),
            _ => return false,
        };
        let Some((inside, after)) = body.split_at_checked(len) else { return false };
        // Also where the header itself goes beyond the open value.
        if after.len() < stop {
            return false;
        }
        match first {
            0x30 | 0x31 | 0x60..=0x7E | 0xA0..=0xBE | 0xE0..=0xFE => {
                if depth + 2 < limit
                    && let Some(size) = identified(first, rest)
                    && let Some(after) = rest.get(size..)
                    && after.len() >= stop
                {
                    rest = after;
                    continue;
                }
                if depth + 1 >= limit {
                    return false;
                }
                if let Some(slot) = stops.get_mut(depth) {
                    *slot = stop as u32;
                }
                depth += 1;
                stop = after.len();
                rest = body;
            }
            _ if is_plain_primitive(first, body, inside) => rest = after,
            _ => return false,
        }
    }
}

/// Returns the size of two frequent structures, recognized in one step: a SEQUENCE of a three-byte OBJECT IDENTIFIER and an
/// OCTET STRING (`30 LL 06 03 a b c 04 LL …`), or a SET of one SEQUENCE of such an identifier and a primitive element
/// (`31 LL 30 LL 06 03 a b c tag LL …`). The innermost length determines the outer ones.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn identified(first: u8, rest: &[u8]) -> Option<usize> {
    const SET: u64 = u64::from_le_bytes([0x31, 9, 0x30, 7, 6, 3, 0, 0]);
    const SET_MASK: u64 = u64::from_le_bytes([255, 255, 255, 255, 255, 255, 0x80, 0x80]);
    const SET_EACH: u64 = u64::from_le_bytes([0, 1, 0, 1, 0, 0, 0, 0]);
    const SEQUENCE: u64 = u64::from_le_bytes([0x30, 7, 6, 3, 0, 0, 0, 4]);
    const SEQUENCE_MASK: u64 = u64::from_le_bytes([255, 255, 255, 255, 0x80, 0x80, 0x80, 255]);
    const SEQUENCE_EACH: u64 = u64::from_le_bytes([0, 1, 0, 0, 0, 0, 0, 0]);
    let Some((head, [third, tag, last, body @ ..])) = rest.split_first_chunk() else { return None };
    let head = u64::from_le_bytes(*head);
    if first == 0x31 {
        let len = usize::from(*last);
        let is_common = head & SET_MASK == SET + SET_EACH * u64::from(*last) && len < 0x80 - 9 && *third < 0x80;
        return (is_common && is_plain_primitive(*tag, body, body.get(..len)?)).then_some(11 + len);
    }
    // Here the length is what stands in the place of the third octet.
    let is_common = head & SEQUENCE_MASK == SEQUENCE + SEQUENCE_EACH * u64::from(*third) && *third < 0x80 - 7;
    is_common.then_some(9 + usize::from(*third))
}

/// Returns whether a primitive element has a frequent universal type or a tag that is not universal, and valid content. `body`
/// starts with the content and continues after it.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_plain_primitive(first: u8, body: &[u8], content: &[u8]) -> bool {
    match first {
        0x01 => matches!(content, [0x00 | 0xFF]),
        0x02 | 0x0A => match content {
            [0x00, second, ..] => *second >= 0x80,
            [0xFF, second, ..] => *second < 0x80,
            content => !content.is_empty(),
        },
        0x03 => match content {
            [0, ..] => true,
            [unused @ 1..=7, .., last] => u32::from(*unused) <= last.trailing_zeros(),
            _ => false,
        },
        0x04 => true,
        0x05 => content.is_empty(),
        0x06 => types::Oid::from_content(content).is_ok(),
        0x0C => types::Utf8::begins(body, content.len()),
        0x13 => types::Printable::begins(body, content.len()),
        0x16 => types::Ia5::begins(body, content.len()),
        0x17 => types::UtcTime::from_content(content).is_ok(),
        0x40..=0x5E | 0x80..=0x9E | 0xC0..=0xDE => true,
        _ => false,
    }
}

/// Walks the content of a constructed element, and checks everything that needs no schema. The element's header was at `at` and
/// has already been read.
#[inline(never)]
fn walk(reader: &mut Reader<'_, '_>, tag: Tag, len: usize, at: usize) -> Result<(), Fault> {
    let end = reader.position() + len;
    // The ends of the open values; the depth budget bounds how many.
    let mut ends = [0u32; Budget::MAX_DEPTH as usize];
    let limit = (reader.depth_left() as usize).min(ends.len());
    let mut depth = 0usize;
    let mut open = reader.position() + len;
    constructed(reader, tag, at)?;
    loop {
        while reader.position() == open {
            if open == end && depth == 0 {
                return Ok(());
            }
            depth -= 1;
            open = ends.get(depth).copied().unwrap_or_default() as usize;
        }
        let at = reader.position();
        let (tag, len) = reader.header()?;
        if reader.position() + len > open {
            return Err(reader.fault(FaultKind::LengthOverrun, at + tag.encoded_len()));
        }
        if tag.is_constructed() {
            if depth + 1 >= limit {
                return Err(reader.fault(FaultKind::DepthExceeded, reader.position()));
            }
            if let Some(slot) = ends.get_mut(depth) {
                *slot = open as u32;
            }
            depth += 1;
            open = reader.position() + len;
            constructed(reader, tag, at)?;
        } else {
            primitive(reader, tag, len, at)?;
        }
    }
}

/// The universal types that are constructed in DER, as a set of tag numbers: EXTERNAL, EMBEDDED PDV, SEQUENCE, SET, CHARACTER
/// STRING (X.690 §8.9–§8.12, §8.17, §8.18).
pub(crate) const CONSTRUCTED: u64 = 1 << 8 | 1 << 11 | 1 << 16 | 1 << 17 | 1 << 29;
/// The universal types of X.680 §8.6, table 1, that are primitive in DER (X.690 §10.2), as a set of tag numbers.
pub(crate) const PRIMITIVE: u64 = 0x1F_FFFF_FFFE & !CONSTRUCTED & !(1 << 15);

pub(crate) const fn is_one_of(tag: Tag, numbers: u64) -> bool {
    matches!(tag.class(), Class::Universal) && tag.number() < 64 && numbers & 1 << tag.number() != 0
}

#[inline]
fn constructed(reader: &Reader<'_, '_>, tag: Tag, at: usize) -> Result<(), Fault> {
    if is_one_of(tag, PRIMITIVE) {
        return Err(reader.fault(FaultKind::PrimitiveExpected, at).with_detail(tag.first_octet() & !0x20));
    }
    Ok(())
}

/// Checks the content of a universal primitive type.
#[inline]
fn primitive(reader: &mut Reader<'_, '_>, tag: Tag, len: usize, at: usize) -> Result<(), Fault> {
    if is_one_of(tag, CONSTRUCTED) {
        return Err(reader.fault(FaultKind::ConstructedExpected, at).with_detail(tag.first_octet() | 0x20));
    }
    if tag.class() != Class::Universal {
        return reader.take(len).map(|_| ());
    }
    types::check_universal(reader, tag, len)
}
