//! zstd (RFC 8878): frames, one after another.

use std::io::{self, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The bytes that a frame begins with (RFC 8878 §3.1.1).
pub(super) const MAGIC: &[u8] = b"\x28\xB5\x2F\xFD";

/// The decompressed content of all frames. Skippable frames (RFC 8878 §3.1.2) are skipped.
pub(super) struct Frames<'z> {
    input: &'z [u8],
    rest: &'z [u8],
    decoder: FrameDecoder,
    /// The decompressed size of the current frame so far, or `None` between frames.
    size: Option<u64>,
}

impl<'z> Frames<'z> {
    pub(super) fn new(input: &'z [u8]) -> Self {
        Self { input, rest: input, decoder: FrameDecoder::new(), size: None }
    }

    /// Returns the offset up to which the compressed data was read, or of the data after the last frame.
    pub(super) fn position(&self) -> usize {
        self.input.len() - self.rest.len()
    }

    fn malformed(&self, error: &FrameDecoderError) -> io::Error {
        io::Error::other(match error {
            // RFC 8878 §3.1.1.1.2 leaves the maximum to the decoder.
            FrameDecoderError::WindowSizeTooBig { requested, max } => {
                format!("zstd window too large: {requested} bytes, expected at most {max}")
            }
            FrameDecoderError::DictNotProvided { dict_id } => {
                format!("zstd dictionary {dict_id} is required, expected data without a dictionary")
            }
            FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_)) => {
                "data after the last zstd frame".to_owned()
            }
            _ if self.rest.is_empty() => "truncated zstd data".to_owned(),
            _ => "malformed zstd data".to_owned(),
        })
    }

    /// Begins the next frame. Returns `false` at the end.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.rest.is_empty() {
            let start = self.rest;
            match self.decoder.reset(&mut self.rest) {
                Ok(()) => {
                    self.size = Some(0);
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let rest = usize::try_from(length).ok().and_then(|length| self.rest.get(length..));
                    self.rest = rest.ok_or_else(|| io::Error::other("truncated zstd data"))?;
                }
                Err(error) => {
                    let error = self.malformed(&error);
                    self.rest = start;
                    return Err(error);
                }
            }
        }
        Ok(false)
    }

    /// Checks the size and the checksum of a complete frame (RFC 8878 §3.1.1).
    fn check(&self, size: u64) -> io::Result<()> {
        let expected = self.decoder.content_size();
        if expected != 0 && expected != size {
            return Err(io::Error::other(format!("wrong zstd frame size: {size} bytes, expected {expected}")));
        }
        match self.decoder.get_checksum_from_data() {
            Some(checksum) if self.decoder.get_calculated_checksum() != Some(checksum) => {
                Err(io::Error::other("wrong zstd checksum"))
            }
            _ => Ok(()),
        }
    }
}

impl Read for Frames<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(size) = self.size else {
                match self.begin()? {
                    true => continue,
                    false => return Ok(0),
                }
            };
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let decoded = self.decoder.decode_blocks(&mut self.rest, BlockDecodingStrategy::UptoBlocks(1));
                decoded.map_err(|error| self.malformed(&error))?;
            }
            let read = self.decoder.read(out)?;
            if read > 0 {
                self.size = Some(size.saturating_add(read as u64));
                return Ok(read);
            }
            self.check(size)?;
            self.size = None;
        }
    }
}
