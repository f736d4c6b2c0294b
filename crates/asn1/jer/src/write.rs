//! Writes values as JSON.

use std::collections::HashMap;

use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::value::RawValue;
use tagwise_codec::Real;
use tagwise_codec::table::{Constraint, Shape};
use tagwise_codec::value::{Components, Data, ForeignRules, Types, Value, binary_to_decimal, decimal};

use crate::leaf::{fixed_size, float, hex};
use crate::{ADDITIONS, CONTAINING, CONTENT, COUNT, DER, FOREIGN, NUMBER, VERBATIM};

/// A value that serializes according to the JSON Encoding Rules, with `serde_json`. Secret values are included, so do not
/// display the JSON without removing them.
#[derive(Clone, Copy, Debug)]
pub struct Jer<'v, 'a> {
    types: Types<'a>,
    value: &'v Value<'a>,
    /// The constraints of the component that contains the value.
    constraints: &'v [Constraint],
}

impl<'v, 'a> Jer<'v, 'a> {
    /// Creates a serializable value, with the context that resolves its type's references.
    #[must_use]
    pub const fn new(types: Types<'a>, value: &'v Value<'a>) -> Self {
        Self { types, value, constraints: &[] }
    }

    fn of(&self, value: &'v Value<'a>) -> Self {
        Self { value, constraints: &[], ..*self }
    }
}

/// Formats a value as compact JSON.
#[must_use]
pub fn to_string(types: Types<'_>, value: &Value<'_>) -> String {
    // Member names are strings, and writing to memory does not fail.
    serde_json::to_string(&Jer { types, value, constraints: &[] }).unwrap_or_default()
}

/// Formats a value as indented JSON.
#[must_use]
pub fn to_string_pretty(types: Types<'_>, value: &Value<'_>) -> String {
    serde_json::to_string_pretty(&Jer { types, value, constraints: &[] }).unwrap_or_default()
}

fn member<S: Serializer>(serializer: S, name: &str, value: &(impl Serialize + ?Sized)) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, value)?;
    map.end()
}

/// Unknown extension additions.
struct Additions<'v, 'a>(&'v Components<'a>);

impl Serialize for Additions<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        for octets in self.0.unknown() {
            seq.serialize_element(&hex(octets))?;
        }
        if let Some(foreign) = self.0.foreign() {
            if foreign.count > 0 {
                let name = format!("{COUNT}-{}", foreign.rules.name());
                seq.serialize_element(&HashMap::from([(name, foreign.count)]))?;
            }
            for (number, octets) in &foreign.list {
                seq.serialize_element(&Foreign { rules: foreign.rules, octets, number: Some(*number) })?;
            }
        }
        seq.end()
    }
}

/// A part of unknown type under encoding rules without tags.
struct Foreign<'v> {
    rules: ForeignRules,
    octets: &'v [u8],
    number: Option<u32>,
}

impl Serialize for Foreign<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let name = FOREIGN.iter().find(|(_, rules)| *rules == self.rules).map_or(CONTENT, |(name, _)| name);
        map.serialize_entry(name, &hex(self.octets))?;
        if let Some(number) = self.number {
            map.serialize_entry(NUMBER, &number)?;
        }
        map.end()
    }
}

/// A number with all its digits.
struct Number(String);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.clone()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl Serialize for Jer<'_, '_> {
    // Recursion is as deep as the value is, which the depth budget bounded.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value.data() {
            Data::Leaf(_) => self.leaf(serializer),
            Data::Items(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(&self.of(item))?;
                }
                seq.end()
            }
            Data::Components(components) => {
                let mut map = serializer.serialize_map(None)?;
                for (field, value) in components.iter() {
                    if let Some(value) = value {
                        let value = Self { value, constraints: &field.constraints, ..*self };
                        map.serialize_entry(&*field.name, &value)?;
                    }
                }
                if components.unknown().next().is_some() || components.foreign().is_some() {
                    map.serialize_entry(ADDITIONS, &Additions(components))?;
                }
                if let Some(octets) = self.value.kept(self.types) {
                    map.serialize_entry(VERBATIM, &hex(octets))?;
                }
                map.end()
            }
            Data::Alternative(chosen) => {
                let value = Self { value: chosen.value(), constraints: &chosen.field().constraints, ..*self };
                member(serializer, &chosen.field().name, &value)
            }
            Data::Containing(inner) => member(serializer, CONTAINING, &self.of(inner)),
            Data::Unknown(octets) => member(serializer, DER, &hex(octets)),
            Data::Foreign(part) => {
                Foreign { rules: part.rules, octets: &part.octets, number: part.number }.serialize(serializer)
            }
            _ => Err(S::Error::custom("an unsupported kind of value")),
        }
    }
}

impl Jer<'_, '_> {
    fn leaf<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        let content = value.der_content().unwrap_or_default();
        let octets = |serializer: S| member(serializer, CONTENT, &hex(&content));
        match &value.base().shape {
            Shape::Boolean => serializer.serialize_bool(*content != [0]),
            Shape::Null => serializer.serialize_unit(),
            Shape::Integer(_) => match decimal(&content) {
                Some(digits) => Number(digits).serialize(serializer),
                None => octets(serializer),
            },
            Shape::Enumerated { items, .. } => {
                let number = value.view::<i64>();
                match items.iter().find(|item| Some(item.number) == number) {
                    Some(item) => serializer.serialize_str(&item.name),
                    None => number.unwrap_or_default().serialize(serializer),
                }
            }
            Shape::Real => match value.view::<Real<'_>>() {
                // An exponent that is not known exactly is no number of JSON's.
                Some(real) if real.is_decimal() => match RawValue::from_string(real.to_string()) {
                    Ok(number) if self.types.real_base(value.ty(), self.constraints) == Some(10) => {
                        number.serialize(serializer)
                    }
                    Ok(number) => member(serializer, "base10Value", &number),
                    Err(_) => octets(serializer),
                },
                Some(real) if *content == [0x43] => {
                    let _ = real;
                    serializer.serialize_str("-0")
                }
                Some(real) if real.to_f64().is_nan() => serializer.serialize_str("NaN"),
                Some(real) => match float(real) {
                    Some(float) => serializer.serialize_f64(float),
                    None if *content == [0x40] => serializer.serialize_str("INF"),
                    None if *content == [0x41] => serializer.serialize_str("-INF"),
                    None => match binary_to_decimal(&real).map(RawValue::from_string) {
                        Some(Ok(number)) => number.serialize(serializer),
                        _ => octets(serializer),
                    },
                },
                None => octets(serializer),
            },
            Shape::BitString(_) => {
                let content = value.sized_bits(self.types, self.constraints).unwrap_or_default();
                // The unused bits are zero in the content that DER has.
                let octets = hex(content.get(1..).unwrap_or_default());
                let length = (content.len() as u64).saturating_sub(1).saturating_mul(8);
                let length = length.saturating_sub(content.first().copied().unwrap_or_default().into());
                if fixed_size(self.types, value.ty(), self.constraints) == Some(length) {
                    return serializer.serialize_str(&octets);
                }
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("value", &octets)?;
                map.serialize_entry("length", &length)?;
                map.end()
            }
            Shape::OctetString => serializer.serialize_str(&hex(&content)),
            _ => match value.text() {
                Some(text) => serializer.serialize_str(&text),
                None => octets(serializer),
            },
        }
    }
}
