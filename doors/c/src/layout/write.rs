//! Conversion of C types to values.

use std::borrow::Cow;
use std::ffi::c_void;

use tagwise::codec::table::{Field, Presence, Shape, Type};
use tagwise::codec::value::{Alternative, Components, Data, Types, Value};
use tagwise::codec::{Any, IntBuf, Reader};

use crate::bytes::tagwise_bytes;
use crate::error::{Problem, tagwise_error_kind};

use super::read::objects;
use super::{NONE, foreign, tagwise_bits, tagwise_layout, tagwise_layout_kind as kind, tagwise_layout_member};

/// The maximum depth of a value in C types, the same as for decoding. A program's structs may contain a cycle.
const DEPTH: u32 = 128;

/// The maximum number of values inside a value. One that several pointers refer to counts each time.
const VALUES: usize = 1 << 28;

/// Reads the value at an address.
pub(super) fn root<'t>(
    types: Types<'t>,
    ty: &'t Type,
    layout: &tagwise_layout,
    value: *const c_void,
) -> Result<Value<'t>, Problem> {
    let mut reading = Reading { types, left: VALUES, path: Vec::new() };
    let made = reading.value(ty, layout, Place { start: value.cast(), size: layout.size }, DEPTH);
    made.map_err(|problem| problem.along(&joined(&reading.path)))
}

/// A path of names and of numbers in brackets: `points[1].x`.
fn joined(steps: &[String]) -> String {
    steps.iter().fold(String::new(), |path, step| {
        let dot = if path.is_empty() || step.starts_with('[') { "" } else { "." };
        path + dot + step
    })
}

/// Memory of one C type.
#[derive(Clone, Copy)]
struct Place {
    start: *const u8,
    size: usize,
}

impl Place {
    fn at(self, offset: usize, size: usize) -> Result<Self, Problem> {
        let fits = offset.checked_add(size).is_some_and(|end| end <= self.size);
        if !fits {
            return Err(foreign("a member lies outside its struct"));
        }
        // SAFETY: The part lies within the place, as was looked at just now.
        Ok(Self { start: unsafe { self.start.add(offset) }, size })
    }

    /// Reads the place: bytes, numbers or addresses, for which every bit pattern is a value.
    fn get<T: Plain>(self) -> Result<T, Problem> {
        if self.size != size_of::<T>() || !self.start.cast::<T>().is_aligned() {
            return Err(foreign("the size of a type does not match"));
        }
        // SAFETY: The header asks that `value` leads to its C type, whose size and members the layout has; every pattern of bits is a value
        // of a `Plain` type.
        Ok(unsafe { self.start.cast::<T>().read() })
    }
}

/// Types that every pattern of bits is a value of.
trait Plain: Copy {}

impl Plain for u8 {}
impl Plain for u16 {}
impl Plain for u32 {}
impl Plain for u64 {}
impl Plain for usize {}
impl Plain for i8 {}
impl Plain for i16 {}
impl Plain for i32 {}
impl Plain for i64 {}
impl Plain for tagwise_bytes {}
impl Plain for tagwise_bits {}
impl Plain for *const u8 {}

fn wrong(message: &str) -> Problem {
    Problem::new(tagwise_error_kind::Encoding, "value", message)
}

struct Reading<'t> {
    types: Types<'t>,
    /// Values that may still be met.
    left: usize,
    /// The names of the components on the way to where something is wrong.
    path: Vec<String>,
}

