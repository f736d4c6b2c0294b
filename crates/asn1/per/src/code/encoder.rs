//! The encoder of generated types.

use tagwise_codec::value::Foreign;
use tagwise_codec::{FaultKind, IntBuf};

use super::{Additions, PerType, State, Stop};
use crate::bits::writer::Writer;
use crate::decode::length::Numbers as _;
use crate::encode::length::Numbers;
use crate::encode::order;
use crate::error::{Kind, Step};
use crate::plan::Bounds;
use crate::shared::encode::{misfit, other_rules};
use crate::shared::presence;

/// The form of numbers and lengths: true in the ALIGNED variant.
pub(super) struct Form(bool);

impl Numbers for Form {
    fn aligned(&self) -> bool {
        self.0
    }
}

/// An encoder of generated types.
#[derive(Debug)]
pub struct Encoder<'s, const ALIGNED: bool> {
    pub(super) writer: Writer,
    pub(super) state: &'s mut State,
}

/// Functions for generated code. They return an error if the value has no encoding.
#[doc(hidden)]
impl<'s, const ALIGNED: bool> Encoder<'s, ALIGNED> {
    pub(super) fn complete<T: PerType>(value: &T, budget: u64, state: &'s mut State) -> Result<Vec<u8>, Stop> {
        let mut encoder = Self { writer: Writer::new(budget), state };
        value.write(&mut encoder)?;
        encoder.writer.complete().map_err(|kind| encoder.state.fail(kind))
    }

    /// Returns whether the elements of a SET OF are in the order of CANONICAL-PER.
    pub(super) fn is_sorted<T>(
        state: &'s mut State,
        items: &[T],
        mut write: impl FnMut(&mut Self, &T) -> Result<(), Stop>,
    ) -> bool {
        let left = state.left();
        let mut encoder = Self { writer: Writer::new(u64::MAX), state };
        let keys: Vec<Vec<u8>> = items.iter().filter_map(|item| encoder.key(item, &mut write).ok()).collect();
        encoder.state.restore(left);
        encoder.state.kind = None;
        encoder.state.steps.clear();
        keys.is_sorted_by(|one, other| order(one, other).is_le())
    }

    /// The complete encoding of an element.
    fn key<T>(&mut self, item: &T, write: &mut impl FnMut(&mut Self, &T) -> Result<(), Stop>) -> Result<Vec<u8>, Stop> {
        self.inner(|encoder| write(encoder, item))
    }

