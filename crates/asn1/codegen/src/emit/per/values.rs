//! Values as Rust expressions: of DEFAULT, and keys of object sets.

use tagwise_codec::table::{Field, Presence, Shape};
use tagwise_codec::value::{Data, Value};
use tagwise_per::plan::Layout;

use super::{Out, checks, forms};

impl Out<'_> {
    /// A leaf's content as an expression that is also a pattern: of an INTEGER, ENUMERATED or BOOLEAN.
    pub(super) fn literal(&mut self, index: u32, content: &[u8]) -> Option<String> {
        let text = match self.layout(index)? {
            Layout::Integer(bounds) => {
                let number = checks::number(content).filter(|number| bounds.contains(*number))?;
                forms::native(*bounds)?;
                number.to_string()
            }
            Layout::Enumerated(_) => {
                let number = i64::try_from(checks::number(content)?).ok()?;
                let base = self.base(index)?;
                return Some(format!("{}::{}", self.items.get(&base)?, self.variant(base, number)?));
            }
            Layout::Boolean => (content != [0]).to_string(),
            _ => return None,
        };
        Some(self.wrapped(index, text))
    }

    /// Wraps a value in the newtype of a type, if it has one.
    fn wrapped(&self, index: u32, text: String) -> String {
        for at in self.chain(index) {
            if let Some(name) = self.items.get(&at).filter(|_| !self.is_item(at)) {
                return format!("{name}({text})");
            }
            if self.ty(at).is_none_or(|ty| !ty.constraints.is_empty()) {
                break;
            }
        }
        text
    }

    /// A value as an expression.
    // Recursion is as deep as the value, whose depth the compiler limits.
    pub(super) fn value(&mut self, index: u32, value: &Value<'_>) -> Option<String> {
        let content = value.der_content();
        let text = match (self.layout(index)?, value.data()) {
            (Layout::Integer(bounds), _) if forms::native(*bounds).is_none() => {
                format!("code::IntBuf::from_signed(&{:?})", &content?[..])
            }
            (Layout::Integer(_) | Layout::Enumerated(_) | Layout::Boolean, _) => return self.literal(index, &content?),
            (Layout::Null, _) => "()".to_owned(),
            (Layout::Characters(characters), _) if characters.width == 1 => {
                format!("{:?}.to_owned()", str::from_utf8(&content?).ok()?)
            }
            (Layout::Octets, _) if matches!(self.types.base(value.ty()).shape, Shape::String(_)) => {
                format!("{:?}.to_owned()", str::from_utf8(&content?).ok()?)
            }
            (Layout::OctetString(_), Data::Leaf(_)) => format!("vec!{:?}", &content?[..]),
            (Layout::BitString(_), Data::Leaf(_)) => {
                let content = content?;
                let (unused, bits) = content.split_first()?;
                format!("code::bits(&{bits:?}, {unused})")
            }
            (Layout::List { item, .. }, Data::Items(items)) => {
                let list: Option<Vec<String>> = items.iter().map(|one| self.value(*item, one)).collect();
                format!("vec![{}]", list?.join(", "))
            }
            (Layout::Structure(structure), Data::Components(components)) if structure.additions.is_empty() => {
                let base = self.base(index)?;
                let (Shape::Sequence(fields) | Shape::Set(fields)) = &self.types.base(self.ty(base)?).shape else {
                    return None;
                };
                let mut parts = Vec::new();
                for ((field, inner), slot) in fields.list.iter().zip(&structure.fields).zip(components.slots()) {
                    parts.push(self.component_value(base, field, *inner, slot.as_ref())?);
                }
                parts.extend(structure.extensible.then(|| "unknown: code::Additions::NONE".to_owned()));
                return Some(format!("{} {{ {} }}", self.items.get(&base)?, parts.join(", ")));
            }
            (Layout::Choice(_), Data::Alternative(chosen)) => {
                let base = self.base(index)?;
                let name = chosen.field().name.to_string();
                let inner = self.alternative_index(base, &name)?;
                let form = self.part(base, inner, true)?;
                let mut text = self.value(inner, chosen.value())?;
                if form.ty.starts_with("Box<") {
                    text = format!("Box::new({text})");
                }
                let variant = crate::names::Words::of(&name).upper_camel();
                return Some(format!("{}::{variant}({text})", self.items.get(&base)?));
            }
            _ => return None,
        };
        Some(self.wrapped(index, text))
    }

    fn component_value(&mut self, owner: u32, field: &Field, inner: u32, value: Option<&Value<'_>>) -> Option<String> {
        let optional = !matches!(field.presence, Presence::Required);
        let is_boxed = self.part(owner, inner, optional)?.ty.starts_with("Box<");
        let boxed = |text: String| if is_boxed { format!("Box::new({text})") } else { text };
        let text = match (value, &field.presence) {
            (None, Presence::Optional) => "None".to_owned(),
            (None, Presence::Default(_)) => {
                let mut text = None;
                self.types.with_default(field, |value| text = self.value(inner, value));
                boxed(text?)
            }
            (None, Presence::Required) => return None,
            (Some(value), Presence::Optional) => format!("Some({})", boxed(self.value(inner, value)?)),
            (Some(value), _) => boxed(self.value(inner, value)?),
        };
        Some(format!("{}: {text}", super::items::field_ident(&field.name)))
    }

    fn alternative_index(&self, base: u32, name: &str) -> Option<u32> {
        let Shape::Choice { alternatives, .. } = &self.types.base(self.ty(base)?).shape else { return None };
        let Layout::Choice(choice) = self.layout(base)? else { return None };
        let place = alternatives.iter().position(|field| *field.name == *name)?;
        choice.fields.get(place).copied()
    }
}
