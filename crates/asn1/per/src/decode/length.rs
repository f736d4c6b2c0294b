//! Whole numbers and lengths (X.691 §11.3 to §11.9).

use tagwise_codec::Rule as Constraint;

use crate::bits::reader::Reader;
use crate::coding::Coding;
use crate::error::Kind;
use crate::number::{content, difference, magnitude, shortest, sum, total_of, width};
use crate::plan::{Bounds, Characters, Sized, Wide};
use crate::rules::Rule;
use crate::shared::without_zeros;

/// The unit of fragments.
const FRAGMENT: u64 = 1 << 14;

/// The number of units in a string or list.
pub(crate) enum Count {
    /// All units follow. They are padded to the boundary of a byte as constrained lengths are.
    Known(u64),
    /// The units follow in fragments, each behind its length.
    General,
}

/// Reads whole numbers and lengths, for the run-time engine and for generated types.
pub(crate) trait Numbers {
    /// Returns whether the variant is ALIGNED.
    fn aligned(&self) -> bool;

    /// Returns whether the rules are CANONICAL-PER.
    fn canonical(&self) -> bool;

    /// The position of the current value, which errors report.
    fn at(&mut self) -> &mut u64;

    /// Reports a violation that may be tolerated.
    fn violates(&mut self, rule: Rule, bit: u64) -> Result<(), Kind>;

    /// Records padding bits.
    fn padding(&mut self, _start: u64, _bits: u64) -> Result<(), Kind> {
        Ok(())
    }

    /// Charges elements that have no bits.
    fn spend_empty(&mut self, count: u64) -> Result<(), Kind>;

    /// Handles a number, size or character outside its bounds, which `rule` may tolerate.
    fn outside(
        &mut self,
        kind: Kind,
        _rule: Option<&'static Constraint>,
        _describe: impl FnOnce() -> String,
    ) -> Result<(), Kind> {
        Err(kind)
    }

    /// Skips the bits to the next byte boundary in the ALIGNED variant.
    fn align(&mut self, reader: &mut Reader<'_>) -> Result<(), Kind> {
        if self.aligned() {
            let (bit, padding) = (reader.position(), reader.padding());
            self.padding(bit, padding.into())?;
            if reader.bits(padding)? != 0 {
                self.violates(Rule::PaddingZero, bit)?;
            }
        }
        Ok(())
    }

    /// Checks the padding behind a complete encoding (§11.1.3).
    fn finish(&mut self, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let bit = reader.position();
        let left = reader.remaining();
        // The encoding of a value without bits is one zero byte (§11.1.3.1).
        let padding = if reader.is_at_start() { 8 } else { u64::from(reader.padding()) };
        if left < padding {
            *self.at() = bit;
            return Err(Kind::Truncated);
        }
        self.padding(bit, padding)?;
        if reader.bits(padding as u32)? != 0 {
            self.violates(Rule::PaddingZero, bit)?;
        }
        if left > padding {
            self.violates(Rule::TrailingData, bit.saturating_add(padding))?;
        }
        Ok(())
    }

    /// A number of up to 128 bits.
    fn wide(reader: &mut Reader<'_>, bits: u32) -> Result<u128, Kind> {
        let high = bits.saturating_sub(64);
        let first = u128::from(reader.bits(high)?);
        Ok((first << 64.min(bits)) | u128::from(reader.bits(bits - high)?))
    }

    /// A constrained whole number (§11.5).
    fn constrained(&mut self, min: i128, max: i128, reader: &mut Reader<'_>) -> Result<i128, Kind> {
        let bounds = Bounds { min: Some(min), max: Some(max), extensible: false };
        self.bounded(bounds, (min, max), Kind::Range, None, reader)
    }

    /// A constrained whole number. Its bits can be those of a number above the upper bound, which `rule` may tolerate.
    fn bounded(
        &mut self,
        bounds: Bounds,
        (min, max): (i128, i128),
        kind: Kind,
        rule: Option<&'static Constraint>,
        reader: &mut Reader<'_>,
    ) -> Result<i128, Kind> {
        let offset = self.offset(min, max, reader)?;
        if offset > max.wrapping_sub(min) as u128 {
            let Some(number) = min.checked_add_unsigned(offset) else { return Err(kind) };
            let what = match (&kind, rule) {
                (Kind::Size, _) => "size",
                (_, Some(_)) => "value",
                _ => "number",
            };
            // With an extension marker, a number outside the root has another encoding (§13.1).
            let rule = rule.filter(|_| !bounds.extensible);
            self.outside(kind, rule, || bounds.describe(what, number))?;
        }
        Ok(min.wrapping_add(offset as i128))
    }

