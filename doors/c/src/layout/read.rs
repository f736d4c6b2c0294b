//! Conversion of values to C types.

use std::borrow::Cow;
use std::ffi::c_void;
use std::fmt;

use tagwise::codec::table::{Field, Fields, Presence, Shape, Type};
use tagwise::codec::value::{Data, Types, Value};
use tagwise::codec::{BitStr, Int};

use crate::bytes::tagwise_bytes;
use crate::error::{Problem, tagwise_error_kind};

use super::{
    NONE, foreign, tagwise_arena, tagwise_bits, tagwise_layout, tagwise_layout_kind as kind, tagwise_layout_member,
};

/// The owner of a value's bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The arena owns the bytes, so they can be referenced.
    Arena,
    /// Another owner owns the bytes, so they are copied.
    Other,
}

/// The error for a number that is out of the range of its C type.
fn large(error: impl fmt::Display) -> Problem {
    let message = format!("a number does not fit its C type: {error}");
    Problem::new(tagwise_error_kind::Input, "range", message)
}

/// Bytes in front of a value, where its own arena stands if it has one.
const HEAD: usize = 16;

/// Frees a value that owns an arena.
pub(super) fn free(value: *mut c_void) {
    if value.is_null() {
        return;
    }
    // SAFETY: The header asks that `value` came out of tagwise_layout_decode(), which put `HEAD` bytes in front of it: the address of an
    // arena that came out of `into_raw`, or NULL.
    unsafe {
        let head = value.cast::<u8>().sub(HEAD).cast::<*mut tagwise_arena>();
        let arena = head.read();
        if !arena.is_null() {
            drop(Box::from_raw(arena));
        }
    }
}

/// Makes a value the owner of its arena.
pub(super) fn own(value: *mut c_void, arena: Box<tagwise_arena>) {
    // SAFETY: `value` was made by `root`, which has put `HEAD` bytes in front of it, aligned as the arena aligns.
    unsafe { value.cast::<u8>().sub(HEAD).cast::<*mut tagwise_arena>().write(Box::into_raw(arena)) }
}

/// Allocates memory for a value in the arena, and writes the value into it.
pub(super) fn root(
    types: Types<'_>,
    value: &Value<'_>,
    layout: &tagwise_layout,
    arena: &mut tagwise_arena,
) -> Result<*mut c_void, Problem> {
    let size = layout.size.checked_add(HEAD).ok_or_else(|| foreign("a type is too large for this platform"))?;
    let place = Place { start: arena.zeroed(size)?, size }.at(HEAD, layout.size)?;
    Filling { types, arena, owner: Owner::Arena }.fill(value, layout, place)?;
    Ok(place.start.cast())
}

/// Memory of zeros for one C type.
#[derive(Clone, Copy)]
struct Place {
    start: *mut u8,
    size: usize,
}

impl Place {
    /// The part of it at an offset.
    fn at(self, offset: usize, size: usize) -> Result<Self, Problem> {
        let fits = offset.checked_add(size).is_some_and(|end| end <= self.size);
        if !fits {
            return Err(foreign("a member lies outside its struct"));
        }
        // SAFETY: The part lies within the place, as was looked at just now.
        Ok(Self { start: unsafe { self.start.add(offset) }, size })
    }

    /// Writes what the place is for.
    fn write<T>(self, value: T) -> Result<(), Problem> {
        if self.size != size_of::<T>() || !self.start.cast::<T>().is_aligned() {
            return Err(foreign("the size of a type does not match"));
        }
        // SAFETY: The place has the size and the alignment of the type, and is the arena's own memory, which nobody else has yet.
        unsafe { self.start.cast::<T>().write(value) };
        Ok(())
    }
}

/// Converts INTEGER content bytes to an `i64`, if they fit.
pub(crate) fn small(content: &[u8]) -> Option<i64> {
    (!content.is_empty()).then(|| i64::try_from(Int::from_signed(content)).ok()).flatten()
}

struct Filling<'t, 'n> {
    types: Types<'t>,
    arena: &'n mut tagwise_arena,
    owner: Owner,
}

