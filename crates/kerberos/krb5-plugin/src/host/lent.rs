//! Structures borrowed from the host for the duration of a call.

use core::ffi::{CStr, c_char};
use core::slice;

use tagwise_krb5_plugin_sys::mit::krb5_data;

/// A structure borrowed from the host, with all of its pointers valid for `'a`.
///
/// MIT guarantees this for every argument of a method until the method returns. Creating a value is unsafe, but reading through it is
/// safe.
pub(crate) struct Lent<'a, T>(&'a T);

impl<T> Clone for Lent<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lent<'_, T> {}

impl<'a, T> Lent<'a, T> {
    /// Wraps a pointer, which may be null.
    ///
    /// # Safety
    ///
    /// The structure and everything reachable from its pointers, including list and string terminators, must be valid and
    /// unchanged for `'a`.
    pub(crate) unsafe fn new(pointer: *const T) -> Option<Self> {
        // SAFETY: the caller's.
        unsafe { pointer.as_ref() }.map(Self)
    }

    /// Wraps a reference.
    ///
    /// # Safety
    ///
    /// The requirements of [`new`](Self::new) apply.
    pub(crate) unsafe fn of(structure: &'a T) -> Self {
        Self(structure)
    }

    /// Returns the structure.
    pub(crate) fn get(self) -> &'a T {
        self.0
    }

    /// Returns a nested structure.
    pub(crate) fn part<U>(self, of: fn(&T) -> &U) -> Lent<'a, U> {
        Lent(of(self.0))
    }

    /// Returns the structure that a field points to.
    pub(crate) fn pointed<U>(self, of: fn(&T) -> *const U) -> Option<Lent<'a, U>> {
        // SAFETY: what a lent structure points to is lent with it.
        unsafe { Lent::new(of(self.0)) }
    }

    /// Returns an array, given its pointer and count. A negative count means an empty array.
    pub(crate) fn array<U: 'a>(self, of: fn(&T) -> (*const U, i64)) -> &'a [U] {
        let (pointer, count) = of(self.0);
        match usize::try_from(count) {
            // SAFETY: what a lent structure points to is lent with it, and the count is that of the array.
            Ok(count) if count > 0 && !pointer.is_null() => unsafe { slice::from_raw_parts(pointer, count) },
            _ => &[],
        }
    }

    /// Returns the structures in an array, given its pointer and count.
    pub(crate) fn elements<U: 'a>(
        self,
        of: fn(&T) -> (*const U, i64),
    ) -> impl ExactSizeIterator<Item = Lent<'a, U>> + Clone {
        self.array(of).iter().map(Lent)
    }

    /// Returns the structures in a null-terminated array of pointers.
    pub(crate) fn list<U: 'a>(self, of: fn(&T) -> *const *mut U) -> impl Iterator<Item = Lent<'a, U>> + Clone {
        let list = of(self.0);
        (0..usize::MAX).map_while(move |at| {
            if list.is_null() {
                return None;
            }
            // SAFETY: the list is lent, no element before this was null, and so this one is inside of it.
            unsafe { Lent::new(*list.add(at)) }
        })
    }

    /// Returns a string, or `None` if the pointer is null.
    pub(crate) fn text(self, of: fn(&T) -> *const c_char) -> Option<&'a CStr> {
        // SAFETY: strings of a lent structure are lent with it.
        unsafe { text(of(self.0)) }
    }
}

impl<'a> Lent<'a, krb5_data> {
    /// Returns the bytes of a counted data structure.
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.array(|data| (data.data.cast_const().cast(), data.length.into()))
    }
}

/// Returns a string borrowed from the host, or `None` if the pointer is null.
///
/// # Safety
///
/// The string must be valid and unchanged for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: the caller's.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// Returns the strings in a null-terminated array, or none if the array is null.
///
/// # Safety
///
/// The array and its strings must be valid and unchanged for `'a`.
pub(crate) unsafe fn texts<'a>(list: *const *const c_char) -> Vec<&'a CStr> {
    let mut found = Vec::new();
    while !list.is_null() {
        // SAFETY: no element before this was null, and so this one is inside of the array.
        match unsafe { text(*list.add(found.len())) } {
            Some(text) => found.push(text),
            None => break,
        }
    }
    found
}
