//! GeneralizedTime (X.680 §46, X.690 §11.7).

use core::fmt;
use core::time::Duration;

use super::civil::{CivilTime, TimeOutOfRange, days_in_month};
use super::digits::{DEFECTS, clock, digits, lane, lanes, outside, pairs, spread};
use super::scan::{Scan, TimeLayout, Zone, to_utc};
use super::unix_time::UnixTime;
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Shape, TimeKind, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// `GeneralizedTime`: a UTC time with a four-digit year and a fraction of any length, `YYYYMMDDHHMMSS[.f]Z`.
///
/// The first nine digits of the fraction are nanoseconds. Further digits are borrowed from the input. X.680 §46.2 uses
/// the ISO 8601 time of day, where second 60 is a positive leap second. 23:59:60 UTC on the last day of a month is
/// accepted, and any other second 60 is an error.
///
/// [`Rule::TIME_FORM`](crate::Rule::TIME_FORM) tolerates missing minutes or seconds, a fraction of the last unit, and a
/// fraction that follows a comma or ends in zeros. It also tolerates a time difference in place of `Z`, and midnight as hour
/// 24. The value is then the same time in UTC. Local time, without `Z` or time difference, remains local: see
/// [`GeneralizedTime::is_local`].
///
/// ```
/// use tagwise_codec::{Decode, GeneralizedTime, FaultKind, Options, Rule, UnixTime, encode};
/// let der = *b"\x18\x1220261121100000.25Z";
/// let time = GeneralizedTime::from_der(&der)?;
/// assert_eq!((time.unix(), time.nanosecond()), (UnixTime(1_795_255_200), 250_000_000));
/// assert_eq!(time.to_string(), "2026-11-21T10:00:00.25Z");
/// assert_eq!(encode(&time).unwrap(), der);
///
/// let loose = b"\x18\x1320261121113000+0130";
/// assert_eq!(GeneralizedTime::from_der(loose).unwrap_err().kind(), FaultKind::TimeForm);
/// let read = Options::der().allow(&Rule::TIME_FORM).decode::<GeneralizedTime>(loose)?;
/// assert_eq!(read.value.to_string(), "2026-11-21T10:00:00Z");
/// assert_eq!(read.deviations[0].offset, 16);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeneralizedTime<'a> {
    civil: CivilTime,
    nanos: u32,
    /// The fraction's digits after the ninth; the last one is not 0.
    finer: &'a [u8],
    local: bool,
}

impl<'a> GeneralizedTime<'a> {
    /// Creates a time in whole seconds.
    #[must_use]
    pub const fn new(civil: CivilTime) -> Self {
        Self { civil, nanos: 0, finer: &[], local: false }
    }

    /// Replaces the fraction with this many nanoseconds.
    ///
    /// # Errors
    /// Returns [`FaultKind::Value`] for 10⁹ nanoseconds or more.
    pub const fn with_nanosecond(self, nanos: u32) -> Result<Self, TimeOutOfRange> {
        if nanos < 1_000_000_000 {
            Ok(Self { nanos, finer: &[], ..self })
        } else {
            Err(TimeOutOfRange::new(FaultKind::Value))
        }
    }

    /// Converts from Unix time.
    ///
    /// # Errors
    /// Returns [`FaultKind::Value`] for times outside the years 0000 to 9999.
    pub const fn from_unix(unix: UnixTime) -> Result<Self, TimeOutOfRange> {
        match CivilTime::from_unix(unix) {
            Ok(civil) => Ok(Self::new(civil)),
            Err(error) => Err(error),
        }
    }

    /// Parses DER content bytes.
    ///
    /// # Errors
    /// Returns [`FaultKind::TimeSyntax`], [`FaultKind::TimeForm`] or the kind for a field out of range, with an offset into
    /// `octets`.
    #[inline]
    pub fn from_content(octets: &'a [u8]) -> Result<Self, Fault> {
        match common(octets) {
            Some(time) => Ok(time),
            None => match complete(octets)? {
                (time, None) => Ok(time),
                (_, Some(form)) => Err(form.fault()),
            },
        }
    }

    /// Returns the calendar fields, in UTC unless the time is local.
    #[inline]
    #[must_use]
    pub const fn civil(&self) -> CivilTime {
        self.civil
    }

    /// Converts to Unix time without leap seconds, and truncates to the second. A local time is treated as UTC.
    #[inline]
    #[must_use]
    pub const fn unix(&self) -> UnixTime {
        self.civil.unix()
    }

    /// Returns whether the time is local. This is only possible under [`Rule::TIME_FORM`](crate::Rule::TIME_FORM), and
    /// such a time cannot be encoded.
    #[inline]
    #[must_use]
    pub const fn is_local(&self) -> bool {
        self.local
    }

    /// Returns the year, 0 to 9999.
    #[inline]
    #[must_use]
    pub const fn year(&self) -> u16 {
        self.civil.year()
    }

    /// Returns the month, 1 to 12.
    #[inline]
    #[must_use]
    pub const fn month(&self) -> u8 {
        self.civil.month()
    }

