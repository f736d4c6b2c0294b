//! Octets that nobody is to see: wiped when they go, not shown by `Debug`.

use zeroize::Zeroizing;

/// Secret octets: a private key, a shared secret, what a password becomes.
///
/// ```
/// use tagwise_crypto::Secret;
/// let secret = Secret::from(vec![1, 2, 3]);
/// assert_eq!(format!("{secret:?}"), "Secret(3 bytes)");
/// assert_eq!(secret.expose(), [1, 2, 3]);
/// ```
#[derive(Clone, Default)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    /// So many octets, all zero, to be filled.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        Self(Zeroizing::new(vec![0; len]))
    }

    /// The octets.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.0
    }

    /// The octets, to be written.
    #[must_use]
    pub fn expose_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    /// Number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps the first `len` octets and wipes the others.
    pub fn truncate(&mut self, len: usize) {
        if let Some(rest) = self.0.get_mut(len..) {
            zeroize::Zeroize::zeroize(rest);
        }
        self.0.truncate(len);
    }
}

impl From<Vec<u8>> for Secret {
    fn from(octets: Vec<u8>) -> Self {
        Self(Zeroizing::new(octets))
    }
}

impl From<Zeroizing<Vec<u8>>> for Secret {
    fn from(octets: Zeroizing<Vec<u8>>) -> Self {
        Self(octets)
    }
}

impl From<&[u8]> for Secret {
    fn from(octets: &[u8]) -> Self {
        Self(Zeroizing::new(octets.to_vec()))
    }
}

impl From<Secret> for Zeroizing<Vec<u8>> {
    fn from(secret: Secret) -> Self {
        secret.0
    }
}

impl core::fmt::Debug for Secret {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Secret({} bytes)", self.0.len())
    }
}
