//! One-time password preauthentication (RFC 6560), the parts that need no running KDC or client: nonces, and users'
//! tokens.

mod nonce;
pub(crate) mod responder;
mod token;

pub(crate) use nonce::Nonces;
pub(crate) use token::{Kind, Token, tokens};
