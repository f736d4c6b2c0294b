//! The stages, and what each is held to.

use std::fmt;

use crate::algorithm::Algorithm;

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    CaSelfSign,
    CertGen,
    DbInsertCerts,
    CertVerify,
    DbReadCerts,
    DbReadRevoked,
    CrlBuild,
    CrlSign,
    DbInsertCrl,
    CrlVerify,
    DbReadCrl,
    OcspBuild,
    OcspSign,
    DbInsertOcsp,
    OcspVerify,
    DbReadOcsp,
}

/// What a stage is held to at the largest batch. Nothing fails by it: the report says whether it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bar {
    /// At most so many times its floor.
    Floor(f64),
    /// At least so many times as fast as the peer.
    Peer(f64),
}

impl Stage {
    /// In the order in which they run.
    pub(crate) const ALL: [Self; 16] = [
        Self::CaSelfSign,
        Self::CertGen,
        Self::DbInsertCerts,
        Self::CertVerify,
        Self::DbReadCerts,
        Self::DbReadRevoked,
        Self::CrlBuild,
        Self::CrlSign,
        Self::DbInsertCrl,
        Self::CrlVerify,
        Self::DbReadCrl,
        Self::OcspBuild,
        Self::OcspSign,
        Self::DbInsertOcsp,
        Self::OcspVerify,
        Self::DbReadOcsp,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::CaSelfSign => "ca_self_sign",
            Self::CertGen => "cert_gen",
            Self::DbInsertCerts => "db_insert_certs",
            Self::CertVerify => "cert_verify",
            Self::DbReadCerts => "db_read_certs",
            Self::DbReadRevoked => "db_read_revoked",
            Self::CrlBuild => "crl_build",
            Self::CrlSign => "crl_sign",
            Self::DbInsertCrl => "db_insert_crl",
            Self::CrlVerify => "crl_verify",
            Self::DbReadCrl => "db_read_crl",
            Self::OcspBuild => "ocsp_build",
            Self::OcspSign => "ocsp_sign",
            Self::DbInsertOcsp => "db_insert_ocsp",
            Self::OcspVerify => "ocsp_verify",
            Self::DbReadOcsp => "db_read_ocsp",
        }
    }

    /// How many items a batch is for it: a CA is one, whatever it issues.
    pub(crate) const fn items(self, batch: usize) -> usize {
        match self {
            Self::CaSelfSign => 1,
            _ => batch,
        }
    }

    pub(crate) const fn bar(self, algorithm: Algorithm) -> Option<Bar> {
        match self {
            Self::CertGen | Self::CertVerify | Self::OcspSign | Self::OcspVerify => Some(Bar::Floor(algorithm.bar())),
            Self::DbInsertCerts
            | Self::DbReadCerts
            | Self::DbInsertCrl
            | Self::DbReadCrl
            | Self::DbInsertOcsp
            | Self::DbReadOcsp => Some(Bar::Floor(1.3)),
            Self::CrlBuild | Self::OcspBuild => Some(Bar::Peer(3.0)),
            Self::CaSelfSign | Self::DbReadRevoked | Self::CrlSign | Self::CrlVerify => None,
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Floor(most) => write!(f, "≤ {most} × floor"),
            Self::Peer(least) => write!(f, "≥ {least} × synta"),
        }
    }
}
