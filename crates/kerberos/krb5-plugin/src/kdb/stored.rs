//! The storage format for entries and policies in a driver's own files and tables.
//!
//! The first byte is the version, numbers are little-endian, and variable-length data is length-prefixed. Keys stay
//! encrypted with the master key.

use std::ffi::{CStr, CString};
use std::time::Duration;

use tagwise_codec::UnixTime;
use tagwise_krb5::Principal;

use super::{DbEntry, KeyData, Policy, Salt, TlData};
use crate::view::{DbEntryRef, stamp};
use crate::{Error, Result, codes};

/// The version of the storage format.
const VERSION: u8 = 1;

/// The maximum length of a record in bytes. It exceeds the size of any realistic entry with all its keys and data.
const LONGEST: usize = 16 << 20;

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        // All that is written here was shorter than 4 GiB in MIT's structures, which count with 32 bits.
        self.number(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        self.0.extend(bytes);
    }

    fn span(&mut self, span: Duration) {
        self.number(u32::try_from(span.as_secs()).unwrap_or(u32::MAX));
    }

    fn time(&mut self, time: Option<UnixTime>) {
        self.number(stamp(time).cast_unsigned());
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        let at = self.0.len();
        self.number(0);
        let mut count = 0_u32;
        for item in items {
            write(self, item);
            count += 1;
        }
        if let Some(place) = self.0.get_mut(at..at + 4) {
            place.copy_from_slice(&count.to_le_bytes());
        }
    }
}

struct Reader<'a>(&'a [u8]);

fn truncated() -> Error {
    Error::new(codes::KRB5_KDB_TRUNCATED_RECORD, "the record is truncated, or has a length that is too large")
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self> {
        match bytes.split_first() {
            _ if bytes.len() > LONGEST => Err(truncated()),
            Some((&VERSION, rest)) => Ok(Self(rest)),
            Some((version, _)) => {
                let message = format!("the record is of version {version}; expected {VERSION}");
                Err(Error::new(codes::KRB5_KDB_TRUNCATED_RECORD, message))
            }
            None => Err(truncated()),
        }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        bytes.try_into().map(u32::from_le_bytes).map_err(|_| truncated())
    }

    fn small<T: TryFrom<u32>>(&mut self) -> Result<T> {
        self.number()?.try_into().map_err(|_| truncated())
    }

    fn signed(&mut self) -> Result<i16> {
        self.number()?.cast_signed().try_into().map_err(|_| truncated())
    }

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.small()?;
        self.take(length)
    }

    fn text(&mut self) -> Result<CString> {
        CString::new(self.bytes()?).map_err(|_| truncated())
    }

    fn span(&mut self) -> Result<Duration> {
        Ok(Duration::from_secs(self.number()?.into()))
    }

    fn time(&mut self) -> Result<Option<UnixTime>> {
        Ok(Some(self.number()?).filter(|seconds| *seconds != 0).map(|seconds| UnixTime(seconds.into())))
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        // Each item has a byte at least, so that a count ends with the record.
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }

    fn end(self) -> Result<()> {
        match self.0 {
            [] => Ok(()),
            rest => {
                let message = format!("{} bytes of trailing data after the record", rest.len());
                Err(Error::new(codes::KRB5_KDB_TRUNCATED_RECORD, message))
            }
        }
    }
}

fn write_tl_data(writer: &mut Writer, tl_type: i16, contents: &[u8]) {
    writer.number(i32::from(tl_type).cast_unsigned());
    writer.bytes(contents);
}

fn read_tl_data(reader: &mut Reader<'_>) -> Result<TlData> {
    TlData::new(reader.signed()?, reader.bytes()?)
}

impl DbEntryRef<'_> {
    /// Encodes the entry for storage. [`DbEntry::from_bytes`] decodes it.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        let mut writer = Writer(vec![VERSION]);
        let principal = self.principal();
        writer.number(principal.map_or(0, |principal| principal.name_type().cast_unsigned()));
        writer.bytes(principal.map_or(&[], |principal| principal.realm()));
        writer.list(principal.iter().flat_map(|principal| principal.components()), Writer::bytes);
        writer.number(self.attributes());
        writer.span(self.max_life());
        writer.span(self.max_renewable_life());
        for time in [self.expiration(), self.pw_expiration(), self.last_success(), self.last_failed()] {
            writer.time(time);
        }
        writer.number(self.fail_auth_count());
        writer.list(self.tl_data(), |writer, data| write_tl_data(writer, data.tl_type(), data.contents()));
        writer.list(self.key_data(), |writer, key| {
            writer.number(key.kvno().into());
            writer.number(i32::from(key.enctype()).cast_unsigned());
            writer.bytes(key.contents());
            writer.list(key.salt(), |writer, salt| {
                writer.number(i32::from(salt.salttype).cast_unsigned());
                writer.bytes(&salt.data);
            });
        });
        writer.bytes(self.e_data());
        writer.0
    }
}

