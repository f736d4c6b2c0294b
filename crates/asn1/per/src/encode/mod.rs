//! Encoding, directed by tables and layouts.

mod leaf;
mod length;
mod structure;
mod time;

use tagwise_codec::Budget;
use tagwise_codec::table::{Shape, Type, TypeRef};
use tagwise_codec::value::{Data, Dynamic, Scope, Types, Value};

use crate::bits::writer::Writer;
use crate::error::{Error, Kind, Step, path};
use crate::plan::Layout;
use crate::setting::Setting;
use crate::shared::index_of;

/// Encodes a value as a complete encoding.
pub(crate) fn encode<'s>(setting: Setting<'s>, index: u32, value: &Value<'s>) -> Result<Vec<u8>, Error> {
    let fail = |kind| Error { path: String::new(), bit: None, kind };
    let ty = setting.schema.types.get(index as usize).ok_or_else(|| fail(Kind::Schema))?;
    let dynamic = Dynamic::new(ty).schema(setting.schema).options(setting.options);
    dynamic.check(value).map_err(|error| Error {
        path: error.path().to_owned(),
        bit: None,
        kind: Kind::Value(error.kind().text().to_owned()),
    })?;
    let mut encoder = Encoder::new(setting);
    let depth = setting.options.budget_in_force().depth.min(Budget::MAX_DEPTH).into();
    let budget = setting.options.budget_in_force().output;
    let mut outermost = || {
        let expect = encoder.expect(index, None, depth)?;
        encoder.complete(expect, value, budget)
    };
    outermost().map_err(|kind| Error { path: path(&encoder.steps), bit: None, kind })
}

/// Returns whether the elements of a SET OF are in the order of CANONICAL-PER. Elements without encodings are not compared.
pub(crate) fn is_sorted<'s>(setting: Setting<'s>, layout: &'s Layout, items: &[Value<'s>]) -> bool {
    let mut encoder = Encoder::new(setting);
    let budget = setting.options.budget_in_force().output;
    let keys: Vec<Vec<u8>> = items
        .iter()
        .filter_map(|item| {
            let expect = Expect { ty: item.ty(), layout, scope: None, depth: Budget::MAX_DEPTH.into() };
            encoder.complete(expect, item, budget).ok()
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
    types: Types<'s>,
    steps: Vec<Step<'s>>,
}

/// The type that a value is encoded as.
#[derive(Clone, Copy)]
struct Expect<'x, 's> {
    ty: &'s Type,
    layout: &'s Layout,
    scope: Option<&'x Scope<'x, 's>>,
    depth: u32,
}

/// The error for a value that is none of its type.
fn misfit() -> Kind {
    Kind::Value("the value does not match its type".to_owned())
}

/// The error for a part of unknown type that was read under other encoding rules.
fn other_rules() -> Kind {
    Kind::Value("a part of unknown type was read under other encoding rules".to_owned())
}

impl<'s> Encoder<'s> {
    const fn new(setting: Setting<'s>) -> Self {
        Self { setting, types: Types::of(setting.schema), steps: Vec::new() }
    }

    fn expect<'x>(&self, index: u32, scope: Option<&'x Scope<'x, 's>>, depth: u32) -> Result<Expect<'x, 's>, Kind> {
        let ty = self.setting.schema.types.get(index as usize).ok_or(Kind::Schema)?;
        Ok(Expect { ty, layout: self.layout(index)?, scope, depth })
    }

    fn get(&self, reference: &TypeRef) -> Result<&'s Type, Kind> {
        self.types.get(reference).ok_or(Kind::Schema)
    }

    fn layout(&self, index: u32) -> Result<&'s Layout, Kind> {
        self.setting.plan.get(index).ok_or(Kind::Schema)
    }

    fn index(&self, ty: &'s Type) -> Result<u32, Kind> {
        index_of(&self.setting.schema.types, ty).ok_or(Kind::Schema)
    }

    /// A complete encoding (§11.1).
    fn complete(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, budget: u64) -> Result<Vec<u8>, Kind> {
        let mut writer = Writer::new(budget);
        self.value(expect, value, &mut writer)?;
        Ok(writer.complete())
    }

    /// A value in an open type field (§11.2).
    fn wrapped(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, writer: &mut Writer) -> Result<(), Kind> {
        let octets = self.complete(expect, value, writer.budget())?;
        self.octets(&octets, writer)
    }

    // Recursion is as deep as the depth budget allows.
    fn value(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, writer: &mut Writer) -> Result<(), Kind> {
        let Expect { ty, layout, scope, .. } = expect;
        match layout {
            Layout::Structure(_) | Layout::List { .. } | Layout::Choice(_) | Layout::Open | Layout::Same(_) => {}
            _ => return self.leaf(expect, value, writer),
        }
        let Some(depth) = expect.depth.checked_sub(1) else { return Err(Kind::Depth) };
        let base = self.types.base(ty);
        match (layout, &base.shape, value.data()) {
            (
                Layout::Structure(structure),
                Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields),
                Data::Components(components),
            ) => self.structure(structure, fields, components, scope, depth, writer),
            (
                Layout::List { item, size, is_set },
                Shape::SequenceOf(reference) | Shape::SetOf(reference),
                Data::Items(items),
            ) => {
                let expect = Expect { ty: self.get(reference)?, layout: self.layout(*item)?, scope, depth };
                self.list(expect, *size, *is_set, items, writer)
            }
            (Layout::Choice(choice), Shape::Choice { alternatives, .. }, data) => {
                self.choice(choice, alternatives, data, scope, depth, writer)
            }
            (Layout::Open, Shape::Open { .. }, data) => match (self.types.selected(base, scope), data) {
                (_, Data::Foreign(foreign)) if foreign.rules != self.setting.variant.foreign() => Err(other_rules()),
                (_, Data::Foreign(foreign)) => self.octets(&foreign.octets, writer),
                (Some(selected), _) => {
                    let expect = self.expect(self.index(selected)?, scope, depth)?;
                    self.wrapped(expect, value, writer)
                }
                // An element in BER has no encoding under other rules.
                (None, _) => Err(Kind::Value("the type of an open type's value is unknown".to_owned())),
            },
            (Layout::Same(index), _, _) => {
                let expect = self.expect(*index, scope, depth)?;
                self.wrapped(expect, value, writer)
            }
            _ => Err(misfit()),
        }
    }
}
