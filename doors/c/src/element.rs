//! Elements (tag, content and offset), and their content decoded as universal types.

use std::mem::MaybeUninit;

use tagwise::codec::{
    BitStr, Bmp, DecodeValue, General, GeneralizedTime, Graphic, Ia5, Int, Null, Numeric, Oid, Printable, Reader, Real,
    RelativeOid, Session, Tag, Teletex, Universal, UnixTime, UtcTime, Utf8, Visible,
};

use crate::bytes::{given, put, tagwise_buffer, tagwise_bytes};
use crate::error::{Problem, tagwise_error};
use crate::options::tagwise_options;
use crate::tag::{pack, unpack};

/// An element of an input: tag, complete encoding, content and offset. Its bytes are borrowed from the input.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_element {
    /// The tag, to be compared with TAGWISE_SEQUENCE, TAGWISE_CONTEXT(0) and so on; 0 for no element.
    tag: u32,
    /// The offset of the element in the input.
    offset: usize,
    /// The whole encoding.
    whole: tagwise_bytes,
    /// The content.
    content: tagwise_bytes,
}

impl tagwise_element {
    pub(crate) const NONE: Self = Self { tag: 0, offset: 0, whole: tagwise_bytes::NONE, content: tagwise_bytes::NONE };

    pub(crate) fn new(tag: Tag, whole: &[u8], content: &[u8], offset: usize) -> Self {
        Self { tag: pack(tag), offset, whole: tagwise_bytes::of(whole), content: tagwise_bytes::of(content) }
    }

    /// Creates an element of a universal type from its content, without a complete encoding.
    pub(crate) const fn leaf(universal: u32, content: &[u8], offset: usize) -> Self {
        Self { tag: universal, offset, whole: tagwise_bytes::of(content), content: tagwise_bytes::of(content) }
    }

    pub(crate) const fn whole(&self) -> tagwise_bytes {
        self.whole
    }

    /// The universal tag number, or 0 for other tag classes.
    pub(crate) fn number(&self) -> u32 {
        unpack(self.tag).ok().filter(|tag| tag.class() == tagwise::codec::Class::Universal).map_or(0, Tag::number)
    }
}

/// Reads the content of an element as a type, whatever its tag.
fn value<'a, T: DecodeValue<'a>>(element: &tagwise_element, session: Option<&Session<'_>>) -> Result<T, Problem> {
    let (content, whole): (&'a [u8], &[u8]) = (element.content.get()?, element.whole.get()?);
    let base = element.offset.saturating_add(whole.len().saturating_sub(content.len()));
    let read = || {
        let mut reader = match session {
            None => Reader::new(content)?,
            Some(session) => Reader::with_session(content, session)?,
        };
        let value = T::decode_value(&mut reader, content.len())?;
        reader.finish()?;
        Ok(value)
    };
    read().map_err(|fault: tagwise::codec::Fault| Problem::fault(fault, content, 0).moved(base))
}

fn as_type<'a, T: DecodeValue<'a>>(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
) -> Result<T, Problem> {
    let session = Session::new(tagwise_options::of(options)?);
    value(given(element, "element")?, Some(&session))
}

/// Decodes an element's text as the character string type with the given universal tag number.
pub(crate) fn text_of(
    element: &tagwise_element,
    number: u32,
    session: Option<&Session<'_>>,
) -> Result<String, Problem> {
    macro_rules! ascii {
        ($ty:ident) => {
            value::<$ty<'_>>(element, session)?.as_str().map(str::to_owned)
        };
    }
    let text = match number {
        12 => Some(value::<Utf8<'_>>(element, session)?.as_str().to_owned()),
        18 => ascii!(Numeric),
        19 => ascii!(Printable),
        20 => Some(value::<Teletex<'_>>(element, session)?.latin1_chars().collect()),
        22 => ascii!(Ia5),
        25 => ascii!(Graphic),
        26 => ascii!(Visible),
        27 => ascii!(General),
        28 => Some(value::<Universal<'_>>(element, session)?.chars().collect()),
        30 => Some(value::<Bmp<'_>>(element, session)?.chars().collect()),
        // Times, dates and IRIs have the characters they are written with (X.680 §38, §46 to §48).
        14 | 23 | 24 | 31..=36 => std::str::from_utf8(element.content.get()?).ok().map(str::to_owned),
        _ => return Err(Problem::argument("the element has no character string type")),
    };
    text.ok_or_else(|| {
        Problem::new(
            crate::error::tagwise_error_kind::Input,
            "string-alphabet",
            "the string has non-ASCII characters of an unknown character set",
        )
    })
}

/// Writes a time to the caller's variables.
pub(crate) fn place_of(
    time: UnixTime,
    nanos: u32,
    seconds: Option<&mut MaybeUninit<i64>>,
    nanoseconds: Option<&mut MaybeUninit<u32>>,
) {
    put(seconds, time.0);
    put(nanoseconds, nanos);
}

/// Reads the content of an element as a BOOLEAN. Like all tagwise_element functions, it does not check the tag, so that
/// elements with IMPLICIT tags can be read.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_boolean(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(out, as_type::<bool>(element, options)?);
        Ok(true)
    })
}

/// Reads the content of an element as an INTEGER or ENUMERATED that fits a signed 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_int64(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(out, as_type::<i64>(element, options)?);
        Ok(true)
    })
}

