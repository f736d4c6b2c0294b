//! Builders with owned parameters and sensible defaults.

mod certificate;
mod crl;
mod names;
mod request;
mod signing;

pub use certificate::CertificateBuilder;
pub use crl::CrlBuilder;
pub use request::CsrBuilder;
pub use signing::{SigningError, SigningKey};

use tagwise_codec::{Decode, Encode, Flags, Oid, TimeOutOfRange};

use super::{BuildError, ExtensionList, Unsigned};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::cert::Certificate;
use tagwise_x509::ext::{
    AcmeIdentifier, AsIdentifiers, BasicConstraints, DeltaCrlIndicator, InhibitAnyPolicy, IpAddrBlocks,
    IssuingDistributionPoint, KeyUsage, KnownExtension, NameConstraints, PolicyConstraints, PolicyMappings,
    PrecertificatePoison, ProxyCertInfo,
};
use tagwise_x509::time::{Time, UnixTime};

/// Extensions that are critical by default: RFC 5280 §4.2.1.3, §4.2.1.5, §4.2.1.9 to §4.2.1.11, §4.2.1.14,
/// §5.2.4, §5.2.5; RFC 3779 §2.2.1, §3.2.1; RFC 3820 §3.8; RFC 6962 §3.1; RFC 8737 §3.
const CRITICAL: [tagwise_codec::Oid<'static>; 13] = [
    AcmeIdentifier::ID,
    AsIdentifiers::ID,
    DeltaCrlIndicator::ID,
    IpAddrBlocks::ID,
    IssuingDistributionPoint::ID,
    PrecertificatePoison::ID,
    ProxyCertInfo::ID,
    KeyUsage::ID,
    PolicyMappings::ID,
    BasicConstraints::ID,
    NameConstraints::ID,
    PolicyConstraints::ID,
    InhibitAnyPolicy::ID,
];

/// Adds an extension, critical if its standard requires that.
fn add<T: KnownExtension + Encode>(list: &mut ExtensionList, value: &T) -> Result<(), BuildError> {
    list.add(CRITICAL.contains(&T::ID), value).map(|_| ())
}

/// Returns an error if an extension was both added explicitly and set with a setter.
fn once(extensions: &ExtensionList, id: Oid<'_>, is_set: bool) -> Result<(), BuildError> {
    if is_set && extensions.has(id) { Err(BuildError::Twice(id.to_string())) } else { Ok(()) }
}

/// Encodes a time with the type that certificates and CRLs require.
fn time(moment: UnixTime, clause: &'static str) -> Result<Time<'static>, BuildError> {
    let beyond = |_: TimeOutOfRange| BuildError::Invalid { what: "a time is outside the years 0 to 9999", clause };
    Time::from_unix(moment).map_err(beyond)
}

/// Returns whether a certificate's key usage, if present, allows a use (RFC 5280 §4.2.1.3).
fn may(certificate: &Certificate<'_>, usage: Flags<KeyUsage<'static>>) -> Result<bool, BuildError> {
    Ok(certificate.extension::<KeyUsage<'_>>()?.is_none_or(|own| own.contains(usage)))
}

/// Signs an unsigned value with a key.
fn signed<K: SigningKey + ?Sized>(unsigned: &Unsigned, key: &K) -> Result<Vec<u8>, BuildError> {
    let signature = key.sign_message(unsigned.tbs()).map_err(BuildError::Signing)?;
    unsigned.attach(&signature)
}

/// Decodes a key's AlgorithmIdentifier from DER.
fn algorithm(der: &[u8]) -> Result<AlgorithmIdentifier<'_>, BuildError> {
    Ok(AlgorithmIdentifier::from_der(der)?)
}
