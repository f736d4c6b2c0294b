//! Key types.

use core::fmt;
use core::str::FromStr;

use tagwise_codec::{Decode as _, Int, Oid};
use tagwise_pkix::{RsaPublicKey, SubjectPublicKeyInfo, oids};

use crate::error::named;
use crate::{CompositeMlDsa, CompositeMlKem, Curve, Error, ErrorKind, SlhDsa};

/// A key type, with its size if variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KeyType {
    /// RSA, with the length of the modulus in bits.
    Rsa(u32),
    /// An elliptic curve key on P-256.
    P256,
    /// An elliptic curve key on P-384.
    P384,
    /// An elliptic curve key on P-521.
    P521,
    /// An elliptic curve key on another curve.
    Curve(Curve),
    /// Ed25519.
    Ed25519,
    /// Ed448.
    Ed448,
    /// X25519, only for key agreement.
    X25519,
    /// X448, only for key agreement.
    X448,
    /// ML-DSA-44.
    MlDsa44,
    /// ML-DSA-65.
    MlDsa65,
    /// ML-DSA-87.
    MlDsa87,
    /// ML-KEM-512.
    MlKem512,
    /// ML-KEM-768.
    MlKem768,
    /// ML-KEM-1024.
    MlKem1024,
    /// SLH-DSA.
    SlhDsa(SlhDsa),
    /// Composite ML-DSA.
    CompositeMlDsa(CompositeMlDsa),
    /// Composite ML-KEM.
    CompositeMlKem(CompositeMlKem),
}