/// Reads the content of an element as an INTEGER or ENUMERATED that fits an unsigned 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_uint64(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(out, as_type::<u64>(element, options)?);
        Ok(true)
    })
}

/// Checks that the content of an element is an INTEGER of any size, and returns it: two's complement, most significant byte
/// first.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_integer(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(out, tagwise_bytes::of(as_type::<Int<'_>>(element, options)?.as_bytes()));
        Ok(true)
    })
}

/// Checks that the content of an element is a NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_null(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, as_type::<Null>(element, options).map(|_| true))
}

/// Checks that the content of an element is an OBJECT IDENTIFIER, and returns it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_oid(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(out, tagwise_bytes::of(as_type::<Oid<'_>>(element, options)?.as_bytes()));
        Ok(true)
    })
}

/// Checks that the content of an element is a RELATIVE-OID, and returns it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_relative_oid(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(out, tagwise_bytes::of(as_type::<RelativeOid<'_>>(element, options)?.as_bytes()));
        Ok(true)
    })
}

/// Reads the content of an element as a BIT STRING: its bytes, and the number of unused bits in the last byte.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_bits(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    unused: Option<&mut MaybeUninit<u8>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let bits = as_type::<BitStr<'_>>(element, options)?;
        put(out, tagwise_bytes::of(bits.as_bytes()));
        put(unused, bits.unused_bits());
        Ok(true)
    })
}

/// Reads the content of an element as a REAL. A value that does not fit a double is rounded, or becomes infinite.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_real(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<f64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(out, as_type::<Real<'_>>(element, options)?.to_f64());
        Ok(true)
    })
}

/// Reads the content of an element as a UTCTime if `universal` is TAGWISE_UTC_TIME, or as a GeneralizedTime if it is
/// TAGWISE_GENERALIZED_TIME. If it is 0, the element's own tag determines the type. The result is in seconds since 1970 and
/// nanoseconds.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_time(
    element: Option<&tagwise_element>,
    universal: u32,
    options: Option<&tagwise_options>,
    seconds: Option<&mut MaybeUninit<i64>>,
    nanoseconds: Option<&mut MaybeUninit<u32>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let found = given(element, "element")?;
        match if universal == 0 { found.number() } else { universal } {
            23 => place_of(as_type::<UtcTime>(element, options)?.unix(), 0, seconds, nanoseconds),
            24 => {
                let time = as_type::<GeneralizedTime<'_>>(element, options)?;
                place_of(time.unix(), time.nanosecond(), seconds, nanoseconds);
            }
            _ => return Err(Problem::argument("the element has no time type")),
        }
        Ok(true)
    })
}

/// Reads the content of an element as a string of the type `universal`, such as TAGWISE_BMP_STRING. If it is 0, the
/// element's own tag determines the type. The text is returned as UTF-8 in a buffer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_text(
    element: Option<&tagwise_element>,
    universal: u32,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let element = given(element, "element")?;
        let session = Session::new(tagwise_options::of(options)?);
        let number = if universal == 0 { element.number() } else { universal };
        Ok(tagwise_buffer::new(text_of(element, number, Some(&session))?))
    })
}
