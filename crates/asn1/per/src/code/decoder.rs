//! The decoder of generated types.

use tagwise_codec::value::{Foreign, ForeignAdditions};
use tagwise_codec::{FaultKind, IntBuf};

use super::{Additions, PerType, State, Stop};
use crate::bits::reader::Reader;
use crate::decode::length::{Count, Numbers};
use crate::error::{Kind, Step};
use crate::plan::Bounds;
use crate::rules::Rule;

/// A decoder of generated types, with the position in the input.
#[derive(Debug)]
pub struct Decoder<'b, 's, const ALIGNED: bool> {
    pub(super) reader: Reader<'b>,
    pub(super) state: &'s mut State,
}

/// Functions for generated code. They return an error if the encoding is invalid.
#[doc(hidden)]
impl<'b, 's, const ALIGNED: bool> Decoder<'b, 's, ALIGNED> {
    pub(super) fn complete<T: PerType>(input: &'b [u8], state: &'s mut State) -> Result<T, Stop> {
        let mut decoder = Self { reader: Reader::new(input), state };
        let value = T::read(&mut decoder)?;
        decoder.finish()?;
        Ok(value)
    }

    fn finish(&mut self) -> Result<(), Stop> {
        self.state.finish(&mut self.reader).map_err(|kind| self.state.fail(kind))
    }

