//! Converts private keys between formats: PKCS #8 (RFC 5958), PKCS #1, SEC 1 (RFC 5915), and seed, expanded or combined
//! post-quantum keys. Also extracts the public key if present.
//!
//! Only formats are converted. Nothing is computed from a key, so it is not checked whether a seed matches an expanded key,
//! or a private key its public key. Results are zeroized on drop.

mod convert;
mod post_quantum;

use core::fmt;

use tagwise_codec::{EncodeError, Error};

pub use convert::{
    curve_private_key, pkcs1_from_pkcs8, pkcs8_from_pkcs1, pkcs8_from_sec1, private_key_info, public_key,
    sec1_from_pkcs8,
};
pub use post_quantum::{PostQuantumAlgorithm, PostQuantumForm, PostQuantumKey};

/// The reason why a private key could not be converted. Errors never contain key bytes.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeyError {
    /// A malformed part. Offsets are relative to the part named in the path, or to the complete key.
    Decode(Error),
    /// A value cannot be encoded.
    Encode(EncodeError),
    /// The key's algorithm is unknown, or differs from the expected one. Contains dotted identifiers.
    Algorithm {
        /// The expected algorithm.
        wanted: &'static str,
        /// The actual algorithm.
        found: String,
    },
    /// An elliptic curve key does not name its curve (RFC 5915 §3), or names a different one than its container.
    Curve,
    /// The key does not have its algorithm's length, in bytes.
    Length {
        /// The required length.
        wanted: usize,
        /// The actual length.
        found: usize,
    },
    /// The requested form is not available, and computing it would require cryptography.
    Form(PostQuantumForm),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::Encode(error) => error.fmt(f),
            Self::Algorithm { wanted, found } => write!(f, "the key's algorithm is {found}, expected {wanted}"),
            Self::Curve => f.write_str("the key must name exactly one curve (RFC 5915 §3)"),
            Self::Length { wanted, found } => write!(f, "the key has {found} bytes, expected {wanted}"),
            Self::Form(form) => {
                write!(f, "the key has no {form} form, and it cannot be derived from the forms that are present")
            }
        }
    }
}

impl core::error::Error for KeyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Decode(error) => Some(error),
            Self::Encode(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for KeyError {
    fn from(error: Error) -> Self {
        Self::Decode(error)
    }
}

impl From<EncodeError> for KeyError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}
