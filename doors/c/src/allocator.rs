//! The memory allocator hook.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Memory allocation functions for the library.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tagwise_allocator {
    /// Allocates `size` bytes at an address that is a multiple of `align`, a power of two. Returns NULL on failure.
    allocate: Option<extern "C" fn(context: *mut c_void, size: usize, align: usize) -> *mut c_void>,
    /// Frees memory that `allocate` returned for the same `size` and `align`.
    release: Option<extern "C" fn(context: *mut c_void, memory: *mut c_void, size: usize, align: usize)>,
    /// Passed unchanged to both functions.
    context: *mut c_void,
}

struct Hook {
    allocate: extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    release: extern "C" fn(*mut c_void, *mut c_void, usize, usize),
    context: *mut c_void,
}

// SAFETY: The header asks that the functions may be called from any thread with this context.
unsafe impl Send for Hook {}
// SAFETY: As above.
unsafe impl Sync for Hook {}

static HOOK: OnceLock<Hook> = OnceLock::new();
/// True once the library has allocated memory. The hook can then no longer be changed.
static USED: AtomicBool = AtomicBool::new(false);

struct Hooked;

// SAFETY: All four functions hand on to one allocator, which does not change after its first use; it keeps to the layouts, or the
// header's demands on it are broken.
unsafe impl GlobalAlloc for Hooked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !USED.load(Ordering::Relaxed) {
            USED.store(true, Ordering::Relaxed);
        }
        match HOOK.get() {
            // SAFETY: The conditions are those of this function.
            None => unsafe { System.alloc(layout) },
            Some(hook) => (hook.allocate)(hook.context, layout.size(), layout.align()).cast(),
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        match HOOK.get() {
            // SAFETY: The conditions are those of this function.
            None => unsafe { System.dealloc(memory, layout) },
            Some(hook) => (hook.release)(hook.context, memory.cast(), layout.size(), layout.align()),
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if HOOK.get().is_none() {
            // SAFETY: The conditions are those of this function.
            return unsafe { System.realloc(memory, layout, size) };
        }
        // SAFETY: The caller keeps `size` within the bounds of a layout.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: `size` is not zero, by the conditions of this function.
        let moved = unsafe { self.alloc(new) };
        if !moved.is_null() {
            // SAFETY: Both have that many bytes, and the new room overlaps with nothing.
            unsafe { std::ptr::copy_nonoverlapping(memory, moved, layout.size().min(size)) };
            // SAFETY: The conditions are those of this function.
            unsafe { self.dealloc(memory, layout) };
        }
        moved
    }
}

#[global_allocator]
static GLOBAL: Hooked = Hooked;

/// Makes the whole process use the given functions for the library's allocations from now on. Call it once, before any
/// other function. Returns false if the library has already allocated memory, or a function is missing. Allocations in the
/// backend's own C code do not use these functions. If `allocate` returns NULL, the process is aborted.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_allocator_set(allocator: Option<&tagwise_allocator>) -> bool {
    guard!({
        let hook = allocator.and_then(|given| {
            Some(Hook { allocate: given.allocate?, release: given.release?, context: given.context })
        });
        hook.is_some_and(|hook| !USED.load(Ordering::Relaxed) && HOOK.set(hook).is_ok())
    })
}
