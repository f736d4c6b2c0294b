//! Signature schemes: algorithms with all their parameters.

use core::fmt;

use tagwise_codec::{Any, Decode, Options, Rule, Tag, encode};
use tagwise_pkix::profile::{NO_PARAMETERS, RSA_PARAMETERS};
use tagwise_pkix::pss::RsassaPssParams;
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::error::named;
use crate::table::{self, Parameters};
use crate::{CompositeMlDsa, Digest, Error, ErrorKind, KeyType, SlhDsa};

/// A signature algorithm with its digest and parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
    RsaPkcs1(Digest),
    /// RSASSA-PSS (RFC 8017 §8.1).
    RsaPss(PssParameters),
    /// ECDSA (FIPS 186-5 §6), with a signature of two INTEGERs in a SEQUENCE.
    Ecdsa(Digest),
    /// Ed25519 (RFC 8032 §5.1).
    Ed25519,
    /// Ed448 (RFC 8032 §5.2).
    Ed448,
    /// Pure ML-DSA-44 (FIPS 204 §5.2). The context is empty in certificates and messages (RFC 9881 §3, RFC 9882 §3).
    MlDsa44,
    /// Pure ML-DSA-65.
    MlDsa65,
    /// Pure ML-DSA-87.
    MlDsa87,
    /// Pure SLH-DSA (FIPS 205 §10.2.1; RFC 9814, RFC 9909).
    SlhDsa(SlhDsa),
    /// HashSLH-DSA (FIPS 205 §10.2.2; only RFC 9909), with the digest of its parameter set.
    HashSlhDsa(SlhDsa),
    /// Composite ML-DSA (draft-ietf-lamps-pq-composite-sigs).
    Composite(CompositeMlDsa),
}

/// The maximum length of a context in bytes.
const MAX_CONTEXT: usize = 255;

/// RSASSA-PSS parameters (RFC 4055 §3.1). The trailer field always has its only defined value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PssParameters {
    /// The hash function for the message.
    pub digest: Digest,
    /// The hash function that the mask generation function MGF1 uses.
    pub mask: Digest,
    /// The length of the salt in bytes.
    pub salt_len: u16,
}

impl PssParameters {
    /// Creates parameters with the same digest for message and mask, and a salt of the digest's length, as RFC 4055 §3.1
    /// recommends.
    #[must_use]
    pub const fn of(digest: Digest) -> Self {
        Self { digest, mask: digest, salt_len: digest.output_len() as u16 }
    }
}

impl Scheme {
    /// Returns the scheme for an identifier. SHA-1 is rejected, except by [`of_legacy`](Self::of_legacy).
    ///
    /// ```
    /// use tagwise_crypto::{Digest, ErrorKind, Scheme};
    /// use tagwise_pkix::{AlgorithmIdentifier, oids};
    /// let ecdsa = AlgorithmIdentifier { algorithm: oids::ECDSA_WITH_SHA384, parameters: None };
    /// assert_eq!(Scheme::of(&ecdsa)?, Scheme::Ecdsa(Digest::Sha384));
    /// let old = AlgorithmIdentifier { algorithm: oids::ECDSA_WITH_SHA1, parameters: None };
    /// assert_eq!(Scheme::of(&old).unwrap_err().kind(), ErrorKind::Legacy);
    /// assert_eq!(Scheme::of_legacy(&old)?, Scheme::Ecdsa(Digest::Sha1));
    /// # Ok::<(), tagwise_crypto::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] for unknown algorithms, [`ErrorKind::Parameters`] for invalid parameters, or
    /// [`ErrorKind::Legacy`] for legacy schemes.
    pub fn of(identifier: &AlgorithmIdentifier<'_>) -> Result<Self, Error> {
        let scheme = Self::of_legacy(identifier)?;
        if scheme.is_legacy() { Err(Error::new(ErrorKind::Legacy, scheme)) } else { Ok(scheme) }
    }

