//! Decoding of OER.

use tagwise_codec::Real;
use tagwise_codec::value::{Data, Foreign, ForeignAdditions, ForeignRules, Value};
use tagwise_per::plan::{Addition, Bounds, Characters, Choice, Contents, Layout, RealForm, Tag};
use tagwise_per::point::Number;
use tagwise_per::row::TimeForm;
use tagwise_per::shared::decode::{Chosen, Decode, Open};
use tagwise_per::shared::number::{content, shortest};
use tagwise_per::shared::{Context, Expect, number, without_zeros};
use tagwise_per::time::{DAY, Duration, HOURS, MINUTES, MONTH, SECONDS};
use tagwise_per::{Decoded, Error, Kind, Position, Rule, Tolerance};

use crate::time::{self, Known};
use crate::width::{behind_length, fixed, is_signed, least, size};
use crate::{Type, encode, width};

/// Decodes a complete encoding.
pub(crate) fn decode<'s>(of: Type<'s>, input: &[u8]) -> Result<Decoded<'s>, Error> {
    let mut decoder = Decoder { context: Context::new(of.base), canonical: of.canonical, tolerance: of.tolerance };
    let value = decoder.outermost(input);
    decoder.context.decoded(value, |base| decode(Type { base, ..of }, input))
}

/// The positions of components, as far as the input can be decoded.
pub(crate) fn positions(mut of: Type<'_>, input: &[u8]) -> Vec<Position> {
    of.base.positions = true;
    let mut decoder = Decoder { context: Context::new(of.base), canonical: of.canonical, tolerance: of.tolerance };
    // They are known up to the error.
    let _ = decoder.outermost(input);
    decoder.context.into_positions()
}

/// A cursor over an encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
    /// The offset of `rest` in the input.
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: u64) -> Result<Reader<'b>, Kind> {
        let count = usize::try_from(count).map_err(|_| Kind::Truncated)?;
        let (now, later) = self.rest.split_at_checked(count).ok_or(Kind::Truncated)?;
        let part = Reader { rest: now, at: self.at };
        (self.rest, self.at) = (later, self.at + count);
        Ok(part)
    }

    const fn bit(&self) -> u64 {
        (self.at as u64).saturating_mul(8)
    }

    fn byte(&mut self) -> Result<u8, Kind> {
        self.take(1)?.rest.first().copied().ok_or(Kind::Truncated)
    }
}

struct Decoder<'s> {
    context: Context<'s>,
    canonical: bool,
    tolerance: Tolerance,
}

impl<'s> Decode<'s> for Decoder<'s> {
    type Reader<'b> = Reader<'b>;

    fn rules(&self) -> ForeignRules {
        ForeignRules::Oer
    }

    fn context(&mut self) -> &mut Context<'s> {
        &mut self.context
    }

    fn position(reader: &Reader<'_>) -> u64 {
        reader.bit()
    }

    fn leaf(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        self.leaf_of(expect, reader)
    }

    /// SEQUENCE (§16) and SET (§18).
    fn structure(&mut self, open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<ForeignAdditions, Kind> {
        let structure = open.structure;
        let (extended, _) = self.components(&structure.root, structure.extensible, open, reader)?;
        if extended { self.additions(open, reader) } else { Ok(ForeignAdditions::new(ForeignRules::Oer)) }
    }

    /// SEQUENCE OF (§17) and SET OF (§19).
    fn list(
        &mut self,
        item: Expect<'_, 's>,
        _size: Bounds,
        is_set: bool,
        reader: &mut Reader<'_>,
    ) -> Result<Vec<Value<'s>>, Kind> {
        let count = self.quantity(reader)?;
        self.context.foresee(item, count)?;
        let mut items = Vec::new();
        let mut before: Option<Vec<u8>> = None;
        for number in 0..count {
            self.context.element(number as usize, reader.bit())?;
            self.context.spend_values(1)?;
            let start = *reader;
            items.push(self.value(item, reader)?);
            let octets = start.rest.get(..reader.at.saturating_sub(start.at)).unwrap_or_default();
            if octets.is_empty() {
                self.context.spend_empty(1)?;
            }
            if is_set && self.canonical {
                let sorted = before.as_ref().is_none_or(|before| encode::order(before, octets).is_le());
                self.canonical(sorted, Rule::OerSetOfOrder, start.bit())?;
                before = Some(octets.to_vec());
            }
            self.context.steps.pop();
        }
        Ok(items)
    }

    /// CHOICE (§20).
    fn chosen(&mut self, choice: &'s Choice, reader: &mut Reader<'_>) -> Result<Chosen, Kind> {
        let mut ahead = *reader;
        let tag = self.tag(&mut ahead)?;
        let Some(index) = choice.tags.iter().position(|tags| tags.contains(&tag)) else {
            if !choice.extensible || tag.number >= 1 << 30 {
                return Err(Kind::NoAlternative);
            }
            *reader = ahead;
            let number = Some(u32::from(tag.class) << 30 | tag.number);
            return Ok(Chosen::Unknown(Foreign { rules: ForeignRules::Oer, number, octets: self.field(reader)?.0 }));
        };
        // An untagged CHOICE reads its own tag.
        if !choice.is_untagged(index) {
            *reader = ahead;
        }
        Ok(Chosen::Known(index, choice.additions.contains(&(index as u32))))
    }

    fn field(&mut self, reader: &mut Reader<'_>) -> Result<(Vec<u8>, u64), Kind> {
        let field = self.bytes(reader)?;
        Ok((field.rest.to_vec(), field.bit()))
    }

    fn complete(
        &mut self,
        expect: Expect<'_, 's>,
        octets: &[u8],
        _bits: Option<u64>,
        at: u64,
    ) -> Result<Value<'s>, Kind> {
        self.whole(expect, Reader { rest: octets, at: (at / 8) as usize })
    }

    /// A value of an open type (§30).
    fn wrapped(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        self.context.at = reader.bit();
        let field = self.bytes(reader)?;
        self.whole(expect, field)
    }
}

