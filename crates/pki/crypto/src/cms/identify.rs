//! Certificate identifiers in messages (RFC 5652 §5.3, §6.2.1): issuer and serial number, or key identifier.

use tagwise_codec::{Options, RuleSet};
use tagwise_pkix::Certificate;
use tagwise_pkix::build::cms::issuer_and_serial_number;
use tagwise_pkix::cms::{IssuerAndSerialNumber, RecipientIdentifier, SignerIdentifier};
use tagwise_pkix::ext::SubjectKeyIdentifier;

use super::CmsError;

/// The way in which a message identifies a certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Identifier {
    /// Issuer and serial number.
    #[default]
    IssuerAndSerialNumber,
    /// The subject key identifier, for certificates with that extension.
    SubjectKeyIdentifier,
}

/// Decodes a certificate's outer structure. Its contents are not checked, because errors in them are the issuer's
/// responsibility.
pub(crate) fn read(der: &[u8]) -> Result<Certificate<'_>, tagwise_codec::Error> {
    read_with(der, RuleSet::NONE)
}

/// Decodes a certificate's outer structure like `read`, but tolerates violations of the given rules in the contents.
pub(crate) fn read_with(der: &[u8], tolerate: RuleSet) -> Result<Certificate<'_>, tagwise_codec::Error> {
    Ok(Options::der().rules(RuleSet::ALL).parts(tolerate).outline::<Certificate<'_>>(der)?.value)
}

/// Returns the subject key identifier of a certificate, if present and valid.
pub(super) fn key_identifier<'a>(certificate: &Certificate<'a>) -> Option<&'a [u8]> {
    let extensions = certificate.tbs_certificate.extensions?;
    let identifier = extensions.get::<SubjectKeyIdentifier<'a>>().ok()??;
    Some(identifier.0.as_bytes())
}

fn demand_key_identifier<'a>(certificate: &Certificate<'a>) -> Result<&'a [u8], CmsError> {
    let what = "the certificate has no subject key identifier";
    key_identifier(certificate).ok_or(CmsError::Invalid { what, clause: "RFC 5652 §5.3" })
}

impl Identifier {
    pub(super) fn signer<'a>(self, certificate: &Certificate<'a>) -> Result<SignerIdentifier<'a>, CmsError> {
        Ok(match self {
            Self::IssuerAndSerialNumber => {
                SignerIdentifier::IssuerAndSerialNumber(issuer_and_serial_number(certificate))
            }
            Self::SubjectKeyIdentifier => {
                SignerIdentifier::SubjectKeyIdentifier(demand_key_identifier(certificate)?.into())
            }
        })
    }

    pub(super) fn recipient<'a>(self, certificate: &Certificate<'a>) -> Result<RecipientIdentifier<'a>, CmsError> {
        Ok(match self {
            Self::IssuerAndSerialNumber => {
                RecipientIdentifier::IssuerAndSerialNumber(issuer_and_serial_number(certificate))
            }
            Self::SubjectKeyIdentifier => {
                RecipientIdentifier::SubjectKeyIdentifier(demand_key_identifier(certificate)?.into())
            }
        })
    }
}

/// Returns whether an issuer and serial number identify this certificate.
pub(super) fn is_serial(name: &IssuerAndSerialNumber<'_>, certificate: &Certificate<'_>) -> bool {
    let tbs = &certificate.tbs_certificate;
    tbs.serial_number.0 == name.serial_number && tbs.issuer.matches(&name.issuer)
}

/// Returns whether a signer identifier refers to this certificate.
pub(super) fn is_signer(sid: &SignerIdentifier<'_>, certificate: &Certificate<'_>) -> bool {
    match sid {
        SignerIdentifier::IssuerAndSerialNumber(name) => is_serial(name, certificate),
        SignerIdentifier::SubjectKeyIdentifier(id) => key_identifier(certificate) == Some(id.as_bytes()),
        SignerIdentifier::Unknown(_) => false,
    }
}

/// Returns whether a recipient identifier refers to this certificate.
pub(super) fn is_recipient(rid: &RecipientIdentifier<'_>, certificate: &Certificate<'_>) -> bool {
    match rid {
        RecipientIdentifier::IssuerAndSerialNumber(name) => is_serial(name, certificate),
        RecipientIdentifier::SubjectKeyIdentifier(id) => key_identifier(certificate) == Some(id.as_bytes()),
        RecipientIdentifier::Unknown(_) => false,
    }
}
