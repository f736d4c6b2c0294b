//! A service's keytab with prepared keys for decrypting tickets.

use std::sync::{Arc, Mutex, PoisonError};

use tagwise_crypto::{Backend, Secret};

use crate::crypto::{EncType, OpeningKey, usage};
use crate::messages::Ticket;
use crate::{Keytab, KeytabEntry, Principal, UInt32};

use super::GssError;

/// The maximum number of keytab entries with cached keys. The least recently used ones are evicted.
const MAX_READY: usize = 64;
/// The maximum number of keys to try for a ticket. It limits the work that a forged ticket can cause.
const MAX_TRIED: usize = 256;

/// A service's keytab, with derived keys for decrypting tickets.
///
/// An entry's keys are derived when it first decrypts a ticket, cached for at most 64 entries, and zeroized on drop.
/// Clones share the cache.
///
/// ```
/// use tagwise_krb5::{Keytab, gss::ServiceKeys};
/// let keys = ServiceKeys::from(Keytab::default());
/// // The file may have been written anew since: what is ready stays so if nothing changed.
/// let keys = keys.renewed(Keytab::default());
/// assert!(keys.keytab().entries().is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct ServiceKeys(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    keytab: Keytab,
    /// The cached keys, least recently used first.
    ready: Mutex<Vec<Ready>>,
}

/// An entry's cached keys.
#[derive(Clone, Debug)]
struct Ready {
    entry: usize,
    /// The backend that prepared the key. Other backends need their own.
    backend: &'static str,
    key: Arc<OpeningKey>,
}

impl From<Keytab> for ServiceKeys {
    fn from(keytab: Keytab) -> Self {
        Self(Arc::new(Inner { keytab, ready: Mutex::default() }))
    }
}

impl ServiceKeys {
    /// Returns the keytab.
    #[must_use]
    pub fn keytab(&self) -> &Keytab {
        &self.0.keytab
    }

    /// Returns the keys for a reloaded keytab. If its entries are unchanged, the cached keys are retained.
    #[must_use]
    pub fn renewed(&self, keytab: Keytab) -> Self {
        match self.keytab() == &keytab {
            true => self.clone(),
            false => Self::from(keytab),
        }
    }

    /// Decrypts a ticket, and returns the DER of its `EncTicketPart`. With Triple DES, it may be followed by padding.
    ///
    /// Tickets are often issued for an alias of the service. If no key of the ticket's service name decrypts it, all
    /// keys with its version and encryption type are tried, as in MIT's `krb5_rd_req` without a server.
    ///
    /// # Errors
    /// Returns [`GssError::NoKey`] if there is no suitable key. Returns [`GssError::Crypto`] if the key differs from the KDC's or the
    /// ticket is damaged.
    pub fn open_ticket(&self, backend: &dyn Backend, ticket: &Ticket<'_>) -> Result<Secret, GssError> {
        let name = Principal::from_message(&ticket.sname, &ticket.realm)?;
        self.open(backend, &name, ticket, false).map(|(_, plain)| plain)
    }

