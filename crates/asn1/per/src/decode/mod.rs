//! Decoding, directed by tables and layouts.

mod leaf;
mod length;
mod open;
mod structure;
mod time;

use std::borrow::Cow;

use tagwise_codec::Budget;
use tagwise_codec::table::{Shape, Type, TypeRef};
use tagwise_codec::value::{Data, Dynamic, Scope, Types, Value};

use crate::bits::reader::Reader;
use crate::error::{Error, Kind, Step, path};
use crate::plan::Layout;
use crate::rules::Rule;
use crate::setting::Setting;

/// Limit of elements without any bits in one decoding. Others are bounded by the size of the input.
const EMPTY_ELEMENTS: u64 = 1 << 16;

/// A decoded value, with the violations that were tolerated.
#[derive(Clone, Debug)]
pub struct Decoded<'s> {
    /// The value.
    pub value: Value<'s>,
    /// The violated rules, with the offset of each violation in bits.
    pub deviations: Vec<(Rule, u64)>,
    /// The position of each component, if requested.
    pub positions: Vec<Position>,
}

/// The position of a value in an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The component's path; empty for the outermost value.
    pub path: String,
    /// The offset of the first bit.
    pub start: u64,
    /// The offset after the last bit.
    pub end: u64,
}

/// Decodes a complete encoding.
pub(crate) fn decode<'s>(setting: Setting<'s>, index: u32, input: &[u8]) -> Result<Decoded<'s>, Error> {
    let mut decoder = Decoder {
        setting,
        types: Types::of(setting.schema),
        elements: setting.options.budget_in_force().elements,
        empty: EMPTY_ELEMENTS,
        steps: Vec::new(),
        at: 0,
        deviations: Vec::new(),
        positions: Vec::new(),
    };
    match decoder.outermost(index, input) {
        Ok(value) => decoder.checked(index, value, input),
        Err(kind) => Err(Error { path: path(&decoder.steps), bit: Some(decoder.at), kind }),
    }
}

struct Decoder<'s> {
    setting: Setting<'s>,
    types: Types<'s>,
    /// The number of further list elements allowed.
    elements: u64,
    /// The number of further elements without bits allowed.
    empty: u64,
    steps: Vec<Step<'s>>,
    /// The start of the current value or field.
    at: u64,
    deviations: Vec<(Rule, u64)>,
    positions: Vec<Position>,
}

/// The type that is expected at a place.
#[derive(Clone, Copy)]
struct Expect<'x, 's> {
    ty: &'s Type,
    layout: &'s Layout,
    scope: Option<&'x Scope<'x, 's>>,
    depth: u32,
}

