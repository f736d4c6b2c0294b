//! The protection of keys in Java keystores: Sun's JKS key protector, and PBEWithMD5AndTripleDES of JCEKS.

use md5::{Digest as _, Md5};
use tagwise_codec::{Any, Decode, OctetStr, Oid, Tag, oid};
use tagwise_crypto::{Backend, Digest, Error, ErrorKind, OldCipher, Secret};
use tagwise_input::java_object;
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::pkcs8::EncryptedPrivateKeyInfo;

/// 1.3.6.1.4.1.42.2.17.1.1
const JKS_PROTECTOR: Oid<'static> = oid!("1.3.6.1.4.1.42.2.17.1.1");
/// The identifier of PBEWithMD5AndTripleDES.
const PBE_MD5_TRIPLE_DES: Oid<'static> = oid!("1.3.6.1.4.1.42.2.19.1");

const JKS: &str = "the JKS key protector";
const PBE: &str = "PBEWithMD5AndTripleDES";

/// Encodes a password as Java hashes it: in big-endian UTF-16.
pub(super) fn utf16(password: &[u8]) -> Result<Secret, Error> {
    let text = core::str::from_utf8(password);
    let text = text.map_err(|_| Error::new(ErrorKind::Parameters, "a password that is not UTF-8"))?;
    let mut units = Secret::zeroed(text.encode_utf16().count() * 2);
    for (pair, unit) in units.expose_mut().chunks_exact_mut(2).zip(text.encode_utf16()) {
        pair.copy_from_slice(&unit.to_be_bytes());
    }
    Ok(units)
}

/// Decrypts an EncryptedPrivateKeyInfo of either scheme to PKCS #8.
pub(super) fn private_key(
    backend: &dyn Backend,
    protected: &[u8],
    password: &[u8],
    budget: &mut u32,
) -> Result<Secret, Error> {
    let malformed = |error| Error::new(ErrorKind::MalformedKey, "protected").because(error);
    let info = EncryptedPrivateKeyInfo::from_der(protected).map_err(malformed)?;
    let ciphertext = info.encrypted_data.as_bytes();
    let algorithm = info.encryption_algorithm;
    if algorithm.algorithm == JKS_PROTECTOR {
        return jks(backend, ciphertext, password);
    }
    if algorithm.algorithm == PBE_MD5_TRIPLE_DES {
        let plain = pbe(&algorithm, ciphertext, password, budget)?;
        // One in 256 wrong passwords yields a valid padding after random data.
        return match plain.expose().first() {
            Some(0x30) => Ok(plain),
            _ => Err(Error::new(ErrorKind::Integrity, PBE)),
        };
    }
    Err(Error::new(ErrorKind::Unsupported, format_args!("a Java key protected by {}", algorithm.algorithm)))
}

/// Decrypts with the JKS key protector (`sun.security.provider.KeyProtector`): a salt of 20 bytes, the key XORed with a
/// chain of digests, and a digest of the password and the key.
fn jks(backend: &dyn Backend, protected: &[u8], password: &[u8]) -> Result<Secret, Error> {
    let truncated =
        || Error::new(ErrorKind::MalformedKey, JKS).because("the encrypted key is shorter than its salt and digest");
    let (salt, rest) = protected.split_at_checked(20).ok_or_else(truncated)?;
    let (ciphertext, check) =
        rest.len().checked_sub(20).and_then(|len| rest.split_at_checked(len)).ok_or_else(truncated)?;
    let password = utf16(password)?;
    let digest = |after: &[u8]| {
        let mut hasher = backend.hasher(Digest::Sha1)?;
        hasher.update(password.expose());
        hasher.update(after);
        hasher.finish().map(Secret::from)
    };
    let mut plain = Secret::from(ciphertext);
    let mut stream = Secret::from(salt);
    for block in plain.expose_mut().chunks_mut(20) {
        stream = digest(stream.expose())?;
        block.iter_mut().zip(stream.expose()).for_each(|(octet, with)| *octet ^= with);
    }
    match digest(plain.expose())?.expose() == check {
        true => Ok(plain),
        false => Err(Error::new(ErrorKind::Integrity, JKS)),
    }
}

/// Decrypts PBEWithMD5AndTripleDES (`com.sun.crypto.provider.PBES1Core`). Each half of the salt is hashed with the password,
/// once per iteration. The two digests are the key and the initialization vector.
fn pbe(
    algorithm: &AlgorithmIdentifier<'_>,
    ciphertext: &[u8],
    password: &[u8],
    budget: &mut u32,
) -> Result<Secret, Error> {
    let parameters = algorithm.parameters.ok_or_else(|| Error::new(ErrorKind::Parameters, PBE))?;
    pbe_with(parameters.as_bytes(), ciphertext, password, budget)
}

