//! Keytabs, files of long-term keys, in both versions.
//!
//! Version 2 is big-endian and includes name types. Version 1 uses the writer's byte order, and counts the realm as a
//! component. Deleted entries are holes, which are skipped and not preserved.

use core::fmt;

use tagwise_crypto::Secret;
use tagwise_pkix::UnixTime;

use crate::bin::{Cursor, FileError, Order, put16};
use crate::crypto::{EncType, Key, is_same};
use crate::{Principal, numbers};

/// A key and its principal. The key is stored as bytes because keytabs may contain obsolete encryption types.
#[derive(Clone)]
pub struct KeytabEntry {
    /// The principal to which the key belongs.
    pub principal: Principal,
    /// The time at which the entry was written.
    pub timestamp: UnixTime,
    /// The key version number.
    pub kvno: u32,
    /// The encryption type number.
    pub enc_type: i32,
    /// The key's bytes.
    pub key: Secret,
}

impl KeytabEntry {
    /// Converts to a key, if its encryption type is supported and its length is correct.
    #[must_use]
    pub fn to_key(&self) -> Option<Key> {
        Key::new(EncType::from_number(self.enc_type)?, self.key.clone()).ok()
    }

    /// Returns whether another entry has the same principal, version and encryption type, even if its key differs.
    #[must_use]
    pub fn is_for_same(&self, other: &Self) -> bool {
        self.principal == other.principal && self.kvno == other.kvno && self.enc_type == other.enc_type
    }
}

impl PartialEq for KeytabEntry {
    fn eq(&self, other: &Self) -> bool {
        (self.kvno, self.enc_type, self.timestamp) == (other.kvno, other.enc_type, other.timestamp)
            && self.principal == other.principal
            && is_same(self.key.expose(), other.key.expose())
    }
}

impl Eq for KeytabEntry {}

impl fmt::Debug for KeytabEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = numbers::enc_type::name(self.enc_type).unwrap_or("unknown");
        write!(f, "KeytabEntry({} kvno {} {name})", self.principal, self.kvno)
    }
}

/// A keytab.
///
/// ```
/// use tagwise_crypto::Secret;
/// use tagwise_krb5::{Keytab, KeytabEntry, Principal, crypto::EncType};
/// let mut keytab = Keytab::default();
/// keytab.add(KeytabEntry {
///     principal: Principal::parse("host/a.test@KRB.TEST", None)?,
///     timestamp: tagwise_pkix::UnixTime(1_795_255_200),
///     kvno: 3,
///     enc_type: 17,
///     key: Secret::from(vec![7; 16]),
/// });
/// let read = Keytab::from_bytes(&keytab.to_bytes()?)?;
/// assert!(read.find(&Principal::parse("host/a.test@KRB.TEST", None)?, EncType::Aes128CtsHmacSha196, Some(3)).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Keytab {
    entries: Vec<KeytabEntry>,
    /// The number of bytes after a record of length 0, if any of them is not zero.
    unread: usize,
}

impl PartialEq for Keytab {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Eq for Keytab {}

impl Keytab {
    /// Reads a keytab of either version.
    ///
    /// # Errors
    /// Returns a `FileError` with its position if the keytab is malformed.
    pub fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        match octets {
            [5, 2, ..] => read(octets, Order::Big, 2),
            [5, 1, rest @ ..] => read(octets, order_of(rest), 1),
            [5, version, ..] => {
                Err(FileError::found(1, format!("unsupported keytab version: {version}, expected 1 or 2")))
            }
            [first, ..] => {
                Err(FileError::found(0, format!("not a keytab: the first byte is {first:#04x}, expected 0x05")))
            }
            [] => Err(FileError::new(0, "the keytab is empty")),
        }
    }

    /// Encodes the keytab in version 2.
    ///
    /// # Errors
    /// Returns an error if a name or key is longer than 65,535 bytes. The error's offset is then the index of the entry.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let mut out = vec![5, 2];
        for (at, entry) in self.entries.iter().enumerate() {
            let too_long = || FileError::new(at, "an entry is too long for a keytab");
            let record = write(entry).ok_or_else(too_long)?;
            out.extend(i32::try_from(record.len()).map_err(|_: core::num::TryFromIntError| too_long())?.to_be_bytes());
            out.extend(record);
        }
        Ok(out)
    }

    /// Returns the entries in file order.
    #[must_use]
    pub fn entries(&self) -> &[KeytabEntry] {
        &self.entries
    }

    /// Appends an entry.
    pub fn add(&mut self, entry: KeytabEntry) {
        self.entries.push(entry);
    }

    /// Returns the number of bytes that were not read, because they follow a record of length 0, which ends the file. Writing the keytab
    /// drops them. Zero bytes do not count.
    #[must_use]
    pub const fn unread_bytes(&self) -> usize {
        self.unread
    }

    /// Adds entries from another keytab whose key is not yet present with the same principal, version and encryption type. Different keys
    /// of the same principal, version and encryption type are all kept.
    pub fn merge(&mut self, other: &Self) {
        for entry in &other.entries {
            let is = |one: &KeytabEntry| one.is_for_same(entry) && is_same(one.key.expose(), entry.key.expose());
            if !self.entries.iter().any(is) {
                self.entries.push(entry.clone());
            }
        }
    }

    /// Keeps only the entries for which a function returns true.
    pub fn retain(&mut self, keep: impl FnMut(&KeytabEntry) -> bool) {
        self.entries.retain(keep);
    }

    /// Returns the encryption types of a principal's keys.
    #[must_use]
    pub fn enc_types(&self, principal: &Principal) -> Vec<EncType> {
        let of = self.entries.iter().filter(|entry| entry.principal == *principal);
        let mut found = Vec::new();
        for enc_type in of.filter_map(|entry| EncType::from_number(entry.enc_type)) {
            if !found.contains(&enc_type) {
                found.push(enc_type);
            }
        }
        found
    }

    /// Finds a principal's key for an encryption type, with the given version or otherwise the newest.
    #[must_use]
    pub fn find(&self, principal: &Principal, enc_type: EncType, kvno: Option<u32>) -> Option<Key> {
        self.newest(principal, enc_type, kvno).and_then(|(_, entry)| entry.to_key())
    }

    /// Returns the entry whose key [`find`](Self::find) returns, and its index.
    pub(crate) fn newest(
        &self,
        principal: &Principal,
        enc_type: EncType,
        kvno: Option<u32>,
    ) -> Option<(usize, &KeytabEntry)> {
        self.entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.principal == *principal && entry.enc_type == enc_type.number())
            .filter(|(_, entry)| kvno.is_none_or(|kvno| same_version(entry.kvno, kvno)))
            // Versions of one byte wrap around, so the newest is the one that was written last.
            .max_by_key(|(_, entry)| (entry.timestamp, entry.kvno))
    }

    /// Returns the entries of all principals with the given version and encryption type, each with its index, newest first.
    pub(crate) fn candidates(
        &self,
        enc_type: EncType,
        kvno: Option<u32>,
    ) -> impl Iterator<Item = (usize, &KeytabEntry)> {
        let entries = self.entries.iter().enumerate();
        let fits = move |entry: &KeytabEntry| {
            entry.enc_type == enc_type.number() && kvno.is_none_or(|kvno| same_version(entry.kvno, kvno))
        };
        let mut found: Vec<_> = entries.filter(|(_, entry)| fits(entry)).collect();
        found.sort_by_key(|(_, entry)| core::cmp::Reverse(entry.timestamp));
        found.into_iter()
    }
}

