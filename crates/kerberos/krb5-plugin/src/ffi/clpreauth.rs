use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt;
use core::ptr::{null, null_mut};
use std::ffi::CString;

use tagwise_codec::UnixTime;
use tagwise_krb5_plugin_sys::link::Missing;
use tagwise_krb5_plugin_sys::mit::{
    krb5_clpreauth_callbacks, krb5_clpreauth_callbacks_st, krb5_clpreauth_moddata as Data, krb5_clpreauth_modreq,
    krb5_clpreauth_rock, krb5_clpreauth_vtable_st as Table, krb5_context, krb5_data, krb5_error,
    krb5_get_init_creds_opt, krb5_kdc_req, krb5_keyblock, krb5_pa_data, krb5_preauthtype, krb5_prompt,
    krb5_prompter_fct,
};
use zeroize::Zeroizing;

use super::given;
use super::guard::{caught, finish, guard, module, name, store, take, version};
use super::kdcpreauth::types;
use super::private::Vtable;
use crate::clpreauth::{Clpreauth, Input, PreauthKind};
use crate::host::context::done;
use crate::host::lent::{Lent, text};
use crate::view::{Context, KeyRef, Keyblock, PaDataRef, RequestRef};
use crate::{Error, Result, codes};

/// The maximum length of an answer to a prompt, in bytes.
const LONGEST_ANSWER: usize = 4096;

struct Types<T>(T);

impl<T: Clpreauth> Types<T> {
    const LIST: &'static [i32; 17] = &types(T::PA_TYPES);
}

/// A program's function for questions to its user.
type Prompter = (krb5_prompter_fct, *mut c_void);

/// The callbacks that libkrb5 offers to a mechanism during a request.
pub struct Exchange<'c> {
    context: &'c Context<'c>,
    callbacks: Lent<'c, krb5_clpreauth_callbacks_st>,
    rock: krb5_clpreauth_rock,
    prompter: Option<Prompter>,
}

impl fmt::Debug for Exchange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Exchange")
    }
}

/// Returns a callback, or an error if the structure's version is too old to contain it.
macro_rules! callback {
    ($exchange:ident, $field:ident, $version:literal) => {{
        let callbacks = $exchange.callbacks.get();
        let found = if callbacks.vers >= $version { callbacks.$field } else { None };
        found.ok_or(Missing(concat!("of preauthentication: ", stringify!($field))))?
    }};
}

impl<'c> Exchange<'c> {
    /// Wraps the host's callbacks.
    ///
    /// # Safety
    ///
    /// The callbacks must be null or valid for `'c`, together with their `rock` and prompter.
    unsafe fn new(
        context: &'c Context<'c>,
        callbacks: krb5_clpreauth_callbacks,
        rock: krb5_clpreauth_rock,
        prompter: Option<Prompter>,
    ) -> Result<Self> {
        // SAFETY: the caller's.
        let callbacks = unsafe { Lent::new(callbacks.cast_const()) }.ok_or(codes::KRB5KRB_ERR_GENERIC)?;
        Ok(Self { context, callbacks, rock, prompter })
    }

