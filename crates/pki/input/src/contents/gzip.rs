//! gzip (RFC 1952): members, one after another.

use std::io::{self, ErrorKind, Read};

use flate2::bufread::GzDecoder;

/// The bytes that a member begins with (RFC 1952 §2.3.1).
const MAGIC: &[u8] = b"\x1F\x8B";

/// The decompressed content of all members.
pub(super) struct Members<'z> {
    input: &'z [u8],
    /// The bytes from the current member on.
    rest: &'z [u8],
    decoder: GzDecoder<&'z [u8]>,
}

impl<'z> Members<'z> {
    pub(super) fn new(input: &'z [u8]) -> Self {
        Self { input, rest: input, decoder: GzDecoder::new(input) }
    }

    /// Returns the offset up to which the compressed data was read, or of the data after the last member.
    pub(super) fn position(&self) -> usize {
        let left = if self.rest.starts_with(MAGIC) { self.decoder.get_ref() } else { self.rest };
        self.input.len() - left.len()
    }

    fn malformed(&self, error: &io::Error) -> io::Error {
        io::Error::other(match error.kind() {
            _ if !self.rest.starts_with(MAGIC) => "data after the last gzip member".to_owned(),
            ErrorKind::UnexpectedEof => "truncated gzip data".to_owned(),
            _ => format!("malformed gzip data: {error}"),
        })
    }
}

impl Read for Members<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.decoder.read(out).map_err(|error| self.malformed(&error))?;
            let left = *self.decoder.get_ref();
            if read > 0 || left.is_empty() {
                return Ok(read);
            }
            self.rest = left;
            self.decoder = GzDecoder::new(left);
        }
    }
}
