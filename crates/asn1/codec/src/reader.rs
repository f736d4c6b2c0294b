//! The DER reader: one input, one cursor.
//!
//! Entering a constructed value narrows the remaining range instead of creating a new reader. Positions therefore stay
//! absolute, and the depth budget cannot be bypassed. The rest of the input is a slice, so a single comparison checks a
//! length. Only the cold path, after a failed check, consults the [`Session`] for tolerated rule violations.

use crate::decode::{Decode, DecodeValue};
use crate::fault::Fault;
use crate::header::{HeaderPlace, deviate, long_explicit, long_form};
use crate::kept::Kept;
use crate::kind::FaultKind;
use crate::options::{Budget, Options, Session};
use crate::rule::Rule;
use crate::tag::Tag;

/// Reads DER from a slice.
///
/// `'a` is the input, which decoded values borrow. `'o` is the [`Session`] of a decoding with non-default options.
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
    /// The whole input.
    input: &'a [u8],
    /// The unread bytes of the innermost open value.
    rest: &'a [u8],
    /// The end of the innermost open value in the input.
    end: usize,
    /// The offset of the input in the outermost input.
    base: usize,
    /// The number of levels that can still be entered.
    depth: u32,
    /// True if deferred parts such as [`Raw`](crate::Raw) are checked immediately.
    deep: bool,
    /// True if encodings wrapped in an OCTET STRING or BIT STRING are nevertheless not checked.
    sealed: bool,
    session: Option<&'o Session<'o>>,
    /// The rules whose violations were tolerated when the bytes were first read. Used only without a session. Deviations from them were
    /// recorded then, or were in deferred parts.
    kept: Kept,
}

/// The enclosing state that [`Reader::enter`] saves for [`Reader::leave`].
#[derive(Clone, Copy, Debug)]
#[must_use = "pass this value to `Reader::leave` after reading the entered value"]
pub struct Outer<'a> {
    /// The input after the value that was entered.
    after: &'a [u8],
    end: usize,
}

