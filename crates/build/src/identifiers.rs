//! Key identifiers and serial numbers.

use sha1::Digest as _;
use tagwise_codec::{EncodeError, Error, Int, encode};

use super::BuildError;
use tagwise_x509::alg::SubjectPublicKeyInfo;
use tagwise_x509::cert::{Certificate, CertificateSerialNumber};
use tagwise_x509::ext::{AuthorityKeyIdentifier, SubjectKeyIdentifier};

/// Derivation of a key's identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyIdentifierMethod {
    /// SHA-1 of the key: RFC 5280 §4.2.1.2 (1). What most certificates have.
    Sha1,
    /// The last 60 bits of the SHA-1 of the key, behind 0100: RFC 5280 §4.2.1.2 (2).
    ShortSha1,
    /// The first 160 bits of the SHA-256 of the key: RFC 7093 §2 (1).
    Sha256,
    /// The first 160 bits of the SHA-384 of the key: RFC 7093 §2 (2).
    Sha384,
    /// The first 160 bits of the SHA-512 of the key: RFC 7093 §2 (3).
    Sha512,
    /// The SHA-256 of the whole SubjectPublicKeyInfo: RFC 7093 §2 (4).
    InfoSha256,
}

impl KeyIdentifierMethod {
    /// The identifier of a key. All but the last method take the octets inside its BIT STRING.
    ///
    /// ```
    /// use tagwise_codec::Decode;
    /// use tagwise_pkix::{SubjectPublicKeyInfo, build::KeyIdentifierMethod};
    /// let mut der = b"\x30\x2A\x30\x05\x06\x03\x2B\x65\x70\x03\x21\x00".to_vec();
    /// der.extend([0; 32]);
    /// let key = SubjectPublicKeyInfo::from_der(&der)?;
    /// assert_eq!(KeyIdentifierMethod::Sha1.of(&key)?[..4], [0xDE, 0x8A, 0x84, 0x7B]);
    /// assert_eq!(KeyIdentifierMethod::ShortSha1.of(&key)?.len(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the whole is wanted and has no encoding.
    pub fn of(self, key: &SubjectPublicKeyInfo<'_>) -> Result<Vec<u8>, EncodeError> {
        let octets = key.subject_public_key.as_bytes();
        let first = |hash: &[u8]| hash.get(..20).unwrap_or(hash).to_vec();
        Ok(match self {
            Self::Sha1 => sha1::Sha1::digest(octets).to_vec(),
            Self::ShortSha1 => {
                let mut last: Vec<u8> = sha1::Sha1::digest(octets).iter().skip(12).copied().collect();
                if let Some(octet) = last.first_mut() {
                    *octet = 0x40 | *octet & 0x0F;
                }
                last
            }
            Self::Sha256 => first(&sha2::Sha256::digest(octets)),
            Self::Sha384 => first(&sha2::Sha384::digest(octets)),
            Self::Sha512 => first(&sha2::Sha512::digest(octets)),
            Self::InfoSha256 => sha2::Sha256::digest(encode(key)?).to_vec(),
        })
    }
}

/// Makes the identifier that certificates of this issuer have for its key: the issuer's subject key identifier (RFC
/// 5280 §4.2.1.1); `None` if the issuer has none.
///
/// # Errors
/// What is wrong with the issuer's extension: possible after an outline only.
pub fn authority_key_identifier<'a>(issuer: &Certificate<'a>) -> Result<Option<AuthorityKeyIdentifier<'a>>, Error> {
    let Some(extensions) = issuer.tbs_certificate.extensions else { return Ok(None) };
    let identifier = extensions.get::<SubjectKeyIdentifier<'_>>()?;
    Ok(identifier
        .map(|own| AuthorityKeyIdentifier { key_identifier: Some(own.0), ..AuthorityKeyIdentifier::default() }))
}

/// A serial number as the Baseline Requirements of the CA/Browser Forum want it (§7.1): above zero, below 2¹⁵⁹, with at least 64 bits
/// from a generator of random numbers. Here they are 159 bits.
///
/// ```
/// use tagwise_pkix::build::SerialNumber;
/// let serial = SerialNumber::from_random([0xFF; 20]);
/// assert_eq!(serial.number().0.as_bytes(), [&[0x7F][..], &[0xFF; 19]].concat());
/// assert_ne!(SerialNumber::generate()?, SerialNumber::generate()?);
/// assert_eq!(SerialNumber::generate_many(3)?.len(), 3);
/// # Ok::<(), tagwise_pkix::build::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SerialNumber([u8; 20]);

impl SerialNumber {
    /// From the system's generator.
    ///
    /// # Errors
    /// If that fails.
    pub fn generate() -> Result<Self, BuildError> {
        let mut octets = [0; 20];
        getrandom::fill(&mut octets).map_err(BuildError::Random)?;
        Ok(Self::from_random(octets))
    }

    /// As many, asked for at once: for who needs a few hundred, since each question to the system takes as long as much of the rest.
    ///
    /// # Errors
    /// If the generator fails.
    pub fn generate_many(count: usize) -> Result<Vec<Self>, BuildError> {
        let mut octets = vec![[0; 20]; count];
        getrandom::fill(octets.as_flattened_mut()).map_err(BuildError::Random)?;
        Ok(octets.into_iter().map(Self::from_random).collect())
    }

    /// From random octets: their first bit is dropped, and zero is one.
    #[must_use]
    pub fn from_random(mut octets: [u8; 20]) -> Self {
        octets[0] &= 0x7F;
        if octets == [0; 20] {
            octets[19] = 1;
        }
        Self(octets)
    }

    /// The number, as certificates have it.
    #[must_use]
    pub const fn number(&self) -> CertificateSerialNumber<'_> {
        CertificateSerialNumber(Int::from_signed(&self.0))
    }
}
