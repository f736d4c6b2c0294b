//! MS-XCA decompression: LZNT1 (§2.5), plain LZ77 (§2.4), and LZ77 with Huffman codes (§2.2). The output size must match
//! the announced size, which is limited.

use crate::bin::FileError;

/// The maximum output size in bytes.
pub(super) const MAX_OUTPUT: usize = 1 << 20;

/// The state of a decompression: the position in the input, and the output so far.
struct Pump<'a> {
    input: &'a [u8],
    at: usize,
    out: Vec<u8>,
    len: usize,
}

impl<'a> Pump<'a> {
    fn new(input: &'a [u8], len: usize) -> Result<Self, FileError> {
        match len <= MAX_OUTPUT {
            true => Ok(Self { input, at: 0, out: Vec::new(), len }),
            false => Err(FileError::new(0, "the compressed data exceeds 1 MiB")),
        }
    }

    const fn wrong(&self) -> FileError {
        FileError::new(self.at, "the compressed data is malformed (MS-XCA)")
    }

    fn byte(&mut self) -> Result<u8, FileError> {
        let byte = self.input.get(self.at).copied().ok_or_else(|| self.wrong())?;
        self.at += 1;
        Ok(byte)
    }

    /// Reads a little-endian number of `count` bytes.
    fn number(&mut self, count: u32) -> Result<usize, FileError> {
        (0..count).try_fold(0, |sum, at| Ok(sum | usize::from(self.byte()?) << (8 * at)))
    }

    const fn is_full(&self) -> bool {
        self.out.len() >= self.len
    }

    fn literal(&mut self) -> Result<(), FileError> {
        let byte = self.byte()?;
        self.out.push(byte);
        Ok(())
    }

    /// Copies `len` bytes of output from `offset` bytes back. The ranges may overlap.
    fn copy(&mut self, offset: usize, len: usize) -> Result<(), FileError> {
        let from = self.out.len().checked_sub(offset).filter(|_| offset > 0).ok_or_else(|| self.wrong())?;
        if len > self.len.saturating_sub(self.out.len()) {
            return Err(self.wrong());
        }
        for at in from..from + len {
            let byte = self.out.get(at).copied().ok_or_else(|| self.wrong())?;
            self.out.push(byte);
        }
        Ok(())
    }

    fn end(self) -> Result<Vec<u8>, FileError> {
        if self.out.len() == self.len { Ok(self.out) } else { Err(self.wrong()) }
    }
}

/// Decompresses LZNT1: chunks of up to 4 KiB.
pub(super) fn lznt1(input: &[u8], len: usize) -> Result<Vec<u8>, FileError> {
    let mut pump = Pump::new(input, len)?;
    while !pump.is_full() {
        let header = pump.number(2)?;
        let end = pump.at + (header & 0xFFF) + 1;
        let start = pump.out.len();
        if header & 0x8000 == 0 {
            while pump.at < end && !pump.is_full() {
                pump.literal()?;
            }
            continue;
        }
        while pump.at < end && !pump.is_full() {
            let flags = pump.byte()?;
            for bit in 0..8 {
                if pump.at >= end || pump.is_full() {
                    break;
                }
                if flags & (1 << bit) == 0 {
                    pump.literal()?;
                    continue;
                }
                let token = pump.number(2)?;
                // The further into the chunk, the more bits are the offset's.
                let (mut shift, mut at) = (12, pump.out.len().saturating_sub(start).saturating_sub(1));
                while at >= 16 && shift > 4 {
                    (shift, at) = (shift - 1, at >> 1);
                }
                let wanted = (token & ((1 << shift) - 1)) + 3;
                pump.copy((token >> shift) + 1, wanted.min(pump.len - pump.out.len()))?;
            }
        }
    }
    pump.end()
}

/// Decompresses plain LZ77.
pub(super) fn xpress(input: &[u8], len: usize) -> Result<Vec<u8>, FileError> {
    let mut pump = Pump::new(input, len)?;
    let (mut flags, mut left, mut half) = (0, 0, None);
    while !pump.is_full() {
        if left == 0 {
            (flags, left) = (pump.number(4)?, 32);
        }
        left -= 1;
        if flags & (1 << left) == 0 {
            pump.literal()?;
            continue;
        }
        let token = pump.number(2)?;
        let (mut length, offset) = (token & 7, (token >> 3) + 1);
        if length == 7 {
            // Two matches have a byte of more length in common.
            let more: u8 = match half.take() {
                Some(byte) => byte >> 4,
                None => {
                    let byte = pump.byte()?;
                    half = Some(byte);
                    byte & 15
                }
            };
            length = 7 + usize::from(more);
            if more == 15 {
                length = match pump.byte()? {
                    255 => match pump.number(2)? {
                        0 => pump.number(4)?,
                        long => long,
                    },
                    byte => usize::from(byte) + 15 + 7,
                };
            }
        }
        pump.copy(offset, length.saturating_add(3))?;
    }
    pump.end()
}

/// The number of symbols in LZ77 with Huffman codes.
const SYMBOLS: usize = 512;
/// The maximum code length in bits.
const LONGEST: u32 = 15;
/// The number of output bytes of a block.
const BLOCK: usize = 65_536;

