//! Certificate profiles: the purpose of a certificate, and the resulting extensions.

use core::fmt;
use core::str::FromStr;

use tagwise_codec::Oid;
use tagwise_crypto::KeyType;
use tagwise_pkix::oids;

use crate::Error;

/// The purpose of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// A TLS server, identified by DNS names and IP addresses.
    Server,
    /// A TLS client.
    Client,
    /// A mail user (S/MIME, RFC 8550).
    Email,
    /// A subordinate CA.
    Ca {
        /// The maximum number of CAs below it in a path; `None` for the maximum that this CA allows.
        path_len: Option<u8>,
    },
    /// An OCSP responder for this CA (RFC 6960 §4.2.2.2).
    Ocsp,
}

const DIGITAL_SIGNATURE: u64 = 1;
pub(crate) const NON_REPUDIATION: u64 = 1 << 1;
const KEY_ENCIPHERMENT: u64 = 1 << 2;
const KEY_AGREEMENT: u64 = 1 << 4;
pub(crate) const KEY_CERT_SIGN: u64 = 1 << 5;
const CRL_SIGN: u64 = 1 << 6;

/// The key usage of a CA, which may also sign OCSP responses.
pub(crate) const CA_USAGE: u64 = DIGITAL_SIGNATURE | KEY_CERT_SIGN | CRL_SIGN;

impl Profile {
    /// The profile's name, such as `server`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Client => "client",
            Self::Email => "email",
            Self::Ca { .. } => "ca",
            Self::Ocsp => "ocsp",
        }
    }

    /// Returns the key usage for a type of key (RFC 5280 §4.2.1.3; RFC 8446 §4.4.2.2 for TLS, RFC 5480 §3, RFC 8410 §5,
    /// RFC 9881 §5, RFC 9935 §5).
    ///
    /// # Errors
    /// Returns an error if this type of key is unsuitable for the profile.
    pub(crate) fn usage(self, key: KeyType) -> Result<u64, Error> {
        match self {
            Self::Ca { .. } if key.signs() => Ok(CA_USAGE),
            Self::Ocsp if key.signs() => Ok(DIGITAL_SIGNATURE),
            Self::Ca { .. } | Self::Ocsp => Err(Error::refused(
                format!("this profile requires a signature key, and {key} keys cannot sign"),
                "RFC 5280 §4.2.1.3",
            )),
            // RFC 8550 §4.4.2: for signatures, and for the keys of enveloped messages.
            Self::Email => Ok(match key {
                KeyType::Rsa(_) => DIGITAL_SIGNATURE | KEY_ENCIPHERMENT,
                KeyType::P256 | KeyType::P384 | KeyType::P521 => DIGITAL_SIGNATURE | KEY_AGREEMENT,
                KeyType::X25519 | KeyType::X448 => KEY_AGREEMENT,
                _ if key.encapsulates() => KEY_ENCIPHERMENT,
                _ => DIGITAL_SIGNATURE,
            }),
            Self::Server | Self::Client => Ok(match key {
                // TLS 1.2 sends secrets to servers with RSA keys.
                KeyType::Rsa(_) if self == Self::Server => DIGITAL_SIGNATURE | KEY_ENCIPHERMENT,
                KeyType::X25519 | KeyType::X448 => KEY_AGREEMENT,
                _ if key.encapsulates() => KEY_ENCIPHERMENT,
                _ => DIGITAL_SIGNATURE,
            }),
        }
    }

    /// The extended key usage (RFC 5280 §4.2.1.12), or `None` for a CA, which is not restricted to a purpose.
    pub(crate) const fn purpose(self) -> Option<Oid<'static>> {
        match self {
            Self::Server => Some(oids::KP_SERVER_AUTH),
            Self::Client => Some(oids::KP_CLIENT_AUTH),
            Self::Email => Some(oids::KP_EMAIL_PROTECTION),
            Self::Ocsp => Some(oids::KP_OCSP_SIGNING),
            Self::Ca { .. } => None,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let all = [Self::Server, Self::Client, Self::Email, Self::Ca { path_len: None }, Self::Ocsp];
        let found = all.into_iter().find(|profile| profile.name() == text);
        found.ok_or_else(|| Error::refused(format!("unknown profile `{}`", text.escape_debug()), None))
    }
}
