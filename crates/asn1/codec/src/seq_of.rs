//! SEQUENCE OF and SET OF (X.680 §26, §28; X.690 §8.10, §8.12, §11.6): encoded bytes iterated lazily, or items to
//! encode.
//!
//! Items to encode are borrowed, so both types are `Copy` and free to drop. An [`Arena`](crate::Arena) can hold
//! computed items.

use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::any::check;
use crate::decode::{Decode, DecodeValue, Tagged};
use crate::encode::{Encode, EncodeError, EncodeValue};
use crate::error::Error;
use crate::fault::Fault;
use crate::kept::Kept;
use crate::kind::FaultKind;
use crate::options::{Options, Session};
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Shape, Type, TypeRef, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

enum ListForm<'a, T> {
    Span {
        /// The content bytes.
        content: &'a [u8],
        base: u32,
        /// True if every byte was checked and nothing was tolerated.
        checked: bool,
        kept: Kept,
    },
    Items(&'a [T]),
}

impl<T> Clone for ListForm<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ListForm<'_, T> {}

macro_rules! collection {
    ($(#[$doc:meta])* $name:ident, $tag:expr, $shape:ident, $text:literal, $check:ident, $write:ident) => {
        $(#[$doc])*
        pub struct $name<'a, T> {
            form: ListForm<'a, T>,
            items: PhantomData<fn() -> T>,
        }

        impl<'a, T> $name<'a, T> {
            /// Creates a list of borrowed items to encode.
            #[must_use]
            pub const fn from_slice(items: &'a [T]) -> Self {
                Self { form: ListForm::Items(items), items: PhantomData }
            }

            /// Reads the items in the reader's next `len` bytes with `read`, which must consume them all. Use it for
            /// types that can be read faster than item by item, or that check several items together. The items are
            /// checked again before they are written.
            ///
            /// # Errors
            /// Returns any error from `read`, [`FaultKind::TrailingData`] if bytes are left over, or
            /// [`FaultKind::DepthExceeded`].
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            pub fn decode_with<'o>(
                reader: &mut Reader<'a, 'o>,
                len: usize,
                read: impl FnOnce(&mut Reader<'a, 'o>) -> Result<(), Fault>,
            ) -> Result<Self, Fault> {
                let (base, start) = (reader.offset() as u32, reader.position());
                if reader.is_deep() {
                    let outer = reader.enter(len)?;
                    read(reader)?;
                    reader.leave(outer)?;
                } else {
                    reader.take(len)?;
                }
                let form = ListForm::Span { content: reader.since(start), base, checked: false, kept: reader.kept() };
                Ok(Self { form, items: PhantomData })
            }

            /// Creates a list from unchecked `content` at absolute offset `offset`. Items are checked when iterated or
            /// written.
            #[must_use]
            pub const fn deferred(content: &'a [u8], offset: usize) -> Self {
                // Inputs are at most u32::MAX octets.
                let form = ListForm::Span { content, base: offset as u32, checked: false, kept: Kept::NONE };
                Self { form, items: PhantomData }
            }

            /// Sets the rules that the list was read under.
            #[doc(hidden)]
            #[must_use]
            pub const fn keeping(mut self, rules: Kept) -> Self {
                if let ListForm::Span { kept, .. } = &mut self.form {
                    *kept = rules;
                }
                self
            }

            /// Returns the rules that the list was read under.
            #[doc(hidden)]
            #[must_use]
            pub const fn kept(&self) -> Kept {
                match self.form {
                    ListForm::Span { kept, .. } => kept,
                    ListForm::Items(_) => Kept::NONE,
                }
            }

            /// Wraps a list read by a hand-written fast path ([`DecodeValue::shape`](crate::DecodeValue::shape)) at `offset`. If
            /// `checked` is true, strict decoding must accept all items, and they are written unchanged. Otherwise, they are
            /// [`deferred`](Self::deferred). Tests verify this.
            #[doc(hidden)]
            #[must_use]
            pub const fn __shaped(content: &'a [u8], offset: usize, checked: bool) -> Self {
                let form = ListForm::Span { content, base: offset as u32, checked, kept: Kept::NONE };
                Self { form, items: PhantomData }
            }

            /// Returns the content bytes that the list was read from. `None` for items to encode.
            #[must_use]
            pub const fn content(&self) -> Option<&'a [u8]> {
                match self.form {
                    ListForm::Span { content, .. } => Some(content),
                    _ => None,
                }
            }

            /// Returns the absolute offset of the content; 0 for items to encode.
            #[must_use]
            pub const fn offset(&self) -> usize {
                match self.form {
                    ListForm::Span { base, .. } => base as usize,
                    _ => 0,
                }
            }

            /// Returns whether the list is empty.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                match self.form {
                    ListForm::Span { content, .. } => content.is_empty(),
                    ListForm::Items(items) => items.is_empty(),
                }
            }
        }

        impl<'a, T: Decode<'a> + Clone> $name<'a, T> {
            /// Iterates over the items. Items from an encoding are decoded one by one, under the rules of the list. Their own deferred
            /// parts stay deferred, as in an [`outline`](Decode::outline). A malformed item yields an error and is skipped. Iteration
            /// ends early only if an item cannot be skipped.
            ///
            /// Errors are possible only if the list was decoded in an outline (top-level structure only) or with tolerated deviations.
            #[must_use]
            pub fn iter(&self) -> Items<'a, T> {
                Items {
                    form: match self.form {
                        ListForm::Span { content, base, kept, .. } => ItemsForm::Span(
                            content,
                            Reader::new(content)
                                .ok()
                                .map(|reader| reader.at_base(base as usize).outlined().keeping(kept)),
                        ),
                        ListForm::Items(items) => ItemsForm::Values(items.iter()),
                    },
                }
            }

            /// Returns the number of items. Walks an encoded list.
            #[must_use]
            pub fn len(&self) -> usize {
                match self.form {
                    ListForm::Span { content, .. } => count(content),
                    ListForm::Items(items) => items.len(),
                }
            }
        }

        impl<'a, T: Decode<'a> + Clone> IntoIterator for $name<'a, T> {
            type Item = Result<T, Error>;
            type IntoIter = Items<'a, T>;

            fn into_iter(self) -> Items<'a, T> {
                self.iter()
            }
        }

        impl<'a, T: Decode<'a> + Clone> IntoIterator for &$name<'a, T> {
            type Item = Result<T, Error>;
            type IntoIter = Items<'a, T>;

            fn into_iter(self) -> Items<'a, T> {
                self.iter()
            }
        }

        impl<'a, T, const N: usize> From<&'a [T; N]> for $name<'a, T> {
            fn from(items: &'a [T; N]) -> Self {
                Self::from_slice(items)
            }
        }

        #[cfg(feature = "alloc")]
        impl<'a, T> From<&'a Vec<T>> for $name<'a, T> {
            fn from(items: &'a Vec<T>) -> Self {
                Self::from_slice(items)
            }
        }

        impl<'a, T> From<&'a [T]> for $name<'a, T> {
            fn from(items: &'a [T]) -> Self {
                Self::from_slice(items)
            }
        }

        impl<T> Default for $name<'_, T> {
            fn default() -> Self {
                Self::from_slice(&[])
            }
        }

        impl<T> Clone for $name<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<'_, T> {}

        impl<'a, T: Decode<'a> + Clone + fmt::Debug> fmt::Debug for $name<'a, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.iter()).finish()
            }
        }

        impl<'a, T: Decode<'a> + Clone + PartialEq> PartialEq for $name<'a, T> {
            fn eq(&self, other: &Self) -> bool {
                self.iter().eq(other.iter())
            }
        }

        impl<T: Typed> Typed for $name<'_, T> {
            fn ty() -> &'static Type {
                const { &Type::new($text, Some($tag), Shape::$shape(TypeRef::of::<T>())) }
            }
        }

        impl<T> Tagged for $name<'_, T> {
            const TAG: Tag = $tag;
        }

        impl<'a, T: Decode<'a>> DecodeValue<'a> for $name<'a, T> {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
                let (base, noted) = (reader.offset() as u32, reader.noted());
                let start = reader.position();
                let deep = reader.is_deep();
                if deep {
                    let outer = reader.enter(len)?;
                    $check::<T>(reader)?;
                    reader.leave(outer)?;
                } else {
                    reader.take(len)?;
                }
                let checked = reader.is_thorough() && reader.noted() == noted;
                let form = ListForm::Span { content: reader.since(start), base, checked, kept: reader.kept() };
                Ok(Self { form, items: PhantomData })
            }
        }

        impl<'a, T: Decode<'a> + Encode> EncodeValue for $name<'a, T> {
            #[inline]
            fn value_len(&self) -> usize {
                match self.form {
                    ListForm::Span { content, .. } => content.len(),
                    ListForm::Items(items) => total(items),
                }
            }

            #[inline]
            fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
                match self.form {
                    ListForm::Span { content, checked, .. } => {
                        if !checked {
                            check(content, &mut $check::<T>)?;
                        }
                        writer.bytes(content)
                    }
                    ListForm::Items(items) => $write(items, writer),
                }
            }
        }
    };
}

