//! Secret bytes, zeroized on drop and not shown by `Debug`.

use zeroize::{Zeroizing, optimization_barrier};

/// Secret bytes: a private key, a shared secret, or a derived key.
///
/// ```
/// use tagwise_crypto::Secret;
/// let secret = Secret::from(vec![1, 2, 3]);
/// assert_eq!(format!("{secret:?}"), "Secret(3 bytes)");
/// assert_eq!(secret.expose(), [1, 2, 3]);
/// ```
#[derive(Clone, Default)]
pub struct Secret(Vec<u8>);

/// Overwrites bytes with zeros in a way that the compiler must not remove. Overwriting them individually would take forty
/// times as long.
fn wipe(octets: &mut [u8]) {
    octets.fill(0);
    optimization_barrier(octets);
}

impl Drop for Secret {
    fn drop(&mut self) {
        // With what is beyond the last octet and was one before.
        self.0.clear();
        self.0.resize(self.0.capacity(), 0);
        optimization_barrier(self.0.as_slice());
    }
}

impl Secret {
    /// Allocates `len` zero bytes, to be filled in by the caller.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        Self(vec![0; len])
    }

    /// Borrows the bytes.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.0
    }

    /// Borrows the bytes mutably.
    #[must_use]
    pub fn expose_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps the first `len` bytes and zeroizes the rest.
    pub fn truncate(&mut self, len: usize) {
        if let Some(rest) = self.0.get_mut(len..) {
            wipe(rest);
        }
        self.0.truncate(len);
    }

    /// Removes the first `len` bytes and moves the rest to the front. Leftover bytes are zeroized.
    pub fn remove_front(&mut self, len: usize) {
        let len = len.min(self.0.len());
        self.0.copy_within(len.., 0);
        self.truncate(self.0.len().saturating_sub(len));
    }

    /// Returns the bytes without zeroizing them, for data that is no longer secret, for example after encryption in
    /// place.
    #[must_use]
    pub fn into_public(mut self) -> Vec<u8> {
        core::mem::take(&mut self.0)
    }
}

impl From<Vec<u8>> for Secret {
    fn from(octets: Vec<u8>) -> Self {
        Self(octets)
    }
}

impl From<Zeroizing<Vec<u8>>> for Secret {
    fn from(mut octets: Zeroizing<Vec<u8>>) -> Self {
        Self(core::mem::take(&mut *octets))
    }
}

impl From<&[u8]> for Secret {
    fn from(octets: &[u8]) -> Self {
        Self(octets.to_vec())
    }
}

impl From<Secret> for Zeroizing<Vec<u8>> {
    fn from(secret: Secret) -> Self {
        Self::new(secret.into_public())
    }
}

impl core::fmt::Debug for Secret {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Secret({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_goes_and_what_is_public_stays() {
        let mut secret = Secret::from(vec![1, 2, 3, 4, 5]);
        secret.remove_front(2);
        assert_eq!(secret.expose(), [3, 4, 5]);
        secret.truncate(2);
        assert_eq!(secret.clone().into_public(), [3, 4]);
        secret.remove_front(9);
        assert!(secret.is_empty());
        let wiped: Zeroizing<Vec<u8>> = Secret::from(vec![6, 7]).into();
        assert_eq!(*wiped, [6, 7]);
    }

    #[test]
    fn wiped_octets_are_zero() {
        let mut octets = [1, 2, 3];
        wipe(&mut octets);
        assert_eq!(octets, [0; 3]);
    }
}
