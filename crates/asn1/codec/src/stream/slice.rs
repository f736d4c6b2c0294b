//! Iterates over the items of a list in a slice or mapped file, without copying.

use core::marker::PhantomData;

use super::error::{Error, Flaw};
use super::items::items;
use crate::decode::Decode;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::Type;

/// Iterates lazily over the items of the list at `path` in a DER value of type `ty`. The slice may be a mapped file of
/// any size.
///
/// Mapping a file requires `unsafe`, because other programs may change the file, so it is left to the caller. Pass the
/// slice that the map dereferences to.
///
/// The part before the list is checked as by [`Events`](super::Events). The part after it is not checked.
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
/// Returns the same errors as [`Items::find`](super::Items::find), or [`FaultKind::Truncated`] if the list extends beyond
/// the slice.
pub fn slice_items<'a, T: Decode<'a>>(input: &'a [u8], ty: &Type, path: &str) -> Result<SliceItems<'a, T>, Error> {
    let found = items(input, ty, path)?;
    let (start, end) = found.extent();
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    // Of indefinite length it cannot be: this is DER.
    match input.get(place(start)..end.map_or(usize::MAX, place)) {
        Some(rest) => Ok(SliceItems { rest, offset: start, items: PhantomData }),
        None => Err(Flaw::new(FaultKind::Truncated, input.len() as u64).error(super::Rules::Der).below(path)),
    }
}

/// Iterator over the items of a list in a slice: see [`slice_items`].
///
/// Items are decoded strictly, and store offsets relative to their own first byte. A malformed item yields an error
/// with its absolute offset and is skipped. Iteration ends early only if an item cannot be skipped.
#[derive(Debug)]
pub struct SliceItems<'a, T> {
    rest: &'a [u8],
    offset: u64,
    items: PhantomData<fn() -> T>,
}

impl<'a, T> SliceItems<'a, T> {
    /// Returns the absolute offset of the next item, or of the end of the list.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the unread bytes of the list.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

/// The maximum size of a reader's input, in bytes.
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
