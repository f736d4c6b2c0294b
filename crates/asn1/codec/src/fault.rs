//! The decoder's internal error: one word, created on the cold path, without allocation.
//!
//! A [`Fault`] records the kind and position of an error. The entry points turn it into an [`Error`](crate::Error), which adds
//! the path.

use core::fmt;
use core::num::NonZeroU64;

use crate::kind::FaultKind;

/// A decoder error: kind, detail byte and absolute offset in one word, so that `Result<T, Fault>` stays small.
///
/// Benchmarks led to this layout: see `bench/results/error-layout.md`.
///
/// ```
/// use tagwise_codec::{Fault, FaultKind};
/// let fault = Fault::new(FaultKind::TimeMonth, 173).with_detail(13);
/// assert_eq!((fault.kind(), fault.offset(), fault.detail()), (FaultKind::TimeMonth, 173, 13));
/// assert_eq!(size_of::<Result<(), Fault>>(), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fault(NonZeroU64);

const OFFSET_BITS: u32 = 48;
const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;

impl Fault {
    /// Creates a fault at an absolute byte offset. Offsets above 2⁴⁸−1 are clamped.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub const fn new(kind: FaultKind, offset: usize) -> Self {
        let offset = offset as u64;
        let offset = if offset > OFFSET_MASK { OFFSET_MASK } else { offset };
        match NonZeroU64::new((kind as u64) << 56 | offset) {
            Some(word) => Self(word),
            None => Self(NonZeroU64::MAX),
        }
    }

    /// Sets the detail byte: the offending number, the expected identifier byte, or a profile rule's bit.
    #[must_use]
    pub const fn with_detail(self, detail: u8) -> Self {
        match NonZeroU64::new(self.0.get() & !(0xFF << OFFSET_BITS) | (detail as u64) << OFFSET_BITS) {
            Some(word) => Self(word),
            None => self,
        }
    }

    /// Returns the kind of decoding error.
    #[must_use]
    pub const fn kind(self) -> FaultKind {
        FaultKind::from_number((self.0.get() >> 56) as u8)
    }

    /// Returns the absolute byte offset of the error in the outermost input.
    #[must_use]
    pub const fn offset(self) -> usize {
        (self.0.get() & OFFSET_MASK) as usize
    }

    /// Returns the detail byte, whose meaning depends on the kind. It is 0 if unused.
    #[must_use]
    pub const fn detail(self) -> u8 {
        (self.0.get() >> OFFSET_BITS) as u8
    }

    /// Adds `base` to the offset, for a part that was decoded separately.
    #[must_use]
    pub const fn rebase(self, base: usize) -> Self {
        Fault::new(self.kind(), self.offset().saturating_add(base)).with_detail(self.detail())
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault({:?} at {}, detail {})", self.kind(), self.offset(), self.detail())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {} ({})", self.kind().text(), self.offset(), self.kind().clause())
    }
}

impl core::error::Error for Fault {}
