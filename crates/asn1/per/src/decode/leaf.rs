//! Types without components.

use tagwise_codec::table::Type;
use tagwise_codec::value::{Data, Foreign, Value};

use super::Decoder;
use super::length::Numbers;
use crate::bits::reader::Reader;
use crate::error::Kind;
use crate::number::content;
use crate::plan::{Contents, Enumeration, Layout, Sized};
use crate::shared::Expect;
use crate::shared::decode::Decode;

impl<'s> Decoder<'s> {
    pub(super) fn leaf_of(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let ty = expect.ty;
        let octets = match expect.layout {
            Layout::Boolean => vec![if reader.bit()? { 0xFF } else { 0 }],
            Layout::Null => Vec::new(),
            Layout::Integer(bounds) => self.integer(*bounds, reader)?,
            Layout::WideInteger(bounds) => self.wide_integer(bounds, reader)?,
            Layout::Enumerated(items) => return self.enumerated(ty, items, reader),
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
            Layout::TimeForm(form) => self.time_form(form, reader)?,
            Layout::Duration => self.duration(reader)?,
            Layout::Unsupported(what) => return Err(Kind::Unsupported(what)),
            _ => return Err(Kind::Schema),
        };
        self.context.leaf(ty, octets)
    }

    /// ENUMERATED (§14). The number of an unknown item is unknown, but its place among the additional items is preserved.
    fn enumerated(&mut self, ty: &'s Type, items: &Enumeration, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let number = if items.extensible && reader.bit()? {
            let index = self.small(reader)?;
            let found = usize::try_from(index).ok().and_then(|index| items.additions.get(index));
            let Some(found) = found else {
                let number = Some(u32::try_from(index).map_err(|_| Kind::UnknownItem)?);
                let part = Foreign { rules: self.rules(), number, octets: Vec::new() };
                return Ok(self.context.value(ty, Data::Foreign(part)));
            };
            *found
        } else {
            let last = items.root.len().checked_sub(1).ok_or(Kind::Schema)?;
            let index = self.constrained(0, last as i128, reader)?;
            *items.root.get(index as usize).ok_or(Kind::Range)?
        };
        self.context.leaf(ty, content(number.into()))
    }

    /// BIT STRING (§16).
    fn bit_string(&mut self, expect: Expect<'_, 's>, sized: Sized, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let Sized { size, contents, .. } = sized;
        let start = reader.position();
        let (bits, count, place) = self.bits_of(size, reader)?;
        if let Some(contents) = contents
            && let Some(value) = self.contained(expect, contents, &bits, Some(count), place)?
        {
            return Ok(value);
        }
        let octets = self.bit_content(sized, bits, count, start)?;
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
        let (octets, place) = self.octets_of(size, reader)?;
        if let Some(contents) = contents
            && let Some(value) = self.contained(expect, contents, &octets, None, place)?
        {
            return Ok(value);
        }
        self.context.leaf(expect.ty, octets)
    }

    /// The value that an OCTET STRING contains, or a BIT STRING of some bits, unless its type is unknown.
    fn contained(
        &mut self,
        expect: Expect<'_, 's>,
        contents: Contents,
        octets: &[u8],
        bits: Option<u64>,
        place: u64,
    ) -> Result<Option<Value<'s>>, Kind> {
        let Some(inner) = self.context.contained(expect, contents)? else { return Ok(None) };
        self.context.spend_values(1)?;
        let value = if contents.is_der {
            if bits.is_some_and(|bits| !bits.is_multiple_of(8)) {
                return Err(Kind::Mismatch("the contents in DER are not whole bytes"));
            }
            self.context.at = place;
            self.context.der(inner, octets)?
        } else {
            self.complete(inner, octets, bits, place)?
        };
        let value = self.context.value(expect.ty, Data::Containing(Box::new(value)));
        let size = bits.map_or(Some(octets.len()), |bits| usize::try_from(bits).ok()).ok_or(Kind::Length)?;
        self.context.sizes.record(&value, size);
        Ok(Some(value))
    }
}
