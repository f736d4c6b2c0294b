//! Arenas: memory that is freed all at once.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;

use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::options::tagwise_options;
use crate::schema::tagwise_rules;
use crate::settings::Settings;

/// The unit of allocation, with the alignment of C's `max_align_t`.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Unit(#[expect(dead_code, reason = "it is reached by address")] [u8; 16]);

/// The number of units in a chunk (16 KiB), unless a single allocation needs more.
const CHUNK: usize = 1024;

/// The memory of decoded values, freed all at once, with the rules for decoding into it. Not thread-safe.
pub struct tagwise_arena {
    /// The memory chunks. Callers write to them through pointers.
    chunks: Vec<Vec<UnsafeCell<Unit>>>,
    /// The number of units used in the last chunk.
    used: usize,
    /// The number of bytes that may still be allocated.
    left: usize,
    limit: usize,
    pub(super) how: Settings<How>,
}

/// The rules and options for decoding into an arena.
pub(super) struct How {
    pub(super) rules: tagwise_rules,
    pub(super) options: Option<tagwise_options>,
}

impl tagwise_arena {
    pub(super) const fn new(limit: usize) -> Self {
        let limit = if limit == 0 { 1 << 30 } else { limit };
        Self {
            chunks: Vec::new(),
            used: 0,
            left: limit,
            limit,
            how: Settings::new(How { rules: tagwise_rules::Der, options: None }),
        }
    }

    /// Allocates zeroed memory. The pointer is valid until the arena is reset or freed.
    pub(super) fn zeroed(&mut self, bytes: usize) -> Result<*mut u8, Problem> {
        let exceeded =
            || Problem::new(tagwise_error_kind::Input, "memory-exceeded", "the value exceeds the arena's memory");
        let units = bytes.div_ceil(size_of::<Unit>()).max(1);
        let taken = units.checked_mul(size_of::<Unit>()).ok_or_else(exceeded)?;
        self.left = self.left.checked_sub(taken).ok_or_else(exceeded)?;
        let fits = self.chunks.last().is_some_and(|chunk| chunk.len() - self.used >= units);
        if !fits {
            let mut chunk = Vec::new();
            let len = units.max(CHUNK);
            chunk.try_reserve_exact(len).map_err(|error| exceeded().because(&error))?;
            chunk.resize_with(len, || UnsafeCell::new(Unit([0; 16])));
            self.chunks.push(chunk);
            self.used = 0;
        }
        let from = self.used;
        self.used += units;
        let place = self.chunks.last().and_then(|chunk| chunk.get(from..from + units));
        let place = place.ok_or_else(|| Problem::internal("the arena is shorter than its recorded length"))?;
        Ok(UnsafeCell::raw_get(place.as_ptr()).cast())
    }

    /// Overwrites the used memory, which may contain passwords and keys.
    fn wipe(&mut self) {
        let last = self.chunks.len().saturating_sub(1);
        for (number, chunk) in self.chunks.iter_mut().enumerate() {
            let used = if number == last { self.used } else { chunk.len() };
            chunk.iter_mut().take(used).for_each(|unit| *unit.get_mut() = Unit([0; 16]));
            // The compiler may not leave the writing out.
            std::hint::black_box(chunk.as_mut_ptr());
        }
    }

    /// Copies bytes into the arena. The copy is valid until the arena is reset or freed.
    pub(super) fn keep<'a>(&mut self, bytes: &[u8]) -> Result<&'a [u8], Problem> {
        let place = self.zeroed(bytes.len())?;
        // SAFETY: `place` leads to at least `bytes.len()` bytes that nobody else has; they are not written again until the arena is reset or
        // freed, which the header asks of callers not to do while they use what came out of it. No call keeps them any longer.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
            Ok(std::slice::from_raw_parts(place, bytes.len()))
        }
    }
}

impl Drop for tagwise_arena {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Creates an arena of at most `limit` bytes; 0 means 1 GiB. Free it with tagwise_arena_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_arena_new(limit: usize) -> Option<Box<tagwise_arena>> {
    guard!({ Some(Box::new(tagwise_arena::new(limit))) })
}

/// Frees an arena and everything decoded into it; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_arena_free(arena: Option<Box<tagwise_arena>>) {
    guard!(drop(arena))
}

/// Discards everything decoded into an arena, and keeps its memory for reuse.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_arena_reset(arena: Option<&mut tagwise_arena>) {
    guard!({
        if let Some(arena) = arena {
            arena.wipe();
            // One chunk is enough for most messages; one that was made for a long one goes.
            arena.chunks.retain(|chunk| chunk.len() == CHUNK);
            arena.chunks.truncate(1);
            arena.used = 0;
            arena.left = arena.limit;
        }
    })
}

/// Sets the encoding rules (a value of enum tagwise_rules) and the options for decoding into an arena. The options are
/// copied and may be NULL. The default is strict DER with the default budgets. After a failure, nothing can be decoded into
/// the arena.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_arena_set_rules(
    arena: Option<&mut tagwise_arena>,
    rules: u32,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, arena.how, |how| {
        how.rules = match rules {
            0 => tagwise_rules::Der,
            1 => tagwise_rules::Ber,
            2..=10 => {
                return Err(Problem::argument(
                    "generated types do not support PER, OER and XER; use tagwise_value_decode()",
                ));
            }
            _ => return Err(Problem::argument("not a value of enum tagwise_rules")),
        };
        how.options = options.cloned();
        Ok(())
    })
}

/// Allocates zeroed memory in an arena, for parts of a value that the program creates. The memory is aligned for every C type.
/// Returns NULL if the limit is reached.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_arena_alloc(arena: Option<&mut tagwise_arena>, bytes: usize) -> *mut std::ffi::c_void {
    guard!(arena.and_then(|arena| arena.zeroed(bytes).ok()).map_or(std::ptr::null_mut(), |place| place.cast()))
}
