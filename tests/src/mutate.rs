//! Mutations of encodings, at random bytes and at element boundaries. The same seed yields the same mutations.

use tagwise_codec::{Reader, Tag};

/// SplitMix64: small, seeded, and good enough for tests.
#[derive(Clone, Copy, Debug)]
pub struct Random(
    /// The state; any number is valid.
    pub u64,
);

impl Random {
    /// Returns the next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    /// Returns one item of a slice, which must not be empty.
    pub fn pick<'s, T>(&mut self, from: &'s [T]) -> &'s T {
        &from[self.below(from.len())]
    }
}

/// An element of an encoding: where it begins, where its content begins, and where it ends.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The offset of its identifier.
    pub start: usize,
    /// The offset of its content.
    pub content: usize,
    /// The offset just past its content.
    pub end: usize,
}

/// Returns every element of an encoding, in order of their starts. This includes elements inside OCTET STRINGs and BIT
/// STRINGs that look like encodings.
#[must_use]
pub fn elements(octets: &[u8]) -> Vec<Element> {
    let mut found = Vec::new();
    let mut open = vec![(0, octets.len())];
    while let Some((start, end)) = open.pop() {
        let Ok(mut reader) = Reader::new(&octets[start..end]) else { continue };
        while !reader.is_empty() {
            let at = start + reader.position();
            let Ok((tag, len)) = reader.header() else { break };
            let content = start + reader.position();
            if reader.take(len).is_err() {
                break;
            }
            found.push(Element { start: at, content, end: content + len });
            if tag.is_constructed() || (tag == Tag::OCTET_STRING && len > 1) {
                open.push((content, content + len));
            } else if tag == Tag::BIT_STRING && len > 2 && octets[content] == 0 {
                open.push((content + 1, content + len));
            }
        }
    }
    found.sort_by_key(|element| (element.start, element.end));
    found
}

/// Replaces the bytes `from..to` and corrects the lengths of all enclosing elements, so that the rest stays well-formed.
#[must_use]
pub fn splice(octets: &[u8], all: &[Element], (from, to): (usize, usize), with: &[u8]) -> Vec<u8> {
    let mut out = octets.to_vec();
    out.splice(from..to, with.iter().copied());
    // Innermost first: each correction moves only what comes after its own header.
    let around: Vec<&Element> = all.iter().filter(|e| e.content <= from && to <= e.end && e.start < from).collect();
    let mut grown = with.len() as isize - (to - from) as isize;
    for element in around.into_iter().rev() {
        let len = (element.end - element.content).checked_add_signed(grown).unwrap();
        let identifier = octets[element.start..element.content].iter().take(1).count();
        let header = length(len);
        let old = element.content - element.start - identifier;
        grown += header.len() as isize - old as isize;
        out.splice(element.start + identifier..element.content, header);
    }
    out
}

/// A length in its shortest form.
fn length(len: usize) -> Vec<u8> {
    if len < 0x80 {
        return vec![len as u8];
    }
    let octets: Vec<u8> = len.to_be_bytes().into_iter().skip_while(|octet| *octet == 0).collect();
    let mut out = vec![0x80 | octets.len() as u8];
    out.extend(octets);
    out
}

/// Applies one mutation.
#[must_use]
pub fn mutate(octets: &[u8], all: &[Element], random: &mut Random) -> Vec<u8> {
    const TAGS: &[u8] = &[
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0A, 0x0C, 0x13, 0x16, 0x17, 0x18, 0x1F, 0x24, 0x30, 0x31, 0x80, 0xA0,
        0xA3, 0xBF,
    ];
    const CONTENT: &[&[u8]] = &[
        &[],
        &[0],
        &[0xFF],
        &[0x80],
        &[0, 0],
        &[0, 0x7F],
        &[0xFF, 0xFF],
        &[7, 0x80],
        &[0x30, 0x80, 0, 0],
        b"20500101000000Z",
        b"99123123595Z",
    ];
    let mut out = octets.to_vec();
    let element = *random.pick(all);
    let whole = (element.start, element.end);
    match random.below(12) {
        0 => {
            let at = random.below(out.len());
            out[at] ^= 1 << random.below(8);
        }
        1 => {
            let at = random.below(out.len());
            out[at] = random.next() as u8;
        }
        2 => out.truncate(random.below(octets.len())),
        3 => out.push(random.next() as u8),
        4 => out[element.start] = *random.pick(TAGS),
        5 => {
            let at = element.start + 1;
            out[at] = if random.below(2) == 0 { out[at].wrapping_add(1) } else { random.next() as u8 };
        }
        6 => out = splice(octets, all, whole, &[]),
        7 => {
            let twice = octets[element.start..element.end].repeat(2);
            out = splice(octets, all, whole, &twice);
        }
        8 => {
            let other = *random.pick(all);
            out = splice(octets, all, whole, &octets[other.start..other.end]);
        }
        9 => out = splice(octets, all, (element.content, element.end), CONTENT[random.below(CONTENT.len())]),
        10 => {
            // A length that is longer than it need be.
            let mut padded = vec![octets[element.start], 0x84];
            padded.extend(((element.end - element.content) as u32).to_be_bytes());
            padded.extend(&octets[element.content..element.end]);
            out = splice(octets, all, whole, &padded);
        }
        _ => {
            let at = element.start + random.below(element.end - element.start);
            out.insert(at, random.next() as u8);
        }
    }
    out
}
