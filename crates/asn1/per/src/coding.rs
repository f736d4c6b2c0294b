//! The encoding of characters.

use crate::bits::reader::Reader;
use crate::error::Kind;
use crate::plan::{Bounds, Characters};

/// The encoding of the characters of a string (§30.5.2 to §30.5.4).
#[derive(Clone, Copy)]
pub(crate) struct Coding {
    /// The size of a character.
    pub(crate) bits: u32,
    /// True if characters are encoded as their positions in the alphabet.
    pub(crate) indexed: bool,
}

impl Coding {
    pub(crate) fn of(characters: &Characters, aligned: bool) -> Self {
        let last = characters.count().saturating_sub(1);
        let least = 64 - last.leading_zeros();
        // The least power of 2 is 1, so a character of an alphabet of one has a bit, too.
        let bits = if aligned { least.next_power_of_two() } else { least };
        let indexed = u64::from(characters.greatest()) >= 1 << bits.min(63);
        Self { bits, indexed }
    }

    /// Returns whether characters begin at a byte boundary in the ALIGNED variant (§30.5.6, §30.5.7).
    pub(crate) fn is_aligned(self, size: Bounds, length: u64) -> bool {
        let bits = i128::from(self.bits);
        match (size.is_fixed(), size.max) {
            (true, _) => i128::from(length) * bits > 16,
            (false, Some(max)) => length > 0 && max.saturating_mul(bits) >= 16,
            (false, None) => true,
        }
    }

    /// Reads characters, and appends their content bytes. Calls `outside` for characters outside the alphabet.
    pub(crate) fn read(
        self,
        of: &Characters,
        length: u64,
        reader: &mut Reader<'_>,
        into: &mut Vec<u8>,
        mut outside: impl FnMut(u32) -> Result<(), Kind>,
    ) -> Result<(), Kind> {
        if length.checked_mul(self.bits.into()).is_none_or(|bits| bits > reader.remaining()) {
            return Err(Kind::Truncated);
        }
        for _ in 0..length {
            let number = reader.bits(self.bits)?;
            let point = if self.indexed || self.bits == 0 {
                of.at(number).ok_or(Kind::Alphabet)?
            } else {
                let point = u32::try_from(number).map_err(|_| Kind::Alphabet)?;
                if of.position(point).is_none() {
                    outside(point)?;
                }
                point
            };
            let octets = point.to_be_bytes();
            into.extend_from_slice(octets.get(4 - usize::from(of.width.min(4))..).unwrap_or_default());
        }
        Ok(())
    }
}
