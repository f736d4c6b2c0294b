//! Keys as a database has them, and their salts.

use std::fmt;

use zeroize::Zeroizing;

use crate::view::Keyblock;
use crate::{Error, Result};

/// A salt of a key that is made of a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salt {
    /// The type (`KRB5_KDB_SALTTYPE_*`): 0 for the principal's name, 4 for `data`.
    pub salttype: i16,
    /// The salt itself, for types that do not follow from the principal.
    pub data: Vec<u8>,
}

/// A key as an entry has it, mostly encrypted under the master key.
#[derive(Clone)]
pub struct KeyData {
    kvno: u16,
    enctype: i16,
    contents: Zeroizing<Vec<u8>>,
    salt: Option<Salt>,
}

impl KeyData {
    /// Returns a key of its encrypted form.
    ///
    /// # Errors
    ///
    /// An error if the form is shorter than 2 bytes, which MIT reads unasked, or longer than 65,535.
    pub fn new(kvno: u16, enctype: i16, contents: &[u8], salt: Option<Salt>) -> Result<Self> {
        let salt_length = salt.as_ref().map_or(0, |salt| salt.data.len());
        if contents.len() < 2 || contents.len().max(salt_length) > u16::MAX.into() {
            return Err(Error::new(libc::EINVAL, "key data: must be 2 to 65535 bytes long, and a salt not longer"));
        }
        Ok(Self { kvno, enctype, contents: Zeroizing::new(contents.to_vec()), salt })
    }

    /// The version of the key.
    #[must_use]
    pub fn kvno(&self) -> u16 {
        self.kvno
    }

    /// The encryption type.
    #[must_use]
    pub fn enctype(&self) -> i16 {
        self.enctype
    }

    /// The encrypted form.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// The salt.
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

/// A version of the realm's master key.
#[derive(Clone, Debug)]
pub struct MasterKey {
    /// The version.
    pub kvno: u32,
    /// The key.
    pub key: Keyblock,
}
