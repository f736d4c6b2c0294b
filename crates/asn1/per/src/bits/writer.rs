//! Writes bit fields.

use crate::error::Kind;

/// Bits of an encoding.
#[derive(Debug)]
pub(crate) struct Writer {
    octets: Vec<u8>,
    bits: u64,
    /// The maximum size in bytes.
    budget: u64,
}

impl Writer {
    pub(crate) const fn new(budget: u64) -> Self {
        Self { octets: Vec::new(), bits: 0, budget }
    }

    pub(crate) const fn budget(&self) -> u64 {
        self.budget
    }

    pub(crate) fn align(&mut self) {
        self.bits = self.bits.next_multiple_of(8);
    }

    pub(crate) fn bit(&mut self, bit: bool) -> Result<(), Kind> {
        self.bits(u64::from(bit), 1)
    }

    /// Writes a non-negative number in a field of at most 64 bits (§11.3).
    pub(crate) fn bits(&mut self, number: u64, count: u32) -> Result<(), Kind> {
        let mut left = count.min(64);
        while left > 0 {
            let offset = (self.bits % 8) as u32;
            if offset == 0 {
                if self.octets.len() as u64 >= self.budget {
                    return Err(Kind::Output);
                }
                self.octets.push(0);
            }
            let taken = left.min(8 - offset);
            let field = (number >> (left - taken)) & ((1 << taken) - 1);
            if let Some(last) = self.octets.last_mut() {
                *last |= (field << (8 - offset - taken)) as u8;
            }
            self.bits += u64::from(taken);
            left -= taken;
        }
        Ok(())
    }

    pub(crate) fn octets(&mut self, octets: &[u8]) -> Result<(), Kind> {
        if self.bits.is_multiple_of(8) {
            if (self.octets.len() as u64).saturating_add(octets.len() as u64) > self.budget {
                return Err(Kind::Output);
            }
            self.octets.extend_from_slice(octets);
            self.bits += octets.len() as u64 * 8;
            return Ok(());
        }
        octets.iter().try_for_each(|octet| self.bits(u64::from(*octet), 8))
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
    pub(crate) fn complete(mut self) -> Vec<u8> {
        if self.octets.is_empty() {
            self.octets.push(0);
        }
        self.octets
    }

    /// The bits and their number; an empty encoding is one zero bit (§11.1.3.2).
    pub(crate) fn unpadded(self) -> (Vec<u8>, u64) {
        if self.bits == 0 { (vec![0], 1) } else { (self.octets, self.bits) }
    }
}
