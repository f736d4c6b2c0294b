//! Locally trusted OCSP responders (RFC 6960 §4.2.2.2, item 1).

use tagwise_codec::{Decode, Error, encode};
use tagwise_pkix::{CertificateBuf, Name, SubjectPublicKeyInfo, UnixTime};

use super::Query;
use crate::pool;

/// A locally trusted OCSP responder: its key, and the issuers for which it may answer.
///
/// No path to an anchor is built and the responder's own revocation is not checked, because it is trusted by configuration.
/// If it was created from a certificate, the validity period applies.
///
/// ```no_run
/// use tagwise_path::{RevocationPolicy, TrustedResponder};
/// let mut policy = RevocationPolicy::default();
/// policy.responders.push(TrustedResponder::from_certificate(std::fs::read("responder.der")?)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrustedResponder {
    key: Box<[u8]>,
    certificate: Option<CertificateBuf>,
    /// The issuers' names in DER, or empty for any issuer.
    issuers: Vec<Box<[u8]>>,
}

impl TrustedResponder {
    /// Creates a trusted responder from its DER certificate.
    ///
    /// # Errors
    /// Returns an error if the certificate's top-level structure is malformed.
    pub fn from_certificate(der: impl Into<Box<[u8]>>) -> Result<Self, Error> {
        let certificate = pool::read(der)?;
        let key = encode(&certificate.get().tbs_certificate.subject_public_key_info).unwrap_or_default();
        Ok(Self { key: key.into(), certificate: Some(certificate), issuers: Vec::new() })
    }

    /// Creates a trusted responder from its key, a SubjectPublicKeyInfo in DER.
    ///
    /// ```
    /// use tagwise_path::TrustedResponder;
    /// assert!(TrustedResponder::from_key(b"no key").is_err());
    /// ```
    ///
    /// # Errors
    /// Returns an error if the key is malformed.
    pub fn from_key(key: &[u8]) -> Result<Self, Error> {
        SubjectPublicKeyInfo::from_der(key)?;
        Ok(Self { key: key.into(), certificate: None, issuers: Vec::new() })
    }

    /// Limits the responder to certificates of an issuer, a Name in DER. Call it again to add more issuers.
    ///
    /// # Errors
    /// Returns an error if the name is malformed.
    pub fn for_issuer(mut self, name: &[u8]) -> Result<Self, Error> {
        Name::from_der(name)?;
        self.issuers.push(name.into());
        Ok(self)
    }

    pub(super) fn key(&self) -> Result<SubjectPublicKeyInfo<'_>, Error> {
        SubjectPublicKeyInfo::outline(&self.key)
    }

    /// Returns whether the configuration allows the responder to answer for a certificate.
    pub(super) fn answers_for(&self, query: &Query<'_>) -> bool {
        let names = || self.issuers.iter().map_while(|name| Name::outline(name).ok());
        self.issuers.is_empty() || names().any(|name| name.matches(&query.issuer))
    }

    /// Returns the subject of the responder's certificate.
    pub(super) fn name(&self) -> Option<Name<'_>> {
        self.certificate.as_ref().map(|certificate| certificate.get().tbs_certificate.subject)
    }

    /// Returns whether the time lies within the validity period of the responder's certificate.
    pub(super) fn is_valid(&self, time: UnixTime) -> bool {
        self.certificate.as_ref().is_none_or(|certificate| certificate.get().tbs_certificate.validity.contains(time))
    }
}
