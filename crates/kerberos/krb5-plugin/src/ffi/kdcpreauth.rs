use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt;
use core::ptr::null_mut;
use core::time::Duration;
use std::ffi::CString;

use tagwise_krb5_plugin_sys::link::Missing;
use tagwise_krb5_plugin_sys::mit::{
    krb5_context, krb5_data, krb5_db_entry, krb5_kdc_rep, krb5_kdc_req, krb5_kdcpreauth_callbacks,
    krb5_kdcpreauth_callbacks_st, krb5_kdcpreauth_edata_respond_fn, krb5_kdcpreauth_moddata as Data,
    krb5_kdcpreauth_modreq, krb5_kdcpreauth_rock, krb5_kdcpreauth_vtable_st as Table, krb5_keyblock, krb5_pa_data,
    krb5_preauthtype, verto_ctx,
};

use super::guard::{caught, finish, guard, module, name, store, take, version};
use super::private::Vtable;
use super::{given, later};
use crate::host::context::{done, with_principal};
use crate::host::lent::{Lent, texts};
use crate::kdcpreauth::{Kdcpreauth, Reply};
use crate::view::{Context, DbEntryRef, KeyRef, Keyblock, PaDataRef, PrincipalRef, ReplyRef, RequestRef, span};
use crate::{Error, Principal, Result, codes};

const MOST_TYPES: usize = 16;

/// Returns a zero-terminated list of types.
pub(crate) const fn types(list: &[i32]) -> [i32; MOST_TYPES + 1] {
    assert!(list.len() <= MOST_TYPES, "a module can have at most 16 preauthentication types");
    let mut made = [0; MOST_TYPES + 1];
    let mut at = 0;
    while at < list.len() {
        #[expect(clippy::indexing_slicing, reason = "the index is below both lengths")]
        {
            assert!(list[at] != 0, "a preauthentication type must not be 0");
            made[at] = list[at];
        }
        at += 1;
    }
    made
}

struct Types<T>(T);

impl<T: Kdcpreauth> Types<T> {
    const LIST: &'static [i32; MOST_TYPES + 1] = &types(T::PA_TYPES);
}

/// The callbacks that the KDC offers to a mechanism during a request.
pub struct Exchange<'c> {
    context: &'c Context<'c>,
    callbacks: Lent<'c, krb5_kdcpreauth_callbacks_st>,
    rock: krb5_kdcpreauth_rock,
}

impl fmt::Debug for Exchange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Exchange")
    }
}

/// Returns a callback, if the structure's version is recent enough.
macro_rules! callback {
    ($exchange:ident, $field:ident, $version:literal) => {{
        let callbacks = $exchange.callbacks.get();
        // An older host's structure ends before the field, which must not be read.
        let found = if callbacks.vers >= $version { callbacks.$field } else { None };
        found.ok_or(Missing(concat!("of preauthentication: ", stringify!($field))))?
    }};
}

impl<'c> Exchange<'c> {
    /// Wraps the host's callbacks.
    ///
    /// # Safety
    ///
    /// The callbacks and their `rock` must be null or valid for `'c`.
    pub(super) unsafe fn new(
        context: &'c Context<'c>,
        callbacks: krb5_kdcpreauth_callbacks,
        rock: krb5_kdcpreauth_rock,
    ) -> Result<Self> {
        // SAFETY: the caller's.
        let callbacks = unsafe { Lent::new(callbacks.cast_const()) }.ok_or(codes::KRB5KRB_ERR_GENERIC)?;
        Ok(Self { context, callbacks, rock })
    }

