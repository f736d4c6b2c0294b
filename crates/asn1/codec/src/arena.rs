//! An append-only arena for computed values, without `unsafe`. Values never move, so that other values can borrow from
//! them.

use core::cell::{Cell, OnceCell};

use alloc::{boxed::Box, vec::Vec};

/// The number of buckets. Their sizes double (16, 32, 64 …), so 28 of them hold nearly 2³² slices.
const BUCKETS: usize = 28;
const FIRST: usize = 16;

type Bucket<T> = OnceCell<Box<[OnceCell<Box<[T]>>]>>;

/// An append-only arena of slices, usable through a shared reference.
///
/// ```
/// use tagwise_codec::{Arena, SeqOf, encode};
/// let arena = Arena::new();
/// let numbers = SeqOf::from_slice(arena.keep(vec![1u8, 2]));
/// assert_eq!(encode(&numbers)?, [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x02]);
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Debug)]
pub struct Arena<T> {
    buckets: [Bucket<T>; BUCKETS],
    count: Cell<usize>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Arena<T> {
    /// Creates an empty arena. It does not allocate until the first value is added.
    #[must_use]
    pub const fn new() -> Self {
        Self { buckets: [const { OnceCell::new() }; BUCKETS], count: Cell::new(0) }
    }

    /// Moves the items into the arena and returns them as a slice. If the arena is full (2³² slices), the slice is empty.
    pub fn keep(&self, items: Vec<T>) -> &[T] {
        let index = self.count.get();
        // Bucket b holds the indices from FIRST × (2^b − 1) on.
        let bucket = (index / FIRST + 1).ilog2() as usize;
        let start = FIRST * ((1 << bucket) - 1);
        let Some(cell) = self.buckets.get(bucket) else { return &[] };
        let slots = cell.get_or_init(|| (0..FIRST << bucket).map(|_| OnceCell::new()).collect());
        let Some(slot) = slots.get(index - start) else { return &[] };
        self.count.set(index + 1);
        slot.get_or_init(|| items.into_boxed_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_stays_in_place() {
        let arena = Arena::new();
        let kept: Vec<&[usize]> = (0..1000).map(|number| arena.keep(alloc::vec![number, number + 1])).collect();
        assert!(kept.iter().enumerate().all(|(number, slice)| *slice == [number, number + 1]));
    }
}