impl<'t> Reading<'t> {
    // `depth` levels more, at most.
    fn value(&mut self, ty: &'t Type, layout: &tagwise_layout, place: Place, depth: u32) -> Result<Value<'t>, Problem> {
        self.left = self.left.checked_sub(1).ok_or_else(|| wrong("the value has too many parts"))?;
        let below = depth.checked_sub(1).ok_or_else(|| wrong("the value is nested too deeply, or contains itself"))?;
        let (types, base) = (self.types, self.types.base(ty));
        let wanted = layout.kind;
        let is = |one: kind| wanted == one as u32;
        let made = |data| Ok(Value::new(types, ty, data));
        match &base.shape {
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) if is(kind::Components) => {
                let members = layout.members();
                if members.len() != fields.list.len() {
                    return Err(foreign("the members of a struct do not match"));
                }
                let mut slots = Vec::with_capacity(members.len());
                for (index, (member, field)) in members.iter().zip(fields.list.iter()).enumerate() {
                    if member.name() != &*field.name {
                        return Err(foreign(member.name()));
                    }
                    let added = fields
                        .marker
                        .is_some_and(|marker| (marker.start as usize..marker.end as usize).contains(&index));
                    slots.push(self.component(field, member, place, added, below)?);
                }
                let mut unknown = Vec::new();
                if layout.unknown != NONE {
                    let bytes: tagwise_bytes = place.at(layout.unknown, size_of::<tagwise_bytes>())?.get()?;
                    unknown = elements(bytes.get()?)?;
                }
                let components =
                    Components::new(fields, slots, unknown).ok_or_else(|| foreign("members are missing"))?;
                made(Data::Components(components))
            }
            Shape::SequenceOf(item) | Shape::SetOf(item) if is(kind::List) => {
                let item = types.get(item).ok_or_else(|| foreign("a type is missing"))?;
                made(Data::Items(self.list(item, layout.item()?, place, below)?))
            }
            Shape::Choice { alternatives, .. } if is(kind::Choice) => {
                let choice: i32 = place.at(0, size_of::<i32>())?.get()?;
                if choice == 0 {
                    let bytes: tagwise_bytes = place.at(layout.unknown, size_of::<tagwise_bytes>())?.get()?;
                    return made(Data::Unknown(element(bytes.get()?, "no alternative is selected")?));
                }
                let index = index_of(choice)?;
                let pair = layout.members().get(index).zip(alternatives.get(index));
                let (member, field) = pair.ok_or_else(|| wrong("no alternative has this number"))?;
                if member.name() != &*field.name {
                    return Err(foreign(member.name()));
                }
                let value = self.member(field, member, place, below)?;
                let value = value.ok_or_else(|| wrong("the pointer to the selected alternative is NULL"))?;
                made(Data::Alternative(Alternative::new(field, value)))
            }
            Shape::Open { .. } if is(kind::Open) => {
                let choice: i32 = place.at(0, size_of::<i32>())?.get()?;
                if choice == 0 {
                    let bytes: tagwise_bytes = place.at(layout.unknown, size_of::<tagwise_bytes>())?.get()?;
                    return made(Data::Unknown(element(bytes.get()?, "an open type is empty")?));
                }
                let index = index_of(choice)?;
                let pair = layout.members().get(index).zip(objects(types, base).get(index).copied());
                let (member, selected) = pair.ok_or_else(|| wrong("no type has this number"))?;
                let inner = member.layout()?;
                let target = target(inner, member, place)?
                    .ok_or_else(|| wrong("the pointer to the selected type's value is NULL"))?;
                self.value(selected, inner, target, below)
            }
            Shape::Open { .. } if is(kind::Element) => {
                let bytes: tagwise_bytes = place.get()?;
                made(Data::Unknown(element(bytes.get()?, "an open type is empty")?))
            }
            Shape::OctetString | Shape::BitString(_) if is(kind::Containing) => {
                let inner = types.contained(ty).ok_or_else(|| foreign("a type has no content"))?;
                let value = self.value(inner, layout.item()?, place, below)?;
                made(Data::Containing(Box::new(value)))
            }
            _ => self.leaf(ty, layout, place),
        }
    }

