//! A parsed value and the bytes that it borrows, in one allocation.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use tagwise::codec::{Decode, Deviation, Error, Options};

/// A family of parsed types, with one type for each lifetime of the borrowed bytes.
pub(crate) trait Family {
    /// The parsed type that borrows bytes for the given lifetime.
    type Of<'a>: Decode<'a>;

    /// Shortens the value's lifetime, which proves that the type is covariant.
    fn shorter<'s, 'a: 's>(value: &'s Self::Of<'a>) -> &'s Self::Of<'s>;
}

/// A parsed value, followed in memory by the bytes that it borrows.
#[repr(C)]
pub(crate) struct Held<F: Family> {
    // The lifetime is that of the bytes behind this struct; it leaves only by `parsed`, shortened.
    parsed: F::Of<'static>,
    deviations: Vec<Deviation>,
    bytes: NonNull<u8>,
    len: usize,
    owners: AtomicUsize,
}

// SAFETY: The bytes belong to the value alone and never change; what it was parsed into is as good as its type.
unsafe impl<F: Family> Send for Held<F> where F::Of<'static>: Send {}
// SAFETY: As above: nothing changes behind a shared reference.
unsafe impl<F: Family> Sync for Held<F> where F::Of<'static>: Sync {}

/// The extent to which a value is checked when it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All bytes are checked.
    Whole,
    /// Only the outer structure is checked. Names, extensions and keys are checked on access.
    Outline,
}

impl<F: Family> Held<F> {
    fn layout(len: usize) -> Option<(Layout, usize)> {
        Layout::new::<Self>().extend(Layout::array::<u8>(len).ok()?).ok()
    }

    /// Copies and parses an encoding. Free the result with [`Held::free`].
    pub(crate) fn read(der: &[u8], extent: Extent, options: Option<Options<'_>>) -> Result<NonNull<Self>, Error> {
        let Some((layout, at)) = Self::layout(der.len()) else {
            handle_alloc_error(Layout::new::<Self>());
        };
        // SAFETY: The layout has the size of `Self` at least, which is not zero: it has a length.
        let room = unsafe { alloc(layout) };
        let Some(room) = NonNull::new(room) else { handle_alloc_error(layout) };
        // SAFETY: `at` is where the layout has the bytes, `der.len()` of them, in what was just allocated: nothing else uses it.
        let (bytes, copy) = unsafe {
            let bytes = room.add(at);
            std::ptr::copy_nonoverlapping(der.as_ptr(), bytes.as_ptr(), der.len());
            (bytes, std::slice::from_raw_parts(bytes.as_ptr(), der.len()))
        };
        let mut owner = Room { room, layout, armed: true };
        let read = match (extent, &options) {
            (Extent::Whole, None) => F::Of::<'static>::from_der(copy).map(|value| (value, Vec::new())),
            (Extent::Outline, None) => F::Of::<'static>::outline(copy).map(|value| (value, Vec::new())),
            (Extent::Whole, Some(options)) => options.decode(copy).map(|read| (read.value, read.deviations)),
            (Extent::Outline, Some(options)) => options.outline(copy).map(|read| (read.value, read.deviations)),
        };
        let (parsed, deviations) = read?;
        let held = room.cast::<Self>();
        // SAFETY: The room is aligned for `Self` and holds one; the bytes lie behind it and are not touched. They live for as long
        // as the value: both go in `free`.
        unsafe { held.write(Self { parsed, deviations, bytes, len: der.len(), owners: AtomicUsize::new(1) }) };
        owner.armed = false;
        Ok(held)
    }

    /// Adds an owner.
    pub(crate) fn retain(&self) {
        // A new owner comes from one that exists, so nothing has to be ordered: as `Arc` does.
        self.owners.fetch_add(1, Ordering::Relaxed);
    }

    /// Releases one owner of a value created by [`Held::read`]. The last owner frees it.
    ///
    /// # Safety
    /// `held` must come from `read`, and this owner must not have released it before. If it is the last owner, nothing may
    /// borrow from the value.
    pub(crate) unsafe fn free(held: NonNull<Self>) {
        // SAFETY: By the condition it is a value that `read` wrote, of which this owner keeps the memory.
        let Self { len, owners, .. } = unsafe { held.as_ref() };
        let len = *len;
        // What other owners did with the value comes before it is dropped.
        if owners.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        if let Some((layout, _)) = Self::layout(len) {
            // SAFETY: The same length gives the same layout as in `read`; the value is dropped once, before its room goes.
            unsafe {
                held.drop_in_place();
                dealloc(held.cast::<u8>().as_ptr(), layout);
            }
        }
    }

    pub(crate) fn parsed(&self) -> &F::Of<'_> {
        F::shorter(&self.parsed)
    }

    pub(crate) fn der(&self) -> &[u8] {
        // SAFETY: `read` copied so many bytes there; they live and stay as they are for as long as the value.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr(), self.len) }
    }

    pub(crate) fn deviations(&self) -> &[Deviation] {
        &self.deviations
    }
}

/// An allocation that is released if reading fails or panics.
struct Room {
    room: NonNull<u8>,
    layout: Layout,
    armed: bool,
}

impl Drop for Room {
    fn drop(&mut self) {
        if self.armed {
            // SAFETY: It was allocated with this layout, and nothing borrows from it: the reading failed.
            unsafe { dealloc(self.room.as_ptr(), self.layout) };
        }
    }
}

/// Defines a handle struct that wraps a [`Held`] value. The struct itself is written out so that cbindgen finds it. It is
/// transparent, but cbindgen must not see that, because it would expose the fields to C.
macro_rules! held {
    ($name:ident, $family:ident, $ty:ident) => {
        pub(crate) struct $family;

        impl $crate::held::Family for $family {
            type Of<'a> = $ty<'a>;

            fn shorter<'s, 'a: 's>(value: &'s $ty<'a>) -> &'s $ty<'s> {
                value
            }
        }

        impl $name {
            pub(crate) fn read(
                der: $crate::bytes::tagwise_bytes,
                extent: $crate::held::Extent,
                options: Option<&$crate::options::tagwise_options>,
            ) -> Result<*mut Self, $crate::error::Problem> {
                let options = options.map(|options| $crate::options::tagwise_options::of(Some(options))).transpose()?;
                let held = $crate::held::Held::<$family>::read(der.der()?, extent, options)?;
                Ok(held.cast::<Self>().as_ptr())
            }

            /// Adds an owner and returns the same handle, or NULL for NULL.
            pub(crate) fn retain(handle: Option<&Self>) -> *mut Self {
                handle.map_or(std::ptr::null_mut(), |handle| {
                    handle.0.retain();
                    std::ptr::from_ref(handle).cast_mut()
                })
            }

            /// Frees a handle that `read` returned. Does nothing for NULL.
            pub(crate) fn release(handle: *mut Self) {
                if let Some(handle) = std::ptr::NonNull::new(handle) {
                    // SAFETY: The header asks that a handle is freed once, with the function of its type, when nothing that was
                    // borrowed from it is used any more; handles of this type come from `read` alone.
                    unsafe { $crate::held::Held::<$family>::free(handle.cast()) }
                }
            }
        }
    };
}