impl<'t> Filling<'t, '_> {
    /// Bytes for as long as the arena has them.
    fn bytes(&mut self, bytes: &[u8], borrowed: bool) -> Result<tagwise_bytes, Problem> {
        match borrowed && self.owner == Owner::Arena {
            true => Ok(tagwise_bytes::of(bytes)),
            false => Ok(tagwise_bytes::of(self.arena.keep(bytes)?)),
        }
    }

    #[expect(clippy::ptr_arg, reason = "who owns the bytes is what this asks")]
    fn cow(&mut self, bytes: &Cow<'_, [u8]>) -> Result<tagwise_bytes, Problem> {
        self.bytes(bytes, matches!(bytes, Cow::Borrowed(_)))
    }

    // Values are as deep as the budget of their decoding lets them be: 64 levels unless options say otherwise, and `Budget::MAX_DEPTH` at
    // most.
    fn fill(&mut self, value: &Value<'t>, layout: &tagwise_layout, place: Place) -> Result<(), Problem> {
        let wanted = layout.kind;
        let is = |one: kind| wanted == one as u32;
        match value.data() {
            Data::Containing(inner) if is(kind::Containing) => self.fill(inner, layout.item()?, place),
            Data::Leaf(content) => self.leaf(value, content, layout, place),
            Data::Components(components) if is(kind::Components) => {
                let (Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields)) = &value.base().shape
                else {
                    return Err(foreign("a struct does not match a SEQUENCE or SET"));
                };
                let slots = components.iter().map(|(_, slot)| slot);
                self.components(fields, slots, layout, place)?;
                let unknown: Vec<&[u8]> = components.unknown().collect();
                if layout.unknown != NONE && !unknown.is_empty() {
                    let all = self.bytes(&unknown.concat(), false)?;
                    place.at(layout.unknown, size_of::<tagwise_bytes>())?.write(all)?;
                }
                Ok(())
            }
            Data::Items(items) if is(kind::List) => {
                let item = layout.item()?;
                let bytes = item.size.checked_mul(items.len()).ok_or_else(|| foreign("a list is too long"))?;
                place.at(0, size_of::<usize>())?.write(items.len())?;
                if items.is_empty() {
                    return Ok(());
                }
                let list = Place { start: self.arena.zeroed(bytes)?, size: bytes };
                place.at(place.size - size_of::<*mut u8>(), size_of::<*mut u8>())?.write(list.start)?;
                for (index, value) in items.iter().enumerate() {
                    self.fill(value, item, list.at(index * item.size, item.size)?)?;
                }
                Ok(())
            }
            Data::Alternative(alternative) if is(kind::Choice) => {
                let Shape::Choice { alternatives, .. } = &value.base().shape else {
                    return Err(foreign("a union does not match a CHOICE"));
                };
                let name = &*alternative.field().name;
                let index = alternatives.iter().position(|field| *field.name == *name);
                self.chosen(index.unwrap_or(NONE), Some(name), alternative.value(), layout, place)
            }
            Data::Unknown(bytes) if is(kind::Choice) || is(kind::Open) => {
                let bytes = self.cow(bytes)?;
                place.at(layout.unknown, size_of::<tagwise_bytes>())?.write(bytes)
            }
            Data::Unknown(bytes) if is(kind::Element) => {
                let bytes = self.cow(bytes)?;
                place.write(bytes)
            }
            _ => Err(foreign("the kind of a value does not match")),
        }
    }

    /// The components of a struct; what has its DEFAULT value is put in, and not marked as there.
    fn components<'v>(
        &mut self,
        fields: &'t Fields,
        slots: impl Iterator<Item = Option<&'v Value<'t>>>,
        layout: &tagwise_layout,
        place: Place,
    ) -> Result<(), Problem>
    where
        't: 'v,
    {
        let members = layout.members();
        if members.len() != fields.list.len() {
            return Err(foreign("the members of a struct do not match"));
        }
        for ((member, field), slot) in members.iter().zip(fields.list.iter()).zip(slots) {
            if member.name() != &*field.name {
                return Err(foreign(member.name()));
            }
            match slot {
                Some(value) => {
                    if member.present != NONE {
                        place.at(member.present, size_of::<bool>())?.write(true)?;
                    }
                    self.member(field, value, member, place)?;
                }
                // A pointer stays NULL, which distinguishes an absent component from one that is present.
                None if member.pointer => {}
                None => self.default(field, member, place)?,
            }
        }
        Ok(())
    }

    fn default(&mut self, field: &Field, member: &tagwise_layout_member, place: Place) -> Result<(), Problem> {
        if !matches!(field.presence, Presence::Default(_)) {
            return Ok(());
        }
        let (types, arena) = (self.types, &mut *self.arena);
        let done = types.with_default(field, |value| {
            let mut filling = Filling { types: Types::default(), arena, owner: Owner::Other };
            // Its type is a leaf's or has no object sets to be looked up: others are pointers.
            filling.fill_default(value, member, place)
        });
        done.unwrap_or(Ok(()))
    }

    /// The member for a component or alternative.
    fn member(
        &mut self,
        field: &'t Field,
        value: &Value<'t>,
        member: &tagwise_layout_member,
        place: Place,
    ) -> Result<(), Problem> {
        let layout = member.layout()?;
        let target = self.target(layout, member, place)?;
        if layout.kind == kind::Open as u32 {
            return self.open(field, value, layout, target);
        }
        self.fill(value, layout, target)
    }

    /// The place of a member's value: the member, or memory that it points at.
    fn target(
        &mut self,
        layout: &tagwise_layout,
        member: &tagwise_layout_member,
        place: Place,
    ) -> Result<Place, Problem> {
        if !member.pointer {
            return place.at(member.offset, layout.size);
        }
        let made = Place { start: self.arena.zeroed(layout.size)?, size: layout.size };
        place.at(member.offset, size_of::<*mut u8>())?.write(made.start)?;
        Ok(made)
    }

    /// A choice or an open type, of which alternative `index` is there.
    fn chosen(
        &mut self,
        index: usize,
        name: Option<&str>,
        value: &Value<'t>,
        layout: &tagwise_layout,
        place: Place,
    ) -> Result<(), Problem> {
        let member = layout.members().get(index).ok_or_else(|| foreign("an alternative is missing"))?;
        if name.is_some_and(|name| name != member.name()) {
            return Err(foreign(member.name()));
        }
        let number = i32::try_from(index).ok().and_then(|index| index.checked_add(1));
        place
            .at(0, size_of::<i32>())?
            .write(number.ok_or_else(|| foreign("the index of an alternative is too large"))?)?;
        let inner = member.layout()?;
        let target = self.target(inner, member, place)?;
        self.fill(value, inner, target)
    }

    /// The value of an open type, by the type that was selected.
    fn open(
        &mut self,
        field: &'t Field,
        value: &Value<'t>,
        layout: &tagwise_layout,
        place: Place,
    ) -> Result<(), Problem> {
        if let Data::Unknown(_) = value.data() {
            return self.fill(value, layout, place);
        }
        let declared = self.types.get(&field.ty).ok_or_else(|| foreign("a type is missing"))?;
        let selected = objects(self.types, declared);
        let index = selected.iter().position(|ty| std::ptr::eq(*ty, value.ty()));
        self.chosen(index.unwrap_or(NONE), None, value, layout, place)
    }

    #[expect(clippy::ptr_arg, reason = "as above")]
    fn leaf(
        &mut self,
        value: &Value<'_>,
        content: &Cow<'_, [u8]>,
        layout: &tagwise_layout,
        place: Place,
    ) -> Result<(), Problem> {
        let wanted = layout.kind;
        let is = |one: kind| wanted == one as u32;
        if is(kind::Content) {
            let bytes = self.cow(content)?;
            return place.write(bytes);
        }
        if is(kind::Boolean) {
            return place.write(content.iter().any(|byte| *byte != 0));
        }
        if is(kind::Null) {
            return Ok(());
        }
        if is(kind::Bits) {
            let bits = value.view::<BitStr<'_>>().ok_or_else(|| foreign("a value is not a BIT STRING"))?;
            let unused = bits.unused_bits();
            let bytes = content.get(1..).unwrap_or_default();
            let bytes = self.bytes(bytes, matches!(content, Cow::Borrowed(_)))?;
            return place.write(tagwise_bits { bytes, unused });
        }
        let number = Int::from_signed(content);
        let signed = i128::try_from(number).map_err(large)?;
        match (is(kind::Signed), is(kind::Unsigned), layout.size) {
            (true, _, 1) => place.write(i8::try_from(signed).map_err(large)?),
            (true, _, 2) => place.write(i16::try_from(signed).map_err(large)?),
            (true, _, 4) => place.write(i32::try_from(signed).map_err(large)?),
            (true, _, 8) => place.write(i64::try_from(signed).map_err(large)?),
            (_, true, 1) => place.write(u8::try_from(signed).map_err(large)?),
            (_, true, 2) => place.write(u16::try_from(signed).map_err(large)?),
            (_, true, 4) => place.write(u32::try_from(signed).map_err(large)?),
            (_, true, 8) => place.write(u64::try_from(signed).map_err(large)?),
            _ => Err(foreign("the kind of a value does not match")),
        }
    }
}

/// The types in an open type's object set, without duplicates, in the order of the objects.
pub(super) fn objects<'t>(types: Types<'t>, open: &'t Type) -> Vec<&'t Type> {
    let Shape::Open { set: Some(set), .. } = &types.base(open).shape else { return Vec::new() };
    let mut found: Vec<&Type> = Vec::new();
    for object in set.get(types.schema()).map(|set| &*set.objects).into_iter().flatten() {
        if let Some(ty) = types.get(&object.ty)
            && !found.iter().any(|known| std::ptr::eq(*known, ty))
        {
            found.push(ty);
        }
    }
    found
}

impl Filling<'_, '_> {
    /// A DEFAULT value in a member that is no pointer: it has no parts, or is a list of what has none.
    fn fill_default(&mut self, value: &Value<'_>, member: &tagwise_layout_member, place: Place) -> Result<(), Problem> {
        let layout = member.layout()?;
        let place = place.at(member.offset, layout.size)?;
        match value.data() {
            Data::Leaf(content) => self.leaf(value, content, layout, place),
            // Programs see that the component is not there, and what it stands for in the comment.
            _ => Ok(()),
        }
    }
}
