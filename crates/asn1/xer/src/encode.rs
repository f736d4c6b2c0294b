//! Encoding, directed by tables and layouts.

use tagwise_codec::table::{Constraint, Fields, Shape, TimeKind, Type, TypeRef};
use tagwise_codec::text::base64;
use tagwise_codec::text::hex::Hex;

use tagwise_codec::Real;
use tagwise_codec::value::{Data, Foreign, ForeignRules, Types, Value, decimal};
use tagwise_per::shared::{Step, index_of, path};

use crate::error::{Error, Kind};
use crate::instructions::Instructions;
use crate::plan::{Layout, built_in};
use crate::rules::Variant;
use crate::setting::{Setting, instructions, type_name};
use crate::text::{CONTROLS, real_text, without_exponent};
use crate::xml::{SPACE, is_allowed};

/// Encodes a value after checking it.
pub(crate) fn encode<'s>(
    setting: Setting<'s>,
    check: CheckUnknown,
    index: u32,
    value: &Value<'s>,
) -> Result<Vec<u8>, Error> {
    let fail = |path: String, kind| Error { path, offset: None, kind, limit: None };
    let ty = setting.schema.types.get(index as usize).ok_or_else(|| fail(String::new(), Kind::Schema))?;
    let dynamic = setting.dynamic(ty);
    if let Err(error) = dynamic.check(value) {
        let limit = error.limit().map(str::to_owned);
        return Err(Error { limit, ..fail(error.path(), Kind::Value(error.kind())) });
    }
    content(setting, check, ty, value)
}

/// Checks the XML of an element that the schema does not define, for a place in a type with a default namespace. The decoder has it.
pub(crate) type CheckUnknown = for<'s> fn(Setting<'s>, Option<&'s Type>, Option<&str>, &[u8]) -> Result<Vec<u8>, Kind>;

/// Encodes a value of a type as the element of the type.
pub(crate) fn content(
    setting: Setting<'_>,
    check: CheckUnknown,
    ty: &Type,
    value: &Value<'_>,
) -> Result<Vec<u8>, Error> {
    let types = Types::of(setting.schema);
    let mut encoder = Encoder { setting, check, types, output: Vec::new(), steps: Vec::new(), namespace: None };
    match encoder.typed(ty, value) {
        Ok(()) => Ok(encoder.output),
        Err(kind) => {
            let steps: Vec<Step<'_>> = encoder.steps.iter().map(Place::step).collect();
            Err(Error { path: path(&steps), offset: None, kind, limit: None })
        }
    }
}

/// A step of the path.
enum Place {
    Name(String),
    Item(usize),
}

impl Place {
    fn step(&self) -> Step<'_> {
        match self {
            Self::Name(name) => Step::Name(name),
            Self::Item(index) => Step::Item(*index),
        }
    }
}

struct Encoder<'s> {
    setting: Setting<'s>,
    check: CheckUnknown,
    types: Types<'s>,
    output: Vec<u8>,
    steps: Vec<Place>,
    /// The default namespace in force.
    namespace: Option<Box<str>>,
}

