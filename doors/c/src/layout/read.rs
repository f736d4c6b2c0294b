//! Decoding into C types.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use tagwise::codec::table::{ObjectSet, Type};
use tagwise::codec::value::{Data, Dynamic, Stopped, Target, Value};
use tagwise::codec::{Error, Int};

use crate::bytes::tagwise_bytes;
use crate::error::{Problem, tagwise_error_kind};

use super::tables::Tables;
use super::{
    NONE, foreign, tagwise_arena, tagwise_bits, tagwise_layout, tagwise_layout_kind as kind, tagwise_layout_member,
};

/// Creates the error for a number outside the range of its C type.
fn large(error: impl fmt::Display) -> Problem {
    let message = format!("a number does not fit its C type: {error}");
    Problem::new(tagwise_error_kind::Input, "range", message)
}

/// The number of bytes in front of a value, which may contain the address of its own arena.
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

/// Makes a value own its arena.
pub(super) fn own(value: *mut c_void, arena: Box<tagwise_arena>) {
    // SAFETY: `value` was made by `root`, which has put `HEAD` bytes in front of it, aligned as the arena aligns.
    unsafe { value.cast::<u8>().sub(HEAD).cast::<*mut tagwise_arena>().write(Box::into_raw(arena)) }
}

/// Decodes DER into newly allocated memory. The arena keeps the bytes.
pub(super) fn root(
    tables: &Tables,
    dynamic: &Dynamic<'_>,
    layout: &tagwise_layout,
    der: &[u8],
    arena: &mut tagwise_arena,
    original: impl FnOnce(Error) -> Error,
) -> Result<*mut c_void, Problem> {
    let size =
        layout.size.checked_add(HEAD).ok_or_else(|| foreign("the C type of a value is too large for this platform"))?;
    let memory = Memory { start: arena.zeroed(size)?, size }.at(HEAD, layout.size)?;
    let mut filling = Filling { tables, der, arena, problem: None, layouts: PhantomData };
    let read = dynamic.decode_into(der, &mut filling, Place { layout, memory, many: false });
    match (filling.problem, read) {
        // The input may be wrong in another way: then that is not the memory's to report.
        (Some(problem), Ok(())) => Err(problem),
        (Some(problem), Err(error)) if error.kind() == tagwise::codec::FaultKind::Internal => Err(problem),
        (_, Err(error)) => Err(original(error).into()),
        (None, Ok(())) => Ok(memory.start.cast()),
    }
}

/// Zeroed memory for a value.
#[derive(Clone, Copy)]
struct Memory {
    start: *mut u8,
    size: usize,
}

impl Memory {
    /// Returns the part of the memory at an offset.
    fn at(self, offset: usize, size: usize) -> Result<Self, Problem> {
        let fits = offset.checked_add(size).is_some_and(|end| end <= self.size);
        if !fits {
            return Err(foreign("a member lies outside its struct"));
        }
        // SAFETY: The part lies within the memory, as was looked at just now.
        Ok(Self { start: unsafe { self.start.add(offset) }, size })
    }

    /// Writes a value into the memory.
    fn write<T>(self, value: T) -> Result<(), Problem> {
        if self.size != size_of::<T>() || !self.start.cast::<T>().is_aligned() {
            return Err(foreign("the size of a type does not match"));
        }
        // SAFETY: The memory has the size and the alignment of the type, and is the arena's own, which nobody else has yet.
        unsafe { self.start.cast::<T>().write(value) };
        Ok(())
    }
}

/// The memory of a C type, or of an array of them.
#[derive(Clone, Copy)]
pub(super) struct Place<'l> {
    layout: &'l tagwise_layout,
    memory: Memory,
    /// True for an array.
    many: bool,
}

/// Converts INTEGER content bytes to an `i64`, if they fit.
pub(crate) fn small(content: &[u8]) -> Option<i64> {
    (!content.is_empty()).then(|| i64::try_from(Int::from_signed(content)).ok()).flatten()
}

struct Filling<'n, 'l> {
    tables: &'n Tables,
    /// The input, which the arena keeps.
    der: &'n [u8],
    arena: &'n mut tagwise_arena,
    /// The problem with the memory that ended the decoding.
    problem: Option<Problem>,
    layouts: PhantomData<&'l tagwise_layout>,
}

