//! PEM: base64 between boundary lines (RFC 7468).
//!
//! [`blocks`] scans any input for blocks without copying. The text before, between and after blocks remains accessible.
//! An error in one block does not affect the next.
//!
//! By default, the reader accepts the `laxtextualmsg` of RFC 7468 §3 with indented boundaries: any line ending, any
//! line length, whitespace anywhere, and any text around blocks, except on the line of a boundary. Further leniencies
//! are named [`Rule`]s, all of which are in [`RuleSet::PEM_LAX`]. With [`RuleSet::NONE`] it only accepts the `stricttextualmsg` that [`encode`] writes.
//! LF, CRLF and CR line endings may be mixed without any rule, as in all three grammars of RFC 7468. A block without
//! base64 is empty, with or without the empty line in the grammar.
//!
//! ```
//! use tagwise_codec::pem;
//! let text = b"An INTEGER:\n-----BEGIN EXAMPLE-----\nAgEF\n-----END EXAMPLE-----\n";
//! for block in pem::blocks(text) {
//!     let block = block?;
//!     assert_eq!(block.label(), "EXAMPLE");
//!     assert_eq!(block.preamble(), b"An INTEGER:\n");
//!     assert_eq!(block.decode()?, [0x02, 0x01, 0x05]);
//! }
//! # Ok::<(), pem::Error>(())
//! ```
//!
//! It does not interpret labels, decrypt blocks, or unfold multi-line header values.

mod body;
mod boundary;
#[cfg(feature = "alloc")]
mod encode;
mod error;
#[cfg(feature = "alloc")]
mod find;
mod scan;
#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::kind::FaultKind;
use crate::options::Session;
use crate::rule::{Rule, RuleSet};
use crate::text::base64;

#[cfg(feature = "alloc")]
pub use encode::{encode, encode_append};
pub use error::Error;
#[cfg(feature = "alloc")]
pub use find::{PemError, all, all_labelled, first};
pub use scan::Blocks;

/// Iterates over the blocks of an input, under the rules of [`RuleSet::PEM`].
#[must_use]
pub const fn blocks(input: &[u8]) -> Blocks<'_> {
    Blocks::new(input, Policy { rules: RuleSet::PEM, session: None })
}

/// Iterates over the blocks of an input under a session's rules. The session records deviations: see
/// [`Session::into_deviations`].
///
/// Only a block's first deviation from each rule is recorded. Deviations in base64 are recorded when it is decoded.
///
/// ```
/// use tagwise_codec::{Options, RuleSet, Session, pem};
/// let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
/// let text = b"-----BEGIN A-----\nAg EF\n-----END B-----\n";
/// let block = pem::blocks_with(text, &session).next().unwrap()?;
/// assert_eq!(block.decode()?, [0x02, 0x01, 0x05]);
/// let notes: Vec<_> = session.into_deviations().iter().map(|note| (note.rule.name, note.offset)).collect();
/// assert_eq!(notes, [("pem-whitespace", 20), ("pem-label-mismatch", 33)]);
/// # Ok::<(), pem::Error>(())
/// ```
#[must_use]
pub const fn blocks_with<'a>(input: &'a [u8], session: &'a Session<'a>) -> Blocks<'a> {
    Blocks::new(input, Policy { rules: session.options().tolerated(), session: Some(session) })
}

/// The rules whose violations are tolerated, and the session that records deviations.
#[derive(Clone, Copy, Debug)]
struct Policy<'a> {
    rules: RuleSet,
    session: Option<&'a Session<'a>>,
}

impl Policy<'_> {
    /// Returns whether violations of a rule are tolerated. Records the block's first deviation from it.
    #[cold]
    fn tolerates(&self, rule: &'static Rule, offset: usize, noted: &mut RuleSet) -> bool {
        let allowed = self.rules.has(rule);
        if let (true, false, Some(session)) = (allowed, noted.has(rule), self.session) {
            session.tolerate(rule, offset);
        }
        *noted = noted.with(rule);
        allowed
    }
}