    /// Returns the scheme for an identifier like [`of`](Self::of), including schemes that only old signatures use.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] for unknown algorithms, or [`ErrorKind::Parameters`] for invalid parameters.
    pub fn of_legacy(identifier: &AlgorithmIdentifier<'_>) -> Result<Self, Error> {
        let row = table::lookup(identifier.algorithm);
        let row = row.ok_or_else(|| Error::new(ErrorKind::Unsupported, named(identifier.algorithm)))?;
        let wrong = || Error::new(ErrorKind::Parameters, row.name);
        let tag = identifier.parameters.as_ref().map(Any::tag);
        let fits = match row.parameters {
            Parameters::Absent => tag.is_none(),
            // RFC 4055 §5: NULL, and implementations must take it that they are absent.
            Parameters::Null => tag.is_none_or(|tag| tag == Tag::NULL),
            Parameters::Pss => tag == Some(Tag::SEQUENCE),
        };
        // Algorithms that the caller allows are not objections.
        let rule = if row.parameters == Parameters::Absent { &NO_PARAMETERS } else { &RSA_PARAMETERS };
        if !fits && !identifier.parameters.is_some_and(|parameters| parameters.tolerates(rule)) {
            return Err(wrong());
        }
        match (row.scheme, identifier.parameters) {
            (Some(scheme), _) => Ok(scheme),
            (None, Some(parameters)) if row.parameters == Parameters::Pss => pss(&parameters).map(Self::RsaPss),
            // A row that only recognizes the algorithm.
            (None, _) => {
                Err(Error::new(ErrorKind::Unsupported, row.name).because("recognized, but no backend supports it"))
            }
        }
    }

    /// Returns whether the scheme is only used in old signatures.
    #[must_use]
    pub const fn is_legacy(&self) -> bool {
        matches!(self.digest(), Some(Digest::Sha1))
    }

    /// Returns the digest of the message, for schemes with a choice of digests.
    #[must_use]
    pub const fn digest(&self) -> Option<Digest> {
        match self {
            Self::RsaPkcs1(digest) | Self::Ecdsa(digest) => Some(*digest),
            Self::RsaPss(parameters) => Some(parameters.digest),
            Self::Ed25519 | Self::Ed448 | Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87 => None,
            Self::SlhDsa(_) | Self::HashSlhDsa(_) | Self::Composite(_) => None,
        }
    }

    /// Returns the usual scheme for a key type, or `None` for keys that cannot sign.
    ///
    /// RSA uses PKCS #1 v1.5, which is universally supported, with a digest that matches the key's strength.
    #[must_use]
    pub const fn preferred(key: KeyType) -> Option<Self> {
        Some(match key {
            KeyType::Rsa(..4096) => Self::RsaPkcs1(Digest::Sha256),
            KeyType::Rsa(_) => Self::RsaPkcs1(Digest::Sha512),
            KeyType::P256 => Self::Ecdsa(Digest::Sha256),
            KeyType::P384 => Self::Ecdsa(Digest::Sha384),
            KeyType::P521 => Self::Ecdsa(Digest::Sha512),
            KeyType::Curve(curve) => Self::Ecdsa(curve.digest()),
            KeyType::Ed25519 => Self::Ed25519,
            KeyType::Ed448 => Self::Ed448,
            KeyType::MlDsa44 => Self::MlDsa44,
            KeyType::MlDsa65 => Self::MlDsa65,
            KeyType::MlDsa87 => Self::MlDsa87,
            KeyType::SlhDsa(set) => Self::SlhDsa(set),
            KeyType::CompositeMlDsa(set) => Self::Composite(set),
            KeyType::X25519 | KeyType::X448 | KeyType::MlKem512 | KeyType::MlKem768 | KeyType::MlKem1024 => {
                return None;
            }
            KeyType::CompositeMlKem(_) => return None,
        })
    }

