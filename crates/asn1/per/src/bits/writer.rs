//! Writes bit fields.

use crate::error::Kind;

/// Bits of an encoding.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    octets: Vec<u8>,
    /// The bits that are not among the bytes yet: the lowest `pending` ones, fewer than 64.
    word: u64,
    pending: u32,
    /// The maximum size in bytes.
    budget: u64,
}

impl Writer {
    pub(crate) const fn new(budget: u64) -> Self {
        Self::reusing(Vec::new(), budget)
    }

    /// A writer that uses the memory of an empty list.
    #[inline]
    pub(crate) const fn reusing(octets: Vec<u8>, budget: u64) -> Self {
        Self { octets, word: 0, pending: 0, budget }
    }

    #[inline]
    pub(crate) const fn budget(&self) -> u64 {
        self.budget
    }

    /// The number of bits that were written.
    #[inline]
    pub(crate) const fn position(&self) -> u64 {
        self.octets.len() as u64 * 8 + self.pending as u64
    }

    pub(crate) fn align(&mut self) -> Result<(), Kind> {
        self.bits(0, (8 - self.pending % 8) % 8)
    }

    pub(crate) fn bit(&mut self, bit: bool) -> Result<(), Kind> {
        self.bits(u64::from(bit), 1)
    }

    /// Writes a non-negative number in a field of at most 64 bits (§11.3).
    #[inline]
    pub(crate) fn bits(&mut self, number: u64, count: u32) -> Result<(), Kind> {
        if self.put(number, count) { Ok(()) } else { Err(Kind::Output) }
    }

    /// Writes a number as [`bits`](Self::bits) does. Returns `false` if the budget is exhausted.
    #[inline]
    pub(crate) fn put(&mut self, number: u64, count: u32) -> bool {
        let number = number & u64::MAX.checked_shr(64 - count.min(64)).unwrap_or(0);
        // At least 1.
        let free = 64 - self.pending;
        if count < free {
            self.word = self.word << count | number;
            self.pending += count;
            return true;
        }
        let rest = count - free;
        let word = self.word.checked_shl(free).unwrap_or(0) | number >> rest;
        (self.word, self.pending) = (number & ((1 << rest) - 1), rest);
        self.whole(&word.to_be_bytes())
    }

    /// Appends bytes.
    fn whole(&mut self, octets: &[u8]) -> bool {
        if (self.octets.len() as u64).saturating_add(octets.len() as u64) > self.budget {
            return false;
        }
        self.octets.extend_from_slice(octets);
        true
    }

    /// Appends the pending bits, which are padded to whole bytes.
    fn flush(&mut self) -> Result<(), Kind> {
        let word = self.word.checked_shl(64 - self.pending).unwrap_or(0).to_be_bytes();
        let pending = word.get(..self.pending.div_ceil(8) as usize).unwrap_or_default();
        if !self.whole(pending) {
            return Err(Kind::Output);
        }
        (self.word, self.pending) = (0, 0);
        Ok(())
    }

    pub(crate) fn octets(&mut self, octets: &[u8]) -> Result<(), Kind> {
        if self.pending.is_multiple_of(8) && octets.len() > 8 {
            self.flush()?;
            return if self.whole(octets) { Ok(()) } else { Err(Kind::Output) };
        }
        let (words, rest) = octets.as_chunks();
        words.iter().try_for_each(|word| self.bits(u64::from_be_bytes(*word), 64))?;
        rest.iter().try_for_each(|octet| self.bits(u64::from(*octet), 8))
    }

    /// Writes the first bits of some bytes.
    pub(crate) fn prefix(&mut self, octets: &[u8], bits: u64) -> Result<(), Kind> {
        let whole = (bits / 8) as usize;
        self.octets(octets.get(..whole).unwrap_or(octets))?;
        match (octets.get(whole), (bits % 8) as u32) {
            (Some(last), rest @ 1..) => self.bits(u64::from(*last) >> (8 - rest), rest),
            _ => Ok(()),
        }
    }

    /// The bits, with padding to whole bytes; an empty encoding is one zero byte (§11.1.3.1).
    pub(crate) fn complete(mut self) -> Result<Vec<u8>, Kind> {
        self.flush()?;
        if self.octets.is_empty() {
            self.octets.push(0);
        }
        Ok(self.octets)
    }

    /// The bits and their number; an empty encoding is one zero bit (§11.1.3.2).
    pub(crate) fn unpadded(mut self) -> Result<(Vec<u8>, u64), Kind> {
        let count = self.position();
        self.flush()?;
        Ok(if count == 0 { (vec![0], 1) } else { (self.octets, count) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_across_words() {
        let mut writer = Writer::new(100);
        for count in [1, 7, 9, 30, 33, 63, 64, 5] {
            assert_eq!(writer.bits(u64::MAX, count), Ok(()));
        }
        assert_eq!(writer.octets(&[0x5A; 11]), Ok(()));
        assert_eq!(writer.bits(0, 0), Ok(()));
        let octets = writer.complete().unwrap_or_default();
        // 212 bits are set.
        assert_eq!(octets.iter().take(26).filter(|octet| **octet == 0xFF).count(), 26);
        assert_eq!(
            octets.get(26..),
            Some(&[0xF5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA0][..])
        );
        let mut small = Writer::new(2);
        assert_eq!(small.bits(0, 17), Ok(()));
        assert_eq!(small.complete(), Err(Kind::Output));
    }
}
