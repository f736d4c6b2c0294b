//! Identifiers of the issuer's and the subject's key (RFC 5280 §4.2.1.1, §4.2.1.2).

use tagwise_codec::{Fault, OctetStr, Reader};
use tagwise_derive::Asn1;

use crate::cert::CertificateSerialNumber;
use crate::ext::GeneralNames;
use crate::profile;

/// ```asn1
/// AuthorityKeyIdentifier ::= SEQUENCE {
///    keyIdentifier             [0] KeyIdentifier           OPTIONAL,
///    authorityCertIssuer       [1] GeneralNames            OPTIONAL,
///    authorityCertSerialNumber [2] CertificateSerialNumber OPTIONAL  }
///    -- authorityCertIssuer and authorityCertSerialNumber MUST both
///    -- be present or both be absent
/// ```
///
/// Identifies the issuer's key (RFC 5280 §4.2.1.1).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::AuthorityKeyIdentifier;
/// let issuer = AuthorityKeyIdentifier::from_der(&[0x30, 0x04, 0x80, 0x02, 0xCA, 0xFE])?;
/// assert_eq!(issuer.key_identifier.as_deref(), Some(&[0xCA, 0xFE][..]));
/// // A serial number without the name of its issuer.
/// let error = AuthorityKeyIdentifier::from_der(&[0x30, 0x03, 0x82, 0x01, 0x05]).unwrap_err();
/// assert_eq!(error.code(), "issuer-and-serial");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq)]
#[asn1(check = check_pair, rules(profile::ISSUER_AND_SERIAL))]
pub struct AuthorityKeyIdentifier<'a> {
    /// The subject key identifier in the issuer's certificate.
    #[asn1(implicit = 0)]
    pub key_identifier: Option<KeyIdentifier<'a>>,
    /// The issuer name in the issuer's certificate.
    #[asn1(implicit = 1)]
    pub authority_cert_issuer: Option<GeneralNames<'a>>,
    /// The serial number of the issuer's certificate.
    #[asn1(implicit = 2)]
    pub authority_cert_serial_number: Option<CertificateSerialNumber<'a>>,
}

/// ```asn1
/// KeyIdentifier ::= OCTET STRING
/// ```
///
/// A key identifier (RFC 5280 §4.2.1.1).
pub type KeyIdentifier<'a> = OctetStr<'a>;

/// ```asn1
/// SubjectKeyIdentifier ::= KeyIdentifier
/// ```
///
/// Identifies the subject's key (RFC 5280 §4.2.1.2). The identifier is usually the key's SHA-1 hash, but any unique bytes
/// are valid.
///
/// ```
/// use tagwise_codec::{OctetStr, encode};
/// use tagwise_x509::ext::SubjectKeyIdentifier;
/// let identifier = SubjectKeyIdentifier(OctetStr::new(&[0xCA, 0xFE]));
/// assert_eq!(encode(&identifier)?, [0x04, 0x02, 0xCA, 0xFE]);
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubjectKeyIdentifier<'a>(
    /// The key identifier.
    pub KeyIdentifier<'a>,
);

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn check_pair(identifier: &AuthorityKeyIdentifier<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if identifier.authority_cert_issuer.is_some() == identifier.authority_cert_serial_number.is_some() {
        Ok(())
    } else {
        reader.deviate_profile(&profile::ISSUER_AND_SERIAL, at)
    }
}
