//! TLS presentation language (RFC 5246 §4), and signatures in it.

use tagwise_crypto::{Backend, Digest, ErrorKind, Scheme};
use tagwise_path::Log;

use crate::Error;

/// A cursor over a TLS structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire<'a> {
    pub(crate) rest: &'a [u8],
}

impl<'a> Wire<'a> {
    pub(crate) const fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (part, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(part)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (part, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(part)
    }

    /// Reads a big-endian number of at most eight bytes.
    pub(crate) fn number(&mut self, len: usize) -> Option<u64> {
        Some(self.take(len)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Reads a vector with a length prefix of `prefix` bytes.
    pub(crate) fn vector(&mut self, prefix: usize) -> Option<&'a [u8]> {
        let len = usize::try_from(self.number(prefix)?).ok()?;
        self.take(len)
    }
}

/// A `digitally-signed` structure (RFC 5246 §4.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signed<'a> {
    pub(crate) hash: u8,
    pub(crate) algorithm: u8,
    pub(crate) signature: &'a [u8],
}

impl<'a> Signed<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut wire = Wire::new(bytes);
        let [hash, algorithm] = *wire.array::<2>()?;
        let signature = wire.vector(2)?;
        wire.rest.is_empty().then_some(Self { hash, algorithm, signature })
    }

    /// Verifies the signature with a log's key.
    pub(crate) fn verify(&self, backend: &dyn Backend, log: &Log, message: &[u8], what: &str) -> Result<(), Error> {
        // RFC 6962 §2.1.4: ECDSA on P-256 or RSA, with SHA-256.
        let scheme = match (self.hash, self.algorithm) {
            (4, 3) => Scheme::Ecdsa(Digest::Sha256),
            (4, 1) => Scheme::RsaPkcs1(Digest::Sha256),
            (hash, algorithm) => {
                return Err(Error::Violation(format!(
                    "{what}: signature algorithm {hash}.{algorithm}, expected 4.3 (ECDSA) or 4.1 (RSA) (RFC 6962 §2.1.4)"
                )));
            }
        };
        let wrong = || Error::Violation(format!("{what}: the signature does not verify with the log's key"));
        let unsupported = |error: tagwise_crypto::Error| match error.kind() {
            ErrorKind::NotOffered | ErrorKind::Unsupported => Error::Unsupported(format!("the log's key: {error}")),
            _ => wrong(),
        };
        let key = backend.public_key_from_der(&log.key).map_err(unsupported)?;
        key.verify(&scheme, message, self.signature).map_err(unsupported)
    }
}
