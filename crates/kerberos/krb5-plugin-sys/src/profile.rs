//! Custom profile implementations: the method table in `profile.h` (minor version 1), which is identical in releases 1.20
//! to 1.22.
#![allow(non_camel_case_types, reason = "C's names")]

use core::ffi::{c_char, c_int, c_long, c_void};

/// The error code for a relation that does not exist.
pub const PROF_NO_RELATION: c_long = -1_429_577_725;

/// An unimplemented method.
pub type Unused = Option<unsafe extern "C" fn()>;

/// A profile's method table.
#[repr(C)]
pub struct profile_vtable {
    /// The minor version, 1.
    pub minor_ver: c_int,
    /// Returns the values of a relation.
    pub get_values: Option<unsafe extern "C" fn(*mut c_void, *const *const c_char, *mut *mut *mut c_char) -> c_long>,
    /// Frees the values of a relation.
    pub free_values: Option<unsafe extern "C" fn(*mut c_void, *mut *mut c_char)>,
    /// Frees the implementation's data.
    pub cleanup: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Copies the implementation's data.
    pub copy: Option<unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> c_long>,
    /// Starts an iteration.
    pub iterator_create: Unused,
    /// Returns the next item of an iteration.
    pub iterator: Unused,
    /// Ends an iteration.
    pub iterator_free: Unused,
    /// Frees a string returned by an iteration.
    pub free_string: Unused,
    /// Returns whether the profile is writable.
    pub writable: Unused,
    /// Returns whether the profile has been modified.
    pub modified: Unused,
    /// Changes a relation.
    pub update_relation: Unused,
    /// Renames a section.
    pub rename_section: Unused,
    /// Adds a relation.
    pub add_relation: Unused,
    /// Writes pending changes.
    pub flush: Unused,
}
