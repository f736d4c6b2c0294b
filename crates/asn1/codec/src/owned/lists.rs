//! Owned lists.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use crate::decode::{Decode, DecodeValue, Tagged};
use crate::encode::{Encode, EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::lend::Lend;
use crate::reader::Reader;
use crate::seq_of::{go_through, go_through_set, total, write_sequence_of, write_set_of};
use crate::table::{Constraint, List, Range, Shape, Type, TypeRef, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// Checks that the budget permits another item after `held` items. The items are deducted from the budget when the list ends. A
/// small encoding may become a large value.
#[inline]
fn within_budget(reader: &Reader<'_, '_>, held: usize) -> Result<(), Fault> {
    match reader.session() {
        Some(session) if held as u64 >= session.options().budget_in_force().elements => {
            Err(reader.fault(FaultKind::ElementsExceeded, reader.position()))
        }
        _ => Ok(()),
    }
}

impl<T: Typed> Typed for Vec<T> {
    fn ty() -> &'static Type {
        const { &Type::new("SEQUENCE OF", Some(Tag::SEQUENCE), Shape::SequenceOf(TypeRef::of::<T>())) }
    }
}

impl<T> Tagged for Vec<T> {
    const TAG: Tag = Tag::SEQUENCE;
}

/// Decodes a `SEQUENCE OF T`. All items are decoded immediately, even in an outline.
impl<'a, T: Decode<'a>> DecodeValue<'a> for Vec<T> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let mut items = Self::new();
        let outer = reader.enter(len)?;
        go_through(reader, |reader| {
            within_budget(reader, items.len())?;
            items.push(T::decode(reader)?);
            Ok(())
        })?;
        reader.leave(outer)?;
        Ok(items)
    }
}

impl<T: Encode> EncodeValue for Vec<T> {
    fn value_len(&self) -> usize {
        total(self)
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        write_sequence_of(self, writer)
    }
}

impl<T: Lend> Lend for Vec<T> {
    type Of<'a> = Vec<T::Of<'a>>;
}

/// The constraint `SIZE (N)`.
struct Exactly<const N: usize>;

impl<const N: usize> Exactly<N> {
    const RANGES: &'static [Range] = &[Range { min: Some(N as i128), max: Some(N as i128) }];
    const CONSTRAINTS: &'static [Constraint] =
        &[Constraint::Size { ranges: List::Const(Self::RANGES), extensible: false }];
}

impl<T: Typed, const N: usize> Typed for [T; N] {
    fn ty() -> &'static Type {
        const {
            &Type::new("SEQUENCE OF", Some(Tag::SEQUENCE), Shape::SequenceOf(TypeRef::of::<T>()))
                .constrained(List::Const(Exactly::<N>::CONSTRAINTS))
        }
    }
}

impl<T, const N: usize> Tagged for [T; N] {
    const TAG: Tag = Tag::SEQUENCE;
}

/// Decodes a `SEQUENCE SIZE (N) OF T`.
impl<'a, T: Decode<'a>, const N: usize> DecodeValue<'a> for [T; N] {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        let mut items = Vec::new();
        let outer = reader.enter(len)?;
        go_through(reader, |reader| {
            let item = T::decode(reader)?;
            // Not one more is held than can be used; what is wrong with an item is told before the size.
            if items.len() <= N {
                items.push(item);
            }
            Ok(())
        })?;
        reader.leave(outer)?;
        Self::try_from(items).map_err(|_| reader.fault(FaultKind::Size, at))
    }
}

impl<T: Encode, const N: usize> EncodeValue for [T; N] {
    fn value_len(&self) -> usize {
        total(self)
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        write_sequence_of(self, writer)
    }
}

/// An owned `SET OF T`: the counterpart of [`SetOf`](crate::SetOf). It behaves like a vector but encodes as a SET OF.
/// Items are sorted by their encodings only when written.
///
/// ```
/// use tagwise_codec::{Decode, SetVec, encode};
/// let mut set = SetVec::from_der(&[0x31, 0x03, 0x02, 0x01, 0x07])?;
/// set.push(5u8);
/// assert_eq!(encode(&set)?, [0x31, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetVec<T>(
    /// The items, in any order.
    pub Vec<T>,
);

impl<T> Default for SetVec<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for SetVec<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for SetVec<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> From<Vec<T>> for SetVec<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

impl<T> FromIterator<T> for SetVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T> IntoIterator for SetVec<T> {
    type Item = T;
    type IntoIter = alloc::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'s, T> IntoIterator for &'s SetVec<T> {
    type Item = &'s T;
    type IntoIter = core::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Typed> Typed for SetVec<T> {
    fn ty() -> &'static Type {
        const { &Type::new("SET OF", Some(Tag::SET), Shape::SetOf(TypeRef::of::<T>())) }
    }
}

impl<T> Tagged for SetVec<T> {
    const TAG: Tag = Tag::SET;
}

impl<'a, T: Decode<'a>> DecodeValue<'a> for SetVec<T> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let mut items = Vec::new();
        let outer = reader.enter(len)?;
        go_through_set(reader, |reader| {
            within_budget(reader, items.len())?;
            items.push(T::decode(reader)?);
            Ok(())
        })?;
        reader.leave(outer)?;
        Ok(Self(items))
    }
}

impl<T: Encode> EncodeValue for SetVec<T> {
    fn value_len(&self) -> usize {
        total(&self.0)
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        write_set_of(&self.0, writer)
    }
}

impl<T: Lend> Lend for SetVec<T> {
    type Of<'a> = SetVec<T::Of<'a>>;
}
