//! Content ciphers and their parameters (RFC 3565, RFC 5084; RFC 3370 §5 for legacy messages).

use tagwise_codec::{Any, Decode, OctetStr, Options, Rule, encode};
use tagwise_pkix::cms::aead::{AesGcmIcvLen, GcmParameters};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use super::CmsError;
use crate::error::named;
use crate::primitives::is_same;
use crate::{Backend, Cipher, Error, ErrorKind, OldCipher, Secret};

/// The content cipher and its parameters.
#[derive(Debug)]
pub(super) enum ContentCipher {
    Cbc { cipher: Cipher, iv: Vec<u8> },
    Gcm { cipher: Cipher, nonce: Vec<u8>, tag_len: usize },
    Old { cipher: OldCipher, iv: Vec<u8>, key_len: usize },
}

/// The length of a GCM tag created by backends, in bytes.
const TAG: usize = 16;

impl ContentCipher {
    /// Creates a cipher with a new initialization vector.
    pub(super) fn fresh(backend: &dyn Backend, cipher: Cipher) -> Result<Self, Error> {
        let mut iv = vec![0; cipher.iv_len()];
        backend.random(&mut iv)?;
        Ok(if cipher.is_authenticated() {
            Self::Gcm { cipher, nonce: iv, tag_len: TAG }
        } else {
            Self::Cbc { cipher, iv }
        })
    }

    /// Decodes the cipher in an algorithm identifier.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] if the cipher is not supported, or [`ErrorKind::Parameters`] if its parameters are
    /// invalid.
    pub(super) fn read(identifier: &AlgorithmIdentifier<'_>) -> Result<Self, Error> {
        let name = named(identifier.algorithm);
        let wrong = || Error::new(ErrorKind::Parameters, &name);
        let decoded = |error: tagwise_codec::Error| wrong().because(error);
        let parameters = identifier.parameters.ok_or_else(wrong);
        let found = Cipher::ALL.iter().copied().find(|cipher| cipher.oid() == identifier.algorithm);
        if let Some(cipher) = found.filter(|cipher| cipher.is_authenticated()) {
            // RFC 5652 §4 has the message in BER, in which DEFAULT values may be encoded (X.690 §11.5 is DER's).
            let options = Options::der().allow(&Rule::DEFAULT_ENCODED);
            let read = options.decode::<GcmParameters<'_>>(parameters?.as_bytes()).map_err(decoded)?.value;
            let nonce = read.aes_nonce.to_vec();
            // RFC 5084 §3.2: 12 octets are recommended, and backends have no others.
            if nonce.len() != cipher.iv_len() {
                let what = format_args!("{cipher} with a nonce of {} bytes", nonce.len()).to_string();
                return Err(Error::new(ErrorKind::Unsupported, what));
            }
            return Ok(Self::Gcm { cipher, nonce, tag_len: usize::from(read.aes_icv_len.0) });
        }
        if let Some(cipher) = found {
            let iv: OctetStr<'_> = parameters?.decode_as().map_err(decoded)?;
            return if iv.len() == cipher.iv_len() { Ok(Self::Cbc { cipher, iv: iv.to_vec() }) } else { Err(wrong()) };
        }
        if identifier.algorithm == oids::DES_EDE3_CBC {
            let iv: OctetStr<'_> = parameters?.decode_as().map_err(decoded)?;
            return Ok(Self::Old { cipher: OldCipher::TripleDesCbc, iv: iv.to_vec(), key_len: 24 });
        }
        if identifier.algorithm == tagwise_pkix::pkcs5::RC2_CBC {
            let (cipher, iv) = OldCipher::rc2_of(&parameters?)?;
            return Ok(Self::Old { cipher, iv: iv.to_vec(), key_len: cipher.key_len() });
        }
        Err(Error::new(ErrorKind::Unsupported, name))
    }