    /// A complete encoding beside the current one.
    fn inner(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<Vec<u8>, Stop> {
        let inner = self.begin();
        let outer = std::mem::replace(&mut self.writer, inner);
        write(self)?;
        let inner = std::mem::replace(&mut self.writer, outer);
        inner.complete().map_err(|kind| self.state.fail(kind))
    }

    pub(super) fn begin(&mut self) -> Writer {
        Writer::reusing(self.state.spare.pop().unwrap_or_default(), self.writer.budget())
    }

    /// Keeps the memory of an encoding that was copied.
    pub(super) fn recycle(&mut self, mut octets: Vec<u8>) {
        octets.clear();
        self.state.spare.push(octets);
    }

    /// Calls a function that the run-time engine also uses.
    #[inline]
    pub(super) fn shared(
        &mut self,
        write: impl FnOnce(&mut Form, &mut Writer) -> Result<(), Kind>,
    ) -> Result<(), Stop> {
        write(&mut Form(ALIGNED), &mut self.writer).map_err(|kind| self.state.fail(kind))
    }

    /// Charges elements that have no bits.
    #[cold]
    pub(super) fn spend_empty(&mut self, count: u64) -> Result<(), Stop> {
        self.state.spend_empty(count).map_err(|kind| self.state.fail(kind))
    }

    /// Reports a value that has no encoding.
    #[cold]
    pub fn fail(&mut self, kind: Kind) -> Stop {
        self.state.fail(kind)
    }

    /// Enters a type with components.
    #[inline]
    pub fn enter(&mut self) -> Result<(), Stop> {
        self.state.enter()
    }

    /// Leaves a type with components.
    #[inline]
    pub fn leave(&mut self) {
        self.state.depth += 1;
    }

    /// A number of at most 64 bits: presence bits.
    #[inline(always)]
    pub fn bits(&mut self, number: u64, count: u32) -> Result<(), Stop> {
        if self.writer.put(number, count) { Ok(()) } else { Err(self.state.fail(Kind::Output)) }
    }

    /// A bit: BOOLEAN, or an extension bit.
    #[inline(always)]
    pub fn bit(&mut self, bit: bool) -> Result<(), Stop> {
        self.bits(u64::from(bit), 1)
    }

    /// A constrained whole number (§11.5), from `min` to `min + span`.
    #[inline(always)]
    pub fn whole(&mut self, number: u64, min: u64, span: u64) -> Result<(), Stop> {
        let offset = number.wrapping_sub(min);
        if offset > span {
            return Err(self.state.fail(Kind::Value(FaultKind::Value)));
        }
        if span == 0 {
            Ok(())
        } else if !ALIGNED || span < 255 {
            self.bits(offset, 64 - span.leading_zeros())
        } else {
            self.shared(|form, writer| form.constrained(offset.into(), 0, span.into(), writer))
        }
    }

    /// An INTEGER of any size (§13).
    pub fn integer(&mut self, number: &IntBuf, bounds: Bounds) -> Result<(), Stop> {
        if !bounds.extensible && !bounds.holds(number.as_bytes()) {
            return Err(self.state.fail(Kind::Value(FaultKind::Value)));
        }
        self.shared(|form, writer| form.integer(number.as_bytes(), bounds, writer))
    }

    /// NULL, which has no bits.
    #[inline]
    pub const fn null(&mut self, _value: &()) -> Result<(), Stop> {
        Ok(())
    }

    /// Checks a constraint that encodings do not depend on.
    #[inline(always)]
    pub fn ensure(&mut self, is_met: bool) -> Result<(), Stop> {
        if is_met { Ok(()) } else { Err(self.state.fail(Kind::Value(FaultKind::Value))) }
    }

    /// Checks a size constraint that encodings do not depend on.
    #[inline(always)]
    pub fn ensure_size(&mut self, is_met: bool) -> Result<(), Stop> {
        if is_met { Ok(()) } else { Err(self.state.fail(Kind::Value(FaultKind::Size))) }
    }

    /// A component or alternative.
    #[inline(always)]
    pub fn part(&mut self, name: &'static str, write: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let done = write(self);
        if done.is_err() {
            self.state.step(Step::Name(name));
        }
        done
    }

    /// A component that is OPTIONAL.
    #[inline(always)]
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        value: &Option<T>,
        write: impl FnOnce(&mut Self, &T) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match value {
            Some(value) => self.part(name, |encoder| write(encoder, value)),
            None => Ok(()),
        }
    }

    /// An index (§14, §23): of a root item, or of an addition behind them.
    #[inline(always)]
    pub fn index(&mut self, number: u64, roots: u64, is_extensible: bool) -> Result<(), Stop> {
        if is_extensible {
            self.bit(number >= roots)?;
        }
        if number < roots {
            return self.whole(number, 0, roots - 1);
        }
        self.shared(|form, writer| form.small(number - roots, writer))
    }

    /// An unknown item of an ENUMERATED that defines some additional items (§14.3).
    pub fn unknown_item(&mut self, number: u32, additions: u32) -> Result<(), Stop> {
        if number < additions {
            return Err(self.state.fail(Kind::UnknownItem));
        }
        self.bit(true)?;
        self.shared(|form, writer| form.small(number.into(), writer))
    }

    /// An unknown alternative of a CHOICE that defines some additions.
    pub fn unknown(&mut self, foreign: &Foreign, additions: u32) -> Result<(), Stop> {
        let Some(number) = foreign.number.filter(|number| *number >= additions) else {
            return Err(self.state.fail(misfit()));
        };
        self.bit(true)?;
        self.shared(|form, writer| form.small(number.into(), writer))?;
        self.foreign(foreign)
    }

    /// A value of an open type that is unknown.
    pub fn foreign(&mut self, foreign: &Foreign) -> Result<(), Stop> {
        if foreign.rules != self.state.variant.foreign() {
            return Err(self.state.fail(other_rules()));
        }
        self.shared(|form, writer| form.open_field(&foreign.octets, writer))
    }

