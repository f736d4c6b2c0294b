//! Decoding, directed by tables and layouts.

mod extended;
mod leaf;
mod nested;
mod structure;
pub(crate) mod unknown;

use tagwise_codec::table::{Constraint, Field, Shape, Type, TypeRef};
use tagwise_codec::text::hex;
use tagwise_codec::value::{Alternative, Data, Scope, Types, Value};
use tagwise_codec::{Budget, EncodeError};
use tagwise_per::Position;
use tagwise_per::shared::{Step, index_of, path};

use crate::encode;
use crate::error::{Error, Kind};
use crate::instructions::Instructions;
use crate::plan::{Layout, built_in};
use crate::rules::{Rule, Variant};
use crate::setting::{Setting, instructions, type_name};
use crate::xml::{Attribute, Content, Element, Limits, SPACE, parse};

/// A decoded value.
#[derive(Clone, Debug)]
pub struct Decoded<'s> {
    /// The value.
    pub value: Value<'s>,
    /// The violated rules that were tolerated, with the offset of each violation in bytes.
    pub deviations: Vec<(Rule, usize)>,
    /// The rules of violated constraints that the options tolerate, with the offset of each value in bytes.
    pub violations: Vec<(&'static tagwise_codec::Rule, usize)>,
    /// The paths and offsets of unknown elements that are not in the value, because they use prefixes of outer elements.
    pub ignored: Vec<(String, usize)>,
    /// The position of each component in bits, if requested.
    pub positions: Vec<Position>,
}

/// Decodes a complete document.
pub(crate) fn decode<'s>(setting: Setting<'s>, index: u32, input: &[u8]) -> Result<Decoded<'s>, Error> {
    let mut decoder = Decoder::new(setting, input);
    match decoder.outermost(index) {
        Ok(value) => decoder.checked(index, value),
        Err(kind) => Err(Error { path: path(&decoder.steps), offset: Some(decoder.at), kind, limit: None }),
    }
}

/// The path of the component to which a byte belongs, as far as the input can be decoded.
pub(crate) fn path_at(setting: Setting<'_>, index: u32, input: &[u8], offset: usize) -> String {
    let mut decoder = Decoder::new(Setting { positions: true, ..setting }, input);
    // The path is known up to the error.
    let _ = decoder.outermost(index);
    Position::at(&decoder.positions, bits(offset)).to_owned()
}

/// An offset in bits.
fn bits(offset: usize) -> u64 {
    (offset as u64).saturating_mul(8)
}

struct Decoder<'s, 'x> {
    setting: Setting<'s>,
    types: Types<'s>,
    input: &'x [u8],
    steps: Vec<Step<'s>>,
    /// The offset of what is being read.
    at: usize,
    deviations: Vec<(Rule, usize)>,
    ignored: Vec<(String, usize)>,
    /// The positions of all values, if requested.
    positions: Vec<Position>,
    /// True if a component with its DEFAULT value was present.
    has_defaults: bool,
    /// The number of values and absent components that may still be created.
    values: u64,
}

/// The type that is expected at a place.
#[derive(Clone, Copy)]
struct Expect<'y, 's> {
    ty: &'s Type,
    /// The layout of the type where it is used, with its own constraints.
    layout: Option<&'s Layout>,
    containing: Option<TypeRef>,
    /// The constraints of the component that has the value.
    constraints: &'s [Constraint],
    scope: Option<&'y Scope<'y, 's>>,
    depth: u32,
    /// True in an attribute or a list, where every value is text.
    is_text: bool,
}

/// The content of an element, or a single element.
#[derive(Clone, Copy)]
struct Place<'c, 'x> {
    content: &'c [Content<'x>],
    attributes: &'c [Attribute<'x>],
    /// The offset of the element.
    at: usize,
    /// The offset after it.
    end: usize,
}

impl<'c, 'x> Place<'c, 'x> {
    fn of(element: &'c Element<'x>) -> Self {
        Self { content: &element.content, attributes: &element.attributes, at: element.at, end: element.end }
    }

    fn part(content: &'c [Content<'x>], at: usize) -> Self {
        let end = match content.last() {
            Some(Content::Element(element)) => element.end,
            Some(Content::Text(text)) => text.at.saturating_add(text.text.len()),
            None => at,
        };
        Self { content, attributes: &[], at, end }
    }
}

