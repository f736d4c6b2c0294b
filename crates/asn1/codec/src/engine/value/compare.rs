//! Equality of abstract values, computed on an unambiguous normal form.

use alloc::vec::Vec;

use super::{Data, Value, leaf};
use crate::table::Shape;

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.data, &other.data) {
            (Data::Leaf(one), Data::Leaf(another)) if one == another => {
                core::mem::discriminant(&self.base.shape) == core::mem::discriminant(&other.base.shape)
            }
            _ => form(self) == form(other),
        }
    }
}

impl Eq for Value<'_> {}

fn form(value: &Value<'_>) -> Vec<u8> {
    let mut form = Vec::new();
    write(value, &mut form);
    form
}

/// Appends the normal form of a value: its kind, the size of the rest, and the rest. The depth is limited, because the value
/// was decoded within the budget, or was built by the caller.
fn write(value: &Value<'_>, form: &mut Vec<u8>) {
    let start = form.len();
    form.extend([0; 9]);
    let kind = match &value.data {
        Data::Leaf(content) => {
            match leaf::canonical(&value.base.shape, content) {
                Ok(octets) => form.extend_from_slice(&octets),
                Err(_) => form.extend_from_slice(content),
            }
            leaf_kind(&value.base.shape)
        }
        Data::Components(components) => {
            for slot in &components.slots {
                form.push(u8::from(slot.is_some()));
                if let Some(value) = slot {
                    write(value, form);
                }
            }
            for octets in &components.unknown {
                sized(octets, form);
            }
            for (number, octets) in components.foreign.iter().flat_map(|foreign| &foreign.list) {
                form.extend(number.to_be_bytes());
                sized(octets, form);
            }
            128
        }
        Data::Items(items) if matches!(value.base.shape, Shape::SetOf(_)) => {
            // A multiset: in the order of the forms.
            let mut forms: Vec<Vec<u8>> = items.iter().map(self::form).collect();
            forms.sort_unstable();
            forms.iter().for_each(|item| form.extend_from_slice(item));
            129
        }
        Data::Items(items) => {
            items.iter().for_each(|item| write(item, form));
            130
        }
        Data::Alternative(alternative) => {
            sized(alternative.field.name.as_bytes(), form);
            write(&alternative.value, form);
            131
        }
        Data::Containing(inner) => {
            write(inner, form);
            132
        }
        Data::Unknown(octets) => {
            form.extend_from_slice(octets);
            133
        }
        Data::Foreign(foreign) => {
            form.push(foreign.rules as u8);
            form.extend(foreign.number.unwrap_or(u32::MAX).to_be_bytes());
            form.extend_from_slice(&foreign.octets);
            134
        }
    };
    let len = form.len().saturating_sub(start + 9) as u64;
    if let Some(head) = form.get_mut(start..start + 9) {
        let octets = [[kind].as_slice(), &len.to_be_bytes()].concat();
        head.copy_from_slice(&octets);
    }
}

fn sized(octets: &[u8], form: &mut Vec<u8>) {
    form.extend((octets.len() as u64).to_be_bytes());
    form.extend_from_slice(octets);
}

fn leaf_kind(shape: &Shape) -> u8 {
    leaf::tag(shape).map_or(0, |tag| tag.number() as u8)
}
