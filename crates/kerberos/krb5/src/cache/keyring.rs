//! Caches in Linux kernel keyrings, in MIT's format.
//!
//! A name is `anchor:collection[:cache]`, or just `collection` in the session keyring. A collection is a keyring
//! `_krb_COLLECTION` in its anchor's keyring (`_krb` for `persistent`). A cache is a keyring in the collection, with a
//! key for each credential and one for the principal. A key in the collection names the primary cache.

use std::io;
use std::time::Duration;

use keyutils::keytypes::{BigKey, User};
use keyutils::{Key, KeyType, Keyring, SpecialKeyring};

use super::{CacheError, Store, unique};
use crate::bin::{Cursor, Order};
use crate::client::Moment;
use crate::{Ccache, Credential, FileError, Principal};

const PRIMARY: &str = "krb_ccache:primary";
const PRINCIPAL: &str = "__krb5_princ__";
const OFFSETS: &str = "__krb5_time_offsets__";
/// The anchor of a collection name that does not contain one.
const LEGACY: &str = "legacy";

/// A cache in a keyring.
#[derive(Debug)]
pub(super) struct InKeyring {
    anchor: String,
    collection: String,
    subsidiary: String,
}

/// Splits a name into its anchor, its collection, and optionally the cache's name within the collection.
fn parts(rest: &str) -> (&str, &str, Option<&str>) {
    match rest.split_once(':') {
        None => (LEGACY, rest, None),
        Some((anchor, rest)) => match rest.split_once(':') {
            None => (anchor, rest, None),
            Some((collection, subsidiary)) => (anchor, collection, Some(subsidiary)),
        },
    }
}

/// Returns whether the name denotes a single cache.
pub(super) fn is_subsidiary(rest: &str) -> bool {
    parts(rest).2.is_some()
}

pub(super) fn resolve(rest: &str) -> Result<InKeyring, CacheError> {
    let (anchor, collection, subsidiary) = parts(rest);
    if rest.contains('\0') || subsidiary == Some("") {
        return Err(CacheError::Name(format!("KEYRING:{rest}: the cache name is empty or contains a zero byte")));
    }
    let subsidiary = match subsidiary {
        Some(subsidiary) => subsidiary.to_owned(),
        None => primary(&open(anchor, collection, false)?, collection, &format!("KEYRING:{rest}"))?,
    };
    Ok(InKeyring { anchor: anchor.to_owned(), collection: collection.to_owned(), subsidiary })
}

/// Lists the caches in a collection that have a principal, the primary one first.
pub(super) fn list(rest: &str) -> Result<Vec<InKeyring>, CacheError> {
    let (anchor, collection, _) = parts(rest);
    let name = format!("KEYRING:{rest}");
    let Some(ring) = open(anchor, collection, false)? else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for cache in ring.read().map_err(|error| system(&name, error))?.1 {
        if cache.search_for_key::<User, _, _>(PRINCIPAL, None).is_ok() {
            names.push(cache.description().map_err(|error| system(&name, error))?.description);
        }
    }
    let primary = primary(&Some(ring), collection, &name)?;
    names.sort_by_key(|name| (*name != primary, name.clone()));
    let of = |subsidiary| InKeyring { anchor: anchor.to_owned(), collection: collection.to_owned(), subsidiary };
    Ok(names.into_iter().map(of).collect())
}

/// Returns a cache with an unused name.
pub(super) fn unused(rest: &str) -> Result<InKeyring, CacheError> {
    let (anchor, collection, _) = parts(rest);
    open(anchor, collection, false)?;
    let subsidiary = format!("krb_ccache_{}", unique());
    Ok(InKeyring { anchor: anchor.to_owned(), collection: collection.to_owned(), subsidiary })
}

fn system(name: &str, error: errno::Errno) -> CacheError {
    let error = io::Error::from_raw_os_error(error.0);
    CacheError::System(name.to_owned(), error)
}

fn is_absent(error: errno::Errno) -> bool {
    // No such key; expired; revoked.
    matches!(io::Error::from_raw_os_error(error.0).raw_os_error(), Some(126..=128))
}

/// Opens a collection's keyring. With `create`, a missing keyring is created.
fn open(anchor: &str, collection: &str, create: bool) -> Result<Option<Keyring>, CacheError> {
    let name = format!("KEYRING:{anchor}:{collection}");
    let error = |error| system(&name, error);
    let special = |special| Keyring::attach_or_create(special).map_err(error);
    let named = format!("_krb_{collection}");
    match anchor {
        LEGACY | "session" => ring(&name, &mut session().map_err(error)?, &named, create),
        "process" => ring(&name, &mut special(SpecialKeyring::Process)?, &named, create),
        "thread" => ring(&name, &mut special(SpecialKeyring::Thread)?, &named, create),
        "user" => {
            // The session may have no link to it, and an unlinked keyring cannot be searched.
            let mut user = special(SpecialKeyring::User)?;
            special(SpecialKeyring::Process)?.link_keyring(&user).map_err(error)?;
            ring(&name, &mut user, &named, create)
        }
        "persistent" => {
            let own = own_user().map_err(|error| CacheError::System(name.clone(), error))?;
            if !collection.is_empty() && *collection != own {
                return Err(CacheError::Name(format!("{name}: unexpected user ID, expected {own} or none")));
            }
            let mut persistent = special(SpecialKeyring::Process)?.attach_persistent().map_err(error)?;
            ring(&name, &mut persistent, "_krb", create)
        }
        _ => Err(CacheError::Name(format!("{name}: expected the anchor persistent, user, session, process or thread"))),
    }
}

