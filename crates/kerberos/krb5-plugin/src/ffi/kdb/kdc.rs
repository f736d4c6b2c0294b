//! KDC methods: policy, delegation, certificates and PACs.

use core::ffi::{CStr, c_char, c_uint};
use core::ptr::null_mut;
use std::borrow::Cow;
use std::sync::Mutex;

use tagwise_codec::UnixTime;
use tagwise_krb5_plugin_sys::mit::{
    krb5_address, krb5_const_principal, krb5_context, krb5_data, krb5_db_entry, krb5_error_code, krb5_kdc_req,
    krb5_keyblock, krb5_pa_data, krb5_pac, krb5_ticket, krb5_timestamp,
};

use super::principals::give;
use super::{broken, entry, principal, state};
use crate::Result;
use crate::ffi::given::pa_list;
use crate::host::lent::Lent;
use crate::host::memory::{copied, zeroed};
use crate::host::pac::Pac;
use crate::kdb::{AsAudit, AsPolicy, Delegation, DelegationFrom, Denial, Flags, IssuePac, Kdb, TgsPolicy};
use crate::view::{AddressRef, DbEntryRef, KeyRef, NewPac, PacRef, PrincipalRef, RequestRef, TicketRef};

fn time(seconds: krb5_timestamp) -> UnixTime {
    UnixTime(seconds.cast_unsigned().into())
}

/// Borrows bytes from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a`.
unsafe fn bytes<'a>(data: *const krb5_data) -> &'a [u8] {
    // SAFETY: the caller's.
    unsafe { Lent::new(data) }.map_or(&[], Lent::bytes)
}

pub(super) unsafe extern "C" fn check_transited_realms<T: Kdb>(
    context: krb5_context,
    transited: *const krb5_data,
    client_realm: *const krb5_data,
    server_realm: *const krb5_data,
) -> krb5_error_code {
    // SAFETY: the host's arguments are valid during the call, and the context's module is this one.
    unsafe {
        state::call::<T>(context, |driver, view| {
            driver.check_transited_realms(view, bytes(transited), bytes(client_realm), bytes(server_realm))
        })
    }
}

