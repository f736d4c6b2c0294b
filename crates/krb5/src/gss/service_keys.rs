//! A service's keytab, with the keys that open tickets made ready.

use std::sync::{Arc, Mutex, PoisonError};

use tagwise_crypto::{Backend, Secret};

use crate::crypto::{EncType, OpeningKey, usage};
use crate::messages::Ticket;
use crate::{Keytab, Principal, UInt32};

use super::GssError;

/// The most entries of a keytab whose keys are kept ready; beyond it the one that was used longest ago gives way.
const MAX_READY: usize = 64;

/// The keys of a service: a keytab, and what its keys derive to for tickets.
///
/// The keys of an entry are derived when they first open a ticket. They are kept for later tickets, of at most 64 entries, and wiped when
/// they go. Clones have them in common.
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
    /// The one that was used last is the last.
    ready: Mutex<Vec<Ready>>,
}

/// The keys of an entry.
#[derive(Clone, Debug)]
struct Ready {
    entry: usize,
    /// The backend that made them: another one makes its own.
    backend: &'static str,
    key: Arc<OpeningKey>,
}

impl From<Keytab> for ServiceKeys {
    fn from(keytab: Keytab) -> Self {
        Self(Arc::new(Inner { keytab, ready: Mutex::default() }))
    }
}

impl ServiceKeys {
    /// The keytab.
    #[must_use]
    pub fn keytab(&self) -> &Keytab {
        &self.0.keytab
    }

    /// The keys of a keytab that was read again: these, if its entries are the same, else new ones.
    #[must_use]
    pub fn renewed(&self, keytab: Keytab) -> Self {
        match self.keytab() == &keytab {
            true => self.clone(),
            false => Self::from(keytab),
        }
    }

    /// Opens a ticket: gives the DER of its `EncTicketPart`, behind which padding follows for Triple DES.
    ///
    /// # Errors
    /// [`GssError::NoKey`]; [`GssError::Crypto`] for another key than the KDC's, or damage.
    pub fn open_ticket(&self, backend: &dyn Backend, ticket: &Ticket<'_>) -> Result<Secret, GssError> {
        self.open(backend, &Principal::from_message(&ticket.sname, &ticket.realm)?, ticket)
    }

    /// Opens a ticket for a service, which its name is.
    pub(super) fn open(
        &self,
        backend: &dyn Backend,
        service: &Principal,
        ticket: &Ticket<'_>,
    ) -> Result<Secret, GssError> {
        let (etype, kvno) = (ticket.enc_part.etype, ticket.enc_part.kvno.map(UInt32::get));
        let missing = || {
            let kvno = kvno.map(|kvno| format!(" version {kvno}")).unwrap_or_default();
            GssError::NoKey(format!("{service}, encryption type {etype}{kvno}"))
        };
        let enc_type = EncType::from_number(etype).ok_or_else(missing)?;
        let (entry, found) = self.keytab().newest(service, enc_type, kvno).ok_or_else(missing)?;
        let sent = ticket.enc_part.cipher.as_bytes();
        if let Some(key) = self.ready(entry, backend.name()) {
            return Ok(key.decrypt(backend, sent)?);
        }
        let key = found.to_key().ok_or_else(missing)?.opening_key(backend, usage::TICKET)?;
        // What opens nothing is not kept: whoever sends tickets that no KDC made displaces no key.
        let plain = key.decrypt(backend, sent)?;
        self.keep(Ready { entry, backend: backend.name(), key: Arc::new(key) });
        Ok(plain)
    }

    /// The keys of an entry, if they are ready.
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
    use crate::KeytabEntry;
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

    /// The ciphertext of a ticket that says "content", in a key of one repeated octet.
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
