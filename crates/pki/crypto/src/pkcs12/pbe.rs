//! The legacy encryption schemes of RFC 7292 Appendix C, selected by identifier.

use tagwise_codec::Oid;
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::pkcs12::{
    PBE_WITH_SHA_AND2_KEY_TRIPLE_DES_CBC, PBE_WITH_SHA_AND3_KEY_TRIPLE_DES_CBC, PBE_WITH_SHA_AND40_BIT_RC4,
    PBE_WITH_SHA_AND128_BIT_RC2_CBC, PBE_WITH_SHA_AND128_BIT_RC4, PBEWITH_SHA_AND40_BIT_RC2_CBC, Pkcs12PbeParams,
};

use super::kdf::{Purpose, derive};
use crate::{Backend, Digest, Error, ErrorKind, OldCipher, Secret};

const SCHEMES: [(Oid<'static>, &str, OldCipher, usize); 6] = [
    (PBE_WITH_SHA_AND128_BIT_RC4, "pbeWithSHAAnd128BitRC4", OldCipher::Rc4, 16),
    (PBE_WITH_SHA_AND40_BIT_RC4, "pbeWithSHAAnd40BitRC4", OldCipher::Rc4, 5),
    (PBE_WITH_SHA_AND3_KEY_TRIPLE_DES_CBC, "pbeWithSHAAnd3-KeyTripleDES-CBC", OldCipher::TripleDesCbc, 24),
    (PBE_WITH_SHA_AND2_KEY_TRIPLE_DES_CBC, "pbeWithSHAAnd2-KeyTripleDES-CBC", OldCipher::TripleDesCbc, 16),
    (PBE_WITH_SHA_AND128_BIT_RC2_CBC, "pbeWithSHAAnd128BitRC2-CBC", OldCipher::Rc2Cbc(128), 16),
    (PBEWITH_SHA_AND40_BIT_RC2_CBC, "pbewithSHAAnd40BitRC2-CBC", OldCipher::Rc2Cbc(40), 5),
];

/// A legacy encryption scheme with its parameters.
#[derive(Debug)]
pub(crate) struct Pbe<'a> {
    name: &'static str,
    cipher: OldCipher,
    key_len: usize,
    salt: &'a [u8],
    iterations: u32,
}

impl<'a> Pbe<'a> {
    /// Decodes the scheme in an identifier. Returns `None` for other identifiers.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] if the parameters are invalid, and [`ErrorKind::Limit`] if there are too many
    /// iterations.
    pub(crate) fn read(identifier: &AlgorithmIdentifier<'a>, max_iterations: u32) -> Result<Option<Self>, Error> {
        let found = SCHEMES.into_iter().find(|(oid, ..)| *oid == identifier.algorithm);
        let Some((_, name, cipher, key_len)) = found else { return Ok(None) };
        let wrong = || Error::new(ErrorKind::Parameters, name);
        let parameters = identifier.parameters.ok_or_else(wrong)?;
        let parameters: Pkcs12PbeParams<'a> = parameters.decode_as().map_err(|error| wrong().because(error))?;
        let iterations = u32::try_from(parameters.iterations).ok().filter(|count| *count <= max_iterations);
        let iterations = iterations.ok_or_else(|| Error::new(ErrorKind::Limit, name))?;
        Ok(Some(Self { name, cipher, key_len, salt: parameters.salt.as_bytes(), iterations }))
    }

    fn derive(&self, backend: &dyn Backend, password: &[u8]) -> Result<(Secret, Secret), Error> {
        let derive = |purpose, len| {
            derive(backend, Digest::Sha1, purpose, password, self.salt, self.iterations, len)
                .map_err(|error| Error::new(error.kind(), self.name).because(error))
        };
        Ok((derive(Purpose::Key, self.key_len)?, derive(Purpose::Iv, self.cipher.iv_len())?))
    }

    /// Decrypts with a password in the encoding of [`Password::bmp`](super::Password::bmp).
    pub(crate) fn decrypt(&self, backend: &dyn Backend, password: &[u8], octets: &[u8]) -> Result<Secret, Error> {
        let (key, iv) = self.derive(backend, password)?;
        self.cipher.decrypt(key.expose(), iv.expose(), octets)
    }

    /// Encrypts with a password in the encoding of [`Password::bmp`](super::Password::bmp). Only supports Triple DES with three keys.
    pub(crate) fn encrypt(&self, backend: &dyn Backend, password: &[u8], octets: &[u8]) -> Result<Vec<u8>, Error> {
        if self.cipher != OldCipher::TripleDesCbc || self.key_len != 24 {
            return Err(Error::new(ErrorKind::Legacy, self.name));
        }
        let (key, iv) = self.derive(backend, password)?;
        self.cipher.encrypt(key.expose(), iv.expose(), octets)
    }
}
