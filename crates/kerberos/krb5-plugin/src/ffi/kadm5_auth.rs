use core::ffi::{CStr, c_char, c_int, c_long};
use core::ptr::null_mut;
use std::ffi::CString;

use tagwise_krb5_plugin_sys::mit::{
    _kadm5_policy_ent_t, _kadm5_principal_ent_t, kadm5_auth_moddata as Data, kadm5_auth_restrictions,
    kadm5_auth_vtable_st as Table, krb5_const_principal, krb5_context,
};

use super::guard::{caught, finish, guard, module, name, store, version};
use super::private::Vtable;
use crate::host::lent::{Lent, text};
use crate::kadm5_auth::{Kadm5Auth, PolicyRestriction, Restrictions};
use crate::view::{PolicyRef, PrincipalEntryRef, PrincipalRef, seconds};
use crate::{Error, Result};

/// Returns the error for a call with a missing argument. It denies the operation.
fn broken() -> Error {
    Error::denied("the request names no principal or policy")
}

/// Borrows a principal from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a`.
unsafe fn principal<'a>(pointer: krb5_const_principal) -> Result<PrincipalRef<'a>> {
    // SAFETY: the caller's.
    unsafe { Lent::new(pointer) }.map(PrincipalRef).ok_or_else(broken)
}

/// Borrows a principal record from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a` in the fields that the mask sets.
unsafe fn record<'a>(pointer: *const _kadm5_principal_ent_t, mask: c_long) -> Result<PrincipalEntryRef<'a>> {
    // SAFETY: the caller's.
    let lent = unsafe { Lent::new(pointer) }.ok_or_else(broken)?;
    Ok(PrincipalEntryRef(lent, mask.cast_unsigned()))
}

/// Borrows a policy record from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a` in the fields that the mask sets.
unsafe fn policy_record<'a>(pointer: *const _kadm5_policy_ent_t, mask: c_long) -> Result<PolicyRef<'a>> {
    // SAFETY: the caller's.
    let lent = unsafe { Lent::new(pointer) }.ok_or_else(broken)?;
    Ok(PolicyRef(lent, mask.cast_unsigned()))
}

/// Bits of the restriction mask, from `kadm5/admin.h`.
mod bit {
    pub(super) const PRINC_EXPIRE_TIME: i64 = 0x2;
    pub(super) const PW_EXPIRATION: i64 = 0x4;
    pub(super) const ATTRIBUTES: i64 = 0x10;
    pub(super) const MAX_LIFE: i64 = 0x20;
    pub(super) const POLICY: i64 = 0x800;
    pub(super) const POLICY_CLR: i64 = 0x1000;
    pub(super) const MAX_RLIFE: i64 = 0x2000;
}

/// Passes restrictions to the host, which returns them to `free_restrictions`.
///
/// # Safety
///
/// `out` must be null or writable.
unsafe fn give(restrictions: Option<Restrictions>, out: *mut *mut kadm5_auth_restrictions) -> Result<()> {
    let Some(restrictions) = restrictions else { return Ok(()) };
    if out.is_null() {
        return Err(Error::denied("the host does not support restrictions"));
    }
    let mut made = kadm5_auth_restrictions {
        mask: 0,
        require_attrs: 0,
        // The host clears the bits that this does not have.
        forbid_attrs: -1,
        princ_lifetime: 0,
        pw_lifetime: 0,
        max_life: 0,
        max_renewable_life: 0,
        policy: null_mut(),
    };
    if let Some((set, clear)) = restrictions.attributes {
        made.mask |= bit::ATTRIBUTES;
        made.require_attrs = set.cast_signed();
        made.forbid_attrs = (!clear).cast_signed();
    }
    for (span, field, bit) in [
        (restrictions.princ_lifetime, &mut made.princ_lifetime, bit::PRINC_EXPIRE_TIME),
        (restrictions.pw_lifetime, &mut made.pw_lifetime, bit::PW_EXPIRATION),
        (restrictions.max_life, &mut made.max_life, bit::MAX_LIFE),
        (restrictions.max_renewable_life, &mut made.max_renewable_life, bit::MAX_RLIFE),
    ] {
        if let Some(span) = span {
            made.mask |= bit;
            *field = seconds(span);
        }
    }
    match restrictions.policy {
        Some(PolicyRestriction::Named(policy)) => {
            made.mask |= bit::POLICY;
            made.policy = CString::new(policy).map_err(|_| broken())?.into_raw();
        }
        Some(PolicyRestriction::Cleared) => made.mask |= bit::POLICY_CLR,
        None => {}
    }
    // SAFETY: the caller's.
    unsafe { out.write(Box::into_raw(Box::new(made))) };
    Ok(())
}

unsafe extern "C" fn free_restrictions(_: krb5_context, _: Data, restrictions: *mut kadm5_auth_restrictions) {
    caught(|| {
        if !restrictions.is_null() {
            // SAFETY: the host gives back what `give` wrote.
            let restrictions = unsafe { Box::from_raw(restrictions) };
            if !restrictions.policy.is_null() {
                // SAFETY: `give` made it of a `CString`.
                drop(unsafe { CString::from_raw(restrictions.policy) });
            }
        }
    });
}

unsafe extern "C" fn init<T: Kadm5Auth>(context: krb5_context, acl_file: *const c_char, data: *mut Data) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init(context, text(acl_file))?)) }
}

unsafe extern "C" fn fini<T: Kadm5Auth>(context: krb5_context, data: Data) {
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

unsafe extern "C" fn end<T: Kadm5Auth>(context: krb5_context, data: Data) {
    // SAFETY: the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            module::<T, _>(data)?.end(context);
            Ok(())
        });
    }
}

