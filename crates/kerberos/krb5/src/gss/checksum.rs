//! The authenticator "checksum" that carries flags, channel bindings and a delegated credential (RFC 4121 §4.1.1).

use core::ops::BitOr;

use super::GssError;

/// The checksum type number.
pub(super) const KIND: i32 = 0x8003;
/// The option number that announces a delegated credential.
const DELEGATION_OPTION: u16 = 1;

/// Context flags (RFC 4121 §4.1.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u32);

impl Flags {
    /// A credential is delegated.
    pub const DELEGATION: Self = Self(1);
    /// Mutual authentication: the acceptor is authenticated too.
    pub const MUTUAL: Self = Self(2);
    /// Replayed messages are detected.
    pub const REPLAY: Self = Self(4);
    /// Messages out of order are detected.
    pub const SEQUENCE: Self = Self(8);
    /// Messages may be encrypted.
    pub const CONFIDENTIALITY: Self = Self(16);
    /// Messages may be integrity-protected.
    pub const INTEGRITY: Self = Self(32);
    /// The acceptor has verified the channel bindings. Never sent by the initiator.
    pub const CHANNEL_BOUND: Self = Self(0x800);
    /// Three-message exchange, as in DCE RPC.
    pub const DCE_STYLE: Self = Self(0x1000);

    /// Returns these flags without the given ones.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether all of these flags are set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The content of the checksum.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Content<'a> {
    /// The hash of the channel bindings, or zeros if there are none.
    pub(super) bindings: [u8; 16],
    pub(super) flags: Flags,
    /// A delegated credential, as a KRB-CRED.
    pub(super) delegated: Option<&'a [u8]>,
}

impl<'a> Content<'a> {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, GssError> {
        let mut out = Vec::from(16_u32.to_le_bytes());
        out.extend(self.bindings);
        out.extend(self.flags.0.to_le_bytes());
        if let Some(delegated) = self.delegated {
            let long = |_: core::num::TryFromIntError| GssError::State("the delegated credential is too long");
            out.extend(DELEGATION_OPTION.to_le_bytes());
            out.extend(u16::try_from(delegated.len()).map_err(long)?.to_le_bytes());
            out.extend(delegated);
        }
        Ok(out)
    }

    /// Decodes the checksum. Trailing extensions are ignored, as RFC 4121 requires.
    pub(super) fn from_bytes(octets: &'a [u8]) -> Result<Self, GssError> {
        let short = || GssError::Token("the authenticator's checksum is too short", "RFC 4121 §4.1.1");
        let (len, rest) = octets.split_first_chunk::<4>().ok_or_else(short)?;
        if u32::from_le_bytes(*len) != 16 {
            return Err(GssError::Token("the length of the channel bindings must be 16", "RFC 4121 §4.1.1"));
        }
        let (bindings, rest) = rest.split_first_chunk::<16>().ok_or_else(short)?;
        let (flags, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let flags = Flags(u32::from_le_bytes(*flags));
        let mut delegated = None;
        if flags.contains(Flags::DELEGATION) {
            let ([a, b, c, d], rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
            if u16::from_le_bytes([*a, *b]) != DELEGATION_OPTION {
                return Err(GssError::Token("the delegation option must be 1", "RFC 4121 §4.1.1"));
            }
            delegated = Some(rest.get(..usize::from(u16::from_le_bytes([*c, *d]))).ok_or_else(short)?);
        }
        Ok(Self { bindings: *bindings, flags, delegated })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for delegated in [None, Some(&b"credential"[..])] {
            let bit = if delegated.is_some() { Flags::DELEGATION } else { Flags::default() };
            let content = Content { bindings: [7; 16], flags: Flags::MUTUAL | bit, delegated };
            let octets = content.to_bytes().unwrap();
            assert_eq!(Content::from_bytes(&octets).unwrap(), content);
            for len in 0..octets.len() {
                assert!(Content::from_bytes(octets.get(..len).unwrap()).is_err(), "{len}");
            }
            // An extension behind it.
            assert_eq!(Content::from_bytes(&[&octets[..], &[0; 8]].concat()).unwrap(), content);
        }
    }
}
