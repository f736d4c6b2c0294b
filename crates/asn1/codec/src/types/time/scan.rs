//! The complete parser for times: rarer types, and forms that the eight-byte fast path does not handle.

use super::civil::{CivilTime, may_leap};
use super::unix_time::UnixTime;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;

/// A cursor over the content bytes. Offsets are relative to the first byte.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    octets: &'a [u8],
    at: usize,
    /// The kind of a fault in the syntax.
    syntax: FaultKind,
    form: Option<TimeLayout>,
}

/// The first deviation from DER in a time that is valid BER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeLayout {
    at: usize,
    kind: FaultKind,
    detail: u8,
}

impl TimeLayout {
    /// Records the deviation if the session tolerates it. The content starts at `start`.
    #[cold]
    #[inline(never)]
    pub(super) fn deviate(self, reader: &Reader<'_, '_>, start: usize) -> Result<(), Fault> {
        match reader.deviate(&Rule::TIME_FORM, self.kind, start.saturating_add(self.at)) {
            Ok(()) => Ok(()),
            Err(fault) => Err(fault.with_detail(self.detail)),
        }
    }

    /// Creates the fault for the deviation, with an offset into the content.
    pub(super) const fn fault(self) -> Fault {
        Fault::new(self.kind, self.at).with_detail(self.detail)
    }
}

/// The time zone designator: none, `Z`, or a time difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// No designator: local time.
    Local,
    /// The number of minutes ahead of UTC, and the position of the time difference.
    Ahead(i32, usize),
}

impl<'a> Scan<'a> {
    /// Creates a cursor over a UTCTime or GeneralizedTime.
    pub(super) const fn new(octets: &'a [u8]) -> Self {
        Self { octets, at: 0, syntax: FaultKind::TimeSyntax, form: None }
    }

    /// Creates a cursor over one of the types of X.680 §38.
    pub(super) const fn iso(octets: &'a [u8]) -> Self {
        Self { octets, at: 0, syntax: FaultKind::IsoTime, form: None }
    }

    /// Returns a syntax fault at the cursor.
    pub(super) const fn wrong<T>(&self) -> Result<T, Fault> {
        Err(Fault::new(self.syntax, self.at))
    }

    /// Returns a syntax fault at an earlier position.
    pub(super) const fn wrong_at<T>(&self, at: usize) -> Result<T, Fault> {
        Err(Fault::new(self.syntax, at))
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    pub(super) const fn form(&self) -> Option<TimeLayout> {
        self.form
    }

    /// Records a deviation from DER. If there are several, only the one at the lowest position is recorded.
    pub(super) fn depart(&mut self, at: usize, kind: FaultKind, detail: u8) {
        if self.form.is_none_or(|form| at < form.at) {
            self.form = Some(TimeLayout { at, kind, detail });
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.octets.get(self.at).copied()
    }

    pub(super) fn at_digit(&self) -> bool {
        self.peek().is_some_and(|octet| octet.is_ascii_digit())
    }

    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    /// Skips a byte if it comes next.
    pub(super) fn eat(&mut self, octet: u8) -> bool {
        let found = self.peek() == Some(octet);
        self.at += usize::from(found);
        found
    }

    /// Returns the byte `count` bytes ahead.
    pub(super) fn ahead(&self, count: usize) -> Option<u8> {
        self.octets.get(self.at.saturating_add(count)).copied()
    }

    /// Returns whether all bytes were read, or `octet` comes next.
    pub(super) fn at_end_of(&self, octet: u8) -> bool {
        self.peek().is_none_or(|next| next == octet)
    }

    /// Returns the bytes between two positions.
    pub(super) fn from(&self, start: usize, end: usize) -> &'a [u8] {
        self.octets.get(start..end).unwrap_or_default()
    }

    /// Reads the digits of a fraction, if one comes next. A comma before them is a deviation from DER (X.690 §11.7.4,
    /// §11.9).
    pub(super) fn fraction(&mut self) -> Result<Option<&'a [u8]>, Fault> {
        match self.peek() {
            Some(b'.') => {}
            Some(b',') => self.depart(self.at, FaultKind::TimeForm, 0),
            _ => return Ok(None),
        }
        self.step();
        let digits = self.digits();
        if digits.is_empty() { self.wrong() } else { Ok(Some(digits)) }
    }

    /// Reads all digits that follow.
    pub(super) fn digits(&mut self) -> &'a [u8] {
        let rest = self.octets.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|octet| !octet.is_ascii_digit()).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    fn digit(&mut self) -> Result<u8, Fault> {
        match self.peek() {
            Some(octet @ b'0'..=b'9') => {
                self.at += 1;
                Ok(octet - b'0')
            }
            _ => self.wrong(),
        }
    }

    /// Reads two digits.
    pub(super) fn pair(&mut self) -> Result<u8, Fault> {
        let tens = self.digit()?;
        Ok(tens * 10 + self.digit()?)
    }

    /// Reads two digits that form a number from `min` to `max`.
    pub(super) fn within(&mut self, kind: FaultKind, min: u8, max: u8) -> Result<u8, Fault> {
        let at = self.at;
        let number = self.pair()?;
        if number < min || number > max {
            return Err(Fault::new(kind, at).with_detail(number));
        }
        Ok(number)
    }

    /// Reads `Z`, or a sign, two digits of hours and two of minutes. If `short` is true, the minutes may be omitted.
    pub(super) fn zone(&mut self, short: bool) -> Result<Zone, Fault> {
        let at = self.at;
        let sign = match self.peek() {
            Some(b'Z') => {
                self.step();
                return Ok(Zone::Ahead(0, at));
            }
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return self.wrong(),
        };
        self.depart(at, FaultKind::TimeForm, 0);
        self.step();
        let hours = self.within(FaultKind::TimeHour, 0, 23)?;
        let minutes = if short && self.peek().is_none() { 0 } else { self.within(FaultKind::TimeMinute, 0, 59)? };
        Ok(Zone::Ahead(sign * (i32::from(hours) * 60 + i32::from(minutes)), at))
    }

    /// Checks that nothing follows.
    pub(super) fn end(&self) -> Result<(), Fault> {
        if self.at == self.octets.len() { Ok(()) } else { self.wrong() }
    }
}

/// Converts a local time to UTC. Its second is at `second_at` and may be 60.
///
/// If `leap` is true, `local` contains 59 in place of 60.
pub(super) fn to_utc(local: CivilTime, leap: bool, second_at: usize, zone: Zone) -> Result<CivilTime, Fault> {
    let utc = match zone {
        Zone::Local | Zone::Ahead(0, _) => local,
        Zone::Ahead(minutes, at) => match CivilTime::from_unix(UnixTime(local.unix().0 - i64::from(minutes) * 60)) {
            Ok(utc) => utc,
            // The UTC has no four-digit year, so there is nothing the time could be normalized to.
            Err(_) => return Err(Fault::new(FaultKind::TimeForm, at)),
        },
    };
    if !leap {
        return Ok(utc);
    }
    let (year, month, day, hour, minute) = (utc.year(), utc.month(), utc.day(), utc.hour(), utc.minute());
    if may_leap(year, month, day, hour, minute) {
        Ok(CivilTime::checked(year, month, day, hour, minute, 60))
    } else {
        Err(Fault::new(FaultKind::TimeSecond, second_at).with_detail(60))
    }
}
