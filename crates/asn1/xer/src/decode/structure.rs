//! SEQUENCE and SET.

use std::collections::HashMap;

use tagwise_codec::table::{Field, Fields, Presence, Shape, Type};
use tagwise_codec::value::{Components, Scope, Value};
use tagwise_per::shared::{Step, path};

use super::{Content, Decoder, Element, Expect, Kind, Place};
use crate::rules::{Rule, Variant};

impl<'s, 'x> Decoder<'s, 'x> {
    /// Returns whether another component selects a component's type.
    fn is_selected(&self, field: &'s Field) -> bool {
        let open = |ty: &'s Type| matches!(self.types.base(ty).shape, Shape::Open { set: Some(_), .. });
        self.types.get(&field.ty).is_some_and(open) || self.types.contained_in(field).is_some_and(open)
    }

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
        let found = self.found(fields, order, place)?;
        let mut slots: Vec<Option<Value<'s>>> = fields.list.iter().map(|_| None).collect();
        let (selected, others): (Vec<_>, Vec<_>) =
            fields.list.iter().enumerate().partition(|(_, field)| self.is_selected(field));
        for (current, field) in others.into_iter().chain(selected) {
            let Some(element) = found.get(&current) else {
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
                let scope = Scope { fields, slots: &slots, current, ahead: None, outer: expect.scope };
                let layout = self.layout_of_field(base, current);
                self.field(Expect { layout, scope: Some(&scope), ..expect }, field, Place::of(element))?
            };
            self.steps.pop();
            // What has its DEFAULT value is absent, as in DER.
            let is_default = self.types.with_default(field, |default| *default == value).unwrap_or(false);
            self.has_defaults |= is_default;
            if let (Some(slot), false) = (slots.get_mut(current), is_default) {
                *slot = Some(value);
            }
        }
        Components::new(fields, slots, Vec::new()).ok_or(Kind::Schema)
    }

    /// Finds the elements of components, by the components' indices, and checks their order.
    fn found<'c>(
        &mut self,
        fields: &'s Fields,
        order: Option<&[u32]>,
        place: Place<'c, 'x>,
    ) -> Result<HashMap<usize, &'c Element<'x>>, Kind> {
        let children = self.children(place)?;
        let by_name: HashMap<&str, usize> =
            fields.list.iter().enumerate().map(|(index, field)| (&*field.name, index)).collect();
        // The place of each component in the required order.
        let places: Option<Vec<u32>> = match order {
            Some(order) if self.setting.variant == Variant::Canonical => {
                let place = |index: u32| order.iter().position(|one| *one == index).unwrap_or(index as usize) as u32;
                Some((0..fields.list.len() as u32).map(place).collect())
            }
            Some(_) => None,
            None => Some((0..fields.list.len() as u32).collect()),
        };
        let mut found = HashMap::new();
        let mut last = None;
        for part in children {
            let Content::Element(element) = part else { continue };
            self.at = element.at;
            let Some(index) = by_name.get(element.name).copied() else {
                // §8.6: elements of other versions of the type.
                if fields.marker.is_some() {
                    self.ignored.push((path(&self.steps), element.at));
                    continue;
                }
                return Err(Kind::Structure(format!("the type has no component <{}>", element.name)));
            };
            if found.insert(index, element).is_some() {
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
        Ok(found)
    }
}
