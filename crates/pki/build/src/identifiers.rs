//! Key identifiers and serial numbers.

use sha1::Digest as _;
use tagwise_codec::{EncodeError, Error, Int, encode};

use super::BuildError;
use tagwise_x509::alg::SubjectPublicKeyInfo;
use tagwise_x509::cert::{Certificate, CertificateSerialNumber};
use tagwise_x509::ext::{AuthorityKeyIdentifier, SubjectKeyIdentifier};

/// The method for deriving a key identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyIdentifierMethod {
    /// The SHA-1 hash of the key (RFC 5280 §4.2.1.2 (1)), the most common method.
    Sha1,
    /// The 4 bits 0100 followed by the last 60 bits of the key's SHA-1 hash (RFC 5280 §4.2.1.2 (2)).
    ShortSha1,
    /// The first 160 bits of the key's SHA-256 hash (RFC 7093 §2 (1)).
    Sha256,
    /// The first 160 bits of the key's SHA-384 hash (RFC 7093 §2 (2)).
    Sha384,
    /// The first 160 bits of the key's SHA-512 hash (RFC 7093 §2 (3)).
    Sha512,
    /// The SHA-256 hash of the complete SubjectPublicKeyInfo (RFC 7093 §2 (4)).
    InfoSha256,
}

impl KeyIdentifierMethod {
    /// Derives the identifier of a key. All methods except the last hash the contents of the BIT STRING.
    ///
    /// ```
    /// use tagwise_codec::Decode;
    /// use tagwise_build::KeyIdentifierMethod;
    /// use tagwise_x509::SubjectPublicKeyInfo;
    /// let mut der = b"\x30\x2A\x30\x05\x06\x03\x2B\x65\x70\x03\x21\x00".to_vec();
    /// der.extend([0; 32]);
    /// let key = SubjectPublicKeyInfo::from_der(&der)?;
    /// assert_eq!(KeyIdentifierMethod::Sha1.of(&key)?[..4], [0xDE, 0x8A, 0x84, 0x7B]);
    /// assert_eq!(KeyIdentifierMethod::ShortSha1.of(&key)?.len(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the method requires the complete SubjectPublicKeyInfo and it cannot be encoded.
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

/// Creates the authority key identifier for certificates of this issuer, from the issuer's subject key identifier (RFC 5280
/// §4.2.1.1). Returns `None` if the issuer has none.
///
/// # Errors
/// Returns an error if the issuer's extension is malformed. This is only possible if the certificate was decoded as an
/// outline, which does not check extension values.
pub fn authority_key_identifier<'a>(issuer: &Certificate<'a>) -> Result<Option<AuthorityKeyIdentifier<'a>>, Error> {
    let Some(extensions) = issuer.tbs_certificate.extensions else { return Ok(None) };
    let identifier = extensions.get::<SubjectKeyIdentifier<'_>>()?;
    Ok(identifier
        .map(|own| AuthorityKeyIdentifier { key_identifier: Some(own.0), ..AuthorityKeyIdentifier::default() }))
}

/// A random serial number that complies with the CA/Browser Forum's Baseline Requirements (§7.1). They require a number
/// above zero and below 2¹⁵⁹ with at least 64 random bits. This one has 159 random bits.
///
/// ```
/// use tagwise_build::SerialNumber;
/// let serial = SerialNumber::from_random([0xFF; 20]);
/// assert_eq!(serial.number().0.as_bytes(), [&[0x7F][..], &[0xFF; 19]].concat());
/// assert_ne!(SerialNumber::generate()?, SerialNumber::generate()?);
/// assert_eq!(SerialNumber::generate_many(3)?.len(), 3);
/// # Ok::<(), tagwise_build::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SerialNumber([u8; 20]);

impl SerialNumber {
    /// Generates a serial number with the system's random number generator.
    ///
    /// # Errors
    /// Returns an error if the generator fails.
    pub fn generate() -> Result<Self, BuildError> {
        let mut octets = [0; 20];
        getrandom::fill(&mut octets).map_err(BuildError::Random)?;
        Ok(Self::from_random(octets))
    }

    /// Generates several serial numbers with a single system call, which is faster for large batches.
    ///
    /// # Errors
    /// Returns an error if the generator fails.
    pub fn generate_many(count: usize) -> Result<Vec<Self>, BuildError> {
        let mut octets = vec![[0; 20]; count];
        getrandom::fill(octets.as_flattened_mut()).map_err(BuildError::Random)?;
        Ok(octets.into_iter().map(Self::from_random).collect())
    }

    /// Creates a serial number from random bytes. The first bit is cleared, and a result of zero is replaced with one.
    #[must_use]
    pub fn from_random(mut octets: [u8; 20]) -> Self {
        octets[0] &= 0x7F;
        if octets == [0; 20] {
            octets[19] = 1;
        }
        Self(octets)
    }

    /// Returns the serial number as a [`CertificateSerialNumber`], for use in certificates and CRLs.
    #[must_use]
    pub const fn number(&self) -> CertificateSerialNumber<'_> {
        CertificateSerialNumber(Int::from_signed(&self.0))
    }
}
