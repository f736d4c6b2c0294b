//! One-time password preauthentication (RFC 6560): the parts that do not require a running KDC or client, which are nonces
//! and users' tokens.

mod nonce;
pub(crate) mod responder;
mod token;

pub(crate) use nonce::Nonces;
pub(crate) use token::{Kind, Token, tokens};
