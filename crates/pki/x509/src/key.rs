//! Names and sizes of keys and signatures.

use tagwise_codec::{Decode as _, Int, Oid};

use crate::alg::{AlgorithmIdentifier, RsaPublicKey, SubjectPublicKeyInfo};
use crate::cert::CertificateSerialNumber;
use crate::oids;
use crate::public_key::fixed_len;

/// The algorithm and size of a public key.
///
/// ```
/// use tagwise_codec::{BitStr, oid};
/// use tagwise_x509::{AlgorithmIdentifier, KeyInfo, SubjectPublicKeyInfo};
/// let key = SubjectPublicKeyInfo {
///     algorithm: AlgorithmIdentifier { algorithm: oid!("1.3.101.112"), parameters: None },
///     subject_public_key: BitStr::from_octets(&[0; 32]),
/// };
/// assert_eq!(key.info(), KeyInfo { algorithm: "Ed25519", bits: Some(256), curve: None });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyInfo {
    /// The conventional name of the algorithm, such as `RSA`, `EC`, `Ed25519` or `ML-DSA-65`, or `unknown`.
    pub algorithm: &'static str,
    /// The size in bits: of the modulus or prime, of the curve's field, or of a fixed-length key. `None` if the key does not
    /// decode, inherits its parameters from the issuer, or has an algorithm without a customary size.
    pub bits: Option<u32>,
    /// The name of the curve, for a named curve.
    pub curve: Option<&'static str>,
}

/// The name of an algorithm that is not in the table.
const UNKNOWN: &str = "unknown";

impl AlgorithmIdentifier<'_> {
    /// Returns the algorithm's name in its standard, such as `sha256WithRSAEncryption`, or `None` if unknown.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        oids::lookup(self.algorithm).map(|info| info.name)
    }

    /// Returns the conventional short name, such as `RSA-SHA256` or `ML-DSA-65`.
    #[must_use]
    pub fn short_name(&self) -> Option<&'static str> {
        oids::lookup(self.algorithm).map(short)
    }
}

fn short(info: &'static oids::Info) -> &'static str {
    let name = info.short_name();
    name.strip_prefix("id-").unwrap_or(name)
}

impl<'a> SubjectPublicKeyInfo<'a> {
    /// Returns the algorithm and size of the key. The size is unknown if the key does not decode.
    #[must_use]
    pub fn info(&self) -> KeyInfo {
        let algorithm = self.algorithm.algorithm;
        let name = oids::lookup(algorithm).map_or(UNKNOWN, short);
        let info = |bits| KeyInfo { algorithm: name, bits, curve: None };
        if algorithm == oids::EC_PUBLIC_KEY {
            let curve = self.algorithm.curve().and_then(oids::lookup).map(short);
            return KeyInfo { curve, ..info(self.field_bits(curve)) };
        }
        if algorithm == oids::DSA {
            // `Dss-Parms ::= SEQUENCE { p INTEGER, … }`, RFC 3279 §2.3.2; left out where the issuer's are meant.
            return info(self.prime_bits());
        }
        if algorithm == oids::DH_PUBLIC_NUMBER || algorithm == oids::DH_KEY_AGREEMENT {
            // `DomainParameters`, RFC 3279 §2.3.3, and `DHParameter`, PKCS #3 §9, begin with the prime.
            return info(self.prime_bits());
        }
        if let Some(rsa) = self.rsa() {
            return info(rsa.bits());
        }
        info(self.fixed_bits())
    }

    /// Returns the RSA key, for any of the RSA algorithm identifiers: `rsaEncryption`, `id-RSASSA-PSS` or `id-RSAES-OAEP` (RFC 4055
    /// §1.2: the key is the same). `None` for other and malformed keys.
    #[must_use]
    pub fn rsa(&self) -> Option<RsaPublicKey<'a>> {
        let algorithm = self.algorithm.algorithm;
        let is_rsa = [oids::RSA_ENCRYPTION, oids::RSASSA_PSS, oids::RSAES_OAEP, oids::EA_RSA].contains(&algorithm);
        self.subject_public_key.octets().filter(|_| is_rsa).and_then(|octets| RsaPublicKey::from_der(octets).ok())
    }

    /// Returns the length in bits of the prime that is the first parameter.
    fn prime_bits(&self) -> Option<u32> {
        let first = self.algorithm.parameters.and_then(|parameters| parameters.children().next()?.ok())?;
        size(first.decode_as::<Int<'_>>().ok()?)
    }

    /// Returns the field size of an elliptic curve in bits, if the point's coordinates have that size.
    fn field_bits(&self, curve: Option<&str>) -> Option<u32> {
        let bits = match curve {
            Some(curve) => field_of_name(curve)?,
            None => self.field_of_parameters()?,
        };
        let coordinate = match self.subject_public_key.octets()? {
            [2 | 3, rest @ ..] => rest.len(),
            [4 | 6 | 7, rest @ ..] if rest.len().is_multiple_of(2) => rest.len() / 2,
            _ => return None,
        };
        (coordinate == bits.div_ceil(8) as usize).then_some(bits)
    }

    /// Returns the field size of explicit curve parameters: `SpecifiedECDomain ::= SEQUENCE { version, fieldID SEQUENCE {
    /// fieldType, parameters }, … }` (SEC 1 §C.2).
    fn field_of_parameters(&self) -> Option<u32> {
        let field = self.algorithm.parameters?.children().nth(1)?.ok()?;
        let mut parts = field.children().map_while(Result::ok);
        let kind = parts.next()?.decode_as::<Oid<'_>>().ok()?;
        let parameters = parts.next()?;
        if kind == oids::PRIME_FIELD {
            return size(parameters.decode_as::<Int<'_>>().ok()?);
        }
        // `Characteristic-two ::= SEQUENCE { m INTEGER, … }`
        let degree = parameters.children().next()?.ok()?.decode_as::<u32>().ok()?;
        (kind == oids::CHARACTERISTIC_TWO_FIELD).then_some(degree)
    }

    /// Returns the size in bits of a fixed-length key, if the key has that length.
    fn fixed_bits(&self) -> Option<u32> {
        let octets = self.subject_public_key.octets()?;
        let wanted = fixed_len(self.algorithm.algorithm)?;
        u32::try_from(wanted.checked_mul(8)?).ok().filter(|_| octets.len() == wanted)
    }
}

impl RsaPublicKey<'_> {
    /// Returns the size of the modulus in bits, or `None` if it is not positive.
    #[must_use]
    pub fn bits(&self) -> Option<u32> {
        size(self.modulus)
    }
}

/// Returns the field size that a curve's name contains: `P-256`, `brainpoolP384r1`, `c2pnb163v1`.
fn field_of_name(curve: &str) -> Option<u32> {
    if curve == "SM2" {
        return Some(256);
    }
    let mut runs = curve.split(|char: char| !char.is_ascii_digit()).filter(|run| run.len() == 3);
    runs.next()?.parse().ok()
}

impl core::fmt::Display for KeyInfo {
    /// Displays the algorithm and size, such as `RSA 2048`, `EC P-256`, `Ed25519` or `DSA of unknown size`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.algorithm)?;
        match (self.curve, self.bits) {
            (Some(curve), _) => write!(f, " {curve}"),
            (None, Some(bits)) if self.is_sized() => write!(f, " {bits}"),
            (None, None) if self.is_sized() => f.write_str(" of unknown size"),
            // The name of others says how large they are.
            (None, _) => Ok(()),
        }
    }
}

