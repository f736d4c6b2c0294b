//! Functions of libverto, the event loop that MIT's KDC has loaded.

use core::ffi::{CStr, c_int, c_long, c_uint, c_void};
use std::sync::OnceLock;

use super::Missing;
use crate::mit::verto_ctx;

/// A libverto event.
#[repr(C)]
#[derive(Debug)]
pub struct Event {
    _unused: [u8; 0],
}

/// A function that is called when an event occurs or is freed.
pub type Callback = Option<unsafe extern "C" fn(*mut verto_ctx, *mut Event)>;

/// Event flag: the event is deleted after it occurs.
pub const ONCE: c_uint = 0;
/// Event flag: the descriptor is readable.
pub const IO_READ: c_uint = 16;
/// Event flag: the descriptor is writable.
pub const IO_WRITE: c_uint = 32;

/// Looks up all functions of this module.
///
/// # Errors
///
/// Returns an error that names the first missing function.
pub fn check() -> Result<(), Missing> {
    static MISSING: OnceLock<Option<&'static str>> = OnceLock::new();
    const NAMES: [(&CStr, &str); 5] = [
        (c"verto_add_io", "verto_add_io"),
        (c"verto_add_timeout", "verto_add_timeout"),
        (c"verto_get_private", "verto_get_private"),
        (c"verto_set_private", "verto_set_private"),
        (c"verto_del", "verto_del"),
    ];
    let find = || NAMES.into_iter().find(|(name, _)| super::address(name) == 0).map(|(_, name)| name);
    MISSING.get_or_init(find).map_or(Ok(()), |name| Err(Missing(name)))
}

functions! {
    /// Adds an event for a file descriptor. Returns null on failure.
    fn verto_add_io(context: *mut verto_ctx, flags: c_uint, callback: Callback, descriptor: c_int) -> *mut Event;
    /// Adds a timer event, with its interval in milliseconds. Returns null on failure.
    fn verto_add_timeout(context: *mut verto_ctx, flags: c_uint, callback: Callback, interval: c_long) -> *mut Event;
    /// Returns an event's data.
    fn verto_get_private(event: *const Event) -> *mut c_void;
    /// Sets an event's data and the function that is called before the event is freed.
    fn verto_set_private(event: *mut Event, data: *mut c_void, freed: Callback);
    /// Deletes an event. Inside the event's own callback, the deletion takes effect when the callback returns.
    fn verto_del(event: *mut Event);
}