    /// Returns the context.
    #[must_use]
    pub fn context(&self) -> &Context<'c> {
        self.context
    }

    /// Returns the encryption type of the reply, or the expected one before the reply arrives.
    ///
    /// # Errors
    ///
    /// Returns an error if the library does not provide this callback.
    pub fn etype(&self) -> Result<i32> {
        let call = callback!(self, get_etype, 1);
        // SAFETY: the callback is the host's, with its context and rock.
        Ok(unsafe { call(self.context.pointer(), self.rock) })
    }

    /// Returns the armor key, if the exchange is in a FAST tunnel.
    ///
    /// # Errors
    ///
    /// Returns an error if the library does not provide this callback.
    pub fn fast_armor(&self) -> Result<Option<KeyRef<'_>>> {
        let call = callback!(self, fast_armor, 1);
        // SAFETY: the callback is the host's; the key stays during the request.
        Ok(unsafe { Lent::new(call(self.context.pointer(), self.rock).cast_const()) }.map(KeyRef))
    }

    /// Returns a copy of the client's key. The program may prompt for the password.
    ///
    /// # Errors
    ///
    /// Returns an error if the key is not available.
    pub fn as_key(&self) -> Result<Keyblock> {
        let call = callback!(self, get_as_key, 1);
        let mut key: *mut krb5_keyblock = null_mut();
        // SAFETY: the callback is the host's; the key is copied before anything could replace it.
        unsafe {
            done(call(self.context.pointer(), self.rock, &raw mut key))?;
            let key = Lent::new(key.cast_const()).ok_or(codes::KRB5KRB_ERR_GENERIC)?;
            Ok(KeyRef(key).to_keyblock())
        }
    }

    /// Replaces the key for decrypting the reply.
    ///
    /// # Errors
    ///
    /// Returns any error from the library.
    pub fn set_as_key(&self, key: &Keyblock) -> Result<()> {
        let call = callback!(self, set_as_key, 1);
        let length = u32::try_from(key.contents().len()).map_err(|_| Error::from(libc::EINVAL))?;
        let contents = key.contents().as_ptr().cast_mut();
        let block = krb5_keyblock { magic: 0, enctype: key.enctype(), length, contents };
        // SAFETY: the callback is the host's, which copies the key.
        done(unsafe { call(self.context.pointer(), self.rock, &raw const block) })
    }

    /// Returns the timestamp to use in preauthentication data, with microseconds. If `allow_unauth_time` is true, this may be
    /// the KDC's unauthenticated time.
    ///
    /// # Errors
    ///
    /// Returns any error from the library.
    pub fn preauth_time(&self, allow_unauth_time: bool) -> Result<(UnixTime, u32)> {
        let call = callback!(self, get_preauth_time, 2);
        let (mut seconds, mut micros) = (0, 0);
        // SAFETY: the callback is the host's, which writes two numbers.
        done(unsafe {
            call(self.context.pointer(), self.rock, allow_unauth_time.into(), &raw mut seconds, &raw mut micros)
        })?;
        Ok((UnixTime(seconds.cast_unsigned().into()), u32::try_from(micros).unwrap_or(0)))
    }

    /// Asks the calling program's responder a question. Only effective in `prep_questions`.
    ///
    /// # Errors
    ///
    /// Returns any error from the library.
    pub fn ask_responder_question(&self, question: &CStr, challenge: Option<&CStr>) -> Result<()> {
        let call = callback!(self, ask_responder_question, 2);
        let challenge = challenge.map_or(null(), CStr::as_ptr);
        // SAFETY: the callback is the host's, which copies the strings.
        done(unsafe { call(self.context.pointer(), self.rock, question.as_ptr(), challenge) })
    }

    /// Returns the responder's answer, if any.
    ///
    /// # Errors
    ///
    /// Returns an error if the library does not provide this callback.
    pub fn responder_answer(&self, question: &CStr) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let call = callback!(self, get_responder_answer, 2);
        // SAFETY: the callback is the host's; the answer is copied at once.
        let answer = unsafe { text(call(self.context.pointer(), self.rock, question.as_ptr())) };
        Ok(answer.map(|answer| Zeroizing::new(answer.to_bytes().to_vec())))
    }

    /// Asks the program's responder for the password, because the client's key will be needed.
    ///
    /// # Errors
    ///
    /// Returns an error if the library does not provide this callback.
    pub fn need_as_key(&self) -> Result<()> {
        let call = callback!(self, need_as_key, 2);
        // SAFETY: the callback is the host's, with its context and rock.
        unsafe { call(self.context.pointer(), self.rock) };
        Ok(())
    }

    /// Returns a value that an earlier exchange stored in the credential cache.
    ///
    /// # Errors
    ///
    /// Returns an error if the library does not provide this callback.
    pub fn cc_config(&self, key: &CStr) -> Result<Option<CString>> {
        let call = callback!(self, get_cc_config, 2);
        // SAFETY: the callback is the host's; the item is copied at once.
        Ok(unsafe { text(call(self.context.pointer(), self.rock, key.as_ptr())) }.map(CStr::to_owned))
    }

    /// Stores a value in the credential cache for later exchanges.
    ///
    /// # Errors
    ///
    /// Returns any error from the library.
    pub fn set_cc_config(&self, key: &CStr, value: &CStr) -> Result<()> {
        let call = callback!(self, set_cc_config, 2);
        // SAFETY: the callback is the host's, which copies the strings.
        done(unsafe { call(self.context.pointer(), self.rock, key.as_ptr(), value.as_ptr()) })
    }

    /// Prevents fallback to other mechanisms if the KDC rejects this mechanism's data.
    ///
    /// # Errors
    ///
    /// Returns an error if the library does not provide this callback.
    pub fn disable_fallback(&self) -> Result<()> {
        let call = callback!(self, disable_fallback, 3);
        // SAFETY: the callback is the host's, with its context and rock.
        unsafe { call(self.context.pointer(), self.rock) };
        Ok(())
    }

    /// Prompts the user through the calling program's prompter, and returns at most 4096 bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the program does not provide a prompter, or the prompter fails.
    pub fn prompt(&self, prompt: &CStr, hidden: bool) -> Result<Zeroizing<Vec<u8>>> {
        let none = || Error::new(libc::EIO, "the program provides no prompter");
        let (call, argument) = self.prompter.ok_or_else(none)?;
        let call = call.ok_or_else(none)?;
        let mut answer = Zeroizing::new(vec![0; LONGEST_ANSWER]);
        let length = u32::try_from(LONGEST_ANSWER - 1).map_err(|_| Error::from(libc::EINVAL))?;
        let mut reply = krb5_data { magic: 0, length, data: answer.as_mut_ptr().cast() };
        let mut asked =
            krb5_prompt { prompt: prompt.as_ptr().cast_mut(), hidden: hidden.into(), reply: &raw mut reply };
        // SAFETY: the prompter is the host's, with its argument. It only reads the prompt, writes at most `length` bytes and a zero byte
        // to the reply, and sets its length.
        done(unsafe { call(self.context.pointer(), argument, null(), null(), 1, &raw mut asked) })?;
        answer.truncate(usize::try_from(reply.length).unwrap_or(0));
        Ok(answer)
    }
}

