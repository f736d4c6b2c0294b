use core::ffi::{CStr, c_char, c_int, c_long, c_uint};
use core::slice;

use tagwise_krb5_plugin_sys::mit::{
    kadm5_hook_modinfo as Data, kadm5_hook_vtable_1_st as Table, kadm5_principal_ent_t, kadm5_ret_t, krb5_context,
    krb5_key_salt_tuple, krb5_principal,
};

use super::guard::{finish, guard, module, name, store, version};
use super::private::Vtable;
use crate::host::lent::{Lent, text};
use crate::kadm5_hook::{Chpass, Create, Kadm5Hook, KeySalt, Stage};
use crate::view::{PrincipalEntryRef, PrincipalRef};
use crate::{Error, Result, codes};

fn broken() -> Error {
    codes::KRB5KRB_ERR_GENERIC.into()
}

fn stage(stage: c_int) -> Result<Stage> {
    match stage {
        0 => Ok(Stage::Precommit),
        1 => Ok(Stage::Postcommit),
        _ => Err(Error::new(codes::KRB5_PLUGIN_OP_NOTSUPP, "unknown stage of a hook")),
    }
}

/// Borrows a principal from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a`.
unsafe fn principal<'a>(pointer: krb5_principal) -> Result<PrincipalRef<'a>> {
    // SAFETY: the caller's.
    unsafe { Lent::new(pointer.cast_const()) }.map(PrincipalRef).ok_or_else(broken)
}

/// Borrows a principal record from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a` in the fields that the mask sets.
unsafe fn entry<'a>(pointer: kadm5_principal_ent_t, mask: c_long) -> Result<PrincipalEntryRef<'a>> {
    // SAFETY: the caller's.
    let lent = unsafe { Lent::new(pointer.cast_const()) }.ok_or_else(broken)?;
    Ok(PrincipalEntryRef(lent, mask.cast_unsigned()))
}

/// Copies a list of key and salt types from the host.
///
/// # Safety
///
/// The array must be null or contain `count` elements.
unsafe fn tuples(count: c_int, list: *const krb5_key_salt_tuple) -> Vec<KeySalt> {
    match usize::try_from(count) {
        // SAFETY: the caller's.
        Ok(count) if !list.is_null() => unsafe { slice::from_raw_parts(list, count) }
            .iter()
            .map(|tuple| KeySalt { enctype: tuple.ks_enctype, salttype: tuple.ks_salttype })
            .collect(),
        _ => Vec::new(),
    }
}

unsafe extern "C" fn init<T: Kadm5Hook>(context: krb5_context, data: *mut *mut Data) -> kadm5_ret_t {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init(context)?)) }.into()
}

unsafe extern "C" fn fini<T: Kadm5Hook>(context: krb5_context, data: *mut Data) {
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

unsafe extern "C" fn chpass<T: Kadm5Hook>(
    context: krb5_context,
    data: *mut Data,
    at: c_int,
    princ: krb5_principal,
    keepold: c_uint,
    count: c_int,
    list: *mut krb5_key_salt_tuple,
    newpass: *const c_char,
) -> kadm5_ret_t {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    let code = unsafe {
        guard(context, |context| {
            let change = Chpass {
                princ: principal(princ)?,
                keepold: keepold != 0,
                ks_tuple: tuples(count, list.cast_const()),
                newpass: text(newpass),
            };
            module::<T, _>(data)?.chpass(context, stage(at)?, &change)
        })
    };
    code.into()
}

unsafe extern "C" fn create<T: Kadm5Hook>(
    context: krb5_context,
    data: *mut Data,
    at: c_int,
    record: kadm5_principal_ent_t,
    mask: c_long,
    count: c_int,
    list: *mut krb5_key_salt_tuple,
    password: *const c_char,
) -> kadm5_ret_t {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    let code = unsafe {
        guard(context, |context| {
            let change = Create {
                entry: entry(record, mask)?,
                ks_tuple: tuples(count, list.cast_const()),
                password: text(password),
            };
            module::<T, _>(data)?.create(context, stage(at)?, &change)
        })
    };
    code.into()
}

unsafe extern "C" fn modify<T: Kadm5Hook>(
    context: krb5_context,
    data: *mut Data,
    at: c_int,
    record: kadm5_principal_ent_t,
    mask: c_long,
) -> kadm5_ret_t {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    let code =
        unsafe { guard(context, |context| module::<T, _>(data)?.modify(context, stage(at)?, entry(record, mask)?)) };
    code.into()
}

unsafe extern "C" fn remove<T: Kadm5Hook>(
    context: krb5_context,
    data: *mut Data,
    at: c_int,
    princ: krb5_principal,
) -> kadm5_ret_t {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe { guard(context, |context| module::<T, _>(data)?.remove(context, stage(at)?, principal(princ)?)) }.into()
}

unsafe extern "C" fn rename<T: Kadm5Hook>(
    context: krb5_context,
    data: *mut Data,
    at: c_int,
    from: krb5_principal,
    to: krb5_principal,
) -> kadm5_ret_t {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    let code = unsafe {
        guard(context, |context| module::<T, _>(data)?.rename(context, stage(at)?, principal(from)?, principal(to)?))
    };
    code.into()
}

unsafe extern "C" fn alias<T: Kadm5Hook>(
    context: krb5_context,
    data: *mut Data,
    at: c_int,
    alias: krb5_principal,
    target: krb5_principal,
) -> kadm5_ret_t {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    let code = unsafe {
        guard(context, |context| {
            module::<T, _>(data)?.alias(context, stage(at)?, principal(alias)?, principal(target)?)
        })
    };
    code.into()
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn kadm5_hook<T: Kadm5Hook>(
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
            (&raw mut (*table).chpass).write(Some(chpass::<T>));
            (&raw mut (*table).create).write(Some(create::<T>));
            (&raw mut (*table).modify).write(Some(modify::<T>));
            (&raw mut (*table).remove).write(Some(remove::<T>));
            if minor >= 2 {
                (&raw mut (*table).rename).write(Some(rename::<T>));
            }
            if minor >= 3 {
                (&raw mut (*table).alias).write(Some(alias::<T>));
            }
            Ok(())
        })
    }
}