/// Key types that their algorithm identifier fully determines, with names. Elliptic curve and RSA keys have parameters.
const FIXED: [(KeyType, &str, Oid<'static>); 10] = [
    (KeyType::Ed25519, "ed25519", oids::ED25519),
    (KeyType::Ed448, "ed448", oids::ED448),
    (KeyType::X25519, "x25519", oids::X25519),
    (KeyType::X448, "x448", oids::X448),
    (KeyType::MlDsa44, "ml-dsa-44", oids::ML_DSA_44),
    (KeyType::MlDsa65, "ml-dsa-65", oids::ML_DSA_65),
    (KeyType::MlDsa87, "ml-dsa-87", oids::ML_DSA_87),
    (KeyType::MlKem512, "ml-kem-512", oids::ML_KEM_512),
    (KeyType::MlKem768, "ml-kem-768", oids::ML_KEM_768),
    (KeyType::MlKem1024, "ml-kem-1024", oids::ML_KEM_1024),
];

const CURVES: [(KeyType, &str, Oid<'static>); 3] = [
    (KeyType::P256, "ecdsa-p256", oids::SECP256R1),
    (KeyType::P384, "ecdsa-p384", oids::SECP384R1),
    (KeyType::P521, "ecdsa-p521", oids::SECP521R1),
];

/// Other names of curves: of SEC 2, X9.62 and FIPS 186, without hyphens.
const NIST_CURVES: [(&str, &str); 11] = [
    ("secp192r1", "p192"),
    ("prime192v1", "p192"),
    ("secp224r1", "p224"),
    ("secp256r1", "p256"),
    ("prime256v1", "p256"),
    ("nistp256", "p256"),
    ("secp384r1", "p384"),
    ("nistp384", "p384"),
    ("secp521r1", "p521"),
    ("nistp521", "p521"),
    ("nistp224", "p224"),
];

impl KeyType {
    /// All key types, with the usual RSA sizes.
    pub const ALL: &'static [Self] = &[
        Self::Rsa(2048),
        Self::Rsa(3072),
        Self::Rsa(4096),
        Self::P256,
        Self::P384,
        Self::P521,
        Self::Curve(Curve::P224),
        Self::Curve(Curve::Secp256k1),
        Self::Curve(Curve::BrainpoolP224r1),
        Self::Curve(Curve::BrainpoolP256r1),
        Self::Curve(Curve::BrainpoolP320r1),
        Self::Curve(Curve::BrainpoolP384r1),
        Self::Curve(Curve::BrainpoolP512r1),
        Self::Curve(Curve::P192),
        Self::Curve(Curve::BrainpoolP160r1),
        Self::Curve(Curve::BrainpoolP160t1),
        Self::Curve(Curve::BrainpoolP192r1),
        Self::Curve(Curve::BrainpoolP192t1),
        Self::Curve(Curve::BrainpoolP224t1),
        Self::Curve(Curve::BrainpoolP256t1),
        Self::Curve(Curve::BrainpoolP320t1),
        Self::Curve(Curve::BrainpoolP384t1),
        Self::Curve(Curve::BrainpoolP512t1),
        Self::Ed25519,
        Self::Ed448,
        Self::X25519,
        Self::X448,
        Self::MlDsa44,
        Self::MlDsa65,
        Self::MlDsa87,
        Self::MlKem512,
        Self::MlKem768,
        Self::MlKem1024,
        Self::SlhDsa(SlhDsa::Sha2_128s),
        Self::SlhDsa(SlhDsa::Sha2_128f),
        Self::SlhDsa(SlhDsa::Sha2_192s),
        Self::SlhDsa(SlhDsa::Sha2_192f),
        Self::SlhDsa(SlhDsa::Sha2_256s),
        Self::SlhDsa(SlhDsa::Sha2_256f),
        Self::SlhDsa(SlhDsa::Shake128s),
        Self::SlhDsa(SlhDsa::Shake128f),
        Self::SlhDsa(SlhDsa::Shake192s),
        Self::SlhDsa(SlhDsa::Shake192f),
        Self::SlhDsa(SlhDsa::Shake256s),
        Self::SlhDsa(SlhDsa::Shake256f),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa44Rsa2048PssSha256),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa44Rsa2048Pkcs15Sha256),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa44Ed25519Sha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa44EcdsaP256Sha256),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa65Rsa3072PssSha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa65Rsa3072Pkcs15Sha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa65Rsa4096PssSha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa65Rsa4096Pkcs15Sha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa65EcdsaP256Sha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa65EcdsaP384Sha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa65Ed25519Sha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa87EcdsaP384Sha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa87Ed448Shake256),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa87Rsa3072PssSha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa87Rsa4096PssSha512),
        Self::CompositeMlDsa(CompositeMlDsa::MlDsa87EcdsaP521Sha512),
        Self::CompositeMlKem(CompositeMlKem::MlKem768Rsa2048),
        Self::CompositeMlKem(CompositeMlKem::MlKem768Rsa3072),
        Self::CompositeMlKem(CompositeMlKem::MlKem768Rsa4096),
        Self::CompositeMlKem(CompositeMlKem::MlKem768X25519),
        Self::CompositeMlKem(CompositeMlKem::MlKem768P256),
        Self::CompositeMlKem(CompositeMlKem::MlKem768P384),
        Self::CompositeMlKem(CompositeMlKem::MlKem1024Rsa3072),
        Self::CompositeMlKem(CompositeMlKem::MlKem1024P384),
        Self::CompositeMlKem(CompositeMlKem::MlKem1024X448),
        Self::CompositeMlKem(CompositeMlKem::MlKem1024P521),
    ];

    /// Returns the type of a public key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`], with the name of the algorithm or curve, if it is not supported, or
    /// [`ErrorKind::MalformedKey`] if the key is malformed. Malformed keys include an undecodable modulus, an Ed25519, Ed448,
    /// X25519 or X448 point of small order, and a non-canonical Ed25519 or Ed448 point.
    pub fn of(info: &SubjectPublicKeyInfo<'_>) -> Result<Self, Error> {
        let algorithm = info.algorithm.algorithm;
        if algorithm == oids::RSA_ENCRYPTION || algorithm == oids::RSASSA_PSS {
            let octets = info.subject_public_key.octets().unwrap_or_default();
            let malformed = || Error::new(ErrorKind::MalformedKey, "RSA");
            let key = RsaPublicKey::from_der(octets).map_err(|error| malformed().because(error))?;
            return key.bits().map(Self::Rsa).ok_or_else(malformed);
        }
        let kind = Self::of_identifier(algorithm, info.algorithm.curve())?;
        crate::points::check(kind, info.subject_public_key.octets().unwrap_or_default())?;
        Ok(kind)
    }

    /// Returns the key type for the identifiers of an algorithm other than RSA and, for elliptic curves, of the curve.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`], with the name of the algorithm or curve, if it is not supported.
    pub(crate) fn of_identifier(algorithm: Oid<'_>, curve: Option<Oid<'_>>) -> Result<Self, Error> {
        if let Some(set) = SlhDsa::ALL.iter().copied().find(|set| set.oid() == algorithm) {
            return Ok(Self::SlhDsa(set));
        }
        if let Some(set) = CompositeMlDsa::ALL.iter().copied().find(|set| set.oid() == algorithm) {
            return Ok(Self::CompositeMlDsa(set));
        }
        if let Some(set) = CompositeMlKem::ALL.iter().copied().find(|set| set.oid() == algorithm) {
            return Ok(Self::CompositeMlKem(set));
        }
        let (rows, wanted): (&[_], _) = match curve {
            Some(curve) if algorithm == oids::EC_PUBLIC_KEY => {
                if let Some(other) = Curve::ALL.iter().find(|other| other.oid() == curve) {
                    return Ok(Self::Curve(*other));
                }
                (&CURVES, curve)
            }
            _ => (&FIXED, algorithm),
        };
        let found = rows.iter().find(|(_, _, oid)| *oid == wanted);
        found.map(|(kind, ..)| *kind).ok_or_else(|| Error::new(ErrorKind::Unsupported, named(wanted)))
    }

    /// Returns the key type of an RSA modulus.
    pub(crate) fn rsa(modulus: Int<'_>) -> Self {
        Self::Rsa(u32::try_from(modulus.bit_len()).unwrap_or(u32::MAX))
    }

    /// Returns the object identifiers of the algorithm and, if applicable, the curve.
    #[must_use]
    pub fn identifiers(self) -> (Oid<'static>, Option<Oid<'static>>) {
        match self {
            Self::Curve(curve) => return (oids::EC_PUBLIC_KEY, Some(curve.oid())),
            Self::SlhDsa(set) => return (set.oid(), None),
            Self::CompositeMlDsa(set) => return (set.oid(), None),
            Self::CompositeMlKem(set) => return (set.oid(), None),
            _ => {}
        }
        if let Some((.., curve)) = CURVES.iter().find(|(kind, ..)| *kind == self) {
            return (oids::EC_PUBLIC_KEY, Some(*curve));
        }
        let fixed = FIXED.iter().find(|(kind, ..)| *kind == self);
        (fixed.map_or(oids::RSA_ENCRYPTION, |(.., oid)| *oid), None)
    }

    /// Returns the security strength in bits, as estimated by NIST (SP 800-57 part 1 §5.6.1, table 2; FIPS 203, 204 and 205 by
    /// category).
    #[must_use]
    pub const fn strength(self) -> u16 {
        match self {
            Self::Rsa(..1024) => 0,
            Self::Rsa(..2048) => 80,
            Self::Rsa(..3072) => 112,
            Self::Rsa(..7680) | Self::P256 | Self::Ed25519 | Self::X25519 | Self::MlDsa44 | Self::MlKem512 => 128,
            Self::Rsa(..15360) | Self::P384 | Self::MlDsa65 | Self::MlKem768 => 192,
            Self::Ed448 | Self::X448 => 224,
            Self::Rsa(_) | Self::P521 | Self::MlDsa87 | Self::MlKem1024 => 256,
            Self::Curve(curve) => curve.strength(),
            Self::SlhDsa(set) => set.strength(),
            Self::CompositeMlDsa(set) => set.post_quantum().0.strength(),
            Self::CompositeMlKem(set) => set.post_quantum().strength(),
        }
    }

    /// Returns whether these keys are KEM keys.
    #[must_use]
    pub const fn encapsulates(self) -> bool {
        matches!(self, Self::MlKem512 | Self::MlKem768 | Self::MlKem1024 | Self::CompositeMlKem(_))
    }

    /// Returns whether these keys are on a Weierstrass curve, for ECDSA and ECDH.
    #[must_use]
    pub const fn is_curve(self) -> bool {
        self.coordinate_len().is_some()
    }

    /// Returns the length in bytes of a coordinate of an elliptic curve key. The private key has the same length (RFC 5915 §3).
    pub(crate) const fn coordinate_len(self) -> Option<usize> {
        match self {
            Self::P256 => Some(32),
            Self::P384 => Some(48),
            Self::P521 => Some(66),
            Self::Curve(curve) => Some(curve.coordinate_len()),
            _ => None,
        }
    }

    /// Returns whether these keys support key agreement.
    #[must_use]
    pub const fn agrees(self) -> bool {
        self.is_curve() || matches!(self, Self::X25519 | Self::X448)
    }

    /// Returns whether the keys have less than 112 bits of security, which is acceptable only for old data (SP 800-131A rev.
    /// 2 §3): RSA keys below 2,048 bits, and elliptic curve keys below 224 bits. Only
    /// [`verify_legacy`](crate::verify_legacy) accepts signatures by such keys, and no new ones are generated.
    #[must_use]
    pub const fn is_legacy(self) -> bool {
        match self {
            Self::Rsa(bits) => bits < 2048,
            Self::Curve(curve) => curve.strength() < 112,
            _ => false,
        }
    }

    /// Returns whether these keys can sign.
    #[must_use]
    pub const fn signs(self) -> bool {
        !self.encapsulates() && !matches!(self, Self::X25519 | Self::X448)
    }
}