    /// Returns the context.
    #[must_use]
    pub fn context(&self) -> &Context<'c> {
        self.context
    }

    /// Returns the KDC's event loop.
    pub(super) fn event_context(&self) -> Result<*mut verto_ctx> {
        let call = callback!(self, event_context, 1);
        // SAFETY: the callback is the host's, with its context and rock.
        let events = unsafe { call(self.context.pointer(), self.rock) };
        if events.is_null() { Err(codes::KRB5KDC_ERR_PREAUTH_FAILED.into()) } else { Ok(events) }
    }

    /// Returns the maximum clock skew.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn max_time_skew(&self) -> Result<Duration> {
        let call = callback!(self, max_time_skew, 1);
        // SAFETY: the callback is the host's, with its context and rock.
        Ok(span(unsafe { call(self.context.pointer(), self.rock) }))
    }

    /// Returns copies of the client's keys with the requested encryption types.
    ///
    /// # Errors
    ///
    /// Returns an error if the client has no such keys.
    pub fn client_keys(&self) -> Result<Vec<Keyblock>> {
        let (get, free) = (callback!(self, client_keys, 1), callback!(self, free_keys, 1));
        let mut keys: *mut krb5_keyblock = null_mut();
        // SAFETY: the callbacks are the host's; the keys end in one of type 0, and are freed after they were copied.
        unsafe {
            done(get(self.context.pointer(), self.rock, &raw mut keys))?;
            let mut found = Vec::new();
            while let Some(key) = Lent::new(keys.add(found.len()).cast_const()).filter(|key| key.get().enctype != 0) {
                found.push(KeyRef(key).to_keyblock());
            }
            free(self.context.pointer(), self.rock, keys);
            Ok(found)
        }
    }

    /// Returns the encoded request body. In a FAST tunnel, this is the inner request's body.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn request_body(&self) -> Result<&[u8]> {
        let call = callback!(self, request_body, 1);
        // SAFETY: the callback is the host's; the body stays during the request.
        let body = unsafe { Lent::new(call(self.context.pointer(), self.rock).cast_const()) };
        Ok(body.map(Lent::bytes).unwrap_or_default())
    }

    /// Returns the armor key, if the request is in a FAST tunnel.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn fast_armor(&self) -> Result<Option<KeyRef<'_>>> {
        let call = callback!(self, fast_armor, 1);
        // SAFETY: the callback is the host's; the key stays during the request.
        Ok(unsafe { Lent::new(call(self.context.pointer(), self.rock).cast_const()) }.map(KeyRef))
    }

    /// Returns a string attribute of the client.
    ///
    /// # Errors
    ///
    /// Returns an error if the attributes cannot be read.
    pub fn string(&self, key: &CStr) -> Result<Option<CString>> {
        let (get, free) = (callback!(self, get_string, 1), callback!(self, free_string, 1));
        let mut value: *mut c_char = null_mut();
        // SAFETY: the callbacks are the host's; the value is freed after it was copied.
        unsafe {
            done(get(self.context.pointer(), self.rock, key.as_ptr(), &raw mut value))?;
            let copy = crate::host::lent::text(value.cast_const()).map(CStr::to_owned);
            if !value.is_null() {
                free(self.context.pointer(), self.rock, value);
            }
            Ok(copy)
        }
    }

    /// Returns the client's entry.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn client_entry(&self) -> Result<Option<DbEntryRef<'_>>> {
        let call = callback!(self, client_entry, 1);
        // SAFETY: the callback is the host's; the entry stays during the request.
        let entry = unsafe { call(self.context.pointer(), self.rock) }.cast::<krb5_db_entry>();
        // SAFETY: as above.
        Ok(unsafe { Lent::new(entry.cast_const()) }.map(DbEntryRef))
    }

    /// Returns whether the client has a key with a requested encryption type.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn have_client_keys(&self) -> Result<bool> {
        let call = callback!(self, have_client_keys, 2);
        // SAFETY: the callback is the host's, with its context and rock.
        Ok(unsafe { call(self.context.pointer(), self.rock) } != 0)
    }

    /// Returns a copy of the reply key.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn client_keyblock(&self) -> Result<Option<Keyblock>> {
        let call = callback!(self, client_keyblock, 3);
        // SAFETY: the callback is the host's; the key is copied before anything could replace it.
        let key = unsafe { Lent::new(call(self.context.pointer(), self.rock)) };
        Ok(key.map(|key| KeyRef(key).to_keyblock()))
    }

    /// Adds an authentication indicator to the ticket.
    ///
    /// # Errors
    ///
    /// Returns any error from the KDC.
    pub fn add_auth_indicator(&self, indicator: &CStr) -> Result<()> {
        let call = callback!(self, add_auth_indicator, 3);
        // SAFETY: the callback is the host's, which copies the string.
        done(unsafe { call(self.context.pointer(), self.rock, indicator.as_ptr()) })
    }

    /// Returns the data stored by [`set_cookie`](Self::set_cookie) in an earlier round.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn cookie(&self, pa_type: i32) -> Result<Option<Vec<u8>>> {
        let call = callback!(self, get_cookie, 3);
        let mut data = krb5_data { magic: 0, length: 0, data: null_mut() };
        // SAFETY: the callback is the host's; what it points to is copied at once.
        unsafe {
            let found = call(self.context.pointer(), self.rock, pa_type, &raw mut data) != 0;
            Ok(Lent::new(&raw const data).filter(|_| found).map(|data| data.bytes().to_vec()))
        }
    }

    /// Stores data in an encrypted cookie, which the client returns in the next round.
    ///
    /// # Errors
    ///
    /// Returns any error from the KDC.
    pub fn set_cookie(&self, pa_type: i32, value: &[u8]) -> Result<()> {
        let call = callback!(self, set_cookie, 3);
        let data = borrowed(value)?;
        // SAFETY: the callback is the host's, which copies the data.
        done(unsafe { call(self.context.pointer(), self.rock, pa_type, &raw const data) })
    }

    /// Returns whether a principal is the client's name or an alias of it.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn match_client(&self, principal: &Principal) -> Result<bool> {
        let call = callback!(self, match_client, 4);
        with_principal(principal, |borrowed| {
            let pointer = core::ptr::from_ref(borrowed).cast_mut();
            // SAFETY: the callback is the host's, which only reads the principal.
            Ok(unsafe { call(self.context.pointer(), self.rock, pointer) } != 0)
        })
    }

    /// Returns the client's canonical name in the database.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn client_name(&self) -> Result<Option<PrincipalRef<'_>>> {
        let call = callback!(self, client_name, 4);
        // SAFETY: the callback is the host's; the name stays during the request.
        Ok(unsafe { Lent::new(call(self.context.pointer(), self.rock).cast_const()) }.map(PrincipalRef))
    }

    /// Sends a freshness token with the offer. Only effective in `edata`.
    ///
    /// # Errors
    ///
    /// Returns an error if the KDC does not provide this callback.
    pub fn send_freshness_token(&self) -> Result<()> {
        let call = callback!(self, send_freshness_token, 5);
        // SAFETY: the callback is the host's, with its context and rock.
        unsafe { call(self.context.pointer(), self.rock) };
        Ok(())
    }

    /// Verifies a freshness token.
    ///
    /// # Errors
    ///
    /// Returns `KRB5KDC_ERR_PREAUTH_EXPIRED` if the token is not valid.
    pub fn check_freshness_token(&self, token: &[u8]) -> Result<()> {
        let call = callback!(self, check_freshness_token, 5);
        let data = borrowed(token)?;
        // SAFETY: the callback is the host's, which only reads the data.
        done(unsafe { call(self.context.pointer(), self.rock, &raw const data) })
    }

    /// Replaces the reply key. Set `is_strengthen` if the new key is derived from the client's long-term key.
    ///
    /// # Errors
    ///
    /// Returns any error from the KDC.
    pub fn replace_reply_key(&self, key: &Keyblock, is_strengthen: bool) -> Result<()> {
        let call = callback!(self, replace_reply_key, 6);
        let length = u32::try_from(key.contents().len()).map_err(|_| Error::from(libc::EINVAL))?;
        let contents = key.contents().as_ptr().cast_mut();
        let block = krb5_keyblock { magic: 0, enctype: key.enctype(), length, contents };
        // SAFETY: the callback is the host's, which copies the key.
        done(unsafe { call(self.context.pointer(), self.rock, &raw const block, is_strengthen.into()) })
    }
}

