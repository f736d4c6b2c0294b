//! The one decision whether a certificate is a certification authority's (RFC 5280 §4.2.1.9).

use tagwise_codec::Error;

use crate::cert::{Certificate, Version};
use crate::ext::BasicConstraints;

/// Decides whether a certificate is a certification authority's, from its version, the `cA` of its basic constraints if it has
/// any, and whether its subject is its issuer.
///
/// In version 3, basic constraints decide alone: where they are absent, the key must not verify certificates' signatures
/// (RFC 5280 §4.2.1.9), whatever the key usage says and whoever the issuer is. Versions 1 and 2 have no extensions. Such a
/// certificate is an authority's only if that is known by other means, else it is to be rejected as one (§6.1.4 (k)); the only
/// ones that are known so are old roots. So of versions 1 and 2, what is self-issued is an authority's, and nothing else is.
pub fn is_authority(version: Version, ca: Option<bool>, is_self_issued: impl FnOnce() -> bool) -> bool {
    ca.unwrap_or_else(|| version < Version::V3 && is_self_issued())
}

impl Certificate<'_> {
    /// Returns whether this is a certification authority's certificate (RFC 5280 §4.2.1.9).
    ///
    /// In version 3, that is what `cA` in the basic constraints says, and `false` without basic constraints. Certificates of
    /// versions 1 and 2 have no extensions: those that are [self-issued](Self::is_self_issued) are taken for the roots that such
    /// certificates are still used for, others are not an authority's (§6.1.4 (k)).
    ///
    /// ```no_run
    /// use tagwise_codec::Decode;
    /// use tagwise_pkix::Certificate;
    /// let der = std::fs::read("certificate.der")?;
    /// println!("certification authority: {}", Certificate::from_der(&der)?.is_authority()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Basic constraints, or an extension before them, that do not decode: possible only after an outline, or where a rule
    /// tolerated something.
    pub fn is_authority(&self) -> Result<bool, Error> {
        let extensions = self.tbs_certificate.extensions;
        let basic = extensions.map_or(Ok(None), |list| list.get::<BasicConstraints<'_>>())?;
        Ok(is_authority(self.tbs_certificate.version, basic.map(|basic| basic.ca), || self.is_self_issued()))
    }

    /// Returns whether the issuer's name is the subject's: [matching](crate::Name::matches), as RFC 5280 §6.1 asks.
    ///
    /// ```no_run
    /// use tagwise_codec::Decode;
    /// use tagwise_pkix::Certificate;
    /// let der = std::fs::read("certificate.der")?;
    /// println!("self-issued: {}", Certificate::from_der(&der)?.is_self_issued());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_self_issued(&self) -> bool {
        self.tbs_certificate.issuer.matches(&self.tbs_certificate.subject)
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
