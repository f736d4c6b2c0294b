//! Decoded PEM blocks, shared by all PEM readers of this crate.

use tagwise_codec::{Rule, RuleSet, Session, pem};
use tagwise_pkix::Foreign;

use crate::problem::Problem;

/// The PEM syntax that is always accepted. Parsers should ignore whitespace (RFC 7468 §2), such as indentation in YAML.
pub(crate) const PLAIN: RuleSet = RuleSet::PEM.with(&Rule::PEM_WHITESPACE).with(&Rule::PEM_LEADING_SPACE);

/// The PEM syntax that is always read. A boundary must be on its own line (RFC 7468 §3), but text may precede a block (§2), and editors
/// join lines. Every reader of certificates accepts such a boundary, so this one accepts it, too, with a note. Parsers may disregard the
/// label of the END line (§2), so that a mismatch is also a note. A block without an END line may be cut off (§3), so it is not read.
/// [`Contents`](crate::contents::Contents) reads by the same rules.
pub(crate) const READ: RuleSet =
    PLAIN.with(&Rule::PEM_MISSING_NEWLINE).with(&Rule::PEM_LABEL_MISMATCH).with(&Rule::PEM_HEADERS);

/// A PEM block, or a position at which one was expected.
pub(crate) struct Block {
    /// The label, or `None` if no block could be recognized.
    pub(crate) label: Option<String>,
    /// The number of the block's first line, from 1.
    pub(crate) line: usize,
    /// The offset of the block's start.
    pub(crate) begin: usize,
    /// The offset just past the block's end.
    pub(crate) end: usize,
    /// The position of the base64 text, without the boundary lines and headers.
    pub(crate) body: std::ops::Range<usize>,
    /// True if the block has headers, which indicate encryption.
    pub(crate) headers: bool,
    /// The format of the block, if it is recognized but not supported.
    pub(crate) foreign: Option<Foreign>,
    /// The decoded bytes, or the problem.
    pub(crate) bytes: Result<Vec<u8>, Box<Problem>>,
}

/// Iterates over the blocks of a text, under the session's rules. The session records deviations.
pub(crate) fn blocks<'s>(text: &'s [u8], session: &'s Session<'_>) -> impl Iterator<Item = Block> + use<'s> {
    pem::blocks_with(text, session).map(move |block| match block {
        Ok(block) => {
            let bytes = match block.decode() {
                Ok(bytes) if bytes.is_empty() => Err(Box::new(Problem::of_empty(block.line(), block.begin()))),
                Ok(bytes) => Ok(bytes),
                Err(error) => Err(Box::new(Problem::of_pem(&error))),
            };
            Block {
                label: Some(block.label().to_owned()),
                line: block.line(),
                begin: block.begin(),
                end: block.end(),
                body: block.body_range(),
                headers: block.headers().next().is_some(),
                foreign: Foreign::recognise(block.label(), block.headers()),
                bytes,
            }
        }
        Err(error) => Block {
            label: None,
            line: error.line(),
            begin: error.offset(),
            end: error.offset(),
            body: error.offset()..error.offset(),
            headers: false,
            foreign: None,
            bytes: Err(Box::new(Problem::of_pem(&error))),
        },
    })
}
