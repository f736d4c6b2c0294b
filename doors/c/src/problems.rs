//! Conversion of errors from the crates that build on the codec to errors of the C API.

use tagwise::crypto::cms::CmsError;
use tagwise::crypto::tsp::TspError;
use tagwise::crypto::{self, ErrorKind, pkcs12};
use tagwise::pkix::build::{BuildError, ProtectError};
use tagwise::pkix::pkcs12::OpenError;

use crate::error::{Problem, tagwise_error_kind as Kind};

impl From<crypto::Error> for Problem {
    fn from(error: crypto::Error) -> Self {
        Self::from(&error)
    }
}

impl From<&crypto::Error> for Problem {
    fn from(error: &crypto::Error) -> Self {
        let (kind, code) = match error.kind() {
            ErrorKind::Unsupported => (Kind::Unsupported, "unsupported"),
            ErrorKind::NotOffered => (Kind::Unsupported, "not-offered"),
            ErrorKind::Legacy => (Kind::Unsupported, "legacy"),
            ErrorKind::Parameters => (Kind::Unsupported, "parameters"),
            ErrorKind::WrongKey => (Kind::Key, "wrong-key"),
            ErrorKind::MalformedKey => (Kind::Key, "malformed-key"),
            ErrorKind::Inconsistent => (Kind::Key, "inconsistent-key"),
            ErrorKind::KeySize => (Kind::Key, "key-size"),
            ErrorKind::Signature => (Kind::Signature, "signature"),
            ErrorKind::Integrity => (Kind::Key, "integrity"),
            ErrorKind::PasswordNeeded => (Kind::Key, "password-needed"),
            ErrorKind::Length => (Kind::Argument, "length"),
            ErrorKind::Limit => (Kind::Unsupported, "limit"),
            ErrorKind::Mismatch => (Kind::Signature, "mismatch"),
            _ => (Kind::Unsupported, "backend"),
        };
        Self::new(kind, code, error.to_string())
    }
}

impl From<CmsError> for Problem {
    fn from(error: CmsError) -> Self {
        Self::from(&error)
    }
}

impl From<&CmsError> for Problem {
    fn from(error: &CmsError) -> Self {
        let text = error.to_string();
        match error {
            CmsError::Crypto(error) => Self::from(error),
            CmsError::Build(error) => Self::build(error),
            CmsError::Malformed { error, .. } => Self::from(error.clone()).saying(text),
            CmsError::Digest => Self::new(Kind::Signature, "digest", text),
            CmsError::NotDer => Self::new(Kind::Signature, "signature", text).clause("RFC 5652 §5.4"),
            CmsError::NoCertificate => Self::new(Kind::Signature, "no-certificate", text),
            CmsError::NoRecipient => Self::new(Kind::Key, "no-recipient", text),
            CmsError::NoContent => Self::new(Kind::Argument, "no-content", text),
            CmsError::Limit { .. } => Self::new(Kind::Unsupported, "limit", text),
            CmsError::Invalid { clause, .. } => Self::new(Kind::Input, "invalid", text).clause(clause),
            CmsError::Ambiguous => Self::new(Kind::Input, "invalid", text).clause("RFC 5652 §6.2.1"),
            _ => Self::new(Kind::Input, "message", text),
        }
    }
}

impl From<TspError> for Problem {
    fn from(error: TspError) -> Self {
        let text = error.to_string();
        match error {
            TspError::Cms(error) => Self::from(&error),
            TspError::Imprint => Self::new(Kind::Signature, "imprint", text),
            TspError::Refused { .. } => Self::new(Kind::Input, "refused", text),
            _ => Self::new(Kind::Input, "message", text),
        }
    }
}

impl Problem {
    fn build(error: &BuildError) -> Self {
        let text = error.to_string();
        match error {
            BuildError::Decode(error) => Self::from(error.clone()),
            BuildError::Lints(findings) => {
                let clause = findings.first().map_or("", |finding| finding.lint.clause);
                Self::new(Kind::Encoding, "lints", text).clause(clause)
            }
            BuildError::Invalid { clause, .. } => Self::new(Kind::Encoding, "invalid", text).clause(clause),
            BuildError::Twice(_) | BuildError::TwiceAttribute(_) => Self::new(Kind::Encoding, "twice", text),
            BuildError::Signing(_) => Self::new(Kind::Key, "signing", text),
            _ => Self::new(Kind::Encoding, "build", text),
        }
    }
}

impl From<BuildError> for Problem {
    fn from(error: BuildError) -> Self {
        Self::build(&error)
    }
}

impl From<OpenError<crypto::Error>> for Problem {
    fn from(error: OpenError<crypto::Error>) -> Self {
        let text = error.to_string();
        if pkcs12::is_password(&error) {
            return Self::new(Kind::Key, "password", text);
        }
        match error {
            OpenError::Malformed { error, .. } => Self::from(error).saying(text),
            OpenError::Protection { error, .. } => Self::from(error),
            OpenError::Cost(_) => Self::new(Kind::Unsupported, "limit", text),
            _ => Self::new(Kind::Input, "message", text),
        }
    }
}

impl From<ProtectError<crypto::Error>> for Problem {
    fn from(error: ProtectError<crypto::Error>) -> Self {
        match error {
            ProtectError::Build(error) => error.into(),
            ProtectError::Protection(error) => error.into(),
            other => Self::new(Kind::Encoding, "build", other.to_string()),
        }
    }
}
