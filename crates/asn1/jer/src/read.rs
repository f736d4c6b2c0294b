//! Type-directed JSON reader: numbers and strings stay exact, and duplicate members are errors.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use tagwise_codec::table::{Constraint, Field, Fields, Presence, Shape, TimeKind, Type, TypeRef};
use tagwise_codec::text::hex;
use tagwise_codec::value::{
    Alternative, Components, ContainedSizes, Data, Dynamic, Foreign, ForeignAdditions, ForeignRules, Scope, Types,
    Value, binary_from_decimal, from_decimal, from_text, real_from_decimal,
};
use tagwise_codec::{Any, Budget, Decode, FaultKind, Options};

use crate::error::{Error, Path};
use crate::leaf::{encoded, fixed_size};
use crate::{ADDITIONS, CONTAINING, CONTENT, COUNT, DER, FOREIGN, NUMBER, VERBATIM};

/// Reads a value of a type from JSON. Constraints are checked, so the result can be encoded.
///
/// The budget's depth limits the nesting of the JSON, and its element limit applies to members and items.
///
/// ```
/// use tagwise_codec::{SeqOf, value::Dynamic};
/// let numbers = Dynamic::of::<SeqOf<'_, u8>>();
/// let error = tagwise_jer::from_str(&numbers, "[5, true]").unwrap_err();
/// assert_eq!(error.to_string(), "$[1]: expected a number, found `true`");
/// let error = tagwise_jer::from_str(&numbers, "[5, 256]").unwrap_err();
/// assert_eq!(error.message, "the value is 256; allowed 0..255");
/// ```
///
/// # Errors
/// Returns the first error, with its path in the JSON.
pub fn from_str<'a>(ty: &Dynamic<'a>, json: &str) -> Result<Value<'a>, Error> {
    let raw: &RawValue =
        serde_json::from_str(json).map_err(|error| Error::new(&Path::Root, format!("not JSON: {error}")))?;
    let budget = ty.options_in_force().budget_in_force();
    let mut reader =
        Reader { types: ty.types(), options: *ty.options_in_force(), elements: budget.elements, values: budget.values };
    let depth = budget.depth.min(Budget::MAX_DEPTH);
    let expect = Expect { ty: ty.ty(), containing: None, constraints: &[] };
    let value = reader.value(expect, raw, At { path: &Path::Root, scope: None, depth: depth.into() })?;
    // The encoding rules, and so the sizes of strings that contain values, are those of the later encoding.
    match ty.contained_sizes(ContainedSizes::NONE).check(&value) {
        Ok(()) => Ok(value),
        Err(error) => Err(Error::encoding(&error)),
    }
}

struct Reader<'a> {
    types: Types<'a>,
    options: Options<'a>,
    elements: u64,
    values: u64,
}

#[derive(Clone, Copy)]
struct At<'x, 'a> {
    path: &'x Path<'x>,
    scope: Option<&'x Scope<'x, 'a>>,
    depth: u32,
}

impl<'x, 'a> At<'x, 'a> {
    fn inside(self, path: &'x Path<'x>) -> Result<Self, Error> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(At { path, scope: self.scope, depth }),
            None => Err(Error::fault(path, FaultKind::DepthExceeded)),
        }
    }

    fn expected<T>(&self, what: &str, raw: &RawValue) -> Result<T, Error> {
        // Enough of it to recognize.
        let found: String = raw.get().chars().take(32).collect();
        let more = if found.len() < raw.get().len() { "…" } else { "" };
        Err(Error::new(self.path, format!("expected {what}, found `{found}{more}`")))
    }
}

#[derive(Clone, Copy)]
struct Expect<'a> {
    ty: &'a Type,
    containing: Option<TypeRef>,
    constraints: &'a [Constraint],
}

/// The members of an object, in order. Duplicate members are rejected.
struct Members<'j>(Vec<(Cow<'j, str>, &'j RawValue)>);

