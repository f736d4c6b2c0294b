//! Names and sizes of keys and signatures, as constants of the program: what counts and tables group by.

use tagwise_codec::{Decode as _, Int, Oid};

use crate::alg::{AlgorithmIdentifier, RsaPublicKey, SubjectPublicKeyInfo};
use crate::cert::CertificateSerialNumber;
use crate::oids;

/// What kind of key a public key is, and how large.
///
/// ```
/// use tagwise_codec::{BitStr, oid};
/// use tagwise_pkix::{AlgorithmIdentifier, KeyInfo, SubjectPublicKeyInfo};
/// let key = SubjectPublicKeyInfo {
///     algorithm: AlgorithmIdentifier { algorithm: oid!("1.3.101.112"), parameters: None },
///     subject_public_key: BitStr::from_octets(&[0; 32]),
/// };
/// assert_eq!(key.info(), KeyInfo { algorithm: "Ed25519", bits: 256, curve: None });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyInfo {
    /// The algorithm by its customary name: `RSA`, `EC`, `Ed25519`, `ML-DSA-65`; `unknown` for one that is not in the table.
    pub algorithm: &'static str,
    /// The length of the modulus or prime, the size of the curve's field, or of the key where it is nothing but octets.
    pub bits: u32,
    /// The curve by name, where one is named.
    pub curve: Option<&'static str>,
}

/// The name of an algorithm that is not in the table.
const UNKNOWN: &str = "unknown";

impl AlgorithmIdentifier<'_> {
    /// The name of the algorithm as its standard has it, `sha256WithRSAEncryption`; nothing if it is not in the table.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        oids::lookup(self.algorithm).map(|info| info.name)
    }

    /// The customary name: `RSA-SHA256`, `ML-DSA-65`.
    #[must_use]
    pub fn short_name(&self) -> Option<&'static str> {
        oids::lookup(self.algorithm).map(short)
    }
}

fn short(info: &'static oids::Info) -> &'static str {
    let name = info.short_name();
    name.strip_prefix("id-").unwrap_or(name)
}

impl SubjectPublicKeyInfo<'_> {
    /// What kind of key it is. Of a key that does not decode, the size is that of its octets.
    #[must_use]
    pub fn info(&self) -> KeyInfo {
        let algorithm = self.algorithm.algorithm;
        let octets = self.subject_public_key;
        let whole = u32::try_from(octets.bit_len()).unwrap_or(u32::MAX);
        let name = oids::lookup(algorithm).map_or(UNKNOWN, short);
        if algorithm == oids::RSA_ENCRYPTION || algorithm == oids::RSASSA_PSS {
            let modulus = octets.octets().and_then(|octets| RsaPublicKey::from_der(octets).ok()).map(|rsa| rsa.modulus);
            return KeyInfo { algorithm: name, bits: modulus.map_or(whole, bit_len), curve: None };
        }
        if algorithm == oids::DSA {
            // `Dss-Parms ::= SEQUENCE { p INTEGER, … }`, RFC 3279 §2.3.2; left out where the issuer's are meant.
            let first = self.algorithm.parameters.and_then(|parameters| parameters.children().next()?.ok());
            let prime = first.and_then(|first| first.decode_as::<Int<'_>>().ok());
            return KeyInfo { algorithm: name, bits: prime.map_or(whole, bit_len), curve: None };
        }
        if algorithm == oids::EC_PUBLIC_KEY {
            let curve = self.algorithm.parameters.and_then(|parameters| parameters.decode_as::<Oid<'_>>().ok());
            let curve = curve.and_then(oids::lookup).map(short);
            let point = match octets.as_bytes() {
                [2 | 3, rest @ ..] => rest.len(),
                [_, rest @ ..] => rest.len() / 2,
                [] => 0,
            };
            // The coordinates of all but one are whole octets.
            let bits = if curve == Some("P-521") { 521 } else { u32::try_from(point * 8).unwrap_or(u32::MAX) };
            return KeyInfo { algorithm: name, bits, curve };
        }
        KeyInfo { algorithm: name, bits: whole, curve: None }
    }
}

impl core::fmt::Display for KeyInfo {
    /// `RSA 2048`, `EC P-256`, `Ed25519`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.algorithm)?;
        match self.curve {
            Some(curve) => write!(f, " {curve}"),
            // The name of others says how large they are.
            None if matches!(self.algorithm, "RSA" | "RSASSA-PSS" | "DSA" | "EC" | UNKNOWN) => {
                write!(f, " {}", self.bits)
            }
            None => Ok(()),
        }
    }
}

impl<'a> CertificateSerialNumber<'a> {
    /// The content octets, in two's complement.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0.as_bytes()
    }

    /// The number in hexadecimal, two digits an octet, without the octet that only keeps it from being negative; `-` in front
    /// of two's complement if it is negative.
    ///
    /// ```
    /// use tagwise_codec::Decode;
    /// use tagwise_pkix::CertificateSerialNumber;
    /// let serial = CertificateSerialNumber::from_der(&[0x02, 0x03, 0x00, 0xCA, 0xFE])?;
    /// assert_eq!(serial.hex().to_string(), "cafe");
    /// assert_eq!(serial.to_u128(), Some(0xCAFE));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub const fn hex(&self) -> impl core::fmt::Display + use<'a> {
        SerialHex(self.0)
    }

    /// The number, if it is not negative and has at most 128 bits.
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
        octets.iter().try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

fn bit_len(int: Int<'_>) -> u32 {
    match int.magnitude() {
        [first, rest @ ..] => rest.len() as u32 * 8 + (8 - first.leading_zeros().min(8)),
        [] => 0,
    }
}
