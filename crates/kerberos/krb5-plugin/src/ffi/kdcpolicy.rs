use core::ffi::{CStr, c_char, c_int};

use tagwise_krb5_plugin_sys::mit::{
    krb5_context, krb5_db_entry, krb5_deltat, krb5_kdc_req, krb5_kdcpolicy_moddata as Data,
    krb5_kdcpolicy_vtable_st as Table, krb5_ticket,
};

use super::guard::{finish, guard, module, name, store, version};
use super::private::Vtable;
use crate::host::lent::{Lent, texts};
use crate::kdcpolicy::{AsCheck, Denial, Kdcpolicy, Limits, TgsCheck};
use crate::view::{DbEntryRef, RequestRef, TicketRef, seconds};
use crate::{Result, codes};

unsafe extern "C" fn init<T: Kdcpolicy>(context: krb5_context, data: *mut Data) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init(context)?)) }
}

unsafe extern "C" fn fini<T: Kdcpolicy>(context: krb5_context, data: Data) -> c_int {
    // SAFETY: the data is what `init` stored, and the host uses it no more.
    unsafe {
        guard(context, |context| {
            finish::<T, _>(data, |module| {
                module.fini(context);
                Ok(())
            })
        })
    }
}

/// Output pointers for a verdict.
struct Out {
    status: *mut *const c_char,
    lifetime: *mut krb5_deltat,
    renew_lifetime: *mut krb5_deltat,
}

impl Out {
    /// Sets the status text of an error, if the module did not set one.
    ///
    /// # Safety
    ///
    /// The pointer must be null, or readable and writable.
    unsafe fn named(&self, code: c_int) -> c_int {
        // SAFETY: the caller's; the text is static.
        unsafe {
            if code != 0 && !self.status.is_null() && (*self.status).is_null() {
                self.status.write(c"PLUGIN_FAILED".as_ptr());
            }
        }
        code
    }

    /// Writes a verdict.
    ///
    /// # Safety
    ///
    /// The pointers must be null or writable.
    unsafe fn write(&self, verdict: Result<Limits, Denial>) -> Result<()> {
        match verdict {
            Ok(limits) => {
                for (out, limit) in [(self.lifetime, limits.lifetime), (self.renew_lifetime, limits.renew_lifetime)] {
                    if let (Some(limit), false) = (limit, out.is_null()) {
                        // To the KDC 0 is no limit, which is the contrary of a life of no time.
                        // SAFETY: the caller's.
                        unsafe { out.write(seconds(limit).max(1)) };
                    }
                }
                Ok(())
            }
            Err(denial) => {
                if !self.status.is_null() {
                    // SAFETY: the caller's; the text is static.
                    unsafe { self.status.write(denial.status.as_ptr()) };
                }
                Err(denial.error)
            }
        }
    }
}

unsafe extern "C" fn check_as<T: Kdcpolicy>(
    context: krb5_context,
    data: Data,
    request: *const krb5_kdc_req,
    client: *const krb5_db_entry,
    server: *const krb5_db_entry,
    indicators: *const *const c_char,
    status: *mut *const c_char,
    lifetime: *mut krb5_deltat,
    renew_lifetime: *mut krb5_deltat,
) -> c_int {
    let out = Out { status, lifetime, renew_lifetime };
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        let code = guard(context, |context| {
            let check = AsCheck {
                request: Lent::new(request).map(RequestRef).ok_or(codes::KRB5KDC_ERR_POLICY)?,
                client: Lent::new(client).map(DbEntryRef).ok_or(codes::KRB5KDC_ERR_POLICY)?,
                server: Lent::new(server).map(DbEntryRef).ok_or(codes::KRB5KDC_ERR_POLICY)?,
                auth_indicators: texts(indicators),
            };
            out.write(module::<T, _>(data)?.check_as(context, &check))
        });
        out.named(code)
    }
}

unsafe extern "C" fn check_tgs<T: Kdcpolicy>(
    context: krb5_context,
    data: Data,
    request: *const krb5_kdc_req,
    server: *const krb5_db_entry,
    ticket: *const krb5_ticket,
    indicators: *const *const c_char,
    status: *mut *const c_char,
    lifetime: *mut krb5_deltat,
    renew_lifetime: *mut krb5_deltat,
) -> c_int {
    let out = Out { status, lifetime, renew_lifetime };
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        let code = guard(context, |context| {
            let check = TgsCheck {
                request: Lent::new(request).map(RequestRef).ok_or(codes::KRB5KDC_ERR_POLICY)?,
                server: Lent::new(server).map(DbEntryRef).ok_or(codes::KRB5KDC_ERR_POLICY)?,
                ticket: Lent::new(ticket).map(TicketRef).ok_or(codes::KRB5KDC_ERR_POLICY)?,
                auth_indicators: texts(indicators),
            };
            out.write(module::<T, _>(data)?.check_tgs(context, &check))
        });
        out.named(code)
    }
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn kdcpolicy<T: Kdcpolicy>(
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
                fini: Some(fini::<T>),
                check_as: Some(check_as::<T>),
                check_tgs: Some(check_tgs::<T>),
            });
            Ok(())
        })
    }
}