/// Returns whether two key versions match. Old files store only the lowest eight bits.
const fn same_version(stored: u32, wanted: u32) -> bool {
    stored == wanted || (stored < 256 && stored == wanted & 0xFF)
}

/// Returns the byte order of the machine that wrote version 1. The file does not say it, but in the other order, the first length is much
/// larger.
fn order_of(records: &[u8]) -> Order {
    let Some(len) = records.first_chunk() else { return Order::Little };
    let (big, little) = (i32::from_be_bytes(*len).unsigned_abs(), i32::from_le_bytes(*len).unsigned_abs());
    if big < little { Order::Big } else { Order::Little }
}

fn read(octets: &[u8], order: Order, version: u8) -> Result<Keytab, FileError> {
    let mut cursor = Cursor::new(octets, order);
    cursor.take(2)?;
    let (mut entries, mut unread) = (Vec::new(), 0);
    // The end of the file, or a record of no length, ends it.
    while !cursor.is_empty() {
        let at = cursor.offset();
        let rest = cursor.remaining();
        if rest < 4 {
            let text = format!("trailing bytes after the last entry: {rest}, expected a length of 4 bytes or none");
            return Err(FileError::found(at, text));
        }
        match cursor.i32()? {
            0 => {
                let rest = cursor.take(cursor.remaining())?;
                unread = if rest.iter().any(|byte| *byte != 0) { rest.len() } else { 0 };
            }
            hole @ ..0 => {
                let len = usize::try_from(hole.unsigned_abs());
                let len =
                    len.map_err(|_: core::num::TryFromIntError| FileError::new(at, "a deleted entry is too long"))?;
                cursor.take(len).map_err(|error| error.of("a deleted entry"))?;
            }
            len => {
                let len = usize::try_from(len);
                let len = len.map_err(|_: core::num::TryFromIntError| FileError::new(at, "a record is too long"))?;
                let entry = cursor.window(len).and_then(|record| read_entry(record, version));
                let number = entries.len().saturating_add(1);
                entries.push(entry.map_err(|error| error.of(format_args!("entry {number}")))?);
            }
        }
    }
    Ok(Keytab { entries, unread })
}

fn read_entry(mut record: Cursor<'_>, version: u8) -> Result<KeytabEntry, FileError> {
    let at = record.offset();
    let count = match (version, record.u16()?) {
        (1, 0) => return Err(FileError::new(at, "no realm")),
        (1, count) => count - 1,
        (_, count) => count,
    };
    let realm = record.counted16()?;
    let components = (0..count).map(|_| record.counted16()).collect::<Result<Vec<_>, _>>()?;
    let name_type = if version == 1 { numbers::name_type::UNKNOWN } else { record.i32()? };
    let timestamp = UnixTime(i64::from(record.u32()?));
    let short = u32::from(record.u8()?);
    let enc_type = i32::from(record.u16()? as i16);
    let key = Secret::from(record.counted16()?);
    // A version of 32 bits may follow, and holds unless it is zero.
    let long = if record.remaining() >= 4 { record.u32()? } else { 0 };
    let kvno = if long == 0 { short } else { long };
    Ok(KeytabEntry { principal: Principal::new(name_type, realm, components), timestamp, kvno, enc_type, key })
}

fn write(entry: &KeytabEntry) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let components = entry.principal.components();
    out.extend(u16::try_from(components.len()).ok()?.to_be_bytes());
    put16(&mut out, entry.principal.realm())?;
    components.iter().try_for_each(|part| put16(&mut out, part))?;
    out.extend(entry.principal.name_type().to_be_bytes());
    out.extend((entry.timestamp.0 as u32).to_be_bytes());
    out.push(entry.kvno as u8);
    out.extend(i16::try_from(entry.enc_type).ok()?.to_be_bytes());
    put16(&mut out, entry.key.expose())?;
    out.extend(entry.kvno.to_be_bytes());
    Some(out)
}
