//! Whole numbers and lengths (X.691 §11.3 to §11.9).

use super::Decoder;
use crate::bits::reader::Reader;
use crate::error::Kind;
use crate::number::{content, difference, magnitude, shortest, sum, total_of, width};
use crate::plan::{Bounds, Wide};
use crate::rules::Rule;

/// The unit of fragments.
pub(super) const FRAGMENT: u64 = 1 << 14;

/// The number of units in a string or list.
pub(super) enum Count {
    /// All units follow. They are padded to the boundary of a byte as constrained lengths are.
    Known(u64),
    /// The units follow in fragments, each behind its length.
    General,
}

impl Decoder<'_> {
    /// A number of up to 128 bits.
    fn wide(reader: &mut Reader<'_>, bits: u32) -> Result<u128, Kind> {
        let high = bits.saturating_sub(64);
        let first = u128::from(reader.bits(high)?);
        Ok((first << 64.min(bits)) | u128::from(reader.bits(bits - high)?))
    }

    /// A constrained whole number (§11.5).
    pub(super) fn constrained(&mut self, min: i128, max: i128, reader: &mut Reader<'_>) -> Result<i128, Kind> {
        let span = max.wrapping_sub(min) as u128;
        let offset = if span == 0 {
            0
        } else if !self.setting.variant.aligned || span < 255 {
            Self::wide(reader, width(span))?
        } else if span < 1 << 16 {
            self.align(reader)?;
            Self::wide(reader, if span == 255 { 8 } else { 16 })?
        } else {
            // The indefinite length case (§11.5.7.4): the number of bytes comes first.
            let most = i128::from(width(span).div_ceil(8));
            let count = self.constrained(1, most, reader)?;
            self.align(reader)?;
            let bit = reader.position();
            let number = Self::wide(reader, count as u32 * 8)?;
            if count > 1 && i128::from(width(number).div_ceil(8)) < count {
                self.violates(Rule::ShortestForm, bit)?;
            }
            number
        };
        if offset > span {
            return Err(Kind::Range);
        }
        Ok(min.wrapping_add(offset as i128))
    }

    /// A normally small non-negative whole number (§11.6).
    pub(super) fn small(&mut self, reader: &mut Reader<'_>) -> Result<u64, Kind> {
        let bit = reader.position();
        if !reader.bit()? {
            return reader.bits(6);
        }
        let octets = self.semi_constrained(reader)?;
        if octets.len() > 8 {
            return Err(Kind::Range);
        }
        let number = octets.iter().fold(0, |number, octet| number << 8 | u64::from(*octet));
        if number < 64 {
            self.violates(Rule::ShortestForm, bit)?;
        }
        Ok(number)
    }

    /// The offset of a semi-constrained whole number from its bound (§11.7), as bytes without a sign.
    fn semi_constrained(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let octets = self.octets(reader)?;
        match octets.as_slice() {
            [] => return Err(Kind::Length),
            [0, _, ..] => self.violates(Rule::ShortestForm, self.context.at)?,
            _ => {}
        }
        Ok(octets)
    }

    /// The content bytes of an INTEGER (§13).
    pub(super) fn integer(&mut self, bounds: Bounds, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let start = reader.position();
        if bounds.extensible && reader.bit()? {
            let octets = self.unconstrained(reader)?;
            if crate::number::value(&octets).is_some_and(|number| bounds.contains(number)) {
                self.violates(Rule::RootForm, start)?;
            }
            return Ok(octets);
        }
        match bounds {
            Bounds { min: Some(min), max: Some(max), .. } => Ok(content(self.constrained(min, max, reader)?)),
            Bounds { min: Some(min), max: None, .. } => {
                let octets = self.semi_constrained(reader)?;
                Ok(sum(&[&[0], octets.as_slice()].concat(), min))
            }
            _ => self.unconstrained(reader),
        }
    }

    /// The content bytes of an INTEGER with bounds beyond 128 bits (§13).
    pub(super) fn wide_integer(&mut self, bounds: &Wide, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let start = reader.position();
        if bounds.extensible && reader.bit()? {
            let octets = self.unconstrained(reader)?;
            if bounds.contains(&octets) {
                self.violates(Rule::RootForm, start)?;
            }
            return Ok(octets);
        }
        let Some(min) = &bounds.min else { return self.unconstrained(reader) };
        let Some(max) = &bounds.max else {
            let octets = self.semi_constrained(reader)?;
            return Ok(total_of(&[&[0], octets.as_slice()].concat(), min));
        };
        let span = difference(max, min);
        let span = magnitude(&span).ok_or(Kind::Schema)?;
        let mut offset = vec![0];
        if self.setting.variant.aligned {
            // The indefinite length case (§11.5.7.4).
            let count = self.constrained(1, span.len() as i128, reader)?;
            self.align(reader)?;
            let bit = reader.position();
            reader.octets(count as u64, &mut offset)?;
            if count > 1 && offset.get(1) == Some(&0) {
                self.violates(Rule::ShortestForm, bit)?;
            }
        } else {
            let first = span.first().map_or(0, |first| 8 - first.leading_zeros());
            offset.push(reader.bits(first)? as u8);
            reader.octets(span.len() as u64 - 1, &mut offset)?;
        }
        let number = total_of(&offset, min);
        if bounds.contains(&number) { Ok(number) } else { Err(Kind::Range) }
    }

    /// An unconstrained whole number (§11.8).
    fn unconstrained(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let octets = self.octets(reader)?;
        if octets.is_empty() {
            return Err(Kind::Length);
        }
        let size = octets.len();
        let short = shortest(octets);
        if short.len() != size {
            self.violates(Rule::ShortestForm, self.context.at)?;
        }
        Ok(short)
    }

    /// A normally small length (§11.9.3.4), which is never 0.
    pub(super) fn small_length(&mut self, reader: &mut Reader<'_>) -> Result<u64, Kind> {
        let bit = reader.position();
        if !reader.bit()? {
            return Ok(reader.bits(6)? + 1);
        }
        match self.length(reader)? {
            (_, true) | (0, _) => Err(Kind::Length),
            (length, false) => {
                if length <= 64 {
                    self.violates(Rule::ShortestForm, bit)?;
                }
                Ok(length)
            }
        }
    }

    /// A length without a small upper bound (§11.9.3.5 and on). Returns whether it is that of a fragment with others behind.
    pub(super) fn length(&mut self, reader: &mut Reader<'_>) -> Result<(u64, bool), Kind> {
        self.align(reader)?;
        let bit = reader.position();
        if !reader.bit()? {
            return Ok((reader.bits(7)?, false));
        }
        if !reader.bit()? {
            let length = reader.bits(14)?;
            if length < 128 {
                self.violates(Rule::ShortestForm, bit)?;
            }
            return Ok((length, false));
        }
        match reader.bits(6)? {
            count @ 1..=4 => Ok((count * FRAGMENT, true)),
            _ => {
                self.context.at = bit;
                Err(Kind::Length)
            }
        }
    }

    /// Calls `with` with the length of each fragment (§11.9.3.8).
    pub(super) fn fragments<'b>(
        &mut self,
        reader: &mut Reader<'b>,
        mut with: impl FnMut(&mut Self, u64, &mut Reader<'b>) -> Result<(), Kind>,
    ) -> Result<(), Kind> {
        let mut before = 4 * FRAGMENT;
        loop {
            let bit = reader.position();
            let (length, more) = self.length(reader)?;
            // Only the last fragments may be smaller than 64K.
            if more && before < 4 * FRAGMENT {
                self.violates(Rule::ShortestForm, bit)?;
            }
            before = length;
            with(self, length, reader)?;
            if !more {
                return Ok(());
            }
        }
    }

    /// Bytes behind a length without bounds.
    pub(super) fn octets(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let mut octets = Vec::new();
        self.fragments(reader, |_, length, reader| reader.octets(length, &mut octets))?;
        Ok(octets)
    }

    /// The number of units of a type with an effective size constraint (§11.9.3.3, §16.6, §17.3, §20.4, §30.4).
    pub(super) fn count(&mut self, size: Bounds, reader: &mut Reader<'_>) -> Result<Count, Kind> {
        if size.extensible && reader.bit()? {
            return Ok(Count::General);
        }
        match size {
            Bounds { min: Some(min), max: Some(max), .. } if max < 1 << 16 => {
                let count = self.constrained(min, max, reader).map_err(|kind| match kind {
                    Kind::Range => Kind::Size,
                    kind => kind,
                })?;
                Ok(Count::Known(u64::try_from(count).map_err(|_| Kind::Size)?))
            }
            _ => Ok(Count::General),
        }
    }

    /// Checks a count behind a set extension bit, or above the bounds of a length without a small upper bound.
    pub(super) fn check_count(&mut self, size: Bounds, extended: bool, count: u64) -> Result<(), Kind> {
        let inside = size.contains(count.into());
        match (extended, inside) {
            (true, true) => self.violates(Rule::RootForm, self.context.at),
            (false, false) => Err(Kind::Size),
            _ => Ok(()),
        }
    }
}
