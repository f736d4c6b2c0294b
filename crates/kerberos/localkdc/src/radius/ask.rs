//! A client's Access-Requests and the replies to them.

use std::fmt;

use md5::{Digest as _, Md5};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use super::packet::{
    ACCESS_ACCEPT, ACCESS_REJECT, ACCESS_REQUEST, Attributes, HEADER_LEN, MAX_LEN, MAX_PASSWORD, MESSAGE_AUTHENTICATOR,
    Malformed, Reply, USER_NAME, USER_PASSWORD, keyed, verify,
};
use crate::check::Password;
use hmac::Mac as _;

const SERVICE_TYPE: u8 = 6;
const NAS_IDENTIFIER: u8 = 32;
/// The Service-Type Authenticate Only, which requests only a verdict (RFC 2865 §5.6).
const AUTHENTICATE_ONLY: [u8; 4] = 8_u32.to_be_bytes();
/// The maximum length of an attribute value (RFC 2865 §5).
const MAX_VALUE: usize = 253;

/// The reason why a name or password cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsendable {
    /// The name is empty, longer than 253 bytes, or contains control characters.
    Name,
    /// The password is empty, longer than 128 bytes, or contains zero bytes, which are used as padding.
    Password,
}

impl fmt::Display for Unsendable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "the name must be 1 to 253 bytes of printable UTF-8 (RFC 2865 §5.1)",
            Self::Password => "the password must be 1 to 128 bytes long, without NUL bytes (RFC 2865 §5.2)",
        })
    }
}

impl std::error::Error for Unsendable {}

/// The reason why a reply is discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadReply {
    /// The packet's length differs from its length field.
    Length,
    /// The packet is neither an Access-Accept nor an Access-Reject.
    Code(u8),
    /// The packet answers a different request.
    Identifier,
    /// The Response Authenticator is invalid.
    Authenticator,
    /// An attribute is malformed, or the Message-Authenticator is missing or invalid.
    Attribute(Malformed),
}

impl fmt::Display for BadReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => {
                f.write_str("the packet's length must be 20 to 4096 bytes and match its length field (RFC 2865 §3)")
            }
            Self::Code(code) => write!(f, "expected an Access-Accept or Access-Reject, found code {code}"),
            Self::Identifier => f.write_str("the identifier belongs to a different request (RFC 2865 §3)"),
            Self::Authenticator => f.write_str("the Response Authenticator does not verify (RFC 2865 §3)"),
            Self::Attribute(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BadReply {}

/// An Access-Request, zeroized on drop.
///
/// ```
/// use tagwise_localkdc::check::Password;
/// use tagwise_localkdc::radius::{AccessRequest, Reply, Request};
/// let asked = AccessRequest::new("ann", &Password::new(b"secret".to_vec()), 7, [3; 16], b"")?;
/// let taken = Request::parse(asked.packet(), b"", true)?;
/// assert_eq!(taken.user(), "ann");
/// assert_eq!(asked.read(&taken.reply(Reply::Accept, b""))?, Reply::Accept);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AccessRequest {
    packet: Zeroizing<Vec<u8>>,
    identifier: u8,
    authenticator: [u8; 16],
    secret: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for AccessRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessRequest").field("identifier", &self.identifier).finish_non_exhaustive()
    }
}

impl AccessRequest {
    /// Creates a request with a Message-Authenticator. The authenticator must be random and unique (RFC 2865 §3).
    ///
    /// # Errors
    ///
    /// Returns an error if the name or password cannot be sent.
    pub fn new(
        user: &str,
        password: &Password,
        identifier: u8,
        authenticator: [u8; 16],
        secret: &[u8],
    ) -> Result<Self, Unsendable> {
        if user.is_empty() || user.len() > MAX_VALUE || user.contains(char::is_control) {
            return Err(Unsendable::Name);
        }
        let hidden = hide(password.expose(), &authenticator, secret).ok_or(Unsendable::Password)?;
        // First, so that nothing before it is open to a choice (CVE-2024-3596). Reserved at once: a copy that grows would stay.
        let mut packet = Zeroizing::new(Vec::with_capacity(MAX_LEN));
        packet.extend_from_slice(&[ACCESS_REQUEST, identifier, 0, 0]);
        packet.extend_from_slice(&authenticator);
        for (kind, value) in [
            (MESSAGE_AUTHENTICATOR, &[0; 16][..]),
            (USER_NAME, user.as_bytes()),
            (USER_PASSWORD, &hidden),
            (SERVICE_TYPE, &AUTHENTICATE_ONLY),
            (NAS_IDENTIFIER, b"localkdc"),
        ] {
            packet.extend([kind, u8::try_from(value.len().saturating_add(2)).unwrap_or(u8::MAX)]);
            packet.extend_from_slice(value);
        }
        let len = u16::try_from(packet.len()).unwrap_or(u16::MAX).to_be_bytes();
        if let Some(place) = packet.get_mut(2..4) {
            place.copy_from_slice(&len);
        }
        let signature = keyed(secret).chain_update(&*packet).finalize().into_bytes();
        if let Some(place) = packet.get_mut(HEADER_LEN + 2..HEADER_LEN + 18) {
            place.copy_from_slice(&signature);
        }
        Ok(Self { packet, identifier, authenticator, secret: Zeroizing::new(secret.to_vec()) })
    }

    /// Returns the encoded request packet.
    #[must_use]
    pub fn packet(&self) -> &[u8] {
        &self.packet
    }