/// Like [`pbe`], with the parameters `SEQUENCE { salt OCTET STRING, iterations INTEGER }` in DER.
fn pbe_with(parameters: &[u8], ciphertext: &[u8], password: &[u8], budget: &mut u32) -> Result<Secret, Error> {
    let wrong = || Error::new(ErrorKind::Parameters, PBE);
    let (salt, iterations) = salt_of(parameters).ok_or_else(wrong)?;
    // Both halves of the salt cost all iterations.
    let left = iterations.checked_mul(2).and_then(|cost| budget.checked_sub(cost));
    *budget = left.ok_or_else(|| {
        Error::new(ErrorKind::Limit, PBE).because(format!("{iterations} iterations, expected at most {}", *budget / 2))
    })?;
    let mut salt: [u8; 8] = salt;
    let (first, second) = salt.split_at_mut(4);
    if first == second {
        // Equal halves would yield one key. Java means to reverse the first, but writes one byte to a wrong place.
        for at in 0..2 {
            let octet = salt.get(at).copied().unwrap_or_default();
            let from = salt.get(3 - at).copied().unwrap_or_default();
            salt.get_mut(at).into_iter().for_each(|to| *to = from);
            salt.get_mut(2).into_iter().for_each(|to| *to = octet);
        }
    }
    let mut derived = Secret::zeroed(32);
    for (half, to) in salt.chunks_exact(4).zip(derived.expose_mut().chunks_exact_mut(16)) {
        let mut digest = Secret::from(half);
        for _ in 0..iterations {
            let mut hasher = Md5::new();
            hasher.update(digest.expose());
            hasher.update(password);
            digest = Secret::from(hasher.finalize().to_vec());
        }
        to.iter_mut().zip(digest.expose()).for_each(|(to, from)| *to = *from);
    }
    let (key, iv) = derived.expose().split_at_checked(24).unwrap_or_default();
    OldCipher::TripleDesCbc.decrypt(key, iv, ciphertext)
}

fn salt_of(parameters: &[u8]) -> Option<([u8; 8], u32)> {
    let sequence = Any::from_der(parameters).ok().filter(|any| any.tag() == Tag::SEQUENCE)?;
    let mut children = sequence.children();
    let salt = children.next()?.ok()?;
    let salt: OctetStr<'_> = salt.decode_as().ok()?;
    let iterations = children.next()?.ok()?.decode_as::<u32>().ok().filter(|count| *count > 0)?;
    if children.next().is_some() {
        return None;
    }
    Some((salt.as_bytes().try_into().ok()?, iterations))
}

/// Decrypts a `SealedObjectForKeyProtector`, and returns the algorithm and bytes of the key inside.
pub(super) fn secret_key(object: &[u8], password: &[u8], budget: &mut u32) -> Result<(String, Secret), Error> {
    let malformed = |why: &'static str| Error::new(ErrorKind::MalformedKey, "the sealed object").because(why);
    let sealed = java_object::Object::read(object).ok_or_else(|| malformed("it cannot be parsed"))?;
    let octets = |name| sealed.octets(name);
    let content = octets("encryptedContent").ok_or_else(|| malformed("it has no encryptedContent"))?;
    let algorithm = sealed.text("sealAlg").unwrap_or_default();
    if algorithm != PBE {
        let algorithm: String = algorithm.chars().filter(char::is_ascii_graphic).take(64).collect();
        return Err(Error::new(ErrorKind::Unsupported, format_args!("a Java key sealed by {algorithm}")));
    }
    let parameters = octets("encodedParams").ok_or_else(|| malformed("it has no encodedParams"))?;
    let plain = pbe_with(parameters, content, password, budget)?;
    // One in 256 wrong passwords yields a valid padding after random data.
    if !plain.expose().starts_with(&java_object::MAGIC) {
        return Err(Error::new(ErrorKind::Integrity, PBE));
    }
    let key = java_object::Object::read(plain.expose()).ok_or_else(|| malformed("its content cannot be parsed"))?;
    // A SecretKeySpec has `key`, a KeyRep `encoded`.
    let bytes = key.octets("key").or_else(|| key.octets("encoded"));
    let bytes = bytes.ok_or_else(|| malformed("its content is not a SecretKeySpec or KeyRep"))?;
    Ok((key.text("algorithm").unwrap_or_default().to_owned(), Secret::from(bytes)))
}
