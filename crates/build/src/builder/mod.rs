//! Builders: owned parameters with good defaults, for those who need not see each field.

mod certificate;
mod crl;
mod names;
mod request;
mod signing;

pub use certificate::CertificateBuilder;
pub use crl::CrlBuilder;
pub use request::CsrBuilder;
pub use signing::{SigningError, SigningKey};

use tagwise_codec::{Decode, Encode};

use super::{BuildError, ExtensionList, Unsigned};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::ext::{
    BasicConstraints, InhibitAnyPolicy, KeyUsage, KnownExtension, NameConstraints, PolicyConstraints, PolicyMappings,
};

/// Extensions that are critical unless somebody says otherwise (RFC 5280 §4.2.1.3, §4.2.1.5, §4.2.1.9 to §4.2.1.11, §4.2.1.14).
const CRITICAL: [tagwise_codec::Oid<'static>; 6] = [
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

/// Signing of the built value by a key.
fn signed<K: SigningKey + ?Sized>(unsigned: &Unsigned, key: &K) -> Result<Vec<u8>, BuildError> {
    let signature = key.sign_message(unsigned.tbs()).map_err(BuildError::Signing)?;
    unsigned.attach(&signature)
}

/// A key's algorithm identifier in DER, read.
fn algorithm(der: &[u8]) -> Result<AlgorithmIdentifier<'_>, BuildError> {
    Ok(AlgorithmIdentifier::from_der(der)?)
}
