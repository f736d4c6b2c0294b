//! The items of a list in a slice, without copying: for what is in memory or mapped.

use core::marker::PhantomData;

use super::error::{Error, Flaw};
use super::items::items;
use crate::decode::Decode;
use crate::fault::Fault;
use crate::kind::Kind;
use crate::reader::Reader;
use crate::table::Type;

/// The items of the list at `path` in a DER value of the type `ty`, decoded lazily where they stand: for a slice that may be
/// a mapped file, of any size.
///
/// Mapping a file takes `unsafe` somewhere, for another program may change the file; this crate leaves it to its caller. What a
/// map dereferences to is the slice to pass.
///
/// What comes before the list has then been checked as [`Events`](super::Events) checks it, what comes after it is not
/// looked at.
///
/// ```
/// use tagwise_codec::{SeqOf, Typed, stream};
/// let input = [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07];
/// let items = stream::slice_items::<u8>(&input, SeqOf::<u8>::ty(), "")?;
/// let values: Result<Vec<_>, _> = items.collect();
/// assert_eq!(values?, [5, 7]);
/// # Ok::<(), stream::Error>(())
/// ```
///
/// # Errors
/// Those of [`Items::find`](super::Items::find); [`Kind::Truncated`] if the list does not lie in the slice.
pub fn slice_items<'a, T: Decode<'a>>(input: &'a [u8], ty: &Type, path: &str) -> Result<SliceItems<'a, T>, Error> {
    let found = items(input, ty, path)?;
    let (start, end) = found.extent();
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    // Of indefinite length it cannot be: this is DER.
    match input.get(place(start)..end.map_or(usize::MAX, place)) {
        Some(rest) => Ok(SliceItems { rest, offset: start, items: PhantomData }),
        None => Err(Flaw::new(Kind::Truncated, input.len() as u64).error(super::Rules::Der).below(path)),
    }
}

/// The items of a list in a slice: see [`slice_items`].
///
/// Each is decoded strictly, every octet of it; offsets that it keeps count from its own first octet. An item that does not
/// decode is an error, with its absolute offset, and is stepped over; only what cannot be stepped over ends the iteration.
#[derive(Debug)]
pub struct SliceItems<'a, T> {
    rest: &'a [u8],
    offset: u64,
    items: PhantomData<fn() -> T>,
}

impl<'a, T> SliceItems<'a, T> {
    /// The absolute offset of the next item, or of the end of the list.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The octets that are left of the list.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

/// Limit of the input of a reader, in bytes.
const MOST: usize = u32::MAX as usize;

impl<'a, T: Decode<'a>> Iterator for SliceItems<'a, T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let front = self.rest.get(..MOST).unwrap_or(self.rest);
        let mut reader = Reader::new(front).ok()?;
        match T::decode(&mut reader) {
            Ok(item) => {
                let passed = reader.position();
                self.rest = self.rest.get(passed..).unwrap_or_default();
                self.offset = self.offset.wrapping_add(passed as u64);
                Some(Ok(item))
            }
            Err(fault) => Some(Err(self.failed(front, fault))),
        }
    }
}

impl<'a, T: Decode<'a>> SliceItems<'a, T> {
    #[cold]
    fn failed(&mut self, front: &'a [u8], fault: Fault) -> Error {
        let skipped = Reader::new(front).and_then(|mut reader| reader.skip()).unwrap_or(front);
        let error = Error::item(crate::Error::locate(fault, T::ty(), skipped), self.offset);
        self.rest = self.rest.get(skipped.len()..).unwrap_or_default();
        self.offset = self.offset.saturating_add(skipped.len() as u64);
        error
    }
}
