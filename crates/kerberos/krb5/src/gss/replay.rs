//! A cache that prevents replay of authenticators (RFC 4120 §3.2.3).

use std::collections::HashMap;
use std::sync::Mutex;

use tagwise_pkix::UnixTime;

use super::GssError;

/// The recently used authenticators, shared by all acceptors of a service in a process.
#[derive(Debug)]
pub struct ReplayCache {
    /// The hash of each authenticator, and the time after which it is rejected for its age alone.
    seen: Mutex<HashMap<Vec<u8>, UnixTime>>,
    capacity: usize,
}

impl ReplayCache {
    /// Creates a cache with the given capacity. A full cache rejects all authenticators until old entries expire.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { seen: Mutex::new(HashMap::new()), capacity }
    }

    /// Records an authenticator.
    ///
    /// # Errors
    /// Returns [`GssError::Replay`] if the authenticator was already recorded, or [`GssError::ReplayCacheFull`].
    pub(super) fn check(&self, hash: Vec<u8>, expires: UnixTime, now: UnixTime) -> Result<(), GssError> {
        // A panic elsewhere leaves the map as it was before or after an insertion.
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if seen.len() >= self.capacity {
            seen.retain(|_, expires| *expires >= now);
        }
        if seen.get(&hash).is_some_and(|expires| *expires >= now) {
            return Err(GssError::Replay);
        }
        if seen.len() >= self.capacity {
            return Err(GssError::ReplayCacheFull);
        }
        seen.insert(hash, expires);
        Ok(())
    }
}

impl Default for ReplayCache {
    /// Creates a cache for 65,536 authenticators.
    fn default() -> Self {
        Self::new(65_536)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_twice_and_no_more_than_the_capacity() {
        let cache = ReplayCache::new(2);
        let at = |hash: u8, now: i64| cache.check(vec![hash], UnixTime(now + 10), UnixTime(now));
        assert!(at(1, 0).is_ok() && at(2, 5).is_ok());
        assert!(matches!(at(1, 10), Err(GssError::Replay)));
        assert!(matches!(at(3, 10), Err(GssError::ReplayCacheFull)));
        assert!(at(3, 11).is_ok(), "the first has expired");
        assert!(matches!(at(2, 15), Err(GssError::Replay)));
    }
}
