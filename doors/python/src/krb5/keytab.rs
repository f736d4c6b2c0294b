//! Keytabs.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::UnixTime;
use tagwise::crypto::Secret;
use tagwise::krb5::client::Moment;
use tagwise::krb5::crypto::StringToKey;
use tagwise::krb5::gss::ServiceKeys;
use tagwise::krb5::{Keytab as Inner, KeytabEntry as Entry};

use super::crypto::Key;
use super::principal::{Principal, principal};
use super::{backend, datetime, enc_type, enctype_member, failure, held, secret};
use crate::{errors, input};

/// A keytab entry: a key, its version, and the principal to which it belongs.
///
/// >>> from tagwise.krb5 import Keytab
/// >>> keytab = Keytab()
/// >>> keytab.add_password("host/www.test@KRB.TEST", "secret", enctypes=["aes128-cts"], kvno=3)
/// >>> keytab[0]
/// <KeytabEntry(host/www.test@KRB.TEST, kvno 3, aes128-cts-hmac-sha1-96)>
#[pyclass(frozen, module = "tagwise.krb5")]
pub(super) struct KeytabEntry(Entry);

#[pymethods]
impl KeytabEntry {
    /// The principal.
    #[getter]
    fn principal(&self) -> Principal {
        Principal(self.0.principal.clone())
    }

    /// The key version number.
    #[getter]
    fn kvno(&self) -> u32 {
        self.0.kvno
    }