impl<'a, 'o> Reader<'a, 'o> {
    /// Creates a strict reader with the default budget.
    ///
    /// # Errors
    /// Returns [`FaultKind::InputTooLarge`] for inputs above 4 GiB; use the streaming reader instead.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub const fn new(input: &'a [u8]) -> Result<Self, Fault> {
        if input.len() > u32::MAX as usize {
            return Err(Fault::new(FaultKind::InputTooLarge, 0));
        }
        Ok(Self {
            input,
            rest: input,
            end: input.len(),
            base: 0,
            depth: Budget::DEFAULT.depth as u32,
            deep: true,
            sealed: false,
            session: None,
            kept: Kept::NONE,
        })
    }

    /// Creates a reader with a session's rules and budget.
    ///
    /// # Errors
    /// Returns [`FaultKind::InputTooLarge`] for inputs above 4 GiB.
    pub const fn with_session(input: &'a [u8], session: &'o Session<'o>) -> Result<Self, Fault> {
        let depth = session.options().budget_in_force().depth;
        let depth = if depth > Budget::MAX_DEPTH { Budget::MAX_DEPTH } else { depth };
        match Self::new(input) {
            Ok(reader) => Ok(Self { depth: depth as u32, session: Some(session), ..reader }),
            Err(fault) => Err(fault),
        }
    }

    /// Adds `base` to all offsets, for a part of a larger input.
    #[must_use]
    pub const fn at_base(self, base: usize) -> Self {
        Self { base, ..self }
    }

    /// Sets the number of levels that can still be entered, at most [`Budget::MAX_DEPTH`].
    #[cfg(feature = "dynamic")]
    pub(crate) fn at_depth(self, depth: u32) -> Self {
        Self { depth: depth.min(self.depth), ..self }
    }

    /// Switches to outline mode, which decodes only the top-level structure: deferred parts are skipped, not checked.
    #[must_use]
    pub const fn outlined(self) -> Self {
        Self { deep: false, ..self }
    }

    /// Switches to sealed mode, in which encodings wrapped in strings are not checked: see [`Decode::from_der_sealed`].
    #[must_use]
    pub const fn sealed(self) -> Self {
        Self { sealed: true, ..self }
    }

    /// Sets the rules that a part was read under: see [`Any::decode_as`](crate::Any::decode_as).
    #[doc(hidden)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn keeping(self, kept: Kept) -> Self {
        Self { kept, ..self }
    }

    /// Returns the rules under which deferred parts are read later.
    #[doc(hidden)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub fn kept(&self) -> Kept {
        match self.session {
            None => self.kept,
            Some(session) => session.kept(),
        }
    }

    /// Returns whether the decoding is strict with the default budget.
    #[doc(hidden)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.session.is_none() && self.kept.is_none()
    }

    /// Returns the session's options, or the defaults.
    pub(crate) fn options(&self) -> Options<'o> {
        match self.session {
            Some(session) => *session.options(),
            None => Options::der().rules(self.kept.rules()),
        }
    }

    /// Returns whether encodings nested in an OCTET STRING or BIT STRING are left unvalidated. The structure around them is
    /// still checked. Nested values that are read later may be malformed.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// Returns whether every byte is checked, that is, the reader is neither in outline mode nor in sealed mode.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn is_thorough(&self) -> bool {
        self.deep && !self.sealed
    }

    /// Returns whether deferred parts are checked immediately. `false` in outline mode.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn is_deep(&self) -> bool {
        self.deep
    }

    /// Returns the absolute offset of the cursor.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.base.wrapping_add(self.position())
    }

    /// Returns the cursor's position in the reader's own slice, for use with [`Reader::since`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.end.wrapping_sub(self.rest.len())
    }

    /// Returns the number of bytes left in the innermost open value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Returns the unread bytes of the innermost open value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns whether the innermost open value is fully read.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the session with the options of this decoding, if any.
    #[must_use]
    pub const fn session(&self) -> Option<&'o Session<'o>> {
        self.session
    }

    /// Returns the number of deviations tolerated so far.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub fn noted(&self) -> usize {
        self.session.map_or(0, Session::noted)
    }

    /// Returns the bytes from an earlier position up to the cursor.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub fn since(&self, position: usize) -> &'a [u8] {
        self.input.get(position..self.position()).unwrap_or_default()
    }

    /// Returns the first identifier byte of the next element, if any.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub fn peek_octet(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Returns the next element's tag without consuming it.
    ///
    /// # Errors
    /// Returns [`FaultKind::Missing`] at the end, or an error for a malformed tag.
    pub fn peek(&self) -> Result<Tag, Fault> {
        Ok(self.place().tag()?.0)
    }

    /// Returns whether the next element has this class and number. The form is ignored, but reading an element with the wrong
    /// form is an error.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
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
    /// Returns any decoding error in the value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn read<T: Decode<'a>>(&mut self) -> Result<T, Fault> {
        T::decode(self)
    }

    /// Reads a value if the next element can be a `T`.
    ///
    /// # Errors
    /// Returns any decoding error after a matching tag.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn read_optional<T: Decode<'a>>(&mut self) -> Result<Option<T>, Fault> {
        if T::starts(self) { T::decode(self).map(Some) } else { Ok(None) }
    }

    /// Reads a value with an IMPLICIT tag.
    ///
    /// # Errors
    /// Returns any decoding error in the value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn read_implicit<T: DecodeValue<'a>>(&mut self, tag: Tag) -> Result<T, Fault> {
        let len = self.expect(tag.formed_like(T::TAG))?;
        T::decode_value(self, len)
    }

    /// Reads a value with an EXPLICIT tag.
    ///
    /// # Errors
    /// Returns any decoding error in the value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn read_explicit<T: Decode<'a>>(&mut self, tag: Tag) -> Result<T, Fault> {
        T::decode_explicit(self, tag)
    }

    /// Consumes both headers of an element with an EXPLICIT tag, if both have common forms and nothing follows the
    /// inner element. Returns the length of the inner content, and enters one level. [`Reader::ascend`] must follow.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn descend_explicit(&mut self, outer: Tag, inner: Tag) -> Option<usize> {
        if !outer.is_low() || !inner.is_low() {
            return None;
        }
        let depth = self.depth.checked_sub(1)?;
        if let [first, around, second, len, content @ ..] = self.rest
            && *first == outer.first_octet()
            && *second == inner.first_octet()
            && *len < 0x7E
            && *around == *len + 2
            && usize::from(*len) <= content.len()
        {
            (self.rest, self.depth) = (content, depth);
            return Some(usize::from(*len));
        }
        let extent = long_explicit(self.rest, outer.first_octet(), inner.first_octet());
        let content = self.rest.get((extent >> 32) as usize..)?;
        if extent == 0 {
            return None;
        }
        (self.rest, self.depth) = (content, depth);
        Some(extent as u32 as usize)
    }

    /// Reverses [`Reader::descend_explicit`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn ascend(&mut self) {
        self.depth += 1;
    }

    /// Consumes the header of an element with this tag, and returns the length of its content. All of the content is available.
    ///
    /// # Errors
    /// Returns [`FaultKind::Missing`], [`FaultKind::UnexpectedTag`], [`FaultKind::PrimitiveExpected`], [`FaultKind::ConstructedExpected`],
    /// or an error for a malformed tag or length.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn expect(&mut self, tag: Tag) -> Result<usize, Fault> {
        if tag.is_low() {
            if let [first, len, content @ ..] = self.rest
                && *first == tag.first_octet()
                && *len < 0x80
                && usize::from(*len) <= content.len()
            {
                self.rest = content;
                return Ok(usize::from(*len));
            }
            let extent = long_form(self.rest, tag.first_octet());
            if let Some(content) = self.rest.get((extent >> 32) as usize..)
                && extent != 0
            {
                self.rest = content;
                return Ok(extent as u32 as usize);
            }
        }
        let (content, len) = self.place().expected(tag)?;
        self.rest = content;
        Ok(len)
    }

    /// Consumes the header of the next element, with any tag.
    ///
    /// # Errors
    /// Returns [`FaultKind::Missing`] at the end, or an error for a malformed tag or length.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn header(&mut self) -> Result<(Tag, usize), Fault> {
        let common = match self.rest {
            [first, len, content @ ..] if *len < 0x80 => Some((first, usize::from(*len), content)),
            [first, 0x82, high, low, content @ ..] if *high != 0 => {
                Some((first, usize::from(*high) << 8 | usize::from(*low), content))
            }
            [first, 0x81, len, content @ ..] if *len >= 0x80 => Some((first, usize::from(*len), content)),
            _ => None,
        };
        if let Some((first, len, content)) = common
            && *first & 0x1F != 0x1F
            && *first & 0xDF != 0
            && len <= content.len()
        {
            self.rest = content;
            return Ok((Tag::from_low_octet(*first), len));
        }
        let (tag, content, len) = self.place().any()?;
        self.rest = content;
        Ok((tag, len))
    }

    /// Consumes and returns `len` bytes of content.
    ///
    /// # Errors
    /// Returns [`FaultKind::LengthOverrun`] if fewer bytes are left in the innermost open value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        match self.rest.split_at_checked(len) {
            Some((content, rest)) => {
                self.rest = rest;
                Ok(content)
            }
            None => Err(self.fault(FaultKind::LengthOverrun, self.position())),
        }
    }

    /// Enters `len` bytes of content, reads them with `read`, and fails if any are left over.
    ///
    /// # Errors
    /// Returns [`FaultKind::DepthExceeded`], [`FaultKind::TrailingData`], or any error from `read`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn nested<R>(&mut self, len: usize, read: impl FnOnce(&mut Self) -> Result<R, Fault>) -> Result<R, Fault> {
        let outer = self.enter(len)?;
        let value = read(self)?;
        self.leave(outer)?;
        Ok(value)
    }

    /// Enters `len` bytes of content: the first half of [`Reader::nested`], used by derived code. Without a closure,
    /// large values can be built in place. [`Reader::leave`] must follow.
    ///
    /// # Errors
    /// Returns [`FaultKind::LengthOverrun`] or [`FaultKind::DepthExceeded`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn enter(&mut self, len: usize) -> Result<Outer<'a>, Fault> {
        let end = self.end;
        let Some((inner, after)) = self.rest.split_at_checked(len) else {
            return Err(self.fault(FaultKind::LengthOverrun, self.position()));
        };
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(self.fault(FaultKind::DepthExceeded, self.position()));
        };
        self.depth = depth;
        self.end = end.wrapping_sub(after.len());
        self.rest = inner;
        Ok(Outer { after, end })
    }

    /// Leaves the innermost open value, which must be fully read: the second half of [`Reader::nested`].
    ///
    /// # Errors
    /// Returns [`FaultKind::TrailingData`] if bytes are left.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn leave(&mut self, outer: Outer<'a>) -> Result<(), Fault> {
        if !self.rest.is_empty() {
            return Err(self.fault(FaultKind::TrailingData, self.position()));
        }
        self.rest = outer.after;
        self.end = outer.end;
        self.depth += 1;
        Ok(())
    }

    /// Like [`Reader::leave`], for SEQUENCE components. Tolerated trailing components are skipped.
    ///
    /// # Errors
    /// Returns [`FaultKind::TrailingData`] unless [`Rule::EXTRA_COMPONENTS`] is allowed.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn leave_components(&mut self, outer: Outer<'a>) -> Result<(), Fault> {
        if !self.rest.is_empty() {
            self.rest = self.place().extra()?;
        }
        self.leave(outer)
    }

    /// Like [`Reader::nested`], for SEQUENCE components. Tolerated trailing components are skipped.
    ///
    /// # Errors
    /// Returns [`FaultKind::TrailingData`] unless [`Rule::EXTRA_COMPONENTS`] is allowed, or the same errors as
    /// [`Reader::nested`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn components<R>(&mut self, len: usize, read: impl FnOnce(&mut Self) -> Result<R, Fault>) -> Result<R, Fault> {
        let outer = self.enter(len)?;
        let value = read(self)?;
        self.leave_components(outer)?;
        Ok(value)
    }

    /// Skips a component that is not in the SET type.
    ///
    /// # Errors
    /// Returns [`FaultKind::SetUnknown`] unless [`Rule::EXTRA_COMPONENTS`] is allowed, or an error for a malformed tag or
    /// length.
    #[inline]
    pub fn extra_component(&mut self) -> Result<(), Fault> {
        self.deviate(&Rule::EXTRA_COMPONENTS, FaultKind::SetUnknown, self.position())?;
        self.skip().map(|_| ())
    }

    /// Creates the fault for an element that matches no alternative of a CHOICE.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub fn no_alternative(&self) -> Fault {
        self.place().no_alternative()
    }

    /// Reads the initial byte of a BIT STRING that contains an encoding. It must be zero.
    ///
    /// # Errors
    /// Returns [`FaultKind::BitStringEmpty`] or [`FaultKind::BitStringUnused`].
    #[inline]
    pub fn no_unused_bits(&mut self) -> Result<(), Fault> {
        match self.rest {
            [0, rest @ ..] => {
                self.rest = rest;
                Ok(())
            }
            [_, ..] => Err(self.fault(FaultKind::BitStringUnused, self.position())),
            [] => Err(self.fault(FaultKind::BitStringEmpty, self.position())),
        }
    }

    /// Enters the next element, which must have the given tag. Combines [`Reader::expect`] and [`Reader::nested`].
    ///
    /// # Errors
    /// Returns any error from these two functions.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn element<R>(&mut self, tag: Tag, read: impl FnOnce(&mut Self) -> Result<R, Fault>) -> Result<R, Fault> {
        let len = self.expect(tag)?;
        self.nested(len, read)
    }

    /// Skips the next element without checking its content, and returns its whole encoding.
    ///
    /// # Errors
    /// Returns [`FaultKind::Missing`] at the end, or an error for a malformed tag or length.
    #[inline]
    pub fn skip(&mut self) -> Result<&'a [u8], Fault> {
        let start = self.position();
        let (_, len) = self.header()?;
        self.take(len)?;
        Ok(self.since(start))
    }

    /// Creates a reader, one level deeper, for the content between two earlier positions, which is itself an encoding.
    /// It shares offsets, budget and session.
    ///
    /// # Errors
    /// Returns [`FaultKind::DepthExceeded`], or [`FaultKind::Internal`] if the content is not before the cursor.
    #[inline]
    pub fn revisit(&self, start: usize, end: usize) -> Result<Self, Fault> {
        let part = self.input.get(start..end).filter(|_| end <= self.position());
        match (part, self.depth.checked_sub(1)) {
            (Some(rest), Some(depth)) => Ok(Self { rest, end, depth, ..*self }),
            (None, _) => Err(self.fault(FaultKind::Internal, start)),
            (_, None) => Err(self.fault(FaultKind::DepthExceeded, start)),
        }
    }

    /// Creates a reader for everything read since `start`, at the same depth. Outline mode and sealed mode are off.
    #[cfg(feature = "alloc")]
    pub(crate) fn again(&self, start: usize) -> Self {
        let rest = self.since(start);
        Self { rest, end: self.position(), deep: true, sealed: false, ..*self }
    }

    /// Creates a reader, one level deeper, for `len` bytes that start `skip` bytes after the cursor, without moving the
    /// cursor. Returns `None` if the innermost open value is too short or the depth budget is spent.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub fn ahead(&self, skip: usize, len: usize) -> Option<Self> {
        let rest = self.rest.get(skip..)?.get(..len)?;
        let end = self.position().wrapping_add(skip).wrapping_add(len);
        Some(Self { rest, end, depth: self.depth.checked_sub(1)?, ..*self })
    }

    /// Ends reading, and fails if any bytes are left.
    ///
    /// # Errors
    /// Returns [`FaultKind::TrailingData`], unless [`Rule::TRAILING_DATA`] is allowed.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn finish(self) -> Result<(), Fault> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            self.deviate(&Rule::TRAILING_DATA, FaultKind::TrailingData, self.position())
        }
    }

    /// Creates a fault at a position of this reader (see [`Reader::position`]).
    // Inlined, so that the reader's address does not escape: only the cold constructor is called.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn fault(&self, kind: FaultKind, position: usize) -> Fault {
        Fault::new(kind, self.base.saturating_add(position))
    }

    /// Reports a failed check that a rule may tolerate. Records the deviation if the session allows the rule.
    ///
    /// # Errors
    /// Returns `kind` at `position` unless the rule is allowed.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn deviate(&self, rule: &'static Rule, kind: FaultKind, position: usize) -> Result<(), Fault> {
        deviate(self.session, self.kept, rule, kind, self.base.saturating_add(position))
    }

    /// Like [`Reader::deviate`], for a rule of a higher layer. The fault's detail identifies the rule.
    ///
    /// # Errors
    /// Returns [`FaultKind::Profile`] at `position` unless the rule is allowed.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn deviate_profile(&self, rule: &'static Rule, position: usize) -> Result<(), Fault> {
        match self.deviate(rule, FaultKind::Profile, position) {
            Ok(()) => Ok(()),
            Err(fault) => Err(fault.with_detail(rule.id())),
        }
    }

    /// Deducts elements from the session's budget, if any.
    ///
    /// # Errors
    /// Returns [`FaultKind::ElementsExceeded`] if the budget is exhausted.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn spend_elements(&self, count: usize) -> Result<(), Fault> {
        match self.session {
            None => Ok(()),
            Some(session) => session.spend_elements(count as u64, self.offset()),
        }
    }

    /// Deducts values of run-time types from the session's budget, if any.
    #[cfg(feature = "dynamic")]
    pub(crate) fn spend_values(&self, count: usize) -> Result<(), Fault> {
        self.session.map_or(Ok(()), |session| session.spend_values(count, self.offset()))
    }

    /// Returns the number of levels that can still be entered.
    #[must_use]
    pub const fn depth_left(&self) -> u32 {
        self.depth
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(&self) -> HeaderPlace<'a, 'o> {
        HeaderPlace {
            input: self.input,
            end: self.end,
            pos: self.position(),
            base: self.base,
            session: self.session,
            kept: self.kept,
        }
    }
}
