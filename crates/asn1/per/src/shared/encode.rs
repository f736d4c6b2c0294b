//! Encoding, directed by tables and layouts, as far as encoding rules do not differ.

use tagwise_codec::table::{Field, Fields, Presence, Shape};
use tagwise_codec::value::{Components, ContainedSizes, Data, Foreign, ForeignRules, Scope, Value};

use crate::error::{Error, Kind, Step};
use crate::plan::{Addition, Bounds, Choice, Layout, Structure};
use crate::shared::{Context, Expect, presence};

/// A SEQUENCE or SET that is being written.
#[derive(Clone, Copy, Debug)]
pub struct Open<'x, 's> {
    /// The layout.
    pub structure: &'s Structure,
    /// The components.
    pub fields: &'s Fields,
    /// The values of the components.
    pub slots: &'x [Option<Value<'s>>],
    /// The components, for the selection of open types.
    pub scope: &'x Scope<'x, 's>,
    /// The number of further levels allowed.
    pub depth: u32,
}

/// The error for a value that is none of its type.
#[must_use]
pub const fn misfit() -> Kind {
    Kind::Mismatch("the value does not match its type")
}

/// The error for a part of unknown type that was read under other encoding rules.
#[must_use]
pub const fn other_rules() -> Kind {
    Kind::Mismatch("a part of unknown type was read under other encoding rules")
}

