//! Decides whether a certificate is a CA certificate (RFC 5280 §4.2.1.9).

use tagwise_codec::Error;

use crate::cert::{Certificate, Version};
use crate::ext::{AuthorityKeyIdentifier, BasicConstraints, SubjectKeyIdentifier};

/// Decides whether a certificate is a CA certificate, from its version, the `cA` field of its basic constraints, and
/// whether it is self-issued.
///
/// In version 3, only basic constraints count. Without them, the key must not be used to verify certificate signatures (RFC
/// 5280 §4.2.1.9), regardless of key usage and issuer. Versions 1 and 2 have no extensions, so such a certificate must be
/// rejected as a CA unless it is known to be one by other means (§6.1.4 (k)). In practice, this is the case only for old
/// roots. Self-issued certificates of versions 1 and 2 therefore count as CA certificates, and others do not.
pub fn is_authority(version: Version, ca: Option<bool>, is_self_issued: impl FnOnce() -> bool) -> bool {
    ca.unwrap_or_else(|| version < Version::V3 && is_self_issued())
}

impl Certificate<'_> {
    /// Returns whether this is a CA certificate (RFC 5280 §4.2.1.9).
    ///
    /// In version 3, this is the `cA` field of the basic constraints, or `false` without them. Certificates of versions 1 and 2
    /// have no extensions. [Self-issued](Self::is_self_issued) ones count as CA certificates, because such roots still exist.
    /// Others do not (§6.1.4 (k)).
    ///
    /// ```no_run
    /// use tagwise_codec::Decode;
    /// use tagwise_x509::Certificate;
    /// let der = std::fs::read("certificate.der")?;
    /// println!("certification authority: {}", Certificate::from_der(&der)?.is_authority()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the basic constraints, or an extension before them, do not decode. This is only possible if the
    /// certificate was decoded as an outline (only its top-level structure) or tolerantly.
    pub fn is_authority(&self) -> Result<bool, Error> {
        let extensions = self.tbs_certificate.extensions;
        let basic = extensions.map_or(Ok(None), |list| list.get::<BasicConstraints<'_>>())?;
        Ok(is_authority(self.tbs_certificate.version, basic.map(|basic| basic.ca), || self.is_self_issued()))
    }

    /// Returns whether issuer and subject [match](crate::Name::matches), as defined by RFC 5280 §6.1.
    ///
    /// ```no_run
    /// use tagwise_codec::Decode;
    /// use tagwise_x509::Certificate;
    /// let der = std::fs::read("certificate.der")?;
    /// println!("self-issued: {}", Certificate::from_der(&der)?.is_self_issued());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_self_issued(&self) -> bool {
        self.tbs_certificate.issuer.matches(&self.tbs_certificate.subject)
    }

    /// Returns whether the certificate claims to be signed with its own key: it is [self-issued](Self::is_self_issued), and its
    /// authority key identifier, if present, does not name another key or serial number. The signature is not verified.
    ///
    /// A CA's certificate for its new key, which the old key signed, is self-issued but not self-signed (RFC 5280 §3.2).
    ///
    /// ```no_run
    /// use tagwise_codec::Decode;
    /// use tagwise_x509::Certificate;
    /// let der = std::fs::read("certificate.der")?;
    /// println!("self-signed: {}", Certificate::from_der(&der)?.is_self_signed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_self_signed(&self) -> bool {
        let tbs = &self.tbs_certificate;
        let own = tbs.extensions.and_then(|list| list.get::<SubjectKeyIdentifier<'_>>().ok().flatten());
        let issuer = tbs.extensions.and_then(|list| list.get::<AuthorityKeyIdentifier<'_>>().ok().flatten());
        let key = issuer.as_ref().and_then(|issuer| issuer.key_identifier);
        let has_other_key = own.zip(key).is_some_and(|(own, key)| own.0.as_bytes() != key.as_bytes());
        let serial = issuer.as_ref().and_then(|issuer| issuer.authority_cert_serial_number);
        let has_other_serial = serial.is_some_and(|serial| serial != tbs.serial_number);
        self.is_self_issued() && !has_other_key && !has_other_serial
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Version, `cA` where there are basic constraints, self-issued; whether it is an authority's.
    #[test]
    fn constraints_decide_and_old_versions_by_their_issuer() {
        for (version, ca, own, authority) in [
            (Version::V3, Some(true), false, true),
            (Version::V3, Some(true), true, true),
            (Version::V3, Some(false), true, false),
            (Version::V3, None, true, false),
            (Version::V3, None, false, false),
            (Version::V1, None, true, true),
            (Version::V1, None, false, false),
            (Version::V2, None, true, true),
            (Version::V2, None, false, false),
            // Extensions in a version that has none are a deviation, and say what they say.
            (Version::V1, Some(false), true, false),
            (Version::V1, Some(true), false, true),
        ] {
            assert_eq!(is_authority(version, ca, || own), authority, "{version:?} {ca:?} {own}");
        }
    }
}