impl DbEntry {
    /// Decodes an entry encoded by [`DbEntryRef::to_bytes`].
    ///
    /// ```
    /// use tagwise_krb5_plugin::{Principal, kdb::DbEntry};
    ///
    /// let entry = DbEntry::new(&Principal::new(1, "KRB.TEST", ["alice"]))?;
    /// let read = DbEntry::from_bytes(&entry.as_ref().to_bytes())?;
    /// assert_eq!(read.as_ref().principal().unwrap().to_string(), "alice@KRB.TEST");
    /// # Ok::<(), tagwise_krb5_plugin::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `KRB5_KDB_TRUNCATED_RECORD` if the bytes are not an entry.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes)?;
        let name_type = reader.number()?.cast_signed();
        let realm = reader.bytes()?;
        let components = reader.list(|reader| reader.bytes())?;
        let mut entry = Self::new(&Principal::new(name_type, realm, components))?;
        entry.set_attributes(reader.number()?);
        entry.set_max_life(reader.span()?);
        entry.set_max_renewable_life(reader.span()?);
        entry.set_expiration(reader.time()?);
        entry.set_pw_expiration(reader.time()?);
        entry.set_last_success(reader.time()?);
        entry.set_last_failed(reader.time()?);
        entry.set_fail_auth_count(reader.number()?);
        for data in reader.list(read_tl_data)? {
            entry.push_tl_data(data.tl_type(), data.contents())?;
        }
        let keys = reader.list(|reader| {
            let (kvno, enctype, contents) = (reader.small()?, reader.signed()?, reader.bytes()?);
            let salts =
                reader.list(|reader| Ok(Salt { salttype: reader.signed()?, data: reader.bytes()?.to_vec() }))?;
            match <[Salt; 1]>::try_from(salts) {
                Ok([salt]) => KeyData::new(kvno, enctype, contents, Some(salt)),
                Err(salts) if salts.is_empty() => KeyData::new(kvno, enctype, contents, None),
                Err(_) => Err(truncated()),
            }
        })?;
        entry.set_key_data(&keys)?;
        entry.set_e_data(reader.bytes()?)?;
        reader.end()?;
        Ok(entry)
    }
}

