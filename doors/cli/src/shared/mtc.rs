//! Merkle Tree Certificates as files: PEM with properties.

use tagwise_mtc::{PROPERTIES_LABEL, TrustAnchorId};
use tagwise_mtc_log::Certified;
use tagwise_pkix::oids::files::label;

use crate::shared::issuing::armoured;
use crate::shared::output::Failure;

/// Encodes a certificate as PEM, preceded by its encoded properties.
///
/// # Errors
/// No error is expected.
pub(crate) fn with_properties(properties: &[u8], certificate: &[u8]) -> Result<String, Failure> {
    Ok(armoured(PROPERTIES_LABEL, properties)? + &armoured(label::CERTIFICATE, certificate)?)
}

/// Encodes a certificate as PEM, preceded by its properties.
///
/// # Errors
/// No error is expected.
pub(crate) fn chain(one: &Certified) -> Result<String, Failure> {
    let properties = one.properties.encode().map_err(|error| Failure::negative(error.to_string()))?;
    with_properties(&properties, &one.der)
}

/// Parses a trust anchor ID from the command line.
///
/// # Errors
/// Returns a message that describes the error.
pub(crate) fn id(text: &str) -> Result<TrustAnchorId, String> {
    text.parse().map_err(|error: tagwise_mtc::Error| error.to_string())
}