/// A PEM block: its label, position and base64, which is decoded on demand.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    input: &'a [u8],
    label: &'a str,
    headers: &'a str,
    /// The start of the text before the block.
    preamble: usize,
    begin: usize,
    /// Range of the base64.
    body: (usize, usize),
    end: usize,
    line: usize,
    policy: Policy<'a>,
}

impl<'a> Block<'a> {
    /// Returns the label in `-----BEGIN label-----`. May be empty.
    #[must_use]
    pub const fn label(&self) -> &'a str {
        self.label
    }

    /// Returns the text between the previous block and this one, with line breaks.
    #[must_use]
    pub fn preamble(&self) -> &'a [u8] {
        self.input.get(self.preamble..self.begin).unwrap_or_default()
    }

    /// Returns the RFC 1421 §4.6 headers as name and value, where a value may span lines. Empty unless [`Rule::PEM_HEADERS`] is
    /// tolerated.
    ///
    /// ```
    /// use tagwise_codec::{Options, Rule, RuleSet, Session, pem};
    /// let text = b"-----BEGIN A-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: X\n\nAgEF\n-----END A-----\n";
    /// let session = Session::new(Options::der().rules(RuleSet::PEM.with(&Rule::PEM_HEADERS)));
    /// let block = pem::blocks_with(text, &session).next().unwrap()?;
    /// let headers: Vec<_> = block.headers().collect();
    /// assert_eq!(headers, [("Proc-Type", "4,ENCRYPTED"), ("DEK-Info", "X")]);
    /// # Ok::<(), pem::Error>(())
    /// ```
    pub fn headers(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        scan::Headers::new(self.headers)
    }

    /// Returns the base64 text with its line breaks.
    #[must_use]
    pub fn body(&self) -> &'a [u8] {
        self.input.get(self.body.0..self.body.1).unwrap_or_default()
    }

    /// Returns the position of the base64 text in the input.
    #[must_use]
    pub const fn body_range(&self) -> core::ops::Range<usize> {
        self.body.0..self.body.1
    }

    /// Returns the offset of the BEGIN line's first dash.
    #[must_use]
    pub const fn begin(&self) -> usize {
        self.begin
    }

    /// Returns the offset after the END line's last dash.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.end
    }

    /// Returns the line number of the BEGIN line, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns an upper bound for the decoded size in bytes.
    #[must_use]
    pub const fn decoded_len(&self) -> usize {
        base64::decoded_len(self.body.1.saturating_sub(self.body.0))
    }

    /// Decodes the base64 into `out` and returns the number of bytes.
    ///
    /// # Errors
    /// Returns [`FaultKind::PemLayout`] or a base64 kind, with the offset and line in the input, or
    /// [`FaultKind::BufferTooSmall`].
    pub fn decode_to_slice(&self, out: &mut [u8]) -> Result<usize, Error> {
        body::decode(self, out)
    }

    /// Decodes the base64 and appends it to a vector, which can be reused. On error, the vector is unchanged.
    ///
    /// # Errors
    /// Returns the same errors as [`Block::decode_to_slice`].
    #[cfg(feature = "alloc")]
    pub fn decode_into(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        out.resize(start.saturating_add(self.decoded_len()), 0);
        let result = self.decode_to_slice(out.get_mut(start..).unwrap_or_default());
        out.truncate(start.saturating_add(*result.as_ref().unwrap_or(&0)));
        result.map(|_| ())
    }

    /// Decodes the base64.
    ///
    /// # Errors
    /// Returns the same errors as [`Block::decode_to_slice`].
    #[cfg(feature = "alloc")]
    pub fn decode(&self) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.decode_into(&mut out)?;
        Ok(out)
    }

    /// A departure that a rule may tolerate.
    fn deviate(&self, rule: &'static Rule, kind: FaultKind, offset: usize, noted: &mut RuleSet) -> Result<(), Error> {
        if self.policy.tolerates(rule, offset, noted) { Ok(()) } else { Err(self.error(kind, offset, Some(rule))) }
    }

    /// Creates an error in the block, with its line number.
    #[cold]
    fn error(&self, kind: FaultKind, offset: usize, rule: Option<&'static Rule>) -> Error {
        let line = self.line + scan::line_breaks(self.input, self.begin, offset);
        Error::new(kind, offset, line, rule)
    }
}
