//! PEM: base64 between boundary lines (RFC 7468).
//!
//! [`blocks`] walks through any octets and finds the blocks in them without copying; text before, between and after blocks is
//! kept reachable. What is wrong with one block never hides the next.
//!
//! By default the reader takes the `laxtextualmsg` of RFC 7468 §3, with indented boundaries: any line ending, lines of any length,
//! whitespace anywhere, and any text around blocks. Everything laxer is a named [`Rule`], and all of them together are
//! [`RuleSet::PEM_LAX`]; with [`RuleSet::NONE`] only the `stricttextualmsg` passes, which [`encode`] writes. Line endings may
//! be LF, CRLF or CR and may be mixed: all three grammars of RFC 7468 allow that, so no rule is asked. A block without any
//! base64 holds no octets, whether or not it has the empty line that the grammar wants there.
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
//! No meaning of labels, no decryption, no multi-line value folding of headers.

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

use crate::kind::Kind;
use crate::options::Session;
use crate::rule::{Rule, RuleSet};
use crate::text::base64;

#[cfg(feature = "alloc")]
pub use encode::{encode, encode_append};
pub use error::Error;
#[cfg(feature = "alloc")]
pub use find::{PemError, all, first};
pub use scan::Blocks;

/// The blocks of an input, read by [`RuleSet::PEM`].
#[must_use]
pub const fn blocks(input: &[u8]) -> Blocks<'_> {
    Blocks::new(input, Policy { rules: RuleSet::PEM, session: None })
}

/// The blocks of an input, read by the rules of a session, which notes what it tolerates: see [`Session::into_deviations`].
///
/// Of each rule a block notes the first deviation; those in the base64 are noted when it is decoded.
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

/// Tolerated rules, and the session that notes deviations.
#[derive(Clone, Copy, Debug)]
struct Policy<'a> {
    rules: RuleSet,
    session: Option<&'a Session<'a>>,
}

impl Policy<'_> {
    /// Returns whether a rule is tolerated; noted if it is the block's first deviation from it.
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

/// One block: its label, where it is, and its base64, which is decoded on demand.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    input: &'a [u8],
    label: &'a str,
    headers: &'a str,
    /// Start of the text before it.
    preamble: usize,
    begin: usize,
    /// Range of the base64.
    body: (usize, usize),
    end: usize,
    line: usize,
    policy: Policy<'a>,
}

impl<'a> Block<'a> {
    /// The label, as in `-----BEGIN label-----`; it may be empty.
    #[must_use]
    pub const fn label(&self) -> &'a str {
        self.label
    }

    /// The text between the block before and this one, line breaks included.
    #[must_use]
    pub fn preamble(&self) -> &'a [u8] {
        self.input.get(self.preamble..self.begin).unwrap_or_default()
    }

    /// The headers, as RFC 1421 §4.6 has them: names and values, which may span lines. None unless [`Rule::PEM_HEADERS`] is allowed.
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

    /// The base64 with its line breaks.
    #[must_use]
    pub fn body(&self) -> &'a [u8] {
        self.input.get(self.body.0..self.body.1).unwrap_or_default()
    }

    /// The offset of the BEGIN line's first dash.
    #[must_use]
    pub const fn begin(&self) -> usize {
        self.begin
    }

    /// The offset after the END line's last dash.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.end
    }

    /// The number of the BEGIN line, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Upper bound of the number of bytes that the block decodes to.
    #[must_use]
    pub const fn decoded_len(&self) -> usize {
        base64::decoded_len(self.body.1.saturating_sub(self.body.0))
    }

    /// Decodes the base64 into `out` and gives the number of octets.
    ///
    /// # Errors
    /// [`Kind::PemLayout`] and the base64 kinds, with offset and line in the input; [`Kind::BufferTooSmall`].
    pub fn decode_to_slice(&self, out: &mut [u8]) -> Result<usize, Error> {
        body::decode(self, out)
    }

    /// Decodes the base64 and appends the octets to a vector, which keeps its capacity between uses. On an error the vector is as before.
    ///
    /// # Errors
    /// Those of [`Block::decode_to_slice`].
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
    /// Those of [`Block::decode_to_slice`].
    #[cfg(feature = "alloc")]
    pub fn decode(&self) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.decode_into(&mut out)?;
        Ok(out)
    }

    /// A departure that a rule may tolerate.
    fn deviate(&self, rule: &'static Rule, kind: Kind, offset: usize, noted: &mut RuleSet) -> Result<(), Error> {
        if self.policy.tolerates(rule, offset, noted) { Ok(()) } else { Err(self.error(kind, offset, Some(rule))) }
    }

    /// An error in the block, with its line.
    #[cold]
    fn error(&self, kind: Kind, offset: usize, rule: Option<&'static Rule>) -> Error {
        let line = self.line + scan::line_breaks(self.input, self.begin, offset);
        Error::new(kind, offset, line, rule)
    }
}
