//! Password recipients (RFC 5652 §6.2.4): PBKDF2, then PWRI-KEK (RFC 3211 §2.3), which encrypts twice.

use tagwise_codec::{Any, Decode, OctetStr, encode};
use tagwise_pkix::cms::PasswordRecipientInfo;
use tagwise_pkix::pkcs5::{Pbkdf2Params, Pbkdf2ParamsSalt};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use super::CmsError;
use super::content::ContentCipher;
use super::wrap::unpadded;
use crate::derivation::{Derivation, HMACS};
use crate::primitives::is_same;
use crate::{Backend, Cipher, Error, ErrorKind, OldCipher, PasswordOptions, Secret};

/// A key wrapped under a password.
#[derive(Debug)]
pub(super) struct Wrapped {
    pub(super) derivation: Vec<u8>,
    pub(super) algorithm: Vec<u8>,
    pub(super) encrypted_key: Vec<u8>,
}

fn identifier(algorithm: tagwise_codec::Oid<'_>, parameters: &[u8]) -> Result<Vec<u8>, CmsError> {
    let parameters = Any::from_der(parameters).map_err(CmsError::malformed("the parameters"))?;
    Ok(encode(&AlgorithmIdentifier { algorithm, parameters: Some(parameters) })?)
}

/// Wraps a key with a password.
pub(super) fn encrypt(
    backend: &dyn Backend,
    password: &[u8],
    options: &PasswordOptions,
    key: &Secret,
) -> Result<Wrapped, CmsError> {
    let digest = options.digest;
    let prf = HMACS.iter().find(|(_, other)| *other == digest);
    let (prf, _) = prf.ok_or_else(|| Error::new(ErrorKind::Unsupported, format_args!("PBKDF2 with {digest}")))?;
    let mut salt = [0; 16];
    backend.random(&mut salt)?;
    let parameters = encode(&Pbkdf2Params {
        salt: Pbkdf2ParamsSalt::Specified(OctetStr::new(&salt)),
        iteration_count: options.iterations.into(),
        key_length: None,
        prf: AlgorithmIdentifier { algorithm: *prf, parameters: Some(Any::null(0)) },
    })?;
    let derivation = identifier(oids::PBKDF2, &parameters)?;
    let (cipher, iv) = match ContentCipher::fresh(backend, options.cipher)? {
        ContentCipher::Cbc { cipher, iv } => (cipher, iv),
        _ => return Err(Error::new(ErrorKind::Unsupported, format_args!("PWRI-KEK with {}", options.cipher)).into()),
    };
    let inner = ContentCipher::Cbc { cipher, iv: iv.clone() }.identifier()?;
    let algorithm = identifier(oids::ALG_PWRI_KEK, &inner)?;
    let mut kek = Secret::zeroed(cipher.key_len());
    backend.pbkdf2(digest, password, &salt, options.iterations, kek.expose_mut())?;
    Ok(Wrapped { derivation, algorithm, encrypted_key: wrap(backend, cipher, kek.expose(), &iv, key.expose())? })
}

