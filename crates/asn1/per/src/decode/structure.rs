//! SEQUENCE, SET, CHOICE, SEQUENCE OF and SET OF.

use tagwise_codec::value::{Foreign, ForeignAdditions, Value};

use super::Decoder;
use super::length::{Count, Numbers};
use crate::bits::reader::Reader;
use crate::error::Kind;
use crate::plan::{Addition, Bounds, Choice};
use crate::rules::Rule;
use crate::shared::Expect;
use crate::shared::decode::{Chosen, Decode, Open};

impl<'s> Decoder<'s> {
    /// SEQUENCE (§19) and SET (§21).
    pub(super) fn structure_of(
        &mut self,
        open: &mut Open<'_, 's>,
        reader: &mut Reader<'_>,
    ) -> Result<ForeignAdditions, Kind> {
        let extended = open.structure.extensible && reader.bit()?;
        self.components(&open.structure.root, open, reader)?;
        if extended { self.additions(open, reader) } else { Ok(ForeignAdditions::new(self.rules())) }
    }

    /// Components behind their presence bits (§19.2).
    fn components(&mut self, list: &[u32], open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let mut present = Vec::new();
        for index in list {
            if !open.is_optional(*index)? || reader.bit()? {
                present.push(*index);
            }
        }
        present.into_iter().try_for_each(|index| self.component_of(index, open, false, reader))
    }

    fn component_of(
        &mut self,
        index: u32,
        open: &mut Open<'_, 's>,
        is_addition: bool,
        reader: &mut Reader<'_>,
    ) -> Result<(), Kind> {
        let start = reader.position();
        let Some(default) = self.component(index, open, reader)? else { return Ok(()) };
        // BASIC-PER leaves the others to the sender (§19.5), and has no such rule for additions outside groups.
        if !default.is_constructed() && !is_addition || self.setting.variant.canonical {
            self.violates(Rule::DefaultAbsent, start)?;
        }
        self.context.steps.pop();
        Ok(())
    }

    /// Extension additions behind the number and list of their presence bits (§19.7 to §19.9).
    fn additions(&mut self, open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<ForeignAdditions, Kind> {
        let start = reader.position();
        self.context.at = start;
        let count = self.small_length(reader)?;
        let mut present = Vec::new();
        for number in 0..count {
            if reader.bit()? {
                present.push(number);
            }
        }
        if present.is_empty() {
            self.violates(Rule::AdditionsPresent, start)?;
        }
        let structure = open.structure;
        let mut foreign = ForeignAdditions::new(self.rules());
        for number in present {
            let (octets, place) = self.open_field(reader)?;
            let mut inner = Reader::shifted(&octets, place);
            match structure.additions.get(number as usize) {
                Some(Addition::One(index)) => self.component_of(*index, open, true, &mut inner)?,
                Some(Addition::Group(list)) => self.group(list, open, &mut inner)?,
                None => {
                    let number = u32::try_from(number).map_err(|_| Kind::Length)?;
                    foreign.list.push((number, octets));
                    continue;
                }
            }
            self.finish(&mut inner)?;
        }
        if count != structure.additions.len() as u64 {
            foreign.count = u32::try_from(count).map_err(|_| Kind::Length)?;
        }
        Ok(foreign)
    }

    /// An extension addition group, which is encoded as a SEQUENCE (§19.9).
    fn group(&mut self, list: &[u32], open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let start = reader.position();
        self.components(list, open, reader)?;
        let is_empty = list.iter().all(|index| open.slots.get(*index as usize).is_none_or(Option::is_none));
        // A group without values is absent (§19.9). One with DEFAULT values alone was reported for them.
        if is_empty && reader.position().saturating_sub(start) <= list.len() as u64 {
            self.violates(Rule::AdditionsPresent, start)?;
        }
        Ok(())
    }

    /// CHOICE (§23).
    pub(super) fn chosen_of(&mut self, choice: &Choice, reader: &mut Reader<'_>) -> Result<Chosen, Kind> {
        if !choice.extensible || !reader.bit()? {
            let last = choice.root.len().checked_sub(1).ok_or(Kind::Schema)?;
            let number = self.constrained(0, last as i128, reader)?;
            let index = *choice.root.get(number as usize).ok_or(Kind::Range)?;
            return Ok(Chosen::Known(index as usize, false));
        }
        let number = self.small(reader)?;
        if let Some(index) = usize::try_from(number).ok().and_then(|number| choice.additions.get(number)) {
            return Ok(Chosen::Known(*index as usize, true));
        }
        let number = Some(u32::try_from(number).map_err(|_| Kind::Range)?);
        let (octets, _) = self.open_field(reader)?;
        Ok(Chosen::Unknown(Foreign { rules: self.rules(), number, octets }))
    }

    /// SEQUENCE OF and SET OF (§20, §22).
    pub(super) fn list_of(
        &mut self,
        expect: Expect<'_, 's>,
        size: Bounds,
        is_set: bool,
        reader: &mut Reader<'_>,
    ) -> Result<Vec<Value<'s>>, Kind> {
        let start = reader.position();
        let extended = size.extensible && reader.peek()?;
        let mut items = Vec::new();
        match self.count(size, reader)? {
            Count::Known(length) => self.items(expect, length, reader, &mut items)?,
            Count::General => {
                self.fragments(reader, |decoder, length, reader| decoder.items(expect, length, reader, &mut items))?;
            }
        }
        self.context.at = start;
        self.check_count(size, extended, items.len() as u64)?;
        if is_set && self.setting.variant.canonical && !crate::encode::is_sorted(self.setting, expect.layout, &items) {
            self.violates(Rule::SetOfOrder, start)?;
        }
        Ok(items)
    }

    fn items(
        &mut self,
        expect: Expect<'_, 's>,
        length: u64,
        reader: &mut Reader<'_>,
        items: &mut Vec<Value<'s>>,
    ) -> Result<(), Kind> {
        self.context.foresee(expect, length)?;
        for _ in 0..length {
            let start = reader.position();
            self.context.element(items.len(), start)?;
            self.context.spend_values(1)?;
            let value = self.value(expect, reader)?;
            self.context.steps.pop();
            if reader.position() == start {
                self.context.spend_empty(1)?;
            }
            items.push(value);
        }
        Ok(())
    }
}
