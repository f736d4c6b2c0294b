//! An underlying database for a driver: a second context whose configuration selects another `[dbmodules]` section.

mod kdc;
mod keys;
mod policies;
mod principals;

use core::cell::Cell;
use core::ffi::{CStr, c_char};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::null_mut;
use std::ffi::CString;

use tagwise_krb5::Principal;
use tagwise_krb5_plugin_sys::link;
use tagwise_krb5_plugin_sys::link::kdb as libkdb5;
use tagwise_krb5_plugin_sys::mit::{krb5_context, krb5_principal_data};

use super::overlay;
use crate::host::context::{c_string, with_principal};
use crate::host::lent::text;
use crate::kdb::{LockMode, Settings};
use crate::view::{Context, PrincipalRef};
use crate::{Error, Result};

/// The maximum number of nested databases. It also stops a section that refers to itself.
const DEEPEST: u32 = 8;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// A principal's name, borrowed or owned.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a>(Source<'a>);

#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Lent(PrincipalRef<'a>),
    Own(&'a Principal),
}

impl<'a> From<PrincipalRef<'a>> for Name<'a> {
    fn from(name: PrincipalRef<'a>) -> Self {
        Self(Source::Lent(name))
    }
}

impl<'a> From<&'a Principal> for Name<'a> {
    fn from(name: &'a Principal) -> Self {
        Self(Source::Own(name))
    }
}

impl Name<'_> {
    /// Calls `run` with the name as MIT's structure, which `run` only reads.
    fn with<R>(self, run: impl FnOnce(&krb5_principal_data) -> Result<R>) -> Result<R> {
        match self.0 {
            Source::Lent(name) => run(name.0.get()),
            Source::Own(name) => with_principal(name, run),
        }
    }
}

/// The database underlying a driver, in its own context.
///
/// Its module and settings come from a `[dbmodules]` section, and all other configuration from the program. The methods
/// correspond to libkdb5's, and return any error from the underlying module.
///
/// Its entries have no module-specific data (`e_data`), unless the module sets the data's length.
pub struct Inner {
    context: krb5_context,
    not_sync: PhantomData<Cell<()>>,
}

// SAFETY: the context is this value's alone, and libkrb5 lets a context move between threads as long as one uses it at a time.
unsafe impl Send for Inner {}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inner")
    }
}

/// Command-line arguments in libkdb5's form.
struct DbArgs<'a> {
    pointers: Vec<*mut c_char>,
    borrowed: PhantomData<&'a CStr>,
}

impl<'a> DbArgs<'a> {
    fn new(list: &[&'a CStr]) -> Self {
        let pointers = list.iter().map(|text| text.as_ptr().cast_mut()).chain([null_mut()]).collect();
        Self { pointers, borrowed: PhantomData }
    }

    fn pointer(&mut self) -> *mut *mut c_char {
        self.pointers.as_mut_ptr()
    }
}

impl Inner {
    /// Opens the database of a `[dbmodules]` section.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_open`.
    pub fn open(context: &Context<'_>, settings: &Settings<'_>, section: &str) -> Result<Self> {
        Self::deeper(|| {
            let inner = Self::below(context, section)?;
            let mut db_args = DbArgs::new(settings.db_args());
            // SAFETY: the context is this value's; the arguments are only read.
            inner.done(unsafe { libkdb5::krb5_db_open(inner.context, db_args.pointer(), settings.mode) }?)?;
            Ok(inner)
        })
    }

    /// Creates and opens the database of a `[dbmodules]` section.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_create`.
    pub fn create(context: &Context<'_>, settings: &Settings<'_>, section: &str) -> Result<Self> {
        Self::deeper(|| {
            let inner = Self::below(context, section)?;
            let mut db_args = DbArgs::new(settings.db_args());
            // SAFETY: as of `open`.
            inner.done(unsafe { libkdb5::krb5_db_create(inner.context, db_args.pointer()) }?)?;
            Ok(inner)
        })
    }

