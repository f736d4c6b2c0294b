//! Packets: parsing requests and signing replies.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use md5::{Digest as _, Md5};
use zeroize::Zeroizing;

use crate::check::Password;

/// The maximum packet length (RFC 2865 §3).
pub(super) const MAX_LEN: usize = 4096;
/// The total length of the code, identifier, length and authenticator.
pub(super) const HEADER_LEN: usize = 20;

pub(super) const ACCESS_REQUEST: u8 = 1;
pub(super) const ACCESS_ACCEPT: u8 = 2;
pub(super) const ACCESS_REJECT: u8 = 3;

pub(super) const USER_NAME: u8 = 1;
pub(super) const USER_PASSWORD: u8 = 2;
const PROXY_STATE: u8 = 33;
pub(super) const MESSAGE_AUTHENTICATOR: u8 = 80;

/// The maximum length of a hidden password (RFC 2865 §5.2).
pub(super) const MAX_PASSWORD: usize = 128;

/// The reason why a packet is discarded without a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// The packet is shorter than its header, longer than 4096 bytes, or its length differs from its length field.
    Length,
    /// The packet is not an Access-Request.
    Code(u8),
    /// An attribute is shorter than its header, or extends beyond the packet.
    Attribute {
        /// The byte position of the attribute.
        at: usize,
    },
    /// An attribute that may occur only once is duplicated.
    Repeated(u8),
    /// A required attribute is missing.
    Absent(u8),
    /// The Message-Authenticator is invalid.
    Authenticator,
    /// The hidden password's length is not a multiple of 16 bytes, or not between 16 and 128 bytes.
    Password,
    /// The user name is not UTF-8, or contains control characters.
    Name,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => {
                f.write_str("the packet's length must be 20 to 4096 bytes and match its length field (RFC 2865 §3)")
            }
            Self::Code(code) => write!(f, "expected an Access-Request, found code {code} (RFC 2865 §4)"),
            Self::Attribute { at } => write!(f, "the attribute at byte {at} exceeds the packet (RFC 2865 §5)"),
            Self::Repeated(kind) => write!(f, "duplicate attribute {kind} (RFC 2865 §5.44)"),
            Self::Absent(kind) => write!(f, "attribute {kind} is absent (RFC 2865 §4.1)"),
            Self::Authenticator => f.write_str("the Message-Authenticator does not verify (RFC 2869 §5.14)"),
            Self::Password => f.write_str("User-Password must be 16 to 128 bytes in blocks of 16 (RFC 2865 §5.2)"),
            Self::Name => f.write_str("User-Name must be printable UTF-8 (RFC 2865 §5.1)"),
        }
    }
}

impl std::error::Error for Malformed {}

/// An Access-Request with a user's name and password.
///
/// ```
/// use tagwise_localkdc::radius::{Malformed, Request};
/// assert_eq!(Request::parse(&[1, 7, 0, 20], b"", false).unwrap_err(), Malformed::Length);
/// ```
#[derive(Debug)]
pub struct Request {
    identifier: u8,
    authenticator: [u8; 16],
    user: String,
    password: Password,
    signed: bool,
    proxy_states: Vec<Vec<u8>>,
}

/// The attributes of a packet: type, position and value.
pub(super) struct Attributes<'a> {
    pub(super) packet: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Result<(u8, usize, &'a [u8]), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let rest = self.packet.get(at..).filter(|rest| !rest.is_empty())?;
        let found = match *rest {
            [kind, len, ..] => rest.get(2..usize::from(len)).map(|value| (kind, at, value)),
            _ => None,
        };
        self.at = found.map_or(self.packet.len(), |(_, _, value)| at.saturating_add(value.len()).saturating_add(2));
        Some(found.ok_or(Malformed::Attribute { at }))
    }
}

impl Request {
    /// Parses a complete packet. A Message-Authenticator is verified if present, and required if `signed`.
    ///
    /// # Errors
    ///
    /// Returns an error if RFC 2865 §3 requires a server to silently discard the packet.
    pub fn parse(packet: &[u8], secret: &[u8], signed: bool) -> Result<Self, Malformed> {
        let Some((header, _)) = packet.split_first_chunk::<HEADER_LEN>() else { return Err(Malformed::Length) };
        let [code, identifier, high, low, authenticator @ ..] = *header;
        if usize::from(u16::from_be_bytes([high, low])) != packet.len() || packet.len() > MAX_LEN {
            return Err(Malformed::Length);
        }
        if code != ACCESS_REQUEST {
            return Err(Malformed::Code(code));
        }
        let (mut user, mut hidden, mut signature, mut proxy_states) = (None, None, None, Vec::new());
        for attribute in (Attributes { packet, at: HEADER_LEN }) {
            let (kind, at, value) = attribute?;
            let place = match kind {
                USER_NAME => &mut user,
                USER_PASSWORD => &mut hidden,
                MESSAGE_AUTHENTICATOR => &mut signature,
                PROXY_STATE => {
                    proxy_states.push(value.to_vec());
                    continue;
                }
                _ => continue,
            };
            if place.replace((at, value)).is_some() {
                return Err(Malformed::Repeated(kind));
            }
        }
        match signature {
            Some((at, value)) => verify(packet, at, value, secret)?,
            None if signed => return Err(Malformed::Absent(MESSAGE_AUTHENTICATOR)),
            None => {}
        }
        let (_, user) = user.ok_or(Malformed::Absent(USER_NAME))?;
        let user = std::str::from_utf8(user).ok().filter(|name| !name.is_empty() && !name.contains(char::is_control));
        let (_, hidden) = hidden.ok_or(Malformed::Absent(USER_PASSWORD))?;
        Ok(Self {
            identifier,
            authenticator,
            user: user.ok_or(Malformed::Name)?.to_owned(),
            password: reveal(hidden, &authenticator, secret)?,
            signed: signature.is_some(),
            proxy_states,
        })
    }

