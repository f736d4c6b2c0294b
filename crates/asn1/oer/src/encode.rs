//! Encoding of OER.

use std::cmp::Ordering;

use tagwise_codec::Real;
use tagwise_codec::value::{Components, Data, Foreign, ForeignRules, Value};
use tagwise_per::plan::{Addition, Bounds, Choice, Contents, Layout, RealForm, Tag};
use tagwise_per::row::TimeForm;
use tagwise_per::shared::encode::{Encode, Open, misfit};
use tagwise_per::shared::{Context, Expect, number};
use tagwise_per::time::Duration;
use tagwise_per::{Error, Kind};

use crate::time::{self, Known};
use crate::width::{behind_length, fixed, is_signed, least, size};
use crate::{Type, width};

/// Encodes a value.
pub(crate) fn encode<'s>(of: Type<'s>, value: &Value<'s>) -> Result<Vec<u8>, Error> {
    let encoder = Encoder { context: Context::new(of.base), canonical: of.canonical };
    encoder.complete_with(value, |encoder| {
        let expect = encoder.context.outermost()?;
        let mut output = Vec::new();
        encoder.value(expect, value, &mut output)?;
        Ok(output)
    })
}

/// The order of the elements of a SET OF in CANONICAL-OER.
pub(crate) fn order(one: &[u8], other: &[u8]) -> Ordering {
    one.cmp(other)
}

struct Encoder<'s> {
    context: Context<'s>,
    canonical: bool,
}

/// The bits of a preamble or bitmap.
fn bits(bits: &[bool]) -> Vec<u8> {
    let octet =
        |part: &[bool]| part.iter().zip(0..).fold(0, |octet, (bit, place)| octet | (u8::from(*bit) << (7 - place)));
    bits.chunks(8).map(octet).collect()
}

impl<'s> Encode<'s> for Encoder<'s> {
    type Writer = Vec<u8>;

    fn rules(&self) -> ForeignRules {
        ForeignRules::Oer
    }

    fn context(&mut self) -> &mut Context<'s> {
        &mut self.context
    }

    fn leaf(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, output: &mut Vec<u8>) -> Result<(), Kind> {
        self.leaf_of(expect, value, output)
    }

    /// SEQUENCE (§16) and SET (§18).
    fn structure(
        &mut self,
        open: Open<'_, 's>,
        present: &[bool],
        components: &Components<'s>,
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        let structure = open.structure;
        let extended = present.contains(&true);
        self.components(&structure.root, structure.extensible.then_some(extended), open, output)?;
        if !extended {
            return Ok(());
        }
        let unused = (8 - (present.len() % 8) as u8) % 8;
        self.bytes(&[&[unused], bits(present).as_slice()].concat(), output)?;
        for (addition, _) in structure.additions.iter().zip(present).filter(|(_, present)| **present) {
            let mut inner = Vec::new();
            match addition {
                Addition::One(index) => self.component(*index, open, &mut inner)?,
                Addition::Group(list) => self.components(list, None, open, &mut inner)?,
            }
            self.bytes(&inner, output)?;
        }
        let list = components.foreign().map(|foreign| foreign.list.as_slice()).unwrap_or_default();
        list.iter().try_for_each(|(_, octets)| self.bytes(octets, output))
    }

    /// SEQUENCE OF (§17) and SET OF (§19).
    fn list(
        &mut self,
        item: Expect<'_, 's>,
        _size: Bounds,
        is_set: bool,
        items: &[Value<'s>],
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        let count = number::content(items.len() as i128);
        self.integer(&count, Bounds { min: Some(0), ..Bounds::default() }, output)?;
        let mut parts = Vec::new();
        for (index, value) in items.iter().enumerate() {
            self.context.element(index, 0)?;
            let mut part = Vec::new();
            self.value(item, value, &mut part)?;
            // Decoding has the same limit.
            if part.is_empty() {
                self.context.spend_empty(1)?;
            }
            self.context.steps.pop();
            parts.push(part);
        }
        if is_set && self.canonical {
            parts.sort_by(|one, other| order(one, other));
        }
        parts.iter().try_for_each(|part| self.put(part, output))
    }

    /// CHOICE (§20).
    fn alternative(
        &mut self,
        choice: &'s Choice,
        index: usize,
        inner: Expect<'_, 's>,
        value: &Value<'s>,
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        // An untagged CHOICE writes its own tag.
        if !choice.is_untagged(index) {
            let tag = choice.tags.get(index).and_then(|tags| tags.first()).ok_or(Kind::Schema)?;
            self.tag(*tag, output)?;
        }
        match choice.additions.contains(&(index as u32)) {
            true => self.wrapped(inner, value, output),
            false => self.value(inner, value, output),
        }
    }

    fn unknown(&mut self, choice: &'s Choice, foreign: &Foreign, output: &mut Vec<u8>) -> Result<(), Kind> {
        let number = foreign.number.ok_or_else(misfit)?;
        let tag = Tag { class: (number >> 30) as u8, number: number & 0x3FFF_FFFF };
        if choice.tags.iter().any(|tags| tags.contains(&tag)) {
            return Err(misfit());
        }
        self.tag(tag, output)?;
        self.bytes(&foreign.octets, output)
    }

    fn field(&mut self, octets: &[u8], output: &mut Vec<u8>) -> Result<(), Kind> {
        self.bytes(octets, output)
    }

    fn wrapped(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, output: &mut Vec<u8>) -> Result<(), Kind> {
        let mut inner = Vec::new();
        self.value(expect, value, &mut inner)?;
        self.bytes(&inner, output)
    }
}