/// Returns a static copy of a status text, because the KDC logs the text after the call.
fn kept(status: Cow<'static, CStr>) -> &'static CStr {
    static KEPT: Mutex<Vec<&'static CStr>> = Mutex::new(Vec::new());
    /// The maximum number of different texts to keep, so that a driver cannot exhaust memory.
    const MOST: usize = 256;
    match status {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => {
            let mut all = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if let Some(found) = all.iter().find(|kept| **kept == text.as_c_str()) {
                return found;
            }
            if all.len() >= MOST {
                return c"DENIED_BY_DATABASE";
            }
            let text = Box::leak(text.into_boxed_c_str());
            all.push(text);
            text
        }
    }
}

/// Passes a verdict to the KDC.
///
/// # Safety
///
/// The pointers must be null or writable.
unsafe fn verdict(
    verdict: Result<(), Denial>,
    status: *mut *const c_char,
    data: *mut *mut *mut krb5_pa_data,
) -> Result<()> {
    let Err(denial) = verdict else { return Ok(()) };
    // SAFETY: the caller's; the KDC frees the data.
    unsafe {
        if !status.is_null() {
            status.write(kept(denial.status).as_ptr());
        }
        if let (false, Ok(list)) = (data.is_null(), pa_list(&denial.e_data)) {
            data.write(list);
        }
    }
    Err(denial.error)
}

/// Sets the status text of an error, if the driver did not set one.
///
/// # Safety
///
/// The pointer must be null, or readable and writable.
unsafe fn named(code: krb5_error_code, status: *mut *const c_char) -> krb5_error_code {
    // SAFETY: the caller's; the text is static.
    unsafe {
        if code != 0 && !status.is_null() && (*status).is_null() {
            status.write(c"DATABASE_FAILED".as_ptr());
        }
    }
    code
}

pub(super) unsafe extern "C" fn check_policy_as<T: Kdb>(
    context: krb5_context,
    request: *mut krb5_kdc_req,
    client: *mut krb5_db_entry,
    server: *mut krb5_db_entry,
    kdc_time: krb5_timestamp,
    status: *mut *const c_char,
    data: *mut *mut *mut krb5_pa_data,
) -> krb5_error_code {
    // SAFETY: as of `check_transited_realms`.
    unsafe {
        let code = state::call::<T>(context, |driver, view| {
            let check = AsPolicy {
                request: Lent::new(request).map(RequestRef).ok_or_else(broken)?,
                client: entry(client)?,
                server: entry(server)?,
                kdc_time: time(kdc_time),
            };
            verdict(driver.check_policy_as(view, &check), status, data)
        });
        named(code, status)
    }
}

pub(super) unsafe extern "C" fn check_policy_tgs<T: Kdb>(
    context: krb5_context,
    request: *mut krb5_kdc_req,
    server: *mut krb5_db_entry,
    ticket: *mut krb5_ticket,
    status: *mut *const c_char,
    data: *mut *mut *mut krb5_pa_data,
) -> krb5_error_code {
    // SAFETY: as of `check_transited_realms`.
    unsafe {
        let code = state::call::<T>(context, |driver, view| {
            let check = TgsPolicy {
                request: Lent::new(request).map(RequestRef).ok_or_else(broken)?,
                server: entry(server)?,
                ticket: Lent::new(ticket).map(TicketRef).ok_or_else(broken)?,
            };
            verdict(driver.check_policy_tgs(view, &check), status, data)
        });
        named(code, status)
    }
}

pub(super) unsafe extern "C" fn audit_as_req<T: Kdb>(
    context: krb5_context,
    request: *mut krb5_kdc_req,
    local_addr: *const krb5_address,
    remote_addr: *const krb5_address,
    client: *mut krb5_db_entry,
    server: *mut krb5_db_entry,
    authtime: krb5_timestamp,
    error_code: krb5_error_code,
) {
    // SAFETY: as of `check_transited_realms`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let audit = AsAudit {
                request: Lent::new(request).map(RequestRef).ok_or_else(broken)?,
                local_addr: Lent::new(local_addr).map(AddressRef),
                remote_addr: Lent::new(remote_addr).map(AddressRef),
                client: Lent::new(client).map(DbEntryRef),
                server: Lent::new(server).map(DbEntryRef),
                authtime: time(authtime),
                error_code,
            };
            driver.audit_as_req(view, &audit);
            Ok(())
        });
    }
}

pub(super) unsafe extern "C" fn refresh_config<T: Kdb>(context: krb5_context) {
    // SAFETY: the context is valid during the call, and its module is this one.
    unsafe {
        state::call::<T>(context, |driver, view| {
            driver.refresh_config(view);
            Ok(())
        });
    }
}

pub(super) unsafe extern "C" fn check_allowed_to_delegate<T: Kdb>(
    context: krb5_context,
    client: krb5_const_principal,
    server: *const krb5_db_entry,
    proxy: krb5_const_principal,
) -> krb5_error_code {
    // SAFETY: as of `check_transited_realms`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let delegation = Delegation {
                client: Lent::new(client).map(PrincipalRef),
                server: entry(server)?,
                proxy: Lent::new(proxy).map(PrincipalRef),
            };
            driver.check_allowed_to_delegate(view, &delegation)
        })
    }
}

pub(super) unsafe extern "C" fn get_s4u_x509_principal<T: Kdb>(
    context: krb5_context,
    certificate: *const krb5_data,
    name: krb5_const_principal,
    flags: c_uint,
    out: *mut *mut krb5_db_entry,
) -> krb5_error_code {
    // SAFETY: as of `check_transited_realms`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            give(out, || driver.get_s4u_x509_principal(view, bytes(certificate), principal(name)?, Flags(flags)))
        })
    }
}

pub(super) unsafe extern "C" fn allowed_to_delegate_from<T: Kdb>(
    context: krb5_context,
    client: krb5_const_principal,
    server: krb5_const_principal,
    pac: krb5_pac,
    proxy: *const krb5_db_entry,
) -> krb5_error_code {
    // SAFETY: as of `check_transited_realms`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let delegation = DelegationFrom {
                client: principal(client)?,
                server: principal(server)?,
                server_pac: Pac::new(view, pac).map(PacRef),
                proxy: entry(proxy)?,
            };
            driver.allowed_to_delegate_from(view, &delegation)
        })
    }
}