    /// Returns the user name in the request.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns the password in the request.
    #[must_use]
    pub fn password(&self) -> &Password {
        &self.password
    }

    /// Returns the identifier and authenticator. Two requests with the same values are retransmissions of one request.
    pub(super) fn key(&self) -> (u8, [u8; 16]) {
        (self.identifier, self.authenticator)
    }

    /// Builds the reply. It begins with a Message-Authenticator only if the request contains one, because MIT's libkrad
    /// before the fix for CVE-2024-3596 discards replies with unknown attributes.
    #[must_use]
    pub fn reply(&self, reply: Reply, secret: &[u8]) -> Vec<u8> {
        let code = match reply {
            Reply::Accept => ACCESS_ACCEPT,
            Reply::Reject => ACCESS_REJECT,
        };
        let mut attributes = Vec::new();
        if self.signed {
            attributes.extend([MESSAGE_AUTHENTICATOR, 18]);
            attributes.extend([0; 16]);
        }
        for state in &self.proxy_states {
            attributes.extend([PROXY_STATE, u8::try_from(state.len().saturating_add(2)).unwrap_or(u8::MAX)]);
            attributes.extend_from_slice(state);
        }
        let [high, low] = u16::try_from(HEADER_LEN.saturating_add(attributes.len())).unwrap_or(u16::MAX).to_be_bytes();
        let head = [code, self.identifier, high, low];
        if self.signed {
            // Until it is known, zeros stand in its place, and the request's authenticator in the reply's (RFC 2869 §5.14).
            let mut mac = keyed(secret);
            mac.update(&head);
            mac.update(&self.authenticator);
            mac.update(&attributes);
            if let Some(place) = attributes.get_mut(2..18) {
                place.copy_from_slice(&mac.finalize().into_bytes());
            }
        }
        let authenticator = Md5::new()
            .chain_update(head)
            .chain_update(self.authenticator)
            .chain_update(&attributes)
            .chain_update(secret)
            .finalize();
        [&head[..], &authenticator, &attributes].concat()
    }
}

/// The reply to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Access-Accept.
    Accept,
    /// Access-Reject.
    Reject,
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
pub(super) fn keyed(secret: &[u8]) -> Hmac<Md5> {
    Hmac::new_from_slice(secret).expect("a key of any length")
}

/// Verifies the Message-Authenticator at offset `at`, in constant time.
pub(super) fn verify(packet: &[u8], at: usize, value: &[u8], secret: &[u8]) -> Result<(), Malformed> {
    let begin = at.saturating_add(2);
    let (before, after) = (packet.get(..begin), packet.get(begin.saturating_add(16)..));
    let (Some(before), Some(after), 16) = (before, after, value.len()) else { return Err(Malformed::Attribute { at }) };
    let mut mac = keyed(secret);
    mac.update(before);
    mac.update(&[0; 16]);
    mac.update(after);
    mac.verify_slice(value).map_err(|_| Malformed::Authenticator)
}

/// Recovers the password (RFC 2865 §5.2). Each block is masked with a digest of the secret and the previous block.
fn reveal(hidden: &[u8], authenticator: &[u8; 16], secret: &[u8]) -> Result<Password, Malformed> {
    let (blocks, rest) = hidden.as_chunks::<16>();
    if blocks.is_empty() || !rest.is_empty() || hidden.len() > MAX_PASSWORD {
        return Err(Malformed::Password);
    }
    let mut plain = Zeroizing::new(Vec::with_capacity(hidden.len()));
    let mut before = authenticator;
    for block in blocks {
        let mask = Zeroizing::new(<[u8; 16]>::from(Md5::new().chain_update(secret).chain_update(before).finalize()));
        plain.extend(block.iter().zip(mask.iter()).map(|(byte, mask)| byte ^ mask));
        before = block;
    }
    while plain.last() == Some(&0) {
        plain.pop();
    }
    Ok(Password::new(plain))
}

#[cfg(test)]
mod tests;