/// The session's keyring. If the process has none, it is not created: the user's session keyring is used, because a new one would be
/// visible only to this process.
fn session() -> Result<Keyring, errno::Errno> {
    Keyring::attach(SpecialKeyring::Session)
}

fn own_user() -> io::Result<String> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(std::fs::metadata("/proc/self")?.uid().to_string())
}

/// Opens a keyring within another one. With `create`, a missing keyring is created.
fn ring(name: &str, parent: &mut Keyring, description: &str, create: bool) -> Result<Option<Keyring>, CacheError> {
    match parent.search_for_keyring(description, None) {
        Ok(found) => Ok(Some(found)),
        Err(absent) if is_absent(absent) && !create => Ok(None),
        Err(absent) if is_absent(absent) => {
            parent.add_keyring(description).map(Some).map_err(|error| system(name, error))
        }
        Err(error) => Err(system(name, error)),
    }
}

/// Returns the name of a collection's primary cache. The key contains version 1, followed by the length-prefixed name.
fn primary(ring: &Option<Keyring>, collection: &str, name: &str) -> Result<String, CacheError> {
    let usual = if collection.is_empty() { "tkt" } else { collection };
    let Some(ring) = ring else { return Ok(usual.to_owned()) };
    let key = match ring.search_for_key::<User, _, _>(PRIMARY, None) {
        Ok(key) => key,
        Err(error) if is_absent(error) => return Ok(usual.to_owned()),
        Err(error) => return Err(system(name, error)),
    };
    let octets = key.read().map_err(|error| system(name, error))?;
    let malformed = |error| CacheError::Malformed(name.to_owned(), error);
    let mut cursor = Cursor::new(&octets, Order::Big);
    if cursor.u32().map_err(malformed)? != 1 {
        return Err(malformed(FileError::new(0, "the collection's version is not 1")));
    }
    let primary = cursor.counted32().map_err(malformed)?;
    match core::str::from_utf8(primary) {
        Ok(primary) if !primary.is_empty() && !primary.contains('\0') => Ok(primary.to_owned()),
        _ => Err(malformed(FileError::new(8, "expected a cache name"))),
    }
}

/// Adds a key to a keyring, or replaces its content.
fn put<K: KeyType<Description = str, Payload = [u8]>>(
    ring: &mut Keyring,
    description: &str,
    octets: &[u8],
) -> Result<Key, errno::Errno> {
    ring.add_key::<K, _, _>(description, octets)
}

impl InKeyring {
    fn error(&self, error: errno::Errno) -> CacheError {
        match is_absent(error) {
            true => CacheError::Missing(self.name()),
            false => system(&self.name(), error),
        }
    }

    fn malformed(&self, error: FileError) -> CacheError {
        CacheError::Malformed(self.name(), error)
    }

    fn collection(&self, create: bool) -> Result<Keyring, CacheError> {
        let found = open(&self.anchor, &self.collection, create)?;
        found.ok_or_else(|| CacheError::Missing(self.name()))
    }

    fn find(&self, collection: &Keyring) -> Result<Keyring, CacheError> {
        collection.search_for_keyring(self.subsidiary.as_str(), None).map_err(|error| self.error(error))
    }

    /// Returns whether this is the cache that old programs expect directly in the session keyring.
    fn is_legacy(&self) -> bool {
        self.anchor == LEGACY && self.subsidiary == self.collection
    }

    fn put_credential(&self, cache: &mut Keyring, credential: &Credential) -> Result<(), CacheError> {
        let too_long = || self.malformed(FileError::new(0, "the credential is too long"));
        let octets = credential.to_bytes(4).ok_or_else(too_long)?;
        let description = credential.server.to_string();
        // A big_key can be longer than a user key; kernels without them report an unknown type.
        let big = match self.anchor == LEGACY {
            true => None,
            false => put::<BigKey>(cache, &description, &octets).ok(),
        };
        let mut key = match big {
            Some(key) => key,
            None => put::<User>(cache, &description, &octets).map_err(|error| self.error(error))?,
        };
        if let Some(left) = left(credential) {
            key.set_timeout(left).map_err(|error| self.error(error))?;
        }
        Ok(())
    }
}

