//! Tags packed into one number: the class in the two highest bits, then a bit that is set for constructed values, then the tag
//! number.

use tagwise::codec::{Class, Tag};

use crate::error::Problem;

const CONSTRUCTED: u32 = 1 << 29;
const NUMBER: u32 = CONSTRUCTED - 1;

pub(crate) fn unpack(tag: u32) -> Result<Tag, Problem> {
    let class = Class::from_octet(((tag >> 30) as u8) << 6);
    match (class, tag & NUMBER) {
        (Class::Universal, 0) => Err(Problem::argument("a tag must not be 0")),
        (class, number) => Ok(Tag::new(class, number, tag & CONSTRUCTED != 0)),
    }
}

/// Unpacks a tag, or returns `usual` for 0.
pub(crate) fn unpack_or(tag: u32, usual: Tag) -> Result<Tag, Problem> {
    if tag == 0 { Ok(usual) } else { Ok(unpack(tag)?.formed_like(usual)) }
}

/// Packs a tag. Tag numbers above 2^29 do not fit and are replaced by the highest one, which no standard uses.
pub(crate) fn pack(tag: Tag) -> u32 {
    let form = if tag.is_constructed() { CONSTRUCTED } else { 0 };
    (tag.class() as u32) << 30 | form | tag.number().min(NUMBER)
}
