//! Trust settings in NSS's certdata.txt.

use tagwise_pkix::UnixTime;

/// The trust settings of a root, from its trust and certificate objects in certdata.txt.
///
/// Attributes and values are named as in NSS's `pkcs11n.h`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The root's name (`CKA_LABEL`).
    pub label: String,
    /// The trust level for TLS server authentication (`CKA_TRUST_SERVER_AUTH`).
    pub server_auth: Level,
    /// The trust level for email protection (`CKA_TRUST_EMAIL_PROTECTION`).
    pub email_protection: Level,
    /// The trust level for code signing (`CKA_TRUST_CODE_SIGNING`).
    pub code_signing: Level,
    /// `CKA_NSS_SERVER_DISTRUST_AFTER`: server certificates issued after this time are not trusted.
    pub server_distrust_after: Option<UnixTime>,
    /// `CKA_NSS_EMAIL_DISTRUST_AFTER`: email certificates issued after this time are not trusted.
    pub email_distrust_after: Option<UnixTime>,
    /// True if the file also contains the certificate. Trust objects without a certificate are used to distrust it.
    pub has_certificate: bool,
}

/// The trust level of a certificate for a purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Level {
    /// `CKT_NSS_TRUSTED_DELEGATOR`: a trust anchor.
    TrustedDelegator,
    /// `CKT_NSS_TRUSTED`: trusted, but not as an issuer.
    Trusted,
    /// `CKT_NSS_MUST_VERIFY_TRUST`: trusted only if its issuer is.
    MustVerify,
    /// `CKT_NSS_NOT_TRUSTED`: distrusted.
    NotTrusted,
    /// A missing or unknown value.
    #[default]
    Unknown,
}

impl Level {
    /// Returns a description of the level.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TrustedDelegator => "trusted-delegator",
            Self::Trusted => "trusted",
            Self::MustVerify => "must-verify",
            Self::NotTrusted => "not-trusted",
            Self::Unknown => "unknown",
        }
    }

    pub(super) fn of(value: &[u8]) -> Self {
        match value {
            b"CKT_NSS_TRUSTED_DELEGATOR" => Self::TrustedDelegator,
            b"CKT_NSS_TRUSTED" => Self::Trusted,
            b"CKT_NSS_MUST_VERIFY_TRUST" => Self::MustVerify,
            b"CKT_NSS_NOT_TRUSTED" => Self::NotTrusted,
            _ => Self::Unknown,
        }
    }
}