    /// Parses the reply to this request. Its Response Authenticator and Message-Authenticator must be valid.
    ///
    /// # Errors
    ///
    /// Returns an error if the packet is not a valid reply to this request.
    pub fn read(&self, packet: &[u8]) -> Result<Reply, BadReply> {
        let Some((header, attributes)) = packet.split_first_chunk::<HEADER_LEN>() else { return Err(BadReply::Length) };
        let [code, identifier, high, low, authenticator @ ..] = *header;
        if usize::from(u16::from_be_bytes([high, low])) != packet.len() || packet.len() > MAX_LEN {
            return Err(BadReply::Length);
        }
        if identifier != self.identifier {
            return Err(BadReply::Identifier);
        }
        let expected = Md5::new()
            .chain_update([code, identifier, high, low])
            .chain_update(self.authenticator)
            .chain_update(attributes)
            .chain_update(&*self.secret)
            .finalize();
        if !bool::from(expected.as_slice().ct_eq(&authenticator)) {
            return Err(BadReply::Authenticator);
        }
        let mut signature = None;
        for attribute in (Attributes { packet, at: HEADER_LEN }) {
            let (kind, at, value) = attribute.map_err(BadReply::Attribute)?;
            if kind == MESSAGE_AUTHENTICATOR && signature.replace((at, value)).is_some() {
                return Err(BadReply::Attribute(Malformed::Repeated(kind)));
            }
        }
        let (at, value) = signature.ok_or(BadReply::Attribute(Malformed::Absent(MESSAGE_AUTHENTICATOR)))?;
        // It is signed with the request's authenticator in place of its own (RFC 2869 §5.14).
        let signed = [&[code, identifier, high, low][..], &self.authenticator, attributes].concat();
        verify(&signed, at, value, &self.secret).map_err(BadReply::Attribute)?;
        match code {
            ACCESS_ACCEPT => Ok(Reply::Accept),
            ACCESS_REJECT => Ok(Reply::Reject),
            other => Err(BadReply::Code(other)),
        }
    }
}

/// Hides a password (RFC 2865 §5.2). Each block is masked with a digest of the secret and the previous block.
fn hide(password: &[u8], authenticator: &[u8; 16], secret: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    if password.is_empty() || password.len() > MAX_PASSWORD || password.contains(&0) {
        return None;
    }
    let mut hidden = Zeroizing::new(Vec::with_capacity(MAX_PASSWORD));
    let mut before = Zeroizing::new(*authenticator);
    for plain in password.chunks(16) {
        let mask = Zeroizing::new(<[u8; 16]>::from(Md5::new().chain_update(secret).chain_update(*before).finalize()));
        for (at, mask) in mask.iter().enumerate() {
            if let Some(place) = before.get_mut(at) {
                *place = plain.get(at).unwrap_or(&0) ^ mask;
            }
        }
        hidden.extend_from_slice(&*before);
    }
    Some(hidden)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::super::Request;
    use super::*;

    fn asked(password: &[u8]) -> Result<AccessRequest, Unsendable> {
        AccessRequest::new("ann", &Password::new(password.to_vec()), 7, [3; 16], b"shared")
    }

    #[test]
    fn a_server_reads_what_a_client_sends() {
        for len in [1, 15, 16, 17, 32, 127, 128] {
            let password = vec![b'x'; len];
            let asked = asked(&password).unwrap();
            let taken = Request::parse(asked.packet(), b"shared", true).unwrap();
            assert_eq!((taken.user(), taken.password().expose()), ("ann", &password[..]));
            for reply in [Reply::Accept, Reply::Reject] {
                assert_eq!(asked.read(&taken.reply(reply, b"shared")), Ok(reply));
            }
        }
    }

    #[test]
    fn what_cannot_be_sent_is_not() {
        for password in [&[][..], &[b'x'; 129], b"a\0b", b"a\0"] {
            assert_eq!(asked(password).unwrap_err(), Unsendable::Password);
        }
        let long = "x".repeat(254);
        for name in ["", "a\nb", "a\0", long.as_str()] {
            let error = AccessRequest::new(name, &Password::new(b"x".to_vec()), 7, [3; 16], b"").unwrap_err();
            assert_eq!(error, Unsendable::Name);
        }
    }

    #[test]
    fn every_byte_of_a_reply_counts() {
        let asked = asked(b"secret").unwrap();
        let taken = Request::parse(asked.packet(), b"shared", true).unwrap();
        let good = taken.reply(Reply::Accept, b"shared");
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                assert!(asked.read(&bad).is_err(), "byte {at}, bit {bit}");
            }
        }
        for end in 0..good.len() {
            assert_eq!(asked.read(&good[..end]), Err(BadReply::Length), "{end} bytes");
        }
        // Another secret, another request.
        assert_eq!(asked.read(&taken.reply(Reply::Accept, b"other")), Err(BadReply::Authenticator));
        let other = AccessRequest::new("ann", &Password::new(b"secret".to_vec()), 8, [4; 16], b"shared").unwrap();
        assert_eq!(other.read(&good), Err(BadReply::Identifier));
    }

    #[test]
    fn a_reply_must_be_signed() {
        let asked = asked(b"secret").unwrap();
        // An Access-Accept with a Response Authenticator alone, which MD5 does not protect (CVE-2024-3596).
        let head = [2, 7, 0, 20];
        let digest = Md5::new().chain_update(head).chain_update([3; 16]).chain_update(b"shared").finalize();
        let bare = [&head[..], &digest].concat();
        assert_eq!(asked.read(&bare), Err(BadReply::Attribute(Malformed::Absent(MESSAGE_AUTHENTICATOR))));
    }

    #[test]
    fn nothing_secret_is_shown() {
        assert_eq!(format!("{:?}", asked(b"secret").unwrap()), "AccessRequest { identifier: 7, .. }");
    }
}
