//! Processes streamed content: computes all digests that signers may need, and buffers small content.

use std::io::{self, Read, Write};

use tagwise_pkix::AlgorithmIdentifier;

use super::CmsError;
use crate::{Backend, Digest, Error, Hasher, Scheme};

/// A digester for streamed content.
pub(super) struct Digests {
    hashers: Vec<(Digest, Box<dyn Hasher>)>,
    /// The content, for signatures that cover it directly. `None` once it is too large.
    held: Option<Vec<u8>>,
    max_held: usize,
}

/// The digests of the content.
pub(super) struct Digested {
    digests: Vec<(Digest, Vec<u8>)>,
    /// The content, if it was small enough.
    pub(super) held: Option<Vec<u8>>,
}

impl Digests {
    pub(super) fn new(
        backend: &dyn Backend,
        digests: impl IntoIterator<Item = Digest>,
        max_held: usize,
    ) -> Result<Self, Error> {
        let mut hashers: Vec<(Digest, Box<dyn Hasher>)> = Vec::new();
        for digest in digests {
            if hashers.iter().all(|(other, _)| *other != digest) {
                hashers.push((digest, backend.hasher(digest)?));
            }
        }
        Ok(Self { hashers, held: Some(Vec::new()), max_held })
    }

    pub(super) fn update(&mut self, octets: &[u8]) {
        self.hashers.iter_mut().for_each(|(_, hasher)| hasher.update(octets));
        if let Some(held) = &mut self.held {
            if held.len().saturating_add(octets.len()) <= self.max_held {
                held.extend_from_slice(octets);
            } else {
                self.held = None;
            }
        }
    }

    /// Reads all of the input, and copies it to `out`.
    pub(super) fn pass(&mut self, input: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let len = match input.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let octets = buffer.get(..len).unwrap_or_default();
            self.update(octets);
            out.write_all(octets)?;
        }
    }

    pub(super) fn finish(self) -> Result<Digested, Error> {
        let finish = |(digest, hasher): (Digest, Box<dyn Hasher>)| Ok((digest, hasher.finish()?));
        let digests = self.hashers.into_iter().map(finish).collect::<Result<_, Error>>()?;
        Ok(Digested { digests, held: self.held })
    }
}

impl Digested {
    /// Returns the content's digest with the given algorithm, computed from the stream or from the buffered content.
    pub(super) fn of(&self, backend: &dyn Backend, digest: Digest) -> Result<Vec<u8>, CmsError> {
        if let Some((_, octets)) = self.digests.iter().find(|(other, _)| *other == digest) {
            return Ok(octets.clone());
        }
        match &self.held {
            Some(held) => Ok(backend.digest(digest, held)?),
            None => Err(CmsError::Invalid {
                what: "a signer's digest algorithm is not listed in digestAlgorithms",
                clause: "RFC 5652 §5.1",
            }),
        }
    }
}

/// Returns the usual content digest for a signature scheme.
///
/// # Errors
/// Returns an error for schemes that sign a digest, because messages do not use them.
pub(super) fn customary(scheme: &Scheme) -> Result<Digest, Error> {
    match scheme {
        Scheme::RsaPkcs1(digest) | Scheme::Ecdsa(digest) => Ok(*digest),
        // RFC 4056 §3: the same digest for both.
        Scheme::RsaPss(parameters) => Ok(parameters.digest),
        // RFC 8419 §3.1; RFC 9882 §3.3: SHA-512 goes with every parameter set.
        Scheme::Ed25519 | Scheme::MlDsa44 | Scheme::MlDsa65 | Scheme::MlDsa87 => Ok(Digest::Sha512),
        Scheme::Ed448 => Ok(Digest::Shake256),
        // RFC 9814 §4: the hash of the set, and as strong as the set.
        Scheme::SlhDsa(set) => Ok(match (set.is_shake(), set.n()) {
            (false, 16) => Digest::Sha256,
            (false, _) => Digest::Sha512,
            (true, 16) => Digest::Shake128,
            (true, _) => Digest::Shake256,
        }),
        // draft-ietf-lamps-cms-composite-sigs §3: SHA-512 goes with every set.
        Scheme::Composite(_) => Ok(Digest::Sha512),
        Scheme::HashSlhDsa(_) => Err(Error::new(crate::ErrorKind::Unsupported, format_args!("{scheme} in CMS"))),
    }
}

/// Returns the identifier of a signer's digest. With Ed448, the output length of SHAKE is a parameter (RFC 8419 §3.1).
/// Otherwise, it is implied.
pub(super) fn identifier(scheme: &Scheme, digest: Digest) -> AlgorithmIdentifier<'static> {
    let with_length = if *scheme == Scheme::Ed448 { digest.identifier_with_length() } else { None };
    with_length.unwrap_or(AlgorithmIdentifier { algorithm: digest.oid(), parameters: None })
}