/// The text or the name in an element.
enum Token<'c, 'x> {
    Text(&'c str),
    Name(&'x str),
}

impl<'s, 'x> Decoder<'s, 'x> {
    fn new(setting: Setting<'s>, input: &'x [u8]) -> Self {
        Self {
            setting,
            types: Types::of(setting.schema),
            input,
            steps: Vec::new(),
            at: 0,
            deviations: Vec::new(),
            ignored: Vec::new(),
            positions: Vec::new(),
            has_defaults: false,
            values: setting.options.budget_in_force().values / 2,
        }
    }

    fn outermost(&mut self, index: u32) -> Result<Value<'s>, Kind> {
        let budget = self.setting.options.budget_in_force();
        let depth = u32::from(budget.depth.min(Budget::MAX_DEPTH));
        // A value without components may have an element of its own, and the outermost value has one.
        // An element of XML takes about as much memory as a value.
        let elements = budget.elements.min(self.values);
        let limits = Limits { depth: depth as usize + 2, elements };
        let input = self.input;
        let document = parse(input, limits).map_err(|(at, kind)| {
            self.at = at;
            kind
        })?;
        if let Some(at) = document.prolog {
            self.canonical(Rule::Prolog, at)?;
        }
        if let Some(at) = document.space {
            self.canonical(Rule::WhiteSpace, at)?;
        }
        if let Some(at) = document.extra.filter(|_| self.setting.variant != Variant::Extended) {
            self.violates(Rule::PlainXml, at)?;
        }
        let ty = self.setting.schema.types.get(index as usize).ok_or(Kind::Schema)?;
        let root = &document.root;
        self.enter(root)?;
        let layout = self.layout(index)?;
        self.expect_name(root, ty)?;
        let (containing, constraints, scope) = (None, &[][..], None);
        let expect = Expect { ty, layout: Some(layout), containing, constraints, scope, depth, is_text: false };
        self.value(expect, Place::of(root))
    }

    /// Checks constraints and, for CANONICAL-XER, the whole encoding.
    fn checked(self, index: u32, value: Value<'s>) -> Result<Decoded<'s>, Error> {
        let fail = |path: String, offset, kind| Err(Error { path, offset, kind, limit: None });
        let Some(ty) = self.setting.schema.types.get(index as usize) else {
            return fail(String::new(), None, Kind::Schema);
        };
        let dynamic = self.setting.dynamic(ty);
        // With positions, for errors and tolerated violations only.
        let again = || decode(Setting { positions: true, ..self.setting }, index, self.input);
        let offset_of = |path: &str| {
            let found = self.positions.iter().find(|position| position.path == path);
            found.and_then(|position| usize::try_from(position.start / 8).ok())
        };
        let violations: Vec<_> = match dynamic.violations(&value) {
            Ok(found) if !found.is_empty() && !self.setting.positions => {
                return again().map(|read| Decoded { positions: Vec::new(), ..read });
            }
            Ok(found) => {
                let offset = |one: &EncodeError| offset_of(&one.path()).unwrap_or_default();
                found.iter().filter_map(|one| Some((one.kind().rule()?, offset(one)))).collect()
            }
            Err(error) => {
                let (path, kind) = (error.path(), Kind::Value(error.kind()));
                let offset = match self.setting.positions {
                    true => offset_of(&path),
                    false => again().err().filter(|again| again.path == path).and_then(|again| again.offset),
                };
                return Err(Error { path, offset, kind, limit: error.limit().map(str::to_owned) });
            }
        };
        let is_exact = self.setting.variant == Variant::Canonical
            && self.deviations.is_empty()
            && violations.is_empty()
            && self.ignored.is_empty()
            && !self.has_defaults;
        if is_exact {
            let again = encode::encode(self.setting, unknown::again, index, &value)?;
            if let Some(at) = first_difference(&again, self.input) {
                let message = "the encoding is not canonical".to_owned();
                return fail(String::new(), Some(at), Kind::Content(message));
            }
        }
        let Self { deviations, ignored, positions, .. } = self;
        Ok(Decoded { value, deviations, violations, ignored, positions })
    }

    fn spend_values(&mut self, count: usize) -> Result<(), Kind> {
        self.values = self.values.checked_sub(count as u64).ok_or(Kind::Elements)?;
        Ok(())
    }

    fn layout(&self, index: u32) -> Result<&'s Layout, Kind> {
        self.setting.plan.get(index).ok_or(Kind::Schema)
    }

    fn layout_of(&self, ty: &Type) -> Option<&'s Layout> {
        self.setting.plan.get(index_of(&self.setting.schema.types, ty)?)
    }

