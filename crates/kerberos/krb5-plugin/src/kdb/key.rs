//! Database keys and their salts.

use std::fmt;

use zeroize::Zeroizing;

use crate::view::{KeyDataRef, Keyblock};
use crate::{Error, Result};

/// The salt of a password-derived key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salt {
    /// The salt type (`KRB5_KDB_SALTTYPE_*`): 0 for the principal's name, 4 for `data`.
    pub salttype: i16,
    /// The salt, for types that do not derive it from the principal's name.
    pub data: Vec<u8>,
}

/// A key in an entry, usually encrypted with the master key.
#[derive(Clone)]
pub struct KeyData {
    kvno: u16,
    enctype: i16,
    contents: Zeroizing<Vec<u8>>,
    salt: Option<Salt>,
}

impl KeyData {
    /// Creates a key from its encrypted form.
    ///
    /// # Errors
    ///
    /// Returns an error if the encrypted form is shorter than 2 bytes, which MIT reads unconditionally, or longer than 65,535
    /// bytes.
    pub fn new(kvno: u16, enctype: i16, contents: &[u8], salt: Option<Salt>) -> Result<Self> {
        let salt_length = salt.as_ref().map_or(0, |salt| salt.data.len());
        if contents.len() < 2 || contents.len().max(salt_length) > u16::MAX.into() {
            return Err(Error::new(libc::EINVAL, "key data must have 2 to 65535 bytes, and a salt at most 65535"));
        }
        Ok(Self { kvno, enctype, contents: Zeroizing::new(contents.to_vec()), salt })
    }

    /// Returns the key version.
    #[must_use]
    pub fn kvno(&self) -> u16 {
        self.kvno
    }

    /// Returns the encryption type.
    #[must_use]
    pub fn enctype(&self) -> i16 {
        self.enctype
    }

    /// Returns the encrypted key.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// Returns the salt.
    #[must_use]
    pub fn salt(&self) -> Option<&Salt> {
        self.salt.as_ref()
    }
}

impl fmt::Debug for KeyData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyData({}, {}, …)", self.kvno, self.enctype)
    }
}

impl KeyDataRef<'_> {
    /// The salt, if the entry contains it.
    #[must_use]
    pub fn salt(self) -> Option<Salt> {
        let data = self.0.array(|key| {
            let ([_, contents], [_, length]) = (key.key_data_contents, key.key_data_length);
            (contents.cast_const(), length.into())
        });
        (self.0.get().key_data_ver > 1).then(|| Salt { salttype: self.salttype(), data: data.to_vec() })
    }

    /// Copies the key so that it can outlive the call.
    ///
    /// # Errors
    ///
    /// Returns any error from [`KeyData::new`].
    pub fn to_key_data(self) -> Result<KeyData> {
        KeyData::new(self.kvno(), self.enctype(), self.contents(), self.salt())
    }
}

/// A version of the realm's master key.
#[derive(Clone, Debug)]
pub struct MasterKey {
    /// The version.
    pub kvno: u32,
    /// The key.
    pub key: Keyblock,
}
