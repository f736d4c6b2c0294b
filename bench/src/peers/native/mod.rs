//! Libraries written in C, through the table of functions that `native/library.h` describes.

#[cfg(feature = "peer-aws-lc")]
mod aws_lc;
#[cfg(feature = "peer-nss")]
mod nss;
#[cfg(feature = "peer-openssl")]
mod openssl;

#[cfg(feature = "peer-aws-lc")]
pub(super) use aws_lc::AwsLc;
#[cfg(feature = "peer-nss")]
pub(super) use nss::Nss;
#[cfg(feature = "peer-openssl")]
pub(super) use openssl::OpenSsl;

use crate::parsed::{Extensions, Parsed};
use crate::peer::{Input, Task, decode_each, encode_each};
use crate::rows::Op;
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Once;

/// `octets` of the header.
#[repr(C)]
struct Octets {
    data: *const u8,
    len: usize,
}

/// `extensions` of the header.
#[repr(C)]
struct Look {
    count: usize,
    critical: usize,
    octets: usize,
}

type Sink = unsafe extern "C" fn(*mut c_void, *const c_char, usize);

/// `library` of the header.
#[repr(C)]
pub(super) struct Library {
    start: unsafe extern "C" fn() -> c_int,
    version: unsafe extern "C" fn() -> *const c_char,
    parse: unsafe extern "C" fn(*const u8, usize) -> *mut c_void,
    drop: unsafe extern "C" fn(*mut c_void),
    serial: unsafe extern "C" fn(*mut c_void) -> Octets,
    name: unsafe extern "C" fn(*mut c_void, c_int) -> Octets,
    name_text: unsafe extern "C" fn(*mut c_void, c_int, Sink, *mut c_void),
    validity: unsafe extern "C" fn(*mut c_void, *mut i64) -> c_int,
    algorithm: unsafe extern "C" fn(*mut c_void, c_int, Sink, *mut c_void),
    key: unsafe extern "C" fn(*mut c_void) -> Octets,
    signature: unsafe extern "C" fn(*mut c_void) -> Octets,
    look: unsafe extern "C" fn(*mut c_void) -> Look,
    ca: unsafe extern "C" fn(*mut c_void) -> c_int,
    encode: Option<unsafe extern "C" fn(*mut c_void) -> usize>,
}

/// One library, or one of its ways to parse.
pub(super) trait Native: 'static {
    /// What the accessors are.
    const ACCESS: &'static str;

    /// Its table.
    fn table() -> &'static Library;
}

/// A certificate of one of these libraries.
pub(super) struct Cert<N: Native>(NonNull<c_void>, PhantomData<N>);

impl<N: Native> Drop for Cert<N> {
    fn drop(&mut self) {
        // SAFETY: the pointer came from this table's `parse` and is dropped once.
        unsafe { (N::table().drop)(self.0.as_ptr()) }
    }
}

impl<N: Native> Cert<N> {
    /// Octets that the certificate holds.
    fn octets(&self, get: unsafe extern "C" fn(*mut c_void) -> Octets) -> Option<Cow<'_, [u8]>> {
        // SAFETY: the certificate is live.
        let octets = unsafe { get(self.0.as_ptr()) };
        self.borrow(octets)
    }

    fn borrow(&self, octets: Octets) -> Option<Cow<'_, [u8]>> {
        if octets.data.is_null() {
            return None;
        }
        // SAFETY: the adapter gives octets that live inside the certificate, which `self` keeps.
        Some(Cow::Borrowed(unsafe {
            std::slice::from_raw_parts(octets.data, octets.len)
        }))
    }

    fn name(&self, subject: bool) -> Option<Cow<'_, [u8]>> {
        // SAFETY: the certificate is live.
        let octets = unsafe { (N::table().name)(self.0.as_ptr(), subject.into()) };
        self.borrow(octets)
    }

    fn text(&self, get: unsafe extern "C" fn(*mut c_void, c_int, Sink, *mut c_void), which: bool) -> Option<String> {
        let mut text: Option<String> = None;
        // SAFETY: the certificate is live, and `take` gets the pointer that it expects.
        unsafe { get(self.0.as_ptr(), which.into(), take, (&raw mut text).cast()) };
        text
    }

    fn validity(&self) -> Option<[i64; 2]> {
        let mut times = [0; 2];
        // SAFETY: the certificate is live, and there is room for two times.
        let done = unsafe { (N::table().validity)(self.0.as_ptr(), times.as_mut_ptr()) };
        (done != 0).then_some(times)
    }
}