impl Policy {
    /// Encodes the policy for storage. [`Policy::from_bytes`] decodes it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer(vec![VERSION]);
        writer.bytes(self.name.as_bytes());
        writer.span(self.pw_min_life);
        writer.span(self.pw_max_life);
        for number in [self.pw_min_length, self.pw_min_classes, self.pw_history_num, self.pw_max_fail] {
            writer.number(number);
        }
        writer.span(self.pw_failcnt_interval);
        writer.span(self.pw_lockout_duration);
        writer.number(self.attributes);
        writer.span(self.max_life);
        writer.span(self.max_renewable_life);
        writer.list(self.allowed_keysalts.as_deref().map(CStr::to_bytes), Writer::bytes);
        writer.list(&self.tl_data, |writer, data| write_tl_data(writer, data.tl_type(), data.contents()));
        writer.0
    }

    /// Decodes a policy encoded by [`Policy::to_bytes`].
    ///
    /// # Errors
    ///
    /// Returns `KRB5_KDB_TRUNCATED_RECORD` if the bytes are not a policy.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes)?;
        let mut policy = Self::new(reader.text()?);
        policy.pw_min_life = reader.span()?;
        policy.pw_max_life = reader.span()?;
        policy.pw_min_length = reader.number()?;
        policy.pw_min_classes = reader.number()?;
        policy.pw_history_num = reader.number()?;
        policy.pw_max_fail = reader.number()?;
        policy.pw_failcnt_interval = reader.span()?;
        policy.pw_lockout_duration = reader.span()?;
        policy.attributes = reader.number()?;
        policy.max_life = reader.span()?;
        policy.max_renewable_life = reader.span()?;
        let keysalts = reader.list(|reader| reader.text())?;
        if keysalts.len() > 1 {
            return Err(truncated());
        }
        policy.allowed_keysalts = keysalts.into_iter().next();
        policy.tl_data = reader.list(read_tl_data)?;
        reader.end()?;
        Ok(policy)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::kdb::{attribute, tl};

    fn entry() -> DbEntry {
        let mut entry = DbEntry::new(&Principal::new(3, "KRB.TEST", ["host", "web.test"])).unwrap();
        entry.set_attributes(attribute::REQUIRES_PRE_AUTH | attribute::LOCKDOWN_KEYS);
        entry.set_max_life(Duration::from_secs(3600));
        entry.set_max_renewable_life(Duration::from_secs(7200));
        entry.set_expiration(Some(UnixTime(4_000_000_000)));
        entry.set_last_failed(Some(UnixTime(1_700_000_000)));
        entry.set_fail_auth_count(3);
        entry.set_string("colour", Some("blue")).unwrap();
        entry.set_string("taste", Some("sweet")).unwrap();
        entry.set_tl_data(tl::LAST_PWD_CHANGE, &[1, 2, 3, 4]).unwrap();
        let salt = Salt { salttype: 4, data: b"salt".to_vec() };
        let old = KeyData::new(1, 18, b"old key", None).unwrap();
        let new = KeyData::new(2, -5, b"new key", Some(salt)).unwrap();
        entry.set_key_data(&[old, new]).unwrap();
        entry.set_e_data(b"own").unwrap();
        entry
    }

    fn same(one: DbEntryRef<'_>, other: DbEntryRef<'_>) {
        assert_eq!(one.principal().unwrap().to_string(), "host/web.test@KRB.TEST");
        assert_eq!(one.principal().unwrap().name_type(), 3);
        assert_eq!(one.to_bytes(), other.to_bytes());
        assert_eq!(one.string("taste"), Some(&b"sweet"[..]));
        assert_eq!(one.expiration(), Some(UnixTime(4_000_000_000)));
        let keys: Vec<_> = one.key_data().map(|key| (key.kvno(), key.enctype(), key.contents(), key.salt())).collect();
        let salt = Salt { salttype: 4, data: b"salt".to_vec() };
        assert_eq!(keys, [(2, -5, &b"new key"[..], Some(salt)), (1, 18, &b"old key"[..], None)]);
        assert_eq!(one.e_data(), b"own");
    }

    #[test]
    fn entries_come_back_whole() {
        let entry = entry();
        let bytes = entry.as_ref().to_bytes();
        same(DbEntry::from_bytes(&bytes).unwrap().as_ref(), entry.as_ref());
        same(entry.try_clone().unwrap().as_ref(), entry.as_ref());
        // Through MIT's own memory.
        // SAFETY: it is what was just given away.
        #[allow(unsafe_code, reason = "a test of memory")]
        let back = unsafe { DbEntry::from_raw(entry.into_raw()) }.unwrap();
        same(back.as_ref(), back.as_ref());
    }

    #[test]
    fn what_is_no_entry_is_rejected() {
        let bytes = entry().as_ref().to_bytes();
        for length in 0..bytes.len() {
            assert!(DbEntry::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        assert!(DbEntry::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
        let mut newer = bytes.clone();
        newer[0] = 2;
        assert!(DbEntry::from_bytes(&newer).unwrap_err().to_string().contains("version 2"));
        // After a change of any byte, decoding returns an entry or an error, and never takes more memory than the record has.
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                if let Ok(entry) = DbEntry::from_bytes(&changed) {
                    drop(entry.try_clone().unwrap());
                }
            }
        }
    }

    #[test]
    fn strings_and_data_are_replaced() {
        let mut entry = entry();
        entry.set_string("colour", Some("red")).unwrap();
        assert_eq!(entry.as_ref().strings().count(), 2);
        assert_eq!(entry.as_ref().string("colour"), Some(&b"red"[..]));
        entry.set_string("colour", None).unwrap();
        entry.set_string("taste", None).unwrap();
        assert!(entry.as_ref().tl_data().all(|data| data.tl_type() != tl::STRING_ATTRS));
        assert!(entry.set_string("zero\0", Some("")).is_err());
        assert!(entry.set_string("long", Some(&"x".repeat(65535))).is_err());
        entry.set_tl_data(tl::LAST_PWD_CHANGE, &[9; 4]).unwrap();
        let data: Vec<_> = entry.as_ref().tl_data().map(|data| data.contents().to_vec()).collect();
        assert_eq!(data, [[9; 4]]);
        let key = KeyData::new(1, 18, b"key", None).unwrap();
        assert!(entry.set_key_data(&vec![key.clone(); 32768]).is_err());
        entry.set_key_data(&vec![key; 32767]).unwrap();
        assert_eq!(entry.as_ref().key_data().len(), 32767);
        assert!(KeyData::new(1, 18, b"k", None).is_err(), "MIT Kerberos reads two bytes of every key");
    }

    #[test]
    fn policies_come_back_whole() {
        let mut policy = Policy::new(c"strict");
        policy.pw_min_length = 8;
        policy.pw_lockout_duration = Duration::from_secs(60);
        policy.allowed_keysalts = Some(c"aes256-cts".to_owned());
        policy.tl_data = vec![TlData::new(7, *b"data").unwrap()];
        let bytes = policy.to_bytes();
        assert_eq!(Policy::from_bytes(&bytes).unwrap(), policy);
        for length in 0..bytes.len() {
            assert!(Policy::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
    }
}