/// Decompresses LZ77 with Huffman codes: blocks of 64 KiB of output, each preceded by its table.
pub(super) fn xpress_huffman(input: &[u8], len: usize) -> Result<Vec<u8>, FileError> {
    let mut pump = Pump::new(input, len)?;
    while !pump.is_full() {
        let codes = Codes::read(&mut pump)?;
        let end = pump.out.len().saturating_add(BLOCK);
        let mut bits = Bits::new(&mut pump)?;
        while pump.out.len() < end && !pump.is_full() {
            let (symbol, width) = codes.find(bits.next >> 17).ok_or_else(|| pump.wrong())?;
            bits.skip(width, &mut pump);
            let Some(symbol) = symbol.checked_sub(256) else {
                pump.out.push(u8::try_from(symbol).unwrap_or_default());
                continue;
            };
            let (mut length, width) = (symbol & 15, u32::try_from(symbol >> 4).unwrap_or_default());
            if length == 15 {
                length = match pump.byte()? {
                    255 => match pump.number(2)? {
                        0 => pump.number(4)?,
                        long => long,
                    },
                    byte => usize::from(byte) + 15,
                };
            }
            let offset = (1 << width) + usize::try_from(bits.next.checked_shr(32 - width).unwrap_or(0)).unwrap_or(0);
            bits.skip(width, &mut pump);
            pump.copy(offset, length.saturating_add(3))?;
        }
    }
    pump.end()
}

/// A bit reader for 16-bit words, most significant bit first.
struct Bits {
    next: u32,
    extra: i32,
}

impl Bits {
    fn new(pump: &mut Pump<'_>) -> Result<Self, FileError> {
        let (high, low) = (pump.number(2)?, pump.number(2)?);
        Ok(Self { next: u32::try_from(high << 16 | low).unwrap_or_default(), extra: 16 })
    }

    fn skip(&mut self, width: u32, pump: &mut Pump<'_>) {
        self.next = self.next.checked_shl(width).unwrap_or(0);
        self.extra -= i32::try_from(width).unwrap_or_default();
        if self.extra < 0 {
            // Behind the end there are zeros, which no code that counts needs.
            let word = pump.number(2).ok().and_then(|word| u32::try_from(word).ok()).unwrap_or(0);
            self.next |= word.checked_shl(self.extra.unsigned_abs()).unwrap_or(0);
            self.extra += 16;
        }
    }
}

/// A table of canonical codes, which maps the next 15 bits of input to symbols.
struct Codes {
    /// The symbol and its code length.
    table: Vec<(u16, u8)>,
}

impl Codes {
    fn read(pump: &mut Pump<'_>) -> Result<Self, FileError> {
        let mut widths = Vec::with_capacity(SYMBOLS);
        for _ in 0..SYMBOLS / 2 {
            let byte = pump.byte()?;
            widths.extend([byte & 15, byte >> 4]);
        }
        let size = 1_usize << LONGEST;
        let mut table = Vec::with_capacity(size);
        for width in 1..=15_u8 {
            for (symbol, _) in widths.iter().enumerate().filter(|(_, one)| **one == width) {
                let entry = (u16::try_from(symbol).unwrap_or_default(), width);
                let count = 1_usize << (LONGEST - u32::from(width));
                if table.len() + count > size {
                    return Err(pump.wrong());
                }
                table.extend(core::iter::repeat_n(entry, count));
            }
        }
        if table.len() == size { Ok(Self { table }) } else { Err(pump.wrong()) }
    }

    fn find(&self, bits: u32) -> Option<(usize, u32)> {
        let (symbol, width) = self.table.get(usize::try_from(bits).ok()?)?;
        Some((usize::from(*symbol), u32::from(*width)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;

    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

    #[test]
    fn examples_of_plain_lz77() {
        // MS-XCA §3.1.
        let alphabet = [&[0x3F, 0, 0, 0], LETTERS].concat();
        assert_eq!(xpress(&alphabet, 26).unwrap(), LETTERS);
        let repeated = [0xFF, 0xFF, 0xFF, 0x1F, b'a', b'b', b'c', 0x17, 0, 0x0F, 0xFF, 0x26, 1];
        assert_eq!(xpress(&repeated, 300).unwrap(), b"abc".repeat(100));
        assert!(xpress(&repeated, 301).is_err() && xpress(&repeated, 299).is_err());
        assert!(xpress(&alphabet[..20], 26).is_err() && xpress(&[], MAX_OUTPUT + 1).is_err());
    }

    #[test]
    fn examples_of_huffman_codes() {
        // MS-XCA §3.2: the lengths of the codes of `a` to `z` and of the end.
        let mut table = [0_u8; 256];
        table[48] = 0x50;
        table[49..59].fill(0x55);
        table[59..62].copy_from_slice(&[0x45, 0x44, 0x04]);
        table[128] = 4;
        let data =
            [0xD8, 0x52, 0x3E, 0xD7, 0x94, 0x11, 0x5B, 0xE9, 0x19, 0x5F, 0xF9, 0xD6, 0x7C, 0xDF, 0x8D, 4, 0, 0, 0, 0];
        let whole = [&table[..], &data].concat();
        assert_eq!(xpress_huffman(&whole, 26).unwrap(), LETTERS);
        for end in 0..260 {
            assert!(xpress_huffman(&whole[..end], 26).is_err(), "{end}");
        }
        assert!(xpress_huffman(&[0xFF; 300], 26).is_err());
    }

    #[test]
    fn chunks_of_lznt1() {
        // Three literals, then 9 bytes from 3 back; then a chunk that is not compressed.
        let data = [0x05, 0xB0, 0x08, b'a', b'b', b'c', 0x06, 0x20, 0x01, 0x30, b'x', b'y'];
        assert_eq!(lznt1(&data, 14).unwrap(), b"abcabcabcabcxy");
        assert!(lznt1(&data, 15).is_err() && lznt1(&data[..7], 12).is_err());
        // Nothing is there to repeat.
        assert!(lznt1(&[0x02, 0xB0, 0x01, 0x00, 0x00], 3).is_err());
    }
}
