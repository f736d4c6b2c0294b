//! The output buffer of the backward encoding pass.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::encode::EncodeError;
use crate::kind::FaultKind;
use crate::tag::Tag;
use crate::writer::Writer;

/// The initial size of the buffer, in bytes. Most messages fit.
const FIRST: usize = 1024;

/// A buffer that is filled from its end toward its start.
pub(super) struct Output {
    buffer: Vec<u8>,
    start: usize,
    budget: u64,
    /// A scratch buffer for contents that the memory does not store in encoded form.
    pub(super) scratch: Vec<u8>,
}

impl Output {
    pub(super) fn new(budget: u64) -> Self {
        Self { buffer: alloc::vec![0; FIRST], start: FIRST, budget, scratch: Vec::new() }
    }

    /// Returns the bytes written.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.buffer.drain(..self.start);
        self.buffer
    }

    /// Discards the bytes written since the output had length `mark`.
    pub(super) fn truncate(&mut self, mark: usize) {
        self.start = self.buffer.len().saturating_sub(mark);
    }

    /// Returns the number of bytes written.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.buffer.len().saturating_sub(self.start)
    }

    /// Returns the bytes written while the output grew from length `before` to `after`.
    #[inline]
    pub(super) fn between(&self, before: usize, after: usize) -> &[u8] {
        let end = self.buffer.len();
        self.buffer.get(end.saturating_sub(after)..end.saturating_sub(before)).unwrap_or_default()
    }

    #[inline]
    pub(super) fn octets(&mut self, octets: &[u8]) -> Result<(), EncodeError> {
        let start = self.room(octets.len())?;
        if let Some(place) = self.buffer.get_mut(start..self.start) {
            place.copy_from_slice(octets);
        }
        self.start = start;
        Ok(())
    }

    /// Returns the new start of the output after `len` more bytes are written.
    #[inline]
    fn room(&mut self, len: usize) -> Result<usize, EncodeError> {
        if (self.len() as u64).saturating_add(len as u64) > self.budget {
            return Err(EncodeError::new(FaultKind::OutputExceeded));
        }
        if len > self.start {
            let old = self.buffer.len();
            let grown = old.saturating_mul(2).max(self.len().saturating_add(len).saturating_add(512));
            let mut buffer = alloc::vec![0; grown];
            let written = self.len();
            if let (Some(to), Some(from)) = (buffer.get_mut(grown - written..), self.buffer.get(self.start..)) {
                to.copy_from_slice(from);
            }
            (self.start, self.buffer) = (grown - written, buffer);
        }
        Ok(self.start.saturating_sub(len))
    }

    /// Writes the identifier and length of the content written since `mark`.
    #[inline]
    pub(super) fn header(&mut self, tag: Tag, mark: usize) -> Result<(), EncodeError> {
        let len = self.len().saturating_sub(mark);
        if tag.is_low() && len < 0x80 {
            return self.octets(&[tag.first_octet(), len as u8]);
        }
        // At most 6 + 9 octets.
        let mut buffer = [0; 16];
        let mut writer = Writer::new(&mut buffer);
        writer.header(tag, len)?;
        self.octets(writer.written())
    }

    /// Sorts encodings that were written last to first and end at these marks.
    pub(super) fn sort(&mut self, marks: &[usize], order: impl Fn(&[u8], &[u8]) -> Ordering) {
        let part = |pair: &[usize]| match pair {
            [before, after] => self.between(*before, *after),
            _ => &[],
        };
        let parts: Vec<&[u8]> = marks.windows(2).rev().map(part).collect();
        if parts.is_sorted_by(|one, other| order(one, other) != Ordering::Greater) {
            return;
        }
        let mut parts: Vec<Vec<u8>> = parts.into_iter().map(<[u8]>::to_vec).collect();
        parts.sort_by(|one, other| order(one, other));
        let all = parts.concat();
        if let Some(place) = self.buffer.get_mut(self.start..).and_then(|rest| rest.get_mut(..all.len())) {
            place.copy_from_slice(&all);
        }
    }
}
