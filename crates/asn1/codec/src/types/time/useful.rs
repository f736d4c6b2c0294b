//! Shared implementation of DATE, TIME-OF-DAY and DATE-TIME, whose content is only digits (X.690 §8.26).

use super::civil::days_in_month;
use super::scan::Scan;
use crate::fault::Fault;
use crate::kind::FaultKind;

/// The earliest year of DATE and DATE-TIME: `Year=Basic` (X.680 §38.2) begins with the Gregorian calendar.
pub(super) const MIN_YEAR: u16 = 1582;

/// Reads `YYYYMMDD`.
pub(super) fn date(scan: &mut Scan<'_>) -> Result<(u16, u8, u8), Fault> {
    let at = scan.at();
    let year = u16::from(scan.pair()?) * 100 + u16::from(scan.pair()?);
    if year < MIN_YEAR {
        return scan.wrong_at(at);
    }
    let month = scan.within(FaultKind::TimeMonth, 1, 12)?;
    let day = scan.within(FaultKind::TimeDay, 1, days_in_month(year, month))?;
    Ok((year, month, day))
}

/// Parses `HHMMSS`, possibly with colons. Midnight may be 24. A leap second is accepted at any minute, because time
/// zones differ.
pub(super) fn time(scan: &mut Scan<'_>) -> Result<(u8, u8, u8), Fault> {
    let at = scan.at();
    let hour = scan.within(FaultKind::TimeHour, 0, 24)?;
    let minute = scan.within(FaultKind::TimeMinute, 0, 59)?;
    let second = scan.within(FaultKind::TimeSecond, 0, 60)?;
    if hour == 24 && (minute, second) != (0, 0) {
        return Err(Fault::new(FaultKind::TimeHour, at).with_detail(24));
    }
    Ok((hour, minute, second))
}

/// Implements decoding and encoding for a type that reads its content with `read` and writes it with `write`.
macro_rules! useful_time {
    ($name:ident, $text:literal, $tag:ident, $len:literal, $read:path, $write:path) => {
        impl $crate::table::Typed for $name {
            fn ty() -> &'static $crate::table::Type {
                use $crate::table::{Shape, TimeKind, Type};
                const { &Type::new($text, Some($crate::tag::Tag::$tag), Shape::Time(TimeKind::$name)) }
            }
        }

        impl $crate::decode::Tagged for $name {
            const TAG: $crate::tag::Tag = $crate::tag::Tag::$tag;
        }

        impl $name {
            /// Parses content bytes.
            ///
            /// # Errors
            /// Returns [`FaultKind::IsoTime`](crate::FaultKind::IsoTime) or the kind for a field out of range, with an offset
            /// into `octets`.
            pub fn from_content(octets: &[u8]) -> Result<Self, $crate::fault::Fault> {
                let mut scan = $crate::types::time::scan::Scan::iso(octets);
                let value = $read(&mut scan)?;
                scan.end()?;
                Ok(value)
            }
        }

        impl<'a> $crate::decode::DecodeValue<'a> for $name {
            #[inline]
            fn decode_value(
                reader: &mut $crate::reader::Reader<'a, '_>,
                len: usize,
            ) -> Result<Self, $crate::fault::Fault> {
                let base = reader.offset();
                match Self::from_content(reader.take(len)?) {
                    Ok(value) => Ok(value),
                    Err(fault) => Err(fault.rebase(base)),
                }
            }
        }

        impl $crate::encode::EncodeValue for $name {
            #[inline]
            fn value_len(&self) -> usize {
                $len
            }

            #[inline]
            fn encode_value(&self, writer: &mut $crate::writer::Writer<'_>) -> Result<(), $crate::encode::EncodeError> {
                $write(self, writer)
            }
        }
    };
}

pub(super) use useful_time;
