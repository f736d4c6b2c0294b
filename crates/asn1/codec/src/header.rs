//! Complete parser for identifier and length bytes in a slice.
//!
//! The reader's inlined fast path handles low tags and short lengths. All other headers are parsed here.

use crate::fault::Fault;
use crate::head::{self, Identifier, Length};
use crate::kept::Kept;
use crate::kind::FaultKind;
use crate::options::Session;
use crate::rule::Rule;
use crate::tag::Tag;

/// The maximum length that is reported as exceeding the input. Greater lengths are reported as too large.
const LONGEST: u64 = 0xFF_FFFF_FFFF;

/// Start and length of content. Offsets are relative to the reader's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// Reads a header with the single identifier byte `first` and a length that begins with 0x81 or 0x82. Returns the header's size
/// in the upper half and the content's size in the lower. Returns 0 for any other header, which [`HeaderPlace`] then handles.
///
/// All values are passed in registers. This is the common long path, and the reader's cursor must not be kept in memory
/// for it.
#[inline(never)]
pub(crate) fn long_form(rest: &[u8], first: u8) -> u64 {
    let (header, len, content) = match rest {
        [tag, 0x82, high, low, content @ ..] if *tag == first && *high != 0 => {
            (4, usize::from(*high) << 8 | usize::from(*low), content)
        }
        [tag, 0x81, len, content @ ..] if *tag == first && *len >= 0x80 => (3, usize::from(*len), content),
        _ => return 0,
    };
    if len <= content.len() { header << 32 | len as u64 } else { 0 }
}

/// Reads the header of an EXPLICIT tag and of its inner element, which must span the tag's whole content. Returns the
/// size of both headers in the upper half and the length of the inner content in the lower. Returns 0 for anything else.
#[inline(never)]
pub(crate) fn long_explicit(rest: &[u8], outer: u8, inner: u8) -> u64 {
    if let Some((content, around)) = common(rest, outer)
        && let Some((value, len)) = common(content, inner)
        && around <= content.len()
        && content.len() - value.len() + len == around
    {
        ((rest.len() - value.len()) as u64) << 32 | len as u64
    } else {
        0
    }
}

/// Returns the bytes after a header with one identifier byte and up to three length bytes, and the content length, which may
/// exceed them.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
const fn common(rest: &[u8], first: u8) -> Option<(&[u8], usize)> {
    match rest {
        [tag, _, ..] if *tag != first => None,
        [_, 0x82, high, low, content @ ..] if *high != 0 => Some((content, (*high as usize) << 8 | *low as usize)),
        [_, 0x81, len, content @ ..] if *len >= 0x80 => Some((content, *len as usize)),
        [_, len, content @ ..] if *len < 0x80 => Some((content, *len as usize)),
        _ => None,
    }
}

/// The reader state that the slow path needs, by value. Passing the reader itself would keep its cursor in memory.
#[derive(Clone, Copy)]
pub(crate) struct HeaderPlace<'a, 'o> {
    pub(crate) input: &'a [u8],
    /// The end of the reader's window in the input.
    pub(crate) end: usize,
    pub(crate) pos: usize,
    pub(crate) base: usize,
    pub(crate) session: Option<&'o Session<'o>>,
    pub(crate) kept: Kept,
}

impl<'a, 'o> HeaderPlace<'a, 'o> {
    /// Creates the state for the start of an input.
    pub(crate) const fn at_start(input: &'a [u8], session: Option<&'o Session<'o>>) -> Self {
        Self { input, end: input.len(), pos: 0, base: 0, session, kept: Kept::NONE }
    }

