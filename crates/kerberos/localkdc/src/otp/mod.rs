//! One-time password preauthentication (RFC 6560): nonces and users' tokens, the parts that work without a running KDC or
//! client.

mod nonce;
pub(crate) mod responder;
mod token;

pub(crate) use nonce::Nonces;
pub(crate) use token::{Token, TokenType, tokens};