impl InKeyring {
    fn fill(&self, cache: &mut Keyring, content: &Ccache) -> Result<(), CacheError> {
        let error = |error| self.error(error);
        let too_long = || self.malformed(FileError::new(0, "the principal is too long"));
        let principal = content.principal().to_bytes().ok_or_else(too_long)?;
        put::<User>(cache, PRINCIPAL, &principal).map_err(error)?;
        if let (Some((seconds, micros)), false) = (content.time_offset(), self.is_legacy()) {
            let octets = [seconds.to_be_bytes(), micros.to_be_bytes()].concat();
            put::<User>(cache, OFFSETS, &octets).map_err(error)?;
        }
        for credential in content.entries() {
            self.put_credential(cache, credential)?;
        }
        if let Some(left) = content.entries().iter().filter_map(left).max() {
            cache.set_timeout(left).map_err(error)?;
        }
        Ok(())
    }
}

/// Returns the time until a credential expires. Returns `None` for expired credentials and configuration entries.
fn left(credential: &Credential) -> Option<Duration> {
    let left = credential.end_time.0.saturating_sub(Moment::now().unix.0);
    u64::try_from(left).ok().filter(|left| *left > 0).map(Duration::from_secs)
}

impl Store for InKeyring {
    fn name(&self) -> String {
        format!("KEYRING:{}:{}:{}", self.anchor, self.collection, self.subsidiary)
    }

    fn read(&self) -> Result<Ccache, CacheError> {
        let cache = self.find(&self.collection(false)?)?;
        let (mut principal, mut offset, mut credentials) = (None, None, Vec::new());
        for key in cache.read().map_err(|error| self.error(error))?.0 {
            let read = key.description().and_then(|of| key.read().map(|octets| (of.description, octets)));
            let (description, octets) = match read {
                Ok(read) => read,
                // It expired since it was listed.
                Err(error) if is_absent(error) => continue,
                Err(error) => return Err(self.error(error)),
            };
            match description.as_str() {
                PRINCIPAL => principal = Some(Principal::from_bytes(&octets).map_err(|error| self.malformed(error))?),
                OFFSETS => {
                    let mut cursor = Cursor::new(&octets, Order::Big);
                    let mut number = || cursor.i32().map_err(|error| self.malformed(error));
                    offset = Some((number()?, number()?));
                }
                _ => credentials.push(Credential::from_bytes(&octets).map_err(|error| self.malformed(error))?),
            }
        }
        let principal = principal.ok_or_else(|| CacheError::Missing(self.name()))?;
        Ok(Ccache::from_parts(principal, credentials, offset))
    }

    fn write(&self, content: &Ccache) -> Result<(), CacheError> {
        let mut collection = self.collection(true)?;
        let error = |error| self.error(error);
        if collection.search_for_key::<User, _, _>(PRIMARY, None).is_err_and(is_absent) {
            let primary = if self.collection.is_empty() { "tkt" } else { &self.collection };
            put::<User>(&mut collection, PRIMARY, &named(primary)).map_err(error)?;
        }
        let mut cache = match self.find(&collection) {
            Ok(mut cache) => {
                cache.clear().map_err(error)?;
                cache
            }
            Err(missing) if missing.is_missing() => collection.add_keyring(self.subsidiary.as_str()).map_err(error)?,
            Err(refused) => return Err(refused),
        };
        if self.is_legacy() {
            let mut session = session().map_err(error)?;
            session.link_keyring(&cache).map_err(error)?;
        }
        if let Err(error) = self.fill(&mut cache, content) {
            // A part of the credentials is none.
            let _ = cache.clear();
            return Err(error);
        }
        Ok(())
    }

    fn add(&self, credential: &Credential) -> Result<(), CacheError> {
        let mut cache = self.find(&self.collection(false)?)?;
        self.put_credential(&mut cache, credential)?;
        let content = self.read()?;
        if let Some(left) = content.entries().iter().filter_map(left).max() {
            cache.set_timeout(left).map_err(|error| self.error(error))?;
        }
        Ok(())
    }

    fn destroy(&self) -> Result<(), CacheError> {
        let mut collection = self.collection(false)?;
        let mut cache = self.find(&collection)?;
        cache.clear().map_err(|error| self.error(error))?;
        collection.unlink_keyring(&cache).map_err(|error| self.error(error))?;
        if self.is_legacy() {
            // Old programs may not have seen it.
            let _ = session().and_then(|mut session| session.unlink_keyring(&cache));
        }
        Ok(())
    }

    fn switch(&self) -> Result<(), CacheError> {
        let mut collection = self.collection(true)?;
        let done = put::<User>(&mut collection, PRIMARY, &named(&self.subsidiary));
        done.map(drop).map_err(|error| self.error(error))
    }
}

/// Encodes the content of the key that names the primary cache.
fn named(primary: &str) -> Vec<u8> {
    let len = u32::try_from(primary.len()).unwrap_or(u32::MAX);
    [&1_u32.to_be_bytes()[..], &len.to_be_bytes(), primary.as_bytes()].concat()
}
