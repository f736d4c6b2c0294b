//! Values as expressions.

use std::collections::HashMap;

use tagwise_schema::Int;
use tagwise_schema::model::{Bits, Named as NamedItem, Real, StringKind, Value};

use super::text::{ident, literal, octets};
use super::types::{Names, string};
use crate::lower::plan::{Body, Builtin, Component, Held, ItemId, PlanItem, Presence, Repr, Role, Wrapper};

/// The maximum nesting depth of values. Deeper ones are omitted.
const DEPTH: u32 = 32;

/// The context of an expression, which determines what is allowed in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// In a function, where any expression is allowed.
    Anywhere,
    /// In a constant, where only constant expressions are allowed.
    Constant,
}

impl Names<'_> {
    /// Returns an expression for a value of a type, or `None` if Rust cannot express it.
    pub(super) fn value(&mut self, repr: &Repr, value: &Value, place: Where) -> Option<String> {
        self.value_within(repr, value, place, DEPTH)
    }

    fn value_within(&mut self, repr: &Repr, value: &Value, place: Where, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if self.exceeded.is_some() {
            return None;
        }
        let text = self.value_of(repr, value, place, depth)?;
        match self.meter.spend_bytes(text.len()) {
            Ok(()) => Some(text),
            Err(exceeded) => {
                self.exceeded = Some(exceeded);
                None
            }
        }
    }

    fn value_of(&mut self, repr: &Repr, value: &Value, place: Where, depth: u32) -> Option<String> {
        match repr {
            Repr::Item(id) => self.item_value(*id, value, place, depth),
            Repr::Builtin(builtin) => self.builtin_value(*builtin, value, place),
            Repr::SequenceOf(inner) | Repr::SetOf(inner) => {
                let Value::SequenceOf(items) = value else { return None };
                // Items are borrowed: they must be constants.
                let items: Option<Vec<String>> =
                    items.iter().map(|item| self.value_within(inner, item, Where::Constant, depth)).collect();
                let list = items?.join(", ");
                let name = self.codec(if matches!(repr, Repr::SequenceOf(_)) { "SeqOf" } else { "SetOf" });
                let list = if list.is_empty() { "&[]".to_owned() } else { format!("const {{ &[{list}] }}") };
                Some(format!("{name}::from_slice({list})"))
            }
            Repr::Raw(inner) => {
                let inner = self.value_within(inner, value, Where::Constant, depth)?;
                Some(format!("{}::new(const {{ &{inner} }})", self.codec("Raw")))
            }
            Repr::Boxed(inner) if place == Where::Anywhere => {
                self.alloc = true;
                Some(format!("Box::new({})", self.value_within(inner, value, place, depth)?))
            }
            _ => None,
        }
    }

    /// Returns a component's DEFAULT value as an expression, if Rust can express it. Otherwise, the component is
    /// optional, or its DEFAULT value is given in DER.
    pub(super) fn default_value(&mut self, (id, index): (ItemId, usize), held: &Held, value: &Value) -> Option<String> {
        if !self.has_default((id, index), held, value) {
            return None;
        }
        self.value(&held.repr, value, Where::Anywhere)
    }

    fn has_default(&mut self, place: (ItemId, usize), held: &Held, value: &Value) -> bool {
        if let Some(known) = self.defaults.get(&place) {
            return *known;
        }
        self.defaults.insert(place, false);
        let has = held.is_bare() && self.attempt(|this| this.value(&held.repr, value, Where::Anywhere)).is_some();
        self.defaults.insert(place, has);
        has
    }

    fn held_value(&mut self, held: &Held, value: &Value, place: Where, depth: u32) -> Option<String> {
        let value = match (held.wrapper, value) {
            (Some(Wrapper::OctetString | Wrapper::BitString), Value::Containing(_, inner)) => inner,
            (Some(_), _) => return None,
            (None, value) => value,
        };
        self.value_within(&held.repr, value, place, depth)
    }

    fn item_value(&mut self, id: ItemId, value: &Value, place: Where, depth: u32) -> Option<String> {
        let plan = self.plan;
        let item = plan.item(id)?;
        match (&item.body, value) {
            (Body::Alias(repr), _) => self.value_within(repr, value, place, depth),
            (Body::Newtype(held), _) => {
                let inner = self.held_value(held, value, place, depth)?;
                Some(format!("{}({inner})", self.item_name(id)))
            }
            (Body::NamedNumbers(held, numbers), Value::Integer(number)) => match self.number(id, numbers, number) {
                Some(known) => Some(format!("{}::{}", self.item_name(id), known.ident)),
                None => {
                    let inner = self.value_within(&held.repr, value, place, depth)?;
                    Some(format!("{}({inner})", self.item_name(id)))
                }
            },
            (Body::NamedBits(_), Value::BitString(bits)) => {
                let inner = self.builtin_value(Builtin::NamedBits, &Value::BitString(bits.clone()), place)?;
                Some(format!("{}({inner})", self.item_name(id)))
            }
            (Body::Enumerated(enumerated), Value::Enumerated(NamedItem { number, .. }) | Value::Integer(number)) => {
                let known = self.number(id, &enumerated.items, number)?;
                Some(format!("{}::{}", self.item_name(id), ident(&known.ident)))
            }
            (Body::Choice(_), Value::Choice(name, inner)) => {
                let alternative = self.alternative_of(id, name)?;
                let head = format!("{}::{}", self.item_name(id), alternative.ident);
                if alternative.held.is_unit() {
                    return Some(head);
                }
                let inner = self.held_value(&alternative.held, inner, place, depth)?;
                Some(format!("{head}({inner})"))
            }
            (Body::Sequence(list) | Body::Set(list), Value::Sequence(values)) => {
                self.struct_value(id, item, list, values, place, depth)
            }
            _ => None,
        }
    }

    fn struct_value(
        &mut self,
        id: ItemId,
        item: &PlanItem,
        list: &[Component],
        values: &[(String, Value)],
        place: Where,
        depth: u32,
    ) -> Option<String> {
        let name = self.item_name(id);
        if list.is_empty() {
            return Some(name);
        }
        let given: HashMap<&str, &Value> = values.iter().rev().map(|(name, value)| (name.as_str(), value)).collect();
        let mut fields = Vec::new();
        for (index, component) in list.iter().enumerate() {
            let value = given.get(component.name.as_str()).copied();
            let text = match (&component.role, value) {
                (Role::Value { held, presence: Presence::Optional, .. }, Some(value)) => {
                    format!("Some({})", self.held_value(held, value, place, depth)?)
                }
                (Role::Value { presence: Presence::Optional, .. }, None) => "None".to_owned(),
                (Role::Value { held, presence: Presence::Default(default, _, der), .. }, value) => {
                    // What cannot be a DEFAULT is optional.
                    match self.has_default((id, index), held, default) {
                        true => self.held_value(held, value.unwrap_or(default), place, depth)?,
                        false if der.is_some() && held.is_bare() => self.held_value(held, value?, place, depth)?,
                        false => match value {
                            Some(value) => format!("Some({})", self.held_value(held, value, place, depth)?),
                            None => "None".to_owned(),
                        },
                    }
                }
                (Role::Value { held, .. }, Some(value)) => self.held_value(held, value, place, depth)?,
                (Role::Value { .. }, None) => return None,
                (Role::Extensions, _) => {
                    let set = matches!(item.body, Body::Set(_));
                    format!("{}::NONE", self.codec(if set { "SetAdditions" } else { "Additions" }))
                }
                (Role::Group(..), _) => "None".to_owned(),
            };
            fields.push(format!("{}: {text}", ident(&component.ident)));
        }
        Some(format!("{name} {{ {} }}", fields.join(", ")))
    }

    fn builtin_value(&mut self, builtin: Builtin, value: &Value, place: Where) -> Option<String> {
        Some(match (builtin, value) {
            (Builtin::Boolean, Value::Boolean(value)) => value.to_string(),
            (Builtin::Native(_), Value::Integer(number)) => number.to_string(),
            (Builtin::Integer, Value::Integer(number)) => {
                format!("{}::from_signed({})", self.codec("Int"), octets(&number.to_be_bytes()))
            }
            (Builtin::Null, Value::Null) => self.codec("Null"),
            (Builtin::NamedBits, Value::BitString(bits)) => {
                format!("{}::from_mask({:#b})", self.codec("NamedBits"), mask(bits)?)
            }
            (Builtin::BitString, Value::BitString(bits)) => self.bits(bits),
            (Builtin::OctetString, Value::OctetString(value)) => {
                format!("{}::new({})", self.codec("OctetStr"), octets(value))
            }
            (Builtin::ObjectIdentifier, Value::ObjectIdentifier(arcs)) => {
                format!("{}({})", self.codec_macro("oid"), literal(&dotted(arcs)))
            }
            (Builtin::RelativeOid, Value::RelativeOid(arcs)) => {
                format!("{}({})", self.codec_macro("relative_oid"), literal(&dotted(arcs)))
            }
            (Builtin::Real, Value::Real(real)) => format!("{}::from_f64({})", self.codec("Real"), float(real)?),
            (Builtin::String(kind), Value::String(text)) => return self.text(kind, text, place),
            _ => return None,
        })
    }

    fn bits(&mut self, bits: &Bits) -> String {
        let name = self.codec("BitStr");
        let unused = bits.octets.len() * 8 - bits.len.min(bits.octets.len() * 8);
        if unused == 0 {
            return format!("{name}::from_octets({})", octets(&bits.octets));
        }
        let made = format!("{name}::new({}, {unused})", octets(&bits.octets));
        // The bits behind the last are zero, so there is always such a string.
        format!("match {made} {{ Some(bits) => bits, None => {name}::from_octets(&[]) }}")
    }

    fn text(&mut self, kind: StringKind, text: &str, place: Where) -> Option<String> {
        let name = self.codec(string(kind));
        let text = literal(text);
        match kind {
            StringKind::Utf8 | StringKind::Universal => Some(format!("{name}::new({text})")),
            // Strings of one octet a character, whatever they mean: ASCII is what they share.
            StringKind::Teletex
            | StringKind::Videotex
            | StringKind::Graphic
            | StringKind::General
            | StringKind::ObjectDescriptor => {
                text.is_ascii().then(|| format!("{name}::from_content({text}.as_bytes())"))
            }
            StringKind::Bmp => None,
            // The compiler has checked the characters.
            _ => (place == Where::Anywhere).then(|| format!("{name}::new({text}).unwrap_or_default()")),
        }
    }
}

