//! BER identifier and length bytes, including indefinite lengths.

use crate::engine::canonical::Target;
use crate::fault::Fault;
use crate::header::HeaderPlace;
use crate::kind::FaultKind;
use crate::options::Session;
use crate::rule::Rule;
use crate::tag::Tag;
use crate::writer::header_len;

/// One element's identifier and length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    /// The offset of the identifier.
    pub(crate) at: usize,
    pub(crate) tag: Tag,
    /// The offset of the content.
    pub(crate) content: usize,
    /// The end of the content; `None` if the length is indefinite.
    pub(crate) end: Option<usize>,
}

impl Header {
    /// Returns whether the identifier and length are in the form that the target encoding requires.
    pub(crate) const fn is_canonical(&self, target: Target) -> bool {
        match target {
            Target::Der => self.end.is_some() && self.is_minimal(),
            // X.690 §9.1.
            Target::Cer => self.end.is_none() == self.tag.is_constructed() && self.is_minimal(),
        }
    }

    /// Returns whether the identifier and length are as short as their form permits.
    const fn is_minimal(&self) -> bool {
        match self.end {
            Some(end) => header_len(self.tag, end - self.content) == self.content - self.at,
            None => true,
        }
    }

    /// Returns the start of the length bytes.
    pub(crate) const fn length_at(&self) -> usize {
        self.at + self.tag.encoded_len()
    }

    /// Reads the header at `at` of an element that ends at or before `limit`. A non-minimal length is accepted if the
    /// session tolerates it, or if there is no session.
    #[inline]
    pub(crate) fn read(input: &[u8], at: usize, limit: usize, session: Option<&Session<'_>>) -> Result<Self, Fault> {
        let window = input.get(..limit).unwrap_or_default();
        if let Some([first, len, rest @ ..]) = window.get(at..)
            && *first & 0x1F != 0x1F
            && *first & 0xDF != 0
            && *len < 0x80
            && usize::from(*len) <= rest.len()
        {
            let content = at + 2;
            return Ok(Self { at, tag: Tag::from_low_octet(*first), content, end: Some(content + usize::from(*len)) });
        }
        Self::general(window, at, session)
    }

    #[inline(never)]
    fn general(window: &[u8], at: usize, session: Option<&Session<'_>>) -> Result<Self, Fault> {
        let place = HeaderPlace { pos: at, ..HeaderPlace::at_start(window, session) };
        let (tag, length) = place.tag()?;
        let Some((len, content, minimal)) = place.any_length(length)? else {
            // X.690 §8.1.3.2: a primitive encoding has the definite form.
            return match tag.is_constructed() {
                true => Ok(Self { at, tag, content: length + 1, end: None }),
                false => Err(Fault::new(FaultKind::PrimitiveIndefinite, length)),
            };
        };
        let Ok(len) = u32::try_from(len) else { return Err(Fault::new(FaultKind::LengthTooLarge, length)) };
        let end = content.saturating_add(len as usize);
        if end > window.len() {
            return Err(Fault::new(FaultKind::LengthOverrun, length));
        }
        if session.is_some() && !minimal {
            place.deviate(&Rule::LONG_LENGTH, FaultKind::LengthNotMinimal, length)?;
        }
        Ok(Self { at, tag, content, end: Some(end) })
    }

    /// Finds the end of the element. For an indefinite length, this walks over the content.
    pub(crate) fn element_end(&self, input: &[u8], limit: usize) -> Result<usize, Fault> {
        if let Some(end) = self.end {
            return Ok(end);
        }
        let (mut open, mut pos) = (1usize, self.content);
        loop {
            if is_end_of_contents(input, pos, limit) {
                pos += 2;
                open -= 1;
                if open == 0 {
                    return Ok(pos);
                }
                continue;
            }
            if pos >= limit {
                return Err(Fault::new(FaultKind::Truncated, limit));
            }
            let header = Self::read(input, pos, limit, None)?;
            match header.end {
                Some(end) => pos = end,
                None => {
                    open += 1;
                    pos = header.content;
                }
            }
        }
    }
}

/// Returns whether there are end-of-contents bytes at `at`.
pub(crate) fn is_end_of_contents(input: &[u8], at: usize, limit: usize) -> bool {
    matches!(input.get(at..limit), Some([0, 0, ..]))
}
