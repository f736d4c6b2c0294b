//! A crate that compiles only if the codec does not link the standard library.
//!
//! The standard library includes a panic handler, and a program may contain only one. If any crate below this one links it,
//! the compiler stops with "duplicate lang item `panic_impl`". This does not require a second target to be installed. The
//! crate is only checked, never run.

#![no_std]
#![forbid(unsafe_code)]

// Named, for a dependency nobody names is not loaded.
pub use tagwise_codec as codec;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
