//! Catches panics at the C boundary, and turns them into errors of the kind `TAGWISE_ERROR_KIND_INTERNAL`.

use std::any::Any;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::bytes::tagwise_bytes;
use crate::error::{Problem, tagwise_error};

/// The caller's output pointer for the error, which may be NULL.
pub(crate) type ErrorSlot<'a> = Option<&'a mut MaybeUninit<*mut tagwise_error>>;

/// A return type with a value that reports failure.
pub(crate) trait Failed {
    const FAILED: Self;
}

macro_rules! failed {
    ($($ty:ty = $value:expr),* $(,)?) => { $(impl Failed for $ty { const FAILED: Self = $value; })* };
}

failed!(
    bool = false,
    i32 = 0,
    i64 = 0,
    u8 = 0,
    u16 = 0,
    u32 = 0,
    u64 = 0,
    usize = 0,
    () = (),
    tagwise_bytes = tagwise_bytes::NONE
);

impl<T> Failed for *mut T {
    const FAILED: Self = std::ptr::null_mut();
}

impl<T> Failed for *const T {
    const FAILED: Self = std::ptr::null();
}

impl<T> Failed for Option<Box<T>> {
    const FAILED: Self = None;
}

/// Runs a fallible function and turns a panic into an error.
pub(crate) fn attempt<R>(body: impl FnOnce() -> Result<R, Problem>) -> Result<R, Problem> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        fault::point();
        body()
    }));
    outcome.unwrap_or_else(|payload| Err(internal(payload)))
}

/// Writes the error, unless the output pointer is NULL.
pub(crate) fn report(place: ErrorSlot<'_>, problem: Problem) {
    if let Some(place) = place {
        place.write(Box::into_raw(Box::new(tagwise_error::from(problem))));
    }
}

/// Runs a fallible function and writes its error, unless the output pointer is NULL.
pub(crate) fn fallible<R: Failed>(place: ErrorSlot<'_>, body: impl FnOnce() -> Result<R, Problem>) -> R {
    attempt(body).unwrap_or_else(|problem| {
        report(place, problem);
        R::FAILED
    })
}

/// Runs a function that can fail only because of a defect in this library.
pub(crate) fn infallible<R: Failed>(body: impl FnOnce() -> R) -> R {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        fault::point();
        body()
    }));
    outcome.unwrap_or_else(|payload| {
        discard(payload);
        R::FAILED
    })
}

/// Drops a panic's payload. Dropping it may panic too.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(move || drop(payload))) {
        std::mem::forget(again);
    }
}

fn internal(payload: Box<dyn Any + Send>) -> Problem {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    discard(payload);
    Problem::internal(text.as_deref().unwrap_or("no message"))
}

/// Generates the body of an exported function: `guard!(error, { … Ok(value) })` for functions with an error parameter,
/// otherwise `guard!({ … value })`.
macro_rules! guard {
    ($error:ident, $body:expr) => {
        $crate::shield::fallible($error, move || $body)
    };
    ($body:expr) => {
        $crate::shield::infallible(move || $body)
    };
}

/// Panics on demand, to test that no function lets a panic escape.
#[cfg(feature = "fault-injection")]
mod fault {
    use std::cell::Cell;

    thread_local! {
        static ARMED: Cell<bool> = const { Cell::new(false) };
    }

    #[expect(clippy::panic, reason = "that is what it is for")]
    pub(super) fn point() {
        if ARMED.replace(false) {
            panic!("injected");
        }
    }

    /// Makes the next function that this thread calls panic.
    #[unsafe(no_mangle)]
    extern "C" fn tagwise_fault_arm() {
        ARMED.set(true);
    }

    /// Returns whether the requested panic has occurred.
    #[unsafe(no_mangle)]
    extern "C" fn tagwise_fault_fired() -> bool {
        !ARMED.get()
    }
}

#[cfg(not(feature = "fault-injection"))]
mod fault {
    pub(super) const fn point() {}
}