impl<'s> Decoder<'s> {
    fn outermost(&mut self, input: &[u8]) -> Result<Value<'s>, Kind> {
        let expect = self.context.outermost()?;
        let mut value = self.whole(expect, Reader { rest: input, at: 0 })?;
        self.resolve(&mut value)?;
        Ok(value)
    }

    /// Checks a form that only BASIC-OER leaves to the sender.
    fn canonical(&mut self, is_canonical: bool, rule: Rule, bit: u64) -> Result<(), Kind> {
        if is_canonical || !self.canonical { Ok(()) } else { self.violates(rule, bit) }
    }

    /// Reports a violation, which may be tolerated.
    fn violates(&mut self, rule: Rule, bit: u64) -> Result<(), Kind> {
        if self.tolerance.allows(rule) {
            self.context.deviations.push((rule, bit));
            return Ok(());
        }
        self.context.at = bit;
        Err(Kind::Rule(rule))
    }

    /// A value that extends to the end of some bytes.
    fn whole(&mut self, expect: Expect<'_, 's>, mut reader: Reader<'_>) -> Result<Value<'s>, Kind> {
        let value = self.value(expect, &mut reader)?;
        self.finish(reader)?;
        Ok(value)
    }

    fn finish(&mut self, reader: Reader<'_>) -> Result<(), Kind> {
        if reader.rest.is_empty() { Ok(()) } else { self.violates(Rule::OerTrailingData, reader.bit()) }
    }

    /// A length determinant (§8.6).
    fn length(&mut self, reader: &mut Reader<'_>) -> Result<u64, Kind> {
        let at = reader.bit();
        let first = reader.byte()?;
        if first < 0x80 {
            return Ok(first.into());
        }
        let octets = reader.take(u64::from(first & 0x7F))?.rest;
        let used = octets.iter().skip_while(|octet| **octet == 0).count();
        if octets.is_empty() || used > 8 {
            return Err(Kind::Length);
        }
        let length = octets.iter().fold(0, |length, octet| length << 8 | u64::from(*octet));
        self.canonical(used == octets.len() && length >= 0x80, Rule::OerShortestLength, at)?;
        Ok(length)
    }

    /// Bytes behind a length.
    fn bytes<'b>(&mut self, reader: &mut Reader<'b>) -> Result<Reader<'b>, Kind> {
        let length = self.length(reader)?;
        reader.take(length)
    }

    /// INTEGER (§10), as content bytes.
    fn integer(&mut self, bounds: Bounds, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let at = reader.bit();
        let (size, signed) = size(bounds);
        let octets = match size {
            Some(size) => reader.take(size.into())?.rest,
            None => self.bytes(reader)?.rest,
        };
        if octets.is_empty() {
            return Err(Kind::Length);
        }
        let full = if signed { octets.to_vec() } else { [&[0], octets].concat() };
        let spare = full.len() - usize::from(!signed && octets.first().is_none_or(|first| *first < 0x80));
        let short = shortest(full);
        if size.is_none() {
            self.canonical(short.len() == spare, Rule::OerShortestInteger, at)?;
        }
        Ok(short)
    }

    /// The number of elements (§17.2).
    fn quantity(&mut self, reader: &mut Reader<'_>) -> Result<u64, Kind> {
        let octets = self.integer(Bounds { min: Some(0), ..Bounds::default() }, reader)?;
        let number = number::value(&octets).ok_or(Kind::Length)?;
        u64::try_from(number).map_err(|_| Kind::Length)
    }

    fn leaf_of(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let (ty, start) = (expect.ty, reader.bit());
        let octets = match expect.layout {
            Layout::Boolean => {
                let octet = reader.byte()?;
                self.canonical(matches!(octet, 0 | 0xFF), Rule::OerBoolean, start)?;
                vec![if octet == 0 { 0 } else { 0xFF }]
            }
            Layout::Null => Vec::new(),
            Layout::Integer(bounds) => self.integer(*bounds, reader)?,
            Layout::WideInteger(bounds) => self.integer(behind_length(is_signed(bounds)), reader)?,
            Layout::Enumerated(_) => {
                let first = reader.byte()?;
                if first < 0x80 {
                    content(first.into())
                } else {
                    let octets = reader.take(u64::from(first & 0x7F))?.rest;
                    if octets.is_empty() {
                        return Err(Kind::Length);
                    }
                    let short = shortest(octets.to_vec());
                    let is_small = matches!(short.as_slice(), [0..=0x7F]);
                    self.canonical(short.len() == octets.len() && !is_small, Rule::OerShortestEnumerated, start)?;
                    short
                }
            }
            Layout::Octets | Layout::Real(RealForm::Content) => self.bytes(reader)?.rest.to_vec(),
            Layout::Real(form) => self.real(*form, reader)?,
            Layout::BitString(sized) => {
                let (mut octets, place) = match fixed(sized.size) {
                    Some(bits) => {
                        let part = reader.take(bits.div_ceil(8))?;
                        let unused = (8 - (bits % 8) as u8) % 8;
                        ([&[unused], part.rest].concat(), part.at)
                    }
                    None => {
                        let part = self.bytes(reader)?;
                        (part.rest.to_vec(), part.at + 1)
                    }
                };
                let is_empty = octets.len() == 1;
                match (octets.first().copied(), octets.last_mut()) {
                    (None, _) => return Err(Kind::Length),
                    (Some(0), _) => {}
                    (Some(unused @ 1..8), Some(last)) if !is_empty => {
                        let rest = (1u8 << unused) - 1;
                        if *last & rest != 0 {
                            self.violates(Rule::OerUnusedBits, start)?;
                            *last &= !rest;
                        }
                    }
                    _ => return Err(Kind::UnusedBits),
                }
                if let Some(value) =
                    self.contained(expect, sized.contents, octets.get(1..).unwrap_or_default(), place)?
                {
                    if octets.first() != Some(&0) {
                        return Err(Kind::Mismatch("the contents are not whole bytes"));
                    }
                    return Ok(value);
                }
                if sized.named {
                    let short = without_zeros(&octets);
                    let is_least = || {
                        let value = self.context.leaf(ty, short.clone()).ok()?;
                        let sized_bits = value.sized_bits(self.context.types, &[])?.into_owned();
                        least(sized_bits, sized.size).filter(|least| *least == octets)
                    };
                    self.canonical(fixed(sized.size).is_some() || is_least().is_some(), Rule::OerNamedBits, start)?;
                    octets = short;
                }
                octets
            }
            Layout::OctetString(sized) => {
                let part = match fixed(sized.size) {
                    Some(size) => reader.take(size)?,
                    None => self.bytes(reader)?,
                };
                if let Some(value) = self.contained(expect, sized.contents, part.rest, part.at)? {
                    return Ok(value);
                }
                part.rest.to_vec()
            }
            Layout::Characters(characters) => self.characters(characters, reader)?,
            Layout::TimeText(_) => {
                let octets = self.bytes(reader)?.rest.to_vec();
                if !self.canonical {
                    // Forms other than those of DER are checked with the whole value.
                    return Ok(self.context.value(ty, Data::Leaf(octets.into())));
                }
                octets
            }
            Layout::Time { date, time } => self.time(*date, *time, reader)?,
            Layout::TimeForm(form) => self.time_form(form, reader)?,
            Layout::Duration => self.duration(reader)?,
            Layout::Unsupported(what) => return Err(Kind::Unsupported(what)),
            _ => return Err(Kind::Schema),
        };
        self.context.leaf(ty, octets)
    }

    /// The content of a REAL in a form of IEEE 754 (§12.2, §12.3).
    fn real(&mut self, form: RealForm, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let at = reader.bit();
        let octets = reader.take(if form == RealForm::Binary32 { 4 } else { 8 })?.rest;
        let float = match octets {
            [a, b, c, d] => f64::from(f32::from_be_bytes([*a, *b, *c, *d])),
            _ => f64::from_be_bytes(octets.try_into().map_err(|_| Kind::Truncated)?),
        };
        let real = Real::from_f64(float);
        // There is only one NOT-A-NUMBER in ASN.1, and only one encoding of it is written.
        let again = width::real(&real, form).ok_or(Kind::Truncated)?;
        self.canonical(again == octets, Rule::OerNotANumber, at)?;
        // The content is behind a tag and a length of one byte each.
        let element = tagwise_codec::encode(&real).map_err(|error| Kind::Value(error.kind()))?;
        Ok(element.get(2..).unwrap_or_default().to_vec())
    }

    fn characters(&mut self, characters: &Characters, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let part = match fixed(characters.size) {
            Some(size) => reader.take(size.checked_mul(characters.width.into()).ok_or(Kind::Length)?)?,
            None => self.bytes(reader)?,
        };
        Ok(part.rest.to_vec())
    }

    /// The value that a string contains, unless its type is unknown.
    fn contained(
        &mut self,
        expect: Expect<'_, 's>,
        contents: Option<Contents>,
        octets: &[u8],
        at: usize,
    ) -> Result<Option<Value<'s>>, Kind> {
        let Some(contents) = contents else { return Ok(None) };
        let Some(inner) = self.context.contained(expect, contents)? else { return Ok(None) };
        self.context.spend_values(1)?;
        let reader = Reader { rest: octets, at };
        let value = if contents.is_der {
            self.context.at = reader.bit();
            self.context.der(inner, octets)?
        } else {
            self.whole(inner, reader)?
        };
        let value = self.context.value(expect.ty, Data::Containing(Box::new(value)));
        let is_bits = matches!(expect.layout, Layout::BitString(_));
        self.context.sizes.record(&value, octets.len().saturating_mul(if is_bits { 8 } else { 1 }));
        Ok(Some(value))
    }

    /// An extension addition group. One without components is absent (§16.4).
    fn group(&mut self, list: &[u32], open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let start = reader.bit();
        let (_, is_present) = self.components(list, false, open, reader)?;
        if is_present { Ok(()) } else { self.violates(Rule::OerGroupPresent, start) }
    }

    /// Components behind their preamble (§16.2). Returns the extension bit, and whether there is a component.
    fn components(
        &mut self,
        list: &[u32],
        extensible: bool,
        open: &mut Open<'_, 's>,
        reader: &mut Reader<'_>,
    ) -> Result<(bool, bool), Kind> {
        let mut optional = Vec::new();
        for index in list {
            if open.is_optional(*index)? {
                optional.push(*index);
            }
        }
        let count = optional.len() + usize::from(extensible);
        let at = reader.bit();
        let preamble = reader.take(count.div_ceil(8) as u64)?.rest;
        let bit = |index: usize| preamble.get(index / 8).is_some_and(|octet| octet & (0x80 >> (index % 8)) != 0);
        if (count..preamble.len() * 8).any(bit) {
            self.violates(Rule::OerPreambleZero, at)?;
        }
        let extended = extensible && bit(0);
        let absent: Vec<u32> = optional
            .iter()
            .enumerate()
            .filter(|(number, _)| !bit(number + usize::from(extensible)))
            .map(|(_, index)| *index)
            .collect();
        for index in list.iter().filter(|index| !absent.contains(index)) {
            self.component_of(*index, open, reader)?;
        }
        Ok((extended, absent.len() < list.len()))
    }

    fn component_of(&mut self, index: u32, open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let start = reader.bit();
        if self.component(index, open, reader)?.is_some() {
            self.canonical(false, Rule::OerDefaultAbsent, start)?;
            self.context.steps.pop();
        }
        Ok(())
    }

    /// Extension additions behind their presence bitmap (§16.4).
    fn additions(&mut self, open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<ForeignAdditions, Kind> {
        let at = reader.bit();
        self.context.at = at;
        let bitmap = self.bytes(reader)?.rest;
        let (unused, bits) = match bitmap {
            [unused @ 0..8, bits @ ..] if !bits.is_empty() => (usize::from(*unused), bits),
            _ => return Err(Kind::Additions),
        };
        let count = bits.len() * 8 - unused;
        let bit = |index: usize| bits.get(index / 8).is_some_and(|octet| octet & (0x80 >> (index % 8)) != 0);
        if (count..bits.len() * 8).any(bit) {
            self.violates(Rule::OerUnusedBits, at)?;
        }
        if !(0..count).any(bit) {
            self.violates(Rule::OerAdditionsPresent, at)?;
        }
        let structure = open.structure;
        let mut foreign = ForeignAdditions::new(ForeignRules::Oer);
        for number in (0..count).filter(|number| bit(*number)) {
            self.context.at = reader.bit();
            let mut field = self.bytes(reader)?;
            match structure.additions.get(number) {
                Some(Addition::One(index)) => self.component_of(*index, open, &mut field)?,
                Some(Addition::Group(list)) => self.group(list, open, &mut field)?,
                None => {
                    foreign.list.push((u32::try_from(number).map_err(|_| Kind::Length)?, field.rest.to_vec()));
                    continue;
                }
            }
            self.finish(field)?;
        }
        if count != structure.additions.len() {
            foreign.count = u32::try_from(count).map_err(|_| Kind::Length)?;
        }
        Ok(foreign)
    }

    /// A tag (§8.7).
    fn tag(&self, reader: &mut Reader<'_>) -> Result<Tag, Kind> {
        let first = reader.byte()?;
        let class = first >> 6;
        let short = u32::from(first & 0x3F);
        if short < 63 {
            return Ok(Tag { class, number: short });
        }
        let mut number: u32 = 0;
        loop {
            let octet = reader.byte()?;
            if number == 0 && octet == 0x80 {
                return Err(Kind::NoAlternative);
            }
            number = number.checked_mul(128).ok_or(Kind::NoAlternative)? | u32::from(octet & 0x7F);
            if octet < 0x80 {
                break;
            }
        }
        if number < 63 { Err(Kind::NoAlternative) } else { Ok(Tag { class, number }) }
    }

    /// A number in a range.
    fn part(&mut self, bounds: Bounds, reader: &mut Reader<'_>) -> Result<i128, Kind> {
        self.context.at = reader.bit();
        let number = number::value(&self.integer(bounds, reader)?).ok_or(Kind::Range)?;
        if !bounds.contains(number) {
            self.context.outside(Kind::Range, None, || bounds.describe("number", number))?;
        }
        Ok(number)
    }

    /// The digits of a date, a time of day, or both (§29).
    fn time(&mut self, date: bool, time: bool, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let mut text = String::new();
        if date {
            let year = self.part(Bounds::default(), reader)?;
            let year = u16::try_from(year).ok().filter(|year| *year <= 9999).ok_or(Kind::Range)?;
            text.push_str(&format!("{year:04}"));
        }
        let parts = [(date, MONTH), (date, DAY), (time, HOURS), (time, MINUTES), (time, SECONDS)];
        for (min, max) in parts.into_iter().filter_map(|(is_there, part)| is_there.then_some(part)) {
            let bounds = Bounds { min: Some(min), max: Some(max), extensible: false };
            text.push_str(&format!("{:02}", self.part(bounds, reader)?));
        }
        Ok(text.into_bytes())
    }

    /// The content of a TIME with a form that has an encoding (§29).
    fn time_form(&mut self, form: &TimeForm, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let point = match time::known(form)? {
            Known::Duration => return Ok([b"P", self.duration(reader)?.as_slice()].concat()),
            Known::Point(point) => point,
        };
        let mut numbers = Vec::new();
        for (_, number, _) in point.parts().0 {
            let value = self.part(time::bounds(number), reader)?;
            let is_allowed = match number {
                Number::Year => (0..=9999).contains(&value),
                Number::Fraction(digits) => 10i128.checked_pow(digits.into()).is_none_or(|end| value < end),
                _ => true,
            };
            numbers.push(is_allowed.then_some(value).ok_or(Kind::Range)?);
        }
        Ok(point.text(&numbers).into_bytes())
    }

    /// The content of a DURATION (§29).
    fn duration(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let present = reader.byte()?;
        let mut duration = Duration::default();
        for (place, unit) in duration.units.iter_mut().enumerate() {
            if present & (0x80 >> place) != 0 {
                *unit = Some(self.part(behind_length(false), reader)?);
            }
        }
        if present & 1 != 0 {
            let digits = self.part(Bounds { min: Some(1), ..Bounds::default() }, reader)?;
            duration.fraction = Some((digits, self.part(behind_length(false), reader)?));
        }
        duration.content().ok_or(Kind::Range)
    }
}
