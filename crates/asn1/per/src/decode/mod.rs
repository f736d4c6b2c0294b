//! Decoding of PER.

mod leaf;
mod length;
mod structure;
mod time;

use tagwise_codec::value::{ForeignAdditions, ForeignRules, Value};

use crate::bits::reader::Reader;
use crate::decoded::Decoded;
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

/// The path of the component to which a bit belongs, as far as the input can be decoded.
pub(crate) fn path_at(mut setting: Setting<'_>, input: &[u8], bit: u64) -> String {
    setting.base.positions = true;
    let mut decoder = Decoder { setting, context: Context::new(setting.base) };
    // The path is known up to the error.
    let _ = decoder.outermost(input);
    decoder.context.path_at(bit)
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

    fn field(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        Ok(self.open_field(reader)?.0)
    }

    /// A value of an open type (§11.2).
    fn wrapped(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let (octets, place) = self.open_field(reader)?;
        let mut inner = Reader::shifted(&octets, place);
        let value = self.value(expect, &mut inner)?;
        self.finish(&mut inner)?;
        Ok(value)
    }
}

impl<'s> Decoder<'s> {
    fn outermost(&mut self, input: &[u8]) -> Result<Value<'s>, Kind> {
        let expect = self.context.outermost()?;
        let mut reader = Reader::new(input);
        let value = self.value(expect, &mut reader)?;
        self.finish(&mut reader)?;
        Ok(value)
    }

    /// The contents of an open type field, and where they start.
    fn open_field(&mut self, reader: &mut Reader<'_>) -> Result<(Vec<u8>, u64), Kind> {
        self.context.at = reader.position();
        let (mut octets, mut place) = (Vec::new(), None);
        self.fragments(reader, |_, length, reader| {
            place.get_or_insert(reader.position());
            reader.octets(length, &mut octets)
        })?;
        Ok((octets, place.unwrap_or(self.context.at)))
    }

    /// Reports a violation that may be tolerated.
    fn violates(&mut self, rule: Rule, bit: u64) -> Result<(), Kind> {
        if self.setting.tolerance.allows(rule) {
            self.context.deviations.push((rule, bit));
            return Ok(());
        }
        self.context.at = bit;
        Err(Kind::Rule(rule))
    }

    /// Checks the padding behind a complete encoding (§11.1.3).
    fn finish(&mut self, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let bit = reader.position();
        let left = reader.remaining();
        // The encoding of a value without bits is one zero byte (§11.1.3.1).
        let padding = if reader.is_at_start() { 8 } else { u64::from(reader.padding()) };
        if left < padding {
            self.context.at = bit;
            return Err(Kind::Truncated);
        }
        if reader.bits(padding as u32)? != 0 {
            self.violates(Rule::PaddingZero, bit)?;
        }
        if left > padding {
            self.violates(Rule::TrailingData, bit.saturating_add(padding))?;
        }
        Ok(())
    }

    /// Skips the bits to the next byte boundary in the ALIGNED variant.
    fn align(&mut self, reader: &mut Reader<'_>) -> Result<(), Kind> {
        if self.setting.variant.aligned {
            let bit = reader.position();
            if reader.bits(reader.padding())? != 0 {
                self.violates(Rule::PaddingZero, bit)?;
            }
        }
        Ok(())
    }
}