/// Creates a `krb5_data` that borrows the bytes.
pub(crate) fn borrowed(bytes: &[u8]) -> Result<krb5_data> {
    let length = u32::try_from(bytes.len()).map_err(|_| Error::from(libc::EINVAL))?;
    Ok(krb5_data { magic: 0, length, data: bytes.as_ptr().cast_mut().cast() })
}

unsafe extern "C" fn init<T: Kdcpreauth>(context: krb5_context, data: *mut Data, realms: *mut *const c_char) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init(context, &texts(realms.cast_const()))?)) }
}

unsafe extern "C" fn fini<T: Kdcpreauth>(context: krb5_context, data: Data) {
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

unsafe extern "C" fn flags<T: Kdcpreauth>(context: krb5_context, pa_type: krb5_preauthtype) -> c_int {
    // SAFETY: the context is valid during the call.
    let context = unsafe { Context::new(context) };
    caught(|| T::flags(&context, pa_type)).unwrap_or(0)
}

unsafe extern "C" fn edata<T: Kdcpreauth>(
    context: krb5_context,
    request: *mut krb5_kdc_req,
    callbacks: krb5_kdcpreauth_callbacks,
    rock: krb5_kdcpreauth_rock,
    data: Data,
    pa_type: krb5_preauthtype,
    respond: krb5_kdcpreauth_edata_respond_fn,
    argument: *mut c_void,
) {
    let mut made = null_mut();
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    let code = unsafe {
        guard(context, |context| {
            let exchange = Exchange::new(context, callbacks, rock)?;
            let request = Lent::new(request.cast_const()).map(RequestRef).ok_or(codes::KRB5KRB_ERR_GENERIC)?;
            if let Some(found) = module::<T, _>(data)?.edata(&exchange, request, pa_type)? {
                made = given::pa_data(&found)?;
            }
            Ok(())
        })
    };
    if let Some(respond) = respond {
        // SAFETY: the host's responder with its argument, called once; it frees the data.
        unsafe { respond(argument, code, made) };
    }
}

unsafe extern "C" fn return_padata<T: Kdcpreauth>(
    context: krb5_context,
    padata: *mut krb5_pa_data,
    packet: *mut krb5_data,
    request: *mut krb5_kdc_req,
    reply: *mut krb5_kdc_rep,
    _encrypting_key: *mut krb5_keyblock,
    out: *mut *mut krb5_pa_data,
    callbacks: krb5_kdcpreauth_callbacks,
    rock: krb5_kdcpreauth_rock,
    data: Data,
    modreq: krb5_kdcpreauth_modreq,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, the data is what `init` stored, and the state what `verify` gave.
    unsafe {
        guard(context, |context| {
            let exchange = Exchange::new(context, callbacks, rock)?;
            let reply = Reply {
                data: Lent::new(padata.cast_const()).map(PaDataRef),
                request: Lent::new(request.cast_const()).map(RequestRef).ok_or(codes::KRB5KRB_ERR_GENERIC)?,
                packet: Lent::new(packet.cast_const()).map(Lent::bytes).unwrap_or_default(),
                reply: Lent::new(reply.cast_const()).map(ReplyRef).ok_or(codes::KRB5KRB_ERR_GENERIC)?,
            };
            let state = modreq.cast::<T::Request>().as_ref();
            if let (Some(made), false) = (module::<T, _>(data)?.return_padata(&exchange, reply, state)?, out.is_null())
            {
                out.write(given::pa_data(&made)?);
            }
            Ok(())
        })
    }
}

unsafe extern "C" fn free_modreq<T: Kdcpreauth>(_: krb5_context, _: Data, modreq: krb5_kdcpreauth_modreq) {
    // SAFETY: the state is what `verify` gave, and the host uses it no more.
    caught(|| drop(unsafe { take::<T::Request, _>(modreq) }));
}

/// Fills the interface's method table. The last field, `loop`, stays null, because the event loop is passed with each request.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn kdcpreauth<T: Kdcpreauth>(
    context: krb5_context,
    major: c_int,
    minor: c_int,
    table: Vtable,
    named: &'static CStr,
) -> c_int {
    // SAFETY: the caller's; each field is written through a pointer of its own, since an older table ends before the last. The host does
    // not write to the types.
    unsafe {
        guard(context, |_| {
            let minor = version(major, minor, table)?;
            let table = table.cast::<Table>();
            (&raw mut (*table).name).write(name(named));
            (&raw mut (*table).pa_type_list).write(Types::<T>::LIST.as_ptr().cast_mut());
            (&raw mut (*table).init).write(Some(init::<T>));
            (&raw mut (*table).fini).write(Some(fini::<T>));
            (&raw mut (*table).flags).write(Some(flags::<T>));
            (&raw mut (*table).edata).write(Some(edata::<T>));
            (&raw mut (*table).verify).write(Some(later::verify::<T>));
            (&raw mut (*table).return_padata).write(Some(return_padata::<T>));
            (&raw mut (*table).free_modreq).write(Some(free_modreq::<T>));
            if minor >= 2 {
                (&raw mut (*table).loop_).write(None);
            }
            Ok(())
        })
    }
}
