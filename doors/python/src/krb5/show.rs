//! Messages, tokens and files as values, with the parts that keys decrypt.

use std::collections::HashMap;
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use tagwise::codec::UnixTime;
use tagwise::krb5::capture::Capture;
use tagwise::krb5::open::{OpenedPart, Opener as Inner};
use tagwise::krb5::show::{View, part, read, show};
use tagwise::krb5::{Ccache, KerberosKind, Keytab, summary, types};
use tagwise::show::tree::{Seen, Value};

use super::keytab::Krb5Keytab;
use super::{backend, datetime, failure, locked};
use crate::key::PrivateKey;
use crate::messages::failure::malformed;
use crate::{errors, input};

/// Converts a tree to Python values: bytes are `bytes`, times `datetime`. The recursion is as deep as the value, which
/// budgets limit.
pub(super) fn to_py<'py>(py: Python<'py>, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => number.into_pyobject(py)?.into_any(),
        Value::Word(text) => text.as_ref().into_pyobject(py)?.into_any(),
        Value::Text(text) => text.as_ref().into_pyobject(py)?.into_any(),
        Value::Hex(octets) | Value::Bulk(octets) => PyBytes::new(py, octets).into_any(),
        Value::Oid(oid) => oid.to_string().into_pyobject(py)?.into_any(),
        Value::Integer(int) => input::number(py, int.as_bytes())?,
        Value::Time(time) => datetime(py, UnixTime(time.unix().0))?,
        Value::List(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_py(py, item)?)?;
            }
            list.into_any()
        }
        Value::Stream(make) => {
            let list = PyList::empty(py);
            for item in make() {
                list.append(to_py(py, &item)?)?;
            }
            list.into_any()
        }
        Value::Record(record) => {
            let dict = PyDict::new(py);
            for field in record.fields.iter().filter(|field| !matches!(field.seen, Seen::Text | Seen::BareText)) {
                dict.set_item(&*field.key, to_py(py, &field.value)?)?;
            }
            dict.into_any()
        }
        Value::Problem(problem) => problem.message.as_str().into_pyobject(py)?.into_any(),
    })
}

/// Decodes any Kerberos data. Returns its kind, its content, and the command's JSON for it.
#[pyfunction]
fn krb5_decode<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    secrets: bool,
    name: Option<&str>,
) -> PyResult<(String, Bound<'py, PyAny>, String)> {
    let data = input::bytes(data)?;
    let json = |value: &Value<'_>| serde_json::to_string(value).map_err(|error| errors::argument(error.to_string()));
    if let Some(name) = name {
        let ty = types::by_name(name).ok_or_else(|| errors::argument(format!("unknown type `{name}`")))?;
        let value = read(ty, data.as_bytes(), View::new(secrets)).map_err(|error| errors::decoding(py, &error))?;
        return Ok((name.to_owned(), to_py(py, &value)?, json(&value)?));
    }
    let shown = show(data.as_bytes(), View::new(secrets));
    let nothing = "expected a Kerberos message, ticket, token, keytab, credential cache or PAC";
    let shown = shown.ok_or_else(|| errors::argument(nothing))?;
    // The place is in the text: what is malformed may be a message, a keytab or a cache.
    let shown = shown.map_err(|text| malformed(py, text, None))?;
    Ok((shown.kind, to_py(py, &shown.value)?, json(&shown.value)?))
}

/// Summarizes a message in one line, without secrets.
#[pyfunction]
fn krb5_summary(data: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(summary(input::bytes(data)?.as_bytes()))
}

/// An encrypted part of a message: its path, its type, its content in DER or None, a description of the key, and the content as a value.
type Opened<'py> = (String, &'static str, Option<Bound<'py, PyBytes>>, String, Option<Bound<'py, PyAny>>);

fn opened<'py>(py: Python<'py>, parts: &[OpenedPart], secrets: bool) -> PyResult<Vec<Opened<'py>>> {
    let row = |one: &OpenedPart| {
        let record = part(one, View::new(secrets));
        let content = record.fields.iter().find(|field| &*field.key == "content");
        let content = content.map(|field| to_py(py, &field.value)).transpose()?;
        let der = one.der.as_ref().map(|der| PyBytes::new(py, der.expose()));
        Ok((one.path.clone(), one.ty, der, one.key.clone(), content))
    };
    parts.iter().map(row).collect()
}

