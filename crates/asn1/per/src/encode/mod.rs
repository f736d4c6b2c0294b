//! Encoding of PER.

mod leaf;
pub(crate) mod length;
mod structure;
mod time;

use tagwise_codec::Budget;
use tagwise_codec::value::{Components, Foreign, ForeignRules, Value};

use self::length::Numbers;
use crate::bits::writer::Writer;
use crate::error::{Error, Kind};
use crate::plan::{Bounds, Choice, Layout};
use crate::setting::Setting;
use crate::shared::encode::{Encode, Open, misfit};
use crate::shared::{Context, Expect};

/// Encodes a value as a complete encoding.
pub(crate) fn encode<'s>(setting: Setting<'s>, value: &Value<'s>) -> Result<Vec<u8>, Error> {
    Encoder::new(setting).complete_with(value, |encoder| {
        let expect = encoder.context.outermost()?;
        encoder.complete(expect, value, setting.budget())
    })
}

/// Returns whether the elements of a SET OF are in the order of CANONICAL-PER. Elements without encodings are not compared.
pub(crate) fn is_sorted<'s>(setting: Setting<'s>, layout: &'s Layout, items: &[Value<'s>]) -> bool {
    let mut encoder = Encoder::new(setting);
    let keys: Vec<Vec<u8>> = items
        .iter()
        .filter_map(|item| {
            let expect = Expect { ty: item.ty(), layout, scope: None, depth: Budget::MAX_DEPTH.into() };
            encoder.complete(expect, item, setting.budget()).ok()
        })
        .collect();
    keys.is_sorted_by(|one, other| order(one, other).is_le())
}

/// The order of encodings, as if the shorter one had zero bytes at its end (§22.1).
pub(crate) fn order(one: &[u8], other: &[u8]) -> std::cmp::Ordering {
    let size = one.len().max(other.len());
    let padded = |octets: &[u8]| octets.iter().copied().chain(std::iter::repeat(0)).take(size).collect::<Vec<u8>>();
    padded(one).cmp(&padded(other))
}

struct Encoder<'s> {
    setting: Setting<'s>,
    context: Context<'s>,
}

impl<'s> Encode<'s> for Encoder<'s> {
    type Writer = Writer;

    fn rules(&self) -> ForeignRules {
        self.setting.variant.foreign()
    }

    fn context(&mut self) -> &mut Context<'s> {
        &mut self.context
    }

    fn leaf(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, writer: &mut Writer) -> Result<(), Kind> {
        self.leaf_of(expect, value, writer)
    }

    fn structure(
        &mut self,
        open: Open<'_, 's>,
        present: &[bool],
        components: &Components<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        self.structure_of(open, present, components, writer)
    }

    fn list(
        &mut self,
        item: Expect<'_, 's>,
        size: Bounds,
        is_set: bool,
        items: &[Value<'s>],
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        self.list_of(item, size, is_set, items, writer)
    }

    fn alternative(
        &mut self,
        choice: &'s Choice,
        index: usize,
        inner: Expect<'_, 's>,
        value: &Value<'s>,
        writer: &mut Writer,
    ) -> Result<(), Kind> {
        let root = choice.root.iter().position(|place| *place as usize == index);
        if choice.extensible {
            writer.bit(root.is_none())?;
        }
        if let Some(number) = root {
            let last = choice.root.len().saturating_sub(1);
            self.constrained(number as i128, 0, last as i128, writer)?;
            return self.value(inner, value, writer);
        }
        let number = choice.additions.iter().position(|place| *place as usize == index).ok_or_else(misfit)?;
        self.small(number as u64, writer)?;
        self.wrapped(inner, value, writer)
    }

    fn unknown(&mut self, choice: &'s Choice, foreign: &Foreign, writer: &mut Writer) -> Result<(), Kind> {
        let number = foreign.number.ok_or_else(misfit)?;
        if (number as usize) < choice.additions.len() {
            return Err(misfit());
        }
        writer.bit(true)?;
        self.small(number.into(), writer)?;
        self.open_field(&foreign.octets, writer)
    }

    fn field(&mut self, octets: &[u8], writer: &mut Writer) -> Result<(), Kind> {
        self.open_field(octets, writer)
    }

    /// A value in an open type field (§11.2).
    fn wrapped(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, writer: &mut Writer) -> Result<(), Kind> {
        let octets = self.complete(expect, value, writer.budget())?;
        self.octets(&octets, writer)
    }
}

impl Numbers for Encoder<'_> {
    fn aligned(&self) -> bool {
        self.setting.variant.aligned
    }
}

impl<'s> Encoder<'s> {
    fn new(setting: Setting<'s>) -> Self {
        Self { setting, context: Context::new(setting.base) }
    }

    /// A complete encoding (§11.1).
    fn complete(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, budget: u64) -> Result<Vec<u8>, Kind> {
        let mut writer = Writer::new(budget);
        self.value(expect, value, &mut writer)?;
        writer.complete()
    }
}
