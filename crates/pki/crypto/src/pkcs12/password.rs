//! Passwords, and their encodings for different schemes.

use crate::{Error, ErrorKind, Secret};

/// The password of a PKCS #12 file, or the absence of one.
///
/// ```
/// use tagwise_crypto::pkcs12::Password;
/// assert_eq!(Password::new("ä").bmp().expose(), [0, 0xE4, 0, 0]);
/// assert_eq!(Password::new("").bmp().expose(), [0, 0]);
/// assert_eq!(Password::absent().bmp().expose(), []);
/// assert_eq!(format!("{:?}", Password::new("secret")), "Password(..)");
/// ```
#[derive(Clone)]
pub struct Password(Option<Secret>);

impl Password {
    /// Creates a password from text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Some(Secret::from(text.as_bytes())))
    }

    /// Creates an absent password, which differs from an empty one.
    #[must_use]
    pub const fn absent() -> Self {
        Self(None)
    }

    /// Creates a password from UTF-8 bytes.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] if they are not UTF-8, because the characters are then unknown.
    pub fn from_utf8(octets: &[u8]) -> Result<Self, Error> {
        match core::str::from_utf8(octets) {
            Ok(text) => Ok(Self::new(text)),
            // The standard library's error contains a position, which would reveal something about the password.
            Err(_) => Err(Error::new(ErrorKind::Parameters, "a password that is not UTF-8")),
        }
    }

    /// Returns the UTF-8 bytes, as used by PBES2 and PBMAC1 (RFC 8018 §2).
    #[must_use]
    pub fn utf8(&self) -> &[u8] {
        self.0.as_ref().map(Secret::expose).unwrap_or_default()
    }

    /// Returns the password as a BMPString followed by two zero bytes (RFC 7292 Appendix B.1). Empty for an absent password.
    ///
    /// Characters outside the Basic Multilingual Plane, which BMPString does not support, are written as surrogates, as is
    /// common practice.
    #[must_use]
    pub fn bmp(&self) -> Secret {
        let Some(octets) = &self.0 else { return Secret::default() };
        // It was made of text.
        let text = core::str::from_utf8(octets.expose()).unwrap_or_default();
        let mut units = Secret::zeroed(text.encode_utf16().count().saturating_mul(2).saturating_add(2));
        for (pair, unit) in units.expose_mut().chunks_exact_mut(2).zip(text.encode_utf16()) {
            pair.copy_from_slice(&unit.to_be_bytes());
        }
        units
    }

    /// Returns an absent password for an empty one, and vice versa.
    pub(super) fn other_nothing(&self) -> Option<Self> {
        match &self.0 {
            None => Some(Self::new("")),
            Some(octets) if octets.is_empty() => Some(Self::absent()),
            Some(_) => None,
        }
    }
}

impl core::fmt::Debug for Password {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Password(..)")
    }
}
