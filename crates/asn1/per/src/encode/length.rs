//! Whole numbers and lengths (X.691 §11.3 to §11.9).

use crate::bits::writer::Writer;
use crate::coding::Coding;
use crate::error::Kind;
use crate::number::{content, difference, magnitude, sum, value, width};
use crate::plan::{Bounds, Characters, Sized, Wide};
use crate::shared::encode::misfit;
use crate::shared::without_zeros;

/// The unit of fragments.
const FRAGMENT: usize = 1 << 14;

/// Writes whole numbers and lengths, for the run-time engine and for generated types.
pub(crate) trait Numbers {
    /// Returns whether the variant is ALIGNED.
    fn aligned(&self) -> bool;

    /// Aligns in the ALIGNED variant.
    fn align(&self, writer: &mut Writer) -> Result<(), Kind> {
        if self.aligned() { writer.align() } else { Ok(()) }
    }

    fn wide(number: u128, bits: u32, writer: &mut Writer) -> Result<(), Kind> {
        let high = bits.saturating_sub(64);
        if high > 0 {
            writer.bits((number >> 64) as u64, high)?;
        }
        writer.bits(number as u64, bits - high)
    }

    /// A constrained whole number (§11.5).
    fn constrained(&self, number: i128, min: i128, max: i128, writer: &mut Writer) -> Result<(), Kind> {
        if !(min..=max).contains(&number) {
            return Err(Kind::Range);
        }
        let (span, offset) = (max.wrapping_sub(min) as u128, number.wrapping_sub(min) as u128);
        if span == 0 {
            return Ok(());
        }
        if !self.aligned() || span < 255 {
            return Self::wide(offset, width(span), writer);
        }
        if span < 1 << 16 {
            writer.align()?;
            return Self::wide(offset, if span == 255 { 8 } else { 16 }, writer);
        }
        // The indefinite length case (§11.5.7.4).
        let count = width(offset).div_ceil(8).max(1);
        self.constrained(count.into(), 1, width(span).div_ceil(8).into(), writer)?;
        writer.align()?;
        Self::wide(offset, count * 8, writer)
    }

    /// A normally small non-negative whole number (§11.6).
    fn small(&self, number: u64, writer: &mut Writer) -> Result<(), Kind> {
        if number < 64 {
            return writer.bits(number, 7);
        }
        writer.bit(true)?;
        let octets = content(number.into());
        self.octets(magnitude(&octets).ok_or_else(misfit)?, writer)
    }

    /// An INTEGER (§13).
    fn integer(&self, octets: &[u8], bounds: Bounds, writer: &mut Writer) -> Result<(), Kind> {
        let (number, inside) = (value(octets), bounds.holds(octets));
        if bounds.extensible {
            writer.bit(!inside)?;
            if !inside {
                return self.octets(octets, writer);
            }
        }
        match bounds {
            Bounds { min: Some(min), max: Some(max), .. } => {
                self.constrained(number.ok_or(Kind::Range)?, min, max, writer)
            }
            Bounds { min: Some(min), max: None, .. } => {
                let offset = sum(octets, min.checked_neg().ok_or(Kind::Range)?);
                self.octets(magnitude(&offset).ok_or(Kind::Range)?, writer)
            }
            _ => self.octets(octets, writer),
        }
    }

    /// An INTEGER with bounds beyond 128 bits (§13).
    fn wide_integer(&self, octets: &[u8], bounds: &Wide, writer: &mut Writer) -> Result<(), Kind> {
        let inside = bounds.contains(octets);
        if bounds.extensible {
            writer.bit(!inside)?;
            if !inside {
                return self.octets(octets, writer);
            }
        }
        let Some(min) = &bounds.min else { return self.octets(octets, writer) };
        let offset = difference(octets, min);
        let offset = magnitude(&offset).ok_or(Kind::Range)?;
        let Some(max) = &bounds.max else { return self.octets(offset, writer) };
        let span = difference(max, min);
        let span = magnitude(&span).ok_or(Kind::Schema)?;
        if !inside {
            return Err(Kind::Range);
        }
        if self.aligned() {
            // The indefinite length case (§11.5.7.4).
            self.constrained(offset.len() as i128, 1, span.len() as i128, writer)?;
            writer.align()?;
            return writer.octets(offset);
        }
        let spare = span.len().saturating_sub(offset.len());
        let full = [&vec![0; spare], offset].concat();
        let (first, rest) = full.split_first().ok_or(Kind::Range)?;
        let bits = span.first().map_or(0, |first| 8 - first.leading_zeros());
        writer.bits((*first).into(), bits)?;
        writer.octets(rest)
    }

    /// A normally small length (§11.9.3.4).
    fn small_length(&self, length: u64, writer: &mut Writer) -> Result<(), Kind> {
        match length {
            0 => Err(misfit()),
            1..=64 => writer.bits(length - 1, 7),
            _ => {
                writer.bit(true)?;
                if length >= FRAGMENT as u64 {
                    return Err(misfit());
                }
                self.length(length as usize, writer).map(|_| ())
            }
        }
    }

