use core::ffi::{CStr, c_char, c_int, c_void};

use tagwise_krb5_plugin_sys::mit::{
    krb5_certauth_moddata as Data, krb5_certauth_vtable_st as Table, krb5_const_principal, krb5_context, krb5_db_entry,
};

use super::guard::{caught, finish, guard, module, name, store, version};
use super::memory::{free_strings, strings};
use super::private::Vtable;
use crate::certauth::{Authorize, Certauth, Opinion};
use crate::codes;
use crate::host::lent::{Lent, texts};
use crate::view::{DbEntryRef, PrincipalRef};

unsafe extern "C" fn init<T: Certauth>(context: krb5_context, data: *mut Data) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init(context)?)) }
}

unsafe extern "C" fn init_ex<T: Certauth>(
    context: krb5_context,
    realms: *const *const c_char,
    data: *mut Data,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init_ex(context, &texts(realms))?)) }
}

unsafe extern "C" fn fini<T: Certauth>(context: krb5_context, data: Data) {
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

unsafe extern "C" fn authorize<T: Certauth>(
    context: krb5_context,
    data: Data,
    cert: *const u8,
    length: usize,
    princ: krb5_const_principal,
    _opts: *const c_void,
    entry: *const krb5_db_entry,
    indicators: *mut *mut *mut c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            let mismatch = codes::KRB5KDC_ERR_CERTIFICATE_MISMATCH;
            if cert.is_null() || length > isize::MAX.cast_unsigned() {
                return Err(mismatch.into());
            }
            let asked = Authorize {
                cert: core::slice::from_raw_parts(cert, length),
                princ: Lent::new(princ).map(PrincipalRef).ok_or(mismatch)?,
                entry: Lent::new(entry).map(DbEntryRef),
            };
            let decision = module::<T, _>(data)?.authorize(context, &asked)?;
            if !decision.indicators.is_empty() && !indicators.is_null() {
                indicators.write(strings(decision.indicators));
            }
            match decision.opinion {
                Opinion::Authorized => Ok(()),
                Opinion::AuthorizedInHardware => Err(codes::KRB5_CERTAUTH_HWAUTH.into()),
                Opinion::None => Err(codes::KRB5_PLUGIN_NO_HANDLE.into()),
                Opinion::NoneInHardware => Err(codes::KRB5_CERTAUTH_HWAUTH_PASS.into()),
            }
        })
    }
}

unsafe extern "C" fn free_ind(_: krb5_context, _: Data, list: *mut *mut c_char) {
    // SAFETY: the host gives back what `authorize` wrote.
    caught(|| unsafe { free_strings(list) });
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn certauth<T: Certauth>(
    context: krb5_context,
    major: c_int,
    minor: c_int,
    table: Vtable,
    named: &'static CStr,
) -> c_int {
    // SAFETY: the caller's; each field is written through a pointer of its own, since an older table ends before the last.
    unsafe {
        guard(context, |_| {
            let minor = version(major, minor, table)?;
            let table = table.cast::<Table>();
            (&raw mut (*table).name).write(name(named));
            (&raw mut (*table).init).write(Some(init::<T>));
            (&raw mut (*table).fini).write(Some(fini::<T>));
            (&raw mut (*table).authorize).write(Some(authorize::<T>));
            (&raw mut (*table).free_ind).write(Some(free_ind));
            if minor >= 2 {
                (&raw mut (*table).init_ex).write(Some(init_ex::<T>));
            }
            Ok(())
        })
    }
}
