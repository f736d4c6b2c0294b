use core::ffi::{CStr, c_int};
use core::ptr::null_mut;
use std::ffi::CString;

use tagwise_krb5_plugin_sys::link;
use tagwise_krb5_plugin_sys::mit::{
    krb5_ccache, krb5_ccselect_moddata as Data, krb5_ccselect_vtable_st as Table, krb5_context, krb5_principal,
};

use super::guard::{finish, guard, module, name, store, version};
use super::private::Vtable;
use crate::ccselect::{Ccselect, Choice, Priority};
use crate::host::lent::Lent;
use crate::view::{Context, PrincipalRef};
use crate::{Error, Result, codes};

unsafe extern "C" fn init<T: Ccselect>(context: krb5_context, data: *mut Data, priority: *mut c_int) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe {
        guard(context, |context| {
            if priority.is_null() {
                return Err(codes::KRB5KRB_ERR_GENERIC.into());
            }
            let (module, when) = T::init(context)?;
            store(data, module)?;
            priority.write(match when {
                Priority::Heuristic => 1,
                Priority::Authoritative => 2,
            });
            Ok(())
        })
    }
}

unsafe extern "C" fn fini<T: Ccselect>(context: krb5_context, data: Data) {
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

/// Opens a credential cache and returns it with its client principal.
fn opened(context: &Context<'_>, name: &str) -> Result<(krb5_ccache, krb5_principal)> {
    let name = CString::new(name).map_err(|_| Error::new(libc::EINVAL, "a cache name must not contain a zero byte"))?;
    let (mut cache, mut princ) = (null_mut(), null_mut());
    // SAFETY: the context is valid during the call; a cache without a client is closed.
    unsafe {
        match link::krb5_cc_resolve(context.pointer(), name.as_ptr(), &raw mut cache)? {
            0 => {}
            code => return Err(code.into()),
        }
        match link::krb5_cc_get_principal(context.pointer(), cache, &raw mut princ) {
            Ok(0) => Ok((cache, princ)),
            failed => {
                link::krb5_cc_close(context.pointer(), cache)?;
                Err(failed?.into())
            }
        }
    }
}

unsafe extern "C" fn choose<T: Ccselect>(
    context: krb5_context,
    data: Data,
    server: krb5_principal,
    cache_out: *mut krb5_ccache,
    princ_out: *mut krb5_principal,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            let server = Lent::new(server.cast_const()).map(PrincipalRef).ok_or_else(Error::no_handle)?;
            if cache_out.is_null() || princ_out.is_null() {
                return Err(Error::no_handle());
            }
            match module::<T, _>(data)?.choose(context, server)? {
                Choice::Cache(name) => {
                    let (cache, princ) = opened(context, &name)?;
                    cache_out.write(cache);
                    princ_out.write(princ);
                    Ok(())
                }
                Choice::NoCache(principal) => {
                    princ_out.write(context.host_principal(&principal)?);
                    Err(codes::KRB5_CC_NOTFOUND.into())
                }
            }
        })
    }
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn ccselect<T: Ccselect>(
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
                init: Some(init::<T>),
                choose: Some(choose::<T>),
                fini: Some(fini::<T>),
            });
            Ok(())
        })
    }
}