/// Unwraps a key with a password. `iterations` is the remaining budget.
pub(super) fn decrypt(
    backend: &dyn Backend,
    password: &[u8],
    iterations: &mut u32,
    info: &PasswordRecipientInfo<'_>,
) -> Result<Secret, CmsError> {
    let derivation = info.key_derivation_algorithm.as_ref();
    let missing = || Error::new(ErrorKind::Unsupported, "a password recipient without a key derivation");
    let derivation = Derivation::read(derivation.ok_or_else(missing)?, *iterations)?;
    let algorithm = &info.key_encryption_algorithm;
    if algorithm.algorithm != oids::ALG_PWRI_KEK {
        return Err(Error::new(ErrorKind::Unsupported, crate::error::named(algorithm.algorithm)).into());
    }
    let wrong = || Error::new(ErrorKind::Parameters, "PWRI-KEK");
    let inner = algorithm.parameters.ok_or_else(wrong)?;
    let inner: AlgorithmIdentifier<'_> = inner.decode_as().map_err(|error| wrong().because(error))?;
    let cipher = ContentCipher::read(&inner)?;
    // Charged in advance, because the work is done regardless of the result.
    *iterations = iterations.saturating_sub(derivation.cost);
    let kek = derivation.cipher_key(backend, password, cipher.key_len())?;
    let wrapped = info.encrypted_key.as_bytes();
    let (block, kek) = (cipher.block(), kek.expose());
    let Some(block) = block else { return Err(wrong().into()) };
    // RFC 3211 §2.3.2: at least two blocks. The vector of the outer layer is the last block of the inner one, which is what the
    // last block decrypts to under the one before it.
    let (count, rest) = (wrapped.len().checked_div(block).unwrap_or_default(), wrapped.len() % block);
    if count < 2 || rest != 0 {
        return Err(Error::new(ErrorKind::Length, "PWRI-KEK").into());
    }
    let split = |back: usize| wrapped.split_at_checked(wrapped.len().saturating_sub(back)).unwrap_or_default();
    let (_, last) = split(block);
    let (before, _) = split(block);
    let (_, previous) = before.split_at_checked(before.len().saturating_sub(block)).unwrap_or_default();
    let iv = cipher.blocks(backend, kek, previous, last)?;
    let inner = cipher.blocks(backend, kek, iv.expose(), before)?;
    let inner = Secret::from([inner.expose(), iv.expose()].concat());
    let plain = cipher.blocks(backend, kek, cipher.iv(), inner.expose())?;
    Ok(unpack(plain.expose())?)
}

/// Wraps a key with PWRI-KEK (RFC 3211 §2.3.1). The key's length, the complement of its first three bytes, the key, and
/// random padding form at least two blocks. They are encrypted twice, and the second pass continues the CBC chain of the
/// first.
fn wrap(backend: &dyn Backend, cipher: Cipher, kek: &[u8], iv: &[u8], key: &[u8]) -> Result<Vec<u8>, Error> {
    let len = u8::try_from(key.len()).map_err(|error| Error::new(ErrorKind::Length, "PWRI-KEK").because(error))?;
    let size = key.len().saturating_add(4).next_multiple_of(16).max(32);
    let mut plain = Secret::zeroed(size);
    backend.random(plain.expose_mut())?;
    let complement = key.iter().take(3).map(|octet| !octet);
    let head = core::iter::once(len).chain(complement).chain(key.iter().copied());
    plain.expose_mut().iter_mut().zip(head).for_each(|(octet, from)| *octet = from);
    // The block of padding is dropped: the whole blocks before it are the same without it.
    let mut inner = backend.encrypt(cipher, kek, iv, &[], plain.expose())?;
    inner.truncate(size);
    let last = inner.last_chunk::<16>().copied().unwrap_or_default();
    let mut outer = backend.encrypt(cipher, kek, &last, &[], &inner)?;
    outer.truncate(size);
    Ok(outer)
}

/// Extracts the key from the decrypted blocks. All failures result in the same error.
fn unpack(plain: &[u8]) -> Result<Secret, Error> {
    let damaged = || Error::new(ErrorKind::Integrity, "PWRI-KEK");
    let (head, rest) = plain.split_first_chunk::<4>().ok_or_else(damaged)?;
    let [len, check @ ..] = *head;
    let key = rest.get(..usize::from(len)).ok_or_else(damaged)?;
    let complement = key.first_chunk::<3>().ok_or_else(damaged)?.map(|octet| !octet);
    if is_same(&check, &complement) { Ok(Secret::from(key)) } else { Err(damaged()) }
}

impl ContentCipher {
    /// Returns the block length in bytes, for block ciphers in CBC mode.
    const fn block(&self) -> Option<usize> {
        match self {
            Self::Cbc { .. } => Some(16),
            Self::Old { cipher: OldCipher::TripleDesCbc, .. } => Some(8),
            _ => None,
        }
    }

    fn iv(&self) -> &[u8] {
        match self {
            Self::Cbc { iv, .. } | Self::Old { iv, .. } => iv,
            Self::Gcm { nonce, .. } => nonce,
        }
    }

    /// Decrypts whole blocks without padding.
    fn blocks(&self, backend: &dyn Backend, key: &[u8], iv: &[u8], octets: &[u8]) -> Result<Secret, Error> {
        match self {
            Self::Cbc { cipher, .. } => unpadded(backend, *cipher, key, iv, octets),
            _ => OldCipher::triple_des_blocks(key, iv, octets, false),
        }
    }
}
