//! NDR with type serialization version 1 (MS-RPCE §2.2.6), as used in PACs: one structure, followed by the referents of its
//! pointers.

use crate::bin::{Cursor, FileError, Order};

use super::info::{Sid, filetime, text};
use tagwise_pkix::UnixTime;

/// The maximum number of array elements to read.
const MAX_ELEMENTS: u32 = 65_536;

/// A cursor that handles alignment.
pub(super) struct Ndr<'a> {
    cursor: Cursor<'a>,
    /// The start of the structure, to which alignment is relative.
    start: usize,
}

impl<'a> Ndr<'a> {
    /// Reads the headers before a structure, and the pointer to it.
    pub(super) fn new(octets: &'a [u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Little);
        if cursor.take(4)? != [1, 0x10, 8, 0] {
            return Err(FileError::new(0, "expected NDR version 1 in little-endian order"));
        }
        cursor.u32()?;
        let len = cursor.len32()?;
        cursor.u32()?;
        let start = cursor.offset();
        let mut ndr = Self { cursor: cursor.window(len.min(cursor.remaining()))?, start };
        match ndr.pointer()? {
            true => Ok(ndr),
            false => Err(FileError::new(start, "the structure is a null pointer")),
        }
    }

    pub(super) const fn offset(&self) -> usize {
        self.cursor.offset()
    }

    fn align(&mut self, to: usize) -> Result<(), FileError> {
        let at = self.cursor.offset().saturating_sub(self.start);
        self.cursor.take(at.next_multiple_of(to).saturating_sub(at)).map(|_| ())
    }

    pub(super) fn u16(&mut self) -> Result<u16, FileError> {
        self.align(2)?;
        self.cursor.u16()
    }

    pub(super) fn u32(&mut self) -> Result<u32, FileError> {
        self.align(4)?;
        self.cursor.u32()
    }

    pub(super) fn bytes(&mut self, len: usize) -> Result<&'a [u8], FileError> {
        self.cursor.take(len)
    }

    /// Reads a FILETIME: two 32-bit numbers. The maximum value means never.
    pub(super) fn time(&mut self) -> Result<Option<UnixTime>, FileError> {
        let (low, high) = (self.u32()?, self.u32()?);
        let units = u64::from(high) << 32 | u64::from(low);
        Ok((units != 0 && units < 0x7FFF_FFFF_FFFF_FFFF).then(|| filetime(units)))
    }

    /// Reads a pointer, and returns whether it is not null.
    pub(super) fn pointer(&mut self) -> Result<bool, FileError> {
        Ok(self.u32()? != 0)
    }

    /// Reads an array's element count, which must match the announced one.
    pub(super) fn count(&mut self, announced: u32) -> Result<u32, FileError> {
        let at = self.offset();
        match self.u32()? {
            count if count != announced => {
                Err(FileError::new(at, "the size of an array differs from its announced size"))
            }
            count if count > MAX_ELEMENTS => Err(FileError::new(at, "an array has too many elements")),
            count => Ok(count),
        }
    }

    /// Reads a byte array's length, which must match the announced one.
    pub(super) fn bytes_count(&mut self, announced: u32) -> Result<u32, FileError> {
        let at = self.offset();
        match self.u32()? {
            count if count == announced => Ok(count),
            _ => Err(FileError::new(at, "the size of an array differs from its announced size")),
        }
    }

    /// Reads 64-bit numbers.
    pub(super) fn longs(&mut self, count: u32) -> Result<Vec<u64>, FileError> {
        self.align(8)?;
        (0..count).map(|_| self.cursor.u64()).collect()
    }

    /// Reads the fixed part of an RPC_UNICODE_STRING, and returns whether it has a text.
    pub(super) fn string(&mut self) -> Result<bool, FileError> {
        self.u16()?;
        self.u16()?;
        self.pointer()
    }

    /// Reads the text of an RPC_UNICODE_STRING, if it has one: the maximum count, offset and actual count of its UTF-16 units, and the
    /// units.
    pub(super) fn string_content(&mut self, has: bool) -> Result<String, FileError> {
        if !has {
            return Ok(String::new());
        }
        self.u32()?;
        let at = self.offset();
        if self.u32()? != 0 {
            return Err(FileError::new(at, "a string must have an offset of 0"));
        }
        let at = self.offset();
        let count = self.u32()?;
        if count > MAX_ELEMENTS {
            return Err(FileError::new(at, "a string is too long"));
        }
        let len = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(2);
        Ok(text(self.bytes(len)?))
    }

    /// Reads a SID, preceded by its subauthority count.
    pub(super) fn sid(&mut self) -> Result<Sid, FileError> {
        self.u32()?;
        Sid::read(&mut self.cursor)
    }
}
