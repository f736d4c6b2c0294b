//! An owned summary of a certificate, for databases, queues and caches.

use serde::{Deserialize, Serialize};
use tagwise_codec::Error;

use crate::cert::Certificate;
use crate::ext::{ExtKeyUsage, GeneralName, KeyUsage, SubjectAltName};

/// The most commonly needed fields of a certificate. Names are stored as text. To compare names, use the certificate
/// instead.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CertificateSummary {
    /// The version, from 1 to 3.
    pub version: u8,
    /// The serial number in hexadecimal.
    pub serial_number: String,
    /// The issuer in RFC 4514 form.
    pub issuer: String,
    /// The subject in RFC 4514 form.
    pub subject: String,
    /// The start of the validity period, inclusive: `2026-11-21T10:00:00Z`.
    pub not_before: String,
    /// The end of the validity period, inclusive.
    pub not_after: String,
    /// The key algorithm: `RSA`, `EC`, `Ed25519`, `ML-DSA-65`, or `unknown`.
    pub key_algorithm: String,
    /// The key size, if known: see [`KeyInfo::bits`](crate::KeyInfo::bits).
    #[serde(default)]
    pub key_bits: Option<u32>,
    /// The name of the curve of an elliptic curve key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_curve: Option<String>,
    /// The signature algorithm, such as `RSA-SHA256` or `ECDSA-SHA256`, or the dotted OID if it has no name.
    pub signature_algorithm: String,
    /// True for a CA certificate: see [`Certificate::is_authority`].
    pub is_ca: bool,
    /// The names of the key usage bits.
    #[serde(default)]
    pub key_usage: Vec<String>,
    /// The extended key usage purposes: short names, or dotted OIDs.
    #[serde(default)]
    pub extended_key_usage: Vec<String>,
    /// The subject's DNS names and IP addresses.
    #[serde(default)]
    pub hosts: Vec<String>,
}

impl CertificateSummary {
    /// Creates a summary of a certificate.
    ///
    /// # Errors
    /// Returns an error if an extension that the summary includes is malformed. This is possible only if the certificate was
    /// decoded with `outline`.
    pub fn of(certificate: &Certificate<'_>) -> Result<Self, Error> {
        let tbs = &certificate.tbs_certificate;
        let extensions = tbs.extensions;
        let usage = extensions.map(|list| list.get::<KeyUsage<'_>>()).transpose()?.flatten();
        let purposes = extensions.map(|list| list.get::<ExtKeyUsage<'_>>()).transpose()?.flatten();
        let names = extensions.map(|list| list.get::<SubjectAltName<'_>>()).transpose()?.flatten();
        let mut extended_key_usage = Vec::new();
        for purpose in purposes.iter().flat_map(|list| list.0.iter()) {
            let purpose = purpose?;
            let known = crate::oids::lookup(purpose).map(|info| info.short_name().to_owned());
            extended_key_usage.push(known.unwrap_or_else(|| purpose.to_string()));
        }
        let mut hosts = Vec::new();
        for name in names.iter().flat_map(|list| list.0.iter()) {
            match name? {
                GeneralName::DnsName(host) => hosts.push(host.to_string()),
                GeneralName::IpAddress(address) => hosts.push(address.to_string()),
                _ => {}
            }
        }
        let key = tbs.subject_public_key_info.info();
        let algorithm = &certificate.signature_algorithm;
        Ok(Self {
            version: tbs.version.0.saturating_add(1),
            serial_number: tbs.serial_number.hex().to_string(),
            issuer: tbs.issuer.to_string(),
            subject: tbs.subject.to_string(),
            not_before: tbs.validity.not_before.to_string(),
            not_after: tbs.validity.not_after.to_string(),
            key_algorithm: key.algorithm.to_owned(),
            key_bits: key.bits,
            key_curve: key.curve.map(str::to_owned),
            signature_algorithm: algorithm.short_name().map_or_else(|| algorithm.algorithm.to_string(), str::to_owned),
            is_ca: certificate.is_authority()?,
            key_usage: usage.iter().flat_map(KeyUsage::names).map(str::to_owned).collect(),
            extended_key_usage,
            hosts,
        })
    }
}
