//! SEQUENCE, SET, CHOICE, SEQUENCE OF and SET OF.

use tagwise_codec::table::{Field, Fields, Presence};
use tagwise_codec::value::{Alternative, Components, Data, Foreign, ForeignAdditions, Scope, Value};

use super::length::Count;
use super::{Decoder, Expect};
use crate::bits::reader::Reader;
use crate::error::{Kind, Step};
use crate::plan::{Addition, Bounds, Choice, Layout, Structure};
use crate::rules::Rule;

/// A SEQUENCE or SET that is being read.
struct Open<'x, 's> {
    structure: &'s Structure,
    fields: &'s Fields,
    slots: Vec<Option<Value<'s>>>,
    outer: Option<&'x Scope<'x, 's>>,
    depth: u32,
}

impl<'s> Decoder<'s> {
    /// SEQUENCE (§19) and SET (§21).
    pub(super) fn structure(
        &mut self,
        structure: &'s Structure,
        fields: &'s Fields,
        outer: Option<&Scope<'_, 's>>,
        depth: u32,
        reader: &mut Reader<'_>,
    ) -> Result<Components<'s>, Kind> {
        let slots = fields.list.iter().map(|_| None).collect();
        let mut open = Open { structure, fields, slots, outer, depth };
        let extended = structure.extensible && reader.bit()?;
        self.components(&structure.root, &mut open, reader)?;
        let foreign = if extended {
            self.additions(&mut open, reader)?
        } else {
            ForeignAdditions::new(self.setting.variant.foreign())
        };
        let components = Components::new(fields, open.slots, Vec::new()).ok_or(Kind::Schema)?;
        Ok(components.with_foreign(foreign))
    }

    /// Components behind their presence bits (§19.2).
    fn components(&mut self, list: &[u32], open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let mut present = Vec::new();
        for index in list {
            let field = open.fields.list.get(*index as usize).ok_or(Kind::Schema)?;
            if matches!(field.presence, Presence::Required) || reader.bit()? {
                present.push(*index);
            }
        }
        present.into_iter().try_for_each(|index| self.component(index, open, false, reader))
    }

    fn component(
        &mut self,
        index: u32,
        open: &mut Open<'_, 's>,
        is_addition: bool,
        reader: &mut Reader<'_>,
    ) -> Result<(), Kind> {
        let place = index as usize;
        let field = open.fields.list.get(place).ok_or(Kind::Schema)?;
        let layout = *open.structure.fields.get(place).ok_or(Kind::Schema)?;
        let start = reader.position();
        let value = {
            let scope =
                Scope { fields: open.fields, slots: &open.slots, current: place, ahead: None, outer: open.outer };
            self.named(field, layout, Some(&scope), open.depth, reader)?
        };
        let is_default = self.types.with_default(field, |default| *default == value).unwrap_or(false);
        if is_default {
            let simple = !matches!(
                self.layout(layout)?,
                Layout::Structure(_) | Layout::List { .. } | Layout::Choice(_) | Layout::Open | Layout::Same(_)
            );
            // BASIC-PER leaves the others to the sender (§19.5), and has no such rule for additions outside groups.
            if simple && !is_addition || self.setting.variant.canonical {
                self.steps.push(Step::Name(&field.name));
                self.violates(Rule::DefaultAbsent, start)?;
                self.steps.pop();
            }
            return Ok(());
        }
        if let Some(slot) = open.slots.get_mut(place) {
            *slot = Some(value);
        }
        Ok(())
    }

    /// A component or alternative.
    fn named(
        &mut self,
        field: &'s Field,
        layout: u32,
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        reader: &mut Reader<'_>,
    ) -> Result<Value<'s>, Kind> {
        self.steps.push(Step::Name(&field.name));
        let expect = Expect { ty: self.get(&field.ty)?, layout: self.layout(layout)?, scope, depth };
        let value = self.value(expect, reader)?;
        self.steps.pop();
        Ok(value)
    }

    /// Extension additions behind the number and list of their presence bits (§19.7 to §19.9).
    fn additions(&mut self, open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<ForeignAdditions, Kind> {
        let start = reader.position();
        self.at = start;
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
        let mut foreign = ForeignAdditions::new(self.setting.variant.foreign());
        for number in present {
            let (octets, place) = self.field(reader)?;
            let mut inner = Reader::shifted(&octets, place);
            match structure.additions.get(number as usize) {
                Some(Addition::One(index)) => self.component(*index, open, true, &mut inner)?,
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
    pub(super) fn choice(
        &mut self,
        choice: &Choice,
        alternatives: &'s [Field],
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        reader: &mut Reader<'_>,
    ) -> Result<Data<'s>, Kind> {
        let extended = choice.extensible && reader.bit()?;
        let (index, field) = if extended {
            let number = self.small(reader)?;
            let (octets, place) = self.field(reader)?;
            let known = usize::try_from(number).ok().and_then(|number| choice.additions.get(number));
            let Some(index) = known else {
                let number = u32::try_from(number).map_err(|_| Kind::Range)?;
                return Ok(Data::Foreign(Foreign {
                    rules: self.setting.variant.foreign(),
                    number: Some(number),
                    octets,
                }));
            };
            (*index, Some((octets, place)))
        } else {
            let last = choice.root.len().checked_sub(1).ok_or(Kind::Schema)?;
            let number = self.constrained(0, last as i128, reader)?;
            (*choice.root.get(number as usize).ok_or(Kind::Range)?, None)
        };
        let alternative = alternatives.get(index as usize).ok_or(Kind::Schema)?;
        let layout = *choice.fields.get(index as usize).ok_or(Kind::Schema)?;
        let value = match field {
            None => self.named(alternative, layout, scope, depth, reader)?,
            Some((octets, place)) => {
                let mut inner = Reader::shifted(&octets, place);
                let value = self.named(alternative, layout, scope, depth, &mut inner)?;
                self.finish(&mut inner)?;
                value
            }
        };
        Ok(Data::Alternative(Alternative::new(alternative, value)))
    }

    /// SEQUENCE OF and SET OF (§20, §22).
    pub(super) fn list(
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
                self.fragments(reader, |decoder, length, reader| decoder.items(expect, length, reader, &mut items))?
            }
        }
        self.at = start;
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
        for _ in 0..length {
            let start = reader.position();
            self.steps.push(Step::Item(items.len()));
            self.at = start;
            self.elements = self.elements.checked_sub(1).ok_or(Kind::Elements)?;
            let value = self.value(expect, reader)?;
            self.steps.pop();
            if reader.position() == start {
                self.spend_empty(1)?;
            }
            items.push(value);
        }
        Ok(())
    }
}
