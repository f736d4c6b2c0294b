//! An index of an extension list, for direct access to each extension.

use tagwise_codec::{Decode, Error, Kept, Oid, Reader, Typed};

use crate::cert::{Extension, Extensions};
use crate::ext::KnownExtension;

/// The maximum number of indexed extensions. Later ones are searched one by one. Certificates have about ten.
const MOST: usize = 32;

/// An index of an extension list. It uses 8 bytes per extension and has no lifetime, so it can be stored next to the owner
/// of the bytes.
///
/// ```
/// use tagwise_codec::{Decode, Open, encode};
/// use tagwise_x509::ext::{BasicConstraints, ExtensionValue, KeyUsage, KnownExtension};
/// use tagwise_x509::{Extension, Extensions};
/// let list = [Extension {
///     extn_id: KeyUsage::ID,
///     critical: true,
///     extn_value: Open::<ExtensionValue<'_>>::new(KeyUsage::ID.as_bytes(), &[0x03, 0x02, 0x01, 0x06]),
/// }];
/// let der = encode(&Extensions::new(&list).unwrap())?;
/// let extensions = Extensions::from_der(&der)?;
/// let index = extensions.index()?;
/// assert!(index.get::<KeyUsage<'_>>(&extensions)?.unwrap().crl_sign());
/// assert!(index.find(&extensions, BasicConstraints::ID)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExtensionIndex {
    /// The last bytes and the length of each identifier, which distinguish most identifiers.
    keys: [u32; MOST],
    starts: [u32; MOST],
    count: u8,
    /// True if the list has more than [`MOST`] extensions.
    more: bool,
}

fn key(oid: &[u8]) -> u32 {
    let tail = oid.iter().rev().take(3).fold(0u32, |key, octet| key << 8 | u32::from(*octet));
    (oid.len() as u32) << 24 | tail
}

impl<'a> Extensions<'a> {
    /// Indexes the readable extensions, up to 32. [`ExtensionIndex::find`] searches later ones one by one.
    ///
    /// # Errors
    /// Returns an error if an extension cannot be skipped, so that later ones cannot be found. This is only possible if just
    /// the outline (the top-level structure) was decoded.
    pub fn index(&self) -> Result<ExtensionIndex, Error> {
        let mut index = ExtensionIndex { keys: [0; MOST], starts: [0; MOST], count: 0, more: false };
        let list = self.as_seq_of();
        let content = list.content().unwrap_or_default();
        let mut at = 0;
        let mut slots = index.keys.iter_mut().zip(&mut index.starts);
        while at < content.len() {
            let Some((slot, start)) = slots.next() else {
                index.more = true;
                break;
            };
            let rest = content.get(at..).unwrap_or_default();
            let base = list.offset() + at;
            match read(rest, base, list.kept()) {
                Ok((extension, len)) => {
                    (*slot, *start) = (key(extension.extn_id.as_bytes()), at as u32);
                    index.count += 1;
                    at += len;
                }
                // It does not hide the others, which are then searched one by one.
                Err(error) => {
                    at += skip(rest, list.kept()).ok_or(error)?;
                    index.more = true;
                }
            }
        }
        Ok(index)
    }
}

/// Returns the length of the first element in bytes.
#[cold]
fn skip(octets: &[u8], kept: Kept) -> Option<usize> {
    let mut reader = Reader::new(octets).ok()?.keeping(kept);
    reader.skip().ok().map(<[u8]>::len)
}

/// Decodes the first extension, and returns it with its length in bytes.
fn read(octets: &[u8], base: usize, kept: Kept) -> Result<(Extension<'_>, usize), Error> {
    let read = || {
        let mut reader = Reader::new(octets)?.at_base(base).outlined().keeping(kept);
        let extension = Extension::decode(&mut reader)?;
        Ok((extension, reader.position()))
    };
    read().map_err(|fault| Error::locate_at(fault, Extension::ty(), octets, base))
}

impl ExtensionIndex {
    /// Returns the extension with the given identifier from the indexed list.
    ///
    /// # Errors
    /// Returns an error if the extension is malformed. If it comes after the 32nd extension, also returns an error if a
    /// preceding one is malformed.
    pub fn find<'a>(&self, of: &Extensions<'a>, extn_id: Oid<'_>) -> Result<Option<Extension<'a>>, Error> {
        let wanted = key(extn_id.as_bytes());
        let list = of.as_seq_of();
        let Some(content) = list.content() else { return of.find(extn_id) };
        let slots = self.keys.iter().zip(&self.starts).take(usize::from(self.count));
        for (_, start) in slots.filter(|(key, _)| **key == wanted) {
            let start = *start as usize;
            let rest = content.get(start..).unwrap_or_default();
            let (extension, _) = read(rest, list.offset() + start, list.kept())?;
            if extension.extn_id == extn_id {
                return Ok(Some(extension));
            }
        }
        if self.more { of.find(extn_id) } else { Ok(None) }
    }

    /// Decodes the extension of type `T`.
    ///
    /// # Errors
    /// Returns any error from [`ExtensionIndex::find`], or an error if the value is malformed.
    pub fn get<'a, T: KnownExtension + Decode<'a>>(&self, of: &Extensions<'a>) -> Result<Option<T>, Error> {
        self.find(of, T::ID)?.map(|extension| extension.extn_value.decode_as::<T>()).transpose()
    }

    /// Returns the number of indexed extensions, at most 32.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns whether the index is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}
