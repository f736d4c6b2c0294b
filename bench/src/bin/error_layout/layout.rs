//! The candidate error representations. The parser sees only [`Layout`].

use std::num::NonZeroU64;

/// What went wrong. The parser below needs only a few kinds; a codec has perhaps a hundred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Truncated = 1,
    UnexpectedTag,
    BadLength,
    TrailingBytes,
    BadInteger,
    BadOid,
    BadTime,
    BadBoolean,
    BadBitString,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::Truncated,
        Self::UnexpectedTag,
        Self::BadLength,
        Self::TrailingBytes,
        Self::BadInteger,
        Self::BadOid,
        Self::BadTime,
        Self::BadBoolean,
        Self::BadBitString,
    ];
}

/// How an error is made and read back. `detail` is, for example, the tag octet that was found.
pub(crate) trait Layout: Sized {
    fn fail(kind: Kind, detail: u8, offset: usize) -> Self;
    fn kind(&self) -> Kind;
    fn offset(&self) -> usize;
    fn detail(&self) -> u8;
}

/// (a) Kind, detail and a 48-bit offset in one word, `Copy`, made in a cold function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed(NonZeroU64);

/// (a′) The same word, made in line where the check is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedInline(NonZeroU64);

fn pack(kind: Kind, detail: u8, offset: usize) -> NonZeroU64 {
    let low = offset as u64 & ((1 << 48) - 1);
    // The kind is never zero, so neither is the word.
    NonZeroU64::new((kind as u64) << 56 | u64::from(detail) << 48 | low).unwrap_or(NonZeroU64::MAX)
}

fn unpack_kind(word: NonZeroU64) -> Kind {
    let code = (word.get() >> 56) as usize;
    Kind::ALL.get(code.wrapping_sub(1)).copied().unwrap_or(Kind::Truncated)
}

fn unpack_offset(word: NonZeroU64) -> usize {
    (word.get() & ((1 << 48) - 1)) as usize
}

impl Layout for Packed {
    #[cold]
    #[inline(never)]
    fn fail(kind: Kind, detail: u8, offset: usize) -> Self {
        Self(pack(kind, detail, offset))
    }

    fn kind(&self) -> Kind {
        unpack_kind(self.0)
    }

    fn offset(&self) -> usize {
        unpack_offset(self.0)
    }

    fn detail(&self) -> u8 {
        (self.0.get() >> 48) as u8
    }
}

impl Layout for PackedInline {
    #[inline(always)]
    fn fail(kind: Kind, detail: u8, offset: usize) -> Self {
        Self(pack(kind, detail, offset))
    }

    fn kind(&self) -> Kind {
        unpack_kind(self.0)
    }

    fn offset(&self) -> usize {
        unpack_offset(self.0)
    }

    fn detail(&self) -> u8 {
        (self.0.get() >> 48) as u8
    }
}

/// (b) One word that owns everything else, made in a cold function.
#[derive(Debug)]
pub(crate) struct Boxed(Box<Wide>);

impl Layout for Boxed {
    #[cold]
    #[inline(never)]
    fn fail(kind: Kind, detail: u8, offset: usize) -> Self {
        Self(Box::new(Wide::new(kind, detail, offset)))
    }

    fn kind(&self) -> Kind {
        self.0.kind
    }

    fn offset(&self) -> usize {
        self.0.offset
    }

    fn detail(&self) -> u8 {
        self.0.detail
    }
}

/// (c) Sixteen bytes in line: kind, detail, offset.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inline16 {
    offset: usize,
    kind: Kind,
    detail: u8,
}

impl Layout for Inline16 {
    #[inline(always)]
    fn fail(kind: Kind, detail: u8, offset: usize) -> Self {
        Self { offset, kind, detail }
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn offset(&self) -> usize {
        self.offset
    }

    fn detail(&self) -> u8 {
        self.detail
    }
}

/// (d) 128 bytes in line, as a path of fields would take.
#[derive(Debug, Clone)]
pub(crate) struct Wide {
    offset: usize,
    kind: Kind,
    detail: u8,
    path: [u64; 14],
}

impl Wide {
    #[inline(always)]
    fn new(kind: Kind, detail: u8, offset: usize) -> Self {
        Self {
            offset,
            kind,
            detail,
            path: [0; 14],
        }
    }
}

impl Layout for Wide {
    #[inline(always)]
    fn fail(kind: Kind, detail: u8, offset: usize) -> Self {
        Self::new(kind, detail, offset)
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn offset(&self) -> usize {
        self.offset
    }

    fn detail(&self) -> u8 {
        // The path is always zero here; reading it keeps the field from being dropped.
        self.detail ^ self.path[0] as u8
    }
}