    /// Returns the usual RSASSA-PSS scheme (RFC 8017 §8.1) for a key type, with a digest that matches the key's strength, or
    /// `None` for keys other than RSA.
    ///
    /// ```
    /// use tagwise_crypto::{Digest, KeyType, PssParameters, Scheme};
    /// let pss = Scheme::RsaPss(PssParameters::of(Digest::Sha256));
    /// assert_eq!(Scheme::preferred_pss(KeyType::Rsa(2048)), Some(pss));
    /// assert_eq!(Scheme::preferred_pss(KeyType::P256), None);
    /// ```
    #[must_use]
    pub const fn preferred_pss(key: KeyType) -> Option<Self> {
        match Self::preferred(key) {
            Some(Self::RsaPkcs1(digest)) => Some(Self::RsaPss(PssParameters::of(digest))),
            _ => None,
        }
    }

    /// Returns whether the scheme supports contexts (FIPS 204 §5.2, FIPS 205 §10.2).
    #[must_use]
    pub const fn takes_context(&self) -> bool {
        matches!(
            self,
            Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87 | Self::SlhDsa(_) | Self::HashSlhDsa(_) | Self::Composite(_)
        )
    }

    /// Checks that the scheme supports this context.
    pub(crate) fn check_context(&self, context: &[u8]) -> Result<(), Error> {
        match context.len() {
            0 => Ok(()),
            _ if !self.takes_context() => Err(Error::new(ErrorKind::Parameters, format_args!("{self} with a context"))),
            // FIPS 204 §5.2: its length is signed as one octet.
            1..=MAX_CONTEXT => Ok(()),
            _ => Err(Error::new(ErrorKind::Length, format_args!("{self} with a context"))),
        }
    }

    /// Returns whether the scheme matches a key type.
    #[must_use]
    pub const fn fits(&self, key: KeyType) -> bool {
        match self {
            // Parameter sets by their numbers, which alone constant functions compare.
            Self::SlhDsa(set) | Self::HashSlhDsa(set) => {
                matches!(key, KeyType::SlhDsa(other) if *set as u8 == other as u8)
            }
            Self::Composite(set) => matches!(key, KeyType::CompositeMlDsa(other) if *set as u8 == other as u8),
            Self::RsaPkcs1(_) | Self::RsaPss(_) => matches!(key, KeyType::Rsa(_)),
            Self::Ecdsa(_) => key.is_curve(),
            Self::Ed25519 => matches!(key, KeyType::Ed25519),
            Self::Ed448 => matches!(key, KeyType::Ed448),
            Self::MlDsa44 => matches!(key, KeyType::MlDsa44),
            Self::MlDsa65 => matches!(key, KeyType::MlDsa65),
            Self::MlDsa87 => matches!(key, KeyType::MlDsa87),
        }
    }

    /// Returns whether a signature fits into an RSA modulus of this length. The encoded message is as long as the modulus or
    /// one bit shorter (RFC 8017 §9.1.1 step 3, §9.2 step 3). Other schemes always fit.
    pub(crate) fn fits_modulus(&self, bits: u32) -> bool {
        let bytes = |bits: u32| (bits as usize).div_ceil(8);
        match self {
            Self::RsaPss(PssParameters { digest, salt_len, .. }) => {
                bytes(bits.saturating_sub(1)) >= digest.output_len() + usize::from(*salt_len) + 2
            }
            // The longest identifier in front of a digest has 19 bytes (RFC 8017 §9.2, note 1), and eleven are padding.
            Self::RsaPkcs1(digest) => bytes(bits) >= digest.output_len() + 19 + 11,
            _ => true,
        }
    }

