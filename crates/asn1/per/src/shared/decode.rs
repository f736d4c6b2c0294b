//! Decoding, directed by tables and layouts, as far as encoding rules do not differ.

use tagwise_codec::table::{Field, Fields, Presence, Shape};
use tagwise_codec::value::{Alternative, Components, Data, Foreign, ForeignAdditions, ForeignRules, Scope, Value};

use crate::error::{Kind, Step};
use crate::plan::{Bounds, Choice, Layout, Structure};
use crate::shared::{Context, Expect, index_of};

/// A SEQUENCE or SET that is being read.
#[derive(Debug)]
pub struct Open<'x, 's> {
    /// The layout.
    pub structure: &'s Structure,
    /// The components.
    pub fields: &'s Fields,
    /// The values that were read.
    pub slots: Vec<Option<Value<'s>>>,
    /// The components around the value.
    outer: Option<&'x Scope<'x, 's>>,
    depth: u32,
}

impl Open<'_, '_> {
    /// Returns whether a component has a presence bit.
    ///
    /// # Errors
    /// Returns an error if the schema does not define it.
    pub fn is_optional(&self, index: u32) -> Result<bool, Kind> {
        let field = self.fields.list.get(index as usize).ok_or(Kind::Schema)?;
        Ok(!matches!(field.presence, Presence::Required))
    }
}

/// An alternative of a CHOICE, before its value is read.
#[derive(Debug)]
pub enum Chosen {
    /// The alternative with this index. True if its value is in an open type field.
    Known(usize, bool),
    /// An unknown alternative.
    Unknown(Foreign),
}

