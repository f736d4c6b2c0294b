//! One-time password preauthentication (RFC 6560): the parts that do not need a running KDC or client, such as nonces and users' tokens.

mod nonce;
pub(crate) mod responder;
mod token;

pub(crate) use nonce::Nonces;
pub(crate) use token::{Token, TokenType, tokens};