    /// The layout of a component or alternative of a type.
    fn layout_of_field(&self, base: &Type, index: usize) -> Option<&'s Layout> {
        self.setting.plan.get(*self.layout_of(base)?.fields.get(index)?)
    }

    /// The encoding instructions that apply to a type: those of EXTENDED-XER.
    fn instructions(&self, layout: Option<&'s Layout>) -> Result<&'s Instructions, Kind> {
        instructions(self.setting, layout)
    }

    /// Checks the name of the element of a type.
    fn expect_name(&mut self, element: &Element<'_>, ty: &'s Type) -> Result<(), Kind> {
        let (name, namespace) = type_name(self.setting, self.layout_of(ty), self.name(ty))?;
        self.expect_this(element, &name, namespace)
    }

    fn expect_this(&mut self, element: &Element<'_>, name: &str, namespace: Option<&str>) -> Result<(), Kind> {
        if element.is(name, namespace) {
            return Ok(());
        }
        self.at = element.at;
        let expected = match namespace {
            Some(uri) => format!("<{name}> in the namespace {uri}"),
            None if element.namespace.is_some() => format!("<{name}> without a namespace"),
            None => format!("<{name}>"),
        };
        Err(Kind::Structure(format!("unexpected element {}, expected {expected}", element.shown())))
    }

    /// The name of the element of a type.
    fn name(&self, ty: &'s Type) -> &'s str {
        match self.layout_of(ty) {
            Some(layout) => &layout.name,
            None => built_in(&self.types.base(ty).shape),
        }
    }

    fn get(&self, reference: &TypeRef) -> Result<&'s Type, Kind> {
        self.types.get(reference).ok_or(Kind::Schema)
    }

    /// Reports a violation that may be tolerated.
    fn violates(&mut self, rule: Rule, at: usize) -> Result<(), Kind> {
        if self.setting.tolerance.allows(rule) {
            self.deviations.push((rule, at));
            return Ok(());
        }
        self.at = at;
        Err(Kind::Rule(rule))
    }

    /// Reports a violation of a rule of CANONICAL-XER.
    fn canonical(&mut self, rule: Rule, at: usize) -> Result<(), Kind> {
        if self.setting.variant == Variant::Canonical { self.violates(rule, at) } else { Ok(()) }
    }

    /// Checks the tags of an element.
    fn enter(&mut self, element: &Element<'_>) -> Result<(), Kind> {
        self.at = element.at;
        // Those of EXTENDED-XER are read with the value.
        if !element.attributes.is_empty() && self.setting.variant != Variant::Extended {
            self.violates(Rule::PlainXml, element.at)?;
        }
        if element.spaced {
            self.canonical(Rule::WhiteSpace, element.at)?;
        }
        if element.content.is_empty() && !element.empty_tag {
            self.canonical(Rule::EmptyTags, element.at)?;
        }
        Ok(())
    }

    /// Returns the elements of a content that has no text.
    fn children<'c>(&mut self, place: Place<'c, 'x>) -> Result<Vec<&'c Content<'x>>, Kind> {
        let mut children = Vec::new();
        for part in place.content {
            match part {
                Content::Text(text) if text.is_space() => self.canonical(Rule::WhiteSpace, text.at)?,
                Content::Text(text) => {
                    self.at = text.at;
                    return Err(Kind::Structure(format!("unexpected text `{}`", excerpt(&text.text))));
                }
                Content::Element(element) => {
                    self.enter(element)?;
                    children.push(part);
                }
            }
        }
        self.at = place.at;
        Ok(children)
    }

    /// Returns the only element of a content.
    fn only<'c>(&mut self, place: Place<'c, 'x>, expected: &str) -> Result<&'c Element<'x>, Kind> {
        match self.children(place)?.as_slice() {
            [Content::Element(element)] => Ok(element),
            [] => Err(Kind::Structure(format!("the element is empty, expected {expected}"))),
            [_, Content::Element(second), ..] => {
                self.at = second.at;
                Err(Kind::Structure(format!("unexpected element <{}>", second.name)))
            }
            _ => Err(Kind::Schema),
        }
    }

    /// Returns the text of a content without elements, or the name of the only and empty element.
    fn token<'c>(&mut self, place: Place<'c, 'x>) -> Result<Token<'c, 'x>, Kind> {
        match place.content {
            [] => Ok(Token::Text("")),
            [Content::Text(text)] => {
                let trimmed = text.text.trim_matches(SPACE);
                self.at = text.at;
                if trimmed.len() != text.text.len() {
                    self.canonical(Rule::WhiteSpace, text.at)?;
                }
                if let Some(at) = text.escape {
                    self.canonical(Rule::Escapes, at)?;
                }
                Ok(Token::Text(trimmed))
            }
            _ => {
                let element = self.only(place, "a value")?;
                if !element.content.is_empty() {
                    return Err(Kind::Structure(format!("the element <{}> is not empty", element.name)));
                }
                self.at = element.at;
                Ok(Token::Name(element.name))
            }
        }
    }

    // Recursion is as deep as the depth budget allows.
    fn value(&mut self, expect: Expect<'_, 's>, place: Place<'_, 'x>) -> Result<Value<'s>, Kind> {
        self.at = place.at;
        let own = self.instructions(expect.layout)?;
        if let Some(attribute) = place.attributes.iter().find(|one| !one.is_of_xml())
            && self.setting.variant == Variant::Extended
            && !matches!(self.types.base(expect.ty).shape, Shape::Sequence(_) | Shape::Set(_))
        {
            return Err(Kind::Structure(format!("unexpected attribute {}", attribute.name)));
        }
        // §23: an empty element has this text.
        let default;
        let place = match &own.default_for_empty {
            Some(text) if place.content.is_empty() => {
                default = [Content::text(text.as_ref().to_owned(), place.at)];
                Place { content: &default, ..place }
            }
            _ => place,
        };
        if self.setting.positions {
            self.spend_values(1)?;
            let (start, end) = (bits(place.at), bits(place.end));
            self.positions.push(Position { path: path(&self.steps), start, end, is_padding: false });
        }
        let ty = expect.ty;
        let base = self.types.base(ty);
        let depth = match base.shape {
            Shape::Sequence(_)
            | Shape::Set(_)
            | Shape::Presentation(_)
            | Shape::SequenceOf(_)
            | Shape::SetOf(_)
            | Shape::Choice { .. }
            | Shape::Open { .. } => expect.depth.checked_sub(1).ok_or(Kind::Depth)?,
            _ => expect.depth,
        };
        let inside = Expect { depth, ..expect };
        match &base.shape {
            Shape::Sequence(fields) | Shape::Presentation(fields) => {
                let components = self.components(inside, base, fields, None, place)?;
                Ok(Value::new(self.types, ty, Data::Components(components)))
            }
            Shape::Set(fields) => {
                let order = self.layout_of(base).map_or(&[][..], |layout| &layout.order);
                let components = self.components(inside, base, fields, Some(order), place)?;
                Ok(Value::new(self.types, ty, Data::Components(components)))
            }
            Shape::SequenceOf(item) => self.list(inside, base, item, false, place),
            Shape::SetOf(item) => self.list(inside, base, item, true, place),
            Shape::Choice { alternatives, extensible } => {
                if let Some(chosen) = self.untagged_alternative(inside, base, alternatives, place)? {
                    return Ok(Value::new(self.types, ty, Data::Alternative(chosen)));
                }
                let element = self.only(place, "the element of an alternative")?;
                let found = self.alternative(base, alternatives, element)?;
                let Some((index, field)) = found else {
                    if *extensible {
                        return self.foreign(inside, element, place);
                    }
                    self.at = element.at;
                    return Err(Kind::Structure(format!("the CHOICE has no alternative {}", element.shown())));
                };
                self.steps.push(Step::Name(&field.name));
                let layout = self.layout_of_field(base, index);
                let value = self.field(Expect { layout, ..inside }, field, Place::of(element))?;
                self.steps.pop();
                Ok(Value::new(self.types, ty, Data::Alternative(Alternative::new(field, value))))
            }
            Shape::Open { .. } => self.open(inside, base, place),
            Shape::OctetString | Shape::BitString(_) => self.string_type(inside, base, place),
            shape => self.leaf(expect, shape, place),
        }
    }

    fn field(&mut self, expect: Expect<'_, 's>, field: &'s Field, place: Place<'_, 'x>) -> Result<Value<'s>, Kind> {
        let constrained = field.constraints.iter().find_map(|constraint| match constraint {
            Constraint::Containing(inner) => Some(*inner),
            _ => None,
        });
        let ty = self.get(&field.ty)?;
        // Under other encoding rules, the string's bytes are in the XML.
        let containing = self.types.contained_in(field).and(field.containing.or(constrained));
        self.value(Expect { ty, containing, constraints: &field.constraints, ..expect }, place)
    }

    fn hexadecimal(&mut self, place: Place<'_, 'x>) -> Result<Vec<u8>, Kind> {
        let Token::Text(text) = self.token(place)? else {
            return Err(Kind::Content("unexpected element, expected hexadecimal digits".to_owned()));
        };
        let mut digits: String = text.chars().filter(|character| !SPACE.contains(character)).collect();
        let is_canonical = digits.len() == text.len() && !text.bytes().any(|digit| digit.is_ascii_lowercase());
        if !is_canonical {
            self.canonical(Rule::HexDigits, self.at)?;
        }
        // X.680 §23.6: a missing last digit is zero. Other implementations add a first one, so this is not the default.
        if digits.len() % 2 == 1 {
            self.violates(Rule::HexPairs, self.at)?;
            digits.push('0');
        }
        hex::decode_pairs(&digits)
            .ok_or_else(|| Kind::Content(format!("unexpected text `{}`, expected hexadecimal digits", excerpt(text))))
    }
}

/// The offset of the first difference of two encodings.
fn first_difference(one: &[u8], other: &[u8]) -> Option<usize> {
    if one == other {
        return None;
    }
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    Some(same)
}

/// Enough of a text to recognize it.
fn excerpt(text: &str) -> String {
    let text = text.trim_matches(SPACE);
    let start: String = text.chars().take(32).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}