    /// Encodes the AlgorithmIdentifier in DER.
    ///
    /// ```
    /// use tagwise_codec::Decode;
    /// use tagwise_crypto::{Digest, PssParameters, Scheme};
    /// use tagwise_pkix::AlgorithmIdentifier;
    /// let scheme = Scheme::RsaPss(PssParameters::of(Digest::Sha256));
    /// let der = scheme.identifier()?;
    /// assert_eq!(Scheme::of(&AlgorithmIdentifier::from_der(&der).unwrap())?, scheme);
    /// # Ok::<(), tagwise_crypto::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] if the scheme has no identifier, such as ECDSA with SHA-512/256.
    pub fn identifier(&self) -> Result<Vec<u8>, Error> {
        let failed = |error: tagwise_codec::EncodeError| Error::new(ErrorKind::Failed, self).because(error);
        let null = [5, 0];
        if let Self::RsaPss(parameters) = self {
            return pss_identifier(parameters).map_err(failed);
        }
        let row = table::SIGNATURES.iter().find(|row| row.scheme == Some(*self));
        let row = row.ok_or_else(|| Error::new(ErrorKind::Unsupported, self))?;
        let parameters = match row.parameters {
            Parameters::Null => Any::from_der(&null).ok(),
            Parameters::Absent | Parameters::Pss => None,
        };
        encode(&AlgorithmIdentifier { algorithm: row.oid, parameters }).map_err(failed)
    }
}

impl fmt::Display for Scheme {
    /// Displays the scheme, such as `RSA-SHA256`, `RSASSA-PSS (SHA-256, MGF1 SHA-256, salt 32)`, `ECDSA-SHA384` or
    /// `ML-DSA-65`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RsaPss(PssParameters { digest, mask, salt_len }) => {
                write!(f, "RSASSA-PSS ({digest}, MGF1 {mask}, salt {salt_len})")
            }
            _ => match table::SIGNATURES.iter().find(|row| row.scheme == Some(*self)) {
                Some(row) => f.write_str(row.name),
                None => write!(f, "{self:?}"),
            },
        }
    }
}

/// Decodes the parameters of RSASSA-PSS.
fn pss(parameters: &Any<'_>) -> Result<PssParameters, Error> {
    let wrong = || Error::new(ErrorKind::Parameters, "RSASSA-PSS");
    // RFC 4055 §3.1: verifiers must accept encoded DEFAULT values, which DER does not allow.
    let options = Options::der().allow(&Rule::DEFAULT_ENCODED);
    let read = options.decode::<RsassaPssParams<'_>>(parameters.as_bytes());
    let read = read.map_err(|error| wrong().because(error))?.value;
    let digest = Digest::from_identifier(&read.hash_algorithm)?;
    let mask = read.mask_gen_algorithm;
    if mask.algorithm != oids::MGF1 {
        return Err(wrong());
    }
    let inside = mask.parameters.ok_or_else(wrong)?.decode_as::<AlgorithmIdentifier<'_>>();
    let mask = Digest::from_identifier(&inside.map_err(|error| wrong().because(error))?)?;
    // RFC 4055 §3.1: the trailer field is 1, the only value.
    if read.trailer_field != 1 {
        return Err(wrong());
    }
    let salt_len = u16::try_from(read.salt_length).map_err(|error| wrong().because(error))?;
    Ok(PssParameters { digest, mask, salt_len })
}

fn pss_identifier(parameters: &PssParameters) -> Result<Vec<u8>, tagwise_codec::EncodeError> {
    // RFC 4055 §2.1: without parameters, but for SHA-1 in DEFAULTs, where they are NULL.
    let digest = |digest: Digest| AlgorithmIdentifier {
        algorithm: digest.oid(),
        parameters: (digest == Digest::Sha1).then_some(Any::null(0)),
    };
    let of_mask = encode(&digest(parameters.mask))?;
    let mask = AlgorithmIdentifier { algorithm: oids::MGF1, parameters: Any::from_der(&of_mask).ok() };
    let inside = encode(&RsassaPssParams {
        hash_algorithm: digest(parameters.digest),
        mask_gen_algorithm: mask,
        salt_length: u64::from(parameters.salt_len),
        trailer_field: 1,
    })?;
    encode(&AlgorithmIdentifier { algorithm: oids::RSASSA_PSS, parameters: Any::from_der(&inside).ok() })
}

#[cfg(test)]
mod tests;
