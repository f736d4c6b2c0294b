//! Secret keys in PKCS #12 files (RFC 7292 §4.2.5).

use tagwise_codec::{Decode, Error, Oid, Tag};

use super::SecretBag;
use crate::pkcs8::PrivateKeyInfo;

/// A secret key in an item of kind [`BundleKind::Secret`](crate::BundleKind::Secret).
///
/// Java keystores (`keytool -genseckey`) contain an encrypted PrivateKeyInfo with the key's algorithm, and the key is the
/// content of its OCTET STRING. Other programs store a value directly in the bag. The key is then the content of an OCTET
/// STRING, or the DER of a value of another type.
#[derive(Clone, Copy)]
pub struct SecretKey<'a> {
    /// The algorithm of the key, or the type of the secret.
    pub algorithm: Oid<'a>,
    /// The secret key's bytes.
    pub key: &'a [u8],
}

impl<'a> SecretKey<'a> {
    /// Decodes an item's bytes.
    ///
    /// # Errors
    /// Returns an error if they are neither a PrivateKeyInfo nor a SecretBag.
    pub fn read(octets: &'a [u8]) -> Result<Self, Error> {
        if let Ok(info) = PrivateKeyInfo::outline(octets) {
            return Ok(Self { algorithm: info.private_key_algorithm.algorithm, key: info.private_key.0.as_bytes() });
        }
        let bag = SecretBag::outline(octets)?;
        let value = bag.secret_value;
        let key = if value.tag() == Tag::OCTET_STRING { value.content() } else { value.as_bytes() };
        Ok(Self { algorithm: bag.secret_type_id, key })
    }
}

impl core::fmt::Debug for SecretKey<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SecretKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}
