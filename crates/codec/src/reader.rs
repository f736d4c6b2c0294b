//! One input, one cursor.
//!
//! Entering a constructed value narrows the window's end and leaves its start alone, so every position is absolute and the
//! depth budget cannot be dodged. What a failed check may tolerate is asked of the [`Session`] on the cold path only.

use crate::decode::{Decode, DecodeValue};
use crate::fault::Fault;
use crate::header::{Place, long_form};
use crate::kind::Kind;
use crate::options::{Budget, Session};
use crate::rule::Rule;
use crate::tag::Tag;

/// Reads DER from one slice.
///
/// `'a` is the input, which decoded values borrow; `'o` is the [`Session`] of a decoding that is not plain DER.
///
/// ```
/// use tagwise_codec::{Reader, Tag};
/// let mut reader = Reader::new(&[0x30, 0x03, 0x02, 0x01, 0x05])?;
/// let five: u8 = reader.element(Tag::SEQUENCE, |r| r.read())?;
/// assert_eq!(five, 5);
/// reader.finish()?;
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a, 'o> {
    /// The input from its start to the end of the innermost open value.
    window: &'a [u8],
    /// The cursor; never past the window.
    pos: usize,
    /// What to add to a position for the offset in the outermost input.
    base: usize,
    /// Levels that may still be entered.
    depth: u32,
    /// Whether [`Raw`](crate::Raw) and the like look inside.
    deep: bool,
    session: Option<&'o Session<'o>>,
}

impl<'a, 'o> Reader<'a, 'o> {
    /// A strict reader with the default budget.
    ///
    /// # Errors
    /// [`Kind::InputTooLarge`] for inputs above 4 GiB; use the streaming reader for those.
    #[inline(always)]
    pub const fn new(input: &'a [u8]) -> Result<Self, Fault> {
        if input.len() > u32::MAX as usize {
            return Err(Fault::new(Kind::InputTooLarge, 0));
        }
        Ok(Self { window: input, pos: 0, base: 0, depth: Budget::DEFAULT.depth as u32, deep: true, session: None })
    }

    /// A reader that asks a session what to tolerate and spends its budget.
    ///
    /// # Errors
    /// [`Kind::InputTooLarge`] for inputs above 4 GiB.
    pub const fn with_session(input: &'a [u8], session: &'o Session<'o>) -> Result<Self, Fault> {
        let depth = session.options().budget_in_force().depth;
        let depth = if depth > Budget::MAX_DEPTH { Budget::MAX_DEPTH } else { depth };
        match Self::new(input) {
            Ok(reader) => Ok(Self { depth: depth as u32, session: Some(session), ..reader }),
            Err(fault) => Err(fault),
        }
    }

    /// The reader with its offsets counted from `base`: for a part of a larger input.
    #[must_use]
    pub const fn at_base(self, base: usize) -> Self {
        Self { base, ..self }
    }

    /// The reader in outline mode: deferred parts are stepped over, not looked into.
    #[must_use]
    pub const fn outlined(self) -> Self {
        Self { deep: false, ..self }
    }

    /// Whether deferred parts are checked while they are read; false for an outline.
    #[inline(always)]
    #[must_use]
    pub const fn is_deep(&self) -> bool {
        self.deep
    }

