//! The tables of columns, by kind.

mod certificate;
mod cms;
mod common;
mod crl;
mod log_entry;
mod ocsp;
mod request;

pub(crate) use certificate::CERTIFICATE;
pub(crate) use cms::CMS;
pub(crate) use crl::CRL;
pub(crate) use log_entry::LOG_ENTRY;
pub(crate) use ocsp::OCSP;
pub(crate) use request::REQUEST;

use crate::column::Column;
use crate::kind::Kind;

impl Kind {
    /// Returns the columns of the kind, except `error`, which every result contains.
    ///
    /// ```
    /// use tagwise_columns::Kind;
    /// let columns = Kind::Certificate.columns();
    /// assert!(columns.iter().any(|column| column.name() == "not_after"));
    /// ```
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Certificate => CERTIFICATE,
            Self::Crl => CRL,
            Self::Request => REQUEST,
            Self::Ocsp => OCSP,
            Self::Cms => CMS,
            Self::LogEntry => LOG_ENTRY,
        }
    }
}