impl<'s> Encoder<'s> {
    fn put(&self, octets: &[u8], output: &mut Vec<u8>) -> Result<(), Kind> {
        if (output.len() as u64).saturating_add(octets.len() as u64)
            > self.context.base.options.budget_in_force().output
        {
            return Err(Kind::Output);
        }
        output.extend_from_slice(octets);
        Ok(())
    }

    /// Bytes behind their length (§8.6).
    fn bytes(&self, octets: &[u8], output: &mut Vec<u8>) -> Result<(), Kind> {
        let length = octets.len();
        if length < 0x80 {
            self.put(&[length as u8], output)?;
        } else {
            let digits: Vec<u8> = length.to_be_bytes().into_iter().skip_while(|octet| *octet == 0).collect();
            self.put(&[0x80 | digits.len() as u8], output)?;
            self.put(&digits, output)?;
        }
        self.put(octets, output)
    }

    /// INTEGER (§10).
    fn integer(&self, content: &[u8], bounds: Bounds, output: &mut Vec<u8>) -> Result<(), Kind> {
        let (size, signed) = size(bounds);
        let octets = if signed { content } else { number::magnitude(content).ok_or_else(misfit)? };
        let Some(size) = size else { return self.bytes(octets, output) };
        let negative = signed && content.first().is_some_and(|first| *first >= 0x80);
        let spare = (size as usize).checked_sub(octets.len()).ok_or_else(misfit)?;
        self.put(&vec![if negative { 0xFF } else { 0 }; spare], output)?;
        self.put(octets, output)
    }

    fn leaf_of(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, output: &mut Vec<u8>) -> Result<(), Kind> {
        let content = || value.der_content().ok_or_else(misfit);
        match expect.layout {
            Layout::Boolean => self.put(&[if *content()? == [0] { 0 } else { 0xFF }], output),
            Layout::Null => Ok(()),
            Layout::Integer(bounds) => self.integer(&content()?, *bounds, output),
            Layout::WideInteger(bounds) => self.integer(&content()?, behind_length(is_signed(bounds)), output),
            Layout::Enumerated(_) => {
                let content = content()?;
                if !matches!(&*content, [0..=0x7F]) {
                    self.put(&[0x80 | content.len() as u8], output)?;
                }
                self.put(&content, output)
            }
            Layout::Octets | Layout::Real(RealForm::Content) => self.bytes(&content()?, output),
            // CANONICAL-OER has the forms of DER only (§29).
            Layout::TimeText(_) if !self.canonical => self.bytes(&value.basic_content().ok_or_else(misfit)?, output),
            Layout::TimeText(_) => self.bytes(&content()?, output),
            Layout::Real(form) => {
                let real = value.view::<Real<'_>>().ok_or_else(misfit)?;
                let octets = width::real(&real, *form);
                self.put(&octets.ok_or(Kind::Mismatch("the REAL is not a number of the constrained form"))?, output)
            }
            Layout::BitString(sized) => {
                let octets = match self.contained(expect, sized.contents, value)? {
                    Some(inner) => {
                        self.context.contained_size(value, inner.len().saturating_mul(8), sized.size)?;
                        [&[0], inner.as_slice()].concat()
                    }
                    // Gaps in the size constraint are not part of the effective one.
                    None if sized.named => value.sized_bits(self.context.types, &[]).ok_or_else(misfit)?.into_owned(),
                    None => content()?.into_owned(),
                };
                match fixed(sized.size) {
                    Some(count) => {
                        let mut bits = octets.get(1..).unwrap_or_default().to_vec();
                        if count.div_ceil(8) > self.context.base.options.budget_in_force().output {
                            return Err(Kind::Output);
                        }
                        bits.resize(count.div_ceil(8) as usize, 0);
                        self.put(&bits, output)
                    }
                    // Named bits have as many zero bits at their end as the size constraint requires (§13.3).
                    None if sized.named => self.bytes(&least(octets, sized.size).ok_or(Kind::Output)?, output),
                    None => self.bytes(&octets, output),
                }
            }
            Layout::OctetString(sized) => {
                let octets = match self.contained(expect, sized.contents, value)? {
                    Some(inner) => {
                        self.context.contained_size(value, inner.len(), sized.size)?;
                        inner
                    }
                    None => content()?.into_owned(),
                };
                match fixed(sized.size) {
                    Some(_) => self.put(&octets, output),
                    None => self.bytes(&octets, output),
                }
            }
            Layout::Characters(characters) => match fixed(characters.size) {
                Some(_) => self.put(&content()?, output),
                None => self.bytes(&content()?, output),
            },
            Layout::Time { date, time } => self.time(&content()?, *date, *time, output),
            Layout::TimeForm(form) => self.time_form(&content()?, form, output),
            Layout::Duration => self.duration(&content()?, output),
            Layout::Unsupported(what) => Err(Kind::Unsupported(what)),
            _ => Err(Kind::Schema),
        }
    }

