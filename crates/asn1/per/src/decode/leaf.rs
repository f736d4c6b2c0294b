//! Types without components.

use tagwise_codec::value::{Data, Value};

use super::Decoder;
use super::length::Count;
use crate::bits::reader::Reader;
use crate::coding::Coding;
use crate::error::Kind;
use crate::number::content;
use crate::plan::{Characters, Contents, Enumeration, Layout, Sized};
use crate::rules::Rule;
use crate::shared::decode::Decode;
use crate::shared::{Expect, without_zeros};

impl<'s> Decoder<'s> {
    pub(super) fn leaf_of(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let ty = expect.ty;
        let octets = match expect.layout {
            Layout::Boolean => vec![if reader.bit()? { 0xFF } else { 0 }],
            Layout::Null => Vec::new(),
            Layout::Integer(bounds) => self.integer(*bounds, reader)?,
            Layout::WideInteger(bounds) => self.wide_integer(bounds, reader)?,
            Layout::Enumerated(items) => self.enumerated(items, reader)?,
            Layout::Octets | Layout::Real(_) => self.octets(reader)?,
            Layout::BitString(sized) => return self.bit_string(expect, *sized, reader),
            Layout::OctetString(sized) => return self.octet_string(expect, *sized, reader),
            Layout::Characters(characters) => self.characters(characters, reader)?,
            Layout::TimeText(characters) => {
                let octets = self.characters(characters, reader)?;
                // Other forms than those of DER are for CANONICAL-PER an error. Here, the check of the whole value decides.
                if !self.setting.variant.canonical {
                    return Ok(self.context.value(ty, Data::Leaf(octets.into())));
                }
                octets
            }
            Layout::Time { date, time } => self.time(*date, *time, reader)?,
            Layout::Duration => self.duration(reader)?,
            Layout::Unsupported(what) => return Err(Kind::Unsupported(what)),
            _ => return Err(Kind::Schema),
        };
        self.context.leaf(ty, octets)
    }

    /// ENUMERATED (§14).
    fn enumerated(&mut self, items: &Enumeration, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let number = if items.extensible && reader.bit()? {
            let index = self.small(reader)?;
            let found = usize::try_from(index).ok().and_then(|index| items.additions.get(index));
            // The number of an unknown item is unknown, so it cannot be preserved.
            *found.ok_or(Kind::UnknownItem)?
        } else {
            let last = items.root.len().checked_sub(1).ok_or(Kind::Schema)?;
            let index = self.constrained(0, last as i128, reader)?;
            *items.root.get(index as usize).ok_or(Kind::Range)?
        };
        Ok(content(number.into()))
    }

    /// BIT STRING (§16).
    fn bit_string(&mut self, expect: Expect<'_, 's>, sized: Sized, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let Sized { size, contents, named } = sized;
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
        self.context.at = start;
        // Named bits have any number of trailing zero bits (X.680 §22.7).
        self.check_count(size, extended, count)?;
        if let Some(contents) = contents
            && let Some(value) = self.contained(expect, contents, &bits, count, place.unwrap_or(start))?
        {
            return Ok(value);
        }
        let unused = (8 - (count % 8) as u8) % 8;
        let mut octets = vec![unused];
        octets.append(&mut bits);
        if named {
            let short = without_zeros(&octets);
            let least = size.min.unwrap_or(0).max(0);
            if short.len() != octets.len() || short.first() != octets.first() {
                let used = (short.len() as i128 - 1) * 8 - i128::from(short.first().copied().unwrap_or(0));
                if self.setting.variant.canonical && i128::from(count) != used.max(least) {
                    self.violates(Rule::NamedBits, start)?;
                }
            }
            octets = short;
        }
        self.context.leaf(expect.ty, octets)
    }

    /// OCTET STRING (§17).
    fn octet_string(
        &mut self,
        expect: Expect<'_, 's>,
        sized: Sized,
        reader: &mut Reader<'_>,
    ) -> Result<Value<'s>, Kind> {
        let Sized { size, contents, .. } = sized;
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
        self.context.at = start;
        self.check_count(size, extended, octets.len() as u64)?;
        if let Some(contents) = contents {
            let bits = (octets.len() as u64).saturating_mul(8);
            if let Some(value) = self.contained(expect, contents, &octets, bits, place.unwrap_or(start))? {
                return Ok(value);
            }
        }
        self.context.leaf(expect.ty, octets)
    }

    /// The value that a string contains, unless its type is unknown.
    fn contained(
        &mut self,
        expect: Expect<'_, 's>,
        contents: Contents,
        octets: &[u8],
        bits: u64,
        place: u64,
    ) -> Result<Option<Value<'s>>, Kind> {
        let Some(inner) = self.context.contained(expect, contents)? else { return Ok(None) };
        let value = if contents.is_der {
            if !bits.is_multiple_of(8) {
                return Err(Kind::Mismatch("the contents in DER are not whole bytes"));
            }
            self.context.at = place;
            self.context.der(inner, octets)?
        } else {
            let mut reader = Reader::shifted(octets, place).truncated(bits);
            let value = self.value(inner, &mut reader)?;
            if bits.is_multiple_of(8) {
                self.finish(&mut reader)?;
            } else if reader.remaining() > u64::from(reader.is_at_start()) {
                // A BIT STRING contains no padding (§11.1.3.2).
                self.violates(Rule::TrailingData, reader.position())?;
            }
            value
        };
        Ok(Some(self.context.value(expect.ty, Data::Containing(Box::new(value)))))
    }

    /// A known-multiplier character string (§30.5).
    pub(super) fn characters(&mut self, characters: &Characters, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let size = characters.size;
        let start = reader.position();
        let extended = size.extensible && reader.peek()?;
        let coding = Coding::of(characters, self.setting.variant.aligned);
        let (mut octets, mut count) = (Vec::new(), 0u64);
        match self.count(size, reader)? {
            Count::Known(length) => {
                if coding.is_aligned(size, length) {
                    self.align(reader)?;
                }
                count = length;
                self.context.spend_empty(if coding.bits == 0 { length } else { 0 })?;
                coding.read(characters, length, reader, &mut octets)?;
            }
            Count::General => self.fragments(reader, |decoder, length, reader| {
                count += length;
                decoder.context.spend_empty(if coding.bits == 0 { length } else { 0 })?;
                coding.read(characters, length, reader, &mut octets)
            })?,
        }
        self.context.at = start;
        self.check_count(size, extended, count)?;
        Ok(octets)
    }
}
