//! SEQUENCE and SET.

use std::collections::HashMap;
use std::slice;

use tagwise_codec::table::{Fields, Presence, Type};
use tagwise_codec::value::{Components, ForeignAdditions, ForeignRules, Scope, Value};
use tagwise_per::shared::{Step, path};

use super::{Content, Decoder, Expect, Kind, Place, excerpt};
use crate::rules::{Rule, Variant};

impl<'s, 'x> Decoder<'s, 'x> {
    /// Reads the components of a SEQUENCE or SET. Those that select types are read before the selected values. `order` is the order
    /// of the components of a SET by their tags.
    pub(super) fn components(
        &mut self,
        expect: Expect<'_, 's>,
        base: &'s Type,
        fields: &'s Fields,
        order: Option<&[u32]>,
        place: Place<'_, 'x>,
    ) -> Result<Components<'s>, Kind> {
        self.spend_values(fields.list.len())?;
        let texts: Vec<[Content<'x>; 1]> =
            place.attributes.iter().map(|one| [Content::text(one.value.clone(), place.at)]).collect();
        let (found, additions) = self.found(base, fields, order, place, &texts)?;
        let mut slots: Vec<Option<Value<'s>>> = fields.list.iter().map(|_| None).collect();
        for (current, field) in self.types.reading_order(fields) {
            let layout = self.layout_of_field(base, current);
            let is_text = expect.is_text || self.instructions(layout)?.attribute;
            let Some(place) = found.get(&current).copied() else {
                let added =
                    fields.marker.is_some_and(|marker| (marker.start as usize..marker.end as usize).contains(&current));
                if matches!(field.presence, Presence::Required) && !added {
                    self.at = place.at;
                    return Err(Kind::Structure(format!("the component <{}> is missing", &*field.name)));
                }
                continue;
            };
            self.steps.push(Step::Name(&field.name));
            let value = {
                let scope =
                    Scope { fields, slots: &slots, current, is_partial: false, ahead: None, outer: expect.scope };
                self.field(Expect { layout, scope: Some(&scope), is_text, ..expect }, field, place)?
            };
            self.steps.pop();
            // What has its DEFAULT value is absent, as in DER.
            let is_default = self.types.with_default(field, |default| *default == value).unwrap_or(false);
            self.has_defaults |= is_default;
            if let (Some(slot), false) = (slots.get_mut(current), is_default) {
                *slot = Some(value);
            }
        }
        let components = Components::new(fields, slots, Vec::new()).ok_or(Kind::Schema)?;
        Ok(components.with_foreign(additions))
    }

    /// Finds the contents of components, by the components' indices, and checks their order. Also returns the unknown elements,
    /// each with the number of the type's components up to the one before it. `texts` are those of the attributes.
    fn found<'c>(
        &mut self,
        base: &'s Type,
        fields: &'s Fields,
        order: Option<&[u32]>,
        place: Place<'c, 'x>,
        texts: &'c [[Content<'x>; 1]],
    ) -> Result<(HashMap<usize, Place<'c, 'x>>, ForeignAdditions), Kind> {
        // The place of each component in the required order.
        let places: Option<Vec<u32>> = match order {
            Some(order) if self.setting.variant == Variant::Canonical => {
                let place = |index: u32| order.iter().position(|one| *one == index).unwrap_or(index as usize) as u32;
                Some((0..fields.list.len() as u32).map(place).collect())
            }
            Some(_) => None,
            None => Some((0..fields.list.len() as u32).collect()),
        };
        let names = self.names(base, fields)?;
        let mut found = self.attributes(base, fields, place, texts)?;
        let (mut last, mut open) = (None, None);
        let mut additions = ForeignAdditions::new(ForeignRules::Xer);
        let mut before = 0;
        for (position, part) in place.content.iter().enumerate() {
            let element = match part {
                Content::Text(text) if text.is_space() => {
                    self.canonical(Rule::WhiteSpace, text.at)?;
                    continue;
                }
                Content::Text(text) => {
                    self.at = text.at;
                    let Some(index) = names.text else {
                        return Err(Kind::Structure(format!("unexpected text `{}`", excerpt(&text.text))));
                    };
                    found.insert(index, Place::part(place.content, place.at));
                    break;
                }
                Content::Element(element) => element,
            };
            self.enter(element)?;
            let Some(index) = self.component(base, fields, &names, element)? else {
                // §8.6: elements of other versions of the type.
                if fields.marker.is_some() {
                    match self.kept(element)? {
                        Some(octets) => additions.list.push((before, octets)),
                        None => self.ignored.push((path(&self.steps), element.at)),
                    }
                    continue;
                }
                return Err(Kind::Structure(format!("the type has no component {}", element.shown())));
            };
            before = index as u32 + 1;
            // A component without an element of its own may have several.
            if let Some((start, known)) = open.filter(|_| names.untagged.contains(&index))
                && known == index
            {
                let content = place.content.get(start..=position).unwrap_or_default();
                found.insert(index, Place::part(content, place.at));
                continue;
            }
            let content = match names.untagged.contains(&index) {
                true => Place::part(slice::from_ref(part), element.at),
                false => Place::of(element),
            };
            open = Some((position, index));
            if found.insert(index, content).is_some() {
                return Err(Kind::Structure(format!("duplicate component <{}>", element.name)));
            }
            if let Some(place) = places.as_ref().and_then(|places| places.get(index).copied()) {
                if last.is_some_and(|last| last > place) {
                    if order.is_some() {
                        self.canonical(Rule::SetOrder, element.at)?;
                    } else {
                        return Err(Kind::Structure(format!("the component <{}> is out of order", element.name)));
                    }
                }
                last = Some(place);
            }
        }
        // A list or text without an element of its own may be empty.
        for index in &names.untagged {
            let is_required = fields.list.get(*index).is_some_and(|field| matches!(field.presence, Presence::Required));
            if is_required && !found.contains_key(index) {
                found.insert(*index, Place::part(&[], place.at));
            }
        }
        Ok((found, additions))
    }
}
