//! Password-based key derivation by identifier: PBKDF2 (RFC 8018 §5.2) or scrypt (RFC 7914).

use tagwise_codec::{Oid, Options, Rule};
use tagwise_pkix::pkcs5::{Pbkdf2Params, Pbkdf2ParamsSalt};
use tagwise_pkix::scrypt::ScryptParams;
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::error::named;
use crate::{Backend, Digest, Error, ErrorKind, Secret};

/// HMACs by identifier (RFC 8018 §B.1).
pub(crate) const HMACS: [(Oid<'static>, Digest); 6] = [
    (oids::HMAC_WITH_SHA1, Digest::Sha1),
    (oids::HMAC_WITH_SHA224, Digest::Sha224),
    (oids::HMAC_WITH_SHA256, Digest::Sha256),
    (oids::HMAC_WITH_SHA384, Digest::Sha384),
    (oids::HMAC_WITH_SHA512, Digest::Sha512),
    (oids::HMAC_WITH_SHA512_256, Digest::Sha512_256),
];

/// Returns the digest of an HMAC algorithm.
pub(crate) fn hmac_of(identifier: &AlgorithmIdentifier<'_>) -> Result<Digest, Error> {
    let found = HMACS.iter().find(|(oid, _)| *oid == identifier.algorithm);
    found.map(|(_, digest)| *digest).ok_or_else(|| Error::new(ErrorKind::Unsupported, named(identifier.algorithm)))
}

/// The memory limit for scrypt: four times the largest default of current programs (N = 2¹⁶, r = 8).
const MAX_MEMORY: u64 = 256 << 20;

/// A key derivation function with its parameters, within the limits.
#[derive(Debug)]
pub(crate) struct Derivation<'a> {
    function: Function<'a>,
    /// The cost of deriving one key, in iterations.
    pub(crate) cost: u32,
    /// The key length, if the parameters specify it.
    pub(crate) key_len: Option<u64>,
}