/// A KDC error that a mechanism may process.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ErrorRef<'a> {
    /// The preauthentication data type to which the error applies.
    pub pa_type: i32,
    /// The error code (RFC 4120 §7.5.9).
    pub code: u32,
    /// The error text.
    pub text: &'a [u8],
    /// The error's preauthentication data.
    pub padata: Vec<PaDataRef<'a>>,
}

unsafe extern "C" fn init<T: Clpreauth>(context: krb5_context, data: *mut Data) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init(context)?)) }
}

unsafe extern "C" fn fini<T: Clpreauth>(context: krb5_context, data: Data) {
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

unsafe extern "C" fn flags<T: Clpreauth>(context: krb5_context, pa_type: krb5_preauthtype) -> c_int {
    // SAFETY: the context is valid during the call.
    let context = unsafe { Context::new(context) };
    match caught(|| T::flags(&context, pa_type)) {
        Some(PreauthKind::Info) => 2,
        Some(PreauthKind::Real) | None => 1,
    }
}

unsafe extern "C" fn request_init<T: Clpreauth>(context: krb5_context, data: Data, out: *mut krb5_clpreauth_modreq) {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe { guard(context, |context| store(out, module::<T, _>(data)?.request_init(context))) };
}

unsafe extern "C" fn request_fini<T: Clpreauth>(_: krb5_context, _: Data, modreq: krb5_clpreauth_modreq) {
    // SAFETY: the state is what `request_init` stored, and the host uses it no more.
    caught(|| drop(unsafe { take::<T::Request, _>(modreq) }));
}

unsafe extern "C" fn gic_opts<T: Clpreauth>(
    context: krb5_context,
    data: Data,
    _opt: *mut krb5_get_init_creds_opt,
    attr: *const c_char,
    value: *const c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            let (Some(attr), Some(value)) = (text(attr), text(value)) else { return Ok(()) };
            module::<T, _>(data)?.gic_opts(context, attr, value)
        })
    }
}

/// Wraps the request arguments that several methods share.
///
/// # Safety
///
/// The pointers must be null, or valid for `'a`.
unsafe fn input<'a>(request: *mut krb5_kdc_req, body: *mut krb5_data, previous: *mut krb5_data) -> Result<Input<'a>> {
    // SAFETY: the caller's.
    unsafe {
        Ok(Input {
            request: Lent::new(request.cast_const()).map(RequestRef).ok_or(codes::KRB5KRB_ERR_GENERIC)?,
            request_body: Lent::new(body.cast_const()).map(Lent::bytes).unwrap_or_default(),
            previous_request: Lent::new(previous.cast_const()).map(Lent::bytes),
        })
    }
}

unsafe extern "C" fn prep_questions<T: Clpreauth>(
    context: krb5_context,
    data: Data,
    modreq: krb5_clpreauth_modreq,
    _opt: *mut krb5_get_init_creds_opt,
    callbacks: krb5_clpreauth_callbacks,
    rock: krb5_clpreauth_rock,
    request: *mut krb5_kdc_req,
    body: *mut krb5_data,
    previous: *mut krb5_data,
    padata: *mut krb5_pa_data,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call; data and state are what `init` and `request_init` stored.
    unsafe {
        guard(context, |context| {
            let exchange = Exchange::new(context, callbacks, rock, None)?;
            let padata = Lent::new(padata.cast_const()).map(PaDataRef).ok_or(codes::KRB5KRB_ERR_GENERIC)?;
            let state = module::<T::Request, _>(modreq)?;
            module::<T, _>(data)?.prep_questions(state, &exchange, input(request, body, previous)?, padata)
        })
    }
}

