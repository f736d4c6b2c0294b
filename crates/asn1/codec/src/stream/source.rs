//! A stream's fixed-size buffer, with the absolute offset of its first byte.

use alloc::vec;
use alloc::vec::Vec;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// A reader with its read-ahead buffer.
#[derive(Debug)]
pub(super) struct Source<R> {
    input: R,
    buffer: Vec<u8>,
    /// The start of the buffered bytes, which are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// The absolute offset of `buffer[start]`.
    offset: u64,
    /// True once the reader has reached its end.
    ended: bool,
}

impl<R> Source<R> {
    pub(super) fn new(input: R, size: usize) -> Self {
        Self { input, buffer: vec![0; size], start: 0, end: 0, offset: 0, ended: false }
    }

    /// Returns the bytes that were read ahead and not yet consumed.
    #[inline]
    pub(super) fn ahead(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the content of the buffer, and the absolute offset of its first byte.
    pub(super) fn held(&self) -> (u64, &[u8]) {
        let passed = self.offset.min(self.start as u64);
        let first = self.start.saturating_sub(usize::try_from(passed).unwrap_or(usize::MAX));
        (self.offset - passed, self.buffer.get(first..self.end).unwrap_or_default())
    }

    /// Returns the absolute offset of the next buffered byte.
    #[inline]
    pub(super) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Starts counting offsets at `offset`. Call it before reading.
    pub(super) const fn set_offset(&mut self, offset: u64) {
        self.offset = offset;
    }

    /// Returns the absolute offset after the last byte read.
    pub(super) const fn reached(&self) -> u64 {
        self.offset.saturating_add((self.end - self.start) as u64)
    }

    /// Consumes and returns buffered bytes.
    #[inline]
    pub(super) fn take(&mut self, count: usize) -> &[u8] {
        let count = count.min(self.end - self.start);
        let from = self.start;
        self.start += count;
        self.offset = self.offset.saturating_add(count as u64);
        self.buffer.get(from..self.start).unwrap_or_default()
    }

    /// Like [`Source::take`], for bytes that are known to be buffered.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn pass(&mut self, count: usize) -> &[u8] {
        let from = self.start;
        self.start = self.start.wrapping_add(count);
        self.offset = self.offset.wrapping_add(count as u64);
        self.buffer.get(from..self.start).unwrap_or_default()
    }

    /// Makes room for `count` buffered bytes.
    pub(super) fn grow(&mut self, count: usize) {
        if count > self.buffer.len() {
            // By half at least, so that items that grow slowly cost linear time together.
            let size = count.max(self.buffer.len().saturating_add(self.buffer.len() / 2));
            self.buffer.resize(size, 0);
        }
    }

    pub(super) fn into_inner(self) -> R {
        self.input
    }

    fn make_room(&mut self, count: usize) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.start.saturating_add(count) > self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
    }
}

impl<R: Read> Source<R> {
    /// Reads ahead until `count` bytes are buffered, and returns whether they are. The buffer must have room for them.
    /// No data is lost on failure, and the next call continues.
    #[inline]
    pub(super) fn fill(&mut self, count: usize) -> io::Result<bool> {
        if self.end - self.start >= count {
            return Ok(true);
        }
        self.refill(count)
    }

    #[inline(never)]
    fn refill(&mut self, count: usize) -> io::Result<bool> {
        self.make_room(count);
        while self.end - self.start < count {
            if self.ended {
                return Ok(false);
            }
            let room = self.buffer.get_mut(self.end..).unwrap_or_default();
            if room.is_empty() {
                return Err(io::Error::new(ErrorKind::OutOfMemory, "the buffer is full"));
            }
            match self.input.read(room) {
                Ok(0) => self.ended = true,
                // A reader that says more than there was room for is wrong; it does not get us out of bounds.
                Ok(read) => self.end = self.end.saturating_add(read).min(self.buffer.len()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Reads and skips `count` bytes. If the input ends first, returns how many are left to skip.
    pub(super) fn skip(&mut self, count: u64) -> io::Result<u64> {
        let mut left = count;
        loop {
            let ahead = (self.end - self.start) as u64;
            let step = left.min(ahead);
            self.take(usize::try_from(step).unwrap_or(usize::MAX));
            left -= step;
            if left == 0 || !self.fill(1)? {
                return Ok(left);
            }
        }
    }
}

impl<R: Read + Seek> Source<R> {
    /// Like [`Source::skip`], but seeks over bytes that are not yet buffered.
    pub(super) fn skip_by_seeking(&mut self, count: u64) -> io::Result<u64> {
        let ahead = (self.end - self.start) as u64;
        // The last octet is read, so that an input that ends before it is found out.
        let Some(jump) = count.checked_sub(ahead).and_then(|beyond| beyond.checked_sub(1)).filter(|jump| *jump > 0)
        else {
            return self.skip(count);
        };
        let position = self.input.stream_position()?;
        let end = self.input.seek(SeekFrom::End(0))?;
        let jump = jump.min(end.saturating_sub(position));
        self.input.seek(SeekFrom::Start(position.saturating_add(jump)))?;
        (self.start, self.end) = (0, 0);
        let passed = ahead.saturating_add(jump);
        self.offset = self.offset.saturating_add(passed);
        self.skip(count - passed)
    }
}
