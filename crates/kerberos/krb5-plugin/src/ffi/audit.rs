use core::ffi::{CStr, c_int};

use tagwise_krb5_plugin_sys::audit::{krb5_audit_moddata as Data, krb5_audit_state, krb5_audit_vtable_st as Table};
use tagwise_krb5_plugin_sys::mit::{krb5_boolean, krb5_context};

use super::guard::{finish, guard, module, name, plain, store, version};
use super::private::Vtable;
use crate::audit::{Audit, Event};
use crate::host::lent::Lent;
use crate::{Result, codes};

unsafe extern "C" fn open<T: Audit>(data: *mut Data) -> c_int {
    // SAFETY: the host's argument is valid during the call.
    plain(|| unsafe { store(data, T::open()?) })
}

unsafe extern "C" fn close<T: Audit>(data: Data) -> c_int {
    // SAFETY: the data is what `open` stored, and the host uses it no more.
    plain(|| unsafe { finish::<T, _>(data, T::close) })
}

unsafe extern "C" fn kdc_start<T: Audit>(data: Data, success: krb5_boolean) -> c_int {
    // SAFETY: the data is what `open` stored.
    plain(|| unsafe { module::<T, _>(data) }?.kdc_start(success != 0))
}

unsafe extern "C" fn kdc_stop<T: Audit>(data: Data, success: krb5_boolean) -> c_int {
    // SAFETY: the data is what `open` stored.
    plain(|| unsafe { module::<T, _>(data) }?.kdc_stop(success != 0))
}

/// Reports a request.
///
/// # Safety
///
/// The arguments must be those with which the host calls the method.
unsafe fn event<T: Audit>(
    data: Data,
    success: krb5_boolean,
    state: *const krb5_audit_state,
    method: fn(&T, Event<'_>) -> Result<()>,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `open` stored.
    plain(|| unsafe {
        let state = Lent::new(state).ok_or(codes::KRB5KRB_ERR_GENERIC)?;
        method(module::<T, _>(data)?, Event { state, success: success != 0 })
    })
}

macro_rules! requests {
    ($($name:ident)*) => {$(
        unsafe extern "C" fn $name<T: Audit>(data: Data, success: krb5_boolean, state: *mut krb5_audit_state) -> c_int {
            // SAFETY: the host's call is handed on.
            unsafe { event::<T>(data, success, state.cast_const(), |module, event| module.$name(event)) }
        }
    )*};
}

requests! { as_req tgs_req tgs_s4u2self tgs_s4u2proxy tgs_u2u }

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn audit<T: Audit>(
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
                close: Some(close::<T>),
                kdc_start: Some(kdc_start::<T>),
                kdc_stop: Some(kdc_stop::<T>),
                as_req: Some(as_req::<T>),
                tgs_req: Some(tgs_req::<T>),
                tgs_s4u2self: Some(tgs_s4u2self::<T>),
                tgs_s4u2proxy: Some(tgs_s4u2proxy::<T>),
                tgs_u2u: Some(tgs_u2u::<T>),
            });
            Ok(())
        })
    }
}
