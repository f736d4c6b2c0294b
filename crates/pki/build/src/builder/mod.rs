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

/// Extensions that are critical unless somebody says otherwise: RFC 5280 §4.2.1.3, §4.2.1.5, §4.2.1.9 to §4.2.1.11, §4.2.1.14,
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

/// Adds an extension as its standard wants it: critical or not.
fn add<T: KnownExtension + Encode>(list: &mut ExtensionList, value: &T) -> Result<(), BuildError> {
    list.add(CRITICAL.contains(&T::ID), value).map(|_| ())
}

/// Refuses an extension that was given as such and by a setter: one of the two would be lost.
fn once(extensions: &ExtensionList, id: Oid<'_>, is_set: bool) -> Result<(), BuildError> {
    if is_set && extensions.has(id) { Err(BuildError::Twice(id.to_string())) } else { Ok(()) }
}

/// A moment as certificates and lists write it.
fn time(moment: UnixTime, clause: &'static str) -> Result<Time<'static>, BuildError> {
    let beyond = |_: TimeOutOfRange| BuildError::Invalid { what: "a time is outside the years 0 to 9999", clause };
    Time::from_unix(moment).map_err(beyond)
}

/// Returns whether a certificate's key may be used so: its key usage says so, or there is none (RFC 5280 §4.2.1.3).
fn may(certificate: &Certificate<'_>, usage: Flags<KeyUsage<'static>>) -> Result<bool, BuildError> {
    Ok(certificate.extension::<KeyUsage<'_>>()?.is_none_or(|own| own.contains(usage)))
}

/// Signing of the built value by a key.
fn signed<K: SigningKey + ?Sized>(unsigned: &Unsigned, key: &K) -> Result<Vec<u8>, BuildError> {
    let signature = key.sign_message(unsigned.tbs()).map_err(BuildError::Signing)?;
    unsigned.attach(&signature)
}

/// A key's algorithm identifier in DER, read.
fn algorithm(der: &[u8]) -> Result<AlgorithmIdentifier<'_>, BuildError> {
    Ok(AlgorithmIdentifier::from_der(der)?)
}
