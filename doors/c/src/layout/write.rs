//! Encoding from C types.

use std::ffi::c_void;
use std::marker::PhantomData;

use tagwise::codec::table::{ObjectSet, Type};
use tagwise::codec::value::{Chosen, Dynamic, Origin, Stopped};
use tagwise::codec::{EncodeError, FaultKind};

use crate::bytes::tagwise_bytes;
use crate::error::{Problem, tagwise_error_kind};

use super::tables::Tables;
use super::{NONE, foreign, tagwise_bits, tagwise_layout, tagwise_layout_kind as kind, tagwise_layout_member};

/// The maximum number of values inside a value. A value to which several pointers refer counts once for each.
const VALUES: usize = 1 << 28;

/// Encodes the value at an address. For display, constraints are not checked.
pub(super) fn root(
    tables: &Tables,
    dynamic: &Dynamic<'_>,
    layout: &tagwise_layout,
    value: *const c_void,
    constrained: bool,
) -> Result<Vec<u8>, Problem> {
    let mut reading = Reading { tables, left: VALUES, problem: None, layouts: PhantomData };
    let place = Place { layout, start: value.cast(), size: layout.size, many: false };
    let made = match constrained {
        true => dynamic.encode_from(&mut reading, place),
        false => dynamic.encode_unconstrained(&mut reading, place),
    };
    made.map_err(|error: EncodeError| match (error.kind(), reading.problem) {
        (FaultKind::Internal, Some(problem)) => problem.along(&error.path()),
        (FaultKind::DepthExceeded, _) => {
            wrong("the value is nested too deeply, or contains itself").along(&error.path())
        }
        _ => error.into(),
    })
}

/// The memory of a C type, or of an array of them.
#[derive(Clone, Copy)]
struct Place<'l> {
    layout: &'l tagwise_layout,
    start: *const u8,
    size: usize,
    /// True for an array.
    many: bool,
}

impl<'l> Place<'l> {
    /// Returns the part of the memory at an offset.
    fn at(self, offset: usize, layout: &'l tagwise_layout) -> Result<Self, Problem> {
        Ok(Self { layout, start: self.address(offset, layout.size)?, size: layout.size, many: false })
    }

    fn address(self, offset: usize, size: usize) -> Result<*const u8, Problem> {
        let fits = offset.checked_add(size).is_some_and(|end| end <= self.size);
        if !fits {
            return Err(foreign("a member lies outside its struct"));
        }
        // SAFETY: The part lies within the memory, as was looked at just now.
        Ok(unsafe { self.start.add(offset) })
    }

    /// Reads bytes, numbers or addresses, for which every bit pattern is valid.
    fn get<T: Plain>(self, offset: usize) -> Result<T, Problem> {
        let start = self.address(offset, size_of::<T>())?.cast::<T>();
        if !start.is_aligned() {
            return Err(foreign("the alignment of a type does not match"));
        }
        // SAFETY: The header asks that `value` leads to its C type, whose size and members the layout has; every pattern of bits is a value
        // of a `Plain` type.
        Ok(unsafe { start.read() })
    }

    fn is(self, kind: kind) -> bool {
        self.layout.kind == kind as u32
    }

    /// Returns the memory of a member's value, or `None` if its pointer is NULL.
    fn member(self, member: &'l tagwise_layout_member) -> Result<Option<Self>, Problem> {
        let layout = member.layout()?;
        if !member.pointer {
            return self.at(member.offset, layout).map(Some);
        }
        let start: *const u8 = self.get(member.offset)?;
        Ok((!start.is_null()).then_some(Self { layout, start, size: layout.size, many: false }))
    }
}

/// Types for which every bit pattern is valid.
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

struct Reading<'n, 'l> {
    tables: &'n Tables,
    /// The remaining number of values that may be encoded.
    left: usize,
    /// The problem with the memory that ended the encoding.
    problem: Option<Problem>,
    layouts: PhantomData<&'l tagwise_layout>,
}

/// Returns the bytes of a required element.
fn element<'v>(bytes: tagwise_bytes, absent: &str) -> Result<&'v [u8], Problem> {
    let bytes = bytes.get()?;
    if bytes.is_empty() { Err(wrong(absent)) } else { Ok(bytes) }
}

/// Encodes a number in the shortest two's complement form.
fn integer(number: i128, scratch: &mut Vec<u8>) {
    let bytes = number.to_be_bytes();
    // A leading byte is redundant if it only repeats the sign.
    let redundant =
        |pair: &&[u8]| matches!(pair, [0, next] if *next < 0x80) || matches!(pair, [0xFF, next] if *next >= 0x80);
    let skip = bytes.windows(2).take_while(redundant).count();
    scratch.extend_from_slice(bytes.get(skip..).unwrap_or_default());
}

