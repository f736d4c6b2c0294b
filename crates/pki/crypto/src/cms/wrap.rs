//! Key wrapping: AES (RFC 3394, RFC 3565 §2.3.2), and Triple DES for legacy messages (RFC 3217 §3).

use tagwise_codec::Oid;
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::error::named;
use crate::primitives::is_same;
use crate::{Backend, Cipher, Digest, Error, ErrorKind, OldCipher, Secret, Wrap};

/// A key wrap algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyWrap {
    Aes(Wrap),
    /// AES-192 key wrap, which backends need not support.
    Aes192,
    /// Triple DES, only for unwrapping.
    TripleDes,
}

impl KeyWrap {
    /// Returns the algorithm whose key length matches the content key's.
    pub(super) const fn for_key(len: usize) -> Self {
        match len {
            ..=16 => Self::Aes(Wrap::Aes128),
            17..=24 => Self::Aes192,
            _ => Self::Aes(Wrap::Aes256),
        }
    }

    /// Decodes the key wrap algorithm in an identifier. Parameters should be absent (RFC 3565 §2.3.2) or, for Triple DES, NULL
    /// (RFC 3370 §4.3.1). Other parameters are ignored, because some implementations write NULL for every algorithm.
    pub(super) fn of(identifier: &AlgorithmIdentifier<'_>) -> Result<Self, Error> {
        let all = [Self::Aes(Wrap::Aes128), Self::Aes192, Self::Aes(Wrap::Aes256), Self::TripleDes];
        let found = all.into_iter().find(|wrap| wrap.oid() == identifier.algorithm);
        found.ok_or_else(|| Error::new(ErrorKind::Unsupported, named(identifier.algorithm)))
    }

    pub(super) const fn oid(self) -> Oid<'static> {
        match self {
            Self::Aes(Wrap::Aes128) => oids::AES128_WRAP,
            Self::Aes192 => oids::AES192_WRAP,
            Self::Aes(_) => oids::AES256_WRAP,
            Self::TripleDes => oids::ALG_CMS3DE_SWRAP,
        }
    }

    pub(super) const fn identifier(self) -> AlgorithmIdentifier<'static> {
        AlgorithmIdentifier { algorithm: self.oid(), parameters: None }
    }

    pub(super) const fn key_len(self) -> usize {
        match self {
            Self::Aes(wrap) => wrap.key_len(),
            Self::Aes192 | Self::TripleDes => 24,
        }
    }

    pub(super) fn wrap(self, backend: &dyn Backend, kek: &[u8], key: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::Aes(wrap) => backend.wrap(wrap, kek, key),
            Self::Aes192 => Aes192 { backend, kek }.wrap(key),
            Self::TripleDes => Err(Error::new(ErrorKind::Legacy, OldCipher::TripleDesCbc)),
        }
    }

    pub(super) fn unwrap(self, backend: &dyn Backend, kek: &[u8], wrapped: &[u8]) -> Result<Secret, Error> {
        match self {
            Self::Aes(wrap) => backend.unwrap(wrap, kek, wrapped),
            Self::Aes192 => Aes192 { backend, kek }.unwrap(wrapped),
            Self::TripleDes => triple_des(backend, kek, wrapped),
        }
    }
}

/// Unwraps a key with Triple DES (RFC 3217 §3.2).
fn triple_des(backend: &dyn Backend, kek: &[u8], wrapped: &[u8]) -> Result<Secret, Error> {
    const IV: [u8; 8] = [0x4A, 0xDD, 0xA2, 0x2C, 0x79, 0xE8, 0x21, 0x05];
    if wrapped.len() != 40 {
        return Err(Error::new(ErrorKind::Length, "Triple DES key wrap"));
    }
    let mut reversed = OldCipher::triple_des_blocks(kek, &IV, wrapped, false)?;
    reversed.expose_mut().reverse();
    let (iv, octets) = reversed.expose().split_at_checked(8).unwrap_or_default();
    let mut key = OldCipher::triple_des_blocks(kek, iv, octets, false)?;
    let (inside, sum) = key.expose().split_at_checked(24).unwrap_or_default();
    let digest = backend.digest(Digest::Sha1, inside)?;
    if !is_same(digest.get(..8).unwrap_or_default(), sum) {
        return Err(Error::new(ErrorKind::Integrity, "Triple DES key wrap"));
    }
    key.truncate(24);
    Ok(key)
}

/// AES-192 key wrap (RFC 3394). A single block is encrypted as the first block in CBC mode with a zero initialization
/// vector.
struct Aes192<'a> {
    backend: &'a dyn Backend,
    kek: &'a [u8],
}

const NAME: &str = "AES-192-KW";
/// The initial check value (RFC 3394 §2.2.3.1).
const INITIAL: [u8; 8] = [0xA6; 8];

