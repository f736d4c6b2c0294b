//! The sizes of strings that contain encodings under other rules than DER.

use alloc::collections::BTreeMap;

use super::{Data, Value};

/// The sizes of the strings in a value that contain encodings, under the encoding rules in use. SIZE applies to the
/// string's own bits or bytes (X.680 §51.5), which depend on these rules.
///
/// A string is recognized by the address of the value that it contains, which must not move until the check.
///
/// ```
/// use tagwise_codec::value::{ContainedSizes, Dynamic};
/// let boolean = Dynamic::of::<bool>();
/// let value = boolean.decode(&[0x01, 0x01, 0xFF])?.value;
/// let mut sizes = ContainedSizes::default();
/// // Only strings that contain a value have such a size.
/// sizes.record(&value, 3);
/// assert!(sizes.is_empty());
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ContainedSizes {
    sizes: BTreeMap<usize, usize>,
}

impl ContainedSizes {
    /// No sizes: SIZE is not checked for any string that contains a value.
    pub const NONE: &'static Self = &Self { sizes: BTreeMap::new() };

    /// Records the size of a string that contains a value: in bits for a BIT STRING, in bytes for an OCTET STRING. Does
    /// nothing for other values.
    pub fn record(&mut self, string: &Value<'_>, size: usize) {
        if let Some(key) = key(string) {
            self.sizes.insert(key, size);
        }
    }

    /// Returns whether no size is recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns the size of a string that contains a value.
    pub(super) fn get(&self, string: &Value<'_>) -> Option<usize> {
        self.sizes.get(&key(string)?).copied()
    }
}

fn key(string: &Value<'_>) -> Option<usize> {
    match &string.data {
        Data::Containing(inner) => Some(core::ptr::from_ref::<Value<'_>>(inner).addr()),
        _ => None,
    }
}
