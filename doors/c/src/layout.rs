//! Support for C generated from schemas. `tagwise compile --lang c` writes structs, tables of their members' offsets, and tables of the
//! ASN.1 types. This module decodes from bytes straight into such structs, and encodes from them.

mod arena;
mod read;
mod tables;
mod write;

use std::ffi::c_void;
use std::mem::MaybeUninit;

use tagwise::codec::value::{Dynamic, Print};
use tagwise::codec::{Error, Reader, ber};

use self::arena::How;
pub use self::arena::*;
use self::tables::Tables;
pub use self::tables::*;

use crate::bytes::{given, put, tagwise_buffer, tagwise_bytes};
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::options::tagwise_options;
use crate::schema::tagwise_rules;

/// The kind of C type that a layout describes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_layout_kind {
    /// `bool`.
    Boolean = 1,
    /// A signed integer type: `int8_t` to `int64_t`.
    Signed = 2,
    /// An unsigned integer type: `uint8_t` to `uint64_t`.
    Unsigned = 3,
    /// `struct tagwise_bytes`: the content of a primitive value.
    Content = 4,
    /// `struct tagwise_bits`.
    Bits = 5,
    /// `uint8_t`, unused: a NULL.
    Null = 6,
    /// A struct with a member for each component.
    Components = 7,
    /// `struct { size_t count; T *items; }`.
    List = 8,
    /// `struct { int32_t choice; struct tagwise_bytes unknown; union { … } u; }`.
    Choice = 9,
    /// A choice among the types of an object set. For any other type, `unknown` is the complete encoding.
    Open = 10,
    /// `struct tagwise_bytes`: a complete encoding.
    Element = 11,
    /// The content of an OCTET STRING or BIT STRING, decoded as its contained type.
    Containing = 12,
}

/// A BIT STRING.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_bits {
    /// Its bytes. The last byte may be partially unused.
    bytes: tagwise_bytes,
    /// The number of unused bits in the last byte.
    unused: u8,
}

/// A member of a struct or union, for a component or an alternative.
#[repr(C)]
#[derive(Debug)]
pub struct tagwise_layout_member {
    /// The member's C type.
    layout: *const tagwise_layout,
    /// The member's offset in the struct.
    offset: usize,
    /// The offset of the `bool` that tells whether the component is present; SIZE_MAX if there is none.
    present: usize,
    /// True if the member is a pointer to its type. It is NULL if the component is absent.
    pointer: bool,
}

/// The memory layout of a C type that represents an ASN.1 type. Generated code contains these tables. Do not write them by
/// hand: the library trusts their memory layout.
#[repr(C)]
#[derive(Debug)]
pub struct tagwise_layout {
    /// The kind, a value of enum tagwise_layout_kind.
    kind: u32,
    /// The size of the C type.
    size: usize,
    /// The number of members.
    count: usize,
    /// The members.
    members: *const tagwise_layout_member,
    /// The layout of the list's items or of the contained value.
    item: *const tagwise_layout,
    /// The offset of the `struct tagwise_bytes` for an unknown alternative or for concatenated unknown extension additions;
    /// SIZE_MAX if there is none.
    unknown: usize,
}

/// The offset value for an absent member.
const NONE: usize = usize::MAX;

// SAFETY: Layouts are constants of a program: nothing in them changes, and their addresses lead to other constants.
unsafe impl Sync for tagwise_layout {}
// SAFETY: As above.
unsafe impl Sync for tagwise_layout_member {}

impl tagwise_layout {
    fn members(&self) -> &[tagwise_layout_member] {
        if self.members.is_null() || self.count == 0 {
            return &[];
        }
        // SAFETY: A layout is a constant in generated code: `members` points to an array of `count` members.
        unsafe { std::slice::from_raw_parts(self.members, self.count) }
    }

    fn item(&self) -> Result<&Self, Problem> {
        // SAFETY: As for `members`: it is NULL, or leads to another constant.
        unsafe { self.item.as_ref() }.ok_or_else(|| foreign("a list has no item type"))
    }
}

impl tagwise_layout_member {
    fn layout(&self) -> Result<&tagwise_layout, Problem> {
        // SAFETY: As for the members of a layout.
        unsafe { self.layout.as_ref() }.ok_or_else(|| foreign("a member has no layout"))
    }
}

/// Creates the error for a layout that does not match its schema.
fn foreign(what: &str) -> Problem {
    Problem::new(
        tagwise_error_kind::Schema,
        "layout",
        format!("the generated code does not match its schema: {what}; regenerate it"),
    )
}