/// Copies text into the `Option<String>` behind `state`.
unsafe extern "C" fn take(state: *mut c_void, text: *const c_char, len: usize) {
    // SAFETY: the caller passes on the pointer that `Cert::text` gave, and text of that length.
    let (state, text) = unsafe {
        (
            &mut *state.cast::<Option<String>>(),
            std::slice::from_raw_parts(text.cast::<u8>(), len),
        )
    };
    *state = Some(String::from_utf8_lossy(text).into_owned());
}

impl<'a, N: Native> Parsed<'a> for Cert<N> {
    const ACCESS: &'static str = N::ACCESS;

    fn parse(der: &'a [u8]) -> Option<Self> {
        // SAFETY: the octets are valid for the call, and no adapter keeps them.
        let cert = unsafe { (N::table().parse)(der.as_ptr(), der.len()) };
        Some(Self(NonNull::new(cert)?, PhantomData))
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        self.octets(N::table().serial)
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        self.name(false)
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        self.name(true)
    }

    fn issuer_text(&self) -> Option<String> {
        self.text(N::table().name_text, false)
    }

    fn subject_text(&self) -> Option<String> {
        self.text(N::table().name_text, true)
    }

    fn not_before(&self) -> Option<i64> {
        self.validity().map(|times| times[0])
    }

    fn not_after(&self) -> Option<i64> {
        self.validity().map(|times| times[1])
    }

    fn algorithm(&self) -> Option<String> {
        self.text(N::table().algorithm, false)
    }

    fn key_algorithm(&self) -> Option<String> {
        self.text(N::table().algorithm, true)
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        self.octets(N::table().key)
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        self.octets(N::table().signature)
    }

    fn extensions(&self) -> Option<Extensions> {
        // SAFETY: the certificate is live.
        let look = unsafe { (N::table().look)(self.0.as_ptr()) };
        Some(Extensions {
            count: look.count,
            critical: look.critical,
            octets: look.octets,
        })
    }

    fn ca(&self) -> Option<Option<bool>> {
        // SAFETY: the certificate is live.
        match unsafe { (N::table().ca)(self.0.as_ptr()) } {
            -1 => Some(None),
            -2 => None,
            ca => Some(Some(ca != 0)),
        }
    }
}

/// Makes a library ready once. NSS must be before anything is parsed.
fn start(library: &'static Library, once: &'static Once) {
    // SAFETY: called once, before anything else of this library.
    once.call_once(|| assert!(unsafe { (library.start)() } != 0, "a peer does not start"));
}

fn version(library: &'static Library) -> String {
    // SAFETY: all three give a constant string.
    let text = unsafe { CStr::from_ptr((library.version)()) };
    text.to_string_lossy().into_owned()
}

/// The rows that every one of these libraries has.
fn tasks<'a, N: Native>(op: Op, input: &'a Input, parse: &'static str) -> Vec<Task<'a>> {
    let mut tasks = super::common::<Cert<N>>(op, input, parse, N::ACCESS);
    let Some(encode) = N::table().encode else { return tasks };
    let encoded = move |cert: &Cert<N>| {
        // SAFETY: the certificate is live.
        let len = unsafe { encode(cert.0.as_ptr()) };
        (len > 0).then_some(len)
    };
    match op {
        Op::EncodeCert => tasks.push(encode_each(
            "`i2d_X509` into fresh memory: the signed part copied from the octets that it keeps",
            input,
            Cert::<N>::parse,
            move |cert, _| encoded(cert),
        )),
        Op::Recode => tasks.push(decode_each(
            "`d2i_X509`, then `i2d_X509`: the signed part copied from the octets that it keeps",
            input,
            move |der| encoded(&Cert::<N>::parse(der)?),
        )),
        _ => {}
    }
    tasks
}