collection! {
    /// `SEQUENCE OF T`.
    ///
    /// Decoding checks every item and keeps the encoding. An [`outline`](Decode::outline) does not check items.
    ///
    /// ```
    /// use tagwise_codec::{Decode, SeqOf, encode};
    /// let read = SeqOf::<u8>::from_der(&[0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07])?;
    /// assert_eq!(read.iter().collect::<Result<Vec<_>, _>>()?, [5, 7]);
    /// assert_eq!(encode(&SeqOf::from_slice(&[5u8, 7]))?, [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    SeqOf, Tag::SEQUENCE, SequenceOf, "SEQUENCE OF", check_sequence_of, write_sequence_of
}

collection! {
    /// `SET OF T`: items are in ascending order of their encodings (X.690 §11.6), and are sorted on encoding.
    ///
    /// ```
    /// use tagwise_codec::{Decode, FaultKind, SetOf, encode};
    /// assert_eq!(encode(&SetOf::from_slice(&[7u8, 5]))?, [0x31, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07]);
    /// let error = SetOf::<u8>::from_der(&[0x31, 0x06, 0x02, 0x01, 0x07, 0x02, 0x01, 0x05]).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (FaultKind::SetOfOrder, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    SetOf, Tag::SET, SetOf, "SET OF", check_set_of, write_set_of
}

