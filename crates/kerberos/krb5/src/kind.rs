//! Detection of Kerberos data: messages, GSS-API tokens, keytabs, credential caches, PACs and password protocol messages.

use tagwise_codec::table::Type;
use tagwise_codec::{Any, Decode, Oid};

use crate::{Ccache, Keytab, types};

/// The RFC 4121 mechanism: 1.2.840.113554.1.2.2, without tag and length.
pub const KRB5_MECH: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x12, 0x01, 0x02, 0x02];
/// The incorrect mechanism identifier used by Windows 2000: 1.2.840.48018.1.2.2.
pub const KRB5_MECH_MS: &[u8] = &[0x2A, 0x86, 0x48, 0x82, 0xF7, 0x12, 0x01, 0x02, 0x02];
/// SPNEGO: 1.3.6.1.5.5.2.
pub const SPNEGO_MECH: &[u8] = &[0x2B, 0x06, 0x01, 0x05, 0x05, 0x02];
/// IAKERB: 1.3.6.1.5.2.5.
pub const IAKERB_MECH: &[u8] = &[0x2B, 0x06, 0x01, 0x05, 0x02, 0x05];

/// The kind of data, detected from its first bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum KerberosKind<'a> {
    /// A value of the given type, not yet decoded.
    Message(&'static Type),
    /// A context token (RFC 2743 §3.1).
    Token(Token<'a>),
    /// A per-message token (RFC 4121 §4.2.6), with identifier 0404 (MIC) or 0504 (Wrap).
    PerMessage([u8; 2]),
    /// A keytab.
    Keytab,
    /// A credential cache.
    Ccache,
    /// A PAC.
    Pac,
    /// A password protocol message (RFC 3244).
    Kpasswd,
}

/// A context token: its mechanism and contents.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// The content bytes of the mechanism's object identifier.
    pub mech: &'a [u8],
    /// The token identifier. SPNEGO tokens have none.
    pub id: Option<[u8; 2]>,
    /// The inner token, without its identifier.
    pub inner: &'a [u8],
}

impl<'a> Token<'a> {
    /// Parses the framing of a token: `[APPLICATION 0]`, the mechanism, and the inner token.
    #[must_use]
    pub fn from_bytes(octets: &'a [u8]) -> Option<Self> {
        let frame = Any::outline(octets).ok().filter(|_| octets.first() == Some(&0x60))?;
        let content = frame.content();
        // Mechanisms are short: their object identifiers have lengths of one byte.
        let [0x06, len @ 0..=0x7F, rest @ ..] = content else { return None };
        let (mech, inner) = rest.split_at_checked(usize::from(*len))?;
        match (mech == SPNEGO_MECH, inner) {
            (true, _) => Some(Self { mech, id: None, inner }),
            (false, [a, b, inner @ ..]) => Some(Self { mech, id: Some([*a, *b]), inner }),
            (false, _) => None,
        }
    }

    /// Returns the common name of the mechanism, or its object identifier.
    #[must_use]
    pub fn mech_name(&self) -> String {
        match self.mech {
            KRB5_MECH => "Kerberos 5".to_owned(),
            KRB5_MECH_MS => "Kerberos 5 (Windows 2000)".to_owned(),
            SPNEGO_MECH => "SPNEGO".to_owned(),
            IAKERB_MECH => "IAKERB".to_owned(),
            other => Oid::from_content(other).map_or_else(|_| "unknown".to_owned(), |oid| oid.to_string()),
        }
    }

    /// Returns the Kerberos message in the token (RFC 4121 §4.1). In an IAKERB token, it follows the header, and is empty in the first
    /// message.
    #[must_use]
    pub fn message(&self) -> Option<&'a [u8]> {
        match self.id? {
            [5, 1] if self.mech == IAKERB_MECH => self.iakerb().map(|(_, message)| message),
            [1..=3, 0] => Some(self.inner),
            _ => None,
        }
    }

    /// Returns the IAKERB header and the message that follows it (draft-ietf-kitten-iakerb §3).
    #[must_use]
    pub fn iakerb(&self) -> Option<(&'a [u8], &'a [u8])> {
        let is_iakerb = self.mech == IAKERB_MECH && self.id == Some([5, 1]);
        let len = element_len(self.inner).filter(|_| is_iakerb)?;
        self.inner.split_at_checked(len)
    }

    /// Returns the type of the inner token, according to its identifier (RFC 4121 §4.1).
    #[must_use]
    pub fn ty(&self) -> Option<&'static Type> {
        match self.id {
            None => types::by_name("NegotiationToken"),
            Some([5, 1]) if self.mech == IAKERB_MECH => types::by_name("IAKERB-HEADER"),
            Some([1, 0]) => types::by_name("AP-REQ"),
            Some([2, 0]) => types::by_name("AP-REP"),
            Some([3, 0]) => types::by_name("KRB-ERROR"),
            Some(_) => None,
        }
    }
}