    /// Calls a function that the run-time engine also uses.
    #[inline]
    pub(super) fn shared<T>(
        &mut self,
        read: impl FnOnce(&mut State, &mut Reader<'b>) -> Result<T, Kind>,
    ) -> Result<T, Stop> {
        read(self.state, &mut self.reader).map_err(|kind| self.state.fail(kind))
    }

    /// Reports an error at the start of the current value.
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
    pub fn bits(&mut self, count: u32) -> Result<u64, Stop> {
        match self.reader.take(count) {
            Some(number) => Ok(number),
            None => Err(self.state.fail(Kind::Truncated)),
        }
    }

    /// A bit: BOOLEAN, or an extension bit.
    #[inline(always)]
    pub fn bit(&mut self) -> Result<bool, Stop> {
        Ok(self.bits(1)? != 0)
    }

    /// A constrained whole number (§11.5): the bits of `min` and an offset of at most `span`.
    #[inline(always)]
    pub fn whole(&mut self, min: u64, span: u64) -> Result<u64, Stop> {
        let offset = if span == 0 {
            0
        } else if !ALIGNED || span < 255 {
            self.bits(64 - span.leading_zeros())?
        } else {
            self.aligned(span)?
        };
        if offset > span {
            return Err(self.state.fail(Kind::Range));
        }
        Ok(min.wrapping_add(offset))
    }

    fn aligned(&mut self, span: u64) -> Result<u64, Stop> {
        // It is smaller than the span.
        self.shared(|state, reader| state.constrained(0, span.into(), reader)).map(|number| number as u64)
    }

    /// An INTEGER of any size (§13).
    pub fn integer(&mut self, bounds: Bounds) -> Result<IntBuf, Stop> {
        self.shared(|state, reader| state.integer(bounds, reader)).map(|octets| IntBuf::from_signed(&octets))
    }

    /// NULL, which has no bits.
    #[inline]
    pub const fn null(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    /// Checks a constraint that encodings do not depend on, of a value that started at a position.
    #[inline(always)]
    pub fn ensure(&mut self, start: u64, is_met: bool) -> Result<(), Stop> {
        if is_met { Ok(()) } else { self.state.violated(start, FaultKind::Value) }
    }

    /// Checks a size constraint that encodings do not depend on.
    #[inline(always)]
    pub fn ensure_size(&mut self, start: u64, is_met: bool) -> Result<(), Stop> {
        if is_met { Ok(()) } else { self.state.violated(start, FaultKind::Size) }
    }

    /// A component or alternative.
    #[inline(always)]
    pub fn part<T>(&mut self, name: &'static str, read: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        self.state.at = self.reader.position();
        let value = read(self);
        if value.is_err() {
            self.state.step(Step::Name(name));
        }
        value
    }

    /// A component that is OPTIONAL.
    #[inline(always)]
    pub fn optional<T>(
        &mut self,
        is_present: bool,
        name: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        if is_present { self.part(name, read).map(Some) } else { Ok(None) }
    }

    /// A component with a DEFAULT value. `is_strict` is true if BASIC-PER requires that this value is absent.
    #[inline(always)]
    pub fn defaulted<T: PartialEq>(
        &mut self,
        is_present: bool,
        name: &'static str,
        is_strict: bool,
        default: impl FnOnce() -> T,
        read: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        if !is_present {
            return Ok(default());
        }
        self.part(name, |decoder| {
            let start = decoder.reader.position();
            let value = read(decoder)?;
            if value == default() && (is_strict || decoder.state.variant.canonical) {
                decoder.shared(|state, _| state.violates(Rule::DefaultAbsent, start))?;
            }
            Ok(value)
        })
    }

    /// An index (§14, §23): that of a root item, or of an addition behind them. Additions beyond those of the module have
    /// further numbers.
    #[inline(always)]
    pub fn index(&mut self, roots: u64, is_extensible: bool) -> Result<u64, Stop> {
        if is_extensible && self.bit()? {
            return Ok(self.small()?.saturating_add(roots));
        }
        self.whole(0, roots.saturating_sub(1))
    }

    fn small(&mut self) -> Result<u64, Stop> {
        self.shared(|state, reader| state.small(reader))
    }

    /// The number of an unknown item of an ENUMERATED: its place among the additional items (§14.3).
    #[cold]
    pub fn unknown_item(&mut self, number: u64) -> Result<u32, Stop> {
        u32::try_from(number).map_err(|_| self.state.fail(Kind::UnknownItem))
    }

    /// The unknown alternative with a number.
    pub fn unknown(&mut self, number: u64) -> Result<Foreign, Stop> {
        let number = u32::try_from(number).map_err(|_| self.state.fail(Kind::Range))?;
        Ok(Foreign { number: Some(number), ..self.foreign()? })
    }

    /// A value of an open type that is unknown.
    pub fn foreign(&mut self) -> Result<Foreign, Stop> {
        let octets = self.field()?.0;
        Ok(Foreign { rules: self.state.variant.foreign(), number: None, octets })
    }

    /// The contents of an open type field, and where they start. There is at least one byte (§11.2.1).
    fn field(&mut self) -> Result<(Vec<u8>, u64), Stop> {
        self.state.at = self.reader.position();
        let (mut octets, mut place) = (Vec::new(), None);
        self.shared(|state, reader| {
            state.fragments(reader, |_, length, reader| {
                place.get_or_insert(reader.position());
                reader.octets(length, &mut octets)
            })
        })?;
        if octets.is_empty() {
            return Err(self.state.fail(Kind::EmptyOpenType));
        }
        Ok((octets, place.unwrap_or(self.state.at)))
    }

    /// A value in an open type field (§11.2).
    pub fn open<T>(&mut self, read: impl FnOnce(&mut Decoder<'_, '_, ALIGNED>) -> Result<T, Stop>) -> Result<T, Stop> {
        self.within_field(|decoder| {
            decoder.state.at = decoder.reader.position();
            read(decoder)
        })
    }

    /// A complete encoding in an open type field.
    fn within_field<T>(
        &mut self,
        read: impl FnOnce(&mut Decoder<'_, '_, ALIGNED>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.state.at = self.reader.position();
        let before = self.reader;
        let (length, more) = self.shared(|state, reader| state.length(reader))?;
        if more {
            self.reader = before;
            let (octets, place) = self.field()?;
            let mut inner = Decoder { reader: Reader::shifted(&octets, place), state: &mut *self.state };
            let value = read(&mut inner)?;
            inner.finish()?;
            return Ok(value);
        }
        if length == 0 {
            return Err(self.state.fail(Kind::EmptyOpenType));
        }
        let outer = self.reader.enter(length * 8).ok_or_else(|| self.state.fail(Kind::Truncated))?;
        let value = read(self)?;
        self.finish()?;
        self.reader.leave(outer);
        Ok(value)
    }

    /// The extension additions of a SEQUENCE or SET (§19.7 to §19.9). `read` reads the one with a number, and returns whether
    /// the module defines it.
    pub fn additions(
        &mut self,
        known: u64,
        mut read: impl FnMut(&mut Decoder<'_, '_, ALIGNED>, u64) -> Result<(), Stop>,
    ) -> Result<Additions, Stop> {
        let start = self.reader.position();
        self.state.at = start;
        let count = self.shared(|state, reader| state.small_length(reader))?;
        // They have fewer than 16K bits.
        let mut words = [0u64; 4];
        let mut many = Vec::new();
        let (mut left, mut place) = (count, 0usize);
        while left > 0 {
            let now = left.min(64) as u32;
            let word = self.bits(now)? << (64 - now);
            match words.get_mut(place) {
                Some(slot) => *slot = word,
                None => many.push(word),
            }
            place += 1;
            left -= u64::from(now);
        }
        let words = words.iter().chain(&many);
        if words.clone().all(|word| *word == 0) {
            self.shared(|state, _| state.violates(Rule::AdditionsPresent, start))?;
        }
        let mut foreign = ForeignAdditions::new(self.state.variant.foreign());
        for (place, word) in words.enumerate() {
            let mut word = *word;
            while word != 0 {
                let bit = word.leading_zeros();
                word &= !(1 << (63 - bit));
                let number = place as u64 * 64 + u64::from(bit);
                if number < known {
                    self.within_field(|decoder| read(decoder, number))?;
                } else {
                    foreign.list.push((number as u32, self.field()?.0));
                }
            }
        }
        if count != known {
            foreign.count = count as u32;
        }
        Ok(Additions::new(foreign))
    }

    /// The position in the input, in bits.
    #[inline]
    pub fn position(&self) -> u64 {
        self.reader.position()
    }

    /// Checks an extension addition group that started at a position: one without values is absent (§19.9).
    pub fn group(&mut self, start: u64, components: u64, is_empty: bool) -> Result<(), Stop> {
        if is_empty && self.reader.position().saturating_sub(start) <= components {
            self.shared(|state, _| state.violates(Rule::AdditionsPresent, start))?;
        }
        Ok(())
    }

    /// A component or alternative whose type contains itself.
    pub fn boxed<T>(&mut self, value: T) -> Result<Box<T>, Stop> {
        self.state.spend::<T>()?;
        Ok(Box::new(value))
    }

    /// The items of a list (§20, §22).
    #[inline]
    pub fn list<T>(
        &mut self,
        size: Bounds,
        mut item: impl FnMut(&mut Self) -> Result<T, Stop>,
    ) -> Result<Vec<T>, Stop> {
        self.enter()?;
        let mut items = Vec::new();
        match (size.min, size.max) {
            // The usual case: a constrained length.
            (Some(min), Some(max)) if max < 1 << 16 && !size.extensible => {
                let (min, span) = (min as u64, (max - min) as u64);
                let count = self.whole(min, span).map_err(|Stop| self.state.as_size())?;
                self.items(count, &mut items, &mut item)?;
            }
            _ => self.long_list(size, &mut items, &mut item)?,
        }
        self.leave();
        Ok(items)
    }

    fn long_list<T>(
        &mut self,
        size: Bounds,
        items: &mut Vec<T>,
        item: &mut impl FnMut(&mut Self) -> Result<T, Stop>,
    ) -> Result<(), Stop> {
        let start = self.reader.position();
        let extended = size.extensible && self.shared(|_, reader| reader.peek())?;
        match self.shared(|state, reader| state.count(size, reader))? {
            Count::Known(count) => self.items(count, items, item)?,
            Count::General => {
                let mut before = u64::MAX;
                loop {
                    let bit = self.reader.position();
                    let (count, more) = self.shared(|state, reader| state.length(reader))?;
                    // Only the last fragments may be smaller than 64K (§11.9.3.8).
                    if more && before < 1 << 16 {
                        self.shared(|state, _| state.violates(Rule::ShortestForm, bit))?;
                    }
                    before = count;
                    self.items(count, items, item)?;
                    if !more {
                        break;
                    }
                }
            }
        }
        self.state.at = start;
        self.shared(|state, _| state.check_count(size, extended, items.len() as u64))
    }

    #[inline]
    fn items<T>(
        &mut self,
        count: u64,
        items: &mut Vec<T>,
        item: &mut impl FnMut(&mut Self) -> Result<T, Stop>,
    ) -> Result<(), Stop> {
        // Memory is bounded by the input, not by the length alone.
        let likely = count.min(self.reader.remaining()).min(1 + (1 << 16) / size_of::<T>().max(1) as u64);
        items.reserve(likely as usize);
        for _ in 0..count {
            let start = self.reader.position();
            self.state.at = start;
            let value = match self.state.elements.checked_sub(1) {
                Some(left) => {
                    self.state.elements = left;
                    self.state.spend::<T>().and_then(|()| item(self))
                }
                None => Err(self.state.fail(Kind::Elements)),
            };
            match value {
                Ok(value) => items.push(value),
                Err(Stop) => {
                    self.state.step(Step::Item(items.len()));
                    return Err(Stop);
                }
            }
            if self.reader.position() == start {
                self.shared(|state, _| state.spend_empty(1))?;
            }
        }
        Ok(())
    }

    /// Checks the order of the elements of a SET OF, which CANONICAL-PER requires (§22.1).
    pub fn sorted<T>(
        &mut self,
        start: u64,
        items: &[T],
        write: impl FnMut(&mut super::Encoder<'_, ALIGNED>, &T) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if self.state.variant.canonical && !super::Encoder::is_sorted(self.state, items, write) {
            self.shared(|state, _| state.violates(Rule::SetOfOrder, start))?;
        }
        Ok(())
    }
}

impl State {
    /// Reports a number that is outside of its range as a size.
    #[cold]
    fn as_size(&mut self) -> Stop {
        if self.kind == Some(Kind::Range) {
            self.kind = Some(Kind::Size);
        }
        Stop
    }
}