    /// The absolute offset of the cursor.
    #[inline(always)]
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.base.wrapping_add(self.pos)
    }

    /// The cursor's position in the reader's own slice: what [`Reader::since`] takes.
    #[inline(always)]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.pos
    }

    /// How many octets are left in the innermost open value.
    #[inline(always)]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.window.len().saturating_sub(self.pos)
    }

    /// Whether the innermost open value ends here.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pos >= self.window.len()
    }

    /// The session, if the decoding has one.
    #[must_use]
    pub const fn session(&self) -> Option<&'o Session<'o>> {
        self.session
    }

    /// How many deviations were tolerated so far.
    #[inline(always)]
    #[must_use]
    pub fn noted(&self) -> usize {
        self.session.map_or(0, Session::noted)
    }

    /// The octets from an earlier position to the cursor.
    #[inline(always)]
    #[must_use]
    pub fn since(&self, position: usize) -> &'a [u8] {
        self.window.get(position..self.pos).unwrap_or_default()
    }

    /// The first identifier octet of the next element, if there is one.
    #[inline(always)]
    #[must_use]
    pub fn peek_octet(&self) -> Option<u8> {
        self.window.get(self.pos).copied()
    }

    /// The tag of the next element.
    ///
    /// # Errors
    /// [`Kind::Missing`] at the end; the kinds of a malformed tag.
    pub fn peek(&self) -> Result<Tag, Fault> {
        Ok(self.place().tag()?.0)
    }

    /// Whether the next element has this class and number. The form is not compared: reading the element then says what is wrong with it.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, tag: Tag) -> bool {
        if tag.is_low() {
            self.peek_octet().is_some_and(|octet| (octet ^ tag.first_octet()) & 0xDF == 0)
        } else {
            self.peek().is_ok_and(|found| found.same(tag))
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    #[inline(always)]
    pub fn read<T: Decode<'a>>(&mut self) -> Result<T, Fault> {
        T::decode(self)
    }

    /// Reads a value if one that can be a `T` comes next.
    ///
    /// # Errors
    /// Whatever is wrong with it once its tag matches.
    #[inline(always)]
    pub fn read_optional<T: Decode<'a>>(&mut self) -> Result<Option<T>, Fault> {
        if T::starts(self) { T::decode(self).map(Some) } else { Ok(None) }
    }

    /// Reads a value under an IMPLICIT tag.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    #[inline(always)]
    pub fn read_implicit<T: DecodeValue<'a>>(&mut self, tag: Tag) -> Result<T, Fault> {
        let len = self.expect(tag.formed_like(T::TAG))?;
        T::decode_value(self, len)
    }

    /// Reads a value under an EXPLICIT tag.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    #[inline(always)]
    pub fn read_explicit<T: Decode<'a>>(&mut self, tag: Tag) -> Result<T, Fault> {
        self.element(tag.constructed(), T::decode)
    }

    /// Consumes identifier and length of an element that must have this tag, and gives the length of its content, which lies in the input.
    ///
    /// # Errors
    /// [`Kind::Missing`], [`Kind::UnexpectedTag`], [`Kind::PrimitiveExpected`], [`Kind::ConstructedExpected`], and the kinds of malformed tags and lengths.
    #[inline(always)]
    pub fn expect(&mut self, tag: Tag) -> Result<usize, Fault> {
        if tag.is_low()
            && let Some([first, len]) = self.window.get(self.pos..).and_then(<[u8]>::first_chunk::<2>)
            && *first == tag.first_octet()
            && *len < 0x80
            && usize::from(*len) <= self.window.len() - (self.pos + 2)
        {
            self.pos += 2;
            return Ok(usize::from(*len));
        }
        if tag.is_low() {
            let extent = long_form(self.window, self.pos, tag.first_octet());
            if extent != 0 {
                self.pos = (extent >> 32) as usize;
                return Ok(extent as u32 as usize);
            }
        }
        let extent = self.place().expected(tag)?;
        self.pos = extent.start as usize;
        Ok(extent.len as usize)
    }

    /// Consumes identifier and length of the next element, whatever its tag.
    ///
    /// # Errors
    /// [`Kind::Missing`] at the end, and the kinds of malformed tags and lengths.
    #[inline]
    pub fn header(&mut self) -> Result<(Tag, usize), Fault> {
        let (tag, extent) = self.place().any()?;
        self.pos = extent.start as usize;
        Ok((tag, extent.len as usize))
    }

    /// Consumes `len` octets of content and gives them.
    ///
    /// # Errors
    /// [`Kind::LengthOverrun`] if the innermost open value has fewer.
    #[inline(always)]
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        match self.window.get(self.pos..).and_then(|rest| rest.get(..len)) {
            Some(content) => {
                self.pos += len;
                Ok(content)
            }
            None => Err(self.fault(Kind::LengthOverrun, self.pos)),
        }
    }

    /// Enters content of `len` octets, reads it with `read`, and refuses what `read` leaves over.
    ///
    /// # Errors
    /// [`Kind::DepthExceeded`], [`Kind::TrailingData`], and those of `read`.
    #[inline(always)]
    pub fn nested<R>(&mut self, len: usize, read: impl FnOnce(&mut Self) -> Result<R, Fault>) -> Result<R, Fault> {
        let outer = self.window;
        let Some(inner) = self.pos.checked_add(len).and_then(|end| outer.get(..end)) else {
            return Err(self.fault(Kind::LengthOverrun, self.pos));
        };
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(self.fault(Kind::DepthExceeded, self.pos));
        };
        self.depth = depth;
        self.window = inner;
        let value = read(self)?;
        if self.pos != inner.len() {
            return Err(self.fault(Kind::TrailingData, self.pos));
        }
        self.window = outer;
        self.depth = depth + 1;
        Ok(value)
    }

    /// [`Reader::nested`] for the components of a SEQUENCE: what follows the last one may be tolerated, and is then stepped over.
    ///
    /// # Errors
    /// [`Kind::TrailingData`] unless [`Rule::EXTRA_COMPONENTS`] is allowed, and those of [`Reader::nested`].
    #[inline(always)]
    pub fn components<R>(&mut self, len: usize, read: impl FnOnce(&mut Self) -> Result<R, Fault>) -> Result<R, Fault> {
        self.nested(len, |reader| {
            let value = read(reader)?;
            if reader.pos != reader.window.len() {
                reader.pos = reader.place().extra()?;
            }
            Ok(value)
        })
    }

    /// Steps over a component that the type of its SET does not have.
    ///
    /// # Errors
    /// [`Kind::UnexpectedTag`] unless [`Rule::EXTRA_COMPONENTS`] is allowed; the kinds of malformed tags and lengths.
    #[inline]
    pub fn extra_component(&mut self) -> Result<(), Fault> {
        self.deviate(&Rule::EXTRA_COMPONENTS, Kind::UnexpectedTag, self.pos)?;
        self.skip().map(|_| ())
    }

    /// The fault of a CHOICE that has no alternative for the next element.
    #[inline(always)]
    #[must_use]
    pub fn no_alternative(&self) -> Fault {
        self.place().no_alternative()
    }

    /// Reads the initial octet of a BIT STRING that holds an encoding, and so uses all bits.
    ///
    /// # Errors
    /// [`Kind::BitStringEmpty`], [`Kind::BitStringUnused`].
    #[inline]
    pub fn no_unused_bits(&mut self) -> Result<(), Fault> {
        match self.peek_octet() {
            Some(0) => {
                self.pos += 1;
                Ok(())
            }
            Some(_) => Err(self.fault(Kind::BitStringUnused, self.pos)),
            None => Err(self.fault(Kind::BitStringEmpty, self.pos)),
        }
    }

    /// Enters the element that comes next and must have this tag: [`Reader::expect`], then [`Reader::nested`].
    ///
    /// # Errors
    /// Those of both.
    #[inline(always)]
    pub fn element<R>(&mut self, tag: Tag, read: impl FnOnce(&mut Self) -> Result<R, Fault>) -> Result<R, Fault> {
        let len = self.expect(tag)?;
        self.nested(len, read)
    }

    /// Steps over the next element without looking at its content, and gives its whole encoding.
    ///
    /// # Errors
    /// [`Kind::Missing`] at the end, and the kinds of malformed tags and lengths.
    #[inline]
    pub fn skip(&mut self) -> Result<&'a [u8], Fault> {
        let start = self.pos;
        let (_, len) = self.header()?;
        self.take(len)?;
        Ok(self.since(start))
    }

    /// A reader for a part that this one has passed, from position `start` to position `end`, one level deeper: for content
    /// that is an encoding again. Offsets, budget and session are this reader's.
    ///
    /// # Errors
    /// [`Kind::DepthExceeded`]; [`Kind::Internal`] if the part does not lie before the cursor.
    #[inline]
    pub fn revisit(&self, start: usize, end: usize) -> Result<Self, Fault> {
        let window = self.window.get(..end).filter(|_| start <= end && end <= self.pos);
        match (window, self.depth.checked_sub(1)) {
            (Some(window), Some(depth)) => Ok(Self { window, pos: start, depth, ..*self }),
            (None, _) => Err(self.fault(Kind::Internal, start)),
            (_, None) => Err(self.fault(Kind::DepthExceeded, start)),
        }
    }

    /// Ends the reading: nothing may be left.
    ///
    /// # Errors
    /// [`Kind::TrailingData`], unless [`Rule::TRAILING_DATA`] is allowed.
    #[inline(always)]
    pub fn finish(self) -> Result<(), Fault> {
        if self.pos == self.window.len() {
            Ok(())
        } else {
            self.deviate(&Rule::TRAILING_DATA, Kind::TrailingData, self.pos)
        }
    }

    /// A fault at a position of this reader (see [`Reader::position`]).
    // Inlined, so that the reader's address does not escape: only the cold constructor is called.
    #[inline(always)]
    #[must_use]
    pub const fn fault(&self, kind: Kind, position: usize) -> Fault {
        Fault::new(kind, self.base.saturating_add(position))
    }

    /// A failed check that a rule may tolerate: noted and passed if the session allows the rule.
    ///
    /// # Errors
    /// `kind` at `position` otherwise.
    #[inline(always)]
    pub fn deviate(&self, rule: &'static Rule, kind: Kind, position: usize) -> Result<(), Fault> {
        self.place().deviate(rule, kind, position)
    }

    /// Like [`Reader::deviate`] for a rule of a layer above the codec; the fault's detail is the rule's bit.
    ///
    /// # Errors
    /// [`Kind::Profile`] at `position` unless the rule is allowed.
    #[inline(always)]
    pub fn deviate_profile(&self, rule: &'static Rule, position: usize) -> Result<(), Fault> {
        match self.deviate(rule, Kind::Profile, position) {
            Ok(()) => Ok(()),
            Err(fault) => Err(fault.with_detail(rule.bit)),
        }
    }

    /// Spends elements of the budget, if the decoding has a session.
    ///
    /// # Errors
    /// [`Kind::ElementsExceeded`].
    #[inline(always)]
    pub fn spend_elements(&self, count: usize) -> Result<(), Fault> {
        match self.session {
            None => Ok(()),
            Some(session) => session.spend_elements(count as u64, self.offset()),
        }
    }

    /// The levels that may still be entered.
    #[must_use]
    pub const fn depth_left(&self) -> u32 {
        self.depth
    }

    #[inline(always)]
    const fn place(&self) -> Place<'a, 'o> {
        Place { window: self.window, pos: self.pos, base: self.base, session: self.session }
    }
}
