//! Errors of C509 conversion.

use core::fmt;

/// The reason why a C509 conversion failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not CBOR, or are not deterministically encoded (§2).
    Cbor {
        /// The position in the bytes.
        offset: usize,
        /// A description of the error.
        what: &'static str,
    },
    /// A field violates the draft.
    Field {
        /// The name of the field.
        field: &'static str,
        /// The section of the draft.
        section: &'static str,
    },
    /// The X.509 certificate has a feature that C509 cannot represent.
    Unsupported {
        /// The unsupported feature.
        what: &'static str,
        /// The section of the draft.
        section: &'static str,
    },
    /// The X.509 certificate is not DER.
    Der(tagwise_codec::Error),
    /// The certificate is natively signed, so there is no X.509 certificate.
    Native,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cbor { offset, what } => write!(f, "{what}, at byte {offset} (RFC 8949 §4.2)"),
            Self::Field { field, section } => write!(f, "malformed {field} (C509 {section})"),
            Self::Unsupported { what, section } => write!(f, "C509 cannot represent {what} ({section})"),
            Self::Der(error) => error.fmt(f),
            Self::Native => {
                f.write_str("the certificate is signed in C509 form, which cannot be converted to X.509 (C509 §3.1)")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::Der(error) = self { Some(error) } else { None }
    }
}

pub(super) fn field(field: &'static str, section: &'static str) -> Error {
    Error::Field { field, section }
}

pub(super) fn unsupported(what: &'static str, section: &'static str) -> Error {
    Error::Unsupported { what, section }
}