impl<'s> Decoder<'s> {
    fn outermost(&mut self, index: u32, input: &[u8]) -> Result<Value<'s>, Kind> {
        let depth = self.setting.options.budget_in_force().depth.min(Budget::MAX_DEPTH).into();
        let expect = self.expect(index, None, depth)?;
        let mut reader = Reader::new(input);
        let value = self.value(expect, &mut reader)?;
        self.finish(&mut reader)?;
        Ok(value)
    }

    /// Checks constraints, and finds the position of a value that violates one.
    fn checked(self, index: u32, value: Value<'s>, input: &[u8]) -> Result<Decoded<'s>, Error> {
        let Some(ty) = self.setting.schema.types.get(index as usize) else {
            return Err(Error { path: String::new(), bit: None, kind: Kind::Schema });
        };
        let dynamic = Dynamic::new(ty).schema(self.setting.schema).options(self.setting.options);
        let Err(error) = dynamic.check(&value) else {
            return Ok(Decoded { value, deviations: self.deviations, positions: self.positions });
        };
        let path = error.path().to_owned();
        let bit = if self.setting.positions {
            let found = self.positions.iter().find(|position| position.path == path);
            found.map(|position| position.start)
        } else {
            // With positions, for the error only.
            let again = decode(Setting { positions: true, ..self.setting }, index, input);
            again.err().and_then(|error| error.bit)
        };
        Err(Error { path, bit, kind: Kind::Value(error.kind().text().to_owned()) })
    }

    fn expect<'x>(&self, index: u32, scope: Option<&'x Scope<'x, 's>>, depth: u32) -> Result<Expect<'x, 's>, Kind> {
        let ty = self.setting.schema.types.get(index as usize).ok_or(Kind::Schema)?;
        let layout = self.setting.plan.get(index).ok_or(Kind::Schema)?;
        Ok(Expect { ty, layout, scope, depth })
    }

    fn get(&self, reference: &TypeRef) -> Result<&'s Type, Kind> {
        self.types.get(reference).ok_or(Kind::Schema)
    }

    fn layout(&self, index: u32) -> Result<&'s Layout, Kind> {
        self.setting.plan.get(index).ok_or(Kind::Schema)
    }

    /// Reports a violation that may be tolerated.
    fn violates(&mut self, rule: Rule, bit: u64) -> Result<(), Kind> {
        if self.setting.tolerance.allows(rule) {
            self.deviations.push((rule, bit));
            return Ok(());
        }
        self.at = bit;
        Err(Kind::Rule(rule))
    }

    /// Checks the padding behind a complete encoding (§11.1.3).
    fn finish(&mut self, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let bit = reader.position();
        let left = reader.remaining();
        // The encoding of a value without bits is one zero byte (§11.1.3.1).
        let padding = if reader.is_at_start() { 8 } else { u64::from(reader.padding()) };
        if left < padding {
            self.at = bit;
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

    // Recursion is as deep as the depth budget allows.
    fn value(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let start = reader.position();
        self.at = start;
        let place = self.positions.len();
        if self.setting.positions {
            self.positions.push(Position { path: path(&self.steps), start, end: start });
        }
        let value = self.content(expect, reader)?;
        if let Some(position) = self.positions.get_mut(place) {
            position.end = reader.position();
        }
        Ok(value)
    }

    fn content(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let Expect { ty, layout, scope, .. } = expect;
        let base = self.types.base(ty);
        match layout {
            Layout::Structure(_) | Layout::List { .. } | Layout::Choice(_) | Layout::Open | Layout::Same(_) => {}
            _ => return self.leaf(expect, reader),
        }
        let Some(depth) = expect.depth.checked_sub(1) else { return Err(Kind::Depth) };
        match (layout, &base.shape) {
            (
                Layout::Structure(structure),
                Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields),
            ) => {
                let components = self.structure(structure, fields, scope, depth, reader)?;
                Ok(Value::new(self.types, ty, Data::Components(components)))
            }
            (Layout::List { item, size, is_set }, Shape::SequenceOf(reference) | Shape::SetOf(reference)) => {
                let expect = Expect { ty: self.get(reference)?, layout: self.layout(*item)?, scope, depth };
                let items = self.list(expect, *size, *is_set, reader)?;
                Ok(Value::new(self.types, ty, Data::Items(items)))
            }
            (Layout::Choice(choice), Shape::Choice { alternatives, .. }) => {
                let data = self.choice(choice, alternatives, scope, depth, reader)?;
                Ok(Value::new(self.types, ty, data))
            }
            (Layout::Open, Shape::Open { .. }) => self.open(ty, base, scope, depth, reader),
            // The type is fixed, but the encoding remains that of an open type.
            (Layout::Same(index), _) => {
                let expect = self.expect(*index, scope, depth)?;
                self.wrapped(expect, reader)
            }
            _ => Err(Kind::Schema),
        }
    }

    fn made(&self, ty: &'s Type, content: Vec<u8>) -> Result<Value<'s>, Kind> {
        Value::leaf(self.types, ty, Cow::Owned(content)).map_err(|fault| Kind::Content(fault.kind().text().to_owned()))
    }
}
