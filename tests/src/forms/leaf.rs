//! Primitive values: random content, and its BER variants.

use tagwise_codec::Tag;

use super::{Dice, Tree, definite, element, indefinite, universal};

/// A primitive value.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The tag, in primitive form.
    pub tag: Tag,
    /// The universal tag number of its type.
    pub number: u32,
    /// Set for a BIT STRING with named bits.
    pub named: bool,
    /// The DER content bytes, excluding those of a contained encoding.
    pub content: Vec<u8>,
    /// The encoding contained in a string.
    pub contained: Option<Box<Tree>>,
}

impl Leaf {
    fn is_string(&self) -> bool {
        matches!(self.number, 3 | 4 | 7 | 12 | 18..=28 | 30)
    }

    /// The content octets, of which a contained encoding is encoded by `encode`.
    fn filled(&self, encode: impl FnOnce(&Tree) -> Vec<u8>) -> Vec<u8> {
        let mut content = self.content.clone();
        content.extend(self.contained.as_deref().map(encode).unwrap_or_default());
        content
    }

    pub(super) fn der(&self) -> Vec<u8> {
        self.filled(Tree::to_der)
    }

    pub(super) fn cer(&self) -> Vec<u8> {
        let content = self.filled(Tree::to_cer);
        if !self.is_string() || content.len() <= 1000 {
            return element(self.tag, &content);
        }
        let bits = self.number == 3;
        let (octets, unused) = if bits { (&content[1..], content[0]) } else { (&content[..], 0) };
        let size = 1000 - usize::from(bits);
        let count = octets.len().div_ceil(size);
        let segments = octets.chunks(size).enumerate().flat_map(|(index, chunk)| {
            let unused = if index + 1 == count { unused } else { 0 };
            segment(bits, unused, chunk)
        });
        indefinite(self.tag, &segments.collect::<Vec<_>>())
    }

    pub(super) fn ber(&self, dice: &mut Dice) -> Vec<u8> {
        let content = self.filled(|tree| tree.to_ber(dice));
        let content = if self.contained.is_none() { self.loose(content, dice) } else { content };
        if !self.is_string() || dice.below(2) == 0 {
            return definite(self.tag, &content, dice);
        }
        let segments = match (self.number, content.split_first()) {
            (3, Some((unused, bits))) => cut(bits, Some(*unused), dice, 0),
            _ => cut(&content, None, dice, 0),
        };
        super::constructed(self.tag, &segments, dice)
    }

    /// Content that BER allows for the same value.
    fn loose(&self, mut content: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
        if dice.below(2) == 0 {
            return content;
        }
        match (self.number, content.as_slice()) {
            (1, [0xFF]) => content[0] = 1 + dice.below(255) as u8,
            (3, [unused, .., _]) => {
                let unused = *unused;
                if self.named && dice.below(2) == 0 {
                    // Zero bits behind the last one.
                    let fewer = dice.below(usize::from(unused) + 1) as u8;
                    content[0] = fewer;
                    if fewer == 0 {
                        content.extend(vec![0; dice.below(3)]);
                    }
                }
                let mask = (1u8 << content[0]) - 1;
                let last = content.len() - 1;
                content[last] |= dice.roll() as u8 & mask;
            }
            (9, [0x80 | 0xC0, exponent @ 0x81..=0xFF, mantissa @ ..0x40]) => {
                (content[1], content[2]) = (exponent - 1, mantissa * 2);
            }
            (9, [0x80 | 0xC0, _, _]) => {
                // A mantissa with leading zeros.
                content.insert(2, 0);
            }
            (9, [3, .., b'E', b'+', b'0']) => content = [&[3, b' '][..], &content[1..]].concat(),
            (23, [.., b'0', b'0', b'Z']) => {
                content.truncate(content.len() - 3);
                content.push(b'Z');
            }
            (23, [.., b'Z']) => {
                content.pop();
                content.extend_from_slice(b"+0000");
            }
            (24, [.., b'Z']) => {
                content.pop();
                if content.len() == 14 {
                    content.push(*dice.pick(b".,"));
                }
                let endings: [&[u8]; 3] = [b"0Z", b"00+0000", b"0-00"];
                content.extend_from_slice(endings[dice.below(3)]);
            }
            _ => {}
        }
        content
    }
}

fn segment(bits: bool, unused: u8, octets: &[u8]) -> Vec<u8> {
    if bits { element(universal(3), &[&[unused], octets].concat()) } else { element(universal(4), octets) }
}

/// Segments, in segments, of any size.
fn cut(octets: &[u8], unused: Option<u8>, dice: &mut Dice, depth: usize) -> Vec<u8> {
    let bits = unused.is_some();
    let mut out = Vec::new();
    let mut rest = octets;
    loop {
        let len = dice.below(rest.len() + 1);
        let (first, after) = rest.split_at(len);
        let last = after.is_empty();
        let own = if last { unused.unwrap_or_default() } else { 0 };
        // Unused bits need an octet.
        let own = if first.is_empty() && own > 0 { return cut(octets, unused, dice, depth) } else { own };
        if depth < 3 && dice.below(4) == 0 {
            let inner = cut(first, bits.then_some(own), dice, depth + 1);
            out.extend(super::constructed(universal(if bits { 3 } else { 4 }), &inner, dice));
        } else {
            let tag = universal(if bits { 3 } else { 4 });
            let content = if bits { [&[own], first].concat() } else { first.to_vec() };
            out.extend(definite(tag, &content, dice));
        }
        if last {
            return out;
        }
        rest = after;
    }
}