/// Decodes a value into a C type. All its memory is in the arena and is freed with it. Without an arena, the value has its
/// own arena, and tagwise_layout_free() frees both. The input is copied. For generated code.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_layout_decode(
    module: Option<&tagwise_layout_module>,
    r#type: u32,
    layout: Option<&tagwise_layout>,
    input: tagwise_bytes,
    arena: Option<&mut tagwise_arena>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut c_void {
    guard!(error, {
        let tables = given(module, "module")?.tables()?;
        let dynamic = tables.ty(r#type)?;
        let layout = given(layout, "layout")?;
        let input = input.der()?;
        match arena {
            Some(arena) => decode(&tables, &dynamic, layout, input, arena),
            None => {
                let mut arena = Box::new(tagwise_arena::new(0));
                let value = decode(&tables, &dynamic, layout, input, &mut arena)?;
                read::own(value, arena);
                Ok(value)
            }
        }
    })
}

fn decode(
    tables: &Tables,
    dynamic: &Dynamic<'_>,
    layout: &tagwise_layout,
    input: &[u8],
    arena: &mut tagwise_arena,
) -> Result<*mut c_void, Problem> {
    let How { rules, options } = arena.how.get()?;
    let (rules, options) = (*rules, options.clone());
    let dynamic = dynamic.options(tagwise_options::of(options.as_ref())?);
    match rules {
        tagwise_rules::Der => {
            let der = arena.keep(input)?;
            read::root(tables, &dynamic, layout, der, arena, |error| error)
        }
        // The setter of the rules accepts no others than DER and BER.
        _ => {
            let options = tagwise_options::ber(options.as_ref())?;
            let canonical = ber::to_der_as(dynamic.ty(), dynamic.types().schema(), input, &options)?;
            let der = arena.keep(&canonical.bytes)?;
            read::root(tables, &dynamic, layout, der, arena, |error: Error| canonical.original(error))
        }
    }
}

/// Frees a value that was decoded without an arena. Does nothing for NULL, or for a value in an arena that has not been freed.
/// Do not call it for values that the program created itself. For generated code.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_layout_free(value: *mut c_void) {
    guard!(read::free(value))
}

/// Encodes a value in a C type, and calls a function with the encoding.
fn encoded<R>(
    module: Option<&tagwise_layout_module>,
    ty: u32,
    layout: Option<&tagwise_layout>,
    value: *const c_void,
    constrained: bool,
    run: impl FnOnce(&Dynamic<'_>, Vec<u8>) -> Result<R, Problem>,
) -> Result<R, Problem> {
    let tables = given(module, "module")?.tables()?;
    let dynamic = tables.ty(ty)?;
    let layout = given(layout, "layout")?;
    if value.is_null() {
        return Err(Problem::null("value"));
    }
    run(&dynamic, write::root(&tables, &dynamic, layout, value, constrained)?)
}

/// Encodes a value in a C type as DER, and checks it against the type's constraints. For generated code.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_layout_encode(
    module: Option<&tagwise_layout_module>,
    r#type: u32,
    layout: Option<&tagwise_layout>,
    value: *const c_void,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, encoded(module, r#type, layout, value, true, |_, der| Ok(tagwise_buffer::new(der))))
}

/// Checks a value in a C type against the type's constraints. For generated code.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_layout_check(
    module: Option<&tagwise_layout_module>,
    r#type: u32,
    layout: Option<&tagwise_layout>,
    value: *const c_void,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, encoded(module, r#type, layout, value, true, |_, _| Ok(true)))
}

/// Formats a value in a C type as readable text, with the names of its components. Constraints are not checked. For generated
/// code.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_layout_print(
    module: Option<&tagwise_layout_module>,
    r#type: u32,
    layout: Option<&tagwise_layout>,
    value: *const c_void,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        encoded(module, r#type, layout, value, false, |dynamic, der| {
            let value = dynamic.read_unconstrained(&mut Reader::new(&der)?)?;
            let mut text = String::new();
            let printed = Print::new(dynamic.types()).print(&value, &mut text);
            printed?;
            Ok(tagwise_buffer::new(text))
        })
    })
}

/// Formats OBJECT IDENTIFIER content bytes as dotted text, such as `1.2.840.113549`. For members of generated C types.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_content_oid_text(
    content: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, { Ok(tagwise_buffer::new(tagwise::codec::Oid::from_content(content.get()?)?.to_string())) })
}

/// Reads INTEGER content bytes as a signed 64-bit integer. Returns false if the value does not fit.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_content_int64(content: tagwise_bytes, value: Option<&mut MaybeUninit<i64>>) -> bool {
    guard!({
        let found = content.get().ok().and_then(read::small);
        found.is_some_and(|number| {
            put(value, number);
            true
        })
    })
}