macro_rules! on_principals {
    ($($name:ident)*) => {$(
        unsafe extern "C" fn $name<T: Kadm5Auth>(context: krb5_context, data: Data, client: krb5_const_principal, target: krb5_const_principal) -> c_int {
            // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
            unsafe { guard(context, |context| module::<T, _>(data)?.$name(context, principal(client)?, principal(target)?)) }
        }
    )*};
}

on_principals! { setkey cpw chrand purgekeys delprinc getprinc getstrs extract }

macro_rules! on_two_principals {
    ($($name:ident)*) => {$(
        unsafe extern "C" fn $name<T: Kadm5Auth>(context: krb5_context, data: Data, client: krb5_const_principal, one: krb5_const_principal, other: krb5_const_principal) -> c_int {
            // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
            unsafe { guard(context, |context| module::<T, _>(data)?.$name(context, principal(client)?, principal(one)?, principal(other)?)) }
        }
    )*};
}

on_two_principals! { renprinc addalias }

macro_rules! on_nothing {
    ($($name:ident)*) => {$(
        unsafe extern "C" fn $name<T: Kadm5Auth>(context: krb5_context, data: Data, client: krb5_const_principal) -> c_int {
            // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
            unsafe { guard(context, |context| module::<T, _>(data)?.$name(context, principal(client)?)) }
        }
    )*};
}

on_nothing! { listprincs listpols iprop }

macro_rules! on_records {
    ($($name:ident)*) => {$(
        unsafe extern "C" fn $name<T: Kadm5Auth>(context: krb5_context, data: Data, client: krb5_const_principal, target: krb5_const_principal, entry: *const _kadm5_principal_ent_t, mask: c_long, out: *mut *mut kadm5_auth_restrictions) -> c_int {
            // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
            unsafe { guard(context, |context| give(module::<T, _>(data)?.$name(context, principal(client)?, principal(target)?, record(entry, mask)?)?, out)) }
        }
    )*};
}

on_records! { addprinc modprinc }

macro_rules! on_policies {
    ($($name:ident)*) => {$(
        unsafe extern "C" fn $name<T: Kadm5Auth>(context: krb5_context, data: Data, client: krb5_const_principal, policy: *const c_char, entry: *const _kadm5_policy_ent_t, mask: c_long) -> c_int {
            // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
            unsafe { guard(context, |context| module::<T, _>(data)?.$name(context, principal(client)?, text(policy).ok_or_else(broken)?, policy_record(entry, mask)?)) }
        }
    )*};
}

on_policies! { addpol modpol }

unsafe extern "C" fn setstr<T: Kadm5Auth>(
    context: krb5_context,
    data: Data,
    client: krb5_const_principal,
    target: krb5_const_principal,
    key: *const c_char,
    value: *const c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            module::<T, _>(data)?.setstr(
                context,
                principal(client)?,
                principal(target)?,
                text(key).ok_or_else(broken)?,
                text(value),
            )
        })
    }
}

unsafe extern "C" fn delpol<T: Kadm5Auth>(
    context: krb5_context,
    data: Data,
    client: krb5_const_principal,
    policy: *const c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            module::<T, _>(data)?.delpol(context, principal(client)?, text(policy).ok_or_else(broken)?)
        })
    }
}

unsafe extern "C" fn getpol<T: Kadm5Auth>(
    context: krb5_context,
    data: Data,
    client: krb5_const_principal,
    policy: *const c_char,
    client_policy: *const c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            module::<T, _>(data)?.getpol(
                context,
                principal(client)?,
                text(policy).ok_or_else(broken)?,
                text(client_policy),
            )
        })
    }
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn kadm5_auth<T: Kadm5Auth>(
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
            (&raw mut (*table).addprinc).write(Some(addprinc::<T>));
            (&raw mut (*table).modprinc).write(Some(modprinc::<T>));
            (&raw mut (*table).setstr).write(Some(setstr::<T>));
            (&raw mut (*table).cpw).write(Some(cpw::<T>));
            (&raw mut (*table).chrand).write(Some(chrand::<T>));
            (&raw mut (*table).setkey).write(Some(setkey::<T>));
            (&raw mut (*table).purgekeys).write(Some(purgekeys::<T>));
            (&raw mut (*table).delprinc).write(Some(delprinc::<T>));
            (&raw mut (*table).renprinc).write(Some(renprinc::<T>));
            (&raw mut (*table).getprinc).write(Some(getprinc::<T>));
            (&raw mut (*table).getstrs).write(Some(getstrs::<T>));
            (&raw mut (*table).extract).write(Some(extract::<T>));
            (&raw mut (*table).listprincs).write(Some(listprincs::<T>));
            (&raw mut (*table).addpol).write(Some(addpol::<T>));
            (&raw mut (*table).modpol).write(Some(modpol::<T>));
            (&raw mut (*table).delpol).write(Some(delpol::<T>));
            (&raw mut (*table).getpol).write(Some(getpol::<T>));
            (&raw mut (*table).listpols).write(Some(listpols::<T>));
            (&raw mut (*table).iprop).write(Some(iprop::<T>));
            (&raw mut (*table).end).write(Some(end::<T>));
            (&raw mut (*table).free_restrictions).write(Some(free_restrictions));
            if minor >= 2 {
                (&raw mut (*table).addalias).write(Some(addalias::<T>));
            }
            Ok(())
        })
    }
}
