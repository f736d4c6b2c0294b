//! Decoding, directed by tables and layouts.

use std::borrow::Cow;

use tagwise_codec::Budget;
use tagwise_codec::table::{Field, Fields, Presence, Shape, Type as Table};
use tagwise_codec::value::{
    Alternative, Components, Data, Foreign, ForeignAdditions, ForeignRules, Scope, Types, Value,
};
use tagwise_per::plan::{Addition, Bounds, Characters, Choice, Layout, Structure, Tag};
use tagwise_per::shared::number::{content, shortest};
use tagwise_per::shared::{Step, index_of, number, path, without_zeros};

use crate::error::{Error, Kind};
use crate::width::{fixed, size};
use crate::{Type, encode};

/// Limit of elements without any bytes in one decoding.
const EMPTY_ELEMENTS: u64 = 1 << 16;

/// Decodes a complete encoding.
pub(crate) fn decode<'s>(of: &Type<'s>, input: &[u8]) -> Result<Value<'s>, Error> {
    let mut decoder = Decoder {
        of: *of,
        types: Types::of(of.schema),
        elements: of.options.budget_in_force().elements,
        empty: EMPTY_ELEMENTS,
        steps: Vec::new(),
        at: 0,
    };
    let depth = of.options.budget_in_force().depth.min(Budget::MAX_DEPTH).into();
    let mut outermost = || {
        let expect = decoder.expect(of.index, None, depth)?;
        decoder.whole(expect, input, 0)
    };
    let value = outermost();
    let fail = |kind, path, at| Error { path, offset: Some(at), kind };
    let value = value.map_err(|kind| fail(kind, path(&decoder.steps), decoder.at))?;
    match of.dynamic().map(|dynamic| dynamic.check(&value)) {
        Some(Ok(())) => Ok(value),
        Some(Err(error)) => {
            let kind = Kind::Value(error.kind().text().to_owned());
            Err(Error { path: error.path().to_owned(), offset: None, kind })
        }
        None => Err(fail(Kind::Schema, String::new(), 0)),
    }
}

/// A cursor over an encoding.
#[derive(Clone, Copy, Debug)]
struct Reader<'b> {
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

    fn byte(&mut self) -> Result<u8, Kind> {
        self.take(1)?.rest.first().copied().ok_or(Kind::Truncated)
    }
}

struct Decoder<'s> {
    of: Type<'s>,
    types: Types<'s>,
    elements: u64,
    empty: u64,
    steps: Vec<Step<'s>>,
    /// The offset of what is being read.
    at: usize,
}

#[derive(Clone, Copy)]
struct Expect<'x, 's> {
    ty: &'s Table,
    layout: &'s Layout,
    scope: Option<&'x Scope<'x, 's>>,
    depth: u32,
}

/// A SEQUENCE or SET that is being read.
struct Open<'x, 's> {
    structure: &'s Structure,
    fields: &'s Fields,
    slots: Vec<Option<Value<'s>>>,
    outer: Option<&'x Scope<'x, 's>>,
    depth: u32,
}