impl fmt::Display for KeyType {
    /// Displays the name, such as `rsa2048`, `ecdsa-p256`, `ml-dsa-65`, `slh-dsa-sha2-128s` or `mldsa65-ecdsa-p384-sha512`.
    /// [`FromStr`] accepts these names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rsa(bits) => return write!(f, "rsa{bits}"),
            Self::Curve(curve) => return f.write_str(curve.name()),
            Self::SlhDsa(set) => return f.write_str(set.name()),
            Self::CompositeMlDsa(set) => return f.write_str(&set.name().to_ascii_lowercase()),
            Self::CompositeMlKem(set) => return f.write_str(&set.name().to_ascii_lowercase()),
            _ => {}
        }
        let found = FIXED.iter().chain(&CURVES).find(|(kind, ..)| kind == self);
        f.write_str(found.map_or("", |(_, name, _)| name))
    }
}

impl FromStr for KeyType {
    type Err = Error;

    /// Parses a displayed name, with or without hyphens, in upper or lower case, such as `p256` or `rsa-2048`, and the forms of
    /// OpenSSL, such as `rsa:2048`, `ec:secp384r1` and `prime256v1`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let plain = |text: &str| text.replace(['-', ':', '_'], "").to_ascii_lowercase();
        let wanted = plain(text);
        let curve = ["ecdsa", "ec"].into_iter().find_map(|prefix| wanted.strip_prefix(prefix)).unwrap_or(&wanted);
        let curve = NIST_CURVES.iter().find(|(name, _)| *name == curve).map_or(curve, |(_, name)| name);
        let of_curve = |name: &str| plain(name) == wanted || plain(name).strip_prefix("ecdsa") == Some(curve);
        if let Some(curve) = Curve::ALL.iter().copied().find(|curve| of_curve(curve.name())) {
            return Ok(Self::Curve(curve));
        }
        if let Some(set) = SlhDsa::ALL.iter().copied().find(|set| plain(set.name()) == wanted) {
            return Ok(Self::SlhDsa(set));
        }
        if let Some(set) = CompositeMlDsa::ALL.iter().copied().find(|set| plain(set.name()) == wanted) {
            return Ok(Self::CompositeMlDsa(set));
        }
        if let Some(set) = CompositeMlKem::ALL.iter().copied().find(|set| plain(set.name()) == wanted) {
            return Ok(Self::CompositeMlKem(set));
        }
        if let Some(bits) = wanted.strip_prefix("rsa").and_then(|bits| bits.parse().ok()) {
            return Ok(Self::Rsa(bits));
        }
        let found = FIXED.iter().chain(&CURVES).find(|(_, name, _)| of_curve(name));
        found.map(|(kind, ..)| *kind).ok_or_else(|| Error::new(ErrorKind::Unsupported, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for &kind in KeyType::ALL {
            assert_eq!(kind.to_string().parse::<KeyType>().unwrap(), kind);
        }
        assert_eq!("P-256".parse::<KeyType>().unwrap(), KeyType::P256);
        assert_eq!("rsa:2048".parse::<KeyType>().unwrap(), KeyType::Rsa(2048));
        for (text, kind) in [
            ("ec:secp384r1", KeyType::P384),
            ("prime256v1", KeyType::P256),
            ("EC-P521", KeyType::P521),
            ("secp224r1", KeyType::Curve(Curve::P224)),
            ("ec:brainpoolP256r1", KeyType::Curve(Curve::BrainpoolP256r1)),
            ("secp256k1", KeyType::Curve(Curve::Secp256k1)),
        ] {
            assert_eq!(text.parse::<KeyType>().unwrap(), kind, "{text}");
        }
        for text in ["ec", "rsa", "ecdsa", "ec:", "eced25519", ""] {
            assert!(text.parse::<KeyType>().is_err(), "{text}");
        }
        assert_eq!("RSA-1234".parse::<KeyType>().unwrap(), KeyType::Rsa(1234));
        assert_eq!("dsa".parse::<KeyType>().unwrap_err().to_string(), "dsa is not supported");
    }

    #[test]
    fn kinds_are_told_by_their_identifiers() {
        for kind in KeyType::ALL.iter().copied().filter(|kind| !matches!(kind, KeyType::Rsa(_))) {
            let (algorithm, curve) = kind.identifiers();
            assert_eq!(KeyType::of_identifier(algorithm, curve).unwrap(), kind);
        }
        assert_eq!("brainpoolP256r1".parse::<KeyType>().unwrap(), KeyType::Curve(Curve::BrainpoolP256r1));
        let unknown = KeyType::of_identifier(oids::EC_PUBLIC_KEY, Some(oids::SECP160R1)).unwrap_err();
        assert_eq!(unknown.kind(), ErrorKind::Unsupported);
    }
}
