//! Encoding, directed by tables and layouts.

use std::cmp::Ordering;

use tagwise_codec::Budget;
use tagwise_codec::table::{Field, Fields, Presence, Shape, Type as Table};
use tagwise_codec::value::{Components, Data, ForeignRules, Scope, Types, Value};
use tagwise_per::plan::{Addition, Bounds, Choice, Contents, Layout, Structure, Tag};
use tagwise_per::shared::{Step, index_of, number, path, presence, without_zeros};

use crate::Type;
use crate::error::{Error, Kind};
use crate::width::{fixed, size};

/// Encodes a value.
pub(crate) fn encode<'s>(of: &Type<'s>, value: &Value<'s>) -> Result<Vec<u8>, Error> {
    let fail = |path, kind| Error { path, offset: None, kind };
    let dynamic = of.dynamic().ok_or_else(|| fail(String::new(), Kind::Schema))?;
    dynamic.check(value).map_err(|error| fail(error.path().to_owned(), Kind::Value(error.kind().text().to_owned())))?;
    let mut encoder = Encoder { of: *of, types: Types::of(of.schema), steps: Vec::new() };
    let depth = of.options.budget_in_force().depth.min(Budget::MAX_DEPTH).into();
    let mut output = Vec::new();
    let mut outermost = || {
        let expect = encoder.expect(of.index, None, depth)?;
        encoder.value(expect, value, &mut output)
    };
    outermost().map_err(|kind| fail(path(&encoder.steps), kind))?;
    Ok(output)
}

/// The order of the elements of a SET OF in CANONICAL-OER.
pub(crate) fn order(one: &[u8], other: &[u8]) -> Ordering {
    one.cmp(other)
}

struct Encoder<'s> {
    of: Type<'s>,
    types: Types<'s>,
    steps: Vec<Step<'s>>,
}

#[derive(Clone, Copy)]
struct Expect<'x, 's> {
    ty: &'s Table,
    layout: &'s Layout,
    scope: Option<&'x Scope<'x, 's>>,
    depth: u32,
}

/// A SEQUENCE or SET that is being written.
#[derive(Clone, Copy)]
struct Open<'x, 's> {
    structure: &'s Structure,
    fields: &'s Fields,
    slots: &'x [Option<Value<'s>>],
    scope: &'x Scope<'x, 's>,
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

/// The bits of a preamble or bitmap.
fn bits(bits: &[bool]) -> Vec<u8> {
    let octet =
        |part: &[bool]| part.iter().zip(0..).fold(0, |octet, (bit, place)| octet | (u8::from(*bit) << (7 - place)));
    bits.chunks(8).map(octet).collect()
}