/// Creates an opener with the keys from a keytab and credential caches.
fn opener(keytab: Option<&Bound<'_, Krb5Keytab>>, caches: &[Ccache]) -> Inner<'static> {
    let keytab = keytab.map_or_else(Keytab::default, |keytab| keytab.get().copied(keytab.py()));
    let mut inner = Inner::new(backend(), keytab);
    for ticket in caches.iter().flat_map(Ccache::tickets) {
        if let Some(key) = ticket.session_key() {
            inner.add_session(format!("session key of {}", ticket.server), key);
        }
    }
    inner
}

/// Parses credential caches in the file format.
fn caches_of(py: Python<'_>, caches: &[Bound<'_, PyAny>]) -> PyResult<Vec<Ccache>> {
    let read = |data: &Bound<'_, PyAny>| {
        Ccache::from_bytes(input::bytes(data)?.as_bytes()).map_err(|error| failure::file(py, &error))
    };
    caches.iter().map(read).collect()
}

/// A decrypter for the messages of one client, in order.
#[pyclass(frozen, module = "tagwise._native")]
struct Krb5Opener(Mutex<Inner<'static>>);

#[pymethods]
impl Krb5Opener {
    #[new]
    fn new(
        py: Python<'_>,
        keytab: Option<&Bound<'_, Krb5Keytab>>,
        caches: Vec<Bound<'_, PyAny>>,
        private_keys: Vec<Bound<'_, PrivateKey>>,
    ) -> PyResult<Self> {
        let mut inner = opener(keytab, &caches_of(py, &caches)?);
        private_keys.iter().for_each(|key| inner.add_private_key(key.get().inner()));
        Ok(Self(Mutex::new(inner)))
    }

    fn open<'py>(&self, py: Python<'py>, data: &Bound<'py, PyAny>, secrets: bool) -> PyResult<Vec<Opened<'py>>> {
        let data = input::bytes(data)?;
        let data = data.as_bytes();
        // Of a credential cache the tickets are opened.
        let tickets: Vec<Vec<u8>> = match KerberosKind::of(data) {
            Some(KerberosKind::Ccache) => {
                let cache = Ccache::from_bytes(data).map_err(|error| failure::file(py, &error))?;
                cache.tickets().map(|found| found.ticket.clone()).collect()
            }
            Some(KerberosKind::Keytab | KerberosKind::Pac) | None => {
                return Err(errors::argument("expected a Kerberos message or a credential cache"));
            }
            Some(_) => vec![data.to_vec()],
        };
        let found = py.detach(|| {
            let mut inner = locked(&self.0);
            let mut parts = Vec::new();
            for message in &tickets {
                parts.extend(inner.open(message)?);
            }
            Ok(parts)
        });
        opened(py, &found.map_err(|error| errors::decoding(py, &error))?, secrets)
    }
}

/// A captured message: packet number, time, source, destination, whether over TCP, bytes, summary, and decrypted parts.
type Captured<'py> =
    (usize, Option<Bound<'py, PyAny>>, String, String, bool, Bound<'py, PyBytes>, String, Vec<Opened<'py>>);

/// Returns the messages in a capture, with the numbers of unread packets and of incomplete streams.
#[pyfunction]
fn krb5_dissect<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    ports: Vec<u16>,
    keytab: Option<&Bound<'py, Krb5Keytab>>,
    caches: Vec<Bound<'py, PyAny>>,
    secrets: bool,
) -> PyResult<(Vec<Captured<'py>>, usize, usize)> {
    let data = input::bytes(data)?;
    let data = data.as_bytes();
    let caches_read = caches_of(py, &caches)?;
    let has_keys = keytab.is_some() || !caches_read.is_empty();
    let capture = py.detach(|| Capture::from_bytes(data, &ports));
    let capture = capture.map_err(|error| errors::argument(error.to_string()))?;
    // An exchange is one client's: what another one asks in between has no part in it.
    let mut openers = HashMap::new();
    let mut messages = Vec::new();
    for message in capture.messages {
        let client = if ports.contains(&message.destination.port()) { message.source } else { message.destination };
        let mut parts = Vec::new();
        if has_keys {
            let opener = openers.entry(client.ip()).or_insert_with(|| opener(keytab, &caches_read));
            if let Ok(found) = py.detach(|| opener.open(&message.octets)) {
                parts = opened(py, &found, secrets)?;
            }
        }
        messages.push((
            message.packet,
            message.time.map(|time| datetime(py, time)).transpose()?,
            message.source.to_string(),
            message.destination.to_string(),
            message.tcp,
            PyBytes::new(py, &message.octets),
            summary(&message.octets),
            parts,
        ));
    }
    Ok((messages, capture.unread, capture.broken_streams))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Krb5Opener>()?;
    module.add_function(wrap_pyfunction!(krb5_decode, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_summary, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_dissect, module)?)
}
