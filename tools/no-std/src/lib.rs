//! Compiles only while the codec links no standard library.
//!
//! The standard library brings its own panic handler, and a program may hold one: should any crate
//! below this one link it, the compiler stops with "duplicate lang item `panic_impl`". This needs no
//! second target to be installed, and it is only ever checked, never run.

#![no_std]
#![forbid(unsafe_code)]

// Named, for a dependency nobody names is not loaded.
pub use tagwise_codec as codec;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
