//! The parts of one-time password preauthentication (RFC 6560) that work without a running KDC or client: nonces and
//! users' tokens.

mod nonce;
pub(crate) mod responder;
mod token;

pub(crate) use nonce::Nonces;
pub(crate) use token::{Token, TokenType, tokens};