impl KeyInfo {
    /// Returns whether keys of the algorithm come in more than one size.
    fn is_sized(&self) -> bool {
        const SIZED: &[Oid<'static>] = &[
            oids::RSA_ENCRYPTION,
            oids::RSASSA_PSS,
            oids::RSAES_OAEP,
            oids::EA_RSA,
            oids::DSA,
            oids::DH_PUBLIC_NUMBER,
            oids::DH_KEY_AGREEMENT,
            oids::EC_PUBLIC_KEY,
        ];
        SIZED.iter().filter_map(|oid| oids::lookup(*oid)).any(|info| short(info) == self.algorithm)
    }
}

impl<'a> CertificateSerialNumber<'a> {
    /// Returns the two's complement content bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0.as_bytes()
    }

    /// Displays the number in hexadecimal, with two digits per byte and without a leading zero byte. A negative number is `-`
    /// followed by its two's complement.
    ///
    /// ```
    /// use tagwise_codec::Decode;
    /// use tagwise_x509::CertificateSerialNumber;
    /// let serial = CertificateSerialNumber::from_der(&[0x02, 0x03, 0x00, 0xCA, 0xFE])?;
    /// assert_eq!(serial.hex().to_string(), "cafe");
    /// assert_eq!(serial.to_u128(), Some(0xCAFE));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub const fn hex(&self) -> impl core::fmt::Display + use<'a> {
        SerialHex(self.0)
    }

    /// Returns the number, if it is nonnegative and fits in 128 bits.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        let octets = self.0.magnitude();
        let fits = !self.0.is_negative() && octets.len() <= 16;
        fits.then(|| octets.iter().fold(0, |number, octet| number << 8 | u128::from(*octet)))
    }
}

struct SerialHex<'a>(Int<'a>);

impl core::fmt::Display for SerialHex<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.0.is_negative() {
            f.write_str("-")?;
        }
        let octets = if self.0.is_negative() { self.0.as_bytes() } else { self.0.magnitude() };
        tagwise_codec::text::hex::Hex(octets).fmt(f)
    }
}

/// Returns the length of a number in bits, or `None` if it is zero or negative.
fn size(int: Int<'_>) -> Option<u32> {
    u32::try_from(int.bit_len()).ok().filter(|bits| *bits > 0 && !int.is_negative())
}

#[cfg(test)]
mod tests;
