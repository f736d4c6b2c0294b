//! Database entries and kadmin records.

use std::ffi::CStr;
use std::fmt;
use std::time::Duration;

use tagwise_codec::UnixTime;
use tagwise_krb5_plugin_sys::mit::{
    kadm5_policy_ent_rec, kadm5_principal_ent_rec, krb5_db_entry, krb5_key_data, krb5_tl_data,
};

use super::{PrincipalRef, moment, span};
use crate::flags::tl;
use crate::host::lent::Lent;

/// A database entry borrowed from the KDC.
#[derive(Clone, Copy)]
pub struct DbEntryRef<'a>(pub(crate) Lent<'a, krb5_db_entry>);

impl<'a> DbEntryRef<'a> {
    /// Returns the principal.
    #[must_use]
    pub fn principal(self) -> Option<PrincipalRef<'a>> {
        self.0.pointed(|entry| entry.princ.cast_const()).map(PrincipalRef)
    }

    /// Returns the attribute bits (`KRB5_KDB_*`).
    #[must_use]
    pub fn attributes(self) -> u32 {
        self.0.get().attributes.cast_unsigned()
    }

    /// Returns the maximum ticket lifetime. Zero selects the realm's maximum.
    #[must_use]
    pub fn max_life(self) -> Duration {
        span(self.0.get().max_life)
    }

    /// Returns the maximum renewable lifetime.
    #[must_use]
    pub fn max_renewable_life(self) -> Duration {
        span(self.0.get().max_renewable_life)
    }

    /// Returns the principal's expiration time.
    #[must_use]
    pub fn expiration(self) -> Option<UnixTime> {
        moment(self.0.get().expiration)
    }

    /// Returns the password's expiration time.
    #[must_use]
    pub fn pw_expiration(self) -> Option<UnixTime> {
        moment(self.0.get().pw_expiration)
    }

    /// Returns the time of the last successful authentication.
    #[must_use]
    pub fn last_success(self) -> Option<UnixTime> {
        moment(self.0.get().last_success)
    }

    /// Returns the time of the last failed authentication.
    #[must_use]
    pub fn last_failed(self) -> Option<UnixTime> {
        moment(self.0.get().last_failed)
    }

    /// Returns the number of failed authentications since the last success.
    #[must_use]
    pub fn fail_auth_count(self) -> u32 {
        self.0.get().fail_auth_count
    }

    /// Returns the tagged data.
    pub fn tl_data(self) -> impl Iterator<Item = TlDataRef<'a>> + Clone {
        let count = usize::try_from(self.0.get().n_tl_data).unwrap_or(0);
        let first = self.0.pointed(|entry| entry.tl_data.cast_const());
        std::iter::successors(first, |data| data.pointed(|data| data.tl_data_next.cast_const()))
            .take(count)
            .map(TlDataRef)
    }

    /// Returns the keys, as encrypted in the database.
    pub fn key_data(self) -> impl ExactSizeIterator<Item = KeyDataRef<'a>> + Clone {
        self.0.elements(|entry| (entry.key_data.cast_const(), entry.n_key_data.into())).map(KeyDataRef)
    }

    /// Returns the mask of fields that kadmin changes (`KADM5_*`). Bit 0 is set for a new entry.
    #[must_use]
    pub fn mask(self) -> u32 {
        self.0.get().mask
    }

    /// Module-specific data.
    #[must_use]
    pub fn e_data(self) -> &'a [u8] {
        self.0.array(|entry| (entry.e_data.cast_const(), entry.e_length.into()))
    }

    /// The string attributes, as pairs of name and value.
    pub fn strings(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let data = self.tl_data().find(|data| data.tl_type() == tl::STRING_ATTRS);
        // Names and values alternate, each with a zero byte behind it.
        let mut parts = data.map_or(&[][..], TlDataRef::contents).split(|byte| *byte == 0);
        std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
    }

    /// Returns the value of a string attribute, as set by `kadmin setstr`.
    #[must_use]
    pub fn string(self, name: &str) -> Option<&'a [u8]> {
        self.strings().find(|(key, _)| *key == name.as_bytes()).map(|(_, value)| value)
    }
}

impl fmt::Debug for DbEntryRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbEntryRef").field("principal", &self.principal()).finish_non_exhaustive()
    }
}

/// Tagged data of an entry.
#[derive(Clone, Copy)]
pub struct TlDataRef<'a>(pub(crate) Lent<'a, krb5_tl_data>);

impl<'a> TlDataRef<'a> {
    /// Returns the type (`KRB5_TL_*`).
    #[must_use]
    pub fn tl_type(self) -> i16 {
        self.0.get().tl_data_type
    }

    /// Returns the content.
    #[must_use]
    pub fn contents(self) -> &'a [u8] {
        self.0.array(|data| (data.tl_data_contents.cast_const(), data.tl_data_length.into()))
    }
}

impl fmt::Debug for TlDataRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TlDataRef({}, {} bytes)", self.tl_type(), self.contents().len())
    }
}

/// A key of an entry.
#[derive(Clone, Copy)]
pub struct KeyDataRef<'a>(pub(crate) Lent<'a, krb5_key_data>);

