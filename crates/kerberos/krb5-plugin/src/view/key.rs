//! Keys. `Debug` does not show their bytes.

use std::fmt;

use tagwise_krb5_plugin_sys::mit::krb5_keyblock;
use zeroize::Zeroizing;

use crate::host::lent::Lent;

/// A key borrowed from the host.
#[derive(Clone, Copy)]
pub struct KeyRef<'a>(pub(crate) Lent<'a, krb5_keyblock>);

impl<'a> KeyRef<'a> {
    /// Returns the encryption type.
    #[must_use]
    pub fn enctype(self) -> i32 {
        self.0.get().enctype
    }

    /// Returns the bytes of the key.
    #[must_use]
    pub fn contents(self) -> &'a [u8] {
        self.0.array(|key| (key.contents.cast_const(), key.length.into()))
    }

    /// Copies the key so that it can outlive the call.
    #[must_use]
    pub fn to_keyblock(self) -> Keyblock {
        Keyblock::new(self.enctype(), self.contents())
    }
}

impl fmt::Debug for KeyRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyRef({}, …)", self.enctype())
    }
}

/// An owned key, zeroized on drop.
#[derive(Clone)]
pub struct Keyblock {
    enctype: i32,
    contents: Zeroizing<Vec<u8>>,
}

impl Keyblock {
    /// Creates a key from its bytes.
    #[must_use]
    pub fn new(enctype: i32, contents: &[u8]) -> Self {
        Self { enctype, contents: Zeroizing::new(contents.to_vec()) }
    }

    /// Returns the encryption type.
    #[must_use]
    pub fn enctype(&self) -> i32 {
        self.enctype
    }

    /// Returns the bytes of the key.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }
}

impl fmt::Debug for Keyblock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keyblock({}, …)", self.enctype)
    }
}
