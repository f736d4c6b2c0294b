//! Challenge nonces. Each nonce authenticates its creation time and client, so the KDC need not store the nonces that it
//! issues. To prevent replay, returned nonces are stored until they expire.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use subtle::ConstantTimeEq as _;
use tagwise_crypto::{Digest, Error, Primitives, Secret};

/// The number of random bytes in a nonce: the length of the longest key (RFC 6560 §4.1).
const RANDOM: usize = 32;
const TIME: usize = 8;
const TAG: usize = 16;
const LEN: usize = RANDOM + TIME + TAG;
/// The maximum number of stored nonces, which allows 437 logins per second for five minutes.
const MOST_USED: usize = 1 << 17;

/// The reason why a nonce is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// The nonce was not issued by this KDC, or was issued to another user.
    Foreign,
    /// The nonce is too old.
    Old,
    /// The nonce was already used.
    Used,
    /// Too many nonces were returned recently.
    Full,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Foreign => "the nonce was not issued by this KDC for the user",
            Self::Old => "the nonce is too old",
            Self::Used => "the nonce was used before",
            Self::Full => "too many recent nonces",
        })
    }
}

/// The nonce issuer that a process shares with its forks.
pub(crate) struct Nonces {
    key: Secret,
    used: Mutex<Used>,
    most: usize,
}

/// The returned nonces, identified by their random bytes, with their creation times.
#[derive(Default)]
struct Used {
    known: HashSet<[u8; RANDOM]>,
    by_time: BTreeSet<(i64, [u8; RANDOM])>,
}

impl Nonces {
    pub(crate) fn new(backend: &dyn Primitives) -> Result<Self, Error> {
        let mut key = Secret::zeroed(32);
        backend.random(key.expose_mut())?;
        Ok(Self { key, used: Mutex::default(), most: MOST_USED })
    }

    /// Creates a nonce for a user.
    pub(crate) fn make(&self, backend: &dyn Primitives, now: i64, user: &[u8]) -> Result<Vec<u8>, Error> {
        let mut random = [0; RANDOM];
        backend.random(&mut random)?;
        let tag = self.tag(backend, &random, now, user)?;
        Ok([&random[..], &now.to_be_bytes(), &tag].concat())
    }

    /// Verifies a returned nonce and marks it as used.
    pub(crate) fn take(
        &self,
        backend: &dyn Primitives,
        nonce: &[u8],
        now: i64,
        lifetime: i64,
        user: &[u8],
    ) -> Result<Result<(), Stale>, Error> {
        let Ok(nonce) = <&[u8; LEN]>::try_from(nonce) else { return Ok(Err(Stale::Foreign)) };
        let (random, rest) = nonce.split_at(RANDOM);
        let (Ok(random), Some((time, tag))) = (<[u8; RANDOM]>::try_from(random), rest.split_first_chunk::<TIME>())
        else {
            return Ok(Err(Stale::Foreign));
        };
        let made = i64::from_be_bytes(*time);
        if !bool::from(self.tag(backend, &random, made, user)?.as_slice().ct_eq(tag)) {
            return Ok(Err(Stale::Foreign));
        }
        // After a clock was set back, nonces from the future are not valid now.
        if made < now.saturating_sub(lifetime) || made > now.saturating_add(lifetime) {
            return Ok(Err(Stale::Old));
        }
        Ok(self.remember(random, made, now.saturating_sub(lifetime)))
    }

    fn remember(&self, random: [u8; RANDOM], made: i64, oldest: i64) -> Result<(), Stale> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(first) = used.by_time.first().copied().filter(|(made, _)| *made < oldest) {
            used.by_time.remove(&first);
            used.known.remove(&first.1);
        }
        if used.known.contains(&random) {
            return Err(Stale::Used);
        }
        if used.known.len() >= self.most {
            return Err(Stale::Full);
        }
        used.known.insert(random);
        used.by_time.insert((made, random));
        Ok(())
    }

    fn tag(&self, backend: &dyn Primitives, random: &[u8], made: i64, user: &[u8]) -> Result<Vec<u8>, Error> {
        let mut mac = backend.hmac(Digest::Sha256, self.key.expose())?;
        mac.update(random);
        mac.update(&made.to_be_bytes());
        mac.update(user);
        let mut tag = mac.finish()?;
        tag.truncate(TAG);
        Ok(tag)
    }
}

#[cfg(test)]
mod tests {
    use tagwise_crypto::backends::AwsLc;

    use super::*;

    #[test]
    fn a_nonce_is_taken_once_and_in_time() {
        let backend = AwsLc::new();
        let nonces = Nonces::new(&backend).unwrap();
        let take = |nonce: &[u8], now, user: &[u8]| nonces.take(&backend, nonce, now, 300, user).unwrap();
        let nonce = nonces.make(&backend, 1000, b"ann").unwrap();
        assert_eq!(take(&nonce, 1001, b"bob"), Err(Stale::Foreign));
        assert_eq!(take(&nonce, 1301, b"ann"), Err(Stale::Old));
        assert_eq!(take(&nonce, 699, b"ann"), Err(Stale::Old));
        assert_eq!(take(&nonce, 1300, b"ann"), Ok(()));
        assert_eq!(take(&nonce, 1300, b"ann"), Err(Stale::Used));
        for at in 0..nonce.len() {
            let mut changed = nonces.make(&backend, 1000, b"ann").unwrap();
            changed[at] ^= 1;
            assert_eq!(take(&changed, 1000, b"ann"), Err(Stale::Foreign), "byte {at}");
        }
        for len in [0, 1, LEN - 1, LEN + 1] {
            assert_eq!(take(&vec![0; len], 1000, b"ann"), Err(Stale::Foreign));
        }
        // Another KDC's.
        let other = Nonces::new(&backend).unwrap().make(&backend, 1000, b"ann").unwrap();
        assert_eq!(take(&other, 1000, b"ann"), Err(Stale::Foreign));
    }

    #[test]
    fn memory_is_bounded_and_given_back() {
        let backend = AwsLc::new();
        let nonces = Nonces { most: 3, ..Nonces::new(&backend).unwrap() };
        let take = |made, now| {
            let nonce = nonces.make(&backend, made, b"ann").unwrap();
            nonces.take(&backend, &nonce, now, 300, b"ann").unwrap()
        };
        for made in [1000, 1001, 1002] {
            assert_eq!(take(made, 1002), Ok(()));
        }
        assert_eq!(take(1002, 1002), Err(Stale::Full));
        // The first two are too old now.
        assert_eq!(take(1302, 1302), Ok(()));
        assert_eq!(take(1302, 1302), Ok(()));
        assert_eq!(take(1302, 1302), Err(Stale::Full));
    }
}
