//! Reads bit fields.

use crate::error::Kind;

/// A cursor over the bits of an encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'b> {
    data: &'b [u8],
    at: u64,
    end: u64,
    /// Where the encoding starts, which alignment counts from.
    start: u64,
    /// Added to positions in messages: set if the bytes were collected from fragments.
    shift: u64,
}

impl<'b> Reader<'b> {
    #[inline]
    pub(crate) const fn new(data: &'b [u8]) -> Self {
        let end = (data.len() as u64).saturating_mul(8);
        Self { data, at: 0, end, start: 0, shift: 0 }
    }

    /// A reader of collected bytes whose first one was at a position.
    #[inline]
    pub(crate) const fn shifted(data: &'b [u8], shift: u64) -> Self {
        Self { shift, ..Self::new(data) }
    }

    /// Removes the bits after a number of bits.
    #[inline]
    pub(crate) fn truncated(self, bits: u64) -> Self {
        Self { end: self.end.min(self.at.saturating_add(bits)), ..self }
    }

    /// Returns whether nothing of this encoding was read.
    #[inline]
    pub(crate) const fn is_at_start(&self) -> bool {
        self.at == self.start
    }

    /// The next bit.
    pub(crate) fn peek(&self) -> Result<bool, Kind> {
        let mut ahead = *self;
        ahead.bit()
    }

    /// The position, in bits of the input.
    #[inline]
    pub(crate) const fn position(&self) -> u64 {
        self.at.saturating_add(self.shift)
    }

    #[inline]
    pub(crate) const fn remaining(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }

    /// Number of bits to the next byte boundary of this encoding.
    #[inline]
    pub(crate) const fn padding(&self) -> u32 {
        ((8 - (self.at - self.start) % 8) % 8) as u32
    }

    pub(crate) fn bit(&mut self) -> Result<bool, Kind> {
        Ok(self.bits(1)? != 0)
    }

    /// Reads a non-negative number of at most 64 bits (§11.3).
    #[inline]
    pub(crate) fn bits(&mut self, count: u32) -> Result<u64, Kind> {
        self.take(count).ok_or(Kind::Truncated)
    }

    /// Reads a number as [`bits`](Self::bits) does. Returns `None` if the input ends before.
    #[inline]
    pub(crate) fn take(&mut self, count: u32) -> Option<u64> {
        if u64::from(count) > self.remaining() {
            return None;
        }
        let offset = (self.at % 8) as u32;
        if count + offset > 64 {
            return Some((self.take(count.min(64) - 32)? << 32) | self.take(32)?);
        }
        let number = (self.word()? << offset).checked_shr(64 - count).unwrap_or(0);
        self.at += u64::from(count);
        Some(number)
    }

    /// The next 8 bytes from the current one. Zero bytes follow those of the input.
    #[inline]
    fn word(&self) -> Option<u64> {
        let rest = self.data.get((self.at / 8) as usize..)?;
        if let Some(octets) = rest.first_chunk() {
            return Some(u64::from_be_bytes(*octets));
        }
        let rest = rest.len() as u32;
        // The last 8 bytes of the input contain the rest.
        let all = match self.data.last_chunk() {
            Some(octets) => u64::from_be_bytes(*octets),
            None => self.data.iter().fold(0, |word, octet| word << 8 | u64::from(*octet)),
        };
        Some(all.checked_shl(64 - 8 * rest).unwrap_or(0))
    }

    /// Begins an encoding in the next bits: of an open type. Returns the state for [`leave`](Self::leave).
    #[inline]
    pub(crate) fn enter(&mut self, bits: u64) -> Option<(u64, u64)> {
        if bits > self.remaining() {
            return None;
        }
        let outer = (self.start, self.end);
        (self.start, self.end) = (self.at, self.at + bits);
        Some(outer)
    }

    /// Continues behind an encoding that was entered.
    #[inline]
    pub(crate) fn leave(&mut self, outer: (u64, u64)) {
        self.at = self.end;
        (self.start, self.end) = outer;
    }

    /// Reads whole bytes, which need not be aligned.
    pub(crate) fn octets(&mut self, count: u64, into: &mut Vec<u8>) -> Result<(), Kind> {
        if count.checked_mul(8).is_none_or(|bits| bits > self.remaining()) {
            return Err(Kind::Truncated);
        }
        if self.at.is_multiple_of(8) {
            let from = (self.at / 8) as usize;
            let octets = self.data.get(from..from.saturating_add(count as usize)).ok_or(Kind::Truncated)?;
            into.extend_from_slice(octets);
            self.at += count * 8;
            return Ok(());
        }
        into.reserve(count as usize);
        for _ in 0..count / 8 {
            into.extend_from_slice(&self.bits(64)?.to_be_bytes());
        }
        for _ in 0..count % 8 {
            into.push(self.bits(8)? as u8);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_across_bytes() {
        let mut reader = Reader::new(&[0b1010_0110, 0xFF, 0x01, 0x80]);
        assert_eq!(reader.bits(3), Ok(0b101));
        assert_eq!(reader.bits(7), Ok(0b001_1011));
        assert_eq!((reader.position(), reader.padding()), (10, 6));
        let mut octets = Vec::new();
        assert_eq!(reader.octets(1, &mut octets), Ok(()));
        assert_eq!(octets, [0xFC]);
        assert_eq!(reader.bits(64), Err(Kind::Truncated));
        assert_eq!(reader.bits(14), Ok(0b00_0001_1000_0000));
        assert_eq!(reader.bit(), Err(Kind::Truncated));
    }
}
