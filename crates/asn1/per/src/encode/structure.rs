//! SEQUENCE, SET, CHOICE, SEQUENCE OF and SET OF.

use tagwise_codec::table::{Field, Fields, Presence};
use tagwise_codec::value::{Components, Data, Scope, Value};

use super::{Encoder, Expect, misfit, order, other_rules};
use crate::bits::writer::Writer;
use crate::error::{Kind, Step};
use crate::plan::{Addition, Bounds, Choice, Structure};
use crate::shared::presence;

/// A SEQUENCE or SET that is being written.
#[derive(Clone, Copy)]
struct Open<'x, 's> {
    structure: &'s Structure,
    fields: &'s Fields,
    slots: &'x [Option<Value<'s>>],
    scope: &'x Scope<'x, 's>,
    depth: u32,
}

impl<'s> Encoder<'s> {
    /// SEQUENCE (§19) and SET (§21).
    pub(super) fn structure(
        &mut self,
        structure: &'s Structure,
        fields: &'s Fields,
        components: &Components<'s>,
        outer: Option<&Scope<'_, 's>>,
        depth: u32,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        if components.unknown().next().is_some() {
            return Err(Kind::Value("unknown extension additions in BER have no encoding".to_owned()));
        }
        let slots = components.slots();
        let scope = Scope { fields, slots, current: usize::MAX, ahead: None, outer };
        let open = Open { structure, fields, slots, scope: &scope, depth };
        let known: Vec<bool> = structure
            .additions
            .iter()
            .map(|addition| match addition {
                Addition::One(index) => self.is_present(*index, open),
                Addition::Group(list) => list.iter().any(|index| self.is_present(*index, open)),
            })
            .collect();
        let rules = self.setting.variant.foreign();
        let present = presence(components, &known, rules).ok_or_else(other_rules)?;
        let list = components.foreign().map(|foreign| foreign.list.as_slice()).unwrap_or_default();
        let extended = present.contains(&true);
        if structure.extensible {
            writer.bit(extended)?;
        } else if extended {
            return Err(misfit());
        }
        self.components(&structure.root, open, writer)?;
        if !extended {
            return Ok(());
        }
        self.small_length(present.len() as u64, writer)?;
        present.iter().try_for_each(|present| writer.bit(*present))?;
        for (addition, _) in structure.additions.iter().zip(&present).filter(|(_, present)| **present) {
            let mut inner = Writer::new(writer.budget());
            match addition {
                Addition::One(index) => self.component(*index, open, &mut inner)?,
                Addition::Group(list) => self.components(list, open, &mut inner)?,
            }
            self.octets(&inner.complete(), writer)?;
        }
        list.iter().try_for_each(|(_, octets)| self.octets(octets, writer))
    }

    /// Returns whether a component is present and does not have its DEFAULT value.
    fn is_present(&self, index: u32, open: Open<'_, 's>) -> bool {
        match (open.fields.list.get(index as usize), open.slots.get(index as usize)) {
            (Some(field), Some(Some(value))) => {
                !self.types.with_default(field, |default| default == value).unwrap_or(false)
            }
            _ => false,
        }
    }

    fn components(&mut self, list: &[u32], open: Open<'_, 's>, writer: &mut Writer) -> Result<(), Kind> {
        let mut present = Vec::new();
        for index in list {
            let field = open.fields.list.get(*index as usize).ok_or(Kind::Schema)?;
            let is_present = self.is_present(*index, open);
            if !matches!(field.presence, Presence::Required) {
                writer.bit(is_present)?;
            } else if !is_present {
                self.steps.push(Step::Name(&field.name));
                return Err(Kind::Value("the component is missing".to_owned()));
            }
            if is_present {
                present.push(*index);
            }
        }
        present.into_iter().try_for_each(|index| self.component(index, open, writer))
    }

    fn component(&mut self, index: u32, open: Open<'_, 's>, writer: &mut Writer) -> Result<(), Kind> {
        let place = index as usize;
        let field = open.fields.list.get(place).ok_or(Kind::Schema)?;
        let layout = *open.structure.fields.get(place).ok_or(Kind::Schema)?;
        let value = open.slots.get(place).and_then(Option::as_ref).ok_or_else(misfit)?;
        self.named(field, layout, Some(open.scope), open.depth, value, writer)
    }

    fn named(
        &mut self,
        field: &'s Field,
        layout: u32,
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        value: &Value<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        self.steps.push(Step::Name(&field.name));
        let expect = Expect { ty: self.get(&field.ty)?, layout: self.layout(layout)?, scope, depth };
        self.value(expect, value, writer)?;
        self.steps.pop();
        Ok(())
    }

    /// CHOICE (§23).
    pub(super) fn choice(
        &mut self,
        choice: &'s Choice,
        alternatives: &'s [Field],
        data: &Data<'s>,
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let chosen = match data {
            Data::Alternative(chosen) => chosen,
            Data::Foreign(foreign) if choice.extensible => {
                let number = foreign.number.ok_or_else(misfit)?;
                if foreign.rules != self.setting.variant.foreign() {
                    return Err(other_rules());
                }
                if (number as usize) < choice.additions.len() {
                    return Err(misfit());
                }
                writer.bit(true)?;
                self.small(number.into(), writer)?;
                return self.octets(&foreign.octets, writer);
            }
            _ => return Err(misfit()),
        };
        let name = &chosen.field().name;
        let index = alternatives.iter().position(|field| *field.name == **name).ok_or_else(misfit)?;
        let field = alternatives.get(index).ok_or(Kind::Schema)?;
        let layout = *choice.fields.get(index).ok_or(Kind::Schema)?;
        let root = choice.root.iter().position(|place| *place as usize == index);
        if choice.extensible {
            writer.bit(root.is_none())?;
        }
        if let Some(number) = root {
            let last = choice.root.len().saturating_sub(1);
            self.constrained(number as i128, 0, last as i128, writer)?;
            return self.named(field, layout, scope, depth, chosen.value(), writer);
        }
        let number = choice.additions.iter().position(|place| *place as usize == index).ok_or_else(misfit)?;
        self.small(number as u64, writer)?;
        let mut inner = Writer::new(writer.budget());
        self.named(field, layout, scope, depth, chosen.value(), &mut inner)?;
        self.octets(&inner.complete(), writer)
    }

    /// SEQUENCE OF and SET OF (§20, §22).
    pub(super) fn list(
        &mut self,
        expect: Expect<'_, 's>,
        size: Bounds,
        is_set: bool,
        items: &[Value<'s>],
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let mut items: Vec<&Value<'s>> = items.iter().collect();
        if is_set && self.setting.variant.canonical {
            let mut keyed = Vec::new();
            for item in items {
                keyed.push((self.complete(expect, item, writer.budget())?, item));
            }
            keyed.sort_by(|(one, _), (other, _)| order(one, other));
            items = keyed.into_iter().map(|(_, item)| item).collect();
        }
        if self.count(items.len() as u64, size, writer)? {
            return self.fragments(items.len(), writer, |encoder, range, writer| {
                let start = range.start;
                encoder.items(expect, start, items.get(range).unwrap_or_default(), writer)
            });
        }
        self.items(expect, 0, &items, writer)
    }

    fn items(
        &mut self,
        expect: Expect<'_, 's>,
        start: usize,
        items: &[&Value<'s>],
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        for (index, item) in items.iter().enumerate() {
            self.steps.push(Step::Item(start + index));
            self.value(expect, item, writer)?;
            self.steps.pop();
        }
        Ok(())
    }
}
