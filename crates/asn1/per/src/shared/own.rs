//! Values that own their bytes.

use std::borrow::Cow;

use tagwise_codec::table::{Shape, Type, TypeRef};
use tagwise_codec::value::{Alternative, Components, Data, Types, Value};

use crate::error::Kind;
use crate::shared::index_of;

/// Copies a value whose bytes are borrowed. `ty` is its expected type. Recursion is as deep as the value.
pub(super) fn own<'s>(types: Types<'s>, ty: &'s Type, value: &Value<'_>) -> Result<Value<'s>, Kind> {
    // The value of an open type or string has another type than the place.
    let all = types.schema().map(|schema| &schema.types).ok_or(Kind::Schema)?;
    let ty = index_of(all, value.ty()).and_then(|index| all.get(index as usize)).unwrap_or(ty);
    let inner = |reference: &TypeRef, value: &Value<'_>| own(types, types.get(reference).ok_or(Kind::Schema)?, value);
    let data = match (value.data(), &types.base(ty).shape) {
        (Data::Leaf(octets), _) => Data::Leaf(Cow::Owned(octets.to_vec())),
        (Data::Unknown(octets), _) => Data::Unknown(Cow::Owned(octets.to_vec())),
        (Data::Containing(held), _) => Data::Containing(Box::new(own(types, ty, held)?)),
        (Data::Items(items), Shape::SequenceOf(item) | Shape::SetOf(item)) => {
            Data::Items(items.iter().map(|value| inner(item, value)).collect::<Result<_, _>>()?)
        }
        (Data::Alternative(chosen), Shape::Choice { alternatives, .. }) => {
            let name = &chosen.field().name;
            let field = alternatives.iter().find(|field| *field.name == **name).ok_or(Kind::Schema)?;
            Data::Alternative(Alternative::new(field, inner(&field.ty, chosen.value())?))
        }
        (Data::Components(components), Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields)) => {
            let slot = |(field, slot): (&'s tagwise_codec::table::Field, &Option<Value<'_>>)| {
                slot.as_ref().map(|value| inner(&field.ty, value)).transpose()
            };
            let slots = fields.list.iter().zip(components.slots()).map(slot).collect::<Result<_, _>>()?;
            let unknown = components.unknown().map(|octets| Cow::Owned(octets.to_vec())).collect();
            Data::Components(Components::new(fields, slots, unknown).ok_or(Kind::Schema)?)
        }
        _ => return Err(Kind::Schema),
    };
    Ok(Value::new(types, ty, data))
}