impl<'l> Filling<'_, 'l> {
    /// Stores the first problem.
    fn noted<R>(&mut self, done: Result<R, Problem>) -> Result<R, Stopped> {
        done.map_err(|problem| {
            self.problem.get_or_insert(problem);
            Stopped
        })
    }

    /// Returns the memory of a member, which may be behind a pointer.
    fn member(&mut self, member: &'l tagwise_layout_member, memory: Memory) -> Result<Place<'l>, Problem> {
        let layout = member.layout()?;
        if !member.pointer {
            return Ok(Place { layout, memory: memory.at(member.offset, layout.size)?, many: false });
        }
        let made = Memory { start: self.arena.zeroed(layout.size)?, size: layout.size };
        memory.at(member.offset, size_of::<*mut u8>())?.write(made.start)?;
        Ok(Place { layout, memory: made, many: false })
    }

    fn component(&mut self, place: Place<'l>, index: usize) -> Result<Place<'l>, Problem> {
        let Place { layout, memory, many } = place;
        if many {
            let offset = index.checked_mul(layout.size).ok_or_else(|| foreign("a list is too long"))?;
            return Ok(Place { layout, memory: memory.at(offset, layout.size)?, many: false });
        }
        let member = layout.members().get(index).ok_or_else(|| foreign("a member is missing"))?;
        if layout.kind == kind::Choice as u32 || layout.kind == kind::Open as u32 {
            let number = i32::try_from(index).ok().and_then(|index| index.checked_add(1));
            let number = number.ok_or_else(|| foreign("the index of an alternative is too large"))?;
            memory.at(0, size_of::<i32>())?.write(number)?;
        } else if member.present != NONE {
            memory.at(member.present, size_of::<bool>())?.write(true)?;
        }
        self.member(member, memory)
    }

    fn list(&mut self, Place { layout, memory, .. }: Place<'l>, count: usize) -> Result<Place<'l>, Problem> {
        if layout.kind != kind::List as u32 {
            return Err(foreign("the value does not have the kind that its layout describes"));
        }
        let item = layout.item()?;
        let size = item.size.checked_mul(count).ok_or_else(|| foreign("a list is too long"))?;
        memory.at(0, size_of::<usize>())?.write(count)?;
        let mut list = Memory { start: std::ptr::null_mut(), size: 0 };
        if count > 0 {
            list = Memory { start: self.arena.zeroed(size)?, size };
            let place = memory.size.checked_sub(size_of::<*mut u8>()).ok_or_else(|| foreign("a list is too small"))?;
            memory.at(place, size_of::<*mut u8>())?.write(list.start)?;
        }
        Ok(Place { layout: item, memory: list, many: true })
    }

    fn number(content: &[u8], signed: bool, memory: Memory) -> Result<(), Problem> {
        let number = i128::try_from(Int::from_signed(content)).map_err(large)?;
        match (signed, memory.size) {
            (true, 1) => memory.write(i8::try_from(number).map_err(large)?),
            (true, 2) => memory.write(i16::try_from(number).map_err(large)?),
            (true, 4) => memory.write(i32::try_from(number).map_err(large)?),
            (true, 8) => memory.write(i64::try_from(number).map_err(large)?),
            (false, 1) => memory.write(u8::try_from(number).map_err(large)?),
            (false, 2) => memory.write(u16::try_from(number).map_err(large)?),
            (false, 4) => memory.write(u32::try_from(number).map_err(large)?),
            (false, 8) => memory.write(u64::try_from(number).map_err(large)?),
            _ => Err(foreign("the value does not have the kind that its layout describes")),
        }
    }

    /// Stores content whose bytes the arena keeps.
    fn content(Place { layout, memory, .. }: Place<'l>, content: &[u8]) -> Result<(), Problem> {
        let wanted = layout.kind;
        let is = |one: kind| wanted == one as u32;
        match () {
            () if is(kind::Content) => memory.write(tagwise_bytes::of(content)),
            () if is(kind::Boolean) => memory.write(content.iter().any(|byte| *byte != 0)),
            () if is(kind::Null) => Ok(()),
            () if is(kind::Bits) => {
                let (unused, bytes) = content.split_first().ok_or_else(|| foreign("a value is not a BIT STRING"))?;
                // A tolerated form may announce unused bits of no bytes.
                let unused = if bytes.is_empty() { 0 } else { *unused };
                memory.write(tagwise_bits { bytes: tagwise_bytes::of(bytes), unused })
            }
            () => Self::number(content, is(kind::Signed), memory),
        }
    }

    fn cleared(
        &mut self,
        Place { layout, memory, .. }: Place<'l>,
        index: usize,
        default: Option<&Value<'_>>,
    ) -> Result<(), Problem> {
        let member = layout.members().get(index).ok_or_else(|| foreign("a member is missing"))?;
        if member.present != NONE {
            memory.at(member.present, size_of::<bool>())?.write(false)?;
        }
        if member.pointer {
            // NULL distinguishes an absent component from one that is present.
            return memory.at(member.offset, size_of::<*mut u8>())?.write(std::ptr::null_mut::<u8>());
        }
        // Programs see that a component with parts is absent, and what it stands for in the comment.
        let Some(Data::Leaf(content)) = default.map(Value::data) else { return Ok(()) };
        let layout = member.layout()?;
        let place = Place { layout, memory: memory.at(member.offset, layout.size)?, many: false };
        let kept = self.arena.keep(content)?;
        Self::content(place, kept)
    }

    fn added(&mut self, Place { layout, memory, .. }: Place<'l>, elements: &[&[u8]]) -> Result<(), Problem> {
        if layout.unknown == NONE {
            return Ok(());
        }
        let memory = memory.at(layout.unknown, size_of::<tagwise_bytes>())?;
        let start = elements.first().map_or(0, |first| first.as_ptr().addr().wrapping_sub(self.der.as_ptr().addr()));
        let len = elements.iter().map(|element| element.len()).sum::<usize>();
        let in_row =
            elements.windows(2).all(|pair| matches!(pair, [one, next] if one.as_ptr_range().end == next.as_ptr()));
        match self.der.get(start..start.saturating_add(len)) {
            Some(all) if in_row => memory.write(tagwise_bytes::of(all)),
            // Those of a SET need not be next to each other.
            _ => {
                let all = self.arena.keep(&elements.concat())?;
                memory.write(tagwise_bytes::of(all))
            }
        }
    }

    fn element(Place { layout, memory, .. }: Place<'l>, element: &[u8]) -> Result<(), Problem> {
        if layout.kind == kind::Element as u32 {
            return memory.write(tagwise_bytes::of(element));
        }
        if layout.unknown == NONE {
            return Err(foreign("the value does not have the kind that its layout describes"));
        }
        // Part of another value may have been stored in the union, which is not read while `choice` is 0.
        memory.at(0, size_of::<i32>())?.write(0_i32)?;
        memory.at(layout.unknown, size_of::<tagwise_bytes>())?.write(tagwise_bytes::of(element))
    }
}

impl<'a, 'l> Target<'a> for Filling<'_, 'l> {
    type Place = Place<'l>;

    fn leaf(&mut self, place: Place<'l>, _: &'a Type, content: &'a [u8]) {
        let _ = self.noted(Self::content(place, content));
    }

    fn part(&mut self, place: Place<'l>, index: usize) -> Result<Place<'l>, Stopped> {
        let done = self.component(place, index);
        self.noted(done)
    }

    fn items(&mut self, place: Place<'l>, count: usize) -> Result<Place<'l>, Stopped> {
        let done = self.list(place, count);
        self.noted(done)
    }

    fn absent(&mut self, place: Place<'l>, index: usize, default: Option<&Value<'_>>) {
        let done = self.cleared(place, index, default);
        let _ = self.noted(done);
    }

    fn additions(&mut self, place: Place<'l>, elements: &[&'a [u8]]) {
        let done = self.added(place, elements);
        let _ = self.noted(done);
    }

    fn unknown(&mut self, place: Place<'l>, element: &'a [u8]) {
        let _ = self.noted(Self::element(place, element));
    }

    fn selected(&mut self, place: Place<'l>, set: &'a ObjectSet, object: usize) -> Result<Place<'l>, Stopped> {
        let index = self.tables.member(set, object).ok_or_else(|| foreign("an object is missing"));
        let index = self.noted(index)?;
        self.part(place, index)
    }

    fn contained(&mut self, place: Place<'l>) -> Result<Place<'l>, Stopped> {
        let item = place.layout.item();
        self.noted(item.map(|layout| Place { layout, ..place }))
    }
}
