//! Elements (tag, content and offset), and their content decoded as universal types.

use tagwise::codec::{
    Bmp, DecodeValue, General, GeneralizedTime, Graphic, Ia5, Numeric, Printable, Reader, Session, Tag, Teletex,
    Universal, UtcTime, Utf8, Visible,
};

use crate::bytes::tagwise_bytes;
use crate::error::Problem;
use crate::options::tagwise_options;
use crate::tag::{pack, unpack};

/// An element of an input: tag, complete encoding, content and offset. Its bytes are borrowed from the input.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_element {
    /// The tag, to be compared with TAGWISE_SEQUENCE, TAGWISE_CONTEXT(0) and so on. 0 means no element.
    tag: u32,
    /// The element's offset in the input.
    offset: usize,
    /// The complete encoding.
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

    /// Returns an element's time as seconds since 1970 and nanoseconds. `universal` is the universal tag number of its type; 0
    /// means the element's own tag.
    pub(crate) fn time(&self, universal: u32, options: Option<&tagwise_options>) -> Result<(i64, u32), Problem> {
        match if universal == 0 { self.number() } else { universal } {
            23 => Ok((as_type::<UtcTime>(self, options)?.unix().0, 0)),
            24 => {
                let time = as_type::<GeneralizedTime<'_>>(self, options)?;
                Ok((time.unix().0, time.nanosecond()))
            }
            _ => Err(Problem::argument("the element has no time type")),
        }
    }

    /// Returns an element's text. `universal` is the universal tag number of its string type; 0 means the element's own tag.
    pub(crate) fn text(&self, universal: u32, options: Option<&tagwise_options>) -> Result<String, Problem> {
        let session = Session::new(tagwise_options::of(options)?);
        text_of(self, if universal == 0 { self.number() } else { universal }, Some(&session))
    }

    /// The universal tag number, or 0 for other tag classes.
    pub(crate) fn number(&self) -> u32 {
        unpack(self.tag).ok().filter(|tag| tag.class() == tagwise::codec::Class::Universal).map_or(0, Tag::number)
    }
}

/// Decodes an element's content as a type, regardless of the element's tag.
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

pub(crate) fn as_type<'a, T: DecodeValue<'a>>(
    element: &tagwise_element,
    options: Option<&tagwise_options>,
) -> Result<T, Problem> {
    let session = Session::new(tagwise_options::of(options)?);
    value(element, Some(&session))
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
