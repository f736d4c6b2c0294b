//! UTCTime (X.680 §47, X.690 §11.8).

use core::fmt;

use super::civil::{CivilTime, TimeOutOfRange, days_in_month};
use super::digits::{DEFECTS, clock, digits, lane, lanes, outside, pairs, spread};
use super::scan::{Scan, TimeLayout, to_utc};
use super::unix_time::UnixTime;
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Shape, TimeKind, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// `UTCTime`: a UTC time in whole seconds with a two-digit year, `YYMMDDHHMMSSZ`.
///
/// X.680 does not define the century. Here it follows RFC 5280 §4.1.2.5.1: 50 to 99 are 1950 to 1999, 00 to 49 are 2000
/// to 2049.
///
/// Under [`Rule::TIME_FORM`](crate::Rule::TIME_FORM), the seconds may be missing and a time difference may replace `Z`.
/// The value is then the same time in UTC. X.680 §47.3 allows seconds 00 to 59, so a leap second is an error.
///
/// ```
/// use tagwise_codec::{Decode, FaultKind, UnixTime, UtcTime, encode};
/// let der = *b"\x17\x0D261121100000Z";
/// let time = UtcTime::from_der(&der)?;
/// assert_eq!((time.year(), time.month(), time.day()), (2026, 11, 21));
/// assert_eq!(time.to_string(), "2026-11-21T10:00:00Z");
/// assert_eq!(time.unix(), UnixTime(1_795_255_200));
/// assert_eq!(encode(&time).unwrap(), der);
///
/// let error = UtcTime::from_der(b"\x17\x0D260231100000Z").unwrap_err();
/// assert_eq!(error.to_string(), "day 31 is out of range for its month, at byte 6 (X.680 §46, §47)");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcTime(CivilTime);

impl UtcTime {
    /// Creates a time from its calendar fields.
    ///
    /// # Errors
    /// Returns [`FaultKind::Value`] for years outside 1950 to 2049, or [`FaultKind::TimeSecond`] for a leap second.
    pub const fn new(civil: CivilTime) -> Result<Self, TimeOutOfRange> {
        if civil.year() < 1950 || civil.year() > 2049 {
            Err(TimeOutOfRange::new(FaultKind::Value))
        } else if civil.second() > 59 {
            Err(TimeOutOfRange::new(FaultKind::TimeSecond))
        } else {
            Ok(Self(civil))
        }
    }

    /// Converts from Unix time.
    ///
    /// # Errors
    /// Returns [`FaultKind::Value`] for times outside the years 1950 to 2049.
    pub const fn from_unix(unix: UnixTime) -> Result<Self, TimeOutOfRange> {
        match CivilTime::from_unix(unix) {
            Ok(civil) => Self::new(civil),
            Err(error) => Err(error),
        }
    }

    /// Parses DER content bytes.
    ///
    /// # Errors
    /// Returns [`FaultKind::TimeSyntax`], [`FaultKind::TimeForm`] or the kind for a field out of range, with an offset into
    /// `octets`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn from_content(octets: &[u8]) -> Result<Self, Fault> {
        match common(octets) {
            Some(time) => Ok(time),
            None => match complete(octets)? {
                (time, None) => Ok(time),
                (_, Some(form)) => Err(form.fault()),
            },
        }
    }

    /// Returns the calendar fields, in UTC.
    #[inline]
    #[must_use]
    pub const fn civil(&self) -> CivilTime {
        self.0
    }

    /// Converts to Unix time.
    #[inline]
    #[must_use]
    pub const fn unix(&self) -> UnixTime {
        self.0.unix()
    }

    /// Returns the year, 1950 to 2049 (RFC 5280 §4.1.2.5.1).
    #[inline]
    #[must_use]
    pub const fn year(&self) -> u16 {
        self.0.year()
    }

    /// Returns the two-digit year in the encoding.
    #[inline]
    #[must_use]
    pub const fn two_digit_year(&self) -> u8 {
        (self.0.year() % 100) as u8
    }

    /// Returns the month, 1 to 12.
    #[inline]
    #[must_use]
    pub const fn month(&self) -> u8 {
        self.0.month()
    }

    /// Returns the day of the month, from 1.
    #[inline]
    #[must_use]
    pub const fn day(&self) -> u8 {
        self.0.day()
    }

    /// Returns the hour, 0 to 23.
    #[inline]
    #[must_use]
    pub const fn hour(&self) -> u8 {
        self.0.hour()
    }

    /// Returns the minute, 0 to 59.
    #[inline]
    #[must_use]
    pub const fn minute(&self) -> u8 {
        self.0.minute()
    }

    /// Returns the second, 0 to 59.
    #[inline]
    #[must_use]
    pub const fn second(&self) -> u8 {
        self.0.second()
    }
}