    /// Decrypts a ticket for the service that it names. Also returns the service whose key decrypted it. If `strict` is set,
    /// the two services must be the same.
    pub(super) fn open(
        &self,
        backend: &dyn Backend,
        service: &Principal,
        ticket: &Ticket<'_>,
        strict: bool,
    ) -> Result<(Principal, Secret), GssError> {
        let (etype, kvno) = (ticket.enc_part.etype, ticket.enc_part.kvno.map(UInt32::get));
        let missing = || {
            let kvno = kvno.map(|kvno| format!(" version {kvno}")).unwrap_or_default();
            GssError::NoKey(format!("{service}, encryption type {etype}{kvno}"))
        };
        let enc_type = EncType::from_number(etype).ok_or_else(missing)?;
        let sent = ticket.enc_part.cipher.as_bytes();
        let named = self.keytab().newest(service, enc_type, kvno);
        let mut refused = None;
        let others =
            self.keytab().candidates(enc_type, kvno).filter(|(at, _)| named.is_none_or(|(named, _)| named != *at));
        let others = others.take(if strict { 0 } else { MAX_TRIED });
        for (at, entry) in named.into_iter().chain(others) {
            match self.try_entry(backend, (at, entry), sent) {
                Ok(plain) => return Ok((entry.principal.clone(), plain)),
                // The first error is that of the service's own key, if there is one.
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match (refused, named) {
            (Some(error), Some(_)) => Err(error),
            _ => Err(missing()),
        }
    }

    /// Decrypts a ticket with the key of an entry.
    fn try_entry(
        &self,
        backend: &dyn Backend,
        (at, entry): (usize, &KeytabEntry),
        sent: &[u8],
    ) -> Result<Secret, GssError> {
        if let Some(key) = self.ready(at, backend.name()) {
            return Ok(key.decrypt(backend, sent)?);
        }
        let unusable = || GssError::NoKey(format!("{}: the keytab entry has no usable key", entry.principal));
        let key = entry.to_key().ok_or_else(unusable)?.opening_key(backend, usage::TICKET)?;
        // Keys that decrypt nothing are not cached, so that forged tickets cannot displace keys.
        let plain = key.decrypt(backend, sent)?;
        self.keep(Ready { entry: at, backend: backend.name(), key: Arc::new(key) });
        Ok(plain)
    }

    /// Returns an entry's keys, if they are cached.
    fn ready(&self, entry: usize, backend: &str) -> Option<Arc<OpeningKey>> {
        let mut ready = self.0.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let at = ready.iter().rposition(|one| one.entry == entry && one.backend == backend)?;
        ready.get_mut(at..)?.rotate_left(1);
        ready.last().map(|one| Arc::clone(&one.key))
    }

    fn keep(&self, new: Ready) {
        let mut ready = self.0.ready.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have made them meanwhile.
        if ready.iter().any(|one| one.entry == new.entry && one.backend == new.backend) {
            return;
        }
        if ready.len() >= MAX_READY {
            ready.remove(0);
        }
        ready.push(new);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use tagwise_codec::OctetStr;
    use tagwise_crypto::ErrorKind;
    use tagwise_crypto::backends::AwsLc;
    use tagwise_pkix::UnixTime;

    use super::*;
    use crate::crypto::Key;
    use crate::messages::EncryptedData;

    const SERVICE: &str = "host/a.test@KRB.TEST";

    fn entry(kvno: u32, octet: u8) -> KeytabEntry {
        let principal = Principal::parse(SERVICE, None).unwrap();
        let key = Secret::from(vec![octet; 32]);
        KeytabEntry { principal, timestamp: UnixTime(i64::from(kvno)), kvno, enc_type: 18, key }
    }

    fn keytab(entries: impl IntoIterator<Item = KeytabEntry>) -> Keytab {
        let mut keytab = Keytab::default();
        entries.into_iter().for_each(|entry| keytab.add(entry));
        keytab
    }

    /// Encrypts the text "content" as a ticket, with a key of one repeated byte.
    fn sealed(octet: u8) -> Vec<u8> {
        let key = Key::new(EncType::Aes256CtsHmacSha196, vec![octet; 32]).unwrap();
        key.encrypt(&AwsLc::new(), usage::TICKET, b"content").unwrap()
    }

    fn open(keys: &ServiceKeys, kvno: u32, cipher: &[u8]) -> Result<Secret, GssError> {
        let service = Principal::parse(SERVICE, None).unwrap();
        let enc_part = EncryptedData { etype: 18, kvno: Some(UInt32::new(kvno)), cipher: OctetStr::new(cipher) };
        let strings = service.strings();
        let ticket = Ticket { tkt_vno: 5, realm: service.realm_string(), sname: service.name(&strings), enc_part };
        keys.open_ticket(&AwsLc::new(), &ticket)
    }

    fn ready(keys: &ServiceKeys) -> Vec<usize> {
        keys.0.ready.lock().unwrap().iter().map(|one| one.entry).collect()
    }

    #[test]
    fn keys_are_made_once_and_only_of_what_opens() {
        let keys = ServiceKeys::from(keytab([entry(1, 1), entry(2, 2)]));
        let refused = open(&keys, 1, &sealed(9)).unwrap_err();
        assert!(matches!(refused, GssError::Crypto(error) if error.kind() == ErrorKind::Integrity));
        assert!(ready(&keys).is_empty());
        assert_eq!(open(&keys, 2, &sealed(2)).unwrap().expose(), b"content");
        assert_eq!(open(&keys, 1, &sealed(1)).unwrap().expose(), b"content");
        assert_eq!(ready(&keys), [1, 0]);
        // The same keys open what comes later, and refuse what is damaged.
        let first = keys.ready(1, AwsLc::new().name()).unwrap();
        assert_eq!(open(&keys, 2, &sealed(2)).unwrap().expose(), b"content");
        assert!(open(&keys, 2, &sealed(1)).is_err());
        assert!(Arc::ptr_eq(&first, &keys.ready(1, AwsLc::new().name()).unwrap()));
        assert_eq!(ready(&keys), [0, 1]);
        assert!(keys.ready(1, "another").is_none());
        assert!(matches!(open(&keys, 3, &sealed(3)), Err(GssError::NoKey(what)) if what.ends_with("version 3")));
    }

    #[test]
    fn a_ticket_under_an_alias_is_opened_by_any_key_of_its_version() {
        let named = |name: &str, kvno: u32, octet: u8| KeytabEntry {
            principal: Principal::parse(name, None).unwrap(),
            ..entry(kvno, octet)
        };
        let keys = ServiceKeys::from(keytab([named("HTTP/b@KRB.TEST", 1, 7), named("host/c@KRB.TEST", 1, 3)]));
        assert_eq!(open(&keys, 1, &sealed(3)).unwrap().expose(), b"content");
        assert_eq!(open(&keys, 1, &sealed(3)).unwrap().expose(), b"content", "by the key that is ready");
        assert!(matches!(open(&keys, 2, &sealed(3)), Err(GssError::NoKey(_))), "another version");
        assert!(matches!(open(&keys, 1, &sealed(9)), Err(GssError::NoKey(what)) if what.contains("host/a.test")));
        // The name's own key comes first; if it does not match, the others are tried.
        let keys = ServiceKeys::from(keytab([named("HTTP/b@KRB.TEST", 1, 7), entry(1, 1)]));
        assert_eq!(open(&keys, 1, &sealed(7)).unwrap().expose(), b"content");
        let refused = open(&keys, 1, &sealed(9)).unwrap_err();
        assert!(matches!(refused, GssError::Crypto(error) if error.kind() == ErrorKind::Integrity));
        // With strict names only the name's own key counts.
        let service = Principal::parse(SERVICE, None).unwrap();
        let strings = service.strings();
        let cipher = sealed(7);
        let enc_part = EncryptedData { etype: 18, kvno: Some(UInt32::new(1)), cipher: OctetStr::new(&cipher) };
        let ticket = Ticket { tkt_vno: 5, realm: service.realm_string(), sname: service.name(&strings), enc_part };
        assert!(keys.open(&AwsLc::new(), &service, &ticket, true).is_err());
        let (found, _) = keys.open(&AwsLc::new(), &service, &ticket, false).unwrap();
        assert_eq!(found.to_string(), "HTTP/b@KRB.TEST");
    }

    #[test]
    fn no_more_than_the_most_are_ready() {
        let most = u32::try_from(MAX_READY).unwrap();
        let keys = ServiceKeys::from(keytab((0..most + 2).map(|kvno| entry(kvno, kvno as u8))));
        for kvno in 0..most {
            open(&keys, kvno, &sealed(kvno as u8)).unwrap();
        }
        // The first was used again, so the second gives way, then the third.
        open(&keys, 0, &sealed(0)).unwrap();
        open(&keys, most, &sealed(most as u8)).unwrap();
        open(&keys, most + 1, &sealed(most as u8 + 1)).unwrap();
        let ready = ready(&keys);
        assert_eq!(ready.len(), MAX_READY);
        assert!(ready.contains(&0) && !ready.contains(&1) && !ready.contains(&2) && ready.contains(&3));
    }

    #[test]
    fn a_keytab_that_was_written_anew_is_noticed() {
        let keys = ServiceKeys::from(keytab([entry(1, 1)]));
        open(&keys, 1, &sealed(1)).unwrap();
        let same = keys.renewed(keytab([entry(1, 1)]));
        assert_eq!(ready(&same), [0]);
        for changed in [keytab([entry(1, 7)]), keytab([entry(1, 7), entry(1, 1)]), keytab([])] {
            let changed = keys.renewed(changed);
            assert!(ready(&changed).is_empty());
        }
        let changed = keys.renewed(keytab([entry(1, 7)]));
        assert!(open(&changed, 1, &sealed(1)).is_err());
        assert_eq!(open(&changed, 1, &sealed(7)).unwrap().expose(), b"content");
        assert!(open(&keys.renewed(Keytab::default()), 1, &sealed(1)).is_err());
    }
}