impl Aes192<'_> {
    fn encrypt(&self, block: &[u8; 16]) -> Result<[u8; 16], Error> {
        let octets = self.backend.encrypt(Cipher::Aes192Cbc, self.kek, &[0; 16], &[], block)?;
        octets.first_chunk().copied().ok_or_else(|| Error::new(ErrorKind::Failed, NAME))
    }

    fn decrypt(&self, block: &[u8; 16]) -> Result<[u8; 16], Error> {
        let octets = unpadded(self.backend, Cipher::Aes192Cbc, self.kek, &[0; 16], block)?;
        octets.expose().first_chunk().copied().ok_or_else(|| Error::new(ErrorKind::Failed, NAME))
    }

    /// Splits the bytes of a key into half blocks.
    fn halves(octets: &[u8]) -> Result<Vec<[u8; 8]>, Error> {
        let (halves, rest) = octets.as_chunks();
        if halves.len() < 2 || !rest.is_empty() {
            return Err(Error::new(ErrorKind::Length, NAME));
        }
        Ok(halves.to_vec())
    }

    fn join(check: [u8; 8], half: [u8; 8]) -> [u8; 16] {
        let mut block = [0; 16];
        block.iter_mut().zip(check.into_iter().chain(half)).for_each(|(octet, from)| *octet = from);
        block
    }

    /// Splits a block into the check value and a half block.
    fn split(block: [u8; 16]) -> ([u8; 8], [u8; 8]) {
        let number = u128::from_be_bytes(block);
        let halves = [number >> 64, number].map(|half| u64::try_from(half & u128::from(u64::MAX)).unwrap_or_default());
        let [check, half] = halves.map(u64::to_be_bytes);
        (check, half)
    }

    fn counted(check: [u8; 8], count: u64) -> [u8; 8] {
        (u64::from_be_bytes(check) ^ count).to_be_bytes()
    }

    /// Wraps a key, using the index-based method (RFC 3394 §2.2.1).
    fn wrap(&self, key: &[u8]) -> Result<Vec<u8>, Error> {
        let mut halves = zeroize::Zeroizing::new(Self::halves(key)?);
        let (mut check, mut count) = (INITIAL, 0);
        for _ in 0..6 {
            for half in halves.iter_mut() {
                count += 1;
                let (next, changed) = Self::split(self.encrypt(&Self::join(check, *half))?);
                (check, *half) = (Self::counted(next, count), changed);
            }
        }
        Ok([&check[..], halves.as_flattened()].concat())
    }

    /// Unwraps a key, using the index-based method (RFC 3394 §2.2.2).
    fn unwrap(&self, wrapped: &[u8]) -> Result<Secret, Error> {
        let (check, octets) = wrapped.split_first_chunk().ok_or_else(|| Error::new(ErrorKind::Length, NAME))?;
        let mut halves = zeroize::Zeroizing::new(Self::halves(octets)?);
        let mut check: [u8; 8] = *check;
        let mut count = (halves.len() as u64).saturating_mul(6);
        for _ in 0..6 {
            for half in halves.iter_mut().rev() {
                let (next, changed) = Self::split(self.decrypt(&Self::join(Self::counted(check, count), *half))?);
                (check, *half) = (next, changed);
                count = count.saturating_sub(1);
            }
        }
        if !is_same(&check, &INITIAL) {
            return Err(Error::new(ErrorKind::Integrity, NAME));
        }
        Ok(Secret::from(halves.as_flattened()))
    }
}

/// Decrypts whole blocks without padding, using a backend that supports only padded ciphertext. For this purpose, an
/// additional block that decrypts to a block of padding is appended.
pub(super) fn unpadded(
    backend: &dyn Backend,
    cipher: Cipher,
    key: &[u8],
    iv: &[u8],
    octets: &[u8],
) -> Result<Secret, Error> {
    let Some(last) = octets.last_chunk::<16>().filter(|_| octets.len().is_multiple_of(16)) else {
        return Err(Error::new(ErrorKind::Length, cipher));
    };
    let padding = backend.encrypt(cipher, key, last, &[], &[])?;
    backend.decrypt(cipher, key, iv, &[], &[octets, &padding].concat())
}

#[cfg(all(test, feature = "aws-lc"))]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::backends::AwsLc;

    const BACKEND: AwsLc = AwsLc::new();

    fn octets(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    /// RFC 3394 §4.2 and §4.4.
    #[test]
    fn aes_192_has_the_vectors_of_its_standard() {
        let kek = octets("000102030405060708090a0b0c0d0e0f1011121314151617");
        for (key, wrapped) in [
            ("00112233445566778899aabbccddeeff", "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
            (
                "00112233445566778899aabbccddeeff0001020304050607",
                "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2",
            ),
        ] {
            let (key, wrapped) = (octets(key), octets(wrapped));
            assert_eq!(KeyWrap::Aes192.wrap(&BACKEND, &kek, &key).unwrap(), wrapped);
            assert_eq!(KeyWrap::Aes192.unwrap(&BACKEND, &kek, &wrapped).unwrap().expose(), key);
            for at in 0..wrapped.len() {
                let mut changed = wrapped.clone();
                changed[at] ^= 1;
                let error = KeyWrap::Aes192.unwrap(&BACKEND, &kek, &changed).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Integrity, "{at}");
            }
        }
        for len in [0, 7, 8, 16, 25] {
            let error = KeyWrap::Aes192.unwrap(&BACKEND, &kek, &vec![0; len]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Length, "{len}");
        }
    }

    /// RFC 3217 §3.3.
    #[test]
    fn triple_des_has_the_vector_of_its_standard() {
        let kek = octets("255e0d1c07b646dfb3134cc843ba8aa71f025b7c0838251f");
        let wrapped = octets("690107618ef092b3b48ca1796b234ae9fa33ebb4159604037db5d6a84eb3aac2768c632775a467d4");
        let key = KeyWrap::TripleDes.unwrap(&BACKEND, &kek, &wrapped).unwrap();
        assert_eq!(key.expose(), octets("2923bf85e06dd6ae529149f1f1bae9eab3a7da3d860d3e98"));
        let mut changed = wrapped;
        changed[20] ^= 1;
        assert_eq!(KeyWrap::TripleDes.unwrap(&BACKEND, &kek, &changed).unwrap_err().kind(), ErrorKind::Integrity);
    }
}