    /// Returns the day of the month, from 1.
    #[inline]
    #[must_use]
    pub const fn day(&self) -> u8 {
        self.civil.day()
    }

    /// Returns the hour, 0 to 23.
    #[inline]
    #[must_use]
    pub const fn hour(&self) -> u8 {
        self.civil.hour()
    }

    /// Returns the minute, 0 to 59.
    #[inline]
    #[must_use]
    pub const fn minute(&self) -> u8 {
        self.civil.minute()
    }

    /// Returns the second, 0 to 59, or 60 for a leap second.
    #[inline]
    #[must_use]
    pub const fn second(&self) -> u8 {
        self.civil.second()
    }

    /// Returns the fraction in nanoseconds, truncated to nine digits.
    #[inline]
    #[must_use]
    pub const fn nanosecond(&self) -> u32 {
        self.nanos
    }

    /// Returns the number of digits in the fraction; 0 for a whole second.
    #[must_use]
    pub const fn fraction_digits(&self) -> usize {
        if !self.finer.is_empty() {
            return self.finer.len().saturating_add(9);
        }
        let (mut digits, mut rest) = (9, self.nanos);
        if rest == 0 {
            return 0;
        }
        while rest % 10 == 0 {
            rest /= 10;
            digits -= 1;
        }
        digits
    }

    /// Returns the nine digits of the nanoseconds, and how many of them the fraction has.
    fn nano_digits(&self) -> ([u8; 9], usize) {
        let mut digits = [b'0'; 9];
        let mut rest = self.nanos;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        (digits, self.fraction_digits().min(9))
    }
}

/// Parses the DER form without a fraction, checked as two words: `YYYYMMDD` and `DHHMMSSZ`. Returns `None` on any error.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn common<'a>(octets: &[u8]) -> Option<GeneralizedTime<'a>> {
    let octets: &[u8; 15] = octets.try_into().ok()?;
    let head = u64::from_le_bytes(*octets.first_chunk::<8>()?);
    let tail = u64::from_le_bytes(*octets.last_chunk::<8>()?);
    let (date, bad_date) = digits(head);
    let date = pairs(date);
    let (time, bad_time) = clock(tail);
    let year = lane(date, 0) as u16 * 100 + lane(date, 1) as u16;
    let (month, day) = (lane(date, 2), lane(date, 3));
    let defects = bad_date | bad_time | outside(date, [0, 0, 1, 1], [99, 99, 12, 31]);
    let valid = defects & DEFECTS == 0 && (day <= 28 || day <= days_in_month(year, month));
    valid.then(|| {
        GeneralizedTime::new(CivilTime::checked(year, month, day, lane(time, 0), lane(time, 1), lane(time, 2)))
    })
}

/// Parses all forms of X.680 §46.2. Times with a time zone are normalized to UTC. Also returns the first deviation from DER.
/// Offsets are relative to `octets`.
#[cold]
#[inline(never)]
fn complete(octets: &[u8]) -> Result<(GeneralizedTime<'_>, Option<TimeLayout>), Fault> {
    let mut scan = Scan::new(octets);
    let year = u16::from(scan.pair()?) * 100 + u16::from(scan.pair()?);
    let month = scan.within(FaultKind::TimeMonth, 1, 12)?;
    let day = scan.within(FaultKind::TimeDay, 1, days_in_month(year, month))?;
    let hour_at = scan.at();
    let mut hour = scan.within(FaultKind::TimeHour, 0, 24)?;
    let (mut minute, mut second, mut second_at) = (0, 0, scan.at());
    // X.690 §11.7.2: the seconds element shall always be present. What comes last may have the fraction.
    let mut unit = HOUR;
    if scan.at_digit() {
        minute = scan.within(FaultKind::TimeMinute, 0, 59)?;
        unit = MINUTE;
        second_at = scan.at();
        if scan.at_digit() {
            second = scan.within(FaultKind::TimeSecond, 0, 60)?;
            unit = 1;
        }
    }
    if unit != 1 {
        scan.depart(scan.at(), FaultKind::TimeForm, 0);
    }
    let (fraction_at, fraction) = (scan.at(), fraction(&mut scan)?);
    let zone_at = scan.at();
    let zone = if scan.peek().is_none() {
        scan.depart(zone_at, FaultKind::TimeForm, 0);
        Zone::Local
    } else {
        scan.zone(true)?
    };
    scan.end()?;

    let (nanos, finer) = if unit == 1 {
        (nanos_of(fraction), fraction.get(9..).unwrap_or_default())
    } else {
        // The fraction of an hour or a minute must come out as whole nanoseconds.
        match nanos_within(fraction, unit) {
            Some(nanos) => {
                minute += (nanos / MINUTE_NANOS) as u8;
                second = (nanos % MINUTE_NANOS / SECOND_NANOS) as u8;
                ((nanos % SECOND_NANOS) as u32, &[][..])
            }
            None => return Err(Fault::new(FaultKind::TimeForm, fraction_at)),
        }
    };
    // ISO 8601:2004 §4.2.3: hour 24 is midnight at the end of the day. X.690 §11.7.5 wants the next day's 000000.
    let mut next_day = false;
    if hour == 24 {
        if minute != 0 || second != 0 || nanos != 0 || !finer.is_empty() {
            return Err(Fault::new(FaultKind::TimeHour, hour_at).with_detail(24));
        }
        scan.depart(hour_at, FaultKind::TimeHour, 24);
        (hour, next_day) = (0, true);
    }
    let leap = second == 60;
    let mut local = CivilTime::checked(year, month, day, hour, minute, second - u8::from(leap));
    if next_day {
        local = match CivilTime::from_unix(local.unix().saturating_add(DAY)) {
            Ok(local) => local,
            Err(_) => return Err(Fault::new(FaultKind::TimeHour, hour_at).with_detail(24)),
        };
    }
    let civil = to_utc(local, leap, second_at, zone)?;
    Ok((GeneralizedTime { civil, nanos, finer, local: zone == Zone::Local }, scan.form()))
}