#[derive(Debug)]
enum Function<'a> {
    Pbkdf2 { prf: Digest, salt: &'a [u8], iterations: u32 },
    Scrypt { salt: &'a [u8], parameters: scrypt::Params },
}

impl<'a> Derivation<'a> {
    /// Decodes a key derivation function and checks its cost.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] if the function is not supported, [`ErrorKind::Parameters`] if its parameters are
    /// invalid, or [`ErrorKind::Limit`] if it requires more than `max_iterations` or too much memory.
    pub(crate) fn read(identifier: &AlgorithmIdentifier<'a>, max_iterations: u32) -> Result<Self, Error> {
        let name = if identifier.algorithm == oids::PBKDF2 {
            "PBKDF2"
        } else if identifier.algorithm == oids::SCRYPT {
            "scrypt"
        } else {
            return Err(Error::new(ErrorKind::Unsupported, named(identifier.algorithm)));
        };
        let wrong = || Error::new(ErrorKind::Parameters, name);
        let decoded = |error: tagwise_codec::Error| wrong().because(error);
        let limit = || Error::new(ErrorKind::Limit, name);
        let parameters = identifier.parameters.ok_or_else(wrong)?;
        if identifier.algorithm == oids::PBKDF2 {
            // Password-protected structures are BER (RFC 7292 §3, RFC 5652 §2), where a DEFAULT may be encoded.
            let ber = Options::der().allow(&Rule::DEFAULT_ENCODED);
            let read = ber.decode::<Pbkdf2Params<'a>>(parameters.as_bytes()).map_err(decoded)?.value;
            let Pbkdf2ParamsSalt::Specified(salt) = read.salt else { return Err(wrong()) };
            let prf = hmac_of(&read.prf)?;
            let iterations = u32::try_from(read.iteration_count).ok().filter(|count| *count <= max_iterations);
            let iterations = iterations.ok_or_else(limit)?;
            let function = Function::Pbkdf2 { prf, salt: salt.as_bytes(), iterations };
            return Ok(Self { function, cost: iterations, key_len: read.key_length });
        }
        let read: ScryptParams<'a> = parameters.decode_as().map_err(decoded)?;
        let (cost, block, parallel) = (read.cost_parameter, read.block_size, read.parallelization_parameter);
        // RFC 7914 §2: the cost is a power of two above 1. §6: p times N steps over blocks of 128 r octets, of which N + p
        // are kept.
        if cost < 2 || !cost.is_power_of_two() {
            return Err(wrong());
        }
        let steps = cost.saturating_mul(block).saturating_mul(parallel);
        let memory = cost.saturating_add(parallel).saturating_mul(block).saturating_mul(128);
        if steps > max_iterations.into() || memory > MAX_MEMORY {
            return Err(limit());
        }
        let fit = |number: u64| u32::try_from(number).map_err(|error| limit().because(error));
        let log = u8::try_from(cost.ilog2()).map_err(|error| limit().because(error))?;
        let parameters = scrypt::Params::new(log, fit(block)?, fit(parallel)?);
        let parameters = parameters.map_err(|error| wrong().because(error.to_string()))?;
        let function = Function::Scrypt { salt: read.salt.as_bytes(), parameters };
        Ok(Self { function, cost: fit(steps)?, key_len: read.key_length })
    }

    /// Derives a key of the given length.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the function, and [`ErrorKind::Length`] for an empty
    /// key.
    pub(crate) fn key(&self, backend: &dyn Backend, password: &[u8], len: usize) -> Result<Secret, Error> {
        let mut key = Secret::zeroed(len);
        match &self.function {
            Function::Pbkdf2 { prf, salt, iterations } => {
                pbkdf2(backend, *prf, password, salt, *iterations, key.expose_mut())?;
            }
            Function::Scrypt { salt, parameters } => scrypt::scrypt(password, salt, parameters, key.expose_mut())
                .map_err(|error| Error::new(ErrorKind::Length, "scrypt").because(error.to_string()))?,
        }
        Ok(key)
    }

    /// Derives a cipher key. If the parameters specify a key length, it must be the given one.
    ///
    /// # Errors
    /// Returns any error from [`key`](Self::key), or [`ErrorKind::Parameters`] if the length differs.
    pub(crate) fn cipher_key(&self, backend: &dyn Backend, password: &[u8], len: usize) -> Result<Secret, Error> {
        if self.key_len.is_some_and(|said| said != len as u64) {
            return Err(Error::new(ErrorKind::Parameters, "the length of the key"));
        }
        self.key(backend, password, len)
    }
}

/// Computes PBKDF2, using only HMAC if the backend does not support PBKDF2 with this digest.
fn pbkdf2(
    backend: &dyn Backend,
    prf: Digest,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    key: &mut [u8],
) -> Result<(), Error> {
    match backend.pbkdf2(prf, password, salt, iterations, key) {
        Err(error) if error.kind() == ErrorKind::NotOffered => {}
        other => return other,
    }
    // RFC 8018 §5.2: T_i = U_1 ^ U_2 … ^ U_c.
    for (number, block) in (1_u32..).zip(key.chunks_mut(prf.output_len())) {
        let mut hmac = backend.hmac(prf, password)?;
        hmac.update(salt);
        hmac.update(&number.to_be_bytes());
        let mut round = Secret::from(hmac.finish()?);
        let mut sum = round.clone();
        for _ in 1..iterations {
            let mut hmac = backend.hmac(prf, password)?;
            hmac.update(round.expose());
            round = Secret::from(hmac.finish()?);
            sum.expose_mut().iter_mut().zip(round.expose()).for_each(|(sum, octet)| *sum ^= octet);
        }
        block.iter_mut().zip(sum.expose()).for_each(|(octet, sum)| *octet = *sum);
    }
    Ok(())
}

#[cfg(all(test, feature = "aws-lc"))]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use tagwise_codec::{Any, Decode, OctetStr, encode};

    use super::*;
    use crate::Primitives;
    use crate::backends::AwsLc;

    const BACKEND: AwsLc = AwsLc::new();

    fn scrypt(cost: u64, block: u64, parallel: u64, max: u32) -> Result<Secret, Error> {
        let parameters = encode(&ScryptParams {
            salt: OctetStr::new(b"NaCl"),
            cost_parameter: cost,
            block_size: block,
            parallelization_parameter: parallel,
            key_length: Some(64),
        })
        .unwrap();
        let identifier = AlgorithmIdentifier { algorithm: oids::SCRYPT, parameters: Any::from_der(&parameters).ok() };
        Derivation::read(&identifier, max)?.key(&BACKEND, b"password", 64)
    }

    /// RFC 7914 §12, the second vector.
    #[test]
    fn scrypt_has_the_vector_of_its_standard() {
        let key = scrypt(1024, 8, 16, 1 << 20).unwrap();
        assert_eq!(key.expose()[..8], [0xFD, 0xBA, 0xBE, 0x1C, 0x9D, 0x34, 0x72, 0x00]);
        assert_eq!(key.expose()[56..], [0x83, 0x60, 0xCB, 0xDF, 0xA2, 0xCC, 0x06, 0x40]);
    }

    #[test]
    fn scrypt_is_limited() {
        let kind = |result: Result<Secret, Error>| result.unwrap_err().kind();
        assert_eq!(kind(scrypt(1024, 8, 16, 131_071)), ErrorKind::Limit);
        assert_eq!(kind(scrypt(1 << 62, 8, 1, u32::MAX)), ErrorKind::Limit);
        // Little work and much memory.
        assert_eq!(kind(scrypt(2, 1 << 21, 1, u32::MAX)), ErrorKind::Limit);
        assert_eq!(kind(scrypt(2, 1, 1 << 30, u32::MAX)), ErrorKind::Limit);
        assert_eq!(kind(scrypt(1000, 8, 1, u32::MAX)), ErrorKind::Parameters);
        assert_eq!(kind(scrypt(1, 8, 1, u32::MAX)), ErrorKind::Parameters);
    }

    /// A digest that the backend has as HMAC and not as PBKDF2.
    #[test]
    fn pbkdf2_of_hmacs() {
        assert_eq!(BACKEND.pbkdf2(Digest::Sha224, b"", b"", 1, &mut [0; 1]).unwrap_err().kind(), ErrorKind::NotOffered);
        let mut key = [0; 40];
        pbkdf2(&BACKEND, Digest::Sha224, b"passwd", b"salt", 2, &mut key).unwrap();
        let hmac = |parts: &[&[u8]]| {
            let mut hmac = BACKEND.hmac(Digest::Sha224, b"passwd").unwrap();
            parts.iter().for_each(|part| hmac.update(part));
            hmac.finish().unwrap()
        };
        let block = |number: u8| {
            let first = hmac(&[b"salt", &[0, 0, 0, number]]);
            let second = hmac(&[&first]);
            first.iter().zip(second).map(|(one, other)| one ^ other).collect::<Vec<_>>()
        };
        assert_eq!(key[..], [block(1), block(2)].concat()[..40]);
    }
}
