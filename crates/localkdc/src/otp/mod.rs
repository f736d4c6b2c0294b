//! One-time passwords in preauthentication (RFC 6560), as far as no KDC and no client has to run: nonces, and the tokens of a user.

mod nonce;
pub(crate) mod responder;
mod token;

pub(crate) use nonce::Nonces;
pub(crate) use token::{Kind, Token, tokens};
