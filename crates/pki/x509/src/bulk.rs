//! Memory prefetching, for reading more certificates than fit in the CPU's caches.
//!
//! Reading a certificate takes less time than fetching it from memory. The iterator adapter [`ahead`] prefetches the
//! next few values while the current one is processed. [`fetch`] prefetches a single value, for other loops. Prefetching
//! does not affect results. If the data is already cached, it only costs a little time.

use std::iter::{Fuse, FusedIterator};

use prefetch_index::prefetch_index;

use crate::fast::touch;

/// The number of values that are prefetched while one is processed. Numbers from two up are about equally fast. A higher
/// number of large values would exceed the nearest cache.
const AHEAD: usize = 3;

const CACHE_LINE: usize = 64;

/// The maximum number of bytes that are prefetched per value.
const MOST: usize = 128 * CACHE_LINE;

/// True if the target has a prefetch instruction.
const FETCHES: bool =
    cfg!(any(target_arch = "aarch64", all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse")));

/// Prefetches up to 8,192 bytes of a value into the cache, without waiting. It never changes results, and does nothing
/// on machines without a prefetch instruction.
#[inline]
pub fn fetch(octets: &[u8]) {
    let end = octets.len().min(MOST);
    let mut at = 0;
    // One at a time: in bursts, as compilers make of `step_by`, more of them than memory takes at once are lost.
    while at < end {
        prefetch_index(octets, at);
        at += CACHE_LINE;
    }
}

/// Yields the items of `values` in order, and prefetches the next three ([`fetch`]).
///
/// Items are therefore taken from `values` earlier than they are yielded. For certificates, see
/// [`Certificate::from_der_all`](crate::Certificate::from_der_all) and similar functions.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::{CertificateList, bulk};
///
/// fn sound(ders: &[Vec<u8>]) -> usize {
///     bulk::ahead(ders).filter(|der| CertificateList::from_der(der).is_ok()).count()
/// }
/// # assert_eq!(sound(&[vec![0x30, 0x00]]), 0);
/// ```
pub fn ahead<I: IntoIterator<Item: AsRef<[u8]>>>(values: I) -> Ahead<I::IntoIter> {
    Ahead { values: values.into_iter().fuse(), coming: [const { None }; AHEAD], next: 0, started: false }
}

/// Maps each value with `read`, after prefetching its bytes.
pub(crate) fn each<'a, T: AsRef<[u8]> + ?Sized + 'a, R>(
    values: impl IntoIterator<Item = &'a T>,
    read: impl Fn(&'a [u8]) -> R,
) -> impl Iterator<Item = R> {
    ahead(values).map(move |value| read(loaded(value)))
}

/// Maps each value like [`each`], for large results. `read` must always return `Some`. The `Option` allows the result to be
/// built directly in the caller's memory instead of being moved there.
pub(crate) fn each_in_place<'a, T: AsRef<[u8]> + ?Sized + 'a, R>(
    values: impl IntoIterator<Item = &'a T>,
    read: impl Fn(&'a [u8]) -> Option<R>,
) -> impl Iterator<Item = R> {
    InPlace { values: ahead(values), read }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn loaded<T: AsRef<[u8]> + ?Sized>(value: &T) -> &[u8] {
    let octets = value.as_ref();
    if !FETCHES {
        touch(octets);
    }
    octets
}

struct InPlace<I: Iterator, F> {
    values: Ahead<I>,
    read: F,
}

impl<'a, T, R, I, F> Iterator for InPlace<I, F>
where
    T: AsRef<[u8]> + ?Sized + 'a,
    I: Iterator<Item = &'a T>,
    F: Fn(&'a [u8]) -> Option<R>,
{
    type Item = R;

    // Not inlined: then the place of what it returns is the caller's.
    #[inline(never)]
    fn next(&mut self) -> Option<R> {
        (self.read)(loaded(self.values.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

/// Iterator returned by [`ahead`].
#[derive(Clone, Debug)]
pub struct Ahead<I: Iterator> {
    values: Fuse<I>,
    /// The prefetched values, in a ring buffer.
    coming: [Option<I::Item>; AHEAD],
    /// The position of the next value in the ring.
    next: usize,
    started: bool,
}

impl<I: Iterator<Item: AsRef<[u8]>>> Ahead<I> {
    #[cold]
    fn start(&mut self) {
        self.started = true;
        for slot in &mut self.coming {
            *slot = fetched(&mut self.values);
        }
    }
}

#[inline]
fn fetched<T: AsRef<[u8]>>(values: &mut impl Iterator<Item = T>) -> Option<T> {
    values.next().inspect(|value| fetch(value.as_ref()))
}

impl<I: Iterator<Item: AsRef<[u8]>>> Iterator for Ahead<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        if !self.started {
            self.start();
        }
        let later = fetched(&mut self.values);
        let slot = self.coming.get_mut(self.next % AHEAD)?;
        self.next = self.next.wrapping_add(1);
        core::mem::replace(slot, later)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let coming = self.coming.iter().flatten().count();
        let (least, most) = self.values.size_hint();
        (least.saturating_add(coming), most.and_then(|most| most.checked_add(coming)))
    }
}

impl<I: ExactSizeIterator<Item: AsRef<[u8]>>> ExactSizeIterator for Ahead<I> {}

impl<I: Iterator<Item: AsRef<[u8]>>> FusedIterator for Ahead<I> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_or_moved() {
        for count in 0..12usize {
            let values: Vec<Vec<u8>> = (0..count).map(|number| vec![number as u8; number * 50]).collect();
            let mut reading = ahead(&values);
            for (number, value) in values.iter().enumerate() {
                assert_eq!(reading.len(), count - number);
                assert_eq!(reading.next(), Some(value));
            }
            assert_eq!(reading.len(), 0);
            assert_eq!((reading.next(), reading.next()), (None, None));
        }
    }

    /// An iterator that goes on after its end, which is the end all the same.
    #[test]
    fn the_first_end_is_the_end() {
        let mut calls = 0;
        let broken = std::iter::from_fn(|| {
            calls += 1;
            (calls != 3).then_some([0u8; 3])
        });
        assert_eq!(ahead(broken).take(10).count(), 2);
    }
}