    /// Destroys the database of a `[dbmodules]` section.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_destroy`.
    pub fn destroy(context: &Context<'_>, settings: &Settings<'_>, section: &str) -> Result<()> {
        Self::deeper(|| {
            let inner = Self::below(context, section)?;
            let mut db_args = DbArgs::new(settings.db_args());
            // SAFETY: as of `open`.
            inner.done(unsafe { libkdb5::krb5_db_destroy(inner.context, db_args.pointer()) }?)
        })
    }

    /// Calls `open`, unless too many databases are nested.
    fn deeper<R>(open: impl FnOnce() -> Result<R>) -> Result<R> {
        struct Leave;
        impl Drop for Leave {
            fn drop(&mut self) {
                DEPTH.with(|depth| depth.set(depth.get().saturating_sub(1)));
            }
        }
        if DEPTH.with(Cell::get) >= DEEPEST {
            let message = format!("[dbmodules]: more than {DEEPEST} nested databases; does a section refer to itself?");
            return Err(Error::new(libc::ELOOP, message));
        }
        DEPTH.with(|depth| depth.set(depth.get() + 1));
        let _leave = Leave;
        open()
    }

    /// Creates the second context.
    fn below(context: &Context<'_>, section: &str) -> Result<Self> {
        let realm = context.default_realm()?;
        let profile = overlay::profile(context, &realm, section)?;
        let realm = c_string(&realm)?;
        let mut inner = Self { context: null_mut(), not_sync: PhantomData };
        // SAFETY: the profile is valid, and the context makes a copy of it.
        unsafe {
            let code = link::krb5_init_context_profile(profile, 0, &raw mut inner.context);
            link::profile_release(profile)?;
            inner.done(code?)?;
            inner.done(link::krb5_set_default_realm(inner.context, realm.as_ptr())?)?;
        }
        Ok(inner)
    }

    /// Converts a code to a result, with the context's error message.
    fn done(&self, code: i32) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        if self.context.is_null() {
            return Err(code.into());
        }
        // SAFETY: the context is this value's; a message is a string until it is freed.
        unsafe {
            let message = link::krb5_get_error_message(self.context, code)?;
            let copy = text(message).map(|message| message.to_string_lossy().into_owned());
            link::krb5_free_error_message(self.context, message)?;
            Err(copy.map_or_else(|| Error::from(code), |copy| Error::new(code, copy)))
        }
    }

    /// Makes this temporary database the live one, and closes it.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_promote`.
    pub fn promote_db(&self, settings: &Settings<'_>) -> Result<()> {
        let mut db_args = DbArgs::new(settings.db_args());
        // SAFETY: the context is this value's; the arguments are only read.
        self.done(unsafe { libkdb5::krb5_db_promote(self.context, db_args.pointer()) }?)
    }

    /// Locks the database.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_lock`.
    pub fn lock(&self, mode: LockMode) -> Result<()> {
        // SAFETY: the context is this value's.
        self.done(unsafe { libkdb5::krb5_db_lock(self.context, mode.0.cast_signed()) }?)
    }

    /// Unlocks the database.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_unlock`.
    pub fn unlock(&self) -> Result<()> {
        // SAFETY: the context is this value's.
        self.done(unsafe { libkdb5::krb5_db_unlock(self.context) }?)
    }

    /// Reloads the configuration.
    pub fn refresh_config(&self) {
        // SAFETY: the context is this value's. A library without the function has nothing to refresh.
        let _ = unsafe { libkdb5::krb5_db_refresh_config(self.context) };
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !self.context.is_null() {
            // SAFETY: the context is this value's, and nobody uses it afterwards.
            unsafe {
                let _ = libkdb5::krb5_db_fini(self.context);
                let _ = link::krb5_free_context(self.context);
            }
        }
    }
}

/// Copies an optional string, for functions that accept a pointer.
fn optional(text: Option<&CStr>) -> Option<CString> {
    text.map(CStr::to_owned)
}

/// Returns the pointer to a string from [`optional`], or null.
fn optional_pointer(text: &mut Option<CString>) -> *mut c_char {
    text.as_mut().map_or(null_mut(), |text| text.as_ptr().cast_mut())
}