/// A decoder of some encoding rules.
pub trait Decode<'s>: Sized {
    /// The input.
    type Reader<'b>;

    /// The encoding rules of parts of unknown type.
    fn rules(&self) -> ForeignRules;

    /// The state.
    fn context(&mut self) -> &mut Context<'s>;

    /// The position of a reader, in bits of the input.
    fn position(reader: &Self::Reader<'_>) -> u64;

    /// Reads a value without components.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn leaf(&mut self, expect: Expect<'_, 's>, reader: &mut Self::Reader<'_>) -> Result<Value<'s>, Kind>;

    /// Reads the components of a SEQUENCE or SET. Returns its unknown extension additions.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn structure(&mut self, open: &mut Open<'_, 's>, reader: &mut Self::Reader<'_>) -> Result<ForeignAdditions, Kind>;

    /// Reads the items of a list.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn list(
        &mut self,
        item: Expect<'_, 's>,
        size: Bounds,
        is_set: bool,
        reader: &mut Self::Reader<'_>,
    ) -> Result<Vec<Value<'s>>, Kind>;

    /// Reads which alternative a CHOICE has.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn chosen(&mut self, choice: &'s Choice, reader: &mut Self::Reader<'_>) -> Result<Chosen, Kind>;

    /// Reads the contents of an open type field. Also returns where they start, in bits.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn field(&mut self, reader: &mut Self::Reader<'_>) -> Result<(Vec<u8>, u64), Kind>;

    /// Decodes a value from all bytes of an open type field or of a string, or from a number of bits of a BIT STRING. They start at
    /// a position in bits.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn complete(
        &mut self,
        expect: Expect<'_, 's>,
        octets: &[u8],
        bits: Option<u64>,
        at: u64,
    ) -> Result<Value<'s>, Kind>;

    /// Reads a value in an open type field.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn wrapped(&mut self, expect: Expect<'_, 's>, reader: &mut Self::Reader<'_>) -> Result<Value<'s>, Kind>;

    /// Reads a value. Recursion is as deep as the depth budget allows.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn value(&mut self, expect: Expect<'_, 's>, reader: &mut Self::Reader<'_>) -> Result<Value<'s>, Kind> {
        let mark = self.context().begin(Self::position(reader))?;
        let value =
            if expect.layout.is_constructed() { self.constructed(expect, reader)? } else { self.leaf(expect, reader)? };
        self.context().end(mark, Self::position(reader));
        Ok(value)
    }

    /// Reads a value with components.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn constructed(&mut self, expect: Expect<'_, 's>, reader: &mut Self::Reader<'_>) -> Result<Value<'s>, Kind> {
        let Expect { ty, layout, scope, .. } = expect;
        let depth = expect.depth.checked_sub(1).ok_or(Kind::Depth)?;
        let base = self.context().types.base(ty);
        let data = match (layout, &base.shape) {
            (
                Layout::Structure(structure),
                Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields),
            ) => {
                self.context().spend_values(fields.list.len())?;
                let slots = fields.list.iter().map(|_| None).collect();
                let mut open = Open { structure, fields, slots, outer: scope, depth };
                let foreign = self.structure(&mut open, reader)?;
                let components = Components::new(fields, open.slots, Vec::new()).ok_or(Kind::Schema)?;
                Data::Components(components.with_foreign(foreign))
            }
            (Layout::List { item, size, is_set }, Shape::SequenceOf(reference) | Shape::SetOf(reference)) => {
                let item = self.context().refer(reference, *item, scope, depth)?;
                Data::Items(self.list(item, *size, *is_set, reader)?)
            }
            (Layout::Choice(choice), Shape::Choice { alternatives, .. }) => match self.chosen(choice, reader)? {
                Chosen::Known(index, is_wrapped) => {
                    self.context().spend_values(1)?;
                    let field: &'s Field = alternatives.get(index).ok_or(Kind::Schema)?;
                    let layout = *choice.fields.get(index).ok_or(Kind::Schema)?;
                    self.context().steps.push(Step::Name(&field.name));
                    let expect = self.context().refer(&field.ty, layout, scope, depth)?;
                    let value = if is_wrapped { self.wrapped(expect, reader)? } else { self.value(expect, reader)? };
                    self.context().steps.pop();
                    Data::Alternative(Alternative::new(field, value))
                }
                Chosen::Unknown(foreign) => Data::Foreign(foreign),
            },
            (Layout::Open, Shape::Open { .. }) => match self.context().selected(base, scope, depth)? {
                Some(selected) => return self.wrapped(selected, reader),
                None => {
                    let start = Self::position(reader);
                    let (octets, place) = self.field(reader)?;
                    self.context().postpone(start, place);
                    Data::Foreign(Foreign { rules: self.rules(), number: None, octets })
                }
            },
            // The type is fixed, but the encoding remains that of an open type.
            (Layout::Same(index), _) => {
                let fixed = self.context().expect(*index, scope, depth)?;
                return self.wrapped(fixed, reader);
            }
            _ => return Err(Kind::Schema),
        };
        Ok(self.context().value(ty, data))
    }

    /// Decodes the open types whose selectors follow them, in a complete value (X.682 §10.7).
    ///
    /// # Errors
    /// Returns an error if an encoding is invalid.
    fn resolve(&mut self, value: &mut Value<'s>) -> Result<(), Kind> {
        let (types, depth) = (self.context().types, self.context().base.depth());
        if !self.context().is_postponed() {
            return Ok(());
        }
        value.resolve(types, depth, &mut |late| {
            let (octets, bits) = match (late.value.data(), &late.value.base().shape) {
                (Data::Foreign(part), _) => (part.octets.as_slice(), None),
                (Data::Leaf(octets), Shape::OctetString) => (&**octets, None),
                (Data::Leaf(content), Shape::BitString(_)) => {
                    let (unused, octets) = content.split_first().ok_or(Kind::Schema)?;
                    (octets, Some((octets.len() as u64 * 8).saturating_sub((*unused).into())))
                }
                _ => return Ok(None),
            };
            let at = self.context().enter_late(late.path);
            let schema = self.context().base.schema;
            let index = index_of(&schema.types, late.selected).ok_or(Kind::Schema)?;
            let expect = self.context().expect(index, late.scope, late.depth)?;
            let is_string = matches!(late.value.data(), Data::Leaf(_));
            let found = match self.context().contents(late.value.ty()) {
                Some(contents) if is_string && contents.is_der => {
                    if bits.is_some_and(|bits| !bits.is_multiple_of(8)) {
                        return Err(Kind::Mismatch("the contents in DER are not whole bytes"));
                    }
                    self.context().der(expect, octets)?
                }
                _ => self.complete(expect, octets, bits, at)?,
            };
            self.context().leave_late();
            Ok(Some(match is_string {
                true => {
                    let string = self.context().value(late.value.ty(), Data::Containing(Box::new(found)));
                    self.context().sizes.record(&string, octets.len());
                    string
                }
                false => found,
            }))
        })
    }

    /// Reads a component. Returns the layout of one that has its DEFAULT value, which is absent from the result.
    ///
    /// # Errors
    /// Returns an error if the encoding is invalid.
    fn component(
        &mut self,
        index: u32,
        open: &mut Open<'_, 's>,
        reader: &mut Self::Reader<'_>,
    ) -> Result<Option<&'s Layout>, Kind> {
        let place = index as usize;
        let field: &'s Field = open.fields.list.get(place).ok_or(Kind::Schema)?;
        let layout = *open.structure.fields.get(place).ok_or(Kind::Schema)?;
        let value = {
            let scope = Scope {
                fields: open.fields,
                slots: &open.slots,
                current: place,
                is_partial: true,
                ahead: None,
                outer: open.outer,
            };
            self.context().steps.push(Step::Name(&field.name));
            let expect = self.context().refer(&field.ty, layout, Some(&scope), open.depth)?;
            self.value(expect, reader)?
        };
        let is_default = self.context().types.with_default(field, |default| *default == value).unwrap_or(false);
        if is_default {
            // The path stays for the caller's error.
            return self.context().layout(layout).map(Some);
        }
        self.context().steps.pop();
        if let Some(slot) = open.slots.get_mut(place) {
            *slot = Some(value);
        }
        Ok(None)
    }
}
