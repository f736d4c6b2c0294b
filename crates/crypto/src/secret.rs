//! Octets that nobody is to see: wiped when they go, not shown by `Debug`.

use zeroize::{Zeroizing, optimization_barrier};

/// Secret octets: a private key, a shared secret, what a password becomes.
///
/// ```
/// use tagwise_crypto::Secret;
/// let secret = Secret::from(vec![1, 2, 3]);
/// assert_eq!(format!("{secret:?}"), "Secret(3 bytes)");
/// assert_eq!(secret.expose(), [1, 2, 3]);
/// ```
#[derive(Clone, Default)]
pub struct Secret(Vec<u8>);

/// Overwrites octets in a way that the compiler has to keep. All at once: one by one takes forty times as long.
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
    /// So many octets, all zero, to be filled.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        Self(vec![0; len])
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
            wipe(rest);
        }
        self.0.truncate(len);
    }

    /// Drops the first `len` octets; the others move to the front, where no second copy of them stays.
    pub fn remove_front(&mut self, len: usize) {
        let len = len.min(self.0.len());
        self.0.copy_within(len.., 0);
        self.truncate(self.0.len().saturating_sub(len));
    }

    /// The octets, which nobody wipes any more: for what has become public, as by encryption in place.
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
