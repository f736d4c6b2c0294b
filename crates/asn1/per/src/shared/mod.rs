//! Code shared by encoding rules without tags.

mod base;
pub mod decode;
pub mod encode;
mod own;

use tagwise_codec::table::Type;
use tagwise_codec::value::{ForeignAdditions, ForeignRules};

use crate::shared::encode::other_rules;

pub use crate::error::{Kind, Step, path};
pub use crate::number;
pub(crate) use crate::shared::base::EMPTY_ELEMENTS;
pub use crate::shared::base::{Base, Context, Expect};

/// The index of a type that is in a list.
#[must_use]
pub fn index_of(types: &[Type], ty: &Type) -> Option<u32> {
    let offset = (std::ptr::from_ref(ty) as usize).checked_sub(types.as_ptr() as usize)?;
    let index = offset / size_of::<Type>();
    types.get(index).filter(|found| std::ptr::eq(*found, ty))?;
    u32::try_from(index).ok()
}

/// BIT STRING content without the zero bits at its end.
#[must_use]
pub fn without_zeros(content: &[u8]) -> Vec<u8> {
    let bits = content.get(1..).unwrap_or_default();
    let used = bits.iter().rposition(|octet| *octet != 0).map_or(0, |last| last + 1);
    let bits = bits.get(..used).unwrap_or_default();
    let unused = bits.last().map_or(0, |last| last.trailing_zeros() as u8);
    let mut short = vec![unused];
    short.extend(bits);
    short
}

/// The maximum number of extension additions in one type: their presence bits are not fragmented.
const MAX_ADDITIONS: usize = (1 << 14) - 1;

/// The presence of all extension additions of a value, from that of the known ones.
///
/// # Errors
/// Returns an error for unknown additions read under other encoding rules, and for the number of a known addition or one that does not
/// ascend. Additions are encoded in list order, each at most once. The number of additions must cover all that are present.
pub fn presence(foreign: Option<&ForeignAdditions>, known: &[bool], rules: ForeignRules) -> Result<Vec<bool>, Kind> {
    let mut present = known.to_vec();
    let Some(foreign) = foreign else { return Ok(present) };
    if foreign.rules != rules {
        // The sender's version has no meaning under other rules, but nothing is lost without it.
        return if foreign.list.is_empty() { Ok(present) } else { Err(other_rules()) };
    }
    for (number, _) in &foreign.list {
        let place = *number as usize;
        if place < known.len() {
            return Err(Kind::Mismatch("an unknown addition has the number of a known one"));
        }
        if place < present.len() {
            return Err(Kind::Mismatch("the numbers of unknown additions must ascend, without duplicates"));
        }
        if place >= MAX_ADDITIONS {
            return Err(Kind::Mismatch("the number of an unknown addition exceeds 16382"));
        }
        present.resize(place, false);
        present.push(true);
    }
    // The sender's version may have had other additions.
    if foreign.count > 0 {
        let least = present.iter().rposition(|present| *present).map_or(0, |last| last + 1);
        let count = foreign.count as usize;
        if count < least {
            return Err(Kind::Mismatch("an extension addition is present beyond the number of additions"));
        }
        if count > MAX_ADDITIONS {
            return Err(Kind::Mismatch("the number of additions exceeds 16383"));
        }
        present.resize(count, false);
    }
    Ok(present)
}