    fn contained(
        &mut self,
        expect: Expect<'_, 's>,
        contents: Option<Contents>,
        value: &Value<'s>,
    ) -> Result<Option<Vec<u8>>, Kind> {
        let Data::Containing(inner) = value.data() else { return Ok(None) };
        let contents = contents.ok_or_else(misfit)?;
        let within = self.context.contained(expect, contents)?.ok_or_else(misfit)?;
        if contents.is_der {
            return self.context.to_der(within, inner).map(Some);
        }
        let mut output = Vec::new();
        self.value(within, inner, &mut output)?;
        Ok(Some(output))
    }

    /// Components behind their preamble (§16.2).
    fn components(
        &mut self,
        list: &[u32],
        extended: Option<bool>,
        open: Open<'_, 's>,
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        let (presence, present) = self.listed(list, open)?;
        let preamble: Vec<bool> = extended.into_iter().chain(presence).collect();
        self.put(&bits(&preamble), output)?;
        present.into_iter().try_for_each(|index| self.component(index, open, output))
    }

    /// A tag (§8.7).
    fn tag(&self, tag: Tag, output: &mut Vec<u8>) -> Result<(), Kind> {
        let class = tag.class << 6;
        if tag.number < 63 {
            return self.put(&[class | tag.number as u8], output);
        }
        self.put(&[class | 63], output)?;
        let mut digits: Vec<u8> = Vec::new();
        let mut rest = tag.number;
        while rest > 0 || digits.is_empty() {
            digits.push((rest & 0x7F) as u8 | if digits.is_empty() { 0 } else { 0x80 });
            rest >>= 7;
        }
        digits.reverse();
        self.put(&digits, output)
    }

    /// A date, a time of day, or both, from its digits (§29).
    fn time(&self, digits: &[u8], date: bool, time: bool, output: &mut Vec<u8>) -> Result<(), Kind> {
        let mut rest = std::str::from_utf8(digits).map_err(|_| misfit())?;
        let mut next = |size: usize| {
            let (now, later) = rest.split_at_checked(size)?;
            rest = later;
            now.parse::<u16>().ok()
        };
        if date {
            let year = next(4).ok_or_else(misfit)?;
            self.integer(&number::content(year.into()), Bounds::default(), output)?;
        }
        for _ in 0..usize::from(date) * 2 + usize::from(time) * 3 {
            self.put(&[next(2).ok_or_else(misfit)? as u8], output)?;
        }
        Ok(())
    }

    /// A TIME with a form that has an encoding, from its content (§29).
    fn time_form(&self, octets: &[u8], form: &TimeForm, output: &mut Vec<u8>) -> Result<(), Kind> {
        let point = match time::known(form)? {
            Known::Duration => return self.duration(octets.strip_prefix(b"P").ok_or_else(misfit)?, output),
            Known::Point(point) => point,
        };
        let text = std::str::from_utf8(octets).map_err(|_| misfit())?;
        for (number, value) in point.read(text).ok_or_else(misfit)? {
            self.integer(&number::content(value), time::bounds(number), output)?;
        }
        Ok(())
    }

    /// A DURATION, from its content (§29).
    fn duration(&self, content: &[u8], output: &mut Vec<u8>) -> Result<(), Kind> {
        let duration = Duration::read(content).ok_or(Kind::Unsupported("a DURATION with a number beyond 127 bits"))?;
        let presence: Vec<bool> =
            duration.units.iter().map(Option::is_some).chain([duration.fraction.is_some()]).collect();
        self.put(&bits(&presence), output)?;
        let fraction = duration.fraction.into_iter().flat_map(|(digits, fraction)| [digits, fraction]);
        for number in duration.units.into_iter().flatten().chain(fraction) {
            self.integer(&number::content(number), behind_length(false), output)?;
        }
        Ok(())
    }
}
