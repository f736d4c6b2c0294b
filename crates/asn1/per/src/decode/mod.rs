//! Decoding of PER.

mod leaf;
pub(crate) mod length;
mod structure;
mod time;

use tagwise_codec::value::{ForeignAdditions, ForeignRules, Value};

use self::length::Numbers;
use crate::bits::reader::Reader;
use crate::decoded::{Decoded, Position};
use crate::error::{Error, Kind};
use crate::plan::{Bounds, Choice};
use crate::rules::Rule;
use crate::setting::Setting;
use crate::shared::decode::{Chosen, Decode, Open};
use crate::shared::{Context, Expect};

/// Decodes a complete encoding.
pub(crate) fn decode<'s>(setting: Setting<'s>, input: &[u8]) -> Result<Decoded<'s>, Error> {
    let mut decoder = Decoder { setting, context: Context::new(setting.base) };
    let value = decoder.outermost(input);
    decoder.context.decoded(value, |base| decode(Setting { base, ..setting }, input))
}

/// The positions of components, as far as the input can be decoded.
pub(crate) fn positions(mut setting: Setting<'_>, input: &[u8]) -> Vec<Position> {
    setting.base.positions = true;
    let mut decoder = Decoder { setting, context: Context::new(setting.base) };
    // They are known up to the error.
    let _ = decoder.outermost(input);
    decoder.context.into_positions()
}

struct Decoder<'s> {
    setting: Setting<'s>,
    context: Context<'s>,
}

impl<'s> Decode<'s> for Decoder<'s> {
    type Reader<'b> = Reader<'b>;

    fn rules(&self) -> ForeignRules {
        self.setting.variant.foreign()
    }

    fn context(&mut self) -> &mut Context<'s> {
        &mut self.context
    }

    fn position(reader: &Reader<'_>) -> u64 {
        reader.position()
    }

    fn leaf(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        self.leaf_of(expect, reader)
    }

    fn structure(&mut self, open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<ForeignAdditions, Kind> {
        self.structure_of(open, reader)
    }

    fn list(
        &mut self,
        item: Expect<'_, 's>,
        size: Bounds,
        is_set: bool,
        reader: &mut Reader<'_>,
    ) -> Result<Vec<Value<'s>>, Kind> {
        self.list_of(item, size, is_set, reader)
    }

    fn chosen(&mut self, choice: &'s Choice, reader: &mut Reader<'_>) -> Result<Chosen, Kind> {
        self.chosen_of(choice, reader)
    }

    fn field(&mut self, reader: &mut Reader<'_>) -> Result<(Vec<u8>, u64), Kind> {
        self.open_field(reader)
    }

    fn complete(
        &mut self,
        expect: Expect<'_, 's>,
        octets: &[u8],
        bits: Option<u64>,
        at: u64,
    ) -> Result<Value<'s>, Kind> {
        let reader = Reader::shifted(octets, at);
        let mut reader = bits.map_or(reader, |bits| reader.truncated(bits));
        let value = self.value(expect, &mut reader)?;
        // The bits of a BIT STRING have no padding behind them.
        if bits.is_some() {
            self.finish_bits(&mut reader)?
        } else {
            self.finish(&mut reader)?
        }
        Ok(value)
    }

    /// A value of an open type (§11.2).
    fn wrapped(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let (octets, place) = self.open_field(reader)?;
        self.complete(expect, &octets, None, place)
    }
}

impl<'s> Decoder<'s> {
    fn outermost(&mut self, input: &[u8]) -> Result<Value<'s>, Kind> {
        let expect = self.context.outermost()?;
        let mut reader = Reader::new(input);
        let mut value = self.value(expect, &mut reader)?;
        self.finish(&mut reader)?;
        self.resolve(&mut value)?;
        Ok(value)
    }

    /// The contents of an open type field, and where they start. There is at least one byte (§11.2.1).
    fn open_field(&mut self, reader: &mut Reader<'_>) -> Result<(Vec<u8>, u64), Kind> {
        self.context.at = reader.position();
        let (mut octets, mut place) = (Vec::new(), None);
        self.fragments(reader, |_, length, reader| {
            place.get_or_insert(reader.position());
            reader.octets(length, &mut octets)
        })?;
        if octets.is_empty() {
            return Err(Kind::EmptyOpenType);
        }
        Ok((octets, place.unwrap_or(self.context.at)))
    }
}

impl Numbers for Decoder<'_> {
    fn aligned(&self) -> bool {
        self.setting.variant.aligned
    }

    fn canonical(&self) -> bool {
        self.setting.variant.canonical
    }

    fn at(&mut self) -> &mut u64 {
        &mut self.context.at
    }

    fn violates(&mut self, rule: Rule, bit: u64) -> Result<(), Kind> {
        if self.setting.tolerance.allows(rule) {
            self.context.deviations.push((rule, bit));
            return Ok(());
        }
        self.context.at = bit;
        Err(Kind::Rule(rule))
    }

    fn padding(&mut self, start: u64, bits: u64) -> Result<(), Kind> {
        self.context.padding(start, bits)
    }

    fn spend_empty(&mut self, count: u64) -> Result<(), Kind> {
        self.context.spend_empty(count)
    }

    fn outside(
        &mut self,
        kind: Kind,
        rule: Option<&'static tagwise_codec::Rule>,
        describe: impl FnOnce() -> String,
    ) -> Result<(), Kind> {
        self.context.outside(kind, rule, describe)
    }
}
