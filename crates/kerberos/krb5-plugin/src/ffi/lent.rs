//! Structures that the host lends for the duration of a call.

use core::ffi::{CStr, c_char};
use core::slice;

use tagwise_krb5_plugin_sys::mit::krb5_data;

/// A structure of the host's, all of whose pointers are valid for `'a`.
///
/// MIT keeps that for every argument of a method until the method returns. Making one is unsafe; reading through it is not.
pub(crate) struct Lent<'a, T>(&'a T);

impl<T> Clone for Lent<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lent<'_, T> {}

impl<'a, T> Lent<'a, T> {
    /// Takes a pointer, which may be null.
    ///
    /// # Safety
    ///
    /// The structure and all that its pointers lead to, lists with their ends and strings with theirs, are valid and unchanged for `'a`.
    pub(crate) unsafe fn new(pointer: *const T) -> Option<Self> {
        // SAFETY: the caller's.
        unsafe { pointer.as_ref() }.map(Self)
    }

    /// Takes a reference.
    ///
    /// # Safety
    ///
    /// As of [`new`](Self::new).
    pub(crate) unsafe fn of(structure: &'a T) -> Self {
        Self(structure)
    }

    /// The structure.
    pub(crate) fn get(self) -> &'a T {
        self.0
    }

    /// A structure inside of this one.
    pub(crate) fn part<U>(self, of: fn(&T) -> &U) -> Lent<'a, U> {
        Lent(of(self.0))
    }

    /// The structure that a field points to.
    pub(crate) fn pointed<U>(self, of: fn(&T) -> *const U) -> Option<Lent<'a, U>> {
        // SAFETY: what a lent structure points to is lent with it.
        unsafe { Lent::new(of(self.0)) }
    }

    /// An array with its count; a count below zero is none.
    pub(crate) fn array<U: 'a>(self, of: fn(&T) -> (*const U, i64)) -> &'a [U] {
        let (pointer, count) = of(self.0);
        match usize::try_from(count) {
            // SAFETY: what a lent structure points to is lent with it, and the count is that of the array.
            Ok(count) if count > 0 && !pointer.is_null() => unsafe { slice::from_raw_parts(pointer, count) },
            _ => &[],
        }
    }

    /// Structures of an array with its count.
    pub(crate) fn elements<U: 'a>(
        self,
        of: fn(&T) -> (*const U, i64),
    ) -> impl ExactSizeIterator<Item = Lent<'a, U>> + Clone {
        self.array(of).iter().map(Lent)
    }

    /// Structures of an array of pointers that ends in a null pointer.
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

    /// A string, unless the pointer is null.
    pub(crate) fn text(self, of: fn(&T) -> *const c_char) -> Option<&'a CStr> {
        // SAFETY: strings of a lent structure are lent with it.
        unsafe { text(of(self.0)) }
    }
}

impl<'a> Lent<'a, krb5_data> {
    /// The bytes of counted data.
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.array(|data| (data.data.cast_const().cast(), data.length.into()))
    }
}

/// A string that the host lends, unless the pointer is null.
///
/// # Safety
///
/// The string is valid and unchanged for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: the caller's.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// Strings of an array that ends in a null pointer; none if the array is null.
///
/// # Safety
///
/// The array and its strings are valid and unchanged for `'a`.
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
