//! Encoding, directed by tables and layouts.

use std::borrow::Cow;
use tagwise_codec::table::{Fields, Shape, Type, TypeRef};
use tagwise_codec::text::hex::Hex;

use tagwise_codec::Real;
use tagwise_codec::value::{Data, Dynamic, Types, Value, decimal};
use tagwise_per::shared::{Step, index_of, path};

use crate::Setting;
use crate::error::{Error, Kind};
use crate::plan::{Layout, built_in};
use crate::rules::Variant;
use crate::text::{CONTROLS, real_text};
use crate::xml::is_allowed;

/// Encodes a value after checking it.
pub(crate) fn encode<'s>(setting: Setting<'s>, index: u32, value: &Value<'s>) -> Result<Vec<u8>, Error> {
    let fail = |path: String, kind| Error { path, offset: None, kind };
    let ty = setting.schema.types.get(index as usize).ok_or_else(|| fail(String::new(), Kind::Schema))?;
    let dynamic = Dynamic::new(ty).schema(setting.schema).options(setting.options);
    if let Err(error) = dynamic.check(value) {
        return Err(fail(error.path().to_owned(), Kind::Value(error.kind().text().to_owned())));
    }
    content(setting, ty, value)
}

/// Encodes a value of a type as the element of the type.
pub(crate) fn content(setting: Setting<'_>, ty: &Type, value: &Value<'_>) -> Result<Vec<u8>, Error> {
    let mut encoder = Encoder { setting, types: Types::of(setting.schema), output: Vec::new(), steps: Vec::new() };
    match encoder.element(&encoder.name(ty).into_owned(), |encoder| encoder.value(ty, value)) {
        Ok(()) => Ok(encoder.output),
        Err(kind) => {
            let steps: Vec<Step<'_>> = encoder.steps.iter().map(Place::step).collect();
            Err(Error { path: path(&steps), offset: None, kind })
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
    types: Types<'s>,
    output: Vec<u8>,
    steps: Vec<Place>,
}

impl<'s> Encoder<'s> {
    fn layout_of(&self, ty: &Type) -> Option<&'s Layout> {
        self.setting.plan.get(index_of(&self.setting.schema.types, ty)?)
    }

    /// The name of the element of a type.
    fn name(&self, ty: &Type) -> Cow<'s, str> {
        match self.layout_of(ty) {
            Some(layout) => Cow::Borrowed(&layout.name),
            None => built_in(&base(self.types, ty).shape).into(),
        }
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

    /// Writes an element, as an empty-element tag if it has no content (§9.1.4).
    fn element(&mut self, name: &str, content: impl FnOnce(&mut Self) -> Result<(), Kind>) -> Result<(), Kind> {
        let mark = self.output.len();
        self.text("<")?;
        self.text(name)?;
        self.text(">")?;
        let inside = self.output.len();
        content(self)?;
        if self.output.len() == inside {
            self.output.truncate(mark);
            return self.empty(name);
        }
        self.text("</")?;
        self.text(name)?;
        self.text(">")
    }

    // Recursion is as deep as the value, which the depth budget limited.
    fn value(&mut self, ty: &Type, value: &Value<'_>) -> Result<(), Kind> {
        let base = base(self.types, ty);
        match (&base.shape, value.data()) {
            (_, Data::Foreign(_)) => {
                Err(Kind::Unsupported("values of unknown type from encoding rules without tags".to_owned()))
            }
            (Shape::Sequence(fields) | Shape::Presentation(fields), Data::Components(_)) => {
                let order: Vec<u32> = (0..fields.list.len() as u32).collect();
                self.components(fields, &order, value)
            }
            (Shape::Set(fields), Data::Components(_)) => {
                let order = match self.layout_of(base) {
                    Some(layout) if layout.order.len() == fields.list.len() => layout.order.clone(),
                    _ => (0..fields.list.len() as u32).collect(),
                };
                self.components(fields, &order, value)
            }
            (Shape::SequenceOf(item), Data::Items(items)) => self.list(base, item, false, items),
            (Shape::SetOf(item), Data::Items(items)) => self.list(base, item, true, items),
            (Shape::Choice { .. }, Data::Alternative(chosen)) => {
                let name = chosen.field().name.to_string();
                self.steps.push(Place::Name(name.clone()));
                let ty = self.get(&chosen.field().ty)?;
                self.element(&name, |encoder| encoder.value(ty, chosen.value()))?;
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
            (Shape::Open { .. }, _) => {
                let name = self.name(value.ty()).into_owned();
                self.element(&name, |encoder| encoder.value(value.ty(), value))
            }
            (_, Data::Containing(inner)) => {
                let name = self.name(inner.ty()).into_owned();
                self.element(&name, |encoder| encoder.value(inner.ty(), inner))
            }
            (shape, Data::Leaf(_)) => self.leaf(shape, value),
            _ => Err(Kind::Schema),
        }
    }

    fn components(&mut self, fields: &Fields, order: &[u32], value: &Value<'_>) -> Result<(), Kind> {
        let Data::Components(components) = value.data() else { return Err(Kind::Schema) };
        if components.unknown().next().is_some() || components.foreign().is_some_and(|all| !all.list.is_empty()) {
            return Err(Kind::Unsupported("unknown extension additions".to_owned()));
        }
        for index in order {
            let slot = components.slots().get(*index as usize).ok_or(Kind::Schema)?;
            let (Some(value), Some(field)) = (slot, fields.list.get(*index as usize)) else { continue };
            let ty = self.get(&field.ty)?;
            self.steps.push(Place::Name(field.name.to_string()));
            self.element(&field.name, |encoder| encoder.value(ty, value))?;
            self.steps.pop();
        }
        Ok(())
    }

    fn list(&mut self, base: &Type, item: &TypeRef, is_set: bool, items: &[Value<'_>]) -> Result<(), Kind> {
        let ty = self.get(item)?;
        // X.680 Table 5: these have no element around them.
        let bare =
            matches!(self.types.base(ty).shape, Shape::Boolean | Shape::Enumerated { .. } | Shape::Choice { .. });
        let identifier = self.layout_of(base).and_then(|layout| layout.item.as_deref());
        let name = identifier.map_or_else(|| self.name(ty).into_owned(), str::to_owned);
        let (start, mut ends) = (self.output.len(), Vec::new());
        for (index, item) in items.iter().enumerate() {
            self.steps.push(Place::Item(index));
            if bare {
                self.value(ty, item)?;
            } else {
                self.element(&name, |encoder| encoder.value(ty, item))?;
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

    fn leaf(&mut self, shape: &Shape, value: &Value<'_>) -> Result<(), Kind> {
        let content = value.der_content().ok_or(Kind::Schema)?;
        match shape {
            Shape::Boolean => self.empty(if *content == [0] { "false" } else { "true" }),
            Shape::Null => Ok(()),
            Shape::Integer(_) => {
                let text = decimal(&content);
                self.text(&text.ok_or_else(|| Kind::Unsupported("INTEGERs above 4096 bytes".to_owned()))?)
            }
            Shape::Enumerated { items, .. } => {
                let number = value.view::<i64>();
                match items.iter().find(|item| Some(item.number) == number) {
                    Some(item) => self.empty(&item.name),
                    None => Err(Kind::Unsupported("unknown ENUMERATED items".to_owned())),
                }
            }
            Shape::Real => match &*content {
                [0x40] => self.empty("PLUS-INFINITY"),
                [0x41] => self.empty("MINUS-INFINITY"),
                [0x42] => self.empty("NOT-A-NUMBER"),
                _ => {
                    let real = value.view::<Real<'_>>().ok_or(Kind::Schema)?;
                    let text = real_text(&real, &content);
                    let what = "base-2 REALs that are not 64-bit floats";
                    self.text(&text.ok_or_else(|| Kind::Unsupported(what.to_owned()))?)
                }
            },
            Shape::BitString(_) => {
                let unused = usize::from(content.first().copied().unwrap_or_default());
                let digits: String =
                    content.get(1..).unwrap_or_default().iter().map(|octet| format!("{octet:08b}")).collect();
                self.text(digits.get(..digits.len().saturating_sub(unused)).unwrap_or_default())
            }
            Shape::OctetString => self.text(&format!("{:X}", Hex(&content))),
            shape => match value.text() {
                Some(text) => self.characters(&text),
                None => Err(Kind::Unsupported(format!("these bytes in {}", built_in(shape)))),
            },
        }
    }

    fn characters(&mut self, text: &str) -> Result<(), Kind> {
        let mut plain = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '&' => plain.push_str("&amp;"),
                '<' => plain.push_str("&lt;"),
                '>' => plain.push_str("&gt;"),
                // XML processors convert it to a line feed, but CANONICAL-XER has no escape for it (§9.1.3).
                '\r' if self.setting.variant != Variant::Canonical => plain.push_str("&#xD;"),
                character if is_allowed(character) => plain.push(character),
                character => match CONTROLS.get(character as usize) {
                    Some(name) => plain.push_str(&format!("<{name}/>")),
                    None => {
                        let what = format!("the character U+{:04X}", u32::from(character));
                        return Err(Kind::Unsupported(what));
                    }
                },
            }
        }
        self.text(&plain)
    }
}

/// The underlying type of a type that need not be in the schema.
fn base<'t, 's: 't>(types: Types<'s>, ty: &'t Type) -> &'t Type {
    let types: Types<'t> = types;
    types.base(ty)
}
