//! Serial numbers, composed of a log number and an index.

use core::fmt;

use crate::error::{Error, ErrorKind};

/// The serial number of a certificate: `(log number << 48) | index` (MTC §6.2).
///
/// ```
/// use tagwise_mtc::Serial;
/// let serial = Serial::new(1, 10)?;
/// assert_eq!(serial.number(), 0x0001_0000_0000_000a);
/// assert_eq!(serial.to_der(), [0x02, 0x07, 0x01, 0, 0, 0, 0, 0, 0x0a]);
/// assert_eq!(serial.to_string(), "1:10");
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Serial(u64);

impl Serial {
    /// The smallest serial number: index 0 of log 1 (`mtcMinSerial`).
    pub const MIN: Self = Self(1 << 48);
    /// The largest serial number (`mtcMaxSerial`).
    pub const MAX: Self = Self(u64::MAX);
    /// The largest index, which is one less than the maximum size of a log.
    pub const MAX_INDEX: u64 = (1 << 48) - 2;

    /// Creates the serial number of an entry.
    ///
    /// # Errors
    /// Returns [`ErrorKind::LogNumber`] for log 0, or [`ErrorKind::Uint48`] if the index is too large.
    pub const fn new(log: u16, index: u64) -> Result<Self, Error> {
        if log == 0 {
            return Err(Error::new(ErrorKind::LogNumber, 0));
        }
        if index > Self::MAX_INDEX {
            return Err(Error::new(ErrorKind::Uint48, 0));
        }
        Ok(Self((log as u64) << 48 | index))
    }

    /// Creates a serial number without validating it.
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// Decodes a serial number from minimal INTEGER content bytes.
    ///
    /// # Errors
    /// Returns [`ErrorKind::SerialRange`] if the number is out of range.
    pub fn from_content(content: &[u8]) -> Result<Self, Error> {
        let fail = Error::new(ErrorKind::SerialRange, 0);
        let magnitude = match content {
            [] => return Err(fail),
            [0, rest @ ..] => rest,
            [first, ..] if *first >= 0x80 => return Err(fail),
            all => all,
        };
        if magnitude.len() > 8 {
            return Err(fail);
        }
        Ok(Self(magnitude.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))))
    }

    /// Returns the serial number as an integer.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns the log number. 0 is invalid.
    #[must_use]
    pub const fn log(self) -> u16 {
        (self.0 >> 48) as u16
    }

    /// Returns the index in the log.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.0 & ((1 << 48) - 1)
    }

    /// Encodes the serial number as a DER INTEGER.
    #[must_use]
    pub fn to_der(self) -> alloc::vec::Vec<u8> {
        let bytes = self.0.to_be_bytes();
        let skip = bytes.iter().take_while(|byte| **byte == 0).count().min(7);
        let magnitude = bytes.get(skip..).unwrap_or_default();
        let sign = magnitude.first().is_some_and(|first| *first >= 0x80);
        let mut out = alloc::vec![0x02, magnitude.len() as u8 + u8::from(sign)];
        if sign {
            out.push(0);
        }
        out.extend_from_slice(magnitude);
        out
    }
}

impl fmt::Display for Serial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.log(), self.index())
    }
}