impl<'l> Reading<'_, 'l> {
    /// Stores the first problem.
    fn noted<R>(&mut self, done: Result<R, Problem>) -> Result<R, Stopped> {
        done.map_err(|problem| {
            self.problem.get_or_insert(problem);
            Stopped
        })
    }

    fn content<'s>(place: Place<'_>, scratch: &'s mut Vec<u8>) -> Result<&'s [u8], Problem> {
        let size = place.layout.size;
        match () {
            () if place.is(kind::Content) => return place.get::<tagwise_bytes>(0)?.get(),
            () if place.is(kind::Boolean) => scratch.push(if place.get::<u8>(0)? == 0 { 0 } else { 0xFF }),
            () if place.is(kind::Null) => {}
            () if place.is(kind::Bits) => {
                let bits: tagwise_bits = place.get(0)?;
                scratch.push(bits.unused);
                scratch.extend_from_slice(bits.bytes.get()?);
            }
            () if place.is(kind::Signed) => {
                let number = match size {
                    1 => i128::from(place.get::<i8>(0)?),
                    2 => i128::from(place.get::<i16>(0)?),
                    4 => i128::from(place.get::<i32>(0)?),
                    _ => i128::from(place.get::<i64>(0)?),
                };
                integer(number, scratch);
            }
            () if place.is(kind::Unsigned) => {
                let number = match size {
                    1 => i128::from(place.get::<u8>(0)?),
                    2 => i128::from(place.get::<u16>(0)?),
                    4 => i128::from(place.get::<u32>(0)?),
                    _ => i128::from(place.get::<u64>(0)?),
                };
                integer(number, scratch);
            }
            () => return Err(foreign("the value does not have the kind that its layout describes")),
        }
        Ok(scratch)
    }

    fn component(&mut self, place: Place<'l>, index: usize) -> Result<Option<Place<'l>>, Problem> {
        self.left = self.left.checked_sub(1).ok_or_else(|| wrong("the value has too many parts"))?;
        if place.many {
            let offset = index.checked_mul(place.layout.size).ok_or_else(|| wrong("a list has too many items"))?;
            return place.at(offset, place.layout).map(Some);
        }
        let member = place.layout.members().get(index).ok_or_else(|| foreign("a member is missing"))?;
        if member.present != NONE && place.get::<u8>(member.present)? == 0 {
            return Ok(None);
        }
        place.member(member)
    }

    fn list(&self, place: Place<'l>) -> Result<(usize, Place<'l>), Problem> {
        if !place.is(kind::List) {
            return Err(foreign("the value does not have the kind that its layout describes"));
        }
        let layout = place.layout.item()?;
        let count: usize = place.get(0)?;
        let at = place.size.checked_sub(size_of::<usize>()).ok_or_else(|| foreign("a list is too small"))?;
        let start: *const u8 = place.get(at)?;
        if count > 0 && start.is_null() {
            return Err(wrong("the count of a list is not 0, but its items are NULL"));
        }
        let size = layout.size.checked_mul(count).filter(|size| count <= self.left && isize::try_from(*size).is_ok());
        let size = size.ok_or_else(|| wrong("a list has too many items"))?;
        Ok((count, Place { layout, start, size, many: true }))
    }

    fn alternative<'v>(place: Place<'l>) -> Result<Chosen<'v, Place<'l>>, Problem> {
        if place.is(kind::Element) {
            return element(place.get(0)?, "an open type is empty").map(Chosen::Unknown);
        }
        let open = place.is(kind::Open);
        if !open && !place.is(kind::Choice) {
            return Err(foreign("the value does not have the kind that its layout describes"));
        }
        let choice: i32 = place.get(0)?;
        if choice == 0 {
            let absent = if open { "an open type is empty" } else { "no alternative is selected" };
            return element(place.get(place.layout.unknown)?, absent).map(Chosen::Unknown);
        }
        let index = usize::try_from(choice).ok().and_then(|choice| choice.checked_sub(1));
        let index = index.ok_or_else(|| wrong("the index of the selected alternative is negative"))?;
        let absent = if open { "no type has this number" } else { "no alternative has this number" };
        let member = place.layout.members().get(index).ok_or_else(|| wrong(absent))?;
        let absent = if open {
            "the pointer to the selected type's value is NULL"
        } else {
            "the pointer to the selected alternative is NULL"
        };
        Ok(Chosen::Alternative(index, place.member(member)?.ok_or_else(|| wrong(absent))?))
    }
}

impl<'v, 'l> Origin<'v> for Reading<'_, 'l> {
    type Place = Place<'l>;

    fn leaf<'s>(&'s mut self, place: Place<'l>, _: &Type, scratch: &'s mut Vec<u8>) -> Result<&'s [u8], Stopped> {
        let done = Self::content(place, scratch);
        self.noted(done)
    }

    fn part(&mut self, place: Place<'l>, index: usize) -> Result<Option<Place<'l>>, Stopped> {
        let done = self.component(place, index);
        self.noted(done)
    }

    fn items(&mut self, place: Place<'l>) -> Result<(usize, Place<'l>), Stopped> {
        let done = self.list(place);
        self.noted(done)
    }

    fn additions(&mut self, place: Place<'l>) -> Result<&'v [u8], Stopped> {
        if place.layout.unknown == NONE {
            return Ok(&[]);
        }
        let done = place.get::<tagwise_bytes>(place.layout.unknown).and_then(tagwise_bytes::get);
        self.noted(done)
    }

    fn chosen(&mut self, place: Place<'l>) -> Result<Chosen<'v, Place<'l>>, Stopped> {
        self.noted(Self::alternative(place))
    }

    fn is_selected(&self, chosen: usize, set: &ObjectSet, object: usize) -> bool {
        self.tables.member(set, object) == Some(chosen)
    }

    fn contained(&mut self, place: Place<'l>) -> Result<Place<'l>, Stopped> {
        let item = place.layout.item();
        self.noted(item.map(|layout| Place { layout, ..place }))
    }
}