    fn window(&self) -> &'a [u8] {
        self.input.get(..self.end).unwrap_or_default()
    }

    /// Returns the bytes between a header and the end of the window, and the content length.
    fn content(&self, extent: Extent) -> (&'a [u8], usize) {
        (self.window().get(extent.start as usize..).unwrap_or_default(), extent.len as usize)
    }

    #[cold]
    fn fault(&self, kind: FaultKind, pos: usize) -> Fault {
        Fault::new(kind, self.base.saturating_add(pos))
    }

    /// Reads the tag at the cursor, and returns it with the position after it.
    pub(crate) fn tag(&self) -> Result<(Tag, usize), Fault> {
        let Some(&first) = self.window().get(self.pos) else {
            return Err(self.fault(FaultKind::Missing, self.pos));
        };
        if first & 0xDF == 0 {
            return Err(self.fault(FaultKind::EndOfContents, self.pos));
        }
        if first & 0x1F != 0x1F {
            return Ok((Tag::from_low_octet(first), self.pos + 1));
        }
        match head::identifier(self.window().get(self.pos..).unwrap_or_default()) {
            Some(Identifier { fault: Some(kind), .. }) => Err(self.fault(kind, self.pos)),
            Some(Identifier { tag, size: Some(size), .. }) => Ok((tag, self.pos + size)),
            _ => Err(self.fault(FaultKind::Truncated, self.window().len())),
        }
    }

    /// Reads the length at `pos`. Returns it with the start of the content and whether it is minimal, or `None` for the
    /// indefinite form.
    #[inline]
    pub(crate) fn any_length(&self, pos: usize) -> Result<Option<(u64, usize, bool)>, Fault> {
        match head::length(self.window().get(pos..).unwrap_or_default()) {
            Length::Definite { len, size, minimal } => Ok(Some((len, pos + size, minimal))),
            Length::Indefinite => Ok(None),
            Length::Reserved => Err(self.fault(FaultKind::LengthReserved, pos)),
            Length::Cut(_) => Err(self.fault(FaultKind::Truncated, self.window().len())),
        }
    }

    /// Reads the length at `pos`, and checks that the content is within the window.
    pub(crate) fn length(&self, pos: usize) -> Result<Extent, Fault> {
        let Some((len, start, minimal)) = self.any_length(pos)? else {
            return Err(self.fault(FaultKind::LengthIndefinite, pos));
        };
        if !minimal {
            self.deviate(&Rule::LONG_LENGTH, FaultKind::LengthNotMinimal, pos)?;
        }
        if len > LONGEST {
            return Err(self.fault(FaultKind::LengthTooLarge, pos));
        }
        if len > (self.window().len() - start) as u64 {
            return Err(self.fault(FaultKind::LengthOverrun, pos));
        }
        // The reader refuses inputs above u32::MAX, so both fit.
        Ok(Extent { start: start as u32, len: len as u32 })
    }

    /// Reads the header at the cursor, with any tag.
    #[inline(never)]
    pub(crate) fn any(&self) -> Result<(Tag, &'a [u8], usize), Fault> {
        let (tag, pos) = self.tag()?;
        let (rest, len) = self.content(self.length(pos)?);
        Ok((tag, rest, len))
    }

    /// Reads the header at the cursor, whose tag must be `expected`.
    #[cold]
    #[inline(never)]
    pub(crate) fn expected(&self, expected: Tag) -> Result<(&'a [u8], usize), Fault> {
        let (found, pos) = self.tag()?;
        if found != expected {
            return Err(self.mismatch(expected, found));
        }
        Ok(self.content(self.length(pos)?))
    }

    #[cold]
    fn mismatch(&self, expected: Tag, found: Tag) -> Fault {
        let kind = if !found.same(expected) {
            FaultKind::UnexpectedTag
        } else if expected.is_constructed() {
            FaultKind::ConstructedExpected
        } else {
            FaultKind::PrimitiveExpected
        };
        self.fault(kind, self.pos).with_detail(expected.first_octet())
    }

    /// Skips additional components of a SEQUENCE, if they are tolerated, and returns the remaining bytes, an empty slice.
    #[cold]
    #[inline(never)]
    pub(crate) fn extra(mut self) -> Result<&'a [u8], Fault> {
        self.deviate(&Rule::EXTRA_COMPONENTS, FaultKind::TrailingData, self.pos)?;
        while self.pos < self.window().len() {
            let extent = self.length(self.tag()?.1)?;
            self.pos = extent.start as usize + extent.len as usize;
        }
        Ok(self.window().get(self.pos..).unwrap_or_default())
    }

    /// Creates the fault for a CHOICE without an alternative for the tag at the cursor.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_alternative(&self) -> Fault {
        match self.tag() {
            Ok(_) => self.fault(FaultKind::ChoiceUnknown, self.pos),
            Err(fault) => fault,
        }
    }

    /// Like the function [`deviate`], at a given position.
    pub(crate) fn deviate(&self, rule: &'static Rule, kind: FaultKind, pos: usize) -> Result<(), Fault> {
        deviate(self.session, self.kept, rule, kind, self.base.saturating_add(pos))
    }
}

/// Records a deviation if its rule is allowed, and returns a fault otherwise.
#[cold]
pub(crate) fn deviate(
    session: Option<&Session<'_>>,
    kept: Kept,
    rule: &'static Rule,
    kind: FaultKind,
    offset: usize,
) -> Result<(), Fault> {
    let tolerated = match session {
        Some(session) => session.tolerate(rule, offset),
        None => kept.has(rule),
    };
    if tolerated { Ok(()) } else { Err(Fault::new(kind, offset)) }
}
