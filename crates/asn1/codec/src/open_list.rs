//! Lists whose element type is selected by one component: `SET OF ATTRIBUTE.&Type ({Set}{@type})` (X.682 §10).

use core::fmt;
use core::marker::PhantomData;

use crate::any::{Any, check};
use crate::encode::EncodeError;
use crate::error::Error;
use crate::fault::Fault;
use crate::kept::Kept;
use crate::open::{DecodeOpen, EncodeOpen, Open, OpenType};
use crate::reader::Reader;
use crate::seq_of::{Items, SeqOf, go_through, go_through_set};
use crate::table::{ObjectSet, Shape, Type, TypeRef};
use crate::tag::Tag;
use crate::writer::{Writer, element_len};

/// A `SEQUENCE OF` an open type: see [`OpenListOf`].
pub type OpenSeqOf<'a, S> = OpenListOf<'a, S, false>;

/// A `SET OF` an open type: see [`OpenListOf`].
pub type OpenSetOf<'a, S> = OpenListOf<'a, S, true>;

/// A list whose element type is selected by a sibling component.
///
/// If the element type is known, elements are checked when the list is read, and decoded on access. Use it as the type
/// of a `defined_by` component:
///
/// ```
/// use tagwise_codec::{Decode, FaultKind, Oid, OpenSetOf, Unknown, encode};
/// use tagwise_derive::Asn1;
///
/// #[derive(Asn1, Debug)]
/// struct Attribute<'a> {
///     id: Oid<'a>,
///     #[asn1(defined_by = id)]
///     values: OpenSetOf<'a, AttributeSet<'a>>,
/// }
///
/// #[derive(Asn1, Debug)]
/// #[asn1(open_type)]
/// enum AttributeSet<'a> {
///     #[asn1(oid = "1.2.3")]
///     Number(u8),
///     #[asn1(unknown)]
///     Unknown(Unknown<'a>),
/// }
///
/// let der = [0x30, 12, 0x06, 2, 0x2A, 3, 0x31, 6, 0x02, 1, 5, 0x02, 1, 7];
/// let attribute = Attribute::from_der(&der)?;
/// let values: Result<Vec<_>, _> = attribute.values.iter().map(|value| value?.get()).collect();
/// assert!(matches!(values?[..], [AttributeSet::Number(5), AttributeSet::Number(7)]));
/// assert_eq!(encode(&attribute)?, der);
///
/// let text = [0x30, 9, 0x06, 2, 0x2A, 3, 0x31, 3, 0x0C, 1, b'x'];
/// let error = Attribute::from_der(&text).unwrap_err();
/// assert_eq!((error.kind(), error.path()), (FaultKind::UnexpectedTag, "values[0]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpenListOf<'a, S, const SET: bool> {
    key: &'a [u8],
    content: &'a [u8],
    base: u32,
    /// True if every byte was checked, as far as the type is known, and nothing was tolerated.
    checked: bool,
    kept: Kept,
    set: PhantomData<fn() -> S>,
}

impl<S, const SET: bool> Clone for OpenListOf<'_, S, SET> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, const SET: bool> Copy for OpenListOf<'_, S, SET> {}

impl<'a, S, const SET: bool> OpenListOf<'a, S, SET> {
    const TAG: Tag = if SET { Tag::SET } else { Tag::SEQUENCE };

    /// Creates a list to encode from its key and the concatenated DER of its elements. SET OF elements must be in
    /// ascending order (X.690 §11.6). The list is checked when it is written.
    #[must_use]
    pub const fn new(key: &'a [u8], elements: &'a [u8]) -> Self {
        Self { key, content: elements, base: 0, checked: false, kept: Kept::NONE, set: PhantomData }
    }