impl<'a> KeyDataRef<'a> {
    /// Returns the key version.
    #[must_use]
    pub fn kvno(self) -> u16 {
        self.0.get().key_data_kvno
    }

    /// Returns the encryption type.
    #[must_use]
    pub fn enctype(self) -> i16 {
        let [enctype, _] = self.0.get().key_data_type;
        enctype
    }

    /// Returns the salt type.
    #[must_use]
    pub fn salttype(self) -> i16 {
        let [_, salttype] = self.0.get().key_data_type;
        salttype
    }

    /// Returns the encrypted key.
    #[must_use]
    pub fn contents(self) -> &'a [u8] {
        self.0.array(|key| {
            let ([contents, _], [length, _]) = (key.key_data_contents, key.key_data_length);
            (contents.cast_const(), length.into())
        })
    }
}

impl fmt::Debug for KeyDataRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyDataRef({}, {}, …)", self.kvno(), self.enctype())
    }
}

/// A kadmin principal record, in which only some fields are set.
#[derive(Clone, Copy)]
pub struct PrincipalEntryRef<'a>(pub(crate) Lent<'a, kadm5_principal_ent_rec>, pub(crate) u64);

impl<'a> PrincipalEntryRef<'a> {
    fn set<T>(self, bit: u64, value: impl FnOnce(&kadm5_principal_ent_rec) -> T) -> Option<T> {
        (self.1 & bit != 0).then(|| value(self.0.get()))
    }

    /// Returns the mask of the fields that are set (`KADM5_*`).
    #[must_use]
    pub fn mask(self) -> u64 {
        self.1
    }

    /// Returns the principal.
    #[must_use]
    pub fn principal(self) -> Option<PrincipalRef<'a>> {
        self.0.pointed(|entry| entry.principal.cast_const()).map(PrincipalRef)
    }

    /// Returns the principal's expiration time, if the field is set. The inner `None` means no expiration.
    #[must_use]
    pub fn princ_expire_time(self) -> Option<Option<UnixTime>> {
        self.set(0x2, |entry| moment(entry.princ_expire_time))
    }

    /// Returns the password's expiration time, if the field is set. The inner `None` means no expiration.
    #[must_use]
    pub fn pw_expiration(self) -> Option<Option<UnixTime>> {
        self.set(0x4, |entry| moment(entry.pw_expiration))
    }

    /// Returns the attribute bits (`KRB5_KDB_*`), if set.
    #[must_use]
    pub fn attributes(self) -> Option<u32> {
        self.set(0x10, |entry| entry.attributes.cast_unsigned())
    }

    /// Returns the maximum ticket lifetime, if set.
    #[must_use]
    pub fn max_life(self) -> Option<Duration> {
        self.set(0x20, |entry| span(entry.max_life))
    }

    /// Returns the maximum renewable lifetime, if set.
    #[must_use]
    pub fn max_renewable_life(self) -> Option<Duration> {
        self.set(0x2000, |entry| span(entry.max_renewable_life))
    }

    /// Returns the policy's name, if set.
    #[must_use]
    pub fn policy(self) -> Option<&'a CStr> {
        if self.1 & 0x800 == 0 {
            return None;
        }
        self.0.text(|entry| entry.policy.cast_const())
    }
}

impl fmt::Debug for PrincipalEntryRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrincipalEntryRef").field("principal", &self.principal()).finish_non_exhaustive()
    }
}

/// A kadmin policy record, in which only some fields are set.
#[derive(Clone, Copy)]
pub struct PolicyRef<'a>(pub(crate) Lent<'a, kadm5_policy_ent_rec>, pub(crate) u64);

impl<'a> PolicyRef<'a> {
    fn set<T>(self, bit: u64, value: impl FnOnce(&kadm5_policy_ent_rec) -> T) -> Option<T> {
        (self.1 & bit != 0).then(|| value(self.0.get()))
    }

    /// Returns the mask of the fields that are set (`KADM5_*`).
    #[must_use]
    pub fn mask(self) -> u64 {
        self.1
    }

    /// Returns the name.
    #[must_use]
    pub fn policy(self) -> Option<&'a CStr> {
        self.0.text(|policy| policy.policy.cast_const())
    }

    /// Returns the minimum password length, if set.
    #[must_use]
    pub fn pw_min_length(self) -> Option<i64> {
        self.set(0x10000, |policy| policy.pw_min_length)
    }

    /// Returns the minimum number of character classes, if set.
    #[must_use]
    pub fn pw_min_classes(self) -> Option<i64> {
        self.set(0x20000, |policy| policy.pw_min_classes)
    }

    /// Returns the number of previous passwords that cannot be reused, if set.
    #[must_use]
    pub fn pw_history_num(self) -> Option<i64> {
        self.set(0x40000, |policy| policy.pw_history_num)
    }

    /// The number of failed authentications before the principal is locked, if set.
    #[must_use]
    pub fn pw_max_fail(self) -> Option<u32> {
        self.set(0x100_000, |policy| policy.pw_max_fail)
    }
}

impl fmt::Debug for PolicyRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyRef").field("policy", &self.policy()).finish_non_exhaustive()
    }
}
