//! The framing of context tokens (RFC 2743 §3.1).

use tagwise_codec::{Any, Decode, Options};

use crate::{KRB5_MECH, KRB5_MECH_MS, Token, rules};

use super::GssError;

/// Token identifiers (RFC 4121 §4.1).
pub(super) const AP_REQ: [u8; 2] = [1, 0];
pub(super) const AP_REP: [u8; 2] = [2, 0];
pub(super) const ERROR: [u8; 2] = [3, 0];

/// Frames a token with its mechanism identifier.
pub(super) fn frame(mech: &[u8], pieces: &[&[u8]]) -> Result<Vec<u8>, GssError> {
    let long = GssError::Token("the token is too long", "RFC 2743 §3.1");
    let mut content = vec![6, u8::try_from(mech.len()).map_err(|_: core::num::TryFromIntError| long)?];
    content.extend(mech);
    pieces.iter().for_each(|piece| content.extend(*piece));
    let mut out = vec![0x60];
    match content.len() {
        len @ 0..=0x7F => out.push(len as u8),
        len => {
            let octets = len.to_be_bytes();
            let zeros = octets.iter().take_while(|octet| **octet == 0).count();
            let octets = octets.get(zeros..).unwrap_or_default();
            out.push(0x80 | octets.len() as u8);
            out.extend(octets);
        }
    }
    out.extend(content);
    Ok(out)
}

/// Removes a token's frame. Rejects trailing data, and mechanisms other than Kerberos (including Windows 2000's identifier
/// for it).
pub(super) fn unframe(octets: &[u8]) -> Result<([u8; 2], &[u8]), GssError> {
    // The content is no encoding, and not looked at here.
    Any::outline(octets)?;
    let token = Token::from_bytes(octets).ok_or(GssError::Token("the token's header", "RFC 2743 §3.1"))?;
    if token.mech != KRB5_MECH && token.mech != KRB5_MECH_MS {
        return Err(GssError::Token("the mechanism is not Kerberos 5", "RFC 4121 §4.1"));
    }
    Ok((token.id.ok_or(GssError::Token("the token ID is missing", "RFC 4121 §4.1"))?, token.inner))
}

/// Decodes a message, tolerating known deviations of other implementations.
pub(super) fn read<'a, T: Decode<'a>>(octets: &'a [u8]) -> Result<T, GssError> {
    Ok(Options::der().rules(rules::PEERS).decode::<T>(octets)?.value)
}