    /// Returns the concatenated encodings of the elements.
    #[must_use]
    pub const fn content(&self) -> &'a [u8] {
        self.content
    }

    /// Returns the absolute offset of the first element.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.base as usize
    }

    /// Returns the content bytes of the selecting component.
    #[must_use]
    pub const fn key(&self) -> &'a [u8] {
        self.key
    }

    /// Returns whether the list is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// Returns the number of elements. Walks the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements().len()
    }

    /// Iterates over the elements. It yields an error for an element that cannot be skipped. This is possible only if the list
    /// was decoded in an outline (top-level structure only) or with tolerated deviations.
    #[must_use]
    pub fn iter(&self) -> OpenItems<'a, S> {
        OpenItems { key: self.key, items: self.elements().iter(), set: PhantomData }
    }

    const fn elements(&self) -> SeqOf<'a, Any<'a>> {
        SeqOf::deferred(self.content, self.base as usize).keeping(self.kept)
    }
}

impl<'a, S: OpenType<'a>, const SET: bool> OpenListOf<'a, S, SET> {
    fn check_elements(reader: &mut Reader<'a, '_>, key: &'a [u8]) -> Result<(), Fault> {
        let read = |reader: &mut Reader<'a, '_>| Open::<'a, S>::decode_defined(reader, key, false).map(|_| ());
        if SET { go_through_set(reader, read) } else { go_through(reader, read) }
    }
}

impl<'a, S: OpenType<'a>, const SET: bool> DecodeOpen<'a> for OpenListOf<'a, S, SET> {
    const LIST: Option<OpenList> = Some(if SET { OpenList::SetOf } else { OpenList::SequenceOf });

    fn governing() -> &'static ObjectSet {
        S::set()
    }

    fn starts(reader: &Reader<'a, '_>) -> bool {
        reader.at(Self::TAG)
    }

    fn decode_defined(reader: &mut Reader<'a, '_>, key: &'a [u8], _wrapped: bool) -> Result<Self, Fault> {
        let len = reader.expect(Self::TAG)?;
        let (start, base, noted) = (reader.position(), reader.offset() as u32, reader.noted());
        if reader.is_deep() {
            let outer = reader.enter(len)?;
            Self::check_elements(reader, key)?;
            reader.leave(outer)?;
        } else {
            reader.take(len)?;
        }
        let checked = reader.is_thorough() && reader.noted() == noted;
        Ok(Self { key, content: reader.since(start), base, checked, kept: reader.kept(), set: PhantomData })
    }
}

impl<'a, S: OpenType<'a>, const SET: bool> EncodeOpen for OpenListOf<'a, S, SET> {
    fn defined_len(&self) -> usize {
        element_len(Self::TAG, self.content.len())
    }

    fn encode_defined(&self, writer: &mut Writer<'_>, _wrapped: bool) -> Result<(), EncodeError> {
        if !self.checked {
            check(self.content, &mut |reader| Self::check_elements(reader, self.key))?;
        }
        writer.element(Self::TAG, |writer| writer.bytes(self.content))
    }
}

impl<S, const SET: bool> PartialEq for OpenListOf<'_, S, SET> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.content == other.content
    }
}

impl<S, const SET: bool> Eq for OpenListOf<'_, S, SET> {}

impl<S, const SET: bool> fmt::Debug for OpenListOf<'_, S, SET> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Iterator over the elements of an [`OpenListOf`].
pub struct OpenItems<'a, S> {
    key: &'a [u8],
    items: Items<'a, Any<'a>>,
    set: PhantomData<fn() -> S>,
}

impl<S> Clone for OpenItems<'_, S> {
    fn clone(&self) -> Self {
        Self { key: self.key, items: self.items.clone(), set: PhantomData }
    }
}

impl<S> fmt::Debug for OpenItems<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a, S> Iterator for OpenItems<'a, S> {
    type Item = Result<Open<'a, S>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.items.next()?;
        Some(item.map(|any| Open::deferred(self.key, any.as_bytes(), any.offset()).keeping(any.kept())))
    }
}

/// The list type of a `defined_by` component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenList {
    /// SEQUENCE OF the open type.
    SequenceOf,
    /// SET OF the open type.
    SetOf,
}

impl OpenList {
    /// Returns the table of the list. Used by derived code.
    #[must_use]
    pub const fn table(self, element: TypeRef) -> Type {
        match self {
            Self::SequenceOf => Type::new("SEQUENCE OF", Some(Tag::SEQUENCE), Shape::SequenceOf(element)),
            Self::SetOf => Type::new("SET OF", Some(Tag::SET), Shape::SetOf(element)),
        }
    }
}
