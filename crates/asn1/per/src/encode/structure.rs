//! SEQUENCE, SET, SEQUENCE OF and SET OF.

use tagwise_codec::value::{Components, Value};

use super::length::Numbers;
use super::{Encoder, order};
use crate::bits::writer::Writer;
use crate::error::Kind;
use crate::plan::{Addition, Bounds};
use crate::shared::Expect;
use crate::shared::encode::{Encode, Open};

impl<'s> Encoder<'s> {
    /// SEQUENCE (§19) and SET (§21).
    pub(super) fn structure_of(
        &mut self,
        open: Open<'_, 's>,
        present: &[bool],
        components: &Components<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let structure = open.structure;
        let extended = present.contains(&true);
        if structure.extensible {
            writer.bit(extended)?;
        }
        self.components(&structure.root, open, writer)?;
        if !extended {
            return Ok(());
        }
        self.small_length(present.len() as u64, writer)?;
        present.iter().try_for_each(|present| writer.bit(*present))?;
        for (addition, _) in structure.additions.iter().zip(present).filter(|(_, present)| **present) {
            let mut inner = Writer::new(writer.budget());
            match addition {
                Addition::One(index) => self.component(*index, open, &mut inner)?,
                Addition::Group(list) => self.components(list, open, &mut inner)?,
            }
            self.octets(&inner.complete()?, writer)?;
        }
        let list = components.foreign().map(|foreign| foreign.list.as_slice()).unwrap_or_default();
        list.iter().try_for_each(|(_, octets)| self.open_field(octets, writer))
    }

    fn components(&mut self, list: &[u32], open: Open<'_, 's>, writer: &mut Writer) -> Result<(), Kind> {
        let (bits, present) = self.listed(list, open)?;
        bits.into_iter().try_for_each(|bit| writer.bit(bit))?;
        present.into_iter().try_for_each(|index| self.component(index, open, writer))
    }

    /// SEQUENCE OF and SET OF (§20, §22).
    pub(super) fn list_of(
        &mut self,
        expect: Expect<'_, 's>,
        size: Bounds,
        is_set: bool,
        items: &[Value<'s>],
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let mut items: Vec<&Value<'s>> = items.iter().collect();
        if is_set && self.setting.variant.canonical {
            let (mut keyed, left) = (Vec::new(), self.context.left());
            for item in items {
                keyed.push((self.complete(expect, item, writer.budget())?, item));
            }
            // What is encoded for the order is encoded once more.
            self.context.restore(left);
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
            let before = writer.position();
            self.context.element(start + index, 0)?;
            self.value(expect, item, writer)?;
            // Decoding has the same limit.
            if writer.position() == before {
                self.context.spend_empty(1)?;
            }
            self.context.steps.pop();
        }
        Ok(())
    }
}
