//! Kerberos: cryptography, keytabs, credential caches, messages, a client, and GSS-API contexts.

mod cache;
mod client;
mod config;
mod credential;
mod crypto;
mod failure;
mod gss;
mod keytab;
mod pac;
mod principal;
mod reach;
mod show;
mod web;

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::sync::{MutexExt as _, PyOnceLock};
use pyo3::types::{PyByteArray, PyString};
use tagwise::codec::UnixTime;
use tagwise::crypto::backends::AwsLc;
use tagwise::crypto::{Backend, Secret};
use tagwise::krb5::crypto::EncType;

use crate::{errors, input};

/// Returns the backend with a static lifetime, for objects that outlive a call.
fn backend() -> &'static dyn Backend {
    static BACKEND: LazyLock<AwsLc> = LazyLock::new(AwsLc::new);
    &*BACKEND
}

/// Locks a value, for code that is detached from the interpreter. A poisoned lock is also used, because a panic leaves no value partially
/// changed.
fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks a value, for code that is attached to the interpreter. It detaches while it waits, so that the holder of the lock can run. No
/// Python code may be called while the lock is held, because that code could request the same lock.
fn held<'a, T>(py: Python<'_>, of: &'a Mutex<T>) -> MutexGuard<'a, T> {
    of.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
}

/// Copies a password or key: text as UTF-8, or the bytes of any buffer. The copy is zeroized on drop.
fn secret(value: &Bound<'_, PyAny>) -> PyResult<Secret> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Secret::from(text.to_str()?.as_bytes()));
    }
    match value.cast::<PyByteArray>() {
        Ok(octets) => Ok(Secret::from(octets.to_vec())),
        Err(_) => Ok(Secret::from(input::bytes(value)?.as_bytes())),
    }
}

/// Converts a number of seconds to a duration.
fn span(seconds: f64) -> PyResult<Duration> {
    let longest = f64::from(u32::MAX);
    let given = Some(seconds).filter(|seconds| (0.0..=longest).contains(seconds)).map(Duration::from_secs_f64);
    given.ok_or_else(|| errors::argument("a duration must be a number of seconds in 32 bits"))
}

/// Returns the encryption type with the given number or name.
fn enc_type(value: &Bound<'_, PyAny>) -> PyResult<EncType> {
    if let Ok(name) = value.cast::<PyString>() {
        let name = name.to_string();
        let unknown = || errors::argument(format!("unknown encryption type `{name}`; krb5.Enctype lists them"));
        return name.parse().ok().ok_or_else(unknown);
    }
    let number: i32 = value.extract()?;
    EncType::from_number(number)
        .ok_or_else(|| errors::argument(format!("unknown encryption type {number}; krb5.Enctype lists them")))
}

/// Converts an encryption type to a member of `Enctype`. Unknown numbers are returned unchanged.
fn enctype_member(py: Python<'_>, number: i32) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class =
        CLASS.get_or_try_init(py, || PyResult::Ok(py.import("tagwise.krb5._numbers")?.getattr("Enctype")?.unbind()))?;
    match class.bind(py).call1((number,)) {
        Ok(member) => Ok(member),
        Err(_) => Ok(number.into_pyobject(py)?.into_any()),
    }
}

/// Converts a time to a `datetime` in UTC.
fn datetime(py: Python<'_>, time: UnixTime) -> PyResult<Bound<'_, PyAny>> {
    static OF: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();
    let (make, zone) = OF.get_or_try_init(py, || {
        let module = py.import("datetime")?;
        let zone = module.getattr("timezone")?.getattr("utc")?.unbind();
        PyResult::Ok((module.getattr("datetime")?.getattr("fromtimestamp")?.unbind(), zone))
    })?;
    make.bind(py).call1((time.0, zone))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    cache::add(module)?;
    client::add(module)?;
    config::add(module)?;
    credential::add(module)?;
    crypto::add(module)?;
    gss::add(module)?;
    keytab::add(module)?;
    pac::add(module)?;
    principal::add(module)?;
    show::add(module)
}
