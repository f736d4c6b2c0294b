//! Random values of any type, generated from its table, with all their BER variants. Conversions are tested against them.
//!
//! The codec's engines are not used here, only the tables. Lengths, order and segments are implemented again, in the
//! simplest way.

pub mod constrained;
mod dice;
mod generate;
mod leaf;
mod obey;
pub mod types;

pub use dice::Dice;
pub use generate::{generate, generate_in};
pub use leaf::Leaf;

use tagwise_codec::{Class, Tag};

/// A value, with everything that determines its encodings.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A primitive value.
    Leaf(Leaf),
    /// A value that contains others.
    Nest {
        /// The tag.
        tag: Tag,
        /// How it orders them.
        order: Order,
        /// What it holds, with the tags that CER sorts by.
        children: Vec<(Tag, Tree)>,
        /// The DER of absent components that have this DEFAULT value, and how many of `children` come before.
        defaults: Vec<(usize, Vec<u8>)>,
    },
    /// Bytes that are the same under all encoding rules.
    Fixed(Vec<u8>),
}

/// The order of a value's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the given order.
    Kept,
    /// SET.
    Tags,
    /// By their encodings, as in a SET OF.
    Encodings,
}

impl Tree {
    /// Returns the tag of the DER encoding.
    #[must_use]
    pub fn tag(&self) -> Tag {
        match self {
            Self::Leaf(leaf) => leaf.tag,
            Self::Nest { tag, .. } => *tag,
            Self::Fixed(octets) => tagwise_codec::Reader::new(octets).unwrap().peek().unwrap(),
        }
    }

    /// Encodes the value in DER.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        match self {
            Self::Fixed(octets) => octets.clone(),
            Self::Leaf(leaf) => element(leaf.tag, &leaf.der()),
            Self::Nest { tag, order, children, .. } => {
                let mut parts: Vec<_> = children.iter().map(|(_, child)| (child.tag(), child.to_der())).collect();
                match order {
                    Order::Kept => {}
                    Order::Tags => parts.sort_by_key(|(tag, _)| (tag.class(), tag.number())),
                    Order::Encodings => parts.sort_by(|left, right| left.1.cmp(&right.1)),
                }
                element(*tag, &parts.into_iter().flat_map(|(_, part)| part).collect::<Vec<_>>())
            }
        }
    }

    /// Encodes the value in CER.
    #[must_use]
    pub fn to_cer(&self) -> Vec<u8> {
        match self {
            Self::Fixed(octets) => octets.clone(),
            Self::Leaf(leaf) => leaf.cer(),
            Self::Nest { tag, order, children, .. } => {
                let mut parts: Vec<_> = children.iter().map(|(rank, child)| (rank, child.to_cer())).collect();
                match order {
                    Order::Kept => {}
                    Order::Tags => parts.sort_by_key(|(tag, _)| (tag.class(), tag.number())),
                    Order::Encodings => parts.sort_by(|left, right| left.1.cmp(&right.1)),
                }
                indefinite(*tag, &parts.into_iter().flat_map(|(_, part)| part).collect::<Vec<_>>())
            }
        }
    }

    /// Encodes the value in one of its BER variants.
    #[must_use]
    pub fn to_ber(&self, dice: &mut Dice) -> Vec<u8> {
        match self {
            Self::Fixed(octets) => octets.clone(),
            Self::Leaf(leaf) => leaf.ber(dice),
            Self::Nest { tag, order, children, defaults } => {
                let mut parts: Vec<_> = children.iter().map(|(_, child)| child.to_ber(dice)).collect();
                for (place, default) in defaults.iter().rev().filter(|_| *order != Order::Encodings) {
                    if dice.below(2) == 0 {
                        parts.insert(*place, default.clone());
                    }
                }
                if *order != Order::Kept {
                    dice.shuffle(&mut parts);
                }
                constructed(*tag, &parts.concat(), dice)
            }
        }
    }
}

/// Encodes an element with a DER length.
#[must_use]
pub fn element(tag: Tag, content: &[u8]) -> Vec<u8> {
    let mut octets = identifier(tag);
    match content.len() {
        len @ ..0x80 => octets.push(len as u8),
        len => {
            let all = (len as u64).to_be_bytes();
            let significant: Vec<u8> = all.into_iter().skip_while(|octet| *octet == 0).collect();
            octets.push(0x80 | significant.len() as u8);
            octets.extend(significant);
        }
    }
    octets.extend_from_slice(content);
    octets
}

/// A constructed element of indefinite length.
fn indefinite(tag: Tag, content: &[u8]) -> Vec<u8> {
    let mut octets = identifier(tag.constructed());
    octets.push(0x80);
    octets.extend_from_slice(content);
    octets.extend_from_slice(&[0, 0]);
    octets
}

/// A constructed element with any of the lengths that BER has.
fn constructed(tag: Tag, content: &[u8], dice: &mut Dice) -> Vec<u8> {
    if dice.below(2) == 0 { indefinite(tag, content) } else { definite(tag.constructed(), content, dice) }
}

/// An element with any of the definite lengths that BER has.
fn definite(tag: Tag, content: &[u8], dice: &mut Dice) -> Vec<u8> {
    if dice.below(3) > 0 {
        return element(tag, content);
    }
    let mut octets = identifier(tag);
    let length = (content.len() as u32).to_be_bytes();
    octets.push(0x84 + dice.below(4) as u8);
    octets.extend(std::iter::repeat_n(0, usize::from(octets[octets.len() - 1] - 0x84)));
    octets.extend_from_slice(&length);
    octets.extend_from_slice(content);
    octets
}

fn identifier(tag: Tag) -> Vec<u8> {
    let mut octets = vec![tag.first_octet()];
    if !tag.is_low() {
        let mut number = tag.number();
        let mut base128 = vec![(number & 0x7F) as u8];
        while number > 0x7F {
            number >>= 7;
            base128.push(0x80 | (number & 0x7F) as u8);
        }
        octets.extend(base128.into_iter().rev());
    }
    octets
}

/// A universal tag in primitive form.
const fn universal(number: u32) -> Tag {
    Tag::new(Class::Universal, number, false)
}