impl<'s> Decoder<'s> {
    fn expect<'x>(&self, index: u32, scope: Option<&'x Scope<'x, 's>>, depth: u32) -> Result<Expect<'x, 's>, Kind> {
        let ty = self.of.schema.types.get(index as usize).ok_or(Kind::Schema)?;
        Ok(Expect { ty, layout: self.layout(index)?, scope, depth })
    }

    fn layout(&self, index: u32) -> Result<&'s Layout, Kind> {
        self.of.plan.get(index).ok_or(Kind::Schema)
    }

    /// Refuses a form that only BASIC-OER allows.
    const fn canonical(&self, is_canonical: bool, clause: &'static str) -> Result<(), Kind> {
        if self.of.canonical && !is_canonical { Err(Kind::NotCanonical(clause)) } else { Ok(()) }
    }

    /// A value that extends to the end of some bytes.
    fn whole(&mut self, expect: Expect<'_, 's>, octets: &[u8], at: usize) -> Result<Value<'s>, Kind> {
        let mut reader = Reader { rest: octets, at };
        let value = self.value(expect, &mut reader)?;
        self.finish(reader)?;
        Ok(value)
    }

    fn finish(&mut self, reader: Reader<'_>) -> Result<(), Kind> {
        if reader.rest.is_empty() {
            return Ok(());
        }
        self.at = reader.at;
        Err(Kind::TrailingData)
    }

    /// A length determinant (§8.6).
    fn length(&self, reader: &mut Reader<'_>) -> Result<u64, Kind> {
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
        self.canonical(used == octets.len() && length >= 0x80, "8.6.5")?;
        Ok(length)
    }

    fn field<'b>(&self, reader: &mut Reader<'b>) -> Result<Reader<'b>, Kind> {
        let length = self.length(reader)?;
        reader.take(length)
    }

    /// INTEGER (§10), as content bytes.
    fn integer(&self, bounds: Bounds, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let (size, signed) = size(bounds);
        let octets = match size {
            Some(size) => reader.take(size.into())?.rest,
            None => self.field(reader)?.rest,
        };
        if octets.is_empty() {
            return Err(Kind::Length);
        }
        let full = if signed { octets.to_vec() } else { [&[0], octets].concat() };
        let spare = full.len() - usize::from(!signed && octets.first().is_none_or(|first| *first < 0x80));
        let short = shortest(full);
        if size.is_none() {
            self.canonical(short.len() == spare, "10.3")?;
        }
        Ok(short)
    }

    /// The number of elements (§17.2).
    fn quantity(&self, reader: &mut Reader<'_>) -> Result<u64, Kind> {
        let octets = self.integer(Bounds { min: Some(0), ..Bounds::default() }, reader)?;
        let number = number::value(&octets).ok_or(Kind::Length)?;
        u64::try_from(number).map_err(|_| Kind::Length)
    }

    // Recursion is as deep as the depth budget allows.
    fn value(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        self.at = reader.at;
        let Expect { ty, layout, scope, .. } = expect;
        match layout {
            Layout::Structure(_) | Layout::List { .. } | Layout::Choice(_) | Layout::Open | Layout::Same(_) => {}
            _ => return self.leaf(expect, reader),
        }
        let Some(depth) = expect.depth.checked_sub(1) else { return Err(Kind::Depth) };
        let base = self.types.base(ty);
        match (layout, &base.shape) {
            (
                Layout::Structure(structure),
                Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields),
            ) => {
                let components = self.structure(structure, fields, scope, depth, reader)?;
                Ok(Value::new(self.types, ty, Data::Components(components)))
            }
            (Layout::List { item, is_set, .. }, Shape::SequenceOf(reference) | Shape::SetOf(reference)) => {
                let ty_of_item = self.types.get(reference).ok_or(Kind::Schema)?;
                let expect = Expect { ty: ty_of_item, layout: self.layout(*item)?, scope, depth };
                let items = self.list(expect, *is_set, reader)?;
                Ok(Value::new(self.types, ty, Data::Items(items)))
            }
            (Layout::Choice(choice), Shape::Choice { alternatives, .. }) => {
                let data = self.choice(choice, alternatives, scope, depth, reader)?;
                Ok(Value::new(self.types, ty, data))
            }
            (Layout::Open, Shape::Open { .. }) => {
                let field = self.field(reader)?;
                match self.types.selected(base, scope) {
                    Some(selected) => {
                        let index = index_of(&self.of.schema.types, selected).ok_or(Kind::Schema)?;
                        self.whole(self.expect(index, scope, depth)?, field.rest, field.at)
                    }
                    None => {
                        let foreign = Foreign { rules: ForeignRules::Oer, number: None, octets: field.rest.to_vec() };
                        Ok(Value::new(self.types, ty, Data::Foreign(foreign)))
                    }
                }
            }
            (Layout::Same(index), _) => {
                let field = self.field(reader)?;
                self.whole(self.expect(*index, scope, depth)?, field.rest, field.at)
            }
            _ => Err(Kind::Schema),
        }
    }

    fn leaf(&mut self, expect: Expect<'_, 's>, reader: &mut Reader<'_>) -> Result<Value<'s>, Kind> {
        let ty = expect.ty;
        let octets = match expect.layout {
            Layout::Boolean => {
                let octet = reader.byte()?;
                self.canonical(matches!(octet, 0 | 0xFF), "9")?;
                vec![if octet == 0 { 0 } else { 0xFF }]
            }
            Layout::Null => Vec::new(),
            Layout::Integer(bounds) => self.integer(*bounds, reader)?,
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
                    self.canonical(short.len() == octets.len() && !is_small, "11.4")?;
                    short
                }
            }
            Layout::Real(true) => return Err(Kind::Unsupported("REALs with constrained components")),
            Layout::Octets | Layout::Real(false) => self.field(reader)?.rest.to_vec(),
            Layout::BitString(sized) => {
                let (mut octets, place) = match fixed(sized.size) {
                    Some(bits) => {
                        let part = reader.take(bits.div_ceil(8))?;
                        let unused = (8 - (bits % 8) as u8) % 8;
                        ([&[unused], part.rest].concat(), part.at)
                    }
                    None => {
                        let part = self.field(reader)?;
                        (part.rest.to_vec(), part.at + 1)
                    }
                };
                match (octets.first().copied(), octets.last().copied()) {
                    (None, _) => return Err(Kind::Length),
                    (Some(0), _) => {}
                    (Some(unused @ 1..8), Some(last)) if octets.len() > 1 && last & ((1 << unused) - 1) == 0 => {}
                    _ => return Err(Kind::UnusedBits),
                }
                if let Some(value) =
                    self.contained(expect, sized.contents, octets.get(1..).unwrap_or_default(), place)?
                {
                    return Ok(value);
                }
                if sized.named {
                    let short = without_zeros(&octets);
                    self.canonical(short == octets || fixed(sized.size).is_some(), "13.3")?;
                    octets = short;
                }
                octets
            }
            Layout::OctetString(sized) => {
                let part = match fixed(sized.size) {
                    Some(size) => reader.take(size)?,
                    None => self.field(reader)?,
                };
                if let Some(value) = self.contained(expect, sized.contents, part.rest, part.at)? {
                    return Ok(value);
                }
                part.rest.to_vec()
            }
            Layout::Characters(characters) => self.characters(characters, reader)?,
            Layout::TimeText(_) => {
                let octets = self.field(reader)?.rest.to_vec();
                if !self.of.canonical {
                    // Forms other than those of DER are checked with the whole value.
                    return Ok(Value::new(self.types, ty, Data::Leaf(octets.into())));
                }
                octets
            }
            Layout::Time { .. } => return Err(Kind::Unsupported("the time types of X.680 §38")),
            Layout::Unsupported(what) => return Err(Kind::Unsupported(what)),
            _ => return Err(Kind::Schema),
        };
        Value::leaf(self.types, ty, Cow::Owned(octets)).map_err(|fault| Kind::Content(fault.kind().text().to_owned()))
    }

    fn characters(&self, characters: &Characters, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let part = match fixed(characters.size) {
            Some(size) => reader.take(size.checked_mul(characters.width.into()).ok_or(Kind::Length)?)?,
            None => self.field(reader)?,
        };
        Ok(part.rest.to_vec())
    }

    /// The value that a string contains, unless its type is unknown.
    fn contained(
        &mut self,
        expect: Expect<'_, 's>,
        contents: Option<tagwise_per::plan::Contents>,
        octets: &[u8],
        at: usize,
    ) -> Result<Option<Value<'s>>, Kind> {
        let Some(contents) = contents else { return Ok(None) };
        let Some(depth) = expect.depth.checked_sub(1) else { return Err(Kind::Depth) };
        if contents.is_der {
            return Err(Kind::Unsupported("contents in DER"));
        }
        let mut inner = self.expect(contents.ty, expect.scope, depth)?;
        if matches!(inner.layout, Layout::Open) {
            match self.types.selected(self.types.base(inner.ty), expect.scope) {
                Some(selected) => {
                    let index = index_of(&self.of.schema.types, selected).ok_or(Kind::Schema)?;
                    inner = self.expect(index, expect.scope, depth)?;
                }
                None => return Ok(None),
            }
        }
        let value = self.whole(inner, octets, at)?;
        Ok(Some(Value::new(self.types, expect.ty, Data::Containing(Box::new(value)))))
    }

    /// SEQUENCE (§16) and SET (§18).
    fn structure(
        &mut self,
        structure: &'s Structure,
        fields: &'s Fields,
        outer: Option<&Scope<'_, 's>>,
        depth: u32,
        reader: &mut Reader<'_>,
    ) -> Result<Components<'s>, Kind> {
        let slots = fields.list.iter().map(|_| None).collect();
        let mut open = Open { structure, fields, slots, outer, depth };
        let extended = self.components(&structure.root, structure.extensible, &mut open, reader)?;
        let foreign =
            if extended { self.additions(&mut open, reader)? } else { ForeignAdditions::new(ForeignRules::Oer) };
        let components = Components::new(fields, open.slots, Vec::new()).ok_or(Kind::Schema)?;
        Ok(components.with_foreign(foreign))
    }

    /// Components behind their preamble (§16.2). Returns the extension bit.
    fn components(
        &mut self,
        list: &[u32],
        extensible: bool,
        open: &mut Open<'_, 's>,
        reader: &mut Reader<'_>,
    ) -> Result<bool, Kind> {
        let mut optional = Vec::new();
        for index in list {
            let field = open.fields.list.get(*index as usize).ok_or(Kind::Schema)?;
            if !matches!(field.presence, Presence::Required) {
                optional.push(*index);
            }
        }
        let count = optional.len() + usize::from(extensible);
        let preamble = reader.take(count.div_ceil(8) as u64)?.rest;
        let bit = |index: usize| preamble.get(index / 8).is_some_and(|octet| octet & (0x80 >> (index % 8)) != 0);
        if (count..preamble.len() * 8).any(bit) {
            return Err(Kind::UnusedBits);
        }
        let extended = extensible && bit(0);
        let absent: Vec<u32> = optional
            .iter()
            .enumerate()
            .filter(|(number, _)| !bit(number + usize::from(extensible)))
            .map(|(_, index)| *index)
            .collect();
        for index in list.iter().filter(|index| !absent.contains(index)) {
            self.component(*index, open, reader)?;
        }
        Ok(extended)
    }

    fn component(&mut self, index: u32, open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<(), Kind> {
        let place = index as usize;
        let field = open.fields.list.get(place).ok_or(Kind::Schema)?;
        let layout = *open.structure.fields.get(place).ok_or(Kind::Schema)?;
        let value = {
            let scope =
                Scope { fields: open.fields, slots: &open.slots, current: place, ahead: None, outer: open.outer };
            self.named(field, layout, Some(&scope), open.depth, reader)?
        };
        if self.types.with_default(field, |default| *default == value).unwrap_or(false) {
            return self.canonical(false, "16.2.3");
        }
        if let Some(slot) = open.slots.get_mut(place) {
            *slot = Some(value);
        }
        Ok(())
    }

    fn named(
        &mut self,
        field: &'s Field,
        layout: u32,
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        reader: &mut Reader<'_>,
    ) -> Result<Value<'s>, Kind> {
        self.steps.push(Step::Name(&field.name));
        let ty = self.types.get(&field.ty).ok_or(Kind::Schema)?;
        let value = self.value(Expect { ty, layout: self.layout(layout)?, scope, depth }, reader)?;
        self.steps.pop();
        Ok(value)
    }

    /// Extension additions behind their presence bitmap (§16.4).
    fn additions(&mut self, open: &mut Open<'_, 's>, reader: &mut Reader<'_>) -> Result<ForeignAdditions, Kind> {
        self.at = reader.at;
        let bitmap = self.field(reader)?.rest;
        let (unused, bits) = match bitmap {
            [unused @ 0..8, bits @ ..] if !bits.is_empty() => (usize::from(*unused), bits),
            _ => return Err(Kind::Additions),
        };
        let count = bits.len() * 8 - unused;
        let bit = |index: usize| bits.get(index / 8).is_some_and(|octet| octet & (0x80 >> (index % 8)) != 0);
        if (count..bits.len() * 8).any(bit) {
            return Err(Kind::UnusedBits);
        }
        if !(0..count).any(bit) {
            return Err(Kind::Additions);
        }
        let structure = open.structure;
        let mut foreign = ForeignAdditions::new(ForeignRules::Oer);
        for number in (0..count).filter(|number| bit(*number)) {
            self.at = reader.at;
            let mut field = self.field(reader)?;
            match structure.additions.get(number) {
                Some(Addition::One(index)) => self.component(*index, open, &mut field)?,
                Some(Addition::Group(list)) => {
                    self.components(list, false, open, &mut field)?;
                }
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

    /// CHOICE (§20).
    fn choice(
        &mut self,
        choice: &Choice,
        alternatives: &'s [Field],
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        reader: &mut Reader<'_>,
    ) -> Result<Data<'s>, Kind> {
        let mut ahead = *reader;
        let tag = self.tag(&mut ahead)?;
        let Some(index) = choice.tags.iter().position(|tags| tags.contains(&tag)) else {
            if !choice.extensible || tag.number >= 1 << 30 {
                return Err(Kind::NoAlternative);
            }
            *reader = ahead;
            let octets = self.field(reader)?.rest.to_vec();
            let number = Some(u32::from(tag.class) << 30 | tag.number);
            return Ok(Data::Foreign(Foreign { rules: ForeignRules::Oer, number, octets }));
        };
        let alternative = alternatives.get(index).ok_or(Kind::Schema)?;
        let layout = *choice.fields.get(index).ok_or(Kind::Schema)?;
        // An untagged CHOICE reads its own tag.
        if !choice.is_untagged(index) {
            *reader = ahead;
        }
        let value = if choice.additions.contains(&(index as u32)) {
            let mut field = self.field(reader)?;
            let value = self.named(alternative, layout, scope, depth, &mut field)?;
            self.finish(field)?;
            value
        } else {
            self.named(alternative, layout, scope, depth, reader)?
        };
        Ok(Data::Alternative(Alternative::new(alternative, value)))
    }

    /// SEQUENCE OF (§17) and SET OF (§19).
    fn list(&mut self, expect: Expect<'_, 's>, is_set: bool, reader: &mut Reader<'_>) -> Result<Vec<Value<'s>>, Kind> {
        let count = self.quantity(reader)?;
        let mut items = Vec::new();
        let mut before: Option<Vec<u8>> = None;
        for number in 0..count {
            self.steps.push(Step::Item(number as usize));
            self.at = reader.at;
            self.elements = self.elements.checked_sub(1).ok_or(Kind::Elements)?;
            let start = *reader;
            items.push(self.value(expect, reader)?);
            let octets = start.rest.get(..reader.at.saturating_sub(start.at)).unwrap_or_default();
            if octets.is_empty() {
                self.empty = self.empty.checked_sub(1).ok_or(Kind::Elements)?;
            }
            if is_set && self.of.canonical {
                let sorted = before.as_ref().is_none_or(|before| encode::order(before, octets).is_le());
                self.canonical(sorted, "19")?;
                before = Some(octets.to_vec());
            }
            self.steps.pop();
        }
        Ok(items)
    }
}