impl<'a> KerberosKind<'a> {
    /// Detects the kind of data. Returns `None` if it is not Kerberos.
    ///
    /// ```
    /// use tagwise_krb5::KerberosKind;
    /// assert!(matches!(KerberosKind::of(&[5, 2]), Some(KerberosKind::Keytab)));
    /// assert!(matches!(KerberosKind::of(&[5, 4, 0, 0]), Some(KerberosKind::Ccache)));
    /// assert!(matches!(KerberosKind::of(b"\x6e\x00"), Some(KerberosKind::Message(ty)) if &*ty.name == "AP-REQ"));
    /// assert!(KerberosKind::of(b"GIF89a").is_none());
    /// ```
    #[must_use]
    pub fn of(octets: &'a [u8]) -> Option<Self> {
        if let Some(token) = Token::from_bytes(octets) {
            return Some(Self::Token(token));
        }
        match octets {
            // Keytabs and old credential caches have the same first bytes: the one that can be read it is.
            [5, 1 | 2, ..] => Some(match is_old_cache(octets) {
                true => Self::Ccache,
                false => Self::Keytab,
            }),
            // A Wrap token without flags looks like a cache whose header has 255 bytes and more, which none has.
            [4 | 5, 4, flags, 0xFF, ..] if *flags < 8 => Some(Self::PerMessage([octets.first().copied()?, 4])),
            [5, 3, ..] | [5, 4, 0, ..] => Some(Self::Ccache),
            _ if types::is_kpasswd(octets) => Some(Self::Kpasswd),
            [count @ 1..=64, 0, 0, 0, 0, 0, 0, 0, ..] if octets.len() > usize::from(*count) * 16 => Some(Self::Pac),
            _ => types::message(octets).map(Self::Message),
        }
    }
}

/// Returns whether bytes that begin like a keytab are a credential cache of version 1 or 2.
fn is_old_cache(octets: &[u8]) -> bool {
    // A keytab whose first record has no length ends there, whatever follows.
    let is_keytab = Keytab::from_bytes(octets).is_ok_and(|found| !found.entries().is_empty() || octets.len() <= 6);
    !is_keytab && Ccache::from_bytes(octets).is_ok()
}

/// Returns the length of the DER element at the beginning of the bytes, including its header.
fn element_len(octets: &[u8]) -> Option<usize> {
    match octets {
        [_, len @ 0..=0x7F, ..] => Some(usize::from(*len).checked_add(2)?),
        [_, form @ 0x81..=0x84, rest @ ..] => {
            let count = usize::from(*form & 0x7F);
            let len = rest.get(..count)?.iter().fold(0_usize, |sum, octet| sum << 8 | usize::from(*octet));
            len.checked_add(count)?.checked_add(2)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_tokens_that_begin_alike() {
        // A Wrap token without flags (RFC 4121 §4.2.6.2).
        let wrap = [&[5, 4, 0, 0xFF, 0, 12, 0, 0][..], &[0; 8], b"data and checksum"].concat();
        assert!(matches!(KerberosKind::of(&wrap), Some(KerberosKind::PerMessage([5, 4]))));
        // A cache of version 4 with an empty header, and one with a clock's offset.
        assert!(matches!(KerberosKind::of(&[5, 4, 0, 0]), Some(KerberosKind::Ccache)));
        assert!(matches!(KerberosKind::of(&[5, 4, 0, 12, 0, 1, 0, 8]), Some(KerberosKind::Ccache)));
        // Version 2 in big-endian order: type of name, number of components, realm, component.
        let old = [&[5, 2, 0, 0, 0, 1, 0, 0, 0, 1][..], b"\0\0\0\x01R", b"\0\0\0\x01a"].concat();
        assert!(matches!(KerberosKind::of(&old), Some(KerberosKind::Ccache)));
        assert!(matches!(KerberosKind::of(&[5, 2]), Some(KerberosKind::Keytab)));
        assert!(matches!(KerberosKind::of(&[5, 2, 0, 0, 0, 0]), Some(KerberosKind::Keytab)));
        assert!(matches!(KerberosKind::of(&[5, 1, 9]), Some(KerberosKind::Keytab)));
    }
}
