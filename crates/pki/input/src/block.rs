//! Decoded PEM blocks, shared by all PEM readers of this crate.

use tagwise_codec::{Session, pem};
use tagwise_pkix::Foreign;

use crate::problem::Problem;

/// One block, or a place where one should be.
pub(crate) struct Block {
    /// The label; `None` where no block could be made out.
    pub(crate) label: Option<String>,
    /// The line that it begins in, from 1.
    pub(crate) line: usize,
    /// The offset that it begins at.
    pub(crate) begin: usize,
    /// The offset after it.
    pub(crate) end: usize,
    /// The base64 between the lines and headers.
    pub(crate) body: std::ops::Range<usize>,
    /// Set if it has headers, which announce encryption.
    pub(crate) headers: bool,
    /// The format of an unreadable block.
    pub(crate) foreign: Option<Foreign>,
    /// Its bytes, or what is wrong with it.
    pub(crate) bytes: Result<Vec<u8>, Box<Problem>>,
}

/// The blocks of a text, under the rules of the session, which takes the deviations.
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