    /// The offset of a constrained whole number from its lower bound.
    fn offset(&mut self, min: i128, max: i128, reader: &mut Reader<'_>) -> Result<u128, Kind> {
        let span = max.wrapping_sub(min) as u128;
        if span == 0 {
            Ok(0)
        } else if !self.aligned() || span < 255 {
            Self::wide(reader, width(span))
        } else if span < 1 << 16 {
            self.align(reader)?;
            Self::wide(reader, if span == 255 { 8 } else { 16 })
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
            Ok(number)
        }
    }

    /// A normally small non-negative whole number (§11.6).
    fn small(&mut self, reader: &mut Reader<'_>) -> Result<u64, Kind> {
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
            [0, _, ..] => {
                let at = *self.at();
                self.violates(Rule::ShortestForm, at)?;
            }
            _ => {}
        }
        Ok(octets)
    }

    /// The content bytes of an INTEGER (§13).
    fn integer(&mut self, bounds: Bounds, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let start = reader.position();
        if bounds.extensible && reader.bit()? {
            let octets = self.unconstrained(reader)?;
            if crate::number::value(&octets).is_some_and(|number| bounds.contains(number)) {
                self.violates(Rule::RootForm, start)?;
            }
            return Ok(octets);
        }
        match bounds {
            Bounds { min: Some(min), max: Some(max), .. } => {
                self.bounded(bounds, (min, max), Kind::Range, Some(&Constraint::VALUE), reader).map(content)
            }
            Bounds { min: Some(min), max: None, .. } => {
                let octets = self.semi_constrained(reader)?;
                Ok(sum(&[&[0], octets.as_slice()].concat(), min))
            }
            _ => self.unconstrained(reader),
        }
    }

    /// The content bytes of an INTEGER with bounds beyond 128 bits (§13).
    fn wide_integer(&mut self, bounds: &Wide, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
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
        if self.aligned() {
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
            let at = *self.at();
            self.violates(Rule::ShortestForm, at)?;
        }
        Ok(short)
    }

    /// A normally small length (§11.9.3.4), which is never 0.
    fn small_length(&mut self, reader: &mut Reader<'_>) -> Result<u64, Kind> {
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
    fn length(&mut self, reader: &mut Reader<'_>) -> Result<(u64, bool), Kind> {
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
                *self.at() = bit;
                Err(Kind::Length)
            }
        }
    }

    /// Calls `with` with the length of each fragment (§11.9.3.8).
    fn fragments<'b>(
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
    fn octets(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let mut octets = Vec::new();
        self.fragments(reader, |_, length, reader| reader.octets(length, &mut octets))?;
        Ok(octets)
    }

    /// The number of units of a type with an effective size constraint (§11.9.3.3, §16.6, §17.3, §20.4, §30.4).
    fn count(&mut self, size: Bounds, reader: &mut Reader<'_>) -> Result<Count, Kind> {
        if size.extensible && reader.bit()? {
            return Ok(Count::General);
        }
        match size {
            Bounds { min: Some(min), max: Some(max), .. } if max < 1 << 16 => {
                let count = self.bounded(size, (min, max), Kind::Size, Some(&Constraint::SIZE), reader)?;
                Ok(Count::Known(u64::try_from(count).map_err(|_| Kind::Size)?))
            }
            _ => Ok(Count::General),
        }
    }

    /// Checks a count behind a set extension bit, or above the bounds of a length without a small upper bound.
    fn check_count(&mut self, size: Bounds, extended: bool, count: u64) -> Result<(), Kind> {
        let inside = size.contains(count.into());
        match (extended, inside) {
            (true, true) => {
                let at = *self.at();
                self.violates(Rule::RootForm, at)
            }
            (false, false) => {
                let rule = Some(&Constraint::SIZE).filter(|_| !size.extensible);
                self.outside(Kind::Size, rule, || size.describe("size", count.into()))
            }
            _ => Ok(()),
        }
    }

    /// A known-multiplier character string (§30.5).
    fn characters(&mut self, characters: &Characters, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let size = characters.size;
        let start = reader.position();
        let extended = size.extensible && reader.peek()?;
        let coding = Coding::of(characters, self.aligned());
        let (mut octets, mut count) = (Vec::new(), 0u64);
        let describe = |point| {
            move || {
                format!("the character U+{point:04X} is outside the permitted alphabet {}", characters.alphabet_text())
            }
        };
        match self.count(size, reader)? {
            Count::Known(length) => {
                if coding.is_aligned(size, length) {
                    self.align(reader)?;
                }
                count = length;
                self.spend_empty(if coding.bits == 0 { length } else { 0 })?;
                coding.read(characters, length, reader, &mut octets, |point| {
                    self.outside(Kind::Alphabet, Some(&Constraint::VALUE), describe(point))
                })?;
            }
            Count::General => self.fragments(reader, |decoder, length, reader| {
                count += length;
                decoder.spend_empty(if coding.bits == 0 { length } else { 0 })?;
                coding.read(characters, length, reader, &mut octets, |point| {
                    decoder.outside(Kind::Alphabet, Some(&Constraint::VALUE), describe(point))
                })
            })?,
        }
        *self.at() = start;
        self.check_count(size, extended, count)?;
        Ok(octets)
    }

    /// The bits of a BIT STRING (§16), their number, and where they start.
    fn bits_of(&mut self, size: Bounds, reader: &mut Reader<'_>) -> Result<(Vec<u8>, u64, u64), Kind> {
        let start = reader.position();
        let extended = size.extensible && reader.peek()?;
        let (mut bits, mut place, mut count) = (Vec::new(), None, 0);
        let mut take = |length: u64, reader: &mut Reader<'_>| {
            place.get_or_insert(reader.position());
            count += length;
            reader.octets(length / 8, &mut bits)?;
            match (length % 8) as u32 {
                0 => Ok(()),
                rest => {
                    bits.push((reader.bits(rest)? << (8 - rest)) as u8);
                    Ok(())
                }
            }
        };
        match self.count(size, reader)? {
            Count::Known(length) => {
                // §16.9 to §16.11.
                let is_padded = if size.is_fixed() { length > 16 } else { length > 0 };
                if is_padded {
                    self.align(reader)?;
                }
                take(length, reader)?;
            }
            Count::General => self.fragments(reader, |_, length, reader| take(length, reader))?,
        }
        *self.at() = start;
        // Named bits have any number of trailing zero bits (X.680 §22.7).
        self.check_count(size, extended, count)?;
        Ok((bits, count, place.unwrap_or(start)))
    }

    /// The content of a BIT STRING that started at a position, from its bits. Named bits have no trailing zero bits.
    fn bit_content(&mut self, sized: Sized, mut bits: Vec<u8>, count: u64, start: u64) -> Result<Vec<u8>, Kind> {
        let Sized { size, named, .. } = sized;
        let unused = (8 - (count % 8) as u8) % 8;
        let mut octets = vec![unused];
        octets.append(&mut bits);
        if named {
            let short = without_zeros(&octets);
            let least = size.min.unwrap_or(0).max(0);
            let used = (short.len() as i128 - 1) * 8 - i128::from(short.first().copied().unwrap_or(0));
            // There are also too few bits behind an extension bit.
            if self.canonical() && i128::from(count) != used.max(least) {
                self.violates(Rule::NamedBits, start)?;
            }
            octets = short;
        }
        Ok(octets)
    }

    /// The bytes of an OCTET STRING (§17), and where they start.
    fn octets_of(&mut self, size: Bounds, reader: &mut Reader<'_>) -> Result<(Vec<u8>, u64), Kind> {
        let start = reader.position();
        let extended = size.extensible && reader.peek()?;
        let (mut octets, mut place) = (Vec::new(), None);
        match self.count(size, reader)? {
            Count::Known(length) => {
                // §17.6 to §17.8.
                let is_padded = if size.is_fixed() { length > 2 } else { length > 0 };
                if is_padded {
                    self.align(reader)?;
                }
                place = Some(reader.position());
                reader.octets(length, &mut octets)?;
            }
            Count::General => self.fragments(reader, |_, length, reader| {
                place.get_or_insert(reader.position());
                reader.octets(length, &mut octets)
            })?,
        }
        *self.at() = start;
        self.check_count(size, extended, octets.len() as u64)?;
        Ok((octets, place.unwrap_or(start)))
    }

    /// Checks the end of a value in a BIT STRING, which contains no padding. A value without bits is one zero bit (§11.1.3.2).
    fn finish_bits(&mut self, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let bit = reader.position();
        if reader.is_at_start() && reader.bit()? {
            self.violates(Rule::PaddingZero, bit)?;
        }
        if reader.remaining() > 0 {
            self.violates(Rule::TrailingData, reader.position())?;
        }
        Ok(())
    }
}
