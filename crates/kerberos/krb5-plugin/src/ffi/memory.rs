//! Strings that are passed to the host and later returned to be freed.

use core::ffi::c_char;
use std::ffi::CString;

/// Creates a null-terminated array of strings that the module itself frees.
pub(crate) fn strings(list: Vec<CString>) -> *mut *mut c_char {
    let mut pointers: Vec<*mut c_char> = list.into_iter().map(CString::into_raw).collect();
    pointers.push(core::ptr::null_mut());
    Box::into_raw(pointers.into_boxed_slice()).cast()
}

/// Frees an array created by [`strings`].
///
/// # Safety
///
/// The list must be null, or an unchanged array from [`strings`], and must not be used afterwards.
pub(crate) unsafe fn free_strings(list: *mut *mut c_char) {
    if list.is_null() {
        return;
    }
    let mut count = 0;
    // SAFETY: the list ends in a null pointer, and what comes before are strings of `CString::into_raw`.
    unsafe {
        while !(*list.add(count)).is_null() {
            drop(CString::from_raw(*list.add(count)));
            count += 1;
        }
        drop(Box::from_raw(core::ptr::slice_from_raw_parts_mut(list, count + 1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_in_a_null_pointer() {
        let list = strings(vec![c"one".to_owned(), c"two".to_owned()]);
        // SAFETY: the list was just made.
        let texts = unsafe { crate::host::lent::texts(list.cast_const().cast()) };
        assert_eq!(texts, [c"one", c"two"]);
        // SAFETY: it is used no more.
        unsafe { free_strings(list) };
        // SAFETY: null is allowed.
        unsafe { free_strings(core::ptr::null_mut()) };
        let none = strings(Vec::new());
        // SAFETY: the list was just made.
        assert!(unsafe { *none }.is_null());
        // SAFETY: it is used no more.
        unsafe { free_strings(none) };
    }
}