unsafe extern "C" fn process<T: Clpreauth>(
    context: krb5_context,
    data: Data,
    modreq: krb5_clpreauth_modreq,
    _opt: *mut krb5_get_init_creds_opt,
    callbacks: krb5_clpreauth_callbacks,
    rock: krb5_clpreauth_rock,
    request: *mut krb5_kdc_req,
    body: *mut krb5_data,
    previous: *mut krb5_data,
    padata: *mut krb5_pa_data,
    prompter: krb5_prompter_fct,
    prompter_data: *mut c_void,
    out: *mut *mut *mut krb5_pa_data,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call; data and state are what `init` and `request_init` stored.
    unsafe {
        guard(context, |context| {
            let exchange = Exchange::new(context, callbacks, rock, Some((prompter, prompter_data)))?;
            let padata = Lent::new(padata.cast_const()).map(PaDataRef).ok_or(codes::KRB5KRB_ERR_GENERIC)?;
            let state = module::<T::Request, _>(modreq)?;
            let answer = module::<T, _>(data)?.process(state, &exchange, input(request, body, previous)?, padata)?;
            if !out.is_null() {
                out.write(given::pa_list(&answer)?);
            }
            Ok(())
        })
    }
}

unsafe extern "C" fn tryagain<T: Clpreauth>(
    context: krb5_context,
    data: Data,
    modreq: krb5_clpreauth_modreq,
    _opt: *mut krb5_get_init_creds_opt,
    callbacks: krb5_clpreauth_callbacks,
    rock: krb5_clpreauth_rock,
    request: *mut krb5_kdc_req,
    body: *mut krb5_data,
    previous: *mut krb5_data,
    pa_type: krb5_preauthtype,
    error: *mut krb5_error,
    padata: *mut *mut krb5_pa_data,
    prompter: krb5_prompter_fct,
    prompter_data: *mut c_void,
    out: *mut *mut *mut krb5_pa_data,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call; data and state are what `init` and `request_init` stored.
    unsafe {
        guard(context, |context| {
            let exchange = Exchange::new(context, callbacks, rock, Some((prompter, prompter_data)))?;
            let error = Lent::new(error.cast_const()).ok_or(codes::KRB5KRB_ERR_GENERIC)?;
            let list = Lent::new(&raw const padata);
            let found = ErrorRef {
                pa_type,
                code: error.get().error,
                text: error.part(|error| &error.text).bytes(),
                padata: list.into_iter().flat_map(|list| list.list(|list| list.cast_const())).map(PaDataRef).collect(),
            };
            let state = module::<T::Request, _>(modreq)?;
            let answer = module::<T, _>(data)?.tryagain(state, &exchange, input(request, body, previous)?, &found)?;
            if !out.is_null() {
                out.write(given::pa_list(&answer)?);
            }
            Ok(())
        })
    }
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn clpreauth<T: Clpreauth>(
    context: krb5_context,
    major: c_int,
    minor: c_int,
    table: Vtable,
    named: &'static CStr,
) -> c_int {
    // SAFETY: the caller's; each field is written through a pointer of its own, and the host does not write to the types.
    unsafe {
        guard(context, |_| {
            version(major, minor, table)?;
            let table = table.cast::<Table>();
            (&raw mut (*table).name).write(name(named));
            (&raw mut (*table).pa_type_list).write(Types::<T>::LIST.as_ptr().cast_mut());
            (&raw mut (*table).enctype_list).write(null_mut());
            (&raw mut (*table).init).write(Some(init::<T>));
            (&raw mut (*table).fini).write(Some(fini::<T>));
            (&raw mut (*table).flags).write(Some(flags::<T>));
            (&raw mut (*table).request_init).write(Some(request_init::<T>));
            (&raw mut (*table).request_fini).write(Some(request_fini::<T>));
            (&raw mut (*table).process).write(Some(process::<T>));
            (&raw mut (*table).tryagain).write(Some(tryagain::<T>));
            (&raw mut (*table).gic_opts).write(Some(gic_opts::<T>));
            // libkrb5 requests minor version 1, but nevertheless calls the function added in version 2; since 1.11 its table has the
            // field.
            (&raw mut (*table).prep_questions).write(Some(prep_questions::<T>));
            Ok(())
        })
    }
}
