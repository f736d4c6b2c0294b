//! A plain cursor over one input, and the leaf checks, generic over how an error is represented.

use crate::layout::{Kind, Layout};

pub(crate) const BOOLEAN: u8 = 0x01;
pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const OID: u8 = 0x06;
pub(crate) const UTC_TIME: u8 = 0x17;
pub(crate) const GENERALIZED_TIME: u8 = 0x18;
pub(crate) const SEQUENCE: u8 = 0x30;

/// One input for its whole life; entering a constructed value narrows `end`.
pub(crate) struct Reader<'a> {
    input: &'a [u8],
    pub(crate) position: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Self {
            input,
            position: 0,
            end: input.len(),
        }
    }

    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        if self.position < self.end {
            self.input.get(self.position).copied()
        } else {
            None
        }
    }

    #[inline(always)]
    fn byte<E: Layout>(&mut self) -> Result<u8, E> {
        match self.peek() {
            Some(byte) => {
                self.position += 1;
                Ok(byte)
            }
            None => Err(E::fail(Kind::Truncated, 0, self.position)),
        }
    }

    #[inline(always)]
    fn length<E: Layout>(&mut self) -> Result<usize, E> {
        let start = self.position;
        let first = self.byte()?;
        let length = match first {
            0..=0x7f => usize::from(first),
            0x81 => match self.byte()? {
                octet @ 0x80.. => usize::from(octet),
                _ => return Err(E::fail(Kind::BadLength, first, start)),
            },
            0x82 => {
                let length = usize::from(self.byte()?) << 8 | usize::from(self.byte()?);
                if length < 0x100 {
                    return Err(E::fail(Kind::BadLength, first, start));
                }
                length
            }
            _ => return Err(E::fail(Kind::BadLength, first, start)),
        };
        if length > self.end - self.position {
            return Err(E::fail(Kind::Truncated, first, start));
        }
        Ok(length)
    }

    /// The contents of the next value, which must have that tag.
    #[inline(always)]
    pub(crate) fn read<E: Layout>(&mut self, tag: u8) -> Result<&'a [u8], E> {
        let start = self.position;
        let found = self.byte()?;
        if found != tag {
            return Err(E::fail(Kind::UnexpectedTag, found, start));
        }
        let length = self.length()?;
        let from = self.position;
        self.position += length;
        match self.input.get(from..self.position) {
            Some(contents) => Ok(contents),
            None => Err(E::fail(Kind::Truncated, 0, start)),
        }
    }

    /// Skips one value of that tag whatever is in it.
    #[inline(always)]
    pub(crate) fn raw<E: Layout>(&mut self, tag: u8) -> Result<(u32, u32), E> {
        let start = self.position;
        self.read::<E>(tag)?;
        Ok((start as u32, self.position as u32))
    }

    /// Reads a constructed value and refuses bytes that `body` leaves over.
    #[inline(always)]
    pub(crate) fn nested<T, E: Layout>(
        &mut self,
        tag: u8,
        body: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let start = self.position;
        let found = self.byte()?;
        if found != tag {
            return Err(E::fail(Kind::UnexpectedTag, found, start));
        }
        let length = self.length()?;
        let outer = core::mem::replace(&mut self.end, self.position + length);
        let value = body(self)?;
        if self.position != self.end {
            return Err(E::fail(Kind::TrailingBytes, 0, self.position));
        }
        self.end = outer;
        Ok(value)
    }

    pub(crate) fn finish<E: Layout>(&self) -> Result<(), E> {
        if self.position == self.end {
            Ok(())
        } else {
            Err(E::fail(Kind::TrailingBytes, 0, self.position))
        }
    }
}

/// A minimal INTEGER.
#[inline(always)]
pub(crate) fn integer<'a, E: Layout>(reader: &mut Reader<'a>) -> Result<&'a [u8], E> {
    let start = reader.position;
    let contents = reader.read(INTEGER)?;
    match contents {
        [] | [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => Err(E::fail(Kind::BadInteger, 0, start)),
        _ => Ok(contents),
    }
}

/// An OBJECT IDENTIFIER whose every arc is complete and unpadded.
#[inline(always)]
pub(crate) fn oid<'a, E: Layout>(reader: &mut Reader<'a>) -> Result<&'a [u8], E> {
    let start = reader.position;
    let contents = reader.read(OID)?;
    let mut fresh = true;
    for &octet in contents {
        if fresh && octet == 0x80 {
            return Err(E::fail(Kind::BadOid, octet, start));
        }
        fresh = octet < 0x80;
    }
    if contents.is_empty() || !fresh {
        return Err(E::fail(Kind::BadOid, 0, start));
    }
    Ok(contents)
}

/// A BIT STRING of whole octets or with its unused bits zero.
#[inline(always)]
pub(crate) fn bit_string<'a, E: Layout>(reader: &mut Reader<'a>) -> Result<&'a [u8], E> {
    let start = reader.position;
    match reader.read(BIT_STRING)? {
        [0, bits @ ..] => Ok(bits),
        [unused @ 1..8, bits @ ..] if bits.last().is_some_and(|last| last & ((1 << unused) - 1) == 0) => Ok(bits),
        _ => Err(E::fail(Kind::BadBitString, 0, start)),
    }
}

/// A BOOLEAN TRUE, the only one that DER shows where FALSE is the default.
#[inline(always)]
pub(crate) fn true_boolean<E: Layout>(reader: &mut Reader<'_>) -> Result<bool, E> {
    let start = reader.position;
    match reader.read(BOOLEAN)? {
        [0xff] => Ok(true),
        _ => Err(E::fail(Kind::BadBoolean, 0, start)),
    }
}

/// UTCTime or GeneralizedTime with seconds and a Z, as seconds since 1970.
#[inline(always)]
pub(crate) fn time<E: Layout>(reader: &mut Reader<'_>) -> Result<i64, E> {
    let start = reader.position;
    let tag = reader.peek();
    let seconds = match tag {
        Some(UTC_TIME) => {
            let contents = reader.read(UTC_TIME)?;
            contents
                .first_chunk::<2>()
                .and_then(|year| two(*year))
                .and_then(|year| {
                    let century = if year < 50 { 2000 } else { 1900 };
                    civil(century + year, contents.get(2..)?)
                })
        }
        _ => {
            let contents = reader.read(GENERALIZED_TIME)?;
            contents
                .first_chunk::<4>()
                .and_then(|&[a, b, c, d]| civil(two([a, b])? * 100 + two([c, d])?, contents.get(4..)?))
        }
    };
    seconds.ok_or_else(|| E::fail(Kind::BadTime, tag.unwrap_or(0), start))
}

#[inline(always)]
fn two(digits: [u8; 2]) -> Option<i64> {
    let [tens, units] = digits.map(|digit| digit.wrapping_sub(b'0'));
    (tens < 10 && units < 10).then(|| i64::from(tens) * 10 + i64::from(units))
}

#[inline(always)]
fn civil(year: i64, rest: &[u8]) -> Option<i64> {
    let &[m1, m2, d1, d2, h1, h2, n1, n2, s1, s2, b'Z'] = rest else {
        return None;
    };
    let (month, day) = (two([m1, m2])?, two([d1, d2])?);
    let (hour, minute, second) = (two([h1, h2])?, two([n1, n2])?, two([s1, s2])?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if day < 1 || day > last || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let shifted = year - i64::from(month <= 2);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + day_of_year - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}
