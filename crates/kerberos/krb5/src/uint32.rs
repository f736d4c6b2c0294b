//! Unsigned 32-bit numbers, including the deviations of other implementations.

use core::fmt;

use tagwise_codec::{Fault, FaultKind, Reader};
use tagwise_derive::Asn1;

use crate::rules;

/// ```asn1
/// UInt32 ::= INTEGER (0..4294967295)
/// ```
///
/// An unsigned 32-bit number, such as a nonce, sequence number or key version (RFC 4120 §5.2.4). With
/// [`rules::SIGNED_UINT32`], large numbers may be encoded as negative, and keep that encoding.
///
/// ```
/// use tagwise_codec::{Decode, Options, encode};
/// use tagwise_krb5::{UInt32, rules};
/// assert_eq!(UInt32::from_der(&[2, 5, 0, 0xFF, 0, 0, 0])?.get(), 0xFF00_0000);
/// assert_eq!(UInt32::from_der(&[2, 1, 0xFF]).unwrap_err().code(), "krb5-signed-uint32");
/// let read = Options::der().allow(&rules::SIGNED_UINT32).decode::<UInt32>(&[2, 1, 0xFF])?;
/// assert_eq!(read.value.get(), 0xFFFF_FFFF);
/// assert_eq!(encode(&read.value)?, [2, 1, 0xFF]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Asn1, Clone, Copy)]
#[asn1(check = check, rules(rules::SIGNED_UINT32))]
pub struct UInt32(i64);

impl UInt32 {
    /// Creates a value from a number.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number as i64)
    }

    /// Returns the number, regardless of its encoding.
    #[must_use]
    pub const fn get(self) -> u32 {
        // Two's complement: what is negative is less by 2³².
        self.0 as u32
    }

    /// Returns whether the value is encoded as a negative number.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        self.0 < 0
    }
}

fn check(number: &UInt32, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    match number.0 {
        0..=0xFFFF_FFFF => Ok(()),
        -0x8000_0000..=-1 => reader.deviate_profile(&rules::SIGNED_UINT32, at),
        _ => Err(reader.fault(FaultKind::IntegerRange, at)),
    }
}

impl From<u32> for UInt32 {
    fn from(number: u32) -> Self {
        Self::new(number)
    }
}

impl PartialEq for UInt32 {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for UInt32 {}

impl fmt::Debug for UInt32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Display for UInt32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
