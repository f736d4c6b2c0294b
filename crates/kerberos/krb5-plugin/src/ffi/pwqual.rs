use core::ffi::{CStr, c_char, c_int};

use tagwise_krb5_plugin_sys::mit::{
    krb5_context, krb5_principal, krb5_pwqual_moddata as Data, krb5_pwqual_vtable_st as Table,
};

use super::guard::{finish, guard, module, name, store, version};
use super::private::Vtable;
use crate::codes;
use crate::host::lent::{Lent, text, texts};
use crate::pwqual::{Check, Pwqual};
use crate::view::PrincipalRef;

unsafe extern "C" fn open<T: Pwqual>(context: krb5_context, dict: *const c_char, data: *mut Data) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::open(context, text(dict))?)) }
}

unsafe extern "C" fn check<T: Pwqual>(
    context: krb5_context,
    data: Data,
    password: *const c_char,
    policy: *const c_char,
    princ: krb5_principal,
    languages: *mut *const c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `open` stored.
    unsafe {
        guard(context, |context| {
            let password = text(password).ok_or(codes::KADM5_PASS_Q_GENERIC)?;
            let princ = Lent::new(princ.cast_const()).map(PrincipalRef).ok_or(codes::KADM5_PASS_Q_GENERIC)?;
            let check = Check { password, policy_name: text(policy), princ, languages: texts(languages.cast_const()) };
            module::<T, _>(data)?.check(context, &check)
        })
    }
}

unsafe extern "C" fn close<T: Pwqual>(context: krb5_context, data: Data) {
    // SAFETY: the data is what `open` stored, and the host uses it no more.
    unsafe {
        guard(context, |context| {
            finish::<T, _>(data, |module| {
                module.close(context);
                Ok(())
            })
        });
    }
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn pwqual<T: Pwqual>(
    context: krb5_context,
    major: c_int,
    minor: c_int,
    table: Vtable,
    named: &'static CStr,
) -> c_int {
    // SAFETY: the caller's; all fields are of minor version 1.
    unsafe {
        guard(context, |_| {
            version(major, minor, table)?;
            table.cast::<Table>().write(Table {
                name: name(named),
                open: Some(open::<T>),
                check: Some(check::<T>),
                close: Some(close::<T>),
            });
            Ok(())
        })
    }
}
