//! Owned serial numbers.

use core::fmt;
use core::str::FromStr;

use smallvec::SmallVec;
use tagwise_codec::Int;
use tagwise_codec::text::hex::{self, Hex};
use tagwise_pkix::CertificateSerialNumber;
use tagwise_pkix::build::SerialNumber;

use crate::Error;

/// A serial number: the minimal content bytes of its INTEGER.
///
/// ```
/// use tagwise_ca::Serial;
/// let serial: Serial = "00:ca:fe".parse()?;
/// assert_eq!(serial.to_string(), "CAFE");
/// assert_eq!(serial.as_bytes(), [0, 0xCA, 0xFE]);
/// assert!("xyz".parse::<Serial>().is_err());
/// # Ok::<(), tagwise_ca::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Serial(SmallVec<[u8; 20]>);

impl Serial {
    /// Generates a serial number with 159 random bits from the system's generator.
    ///
    /// # Errors
    /// Returns an error if the generator fails.
    pub fn generate() -> Result<Self, Error> {
        Ok(Self::from_int(SerialNumber::generate()?.number().0))
    }

    /// Generates `count` serial numbers.
    pub(crate) fn generate_many(count: usize) -> Result<impl Iterator<Item = Self>, Error> {
        Ok(SerialNumber::generate_many(count)?.into_iter().map(|number| Self::from_int(number.number().0)))
    }

    /// Creates a serial number from an INTEGER in a certificate or OCSP request.
    #[must_use]
    pub fn from_int(number: Int<'_>) -> Self {
        Self(SmallVec::from_slice(number.as_bytes()))
    }

    /// Creates a serial number from the content bytes of an INTEGER, as stored in a database.
    #[must_use]
    pub fn from_content(octets: &[u8]) -> Self {
        Self::from_int(Int::from_signed(octets))
    }

    /// Returns the content bytes of the INTEGER.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the serial number as the type used in certificates and CRLs.
    #[must_use]
    pub fn number(&self) -> CertificateSerialNumber<'_> {
        CertificateSerialNumber(Int::from_signed(&self.0))
    }
}

impl fmt::Display for Serial {
    /// Writes the number in hexadecimal, in OpenSSL's format.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let octets = match self.0.as_slice() {
            [0, rest @ ..] if !rest.is_empty() => rest,
            octets => octets,
        };
        write!(f, "{:X}", Hex(octets))
    }
}

impl fmt::Debug for Serial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Serial({self})")
    }
}

impl FromStr for Serial {
    type Err = Error;

    /// Parses a non-negative number in hexadecimal, with or without colons and `0x`, of at most 20 bytes (RFC 5280 §4.1.2.2).
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::refused(format!("`{}` is not a hexadecimal serial number", text.escape_debug()), None);
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        let digits = digits.replace(':', "");
        if digits.is_empty() || digits.len() > 42 {
            return Err(wrong());
        }
        // A leading zero makes the number of digits even, and adds a byte that keeps the number non-negative.
        let padding = if digits.len().is_multiple_of(2) { "00" } else { "000" };
        let octets = hex::decode_pairs(&format!("{padding}{digits}")).ok_or_else(wrong)?;
        let serial = Self::from_content(&octets);
        if serial.0.len() > 20 { Err(wrong()) } else { Ok(serial) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_octets() {
        for (text, octets, shown) in [
            ("1", &[1][..], "01"),
            ("0x80", &[0, 0x80], "80"),
            ("0", &[0], "00"),
            ("7f:FF", &[0x7F, 0xFF], "7FFF"),
            ("000001", &[1], "01"),
        ] {
            let serial: Serial = text.parse().unwrap();
            assert_eq!((serial.as_bytes(), serial.to_string().as_str()), (octets, shown), "{text}");
            assert_eq!(serial.to_string().parse::<Serial>().unwrap(), serial);
        }
        for text in ["", "0x", "-1", "g", " 1", &"f".repeat(41), &"f".repeat(40), "é"] {
            assert!(text.parse::<Serial>().is_err(), "{text}");
        }
        assert!(Serial::generate().unwrap().to_string().parse::<Serial>().is_ok());
    }
}