    /// Encodes the algorithm identifier in DER.
    pub(super) fn identifier(&self) -> Result<Vec<u8>, CmsError> {
        let (algorithm, parameters) = match self {
            Self::Cbc { cipher, iv } => (cipher.oid(), encode(&OctetStr::new(iv))?),
            Self::Gcm { cipher, nonce, tag_len } => {
                let length = u8::try_from(*tag_len).unwrap_or_default();
                let parameters = GcmParameters { aes_nonce: OctetStr::new(nonce), aes_icv_len: AesGcmIcvLen(length) };
                (cipher.oid(), encode(&parameters)?)
            }
            Self::Old { cipher, .. } => return Err(Error::new(ErrorKind::Legacy, cipher).into()),
        };
        let parameters = Any::from_der(&parameters).map_err(CmsError::malformed("the parameters"))?;
        Ok(encode(&AlgorithmIdentifier { algorithm, parameters: Some(parameters) })?)
    }

    pub(super) const fn is_authenticated(&self) -> bool {
        matches!(self, Self::Gcm { .. })
    }

    /// Returns the key length in bytes.
    pub(super) const fn key_len(&self) -> usize {
        match self {
            Self::Cbc { cipher, .. } | Self::Gcm { cipher, .. } => cipher.key_len(),
            Self::Old { key_len, .. } => *key_len,
        }
    }

    /// Encrypts content, and returns the ciphertext and, for GCM, the tag.
    pub(super) fn encrypt(
        &self,
        backend: &dyn Backend,
        key: &Secret,
        associated: &[u8],
        plain: &[u8],
    ) -> Result<(Vec<u8>, Vec<u8>), Error> {
        match self {
            Self::Cbc { cipher, iv } => {
                Ok((backend.encrypt(*cipher, key.expose(), iv, associated, plain)?, Vec::new()))
            }
            Self::Gcm { cipher, nonce, tag_len } => {
                let mut ciphertext = backend.encrypt(*cipher, key.expose(), nonce, associated, plain)?;
                let mut tag = ciphertext.split_off(plain.len());
                tag.truncate(*tag_len);
                Ok((ciphertext, tag))
            }
            Self::Old { cipher, .. } => Err(Error::new(ErrorKind::Legacy, cipher)),
        }
    }

    /// Decrypts content. With GCM, only authentic content is returned.
    pub(super) fn decrypt(
        &self,
        backend: &dyn Backend,
        key: &Secret,
        associated: &[u8],
        ciphertext: &[u8],
        tag: &[u8],
    ) -> Result<Secret, Error> {
        match self {
            Self::Cbc { cipher, iv } => backend.decrypt(*cipher, key.expose(), iv, associated, ciphertext),
            Self::Old { cipher, iv, .. } => cipher.decrypt(key.expose(), iv, ciphertext),
            Self::Gcm { cipher, tag_len, .. } if tag.len() != *tag_len => {
                Err(Error::new(ErrorKind::Length, format_args!("the tag of {cipher}")))
            }
            Self::Gcm { cipher, nonce, tag_len: TAG } => {
                backend.decrypt(*cipher, key.expose(), nonce, associated, &[ciphertext, tag].concat())
            }
            Self::Gcm { cipher, nonce, .. } => {
                // RFC 5084 §3.2: a tag may be shortened to 12 octets. Backends compare whole ones, so it is made again: GCM's
                // stream is the same both ways, and encrypting the ciphertext gives the content.
                let mut plain = Secret::from(backend.encrypt(*cipher, key.expose(), nonce, &[], ciphertext)?);
                plain.truncate(ciphertext.len());
                let again = backend.encrypt(*cipher, key.expose(), nonce, associated, plain.expose())?;
                let whole = again.get(ciphertext.len()..).unwrap_or_default();
                if is_same(whole.get(..tag.len()).unwrap_or_default(), tag) {
                    Ok(plain)
                } else {
                    Err(Error::new(ErrorKind::Integrity, cipher))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_tag_length_may_be_encoded() {
        // aes-nonce, and aes-ICVlen 12, which is the DEFAULT (RFC 5084 §3.2).
        let nonce = b"\x04\x0C\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C";
        let parameters = [b"\x30\x11".as_slice(), nonce, b"\x02\x01\x0C"].concat();
        let parameters = Any::from_der(&parameters).unwrap();
        let identifier = AlgorithmIdentifier { algorithm: oids::AES128_GCM, parameters: Some(parameters) };
        let read = ContentCipher::read(&identifier).unwrap();
        assert!(matches!(read, ContentCipher::Gcm { tag_len: 12, .. }), "{read:?}");
    }
}