impl<'s> Encoder<'s> {
    fn expect<'x>(&self, index: u32, scope: Option<&'x Scope<'x, 's>>, depth: u32) -> Result<Expect<'x, 's>, Kind> {
        let ty = self.of.schema.types.get(index as usize).ok_or(Kind::Schema)?;
        Ok(Expect { ty, layout: self.layout(index)?, scope, depth })
    }

    fn layout(&self, index: u32) -> Result<&'s Layout, Kind> {
        self.of.plan.get(index).ok_or(Kind::Schema)
    }

    fn put(&self, octets: &[u8], output: &mut Vec<u8>) -> Result<(), Kind> {
        if (output.len() as u64).saturating_add(octets.len() as u64) > self.of.options.budget_in_force().output {
            return Err(Kind::Output);
        }
        output.extend_from_slice(octets);
        Ok(())
    }

    /// Bytes behind their length (§8.6).
    fn field(&self, octets: &[u8], output: &mut Vec<u8>) -> Result<(), Kind> {
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
        let Some(size) = size else { return self.field(octets, output) };
        let negative = signed && content.first().is_some_and(|first| *first >= 0x80);
        let spare = (size as usize).checked_sub(octets.len()).ok_or_else(misfit)?;
        self.put(&vec![if negative { 0xFF } else { 0 }; spare], output)?;
        self.put(octets, output)
    }

    // Recursion is as deep as the depth budget allows.
    fn value(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, output: &mut Vec<u8>) -> Result<(), Kind> {
        let Expect { ty, layout, scope, .. } = expect;
        match layout {
            Layout::Structure(_) | Layout::List { .. } | Layout::Choice(_) | Layout::Open | Layout::Same(_) => {}
            _ => return self.leaf(expect, value, output),
        }
        let Some(depth) = expect.depth.checked_sub(1) else { return Err(Kind::Depth) };
        let base = self.types.base(ty);
        match (layout, &base.shape, value.data()) {
            (
                Layout::Structure(structure),
                Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields),
                Data::Components(components),
            ) => self.structure(structure, fields, components, scope, depth, output),
            (
                Layout::List { item, is_set, .. },
                Shape::SequenceOf(reference) | Shape::SetOf(reference),
                Data::Items(items),
            ) => {
                let ty = self.types.get(reference).ok_or(Kind::Schema)?;
                self.list(Expect { ty, layout: self.layout(*item)?, scope, depth }, *is_set, items, output)
            }
            (Layout::Choice(choice), Shape::Choice { alternatives, .. }, data) => {
                self.choice(choice, alternatives, data, scope, depth, output)
            }
            (Layout::Open, Shape::Open { .. }, data) => match (self.types.selected(base, scope), data) {
                (_, Data::Foreign(foreign)) if foreign.rules != ForeignRules::Oer => Err(other_rules()),
                (_, Data::Foreign(foreign)) => self.field(&foreign.octets, output),
                (Some(selected), _) => {
                    let index = index_of(&self.of.schema.types, selected).ok_or(Kind::Schema)?;
                    self.wrapped(self.expect(index, scope, depth)?, value, output)
                }
                (None, _) => Err(Kind::Value("the type of an open type's value is unknown".to_owned())),
            },
            (Layout::Same(index), _, _) => self.wrapped(self.expect(*index, scope, depth)?, value, output),
            _ => Err(misfit()),
        }
    }

    fn wrapped(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, output: &mut Vec<u8>) -> Result<(), Kind> {
        let mut inner = Vec::new();
        self.value(expect, value, &mut inner)?;
        self.field(&inner, output)
    }

    fn leaf(&mut self, expect: Expect<'_, 's>, value: &Value<'s>, output: &mut Vec<u8>) -> Result<(), Kind> {
        let content = || value.der_content().ok_or_else(misfit);
        match expect.layout {
            Layout::Boolean => self.put(&[if *content()? == [0] { 0 } else { 0xFF }], output),
            Layout::Null => Ok(()),
            Layout::Integer(bounds) => self.integer(&content()?, *bounds, output),
            Layout::Enumerated(_) => {
                let content = content()?;
                if !matches!(&*content, [0..=0x7F]) {
                    self.put(&[0x80 | content.len() as u8], output)?;
                }
                self.put(&content, output)
            }
            Layout::Real(true) => Err(Kind::Unsupported("REALs with constrained components")),
            Layout::Octets | Layout::Real(false) | Layout::TimeText(_) => self.field(&content()?, output),
            Layout::BitString(sized) => {
                let octets = match self.contained(expect, sized.contents, value)? {
                    Some(inner) => [&[0], inner.as_slice()].concat(),
                    None if sized.named => without_zeros(&content()?),
                    None => content()?.into_owned(),
                };
                match fixed(sized.size) {
                    Some(count) => {
                        let mut bits = octets.get(1..).unwrap_or_default().to_vec();
                        if count.div_ceil(8) > self.of.options.budget_in_force().output {
                            return Err(Kind::Output);
                        }
                        bits.resize(count.div_ceil(8) as usize, 0);
                        self.put(&bits, output)
                    }
                    None => self.field(&octets, output),
                }
            }
            Layout::OctetString(sized) => {
                let octets = match self.contained(expect, sized.contents, value)? {
                    Some(inner) => inner,
                    None => content()?.into_owned(),
                };
                match fixed(sized.size) {
                    Some(_) => self.put(&octets, output),
                    None => self.field(&octets, output),
                }
            }
            Layout::Characters(characters) => match fixed(characters.size) {
                Some(_) => self.put(&content()?, output),
                None => self.field(&content()?, output),
            },
            Layout::Time { .. } => Err(Kind::Unsupported("the time types of X.680 §38")),
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
        if contents.is_der {
            return Err(Kind::Unsupported("contents in DER"));
        }
        let Some(depth) = expect.depth.checked_sub(1) else { return Err(Kind::Depth) };
        let mut within = self.expect(contents.ty, expect.scope, depth)?;
        if matches!(within.layout, Layout::Open) {
            let selected = self.types.selected(self.types.base(within.ty), expect.scope).ok_or_else(misfit)?;
            let index = index_of(&self.of.schema.types, selected).ok_or(Kind::Schema)?;
            within = self.expect(index, expect.scope, depth)?;
        }
        let mut output = Vec::new();
        self.value(within, inner, &mut output)?;
        Ok(Some(output))
    }

    /// SEQUENCE (§16) and SET (§18).
    fn structure(
        &mut self,
        structure: &'s Structure,
        fields: &'s Fields,
        components: &Components<'s>,
        outer: Option<&Scope<'_, 's>>,
        depth: u32,
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        if components.unknown().next().is_some() {
            return Err(Kind::Value("unknown extension additions in BER have no encoding".to_owned()));
        }
        let slots = components.slots();
        let scope = Scope { fields, slots, current: usize::MAX, ahead: None, outer };
        let open = Open { structure, fields, slots, scope: &scope, depth };
        let additions = structure.additions.iter();
        let known: Vec<bool> = additions
            .map(|addition| match addition {
                Addition::One(index) => self.is_present(*index, open),
                Addition::Group(list) => list.iter().any(|index| self.is_present(*index, open)),
            })
            .collect();
        let present = presence(components, &known, ForeignRules::Oer).ok_or_else(other_rules)?;
        let extended = present.contains(&true);
        if extended && !structure.extensible {
            return Err(misfit());
        }
        self.components(&structure.root, structure.extensible.then_some(extended), open, output)?;
        if !extended {
            return Ok(());
        }
        let unused = (8 - (present.len() % 8) as u8) % 8;
        self.field(&[&[unused], bits(&present).as_slice()].concat(), output)?;
        for (addition, _) in structure.additions.iter().zip(&present).filter(|(_, present)| **present) {
            let mut inner = Vec::new();
            match addition {
                Addition::One(index) => self.component(*index, open, &mut inner)?,
                Addition::Group(list) => self.components(list, None, open, &mut inner)?,
            }
            self.field(&inner, output)?;
        }
        let list = components.foreign().map(|foreign| foreign.list.as_slice()).unwrap_or_default();
        list.iter().try_for_each(|(_, octets)| self.field(octets, output))
    }

    /// Returns whether a component is present and does not have its DEFAULT value.
    fn is_present(&self, index: u32, open: Open<'_, 's>) -> bool {
        match (open.fields.list.get(index as usize), open.slots.get(index as usize)) {
            (Some(field), Some(Some(value))) => {
                !self.types.with_default(field, |default| default == value).unwrap_or(false)
            }
            _ => false,
        }
    }

    /// Components behind their preamble (§16.2).
    fn components(
        &mut self,
        list: &[u32],
        extended: Option<bool>,
        open: Open<'_, 's>,
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        let mut preamble: Vec<bool> = extended.into_iter().collect();
        let mut present = Vec::new();
        for index in list {
            let field = open.fields.list.get(*index as usize).ok_or(Kind::Schema)?;
            let is_present = self.is_present(*index, open);
            if !matches!(field.presence, Presence::Required) {
                preamble.push(is_present);
            } else if !is_present {
                self.steps.push(Step::Name(&field.name));
                return Err(Kind::Value("the component is missing".to_owned()));
            }
            if is_present {
                present.push(*index);
            }
        }
        self.put(&bits(&preamble), output)?;
        present.into_iter().try_for_each(|index| self.component(index, open, output))
    }

    fn component(&mut self, index: u32, open: Open<'_, 's>, output: &mut Vec<u8>) -> Result<(), Kind> {
        let place = index as usize;
        let field = open.fields.list.get(place).ok_or(Kind::Schema)?;
        let layout = *open.structure.fields.get(place).ok_or(Kind::Schema)?;
        let value = open.slots.get(place).and_then(Option::as_ref).ok_or_else(misfit)?;
        self.named(field, layout, Some(open.scope), open.depth, value, output)
    }

    fn named(
        &mut self,
        field: &'s Field,
        layout: u32,
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        value: &Value<'s>,
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        self.steps.push(Step::Name(&field.name));
        let ty = self.types.get(&field.ty).ok_or(Kind::Schema)?;
        self.value(Expect { ty, layout: self.layout(layout)?, scope, depth }, value, output)?;
        self.steps.pop();
        Ok(())
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

    /// CHOICE (§20).
    fn choice(
        &mut self,
        choice: &'s Choice,
        alternatives: &'s [Field],
        data: &Data<'s>,
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        let chosen = match data {
            Data::Alternative(chosen) => chosen,
            Data::Foreign(foreign) if foreign.rules != ForeignRules::Oer => return Err(other_rules()),
            Data::Foreign(foreign) => {
                let number = foreign.number.ok_or_else(misfit)?;
                let tag = Tag { class: (number >> 30) as u8, number: number & 0x3FFF_FFFF };
                if choice.tags.iter().any(|tags| tags.contains(&tag)) {
                    return Err(misfit());
                }
                self.tag(tag, output)?;
                return self.field(&foreign.octets, output);
            }
            _ => return Err(misfit()),
        };
        let name = &chosen.field().name;
        let index = alternatives.iter().position(|field| *field.name == **name).ok_or_else(misfit)?;
        let field = alternatives.get(index).ok_or(Kind::Schema)?;
        let layout = *choice.fields.get(index).ok_or(Kind::Schema)?;
        // An untagged CHOICE writes its own tag.
        if !choice.is_untagged(index) {
            let tag = choice.tags.get(index).and_then(|tags| tags.first()).ok_or(Kind::Schema)?;
            self.tag(*tag, output)?;
        }
        if !choice.additions.contains(&(index as u32)) {
            return self.named(field, layout, scope, depth, chosen.value(), output);
        }
        let mut inner = Vec::new();
        self.named(field, layout, scope, depth, chosen.value(), &mut inner)?;
        self.field(&inner, output)
    }

    /// SEQUENCE OF (§17) and SET OF (§19).
    fn list(
        &mut self,
        expect: Expect<'_, 's>,
        is_set: bool,
        items: &[Value<'s>],
        output: &mut Vec<u8>,
    ) -> Result<(), Kind> {
        let count = number::content(items.len() as i128);
        self.integer(&count, Bounds { min: Some(0), ..Bounds::default() }, output)?;
        let mut parts = Vec::new();
        for (index, item) in items.iter().enumerate() {
            self.steps.push(Step::Item(index));
            let mut part = Vec::new();
            self.value(expect, item, &mut part)?;
            self.steps.pop();
            parts.push(part);
        }
        if is_set && self.of.canonical {
            parts.sort_by(|one, other| order(one, other));
        }
        parts.iter().try_for_each(|part| self.put(part, output))
    }
}
