//! Hash indices over the parts of the table, each built on first use.
//!
//! They are not built at compile time, because constant evaluation would add seconds to every build. Building them at run
//! time takes microseconds.

use std::sync::OnceLock;

use super::{Info, algorithms, attributes, curves, directory, extensions, messages, primitives, purposes};

/// An index over some parts of the table. The linker drops the parts that no index used by the program refers to.
pub(super) struct Index<const PARTS: usize> {
    parts: [&'static [Info]; PARTS],
    slots: OnceLock<Slots>,
}

/// Hash tables with open addressing. A slot contains an entry's position in all parts together, counted from 1, or 0 if it
/// is free.
struct Slots {
    by_octets: Box<[u16]>,
    by_name: Box<[u16]>,
}

/// The index over all entries.
pub(super) static ALL: Index<8> = Index::new([
    attributes::TABLE,
    extensions::TABLE,
    purposes::TABLE,
    algorithms::TABLE,
    curves::TABLE,
    primitives::TABLE,
    messages::TABLE,
    directory::TABLE,
]);

/// The index over the attribute types.
pub(super) static ATTRIBUTES: Index<1> = Index::new([attributes::TABLE]);

impl<const PARTS: usize> Index<PARTS> {
    const fn new(parts: [&'static [Info]; PARTS]) -> Self {
        Self { parts, slots: OnceLock::new() }
    }

    /// Iterates over the entries in table order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'static Info> + '_ {
        self.parts.iter().copied().flatten()
    }

    pub(super) fn by_octets(&self, octets: &[u8]) -> Option<&'static Info> {
        let slots = self.slots();
        find(&slots.by_octets, hash_octets(octets), &self.parts, |info| info.oid.as_bytes() == octets)
    }

    pub(super) fn by_name(&self, name: &str) -> Option<&'static Info> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        let slots = self.slots();
        find(&slots.by_name, hash_name(name), &self.parts, |info| is(info.name) || info.short.is_some_and(is))
    }

    fn slots(&self) -> &Slots {
        self.slots.get_or_init(|| build(&self.parts))
    }
}

#[cold]
fn build(parts: &[&'static [Info]]) -> Slots {
    let count = parts.iter().map(|part| part.len()).sum::<usize>();
    // At least three times as many as there are keys, so that chains stay short.
    let size = (count * 6).next_power_of_two();
    let mut slots = Slots { by_octets: vec![0; size].into(), by_name: vec![0; size].into() };
    for (number, info) in (1..).zip(parts.iter().copied().flatten()) {
        place(&mut slots.by_octets, hash_octets(info.oid.as_bytes()), number);
        for name in [Some(info.name), info.short].into_iter().flatten() {
            place(&mut slots.by_name, hash_name(name), number);
        }
    }
    slots
}

fn place(slots: &mut [u16], hash: u64, number: u16) {
    let (before, after) = slots.split_at_mut(start(slots.len(), hash));
    if let Some(slot) = after.iter_mut().chain(before).find(|slot| **slot == 0) {
        *slot = number;
    }
}

/// Returns the first entry that matches `is` in the probe sequence that starts at a hash.
#[inline]
fn find(slots: &[u16], hash: u64, parts: &[&'static [Info]], is: impl Fn(&Info) -> bool) -> Option<&'static Info> {
    let (before, after) = slots.split_at(start(slots.len(), hash));
    let chain = after.iter().chain(before).take_while(|number| **number != 0);
    chain.filter_map(|number| entry(parts, usize::from(*number) - 1)).find(|info| is(info))
}

fn entry(parts: &[&'static [Info]], mut index: usize) -> Option<&'static Info> {
    for part in parts {
        match part.get(index) {
            Some(info) => return Some(info),
            None => index -= part.len(),
        }
    }
    None
}

/// Converts the upper bits of a hash to an index into a table whose size is a power of two.
const fn start(size: usize, hash: u64) -> usize {
    ((hash as u128 * size as u128) >> 64) as usize
}

/// Hashes the last eight bytes of an identifier, because identifiers mostly differ at the end.
fn hash_octets(octets: &[u8]) -> u64 {
    spread(match octets.last_chunk() {
        Some(end) => u64::from_le_bytes(*end),
        None => octets.iter().fold(0, |word, octet| word << 8 | u64::from(*octet)),
    })
}

fn hash_name(name: &str) -> u64 {
    spread(name.bytes().fold(0, |word: u64, octet| {
        (word.rotate_left(5) ^ u64::from(octet.to_ascii_lowercase())).wrapping_mul(0x517C_C1B7_2722_0A95)
    }))
}

const fn spread(word: u64) -> u64 {
    word.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