    /// The length of the next fragment of some units (§11.9.3.5 and on). Returns how many are in it, and whether others follow.
    fn length(&self, units: usize, writer: &mut Writer) -> Result<(usize, bool), Kind> {
        self.align(writer)?;
        match units {
            0..128 => writer.bits(units as u64, 8).map(|()| (units, false)),
            128..FRAGMENT => writer.bits(0x8000 | units as u64, 16).map(|()| (units, false)),
            _ => {
                let count = (units / FRAGMENT).min(4);
                writer.bits(0xC0 | count as u64, 8).map(|()| (count * FRAGMENT, true))
            }
        }
    }

    /// Calls `with` with the range of the units in each fragment (§11.9.3.8).
    fn fragments(
        &mut self,
        units: usize,
        writer: &mut Writer,
        mut with: impl FnMut(&mut Self, std::ops::Range<usize>, &mut Writer) -> Result<(), Kind>,
    ) -> Result<(), Kind> {
        let mut start = 0;
        loop {
            let (count, more) = self.length(units - start, writer)?;
            with(self, start..start + count, writer)?;
            start += count;
            if !more {
                return Ok(());
            }
        }
    }

    /// Bytes behind a length without bounds.
    fn octets(&self, octets: &[u8], writer: &mut Writer) -> Result<(), Kind> {
        let mut rest = octets;
        loop {
            let (count, more) = self.length(rest.len(), writer)?;
            let (now, later) = rest.split_at(count.min(rest.len()));
            writer.octets(now)?;
            rest = later;
            if !more {
                return Ok(());
            }
        }
    }

    /// The contents of an open type field, which are at least one byte (§11.2.1).
    fn open_field(&self, octets: &[u8], writer: &mut Writer) -> Result<(), Kind> {
        if octets.is_empty() { Err(Kind::EmptyOpenType) } else { self.octets(octets, writer) }
    }

    /// The number of units of a type with an effective size constraint. Returns whether they follow in fragments instead.
    fn count(&self, count: u64, size: Bounds, writer: &mut Writer) -> Result<bool, Kind> {
        let inside = size.contains(count.into());
        if size.extensible {
            writer.bit(!inside)?;
            if !inside {
                return Ok(true);
            }
        } else if !inside {
            return Err(Kind::Size);
        }
        match size {
            Bounds { min: Some(min), max: Some(max), .. } if max < 1 << 16 => {
                self.constrained(count.into(), min, max, writer)?;
                Ok(false)
            }
            _ => Ok(true),
        }
    }

    /// A known-multiplier character string (§30.5).
    fn characters(&mut self, characters: &Characters, content: &[u8], writer: &mut Writer) -> Result<(), Kind> {
        let width = usize::from(characters.width.max(1));
        if !content.len().is_multiple_of(width) {
            return Err(misfit());
        }
        let count = content.len() / width;
        let coding = Coding::of(characters, self.aligned());
        let put = |range: std::ops::Range<usize>, writer: &mut Writer| {
            let part = content.get(range.start * width..range.end * width).unwrap_or_default();
            part.chunks_exact(width).try_for_each(|octets| {
                let point = octets.iter().fold(0, |point, octet| point << 8 | u32::from(*octet));
                let position = characters.position(point).ok_or(Kind::Alphabet)?;
                writer.bits(if coding.indexed { position } else { point.into() }, coding.bits)
            })
        };
        if self.count(count as u64, characters.size, writer)? {
            return self.fragments(count, writer, |_, range, writer| put(range, writer));
        }
        if coding.is_aligned(characters.size, count as u64) {
            self.align(writer)?;
        }
        put(0..count, writer)
    }

    /// Writes the bits of a BIT STRING (§16).
    fn put_bits(&mut self, bits: &[u8], count: u64, size: Bounds, writer: &mut Writer) -> Result<(), Kind> {
        if self.count(count, size, writer)? {
            return self.fragments(count as usize, writer, |_, range, writer| {
                // Fragments have whole bytes.
                let part = bits.get(range.start / 8..).unwrap_or_default();
                writer.prefix(part, range.len() as u64)
            });
        }
        let is_padded = if size.is_fixed() { count > 16 } else { count > 0 };
        if is_padded {
            self.align(writer)?;
        }
        writer.prefix(bits, count)
    }

    /// Writes the bytes of an OCTET STRING (§17).
    fn put_octets(&mut self, octets: &[u8], size: Bounds, writer: &mut Writer) -> Result<(), Kind> {
        if self.count(octets.len() as u64, size, writer)? {
            return self.octets(octets, writer);
        }
        let is_padded = if size.is_fixed() { octets.len() > 2 } else { !octets.is_empty() };
        if is_padded {
            self.align(writer)?;
        }
        writer.octets(octets)
    }
}

/// The bits of BIT STRING content and their number, within a budget in bytes.
pub(crate) fn bits_of(content: &[u8], sized: Sized, budget: u64) -> Result<(Vec<u8>, u64), Kind> {
    let content = if sized.named { without_zeros(content) } else { content.to_vec() };
    let (unused, bits) = content.split_first().ok_or_else(misfit)?;
    let count = (bits.len() as u64).saturating_mul(8).saturating_sub((*unused).into());
    let mut bits = bits.to_vec();
    // Named bits have as many zero bits at their end as the size constraint requires (§16.2).
    let least = sized.size.min.and_then(|min| u64::try_from(min).ok()).unwrap_or(0);
    let count = if sized.named { count.max(least) } else { count };
    if count.div_ceil(8) > budget {
        return Err(Kind::Output);
    }
    bits.resize(count.div_ceil(8) as usize, 0);
    Ok((bits, count))
}
