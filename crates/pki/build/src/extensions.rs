//! Extensions built from typed values.

use std::borrow::Cow;

use tagwise_codec::{Encode, EncodeError, Oid, Open, encode};

use super::BuildError;
use tagwise_x509::cert::Extension;
use tagwise_x509::ext::KnownExtension;

/// A list of extensions under construction, without duplicates. It owns their values.
///
/// ```
/// use tagwise_codec::NamedBits;
/// use tagwise_build::ExtensionList;
/// use tagwise_x509::ext::{BasicConstraints, KeyUsage};
/// let mut list = ExtensionList::new();
/// list.add(true, &KeyUsage(NamedBits::from_mask(1)))?.add(true, &BasicConstraints::default())?;
/// assert_eq!(list.extensions().len(), 2);
/// let twice = list.add(false, &BasicConstraints::default()).unwrap_err();
/// assert_eq!(twice.to_string(), "duplicate extension 2.5.29.19 (RFC 5280 §4.2)");
/// # Ok::<(), tagwise_build::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ExtensionList {
    entries: Vec<ExtensionEntry>,
}

#[derive(Clone, Debug)]
struct ExtensionEntry {
    /// The identifier's content bytes. Those of known types are borrowed.
    id: Cow<'static, [u8]>,
    critical: bool,
    value: Vec<u8>,
}

impl ExtensionList {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Appends an extension of a known type.
    ///
    /// # Errors
    /// Returns an error if the extension is already present, or the value cannot be encoded.
    pub fn add<T: KnownExtension + Encode>(&mut self, critical: bool, value: &T) -> Result<&mut Self, BuildError> {
        let value = encode(value)?;
        self.push(Cow::Borrowed(T::ID.as_bytes()), critical, value)
    }

    /// Appends any extension, given its value in DER. If its type is known, the value is checked when the list is used.
    ///
    /// # Errors
    /// Returns an error if the extension is already present.
    pub fn add_der(&mut self, id: Oid<'_>, critical: bool, value: impl Into<Vec<u8>>) -> Result<&mut Self, BuildError> {
        self.push(Cow::Owned(id.as_bytes().to_vec()), critical, value.into())
    }

    /// Returns whether an extension is present.
    #[must_use]
    pub fn has(&self, id: Oid<'_>) -> bool {
        self.entries.iter().any(|entry| entry.id == id.as_bytes())
    }

    fn push(&mut self, id: Cow<'static, [u8]>, critical: bool, value: Vec<u8>) -> Result<&mut Self, BuildError> {
        // An OID that was accepted only by lenient decoding cannot be encoded.
        let oid = Oid::from_content(&id).map_err(|fault| EncodeError::new(fault.kind()))?;
        if self.entries.iter().any(|entry| entry.id == id) {
            return Err(BuildError::Twice(oid.to_string()));
        }
        if self.entries.is_empty() {
            // The number of extensions in most certificates.
            self.entries.reserve(8);
        }
        self.entries.push(ExtensionEntry { id, critical, value });
        Ok(self)
    }

    /// Copies an extension from another certificate or request.
    ///
    /// # Errors
    /// Returns an error if the extension is already present.
    pub fn copy(&mut self, extension: &Extension<'_>) -> Result<&mut Self, BuildError> {
        self.add_der(extension.extn_id, extension.critical, extension.extn_value.as_bytes())
    }

    /// Returns the extensions in insertion order, for [`Extensions::new`](tagwise_x509::Extensions::new).
    #[must_use]
    pub fn extensions(&self) -> Vec<Extension<'_>> {
        let extension = |entry| {
            let ExtensionEntry { id, critical, value }: &ExtensionEntry = entry;
            // Does not fail, because the bytes come from an OID.
            let extn_id = Oid::from_content(id).ok()?;
            Some(Extension { extn_id, critical: *critical, extn_value: Open::new(id, value) })
        };
        self.entries.iter().filter_map(extension).collect()
    }
}
