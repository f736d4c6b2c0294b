//! What a key may be used for, and when (RFC 5280 §4.2.1.3, §4.2.1.12, RFC 3280 §4.2.1.4).

use tagwise_codec::{Fault, GeneralizedTime, Kind, NamedBits, Oid, Reader, Rule, SeqOf};
use tagwise_derive::Asn1;

use crate::ext::bits;
use crate::profile;

/// ```asn1
/// KeyUsage ::= BIT STRING {
///      digitalSignature        (0),
///      nonRepudiation          (1), -- recent editions of X.509 have
///                           -- renamed this bit to contentCommitment
///      keyEncipherment         (2),
///      dataEncipherment        (3),
///      keyAgreement            (4),
///      keyCertSign             (5),
///      cRLSign                 (6),
///      encipherOnly            (7),
///      decipherOnly            (8) }
/// ```
///
/// RFC 5280 §4.2.1.3.
///
/// ```
/// use tagwise_codec::{Decode, NamedBits, encode};
/// use tagwise_pkix::ext::KeyUsage;
/// let usage = KeyUsage::from_der(&[0x03, 0x02, 0x01, 0x06])?;
/// assert!(usage.key_cert_sign() && !usage.digital_signature());
/// assert!(usage.names().eq(["keyCertSign", "cRLSign"]));
/// assert_eq!(encode(&KeyUsage(NamedBits::from_mask(1 << 5 | 1 << 6))).unwrap(), [0x03, 0x02, 0x01, 0x06]);
/// // The bit list ends in a zero bit.
/// assert_eq!(KeyUsage::from_der(&[0x03, 0x02, 0x00, 0x06]).unwrap_err().code(), "named-bits-trailing");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[asn1(named_bits(
    digital_signature = 0,
    non_repudiation = 1,
    key_encipherment = 2,
    data_encipherment = 3,
    key_agreement = 4,
    key_cert_sign = 5,
    crl_sign("cRLSign") = 6,
    encipher_only = 7,
    decipher_only = 8
))]
pub struct KeyUsage<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

bits::named!(KeyUsage);

/// ```asn1
/// ExtKeyUsageSyntax ::= SEQUENCE SIZE (1..MAX) OF KeyPurposeId
///
/// KeyPurposeId ::= OBJECT IDENTIFIER
/// ```
///
/// RFC 5280 §4.2.1.12.
///
/// ```
/// use tagwise_codec::{SeqOf, encode};
/// use tagwise_pkix::{ext::ExtKeyUsage, oids};
/// let usage = ExtKeyUsage(SeqOf::from_slice(&[oids::KP_SERVER_AUTH]));
/// assert!(usage.contains(oids::KP_SERVER_AUTH) && !usage.contains(oids::KP_CODE_SIGNING));
/// assert_eq!(encode(&usage)?, *b"\x30\x0A\x06\x08\x2B\x06\x01\x05\x05\x07\x03\x01");
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ExtKeyUsageSyntax", size(1..))]
pub struct ExtKeyUsage<'a>(
    /// The purposes.
    pub SeqOf<'a, Oid<'a>>,
);

impl ExtKeyUsage<'_> {
    /// Whether a purpose is among those listed. `anyExtendedKeyUsage` is not taken for any other.
    #[must_use]
    pub fn contains(&self, purpose: Oid<'_>) -> bool {
        self.0.iter().map_while(Result::ok).any(|listed| listed == purpose)
    }
}

/// ```asn1
/// PrivateKeyUsagePeriod ::= SEQUENCE {
///      notBefore       [0]     GeneralizedTime OPTIONAL,
///      notAfter        [1]     GeneralizedTime OPTIONAL }
///      -- either notBefore or notAfter MUST be present
/// ```
///
/// RFC 3280 §4.2.1.4, and RFC 5280 §A.2 for the syntax; that one of them is there is a constraint of the ASN.1 in RFC 5912.
/// The times are without a fraction of a second.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::ext::PrivateKeyUsagePeriod;
/// let period = PrivateKeyUsagePeriod::from_der(b"\x30\x11\x81\x0f20261121100000Z")?;
/// assert_eq!(period.not_after.unwrap().to_string(), "2026-11-21T10:00:00Z");
/// assert_eq!(period.not_before, None);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(check = check_period)]
pub struct PrivateKeyUsagePeriod<'a> {
    /// From when on the key may sign.
    #[asn1(implicit = 0)]
    pub not_before: Option<WholeSeconds<'a>>,
    /// Until when the key may sign.
    #[asn1(implicit = 1)]
    pub not_after: Option<WholeSeconds<'a>>,
}

fn check_period(period: &PrivateKeyUsagePeriod<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if period.not_before.is_some() || period.not_after.is_some() {
        Ok(())
    } else {
        reader.deviate(&Rule::VALUE, Kind::Value, at)
    }
}

/// A GeneralizedTime as RFC 5280 wants it where no UTCTime is possible (§4.1.2.5.2, §5.3.2): in GMT, with seconds, without a
/// fraction of a second.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "GeneralizedTime", check = check_fraction, rules(profile::FRACTIONAL_TIME))]
pub struct WholeSeconds<'a>(
    /// The time.
    pub GeneralizedTime<'a>,
);

impl core::fmt::Display for WholeSeconds<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

fn check_fraction(time: &WholeSeconds<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if time.0.fraction_digits() > 0 { reader.deviate_profile(&profile::FRACTIONAL_TIME, at) } else { Ok(()) }
}
