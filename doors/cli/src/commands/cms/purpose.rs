//! The purposes that signers' certificates must have.

use clap::ValueEnum;
use tagwise_codec::Oid;
use tagwise_pkix::cms::SignedReader;
use tagwise_pkix::oids;

use crate::shared::trust;

/// A purpose that can be required of a signer (RFC 5280 §4.2.1.12, RFC 9336).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Purpose {
    /// S/MIME (emailProtection)
    Email,
    /// Code signing (codeSigning)
    CodeSigning,
    /// Document signing (documentSigning)
    DocumentSigning,
    /// Time stamping (timeStamping)
    Timestamping,
    /// Any purpose: the extended key usage is ignored
    Any,
}

impl Purpose {
    /// The purpose that signers of a message need by default, by the type of its content.
    pub(super) fn of(message: &[u8]) -> Self {
        let Ok(reader) = SignedReader::new(message) else { return Self::Email };
        match reader.content_type() {
            oids::SPC_INDIRECT_DATA_CONTEXT | oids::MS_CTL => Self::CodeSigning,
            oids::CT_TST_INFO => Self::Timestamping,
            // ICAO Doc 9303-12 §7.1: certificates of document signers need not have the extension.
            oids::ICAO_MRTD_SECURITY_LDS_SECURITY_OBJECT | oids::ICAO_MRTD_SECURITY_CSCA_MASTER_LIST => Self::Any,
            _ => Self::Email,
        }
    }

    pub(super) const fn oid(self) -> Option<Oid<'static>> {
        self.of_path().oid()
    }

    /// Returns the purpose for which the signer's path is validated.
    pub(super) const fn of_path(self) -> trust::Purpose {
        match self {
            Self::Email => trust::Purpose::Email,
            Self::CodeSigning => trust::Purpose::Code,
            Self::DocumentSigning => trust::Purpose::Document,
            Self::Timestamping => trust::Purpose::Timestamp,
            Self::Any => trust::Purpose::Any,
        }
    }
}
