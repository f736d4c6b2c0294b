//! The kinds of input.

use tagwise_pkix::oids::files::{self, FileKind};

/// The kind of value in each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Certificates (RFC 5280 §4).
    Certificate,
    /// Certificate revocation lists (RFC 5280 §5), with their entries as a list.
    Crl,
    /// Certification requests (RFC 2986).
    Request,
    /// OCSP responses (RFC 6960 §4.2), with their single responses as a list.
    Ocsp,
    /// CMS messages (RFC 5652), with their signers as a list.
    Cms,
    /// Entries of Merkle Tree Certificate logs (draft-ietf-plants-merkle-tree-certs-07 §5.2.1): TBSCertificateLogEntry.
    LogEntry,
}

impl Kind {
    /// All kinds.
    pub const ALL: &'static [Self] =
        &[Self::Certificate, Self::Crl, Self::Request, Self::Ocsp, Self::Cms, Self::LogEntry];

    /// Returns the name of the kind: `certificates`, `crls`, `requests`, `ocsp`, `cms` or `log_entries`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "certificates",
            Self::Crl => "crls",
            Self::Request => "requests",
            Self::Ocsp => "ocsp",
            Self::Cms => "cms",
            Self::LogEntry => "log_entries",
        }
    }

    /// Returns the kind with the given name.
    ///
    /// ```
    /// use tagwise_columns::Kind;
    /// assert_eq!(Kind::by_name("crls"), Some(Kind::Crl));
    /// assert_eq!(Kind::by_name("keys"), None);
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    pub(crate) const fn file(self) -> &'static FileKind {
        match self {
            Self::Certificate => &files::CERTIFICATE,
            Self::Crl => &files::CRL,
            Self::Request => &files::CERTIFICATION_REQUEST,
            Self::Ocsp => &files::OCSP_RESPONSE,
            Self::Cms => &files::CMS,
            Self::LogEntry => &files::LOG_ENTRY,
        }
    }
}