impl Held {
    /// Returns whether the type is encoded directly, rather than contained in a string.
    pub(super) fn is_bare(&self) -> bool {
        self.wrapper.is_none() && self.defined_by.is_none()
    }

    /// Returns whether this is a NULL in a CHOICE, for which the alternative's name is sufficient.
    pub(super) fn is_unit(&self) -> bool {
        let bare = Self { tag: None, ..self.clone() };
        bare.is_plain() && self.repr == Repr::Builtin(Builtin::Null)
    }
}

/// Joins the arcs of an object identifier with dots.
pub(crate) fn dotted(arcs: &[Int]) -> String {
    arcs.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

/// Returns the bits as a mask, if no bit above 63 is set.
fn mask(bits: &Bits) -> Option<u64> {
    let mut mask = 0u64;
    for (index, octet) in bits.octets.iter().enumerate() {
        for bit in (0..8).filter(|bit| octet & (0x80 >> bit) != 0) {
            mask |= 1u64.checked_shl(u32::try_from(index * 8 + bit).ok()?)?;
        }
    }
    Some(mask)
}

/// Formats a REAL as an `f64` literal, if that is exact.
fn float(real: &Real) -> Option<String> {
    let number = match real {
        Real::PlusInfinity => return Some("f64::INFINITY".to_owned()),
        Real::MinusInfinity => return Some("f64::NEG_INFINITY".to_owned()),
        Real::NotANumber => return Some("f64::NAN".to_owned()),
        Real::MinusZero => return Some("-0.0".to_owned()),
        Real::Number { mantissa, base: 10, exponent } => format!("{mantissa}e{exponent}").parse::<f64>().ok()?,
        Real::Number { mantissa, exponent, .. } => {
            let mantissa =
                i64::try_from(mantissa.to_i128()?).ok().filter(|mantissa| mantissa.unsigned_abs() < 1 << 53)?;
            let exponent = i32::try_from(exponent.to_i128()?).ok()?;
            mantissa as f64 * 2f64.powi(exponent)
        }
    };
    number.is_finite().then(|| format!("{number:?}"))
}
