//! REAL content bytes: their meaning, and checks for the canonical form.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::binary::{self, Binary};
use super::decimal::{self, Decimal};
use crate::encode::{EncodeError, EncodeValue};
use crate::kind::FaultKind;
use crate::writer::Writer;

/// A value, split into its parts.
pub(super) enum RealValue<'a> {
    Special(Special),
    Binary(Binary<'a>),
    Decimal(Decimal<'a>),
}

/// A value without a mantissa and exponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Special {
    Zero,
    Infinity,
    NegInfinity,
    NotANumber,
    MinusZero,
}

/// Parses content bytes. If they are not canonical, also returns the position of the first byte that differs from DER.
/// If they are not valid BER either, returns the position of the error.
pub(super) fn parse(content: &[u8]) -> Result<(RealValue<'_>, Option<usize>), usize> {
    let Some(first) = content.first() else {
        // X.690 §8.5.2.
        return Ok((RealValue::Special(Special::Zero), None));
    };
    match first {
        // X.690 §8.5.7.
        0x80.. => binary::parse(content).map(|(binary, deviation)| (RealValue::Binary(binary), deviation)),
        // X.690 §8.5.9: one octet. The other values of the kind are reserved.
        0x40..=0x7F => match (Special::of_octet(*first), content) {
            (Some(special), [_]) => Ok((RealValue::Special(special), None)),
            (Some(_), _) => Err(1),
            (None, _) => Err(0),
        },
        // X.690 §8.5.8.
        _ => decimal::parse(content).map(|(decimal, deviation)| (RealValue::Decimal(decimal), deviation)),
    }
}

impl RealValue<'_> {
    pub(super) fn canonical_len(&self) -> usize {
        match self {
            Self::Special(Special::Zero) => 0,
            Self::Special(_) => 1,
            Self::Binary(binary) => binary.canonical_len(),
            Self::Decimal(decimal) => decimal.canonical_len(),
        }
    }

    pub(super) fn encode_canonical(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        match self {
            Self::Special(special) => special.octet().map_or(Ok(()), |octet| writer.octet(octet)),
            Self::Binary(binary) => binary.encode_canonical(writer),
            Self::Decimal(decimal) => decimal.encode_canonical(writer),
        }
    }
}

impl PartialEq for RealValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Special(a), Self::Special(b)) => a == b,
            (Self::Binary(a), Self::Binary(b)) => a == b,
            (Self::Decimal(a), Self::Decimal(b)) => a == b,
            _ => false,
        }
    }
}

impl Hash for RealValue<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Special(special) => special.hash(state),
            Self::Binary(binary) => binary.hash(state),
            Self::Decimal(decimal) => decimal.hash(state),
        }
    }
}

impl fmt::Display for RealValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Special(special) => f.write_str(match special {
                Special::Zero => "0",
                Special::MinusZero => "-0",
                Special::Infinity => "PLUS-INFINITY",
                Special::NegInfinity => "MINUS-INFINITY",
                Special::NotANumber => "NOT-A-NUMBER",
            }),
            Self::Binary(binary) => binary.fmt(f),
            Self::Decimal(decimal) => decimal.fmt(f),
        }
    }
}

impl Special {
    const fn of_octet(octet: u8) -> Option<Self> {
        Some(match octet {
            0x40 => Self::Infinity,
            0x41 => Self::NegInfinity,
            0x42 => Self::NotANumber,
            0x43 => Self::MinusZero,
            _ => return None,
        })
    }

    const fn octet(self) -> Option<u8> {
        Some(match self {
            Self::Zero => return None,
            Self::Infinity => 0x40,
            Self::NegInfinity => 0x41,
            Self::NotANumber => 0x42,
            Self::MinusZero => 0x43,
        })
    }

    pub(super) const fn of_f64(value: f64) -> Option<Self> {
        Some(match value.classify() {
            core::num::FpCategory::Zero if value.is_sign_negative() => Self::MinusZero,
            core::num::FpCategory::Zero => Self::Zero,
            core::num::FpCategory::Infinite if value.is_sign_negative() => Self::NegInfinity,
            core::num::FpCategory::Infinite => Self::Infinity,
            core::num::FpCategory::Nan => Self::NotANumber,
            core::num::FpCategory::Subnormal | core::num::FpCategory::Normal => return None,
        })
    }

    pub(super) const fn to_f64(self) -> f64 {
        match self {
            Self::Zero => 0.0,
            Self::MinusZero => -0.0,
            Self::Infinity => f64::INFINITY,
            Self::NegInfinity => f64::NEG_INFINITY,
            Self::NotANumber => f64::NAN,
        }
    }
}

/// An exponent. Beyond 62 bits, only its sign is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Exponent {
    /// The exponent, or ±2⁶² if it is not exact.
    pub(super) value: i64,
    pub(super) exact: bool,
}

impl Exponent {
    const LIMIT: i64 = 1 << 62;

    /// Creates an exponent from the sum of the decoded exponent and the amount that normalization adds.
    pub(super) fn new(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(value) if value.unsigned_abs() < Self::LIMIT.unsigned_abs() => Self { value, exact: true },
            _ => Self { value: if value < 0 { -Self::LIMIT } else { Self::LIMIT }, exact: false },
        }
    }

    /// Returns the smallest power of the base that exceeds every number with this many digits. If the exponent is not known
    /// exactly, returns `Less` if it is negative and `Greater` if it is positive.
    #[cfg(feature = "dynamic")]
    pub(super) fn place(self, digits: i128) -> super::order::BoundedPower {
        match (self.exact, self.value < 0) {
            (true, _) => Ok(i128::from(self.value) + digits),
            (false, true) => Err(core::cmp::Ordering::Less),
            (false, false) => Err(core::cmp::Ordering::Greater),
        }
    }

    /// Returns the exponent if it can be encoded.
    pub(super) fn encodable(self) -> Result<i64, EncodeError> {
        if self.exact { Ok(self.value) } else { Err(EncodeError::new(FaultKind::NotEncodable)) }
    }

    /// Returns the size of the exponent as an INTEGER's content.
    pub(super) fn octets(self) -> usize {
        self.value.value_len()
    }
}

impl fmt::Display for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.exact, self.value < 0) {
            (true, _) => self.value.fmt(f),
            (false, true) => f.write_str("-huge"),
            (false, false) => f.write_str("huge"),
        }
    }
}