    fn component(
        &mut self,
        field: &'t Field,
        member: &tagwise_layout_member,
        place: Place,
        added: bool,
        depth: u32,
    ) -> Result<Option<Value<'t>>, Problem> {
        if member.present != NONE {
            let there: u8 = place.at(member.present, size_of::<bool>())?.get()?;
            if there == 0 {
                return Ok(None);
            }
        }
        let value = self.member(field, member, place, depth)?;
        if value.is_none() && matches!(field.presence, Presence::Required) && !added {
            self.path.insert(0, member.name().to_owned());
            return Err(wrong("the component is NULL, but it is not optional"));
        }
        // What has its DEFAULT value is absent.
        let same = |value: &Value<'_>| self.types.with_default(field, |default| *default == *value);
        let is_default = value.as_ref().and_then(same) == Some(true);
        Ok(value.filter(|_| !is_default))
    }

    fn member(
        &mut self,
        field: &'t Field,
        member: &tagwise_layout_member,
        place: Place,
        depth: u32,
    ) -> Result<Option<Value<'t>>, Problem> {
        let layout = member.layout()?;
        let ty = self.types.get(&field.ty).ok_or_else(|| foreign("a type is missing"))?;
        let Some(target) = target(layout, member, place)? else { return Ok(None) };
        let made = if layout.kind == kind::Containing as u32 {
            let inner = self.types.contained_in(field);
            let inner = inner.ok_or_else(|| foreign("a type has no content"))?;
            self.value(inner, layout.item()?, target, depth)
                .map(|value| Value::new(self.types, ty, Data::Containing(Box::new(value))))
        } else {
            self.value(ty, layout, target, depth)
        };
        if made.is_err() {
            self.path.insert(0, member.name().to_owned());
        }
        made.map(Some)
    }

    fn list(
        &mut self,
        ty: &'t Type,
        item: &tagwise_layout,
        place: Place,
        depth: u32,
    ) -> Result<Vec<Value<'t>>, Problem> {
        let count: usize = place.at(0, size_of::<usize>())?.get()?;
        let at = place.size.checked_sub(size_of::<usize>()).ok_or_else(|| foreign("a list is too small"))?;
        let first: *const u8 = place.at(at, size_of::<usize>())?.get()?;
        if count == 0 {
            return Ok(Vec::new());
        }
        if first.is_null() {
            return Err(wrong("the count of a list is not 0, but its items are NULL"));
        }
        if count > self.left {
            return Err(wrong("a list has too many items"));
        }
        let bytes = item.size.checked_mul(count).filter(|bytes| isize::try_from(*bytes).is_ok());
        let all = Place { start: first, size: bytes.ok_or_else(|| wrong("a list has too many items"))? };
        let mut values = Vec::new();
        for index in 0..count {
            let value = self.value(ty, item, all.at(index * item.size, item.size)?, depth);
            if value.is_err() {
                self.path.insert(0, format!("[{index}]"));
            }
            values.push(value?);
        }
        Ok(values)
    }

    fn leaf(&self, ty: &'t Type, layout: &tagwise_layout, place: Place) -> Result<Value<'t>, Problem> {
        let content: Vec<u8> = match layout.kind {
            one if one == kind::Content as u32 => {
                let bytes: tagwise_bytes = place.get()?;
                bytes.get()?.to_vec()
            }
            one if one == kind::Boolean as u32 => vec![if place.get::<u8>()? == 0 { 0 } else { 0xFF }],
            one if one == kind::Null as u32 => Vec::new(),
            one if one == kind::Bits as u32 => {
                let bits: tagwise_bits = place.get()?;
                let mut content = vec![bits.unused];
                content.extend_from_slice(bits.bytes.get()?);
                content
            }
            one if one == kind::Signed as u32 => {
                let number = match layout.size {
                    1 => i64::from(place.get::<i8>()?),
                    2 => i64::from(place.get::<i16>()?),
                    4 => i64::from(place.get::<i32>()?),
                    _ => place.get::<i64>()?,
                };
                IntBuf::from(number).as_int().as_bytes().to_vec()
            }
            one if one == kind::Unsigned as u32 => {
                let number = match layout.size {
                    1 => u64::from(place.get::<u8>()?),
                    2 => u64::from(place.get::<u16>()?),
                    4 => u64::from(place.get::<u32>()?),
                    _ => place.get::<u64>()?,
                };
                IntBuf::from(number).as_int().as_bytes().to_vec()
            }
            _ => return Err(foreign("the kind of a value does not match")),
        };
        Value::leaf(self.types, ty, Cow::Owned(content))
            .map_err(|fault| wrong(&format!("{} ({})", fault.kind().text(), fault.kind().clause())))
    }
}

/// The place of a member's value; nothing for a pointer that is NULL.
fn target(layout: &tagwise_layout, member: &tagwise_layout_member, place: Place) -> Result<Option<Place>, Problem> {
    if !member.pointer {
        return place.at(member.offset, layout.size).map(Some);
    }
    let start: *const u8 = place.at(member.offset, size_of::<*const u8>())?.get()?;
    Ok((!start.is_null()).then_some(Place { start, size: layout.size }))
}

fn index_of(choice: i32) -> Result<usize, Problem> {
    usize::try_from(choice)
        .ok()
        .and_then(|choice| choice.checked_sub(1))
        .ok_or_else(|| wrong("the index of the selected alternative is negative"))
}

/// One element, as it is.
fn element<'t>(bytes: &[u8], absent: &str) -> Result<Cow<'t, [u8]>, Problem> {
    if bytes.is_empty() {
        return Err(wrong(absent));
    }
    match <Any<'_> as tagwise::codec::Decode<'_>>::from_der(bytes) {
        Ok(_) => Ok(Cow::Owned(bytes.to_vec())),
        Err(error) => Err(wrong(&format!("not a DER element: {error}"))),
    }
}

/// Elements one after the other.
fn elements<'t>(bytes: &[u8]) -> Result<Vec<Cow<'t, [u8]>>, Problem> {
    let mut reader = Reader::new(bytes)?;
    let mut found = Vec::new();
    while !reader.is_empty() {
        found.push(Cow::Owned(reader.read::<Any<'_>>()?.as_bytes().to_vec()));
    }
    Ok(found)
}