impl<'s> Encoder<'s> {
    fn layout_of(&self, ty: &Type) -> Option<&'s Layout> {
        self.setting.plan.get(index_of(&self.setting.schema.types, ty)?)
    }

    /// The name of the element of a type.
    fn type_name(&self, ty: &Type) -> Result<QName, Kind> {
        let layout = self.layout_of(ty);
        let name = match layout {
            Some(layout) => &*layout.name,
            None => built_in(&base(self.types, ty).shape),
        };
        let (name, namespace) = type_name(self.setting, layout, name)?;
        Ok(QName { local: name.into_owned(), namespace: namespace.map(Box::from) })
    }

    fn get(&self, reference: &TypeRef) -> Result<&'s Type, Kind> {
        self.types.get(reference).ok_or(Kind::Schema)
    }

    fn text(&mut self, text: &str) -> Result<(), Kind> {
        let length = (self.output.len() as u64).saturating_add(text.len() as u64);
        if length > self.setting.options.budget_in_force().output {
            return Err(Kind::Output);
        }
        self.output.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn empty(&mut self, name: &str) -> Result<(), Kind> {
        self.text("<")?;
        self.text(name)?;
        self.text("/>")
    }

    fn instructions(&self, layout: Option<&'s Layout>) -> Result<&'s Instructions, Kind> {
        instructions(self.setting, layout)
    }

    /// The layout of a component or alternative of a type.
    fn layout_of_field(&self, base: &Type, index: usize) -> Option<&'s Layout> {
        self.setting.plan.get(*self.layout_of(base)?.fields.get(index)?)
    }

    /// Writes the element of a type.
    fn typed(&mut self, ty: &Type, value: &Value<'_>) -> Result<(), Kind> {
        let (name, layout) = (self.type_name(ty)?, self.layout_of(ty));
        self.element(&name, Used { ty, layout, constraints: &[], is_text: false }, value)
    }

    /// Writes an element, as an empty-element tag if it has no content (§9.1.4).
    fn element(&mut self, name: &QName, used: Used<'_, 's>, value: &Value<'_>) -> Result<(), Kind> {
        self.text("<")?;
        self.text(&name.local)?;
        let outer = self.namespace.clone();
        if self.namespace != name.namespace {
            let uri = name.namespace.as_deref().unwrap_or_default();
            self.text(" xmlns=\"")?;
            self.text(&escaped(uri, true)?)?;
            self.text("\"")?;
            self.namespace.clone_from(&name.namespace);
        }
        self.attributes(used, value)?;
        let tag = self.output.len();
        self.text(">")?;
        let inside = self.output.len();
        self.value(used, value)?;
        self.namespace = outer;
        if self.output.len() == inside {
            self.output.truncate(tag);
            return self.text("/>");
        }
        self.text("</")?;
        self.text(&name.local)?;
        self.text(">")
    }

    /// Writes the components of a value that are attributes.
    fn attributes(&mut self, used: Used<'_, 's>, value: &Value<'_>) -> Result<(), Kind> {
        let base = base(self.types, used.ty);
        let (Variant::Extended, Data::Components(components)) = (self.setting.variant, value.data()) else {
            return Ok(());
        };
        for (index, (field, slot)) in components.iter().enumerate() {
            let layout = self.layout_of_field(base, index);
            let own = self.instructions(layout)?;
            let Some(value) = slot.filter(|_| own.attribute) else { continue };
            if own.namespace.is_some() {
                return Err(Kind::Unsupported("attributes with a namespace".to_owned()));
            }
            let ty = self.get(&field.ty)?;
            self.steps.push(Place::Name(field.name.to_string()));
            let text = self.plain(Used { ty, layout, constraints: &field.constraints, is_text: true }, value)?;
            not_empty(own, text.is_empty())?;
            let text = escaped(&text, true)?;
            self.text(&format!(" {}=\"{text}\"", own.name(&field.name)))?;
            self.steps.pop();
        }
        Ok(())
    }

    /// The text of a value that has no elements.
    fn plain(&self, used: Used<'_, 's>, value: &Value<'_>) -> Result<String, Kind> {
        let base = base(self.types, used.ty);
        match (&base.shape, value.data()) {
            (Shape::SequenceOf(item) | Shape::SetOf(item), Data::Items(items)) => {
                let ty = self.get(item)?;
                let used = Used { ty, layout: self.layout_of(ty), constraints: &[], is_text: true };
                let mut words = Vec::new();
                for item in items {
                    let word = self.plain(used, item)?;
                    if word.is_empty() || word.contains(SPACE) {
                        return Err(Kind::Unsupported("items of a LIST that are empty or have white-space".to_owned()));
                    }
                    words.push(word);
                }
                Ok(words.join(" "))
            }
            (shape, Data::Leaf(_)) => match self.form(shape, used, true, value)? {
                Form::Element(name) => Ok(name),
                Form::Text(text) => Ok(text),
            },
            _ => Err(Kind::Unsupported("values with elements in attributes and lists".to_owned())),
        }
    }

    // Recursion is as deep as the value, which the depth budget limited.
    fn value(&mut self, used: Used<'_, 's>, value: &Value<'_>) -> Result<(), Kind> {
        let before = self.output.len();
        self.content_of(used, value)?;
        not_empty(self.instructions(used.layout)?, self.output.len() == before)
    }

    fn content_of(&mut self, used: Used<'_, 's>, value: &Value<'_>) -> Result<(), Kind> {
        let base = base(self.types, used.ty);
        let own = self.instructions(used.layout)?;
        match (&base.shape, value.data()) {
            // The value of an open type may be an unknown alternative or item of its type.
            (Shape::Open { .. }, Data::Foreign(_)) if !matches!(value.base().shape, Shape::Open { .. }) => {
                self.typed(value.ty(), value)
            }
            (shape, Data::Foreign(part)) => {
                let is_text = used.is_text || own.text;
                if is_text
                    || matches!(
                        shape,
                        Shape::Choice { extensible: false, .. } | Shape::Enumerated { extensible: false, .. }
                    )
                {
                    return Err(Kind::Unsupported("unknown items in text".to_owned()));
                }
                self.foreign(base, part)
            }
            (Shape::Sequence(fields) | Shape::Presentation(fields), Data::Components(_)) => {
                let order: Vec<u32> = (0..fields.list.len() as u32).collect();
                self.components(base, fields, &order, value)
            }
            (Shape::Set(fields), Data::Components(_)) => {
                let order = match self.layout_of(base) {
                    Some(layout) if layout.order.len() == fields.list.len() => layout.order.clone(),
                    _ => (0..fields.list.len() as u32).collect(),
                };
                self.components(base, fields, &order, value)
            }
            (Shape::SequenceOf(_) | Shape::SetOf(_), Data::Items(_)) if own.list => {
                let text = self.plain(used, value)?;
                self.characters(&text)
            }
            (Shape::SequenceOf(item), Data::Items(items)) => self.list(base, item, false, items),
            (Shape::SetOf(item), Data::Items(items)) => self.list(base, item, true, items),
            (Shape::Choice { alternatives, .. }, Data::Alternative(chosen)) => {
                let name = chosen.field().name.to_string();
                self.steps.push(Place::Name(name.clone()));
                let ty = self.get(&chosen.field().ty)?;
                let index = alternatives.iter().position(|field| *field.name == *chosen.field().name);
                let layout = self.layout_of_field(base, index.ok_or(Kind::Schema)?);
                let constraints = &chosen.field().constraints;
                let inner = Used { ty, layout, constraints, is_text: false };
                let own = self.instructions(layout)?;
                if own.untagged {
                    self.value(inner, chosen.value())?;
                } else {
                    self.element(&QName::of(own, &name), inner, chosen.value())?;
                }
                self.steps.pop();
                Ok(())
            }
            (Shape::Open { .. }, Data::Unknown(octets)) => {
                if self.setting.variant == Variant::Canonical {
                    return Err(Kind::Unsupported("open types of unknown type in CANONICAL-XER".to_owned()));
                }
                self.text(&format!("{:X}", Hex(octets)))
            }
            (_, Data::Unknown(_)) => Err(Kind::Unsupported("unknown alternatives".to_owned())),
            (Shape::Open { .. }, _) => self.typed(value.ty(), value),
            (_, Data::Containing(inner)) => self.typed(inner.ty(), inner),
            (shape, Data::Leaf(_)) => match self.form(shape, used, used.is_text || own.text, value)? {
                Form::Element(name) => self.empty(&name),
                Form::Text(text) => self.characters(&text),
            },
            _ => Err(Kind::Schema),
        }
    }

    fn components(&mut self, base: &Type, fields: &Fields, order: &[u32], value: &Value<'_>) -> Result<(), Kind> {
        let Data::Components(components) = value.data() else { return Err(Kind::Schema) };
        let additions =
            components.foreign().map(|all| (all.rules, all.list.as_slice())).filter(|(_, list)| !list.is_empty());
        let additions = match additions {
            _ if components.unknown().next().is_some() => return Err(other_rules()),
            Some((ForeignRules::Xer, list)) if fields.marker.is_some() => list,
            Some(_) => return Err(other_rules()),
            None => &[],
        };
        let mut written = self.additions(base, additions, 0)?;
        for index in order {
            self.component(base, fields, *index, components.slots().get(*index as usize).ok_or(Kind::Schema)?)?;
            written += self.additions(base, additions, index.saturating_add(1))?;
        }
        if written == additions.len() { Ok(()) } else { Err(other_rules()) }
    }

    fn component(&mut self, base: &Type, fields: &Fields, index: u32, slot: &Option<Value<'_>>) -> Result<(), Kind> {
        let (Some(value), Some(field)) = (slot, fields.list.get(index as usize)) else { return Ok(()) };
        let layout = self.layout_of_field(base, index as usize);
        let own = self.instructions(layout)?;
        if own.attribute {
            return Ok(());
        }
        let (ty, constraints) = (self.get(&field.ty)?, &field.constraints);
        let used = Used { ty, layout, constraints, is_text: false };
        self.steps.push(Place::Name(field.name.to_string()));
        if own.untagged {
            self.value(used, value)?;
        } else {
            self.element(&QName::of(own, &field.name), used, value)?;
        }
        self.steps.pop();
        Ok(())
    }

    /// Writes the unknown additions behind a number of components, and returns their number.
    fn additions(&mut self, base: &Type, all: &[(u32, Vec<u8>)], behind: u32) -> Result<usize, Kind> {
        let mut count = 0;
        for (_, octets) in all.iter().filter(|(number, _)| *number == behind) {
            self.unknown(base, octets)?;
            count += 1;
        }
        Ok(count)
    }

    /// Writes an unknown alternative or item, or a value of unknown type.
    fn foreign(&mut self, base: &Type, part: &Foreign) -> Result<(), Kind> {
        if part.rules != ForeignRules::Xer || part.number.is_some() {
            return Err(other_rules());
        }
        self.unknown(base, &part.octets)
    }

    /// Writes an element that the schema does not define, in a value of a type.
    fn unknown(&mut self, base: &Type, octets: &[u8]) -> Result<(), Kind> {
        let types = &self.setting.schema.types;
        let ty = index_of(types, base).and_then(|index| types.get(index as usize));
        let octets = (self.check)(self.setting, ty, self.namespace.as_deref(), octets)?;
        self.text(str::from_utf8(&octets).map_err(|_| Kind::Schema)?)
    }

    fn list(&mut self, base: &Type, item: &TypeRef, is_set: bool, items: &[Value<'_>]) -> Result<(), Kind> {
        let ty = self.get(item)?;
        let layout = self.layout_of(ty);
        let own = self.instructions(layout)?;
        // X.680 Table 5: these have no element around them.
        let bare =
            matches!(self.types.base(ty).shape, Shape::Boolean | Shape::Enumerated { .. } | Shape::Choice { .. });
        let bare = bare && !own.text || own.untagged;
        let identifier = self.layout_of(base).and_then(|layout| layout.item.as_deref());
        let name = match identifier {
            Some(name) => QName::of(own, name),
            None => self.type_name(ty)?,
        };
        let (start, mut ends) = (self.output.len(), Vec::new());
        let used = Used { ty, layout, constraints: &[], is_text: false };
        for (index, item) in items.iter().enumerate() {
            self.steps.push(Place::Item(index));
            if bare {
                self.value(used, item)?;
            } else {
                self.element(&name, used, item)?;
            }
            self.steps.pop();
            ends.push(self.output.len());
        }
        if is_set {
            let mut from = start;
            let mut parts: Vec<Vec<u8>> = Vec::new();
            for end in ends {
                parts.push(self.output.get(from..end).unwrap_or_default().to_vec());
                from = end;
            }
            parts.sort();
            self.output.truncate(start);
            parts.iter().for_each(|part| self.output.extend_from_slice(part));
        }
        Ok(())
    }

    /// The form of a value without components.
    fn form(&self, shape: &Shape, used: Used<'_, 's>, is_text: bool, value: &Value<'_>) -> Result<Form, Kind> {
        let own = self.instructions(used.layout)?;
        let content = value.der_content().ok_or(Kind::Schema)?;
        let named = |name: &str| match is_text {
            true => Form::Text(own.text_of(name).into_owned()),
            false => Form::Element(name.to_owned()),
        };
        let special = |name: &str, text: &str| match is_text {
            true => Form::Text(text.to_owned()),
            false => Form::Element(name.to_owned()),
        };
        let supported = |text: Option<String>, what: &str| match text {
            Some(text) => Ok(Form::Text(text)),
            None => Err(Kind::Unsupported(what.to_owned())),
        };
        match shape {
            Shape::Boolean => Ok(named(if *content == [0] { "false" } else { "true" })),
            Shape::Null => Ok(Form::Text(String::new())),
            Shape::Integer(names) => {
                let number = value.view::<i64>();
                match names.iter().find(|item| Some(item.number) == number) {
                    Some(item) if own.text => Ok(named(&item.name)),
                    _ => supported(decimal(&content), "INTEGERs above 4096 bytes"),
                }
            }
            Shape::Enumerated { items, .. } => {
                let number = value.view::<i64>();
                match items.iter().find(|item| Some(item.number) == number) {
                    Some(item) => Ok(named(&item.name)),
                    None => Err(Kind::Unsupported("unknown ENUMERATED items".to_owned())),
                }
            }
            Shape::Real => match &*content {
                [0x40] => Ok(special("PLUS-INFINITY", "INF")),
                [0x41] => Ok(special("MINUS-INFINITY", "-INF")),
                [0x42] => Ok(special("NOT-A-NUMBER", "NaN")),
                _ => {
                    let real = value.view::<Real<'_>>().ok_or(Kind::Schema)?;
                    let text = real_text(&real, &content);
                    let text = if own.decimal { text.and_then(|text| without_exponent(&text)) } else { text };
                    supported(text, "REALs with too many digits")
                }
            },
            Shape::BitString(_) => {
                let content = value.sized_bits(self.types, used.constraints).ok_or(Kind::Schema)?;
                let unused = usize::from(content.first().copied().unwrap_or_default());
                let digits: String =
                    content.get(1..).unwrap_or_default().iter().map(|octet| format!("{octet:08b}")).collect();
                let digits = digits.get(..digits.len().saturating_sub(unused)).unwrap_or_default();
                Ok(Form::Text(digits.to_owned()))
            }
            Shape::OctetString if own.base64 => Ok(Form::Text(base64::encode(&content))),
            Shape::OctetString => Ok(Form::Text(format!("{:X}", Hex(&content)))),
            shape => {
                // BASIC-XER leaves the form of a time to the sender (§9.10, §9.11).
                let is_kept = matches!(shape, Shape::Time(TimeKind::Utc | TimeKind::Generalized))
                    && self.setting.variant != Variant::Canonical;
                let text = match value.content().filter(|_| is_kept) {
                    Some(content) => std::str::from_utf8(content).ok().map(str::to_owned),
                    None => value.text(),
                };
                if let (Some(mode), Some(text)) = (own.white_space, &text)
                    && mode.apply(text) != *text
                {
                    return Err(Kind::Unsupported("strings with white-space that WHITESPACE changes".to_owned()));
                }
                supported(text, &format!("these bytes in {}", built_in(shape)))
            }
        }
    }

    fn characters(&mut self, text: &str) -> Result<(), Kind> {
        let plain = escaped(text, false)?;
        self.text(&plain)
    }
}

/// The name of an element.
struct QName {
    local: String,
    namespace: Option<Box<str>>,
}

impl QName {
    /// The name that replaces an identifier.
    fn of(own: &Instructions, identifier: &str) -> Self {
        Self { local: own.name(identifier).into_owned(), namespace: own.namespace.clone() }
    }
}

/// A type where it is used.
#[derive(Clone, Copy)]
struct Used<'t, 's> {
    ty: &'t Type,
    layout: Option<&'s Layout>,
    /// The constraints of the component that has the value.
    constraints: &'t [Constraint],
    /// True in an attribute or a list.
    is_text: bool,
}

/// A value without components: an empty element, or text.
enum Form {
    Element(String),
    Text(String),
}

/// Refuses empty text of a type with DEFAULT-FOR-EMPTY, because the decoder replaces it (§23).
fn not_empty(own: &Instructions, is_empty: bool) -> Result<(), Kind> {
    match own.default_for_empty.is_some() && is_empty {
        true => Err(Kind::Unsupported("empty values of types with DEFAULT-FOR-EMPTY".to_owned())),
        false => Ok(()),
    }
}

/// The error for a part of unknown type that has no XML.
fn other_rules() -> Kind {
    Kind::Unsupported("a part of unknown type that was read under other encoding rules".to_owned())
}

/// Escapes characters, in text or in the value of an attribute.
pub(crate) fn escaped(text: &str, in_attribute: bool) -> Result<String, Kind> {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '"' if in_attribute => plain.push_str("&quot;"),
            // XML processors convert these to spaces.
            '\t' | '\n' if in_attribute => plain.push_str(&format!("&#x{:X};", u32::from(character))),
            // XML processors convert the character itself to a line feed (XML 1.0 §2.11), so that its value would be another one.
            '\r' => plain.push_str("&#xD;"),
            character if is_allowed(character) => plain.push(character),
            character => match CONTROLS.get(character as usize) {
                Some(name) if !in_attribute => plain.push_str(&format!("<{name}/>")),
                _ => return Err(Kind::Unsupported(format!("the character U+{:04X}", u32::from(character)))),
            },
        }
    }
    Ok(plain)
}

/// The underlying type of a type that need not be in the schema.
fn base<'t, 's: 't>(types: Types<'s>, ty: &'t Type) -> &'t Type {
    let types: Types<'t> = types;
    types.base(ty)
}