pub(super) unsafe extern "C" fn issue_pac<T: Kdb>(
    context: krb5_context,
    flags: c_uint,
    client: *mut krb5_db_entry,
    replaced_reply_key: *mut krb5_keyblock,
    server: *mut krb5_db_entry,
    signing_krbtgt: *mut krb5_db_entry,
    authtime: krb5_timestamp,
    old_pac: krb5_pac,
    new_pac: krb5_pac,
    auth_indicators: *mut *mut *mut krb5_data,
) -> krb5_error_code {
    // SAFETY: as of `check_transited_realms`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let issue = IssuePac {
                flags: Flags(flags),
                client: Lent::new(client).map(DbEntryRef),
                replaced_reply_key: Lent::new(replaced_reply_key).map(KeyRef),
                server: entry(server)?,
                signing_krbtgt: Lent::new(signing_krbtgt).map(DbEntryRef),
                authtime: time(authtime),
                old_pac: Pac::new(view, old_pac).map(PacRef),
                auth_indicators: indicators(auth_indicators),
            };
            let mut new_pac = NewPac(Pac::new(view, new_pac).ok_or_else(broken)?);
            let replaced = driver.issue_pac(view, &issue, &mut new_pac)?;
            drop(issue);
            match replaced {
                Some(replaced) if !auth_indicators.is_null() => replace_indicators(auth_indicators, &replaced),
                _ => Ok(()),
            }
        })
    }
}

/// Reads a list of indicators from the host.
///
/// # Safety
///
/// The pointers must be null, or valid and null-terminated for `'a`.
pub(super) unsafe fn indicators<'a>(list: *const *mut *mut krb5_data) -> Vec<&'a [u8]> {
    // SAFETY: the caller's.
    let lent = unsafe { Lent::new(list) };
    lent.map_or_else(Vec::new, |list| list.list(|list| list.cast_const()).map(Lent::bytes).collect())
}

/// Creates a list of indicators that the host frees. Returns null if there are none.
pub(super) fn given_indicators(indicators: &[impl AsRef<[u8]>]) -> Result<*mut *mut krb5_data> {
    if indicators.is_empty() {
        return Ok(null_mut());
    }
    let list = zeroed::<*mut krb5_data>(indicators.len() + 1)?;
    for (at, bytes) in indicators.iter().enumerate() {
        let bytes = bytes.as_ref();
        let made = zeroed::<krb5_data>(1).and_then(|item| {
            // SAFETY: both were just made, and the list has room for all items and a null pointer.
            unsafe {
                list.add(at).write(item);
                (*item).data = copied(bytes)?.cast();
                (*item).length = u32::try_from(bytes.len()).map_err(|_| libc::EINVAL)?;
            }
            Ok(())
        });
        if let Err(error) = made {
            // SAFETY: the list was just made, and ends where it is not filled.
            unsafe { free_indicators(list) };
            return Err(error);
        }
    }
    Ok(list)
}

/// Frees a list of indicators.
///
/// # Safety
///
/// The list must be null or valid, allocated with `malloc`, and not used afterwards.
pub(super) unsafe fn free_indicators(list: *mut *mut krb5_data) {
    if list.is_null() {
        return;
    }
    // SAFETY: the caller's.
    unsafe {
        let mut at = 0;
        while !(*list.add(at)).is_null() {
            let item = *list.add(at);
            libc::free((*item).data.cast());
            libc::free(item.cast());
            at += 1;
        }
        libc::free(list.cast());
    }
}

/// Replaces the host's indicators.
///
/// # Safety
///
/// `out` must be readable and writable, and must point to the host's list, which was allocated with `malloc`.
pub(super) unsafe fn replace_indicators(out: *mut *mut *mut krb5_data, indicators: &[Vec<u8>]) -> Result<()> {
    let list = given_indicators(indicators)?;
    // SAFETY: the caller's.
    unsafe { free_indicators(out.replace(list)) };
    Ok(())
}
