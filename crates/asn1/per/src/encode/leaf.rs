//! Types without components.

use tagwise_codec::value::{Data, Foreign, ForeignRules, Value};

use super::Encoder;
use super::length::{Numbers, bits_of};
use crate::bits::writer::Writer;
use crate::error::Kind;
use crate::number::value as number_of;
use crate::plan::{Bounds, Enumeration, Layout, Sized};
use crate::shared::Expect;
use crate::shared::encode::{Encode, misfit, other_rules};

impl<'s> Encoder<'s> {
    pub(super) fn leaf_of(
        &mut self,
        expect: Expect<'_, 's>,
        value: &Value<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let content = || value.der_content().ok_or_else(misfit);
        let basic = || value.basic_content().ok_or_else(misfit);
        match expect.layout {
            Layout::Boolean => writer.bit(*content()? != [0]),
            Layout::Null => Ok(()),
            Layout::Integer(bounds) => self.integer(&content()?, *bounds, writer),
            Layout::WideInteger(bounds) => self.wide_integer(&content()?, bounds, writer),
            Layout::Enumerated(items) => match value.data() {
                Data::Foreign(part) => self.unknown_item(items, part, writer),
                _ => self.enumerated(items, &content()?, writer),
            },
            Layout::Octets | Layout::Real(_) => self.octets(&content()?, writer),
            Layout::BitString(sized) => self.bit_string(expect, *sized, value, writer),
            Layout::OctetString(sized) => self.octet_string(expect, *sized, value, writer),
            Layout::Characters(characters) => {
                let content = content()?;
                if characters.count() <= 1 && !self.aligned() {
                    self.context.spend_empty(content.len() as u64 / u64::from(characters.width.max(1)))?;
                }
                self.characters(characters, &content, writer)
            }
            Layout::TimeText(characters) => {
                // CANONICAL-PER has the forms of DER only (§29).
                let octets = if self.setting.variant.canonical { content()? } else { basic()? };
                self.characters(characters, &octets, writer)
            }
            Layout::Time { date, time } => self.time(&content()?, *date, *time, writer),
            Layout::TimeForm(form) => self.time_form(&content()?, form, writer),
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

    /// An unknown item of an ENUMERATED. Its place among the additional items does not depend on the variant of PER (§14.3).
    fn unknown_item(&self, items: &Enumeration, part: &Foreign, writer: &mut Writer) -> Result<(), Kind> {
        if !matches!(part.rules, ForeignRules::Uper | ForeignRules::Aper) {
            return Err(other_rules());
        }
        if !part.octets.is_empty() {
            return Err(Kind::Mismatch("an unknown item of an ENUMERATED has a number and no bytes"));
        }
        let number = part.number.filter(|number| *number as usize >= items.additions.len() && items.extensible);
        writer.bit(true)?;
        self.small(number.ok_or(Kind::UnknownItem)?.into(), writer)
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
        let (bits, count) = match self.contained(expect, sized, value, writer.budget())? {
            Some(inner) => {
                let (bits, count) = inner.unpadded()?;
                self.context.contained_size(value, usize::try_from(count).map_err(|_| Kind::Output)?, sized.size)?;
                (bits, count)
            }
            None => {
                // Gaps in the size constraint are not part of the effective one.
                let content = value.sized_bits(self.context.types, &[]).ok_or_else(misfit)?;
                let count = (content.len() as i128 - 1) * 8 - i128::from(content.first().copied().unwrap_or_default());
                let size = Bounds { min: sized.size.min.max(Some(count)), ..sized.size };
                bits_of(&content, Sized { size, ..sized }, writer.budget())?
            }
        };
        self.put_bits(&bits, count, sized.size, writer)
    }

    /// OCTET STRING (§17).
    fn octet_string(
        &mut self,
        expect: Expect<'_, 's>,
        sized: Sized,
        value: &Value<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let octets = match self.contained(expect, sized, value, writer.budget())? {
            Some(inner) => {
                let octets = inner.complete()?;
                self.context.contained_size(value, octets.len(), sized.size)?;
                octets
            }
            None => value.der_content().ok_or_else(misfit)?.into_owned(),
        };
        self.put_octets(&octets, sized.size, writer)
    }
}
