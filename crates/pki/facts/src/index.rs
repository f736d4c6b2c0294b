//! The complete table with hash indices, built at compile time.

use super::{Info, algorithms, attributes, curves, directory, extensions, messages, primitives, purposes};

const PARTS: [&[Info]; 8] = [
    attributes::TABLE,
    extensions::TABLE,
    purposes::TABLE,
    algorithms::TABLE,
    curves::TABLE,
    primitives::TABLE,
    messages::TABLE,
    directory::TABLE,
];

const COUNT: usize = {
    let mut count = 0;
    let mut part = 0;
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
};

/// Every entry.
pub(super) static ALL: [Info; COUNT] = {
    let mut table = [PARTS[0][0]; COUNT];
    let (mut part, mut at) = (0, 0);
    while part < PARTS.len() {
        let mut index = 0;
        while index < PARTS[part].len() {
            table[at] = PARTS[part][index];
            at += 1;
            index += 1;
        }
        part += 1;
    }
    table
};

/// A hash table with open addressing: indices into [`ALL`], or [`FREE`].
type Slots = [u16; SLOTS];

/// At least three times as many as there are keys, so that chains stay short.
const BITS: u32 = 13;
const SLOTS: usize = 1 << BITS;
const FREE: u16 = u16::MAX;

static BY_OCTETS: Slots = {
    let mut slots = [FREE; SLOTS];
    let mut index = 0;
    while index < COUNT {
        place(&mut slots, hash_octets(ALL[index].oid.as_bytes()), index);
        index += 1;
    }
    slots
};

static BY_NAME: Slots = {
    let mut slots = [FREE; SLOTS];
    let mut index = 0;
    while index < COUNT {
        place(&mut slots, hash_name(ALL[index].name), index);
        if let Some(short) = ALL[index].short {
            place(&mut slots, hash_name(short), index);
        }
        index += 1;
    }
    slots
};

const fn place(slots: &mut Slots, hash: usize, index: usize) {
    let mut at = hash;
    while slots[at % SLOTS] != FREE {
        at += 1;
    }
    slots[at % SLOTS] = index as u16;
}

/// Identifiers differ at their end: the last eight bytes decide.
#[inline(always)]
const fn hash_octets(octets: &[u8]) -> usize {
    let word = match octets.last_chunk::<8>() {
        Some(end) => u64::from_le_bytes(*end),
        None => {
            let mut word = 0;
            let mut rest = octets;
            while let [octet, tail @ ..] = rest {
                word = word << 8 | *octet as u64;
                rest = tail;
            }
            word
        }
    };
    spread(word)
}

const fn hash_name(name: &str) -> usize {
    let mut word = 0u64;
    let mut rest = name.as_bytes();
    while let [octet, tail @ ..] = rest {
        word = (word.rotate_left(5) ^ octet.to_ascii_lowercase() as u64).wrapping_mul(0x517C_C1B7_2722_0A95);
        rest = tail;
    }
    spread(word)
}

#[inline(always)]
const fn spread(word: u64) -> usize {
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS)) as usize
}

/// The entries of the chain that starts at a hash.
#[inline(always)]
fn chain(slots: &'static Slots, hash: usize) -> impl Iterator<Item = &'static Info> {
    (hash..hash + SLOTS).map_while(move |at| ALL.get(usize::from(*slots.get(at % SLOTS)?)))
}

#[inline]
pub(super) fn by_octets(octets: &[u8]) -> Option<&'static Info> {
    chain(&BY_OCTETS, hash_octets(octets)).find(|info| info.oid.as_bytes() == octets)
}

pub(super) fn by_name(name: &str) -> Option<&'static Info> {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    chain(&BY_NAME, hash_name(name)).find(|info| is(info.name) || info.short.is_some_and(is))
}
