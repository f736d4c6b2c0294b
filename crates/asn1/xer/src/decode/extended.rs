//! The instructions of EXTENDED-XER (X.693 §10) that concern more than one element.

use std::collections::HashMap;

use tagwise_codec::table::{Field, Fields, Shape, Type};
use tagwise_codec::text::base64;
use tagwise_codec::value::{Alternative, Data, Value};
use tagwise_per::shared::Step;

use super::{Content, Decoder, Element, Expect, Kind, Place, Token, excerpt};
use crate::rules::Variant;
use crate::setting::type_name;
use crate::xml::SPACE;

/// The components of a type, by the ways in which they are found.
pub(super) struct Names<'s> {
    /// The components with elements of their own, by identifier. Only for types without instructions.
    by_name: HashMap<&'s str, usize>,
    /// The components without elements of their own.
    pub(super) untagged: Vec<usize>,
    /// The one of them that is text.
    pub(super) text: Option<usize>,
}

impl<'s, 'x> Decoder<'s, 'x> {
    fn is_extended(&self) -> bool {
        self.setting.variant == Variant::Extended
    }

    pub(super) fn names(&self, base: &'s Type, fields: &'s Fields) -> Result<Names<'s>, Kind> {
        let mut names = Names { by_name: HashMap::new(), untagged: Vec::new(), text: None };
        for (index, field) in fields.list.iter().enumerate() {
            if !self.is_extended() {
                names.by_name.insert(&field.name, index);
                continue;
            }
            let layout = self.layout_of_field(base, index);
            let own = self.instructions(layout)?;
            if own.untagged && !own.attribute {
                names.untagged.push(index);
                let is_text = match &self.types.base(self.get(&field.ty)?).shape {
                    Shape::SequenceOf(_) | Shape::SetOf(_) => own.list,
                    Shape::Sequence(_) | Shape::Set(_) | Shape::Choice { .. } | Shape::Open { .. } => false,
                    _ => true,
                };
                if is_text {
                    names.text = Some(index);
                }
            }
        }
        Ok(names)
    }

    /// Returns the component that an element belongs to.
    pub(super) fn component(
        &self,
        base: &'s Type,
        fields: &'s Fields,
        names: &Names<'s>,
        element: &Element<'_>,
    ) -> Result<Option<usize>, Kind> {
        if !self.is_extended() {
            return Ok(names.by_name.get(element.name).copied());
        }
        for (index, field) in fields.list.iter().enumerate() {
            if self.begins_field(base, index, field, element, LAYERS)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Returns whether an element may begin a component or an alternative.
    fn begins_field(
        &self,
        base: &'s Type,
        index: usize,
        field: &'s Field,
        element: &Element<'_>,
        layers: u32,
    ) -> Result<bool, Kind> {
        let own = self.instructions(self.layout_of_field(base, index))?;
        if own.attribute {
            return Ok(false);
        }
        if own.untagged {
            return self.begins(self.get(&field.ty)?, element, layers);
        }
        Ok(element.is(&own.name(&field.name), own.namespace.as_deref()))
    }

    /// Returns whether an element may begin the content of a type.
    // Recursion is limited by the number of layers.
    pub(super) fn begins(&self, ty: &'s Type, element: &Element<'_>, layers: u32) -> Result<bool, Kind> {
        let layers = layers.checked_sub(1).ok_or(Kind::Depth)?;
        let base = self.types.base(ty);
        let list = match &base.shape {
            Shape::Sequence(fields) | Shape::Set(fields) => &fields.list,
            Shape::Choice { alternatives, .. } => alternatives,
            Shape::SequenceOf(item) | Shape::SetOf(item) => {
                let ty = self.get(item)?;
                let own = self.instructions(self.layout_of(ty))?;
                return match self.types.base(ty).shape {
                    Shape::Choice { .. } => self.begins(ty, element, layers),
                    _ if own.untagged => self.begins(ty, element, layers),
                    Shape::Boolean if !own.text => Ok(matches!(element.name, "true" | "false")),
                    Shape::Enumerated { ref items, .. } if !own.text => {
                        Ok(items.iter().any(|item| *item.name == *element.name))
                    }
                    _ => {
                        let identifier = self.layout_of(base).and_then(|layout| layout.item.as_deref());
                        let (name, namespace) = match identifier {
                            Some(name) => (own.name(name), own.namespace.as_deref()),
                            None => type_name(self.setting, self.layout_of(ty), self.name(ty))?,
                        };
                        Ok(element.is(&name, namespace))
                    }
                };
            }
            _ => return Ok(false),
        };
        for (index, field) in list.iter().enumerate() {
            if self.begins_field(base, index, field, element, layers)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds the components that are attributes.
    pub(super) fn attributes<'c>(
        &mut self,
        base: &'s Type,
        fields: &'s Fields,
        place: Place<'c, 'x>,
        texts: &'c [[Content<'x>; 1]],
    ) -> Result<HashMap<usize, Place<'c, 'x>>, Kind> {
        let mut found = HashMap::new();
        if !self.is_extended() {
            return Ok(found);
        }
        for (attribute, text) in place.attributes.iter().zip(texts).filter(|(attribute, _)| !attribute.is_of_xml()) {
            let mut known = None;
            for (index, field) in fields.list.iter().enumerate() {
                let own = self.instructions(self.layout_of_field(base, index))?;
                if own.attribute && own.namespace.is_some() {
                    return Err(Kind::Unsupported("attributes with a namespace".to_owned()));
                }
                if own.attribute && own.name(&field.name) == attribute.name {
                    known = Some(index);
                }
            }
            let Some(index) = known else {
                return Err(Kind::Structure(format!("the type has no attribute {}", attribute.name)));
            };
            found.insert(index, Place::part(text, place.at));
        }
        Ok(found)
    }

    /// Returns the alternative with the name of an element.
    pub(super) fn alternative(
        &self,
        base: &'s Type,
        alternatives: &'s [Field],
        element: &Element<'_>,
    ) -> Result<Option<(usize, &'s Field)>, Kind> {
        for (index, field) in alternatives.iter().enumerate() {
            let own = self.instructions(self.layout_of_field(base, index))?;
            if !own.untagged && element.is(&own.name(&field.name), own.namespace.as_deref()) {
                return Ok(Some((index, field)));
            }
        }
        Ok(None)
    }

    /// Reads an alternative that has no element of its own, unless the content is that of another one.
    pub(super) fn untagged_alternative(
        &mut self,
        expect: Expect<'_, 's>,
        base: &'s Type,
        alternatives: &'s [Field],
        place: Place<'_, 'x>,
    ) -> Result<Option<Alternative<'s>>, Kind> {
        if !self.is_extended() {
            return Ok(None);
        }
        let first = place.content.iter().find_map(|part| match part {
            Content::Element(element) => Some(element),
            Content::Text(_) => None,
        });
        for (index, field) in alternatives.iter().enumerate() {
            let layout = self.layout_of_field(base, index);
            if !self.instructions(layout)?.untagged {
                continue;
            }
            let ty = self.get(&field.ty)?;
            let is_chosen = match first {
                Some(element) => self.begins(ty, element, LAYERS)?,
                None => true,
            };
            if is_chosen {
                self.steps.push(Step::Name(&field.name));
                let value = self.field(Expect { layout, ..expect }, field, place)?;
                self.steps.pop();
                return Ok(Some(Alternative::new(field, value)));
            }
        }
        Ok(None)
    }

    /// Reads the items of a list that are separated by spaces.
    pub(super) fn spaced(
        &mut self,
        expect: Expect<'_, 's>,
        item: &'s Type,
        place: Place<'_, 'x>,
    ) -> Result<Value<'s>, Kind> {
        let Token::Text(text) = self.token(place)? else {
            return Err(Kind::Content("unexpected element, expected values with spaces between them".to_owned()));
        };
        let at = self.at;
        let mut items = Vec::new();
        for (index, word) in text.split(SPACE).filter(|word| !word.is_empty()).enumerate() {
            if index as u64 >= self.setting.options.budget_in_force().elements {
                return Err(Kind::Elements);
            }
            self.spend_values(1)?;
            self.steps.push(Step::Item(index));
            let content = [Content::text(word.to_owned(), at)];
            let layout = self.layout_of(item);
            let expect = Expect { ty: item, layout, containing: None, constraints: &[], is_text: true, ..expect };
            items.push(self.value(expect, Place::part(&content, at))?);
            self.steps.pop();
        }
        Ok(Value::new(self.types, expect.ty, Data::Items(items)))
    }

    pub(super) fn base64(&mut self, place: Place<'_, 'x>) -> Result<Vec<u8>, Kind> {
        let Token::Text(text) = self.token(place)? else {
            return Err(Kind::Content("unexpected element, expected base64".to_owned()));
        };
        base64::decode_wrapped(text.as_bytes())
            .map_err(|_fault| Kind::Content(format!("unexpected text `{}`, expected base64", excerpt(text))))
    }
}

/// The number of directly nested types without elements of their own.
pub(super) const LAYERS: u32 = 64;