// Not inlined: reading and writing share one.
fn check_sequence_of<'a, T: Decode<'a>>(reader: &mut Reader<'a, '_>) -> Result<(), Fault> {
    go_through(reader, |reader| T::decode(reader).map(|_| ()))
}

// Inlined: most sets have one item, as RDNs, and each would take a call.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn check_set_of<'a, T: Decode<'a>>(reader: &mut Reader<'a, '_>) -> Result<(), Fault> {
    go_through_set(reader, |reader| T::decode(reader).map(|_| ()))
}

/// Reads all elements up to the end of the innermost open value.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn go_through<'a, 'o>(
    reader: &mut Reader<'a, 'o>,
    mut read: impl FnMut(&mut Reader<'a, 'o>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut count = 0;
    while !reader.is_empty() {
        read(reader)?;
        count += 1;
    }
    reader.spend_elements(count)
}

/// Like [`go_through`], for a SET OF, whose elements must be in ascending order.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn go_through_set<'a, 'o>(
    reader: &mut Reader<'a, 'o>,
    mut read: impl FnMut(&mut Reader<'a, 'o>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut count = 0;
    let mut previous: &[u8] = &[];
    while !reader.is_empty() {
        let start = reader.position();
        read(reader)?;
        let current = reader.since(start);
        if count > 0 && compare(previous, current) == Ordering::Greater {
            reader.deviate(&Rule::SET_OF_ORDER, FaultKind::SetOfOrder, start)?;
        }
        previous = current;
        count += 1;
    }
    reader.spend_elements(count)
}

/// Compares encodings as in X.690 §11.6, as if the shorter one were padded with zero bytes. An encoding cannot be a prefix of
/// another, so this is the order of slices.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn compare(left: &[u8], right: &[u8]) -> Ordering {
    left.cmp(right)
}

pub(crate) fn total<T: Encode>(items: &[T]) -> usize {
    items.iter().fold(0, |total, item| total.saturating_add(item.encoded_len()))
}

pub(crate) fn write_sequence_of<T: Encode>(items: &[T], writer: &mut Writer<'_>) -> Result<(), EncodeError> {
    items.iter().rev().try_for_each(|item| item.encode(writer))
}

pub(crate) fn write_set_of<T: Encode>(items: &[T], writer: &mut Writer<'_>) -> Result<(), EncodeError> {
    let end = writer.mark();
    let mut sorted = true;
    for item in items.iter().rev() {
        let mark = writer.mark();
        item.encode(writer)?;
        // What was just written stands in front of what was written before it, and no encoding is a prefix of another.
        let (new, old) = writer.written().split_at_checked(writer.len_since(mark)).unwrap_or_default();
        sorted &= mark == end || compare(new, old) != Ordering::Greater;
    }
    if !sorted {
        sort(writer.written_since_mut(end));
    }
    Ok(())
}