    /// The encryption type, or a number if it is not a member of `Enctype`.
    #[getter]
    fn enctype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        enctype_member(py, self.0.enc_type)
    }

    /// The time at which the entry was written.
    #[getter]
    fn timestamp<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.timestamp)
    }

    /// The key, or None if its encryption type is not supported or its length is wrong.
    #[getter]
    fn key(&self) -> Option<Key> {
        self.0.to_key().map(Key)
    }

    /// The bytes of the secret key.
    #[getter]
    fn secret<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.key.expose())
    }

    fn __repr__(&self) -> String {
        let kind = tagwise::krb5::show::enc_type(self.0.enc_type);
        format!("<KeytabEntry({}, kvno {}, {kind})>", self.0.principal, self.0.kvno)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// The entries of a keytab. The package's class derives from this class.
#[pyclass(subclass, frozen, module = "tagwise._native")]
pub(super) struct Krb5Keytab {
    inner: Mutex<Inner>,
    /// The entries with prepared keys for acceptors. Updated when the next acceptor is created.
    accepting: Mutex<ServiceKeys>,
}

impl Krb5Keytab {
    /// Copies the entries.
    pub(super) fn copied(&self, py: Python<'_>) -> Inner {
        held(py, &self.inner).clone()
    }

    /// Returns the prepared keys for acceptors, which are cached until the entries change.
    pub(super) fn accepting(&self, py: Python<'_>) -> ServiceKeys {
        let copied = self.copied(py);
        let mut accepting = held(py, &self.accepting);
        *accepting = accepting.renewed(copied);
        accepting.clone()
    }
}

#[pymethods]
impl Krb5Keytab {
    #[new]
    #[pyo3(signature = (data = None))]
    fn new(py: Python<'_>, data: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let inner = match data {
            Some(data) => {
                Inner::from_bytes(input::bytes(data)?.as_bytes()).map_err(|error| failure::file(py, &error))?
            }
            None => Inner::default(),
        };
        Ok(Self { inner: Mutex::new(inner), accepting: Mutex::new(Inner::default().into()) })
    }

    /// Encodes the keytab as a version 2 file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let octets = held(py, &self.inner).to_bytes();
        let octets = octets.map_err(|error| failure::file(py, &error))?;
        Ok(PyBytes::new(py, &octets))
    }

    /// The entries, in order.
    #[getter]
    fn entries(&self, py: Python<'_>) -> Vec<KeytabEntry> {
        held(py, &self.inner).entries().iter().cloned().map(KeytabEntry).collect()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        held(py, &self.inner).entries().len()
    }

    /// Adds a key, replacing any with the same principal, version and encryption type.
    #[pyo3(signature = (owner, key, *, kvno = 1, timestamp = None))]
    fn add(&self, owner: &Bound<'_, PyAny>, key: &Bound<'_, Key>, kvno: u32, timestamp: Option<i64>) -> PyResult<()> {
        let (principal, key) = (principal(owner, None)?, &key.get().0);
        if timestamp.is_some_and(|seconds| u32::try_from(seconds).is_err()) {
            return Err(errors::argument("a keytab timestamp must be seconds since 1970 in 32 bits"));
        }
        self.put(
            owner.py(),
            Entry {
                principal,
                timestamp: timestamp.map_or_else(|| Moment::now().unix, UnixTime),
                kvno,
                enc_type: key.enc_type().number(),
                key: Secret::from(key.expose()),
            },
        );
        Ok(())
    }

    /// Adds the keys derived from a password, one for each encryption type. The default salt is the principal's.
    #[pyo3(signature = (owner, password, *, enctypes = None, kvno = 1, salt = None))]
    fn add_password(
        &self,
        py: Python<'_>,
        owner: &Bound<'_, PyAny>,
        password: &Bound<'_, PyAny>,
        enctypes: Option<Vec<Bound<'_, PyAny>>>,
        kvno: u32,
        salt: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (principal, password) = (principal(owner, None)?, secret(password)?);
        let enc_types = match enctypes {
            Some(list) => list.iter().map(enc_type).collect::<PyResult<Vec<_>>>()?,
            None => tagwise::krb5::crypto::EncType::DEFAULT.to_vec(),
        };
        let salt = match salt {
            Some(salt) => secret(salt)?,
            None => Secret::from(principal.salt()),
        };
        for enc_type in enc_types {
            let derive = || StringToKey::new(enc_type).salt(salt.expose()).derive(backend(), password.expose());
            let key = py.detach(derive).map_err(|error| failure::crypto(py, &error))?;
            self.put(
                py,
                Entry {
                    principal: principal.clone(),
                    timestamp: Moment::now().unix,
                    kvno,
                    enc_type: enc_type.number(),
                    key: Secret::from(key.expose()),
                },
            );
        }
        Ok(())
    }

    /// Adds entries from another keytab, unless the same key is already present with the same principal, version and encryption type.
    fn merge(&self, other: &Bound<'_, Self>) {
        let py = other.py();
        let other = other.get().copied(py);
        held(py, &self.inner).merge(&other);
    }

    /// Reuses the keys that another keytab has prepared for acceptors, if both have the same entries.
    fn keep_ready(&self, other: &Bound<'_, Self>) {
        let py = other.py();
        let keys = other.get().accepting(py);
        *held(py, &self.accepting) = keys;
    }

    /// Removes the entries that match a principal, a version and an encryption type. Returns the number of removed entries.
    #[pyo3(signature = (owner = None, *, kvno = None, enctype = None))]
    fn remove(
        &self,
        py: Python<'_>,
        owner: Option<&Bound<'_, PyAny>>,
        kvno: Option<u32>,
        enctype: Option<i32>,
    ) -> PyResult<usize> {
        let owner = owner.map(|owner| principal(owner, None)).transpose()?;
        let mut inner = held(py, &self.inner);
        let before = inner.entries().len();
        inner.retain(|entry| {
            owner.as_ref().is_some_and(|owner| entry.principal != *owner)
                || kvno.is_some_and(|kvno| entry.kvno != kvno)
                || enctype.is_some_and(|number| entry.enc_type != number)
        });
        Ok(before.saturating_sub(inner.entries().len()))
    }

    /// Returns a principal's key for an encryption type, with the given version or otherwise the newest, or None.
    #[pyo3(signature = (owner, enctype, kvno = None))]
    fn find(&self, owner: &Bound<'_, PyAny>, enctype: &Bound<'_, PyAny>, kvno: Option<u32>) -> PyResult<Option<Key>> {
        let py = owner.py();
        let (owner, enc_type) = (principal(owner, None)?, enc_type(enctype)?);
        Ok(held(py, &self.inner).find(&owner, enc_type, kvno).map(Key))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Keytab({} entries)>", held(py, &self.inner).entries().len())
    }
}

impl Krb5Keytab {
    /// Adds an entry, replacing those with the same principal, version and encryption type.
    fn put(&self, py: Python<'_>, entry: Entry) {
        let mut inner = held(py, &self.inner);
        inner
            .retain(|one| one.principal != entry.principal || one.kvno != entry.kvno || one.enc_type != entry.enc_type);
        inner.add(entry);
    }
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<KeytabEntry>()?;
    module.add_class::<Krb5Keytab>()
}