/// Returns the century for a two-digit year (RFC 5280 §4.1.2.5.1).
const fn century(two_digits: u8) -> u8 {
    if two_digits < 50 { 20 } else { 19 }
}

const fn full_year(two_digits: u8) -> u16 {
    century(two_digits) as u16 * 100 + two_digits as u16
}

/// Parses the DER form, checked as two words: `YYMMDDHH` and `DHHMMSSZ`. Returns `None` on any error.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn common(octets: &[u8]) -> Option<UtcTime> {
    let octets: &[u8; 13] = octets.try_into().ok()?;
    let head = u64::from_le_bytes(*octets.first_chunk::<8>()?);
    let tail = u64::from_le_bytes(*octets.last_chunk::<8>()?);
    let (date, bad_date) = digits(head);
    let date = pairs(date);
    let (time, bad_time) = clock(tail);
    let (year, month, day) = (lane(date, 0), lane(date, 1), lane(date, 2));
    let defects = bad_date | bad_time | outside(date, [0, 1, 1, 0], [99, 12, 31, 23]);
    let valid = defects & DEFECTS == 0 && (day <= 28 || day <= days_in_month(full_year(year), month));
    valid.then(|| UtcTime(CivilTime::from_lanes(century(year), date, time)))
}

/// Parses all forms of X.680 §47.3, and normalizes the time to UTC. Also returns the first deviation from DER. Offsets are
/// relative to `octets`.
#[cold]
#[inline(never)]
fn complete(octets: &[u8]) -> Result<(UtcTime, Option<TimeLayout>), Fault> {
    let mut scan = Scan::new(octets);
    let year = full_year(scan.pair()?);
    let month = scan.within(FaultKind::TimeMonth, 1, 12)?;
    let day = scan.within(FaultKind::TimeDay, 1, days_in_month(year, month))?;
    let hour = scan.within(FaultKind::TimeHour, 0, 23)?;
    let minute = scan.within(FaultKind::TimeMinute, 0, 59)?;
    let second_at = scan.at();
    let second = if scan.at_digit() {
        scan.within(FaultKind::TimeSecond, 0, 59)?
    } else {
        // X.690 §11.8.2: the seconds element shall always be present.
        scan.depart(second_at, FaultKind::TimeForm, 0);
        0
    };
    let zone_at = scan.at();
    let zone = scan.zone(false)?;
    scan.end()?;
    let local = CivilTime::checked(year, month, day, hour, minute, second);
    match UtcTime::new(to_utc(local, false, second_at, zone)?) {
        Ok(time) => Ok((time, scan.form())),
        // UTC lies across the turn from 2049 to 1950, where two digits would name another century.
        Err(_) => Err(Fault::new(FaultKind::TimeForm, zone_at)),
    }
}

impl fmt::Display for UtcTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for UtcTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UtcTime({self})")
    }
}

impl From<UtcTime> for CivilTime {
    fn from(time: UtcTime) -> Self {
        time.0
    }
}

impl TryFrom<CivilTime> for UtcTime {
    type Error = TimeOutOfRange;

    fn try_from(civil: CivilTime) -> Result<Self, TimeOutOfRange> {
        Self::new(civil)
    }
}

impl Typed for UtcTime {
    fn ty() -> &'static Type {
        const { &Type::new("UTCTime", Some(Tag::UTC_TIME), Shape::Time(TimeKind::Utc)) }
    }
}

impl Tagged for UtcTime {
    const TAG: Tag = Tag::UTC_TIME;
}

impl<'a> DecodeValue<'a> for UtcTime {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let (start, base) = (reader.position(), reader.offset());
        let octets = reader.take(len)?;
        if let Some(time) = common(octets) {
            return Ok(time);
        }
        match complete(octets) {
            Ok((time, None)) => Ok(time),
            Ok((time, Some(form))) => form.deviate(reader, start).map(|()| time),
            Err(fault) => Err(fault.rebase(base)),
        }
    }
}

impl EncodeValue for UtcTime {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        13
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let [a, b, c, d, e, f, g, h] = spread(lanes([self.two_digit_year(), self.month(), self.day(), self.hour()]));
        let [i, j, k, l, ..] = spread(lanes([self.minute(), self.second(), 0, 0]));
        writer.bytes(&[a, b, c, d, e, f, g, h, i, j, k, l, b'Z'])
    }
}