/// Sorts concatenated encodings in ascending order, in place: by rotating bytes without an allocator, or by sorting spans with
/// one.
fn sort(region: &mut [u8]) {
    #[cfg(feature = "alloc")]
    {
        let copy = region.to_vec();
        let mut spans = Vec::new();
        let mut rest = copy.as_slice();
        while let Some((first, after)) = split_first(rest) {
            spans.push(first);
            rest = after;
        }
        spans.sort_unstable();
        let mut slots = region;
        for span in spans {
            let Some((slot, after)) = slots.split_at_mut_checked(span.len()) else { return };
            slot.copy_from_slice(span);
            slots = after;
        }
    }
    #[cfg(not(feature = "alloc"))]
    {
        let mut done = 0;
        while let Some((next, _)) = region.get(done..).and_then(split_first) {
            let len = next.len();
            let mut at = 0;
            while at < done {
                let (Some(head), Some(tail)) = (region.get(at..), region.get(done..)) else { return };
                let (Some((placed, _)), Some((new, _))) = (split_first(head), split_first(tail)) else { return };
                if compare(placed, new) == Ordering::Greater {
                    break;
                }
                at += placed.len();
            }
            if let Some(part) = region.get_mut(at..done + len) {
                part.rotate_right(len);
            }
            done += len;
        }
    }
}

fn split_first(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut reader = Reader::new(octets).ok()?;
    let first = reader.skip().ok()?;
    octets.split_at_checked(first.len())
}

fn count(content: &[u8]) -> usize {
    let Ok(mut reader) = Reader::new(content) else { return 0 };
    let mut count = 0;
    while !reader.is_empty() {
        let start = reader.position();
        if reader.skip().is_err() {
            return count + count_tolerant(content.get(start..).unwrap_or_default());
        }
        count += 1;
    }
    count
}

/// Like [`count`], for items that may have a non-minimal length, as tolerated by [`Rule::LONG_LENGTH`].
#[cold]
fn count_tolerant(content: &[u8]) -> usize {
    let session = Session::new(Options::der().allow(&Rule::LONG_LENGTH));
    let Ok(mut reader) = Reader::with_session(content, &session) else { return 0 };
    let mut count = 0;
    while !reader.is_empty() && reader.skip().is_ok() {
        count += 1;
    }
    count
}

/// Iterator over the items of a [`SeqOf`] or [`SetOf`].
#[derive(Clone)]
pub struct Items<'a, T> {
    form: ItemsForm<'a, T>,
}

#[derive(Clone)]
enum ItemsForm<'a, T> {
    Span(&'a [u8], Option<Reader<'a, 'static>>),
    Values(core::slice::Iter<'a, T>),
}

impl<'a, T: Decode<'a> + Clone> Iterator for Items<'a, T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.form {
            ItemsForm::Values(items) => items.next().cloned().map(Ok),
            ItemsForm::Span(content, slot) => {
                let reader = slot.as_mut().filter(|reader| !reader.is_empty())?;
                let start = reader.position();
                match T::decode(reader) {
                    Ok(item) => Some(Ok(item)),
                    Err(fault) => Some(Err(step_over(slot, content, start, fault, T::ty))),
                }
            }
        }
    }
}

/// Returns the error of the element at `start`. The reader continues after that element, if it can be skipped.
#[cold]
#[inline(never)]
fn step_over<'a>(
    slot: &mut Option<Reader<'a, 'static>>,
    content: &'a [u8],
    start: usize,
    fault: Fault,
    ty: fn() -> &'static Type,
) -> Error {
    let base = slot.as_ref().map_or(0, |reader| reader.offset().wrapping_sub(reader.position()));
    *slot = slot.as_ref().and_then(|reader| after(content, start, base, reader.kept()));
    Error::locate_at(fault, ty(), content.get(start..).unwrap_or_default(), base + start)
}

/// Returns a reader after the element at `start`, if that element can be skipped.
fn after(content: &[u8], start: usize, base: usize, kept: Kept) -> Option<Reader<'_, 'static>> {
    let mut reader = Reader::new(content).ok()?.at_base(base).outlined().keeping(kept);
    reader.take(start).ok()?;
    reader.skip().ok()?;
    Some(reader)
}

/// Encodes an iterator as a SEQUENCE OF. It is iterated twice: for the size and for the bytes.
///
/// ```
/// use tagwise_codec::{IterOf, encode};
/// let squares = (1u32..=3).map(|n| n * n);
/// assert_eq!(encode(&IterOf::new(squares))?, [0x30, 0x09, 0x02, 0x01, 0x01, 0x02, 0x01, 0x04, 0x02, 0x01, 0x09]);
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IterOf<I>(I);

impl<I> IterOf<I> {
    /// Wraps an iterator.
    #[must_use]
    pub const fn new(items: I) -> Self {
        Self(items)
    }
}

impl<I> Tagged for IterOf<I> {
    const TAG: Tag = Tag::SEQUENCE;
}

impl<I: Iterator + Clone> EncodeValue for IterOf<I>
where
    I::Item: Encode,
{
    fn value_len(&self) -> usize {
        self.0.clone().fold(0, |total: usize, item| total.saturating_add(item.encoded_len()))
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.sequence(self.value_len(), self.0.clone())
    }
}
