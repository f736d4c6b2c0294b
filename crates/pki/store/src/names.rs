//! Interned names. Two names have the same number if and only if they match (RFC 5280 §7.1).

use std::collections::HashMap;

use tagwise_codec::SeqOf;

use tagwise_pkix::name::Name;

/// The numbers of distinct names, starting from 0. The maps use randomly keyed hashes, so that an attacker cannot choose names
/// that collide.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'a> {
    /// Numbers by encoding, because names are usually encoded the same way each time.
    by_octets: HashMap<&'a [u8], u32>,
    /// Numbers by comparison key.
    by_key: HashMap<Vec<u8>, u32>,
}

impl<'a> Names<'a> {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self { by_octets: HashMap::with_capacity(count), by_key: HashMap::with_capacity(count) }
    }

    /// Returns the number of distinct names.
    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Returns the number assigned to the name with these content bytes, assigning one if it is new.
    pub(super) fn number(&mut self, octets: &'a [u8]) -> u32 {
        if let Some(number) = self.by_octets.get(octets) {
            return *number;
        }
        let next = self.by_key.len() as u32;
        let number = *self.by_key.entry(name(octets).match_key()).or_insert(next);
        self.by_octets.insert(octets, number);
        number
    }

    /// Returns the number assigned to a matching name, if there is one.
    pub(super) fn find(&self, wanted: &Name<'_>) -> Option<u32> {
        let known = wanted.0.content().and_then(|octets| self.by_octets.get(octets));
        known.or_else(|| self.by_key.get(&wanted.match_key())).copied()
    }
}

fn name(octets: &[u8]) -> Name<'_> {
    Name(SeqOf::deferred(octets, 0))
}