    /// A value in an open type field (§11.2).
    pub fn open(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let octets = self.inner(write)?;
        self.shared(|form, writer| form.octets(&octets, writer))?;
        self.recycle(octets);
        Ok(())
    }

    /// The extension additions of a SEQUENCE or SET (§19.7 to §19.9). `write` writes the one with a number.
    pub fn additions(
        &mut self,
        known: &[bool],
        unknown: &Additions,
        mut write: impl FnMut(&mut Self, usize) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let present = presence(unknown.get(), known, self.state.variant.foreign());
        let present = present.map_err(|kind| self.state.fail(kind))?;
        self.shared(|form, writer| {
            form.small_length(present.len() as u64, writer)?;
            present.iter().try_for_each(|present| writer.bit(*present))
        })?;
        for (number, _) in known.iter().enumerate().filter(|(_, present)| **present) {
            self.open(|encoder| write(encoder, number))?;
        }
        let list = unknown.get().map(|foreign| foreign.list.as_slice()).unwrap_or_default();
        list.iter().try_for_each(|(_, octets)| self.shared(|form, writer| form.open_field(octets, writer)))
    }

    /// The items of a list (§20).
    #[inline]
    pub fn list<T>(
        &mut self,
        size: Bounds,
        items: &[T],
        mut item: impl FnMut(&mut Self, &T) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.enter()?;
        let count = items.len();
        if !size.extensible && !size.contains(count as i128) {
            return Err(self.state.fail(Kind::Value(FaultKind::Size)));
        }
        match (size.min, size.max) {
            (Some(min), Some(max)) if max < 1 << 16 && !size.extensible => {
                self.whole(count as u64, min as u64, (max - min) as u64)?;
                self.items(0, items, &mut item)?;
            }
            _ => self.long_list(size, items, &mut item)?,
        }
        self.leave();
        Ok(())
    }

    fn long_list<T>(
        &mut self,
        size: Bounds,
        items: &[T],
        item: &mut impl FnMut(&mut Self, &T) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut general = false;
        self.shared(|form, writer| {
            general = form.count(items.len() as u64, size, writer)?;
            Ok(())
        })?;
        if !general {
            return self.items(0, items, item);
        }
        let mut start = 0;
        loop {
            let (mut count, mut more) = (0, false);
            self.shared(|form, writer| {
                (count, more) = form.length(items.len() - start, writer)?;
                Ok(())
            })?;
            let part = items.get(start..start + count).unwrap_or_default();
            self.items(start, part, item)?;
            start += count;
            if !more {
                return Ok(());
            }
        }
    }

    #[inline]
    fn items<T>(
        &mut self,
        start: usize,
        items: &[T],
        item: &mut impl FnMut(&mut Self, &T) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for (index, value) in items.iter().enumerate() {
            let before = self.writer.position();
            let done = match self.state.elements.checked_sub(1) {
                Some(left) => {
                    self.state.elements = left;
                    item(self, value)
                }
                None => Err(self.state.fail(Kind::Elements)),
            };
            if done.is_err() {
                self.state.step(Step::Item(start + index));
                return Err(Stop);
            }
            // Decoding has the same limit.
            if self.writer.position() == before {
                self.spend_empty(1)?;
            }
        }
        Ok(())
    }

    /// The elements of a SET OF, which CANONICAL-PER sorts (§22.1).
    pub fn set<T>(
        &mut self,
        size: Bounds,
        items: &[T],
        mut item: impl FnMut(&mut Self, &T) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if !self.state.variant.canonical {
            return self.list(size, items, item);
        }
        let (mut keyed, left) = (Vec::new(), self.state.left());
        for (index, one) in items.iter().enumerate() {
            match self.key(one, &mut item) {
                Ok(key) => keyed.push((key, one)),
                Err(Stop) => {
                    self.state.step(Step::Item(index));
                    return Err(Stop);
                }
            }
        }
        // What is encoded for the order is encoded once more.
        self.state.restore(left);
        keyed.sort_by(|(one, _), (other, _)| order(one, other));
        let sorted: Vec<&T> = keyed.into_iter().map(|(_, one)| one).collect();
        self.list(size, &sorted, |encoder, one| item(encoder, one))
    }
}
