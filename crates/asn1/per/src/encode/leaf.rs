//! Types without components.

use tagwise_codec::value::{Data, Value};

use super::Encoder;
use crate::bits::writer::Writer;
use crate::coding::Coding;
use crate::error::Kind;
use crate::number::value as number_of;
use crate::plan::{Characters, Enumeration, Layout, Sized};
use crate::shared::encode::{Encode, misfit};
use crate::shared::{Expect, without_zeros};

impl<'s> Encoder<'s> {
    pub(super) fn leaf_of(
        &mut self,
        expect: Expect<'_, 's>,
        value: &Value<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let content = || value.der_content().ok_or_else(misfit);
        match expect.layout {
            Layout::Boolean => writer.bit(*content()? != [0]),
            Layout::Null => Ok(()),
            Layout::Integer(bounds) => self.integer(&content()?, *bounds, writer),
            Layout::WideInteger(bounds) => self.wide_integer(&content()?, bounds, writer),
            Layout::Enumerated(items) => self.enumerated(items, &content()?, writer),
            Layout::Octets | Layout::Real(_) => self.octets(&content()?, writer),
            Layout::BitString(sized) => self.bit_string(expect, *sized, value, writer),
            Layout::OctetString(sized) => self.octet_string(expect, *sized, value, writer),
            Layout::Characters(characters) => self.characters(characters, &content()?, writer),
            Layout::TimeText(characters) => {
                // CANONICAL-PER has the forms of DER only (§29).
                let octets = if self.setting.variant.canonical {
                    content()?
                } else {
                    value.content().ok_or_else(misfit)?.into()
                };
                self.characters(characters, &octets, writer)
            }
            Layout::Time { date, time } => self.time(&content()?, *date, *time, writer),
            Layout::Duration => self.duration(&content()?, writer),
            Layout::Unsupported(what) => Err(Kind::Unsupported(what)),
            _ => Err(Kind::Schema),
        }
    }

    /// ENUMERATED (§14).
    fn enumerated(&self, items: &Enumeration, content: &[u8], writer: &mut Writer) -> Result<(), Kind> {
        let number = number_of(content).and_then(|number| i64::try_from(number).ok()).ok_or(Kind::UnknownItem)?;
        let root = items.root.iter().position(|item| *item == number);
        if items.extensible {
            writer.bit(root.is_none())?;
        }
        if let Some(index) = root {
            let last = items.root.len().saturating_sub(1);
            return self.constrained(index as i128, 0, last as i128, writer);
        }
        let index = items.additions.iter().position(|item| *item == number).filter(|_| items.extensible);
        self.small(index.ok_or(Kind::UnknownItem)? as u64, writer)
    }

    /// The bits that a string contains, if they are the encoding of a value.
    fn contained(
        &mut self,
        expect: Expect<'_, 's>,
        sized: Sized,
        value: &Value<'s>,
        budget: u64,
    ) -> Result<Option<Writer>, Kind> {
        let Data::Containing(inner) = value.data() else { return Ok(None) };
        let contents = sized.contents.ok_or_else(misfit)?;
        let within = self.context.contained(expect, contents)?.ok_or_else(misfit)?;
        let mut writer = Writer::new(budget);
        if contents.is_der {
            writer.octets(&self.context.to_der(within, inner)?)?;
        } else {
            self.value(within, inner, &mut writer)?;
        }
        Ok(Some(writer))
    }

    /// BIT STRING (§16).
    fn bit_string(
        &mut self,
        expect: Expect<'_, 's>,
        sized: Sized,
        value: &Value<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let size = sized.size;
        let (bits, count) = match self.contained(expect, sized, value, writer.budget())? {
            Some(inner) => inner.unpadded(),
            None => {
                let content = value.der_content().ok_or_else(misfit)?;
                let content = if sized.named { without_zeros(&content) } else { content.into_owned() };
                let (unused, bits) = content.split_first().ok_or_else(misfit)?;
                let count = (bits.len() as u64).saturating_mul(8).saturating_sub((*unused).into());
                let mut bits = bits.to_vec();
                // Named bits have as many zero bits at their end as the size constraint requires (§16.2).
                let least = size.min.and_then(|min| u64::try_from(min).ok()).unwrap_or(0);
                let count = if sized.named { count.max(least) } else { count };
                if count.div_ceil(8) > writer.budget() {
                    return Err(Kind::Output);
                }
                bits.resize(count.div_ceil(8) as usize, 0);
                (bits, count)
            }
        };
        if self.count(count, size, writer)? {
            return self.fragments(count as usize, writer, |_, range, writer| {
                // Fragments have whole bytes.
                let part = bits.get(range.start / 8..).unwrap_or_default();
                writer.prefix(part, range.len() as u64)
            });
        }
        let is_padded = if size.is_fixed() { count > 16 } else { count > 0 };
        if is_padded {
            self.align(writer);
        }
        writer.prefix(&bits, count)
    }

    /// OCTET STRING (§17).
    fn octet_string(
        &mut self,
        expect: Expect<'_, 's>,
        sized: Sized,
        value: &Value<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let size = sized.size;
        let octets = match self.contained(expect, sized, value, writer.budget())? {
            Some(inner) => inner.complete(),
            None => value.der_content().ok_or_else(misfit)?.into_owned(),
        };
        if self.count(octets.len() as u64, size, writer)? {
            return self.octets(&octets, writer);
        }
        let is_padded = if size.is_fixed() { octets.len() > 2 } else { !octets.is_empty() };
        if is_padded {
            self.align(writer);
        }
        writer.octets(&octets)
    }

    /// A known-multiplier character string (§30.5).
    fn characters(&mut self, characters: &Characters, content: &[u8], writer: &mut Writer) -> Result<(), Kind> {
        let width = usize::from(characters.width.max(1));
        if !content.len().is_multiple_of(width) {
            return Err(misfit());
        }
        let count = content.len() / width;
        let coding = Coding::of(characters, self.setting.variant.aligned);
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
            self.align(writer);
        }
        put(0..count, writer)
    }
}
