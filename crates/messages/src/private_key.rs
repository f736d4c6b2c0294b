//! Private keys from one format into another: PKCS #8 (RFC 5958), PKCS #1, SEC 1 (RFC 5915), post-quantum keys as seed, expanded, or
//! both; and the public key, where a format has it.
//!
//! Formats alone: nothing is computed of a key. Whether a seed gives an expanded key, or a private key its public one, is for
//! cryptography to say. What is given is overwritten in memory when it is dropped.

mod convert;
mod post_quantum;

use core::fmt;

use tagwise_codec::{EncodeError, Error};

pub use convert::{
    curve_private_key, pkcs1_from_pkcs8, pkcs8_from_pkcs1, pkcs8_from_sec1, private_key_info, public_key,
    sec1_from_pkcs8,
};
pub use post_quantum::{PostQuantumAlgorithm, PostQuantumForm, PostQuantumKey};

/// Reason why a private key cannot be converted. No error shows octets of a key.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeyError {
    /// It is not what it should be; offsets count in the part that is named in the path, or in the whole.
    Decode(Error),
    /// It has no encoding.
    Encode(EncodeError),
    /// Its algorithm is another one, or not known: the identifier in dots.
    Algorithm {
        /// The expected kind.
        wanted: &'static str,
        /// The kind it has.
        found: String,
    },
    /// A key of an elliptic curve does not say of which (RFC 5915 §3), or of another one than what is around it.
    Curve,
    /// It has not the length that its algorithm gives it, in octets.
    Length {
        /// The right length.
        wanted: usize,
        /// Its length.
        found: usize,
    },
    /// The form that is wanted is not there, and takes cryptography to compute.
    Form(PostQuantumForm),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::Encode(error) => error.fmt(f),
            Self::Algorithm { wanted, found } => write!(f, "the key is of the algorithm {found}, not {wanted}"),
            Self::Curve => f.write_str("the key does not say its curve, or says two (RFC 5915 §3)"),
            Self::Length { wanted, found } => write!(f, "the key has {found} bytes, not {wanted}"),
            Self::Form(form) => write!(f, "the key has no {form} form, and that is not computed here"),
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
