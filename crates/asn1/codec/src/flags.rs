//! Constant sets of named bits.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{BitAnd, BitOr, BitOrAssign, Sub};

use crate::types::NamedBits;

/// A set of a type's named bits, combined with `|`. The constants of a `named_bits` type are of this type.
///
/// Convert it to the type with `into`, or test a value with the type's `contains`.
///
/// ```
/// use tagwise_codec::{NamedBits, encode};
/// use tagwise_derive::Asn1;
///
/// #[derive(Asn1)]
/// #[asn1(named_bits(read = 0, write = 1, run = 2))]
/// struct Rights<'a>(NamedBits<'a>);
///
/// let rights = Rights::from(Rights::READ | Rights::RUN);
/// assert!(rights.contains(Rights::RUN) && !rights.contains(Rights::READ | Rights::WRITE));
/// assert_eq!(encode(&rights)?, [0x03, 0x02, 0x05, 0xA0]);
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
pub struct Flags<T: ?Sized> {
    mask: u64,
    of: PhantomData<fn() -> T>,
}

impl<T: ?Sized> Flags<T> {
    /// The empty set.
    pub const EMPTY: Self = Self::from_mask(0);

    /// Creates a set with bit number `n` for each `1 << n` in `mask`.
    #[must_use]
    pub const fn from_mask(mask: u64) -> Self {
        Self { mask, of: PhantomData }
    }

    /// Returns a mask with `1 << n` for each bit number `n`.
    #[must_use]
    pub const fn to_mask(self) -> u64 {
        self.mask
    }

    /// Returns the union of both sets. Unlike `|`, it can be used in constants.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self::from_mask(self.mask | other.mask)
    }

    /// Returns whether this set contains all bits of the other.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.mask & other.mask == other.mask
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.mask == 0
    }

    /// Returns whether all of these bits are set in a value.
    #[must_use]
    pub fn are_in(self, bits: &NamedBits<'_>) -> bool {
        (0..64).filter(|bit| self.mask >> bit & 1 != 0).all(|bit| bits.contains(bit))
    }
}

impl<T: ?Sized> Clone for Flags<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Flags<T> {}

impl<T: ?Sized> Default for Flags<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: ?Sized> PartialEq for Flags<T> {
    fn eq(&self, other: &Self) -> bool {
        self.mask == other.mask
    }
}

impl<T: ?Sized> Eq for Flags<T> {}

impl<T: ?Sized> core::hash::Hash for Flags<T> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.mask.hash(state);
    }
}

impl<T: ?Sized> fmt::Debug for Flags<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Flags")?;
        f.debug_set().entries((0..64u8).filter(|bit| self.mask >> bit & 1 != 0)).finish()
    }
}

impl<T: ?Sized> BitOr for Flags<T> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl<T: ?Sized> BitOrAssign for Flags<T> {
    fn bitor_assign(&mut self, other: Self) {
        self.mask |= other.mask;
    }
}

impl<T: ?Sized> BitAnd for Flags<T> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self::from_mask(self.mask & other.mask)
    }
}

/// Set difference: the bits in the left set that are not in the right one.
impl<T: ?Sized> Sub for Flags<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::from_mask(self.mask & !other.mask)
    }
}

impl<T: ?Sized> From<Flags<T>> for NamedBits<'_> {
    fn from(flags: Flags<T>) -> Self {
        Self::from_mask(flags.mask)
    }
}
