//! Certificate profiles: the purpose of a certificate, and the resulting extensions.

use core::fmt;
use core::str::FromStr;

use std::borrow::Cow;
use std::sync::Arc;

use tagwise_codec::{Oid, OidBuf};
use tagwise_crypto::KeyType;
use tagwise_pkix::oids;

use crate::definition::{CA_USAGE, DIGITAL_SIGNATURE, KEY_AGREEMENT, KEY_ENCIPHERMENT};
use crate::{Definition, Error};

/// The purpose of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
        /// The maximum number of intermediates below it in a path, or `None` for the maximum that this CA allows.
        path_len: Option<u8>,
    },
    /// An OCSP responder for this CA (RFC 6960 §4.2.2.2).
    Ocsp,
    /// A profile that the CA's operator defines.
    Defined(Arc<Definition>),
}

impl Profile {
    /// Returns the profile's name, such as `server`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Server => "server",
            Self::Client => "client",
            Self::Email => "email",
            Self::Ca { .. } => "ca",
            Self::Ocsp => "ocsp",
            Self::Defined(definition) => &definition.name,
        }
    }

    /// Returns the name that is stored with a certificate.
    pub(crate) fn stored_name(&self) -> Cow<'static, str> {
        match self {
            Self::Server => Cow::Borrowed("server"),
            Self::Client => Cow::Borrowed("client"),
            Self::Email => Cow::Borrowed("email"),
            Self::Ca { .. } => Cow::Borrowed("ca"),
            Self::Ocsp => Cow::Borrowed("ocsp"),
            Self::Defined(definition) => Cow::Owned(definition.name.clone()),
        }
    }

    /// Returns the profile without its requirements on Certificate Transparency, to check an order before its precertificate is
    /// submitted.
    #[must_use]
    pub fn without_transparency(&self) -> Self {
        match self {
            Self::Defined(definition) if definition.transparency.is_some() => {
                Self::Defined(Arc::new(Definition { transparency: None, ..Definition::clone(definition) }))
            }
            other => other.clone(),
        }
    }

    /// Returns whether the profile is for subordinate CAs.
    pub(crate) fn is_ca(&self) -> bool {
        match self {
            Self::Ca { .. } => true,
            Self::Defined(definition) => definition.ca,
            _ => false,
        }
    }

    /// Returns whether the profile is for OCSP responders of the CA.
    pub(crate) fn is_responder(&self) -> bool {
        match self {
            Self::Ocsp => true,
            Self::Defined(definition) => definition.is_responder(),
            _ => false,
        }
    }

    /// Returns the path length constraint for a subordinate CA.
    pub(crate) fn path_len(&self) -> Option<u8> {
        match self {
            Self::Ca { path_len } => *path_len,
            Self::Defined(definition) => definition.path_len,
            _ => None,
        }
    }

    /// Returns the key usage for a type of key (RFC 5280 §4.2.1.3; RFC 8446 §4.4.2.2 for TLS, RFC 5480 §3, RFC 8410 §5,
    /// RFC 9881 §5, RFC 9935 §5).
    ///
    /// # Errors
    /// Returns an error if the key is not capable of the profile's purpose.
    pub(crate) fn usage(&self, key: KeyType) -> Result<u64, Error> {
        match self {
            Self::Defined(definition) => match definition.key_usage {
                Some(usage) => Definition::restrict(usage, key),
                None if definition.ca => Self::Ca { path_len: None }.usage(key),
                None if definition.is_responder() => Self::Ocsp.usage(key),
                None if definition.has_purpose(oids::KP_EMAIL_PROTECTION) => Self::Email.usage(key),
                None if definition.has_purpose(oids::KP_SERVER_AUTH) => Self::Server.usage(key),
                None => Self::Client.usage(key),
            },
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
                KeyType::Rsa(_) if *self == Self::Server => DIGITAL_SIGNATURE | KEY_ENCIPHERMENT,
                KeyType::X25519 | KeyType::X448 => KEY_AGREEMENT,
                _ if key.encapsulates() => KEY_ENCIPHERMENT,
                _ => DIGITAL_SIGNATURE,
            }),
        }
    }

    /// Returns the extended key usages (RFC 5280 §4.2.1.12). Those of a CA are empty, because it is not limited to purposes.
    pub(crate) fn purposes(&self) -> Vec<Oid<'_>> {
        match self {
            Self::Server => vec![oids::KP_SERVER_AUTH],
            Self::Client => vec![oids::KP_CLIENT_AUTH],
            Self::Email => vec![oids::KP_EMAIL_PROTECTION],
            Self::Ocsp => vec![oids::KP_OCSP_SIGNING],
            Self::Ca { .. } => Vec::new(),
            Self::Defined(definition) => definition.purposes.iter().map(OidBuf::as_oid).collect(),
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