/// An encoder of some encoding rules.
pub trait Encode<'s>: Sized {
    /// The output.
    type Writer;

    /// The encoding rules of parts of unknown type.
    fn rules(&self) -> ForeignRules;

    /// The state.
    fn context(&mut self) -> &mut Context<'s>;

    /// Writes a value without components.
    ///
    /// # Errors
    /// Returns an error if the value has no encoding.
    fn leaf(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, writer: &mut Self::Writer) -> Result<(), Kind>;

    /// Writes the components of a SEQUENCE or SET, with the presence of all its extension additions.
    ///
    /// # Errors
    /// Returns an error if a component has no encoding.
    fn structure(
        &mut self,
        open: Open<'_, 's>,
        present: &[bool],
        components: &Components<'s>,
        writer: &mut Self::Writer,
    ) -> Result<(), Kind>;

    /// Writes the items of a list.
    ///
    /// # Errors
    /// Returns an error if an item has no encoding.
    fn list(
        &mut self,
        item: Expect<'_, 's>,
        size: Bounds,
        is_set: bool,
        items: &[Value<'s>],
        writer: &mut Self::Writer,
    ) -> Result<(), Kind>;

    /// Writes the alternative of a CHOICE with an index, which has the type `inner`.
    ///
    /// # Errors
    /// Returns an error if it has no encoding.
    fn alternative(
        &mut self,
        choice: &'s Choice,
        index: usize,
        inner: Expect<'_, 's>,
        value: &Value<'s>,
        writer: &mut Self::Writer,
    ) -> Result<(), Kind>;

    /// Writes an unknown alternative of a CHOICE.
    ///
    /// # Errors
    /// Returns an error if it is a known one.
    fn unknown(&mut self, choice: &'s Choice, foreign: &Foreign, writer: &mut Self::Writer) -> Result<(), Kind>;

    /// Writes the contents of an open type field.
    ///
    /// # Errors
    /// Returns an error if the output budget is exhausted.
    fn field(&mut self, octets: &[u8], writer: &mut Self::Writer) -> Result<(), Kind>;

    /// Writes a value in an open type field.
    ///
    /// # Errors
    /// Returns an error if the value has no encoding.
    fn wrapped(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, writer: &mut Self::Writer) -> Result<(), Kind>;

    /// Writes a value. Recursion is as deep as the depth budget allows.
    ///
    /// # Errors
    /// Returns an error if the value has no encoding.
    fn value(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, writer: &mut Self::Writer) -> Result<(), Kind> {
        let Expect { ty, layout, scope, .. } = expect;
        if !layout.is_constructed() {
            return self.leaf(expect, value, writer);
        }
        let depth = expect.depth.checked_sub(1).ok_or(Kind::Depth)?;
        let base = self.context().types.base(ty);
        // An unknown alternative or item of a known type is not the contents of an open type.
        let is_open = matches!(value.base().shape, Shape::Open { .. });
        match (layout, &base.shape, value.data()) {
            (
                Layout::Structure(structure),
                Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields),
                Data::Components(components),
            ) => {
                if components.unknown().next().is_some() {
                    return Err(Kind::Mismatch("unknown extension additions in BER have no encoding"));
                }
                let slots = components.slots();
                let scope = Scope { fields, slots, current: usize::MAX, is_partial: false, ahead: None, outer: scope };
                let open = Open { structure, fields, slots, scope: &scope, depth };
                let known: Vec<bool> = structure
                    .additions
                    .iter()
                    .map(|addition| match addition {
                        Addition::One(index) => self.is_present(*index, open),
                        Addition::Group(list) => list.iter().any(|index| self.is_present(*index, open)),
                    })
                    .collect();
                let present = presence(components.foreign(), &known, self.rules())?;
                if present.contains(&true) && !structure.extensible {
                    return Err(misfit());
                }
                self.structure(open, &present, components, writer)
            }
            (
                Layout::List { item, size, is_set },
                Shape::SequenceOf(reference) | Shape::SetOf(reference),
                Data::Items(items),
            ) => {
                let item = self.context().refer(reference, *item, scope, depth)?;
                self.list(item, *size, *is_set, items, writer)
            }
            (Layout::Choice(choice), Shape::Choice { alternatives, .. }, Data::Alternative(chosen)) => {
                let name = &chosen.field().name;
                let index = alternatives.iter().position(|field| *field.name == **name).ok_or_else(misfit)?;
                let field = alternatives.get(index).ok_or(Kind::Schema)?;
                let layout = *choice.fields.get(index).ok_or(Kind::Schema)?;
                self.context().steps.push(Step::Name(&field.name));
                let inner = self.context().refer(&field.ty, layout, scope, depth)?;
                self.alternative(choice, index, inner, chosen.value(), writer)?;
                self.context().steps.pop();
                Ok(())
            }
            (Layout::Choice(_) | Layout::Open, _, Data::Foreign(foreign))
                if foreign.rules != self.rules() && (is_open || !matches!(layout, Layout::Open)) =>
            {
                Err(other_rules())
            }
            (Layout::Choice(choice), _, Data::Foreign(foreign)) if choice.extensible => {
                self.unknown(choice, foreign, writer)
            }
            (Layout::Open, Shape::Open { .. }, Data::Foreign(foreign)) if is_open => {
                self.field(&foreign.octets, writer)
            }
            (Layout::Open, Shape::Open { .. }, _) => match self.context().selected(base, scope, depth)? {
                Some(selected) => self.wrapped(selected, value, writer),
                // An element in BER has no encoding under other rules.
                None => Err(Kind::Mismatch("the type of an open type's value is unknown")),
            },
            (Layout::Same(index), _, _) => {
                let fixed = self.context().expect(*index, scope, depth)?;
                self.wrapped(fixed, value, writer)
            }
            _ => Err(misfit()),
        }
    }

    /// Returns whether a component is present and does not have its DEFAULT value.
    fn is_present(&mut self, index: u32, open: Open<'_, 's>) -> bool {
        match (open.fields.list.get(index as usize), open.slots.get(index as usize)) {
            (Some(field), Some(Some(value))) => {
                !self.context().types.with_default(field, |default| default == value).unwrap_or(false)
            }
            _ => false,
        }
    }

    /// The presence bits of some components, and the indices of those that are present.
    ///
    /// # Errors
    /// Returns an error if a required component is missing.
    fn listed(&mut self, list: &[u32], open: Open<'_, 's>) -> Result<(Vec<bool>, Vec<u32>), Kind> {
        let (mut bits, mut present) = (Vec::new(), Vec::new());
        for index in list {
            let field: &'s Field = open.fields.list.get(*index as usize).ok_or(Kind::Schema)?;
            let is_present = self.is_present(*index, open);
            if !matches!(field.presence, Presence::Required) {
                bits.push(is_present);
            } else if !is_present {
                self.context().steps.push(Step::Name(&field.name));
                return Err(Kind::Mismatch("the component is missing"));
            }
            if is_present {
                present.push(*index);
            }
        }
        Ok((bits, present))
    }

    /// Writes a component.
    ///
    /// # Errors
    /// Returns an error if it has no encoding.
    fn component(&mut self, index: u32, open: Open<'_, 's>, writer: &mut Self::Writer) -> Result<(), Kind> {
        let place = index as usize;
        let field: &'s Field = open.fields.list.get(place).ok_or(Kind::Schema)?;
        let layout = *open.structure.fields.get(place).ok_or(Kind::Schema)?;
        let value = open.slots.get(place).and_then(Option::as_ref).ok_or_else(misfit)?;
        self.context().steps.push(Step::Name(&field.name));
        let expect = self.context().refer(&field.ty, layout, Some(open.scope), open.depth)?;
        self.value(expect, value, writer)?;
        self.context().steps.pop();
        Ok(())
    }

    /// Checks and encodes a value: adds the path to an error.
    ///
    /// # Errors
    /// Returns a violated constraint, or the error of the encoding.
    fn complete_with<R>(
        mut self,
        value: &Value<'s>,
        work: impl FnOnce(&mut Self) -> Result<R, Kind>,
    ) -> Result<R, Error> {
        self.context().base.check(value, ContainedSizes::NONE)?;
        let done = work(&mut self);
        let context = self.context();
        let done = done.map_err(|kind| context.failed(kind, None))?;
        // The sizes of strings that contain encodings are known now.
        if !context.sizes.is_empty() {
            context.base.check(value, &context.sizes)?;
        }
        Ok(done)
    }
}
