//! The encryption scheme PBES1 for old private keys (RFC 8018 §6.1): DES or RC2 in CBC mode, with a key derived by PBKDF1 from
//! MD5 or SHA-1. Only decryption is supported. The schemes with MD2 are not supported.

use md5::{Digest as _, Md5};
use tagwise_codec::Oid;
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::pkcs5::{
    PBE_WITH_MD5_AND_DES_CBC, PBE_WITH_MD5_AND_RC2_CBC, PBE_WITH_SHA1_AND_DES_CBC, PBE_WITH_SHA1_AND_RC2_CBC,
    PbeParameter,
};

use crate::error::named;
use crate::old::decrypt_cbc;
use crate::{Backend, Digest, Error, ErrorKind, OldCipher, Secret};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hash {
    Md5,
    Sha1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Des,
    /// RC2 with 64 effective bits (RFC 8018 §B.2.3).
    Rc2,
}

const SCHEMES: [(Oid<'static>, Hash, Block); 4] = [
    (PBE_WITH_MD5_AND_DES_CBC, Hash::Md5, Block::Des),
    (PBE_WITH_MD5_AND_RC2_CBC, Hash::Md5, Block::Rc2),
    (PBE_WITH_SHA1_AND_DES_CBC, Hash::Sha1, Block::Des),
    (PBE_WITH_SHA1_AND_RC2_CBC, Hash::Sha1, Block::Rc2),
];

/// A PBES1 scheme with its parameters.
#[derive(Debug)]
pub(crate) struct Pbes1<'a> {
    oid: Oid<'static>,
    hash: Hash,
    block: Block,
    salt: &'a [u8],
    iterations: u32,
}

impl<'a> Pbes1<'a> {
    /// Decodes the scheme in an identifier. Returns `None` for other identifiers.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] if the parameters are invalid, and [`ErrorKind::Limit`] if there are too many
    /// iterations.
    pub(crate) fn read(identifier: &AlgorithmIdentifier<'a>, max_iterations: u32) -> Result<Option<Self>, Error> {
        let found = SCHEMES.into_iter().find(|(oid, ..)| *oid == identifier.algorithm);
        let Some((oid, hash, block)) = found else { return Ok(None) };
        let wrong = || Error::new(ErrorKind::Parameters, named(oid));
        let parameters = identifier.parameters.ok_or_else(wrong)?;
        let parameters: PbeParameter<'a> = parameters.decode_as().map_err(|error| wrong().because(error))?;
        let iterations = u32::try_from(parameters.iteration_count).ok().filter(|count| *count <= max_iterations);
        let iterations = iterations.ok_or_else(|| Error::new(ErrorKind::Limit, named(oid)))?;
        // RFC 8018 §4.2: the count is positive.
        if iterations == 0 {
            return Err(wrong().because("the iteration count is 0, expected at least 1"));
        }
        Ok(Some(Self { oid, hash, block, salt: parameters.salt.as_bytes(), iterations }))
    }

    /// Decrypts with a password.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Integrity`] for a wrong password, or any error from the backend.
    pub(crate) fn decrypt(&self, backend: &dyn Backend, password: &[u8], octets: &[u8]) -> Result<Secret, Error> {
        // RFC 8018 §6.1.1: the first eight bytes are the key, the next eight the initialization vector.
        let derived = self.pbkdf1(backend, password)?;
        let (key, iv) = derived.expose().get(..16).unwrap_or_default().split_at_checked(8).unwrap_or_default();
        let plain = match self.block {
            Block::Des => decrypt_cbc::<des::Des>(key, iv, octets),
            Block::Rc2 => OldCipher::Rc2Cbc(64).decrypt(key, iv, octets),
        };
        plain.map_err(|error| Error::new(error.kind(), named(self.oid)))
    }

    /// Computes PBKDF1 (RFC 8018 §5.1): T_1 = Hash(P ‖ S), T_i = Hash(T_(i-1)).
    fn pbkdf1(&self, backend: &dyn Backend, password: &[u8]) -> Result<Secret, Error> {
        let hash = |octets: &[u8]| match self.hash {
            Hash::Md5 => Ok(Secret::from(Md5::digest(octets).to_vec())),
            Hash::Sha1 => backend.digest(Digest::Sha1, octets).map(Secret::from),
        };
        let first = Secret::from([password, self.salt].concat());
        let mut last = hash(first.expose())?;
        for _ in 1..self.iterations {
            last = hash(last.expose())?;
        }
        Ok(last)
    }
}
