//! Whole numbers and lengths (X.691 §11.3 to §11.9).

use super::Encoder;
use crate::bits::writer::Writer;
use crate::error::Kind;
use crate::number::{content, difference, magnitude, sum, value, width};
use crate::plan::{Bounds, Wide};
use crate::shared::encode::misfit;

/// The unit of fragments.
const FRAGMENT: usize = 1 << 14;

impl Encoder<'_> {
    /// Aligns in the ALIGNED variant.
    pub(super) fn align(&self, writer: &mut Writer) {
        if self.setting.variant.aligned {
            writer.align();
        }
    }

    fn wide(number: u128, bits: u32, writer: &mut Writer) -> Result<(), Kind> {
        let high = bits.saturating_sub(64);
        if high > 0 {
            writer.bits((number >> 64) as u64, high)?;
        }
        writer.bits(number as u64, bits - high)
    }

    /// A constrained whole number (§11.5).
    pub(super) fn constrained(&self, number: i128, min: i128, max: i128, writer: &mut Writer) -> Result<(), Kind> {
        if !(min..=max).contains(&number) {
            return Err(Kind::Range);
        }
        let (span, offset) = (max.wrapping_sub(min) as u128, number.wrapping_sub(min) as u128);
        if span == 0 {
            return Ok(());
        }
        if !self.setting.variant.aligned || span < 255 {
            return Self::wide(offset, width(span), writer);
        }
        if span < 1 << 16 {
            writer.align();
            return Self::wide(offset, if span == 255 { 8 } else { 16 }, writer);
        }
        // The indefinite length case (§11.5.7.4).
        let count = width(offset).div_ceil(8).max(1);
        self.constrained(count.into(), 1, width(span).div_ceil(8).into(), writer)?;
        writer.align();
        Self::wide(offset, count * 8, writer)
    }

    /// A normally small non-negative whole number (§11.6).
    pub(super) fn small(&self, number: u64, writer: &mut Writer) -> Result<(), Kind> {
        if number < 64 {
            return writer.bits(number, 7);
        }
        writer.bit(true)?;
        let octets = content(number.into());
        self.octets(magnitude(&octets).ok_or_else(misfit)?, writer)
    }

    /// An INTEGER (§13).
    pub(super) fn integer(&self, octets: &[u8], bounds: Bounds, writer: &mut Writer) -> Result<(), Kind> {
        let number = value(octets);
        // A number beyond 128 bits is outside of all bounds on its side.
        let is_negative = octets.first().is_some_and(|first| *first >= 0x80);
        let inside = match number {
            Some(number) => bounds.contains(number),
            None => {
                if is_negative {
                    bounds.min.is_none()
                } else {
                    bounds.max.is_none()
                }
            }
        };
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
    pub(super) fn wide_integer(&self, octets: &[u8], bounds: &Wide, writer: &mut Writer) -> Result<(), Kind> {
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
        if self.setting.variant.aligned {
            // The indefinite length case (§11.5.7.4).
            self.constrained(offset.len() as i128, 1, span.len() as i128, writer)?;
            writer.align();
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
    pub(super) fn small_length(&self, length: u64, writer: &mut Writer) -> Result<(), Kind> {
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
        self.align(writer);
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
    pub(super) fn fragments(
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
    pub(super) fn octets(&self, octets: &[u8], writer: &mut Writer) -> Result<(), Kind> {
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

    /// The number of units of a type with an effective size constraint. Returns whether they follow in fragments instead.
    pub(super) fn count(&self, count: u64, size: Bounds, writer: &mut Writer) -> Result<bool, Kind> {
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
}