const DAY: Duration = Duration::from_secs(86_400);
const HOUR: u64 = 3600;
const MINUTE: u64 = 60;
const SECOND_NANOS: u64 = 1_000_000_000;
const MINUTE_NANOS: u64 = MINUTE * SECOND_NANOS;

/// Parses a fraction and returns its digits without trailing zeros. The result is empty if there is no fraction.
fn fraction<'a>(scan: &mut Scan<'a>) -> Result<&'a [u8], Fault> {
    let sign = scan.at();
    let Some(mut digits) = scan.fraction()? else {
        return Ok(&[]);
    };
    let end = scan.at();
    let len = digits.len();
    while let [rest @ .., b'0'] = digits {
        digits = rest;
    }
    // X.690 §11.7.3: trailing zeros are omitted, and with nothing left the point too.
    if digits.is_empty() {
        scan.depart(sign, FaultKind::TimeForm, 0);
    } else if digits.len() < len {
        scan.depart(end - (len - digits.len()), FaultKind::TimeForm, 0);
    }
    Ok(digits)
}

/// Returns the first nine digits of a fraction as nanoseconds.
fn nanos_of(fraction: &[u8]) -> u32 {
    let (value, scale) = fraction.iter().take(9).fold((0, SECOND_NANOS as u32), |(value, scale), digit| {
        (value * 10 + u32::from(digit.wrapping_sub(b'0')), scale / 10)
    });
    value * scale
}

/// Returns a fraction of `unit` seconds in nanoseconds, if that is a whole number.
fn nanos_within(fraction: &[u8], unit: u64) -> Option<u64> {
    if fraction.len() > 18 {
        return None;
    }
    let (value, scale) = fraction
        .iter()
        .fold((0u128, 1u128), |(value, scale), digit| (value * 10 + u128::from(digit.wrapping_sub(b'0')), scale * 10));
    let nanos = value * u128::from(unit * SECOND_NANOS);
    if nanos % scale == 0 { u64::try_from(nanos / scale).ok() } else { None }
}

impl fmt::Display for GeneralizedTime<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.civil.write(f)?;
        let (digits, count) = self.nano_digits();
        if count > 0 {
            f.write_str(".")?;
        }
        for digit in digits.iter().take(count).chain(self.finer) {
            write!(f, "{}", char::from(*digit))?;
        }
        f.write_str(if self.local { "" } else { "Z" })
    }
}

impl fmt::Debug for GeneralizedTime<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GeneralizedTime({self})")
    }
}

impl From<CivilTime> for GeneralizedTime<'_> {
    fn from(civil: CivilTime) -> Self {
        Self::new(civil)
    }
}

impl Typed for GeneralizedTime<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("GeneralizedTime", Some(Tag::GENERALIZED_TIME), Shape::Time(TimeKind::Generalized)) }
    }
}

impl Tagged for GeneralizedTime<'_> {
    const TAG: Tag = Tag::GENERALIZED_TIME;
}

impl<'a> DecodeValue<'a> for GeneralizedTime<'a> {
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

impl EncodeValue for GeneralizedTime<'_> {
    #[inline]
    fn value_len(&self) -> usize {
        match self.fraction_digits() {
            0 => 15,
            digits => digits.saturating_add(16),
        }
    }

    #[inline]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        // What UTC a local time is cannot be known.
        if self.local {
            return Err(EncodeError::new(FaultKind::NotEncodable));
        }
        let (century, year) = ((self.year() / 100) as u8, (self.year() % 100) as u8);
        let [a, b, c, d, e, f, g, h] = spread(lanes([century, year, self.month(), self.day()]));
        let [i, j, k, l, m, n, ..] = spread(lanes([self.hour(), self.minute(), self.second(), 0]));
        if self.nanos == 0 && self.finer.is_empty() {
            return writer.bytes(&[a, b, c, d, e, f, g, h, i, j, k, l, m, n, b'Z']);
        }
        let (digits, count) = self.nano_digits();
        writer.octet(b'Z')?;
        writer.bytes(self.finer)?;
        writer.bytes(digits.get(..count).unwrap_or_default())?;
        writer.bytes(&[a, b, c, d, e, f, g, h, i, j, k, l, m, n, b'.'])
    }
}
