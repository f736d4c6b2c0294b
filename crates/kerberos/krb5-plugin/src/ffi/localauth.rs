use core::ffi::{CStr, c_char, c_int};
use core::ptr::null;
use std::ffi::CString;

use tagwise_krb5_plugin_sys::mit::{
    krb5_const_principal, krb5_context, krb5_localauth_moddata as Data, krb5_localauth_vtable_st as Table,
};

use super::guard::{caught, finish, guard, module, name, store, version};
use super::private::Vtable;
use crate::host::lent::{Lent, text};
use crate::localauth::{An2ln, Localauth};
use crate::view::PrincipalRef;
use crate::{Error, codes};

const MOST_TYPES: usize = 16;

const fn types(list: &[&'static CStr]) -> [*const c_char; MOST_TYPES + 1] {
    assert!(list.len() <= MOST_TYPES, "a module can have at most 16 types of auth_to_local values");
    let mut made = [null(); MOST_TYPES + 1];
    let mut rest = list;
    let mut at = 0;
    while let [first, after @ ..] = rest {
        #[expect(clippy::indexing_slicing, reason = "the length was compared")]
        {
            made[at] = first.as_ptr();
        }
        rest = after;
        at += 1;
    }
    made
}

struct Types<T>(T);

impl<T: Localauth> Types<T> {
    const LIST: &'static [*const c_char; MOST_TYPES + 1] = &types(T::AN2LN_TYPES);
}

unsafe extern "C" fn init<T: Localauth>(context: krb5_context, data: *mut Data) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init(context)?)) }
}

unsafe extern "C" fn fini<T: Localauth>(context: krb5_context, data: Data) {
    // SAFETY: the data is what `init` stored, and the host uses it no more.
    unsafe {
        guard(context, |context| {
            finish::<T, _>(data, |module| {
                module.fini(context);
                Ok(())
            })
        });
    }
}

unsafe extern "C" fn userok<T: Localauth>(
    context: krb5_context,
    data: Data,
    aname: krb5_const_principal,
    lname: *const c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            let aname = Lent::new(aname).map(PrincipalRef).ok_or(libc::EPERM)?;
            let lname = text(lname).ok_or(libc::EPERM)?;
            module::<T, _>(data)?.userok(context, aname, lname)
        })
    }
}

unsafe extern "C" fn an2ln<T: Localauth>(
    context: krb5_context,
    data: Data,
    kind: *const c_char,
    residual: *const c_char,
    aname: krb5_const_principal,
    out: *mut *mut c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            let aname = Lent::new(aname).map(PrincipalRef).ok_or(codes::KRB5_LNAME_NOTRANS)?;
            let asked = An2ln { aname, kind: text(kind), residual: text(residual) };
            let account = module::<T, _>(data)?.an2ln(context, asked)?;
            // An empty name is not an account.
            if account.is_empty() || out.is_null() {
                return Err(codes::KRB5_LNAME_NOTRANS.into());
            }
            let account = CString::new(account)
                .map_err(|_| Error::new(libc::EINVAL, "a local name must not contain a zero byte"))?;
            out.write(account.into_raw());
            Ok(())
        })
    }
}

unsafe extern "C" fn free_string(_: krb5_context, _: Data, string: *mut c_char) {
    // SAFETY: the host gives back what `an2ln` wrote.
    caught(|| (!string.is_null()).then(|| drop(unsafe { CString::from_raw(string) })));
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn localauth<T: Localauth>(
    context: krb5_context,
    major: c_int,
    minor: c_int,
    table: Vtable,
    named: &'static CStr,
) -> c_int {
    // SAFETY: the caller's; all fields are of minor version 1. The host does not write to the types.
    unsafe {
        guard(context, |_| {
            version(major, minor, table)?;
            let types = if T::AN2LN_TYPES.is_empty() { null() } else { Types::<T>::LIST.as_ptr() };
            table.cast::<Table>().write(Table {
                name: name(named),
                an2ln_types: types.cast_mut(),
                init: Some(init::<T>),
                fini: Some(fini::<T>),
                userok: Some(userok::<T>),
                an2ln: Some(an2ln::<T>),
                free_string: Some(free_string),
            });
            Ok(())
        })
    }
}
