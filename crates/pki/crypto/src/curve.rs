//! Elliptic curves other than P-256, P-384 and P-521.

use core::fmt;

use tagwise_codec::Oid;
use tagwise_pkix::oids;

use crate::Digest;

/// A prime curve other than NIST's P-256, P-384 and P-521, which have their own key types.
///
/// ```
/// use tagwise_crypto::{Curve, KeyType};
/// assert_eq!("brainpoolP256r1".parse::<KeyType>()?, KeyType::Curve(Curve::BrainpoolP256r1));
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Curve {
    /// P-224 (SP 800-186 §3.2.1.2).
    P224,
    /// secp256k1 (SEC 2 §2.4.1).
    Secp256k1,
    /// brainpoolP224r1 (RFC 5639 §3.3).
    BrainpoolP224r1,
    /// brainpoolP256r1 (RFC 5639 §3.4).
    BrainpoolP256r1,
    /// brainpoolP320r1 (RFC 5639 §3.5).
    BrainpoolP320r1,
    /// brainpoolP384r1 (RFC 5639 §3.6).
    BrainpoolP384r1,
    /// brainpoolP512r1 (RFC 5639 §3.7).
    BrainpoolP512r1,
    /// P-192 (SP 800-186 §3.2.1.1, for old signatures only).
    P192,
    /// brainpoolP160r1 (RFC 5639 §3.1), for old signatures only.
    BrainpoolP160r1,
    /// brainpoolP160t1, the twisted form of brainpoolP160r1 (RFC 5639 §3.1), for old signatures only.
    BrainpoolP160t1,
    /// brainpoolP192r1 (RFC 5639 §3.2), for old signatures only.
    BrainpoolP192r1,
    /// brainpoolP192t1 (RFC 5639 §3.2), for old signatures only.
    BrainpoolP192t1,
    /// brainpoolP224t1 (RFC 5639 §3.3).
    BrainpoolP224t1,
    /// brainpoolP256t1 (RFC 5639 §3.4).
    BrainpoolP256t1,
    /// brainpoolP320t1 (RFC 5639 §3.5).
    BrainpoolP320t1,
    /// brainpoolP384t1 (RFC 5639 §3.6).
    BrainpoolP384t1,
    /// brainpoolP512t1 (RFC 5639 §3.7).
    BrainpoolP512t1,
}

impl Curve {
    /// All curves.
    pub const ALL: &'static [Self] = &[
        Self::P224,
        Self::Secp256k1,
        Self::BrainpoolP224r1,
        Self::BrainpoolP256r1,
        Self::BrainpoolP320r1,
        Self::BrainpoolP384r1,
        Self::BrainpoolP512r1,
        Self::P192,
        Self::BrainpoolP160r1,
        Self::BrainpoolP160t1,
        Self::BrainpoolP192r1,
        Self::BrainpoolP192t1,
        Self::BrainpoolP224t1,
        Self::BrainpoolP256t1,
        Self::BrainpoolP320t1,
        Self::BrainpoolP384t1,
        Self::BrainpoolP512t1,
    ];

    /// Returns the name of the key type, such as `ecdsa-brainpoolp256r1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::P224 => "ecdsa-p224",
            Self::Secp256k1 => "ecdsa-secp256k1",
            Self::BrainpoolP224r1 => "ecdsa-brainpoolp224r1",
            Self::BrainpoolP256r1 => "ecdsa-brainpoolp256r1",
            Self::BrainpoolP320r1 => "ecdsa-brainpoolp320r1",
            Self::BrainpoolP384r1 => "ecdsa-brainpoolp384r1",
            Self::BrainpoolP512r1 => "ecdsa-brainpoolp512r1",
            Self::P192 => "ecdsa-p192",
            Self::BrainpoolP160r1 => "ecdsa-brainpoolp160r1",
            Self::BrainpoolP160t1 => "ecdsa-brainpoolp160t1",
            Self::BrainpoolP192r1 => "ecdsa-brainpoolp192r1",
            Self::BrainpoolP192t1 => "ecdsa-brainpoolp192t1",
            Self::BrainpoolP224t1 => "ecdsa-brainpoolp224t1",
            Self::BrainpoolP256t1 => "ecdsa-brainpoolp256t1",
            Self::BrainpoolP320t1 => "ecdsa-brainpoolp320t1",
            Self::BrainpoolP384t1 => "ecdsa-brainpoolp384t1",
            Self::BrainpoolP512t1 => "ecdsa-brainpoolp512t1",
        }
    }

    /// Returns the curve's object identifier (RFC 5480 §2.1.1.1, RFC 5639 §4).
    #[must_use]
    pub const fn oid(self) -> Oid<'static> {
        match self {
            Self::P224 => oids::SECP224R1,
            Self::Secp256k1 => oids::SECP256K1,
            Self::BrainpoolP224r1 => oids::BRAINPOOL_P224R1,
            Self::BrainpoolP256r1 => oids::BRAINPOOL_P256R1,
            Self::BrainpoolP320r1 => oids::BRAINPOOL_P320R1,
            Self::BrainpoolP384r1 => oids::BRAINPOOL_P384R1,
            Self::BrainpoolP512r1 => oids::BRAINPOOL_P512R1,
            Self::P192 => oids::SECP192R1,
            Self::BrainpoolP160r1 => oids::BRAINPOOL_P160R1,
            Self::BrainpoolP160t1 => oids::BRAINPOOL_P160T1,
            Self::BrainpoolP192r1 => oids::BRAINPOOL_P192R1,
            Self::BrainpoolP192t1 => oids::BRAINPOOL_P192T1,
            Self::BrainpoolP224t1 => oids::BRAINPOOL_P224T1,
            Self::BrainpoolP256t1 => oids::BRAINPOOL_P256T1,
            Self::BrainpoolP320t1 => oids::BRAINPOOL_P320T1,
            Self::BrainpoolP384t1 => oids::BRAINPOOL_P384T1,
            Self::BrainpoolP512t1 => oids::BRAINPOOL_P512T1,
        }
    }

    /// Returns the length of a coordinate in bytes. Each curve's order has the same length.
    #[must_use]
    pub const fn coordinate_len(self) -> usize {
        match self {
            Self::BrainpoolP160r1 | Self::BrainpoolP160t1 => 20,
            Self::P192 | Self::BrainpoolP192r1 | Self::BrainpoolP192t1 => 24,
            Self::P224 | Self::BrainpoolP224r1 | Self::BrainpoolP224t1 => 28,
            Self::Secp256k1 | Self::BrainpoolP256r1 | Self::BrainpoolP256t1 => 32,
            Self::BrainpoolP320r1 | Self::BrainpoolP320t1 => 40,
            Self::BrainpoolP384r1 | Self::BrainpoolP384t1 => 48,
            Self::BrainpoolP512r1 | Self::BrainpoolP512t1 => 64,
        }
    }

    /// Returns the security strength in bits: half the length of the order (SP 800-57 part 1 §5.6.1.1).
    #[must_use]
    pub const fn strength(self) -> u16 {
        (self.coordinate_len() * 4) as u16
    }

    /// Returns the usual digest: the shortest of SHA-256, SHA-384 and SHA-512 that does not weaken the curve (RFC 5753 §8, RFC
    /// 5480 §4).
    #[must_use]
    pub const fn digest(self) -> Digest {
        match self.coordinate_len() {
            ..=32 => Digest::Sha256,
            33..=48 => Digest::Sha384,
            _ => Digest::Sha512,
        }
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
