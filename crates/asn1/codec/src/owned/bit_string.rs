//! An owned BIT STRING.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use super::{as_borrowed, compares};
use crate::types::BitStr;

/// An owned `BIT STRING`: the counterpart of [`BitStr`].
///
/// ```
/// use tagwise_codec::{BitStr, BitString, Decode, encode};
/// let bits = BitString::from_der(&[0x03, 0x02, 0x04, 0xB0])?;
/// assert_eq!(bits, BitStr::new(&[0xB0], 4).unwrap());
/// assert_eq!((bits.bit_len(), bits.unused_bits()), (4, 4));
/// assert_eq!(encode(&BitString::from(vec![0xFF]))?, [0x03, 0x02, 0x00, 0xFF]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct BitString {
    octets: Vec<u8>,
    /// The number of unused bits: 0 to 7, and 0 if there are no bytes.
    unused: u8,
}

impl BitString {
    /// Copies a borrowed BIT STRING.
    #[must_use]
    pub fn new(bits: BitStr<'_>) -> Self {
        Self { octets: bits.as_bytes().to_vec(), unused: bits.unused_bits() }
    }

    /// Creates a BIT STRING from all bits of `octets` except the lowest `unused` bits of the last byte. Returns `None`
    /// in the same cases as [`BitStr::new`].
    #[must_use]
    pub fn with_unused(octets: Vec<u8>, unused: u8) -> Option<Self> {
        BitStr::new(&octets, unused).is_some().then_some(Self { octets, unused })
    }

    /// Borrows the value as a [`BitStr`].
    #[must_use]
    pub fn as_bit_str(&self) -> BitStr<'_> {
        BitStr::new(&self.octets, self.unused).unwrap_or_default()
    }

    /// Returns the bytes. The unused bits of the last byte are not part of the value.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.octets
    }

    /// Returns the number of unused low bits in the last byte, from 0 to 7.
    #[must_use]
    pub const fn unused_bits(&self) -> u8 {
        self.unused
    }

    /// Returns the number of bits.
    #[must_use]
    pub fn bit_len(&self) -> u64 {
        self.as_bit_str().bit_len()
    }

    /// Returns whether there are no bits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.octets.is_empty()
    }

    /// Returns the bytes, and discards the number of unused bits.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        self.octets
    }
}

as_borrowed!(BitString, BitStr, as_bit_str, |bits| Some(Self::new(bits)));
compares!(BitString, BitStr, as_bit_str);

impl PartialEq for BitString {
    fn eq(&self, other: &Self) -> bool {
        self.as_bit_str() == other.as_bit_str()
    }
}

impl Eq for BitString {}

impl Ord for BitString {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bit_str().cmp(&other.as_bit_str())
    }
}

impl PartialOrd for BitString {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for BitString {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bit_str().hash(state);
    }
}

impl AsRef<[u8]> for BitString {
    fn as_ref(&self) -> &[u8] {
        &self.octets
    }
}

/// Creates a BIT STRING in which all bits are used.
impl From<Vec<u8>> for BitString {
    fn from(octets: Vec<u8>) -> Self {
        Self { octets, unused: 0 }
    }
}

/// Creates a BIT STRING in which all bits are used.
impl From<&[u8]> for BitString {
    fn from(octets: &[u8]) -> Self {
        Self { octets: octets.to_vec(), unused: 0 }
    }
}