impl<'j> Deserialize<'j> for Members<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'j> Visitor<'j> for Read {
            type Value = Members<'j>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<Members<'j>, A::Error> {
                let mut members = Vec::new();
                let mut seen = std::collections::HashSet::new();
                while let Some((name, value)) = map.next_entry::<String, &'j RawValue>()? {
                    if !seen.insert(name.clone()) {
                        return Err(A::Error::custom(format!("duplicate member `{name}`")));
                    }
                    members.push((Cow::Owned(name), value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

fn object<'j>(raw: &'j RawValue, at: At<'_, '_>) -> Result<Vec<(Cow<'j, str>, &'j RawValue)>, Error> {
    if !raw.get().starts_with('{') {
        return at.expected("an object", raw);
    }
    serde_json::from_str::<Members<'j>>(raw.get())
        .map(|members| members.0)
        .map_err(|error| Error::new(at.path, without_place(&error.to_string())))
}

/// Strips the line and column from a message, because they refer to a part of the JSON.
fn without_place(message: &str) -> String {
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

fn string(raw: &RawValue, at: At<'_, '_>) -> Result<String, Error> {
    match serde_json::from_str(raw.get()) {
        Ok(text) => Ok(text),
        Err(_) => at.expected("a string", raw),
    }
}

fn octets(raw: &RawValue, at: At<'_, '_>) -> Result<Vec<u8>, Error> {
    match hex::decode_pairs(&string(raw, at)?) {
        Some(octets) => Ok(octets),
        None => at.expected("pairs of hexadecimal digits", raw),
    }
}

/// Returns the text of a number.
fn number(raw: &RawValue) -> Option<&str> {
    raw.get().starts_with(|first: char| first == '-' || first.is_ascii_digit()).then(|| raw.get())
}

/// A number of at most 32 bits.
fn small(raw: &RawValue, at: At<'_, '_>) -> Result<u32, Error> {
    match raw.get().parse() {
        Ok(number) => Ok(number),
        Err(_) => at.expected("a 32-bit integer", raw),
    }
}

/// Reads an unknown addition under encoding rules without tags, or the number of additions in the sender's version.
fn addition(raw: &RawValue, into: &mut Option<ForeignAdditions>, at: At<'_, '_>) -> Result<(), Error> {
    const WHAT: &str = "bytes, or an object with `$uper`, `$aper`, `$oer` or `$xer`, and `$number`";
    let members = object(raw, at)?;
    let of = |name: &str| {
        ForeignRules::ALL.into_iter().find(|rules| name.strip_prefix(COUNT) == Some(&format!("-{}", rules.name())))
    };
    let (rules, count, part) = match members.as_slice() {
        [(name, raw)] if of(name).is_some() => (of(name).unwrap_or(ForeignRules::Uper), Some(small(raw, at)?), None),
        members => match foreign(members, at)? {
            Some(Foreign { rules, number: Some(number), octets }) => (rules, None, Some((number, octets))),
            _ => return at.expected(WHAT, raw),
        },
    };
    let additions = into.get_or_insert(ForeignAdditions::new(rules));
    if additions.rules != rules {
        return at.expected("additions under the same encoding rules", raw);
    }
    additions.count = count.unwrap_or(additions.count);
    additions.list.extend(part);
    Ok(())
}

/// A part of unknown type under encoding rules without tags, if the members are those of one.
fn foreign(members: &[(Cow<'_, str>, &RawValue)], at: At<'_, '_>) -> Result<Option<Foreign>, Error> {
    let rules = |name: &str| FOREIGN.iter().find(|(known, _)| *known == name).map(|(_, rules)| *rules);
    let Some((rules, raw)) = members.iter().find_map(|(name, raw)| Some((rules(name)?, *raw))) else { return Ok(None) };
    let mut part = Foreign { rules, number: None, octets: octets(raw, at)? };
    for (name, raw) in members.iter().filter(|(name, _)| name.get(1..) != Some(rules.name())) {
        match &**name {
            NUMBER => part.number = Some(small(raw, at)?),
            _ => {
                return Err(Error::new(&Path::Member(at.path, name), "unexpected member beside bytes of unknown type"));
            }
        }
    }
    Ok(Some(part))
}

/// The value of an object's only member, if it has that name.
fn only<'j>(raw: &'j RawValue, name: &str, at: At<'_, '_>) -> Result<Option<&'j RawValue>, Error> {
    if !raw.get().starts_with('{') {
        return Ok(None);
    }
    match object(raw, at)?.as_slice() {
        [(found, value)] if *found == name => Ok(Some(value)),
        _ => Ok(None),
    }
}

impl<'a> Reader<'a> {
    fn spend(&mut self, count: usize, at: At<'_, '_>) -> Result<(), Error> {
        match self.elements.checked_sub(count as u64) {
            Some(left) => {
                self.elements = left;
                Ok(())
            }
            None => Err(Error::fault(at.path, FaultKind::ElementsExceeded)),
        }
    }

    fn spend_values(&mut self, count: usize, at: At<'_, '_>) -> Result<(), Error> {
        let left = self.values.checked_sub(count as u64);
        self.values = left.ok_or_else(|| Error::fault(at.path, FaultKind::ElementsExceeded))?;
        Ok(())
    }

    fn get(&self, reference: &TypeRef, at: At<'_, '_>) -> Result<&'a Type, Error> {
        self.types.get(reference).ok_or_else(|| Error::new(at.path, "the schema does not define this type"))
    }

    fn value(&mut self, expect: Expect<'a>, raw: &RawValue, at: At<'_, 'a>) -> Result<Value<'a>, Error> {
        let ty = expect.ty;
        let base = self.types.base(ty);
        let made = |data| Value::new(self.types, ty, data);
        Ok(match &base.shape {
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => {
                let (components, kept) = self.components(fields, raw, at)?;
                let value = Value::new(self.types, ty, Data::Components(components));
                match kept {
                    None => value,
                    Some(octets) => value.keeping(self.types, octets).ok_or_else(|| {
                        let path = Path::Member(at.path, VERBATIM);
                        Error::new(&path, "the bytes do not encode this value, or its type does not keep its encoding")
                    })?,
                }
            }
            Shape::SequenceOf(item) | Shape::SetOf(item) => {
                let item = self.get(item, at)?;
                let list: Vec<&RawValue> = match serde_json::from_str(raw.get()) {
                    Ok(list) => list,
                    Err(_) => return at.expected("an array", raw),
                };
                self.spend(list.len(), at)?;
                self.spend_values(list.len(), at)?;
                let mut items = Vec::new();
                for (index, raw) in list.into_iter().enumerate() {
                    let path = Path::Item(at.path, index);
                    let expect = Expect { ty: item, containing: None, constraints: &[] };
                    items.push(self.value(expect, raw, at.inside(&path)?)?);
                }
                Value::new(self.types, ty, Data::Items(items))
            }
            Shape::Choice { alternatives, extensible } => {
                let members = object(raw, at)?;
                if *extensible && let Some(part) = foreign(&members, at)? {
                    return Ok(made(Data::Foreign(part)));
                }
                let [(name, raw)] = members.as_slice() else {
                    return at.expected("an object whose single member is the alternative", raw);
                };
                let path = Path::Member(at.path, name);
                let at = at.inside(&path)?;
                match alternatives.iter().find(|alternative| *alternative.name == **name) {
                    Some(field) => {
                        let value = self.field(field, raw, at)?;
                        Value::new(self.types, ty, Data::Alternative(Alternative::new(field, value)))
                    }
                    None if *extensible && *name == DER => made(Data::Unknown(Cow::Owned(element(raw, at)?))),
                    None => return Err(Error::new(at.path, "the CHOICE has no such alternative")),
                }
            }
            Shape::Open { .. } => match self.types.selected(base, at.scope) {
                Some(selected) => {
                    let expect = Expect { ty: selected, containing: None, constraints: &[] };
                    let path = *at.path;
                    let inside = at.inside(&path)?;
                    match self.as_element(selected, raw, at)? {
                        Some(json) => match serde_json::from_str(&json) {
                            Ok(raw) => self.value(expect, raw, inside)?,
                            Err(_) => return Err(Error::fault(at.path, FaultKind::Internal)),
                        },
                        None => self.value(expect, raw, inside)?,
                    }
                }
                None => match only(raw, DER, at)? {
                    Some(raw) => made(Data::Unknown(Cow::Owned(element(raw, at)?))),
                    None if raw.get().starts_with('{')
                        && let Some(part) = foreign(&object(raw, at)?, at)? =>
                    {
                        made(Data::Foreign(part))
                    }
                    None => return at.expected("{\"$der\": …}, or the same with the encoding rules in use such as $uper, because the type is unknown", raw),
                },
            },
            shape @ (Shape::OctetString | Shape::BitString(_)) => self.string_type(expect, shape, raw, at)?,
            Shape::Enumerated { extensible: true, .. }
                if raw.get().starts_with('{')
                    && let Some(part) = foreign(&object(raw, at)?, at)? =>
            {
                made(Data::Foreign(part))
            }
            shape => {
                let content = match (shape, only(raw, CONTENT, at)?) {
                    (_, Some(raw)) => octets(raw, at)?,
                    (Shape::Real, None) => real(self.types.real_base(ty, expect.constraints), raw, at)?,
                    (shape, None) => leaf(shape, raw, at)?,
                };
                // Basic encoding rules have other forms of times than DER. The whole value is checked later.
                if matches!(shape, Shape::Time(TimeKind::Utc | TimeKind::Generalized)) {
                    return Ok(made(Data::Leaf(Cow::Owned(content))));
                }
                Value::leaf(self.types, ty, Cow::Owned(content)).map_err(|fault| Error::content(at.path, fault))?
            }
        })
    }

    /// Returns the JSON of a value of known type that is written as an element. Its writer may not have known the type.
    fn as_element(&self, ty: &'a Type, raw: &RawValue, at: At<'_, 'a>) -> Result<Option<String>, Error> {
        let member = raw.get().strip_prefix('{').map(str::trim_start).and_then(|rest| rest.strip_prefix('"'));
        if !member.is_some_and(|rest| rest.starts_with(DER)) {
            return Ok(None);
        }
        let Some(raw) = only(raw, DER, at)? else { return Ok(None) };
        let octets = octets(raw, at)?;
        let mut dynamic = Dynamic::new(ty).options(self.options);
        if let Some(schema) = self.types.schema() {
            dynamic = dynamic.schema(schema);
        }
        match dynamic.decode(&octets) {
            Ok(read) => Ok(Some(crate::to_string(self.types, &read.value))),
            Err(error) => Err(Error::new(at.path, format!("the value of the selected type is not valid DER: {error}"))),
        }
    }

    fn field(&mut self, field: &'a Field, raw: &RawValue, at: At<'_, 'a>) -> Result<Value<'a>, Error> {
        let constrained = field.constraints.iter().find_map(|constraint| match constraint {
            Constraint::Containing(inner) => Some(*inner),
            _ => None,
        });
        let containing = field.containing.or(constrained);
        let ty = self.get(&field.ty, at)?;
        self.value(Expect { ty, containing, constraints: &field.constraints }, raw, at)
    }

    /// Reads the components of an object, and any original bytes. The component that selects a type is read before the selected
    /// value, wherever it appears.
    fn components(
        &mut self,
        fields: &'a Fields,
        raw: &RawValue,
        at: At<'_, 'a>,
    ) -> Result<(Components<'a>, Option<Vec<u8>>), Error> {
        let members = object(raw, at)?;
        self.spend(members.len(), at)?;
        self.spend_values(fields.list.len(), at)?;
        let by_name: HashMap<&str, &RawValue> = members.iter().map(|(name, raw)| (&**name, *raw)).collect();
        for (name, _) in &members {
            let known = fields.list.iter().any(|field| *field.name == **name);
            let additions = *name == ADDITIONS && fields.marker.is_some();
            if !known && !additions && *name != VERBATIM {
                return Err(Error::new(&Path::Member(at.path, name), "the type has no such component"));
            }
        }
        let mut slots: Vec<Option<Value<'a>>> = fields.list.iter().map(|_| None).collect();
        for (current, field) in self.types.reading_order(fields) {
            let Some(raw) = by_name.get(&*field.name) else {
                let added =
                    fields.marker.is_some_and(|marker| (marker.start as usize..marker.end as usize).contains(&current));
                if matches!(field.presence, Presence::Required) && !added {
                    return Err(Error::new(&Path::Member(at.path, &field.name), "the component is missing"));
                }
                continue;
            };
            let path = Path::Member(at.path, &field.name);
            let value = {
                let scope = Scope { fields, slots: &slots, current, is_partial: false, ahead: None, outer: at.scope };
                let inside = at.inside(&path)?;
                self.field(field, raw, At { path: &path, scope: Some(&scope), depth: inside.depth })?
            };
            // What has its DEFAULT value is absent (X.690 §11.5), in a DEFAULT value of other components, too.
            let is_default = self.types.with_default(field, |default| *default == value).unwrap_or(false);
            if let (Some(slot), false) = (slots.get_mut(current), is_default) {
                *slot = Some(value);
            }
        }
        let (mut unknown, mut additions) = (Vec::new(), None);
        if let Some(raw) = by_name.get(ADDITIONS) {
            let path = Path::Member(at.path, ADDITIONS);
            let at = at.inside(&path)?;
            let list: Vec<&RawValue> = match serde_json::from_str(raw.get()) {
                Ok(list) => list,
                Err(_) => return at.expected("an array", raw),
            };
            self.spend(list.len(), at)?;
            for raw in list {
                if !raw.get().starts_with('{') {
                    unknown.push(Cow::Owned(element(raw, at)?));
                } else {
                    addition(raw, &mut additions, at)?;
                }
            }
        }
        let kept = match by_name.get(VERBATIM) {
            Some(raw) => Some(octets(raw, at.inside(&Path::Member(at.path, VERBATIM))?)?),
            None => None,
        };
        let components = Components::new(fields, slots, unknown);
        let components = components.ok_or_else(|| Error::fault(at.path, FaultKind::Internal))?;
        let components = match additions {
            Some(additions) => components.with_foreign(additions),
            None => components,
        };
        Ok((components, kept))
    }

    /// Reads an OCTET STRING or BIT STRING, which may contain an encoding.
    fn string_type(
        &mut self,
        expect: Expect<'a>,
        shape: &Shape,
        raw: &RawValue,
        at: At<'_, 'a>,
    ) -> Result<Value<'a>, Error> {
        let ty = expect.ty;
        let contained = match expect.containing {
            Some(inner) => Some(self.get(&inner, at)?),
            None => self.types.contained(ty),
        };
        if let (Some(inner), Some(raw)) = (contained, only(raw, CONTAINING, at)?) {
            let path = Path::Member(at.path, CONTAINING);
            let expect = Expect { ty: inner, containing: None, constraints: &[] };
            let held = self.value(expect, raw, at.inside(&path)?)?;
            return Ok(Value::new(self.types, ty, Data::Containing(Box::new(held))));
        }
        // The bytes depend on the encoding rules, which are known here only by ENCODED BY.
        let mut constraints =
            expect.constraints.iter().chain(&*ty.constraints).chain(&*self.types.base(ty).constraints);
        let is_fixed = constraints.any(|constraint| matches!(constraint, Constraint::EncodedBy(_)));
        if let Some(inner) = contained.map(|inner| self.types.base(inner)).filter(|_| !is_fixed)
            && (!matches!(inner.shape, Shape::Open { .. }) || self.types.selected(inner, at.scope).is_some())
        {
            return at.expected("{\"containing\": …} with the contained value", raw);
        }
        let mut content = match shape {
            Shape::OctetString => octets(raw, at)?,
            _ => bits(raw, fixed_size(self.types, ty, expect.constraints), at)?,
        };
        // X.680 §22.7: zero bits behind the last one that is set are no part of the value.
        if matches!(shape, Shape::BitString(names) if !names.is_empty()) {
            content = without_zeros(&content);
        }
        Value::leaf(self.types, ty, Cow::Owned(content)).map_err(|fault| Error::content(at.path, fault))
    }
}

/// Reads a single element in hexadecimal.
fn element(raw: &RawValue, at: At<'_, '_>) -> Result<Vec<u8>, Error> {
    let octets = octets(raw, at)?;
    match Any::from_der(&octets) {
        Ok(_) => Ok(octets),
        Err(error) => Err(Error::new(at.path, format!("not a single DER element: {error}"))),
    }
}

/// Reads a BIT STRING and returns its content bytes: the number of unused bits, and the bits.
fn bits(raw: &RawValue, fixed: Option<u64>, at: At<'_, '_>) -> Result<Vec<u8>, Error> {
    let (octets, length) = if raw.get().starts_with('{') {
        let members = object(raw, at)?;
        let (mut value, mut length) = (None, None);
        for (name, raw) in &members {
            match &**name {
                "value" => value = Some(octets(raw, at)?),
                "length" => length = number(raw).and_then(|number| number.parse::<u64>().ok()),
                _ => return Err(Error::new(&Path::Member(at.path, name), "a BIT STRING has no such member")),
            }
        }
        match (value, length) {
            (Some(value), Some(length)) => (value, length),
            _ => return at.expected("an object with `value` and `length`", raw),
        }
    } else {
        let octets = octets(raw, at)?;
        let length = fixed.unwrap_or_else(|| (octets.len() as u64).saturating_mul(8));
        (octets, length)
    };
    let unused = (octets.len() as u64).saturating_mul(8).checked_sub(length).filter(|unused| *unused < 8);
    let Some(unused) = unused else {
        return match fixed {
            Some(fixed) => at.expected(&format!("{fixed} bits"), raw),
            None => at.expected("as many bits as `length` states", raw),
        };
    };
    let mut content = vec![unused as u8];
    content.extend(octets);
    Ok(content)
}

/// Returns the content bytes of a BIT STRING without trailing zero bits.
fn without_zeros(content: &[u8]) -> Vec<u8> {
    let bits = content.get(1..).unwrap_or_default();
    let used = bits.iter().rposition(|octet| *octet != 0).map_or(0, |last| last + 1);
    let bits = bits.get(..used).unwrap_or_default();
    let unused = bits.last().map_or(0, |last| last.trailing_zeros() as u8);
    let mut short = vec![unused];
    short.extend(bits);
    short
}

/// Reads a value of any other type without components, and returns its content bytes.
fn leaf(shape: &Shape, raw: &RawValue, at: At<'_, '_>) -> Result<Vec<u8>, Error> {
    match shape {
        Shape::Boolean => match raw.get() {
            "true" => Ok(vec![0xFF]),
            "false" => Ok(vec![0]),
            _ => at.expected("true or false", raw),
        },
        Shape::Null if raw.get() == "null" => Ok(Vec::new()),
        Shape::Null => at.expected("null", raw),
        Shape::Integer(_) => match number(raw).map(from_decimal) {
            Some(Some(octets)) => Ok(octets),
            Some(None) => at.expected("a number without fraction or exponent, and with at most 10240 digits", raw),
            None => at.expected("a number", raw),
        },
        Shape::Enumerated { items, extensible } => {
            if let (true, Some(number)) = (*extensible, number(raw)) {
                return number
                    .parse::<i64>()
                    .ok()
                    .and_then(|number| encoded(&number))
                    .map_or_else(|| at.expected("a 64-bit integer", raw), Ok);
            }
            let name = string(raw, at)?;
            match items.iter().find(|item| *item.name == *name) {
                Some(item) => encoded(&item.number).ok_or_else(|| Error::fault(at.path, FaultKind::Internal)),
                None => Err(Error::new(at.path, format!("the ENUMERATED has no item `{name}`"))),
            }
        }
        shape => {
            let text = string(raw, at)?;
            match from_text(shape, &text) {
                Some(content) => Ok(content),
                None => at.expected("a string of the type", raw),
            }
        }
    }
}

/// Reads a REAL. A number has base 2, unless the type permits only base 10 (X.697 §23.1).
fn real(base: Option<u8>, raw: &RawValue, at: At<'_, '_>) -> Result<Vec<u8>, Error> {
    if let Some(raw) = only(raw, "base10Value", at)? {
        return match number(raw).and_then(real_from_decimal) {
            Some(content) => Ok(content),
            None => at.expected("a number", raw),
        };
    }
    match (number(raw), raw.get()) {
        (_, "\"-0\"") => Ok(vec![0x43]),
        (_, "\"INF\"") => Ok(vec![0x40]),
        (_, "\"-INF\"") => Ok(vec![0x41]),
        (_, "\"NaN\"") => Ok(vec![0x42]),
        (Some(number), _) => {
            let convert = if base == Some(10) { real_from_decimal } else { binary_from_decimal };
            match convert(number) {
                // A number's zero has no sign.
                Some(content) if content == [0x43] => Ok(Vec::new()),
                Some(content) => Ok(content),
                None => at.expected("a number that is exact or in the range of 64-bit floats", raw),
            }
        }
        _ => at.expected("a number, \"-0\", \"INF\", \"-INF\" or \"NaN\"", raw),
    }
}
