//! Implements the cryptographic interface of `tagwise-pkix` for PKCS #12.

use tagwise_pkix::pkcs5::Pbmac1Params;
use tagwise_pkix::pkcs12::{MacParameters, Protection};
use tagwise_pkix::{AlgorithmIdentifier, oids};
use zeroize::Zeroizing;

use super::kdf::{Purpose, derive};
use super::{Password, Pbe};
use crate::derivation::{Derivation, hmac_of};
use crate::password::{decrypt, encrypt};
use crate::{Backend, Digest, Error, ErrorKind, PasswordOptions, Secret};

/// A password and a backend, which together implement the protection of PKCS #12 files.
///
/// The limits on work are set when opening a file ([`CostLimits`](tagwise_pkix::pkcs12::CostLimits)).
#[derive(Clone, Debug)]
pub struct ByPassword<'b> {
    backend: &'b dyn Backend,
    password: Password,
}

/// Options without an iteration limit, because a store checks its own limits in advance.
const OPTIONS: PasswordOptions = PasswordOptions { max_iterations: u32::MAX, ..PasswordOptions::DEFAULT };

/// The minimum and maximum length of a PBMAC1 key, in bytes. The maximum limits the work, because each block of the key
/// requires all iterations.
const MIN_MAC_KEY: usize = 16;
const MAX_MAC_KEY: usize = 1024;

impl<'b> ByPassword<'b> {
    /// Combines a backend and a password.
    #[must_use]
    pub const fn new(backend: &'b dyn Backend, password: Password) -> Self {
        Self { backend, password }
    }

    fn hmac(&self, digest: Digest, key: &Secret, content: &[u8]) -> Result<Vec<u8>, Error> {
        let mut hmac = self.backend.hmac(digest, key.expose())?;
        hmac.update(content);
        hmac.finish()
    }
}

impl Protection for ByPassword<'_> {
    type Error = Error;

    fn decrypt(&self, algorithm: &AlgorithmIdentifier<'_>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let plain = match Pbe::read(algorithm, u32::MAX)? {
            Some(pbe) => pbe.decrypt(self.backend, self.password.bmp().expose(), ciphertext)?,
            None => decrypt(self.backend, algorithm, ciphertext, self.password.utf8(), &OPTIONS)?,
        };
        Ok(plain.into())
    }

    fn encrypt(&self, algorithm: &AlgorithmIdentifier<'_>, plaintext: &[u8]) -> Result<Vec<u8>, Error> {
        match Pbe::read(algorithm, u32::MAX)? {
            Some(pbe) => pbe.encrypt(self.backend, self.password.bmp().expose(), plaintext),
            None => encrypt(self.backend, algorithm, plaintext, self.password.utf8(), &OPTIONS),
        }
    }

    fn mac(&self, parameters: &MacParameters<'_>, content: &[u8]) -> Result<Vec<u8>, Error> {
        let algorithm = &parameters.algorithm;
        if algorithm.algorithm == oids::PBMAC1 {
            let wrong = || Error::new(ErrorKind::Parameters, "PBMAC1");
            let read = algorithm.parameters.ok_or_else(wrong)?;
            let read: Pbmac1Params<'_> = read.decode_as().map_err(|error| wrong().because(error))?;
            let digest = hmac_of(&read.message_auth_scheme)?;
            let derivation = Derivation::read(&read.key_derivation_func, u32::MAX)?;
            // RFC 9579 §5: the length of the key has to be there, and at least 20 is recommended. Shorter keys are accepted down to 16
            // bytes, which OpenSSL 3.4 and later accept. One that is longer than a block is digested first (RFC 2104 §2).
            let Some(len) = derivation.key_len else {
                return Err(wrong().because("the derivation has no key length (RFC 9579 §5)"));
            };
            let len = match usize::try_from(len) {
                Ok(len @ MIN_MAC_KEY..=MAX_MAC_KEY) => len,
                _ => {
                    return Err(
                        wrong().because(format!("a key of {len} bytes, expected {MIN_MAC_KEY} to {MAX_MAC_KEY}"))
                    );
                }
            };
            let key = derivation.key(self.backend, self.password.utf8(), len)?;
            return self.hmac(digest, &key, content);
        }
        // RFC 7292 §5.1: the key of the HMAC is as long as the digest.
        let digest = Digest::from_identifier(algorithm)?;
        let wrong = || Error::new(ErrorKind::Parameters, format_args!("the MAC with {digest}"));
        let iterations = u32::try_from(parameters.iterations).map_err(|error| wrong().because(error))?;
        let (password, salt, len) = (self.password.bmp(), parameters.salt, digest.output_len());
        let key = derive(self.backend, digest, Purpose::Mac, password.expose(), salt, iterations, len)?;
        self.hmac(digest, &key, content)
    }
}
